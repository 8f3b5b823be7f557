//! Rows of a board as text: `x` for a stone of the first player, `o` for one of the second, a decimal number for a run
//! of empty cells, as in `3x2o`. For games that write their positions this way.

use crate::game::Side;
use crate::refusal::{Refusal, common};

/// Reads a row of `size` cells.
pub fn parse_row(text: &str, size: usize) -> Result<Vec<Option<Side>>, Refusal> {
    let mut row = Vec::with_capacity(size);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let digits = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
        let (cell, run, read) = match sign {
            'x' => (Some(Side::First), 1, 1),
            'o' => (Some(Side::Second), 1, 1),
            '1'..='9' => (None, rest[..digits].parse().unwrap_or(usize::MAX), digits),
            other => return Err(common::row_sign(other)),
        };
        if run > size - row.len() {
            return Err(common::row_long(text, size));
        }
        row.resize(row.len() + run, cell);
        rest = &rest[read..];
    }
    if row.len() < size {
        return Err(common::row_short(text, row.len(), size));
    }
    Ok(row)
}

/// Writes a row so that [`parse_row`] reads it back.
pub fn row_text(row: &[Option<Side>]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|left, right| left.is_none() && right.is_none()) {
        match run[0] {
            None => text += &run.len().to_string(),
            stone => text.push(letter(stone)),
        }
    }
    text
}

/// The letter of a stone, or a dot for an empty cell.
pub const fn letter(cell: Option<Side>) -> char {
    match cell {
        Some(Side::First) => 'x',
        Some(Side::Second) => 'o',
        None => '.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_as_it_was_read() {
        for text in ["7", "xo5", "2x3o", "xoxoxox"] {
            assert_eq!(row_text(&parse_row(text, 7).unwrap()), text);
        }
        assert_eq!(row_text(&parse_row("12x", 13).unwrap()), "12x");
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |text| parse_row(text, 7).unwrap_err().to_string();
        assert!(error("8").contains("more than 7 cells"));
        assert!(error("99999999999999999999999").contains("more than 7 cells"));
        assert!(error("xo4").contains("6 cells instead of 7"));
        assert!(error("0xo5").contains("not `0`"));
        assert!(error("w6").contains("not `w`"));
    }
}
