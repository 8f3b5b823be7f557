//! Colours for boards in a terminal.

use std::io::{IsTerminal, stdout};

const FIRST: &str = "\x1b[1;31m";
const SECOND: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// Whether to use colours: if stdout is a terminal and NO_COLOR is not set (<https://no-color.org>).
pub fn wanted() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Colours the stones of a drawn board. Only rows, which begin with their number, have stones; the names of columns may
/// look like stones.
pub fn board(drawing: &str) -> String {
    let mut painted = String::with_capacity(4 * drawing.len());
    for line in drawing.lines() {
        let is_row = line.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        for letter in line.chars() {
            match letter {
                'x' if is_row => painted += &format!("{FIRST}x{PLAIN}"),
                'o' if is_row => painted += &format!("{SECOND}o{PLAIN}"),
                other => painted.push(other),
            }
        }
        painted.push('\n');
    }
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_coloured_and_names_are_not() {
        let painted = board("1 x .\n  n o\n");
        assert_eq!(painted, "1 \x1b[1;31mx\x1b[0m .\n  n o\n");
    }
}
