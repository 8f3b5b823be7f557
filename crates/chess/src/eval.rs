//! The evaluation: terms that people understand, with learned weights.
//!
//! Every term is counted in one place, [`judge`]. [`Sum`] adds up the weights, [`Counts`] records the counts for
//! learning. The values of pieces on their squares are kept incrementally; the rest is computed. A net can add to the
//! terms what they do not express.

use crate::moves::Move;
use crate::net::{self, NetEvaluation};
use crate::pawns::{self, PawnCache};
use crate::position::{Change, Chess, Undo, pieces_of};
use crate::simd::fastest_blend;
use crate::squares::{ahead, beside, distance, forward, left_of, rank_of, right_of};
use crate::terms::{COUNT, Term};
use crate::weights::{Pair, Weights};
use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use polyply_core::game::{Evaluation, Game, Observer, Side};
use polyply_core::learn::Activation;
use polyply_core::score::Score;
use polyply_nn::{Net, Shape};
use std::sync::Arc;

/// Receives the counts of terms.
pub(crate) trait Tally {
    /// A weight counts `times` for a color.
    fn count(&mut self, color: Color, at: usize, times: i32);
}

/// Adds up weights, for White.
pub(crate) struct Sum<'w> {
    pub weights: &'w [Pair; COUNT],
    pub total: Pair,
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn count(&mut self, color: Color, at: usize, times: i32) {
        self.total.add(self.weights[at], if color == Color::White { times } else { -times });
    }
}

/// How often each weight counts, for White.
struct Counts([i16; COUNT]);

impl Tally for Counts {
    fn count(&mut self, color: Color, at: usize, times: i32) {
        self.0[at] += (if color == Color::White { times } else { -times }) as i16;
    }
}

/// The features of a position for learning: the evaluation for White is the sum over `terms` of count times
/// `middle · weight for the middle game + end · weight for the endgame`.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// The indices of weights, and how often each counts.
    pub terms: Vec<(u16, i16)>,
    /// The share of the middle game.
    pub middle: f32,
    /// The share of the endgame, reduced if a win is difficult.
    pub end: f32,
}

/// The phase by the pieces left: 24 is the middle game, 0 the endgame.
pub(crate) const FULL: i32 = 24;

/// The usual scale of the endgame's part, in 64ths.
const PLAIN: i32 = 64;

#[inline(always)]
pub(crate) fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    (count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(FULL)
}

/// How much of an advantage of `strong` counts in the endgame, in 64ths.
#[inline(always)]
fn scale(board: &Board, strong: Color) -> i32 {
    let pieces = |color, piece| board.colored_pieces(color, piece).len() as i32;
    let worth = |color| {
        3 * (pieces(color, Piece::Knight) + pieces(color, Piece::Bishop))
            + 5 * pieces(color, Piece::Rook)
            + 9 * pieces(color, Piece::Queen)
    };
    let pawns = pieces(strong, Piece::Pawn);
    let (own, other) = (worth(strong), worth(!strong));
    // Without pawns an extra minor piece is not enough.
    if pawns == 0 && own - other <= 3 {
        return if own < 5 {
            0
        } else if other <= 3 {
            4
        } else {
            12
        };
    }
    let bishops = board.pieces(Piece::Bishop);
    let opposite = pieces(Color::White, Piece::Bishop) == 1
        && pieces(Color::Black, Piece::Bishop) == 1
        && (bishops & BitBoard::DARK_SQUARES).len() == 1;
    if opposite {
        return if own == 3 && other == 3 { 32 } else { 52 };
    }
    // The fewer pawns, the closer to a draw.
    (44 + 4 * pawns).min(PLAIN)
}

/// The incremental evaluation of a game.
#[derive(Clone)]
pub struct Evaluator {
    weights: Arc<Weights>,
    /// Material and piece-square values, for White.
    places: Pair,
    pawns: PawnCache,
    /// A net that adds to the terms.
    net: Option<Box<NetEvaluation>>,
}

impl Evaluator {
    /// An evaluation with these weights.
    pub fn new(weights: &Arc<Weights>) -> Self {
        Evaluator { weights: Arc::clone(weights), places: Pair::ZERO, pawns: PawnCache::default(), net: None }
    }

    /// An evaluation by the built-in weights and a net of [`Evaluator::net_shape`].
    pub fn with_net(net: &Arc<Net>) -> Self {
        Evaluator { net: Some(Box::new(NetEvaluation::new(net))), ..Evaluator::default() }
    }

    /// The shape of nets for chess, with this many hidden neurons for each side.
    pub fn net_shape(hidden: usize) -> Shape {
        net::shape(hidden, 0, Activation::Squared)
    }

    /// Reads weights or a net from the text of a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        if Net::is_in(text) {
            NetEvaluation::parse(text).map(|net| Evaluator::with_net(&net))
        } else {
            Weights::parse(text).map(|weights| Evaluator::new(&Arc::new(weights)))
        }
    }

    /// The value of the terms for the side to move.
    #[inline(always)]
    fn terms(&mut self, game: &Chess) -> i32 {
        let white = fastest_blend(game, &self.weights, self.places, &mut self.pawns);
        if game.side() == Side::First { white } else { -white }
    }

    /// The value of the terms for the side to move of any position, for learning.
    pub(crate) fn terms_of(&self, game: &Chess) -> i32 {
        let mut eval = Evaluator::new(&self.weights);
        eval.reset(game);
        eval.terms(game)
    }

    /// The weights of the terms.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator::new(Weights::built_in())
    }
}

/// Counts a piece and its square.
#[inline(always)]
pub(crate) fn place<T: Tally>(tally: &mut T, change: Change, times: i32) {
    let Change { piece, color, square, .. } = change;
    tally.count(color, Term::Place.at(piece as usize * 64 + square.relative_to(color) as usize), times);
    if piece != Piece::King {
        tally.count(color, Term::Material.at(piece as usize), times);
    }
}

impl Observer<Change> for Evaluator {
    #[inline(always)]
    fn change(&mut self, change: Change) {
        if let Some(net) = &mut self.net {
            net.change(change);
        }
        Places { weights: &self.weights, sum: &mut self.places }.change(change);
    }
}

/// Keeps the sum of material and piece-square values.
struct Places<'e> {
    weights: &'e Weights,
    sum: &'e mut Pair,
}

impl Observer<Change> for Places<'_> {
    #[inline(always)]
    fn change(&mut self, Change { piece, color, square, set }: Change) {
        let worth = self.weights.placed[color as usize][piece as usize][square as usize];
        self.sum.add(worth, if set { 1 } else { -1 });
    }
}

impl Evaluation<Chess> for Evaluator {
    fn reset(&mut self, game: &Chess) {
        self.places = Pair::ZERO;
        let mut places = Places { weights: &self.weights, sum: &mut self.places };
        pieces_of(game.board()).for_each(|change| places.change(change));
        if let Some(net) = &mut self.net {
            net.reset(game);
        }
    }

    fn score(&mut self, game: &Chess) -> Score {
        let own = self.terms(game) + self.net.as_mut().map_or(0, |net| net.value(game));
        // Close to the fifty-move draw an advantage is worth less.
        Score::eval(own * (200 - game.quiet_moves()) / 200)
    }

    /// The men on the board: every one of them is looked at.
    fn cost(&self, game: &Chess) -> i32 {
        game.board().occupied().len() as i32
    }

    fn weights_hash(&self) -> u64 {
        self.weights.hash ^ self.net.as_ref().map_or(0, |net| net.net().hash())
    }

    #[inline(always)]
    fn play(&mut self, game: &mut Chess, mv: Move) -> Undo {
        if let Some(net) = &mut self.net {
            net.push();
        }
        game.play(mv, self)
    }

    #[inline(always)]
    fn undo(&mut self, game: &mut Chess, mv: Move, undo: Undo) {
        game.undo(mv, undo, &mut Places { weights: &self.weights, sum: &mut self.places });
        if let Some(net) = &mut self.net {
            net.pop(game);
        }
    }
}

impl Chess {
    /// The features of the position for learning.
    pub fn linear(&self, weights: &Weights) -> Linear {
        let mut counts = Counts([0; COUNT]);
        pieces_of(self.board()).for_each(|change| place(&mut counts, change, 1));
        let passed = pawns::count(self.board(), &mut counts);
        judge(self, passed, &mut counts);
        let terms: Vec<(u16, i16)> =
            (0..COUNT).filter(|&at| counts.0[at] != 0).map(|at| (at as u16, counts.0[at])).collect();
        let end: i32 = terms.iter().map(|&(at, count)| weights.pairs[at as usize].end() * i32::from(count)).sum();
        let strong = if end > 0 { Color::White } else { Color::Black };
        let phase = phase(self.board());
        Linear {
            terms,
            middle: phase as f32 / FULL as f32,
            end: (FULL - phase) as f32 / FULL as f32 * scale(self.board(), strong) as f32 / PLAIN as f32,
        }
    }
}

/// The sum of all terms for White: the incremental `places` and what is computed from the position, with middle game
/// and endgame blended by the phase.
#[inline(always)]
pub(crate) fn blend(game: &Chess, weights: &Weights, places: Pair, pawns: &mut PawnCache) -> i32 {
    let (mut total, passed) = pawns.count(game, weights);
    total.add(places, 1);
    let mut sum = Sum { weights: &weights.pairs, total };
    judge(game, passed, &mut sum);
    let (middle, end) = (sum.total.middle(), sum.total.end());
    let strong = if end > 0 { Color::White } else { Color::Black };
    let phase = phase(game.board());
    let scaled = end * scale(game.board(), strong) / PLAIN;
    (middle * phase + scaled * (FULL - phase)) / FULL
}

/// What the pieces of a color attack.
#[derive(Clone, Copy)]
struct Attacks {
    by: [BitBoard; Piece::NUM],
    all: BitBoard,
    twice: BitBoard,
    /// The attack on the other king: attacking pieces by weight, and attacked squares around it.
    pressure: i32,
    attackers: i32,
}

impl Attacks {
    const NONE: Attacks = Attacks {
        by: [BitBoard::EMPTY; Piece::NUM],
        all: BitBoard::EMPTY,
        twice: BitBoard::EMPTY,
        pressure: 0,
        attackers: 0,
    };

    /// The attacks of kings, knights and pawns, which nothing can block.
    #[inline(always)]
    fn of_pawns_and_king(board: &Board, color: Color) -> Attacks {
        let front = forward(board.colored_pieces(color, Piece::Pawn), color);
        let mut own = Attacks::NONE;
        own.add(Piece::Pawn, left_of(front));
        own.add(Piece::Pawn, right_of(front));
        own.add(Piece::King, get_king_moves(board.king(color)));
        own
    }

    #[inline(always)]
    fn add(&mut self, piece: Piece, squares: BitBoard) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.by[piece as usize] |= squares;
    }
}

/// Counts every term except those of [`place`] and of [`pawns::count`], which found the `passed` pawns.
#[inline(always)]
fn judge<T: Tally>(game: &Chess, passed: BitBoard, tally: &mut T) {
    let board = game.board();
    // Called once for each color instead of in a loop, so that the compiler knows the color, every sign and direction.
    let mut white = Attacks::of_pawns_and_king(board, Color::White);
    let mut black = Attacks::of_pawns_and_king(board, Color::Black);
    let held = [&white, &black].map(|own| own.by[Piece::Pawn as usize]);
    mobility(board, Color::White, held[1], &mut white, tally);
    mobility(board, Color::Black, held[0], &mut black, tally);
    runners(board, Color::White, passed, &black, tally);
    runners(board, Color::Black, passed, &white, tally);
    danger(board, Color::White, &white, &black, tally);
    danger(board, Color::Black, &black, &white, tally);
    threats(board, Color::White, &white, &black, tally);
    threats(board, Color::Black, &black, &white, tally);
    tally.count(board.side_to_move(), Term::Tempo.at(0), 1);
}

/// The weight of an attack on the king by each kind of piece.
const PRESSURE: [i32; Piece::NUM] = [0, 3, 3, 4, 6, 0];

/// Mobility, outposts, bishops and files of the pieces.
#[inline(always)]
fn mobility<T: Tally>(board: &Board, color: Color, their_pawn_attacks: BitBoard, own: &mut Attacks, tally: &mut T) {
    let occupied = board.occupied();
    let mine = board.colors(color);
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let queens = board.pieces(Piece::Queen);
    let blocked = pawns & forward(occupied, !color);
    let area = !(blocked | (mine & board.pieces(Piece::King)) | their_pawn_attacks);
    let ring = get_king_moves(board.king(!color));
    let their_pawns = board.colored_pieces(!color, Piece::Pawn);
    // Squares that enemy pawns may attack later.
    let chased = beside(ahead(their_pawns, !color)) | their_pawn_attacks;
    let middle_ranks = match color {
        Color::White => Rank::Fourth.bitboard() | Rank::Fifth.bitboard() | Rank::Sixth.bitboard(),
        Color::Black => Rank::Third.bitboard() | Rank::Fourth.bitboard() | Rank::Fifth.bitboard(),
    };
    let outposts = own.by[Piece::Pawn as usize] & !chased & middle_ranks;

    let mut count = |piece: Piece, term: Term, squares: BitBoard, tally: &mut T| {
        own.add(piece, squares);
        tally.count(color, term.at((squares & area).len() as usize), 1);
        let hits = squares & ring;
        if !hits.is_empty() {
            own.pressure += PRESSURE[piece as usize] + hits.len() as i32;
            own.attackers += 1;
        }
    };
    for square in mine & board.pieces(Piece::Knight) {
        count(Piece::Knight, Term::KnightMobility, get_knight_moves(square), tally);
        if outposts.has(square) {
            tally.count(color, Term::Outpost.at(0), 1);
        }
    }
    let bishops = mine & board.pieces(Piece::Bishop);
    for square in bishops {
        // X-ray through queens, which support the attack.
        let squares = get_bishop_moves(square, occupied ^ queens);
        count(Piece::Bishop, Term::BishopMobility, squares, tally);
        if outposts.has(square) {
            tally.count(color, Term::Outpost.at(1), 1);
        }
        let dark = BitBoard::DARK_SQUARES.has(square);
        let same = pawns & if dark { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
        tally.count(color, Term::BishopPawns.at(same.len() as usize), 1);
    }
    if bishops.len() >= 2 {
        tally.count(color, Term::BishopPair.at(0), 1);
    }
    let rooks = mine & board.pieces(Piece::Rook);
    for square in rooks {
        let squares = get_rook_moves(square, occupied ^ queens ^ rooks);
        count(Piece::Rook, Term::RookMobility, squares, tally);
        let file = square.file().bitboard();
        if pawns.is_disjoint(file) {
            let half = usize::from(!their_pawns.is_disjoint(file));
            tally.count(color, Term::RookFile.at(half), 1);
        }
    }
    for square in mine & queens {
        let squares = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        count(Piece::Queen, Term::QueenMobility, squares, tally);
    }
}

/// Passed pawns: blockers, the path to promotion, distances of the kings.
#[inline(always)]
fn runners<T: Tally>(board: &Board, color: Color, passed: BitBoard, other: &Attacks, tally: &mut T) {
    let theirs = board.colors(!color);
    let bare = (theirs & !board.pieces(Piece::Pawn)).len() == 1;
    for square in passed & board.colors(color) {
        let rank = rank_of(square, color);
        let stop = forward(square.bitboard(), color);
        let way = ahead(square.bitboard(), color);
        if !theirs.is_disjoint(stop) {
            tally.count(color, Term::PassedBlocked.at(rank), 1);
        } else if other.all.is_disjoint(way) && theirs.is_disjoint(way) {
            tally.count(color, Term::PassedFree.at(rank), 1);
        }
        if bare {
            let goal = Square::new(square.file(), Rank::Eighth.relative_to(color));
            let steps = (7 - rank).min(5) + usize::from(board.side_to_move() != color);
            if steps < distance(board.king(!color), goal) && board.occupied().is_disjoint(way) {
                tally.count(color, Term::PassedRunner.at(0), 1);
            }
        }
    }
}

/// The danger to the king.
#[inline(always)]
fn danger<T: Tally>(board: &Board, color: Color, own: &Attacks, other: &Attacks, tally: &mut T) {
    let king = board.king(color);
    let occupied = board.occupied();
    let queen = own.by[Piece::Queen as usize];
    // Attacked, and defended at most by the king or queen.
    let weak = other.all & !own.twice & (!own.all | queen | own.by[Piece::King as usize]);
    let safe = !board.colors(!color) & (!own.all | (weak & other.twice));
    let diagonal = get_bishop_moves(king, occupied);
    let straight = get_rook_moves(king, occupied);
    let checks = |piece: Piece, lines: BitBoard| i32::from(!(other.by[piece as usize] & lines & safe).is_empty());
    let mut danger = other.pressure + (weak & get_king_moves(king)).len() as i32 * 2;
    danger += 5 * checks(Piece::Knight, get_knight_moves(king));
    danger += 4 * checks(Piece::Bishop, diagonal);
    danger += 7 * checks(Piece::Rook, straight);
    danger += 5 * checks(Piece::Queen, diagonal | straight);
    if board.colored_pieces(!color, Piece::Queen).is_empty() {
        danger = danger / 2 - 3;
    }
    if other.attackers < 2 {
        danger /= 2;
    }
    tally.count(color, Term::Danger.at(danger.clamp(0, 39) as usize), 1);
}

/// Attacked pieces, and the safe space.
#[inline(always)]
fn threats<T: Tally>(board: &Board, color: Color, own: &Attacks, other: &Attacks, tally: &mut T) {
    let theirs = board.colors(!color);
    let mut attacked = |term: Term, squares: BitBoard| {
        if squares.is_empty() {
            return;
        }
        for piece in Piece::ALL {
            tally.count(color, term.at(piece as usize), (squares & board.pieces(piece)).len() as i32);
        }
    };
    let their_pawn_attacks = other.by[Piece::Pawn as usize];
    let pieces = theirs & !board.pieces(Piece::Pawn);
    // A well-defended pawn is not a target for pieces.
    let targets = pieces | (theirs & !their_pawn_attacks & !(other.twice & !own.twice));
    attacked(Term::PawnThreat, own.by[Piece::Pawn as usize] & pieces);
    attacked(Term::MinorThreat, (own.by[Piece::Knight as usize] | own.by[Piece::Bishop as usize]) & targets);
    attacked(Term::RookThreat, own.by[Piece::Rook as usize] & targets);
    attacked(Term::KingThreat, own.by[Piece::King as usize] & targets & !other.all);
    let hanging = theirs & own.all & !other.all;
    tally.count(color, Term::Hanging.at(0), hanging.len() as i32);

    let mine = board.colored_pieces(color, Piece::Pawn);
    let free = !board.occupied();
    let third = Rank::Third.relative_to(color).bitboard();
    let one = forward(mine, color) & free;
    let steps = one | (forward(one & third, color) & free);
    let safe_steps = steps & !their_pawn_attacks & (own.all | !other.all);
    let front = forward(safe_steps, color);
    let reached = beside(front) & pieces;
    tally.count(color, Term::PushThreat.at(0), reached.len() as i32);

    let centre = BitBoard(0x3c3c_3c3c_3c3c_3c3c);
    let home = match color {
        Color::White => BitBoard(0x0000_0000_ffff_ff00),
        Color::Black => BitBoard(0x00ff_ffff_0000_0000),
    };
    let space = centre & home & !mine & !their_pawn_attacks;
    tally.count(color, Term::Space.at(0), space.len() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    const SOME: [&str; 5] = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/5pk1/6p1/3P3p/7P/4K1P1/8/8 w - - 0 1",
        "2r3k1/5ppp/p3q3/1p2P3/3Q4/1P6/P4PPP/2R3K1 w - - 0 1",
        "8/8/4kb2/p7/P1B5/4K3/5P2/8 b - - 0 1",
        "r2q1rk1/pp2bppp/2n1bn2/3p4/3P4/2NBBN2/PP3PPP/R2Q1RK1 w - - 0 1",
    ];

    fn score(game: &Chess) -> i32 {
        let mut eval = Evaluator::default();
        eval.reset(game);
        eval.score(game).value()
    }

    /// The same position with the colors exchanged.
    fn mirrored(fen: &str) -> String {
        let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
        let swap = |text: &str| -> String {
            let other = |letter: char| {
                if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
            };
            text.chars().map(other).collect()
        };
        fields[0] = swap(&fields[0]).split('/').rev().collect::<Vec<_>>().join("/");
        fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
        fields[2] = swap(&fields[2]);
        fields.join(" ")
    }

    #[test]
    fn colors_are_treated_alike() {
        for fen in SOME {
            let game = Chess::start().parse(fen).unwrap();
            let mirror = Chess::start().parse(&mirrored(fen)).unwrap();
            assert_eq!(score(&game), score(&mirror), "{fen}");
        }
    }

    #[test]
    fn what_is_learned_from_is_what_is_evaluated() {
        let weights = Weights::built_in();
        for fen in SOME {
            let game = Chess::start().parse(fen).unwrap();
            let linear = game.linear(weights);
            let sum: f32 = linear
                .terms
                .iter()
                .map(|&(at, count)| {
                    let pair = weights.pairs[at as usize];
                    f32::from(count) * (linear.middle * pair.middle() as f32 + linear.end * pair.end() as f32)
                })
                .sum();
            let own = if game.side() == Side::First { sum } else { -sum };
            let told = own * (200 - game.quiet_moves()) as f32 / 200.0;
            assert!((told - score(&game) as f32).abs() <= 3.0, "{fen}: {told} and {}", score(&game));
        }
    }

    #[test]
    fn more_is_worth_more_and_bare_minor_pieces_are_not() {
        let value = |fen: &str| score(&Chess::start().parse(fen).unwrap());
        assert!(value("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") > 50);
        assert!(value("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1") > 500);
        assert!(value("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1").abs() < 30);
        assert!(value("4k1r1/8/8/8/8/8/8/RN2K3 w - - 0 1").abs() < 120);
    }
}
