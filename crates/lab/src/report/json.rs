//! The report for programs.

use super::{PlayerStats, Report};
use crate::stats::{Interval, Tally};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

impl Report {
    /// All numbers of the report. Elo is from the side of the first player of a match; `null` where it is not known or
    /// infinite.
    pub fn json(&self) -> Value {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
        let mut report = json!({
            "title": self.title,
            "games": self.games(),
            "settings": settings,
            "endings": self.endings.iter().map(|(reason, count)| (reason.words(), *count)).collect::<BTreeMap<_, _>>(),
            "lengths": self.lengths.iter().collect::<Vec<_>>(),
            "failures": self.failures.iter().map(|failure| json!({
                "game": failure.number,
                "players": failure.players.map(|player| &self.players[player].name),
                "result": failure.result,
                "reason": failure.reason.words(),
                "detail": failure.detail,
            })).collect::<Vec<_>>(),
        });
        let ratings = self.ratings();
        report["players"] = (0..self.players.len())
            .map(|index| {
                let mut player = self.players[index].json();
                player["tally"] = tally(&self.against(index, None));
                player["rating"] = ratings.players[index].map_or(Value::Null, |rating| interval(rating.elo));
                player
            })
            .collect();
        report["first_move"] = interval(ratings.first_move);
        if self.is_match() {
            report["match"] = tally(&self.tally());
        } else {
            report["meetings"] = self
                .meetings
                .iter()
                .map(|([one, other], met)| {
                    let mut meeting = tally(met);
                    meeting["players"] = json!([self.players[*one].name, self.players[*other].name]);
                    meeting
                })
                .collect();
        }
        if let Some((sprt, llr)) = self.test() {
            report["sprt"] = json!({
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "model": sprt.model.name(),
                "llr": llr,
                "bounds": sprt.bounds(),
                "decision": sprt.decide(llr).name(),
            });
        }
        report
    }
}

/// Numbers that JSON does not have are `null`.
fn interval(Interval { value, error }: Interval) -> Value {
    json!({ "value": value, "error": error })
}

fn tally(tally: &Tally) -> Value {
    let [won, drawn, lost] = tally.games;
    let mut value = json!({ "won": won, "drawn": drawn, "lost": lost, "pairs": tally.pairs });
    if let Some(estimate) = tally.estimate() {
        value["score"] = estimate.score.into();
        value["draw_rate"] = tally.draw_rate().into();
        value["elo"] = interval(estimate.elo);
        value["normalised_elo"] = interval(estimate.normalised);
        value["los"] = estimate.los.into();
    }
    value
}

impl PlayerStats {
    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "failures": self.failures,
            "depth": self.depth.get(),
            "nodes": self.nodes.get(),
            "seconds": self.time(),
            "nps": self.speed(),
        })
    }
}
