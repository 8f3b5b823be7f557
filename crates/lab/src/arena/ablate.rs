//! What each technique is worth: the engine against itself with the technique switched.

use super::settings::{Format, MatchSettings};
use crate::LabError;
use crate::refusals;
use crate::report::Report;
use crate::stats::Tally;
use polyply_engine::{Engine, OptionKind, Options, Variant};

/// Switches that are no technique: they change what the search is asked for.
const NO_TECHNIQUE: [&str; 1] = ["exact"];

/// A technique and how it is switched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Technique {
    /// The option.
    pub name: String,
    /// What it does.
    pub help: &'static str,
    /// The value the engine has.
    pub usual: i64,
    /// The value to try.
    pub tried: i64,
}

impl Technique {
    /// All techniques of a variant. Those that are on are tried off, and the other way round.
    pub fn all(variant: &Variant) -> Result<Vec<Technique>, LabError> {
        let mut engine = Engine::new(variant, &Options { hash: 1, ..Options::default() })?;
        let techniques = engine.options().into_iter().filter_map(|option| {
            let is_switch = option.kind == OptionKind::Switch && !NO_TECHNIQUE.contains(&option.name);
            let at_zero = variant.about().off_at_zero.contains(&option.name) && option.value != 0;
            let tried = if is_switch { 1 - option.value } else { 0 };
            let technique = Technique { name: option.name.into(), help: option.help, usual: option.value, tried };
            (is_switch || at_zero).then_some(technique)
        });
        Ok(techniques.collect())
    }

    /// Reads `name`, a technique, or `name=value`, any option.
    pub fn read(text: &str, variant: &Variant) -> Result<Technique, LabError> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let mut engine = Engine::new(variant, &Options { hash: 1, ..Options::default() })?;
        let option = engine.option(name)?;
        let Some(value) = value else {
            let known = Technique::all(variant)?.into_iter().find(|technique| technique.name == option.name);
            return known.ok_or_else(|| LabError::Call(refusals::not_a_switch(option.name)));
        };
        engine.set_option(name, value)?;
        let tried = engine.option(name)?.value;
        Ok(Technique { name: option.name.into(), help: option.help, usual: option.value, tried })
    }

    /// A gauntlet of the engine as it is against one opponent for each technique.
    pub fn settings(techniques: &[Technique], rest: MatchSettings) -> MatchSettings {
        let tried = techniques.iter().map(|Technique { name, tried, .. }| format!("builtin:{name}={tried}"));
        let engines = std::iter::once("builtin:name=as it is".into()).chain(tried).collect();
        MatchSettings { engines, format: Format::Gauntlet, ..rest }
    }

    /// The results of each technique, from the side of the engine with the higher value of it.
    pub fn worths<'a>(techniques: &'a [Technique], report: &Report) -> Vec<(&'a Technique, Tally)> {
        let worth = |(technique, opponent): (&'a Technique, usize)| {
            let tally = report.against(0, Some(opponent));
            (technique, if technique.usual > technique.tried { tally } else { tally.other() })
        };
        techniques.iter().zip(1..).map(worth).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_tried_the_other_way() {
        let variant = Variant::find("freestyle").unwrap();
        let all = Technique::all(&variant).unwrap();
        let find =
            |name: &str| all.iter().find(|technique| technique.name == name).map(|found| (found.usual, found.tried));
        assert_eq!((find("lmr"), find("exact"), find("lmr_divisor")), (Some((1, 0)), None, None));
        assert_eq!(find("vct_root_threats").map(|(_, tried)| tried), Some(0));
        assert_eq!(Technique::read("lmr", &variant).unwrap(), *all.iter().find(|found| found.name == "lmr").unwrap());
        assert_eq!(Technique::read("vct_depth=3", &variant).unwrap().tried, 3);
        for (text, says) in [("colour", "colour"), ("vct_depth", "vct_depth=1"), ("lmr=7", "0 to 1")] {
            let error = Technique::read(text, &variant).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn the_engine_as_it_is_meets_one_for_each_technique() {
        let variant = Variant::find("connect4").unwrap();
        let techniques: Vec<_> = ["lmr=0", "killers=1"].map(|text| Technique::read(text, &variant).unwrap()).into();
        let rest = MatchSettings { variant: "connect4".into(), nodes: Some(100), games: 2, ..MatchSettings::default() };
        let plan = Technique::settings(&techniques, rest).plan().unwrap();
        assert_eq!(plan.pairings, [[0, 1], [0, 2]]);
        let names: Vec<_> = plan.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["as it is", "builtin:lmr=0", "builtin:killers=1"]);
    }
}
