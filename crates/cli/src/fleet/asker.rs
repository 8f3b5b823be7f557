//! The lab's jobs, given to a fleet.

use crate::failure::Failure;
use polyply_fleet::job::Class;
use polyply_fleet::{Address, FleetError, JobSpec, OpenJob};
use polyply_lab::work::{Fleet, JobAbout, RemoteDone, RemoteJob, Signatures};
use polyply_lab::{LabError, refusals};
use std::io::{self, Write};
use std::time::Duration;

/// A fleet that the lab gives jobs to.
pub struct Asker {
    fleet: polyply_fleet::Fleet,
    ack_wait: Duration,
    tries: u32,
    signatures: Signatures,
}

impl Asker {
    pub fn connect(address: &Address, ack_wait: Duration, tries: u32) -> Result<Asker, Failure> {
        let fleet = polyply_fleet::Fleet::connect(address)?;
        Ok(Asker { fleet, ack_wait, tries, signatures: Signatures::default() })
    }
}

fn failed(error: FleetError) -> LabError {
    LabError::Run(refusals::fleet_unreachable(error.to_string()))
}

impl Fleet for Asker {
    fn keep(&self, bytes: &[u8]) -> Result<String, LabError> {
        self.fleet.keep(bytes).map_err(failed)
    }

    fn open(&self, task: &str, about: &JobAbout) -> Result<Box<dyn RemoteJob>, LabError> {
        let bench = self.signatures.of(&about.game)?;
        let job = self.fleet.open(JobSpec {
            title: about.title.clone(),
            task: task.to_owned(),
            game: about.game.clone(),
            class: Class::Lab,
            nodes: bench.nodes,
            speed: bench.nps(),
            is_timed: about.is_timed,
            file: about.file.clone(),
            pieces: about.pieces,
            ack_wait: self.ack_wait,
            tries: self.tries,
        });
        Ok(Box::new(Job(job.map_err(failed)?)))
    }
}

struct Job(OpenJob);

impl RemoteJob for Job {
    fn capacity(&self, ahead: usize) -> usize {
        self.0.capacity(ahead)
    }

    fn give(&mut self, number: u64, piece: &str) -> Result<(), LabError> {
        self.0.give(number, piece).map_err(failed)
    }

    fn take(&mut self, wait: Duration) -> Result<Option<RemoteDone>, LabError> {
        let taken = self.0.take(wait).map_err(failed)?;
        for notice in self.0.notices() {
            // That stderr is closed does not matter.
            let _ = writeln!(io::stderr(), "polyply: {notice}");
        }
        Ok(taken.map(|reply| RemoteDone { number: reply.number, output: reply.output, by: reply.by }))
    }

    fn note(&mut self, by: &str, verdict: &str) -> Result<(), LabError> {
        self.0.note(by, verdict);
        Ok(())
    }

    fn close(&mut self, is_done: bool) -> Result<(), LabError> {
        self.0.close(is_done).map_err(failed)
    }
}
