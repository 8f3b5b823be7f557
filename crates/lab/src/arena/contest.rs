//! A match or a tournament from beginning to end: played, kept, and told.

use super::game::End;
use super::run::{Flow, Plan};
use super::settings::Settings;
use super::standing::Standing;
use crate::LabError;
use crate::stats::Decision;
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What to do with a run that was begun before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// There must be none.
    Never,
    /// There must be one, and it goes on.
    Asked,
    /// If there is one it goes on.
    Always,
}

/// A match or a tournament.
pub struct Contest {
    settings: Settings,
    plan: Plan,
    log: Log,
}

impl Contest {
    pub fn new(settings: Settings, _resume: Resume) -> Result<Contest, LabError> {
        let plan = settings.plan()?;
        settings.sprt()?;
        plan.greet(&Log::none())?;
        Ok(Contest { settings, plan, log: Log::none() })
    }
    pub fn games(&self) -> u64 {
        self.plan.games()
    }
    pub fn is_kept(&self) -> bool {
        false
    }
    pub fn finish(&self, _standing: &Standing) -> Result<Option<String>, LabError> {
        Ok(None)
    }
    pub fn json(&self, _standing: &Standing) -> String {
        String::new()
    }
    pub fn run(&mut self, stop: &AtomicBool, told: &mut dyn FnMut(&Standing)) -> Result<Standing, LabError> {
        let mut standing = Standing::new(&self.plan, self.settings.sprt()?);
        let done = HashSet::new();
        self.plan.run(&done, &self.log, stop, &mut |game, _opening, played| {
            let end: &End = &played.end;
            if standing.add(game, end) {
                told(&standing);
            }
            let decided = standing.test().is_some_and(|(_, decision)| decision != Decision::Continue);
            Ok(if decided { Flow::Enough } else { Flow::GoOn })
        })?;
        Ok(standing)
    }
}
