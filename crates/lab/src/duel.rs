//! A match of two evaluations at the same number of nodes a move.
//!
//! Games come in pairs: one random opening, both ways round, so that an opening that favours a side favours nobody.

use crate::games::End;
use crate::opening::fair_opening;
use crate::random::Random;
use crate::selfplay::{Pace, Seat};
use crate::stats::{Points, Tally};
use polyply_core::game::{SearchGame, Side};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;

/// A game that has not ended by then is called a draw.
const LONGEST: usize = 600;

/// Plays pairs of games of a newcomer against what there was; `each` sees the tally after every pair.
pub fn run<G: SearchGame>(
    start: &G,
    newcomer: &G::Eval,
    old: &G::Eval,
    pace: Pace,
    pairs: u64,
    stop: &AtomicBool,
    each: &mut dyn FnMut(&Tally),
) -> Tally {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..pace.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut seats = [newcomer, old].map(|eval| Seat::new(eval, pace.nodes));
                loop {
                    let pair = next.fetch_add(1, Relaxed);
                    if pair >= pairs {
                        break;
                    }
                    match play_pair(start, &mut seats, pace.seed, pair, stop) {
                        Some(points) if sender.send(points).is_ok() => {}
                        _ => break,
                    }
                }
            });
        }
        drop(sender);
        let mut tally = Tally::default();
        for points in receiver {
            tally.add_pair(points);
            each(&tally);
        }
        tally
    })
}

/// One opening both ways round: what the newcomer got out of each game; `None` if it was told to stop.
fn play_pair<G: SearchGame>(
    start: &G,
    seats: &mut [Seat<G>; 2],
    seed: u64,
    pair: u64,
    stop: &AtomicBool,
) -> Option<[Points; 2]> {
    let mut random = Random::of(seed, pair);
    // The old evaluation judges what is fair: so openings don't depend on who is tried.
    seats[1].new_game();
    let opening = fair_opening(start, &mut seats[1], &mut random);
    let mut game = start.clone();
    for &mv in &opening {
        game.play(mv, &mut ());
    }
    let mut points = [Points::Draw; 2];
    for (round, newcomer) in [Side::First, Side::Second].into_iter().enumerate() {
        let end = play_out(game.clone(), seats, newcomer, stop)?;
        points[round] = match end {
            End::Draw => Points::Draw,
            End::FirstWins if newcomer == Side::First => Points::Win,
            End::SecondWins if newcomer == Side::Second => Points::Win,
            End::FirstWins | End::SecondWins => Points::Loss,
        };
    }
    Some(points)
}

fn play_out<G: SearchGame>(mut game: G, seats: &mut [Seat<G>; 2], newcomer: Side, stop: &AtomicBool) -> Option<End> {
    seats.iter_mut().for_each(Seat::new_game);
    for _ in 0..LONGEST {
        if let Some(outcome) = game.outcome() {
            return Some(End::of(outcome));
        }
        if stop.load(Relaxed) {
            return None;
        }
        let seat = usize::from(game.side() != newcomer);
        let (mv, score) = seats[seat].choose(&game);
        if let Some(plies) = score.plies_to_end() {
            return Some(if plies > 0 { End::FirstWins } else { End::SecondWins });
        }
        game.play(mv, &mut ());
    }
    Some(End::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;
    use polyply_small::connect4::Connect4;

    #[test]
    fn a_match_against_itself_is_even() {
        let eval = <Connect4 as SearchGame>::Eval::default();
        let pace = Pace { nodes: 100, seed: 1, threads: 1 };
        let tally = run(&Connect4::start(), &eval, &eval, pace, 5, &AtomicBool::new(false), &mut |_| ());
        assert_eq!(tally.pairs, [0, 0, 5, 0, 0]);
    }
}
