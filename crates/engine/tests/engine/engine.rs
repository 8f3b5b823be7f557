//! The engine through its door: searches, solving, options, caches, snapshots.

use polyply_engine::swap::{Role, Swap, SwapChoice};
use polyply_engine::{
    Board, Bound, Engine, EngineError, IdleThread, Limits, OptionKind, Options, Outcome, PositionSpec, Request, Score,
    Share, Side, Variant, bench,
};
use std::time::Duration;

fn engine(variant: &str) -> Engine {
    let options = Options { hash: 1, ..Options::default() };
    Engine::new(&Variant::find(variant).unwrap(), &options).unwrap()
}

fn board(variant: &str, position: Option<&str>, moves: &[&str]) -> Board {
    Board::at(&Variant::find(variant).unwrap(), &PositionSpec::new(position, moves)).unwrap()
}

/// A search of Connect Four.
fn to_depth(depth: i32, position: Option<&str>, moves: &[&str]) -> Request {
    Request { limits: Limits::depth(depth), ..Request::new(&board("connect4", position, moves)) }
}

#[test]
fn a_search_answers_in_text_from_the_first_players_side() {
    let mut engine = engine("connect4");
    // The second player to move can't stop the first on both sides.
    let mut last = None;
    let best =
        engine.search(&to_depth(6, Some("44"), &["5", "e", "6"]), &mut |info| last = Some(info.clone())).unwrap();
    assert_eq!(best.score(), Some(Score::Win(2)));
    assert_eq!(best.lines[0].bound, Bound::Exact);
    assert!(["c", "g"].contains(&best.mv.as_str()));
    let last = last.unwrap();
    assert_eq!((last.multipv, last.score, &last.line[0]), (1, Score::Win(2), &best.mv));
}

#[test]
fn as_many_lines_come_as_were_asked_for_and_only_the_moves_that_were() {
    let mut engine = engine("connect4");
    engine.set_option("multipv", "3").unwrap();
    assert_eq!(engine.search(&to_depth(4, None, &[]), &mut |_| ()).unwrap().lines.len(), 3);
    let request = Request { multipv: Some(2), ..to_depth(4, None, &[]) };
    assert_eq!(engine.search(&request, &mut |_| ()).unwrap().lines.len(), 2);
    let request = Request { search_moves: vec!["a".into()], ..to_depth(4, None, &[]) };
    assert_eq!(engine.search(&request, &mut |_| ()).unwrap().mv, "a");
}

#[test]
fn what_cannot_be_searched_is_refused_in_a_sentence() {
    let mut engine = engine("connect4");
    let mut error = |request: &Request| engine.search(request, &mut |_| ()).unwrap_err();
    let at = |position, moves| {
        Board::at(&Variant::find("connect4").unwrap(), &PositionSpec::new(position, moves)).unwrap_err()
    };
    assert!(matches!(at(Some("9"), &[]), EngineError::Position { .. }));
    assert!(matches!(at(None, &["a", "z"]), EngineError::Move { text, .. } if text == "z"));
    assert!(matches!(error(&Request::new(&board("tictactoe", None, &[]))), EngineError::OtherGame { .. }));
    let over = error(&to_depth(1, Some("4455663"), &[]));
    assert_eq!(over.to_string(), "the game is over: the first player has won");
    let request = Request { search_moves: vec!["k".into()], ..to_depth(1, None, &[]) };
    assert!(matches!(error(&request), EngineError::Move { .. }));
}

#[test]
fn a_stopped_search_has_a_move_but_no_score_that_means_nothing() {
    let mut engine = engine("connect4");
    let request = Request { limits: Limits::time(Duration::ZERO), multipv: Some(7), ..to_depth(1, None, &[]) };
    let best = engine.search(&request, &mut |_| ()).unwrap();
    assert_eq!(best.mv.len(), 1);
    assert!(best.lines.iter().all(|line| !matches!(line.score, Score::Win(_))), "{:?}", best.lines);
}

/// A position of Pascal Pons' easiest set, five plies before the end.
const LATE: &str = "2252576253462244111563365343671351441";

#[test]
fn a_move_to_play_was_looked_at_however_early_the_search_was_stopped() {
    let mut engine = engine("connect4");
    engine.control().arm(false);
    engine.control().stop();
    // Only one move wins.
    let best = engine.best_move(&to_depth(20, Some("445566"), &[]), &mut |_| ()).unwrap();
    assert_eq!(best.score(), Some(Score::Win(1)));
}

#[test]
fn a_late_position_is_solved_with_its_line() {
    let mut engine = engine("connect4");
    let solution = engine.solve(&board("connect4", Some(LATE), &[]), Limits::default(), &mut |_| ()).unwrap();
    assert_eq!(solution.value, Some(Score::Win(4)));
    assert_eq!(solution.line.len(), 4);
    let expected = engine.variant().problem(&format!("{LATE} -1")).unwrap().value;
    assert_eq!(expected, solution.value);
}

#[test]
fn the_best_of_all_moves_is_worth_the_position() {
    let mut engine = engine("tictactoe");
    // The first player wins with c2 at once and with others later or not at all.
    let board = board("tictactoe", Some("oo1/xx1/3 x"), &[]);
    let value = |engine: &mut Engine, mv| engine.solve_move(&board, mv, Limits::default(), &mut |_| ()).unwrap().value;
    assert_eq!(value(&mut engine, "c2"), Some(Score::Win(1)));
    assert_eq!(value(&mut engine, "a1"), Some(Score::Win(-2)));
    let solution = engine.solve(&board, Limits::default(), &mut |_| ()).unwrap();
    assert_eq!(solution.value, Some(Score::Win(1)));
}

#[test]
fn every_option_lists_its_range_and_keeps_to_it() {
    let mut engine = engine("connect4");
    let options = engine.options();
    for spec in &options {
        assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
        let beyond = (spec.max + 1).to_string();
        let error = engine.set_option(spec.name, &beyond).unwrap_err().to_string();
        assert!(error.contains(spec.name) && error.contains(&beyond), "{error}");
    }
    // The game's own default, not the core's.
    assert_eq!(engine.option("null_move").unwrap().default, 0);
    assert_eq!(engine.option("lmr").unwrap().kind, OptionKind::Switch);
    engine.set_option("LMR", "off").unwrap();
    assert_eq!(engine.option("lmr").unwrap().value, 0);
    engine.set_option("Contempt", "-20").unwrap();
    assert_eq!(engine.option("contempt").unwrap().value, -20);
    assert!(matches!(engine.set_option("Colour", "1"), Err(EngineError::UnknownOption { .. })));
    assert!(engine.set_option("Hash", "much").unwrap_err().to_string().contains("`much`"));
}

#[test]
fn a_table_that_no_machine_has_is_refused_and_the_old_one_stays() {
    let variant = Variant::find("tictactoe").unwrap();
    for hash in [0, 1 << 21] {
        assert!(Engine::new(&variant, &Options { hash, ..Options::default() }).is_err());
    }
    let mut engine = engine("tictactoe");
    let before = engine.caches().search.bytes;
    assert!(engine.set_option("Hash", "99999999999").is_err());
    assert_eq!(engine.caches().search.bytes, before);
    engine.set_option("Hash", "2").unwrap();
    assert_eq!(engine.caches().search.bytes, 2 << 20);
}

#[test]
fn the_caches_are_counted_flushed_and_looked_up() {
    let mut engine = engine("connect4");
    engine.set_option("EvalCache", "1").unwrap();
    engine.search(&to_depth(10, None, &[]), &mut |_| ()).unwrap();
    let caches = engine.caches();
    assert!(caches.search.counters.stores > 0 && caches.search.fill > 0);
    assert!(caches.eval.counters.rate.probes > 0 && caches.eval.bytes == 1 << 20);
    let known = engine.lookup(&board("connect4", None, &[])).unwrap().unwrap();
    assert_eq!((known.depth, known.age), (10, 0));
    assert!(known.mv.is_some());
    engine.set_option("Hash", "2").unwrap();
    assert_eq!(engine.caches().search.counters, caches.search.counters);
    engine.flush();
    assert_eq!(engine.lookup(&board("connect4", None, &[])).unwrap(), None);
}

#[test]
fn the_filters_of_the_evaluation_cache_store_less_and_change_no_search() {
    let search = |variant: &str, options: &[(&str, &str)]| {
        let mut engine = engine(variant);
        for (name, value) in options {
            engine.set_option(name, value).unwrap();
        }
        let request = Request { limits: Limits::depth(7), ..Request::new(&board(variant, None, &[])) };
        let best = engine.search(&request, &mut |_| ()).unwrap();
        ((best.score(), best.mv), engine.caches().eval.counters)
    };
    let off = search("othello", &[]);
    let all = search("othello", &[("EvalCache", "1")]);
    assert!(off.1.rate.probes == 0 && all.1.stores > 0);
    for (name, value) in [("eval_cache_score", "20"), ("eval_cache_repeated", "1")] {
        let filtered = search("othello", &[("EvalCache", "1"), (name, value)]);
        assert_eq!(filtered.0, off.0, "{name}");
        assert!((1..all.1.stores).contains(&filtered.1.stores), "{name}: {}", filtered.1.stores);
    }
    // Chess calls an evaluation as dear as there are men on the board.
    let asked = |cost| search("chess", &[("EvalCache", "1"), ("eval_cache_cost", cost)]).1.rate.probes;
    assert!(asked("0") > asked("31") && asked("31") > 0 && asked("33") == 0);
}

#[test]
fn a_snapshot_comes_back_for_its_variant_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let mut four = engine("connect4");
    four.search(&to_depth(8, None, &[]), &mut |_| ()).unwrap();
    let known = four.lookup(&board("connect4", None, &[])).unwrap();
    assert!(known.is_some());
    let saved = four.save(&path).unwrap();
    let mut other = engine("connect4");
    assert_eq!(other.load(&path).unwrap(), saved);
    assert_eq!(other.lookup(&board("connect4", None, &[])).unwrap(), known);
    assert!(matches!(engine("tictactoe").load(&path), Err(EngineError::Snapshot(_))));
}

#[test]
fn the_bench_counts_the_same_nodes_every_time() {
    let variant = Variant::find("tictactoe").unwrap();
    let run = || bench(&variant, &Options { hash: 1, ..Options::default() }, &[], &mut |_| ()).unwrap().nodes;
    let nodes = run();
    assert!(nodes > 0);
    assert_eq!(run(), nodes);
}

#[test]
fn the_evaluation_cache_has_the_size_that_suits_the_game_unless_one_is_given() {
    let sizes = |variant: &str, eval_cache| {
        let options = Options { hash: 1, eval_cache, ..Options::default() };
        let spec = Engine::new(&Variant::find(variant).unwrap(), &options).unwrap().option("EvalCache").unwrap();
        (spec.value, spec.default)
    };
    assert_eq!([sizes("capture", None), sizes("capture", Some(0)), sizes("chess", None)], [(16, 16), (0, 16), (0, 0)]);
}

#[test]
fn an_engine_plays_another_variant_with_the_options_it_has() {
    let freestyle = Variant::find("freestyle:15").unwrap();
    let mut engine = Engine::new(&freestyle, &Options { hash: 1, threads: 2, ..Options::default() }).unwrap();
    engine.set_option("lmr", "0").unwrap();
    engine.set_option("vcf_leaf_fours", "3").unwrap();
    engine.start_idle(&IdleThread::start(Share::USUAL));
    // Six in a row win in freestyle and not in standard.
    let position = "7xxx1xx2/15/15/15/15/15/15/15/15/15/15/15/15/15/2o2o2o2o3 x";
    let request =
        |variant: &str| Request { limits: Limits::nodes(2000), ..Request::new(&board(variant, Some(position), &[])) };
    assert_eq!(engine.search(&request("freestyle:15"), &mut |_| ()).unwrap().score(), Some(Score::Win(1)));
    engine.set_variant(&Variant::find("standard:15").unwrap());
    assert_eq!(engine.variant().name(), "standard:15");
    assert!(engine.idle().is_none(), "idle improvement was of the other game");
    let value = |engine: &mut Engine, name| engine.option(name).unwrap().value;
    let kept = ["Threads", "Hash", "lmr", "vcf_leaf_fours"].map(|name| value(&mut engine, name));
    assert_eq!(kept, [2, 1, 0, 3]);
    assert_ne!(engine.search(&request("standard:15"), &mut |_| ()).unwrap().score(), Some(Score::Win(1)));
    engine.set_variant(&Variant::find("connect4").unwrap());
    assert_eq!(value(&mut engine, "lmr"), 0);
    let request = to_depth(8, Some("4455"), &["6"]);
    assert_eq!(engine.search(&request, &mut |_| ()).unwrap().score(), Some(Score::Win(2)));
}

/// The first player, to move, wins by continuous threats.
const ATTACK: &str = "h8 h6 g8 k9 k6 h9 g9 i7 j8 i8 i9 f11";

#[test]
fn a_game_too_long_for_its_value_is_solved_by_force() {
    let mut engine = engine("freestyle");
    engine.set_option("vct_root_budget", "10").unwrap();
    let before = engine.options();
    let mut board = board("freestyle", Some(ATTACK), &[]);
    let solution = engine.solve(&board, Limits::nodes(1_000_000), &mut |_| ()).unwrap();
    let Some(Score::Win(plies @ 1..)) = solution.value else { panic!("not won: {solution:?}") };
    assert_eq!((solution.low, solution.high), (solution.value, None), "there may be a shorter one");
    assert_eq!(solution.line.len(), plies as usize);
    solution.line.iter().for_each(|mv| board.play(mv).unwrap());
    assert_eq!(board.outcome(), Some(Outcome::Win(Side::First)), "the line ends with the game");
    assert_eq!(engine.options(), before, "solving leaves the parameters as they were");
}

#[test]
fn a_loss_is_forced_too() {
    let mut engine = engine("freestyle");
    let solution =
        engine.solve(&board("freestyle", Some(ATTACK), &["g10"]), Limits::nodes(1_000_000), &mut |_| ()).unwrap();
    assert!(matches!(solution.value, Some(Score::Win(1..))), "{solution:?}");
    assert_eq!(solution.line.len() % 2, 0, "the winner has the last move");
}

#[test]
fn looking_for_a_forced_win_ends_when_it_is_told_to() {
    let mut engine = engine("caro");
    let control = engine.control();
    // Without a limit it would go on.
    let solution = engine.solve(&board("caro", None, &[]), Limits::default(), &mut |_| control.stop()).unwrap();
    assert_eq!((solution.value, solution.line.len()), (None, 0));
}

#[test]
fn the_engine_takes_the_better_colour() {
    let mut engine = engine("freestyle");
    let mut choice = |who, moves: &[&str]| {
        let swap = Swap::Choose { who, may_place_two: true };
        engine.choose(&board("freestyle", None, moves), swap, Limits::nodes(5_000)).unwrap().0
    };
    let (good_for_first, good_for_second) = (["h8", "a1", "i9"], ["a1", "h8", "o15"]);
    assert_eq!(choice(Role::Opener, &good_for_first), SwapChoice::Stay);
    assert_eq!(choice(Role::Responder, &good_for_first), SwapChoice::Swap);
    assert_eq!(choice(Role::Opener, &good_for_second), SwapChoice::Swap);
    assert_eq!(choice(Role::Responder, &good_for_second), SwapChoice::Stay);
}

#[test]
fn stones_that_the_engine_places_are_moves() {
    let mut engine = engine("caro:15");
    for (moves, stones) in [(&[][..], 3), (&["h8", "i9", "e8"][..], 2)] {
        let mut board = board("caro:15", None, moves);
        let placed = engine.place_fairly(&board, stones, Limits::time(Duration::ZERO)).unwrap();
        assert_eq!(placed.len(), stones);
        placed.iter().for_each(|mv| board.play(mv).unwrap());
    }
}

#[test]
fn the_line_of_a_proven_win_is_completed_to_the_end_of_the_game() {
    let variant = Variant::find("freestyle").unwrap();
    let mut engine = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
    let text = "15/15/15/15/5o9/15/6xox1o4/6xxox5/8o6/7o2x4/15/15/15/15/15 x 0 0";
    let board = Board::at(&variant, &PositionSpec { position: Some(text.to_owned()), moves: Vec::new() }).unwrap();
    let request = Request { limits: Limits::nodes(200_000), ..Request::new(&board) };
    let mut best = engine.search(&request, &mut |_| ()).unwrap();
    let Some(Score::Win(plies)) = best.score() else { panic!("{best:?}") };
    engine.complete_wins(&board, &mut best).unwrap();
    let mut end = board.clone();
    best.lines[0].moves.iter().for_each(|mv| end.play(mv).unwrap());
    assert_eq!(best.lines[0].moves.len(), plies as usize);
    assert!(end.outcome().is_some());
}
