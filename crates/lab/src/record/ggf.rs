//! The [Generic Game Format](https://skatgame.net/mburo/ggsa/ggf) of Othello servers.
//!
//! ```text
//! (;GM[Othello]PC[polyply]DT[2026-11-16]PB[new]PW[old]RE[+2.000]TY[8]BO[8 … *]B[F5/2.00/0.420]W[D6/-1.00/0.381];)
//! ```
//!
//! Black moves first. The score of a move is in discs and, as the format has it, from the side of the player who moves.

use super::words::{parse_seconds, seconds};
use super::{End, Move, Reason, Record};
use polyply_engine::{Score, Side};

/// The name of the variant.
const OTHELLO: &str = "othello";
/// Where a game begins if nothing is said: 64 cells from the top, and the side to move.
const START: &str = "---------------------------OX------XO--------------------------- X";
/// Cells of the board.
const CELLS: usize = 64;

/// A game, or why it is not one of Othello.
pub fn write(record: &Record) -> Result<String, String> {
    if record.variant != OTHELLO {
        return Err(format!("a GGF file holds games of Othello, not of {}", record.variant));
    }
    let (board, mut side) = board(record.opening.position.as_deref().unwrap_or(START))?;
    let name = |player: &str| player.replace(['[', ']'], " ");
    let mut text = format!("(;GM[Othello]PC[{}]", "polyply");
    if let Some(date) = &record.date {
        text += &format!("DT[{date}]");
    }
    text +=
        &format!("PB[{}]PW[{}]RE[{}]TY[8]", name(&record.players[0]), name(&record.players[1]), result(&record.end));
    text += &format!("BO[8 {board} {}]", if side == Side::First { '*' } else { 'O' });
    let given = record.opening.moves.iter().map(|mv| Move { text: mv.clone(), ..Move::default() });
    for mv in given.chain(record.moves.iter().cloned()) {
        text += &format!("{}[{}]", if side == Side::First { 'B' } else { 'W' }, move_text(&mv, side));
        side = side.other();
    }
    Ok(text + ";)\n")
}

/// Cells as GGF has them, and the side to move.
fn board(position: &str) -> Result<(String, Side), String> {
    let refuse = || format!("`{}` is no position of Othello: 64 cells and the side to move", position.escape_debug());
    let (cells, side) = position.rsplit_once(char::is_whitespace).ok_or_else(refuse)?;
    let cells: String = cells.chars().filter(|cell| !cell.is_whitespace()).collect();
    let cell = |cell: char| match cell {
        'X' | 'x' | '*' | 'B' | 'b' => Some('*'),
        'O' | 'o' | 'W' | 'w' => Some('O'),
        '-' | '.' => Some('-'),
        _ => None,
    };
    let board: String = cells.chars().map(cell).collect::<Option<_>>().ok_or_else(refuse)?;
    let side = side.chars().next().and_then(cell).filter(|side| *side != '-').ok_or_else(refuse)?;
    if board.len() != CELLS {
        return Err(refuse());
    }
    Ok((board, if side == '*' { Side::First } else { Side::Second }))
}

/// Black's discs above White's; a game that was not played to its end counts as lost by all 64.
fn result(end: &End) -> String {
    let all = match end.winner {
        Some(Side::First) => CELLS as i32,
        Some(Side::Second) => -(CELLS as i32),
        None if end.reason == Reason::Unfinished => return "?".into(),
        None => 0,
    };
    let why = match end.reason {
        Reason::Time | Reason::Stall => ":t",
        Reason::Illegal | Reason::Crash | Reason::Refusal => ":r",
        Reason::Adjudication => ":s",
        Reason::Rules | Reason::Unfinished => "",
    };
    format!("{:+.3}{why}", f64::from(end.points.unwrap_or(all)))
}

/// `F5`, `F5/2.00`, `F5/2.00/0.420` or `F5//0.420`.
fn move_text(mv: &Move, side: Side) -> String {
    let mut text = if mv.text == "pass" { "PA".into() } else { mv.text.to_ascii_uppercase() };
    let seen = |discs: f64| if side == Side::First { discs } else { -discs };
    let score = match mv.score {
        Some(Score::Points(points)) => format!("{:.2}", seen(f64::from(points))),
        Some(Score::Centi(centi)) => format!("{:.2}", seen(f64::from(centi) / 100.0)),
        Some(Score::Win(_)) | None => String::new(),
    };
    if !score.is_empty() || mv.time.is_some() {
        text += &format!("/{score}");
    }
    if let Some(time) = mv.time {
        text += &format!("/{}", seconds(time));
    }
    text
}

/// The games of a text.
pub fn read(text: &str) -> Result<Vec<Record>, String> {
    let mut games: Vec<Record> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("(;") {
        rest = &rest[at + 2..];
        let number = games.len() as u64;
        let (body, after) = rest.split_once(";)").ok_or_else(|| format!("game {}: it has no `;)`", number + 1))?;
        let read = game(body).map(|record| Record { number, ..record });
        games.push(read.map_err(|reason| format!("game {}: {reason}", number + 1))?);
        rest = after;
    }
    if games.is_empty() && !text.trim().is_empty() {
        return Err("this is no GGF: there is no `(;`".into());
    }
    Ok(games)
}

fn game(body: &str) -> Result<Record, String> {
    let mut record = Record { variant: OTHELLO.into(), ..Record::default() };
    let mut rest = body.trim_start();
    while let Some((name, after)) = rest.split_once('[') {
        let (value, after) = after.split_once(']').ok_or_else(|| format!("`{}` has no `]`", name.escape_debug()))?;
        rest = after.trim_start();
        match name.trim() {
            "GM" if value != "Othello" => return Err("it is not one of Othello".into()),
            "PB" => record.players[0] = value.to_owned(),
            "PW" => record.players[1] = value.to_owned(),
            "DT" => record.date = Some(value.to_owned()),
            "RE" => record.end = read_result(value)?,
            "BO" => record.opening.position = read_board(value)?,
            "B" => record.moves.push(read_move(value, Side::First)?),
            "W" => record.moves.push(read_move(value, Side::Second)?),
            _ => {}
        }
    }
    Ok(record)
}

fn read_result(text: &str) -> Result<End, String> {
    let (points, why) = text.split_once(':').unwrap_or((text, ""));
    if points == "?" {
        return Ok(End::default());
    }
    let refuse = || format!("a result is as in +2.000 or -64.000:t, not `{}`", text.escape_debug());
    let points: f64 = points.parse().ok().filter(|points: &f64| points.abs() <= CELLS as f64).ok_or_else(refuse)?;
    let points = points.round() as i32;
    let reason = match why {
        "t" => Reason::Time,
        "r" | "l" => Reason::Refusal,
        "s" => Reason::Adjudication,
        _ => Reason::Rules,
    };
    let winner = match points.signum() {
        1 => Some(Side::First),
        -1 => Some(Side::Second),
        _ => None,
    };
    Ok(End { winner, reason, points: (reason == Reason::Rules).then_some(points), ..End::default() })
}

/// A position as we write it; none where it is the usual one.
fn read_board(text: &str) -> Result<Option<String>, String> {
    let text = text.trim();
    let cells = text.strip_prefix("8 ").ok_or_else(|| format!("the board `{}` is not of 8", text.escape_debug()))?;
    let (board, side) = board(cells)?;
    let position = format!("{} {}", board.replace('*', "X"), if side == Side::First { 'X' } else { 'O' });
    Ok((position != START).then_some(position))
}

fn read_move(text: &str, side: Side) -> Result<Move, String> {
    let mut parts = text.split('/');
    let mv = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    if mv.is_empty() {
        return Err("a move is as in F5 or PA, not empty".into());
    }
    let score = parts.next().and_then(|score| score.parse::<f64>().ok()).filter(|score| score.abs() < 1e6);
    let first = |score: f64| if side == Side::First { score } else { -score };
    Ok(Move {
        text: if mv.starts_with("pa") { "pass".into() } else { mv },
        score: score.map(|score| Score::Points(first(score).round() as i32)),
        time: parts.next().and_then(parse_seconds),
        ..Move::default()
    })
}
