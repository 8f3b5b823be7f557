//! What the patterns mean, by brute force on single lines and on the shapes that every player knows.

use crate::tactics::{CARO, Events, cell, rounds, settings};
use polyply_core::game::Side::{self, First, Second};
use polyply_core::random::Random;
use polyply_five::Five;
use polyply_five::pattern::Pattern;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{BlockedEnds, Settings};

/// A line of a board from edge to edge: `x` for the side that is judged, `o` for the other, `.` for empty.
type Line = Vec<char>;

fn empties(line: &Line) -> impl Iterator<Item = usize> + use<> {
    let cells: Vec<usize> = (0..line.len()).filter(|&at| line[at] == '.').collect();
    cells.into_iter()
}

fn with(line: &Line, at: usize, stone: char) -> Line {
    let mut line = line.clone();
    line[at] = stone;
    line
}

/// The stone stands in a row that wins.
fn wins(rules: &Settings, line: &Line, at: usize) -> bool {
    let from = (0..at).rev().take_while(|&at| line[at] == 'x').last().unwrap_or(at);
    let to = (at..line.len()).take_while(|&at| line[at] == 'x').last().unwrap();
    let ends = [from.checked_sub(1).map(|end| line[end]), line.get(to + 1).copied()];
    let closed = ends.iter().all(|end| match rules.blocked_ends {
        BlockedEnds::Off => false,
        BlockedEnds::Opponent => *end == Some('o'),
        BlockedEnds::OpponentOrEdge => end.is_none() || *end == Some('o'),
    });
    match (to - from + 1).cmp(&rules.win_length) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => !closed,
        std::cmp::Ordering::Greater => !rules.exact_five,
    }
}

/// One more stone wins.
fn wins_next(rules: &Settings, line: &Line, at: usize) -> bool {
    empties(line).any(|next| wins(rules, &with(line, next, 'x'), at))
}

/// The strongest pattern whose meaning holds for the stone on a line, if fours are at most so many stones away.
fn judge(rules: &Settings, line: &Line, at: usize, ahead: usize) -> Pattern {
    if wins(rules, line, at) {
        return Pattern::Five;
    }
    if wins_next(rules, line, at) {
        let beats_every_answer = empties(line).all(|answer| wins_next(rules, &with(line, answer, 'o'), at));
        return if beats_every_answer { Pattern::OpenFour } else { Pattern::Four };
    }
    if ahead == 0 {
        return Pattern::Dead;
    }
    let next: Vec<Pattern> = empties(line).map(|next| judge(rules, &with(line, next, 'x'), at, ahead - 1)).collect();
    let ways = |kind: &[Pattern]| next.iter().filter(|pattern| kind.contains(pattern)).count();
    let open_fours = ways(&[Pattern::OpenFour]);
    let open_threes = ways(&[Pattern::OpenThree, Pattern::BroadThree]);
    let holds = |pattern: Pattern| match pattern {
        Pattern::Five | Pattern::OpenFour | Pattern::Four => false,
        Pattern::BroadThree => open_fours >= 2,
        Pattern::OpenThree => open_fours == 1,
        Pattern::Three => ways(&[Pattern::Four]) > 0,
        Pattern::BroadTwo => open_threes >= 3,
        Pattern::OpenTwo => open_threes > 0,
        Pattern::Two => ways(&[Pattern::Three]) > 0,
        Pattern::OpenOne => ways(&[Pattern::OpenTwo, Pattern::BroadTwo]) > 0,
        Pattern::One => ways(&[Pattern::Two]) > 0,
        Pattern::Dead => true,
    };
    Pattern::ALL.into_iter().rev().find(|&pattern| holds(pattern)).unwrap()
}

/// The fewest stones that make the stone on a line win.
fn stones_to_win(rules: &Settings, line: &Line, at: usize) -> Option<u32> {
    let empty: Vec<usize> = empties(line).collect();
    let sets = (0..1u32 << empty.len()).filter(|set| {
        let mut filled = line.clone();
        for (bit, &cell) in empty.iter().enumerate() {
            if set >> bit & 1 != 0 {
                filled[cell] = 'x';
            }
        }
        wins(rules, &filled, at)
    });
    sets.map(u32::count_ones).min()
}

/// The board with this line as its middle row.
fn game<R: Rule>(rules: Settings, line: &Line) -> Option<Five<R>> {
    let owner = |sign| match sign {
        'x' => Some(First),
        'o' => Some(Second),
        _ => None,
    };
    let stones = line.iter().enumerate().filter_map(|(x, &sign)| Some((cell((x, rules.size / 2)), owner(sign)?)));
    Five::set_up(rules, stones, First, [0, 0]).ok()
}

fn compare<R: Rule>(rules: &[(&str, &str)], least: usize) {
    let mut random = Random::new(7);
    let mut events = Events::default();
    for _ in 0..rounds(1500) {
        let rules = settings(R::KIND.name(), 6 + random.below(8), rules);
        let (own, other) = (20 + random.below(50), random.below(40));
        let mut line: Line = vec!['.'; rules.size];
        for sign in &mut line {
            let number = random.below(100);
            *sign = if number < own { 'x' } else { '.' };
            *sign = if number + other >= 100 { 'o' } else { *sign };
        }
        // Brute force has its limits.
        if empties(&line).count() > 8 {
            continue;
        }
        let Some(game) = game::<R>(rules, &line) else { continue };
        let swap = |sign: &char| match sign {
            'x' => 'o',
            'o' => 'x',
            empty => *empty,
        };
        let swapped: Line = line.iter().map(swap).collect();
        for (side, line) in [(Side::First, &line), (Side::Second, &swapped)] {
            for at in empties(line) {
                let stone = with(line, at, 'x');
                let pattern = game.pattern(cell((at, rules.size / 2)), 0, side);
                let shown = || format!("{} with a stone on {at}: {rules:?}", line.iter().collect::<String>());
                assert_eq!(pattern, judge(&rules, &stone, at, 3), "{}", shown());
                let more = match pattern {
                    Pattern::Five => Some(0),
                    Pattern::OpenFour | Pattern::Four => Some(1),
                    Pattern::BroadThree | Pattern::OpenThree | Pattern::Three => Some(2),
                    Pattern::BroadTwo | Pattern::OpenTwo | Pattern::Two => Some(3),
                    Pattern::OpenOne | Pattern::One => Some(4),
                    Pattern::Dead => None,
                };
                let fewest = stones_to_win(&rules, &stone, at).filter(|&stones| stones <= 4);
                assert_eq!(more, fewest, "{}", shown());
                events.count(NAMES[pattern as usize]);
            }
        }
    }
    events.assert_at_least(&NAMES.map(|name| (name, least)));
}

const NAMES: [&str; Pattern::COUNT] = [
    "dead",
    "one",
    "open one",
    "two",
    "open two",
    "broad two",
    "three",
    "open three",
    "broad three",
    "four",
    "open four",
    "five",
];

#[test]
fn patterns_of_freestyle_mean_what_they_say() {
    compare::<Freestyle>(&[], 30);
}

#[test]
fn patterns_of_standard_mean_what_they_say() {
    compare::<Standard>(&[], 20);
}

#[test]
fn patterns_of_caro_mean_what_they_say() {
    for rules in CARO {
        compare::<Caro>(&rules, 0);
    }
}

#[test]
fn patterns_of_capture_mean_what_they_say() {
    for length in ["3", "4", "5", "6"] {
        compare::<Capture>(&[("win_length", length)], 0);
    }
}

/// What the first player makes on the cell marked `A` of a row. The row reaches the edge of the board where it has `|`.
fn pattern<R: Rule>(rules: &[(&str, &str)], row: &str) -> Pattern {
    let mut line = row.replace('|', "");
    if !row.starts_with('|') {
        line.insert_str(0, ".....");
    }
    if !row.ends_with('|') {
        line += ".....";
    }
    let line: Line = line.chars().collect();
    let at = line.iter().position(|&sign| sign == 'A').unwrap();
    let game = game::<R>(settings(R::KIND.name(), line.len(), rules), &line).unwrap();
    game.pattern(cell((at, line.len() / 2)), 0, First)
}

fn freestyle(row: &str) -> Pattern {
    pattern::<Freestyle>(&[], row)
}

fn standard(row: &str) -> Pattern {
    pattern::<Standard>(&[], row)
}

fn caro(row: &str) -> Pattern {
    pattern::<Caro>(&[("blocked_ends", "opponent")], row)
}

fn caro_with_edges(row: &str) -> Pattern {
    pattern::<Caro>(&[("blocked_ends", "opponent_or_edge")], row)
}

#[test]
fn a_straight_four_with_room_is_open() {
    for row in ["xxxA", "xAxx", "Axxx"] {
        assert_eq!(freestyle(row), Pattern::OpenFour, "{row}");
        assert_eq!(standard(row), Pattern::OpenFour, "{row}");
        assert_eq!(caro(row), Pattern::OpenFour, "{row}");
        assert_eq!(caro_with_edges(row), Pattern::OpenFour, "{row}");
    }
}

#[test]
fn a_broken_four_has_one_completing_cell_and_is_not_open() {
    for row in ["x.xxA", "A.xxx", "xx.xA", "xA.xx", "xxx.A", "ox.xxA", "xx.xAo", "|x.xxA", "xA.xx|"] {
        assert_eq!(freestyle(row), Pattern::Four, "{row}");
        assert_eq!(standard(row), Pattern::Four, "{row}");
        assert_eq!(caro(row), Pattern::Four, "{row}");
    }
}

#[test]
fn a_four_closed_at_one_end_is_not_open() {
    for row in ["oxxxA", "oAxxx", "|xxxA", "xAxx|"] {
        assert_eq!(freestyle(row), Pattern::Four, "{row}");
        assert_eq!(standard(row), Pattern::Four, "{row}");
    }
    assert_eq!(freestyle("oxxxAo"), Pattern::Dead);
    assert_eq!(freestyle("|xxxAo"), Pattern::Dead);
}

#[test]
fn two_fours_in_one_line_are_an_open_four() {
    assert_eq!(freestyle("x.xAx.x"), Pattern::OpenFour);
    assert_eq!(standard("x.xAx.x"), Pattern::OpenFour);
    assert_eq!(freestyle("xx.AA.xx".replacen('A', "x", 1).as_str()), Pattern::OpenFour);
}

#[test]
fn a_three_with_room_is_open() {
    for row in ["xxA", "xAx", "Axx"] {
        assert_eq!(freestyle(row), Pattern::BroadThree, "{row}");
        assert_eq!(standard(row), Pattern::BroadThree, "{row}");
        assert_eq!(caro(row), Pattern::BroadThree, "{row}");
    }
    for row in ["xx.A", "x.xA", "xA.x", "A.xx"] {
        assert_eq!(freestyle(row), Pattern::OpenThree, "{row}");
        assert_eq!(standard(row), Pattern::OpenThree, "{row}");
    }
    assert_eq!(freestyle("o.xxA"), Pattern::OpenThree);
    assert_eq!(freestyle("|.xxA"), Pattern::OpenThree);
}

#[test]
fn a_three_without_room_is_not_open() {
    for row in ["o.xxA.o", "|.xAx.o", "oxxA", "|Axx", "oxx.A", "x.xAo"] {
        assert_eq!(freestyle(row), Pattern::Three, "{row}");
        assert_eq!(standard(row), Pattern::Three, "{row}");
    }
    assert_eq!(freestyle("oxxA.o"), Pattern::Dead);
}

#[test]
fn an_overline_in_the_making_is_no_threat_where_five_is_exact() {
    // The gap would make six.
    assert_eq!(freestyle("oxx.xxAo"), Pattern::Four);
    assert_eq!(standard("oxx.xxAo"), Pattern::Dead);
    // One end makes five, the other six.
    assert_eq!(freestyle("x.xxxA"), Pattern::OpenFour);
    assert_eq!(standard("x.xxxA"), Pattern::Four);
    // A three between two far stones: either four could only grow on one side.
    assert_eq!(freestyle("x..xxA..x"), Pattern::BroadThree);
    assert_eq!(standard("x.xxA.x".replacen('A', "xA", 1).as_str()), Pattern::Dead);
}

#[test]
fn a_four_that_can_only_become_a_closed_five_is_no_four_in_caro() {
    for row in ["oxxxA.o", "o.xxxAo", "oxx.xAo", "ox.xxAo"] {
        assert_eq!(caro(row), Pattern::Dead, "{row}");
        assert_eq!(standard(row), Pattern::Four, "{row}");
    }
    assert_eq!(caro("|xxxA.o"), Pattern::Four);
    assert_eq!(caro_with_edges("|xxxA.o"), Pattern::Dead);
    assert_eq!(caro_with_edges("|xxxA.."), Pattern::Four);
}

#[test]
fn one_stone_that_kills_both_fives_of_a_four_is_seen_in_caro() {
    for row in ["o.xxxA.o", "o.xxxA", "xAxx.o"] {
        assert_eq!(standard(row), Pattern::OpenFour, "{row}");
        assert_eq!(caro(row), Pattern::Four, "{row}");
    }
    assert_eq!(caro("|.xxxA"), Pattern::OpenFour);
    assert_eq!(caro_with_edges("|.xxxA"), Pattern::Four);
}

#[test]
fn a_three_that_makes_no_open_four_is_not_open_in_caro() {
    // The open fours of freestyle have an end that one stone closes here.
    assert_eq!(freestyle("o.xxA.."), Pattern::OpenThree);
    assert_eq!(caro("o.xxA..o"), Pattern::Three);
    assert_eq!(caro("o..xxA..o"), Pattern::Three);
    assert_eq!(caro("o...xxA"), Pattern::BroadThree);
}
