//! Positions to solve, one a line of a file, with the answer where the file has it.

use crate::error::EngineError;
use crate::request::Place;
use crate::score::Score;

/// A position to solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position.
    pub place: Place,
    /// Its value, if the file says it.
    pub expected: Option<Score>,
}

/// A line that is a position and nothing else.
pub(crate) fn position_only(line: &str) -> Result<Problem, EngineError> {
    Ok(Problem { place: Place::new(Some(line), &[]), expected: None })
}

/// Cells of a Connect Four board.
const CELLS: i32 = 42;

/// A position of Connect Four, or a line of [Pascal Pons' test sets]: the columns played so far and a score. The score
/// is 0 for a draw, else 22 minus the discs of the winner at the end, positive when the side to move wins.
///
/// [Pascal Pons' test sets]: http://blog.gamesolver.org/solving-connect-four/02-test-protocol/
pub(crate) fn pons(line: &str) -> Result<Problem, EngineError> {
    let Some((columns, score)) = line.split_once(char::is_whitespace).filter(|_| !line.contains('/')) else {
        return position_only(line);
    };
    let refuse = || EngineError::Problem {
        expected: "a position, or the columns played so far and a score from -21 to 21",
        line: line.escape_debug().to_string(),
    };
    let score = score.trim().parse::<i32>().ok().filter(|score| score.abs() <= CELLS / 2).ok_or_else(refuse)?;
    let played = columns.len() as i32;
    let side_to_move_wins = score > 0;
    let first_wins = (played % 2 == 0) == side_to_move_wins;
    let winners_discs = CELLS / 2 + 1 - score.abs();
    // The first player's n-th disc is the last of 2n - 1, the second's the last of 2n.
    let end = 2 * winners_discs - i32::from(first_wins);
    let plies = end - played;
    let expected = match score {
        0 => Score::Centi(0),
        _ if plies <= 0 => return Err(refuse()),
        _ if first_wins => Score::Win(plies),
        _ => Score::Win(-plies),
    };
    Ok(Problem { place: Place::new(Some(columns), &[]), expected: Some(expected) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(line: &str) -> Option<Score> {
        pons(line).unwrap().expected
    }

    #[test]
    fn scores_of_pons_become_distances() {
        // The first player, to move, wins with its last disc, on ply 41.
        assert_eq!(expected("44 1"), Some(Score::Win(39)));
        // The side to move wins at once with its fourth disc, on ply 7.
        assert_eq!(expected("445566 18"), Some(Score::Win(1)));
        // The second player has to watch the first do it.
        assert_eq!(expected("44556 -18"), Some(Score::Win(2)));
        // The second player, to move, wins with its last disc, which is the last of all.
        assert_eq!(expected("444 1"), Some(Score::Win(-39)));
        assert_eq!(expected("2252576253462244111563365343671351441 -1"), Some(Score::Win(4)));
        assert_eq!(expected("44 0"), Some(Score::Centi(0)));
        assert_eq!(expected("44"), None);
        assert_eq!(expected("7/7/7/7/3o3/3x3 x"), None);
    }

    #[test]
    fn scores_that_no_game_has_are_refused() {
        for line in ["44 x", "44 22", "44 1 2", "444444555555666666 20"] {
            assert!(pons(line).unwrap_err().to_string().contains("-21 to 21"), "{line}");
        }
    }
}
