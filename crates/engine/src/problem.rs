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

/// A line of OBF: a position of Othello with what its moves are worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obf {
    /// 64 cells and the side to move.
    pub position: String,
    /// The moves with their scores, from the first player's side.
    pub moves: Vec<(String, i32)>,
    /// The score of the position, from the first player's side.
    pub value: Option<i32>,
}

impl Obf {
    /// Reads `<cells> <side>; G8:+18; H8:+12;`, or a score alone; the error is one sentence. Scores in the line are those
    /// of the side to move.
    pub fn parse(line: &str) -> Result<Obf, String> {
        // What follows a percent sign is a comment.
        let line = line.split('%').next().unwrap_or_default();
        let mut fields = line.split(';').map(str::trim);
        let position = fields.next().unwrap_or_default().to_owned();
        let sign = if position.ends_with(['X', 'x', '*', 'B', 'b']) { 1 } else { -1 };
        let mut moves = Vec::new();
        let mut value = None;
        for field in fields.filter(|field| !field.is_empty()) {
            let (mv, score) = field.split_once(':').map_or((None, field), |(mv, score)| (Some(mv.trim()), score));
            let score = score.trim().parse::<i32>().ok().filter(|score| score.abs() <= 64);
            let score = score
                .ok_or_else(|| format!("a move with its score is as in G8:+18, not `{}`", field.escape_debug()))?;
            match mv {
                Some(mv) => moves.push((mv.to_ascii_lowercase(), sign * score)),
                None => value = Some(sign * score),
            }
        }
        let best = moves.iter().map(|(_, score)| sign * score).max();
        Ok(Obf { position, value: best.map(|best| sign * best).or(value), moves })
    }

    /// The moves with the best score.
    pub fn best(&self) -> impl Iterator<Item = &str> {
        self.moves.iter().filter(|(_, score)| Some(*score) == self.value).map(|(mv, _)| mv.as_str())
    }
}

/// A line of OBF.
pub(crate) fn obf(line: &str) -> Result<Problem, EngineError> {
    let obf = Obf::parse(line).map_err(|_| EngineError::Problem {
        expected: "a position and its moves with their scores, as in `… X; G8:+18; H8:+12;`",
        line: line.escape_debug().to_string(),
    })?;
    Ok(Problem { place: Place::new(Some(&obf.position), &[]), expected: obf.value.map(Score::Points) })
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
    fn a_line_of_obf_has_the_scores_of_the_side_to_move() {
        let cells = "-".repeat(64);
        let read = Obf::parse(&format!("{cells} O; G8:-6; H8:+4; % what follows is a comment; a1:x")).unwrap();
        assert_eq!((read.value, read.best().collect::<Vec<_>>()), (Some(-4), vec!["h8"]));
        assert_eq!(obf(&format!("{cells} X; +12;")).unwrap().expected, Some(Score::Points(12)));
        assert_eq!(obf(&format!("{cells} X")).unwrap().expected, None);
        for bad in ["G8:+65", "G8:", "G8", "x"] {
            assert!(obf(&format!("{cells} X; {bad};")).unwrap_err().to_string().contains("G8:+18"), "{bad}");
        }
    }

    #[test]
    fn scores_that_no_game_has_are_refused() {
        for line in ["44 x", "44 22", "44 1 2", "444444555555666666 20"] {
            assert!(pons(line).unwrap_err().to_string().contains("-21 to 21"), "{line}");
        }
    }
}
