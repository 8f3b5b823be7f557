//! A report says what the games say.

use polyply_engine::{Score, Side};
use polyply_lab::record::{End, Move, Reason, Record};
use polyply_lab::report::Report;
use std::time::Duration;

/// Game `number` of two players, who change sides in every second game; the winner by name.
fn game(number: u64, players: [&str; 2], winner: Option<&str>, plies: usize) -> Record {
    let seats = if number.is_multiple_of(2) { players } else { [players[1], players[0]] };
    let winner = winner.map(|name| if seats[0] == name { Side::First } else { Side::Second });
    let mv = |ply: usize| Move {
        text: "h8".into(),
        score: Some(Score::Centi(3)),
        depth: Some(8),
        nodes: Some(1000),
        // The player who moves first takes twice as long.
        time: Some(Duration::from_millis(if ply.is_multiple_of(2) { 200 } else { 100 })),
        ..Move::default()
    };
    Record {
        number,
        variant: "freestyle:15".into(),
        players: seats.map(str::to_owned),
        moves: (0..plies).map(mv).collect(),
        end: End { winner, reason: Reason::Rules, ..End::default() },
        ..Record::default()
    }
}

fn report(sprt: Option<&str>, records: &[Record]) -> Report {
    let settings = vec![("nodes".to_owned(), "<1000>".to_owned())];
    let mut report = Report::new("new & old", &[], sprt.map(|sprt| sprt.parse().unwrap()), settings);
    records.iter().for_each(|record| report.add(record));
    report
}

#[test]
fn a_match_is_told_from_the_first_players_side_by_pairs() {
    let both = ["new", "old"];
    let records = [
        game(0, both, Some("new"), 9),
        game(1, both, Some("new"), 12),
        // The partner of a game may come later.
        game(4, both, None, 20),
        game(2, both, Some("old"), 30),
        game(3, both, Some("new"), 31),
        game(5, both, Some("old"), 9),
    ];
    let json = report(Some("0,5"), &records).json();
    assert_eq!(json["games"], 6);
    assert_eq!(json["match"]["pairs"], serde_json::json!([0, 1, 1, 0, 1]));
    assert_eq!([&json["match"]["won"], &json["match"]["drawn"], &json["match"]["lost"]], [3, 1, 2]);
    assert!((json["match"]["score"].as_f64().unwrap() - 3.5 / 6.0).abs() < 1e-9);
    assert_eq!(json["sprt"]["decision"], "continue");
    assert_eq!(json["lengths"], serde_json::json!([[9, 2], [12, 1], [20, 1], [30, 1], [31, 1]]));
    assert_eq!(json["players"][0]["depth"], 8.0);
    assert_eq!(json["settings"]["nodes"], "<1000>");
}

#[test]
fn the_page_holds_everything_and_runs_nothing() {
    let both = ["new", "old"];
    let mut records: Vec<Record> =
        (0..40).map(|number| game(number, both, Some(both[usize::from(number % 3 == 0)]), 20)).collect();
    records[7].end.reason = Reason::Illegal;
    records[7].end.detail = "<b>h8</b> is taken".into();
    let page = report(Some("0,50,0.05,0.1,normalised"), &records).html();
    for part in [
        "<title>new &amp; old</title>",
        "Elo over games",
        "Log-likelihood ratio",
        "Length of games",
        "Time by move",
        "sequential test of [0, 50] normalised Elo",
        "illegal move",
        "&lt;b&gt;h8&lt;/b&gt; is taken",
        "&lt;1000&gt;",
        "prefers-color-scheme: dark",
        "name=\"viewport\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "http://", "https://", "<b>h8", "NaN", "inf"] {
        assert!(!page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<svg").count(), 4);
}

#[test]
fn a_report_of_nothing_and_one_of_wins_alone_are_pages_too() {
    let records: Vec<Record> = (0..4).map(|number| game(number, ["new", "old"], Some("new"), 9)).collect();
    for records in [&records[..0], &records[..1], &records[..]] {
        let report = report(Some("0,5"), records);
        let page = report.html();
        assert!(page.ends_with("</html>\n") && !page.contains("NaN") && !page.contains("inf"), "{page}");
        assert_eq!(report.json()["games"], records.len());
    }
    assert!(report(None, &records).html().contains("+∞ ± ∞"));
}

#[test]
fn a_tournament_has_ratings_and_a_cross_table() {
    let mut records = Vec::new();
    for (number, (players, winner)) in (0..).zip([
        (["a", "b"], "a"),
        (["a", "b"], "b"),
        (["a", "c"], "a"),
        (["a", "c"], "a"),
        (["b", "c"], "b"),
        (["b", "c"], "c"),
        (["a", "b"], "a"),
        (["a", "b"], "a"),
        (["a", "c"], "c"),
        (["a", "c"], "a"),
    ]) {
        records.push(game(number, players, Some(winner), 9));
    }
    let report = report(None, &records);
    let (page, json) = (report.html(), report.json());
    assert!(page.contains("Ratings") && page.contains("Cross table") && !page.contains("Elo over games"));
    assert_eq!(json["meetings"].as_array().unwrap().len(), 3);
    assert_eq!(json["meetings"][0]["pairs"], serde_json::json!([0, 0, 1, 0, 1]));
    assert!(json["players"][0]["rating"]["value"].as_f64().unwrap() > 0.0);
    // The winner stands first, with its games against the two others.
    let row = page.split("Cross table").nth(1).unwrap();
    assert!(row.contains("<td>1</td><td class=\"name\">a</td><td>–</td><td>3/4</td><td>3/4</td>"), "{row}");
}
