//! A line of a suite: a position and the moves that solve it.

use polyply_engine::{Board, Place, Score, Variant};
use serde_json::{Map, Value};

/// A position whose best moves are known.
#[derive(Debug)]
pub struct Puzzle {
    pub id: Option<String>,
    pub place: Place,
    /// The position as the game writes it.
    pub text: String,
    /// One of these is to be found, if there are any.
    pub best: Vec<String>,
    /// None of these.
    pub avoid: Vec<String>,
    /// A win that is to be proven as well, in at most so many plies; negative for the second player's.
    pub win: Option<i32>,
}

impl Puzzle {
    /// Reads a line. The error is one sentence.
    pub fn read(line: &str, variant: &Variant) -> Result<Puzzle, String> {
        let written = if line.starts_with('{') { Written::from_json(line) } else { Written::from_text(line) }?;
        let place = Place { position: written.position, moves: written.moves };
        let board = Board::at(variant, &place).map_err(|error| error.to_string())?;
        if let Some(outcome) = board.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        if written.best.is_empty() && written.avoid.is_empty() && written.win.is_none() {
            return Err("there is neither a best move, nor one to avoid, nor a win to find".into());
        }
        let named = |moves: Vec<String>| moves.iter().map(|mv| name(&board, mv)).collect::<Result<Vec<_>, _>>();
        Ok(Puzzle {
            id: written.id,
            text: board.text().to_owned(),
            best: named(written.best)?,
            avoid: named(written.avoid)?,
            win: written.win,
            place,
        })
    }

    /// The move solves it.
    pub fn is_right(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|other| other == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }

    /// The score proves what is to be proven.
    pub fn is_proven(&self, score: Option<Score>) -> bool {
        self.win.is_none_or(|win| match score {
            Some(Score::Win(plies)) => plies.signum() == win.signum() && plies.abs() <= win.abs(),
            _ => false,
        })
    }

    /// What to call it.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.text)
    }
}

/// A legal move as the game writes it.
fn name(board: &Board, mv: &str) -> Result<String, String> {
    let mut board = board.clone();
    board.play(mv).map_err(|error| error.to_string())?;
    Ok(board.moves().last().cloned().unwrap_or_default())
}

/// A line as it is written.
#[derive(Default)]
struct Written {
    id: Option<String>,
    position: Option<String>,
    moves: Vec<String>,
    best: Vec<String>,
    avoid: Vec<String>,
    win: Option<i32>,
}

impl Written {
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

    /// `h8 i9; bm h9 i10; am a1; id "…"`, after the [opcodes of EPD](https://www.chessprogramming.org/Extended_Position_Description).
    fn from_text(line: &str) -> Result<Written, String> {
        let mut fields = line.split(';').map(str::trim);
        let position = fields.next().filter(|position| !position.is_empty()).map(str::to_owned);
        let mut written = Written { position, ..Written::default() };
        for field in fields.filter(|field| !field.is_empty()) {
            let (code, rest) = field.split_once(char::is_whitespace).unwrap_or((field, ""));
            match code {
                "bm" => written.best = words(rest),
                "am" => written.avoid = words(rest),
                "id" => written.id = Some(rest.trim().trim_matches('"').to_owned()),
                other => return Err(format!("after the position come bm, am and id, not `{}`", other.escape_debug())),
            }
        }
        Ok(written)
    }
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
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn plies(value: &Value) -> Result<i32, String> {
    let number = value.as_i64().and_then(|number| i32::try_from(number).ok()).filter(|&number| number != 0);
    number.ok_or_else(|| format!("`win` is a number of plies, below 0 where the second player wins, not {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Puzzle, String> {
        Puzzle::read(line, &Variant::find("freestyle").unwrap())
    }

    #[test]
    fn both_ways_to_write_a_puzzle_say_the_same() {
        let json = read(r#"{"position": "h8 i9", "best": ["H9", "i10"], "avoid": "a1", "id": "one"}"#).unwrap();
        let text = read(r#"h8 i9; bm h9 i10; am a1; id "one""#).unwrap();
        for puzzle in [json, text] {
            assert_eq!(
                (puzzle.name(), &puzzle.best[..], &puzzle.avoid[..]),
                ("one", &["h9".into(), "i10".into()][..], &["a1".into()][..])
            );
            assert!(puzzle.is_right("i10") && !puzzle.is_right("a1") && !puzzle.is_right("a2"));
        }
    }

    #[test]
    fn a_win_is_proven_by_one_as_soon_for_the_same_side() {
        let puzzle = read(r#"{"moves": ["h8"], "best": "h9", "win": -7}"#).unwrap();
        assert!(puzzle.is_proven(Some(Score::Win(-5))) && puzzle.is_proven(Some(Score::Win(-7))));
        for score in [None, Some(Score::Win(-9)), Some(Score::Win(5)), Some(Score::Centi(-900))] {
            assert!(!puzzle.is_proven(score), "{score:?}");
        }
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |line| read(line).unwrap_err();
        assert!(error("{").contains("no JSON object"));
        assert!(error(r#"{"position": 8, "best": "h8"}"#).contains("`position` is a text"));
        assert!(error(r#"{"best": 8}"#).contains("`best` is a list"));
        assert!(error(r#"{"best": "h8", "win": 0}"#).contains("`win` is a number"));
        assert!(error(r#"{"position": "h8"}"#).contains("neither"));
        assert!(error("h8 i9; pv h9").contains("not `pv`"));
        assert!(error("h8; bm h8").contains("a stone on h8"));
        assert!(error("h8 z9; bm h9").contains("z9"));
        assert!(error("a1 a2 b1 b2 c1 c2 d1 d2 e1; bm h9").contains("over"));
    }
}
