//! The [Generic Game Format](https://skatgame.net/mburo/ggsa/ggf), as far as protocols and files share it.
//!
//! A game is a list of properties between `(;` and `;)`, such as `BO[8 … *]`, the board with the side to move, and
//! `B[F5]`. Which game that is, how large its board is and where it starts, the registry says.

use crate::refusals;
use polyply_engine::{Board, Refusal, Side, Variant};
use std::sync::LazyLock;
use std::time::Duration;

/// The game that the format is used for.
static GAME: LazyLock<Option<Variant>> = LazyLock::new(|| Variant::main_of("ggf"));

/// Its start: the cells from the top and the side to move.
static START: LazyLock<String> =
    LazyLock::new(|| GAME.as_ref().map_or(String::new(), |variant| Board::new(variant).text()));

/// The cells of a position from the top, and the side to move.
fn board(position: &str) -> Result<(String, Side), Refusal> {
    let refuse = || {
        let shown: String = position.chars().take(2 * START.len()).collect();
        refusals::ggf_position(shown)
    };
    let (cells, side) = position.rsplit_once(char::is_whitespace).ok_or_else(refuse)?;
    let cell = |cell: char| match cell {
        'X' | 'x' | '*' | 'B' | 'b' => Some('*'),
        'O' | 'o' | 'W' | 'w' => Some('O'),
        '-' | '.' => Some('-'),
        _ => None,
    };
    let cells = cells.chars().filter(|cell| !cell.is_whitespace());
    let board: String = cells.map(cell).collect::<Option<_>>().ok_or_else(refuse)?;
    let side = side.chars().next().and_then(cell).filter(|side| *side != '-').ok_or_else(refuse)?;
    if board.len() + " X".len() != START.len() {
        return Err(refuse());
    }
    Ok((board, if side == '*' { Side::First } else { Side::Second }))
}

/// How many cells the board has.
pub fn cells() -> usize {
    START.len().saturating_sub(" X".len())
}

/// The rows of the board, as `TY` and `BO` give them.
pub fn size() -> usize {
    cells().isqrt()
}

/// The value of `BO`: a position in the game's notation, or the start of the game.
pub fn board_property(position: Option<&str>) -> Result<(String, Side), Refusal> {
    let (cells, side) = board(position.filter(|text| *text != "start").unwrap_or(&START))?;
    Ok((format!("{} {cells} {}", size(), if side == Side::First { '*' } else { 'O' }), side))
}

/// The position of a `BO` in the game's notation; none for the start of the game.
pub fn position(property: &str) -> Result<Option<String>, Refusal> {
    let text = property.trim();
    let cells = text.strip_prefix(&format!("{} ", size())).ok_or_else(|| refusals::ggf_board_size(text, size()))?;
    let (board, side) = board(cells)?;
    let position = format!("{} {}", board.replace('*', "X"), if side == Side::First { 'X' } else { 'O' });
    Ok((position != *START).then_some(position))
}

/// `F5`, or `PA` for a pass.
pub fn move_name(mv: &str) -> String {
    if pass() == Some(mv) { "PA".into() } else { mv.to_ascii_uppercase() }
}

/// The move of a name. Whatever follows the first `/` is left out.
pub fn move_text(name: &str) -> String {
    let name = name.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
    pass().filter(|_| name.starts_with("pa")).map_or(name, str::to_owned)
}

/// How the game writes a pass.
fn pass() -> Option<&'static str> {
    GAME.as_ref().and_then(|variant| variant.about().pass)
}

/// What is between `(;` and `;)`, and the text after it; `None` if there is no game.
pub fn body(text: &str) -> Result<Option<(&str, &str)>, Refusal> {
    match text.find("(;") {
        None => Ok(None),
        Some(at) => text[at + 2..].split_once(";)").map(Some).ok_or_else(refusals::ggf_unclosed),
    }
}

/// The properties of a game, in order.
pub fn properties(body: &str) -> Result<Vec<(&str, &str)>, Refusal> {
    let mut properties = Vec::new();
    let mut rest = body.trim_start();
    while let Some((name, after)) = rest.split_once('[') {
        let (value, after) = after.split_once(']').ok_or_else(|| refusals::ggf_property_unclosed(name))?;
        properties.push((name.trim(), value));
        rest = after.trim_start();
    }
    Ok(properties)
}

/// The time for the whole game, the first part of a `TI`: `mm:ss`, `hh:mm:ss` or seconds.
pub fn time(property: &str) -> Option<Duration> {
    let first = property.split('/').next()?.trim();
    let seconds = first
        .split(':')
        .try_fold(0u64, |sum, part| sum.checked_mul(60)?.checked_add(part.parse::<u32>().ok()?.into()))?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back_as_it_was_written() {
        let (property, side) = board_property(None).unwrap();
        assert_eq!((position(&property), side), (Ok(None), Side::First));
        let text = "-".repeat(62) + "XO O";
        let (property, side) = board_property(Some(&text)).unwrap();
        assert_eq!((position(&property), side), (Ok(Some(text)), Side::Second));
        assert!(property.starts_with("8 --") && property.ends_with("--*O O"));
        for bad in ["", "XO X", "8", &("-".repeat(64) + " Z")] {
            assert!(board(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn moves_and_times_are_read_with_what_stands_behind_them() {
        assert_eq!([move_text("F5/2.00/0.4"), move_text("pa"), move_text("PASS//1")], ["f5", "pass", "pass"]);
        assert_eq!([move_name("f5"), move_name("pass")], ["F5", "PA"]);
        let seconds = |text| time(text).map(|time| time.as_secs());
        assert_eq!([seconds("05:00"), seconds("1:00:00//2:00"), seconds("30")], [Some(300), Some(3600), Some(30)]);
        assert_eq!(seconds("five"), None);
    }
}
