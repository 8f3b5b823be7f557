//! Matches: what they say about strength, and that nothing an engine does can spoil them.

use polyply_lab::arena::{Contest, Format, MatchSettings, Resume};
use polyply_lab::record::{self, Reason, Record};
use polyply_lab::report::Report;
use polyply_lab::stats::Decision;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn settings(engines: &[&str], games: u64) -> MatchSettings {
    let engines = engines.iter().map(|&text| text.to_owned()).collect();
    MatchSettings { variant: "connect4".into(), engines, games, nodes: Some(200), ..MatchSettings::default() }
}

fn play(settings: MatchSettings) -> Report {
    let mut contest = Contest::new(settings, Resume::Never).unwrap();
    contest.run(&AtomicBool::new(false), &(), &mut |_| ()).unwrap()
}

#[test]
fn an_engine_is_as_strong_as_itself() {
    // Both games of a pair are the same game, for nothing but the nodes ends a search.
    let report = play(MatchSettings { concurrency: 2, ..settings(&["builtin", "builtin"], 20) });
    assert_eq!(report.tally().pairs, [0, 0, 10, 0, 0]);
    assert_eq!(report.tally().estimate().unwrap().elo.value, 0.0);
}

#[test]
fn an_engine_that_may_think_longer_is_stronger() {
    let report = play(settings(&["builtin:nodes=400", "builtin:nodes=100"], 60));
    let estimate = report.tally().estimate().unwrap();
    assert!(estimate.los > 0.95, "{}", report.tally());
}

#[test]
fn a_sequential_test_ends_a_match_when_it_knows() {
    let sprt = Some("0,100".into());
    let report = play(MatchSettings { sprt, ..settings(&["builtin:nodes=2000", "builtin:nodes=10"], 1000) });
    let (sprt, llr) = report.test().unwrap();
    assert_eq!(sprt.decide(llr), Decision::Passes);
    assert!(report.games() < 1000, "{}", report.games());
}

/// A program that fails like this.
fn faulty(fault: &str) -> String {
    let command = env!("CARGO_BIN_EXE_fault-engine");
    format!("cmd={command},proto=uci,arg=uci,arg={fault},name={fault},movetime=150ms")
}

#[test]
fn an_engine_that_fails_loses_its_games_and_no_others() {
    let faults = ["hang", "exit", "garbage", "illegal", "flood", "late", "slow-start", "none"];
    let engines: Vec<String> = std::iter::once("builtin".to_owned()).chain(faults.map(faulty)).collect();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let plan = MatchSettings {
        format: Format::Gauntlet,
        concurrency: 2,
        // A busy machine may be slow, but not so slow that a healthy engine is late.
        margin: "3s".into(),
        startup: "60s".into(),
        ..settings(&engines, 2)
    };
    // The margin that is kind to healthy engines would be kind to the late one too.
    let plan = MatchSettings {
        engines: plan.engines.iter().map(|text| text.replace("arg=late", "arg=hang")).collect(),
        ..plan
    };
    let report = play(plan);
    assert_eq!(report.games(), 2 * faults.len() as u64);
    let failures = |name: &str| {
        let index = report.names().position(|known| known == name).unwrap();
        report.failures(index)
    };
    for fault in ["hang", "exit", "garbage", "illegal", "flood", "late"] {
        assert_eq!(failures(fault), 2, "{fault}");
    }
    assert_eq!([failures("none"), failures("slow-start"), failures("builtin")], [0; 3]);
    for (reason, games) in [(Reason::Time, 8), (Reason::Crash, 2), (Reason::Illegal, 2)] {
        assert_eq!(report.endings().get(&reason), Some(&games), "{:?}", report.endings());
    }
}

/// Everything about a game but the time it took.
fn games(journal: &Path) -> Vec<String> {
    let mut records = record::read(journal).unwrap();
    records.sort_by_key(|record| record.number);
    let text =
        |record: &Record| format!("{} {:?} {:?}", record.number, record.all_moves().collect::<Vec<_>>(), record.end);
    records.iter().map(text).collect()
}

#[test]
fn a_match_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |name: &str| MatchSettings {
        out: Some(folder.path().join(name)),
        concurrency: 2,
        ..settings(&["builtin", "builtin:lmr=0,killers=0"], 16)
    };
    let run = |name: &str, stop_after: u64| {
        let mut contest = Contest::new(settings(name), Resume::GoOn).unwrap();
        let stop = AtomicBool::new(false);
        let report = contest.run(&stop, &(), &mut |report| stop.store(report.games() >= stop_after, Relaxed)).unwrap();
        contest.finish(&report).unwrap();
        report
    };
    let whole = run("whole.pgn", u64::MAX);
    let begun = run("halves.pgn", 4);
    assert!((4..16).contains(&begun.games()), "{}", begun.games());
    // As if the power had gone in the middle of a line.
    let journal = folder.path().join("halves.jsonl");
    let mut text = std::fs::read_to_string(&journal).unwrap();
    text.push_str("{\"number\":15,\"vari");
    std::fs::write(&journal, text).unwrap();
    let ended = run("halves.pgn", u64::MAX);
    assert_eq!(ended.tally(), whole.tally());
    assert_eq!(games(&journal), games(&folder.path().join("whole.jsonl")));
    assert_eq!(record::read(&folder.path().join("halves.pgn")).unwrap().len(), 16);
    // As if two copies of the journal had been put together.
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.repeat(2)).unwrap();
    assert_eq!(run("halves.pgn", u64::MAX).tally(), whole.tally());
    assert_eq!(record::read(&folder.path().join("halves.pgn")).unwrap().len(), 16);
}

#[test]
fn what_is_there_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        MatchSettings { out: Some(folder.path().join("match")), ..settings(&["builtin", "builtin:lmr=0"], 2) };
    Contest::new(settings.clone(), Resume::Never).unwrap().run(&AtomicBool::new(false), &(), &mut |_| ()).unwrap();
    let refused = |settings: MatchSettings, resume| Contest::new(settings, resume).err().unwrap().to_string();
    assert!(refused(settings.clone(), Resume::Never).contains("--resume"));
    assert!(
        refused(MatchSettings { nodes: Some(9), ..settings.clone() }, Resume::GoOn).contains("other settings (nodes)")
    );
    std::fs::write(folder.path().join("mine.pgn"), "my best games").unwrap();
    let mine = MatchSettings { out: Some(folder.path().join("mine.pgn")), ..settings.clone() };
    assert!(refused(mine, Resume::GoOn).contains("another file"));
    std::fs::copy(folder.path().join("match.jsonl"), folder.path().join("others.jsonl")).unwrap();
    let others = MatchSettings { out: Some(folder.path().join("others")), ..settings.clone() };
    assert!(refused(others, Resume::GoOn).contains("not part of a match"));
    let mut longer = Contest::new(MatchSettings { games: 4, ..settings }, Resume::GoOn).unwrap();
    assert_eq!(longer.run(&AtomicBool::new(false), &(), &mut |_| ()).unwrap().games(), 4);
    assert_eq!(games(&folder.path().join("match.jsonl")).len(), 4);
}
