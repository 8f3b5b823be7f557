//! [Smart Game Format](https://www.red-bean.com/sgf/) (FF 4), for every game that declares its number there.
//!
//! The first player is Black. A point is two letters, column from the left and row from the top. The property `RU`
//! names the variant; the score of a move is in its comment, as in `B[hh]C[+0.35/12 0.420s]`. If a game began with a
//! position, `AB`, `AW` and `PL` have it for all programs, and the property `POSITION` has it in our own notation.

use super::stones::Stones;
use super::words::{BOOK, comment, parse_seconds, seconds};
use super::{DEEPEST, End, MOST_MOVES, Move, Reason, Record, line_at};
use crate::refusals;
use polyply_engine::{Refusal, Side};

/// The default number of the game: five in a row, whose programs often leave it out.
const USUAL_GAME: &str = "4";
/// The comment of opening moves in files of c-gomoku-cli.
const OPENING_MOVE: &str = "opening move";

/// A game, or why it is not one that SGF can hold.
pub fn write(record: &Record) -> Result<String, Refusal> {
    let board = Stones::of(&record.variant)?;
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]AP[Polyply]", board.number());
    let mut property = |name: &str, value: &str| text += &format!("{name}[{}]", escaped(value));
    property("SZ", &board.size().to_string());
    property("RU", &record.variant);
    property("PB", &record.players[0]);
    property("PW", &record.players[1]);
    property("RO", &(record.number + 1).to_string());
    property("RE", &result(&record.end));
    if let Some(date) = &record.date {
        property("DT", date);
    }
    property("TERMINATION", record.end.reason.words());
    if !record.end.detail.is_empty() {
        property("GC", &record.end.detail);
    }
    for (name, left) in ["BLACKLEFT", "WHITELEFT"].into_iter().zip(record.left) {
        if let Some(left) = left {
            property(name, &seconds(left));
        }
    }
    if !record.settings.is_empty() {
        text += "SETTING";
        text.extend(record.settings.iter().map(|(name, value)| format!("[{}]", escaped(&format!("{name}={value}")))));
    }
    let mut side = Side::First;
    if let Some(position) = &record.opening.position {
        side = set_up(&mut text, position, &board)?;
    }
    if !record.comment.is_empty() {
        text += &format!("C[{}]", escaped(&record.comment));
    }
    text.push('\n');
    let given = record.opening.moves.iter();
    let given = given.map(|mv| Move { text: mv.clone(), comment: BOOK.to_owned(), ..Move::default() });
    let moves: Vec<Move> = given.chain(record.moves.iter().cloned()).collect();
    write_line(&mut text, &moves, side, &board)?;
    Ok(text + ")\n")
}

/// Writes moves from here on. Where there are variations, each of them is a tree of its own, and so is the main line.
fn write_line(text: &mut String, moves: &[Move], mut side: Side, board: &Stones) -> Result<(), Refusal> {
    let mut branched: Vec<(&[Vec<Move>], Side)> = Vec::new();
    for mv in moves {
        if !mv.variations.is_empty() {
            text.push('(');
            branched.push((&mv.variations, side));
        }
        *text += &format!(";{}[{}]", if side == Side::First { 'B' } else { 'W' }, board.point(&mv.text)?);
        let comment = comment(mv);
        if !comment.is_empty() {
            *text += &format!("C[{}]", escaped(&comment));
        }
        for (name, _) in MARKS.iter().filter(|(_, nag)| mv.nags.contains(nag)) {
            *text += &format!("{name}[1]");
        }
        side = side.other();
    }
    for (variations, side) in branched.into_iter().rev() {
        text.push(')');
        for variation in variations {
            text.push('(');
            write_line(text, variation, side, board)?;
            text.push(')');
        }
    }
    Ok(())
}

/// The properties that mark moves, as numeric annotation glyphs: good, bad, interesting, doubtful.
const MARKS: [(&str, u8); 4] = [("TE", 1), ("BM", 2), ("IT", 5), ("DO", 6)];

fn result(end: &End) -> String {
    let points = end.points.map_or(String::new(), |points| points.abs().to_string());
    let why = match end.reason {
        Reason::Rules => points.as_str(),
        Reason::Time | Reason::Stall => "T",
        Reason::Illegal | Reason::Crash | Reason::Refusal => "F",
        _ => "",
    };
    match (end.winner, end.reason) {
        (Some(Side::First), _) => format!("B+{why}"),
        (Some(Side::Second), _) => format!("W+{why}"),
        (None, Reason::Unfinished) => "?".into(),
        (None, _) => "0".into(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}

/// Writes the stones of the starting position and the side to move.
fn set_up(text: &mut String, position: &str, board: &Stones) -> Result<Side, Refusal> {
    let (cells, side) = board.set_up(position)?;
    for (name, owner) in [("AB", "x"), ("AW", "o")] {
        let stones: Vec<String> = (0..cells.len())
            .filter(|&cell| cells[cell] == Some(owner))
            .map(|cell| format!("[{}]", board.letters(cell)))
            .collect();
        if !stones.is_empty() {
            *text += &format!("{name}{}", stones.concat());
        }
    }
    *text += &format!("PL[{}]POSITION[{}]", if side == Side::First { 'B' } else { 'W' }, escaped(position));
    Ok(side)
}

/// The games of a text with their variations, or what is wrong with one; later games are still read.
pub fn read(text: &str) -> Vec<Result<Record, Refusal>> {
    let mut games: Vec<Result<Record, Refusal>> = Vec::new();
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}') };
    while let Some(at) = reader.rest.find('(') {
        reader.rest = &reader.rest[at + 1..];
        let begin = text.len() - reader.rest.len();
        let read = reader.tree().and_then(|nodes| game(&nodes));
        let refuse = |reason| refusals::in_game_line(games.len() + 1, line_at(text, begin), reason);
        games.push(read.map_err(refuse));
    }
    if games.is_empty() && !text.trim().is_empty() {
        games.push(Err(refusals::not_sgf()));
    }
    games
}

/// A node of the tree.
#[derive(Default)]
struct Node {
    properties: Vec<(String, Vec<String>)>,
    /// The nodes that may follow, the main line first.
    next: Vec<usize>,
}

impl Node {
    fn values(&self, name: &str) -> Option<&[String]> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, values)| &values[..])
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.values(name)?.first().map(String::as_str)
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    /// Reads from after `(` to its `)`. The first node is the root.
    fn tree(&mut self) -> Result<Vec<Node>, Refusal> {
        let mut nodes: Vec<Node> = Vec::new();
        // The last node of each open tree. A list instead of recursion, because the file decides how deep it goes.
        let mut open: Vec<Option<usize>> = vec![None];
        let mut name = String::new();
        while let Some(last) = open.last_mut() {
            match self.next().ok_or_else(refusals::sgf_unclosed)? {
                ')' => drop(open.pop()),
                '(' => {
                    let here = *last;
                    open.push(here);
                }
                ';' => {
                    if nodes.len() > MOST_MOVES {
                        return Err(refusals::moves_too_many(MOST_MOVES));
                    }
                    let new = nodes.len();
                    if let Some(before) = last.replace(new) {
                        nodes[before].next.push(new);
                    }
                    nodes.push(Node::default());
                }
                '[' => {
                    let value = self.value()?;
                    if let Some(node) = last.map(|last| &mut nodes[last]) {
                        if !name.is_empty() {
                            node.properties.push((std::mem::take(&mut name), Vec::new()));
                        }
                        match node.properties.last_mut() {
                            Some((_, values)) => values.push(value),
                            None => return Err(refusals::sgf_value_first()),
                        }
                    }
                    name.clear();
                }
                letter if letter.is_ascii_uppercase() => name.push(letter),
                _ => {}
            }
        }
        Ok(nodes)
    }

    fn value(&mut self) -> Result<String, Refusal> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => value.extend(self.next()),
                Some(letter) => value.push(letter),
                None => return Err(refusals::sgf_value_unclosed()),
            }
        }
    }
}

fn game(nodes: &[Node]) -> Result<Record, Refusal> {
    let root = nodes.first().ok_or_else(refusals::sgf_no_node)?;
    let find = |name: &str| root.values(name);
    let text = |name: &str| root.value(name).map(str::to_owned);
    let size = text("SZ").unwrap_or("15".into());
    let board = Stones::of_file(text("GM").as_deref().unwrap_or(USUAL_GAME), &size, text("RU"))?;
    let mut record = Record {
        variant: board.variant().name().to_owned(),
        players: [text("PB").unwrap_or_default(), text("PW").unwrap_or_default()],
        number: text("RO").and_then(|round| round.parse::<u64>().ok()).unwrap_or(1).saturating_sub(1),
        date: text("DT"),
        left: ["BLACKLEFT", "WHITELEFT"].map(|name| parse_seconds(&text(name)?)),
        ..Record::default()
    };
    record.end = read_result(&text("RE").unwrap_or("?".into()))?;
    if !board.variant().counts_points() {
        record.end.points = None;
    }
    record.end.reason = text("TERMINATION").and_then(|words| Reason::parse(&words)).unwrap_or(record.end.reason);
    record.end.detail = text("GC").unwrap_or_default();
    let settings = find("SETTING").unwrap_or_default().iter().filter_map(|setting| setting.split_once('='));
    record.settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    record.opening.position = match text("POSITION") {
        Some(position) => Some(position),
        None => position(find("AB"), find("AW"), text("PL"), &board)?,
    };
    // A comment of a root that has no move is one on the game.
    if root.value("B").or(root.value("W")).is_none() {
        record.comment = text("C").unwrap_or_default();
    }
    let lines = Lines { nodes, board: &board };
    for mv in lines.from(0, None, 0)? {
        let given = [BOOK, OPENING_MOVE].contains(&mv.comment.trim());
        record.add(mv, given);
    }
    Ok(record)
}

/// The moves of the tree.
struct Lines<'a> {
    nodes: &'a [Node],
    board: &'a Stones,
}

impl Lines<'_> {
    /// The line from a node on, with the variations that replace its moves. `last` is who has moved before.
    fn from(&self, node: usize, last: Option<char>, depth: usize) -> Result<Vec<Move>, Refusal> {
        if depth > DEEPEST {
            return Err(refusals::variations_deep(DEEPEST));
        }
        let mut line = Vec::new();
        let mut last = last;
        // What may be played instead of the next move. Not every node has a move.
        let mut others: Vec<usize> = Vec::new();
        let mut here = Some(node);
        while let Some(node) = here.map(|here| &self.nodes[here]) {
            let moved = ['B', 'W'].into_iter().find_map(|colour| Some((colour, node.value(&colour.to_string())?)));
            if let Some((colour, point)) = moved {
                let (before, at) = (last, line.len());
                // Some programs leave passes out.
                if let Some(pass) = self.board.pass().filter(|_| last == Some(colour)) {
                    line.push(Move { text: pass.to_owned(), ..Move::default() });
                }
                last = Some(colour);
                line.push(self.mv(node, colour, point)?);
                for other in others.drain(..) {
                    let variation = self.from(other, before, depth + 1)?;
                    line[at].variations.extend((!variation.is_empty()).then_some(variation));
                }
            }
            here = node.next.first().copied();
            others.extend(node.next.iter().skip(1));
        }
        Ok(line)
    }

    fn mv(&self, node: &Node, colour: char, point: &str) -> Result<Move, Refusal> {
        let mut mv = Move::with_note(self.board.mv(point)?, node.value("C").unwrap_or_default());
        // The time that is left, as PGN writes it.
        let left = node.value(&format!("{colour}L")).and_then(parse_seconds);
        if let Some(left) = left.filter(|_| !mv.comment.contains("[%clk")) {
            let seconds = left.as_secs();
            let clock = format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60);
            mv.comment = [clock, mv.comment].join(" ").trim_end().to_owned();
        }
        mv.nags = MARKS.iter().filter(|(name, _)| node.values(name).is_some()).map(|(_, nag)| *nag).collect();
        Ok(mv)
    }
}

fn read_result(text: &str) -> Result<End, Refusal> {
    let (winner, reason) = match text.split_once('+') {
        Some(("B", why)) => (Some(Side::First), why),
        Some(("W", why)) => (Some(Side::Second), why),
        None if ["0", "Draw"].contains(&text) => (None, "0"),
        None if ["?", "Void", ""].contains(&text) => return Ok(End::default()),
        _ => return Err(refusals::sgf_result(text)),
    };
    let points = reason.parse::<u16>().ok().map(i32::from);
    let reason = match reason {
        "T" | "Time" => Reason::Time,
        "F" | "Forfeit" => Reason::Illegal,
        _ => Reason::Rules,
    };
    let points = points.map(|points| if winner == Some(Side::First) { points } else { -points });
    Ok(End { winner, reason, points, ..End::default() })
}

/// The stones of the starting position, in our own notation.
fn position(
    black: Option<&[String]>,
    white: Option<&[String]>,
    to_move: Option<String>,
    board: &Stones,
) -> Result<Option<String>, Refusal> {
    if black.is_none() && white.is_none() {
        return Ok(None);
    }
    let mut cells = vec![None; board.size() * board.size()];
    for (stones, owner) in [(black, "x"), (white, "o")] {
        for stone in stones.unwrap_or_default() {
            let taken = cells[board.cell(stone)?].replace(owner);
            if taken.is_some() {
                return Err(refusals::stone_twice(stone));
            }
        }
    }
    let second = to_move.map_or_else(
        || black.map_or(0, <[String]>::len) > white.map_or(0, <[String]>::len),
        |side| side.starts_with(['W', 'w']),
    );
    let side = if second { Side::Second } else { Side::First };
    board.position(&cells, side)
}
