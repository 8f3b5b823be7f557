//! Random openings: a few moves that neither side is better after.

use crate::random::Random;
use crate::selfplay::Seat;
use polyply_core::game::{Class, Game, MoveList, MoveSink, SearchGame};

/// How many random moves open a game.
const MOVES: std::ops::RangeInclusive<usize> = 3..=8;
/// Where neither side is better by more than this, the opening is fair.
const FAIR: i32 = 300;
/// The first move is one like any other once in so many games, and one that looks sensible in the others.
const ANYWHERE: usize = 4;

/// Moves from a position to one that is fair to both sides, as far as a short search sees.
pub fn fair_opening<G: SearchGame>(start: &G, seat: &mut Seat<G>, random: &mut Random) -> Vec<G::Move> {
    loop {
        let length = MOVES.start() + random.below(MOVES.end() - MOVES.start() + 1);
        let choosiness = 1 + random.below(3);
        let mut game = start.clone();
        let mut moves = Vec::with_capacity(length);
        while moves.len() < length && game.outcome().is_none() {
            let mv = if moves.is_empty() && random.once_in(ANYWHERE) {
                any_move(&game, random)
            } else {
                random_move(&game, choosiness, random)
            };
            game.play(mv, &mut ());
            moves.push(mv);
        }
        if game.outcome().is_none() && seat.glance(&game).value().abs() <= FAIR {
            return moves;
        }
    }
}

/// The most promising of some random moves, the remote ones left out where there are others.
///
/// The game goes on.
pub fn random_move<G: SearchGame>(game: &G, choosiness: usize, random: &mut Random) -> G::Move {
    let mut moves = Vec::with_capacity(polyply_core::game::MAX_MOVES);
    for class in [Class::Forced, Class::Tactical, Class::Quiet] {
        game.order(class, false, &G::Params::default(), &mut MoveSink::new(&mut moves));
        if class == Class::Forced && !moves.is_empty() {
            break;
        }
    }
    let drawn = (0..choosiness).filter(|_| !moves.is_empty()).map(|_| moves[random.below(moves.len())]);
    match drawn.max_by_key(|scored| scored.score) {
        Some(scored) => scored.mv,
        None => any_move(game, random),
    }
}

fn any_move<G: Game>(game: &G, random: &mut Random) -> G::Move {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves[random.below(moves.len())]
}
