//! The report for people: one page that needs nothing else.

use super::plot::Plot;
use super::{Report, Step};
use crate::stats::{Decision, Estimate, Tally};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// A page with a title.
pub(crate) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        let mut body = String::new();
        let page = &mut body;
        if self.is_match() {
            self.match_result(page);
        } else {
            self.standings(page);
            self.cross_table(page);
        }
        self.plots(page);
        self.effort(page);
        self.unusual_endings(page);
        self.settings(page);
        super::page(&self.title, &body)
    }

    fn name(&self, player: usize) -> String {
        self.players.get(player).map_or(String::new(), |player| escaped(&player.name))
    }

    fn match_result(&self, page: &mut String) {
        let tally = self.tally();
        let [won, drawn, lost] = tally.games;
        put(
            page,
            format_args!("<p class=\"soft\">{} games of {} against {}</p>\n", self.games(), self.name(0), self.name(1)),
        );
        let mut cards = Vec::new();
        let mut card = |number: String, what: &str| cards.push((number, what.to_owned()));
        card(format!("{won} – {drawn} – {lost}"), "won, drawn, lost");
        if let Some(Estimate { score, elo, normalised, los }) = tally.estimate() {
            card(format!("{:.1} %", 100.0 * score), "of the points");
            card(format!("{elo:.1}"), "Elo, with the error of 95 %");
            card(format!("{normalised:.1}"), "normalised Elo");
            card(format!("{:.1} %", 100.0 * los), "likelihood of superiority");
            card(format!("{:.1} %", 100.0 * tally.draw_rate()), "draws");
        }
        let ratings = self.ratings();
        if ratings.players.iter().any(Option::is_some) {
            card(format!("{:.1}", ratings.first_move), "Elo for moving first");
        }
        *page += "<div class=\"cards\">\n";
        for (number, what) in cards {
            put(page, format_args!("<div class=\"card\"><b>{number}</b><span>{what}</span></div>\n"));
        }
        if let Some((sprt, llr)) = self.test() {
            let decision = sprt.decide(llr);
            let [low, high] = sprt.bounds();
            put(
                page,
                format_args!(
                    "<div class=\"card\"><b class=\"{}\">{}</b><span>sequential test of [{}, {}] {} Elo: {llr:.2} \
                     in ({low:.2}, {high:.2})</span></div>\n",
                    decision.name(),
                    match decision {
                        Decision::Continue => "goes on",
                        Decision::Fails => "fails",
                        Decision::Passes => "passes",
                    },
                    sprt.elo0,
                    sprt.elo1,
                    sprt.model.name(),
                ),
            );
        }
        *page += "</div>\n<h2>Pairs of games</h2>\n<div class=\"wide\"><table>\n";
        *page +=
            "<tr><th class=\"name\">points in a pair</th><th>0</th><th>½</th><th>1</th><th>1½</th><th>2</th></tr>\n";
        let cells: String = tally.pairs.iter().map(|count| format!("<td>{count}</td>")).collect();
        put(page, format_args!("<tr><td class=\"name\">pairs of {}</td>{cells}</tr>\n</table></div>\n", self.name(0)));
    }

    fn standings(&self, page: &mut String) {
        let ratings = self.ratings();
        put(
            page,
            format_args!(
                "<p class=\"soft\">{} games of {} players; moving first is worth {:.1} Elo, equal players draw {:.1} %</p>\n",
                self.games(),
                self.players.len(),
                ratings.first_move,
                100.0 * ratings.draw_rate
            ),
        );
        *page += "<h2>Ratings</h2>\n<div class=\"wide\"><table>\n<tr><th>#</th><th class=\"name\">player</th><th>Elo</th>\
                  <th>points</th><th>games</th><th>%</th><th>won</th><th>drawn</th><th>lost</th><th>failed</th></tr>\n";
        for (rank, player) in (1..).zip(self.ranking()) {
            let tally = self.against(player, None);
            let elo = ratings.players[player].map_or("–".into(), |rating| format!("{:.1}", rating.elo));
            let [won, drawn, lost] = tally.games;
            let percent = 100.0 * points(&tally) / tally.count().max(1) as f64;
            put(
                page,
                format_args!(
                    "<tr><td>{rank}</td><td class=\"name\">{}</td><td>{elo}</td><td>{}</td><td>{}</td><td>{percent:.1}</td>\
                     <td>{won}</td><td>{drawn}</td><td>{lost}</td><td>{}</td></tr>\n",
                    self.name(player),
                    points(&tally),
                    tally.count(),
                    self.players[player].failures
                ),
            );
        }
        *page += "</table></div>\n<p class=\"soft\">Elo above the average, with the error of 95 %. ∞: won or lost every \
                  game. –: the games do not connect the player with the others.</p>\n";
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

    fn cross_table(&self, page: &mut String) {
        let ranking = self.ranking();
        *page += "<h2>Cross table</h2>\n<div class=\"wide\"><table>\n<tr><th>#</th><th class=\"name\">player</th>";
        (1..=ranking.len()).for_each(|rank| put(page, format_args!("<th>{rank}</th>")));
        *page += "</tr>\n";
        for (rank, &player) in (1..).zip(&ranking) {
            put(page, format_args!("<tr><td>{rank}</td><td class=\"name\">{}</td>", self.name(player)));
            for &opponent in &ranking {
                let tally = self.against(player, Some(opponent));
                if player == opponent || tally.count() == 0 {
                    *page += "<td>–</td>";
                } else {
                    put(page, format_args!("<td>{}/{}</td>", points(&tally), tally.count()));
                }
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    fn plots(&self, page: &mut String) {
        let course = self.course();
        if self.is_match() && course.len() > 1 {
            figure(page, "Elo over games", &elo_plot(&course), "the line is the estimate, the band its error of 95 %");
            if let Some(sprt) = self.sprt {
                figure(page, "Log-likelihood ratio", &llr_plot(&course, sprt.bounds()), "the test ends at its bounds");
            }
        }
        if !self.lengths.is_empty() {
            figure(page, "Length of games", &self.length_plot(), "games by plies");
        }
        let timed: Vec<usize> =
            (0..self.players.len().min(2)).filter(|&player| !self.players[player].times.is_empty()).collect();
        if self.is_match() && !timed.is_empty() {
            let keys: Vec<String> = ["one", "two"]
                .into_iter()
                .zip(0..self.players.len())
                .map(|(class, player)| format!("<span class=\"key {class}\">{}</span>", self.name(player)))
                .collect();
            figure(
                page,
                "Time by move",
                &self.time_plot(),
                &format!("milliseconds a move on average: {}", keys.join(" ")),
            );
        }
    }

    fn length_plot(&self) -> String {
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

    fn time_plot(&self) -> String {
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

    fn effort(&self, page: &mut String) {
        if self.players.iter().all(|player| player.time().is_none() && player.depth.get().is_none()) {
            return;
        }
        *page += "<h2>Effort</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"name\">player</th><th>milliseconds a move</th>\
                  <th>depth</th><th>nodes a move</th><th>nodes a second</th></tr>\n";
        let cell = |value: Option<f64>, decimals: usize| value.map_or("–".into(), |value| grouped(value, decimals));
        for player in &self.players {
            put(
                page,
                format_args!(
                    "<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    escaped(&player.name),
                    cell(player.time().map(|seconds| 1000.0 * seconds), 1),
                    cell(player.depth.get(), 1),
                    cell(player.nodes.get(), 0),
                    cell(player.speed(), 0)
                ),
            );
        }
        *page += "</table></div>\n";
    }

    fn unusual_endings(&self, page: &mut String) {
        *page +=
            "<h2>Endings</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"name\">reason</th><th>games</th></tr>\n";
        for (reason, count) in &self.endings {
            put(page, format_args!("<tr><td class=\"name\">{}</td><td>{count}</td></tr>\n", reason.words()));
        }
        *page += "</table></div>\n";
        if self.failures.is_empty() {
            *page += "<p>No player failed.</p>\n";
            return;
        }
        *page += "<h2>Failures</h2>\n<div class=\"wide\"><table>\n<tr><th>game</th><th class=\"name\">first</th>\
                  <th class=\"name\">second</th><th>result</th><th class=\"name\">reason</th><th class=\"name\">detail</th></tr>\n";
        for failure in &self.failures {
            put(
                page,
                format_args!(
                    "<tr><td>{}</td><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td>\
                     <td class=\"name\">{}</td><td class=\"text\">{}</td></tr>\n",
                    failure.number,
                    self.name(failure.players[0]),
                    self.name(failure.players[1]),
                    failure.result,
                    failure.reason.words(),
                    escaped(&failure.detail)
                ),
            );
        }
        *page += "</table></div>\n";
        let all: u64 = self.players.iter().map(|player| player.failures).sum();
        if all > self.failures.len() as u64 {
            put(page, format_args!("<p class=\"soft\">The first {} of {all}.</p>\n", self.failures.len()));
        }
    }

    fn settings(&self, page: &mut String) {
        if self.settings.is_empty() {
            return;
        }
        *page += "<h2>Settings</h2>\n<div class=\"wide\"><table>\n";
        for (name, value) in &self.settings {
            // A list of texts has a line for each.
            let value = serde_json::from_str(value).map_or(value.clone(), |list: Vec<String>| list.join("\n"));
            let (name, value) = (escaped(name), escaped(&value).replace('\n', "<br>"));
            put(page, format_args!("<tr><td class=\"name\">{name}</td><td class=\"text\">{value}</td></tr>\n"));
        }
        *page += "</table></div>\n";
    }
}

/// The points of a tally.
fn points(tally: &Tally) -> f64 {
    tally.games[0] as f64 + tally.games[1] as f64 / 2.0
}

/// A number with its thousands apart, by spaces that no line breaks at.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits: Vec<char> = whole.chars().collect();
    let groups: Vec<String> = digits.rchunks(3).rev().map(|group| group.iter().collect()).collect();
    groups.join("\u{202f}") + rest
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    // A text takes whatever is written into it.
    let _ = page.write_fmt(text);
}

fn figure(page: &mut String, title: &str, svg: &str, caption: &str) {
    put(
        page,
        format_args!("<h2>{title}</h2>\n<figure>{svg}<figcaption class=\"soft\">{caption}</figcaption></figure>\n"),
    );
}

/// The first games say hardly anything: the axis is made for what comes after this part of them.
const SETTLED: usize = 10;

fn elo_plot(course: &[Step]) -> String {
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

fn llr_plot(course: &[Step], [low, high]: [f64; 2]) -> String {
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

/// The least and the largest of what is finite.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Text that is nothing but text on a page.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
