//! Live games: every change is kept, told to all who look on, and answered by the engine where it is to move.

use super::api::{GameState, LiveMessage};
use super::clock::now;
use super::game::{Answer, Game, GameError, Status};
use super::seat::{SeatKind, held, random_name};
use crate::error::ApiError;
use crate::refusals;
use crate::room::{Class, Next, Room, Ticket, Turn};
use crate::store::Store;
use crate::wire::{Thought, WireLine, with_short_moves};
use polyply_core::hash::Fnv;
use polyply_core::lock::lock;
use polyply_engine::refusal::common::game_over;
use polyply_engine::swap::{Swap, SwapChoice};
use polyply_engine::{Best, Clock, Engine, EngineError, Info, LEVELS, Level, Limits, Request, Side};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{broadcast, oneshot};

/// Games in memory; those that nobody looks at are read again when they are wanted.
const MOST_LIVE: usize = 2000;
/// Messages that a slow listener may be behind before it is just told the state again.
const BEHIND: usize = 64;
/// The engine takes at least this long where it plays itself, so that people can follow.
const PACE: Duration = Duration::from_millis(400);
/// The engine never takes longer for a move, whatever its level and the machine.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);
/// What a hint is worth.
const HINT: Limits = Limits {
    nodes: Some(200_000),
    time: Some(Duration::from_secs(3)),
    depth: None,
    clock: None,
    mate: None,
    infinite: false,
    ponder: false,
};
/// The engine does not agree to a draw before this many moves.
const EARLIEST_DRAW: usize = 20;

/// A live game.
pub struct Table {
    inner: Mutex<Inner>,
    /// What is told to all who look on.
    pub news: broadcast::Sender<Arc<str>>,
}

struct Inner {
    game: Game,
    /// Counts changes, so that what was thought about an older state is dropped.
    version: u64,
    thinking: Option<Ticket>,
}

/// All games.
#[derive(Clone)]
pub struct Tables {
    live: Arc<Mutex<HashMap<String, Arc<Table>>>>,
    store: Arc<Store>,
    room: Arc<Room>,
}

/// What the engine came up with.
enum Answered {
    Move(Best),
    Stones(Vec<String>),
    Choice(SwapChoice),
}

impl Tables {
    /// Games kept in a store and answered by the engines of a room.
    pub fn new(store: Arc<Store>, room: Arc<Room>) -> Tables {
        Tables { live: Arc::default(), store, room }
    }

    /// Goes on with what was being played when the server ended; the time in between is nobody's.
    pub fn resume(&self) -> Result<usize, ApiError> {
        let pause = self.store.last_alive()?.map_or(0, |at| now().saturating_sub(at));
        let names = self.store.games(true, MOST_LIVE)?;
        for id in &names {
            let Some((mut kept, moves)) = self.store.game(id)? else { continue };
            // Before anybody looks at the clock.
            if let Some(clocks) = &mut kept.clocks {
                clocks.skip(pause);
            }
            kept.turn_began += pause;
            let changed = Game::restore(kept, moves).map_err(ApiError::from).and_then(|game| {
                let table = self.seat_at_table(game);
                self.change(&table, |_| Ok(())).map(drop)
            });
            if let Err(error) = changed {
                tracing::error!(id, %error, "a game can't go on");
            }
        }
        Ok(names.len())
    }

    /// The game of a name.
    pub fn find(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        if let Some(table) = lock(&self.live).get(id) {
            return Ok(table.clone());
        }
        let (kept, moves) = self.store.game(id)?.ok_or_else(|| ApiError::not_found(refusals::game_unknown(id)))?;
        Ok(self.seat_at_table(Game::restore(kept, moves)?))
    }

    /// Adds a game that is new.
    pub fn add(&self, mut game: Game) -> Result<Arc<Table>, ApiError> {
        self.store.keep(&mut game)?;
        metrics::counter!("polyply_games_total").increment(1);
        let table = self.seat_at_table(game);
        self.change(&table, |_| Ok(()))?;
        Ok(table)
    }

    fn seat_at_table(&self, game: Game) -> Arc<Table> {
        let mut live = lock(&self.live);
        if live.len() >= MOST_LIVE {
            // Who looks on or thinks holds another reference; the rest can be read again.
            live.retain(|_, table| Arc::strong_count(table) > 1 || table.news.receiver_count() > 0);
        }
        let id = game.kept.id.clone();
        let table = || {
            let inner = Inner { game, version: 0, thinking: None };
            Arc::new(Table { inner: Mutex::new(inner), news: broadcast::channel(BEHIND).0 })
        };
        // Two that come at once sit down at the same table.
        live.entry(id).or_insert_with(table).clone()
    }

    /// The newest games.
    pub fn newest(&self, limit: usize) -> Result<Vec<GameState>, ApiError> {
        let tables = self.store.games(false, limit)?.into_iter().filter_map(|id| self.find(&id).ok());
        Ok(tables.map(|table| table.state(None)).collect())
    }

    /// A name for a game that no other has.
    pub fn new_name(&self) -> String {
        random_name(10)
    }

    /// Changes a game: if the change is made it is kept, told, and answered by the engine where it is to move. Returns
    /// what the change did and the state that all were told.
    pub fn change<T>(
        &self,
        table: &Arc<Table>,
        change: impl FnOnce(&mut Game) -> Result<T, GameError>,
    ) -> Result<(T, GameState), ApiError> {
        let mut inner = lock(&table.inner);
        let done = if inner.game.look_at_clock(now()) {
            Err(ApiError::conflict(refusals::time_over()))
        } else {
            Ok(change(&mut inner.game)?)
        };
        inner.version += 1;
        inner.thinking = None;
        self.store.keep(&mut inner.game)?;
        self.watch_clock(table, &inner);
        self.let_engine_act(table, &mut inner);
        let state = GameState::of(&inner.game, inner.version, inner.thinking.is_some());
        table.tell(&state);
        done.map(|done| (done, state))
    }

    /// Ends the game when its clock is at zero and nothing has changed until then.
    fn watch_clock(&self, table: &Arc<Table>, inner: &Inner) {
        let Some(deadline) = inner.game.kept.clocks.as_ref().and_then(|clocks| clocks.deadline()) else { return };
        let (tables, table, version) = (self.clone(), table.clone(), inner.version);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(deadline.saturating_sub(now()) + 1)).await;
            if lock(&table.inner).version == version {
                // Looking at the game is enough: the clock is seen to be over.
                let _ = tables.change(&table, |_| Ok(()));
            }
        });
    }

    /// Asks the engine, if it is its turn.
    fn let_engine_act(&self, table: &Arc<Table>, inner: &mut Inner) {
        let game = &inner.game;
        let Some(seat) = game.to_act().filter(|&seat| game.kept.seats[seat].kind == SeatKind::Engine) else {
            if game.status() == Status::Playing {
                self.room.desk(game.board.variant()).played(&game.board);
            }
            return;
        };
        let level = game.kept.seats[seat].level.and_then(Level::find).unwrap_or(&LEVELS[9]);
        let alone = game.kept.seats.iter().all(|seat| seat.kind == SeatKind::Engine);
        let (answer, answered) = oneshot::channel();
        match self.ask(table, game, level, answer) {
            Ok(ticket) => inner.thinking = Some(ticket),
            Err(error) => tracing::warn!(id = game.kept.id, %error, "asked again later"),
        }
        let (tables, table, version) = (self.clone(), table.clone(), inner.version);
        let began = tokio::time::Instant::now();
        tokio::spawn(async move {
            let answered = answered.await;
            match answered {
                Ok(Ok(answered)) => {
                    if alone {
                        tokio::time::sleep_until(began + PACE).await;
                    }
                    tables.act(&table, version, answered);
                }
                Ok(Err(error)) => tracing::error!(%error, "the engine refuses to move"),
                // The question was dropped: the game has changed, or the queue was full. In the second case, again.
                Err(_) => {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    if lock(&table.inner).version == version {
                        let _ = tables.change(&table, |_| Ok(()));
                    }
                }
            }
        });
    }

    /// Hands the engine's turn in.
    fn ask(
        &self,
        table: &Arc<Table>,
        game: &Game,
        level: &'static Level,
        answer: oneshot::Sender<Result<Answered, EngineError>>,
    ) -> Result<Ticket, ApiError> {
        let (board, swap, side) = (game.board.clone(), game.swap(), game.board.side());
        let clock = game.kept.clocks.as_ref().map(|clocks| Clock {
            remaining: Duration::from_millis(clocks.left(side, now())),
            increment: Duration::from_millis(clocks.rule.increment_ms),
            moves_to_go: None,
        });
        let limits = Limits { clock, time: clock.is_none().then_some(LONGEST_THOUGHT), ..Limits::default() };
        let news = table.news.clone();
        let desk = self.room.desk(game.board.variant());
        let mut answer = Some(answer);
        let work = Box::new(move |engine: &mut Engine, _: &Turn| {
            let mut lines = Vec::new();
            let mut sink = |info: &Info| {
                desk.heard(info);
                if news.receiver_count() > 0 {
                    note(&mut lines, info);
                    let message = LiveMessage::Thinking(Thought::of(info, with_short_moves(&board, &lines)));
                    let _ = news.send(serde_json::to_string(&message).unwrap_or_default().into());
                }
            };
            let quick = Limits { nodes: Some(level.nodes), time: Some(Duration::from_secs(2)), ..Limits::default() };
            let answered = match swap {
                Swap::Settled { .. } => engine.play_level(&board, level, limits, &mut sink).map(|best| {
                    desk.answered(&best);
                    Answered::Move(best)
                }),
                Swap::Place { left, .. } => engine.place_fairly(&board, left.into(), quick).map(Answered::Stones),
                Swap::Choose { who, .. } => {
                    engine.choose(&board, who, quick).map(|(choice, _)| Answered::Choice(choice))
                }
            };
            if let Some(answer) = answer.take() {
                // Where nobody waits any more the game has changed.
                let _ = answer.send(answered);
            }
            Next::Done
        });
        Ok(self.room.submit(game.board.variant(), Class::Live, client_of(&game.kept.id), work)?)
    }

    /// Does what the engine came up with, unless the game has changed meanwhile.
    fn act(&self, table: &Arc<Table>, version: u64, answered: Answered) {
        if lock(&table.inner).version != version {
            return;
        }
        let done = self.change(table, |game| {
            match answered {
                Answered::Move(best) => game.move_on(super::Played::by_engine(&best), now())?,
                Answered::Choice(choice) => game.take(choice, now())?,
                Answered::Stones(stones) => {
                    for text in stones {
                        game.move_on(super::Played { text, ..super::Played::default() }, now())?;
                    }
                }
            }
            Ok(())
        });
        if let Err(error) = done {
            tracing::warn!(%error, "the engine's move came to nothing");
        }
    }

    /// What the engine would play for whoever asks.
    pub async fn hint(&self, table: &Arc<Table>, token: Option<&str>) -> Result<Best, ApiError> {
        let (board, client) = {
            let inner = lock(&table.inner);
            let game = &inner.game;
            game.check_seated(held(&game.kept.seats, token))?;
            if game.status() == Status::Over {
                return Err(ApiError::conflict(game_over()));
            }
            (game.board.clone(), client_of(&game.kept.id))
        };
        let request = Request { limits: HINT, ..Request::new(&board) };
        let task = move |engine: &mut Engine| engine.best_move(&request, &mut |_| ());
        self.room.ask(board.variant(), Class::Live, client, task).await
    }

    /// Offers, takes or declines a draw.
    pub fn draw(&self, table: &Arc<Table>, token: Option<&str>, answer: Answer) -> Result<GameState, ApiError> {
        let (you, state) = self.change(table, |game| {
            let held = held(&game.kept.seats, token);
            let agrees = engine_agrees(game);
            game.draw(held, answer, agrees, now())?;
            Ok(game.sides_of(held))
        })?;
        Ok(state.seen_by(you))
    }

    /// Makes the game after this one, once.
    pub fn rematch(&self, table: &Arc<Table>, token: Option<&str>) -> Result<String, ApiError> {
        let id = self.new_name();
        let mut made = None;
        let (id, _) = self.change(table, |game| {
            game.check_seated(held(&game.kept.seats, token))?;
            if let Some(id) = &game.kept.rematch {
                return Ok(id.clone());
            }
            made = Some(game.rematch(id.clone(), now())?);
            game.kept.rematch = Some(id.clone());
            Ok(id)
        })?;
        if let Some(game) = made {
            self.add(game)?;
        }
        Ok(id)
    }
}

impl Table {
    /// The state of the game, as whoever has this token sees it.
    pub fn state(&self, token: Option<&str>) -> GameState {
        let inner = lock(&self.inner);
        let you = inner.game.sides_of(held(&inner.game.kept.seats, token));
        GameState::of(&inner.game, inner.version, inner.thinking.is_some()).seen_by(you)
    }

    fn tell(&self, state: &GameState) {
        if self.news.receiver_count() > 0 {
            let message = LiveMessage::State(state);
            // Nobody listens any more: no harm.
            let _ = self.news.send(serde_json::to_string(&message).unwrap_or_default().into());
        }
    }
}

/// Puts a line in its place among the best ones.
pub fn note(lines: &mut Vec<WireLine>, info: &Info) {
    let line = WireLine::told(info);
    match lines.iter_mut().find(|known| known.rank == line.rank) {
        Some(known) => *known = line,
        None => lines.push(line),
    }
    lines.sort_by_key(|line| line.rank);
}

/// The engine would agree to a draw: it does not think that it is better.
fn engine_agrees(game: &Game) -> bool {
    let thought = game.moves.iter().rev().find_map(|played| played.score);
    let side = [Side::First, Side::Second].into_iter().find(|&side| game.seat(side).kind == SeatKind::Engine);
    let chance = thought.map_or(0.5, |score| game.board.variant().chance(score.into()));
    let own = if side == Some(Side::First) { chance } else { 1.0 - chance };
    game.moves.len() >= EARLIEST_DRAW && own <= 0.5
}

/// The number of a game among those who wait for the engine.
fn client_of(id: &str) -> u64 {
    Fnv::of(id.bytes())
}
