use super::*;
use crate::{Board, Options, PositionSpec};

fn engine(variant: &Variant) -> Engine {
    Engine::new(variant, &Options { hash: 1, ..Options::default() }).unwrap()
}

fn play(engine: &mut Engine, board: &Board, level: u8) -> Best {
    let player = Player::of_level(Level::find(level).unwrap());
    engine.play_as(board, &player, Limits::nodes(2000), &mut |_| ()).unwrap()
}

#[test]
fn a_higher_level_thinks_more_and_errs_less() {
    for (index, pair) in LEVELS.windows(2).enumerate() {
        assert_eq!(usize::from(pair[0].number), index + 1);
        assert!(pair[0].book_plies < pair[1].book_plies);
        assert!(pair[0].slip >= pair[1].slip && pair[0].oversight >= pair[1].oversight);
        assert!(pair[0].foresight <= pair[1].foresight);
        for variant in Variant::all() {
            assert!(pair[0].elo(&variant) < pair[1].elo(&variant), "{variant:?} {}", pair[0].number);
            assert_eq!(Level::of_elo(pair[1].elo(&variant), &variant), &pair[1]);
        }
    }
}

#[test]
fn full_strength_is_bounded_by_its_limits_alone() {
    let variant = Variant::find("caro").unwrap();
    let (master, full) = (LEVELS[8], LEVELS[9]);
    let nodes = |level: Level, limits| level.within(limits, &variant).nodes;
    let time = Limits::time(Duration::from_secs(10));
    assert_eq!((nodes(master, time), nodes(full, time)), (Some(master.nodes(&variant)), None));
    let many = Limits::nodes(2_000_000);
    assert_eq!((nodes(master, many), nodes(full, many)), (Some(master.nodes(&variant)), many.nodes));
    assert_eq!(nodes(full, Limits::default()), Some(full.nodes(&variant)));
}

#[test]
fn weak_levels_overlook_more_in_a_hurry() {
    let level = Level::find(3).unwrap();
    let within = |ms| level.oversight_within(Some(Duration::from_millis(ms)));
    assert!(within(100) > within(500) && within(500) > within(1000));
    assert_eq!(level.oversight_within(None), within(60_000));
}

#[test]
fn every_level_plays_legal_moves_in_every_game() {
    for variant in Variant::all() {
        let mut engine = engine(&variant);
        for level in 1..=8 {
            let mut board = Board::new(&variant);
            for _ in 0..4 {
                board.play(&play(&mut engine, &board, level).mv).unwrap();
            }
        }
    }
}

#[test]
fn weak_levels_play_sensible_moves_in_every_game() {
    for variant in Variant::all() {
        let mut engine = engine(&variant);
        for level in 1..=6 {
            let mut board = Board::new(&variant);
            while board.outcome().is_none() && board.moves().len() < 30 {
                let best = play(&mut engine, &board, level);
                assert!(board.glance().iter().any(|glance| glance.mv == best.mv), "{board:?} {}", best.mv);
                board.play(&best.mv).unwrap();
            }
        }
    }
}

#[test]
fn a_beginner_misses_wins_that_a_master_takes() {
    let variant = Variant::find("connect4").unwrap();
    let mut engine = engine(&variant);
    let board = Board::at(&variant, &PositionSpec::new(Some("435362"), &[])).unwrap();
    let mut wins = |level: u8| {
        (0..100).filter(|_| board.after(&play(&mut engine, &board, level).mv).unwrap().outcome().is_some()).count()
    };
    assert_eq!(wins(8), 100);
    let beginner = wins(1);
    assert!((40..100).contains(&beginner), "{beginner}");
}

#[test]
fn a_weak_level_knows_nothing_of_what_the_engine_knows() {
    let variant = Variant::find("freestyle").unwrap();
    let mut engine = engine(&variant);
    let board = Board::at(&variant, &PositionSpec::new(Some("h8 i9"), &[])).unwrap();
    let request = Request { limits: Limits::nodes(20_000), ..Request::new(&board) };
    engine.search(&request, &mut |_| ()).unwrap();
    let stores = engine.caches().search.counters.stores;
    play(&mut engine, &board, 9);
    assert_eq!(engine.caches().search.counters.stores, stores);
}

#[test]
fn the_options_say_who_plays() {
    let variant = Variant::find("othello").unwrap();
    let mut engine = engine(&variant);
    engine.set_option("Level", "1").unwrap();
    let board = Board::new(&variant);
    let request = Request { limits: Limits::nodes(100_000), ..Request::new(&board) };
    assert!(engine.play(&request, &mut |_| ()).unwrap().nodes < 2_000);
    engine.set_option("Level", "10").unwrap();
    assert!(engine.play(&request, &mut |_| ()).unwrap().nodes > 50_000);
    assert!(engine.set_option("Level", "11").is_err() && engine.set_option("Persona", "9").is_err());
}

#[test]
fn personas_choose_different_moves() {
    let variant = Variant::find("freestyle").unwrap();
    let mut engine = engine(&variant);
    let board = Board::at(&variant, &PositionSpec::new(Some("h8 i9 h10 h9 g9 i11 j10 g8"), &[])).unwrap();
    let mut attack = |name: &str| {
        let player = Player { persona: Persona::find(name), ..Player::of_level(&LEVELS[5]) };
        let moves = (0..30).map(|_| engine.play_as(&board, &player, Limits::default(), &mut |_| ()).unwrap().mv);
        let seen = board.glance();
        let of =
            |mv: String| seen.iter().find(|glance| glance.mv == mv).map_or(0, |glance| i32::from(glance.aggression));
        moves.map(of).sum::<i32>()
    };
    let (attacker, defender) = (attack("attacker"), attack("defender"));
    assert!(attacker > defender, "{attacker} {defender}");
}

#[test]
fn an_opponents_strength_sets_contempt() {
    let variant = Variant::find("chess").unwrap();
    let mut engine = engine(&variant);
    let board = Board::new(&variant);
    let request = Request { limits: Limits::nodes(500), ..Request::new(&board) };
    for (elo, sign) in [(800, 1), (3500, -1)] {
        engine.set_option("OpponentElo", &elo.to_string()).unwrap();
        engine.play(&request, &mut |_| ()).unwrap();
        assert_eq!(engine.option("contempt").unwrap().value.signum(), sign);
    }
}
