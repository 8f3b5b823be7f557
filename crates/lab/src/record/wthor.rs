//! WTHOR, the database of tournament games of the Fédération Française d'Othello: a header of 16 bytes, 68 bytes per
//! game.
//!
//! Numbers are little-endian. Players and tournaments are numbers that refer to other files; here they are called
//! `#17`. Passes are not stored; reading restores them.

use super::moves::with_passes;
use super::{End, Move, Reason, Record, names_of};
use crate::refusals;
use polyply_engine::{Board, PositionSpec, Refusal, Side, Variant};

/// The name of the format in the aliases of games.
const WTHOR: &str = "wtb";
const HEADER: usize = 16;
const GAME: usize = 68;
/// The offset of the moves in a game.
const MOVES: usize = 8;
/// The property that keeps the number of the tournament.
const TOURNAMENT: &str = "Tournament";

/// The games of a file, or what is wrong with one.
pub fn read(bytes: &[u8]) -> Vec<Result<Record, Refusal>> {
    if bytes.len() < HEADER {
        return vec![Err(refusals::wthor_header())];
    }
    if !matches!(bytes[12], 0 | 8) {
        return vec![Err(refusals::wthor_board())];
    }
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let (year, body) = (number(10), &bytes[HEADER..]);
    let told = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    if body.len() / GAME != told || body.len() % GAME != 0 {
        return vec![Err(refusals::wthor_length(told, body.len()))];
    }
    let Some(variant) = Variant::main_of(WTHOR) else { return vec![Err(refusals::format_unused())] };
    let read = |(index, bytes): (usize, &[u8])| {
        let record = game(bytes, &variant).map(|record| Record {
            number: index as u64,
            date: (year > 0).then(|| format!("{year:04}")),
            ..record
        });
        record.map_err(|reason| refusals::in_game(index + 1, reason))
    };
    body.chunks_exact(GAME).enumerate().map(read).collect()
}

fn game(bytes: &[u8], variant: &Variant) -> Result<Record, Refusal> {
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let cell = |byte: &u8| {
        let (row, column) = (byte / 10, byte % 10);
        let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
        let name = || format!("{}{row}", char::from(b'a' - 1 + column));
        on_board.then(name).ok_or_else(|| refusals::wthor_cell(*byte))
    };
    let written = bytes[MOVES..].iter().take_while(|byte| **byte != 0);
    let moves = with_passes(variant, &written.map(cell).collect::<Result<Vec<_>, _>>()?)?;
    let over = Board::at(variant, &PositionSpec { position: None, moves: moves.clone() })
        .ok()
        .and_then(|board| board.outcome());
    // Black's discs; empty cells count for the winner.
    let points = 2 * i32::from(bytes[6].min(64)) - 64;
    let winner = match points.signum() {
        1 => Some(Side::First),
        -1 => Some(Side::Second),
        _ => None,
    };
    // If the moves do not go to the end, somebody resigned or ran out of time.
    let reason = if over.is_some() { Reason::Rules } else { Reason::Adjudication };
    Ok(Record {
        variant: variant.name().to_owned(),
        players: [number(2), number(4)].map(|player| format!("#{player}")),
        moves: moves.into_iter().map(|text| Move { text, ..Move::default() }).collect(),
        end: End { winner, reason, points: Some(points), ..End::default() },
        settings: vec![(TOURNAMENT.into(), format!("#{}", number(0))), ("Theoretical".into(), bytes[7].to_string())],
        ..Record::default()
    })
}

/// A file of games, and why some of them are left out.
pub fn write(records: &[Record]) -> (Vec<u8>, Vec<Refusal>) {
    let (mut body, mut faults) = (Vec::new(), Vec::new());
    for (index, record) in records.iter().enumerate() {
        match bytes(record) {
            Ok(bytes) => body.extend(bytes),
            Err(reason) => faults.push(refusals::in_game(index + 1, reason)),
        }
    }
    let year = records.iter().find_map(|record| record.date.as_deref()?.get(..4)?.parse::<u16>().ok()).unwrap_or(0);
    let mut file = vec![(year / 100) as u8, (year % 100) as u8, 1, 1];
    file.extend(((body.len() / GAME) as u32).to_le_bytes());
    file.extend(0u16.to_le_bytes());
    file.extend(year.to_le_bytes());
    file.extend([8, 0, 0, 0]);
    file.extend(body);
    (file, faults)
}

fn bytes(record: &Record) -> Result<Vec<u8>, Refusal> {
    let is_known = Variant::find(&record.variant).is_ok_and(|variant| variant.alias(WTHOR).is_some());
    if !is_known || record.opening.position.is_some() {
        return Err(refusals::wthor_variant(names_of(WTHOR)));
    }
    let cell = |mv: &str| match mv.as_bytes() {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Ok(10 * (row - b'0') + (column - b'a' + 1)),
        _ => Err(refusals::cell_unknown(mv)),
    };
    let mut moves = record.all_moves().filter(|mv| *mv != "pass").map(cell).collect::<Result<Vec<u8>, _>>()?;
    if moves.len() > GAME - MOVES {
        return Err(refusals::wthor_long());
    }
    moves.resize(GAME - MOVES, 0);
    let all = match record.end.winner {
        Some(Side::First) => 64,
        Some(Side::Second) => -64,
        None => 0,
    };
    let points = record.end.points.unwrap_or(all).clamp(-64, 64);
    let setting = |name: &str| record.settings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let number = |name: &str| name.strip_prefix('#').and_then(|number| number.parse::<u16>().ok()).unwrap_or(0);
    let numbers = [number(setting(TOURNAMENT).unwrap_or("")), number(&record.players[0]), number(&record.players[1])];
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
    let black = ((points + 64) / 2) as u8;
    let theoretical = setting("Theoretical").and_then(|discs| discs.parse().ok()).unwrap_or(black);
    bytes.extend([black, theoretical]);
    bytes.extend(moves);
    Ok(bytes)
}
