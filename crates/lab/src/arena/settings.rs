//! The settings of a match or a tournament, from the command line or a file.

use super::adjudicate::Adjudication;
use super::entrant::{Entrant, make_names_unique};
use super::game::GameRules;
use super::openings::Openings;
use super::run::Plan;
use super::time_control::TimeControl;
use crate::LabError;
use crate::duration::parse_duration;
use crate::refusals;
use crate::stats::Sprt;
use crate::work::Place;
use polyply_engine::Variant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody else.
    #[default]
    RoundRobin,
    /// The first plays everybody else.
    Gauntlet,
}

/// The settings of a match or a tournament. What is left out has its default.
///
/// A file of them is TOML with the same names:
///
/// ```
/// use polyply_lab::arena::MatchSettings;
///
/// let settings = MatchSettings::from_toml(r#"
///     variant = "connect4"
///     engines = ["builtin", "builtin:lmr=0", "builtin:null_move=0"]
///     format = "gauntlet"
///     games = 10
///     nodes = 200
/// "#).unwrap();
/// assert_eq!(settings.plan().unwrap().games(), 20);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MatchSettings {
    /// The game, with its size: `freestyle:15`.
    pub variant: String,
    /// Its rules by key.
    pub rules: BTreeMap<String, String>,
    /// The players, see [`Entrant`].
    pub engines: Vec<String>,
    /// Who meets whom.
    pub format: Format,
    /// Games for each pairing; they come in pairs.
    pub games: u64,
    /// `random`, `start`, or a file of openings.
    pub openings: String,
    /// Length of an opening in plies, if the file holds whole games.
    pub plies: usize,
    /// Use the openings of the file in random order.
    pub shuffle: bool,
    /// Seed for random openings and random order.
    pub seed: u64,
    /// Time control: `moves/seconds+increment`, or `hourglass:seconds`.
    pub tc: Option<String>,
    /// Time per move: `100ms`.
    pub movetime: Option<String>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move, in plies.
    pub depth: Option<i32>,
    /// How far a move may exceed its time.
    pub margin: String,
    /// The longest time for a move without a time limit.
    pub stall: String,
    /// The longest time for an engine to start up.
    pub startup: String,
    /// When a game is a draw: `from=40,count=8,score=10`.
    pub draw: Option<String>,
    /// When a side has lost: `count=4,score=1000,both=1`.
    pub resign: Option<String>,
    /// A win that an engine announces within this many plies counts.
    pub win_within: Option<u32>,
    /// A game of this many moves is a draw.
    pub max_moves: Option<usize>,
    /// Stop when a sequential test decides: `elo0,elo1`.
    pub sprt: Option<String>,
    /// Games to play at once.
    pub concurrency: usize,
    /// The file for the games.
    pub out: Option<PathBuf>,
}

impl Default for MatchSettings {
    fn default() -> Self {
        MatchSettings {
            variant: String::new(),
            rules: BTreeMap::new(),
            engines: Vec::new(),
            format: Format::default(),
            games: 100,
            openings: "random".into(),
            plies: 8,
            shuffle: false,
            seed: 1,
            tc: None,
            movetime: None,
            nodes: None,
            depth: None,
            margin: "100ms".into(),
            stall: "60s".into(),
            startup: "10s".into(),
            draw: None,
            resign: None,
            win_within: None,
            max_moves: None,
            sprt: None,
            concurrency: 1,
            out: None,
        }
    }
}

impl MatchSettings {
    /// Reads TOML.
    pub fn from_toml(text: &str) -> Result<MatchSettings, LabError> {
        toml::from_str(text).map_err(|error| {
            let sentence = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            LabError::Call(refusals::settings_refused(sentence))
        })
    }

    /// Reads a file. Without `out`, the games go beside it, under its name. Paths in it are relative to its folder.
    pub fn from_file(path: &Path) -> Result<MatchSettings, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::asked(path, error))?;
        let mut settings = MatchSettings::from_toml(&text).map_err(|error| LabError::asked(path, error.refusal()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if !["random", "start"].contains(&settings.openings.as_str()) {
            settings.openings = folder.join(&settings.openings).display().to_string();
        }
        settings.out = Some(match settings.out {
            Some(out) => folder.join(out),
            None => path.with_extension(""),
        });
        Ok(settings)
    }

    /// What is played.
    pub fn variant(&self) -> Result<Variant, LabError> {
        let rules: Vec<(String, String)> = self.rules.clone().into_iter().collect();
        Ok(Variant::with_rules(&self.variant, &rules)?)
    }

    /// The plan of the games, or what is wrong with the settings.
    pub fn plan(&self) -> Result<Plan, LabError> {
        let variant = self.variant()?;
        let mut entrants = self.engines.iter().map(|text| text.parse()).collect::<Result<Vec<Entrant>, _>>()?;
        if entrants.len() < 2 {
            return Err(LabError::Call(refusals::two_engines()));
        }
        make_names_unique(&mut entrants);
        let mut openings = match self.openings.as_str() {
            "random" => Openings::random(self.seed),
            "start" => Openings::Start,
            file => Openings::read(Path::new(file), self.plies, &variant)?,
        };
        if self.shuffle {
            openings.shuffle(self.seed);
        }
        let duration = |setting: &str, text: &str| {
            parse_duration(text).map_err(|_| LabError::Call(refusals::setting_time(setting, text)))
        };
        let adjudication = Adjudication {
            draw: self.draw.as_deref().map(str::parse).transpose()?,
            resign: self.resign.as_deref().map(str::parse).transpose()?,
            win: self.win_within,
            max_moves: self.max_moves,
        };
        let plan = Plan {
            pairings: self.format.pairings(entrants.len()),
            pairs: self.games.div_ceil(2),
            both_ways: true,
            random_moves: None,
            control: self.control()?,
            rules: GameRules {
                adjudication,
                margin: duration("margin", &self.margin)?,
                stall: duration("stall", &self.stall)?,
                solve: false,
            },
            start: duration("startup", &self.startup)?,
            place: Place::Threads(self.concurrency),
            weights: None,
            file: None,
            variant,
            entrants,
            openings,
            first_openings: Vec::new(),
        };
        plan.check()?;
        if self.sprt.is_some() && plan.pairings.len() > 1 {
            return Err(LabError::Call(refusals::sequential_two()));
        }
        Ok(plan)
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Result<Option<Sprt>, LabError> {
        self.sprt.as_deref().map(str::parse).transpose().map_err(LabError::Call)
    }

    fn control(&self) -> Result<TimeControl, LabError> {
        let mut control = TimeControl::default();
        let (nodes, depth) = (self.nodes.map(|nodes| nodes.to_string()), self.depth.map(|depth| depth.to_string()));
        for (key, value) in [("tc", &self.tc), ("movetime", &self.movetime), ("nodes", &nodes), ("depth", &depth)] {
            if let Some(value) = value {
                control.set(key, value)?;
            }
        }
        Ok(control)
    }

    /// What differs from the defaults, for people to read.
    pub fn told(&self) -> BTreeMap<String, String> {
        let fields = |settings: &MatchSettings| serde_json::to_value(settings).unwrap_or_default();
        let (usual, mine) = (fields(&MatchSettings::default()), fields(self));
        let told = mine.as_object().into_iter().flatten().filter(|(name, value)| usual.get(name) != Some(value));
        told.map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect()
    }

    /// The part that determines the games, which must be the same when a run resumes. The number of games, how many are
    /// played at once, and when to stop may differ.
    pub fn identity(&self) -> MatchSettings {
        let MatchSettings { games, concurrency, sprt, out, .. } = MatchSettings::default();
        MatchSettings { games, concurrency, sprt, out, ..self.clone() }
    }
}

impl Format {
    /// Who plays whom, by index.
    pub fn pairings(self, entrants: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Format::RoundRobin => entrants,
            Format::Gauntlet => entrants.min(1),
        };
        (0..firsts).flat_map(|one| (one + 1..entrants).map(move |other| [one, other])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(change: impl FnOnce(&mut MatchSettings)) -> MatchSettings {
        let engines = vec!["builtin".into(), "builtin:lmr=0".into()];
        let mut settings =
            MatchSettings { variant: "connect4".into(), engines, nodes: Some(100), ..MatchSettings::default() };
        change(&mut settings);
        settings
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_one() {
        assert_eq!(Format::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Format::Gauntlet.pairings(3), [[0, 1], [0, 2]]);
    }

    #[test]
    fn pairs_of_games_change_sides_and_take_turns_through_the_pairings() {
        let plan = settings(|settings| {
            settings.engines.push("builtin:lmp=0".into());
            settings.games = 3;
        })
        .plan()
        .unwrap();
        let games: Vec<_> = (0..plan.games()).map(|number| plan.game(number)).collect();
        assert_eq!(games.len(), 12);
        assert_eq!(games.iter().take(4).map(|game| game.players).collect::<Vec<_>>(), [[0, 1], [1, 0], [0, 2], [2, 0]]);
        assert_eq!(games.iter().map(|game| game.pair).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_a_sentence() {
        let refused = |change: fn(&mut MatchSettings), says: &str| {
            let error = settings(change).plan().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(says), "{error}");
        };
        refused(|settings| settings.engines.truncate(1), "two engines");
        refused(|settings| settings.variant = "chekers".into(), "chekers");
        refused(|settings| settings.nodes = None, "needs a limit");
        refused(|settings| settings.nodes = Some(0), "nodes");
        refused(|settings| settings.tc = Some("soon".into()), "time control");
        refused(|settings| settings.margin = "5".into(), "margin");
        refused(|settings| settings.draw = Some("now".into()), "from=40");
        refused(|settings| settings.openings = "no/such/file".into(), "no/such/file");
        refused(|settings| settings.engines[1] = "builtin:speed=9".into(), "speed");
        refused(|settings| settings.engines[1] = "cmd=x,proto=gomocup".into(), "freestyle, standard");
        refused(
            |settings| {
                settings.sprt = Some("0,5".into());
                settings.engines.push("builtin".into());
            },
            "two engines",
        );
        let swap = settings(|settings| {
            settings.variant = "freestyle".into();
            settings.rules.insert("opening".into(), "swap2".into());
        });
        assert!(swap.plan().err().unwrap().to_string().contains("opening=none"));
        assert!(MatchSettings::from_toml("speed = 9").unwrap_err().to_string().contains("speed"));
    }

    #[test]
    fn more_games_are_the_same_match() {
        let longer = settings(|settings| settings.games = 500);
        assert_eq!(longer.identity(), settings(|settings| settings.concurrency = 2).identity());
        assert_ne!(longer.identity(), settings(|settings| settings.seed = 2).identity());
    }
}
