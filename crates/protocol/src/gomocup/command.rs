//! Parsing of commands.

use super::point::Point;
use crate::lines::quote;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `START size`, and `RECTSTART` with a square.
    Start(u32),
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: the engine moves.
    Begin,
    /// `TURN X,Y`: the opponent has moved, the engine moves.
    Turn(Point),
    /// `PLAY X,Y`: the engine moves there.
    Play(Point),
    /// `TAKEBACK X,Y`: the stone is removed.
    TakeBack(Point),
    /// A command that is followed by points and `DONE`.
    List(List),
    /// `INFO key value`.
    Info {
        /// The key, in small letters.
        key: String,
        /// The value, which may be empty.
        value: String,
    },
    /// `ABOUT`: identify yourself.
    About,
    /// `END`: quit.
    End,
    /// `STOP` or `YXSTOP`: move now.
    Stop,
    /// `YXSHOWINFO`: report every iteration.
    ShowInfo,
    /// `YXSHOWFORBID`: list the forbidden points.
    ShowForbid,
    /// `YXNBEST n`: move, and show `n` best lines.
    BestLines(usize),
    /// `YXSEARCHDEFEND`: move, and show a line for every move.
    AllLines,
    /// `YXBALANCEONE bias` and `YXBALANCETWO bias`: place stones so that the score is as close to the bias as possible.
    Balance {
        /// One stone or two.
        stones: usize,
        /// In hundredths, from the side to move.
        bias: i32,
    },
    /// `YXBLOCKRESET`: all points may be played again.
    BlockReset,
    /// `YXHASHCLEAR`: clear the table.
    HashClear,
    /// `YXSHOWHASHUSAGE`: show how full the table is.
    HashUsage,
}

/// A command that is followed by points, one a line, and `DONE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// `BOARD`: a position; the engine moves.
    Board,
    /// `YXBOARD`: a position.
    Position,
    /// `SWAP2BOARD`: the stones of the opening.
    Swap2,
    /// `YXBLOCK`: points not to play on.
    Block,
    /// `YXBLOCKUNDO`: points that may be played again.
    Unblock,
}

impl List {
    /// The command's name in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            List::Board => "BOARD",
            List::Position => "YXBOARD",
            List::Swap2 => "SWAP2BOARD",
            List::Block => "YXBLOCK",
            List::Unblock => "YXBLOCKUNDO",
        }
    }
}

/// Why a line is not a valid command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// There is no such command.
    Unknown(String),
    /// The command exists, but its arguments are wrong.
    Invalid(String),
}

impl Command {
    /// Parses a line that is not empty. Case is ignored.
    pub fn parse(line: &str) -> Result<Command, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let wrong = |right: &str| Err(CommandError::Invalid(format!("{right} was expected, not `{}`", quote(line))));
        let point = |make: fn(Point) -> Command, right| Point::parse(rest).map(make).map_or_else(|| wrong(right), Ok);
        Ok(match word.to_ascii_uppercase().as_str() {
            "START" => match rest.parse() {
                Ok(size) => Command::Start(size),
                Err(_) => return wrong("`START size`, as in `START 15`,"),
            },
            "RECTSTART" => match Point::parse(rest) {
                Some(Point { x, y }) if x == y => Command::Start(x as u32),
                Some(Point { x, y }) => {
                    return Err(CommandError::Invalid(format!("only square boards are supported, not {x} by {y}")));
                }
                None => return wrong("`RECTSTART width,height`"),
            },
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => return point(Command::Turn, "`TURN X,Y`"),
            "PLAY" => return point(Command::Play, "`PLAY X,Y`"),
            "TAKEBACK" => return point(Command::TakeBack, "`TAKEBACK X,Y`"),
            "BOARD" => Command::List(List::Board),
            "SWAP2BOARD" => Command::List(List::Swap2),
            "YXBOARD" => Command::List(List::Position),
            "YXBLOCK" => Command::List(List::Block),
            "YXBLOCKUNDO" => Command::List(List::Unblock),
            "YXBLOCKRESET" => Command::BlockReset,
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Command::Info { key: key.to_ascii_lowercase(), value: value.trim().to_owned() }
            }
            "ABOUT" => Command::About,
            "END" => Command::End,
            "STOP" | "YXSTOP" => Command::Stop,
            "YXSHOWINFO" => Command::ShowInfo,
            "YXSHOWFORBID" => Command::ShowForbid,
            "YXNBEST" => match rest.parse() {
                Ok(lines @ 1..) => Command::BestLines(lines),
                _ => return wrong("`YXNBEST n`"),
            },
            "YXSEARCHDEFEND" => Command::AllLines,
            "YXBALANCEONE" | "YXBALANCETWO" => {
                let stones = if word.to_ascii_uppercase().ends_with("ONE") { 1 } else { 2 };
                match if rest.is_empty() { Ok(0) } else { rest.parse() } {
                    Ok(bias) => Command::Balance { stones, bias },
                    Err(_) => return wrong("a bias"),
                }
            }
            "YXHASHCLEAR" => Command::HashClear,
            "YXSHOWHASHUSAGE" => Command::HashUsage,
            "DONE" => return Err(CommandError::Invalid("`DONE` ends a list of points, and there is none".into())),
            _ => return Err(CommandError::Unknown(format!("there is no command `{}`", quote(word)))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap()
    }

    #[track_caller]
    fn refused(line: &str, says: &str) {
        match Command::parse(line) {
            Err(CommandError::Invalid(text)) => assert!(text.contains(says), "{line}: {text}"),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_are_read_in_capitals_or_not() {
        assert_eq!(parse("START 20"), Command::Start(20));
        assert_eq!(parse("  start\t15 "), Command::Start(15));
        assert_eq!(parse("turn 10,5"), Command::Turn(Point { x: 10, y: 5 }));
        assert_eq!(parse("Board"), Command::List(List::Board));
        assert_eq!(parse("YXSTOP"), parse("STOP"));
        assert_eq!(parse("YXNBEST 3"), Command::BestLines(3));
        assert_eq!(parse("YXBALANCETWO -20"), Command::Balance { stones: 2, bias: -20 });
        assert_eq!(parse("yxbalanceone"), Command::Balance { stones: 1, bias: 0 });
    }

    #[test]
    fn a_square_rectangle_is_a_start() {
        assert_eq!(parse("RECTSTART 15,15"), Command::Start(15));
        refused("RECTSTART 30,20", "30 by 20");
        refused("RECTSTART 30", "width,height");
    }

    #[test]
    fn an_info_has_a_key_and_perhaps_a_value() {
        let info = |key: &str, value: &str| Command::Info { key: key.into(), value: value.into() };
        assert_eq!(parse("INFO timeout_turn 1000"), info("timeout_turn", "1000"));
        assert_eq!(parse("INFO FOLDER C:\\My Brains\\x"), info("folder", "C:\\My Brains\\x"));
        assert_eq!(parse("INFO rule"), info("rule", ""));
        assert_eq!(parse("INFO"), info("", ""));
    }

    #[test]
    fn what_is_missing_or_wrong_is_said() {
        refused("START", "`START size`");
        refused("START abc", "`START abc`");
        refused("START -15", "START size");
        refused("START 99999999999999", "START size");
        refused("TURN", "`TURN X,Y`");
        refused("TURN 7", "`TURN X,Y`");
        refused("TAKEBACK a,b", "TAKEBACK X,Y");
        refused("YXNBEST 0", "YXNBEST n");
        refused("DONE", "there is none");
    }

    #[test]
    fn garbage_is_unknown_and_repeated_briefly() {
        let Err(CommandError::Unknown(text)) = Command::parse(&"\u{7}é".repeat(1000)) else {
            panic!("it is no command")
        };
        assert!(text.len() < 400 && text.ends_with("…`"), "{text}");
        assert!(matches!(Command::parse("HELLO"), Err(CommandError::Unknown(_))));
        assert!(matches!(Command::parse("7,7"), Err(CommandError::Unknown(_))));
    }
}
