//! What a move is worth: the positions before and after it compared.
//!
//! Every position is searched by an engine of its own, with one thread, empty tables and a fixed number of nodes. So a
//! verdict depends on the game alone: not on what was searched before, nor on when, nor on a restart in between.

use super::judge::{self, MoveFacts};
use super::report::{Effort, ReviewedMove, SideSummary, Summary};
use crate::wire::WireScore;
use polyply_engine::{Board, Engine, EngineError, Limits, Outcome, Request, Score, Side, Variant};
use std::collections::BTreeMap;

/// A quick search has this many times fewer nodes.
const GLANCE: u64 = 50;
/// Megabytes for the table of a search.
const HASH: usize = 16;
/// What a won game counts as, in hundredths or points.
const WON_CENTI: i32 = 2000;
const WON_POINTS: i32 = 64;

/// What is known about a position.
#[derive(Clone, Debug)]
pub struct Finding {
    pub score: Score,
    /// The best move; empty after the last move of a game.
    pub best: String,
    pub line: Vec<String>,
    second: Option<Score>,
    glance: String,
}

impl Finding {
    /// The result of a game that is over.
    pub fn by_rules(outcome: Outcome) -> Finding {
        let score = match outcome {
            Outcome::Win(Side::First) => Score::Win(1),
            Outcome::Win(Side::Second) => Score::Win(-1),
            Outcome::Draw => Score::Centi(0),
            Outcome::Points(points) => Score::Points(points),
        };
        Finding { score, best: String::new(), line: Vec::new(), second: None, glance: String::new() }
    }

    /// Searches a position.
    pub fn search(engine: &Engine, board: &Board, effort: Effort) -> Result<Finding, EngineError> {
        let mut engine = engine.apart(HASH)?;
        let mut look = |nodes: u64, lines: usize| {
            let request = Request { limits: Limits::nodes(nodes), multipv: Some(lines), ..Request::new(board) };
            engine.best_move(&request, &mut |_| ())
        };
        let glance = look(effort.nodes() / GLANCE, 1)?.mv;
        let best = look(effort.nodes(), board.legal_moves().len().min(2))?;
        let score = best.score().unwrap_or(Score::Centi(0));
        let line = best.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
        Ok(Finding { score, second: best.lines.get(1).map(|line| line.score), best: best.mv, line, glance })
    }

    /// With what was proven a move earlier, which a search of the same length may not see again.
    pub fn after(mut self, last: Option<&ReviewedMove>) -> Finding {
        let Some(last) = last else { return self };
        let (Score::Win(plies), false) = (Score::from(last.score_before), self.best.is_empty()) else { return self };
        let mover_wins = (plies > 0) == (Side::from(last.side) == Side::First);
        let known = matches!(self.score, Score::Win(own) if own.signum() == plies.signum());
        let keeps = last.text == last.best;
        if known || (mover_wins && !keeps) {
            return self;
        }
        self.score = Score::Win(plies).one_ply_after();
        if let (true, Some(next)) = (keeps, last.line.get(1)) {
            (self.best, self.glance) = (next.clone(), next.clone());
            (self.line, self.second) = (last.line[1..].to_vec(), None);
        }
        self
    }
}

/// The chance of a side to win.
pub fn chance(variant: &Variant, side: Side, score: Score) -> f64 {
    let first = variant.chance(score);
    if side == Side::First { first } else { 1.0 - first }
}

/// Judges a move by what was found before and after it.
pub fn judged(variant: &Variant, side: Side, text: &str, before: &Finding, after: &Finding) -> ReviewedMove {
    let best = before.best == text;
    let over = after.best.is_empty();
    // If the move turns out better than the best one had seemed, the position was worth that much.
    let score_before = match better(variant, side, after.score, before.score) {
        true if over => after.score,
        true => after.score.one_ply_before(),
        false => before.score,
    };
    let chance = |score: Score| chance(variant, side, score);
    let facts = MoveFacts {
        before: chance(score_before),
        after: chance(after.score),
        second: before.second.map(chance),
        best,
        hidden: before.glance != before.best,
    };
    let sign = if side == Side::First { 1 } else { -1 };
    ReviewedMove {
        text: text.to_owned(),
        side: side.into(),
        score_before: score_before.into(),
        score_after: if best && !over { score_before.one_ply_after() } else { after.score }.into(),
        best: before.best.clone(),
        line: before.line.clone(),
        shown: None,
        win_chance_drop: facts.drop(),
        loss: if best { 0 } else { (sign * (number(score_before, variant) - number(after.score, variant))).max(0) },
        quality: facts.quality().to_owned(),
        accuracy: facts.accuracy(),
        why: None,
    }
}

/// One score is better for a side than the other.
fn better(variant: &Variant, side: Side, one: Score, other: Score) -> bool {
    let sign = if side == Side::First { 1 } else { -1 };
    sign * number(one, variant) > sign * number(other, variant)
}

/// A score as a number.
fn number(score: Score, variant: &Variant) -> i32 {
    let won = if variant.counts_points() { WON_POINTS } else { WON_CENTI };
    match score {
        Score::Win(plies) => won * plies.signum(),
        Score::Centi(units) | Score::Points(units) => units.clamp(-won, won),
    }
}

/// The summary of both sides.
pub fn summary(variant: &Variant, moves: &[ReviewedMove]) -> Summary {
    let chance = |score: WireScore| variant.chance(score.into());
    let chances: Vec<f64> = moves
        .first()
        .map(|first| chance(first.score_before))
        .into_iter()
        .chain(moves.iter().map(|mv| chance(mv.score_after)))
        .collect();
    let accuracies: Vec<(Side, f64)> = moves.iter().map(|mv| (mv.side.into(), mv.accuracy)).collect();
    let side = |side: Side| {
        let mut counts = BTreeMap::new();
        for mv in moves.iter().filter(|mv| Side::from(mv.side) == side) {
            *counts.entry(mv.quality.clone()).or_insert(0) += 1;
        }
        SideSummary { accuracy: judge::of_side(side, &chances, &accuracies).unwrap_or(100.0), counts }
    };
    Summary { first: side(Side::First), second: side(Side::Second) }
}
