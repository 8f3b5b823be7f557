//! What the engine reports about its search.

use super::point::Point;
use polyply_engine::{Bound, Info, Score, Side};

/// One iteration for people to read. The score is from the first player's side, and moves are in the game's notation.
pub fn iteration(info: &Info) -> String {
    let bound = match info.bound {
        Bound::Exact => String::new(),
        bound => format!("{} ", bound.words()),
    };
    format!(
        "MESSAGE depth {}-{} score {bound}{} nodes {} speed {} time {} stage {} line {}",
        info.depth,
        info.seldepth,
        info.score,
        info.nodes,
        info.nps,
        info.time.as_millis(),
        info.stage,
        info.line.join(" ")
    )
}

/// The best move so far, for managers that show it.
pub fn realtime(info: &Info, size: usize) -> Option<String> {
    let best = Point::of_name(info.line.first()?, size)?;
    (info.multipv == 1).then(|| format!("MESSAGE REALTIME REFRESH\nMESSAGE REALTIME BEST {best}"))
}

/// One line of one iteration for programs to read, in Rapfi's format. The score is from the side to move.
pub fn details(info: &Info, lines: usize, side: Side, size: usize) -> String {
    let line = info.line.iter().filter_map(|name| Point::of_name(name, size));
    let line: Vec<String> = line.map(|point| point.to_string()).collect();
    let fields = [
        ("PV", (info.multipv - 1).to_string()),
        ("NUMPV", lines.to_string()),
        ("DEPTH", info.depth.to_string()),
        ("SELDEPTH", info.seldepth.to_string()),
        ("NODES", info.nodes.to_string()),
        ("TOTALNODES", info.nodes.to_string()),
        ("TOTALTIME", info.time.as_millis().to_string()),
        ("SPEED", info.nps.to_string()),
        ("EVAL", eval(info.score, side)),
        ("BESTLINE", line.join(" ")),
        ("PV", "DONE".into()),
    ];
    fields.map(|(key, value)| format!("INFO {key} {value}")).join("\n")
}

/// A score from the side to move: hundredths, or `+M7` for a win in seven plies and `-M6` for a loss in six.
fn eval(score: Score, side: Side) -> String {
    let sign = if side == Side::First { 1 } else { -1 };
    match score {
        Score::Centi(centi) => (sign * centi).to_string(),
        Score::Win(plies) => format!("{}M{}", if sign * plies > 0 { '+' } else { '-' }, plies.abs()),
        Score::Points(points) => (sign * points).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn info(score: Score) -> Info {
        Info {
            depth: 8,
            seldepth: 14,
            certainty: None,
            multipv: 1,
            score,
            value: 0,
            bound: Bound::Exact,
            nodes: 12_345,
            time: Duration::from_millis(50),
            nps: 246_900,
            fill: 3,
            stage: "search",
            line: vec!["h8".into(), "a15".into()],
        }
    }

    #[test]
    fn people_read_scores_from_the_first_players_side() {
        let text = iteration(&info(Score::Centi(35)));
        assert_eq!(text, "MESSAGE depth 8-14 score +0.35 nodes 12345 speed 246900 time 50 stage search line h8 a15");
        let bound = Info { bound: Bound::AtMost, ..info(Score::Centi(-200)) };
        assert!(iteration(&bound).contains("score at most -2.00"));
    }

    #[test]
    fn programs_read_scores_from_the_side_to_move_and_points_of_the_protocol() {
        let text = details(&info(Score::Win(-6)), 1, Side::Second, 15);
        assert!(text.starts_with("INFO PV 0\n") && text.ends_with("\nINFO PV DONE"), "{text}");
        assert!(text.contains("\nINFO EVAL +M6\n") && text.contains("\nINFO BESTLINE 7,7 0,0\n"), "{text}");
        assert_eq!(
            realtime(&info(Score::Centi(0)), 15).unwrap(),
            "MESSAGE REALTIME REFRESH\nMESSAGE REALTIME BEST 7,7"
        );
    }
}
