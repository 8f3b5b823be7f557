//! Live games: every change is stored, sent to all who watch, and answered by the engine when it is its turn.

use super::game::{Answer, Game, GameError, PlayedMove, Status};
use super::seat::{Held, SeatKind, held};
use super::view::{GameState, LiveMessage, Presence};
use crate::engine_pool::{EnginePool, Next, Priority, Ticket, Turn};
use crate::error::ApiError;
use crate::fleet::RemoteSearches;
use crate::ids::random_id;
use crate::peer::Peer;
use crate::refusals;
use crate::shares::Holding;
use crate::store::Store;
use crate::time::{milliseconds, now};
use crate::wire::{SearchInfo, WireLine, with_short_moves};
use polyply_core::lock::lock;
use polyply_engine::swap::{Swap, SwapChoice};
use polyply_engine::{Best, Board, Clock, Engine, EngineError, Info, Level, Limits, Player, Request, Side};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex as AsyncMutex, broadcast, oneshot};
use tokio::task::JoinSet;

/// How many messages a slow watcher may be behind before it gets just the present state.
const BEHIND: usize = 64;
/// How long a move takes at least when the engine plays itself, so that people can follow.
const PACE: Duration = Duration::from_millis(400);
/// How long the engine thinks at most about a move without a clock.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);
/// What is kept of the time for a move, so that the answer is there in time: a fifth, but not more than this.
const RESERVE: Duration = Duration::from_millis(80);
/// How much is searched for a hint.
const HINT: Limits = Limits {
    nodes: Some(200_000),
    time: Some(Duration::from_secs(3)),
    depth: None,
    clock: None,
    mate: None,
    infinite: false,
    ponder: false,
};
/// How many games are resumed at a time.
const RESUMED_AT_ONCE: usize = 256;
/// How long to wait before trying again what could not be stored, or what the engine had no room for.
const AGAIN: Duration = Duration::from_secs(1);
/// The engine agrees to no draw before this many moves.
const EARLIEST_DRAW: usize = 20;

/// A live game.
pub struct LiveGame {
    inner: AsyncMutex<LiveState>,
    present: Mutex<Present>,
    /// Who asked last, and so has the engine think.
    peer: Mutex<Peer>,
    /// Nobody has needed it since the last look.
    unused: AtomicBool,
    /// Messages to all who watch.
    pub news: broadcast::Sender<Arc<str>>,
}

struct LiveState {
    game: Game,
    /// Counts changes, so that an answer to an older state is dropped.
    version: u64,
    thinking: Option<Ticket>,
}

/// Who has a game open.
#[derive(Default)]
struct Present {
    /// How many connections hold each seat, and how many hold none.
    here: [usize; 2],
    watching: usize,
    /// The players have swapped colours.
    swapped: bool,
}

/// All games.
#[derive(Clone)]
pub struct LiveGames {
    open: Arc<Mutex<HashMap<String, Arc<LiveGame>>>>,
    /// What peers have of unfinished games, by the ids of these.
    held: Arc<Mutex<HashMap<String, Vec<Holding>>>>,
    store: Arc<Store>,
    pool: Arc<EnginePool>,
    fleet: Option<Arc<RemoteSearches>>,
}

/// What the engine does in its turn.
#[derive(Clone)]
enum EngineAnswer {
    Move(Best),
    /// A move that a worker of the fleet has found.
    Remote(PlayedMove),
    Stones(Vec<String>),
    Choice(SwapChoice),
}

impl LiveGames {
    /// Games that are stored in a database and answered by engines.
    pub fn new(store: Arc<Store>, pool: Arc<EnginePool>, fleet: Option<Arc<RemoteSearches>>) -> LiveGames {
        LiveGames { open: Arc::default(), held: Arc::default(), store, pool, fleet }
    }

    /// Resumes the games that were being played when the server ended. The time in between does not count. A game that
    /// can't be read is set aside.
    pub async fn resume(&self) -> Result<usize, ApiError> {
        let last = self.store.last_alive()?;
        let names = self.store.games_in_play()?;
        for some in names.chunks(RESUMED_AT_ONCE) {
            let mut resuming = JoinSet::new();
            for id in some {
                let (games, id) = (self.clone(), id.clone());
                resuming.spawn(async move {
                    if let Err(error) = games.resume_game(&id, last).await {
                        tracing::error!(id, %error, "a game can't go on");
                    }
                });
            }
            resuming.join_all().await;
        }
        Ok(names.len())
    }

    async fn resume_game(&self, id: &str, last_alive: Option<u64>) -> Result<(), ApiError> {
        let game = self.store.game(id).map_err(ApiError::from).and_then(|stored| {
            let Some((mut record, moves)) = stored else { return Ok(None) };
            // Before the clock is checked.
            record.skip(last_alive, now());
            Ok(Some(Game::restore(record, moves)?))
        });
        match game {
            Ok(Some(game)) => {
                let live = self.open(game);
                self.change(&live, |_| Ok(())).await.map(drop)
            }
            Ok(None) => Ok(()),
            Err(error) => {
                self.store.set_aside(id).await?;
                Err(error)
            }
        }
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(live) = lock(&self.open).get(id) {
            live.unused.store(false, Relaxed);
            return Ok(live.clone());
        }
        let (record, moves) = self.store.game(id)?.ok_or_else(|| ApiError::not_found(refusals::game_unknown(id)))?;
        Ok(self.open(Game::restore(record, moves)?))
    }

    /// Adds a new game of a peer.
    pub async fn add(&self, mut game: Game, peer: Peer, holding: Holding) -> Result<Arc<LiveGame>, ApiError> {
        self.store.keep(&mut game).await?;
        metrics::counter!("polyply_games_total").increment(1);
        self.hold(&game.record.id, holding);
        let live = self.open(game);
        live.asked_by(peer);
        self.change(&live, |_| Ok(())).await?;
        Ok(live)
    }

    /// A peer has a seat in a game, or the game, until it is over.
    pub fn hold(&self, id: &str, holding: Holding) {
        lock(&self.held).entry(id.to_owned()).or_default().push(holding);
    }

    /// Ends games in which nothing has happened for so long.
    pub async fn expire(&self, after: Duration) -> Result<(), ApiError> {
        let before = now().saturating_sub(milliseconds(after));
        for id in self.store.unfinished_games(before)? {
            let expired = match self.find(&id) {
                Ok(live) => self.change(&live, |game| game.expire(now())).await.map(drop),
                // A game that can't be read is set aside when it is resumed.
                Err(error) => Err(error),
            };
            match expired {
                Ok(()) => tracing::info!(id, "nobody goes on with this game"),
                Err(error) => tracing::warn!(id, %error, "a game could not be ended"),
            }
        }
        Ok(())
    }

    fn open(&self, game: Game) -> Arc<LiveGame> {
        let id = game.record.id.clone();
        let live = || {
            let present = Mutex::new(Present { swapped: game.is_swapped(), ..Present::default() });
            let peer = Mutex::new(Peer::server(&game.record.id));
            let inner = AsyncMutex::new(LiveState { game, version: 0, thinking: None });
            let unused = AtomicBool::new(false);
            Arc::new(LiveGame { inner, present, peer, unused, news: broadcast::channel(BEHIND).0 })
        };
        // Two requests at the same time get the same game.
        lock(&self.open).entry(id).or_insert_with(live).clone()
    }

    /// How many games are in memory. The others are read from the database when they are needed.
    pub fn count(&self) -> usize {
        lock(&self.open).len()
    }

    /// Forgets the games that nobody has needed since the last call.
    pub fn forget_unused(&self) {
        lock(&self.open).retain(|_, live| {
            // Watchers, clocks and searches hold another reference.
            let is_held = Arc::strong_count(live) > 1 || live.news.receiver_count() > 0;
            let was_unused = live.unused.swap(!is_held, Relaxed);
            is_held || !was_unused
        });
    }

    /// The newest games, with all invitations or only with those that are listed.
    pub async fn newest(&self, limit: usize, unlisted: bool) -> Result<Vec<GameState>, ApiError> {
        let mut states = Vec::new();
        for live in self.store.newest_games(limit, unlisted)?.into_iter().filter_map(|id| self.find(&id).ok()) {
            states.push(live.state(None).await);
        }
        Ok(states)
    }

    /// An id for a new game.
    pub fn new_id(&self) -> String {
        random_id(10)
    }

    /// Changes a game. If the change is made, it is stored, sent to all who watch, and answered by the engine when it
    /// is its turn. Returns the result of the change and the new state.
    ///
    /// A change that can't be stored is not made: the game stays as it was, and nobody hears of it.
    pub async fn change<T: Send + 'static>(
        &self,
        live: &Arc<LiveGame>,
        change: impl FnOnce(&mut Game) -> Result<T, GameError> + Send + 'static,
    ) -> Result<(T, GameState), ApiError> {
        let (games, live) = (self.clone(), live.clone());
        // On a task of its own: a client that goes away ends its request, but must not leave a change half made.
        let made = tokio::spawn(async move { games.make_change(&live, change).await });
        made.await.unwrap_or_else(|error| Err(ApiError::internal(error)))
    }

    async fn make_change<T>(
        &self,
        live: &Arc<LiveGame>,
        change: impl FnOnce(&mut Game) -> Result<T, GameError>,
    ) -> Result<(T, GameState), ApiError> {
        let mut inner = live.inner.lock().await;
        let mut game = inner.game.clone();
        let done = if game.check_clock(now()) {
            Err(ApiError::conflict(refusals::time_over()))
        } else {
            Ok(change(&mut game)?)
        };
        self.store.keep(&mut game).await?;
        lock(&live.present).swapped = game.is_swapped();
        inner.game = game;
        inner.version += 1;
        inner.thinking = None;
        if inner.game.status() == Status::Over {
            lock(&self.held).remove(&inner.game.record.id);
        }
        self.watch_clock(live, &inner);
        self.let_engine_act(live, &mut inner);
        let state = GameState::of(&inner.game, inner.version, inner.thinking.is_some());
        live.tell(&state);
        done.map(|done| (done, state))
    }

    /// Does something by itself, however often it takes until it can be stored, unless the game changes meanwhile.
    async fn insist(
        &self,
        live: &Arc<LiveGame>,
        version: u64,
        change: impl Fn(&mut Game) -> Result<(), GameError> + Clone + Send + 'static,
    ) {
        while live.inner.lock().await.version == version {
            match self.change(live, change.clone()).await {
                Err(error) if error.is_temporary() => tokio::time::sleep(AGAIN).await,
                Err(error) => {
                    tracing::warn!(%error, "the server's own change of a game was refused");
                    return;
                }
                Ok(_) => return,
            }
        }
    }

    /// Ends the game when the running clock reaches zero, if nothing changes until then.
    fn watch_clock(&self, live: &Arc<LiveGame>, inner: &LiveState) {
        let Some(deadline) = inner.game.record.clocks.as_ref().and_then(|clocks| clocks.deadline()) else { return };
        let (games, live, version) = (self.clone(), live.clone(), inner.version);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(deadline.saturating_sub(now()) + 1)).await;
            // Every change checks the clock first.
            games.insist(&live, version, |_| Ok(())).await;
        });
    }

    /// Asks the engine, if it is its turn.
    fn let_engine_act(&self, live: &Arc<LiveGame>, inner: &mut LiveState) {
        let game = &inner.game;
        let Some(seat) = game.to_act().filter(|&seat| game.record.seats[seat].kind == SeatKind::Engine) else {
            if game.status() == Status::Playing {
                self.pool.slot(game.board.variant()).improve_later(&game.board);
            }
            return;
        };
        let player = game.record.seats[seat].player();
        let alone = game.is_between_engines();
        let (answer, answered) = oneshot::channel();
        let remote = self.remote_move(game, player);
        match self.ask(live, game, player, answer) {
            Ok(ticket) => inner.thinking = Some(ticket),
            Err(error) => tracing::warn!(id = game.record.id, %error, "asked again later"),
        }
        let (games, live, version) = (self.clone(), live.clone(), inner.version);
        let began = tokio::time::Instant::now();
        tokio::spawn(async move {
            // Whoever is first answers. The other one stops when the game has changed.
            let answered = tokio::select! {
                biased;
                answered = answered => answered,
                Some(played) = remote => Ok(Ok(EngineAnswer::Remote(played))),
            };
            match answered {
                Ok(Ok(answered)) => {
                    if alone {
                        tokio::time::sleep_until(began + PACE).await;
                    }
                    games.insist(&live, version, move |game| act(game, &answered)).await;
                }
                Ok(Err(error)) => tracing::error!(%error, "the engine refuses to move"),
                // The question was dropped: the game has changed, or the queue was full. In the second case ask again.
                Err(_) => {
                    tokio::time::sleep(AGAIN).await;
                    games.insist(&live, version, |_| Ok(())).await;
                }
            }
        });
    }

    /// The engine's move by a worker of the fleet, where others wait for a thread of this machine already. Workers know
    /// levels, but no personas.
    fn remote_move(&self, game: &Game, player: Player) -> impl Future<Output = Option<PlayedMove>> + Send + 'static {
        let is_settled = matches!(game.swap(), Swap::Settled { .. });
        let level = player.level;
        let has_style = player != Player::of_level(level);
        let wanted = is_settled && !has_style && !game.is_between_engines() && self.pool.is_crowded(Priority::Live);
        let fleet = self.fleet.clone().filter(|_| wanted);
        let (board, limits) = (game.board.clone(), Left::of(game, level).limits());
        async move {
            let found = fleet?.find_move(&board, level, limits).await;
            metrics::counter!("polyply_fleet_moves_total", "found" => found.is_some().to_string()).increment(1);
            found
        }
    }

    /// Submits the engine's turn to the pool.
    fn ask(
        &self,
        live: &Arc<LiveGame>,
        game: &Game,
        player: Player,
        answer: oneshot::Sender<Result<EngineAnswer, EngineError>>,
    ) -> Result<Ticket, ApiError> {
        let (board, swap) = (game.board.clone(), game.swap());
        let mut left = Left::of(game, player.level);
        let news = live.news.clone();
        let slot = self.pool.slot(game.board.variant());
        let nodes = player.level.nodes(game.board.variant());
        let mut answer = Some(answer);
        let work = Box::new(move |engine: &mut Engine, turn: &Turn| {
            let mut lines = Vec::new();
            let mut sink = |info: &Info| {
                slot.set_last(info);
                if news.receiver_count() > 0 {
                    WireLine::update(&mut lines, info);
                    let message = LiveMessage::Thinking(SearchInfo::of(info, with_short_moves(&board, &lines)));
                    let _ = news.send(serde_json::to_string(&message).unwrap_or_default().into());
                }
            };
            let quick = Limits { nodes: Some(nodes), time: Some(Duration::from_secs(2)), ..Limits::default() };
            let answered = match swap {
                Swap::Settled { .. } => {
                    engine.play_as(&board, &player, left.limits(), &mut sink).map(EngineAnswer::Move)
                }
                Swap::Place { left, .. } => engine.place_fairly(&board, left.into(), quick).map(EngineAnswer::Stones),
                Swap::Choose { .. } => {
                    engine.choose(&board, swap, quick).map(|(choice, _)| EngineAnswer::Choice(choice))
                }
            };
            if let Ok(EngineAnswer::Move(best)) = &answered {
                left.use_up(best);
                if turn.is_preempted() && left.is_any() {
                    return Next::Again;
                }
                slot.add_answer(best);
            } else if turn.is_preempted() {
                return Next::Again;
            }
            if let Some(answer) = answer.take() {
                // If nobody waits any more, the game has changed.
                let _ = answer.send(answered);
            }
            Next::Done
        });
        let class = if game.is_between_engines() { Priority::Match } else { Priority::Live };
        Ok(self.pool.submit(game.board.variant(), class, *lock(&live.peer), work)?)
    }

    /// What the engine would play, for the holder of a seat.
    pub async fn hint(&self, live: &Arc<LiveGame>, peer: Peer, token: Option<&str>) -> Result<(Board, Best), ApiError> {
        let board = {
            let inner = live.inner.lock().await;
            let game = &inner.game;
            game.check_hint(held(&game.record.seats, token))?;
            game.board.clone()
        };
        let request = Request { limits: HINT, ..Request::new(&board) };
        let task = move |engine: &mut Engine| engine.best_move(&request, &mut |_| ());
        let best = self.pool.ask(board.variant(), Priority::Live, peer, task).await?;
        Ok((board, best))
    }

    /// Offers, accepts or declines a draw.
    pub async fn draw(
        &self,
        live: &Arc<LiveGame>,
        token: Option<String>,
        answer: Answer,
    ) -> Result<GameState, ApiError> {
        let change = move |game: &mut Game| {
            let held = held(&game.record.seats, token.as_deref());
            let agrees = engine_agrees(game);
            game.draw(held, answer, agrees, now())?;
            Ok(game.sides_of(held))
        };
        let (you, state) = self.change(live, change).await?;
        Ok(state.seen_by(you))
    }

    /// Creates the next game, once.
    pub async fn rematch(
        &self,
        live: &Arc<LiveGame>,
        token: Option<String>,
        peer: Peer,
        holding: Holding,
    ) -> Result<String, ApiError> {
        let id = self.new_id();
        let change = move |game: &mut Game| {
            game.check_seated(held(&game.record.seats, token.as_deref()))?;
            if let Some(id) = &game.record.rematch {
                return Ok((id.clone(), None));
            }
            let made = game.rematch(id.clone(), now())?;
            game.record.rematch = Some(id.clone());
            Ok((id, Some(made)))
        };
        let ((id, made), _) = self.change(live, change).await?;
        if let Some(game) = made {
            self.add(game, peer, holding).await?;
        }
        Ok(id)
    }
}

/// Does in a game what the engine has decided.
fn act(game: &mut Game, answer: &EngineAnswer) -> Result<(), GameError> {
    match answer {
        EngineAnswer::Move(best) => game.move_on(PlayedMove::by_engine(best), now()),
        EngineAnswer::Remote(played) => game.move_on(played.clone(), now()),
        EngineAnswer::Choice(choice) => game.take(*choice, now()),
        EngineAnswer::Stones(stones) => stones
            .iter()
            .try_for_each(|text| game.move_on(PlayedMove { text: text.clone(), ..PlayedMove::default() }, now())),
    }
}

/// What is left of the limits of a search that goes on after others had their turn.
struct Left {
    asked: Instant,
    limits: Limits,
    used: u64,
}

impl Left {
    /// The limits of the engine's next move in a game.
    fn of(game: &Game, level: &Level) -> Left {
        let clock = game.record.clocks.as_ref().map(|clocks| Clock {
            remaining: Duration::from_millis(clocks.left(game.board.side(), now())),
            increment: Duration::from_millis(clocks.rule.increment_ms),
            moves_to_go: None,
        });
        let move_time = game.record.move_ms.map_or(LONGEST_THOUGHT, |ms| {
            let time = Duration::from_millis(ms);
            time - RESERVE.min(time / 5)
        });
        let time = clock.is_none().then_some(move_time);
        // Full strength has no other bound than its time, where one was chosen.
        let is_timed = clock.is_some() || game.record.move_ms.is_some();
        let nodes = (!level.is_full() || !is_timed).then(|| level.nodes(game.board.variant()));
        let limits = Limits { clock, time, nodes, ..Limits::default() };
        Left { asked: Instant::now(), limits, used: 0 }
    }

    /// What the next turn may use. A clock runs on while others have their turn.
    fn limits(&self) -> Limits {
        let waited = self.asked.elapsed();
        let clock = self.limits.clock.map(|clock| Clock { remaining: clock.remaining.saturating_sub(waited), ..clock });
        Limits { clock, nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(self.used).max(1)), ..self.limits }
    }

    fn use_up(&mut self, best: &Best) {
        self.used += best.nodes;
        self.limits.time = self.limits.time.map(|time| time.saturating_sub(best.time));
    }

    fn is_any(&self) -> bool {
        let nodes = self.limits.nodes.is_none_or(|nodes| nodes > self.used);
        let clock = self.limits.clock.is_none_or(|clock| clock.remaining > self.asked.elapsed() * 2);
        nodes && clock && self.limits.time.is_none_or(|time| !time.is_zero())
    }
}

impl LiveGame {
    /// Notes who has the engine think.
    pub fn asked_by(&self, peer: Peer) {
        *lock(&self.peer) = peer;
    }

    /// The state of the game as the holder of this token sees it.
    pub async fn state(&self, token: Option<&str>) -> GameState {
        let inner = self.inner.lock().await;
        let you = inner.game.sides_of(held(&inner.game.record.seats, token));
        GameState::of(&inner.game, inner.version, inner.thinking.is_some()).seen_by(you)
    }

    /// Says something for the holder of a seat.
    pub async fn say(&self, token: Option<&str>, message: &'static str) -> Result<(), ApiError> {
        let inner = self.inner.lock().await;
        let held = held(&inner.game.record.seats, token);
        inner.game.check_seated(held)?;
        if let Some(&by) = inner.game.sides_of(held).first() {
            self.send(&LiveMessage::Says { by, message });
        }
        Ok(())
    }

    /// Somebody opens the game, as a watcher at first.
    pub fn enter(self: &Arc<Self>) -> Visitor {
        self.count(|present| present.watching += 1);
        Visitor { live: self.clone(), held: [false; 2] }
    }

    /// Changes who is here, and tells everybody.
    fn count(&self, change: impl FnOnce(&mut Present)) {
        let mut present = lock(&self.present);
        change(&mut present);
        self.send(&LiveMessage::Presence(Presence::of(present.here, present.swapped, present.watching)));
    }

    fn tell(&self, state: &GameState) {
        self.send(&LiveMessage::State(state));
    }

    fn send(&self, message: &LiveMessage) {
        if self.news.receiver_count() > 0 {
            // The last watcher may be gone.
            let _ = self.news.send(serde_json::to_string(message).unwrap_or_default().into());
        }
    }
}

/// A connection to a live game, counted until it is dropped.
pub struct Visitor {
    live: Arc<LiveGame>,
    /// The seats that it has shown a token of.
    held: Held,
}

impl Visitor {
    /// Shows the token of a seat.
    pub async fn introduce(&mut self, token: &str) {
        let shown = held(&self.live.inner.lock().await.game.record.seats, Some(token));
        let both = [0, 1].map(|seat| self.held[seat] || shown[seat]);
        self.become_holder(both);
    }

    fn become_holder(&mut self, now: Held) {
        let before = std::mem::replace(&mut self.held, now);
        if before != now {
            self.live.count(|present| {
                move_visitor(present, before, -1);
                move_visitor(present, now, 1);
            });
        }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.live.count(|present| move_visitor(present, self.held, -1));
    }
}

/// Counts a connection with these seats in or out.
fn move_visitor(present: &mut Present, held: Held, by: isize) {
    if held == [false; 2] {
        present.watching = present.watching.saturating_add_signed(by);
    }
    for seat in [0, 1].into_iter().filter(|&seat| held[seat]) {
        present.here[seat] = present.here[seat].saturating_add_signed(by);
    }
}

/// The engine would agree to a draw: it does not stand better.
fn engine_agrees(game: &Game) -> bool {
    let thought = game.moves.iter().rev().find_map(|played| played.score);
    let side = [Side::First, Side::Second].into_iter().find(|&side| game.seat(side).kind == SeatKind::Engine);
    let chance = thought.map_or(0.5, |score| game.board.variant().chance(score.into()));
    let own = if side == Some(Side::First) { chance } else { 1.0 - chance };
    game.moves.len() >= EARLIEST_DRAW && own <= 0.5
}
