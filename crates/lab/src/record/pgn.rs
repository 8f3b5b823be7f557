//! [Portable Game Notation](https://ia902908.us.archive.org/26/items/pgn-standard-1994-03-12/PGN_standard_1994-03-12.txt):
//! chess, and any other game with a tag `Variant` and moves as the game writes them.
//!
//! The first player is White. What a player thought of a move stands behind it as match programs write it, with the score
//! from the first player's side: `1. h8 {book} i9 {+0.35/12 0.420s, n=48213}`.

use super::words::{self, BOOK, comment, read_comment};
use super::{End, Move, Reason, Record, numbered};
use polyply_engine::Side;
use std::iter::Peekable;
use std::str::Chars;

/// The variant that is meant where nothing is said.
const CHESS: &str = "chess";
/// No line is wider, as the standard asks for.
const WIDTH: usize = 80;

/// A game.
pub fn write(record: &Record) -> String {
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
    if record.variant != CHESS {
        tag("Variant", &record.variant);
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
        if !KNOWN.contains(&name.as_str()) && is_name(name) {
            tag(name, value);
        }
    }
    text.push('\n');
    text += &wrapped(&movetext(record));
    text += "\n\n";
    text
}

/// Tags with a meaning of their own here; all others are settings.
const KNOWN: [&str; 16] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "PlyCount",
    "Termination",
    "Points",
    "Detail",
    "WhiteLeft",
    "BlackLeft",
];

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Moves with their numbers and comments, and the result.
fn movetext(record: &Record) -> Vec<String> {
    let given = record.opening.moves.iter().map(|mv| (mv.as_str(), BOOK.to_owned()));
    let played = record.moves.iter().map(|mv| (mv.text.as_str(), comment(mv)));
    let mut words = Vec::new();
    for (ply, (mv, comment)) in (usize::from(record.begins_second())..).zip(given.chain(played)) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if words.is_empty() {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(mv.to_owned());
        if !comment.is_empty() {
            words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
        }
    }
    words.push(record.end.result().to_owned());
    words
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 {
            let fits = width + 1 + word.len() < WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text += word;
        width += word.len();
    }
    text
}

/// The games of a text. Variations are passed over.
pub fn read(text: &str) -> Result<Vec<Record>, String> {
    let mut games: Vec<Record> = Vec::new();
    let mut reader = Reader { chars: text.trim_start_matches('\u{feff}').chars().peekable() };
    loop {
        match reader.game() {
            Ok(None) => return Ok(numbered(games)),
            Ok(Some(record)) => games.push(record),
            Err(reason) => return Err(format!("game {}: {reason}", games.len() + 1)),
        }
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
}

/// What a game's text is made of.
enum Token {
    Tag(String, String),
    Comment(String),
    Word(String),
}

impl Reader<'_> {
    /// The next game; `None` at the end.
    fn game(&mut self) -> Result<Option<Record>, String> {
        let mut record = Record { variant: CHESS.into(), ..Record::default() };
        let (mut begun, mut last, mut given) = (false, None::<Move>, false);
        let mut reason = None;
        let end = loop {
            let Some(token) = self.token()? else {
                if begun {
                    return Err("it has no result at its end".into());
                }
                return Ok(None);
            };
            begun = true;
            match token {
                Token::Tag(name, value) => tag(&mut record, &mut reason, name, value)?,
                Token::Comment(text) => match &mut last {
                    Some(_) if text.trim() == BOOK => given = true,
                    Some(mv) => read_comment(&text, mv),
                    None => {}
                },
                Token::Word(word) => {
                    if let Some(mv) = last.take() {
                        record.add(mv, std::mem::take(&mut given));
                    }
                    if let Some(end) = End::of_result(&word) {
                        break end;
                    }
                    // Numbers may stand before a move without a blank; `$3` and the like judge it.
                    let mv = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
                    let mv = if mv.starts_with('.') || mv.is_empty() { mv.trim_start_matches('.') } else { &word };
                    if !mv.is_empty() && !mv.starts_with('$') {
                        last = Some(Move { text: mv.trim_end_matches(['!', '?']).to_owned(), ..Move::default() });
                    }
                }
            }
        };
        record.end = End { reason: reason.unwrap_or(end.reason), ..record.end };
        record.end.winner = end.winner;
        Ok(Some(record))
    }

    fn token(&mut self) -> Result<Option<Token>, String> {
        loop {
            match self.chars.next() {
                None => return Ok(None),
                Some(letter) if letter.is_whitespace() => {}
                Some('[') => return self.tag().map(Some),
                Some('{') => return Ok(Some(Token::Comment(self.until('}')?))),
                // To the end of the line; the last line may have none.
                Some(';' | '%') => {
                    let _ = self.until('\n');
                }
                Some('(') => self.variation()?,
                Some(letter) => {
                    let mut word = String::from(letter);
                    while let Some(next) =
                        self.chars.next_if(|next| !next.is_whitespace() && !matches!(next, '{' | '(' | ')' | ';' | '['))
                    {
                        word.push(next);
                    }
                    return Ok(Some(Token::Word(word)));
                }
            }
        }
    }

    fn until(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.chars.next() {
                Some(letter) if letter == end => return Ok(text),
                Some(letter) => text.push(letter),
                None => return Err(format!("there is no `{end}` at the end of what needs one")),
            }
        }
    }

    fn variation(&mut self) -> Result<(), String> {
        let mut depth = 1;
        while depth > 0 {
            match self.chars.next() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some('{') => drop(self.until('}')?),
                Some(_) => {}
                None => return Err("a variation has no `)`".into()),
            }
        }
        Ok(())
    }

    /// `Name "value"]`.
    fn tag(&mut self) -> Result<Token, String> {
        let name = self.until('"')?.trim().to_owned();
        let mut value = String::new();
        loop {
            match self.chars.next() {
                Some('"') => break,
                Some('\\') => value.extend(self.chars.next()),
                Some(letter) => value.push(letter),
                None => return Err(format!("the tag `{}` has no end", name.escape_debug())),
            }
        }
        self.until(']')?;
        Ok(Token::Tag(name, value))
    }
}

fn tag(record: &mut Record, reason: &mut Option<Reason>, name: String, value: String) -> Result<(), String> {
    match name.as_str() {
        "White" => record.players[Side::First.index()] = value,
        "Black" => record.players[Side::Second.index()] = value,
        "Round" => record.number = value.parse::<u64>().unwrap_or(1).saturating_sub(1),
        "Date" => record.date = (!value.starts_with('?')).then(|| value.replace('.', "-")),
        "Variant" => record.variant = value,
        "FEN" => record.opening.position = Some(value),
        "Termination" => match Reason::parse(&value) {
            known @ Some(_) => *reason = known,
            // As the standard, or somebody else, has it.
            None => record.end.detail = value,
        },
        "Points" => {
            let points = value.parse().map_err(|_| format!("`{}` is no number of points", value.escape_debug()))?;
            record.end.points = Some(points);
        }
        "Detail" => record.end.detail = value,
        "WhiteLeft" => record.left[Side::First.index()] = words::parse_seconds(&value),
        "BlackLeft" => record.left[Side::Second.index()] = words::parse_seconds(&value),
        "Event" | "Site" if value == "?" => {}
        "SetUp" | "PlyCount" | "Result" => {}
        _ => record.settings.push((name, value)),
    }
    Ok(())
}
