//! `polyply fleet`: looking at a fleet, and interfering with its jobs.

use crate::args::{FleetCommand, FleetJobArgs, FleetStatusArgs};
use crate::failure::Failure;
use crate::printer::Printer;
use polyply_fleet::Fleet;
use polyply_fleet::job::{JobState, WorkerRecord};
use polyply_fleet::status::{JobStatus, Status};
use serde_json::json;

pub fn look(command: &FleetCommand) -> Result<(), Failure> {
    match command {
        FleetCommand::Status(args) => status(args),
        FleetCommand::Pause(args) => set(args, JobState::Paused),
        FleetCommand::Resume(args) => set(args, JobState::Running),
        FleetCommand::Cancel(args) => set(args, JobState::Cancelled),
    }
}

fn set(args: &FleetJobArgs, state: JobState) -> Result<(), Failure> {
    Fleet::connect(&args.fleet)?.set_state(&args.job, state)?;
    let word = match state {
        JobState::Running => "goes on",
        JobState::Paused => "is paused",
        JobState::Cancelled => "is cancelled",
    };
    let mut printer = Printer::new();
    printer.line(format_args!("job {} {word}", args.job));
    Ok(printer.finish()?)
}

fn status(args: &FleetStatusArgs) -> Result<(), Failure> {
    let status = Fleet::connect(&args.fleet)?.status()?;
    let mut printer = Printer::new();
    match args.json {
        true => printer.line(json!(status)),
        false => lines(&status).into_iter().for_each(|line| printer.line(line)),
    }
    Ok(printer.finish()?)
}

fn lines(status: &Status) -> Vec<String> {
    let threads: usize = status.workers.iter().map(|worker| worker.threads).sum();
    let mut lines = vec![format!("{} workers, {threads} threads, {} jobs", status.workers.len(), status.jobs.len())];
    lines.extend(status.jobs.iter().map(job_line));
    lines.extend(status.workers.iter().map(worker_line));
    for worker in &status.workers {
        lines.extend(worker.refused.values().map(|reason| format!("worker {}: {reason}", worker.name)));
    }
    lines.extend(
        status
            .aside
            .iter()
            .map(|aside| format!("worker {} was set aside from job {}: {}", aside.worker, aside.job, aside.reason)),
    );
    lines.extend(status.dead.iter().map(|dead| {
        let (tries, reason) = (dead.letter.tries, &dead.letter.reason);
        format!("piece {} of job {} was given up after {tries} attempts: {reason}", dead.number, dead.job)
    }));
    lines
}

fn job_line(job: &JobStatus) -> String {
    let state = match (job.job.state, job.progress) {
        (JobState::Paused, _) => "paused",
        (JobState::Cancelled, _) => "cancelled",
        (JobState::Running, Some(_)) => "running",
        (JobState::Running, None) => "without its asker",
    };
    let progress = job.progress.unwrap_or_default();
    let of = job.job.pieces.map_or(String::new(), |pieces| format!(" of {pieces}"));
    format!(
        "job {}  {state}  {}  {} done{of}, {} under way, {} waiting, {:.1} a second",
        job.id, job.job.title, progress.done, job.running, job.waiting, progress.rate
    )
}

fn worker_line(worker: &WorkerRecord) -> String {
    let WorkerRecord { name, threads, busy, done, faults, build, .. } = worker;
    let benches: Vec<String> =
        worker.benches.iter().map(|(game, [nodes, speed])| format!("{game} {nodes} at {speed} nps")).collect();
    let benches = if benches.is_empty() { String::new() } else { format!("; bench of {}", benches.join(", ")) };
    let features = worker.features.join(" ");
    format!(
        "worker {name}  {busy} of {threads} threads busy, {done} done, {faults} failed; {build}, {features}{benches}"
    )
}
