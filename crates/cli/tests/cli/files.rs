//! `polyply convert`: files of games in, other files out.

use crate::terminal::{output, polyply, refused};
use std::path::Path;
use tempfile::TempDir;

/// A game that White wins, and one that is drawn.
const GAMES: &str = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 {in a hurry} Nc6 3. Bc4 (3. Nc3 g6) Nf6 \
                     4. Qxf7# 1-0\n\n[White \"c\"]\n[Black \"d\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n";

/// A folder with files in it, and their names.
struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(TempDir::new().unwrap());
        files.iter().for_each(|(name, text)| std::fs::write(folder.path(name), text).unwrap());
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn convert(&self, from: &str, to: &str, more: &[&str]) -> String {
        output(&[&["convert", &self.path(from), "--out", &self.path(to)], more].concat())
    }
}

/// A run that can't be done: exit code 1, and a last sentence that contains `says`.
#[track_caller]
fn fails(args: &[&str], says: &str) {
    let output = polyply(args).assert().code(1).get_output().clone();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.lines().all(|line| line.starts_with("polyply: ")) && told.contains(says), "{args:?}: {told}");
}

#[test]
fn games_survive_every_way_that_formats_lead_back() {
    let folder = Folder::with(&[("games.pgn", GAMES)]);
    assert!(folder.convert("games.pgn", "there.jsonl", &[]).starts_with("2 games in "));
    folder.convert("there.jsonl", "back.pgn", &[]);
    folder.convert("back.pgn", "again.jsonl", &[]);
    assert_eq!(folder.text("again.jsonl"), folder.text("there.jsonl"));
    assert!(folder.text("back.pgn").contains("2. Qh5 {in a hurry} Nc6 3. Bc4 (3. Nc3 g6) 3... Nf6 4. Qxf7# 1-0"));
    folder.convert("games.pgn", "moves.txt", &[]);
    assert_eq!(folder.text("moves.txt"), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7\nd2d4 d7d5\n");
    folder.convert("moves.txt", "short.epd", &["--variant", "chess", "--plies", "1"]);
    assert!(folder.text("short.epd").starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"));
}

#[test]
fn games_of_five_in_a_row_and_othello_go_through_their_formats() {
    let folder = Folder::with(&[("five.txt", "h8 i9 h9 h10 g8\n"), ("othello.txt", "f5d6c3d3c4\n")]);
    for (moves, variant, formats) in
        [("five.txt", "freestyle:15", ["sgf", "psq", "pgn"]), ("othello.txt", "othello", ["ggf", "sgf", "pgn"])]
    {
        for format in formats {
            let (there, back) = (format!("{moves}.{format}"), format!("{moves}.{format}.txt"));
            folder.convert(moves, &there, &["--variant", variant]);
            folder.convert(&there, &back, &[]);
            let squeezed = |text: String| text.split_whitespace().collect::<String>();
            assert_eq!(squeezed(folder.text(&back)), squeezed(folder.text(moves)), "{there}");
        }
    }
}

#[test]
fn what_can_not_be_converted_is_told_and_nothing_is_lost() {
    let folder = Folder::with(&[("games.pgn", GAMES), ("bad.pgn", "1. e4 e9 *\n"), ("moves.txt", "d2d4\n")]);
    let path = |name: &str| folder.path(name);
    refused(&["convert", &path("games.pgn")], "--out");
    refused(&["convert", &path("games.pgn"), "--out", &path("games.doc")], ".pgn");
    refused(&["convert", &path("games"), "--out", &path("other.pgn")], ".pgn");
    refused(&["convert", &path("games.pgn"), "--out", &path("other.pgn"), "--variant", "ludo"], "ludo");
    fails(&["convert", &path("none.pgn"), "--out", &path("other.pgn")], "none.pgn");
    fails(&["convert", &path("moves.txt"), "--out", &path("other.pgn")], "--variant");
    fails(&["convert", &path("games.pgn"), "--out", &path("other.sgf")], "not of chess");
    fails(&["convert", &path("bad.pgn"), "--out", &path("other.pgn")], "line 1: ply 2");
    assert!(!Path::new(&path("other.pgn")).exists());
    fails(&["convert", &path("moves.txt"), "--variant", "chess", "--out", &path("games.pgn")], "games.pgn");
    assert_eq!(folder.text("games.pgn"), GAMES, "what was there is not written over");
    // Games that can be read are written, and the others counted.
    fails(&["convert", &path("bad.pgn"), &path("games.pgn"), "--out", &path("other.pgn")], "1 games or lines");
    assert!(folder.text("other.pgn").contains("Qxf7#"));
}
