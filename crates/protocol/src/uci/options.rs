//! The options: those that UCI defines, and every parameter of the search under its own name.

use crate::lines::quote;
use polyply_engine::registry::games;
use polyply_engine::{Engine, EngineError, Level, OptionKind, OptionSpec, TextOption, Variant, text_options};

/// UCI's names of the game it was made for, and of the same game with shuffled starting positions.
const USUAL: &str = "chess";
const SHUFFLED: &str = "chess960";
/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// The options that the protocol handles itself, not the engine.
#[derive(Clone, Debug)]
pub struct UciOptions {
    /// The protocol's name: `uci` or `uai`.
    protocol: &'static str,
    /// The game that was set; without it, the game that the protocol was made for.
    variant: Option<String>,
    shuffled: bool,
    /// Report the chances to win, draw and lose.
    pub show_wdl: bool,
    /// The file of the opening book; without one, the engine's own.
    pub book_file: Option<String>,
    limited: bool,
    elo: i32,
}

/// The range of `UCI_Elo`, for all games: interfaces learn of it before they choose one. Each game plays at the level
/// whose strength is nearest.
const WEAKEST: i32 = 500;
const STRONGEST: i32 = 3000;

impl Default for UciOptions {
    fn default() -> Self {
        UciOptions {
            protocol: "uci",
            variant: None,
            shuffled: false,
            show_wdl: false,
            book_file: None,
            limited: false,
            elo: STRONGEST,
        }
    }
}

/// What has to be done after an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionEffect {
    /// Nothing.
    Nothing,
    /// Switch to another game.
    Game,
    /// Set an option of the engine.
    Engine,
    /// Clear the tables.
    Clear,
    /// Open the book.
    Book,
}

impl UciOptions {
    /// The variant to play.
    pub fn variant(&self) -> Result<Variant, EngineError> {
        let usual = Variant::main_of(self.protocol).map(|variant| variant.about().name);
        let asked = self.variant.as_deref().or(usual).unwrap_or(USUAL);
        let name = if self.shuffled && asked == USUAL { SHUFFLED } else { asked };
        Variant::by_alias("uci", name, None).unwrap_or_else(|| Variant::find(name))
    }

    /// Sets the name of the protocol.
    pub fn speak(&mut self, protocol: &'static str) {
        self.protocol = protocol;
    }

    /// The level to play at, if the strength is limited.
    pub fn level(&self, variant: &Variant) -> Option<&'static Level> {
        self.limited.then(|| Level::of_elo(self.elo, variant))
    }

    /// Sets an option, or returns an error message and changes nothing.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionEffect, String> {
        let text = value.unwrap_or_default();
        let switch = || match text.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("the option `{name}` is true or false, not `{}`", quote(text))),
        };
        let mut next = self.clone();
        let effect = match name.to_ascii_lowercase().as_str() {
            "clear hash" => return Ok(OptionEffect::Clear),
            // The engine ponders when it is told to, so a permission to ponder changes nothing.
            "ponder" => switch().map(|_| OptionEffect::Nothing)?,
            "uci_showwdl" => {
                next.show_wdl = switch()?;
                OptionEffect::Nothing
            }
            "uci_chess960" => {
                next.shuffled = switch()?;
                OptionEffect::Game
            }
            "uci_variant" => {
                next.variant = Some(text.to_owned());
                OptionEffect::Game
            }
            "uci_limitstrength" => {
                next.limited = switch()?;
                OptionEffect::Nothing
            }
            "uci_elo" => {
                let elo = text.parse().ok().filter(|elo| (WEAKEST..=STRONGEST).contains(elo));
                let refuse = || format!("the option `{name}` is a number from {WEAKEST} to {STRONGEST}");
                next.elo = elo.ok_or_else(refuse)?;
                OptionEffect::Nothing
            }
            "bookfile" => {
                next.book_file = Some(text.to_owned()).filter(|path| !path.is_empty() && path != EMPTY);
                OptionEffect::Book
            }
            // The empty text is the default.
            _ if text == EMPTY => return Ok(OptionEffect::Nothing),
            _ => return Ok(OptionEffect::Engine),
        };
        next.variant().map_err(|error| error.to_string())?;
        *self = next;
        Ok(effect)
    }
}

/// The `option` lines.
pub fn declared(engine: &mut Engine) -> Vec<String> {
    let mut lines = Vec::new();
    // Options that UCI defines come first; the parameters of the search follow in their order.
    let mut specs = engine.options();
    specs.sort_by_key(|spec| shown(spec.name) == spec.name && !spec.name.starts_with(char::is_uppercase));
    let names = games().map(|about| format!(" var {}", about.name)).collect::<String>();
    let own = [
        "Ponder type check default false".to_owned(),
        "Clear Hash type button".to_owned(),
        format!("BookFile type string default {EMPTY}"),
        "UCI_Chess960 type check default false".to_owned(),
        format!("UCI_Variant type combo default {USUAL}{names}"),
        "UCI_ShowWDL type check default false".to_owned(),
        "UCI_LimitStrength type check default false".to_owned(),
        format!("UCI_Elo type spin default {STRONGEST} min {WEAKEST} max {STRONGEST}"),
    ];
    let first = specs.iter().take_while(|spec| spec.name.starts_with(char::is_uppercase)).count();
    lines.extend(specs[..first].iter().map(declaration));
    lines.extend(own);
    lines.extend(text_options().map(text_declaration));
    lines.extend(specs[first..].iter().map(declaration));
    lines.into_iter().map(|line| format!("option name {line}")).collect()
}

fn text_declaration(option: &TextOption) -> String {
    format!("{} type string default {EMPTY}", option.name)
}

fn declaration(spec: &OptionSpec) -> String {
    let name = shown(spec.name);
    match spec.kind {
        OptionKind::Switch => format!("{name} type check default {}", spec.default == 1),
        OptionKind::Number => format!("{name} type spin default {} min {} max {}", spec.default, spec.min, spec.max),
    }
}

/// The name of an option as interfaces know it.
fn shown(name: &str) -> &str {
    match name {
        "move_overhead" => "Move Overhead",
        "contempt" => "Contempt",
        "Level" => "Skill Level",
        other => other,
    }
}

/// The name of an option as the engine knows it.
pub fn known(name: &str) -> String {
    let shown_as = [("Move Overhead", "move_overhead"), ("Skill Level", "Level")];
    let found = shown_as.iter().find(|(shown, _)| name.eq_ignore_ascii_case(shown));
    found.map_or(name, |(_, known)| known).to_owned()
}
