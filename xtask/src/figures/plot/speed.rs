//! Speed over versions: all answers to a question, with the range of their runs.
//!
//! Times of different machines can't be compared, so only points of one machine are joined, in a colour of their own.

use super::{Picture, SERIES};
use crate::figures::record::{Answer, Measurements, Record};
use crate::figures::value::Value;
use anyhow::{Context, Result, ensure};

/// A figure to follow: its record, the title of the panel, and where the axis begins.
const PANELS: [(&str, &str, f64); 4] = [
    ("chess-speed-64", "Chess: million nodes a second (more is better)", 0.0),
    ("othello-ffo-49", "Othello: seconds for FFO 40 to 49 (less is better)", 0.0),
    ("five-moves-freestyle20-19", "Five: million plays and undos a second (more is better)", 0.0),
    ("search-genericity", "Core: instructions, hand-written 1 (less is better)", 1.0),
];

const PANEL: [f64; 2] = [430.0, 250.0];
const TOP: f64 = 52.0;

/// A panel has room for this many versions.
const MOST: usize = 7;

/// Draws all panels.
pub fn draw(measurements: &Measurements) -> Result<String> {
    let size = [2.0 * PANEL[0], TOP + 2.0 * PANEL[1] + 44.0];
    let mut picture = Picture::new(size, "Speed of Polyply over versions, by machine");
    picture.text("title", "start", [24.0, 32.0], "Speed over versions; bars are the range of runs");
    let record = |id: &str| {
        let record = measurements.records.iter().find(|record| record.id == id);
        record.with_context(|| format!("there is no record `{id}` to draw"))
    };
    let records = PANELS.iter().map(|&(id, ..)| record(id)).collect::<Result<Vec<_>>>()?;
    let is_shown = |machine: &str| records.iter().any(|record| shown(record).iter().any(|at| at.machine == machine));
    let machines: Vec<&str> = measurements.machines.keys().map(String::as_str).filter(|name| is_shown(name)).collect();
    for (index, (&(_, title, floor), record)) in PANELS.iter().zip(&records).enumerate() {
        let corner = [(index % 2) as f64 * PANEL[0], TOP + (index / 2) as f64 * PANEL[1]];
        picture.text("group", "start", [corner[0] + 24.0, corner[1] + 16.0], title);
        draw_panel(&mut picture, corner, floor, record, &machines)?;
    }
    for (index, machine) in machines.iter().enumerate() {
        let [x, y] = [62.0 + index as f64 * 150.0, size[1] - 22.0];
        picture.mark(index, [x, y - 4.0]);
        picture.text("", "start", [x + 12.0, y], machine);
    }
    Ok(picture.finish())
}

/// The answers that a panel shows, the oldest first.
fn shown(record: &Record) -> Vec<&Answer> {
    record.past.iter().take(MOST - 1).rev().chain([&record.answer]).collect()
}

fn draw_panel(picture: &mut Picture, corner: [f64; 2], floor: f64, record: &Record, machines: &[&str]) -> Result<()> {
    let answers = shown(record);
    let spread = |answer: &&Answer| answer.value.spread();
    let spreads: Vec<[f64; 3]> = answers.iter().filter_map(spread).collect();
    ensure!(spreads.len() == answers.len(), "record `{}` has an answer that is not a number", record.id);
    let rival = record.answer.beside.as_ref().and_then(Value::spread).map(|[_, middle, _]| middle);
    let highest = spreads.iter().map(|spread| spread[2]).chain(rival).fold(floor, f64::max);
    let axes = Axes::new(corner, floor, highest);
    axes.draw(picture);
    if let (Some(value), Some(name)) = (rival, &record.rival) {
        picture.line("half", [axes.left, axes.height(value)], [axes.right, axes.height(value)]);
        picture.text("faint", "start", [axes.left + 4.0, axes.height(value) - 5.0], name);
    }
    let mut before: Option<(&str, [f64; 2])> = None;
    for (index, (answer, &[low, middle, high])) in answers.iter().zip(&spreads).enumerate() {
        let x = axes.left + (index as f64 + 0.5) * (axes.right - axes.left) / answers.len() as f64;
        let here = [x, axes.height(middle)];
        let series = machines.iter().position(|machine| *machine == answer.machine).unwrap_or_default();
        let color = series % SERIES;
        if let Some((_, there)) = before.filter(|&(machine, _)| machine == answer.machine) {
            picture.line(&format!("thread stroke{color}"), there, here);
        }
        picture.line(&format!("bar stroke{color}"), [x, axes.height(low)], [x, axes.height(high)]);
        picture.mark(series, here);
        picture.text("faint", "middle", [x, axes.bottom + 18.0], &answer.commit);
        picture.text("faint", "middle", [x, axes.bottom + 33.0], &answer.date[2..]);
        before = Some((&answer.machine, here));
    }
    Ok(())
}

/// Where numbers stand in a panel.
struct Axes {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    floor: f64,
    ceiling: f64,
    step: f64,
}

impl Axes {
    fn new([x, y]: [f64; 2], floor: f64, highest: f64) -> Axes {
        let step = step(highest - floor);
        let ceiling = floor + step * ((highest - floor) / step).ceil();
        Axes { left: x + 62.0, right: x + 410.0, top: y + 36.0, bottom: y + 196.0, floor, ceiling, step }
    }

    fn height(&self, value: f64) -> f64 {
        self.bottom - (value - self.floor) / (self.ceiling - self.floor) * (self.bottom - self.top)
    }

    fn draw(&self, picture: &mut Picture) {
        for tick in 0..=((self.ceiling - self.floor) / self.step).round() as u32 {
            let value = self.floor + f64::from(tick) * self.step;
            let y = self.height(value);
            picture.line("grid", [self.left, y], [self.right, y]);
            picture.text("faint", "end", [self.left - 8.0, y + 4.0], (value * 1000.0).round() / 1000.0);
        }
    }
}

/// A round distance between ticks that gives about four of them.
fn step(range: f64) -> f64 {
    let power = 10f64.powf((range / 4.0).log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| range / step <= 5.0)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        for (range, expected) in [(1.93, 0.5), (34.4, 10.0), (2.92, 1.0), (0.05, 0.01)] {
            assert!((step(range) - expected).abs() < 1e-9, "{range}: {}", step(range));
        }
    }
}
