//! Ends games early: when both engines call it a draw, one has given up, a win is announced, or the game is too long.
//! Every rule is off unless it is asked for.

use crate::LabError;
use crate::refusals;
use polyply_engine::{Score, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The rules. Moves are counted as plies: one side's move is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When it is a draw.
    pub draw: Option<DrawRule>,
    /// When a side has lost.
    pub resign: Option<ResignRule>,
    /// A win that an engine announces within this many plies counts.
    pub win: Option<u32>,
    /// A game of this many moves is a draw.
    pub max_moves: Option<usize>,
}

/// From ply `from` on, `count` scores in a row within `score` hundredths of 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move that counts.
    pub from: usize,
    /// How many scores.
    pub count: usize,
    /// How near to 0.
    pub score: i32,
}

/// `count` scores of a side in a row that see it `score` hundredths or more behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// How many scores.
    pub count: usize,
    /// How far behind.
    pub score: i32,
    /// The opponent must see it as well.
    pub both: bool,
}

/// A rule as it is written: `key=value,…` with numbers for values.
struct Fields<'t> {
    values: BTreeMap<&'t str, usize>,
}

impl<'t> Fields<'t> {
    fn read(text: &'t str, known: &[&str], example: &str) -> Result<Fields<'t>, LabError> {
        let refuse = || LabError::Call(refusals::adjudication(example, text));
        let field = |part: &'t str| {
            let (key, value) = part.split_once('=').filter(|(key, _)| known.contains(key)).ok_or_else(refuse)?;
            Ok((key, value.parse().map_err(|_| refuse())?))
        };
        Ok(Fields { values: text.split(',').map(field).collect::<Result<_, LabError>>()? })
    }

    /// A value, or the usual one where there is none.
    fn get(&self, key: &str, usual: usize) -> usize {
        self.values.get(key).copied().unwrap_or(usual)
    }

    fn score(&self, usual: usize) -> i32 {
        i32::try_from(self.get("score", usual)).unwrap_or(i32::MAX)
    }
}

impl std::str::FromStr for DrawRule {
    type Err = LabError;

    /// Reads `from=40,count=8,score=10`.
    fn from_str(text: &str) -> Result<DrawRule, LabError> {
        let fields = Fields::read(text, &["from", "count", "score"], "from=40,count=8,score=10")?;
        Ok(DrawRule { from: fields.get("from", 40), count: fields.get("count", 8).max(1), score: fields.score(10) })
    }
}

impl std::str::FromStr for ResignRule {
    type Err = LabError;

    /// Reads `count=4,score=1000,both=1`.
    fn from_str(text: &str) -> Result<ResignRule, LabError> {
        let fields = Fields::read(text, &["count", "score", "both"], "count=4,score=1000,both=1")?;
        Ok(ResignRule {
            count: fields.get("count", 4).max(1),
            score: fields.score(1000),
            both: fields.get("both", 0) != 0,
        })
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.draw.map(|DrawRule { from, count, score }| format!("draw:from={from},count={count},score={score}")),
            self.resign.map(|ResignRule { count, score, both }| {
                format!("resign:count={count},score={score},both={}", u8::from(both))
            }),
            self.win.map(|plies| format!("win:{plies}")),
            self.max_moves.map(|moves| format!("max-moves:{moves}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The result of an adjudicated game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// The rule that said so.
    pub why: &'static str,
}

/// Watches the scores of one game.
pub struct Judge {
    rules: Adjudication,
    drawish: usize,
    /// Scores in a row by which each side has lost: as it sees it itself, and as the opponent does.
    lost: [[usize; 2]; 2],
}

impl Judge {
    /// A judge of a game that begins.
    pub fn new(rules: Adjudication) -> Judge {
        Judge { rules, drawish: 0, lost: [[0; 2]; 2] }
    }

    /// Takes the score of the `number`-th move of the game, by the side that made it; it is from the first player's
    /// side.
    pub fn hear(&mut self, number: usize, mover: Side, score: Option<Score>) -> Option<Verdict> {
        let hundredths = score.map(Score::hundredths);
        if let (Some(within), Some(Score::Win(plies))) = (self.rules.win, score)
            && plies.unsigned_abs() <= within
        {
            let winner = if plies > 0 { Side::First } else { Side::Second };
            return Some(Verdict { winner: Some(winner), why: "a win was announced" });
        }
        if let Some(rule) = self.rules.resign {
            for (loser, sign) in [(Side::First, 1), (Side::Second, -1)] {
                let behind = hundredths.is_some_and(|score| sign * score <= -rule.score);
                let [own, other] = &mut self.lost[loser.index()];
                let run = if loser == mover { own } else { other };
                *run = if behind { *run + 1 } else { 0 };
                let [own, other] = self.lost[loser.index()];
                if own >= rule.count && (!rule.both || other >= rule.count) {
                    return Some(Verdict { winner: Some(loser.other()), why: "the loser gave up" });
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let near = hundredths.is_some_and(|score| score.abs() <= rule.score);
            self.drawish = if near && number >= rule.from { self.drawish + 1 } else { 0 };
            if self.drawish >= rule.count {
                return Some(Verdict { winner: None, why: "both call it a draw" });
            }
        }
        let long = self.rules.max_moves.is_some_and(|most| number >= most);
        long.then_some(Verdict { winner: None, why: "it was long enough" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move after which the game ends, and how.
    fn judged(rules: Adjudication, scores: &[i32]) -> Option<(usize, Option<Side>)> {
        let mut judge = Judge::new(rules);
        scores.iter().enumerate().find_map(|(index, &score)| {
            let mover = [Side::First, Side::Second][index % 2];
            let score = (score != i32::MAX).then_some(Score::Centi(score));
            judge.hear(index + 1, mover, score).map(|verdict| (index + 1, verdict.winner))
        })
    }

    #[test]
    fn a_draw_needs_scores_near_nothing_one_after_the_other_late_enough() {
        let rules = Adjudication { draw: Some("from=3,count=2,score=10".parse().unwrap()), ..Adjudication::default() };
        assert_eq!(judged(rules, &[0, 0, 0, 0]), Some((4, None)));
        assert_eq!(judged(rules, &[0, 0, 10, -11, -10, 10]), Some((6, None)));
        assert_eq!(judged(rules, &[0, 0, 0, i32::MAX, 0]), None);
    }

    #[test]
    fn a_side_gives_up_by_its_own_scores_or_where_both_agree() {
        let resign = |text: &str| Adjudication { resign: Some(text.parse().unwrap()), ..Adjudication::default() };
        let scores = [900, 0, 900, 600, 900, 900];
        assert_eq!(judged(resign("count=1,score=500"), &scores), Some((4, Some(Side::First))));
        assert_eq!(judged(resign("count=2,score=500"), &scores), Some((6, Some(Side::First))));
        assert_eq!(
            judged(resign("count=2,score=500,both=1"), &[0, 900, 0, 900, -900, -900, -900, -900]),
            Some((8, Some(Side::Second)))
        );
        assert_eq!(judged(resign("count=2,score=500"), &[-900, 0, 0, 0, -900, 0]), None);
    }

    #[test]
    fn an_announced_win_counts_when_it_is_near_enough() {
        let rules = Adjudication { win: Some(5), ..Adjudication::default() };
        let hear =
            |plies| Judge::new(rules).hear(9, Side::First, Some(Score::Win(plies))).map(|verdict| verdict.winner);
        assert_eq!([hear(5), hear(-4), hear(6)], [Some(Some(Side::First)), Some(Some(Side::Second)), None]);
    }

    #[test]
    fn nothing_is_judged_unless_it_is_asked_for() {
        assert_eq!(judged(Adjudication::default(), &[0; 500]), None);
        let rules = Adjudication { max_moves: Some(7), ..Adjudication::default() };
        assert_eq!(judged(rules, &[900; 20]), Some((7, None)));
        for text in ["", "count=x", "count", "score=1,speed=2"] {
            assert!(text.parse::<ResignRule>().is_err() && text.parse::<DrawRule>().is_err(), "{text}");
        }
    }
}
