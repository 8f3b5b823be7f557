//! [Syzygy tables]: the results of endgames with few pieces.
//!
//! The prober keeps its tables for the whole process, so they are opened once for all games. The search probes right
//! after a capture or pawn move, where the fifty-move rule can't change the result. At the root only those moves are
//! searched that keep the result and lead fastest to the next capture or pawn move, so that a won game is really won.
//!
//! [Syzygy tables]: https://www.chessprogramming.org/Syzygy_Bases

use crate::moves::Move;
use crate::position::{Chess, en_passant};
use crate::refusals;
use cozy_chess::{
    BitBoard, CastleRights, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use polyply_core::game::{Game, Proof, Staged};
use polyply_core::lock::unpoisoned;
use polyply_core::refusal::Refusal;
use polyply_core::score::Score;
use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, TableBases, WdlProbeResult};
use std::path::Path;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static TABLES: RwLock<Option<TableBases<Attacks>>> = RwLock::new(None);
/// The largest number of pieces that there are tables for; 0 without tables. Kept separately, so that checking it is
/// cheap.
static PIECES: AtomicU32 = AtomicU32::new(0);

/// The attacks of pieces, for the prober.
#[derive(Clone)]
struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = if color == pyrrhic_rs::Color::White { Color::White } else { Color::Black };
        get_pawn_attacks(Square::index(square as usize), color).0
    }
    fn knight_attacks(square: u64) -> u64 {
        get_knight_moves(Square::index(square as usize)).0
    }
    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        get_bishop_moves(Square::index(square as usize), BitBoard(occupied)).0
    }
    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        get_rook_moves(Square::index(square as usize), BitBoard(occupied)).0
    }
    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(square, occupied) | Self::rook_attacks(square, occupied)
    }
    fn king_attacks(square: u64) -> u64 {
        get_king_moves(Square::index(square as usize)).0
    }
}

/// Opens the tables in these directories, separated by `:`, in place of those that were open; an empty text closes
/// them. Returns the largest number of pieces. After an error no tables are open.
pub fn open(directories: &str) -> Result<u32, Refusal> {
    let mut tables = unpoisoned(TABLES.write());
    PIECES.store(0, Relaxed);
    // The prober holds one set of tables at a time.
    *tables = None;
    let directories = directories.trim();
    if directories.is_empty() {
        return Ok(0);
    }
    // Checked first, because the prober can't handle a directory without tables, and does not tell the number of
    // pieces.
    let pieces = directories.split(':').filter_map(most_pieces).max();
    let pieces = pieces.ok_or_else(|| refusals::no_tables(directories))?;
    let opened = TableBases::new(directories).map_err(|_| refusals::tables_unopened(directories))?;
    *tables = Some(opened);
    PIECES.store(pieces, Relaxed);
    Ok(pieces)
}

/// The pieces of the largest table in a directory, by the names of the files, as in `KQvKR.rtbw`.
fn most_pieces(directory: &str) -> Option<u32> {
    let pieces = |name: &str| {
        let (white, black) = name.strip_suffix(".rtbw")?.split_once('v')?;
        Some((white.len() + black.len()) as u32)
    };
    let files = Path::new(directory).read_dir().ok()?;
    files.filter_map(|file| pieces(file.ok()?.file_name().to_str()?)).max()
}

impl Chess {
    /// Whether there may be a table for this position.
    #[inline(always)]
    fn is_in_tables(&self) -> bool {
        let pieces = PIECES.load(Relaxed);
        pieces != 0 && self.board().occupied().len() <= pieces && {
            let none = |color| *self.board().castle_rights(color) == CastleRights::EMPTY;
            none(Color::White) && none(Color::Black)
        }
    }

    /// What the tables prove.
    #[inline(always)]
    pub(crate) fn table_proof(&self) -> Proof {
        if self.quiet_moves() != 0 || !self.is_in_tables() { Proof::OPEN } else { self.look_up() }
    }

    #[cold]
    fn look_up(&self) -> Proof {
        let tables = unpoisoned(TABLES.read());
        let Some(tables) = tables.as_ref() else { return Proof::OPEN };
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = self.bits();
        let (passing, white_moves) = (self.passing(), self.color() == Color::White);
        let found = tables.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, passing, white_moves);
        found.map_or(Proof::OPEN, proof_of)
    }

    /// The best moves at the root, by the tables.
    pub(crate) fn table_moves(&self) -> Option<Staged<Move>> {
        let known = self.table_results();
        let best = known.iter().map(|(_, result)| worth(result)).max()?;
        let line: Vec<Move> = known.iter().filter(|(_, result)| worth(result) == best).map(|&(mv, _)| mv).collect();
        Some(Staged { stage: "tablebase", line, score: None })
    }

    /// What the tables say of each move, with the fifty-move rule; nothing without tables.
    pub(crate) fn table_results(&self) -> Vec<(Move, DtzResult)> {
        if !self.is_in_tables() {
            return Vec::new();
        }
        // Locked, because the prober's root probe is not thread-safe.
        let tables = unpoisoned(TABLES.write());
        let Some(tables) = tables.as_ref() else { return Vec::new() };
        let [white, black, kings, queens, rooks, bishops, knights, pawns] = self.bits();
        let (quiet, passing, white_moves) = (self.quiet_moves() as u32, self.passing(), self.color() == Color::White);
        let found =
            tables.probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, quiet, passing, white_moves);
        let Ok(found) = found else { return Vec::new() };
        let result = |value: &DtzProbeValue| match value {
            DtzProbeValue::DtzResult(result) => Some((self.decode(bits_of(result))?, *result)),
            _ => None,
        };
        found.moves[..found.num_moves].iter().filter_map(result).collect()
    }

    /// The board in the prober's format.
    fn bits(&self) -> [u64; 8] {
        let board = self.board();
        let piece = |piece| board.pieces(piece).0;
        [
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            piece(Piece::King),
            piece(Piece::Queen),
            piece(Piece::Rook),
            piece(Piece::Bishop),
            piece(Piece::Knight),
            piece(Piece::Pawn),
        ]
    }

    /// The en passant square, 0 for none.
    fn passing(&self) -> u32 {
        en_passant(self.board()).map_or(0, |square| square as u32)
    }
}

fn bits_of(result: &DtzResult) -> u16 {
    let square = |index: u8| Square::index(usize::from(index & 63));
    let promotion = match result.promotion {
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        _ => None,
    };
    Move::new(square(result.from_square), square(result.to_square), promotion).into()
}

/// A result as bounds: the tables do not contain distances to mate. With the fifty-move rule, the cursed wins are draws.
pub(crate) fn proof_of(result: WdlProbeResult) -> Proof {
    match result {
        WdlProbeResult::Win => Proof::WON,
        WdlProbeResult::Loss => Proof::LOST,
        _ => Proof::exactly(Score::ZERO),
    }
}

/// Better results first; among wins the fastest, among losses the slowest.
fn worth(result: &DtzResult) -> (i32, i32) {
    let distance = i32::from(result.dtz);
    match result.wdl {
        WdlProbeResult::Win => (2, -distance),
        WdlProbeResult::CursedWin => (1, -distance),
        WdlProbeResult::Draw => (0, 0),
        WdlProbeResult::BlessedLoss => (-1, distance),
        WdlProbeResult::Loss => (-2, distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_without_tables_is_refused_and_none_is_no_error() {
        assert_eq!(open("/nowhere/at/all"), Err(refusals::no_tables("/nowhere/at/all")));
        assert_eq!(open(""), Ok(0));
        assert_eq!(open("  "), Ok(0));
    }
}
