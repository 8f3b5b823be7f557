//! The Go Text Protocol: each command has a reply, `=` or `?`, followed by an empty line.
//!
//! The protocol can't set up a position, so a game is sent move by move from its start.

use super::process::{OutputLine, Process};
use super::{Client, Fault, MoveReply, MoveRequest, Options};
use crate::vertex;
use polyply_engine::{Clock, Side, Variant};
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Gtp {
    /// The moves it was sent.
    played: Vec<String>,
    /// It was sent the time settings.
    clock_told: bool,
}

impl Client for Gtp {
    fn handshake(&mut self, process: &mut Process, options: &Options, until: Instant) -> Result<Option<String>, Fault> {
        let name = ask(process, "name", until)?.0;
        for (option, value) in options {
            ask(process, &format!("{option} {value}"), until)?;
        }
        Ok(Some(name).filter(|name| !name.is_empty()))
    }

    fn new_game(&mut self, process: &mut Process, variant: &Variant, until: Instant) -> Result<(), Fault> {
        (self.played, self.clock_told) = (Vec::new(), false);
        if ask(process, "known_command set_game", until).is_ok_and(|(known, _)| known == "true")
            && ask(process, &format!("set_game {}", variant.name()), until).is_err()
        {
            // Other engines name a game by its title, and may know only one.
            answered(ask(process, &format!("set_game {}", variant.about().title), until))?;
        }
        if let Some(size) = size(variant) {
            ask(process, &format!("boardsize {size}"), until)?;
        }
        ask(process, "clear_board", until).map(drop)
    }

    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let (spec, side, until) = (request.spec(), request.side(), request.until);
        if spec.position.is_some() {
            return Err(Fault::Refused("GTP has no way to set up a position".into()));
        }
        if !spec.moves.starts_with(&self.played) {
            return Err(Fault::Refused("the game went another way than it was told".into()));
        }
        if !self.clock_told
            && let Some(settings) = time_settings(request)
        {
            // Engines without a clock refuse it, which does no harm.
            answered(ask(process, &settings, until))?;
        }
        self.clock_told = true;
        let mut board = request.board.clone();
        while board.moves().len() > self.played.len() {
            board.undo();
        }
        for mv in &spec.moves[self.played.len()..] {
            let (mover, name) = (board.side(), vertex::of_move(&board, mv));
            board.play(mv).map_err(|error| Fault::Refused(error.to_string()))?;
            ask(process, &format!("play {} {name}", colour(mover)), until)?;
        }
        self.played = spec.moves.clone();
        if let Some((left, moves)) = time_left(request) {
            let tell = |seconds: String| format!("time_left {} {seconds} {moves}", colour(side));
            // The protocol has whole seconds, but most engines accept fractions, which short games need.
            match ask(process, &tell(left.as_secs_f64().to_string()), until) {
                Err(Fault::Refused(_)) => answered(ask(process, &tell(left.as_secs().to_string()), until))?,
                told => drop(told?),
            }
        }
        let began = Instant::now();
        let (answer, at) = ask(process, &format!("genmove {}", colour(side)), until)?;
        let mv = vertex::to_move(request.board, &answer);
        self.played.push(mv.clone());
        Ok(MoveReply { mv, time: at - began, ..MoveReply::default() })
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}

/// Sends a command and reads its reply: the text after `=`, and when it arrived.
fn ask(process: &mut Process, command: &str, until: Instant) -> Result<(String, Instant), Fault> {
    process.discard_pending();
    process.send(command);
    let answer: OutputLine = loop {
        let said = process.line(until)?;
        if said.text.starts_with(['=', '?']) {
            break said;
        }
    };
    // A reply repeats the id of its command, but we send none.
    let text = answer.text[1..].trim().to_owned();
    match answer.text.starts_with('=') {
        true => Ok((text, answer.at)),
        false => Err(Fault::Refused(format!("`{command}`: {text}"))),
    }
}

/// Accepts a refusal as well, for commands that may fail.
fn answered(reply: Result<(String, Instant), Fault>) -> Result<(), Fault> {
    match reply {
        Ok(_) | Err(Fault::Refused(_)) => Ok(()),
        Err(fault) => Err(fault),
    }
}

fn colour(side: Side) -> &'static str {
    ["b", "w"][side.index()]
}

/// The size of the board, where it is square.
fn size(variant: &Variant) -> Option<usize> {
    let layout = variant.layout();
    (layout.columns == layout.rows).then_some(layout.columns)
}

/// Main time, then byo-yomi: a time for one move, or for the moves to the time control.
fn time_settings(request: &MoveRequest<'_>) -> Option<String> {
    let seconds = |time: Duration| time.as_secs_f64().ceil().max(1.0);
    match (request.clock(), request.budget.time) {
        (Some(Clock { remaining, moves_to_go: Some(moves), .. }), _) => {
            Some(format!("time_settings 0 {} {moves}", seconds(remaining)))
        }
        (Some(Clock { remaining, .. }), _) => Some(format!("time_settings {} 0 0", seconds(remaining))),
        (None, Some(time)) => Some(format!("time_settings 0 {} 1", seconds(time))),
        (None, None) => None,
    }
}

/// The time left, and for how many moves; 0 moves means the whole game.
fn time_left(request: &MoveRequest<'_>) -> Option<(Duration, u32)> {
    match (request.clock(), request.budget.time) {
        (Some(clock), _) => Some((clock.remaining, clock.moves_to_go.unwrap_or(0))),
        (None, time) => time.map(|time| (time, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_board_has_a_size() {
        let size_of = |name| size(&Variant::find(name).unwrap());
        assert_eq!(size_of("freestyle:15"), Some(15));
        assert_eq!(size_of("capture"), Some(19));
        assert_eq!(size_of("othello"), Some(8));
        assert_eq!(size_of("connect4"), None);
    }
}
