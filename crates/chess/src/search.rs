//! What the search needs to know about chess: order of moves, quiescence, null moves, and chess' own parameters.

use crate::eval::{Evaluator, FULL, phase};
use crate::moves::Move;
use crate::position::{Chess, Undo};
use crate::see::value;
use crate::squares::{beside, forward};
use crate::tablebase::proof_of;
use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use polyply_core::game::{Class, Game, MoveSink, Outcome, Proof, SearchGame, Settle, Staged};
use polyply_core::params::SearchParams;
use polyply_core::resources::Resources;

polyply_core::params! {
    /// Tunables of chess.
    pub struct ChessParams {
        /// Weight of captured material in the order of captures, against history, for each hundredth of a pawn.
        victim_scale = 24 in 0..=200;
        /// Bonus for a check that loses nothing in the order of quiet moves, against history.
        check_bonus = 100000 in 0..=1000000;
    }
}

/// Losing captures come after all other moves, ordered by what they capture.
const BAD: i32 = -1_000_000;

impl Chess {
    /// Visits the captures and promotions, or all other moves.
    #[inline(always)]
    fn moves_of(&self, tactical: bool, mut visit: impl FnMut(Move, Piece)) {
        let (board, color) = (self.board(), self.color());
        let theirs = board.colors(!color);
        let last_rank = Rank::Eighth.relative_to(color).bitboard();
        let passing = board
            .en_passant()
            .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(color)).bitboard());
        // Kings and pawns seldom have a capture, and finding all moves of a king is expensive.
        let mut movers = !BitBoard::EMPTY;
        if tactical {
            let king = board.king(color);
            if theirs.is_disjoint(get_king_moves(king)) {
                movers ^= king.bitboard();
            }
            let takers = beside(forward(theirs | passing, !color)) | Rank::Seventh.relative_to(color).bitboard();
            movers &= !board.pieces(Piece::Pawn) | takers;
        }
        board.generate_moves_for(movers, |moves| {
            let pawn = moves.piece == Piece::Pawn;
            let targets = if pawn { theirs | passing | last_rank } else { theirs };
            for to in moves.to & if tactical { targets } else { !targets } {
                if pawn && last_rank.has(to) {
                    for becomes in [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop] {
                        visit(Move::new(moves.from, to, Some(becomes)), Piece::Pawn);
                    }
                } else {
                    visit(Move::new(moves.from, to, None), moves.piece);
                }
            }
            false
        });
    }

    /// The squares from which a piece of each kind would give check.
    #[inline(always)]
    fn checking_squares(&self) -> [BitBoard; Piece::NUM] {
        let board = self.board();
        let king = board.king(!self.color());
        let diagonal = get_bishop_moves(king, board.occupied());
        let straight = get_rook_moves(king, board.occupied());
        let pawns = get_pawn_attacks(king, !self.color());
        [pawns, get_knight_moves(king), diagonal, straight, diagonal | straight, BitBoard::EMPTY]
    }

    /// Whether the moving piece gives check without losing material.
    #[inline(always)]
    fn checks(&self, squares: &[BitBoard; Piece::NUM], mv: Move, moved: Piece) -> bool {
        squares[moved as usize].has(mv.to()) && self.exchange_wins(mv, 0)
    }

    /// The material that a capture or promotion wins before any reply.
    #[inline(always)]
    fn first_gain(&self, mv: Move) -> i32 {
        let taken = self.victim(mv).map_or(0, value);
        taken + mv.promotion().map_or(0, |becomes| value(becomes) - value(Piece::Pawn))
    }

    /// Whether the exchange that a capture starts loses nothing.
    #[inline(always)]
    fn is_sound(&self, mv: Move, moved: Piece) -> bool {
        match mv.promotion() {
            Some(Piece::Queen) | None => {}
            // A promotion to anything but a queen is hardly ever better.
            Some(_) => return false,
        }
        let cheap = self.piece_on(mv.to()).is_some_and(|victim| value(victim) >= value(moved));
        cheap || self.exchange_wins(mv, 0)
    }
}

impl SearchGame for Chess {
    type Eval = Evaluator;
    type Params = ChessParams;

    const HISTORY: usize = Piece::NUM * 64;
    const CORRECTIONS: usize = 3;

    /// A queen and a rook a side, or less.
    fn endgame(&self) -> bool {
        phase(self.board()) <= FULL / 2
    }

    #[inline(always)]
    fn history_slot(&self, mv: Move) -> usize {
        let piece = self.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        piece as usize * 64 + mv.to() as usize
    }

    #[inline(always)]
    fn class(&self, mv: Move) -> Class {
        if mv.promotion().is_some() || self.victim(mv).is_some() { Class::Tactical } else { Class::Quiet }
    }

    #[inline(always)]
    fn order(&self, class: Class, params: &ChessParams, out: &mut MoveSink<'_, Move>) {
        match class {
            Class::Tactical => self.moves_of(true, |mv, moved| {
                let score = self.first_gain(mv) * params.victim_scale - moved as i32;
                out.push(mv, if self.is_sound(mv, moved) { score.max(0) } else { BAD + score });
            }),
            Class::Quiet => {
                let squares = self.checking_squares();
                self.moves_of(false, |mv, moved| {
                    out.push(mv, if self.checks(&squares, mv, moved) { params.check_bonus } else { 0 });
                });
            }
            Class::Forced | Class::Remote => {}
        }
    }

    #[inline(always)]
    fn ended(&self, ply: usize) -> Option<Outcome> {
        if self.fifty_moves_are_over() {
            return self.outcome();
        }
        // Mate and stalemate are noticed when no move is found.
        self.is_drawn(ply).then_some(Outcome::Draw)
    }

    #[inline(always)]
    fn proof(&mut self, _depth: i32, _lent: &mut Resources<'_, Self>) -> Proof {
        self.table_proof()
    }

    fn staged(&mut self, _lent: &mut Resources<'_, Self>) -> Option<Staged<Move>> {
        self.table_moves()
    }

    fn proven_moves(&self) -> Vec<(Move, Proof)> {
        self.table_results().into_iter().map(|(mv, result)| (mv, proof_of(result.wdl))).collect()
    }

    fn settle(&mut self, _depth: i32, lent: &mut Resources<'_, Self>, out: &mut MoveSink<'_, Move>) -> Settle {
        let scale = lent.params.victim_scale;
        if self.in_check() {
            for tactical in [true, false] {
                self.moves_of(tactical, |mv, moved| out.push(mv, self.first_gain(mv) * scale - moved as i32));
            }
            return Settle::Forced;
        }
        let mut found = false;
        self.moves_of(true, |mv, moved| {
            if self.is_sound(mv, moved) {
                out.push(mv, self.first_gain(mv) * scale - moved as i32);
                found = true;
            }
        });
        if found { Settle::Optional } else { Settle::Quiet }
    }

    #[inline(always)]
    fn loses_exchange(&self, mv: Move, more_than: i32) -> bool {
        !self.exchange_wins(mv, -more_than)
    }

    #[inline(always)]
    fn forcing(&self, mv: Move) -> bool {
        let moved = self.piece_on(mv.from()).unwrap_or(Piece::King);
        self.checks(&self.checking_squares(), mv, moved)
    }

    #[inline(always)]
    fn gain(&self, mv: Move) -> Option<i32> {
        Some(self.first_gain(mv))
    }

    #[inline(always)]
    fn threatened(&self) -> bool {
        self.in_check()
    }

    fn play_null(&mut self) -> Option<Undo> {
        // With pawns alone, zugzwang is common.
        let board = self.board();
        let pieces = board.colors(self.color()) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
        if pieces.is_empty() { None } else { self.pass() }
    }

    fn undo_null(&mut self, undo: Undo) {
        self.restore(undo);
    }

    #[inline(always)]
    fn correction_key(&self, feature: usize) -> u64 {
        match feature {
            0 => self.pawn_key(),
            1 => self.piece_key(Color::White),
            _ => self.piece_key(Color::Black),
        }
    }

    fn tune(params: &mut SearchParams) {
        params.tt_eval = 1;
        params.history_pruning = 1;
        params.exchange = 1;
        params.delta = 1;
        params.quiescence_hash = 1;
        params.double_extension = 1;
        params.lmr_deeper = 1;
        // It missed sacrifices and did not gain in matches.
        params.razoring = 0;
    }
}
