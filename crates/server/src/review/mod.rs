//! Reviews: a whole game judged move by move, in the background. A review is stored as it goes and survives a restart;
//! whoever asks for the same game again gets the same review.

pub mod api;
mod judge;
mod report;
mod verdict;
mod why;

pub use report::{Effort, Review};
pub use why::motif_of;

use crate::engine_pool::{EnginePool, Priority};
use crate::error::ApiError;
use crate::games::{Token, is_token};
use crate::ids::random_id;
use crate::peer::Peer;
use crate::refusals;
use crate::shares::{Holding, Shares, Thing};
use crate::store::{ReviewRow, Store};
use crate::time::now;
use crate::wire::{GameEnd, WirePlace, WireScore};
use polyply_core::lock::lock;
use polyply_engine::{Board, Engine, Side};
use report::{ReviewedMove, Shown, Subject, Summary};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use utoipa::ToSchema;
use verdict::{Finding, judged, summary};
use why::Why;

/// How many reviews are resumed.
const MAX_RUNNING: usize = 16;
/// How many reviews are kept.
const MAX_KEPT: usize = 1000;
/// How long a review waits when the engine is busy.
const WAIT: Duration = Duration::from_secs(1);

/// Another move that was tried in a reviewed game.
#[derive(Serialize, ToSchema, Debug)]
pub struct TriedMove {
    /// The score after it.
    score: WireScore,
    /// How much less the chance of winning is than with the best move, 0 to 1.
    win_chance_drop: f64,
    /// It is nearly as good as the best move, or better.
    good: bool,
}

struct Running {
    /// The review as JSON, after every move.
    news: watch::Receiver<Arc<str>>,
    task: AbortHandle,
    /// Counts it among the reviews of its peer.
    _holding: Option<Holding>,
}

/// All reviews.
#[derive(Clone)]
pub struct Reviews {
    running: Arc<Mutex<HashMap<String, Running>>>,
    beginning: Arc<tokio::sync::Mutex<()>>,
    store: Arc<Store>,
    pool: Arc<EnginePool>,
}

impl Reviews {
    /// Reviews that are stored in a database and made by engines.
    pub fn new(store: Arc<Store>, pool: Arc<EnginePool>) -> Reviews {
        Reviews { running: Arc::default(), beginning: Arc::default(), store, pool }
    }

    /// Resumes the reviews that were running when the server ended.
    pub async fn resume(&self) -> Result<(), ApiError> {
        for text in self.store.open_reviews()?.iter().take(MAX_RUNNING) {
            match serde_json::from_str::<Review>(text) {
                Ok(review) => {
                    let peer = Peer::server(&review.id);
                    self.run(review, peer, None).await?;
                }
                Err(error) => tracing::error!(%error, "a review can't be resumed"),
            }
        }
        Ok(())
    }

    /// The review of a game: the stored one, or a new one of this peer. Without an effort the deepest stored one counts.
    /// Returns its id, and if it is new the token of its owner.
    pub async fn begin(
        &self,
        place: &WirePlace,
        effort: Option<Effort>,
        peer: Peer,
        shares: &Shares,
    ) -> Result<(String, Option<String>), ApiError> {
        let board = place.board()?;
        if board.moves().is_empty() {
            return Err(ApiError::invalid(refusals::review_empty()));
        }
        let place = Subject::of(&board);
        // Two requests at once must not begin two reviews of a game.
        let _beginning = self.beginning.lock().await;
        let efforts = effort.map_or(Effort::Normal..=Effort::Deep, |effort| effort..=effort);
        if let Some(id) = self.store.review_of(&place.text(), *efforts.start() as u8..=*efforts.end() as u8)? {
            return Ok((id, None));
        }
        shares.create(peer)?;
        let holding = shares.hold(peer, Thing::Review)?;
        let token = Token::new();
        let review = Review {
            id: random_id(10),
            created: now(),
            place,
            level_of_effort: effort.unwrap_or_default(),
            progress: 0.0,
            done: false,
            end: board.outcome().map(|outcome| GameEnd::by_rules(outcome, &board.look())),
            moves: Vec::new(),
            summary: Summary::default(),
            owner: Some(token.hash()),
        };
        let id = review.id.clone();
        self.keep(&review).await?;
        self.store.forget_reviews(None, MAX_KEPT).await?;
        self.run(review, peer, Some(holding)).await?;
        Ok((id, Some(token.0)))
    }

    async fn keep(&self, review: &Review) -> Result<Arc<str>, ApiError> {
        let text = serde_json::to_string(review).map_err(ApiError::internal)?;
        let row = ReviewRow {
            id: review.id.clone(),
            created: review.created,
            done: review.done,
            game: review.place.text(),
            effort: review.level_of_effort as u8,
            review: text.clone(),
        };
        self.store.keep_review(row).await?;
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

    async fn run(&self, review: Review, peer: Peer, holding: Option<Holding>) -> Result<(), ApiError> {
        let id = review.id.clone();
        let (tell, news) = watch::channel(self.keep(&review).await?);
        let reviews = self.clone();
        let mut running = lock(&self.running);
        let task = tokio::spawn(async move {
            let id = review.id.clone();
            if let Err(error) = reviews.judge(review, peer, &tell).await {
                tracing::error!(id, %error, "a review failed");
            }
            lock(&reviews.running).remove(&id);
        });
        running.insert(id, Running { news, task: task.abort_handle(), _holding: holding });
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

    /// Stops and deletes a review, for its owner or the operator.
    pub async fn remove(&self, id: &str, peer: Peer, token: Option<&str>) -> Result<(), ApiError> {
        let review: Review = serde_json::from_str(&self.find(id)?).map_err(ApiError::internal)?;
        if !peer.is_operator() && !is_token(review.owner.as_ref(), token) {
            return Err(ApiError::forbidden(refusals::not_owner()));
        }
        if let Some(running) = lock(&self.running).remove(id) {
            running.task.abort();
        }
        Ok(self.store.forget_reviews(Some(id), MAX_KEPT).await?)
    }

    /// Searches every position that an earlier run has not got to, and judges every move.
    async fn judge(&self, mut review: Review, peer: Peer, tell: &watch::Sender<Arc<str>>) -> Result<(), ApiError> {
        let (place, effort) = (review.place.clone(), review.level_of_effort);
        let mut board = place.board(review.moves.len())?;
        let mut here = self.look_at(&board, effort, peer).await?.after(review.moves.last());
        for text in &place.played[review.moves.len()..] {
            let next = board.after(text)?;
            let found = self.look_at(&next, effort, peer).await?;
            let shown = Shown::at(&board, text, &here.best, &here.line);
            // What was proven before the move is known after it.
            let provisional = judged(board.variant(), board.side(), text, &here, &found);
            let after = found.after(Some(&provisional));
            let judged = judged(board.variant(), board.side(), text, &here, &after);
            let why = Why::of(&board, &judged, &after);
            review.moves.push(ReviewedMove { shown, why, ..judged });
            (here, board) = (after, next);
            review.progress = review.moves.len() as f64 / place.played.len() as f64;
            review.done = review.moves.len() == place.played.len();
            review.summary = summary(board.variant(), &review.moves);
            tell.send_replace(self.keep_at_last(&review).await?);
        }
        Ok(())
    }

    /// Judges the last move of a game, quickly, for somebody who plays.
    pub async fn coach(&self, place: &WirePlace, peer: Peer) -> Result<ReviewedMove, ApiError> {
        let after = place.board()?;
        let mut board = after.clone();
        let text = after.moves().last().cloned().filter(|_| board.undo());
        let text = text.ok_or_else(|| ApiError::invalid(refusals::no_move_to_judge()))?;
        let here = self.look_at(&board, Effort::Quick, peer).await?;
        let next = self.look_at(&after, Effort::Quick, peer).await?;
        let judged = judged(board.variant(), board.side(), &text, &here, &next);
        let shown = Shown::at(&board, &text, &here.best, &here.line);
        Ok(ReviewedMove { shown, why: Why::of(&board, &judged, &next), ..judged })
    }

    /// Judges another move in place of the one at this ply, from 1, which was judged already.
    pub async fn try_move(&self, id: &str, ply: usize, text: &str, peer: Peer) -> Result<TriedMove, ApiError> {
        let review: Review = serde_json::from_str(&self.find(id)?).map_err(ApiError::internal)?;
        let judged = ply.checked_sub(1).and_then(|at| review.moves.get(at));
        let judged = judged.ok_or_else(|| ApiError::invalid(refusals::review_ply(review.moves.len())))?;
        let board = review.place.board(ply - 1)?;
        let tried = board.after(text)?;
        if tried.moves().last() == Some(&judged.best) {
            return Ok(TriedMove { score: judged.score_before, win_chance_drop: 0.0, good: true });
        }
        let score = self.look_at(&tried, review.level_of_effort, peer).await?.score;
        let side: Side = judged.side.into();
        let chance = |score| verdict::chance(board.variant(), side, score);
        let drop = (chance(judged.score_before.into()) - chance(score)).max(0.0);
        Ok(TriedMove { score: score.into(), win_chance_drop: drop, good: drop < judge::DUBIOUS })
    }

    /// The score of a position: by the rules if the game is over, else by a search.
    async fn look_at(&self, board: &Board, effort: Effort, peer: Peer) -> Result<Finding, ApiError> {
        if let Some(outcome) = board.outcome() {
            return Ok(Finding::by_rules(outcome));
        }
        loop {
            let position = board.clone();
            let task = move |engine: &mut Engine| Finding::search(engine, &position, effort);
            match self.pool.ask(board.variant(), Priority::Analysis, peer, task).await {
                // A review can wait.
                Err(error) if error.is_temporary() => tokio::time::sleep(WAIT).await,
                found => return found,
            }
        }
    }
}
