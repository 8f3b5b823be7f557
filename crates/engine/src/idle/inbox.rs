//! What an engine tells its idle improvement, until the thread reads it.

use polyply_core::frontier::Reason;
use polyply_core::table::SearchTt;
use polyply_games::Board;
use std::collections::VecDeque;
use std::sync::Arc;

/// How many positions wait. On a busy machine the thread, which has the lowest priority, reads nothing for minutes, and
/// every move of every game brings another one; the newest matter most.
const POSITIONS: usize = 100;

/// A message to the improver of an engine.
pub(super) enum Message {
    Add(Box<Board>, Reason),
    Clear,
    BeginAnew,
    Param(&'static str, i32),
    Table(Arc<SearchTt>),
}

/// Messages in the order in which they came, without the oldest positions.
#[derive(Default)]
pub(super) struct Inbox {
    messages: VecDeque<Message>,
}

impl Inbox {
    /// Adds a message.
    pub fn push(&mut self, message: Message) {
        let is_position = |message: &Message| matches!(message, Message::Add(..));
        if is_position(&message) && self.messages.iter().filter(|message| is_position(message)).count() >= POSITIONS {
            let oldest = self.messages.iter().position(is_position);
            oldest.and_then(|oldest| self.messages.remove(oldest));
        }
        self.messages.push_back(message);
    }

    /// All messages, the oldest first.
    pub fn take(&mut self) -> VecDeque<Message> {
        std::mem::take(&mut self.messages)
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_games::Variant;

    #[test]
    fn the_newest_positions_wait_and_everything_else() {
        let variant = Variant::find("tictactoe").unwrap();
        let mut inbox = Inbox::default();
        inbox.push(Message::Param("lmr", 0));
        let after = ["a1", "b2"].map(|mv| Board::new(&variant).after(mv).unwrap());
        let positions = std::iter::once(&after[0]).chain(std::iter::repeat_n(&after[1], POSITIONS));
        positions.for_each(|board| inbox.push(Message::Add(Box::new(board.clone()), Reason::Current)));
        inbox.push(Message::Clear);
        let messages = inbox.take();
        assert!(inbox.is_empty());
        assert_eq!(messages.len(), POSITIONS + 2);
        assert!(matches!((&messages[0], messages.back()), (Message::Param(..), Some(Message::Clear))));
        assert!(matches!(&messages[1], Message::Add(board, _) if board.moves() == after[1].moves()));
    }
}
