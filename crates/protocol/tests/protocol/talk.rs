//! The other end of a protocol, for tests: talks to an engine through pipes, as real programs do.

use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longer than any answer takes, even on a busy machine; a test that waits for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A conversation with an engine.
pub struct Talk {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    engine: Option<JoinHandle<std::io::Result<()>>>,
}

#[allow(dead_code, reason = "every test file uses some of it")]
impl Talk {
    /// With an engine that reads and writes pipes.
    pub fn with(run: impl FnOnce(BufReader<PipeReader>, PipeWriter) -> std::io::Result<()> + Send + 'static) -> Talk {
        let (engine_input, input) = pipe().unwrap();
        let (output, engine_output) = pipe().unwrap();
        let engine = thread::spawn(move || run(BufReader::new(engine_input), engine_output));
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk { input: Some(input), output: receiver, engine: Some(engine) }
    }

    pub fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(lines.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    /// The next line, whatever it is; none when the engine has ended.
    pub fn line(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine does not answer"),
        }
    }

    /// All lines up to one that begins like this.
    pub fn until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line().unwrap_or_else(|| panic!("the engine ended without `{begin}`: {lines:#?}"));
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(begin)) {
                return lines;
            }
        }
    }

    /// Says something, and gives the line that begins like this.
    pub fn ask(&mut self, lines: &str, begin: &str) -> String {
        self.send(lines);
        self.until(begin).pop().unwrap_or_default()
    }

    /// Everything the engine still says after its input has ended.
    pub fn close(mut self) -> Vec<String> {
        self.input = None;
        self.rest()
    }

    /// Everything the engine still says while its input stays open.
    pub fn rest(mut self) -> Vec<String> {
        let lines = std::iter::from_fn(|| self.line()).collect();
        self.engine.take().unwrap().join().unwrap().unwrap();
        lines
    }
}

/// All lines an engine says to a script, which ends with the input.
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn script(run: impl FnOnce(Cursor<Vec<u8>>, &mut Vec<u8>) -> std::io::Result<()>, bytes: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    run(Cursor::new(bytes.to_vec()), &mut output).unwrap();
    String::from_utf8(output).expect("an engine writes text").lines().map(str::to_owned).collect()
}
