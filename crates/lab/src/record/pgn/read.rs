//! Reads PGN.

use super::super::words::{self, BOOK, add_remark, read_comment};
use super::super::{DEEPEST, End, MOST_MOVES, Move, Reason, Record};
use super::{PGN, usual};
use crate::refusals;
use polyply_engine::{Refusal, Side, Variant};
use std::iter::Peekable;
use std::str::Chars;

/// All games. A bad game does not affect the next one.
pub fn games(text: &str) -> Vec<Result<Record, Refusal>> {
    let mut games = Vec::new();
    let chars = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut reader = Reader { chars, line: 1, fresh: true, part: Part::Tags };
    loop {
        match reader.game() {
            Ok(None) => return games,
            Ok(Some(record)) => games.push(Ok(record)),
            Err(reason) => {
                games.push(Err(refusals::in_game_line(games.len() + 1, reader.line, reason)));
                reader.skip();
            }
        }
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
    /// Only spaces were seen in this line.
    fresh: bool,
    part: Part,
}

/// How far a game has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tags,
    Moves,
    /// Its result was read.
    Over,
}

/// The tokens of a game.
enum Token {
    Tag(String, String),
    Comment(String),
    Word(String),
    Open,
    Close,
}

/// A game that is being read.
struct Draft {
    record: Record,
    reason: Option<Reason>,
    /// The main line and the open variations, each with its moves.
    lines: Vec<Vec<Move>>,
    /// The number of opening moves.
    given: usize,
    /// The number of moves, with the variations.
    count: usize,
}

impl Draft {
    fn comment(&mut self, text: &str) {
        let is_main = self.lines.len() == 1;
        let Some(line) = self.lines.last_mut() else { return };
        let length = line.len();
        match line.last_mut() {
            Some(_) if text.trim() == BOOK && is_main && self.given + 1 == length => self.given += 1,
            Some(mv) => read_comment(text, mv),
            None if is_main => add_remark(&mut self.record.comment, text.trim()),
            None => {}
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Refusal> {
        // There may be no space between a move number and the move.
        let bare = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mv = if bare.starts_with('.') || bare.is_empty() { bare.trim_start_matches('.') } else { word };
        let line = self.lines.last_mut().ok_or_else(refusals::variation_unopened)?;
        if let Some(nag) = mv.strip_prefix('$') {
            let nag = nag.parse().map_err(|_| refusals::not_a_judgement(mv))?;
            if let Some(mv) = line.last_mut() {
                mv.nags.push(nag);
            }
            return Ok(());
        }
        let text = mv.trim_end_matches(['!', '?']);
        let judged = match &mv[text.len()..] {
            "!" => Some(1),
            "?" => Some(2),
            "!!" => Some(3),
            "??" => Some(4),
            "!?" => Some(5),
            "?!" => Some(6),
            _ => None,
        };
        if text.is_empty() {
            // A glyph as a word of its own.
            line.last_mut().iter_mut().for_each(|mv| mv.nags.extend(judged));
        } else if text != "e.p." {
            self.count += 1;
            if self.count > MOST_MOVES {
                return Err(refusals::moves_too_many(MOST_MOVES));
            }
            line.push(Move { text: text.to_owned(), nags: judged.into_iter().collect(), ..Move::default() });
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Refusal> {
        if self.lines.last().is_none_or(Vec::is_empty) {
            return Err(refusals::variation_first());
        }
        if self.lines.len() > DEEPEST {
            return Err(refusals::variations_deep(DEEPEST));
        }
        self.lines.push(Vec::new());
        Ok(())
    }

    fn close(&mut self) -> Result<(), Refusal> {
        let variation = self.lines.pop().filter(|_| !self.lines.is_empty());
        let variation = variation.ok_or_else(refusals::variation_unopened)?;
        let parent = self.lines.last_mut().and_then(|line| line.last_mut());
        if let Some(mv) = parent.filter(|_| !variation.is_empty()) {
            mv.variations.push(variation);
        }
        Ok(())
    }

    fn finish(mut self, end: End) -> Result<Record, Refusal> {
        if self.lines.len() > 1 {
            return Err(refusals::variation_unclosed());
        }
        let mut moves = self.lines.pop().unwrap_or_default();
        let played = moves.split_off(self.given);
        self.record.opening.moves = moves.into_iter().map(|mv| mv.text).collect();
        self.record.moves = played;
        self.record.end = End { reason: self.reason.unwrap_or(end.reason), ..self.record.end };
        self.record.end.winner = end.winner;
        // Some games abbreviate moves; those of other games are kept as they are.
        if Variant::find(&self.record.variant).is_ok_and(|variant| variant.has_short_moves()) {
            self.record.replay()?;
        }
        Ok(self.record)
    }
}

impl Reader<'_> {
    /// The next game; `None` at the end.
    fn game(&mut self) -> Result<Option<Record>, Refusal> {
        let record = Record { variant: usual(), ..Record::default() };
        let mut draft = Draft { record, reason: None, lines: vec![Vec::new()], given: 0, count: 0 };
        let mut begun = false;
        self.part = Part::Tags;
        loop {
            let Some(token) = self.token()? else {
                return if begun { Err(refusals::no_result()) } else { Ok(None) };
            };
            begun = true;
            if !matches!(token, Token::Tag(..)) {
                self.part = Part::Moves;
            }
            match token {
                Token::Tag(name, value) => tag(&mut draft.record, &mut draft.reason, name, value)?,
                Token::Comment(text) => draft.comment(&text),
                Token::Open => draft.open()?,
                Token::Close => draft.close()?,
                Token::Word(word) => match End::of_result(&word) {
                    // Some programs write a result at the end of a variation.
                    Some(_) if draft.lines.len() > 1 => {}
                    Some(end) => {
                        self.part = Part::Over;
                        return draft.finish(end).map(Some);
                    }
                    None => draft.word(&word)?,
                },
            }
        }
    }

    /// Skips to the next possible beginning of a game: a tag at the beginning of a line, after the moves of this one.
    fn skip(&mut self) {
        let mut among_tags = match self.part {
            Part::Tags => true,
            Part::Moves => false,
            Part::Over => return,
        };
        while let Some(&letter) = self.chars.peek() {
            if self.fresh && letter == '[' && !among_tags {
                return;
            }
            if self.fresh && !letter.is_whitespace() {
                among_tags = letter == '[';
            }
            self.next();
        }
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.chars.next()?;
        if letter == '\n' {
            (self.line, self.fresh) = (self.line + 1, true);
        } else if !letter.is_whitespace() {
            self.fresh = false;
        }
        Some(letter)
    }

    fn token(&mut self) -> Result<Option<Token>, Refusal> {
        loop {
            let fresh = self.fresh;
            match self.next() {
                None => return Ok(None),
                Some(letter) if letter.is_whitespace() => {}
                Some('[') => return self.tag().map(Some),
                Some('{') => return Ok(Some(Token::Comment(self.until('}')?))),
                // A comment to the end of the line; the last line may have no line feed.
                Some(';') => return Ok(Some(Token::Comment(self.rest_of_line()))),
                Some('%') if fresh => drop(self.rest_of_line()),
                Some('(') => return Ok(Some(Token::Open)),
                Some(')') => return Ok(Some(Token::Close)),
                Some(letter) => {
                    let mut word = String::from(letter);
                    let ends = |next: char| next.is_whitespace() || matches!(next, '{' | '(' | ')' | ';' | '[');
                    while let Some(&next) = self.chars.peek().filter(|next| !ends(**next)) {
                        word.push(next);
                        self.next();
                    }
                    return Ok(Some(Token::Word(word)));
                }
            }
        }
    }

    fn rest_of_line(&mut self) -> String {
        std::iter::from_fn(|| self.next().filter(|letter| *letter != '\n')).collect()
    }

    fn until(&mut self, end: char) -> Result<String, Refusal> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some(letter) if letter == end => return Ok(text),
                Some(letter) => text.push(letter),
                None => return Err(refusals::unclosed(end)),
            }
        }
    }

    /// `Name "value"]`.
    fn tag(&mut self) -> Result<Token, Refusal> {
        let name = self.until('"')?.trim().to_owned();
        let mut value = String::new();
        // A value is kept as one line.
        let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
        loop {
            match self.next() {
                Some('"') => break,
                Some('\\') => value.extend(self.next().map(plain)),
                Some(letter) => value.push(plain(letter)),
                None => return Err(refusals::tag_unclosed(name)),
            }
        }
        self.until(']')?;
        Ok(Token::Tag(name, value))
    }
}

fn tag(record: &mut Record, reason: &mut Option<Reason>, name: String, value: String) -> Result<(), Refusal> {
    match name.as_str() {
        "White" => record.players[Side::First.index()] = value,
        "Black" => record.players[Side::Second.index()] = value,
        "Round" => record.number = value.parse::<u64>().unwrap_or(1).saturating_sub(1),
        "Date" => record.date = (!value.starts_with('?')).then(|| value.replace('.', "-")),
        "Variant" => {
            // Our own names come first: `standard` in lower case is a gomoku variant, not standard chess.
            let known = || Variant::by_alias(PGN, &value, None)?.ok().map(|variant| variant.name().to_owned());
            record.variant = match Variant::find(&value) {
                Ok(_) => value,
                Err(_) => known().unwrap_or(value),
            }
        }
        "FEN" => record.opening.position = Some(value),
        "Termination" => match Reason::parse(&value) {
            known @ Some(_) => *reason = known,
            // As the standard or another program writes it.
            None => record.end.detail = value,
        },
        "Points" => {
            let points = value.parse().map_err(|_| refusals::points_number(&value))?;
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
