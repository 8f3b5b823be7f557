//! GTP as a board sees it.

use crate::talk::script;
use polyply_engine::Variant;
use polyply_protocol::gtp;

/// The answers to a script, each without its empty line.
fn answers(variant: &str, lines: &str) -> Vec<String> {
    let variant = Variant::find(variant).unwrap();
    // From its book it would draw another move each time.
    let bytes = format!("set_option Hash 1\nset_option OwnBook off\nset_limit nodes 300\n{lines}\n");
    let lines = script(|input, output| gtp::run(input, output, &variant), bytes.as_bytes());
    let text = lines.join("\n");
    let answers: Vec<String> = text.split("\n\n").map(|answer| answer.trim_end().to_owned()).collect();
    assert_eq!(&answers[..3], ["=", "=", "="], "{answers:#?}");
    answers.into_iter().skip(3).filter(|answer| !answer.is_empty()).collect()
}

#[test]
fn a_game_is_played_with_ids_and_without() {
    let told = answers("freestyle:15", "1 play b H8\nplay w J9\n2 genmove b\nundo\n7 undo\nshowboard\nquit");
    assert_eq!(told[..2], ["=1", "="]);
    assert!(told[2].starts_with("=2 ") && told[2].len() > 4, "{told:#?}");
    assert_eq!(told[3..5], ["=", "=7"]);
    assert!(told[5].starts_with("=\n15 ") || told[5].starts_with("= \n15 "), "{}", told[5]);
    assert_eq!(told[6], "=");
}

#[test]
fn a_game_begins_with_a_move_from_the_book() {
    // A search would not end before its nodes.
    let told = answers("othello", "set_option OwnBook on\nset_limit nodes 2000000000000\ngenmove b");
    assert!(["D3", "C4", "F5", "E6"].iter().any(|mv| told[2] == format!("= {mv}")), "{told:#?}");
}

#[test]
fn what_can_not_be_done_is_refused_in_one_line() {
    for (bad, says) in [
        ("play b Z9", "illegal move"),
        ("play w H8", "turn"),
        ("play b", "a colour and a move"),
        ("play red H8", "a colour is"),
        ("genmove w", "turn"),
        ("undo", "nothing to undo"),
        ("boardsize 99", "unacceptable size"),
        ("boardsize big", "a size"),
        ("time_left b -1 0", "seconds"),
        ("time_left b nan 0", "seconds"),
        ("set_game ludo", "no game `ludo`"),
        ("time_settings 1", "main time"),
        ("set_limit luck 3", "depth or nodes"),
        ("final_score", "not over"),
        ("xyzzy", "unknown command"),
    ] {
        let told = answers("freestyle:15", &format!("3 {bad}\ngogui-rules_side_to_move"));
        assert!(told[0].starts_with("?3 ") && told[0].contains(says) && !told[0].contains('\n'), "{bad}: {told:#?}");
        assert_eq!(told[1], "= black", "{bad}");
    }
}

#[test]
fn every_game_tells_its_rules() {
    for variant in Variant::all() {
        let told = answers(
            variant.name(),
            "gogui-rules_game_id\ngogui-rules_board_size\ngogui-rules_board\ngogui-rules_legal_moves\n\
             gogui-rules_side_to_move\ngogui-rules_final_result\ngenmove b\ngogui-rules_side_to_move",
        );
        let name = variant.name();
        assert_eq!(told[0], format!("= {}", variant.about().title), "{name}");
        let layout = variant.layout();
        assert_eq!(told[2].lines().count(), layout.rows + 1, "{name}: {}", told[2]);
        let legal: Vec<&str> = told[3].split_whitespace().skip(1).collect();
        assert!(!legal.is_empty(), "{name}");
        assert_eq!(told[4..6], ["= black", "="], "{name}");
        assert!(legal.contains(&told[6].strip_prefix("= ").unwrap()), "{name}: {} of {legal:?}", told[6]);
        assert_eq!(told[7], "= white", "{name}");
    }
}

#[test]
fn games_of_othello_and_connect_four_are_points_on_a_board() {
    let told = answers("connect4", "set_game Othello\nplay b F5\ngogui-rules_board\ngogui-rules_legal_moves");
    let rows: Vec<&str> = told[2].lines().collect();
    // The row with the greatest number is on top, so that a board for Go shows F5 where it is.
    assert_eq!(rows[8], ". . . . . . . .");
    assert_eq!(rows[4], ". . . X X X . .", "{}", told[2]);
    let legal: Vec<&str> = told[3].split_whitespace().skip(1).collect();
    assert_eq!(legal.len(), 3);
    let told = answers("connect4", "play b D1\nplay w D2\nplay b D2\nshowboard");
    assert_eq!(told[..2], ["=", "="]);
    assert!(told[2].starts_with("? illegal move"));
}

#[test]
fn a_game_that_is_over_has_a_score_and_no_move() {
    let moves = "play b A1\nplay w A2\nplay b B1\nplay w B2\nplay b C1";
    let told = answers("tictactoe", &format!("{moves}\nfinal_score\ngogui-rules_final_result\ngenmove w\nplay w C3"));
    assert_eq!(told[5..7], ["= B+", "= the first player has won"]);
    assert!(told[7].starts_with("? the game is over") && told[8].starts_with("? illegal move"), "{told:#?}");
}

#[test]
fn time_is_told_in_whole_seconds_or_in_parts_of_them() {
    assert_eq!(answers("tictactoe", "time_settings 60 0 0\ntime_left b 59 0\ntime_left w 0.25 1"), ["=", "=", "="]);
}
