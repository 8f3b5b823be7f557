//! What a game looks like to clients: its state, and the messages to those who watch it.

use super::game::{Game, GameRecord, Offers, PlayedMove, Status};
use super::seat::{Seat, SeatKind};
use crate::time::now;
use crate::wire::{GameEnd, PositionView, SearchInfo, SwapView, WireSide};
use polyply_engine::Side;
use serde::Serialize;
use utoipa::ToSchema;

/// Who has a seat.
#[derive(Serialize, ToSchema)]
pub struct SeatView {
    kind: SeatKind,
    name: Option<String>,
    level: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
}

/// Both seats, by the side they play.
#[derive(Serialize, ToSchema)]
pub struct Seats {
    first: SeatView,
    second: SeatView,
}

/// The clocks as they are now.
#[derive(Serialize, ToSchema)]
pub struct ClockView {
    initial_ms: u64,
    increment_ms: u64,
    hourglass: bool,
    first_ms: u64,
    second_ms: u64,
    /// The side whose clock runs.
    running: Option<WireSide>,
}

/// A game as it is now.
#[derive(Serialize, ToSchema)]
pub struct GameState {
    id: String,
    /// Counts the changes since the server loaded the game.
    version: u64,
    /// Milliseconds since 1970.
    created: u64,
    variant: String,
    /// The starting position, if not the usual one.
    position: Option<String>,
    /// Moves that the game began with.
    given: Vec<String>,
    seats: Seats,
    /// The colours were swapped: the token of the first seat plays second.
    swapped: bool,
    /// The sides that your token plays.
    you: Vec<WireSide>,
    clock: Option<ClockView>,
    /// How long the engine thinks about a move, in milliseconds, if that was chosen.
    move_ms: Option<u64>,
    moves: Vec<PlayedMove>,
    /// How many moves were taken back and can be replayed.
    undone: usize,
    view: PositionView,
    status: Status,
    /// How it ended.
    end: Option<GameEnd>,
    offers: Offers,
    /// The engine is thinking about its move.
    thinking: bool,
    /// Everybody sees the game while a seat is open.
    listed: bool,
    /// The engines rest until their game is continued.
    paused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_id: Option<String>,
}

impl GameState {
    /// The state as everybody sees it.
    pub fn of(game: &Game, version: u64, thinking: bool) -> GameState {
        let seat = |side: Side| {
            let Seat { kind, name, level, persona, .. } = game.seat(side).clone();
            SeatView { kind, name, level, persona }
        };
        let now = now();
        let clock = game.record.clocks.map(|clocks| ClockView {
            initial_ms: clocks.rule.initial_ms,
            increment_ms: clocks.rule.increment_ms,
            hourglass: clocks.rule.hourglass,
            first_ms: clocks.left(Side::First, now),
            second_ms: clocks.left(Side::Second, now),
            running: clocks.running().map(WireSide::from),
        });
        let GameRecord { id, created, variant, position, given, offers, rematch, move_ms, listed, paused, .. } =
            game.record.clone();
        GameState {
            id,
            version,
            created,
            variant,
            position,
            given,
            seats: Seats { first: seat(Side::First), second: seat(Side::Second) },
            swapped: game.is_swapped(),
            you: Vec::new(),
            clock,
            move_ms,
            moves: game.moves.clone(),
            undone: game.record.undone.len(),
            view: PositionView::of(&game.board, SwapView::of(game.swap())),
            status: game.status(),
            end: game.end(),
            offers,
            thinking,
            listed,
            paused,
            rematch_id: rematch,
        }
    }

    /// The state as the player of these sides sees it.
    pub fn seen_by(self, you: Vec<WireSide>) -> GameState {
        GameState { you, ..self }
    }
}

/// What is sent to those who watch a game.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveMessage<'a> {
    /// The game has changed.
    State(&'a GameState),
    /// The engine reports on its search.
    Thinking(SearchInfo),
    /// A player says something.
    Says {
        /// Who.
        by: WireSide,
        /// One of the messages that can be said.
        message: &'static str,
    },
    /// Who is here.
    Presence(Presence),
}

/// Who has the game open.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Presence {
    /// The first player is here.
    first: bool,
    /// The second player is here.
    second: bool,
    /// How many others watch.
    watching: usize,
}

impl Presence {
    /// The presence of the seats of the opener and the responder, who play first and second unless they have swapped.
    pub fn of(here: [usize; 2], swapped: bool, watching: usize) -> Presence {
        let is_here = |seat: usize| here[seat] > 0;
        Presence { first: is_here(usize::from(swapped)), second: is_here(usize::from(!swapped)), watching }
    }
}
