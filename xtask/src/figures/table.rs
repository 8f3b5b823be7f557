//! Tables of records, in Markdown.

use super::record::{Answer, Measurements, Record};
use super::value::Value;
use anyhow::{Context, Result, bail, ensure};

/// The table that a marker asks for: `machines`, or `<layout> of <selector>…`. A selector is the id of a record, or
/// `area/group`, where `*` is every area.
pub fn write(request: &str, measurements: &Measurements) -> Result<String> {
    if request == "machines" {
        let row = |(name, description): (&String, &String)| vec![format!("`{name}`"), description.clone()];
        return Ok(markdown(&["Machine", "What it is"], measurements.machines.iter().map(row).collect()));
    }
    let (layout, selectors) = request.split_once(" of ").context("a table is `machines` or `<layout> of <records>`")?;
    let records = select(selectors, &measurements.records)?;
    match layout {
        "matches" => matches(&records),
        "gains" => gains(&records),
        "values" => Ok(values(&records)),
        "comparisons" => comparisons(&records),
        "changes" => changes(&records),
        "series" => series(&records),
        _ => bail!("`{layout}` is not a layout: matches, gains, values, comparisons, changes or series"),
    }
}

/// The records that match the selectors, in the order of the selectors.
fn select<'a>(selectors: &str, records: &'a [Record]) -> Result<Vec<&'a Record>> {
    let mut selected = Vec::new();
    for selector in selectors.split_whitespace() {
        let fits = |record: &&Record| match selector.split_once('/') {
            Some((area, group)) => (area == "*" || area == record.area) && group == record.group,
            None => selector == record.id,
        };
        let before = selected.len();
        selected.extend(records.iter().filter(fits));
        ensure!(selected.len() > before, "no record matches `{selector}`");
    }
    Ok(selected)
}

/// Games against other programs.
fn matches(records: &[&Record]) -> Result<String> {
    let row = |record: &&Record| {
        let Value::Match(games) = record.answer.value else { bail!("record `{}` is not a match", record.id) };
        let elo = games.elo().map_or("∞".to_owned(), |elo| elo.text());
        Ok(vec![
            named(record, &record.game, "game")?,
            named(record, &record.rival, "rival")?,
            named(record, &record.limit, "limit")?,
            games.games().to_string(),
            games.score_text(),
            elo,
            commit(&record.answer),
        ])
    };
    let rows = records.iter().map(row).collect::<Result<_>>()?;
    Ok(markdown(&["Game", "Rival", "Limit", "Games", "Score", "Elo", "Commit"], rows))
}

/// What changes are worth.
fn gains(records: &[&Record]) -> Result<String> {
    let row = |record: &&Record| {
        let (games, elo) = match record.answer.value {
            Value::Match(games) => (games.games(), games.elo()),
            Value::Difference { elo, games } => (games, Some(elo)),
            _ => bail!("record `{}` has no Elo", record.id),
        };
        Ok(vec![
            record.question.clone(),
            named(record, &record.limit, "limit")?,
            games.to_string(),
            elo.map_or("∞".to_owned(), |elo| elo.text()),
            commit(&record.answer),
        ])
    };
    let rows = records.iter().map(row).collect::<Result<_>>()?;
    Ok(markdown(&["Change", "Limit", "Games", "Elo", "Commit"], rows))
}

/// Anything that was measured.
fn values(records: &[&Record]) -> String {
    let row = |record: &&Record| {
        let result = record.answer.value.text(&record.format);
        vec![
            record.question.clone(),
            record.aim.as_ref().map_or(result.clone(), |aim| format!("{result} (aim: {aim})")),
            record.answer.conditions.clone().unwrap_or_default(),
            format!("`{}`", record.answer.machine),
            commit(&record.answer),
        ]
    };
    let rows = records.iter().map(row).collect();
    markdown(&["What", "Result", "Conditions", "Machine", "Commit"], rows)
}

/// Figures of Polyply beside those of one rival, of the same run.
fn comparisons(records: &[&Record]) -> Result<String> {
    let rival = named(records[0], &records[0].rival, "rival")?;
    let row = |record: &&Record| {
        let beside =
            record.answer.beside.as_ref().with_context(|| format!("record `{}`: `beside` is missing", record.id))?;
        ensure!(record.rival.as_ref() == Some(&rival), "record `{}` has another rival than the first", record.id);
        Ok(vec![
            record.question.clone(),
            record.answer.value.text(&record.format),
            beside.text(&record.format),
            ratio(&record.answer.value, beside),
            commit(&record.answer),
        ])
    };
    let rows = records.iter().map(row).collect::<Result<_>>()?;
    Ok(markdown(&["What", "Polyply", &rival, "Ratio", "Commit"], rows))
}

/// A build against the one before it.
fn changes(records: &[&Record]) -> Result<String> {
    let row = |record: &&Record| {
        let before = record.past.first().with_context(|| format!("record `{}` has no earlier answer", record.id))?;
        Ok(vec![
            record.question.clone(),
            before.value.text(&record.format),
            record.answer.value.text(&record.format),
            ratio(&record.answer.value, &before.value),
            format!("{} → {}", commit(before), commit(&record.answer)),
        ])
    };
    let rows = records.iter().map(row).collect::<Result<_>>()?;
    Ok(markdown(&["What", "Before", "After", "Ratio", "Commits"], rows))
}

/// One figure with several points.
fn series(records: &[&Record]) -> Result<String> {
    let [record] = records else { bail!("a series is of one record") };
    let Value::Series(points) = &record.answer.value else { bail!("record `{}` is not a series", record.id) };
    let (mut heading, mut row) = (vec![record.question.as_str()], vec![commit(&record.answer)]);
    for (label, value) in points {
        heading.push(label);
        row.push(Value::Number { value: *value, error: None }.text(&record.format));
    }
    Ok(markdown(&heading, vec![row]))
}

fn named(record: &Record, value: &Option<String>, key: &str) -> Result<String> {
    value.clone().with_context(|| format!("record `{}`: `{key}` is missing", record.id))
}

/// A commit that is only the nearest known one is marked with `≈`.
fn commit(answer: &Answer) -> String {
    format!("{}`{}`", if answer.exact { "" } else { "≈ " }, answer.commit)
}

/// One figure divided by another. Ranges give the range that their ends allow.
fn ratio(value: &Value, by: &Value) -> String {
    let (Some([low, _, high]), Some([by_low, _, by_high])) = (value.spread(), by.spread()) else {
        return String::new();
    };
    let [low, high] = [low / by_high, high / by_low].map(|ratio| format!("{ratio:.2}"));
    if low == high { low } else { format!("{low} to {high}") }
}

fn markdown(heading: &[&str], rows: Vec<Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut table = line(heading.iter().map(|&cell| cell.to_owned()).collect());
    table.push_str(&format!("|{}\n", "---|".repeat(heading.len())));
    for row in rows {
        table.push_str(&line(row.into_iter().map(|cell| cell.replace('|', "\\|")).collect()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::value::{Elo, Format, Match};

    fn record(id: &str, group: &str, value: Value) -> Record {
        let commit = "0123abc".to_owned();
        let answer = Answer {
            value,
            beside: Some(Value::Number { value: 2.0, error: None }),
            conditions: None,
            commit,
            exact: false,
            machine: "old".to_owned(),
            date: "2026-11-16".to_owned(),
        };
        let past = Answer { value: Value::Number { value: 4.0, error: None }, exact: true, ..answer.clone() };
        Record {
            id: id.to_owned(),
            area: "chess".to_owned(),
            group: group.to_owned(),
            question: format!("What is {id}?"),
            game: Some("chess".to_owned()),
            rival: Some("Reckless".to_owned()),
            limit: Some("1 s".to_owned()),
            format: Format::default(),
            aim: Some("at most 1".to_owned()),
            answer,
            past: vec![past],
        }
    }

    fn measurements() -> Measurements {
        let elo = Elo { value: 12.0, error: 34.0 };
        let records = vec![
            record("match", "strength", Value::Match(Match { won: 143, drawn: 27, lost: 30, elo: None })),
            record("gain", "gains", Value::Difference { elo, games: 200 }),
            record("number", "speed", Value::Number { value: 3.0, error: None }),
            record("range", "speed", Value::Range { low: 1.0, high: 2.0 }),
            record("series", "stages", Value::Series(vec![("a".to_owned(), 1.0), ("b".to_owned(), 2.0)])),
        ];
        Measurements { machines: [("old".to_owned(), "An old one.".to_owned())].into(), records }
    }

    /// The rows below the heading.
    fn rows(request: &str) -> Vec<String> {
        let table = write(request, &measurements()).unwrap();
        table.lines().skip(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_layout_has_its_columns() {
        assert_eq!(rows("machines"), ["| `old` | An old one. |"]);
        assert_eq!(
            rows("matches of */strength"),
            ["| chess | Reckless | 1 s | 200 | 78.2 % (72 to 83) | +222 ± 52 | ≈ `0123abc` |"]
        );
        assert_eq!(rows("gains of chess/gains"), ["| What is gain? | 1 s | 200 | +12 ± 34 | ≈ `0123abc` |"]);
        assert_eq!(
            rows("values of chess/speed"),
            [
                "| What is number? | 3 (aim: at most 1) |  | `old` | ≈ `0123abc` |",
                "| What is range? | 1 to 2 (aim: at most 1) |  | `old` | ≈ `0123abc` |"
            ]
        );
        assert_eq!(
            rows("comparisons of chess/speed"),
            [
                "| What is number? | 3 | 2 | 1.50 | ≈ `0123abc` |",
                "| What is range? | 1 to 2 | 2 | 0.50 to 1.00 | ≈ `0123abc` |"
            ]
        );
        assert_eq!(rows("changes of number"), ["| What is number? | 4 | 3 | 0.75 | `0123abc` → ≈ `0123abc` |"]);
        assert_eq!(
            write("series of series", &measurements()).unwrap().lines().next(),
            Some("| What is series? | a | b |")
        );
        assert_eq!(rows("series of series"), ["| ≈ `0123abc` | 1 | 2 |"]);
    }

    #[test]
    fn a_table_that_cannot_be_made_is_refused() {
        let refusal = |request: &str| format!("{:#}", write(request, &measurements()).unwrap_err());
        assert_eq!(refusal("values"), "a table is `machines` or `<layout> of <records>`");
        assert_eq!(refusal("values of five/speed"), "no record matches `five/speed`");
        assert_eq!(refusal("matches of number"), "record `number` is not a match");
        assert!(refusal("pictures of number").starts_with("`pictures` is not a layout"));
    }
}
