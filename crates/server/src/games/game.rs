//! One game: its moves, seats, clocks and offers, and what may be done when.
//!
//! Knows neither HTTP nor the database. A move, an offer and an end are stored as they are sent, so their types are shared
//! with the API.

use super::clock::{ClockRule, Clocks};
use super::seat::{Held, Seat, SeatKind};
use crate::refusals;
use crate::wire::{End, Player, WireScore};
use polyply_engine::refusal::common::game_over;
use polyply_engine::swap::{Role, Swap, SwapChoice};
use polyply_engine::{Best, Board, EngineError, Place, Refusal, Side, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game is a draw after this many moves, so that none is endless.
const MOST_MOVES: usize = 1000;

/// A move that was played.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// The move, as the variant writes it.
    pub text: String,
    /// How long its player took.
    pub ms: u64,
    /// What the engine thought, where it played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<WireScore>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Who spoke: `search`, or a stage before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
}

impl Played {
    /// A move of the engine.
    pub fn by_engine(best: &Best) -> Played {
        Played {
            text: best.mv.clone(),
            ms: 0,
            score: best.score().map(WireScore::from),
            depth: best.lines.first().map(|line| line.depth),
            stage: Some(best.stage.to_owned()),
        }
    }
}

/// What a player has offered and the other has not answered.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    /// A draw.
    pub draw: Option<Player>,
    /// To take moves back.
    pub undo: Option<Player>,
}

/// Where a game is.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Waiting,
    /// It is somebody's turn.
    Playing,
    /// It has ended.
    Over,
}

/// A step that was made to settle who plays first.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A stone was placed.
    Place,
    /// The opener plays first, as it is.
    Stay,
    /// The colours changed hands.
    Swap,
    /// Two more are placed.
    PlaceTwo,
}

/// What is kept of a game besides its moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Kept {
    /// Its name.
    pub id: String,
    /// When it was made.
    pub created: u64,
    /// What is played.
    pub variant: String,
    /// Where it began.
    pub position: Option<String>,
    /// Moves that were given to it.
    pub given: Vec<String>,
    /// The opener's seat and the other.
    pub seats: [Seat; 2],
    /// The steps so far that settle who plays first; nothing where there is nothing to settle.
    #[serde(alias = "bargain")]
    pub swap_steps: Vec<Step>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// How it ended, other than by the rules.
    pub end: Option<End>,
    /// What is offered.
    pub offers: Offers,
    /// Moves that were taken back, the next one last.
    pub undone: Vec<Played>,
    /// The game after this one.
    pub rematch: Option<String>,
    /// When the turn began.
    pub turn_began: u64,
}

/// A game.
pub struct Game {
    /// What is kept of it.
    pub kept: Kept,
    /// The moves of the players.
    pub moves: Vec<Played>,
    /// The board.
    pub board: Board,
    swap: Swap,
    /// Moves that the database has already.
    pub stored: usize,
}

impl Game {
    /// The game that was kept.
    pub fn restore(kept: Kept, moves: Vec<Played>) -> Result<Game, GameError> {
        let variant = Variant::named(&kept.variant)?;
        let all = kept.given.iter().cloned().chain(moves.iter().map(|played| played.text.clone())).collect();
        let board = Board::at(&variant, &Place { position: kept.position.clone(), moves: all })?;
        // In a game that has begun it is settled who plays first.
        let begins = kept.position.is_none() && kept.given.is_empty();
        let mut swap = if begins { variant.swap() } else { Swap::SETTLED };
        for &step in &kept.swap_steps {
            swap = make(swap, step).map_err(GameError::Damaged)?;
        }
        let stored = moves.len();
        Ok(Game { kept, moves, board, swap, stored })
    }

    /// How far it is settled who plays first.
    pub fn swap(&self) -> Swap {
        // Stones that end the game leave nothing to choose.
        if self.board.outcome().is_some() { Swap::SETTLED } else { self.swap }
    }

    /// The colours changed hands: the opener plays second.
    pub fn is_swapped(&self) -> bool {
        self.swap == Swap::Settled { first: Role::Responder }
    }

    /// The side that a seat plays.
    pub fn side_of(&self, seat: usize) -> Side {
        if (seat == 0) != self.is_swapped() { Side::First } else { Side::Second }
    }

    /// The sides that whoever holds these seats plays.
    pub fn sides_of(&self, held: Held) -> Vec<Player> {
        [0, 1].into_iter().filter(|&seat| held[seat]).map(|seat| self.side_of(seat).into()).collect()
    }

    fn seat_of(&self, side: Side) -> usize {
        usize::from((side == Side::Second) != self.is_swapped())
    }

    /// The seat of a side.
    pub fn seat(&self, side: Side) -> &Seat {
        &self.kept.seats[self.seat_of(side)]
    }

    /// How it ended, by the rules or otherwise.
    pub fn end(&self) -> Option<End> {
        let by_rules = || {
            let outcome = self.board.outcome()?;
            Some(End {
                winner: outcome.winner().map(Player::from),
                reason: self.board.look().reason.unwrap_or_default().to_owned(),
                points: match outcome {
                    polyply_engine::Outcome::Points(points) => Some(points),
                    _ => None,
                },
            })
        };
        self.kept.end.clone().or_else(by_rules)
    }

    /// Where it is.
    pub fn status(&self) -> Status {
        if self.kept.end.is_some() || self.board.outcome().is_some() {
            Status::Over
        } else if self.kept.seats.iter().any(|seat| seat.kind == SeatKind::Open) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// The seat whose turn it is to move, place or choose; none unless it is played.
    pub fn to_act(&self) -> Option<usize> {
        if self.status() != Status::Playing {
            return None;
        }
        Some(match self.swap().to_act() {
            Some(Role::Opener) => 0,
            Some(Role::Responder) => 1,
            None => self.seat_of(self.board.side()),
        })
    }

    /// Says why whoever holds these seats can't act now.
    fn check_turn(&self, held: Held) -> Result<usize, GameError> {
        self.check_seated(held)?;
        match (self.status(), self.to_act()) {
            (Status::Over, _) => Err(GameError::NotNow(game_over())),
            (_, Some(seat)) if held[seat] => Ok(seat),
            (Status::Waiting, _) => Err(GameError::NotNow(refusals::seat_open())),
            _ => Err(GameError::NotNow(refusals::not_your_turn())),
        }
    }

    /// Says that only players may do this.
    pub fn check_seated(&self, held: Held) -> Result<(), GameError> {
        if held.contains(&true) {
            return Ok(());
        }
        Err(GameError::NotSeated)
    }

    /// Plays a move for whoever holds these seats.
    pub fn play(&mut self, held: Held, mv: &str, now: u64) -> Result<(), GameError> {
        self.check_turn(held)?;
        self.move_on(Played { text: mv.to_owned(), ..Played::default() }, now)
    }

    /// Plays a move of whoever is to move.
    pub fn move_on(&mut self, mut played: Played, now: u64) -> Result<(), GameError> {
        if !self.swap().options().is_empty() {
            self.swap().place().map_err(GameError::NotNow)?;
        }
        self.board.play(&played.text)?;
        if self.swap.to_act().is_some() {
            self.swap = self.swap.place().unwrap_or(Swap::SETTLED);
            self.kept.swap_steps.push(Step::Place);
        }
        played.text = self.board.moves().last().cloned().unwrap_or_default();
        played.ms = now.saturating_sub(self.kept.turn_began);
        self.moves.push(played);
        self.kept.undone.clear();
        self.kept.offers = Offers::default();
        if self.moves.len() >= MOST_MOVES && self.board.outcome().is_none() {
            self.kept.end = Some(End { winner: None, reason: "too many moves".into(), points: None });
        }
        if let Some(clocks) = &mut self.kept.clocks {
            clocks.press(now);
        }
        self.begin_turn(now);
        Ok(())
    }

    /// Chooses who plays first, for whoever holds these seats.
    pub fn choose(&mut self, held: Held, name: &str, now: u64) -> Result<(), GameError> {
        self.check_turn(held)?;
        let choice = SwapChoice::from_name(name).ok_or_else(|| {
            let known = SwapChoice::ALL.map(SwapChoice::name).join(", ");
            GameError::Invalid(refusals::choice_unknown(known, name))
        })?;
        self.take(choice, now)
    }

    /// Makes the choice of whoever is to choose.
    pub fn take(&mut self, choice: SwapChoice, now: u64) -> Result<(), GameError> {
        self.swap = self.swap().choose(choice).map_err(GameError::NotNow)?;
        self.kept.swap_steps.push(match choice {
            SwapChoice::Stay => Step::Stay,
            SwapChoice::Swap => Step::Swap,
            SwapChoice::PlaceTwo => Step::PlaceTwo,
        });
        self.begin_turn(now);
        Ok(())
    }

    /// Somebody's turn begins: the clock runs, but not for the first move of the game, nor before it is settled who plays first.
    pub fn begin_turn(&mut self, now: u64) {
        self.kept.turn_began = now;
        let (playing, side) = (self.status() == Status::Playing, self.board.side());
        let settled = self.swap().to_act().is_none();
        let begun = !self.moves.is_empty();
        if let Some(clocks) = &mut self.kept.clocks {
            clocks.stop(now);
            if playing && settled && begun {
                clocks.start(side, now);
            }
        }
    }

    /// Ends the game if the clock that runs is at zero.
    pub fn look_at_clock(&mut self, now: u64) -> bool {
        if self.status() != Status::Playing {
            return false;
        }
        let Some(side) = self.kept.clocks.as_ref().and_then(|clocks| clocks.flagged(now)) else { return false };
        self.finish(Some(side.other()), "time", now);
        true
    }

    fn finish(&mut self, winner: Option<Side>, reason: &str, now: u64) {
        self.kept.end = Some(End { winner: winner.map(Player::from), reason: reason.into(), points: None });
        self.kept.offers = Offers::default();
        if let Some(clocks) = &mut self.kept.clocks {
            clocks.stop(now);
        }
    }

    /// The seat that speaks: of one who holds both it is the one whose turn it is.
    fn speaker(&self, held: Held) -> usize {
        match held {
            [true, true] => self.to_act().unwrap_or(0),
            [true, false] => 0,
            _ => 1,
        }
    }

    /// The opponent is no other person.
    fn is_alone(&self, held: Held) -> bool {
        let opponent = 1 - self.speaker(held);
        held[opponent] || self.kept.seats[opponent].kind != SeatKind::Person
    }

    /// Gives the game up.
    pub fn resign(&mut self, held: Held, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.status() == Status::Over {
            return Err(GameError::NotNow(game_over()));
        }
        let loser = self.side_of(self.speaker(held));
        self.finish(Some(loser.other()), "resignation", now);
        Ok(())
    }

    /// Offers a draw, takes one or declines it. `engine_agrees` says what the engine would answer.
    pub fn draw(&mut self, held: Held, answer: Answer, engine_agrees: bool, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.status() != Status::Playing {
            return Err(GameError::NotNow(refusals::draw_not_playing()));
        }
        let seat = self.speaker(held);
        let me = Player::from(self.side_of(seat));
        let offered = self.kept.offers.draw.filter(|&by| by != me || held == [true, true]);
        match (answer, offered) {
            (Answer::Decline, _) => self.kept.offers.draw = None,
            (Answer::Accept, None) => return Err(GameError::NotNow(refusals::draw_not_offered())),
            (Answer::Accept, Some(_)) => self.finish(None, "agreement", now),
            (Answer::Offer, Some(_)) => self.finish(None, "agreement", now),
            (Answer::Offer, None) if held == [true, true] => self.finish(None, "agreement", now),
            (Answer::Offer, None) if self.kept.seats[1 - seat].kind == SeatKind::Engine => {
                if !engine_agrees {
                    return Err(GameError::NotNow(refusals::draw_declined()));
                }
                self.finish(None, "agreement", now);
            }
            (Answer::Offer, None) => self.kept.offers.draw = Some(me),
        }
        Ok(())
    }

    /// Takes back until it is a turn of whoever holds these seats; another person is asked first.
    pub fn undo(&mut self, held: Held, answer: Answer, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if self.swap().to_act().is_some() {
            return Err(GameError::NotNow(refusals::undo_opening()));
        }
        let me = Player::from(self.side_of(self.speaker(held)));
        let by_other = self.kept.offers.undo.is_some_and(|by| by != me);
        match answer {
            Answer::Decline => {
                self.kept.offers.undo = None;
                return Ok(());
            }
            Answer::Accept if !by_other => return Err(GameError::NotNow(refusals::undo_not_asked())),
            Answer::Offer if !self.is_alone(held) && !by_other => {
                if self.status() == Status::Over {
                    return Err(GameError::NotNow(game_over()));
                }
                self.kept.offers.undo = Some(me);
                return Ok(());
            }
            Answer::Accept | Answer::Offer => {}
        }
        // Who asked wants to be to move again.
        let wanted: Held = if by_other && !self.is_alone(held) { [!held[0], !held[1]] } else { held };
        self.take_back(wanted, now)
    }

    fn take_back(&mut self, wanted: Held, now: u64) -> Result<(), GameError> {
        let lowest = self.kept.swap_steps.iter().filter(|&&step| step == Step::Place).count();
        let resigned = self.kept.end.as_ref().is_some_and(|end| end.reason == "resignation");
        if self.kept.end.as_ref().is_some_and(|end| end.reason == "time") {
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
                // A pass is a move too, so sides take turns in all that is written down.
                side = side.other();
                if wanted[self.seat_of(side)] {
                    break;
                }
            }
            self.go_to(to);
        }
        self.kept.end = None;
        self.kept.offers = Offers::default();
        self.begin_turn(now);
        Ok(())
    }

    /// Takes moves back until there are so many.
    fn go_to(&mut self, plies: usize) {
        while self.moves.len() > plies {
            self.board.undo();
            self.kept.undone.extend(self.moves.pop());
        }
        self.stored = self.stored.min(plies);
    }

    /// Plays again what was taken back, until it is a turn of whoever holds these seats, or nothing is left.
    pub fn redo(&mut self, held: Held, now: u64) -> Result<(), GameError> {
        self.check_seated(held)?;
        if !self.is_alone(held) {
            return Err(GameError::NotNow(refusals::redo_agreed()));
        }
        if self.kept.undone.is_empty() {
            return Err(GameError::NotNow(refusals::redo_nothing()));
        }
        while let Some(played) = self.kept.undone.pop() {
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
        wish: Option<Side>,
        name: Option<String>,
        hash: String,
        now: u64,
    ) -> Result<usize, GameError> {
        let open = |seat: &usize| self.kept.seats[*seat].kind == SeatKind::Open;
        let seat = match wish {
            Some(side) => Some(self.seat_of(side)).filter(open),
            None => [0, 1].into_iter().find(open),
        };
        let seat = seat.ok_or_else(|| GameError::NotNow(refusals::seat_taken()))?;
        self.kept.seats[seat] = Seat { kind: SeatKind::Person, name, level: None, token: Some(hash) };
        self.begin_turn(now);
        Ok(seat)
    }

    /// The game after this one: the same players, the other way round.
    pub fn rematch(&self, id: String, now: u64) -> Result<Game, GameError> {
        if self.status() != Status::Over {
            return Err(GameError::NotNow(refusals::game_not_over()));
        }
        let seats = [Side::Second, Side::First].map(|side| self.seat(side).clone());
        Game::restore(
            Kept {
                id,
                created: now,
                seats,
                swap_steps: Vec::new(),
                clocks: self.kept.clocks.map(|clocks| Clocks::new(clocks.rule)),
                end: None,
                offers: Offers::default(),
                undone: Vec::new(),
                rematch: None,
                turn_began: now,
                ..self.kept.clone()
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
    /// It can't be done in the present state of the game.
    NotNow(Refusal),
    /// It makes no sense in any state.
    Invalid(Refusal),
    /// The board refuses it.
    Engine(EngineError),
    /// What was stored is no game.
    Damaged(Refusal),
}

impl From<EngineError> for GameError {
    fn from(error: EngineError) -> GameError {
        GameError::Engine(error)
    }
}

/// What is said about an offer.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Make one, or take the other's.
    #[default]
    Offer,
    /// Take it.
    Accept,
    /// Turn it down, or take back one's own.
    Decline,
}

fn make(swap: Swap, step: Step) -> Result<Swap, Refusal> {
    match step {
        Step::Place => swap.place(),
        Step::Stay => swap.choose(SwapChoice::Stay),
        Step::Swap => swap.choose(SwapChoice::Swap),
        Step::PlaceTwo => swap.choose(SwapChoice::PlaceTwo),
    }
}

/// How a new game is asked for, as far as the rules go.
pub fn clocks(rule: Option<ClockRule>) -> Result<Option<Clocks>, GameError> {
    match rule {
        Some(rule) if !rule.is_possible() => Err(GameError::Invalid(refusals::clock_range())),
        rule => Ok(rule.map(Clocks::new)),
    }
}
