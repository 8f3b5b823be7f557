//! Writes PGN.

use super::super::words::{self, BOOK, comment};
use super::super::{Move, Record};
use super::{PGN, usual};
use polyply_engine::{Board, Variant};

/// The widest line, as the standard demands.
const WIDTH: usize = 80;

/// A game.
pub fn game(record: &Record) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    let setting = |name: &str| record.settings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    tag("Event", setting("Event").unwrap_or("?"));
    tag("Site", setting("Site").unwrap_or("?"));
    tag("Date", &record.date.as_ref().map_or("????.??.??".into(), |date| date.replace('-', ".")));
    tag("Round", &(record.number + 1).to_string());
    tag("White", &record.players[0]);
    tag("Black", &record.players[1]);
    tag("Result", record.end.result());
    if record.variant != usual() {
        let alias = Variant::find(&record.variant).ok().and_then(|variant| variant.alias(PGN));
        tag("Variant", alias.map_or(&record.variant, |(alias, _)| alias.name));
    }
    if let Some(position) = &record.opening.position {
        tag("SetUp", "1");
        tag("FEN", position);
    }
    tag("PlyCount", &record.all_moves().count().to_string());
    tag("Termination", record.end.reason.words());
    if let Some(points) = record.end.points {
        tag("Points", &points.to_string());
    }
    if !record.end.detail.is_empty() {
        tag("Detail", &record.end.detail);
    }
    for (name, left) in ["WhiteLeft", "BlackLeft"].into_iter().zip(record.left) {
        if let Some(left) = left {
            tag(name, &words::seconds(left));
        }
    }
    for (name, value) in &record.settings {
        if !super::KNOWN.contains(&name.as_str()) && is_name(name) {
            tag(name, value);
        }
    }
    text.push('\n');
    text += &wrapped(&movetext(record));
    text += "\n\n";
    text
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Moves with their numbers and comments, and the result.
fn movetext(record: &Record) -> Vec<String> {
    let mut text = Movetext { words: Vec::new() };
    text.say(&record.comment);
    let given =
        record.opening.moves.iter().map(|mv| Move { text: mv.clone(), comment: BOOK.to_owned(), ..Move::default() });
    let moves: Vec<Move> = given.chain(record.moves.iter().cloned()).collect();
    text.line(&mut record.start().ok(), &moves, first_ply(record));
    text.words.push(record.end.result().to_owned());
    text.words
}

/// Plies before the first move, by the move number of the FEN.
fn first_ply(record: &Record) -> usize {
    let fields = record.opening.position.as_deref().unwrap_or_default().split_whitespace();
    let number = fields.skip(5).find_map(|field| field.parse::<usize>().ok()).filter(|number| *number < 10_000);
    2 * number.unwrap_or(1).saturating_sub(1) + usize::from(record.begins_second())
}

struct Movetext {
    words: Vec<String>,
}

impl Movetext {
    /// A comment. The standard has no way to write a brace in it.
    fn say(&mut self, text: &str) {
        if !text.is_empty() {
            let text = text.replace('}', ")");
            self.words.extend(format!("{{{text}}}").split(' ').map(str::to_owned));
        }
    }

    /// Moves from a board on, with their comments. Without a board they are written as they are.
    fn line(&mut self, board: &mut Option<Board>, moves: &[Move], first: usize) {
        let mut interrupted = true;
        for (ply, mv) in (first..).zip(moves) {
            if ply.is_multiple_of(2) {
                self.words.push(format!("{}.", ply / 2 + 1));
            } else if interrupted {
                self.words.push(format!("{}...", ply / 2 + 1));
            }
            let mut before = board.clone().filter(|_| !mv.variations.is_empty());
            // After a move that can't be played, moves are written as they are.
            if board.as_mut().is_some_and(|board| board.play(&mv.text).is_err()) {
                *board = None;
            }
            let short = board.as_ref().and_then(|board| board.short_moves().last());
            self.words.push(short.unwrap_or(&mv.text).clone());
            self.words.extend(mv.nags.iter().map(|nag| format!("${nag}")));
            self.say(&comment(mv));
            interrupted = !mv.variations.is_empty();
            for variation in &mv.variations {
                let plies = before.as_ref().map_or(0, |board| board.moves().len());
                self.words.push("(".into());
                self.line(&mut before, variation, ply);
                self.words.push(")".into());
                while before.as_ref().is_some_and(|board| board.moves().len() > plies) {
                    before.as_mut().map(Board::undo);
                }
            }
        }
    }
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && word != ")" && !text.ends_with('(') {
            let fits = width + 1 + word.len() < WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text += word;
        width += word.len();
    }
    text
}
