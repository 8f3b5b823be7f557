//! The endgame: every score equals plain negamax's.

use polyply_core::clock::Limits;
use polyply_core::game::{Evaluation, Game, Notation, SearchGame, Side};
use polyply_core::random::Random;
use polyply_core::score::Score;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_othello::board::Board;
use polyply_othello::{Evaluator, Othello};
use std::sync::Arc;

fn searcher(threads: usize) -> Searcher<Othello> {
    let table = Arc::new(SearchTt::new(16 << 20));
    let mut searcher = Searcher::new(Evaluator::default(), table, Arc::new(EvalCache::off()));
    searcher.set_threads(threads);
    searcher
}

/// The result of best play within a window, by trying everything.
fn negamax(board: Board, mut alpha: i32, beta: i32) -> i32 {
    let mut best = None;
    for (square, flips) in board.moves_with_flips() {
        let score = -negamax(board.after(square.bit(), flips), -beta, -alpha);
        best = best.max(Some(score));
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    match best {
        Some(best) => best,
        None if board.passed().moves() == 0 => board.result(),
        None => -negamax(board.passed(), -beta, -alpha),
    }
}

/// A position of a random game with so many empty squares.
fn random_position(random: &mut Random, empties: i32) -> Othello {
    loop {
        let mut game = Othello::start();
        while game.outcome().is_none() && game.empties() > empties {
            let mut moves = polyply_core::game::MoveList::new();
            game.moves(&mut moves);
            let mv = random.pick(&moves).unwrap();
            game.play(mv, &mut ());
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

fn first(game: &Othello, discs: i32) -> i32 {
    if game.side() == Side::First { discs } else { -discs }
}

#[test]
fn scores_are_those_of_negamax() {
    let mut random = Random::new(3);
    let mut searchers = [searcher(1), searcher(2)];
    for round in 0..2000 {
        let empties = if round % 100 == 0 { 12 } else { 1 + round % 8 };
        let game = random_position(&mut random, empties);
        let truth = first(&game, negamax(game.discs(), -65, 65));
        let solution = searchers[(round % 2) as usize].solve(&game, Limits::default(), &mut |_, _, _| ());
        let value = solution.score().map(|score| score.value());
        assert_eq!(value, Some(100 * truth), "{}", game.text());
        // And the move that comes with it keeps the score.
        let mut after = game.clone();
        after.play(solution.line[0], &mut ());
        let kept = first(&after, negamax(after.discs(), -65, 65));
        assert_eq!(kept, truth, "{} {:?}", game.text(), solution.line[0]);
    }
}

#[test]
fn a_window_is_answered_by_a_bound_on_the_right_side() {
    let mut random = Random::new(5);
    let mut resources = polyply_core::resources::Standalone::new(1 << 20);
    for round in 0..400 {
        let mut game = random_position(&mut random, 5 + round % 5);
        let truth = 100 * negamax(game.discs(), -65, 65);
        let alpha = truth + 100 * (random.below(9) as i32 - 4);
        let beta = alpha + [1, 150, 700][random.below(3)];
        let depth = game.empties() + 5;
        let mut eval = Evaluator::default();
        eval.reset(&game);
        let score = game.finish(&mut eval, (Score::eval(alpha), Score::eval(beta)), depth, &mut resources.lend());
        let score = score.value();
        if truth <= alpha {
            assert!(truth <= score && score <= alpha, "{truth} in {alpha} {beta} is not {score}");
        } else if truth >= beta {
            assert!(beta <= score && score <= truth, "{truth} in {alpha} {beta} is not {score}");
        } else {
            assert_eq!(score, truth);
        }
    }
}

#[test]
fn a_stopped_solve_has_an_answer() {
    let game = random_position(&mut Random::new(9), 24);
    let best = searcher(1).search(&game, &Task::new(Limits::nodes(3_000)), &mut |_| ());
    assert!(game.decode(best.mv().unwrap().into()).is_some());
    assert_eq!(searcher(1).solve(&game, Limits::nodes(3_000), &mut |_, _, _| ()).score(), None);
}

/// Problems of the FFO endgame test with their published scores, for the side to move.
#[test]
fn scores_of_published_problems() {
    for (text, score) in [
        ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
        ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 10),
        ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", 2),
        ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    ] {
        let game = Othello::start().parse(text).unwrap();
        let solution = searcher(1).solve(&game, Limits::default(), &mut |_, _, _| ());
        assert_eq!(solution.score().map(|score| score.value()), Some(100 * score), "{text}");
    }
}
