//! Counting the lines of a game to a depth: the classic test of a move generator ([perft]).
//!
//! [perft]: https://www.chessprogramming.org/Perft

use crate::game::{Game, MoveList};

/// How many lines of exactly `depth` plies there are. A game that ends sooner adds nothing, unless
/// [`Game::ENDS_COUNT`].
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let count = game.count_moves() as u64;
        return if G::ENDS_COUNT { count.max(1) } else { count };
    }
    let mut moves = MoveList::new();
    game.perft_moves(&mut moves);
    if moves.is_empty() {
        return u64::from(G::ENDS_COUNT);
    }
    moves.into_iter().map(|mv| below(game, mv, depth)).sum()
}

/// The count for each first move, in the game's order; empty at depth 0. It shows where two move generators differ.
pub fn divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut moves = MoveList::new();
    game.perft_moves(&mut moves);
    moves.into_iter().map(|mv| (mv, below(game, mv, depth))).collect()
}

/// The lines of `depth` plies that begin with this move.
fn below<G: Game>(game: &mut G, mv: G::Move, depth: u32) -> u64 {
    let undo = game.play(mv, &mut ());
    let lines = perft(game, depth - 1);
    game.undo(mv, undo, &mut ());
    lines
}
