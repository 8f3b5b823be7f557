//! The oracle of the differential tests is itself tested here, rule by rule, on positions that a person can check.
//!
//! A scene is drawn from the top row down and filled up to a square with empty cells. Letters other than `x` and `o`
//! name empty cells.

use crate::naive::Naive;
use polyply_core::game::Outcome::{Draw, Win};
use polyply_core::game::Side::{self, First, Second};
use polyply_five::notation::{BoardSetup, Point, parse_moves};
use polyply_five::settings::Settings;
use proptest::prelude::*;
use std::collections::HashMap;

struct Scene {
    game: Naive,
    names: HashMap<char, Point>,
}

fn settings(variant: &str, size: usize, rules: &[(&str, &str)]) -> Settings {
    let rules: Vec<_> = rules.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect();
    Settings::new(variant, Some(size as u32), &rules).unwrap()
}

fn scene(variant: &str, rules: &[(&str, &str)], rows: &[&str], side: Side, captured: [u8; 2]) -> Scene {
    let size = rows.iter().map(|row| row.len()).chain([rows.len(), 5]).max().unwrap();
    let mut setup = BoardSetup { side, captured, ..BoardSetup::empty(size) };
    let mut names = HashMap::new();
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, sign) in row.chars().enumerate() {
            match sign {
                'x' => setup.cells[y * size + x] = Some(First),
                'o' => setup.cells[y * size + x] = Some(Second),
                '.' => {}
                name => assert!(names.insert(name, (x, y)).is_none()),
            }
        }
    }
    Scene { game: Naive::from_setup(settings(variant, size, rules), setup), names }
}

impl Scene {
    /// A single row with the first player to move.
    fn row(variant: &str, rules: &[(&str, &str)], row: &str) -> Scene {
        scene(variant, rules, &[row, "", ""], First, [0, 0])
    }

    fn is_legal(&self, name: char) -> bool {
        self.game.legal(self.names[&name])
    }

    fn play(mut self, name: char) -> Scene {
        self.game.play(self.names[&name]);
        self
    }

    /// The named cells where a move is legal.
    fn legal_names(&self) -> String {
        let mut legal: Vec<char> = self.names.keys().copied().filter(|&name| self.is_legal(name)).collect();
        legal.sort_unstable();
        legal.into_iter().collect()
    }
}

fn wins(variant: &str, rules: &[(&str, &str)], row: &str) -> bool {
    match Scene::row(variant, rules, row).play('A').game.outcome() {
        Some(Win(First)) => true,
        None => false,
        other => panic!("{row} ended as {other:?}"),
    }
}

const OPPONENT: [(&str, &str); 1] = [("blocked_ends", "opponent")];
const OPPONENT_OR_EDGE: [(&str, &str); 1] = [("blocked_ends", "opponent_or_edge")];
const ENDS_OFF: [(&str, &str); 1] = [("blocked_ends", "off")];

#[test]
fn five_wins_in_all_four_directions() {
    for rows in [
        [".......", ".......", ".......", ".xxAxx.", ".......", ".......", "......."],
        [".......", "...x...", "...x...", "...A...", "...x...", "...x...", "......."],
        [".......", ".x.....", "..x....", "...x...", "....A..", ".....x.", "......."],
        [".......", ".....x.", "....x..", "...A...", "..x....", ".x.....", "......."],
    ] {
        for variant in ["freestyle", "standard", "caro", "capture"] {
            let scene = scene(variant, &[], &rows, First, [0, 0]).play('A');
            assert_eq!(scene.game.outcome(), Some(Win(First)), "{variant} {rows:?}");
            assert!(scene.game.legal_moves().is_empty());
        }
    }
}

#[test]
fn four_wins_nothing() {
    for variant in ["freestyle", "standard", "caro", "capture"] {
        assert!(!wins(variant, &[], ".xxAx...."));
        assert!(!wins(variant, &[], ".xxAoxx.."));
        assert!(!wins(variant, &[], ".xxA.xx.."));
    }
}

#[test]
fn an_overline_wins_where_five_need_not_be_exact() {
    for row in [".xxxAxx..", "xxAxxxx..", "xxxxAxxxx"] {
        assert!(wins("freestyle", &[], row));
        assert!(wins("capture", &[], row));
        assert!(wins("caro", &[("exact_five", "false")], row));
        assert!(!wins("standard", &[], row));
        assert!(!wins("caro", &[], row));
    }
}

#[test]
fn an_overline_wins_whatever_its_ends() {
    for blocked_ends in ["off", "opponent", "opponent_or_edge"] {
        let rules = [("exact_five", "false"), ("blocked_ends", blocked_ends)];
        assert!(wins("caro", &rules, ".oxxxAxxo."));
        assert!(wins("caro", &rules, "xxxAxxo..."));
        assert_eq!(wins("caro", &rules, ".oxxxAxo.."), blocked_ends == "off");
    }
}

#[test]
fn a_five_closed_by_two_opponents_wins_only_without_the_rule() {
    for row in [".oxxAxxo..", ".oAxxxxo..", ".oxxxxAo.."] {
        assert!(wins("freestyle", &[], row));
        assert!(wins("standard", &[], row));
        assert!(wins("capture", &[], row));
        assert!(wins("caro", &ENDS_OFF, row));
        assert!(!wins("caro", &OPPONENT, row));
        assert!(!wins("caro", &OPPONENT_OR_EDGE, row));
        assert!(!wins("caro", &[], row));
    }
}

#[test]
fn the_edge_closes_only_where_it_is_said_to() {
    for row in ["xxAxxo....", "xxxxAo....", "....oAxxxx"] {
        assert!(wins("caro", &ENDS_OFF, row));
        assert!(wins("caro", &OPPONENT, row));
        assert!(!wins("caro", &OPPONENT_OR_EDGE, row));
    }
    // On a board of five both ends are edges.
    assert!(wins("caro", &OPPONENT, "xxAxx"));
    assert!(!wins("caro", &OPPONENT_OR_EDGE, "xxAxx"));
}

#[test]
fn one_open_end_is_enough() {
    for row in ["xxAxx.....", ".xxAxxo...", "..oxxxxA..", ".xxAxx.o..", ".....xxAxx"] {
        assert!(wins("caro", &OPPONENT, row));
        assert!(wins("caro", &OPPONENT_OR_EDGE, row));
    }
}

#[test]
fn the_ends_of_a_row_are_those_of_the_final_run() {
    // The gap is filled: what counts is the run that comes out, and its own ends.
    assert!(!wins("caro", &OPPONENT, ".oxAxxxo.."));
    assert!(wins("caro", &OPPONENT, "o.xxxAx.o."));
    assert!(wins("caro", &OPPONENT, ".o.xxxAxo."));
    assert!(!wins("caro", &OPPONENT, ".oxxxAxxo."), "six");
    assert!(!wins("standard", &[], "..xxxAxx.."), "six");
    assert!(wins("standard", &[], "x.xxxAx.x."), "five between gaps");
}

#[test]
fn a_closed_five_stays_a_non_win() {
    let scene = Scene::row("caro", &OPPONENT, "B.oxxAxxo.C");
    let scene = scene.play('A').play('B').play('C');
    assert_eq!(scene.game.outcome(), None);
    assert!(!scene.game.legal_moves().is_empty());
}

#[test]
fn the_second_five_through_the_stone_wins_when_the_first_is_closed() {
    let rows = [".....x..", ".....x..", ".....x..", ".....x..", "oxxxxAo.", "........", "........", "........"];
    let scene = scene("caro", &OPPONENT, &rows, First, [0, 0]).play('A');
    assert_eq!(scene.game.outcome(), Some(Win(First)));
}

#[test]
fn the_second_player_wins_the_same_way() {
    let scene = scene("caro", &OPPONENT, &[".ooAoox..", "xx.xx....", "xx.......", "", "", ""], Second, [0, 0]);
    assert_eq!(scene.play('A').game.outcome(), Some(Win(Second)));
}

#[test]
fn only_capture_gomoku_captures() {
    for variant in ["freestyle", "standard", "caro"] {
        let game = Scene::row(variant, &[], ".xooA....").play('A').game;
        assert!(game.taken.is_empty());
        assert_eq!(game.setup.captured, [0, 0]);
    }
}

#[test]
fn a_pair_is_captured_and_its_cells_are_free_again() {
    let mut game = Scene::row("capture", &[], ".xooA....").play('A').game;
    assert_eq!(game.setup.text(), "9/9/9/9/9/9/1x2x4/9/9 o 2 0");
    let freed = game.taken[0];
    assert!(game.legal(freed));
    game.play(freed);
    assert_eq!(game.setup.at(freed), Some(Second));
    assert_eq!(game.setup.captured, [2, 0]);
}

#[test]
fn never_one_and_never_three() {
    for row in [".xoA.....", ".xoooA...", ".xo.oA...", ".x.ooA...", ".ooA.....", "ooA......", ".oooA...."] {
        let game = Scene::row("capture", &[], row).play('A').game;
        assert!(game.taken.is_empty(), "{row}");
        assert_eq!(game.setup.captured, [0, 0]);
    }
}

#[test]
fn several_pairs_are_captured_at_once() {
    let rows = ["x..x..x", ".o.o.o.", "..ooo..", "xooAoox", "..ooo..", ".o.o.o.", "x..x..x"];
    let game = scene("capture", &[("stones_to_win", "20")], &rows, First, [0, 2]).play('A').game;
    assert_eq!(game.taken.len(), 16);
    assert_eq!(game.setup.captured, [16, 2]);
    assert_eq!(game.outcome(), None);
}

#[test]
fn placing_between_two_enemies_is_safe() {
    let game = scene("capture", &[], &["..xoAx...", "x.x......"], Second, [0, 0]).play('A').game;
    assert!(game.taken.is_empty());
    assert_eq!(game.setup.captured, [0, 0]);
}

#[test]
fn five_pairs_win_at_once() {
    for (before, outcome) in [(8, Some(Win(First))), (6, None)] {
        let scene = scene("capture", &[], &[".xooA....", "o........", ""], First, [before, 8]);
        assert_eq!(scene.play('A').game.outcome(), outcome);
    }
    let scene = scene("capture", &[("stones_to_win", "4")], &[".xooA....", ""], First, [2, 0]);
    assert_eq!(scene.play('A').game.outcome(), Some(Win(First)));
}

#[test]
fn captured_stones_win_also_when_two_pairs_go_beyond_ten() {
    let scene = scene("capture", &[], &["xooAoox..", ""], First, [8, 8]).play('A');
    assert_eq!(scene.game.setup.captured, [12, 8]);
    assert_eq!(scene.game.outcome(), Some(Win(First)));
}

/// The first player's five at `A` has one stone in a pair that the second player takes from `B`. `C` and `D` are elsewhere.
const BREAKABLE: [&str; 9] = [
    ".........",
    "..B...C..",
    "..x......",
    "xxxxA....",
    "..o......",
    ".........",
    ".........",
    "......D..",
    ".........",
];

#[test]
fn a_five_that_cannot_be_broken_wins_at_once() {
    let unbreakable = BREAKABLE.map(|row| if row == "..o......" { "........." } else { row });
    let game = scene("capture", &[], &unbreakable, First, [0, 0]).play('A').game;
    assert_eq!(game.outcome(), Some(Win(First)));
}

#[test]
fn a_five_that_can_be_broken_waits_for_the_answer() {
    for reading in ["free", "forced"] {
        let game = scene("capture", &[("breakable_five", reading)], &BREAKABLE, First, [0, 0]).play('A').game;
        assert_eq!(game.outcome(), None);
        assert_eq!(game.standing, Some(First));
    }
}

#[test]
fn a_broken_five_is_no_win_and_play_goes_on() {
    for reading in ["free", "forced"] {
        let scene = scene("capture", &[("breakable_five", reading)], &BREAKABLE, First, [0, 0]).play('A').play('B');
        assert_eq!(scene.game.outcome(), None);
        assert_eq!(scene.game.standing, None);
        assert_eq!(scene.game.setup.captured, [0, 2]);
        assert!(scene.is_legal('C'));
        // The gap is filled again, and now nothing can break the five.
        let mut game = scene.game;
        game.play((2, 5));
        assert_eq!(game.outcome(), Some(Win(First)));
    }
}

#[test]
fn the_free_answer_may_be_anything_but_a_five_left_standing_wins() {
    let scene = scene("capture", &[], &BREAKABLE, First, [0, 0]).play('A');
    assert_eq!(scene.legal_names(), "BCD");
    assert_eq!(scene.play('C').game.outcome(), Some(Win(First)));
}

#[test]
fn the_forced_answer_must_break() {
    let scene = scene("capture", &[("breakable_five", "forced")], &BREAKABLE, First, [0, 0]).play('A');
    assert_eq!(scene.game.legal_moves(), [scene.names[&'B']]);
}

#[test]
fn a_six_that_still_holds_five_stands() {
    let pair_at_the_end = ["B........", "x........", "xxxxAx...", "o........", "........."];
    let scene_at_the_end = scene("capture", &[], &pair_at_the_end, First, [0, 0]);
    assert_eq!(scene_at_the_end.play('A').game.outcome(), Some(Win(First)), "five are left");
    let pair_in_the_middle = ["..B......", "..x......", "xxxxAx...", "..o......", "........."];
    let scene_in_the_middle = scene("capture", &[], &pair_in_the_middle, First, [0, 0]).play('A');
    assert_eq!(scene_in_the_middle.game.standing, Some(First), "less than five would be left");
    assert_eq!(scene_in_the_middle.play('B').game.outcome(), None);
}

#[test]
fn a_five_is_not_broken_along_its_own_line() {
    assert!(wins("capture", &[], "oxxxxA..."));
}

#[test]
fn a_capture_elsewhere_does_not_break() {
    let rows = ["xxxxA....", ".........", "oxxB.....", ".........", "........."];
    assert_eq!(scene("capture", &[], &rows, First, [0, 6]).play('A').game.outcome(), Some(Win(First)));
}

#[test]
fn with_eight_captured_any_pair_answers_a_five() {
    let rows = ["xxxxA....", "......C..", "oxxB.....", ".........", "........."];
    for reading in ["free", "forced"] {
        let scene = scene("capture", &[("breakable_five", reading)], &rows, First, [0, 8]).play('A');
        assert_eq!(scene.game.outcome(), None);
        assert_eq!(scene.legal_names(), if reading == "free" { "BC" } else { "B" });
        assert_eq!(scene.play('B').game.outcome(), Some(Win(Second)), "the five stands, but ten stones win at once");
    }
    let scene = scene("capture", &[], &rows, First, [0, 8]).play('A').play('C');
    assert_eq!(scene.game.outcome(), Some(Win(First)));
}

#[test]
fn with_six_captured_two_pairs_at_once_answer_a_five() {
    let rows = ["xxxxA....", ".........", "oxxBxxo..", ".........", "........."];
    let scene = scene("capture", &[], &rows, First, [0, 6]).play('A');
    assert_eq!(scene.game.standing, Some(First));
    assert_eq!(scene.play('B').game.outcome(), Some(Win(Second)));
}

#[test]
fn the_first_five_stands_before_the_second() {
    let rows =
        [".........", "..B......", "..x......", "xxxxA....", "..o......", "ooooC....", ".........", ".........", "."];
    let free = scene("capture", &[], &rows, First, [0, 0]).play('A');
    assert_eq!(free.legal_names(), "BC");
    assert_eq!(free.play('C').game.outcome(), Some(Win(First)));
    let forced = scene("capture", &[("breakable_five", "forced")], &rows, First, [0, 0]).play('A');
    assert_eq!(forced.legal_names(), "B", "an own five is no answer");
}

#[test]
fn an_answer_that_breaks_and_makes_a_five_wins() {
    let rows =
        [".........", "..Boooo..", "..x......", "xxxxA....", "..o......", ".........", ".........", ".........", "."];
    let scene = scene("capture", &[], &rows, First, [0, 0]).play('A').play('B');
    assert_eq!(scene.game.outcome(), Some(Win(Second)));
}

#[test]
fn an_answer_that_breaks_may_make_a_five_that_can_be_broken() {
    let rows =
        ["......x..", "..Boooo..", "..x...o..", "xxxxA.C..", "..o......", ".........", ".........", ".........", "."];
    let scene = scene("capture", &[], &rows, First, [0, 0]).play('A').play('B');
    assert_eq!((scene.game.outcome(), scene.game.standing), (None, Some(Second)));
    let scene = scene.play('C');
    assert_eq!((scene.game.outcome(), scene.game.standing), (None, None));
}

#[test]
fn two_fives_at_once_must_both_be_broken() {
    let fives = |rows: [&str; 9]| scene("capture", &[], &rows, First, [0, 0]).play('A');
    let one =
        fives(["....x....", "....x....", ".B..x....", ".x..x....", "xxxxA....", ".o.......", "........", ".", "."]);
    assert_eq!(one.game.outcome(), Some(Win(First)), "a stone of one of them can be taken");
    let shared =
        fives(["....x....", "....x....", "....x....", "...ox....", "xxxxA....", ".....x...", "......B..", ".", "."]);
    assert_eq!(shared.game.standing, Some(First), "the stone of both can be taken");
    assert_eq!(shared.play('B').game.outcome(), None);
    let one_of_each =
        fives(["....x....", "....x....", "....xB...", "....x....", "xxxxA....", "..o......", "........", ".", "."]);
    assert_eq!(one_of_each.game.standing, Some(First), "a stone of each can be taken at once");
    assert_eq!(one_of_each.play('B').game.outcome(), None);
}

#[test]
fn a_five_that_captures_the_breaker_wins() {
    let breaker = ["...B.....", "...x.....", "xxxAx....", "...o.....", ".........", "........."];
    assert_eq!(scene("capture", &[], &breaker, First, [0, 0]).play('A').game.standing, Some(First));
    let captured = ["...B.....", "...x.....", "xxxAx....", "...o.....", "...o.....", "...x....."];
    let scene = scene("capture", &[], &captured, First, [0, 0]).play('A');
    assert_eq!(scene.game.setup.captured, [2, 0]);
    assert_eq!(scene.game.outcome(), Some(Win(First)));
}

#[test]
fn ten_stones_win_before_a_five_is_judged() {
    let rows = ["....B....", "....x....", "xxxxAoox.", "....o....", "........."];
    assert_eq!(scene("capture", &[], &rows, First, [6, 0]).play('A').game.standing, Some(First));
    assert_eq!(scene("capture", &[], &rows, First, [8, 0]).play('A').game.outcome(), Some(Win(First)));
}

#[test]
fn the_length_of_a_winning_row_is_a_choice() {
    assert!(wins("capture", &[("win_length", "3")], "..xAx...."));
    assert!(wins("capture", &[("win_length", "4")], ".xxAx...."));
    assert!(!wins("capture", &[("win_length", "6")], ".xxAxx..."));
    assert!(wins("capture", &[("win_length", "6")], ".xxAxxx.."));
}

/// A move at `A` makes two free threes.
const DOUBLE_THREE: [&str; 9] = [
    ".........",
    "....x....",
    "....x....",
    ".xx.A....",
    ".........",
    ".........",
    ".o.o.o.o.",
    ".........",
    ".........",
];

#[test]
fn a_double_three_is_illegal() {
    let scene = scene("capture", &[], &DOUBLE_THREE, First, [0, 0]);
    assert!(!scene.is_legal('A'));
    assert!(!scene.game.legal_moves().contains(&scene.names[&'A']));
}

#[test]
fn a_double_three_binds_the_colours_it_is_set_for() {
    let swapped = DOUBLE_THREE.map(|row| row.replace('x', "?").replace('o', "x").replace('?', "o"));
    let swapped: Vec<&str> = swapped.iter().map(String::as_str).collect();
    for (bound, first, second) in
        [("off", true, true), ("first", false, true), ("second", true, false), ("both", false, false)]
    {
        let rules = [("double_three", bound)];
        assert_eq!(scene("capture", &rules, &DOUBLE_THREE, First, [0, 0]).is_legal('A'), first, "{bound}");
        assert_eq!(scene("capture", &rules, &swapped, Second, [0, 0]).is_legal('A'), second, "{bound}");
    }
}

#[test]
fn only_capture_gomoku_forbids_a_double_three() {
    for variant in ["freestyle", "standard", "caro"] {
        assert!(scene(variant, &[], &DOUBLE_THREE, First, [0, 0]).is_legal('A'));
    }
}

#[test]
fn a_double_three_that_captures_is_legal() {
    let rows = DOUBLE_THREE.map(|row| match row {
        ".xx.A...." => ".xx.Aoox.",
        other => other,
    });
    // The captured pair leaves the line open: the three in the row is free after the move, and legal.
    let scene = scene("capture", &[], &rows, First, [0, 0]);
    assert!(scene.is_legal('A'));
    let game = scene.play('A').game;
    assert_eq!(game.setup.captured, [2, 0]);
    assert_eq!(game.free_threes((4, 5)), 2);
}

/// How many free threes a row has through `A` once it is filled.
fn threes(row: &str) -> usize {
    let scene = Scene::row("capture", &[("double_three", "off")], row).play('A');
    scene.game.free_threes(scene.game.last.unwrap())
}

#[test]
fn free_threes_are_solid_or_have_one_gap() {
    for row in ["...xxA...", "...xAx...", "..xx.A...", "..x.Ax...", "..A.xx...", "..xA.x..."] {
        assert_eq!(threes(row), 1, "{row}");
    }
    for row in ["...xA....", "..x.x.A..", "..xx..A..", "...xxAx..", "..xxAxx..", "....A...."] {
        assert_eq!(threes(row), 0, "{row}");
    }
}

#[test]
fn a_three_is_free_only_if_it_can_become_an_open_four() {
    for row in [".xxA.....", "..xxA.o..", "o..xxA.o.", "..x.xA.o.", "o.x.xA.o.", "o.xx.A.o."] {
        assert_eq!(threes(row), 1, "{row}");
    }
    for row in [".oxxA....", "xxA......", ".o.xxA.o.", ".xxA.o...", "ox.xA....", "x.xA....."] {
        assert_eq!(threes(row), 0, "{row}");
    }
}

#[test]
fn what_lies_beyond_the_ends_does_not_matter_to_a_three() {
    assert_eq!(threes("x..xxA..o"), 1);
    assert_eq!(threes("..x.xxA.."), 1, "a four with a gap, and a free three besides");
    assert_eq!(threes(".xx.A.xx."), 1, "two threes in one direction count once");
}

#[test]
fn two_threes_in_one_direction_are_no_double_three() {
    assert!(Scene::row("capture", &[], ".xx.A.xx.").is_legal('A'));
}

#[test]
fn a_three_that_was_there_before_does_not_count() {
    let rows = [".........", ".xxx.....", ".........", ".....xx.A", ".........", ".....xxB.", ".........", "", ""];
    let scene = scene("capture", &[], &rows, First, [0, 0]);
    assert!(scene.is_legal('A') && scene.is_legal('B'));
}

#[test]
fn a_three_and_a_four_are_no_double_three() {
    let rows = [".........", "....x....", "....x....", ".xxxA....", ".........", ".........", ".........", "", ""];
    assert!(scene("capture", &[], &rows, First, [0, 0]).is_legal('A'));
}

#[test]
fn a_double_three_is_illegal_even_if_it_makes_a_five() {
    let rows =
        [".........", ".........", "....x.x..", "....xx...", "..xxA....", "....x....", "....x....", ".........", "."];
    assert!(!scene("capture", &[], &rows, First, [0, 0]).is_legal('A'));
    let single = rows.map(|row| if row == "..xxA...." { "...xA...." } else { row });
    assert_eq!(scene("capture", &[], &single, First, [0, 0]).play('A').game.outcome(), Some(Win(First)));
}

#[test]
fn a_full_board_is_a_draw() {
    let rows = ["xxoxx", "ooxoo", "xxoxx", "ooxoo", "xxoxA"];
    for variant in ["freestyle", "standard", "caro", "capture"] {
        let game = scene(variant, &[], &rows, First, [0, 0]).play('A').game;
        assert_eq!(game.outcome(), Some(Draw));
        assert!(game.legal_moves().is_empty());
    }
}

#[test]
fn the_last_stone_of_a_full_board_can_win() {
    let rows = ["xxoox", "ooxxx", "xxoox", "ooxxx", "xxooA"];
    assert_eq!(scene("freestyle", &[], &rows, First, [0, 0]).play('A').game.outcome(), Some(Win(First)));
}

#[test]
fn the_last_stone_of_a_full_board_can_capture_and_play_goes_on() {
    let rows = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxooA"];
    let game = scene("capture", &[], &rows, First, [0, 0]).play('A').game;
    assert_eq!(game.outcome(), None);
    assert_eq!(game.legal_moves().len(), game.taken.len());
}

#[test]
fn a_board_that_is_set_up_is_judged() {
    let outcome = |variant, rows: &[&str], side| scene(variant, &[], rows, side, [0, 0]).game.outcome();
    assert_eq!(outcome("freestyle", &[".xxxxx..."], Second), Some(Win(First)));
    assert_eq!(outcome("caro", &[".oxxxxxo."], Second), None);
    assert_eq!(outcome("standard", &[".xxxxxx.."], Second), None);
    assert_eq!(outcome("capture", &[".xxxxx..."], First), Some(Win(First)));
    let breakable = BREAKABLE.map(|row| row.replace('A', "x"));
    let breakable: Vec<&str> = breakable.iter().map(String::as_str).collect();
    assert_eq!(outcome("capture", &breakable, First), Some(Win(First)));
    let waiting = scene("capture", &[], &breakable, Second, [0, 0]).game;
    assert_eq!((waiting.outcome(), waiting.standing), (None, Some(First)));
}

fn after(variant: &str, size: usize, rules: &[(&str, &str)], moves: &str) -> Naive {
    let mut game = Naive::new(settings(variant, size, rules));
    for point in parse_moves(moves, size).unwrap() {
        game.play(point);
    }
    game
}

#[test]
fn the_open_rule_keeps_the_third_stone_away() {
    assert_eq!(after("caro", 15, &[], "").legal_moves().len(), 225);
    assert_eq!(after("caro", 15, &[], "h8").legal_moves().len(), 224);
    let third = after("caro", 15, &[], "h8 i9");
    assert_eq!(third.legal_moves().len(), 225 - 25);
    assert!(third.legal((10, 8)) && third.legal((4, 4)));
    assert!(!third.legal((9, 9)) && !third.legal((5, 7)));
    assert_eq!(after("caro", 15, &[], "h8 i9 k8").legal_moves().len(), 222);
    assert_eq!(after("caro", 15, &[("opening", "none")], "h8 i9").legal_moves().len(), 223);
}

#[test]
fn pro_begins_in_the_centre_and_goes_on_outside() {
    let pro = [("opening", "pro")];
    let long_pro = [("opening", "long_pro")];
    assert_eq!(after("freestyle", 15, &pro, "").legal_moves(), [(7, 7)]);
    assert_eq!(after("freestyle", 15, &pro, "h8 i9").legal_moves().len(), 225 - 25);
    assert_eq!(after("freestyle", 15, &long_pro, "h8 i9").legal_moves().len(), 225 - 49);
    assert_eq!(after("capture", 19, &long_pro, "j10 a1").legal_moves().len(), 361 - 49 - 1);
}

fn symmetric((x, y): Point, symmetry: usize, size: usize) -> Point {
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (size - 1 - x, y) };
    let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, size - 1 - y) };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

fn a_rule_set() -> impl Strategy<Value = Settings> {
    let rules: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("freestyle", vec![("opening", "long_pro")]),
        ("standard", vec![]),
        ("caro", vec![]),
        ("caro", vec![("blocked_ends", "opponent"), ("exact_five", "false")]),
        ("capture", vec![]),
        ("capture", vec![("win_length", "4"), ("breakable_five", "forced")]),
        ("capture", vec![("win_length", "3"), ("stones_to_win", "20"), ("opening", "pro")]),
    ];
    (5..=9usize, prop::sample::select(rules)).prop_map(|(size, (variant, rules))| settings(variant, size, &rules))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_games_keep_their_books_and_look_the_same_from_all_sides(
        settings in a_rule_set(),
        symmetry in 1..8usize,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 120),
    ) {
        let size = settings.size;
        let mut game = Naive::new(settings);
        let mut image = Naive::new(settings);
        for (moves, choice) in choices.iter().enumerate() {
            let legal = game.legal_moves();
            let mut images: Vec<Point> = legal.iter().map(|&point| symmetric(point, symmetry, size)).collect();
            images.sort_unstable_by_key(|&(x, y)| (y, x));
            prop_assert_eq!(image.legal_moves(), images);
            prop_assert_eq!(image.outcome(), game.outcome());
            prop_assert_eq!(legal.is_empty(), game.outcome().is_some());
            let stones = game.setup.cells.iter().flatten().count();
            let captured: usize = game.setup.captured.iter().map(|&stones| usize::from(stones)).sum();
            prop_assert_eq!(stones + captured, moves);
            prop_assert!(captured.is_multiple_of(2));
            let judged = Naive::from_setup(settings, game.setup.clone());
            prop_assert_eq!((judged.outcome(), judged.standing), (game.outcome(), game.standing));
            if legal.is_empty() {
                break;
            }
            let point = *choice.get(&legal);
            game.play(point);
            image.play(symmetric(point, symmetry, size));
        }
    }
}
