//! The result of an exchange on one square ([static exchange evaluation]), with fixed and simple piece values.
//!
//! [static exchange evaluation]: https://www.chessprogramming.org/Static_Exchange_Evaluation

use crate::moves::Move;
use crate::position::Chess;
use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

/// The value of a piece in an exchange, by [`Piece`].
pub(crate) const VALUES: [i32; Piece::NUM] = [100, 320, 330, 500, 950, 20_000];

pub(crate) const fn value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

impl Chess {
    /// Every piece of both colors that attacks a square, with these squares occupied.
    #[inline(always)]
    fn attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        let board = self.board();
        let (bishops, rooks) = self.sliders();
        (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
            | (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
            | (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | (get_bishop_moves(square, occupied) & bishops)
            | (get_rook_moves(square, occupied) & rooks)
    }

    /// The pieces that move along diagonals, and those that move along ranks and files.
    #[inline(always)]
    fn sliders(&self) -> (BitBoard, BitBoard) {
        let board = self.board();
        let queens = board.pieces(Piece::Queen);
        (board.pieces(Piece::Bishop) | queens, board.pieces(Piece::Rook) | queens)
    }

    /// Whether the move wins at least `least` if both sides keep capturing on its square as long as it pays.
    #[inline]
    pub fn exchange_wins(&self, mv: Move, least: i32) -> bool {
        if self.is_castling(mv) {
            return least <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let moved = self.piece_on(from).expect("a move begins on a piece");
        let victim = self.victim(mv);
        let mut gain = victim.map_or(0, value) - least;
        let mut next = value(moved);
        if let Some(becomes) = mv.promotion() {
            gain += value(becomes) - value(Piece::Pawn);
            next = value(becomes);
        }
        if gain < 0 {
            return false;
        }
        // Even if the moving piece is lost for nothing.
        gain -= next;
        if gain >= 0 {
            return true;
        }
        let board = self.board();
        let mut occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
        if victim.is_some() && self.piece_on(to).is_none() {
            occupied ^= Square::new(to.file(), from.rank()).bitboard();
        }
        let (bishops, rooks) = self.sliders();
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !self.color();
        // `gain` is below 0 for the side that has just captured; now see whether the other side can recapture.
        loop {
            let own = attackers & board.colors(side);
            if own.is_empty() {
                break;
            }
            let least_piece = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty());
            let piece = least_piece.expect("an attacker is a piece");
            side = !side;
            gain = -gain - 1 - value(piece);
            if gain >= 0 {
                // A king can't capture a defended piece.
                if piece == Piece::King && !(attackers & board.colors(side)).is_empty() {
                    side = !side;
                }
                break;
            }
            let taker = (own & board.pieces(piece)).next_square().expect("there is one");
            occupied ^= taker.bitboard();
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                attackers |= get_bishop_moves(to, occupied) & bishops;
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                attackers |= get_rook_moves(to, occupied) & rooks;
            }
            attackers &= occupied;
        }
        side != self.color()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    #[test]
    fn exchanges_come_to_what_they_do_on_a_board() {
        let (pawn, knight, rook, queen) = (VALUES[0], VALUES[1], VALUES[3], VALUES[4]);
        for (fen, mv, worth) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight),
            ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", queen),
            ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook),
            ("4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 2 * pawn - rook),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn),
            ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", rook - pawn),
            ("4k3/8/8/8/8/8/4q3/3QK3 w - - 0 1", "d1e2", queen),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
        ] {
            let game = Chess::start().parse(fen).unwrap();
            let mv = game.parse_move(mv).unwrap();
            assert!(game.exchange_wins(mv, worth), "{fen} is worth {worth}");
            assert!(!game.exchange_wins(mv, worth + 1), "{fen} is worth no more than {worth}");
        }
    }
}
