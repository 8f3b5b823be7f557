//! Formats of chess and Othello: what other programs write is read, and what is read can be written again.

use polyply_engine::{Score, Side, Variant};
use polyply_lab::record::{Format, Reason, Record};

fn read(format: Format, text: &str) -> Vec<Record> {
    format.read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn moves(record: &Record) -> String {
    record.all_moves().collect::<Vec<_>>().join(" ")
}

/// Castling on both sides, a promotion, disambiguation, check and mate, and a variation in a variation.
const PGN: &str = r#"[Event "A test"]
[Site "?"]
[Date "2026.11.16"]
[Round "1"]
[White "one"]
[Black "other"]
[Result "1-0"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/P2p3P/R3K2R w KQkq - 0 30"]

{An odd position.} 30. Kxd2 $2 ( 30. Ke2 d1=Q+ ( 30... O-O-O 31. Rad1 ) 31. Raxd1
) 30... O-O {+1.50/9 0.500s; a fine move} 31. Kc3 Rac8+ 1-0
"#;

#[test]
fn a_tag_has_one_line_whatever_is_in_it() {
    let text = "[White \"a\tb\"]\n[FEN \"8/8/8/3pP3/8/8/k7/4K2R\r\n w K d6 0 1\"]\n\n1. exd6 *\n";
    let record = read(Format::Pgn, text).remove(0);
    assert_eq!(record.players[0], "a b");
    assert_eq!(read(Format::Pgn, &Format::Pgn.write(&record).unwrap())[0], record);
}

#[test]
fn pgn_keeps_comments_judgements_and_variations() {
    let record = read(Format::Pgn, PGN).remove(0);
    assert_eq!(moves(&record), "e1d2 e8g8 d2c3 a8c8");
    assert_eq!(record.comment, "An odd position.");
    let [king, castles, ..] = &record.moves[..] else { panic!() };
    assert_eq!(king.nags, [2]);
    let line: Vec<&str> = king.variations[0].iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(line, ["e1e2", "d2d1q", "a1d1"]);
    let inner: Vec<&str> = king.variations[0][1].variations[0].iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(inner, ["e8c8", "a1d1"]);
    assert_eq!(
        (castles.score, castles.depth, castles.comment.as_str()),
        (Some(Score::Centi(150)), Some(9), "a fine move")
    );
    let written = Format::Pgn.write(&record).unwrap();
    for wanted in ["30. Kxd2 $2 (30. Ke2 d1=Q+ (30... O-O-O", "31. Raxd1)", "30... O-O {+1.50/9", "Rac8+ 1-0"] {
        assert!(written.replace('\n', " ").contains(wanted), "{wanted}\n{written}");
    }
    assert_eq!(read(Format::Pgn, &written)[0], record);
    let json = Format::Json.write(&record).unwrap();
    assert_eq!(read(Format::Json, &json), [record], "JSON keeps all of it too");
}

#[test]
fn a_game_that_is_wrong_is_told_with_its_line_and_the_others_are_read() {
    let good = "[White \"a\"]\n\n1. e4 e5 1-0\n\n";
    let text = format!("{good}[White \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n{good}[White \"c\"]\n\n1. e4 (1. d4 {{no end\n");
    let games = Format::Pgn.read_all(text.as_bytes(), None);
    let faults: Vec<String> = games.iter().filter_map(|game| Some(game.as_ref().err()?.to_string())).collect();
    assert_eq!((games.len(), faults.len()), (4, 2), "{games:#?}");
    assert!(faults[0].contains("game 2, line 7: ply 3") && faults[0].contains("Ke3"), "{}", faults[0]);
    assert!(faults[1].contains("game 4"), "{}", faults[1]);
    for (text, says) in [
        ("1. e4 ) *", "`)` without"),
        ("(1. e4) *", "before the first move"),
        ("1. e4 (1. d4 *", "result at its end is missing"),
        ("[FEN \"8/8 w\"]\n1. e4 *", "refused"),
        ("[Variant \"ludo\"]\n[White \"x", "no end"),
    ] {
        let error = Format::Pgn.read(text.as_bytes(), None).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("line "), "{text}: {error}");
    }
    let deep = format!("1. e4 {} *", "(1. d4 ".repeat(50));
    assert!(Format::Pgn.read(deep.as_bytes(), None).unwrap_err().to_string().contains("nested"));
}

#[test]
fn variants_of_pgn_go_by_the_names_that_others_give_them() {
    for (tag, variant) in
        [("Standard", "chess"), ("From Position", "chess"), ("Chess960", "chess,chess960=on"), ("standard", "standard")]
    {
        let text = format!("[Variant \"{tag}\"]\n\n*\n");
        assert_eq!(read(Format::Pgn, &text)[0].variant, variant);
    }
}

const TRANSCRIPT: &str = "f5f6e6f4g5g6g4";

#[test]
fn transcripts_leave_out_passes_and_reading_puts_them_back() {
    let othello = Variant::find("othello").unwrap();
    // After eight moves Black has nothing to play.
    let passes = "d3c3b3b2e6a3a1c1e3";
    let text = format!("# two games\n{TRANSCRIPT}\n\n{passes}\n");
    let games = Format::Moves.read_all(text.as_bytes(), Some(&othello));
    let first = games[0].as_ref().unwrap();
    assert_eq!(moves(first), "f5 f6 e6 f4 g5 g6 g4");
    assert_eq!(Format::Moves.write(first).unwrap(), format!("{TRANSCRIPT}\n"));
    let second = games[1].as_ref().unwrap();
    assert_eq!(moves(second), "d3 c3 b3 b2 e6 a3 a1 c1 pass e3");
    assert_eq!(Format::Moves.write(second).unwrap(), format!("{passes}\n"));
    let bad = Format::Moves.read_all(b"f5f6\nf5a1\nf5d6\n", Some(&othello));
    assert!(bad[0].is_ok() && bad[2].is_ok());
    assert!(bad[1].as_ref().unwrap_err().to_string().contains("line 2: ply 2"), "{bad:#?}");
    assert!(Format::Moves.read(b"f5", None).unwrap_err().to_string().contains("--variant"));
    let chess = Variant::find("chess").unwrap();
    let games = Format::Moves.read(b"e4 e5 Nf3\ne2e4 c7c5\n", Some(&chess)).unwrap();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["e2e4 e7e5 g1f3", "e2e4 c7c5"]);
    let five = Variant::find("freestyle:15").unwrap();
    assert_eq!(moves(&Format::Moves.read(b"h8i9j10", Some(&five)).unwrap()[0]), "h8 i9 j10");
}

/// The shortest game there is: after nine moves White has no disc left.
fn short_game() -> Record {
    let othello = Variant::find("othello").unwrap();
    let line = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
    let text = format!("{line}\n");
    let mut game = Format::Moves.read(text.as_bytes(), Some(&othello)).unwrap().remove(0);
    game.players = ["#17".into(), "#4".into()];
    game.date = Some("1985".into());
    game.settings = vec![("Tournament".into(), "#3".into()), ("Theoretical".into(), "64".into())];
    game
}

#[test]
fn wthor_has_a_header_and_sixty_eight_bytes_a_game() {
    let game = short_game();
    assert_eq!((game.end.winner, game.end.points, game.end.reason), (Some(Side::First), Some(64), Reason::Rules));
    let (bytes, faults) = Format::Wthor.write_all(&[game.clone(), game.clone()]);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(bytes.len(), 16 + 2 * 68);
    assert_eq!(
        (&bytes[4..8], &bytes[10..13]),
        (&[2, 0, 0, 0][..], &[0xc1, 0x07, 8][..]),
        "two games of 1985 on a board of 8"
    );
    assert_eq!(&bytes[16..28], &[3, 0, 17, 0, 4, 0, 64, 64, 65, 46, 35, 66], "numbers, discs, then row and column");
    let back = Format::Wthor.read(&bytes, None).unwrap();
    assert_eq!(back, [game.clone(), Record { number: 1, ..game }]);
}

#[test]
fn wthor_that_is_cut_off_is_refused_and_a_bad_game_is_told() {
    let (mut bytes, _) = Format::Wthor.write_all(&[short_game(), short_game()]);
    bytes[24] = 99;
    let games = Format::Wthor.read_all(&bytes, None);
    assert!(
        games[0].as_ref().unwrap_err().to_string().contains("game 1: 99 is not a cell") && games[1].is_ok(),
        "{games:#?}"
    );
    bytes[24] = 11;
    assert!(Format::Wthor.read(&bytes, None).unwrap_err().to_string().contains("game 1: ply 1"));
    bytes.pop();
    assert!(Format::Wthor.read(&bytes, None).unwrap_err().to_string().contains("announces 2 games"));
    assert!(Format::Wthor.read(&bytes[..9], None).unwrap_err().to_string().contains("incomplete"));
    let chess = Record { variant: "chess".into(), ..Record::default() };
    assert_eq!(Format::Wthor.write_all(&[chess]).1.len(), 1, "it holds no chess");
}

#[test]
fn positions_keep_what_stands_behind_them() {
    let epd = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n";
    assert_eq!(Format::Epd.write(&read(Format::Epd, epd)[0]).unwrap(), epd);
    let whole = "4k3/8/8/8/8/8/8/4K2R w K - 7 40";
    assert_eq!(
        Format::Epd.write(&read(Format::Epd, whole)[0]).unwrap(),
        "4k3/8/8/8/8/8/8/4K2R w K - fmvn 40; hmvc 7;\n"
    );
    let cells = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";
    let obf = format!("{cells} X; G8:+18; H1:+12;\n");
    assert_eq!(Format::Obf.write(&read(Format::Obf, &obf)[0]).unwrap(), obf);
    let faults = Format::Obf.read_all(format!("% a comment\n{cells} X;\n{cells} Z;\n{cells} O;\n").as_bytes(), None);
    assert!(faults[0].is_ok() && faults[2].is_ok());
    assert!(faults[1].as_ref().unwrap_err().to_string().contains("line 3"), "{faults:#?}");
}

#[test]
fn a_position_file_has_where_the_game_has_come_to() {
    let mut game = read(Format::Pgn, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *").remove(0);
    game.cut(2);
    let epd = Format::Epd.write(&game).unwrap();
    assert_eq!(epd, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - fmvn 2;\n");
    assert!(Format::Obf.write(&game).unwrap_err().to_string().contains("othello, not of chess"));
}
