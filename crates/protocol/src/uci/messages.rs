//! The `info` lines. Scores are from the side to move, as the protocol demands.

use polyply_engine::{Bound, Info, Score, Side};

/// An `info` line.
pub fn info(info: &Info, side: Side, with_wdl: bool) -> String {
    let bound = match (info.bound, side) {
        (Bound::Exact, _) => "",
        (Bound::AtLeast, Side::First) | (Bound::AtMost, Side::Second) => " lowerbound",
        _ => " upperbound",
    };
    let wdl = match with_wdl {
        true => {
            let [win, draw, loss] = chances(info.score, side);
            format!(" wdl {win} {draw} {loss}")
        }
        false => String::new(),
    };
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} time {} pv {}",
        info.depth,
        info.seldepth.max(info.depth),
        info.multipv,
        score(info.score, side),
        info.nodes,
        info.nps,
        info.fill,
        info.time.as_millis(),
        info.line.join(" ")
    )
}

/// What GUIs take for a win by endgame tables, which do not know the distance to mate.
const TABLE_WIN: i32 = 20_000;

/// `cp 35`, or `mate 3` in moves, negative where the side to move is mated.
pub fn score(score: Score, side: Side) -> String {
    let sign = if side == Side::First { 1 } else { -1 };
    match score {
        Score::Centi(centi) => format!("cp {}", sign * centi),
        Score::Points(points) => format!("cp {}", sign * 100 * points),
        Score::Win(plies) if score.is_uncounted() => format!("cp {}", sign * plies.signum() * TABLE_WIN),
        Score::Win(plies) => format!("mate {}", sign * plies.signum() * (plies.abs() + 1) / 2),
    }
}

/// The score at which a side wins half of its games, in hundredths.
const EVEN: f64 = 130.0;
/// How fast the chances change around it.
const SPREAD: f64 = 75.0;

/// Chances to win, draw and lose in thousandths: two logistic curves, as in
/// [Stockfish's model](https://github.com/official-stockfish/WDL_model).
fn chances(score: Score, side: Side) -> [i32; 3] {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    let value = match score {
        Score::Centi(centi) => sign * f64::from(centi),
        Score::Points(points) => sign * f64::from(points) * 100.0,
        Score::Win(plies) => sign * f64::from(plies.signum()) * f64::INFINITY,
    };
    let at_least = |value: f64| (1000.0 / (1.0 + ((EVEN - value) / SPREAD).exp())).round() as i32;
    let (win, loss) = (at_least(value), at_least(-value));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves_of_the_side_that_mates() {
        for (plies, side, says) in [
            (1, Side::First, "mate 1"),
            (3, Side::First, "mate 2"),
            (2, Side::Second, "mate -1"),
            (-5, Side::Second, "mate 3"),
            (-4, Side::First, "mate -2"),
            (-700, Side::Second, "cp 20000"),
        ] {
            assert_eq!(score(Score::Win(plies), side), says);
        }
        assert_eq!(score(Score::Centi(35), Side::Second), "cp -35");
        assert_eq!(score(Score::Points(-4), Side::Second), "cp 400");
    }

    #[test]
    fn chances_add_up_and_turn_with_the_side() {
        for centi in [-900, -130, -40, 0, 20, 130, 500] {
            let [win, draw, loss] = chances(Score::Centi(centi), Side::First);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= 0 && draw >= 0 && loss >= 0);
            assert_eq!(chances(Score::Centi(centi), Side::Second), [loss, draw, win]);
        }
        assert_eq!(chances(Score::Win(3), Side::First), [1000, 0, 0]);
        assert_eq!(chances(Score::Win(3), Side::Second), [0, 0, 1000]);
        assert!(chances(Score::Centi(130), Side::First)[0].abs_diff(500) < 20);
    }
}
