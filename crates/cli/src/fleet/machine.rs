//! What this program can do for a fleet: pieces of the lab's work, and nothing else.

use polyply_fleet::worker::{Machine, Signature, Slot};
use polyply_lab::work::{self, Halt, Performer, Signatures, Site};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// This machine.
pub struct LabMachine {
    /// The most megabytes for the table of an engine.
    pub hash: u64,
    /// The most threads of an engine.
    pub threads: u64,
    pub signatures: Signatures,
}

impl Machine for LabMachine {
    fn signature(&self, game: &str) -> Result<Signature, String> {
        let bench = self.signatures.of(game).map_err(|error| error.to_string())?;
        Ok(Signature { nodes: bench.nodes, speed: bench.nps() })
    }

    fn slot(&self) -> Box<dyn Slot> {
        Box::new(LabSlot { hash: self.hash, threads: self.threads, halt: Arc::default(), performer: None })
    }

    fn build(&self) -> String {
        let executable = std::env::current_exe().and_then(std::fs::read);
        let hash =
            executable.map_or_else(|_| "unknown".to_owned(), |bytes| polyply_fleet::hash(&bytes)[..12].to_owned());
        format!("{} {hash}", env!("CARGO_PKG_VERSION"))
    }

    fn tell(&self, sentence: &str) {
        // A worker goes on, whether anybody reads this or not.
        let _ = writeln!(io::stderr(), "polyply: {sentence}");
    }
}

/// A thread that does pieces.
struct LabSlot {
    hash: u64,
    threads: u64,
    halt: Arc<Halt>,
    performer: Option<Box<dyn Performer>>,
}

impl Slot for LabSlot {
    fn open(
        &mut self,
        task: &str,
        time_scale: f64,
        file: &dyn Fn(&str) -> Result<PathBuf, String>,
    ) -> Result<(), String> {
        let site = Site { file, time_scale, hash: self.hash, threads: self.threads };
        self.performer = None;
        self.performer = Some(work::open(task, &site, &self.halt).map_err(|error| error.to_string())?);
        Ok(())
    }

    fn perform(&mut self, piece: &str) -> Result<Option<String>, String> {
        let performer = self.performer.as_mut().ok_or("nothing is open")?;
        performer.perform(piece).map_err(|error| error.to_string())
    }

    fn stopper(&self) -> Arc<dyn Fn(bool) + Send + Sync> {
        let halt = self.halt.clone();
        Arc::new(move |is_stopped| if is_stopped { halt.halt() } else { halt.reset() })
    }
}
