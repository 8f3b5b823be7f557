//! Work in numbered pieces that can be done anywhere: games, positions of a book, puzzles of a suite.
//!
//! [`Work`] says what the pieces are and how one is done. [`run`] has them done at a [`Place`]: on threads of this
//! process, or by a [`Fleet`] of machines, and gives the results to the same code. On another machine [`open`] makes a
//! [`Performer`] out of the [`Task`] that describes the work.

mod halt;
mod position;
mod remote;
mod search;
mod signature;
mod task;
mod threads;

pub use halt::Halt;
pub use position::WrittenPosition;
pub(crate) use position::written_positions;
pub use remote::{Fleet, JobAbout, RemoteDone, RemoteJob};
pub use search::{SearchPiece, SearchTask, SearchedMove, now_ms};
pub use signature::Signatures;
pub(crate) use task::{KeptWeights, refuse_text_option};
pub use task::{Performer, Site, Task, open};

use crate::LabError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How often the stop flag is checked.
const TICK: Duration = Duration::from_millis(50);

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    GoOn,
    /// Stop: the question is answered.
    Enough,
}

/// Where work is done.
#[derive(Clone)]
pub enum Place {
    /// On so many threads of this process.
    Threads(usize),
    /// On other machines.
    Fleet(Arc<dyn Fleet>),
}

/// Work that consists of pieces. A piece depends on nothing but the work and itself.
pub trait Work: Sync {
    /// What differs from piece to piece.
    type Piece: Send;
    /// What comes out of a piece.
    type Done: Send;
    /// What a thread keeps from piece to piece, such as running engines.
    type Worker: Send;

    /// What a thread begins with. Everything in it stops when `halt` says so.
    fn worker(&self, halt: &Arc<Halt>) -> Result<Self::Worker, LabError>;
    /// Does a piece; `None` if it was stopped.
    fn perform(&self, worker: &mut Self::Worker, piece: &Self::Piece) -> Result<Option<Self::Done>, LabError>;

    /// The pieces that may wait for each thread. More than none keeps threads busy while results are looked at; none where the
    /// next piece depends on the last result.
    fn ahead(&self) -> usize;

    /// What workers elsewhere must know. Files that they need are given to the fleet.
    fn task(&self, fleet: &dyn Fleet) -> Result<Task, LabError>;
    /// What people and the fleet should know about it.
    fn about(&self) -> JobAbout;
    /// The number of a piece, which is unique.
    fn number(&self, piece: &Self::Piece) -> u64;
    /// A piece as text.
    fn write_piece(&self, piece: &Self::Piece) -> String;
    /// Reads a piece.
    fn read_piece(&self, text: &str) -> Result<Self::Piece, LabError>;
    /// A result as text.
    fn write_done(&self, piece: &Self::Piece, done: &Self::Done) -> String;
    /// Reads a result.
    fn read_done(&self, piece: &Self::Piece, text: &str) -> Result<Self::Done, LabError>;
    /// How a piece ended, in a word, if workers can be compared by that.
    fn verdict(&self, piece: &Self::Piece, done: &Self::Done) -> Option<&'static str>;
}

/// Takes pieces, and has results in whatever order they come.
trait Desk<W: Work> {
    /// How many pieces may be under way.
    fn capacity(&self) -> usize;
    /// Takes a piece.
    fn give(&mut self, piece: W::Piece) -> Result<(), LabError>;
    /// A result, if there is one within a tick.
    fn take(&mut self) -> Result<Taken<W>, LabError>;
}

/// What a desk has.
enum Taken<W: Work> {
    Done(W::Piece, W::Done),
    /// A piece that could not be done.
    Failed,
    NothingYet,
    /// Nothing will come any more.
    Closed,
}

/// Does the pieces that `next` returns until it returns none and all are done. `each` is called with every result and says
/// whether to go on. Pieces under way when `stop` is set, or when `each` ends the run, are dropped.
pub fn run<W: Work>(
    work: &W,
    place: &Place,
    stop: &AtomicBool,
    next: &mut dyn FnMut() -> Result<Option<W::Piece>, LabError>,
    each: &mut dyn FnMut(W::Piece, W::Done) -> Result<Flow, LabError>,
) -> Result<(), LabError> {
    // Both want the source of pieces and the receiver of results, one after the other.
    let mut source = Source { next, each };
    match place {
        Place::Threads(threads) => threads::run(work, (*threads).max(1), stop, &mut source),
        Place::Fleet(fleet) => remote::run(work, fleet.as_ref(), stop, &mut source),
    }
}

/// Where pieces come from and where results go.
struct Source<'a, W: Work> {
    next: &'a mut dyn FnMut() -> Result<Option<W::Piece>, LabError>,
    each: &'a mut dyn FnMut(W::Piece, W::Done) -> Result<Flow, LabError>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// All pieces are done, or enough of them.
    Done,
    /// It was stopped.
    Stopped,
}

/// Carries pieces to a desk and results back.
fn carry<W: Work>(desk: &mut dyn Desk<W>, stop: &AtomicBool, source: &mut Source<'_, W>) -> Result<Ended, LabError> {
    let mut under_way = 0;
    loop {
        while under_way < desk.capacity()
            && !stop.load(Relaxed)
            && let Some(piece) = (source.next)()?
        {
            desk.give(piece)?;
            under_way += 1;
        }
        if under_way == 0 {
            return Ok(if stop.load(Relaxed) { Ended::Stopped } else { Ended::Done });
        }
        match desk.take()? {
            Taken::Done(piece, done) => {
                under_way -= 1;
                if (source.each)(piece, done)? == Flow::Enough {
                    return Ok(Ended::Done);
                }
            }
            Taken::Failed => under_way -= 1,
            Taken::NothingYet => {}
            Taken::Closed => return Ok(Ended::Stopped),
        }
        if stop.load(Relaxed) {
            return Ok(Ended::Stopped);
        }
    }
}
