//! Lines of untrusted input: bounded in length, whatever bytes they contain.

use std::io::{self, BufRead};

/// The longest line that is accepted, in bytes. No command of any protocol here comes near it.
pub const LONGEST: usize = 64 * 1024;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Its text without the line end. Invalid UTF-8 is replaced by replacement characters.
    Text(String),
    /// The line was longer than [`LONGEST`] and was dropped.
    TooLong,
}

/// The lines of an input. A line ends with LF, CR or both; the last one may end with the input.
///
/// ```
/// use polyply_protocol::lines::{Line, Lines};
///
/// let lines: Vec<Line> = Lines::new(&b"START 15\r\nBEGIN"[..]).collect();
/// assert_eq!(lines, [Line::Text("START 15".into()), Line::Text("BEGIN".into())]);
/// ```
pub struct Lines<R> {
    input: R,
    /// The last line ended with CR, so an LF right after it belongs to it.
    after_return: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of this input.
    pub fn new(input: R) -> Self {
        Lines { input, after_return: false }
    }

    /// Reads a piece of a line into `text`. Returns true when the line is complete, and an error when the input has
    /// ended.
    fn read_piece(&mut self, text: &mut Vec<u8>, too_long: &mut bool) -> io::Result<bool> {
        let mut bytes = self.input.fill_buf()?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut read = 0;
        if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
            (bytes, read) = (&bytes[1..], 1);
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let piece = &bytes[..end.unwrap_or(bytes.len())];
        if text.len() + piece.len() > LONGEST {
            *too_long = true;
        } else {
            text.extend_from_slice(piece);
        }
        self.after_return = end.is_some_and(|end| bytes[end] == b'\r');
        read += piece.len() + usize::from(end.is_some());
        self.input.consume(read);
        Ok(end.is_some())
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Line;

    /// The next line; none when the input has ended or can't be read any more.
    fn next(&mut self) -> Option<Line> {
        let (mut text, mut too_long) = (Vec::new(), false);
        loop {
            match self.read_piece(&mut text, &mut too_long) {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) if text.is_empty() && !too_long => return None,
                Err(_) => break,
            }
        }
        Some(if too_long { Line::TooLong } else { Line::Text(String::from_utf8_lossy(&text).into_owned()) })
    }
}

/// Input as it is quoted in a message: shortened and escaped.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut quoted: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    /// The lines, read through a buffer of this size.
    fn lines(bytes: &[u8], buffer: usize) -> Vec<Line> {
        Lines::new(BufReader::with_capacity(buffer, Cursor::new(bytes.to_vec()))).collect()
    }

    fn texts(words: &[&str]) -> Vec<Line> {
        words.iter().map(|word| Line::Text((*word).into())).collect()
    }

    #[test]
    fn any_line_end_ends_a_line_once() {
        for buffer in 1..8 {
            assert_eq!(lines(b"a\nbb\r\nccc\rd", buffer), texts(&["a", "bb", "ccc", "d"]));
            assert_eq!(lines(b"a\n\nb\r\n\r\nc\r\rd\n\r", buffer), texts(&["a", "", "b", "", "c", "", "d", ""]));
        }
    }

    #[test]
    fn an_empty_input_has_no_lines() {
        assert_eq!(lines(b"", 8), []);
        assert_eq!(lines(b"\n", 8), texts(&[""]));
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
        for (length, fits) in [(LONGEST, true), (LONGEST + 1, false), (1 << 20, false)] {
            let mut bytes = vec![b'x'; length];
            bytes.extend_from_slice(b"\nEND");
            let read = lines(&bytes, 4096);
            assert_eq!(read.len(), 2);
            assert_eq!(matches!(read[0], Line::Text(_)), fits, "{length}");
            assert_eq!(read[1], Line::Text("END".into()));
        }
        assert_eq!(lines(&vec![b'x'; LONGEST + 1], 4096), [Line::TooLong]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(lines(b"TURN \xff\xfe\nEND", 4), texts(&["TURN \u{fffd}\u{fffd}", "END"]));
    }
}
