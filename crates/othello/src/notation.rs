//! The notation of positions (64 cells and the side to move, as in OBF) and moves (`f5` or `pass`).

use crate::board::Board;
use crate::position::Othello;
use crate::refusals;
use crate::square::Square;
use polyply_core::game::{Game, Notation, Side};
use polyply_core::refusal::{Refusal, common};

/// The letter of a side.
const fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

impl Notation for Othello {
    fn start() -> Othello {
        Othello::new(Board::START, Side::First)
    }

    /// Parses 64 cells and a side, or the moves of a game from its start, as in `f5d6c3`.
    fn parse(&self, text: &str) -> Result<Othello, Refusal> {
        let text = text.trim();
        if text == "start" {
            return Ok(Othello::start());
        }
        let Some((cells, side)) = text.split_once(char::is_whitespace) else {
            return transcript(text).unwrap_or_else(|| Err(refusals::not_a_board()));
        };
        if cells.len() != 64 {
            let count = cells.chars().count();
            return transcript(text).unwrap_or_else(|| Err(refusals::cell_count(count)));
        }
        let side = match side.trim().trim_end_matches(';') {
            "X" | "x" | "*" | "B" | "b" => Side::First,
            "O" | "o" | "W" | "w" => Side::Second,
            other => return Err(common::side_unknown("X", "O", other)),
        };
        let (mut first, mut second) = (0, 0);
        for (index, cell) in cells.chars().enumerate() {
            match cell {
                'X' | 'x' | '*' | 'B' | 'b' => first |= 1 << index,
                'O' | 'o' | 'W' | 'w' => second |= 1 << index,
                '-' | '.' => {}
                other => return Err(refusals::cell_sign(other)),
            }
        }
        if first | second == 0 {
            return Err(refusals::board_empty());
        }
        let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
        Ok(Othello::new(Board { own, other }, side))
    }

    fn text(&self) -> String {
        let board = self.discs();
        let cells = (0..64).map(|index| {
            let side = self.side();
            match (board.own >> index & 1, board.other >> index & 1) {
                (0, 0) => '-',
                (1, _) => letter(side),
                _ => letter(side.other()),
            }
        });
        format!("{} {}", cells.collect::<String>(), letter(self.side()))
    }

    fn parse_move(&self, text: &str) -> Result<Square, Refusal> {
        let lower = text.to_ascii_lowercase();
        let over = self.outcome().is_some();
        if matches!(lower.as_str(), "pass" | "pa" | "ps" | "--") {
            return match self.decode(Square::PASS.into()) {
                Some(pass) => Ok(pass),
                None if over => Err(common::game_over()),
                None => Err(refusals::pass_with_moves()),
            };
        }
        let square = match *lower.as_bytes() {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => usize::from(row - b'1') * 8 + usize::from(column - b'a'),
            _ => return Err(refusals::not_a_square(text)),
        };
        let legal = self.decode(square as u16);
        legal.ok_or_else(|| {
            if over {
                common::game_over()
            } else if self.legal() == 0 {
                refusals::only_pass(lower)
            } else if self.discs().empty() >> square & 1 == 0 {
                common::cell_taken(lower)
            } else {
                refusals::flips_nothing(lower)
            }
        })
    }

    fn move_text(&self, square: Square) -> String {
        square.to_string()
    }

    fn board(&self) -> String {
        let board = self.discs();
        let (first, second) =
            if self.side() == Side::First { (board.own, board.other) } else { (board.other, board.own) };
        let mut drawn = String::from("  a b c d e f g h\n");
        for row in 0..8 {
            drawn += &(row + 1).to_string();
            for column in 0..8 {
                let bit = 1 << (8 * row + column);
                drawn += match () {
                    () if first & bit != 0 => " x",
                    () if second & bit != 0 => " o",
                    () if self.legal() & bit != 0 => " *",
                    () => " .",
                };
            }
            drawn.push('\n');
        }
        drawn += &format!("  x {}  o {}\n", first.count_ones(), second.count_ones());
        if self.outcome().is_some() {
            return drawn;
        }
        let pass = if self.legal() == 0 { ", who has to pass" } else { "" };
        drawn + &format!("{} to move{pass}\n", letter(self.side()).to_ascii_lowercase())
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Square::PASS {
            return f.write_str("pass");
        }
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

/// The position after the moves of a game, if the text is a list of moves. The error says which move is wrong.
fn transcript(text: &str) -> Option<Result<Othello, Refusal>> {
    let moves: String = text.split_whitespace().collect();
    let pairs = moves.as_bytes().as_chunks::<2>();
    if pairs.0.is_empty() || !pairs.1.is_empty() || !moves.is_ascii() {
        return None;
    }
    let looks_like_a_move = |pair: &[u8; 2]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit() || pair == b"--";
    if !pairs.0.iter().all(looks_like_a_move) {
        return None;
    }
    let mut game = Othello::start();
    for (number, pair) in pairs.0.iter().enumerate() {
        let text = String::from_utf8_lossy(pair);
        // Transcripts omit passes.
        if &*text != "--" && game.must_pass() {
            game.play(Square::PASS, &mut ());
        }
        match game.parse_move(&text) {
            Ok(square) => game.play(square, &mut ()),
            Err(reason) => return Some(Err(common::move_in_list(number + 1, reason))),
        };
    }
    Some(Ok(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_a_game_are_a_position() {
        let read = |text: &str| Othello::start().parse(text);
        let after = read("f5d6c3").unwrap();
        assert_eq!(after, read("F5 d6 c3").unwrap());
        let rows = ["--------", "--------", "--X-----", "---XX---", "---OXX--", "---O----", "--------", "--------"];
        assert_eq!(after.text(), format!("{} O", rows.concat()));
        assert_eq!(read("f5f5"), Err(common::move_in_list(2, common::cell_taken("f5"))));
        assert_eq!(read("a1"), Err(common::move_in_list(1, refusals::flips_nothing("a1"))));
    }
}
