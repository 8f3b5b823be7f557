//! The Gomocup protocol from the manager's side.
//!
//! An opening is sent by `BOARD` and each further move by `TURN`, as tournaments do. There is no standard for what an
//! engine reports about its search; Rapfi's format, which Polyply writes as well, is understood.

use super::process::Process;
use super::{Client, Fault, MoveReply, MoveRequest, Options, Protocol, for_first};
use crate::gomocup::point::Point;
use polyply_engine::look::CAPTURED;
use polyply_engine::{PositionSpec, Refusal, Score, Side, Variant};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The pause after an engine's move before the next command. Some engines, Rapfi among them, lose a command that
/// arrives at once.
const PAUSE: Duration = Duration::from_millis(10);

/// How an unlimited time is written.
const UNLIMITED: u128 = i32::MAX as u128;

#[derive(Default)]
pub struct Gomocup {
    /// `INFO` lines of the engine's own options, sent again before each game.
    options: String,
    size: usize,
    /// The position it knows: what it was sent, and its own last move.
    known: Option<PositionSpec>,
    /// The times it was sent last.
    times: Vec<String>,
    /// When it moved last.
    moved: Option<Instant>,
}

impl Client for Gomocup {
    /// The protocol has no handshake before `START`, and the size of the board is not known yet.
    fn handshake(
        &mut self,
        _process: &mut Process,
        options: &Options,
        _until: Instant,
    ) -> Result<Option<String>, Fault> {
        self.options = options.iter().map(|(key, value)| format!("INFO {key} {value}\n")).collect();
        Ok(None)
    }

    fn new_game(&mut self, process: &mut Process, variant: &Variant, until: Instant) -> Result<(), Fault> {
        let Rule { size, info } = rule(variant).map_err(|reason| Fault::Refused(reason.to_string()))?;
        (self.size, self.known) = (size, None);
        self.times.clear();
        start(process, size, until)?;
        process.send(format!("INFO game_type 1\n{info}\nINFO show_detail 2\n{}", self.options).trim_end());
        Ok(())
    }

    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let (spec, side) = (request.spec(), request.side());
        let mut told = self.new_times(request);
        let follows = |known: &PositionSpec| {
            let last = spec.moves.len().checked_sub(1)?;
            (known.position == spec.position && known.moves == spec.moves[..last]).then(|| &spec.moves[last])
        };
        match self.known.as_ref().and_then(follows) {
            Some(last) => told += &format!("TURN {}", self.point(last)?),
            None => told += &self.board(request)?,
        }
        if let Some(moved) = self.moved {
            std::thread::sleep(PAUSE.saturating_sub(moved.elapsed()));
        }
        process.discard_pending();
        process.send(&told);
        let began = Instant::now();
        let mut reply = MoveReply::default();
        loop {
            let said = process.line(request.until)?;
            let line = said.text.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match word.to_ascii_uppercase().as_str() {
                "MESSAGE" => read_message(rest, side, &mut reply),
                "INFO" => read_details(rest, side, self.size, &mut reply),
                "ERROR" | "UNKNOWN" => return Err(Fault::Refused(line.chars().take(200).collect())),
                "SUGGEST" => process.send(&format!("PLAY {rest}")),
                _ => {
                    if let Some(point) = Point::parse(line) {
                        // A point outside the board has no name; it is an illegal move however it is written.
                        let on_board = point.is_on(self.size);
                        reply.mv = if on_board { point.name(self.size) } else { point.to_string() };
                        reply.time = said.at - began;
                        self.moved = Some(said.at);
                        self.known = Some(spec.after(&reply.mv));
                        return Ok(reply);
                    }
                }
            }
        }
    }

    fn quit_command(&self) -> &'static str {
        "END"
    }
}

impl Gomocup {
    fn point(&self, mv: &str) -> Result<Point, Fault> {
        Point::of_name(mv, self.size).ok_or_else(|| Fault::Refused(format!("`{mv}` is no point of the board")))
    }

    /// The limits of the move that have changed. Some engines mishandle an `INFO` that arrives right after their move.
    fn new_times(&mut self, request: &MoveRequest<'_>) -> String {
        let times: Vec<String> = times(request).lines().map(|line| format!("{line}\n")).collect();
        let told = times.iter().filter(|line| !self.times.contains(line)).cloned().collect();
        self.times = times;
        told
    }

    /// The whole position, with the stones in the order in which they were played, since some engines rely on it.
    fn board(&self, request: &MoveRequest<'_>) -> Result<String, Fault> {
        let (board, spec, side) = (request.board, request.spec(), request.side());
        let pieces = board.pieces();
        let stone = |point: Point| {
            let owner = pieces.get(point.cell(self.size)).copied().flatten()?;
            Some((point, if owner == "x" { Side::First } else { Side::Second }))
        };
        let played = spec.moves.iter().map(|mv| self.point(mv)).collect::<Result<Vec<_>, _>>()?;
        // The order of the stones of a starting position is not known: they are sent in turn.
        let points = (0..self.size * self.size).map(|index| Point { x: index % self.size, y: index / self.size });
        let (first, second): (Vec<_>, Vec<_>) = points
            .filter(|point| !played.contains(point))
            .filter_map(stone)
            .partition(|(_, owner)| *owner == Side::First);
        let longer = first.len().max(second.len());
        let given = (0..longer).flat_map(|index| [first.get(index), second.get(index)]).flatten().copied();
        // With captures a point can be played twice, and can be empty again.
        let mut seen = BTreeSet::new();
        let moved = played.iter().copied().filter(|point| seen.insert(*point)).filter_map(stone);
        let stones: Vec<(Point, Side)> = given.chain(moved).collect();
        if stones.is_empty() {
            return Ok("BEGIN".into());
        }
        let unseen = board.unseen();
        let captured = |key| unseen.iter().find(|unseen| unseen.key == key).map_or("0", |unseen| &unseen.value);
        let captures = match CAPTURED.map(captured) {
            ["0", "0"] => String::new(),
            [first, second] => format!("INFO captures {first},{second}\n"),
        };
        let line = |(point, owner): &(Point, Side)| format!("{point},{}\n", if *owner == side { 1 } else { 2 });
        Ok(format!("{captures}BOARD\n{}DONE", stones.iter().map(line).collect::<String>()))
    }
}

/// The limits of a move.
fn times(request: &MoveRequest<'_>) -> String {
    let ms = |time: Duration| time.as_millis();
    let budget = request.budget;
    let mut told = String::new();
    let mut info = |key: &str, value: u128| told += &format!("INFO {key} {value}\n");
    if let Some(clock) = request.clock() {
        // The game has a limit, the turn has none of its own.
        info("timeout_turn", ms(budget.time.unwrap_or(clock.remaining + clock.increment)));
        info("timeout_match", ms(clock.remaining));
        info("time_left", ms(clock.remaining));
        if !clock.increment.is_zero() {
            info("time_increment", ms(clock.increment));
        }
    } else if let Some(time) = budget.time {
        info("timeout_turn", ms(time));
        info("timeout_match", 0);
        info("time_left", UNLIMITED);
    }
    if let Some(nodes) = budget.nodes {
        info("max_node", nodes.into());
    }
    if let Some(depth) = budget.depth {
        info("max_depth", depth.max(1) as u128);
    }
    told
}

/// Sends the size of the board.
fn start(process: &mut Process, size: usize, until: Instant) -> Result<(), Fault> {
    process.discard_pending();
    process.send(&format!("START {size}"));
    process.wait_for(until, |line| {
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match word.as_str() {
            "OK" => Some(Ok(())),
            "ERROR" | "UNKNOWN" => Some(Err(Fault::Refused(line.to_owned()))),
            _ => None,
        }
    })?
}

/// A variant in the protocol's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    size: usize,
    /// The lines that name it.
    info: String,
}

/// A variant in the protocol's terms, or why it has none. Rules without a number are sent by our own key, which other
/// engines ignore.
pub fn rule(variant: &Variant) -> Result<Rule, Refusal> {
    Protocol::Gomocup.check(variant)?;
    let (number, whole) =
        variant.alias(Protocol::Gomocup.name()).map_or(("", false), |(alias, whole)| (alias.name, whole));
    let mut info = format!("INFO rule {}", if number.is_empty() { "0" } else { number });
    if number.is_empty() || !whole {
        let rules: String = variant.setup().rules.iter().map(|(key, value)| format!(" {key}={value}")).collect();
        info += &format!("\nINFO variant {}{rules}", variant.about().name);
    }
    Ok(Rule { size: variant.layout().columns, info })
}

/// Reads `Depth 12-20 | Eval 35 | Node 123K | …`, as Rapfi and similar engines write it. Scores are from the side to
/// move.
fn read_message(text: &str, side: Side, reply: &mut MoveReply) {
    let mut words = text.split([' ', '|', ':', '=', ',']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "depth" => reply.depth = words.next().and_then(leading_number).or(reply.depth),
            "eval" | "ev" => {
                reply.score = words.next().and_then(eval).map(|eval| for_first(eval, side)).or(reply.score)
            }
            _ => {}
        }
    }
}

/// Reads `EVAL +M7` and the like, which are meant for programs.
fn read_details(text: &str, side: Side, size: usize, reply: &mut MoveReply) {
    let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match key.to_ascii_uppercase().as_str() {
        "DEPTH" => reply.depth = leading_number(value).or(reply.depth),
        "EVAL" => reply.score = eval(value).map(|eval| for_first(eval, side)).or(reply.score),
        "TOTALNODES" => reply.nodes = value.trim().parse().ok().or(reply.nodes),
        "BESTLINE" => {
            let points = value.split_whitespace().filter_map(Point::parse).filter(|point| point.is_on(size));
            reply.line = points.map(|point| point.name(size)).collect();
        }
        _ => {}
    }
}

fn leading_number(text: &str) -> Option<i32> {
    let text = text.trim();
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Reads a number, or `+M7` for a win in seven plies and `-M6` for a loss in six.
fn eval(text: &str) -> Option<Score> {
    let text = text.trim();
    let plies = |digits: &str| digits.parse::<u16>().ok().map(i32::from);
    if let Some(digits) = text.strip_prefix("+M") {
        plies(digits).map(Score::Win)
    } else if let Some(digits) = text.strip_prefix("-M") {
        plies(digits).map(|plies| Score::Win(-plies))
    } else {
        text.parse().ok().map(Score::Centi)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Budget;
    use super::*;
    use polyply_engine::{Board, Clock};

    fn asked(variant: &str, spec: &PositionSpec) -> String {
        let variant = Variant::find(variant).unwrap();
        let size = rule(&variant).unwrap().size;
        let board = Board::at(&variant, spec).unwrap();
        let request = MoveRequest { board: &board, budget: Budget::default(), until: Instant::now() };
        Gomocup { size, ..Gomocup::default() }.board(&request).unwrap()
    }

    #[test]
    fn a_position_is_told_in_the_order_of_its_stones() {
        assert_eq!(asked("freestyle:15", &PositionSpec::default()), "BEGIN");
        let moves = PositionSpec::new(None, &["h8", "a15", "o1"]);
        assert_eq!(asked("freestyle:15", &moves), "BOARD\n7,7,2\n0,0,1\n14,14,2\nDONE");
        let position = PositionSpec::new(Some("5/xx3/2o2/o4/5 x"), &["e1"]);
        assert_eq!(asked("freestyle:5", &position), "BOARD\n0,1,2\n2,2,1\n1,1,2\n0,3,1\n4,4,2\nDONE");
    }

    #[test]
    fn captured_stones_are_told_as_well() {
        let moves = PositionSpec::new(None, &["a1", "b1", "a5", "c1", "d1"]);
        assert_eq!(asked("capture:9", &moves), "INFO captures 2,0\nBOARD\n0,8,2\n0,4,2\n3,8,2\nDONE");
    }

    #[test]
    fn a_variant_has_a_number_or_our_own_name() {
        let info = |name, rules: &[(&str, &str)]| {
            let rules: Vec<_> = rules.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
            rule(&Variant::with_rules(name, &rules).unwrap()).map(|rule| (rule.size, rule.info))
        };
        assert_eq!(info("freestyle", &[]), Ok((15, "INFO rule 0".into())));
        assert_eq!(info("standard:20", &[]), Ok((20, "INFO rule 1".into())));
        let caro = [("blocked_ends", "opponent"), ("opening", "none")];
        assert_eq!(info("caro:15", &caro), Ok((15, "INFO rule 9".into())));
        assert_eq!(
            info("capture", &[("win_length", "5")]),
            Ok((19, "INFO rule 0\nINFO variant capture win_length=5".into()))
        );
        assert!(info("connect4", &[]).unwrap_err().to_string().contains("freestyle"));
    }

    #[test]
    fn times_are_told_before_each_move() {
        let mut board = Board::new(&Variant::find("freestyle").unwrap());
        board.play("h8").unwrap();
        let clock = |ms| Clock { remaining: Duration::from_millis(ms), increment: Duration::ZERO, moves_to_go: None };
        let told = |budget| {
            let request = MoveRequest { board: &board, budget, until: Instant::now() };
            times(&request).replace('\n', ";")
        };
        let time = Some(Duration::from_millis(500));
        assert_eq!(
            told(Budget { time, ..Budget::default() }),
            "INFO timeout_turn 500;INFO timeout_match 0;INFO time_left 2147483647;"
        );
        assert_eq!(
            told(Budget { clocks: Some([clock(1), clock(7000)]), ..Budget::default() }),
            "INFO timeout_turn 7000;INFO timeout_match 7000;INFO time_left 7000;"
        );
        assert_eq!(
            told(Budget { nodes: Some(9), depth: Some(3), ..Budget::default() }),
            "INFO max_node 9;INFO max_depth 3;"
        );
    }

    #[test]
    fn times_are_told_again_only_when_they_change() {
        let board = Board::new(&Variant::find("freestyle").unwrap());
        let mut gomocup = Gomocup::default();
        let mut told = |ms| {
            let budget = Budget { time: Some(Duration::from_millis(ms)), ..Budget::default() };
            let request = MoveRequest { board: &board, budget, until: Instant::now() };
            gomocup.new_times(&request)
        };
        assert_eq!(told(500).lines().count(), 3);
        assert_eq!(told(500), "");
        assert_eq!(told(400), "INFO timeout_turn 400\n");
    }

    #[test]
    fn what_it_thinks_is_read_from_both_kinds_of_lines() {
        let mut reply = MoveReply::default();
        read_message("Depth 12-20 | Eval 35 | Node 123K | Time 1s", Side::Second, &mut reply);
        assert_eq!((reply.depth, reply.score), (Some(12), Some(Score::Centi(-35))));
        read_details("EVAL -M6", Side::Second, 15, &mut reply);
        read_details("TOTALNODES 77", Side::Second, 15, &mut reply);
        read_details("BESTLINE 7,7 0,0", Side::Second, 15, &mut reply);
        assert_eq!((reply.score, reply.nodes), (Some(Score::Win(6)), Some(77)));
        assert_eq!(reply.line, ["h8", "a15"]);
        read_message("nothing of use", Side::Second, &mut reply);
        assert_eq!(reply.score, Some(Score::Win(6)));
    }
}
