//! What people see of chess: captures and checks first, long moves and retreats late.

use crate::moves::Move;
use crate::position::Chess;
use cozy_chess::{BitBoard, Piece, Rank, Square};
use polyply_core::game::{Game, MoveList};
use polyply_core::glance::{Glance, wins};

/// A move that loses more than this at once is not a sensible one.
const HANGING: i32 = 150;
/// How much more easily a move is overlooked for every square beyond the third that it goes.
const LONG: u8 = 6;
/// How much more easily a move backwards is overlooked.
const BACKWARDS: u8 = 15;

impl Chess {
    /// The legal moves that hang nothing, or all if every move does.
    pub(crate) fn seen_by_people(&self) -> Vec<Glance<Move>> {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let hanging = self.attacked();
        let all: Vec<Glance<Move>> = moves.iter().map(|&mv| self.seen(mv, hanging)).collect();
        let is_sound = |glance: &&Glance<Move>| glance.motif == Some("mate") || self.exchange_wins(glance.mv, -HANGING);
        let sound: Vec<Glance<Move>> = all.iter().filter(is_sound).copied().collect();
        if sound.is_empty() { all } else { sound }
    }

    /// The pieces of the side to move that the opponent would win by a capture.
    fn attacked(&self) -> BitBoard {
        let mut attacked = BitBoard::EMPTY;
        let mut other = self.clone();
        if other.pass().is_some() {
            let mut moves = MoveList::new();
            other.moves(&mut moves);
            let wins = |mv: &&Move| other.victim(**mv).is_some() && other.exchange_wins(**mv, 1);
            moves.iter().filter(wins).for_each(|mv| attacked |= mv.to().bitboard());
        }
        attacked
    }

    /// A move as people see it.
    fn seen(&self, mv: Move, hanging: BitBoard) -> Glance<Move> {
        let moved = self.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        let victim = self.victim(mv);
        let advance = self.advance(mv);
        let aggression = 15 * advance + if victim.is_some() { 50 } else { 0 } - 10;
        let seen =
            Glance { aggression: aggression.clamp(-100, 100) as i8, ..Glance::ordinary(mv, self.appeal(mv, moved)) };
        let far = distance(mv).saturating_sub(3) * LONG + if advance < 0 { BACKWARDS } else { 0 };
        let idea = if wins(self, mv) {
            ("mate", 35)
        } else if mv.promotion() == Some(Piece::Queen) {
            ("promotion", 10)
        } else if victim.is_some() && self.exchange_wins(mv, 1) {
            ("wins_material", 15)
        } else if hanging.has(mv.from()) && self.exchange_wins(mv, 0) {
            ("saves_piece", 35)
        } else if victim.is_some() {
            ("exchange", 15)
        } else if self.gives_check(mv) {
            ("check", 20)
        } else {
            return seen;
        };
        seen.with_motif(idea.0, idea.1 + far)
    }

    fn gives_check(&self, mv: Move) -> bool {
        let mut next = self.clone();
        next.play(mv, &mut ());
        next.in_check()
    }

    /// How many ranks a move goes forward.
    fn advance(&self, mv: Move) -> i32 {
        let rank = |square: Square| square.rank().relative_to(self.color()) as i32;
        if self.is_castling(mv) { 0 } else { rank(mv.to()) - rank(mv.from()) }
    }

    /// Development as beginners learn it: castle, bring pieces out, hold the middle.
    fn appeal(&self, mv: Move, moved: Piece) -> i32 {
        if self.is_castling(mv) {
            return 120;
        }
        let home = mv.from().rank().relative_to(self.color()) == Rank::First;
        let developed = match moved {
            Piece::Knight | Piece::Bishop if home => 60,
            Piece::King => -40,
            Piece::Queen if home => -20,
            _ => 0,
        };
        developed + 10 * (middle(mv.to()) - middle(mv.from()))
    }
}

/// How near the middle a square is, 0 to 6.
fn middle(square: Square) -> i32 {
    let near = |place: i32| 3 - (2 * place - 7).abs() / 2;
    near(square.file() as i32) + near(square.rank() as i32)
}

/// How many squares a move goes.
fn distance(mv: Move) -> u8 {
    let (from, to) = (mv.from(), mv.to());
    let files = (from.file() as i32 - to.file() as i32).unsigned_abs();
    files.max((from.rank() as i32 - to.rank() as i32).unsigned_abs()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    fn seen(fen: &str) -> Vec<(String, Option<&'static str>)> {
        let game = Chess::start().parse(fen).unwrap();
        game.seen_by_people().iter().map(|glance| (game.move_text(glance.mv), glance.motif)).collect()
    }

    #[test]
    fn nobody_thinks_of_hanging_the_queen() {
        let moves = seen("rnbqkbnr/ppp2ppp/3p4/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
        assert!(moves.iter().any(|(mv, _)| mv == "d1f3") && moves.iter().all(|(mv, _)| mv != "d1g4"));
    }

    #[test]
    fn moves_have_the_names_that_players_give_them() {
        let of = |fen: &str, mv: &str| seen(fen).into_iter().find(|(text, _)| text == mv).and_then(|(_, motif)| motif);
        assert_eq!(of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), Some("mate"));
        assert_eq!(of("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"), Some("wins_material"));
        assert_eq!(of("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1", "e4c3"), Some("saves_piece"));
    }
}
