//! Reductions: late moves are searched less deep.

use super::prune::LateMoves;
use crate::params::SearchParams;
use crate::score::Score;

const DEPTHS: usize = 64;
const MOVES: usize = 64;
/// Reductions are computed in 1/1024 of a ply.
const PLY: i32 = 1024;

/// What the reduction of a late move depends on.
#[derive(Clone, Copy)]
pub(crate) struct Lateness {
    pub depth: i32,
    pub number: usize,
    pub pv: bool,
    pub cut: bool,
    pub improving: bool,
    pub tactical: bool,
    pub refutation: bool,
    pub hash_tactical: bool,
    pub history: i32,
}

/// Tables for reductions and late move pruning, computed once from the parameters.
pub(crate) struct Reductions {
    /// The log-log part of the reduction.
    plies: [[i32; MOVES]; DEPTHS],
    pub late_moves: LateMoves,
}

impl Reductions {
    pub fn new(params: &SearchParams) -> Self {
        let base = f64::from(params.lmr_base) / 100.0;
        let divisor = f64::from(params.lmr_divisor) / 100.0;
        let entry = |depth: usize, number: usize| {
            let logs = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            ((base + logs / divisor) * f64::from(PLY)) as i32
        };
        Reductions {
            plies: std::array::from_fn(|depth| std::array::from_fn(|number| entry(depth, number))),
            late_moves: LateMoves::new(params),
        }
    }

    /// How many plies a late move is searched less deep; 0 where late move reduction is off.
    pub fn late(&self, params: &SearchParams, move_: Lateness) -> i32 {
        if params.lmr == 0 || move_.depth < 2 || move_.number < 2 {
            return 0;
        }
        let depth = (move_.depth as usize).min(DEPTHS - 1);
        let mut reduction = self.plies[depth][move_.number.min(MOVES - 1)];
        reduction += if move_.cut { PLY } else { 0 };
        reduction += if move_.hash_tactical && !move_.tactical { PLY / 2 } else { 0 };
        reduction -= if move_.pv { PLY } else { 0 };
        reduction -= if move_.improving { PLY / 2 } else { 0 };
        reduction -= if move_.tactical { PLY } else { 0 };
        reduction -= if move_.refutation { PLY } else { 0 };
        reduction -= move_.history * PLY / params.lmr_history;
        (reduction / PLY).clamp(0, move_.depth - 1)
    }
}

/// Without a hash move the order of moves is poor: search a ply less deep, and the next visit will have one.
pub(crate) fn internal_iterative(params: &SearchParams, depth: i32, hash_known: bool, pv_or_cut: bool) -> i32 {
    let applies = params.iir != 0 && !hash_known && pv_or_cut && depth >= params.iir_depth;
    i32::from(applies)
}

/// The evaluation is so far above beta that a cutoff is almost certain: a search of one ply less shows it as well.
pub(crate) fn likely_high(params: &SearchParams, eval: Score, beta: Score, depth: i32) -> bool {
    params.fail_high != 0 && eval >= beta + params.fail_high_margin * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_are_reduced_more_and_promising_ones_less() {
        let params = SearchParams::default();
        let reductions = Reductions::new(&params);
        let quiet = Lateness {
            depth: 8,
            number: 10,
            pv: false,
            cut: false,
            improving: false,
            tactical: false,
            refutation: false,
            hash_tactical: false,
            history: 0,
        };
        let plies = |move_| reductions.late(&params, move_);
        assert!(plies(quiet) >= 1);
        assert!(plies(Lateness { depth: 20, number: 40, ..quiet }) > plies(quiet));
        assert!(plies(Lateness { pv: true, ..quiet }) < plies(quiet));
        assert!(plies(Lateness { cut: true, ..quiet }) > plies(quiet));
        assert!(plies(Lateness { history: 16_000, ..quiet }) < plies(quiet));
        assert_eq!(plies(Lateness { number: 1, ..quiet }), 0);
        assert_eq!(reductions.late(&SearchParams { lmr: 0, ..params.clone() }, quiet), 0);
    }
}
