//! Plots as SVG, drawn with the colours of the page.

use maud::{Markup, html};

/// The picture, in its own units; the page scales it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
/// Room for the numbers of the axes.
const LEFT: f64 = 58.0;
const BOTTOM: f64 = 30.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 24.0;

/// A plot with two axes. Later elements cover earlier ones.
pub struct Plot {
    x: (f64, f64),
    y: (f64, f64),
    body: Vec<Markup>,
    title: String,
}

impl Plot {
    /// A plot of these ranges.
    pub fn new(title: &str, x: (f64, f64), y: (f64, f64)) -> Plot {
        let room = |(low, high): (f64, f64)| if low < high { (low, high) } else { (low - 1.0, low + 1.0) };
        let mut plot = Plot { x: room(x), y: room(y), body: Vec::new(), title: title.to_owned() };
        plot.axes();
        plot
    }

    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let part = |value: f64, (low, high): (f64, f64)| ((value - low) / (high - low)).clamp(0.0, 1.0);
        let width = WIDTH - LEFT - RIGHT;
        let height = HEIGHT - TOP - BOTTOM;
        (LEFT + width * part(x, self.x), TOP + height * (1.0 - part(y, self.y)))
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let points = points.map(|point| {
            let (x, y) = self.at(point);
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    }

    fn axes(&mut self) {
        for x in ticks(self.x) {
            let (at, bottom) = self.at((x, self.y.0));
            let (at, below, bottom) = (pixels(at), pixels(bottom + 18.0), pixels(bottom));
            self.body.push(html! {
                line class="grid" x1=(at) y1=(TOP) x2=(at) y2=(bottom) {}
                text x=(at) y=(below) text-anchor="middle" { (number(x)) }
            });
        }
        for y in ticks(self.y) {
            let (left, at) = self.at((self.x.0, y));
            let (before, middle) = (pixels(left - 6.0), pixels(at + 4.0));
            let (left, at) = (pixels(left), pixels(at));
            self.body.push(html! {
                line class="grid" x1=(left) y1=(at) x2=(WIDTH - RIGHT) y2=(at) {}
                text x=(before) y=(middle) text-anchor="end" { (number(y)) }
            });
        }
    }

    /// A line through points. The CSS class sets its colour.
    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let path = self.path(points.iter().copied());
        self.body.push(html! { polyline class=(class) points=(path) {} });
    }

    /// A horizontal line across the plot.
    pub fn level(&mut self, class: &str, y: f64) {
        self.line(class, &[(self.x.0, y), (self.x.1, y)]);
    }

    /// The area between a low and a high value at each x.
    pub fn band(&mut self, points: &[(f64, f64, f64)]) {
        let there = points.iter().map(|&(x, low, _)| (x, low));
        let back = points.iter().rev().map(|&(x, _, high)| (x, high));
        let path = self.path(there.chain(back));
        self.body.push(html! { polygon class="band" points=(path) {} });
    }

    /// A bar from 0 to `y`, from `x` to `x + width`.
    pub fn bar(&mut self, x: f64, width: f64, y: f64, tip: &str) {
        let (left, top) = self.at((x, y));
        let (right, bottom) = self.at((x + width, 0.0));
        let wide = (right - left - 1.0).max(0.5);
        let height = bottom - top;
        self.body.push(html! {
            rect class="bar" x=(pixels(left)) y=(pixels(top)) width=(pixels(wide)) height=(pixels(height)) {
                title { (tip) }
            }
        });
    }

    /// The picture.
    pub fn svg(self) -> Markup {
        html! {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(self.title) {
                @for part in &self.body { (part) }
            }
        }
    }
}

/// A length in the picture, to a tenth of its unit.
fn pixels(length: f64) -> String {
    format!("{length:.1}")
}

/// About four to nine round numbers within a range.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// A number without needless digits.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(ticks((0.0, 100.0)), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks((-2.9, 2.9)), [-2.0, 0.0, 2.0]);
        assert_eq!(
            ticks((0.0, 0.031)).iter().map(|tick| number(*tick)).collect::<Vec<_>>(),
            ["0", "0.01", "0.02", "0.03"]
        );
    }

    #[test]
    fn what_lies_beyond_is_drawn_at_the_edge() {
        let mut plot = Plot::new("test", (0.0, 10.0), (0.0, 1.0));
        plot.line("one", &[(0.0, 5.0), (10.0, -5.0)]);
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        assert!(plot.svg().into_string().contains(&format!("points=\"{LEFT:.1},{TOP:.1} {right:.1},{bottom:.1}\"")));
    }
}
