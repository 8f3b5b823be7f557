//! The file that games of self-play are kept in.
//!
//! It is text. The first line says where the games come from; each further line is one game, its fields separated by
//! tabs (here by spaces):
//!
//! ```text
//! # freestyle:15 nodes=2000 seed=1 weights=9c2f01d24e7a55b0
//! freestyle:15  0  1-0  h8 i9 g7 h9  - - 12 -40
//! ```
//!
//! 1. the variant, the size of its board and its rules, as in `caro:15,opening=none`,
//! 2. the game's number, which with the seed makes the game,
//! 3. the result: `1-0`, `0-1` or `1/2`,
//! 4. the moves,
//! 5. for each move the score of the position before it, from the first player's side; `-` where the move was random,
//!    `+w12` where the first player wins in twelve plies and `-w12` where the second does. Such a score is proven and
//!    ends the game.
//!
//! A line is written at once and ends with its line feed. If a run was ended in the middle of one, the next run drops
//! what there is of it and plays that game again.

use crate::LabError;
use polyply_core::score::{FirstScore, Score};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The first player won.
    FirstWins,
    /// The second player won.
    SecondWins,
    /// Nobody did.
    Draw,
}

impl End {
    const TEXTS: [(End, &str); 3] = [(End::FirstWins, "1-0"), (End::SecondWins, "0-1"), (End::Draw, "1/2")];

    /// How it is written.
    pub fn text(self) -> &'static str {
        End::TEXTS.iter().find(|(end, _)| *end == self).map_or("", |(_, text)| text)
    }

    fn parse(text: &str) -> Option<End> {
        End::TEXTS.iter().find(|(_, known)| *known == text).map(|(end, _)| *end)
    }

    /// What the first player got: 1, ½ or 0.
    pub fn points(self) -> f32 {
        match self {
            End::FirstWins => 1.0,
            End::Draw => 0.5,
            End::SecondWins => 0.0,
        }
    }
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its number.
    pub number: u64,
    /// How it ended.
    pub end: End,
    /// The moves, as people write them.
    pub moves: Vec<String>,
    /// What was thought of the position before each move, unless the move was random.
    pub scores: Vec<Option<FirstScore>>,
}

impl Record {
    /// Adds a move.
    pub fn add(&mut self, mv: String, score: Option<FirstScore>) {
        self.moves.push(mv);
        self.scores.push(score);
    }

    /// The line of a file, without its line feed.
    pub fn line(&self, variant: &str) -> String {
        let scores: Vec<String> = self.scores.iter().copied().map(score_text).collect();
        format!("{variant}\t{}\t{}\t{}\t{}", self.number, self.end.text(), self.moves.join(" "), scores.join(" "))
    }

    /// Reads a line: the variant and the game. The error is one sentence.
    pub fn parse(line: &str) -> Result<(&str, Record), String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, number, end, moves, scores] = fields[..] else {
            return Err(format!("a game has 5 fields separated by tabs, not {}", fields.len()));
        };
        let number = number.parse().map_err(|_| format!("`{}` is no number of a game", number.escape_debug()))?;
        let end =
            End::parse(end).ok_or_else(|| format!("a result is 1-0, 0-1 or 1/2, not `{}`", end.escape_debug()))?;
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let scores = scores.split_whitespace().map(parse_score).collect::<Result<Vec<_>, _>>()?;
        if moves.len() != scores.len() {
            return Err(format!("there are {} moves and {} scores", moves.len(), scores.len()));
        }
        Ok((variant, Record { number, end, moves, scores }))
    }
}

fn score_text(score: Option<FirstScore>) -> String {
    match score {
        None => "-".into(),
        Some(score) => match score.plies_to_end() {
            Some(plies) if plies > 0 => format!("+w{plies}"),
            Some(plies) => format!("-w{}", -plies),
            None => score.value().to_string(),
        },
    }
}

fn parse_score(text: &str) -> Result<Option<FirstScore>, String> {
    use polyply_core::game::Side;
    let wrong = || format!("`{}` is no score", text.escape_debug());
    let plies = |digits: &str| digits.parse().ok().filter(|plies| (0..=1000).contains(plies)).ok_or_else(wrong);
    if text == "-" {
        Ok(None)
    } else if let Some(digits) = text.strip_prefix("+w") {
        Ok(Some(Score::win_in(plies(digits)?).for_first(Side::First)))
    } else if let Some(digits) = text.strip_prefix("-w") {
        Ok(Some(Score::loss_in(plies(digits)?).for_first(Side::First)))
    } else {
        let value: i32 = text.parse().map_err(|_| wrong())?;
        Ok(Some(Score::eval(value).for_first(Side::First)))
    }
}

/// A file of games that is being written.
pub struct Games {
    path: PathBuf,
    file: File,
    variant: String,
    /// The numbers of the games it has.
    pub done: HashSet<u64>,
}

impl Games {
    /// Opens a file to add games of a variant from an origin: a new one, or one that was begun like this.
    pub fn open(path: &Path, variant: &str, origin: &str) -> Result<Games, LabError> {
        let failed = |error: std::io::Error| LabError::file(path, error);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut games = Games { path: path.to_owned(), file, variant: variant.to_owned(), done: HashSet::new() };
        let header = format!("# {variant} {origin}");
        let mut lines = text[..whole].lines();
        match lines.next() {
            None => games.write(&header)?,
            Some(first) if first == header => {}
            Some(first) => {
                let begun = first.trim_start_matches("# ");
                let reason = format!("the games in it are `{begun}`, not `{variant} {origin}`; name another file");
                return Err(LabError::file(path, reason));
            }
        }
        for line in lines.filter(|line| !line.starts_with('#')) {
            let (_, record) = Record::parse(line).map_err(|reason| LabError::file(path, reason))?;
            games.done.insert(record.number);
        }
        Ok(games)
    }

    /// The numbers below `count` of games that are not there yet.
    pub fn missing(&self, count: u64) -> Vec<u64> {
        (0..count).filter(|number| !self.done.contains(number)).collect()
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Record) -> Result<(), LabError> {
        self.write(&record.line(&self.variant))?;
        self.done.insert(record.number);
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), LabError> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|error| LabError::file(&self.path, error))
    }
}

/// The games of a file with their variants; an unfinished last line is passed over.
pub fn read(path: &Path) -> Result<Vec<(String, Record)>, LabError> {
    let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let numbered = text[..whole].lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let read = |(index, line)| {
        let (variant, record) =
            Record::parse(line).map_err(|reason| LabError::file(path, format!("line {}: {reason}", index + 1)))?;
        Ok((variant.to_owned(), record))
    };
    numbered.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Side;

    fn record(number: u64) -> Record {
        let eval = |value| Some(Score::eval(value).for_first(Side::First));
        Record {
            number,
            end: End::SecondWins,
            moves: ["h8", "i9", "j10", "a1"].map(str::to_owned).to_vec(),
            scores: vec![None, eval(12), eval(-340), Some(Score::win_in(7).for_first(Side::Second))],
        }
    }

    #[test]
    fn a_game_survives_the_way_to_a_line_and_back() {
        let line = record(3).line("caro:15,opening=none");
        assert_eq!(line, "caro:15,opening=none\t3\t0-1\th8 i9 j10 a1\t- 12 -340 -w7");
        assert_eq!(Record::parse(&line), Ok(("caro:15,opening=none", record(3))));
    }

    #[test]
    fn a_bad_line_is_told_in_a_sentence() {
        for (line, says) in [
            ("freestyle:15\t1\t1-0", "5 fields"),
            ("freestyle:15\tx\t1-0\th8\t1", "`x`"),
            ("freestyle:15\t1\t2-0\th8\t1", "`2-0`"),
            ("freestyle:15\t1\t1-0\th8\t1 2", "1 moves and 2 scores"),
            ("freestyle:15\t1\t1-0\th8\t+w9999", "`+w9999`"),
        ] {
            let error = Record::parse(line).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_run_goes_on_where_the_last_one_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut games = Games::open(&path, "freestyle:15", "seed=1").unwrap();
        [0, 2].into_iter().for_each(|number| games.add(&record(number)).unwrap());
        // As if the power had gone in the middle of a line.
        games.file.write_all(b"freestyle:15\t1\t1-0\th8").unwrap();
        drop(games);

        let mut games = Games::open(&path, "freestyle:15", "seed=1").unwrap();
        assert_eq!(games.missing(4), [1, 3]);
        games.add(&record(1)).unwrap();
        let numbers: Vec<u64> = read(&path).unwrap().into_iter().map(|(_, record)| record.number).collect();
        assert_eq!(numbers, [0, 2, 1]);
        let other = Games::open(&path, "freestyle:15", "seed=2").err().unwrap().to_string();
        assert!(other.contains("seed=1") && other.contains("another file"), "{other}");
    }
}
