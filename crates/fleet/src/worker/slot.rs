//! A thread of a worker: takes a piece, does it, sends the result, again and again.

use super::jobs::Prepared;
use super::{Shared, Slot};
use crate::job::{self, DeadLetter, ResultRecord};
use crate::names::{self, LARGEST_RESULT};
use crate::queue::publish;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for a piece of one job.
const WAIT: Duration = Duration::from_secs(2);
/// The same where there are several jobs.
const SHORT_WAIT: Duration = Duration::from_millis(300);
/// The pause after the server did not answer, or where there is no job.
const PAUSE: Duration = Duration::from_millis(500);
/// The pause before a piece that could not be done is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// The slot, and the job that it is prepared for.
struct Place {
    slot: Option<Box<dyn Slot>>,
    job: Option<(String, u64)>,
}

/// What a thread does until the worker leaves.
pub async fn live(shared: Arc<Shared>, number: usize) {
    let mut place = Place { slot: Some(shared.machine.slot()), job: None };
    for turn in number.. {
        if shared.is_leaving() {
            return;
        }
        let changes = shared.jobs.changes();
        let jobs = shared.jobs.open(&shared).await;
        let work = async {
            match next_piece(&jobs, turn).await {
                Some((job, message)) => Some((job, message)),
                None if jobs.is_empty() => {
                    tokio::select! { () = changes => {}, () = tokio::time::sleep(PAUSE) => {} }
                    None
                }
                None => None,
            }
        };
        let piece = tokio::select! {
            piece = work => piece,
            () = shared.leaves() => return,
        };
        if let Some((job, message)) = piece {
            perform(&shared, &mut place, &job, &message).await;
        }
    }
}

/// A piece of one of the jobs. Those of the same class take turns; the most urgent ones are first in the list.
async fn next_piece(jobs: &[Arc<Prepared>], turn: usize) -> Option<(Arc<Prepared>, Message)> {
    let most_urgent = jobs.first()?.record.class;
    let urgent = jobs.iter().take_while(|job| job.record.class == most_urgent).count();
    let first = turn % urgent;
    if jobs.len() > 1 {
        let rest = &jobs[urgent..];
        let turns = if rest.is_empty() { 0 } else { turn % rest.len() };
        let urgent = jobs[first..urgent].iter().chain(&jobs[..first]);
        for job in urgent.chain(&rest[turns..]).chain(&rest[..turns]) {
            let fetched = job.consumer.fetch().max_messages(1).messages().await;
            if let Ok(mut messages) = fetched
                && let Some(Ok(message)) = messages.next().await
            {
                return Some((job.clone(), message));
            }
        }
    }
    let job = &jobs[first];
    let wait = if jobs.len() > 1 { SHORT_WAIT } else { WAIT };
    let fetched = job.consumer.batch().max_messages(1).expires(wait).messages().await;
    match fetched {
        Ok(mut messages) => match messages.next().await {
            Some(Ok(message)) => Some((job.clone(), message)),
            Some(Err(_)) => {
                tokio::time::sleep(PAUSE).await;
                None
            }
            None => None,
        },
        Err(_) => {
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}

/// How the work on a piece ended.
enum Performed {
    Done(String),
    /// It was stopped.
    Stopped,
    Failed(String),
}

async fn perform(shared: &Arc<Shared>, place: &mut Place, job: &Arc<Prepared>, message: &Message) {
    let tries = message.info().map_or(1, |info| u32::try_from(info.delivered).unwrap_or(1));
    let Some(number) = names::number(&message.subject) else {
        return answer(message, AckKind::Term).await;
    };
    if tries > job.record.tries {
        let reason = format!("{} workers that tried it were lost", tries - 1);
        return bury(shared, job, message, number, tries - 1, reason).await;
    }
    shared.record().busy += 1;
    let performed = attempt(shared, place, job, message).await;
    shared.record().busy -= 1;
    match performed {
        Performed::Done(output) if output.len() <= LARGEST_RESULT / 2 => {
            if send(shared, job, number, Ok(output)).await {
                answer(message, AckKind::Ack).await;
                shared.record().done += 1;
            }
        }
        Performed::Stopped if shared.jobs.is_gone(&job.id) => answer(message, AckKind::Term).await,
        Performed::Stopped => answer(message, AckKind::Nak(None)).await,
        failed => {
            let reason = match failed {
                Performed::Failed(reason) => reason,
                _ => "its result is too long".to_owned(),
            };
            shared.record().faults += 1;
            if tries >= job.record.tries {
                bury(shared, job, message, number, tries, reason).await;
            } else {
                shared.machine.tell(&format!("piece {number} of job {} failed: {reason}", job.id));
                shared.jobs.avoid(&job.id);
                answer(message, AckKind::Nak(Some(AGAIN))).await;
            }
        }
    }
}

/// Works on a piece, and tells the server so from time to time. What must end early is stopped.
async fn attempt(shared: &Arc<Shared>, place: &mut Place, job: &Arc<Prepared>, message: &Message) -> Performed {
    let Ok(piece) = String::from_utf8(message.payload.to_vec()) else {
        return Performed::Failed("it is no text".into());
    };
    let mut slot = match place.slot.take() {
        Some(slot) => slot,
        // The last one broke down.
        None => shared.machine.slot(),
    };
    let stopper = slot.stopper();
    stopper(false);
    let this = (job.id.clone(), job.record.began);
    let is_open = place.job.as_ref() == Some(&this);
    place.job = None;
    let (files, task) = (shared.clone(), job.clone());
    let runtime = tokio::runtime::Handle::current();
    let mut work = tokio::task::spawn_blocking(move || {
        let file = |name: &str| runtime.block_on(files.file(name));
        let opened = if is_open { Ok(()) } else { slot.open(&task.task, task.time_scale, &file) };
        let performed = opened.and_then(|()| slot.perform(&piece));
        (slot, performed)
    });
    let mut is_stopped = false;
    let heartbeat = Duration::from_millis(job.record.ack_wait_ms.max(30) / 3);
    let mut beats = tokio::time::interval(heartbeat);
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let ended = loop {
        let changes = shared.jobs.changes();
        if !is_stopped && (shared.is_leaving() || !shared.jobs.goes_on(&job.id)) {
            is_stopped = true;
            stopper(true);
        }
        tokio::select! {
            ended = &mut work => break ended,
            _ = beats.tick() => answer(message, AckKind::Progress).await,
            () = changes, if !is_stopped => {}
            () = shared.leaves(), if !is_stopped => {}
        }
    };
    match ended {
        Ok((slot, performed)) => {
            place.slot = Some(slot);
            match performed {
                Ok(Some(output)) => {
                    place.job = Some(this);
                    Performed::Done(output)
                }
                // A stop may leave engines behind that can't go on.
                Ok(None) => Performed::Stopped,
                Err(reason) => Performed::Failed(reason),
            }
        }
        Err(_) => Performed::Failed("it broke the program that worked on it".into()),
    }
}

/// Stores a result; whether that was possible before the worker leaves. If there is one already, that one stays.
async fn send(shared: &Shared, job: &Prepared, number: u64, output: Result<String, String>) -> bool {
    let record = ResultRecord { by: shared.name.clone(), nodes: job.record.nodes, output };
    publish(&shared.site, names::result(&job.id, number), job::write(&record)).await.is_ok()
}

/// Makes a dead letter of a piece.
async fn bury(shared: &Shared, job: &Prepared, message: &Message, number: u64, tries: u32, reason: String) {
    let letter = DeadLetter { by: shared.name.clone(), tries, reason: job::short(&reason) };
    shared.machine.tell(&format!("piece {number} of job {} is given up after {tries} attempts: {reason}", job.id));
    // The letter is for people; the asker needs the result.
    let _ = shared.site.state.put(names::dead(&job.id, number), job::write(&letter)).await;
    if send(shared, job, number, Err(letter.reason)).await {
        answer(message, AckKind::Term).await;
    }
}

/// Tells the server what became of a piece. If that is lost, the piece is done again, and its result counts once.
async fn answer(message: &Message, kind: AckKind) {
    let _ = message.ack_with(kind).await;
}
