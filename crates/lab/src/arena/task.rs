//! A plan of games as other machines are told of it.

use super::entrant::{Entrant, Kind};
use super::game::GameRules;
use super::openings::Openings;
use super::run::Plan;
use super::time_control::{ClockRule, TimeControl};
use super::work::GameWork;
use crate::LabError;
use crate::learn::with_weights;
use crate::refusals;
use crate::work::{Fleet, KeptWeights, Place, Site, refuse_text_option};
use polyply_engine::Variant;
use polyply_protocol::drive::Log;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything that determines the games of a plan.
#[derive(Serialize, Deserialize)]
pub struct GamesTask {
    variant: String,
    weights: Option<KeptWeights>,
    entrants: Vec<Player>,
    pairings: Vec<[usize; 2]>,
    both_ways: bool,
    random_moves: Option<u64>,
    openings: Openings,
    first_openings: Vec<u64>,
    control: TimeControl,
    rules: GameRules,
    start: Duration,
}

/// The built-in engine with its options.
#[derive(Serialize, Deserialize)]
struct Player {
    name: String,
    options: Vec<(String, String)>,
    weights: Option<KeptWeights>,
    control: TimeControl,
}

impl GamesTask {
    /// The task of a plan. The number of games is no part of it, so that a longer run is the same job.
    pub(super) fn of(plan: &Plan, fleet: &dyn Fleet) -> Result<GamesTask, LabError> {
        let keep = |name: &Option<String>| name.as_ref().map(|name| KeptWeights::keep(name, fleet)).transpose();
        let player = |entrant: &Entrant| match &entrant.kind {
            Kind::BuiltIn { options, weights } => {
                options.iter().try_for_each(|(name, _)| refuse_text_option(name))?;
                let (name, control) = (entrant.name.clone(), entrant.control);
                Ok(Player { name, options: options.clone(), weights: keep(weights)?, control })
            }
            Kind::Program(_) => Err(LabError::Call(refusals::fleet_program(&entrant.name))),
        };
        Ok(GamesTask {
            variant: plan.variant.name().to_owned(),
            weights: keep(&plan.weights)?,
            entrants: plan.entrants.iter().map(player).collect::<Result<_, LabError>>()?,
            pairings: plan.pairings.clone(),
            both_ways: plan.both_ways,
            random_moves: plan.random_moves,
            openings: plan.openings.clone(),
            first_openings: plan.first_openings.clone(),
            control: plan.control,
            rules: plan.rules,
            start: plan.start,
        })
    }

    /// The games, as this machine plays them.
    pub(crate) fn open(self, site: &Site<'_>) -> Result<GameWork<'static, Box<Plan>>, LabError> {
        let find = |weights: Option<KeptWeights>| weights.map(|weights| weights.find(site)).transpose();
        let weights = find(self.weights)?;
        let variant = Variant::find(&self.variant)?;
        let variant = match &weights {
            Some(weights) => with_weights(&variant, weights)?,
            None => variant,
        };
        let mut entrants = Vec::with_capacity(self.entrants.len());
        for Player { name, options, weights, control } in self.entrants {
            site.check_options(&options)?;
            let kind = Kind::BuiltIn { options, weights: find(weights)? };
            let control = scaled(control, site.time_scale)?;
            entrants.push(Entrant { text: name.clone(), name, kind, control });
        }
        let is_known = |player: &usize| *player < entrants.len();
        if self.pairings.is_empty() || !self.pairings.iter().flatten().all(is_known) {
            return Err(LabError::Call(refusals::fleet_task("a pairing of unknown players")));
        }
        if let Openings::Random { judge, .. } = &self.openings {
            site.check_options(judge)?;
        }
        let plan = Plan {
            variant,
            entrants,
            pairings: self.pairings,
            pairs: u64::MAX >> 32,
            both_ways: self.both_ways,
            random_moves: self.random_moves,
            openings: self.openings,
            first_openings: self.first_openings,
            control: scaled(self.control, site.time_scale)?,
            rules: GameRules { margin: scaled_time(self.rules.margin, site.time_scale)?, ..self.rules },
            start: self.start,
            weights,
            place: Place::Threads(1),
            file: None,
        };
        if matches!(&plan.openings, Openings::Listed(places) if places.is_empty()) {
            return Err(LabError::Call(refusals::no_openings()));
        }
        plan.check()?;
        GameWork::new(Box::new(plan), Log::none(), &())
    }
}

/// The limits on a machine whose searches take so many times as long.
fn scaled(control: TimeControl, scale: f64) -> Result<TimeControl, LabError> {
    let clock = control.clock.map(|rule| {
        let (time, increment) = (scaled_time(rule.time, scale)?, scaled_time(rule.increment, scale)?);
        Ok::<_, LabError>(ClockRule { time, increment, ..rule })
    });
    let time = control.time.map(|time| scaled_time(time, scale)).transpose()?;
    Ok(TimeControl { clock: clock.transpose()?, time, ..control })
}

fn scaled_time(time: Duration, scale: f64) -> Result<Duration, LabError> {
    Duration::try_from_secs_f64(time.as_secs_f64() * scale)
        .map_err(|_| LabError::Call(refusals::time_unknown(format!("{time:?}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_machine_gets_more_time_and_the_same_nodes() {
        let mut control = TimeControl::default();
        for (key, value) in [("tc", "40/10+0.5"), ("movetime", "100ms"), ("nodes", "500")] {
            control.set(key, value).unwrap();
        }
        assert_eq!(scaled(control, 2.0).unwrap().to_string(), "tc=40/20+1 movetime=200ms nodes=500");
        assert_eq!(scaled(control, 1.0).unwrap(), control);
        assert!(scaled(control, f64::INFINITY).is_err() && scaled(control, -1.0).is_err());
    }
}
