//! `go`: how long to search, and which moves.

use crate::lines::quote;
use polyply_engine::{Clock, Limits, Side};
use std::time::Duration;

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Search only these moves; all moves if empty.
    pub search_moves: Vec<String>,
    /// Milliseconds on the clocks of both players.
    clocks: [Option<i64>; 2],
    /// Milliseconds added to them after a move.
    increments: [i64; 2],
    moves_to_go: Option<i64>,
    depth: Option<i64>,
    nodes: Option<i64>,
    /// Mate in this many moves.
    mate: Option<i64>,
    move_time: Option<i64>,
    infinite: bool,
    ponder: bool,
    /// What could not be read and is left out.
    pub complaint: Option<String>,
}

/// Nodes of a search whose limit could not be read: every `go` is answered with a move.
const UNREAD_NODES: u64 = 10_000;

const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// Parses the arguments. Unknown words are skipped, and so are limits without a number.
    pub fn parse(words: &[&str]) -> Go {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let mut number = || {
                let value = words.next_if(|next| !WORDS.contains(next)).unwrap_or_default();
                let number = value.parse::<i64>().ok();
                if number.is_none() {
                    go.complaint = Some(format!("behind `{word}` stands a whole number, not `{}`", quote(value)));
                }
                number
            };
            match word {
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|next| !WORDS.contains(next)) {
                        go.search_moves.push(mv.to_owned());
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.clocks[0] = number(),
                "btime" => go.clocks[1] = number(),
                "winc" => go.increments[0] = number().unwrap_or_default(),
                "binc" => go.increments[1] = number().unwrap_or_default(),
                "movestogo" => go.moves_to_go = number(),
                "depth" => go.depth = number(),
                "nodes" => go.nodes = number(),
                "mate" => go.mate = number(),
                "movetime" => go.move_time = number(),
                _ => {}
            }
        }
        go
    }

    /// The limits for a side. `gone` is the time that has passed since the command arrived; `overhead` is subtracted
    /// from a time for the move.
    pub fn limits(&self, side: Side, gone: Duration, overhead: Duration) -> Limits {
        let ms = |number: i64| Duration::from_millis(number.max(0) as u64);
        let mine = side.index();
        // If only one clock is given, it is meant for whoever is to move.
        let (remaining, owner) = match self.clocks[mine] {
            Some(left) => (Some(left), mine),
            None => (self.clocks[1 - mine], 1 - mine),
        };
        let clock = remaining.map(|left| Clock {
            remaining: ms(left).saturating_sub(gone),
            increment: ms(self.increments[owner]),
            moves_to_go: self.moves_to_go.filter(|moves| *moves > 0).map(|moves| moves.min(1000) as u32),
        });
        let time = self.move_time.map(|time| {
            let time = ms(time).saturating_sub(gone);
            time.saturating_sub(overhead).max(time / 2).max(Duration::from_millis(1))
        });
        let rest = Go { search_moves: Vec::new(), complaint: None, ..self.clone() };
        let unlimited = rest == Go::default();
        let unread = unlimited && self.complaint.is_some();
        Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 255) as i32),
            nodes: self.nodes.map(|nodes| nodes.max(1) as u64).or(unread.then_some(UNREAD_NODES)),
            time,
            clock,
            mate: self.mate.filter(|moves| *moves > 0).map(|moves| 2 * moves.min(500) as i32 - 1),
            infinite: self.infinite || (unlimited && !unread),
            ponder: self.ponder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str, side: Side) -> Limits {
        let words: Vec<&str> = line.split_whitespace().collect();
        Go::parse(&words).limits(side, Duration::ZERO, Duration::from_millis(10))
    }

    #[test]
    fn each_side_has_its_clock_and_one_clock_serves_both() {
        let line = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        let clock = |line, side| limits(line, side).clock.map(|clock| (clock.remaining, clock.increment));
        let ms = Duration::from_millis;
        assert_eq!(clock(line, Side::First), Some((ms(1000), ms(10))));
        assert_eq!(clock(line, Side::Second), Some((ms(2000), ms(20))));
        assert_eq!(clock("wtime 100 winc 7", Side::Second), Some((ms(100), ms(7))));
        assert_eq!(clock("wtime -50", Side::First), Some((ms(0), ms(0))));
        assert_eq!(limits(line, Side::First).clock.unwrap().moves_to_go, Some(5));
    }

    #[test]
    fn every_form_has_its_limit() {
        assert_eq!(limits("depth 7", Side::First), Limits::depth(7));
        assert_eq!(limits("nodes 900", Side::First), Limits::nodes(900));
        assert_eq!(limits("movetime 100", Side::First), Limits::time(Duration::from_millis(90)));
        assert_eq!(limits("movetime 1", Side::First), Limits::time(Duration::from_millis(1)));
        assert_eq!(limits("mate 3", Side::First).mate, Some(5));
        assert!(limits("infinite", Side::First).infinite && limits("", Side::First).infinite);
        assert!(limits("searchmoves e2e4", Side::First).infinite && !limits("mate 2", Side::First).infinite);
        assert!(limits("ponder wtime 100 btime 100", Side::First).ponder);
    }

    #[test]
    fn moves_end_where_a_word_begins() {
        let go = Go::parse(&["searchmoves", "e2e4", "d2d4", "depth", "3"]);
        assert_eq!((go.search_moves.join(" ").as_str(), go.depth), ("e2e4 d2d4", Some(3)));
        assert_eq!(Go::parse(&["blah", "depth", "3"]).depth, Some(3));
    }

    #[test]
    fn what_can_not_be_read_is_told_and_the_search_still_ends() {
        let unread = Go::parse(&["depth", "deep"]);
        assert!(unread.complaint.as_ref().unwrap().contains("`depth`"));
        for line in ["depth deep", "wtime", "searchmoves e2e4 nodes", "depth -", "movetime 1e3"] {
            assert_eq!(limits(line, Side::First), Limits::nodes(UNREAD_NODES), "{line}");
        }
        // The rest counts.
        assert_eq!(limits("depth deep nodes 900", Side::First), Limits::nodes(900));
        assert_eq!(limits("wtime depth 4", Side::First), Limits::depth(4));
    }
}
