//! A manager for tests: talks to a brain through pipes, as the real ones do.

use polyply_protocol::gomocup;
use std::io::{BufRead, BufReader, Cursor, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longer than any answer takes, even on a busy machine; a test that waits for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A conversation with a brain.
pub struct Manager {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    brain: Option<JoinHandle<std::io::Result<()>>>,
}

#[allow(dead_code, reason = "every test file uses some of it")]
impl Manager {
    /// A brain with a small table.
    pub fn new() -> Manager {
        let (brain_input, input) = pipe().unwrap();
        let (output, brain_output) = pipe().unwrap();
        let brain = thread::spawn(move || gomocup::run(BufReader::new(brain_input), brain_output));
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut manager = Manager { input: Some(input), output: receiver, brain: Some(brain) };
        manager.send("INFO hash_size 1024");
        manager
    }

    /// A brain that has a board and thinks briefly.
    pub fn with_board(size: usize) -> Manager {
        let mut manager = Manager::new();
        manager.send("INFO max_node 3000");
        assert_eq!(manager.ask(&format!("START {size}")), "OK");
        manager
    }

    pub fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(lines.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    /// The next line, whatever it is; none when the brain has ended.
    pub fn line(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the brain does not answer"),
        }
    }

    /// The next line that is an answer.
    pub fn answer(&mut self) -> String {
        loop {
            let line = self.line().expect("the brain lives");
            if is_answer(&line) {
                return line;
            }
        }
    }

    pub fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        self.answer()
    }

    /// Asks for a point.
    pub fn point(&mut self, lines: &str) -> (usize, usize) {
        let answer = self.ask(lines);
        let point = answer.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        point.unwrap_or_else(|| panic!("{lines}: {answer}"))
    }

    /// A command that is refused by a sentence.
    #[track_caller]
    pub fn refused(&mut self, lines: &str, says: &str) {
        let answer = self.ask(lines);
        assert!(answer.starts_with("ERROR ") && answer.contains(says), "{lines}: {answer}");
    }

    /// Everything the brain still says after its input has ended.
    pub fn close(mut self) -> Vec<String> {
        self.input = None;
        self.rest()
    }

    /// Everything the brain still says while its input stays open.
    pub fn rest(mut self) -> Vec<String> {
        let lines = std::iter::from_fn(|| self.line()).collect();
        self.brain.take().unwrap().join().unwrap().unwrap();
        lines
    }
}

/// A line that a manager waits for.
pub fn is_answer(line: &str) -> bool {
    !["MESSAGE", "DEBUG", "INFO"].iter().any(|word| line.starts_with(word))
}

/// All lines a brain says to a script, which ends with the input.
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn script(bytes: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    gomocup::run(Cursor::new(bytes.to_vec()), &mut output).unwrap();
    String::from_utf8(output).expect("a brain writes text").lines().map(str::to_owned).collect()
}
