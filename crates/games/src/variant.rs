//! Variants: games found by name, with board size and rules.

use crate::erased::{ErasedFamily, ErasedGame};
use crate::error::EngineError;
use crate::look::{Layout, Wishes};
use crate::openings::NamedOpenings;
use crate::options::{EngineOption, OptionSpec, Options};
use crate::problem::Problem;
use crate::refusals;
use crate::registry::{GAMES, games};
use crate::score::Score;
use polyply_core::family::{About, Alias, RuleChoice, Setup};
use polyply_core::game::Side;
use polyply_core::hash::Fnv;
use polyply_core::swap::Swap;
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

/// A game with its board size and rules, found by name.
///
/// ```
/// use polyply_games::Variant;
///
/// let caro = Variant::find("caro:15,opening=swap2").unwrap();
/// assert_eq!((caro.about().title, caro.layout().columns), ("Caro", 15));
/// assert!(Variant::find("caro:99").is_err());
/// ```
#[derive(Clone)]
pub struct Variant {
    family: &'static dyn ErasedFamily,
    setup: Setup,
    name: String,
    game: Arc<dyn ErasedGame>,
    openings: &'static NamedOpenings,
    has_short_moves: bool,
}

impl Variant {
    /// Finds a variant by its name, with an optional board size and rules: `name`, `name:15`, `name:15,key=value`.
    pub fn find(name: &str) -> Result<Variant, EngineError> {
        let mut parts = name.split(',');
        let plain = parts.next().unwrap_or_default();
        let rule = |part: &str| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (key.to_owned(), value.to_owned())
        };
        Variant::with_rules(plain, &parts.map(rule).collect::<Vec<_>>())
    }

    /// Finds a variant by its name and optional board size, with these rules.
    pub fn with_rules(name: &str, rules: &[(String, String)]) -> Result<Variant, EngineError> {
        let (plain, size) = match name.split_once(':') {
            Some((plain, size)) => (plain, Some(size)),
            None => (name, None),
        };
        let position = GAMES.iter().position(|family| family.about().name == plain);
        let number = position.ok_or_else(|| EngineError::Variant {
            name: plain.to_owned(),
            known: games().map(|about| about.name).collect::<Vec<_>>().join(", "),
        })?;
        let family = GAMES[number];
        let about = family.about();
        let not_a_number = |_| EngineError::Setup { variant: about.name, reason: refusals::size_number(about.name) };
        let size = size.map(str::parse).transpose().map_err(not_a_number)?;
        let setup = Setup { size, rules: rules.to_vec(), weights: None };
        let game = family.open(&setup)?;
        let mut name = name.to_owned();
        for (key, value) in rules {
            name += &format!(",{key}={value}");
        }
        let has_short_moves = game.has_short_moves();
        Ok(Variant { family, setup, name, game, openings: NamedOpenings::of(about), has_short_moves })
    }

    /// Finds a variant by its full name, as [`Variant::name`] returns it. Default values are removed from its name, so
    /// that the same variant always has the same name.
    pub fn named(text: &str) -> Result<Variant, EngineError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let mut rules = Vec::new();
        for part in parts {
            let refuse = || EngineError::Setup { variant: "", reason: refusals::rule_form(part) };
            let (key, value) = part.split_once('=').ok_or_else(refuse)?;
            rules.push((key.to_owned(), value.to_owned()));
        }
        let asked = Variant::with_rules(name, &rules)?;
        let last = |key: &str| rules.iter().rev().find(|(given, _)| given == key).map(|(_, value)| value.clone());
        let unusual = asked.rule_choices().into_iter().filter_map(|rule| {
            let value = last(rule.key)?;
            (value != rule.usual).then(|| (rule.key.to_owned(), value))
        });
        let plain = asked.about().name;
        let usual_size = Variant::find(plain)?.layout().columns as u32;
        let name = match asked.setup.size {
            Some(size) if size != usual_size => format!("{plain}:{size}"),
            _ => plain.to_owned(),
        };
        Variant::with_rules(&name, &unusual.collect::<Vec<_>>())
    }

    /// The same variant with other evaluation weights, see [`Setup::weights`].
    pub fn with_weights(&self, weights: &str) -> Result<Variant, EngineError> {
        let setup = Setup { weights: Some(weights.to_owned()), ..self.setup.clone() };
        let game = self.family.open(&setup)?;
        Ok(Variant { setup, game, ..self.clone() })
    }

    /// A hash of the evaluation weights.
    pub fn weights_hash(&self) -> u64 {
        self.game.weights_hash()
    }

    /// All games with their default size and rules.
    pub fn all() -> impl Iterator<Item = Variant> {
        games().filter_map(|about| Variant::find(about.name).ok())
    }

    /// All games in the order in which people choose from them.
    pub fn to_choose_from() -> Vec<Variant> {
        let mut all: Vec<Variant> = Variant::all().collect();
        all.sort_by_key(|variant| variant.about().place);
        all
    }

    /// The full name by which it was found, with size and rules.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size, rules and weights that were asked for.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The board without pieces.
    pub fn layout(&self) -> Layout {
        self.game.layout()
    }

    /// How many evaluation units make a point, or a hundredth in games without points.
    pub fn units(&self) -> i32 {
        self.game.units()
    }

    /// Converts a value in evaluation units, from the first player's side, to a score.
    pub fn score(&self, value: i32) -> Score {
        self.game.score(polyply_core::score::Score::eval(value).for_first(Side::First))
    }

    /// Whether results are a number of points, and not just won, drawn or lost.
    pub fn counts_points(&self) -> bool {
        self.game.counts_points()
    }

    /// The text of a position that a person has set up, with one piece code for each cell, and values for what pieces
    /// do not show. The position may be illegal; parsing it will tell.
    pub fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> Result<String, EngineError> {
        let layout = self.layout();
        let refuse = |reason| Err(EngineError::Setup { variant: self.about().name, reason });
        let known: Vec<&str> = layout.codes().collect();
        if let Some(code) = codes.iter().flatten().find(|code| !known.contains(code)) {
            return refuse(refusals::unknown_piece(*code, known.join(", ")));
        }
        let cells = layout.columns * layout.rows;
        if codes.len() != cells {
            return refuse(refusals::board_cells(cells, codes.len()));
        }
        Ok(self.game.arranged(codes, side, wishes))
    }

    /// The score, in hundredths or in points, at which a player wins 73 % of the games.
    pub fn chance_unit(&self) -> f64 {
        self.game.chance_unit()
    }

    /// The first player's expected result at this score, from 0 to 1. A draw counts as a half.
    pub fn chance(&self, score: Score) -> f64 {
        match score {
            Score::Win(plies) => f64::from(u8::from(plies > 0)),
            Score::Centi(units) | Score::Points(units) => 1.0 / (1.0 + (-f64::from(units) / self.chance_unit()).exp()),
        }
    }

    /// Whether moves have a short form for people, besides the game's own notation.
    pub fn has_short_moves(&self) -> bool {
        self.has_short_moves
    }

    /// The description of the game.
    pub fn about(&self) -> &'static About {
        self.family.about()
    }

    /// The rules that can be chosen, with all their values.
    pub fn rule_choices(&self) -> Vec<RuleChoice> {
        self.family.rules()
    }

    /// The value of a rule in this variant.
    pub fn rule(&self, key: &str) -> Option<String> {
        let set = self.setup.rules.iter().rev().find(|(other, _)| other == key).map(|(_, value)| value.clone());
        set.or_else(|| self.rule_choices().into_iter().find(|rule| rule.key == key).map(|rule| rule.usual))
    }

    /// Finds the variant that a protocol or a file format calls by this name, with this board size if the game has
    /// several. Case is ignored.
    pub fn by_alias(of: &str, name: &str, size: Option<u32>) -> Option<Result<Variant, EngineError>> {
        let (about, alias) = aliases(of).find(|(_, alias)| alias.name.eq_ignore_ascii_case(name))?;
        let size = size.filter(|_| about.sizes.is_some()).map_or(String::new(), |size| format!(":{size}"));
        let rules: Vec<_> = alias.rules.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        Some(Variant::with_rules(&format!("{}{size}", about.name), &rules))
    }

    /// The main game of a protocol or a file format: the first one that has an alias there.
    pub fn main_of(of: &str) -> Option<Variant> {
        let (about, _) = aliases(of).next()?;
        Variant::find(about.name).ok()
    }

    /// The alias of this variant in a protocol or a file format, and whether it fits all the rules. Of several aliases
    /// the one that fits best is returned.
    pub fn alias(&self, of: &str) -> Option<(&'static Alias, bool)> {
        let differs = |alias: &&Alias| {
            let differ = |&&(key, value): &&(&str, &str)| self.rule(key).as_deref() != Some(value);
            alias.rules.iter().filter(differ).count()
        };
        let alias = self
            .about()
            .aliases
            .iter()
            .filter(|alias| alias.of == of)
            .min_by_key(|alias| (differs(alias), Reverse(alias.rules.len())))?;
        Some((alias, differs(&alias) == 0))
    }

    /// Parses a line of a problem file.
    pub fn problem(&self, line: &str) -> Result<Problem, EngineError> {
        let read = self.family.problem(line).map_err(EngineError::Problem)?;
        Ok(Problem::of(read, |score| self.game.score(score)))
    }

    /// The initial state of the swap rule; already settled if the rules have none.
    pub fn swap(&self) -> Swap {
        self.game.swap()
    }

    /// All options of an engine that was opened with these values: what the engine itself returns at first,
    /// without an engine.
    pub fn options(&self, options: &Options) -> Vec<OptionSpec> {
        let own = EngineOption::ALL.into_iter().map(|option| option.spec(options.get(option)));
        own.chain(self.game.params().into_iter().map(OptionSpec::from)).collect()
    }

    /// The game, for searchers.
    #[doc(hidden)]
    pub fn game(&self) -> &dyn ErasedGame {
        &*self.game
    }

    /// The named openings: the moves and the name of each.
    pub fn named_openings(&self) -> impl Iterator<Item = (Vec<&'static str>, &'static str)> + use<> {
        self.openings.lines()
    }

    pub(crate) fn openings(&self) -> &'static NamedOpenings {
        self.openings
    }

    /// Identifies the variant and the weights: a saved table is only valid for the same.
    pub fn fingerprint(&self) -> u64 {
        Fnv::of(self.name.bytes()) ^ self.game.weights_hash()
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variant({})", self.name)
    }
}

/// The aliases in a protocol or a file format, with their games.
fn aliases(of: &str) -> impl Iterator<Item = (&'static About, &'static Alias)> {
    games().flat_map(move |about| {
        about.aliases.iter().filter(move |alias| alias.of == of).map(move |alias| (about, alias))
    })
}
