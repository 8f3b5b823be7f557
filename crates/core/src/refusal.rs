//! Why something was refused: a code with arguments. The sentence is made where it is shown.
//!
//! Code that reads what people or programs send rejects it with a [`Refusal`]. Its [`Code`] is declared once, with its
//! English sentence, by [`refusals!`](crate::refusals!). Programs compare codes, and an app in another language makes
//! its own sentence from code and arguments. [`common`] has the refusals that games share; a game declares only its
//! own.
//!
//! ```
//! polyply_core::refusals! {
//!     /// No disc falls into a column that is full.
//!     column_full(column) = "the column `{column}` is full";
//! }
//!
//! let refusal = column_full("d");
//! assert_eq!(refusal.code().name, "column_full");
//! assert_eq!(refusal.to_string(), "the column `d` is full");
//! assert_eq!(CODES.len(), 1);
//! ```

pub mod common;

use std::fmt;

/// A reason to refuse something.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// The name, which is unique.
    pub name: &'static str,
    /// The English sentence, without its full stop; `{name}` stands for an argument.
    pub sentence: &'static str,
    /// The names of the arguments, in the order of the declaration.
    pub arguments: &'static [&'static str],
}

/// Why something was refused. Its [`Display`](fmt::Display) is the English sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    code: &'static Code,
    /// One for each argument of the code.
    values: Vec<Argument>,
}

/// The value of a placeholder in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A text that is not translated: a name, or something that was sent. Line breaks and other characters that can't
    /// be displayed are escaped.
    Text(String),
    /// A number.
    Number(i64),
    /// Another refusal: the reason for this one, or a word that has to be translated.
    Refusal(Refusal),
}

impl Refusal {
    /// A refusal with a value for each argument of its code. The functions that [`refusals!`](crate::refusals!) makes
    /// call this with the right number.
    pub fn new(code: &'static Code, values: Vec<Argument>) -> Refusal {
        debug_assert_eq!(code.arguments.len(), values.len(), "{}", code.name);
        Refusal { code, values }
    }

    /// The code.
    pub fn code(&self) -> &'static Code {
        self.code
    }

    /// The arguments with their names.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, &Argument)> {
        self.code.arguments.iter().copied().zip(&self.values)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.code.sentence;
        while let Some((before, behind)) = rest.split_once('{') {
            let (gap, after) = behind.split_once('}').unwrap_or((behind, ""));
            f.write_str(before)?;
            if let Some((_, value)) = self.arguments().find(|(name, _)| *name == gap) {
                value.fmt(f)?;
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Text(text) => f.write_str(text),
            Argument::Number(number) => number.fmt(f),
            Argument::Refusal(refusal) => refusal.fmt(f),
        }
    }
}

/// Longer texts are cut.
const LONGEST_TEXT: usize = 500;

impl From<&str> for Argument {
    /// Escapes characters that can't be displayed. Quotes and backslashes, which `escape_debug` escapes too, stay as
    /// they are: sentences have their texts in backticks.
    /// A text that nobody would read to its end is cut.
    fn from(text: &str) -> Argument {
        let shown = match text.char_indices().nth(LONGEST_TEXT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        let escaped = shown.escape_debug().to_string();
        Argument::Text(escaped.replace(r"\\", r"\").replace(r"\'", "'").replace(r#"\""#, "\""))
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Argument {
        text.as_str().into()
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Argument {
        text.as_str().into()
    }
}

impl From<char> for Argument {
    fn from(letter: char) -> Argument {
        (&*letter.encode_utf8(&mut [0; 4])).into()
    }
}

/// The system's own message, which is not translated.
impl From<std::io::Error> for Argument {
    fn from(error: std::io::Error) -> Argument {
        error.to_string().into()
    }
}

impl From<Refusal> for Argument {
    fn from(refusal: Refusal) -> Argument {
        Argument::Refusal(refusal)
    }
}

/// Numbers as arguments. One that is too large for [`Argument::Number`] becomes the largest.
macro_rules! numbers {
    ($($number:ty),+) => { $(
        impl From<$number> for Argument {
            fn from(number: $number) -> Argument {
                Argument::Number(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }
    )+ };
}
numbers!(i32, i64, u8, u32, u64, usize);

/// Declares refusals: a function for each, and `CODES`, the list of all codes.
///
/// A declaration is a doc comment, a name with arguments, and the English sentence. A sentence starts with a small
/// letter and has no full stop, so that it can be part of another one. The compiler checks that its placeholders are
/// the arguments.
///
/// ```
/// polyply_core::refusals! {
///     /// A row has too few cells.
///     row_short(row, cells) = "the row `{row}` has {cells} cells";
///     /// The board was not understood.
///     board_refused(reason) = "the board is refused: {reason}";
/// }
/// assert_eq!(board_refused(row_short("3x", 4)).to_string(), "the board is refused: the row `3x` has 4 cells");
/// ```
#[macro_export]
macro_rules! refusals {
    ($( $(#[doc = $about:literal])+ $name:ident ( $($argument:ident),* ) = $sentence:literal; )+) => {
        $(
            $(#[doc = $about])+
            pub fn $name($($argument: impl Into<$crate::refusal::Argument>),*) -> $crate::refusal::Refusal {
                let _ = ::core::format_args!($sentence, $($argument = ""),*);
                $crate::refusal::Refusal::new(&codes::$name, vec![$($argument.into()),*])
            }
        )+

        #[allow(non_upper_case_globals)]
        mod codes {
            $(
                pub static $name: $crate::refusal::Code = $crate::refusal::Code {
                    name: stringify!($name),
                    sentence: $sentence,
                    arguments: &[$(stringify!($argument)),*],
                };
            )+
        }

        /// All codes that are declared here.
        pub static CODES: &[&$crate::refusal::Code] = &[$(&codes::$name),+];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    refusals! {
        /// Has everything.
        everything(text, number, reason) = "{number} times `{text}`: {reason} ({text})";
        /// Has nothing.
        nothing() = "nothing at all";
    }

    #[test]
    fn a_sentence_has_its_arguments_in_its_gaps() {
        let refusal = everything("{number}", 7, nothing());
        assert_eq!(refusal.to_string(), "7 times `{number}`: nothing at all ({number})");
        let names: Vec<&str> = refusal.arguments().map(|(name, _)| name).collect();
        assert_eq!(names, ["text", "number", "reason"]);
    }

    #[test]
    fn what_can_not_be_shown_is_escaped_and_quotes_are_not() {
        let text = |text: &str| Argument::from(text).to_string();
        assert_eq!(text("a\nb\u{7}"), "a\\nb\\u{7}");
        assert_eq!(text(r#"C:\games, "it's""#), r#"C:\games, "it's""#);
        assert_eq!(text("nước đi"), "nước đi");
    }

    #[test]
    fn a_text_that_nobody_would_read_to_its_end_is_cut() {
        let text = |length: usize| Argument::from("đ".repeat(length)).to_string();
        assert_eq!(text(LONGEST_TEXT), "đ".repeat(LONGEST_TEXT));
        assert_eq!(text(5000), "đ".repeat(LONGEST_TEXT) + "…");
    }

    #[test]
    fn the_list_has_every_code_with_its_arguments() {
        let listed: Vec<_> = CODES.iter().map(|code| (code.name, code.arguments)).collect();
        assert_eq!(listed, [("everything", &["text", "number", "reason"][..]), ("nothing", &[])]);
    }

    #[test]
    fn a_number_that_is_too_large_is_the_largest() {
        assert_eq!(Argument::from(u64::MAX), Argument::Number(i64::MAX));
    }
}
