//! The truth about a position, found without the core's search: plain negamax, and the value under perfect play.
//!
//! Every test binary uses the part it needs.
#![allow(dead_code)]

use polyply_core::game::{Evaluation, Game, MoveList, Outcome, SearchGame, Side};
use polyply_core::params::{ParamSet, SearchParams};
use polyply_core::score::Score;
use polyply_core::table::{Bound, EvalCache, SearchTt};
use polyply_core::threads::Searcher;
use std::collections::HashMap;
use std::sync::Arc;

pub use polyply_core::random::Random;

/// The legal moves.
pub fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.to_vec()
}

/// The position after a move.
pub fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut child = game.clone();
    child.play(mv, &mut ());
    child
}

fn outcome_score(outcome: Outcome, side: Side, ply: i32) -> Score {
    match outcome {
        Outcome::Win(winner) if winner == side => Score::win_in(ply),
        Outcome::Win(_) => Score::loss_in(ply),
        Outcome::Draw => Score::ZERO,
        Outcome::Points(points) => Score::eval(points).for_first(Side::First).for_side(side),
    }
}

/// Plain negamax: no window, no table, every move, the evaluation at depth 0.
pub fn negamax<G: SearchGame>(game: &mut G, eval: &mut G::Eval, depth: i32, ply: i32) -> Score {
    if let Some(outcome) = game.outcome() {
        return outcome_score(outcome, game.side(), ply);
    }
    if depth == 0 {
        return eval.score(game);
    }
    let mut best = -Score::INFINITE;
    for mv in moves(game) {
        let undo = eval.play(game, mv);
        best = best.max(-negamax(game, eval, depth - 1, ply + 1));
        eval.undo(game, mv, undo);
    }
    best
}

/// Plain negamax's value of a position, for the side to move.
pub fn value<G: SearchGame>(game: &G, eval: &G::Eval, depth: i32) -> Score {
    let mut eval = eval.clone();
    eval.reset(game);
    negamax(&mut game.clone(), &mut eval, depth, 0)
}

/// Plain negamax's value of a move, for the side that plays it.
pub fn move_value<G: SearchGame>(game: &G, eval: &G::Eval, mv: G::Move, depth: i32) -> Score {
    let mut eval = eval.clone();
    let mut child = after(game, mv);
    eval.reset(&child);
    -negamax(&mut child, &mut eval, depth - 1, 1)
}

/// The values of positions under perfect play, remembered by key.
#[derive(Default)]
pub struct Truth {
    known: HashMap<u64, Score>,
}

impl Truth {
    /// The value for the side to move; a win distance counts from this position.
    pub fn of<G: Game>(&mut self, game: &G) -> Score {
        if let Some(outcome) = game.outcome() {
            return outcome_score(outcome, game.side(), 0);
        }
        if let Some(&known) = self.known.get(&game.key()) {
            return known;
        }
        let values = moves(game).into_iter().map(|mv| self.of_move(game, mv));
        let best = values.max().expect("a game that is not over has a move");
        self.known.insert(game.key(), best);
        best
    }

    /// The value of a move for the side that plays it, counted from before it.
    pub fn of_move<G: Game>(&mut self, game: &G, mv: G::Move) -> Score {
        (-self.of(&after(game, mv))).from_root(1)
    }
}

/// Compares what a reported score claims to be proven with the truth. The winner must be able to force the win within
/// the claimed plies; a faster win is no error. Scores that claim nothing pass.
pub fn claim_holds(score: Score, bound: Bound, truth: Score) -> bool {
    let plies = |score: Score| score.plies_to_end().map(i32::abs);
    let (claimed, agrees) = match bound {
        Bound::Lower => (score.is_win(), truth.is_win()),
        Bound::Upper => (score.is_loss(), truth.is_loss()),
        Bound::Exact => (score.is_decisive(), truth.is_decisive() && truth.is_win() == score.is_win()),
    };
    !claimed || (agrees && plies(truth) <= plies(score))
}

/// A searcher with one thread and a table of this many bytes.
pub fn searcher<G: SearchGame>(eval: G::Eval, bytes: usize) -> Searcher<G> {
    Searcher::new(eval, Arc::new(SearchTt::new(bytes)), Arc::new(EvalCache::off()))
}

/// The parameters of a game in exact mode.
pub fn exact<G: SearchGame>() -> SearchParams {
    SearchParams { exact: 1, ..SearchParams::for_game::<G>() }
}

/// Every parameter of the search anywhere in its range, except exact mode and contempt.
///
/// Half of the values are near the default, because at the far end of a range a technique hardly ever applies.
pub fn random_params(random: &mut Random) -> SearchParams {
    let mut params = SearchParams::default();
    for spec in SearchParams::specs() {
        if spec.name == "exact" || spec.name == "contempt" {
            continue;
        }
        let (min, max) = match random.below(2) {
            0 => (spec.min, spec.max),
            _ => (spec.min.max(spec.default / 4), spec.max.min((spec.default * 2).max(1))),
        };
        let value = min + random.below((max - min + 1) as usize) as i32;
        params.set(spec.name, value).expect("the value is in the range");
    }
    params
}

/// How many rounds a randomised test plays: `POLYPLY_ROUNDS` times as many as it would by itself.
pub fn rounds(usual: usize) -> usize {
    let factor = std::env::var("POLYPLY_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    usual * factor
}
