//! The Gomocup protocol as a manager sees it.

use crate::manager::{Manager, script};

/// Four stones of the brain in the top row, from the left; the fifth point wins.
const FOUR: &str = "BOARD\n0,0,1\n0,14,2\n1,0,1\n1,14,2\n2,0,1\n2,12,2\n3,0,1\n14,14,2\nDONE";

#[test]
fn a_game_begins_and_goes_on() {
    let mut manager = Manager::with_board(15);
    assert_eq!(manager.point("BEGIN"), (7, 7));
    let reply = manager.point("TURN 8,8");
    assert!(reply != (7, 7) && reply != (8, 8) && reply.0 < 15 && reply.1 < 15);
    manager.send("END");
    assert!(manager.rest().is_empty());
}

#[test]
fn the_opponent_may_begin() {
    let mut manager = Manager::with_board(20);
    let (x, y) = manager.point("TURN 10,10");
    assert!(x < 20 && y < 20 && (x, y) != (10, 10));
}

#[test]
fn columns_count_from_the_left_and_rows_from_the_top() {
    let mut manager = Manager::with_board(15);
    assert_eq!(manager.point(FOUR), (4, 0));
    let four = "BOARD\n14,10,1\n1,1,2\n14,11,1\n3,1,2\n14,12,1\n5,3,2\n14,13,1\n7,7,2\n14,9,2\nDONE";
    assert_eq!(manager.point(four), (14, 14));
}

#[test]
fn the_brain_knows_its_own_stones_after_a_turn() {
    let mut manager = Manager::with_board(15);
    manager.send("YXBOARD\n0,0,1\n0,14,2\n1,0,1\n1,14,2\n2,0,1\n2,12,2\nDONE");
    assert_eq!(manager.ask("PLAY 3,0"), "3,0");
    assert_eq!(manager.point("TURN 9,9"), (4, 0));
}

#[test]
fn the_numbers_of_stones_need_not_fit() {
    let mut manager = Manager::with_board(15);
    assert_eq!(manager.point("BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\nDONE"), (4, 0));
    assert_eq!(manager.point("BOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\nDONE"), (4, 0));
    assert_eq!(manager.point("BOARD\nDONE"), (7, 7));
}

#[test]
fn stones_of_a_game_that_goes_on_are_in_the_way() {
    let mut manager = Manager::with_board(15);
    // The five at 4,0 is taken, and the brain's stones around it are worth nothing.
    let point = manager.point("BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,3\nDONE");
    assert_ne!(point, (4, 0));
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut manager = Manager::new();
    manager.send("INFO max_node 3000");
    for command in ["TURN 7,7", "BEGIN", "RESTART", "TAKEBACK 7,7", "PLAY 7,7", "YXNBEST 2", "YXSHOWFORBID", FOUR] {
        manager.refused(command, "START");
    }
    for size in ["START 4", "START 23", "START 0", "START 4294967295"] {
        manager.refused(size, "5 to 22");
    }
    manager.refused("START abc", "`START abc`");
    manager.refused("START", "START size");
    manager.refused("RECTSTART 20,15", "20 by 15");
    assert_eq!(manager.ask("RECTSTART 15,15"), "OK");
    manager.send("YXBOARD\n0,0,1\n0,14,2\n1,0,1\n1,14,2\n2,0,1\n2,12,2\n3,0,1\nDONE");
    manager.refused("TURN 15,0", "outside");
    manager.refused("TURN 0,15", "outside");
    manager.refused("TURN 0,0", "a stone on 0,0");
    manager.refused("TURN -1,0", "TURN X,Y");
    manager.refused("TURN 4;0", "TURN X,Y");
    manager.refused("TAKEBACK 9,9", "no stone on 9,9");
    manager.refused("PLAY 0,0", "a stone on 0,0");
    manager.refused("START 30", "5 to 22");
    manager.refused("BOARD\n0,0,1\n0,0,2\nDONE", "two stones on 0,0");
    manager.refused("BOARD\n0,0,1\n1,0,4\nDONE", "`1,0,4`");
    manager.refused("BOARD\n0,0,1\nhello\nDONE", "`hello`");
    manager.refused("BOARD\n99,0,1\nDONE", "outside");
    manager.refused("DONE", "there is none");
    assert!(manager.ask("HELLO").starts_with("UNKNOWN "));
    // The position is still the one with four in a row.
    assert_eq!(manager.point("TURN 9,9"), (4, 0));
}

#[test]
fn a_finished_game_is_refused() {
    let mut manager = Manager::with_board(15);
    assert_eq!(manager.point(FOUR), (4, 0));
    manager.refused("TURN 9,9", "the game is over");
    manager.refused("BEGIN", "the game is over");
    manager.refused("BOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\nDONE", "the game is over");
    assert_eq!(manager.ask("TAKEBACK 4,0"), "OK");
    manager.refused("BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\n4,1,2\nDONE", "both");
}

#[test]
fn a_full_board_is_refused() {
    let mut manager = Manager::with_board(5);
    // Rows xxoox and ooxxo in turn: nobody has five.
    let owner = |x: usize, y: usize| if [0, 1, 4].contains(&x) == y.is_multiple_of(2) { 1 } else { 2 };
    let full: String = (0..25).map(|at| format!("{},{},{}\n", at % 5, at / 5, owner(at % 5, at / 5))).collect();
    manager.refused(&format!("BOARD\n{full}DONE"), "draw");
    let all_but_one: String = full.lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert_eq!(manager.point(&format!("BOARD\n{all_but_one}DONE")), (0, 0));
    manager.refused("TURN 0,0", "the game is over");
}

#[test]
fn infos_are_silent_and_complaints_come_with_the_next_answer() {
    let mut manager = Manager::new();
    let keys = ["game_type 1", "folder /tmp/x y", "evaluate 3,4", "unheard_of 12", "caution_factor 2", "", "rule 0"];
    for key in keys {
        manager.send(&format!("INFO {key}"));
    }
    manager.send("INFO timeout_turn soon");
    manager.send("INFO lmr 99");
    manager.send("START 15");
    let first = manager.line().unwrap();
    assert!(first.starts_with("MESSAGE INFO timeout_turn") && first.contains("`soon`"), "{first}");
    assert!(manager.line().unwrap().contains("`lmr`"));
    assert_eq!(manager.line().unwrap(), "OK");
    assert_eq!(manager.ask("RESTART"), "OK");
}

#[test]
fn renju_is_refused_where_it_would_be_played() {
    let mut manager = Manager::with_board(15);
    manager.send("INFO rule 4");
    for command in ["BEGIN", "TURN 7,7", FOUR, "START 15", "RESTART"] {
        manager.refused(command, "renju is not supported yet");
    }
    manager.send("INFO rule 0");
    assert_eq!(manager.point("BEGIN"), (7, 7));
}

#[test]
fn the_rule_decides_what_wins() {
    // 5,0 makes six, and 5,9 makes five between two stones of the opponent.
    let six = "BOARD\n2,0,1\n3,0,1\n4,0,1\n6,0,1\n7,0,1\n2,14,2\n4,14,2\n6,14,2\n8,14,2\n12,12,2\nDONE";
    let closed = "BOARD\n3,9,1\n4,9,1\n6,9,1\n7,9,1\n2,9,2\n8,9,2\n6,14,2\n9,14,2\nDONE";
    let mut manager = Manager::with_board(15);
    for (rule, six_wins, closed_wins) in [(0, true, true), (1, false, true), (8, true, false), (9, false, false)] {
        manager.send(&format!("INFO rule {rule}"));
        assert_eq!(manager.point(six) == (5, 0), six_wins, "rule {rule}");
        assert_eq!(manager.point(closed) == (5, 9), closed_wins, "rule {rule}");
    }
}

#[test]
fn capture_gomoku_is_played_by_its_own_key() {
    let mut manager = Manager::with_board(15);
    manager.send("INFO variant capture\nINFO captures 8,0");
    // The brain is the first player: it has captured eight, and takes the last two.
    let board = "BOARD\n5,5,1\n6,5,2\n7,5,2\n0,0,1\n14,14,1\n3,9,2\n9,3,1\n12,2,2\n2,12,1\n11,7,2\n0,14,1\nDONE";
    assert_eq!(manager.point(board), (8, 5));
    manager.refused("BEGIN", "the first player has won");
    assert_eq!(manager.ask("TAKEBACK 8,5"), "OK");
    // Captures are told anew with every position; without them this is a game like any other.
    manager.point(board);
    manager.send("INFO rule 0\nINFO captures 8,0");
    manager.refused(board, "nothing is captured in freestyle");
}

#[test]
fn a_move_is_taken_back_and_a_game_begun_again() {
    let mut manager = Manager::with_board(15);
    let first = manager.point("TURN 7,7");
    assert_eq!(manager.ask(&format!("TAKEBACK {},{}", first.0, first.1)), "OK");
    assert_eq!(manager.ask("TAKEBACK 7,7"), "OK");
    assert_eq!(manager.point("BEGIN"), (7, 7));
    assert_eq!(manager.ask("RESTART"), "OK");
    assert_eq!(manager.point("BEGIN"), (7, 7));
    assert_eq!(manager.ask("START 20"), "OK");
    assert_eq!(manager.point("BEGIN"), (10, 10));
}

#[test]
fn swap2_is_opened_and_answered() {
    let mut manager = Manager::with_board(15);
    let points = |answer: &str| answer.split(' ').map(|point| point.split_once(',').is_some()).collect::<Vec<_>>();
    assert_eq!(points(&manager.ask("SWAP2BOARD\nDONE")), [true; 3]);
    let three = manager.ask("SWAP2BOARD\n7,7\n8,7\n9,9\nDONE");
    assert!(three == "SWAP" || matches!(points(&three)[..], [true] | [true, true]), "{three}");
    let five = manager.ask("SWAP2BOARD\n7,7\n8,7\n9,9\n8,8\n8,6\nDONE");
    assert!(five == "SWAP" || matches!(points(&five)[..], [true]), "{five}");
    manager.refused("SWAP2BOARD\n7,7\n8,7\nDONE", "0, 3 or 5");
    manager.refused("SWAP2BOARD\n7,7\n7,7\n8,8\nDONE", "a stone on 7,7");
}

#[test]
fn the_better_colour_is_taken() {
    let mut manager = Manager::with_board(15);
    // The first player's two stones in the middle against one in the corner, and the other way round.
    assert_eq!(manager.ask("SWAP2BOARD\n7,7\n0,0\n8,8\n1,0\n7,8\nDONE"), "SWAP");
    let (x, y) = manager.point("SWAP2BOARD\n0,0\n7,7\n14,14\n8,8\n0,14\nDONE");
    assert!(x < 15 && y < 15);
}

#[test]
fn blocked_points_are_not_played() {
    let mut manager = Manager::with_board(15);
    manager.send("YXBLOCK\n4,0\nDONE");
    assert_ne!(manager.point(FOUR), (4, 0));
    manager.send("YXBLOCKUNDO\n4,0\nDONE");
    assert_eq!(manager.point(FOUR), (4, 0));
    manager.send("YXBLOCK\n4,0\n7,7\nDONE\nYXBLOCKRESET");
    assert_eq!(manager.point(FOUR), (4, 0));
    manager.refused("YXBLOCK\n15,0\nDONE", "outside");
    manager.send("YXBLOCK\n7,7\nDONE");
    assert_ne!(manager.point("BOARD\nDONE"), (7, 7));
}

#[test]
fn a_yixin_board_is_served() {
    let mut manager = Manager::with_board(15);
    manager.send("YXSHOWINFO");
    assert_eq!(manager.line().unwrap(), "MESSAGE INFO MAX_THREAD_NUM 256");
    assert_eq!(manager.line().unwrap(), "MESSAGE INFO MAX_HASH_SIZE 30");
    assert_eq!(manager.ask("YXSHOWFORBID"), "FORBID .");
    manager.send("YXHASHCLEAR");
    assert!(manager.line().unwrap().contains("empty"));
    manager.send("YXSHOWHASHUSAGE");
    assert_eq!(manager.line().unwrap(), "MESSAGE 0.0% of the table are in use");
    manager.send("YXBOARD\n7,7,2\nDONE\nINFO show_detail 3\nYXNBEST 2");
    let lines: Vec<String> =
        std::iter::from_fn(|| manager.line().filter(|line| line.starts_with(['M', 'I']))).collect();
    for start in
        ["MESSAGE depth ", "MESSAGE REALTIME BEST ", "INFO PV 1", "INFO NUMPV 2", "INFO EVAL ", "INFO BESTLINE "]
    {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {lines:?}");
    }
    manager.send("INFO show_detail 0\nINFO max_node 500");
    manager.point("YXSEARCHDEFEND");
    manager.point("YXBALANCEONE 0");
    let two = manager.ask("YXBALANCETWO 10");
    assert_eq!(two.split(' ').count(), 2, "{two}");
}

#[test]
fn without_being_asked_the_brain_says_one_thing_a_move() {
    let mut manager = Manager::with_board(15);
    manager.send("TURN 7,7");
    let message = manager.line().unwrap();
    for word in ["MESSAGE depth ", " score ", " nodes ", " speed ", " time ", " stage ", " line "] {
        assert!(message.contains(word), "{message}");
    }
    assert!(manager.line().unwrap().contains(','));
}

/// A search that would take an hour.
fn thinking() -> Manager {
    let mut manager = Manager::new();
    assert_eq!(manager.ask("START 15"), "OK");
    manager.send("INFO timeout_turn 3600000\nYXSHOWINFO\nTURN 7,7");
    while !manager.line().unwrap().starts_with("MESSAGE depth") {}
    manager
}

#[test]
fn a_game_begins_with_a_move_from_the_book() {
    let mut manager = Manager::new();
    // A search would take an hour.
    manager.send("INFO OwnBook 1\nINFO timeout_turn 3600000");
    assert_eq!(manager.ask("START 15"), "OK");
    let (x, y) = manager.point("BEGIN");
    assert!(x < 15 && y < 15);
}

#[test]
fn a_search_is_stopped() {
    for stop in ["STOP", "YXSTOP", "INFO timeout_turn 1", "INFO time_left 0"] {
        let mut manager = thinking();
        manager.point(stop);
        manager.send("STOP");
        assert_eq!(manager.ask("RESTART"), "OK", "a stop while nothing is searched does nothing");
    }
}

#[test]
fn the_end_in_a_search_is_silent() {
    let mut manager = thinking();
    manager.send("END");
    assert!(manager.rest().iter().all(|line| line.starts_with("MESSAGE")));
}

#[test]
fn commands_that_come_in_a_search_are_answered_after_it_in_their_order() {
    let mut manager = thinking();
    manager.send("ABOUT\nINFO max_node 100\nRESTART\nBEGIN\nSTOP");
    let answers: Vec<String> = (0..4).map(|_| manager.answer()).collect();
    assert!(answers[0].contains(',') && answers[1].starts_with("name=\"Polyply\""), "{answers:?}");
    assert_eq!(answers[2..], ["OK", "7,7"]);
}

#[test]
fn thinking_on_the_opponents_time_does_no_harm() {
    let mut manager = Manager::with_board(15);
    manager.send("INFO pondering 1");
    let (x, y) = manager.point("TURN 7,7");
    let free = [(3, 3), (3, 4)].into_iter().find(|point| *point != (x, y)).unwrap();
    manager.point(&format!("TURN {},{}", free.0, free.1));
    manager.send("INFO pondering 0");
    assert_eq!(manager.ask("START 15"), "OK");
}

#[test]
fn several_threads_and_another_table_are_had_between_moves() {
    let mut manager = Manager::with_board(15);
    manager.send("INFO thread_num 2\nINFO hash_size 2048");
    assert_eq!(manager.point(FOUR), (4, 0));
    manager.send("INFO max_memory 1\nINFO thread_num 1\nINFO lmr 0");
    assert_eq!(manager.point(FOUR), (4, 0));
}

fn answers(bytes: &[u8]) -> Vec<String> {
    script(&[b"INFO hash_size 1024\nINFO OwnBook 0\nINFO max_node 200\n", bytes].concat())
        .into_iter()
        .filter(|line| crate::manager::is_answer(line))
        .collect()
}

#[test]
fn a_script_is_answered_to_its_end() {
    let moves = answers(b"START 15\r\nBEGIN\r\nTURN 0,0\r\nEND\r\n");
    assert_eq!(moves.len(), 3, "{moves:?}");
    assert_eq!(answers(b"START 15\nBEGIN\nTURN 0,0").len(), 3);
    assert_eq!(answers(b"ABOUT\nEND\nABOUT\n").len(), 1);
}

#[test]
fn a_search_without_a_limit_ends_with_the_input() {
    let endless = "INFO hash_size 1024\nINFO OwnBook 0\nINFO timeout_turn 2147483647\nINFO max_node 0";
    let lines = script(format!("{endless}\nSTART 15\nTURN 7,7\n").as_bytes());
    assert!(lines.last().unwrap().contains(','), "{lines:?}");
}

#[test]
fn a_board_without_an_end_is_given_up() {
    let lines = answers(b"START 15\nBOARD\n7,7,1\n");
    assert!(lines[1].starts_with("ERROR ") && lines[1].contains("DONE"), "{lines:?}");
    let lines = answers(b"START 15\nBOARD\n7,7,2\nRESTART\nBEGIN\n");
    assert!(lines[1].starts_with("ERROR BOARD was not ended"), "{lines:?}");
    assert_eq!(lines[2..], ["OK", "7,7"]);
    let lines = answers(b"START 15\nBOARD\nINFO max_node 300\n7,7,2\nDONE\n");
    assert!(lines.len() == 2 && !lines[1].starts_with("ERROR"), "{lines:?}");
}

#[test]
fn lines_of_any_length_and_any_bytes_are_survived() {
    let long = [b"START 15\n".to_vec(), vec![b'7'; 1 << 20], b"\nBEGIN\n".to_vec()].concat();
    let lines = answers(&long);
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("ERROR a line has at most"), "{}", lines[1]);
    assert_eq!(lines[2], "7,7");
    let lines = answers(b"\xff\xfe\x00\n\n  \nSTART \xff\nSTART 15\n");
    assert!(lines[0].starts_with("UNKNOWN ") && lines[1].starts_with("ERROR "), "{lines:?}");
    assert_eq!(lines[2..], ["OK"]);
}

#[test]
fn more_lines_than_fit_into_memory_wait_in_the_pipe() {
    let flood = [b"START 15\nTURN 7,7\n".to_vec(), b"ABOUT\n".repeat(50_000)].concat();
    assert_eq!(answers(&flood).len(), 50_002);
}
