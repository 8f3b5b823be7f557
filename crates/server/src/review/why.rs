//! Why a move was a mistake, in words of the game: what it overlooked, or what it gave the opponent.

use super::judge::DUBIOUS;
use super::report::ReviewedMove;
use super::verdict::Finding;
use polyply_engine::{Board, Glance};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What kind of mistake it was.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// The better move has an idea that this one has not.
    Overlooked,
    /// The opponent's best reply has an idea.
    Gave,
}

/// Why a move was a mistake.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
pub struct Why {
    pub mistake: Mistake,
    /// The idea, by the game's name for it: `stop_three`, `corner`.
    pub motif: String,
    /// The cell of the better move or of the reply.
    pub cell: Option<String>,
}

/// How much more obvious the opponent's reply must be than the better move to be the explanation.
const MORE_OBVIOUS: u8 = 10;

/// The idea behind a move, if the game has a name for it.
pub fn motif_of(board: &Board, mv: &str) -> Option<&'static str> {
    seen(board, mv).and_then(|glance| glance.motif)
}

fn seen(board: &Board, mv: &str) -> Option<Glance> {
    board.glance().into_iter().find(|glance| glance.mv == mv)
}

impl Why {
    /// Explains a move that was judged, played on this board; nothing if it was no mistake, or no idea explains it. Of what it
    /// overlooked and what it gave, the one that people see more easily explains it.
    pub fn of(board: &Board, judged: &ReviewedMove, after: &Finding) -> Option<Why> {
        if judged.win_chance_drop < DUBIOUS {
            return None;
        }
        let own = motif_of(board, &judged.text);
        let next = board.after(&judged.text).ok()?;
        let overlooked = seen(board, &judged.best).filter(|glance| glance.motif.is_some() && glance.motif != own);
        let gave = seen(&next, &after.best).filter(|glance| glance.motif.is_some());
        let gives = match (&overlooked, &gave) {
            (Some(overlooked), Some(gave)) => gave.subtlety + MORE_OBVIOUS < overlooked.subtlety,
            (overlooked, _) => overlooked.is_none(),
        };
        let (mistake, board, glance) = match gives {
            true => (Mistake::Gave, &next, gave?),
            false => (Mistake::Overlooked, board, overlooked?),
        };
        let cell = board.cells(&glance.mv).ok().and_then(|cells| cells.to);
        let cell = cell.map(|cell| board.variant().layout().cell_name(cell));
        Some(Why { mistake, motif: glance.motif?.to_owned(), cell })
    }
}
