//! Games survive the way through every format, as far as the format has a place for what they are.

use polyply_engine::{PositionSpec, Score, Side};
use polyply_lab::record::{End, Format, Move, Reason, Record};
use proptest::prelude::*;
use std::time::Duration;

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        (-30_000..30_000).prop_map(Score::Centi),
        (1..900).prop_map(Score::Win),
        (1..900).prop_map(|plies: i32| Score::Win(-plies)),
        (-64..=64).prop_map(Score::Points),
    ]
}

fn milliseconds() -> impl Strategy<Value = Duration> {
    (0u64..10_000_000).prop_map(Duration::from_millis)
}

fn cell() -> impl Strategy<Value = String> {
    ((b'a'..=b'o').prop_map(char::from), 1..=15).prop_map(|(column, row)| format!("{column}{row}"))
}

fn played() -> impl Strategy<Value = Move> {
    let option = proptest::option::of::<BoxedStrategy<_>>;
    (
        cell(),
        proptest::option::of(score()),
        proptest::option::of(0..200),
        proptest::option::of(0u64..1 << 40),
        option(milliseconds().boxed()),
    )
        .prop_map(|(text, score, depth, nodes, time)| Move { text, score, depth, nodes, time, ..Move::default() })
}

fn end() -> impl Strategy<Value = End> {
    let reasons = proptest::sample::select(&Reason::ALL[..]);
    let winner = prop_oneof![Just(None), Just(Some(Side::First)), Just(Some(Side::Second))];
    // Somebody lost by whatever ends a game before its end, and nobody has while it goes on.
    (reasons, winner, ".{0,20}").prop_map(|(reason, winner, detail)| {
        let winner = match reason {
            Reason::Unfinished => None,
            reason if reason.is_failure() => winner.or(Some(Side::Second)),
            _ => winner,
        };
        End { winner, reason, points: None, detail: detail.trim().replace(char::is_control, " ") }
    })
}

const POSITION: &str = "15/15/15/15/15/15/7x7/7o7/15/15/15/15/15/15/15 x";

fn record() -> impl Strategy<Value = Record> {
    let position = proptest::option::of(Just(POSITION.to_owned()));
    let name = r#"[ -~äß]{0,12}"#;
    (
        (0u64..100_000, position, proptest::collection::vec(cell(), 0..5)),
        [name, name],
        proptest::collection::vec(played(), 0..20),
        end(),
        [proptest::option::of(milliseconds()), proptest::option::of(milliseconds())],
        proptest::option::of(Just("2026-11-16".to_owned())),
        proptest::collection::vec(("[A-Z][a-z]{3,8}x", r#"[ -~]{0,10}"#), 0..3),
    )
        .prop_map(|((number, position, moves), players, played, end, left, date, settings)| Record {
            number,
            variant: "caro:15,opening=none".into(),
            opening: PositionSpec { position, moves },
            players,
            moves: played,
            end,
            left,
            date,
            settings,
            ..Record::default()
        })
}

fn back(format: Format, records: &[Record]) -> Vec<Record> {
    let text: String = records.iter().map(|record| format.write(record).unwrap()).collect();
    format.read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn json_pgn_and_sgf_give_back_what_they_got(records in proptest::collection::vec(record(), 1..3)) {
        let records: Vec<Record> = (0..).zip(records).map(|(at, record)| Record { number: 2 * record.number + at, ..record }).collect();
        for format in [Format::Json, Format::Pgn, Format::Sgf] {
            prop_assert_eq!(&back(format, &records), &records, "{:?}", format);
        }
    }

    #[test]
    fn nothing_that_is_read_makes_a_reader_panic(text in r#"(\(;|;\)|[\[\](){};:,"/*.+\-]|GM|SZ|B|AB|RE|BO|Piskvorky |15x15|1|8|h8|\n| |é|\\){0,60}"#) {
        for format in [Format::Json, Format::Pgn, Format::Sgf, Format::Psq, Format::Ggf] {
            if let Err(error) = format.read(text.as_bytes(), None) {
                let error = error.to_string();
                prop_assert!(!error.is_empty() && !error.contains('\n'), "{error}");
            }
        }
    }
}

fn game(variant: &str, moves: &[&str]) -> Record {
    let time = Some(Duration::from_millis(420));
    let moves = moves.iter().map(|&text| Move { text: text.into(), time, ..Move::default() }).collect();
    Record { variant: variant.into(), players: ["new".into(), "old".into()], moves, ..Record::default() }
}

#[test]
fn pgn_is_what_others_read() {
    let mut record = game("connect4", &["d", "c"]);
    record.opening.moves = vec!["d".into()];
    record.moves[0].score = Some(Score::Centi(35));
    record.moves[0].depth = Some(12);
    record.end = End { winner: Some(Side::Second), reason: Reason::Time, ..End::default() };
    record.settings = vec![("TimeControl".into(), "1+0.01".into())];
    assert_eq!(
        Format::Pgn.write(&record).unwrap(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"new\"]\n[Black \"old\"]\n\
         [Result \"0-1\"]\n[Variant \"connect4\"]\n[PlyCount \"3\"]\n[Termination \"time forfeit\"]\n\
         [TimeControl \"1+0.01\"]\n\n1. d {book} d {+0.35/12 0.420s} 2. c {0.420s} 0-1\n\n"
    );
}

#[test]
fn pgn_of_others_is_read() {
    let text = "[White \"A \\\"x\\\"\"]\n[Result \"1/2-1/2\"]\n[Termination \"rules infraction\"]\n\n; a remark\n\
                1.e4! {[%eval 0.3]} (1. d4 (1. c4) {)} d5) 1... e5 $1 2.Nf3 {+0.10/9 1.2s} 1/2-1/2\n\n1. d4 *\n";
    let games: [Record; 2] = Format::Pgn.read(text.as_bytes(), None).unwrap().try_into().unwrap();
    let moves: Vec<Vec<&str>> = games.iter().map(|game| game.all_moves().collect()).collect();
    assert_eq!(moves, [vec!["e2e4", "e7e5", "g1f3"], vec!["d2d4"]]);
    let first = &games[0].moves[0];
    assert_eq!((first.score, &first.nags[..], games[0].moves[1].nags[0]), (Some(Score::Centi(30)), &[1][..], 1));
    let line = &first.variations[0];
    assert_eq!((line[0].text.as_str(), line[1].text.as_str()), ("d2d4", "d7d5"));
    assert_eq!((line[0].variations[0][0].text.as_str(), line[0].comment.as_str()), ("c2c4", ")"));
    assert_eq!(games[0].comment, "a remark");
    assert_eq!((games[0].variant.as_str(), games[0].players[0].as_str()), ("chess", "A \"x\""));
    assert_eq!(games[0].moves[2].score, Some(Score::Centi(10)));
    assert_eq!(games[0].end.detail, "rules infraction");
    assert_eq!(games[1].end, End::default());
    assert_eq!(games.map(|game| game.number), [0, 1], "without rounds by their order");
}

#[test]
fn sgf_counts_rows_from_the_top() {
    let mut record = game("freestyle:15", &["h8", "a1", "o15"]);
    record.end = End { winner: Some(Side::First), reason: Reason::Rules, ..End::default() };
    let text = Format::Sgf.write(&record).unwrap();
    assert!(text.contains(";B[hh]C[0.420s];W[ao]C[0.420s];B[oa]C[0.420s])"), "{text}");
    assert!(text.contains("SZ[15]RU[freestyle\\:15]PB[new]PW[old]") && text.contains("RE[B+]"), "{text}");
}

#[test]
fn sgf_of_others_is_read_along_its_first_variation() {
    let text = "(;GM[4]SZ[15]AB[hh][ii]AW[hi]PL[W];W[ab]C[opening move](;B[cd]C[483ms](;W[aa])(;W[bb]))(;B[ee]))";
    let games = Format::Sgf.read(text.as_bytes(), None).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].all_moves().collect::<Vec<_>>(), ["a14", "c12", "a15"]);
    assert_eq!(games[0].opening.moves, ["a14"]);
    assert_eq!(games[0].moves[0].time, Some(Duration::from_millis(483)));
    let position = games[0].opening.position.as_deref().unwrap();
    assert_eq!(position, "15/15/15/15/15/15/15/7x7/7ox6/15/15/15/15/15/15 o 0 0");
}

#[test]
fn sgf_holds_othello_with_its_passes_and_its_discs() {
    let mut record = game("othello", &["f5", "d6", "pass", "c3"]);
    record.moves[0].score = Some(Score::Points(2));
    record.end = End { winner: Some(Side::Second), reason: Reason::Rules, points: Some(-4), ..End::default() };
    let text = Format::Sgf.write(&record).unwrap();
    assert!(text.contains("GM[2]") && text.contains("SZ[8]RU[othello]") && text.contains("RE[W+4]"), "{text}");
    assert!(text.contains(";B[fe]C[+2 0.420s];W[df]C[0.420s];B[]C[0.420s];W[cc]"), "{text}");
    let set_up = format!("{}X{}O{} O", "-".repeat(9), "-".repeat(20), "-".repeat(33));
    let mut begun = game("othello", &["a1"]);
    begun.opening.position = Some(set_up.clone());
    begun.number = 1;
    begun.end = End { reason: Reason::Rules, points: Some(0), ..End::default() };
    let records = [record, begun];
    assert_eq!(back(Format::Sgf, &records), records);
    let text = Format::Sgf.write(&records[1]).unwrap();
    assert!(text.contains("AB[bb]AW[gd]PL[W]"), "{text}");
    let foreign = text.replace("POSITION", "XX").replace("RU[othello]", "");
    assert_eq!(Format::Sgf.read(foreign.as_bytes(), None).unwrap()[0].opening.position, Some(set_up));
}

#[test]
fn sgf_of_othello_from_others_may_leave_out_passes_and_show_the_first_discs() {
    let text = "(;GM[2]AB[ed][de]AW[dd][ee];B[fe];W[df];W[cc];B[tt])";
    let game = Format::Sgf.read(text.as_bytes(), None).unwrap().remove(0);
    assert_eq!(game.all_moves().collect::<Vec<_>>(), ["f5", "d6", "pass", "c3", "pass"]);
    assert_eq!((game.variant.as_str(), game.opening.position), ("othello", None));
}

#[test]
fn psq_keeps_moves_times_and_players() {
    let mut record = game("freestyle:15", &["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"]);
    record.end = End { winner: Some(Side::First), reason: Reason::Rules, ..End::default() };
    let text = Format::Psq.write(&record).unwrap();
    assert!(text.starts_with("Piskvorky 15x15, 11:11, 0\n8,8,420\n1,15,420\n"), "{text}");
    let second = Record { number: 1, ..record.clone() };
    assert_eq!(back(Format::Psq, &[record, second.clone()])[1], second);
}

#[test]
fn a_name_that_looks_like_the_end_of_a_ggf_game_is_read_back() {
    for name in ["b;)(;", "[a]", "x;)", "(;GM[Othello]", ");"] {
        let players = [name.to_owned(), "other".to_owned()];
        let record = Record { variant: "othello".to_owned(), players, ..Record::default() };
        let text = Format::Ggf.write(&record).unwrap();
        let read = Format::Ggf.read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((read.len(), read[0].players[1].as_str()), (1, "other"), "{text}");
    }
}

#[test]
fn ggf_keeps_discs_of_the_side_that_moves() {
    let mut record = game("othello", &["f5", "d6", "pass"]);
    record.moves[0].score = Some(Score::Points(2));
    record.moves[1].score = Some(Score::Points(2));
    record.date = Some("2026-11-16".into());
    record.end = End { winner: Some(Side::Second), reason: Reason::Rules, points: Some(-4), ..End::default() };
    let text = Format::Ggf.write(&record).unwrap();
    assert!(text.contains("RE[-4.000]") && text.contains("B[F5/2.00/0.420]W[D6/-2.00/0.420]B[PA//0.420];)"), "{text}");
    assert_eq!(back(Format::Ggf, std::slice::from_ref(&record))[0], record);
}

#[test]
fn what_a_format_can_not_hold_and_what_is_no_game_is_told_in_a_sentence() {
    let write = |format: Format, variant| format.write(&game(variant, &["d"])).unwrap_err().to_string();
    assert!(write(Format::Sgf, "connect4").contains("connect4"));
    assert!(write(Format::Ggf, "connect4").contains("Othello"));
    assert!(write(Format::Psq, "freestyle:15").contains('d'));
    for (format, text, says) in [
        (Format::Json, "{}\n", "line 1"),
        (
            Format::Json,
            "{\"number\":0,\"variant\":\"x\",\"players\":[\"a\",\"b\"],\"moves\":[],\"result\":\"2\",\"reason\":\"normal\"}\n",
            "`2`",
        ),
        (Format::Pgn, "1. e4 e5", "result at its end is missing"),
        (Format::Pgn, "[White \"x", "no end"),
        (Format::Sgf, "(;GM[1];B[aa])", "GM 1"),
        (Format::Sgf, "(;GM[4]SZ[15];B[zz])", "`zz`"),
        (Format::Sgf, "(;SZ[\n];)", "is a number"),
        (Format::Sgf, "hello", "not SGF"),
        (Format::Psq, "Piskvorky 15x14, 0:0, 0\n", "begins with"),
        (Format::Psq, "Piskvorky 15x15, 0:0, 0\n16,1,0\n", "16,1"),
        (Format::Ggf, "(;GM[Othello]BO[10 *]", "no `;)`"),
        (Format::Ggf, "(;GM[Othello]RE[x];)", "`x`"),
    ] {
        let error = format.read(text.as_bytes(), None).unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_line_that_was_cut_off_is_passed_over() {
    let line = Format::Json.write(&game("connect4", &["d"])).unwrap();
    assert_eq!(Format::Json.read(format!("{line}{}", &line[..30]).as_bytes(), None).unwrap().len(), 1);
}
