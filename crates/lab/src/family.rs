//! The five-in-a-row family by name: the one place where the name of a variant becomes a type.

use crate::LabError;
use crate::games::{self, Games, Record};
use crate::selfplay::{self, Pace, Played};
use polyply_core::refusal::Refusal;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{Kind, Settings};
use polyply_five::{Evaluator, Five, Weights};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A variant with its board and rules, as a game of the family is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// All that makes the rules.
    pub settings: Settings,
    /// The name, the size and the rules that were given, as in `caro:15,opening=none`.
    pub text: String,
}

impl Variant {
    /// Reads `caro`, `caro:15` or `caro:15,opening=none`; further rules may be given beside it.
    pub fn parse(text: &str, rules: &[(String, String)]) -> Result<Variant, LabError> {
        let mut parts = text.split(',');
        let named = parts.next().unwrap_or_default();
        let (name, size) = match named.split_once(':') {
            None => (named, None),
            Some((name, size)) => {
                let not_a_number = |_| LabError::Call(format!("the size of the board is a number, as in `{name}:15`"));
                (name, Some(size.parse().map_err(not_a_number)?))
            }
        };
        let rule = |part: &str| match part.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(LabError::Call(format!("a rule is given as key=value, not `{}`", part.escape_debug()))),
        };
        let mut all = parts.map(rule).collect::<Result<Vec<_>, _>>()?;
        all.extend_from_slice(rules);
        let settings = Settings::new(name, size, &all).map_err(|reason| LabError::Call(reason.to_string()))?;
        let given: String = all.iter().map(|(key, value)| format!(",{key}={value}")).collect();
        Ok(Variant { settings, text: format!("{name}:{}{given}", settings.size) })
    }

    /// The same as the engine knows it.
    pub fn game(&self) -> Result<polyply_engine::Variant, LabError> {
        let mut parts = self.text.split(',');
        let name = parts.next().unwrap_or_default();
        let rules: Vec<_> =
            parts.filter_map(|part| part.split_once('=')).map(|(key, value)| (key.into(), value.into())).collect();
        Ok(polyply_engine::Variant::with_rules(name, &rules)?)
    }

    /// The variant's kind.
    pub fn kind(&self) -> Kind {
        self.settings.variant
    }
}

/// Something that is done with a variant whose type is known.
pub(crate) trait Work {
    /// What comes out of it.
    type Out;
    /// Does it.
    fn run<R: Rule>(self, start: Five<R>) -> Self::Out;
}

/// Does something with a variant.
pub(crate) fn with<W: Work>(settings: Settings, work: W) -> W::Out {
    match settings.variant {
        Kind::Freestyle => work.run(Five::<Freestyle>::new(settings)),
        Kind::Standard => work.run(Five::<Standard>::new(settings)),
        Kind::Caro => work.run(Five::<Caro>::new(settings)),
        Kind::Capture => work.run(Five::<Capture>::new(settings)),
    }
}

/// Goes through the games of these files, which are all of one kind; `each` says what is wrong with one.
pub(crate) fn replay(
    kind: Kind,
    paths: &[PathBuf],
    mut each: impl FnMut(Settings, &Record) -> Result<(), Refusal>,
) -> Result<(), LabError> {
    for path in paths {
        for (text, record) in games::read(path)? {
            let variant = Variant::parse(&text, &[]).map_err(|error| LabError::file(path, error))?;
            if variant.kind() != kind {
                return Err(LabError::file(path, format!("it has games of {text}, not of {}", kind.name())));
            }
            each(variant.settings, &record)
                .map_err(|reason| LabError::file(path, format!("game {}: {reason}", record.number)))?;
        }
    }
    Ok(())
}

/// The weights of a file, or the variant's own for `built-in`, or those that nothing was learned for, `handmade`.
pub fn weights(kind: Kind, name: &str) -> Result<&'static Weights, LabError> {
    match name {
        "built-in" => Ok(Weights::of(kind)),
        "handmade" => Ok(Box::leak(Box::new(Weights::handmade()))),
        file => {
            let path = Path::new(file);
            let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
            let weights = Weights::parse(&text).map_err(|reason| LabError::file(path, reason))?;
            // An evaluation keeps its weights for the life of the program, and a program reads a few of them at most.
            Ok(Box::leak(Box::new(weights)))
        }
    }
}

/// Plays games of a variant until a file has so many; `told` hears how many there are.
pub fn selfplay(
    variant: &Variant,
    weights: &'static Weights,
    pace: Pace,
    count: u64,
    path: &Path,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<(), LabError> {
    struct Play<'a> {
        variant: polyply_engine::Variant,
        games: &'a mut Games,
        weights: &'static Weights,
        pace: Pace,
        count: u64,
        stop: &'a AtomicBool,
        told: &'a mut dyn FnMut(u64),
    }
    impl Work for Play<'_> {
        type Out = Result<(), LabError>;
        fn run<R: Rule>(self, start: Five<R>) -> Self::Out {
            let Play { variant, games, weights, pace, count, stop, told } = self;
            let missing = games.missing(count);
            told(games.done.len() as u64);
            let played = Played { variant: &variant, start: &start, eval: &Evaluator::new(weights) };
            selfplay::run(&played, pace, &missing, stop, &mut |record| {
                games.add(&record)?;
                told(games.done.len() as u64);
                Ok(())
            })
        }
    }
    let origin = format!("nodes={} seed={} weights={:016x}", pace.nodes, pace.seed, weights.hash);
    let mut games = Games::open(path, &variant.text, &origin)?;
    let game = variant.game()?;
    with(variant.settings, Play { variant: game, games: &mut games, weights, pace, count, stop, told })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_read_back_as_it_is_written() {
        let rules = [("opening".to_owned(), "none".to_owned())];
        let variant = Variant::parse("caro:15,blocked_ends=opponent", &rules).unwrap();
        assert_eq!(variant.text, "caro:15,blocked_ends=opponent,opening=none");
        assert_eq!(Variant::parse(&variant.text, &[]).unwrap(), variant);
        assert_eq!(Variant::parse("freestyle", &[]).unwrap().text, "freestyle:15");
    }

    #[test]
    fn what_is_no_variant_is_refused_in_a_sentence() {
        for (text, says) in [("go", "freestyle"), ("caro:x", "number"), ("caro,opening", "key=value")] {
            let error = Variant::parse(text, &[]).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
