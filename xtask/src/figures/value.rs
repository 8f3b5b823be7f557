//! What was measured, and how it is written.

/// 95 % of a normal distribution lie within this many standard deviations of the mean.
const CONFIDENCE_95: f64 = 1.959_964;

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// One number, with its 95 % error where it is known.
    Number { value: f64, error: Option<f64> },
    /// The lowest and the highest of several runs.
    Range { low: f64, high: f64 },
    /// So many out of so many.
    Share { value: f64, of: f64 },
    /// The games of a match.
    Match(Match),
    /// A difference in strength of which the single results were not kept.
    Difference { elo: Elo, games: u32 },
    /// Several numbers with a label each.
    Series(Vec<(String, f64)>),
}

/// The games of a match, seen from Polyply's side or from that of the change that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// What the match itself printed, computed from pairs of games.
    pub elo: Option<Elo>,
}

/// A difference in Elo with its 95 % error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    pub value: f64,
    pub error: f64,
}

/// How numbers are written: the unit behind them, and the digits after the point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Format {
    pub unit: Option<String>,
    pub digits: Option<usize>,
}

impl Format {
    fn number(&self, value: f64) -> String {
        let text = match self.digits {
            Some(digits) => format!("{:.digits$}", value.abs()),
            None => value.abs().to_string(),
        };
        let sign = if value < 0.0 { "−" } else { "" };
        format!("{sign}{}", grouped(&text))
    }

    fn with_unit(&self, text: String) -> String {
        match &self.unit {
            Some(unit) => format!("{text} {unit}"),
            None => text,
        }
    }
}

/// Whole numbers of five digits and more get a space between thousands.
fn grouped(text: &str) -> String {
    if text.len() < 5 || text.contains('.') {
        return text.to_owned();
    }
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        if index > 0 && (text.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

impl Value {
    /// As a reader sees it.
    pub fn text(&self, format: &Format) -> String {
        let number = |value: f64| format.number(value);
        match self {
            Value::Number { value, error: None } => format.with_unit(number(*value)),
            Value::Number { value, error: Some(error) } => {
                format.with_unit(format!("{} ± {}", number(*value), number(*error)))
            }
            Value::Range { low, high } => format.with_unit(format!("{} to {}", number(*low), number(*high))),
            Value::Share { value, of } => format.with_unit(format!("{} of {}", number(*value), number(*of))),
            Value::Match(games) => games.score_text(),
            Value::Difference { elo, .. } => format!("{} Elo", elo.text()),
            Value::Series(points) => {
                let point = |(label, value): &(String, f64)| format!("{label}: {}", number(*value));
                format.with_unit(points.iter().map(point).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Lowest, middle and highest, where this is a number.
    pub fn spread(&self) -> Option<[f64; 3]> {
        match *self {
            Value::Number { value, error } => {
                let error = error.unwrap_or(0.0);
                Some([value - error, value, value + error])
            }
            Value::Range { low, high } => Some([low, (low + high) / 2.0, high]),
            Value::Share { .. } | Value::Match(_) | Value::Difference { .. } | Value::Series(_) => None,
        }
    }
}

impl Match {
    /// How many games were played.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The part of all points that was won.
    pub fn score(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games())
    }

    /// Wilson's 95 % interval of the score. It does not shrink to nothing where every game was won. A draw counts as
    /// half a win and half a loss, which makes the interval too wide rather than too narrow.
    pub fn interval(&self) -> [f64; 2] {
        let (games, score) = (f64::from(self.games()), self.score());
        let square = CONFIDENCE_95 * CONFIDENCE_95;
        let middle = (score + square / (2.0 * games)) / (1.0 + square / games);
        let variance = score * (1.0 - score) / games + square / (4.0 * games * games);
        let half = CONFIDENCE_95 * variance.sqrt() / (1.0 + square / games);
        [middle - half, middle + half]
    }

    /// The score with its interval, in percent.
    pub fn score_text(&self) -> String {
        let [low, high] = self.interval().map(|bound| (bound * 100.0).round());
        format!("{:.1} % ({low} to {high})", self.score() * 100.0)
    }

    /// What the match printed, or else the usual formula over games: `400 log10(s / (1 - s))`, with the error of the
    /// score `s` carried over by the slope of that curve. Nothing where one side won every game.
    pub fn elo(&self) -> Option<Elo> {
        if self.elo.is_some() {
            return self.elo;
        }
        let (games, score) = (f64::from(self.games()), self.score());
        if score <= 0.0 || score >= 1.0 {
            return None;
        }
        let part = |count: u32, points: f64| f64::from(count) / games * (points - score).powi(2);
        let variance = part(self.won, 1.0) + part(self.drawn, 0.5) + part(self.lost, 0.0);
        let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
        Some(Elo {
            value: 400.0 * (score / (1.0 - score)).log10(),
            error: CONFIDENCE_95 * (variance / games).sqrt() * slope,
        })
    }
}

impl Elo {
    /// With its sign and its error.
    pub fn text(&self) -> String {
        let value = self.value.round();
        let sign = if value > 0.0 { "+" } else { "" };
        let format = Format { unit: None, digits: Some(0) };
        format!("{sign}{} ± {}", format.number(value), format.number(self.error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(won: u32, drawn: u32, lost: u32) -> Match {
        Match { won, drawn, lost, elo: None }
    }

    #[test]
    fn a_score_has_wilsons_interval() {
        assert_eq!(games(94, 0, 6).score_text(), "94.0 % (88 to 97)");
        assert_eq!(games(99, 1, 0).score_text(), "99.5 % (95 to 100)");
        assert_eq!(games(100, 0, 0).score_text(), "100.0 % (96 to 100)");
    }

    #[test]
    fn elo_is_computed_only_where_the_match_did_not_print_it() {
        assert_eq!(games(94, 0, 6).elo().unwrap().text(), "+478 ± 143");
        assert_eq!(games(60, 30, 110).elo().unwrap().text(), "−89 ± 46");
        assert_eq!(games(10, 20, 10).elo().unwrap().text(), "0 ± 76");
        assert_eq!(games(100, 0, 0).elo(), None);
        let said = Elo { value: -89.0, error: 48.0 };
        assert_eq!(Match { elo: Some(said), ..games(60, 30, 110) }.elo(), Some(said));
    }

    #[test]
    fn numbers_are_written_with_digits_thousands_and_units() {
        let plain = Format::default();
        let speed = Format { unit: Some("M nodes/s".to_owned()), digits: Some(2) };
        assert_eq!(Value::Number { value: 2_023_267.0, error: None }.text(&plain), "2 023 267");
        assert_eq!(Value::Number { value: 1541.0, error: None }.text(&plain), "1541");
        assert_eq!(Value::Number { value: -0.5, error: Some(0.25) }.text(&plain), "−0.5 ± 0.25");
        assert_eq!(Value::Range { low: 1.1, high: 1.16 }.text(&speed), "1.10 to 1.16 M nodes/s");
        assert_eq!(Value::Share { value: 287.0, of: 300.0 }.text(&plain), "287 of 300");
        assert_eq!(Value::Series(vec![("a".to_owned(), 1.0), ("b".to_owned(), 2.5)]).text(&plain), "a: 1, b: 2.5");
    }
}
