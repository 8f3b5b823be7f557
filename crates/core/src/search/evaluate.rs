//! The static evaluation of a node.

use super::Search;
use crate::game::{Evaluation, SearchGame};
use crate::score::{FirstScore, Score};
use crate::table::{Bound, Entry};

/// A static evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Evaluated {
    /// As the game gives it; this goes into tables.
    pub raw: Score,
    /// Corrected by what was learned about its errors.
    pub corrected: Score,
}

/// A score or bound that a search found says something else than the static evaluation.
#[inline(always)]
pub(super) fn contradicts(bound: Bound, score: Score, eval: Score) -> bool {
    match bound {
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
        Bound::Exact => true,
    }
}

impl<G: SearchGame> Search<'_, G> {
    /// The static evaluation, from the entry of the Search TT if it has one.
    #[inline(always)]
    pub fn evaluate(&mut self, hash: Option<(Entry, Score)>, ply: usize) -> Evaluated {
        self.evaluate_unless_known(hash.and_then(|(entry, _)| entry.eval), ply)
    }

    /// The static evaluation, unless it is known.
    fn evaluate_unless_known(&mut self, known: Option<FirstScore>, ply: usize) -> Evaluated {
        let raw = match known {
            Some(eval) => eval.for_side(self.game.side()),
            None => self.raw_eval(),
        };
        Evaluated { raw, corrected: self.corrected(raw, ply) }
    }

    /// The static evaluation, or the score of the entry if that contradicts it: a search knows better.
    #[inline(always)]
    pub fn sharper_eval(&self, hash: Option<(Entry, Score)>, eval: Score) -> Score {
        match hash {
            Some((entry, score))
                if self.params.tt_eval != 0 && !score.is_decisive() && contradicts(entry.bound, score, eval) =>
            {
                score
            }
            _ => eval,
        }
    }

    /// The static evaluation as the game gives it, from the evaluation cache if it is on.
    fn raw_eval(&mut self) -> Score {
        if self.job.eval_cache.is_on() && self.worker.eval.cost(&self.game) >= self.params.eval_cache_cost {
            return self.cached_eval();
        }
        self.worker.stats.evaluations += 1;
        self.worker.eval.score(&self.game)
    }

    /// The static evaluation from the evaluation cache, which gets it if it passes the filters.
    fn cached_eval(&mut self) -> Score {
        let (cache, key, side) = (self.job.eval_cache, self.key(), self.game.side());
        self.worker.stats.eval_probes += 1;
        if let Some(eval) = cache.probe(key) {
            self.worker.stats.eval_hits += 1;
            return eval.for_side(side);
        }
        self.worker.stats.evaluations += 1;
        let eval = self.worker.eval.score(&self.game);
        let params = self.params;
        if eval.value().abs() <= params.eval_cache_score && (params.eval_cache_repeated == 0 || cache.ask_again(key)) {
            self.worker.stats.eval_stores += 1;
            cache.store(key, eval.for_first(side));
        }
        eval
    }

    /// The static evaluation, corrected by what was learned about its errors.
    fn corrected(&self, raw: Score, ply: usize) -> Score {
        if self.params.correction == 0 {
            return raw;
        }
        Score::eval(raw.value() + self.worker.correction.value(&self.game, self.worker.path.last_two(ply)))
    }
}
