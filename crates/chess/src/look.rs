//! How chess looks.

use crate::moves::Move;
use crate::position::{Chess, en_passant};
use crate::refusals;
use crate::san::legal;
use cozy_chess::{
    BitBoard, Board, CastleRights, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};
use polyply_core::game::{Game, Side};
use polyply_core::look::{self, Layout, Look, MoveCells, Pieces, Surface, Unseen, Wishes};
use polyply_core::refusal::{Refusal, common};

/// The cell of a square, from the top left.
fn cell(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

const fn code(color: Color, piece: Piece) -> &'static str {
    const CODES: [[&str; 6]; 2] = [["wP", "wN", "wB", "wR", "wQ", "wK"], ["bP", "bN", "bB", "bR", "bQ", "bK"]];
    CODES[color as usize][piece as usize]
}

/// A castling right in the position editor.
struct Right {
    key: &'static str,
    letter: char,
    color: Color,
    short: bool,
}

const RIGHTS: [Right; 4] = [
    Right { key: "castles_white_short", letter: 'K', color: Color::White, short: true },
    Right { key: "castles_white_long", letter: 'Q', color: Color::White, short: false },
    Right { key: "castles_black_short", letter: 'k', color: Color::Black, short: true },
    Right { key: "castles_black_long", letter: 'q', color: Color::Black, short: false },
];

/// The key of the en passant square.
const PASSING: &str = "en_passant";
const NO_YES: [&str; 2] = ["no", "yes"];

impl Right {
    /// Whether king and rook are at home; in Chess960 that is anywhere on their rank, with the rook on its side of the
    /// king.
    fn is_possible(&self, codes: &[Option<&str>], chess960: bool) -> bool {
        let rank = Rank::First.relative_to(self.color);
        let stands =
            |file: File, piece| codes.get(cell(Square::new(file, rank))) == Some(&Some(code(self.color, piece)));
        let Some(king) = File::ALL.into_iter().find(|&file| stands(file, Piece::King)) else { return false };
        if !chess960 {
            return king == File::E && stands(if self.short { File::H } else { File::A }, Piece::Rook);
        }
        File::ALL.into_iter().any(|file| file != king && (file > king) == self.short && stands(file, Piece::Rook))
    }
}

/// Squares where the side to move could capture en passant, if the pawn there has just made two steps.
fn passing_squares(codes: &[Option<&str>], side: Side) -> Vec<String> {
    let own = if side == Side::First { Color::White } else { Color::Black };
    let at = |file: File, rank: Rank| codes.get(cell(Square::new(file, rank.relative_to(own)))).copied().flatten();
    let pawn = |color| Some(code(color, Piece::Pawn));
    let can = |&file: &File| {
        let beside = |&other: &File| (other as usize).abs_diff(file as usize) == 1;
        at(file, Rank::Fifth) == pawn(!own)
            && at(file, Rank::Sixth).is_none()
            && at(file, Rank::Seventh).is_none()
            && File::ALL.iter().filter(|other| beside(other)).any(|&other| at(other, Rank::Fifth) == pawn(own))
    };
    let square = |file| Square::new(file, Rank::Sixth.relative_to(own)).to_string();
    File::ALL.into_iter().filter(can).map(square).collect()
}

/// Whether the given value is `yes`.
fn says(wishes: &Wishes, key: &str, value: &str) -> bool {
    wishes.get(key).is_some_and(|wished| wished == value)
}

/// The square of a cell.
fn square(cell: usize) -> Square {
    Square::index(cell % 8 + 8 * (7 - cell / 8 % 8))
}

/// A piece as part of a sentence.
fn word(piece: Piece) -> Refusal {
    match piece {
        Piece::Pawn => refusals::pawn(),
        Piece::Knight => refusals::knight(),
        Piece::Bishop => refusals::bishop(),
        Piece::Rook => refusals::rook(),
        Piece::Queen => refusals::queen(),
        Piece::King => refusals::king(),
    }
}

/// Where a piece could go if kings did not matter.
fn reach(board: &Board, piece: Piece, from: Square, color: Color) -> BitBoard {
    let occupied = board.occupied();
    match piece {
        Piece::Pawn => {
            let takes = get_pawn_attacks(from, color) & board.colors(!color);
            takes | get_pawn_quiets(from, color, occupied)
        }
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
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
            walls: false,
            facing: true,
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
        // Castling is shown on the king's target; in Chess960, where the king may be there already, on its rook.
        let to = match self.is_castling(mv) && !self.is_chess960() {
            true if mv.to().file() > mv.from().file() => Square::new(File::G, rank),
            true => Square::new(File::C, rank),
            false => mv.to(),
        };
        let promotes = mv.promotion().map(|piece| code(self.color(), piece));
        MoveCells { from: Some(cell(mv.from())), to: Some(cell(to)), promotes }
    }

    fn checked(&self) -> Vec<usize> {
        if self.in_check() { vec![cell(self.board().king(self.color()))] } else { Vec::new() }
    }

    fn refused(&self, from: Option<usize>, to: usize) -> Option<Refusal> {
        if self.outcome().is_some() {
            return Some(common::game_over());
        }
        let leads = |cells: MoveCells| cells.to == Some(to) && from.is_none_or(|from| cells.from == Some(from));
        if legal(self).into_iter().any(|mv| leads(self.cells(mv))) {
            return None;
        }
        let (board, target) = (self.board(), square(to));
        let own = |square: Square| board.color_on(square) == Some(self.color());
        let Some(from) = from.map(square).filter(|&from| own(from)) else {
            let piece = self.piece_on(target).filter(|_| own(target));
            return Some(match piece {
                Some(_) if self.in_check() => refusals::answer_check(),
                Some(piece) => refusals::piece_stuck(word(piece)),
                None => refusals::choose_piece(),
            });
        };
        let piece = self.piece_on(from).unwrap_or(Piece::Pawn);
        Some(match () {
            () if own(target) => refusals::own_piece(target.to_string()),
            () if !reach(board, piece, from, self.color()).has(target) => {
                refusals::piece_way(word(piece), target.to_string())
            }
            () if self.in_check() && piece != Piece::King => refusals::answer_check(),
            () => refusals::king_exposed(),
        })
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

    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String {
        let letter = |code: &str| match code.split_at_checked(1) {
            Some(("w", man)) => man.to_owned(),
            Some((_, man)) => man.to_lowercase(),
            None => String::new(),
        };
        // A king and a rook at home may castle, since a board does not show whether they have moved.
        let wanted = |right: &Right| right.is_possible(codes, self.is_chess960()) && !says(wishes, right.key, "no");
        let castling: String = RIGHTS.iter().filter(|right| wanted(right)).map(|right| right.letter).collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let passing = passing_squares(codes, side).into_iter().find(|square| says(wishes, PASSING, square));
        let side = if side == Side::First { 'w' } else { 'b' };
        format!("{} {side} {castling} {} 0 1", look::rows(codes, 8, letter), passing.as_deref().unwrap_or("-"))
    }

    fn unseen(&self) -> Vec<Unseen> {
        let codes = self.codes();
        let right = |right: &Right| {
            let CastleRights { short, long } = *self.board().castle_rights(right.color);
            let has = if right.short { short } else { long }.is_some();
            Unseen { key: right.key, value: NO_YES[usize::from(has)].into(), values: NO_YES.map(String::from).to_vec() }
        };
        let possible = |right: &&Right| right.is_possible(&codes, self.is_chess960());
        let mut unseen: Vec<Unseen> = RIGHTS.iter().filter(possible).map(right).collect();
        let squares = passing_squares(&codes, self.side());
        if !squares.is_empty() {
            let value = en_passant(self.board()).map_or("-".into(), |square| square.to_string());
            let values = std::iter::once("-".into()).chain(squares).collect();
            unseen.push(Unseen { key: PASSING, value, values });
        }
        unseen
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
    fn a_king_in_check_is_marked_and_no_other() {
        let checked = |fen: &str| Chess::start().parse(fen).unwrap().checked();
        assert_eq!(checked("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"), [4]);
        assert_eq!(checked("4k3/8/8/8/8/8/8/K2R4 b - - 0 1"), []);
    }

    #[test]
    fn castling_and_taking_in_passing_can_be_set_up() {
        let game = Chess::start().parse("r3k3/8/8/3pP2p/8/8/8/4K2R w K d6 0 1").unwrap();
        let told: Vec<_> = game.unseen().into_iter().map(|one| (one.key, one.value, one.values.len())).collect();
        let known = |key, value: &str, values| (key, value.to_owned(), values);
        let long = known("castles_black_long", "no", 2);
        assert_eq!(told, [known("castles_white_short", "yes", 2), long, known("en_passant", "d6", 2)]);
        let text = |wishes: &[(&str, &str)]| {
            let wishes = wishes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
            game.arranged(&game.codes(), Side::First, &wishes)
        };
        assert_eq!(text(&[]), "r3k3/8/8/3pP2p/8/8/8/4K2R w Kq - 0 1");
        let wishes = [("castles_white_short", "no"), ("castles_black_long", "yes"), ("en_passant", "d6")];
        assert_eq!(text(&wishes), "r3k3/8/8/3pP2p/8/8/8/4K2R w q d6 0 1");
        // No pawn stands beside the one on h5.
        assert!(text(&[("en_passant", "h6")]).contains(" - 0 1"));
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
