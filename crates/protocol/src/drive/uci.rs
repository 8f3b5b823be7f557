//! The Universal Chess Interface, for any game: moves and positions are in the variant's notation.

use super::process::Process;
use super::{Client, Fault, MoveReply, MoveRequest, Options, STOP_GRACE, for_first};
use polyply_engine::{Clock, Score, Side, Variant};
use std::time::Instant;

/// The option that sets the game.
const VARIANT: &str = "UCI_Variant";
/// The option that sets Chess960.
const CHESS960: &str = "UCI_Chess960";

/// A client of the protocol, under either of its names.
pub struct Uci {
    /// `uci` or `uai`.
    name: &'static str,
    /// The options it has.
    known: Vec<String>,
    /// The game that was set last.
    told: Option<String>,
}

impl Client for Uci {
    fn handshake(&mut self, process: &mut Process, options: &Options, until: Instant) -> Result<Option<String>, Fault> {
        process.send(self.name);
        let (mut name, known, protocol) = (None, &mut self.known, self.name);
        process.wait_for(until, |line| {
            if let Some(id) = line.strip_prefix("id name ") {
                name = Some(id.trim().to_owned());
            } else if let Some(option) = line.strip_prefix("option name ") {
                let end = option.find(" type ").unwrap_or(option.len());
                known.push(option[..end].trim().to_owned());
            }
            (line.strip_suffix("ok") == Some(protocol)).then_some(())
        })?;
        for (option, value) in options {
            let exact = known.iter().find(|known| known.eq_ignore_ascii_case(option));
            let exact = exact.ok_or_else(|| Fault::Option(option.clone()))?;
            // A button has no value.
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            process.send(&format!("setoption name {exact}{value}"));
        }
        ready(process, until)?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, variant: &Variant, until: Instant) -> Result<(), Fault> {
        // Until a game is set, an engine plays the one that the protocol was made for.
        let usual = variant.alias(self.name).is_some_and(|(alias, _)| alias.rules.is_empty());
        if self.told.as_deref().map_or(!usual, |told| told != variant.name()) {
            self.set_game(process, variant);
        }
        process.send(&format!("{}newgame", self.name));
        ready(process, until)
    }

    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        process.discard_pending();
        let spec = request.spec();
        let position = match spec.position.as_deref() {
            None | Some("start") => "startpos".into(),
            Some(text) => format!("fen {text}"),
        };
        let moves = if spec.moves.is_empty() { String::new() } else { format!(" moves {}", spec.moves.join(" ")) };
        process.send(&format!("position {position}{moves}\ngo{}", limits(request)));
        let began = Instant::now();
        let mut reply = MoveReply::default();
        loop {
            let said = process.line(request.until)?;
            let mut words = said.text.split_whitespace();
            match words.next() {
                Some("info") => read_info(&said.text, request.side(), &mut reply),
                Some("bestmove") => {
                    reply.mv = words.next().unwrap_or_default().to_owned();
                    reply.time = said.at - began;
                    return Ok(reply);
                }
                _ => {}
            }
        }
    }

    fn interrupt(&mut self, process: &mut Process) -> bool {
        process.send("stop");
        process.wait_for(Instant::now() + STOP_GRACE, |line| line.starts_with("bestmove").then_some(())).is_ok()
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}

impl Uci {
    /// A client before the handshake.
    pub fn new(name: &'static str) -> Uci {
        Uci { name, known: Vec::new(), told: None }
    }

    /// Sets the game, if the engine has an option for it.
    fn set_game(&mut self, process: &mut Process, variant: &Variant) {
        let has = |option: &str| self.known.iter().any(|known| known == option);
        let alias = variant.alias("uci").map(|(alias, _)| alias.name);
        if has(CHESS960) {
            process.send(&format!("setoption name {CHESS960} value {}", alias == Some("chess960")));
        }
        if has(VARIANT) {
            let name = if alias.is_some() { variant.about().name } else { variant.name() };
            process.send(&format!("setoption name {VARIANT} value {name}"));
        }
        self.told = Some(variant.name().to_owned());
    }
}

fn ready(process: &mut Process, until: Instant) -> Result<(), Fault> {
    process.send("isready");
    process.wait_for(until, |line| (line == "readyok").then_some(()))
}

/// The arguments of `go`.
fn limits(request: &MoveRequest<'_>) -> String {
    let budget = request.budget;
    let mut text = String::new();
    if let Some([first, second]) = budget.clocks {
        let ms = |clock: Clock| (clock.remaining.as_millis().max(1), clock.increment.as_millis());
        let ((wtime, winc), (btime, binc)) = (ms(first), ms(second));
        text += &format!(" wtime {wtime} btime {btime} winc {winc} binc {binc}");
    }
    if let Some(moves) = request.clock().and_then(|clock| clock.moves_to_go) {
        text += &format!(" movestogo {moves}");
    }
    if let Some(time) = budget.time {
        text += &format!(" movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = budget.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(depth) = budget.depth {
        text += &format!(" depth {depth}");
    }
    text
}

/// Reads an `info` line of the best line. A score that is only a bound counts until there is a better one.
fn read_info(text: &str, side: Side, reply: &mut MoveReply) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let after = |key: &str| words.iter().position(|word| *word == key).map(|at| at + 1);
    let number = |key: &str| after(key).and_then(|at| words.get(at)?.parse::<i64>().ok());
    // What follows `string` is free text.
    if after("string").is_some() || number("multipv").is_some_and(|line| line > 1) {
        return;
    }
    if let Some(depth) = number("depth") {
        reply.depth = i32::try_from(depth).ok();
    }
    if let Some(nodes) = number("nodes") {
        reply.nodes = u64::try_from(nodes).ok();
    }
    let cp = number("cp").and_then(|cp| i32::try_from(cp).ok()).map(Score::Centi);
    // Counted in moves of the side that mates. If that is the side to move, the last of them is one ply less.
    let mate = number("mate").and_then(|moves| i32::try_from(moves).ok()?.checked_mul(2));
    let mate = mate.map(|plies| Score::Win(if plies > 0 { plies - 1 } else { plies }));
    if let Some(score) = cp.or(mate) {
        reply.score = Some(for_first(score, side));
    }
    if let Some(line) = after("pv") {
        reply.line = words[line..].iter().map(|&mv| mv.to_owned()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::Board;
    use std::time::Duration;

    fn read(lines: &[&str], side: Side) -> MoveReply {
        let mut reply = MoveReply::default();
        lines.iter().for_each(|line| read_info(line, side, &mut reply));
        reply
    }

    #[test]
    fn scores_become_the_first_players() {
        let score = |line, side| read(&[line], side).score;
        assert_eq!(score("info depth 9 score cp 31 nodes 5 pv e2e4", Side::First), Some(Score::Centi(31)));
        assert_eq!(score("info depth 9 score cp 31 nodes 5 pv e7e5", Side::Second), Some(Score::Centi(-31)));
        assert_eq!(score("info score mate 3", Side::First), Some(Score::Win(5)));
        assert_eq!(score("info score mate -2", Side::First), Some(Score::Win(-4)));
        assert_eq!(score("info score mate 1 upperbound", Side::Second), Some(Score::Win(-1)));
    }

    #[test]
    fn only_the_best_line_counts_and_prose_is_not_read() {
        let reply = read(
            &[
                "info depth 7 seldepth 12 multipv 1 score cp 10 nodes 700 nps 1 pv e2e4 e7e5",
                "info depth 8 multipv 2 score cp 5 nodes 800 pv d2d4",
                "info string depth 99 score cp 900 pv a1a1",
                "info currmove e2e4 currmovenumber 1",
            ],
            Side::First,
        );
        assert_eq!((reply.depth, reply.nodes, reply.score), (Some(7), Some(700), Some(Score::Centi(10))));
        assert_eq!(reply.line, ["e2e4", "e7e5"]);
    }

    #[test]
    fn every_kind_of_limit_is_said() {
        let mut board = Board::new(&Variant::find("connect4").unwrap());
        board.play("d").unwrap();
        let clock = |ms, moves_to_go| Clock {
            remaining: Duration::from_millis(ms),
            increment: Duration::from_millis(10),
            moves_to_go,
        };
        let budget = super::super::Budget {
            depth: Some(9),
            nodes: Some(1000),
            time: Some(Duration::from_millis(50)),
            clocks: Some([clock(3000, Some(7)), clock(2000, Some(8))]),
        };
        let request = MoveRequest { board: &board, budget, until: Instant::now() };
        assert_eq!(
            limits(&request),
            " wtime 3000 btime 2000 winc 10 binc 10 movestogo 8 movetime 50 nodes 1000 depth 9"
        );
    }
}
