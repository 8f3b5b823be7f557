//! One game: its moves, seats, clocks and offers, and what may be done when.
//!
//! Knows neither HTTP nor the database. A move, an offer and the end of a game are stored as they are sent, so
//! the API shares their types.

use super::clock::{ClockRule, Clocks};
use super::seat::{Held, Seat, SeatKind};
use crate::refusals;
use crate::wire::{GameEnd, WireScore, WireSide};
use polyply_engine::refusal::common::game_over;
use polyply_engine::swap::{Role, Swap, SwapChoice};
use polyply_engine::{Best, Board, EngineError, PositionSpec, Refusal, Side, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game is a draw after this many moves, so that every game ends.
const MAX_MOVES: usize = 1000;

/// A move that was played.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Debug, Default)]
pub struct PlayedMove {
    /// The move, as the variant writes it.
    pub text: String,
    /// How long the player took.
    pub ms: u64,
    /// The engine's score, if it played the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<WireScore>,
    /// How deep the engine searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// What found the move: `search`, or a stage before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
}

impl PlayedMove {
    /// A move of the engine.
    pub fn by_engine(best: &Best) -> PlayedMove {
        PlayedMove {
            text: best.mv.clone(),
            ms: 0,
            score: best.score().map(WireScore::from),
            depth: best.lines.first().map(|line| line.depth),
            stage: Some(best.stage.to_owned()),
        }
    }
}

/// Offers that wait for an answer, by who made them.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    /// A draw.
    pub draw: Option<WireSide>,
    /// To take back moves.
    pub undo: Option<WireSide>,
    /// The last one that was declined, until the next move or offer.
    #[serde(default)]
    pub declined: Option<Declined>,
}

/// What an offer is about.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// A draw.
    Draw,
    /// To take back moves.
    Undo,
}

/// An offer that was declined.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declined {
    /// What was offered.
    pub what: Offer,
    /// Who had offered it.
    pub by: WireSide,
}

impl Offers {
    /// Declines an offer, or withdraws one's own.
    fn decline(&mut self, what: Offer, me: WireSide) {
        let offer = match what {
            Offer::Draw => self.draw.take(),
            Offer::Undo => self.undo.take(),
        };
        self.declined = offer.filter(|&by| by != me).map(|by| Declined { what, by });
    }
}

/// How far a game is.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Waiting,
    /// It is being played.
    Playing,
    /// It has ended.
    Over,
}

/// A step towards settling who plays first.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A stone was placed.
    Place,
    /// The colours stay as they are.
    Stay,
    /// The colours were swapped.
    Swap,
    /// Two more stones are placed.
    PlaceTwo,
}

/// What is stored of a game besides its moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Its id.
    pub id: String,
    /// When it was made.
    pub created: u64,
    /// The variant.
    pub variant: String,
    /// The starting position, if not the usual one.
    pub position: Option<String>,
    /// Moves that the game began with.
    pub given: Vec<String>,
    /// The seats of the opener and the responder.
    pub seats: [Seat; 2],
    /// The steps so far towards settling who plays first.
    #[serde(alias = "bargain")]
    pub swap_steps: Vec<Step>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// How long the engine thinks about a move, in milliseconds, in a game without clocks.
    #[serde(default)]
    pub move_ms: Option<u64>,
    /// How it ended, if not by the rules.
    pub end: Option<GameEnd>,
    /// Open offers.
    pub offers: Offers,
    /// Moves that were taken back, the next one last.
    pub undone: Vec<PlayedMove>,
    /// The game after this one.
    pub rematch: Option<String>,
    /// When the turn began. The time that the server was down is left out.
    pub turn_began: u64,
    /// When somebody last did something.
    #[serde(default)]
    pub acted: u64,
    /// The hash of the token of who began a game between engines, and may stop it.
    #[serde(default)]
    pub owner: Option<String>,
    /// Everybody may see and accept the invitation.
    #[serde(default)]
    pub listed: bool,
    /// The engines rest until their game is continued.
    #[serde(default)]
    pub paused: bool,
}

impl GameRecord {
    /// Leaves out the time since the server was last alive. Where the system's clock was set back meanwhile, that time is
    /// negative.
    pub fn skip(&mut self, last_alive: Option<u64>, now: u64) {
        let pause = last_alive.map_or(0, |at| now as i64 - at as i64);
        self.turn_began = self.turn_began.saturating_add_signed(pause);
        if let Some(clocks) = &mut self.clocks {
            clocks.skip(pause);
        }
    }
}

/// A game.
#[derive(Clone)]
pub struct Game {
    /// What is stored besides the moves.
    pub record: GameRecord,
    /// The moves of the players.
    pub moves: Vec<PlayedMove>,
    /// The board.
    pub board: Board,
    swap: Swap,
    /// How many of the moves are in the database.
    pub stored_moves: usize,
}

impl Game {
    /// A game from what was stored of it.
    pub fn restore(record: GameRecord, moves: Vec<PlayedMove>) -> Result<Game, GameError> {
        let variant = Variant::named(&record.variant)?;
        let all = record.given.iter().cloned().chain(moves.iter().map(|played| played.text.clone())).collect();
        let board = Board::at(&variant, &PositionSpec { position: record.position.clone(), moves: all })?;
        // A game that begins with a position or moves has nothing to settle.
        let begins = record.position.is_none() && record.given.is_empty();
        let mut swap = if begins { variant.swap() } else { Swap::SETTLED };
        for &step in &record.swap_steps {
            swap = after_step(swap, step).map_err(GameError::Damaged)?;
        }
        let stored_moves = moves.len();
        Ok(Game { record, moves, board, swap, stored_moves })
    }

    /// How far it is settled who plays first.
    pub fn swap(&self) -> Swap {
        // Stones that end the game leave nothing to choose.
        if self.board.outcome().is_some() { Swap::SETTLED } else { self.swap }
    }

    /// The colours were swapped: the opener plays second.
    pub fn is_swapped(&self) -> bool {
        self.swap == Swap::Settled { first: Role::Responder }
    }

    /// The side that a seat plays.
    pub fn side_of(&self, seat: usize) -> Side {
        if (seat == 0) != self.is_swapped() { Side::First } else { Side::Second }
    }

    /// The sides that the holder of these seats plays.
    pub fn sides_of(&self, held: Held) -> Vec<WireSide> {
        [0, 1].into_iter().filter(|&seat| held[seat]).map(|seat| self.side_of(seat).into()).collect()
    }

    fn seat_of(&self, side: Side) -> usize {
        usize::from((side == Side::Second) != self.is_swapped())
    }

    /// The seat of a side.
    pub fn seat(&self, side: Side) -> &Seat {
        &self.record.seats[self.seat_of(side)]
    }

    /// How it ended, by the rules or otherwise.
    pub fn end(&self) -> Option<GameEnd> {
        let by_rules = || Some(GameEnd::by_rules(self.board.outcome()?, &self.board.look()));
        self.record.end.clone().or_else(by_rules)
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        if self.record.end.is_some() || self.board.outcome().is_some() {
            Status::Over
        } else if self.record.seats.iter().any(|seat| seat.kind == SeatKind::Open) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// The seat whose turn it is to move, place or choose, while the game is being played and is not paused.
    pub fn to_act(&self) -> Option<usize> {
        if self.status() != Status::Playing || self.record.paused {
            return None;
        }
        Some(match self.swap().to_act() {
            Some(Role::Opener) => 0,
            Some(Role::Responder) => 1,
            None => self.seat_of(self.board.side()),
        })
    }

    /// The seat that acts, or why the holder of these seats can't act now.
    fn check_turn(&self, held: Held) -> Result<usize, GameError> {
        self.check_seated(held)?;
        match (self.status(), self.to_act()) {
            (Status::Over, _) => Err(GameError::NotNow(game_over())),
            (_, Some(seat)) if held[seat] => Ok(seat),
            (Status::Waiting, _) => Err(GameError::NotNow(refusals::seat_open())),
            _ => Err(GameError::NotNow(refusals::not_your_turn())),
        }
    }

    /// Refuses those who hold no seat.
    pub fn check_seated(&self, held: Held) -> Result<(), GameError> {
        if held.contains(&true) {
            return Ok(());
        }
        Err(GameError::NotSeated)
    }

    /// Plays a move for the holder of these seats.
    pub fn play(&mut self, held: Held, mv: &str, now: u64) -> Result<(), GameError> {
        self.check_turn(held)?;
        self.move_on(PlayedMove { text: mv.to_owned(), ..PlayedMove::default() }, now)
    }

    /// Plays a move for the side to move.
    pub fn move_on(&mut self, mut played: PlayedMove, now: u64) -> Result<(), GameError> {
        if !self.swap().options().is_empty() {
            self.swap().place().map_err(GameError::NotNow)?;
        }
        self.board.play(&played.text)?;
        if self.swap.to_act().is_some() {
            self.swap = self.swap.place().unwrap_or(Swap::SETTLED);
            self.record.swap_steps.push(Step::Place);
        }
        played.text = self.board.moves().last().cloned().unwrap_or_default();
        played.ms = now.saturating_sub(self.record.turn_began);
        self.moves.push(played);
        self.record.undone.clear();
        self.record.offers = Offers::default();
        if self.moves.len() >= MAX_MOVES && self.board.outcome().is_none() {
            self.record.end = Some(GameEnd { winner: None, reason: "too many moves".into(), points: None });
        }
        if let Some(clocks) = &mut self.record.clocks {
            clocks.press(now);
        }
        self.begin_turn(now);
        Ok(())
    }

    /// Makes a choice for the holder of these seats.
    pub fn choose(&mut self, held: Held, name: &str, now: u64) -> Result<(), GameError> {
        self.check_turn(held)?;
        let choice = SwapChoice::from_name(name).ok_or_else(|| {
            let known = SwapChoice::ALL.map(SwapChoice::name).join(", ");
            GameError::Invalid(refusals::choice_unknown(known, name))
        })?;
        self.take(choice, now)
    }

    /// Makes a choice for the player who is to choose.
    pub fn take(&mut self, choice: SwapChoice, now: u64) -> Result<(), GameError> {
        self.swap = self.swap().choose(choice).map_err(GameError::NotNow)?;
        self.record.swap_steps.push(match choice {
            SwapChoice::Stay => Step::Stay,
            SwapChoice::Swap => Step::Swap,
            SwapChoice::PlaceTwo => Step::PlaceTwo,
        });
        self.begin_turn(now);
        Ok(())
    }

    /// Begins a turn and starts the clock, except for the first move of the game and until it is settled who plays
    /// first.
    pub fn begin_turn(&mut self, now: u64) {
        (self.record.turn_began, self.record.acted) = (now, now);
        let (playing, side) = (self.status() == Status::Playing, self.board.side());
        let settled = self.swap().to_act().is_none();
        let begun = !self.moves.is_empty() && !self.record.paused;
        if let Some(clocks) = &mut self.record.clocks {
            clocks.stop(now);
            if playing && settled && begun {
                clocks.start(side, now);
            }
        }
    }

    /// Ends the game if the running clock is at zero.
    pub fn check_clock(&mut self, now: u64) -> bool {
        if self.status() != Status::Playing {
            return false;
        }
        let Some(side) = self.record.clocks.as_ref().and_then(|clocks| clocks.flagged(now)) else { return false };
        self.finish(Some(side.other()), "time", now);
        true
    }

    fn finish(&mut self, winner: Option<Side>, reason: &str, now: u64) {
        self.record.end = Some(GameEnd { winner: winner.map(WireSide::from), reason: reason.into(), points: None });
        self.record.paused = false;
        self.record.offers = Offers::default();
        if let Some(clocks) = &mut self.record.clocks {
            clocks.stop(now);
        }
    }

    /// The seat that acts. For the holder of both, it is the one whose turn it is.
    fn speaker(&self, held: Held) -> usize {
        match held {
            [true, true] => self.to_act().unwrap_or(0),
            [true, false] => 0,
            _ => 1,
        }
    }

    /// There is no other person to ask.
    fn is_alone(&self, held: Held) -> bool {
        let opponent = 1 - self.speaker(held);
        held[opponent] || self.record.seats[opponent].kind != SeatKind::Person
    }

    /// Refuses help from the engine against another person.
    pub fn check_hint(&self, held: Held) -> Result<(), GameError> {
        self.check_seated(held)?;
        let people = self.record.seats.iter().all(|seat| seat.kind != SeatKind::Engine);
        if people && held != [true, true] {
            return Err(GameError::NotNow(refusals::hint_between_people()));
        }
        if self.status() == Status::Over {
            return Err(GameError::NotNow(game_over()));
        }
        Ok(())
    }

    /// Resigns.
    pub fn resign(&mut self, held: Held, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.status() == Status::Over {
            return Err(GameError::NotNow(game_over()));
        }
        let loser = self.side_of(self.speaker(held));
        self.finish(Some(loser.other()), "resignation", now);
        Ok(())
    }

    /// It is played by engines alone.
    pub fn is_between_engines(&self) -> bool {
        self.record.seats.iter().all(|seat| seat.kind == SeatKind::Engine)
    }

    /// Stops a game between engines, for its owner.
    pub fn stop(&mut self, is_owner: bool, now: u64) -> Result<(), GameError> {
        self.check_owned(is_owner)?;
        self.end_without_result("stopped", now)
    }

    /// Lets the engines of a game rest, or go on, for its owner. The clocks stand still meanwhile.
    pub fn pause(&mut self, paused: bool, is_owner: bool, now: u64) -> Result<(), GameError> {
        self.check_owned(is_owner)?;
        if self.status() == Status::Over {
            return Err(GameError::NotNow(game_over()));
        }
        self.record.paused = paused;
        self.begin_turn(now);
        Ok(())
    }

    /// Refuses who does not own a game between engines.
    fn check_owned(&self, is_owner: bool) -> Result<(), GameError> {
        if !self.is_between_engines() {
            return Err(GameError::NotNow(refusals::stop_people()));
        }
        if is_owner { Ok(()) } else { Err(GameError::NotOwner) }
    }

    /// Ends a game in which nothing happens any more.
    pub fn expire(&mut self, now: u64) -> Result<(), GameError> {
        self.end_without_result("expired", now)
    }

    fn end_without_result(&mut self, reason: &str, now: u64) -> Result<(), GameError> {
        if self.status() == Status::Over {
            return Err(GameError::NotNow(game_over()));
        }
        self.finish(None, reason, now);
        Ok(())
    }

    /// Offers, accepts or declines a draw. `engine_agrees` says what the engine would answer.
    pub fn draw(&mut self, held: Held, answer: Answer, engine_agrees: bool, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.status() != Status::Playing {
            return Err(GameError::NotNow(refusals::draw_not_playing()));
        }
        let seat = self.speaker(held);
        let me = WireSide::from(self.side_of(seat));
        let offered = self.record.offers.draw.filter(|&by| by != me || held == [true, true]);
        match (answer, offered) {
            (Answer::Decline, _) => self.record.offers.decline(Offer::Draw, me),
            (Answer::Accept, None) => return Err(GameError::NotNow(refusals::draw_not_offered())),
            (Answer::Accept, Some(_)) => self.finish(None, "agreement", now),
            (Answer::Offer, Some(_)) => self.finish(None, "agreement", now),
            (Answer::Offer, None) if held == [true, true] => self.finish(None, "agreement", now),
            (Answer::Offer, None) if self.record.seats[1 - seat].kind == SeatKind::Engine => {
                if !engine_agrees {
                    return Err(GameError::NotNow(refusals::draw_declined()));
                }
                self.finish(None, "agreement", now);
            }
            (Answer::Offer, None) => {
                self.record.offers = Offers { draw: Some(me), declined: None, ..self.record.offers }
            }
        }
        Ok(())
    }

    /// Takes back moves until the holder of these seats is to move. Another person is asked first.
    pub fn undo(&mut self, held: Held, answer: Answer, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.swap().to_act().is_some() {
            return Err(GameError::NotNow(refusals::undo_opening()));
        }
        let me = WireSide::from(self.side_of(self.speaker(held)));
        let by_other = self.record.offers.undo.is_some_and(|by| by != me);
        match answer {
            Answer::Decline => {
                self.record.offers.decline(Offer::Undo, me);
                return Ok(());
            }
            Answer::Accept if !by_other => return Err(GameError::NotNow(refusals::undo_not_asked())),
            Answer::Offer if !self.is_alone(held) && !by_other => {
                if self.status() == Status::Over {
                    return Err(GameError::NotNow(game_over()));
                }
                self.record.offers = Offers { undo: Some(me), declined: None, ..self.record.offers };
                return Ok(());
            }
            Answer::Accept | Answer::Offer => {}
        }
        // The player who asked is to move again.
        let wanted: Held = if by_other && !self.is_alone(held) { [!held[0], !held[1]] } else { held };
        self.take_back(wanted, now)
    }

    fn take_back(&mut self, wanted: Held, now: u64) -> Result<(), GameError> {
        let lowest = self.record.swap_steps.iter().filter(|&&step| step == Step::Place).count();
        let resigned = self.record.end.as_ref().is_some_and(|end| ["resignation", "expired"].contains(&&*end.reason));
        if self.record.end.as_ref().is_some_and(|end| end.reason == "time") {
            return Err(GameError::NotNow(refusals::undo_lost_on_time()));
        }
        let before = self.moves.len();
        if !resigned {
            let mut to = before;
            let mut side = self.board.side();
            loop {
                if to == lowest {
                    return Err(GameError::NotNow(refusals::undo_nothing()));
                }
                to -= 1;
                // A pass is a move too, so the sides always alternate.
                side = side.other();
                if wanted[self.seat_of(side)] {
                    break;
                }
            }
            self.go_to(to);
        }
        self.record.end = None;
        self.record.offers = Offers::default();
        self.begin_turn(now);
        Ok(())
    }

    /// Takes back moves until so many are left.
    fn go_to(&mut self, plies: usize) {
        while self.moves.len() > plies {
            self.board.undo();
            self.record.undone.extend(self.moves.pop());
        }
        self.stored_moves = self.stored_moves.min(plies);
    }

    /// Replays moves that were taken back, until the holder of these seats is to move or none are left.
    pub fn redo(&mut self, held: Held, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if !self.is_alone(held) {
            return Err(GameError::NotNow(refusals::redo_agreed()));
        }
        if self.record.undone.is_empty() {
            return Err(GameError::NotNow(refusals::redo_nothing()));
        }
        while let Some(played) = self.record.undone.pop() {
            self.board.play(&played.text)?;
            self.moves.push(played);
            if self.to_act().is_none_or(|seat| held[seat]) {
                break;
            }
        }
        self.begin_turn(now);
        Ok(())
    }

    /// Somebody takes an open seat.
    pub fn sit_down(
        &mut self,
        side: Option<Side>,
        name: Option<String>,
        hash: String,
        now: u64,
    ) -> Result<usize, GameError> {
        let open = |seat: &usize| self.record.seats[*seat].kind == SeatKind::Open;
        let seat = match side {
            Some(side) => Some(self.seat_of(side)).filter(open),
            None => [0, 1].into_iter().find(open),
        };
        let seat = seat.ok_or_else(|| GameError::NotNow(refusals::seat_taken()))?;
        self.record.seats[seat] = Seat { kind: SeatKind::Person, name, level: None, persona: None, token: Some(hash) };
        self.begin_turn(now);
        Ok(seat)
    }

    /// The next game of the same players, with colours swapped.
    pub fn rematch(&self, id: String, now: u64) -> Result<Game, GameError> {
        if self.status() != Status::Over {
            return Err(GameError::NotNow(refusals::game_not_over()));
        }
        let seats = [Side::Second, Side::First].map(|side| self.seat(side).clone());
        Game::restore(
            GameRecord {
                id,
                created: now,
                seats,
                swap_steps: Vec::new(),
                clocks: self.record.clocks.map(|clocks| Clocks::new(clocks.rule)),
                end: None,
                offers: Offers::default(),
                undone: Vec::new(),
                rematch: None,
                paused: false,
                turn_began: now,
                acted: now,
                ..self.record.clone()
            },
            Vec::new(),
        )
    }
}

/// Why a game stays as it is.
#[derive(Debug)]
pub enum GameError {
    /// Only players may do that.
    NotSeated,
    /// Only the owner may do that.
    NotOwner,
    /// It can't be done in the present state of the game.
    NotNow(Refusal),
    /// It makes no sense in any state.
    Invalid(Refusal),
    /// The board refuses it.
    Engine(EngineError),
    /// What was stored is not a game.
    Damaged(Refusal),
}

impl From<EngineError> for GameError {
    fn from(error: EngineError) -> GameError {
        GameError::Engine(error)
    }
}

/// What a player says about an offer.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Make one, or accept the opponent's.
    #[default]
    Offer,
    /// Accept it.
    Accept,
    /// Decline it, or withdraw one's own.
    Decline,
}

fn after_step(swap: Swap, step: Step) -> Result<Swap, Refusal> {
    match step {
        Step::Place => swap.place(),
        Step::Stay => swap.choose(SwapChoice::Stay),
        Step::Swap => swap.choose(SwapChoice::Swap),
        Step::PlaceTwo => swap.choose(SwapChoice::PlaceTwo),
    }
}

/// The clocks of a new game.
pub fn clocks(rule: Option<ClockRule>) -> Result<Option<Clocks>, GameError> {
    match rule {
        Some(rule) if !rule.is_possible() => Err(GameError::Invalid(refusals::clock_range())),
        rule => Ok(rule.map(Clocks::new)),
    }
}
