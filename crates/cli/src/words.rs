//! Numbers and results as text.

use polyply_engine::{Bound, PositionSpec, Score, Side};
use std::time::Duration;

/// `first player` or `second player`.
fn player(first: bool) -> &'static str {
    if first { "first player" } else { "second player" }
}

/// The value of a position. Plies count from the start of the game if it is known.
pub fn verdict(value: Score, place: &PositionSpec) -> String {
    match value {
        Score::Win(plies) => {
            let (ply, from) = match place.position.as_deref() {
                None | Some("start") => (plies.unsigned_abs() as usize + place.moves.len(), ""),
                Some(_) => (plies.unsigned_abs() as usize, " from here"),
            };
            format!("{} wins on ply {ply}{from}", player(plies > 0))
        }
        Score::Centi(0) | Score::Points(0) => "draw".into(),
        Score::Points(points) => format!("{} wins by {}", player(points > 0), points.abs()),
        heuristic @ Score::Centi(_) => heuristic.to_string(),
    }
}

/// A forced win, seen from the side to move. The plies are negative if the second player wins.
pub fn forced(plies: i32, side: Side) -> String {
    let wins = (plies > 0) == (side == Side::First);
    format!("{} in {}", if wins { "win" } else { "loses" }, plies.abs())
}

/// The known bounds of a value.
pub fn between(low: Option<Score>, high: Option<Score>) -> String {
    match (low, high) {
        (None, None) => "nothing is known".into(),
        (Some(low), None) => format!("at least {low}"),
        (None, Some(high)) => format!("at most {high}"),
        (Some(low), Some(high)) => format!("at least {low}, at most {high}"),
    }
}

/// A score with its bound.
pub fn bounded(score: Score, bound: Bound) -> String {
    match bound {
        Bound::Exact => score.to_string(),
        bound => format!("{} {score}", bound.words()),
    }
}

/// The depth of a search: `depth 12`, `depth 20 at 73 %` if it reached the end of the game, or `exact`.
pub fn depth(depth: i32, certainty: Option<u8>) -> String {
    match certainty {
        None => format!("depth {depth}"),
        Some(100) => "exact".into(),
        Some(percent) => format!("depth {depth} at {percent} %"),
    }
}

/// `45 ms`, `1.23 s`, `2m 5s`.
pub fn time(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1..60 => format!("{:.2} s", time.as_secs_f64()),
        seconds => humantime::format_duration(Duration::from_secs(seconds)).to_string(),
    }
}

/// The name of a side.
pub fn side_name(names: [&'static str; 2], side: Side) -> &'static str {
    names[side.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_count_from_the_start_where_it_is_known() {
        let place = PositionSpec::new(None, &["d", "d"]);
        assert_eq!(verdict(Score::Win(39), &place), "first player wins on ply 41");
        let place = PositionSpec::new(Some("44"), &["d"]);
        assert_eq!(verdict(Score::Win(-4), &place), "second player wins on ply 4 from here");
        assert_eq!(verdict(Score::Centi(0), &place), "draw");
        assert_eq!(verdict(Score::Points(-6), &place), "second player wins by 6");
    }

    #[test]
    fn times_are_told_as_exactly_as_anybody_wants_to_know() {
        let told = [45, 1_234, 59_994, 125_900, 7_200_000].map(|ms| time(Duration::from_millis(ms)));
        assert_eq!(told, ["45 ms", "1.23 s", "59.99 s", "2m 5s", "2h"]);
    }

    #[test]
    fn a_forced_win_is_told_to_the_side_to_move() {
        assert_eq!([forced(7, Side::First), forced(7, Side::Second)], ["win in 7", "loses in 7"]);
        assert_eq!([forced(-4, Side::First), forced(-3, Side::Second)], ["loses in 4", "win in 3"]);
    }
}
