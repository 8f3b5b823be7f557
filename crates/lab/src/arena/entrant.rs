//! Who takes part: the built-in engine with its options, or an external program.

use super::time_control::TimeControl;
use crate::LabError;
use crate::learn::with_weights;
use crate::record::line_at;
use crate::refusals;
use polyply_engine::{Engine, EngineOption, LEVELS, Level, Options, PERSONAS, Variant};
use polyply_protocol::drive::{Program, Protocol};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

/// The default table size of a built-in engine in megabytes: enough for short searches, and quick to clear.
const USUAL_HASH: usize = 16;

/// The option that sets the level of a built-in engine.
const LEVEL: &str = "Level";

/// The keys for an external program.
const KEYS: &str = "cmd, arg, dir, proto, name, tc, movetime, nodes, depth, option.X";

/// A player as it was asked for.
///
/// `builtin:lmr=0,nodes=2000` is the built-in engine with options, which `params=tuned.toml` takes from a file;
/// `builtin:level=4` plays at a level and `persona=attacker` in a style. `cmd=./engine,proto=uci,option.Hash=16` is an external one. Both accept `name` and the limits `tc`, `movetime`, `nodes` and `depth`. `\,` is a comma within a
/// value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name, unique in a match.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its own limits, if any.
    pub control: TimeControl,
    /// The text it was read from.
    pub text: String,
}

/// What plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The built-in engine.
    BuiltIn {
        /// Its options.
        options: Vec<(String, String)>,
        /// A file of weights, `handmade`, `linear`, or `built-in`.
        weights: Option<String>,
    },
    /// An external program.
    Program(Program),
}

impl FromStr for Entrant {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Entrant, LabError> {
        let (built_in, rest) = match text.strip_prefix("builtin") {
            Some("") => (true, ""),
            Some(rest) => (true, rest.strip_prefix(':').ok_or_else(|| LabError::Call(refusals::entrant_form(text)))?),
            None => (false, text),
        };
        let mut name = None;
        let mut control = TimeControl::default();
        let (mut command, mut protocol, mut folder, mut weights) = (None, None, None, None);
        let (mut args, mut options) = (Vec::new(), Vec::new());
        for part in split(rest) {
            let refuse = || LabError::Call(refusals::entrant_part(text, &part));
            let (key, value) = part.split_once('=').ok_or_else(refuse)?;
            let value = value.to_owned();
            match key {
                "name" => name = Some(value),
                _ if control.set(key, &value)? => {}
                "weights" if built_in => weights = Some(value),
                "level" if built_in => {
                    let refuse = || LabError::Call(refusals::entrant_level(text, LEVELS.len()));
                    let level = value.parse().ok().and_then(Level::find).ok_or_else(refuse)?.number;
                    options.push((LEVEL.to_owned(), level.to_string()));
                }
                "persona" if built_in => {
                    let known = PERSONAS.iter().position(|persona| persona.name.eq_ignore_ascii_case(&value));
                    let names = || PERSONAS.map(|persona| persona.name).join(", ");
                    let refuse = || LabError::Call(refusals::entrant_persona(text, names()));
                    options.push(("Persona".to_owned(), (known.ok_or_else(refuse)? + 1).to_string()));
                }
                "book" if built_in => options.push(("OwnBook".to_owned(), value)),
                "params" if built_in => options.extend(parameters(Path::new(&value))?),
                _ if built_in => options.push((key.to_owned(), value)),
                "cmd" => command = Some(value),
                "arg" => args.push(value),
                "dir" => folder = Some(value.into()),
                "proto" => {
                    let refuse = || LabError::Call(refusals::entrant_protocol(text, protocols()));
                    protocol = Some(Protocol::find(&value).ok_or_else(refuse)?);
                }
                _ => match key.strip_prefix("option.") {
                    Some(option) => options.push((option.to_owned(), value)),
                    None => {
                        return Err(LabError::Call(refusals::entrant_key(text, key, KEYS)));
                    }
                },
            }
        }
        let kind = if built_in {
            Kind::BuiltIn { options, weights }
        } else {
            let command = command.ok_or_else(|| LabError::Call(refusals::entrant_kind(text)))?;
            let refuse = || LabError::Call(refusals::entrant_no_protocol(text, protocols()));
            let protocol = protocol.ok_or_else(refuse)?;
            Kind::Program(Program { command: command.into(), args, folder, protocol, options })
        };
        let usual = match &kind {
            Kind::BuiltIn { .. } => text.to_owned(),
            Kind::Program(program) => file_name(&program.command),
        };
        Ok(Entrant { name: name.unwrap_or(usual), kind, control, text: text.to_owned() })
    }
}

/// A file of parameters: TOML with a table of whole numbers. Everything else in it is for people.
#[derive(Deserialize)]
struct ParameterFile {
    parameters: BTreeMap<String, i64>,
}

/// The parameters of a file, as `polyply tune` writes it.
fn parameters(path: &Path) -> Result<Vec<(String, String)>, LabError> {
    let text = std::fs::read_to_string(path).map_err(|error| LabError::asked(path, error))?;
    let file: ParameterFile = toml::from_str(&text).map_err(|error| {
        let reason = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line_at(&text, error.span().unwrap_or_default().start);
        LabError::asked(path, refusals::in_line(line, refusals::params_refused(reason)))
    })?;
    Ok(file.parameters.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}

/// The names of the protocols.
fn protocols() -> String {
    Protocol::ALL.map(|(name, _)| name).join(", ")
}

/// The parts between commas; `\,` is a comma within a part.
fn split(text: &str) -> Vec<String> {
    const COMMA: &str = "\0";
    let hidden = text.replace("\\,", COMMA);
    hidden.split(',').filter(|part| !part.is_empty()).map(|part| part.replace(COMMA, ",")).collect()
}

fn file_name(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

impl Entrant {
    /// The variant with the weights that this player uses.
    pub fn variant(&self, variant: &Variant) -> Result<Variant, LabError> {
        match &self.kind {
            Kind::BuiltIn { weights: Some(name), .. } => with_weights(variant, name),
            _ => Ok(variant.clone()),
        }
    }

    /// The level of a built-in engine, if one was set.
    pub fn level(&self) -> Option<u8> {
        match &self.kind {
            Kind::BuiltIn { options, .. } => {
                let level = options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(LEVEL));
                level.and_then(|(_, value)| value.parse().ok())
            }
            Kind::Program(_) => None,
        }
    }

    /// Whether it ends its searches by itself: a level below full strength does.
    pub fn limits_itself(&self) -> bool {
        self.level().and_then(Level::find).is_some_and(|level| !level.is_full())
    }

    /// Bytes of its tables. Those of another program are not ours.
    pub fn table_bytes(&self, variant: &Variant) -> usize {
        match &self.kind {
            Kind::BuiltIn { options, .. } => table_bytes(variant, options),
            Kind::Program(_) => 0,
        }
    }

    /// Reports what is wrong with it before any game is played.
    pub fn check(&self, variant: &Variant) -> Result<(), LabError> {
        match &self.kind {
            Kind::BuiltIn { options, .. } => built_in(&self.variant(variant)?, options).map(drop),
            Kind::Program(program) => program.protocol.check(variant).map_err(LabError::Call),
        }
    }
}

/// The options of a built-in engine before any is set.
fn usual() -> Options {
    Options { hash: USUAL_HASH, ..Options::default() }
}

/// Bytes of the tables of a built-in engine with options.
pub fn table_bytes(variant: &Variant, options: &[(String, String)]) -> usize {
    let mut sizes = usual().for_game(variant.about());
    for (name, value) in options {
        match (EngineOption::find(name), value.parse()) {
            (Some(EngineOption::Hash), Ok(megabytes)) => sizes.hash = megabytes,
            (Some(EngineOption::EvalCache), Ok(megabytes)) => sizes.eval_cache = Some(megabytes),
            _ => {}
        }
    }
    sizes.hash_bytes() + sizes.eval_cache_bytes()
}

/// A built-in engine with options.
pub fn built_in(variant: &Variant, options: &[(String, String)]) -> Result<Engine, LabError> {
    let mut engine = Engine::new(variant, &usual())?;
    for (name, value) in options {
        engine.set_option(name, value)?;
    }
    Ok(engine)
}

/// Renames entrants until no two share a name.
pub fn make_names_unique(entrants: &mut [Entrant]) {
    for index in 1..entrants.len() {
        let (before, rest) = entrants.split_at_mut(index);
        let taken = |name: &str| before.iter().any(|other| other.name == name);
        if taken(&rest[0].name) {
            let name = &rest[0].name;
            let free = (2..).map(|number| format!("{name} ({number})")).find(|name| !taken(name));
            rest[0].name = free.unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Entrant>().unwrap_err().to_string()
    }

    #[test]
    fn a_built_in_engine_has_options_and_limits() {
        let entrant: Entrant = "builtin:lmr=0,nodes=500,Hash=4,name=no lmr".parse().unwrap();
        assert_eq!((entrant.name.as_str(), entrant.control.nodes), ("no lmr", Some(500)));
        let options = [("lmr".to_owned(), "0".to_owned()), ("Hash".to_owned(), "4".to_owned())].to_vec();
        assert_eq!(entrant.kind, Kind::BuiltIn { options, weights: None });
        let variant = Variant::find("connect4").unwrap();
        assert!(entrant.check(&variant).is_ok());
        assert!("builtin:colour=1".parse::<Entrant>().unwrap().check(&variant).is_err());
        assert!("builtin:weights=handmade".parse::<Entrant>().unwrap().check(&variant).is_err());
    }

    #[test]
    fn the_tables_of_a_built_in_engine_are_counted_as_they_are_set() {
        let variant = Variant::find("connect4").unwrap();
        let bytes = |text: &str| text.parse::<Entrant>().unwrap().table_bytes(&variant);
        assert_eq!(bytes("builtin") as u64, 16 << 20);
        assert_eq!(bytes("builtin:hash=4,EvalCache=2,Hash=5") as u64, 7 << 20);
        assert_eq!(bytes("cmd=./engine,proto=uci,option.Hash=16"), 0);
    }

    #[test]
    fn a_built_in_engine_may_play_at_a_level() {
        let entrant: Entrant = "builtin:level=4".parse().unwrap();
        assert_eq!(entrant.level(), Some(4));
        assert_eq!("builtin:lmr=0".parse::<Entrant>().unwrap().level(), None);
        let persona: Entrant = "builtin:persona=Defender".parse().unwrap();
        let options = vec![("Persona".to_owned(), "2".to_owned())];
        assert_eq!(persona.kind, Kind::BuiltIn { options, weights: None });
        assert!(refused("builtin:persona=pirate").contains("attacker, defender"));
        assert!(refused("builtin:level=11").contains("from 1 to 10"), "{}", refused("builtin:level=11"));
    }

    #[test]
    fn options_of_a_built_in_engine_may_come_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuned.toml");
        let text = format!("builtin:params={},lmp=0", path.display());
        std::fs::write(&path, "variant = \"connect4\"\n[parameters]\nlmr_base = 55\n").unwrap();
        let Kind::BuiltIn { options, .. } = text.parse::<Entrant>().unwrap().kind else { panic!("it is built in") };
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options, [option("lmr_base", "55"), option("lmp", "0")]);
        std::fs::write(&path, "[parameters]\nlmr_base = \"much\"\n").unwrap();
        assert!(refused(&text).contains("tuned.toml: line 2: "), "{}", refused(&text));
        assert!(refused("builtin:params=no/such.toml").contains("no/such.toml"));
    }

    #[test]
    fn a_program_has_a_command_and_a_protocol() {
        let text = r"cmd=/opt/e x,arg=-a,arg=1\,2,dir=/tmp,proto=gomocup,option.max_memory=100,tc=5+0.1";
        let entrant: Entrant = text.parse().unwrap();
        let Kind::Program(program) = &entrant.kind else { panic!("it is a program") };
        assert_eq!((entrant.name.as_str(), program.args.as_slice()), ("e x", &["-a".to_owned(), "1,2".to_owned()][..]));
        assert_eq!(program.options, [("max_memory".to_owned(), "100".to_owned())]);
        assert!(entrant.check(&Variant::find("freestyle").unwrap()).is_ok());
        assert!(entrant.check(&Variant::find("connect4").unwrap()).is_err());
    }

    #[test]
    fn what_is_neither_is_refused_in_a_sentence() {
        for (text, says) in [
            ("", "neither builtin nor cmd"),
            ("stockfish", "without a `=`"),
            ("cmd=sf", "needs `proto`"),
            ("cmd=sf,proto=xboard", "uci, uai, gomocup, nboard, gtp"),
            ("cmd=sf,proto=uci,hash=1", "option.X"),
            ("builtinx", "builtin:option=value"),
            ("builtin:nodes=0", "number of nodes"),
        ] {
            assert!(refused(text).contains(says), "{text}: {}", refused(text));
        }
    }

    #[test]
    fn no_two_players_have_the_same_name() {
        let mut entrants = ["builtin", "builtin", "builtin"].map(|text| text.parse::<Entrant>().unwrap());
        make_names_unique(&mut entrants);
        assert_eq!(entrants.map(|entrant| entrant.name), ["builtin", "builtin (2)", "builtin (3)"]);
    }
}
