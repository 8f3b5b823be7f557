//! A net that adds to the evaluation: what it keeps incrementally is right after any line, it allocates nothing in a search, and a
//! search with it is the same twice.

use crate::counting::allocations;
use polyply_chess::{Chess, Evaluator};
use polyply_core::clock::Limits;
use polyply_core::family::Family;
use polyply_core::game::{Evaluation, Game, MoveList, Notation, SearchGame};
use polyply_core::random::Random;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_nn::{FloatNet, Inputs, Net};
use proptest::prelude::*;
use std::sync::Arc;

fn net(hidden: usize) -> Arc<Net> {
    Arc::new(FloatNet::random(Evaluator::net_shape(hidden), 24.0, 5).quantised(300))
}

fn fresh(net: &Arc<Net>, game: &Chess) -> i32 {
    let mut eval = Evaluator::with_net(net);
    eval.reset(game);
    eval.score(game).value()
}

/// What a net learns from.
fn inputs(game: &Chess) -> Inputs {
    let mut inputs = Inputs::default();
    (Chess::learning().unwrap().net.unwrap().inputs)(game, &Evaluator::default(), &mut inputs);
    inputs
}

fn searcher() -> Searcher<Chess> {
    Searcher::new(Evaluator::with_net(&net(32)), Arc::new(SearchTt::new(1 << 20)), Arc::new(EvalCache::off()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn sums_follow_moves_null_moves_and_undos(seed in any::<u64>(), start in 0..960_u32) {
        let net = net(32);
        let (mut random, mut game) = (Random::new(seed), Chess::chess960_start(start).unwrap());
        let mut eval = Evaluator::with_net(&net);
        eval.reset(&game);
        let (mut line, mut nulls) = (Vec::new(), Vec::new());
        for _ in 0..200 {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            match (random.below(6), random.pick(&moves)) {
                (0..=2, Some(mv)) => {
                    let undo = eval.play(&mut game, mv);
                    line.push((mv, undo));
                }
                (3, _) if line.len() > nulls.last().map_or(0, |&(length, _)| length) => {
                    let (mv, undo) = line.pop().unwrap();
                    eval.undo(&mut game, mv, undo);
                }
                (4, _) => match nulls.pop_if(|(length, _)| *length == line.len()) {
                    Some((_, undo)) => game.undo_null(undo),
                    None => nulls.extend(game.play_null().map(|undo| (line.len(), undo))),
                },
                _ => prop_assert_eq!(eval.score(&game).value(), fresh(&net, &game), "{}", game.text()),
            }
        }
        prop_assert_eq!(eval.score(&game).value(), fresh(&net, &game), "{}", game.text());
    }
}

#[test]
fn mirrored_positions_and_swapped_colors_are_worth_the_same() {
    let net = net(64);
    let value = |fen: &str| {
        let inputs = inputs(&Chess::start().parse(fen).unwrap());
        net.value(&inputs)
    };
    let one = value("6k1/5ppp/8/3n4/8/2B5/PP6/1K6 w - - 0 1");
    assert_eq!(one, value("1k6/ppp5/8/4n3/8/5B2/6PP/6K1 w - - 0 1"), "left and right");
    assert_eq!(one, value("1k6/pp6/2b5/8/3N4/8/5PPP/6K1 b - - 0 1"), "white and black");
    assert_ne!(one, value("6k1/5ppp/8/3n4/8/2B5/PP6/1K6 b - - 0 1"), "whose move it is");
}

#[test]
fn what_is_learned_from_is_what_the_search_evaluates() {
    let net = net(32);
    let mut random = Random::new(2);
    let mut game = Chess::start();
    for _ in 0..60 {
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let Some(mv) = random.pick(&moves) else { break };
        game.play(mv, &mut ());
        let inputs = inputs(&game);
        let value = net.value(&inputs);
        let value = value + i32::from(inputs.base);
        let mut eval = Evaluator::with_net(&net);
        eval.reset(&game);
        // Scores fall with the number of quiet moves.
        assert_eq!(eval.score(&game).value(), value * (200 - game.quiet_moves()) / 200, "{}", game.text());
    }
}

#[test]
fn nothing_is_allocated_between_the_first_and_the_last_report() {
    let position =
        Chess::start().parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").unwrap();
    assert_eq!(allocations(&mut searcher(), &position, &Task::new(Limits::nodes(50_000))), 0);
}

#[test]
fn a_search_is_the_same_twice() {
    let nodes = || {
        let best = searcher().search(&Chess::start(), &Task::new(Limits::depth(7)), &mut |_| ());
        (best.stats.nodes, best.score())
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_file_of_weights_may_hold_a_net() {
    let net = net(32);
    let read = Evaluator::parse(&net.text("chess", &[])).unwrap();
    assert_ne!(read.weights_hash(), Evaluator::default().weights_hash());
    assert_eq!(read.weights_hash(), Evaluator::with_net(&net).weights_hash());
    let error = Evaluator::parse(&net.text("othello", &[])).err().unwrap();
    assert!(error.contains("not of chess"), "{error}");
    let other = polyply_nn::Shape { buckets: 1, ..Evaluator::net_shape(32) };
    let error = Evaluator::parse(&FloatNet::random(other, 24.0, 1).quantised(300).text("chess", &[])).err().unwrap();
    assert!(error.contains("8 buckets"), "{error}");
}
