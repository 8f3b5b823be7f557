//! The search. [`root`] does iterative deepening, [`node`] searches one position, [`moves`] its moves, and
//! [`quiesce`] its leaves. [`prune`], [`reduce`] and [`extend`] have one small function for each technique.
//!
//! [`job`] holds what all threads share, [`worker`] the memory of one thread, and [`running`] its running search,
//! with what all nodes use: [`evaluate`] for static evaluations, [`certain`] for what the game knows, [`tt`] for the
//! Search TT, [`learn`] for history.

mod certain;
mod evaluate;
mod extend;
mod job;
mod learn;
mod moves;
mod node;
mod prune;
mod quiesce;
mod reduce;
mod report;
mod root;
mod running;
mod tt;
mod worker;

pub(crate) use job::{Job, Shared};
pub(crate) use reduce::Reductions;
pub use report::{Best, Info, Line};
pub(crate) use root::{Deepening, RootMove};
pub(crate) use running::Search;
pub(crate) use tt::Finding;
pub(crate) use worker::{Child, Worker};

/// The deepest ply of a search, quiescence included.
pub const MAX_PLY: usize = 240;

/// What kind of node is searched, as a type: each kind compiles to its own code.
pub(crate) trait NodeKind {
    /// On the principal variation, where the window is open.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node of the principal variation.
pub(crate) struct Pv;
/// Any other node, searched with a null window.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a search may do, as a type.
pub(crate) trait Mode {
    /// Unsound techniques are allowed: pruning, reductions, extensions, quiescence.
    const SELECTIVE: bool;
    /// The search has a depth, and may end before the game does.
    const HORIZON: bool;
    /// What the game has proven may end a node, and the game may leave out moves that can't be better than others.
    const PROOFS: bool;
}

/// For playing: everything is allowed that the parameters allow.
pub(crate) struct Selective;
/// Exact mode: the value of plain negamax at this depth, with static evaluations at the leaves.
pub(crate) struct Exact;
/// For solving: the value of the game. The search goes to the end of the game, so proofs do not change the value.
pub(crate) struct Solve;

impl Mode for Selective {
    const SELECTIVE: bool = true;
    const HORIZON: bool = true;
    const PROOFS: bool = true;
}
impl Mode for Exact {
    const SELECTIVE: bool = false;
    const HORIZON: bool = true;
    const PROOFS: bool = false;
}
impl Mode for Solve {
    const SELECTIVE: bool = false;
    const HORIZON: bool = false;
    const PROOFS: bool = true;
}
