//! The fast board against the oracle, move by move, under every rule of the family.

use crate::naive::Naive;
use crate::tactics::{CARO, Events, cell, lively_move, point, rounds, row_lengths, settings};
use polyply_core::game::{Game, MoveList, Notation, Outcome, Side};
use polyply_core::random::Random;
use polyply_five::Five;
use polyply_five::notation::{BoardSetup, Point};
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::Settings;

/// Games on large boards end here if nothing else ends them.
const LONGEST: usize = 180;

fn legal<R: Rule>(fast: &Five<R>) -> Vec<Point> {
    let mut moves = MoveList::new();
    fast.moves(&mut moves);
    let mut points: Vec<Point> = moves.into_iter().map(point).collect();
    points.sort_unstable_by_key(|&(x, y)| (y, x));
    points
}

fn assert_same<R: Rule>(fast: &Five<R>, naive: &Naive, legal_moves: &[Point]) {
    let text = naive.setup.text();
    assert_eq!(fast.text(), text);
    assert_eq!(fast.outcome(), naive.outcome(), "{text}\n{:?}", naive.settings);
    assert_eq!(legal(fast), legal_moves, "{text}\n{:?}", naive.settings);
    assert_eq!(fast.captures(), naive.setup.captured, "{text}");
    assert_eq!(fast.breakable_five().is_some(), naive.standing.is_some(), "{text}\n{:?}", naive.settings);
    assert_eq!(fast.check(), Ok(()), "{text}");
}

/// One game there and back again.
fn play<R: Rule>(settings: Settings, random: &mut Random, events: &mut Events) {
    let (mut fast, mut naive) = (Five::<R>::new(settings), Naive::new(settings));
    let mut line = Vec::new();
    for _ in 0..LONGEST {
        let legal = naive.legal_moves();
        assert_same(&fast, &naive, &legal);
        let read = fast.parse(&fast.text()).unwrap();
        assert_same(&read, &naive, &legal);
        let Some(chosen) = lively_move(&naive, &legal, random) else { break };
        let before = naive.clone();
        line.push((cell(chosen), fast.key(), before.setup.text(), fast.play(cell(chosen), &mut ())));
        naive.play(chosen);
        note(&before, &naive, &legal, events);
    }
    while let Some((cell, key, text, undo)) = line.pop() {
        fast.undo(cell, undo, &mut ());
        assert_eq!((fast.key(), fast.text(), fast.outcome()), (key, text, None));
        assert_eq!(fast.check(), Ok(()), "after taking back: {}", fast.text());
    }
    assert_eq!(fast.stones(), 0);
}

/// Counts what the last move brought about.
fn note(before: &Naive, after: &Naive, legal: &[Point], events: &mut Events) {
    let maker = before.side();
    let empty = before.setup.cells.iter().filter(|cell| cell.is_none()).count();
    let longest = row_lengths(&after.setup, after.last.unwrap(), maker).into_iter().max().unwrap();
    let length = after.settings.win_length;
    events.count("move");
    if after.taken.len() >= 2 {
        events.count("capture");
    }
    if after.taken.len() >= 4 {
        events.count("several pairs captured at once");
    }
    if before.standing.is_some() {
        events.count(if after.outcome() == Some(Outcome::Win(maker.other())) { "five left" } else { "five broken" });
    } else if legal.len() < empty && empty + 3 < before.setup.cells.len() {
        events.count("double three forbidden");
    }
    match after.outcome() {
        Some(Outcome::Win(winner)) if winner == maker => events.count(match longest {
            _ if longest < length => "win by captures",
            _ if longest == length => "win by five",
            _ => "win by overline",
        }),
        Some(Outcome::Draw) => events.count("draw"),
        None if after.standing.is_some() => events.count("breakable five"),
        None if longest == length => events.count("five that does not win"),
        None if longest > length => events.count("overline that does not win"),
        _ => {}
    }
}

/// So many games on each of the boards.
fn games<R: Rule>(rules: &[(&str, &str)], boards: &[(usize, usize)]) -> Events {
    let mut events = Events::default();
    for &(size, games) in boards {
        let settings = settings(R::KIND.name(), size, rules);
        let mut random = Random::new(settings.fingerprint());
        for _ in 0..rounds(games) {
            play::<R>(settings, &mut random, &mut events);
        }
    }
    events
}

const BOARDS: [(usize, usize); 6] = [(5, 300), (7, 300), (9, 200), (15, 6), (19, 3), (22, 2)];

#[test]
fn freestyle_is_played_as_the_oracle_says() {
    let mut events = games::<Freestyle>(&[], &BOARDS);
    events.add(games::<Freestyle>(&[("opening", "long_pro")], &[(5, 5), (6, 5), (9, 5)]));
    events.assert_at_least(&[("win by five", 300), ("win by overline", 5), ("draw", 100)]);
}

#[test]
fn standard_is_played_as_the_oracle_says() {
    let mut events = games::<Standard>(&[], &BOARDS);
    events.add(games::<Standard>(&[("opening", "pro")], &[(5, 5), (6, 5), (9, 5)]));
    events.assert_at_least(&[("win by five", 300), ("overline that does not win", 5), ("draw", 100)]);
}

#[test]
fn caro_is_played_as_the_oracle_says() {
    let mut events = Events::default();
    for rules in CARO {
        events.add(games::<Caro>(&rules, &[(5, 80), (7, 80), (9, 60), (15, 2), (19, 1)]));
    }
    events.add(games::<Caro>(&[("opening", "none")], &[(6, 50), (8, 50), (22, 2)]));
    events.assert_at_least(&[
        ("win by five", 500),
        ("win by overline", 5),
        ("overline that does not win", 5),
        ("five that does not win", 100),
        ("draw", 200),
    ]);
}

fn capture(breakable_five: &str) {
    let mut events = Events::default();
    let mut large = [15, 19, 22].into_iter().cycle();
    for double_three in ["off", "first", "second", "both"] {
        for win_length in ["4", "5", "6"] {
            for stones_to_win in ["6", "10"] {
                let rules = [
                    ("breakable_five", breakable_five),
                    ("double_three", double_three),
                    ("win_length", win_length),
                    ("stones_to_win", stones_to_win),
                ];
                let small = if win_length == "6" { 6 } else { 5 };
                events.add(games::<Capture>(&rules, &[(small, 8), (7, 12), (9, 10)]));
                if double_three == "both" || double_three == "first" {
                    events.add(games::<Capture>(&rules, &[(large.next().unwrap(), 1)]));
                }
            }
        }
    }
    events.assert_at_least(&[
        ("capture", 1000),
        ("several pairs captured at once", 30),
        ("win by captures", 80),
        ("win by five", 150),
        ("win by overline", 5),
        ("breakable five", 100),
        ("five broken", 15),
        ("double three forbidden", 50),
    ]);
    if breakable_five == "free" {
        events.assert_at_least(&[("five left", 50)]);
    }
}

#[test]
fn capture_with_free_answers_is_played_as_the_oracle_says() {
    capture("free");
}

#[test]
fn capture_with_forced_answers_is_played_as_the_oracle_says() {
    capture("forced");
}

/// A board that no game need lead to: stones anywhere, rows of some length among them, some stones captured.
fn any_board(settings: &Settings, random: &mut Random) -> BoardSetup {
    let sides = [Side::First, Side::Second];
    let size = settings.size;
    let mut setup = BoardSetup { side: sides[random.below(2)], ..BoardSetup::empty(size) };
    let density = random.below(70);
    for cell in &mut setup.cells {
        *cell = (random.below(100) < density).then(|| sides[random.below(2)]);
    }
    if random.below(2) == 0 {
        let (owner, length) = (sides[random.below(2)], 1 + random.below(size));
        let (from, across) = (random.below(size - length + 1), random.below(size));
        let upright = random.below(2) == 0;
        for along in from..from + length {
            setup.cells[if upright { along * size + across } else { across * size + along }] = Some(owner);
        }
    }
    if random.below(4) == 0 {
        // Hardly a stone: this is where opening rules bind.
        setup.cells.fill(None);
        for _ in 0..random.below(4) {
            setup.cells[random.below(size * size)] = Some(sides[random.below(2)]);
        }
    }
    if settings.capture.is_some() {
        setup.captured = [0; 2].map(|_: u8| [0, 2, 4, 8, 10][random.below(5)]);
    }
    setup
}

fn set_up<R: Rule>(rules: &[(&str, &str)]) {
    let mut events = Events::default();
    let mut random = Random::new(rules.len() as u64);
    for _ in 0..rounds(600) {
        let settings = settings(R::KIND.name(), 6 + random.below(5), rules);
        let setup = any_board(&settings, &mut random);
        match Five::<R>::new(settings).parse(&setup.text()) {
            Err(_) => events.count("impossible"),
            Ok(fast) => {
                let naive = Naive::from_setup(settings, setup);
                assert_same(&fast, &naive, &naive.legal_moves());
                events.count(match naive.outcome() {
                    Some(Outcome::Win(winner)) if winner == naive.side() => "won",
                    Some(Outcome::Win(_)) => "lost",
                    Some(_) => "drawn",
                    None if naive.standing.is_some() => "breakable five",
                    None => "open",
                });
            }
        }
    }
    events.assert_at_least(&[("open", 50), ("won", 5), ("lost", 5)]);
    if R::CAPTURES {
        events.assert_at_least(&[("breakable five", 5)]);
    }
}

#[test]
fn boards_that_are_set_up_are_judged_as_the_oracle_says() {
    set_up::<Freestyle>(&[("opening", "long_pro")]);
    set_up::<Standard>(&[("opening", "pro")]);
    for rules in CARO {
        set_up::<Caro>(&rules);
    }
    set_up::<Capture>(&[("opening", "pro")]);
    set_up::<Capture>(&[("win_length", "4"), ("breakable_five", "forced"), ("opening", "open")]);
}
