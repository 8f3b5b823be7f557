//! Random openings: a few moves after which neither side is better.

use polyply_core::random::Random;
use polyply_engine::{Board, EngineError, Score, Variant};

/// The number of random moves that open a game.
const MOVES: std::ops::RangeInclusive<usize> = 3..=8;
/// An opening is fair if neither side is better by more than this, in hundredths.
const FAIR: i32 = 300;
/// The same for games that count points.
const FAIR_POINTS: i32 = 4;
/// The first move is any legal move once in this many games; otherwise it looks sensible.
const ANYWHERE: usize = 4;
/// If no opening is fair after this many tries, the last one is used.
const TRIES: usize = 1000;

/// A few random moves to a position that is fair to both sides, as far as `judge` sees.
pub fn fair_opening(
    variant: &Variant,
    judge: &mut dyn FnMut(&Board) -> Option<Score>,
    random: &mut Random,
) -> Result<Board, EngineError> {
    let mut last = Board::new(variant);
    for _ in 0..TRIES {
        let length = MOVES.start() + random.scaled(MOVES.end() - MOVES.start() + 1);
        let choosiness = 1 + random.scaled(3);
        let mut board = Board::new(variant);
        while board.moves().len() < length && board.outcome().is_none() {
            let mv = if board.moves().is_empty() && random.once_in(ANYWHERE) {
                let legal = board.legal_moves();
                legal[random.scaled(legal.len())].clone()
            } else {
                board.draw(choosiness, &mut |end| random.scaled(end))?
            };
            board.play(&mv)?;
        }
        if board.outcome().is_none() {
            last = board;
            if judge(&last).is_some_and(is_fair) {
                break;
            }
        }
    }
    Ok(last)
}

fn is_fair(score: Score) -> bool {
    match score {
        Score::Centi(centi) => centi.abs() <= FAIR,
        Score::Points(points) => points.abs() <= FAIR_POINTS,
        Score::Win(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_one_that_the_judge_calls_fair() {
        let variant = Variant::find("connect4").unwrap();
        let open = |judge: &mut dyn FnMut(&Board) -> Option<Score>| {
            fair_opening(&variant, judge, &mut Random::of(1, 1)).unwrap().moves().to_vec()
        };
        let first = open(&mut |_| Some(Score::Centi(FAIR)));
        assert!(MOVES.contains(&first.len()));
        let unlike_first =
            open(&mut |board| Some(if board.moves() == first { Score::Win(-9) } else { Score::Points(FAIR_POINTS) }));
        assert_ne!(first, unlike_first);
    }

    #[test]
    fn where_nothing_is_fair_there_is_an_opening_all_the_same() {
        let variant = Variant::find("tictactoe").unwrap();
        let opened = fair_opening(&variant, &mut |_| Some(Score::Win(3)), &mut Random::of(1, 1)).unwrap();
        assert_eq!(opened.outcome(), None);
    }
}
