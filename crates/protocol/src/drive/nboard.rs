//! The NBoard protocol of Othello: the whole game is sent in GGF before each request.
//!
//! The protocol has a depth but no clock. The GGF game contains the time, and the engine manages it.

use super::process::Process;
use super::{Client, Fault, MoveReply, MoveRequest, Options, STOP_GRACE, for_first};
use crate::ggf;
use polyply_engine::{PositionSpec, Refusal, Score, Side, Variant};
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Nboard {
    pings: u32,
}

impl Client for Nboard {
    fn handshake(&mut self, process: &mut Process, options: &Options, until: Instant) -> Result<Option<String>, Fault> {
        process.send("nboard 2");
        for (option, value) in options {
            process.send(&format!("set {option} {value}"));
        }
        let mut name = None;
        self.ping(process, until, |line| {
            if let Some(told) = line.strip_prefix("set myname ") {
                name = Some(told.trim().to_owned());
            }
        })?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, _variant: &Variant, until: Instant) -> Result<(), Fault> {
        self.ping(process, until, |_| ())
    }

    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        process.send(&format!("set game {}", ggf(request).map_err(|reason| Fault::Refused(reason.to_string()))?));
        if let Some(depth) = request.budget.depth {
            process.send(&format!("set depth {depth}"));
        }
        self.ping(process, request.until, |_| ())?;
        process.send("go");
        let began = Instant::now();
        let mut reply = MoveReply::default();
        loop {
            let said = process.line(request.until)?;
            let line = said.text.trim();
            if let Some(answer) = line.strip_prefix("===") {
                read_answer(answer.trim(), request.side(), &mut reply);
                reply.time = said.at - began;
                return Ok(reply);
            }
            read_progress(line, request.side(), &mut reply);
        }
    }

    fn interrupt(&mut self, process: &mut Process) -> bool {
        // A ping stops any search.
        self.ping(process, Instant::now() + STOP_GRACE, |_| ()).is_ok()
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}

impl Nboard {
    /// Waits until the engine has handled all commands. `each` gets the lines that it writes meanwhile.
    fn ping(&mut self, process: &mut Process, until: Instant, mut each: impl FnMut(&str)) -> Result<(), Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        process.send(&format!("ping {}", self.pings));
        process.wait_for(until, |line| {
            each(line);
            (line == pong).then_some(())
        })
    }
}

/// The game so far.
fn ggf(request: &MoveRequest<'_>) -> Result<String, Refusal> {
    let PositionSpec { position, moves } = request.spec();
    let (board, mut side) = ggf::board_property(position.as_deref())?;
    let time = request.budget.time.or(request.clock().map(|clock| clock.remaining)).unwrap_or_default();
    let name = request.board.variant().alias("ggf").map_or("", |(alias, _)| alias.name);
    let (time, size) = (minutes(time), ggf::size());
    let mut game = format!("(;GM[{name}]PC[Polyply]PB[first]PW[second]RE[?]TI[{time}]TY[{size}]BO[{board}]");
    for mv in moves {
        game += &format!("{}[{}]", ["B", "W"][side.index()], ggf::move_name(mv));
        side = side.other();
    }
    Ok(game + ";)")
}

fn minutes(time: Duration) -> String {
    format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Reads `F5/eval/time` or `F5`; Edax writes `f5 eval time`.
fn read_answer(answer: &str, side: Side, reply: &mut MoveReply) {
    let mut fields = answer.split(['/', ' ']).filter(|field| !field.is_empty());
    let name = fields.next().unwrap_or_default();
    reply.mv = ggf::move_text(name);
    if let Some(eval) = fields.next().and_then(discs) {
        reply.score = Some(for_first(eval, side));
    }
}

/// Reads `search <pv> <eval> 0 <depth> …`, `book …` and `nodestats <nodes> <seconds>`.
fn read_progress(line: &str, side: Side, reply: &mut MoveReply) {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["search" | "book", pv, eval, _, depth, ..] => {
            if let Some(eval) = discs(eval) {
                reply.score = Some(for_first(eval, side));
            }
            // `100%W` and the like are depths too, to the end of the game.
            let digits: String = depth.chars().take_while(char::is_ascii_digit).collect();
            reply.depth = digits.parse().ok().or(reply.depth);
            let pv = pv.replace('-', "").to_lowercase();
            let moves = pv.as_bytes().chunks(2).map(|mv| String::from_utf8_lossy(mv).into_owned());
            reply.line = moves.map(|mv| ggf::move_text(&mv)).collect();
        }
        ["nodestats", nodes, ..] => reply.nodes = nodes.parse().ok().or(reply.nodes),
        _ => {}
    }
}

/// An evaluation in discs. Of two bounds, the first counts.
fn discs(text: &str) -> Option<Score> {
    let number: f64 = text.split(',').next()?.trim().parse().ok()?;
    (number.abs() <= ggf::cells() as f64).then(|| Score::Points(number.round() as i32))
}

#[cfg(test)]
mod tests {
    use super::super::Budget;
    use super::*;
    use polyply_engine::Board;

    fn game(position: Option<&str>, moves: &[&str]) -> Result<String, Refusal> {
        let variant = Variant::find("othello").unwrap();
        let board = Board::at(&variant, &PositionSpec::new(position, moves))?;
        let budget = Budget { time: Some(Duration::from_secs(65)), ..Budget::default() };
        ggf(&MoveRequest { board: &board, budget, until: Instant::now() })
    }

    #[test]
    fn a_game_is_told_in_ggf() {
        let told = game(None, &["f5", "d6", "c3"]).unwrap();
        let start = ggf::board_property(None).unwrap().0;
        assert_eq!(
            told,
            format!("(;GM[Othello]PC[Polyply]PB[first]PW[second]RE[?]TI[01:05]TY[8]BO[{start}]B[F5]W[D6]B[C3];)")
        );
        let board = "-".repeat(62) + "XO X";
        assert!(game(Some(&board), &["pass", "f8"]).unwrap().ends_with("--*O *]B[PA]W[F8];)"));
        assert!(game(Some("XO O"), &[]).unwrap_err().to_string().contains("64 cells"));
    }

    #[test]
    fn answers_become_moves_and_first_players_scores() {
        let mut reply = MoveReply::default();
        read_progress("search F5d6-C3 +4.00 0 12 depth twelve", Side::Second, &mut reply);
        read_progress("nodestats 12345 0.5", Side::Second, &mut reply);
        assert_eq!((reply.depth, reply.nodes, reply.score), (Some(12), Some(12345), Some(Score::Points(-4))));
        assert_eq!(reply.line, ["f5", "d6", "c3"]);
        read_answer("PA/-2.0/1.5", Side::Second, &mut reply);
        assert_eq!((reply.mv.as_str(), reply.score), ("pass", Some(Score::Points(2))));
        read_answer("F5", Side::First, &mut reply);
        assert_eq!(reply.mv, "f5");
        read_answer("e7 3.00 0.1", Side::First, &mut reply);
        assert_eq!((reply.mv.as_str(), reply.score), ("e7", Some(Score::Points(3))));
    }
}
