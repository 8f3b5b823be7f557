//! A manager of five in a row for tests.

use crate::talk::Talk;
use polyply_protocol::gomocup;

/// A conversation with a brain.
pub struct Manager {
    talk: Talk,
}

#[allow(dead_code, reason = "every test file uses some of it")]
impl Manager {
    /// A brain with a small table that searches: its book would answer at once, and differently each time.
    pub fn new() -> Manager {
        let mut manager = Manager { talk: Talk::with(gomocup::run) };
        manager.send("INFO hash_size 1024\nINFO OwnBook 0");
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
        self.talk.send(lines);
    }

    /// The next line, whatever it is; none when the brain has ended.
    pub fn line(&mut self) -> Option<String> {
        self.talk.line()
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
    pub fn close(self) -> Vec<String> {
        self.talk.close()
    }

    /// Everything the brain still says while its input stays open.
    pub fn rest(self) -> Vec<String> {
        self.talk.rest()
    }
}

/// A line that a manager waits for.
pub fn is_answer(line: &str) -> bool {
    !["MESSAGE", "DEBUG", "INFO"].iter().any(|word| line.starts_with(word))
}

/// All lines a brain says to a script, which ends with the input.
#[allow(dead_code, reason = "every test file uses some of it")]
pub fn script(bytes: &[u8]) -> Vec<String> {
    crate::talk::script(|input, output| gomocup::run(input, output), bytes)
}
