//! A position and the moves that solve it.

use super::written;
use crate::refusals;
use polyply_engine::{Board, EngineError, Problem, Refusal, Score, Variant};

/// A position with known best moves.
#[derive(Debug)]
pub struct Puzzle {
    /// Its name, if it has one.
    pub id: Option<String>,
    /// The board to search.
    pub board: Board,
    /// The best moves: one of these must be found, if there are any.
    pub best: Vec<String>,
    /// The moves to avoid.
    pub avoid: Vec<String>,
    /// A win that must be proven as well, within this many plies; negative for the second player.
    pub win: Option<i32>,
    /// The value that must be found if no move is given.
    pub value: Option<Score>,
}

impl Puzzle {
    /// Reads a line.
    pub fn read(line: &str, variant: &Variant) -> Result<Puzzle, Refusal> {
        let Problem { spec: place, id, best, avoid, win, value, .. } = written::parse(line, variant)?;
        let board = Board::at(variant, &place)?;
        if let Some(outcome) = board.outcome() {
            return Err(EngineError::Over(outcome).into());
        }
        if best.is_empty() && avoid.is_empty() && win.is_none() && value.is_none() {
            return Err(refusals::puzzle_open());
        }
        let named = |moves: Vec<String>| moves.iter().map(|mv| name(&board, mv)).collect::<Result<Vec<_>, _>>();
        Ok(Puzzle {
            id,
            // Where a best move is given, the value need not be found.
            value: value.filter(|_| best.is_empty()),
            best: named(best)?,
            avoid: named(avoid)?,
            win,
            board,
        })
    }

    /// The move solves it.
    pub fn is_right(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|other| other == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }

    /// The score proves the win or has the value that must be found.
    pub fn is_proven(&self, score: Option<Score>) -> bool {
        let wins = self.win.is_none_or(|win| match score {
            Some(Score::Win(plies)) => plies.signum() == win.signum() && plies.abs() <= win.abs(),
            _ => false,
        });
        wins && self.value.is_none_or(|value| score == Some(value))
    }

    /// What must be found, in words.
    pub fn wanted(&self) -> String {
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(self.best.join(" or "));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("anything but {}", self.avoid.join(", ")));
        }
        if let Some(win) = self.win {
            parts.push(format!("a win in {}", win.abs()));
        }
        if let Some(value) = self.value {
            parts.push(format!("a result of {value}"));
        }
        parts.join(" with ")
    }

    /// Its name, or its position.
    pub fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| self.board.text())
    }
}

/// A legal move in the game's notation.
fn name(board: &Board, mv: &str) -> Result<String, Refusal> {
    let after = board.after(mv)?;
    Ok(after.moves().last().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Puzzle, Refusal> {
        Puzzle::read(line, &Variant::find("freestyle").unwrap())
    }

    #[test]
    fn both_ways_to_write_a_puzzle_say_the_same() {
        let json = read(r#"{"position": "h8 i9", "best": ["H9", "i10"], "avoid": "a1", "id": "one"}"#).unwrap();
        let text = read(r#"h8 i9; bm h9 i10; am a1; id "one""#).unwrap();
        for puzzle in [json, text] {
            assert_eq!(
                (puzzle.name(), &puzzle.best[..], &puzzle.avoid[..]),
                ("one".to_owned(), &["h9".into(), "i10".into()][..], &["a1".into()][..])
            );
            assert!(puzzle.is_right("i10") && !puzzle.is_right("a1") && !puzzle.is_right("a2"));
        }
    }

    #[test]
    fn a_win_is_proven_by_one_as_soon_for_the_same_side() {
        let puzzle = read(r#"{"moves": ["h8"], "best": "h9", "win": -7}"#).unwrap();
        assert!(puzzle.is_proven(Some(Score::Win(-5))) && puzzle.is_proven(Some(Score::Win(-7))));
        for score in [None, Some(Score::Win(-9)), Some(Score::Win(5)), Some(Score::Centi(-900))] {
            assert!(!puzzle.is_proven(score), "{score:?}");
        }
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |line| read(line).unwrap_err().to_string();
        assert!(error("{").contains("not a JSON object"));
        assert!(error(r#"{"position": 8, "best": "h8"}"#).contains("`position` must be a text"));
        assert!(error(r#"{"best": 8}"#).contains("`best` must be a list"));
        assert!(error(r#"{"best": "h8", "win": 0}"#).contains("`win` must be a number"));
        assert!(error(r#"{"position": "h8"}"#).contains("no best move"));
        assert!(error("h8 i9; pv h9").contains("not `pv`"));
        assert!(error("h8; bm h8").contains("`h8` is taken"));
        assert!(error("h8 z9; bm h9").contains("z9"));
        assert!(error("a1 a2 b1 b2 c1 c2 d1 d2 e1; bm h9").contains("over"));
    }
}
