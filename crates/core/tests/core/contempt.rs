//! A draw has the value that contempt gives it for the side that searches, however the draw was found.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{Random, after, moves, searcher};
use polyply_core::Task;
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Outcome, Side};
use polyply_core::params::{ParamSet, SearchParams};
use polyply_core::score::{FirstScore, Score};

/// Without unsound techniques: at full depth the search then finds the true value.
fn without_guesses() -> SearchParams {
    let mut params = SearchParams::default();
    for spec in SearchParams::specs().iter().filter(|spec| (spec.min, spec.max) == (0, 1)) {
        params.set(spec.name, 0).unwrap();
    }
    SearchParams { tt_cutoff: 1, etc: 1, etc_depth: 1, ..params }
}

/// The value under perfect play if a draw is worth this much to the first player.
fn truth(game: &Lattice<false>, draw: FirstScore, ply: i32) -> Score {
    let side = game.side();
    match game.outcome() {
        Some(Outcome::Draw) => draw.for_side(side),
        Some(Outcome::Win(winner)) if winner == side => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
        None => moves(game).into_iter().map(|mv| -truth(&after(game, mv), draw, ply + 1)).max().unwrap(),
    }
}

/// Searches positions with either side to move to the end of the game.
fn check(proofs: bool) {
    let mut draws = [0, 0];
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let rules = Rules { proofs, blind: false, counters: 3, plies: 6, ..Rules::random(seed) };
        let mut position = Lattice::<false>::start(rules);
        let mut searcher = searcher(Noise, 1 << 18);
        while position.outcome().is_none() {
            let contempt = random.below(101) as i32 - 50;
            searcher.set_params(SearchParams { contempt, ..without_guesses() });
            let side = position.side();
            let draw = Score::eval(-contempt).for_first(side);
            let best = searcher.search(&position, &Task::new(Limits::depth(position.horizon())), &mut |_| ());
            let score = best.score().unwrap();
            assert_eq!(score.for_side(side), truth(&position, draw, 0), "{rules:?} contempt {contempt}");
            draws[side.index()] += usize::from(score == draw);
            position.play(random.pick(&moves(&position)).unwrap(), &mut ());
        }
    }
    assert!(draws[Side::First.index()] > 50 && draws[Side::Second.index()] > 50, "both sides have draws to judge");
}

#[test]
fn a_draw_on_the_board_is_judged_with_contempt() {
    check(false);
}

#[test]
fn a_draw_that_the_game_proves_is_judged_with_contempt() {
    check(true);
}
