//! The commands of the fleet, and the options of those that use one.

use crate::failure::Failure;
use crate::fleet::Asker;
use clap::{Subcommand, ValueEnum};
use polyply_fleet::Address;
use polyply_lab::duration::parse_duration;
use polyply_lab::work::Place;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where the work is done.
#[derive(clap::Args, Clone, Debug)]
pub struct FleetArgs {
    /// Have the work done by the workers of a fleet, as in nats://127.0.0.1:4222; `polyply worker` starts one. Off this
    /// machine it is tls://USER:PASSWORD@HOST; docs/fleet.md says more.
    #[arg(long, value_name = "URL")]
    pub fleet: Option<Address>,
    /// How long a worker that is not heard of keeps a piece of work.
    #[arg(long, value_name = "T", default_value = "30s", value_parser = parse_duration, hide = true)]
    pub fleet_wait: Duration,
    /// How often a piece of work is tried.
    #[arg(long, value_name = "N", default_value_t = 8, hide = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub fleet_tries: u32,
}

impl FleetArgs {
    /// The fleet, or so many threads of this process.
    pub fn place(&self, threads: usize) -> Result<Place, Failure> {
        Ok(self.fleet()?.unwrap_or(Place::Threads(threads)))
    }

    /// The fleet, if one was asked for.
    pub fn fleet(&self) -> Result<Option<Place>, Failure> {
        let Some(address) = &self.fleet else { return Ok(None) };
        let asker = Asker::connect(address, self.fleet_wait, self.fleet_tries)?;
        Ok(Some(Place::Fleet(Arc::new(asker))))
    }
}

#[derive(clap::Args, Debug)]
pub struct WorkerArgs {
    /// The fleet, as in nats://127.0.0.1:4222 or tls://USER:PASSWORD@HOST.
    #[arg(long, value_name = "URL")]
    pub fleet: Address,
    /// Pieces of work to do at once [default: as many as there are processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most megabytes for the table of an engine; what asks for more is refused.
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: u32,
    /// Take only one kind of work: moves of people's games on servers, or work of the lab [default: moves first].
    #[arg(long, value_name = "KIND")]
    pub only: Option<WorkKind>,
    /// Folder for files of jobs, such as weights [default: polyply/worker in the user's data folder].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Name to appear under [default: the name of this machine].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// A kind of work.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkKind {
    /// Moves of people's games.
    Moves,
    /// Matches, self-play, tuning, books and suites.
    Lab,
}

#[derive(Subcommand, Debug)]
pub enum FleetCommand {
    /// Show workers, jobs, and what went wrong.
    Status(FleetStatusArgs),
    /// Let workers leave a job alone until it is resumed.
    Pause(FleetJobArgs),
    /// Let a paused job go on.
    Resume(FleetJobArgs),
    /// End a job: the command that asks for it fails.
    Cancel(FleetJobArgs),
}

#[derive(clap::Args, Debug)]
pub struct FleetStatusArgs {
    /// The fleet, as in nats://127.0.0.1:4222 or tls://USER:PASSWORD@HOST.
    #[arg(long, value_name = "URL")]
    pub fleet: Address,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct FleetJobArgs {
    /// The name of the job, as `polyply fleet status` shows it.
    pub job: String,
    /// The fleet, as in nats://127.0.0.1:4222 or tls://USER:PASSWORD@HOST.
    #[arg(long, value_name = "URL")]
    pub fleet: Address,
}
