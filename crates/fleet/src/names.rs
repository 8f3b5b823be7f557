//! What NATS has of a fleet: streams, buckets, subjects and keys.

use crate::FleetError;
use async_nats::Client;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use std::time::Duration;

/// The stream of pieces.
pub const WORK: &str = "polyply-work";
/// The stream of results.
pub const RESULTS: &str = "polyply-results";
/// The bucket of jobs, dead letters and workers that were set aside.
pub const STATE: &str = "polyply-fleet";
/// The bucket of workers, and of how far jobs have come. What is not renewed disappears.
pub const LIVE: &str = "polyply-live";
/// The object store.
pub const OBJECTS: &str = "polyply-objects";

/// A worker that was not heard of for this long is gone.
pub const LIVE_AGE: Duration = Duration::from_secs(90);
/// How often to try again where two make the same streams at once, and how long to wait before that.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);
/// Pieces, results, jobs and dead letters that nobody touched during this time are dropped.
const OLDEST: Duration = Duration::from_secs(14 * 24 * 3600);
/// The largest piece in bytes.
pub const LARGEST_PIECE: usize = 64 << 10;
/// The largest result in bytes; below the usual `max_payload` of NATS.
pub const LARGEST_RESULT: usize = 1_000_000;
/// The largest file of a job in bytes.
pub const LARGEST_OBJECT: usize = 256 << 20;
/// The most that each stream may take on the server's disk.
const LARGEST_STREAM: i64 = 4 << 30;

/// The subject of a piece.
pub fn piece(job: &str, number: u64) -> String {
    format!("polyply.work.{job}.{number}")
}

/// The subject of a result.
pub fn result(job: &str, number: u64) -> String {
    format!("polyply.result.{job}.{number}")
}

/// All pieces of a job.
pub fn pieces(job: &str) -> String {
    format!("polyply.work.{job}.*")
}

/// All results of a job.
pub fn results(job: &str) -> String {
    format!("polyply.result.{job}.*")
}

/// The number at the end of a subject.
pub(crate) fn number(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

/// The key of a job.
pub fn job(id: &str) -> String {
    format!("job.{id}")
}

/// The key of the progress of a job.
pub fn progress(job: &str) -> String {
    format!("progress.{job}")
}

/// The key of a piece that nobody could do.
pub fn dead(job: &str, number: u64) -> String {
    format!("dead.{job}.{number}")
}

/// The key of a worker that takes no part in a job any more.
pub fn aside(job: &str, worker: &str) -> String {
    format!("aside.{job}.{worker}")
}

/// The key of a worker.
pub fn worker(name: &str) -> String {
    format!("worker.{name}")
}

/// A name that can be part of subjects and keys.
pub fn token(text: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    text.chars().take(60).map(letter).collect()
}

/// A fleet's streams and buckets.
#[derive(Clone)]
pub(crate) struct Site {
    pub client: Client,
    pub context: Context,
    pub work: Stream,
    pub results: Stream,
    pub state: Store,
    pub live: Store,
    pub objects: ObjectStore,
}

impl Site {
    /// Makes what is not there yet.
    pub async fn open(client: Client) -> Result<Site, FleetError> {
        for _ in 0..TRIES {
            match Site::make(client.clone()).await {
                Err(FleetError::Server(reason)) if is_being_made(&reason) => tokio::time::sleep(PAUSE).await,
                made => return made,
            }
        }
        Site::make(client).await
    }

    async fn make(client: Client) -> Result<Site, FleetError> {
        let context = jetstream::new(client.clone());
        let failed = |error: &dyn std::fmt::Display| {
            FleetError::Server(format!(
                "the NATS server can't keep a fleet: {error}; it must run with JetStream, as `nats-server -js` does"
            ))
        };
        let base = stream::Config {
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            storage: StorageType::File,
            max_age: OLDEST,
            max_bytes: LARGEST_STREAM,
            num_replicas: 1,
            ..Default::default()
        };
        let work = stream::Config {
            name: WORK.into(),
            subjects: vec!["polyply.work.*.*".into()],
            retention: RetentionPolicy::WorkQueue,
            max_message_size: LARGEST_PIECE as i32 + 1024,
            ..base.clone()
        };
        let results = stream::Config {
            name: RESULTS.into(),
            subjects: vec!["polyply.result.*.*".into()],
            max_message_size: LARGEST_RESULT as i32 + 1024,
            ..base
        };
        let work = context.get_or_create_stream(work).await.map_err(|error| failed(&error))?;
        let results = context.get_or_create_stream(results).await.map_err(|error| failed(&error))?;
        let state = bucket(&context, STATE, OLDEST, StorageType::File).await.map_err(|error| failed(&error))?;
        let live = bucket(&context, LIVE, LIVE_AGE, StorageType::Memory).await.map_err(|error| failed(&error))?;
        let objects = match context.get_object_store(OBJECTS).await {
            Ok(objects) => objects,
            Err(_) => {
                let config = object_store::Config { bucket: OBJECTS.into(), max_age: OLDEST, ..Default::default() };
                context.create_object_store(config).await.map_err(|error| failed(&error))?
            }
        };
        Ok(Site { client, context, work, results, state, live, objects })
    }
}

/// Whether the server refuses to make a stream because somebody else is just making it: its subjects are taken (10065), or its
/// name (10058).
fn is_being_made(reason: &str) -> bool {
    ["error code 10065", "error code 10058"].iter().any(|code| reason.contains(code))
}

/// A bucket, which is made if it is not there yet. Its stream is made here because the library asks the server for account
/// information first, and does not understand the answer of older servers such as Debian's.
async fn bucket(context: &Context, name: &str, max_age: Duration, storage: StorageType) -> Result<Store, String> {
    let config = stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        storage,
        discard: DiscardPolicy::New,
        deny_delete: true,
        allow_rollup: true,
        allow_direct: true,
        num_replicas: 1,
        ..Default::default()
    };
    context.get_or_create_stream(config).await.map_err(|error| error.to_string())?;
    context.get_key_value(name).await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_at_the_end_of_its_subject() {
        assert_eq!(number(&piece("a1", 42)), Some(42));
        assert_eq!(number(&result("a1", u64::MAX)), Some(u64::MAX));
        assert_eq!(number("polyply.work.a1.x"), None);
    }

    #[test]
    fn a_token_has_no_letter_that_means_something_to_nats() {
        assert_eq!(token("my.host *>é-1"), "my_host____-1");
        assert_eq!(token(&"x".repeat(100)).len(), 60);
    }
}
