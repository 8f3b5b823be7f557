//! Engines that are driven: in each protocol, and with each way to fail.

use polyply_engine::{Board, PositionSpec, Score, Variant};
use polyply_protocol::drive::{Budget, Driver, Fault, Log, MoveReply, MoveRequest, Program, Protocol};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time for a move; an engine that does not answer within it has failed.
const MOVE: Duration = Duration::from_millis(200);

fn program(protocol: Protocol, fault: &str) -> Program {
    Program {
        command: env!("CARGO_BIN_EXE_fault-engine").into(),
        args: vec![protocol.name().into(), fault.into()],
        folder: None,
        protocol,
        options: Vec::new(),
    }
}

fn start(program: &Program) -> Result<Driver, Fault> {
    Driver::start(program, PATIENCE, &Log::none(), &Arc::default())
}

fn ask(driver: &mut Driver, board: &Board, wait: Duration) -> Result<MoveReply, Fault> {
    let budget = Budget { time: Some(MOVE), ..Budget::default() };
    driver.find_move(&MoveRequest { board, budget, until: Instant::now() + wait })
}

fn variant(protocol: Protocol) -> Variant {
    Variant::find(if protocol == Protocol::Uci { "connect4" } else { "freestyle:15" }).unwrap()
}

/// An engine of a protocol that is asked for its first move.
fn first_move(protocol: Protocol, fault: &str, wait: Duration) -> (Driver, Result<MoveReply, Fault>) {
    let mut driver = start(&program(protocol, fault)).unwrap();
    let variant = variant(protocol);
    driver.new_game(&variant).unwrap();
    let thought = ask(&mut driver, &Board::new(&variant), wait);
    (driver, thought)
}

#[test]
fn moves_and_thoughts_come_through_every_protocol() {
    for (protocol, name, mv, score, depth) in [
        (Protocol::Uci, Some("Fault Engine"), "a", Some(Score::Centi(12)), Some(3)),
        (Protocol::Gomocup, None, "a1", Some(Score::Centi(42)), Some(5)),
        (Protocol::Nboard, Some("Fault Engine"), "f5", Some(Score::Points(4)), Some(9)),
        (Protocol::Gtp, Some("Fault Engine"), "a1", None, None),
    ] {
        let (driver, thought) = first_move(protocol, "none", PATIENCE);
        let thought = thought.unwrap();
        assert_eq!((driver.name(), thought.mv.as_str()), (name, mv), "{protocol:?}");
        assert_eq!((thought.score, thought.depth), (score, depth), "{protocol:?}");
    }
}

#[test]
fn a_game_goes_on_move_by_move_and_another_one_begins() {
    for protocol in [Protocol::Uci, Protocol::Gomocup, Protocol::Gtp] {
        let variant = variant(protocol);
        let mut driver = start(&program(protocol, "none")).unwrap();
        for _ in 0..2 {
            driver.new_game(&variant).unwrap();
            let opening = if protocol == Protocol::Uci { ["d", "e"] } else { ["h8", "i9"] };
            let mut board = Board::at(&variant, &PositionSpec::new(None, &opening)).unwrap();
            for _ in 0..3 {
                let thought = ask(&mut driver, &board, PATIENCE).unwrap();
                board.play(&thought.mv).unwrap();
                let reply = board.legal_moves().last().unwrap().clone();
                board.play(&reply).unwrap();
            }
        }
    }
}

#[test]
fn an_engine_that_does_not_answer_is_late_and_not_used_again() {
    for protocol in [Protocol::Uci, Protocol::Gomocup, Protocol::Nboard, Protocol::Gtp] {
        for fault in ["hang", "flood", "garbage"] {
            let (driver, thought) = first_move(protocol, fault, MOVE);
            assert!(matches!(thought, Err(Fault::Late(_))), "{protocol:?} {fault}: {thought:?}");
            let may_recover = fault == "garbage" && protocol == Protocol::Nboard;
            assert_eq!(driver.is_usable(), may_recover, "{protocol:?} {fault}");
        }
    }
}

#[test]
fn a_late_answer_is_waited_for_where_the_protocol_can_ask_for_it() {
    let (mut driver, thought) = first_move(Protocol::Uci, "late", MOVE);
    assert!(matches!(thought, Err(Fault::Late(_))), "{thought:?}");
    assert!(driver.is_usable());
    let variant = variant(Protocol::Uci);
    assert_eq!(ask(&mut driver, &Board::new(&variant), PATIENCE).unwrap().mv, "a");
    assert!(!first_move(Protocol::Gomocup, "late", MOVE).0.is_usable());
}

#[test]
fn an_engine_that_ends_is_told_with_its_exit_code() {
    for protocol in [Protocol::Uci, Protocol::Gomocup, Protocol::Nboard, Protocol::Gtp] {
        let (driver, thought) = first_move(protocol, "exit", PATIENCE);
        let Err(Fault::Gone { how, .. }) = thought else { panic!("{protocol:?}: {thought:?}") };
        assert!(how.contains('3') && !driver.is_usable(), "{protocol:?}: {how}");
    }
}

#[test]
fn an_illegal_move_is_handed_on_for_the_rules_to_refuse() {
    for protocol in [Protocol::Uci, Protocol::Gomocup, Protocol::Gtp] {
        let (_, thought) = first_move(protocol, "illegal", PATIENCE);
        let place = PositionSpec::default().after(&thought.unwrap().mv);
        assert!(Board::at(&variant(protocol), &place).is_err(), "{protocol:?}");
    }
}

#[test]
fn what_can_not_be_started_or_set_is_told() {
    let mut missing = program(Protocol::Uci, "none");
    missing.command = "/no/such/engine".into();
    assert!(matches!(start(&missing), Err(Fault::Start(reason)) if reason.contains("/no/such/engine")));
    let mut option = program(Protocol::Uci, "none");
    option.options = vec![("move overhead".into(), "5".into())];
    assert!(start(&option).is_ok());
    option.options = vec![("Contempt".into(), "5".into())];
    assert_eq!(start(&option).err(), Some(Fault::Option("Contempt".into())));
    let mute = Driver::start(&program(Protocol::Uci, "mute"), MOVE, &Log::none(), &Arc::default());
    assert!(matches!(mute, Err(Fault::Late(_))));
    let mut mute = Driver::start(&program(Protocol::Gomocup, "mute"), MOVE, &Log::none(), &Arc::default()).unwrap();
    assert!(matches!(mute.new_game(&variant(Protocol::Gomocup)), Err(Fault::Late(_))));
    assert!(start(&program(Protocol::Uci, "slow-start")).is_ok());
}

#[test]
fn a_wait_ends_when_it_is_told_to() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut driver = Driver::start(&program(Protocol::Uci, "hang"), PATIENCE, &Log::none(), &stop).unwrap();
    let variant = variant(Protocol::Uci);
    driver.new_game(&variant).unwrap();
    stop.store(true, Ordering::Relaxed);
    let thought = ask(&mut driver, &Board::new(&variant), PATIENCE);
    assert_eq!(thought, Err(Fault::Stopped));
}

#[test]
fn complaints_are_kept_up_to_a_megabyte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = Log::append(&path).unwrap();
    drop(Driver::start(&program(Protocol::Uci, "noisy"), PATIENCE, &log.of("loud"), &Arc::default()).unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("loud: this is a complaint"));
    assert!((500_000..2_000_000).contains(&text.len()), "{}", text.len());
}

/// The processes of an engine are gone: it, and what it has started.
#[cfg(target_os = "linux")]
#[test]
fn nothing_of_a_dropped_engine_stays_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = Log::append(&path).unwrap();
    for _ in 0..3 {
        drop(Driver::start(&program(Protocol::Uci, "parent"), PATIENCE, &log, &Arc::default()).unwrap());
    }
    let children = || -> Vec<String> {
        let text = std::fs::read_to_string(&path).unwrap();
        text.lines().filter_map(|line| line.split("child ").nth(1)).map(str::to_owned).collect()
    };
    // What an engine has said last may be written down after it is gone.
    assert!(soon(|| children().len() == 3), "{:?}", children());
    for child in children() {
        assert!(soon(|| !is_running(&child)), "{child}");
    }
}

/// Waits for something to become true.
#[cfg(target_os = "linux")]
fn soon(is_true: impl Fn() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while !is_true() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    is_true()
}

/// A process that was killed may wait to be reaped by whoever inherited it.
#[cfg(target_os = "linux")]
fn is_running(process: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(process).join("stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}
