//! What people see in a position at a glance: the moves that they think of, and how easily they overlook each.
//!
//! Weak levels play like people by it: they look at sensible moves only and overlook some, the subtle ones more often.
//! The names of motifs also explain moves to people: which kind of move a hint is about, and what was overlooked.

use crate::family::Family;
use crate::game::{Class, MAX_MOVES, MoveList, MoveSink, Outcome, ScoredMove};

/// A move as people see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glance<M> {
    /// The move.
    pub mv: M,
    /// How promising it looks; higher is better. Only compared with other moves of the same position.
    pub appeal: i32,
    /// The idea behind it, if people have a name for it: `five`, `corner`, `check`. Moves with the same motif are seen
    /// or overlooked together.
    pub motif: Option<&'static str>,
    /// How easily it is overlooked: 0 is seen by everybody, 100 by experts only.
    pub subtlety: u8,
    /// 100 for a move that only attacks, -100 for one that only defends.
    pub aggression: i8,
}

impl<M> Glance<M> {
    /// A move without a motif, neither attacking nor defending.
    pub const fn ordinary(mv: M, appeal: i32) -> Self {
        Glance { mv, appeal, motif: None, subtlety: 0, aggression: 0 }
    }

    /// The same move with a motif.
    pub fn with_motif(self, motif: &'static str, subtlety: u8) -> Self {
        Glance { motif: Some(motif), subtlety: subtlety.min(100), ..self }
    }
}

/// How easily a move is overlooked that ends the game at once.
const WIN: u8 = 20;
/// How easily the only sensible move is overlooked.
const FORCED: u8 = 40;
/// How easily a tactical move is overlooked.
const TACTICAL: u8 = 25;
/// The aggression of a tactical move.
const TACTICAL_AGGRESSION: i8 = 60;

/// What people see, judged by the order in which the search tries moves. Games that know more about people override
/// [`Family::glance`].
pub fn by_order<G: Family>(game: &G) -> Vec<Glance<G::Move>> {
    let mut seen = Vec::new();
    let mut ordered: Vec<ScoredMove<G::Move>> = Vec::with_capacity(MAX_MOVES);
    for class in [Class::Forced, Class::Tactical, Class::Quiet] {
        ordered.clear();
        game.order(class, &G::Params::default(), &mut MoveSink::new(&mut ordered));
        seen.extend(ordered.iter().map(|&ScoredMove { mv, score }| {
            let glance = Glance::ordinary(mv, score);
            match class {
                _ if wins(game, mv) => glance.with_motif("win", WIN),
                Class::Forced => glance.with_motif("forced", FORCED),
                Class::Tactical => {
                    Glance { aggression: TACTICAL_AGGRESSION, ..glance.with_motif("tactical", TACTICAL) }
                }
                Class::Quiet | Class::Remote => glance,
            }
        }));
        if class == Class::Forced && !seen.is_empty() {
            // Whoever overlooks what is forced plays any other move.
            let mut all = MoveList::new();
            game.moves(&mut all);
            let others = all.into_iter().filter(|mv| ordered.iter().all(|forced| forced.mv != *mv));
            seen.extend(others.map(|mv| Glance::ordinary(mv, 0)));
            return seen;
        }
    }
    seen
}

/// Whether a move wins at once.
pub fn wins<G: Family>(game: &G, mv: G::Move) -> bool {
    let mut next = game.clone();
    next.play(mv, &mut ());
    next.outcome() == Some(Outcome::Win(game.side()))
}
