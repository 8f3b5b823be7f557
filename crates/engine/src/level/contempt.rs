//! Contempt: what a draw is worth depends on who plays whom, and on how the game stands.
//!
//! Against a weaker opponent a draw is a loss, most of all in a better position, and welcome in a worse one. Against a
//! stronger opponent it is the other way round.

use super::Player;
use crate::engine::Engine;
use polyply_core::game::Side;
use polyply_games::{Board, Score};

/// A difference of strength beyond this, in Elo, counts no more.
const MOST_DIFFERENCE: f64 = 400.0;
/// Contempt at that difference, as a share of the score that wins 73 % of the games.
const LARGEST: f64 = 0.3;
/// A position is better or worse from this distance to even chances on.
const UNEVEN: f64 = 0.12;

/// How the game stands for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Better,
    Equal,
    Worse,
}

impl Standing {
    fn of(chance: f64) -> Standing {
        match chance - 0.5 {
            lead if lead > UNEVEN => Standing::Better,
            lead if lead < -UNEVEN => Standing::Worse,
            _ => Standing::Equal,
        }
    }

    /// What contempt is multiplied by.
    fn factor(self, contempt: f64) -> f64 {
        match (self, contempt > 0.0) {
            (Standing::Equal, _) => 1.0,
            (Standing::Better, true) | (Standing::Worse, false) => 1.5,
            (Standing::Better, false) | (Standing::Worse, true) => 0.25,
        }
    }
}

/// Contempt for an opponent, as a share of the score that wins 73 % of the games.
fn share(difference: Option<i32>, style: f64, chance: f64) -> f64 {
    let known = difference.map_or(0.0, |elo| f64::from(elo).clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE));
    let contempt = style + LARGEST * known / MOST_DIFFERENCE;
    contempt * Standing::of(chance).factor(contempt)
}

impl Engine {
    /// Sets the parameter `contempt` for a move of this player, if it has a style or knows the opponent.
    pub(super) fn set_contempt_for(&mut self, board: &Board, player: &Player) {
        if player.persona.is_none() && player.opponent_elo.is_none() {
            return;
        }
        let variant = board.variant();
        let difference = player.opponent_elo.map(|elo| player.level.elo(variant) - elo);
        let first = variant.chance(board.evaluate().unwrap_or(Score::Centi(0)));
        let chance = if board.side() == Side::First { first } else { 1.0 - first };
        let style = player.persona.map_or(0.0, |persona| persona.contempt);
        let unit = variant.chance_unit() * f64::from(variant.units());
        self.set_contempt((share(difference, style, chance) * unit) as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_with_a_weaker_opponent_is_worth_less_the_better_the_position() {
        let against = |elo, chance| share(Some(elo), 0.0, chance);
        assert!(against(300, 0.7) > against(300, 0.5) && against(300, 0.5) > against(300, 0.3));
        assert!(against(300, 0.3) > 0.0 && against(-300, 0.5) < 0.0);
        assert!(against(-300, 0.3) < against(-300, 0.5) && against(-300, 0.5) < against(-300, 0.7));
        assert_eq!((against(0, 0.5), against(400, 0.5)), (0.0, against(4000, 0.5)));
        assert_eq!(share(None, 0.0, 0.8), 0.0);
        assert!(share(None, -0.5, 0.5) < 0.0);
    }
}
