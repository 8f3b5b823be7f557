//! Positions in [FEN], moves in UCI notation.
//!
//! Castling rights are read in all common forms: `KQkq`, X-FEN (`K` is the outermost rook) and Shredder-FEN (the files
//! of the rooks). The last two fields may be left out, as in EPD. An en passant square is written only if the capture
//! is legal, so that a position has only one text.
//!
//! [FEN]: https://www.chessprogramming.org/Forsyth-Edwards_Notation

use crate::moves::Move;
use crate::position::{Chess, en_passant};
use crate::refusals;
use crate::san;
use cozy_chess::{
    Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use polyply_core::game::{Game, Notation};
use polyply_core::refusal::{Refusal, common};

/// The letters of the pieces, in the order of [`Piece::ALL`].
pub(crate) const LETTERS: [char; Piece::NUM] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// The kind of piece of an upper-case letter.
pub(crate) fn piece_of(letter: char) -> Option<Piece> {
    LETTERS.iter().position(|&known| known == letter).map(Piece::index)
}

/// The letter of a piece: upper case is White.
fn letter_of(piece: Piece, color: Color) -> char {
    let letter = LETTERS[piece as usize];
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

/// The color and kind of piece that a letter stands for.
fn read_piece(letter: char) -> Option<(Piece, Color)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((piece_of(letter.to_ascii_uppercase())?, color))
}

/// Parses the placement of the pieces.
fn read_pieces(text: &str, builder: &mut BoardBuilder) -> Result<(), Refusal> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(common::row_count(Rank::NUM, rows.len()));
    }
    for (row, rank) in rows.iter().zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                _ => {
                    let piece = read_piece(letter).ok_or_else(|| refusals::not_a_piece(letter))?;
                    if file < File::NUM {
                        *builder.square_mut(Square::new(File::index(file), rank)) = Some(piece);
                    }
                    file += 1;
                }
            }
        }
        if file != File::NUM {
            return Err(refusals::rank_length(rank as usize + 1, file));
        }
    }
    Ok(())
}

/// Fails if the pieces are impossible.
fn check_pieces(builder: &BoardBuilder) -> Result<(), Refusal> {
    for (color, name) in [(Color::White, refusals::white()), (Color::Black, refusals::black())] {
        let count = |piece| builder.board.iter().filter(|&&here| here == Some((piece, color))).count();
        match count(Piece::King) {
            1 => {}
            0 => return Err(refusals::no_king(name)),
            kings => return Err(refusals::many_kings(name, kings)),
        }
        if count(Piece::Pawn) > 8 {
            return Err(refusals::many_pawns(name));
        }
        if Piece::ALL.into_iter().map(count).sum::<usize>() > 16 {
            return Err(refusals::many_pieces(name));
        }
    }
    let pawn = |square: Square| matches!(builder.square(square), Some((Piece::Pawn, _)));
    if File::ALL.into_iter().any(|file| pawn(Square::new(file, Rank::First)) || pawn(Square::new(file, Rank::Eighth))) {
        return Err(refusals::pawn_rank());
    }
    Ok(())
}

/// Parses castling rights, after the pieces are placed.
fn read_castling(text: &str, builder: &mut BoardBuilder) -> Result<(), Refusal> {
    if text == "-" {
        return Ok(());
    }
    let refuse = || refusals::castling_rights(text);
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back = Rank::First.relative_to(color);
        let on = |file: File, piece| builder.square(Square::new(file, back)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|&file| on(file, Piece::King)).ok_or_else(refuse)?;
        let rook = match letter.to_ascii_uppercase() {
            'K' => File::ALL.into_iter().rev().find(|&file| on(file, Piece::Rook)),
            'Q' => File::ALL.into_iter().find(|&file| on(file, Piece::Rook)),
            file @ 'A'..='H' => Some(File::index(file as usize - 'A' as usize)).filter(|&file| on(file, Piece::Rook)),
            _ => None,
        };
        let rook = rook.ok_or_else(refuse)?;
        let short = rook > king;
        if (letter.eq_ignore_ascii_case(&'K') && !short) || (letter.eq_ignore_ascii_case(&'Q') && short) {
            return Err(refuse());
        }
        let CastleRights { short: right, long: left } = builder.castle_rights_mut(color);
        *if short { right } else { left } = Some(rook);
    }
    Ok(())
}

/// Parses one of the two counters.
fn read_counter<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Whether a piece of `by` attacks the king of the other color.
fn gives_check(builder: &BoardBuilder, by: Color) -> bool {
    let place = |piece, color| Square::ALL.into_iter().filter(move |&at| builder.square(at) == Some((piece, color)));
    let Some(king) = place(Piece::King, !by).next() else { return false };
    let occupied = Square::ALL.into_iter().filter(|&at| builder.square(at).is_some()).collect();
    let attacks = |piece| match piece {
        Piece::Pawn => get_pawn_attacks(king, !by),
        Piece::Knight => get_knight_moves(king),
        Piece::Bishop => get_bishop_moves(king, occupied),
        Piece::Rook => get_rook_moves(king, occupied),
        Piece::Queen => get_bishop_moves(king, occupied) | get_rook_moves(king, occupied),
        Piece::King => get_king_moves(king),
    };
    Piece::ALL.into_iter().any(|piece| place(piece, by).any(|square| attacks(piece).has(square)))
}

/// Parses a board.
fn read(text: &str) -> Result<Board, Refusal> {
    let mut fields = text.split_ascii_whitespace();
    let mut builder = BoardBuilder::empty();
    read_pieces(fields.next().ok_or_else(refusals::position_empty)?, &mut builder)?;
    check_pieces(&builder)?;
    builder.side_to_move = match fields.next() {
        Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(common::side_unknown("w", "b", other)),
        None => return Err(common::side_missing("w", "b")),
    };
    read_castling(fields.next().unwrap_or("-"), &mut builder)?;
    builder.en_passant = match fields.next().unwrap_or("-") {
        "-" => None,
        square => Some(square.parse().map_err(|_| refusals::not_a_passing_square(square))?),
    };
    let (quiet, number) = (fields.next().unwrap_or("0"), fields.next().unwrap_or("1"));
    builder.halfmove_clock = read_counter(quiet).ok_or_else(|| refusals::halfmove_clock(quiet))?;
    builder.fullmove_number = read_counter(number).ok_or_else(|| refusals::move_number(number))?;
    if fields.next().is_some() {
        return Err(refusals::extra_fields());
    }
    if gives_check(&builder, builder.side_to_move) {
        return Err(refusals::other_in_check());
    }
    builder.build().map_err(|error| match error {
        BoardBuilderError::InvalidBoard => refusals::impossible_pieces(),
        BoardBuilderError::InvalidCastlingRights => refusals::impossible_castling(),
        BoardBuilderError::InvalidEnPassant => refusals::impossible_passing(),
        BoardBuilderError::InvalidHalfMoveClock => refusals::too_many_halfmoves(),
        BoardBuilderError::InvalidFullmoveNumber => refusals::move_zero(),
    })
}

/// The rights as `KQkq` if kings and rooks are on their usual squares, else by the files of the rooks.
fn castling_text(board: &Board, by_file: bool) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let CastleRights { short, long } = *board.castle_rights(color);
        for (rook, usual) in [(short, 'K'), (long, 'Q')] {
            if let Some(rook) = rook {
                let letter = if by_file { (b'A' + rook as u8) as char } else { usual };
                text.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
            }
        }
    }
    if text.is_empty() { "-".into() } else { text }
}

/// Whether every king and rook that may castle is on its square of standard chess.
fn castles_as_usual(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let CastleRights { short, long } = *board.castle_rights(color);
        let none = short.is_none() && long.is_none();
        let rooks = short.unwrap_or(File::H) == File::H && long.unwrap_or(File::A) == File::A;
        none || (rooks && board.king(color).file() == File::E)
    })
}

impl Chess {
    /// The target of castling as it is written: the rook's square in Chess960, two squares aside in standard chess.
    fn castling_target(&self, mv: Move) -> Square {
        if self.is_chess960() || !castles_as_usual(self.board()) {
            return mv.to();
        }
        let file = if mv.from() < mv.to() { File::G } else { File::C };
        Square::new(file, mv.from().rank())
    }

    /// Parses a move in UCI notation. Castling is accepted in both forms unless another move is meant.
    fn read_uci(&self, text: &str) -> Option<Move> {
        let cozy_chess::Move { from, to, promotion } = text.parse().ok()?;
        let mv = self.decode(Move::new(from, to, promotion).into());
        let castled = || {
            let king = self.board().king(self.color());
            let CastleRights { short, long } = *self.board().castle_rights(self.color());
            let rook = match to.file() {
                File::G => short,
                File::C => long,
                _ => None,
            }?;
            let usual = from == king && from.file() == File::E && to.rank() == from.rank() && promotion.is_none();
            self.decode(Move::new(from, Square::new(rook, from.rank()), None).into()).filter(|_| usual)
        };
        mv.or_else(castled)
    }
}

impl Notation for Chess {
    fn start() -> Self {
        Chess::of(Board::default(), false)
    }

    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        Ok(Chess::of(read(text)?, self.is_chess960()))
    }

    fn text(&self) -> String {
        let board = self.board();
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let (Some(piece), Some(color)) = (self.piece_on(square), board.color_on(square)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter_of(piece, color));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank == Rank::First { ' ' } else { '/' });
        }
        let side = if self.color() == Color::White { 'w' } else { 'b' };
        let castling = castling_text(board, self.is_chess960() || !castles_as_usual(board));
        let passing = en_passant(board).map_or("-".into(), |square| square.to_string());
        let (quiet, number) = (board.halfmove_clock(), board.fullmove_number());
        text + &format!("{side} {castling} {passing} {quiet} {number}")
    }

    fn parse_move(&self, text: &str) -> Result<Move, Refusal> {
        if self.outcome().is_some() {
            return Err(common::game_over());
        }
        self.read_uci(text).map_or_else(|| san::parse(self, text), Ok)
    }

    fn move_text(&self, mv: Move) -> String {
        let castling = self.is_castling(mv);
        let to = if castling { self.castling_target(mv) } else { mv.to() };
        let becomes = mv.promotion().map(|piece| letter_of(piece, Color::Black));
        format!("{}{to}{}", mv.from(), becomes.map_or(String::new(), String::from))
    }

    fn short_text(&self, mv: Move) -> String {
        crate::san::text(self, mv)
    }

    fn board(&self) -> String {
        let mut drawing = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            drawing += &format!("{} ", rank as usize + 1);
            for file in File::ALL {
                let square = Square::new(file, rank);
                let piece = self.piece_on(square).zip(self.board().color_on(square));
                drawing += &format!(" {}", piece.map_or('.', |(piece, color)| letter_of(piece, color)));
            }
            drawing.push('\n');
        }
        drawing + "\n   a b c d e f g h"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Chess::start().parse(text).map(|game| game.text()).expect_err(text).to_string()
    }

    #[test]
    fn positions_that_can_not_be_are_refused_with_the_reason() {
        for (text, reason) in [
            ("", "empty"),
            ("8/8/8/8/8/8/8 w - - 0 1", "8 rows separated by `/`, not 7"),
            ("k7/8/8/8/8/8/8/K8 w - - 0 1", "rank 1 has 9 squares"),
            ("k7/8/8/8/8/8/8/K5 w - - 0 1", "rank 1 has 6 squares"),
            ("k7/8/8/8/8/8/8/KX6 w - - 0 1", "`X` is no piece"),
            ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "White has 2 kings"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
            ("k7/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1", "more than 8 pawns"),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
            ("k7/8/8/8/8/8/8/K6r b - - 0 1", "not to move is in check"),
            ("k7/8/8/8/8/8/8/K7", "side to move is missing"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "`w` or `b`, not `x`"),
            ("k7/8/8/8/8/8/8/K7 w KQ - 0 1", "castling rights"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "two steps"),
            ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "no square"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 200 1", "100 half-moves"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "counted from 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "six fields"),
        ] {
            assert!(refusal(text).contains(reason), "{text}: {}", refusal(text));
        }
    }

    #[test]
    fn castling_rights_are_read_in_all_forms() {
        let text = |game: Chess, fen: &str| game.parse(fen).unwrap().text();
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(text(Chess::start(), usual), usual);
        assert_eq!(text(Chess::start(), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"), usual);
        assert_eq!(text(Chess::chess960(), usual), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
        // X-FEN: the outermost rook is meant, whatever stands between.
        let inner = "1k1r2r1/8/8/8/8/8/8/1K1R2R1 w Kk - 0 1";
        assert_eq!(text(Chess::chess960(), inner), "1k1r2r1/8/8/8/8/8/8/1K1R2R1 w Gg - 0 1");
    }

    #[test]
    fn castling_is_written_as_the_variant_has_it_and_read_both_ways() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (game, short) in [(Chess::start(), "e1g1"), (Chess::chess960(), "e1h1")] {
            let game = game.parse(fen).unwrap();
            for text in ["e1g1", "e1h1", "O-O"] {
                let mv = game.parse_move(text).unwrap();
                assert_eq!(game.move_text(mv), short, "{text}");
            }
        }
    }

    #[test]
    fn a_pawn_that_can_not_be_taken_in_passing_is_not_written() {
        let text = |fen: &str| Chess::start().parse(fen).unwrap().text();
        assert!(text("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").contains(" b - - "));
        assert!(text("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").contains(" b - e3 "));
        // Taking would leave the king in check along the rank.
        assert!(text("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1").contains(" b - - "));
    }
}
