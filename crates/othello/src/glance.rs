//! What people see of Othello: corners and edges at once, quiet moves late.

use crate::position::Othello;
use crate::search::Params;
use crate::square::{C_SQUARES, CORNERS, Square, X_SQUARES};
use polyply_core::game::{Class, MoveSink, SearchGame};
use polyply_core::glance::Glance;

/// The squares of the edge.
const EDGE: u64 = 0xff81_8181_8181_81ff;
/// A move that flips no more is quiet.
const QUIET_FLIPS: u32 = 2;

impl Othello {
    /// The legal moves. Beginners like to flip much, which is called aggression here, and fear no square beside a corner.
    pub(crate) fn seen_by_people(&self) -> Vec<Glance<Square>> {
        let mut ordered = Vec::with_capacity(64);
        self.order(Class::Quiet, &Params::default(), &mut MoveSink::new(&mut ordered));
        if ordered.is_empty() {
            return vec![Glance::ordinary(Square::PASS, 0)];
        }
        let board = self.discs();
        let glance = |(square, appeal): (Square, i32)| {
            let flips = board.flips(square);
            let count = flips.count_ones();
            let bit = square.bit();
            let aggression = (20 * count as i32 - 60).clamp(-100, 100) as i8;
            let seen = Glance { aggression, ..Glance::ordinary(square, appeal) };
            if bit & CORNERS != 0 {
                seen.with_motif("corner", 10)
            } else if board.after(bit, flips).moves() == 0 {
                seen.with_motif("no_reply", 50)
            } else if bit & (X_SQUARES | C_SQUARES) != 0 {
                seen.with_motif("beside_corner", 25)
            } else if bit & EDGE != 0 {
                seen.with_motif("edge", 20)
            } else if count <= QUIET_FLIPS {
                seen.with_motif("quiet", 60)
            } else {
                seen
            }
        };
        ordered.into_iter().map(|scored| glance((scored.mv, scored.score))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    #[test]
    fn everybody_sees_a_corner_and_few_a_quiet_move() {
        let corner =
            Othello::start().parse("-OX------OX------OX--------------------------------------------- X").unwrap();
        let seen = corner.seen_by_people();
        let of = |square: &str| {
            let square = corner.parse_move(square).unwrap();
            seen.iter().find(|glance| glance.mv == square).unwrap()
        };
        assert_eq!(of("a1").motif, Some("corner"));
        let quiet = Othello::start().seen_by_people();
        assert!(quiet.iter().all(|glance| glance.motif == Some("quiet") && glance.subtlety > of("a1").subtlety));
    }
}
