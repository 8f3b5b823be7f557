//! The [Generic Game Format](https://skatgame.net/mburo/ggsa/ggf) of Othello servers.
//!
//! ```text
//! (;GM[Othello]PC[polyply]DT[2026-11-16]PB[new]PW[old]RE[+2.000]TY[8]BO[8 … *]B[F5/2.00/0.420]W[D6/-1.00/0.381];)
//! ```
//!
//! Black moves first. The score of a move is in discs, from the side of the player who moves.

use super::words::{parse_seconds, seconds};
use super::{End, Move, Reason, Record, line_at};
use crate::refusals;
use polyply_engine::{Refusal, Score, Side, Variant};
use polyply_protocol::ggf::{self, cells};

/// The name of the format in the aliases of games.
const GGF: &str = "ggf";

/// The game that the format is for, and its name there.
fn known() -> Result<(Variant, &'static str), Refusal> {
    let variant = Variant::main_of(GGF).ok_or_else(refusals::format_unused)?;
    let name = variant.alias(GGF).map_or("", |(alias, _)| alias.name);
    Ok((variant, name))
}

/// A game, or why it is not one of Othello.
pub fn write(record: &Record) -> Result<String, Refusal> {
    let (variant, game) = known()?;
    if record.variant != variant.name() {
        return Err(refusals::file_variant("GGF", game, &record.variant));
    }
    let (board, mut side) = ggf::board_property(record.opening.position.as_deref())?;
    // Nothing in a name may look like the end of its property or of the game.
    let name = |player: &str| player.replace(['[', ']', '(', ')', ';'], " ");
    let mut text = format!("(;GM[{game}]PC[polyply]");
    if let Some(date) = &record.date {
        text += &format!("DT[{date}]");
    }
    text +=
        &format!("PB[{}]PW[{}]RE[{}]TY[8]", name(&record.players[0]), name(&record.players[1]), result(&record.end));
    text += &format!("BO[{board}]");
    let given = record.opening.moves.iter().map(|mv| Move { text: mv.clone(), ..Move::default() });
    for mv in given.chain(record.moves.iter().cloned()) {
        text += &format!("{}[{}]", if side == Side::First { 'B' } else { 'W' }, move_text(&mv, side));
        side = side.other();
    }
    Ok(text + ";)\n")
}

/// Black's lead in discs; a game that was not played to the end counts as lost by 64.
fn result(end: &End) -> String {
    let all = match end.winner {
        Some(Side::First) => cells() as i32,
        Some(Side::Second) => -(cells() as i32),
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
    let mut text = ggf::move_name(&mv.text);
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

/// The games of a text, or what is wrong with one; later games are still read.
pub fn read(text: &str) -> Vec<Result<Record, Refusal>> {
    let mut games: Vec<Result<Record, Refusal>> = Vec::new();
    let mut rest = text;
    loop {
        let number = games.len() as u64;
        let read = text.len() - rest.len();
        let refuse = |reason| refusals::in_game_after(number + 1, line_at(text, read), reason);
        match ggf::body(rest) {
            Ok(Some((body, after))) => {
                games.push(game(body).map(|record| Record { number, ..record }).map_err(refuse));
                rest = after;
            }
            Ok(None) if games.is_empty() && !text.trim().is_empty() => {
                return vec![Err(refusals::not_ggf())];
            }
            Ok(None) => return games,
            Err(reason) => {
                games.push(Err(refuse(reason)));
                return games;
            }
        }
    }
}

fn game(body: &str) -> Result<Record, Refusal> {
    let (variant, game) = known()?;
    let mut record = Record { variant: variant.name().to_owned(), ..Record::default() };
    for (name, value) in ggf::properties(body)? {
        match name {
            "GM" if value != game => return Err(refusals::ggf_game(game)),
            "PB" => record.players[0] = value.to_owned(),
            "PW" => record.players[1] = value.to_owned(),
            "DT" => record.date = Some(value.to_owned()),
            "RE" => record.end = read_result(value)?,
            "BO" => record.opening.position = ggf::position(value)?,
            "B" => record.moves.push(read_move(value, Side::First)?),
            "W" => record.moves.push(read_move(value, Side::Second)?),
            _ => {}
        }
    }
    Ok(record)
}

fn read_result(text: &str) -> Result<End, Refusal> {
    let (points, why) = text.split_once(':').unwrap_or((text, ""));
    if points == "?" {
        return Ok(End::default());
    }
    let refuse = || refusals::ggf_result(text);
    let points: f64 = points.parse().ok().filter(|points: &f64| points.abs() <= cells() as f64).ok_or_else(refuse)?;
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

fn read_move(text: &str, side: Side) -> Result<Move, Refusal> {
    let mut parts = text.split('/').skip(1);
    let mv = ggf::move_text(text);
    if mv.is_empty() {
        return Err(refusals::ggf_move());
    }
    let score = parts.next().and_then(|score| score.parse::<f64>().ok()).filter(|score| score.abs() < 1e6);
    let first = |score: f64| if side == Side::First { score } else { -score };
    Ok(Move {
        text: mv,
        score: score.map(|score| Score::Points(first(score).round() as i32)),
        time: parts.next().and_then(parse_seconds),
        ..Move::default()
    })
}
