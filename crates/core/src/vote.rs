//! Which thread's answer counts at the end of a search.

use crate::score::Score;
use crate::stats::Stats;

/// What one thread found.
pub(crate) struct ThreadResult {
    pub best: u16,
    pub score: Score,
    pub depth: i32,
    pub seldepth: usize,
    /// It finished the last iteration of a search with a depth, before the main thread did.
    pub done: bool,
    pub stats: Stats,
}

/// The thread whose answer counts. Each thread votes for its move, with a weight that grows with its depth and its
/// score. A proven win beats all votes, and the shortest win all others.
pub(crate) fn vote(results: &[ThreadResult]) -> usize {
    let worst = results.iter().map(|result| result.score).min().unwrap_or_default();
    let weight = |result: &ThreadResult| i64::from(result.score - worst + 14) * i64::from(result.depth);
    let votes = |best: u16| results.iter().filter(|result| result.best == best).map(weight).sum::<i64>();
    let mut chosen = 0;
    for (index, result) in results.iter().enumerate().skip(1) {
        let current = &results[chosen];
        let better = if current.score.is_loss() || result.score.is_loss() {
            // A heuristic score does not outvote a proven loss.
            result.depth > 0
                && result.score.is_decisive()
                && (!current.score.is_decisive() || result.score > current.score)
        } else if current.score.is_win() || result.score.is_win() {
            result.score > current.score && result.depth > 0
        } else {
            (votes(result.best), weight(result)) > (votes(current.best), weight(current))
        };
        if better {
            chosen = index;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(best: u16, score: i32, depth: i32) -> ThreadResult {
        ThreadResult { best, score: Score::eval(score), depth, seldepth: 0, done: false, stats: Stats::default() }
    }

    #[test]
    fn the_majority_wins_unless_someone_has_a_proof() {
        assert_eq!(vote(&[result(1, 10, 8), result(2, 12, 8), result(2, 11, 8)]), 1);
        assert_eq!(vote(&[result(1, 10, 9), result(1, 10, 8)]), 0);
        let win = |plies| ThreadResult { score: Score::win_in(plies), ..result(3, 0, 5) };
        assert_eq!(vote(&[result(1, 10, 9), result(1, 10, 9), win(9), win(5)]), 3);
    }

    #[test]
    fn a_proven_loss_is_not_outvoted_by_a_guess() {
        let loss = |plies| ThreadResult { score: Score::loss_in(plies), ..result(3, 0, 5) };
        assert_eq!(vote(&[loss(4), result(1, 10, 9), result(1, 10, 9)]), 0);
        assert_eq!(vote(&[result(1, 10, 9), loss(4), loss(6)]), 2);
    }
}
