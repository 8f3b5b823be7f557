//! Which rows win: the pattern table against a rule that only counts, on random lines and on those the rules name.

use crate::tactics::{CARO, Events, cell, rounds, settings};
use polyply_core::game::Side::{self, First, Second};
use polyply_core::random::Random;
use polyply_five::Five;
use polyply_five::notation::{BoardSetup, Point};
use polyply_five::pattern::Pattern;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{BlockedEnds, Settings};
use polyply_five::shape::Shape;

/// One step for each direction, in the order in which the board numbers them.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// What lies `distance` steps away: `#` beyond the edge, `.` in an empty cell, else `x` or `o`.
fn look(setup: &BoardSetup, (x, y): Point, (dx, dy): (isize, isize), distance: isize) -> char {
    let on_board = |coordinate: &usize| *coordinate < setup.size;
    let x = x.checked_add_signed(dx * distance).filter(on_board);
    let y = y.checked_add_signed(dy * distance).filter(on_board);
    match x.zip(y).map(|point| setup.at(point)) {
        None => '#',
        Some(None) => '.',
        Some(Some(First)) => 'x',
        Some(Some(Second)) => 'o',
    }
}

/// A stone of the side on this cell would win along the line.
fn wins(settings: &Settings, setup: &BoardSetup, point: Point, step: (isize, isize), side: Side) -> bool {
    let (own, enemy) = if side == First { ('x', 'o') } else { ('o', 'x') };
    let mut length = 1;
    let mut closed_ends = 0;
    for way in [1, -1] {
        let mut distance = way;
        while look(setup, point, step, distance) == own {
            length += 1;
            distance += way;
        }
        let end = look(setup, point, step, distance);
        closed_ends += match settings.blocked_ends {
            BlockedEnds::Off => 0,
            BlockedEnds::Opponent => usize::from(end == enemy),
            BlockedEnds::OpponentOrEdge => usize::from(end == enemy || end == '#'),
        };
    }
    let overline = length > settings.win_length;
    length >= settings.win_length && !(overline && settings.exact_five) && (overline || closed_ends < 2)
}

/// A board full of stones, most of them of one side.
fn crowded(size: usize, random: &mut Random) -> BoardSetup {
    let mut setup = BoardSetup::empty(size);
    let (many, few) = if random.below(2) == 0 { (First, Second) } else { (Second, First) };
    let (often, seldom) = (40 + random.below(40), 5 + random.below(15));
    for cell in &mut setup.cells {
        let number = random.below(100);
        *cell = (number < often).then_some(many).or_else(|| (number < often + seldom).then_some(few));
    }
    setup
}

/// Compares every empty cell, line and side of random boards.
fn compare<R: Rule>(rules: &[(&str, &str)]) {
    let mut events = Events::default();
    let mut random = Random::new(1);
    for round in 0..rounds(900) {
        let size = if round % 2 == 0 { 22 } else { 6 + random.below(16) };
        let settings = settings(R::KIND.name(), size, rules);
        let setup = crowded(size, &mut random);
        let stones = setup.cells.iter().enumerate();
        let stones = stones.filter_map(|(index, &owner)| Some((cell((index % size, index / size)), owner?)));
        // Both sides may have five already, which no position has.
        let Ok(fast) = Five::<R>::set_up(settings, stones, First, [0, 0]) else { continue };
        for point in (0..size * size).map(|index| (index % size, index / size)) {
            if setup.at(point).is_some() {
                continue;
            }
            for side in [First, Second] {
                let won = STEPS.map(|step| wins(&settings, &setup, point, step, side));
                for (direction, won) in won.into_iter().enumerate() {
                    let pattern = fast.pattern(cell(point), direction, side);
                    let context = || format!("{} {point:?} {direction} {side:?} {settings:?}", setup.text());
                    assert_eq!(pattern == Pattern::Five, won, "{}", context());
                    events.count(if won { "five" } else { "no five" });
                }
                assert_eq!(fast.shape(cell(point), side) == Shape::Five, won.contains(&true), "{}", setup.text());
            }
        }
    }
    events.assert_at_least(&[("five", 20_000), ("no five", 300_000)]);
}

#[test]
fn freestyle_wins_on_the_right_cells() {
    compare::<Freestyle>(&[]);
}

#[test]
fn standard_wins_on_the_right_cells() {
    compare::<Standard>(&[]);
}

#[test]
fn caro_wins_on_the_right_cells() {
    for rules in CARO {
        compare::<Caro>(&rules);
    }
}

#[test]
fn capture_wins_on_the_right_cells() {
    for length in ["3", "4", "5", "6"] {
        compare::<Capture>(&[("win_length", length)]);
    }
}

/// The first player wins on the cell marked `A` of a row, a column and both diagonals, at the edge of a board as long
/// as the row where `|` says so.
fn wins_on<R: Rule>(rules: &[(&str, &str)], row: &str) -> bool {
    let cells = row.trim_matches('|');
    let (at_left, at_right) = (row.starts_with('|'), row.ends_with('|'));
    let length = cells.len();
    let size = match (at_left, at_right) {
        (true, true) => length,
        (false, false) => length + 4,
        _ => length + 2,
    };
    let start = if at_left { 0 } else { 2 };
    let answers = STEPS.map(|(dx, dy)| {
        let across = if dx == 1 && dy == 0 || dx == 0 { size / 2 } else { 0 };
        let mut asked = None;
        let mut stones = Vec::new();
        for (index, sign) in cells.chars().enumerate() {
            let along = start + index;
            let x = if dx == 0 { across } else { along };
            let y = match dy {
                0 => across,
                1 => along,
                _ => size - 1 - along,
            };
            match sign {
                'x' => stones.push((cell((x, y)), First)),
                'o' => stones.push((cell((x, y)), Second)),
                'A' => asked = Some(cell((x, y))),
                _ => {}
            }
        }
        let game = Five::<R>::set_up(settings(R::KIND.name(), size, rules), stones, First, [0, 0]).unwrap();
        game.shape(asked.unwrap(), First) == Shape::Five
    });
    assert!(answers.iter().all(|&answer| answer == answers[0]), "{row} differs by direction: {answers:?}");
    answers[0]
}

const OPPONENT: [(&str, &str); 1] = [("blocked_ends", "opponent")];
const OPPONENT_OR_EDGE: [(&str, &str); 1] = [("blocked_ends", "opponent_or_edge")];
const OVERLINE_WINS: [(&str, &str); 2] = [("blocked_ends", "opponent"), ("exact_five", "false")];

#[test]
fn five_wins_under_every_rule() {
    for row in [".xxAxx.", ".Axxxx.", ".xxxxA.", ".xxAxxo", "oxxAxx.", "|.xxAxx.|"] {
        assert!(wins_on::<Freestyle>(&[], row), "{row}");
        assert!(wins_on::<Standard>(&[], row), "{row}");
        assert!(wins_on::<Caro>(&[], row), "{row}");
        assert!(wins_on::<Capture>(&[], row), "{row}");
    }
}

#[test]
fn four_wins_under_no_rule() {
    for row in [".xxAx..", "xxAx.xx", "xxAxoxx", "|xxAx.", ".xxAx|"] {
        assert!(!wins_on::<Freestyle>(&[], row), "{row}");
        assert!(!wins_on::<Standard>(&[], row), "{row}");
        assert!(!wins_on::<Caro>(&OVERLINE_WINS, row), "{row}");
        assert!(!wins_on::<Capture>(&[], row), "{row}");
    }
}

#[test]
fn an_overline_wins_only_where_five_need_not_be_exact() {
    for row in ["xxxAxx", "xxxxAx", "xxxxAxxxx", "oxxxAxxo", "|xxxAxx|", "|xxAxxxo"] {
        assert!(wins_on::<Freestyle>(&[], row), "{row}");
        assert!(wins_on::<Capture>(&[], row), "{row}");
        assert!(wins_on::<Caro>(&OVERLINE_WINS, row), "{row}");
        assert!(!wins_on::<Standard>(&[], row), "{row}");
        assert!(!wins_on::<Caro>(&OPPONENT, row), "{row}");
    }
}

#[test]
fn a_five_between_two_opponents_wins_everywhere_but_in_caro() {
    for row in ["oxxAxxo", "oAxxxxo", "oxxxxAo"] {
        assert!(wins_on::<Freestyle>(&[], row), "{row}");
        assert!(wins_on::<Standard>(&[], row), "{row}");
        assert!(wins_on::<Capture>(&[], row), "{row}");
        assert!(wins_on::<Caro>(&[("blocked_ends", "off")], row), "{row}");
        assert!(!wins_on::<Caro>(&OPPONENT, row), "{row}");
        assert!(!wins_on::<Caro>(&OVERLINE_WINS, row), "{row}");
        assert!(!wins_on::<Caro>(&OPPONENT_OR_EDGE, row), "{row}");
    }
}

#[test]
fn the_edge_closes_a_five_only_where_it_is_said_to() {
    for row in ["|xxAxxo", "|Axxxxo", "oxxxxA|", "|xxAxx|"] {
        assert!(wins_on::<Standard>(&[], row), "{row}");
        assert!(wins_on::<Caro>(&OPPONENT, row), "{row}");
        assert!(!wins_on::<Caro>(&OPPONENT_OR_EDGE, row), "{row}");
    }
    for row in ["|xxAxx.", ".xxAxx|"] {
        assert!(wins_on::<Caro>(&OPPONENT_OR_EDGE, row), "{row}");
    }
}

#[test]
fn a_filled_gap_is_judged_by_the_row_it_closes() {
    // The ends that count are those of the whole row.
    assert!(!wins_on::<Caro>(&OPPONENT, "oxxxAxo"));
    assert!(wins_on::<Caro>(&OPPONENT, "oxxxAx.o"));
    assert!(wins_on::<Caro>(&OPPONENT, "o.xxAxxo"));
    assert!(!wins_on::<Caro>(&OPPONENT, ".xxxAxx."));
    assert!(!wins_on::<Standard>(&[], ".xxAxxx."));
    assert!(wins_on::<Freestyle>(&[], "oxxAxxxo"));
}

#[test]
fn the_length_that_wins_in_capture_is_the_one_asked_for() {
    for (length, shorter, enough) in [("3", ".xA.", ".xAx."), ("4", ".xAx.", ".xxAx."), ("6", ".xxAxx.", "xxAxxx")] {
        assert!(!wins_on::<Capture>(&[("win_length", length)], shorter));
        assert!(wins_on::<Capture>(&[("win_length", length)], enough));
    }
}
