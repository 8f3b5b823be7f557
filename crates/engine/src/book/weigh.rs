//! Which move of a book to play: one that is about as good as the best, at random.

use super::{BookMove, Entry, WIN, is_decided};
use polyply_core::game::Side;
use polyply_core::random::Random;
use polyply_games::{Board, Score, Variant};

/// A move that loses this much of the chance to win is played a third as often as the best one.
const VARIETY: f64 = 0.015;
/// A move that loses more than this is never played.
const WORST: f64 = 0.03;
/// The weight of the best move that was searched.
const FULL: f64 = 1000.0;

/// The legal moves of a position with what several sources know of them, weighed, the best first.
pub(super) fn moves_of(board: &Board, entries: Vec<Entry>) -> Vec<BookMove> {
    let variant = board.variant();
    let mut moves: Vec<BookMove> = Vec::new();
    for entry in entries {
        // A key may be that of another position by chance; then its moves are most likely illegal.
        let Some(mv) = board.move_of_canonical(&entry.mv) else { continue };
        let known = match moves.iter_mut().position(|known| known.mv == mv) {
            Some(at) => &mut moves[at],
            None => {
                let (score, value, depth) = (None, None, 0);
                let results = Default::default();
                moves.push(BookMove { mv, score, value, depth, source: entry.source, results, weight: 0 });
                moves.last_mut().expect("it was just added")
            }
        };
        known.results.add(&entry.results);
        known.source = known.source.max(entry.source);
        if let Some(value) = entry.value {
            (known.score, known.value, known.depth) = (Some(score(variant, value)), Some(value), entry.depth);
        }
    }
    weigh(variant, board.side(), &mut moves);
    let good = |mv: &BookMove| mv.value.map(|value| if board.side() == Side::First { value } else { -value });
    // Moves without a value come last; among them the weight decides.
    moves.sort_by(|one, other| (good(other), other.weight).cmp(&(good(one), one.weight)).then(one.mv.cmp(&other.mv)));
    moves
}

fn score(variant: &Variant, value: i32) -> Score {
    match is_decided(value) {
        true => Score::Win(value.signum() * (WIN - value.abs())),
        false => variant.score(value),
    }
}

/// Where a move was searched, what the searches say decides, and elsewhere the results of games.
fn weigh(variant: &Variant, side: Side, moves: &mut [BookMove]) {
    let best = moves
        .iter()
        .filter_map(|mv| chance(variant, side, mv.value?))
        .fold(None, |best: Option<f64>, chance| Some(best.map_or(chance, |best| best.max(chance))));
    let is_searched = moves.iter().any(|mv| mv.value.is_some());
    for mv in moves {
        mv.weight = match (is_searched, best, mv.value.and_then(|value| chance(variant, side, value))) {
            (true, Some(best), Some(chance)) if best - chance <= WORST => {
                (FULL * (-(best - chance) / VARIETY).exp()).round() as u64
            }
            (true, ..) => 0,
            (false, ..) => mv.results.points(),
        };
    }
}

/// The chance to win of the side to move; `None` if it has lost by force, where no move is worth playing from a book.
fn chance(variant: &Variant, side: Side, value: i32) -> Option<f64> {
    let value = if side == Side::First { value } else { -value };
    match is_decided(value) {
        true => (value > 0).then_some(1.0),
        false => {
            let score = f64::from(value) / f64::from(variant.units());
            Some(1.0 / (1.0 + (-score / variant.chance_unit()).exp()))
        }
    }
}

/// A random move, drawn by weight; `None` if none has a weight.
pub fn draw<'a>(moves: &'a [BookMove], random: &mut Random) -> Option<&'a BookMove> {
    let sum: u64 = moves.iter().map(|mv| mv.weight).sum();
    let mut left = (sum > 0).then(|| random.below(usize::try_from(sum).unwrap_or(usize::MAX)) as u64)?;
    moves.iter().find(|mv| {
        let is_drawn = left < mv.weight;
        left = left.saturating_sub(mv.weight);
        is_drawn
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Results, Source, value_of};

    fn entry(mv: &str, source: Source, value: Option<i32>, won: u64) -> Entry {
        Entry { mv: mv.into(), source, value, depth: 9, results: Results { won, ..Results::default() } }
    }

    fn weights(entries: Vec<Entry>) -> Vec<(String, u64)> {
        let board = Board::new(&Variant::find("chess").unwrap());
        moves_of(&board, entries).into_iter().map(|mv| (mv.mv, mv.weight)).collect()
    }

    #[test]
    fn moves_about_as_good_as_the_best_are_played_and_others_are_not() {
        let searched = |mv, value| entry(mv, Source::Searched, Some(value), 0);
        let weighed = weights(vec![searched("a2a3", -80), searched("d2d4", 28), searched("e2e4", 30)]);
        assert_eq!(weighed[0], ("e2e4".into(), 1000));
        assert!(weighed[1].1 > 500 && weighed[1].0 == "d2d4");
        assert_eq!(weighed[2], ("a2a3".into(), 0));
    }

    #[test]
    fn results_of_games_count_where_nothing_was_searched() {
        let imported = |mv, won| entry(mv, Source::Imported, None, won);
        assert_eq!(weights(vec![imported("d2d4", 1), imported("e2e4", 3)]), [("e2e4".into(), 6), ("d2d4".into(), 2)]);
        let mixed = vec![imported("d2d4", 50), entry("e2e4", Source::Searched, Some(10), 0)];
        assert_eq!(weights(mixed), [("e2e4".into(), 1000), ("d2d4".into(), 0)]);
    }

    #[test]
    fn sources_of_one_move_are_added_up() {
        let board = Board::new(&Variant::find("chess").unwrap());
        let entries = vec![entry("e2e4", Source::Imported, None, 3), entry("e2e4", Source::Searched, Some(12), 0)];
        let moves = moves_of(&board, entries);
        assert_eq!((moves.len(), moves[0].source, moves[0].results.won), (1, Source::Searched, 3));
        assert_eq!(moves[0].score, Some(Score::Centi(12)));
    }

    #[test]
    fn a_lost_position_is_left_to_the_search() {
        let lost = value_of(Score::Win(-8), 0);
        assert_eq!(weights(vec![entry("e2e4", Source::Solved, Some(lost), 0)]), [("e2e4".into(), 0)]);
        let won = value_of(Score::Win(7), 0);
        let weighed =
            weights(vec![entry("e2e4", Source::Solved, Some(won), 0), entry("d2d4", Source::Searched, Some(500), 0)]);
        assert_eq!(weighed[0], ("e2e4".into(), 1000));
    }

    #[test]
    fn moves_are_drawn_as_often_as_they_weigh() {
        let board = Board::new(&Variant::find("chess").unwrap());
        let moves =
            moves_of(&board, vec![entry("d2d4", Source::Imported, None, 1), entry("e2e4", Source::Imported, None, 3)]);
        let mut random = Random::new(1);
        let drawn = (0..1000).filter(|_| draw(&moves, &mut random).unwrap().mv == "e2e4").count();
        assert!((700..800).contains(&drawn), "{drawn}");
        assert_eq!(draw(&[], &mut random), None);
    }
}
