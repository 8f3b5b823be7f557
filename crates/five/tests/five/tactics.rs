//! Random play in which something happens, and what the tests that use it share.

use crate::naive::Naive;
use polyply_core::game::Side;
use polyply_core::random::Random;
use polyply_five::cell::Cell;
use polyply_five::notation::{BoardSetup, Point};
use polyply_five::settings::Settings;
use std::collections::BTreeMap;

/// `usual` rounds, times the environment variable `POLYPLY_ROUNDS` for a long run.
pub fn rounds(usual: usize) -> usize {
    usual * std::env::var("POLYPLY_ROUNDS").map_or(1, |times| times.parse().expect("POLYPLY_ROUNDS is a number"))
}

pub fn settings(variant: &str, size: usize, rules: &[(&str, &str)]) -> Settings {
    let rules: Vec<_> = rules.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect();
    Settings::new(variant, Some(size as u32), &rules).unwrap()
}

pub fn cell((x, y): Point) -> Cell {
    Cell::at(x, y)
}

pub fn point(cell: Cell) -> Point {
    (cell.x(), cell.y())
}

/// All rule sets of Caro: what closes an end, and whether an overline wins.
pub const CARO: [[(&str, &str); 2]; 6] = [
    [("blocked_ends", "off"), ("exact_five", "true")],
    [("blocked_ends", "off"), ("exact_five", "false")],
    [("blocked_ends", "opponent"), ("exact_five", "true")],
    [("blocked_ends", "opponent"), ("exact_five", "false")],
    [("blocked_ends", "opponent_or_edge"), ("exact_five", "true")],
    [("blocked_ends", "opponent_or_edge"), ("exact_five", "false")],
];

/// One step for each of the four lines through a cell.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How many stones of a side follow a cell in a direction.
fn run(setup: &BoardSetup, (x, y): Point, side: Side, (dx, dy): (isize, isize)) -> usize {
    let at = |distance: isize| {
        let x = x.checked_add_signed(dx * distance).filter(|&x| x < setup.size)?;
        let y = y.checked_add_signed(dy * distance).filter(|&y| y < setup.size)?;
        setup.at((x, y))
    };
    (1..).take_while(|&distance| at(distance) == Some(side)).count()
}

/// The lengths of the rows that a stone of a side on this cell stands in or would stand in.
pub fn row_lengths(setup: &BoardSetup, point: Point, side: Side) -> [usize; 4] {
    LINES.map(|(dx, dy)| run(setup, point, side, (dx, dy)) + 1 + run(setup, point, side, (-dx, -dy)))
}

/// A legal move: now and then any, often one near other stones, most often one that makes or stops a row or captures.
pub fn lively_move(game: &Naive, legal: &[Point], random: &mut Random) -> Option<Point> {
    // Whoever always takes the first win never sees a longer row.
    let length = game.settings.win_length;
    let wins = |&point: &Point| row_lengths(&game.setup, point, game.side()).contains(&length);
    let patient: Vec<Point> = legal.iter().copied().filter(|point| !wins(point)).collect();
    let legal = if random.below(3) == 0 && !patient.is_empty() { &patient } else { legal };
    let noise = [1, 6, 30][random.below(3)];
    match random.below(8) {
        0 => random.pick(legal),
        1..=2 => {
            let near: Vec<Point> = legal.iter().copied().filter(|&point| is_near(&game.setup, point)).collect();
            random.pick(&near).or_else(|| random.pick(legal))
        }
        _ => legal.iter().copied().max_by_key(|&point| interest(game, point) + random.below(noise)),
    }
}

fn is_near(setup: &BoardSetup, (x, y): Point) -> bool {
    let around = |coordinate: usize| coordinate.saturating_sub(1)..setup.size.min(coordinate + 2);
    around(x).any(|x| around(y).any(|y| setup.at((x, y)).is_some()))
}

fn interest(game: &Naive, point: Point) -> usize {
    let (side, other) = (game.side(), game.side().other());
    let rows = |side| row_lengths(&game.setup, point, side).iter().map(|length| (length - 1).pow(2)).sum::<usize>();
    3 * rows(side) + 2 * rows(other) + 5 * game.captures(point, side).len() + 2 * game.captures(point, other).len()
}

/// How often things happened, so that a test can't become empty unnoticed.
#[derive(Default, Debug)]
pub struct Events(BTreeMap<&'static str, usize>);

impl Events {
    pub fn count(&mut self, event: &'static str) {
        *self.0.entry(event).or_default() += 1;
    }

    pub fn add(&mut self, other: Events) {
        for (event, times) in other.0 {
            *self.0.entry(event).or_default() += times;
        }
    }

    pub fn assert_at_least(&self, kind: &[(&'static str, usize)]) {
        println!("{self:#?}");
        for &(event, times) in kind {
            let happened = self.0.get(event).copied().unwrap_or(0);
            assert!(happened >= rounds(times), "`{event}` happened only {happened} times: {self:#?}");
        }
    }
}
