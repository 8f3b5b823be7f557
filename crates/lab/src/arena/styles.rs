//! How personas differ: each plays the engine without a style at the same level.

use super::game::GameResult;
use super::run::ScheduledGame;
use super::settings::MatchSettings;
use crate::LabError;
use crate::refusals;
use crate::work::Flow;
use polyply_engine::{Board, LEVELS, Level, PERSONAS, PositionSpec, Side, Variant};
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A comparison as it was asked for.
#[derive(Clone, Debug)]
pub struct StyleSettings {
    /// What is played.
    pub variant: Variant,
    /// The level of all players.
    pub level: u8,
    /// Games of each persona.
    pub games: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Games to play at once.
    pub concurrency: usize,
}

/// How a player without a style or a persona played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Style {
    /// Games.
    pub games: u64,
    /// Its half points.
    pub half_points: u64,
    /// Drawn games.
    pub drawn: u64,
    /// The lengths of all games together, in plies.
    pub plies: u64,
    /// Its moves.
    pub moves: u64,
    /// Those that attack more than they defend.
    pub attacks: u64,
}

impl Style {
    /// The share of its moves that attack.
    pub fn attack_share(&self) -> f64 {
        self.attacks as f64 / self.moves.max(1) as f64
    }

    /// The mean length of its games in plies.
    pub fn length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Points a game.
    pub fn score(&self) -> f64 {
        self.half_points as f64 / (2 * self.games.max(1)) as f64
    }

    /// The share of its games that were drawn.
    pub fn draw_rate(&self) -> f64 {
        self.drawn as f64 / self.games.max(1) as f64
    }

    fn add(
        &mut self,
        variant: &Variant,
        side: Side,
        opening: &PositionSpec,
        game: &GameResult,
    ) -> Result<(), LabError> {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.half_points += match game.end.winner {
            None => 1,
            Some(winner) => 2 * u64::from(winner == side),
        };
        self.drawn += u64::from(game.end.winner.is_none());
        let mut board = Board::at(variant, opening)?;
        for mv in &game.moves {
            if board.side() == side {
                let seen = board.glance().into_iter().find(|glance| glance.mv == mv.text);
                self.moves += 1;
                self.attacks += u64::from(seen.is_some_and(|glance| glance.aggression > 0));
            }
            board.play(&mv.text)?;
        }
        Ok(())
    }
}

impl StyleSettings {
    /// Plays the games. Returns each persona with its style; the first is the engine without one. `progress` is called
    /// after every game.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&str, u64),
    ) -> Result<Vec<(&'static str, Style)>, LabError> {
        let limited = Level::find(self.level).is_some_and(|level| !level.is_full());
        if !limited {
            return Err(LabError::Call(refusals::style_level(LEVELS.len() - 1)));
        }
        let mut styles = Vec::new();
        for name in std::iter::once("none").chain(PERSONAS.iter().map(|persona| persona.name)) {
            if stop.load(Relaxed) {
                break;
            }
            let persona = if name == "none" { String::new() } else { format!(",persona={name}") };
            let settings = MatchSettings {
                variant: self.variant.name().to_owned(),
                engines: vec![
                    format!("builtin:level={}{persona}", self.level),
                    format!("builtin:level={}", self.level),
                ],
                games: self.games,
                seed: self.seed,
                concurrency: self.concurrency,
                ..MatchSettings::default()
            };
            let mut style = Style::default();
            let mut each = |game: &ScheduledGame, opening: PositionSpec, result: GameResult| {
                let side = if game.players[0] == 0 { Side::First } else { Side::Second };
                style.add(&self.variant, side, &opening, &result)?;
                progress(name, style.games);
                Ok(Flow::GoOn)
            };
            settings.plan()?.run(&HashSet::new(), &Log::none(), stop, &(), &mut each)?;
            styles.push((name, style));
        }
        Ok(styles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attacker_attacks_more_than_a_defender() {
        let variant = Variant::find("freestyle").unwrap();
        let settings = StyleSettings { variant, level: 4, games: 16, seed: 1, concurrency: 1 };
        let styles = settings.run(&AtomicBool::new(false), &mut |_, _| ()).unwrap();
        let share = |name: &str| styles.iter().find(|(known, _)| *known == name).unwrap().1.attack_share();
        assert!(share("attacker") > share("defender"), "{styles:?}");
        let full = StyleSettings { level: 10, ..settings };
        assert!(full.run(&AtomicBool::new(false), &mut |_, _| ()).is_err());
    }
}
