//! What to tune and how: a TOML file.

use super::objective::{Games, Objective};
use super::test_function::{Function, TestFunction};
use crate::LabError;
use crate::arena::{Entrant, Kind, MatchSettings};
use crate::record::line_at;
use crate::refusals;
use polyply_core::params::{ParamSet, SearchParams};
use polyply_engine::{Engine, OptionKind, OptionSpec, Options, Refusal, Variant};
use polyply_stats::tuners::clop::ClopSettings;
use polyply_stats::tuners::genetic::GeneticSettings;
use polyply_stats::tuners::rspsa::RspsaSettings;
use polyply_stats::tuners::spsa::SpsaSettings;
use polyply_stats::tuners::{Axis, MethodSettings, Space};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The final match of the result against the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FinalTest {
    /// Games at most; 0 leaves the match out.
    pub games: u64,
    /// When to stop: `elo0,elo1`.
    pub sprt: String,
}

impl Default for FinalTest {
    fn default() -> Self {
        FinalTest { games: 1000, sprt: "0,10".into() }
    }
}

/// Everything about a tuning but the method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TuneSettings {
    /// What is optimised.
    pub objective: Function,
    /// The games; the engines come from the tuner.
    pub games: MatchSettings,
    /// What all engines share, as in `builtin:Hash=1`.
    pub engine: String,
    /// The parameters.
    #[serde(skip)]
    pub space: Space,
    /// The settings of the methods.
    pub methods: MethodSettings,
    /// The final match.
    pub test: FinalTest,
    /// The file they were read from, without its extension; what comes out goes beside it.
    #[serde(skip)]
    pub stem: PathBuf,
}

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct File {
    objective: Function,
    dimensions: Option<Spanned<usize>>,
    variant: String,
    rules: BTreeMap<String, String>,
    engine: Spanned<String>,
    games: Spanned<u64>,
    openings: String,
    plies: usize,
    shuffle: bool,
    seed: u64,
    tc: Option<String>,
    movetime: Option<String>,
    nodes: Option<u64>,
    depth: Option<i32>,
    margin: String,
    stall: String,
    draw: Option<String>,
    resign: Option<String>,
    win_within: Option<u32>,
    max_moves: Option<usize>,
    concurrency: usize,
    parameters: BTreeMap<Spanned<String>, Spanned<Bounds>>,
    spsa: Spanned<SpsaSettings>,
    rspsa: Spanned<RspsaSettings>,
    clop: Spanned<ClopSettings>,
    genetic: Spanned<GeneticSettings>,
    test: FinalTest,
}

/// What the file says about a parameter.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Bounds {
    min: Option<i64>,
    max: Option<i64>,
    start: Option<i64>,
    step: Option<f64>,
}

impl Default for File {
    fn default() -> Self {
        let usual = MatchSettings::default();
        let here = |text: &str| Spanned::new(0..0, text.to_owned());
        File {
            objective: Function::default(),
            dimensions: None,
            variant: String::new(),
            rules: BTreeMap::new(),
            engine: here("builtin"),
            games: Spanned::new(0..0, 10_000),
            openings: usual.openings,
            plies: usual.plies,
            shuffle: usual.shuffle,
            seed: usual.seed,
            tc: None,
            movetime: None,
            nodes: None,
            depth: None,
            margin: usual.margin,
            stall: usual.stall,
            draw: None,
            resign: None,
            win_within: None,
            max_moves: None,
            concurrency: usual.concurrency,
            parameters: BTreeMap::new(),
            spsa: Spanned::new(0..0, SpsaSettings::default()),
            rspsa: Spanned::new(0..0, RspsaSettings::default()),
            clop: Spanned::new(0..0, ClopSettings::default()),
            genetic: Spanned::new(0..0, GeneticSettings::default()),
            test: FinalTest::default(),
        }
    }
}

/// What is wrong, and where in the text.
type Wrong = (Range<usize>, Refusal);

impl TuneSettings {
    /// Reads a file. Paths in it are relative to its folder. What is wrong is told with its line.
    pub fn from_file(path: &Path) -> Result<TuneSettings, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::asked(path, error))?;
        let mut settings = TuneSettings::from_toml(&text).map_err(|error| LabError::asked(path, error.refusal()))?;
        settings.stem = path.with_extension("");
        let openings = &mut settings.games.openings;
        if !["random", "start"].contains(&openings.as_str()) {
            *openings = path.parent().unwrap_or(Path::new("")).join(&openings).display().to_string();
        }
        Ok(settings)
    }

    /// Reads TOML.
    pub fn from_toml(text: &str) -> Result<TuneSettings, LabError> {
        let refuse = |(span, reason): Wrong| LabError::Call(refusals::in_line(line_at(text, span.start), reason));
        let file: File = toml::from_str(text).map_err(|error| {
            let sentence = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            refuse((error.span().unwrap_or_default(), refusals::settings_refused(sentence)))
        })?;
        check_methods(&file).map_err(refuse)?;
        let axes = match file.objective {
            Function::Games => engine_axes(&file, refuse)?,
            _ => test_axes(&file).map_err(refuse)?,
        };
        if axes.is_empty() {
            return Err(LabError::Call(refusals::tune_nothing()));
        }
        Ok(file.settings(Space { axes }))
    }

    /// What plays the games.
    pub fn objective(&self) -> Result<Box<dyn Objective>, LabError> {
        let (space, seed) = (self.space.clone(), self.games.seed);
        if self.objective != Function::Games {
            return Ok(Box::new(TestFunction { function: self.objective, space, seed }));
        }
        let engines = vec![self.engine.clone(); 2];
        let plan = MatchSettings { engines, ..self.games.clone() }.plan()?;
        Ok(Box::new(Games::new(plan, self.engine.parse()?, space)))
    }
}

impl File {
    fn settings(self, space: Space) -> TuneSettings {
        let engine = self.engine.into_inner();
        let games = MatchSettings {
            variant: self.variant,
            rules: self.rules,
            games: self.games.into_inner(),
            openings: self.openings,
            plies: self.plies,
            shuffle: self.shuffle,
            seed: self.seed,
            tc: self.tc,
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin,
            stall: self.stall,
            draw: self.draw,
            resign: self.resign,
            win_within: self.win_within,
            max_moves: self.max_moves,
            concurrency: self.concurrency,
            ..MatchSettings::default()
        };
        let methods = MethodSettings {
            spsa: self.spsa.into_inner(),
            rspsa: self.rspsa.into_inner(),
            clop: self.clop.into_inner(),
            genetic: self.genetic.into_inner(),
        };
        TuneSettings { objective: self.objective, games, engine, space, methods, test: self.test, stem: PathBuf::new() }
    }
}

/// Refuses numbers that a method can't work with.
fn check_methods(file: &File) -> Result<(), Wrong> {
    let check = |span: Range<usize>, method: &str, wrong: Option<&str>| match wrong {
        Some(setting) => Err((span, refusals::tune_setting(method, setting))),
        None => Ok(()),
    };
    let first = |checks: &[(bool, &'static str)]| checks.iter().find(|(fine, _)| !fine).map(|&(_, name)| name);
    let spsa = file.spsa.get_ref();
    let wrong = first(&[
        (spsa.pairs > 0, "pairs"),
        (spsa.directions > 0, "directions"),
        ((0.0..=2.0).contains(&spsa.alpha), "alpha"),
        ((0.0..=2.0).contains(&spsa.gamma), "gamma"),
        ((0.0..=10.0).contains(&spsa.stability), "stability"),
        (spsa.gain.is_none_or(|gain| gain > 0.0 && gain.is_finite()), "gain"),
    ]);
    check(file.spsa.span(), "spsa", wrong)?;
    let rspsa = file.rspsa.get_ref();
    let wrong = first(&[
        (rspsa.pairs > 0, "pairs"),
        (rspsa.directions != Some(0), "directions"),
        ((1.0..=10.0).contains(&rspsa.grow), "grow"),
        (rspsa.shrink > 0.0 && rspsa.shrink <= 1.0, "shrink"),
        (rspsa.smallest > 0.0 && rspsa.smallest <= rspsa.first, "smallest"),
        (rspsa.first <= rspsa.largest && rspsa.largest.is_finite(), "largest"),
    ]);
    check(file.rspsa.span(), "rspsa", wrong)?;
    let clop = file.clop.get_ref();
    let wrong = first(&[
        (clop.pairs > 0, "pairs"),
        ((1..=10_000).contains(&clop.batch), "batch"),
        (clop.confidence > 0.0 && clop.confidence.is_finite(), "confidence"),
    ]);
    check(file.clop.span(), "clop", wrong)?;
    let genetic = file.genetic.get_ref();
    let wrong = first(&[
        (genetic.pairs > 0, "pairs"),
        ((2..=10_000).contains(&genetic.population), "population"),
        (genetic.elite < genetic.population, "elite"),
        (genetic.tournament > 0, "tournament"),
        ((0.0..=1.0).contains(&genetic.mutation), "mutation"),
        (genetic.first > 0.0 && genetic.first.is_finite(), "first"),
        (genetic.last > 0.0 && genetic.last.is_finite(), "last"),
    ]);
    check(file.genetic.span(), "genetic", wrong)
}

/// The range of the parameters of a test function, unless the file says otherwise.
const TEST_RANGE: [i64; 2] = [-1000, 1000];

/// The parameters of a test function: those that are named, or `x1`, `x2` and so on.
fn test_axes(file: &File) -> Result<Vec<Axis>, Wrong> {
    let mut axes = Vec::new();
    if let Some(dimensions) = &file.dimensions {
        if !(1..=1000).contains(dimensions.get_ref()) {
            return Err((dimensions.span(), refusals::tune_dimensions(*dimensions.get_ref())));
        }
        let [min, max] = TEST_RANGE;
        for number in 1..=*dimensions.get_ref() {
            let declared = Declared { name: format!("x{number}"), min, max, start: 0, bounds: TEST_RANGE };
            axes.push(axis(&declared, Bounds::default()).map_err(|reason| (0..0, reason))?);
        }
    }
    for (name, bounds) in &file.parameters {
        let [min, max] = TEST_RANGE;
        let declared = Declared { name: name.get_ref().clone(), min, max, start: 0, bounds: TEST_RANGE };
        let found = axis(&declared, *bounds.get_ref()).map_err(|reason| (bounds.span(), reason))?;
        axes.retain(|axis: &Axis| axis.name != found.name);
        axes.push(found);
    }
    Ok(axes)
}

/// A parameter as the engine declares it.
struct Declared {
    name: String,
    min: i64,
    max: i64,
    start: i64,
    /// The bounds where the file has none.
    bounds: [i64; 2],
}

impl From<&OptionSpec> for Declared {
    /// Declared ranges are wide, to forbid nothing that might make sense. What is tried by default lies around the
    /// value that the engine has.
    fn from(option: &OptionSpec) -> Self {
        let OptionSpec { min, max, value, .. } = *option;
        let around = value.abs().max((max - min) / 10).max(1);
        let bounds = [(value - around).max(min), (value + around).min(max)];
        Declared { name: option.name.into(), min, max, start: value, bounds }
    }
}

/// A parameter with the bounds of the file.
fn axis(declared: &Declared, bounds: Bounds) -> Result<Axis, Refusal> {
    let Declared { name, min, max, start, bounds: [low, high] } = declared;
    let name = name.as_str();
    let allowed = *min..=*max;
    let outside = [bounds.min, bounds.max].into_iter().flatten().find(|bound| !allowed.contains(bound));
    if let Some(bound) = outside {
        return Err(refusals::tune_range(name, *min, *max, bound));
    }
    let start = bounds.start.unwrap_or(*start);
    // A start outside of the usual bounds widens them; one outside of the bounds of the file is an error.
    let low = bounds.min.unwrap_or(start.min(*low).max(*min));
    let high = bounds.max.unwrap_or(start.max(*high).min(*max));
    if low >= high {
        return Err(refusals::tune_bounds(name, low, high));
    }
    if !(low..=high).contains(&start) {
        return Err(refusals::tune_start(name, low, high, start));
    }
    let width = (high - low) as f64;
    let step = bounds.step.unwrap_or((width / STEPS).max(SMALLEST_STEP));
    if !(SMALLEST_STEP..=width).contains(&step) {
        return Err(refusals::tune_step(name, SMALLEST_STEP.to_string(), width.to_string(), step.to_string()));
    }
    Ok(Axis { name: name.into(), low, high, start, step })
}

/// The usual step is this part of the bounds.
const STEPS: f64 = 20.0;
/// With smaller steps, the points on both sides of a parameter would be the same after rounding.
const SMALLEST_STEP: f64 = 0.5;

/// The parameters that the engine of the file has, by name or by group.
fn engine_axes(file: &File, refuse: impl Fn(Wrong) -> LabError) -> Result<Vec<Axis>, LabError> {
    let rules: Vec<(String, String)> = file.rules.clone().into_iter().collect();
    let variant = Variant::with_rules(&file.variant, &rules)?;
    let entrant: Entrant = file.engine.get_ref().parse()?;
    let Kind::BuiltIn { options: given, .. } = &entrant.kind else {
        return Err(refuse((file.engine.span(), refusals::tune_engine(file.engine.get_ref()))));
    };
    let mut engine = Engine::new(&entrant.variant(&variant)?, &Options { hash: 1, ..Options::default() })?;
    for (name, value) in given {
        engine.set_option(name, value)?;
    }
    let options = engine.options();
    let mut axes: Vec<Axis> = Vec::new();
    // Groups come first, so that a parameter that is also named has the bounds it is named with.
    let by_group = |key: &str| !options.iter().any(|option| option.name == key);
    let (groups, named): (Vec<_>, Vec<_>) = file.parameters.iter().partition(|(key, _)| by_group(key.get_ref()));
    for (key, bounds) in groups.into_iter().chain(named) {
        let members: Vec<&OptionSpec> = members(key.get_ref(), &options);
        if members.is_empty() {
            return Err(refuse((key.span(), refusals::tune_unknown(key.get_ref()))));
        }
        for option in members {
            let axis = axis(&option.into(), *bounds.get_ref()).map_err(|reason| refuse((bounds.span(), reason)))?;
            axes.retain(|known| known.name != axis.name);
            axes.push(axis);
        }
    }
    Ok(axes)
}

/// The parameters of a key: one of this name, a group, or those whose names begin as in `lmr_*`. Groups leave switches
/// out; a switch that is to be tuned is named.
fn members<'a>(key: &str, options: &'a [OptionSpec]) -> Vec<&'a OptionSpec> {
    let core = |name: &str| SearchParams::specs().iter().any(|spec| spec.name == name);
    let clock = |name: &str| SearchParams::CLOCK.contains(&name);
    let strength = |name: &str| name != "contempt" && !SearchParams::EVAL_CACHE.contains(&name);
    let own = |name: &str| ["Threads", "Hash", "EvalCache", "MultiPV"].contains(&name);
    let is_member = |option: &&OptionSpec| {
        let name = option.name;
        let grouped = option.kind == OptionKind::Number && !own(name);
        match key {
            "core" => grouped && core(name) && !clock(name) && strength(name),
            "clock" => grouped && clock(name),
            "game" => grouped && !core(name),
            _ => match key.strip_suffix('*') {
                Some(prefix) => grouped && name.starts_with(prefix),
                None => name == key && !own(name),
            },
        }
    };
    options.iter().filter(is_member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parameters: &str) -> Result<TuneSettings, String> {
        let text = format!("variant = \"connect4\"\nnodes = 100\n[parameters]\n{parameters}\n");
        TuneSettings::from_toml(&text).map_err(|error| error.to_string())
    }

    fn names(parameters: &str) -> Vec<String> {
        read(parameters).unwrap().space.axes.into_iter().map(|axis| axis.name).collect()
    }

    #[test]
    fn parameters_are_named_alone_or_in_groups() {
        assert_eq!(names("lmr_base = {}\nlmp = {}"), ["lmp", "lmr_base"]);
        assert_eq!(names("'lmp_*' = {}"), ["lmp_depth", "lmp_power"]);
        assert!(names("clock = {}").contains(&"time_horizon".to_owned()));
        let core = names("core = {}");
        assert!(core.len() > 30 && !core.iter().any(|name| ["exact", "time_kp", "Hash"].contains(&name.as_str())));
        let settings = read("'lmr_*' = {}\nlmr_base = { min = 10, max = 90, start = 20, step = 5 }").unwrap();
        let last = settings.space.axes.last().unwrap();
        assert_eq!((last.name.as_str(), last.low, last.high, last.start, last.step), ("lmr_base", 10, 90, 20, 5.0));
    }

    #[test]
    fn bounds_lie_around_the_default_where_none_are_given() {
        let axes = read("razoring_margin = {}\nlmr = {}\nfutility_base = { start = 900 }").unwrap().space.axes;
        let bounds: Vec<_> = axes.iter().map(|axis| (axis.low, axis.high, axis.start)).collect();
        assert_eq!(bounds[0].2, 900);
        assert!(bounds[0].1 >= 900);
        assert_eq!((axes[1].low, axes[1].high, axes[1].step), (0, 1, 0.5));
        assert!(bounds[2].0 < bounds[2].2 && bounds[2].2 < bounds[2].1, "{bounds:?}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (parameters, says) in [
            ("lmr_base = {}\nspeed = {}", "line 5: there is no parameter or group `speed`"),
            ("lmr_base = { max = 401 }", "line 4: `lmr_base` allows -200 to 400, not 401"),
            ("lmr_base = { min = 50, max = 50 }", "line 4: the bounds of `lmr_base`"),
            ("lmr_base = { min = 0, max = 50, start = 60 }", "line 4: `lmr_base` begins at 60"),
            ("lmr_base = { step = 0.1 }", "line 4: the step of `lmr_base`"),
            ("lmr_base = { low = 1 }", "line 4: the settings are refused: unknown field `low`"),
            ("lmr_base = {}\n[spsa]\npairs = 0", "line 5: `pairs` of spsa"),
            ("lmr_base = {}\n[clop]\nspeed = 0", "line 6: the settings are refused: unknown field `speed`"),
            ("Hash = {}", "line 4: there is no parameter or group `Hash`"),
            ("lmr_base = ", "line 4: "),
            ("", "nothing to tune"),
        ] {
            let error = read(parameters).unwrap_err();
            assert!(error.contains(says), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let foreign = "variant = \"chess\"\nengine = \"cmd=x,proto=uci\"\n[parameters]\nlmr_base = {}";
        assert!(TuneSettings::from_toml(foreign).unwrap_err().to_string().contains("line 2: "));
    }
}
