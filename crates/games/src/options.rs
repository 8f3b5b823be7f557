//! Options by name: the engine's own, and every parameter of the core and of the game.

use crate::erased::Param;
use crate::error::EngineError;
use crate::registry::games;
use polyply_core::family::{About, TextOption};
use polyply_core::table::MAX_BYTES;

/// Bytes of a megabyte.
const MEGABYTE: usize = 1 << 20;
/// The highest level, which plays at full strength.
pub const FULL_STRENGTH: usize = 10;
/// How many personas there are.
pub const PERSONAS: usize = 4;

/// The options that an engine is created with. Sizes are in megabytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of search threads.
    pub threads: usize,
    /// Size of the Search TT.
    pub hash: usize,
    /// Size of the evaluation cache; 0 switches it off. Without one, it is the size with which the game is quickest.
    pub eval_cache: Option<usize>,
    /// The number of best lines to find.
    pub multipv: usize,
    /// Play from the opening book as long as it knows the position.
    pub own_book: bool,
    /// The level to play at, from 1; 10 is full strength.
    pub level: usize,
    /// The persona to play as, from 1; 0 is none.
    pub persona: usize,
    /// The opponent's strength in Elo, for contempt; 0 if it is unknown.
    pub opponent_elo: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            hash: 64,
            eval_cache: None,
            multipv: 1,
            own_book: false,
            level: FULL_STRENGTH,
            persona: 0,
            opponent_elo: 0,
        }
    }
}

impl Options {
    /// The same with the sizes with which a game is quickest, where none are given.
    pub fn for_game(self, about: &About) -> Options {
        Options { eval_cache: self.eval_cache.or(Some(about.eval_cache)), ..self }
    }

    /// Fails if a value is out of range.
    pub fn check(&self) -> Result<(), EngineError> {
        EngineOption::ALL.iter().try_for_each(|option| option.check(self.get(*option) as i64))
    }

    /// The value of an option; a switch is 0 or 1.
    pub fn get(&self, option: EngineOption) -> usize {
        match option {
            EngineOption::Threads => self.threads,
            EngineOption::Hash => self.hash,
            EngineOption::EvalCache => self.eval_cache.unwrap_or_default(),
            EngineOption::MultiPv => self.multipv,
            EngineOption::OwnBook => self.own_book.into(),
            EngineOption::Level => self.level,
            EngineOption::Persona => self.persona,
            EngineOption::OpponentElo => self.opponent_elo,
        }
    }

    /// Bytes of the Search TT.
    pub fn hash_bytes(&self) -> usize {
        self.hash * MEGABYTE
    }

    /// Bytes of the evaluation cache.
    pub fn eval_cache_bytes(&self) -> usize {
        self.get(EngineOption::EvalCache) * MEGABYTE
    }
}

/// The kind of an option's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off: 1 or 0.
    Switch,
    /// A whole number.
    Number,
}

/// An option with its range and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Its name. Case is ignored when it is set.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The kind of its value.
    pub kind: OptionKind,
    /// The default.
    pub default: i64,
    /// The smallest allowed value.
    pub min: i64,
    /// The largest allowed value.
    pub max: i64,
    /// The current value.
    pub value: i64,
}

impl From<Param> for OptionSpec {
    fn from(param: Param) -> Self {
        let spec = param.spec;
        let kind = if (spec.min, spec.max) == (0, 1) { OptionKind::Switch } else { OptionKind::Number };
        OptionSpec {
            name: spec.name,
            help: spec.help,
            kind,
            default: param.default.into(),
            min: spec.min.into(),
            max: spec.max.into(),
            value: param.value.into(),
        }
    }
}

impl OptionSpec {
    /// Parses a value. A switch may also be `true`, `false`, `on` or `off`.
    pub fn read(&self, text: &str) -> Result<i64, EngineError> {
        let value = match (self.kind, text) {
            (OptionKind::Switch, "true" | "on") => Some(1),
            (OptionKind::Switch, "false" | "off") => Some(0),
            _ => text.parse().ok(),
        };
        value.filter(|value| (self.min..=self.max).contains(value)).ok_or_else(|| EngineError::OptionValue {
            name: self.name,
            min: self.min,
            max: self.max,
            value: text.to_owned(),
        })
    }
}

/// The options of all games whose values are texts. They are set for the whole process.
pub fn text_options() -> impl Iterator<Item = &'static TextOption> {
    games().flat_map(|about| about.options)
}

/// The engine's own options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineOption {
    /// Threads that search.
    Threads,
    /// Size of the Search TT.
    Hash,
    /// Size of the evaluation cache.
    EvalCache,
    /// Best lines to find.
    MultiPv,
    /// Play from the opening book.
    OwnBook,
    /// Strength.
    Level,
    /// Style.
    Persona,
    /// Strength of the opponent.
    OpponentElo,
}

impl EngineOption {
    /// All of them.
    pub const ALL: [EngineOption; 8] = [
        EngineOption::Threads,
        EngineOption::Hash,
        EngineOption::EvalCache,
        EngineOption::MultiPv,
        EngineOption::OwnBook,
        EngineOption::Level,
        EngineOption::Persona,
        EngineOption::OpponentElo,
    ];

    /// The option's description, with a value.
    pub fn spec(self, value: usize) -> OptionSpec {
        let most_megabytes = (MAX_BYTES / MEGABYTE as u64) as i64;
        let (name, help, min, max) = match self {
            EngineOption::Threads => ("Threads", "Threads that search.", 1, 256),
            EngineOption::Hash => ("Hash", "Size of the Search TT in megabytes.", 1, most_megabytes),
            EngineOption::EvalCache => {
                ("EvalCache", "Size of the evaluation cache in megabytes; 0 is off.", 0, most_megabytes)
            }
            EngineOption::MultiPv => ("MultiPV", "Best lines to find.", 1, 512),
            EngineOption::OwnBook => ("OwnBook", "Play from the opening book while it knows the position.", 0, 1),
            EngineOption::Level => ("Level", "Playing strength; 10 is full strength.", 1, FULL_STRENGTH as i64),
            EngineOption::Persona => {
                ("Persona", "Style of play: 0 none, 1 attacker, 2 defender, 3 gambler, 4 drawer.", 0, PERSONAS as i64)
            }
            EngineOption::OpponentElo => {
                ("OpponentElo", "The opponent's strength, by which draws are valued; 0 if unknown.", 0, 4000)
            }
        };
        let default = Options::default().get(self) as i64;
        let kind = if self == EngineOption::OwnBook { OptionKind::Switch } else { OptionKind::Number };
        OptionSpec { name, help, kind, default, min, max, value: value as i64 }
    }

    /// The option with this name.
    pub fn find(name: &str) -> Option<EngineOption> {
        EngineOption::ALL.into_iter().find(|option| option.spec(0).name.eq_ignore_ascii_case(name))
    }

    fn check(self, value: i64) -> Result<(), EngineError> {
        self.spec(0).read(&value.to_string()).map(drop)
    }
}
