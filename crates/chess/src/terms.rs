//! The terms of the evaluation: the name of each, its number of weights, and their hand-made values.

use cozy_chess::{Piece, Square};

macro_rules! terms {
    ($( $(#[doc = $doc:literal])+ $term:ident, $size:expr; )*) => {
        /// A term of the evaluation. Each is counted for White and against Black.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Term { $( $(#[doc = $doc])+ $term, )* }

        impl Term {
            /// All terms, in the order of the file.
            pub const ALL: &[Term] = &[ $( Term::$term ),* ];
            const NAMES: &[&str] = &[ $( stringify!($term) ),* ];
            const SIZES: &[usize] = &[ $( $size ),* ];
        }
    };
}

terms! {
    /// A piece, by kind.
    Material, 5;
    /// A piece of a kind on a square, relative to its side.
    Place, 6 * 64;
    /// The mobility of a knight.
    KnightMobility, 9;
    /// The mobility of a bishop.
    BishopMobility, 14;
    /// The mobility of a rook.
    RookMobility, 15;
    /// The mobility of a queen.
    QueenMobility, 28;
    /// The bishop pair.
    BishopPair, 1;
    /// The number of own pawns on squares of the bishop's color.
    BishopPawns, 9;
    /// A knight or bishop on an outpost: no pawn can attack it, and an own pawn defends it.
    Outpost, 2;
    /// A rook on an open or half-open file.
    RookFile, 2;
    /// An isolated pawn.
    Isolated, 1;
    /// A doubled pawn.
    Doubled, 1;
    /// A backward pawn: no own pawn can defend it, and it can't advance safely.
    Backward, 1;
    /// A phalanx of pawns, by rank.
    Phalanx, 8;
    /// A pawn defended by a pawn, by rank.
    Supported, 8;
    /// A passed pawn, by rank.
    Passed, 8;
    /// A blocked passed pawn, by rank.
    PassedBlocked, 8;
    /// A passed pawn whose path to promotion is not attacked, by rank.
    PassedFree, 8;
    /// The distance of the own king from the square in front of a passed pawn.
    PassedOwnKing, 8;
    /// The distance of the enemy king from it.
    PassedOtherKing, 8;
    /// A passed pawn that the enemy's lone king can't catch.
    PassedRunner, 1;
    /// The pawn shelter of the king: by the file's distance from the edge, and the rank of the pawn (0 is none).
    Shelter, 4 * 8;
    /// Enemy pawns in front of the king: blocked by an own pawn or not, and the rank of the pawn.
    Storm, 2 * 8;
    /// The danger of the attack on the king.
    Danger, 40;
    /// A piece of a kind attacked by a pawn.
    PawnThreat, 6;
    /// A piece attacked by a knight or bishop.
    MinorThreat, 6;
    /// A piece attacked by a rook.
    RookThreat, 6;
    /// A piece attacked by a king.
    KingThreat, 6;
    /// A hanging piece: attacked and not defended.
    Hanging, 1;
    /// A piece that a pawn can attack by a safe advance.
    PushThreat, 1;
    /// Space: safe squares behind the central pawns.
    Space, 1;
    /// The right to move.
    Tempo, 1;
}

/// The number of weights.
pub(crate) const COUNT: usize = OFFSETS[Term::SIZES.len()];

/// The offset of each term's weights.
const OFFSETS: [usize; Term::SIZES.len() + 1] = {
    let mut offsets = [0; Term::SIZES.len() + 1];
    let mut term = 0;
    while term < Term::SIZES.len() {
        offsets[term + 1] = offsets[term] + Term::SIZES[term];
        term += 1;
    }
    offsets
};

impl Term {
    pub const fn name(self) -> &'static str {
        Term::NAMES[self as usize]
    }

    pub const fn size(self) -> usize {
        Term::SIZES[self as usize]
    }

    /// The index of a weight among all.
    #[inline(always)]
    pub const fn at(self, index: usize) -> usize {
        OFFSETS[self as usize] + index
    }

    /// The hand-made value of a weight, for the middle game and the endgame.
    pub fn guess(self, index: usize) -> [i16; 2] {
        let step = index as i16;
        let line = |base: i16, slope: i16| base + slope * step;
        match self {
            Term::Material => [[90, 110], [320, 300], [330, 310], [480, 540], [980, 980]][index],
            Term::Place => handmade_place(Piece::index(index / 64), Square::index(index % 64)),
            Term::KnightMobility => [line(-24, 6), line(-24, 6)],
            Term::BishopMobility => [line(-30, 5), line(-30, 5)],
            Term::RookMobility => [line(-14, 2), line(-28, 4)],
            Term::QueenMobility => [line(-10, 1), line(-20, 2)],
            Term::BishopPair => [25, 45],
            Term::BishopPawns => [line(4, -2), line(6, -3)],
            Term::Outpost => [25, 15],
            Term::RookFile => [[30, 10], [14, 8]][index],
            Term::Isolated => [-10, -12],
            Term::Doubled => [-8, -18],
            Term::Backward => [-8, -8],
            Term::Phalanx => [[0, 2, 5, 8, 15, 30, 50, 0][index], [0, 0, 2, 6, 15, 35, 60, 0][index]],
            Term::Supported => [[0, 0, 12, 8, 12, 25, 50, 0][index], [0, 0, 6, 6, 10, 25, 50, 0][index]],
            Term::Passed => [[0, 0, 0, 5, 15, 35, 60, 0][index], [0, 8, 12, 25, 45, 80, 130, 0][index]],
            Term::PassedBlocked => [[0, 0, 0, -2, -5, -10, -20, 0][index], [0, -2, -4, -10, -18, -35, -60, 0][index]],
            Term::PassedFree => [0, [0, 0, 2, 5, 12, 25, 40, 0][index]],
            Term::PassedOwnKing => [0, line(12, -4)],
            Term::PassedOtherKing => [0, line(-20, 6)],
            Term::PassedRunner => [0, 300],
            Term::Shelter => [[-20, 10, 18, 8, 0, -5, -10, 0][index % 8], 0],
            Term::Storm => [[0, 0, -25, -15, -5, 0, 0, 0][index % 8] / (1 + 2 * (index / 8) as i16), 0],
            Term::Danger => [-(step * step * 2 / 5), -step],
            Term::PawnThreat => [[5, 50, 50, 70, 70, 0][index], [5, 35, 40, 30, 30, 0][index]],
            Term::MinorThreat => [[4, 20, 22, 40, 40, 0][index], [8, 20, 20, 25, 25, 0][index]],
            Term::RookThreat => [[2, 15, 15, 0, 40, 0][index], [8, 15, 15, 0, 25, 0][index]],
            Term::KingThreat => [0, [10, 15, 15, 15, 0, 0][index]],
            Term::Hanging => [25, 15],
            Term::PushThreat => [12, 8],
            Term::Space => [2, 0],
            Term::Tempo => [20, 15],
        }
    }
}

/// Pieces prefer the centre, pawns advance, the king hides until the endgame.
fn handmade_place(piece: Piece, square: Square) -> [i16; 2] {
    let (file, rank) = (square.file() as i16, square.rank() as i16);
    // Rings around the centre: 3 in the centre, 0 at the edge.
    let middle = file.min(7 - file).min(rank.min(7 - rank));
    let central_file = file.min(7 - file);
    match piece {
        Piece::Pawn => [central_file * 4 * i16::from((2..5).contains(&rank)) + 3 * (rank - 1), 4 * (rank - 1)],
        Piece::Knight => [14 * middle - 26, 10 * middle - 20],
        Piece::Bishop => [7 * middle - 10, 5 * middle - 8],
        Piece::Rook => [3 * central_file - 5 + 10 * i16::from(rank == 6), 8 * i16::from(rank == 6)],
        Piece::Queen => [2 * middle - 4, 8 * middle - 12],
        Piece::King => [-10 * central_file - 18 * rank.min(4) + 20, 14 * middle - 20],
    }
}
