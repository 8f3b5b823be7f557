//! Parsing of commands: an id, a name, arguments.

use polyply_engine::Side;

/// All commands by name.
pub const NAMES: [&str; 28] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "list_games",
    "set_game",
    "set_limit",
    "set_option",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-interrupt",
];

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number that the answer repeats; empty if there is none.
    pub id: String,
    /// The name of the command; empty in a line without one.
    pub name: String,
    /// The arguments.
    pub args: Vec<String>,
}

impl Command {
    /// Parses a line. Comments and control characters are left out.
    pub fn parse(line: &str) -> Command {
        let line: String = line.split('#').next().unwrap_or_default().replace(char::is_control, " ");
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default().to_owned();
        let name = words.next().unwrap_or_default().to_owned();
        Command { id, name, args: words.map(str::to_owned).collect() }
    }

    /// The argument at an index, or a message about what is missing.
    pub fn arg(&self, at: usize, what: &str) -> Result<&str, String> {
        self.args.get(at).map(String::as_str).ok_or_else(|| format!("{} takes {what}", self.name))
    }

    /// A number among the arguments.
    pub fn number<T: std::str::FromStr>(&self, at: usize, what: &str) -> Result<T, String> {
        self.arg(at, what)?.parse().map_err(|_| format!("{} takes {what}", self.name))
    }

    /// A colour among the arguments. The first player is black, as in Go.
    pub fn side(&self, at: usize) -> Result<Side, String> {
        match self.arg(at, "a colour")?.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Side::First),
            "w" | "white" => Ok(Side::Second),
            _ => Err("a colour is b, black, w or white".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_id_a_name_and_arguments() {
        let command = Command::parse("12 play\tB H8 # a comment");
        assert_eq!((command.id.as_str(), command.name.as_str()), ("12", "play"));
        assert_eq!((command.side(0), command.arg(1, "a point")), (Ok(Side::First), Ok("H8")));
        assert!(command.side(1).is_err() && command.arg(2, "more").unwrap_err().contains("more"));
        for empty in ["", "  ", "# nothing", "\u{1}"] {
            assert_eq!(Command::parse(empty).name, "", "{empty}");
        }
    }
}
