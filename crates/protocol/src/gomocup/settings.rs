//! What a manager sets by `INFO`: rules, time, memory, and how much to report.

use crate::lines::quote;
use polyply_engine::registry::games;
use polyply_engine::{About, EngineError, Variant};
use std::time::Duration;

/// The settings made by `INFO`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InfoSettings {
    /// Time for a move, if set.
    pub timeout_turn: Option<Duration>,
    /// Time for a game, if set; zero is no limit.
    pub timeout_match: Option<Duration>,
    /// Milliseconds left for the game, if set; may be negative.
    pub time_left: Option<i64>,
    /// Time added after each move.
    pub increment: Duration,
    /// Plies to search.
    pub max_depth: Option<i32>,
    /// Nodes to search.
    pub max_nodes: Option<u64>,
    /// Bytes that the whole program may use.
    pub max_memory: Option<u64>,
    /// Size of the Search TT in kilobytes, if set.
    pub hash_size: Option<u64>,
    /// Number of search threads.
    pub threads: usize,
    /// Search on the opponent's time.
    pub pondering: bool,
    /// Report the best move during the search, for managers that show it.
    pub show_realtime: bool,
    /// Report every line in full, for programs to read.
    pub show_lines: bool,
    /// Report every iteration.
    pub show_iterations: bool,
    /// Stones captured by the first and the second player, for the next position.
    pub captured: [u8; 2],
    /// Parameters of the search by name.
    pub options: Vec<(String, String)>,
    game: GameChoice,
}

/// The game, as the manager names it by a rule number or by our own key.
#[derive(Clone, PartialEq, Eq, Debug)]
enum GameChoice {
    /// The bits of `INFO rule`.
    Rule(u32),
    /// Our own `INFO variant`: a variant with rules by key.
    Variant(String, Vec<(String, String)>),
}

/// The name of the protocol in the aliases of games.
const PROTOCOL: &str = "gomocup";

/// `INFO rule`: the game goes on after a five. The manager handles this; to the engine it is a game like any other.
const CONTINUOUS: u32 = 2;
/// `INFO rule`: renju.
const RENJU: u32 = 4;

/// The size of the table in megabytes if none is set: enough for a long move, and quick to allocate.
const USUAL_HASH: u64 = 128;
/// What the program uses besides the table and its threads, in megabytes.
const PROGRAM: u64 = 24;
/// What a thread uses, in megabytes.
const THREAD: u64 = 8;

impl Default for InfoSettings {
    fn default() -> Self {
        InfoSettings {
            timeout_turn: None,
            timeout_match: None,
            time_left: None,
            increment: Duration::ZERO,
            max_depth: None,
            max_nodes: None,
            max_memory: None,
            hash_size: None,
            threads: 1,
            pondering: false,
            show_realtime: false,
            show_lines: false,
            show_iterations: false,
            captured: [0; 2],
            options: Vec::new(),
            game: GameChoice::Rule(0),
        }
    }
}

impl InfoSettings {
    /// Applies an `INFO` line. Unknown keys are ignored. An invalid value changes nothing and returns a message.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || {
            value.parse::<i64>().map_err(|_| format!("INFO {key} is a whole number, not `{}`: ignored", quote(value)))
        };
        let positive = || Ok::<u64, String>(number()?.max(0) as u64);
        let milliseconds = || Ok::<Duration, String>(Duration::from_millis(positive()?));
        let unless_zero = |number: u64| (number > 0).then_some(number);
        match key {
            "timeout_turn" => self.timeout_turn = Some(milliseconds()?),
            "timeout_match" => {
                self.timeout_match = Some(milliseconds()?);
                self.time_left = None;
            }
            "time_left" => self.time_left = Some(number()?),
            "time_increment" => self.increment = milliseconds()?,
            "max_depth" => self.max_depth = unless_zero(positive()?).map(|depth| depth.min(255) as i32),
            // Some managers write the greatest number for "no limit".
            "max_node" if value.parse() == Ok(u64::MAX) => self.max_nodes = None,
            "max_node" => self.max_nodes = unless_zero(positive()?),
            "max_memory" => self.max_memory = unless_zero(positive()?),
            "hash_size" => self.hash_size = unless_zero(positive()?),
            "thread_num" => self.threads = positive()?.clamp(1, 256) as usize,
            "pondering" => self.pondering = number()? != 0,
            "show_detail" => {
                let detail = number()?;
                self.show_realtime = detail & 1 != 0;
                self.show_lines = detail & 2 != 0;
            }
            "rule" => self.game = GameChoice::Rule(positive()?.min(u32::MAX.into()) as u32 & !CONTINUOUS),
            "variant" => self.game = variant(value)?,
            "captures" => self.captured = captures(value)?,
            // Known keys that have no effect here.
            "" | "game_type" | "folder" | "evaluate" | "start_depth" | "caution_factor" | "thread_split_depth"
            | "checkmate" | "nbestsym" | "vcthread" | "usedatabase" => {}
            _ => {
                self.options.retain(|(name, _)| name != key);
                // There are fewer parameters than this.
                if self.options.len() < 256 {
                    self.options.push((key.to_owned(), value.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// The variant on a board of this size, or why it can't be played.
    pub fn variant(&self, size: usize) -> Result<Variant, String> {
        let variant = match &self.game {
            GameChoice::Variant(name, rules) => Variant::with_rules(&format!("{name}:{size}"), rules),
            GameChoice::Rule(rule) => {
                let named = Variant::by_alias(PROTOCOL, &rule.to_string(), Some(size as u32));
                named.ok_or_else(|| match rule & RENJU {
                    0 => format!("the rule {rule} is not known; there are {}", numbers().join(", ")),
                    _ => "renju is not supported yet".to_owned(),
                })?
            }
        };
        variant.map_err(|error| match error {
            EngineError::Setup { reason, .. } => reason.to_string(),
            error => error.to_string(),
        })
    }

    /// Computes the tables of all rules, which takes a moment. Managers often set the rule only after `START`, when the
    /// clock of the first move is running.
    pub fn make_rules_ready(size: usize) {
        for number in numbers() {
            // An error is reported when the rule is set.
            let _ = Variant::by_alias(PROTOCOL, number, Some(size as u32));
        }
    }

    /// Megabytes for the Search TT.
    pub fn hash(&self) -> usize {
        let wanted = self.hash_size.map_or(USUAL_HASH, |kilobytes| kilobytes >> 10);
        let most = self
            .max_memory
            .map_or(u64::MAX, |bytes| (bytes >> 20).saturating_sub(PROGRAM + THREAD * self.threads as u64));
        wanted.min(most).clamp(1, 1 << 20) as usize
    }

    /// Subtracts the time of a move, for managers that do not send the time left.
    pub fn spend(&mut self, time: Duration) {
        if let Some(whole) = self.timeout_match.filter(|time| !time.is_zero()) {
            let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
            let left = self.time_left.unwrap_or_else(|| milliseconds(whole));
            self.time_left = Some(left.saturating_sub(milliseconds(time)).saturating_add(milliseconds(self.increment)));
        }
    }

    /// A new game begins: resets the clock and the captured stones.
    pub fn new_game(&mut self) {
        self.time_left = None;
        self.captured = [0; 2];
    }
}

/// The games that the protocol can express.
fn known_games() -> impl Iterator<Item = &'static About> {
    games().filter(|about| about.aliases.iter().any(|alias| alias.of == PROTOCOL))
}

/// The numbers of `INFO rule`, in order.
fn numbers() -> Vec<&'static str> {
    let names = known_games().flat_map(|about| about.aliases).filter(|alias| alias.of == PROTOCOL);
    let mut numbers: Vec<&str> = names.map(|alias| alias.name).filter(|name| !name.is_empty()).collect();
    numbers.sort_unstable();
    numbers
}

/// Parses the name of a variant, optionally with rules as `key=value`.
fn variant(value: &str) -> Result<GameChoice, String> {
    let mut words = value.split_whitespace();
    let name = words.next().unwrap_or_default().to_ascii_lowercase();
    let rules: Option<Vec<_>> = words
        .map(|word| word.split_once('=').map(|(key, value)| (key.to_ascii_lowercase(), value.to_ascii_lowercase())))
        .collect();
    let played = rules.map(|rules| (name, rules)).filter(|(name, rules)| {
        Variant::with_rules(name, rules).is_ok_and(|variant| variant.alias(PROTOCOL).is_some())
    });
    let (name, rules) = played.ok_or_else(|| {
        let known: Vec<&str> = known_games().map(|about| about.name).collect();
        format!("INFO variant is one of {}, with rules as key=value, not `{}`: ignored", known.join(", "), quote(value))
    })?;
    Ok(GameChoice::Variant(name, rules))
}

/// Parses `b,w`.
fn captures(value: &str) -> Result<[u8; 2], String> {
    let read = |text: &str| text.trim().parse().ok();
    value
        .split_once(',')
        .and_then(|(first, second)| Some([read(first)?, read(second)?]))
        .ok_or_else(|| format!("INFO captures is two numbers, as in `2,0`, not `{}`: ignored", quote(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(infos: &[(&str, &str)]) -> InfoSettings {
        let mut settings = InfoSettings::default();
        infos.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        settings
    }

    fn played(infos: &[(&str, &str)]) -> Result<String, String> {
        settings(infos).variant(15).map(|variant| variant.name().to_owned())
    }

    #[test]
    fn the_bits_of_the_rule_choose_the_variant() {
        let caro = |exact| format!("caro:15,exact_five={exact},blocked_ends=opponent,opening=none");
        assert_eq!(played(&[]).unwrap(), "freestyle:15");
        for (rule, name) in [("0", "freestyle:15"), ("1", "standard:15"), ("2", "freestyle:15"), ("3", "standard:15")] {
            assert_eq!(played(&[("rule", rule)]).unwrap(), name);
        }
        assert_eq!(played(&[("rule", "8")]).unwrap(), caro(false));
        assert_eq!(played(&[("rule", "9")]).unwrap(), caro(true));
        assert_eq!(played(&[("rule", "11")]).unwrap(), caro(true));
        assert_eq!(played(&[("rule", "4")]).unwrap_err(), "renju is not supported yet");
        assert!(played(&[("rule", "16")]).unwrap_err().contains("rule 16"));
    }

    #[test]
    fn our_own_key_chooses_any_variant_and_the_last_word_counts() {
        assert_eq!(played(&[("rule", "4"), ("variant", "capture")]).unwrap(), "capture:15");
        assert_eq!(played(&[("variant", "capture"), ("rule", "1")]).unwrap(), "standard:15");
        let rules = [("variant", "capture breakable_five=forced double_three=off")];
        assert_eq!(played(&rules).unwrap(), "capture:15,breakable_five=forced,double_three=off");
        for wrong in ["", "chess", "connect4", "capture forced", "caro opening=maybe"] {
            assert!(InfoSettings::default().set("variant", wrong).unwrap_err().contains("ignored"), "{wrong}");
        }
    }

    #[test]
    fn the_size_is_refused_where_there_is_no_such_board() {
        assert!(InfoSettings::default().variant(4).unwrap_err().contains("5 to 22"));
        assert!(InfoSettings::default().variant(23).unwrap_err().contains("not 23"));
    }

    #[test]
    fn the_table_stays_within_the_memory() {
        let hash = |infos: &[_]| settings(infos).hash();
        assert_eq!(hash(&[]), 128);
        assert_eq!(hash(&[("max_memory", "0")]), 128);
        assert_eq!(hash(&[("max_memory", "367001600")]), 128);
        assert_eq!(hash(&[("max_memory", "83886080")]), 48);
        assert_eq!(hash(&[("max_memory", "1")]), 1);
        assert_eq!(hash(&[("hash_size", "262144")]), 256);
        assert_eq!(hash(&[("hash_size", "262144"), ("max_memory", "83886080"), ("thread_num", "2")]), 40);
        assert_eq!(hash(&[("hash_size", "9223372036854775807")]), 1 << 20);
    }

    #[test]
    fn values_that_make_no_sense_change_nothing() {
        let mut settings = settings(&[("timeout_turn", "1000")]);
        let before = settings.clone();
        for (key, value) in [("timeout_turn", "soon"), ("rule", ""), ("captures", "2"), ("thread_num", "1.5")] {
            assert!(settings.set(key, value).unwrap_err().contains("ignored"), "{key}");
        }
        assert_eq!(settings, before);
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it() {
        let settings =
            settings(&[("timeout_turn", "-5"), ("max_depth", "1000"), ("thread_num", "-1"), ("max_node", "0")]);
        assert_eq!(settings.timeout_turn, Some(Duration::ZERO));
        assert_eq!((settings.max_depth, settings.threads, settings.max_nodes), (Some(255), 1, None));
        assert_eq!(self::settings(&[("max_node", "18446744073709551615")]).max_nodes, None);
    }

    #[test]
    fn where_the_manager_does_not_count_the_time_we_do() {
        let mut settings = settings(&[("timeout_match", "10000"), ("time_increment", "100")]);
        settings.spend(Duration::from_millis(3000));
        assert_eq!(settings.time_left, Some(7100));
        settings.set("time_left", "500").unwrap();
        settings.spend(Duration::from_millis(1000));
        assert_eq!(settings.time_left, Some(-400));
    }
}
