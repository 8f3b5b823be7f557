//! Whatever moves are played and taken back, what a game keeps incrementally equals its recomputation: the key, the
//! evaluation and, in five in a row, everything the board knows about its cells.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_chess::Chess;
use polyply_core::family::{Family, Setup};
use polyply_core::game::{Evaluation, MoveList};
use polyply_five::Five;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_othello::Othello;
use polyply_small::ataxx::Ataxx;
use polyply_small::connect4::Connect4;
use polyply_small::tictactoe::TicTacToe;

fuzz_target!(|bytes: &[u8]| {
    let Some((&game, choices)) = bytes.split_first() else { return };
    match game % 9 {
        0 => walk::<TicTacToe>(choices, |_| ()),
        1 => walk::<Connect4>(choices, |_| ()),
        2 => walk::<Ataxx>(choices, |_| ()),
        3 => walk::<Five<Freestyle>>(choices, check_board),
        4 => walk::<Five<Standard>>(choices, check_board),
        5 => walk::<Five<Caro>>(choices, check_board),
        6 => walk::<Five<Capture>>(choices, check_board),
        7 => walk::<Othello>(choices, |_| ()),
        _ => walk::<Chess>(choices, |_| ()),
    }
});

/// Two bytes choose a move, or to take one back.
fn walk<G: Family>(choices: &[u8], check: fn(&G)) {
    let (mut game, mut eval) = G::open(&Setup::default()).expect("a game can be played as it is");
    eval.reset(&game);
    let mut line = Vec::new();
    for choice in choices.chunks_exact(2).take(200) {
        let choice = usize::from(u16::from_le_bytes([choice[0], choice[1]]));
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        if choice.is_multiple_of(8) || moves.is_empty() {
            let Some((mv, undo)) = line.pop() else { continue };
            eval.undo(&mut game, mv, undo);
        } else {
            let mv = moves[choice / 8 % moves.len()];
            line.push((mv, eval.play(&mut game, mv)));
        }
        assert_eq!(game.key(), game.recomputed_key(), "{}", game.text());
        check(&game);
        // Nobody asks for the evaluation of a game that is over.
        if game.outcome().is_none() {
            let mut fresh = eval.clone();
            fresh.reset(&game);
            assert_eq!(eval.score(&game), fresh.score(&game), "{}", game.text());
        }
    }
}

fn check_board<R: Rule>(game: &Five<R>) {
    game.check().expect("what is kept equals what is recomputed");
}
