//! Balanced openings, and the choices of swap2.
//!
//! The search tells how balanced a position is. Of many ways to place the next stones, those whose scores are closest
//! to the target are kept and searched again with more nodes, until one is left ([successive halving]).
//!
//! [successive halving]: https://proceedings.mlr.press/v28/karnin13.html

use super::engine::{Context, Reply, Work};
use super::game::GomocupGame;
use super::point::Point;
use super::time::TimeBudget;
use polyply_engine::swap::CLOSE;
use polyply_engine::{Limits, Request, Score, Side};
use std::collections::BTreeSet;
use std::time::Instant;

/// Nodes for each candidate of the first round.
const FIRST_NODES: u64 = 300;
/// The factor by which the nodes for each candidate grow, and the number of candidates shrinks, from round to round.
const NARROWING: usize = 4;
/// How many pairs of stones to try.
const PAIRS: usize = 128;

/// Openings of three stones, as offsets from the centre to the right and down. Both sides have chances in each. The
/// search finds the most balanced one under the rules and on the board in use.
const THREE: [[(i32, i32); 3]; 12] = [
    [(0, 0), (1, 1), (-2, 3)],
    [(0, 0), (1, 0), (3, 3)],
    [(0, 0), (2, 2), (4, 0)],
    [(0, 0), (1, 0), (-1, -2)],
    [(0, 0), (0, 1), (2, -1)],
    [(-3, -3), (3, 3), (-2, 3)],
    [(-5, -5), (-4, -5), (-3, -3)],
    [(-5, -5), (-4, -4), (-6, -2)],
    [(-6, 0), (-5, 1), (-6, 3)],
    [(-6, -6), (-5, -6), (-3, -6)],
    [(0, -6), (1, -5), (3, -6)],
    [(-4, 4), (-2, 4), (0, 5)],
];

/// Finds stones of both sides in turn after which the score is closest to `bias`, in hundredths from the side to move.
pub fn balance(game: GomocupGame, blocked: BTreeSet<Point>, stones: usize, bias: i32, budget: TimeBudget) -> Work {
    Box::new(move |context| {
        let target = if game.side() == Side::First { bias } else { -bias };
        let free = near(&game, &blocked);
        let candidates = if stones == 1 { free.into_iter().map(|point| vec![point]).collect() } else { pairs(&free) };
        match nearest(context, &game, candidates, target, budget) {
            Some((stones, _)) => Reply::Stones(stones),
            None => Reply::Error("there is no point left to play".into()),
        }
    })
}

/// The engine's part in swap2, with no stones, three or five on the board.
pub fn swap2(game: GomocupGame, stones: usize, budget: TimeBudget) -> Work {
    Box::new(move |context| {
        if stones == 0 {
            return match nearest(context, &game, three_stones(&game), 0, budget) {
                Some((stones, _)) => Reply::Stones(stones),
                None => Reply::Error("the board is too small for an opening".into()),
            };
        }
        // The second player is to move. If placing two stones is a choice too, half of the time is kept for it.
        let parts = if stones == 3 { 2 } else { 1 };
        let request = Request { limits: share(budget.limits, parts), ..Request::new(game.board()) };
        let best = match context.best_move(&request) {
            Ok(best) => best,
            Err(error) => return Reply::Error(error.to_string()),
        };
        let score = best.score().map_or(0, Score::hundredths);
        if stones == 3 && score.abs() <= CLOSE && !context.stopped() {
            let pairs = pairs(&near(&game, &BTreeSet::new()));
            if let Some((stones, after)) = nearest(context, &game, pairs, 0, budget)
                && after.abs() < score.abs()
            {
                return Reply::Stones(stones);
            }
        }
        if score > 0 {
            return Reply::Swap;
        }
        Reply::Stones(Point::of_name(&best.mv, game.size()).into_iter().collect())
    })
}

/// The candidate after which the score, from the first player's side, is closest to `target`; and that score.
fn nearest(
    context: &mut Context<'_>,
    game: &GomocupGame,
    candidates: Vec<Vec<Point>>,
    target: i32,
    budget: TimeBudget,
) -> Option<(Vec<Point>, i32)> {
    let after = |stones: &Vec<Point>| {
        let mut game = game.clone();
        stones.iter().try_for_each(|&point| game.play(point)).ok()?;
        game.check_ongoing().ok()?;
        Some(game)
    };
    let legal = candidates.into_iter().filter_map(|stones| after(&stones).map(|game| (stones, game, i32::MAX)));
    let mut field: Vec<(Vec<Point>, GomocupGame, i32)> = legal.collect();
    let mut nodes = FIRST_NODES;
    // The nodes left of the limit for all candidates together.
    let mut left = budget.limits.nodes.unwrap_or(u64::MAX);
    while !field.is_empty() {
        for (_, game, score) in &mut field {
            let time = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if context.stopped() || left == 0 || time.is_some_and(|time| time.is_zero()) {
                left = 0;
                break;
            }
            let limits = Limits { depth: budget.limits.depth, nodes: Some(nodes.min(left)), time, ..Limits::default() };
            let request = Request { limits, ..Request::new(game.board()) };
            if let Ok(best) = context.search(&request) {
                left = left.saturating_sub(best.nodes);
                *score = best.score().map_or(*score, Score::hundredths);
            }
        }
        field.sort_by_key(|(_, _, score)| score.saturating_sub(target).saturating_abs());
        if left == 0 || field.len() == 1 {
            break;
        }
        field.truncate(field.len().div_ceil(NARROWING));
        nodes *= NARROWING as u64;
    }
    field.into_iter().next().map(|(stones, _, score)| (stones, score))
}

/// The limits divided by a number.
fn share(limits: Limits, parts: u32) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(parts)).max(1)),
        time: limits.time.map(|time| time / parts),
        ..limits
    }
}

/// Points close to the stones; on an empty board one of each eight symmetric points.
fn near(game: &GomocupGame, blocked: &BTreeSet<Point>) -> Vec<Point> {
    let (stones, free) = (game.stones(), game.free(blocked));
    let middle = game.size() / 2;
    let close = |point: &Point| match stones.is_empty() {
        true => point.x <= middle && point.y <= point.x,
        false => stones.iter().any(|stone| stone.distance(*point) <= 3),
    };
    let near: Vec<Point> = free.iter().copied().filter(close).collect();
    if near.is_empty() { free } else { near }
}

/// About [`PAIRS`] pairs of different points, spread over all pairs.
fn pairs(points: &[Point]) -> Vec<Vec<Point>> {
    let all = points.len() * points.len();
    let step = (all / PAIRS).max(1) | 1;
    let pair = |index: usize| [points[index / points.len()], points[index % points.len()]];
    let tried = (0..all).step_by(step).map(pair).filter(|[first, second]| first != second);
    tried.map(Vec::from).collect()
}

/// The openings in [`THREE`] that fit on the board.
fn three_stones(game: &GomocupGame) -> Vec<Vec<Point>> {
    let (size, middle) = (game.size() as i32, game.size() as i32 / 2);
    let place = |(x, y): (i32, i32)| {
        let (x, y) = (middle + x, middle + y);
        ((0..size).contains(&x) && (0..size).contains(&y)).then_some(Point { x: x as usize, y: y as usize })
    };
    THREE.iter().filter_map(|stones| stones.iter().map(|&step| place(step)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::Variant;

    fn empty(size: usize) -> GomocupGame {
        GomocupGame::new(&Variant::find(&format!("freestyle:{size}")).unwrap(), size).unwrap()
    }

    #[test]
    fn every_board_has_an_opening_of_three_stones() {
        for size in 5..=22 {
            let openings = three_stones(&empty(size));
            assert!(!openings.is_empty(), "{size}");
            for stones in openings {
                let mut game = empty(size);
                stones.iter().for_each(|&point| game.play(point).unwrap());
            }
        }
        assert_eq!(three_stones(&empty(15)).len(), THREE.len());
    }

    #[test]
    fn pairs_are_two_points_and_not_too_many() {
        let game = empty(15);
        let points = near(&game, &BTreeSet::new());
        let pairs = pairs(&points);
        assert!((PAIRS / 2..=2 * PAIRS).contains(&pairs.len()), "{}", pairs.len());
        assert!(pairs.iter().all(|pair| pair.len() == 2 && pair[0] != pair[1]));
        assert!(super::pairs(&[]).is_empty());
    }

    #[test]
    fn an_empty_board_has_one_candidate_of_each_eight() {
        assert_eq!(near(&empty(15), &BTreeSet::new()).len(), 36);
        let mut game = empty(15);
        game.play(Point { x: 0, y: 0 }).unwrap();
        assert_eq!(near(&game, &BTreeSet::new()).len(), 15);
        assert_eq!(near(&game, &BTreeSet::from([Point { x: 1, y: 1 }])).len(), 14);
    }
}
