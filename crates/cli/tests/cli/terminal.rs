//! Running the program as a terminal does.

use assert_cmd::Command;
use std::io::Write;

/// The program with these arguments.
pub fn polyply(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("polyply").unwrap();
    command.args(args);
    command
}

/// What a run that succeeds prints.
pub fn output(args: &[&str]) -> String {
    let output = polyply(args).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// What a run with this input prints, and that it succeeds.
pub fn dialogue(args: &[&str], input: &str) -> String {
    let output = polyply(args).write_stdin(input).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// A bad call: one sentence that contains `says`, exit code 2, nothing on stdout.
#[track_caller]
pub fn refused(args: &[&str], says: &str) {
    let output = polyply(args).assert().code(2).get_output().clone();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{args:?}: {sentence}");
    assert!(sentence.contains(says), "{args:?}: {sentence}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// A file with this text, for as long as it is held.
pub fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}
