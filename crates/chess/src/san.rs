//! Moves in [standard algebraic notation]: `Nf3`, `exd5`, `O-O`, `e8=Q+`.
//!
//! [standard algebraic notation]: https://www.chessprogramming.org/Algebraic_Chess_Notation
//!
//! ```
//! use polyply_chess::{Chess, san};
//! use polyply_core::game::Notation;
//! let game = Chess::start();
//! let mv = san::parse(&game, "Nf3").unwrap();
//! assert_eq!(game.move_text(mv), "g1f3");
//! assert_eq!(san::text(&game, mv), "Nf3");
//! ```

use crate::fen::{LETTERS, piece_of};
use crate::moves::Move;
use crate::position::Chess;
use crate::refusals;
use cozy_chess::{File, Piece, Rank, Square};
use polyply_core::game::{Game, MoveList, Outcome};
use polyply_core::refusal::{Refusal, common};

/// The parts of a move's text.
#[derive(Default)]
struct Said {
    piece: Option<Piece>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Option<Square>,
    promotion: Option<Piece>,
}

/// The legal moves.
pub(crate) fn legal(game: &Chess) -> MoveList<Move> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves
}

/// Splits the text of a move into its parts, without castling and marks.
fn take_apart(text: &str) -> Option<Said> {
    let mut said = Said::default();
    let mut letters: Vec<char> = text.chars().filter(|&letter| letter != 'x' && letter != ':').collect();
    if let Some(piece) = letters.last().and_then(|&letter| piece_of(letter)) {
        said.promotion = Some(piece);
        letters.pop();
        if letters.last() == Some(&'=') {
            letters.pop();
        }
    }
    said.piece = Some(Piece::Pawn);
    if let Some(piece) = letters.first().and_then(|&letter| piece_of(letter)) {
        said.piece = Some(piece);
        letters.remove(0);
    }
    let rank: Rank = letters.pop()?.try_into().ok()?;
    let file: File = letters.pop()?.try_into().ok()?;
    said.to = Some(Square::new(file, rank));
    if let Some(rank) = letters.last().and_then(|&letter| Rank::try_from(letter).ok()) {
        said.rank = Some(rank);
        letters.pop();
    }
    if let Some(file) = letters.last().and_then(|&letter| File::try_from(letter).ok()) {
        said.file = Some(file);
        letters.pop();
    }
    letters.is_empty().then_some(said)
}

/// Parses a legal move. Marks (`+`, `#`, `!`, `?`) are optional; castling may be written with zeros.
pub fn parse(game: &Chess, text: &str) -> Result<Move, Refusal> {
    let plain = text.trim_end_matches(['+', '#', '!', '?']);
    let fits: Box<dyn Fn(Move) -> bool> = match plain {
        "O-O" | "0-0" => Box::new(|mv| game.is_castling(mv) && mv.from() < mv.to()),
        "O-O-O" | "0-0-0" => Box::new(|mv| game.is_castling(mv) && mv.from() > mv.to()),
        _ => {
            let said = take_apart(plain).ok_or_else(|| refusals::not_a_move(text))?;
            Box::new(move |mv| {
                !game.is_castling(mv)
                    && game.piece_on(mv.from()) == said.piece
                    && Some(mv.to()) == said.to
                    && mv.promotion() == said.promotion
                    && said.file.is_none_or(|file| file == mv.from().file())
                    && said.rank.is_none_or(|rank| rank == mv.from().rank())
            })
        }
    };
    let moves = legal(game);
    let mut fitting = moves.into_iter().filter(|&mv| fits(mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(common::illegal_move(text)),
        (Some(_), Some(_)) => Err(refusals::ambiguous_move(text)),
    }
}

/// Writes a legal move, with `+` or `#` if it gives check or mate.
pub fn text(game: &Chess, mv: Move) -> String {
    let mut text = if game.is_castling(mv) {
        if mv.from() < mv.to() { "O-O".to_owned() } else { "O-O-O".to_owned() }
    } else {
        plain_text(game, mv)
    };
    let mut after = game.clone();
    after.play(mv, &mut ());
    if after.in_check() {
        text.push(if matches!(after.outcome(), Some(Outcome::Win(_))) { '#' } else { '+' });
    }
    text
}

/// A move that is not castling, without its mark.
fn plain_text(game: &Chess, mv: Move) -> String {
    let piece = game.piece_on(mv.from()).unwrap_or(Piece::Pawn);
    let takes = game.victim(mv).is_some();
    let mut text = String::new();
    if piece == Piece::Pawn {
        if takes {
            text += &mv.from().file().to_string();
        }
    } else {
        text.push(LETTERS[piece as usize]);
        let same = |other: &Move| {
            *other != mv
                && other.to() == mv.to()
                && game.piece_on(other.from()) == Some(piece)
                && !game.is_castling(*other)
        };
        let rivals: Vec<Square> = legal(game).into_iter().filter(same).map(Move::from).collect();
        let file_tells = rivals.iter().all(|rival| rival.file() != mv.from().file());
        let rank_tells = rivals.iter().all(|rival| rival.rank() != mv.from().rank());
        if !rivals.is_empty() && (file_tells || !rank_tells) {
            text += &mv.from().file().to_string();
        }
        if !file_tells {
            text += &mv.from().rank().to_string();
        }
    }
    if takes {
        text.push('x');
    }
    text += &mv.to().to_string();
    if let Some(becomes) = mv.promotion() {
        text.push('=');
        text.push(LETTERS[becomes as usize]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;
    use polyply_core::random::Random;

    fn game(fen: &str) -> Chess {
        Chess::start().parse(fen).unwrap()
    }

    #[test]
    fn moves_are_written_with_just_what_tells_them_apart() {
        for (fen, uci, san) in [
            ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1"),
            ("4k3/8/8/8/R7/8/8/R5K1 w - - 0 1", "a1a2", "R1a2"),
            ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
            ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
            // The other knight is pinned, so that nothing need be told apart.
            ("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ] {
            let game = game(fen);
            let mv = game.parse_move(uci).unwrap();
            assert_eq!(text(&game, mv), san, "{fen}");
            assert_eq!(parse(&game, san), Ok(mv), "{fen}");
        }
    }

    #[test]
    fn every_move_of_random_games_is_read_back() {
        let mut random = Random::new(11);
        for start in [518, 7, 700] {
            let mut game = Chess::chess960_start(start).unwrap();
            while game.outcome().is_none() {
                let moves = legal(&game);
                for &mv in &moves {
                    let san = text(&game, mv);
                    assert_eq!(parse(&game, &san), Ok(mv), "{san} in {}", game.text());
                }
                game.play(random.pick(&moves).unwrap(), &mut ());
            }
        }
    }

    #[test]
    fn what_is_no_move_or_more_than_one_is_refused() {
        let refusal = |fen: &str, text: &str| parse(&game(fen), text).unwrap_err();
        let rooks = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1";
        assert_eq!(refusal(rooks, "Rd1"), refusals::ambiguous_move("Rd1"));
        assert_eq!(refusal(rooks, "Rd9"), refusals::not_a_move("Rd9"));
        assert_eq!(refusal(rooks, "Qd1"), common::illegal_move("Qd1"));
        assert_eq!(refusal(rooks, "O-O"), common::illegal_move("O-O"));
        assert_eq!(refusal(rooks, ""), refusals::not_a_move(""));
    }
}
