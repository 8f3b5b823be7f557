//! Many games leave nothing behind: no process, no file handle, no thread. A test file of its own, for it counts what
//! the whole process has.
#![cfg(target_os = "linux")]

use polyply_lab::arena::{Contest, MatchSettings, Resume};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// File handles, threads and child processes.
fn holdings() -> [usize; 3] {
    let entries = |path: &str| std::fs::read_dir(path).map_or(0, Iterator::count);
    let children = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        text.split_whitespace().count()
    };
    let tasks = std::fs::read_dir(Path::new("/proc/self/task")).unwrap();
    [entries("/proc/self/fd"), entries("/proc/self/task"), tasks.filter_map(Result::ok).map(children).sum()]
}

fn play(games: u64, fault: &str) {
    let command = env!("CARGO_BIN_EXE_fault-engine");
    let program = format!("cmd={command},proto=uci,arg=uci,arg={fault},nodes=1");
    let settings = MatchSettings {
        variant: "connect4".into(),
        engines: vec!["builtin:Hash=1,nodes=20".into(), program],
        games,
        concurrency: 2,
        startup: "60s".into(),
        ..MatchSettings::default()
    };
    let mut contest = Contest::new(settings, Resume::Never).unwrap();
    let report = contest.run(&AtomicBool::new(false), &(), &mut |_| ()).unwrap();
    assert_eq!(report.games(), games);
}

#[test]
fn many_games_leave_nothing_behind() {
    play(2, "none");
    let before = holdings();
    // One that lives through all its games, and one that has to be started again for each.
    play(40, "none");
    play(20, "exit");
    // What the first games held may have been on its way out when it was counted, so less is as good.
    let more = || holdings().into_iter().zip(before).any(|(now, before)| now > before);
    let until = Instant::now() + Duration::from_secs(60);
    while more() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!more(), "file handles, threads, child processes: {:?}, before {before:?}", holdings());
}
