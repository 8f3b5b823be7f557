//! What is optimised: games between engines with different parameters, or a test function.

use crate::LabError;
use crate::arena::{Entrant, Flow, Kind, Place, Plan};
use crate::record::Reason;
use crate::stats::Points;
use polyply_engine::Side;
use polyply_protocol::drive::Log;
use polyply_stats::tuners::Batch;
use polyply_stats::tuners::Space;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A game of a duel that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The number of the duel in its batch.
    pub duel: usize,
    /// The number of the game in its duel.
    pub game: u64,
    /// The points of [`Duel::one`](super::Duel::one).
    pub points: Points,
    /// How it ended.
    pub reason: Reason,
}

/// Plays batches.
pub trait Objective {
    /// Plays the games of a batch that are not done, and calls `each` with every one as it ends. Stops early, without
    /// an error, once `stop` is set.
    fn play(
        &mut self,
        number: u64,
        batch: &Batch,
        done: &dyn Fn(usize, u64) -> bool,
        stop: &AtomicBool,
        each: &mut dyn FnMut(PlayedGame) -> Result<(), LabError>,
    ) -> Result<(), LabError>;

    /// Has games played somewhere else; their results go to this file.
    fn play_at(&mut self, _: &Place, _: &Path) {}

    /// The true strength at values of the parameters in Elo, where it is known.
    fn known(&self, _: &[i64]) -> Option<f64> {
        None
    }
}

/// Games between engines.
pub struct Games {
    /// The plan of a batch; its players are replaced with each batch.
    plan: Plan,
    /// What all engines share.
    engine: Entrant,
    space: Space,
}

impl Games {
    /// Games by the rules of a plan.
    pub fn new(plan: Plan, engine: Entrant, space: Space) -> Games {
        Games { plan, engine, space }
    }

    fn entrant(&self, point: &[f64]) -> Entrant {
        let mut entrant = self.engine.clone();
        if let Kind::BuiltIn { options, .. } = &mut entrant.kind {
            let values = self.space.values(point);
            let tuned = self.space.axes.iter().zip(values);
            options.extend(tuned.map(|(axis, value)| (axis.name.clone(), value.to_string())));
        }
        entrant
    }
}

impl Objective for Games {
    fn play_at(&mut self, place: &Place, file: &Path) {
        self.plan.place = place.clone();
        self.plan.file = Some(file.to_owned());
    }

    fn play(
        &mut self,
        _: u64,
        batch: &Batch,
        done: &dyn Fn(usize, u64) -> bool,
        stop: &AtomicBool,
        each: &mut dyn FnMut(PlayedGame) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let entrants = batch.duels.iter().flat_map(|duel| [&duel.one, &duel.other]).map(|point| self.entrant(point));
        self.plan.entrants = entrants.collect();
        self.plan.pairings = (0..batch.duels.len()).map(|duel| [2 * duel, 2 * duel + 1]).collect();
        self.plan.first_openings = batch.duels.iter().map(|duel| duel.opening).collect();
        self.plan.pairs = batch.pairs;
        // The two games of a pair follow each other, and pairs of all duels take turns.
        let of_duel = |number: u64| {
            let scheduled = self.plan.game(number);
            (scheduled.pairing, 2 * scheduled.pair + number % 2)
        };
        let done: HashSet<u64> = (0..self.plan.games())
            .filter(|&number| {
                let (duel, game) = of_duel(number);
                done(duel, game)
            })
            .collect();
        self.plan.run(&done, &Log::none(), stop, &(), &mut |scheduled, _, result| {
            let (duel, game) = of_duel(scheduled.number);
            let first = match result.end.winner {
                None => Points::Draw,
                Some(Side::First) => Points::Win,
                Some(Side::Second) => Points::Loss,
            };
            let points = if scheduled.players[0] == 2 * duel { first } else { first.other() };
            each(PlayedGame { duel, game, points, reason: result.end.reason })?;
            Ok(Flow::GoOn)
        })
    }
}
