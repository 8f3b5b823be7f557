//! Commands that are followed by a list of points: reads the list line by line and executes the command at `DONE`.

use super::command::{Command, List};
use super::engine::{GomocupEngine, NO_GAME};
use super::game::GomocupGame;
use super::openings;
use super::point_list::PointList;
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> GomocupEngine<W> {
    /// Reads a line of a list of points. Returns false if the line is another command: the list is then dropped.
    pub(super) fn read_list(&mut self, line: &str, received: Instant) -> io::Result<bool> {
        let Some(list) = &mut self.list else { return Ok(false) };
        if line.eq_ignore_ascii_case("DONE") {
            if let Some(list) = self.list.take() {
                self.write_warnings()?;
                if let Err(text) = self.finish_list(list, received) {
                    self.write_error(&text)?;
                }
                self.note_answered();
            }
            return Ok(true);
        }
        match Command::parse(line) {
            Ok(Command::Info { key, value }) => {
                self.info(&key, &value);
                return Ok(true);
            }
            Ok(_) => {
                let word = list.kind.word();
                self.list = None;
                self.write_error(&format!("{word} was not ended by DONE and is ignored"))?;
                return Ok(false);
            }
            Err(_) => {}
        }
        list.read(line);
        Ok(true)
    }

    /// Executes the command that a list of points belongs to.
    fn finish_list(&mut self, list: PointList, received: Instant) -> Result<(), String> {
        self.apply_rules()?;
        let kind = list.kind;
        let stones = list.finish()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        let size = game.size();
        match kind {
            List::Board | List::Position => {
                let owned: Vec<_> = stones.iter().filter_map(|&(point, owner)| Some((point, owner?))).collect();
                let game = GomocupGame::from_stones(game.variant(), size, &owned, self.settings.captured)?;
                if kind == List::Position {
                    self.game = Some(game);
                } else {
                    game.check_ongoing()?;
                    game.search_moves(&self.blocked)?;
                    self.game = Some(game);
                    self.think(received, 1)?;
                }
                self.settings.captured = [0; 2];
            }
            List::Swap2 => {
                let mut game = GomocupGame::new(game.variant(), size)?;
                stones.iter().try_for_each(|&(point, _)| game.play(point))?;
                if !matches!(stones.len(), 0 | 3 | 5) {
                    return Err(format!("SWAP2BOARD has 0, 3 or 5 stones, not {}", stones.len()));
                }
                game.check_ongoing()?;
                self.game = Some(game.clone());
                self.ask(received, 1, move |budget| openings::swap2(game, stones.len(), *budget))?;
            }
            List::Block | List::Unblock => {
                if let Some(&(point, _)) = stones.iter().find(|(point, _)| !point.is_on(size)) {
                    return Err(format!("{point} is outside the board"));
                }
                for (point, _) in stones {
                    if kind == List::Block {
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
