//! A line of a suite as it is written: which moves are right, before anybody looks at the board.
//!
//! Four ways to write one:
//!
//! - JSON: `{"position": "h8 i9", "best": ["h9"], "avoid": [], "id": "1", "win": 7}`,
//! - any position with operations behind semicolons: `h8 i9; bm h9; am a1; id "1"`,
//! - [EPD](https://www.chessprogramming.org/Extended_Position_Description), chess: four fields of a FEN and operations, of
//!   which `bm`, `am`, `dm`, `id`, `hmvc` and `fmvn` mean something here,
//! - OBF, Othello: 64 cells and the side to move, then each move with its score, `G8:+18; H8:+12;`, or a score alone.

use polyply_engine::Obf;
use serde_json::{Map, Value};

/// A line as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// What it is called.
    pub id: Option<String>,
    /// The position; the start of the game without it.
    pub position: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
    /// One of these is to be found, if there are any.
    pub best: Vec<String>,
    /// None of these.
    pub avoid: Vec<String>,
    /// A win to be proven in at most so many plies; negative for the second player's.
    pub win: Option<i32>,
    /// The result under perfect play, from the first player's side.
    pub points: Option<i32>,
    /// All that stands behind a position of EPD or OBF, as it is written.
    pub operations: String,
}

/// Plies of a mate: no game is as long.
const LONGEST_MATE: i32 = 1000;

impl Written {
    /// Reads a line. The error is one sentence.
    pub fn parse(line: &str) -> Result<Written, String> {
        let words: Vec<&str> = line.split([' ', '\t', ';']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            _ if line.starts_with('{') => Written::from_json(line),
            [board, "w" | "b", _, _, ..] if board.matches('/').count() == 7 => Written::from_epd(line),
            [cells, side, ..] if is_othello(cells, side) => Written::from_obf(line),
            _ => Written::from_text(line),
        }
    }

    fn from_json(line: &str) -> Result<Written, String> {
        let object: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| format!("this is no JSON object: {error}"))?;
        let mut written = Written::default();
        for (key, value) in object {
            match key.as_str() {
                "position" => written.position = Some(text(&key, &value)?),
                "moves" => written.moves = moves(&key, &value)?,
                "best" => written.best = moves(&key, &value)?,
                "avoid" => written.avoid = moves(&key, &value)?,
                "id" => written.id = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
                "win" => written.win = Some(plies(&value)?),
                // Whoever made the file may have more to say about a position.
                _ => {}
            }
        }
        Ok(written)
    }

    /// `h8 i9; bm h9 i10; am a1; id "…"`, after the opcodes of EPD.
    fn from_text(line: &str) -> Result<Written, String> {
        let mut fields = operations(line);
        let position = fields.next().map(str::trim).filter(|position| !position.is_empty()).map(str::to_owned);
        let mut written = Written { position, ..Written::default() };
        for (code, rest) in fields.filter_map(operation) {
            match code {
                "bm" => written.best = words(rest),
                "am" => written.avoid = words(rest),
                "id" => written.id = Some(unquoted(rest)),
                other => return Err(format!("after the position come bm, am and id, not `{}`", other.escape_debug())),
            }
        }
        Ok(written)
    }

    fn from_epd(line: &str) -> Result<Written, String> {
        let mut rest = line;
        let mut fields = Vec::new();
        for _ in 0..4 {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            fields.push(field);
            rest = after.trim_start();
        }
        let first_to_move = fields[1] == "w";
        let mut written = Written::default();
        // A whole FEN has its counters here; in EPD they are operations.
        let mut counters = ["0".to_owned(), "1".to_owned()];
        for counter in &mut counters {
            let (word, after) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
            if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
                *counter = word.to_owned();
                rest = after.trim_start();
            }
        }
        written.operations = rest.trim().to_owned();
        for (code, rest) in operations(rest).filter_map(operation) {
            match code {
                "bm" => written.best = words(rest),
                "am" => written.avoid = words(rest),
                "id" => written.id = Some(unquoted(rest)),
                "dm" => {
                    let moves = rest.trim().parse().ok().filter(|moves| (1..=LONGEST_MATE / 2).contains(moves));
                    let plies = 2 * moves.ok_or_else(|| format!("`dm` is a number of moves, not `{rest}`"))? - 1;
                    written.win = Some(if first_to_move { plies } else { -plies });
                }
                "hmvc" => counters[0] = rest.trim().to_owned(),
                "fmvn" => counters[1] = rest.trim().to_owned(),
                // What an engine once thought of it, comments and the like.
                _ => {}
            }
        }
        written.position = Some(format!("{} {}", fields.join(" "), counters.join(" ")));
        Ok(written)
    }

    fn from_obf(line: &str) -> Result<Written, String> {
        let obf = Obf::parse(line)?;
        Ok(Written {
            best: obf.best().map(str::to_owned).collect(),
            points: obf.value,
            position: Some(obf.position),
            operations: line.split_once(';').map_or("", |(_, rest)| rest).trim().to_owned(),
            ..Written::default()
        })
    }
}

/// A board of Othello, and the side to move.
fn is_othello(cells: &str, side: &str) -> bool {
    cells.len() == 64
        && cells.bytes().all(|cell| b"XxOo*-.".contains(&cell))
        && ["X", "O", "x", "o", "*"].contains(&side)
}

/// What stands between semicolons, those in quotes left alone.
fn operations(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    line.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
}

/// A code and what follows it.
fn operation(field: &str) -> Option<(&str, &str)> {
    let field = field.trim();
    (!field.is_empty()).then(|| field.split_once(char::is_whitespace).unwrap_or((field, "")))
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches('"').to_owned()
}

fn text(key: &str, value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is a text, not {value}"))
}

/// A text of moves, or a list of them.
fn moves(key: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::String(text) => Ok(words(text)),
        Value::Array(list) => list.iter().map(|mv| text(key, mv)).collect(),
        _ => Err(format!("`{key}` is a list of moves, not {value}")),
    }
}

fn words(text: &str) -> Vec<String> {
    // In old suites a sign of check stands apart from its move.
    text.split([' ', ',']).filter(|word| !matches!(*word, "" | "+" | "#")).map(str::to_owned).collect()
}

fn plies(value: &Value) -> Result<i32, String> {
    let number = value.as_i64().and_then(|number| i32::try_from(number).ok()).filter(|&number| number != 0);
    number.ok_or_else(|| format!("`win` is a number of plies, below 0 where the second player wins, not {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_is_a_position_of_chess_with_its_operations() {
        let line =
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 + Nxf7; id \"WAC; 001\"; dm 3; ce 5;";
        let written = Written::parse(line).unwrap();
        let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        assert_eq!(written.position.as_deref(), Some(fen));
        assert_eq!(
            (written.best, written.id.as_deref(), written.win),
            (vec!["Qg6".into(), "Nxf7".into()], Some("WAC; 001"), Some(5))
        );
        let black = Written::parse("8/8/8/8/8/5k2/7p/7K b - - am h2; dm 1; hmvc 4; fmvn 60;").unwrap();
        assert_eq!(black.position.as_deref(), Some("8/8/8/8/8/5k2/7p/7K b - - 4 60"));
        assert_eq!((black.avoid, black.win), (vec!["h2".into()], Some(-1)));
        let fen = "8/8/8/8/8/5k2/7p/7K w - - 12 34 bm h2;";
        assert_eq!(Written::parse(fen).unwrap().position.as_deref(), Some("8/8/8/8/8/5k2/7p/7K w - - 12 34"));
        assert!(Written::parse("8/8/8/8/8/8/8/8 w - - dm soon;").unwrap_err().contains("dm"));
    }

    #[test]
    fn obf_is_a_position_of_othello_with_the_score_of_each_move() {
        let cells = "--XXXXX--OOOXX-O-OOXXOXX-OXOXXOXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
        let written = Written::parse(&format!("{cells} X; G8:+18; H1:+12; h7:+18;")).unwrap();
        assert_eq!(written.position, Some(format!("{cells} X")));
        assert_eq!((written.best, written.points), (vec!["g8".into(), "h7".into()], Some(18)));
        let alone = Written::parse(&format!("{cells} O; +4;")).unwrap();
        assert_eq!((alone.best, alone.points), (vec![], Some(-4)));
        assert!(Written::parse(&format!("{cells} X; G8:lots;")).unwrap_err().contains("G8:+18"));
    }
}
