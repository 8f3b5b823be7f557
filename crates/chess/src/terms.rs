//! What the evaluation is made of: every term by name, how many weights it has, and what to guess for them before
//! anything was learned.

use cozy_chess::{Piece, Square};

macro_rules! terms {
    ($( $(#[doc = $doc:literal])+ $term:ident, $size:expr; )*) => {
        /// A term of the evaluation. Each is counted for White and against Black.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Term { $( $(#[doc = $doc])+ $term, )* }

        impl Term {
            /// All of them, in the order of the file.
            pub const ALL: &[Term] = &[ $( Term::$term ),* ];
            const NAMES: &[&str] = &[ $( stringify!($term) ),* ];
            const SIZES: &[usize] = &[ $( $size ),* ];
        }
    };
}

terms! {
    /// A piece, by kind.
    Material, 5;
    /// A piece of a kind on a square, seen from its side.
    Place, 6 * 64;
    /// Squares that a knight can go to, by number.
    KnightMobility, 9;
    /// The same of a bishop.
    BishopMobility, 14;
    /// The same of a rook.
    RookMobility, 15;
    /// The same of a queen.
    QueenMobility, 28;
    /// Both bishops.
    BishopPair, 1;
    /// Own pawns on squares of the bishop's color, by number.
    BishopPawns, 9;
    /// A knight or bishop that no pawn can chase and an own pawn holds.
    Outpost, 2;
    /// A rook on a file without pawns, or without own pawns.
    RookFile, 2;
    /// A pawn without own pawns on the files beside it.
    Isolated, 1;
    /// A pawn behind an own pawn.
    Doubled, 1;
    /// A pawn that no own pawn can hold and that can't go on safely.
    Backward, 1;
    /// Pawns side by side, by rank.
    Phalanx, 8;
    /// A pawn held by a pawn, by rank.
    Supported, 8;
    /// A pawn that no pawn can stop any more, by rank.
    Passed, 8;
    /// The same where a piece stands right before it.
    PassedBlocked, 8;
    /// The same where the way to the last rank is not attacked.
    PassedFree, 8;
    /// How far the own king is from the square before a passed pawn.
    PassedOwnKing, 8;
    /// How far the other king is from it.
    PassedOtherKing, 8;
    /// A passed pawn that the bare king can't catch.
    PassedRunner, 1;
    /// Own pawns before the king: by how near the file is to the edge, and the rank of the pawn (0 is none).
    Shelter, 4 * 8;
    /// Enemy pawns before the king: blocked by an own pawn or not, and the rank of the pawn.
    Storm, 2 * 8;
    /// How dangerous the attack on the king is.
    Danger, 40;
    /// A piece of a kind that a pawn attacks.
    PawnThreat, 6;
    /// The same by a knight or bishop.
    MinorThreat, 6;
    /// The same by a rook.
    RookThreat, 6;
    /// The same by a king.
    KingThreat, 6;
    /// Attacked and not defended.
    Hanging, 1;
    /// A piece that a pawn can attack by a safe step.
    PushThreat, 1;
    /// Safe squares behind the pawns in the middle.
    Space, 1;
    /// To be to move.
    Tempo, 1;
}

/// How many weights there are.
pub(crate) const COUNT: usize = OFFSETS[Term::SIZES.len()];

/// Where the weights of each term begin.
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

    /// The place of a weight among all.
    #[inline(always)]
    pub const fn at(self, index: usize) -> usize {
        OFFSETS[self as usize] + index
    }

    /// What to guess for a weight, for the middle game and the endgame.
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

/// Pieces like the middle, pawns like to go on, the king hides until the endgame.
fn handmade_place(piece: Piece, square: Square) -> [i16; 2] {
    let (file, rank) = (square.file() as i16, square.rank() as i16);
    // Rings round the middle: 3 in it, 0 at the edge.
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
