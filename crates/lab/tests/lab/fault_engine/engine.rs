//! An engine for tests: it plays some legal move, until it fails in the way that it was told to.
//!
//! `fault-engine <protocol> <fault> [variant]`. Faults: `none`; `mute` never says hello; `slow-start` takes a while to;
//! `hang` never answers and hears nothing any more, not even that it shall end; `exit` ends when it is asked for a
//! move; `garbage` says nonsense instead of a move; `illegal` plays what can't be played; `flood` talks without end;
//! `late` answers too late; `noisy` writes megabytes to stderr; `parent` starts a process of its own and tells its id
//! there.

use polyply_engine::{Board, PositionSpec, Variant};
use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

struct FaultEngine {
    fault: String,
    variant: Variant,
    place: PositionSpec,
    /// The size of the board, for protocols that count points.
    size: usize,
}

#[allow(clippy::zombie_processes, reason = "a child that nobody waits for is one of the faults")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (protocol, fault) = (args[1].as_str(), args[2].as_str());
    let usual = if protocol == "uci" { "connect4" } else { "freestyle:15" };
    let variant = Variant::find(args.get(3).map_or(usual, String::as_str)).expect("a variant");
    match fault {
        "mute" => hang(),
        "slow-start" => sleep(Duration::from_millis(300)),
        "noisy" => (0..100_000).for_each(|_| eprintln!("this is a complaint of forty characters")),
        "parent" => {
            let child = Command::new("sleep").arg("1000").spawn().expect("a child");
            eprintln!("child {}", child.id());
        }
        _ => {}
    }
    let mut engine = FaultEngine { fault: fault.to_owned(), variant, place: PositionSpec::default(), size: 15 };
    for line in stdin().lock().lines().map_while(Result::ok) {
        let line = line.trim();
        match protocol {
            "uci" => engine.uci(line),
            "gomocup" => engine.gomocup(line),
            "nboard" => engine.nboard(line),
            _ => engine.gtp(line),
        }
    }
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

fn say(line: &str) {
    let mut out = stdout();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl FaultEngine {
    /// A legal move, unless it is time to fail.
    fn think(&self, chatter: &str) -> Option<String> {
        match self.fault.as_str() {
            "hang" => hang(),
            "exit" => exit(3),
            "garbage" => {
                ["", "bestmov", "7;7", ": = =", "\u{1}\u{2}", "ÄÖÜ", &"x".repeat(100_000)].into_iter().for_each(say);
                return None;
            }
            "illegal" => return Some("z99".into()),
            "flood" => loop {
                say(chatter);
            },
            "late" => sleep(Duration::from_millis(400)),
            _ => {}
        }
        let board = Board::at(&self.variant, &self.place).expect("a legal game");
        board.legal_moves().first().cloned()
    }

    fn uci(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => ["id name Fault Engine", "option name Move Overhead type spin default 0", "uciok"]
                .into_iter()
                .for_each(say),
            "isready" => say("readyok"),
            "position" => {
                let (position, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
                let moves: Vec<&str> = moves.split_whitespace().collect();
                self.place = PositionSpec::new(position.strip_prefix("fen "), &moves);
            }
            // Its first answer comes when it is told to stop, and no sooner.
            "go" if self.fault == "late" => {}
            "stop" if self.fault == "late" => {
                self.fault = "none".into();
                self.go();
            }
            "go" => self.go(),
            "quit" => exit(0),
            _ => {}
        }
    }

    fn go(&self) {
        if let Some(mv) = self.think("info string on and on") {
            say("info depth 3 score cp 12 nodes 345 pv a b");
            say(&format!("bestmove {mv}"));
        }
    }

    fn gomocup(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "START" => {
                self.size = rest.parse().expect("a size");
                self.variant = Variant::find(&format!("freestyle:{}", self.size)).expect("a board");
                say("OK");
            }
            "BOARD" => self.place = PositionSpec::default(),
            "BEGIN" | "DONE" => self.play_point(),
            "TURN" => {
                self.take(rest);
                self.play_point();
            }
            "END" => exit(0),
            _ if word.contains(',') => self.take(word),
            _ => {}
        }
    }

    /// Reads `x,y` or `x,y,whose`.
    fn take(&mut self, point: &str) {
        let numbers: Vec<usize> = point.split(',').map(|number| number.parse().expect("a number")).collect();
        let name = format!("{}{}", char::from(b'a' + numbers[0] as u8), self.size - numbers[1]);
        self.place.moves.push(name);
    }

    fn play_point(&mut self) {
        if let Some(mv) = self.think("MESSAGE on and on") {
            let row: usize = mv[1..].parse().expect("a row");
            let (x, y) = (mv.as_bytes()[0] - b'a', self.size.wrapping_sub(row) as isize);
            say("MESSAGE Depth 5-9 | Eval 42");
            say(&format!("{x},{}", y.unsigned_abs()));
            self.place.moves.push(mv);
        }
    }

    fn nboard(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("ping ") {
            say(&format!("pong {number}"));
        } else if line == "nboard 2" {
            say("set myname Fault Engine");
        } else if line == "go" && self.think("status on and on").is_some() {
            say("search F5d6 +4.00 0 9");
            say(if self.fault == "illegal" { "=== Z99" } else { "=== F5/+4.00/0.01" });
        } else if line == "quit" {
            exit(0);
        }
    }

    fn gtp(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "name" => say("= Fault Engine\n"),
            "clear_board" => {
                self.place = PositionSpec::default();
                say("=\n");
            }
            "play" => {
                let vertex = rest.split(' ').nth(1).expect("a point").to_lowercase();
                let column = vertex.as_bytes()[0];
                let column = if column > b'i' { column - 1 } else { column };
                self.place.moves.push(format!("{}{}", char::from(column), &vertex[1..]));
                say("=\n");
            }
            "genmove" => {
                if let Some(mv) = self.think("on and on") {
                    let column = mv.as_bytes()[0];
                    let column = if column >= b'i' { column + 1 } else { column };
                    say(&format!("= {}{}\n", char::from(column).to_uppercase(), &mv[1..]));
                    self.place.moves.push(mv);
                }
            }
            "time_left" => say("? unknown command\n"),
            "quit" => {
                say("=\n");
                exit(0);
            }
            _ => say("=\n"),
        }
    }
}
