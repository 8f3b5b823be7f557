//! Reviews: a whole game judged move by move, in the background. A review is stored as it goes and survives a restart.

pub mod api;
mod judge;

use crate::engine_pool::{EnginePool, Priority};
use crate::error::ApiError;
use crate::ids::random_id;
use crate::refusals;
use crate::store::Store;
use crate::time::now;
use crate::wire::{WirePlace, WireScore, WireSide};
use judge::MoveFacts;
use polyply_core::lock::lock;
use polyply_engine::{Best, Board, Engine, Limits, Outcome, PositionSpec, Request, Score, Side, Variant};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use utoipa::ToSchema;

/// How many reviews run at a time.
const MAX_RUNNING: usize = 16;
/// How many reviews are kept.
const MAX_KEPT: usize = 1000;
/// A quick search has this many times fewer nodes.
const GLANCE: u64 = 50;
/// How long a review waits when the engine is busy.
const WAIT: Duration = Duration::from_secs(1);
/// What a won game counts as, in hundredths or points.
const WON_CENTI: i32 = 2000;
const WON_POINTS: i32 = 64;

/// How long each move is searched.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// A moment.
    Quick,
    /// Enough for most games.
    #[default]
    Normal,
    /// For close study.
    Deep,
}

impl Effort {
    fn nodes(self) -> u64 {
        match self {
            Effort::Quick => 20_000,
            Effort::Normal => 100_000,
            Effort::Deep => 600_000,
        }
    }
}

/// A judged move.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct ReviewedMove {
    text: String,
    /// Who played it.
    side: WireSide,
    /// The score of the best move.
    score_before: WireScore,
    /// The score of this move.
    score_after: WireScore,
    /// The best move.
    best: String,
    /// The best line.
    line: Vec<String>,
    /// This move, the best one and the best line as people write them, if that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<Shown>,
    /// How much the chance of winning fell, 0 to 1.
    win_chance_drop: f64,
    /// The same as a score: hundredths or points.
    loss: i32,
    /// `!!`, `!`, nothing, `?!`, `?` or `??`.
    quality: String,
    /// 0 to 100.
    accuracy: f64,
}

/// Moves as people write them.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Shown {
    text: String,
    best: String,
    line: Vec<String>,
}

impl Shown {
    /// As people write them at a board; none if the engine writes them the same way.
    fn at(board: &Board, text: &str, best: &str, line: &[String]) -> Option<Shown> {
        if !board.variant().has_short_moves() {
            return None;
        }
        let one = |mv: &str| board.short_line(&[mv.to_owned()])?.pop();
        Some(Shown { text: one(text)?, best: one(best)?, line: board.short_line(line)? })
    }
}

/// The summary of one side.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug, Default)]
pub struct SideSummary {
    /// 0 to 100; 100 where it has not moved.
    accuracy: f64,
    /// Moves by their quality.
    counts: BTreeMap<String, usize>,
}

/// Both sides.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug, Default)]
pub struct Summary {
    first: SideSummary,
    second: SideSummary,
}

/// A review as it is now.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Review {
    id: String,
    created: u64,
    #[serde(flatten)]
    place: Subject,
    level_of_effort: Effort,
    /// 0 to 1.
    progress: f64,
    done: bool,
    /// The moves judged so far.
    moves: Vec<ReviewedMove>,
    summary: Summary,
}

/// The game that is reviewed.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Subject {
    variant: String,
    position: Option<String>,
    /// All its moves.
    played: Vec<String>,
}

/// What a search has found in a position.
#[derive(Clone, Debug)]
struct Finding {
    score: Score,
    best: String,
    line: Vec<String>,
    second: Option<Score>,
    glance: String,
}

struct Running {
    /// The review as JSON, after every move.
    news: watch::Receiver<Arc<str>>,
    task: AbortHandle,
}

/// All reviews.
#[derive(Clone)]
pub struct Reviews {
    running: Arc<Mutex<HashMap<String, Running>>>,
    store: Arc<Store>,
    pool: Arc<EnginePool>,
}

impl Reviews {
    /// Reviews that are stored in a database and made by engines.
    pub fn new(store: Arc<Store>, pool: Arc<EnginePool>) -> Reviews {
        Reviews { running: Arc::default(), store, pool }
    }

    /// Resumes the reviews that were running when the server ended.
    pub async fn resume(&self) -> Result<(), ApiError> {
        for text in self.store.open_reviews()?.iter().take(MAX_RUNNING) {
            match serde_json::from_str::<Review>(text) {
                Ok(review) => self.run(review).await?,
                Err(error) => tracing::error!(%error, "a review can't be resumed"),
            }
        }
        Ok(())
    }

    /// Starts a review and returns its id.
    pub async fn begin(&self, place: &WirePlace, effort: Effort) -> Result<String, ApiError> {
        let board = place.board()?;
        if board.moves().is_empty() {
            return Err(ApiError::invalid(refusals::review_empty()));
        }
        let id = random_id(10);
        let review = Review {
            id: id.clone(),
            created: now(),
            place: Subject {
                variant: board.variant().name().to_owned(),
                position: board.spec().position.clone(),
                played: board.moves().to_vec(),
            },
            level_of_effort: effort,
            progress: 0.0,
            done: false,
            moves: Vec::new(),
            summary: Summary::default(),
        };
        if lock(&self.running).len() >= MAX_RUNNING {
            return Err(crate::engine_pool::QueueFull.into());
        }
        self.keep(&review).await?;
        self.store.forget_reviews(None, MAX_KEPT).await?;
        self.run(review).await?;
        Ok(id)
    }

    async fn keep(&self, review: &Review) -> Result<Arc<str>, ApiError> {
        let text = serde_json::to_string(review).map_err(ApiError::internal)?;
        self.store.keep_review(&review.id, review.created, review.done, &text).await?;
        Ok(text.into())
    }

    /// Stores a running review, however often it takes.
    async fn keep_at_last(&self, review: &Review) -> Result<Arc<str>, ApiError> {
        loop {
            match self.keep(review).await {
                Err(error) if error.is_temporary() => tokio::time::sleep(WAIT).await,
                kept => return kept,
            }
        }
    }

    async fn run(&self, review: Review) -> Result<(), ApiError> {
        let id = review.id.clone();
        let (tell, news) = watch::channel(self.keep(&review).await?);
        let reviews = self.clone();
        let mut running = lock(&self.running);
        let task = tokio::spawn(async move {
            let id = review.id.clone();
            if let Err(error) = reviews.judge(review, &tell).await {
                tracing::error!(id, %error, "a review failed");
            }
            lock(&reviews.running).remove(&id);
        });
        running.insert(id, Running { news, task: task.abort_handle() });
        Ok(())
    }

    /// A review as JSON.
    pub fn find(&self, id: &str) -> Result<String, ApiError> {
        if let Some(running) = lock(&self.running).get(id) {
            return Ok(running.news.borrow().to_string());
        }
        self.store.review(id)?.ok_or_else(|| ApiError::not_found(refusals::review_unknown(id)))
    }

    /// Follows a running review.
    pub fn follow(&self, id: &str) -> Option<watch::Receiver<Arc<str>>> {
        lock(&self.running).get(id).map(|running| running.news.clone())
    }

    /// Stops and deletes a review.
    pub async fn remove(&self, id: &str) -> Result<(), ApiError> {
        self.find(id)?;
        if let Some(running) = lock(&self.running).remove(id) {
            running.task.abort();
        }
        Ok(self.store.forget_reviews(Some(id), MAX_KEPT).await?)
    }

    /// Searches every position that an earlier run has not got to, and judges every move.
    async fn judge(&self, mut review: Review, tell: &watch::Sender<Arc<str>>) -> Result<(), ApiError> {
        let Subject { variant, position, played } = review.place.clone();
        let variant = Variant::named(&variant)?;
        let client = self.pool.client();
        let begin = review.moves.len();
        let mut board = Board::at(&variant, &PositionSpec { position, moves: played[..begin].to_vec() })?;
        let mut here = self.look_at(&board, review.level_of_effort, client).await?;
        for ply in begin..played.len() {
            let next = board.after(&played[ply])?;
            let after = self.look_at(&next, review.level_of_effort, client).await?;
            let shown = Shown::at(&board, &played[ply], &here.best, &here.line);
            let judged = judged(&variant, board.side(), &played[ply], &here, &after);
            review.moves.push(ReviewedMove { shown, ..judged });
            (here, board) = (after, next);
            review.progress = review.moves.len() as f64 / played.len() as f64;
            review.done = review.moves.len() == played.len();
            review.summary = summary(&variant, &review.moves);
            tell.send_replace(self.keep_at_last(&review).await?);
        }
        Ok(())
    }

    /// The score of a position: by the rules if the game is over, else by a search.
    async fn look_at(&self, board: &Board, effort: Effort, client: u64) -> Result<Finding, ApiError> {
        if let Some(outcome) = board.outcome() {
            let score = match outcome {
                Outcome::Win(Side::First) => Score::Win(1),
                Outcome::Win(Side::Second) => Score::Win(-1),
                Outcome::Draw => Score::Centi(0),
                Outcome::Points(points) => Score::Points(points),
            };
            return Ok(Finding { score, best: String::new(), line: Vec::new(), second: None, glance: String::new() });
        }
        let request = |nodes: u64, lines: usize| Request {
            limits: Limits::nodes(nodes),
            multipv: Some(lines),
            ..Request::new(board)
        };
        let lines = board.legal_moves().len().min(2);
        let (glance, look) = (request(effort.nodes() / GLANCE, 1), request(effort.nodes(), lines));
        loop {
            let (glance, look) = (glance.clone(), look.clone());
            let task = move |engine: &mut Engine| {
                let first = engine.best_move(&glance, &mut |_| ())?;
                Ok((first, engine.best_move(&look, &mut |_| ())?))
            };
            match self.pool.ask(board.variant(), Priority::Analysis, client, task).await {
                Ok((first, best)) => return Ok(finding(first, best)),
                // A review can wait.
                Err(error) if error.is_temporary() => tokio::time::sleep(WAIT).await,
                Err(error) => return Err(error),
            }
        }
    }
}

fn finding(first: Best, best: Best) -> Finding {
    let score = best.score().unwrap_or(Score::Centi(0));
    let line = best.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
    Finding { score, second: best.lines.get(1).map(|line| line.score), best: best.mv, line, glance: first.mv }
}

/// Judges a move by what was found before and after it.
fn judged(variant: &Variant, side: Side, text: &str, before: &Finding, after: &Finding) -> ReviewedMove {
    let best = before.best == text;
    // If the move turns out better than the best one had seemed, the position was worth that much.
    let score_before = if better(variant, side, after.score, before.score) { after.score } else { before.score };
    let chance = |score: Score| {
        let first = variant.chance(score);
        if side == Side::First { first } else { 1.0 - first }
    };
    let facts = MoveFacts {
        before: chance(score_before),
        after: chance(after.score),
        second: before.second.map(chance),
        best,
        hidden: before.glance != before.best,
    };
    let sign = if side == Side::First { 1 } else { -1 };
    ReviewedMove {
        text: text.to_owned(),
        side: side.into(),
        score_before: score_before.into(),
        score_after: if best { score_before } else { after.score }.into(),
        best: before.best.clone(),
        line: before.line.clone(),
        shown: None,
        win_chance_drop: facts.drop(),
        loss: if best { 0 } else { (sign * (number(score_before, variant) - number(after.score, variant))).max(0) },
        quality: facts.quality().to_owned(),
        accuracy: facts.accuracy(),
    }
}

/// One score is better for a side than the other.
fn better(variant: &Variant, side: Side, one: Score, other: Score) -> bool {
    let sign = if side == Side::First { 1 } else { -1 };
    sign * number(one, variant) > sign * number(other, variant)
}

/// A score as a number.
fn number(score: Score, variant: &Variant) -> i32 {
    let won = if variant.counts_points() { WON_POINTS } else { WON_CENTI };
    match score {
        Score::Win(plies) => won * plies.signum(),
        Score::Centi(units) | Score::Points(units) => units.clamp(-won, won),
    }
}

fn summary(variant: &Variant, moves: &[ReviewedMove]) -> Summary {
    let chance = |score: WireScore| variant.chance(score.into());
    let chances: Vec<f64> = moves
        .first()
        .map(|first| chance(first.score_before))
        .into_iter()
        .chain(moves.iter().map(|mv| chance(mv.score_after)))
        .collect();
    let accuracies: Vec<(Side, f64)> = moves.iter().map(|mv| (mv.side.into(), mv.accuracy)).collect();
    let side = |side: Side| {
        let mut counts = BTreeMap::new();
        for mv in moves.iter().filter(|mv| Side::from(mv.side) == side) {
            *counts.entry(mv.quality.clone()).or_insert(0) += 1;
        }
        SideSummary { accuracy: judge::of_side(side, &chances, &accuracies).unwrap_or(100.0), counts }
    };
    Summary { first: side(Side::First), second: side(Side::Second) }
}
