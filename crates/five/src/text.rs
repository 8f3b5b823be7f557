//! Parsing and writing of positions.

use crate::cell::Cell;
use crate::notation::{self, BoardSetup, Written};
use crate::position::Five;
use crate::refusals;
use crate::rule::Rule;
use crate::settings::Settings;
use polyply_core::game::{Game, Notation};
use polyply_core::refusal::{Refusal, common};

impl<R: Rule> Five<R> {
    fn setup(&self) -> BoardSetup {
        let mut setup = BoardSetup::empty(self.settings().size);
        for (index, cell) in setup.cells.iter_mut().enumerate() {
            *cell = self.stone(Cell::at(index % setup.size, index / setup.size));
        }
        setup.side = self.side();
        setup.captured = self.captures();
        setup
    }

    fn from_setup(settings: Settings, setup: &BoardSetup) -> Result<Self, Refusal> {
        if settings.capture.is_none() && setup.captured != [0; 2] {
            return Err(refusals::no_captures(settings.variant.name()));
        }
        let stones = setup
            .cells
            .iter()
            .enumerate()
            .filter_map(|(index, &owner)| Some((Cell::at(index % setup.size, index / setup.size), owner?)));
        Five::set_up(settings, stones, setup.side, setup.captured)
    }
}

impl<R: Rule> Notation for Five<R> {
    fn start() -> Self {
        Five::new(Settings::usual(R::KIND))
    }

    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        let settings = *self.settings();
        match Written::parse(text, settings.size)? {
            Written::Board(setup) => Five::from_setup(settings, &setup),
            Written::Moves(moves) => {
                let mut game = Five::new(settings);
                for (x, y) in moves {
                    let mv = game.parse_move(&notation::move_text((x, y)))?;
                    game.play(mv, &mut ());
                }
                Ok(game)
            }
        }
    }

    fn text(&self) -> String {
        self.setup().text()
    }

    fn parse_move(&self, text: &str) -> Result<Cell, Refusal> {
        let (x, y) = notation::parse_move(text, self.settings().size)?;
        let cell = Cell::at(x, y);
        if self.outcome().is_some() {
            Err(common::game_over())
        } else if self.stone(cell).is_some() {
            Err(common::cell_taken(notation::move_text((x, y))))
        } else {
            self.decode(cell.into()).ok_or_else(|| self.why_forbidden(cell))
        }
    }

    fn move_text(&self, cell: Cell) -> String {
        notation::move_text((cell.x(), cell.y()))
    }

    fn board(&self) -> String {
        let last = self.last().map(|cell| (cell.x(), cell.y()));
        self.setup().board(last, R::CAPTURES, self.outcome().is_some())
    }
}
