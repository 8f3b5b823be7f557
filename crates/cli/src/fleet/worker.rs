//! `polyply worker`: this machine as a part of a fleet.

use super::machine::LabMachine;
use crate::args::{WorkKind, WorkerArgs};
use crate::failure::Failure;
use crate::{interrupt, serve};
use polyply_engine::registry::games;
use polyply_fleet::job::Class;
use polyply_fleet::worker::{self, WorkerConfig};
use polyply_lab::work::Signatures;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How often Ctrl-C is checked.
const TICK: Duration = Duration::from_millis(50);

pub fn work(args: &WorkerArgs) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from);
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => serve::data_folder(None)?.join("worker"),
    };
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, error))?;
    let config = WorkerConfig {
        name: args.name.clone().unwrap_or_else(polyply_fleet::host),
        threads,
        folder,
        features: features(),
        only: args.only.map(|only| match only {
            WorkKind::Moves => Class::Live,
            WorkKind::Lab => Class::Lab,
        }),
        games: games().map(|about| about.name.to_owned()).collect(),
    };
    let machine = LabMachine { hash: args.hash.into(), threads: threads as u64, signatures: Signatures::default() };
    let pressed = interrupt::flag()?;
    let leave = async move {
        while !pressed.load(Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let left = runtime.block_on(worker::run(&args.fleet, config, Arc::new(machine), leave));
    // A piece that does not stop is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(left?)
}

/// What the processor can do beyond the usual.
fn features() -> Vec<String> {
    let mut known = vec![std::env::consts::ARCH.to_owned()];
    #[cfg(target_arch = "x86_64")]
    for (name, is_there) in [
        ("popcnt", std::arch::is_x86_feature_detected!("popcnt")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512", std::arch::is_x86_feature_detected!("avx512f")),
    ] {
        if is_there {
            known.push(name.to_owned());
        }
    }
    known
}
