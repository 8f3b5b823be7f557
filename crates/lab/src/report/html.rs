//! The report for people: one page that needs nothing else.

use super::plot::Plot;
use super::{Report, Step};
use crate::stats::{Decision, Estimate, Tally};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// A page with a title.
pub(crate) fn page(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                (body)
            }
        }
    };
    page.into_string() + "\n"
}

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        super::page(
            &self.title,
            html! {
                @if self.is_match() {
                    (self.match_result())
                } @else {
                    (self.standings())
                    (self.cross_table())
                }
                (self.plots())
                (self.effort())
                (self.unusual_endings())
                (self.settings())
            },
        )
    }

    fn name(&self, player: usize) -> &str {
        self.players.get(player).map_or("", |player| &player.name)
    }

    fn match_result(&self) -> Markup {
        let tally = self.tally();
        html! {
            p.soft { (self.games()) " games of " (self.name(0)) " against " (self.name(1)) }
            .cards {
                @for (number, what) in self.cards(&tally) {
                    .card { b { (number) } span { (what) } }
                }
                @if let Some((sprt, llr)) = self.test() {
                    @let decision = sprt.decide(llr);
                    @let [low, high] = sprt.bounds();
                    .card {
                        b class=(decision.name()) { (verdict(decision)) }
                        span {
                            "sequential test of [" (sprt.elo0) ", " (sprt.elo1) "] " (sprt.model.name()) " Elo: "
                            (format!("{llr:.2} in ({low:.2}, {high:.2})"))
                        }
                    }
                }
            }
            (section("Pairs of games", html! {
                tr { th.name { "points in a pair" } @for points in ["0", "½", "1", "1½", "2"] { th { (points) } } }
                tr { td.name { "pairs of " (self.name(0)) } @for count in tally.pairs { td { (count) } } }
            }))
        }
    }

    /// The numbers of a match, each with what it says.
    fn cards(&self, tally: &Tally) -> Vec<(String, &'static str)> {
        let [won, drawn, lost] = tally.games;
        let mut cards = vec![(format!("{won} – {drawn} – {lost}"), "won, drawn, lost")];
        if let Some(Estimate { score, elo, normalised, los }) = tally.estimate() {
            cards.push((format!("{:.1} %", 100.0 * score), "of the points"));
            cards.push((format!("{elo:.1}"), "Elo, with the error of 95 %"));
            cards.push((format!("{normalised:.1}"), "normalised Elo"));
            cards.push((format!("{:.1} %", 100.0 * los), "likelihood of superiority"));
            cards.push((format!("{:.1} %", 100.0 * tally.draw_rate()), "draws"));
        }
        let ratings = self.ratings();
        if ratings.players.iter().any(Option::is_some) {
            cards.push((format!("{:.1}", ratings.first_move), "Elo for moving first"));
        }
        cards
    }

    fn standings(&self) -> Markup {
        let ratings = self.ratings();
        let worth = format!("{:.1} Elo, equal players draw {:.1} %", ratings.first_move, 100.0 * ratings.draw_rate);
        let columns = ["Elo", "points", "games", "%", "won", "drawn", "lost", "failed"];
        html! {
            p.soft { (self.games()) " games of " (self.players.len()) " players; moving first is worth " (worth) }
            (section("Ratings", html! {
                tr { th { "#" } th.name { "player" } @for column in columns { th { (column) } } }
                @for (rank, player) in (1..).zip(self.ranking()) {
                    @let tally = self.against(player, None);
                    tr {
                        td { (rank) }
                        td.name { (self.name(player)) }
                        td { (ratings.players[player].map_or("–".into(), |rating| format!("{:.1}", rating.elo))) }
                        td { (points(&tally)) }
                        td { (tally.count()) }
                        td { (format!("{:.1}", 100.0 * points(&tally) / tally.count().max(1) as f64)) }
                        @for games in tally.games { td { (games) } }
                        td { (self.players[player].failures) }
                    }
                }
            }))
            p.soft {
                "Elo above the average, with the error of 95 %. ∞: won or lost every game. "
                "–: the games do not connect the player with the others."
            }
        }
    }

    /// Players from the strongest to the weakest; those without a rating by points.
    fn ranking(&self) -> Vec<usize> {
        let ratings = self.ratings();
        let strength = |player: usize| ratings.players[player].map_or(f64::NEG_INFINITY, |rating| rating.elo.value);
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        ranking.sort_by(|&one, &other| {
            let by_points = || points(&self.against(other, None)).total_cmp(&points(&self.against(one, None)));
            strength(other).total_cmp(&strength(one)).then_with(by_points)
        });
        ranking
    }

    fn cross_table(&self) -> Markup {
        let ranking = self.ranking();
        let cell = |player: usize, opponent: usize| match self.against(player, Some(opponent)) {
            tally if player == opponent || tally.count() == 0 => "–".to_owned(),
            tally => format!("{}/{}", points(&tally), tally.count()),
        };
        section(
            "Cross table",
            html! {
                tr { th { "#" } th.name { "player" } @for rank in 1..=ranking.len() { th { (rank) } } }
                @for (rank, &player) in (1..).zip(&ranking) {
                    tr {
                        td { (rank) }
                        td.name { (self.name(player)) }
                        @for &opponent in &ranking { td { (cell(player, opponent)) } }
                    }
                }
            },
        )
    }

    fn plots(&self) -> Markup {
        let course = self.course();
        let timed = self.players.iter().take(2).any(|player| !player.times.is_empty());
        html! {
            @if self.is_match() && course.len() > 1 {
                @let caption = html! { "the line is the estimate, the band its error of 95 %" };
                (figure("Elo over games", elo_plot(&course), caption))
                @if let Some(sprt) = self.sprt {
                    @let plot = llr_plot(&course, sprt.bounds());
                    (figure("Log-likelihood ratio", plot, html! { "the test ends at its bounds" }))
                }
            }
            @if !self.lengths.is_empty() {
                (figure("Length of games", self.length_plot(), html! { "games by plies" }))
            }
            @if self.is_match() && timed {
                (figure("Time by move", self.time_plot(), html! {
                    "milliseconds a move on average: "
                    @for (class, player) in ["one", "two"].into_iter().zip(0..self.players.len()) {
                        span.key.(class) { (self.name(player)) } " "
                    }
                }))
            }
        }
    }

    fn length_plot(&self) -> Markup {
        let shortest = self.lengths.keys().next().copied().unwrap_or(0);
        let longest = self.lengths.keys().next_back().copied().unwrap_or(0);
        let width = (longest + 1 - shortest).div_ceil(40).max(1);
        let bins = (longest - shortest) / width + 1;
        let mut counts = vec![0; bins];
        self.lengths.iter().for_each(|(length, count)| counts[(length - shortest) / width] += count);
        let highest = counts.iter().copied().max().unwrap_or(0);
        let at = |bin: usize| (shortest + bin * width) as f64;
        let mut plot = Plot::new("Length of games", (at(0), at(bins)), (0.0, highest as f64));
        for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (from, to) = (shortest + bin * width, shortest + (bin + 1) * width - 1);
            let plies = if from == to { format!("{from}") } else { format!("{from} to {to}") };
            plot.bar(at(bin), width as f64, count as f64, &format!("{plies} plies: {count}"));
        }
        plot.svg()
    }

    fn time_plot(&self) -> Markup {
        let mean = |player: usize| -> Vec<(f64, f64)> {
            let times = self.players[player].times.iter().enumerate().filter(|(_, (_, games))| *games > 0);
            times.map(|(index, (seconds, games))| (index as f64 + 1.0, 1000.0 * seconds / *games as f64)).collect()
        };
        let lines: Vec<_> = (0..self.players.len()).map(mean).collect();
        let most = |of: fn(&(f64, f64)) -> f64| lines.iter().flatten().map(of).fold(0.0, f64::max);
        let mut plot = Plot::new("Time by move", (1.0, most(|point| point.0)), (0.0, most(|point| point.1)));
        for (class, line) in ["one", "two"].into_iter().zip(&lines) {
            plot.line(class, line);
        }
        plot.svg()
    }

    fn effort(&self) -> Markup {
        if self.players.iter().all(|player| player.time().is_none() && player.depth.get().is_none()) {
            return Markup::default();
        }
        let cell = |value: Option<f64>, decimals: usize| value.map_or("–".into(), |value| grouped(value, decimals));
        let columns = ["milliseconds a move", "depth", "nodes a move", "nodes a second"];
        section(
            "Effort",
            html! {
                tr { th.name { "player" } @for column in columns { th { (column) } } }
                @for player in &self.players {
                    tr {
                        td.name { (player.name) }
                        td { (cell(player.time().map(|seconds| 1000.0 * seconds), 1)) }
                        td { (cell(player.depth.get(), 1)) }
                        td { (cell(player.nodes.get(), 0)) }
                        td { (cell(player.speed(), 0)) }
                    }
                }
            },
        )
    }

    fn unusual_endings(&self) -> Markup {
        let all: u64 = self.players.iter().map(|player| player.failures).sum();
        let listed = self.failures.len();
        html! {
            (section("Endings", html! {
                tr { th.name { "reason" } th { "games" } }
                @for (reason, count) in &self.endings {
                    tr { td.name { (reason.words()) } td { (count) } }
                }
            }))
            @if listed == 0 {
                p { "No player failed." }
            } @else {
                (section("Failures", html! {
                    tr {
                        th { "game" }
                        th.name { "first" }
                        th.name { "second" }
                        th { "result" }
                        th.name { "reason" }
                        th.name { "detail" }
                    }
                    @for failure in &self.failures {
                        tr {
                            td { (failure.number) }
                            @for player in failure.players { td.name { (self.name(player)) } }
                            td { (failure.result) }
                            td.name { (failure.reason.words()) }
                            td.text { (failure.detail) }
                        }
                    }
                }))
                @if all > listed as u64 {
                    p.soft { "The first " (listed) " of " (all) "." }
                }
            }
        }
    }

    fn settings(&self) -> Markup {
        if self.settings.is_empty() {
            return Markup::default();
        }
        // A list of texts has a line for each.
        let lines = |value: &String| serde_json::from_str(value).unwrap_or_else(|_| vec![value.clone()]);
        section(
            "Settings",
            html! {
                @for (name, value) in &self.settings {
                    tr { td.name { (name) } td.text { @for line in lines(value) { (line) br; } } }
                }
            },
        )
    }
}

/// A table under its heading; it scrolls where it is wider than the page.
fn section(heading: &str, rows: Markup) -> Markup {
    html! {
        h2 { (heading) }
        .wide { table { (rows) } }
    }
}

/// A plot under its heading.
fn figure(heading: &str, svg: Markup, caption: Markup) -> Markup {
    html! {
        h2 { (heading) }
        figure { (svg) figcaption.soft { (caption) } }
    }
}

/// What a sequential test has come to.
fn verdict(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "goes on",
        Decision::Fails => "fails",
        Decision::Passes => "passes",
    }
}

/// The points of a tally.
fn points(tally: &Tally) -> f64 {
    tally.games[0] as f64 + tally.games[1] as f64 / 2.0
}

/// A number with its digits in groups of three, separated by narrow no-break spaces.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits: Vec<char> = whole.chars().collect();
    let groups: Vec<String> = digits.rchunks(3).rev().map(|group| group.iter().collect()).collect();
    groups.join("\u{202f}") + rest
}

/// The first games say hardly anything: one part in this many is ignored when the axis is scaled.
const SETTLED: usize = 10;

fn elo_plot(course: &[Step]) -> Markup {
    let settled = &course[course.len() / SETTLED..];
    let ends = settled.iter().flat_map(|step| {
        let elo = step.estimate.elo;
        [elo.value - elo.error, elo.value, elo.value + elo.error]
    });
    let (low, high) = range(ends.chain([0.0]));
    let games = |step: &Step| step.games as f64;
    let mut plot = Plot::new("Elo over games", (0.0, course.last().map_or(1.0, games)), (low, high));
    let band: Vec<_> = course
        .iter()
        .filter(|step| step.estimate.elo.error.is_finite())
        .map(|step| {
            let elo = step.estimate.elo;
            (games(step), elo.value - elo.error, elo.value + elo.error)
        })
        .collect();
    plot.band(&band);
    plot.level("zero", 0.0);
    let known = course.iter().filter(|step| step.estimate.elo.value.is_finite());
    plot.line("one", &known.map(|step| (games(step), step.estimate.elo.value)).collect::<Vec<_>>());
    plot.svg()
}

fn llr_plot(course: &[Step], [low, high]: [f64; 2]) -> Markup {
    let points: Vec<_> = course.iter().filter_map(|step| Some((step.games as f64, step.llr?))).collect();
    let (least, most) = range(points.iter().map(|point| point.1).chain([1.1 * low, 1.1 * high]));
    let last = points.last().map_or(1.0, |point| point.0);
    let mut plot = Plot::new("Log-likelihood ratio", (0.0, last), (least, most));
    plot.level("bound", low);
    plot.level("goal", high);
    plot.level("zero", 0.0);
    plot.line("one", &points);
    plot.svg()
}

/// The smallest and the largest finite value.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_read_in_groups() {
        let told =
            [(0.26, 1), (999.0, 0), (1_183_411.2, 0), (12_345.678, 1)].map(|(value, digits)| grouped(value, digits));
        assert_eq!(told, ["0.3", "999", "1\u{202f}183\u{202f}411", "12\u{202f}345.7"]);
    }
}
