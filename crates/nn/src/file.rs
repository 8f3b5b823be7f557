//! Nets in files: the [format of all weights](polyply_core::weights), with the sizes of the sections giving the shape.

use crate::net::{LARGEST, Net};
use crate::shape::{Activation, Shape};
use polyply_core::weights::{self, Kind, Section};

/// The sections; those of the middle layer may be empty. The first one holds the activation, or the activation and that the
/// net is pooled, and the unit.
const NAMES: [&str; 7] = ["shape", "features", "features-bias", "middle", "middle-bias", "output", "output-bias"];
/// In the section `shape`.
const CLIPPED: i16 = 0;
const SQUARED: i16 = 1;
/// Added to the activation of a pooled net.
const POOLED: i16 = 2;

impl Net {
    /// Whether a file of weights holds a net.
    pub fn is_in(text: &str) -> bool {
        weights::kinds(text).any(|kind| kind == Kind::Net.name())
    }

    /// Reads a net of one of these games. The error is one sentence.
    pub fn parse(text: &str, games: &[&str]) -> Result<Net, String> {
        let size =
            |at: usize| weights::size(text, NAMES[at]).ok_or_else(|| format!("the section `{}` is missing", NAMES[at]));
        let (features, hidden) = size(1)?;
        let (buckets, last) = size(5)?;
        let (rows, inputs) = size(3)?;
        let most = 1 << 24;
        if [(features, hidden), (buckets, last), (rows, inputs)]
            .iter()
            .any(|(rows, columns)| rows.saturating_mul(*columns) > most)
        {
            return Err(format!("a section of a net has at most {most} numbers"));
        }
        let middle = rows.checked_div(buckets).unwrap_or(0);
        let shape = Shape {
            features,
            perspectives: if rows == 0 { last } else { inputs }.checked_div(hidden).unwrap_or(0),
            hidden,
            middle,
            buckets,
            activation: Activation::Squared,
            pooled: hidden == crate::shape::POOLED,
        };
        shape.check()?;
        let mut tables = weights::read(text, games, &sections(&shape))?;
        let about = tables.remove(0);
        let kind = about[0] - if shape.pooled { POOLED } else { 0 };
        let activation = match kind {
            CLIPPED => Activation::Clipped,
            SQUARED => Activation::Squared,
            other => return Err(format!("the activation of a net is {CLIPPED} or {SQUARED}, not {other}")),
        };
        if about[1] <= 0 {
            return Err(format!("the unit of a net is positive, not {}", about[1]));
        }
        let dense = tables[2].iter().chain(&tables[4]);
        if let Some(weight) = dense.clone().find(|weight| weight.unsigned_abs() > LARGEST.unsigned_abs()) {
            return Err(format!("a weight after the first layer is at most {LARGEST}, not {weight}"));
        }
        Ok(Net::of(Shape { activation, ..shape }, about[1], &tables))
    }

    /// The text of a file. `about` says where the net comes from, a line each.
    pub fn text(&self, game: &str, about: &[String]) -> String {
        let activation = match self.shape().activation {
            Activation::Clipped => CLIPPED,
            Activation::Squared => SQUARED,
        };
        let activation = activation + if self.shape().pooled { POOLED } else { 0 };
        let mut tables = vec![vec![activation, self.unit()]];
        tables.extend(self.tables());
        weights::write(game, &sections(self.shape()), &tables, about)
    }
}

fn sections(shape: &Shape) -> [Section; 7] {
    let Shape { features, hidden, middle, buckets, .. } = *shape;
    let sizes = [
        (1, 2),
        (features, hidden),
        (1, hidden),
        (buckets * middle, shape.inputs()),
        (buckets * middle, 1),
        (buckets, shape.last()),
        (buckets, 1),
    ];
    let mut at = 0;
    NAMES.map(|name| {
        let (rows, columns) = sizes[at];
        at += 1;
        Section { name, rows, columns, kind: Kind::Net }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::FloatNet;

    fn net(middle: usize) -> Net {
        let shape = Shape {
            features: 300,
            perspectives: 2,
            hidden: 64,
            middle,
            buckets: 3,
            activation: Activation::Clipped,
            pooled: false,
        };
        FloatNet::random(shape, 20.0, 3).quantised(400)
    }

    #[test]
    fn a_net_survives_the_way_to_a_file_and_back() {
        for middle in [0, 8] {
            let net = net(middle);
            let text = net.text("go", &["from nowhere".to_owned()]);
            assert!(text.starts_with("polyply weights\ngame go\nkind net\n# from nowhere\nhash "));
            assert!(Net::is_in(&text));
            assert_eq!(Net::parse(&text, &["go"]).unwrap(), net);
        }
    }

    #[test]
    fn a_net_that_is_not_whole_is_refused_in_a_sentence() {
        let text = net(0).text("go", &[]);
        let refused = |text: &str, says: &str| {
            let error = Net::parse(text, &["go"]).unwrap_err();
            assert!(error.contains(says) && !error.contains('\n'), "{error}");
        };
        refused("", "missing");
        refused(&text.replacen("game go", "game chess", 1), "not of go");
        refused(&text.replacen("features 300 64", "features 300 65", 1), "multiple of 32");
        refused(&text.replacen("features 300 64", "features 99999999999 64", 1), "at most");
        refused(&text.replacen("\n0 400\n", "\n0 401\n", 1), "hash");
        refused(&text[..text.len() / 2], "missing");
    }

    #[test]
    fn other_weights_are_no_net() {
        let section = [Section::linear("small", 1, 1)];
        assert!(!Net::is_in(&weights::write("go", &section, &[vec![1]], &[])));
        assert!(!Net::is_in("net"));
    }
}
