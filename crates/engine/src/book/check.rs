//! Checking a book: no move that would be played may lose by force.
//!
//! A position of the book was searched, but the last move of a line leads to one that was not. [`BookWriter::unchecked`]
//! lists those, for the builder to search. One that is won for the side to move is stored like any position, which
//! corrects the value of the move; for the others the book remembers that they were looked at.

use super::BookWriter;
use super::file::refuse;
use super::weigh::moves_of;
use polyply_core::refusal::Refusal;
use polyply_games::{Board, PositionSpec, Variant};
use rusqlite::Row;
use std::collections::HashSet;

impl BookWriter {
    /// The positions after moves that would be played, as far as they were not searched with so many nodes, neither for
    /// the book nor to check the move.
    pub fn unchecked(&self, variant: &Variant, nodes: u64) -> Result<Vec<Board>, Refusal> {
        let positions = self.positions()?;
        let mut seen = self.checked(nodes)?;
        let known = positions.iter().filter(|position| position.nodes >= nodes || position.is_finished);
        seen.extend(known.map(|position| position.key));
        let mut unchecked = Vec::new();
        for position in positions.iter().filter(|position| position.nodes > 0) {
            let board = Board::at(variant, &PositionSpec::new(Some(&position.position), &[]))?;
            let entries = position.moves.iter().map(|(entry, ..)| entry.clone()).collect();
            for mv in moves_of(&board, entries).iter().filter(|mv| mv.weight > 0) {
                let after = board.after(&mv.mv)?;
                if after.outcome().is_none() && seen.insert(after.canonical_key()) {
                    unchecked.push(after);
                }
            }
        }
        Ok(unchecked)
    }

    /// The keys of positions that were searched with so many nodes to check the move before.
    fn checked(&self, nodes: u64) -> Result<HashSet<u64>, Refusal> {
        let query = "SELECT DISTINCT after FROM moves WHERE checked >= ?1";
        let mut keys = self.connection.prepare_cached(query).map_err(refuse)?;
        let key = |row: &Row<'_>| row.get::<_, i64>(0).map(|key| key as u64);
        keys.query_map([nodes as i64], key).and_then(Iterator::collect).map_err(refuse)
    }

    /// Remembers that a search with so many nodes has not refuted the moves that lead to a position.
    pub fn set_checked(&mut self, board: &Board, nodes: u64) -> Result<(), Refusal> {
        let update = "UPDATE moves SET checked = ?2 WHERE after = ?1";
        let values = [board.canonical_key() as i64, nodes as i64];
        self.connection.execute(update, values).map(drop).map_err(refuse)
    }
}
