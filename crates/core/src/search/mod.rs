//! The search. [`root`] deepens, [`node`] searches one position, [`quiesce`] settles the leaves; [`prune`],
//! [`reduce`] and [`extend`] hold one small function a technique.

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
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node of the principal variation.
pub(crate) struct Pv;
/// Any other node; its window is empty.
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

/// What the search may rely on, as a type.
pub(crate) trait Mode {
    /// Unsound techniques (pruning, reductions, extensions, quiescence) are allowed.
    const SELECTIVE: bool;
    /// The depth may run out before the game does.
    const HORIZON: bool;
    /// The game's exact knowledge may answer: proofs, and leaving out moves that can't be better.
    const PROOFS: bool;
}

/// Playing: everything is allowed that its parameters allow.
pub(crate) struct Selective;
/// Plain negamax's value at this depth, with its leaves evaluated as they are.
pub(crate) struct Exact;
/// The value of the game itself: searches to the end, so the game's exact knowledge does not change it.
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
