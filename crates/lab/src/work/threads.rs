//! Work on threads of this process.

use super::{Desk, Halt, Source, TICK, Taken, Work, carry};
use crate::LabError;
use polyply_core::lock::lock;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};

/// A result with its piece; none if it was stopped.
type Performed<W> = Result<(<W as Work>::Piece, Option<<W as Work>::Done>), LabError>;

struct Threads<W: Work> {
    capacity: usize,
    pieces: Sender<W::Piece>,
    results: Receiver<Performed<W>>,
}

/// Does the pieces on threads.
pub fn run<W: Work>(work: &W, threads: usize, stop: &AtomicBool, source: &mut Source<'_, W>) -> Result<(), LabError> {
    let halt = Arc::new(Halt::default());
    let (pieces, inbox) = mpsc::channel();
    let (sender, results) = mpsc::channel();
    let inbox = Mutex::new(inbox);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, inbox, halt) = (sender.clone(), &inbox, &halt);
            scope.spawn(move || live(work, inbox, &sender, halt));
        }
        drop(sender);
        let mut desk = Threads { capacity: threads * (1 + work.ahead()), pieces, results };
        let ended = carry(&mut desk, stop, source);
        halt.halt();
        // Without a sender the threads end.
        drop(desk);
        ended.map(drop)
    })
}

/// What a thread does.
fn live<W: Work>(work: &W, inbox: &Mutex<Receiver<W::Piece>>, results: &Sender<Performed<W>>, halt: &Arc<Halt>) {
    let mut worker = match work.worker(halt) {
        Ok(worker) => worker,
        Err(error) => return drop(results.send(Err(error))),
    };
    loop {
        let piece = lock(inbox).recv();
        let Ok(piece) = piece else { return };
        if halt.is_halted() {
            return;
        }
        let performed = work.perform(&mut worker, &piece).map(|done| (piece, done));
        if results.send(performed).is_err() {
            return;
        }
    }
}

impl<W: Work> Desk<W> for Threads<W> {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn give(&mut self, piece: W::Piece) -> Result<(), LabError> {
        // Without threads there will be no result, and that is noticed there.
        let _ = self.pieces.send(piece);
        Ok(())
    }

    fn take(&mut self) -> Result<Taken<W>, LabError> {
        match self.results.recv_timeout(TICK) {
            Ok(performed) => Ok(match performed? {
                (piece, Some(done)) => Taken::Done(piece, done),
                (_, None) => Taken::Closed,
            }),
            Err(RecvTimeoutError::Timeout) => Ok(Taken::NothingYet),
            Err(RecvTimeoutError::Disconnected) => Ok(Taken::Closed),
        }
    }
}
