//! Only moves, one game per line: transcripts such as `f5d6c3`, and lists of moves of any game.
//!
//! Moves need no spaces between them if each is a letter and a number. Passes may be left out, as is usual in
//! transcripts; reading restores them. A comment begins with `#` or `%`.

use super::{Move, Record, play};
use crate::refusals;
use polyply_engine::{Board, Refusal, Variant};

/// The moves of a game, without spaces if they can be read like that.
pub fn write(record: &Record) -> Result<String, Refusal> {
    if record.opening.position.is_some() {
        return Err(refusals::moves_position());
    }
    let pass = Variant::find(&record.variant).ok().and_then(|variant| variant.about().pass);
    let moves: Vec<&str> = record.all_moves().filter(|mv| pass != Some(mv)).collect();
    let close = moves.iter().all(|mv| pieces(mv).is_some_and(|pieces| pieces.len() == 1));
    Ok(moves.join(if close { "" } else { " " }) + "\n")
}

/// The games of a text, one per line, or what is wrong with a line.
pub fn read(text: &str, variant: Option<&Variant>) -> Vec<Result<Record, Refusal>> {
    let Some(variant) = variant else {
        return vec![Err(refusals::moves_variant())];
    };
    let lines = crate::suite::lines(text).enumerate();
    lines
        .map(|(number, (at, line))| {
            let moves = game(line, variant).map_err(|reason| refusals::in_line(at, reason))?;
            let moves = moves.into_iter().map(|text| Move { text, ..Move::default() });
            let mut record = Record {
                number: number as u64,
                variant: variant.name().to_owned(),
                moves: moves.collect(),
                ..Record::default()
            };
            record.end_by_rules();
            Ok(record)
        })
        .collect()
}

fn game(line: &str, variant: &Variant) -> Result<Vec<String>, Refusal> {
    let words: Vec<String> = line.split([' ', ',', '\t']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let apart: Option<Vec<String>> =
        words.iter().map(|word| pieces(word)).collect::<Option<Vec<_>>>().map(|all| all.concat());
    // A word may be a move of two cells, so it is split only if it is no move.
    let whole = with_passes(variant, &words);
    match apart.filter(|apart| whole.is_err() && apart.len() > words.len()) {
        Some(apart) => with_passes(variant, &apart),
        None => whole,
    }
}

/// Splits a word into moves of a letter and a number each.
fn pieces(word: &str) -> Option<Vec<String>> {
    let mut pieces: Vec<String> = Vec::new();
    for letter in word.to_ascii_lowercase().chars() {
        match (letter.is_ascii_alphabetic(), pieces.last_mut()) {
            (true, _) => pieces.push(letter.into()),
            (false, Some(piece)) if letter.is_ascii_digit() => piece.push(letter),
            _ => return None,
        }
    }
    let whole = pieces.iter().all(|piece| piece.len() > 1);
    (whole && !pieces.is_empty()).then_some(pieces)
}

/// The moves in the game's notation, with missing passes restored.
pub fn with_passes(variant: &Variant, moves: &[String]) -> Result<Vec<String>, Refusal> {
    let mut board = Board::new(variant);
    for mv in moves {
        let refused = match play(&mut board, mv) {
            Ok(_) => continue,
            Err(reason) => reason,
        };
        let pass = variant.about().pass.filter(|pass| board.legal_moves() == [*pass]).ok_or(refused)?;
        play(&mut board, pass)?;
        play(&mut board, mv)?;
    }
    Ok(board.moves().to_vec())
}
