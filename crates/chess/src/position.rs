//! The rules: a board of `cozy-chess`, and what a game adds to its board.

use crate::moves::Move;
use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Board, BoardBuilder, Color, File, Piece, Rank, Square, get_pawn_attacks};
use polyply_core::game::{Game, MoveList, Observer, Outcome, Side};
use polyply_core::random::Random;

/// How many earlier positions are kept: those since the last capture or pawn move, of which the rules allow a hundred.
const KEPT: usize = 128;

/// The game is drawn after this many half-moves without a capture or pawn move.
const FIFTY_MOVES: u8 = 100;

/// A piece is put on a square, or removed from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The kind of piece.
    pub piece: Piece,
    /// Its color.
    pub color: Color,
    /// The square.
    pub square: Square,
    /// Whether it is put there, or removed.
    pub set: bool,
}

/// The elementary changes of one move; a capturing promotion has the most.
type Changes = ArrayVec<Change, 4>;

/// A game of chess.
#[derive(Clone)]
pub struct Chess {
    state: State,
    keys: Keys,
    /// The kind of piece on each square.
    pieces: [Option<Piece>; Square::NUM],
    /// Castling is written as the king taking its rook: Chess960.
    chess960: bool,
    /// The number of moves played: the index in the ring of earlier positions.
    played: usize,
    /// The keys of earlier positions, a ring.
    earlier: [u64; KEPT],
}

/// What a move changes beyond its [`Change`]s; undo restores it from a copy.
#[derive(Clone)]
struct State {
    board: Board,
    key: u64,
    /// Moves since the last irreversible one, null moves included: only these positions can repeat.
    reversible: u16,
    /// How many moves ago the position last occurred, or 0.
    repeats: u16,
    /// Whether it occurs for the third time.
    thrice: bool,
}

/// Keys of parts of the board, which a copy restores as well. They are not in [`State`], because a larger struct would
/// be copied by a function call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Keys {
    pawns: u64,
    /// The pieces without the pawns, by color.
    pieces: [u64; 2],
}

/// Random numbers for keys of parts of the board.
static NUMBERS: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM] = {
    let mut random = Random::new(7);
    let mut numbers = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
    let mut at = 0;
    while at < Color::NUM * Piece::NUM * Square::NUM {
        numbers[at / (Piece::NUM * Square::NUM)][at / Square::NUM % Piece::NUM][at % Square::NUM] = random.next();
        at += 1;
    }
    numbers
};

/// Random numbers for the rest of a position's key.
struct Rest {
    /// Black is to move.
    black: u64,
    /// The file of a pawn that can be captured en passant.
    passing: [u64; File::NUM],
    /// The file of a rook that its king may castle with, by color and wing.
    castling: [[[u64; File::NUM]; 2]; Color::NUM],
}

static REST: Rest = {
    let mut random = Random::new(8);
    let mut rest = Rest { black: random.next(), passing: [0; File::NUM], castling: [[[0; File::NUM]; 2]; Color::NUM] };
    let mut at = 0;
    while at < File::NUM {
        rest.passing[at] = random.next();
        let mut wing = 0;
        while wing < 4 {
            rest.castling[wing / 2][wing % 2][at] = random.next();
            wing += 1;
        }
        at += 1;
    }
    rest
};

impl Change {
    #[inline(always)]
    fn number(self) -> u64 {
        NUMBERS[self.color as usize][self.piece as usize][self.square as usize]
    }
}

/// Every piece on a board, as changes that put it there.
pub(crate) fn pieces_of(board: &Board) -> impl Iterator<Item = Change> {
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            let squares = board.colored_pieces(color, piece).iter();
            squares.map(move |square| Change { piece, color, square, set: true })
        })
    })
}

/// The en passant square, if the capture is legal.
#[inline(always)]
pub(crate) fn en_passant(board: &Board) -> Option<Square> {
    let file = board.en_passant()?;
    let color = board.side_to_move();
    let square = Square::new(file, Rank::Sixth.relative_to(color));
    let takers = get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    let takes = |from| board.is_legal(cozy_chess::Move { from, to: square, promotion: None });
    takers.iter().any(takes).then_some(square)
}

impl Chess {
    /// A game that starts from a board.
    pub(crate) fn of(board: Board, chess960: bool) -> Chess {
        let mut game = Chess {
            state: State { board: board.clone(), key: 0, reversible: 0, repeats: 0, thrice: false },
            keys: Keys { pawns: 0, pieces: [0; 2] },
            pieces: [None; Square::NUM],
            chess960,
            played: 0,
            earlier: [0; KEPT],
        };
        pieces_of(&board).for_each(|change| game.apply(change));
        game.state.key = game.full_key();
        game
    }

    /// Puts or removes a piece, except on the board of cozy-chess.
    #[inline(always)]
    fn apply(&mut self, change: Change) {
        self.pieces[change.square as usize] = change.set.then_some(change.piece);
        match change.piece {
            Piece::Pawn => self.keys.pawns ^= change.number(),
            _ => self.keys.pieces[change.color as usize] ^= change.number(),
        }
    }

    /// The key of the position. The en passant square counts only if the capture is legal; otherwise repetitions would
    /// be missed.
    #[inline(always)]
    fn full_key(&self) -> u64 {
        let board = &self.state.board;
        let Keys { pawns, pieces: [white, black] } = self.keys;
        let mut key = pawns ^ white ^ black;
        if board.side_to_move() == Color::Black {
            key ^= REST.black;
        }
        if let Some(square) = en_passant(board) {
            key ^= REST.passing[square.file() as usize];
        }
        for color in Color::ALL {
            let rights = board.castle_rights(color);
            for (wing, right) in [rights.short, rights.long].into_iter().enumerate() {
                if let Some(file) = right {
                    key ^= REST.castling[color as usize][wing][file as usize];
                }
            }
        }
        key
    }

    /// What a legal move changes.
    #[inline(always)]
    fn changes(&self, mv: Move) -> Changes {
        let (from, to, color) = (mv.from(), mv.to(), self.color());
        let moved = self.pieces[from as usize].expect("a legal move begins on a piece");
        let lift = |piece, color, square| Change { piece, color, square, set: false };
        let set = |piece, color, square| Change { piece, color, square, set: true };
        let mut changes = Changes::new();
        match self.pieces[to as usize] {
            Some(Piece::Rook) if moved == Piece::King && self.state.board.colors(color).has(to) => {
                let (king, rook) = if from < to { (File::G, File::F) } else { (File::C, File::D) };
                let back = from.rank();
                changes.push(lift(Piece::King, color, from));
                changes.push(lift(Piece::Rook, color, to));
                changes.push(set(Piece::King, color, Square::new(king, back)));
                changes.push(set(Piece::Rook, color, Square::new(rook, back)));
                return changes;
            }
            Some(victim) => changes.push(lift(victim, !color, to)),
            None if moved == Piece::Pawn && from.file() != to.file() => {
                changes.push(lift(Piece::Pawn, !color, Square::new(to.file(), from.rank())));
            }
            None => {}
        }
        changes.push(lift(moved, color, from));
        changes.push(set(mv.promotion().unwrap_or(moved), color, to));
        changes
    }

    /// The standard start, with moves and positions written in the Chess960 form.
    pub fn chess960() -> Chess {
        Chess::of(Board::default(), true)
    }

    /// One of the 960 starts by its [number](https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme);
    /// 518 is the usual one.
    pub fn chess960_start(number: u32) -> Option<Chess> {
        (number < 960).then(|| Chess::of(Board::chess960_startpos(number), true))
    }

    /// The board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// Whether castling is written as the king taking its rook.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The kind of piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square as usize]
    }

    /// The color to move.
    #[inline(always)]
    pub fn color(&self) -> Color {
        self.state.board.side_to_move()
    }

    /// A key of the pawns alone.
    #[inline(always)]
    pub(crate) fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// A key of the pawns and the kings.
    #[inline(always)]
    pub(crate) fn pawns_and_kings_key(&self) -> u64 {
        Color::ALL.into_iter().fold(self.keys.pawns, |key, color| {
            key ^ NUMBERS[color as usize][Piece::King as usize][self.state.board.king(color) as usize]
        })
    }

    /// A key of the pieces of a color, without its pawns.
    #[inline(always)]
    pub(crate) fn piece_key(&self, color: Color) -> u64 {
        self.keys.pieces[color as usize]
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.state.board.checkers().is_empty()
    }

    /// Whether the move is castling: the king takes its own rook.
    #[inline(always)]
    pub(crate) fn is_castling(&self, mv: Move) -> bool {
        self.state.board.colors(self.color()).has(mv.to())
    }

    /// The piece that a move captures, en passant included.
    #[inline(always)]
    pub(crate) fn victim(&self, mv: Move) -> Option<Piece> {
        match self.piece_on(mv.to()) {
            Some(victim) => (!self.is_castling(mv)).then_some(victim),
            None => (self.piece_on(mv.from()) == Some(Piece::Pawn) && mv.from().file() != mv.to().file())
                .then_some(Piece::Pawn),
        }
    }

    /// Every legal move, even if the game is drawn by rule.
    #[inline(always)]
    pub(crate) fn each_move(&self, mut visit: impl FnMut(Move)) {
        let last_rank = Rank::Eighth.relative_to(self.color()).bitboard();
        self.state.board.generate_moves(|moves| {
            if moves.piece == Piece::Pawn {
                for to in moves.to & last_rank {
                    for piece in [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop] {
                        visit(Move::new(moves.from, to, Some(piece)));
                    }
                }
                moves.to & !last_rank
            } else {
                moves.to
            }
            .iter()
            .for_each(|to| visit(Move::new(moves.from, to, None)));
            false
        });
    }

    fn has_move(&self) -> bool {
        self.state.board.generate_moves(|_| true)
    }

    /// Whether neither side can ever mate: bare kings, one minor piece, or bishops on squares of one color only.
    #[inline(always)]
    pub fn is_dead(&self) -> bool {
        let board = &self.state.board;
        let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
        let one_color = bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
        (knights | bishops).len() <= 1 || (knights.is_empty() && one_color)
    }

    /// Whether the game is drawn by rule at a node `ply` below the root of a search. A repetition within the search
    /// counts at once, since it can be repeated again.
    #[inline(always)]
    pub(crate) fn is_drawn(&self, ply: usize) -> bool {
        let State { repeats, thrice, .. } = self.state;
        (repeats != 0 && (thrice || usize::from(repeats) <= ply)) || self.is_dead()
    }

    pub(crate) fn fifty_moves_are_over(&self) -> bool {
        self.state.board.halfmove_clock() >= FIFTY_MOVES
    }

    /// Moves since the last capture or pawn move.
    #[inline(always)]
    pub fn quiet_moves(&self) -> i32 {
        self.state.board.halfmove_clock().into()
    }

    /// Checks whether the position occurred before.
    #[inline(always)]
    fn note_repetition(&mut self) {
        let State { key, reversible, .. } = self.state;
        (self.state.repeats, self.state.thrice) = (0, false);
        for back in (4..=usize::from(reversible).min(KEPT - 1)).step_by(2) {
            if self.earlier[self.played.wrapping_sub(back) % KEPT] == key {
                if self.state.repeats != 0 {
                    self.state.thrice = true;
                    return;
                }
                self.state.repeats = back as u16;
            }
        }
    }

    /// Stores the key of the position before a move.
    #[inline(always)]
    fn remember(&mut self) -> u64 {
        let place = &mut self.earlier[self.played % KEPT];
        self.played += 1;
        std::mem::replace(place, self.state.key)
    }

    /// Passes, if the side to move is not in check.
    pub(crate) fn pass(&mut self) -> Option<Undo> {
        let board = self.state.board.null_move()?;
        let before = self.state.clone();
        let overwritten = self.remember();
        self.state = State { board, key: 0, reversible: 0, repeats: 0, thrice: false };
        self.state.key = self.full_key();
        Some(Undo { before, keys: self.keys, changes: Changes::new(), overwritten })
    }

    /// Takes a move or a pass back.
    #[inline(always)]
    pub(crate) fn restore(&mut self, undo: Undo) {
        self.state = undo.before;
        self.keys = undo.keys;
        self.played -= 1;
        self.earlier[self.played % KEPT] = undo.overwritten;
    }
}

/// What to restore when a move is undone.
#[derive(Clone)]
pub struct Undo {
    before: State,
    keys: Keys,
    changes: Changes,
    /// The key that the ring of earlier positions lost.
    overwritten: u64,
}

impl Game for Chess {
    type Move = Move;
    type Change = Change;
    type Undo = Undo;

    #[inline(always)]
    fn side(&self) -> Side {
        match self.color() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key
    }

    fn recomputed_key(&self) -> u64 {
        let board = BoardBuilder::from_board(&self.state.board).build().expect("a board in play is valid");
        Chess::of(board, self.chess960).state.key
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        if !self.is_drawn(0) && !self.fifty_moves_are_over() {
            self.each_move(|mv| out.push(mv));
        }
    }

    fn perft_moves(&self, out: &mut MoveList<Move>) {
        self.each_move(|mv| out.push(mv));
    }

    #[inline(always)]
    fn decode(&self, bits: u16) -> Option<Move> {
        let mv = Move::from_bits(bits)?;
        let legal = self.state.board.is_legal(mv.cozy()) && !self.is_drawn(0) && !self.fifty_moves_are_over();
        legal.then_some(mv)
    }

    #[inline(always)]
    fn likely_key(&self, mv: Move) -> Option<u64> {
        // Castling rights and the en passant square seldom change, and few moves castle, promote or capture en passant.
        let (from, to, color) = (mv.from() as usize, mv.to() as usize, self.color());
        let own = &NUMBERS[color as usize][self.pieces[from]? as usize];
        let taken = self.pieces[to].map_or(0, |victim| NUMBERS[!color as usize][victim as usize][to]);
        Some(self.state.key ^ REST.black ^ own[from] ^ own[to] ^ taken)
    }

    #[inline(always)]
    fn play<O: Observer<Change>>(&mut self, mv: Move, observer: &mut O) -> Undo {
        let (before, keys) = (self.state.clone(), self.keys);
        let changes = self.changes(mv);
        for &change in &changes {
            self.apply(change);
            observer.change(change);
        }
        let overwritten = self.remember();
        self.state.board.play_unchecked(mv.cozy());
        self.state.key = self.full_key();
        self.state.reversible = if self.quiet_moves() == 0 { 0 } else { before.reversible + 1 };
        self.note_repetition();
        Undo { before, keys, changes, overwritten }
    }

    #[inline(always)]
    fn undo<O: Observer<Change>>(&mut self, _: Move, undo: Undo, observer: &mut O) {
        for &change in undo.changes.iter().rev() {
            let back = Change { set: !change.set, ..change };
            self.pieces[back.square as usize] = back.set.then_some(back.piece);
            observer.change(back);
        }
        self.restore(undo);
    }

    fn recurs(&self) -> bool {
        self.state.reversible > 0
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.is_drawn(0) {
            Some(Outcome::Draw)
        } else if !self.has_move() {
            Some(if self.in_check() { Outcome::Win(self.side().other()) } else { Outcome::Draw })
        } else {
            self.fifty_moves_are_over().then_some(Outcome::Draw)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;
    use polyply_core::random::Random;

    #[test]
    fn everything_kept_incrementally_equals_what_is_computed_from_the_board() {
        let mut random = Random::new(3);
        for number in [518, 0, 959, 301] {
            let mut game = Chess::chess960_start(number).unwrap();
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let parts = |game: &Chess| (game.pieces, game.state.key, game.keys);
            while let Some(mv) = random.pick(&moves) {
                let before = parts(&game);
                let undo = game.play(mv, &mut ());
                game.undo(mv, undo, &mut ());
                assert_eq!(parts(&game), before, "{}", game.text());
                game.play(mv, &mut ());
                let fresh = Chess::of(game.state.board.clone(), true);
                assert_eq!(parts(&game), parts(&fresh), "{}", game.text());
                moves.clear();
                game.moves(&mut moves);
            }
        }
    }
}
