//! UCI as an interface sees it.

use crate::talk::{Talk, script};
use polyply_protocol::uci;
use proptest::collection::vec;
use proptest::prelude::*;

/// Connect Four and a small table.
const CONNECT4: &str = "setoption name UCI_Variant value connect4\nsetoption name Hash value 1\n";

/// An engine for Connect Four.
fn connect4() -> Talk {
    let mut talk = Talk::with(uci::run);
    talk.send(CONNECT4);
    talk
}

/// What a script is answered, without what is told on the way.
fn answers(lines: &str) -> Vec<String> {
    let bytes = format!("{CONNECT4}{lines}\n");
    let lines = script(|input, output| uci::run(input, output), bytes.as_bytes());
    lines.into_iter().filter(|line| !line.starts_with("info depth")).collect()
}

#[test]
fn it_introduces_itself_with_its_options() {
    let mut talk = connect4();
    talk.send("uci");
    let lines = talk.until("uciok");
    for wanted in [
        "id name Polyply",
        "id author ",
        "option name Hash type spin default 64 min 1 max ",
        "option name Threads type spin default 1 min 1 max ",
        "option name MultiPV type spin default 1 min 1 max ",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default ",
        "option name Contempt type spin default 0 ",
        "option name Clear Hash type button",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 3000 min 500 max 3000",
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name SyzygyPath type string default <empty>",
        "option name UCI_Variant type combo default chess var ",
        "option name lmr type check default true",
    ] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(wanted)).count(), 1, "{wanted}");
    }
}

#[test]
fn every_go_ends_in_one_best_move() {
    let lines = answers(
        "position startpos moves d\ngo depth 4\ngo nodes 500\ngo movetime 20\ngo wtime 100 btime 100\ngo wtime 100\n\
         go wtime 50 btime 50 winc 5 binc 5 movestogo 3\ngo mate 1 nodes 300\nposition fen 4455\ngo searchmoves a depth 3",
    );
    assert_eq!(lines.len(), 8, "{lines:#?}");
    assert!(lines.iter().all(|line| line.starts_with("bestmove ")), "{lines:#?}");
    assert!(lines[7].starts_with("bestmove a"), "only this move was allowed");
}

#[test]
fn lines_are_told_as_the_protocol_has_it() {
    let mut talk = connect4();
    talk.send("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\nposition startpos\ngo depth 5");
    let lines = talk.until("bestmove");
    for rank in 1..=3 {
        let told = lines
            .iter()
            .find(|line| line.starts_with("info depth 5 seldepth ") && line.contains(&format!(" multipv {rank} ")));
        let words: Vec<&str> = told.expect("a line of each rank").split_whitespace().collect();
        let after = |word: &str| words.iter().position(|known| *known == word).map(|at| words[at + 1]);
        assert_eq!(after("score"), Some("cp"));
        let wdl = words.iter().position(|word| *word == "wdl").unwrap();
        let chances: i32 = words[wdl + 1..wdl + 4].iter().map(|chance| chance.parse::<i32>().unwrap()).sum();
        assert_eq!(chances, 1000);
        for number in ["nodes", "nps", "hashfull", "time"] {
            assert!(after(number).unwrap().parse::<u64>().is_ok(), "{number}");
        }
        assert!(after("pv").is_some());
    }
}

#[test]
fn a_mate_is_told_in_moves_from_the_side_to_move() {
    // Three in a row with both ends open.
    let mut talk = connect4();
    talk.send("position fen 4455\ngo depth 8");
    assert!(talk.until("bestmove").iter().any(|line| line.contains(" score mate 2 ")), "d or f wins at its next move");
    talk.send("position fen 44556\ngo depth 8");
    assert!(talk.until("bestmove").iter().any(|line| line.contains(" score mate -1 ")));
}

#[test]
fn a_search_without_an_end_waits_for_stop_and_hears_meanwhile() {
    let mut talk = connect4();
    // Solved in no time, and still not answered.
    talk.send("position fen 4455\ngo infinite");
    assert_eq!(talk.ask("isready", "readyok"), "readyok");
    assert!(talk.ask("stop", "bestmove").starts_with("bestmove "));
    talk.send("go ponder wtime 100 btime 100");
    assert_eq!(talk.ask("isready", "readyok"), "readyok");
    assert!(talk.ask("ponderhit", "bestmove").starts_with("bestmove "));
    talk.send("go ponder depth 2");
    assert!(talk.ask("stop", "bestmove").starts_with("bestmove "));
    talk.send("go infinite\nquit");
    assert!(talk.rest().iter().all(|line| line.starts_with("info ")), "it ends at once");
}

#[test]
fn what_is_refused_is_told_in_one_line_and_changes_nothing() {
    for (bad, says) in [
        ("xyzzy", "no command"),
        ("position fen 44d99", "refused"),
        ("position startpos moves d z", "`z`"),
        ("position", "position startpos"),
        ("go depth many", "`depth`"),
        ("setoption name NoSuch value 3", "no option"),
        ("setoption name Hash value none", "whole number"),
        ("setoption name UCI_Variant value draughts", "no game `draughts`"),
        ("setoption name UCI_ShowWDL value maybe", "true or false"),
        ("setoption name UCI_Elo value 9000", "from 500 to 3000"),
        ("setoption name BookFile value /no/such/file", "/no/such/file"),
        ("setoption Hash 3", "setoption name"),
        ("perft", "plies"),
    ] {
        let lines = answers(&format!("position fen 4455\n{bad}\nd"));
        assert!(lines[0].starts_with("info string ") && lines[0].contains(says), "{bad}: {lines:#?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("info string")).count(), 1, "{bad}");
        assert!(lines.iter().any(|line| line == "Fen: 7/7/7/7/3oo2/3xx2 x"), "{bad}: {lines:#?}");
    }
}

#[test]
fn the_best_move_is_the_first_of_the_line_that_was_told_last() {
    for nodes in (50..1500).step_by(90) {
        let lines = chess(&format!("position startpos moves e2e4 e7e5 g1f3\ngo nodes {nodes}"));
        let told = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
        let line = told.split_once(" pv ").unwrap().1.split(' ').next();
        assert_eq!(lines.last().unwrap().split(' ').nth(1), line, "{nodes}: {lines:#?}");
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let lines = answers("position fen 4545454\ngo depth 3");
    assert_eq!(lines, ["bestmove (none)"]);
}

#[test]
fn the_console_counts_and_judges() {
    let lines = answers("position fen 44\nperft 3\ngo perft 2\neval");
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("Nodes searched: ")).collect::<Vec<_>>(),
        ["Nodes searched: 343", "Nodes searched: 49"]
    );
    assert!(lines.last().unwrap().starts_with("info string the evaluation is "));
}

/// What chess is answered.
fn chess(lines: &str) -> Vec<String> {
    let bytes = format!("setoption name Hash value 1\n{lines}\n");
    script(|input, output| uci::run(input, output), bytes.as_bytes())
}

#[test]
fn chess_is_played_from_the_start_and_mates_are_found() {
    let lines = chess("position startpos moves e2e4 e7e5\ngo depth 3");
    assert!(lines.last().unwrap().starts_with("bestmove "));
    let lines = chess("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\ngo mate 1");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:#?}");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
    let lines = chess("position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1\ngo depth 3");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    let lines = chess("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
    assert_eq!(lines, ["info depth 0 score cp 0", "bestmove (none)"], "stalemate");
}

#[test]
fn positions_that_can_not_be_are_refused_and_the_last_one_is_kept() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNK w KQkq - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "hello",
    ] {
        let lines = chess(&format!("position startpos moves e2e4\nposition fen {fen}\nd"));
        assert_eq!(lines.iter().filter(|line| line.starts_with("info string ")).count(), 1, "{fen}: {lines:#?}");
        let kept = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert!(lines.iter().any(|line| line.starts_with(kept)), "{fen}: {lines:#?}");
    }
    let lines = chess("position startpos moves e2e5\nd");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("e2e5"), "{lines:#?}");
}

#[test]
fn a_limited_strength_plays_legal_moves_and_does_not_think_long() {
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000\nposition startpos";
    for _ in 0..5 {
        let lines = chess(&format!("{weak}\ngo wtime 60000 btime 60000\n"));
        let mv = lines.last().unwrap().split_whitespace().nth(1).unwrap().to_owned();
        assert_eq!(chess(&format!("position startpos moves {mv}")), [""; 0], "it is legal");
    }
}

#[test]
fn chess960_castles_by_taking_its_own_rook() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1";
    let ask = |option: &str| chess(&format!("{option}\nposition fen {fen}\nd"));
    let moves = |lines: Vec<String>| lines.into_iter().find(|line| line.starts_with("Moves: ")).unwrap_or_default();
    assert!(moves(ask("setoption name UCI_Chess960 value true")).contains(" e1h1"));
    let usual = moves(chess("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nd"));
    assert!(usual.contains(" e1g1") && !usual.contains(" e1h1"), "{usual}");
    let lines = chess(
        "setoption name UCI_Chess960 value true\n\
         position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\ngo perft 2",
    );
    assert_eq!(lines.last().unwrap(), "Nodes searched: 528");
}

#[test]
fn a_book_is_played_from_where_it_knows_the_position() {
    // One entry: e2e4 at the start.
    let mut bytes = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec();
    bytes.extend([0x03, 0x1c, 0, 1, 0, 0, 0, 0]);
    let path = std::env::temp_dir().join(format!("polyply-book-{}.bin", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let book = format!("setoption name BookFile value {}\nsetoption name OwnBook value true", path.display());
    let lines = chess(&format!("{book}\nposition startpos\ngo depth 1"));
    assert_eq!(lines, ["info string e2e4 is from the book", "bestmove e2e4"]);
    let lines = chess(&format!("{book}\nposition startpos moves e2e4\ngo depth 1"));
    assert!(lines.iter().any(|line| line.starts_with("info depth 1 ")));
    std::fs::remove_file(path).unwrap();
    // Without a file it is the built-in book.
    let lines = chess("setoption name OwnBook value true\nposition startpos\ngo depth 200");
    assert!(lines.len() == 2 && lines[0].ends_with(" is from the book"), "{lines:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_said_it_is_ready_in_the_end(
        words in vec(prop_oneof![
            Just("position startpos moves d e"), Just("position fen 4455"), Just("position fen"), Just("go"), Just("stop"),
            Just("go depth 2"), Just("go nodes 50"), Just("go ponder depth 2"), Just("ponderhit"), Just("ucinewgame"),
            Just("setoption name MultiPV value 2"), Just("setoption name Clear Hash"), Just("setoption name UCI_Variant value tictactoe"),
            Just("setoption name"), Just("go searchmoves z"), Just("go wtime -5"), Just("isready"), Just("d"), Just("eval"),
            Just("position startpos moves"), Just("debug on"), Just("register later"), Just("go perft 1"), Just("info string"),
        ], 0..20),
        bytes in vec(any::<u8>(), 0..200),
    ) {
        let soup = [CONNECT4.as_bytes(), &bytes[..], b"\n",
            words.join("\n").as_bytes(), b"\nstop\nisready\n"].concat();
        // It may be told to quit on the way, or to do something that takes long.
        let text = String::from_utf8_lossy(&soup).into_owned();
        if !["quit", "bench", "perft 6"].iter().any(|word| text.contains(word)) {
            let lines = script(|input, output| uci::run(input, output), &soup);
            prop_assert!(lines.iter().any(|line| line == "readyok"));
            let asked = words.iter().filter(|word| word.starts_with("go") && !word.contains("perft")).count();
            prop_assert!(lines.iter().filter(|line| line.starts_with("bestmove")).count() >= asked);
        }
    }
}
