//! What chess looks like.

use crate::moves::Move;
use crate::position::Chess;
use cozy_chess::{Color, File, Piece, Square};
use polyply_core::game::{Game, Side};
use polyply_core::look::{self, Layout, Look, MoveCells, Pieces, Surface};

/// The cell of a square, from the top left.
fn cell(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

const fn code(color: Color, piece: Piece) -> &'static str {
    const CODES: [[&str; 6]; 2] = [["wP", "wN", "wB", "wR", "wQ", "wK"], ["bP", "bN", "bB", "bR", "bQ", "bK"]];
    CODES[color as usize][piece as usize]
}

impl Look for Chess {
    /// As [lichess](https://lichess.org/page/accuracy) has fitted it to the games of its players.
    const CHANCE: f64 = 272.0;

    fn layout(&self) -> Layout {
        Layout {
            surface: Surface::Squares,
            pieces: Pieces::Chessmen,
            colours: ["white", "black"],
            columns: 8,
            rows: 8,
            checkered: true,
            first_row_on_top: false,
        }
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        let mut codes = vec![None; 64];
        for square in Square::ALL {
            codes[cell(square)] =
                self.piece_on(square).zip(self.board().color_on(square)).map(|(piece, color)| code(color, piece));
        }
        codes
    }

    fn cells(&self, mv: Move) -> MoveCells {
        let rank = mv.from().rank();
        // A castling king is shown where it goes, but in Chess960, where it may stand there already, on its rook.
        let to = match self.is_castling(mv) && !self.is_chess960() {
            true if mv.to().file() > mv.from().file() => Square::new(File::G, rank),
            true => Square::new(File::C, rank),
            false => mv.to(),
        };
        let promotes = mv.promotion().map(|piece| code(self.color(), piece));
        MoveCells { from: Some(cell(mv.from())), to: Some(cell(to)), promotes }
    }

    fn reason(&self) -> &'static str {
        match () {
            () if self.is_dead() => "dead position",
            () if self.is_drawn(0) => "repetition",
            () if self.fifty_moves_are_over()
                && self.outcome().is_some_and(|end| end == polyply_core::game::Outcome::Draw) =>
            {
                "fifty moves"
            }
            () if self.in_check() => "checkmate",
            () => "stalemate",
        }
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side) -> String {
        let letter = |code: &str| match code.split_at_checked(1) {
            Some(("w", man)) => man.to_owned(),
            Some((_, man)) => man.to_lowercase(),
            None => String::new(),
        };
        // Who stands at home may castle: a board does not show who has moved.
        let stands = |cell: usize, code: &str| codes.get(cell).copied().flatten() == Some(code);
        let rights = [(60, 63, "w", "K"), (60, 56, "w", "Q"), (4, 7, "b", "k"), (4, 0, "b", "q")];
        let castling: String = rights
            .iter()
            .filter(|(king, rook, colour, _)| {
                stands(*king, &format!("{colour}K")) && stands(*rook, &format!("{colour}R"))
            })
            .map(|&(_, _, _, right)| right)
            .collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let side = if side == Side::First { 'w' } else { 'b' };
        format!("{} {side} {castling} - 0 1", look::rows(codes, 8, letter))
    }

    fn other_to_move(&self) -> Option<Self> {
        let mut other = self.clone();
        other.pass()?;
        other.outcome().is_none().then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::{Notation, Side};

    #[test]
    fn pieces_stand_where_people_see_them() {
        let codes = Chess::start().codes();
        assert_eq!((codes[0], codes[4], codes[60], codes[63]), (Some("bR"), Some("bK"), Some("wK"), Some("wR")));
        assert_eq!(codes.iter().flatten().count(), 32);
    }

    #[test]
    fn a_castling_king_and_a_pawn_that_becomes_a_queen_are_shown_where_they_go() {
        let game = Chess::start().parse("4k3/P7/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let cells = |text: &str| game.cells(game.parse_move(text).unwrap());
        assert_eq!(cells("e1g1"), MoveCells { from: Some(60), to: Some(62), promotes: None });
        assert_eq!(cells("a7a8q"), MoveCells { from: Some(8), to: Some(0), promotes: Some("wQ") });
    }

    #[test]
    fn the_end_has_a_reason() {
        let reason = |fen: &str| Chess::start().parse(fen).unwrap().reason();
        assert_eq!(reason("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), "checkmate");
        assert_eq!(reason("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "stalemate");
        assert_eq!(reason("7k/8/6K1/8/8/8/8/8 b - - 0 1"), "dead position");
        assert_eq!(Chess::start().other_to_move().unwrap().side(), Side::Second);
    }
}
