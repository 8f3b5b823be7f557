//! Options by name: the engine's own four, and every parameter of the core and of the game.

use crate::erased::Param;
use crate::error::EngineError;
use crate::registry::games;
use polyply_core::family::TextOption;
use polyply_core::table::MAX_BYTES;

/// Bytes of a megabyte, as sizes of tables count them.
const MEGABYTE: usize = 1 << 20;

/// What an engine starts with. Sizes are in megabytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many threads search.
    pub threads: usize,
    /// Size of the Search TT.
    pub hash: usize,
    /// Size of the evaluation cache; 0 is off.
    pub eval_cache: usize,
    /// How many best lines to find.
    pub multipv: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, hash: 64, eval_cache: 0, multipv: 1 }
    }
}

impl Options {
    /// Says what is wrong with a value, if anything is.
    pub fn check(&self) -> Result<(), EngineError> {
        Own::ALL.iter().try_for_each(|own| own.check(self.get(*own) as i64))
    }

    pub(crate) fn get(&self, own: Own) -> usize {
        match own {
            Own::Threads => self.threads,
            Own::Hash => self.hash,
            Own::EvalCache => self.eval_cache,
            Own::MultiPv => self.multipv,
        }
    }

    pub(crate) fn hash_bytes(&self) -> usize {
        self.hash * MEGABYTE
    }

    pub(crate) fn eval_cache_bytes(&self) -> usize {
        self.eval_cache * MEGABYTE
    }
}

/// What kind of value an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off: 1 or 0.
    Switch,
    /// A whole number.
    Number,
}

/// What there is to know about an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name; capitals make no difference when it is set.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// The default.
    pub default: i64,
    /// The smallest allowed value.
    pub min: i64,
    /// The largest allowed value.
    pub max: i64,
    /// The value it has.
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
    /// Reads a value for this option. A switch is also `true` or `false`, `on` or `off`.
    pub(crate) fn read(&self, text: &str) -> Result<i64, EngineError> {
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

/// The options of all games whose values are texts. They are set for the whole process, whatever is played.
pub fn text_options() -> impl Iterator<Item = &'static TextOption> {
    games().flat_map(|about| about.options)
}

/// The engine's own options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Own {
    Threads,
    Hash,
    EvalCache,
    MultiPv,
}

impl Own {
    pub const ALL: [Own; 4] = [Own::Threads, Own::Hash, Own::EvalCache, Own::MultiPv];

    /// The option with a value.
    pub fn spec(self, value: usize) -> OptionSpec {
        let most_megabytes = (MAX_BYTES / MEGABYTE as u64) as i64;
        let (name, help, min, max) = match self {
            Own::Threads => ("Threads", "Threads that search.", 1, 256),
            Own::Hash => ("Hash", "Size of the Search TT in megabytes.", 1, most_megabytes),
            Own::EvalCache => ("EvalCache", "Size of the evaluation cache in megabytes; 0 is off.", 0, most_megabytes),
            Own::MultiPv => ("MultiPV", "Best lines to find.", 1, 512),
        };
        let default = Options::default().get(self) as i64;
        OptionSpec { name, help, kind: OptionKind::Number, default, min, max, value: value as i64 }
    }

    /// The option of a name.
    pub fn find(name: &str) -> Option<Own> {
        Own::ALL.into_iter().find(|own| own.spec(0).name.eq_ignore_ascii_case(name))
    }

    fn check(self, value: i64) -> Result<(), EngineError> {
        self.spec(0).read(&value.to_string()).map(drop)
    }
}
