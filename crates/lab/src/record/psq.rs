//! Piskvork's format for five in a row: the size of the board, a line per move with its time, the players, a code.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,420
//! 9,7,381
//! new
//! old
//! 0
//! ```
//!
//! Columns count from the left and rows from the top, both from 1. There is no place for rules, scores and the end of
//! the game; a game that is read is freestyle, and has ended if there are five in a row.

use super::{End, Move, Reason, Record, names_of};
use crate::refusals;
use polyply_engine::{Refusal, Variant};
use std::time::Duration;

const HEADING: &str = "Piskvorky";
/// The name of the format in the aliases of games.
const PSQ: &str = "psq";

/// A game, or why it is not one of five in a row that began with an empty board.
pub fn write(record: &Record) -> Result<String, Refusal> {
    let variant = Variant::find(&record.variant)?;
    if variant.alias(PSQ).is_none() {
        return Err(refusals::file_variant("PSQ", names_of(PSQ), &record.variant));
    }
    let layout = variant.layout();
    let size = layout.columns;
    if record.opening.position.is_some() {
        return Err(refusals::psq_position());
    }
    let mut text = format!("{HEADING} {size}x{size}, 11:11, 0\n");
    let times = record.opening.moves.iter().map(|_| None).chain(record.moves.iter().map(|mv| mv.time));
    for (mv, time) in record.all_moves().zip(times) {
        let cell = layout.find_cell(mv).ok_or_else(|| refusals::cell_unknown(mv))?;
        text += &format!("{},{},{}\n", cell % size + 1, cell / size + 1, time.unwrap_or_default().as_millis());
    }
    for player in &record.players {
        text += &format!("{}\n", player.replace(char::is_control, " "));
    }
    // The code for a failure of the loser; -1 is unknown.
    let code = if record.end.reason.is_failure() { -1 } else { 0 };
    text += &format!("{code}\n");
    Ok(text)
}

/// The games of a text, each with its heading, or what is wrong with one.
pub fn read(text: &str) -> Vec<Result<Record, Refusal>> {
    let mut games = Vec::new();
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = numbered.filter(|(_, line)| !line.is_empty()).peekable();
    while let Some((at, heading)) = lines.next() {
        let mut body = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with(HEADING)) {
            body.push(line);
        }
        let number = games.len() as u64;
        let read = game(heading, &body).map(|record| Record { number, ..record });
        games.push(read.map_err(|reason| refusals::in_game_line(number + 1, at, reason)));
    }
    games
}

fn game(heading: &str, body: &[&str]) -> Result<Record, Refusal> {
    let refuse = || refusals::psq_heading(HEADING, heading);
    let size = heading.strip_prefix(HEADING).and_then(|rest| rest.split(',').next()).ok_or_else(refuse)?;
    let (width, height) = size.trim().split_once('x').ok_or_else(refuse)?;
    let size: usize = width.parse().ok().filter(|_| width == height).ok_or_else(refuse)?;
    let variant = Variant::by_alias(PSQ, "", Some(size as u32)).ok_or_else(refusals::format_unused)??;
    let layout = variant.layout();
    let mut record = Record { variant: variant.name().to_owned(), ..Record::default() };
    let mut lines = body.iter().peekable();
    while let Some(numbers) = lines.peek().and_then(|line| move_numbers(line)) {
        let [x, y, time] = numbers;
        let on_board = |at: u64| (1..=size as u64).contains(&at);
        if !on_board(x) || !on_board(y) {
            return Err(refusals::psq_point(x, y, size));
        }
        let text = layout.cell_name((y as usize - 1) * size + x as usize - 1);
        record.moves.push(Move { text, time: Some(Duration::from_millis(time)), ..Move::default() });
        lines.next();
    }
    for player in &mut record.players {
        // A name may be missing. It is never a number, but the code is.
        if let Some(name) = lines.next_if(|line| line.parse::<i64>().is_err()) {
            *player = (*name).to_owned();
        }
    }
    if let Some(outcome) = record.last()?.outcome() {
        record.end = End { winner: outcome.winner(), reason: Reason::Rules, ..End::default() };
    }
    Ok(record)
}

/// `x,y,time`.
fn move_numbers(line: &str) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = line.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
