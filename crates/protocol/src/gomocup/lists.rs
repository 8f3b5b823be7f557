//! Lists of points: the brain reads them line by line, and does something with them at their `DONE`.

use super::brain::{Brain, NO_GAME};
use super::command::{Command, List};
use super::game::Game;
use super::openings;
use super::reading::Reading;
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> Brain<W> {
    /// Reads a line of a list of points; false when it is none of them and the list is given up.
    pub(super) fn read_on(&mut self, line: &str, when: Instant) -> io::Result<bool> {
        let Some(reading) = &mut self.reading else { return Ok(false) };
        if line.eq_ignore_ascii_case("DONE") {
            if let Some(reading) = self.reading.take() {
                self.complain()?;
                if let Err(text) = self.finish(reading, when) {
                    self.error(&text)?;
                }
                self.settle();
            }
            return Ok(true);
        }
        match Command::parse(line) {
            Ok(Command::Info { key, value }) => {
                self.info(&key, &value);
                return Ok(true);
            }
            Ok(_) => {
                let word = reading.list.word();
                self.reading = None;
                self.error(&format!("{word} was not ended by DONE and is ignored"))?;
                return Ok(false);
            }
            Err(_) => {}
        }
        reading.read(line);
        Ok(true)
    }

    /// A list of points is complete.
    fn finish(&mut self, reading: Reading, when: Instant) -> Result<(), String> {
        self.follow_rules()?;
        let list = reading.list;
        let stones = reading.finish()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        let size = game.size();
        match list {
            List::Board | List::Position => {
                let owned: Vec<_> = stones.iter().filter_map(|&(point, owner)| Some((point, owner?))).collect();
                let game = Game::of_stones(game.variant(), size, &owned, self.settings.captured)?;
                if list == List::Position {
                    self.game = Some(game);
                } else {
                    game.goes_on()?;
                    game.search_moves(&self.blocked)?;
                    self.game = Some(game);
                    self.think(when, 1)?;
                }
                self.settings.captured = [0; 2];
            }
            List::Swap2 => {
                let mut game = Game::new(game.variant(), size)?;
                stones.iter().try_for_each(|&(point, _)| game.play(point))?;
                if !matches!(stones.len(), 0 | 3 | 5) {
                    return Err(format!("SWAP2BOARD has 0, 3 or 5 stones, not {}", stones.len()));
                }
                game.goes_on()?;
                self.game = Some(game.clone());
                self.ask(when, 1, move |plan| openings::swap2(game, stones.len(), *plan))?;
            }
            List::Block | List::Unblock => {
                if let Some(&(point, _)) = stones.iter().find(|(point, _)| !point.is_on(size)) {
                    return Err(format!("{point} is outside the board"));
                }
                for (point, _) in stones {
                    if list == List::Block {
                        self.blocked.insert(point);
                    } else {
                        self.blocked.remove(&point);
                    }
                }
            }
        }
        Ok(())
    }
}
