//! The records of `measurements/*.toml`, read strictly. `measurements/README.md` describes their keys.

use super::value::{Elo, Format, Match, Value};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use toml::value::Datetime;

/// Describes the machines that records name.
const MACHINES: &str = "machines.toml";

/// Keys that `common` may have.
const COMMON: [&str; 10] =
    ["group", "game", "rival", "limit", "conditions", "commit", "commit_is", "machine", "date", "command"];

/// Keys that belong to the question: an earlier answer has none of them.
const QUESTION: [&str; 10] = ["id", "group", "question", "game", "rival", "limit", "unit", "digits", "aim", "past"];

/// Descriptions of machines by name.
pub type Machines = BTreeMap<String, String>;

/// All records, and the machines they name.
#[derive(Debug, Default)]
pub struct Measurements {
    pub machines: Machines,
    pub records: Vec<Record>,
}

/// A question with its current answer, and with earlier ones.
#[derive(Debug)]
pub struct Record {
    pub id: String,
    /// The name of the file.
    pub area: String,
    /// Records of one area and group share a table.
    pub group: String,
    pub question: String,
    pub game: Option<String>,
    pub rival: Option<String>,
    /// Time, nodes or depth per move.
    pub limit: Option<String>,
    pub format: Format,
    pub aim: Option<String>,
    pub answer: Answer,
    /// Earlier answers, the newest first.
    pub past: Vec<Answer>,
}

/// What was measured of one build.
#[derive(Debug, Clone)]
pub struct Answer {
    pub value: Value,
    /// What was measured of the rival in the same run.
    pub beside: Option<Value>,
    pub conditions: Option<String>,
    pub commit: String,
    /// The build is known to be of this commit.
    pub exact: bool,
    pub machine: String,
    pub date: String,
}

/// A record or an earlier answer as it is in the file. Nothing is required here, so that an error can name what is
/// missing.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    id: Option<String>,
    group: Option<String>,
    question: Option<String>,
    game: Option<String>,
    rival: Option<String>,
    limit: Option<String>,
    value: Option<f64>,
    error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    of: Option<f64>,
    points: Option<Vec<(String, f64)>>,
    won: Option<u32>,
    drawn: Option<u32>,
    lost: Option<u32>,
    elo: Option<f64>,
    games: Option<u32>,
    beside: Option<Box<Entry>>,
    unit: Option<String>,
    digits: Option<usize>,
    aim: Option<String>,
    conditions: Option<String>,
    commit: Option<String>,
    commit_is: Option<String>,
    machine: Option<String>,
    date: Option<String>,
    command: Option<String>,
    /// For readers of the file; no table shows it.
    #[serde(rename = "note")]
    _note: Option<String>,
    past: Vec<Entry>,
}

/// Reads every file of a folder.
pub fn read(folder: &Path) -> Result<Measurements> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).with_context(|| format!("{name}/{file}"));
    let machines: Machines =
        toml::from_str(&text(MACHINES)?).map_err(|error| anyhow!("{name}/{MACHINES}: {}", error.message()))?;
    let mut files: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| name.clone())? {
        files.push(entry?.file_name().to_string_lossy().into_owned());
    }
    files.retain(|file| file.ends_with(".toml") && file != MACHINES);
    files.sort();
    let mut measurements = Measurements { machines, records: Vec::new() };
    for file in files {
        let records = parse(&format!("{name}/{file}"), &text(&file)?, &measurements.machines)?;
        measurements.records.extend(records);
    }
    one_answer_a_question(&measurements.records)?;
    Ok(measurements)
}

/// No two records may have the same name or answer the same question.
fn one_answer_a_question(records: &[Record]) -> Result<()> {
    let (mut ids, mut questions) = (BTreeSet::new(), BTreeSet::new());
    for Record { id, area, question, .. } in records {
        ensure!(ids.insert(id), "measurements/{area}.toml: record `{id}`: another record has this id");
        ensure!(
            questions.insert(question),
            "measurements/{area}.toml: record `{id}`: another record answers the question \"{question}\""
        );
    }
    Ok(())
}

/// Reads one file: `[common]`, which applies to all its records, and the records.
fn parse(file: &str, text: &str, machines: &Machines) -> Result<Vec<Record>> {
    let mut table: toml::Table = toml::from_str(text).map_err(|error| anyhow!("{file}: {}", error.message()))?;
    let common = match table.remove("common") {
        Some(common) => {
            if let Some(key) = keys(&common).find(|key| !COMMON.contains(key)) {
                bail!("{file}: `common` has a key `{key}`, which belongs to a record");
            }
            entry(common).map_err(|what| anyhow!("{file}: `common`: {what}"))?
        }
        None => Entry::default(),
    };
    let records = table.remove("record").unwrap_or_else(|| toml::Value::Array(Vec::new()));
    if let Some(key) = table.keys().next() {
        bail!("{file}: unknown key `{key}`; a file has `common` and `record`");
    }
    let records = records.try_into::<Vec<toml::Value>>().map_err(|_| anyhow!("{file}: `record` is not a list"))?;
    let area = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let mut read = Vec::new();
    for (index, record) in records.into_iter().enumerate() {
        let name = match record.get("id").and_then(toml::Value::as_str) {
            Some(id) => format!("record `{id}`"),
            None => format!("record {}", index + 1),
        };
        let record = entry(record).and_then(|entry| entry.record(&area, &common, machines));
        read.push(record.map_err(|what| anyhow!("{file}: {name}: {what:#}"))?);
    }
    Ok(read)
}

fn keys(value: &toml::Value) -> impl Iterator<Item = &str> {
    value.as_table().into_iter().flat_map(|table| table.keys().map(String::as_str))
}

/// Reads an entry. The error leaves out the long list of known keys.
fn entry(value: toml::Value) -> Result<Entry> {
    for past in value.get("past").and_then(toml::Value::as_array).into_iter().flatten() {
        if let Some(key) = keys(past).find(|key| QUESTION.contains(key)) {
            bail!("an earlier answer has a key `{key}`, which belongs to the question");
        }
    }
    value.try_into().map_err(|error: toml::de::Error| {
        let message = error.message();
        anyhow!("{}", message.split(", expected one of").next().unwrap_or(message))
    })
}

/// The value of a key that must be there.
fn required<T>(value: Option<T>, key: &str) -> Result<T> {
    value.with_context(|| format!("`{key}` is missing"))
}

impl Entry {
    fn record(mut self, area: &str, common: &Entry, machines: &Machines) -> Result<Record> {
        self.inherit(common);
        let past = std::mem::take(&mut self.past);
        let earlier = |(index, mut entry): (usize, Entry)| {
            let own = entry.commit.is_some() && entry.date.is_some();
            ensure!(own, "earlier answer {}: `commit` or `date` is missing", index + 1);
            entry.inherit(&self);
            entry.answer(machines).with_context(|| format!("earlier answer {}", index + 1))
        };
        let answer = self.answer(machines)?;
        let past = past.into_iter().enumerate().map(earlier).collect::<Result<_>>()?;
        let id = required(self.id, "id")?;
        let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.".contains(letter);
        ensure!(id.chars().all(allowed), "an id has small letters, digits, `-` and `.`");
        Ok(Record {
            id,
            area: area.to_owned(),
            group: required(self.group, "group")?,
            question: required(self.question, "question")?,
            game: self.game,
            rival: self.rival,
            limit: self.limit,
            format: Format { unit: self.unit, digits: self.digits },
            aim: self.aim,
            answer,
            past,
        })
    }

    /// Fills in what this entry leaves out from one that applies to several.
    fn inherit(&mut self, from: &Entry) {
        if self.commit.is_none() {
            self.commit = from.commit.clone();
            self.commit_is = self.commit_is.take().or_else(|| from.commit_is.clone());
        }
        for (own, shared) in [
            (&mut self.group, &from.group),
            (&mut self.game, &from.game),
            (&mut self.rival, &from.rival),
            (&mut self.limit, &from.limit),
            (&mut self.conditions, &from.conditions),
            (&mut self.machine, &from.machine),
            (&mut self.date, &from.date),
            (&mut self.command, &from.command),
        ] {
            *own = own.take().or_else(|| shared.clone());
        }
    }

    fn answer(&self, machines: &Machines) -> Result<Answer> {
        let commit = required(self.commit.clone(), "commit")?;
        let digits = commit.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f'));
        ensure!(
            digits && (7..=40).contains(&commit.len()),
            "`{commit}` is not a commit: give 7 to 40 hexadecimal digits"
        );
        let machine = required(self.machine.clone(), "machine")?;
        ensure!(machines.contains_key(&machine), "machine `{machine}` is not in {MACHINES}");
        let date = required(self.date.clone(), "date")?;
        let day = date.parse::<Datetime>().is_ok_and(|date| date.date.is_some() && date.time.is_none());
        ensure!(day, "`{date}` is not a day such as 2026-11-16");
        required(self.command.as_ref(), "command")?;
        let beside = match &self.beside {
            Some(beside) => Some(beside.value().context("`beside`")?),
            None => None,
        };
        Ok(Answer {
            value: self.value()?,
            beside,
            conditions: self.conditions.clone(),
            commit,
            exact: self.commit_is.is_none(),
            machine,
            date,
        })
    }

    /// The result. Its kind follows from which keys are there.
    fn value(&self) -> Result<Value> {
        let elo = match (self.elo, self.error) {
            (Some(value), Some(error)) => Some(Elo { value, error }),
            (Some(_), None) => bail!("`elo` needs its `error`"),
            (None, _) => None,
        };
        let games = match (self.won, self.drawn, self.lost) {
            (Some(won), Some(drawn), Some(lost)) => Some(Match { won, drawn, lost, elo }),
            (None, None, None) => None,
            _ => bail!("a match has `won`, `drawn` and `lost`"),
        };
        match (games, self.points.clone(), self.value, self.low, self.high) {
            (Some(games), None, None, None, None) => {
                ensure!(games.games() > 0, "a match has games");
                ensure!(elo.is_some() || self.error.is_none(), "`error` belongs to `value` or `elo`");
                Ok(Value::Match(games))
            }
            (None, Some(points), None, None, None) => Ok(Value::Series(points)),
            (None, None, Some(value), None, None) => match (self.of, self.error) {
                (Some(of), None) => Ok(Value::Share { value, of }),
                (None, error) => Ok(Value::Number { value, error }),
                (Some(_), Some(_)) => bail!("`of` has no `error`"),
            },
            (None, None, None, Some(low), Some(high)) => {
                ensure!(low <= high, "`low` is above `high`");
                Ok(Value::Range { low, high })
            }
            (None, None, None, None, None) => match (elo, self.games) {
                (Some(elo), Some(games)) => Ok(Value::Difference { elo, games }),
                (Some(_), None) => bail!("`elo` needs its `games`"),
                (None, _) => bail!(
                    "the result is missing: `value`, `low` and `high`, `points`, `elo`, or `won`, `drawn` and `lost`"
                ),
            },
            _ => bail!("there is more than one result"),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    const GOOD: &str = r#"
        [common]
        commit = "0123abc"
        machine = "old"
        date = 2026-11-16
        command = "polyply bench"

        [[record]]
        id = "speed"
        group = "speed"
        question = "Speed of the bench"
        low = 1.1
        high = 1.2
        digits = 2
        unit = "M nodes/s"
        beside = { value = 0.9 }

        [[record.past]]
        value = 0.5
        commit = "fedcba9"
        commit_is = "the code when it was written down"
        date = 2026-11-15

        [[record]]
        id = "match"
        group = "strength"
        question = "Against somebody"
        game = "chess"
        rival = "Somebody & others"
        won = 3
        drawn = 0
        lost = 1
        commit = "7654321"
    "#;

    fn machines() -> Machines {
        Machines::from([("old".to_owned(), "An old one.".to_owned())])
    }

    /// A range with an earlier answer, and a match.
    pub fn records() -> Vec<Record> {
        parse("measurements/area.toml", GOOD, &machines()).unwrap()
    }

    fn refusal(text: &str) -> String {
        let read = parse("measurements/area.toml", text, &machines());
        format!("{:#}", read.and_then(|records| one_answer_a_question(&records)).expect_err("the file is wrong"))
    }

    #[test]
    fn a_record_has_its_answer_and_earlier_ones() {
        let records = records();
        let [speed, games] = &records[..] else { panic!("{} records", records.len()) };
        assert_eq!((speed.area.as_str(), speed.group.as_str()), ("area", "speed"));
        assert_eq!(speed.answer.value, Value::Range { low: 1.1, high: 1.2 });
        assert_eq!(speed.answer.beside, Some(Value::Number { value: 0.9, error: None }));
        assert!(speed.answer.exact && speed.answer.date == "2026-11-16");
        assert_eq!(speed.past[0].value, Value::Number { value: 0.5, error: None });
        assert_eq!((speed.past[0].commit.as_str(), speed.past[0].machine.as_str()), ("fedcba9", "old"));
        assert!(!speed.past[0].exact);
        assert_eq!(games.answer.commit, "7654321");
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence_with_file_and_record() {
        let wrong = |from: &str, to: &str| refusal(&GOOD.replacen(from, to, 1));
        let cases = [
            ("digits = 2", "colour = 2", "record `speed`: unknown field `colour`"),
            ("commit = \"0123abc\"", "", "record `speed`: `commit` is missing"),
            ("0123abc", "main", "record `speed`: `main` is not a commit: give 7 to 40 hexadecimal digits"),
            ("machine = \"old\"", "machine = \"new\"", "record `speed`: machine `new` is not in machines.toml"),
            ("question = \"Speed of the bench\"", "", "record `speed`: `question` is missing"),
            (
                "Against somebody",
                "Speed of the bench",
                "record `match`: another record answers the question \"Speed of the bench\"",
            ),
            ("\"match\"", "\"speed\"", "record `speed`: another record has this id"),
            ("\"match\"", "\"A match\"", "record `A match`: an id has small letters, digits, `-` and `.`"),
            ("lost = 1", "", "record `match`: a match has `won`, `drawn` and `lost`"),
            ("lost = 1", "lost = 1\nvalue = 2", "record `match`: there is more than one result"),
            ("low = 1.1", "low = 1.3", "record `speed`: `low` is above `high`"),
            ("2026-11-15", "\"yesterday\"", "record `speed`: earlier answer 1: `yesterday` is not a day"),
            ("commit = \"fedcba9\"", "", "record `speed`: earlier answer 1: `commit` or `date` is missing"),
            (
                "value = 0.5",
                "value = 0.5\nunit = \"s\"",
                "record `speed`: an earlier answer has a key `unit`, which belongs to the question",
            ),
            ("[common]", "[common]\nvalue = 1", "`common` has a key `value`, which belongs to a record"),
            ("[common]", "[shared]", "unknown key `shared`; a file has `common` and `record`"),
            ("id = \"match\"", "", "record 2: `id` is missing"),
        ];
        for (from, to, what) in cases {
            let said = wrong(from, to);
            assert!(said.starts_with(&format!("measurements/area.toml: {what}")), "{to}: {said}");
            assert!(!said.contains('\n'), "{said}");
        }
    }
}
