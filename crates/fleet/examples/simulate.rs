//! A simulation of many workers on a real queue: their games are pauses, everything else is as it is.
//!
//! ```text
//! cargo run --release -p polyply-fleet --example simulate -- nats://127.0.0.1:4222 10000 50000 20 0.05
//! ```
//!
//! The arguments are the server, the number of workers, the number of games, the mean length of a game in seconds, and the
//! share of games during which a worker disappears without a word. The end of a game is a result of 6 kilobytes.

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt;
use polyply_fleet::job::{Class, ResultRecord, WorkerRecord};
use polyply_fleet::{Fleet, JobSpec, names};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The bench signature of the virtual build.
const NODES: u64 = 1;
/// How long a worker that is not heard of keeps a game.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// Workers that share a connection.
const PER_CONNECTION: usize = 50;

/// What the workers of a simulation share.
struct World {
    job: String,
    seconds: f64,
    churn: f64,
    drawn: AtomicU64,
    lost: AtomicU64,
}

impl World {
    /// A number from 0 to 1 that looks random (SplitMix64).
    fn draw(&self) -> f64 {
        let mut z = self.drawn.fetch_add(1, Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [server, workers, games, seconds, churn] = &arguments[..] else {
        return Err("give server, workers, games, seconds of a game, and churn".into());
    };
    let (workers, games): (usize, u64) = (workers.parse()?, games.parse()?);
    let fleet = Fleet::connect(&server.parse()?)?;
    let mut job = fleet.open(JobSpec {
        title: "simulation".into(),
        task: "pauses".into(),
        class: Class::Lab,
        game: "virtual".into(),
        nodes: NODES,
        speed: 1,
        is_timed: false,
        file: None,
        pieces: Some(games),
        ack_wait: ACK_WAIT,
        tries: 100,
    })?;
    let (job_name, drawn, lost) = (job.id().to_owned(), AtomicU64::new(1), AtomicU64::new(0));
    let world = Arc::new(World { job: job_name, seconds: seconds.parse()?, churn: churn.parse()?, drawn, lost });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    for connection in 0..workers.div_ceil(PER_CONNECTION) {
        let (server, world) = (server.clone(), world.clone());
        let count = PER_CONNECTION.min(workers - connection * PER_CONNECTION);
        runtime.spawn(async move {
            let client = async_nats::connect(server).await.expect("the server accepts connections");
            let context = jetstream::new(client);
            for number in 0..count {
                let name = format!("virtual-{connection}-{number}");
                tokio::spawn(work(context.clone(), world.clone(), name.clone()));
                tokio::spawn(live(context.clone(), name));
            }
        });
    }
    let (began, mut told) = (Instant::now(), Instant::now());
    let (mut given, mut done) = (0, 0);
    while done < games {
        while given < games && given - done < job.capacity(1) as u64 {
            job.give(given, "game")?;
            given += 1;
        }
        done += u64::from(job.take(Duration::from_millis(50))?.is_some());
        if told.elapsed() >= Duration::from_secs(5) {
            told = Instant::now();
            let rate = done as f64 / began.elapsed().as_secs_f64();
            eprintln!("{done} of {games} games, {} under way, {rate:.0} a second", given - done);
        }
    }
    let time = began.elapsed().as_secs_f64();
    let lost = world.lost.load(Relaxed);
    println!(
        "{workers} workers, {games} games in {time:.1} s: {:.0} a second; {lost} workers lost",
        games as f64 / time
    );
    job.close(true)?;
    runtime.shutdown_background();
    Ok(())
}

/// A worker: takes a game, waits, sends the result. Sometimes it disappears, and another one comes.
async fn work(context: Context, world: Arc<World>, name: String) {
    let consumer: PullConsumer = loop {
        match context.get_consumer_from_stream(&world.job, names::WORK).await {
            Ok(consumer) => break consumer,
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    };
    let result = ResultRecord { by: name, nodes: NODES, output: Ok("x".repeat(6000)) };
    let result = serde_json::to_vec(&result).unwrap_or_default();
    loop {
        let Ok(mut messages) = consumer.batch().max_messages(1).expires(ACK_WAIT).messages().await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        let Some(Ok(message)) = messages.next().await else { continue };
        let mut left = Duration::from_secs_f64(world.seconds * (0.5 + world.draw()));
        if world.draw() < world.churn {
            tokio::time::sleep(left.mul_f64(world.draw())).await;
            world.lost.fetch_add(1, Relaxed);
            continue;
        }
        while !left.is_zero() {
            let part = left.min(ACK_WAIT / 3);
            tokio::time::sleep(part).await;
            left -= part;
            let _ = message.ack_with(AckKind::Progress).await;
        }
        let number = message.subject.rsplit('.').next().and_then(|number| number.parse().ok()).unwrap_or_default();
        let sent = context.publish(names::result(&world.job, number), result.clone().into()).await;
        if let Ok(stored) = sent
            && stored.await.is_ok()
        {
            let _ = message.ack().await;
        }
    }
}

/// Says that the worker is there.
async fn live(context: Context, name: String) {
    let Ok(bucket) = context.get_key_value(names::LIVE).await else { return };
    let record = WorkerRecord { name: name.clone(), threads: 1, ..WorkerRecord::default() };
    loop {
        let _ = bucket.put(names::worker(&name), serde_json::to_vec(&record).unwrap_or_default().into()).await;
        // As often as a worker that has nothing new to say.
        tokio::time::sleep(names::LIVE_AGE / 3).await;
    }
}
