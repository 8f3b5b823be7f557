//! A game as PGN.

use super::super::words::{self, BOOK, comment};
use super::super::{Move, Record};
use super::{CHESS, CHESS960};
use polyply_engine::{Place, Variant};

/// No line is wider, as the standard asks for.
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
    match record.variant.as_str() {
        CHESS => {}
        CHESS960 => tag("Variant", "Chess960"),
        other => tag("Variant", other),
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
    // What can't be played is written as it is.
    let variant = Variant::find(&record.variant).ok();
    let mut text = Movetext { variant, words: Vec::new() };
    text.say(&record.comment);
    let given =
        record.opening.moves.iter().map(|mv| Move { text: mv.clone(), comment: BOOK.to_owned(), ..Move::default() });
    let moves: Vec<Move> = given.chain(record.moves.iter().cloned()).collect();
    let start = Place { position: record.opening.position.clone(), moves: Vec::new() };
    text.line(&start, &moves, first_ply(record));
    text.words.push(record.end.result().to_owned());
    text.words
}

/// Plies before the first move: a FEN says the number of its move.
fn first_ply(record: &Record) -> usize {
    let fields = record.opening.position.as_deref().unwrap_or_default().split_whitespace();
    let number = fields.skip(5).find_map(|field| field.parse::<usize>().ok()).filter(|number| *number < 10_000);
    2 * number.unwrap_or(1).saturating_sub(1) + usize::from(record.begins_second())
}

struct Movetext {
    variant: Option<Variant>,
    words: Vec<String>,
}

impl Movetext {
    /// A comment; the standard has no way to write a brace in it.
    fn say(&mut self, text: &str) {
        if !text.is_empty() {
            let text = text.replace('}', ")");
            self.words.extend(format!("{{{text}}}").split(' ').map(str::to_owned));
        }
    }

    /// Moves from a place, with what was said about them.
    fn line(&mut self, from: &Place, moves: &[Move], first: usize) {
        let mut place = from.clone();
        place.moves.extend(moves.iter().map(|mv| mv.text.clone()));
        let short = self.variant.as_ref().and_then(|variant| variant.short_moves(&place).ok());
        let names = short.unwrap_or_else(|| place.moves.clone());
        let names = &names[from.moves.len()..];
        let mut interrupted = true;
        for (index, (mv, name)) in moves.iter().zip(names).enumerate() {
            let ply = first + index;
            if ply.is_multiple_of(2) {
                self.words.push(format!("{}.", ply / 2 + 1));
            } else if interrupted {
                self.words.push(format!("{}...", ply / 2 + 1));
            }
            self.words.push(name.clone());
            self.words.extend(mv.nags.iter().map(|nag| format!("${nag}")));
            self.say(&comment(mv));
            interrupted = !mv.variations.is_empty();
            for variation in &mv.variations {
                let before =
                    Place { position: place.position.clone(), moves: place.moves[..from.moves.len() + index].to_vec() };
                self.words.push("(".into());
                self.line(&before, variation, ply);
                self.words.push(")".into());
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
