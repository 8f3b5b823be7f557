//! Where games begin: positions from a file, or random ones that a search calls fair.

use super::entrant::built_in;
use super::fair::fair_opening;
use crate::LabError;
use crate::record::{Format, Record};
use crate::refusals;
use crate::work::written_positions;
use polyply_core::random::Random;
use polyply_engine::{Board, Engine, Limits, PositionSpec, Refusal, Request, Variant};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Nodes of the search that judges whether an opening is fair.
const JUDGING_NODES: u64 = 1000;

/// The openings of a match; each is played by both sides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Openings {
    /// All games begin with the start of the game.
    Start,
    /// Random moves to a position that a short search calls fair. An opening depends on the seed and its number.
    Random {
        /// The seed.
        seed: u64,
        /// Options of the engine that judges.
        judge: Vec<(String, String)>,
    },
    /// These, one after the other and then from the beginning again.
    Listed(#[serde(with = "written_positions")] Vec<PositionSpec>),
}

impl Openings {
    /// Random openings, as a match has them.
    pub fn random(seed: u64) -> Openings {
        Openings::Random { seed, judge: vec![("Hash".to_owned(), "1".to_owned())] }
    }

    /// Reads the first moves of the games in a file, if its extension is that of a format for games.
    ///
    /// Any other file has one opening per line: moves, a position in the game's own notation, or the offsets from the
    /// centre of the board that Gomocup uses (`0,0, 1,-2`). Text after a `;`, empty lines and lines that begin with `#`
    /// are ignored.
    pub fn read(path: &Path, plies: usize, variant: &Variant) -> Result<Openings, LabError> {
        let bytes = std::fs::read(path).map_err(|error| LabError::asked(path, error))?;
        if let Some(format) = Format::of(path).ok().filter(|format| *format != Format::Moves) {
            let records = format.read(&bytes, Some(variant)).map_err(|reason| LabError::asked(path, reason))?;
            let begin = |record: &Record| {
                let moves = record.all_moves().take(plies).map(str::to_owned).collect();
                alive(PositionSpec { position: record.opening.position.clone(), moves }, variant)
                    .map_err(|reason| LabError::asked(path, refusals::in_game(record.number + 1, reason)))
            };
            return Openings::listed(path, records.iter().map(begin).collect::<Result<_, _>>()?);
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines =
            text.lines().enumerate().map(|(index, line)| (index + 1, line.split(';').next().unwrap_or("").trim()));
        let places = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(number, line)| {
            opening(line, variant).map_err(|reason| LabError::asked(path, refusals::in_line(number, reason)))
        });
        Openings::listed(path, places.collect::<Result<_, _>>()?)
    }

    fn listed(path: &Path, places: Vec<PositionSpec>) -> Result<Openings, LabError> {
        match places.is_empty() {
            true => Err(LabError::asked(path, refusals::no_openings())),
            false => Ok(Openings::Listed(places)),
        }
    }

    /// Puts listed openings in a random order.
    pub fn shuffle(&mut self, seed: u64) {
        if let Openings::Listed(places) = self {
            Random::of(seed, 0).shuffle(places);
        }
    }

    /// How many there are; `None` for random ones.
    pub fn count(&self) -> Option<usize> {
        match self {
            Openings::Start => Some(1),
            Openings::Random { .. } => None,
            Openings::Listed(places) => Some(places.len()),
        }
    }

    /// The opening with a number. The judge is created when it is first needed.
    pub fn get(&self, number: u64, variant: &Variant, judge: &mut Option<Engine>) -> Result<PositionSpec, LabError> {
        match self {
            Openings::Start => Ok(PositionSpec::default()),
            Openings::Listed(places) => Ok(places[(number % places.len() as u64) as usize].clone()),
            Openings::Random { seed, judge: options } => {
                let engine = match judge {
                    Some(engine) => engine,
                    None => judge.insert(built_in(variant, options)?),
                };
                let mut judged = |board: &Board| {
                    engine.flush();
                    engine.new_game();
                    let request = Request { limits: Limits::nodes(JUDGING_NODES), ..Request::new(board) };
                    engine.search(&request, &mut |_| ()).ok()?.score()
                };
                let opened = fair_opening(variant, &mut judged, &mut Random::of(*seed, number))?;
                Ok(opened.spec().clone())
            }
        }
    }
}

/// Reads an opening.
fn opening(line: &str, variant: &Variant) -> Result<PositionSpec, Refusal> {
    let moves = offsets(line, variant)
        .unwrap_or_else(|| line.split([' ', ',']).filter(|mv| !mv.is_empty()).map(str::to_owned).collect());
    // What is no list of moves may still be a position. If it is neither, the error is about the position.
    let listed = Board::at(variant, &PositionSpec { position: None, moves });
    match listed {
        Ok(board) => alive(board.spec().clone(), variant),
        Err(_) => alive(PositionSpec::new(Some(line), &[]), variant),
    }
}

/// Checks that the game is not over, and writes the moves as the game does.
fn alive(place: PositionSpec, variant: &Variant) -> Result<PositionSpec, Refusal> {
    let board = Board::at(variant, &place)?;
    match board.outcome() {
        None => Ok(board.spec().clone()),
        Some(outcome) => Err(refusals::opening_over(outcome)),
    }
}

/// Reads pairs of offsets from the centre of the board, to the right and down.
fn offsets(line: &str, variant: &Variant) -> Option<Vec<String>> {
    let numbers: Option<Vec<i32>> =
        line.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() % 2 == 0)?;
    let layout = variant.layout();
    let [columns, rows] = [layout.columns, layout.rows].map(|size| size as i32);
    let name = |step: &[i32]| {
        let (x, y) = (columns / 2 + step[0], rows / 2 + step[1]);
        let on_board = (0..columns).contains(&x) && (0..rows).contains(&y);
        on_board.then(|| layout.cell_name((y * columns + x) as usize))
    };
    numbers.chunks(2).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_file(name: &str, text: &str, variant: &str) -> Result<Openings, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Openings::read(&path, 3, &Variant::find(variant).unwrap()).map_err(|error| error.to_string())
    }

    fn read(text: &str, variant: &str) -> Result<Openings, String> {
        read_file("openings", text, variant)
    }

    #[test]
    fn games_open_with_their_first_moves() {
        let record = Record {
            variant: "connect4".into(),
            opening: PositionSpec::new(None, &["d", "d"]),
            moves: ["e", "f"].map(|text| crate::record::Move { text: text.into(), ..Default::default() }).into(),
            ..Record::default()
        };
        for (format, name) in [(Format::Json, "games.jsonl"), (Format::Pgn, "games.pgn")] {
            let openings = read_file(name, &format.write(&record).unwrap(), "connect4");
            assert_eq!(openings, Ok(Openings::Listed(vec![PositionSpec::new(None, &["d", "d", "e"])])), "{name}");
        }
    }

    #[test]
    fn an_opening_is_moves_offsets_or_a_position() {
        let text = "# a comment\n\nh8 i9 h9; id 1\n0,0, 1,-1, 0,-1\nH8,i9,h9\n15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o 0 0\n";
        let moves = PositionSpec::new(None, &["h8", "i9", "h9"]);
        let position = PositionSpec::new(Some("15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o 0 0"), &[]);
        assert_eq!(
            read(text, "freestyle:15"),
            Ok(Openings::Listed(vec![moves.clone(), moves.clone(), moves, position]))
        );
        // The middle of an even board is right of it and below, as Piskvork counts.
        assert_eq!(read("0,0", "freestyle:20"), Ok(Openings::Listed(vec![PositionSpec::new(None, &["k10"])])));
        assert_eq!(read("4453", "connect4"), Ok(Openings::Listed(vec![PositionSpec::new(Some("4453"), &[])])));
    }

    #[test]
    fn what_is_none_is_told_with_its_line() {
        for (text, says) in [
            ("h8\nz99", "line 2: the position `z99`"),
            ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "the game is over"),
            ("# nothing", "no opening"),
        ] {
            let error = read(text, "freestyle:15").unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_random_opening_depends_on_seed_and_number() {
        let variant = Variant::find("connect4").unwrap();
        let mut judge = None;
        let mut get = |seed, number| Openings::random(seed).get(number, &variant, &mut judge).unwrap();
        assert_eq!(get(1, 5), get(1, 5));
        assert_ne!(get(1, 5), get(1, 6));
        assert_ne!(get(1, 5), get(2, 5));
    }

    #[test]
    fn a_list_is_used_again_from_its_beginning() {
        let variant = Variant::find("connect4").unwrap();
        let openings = read("4\n5\n6", "connect4").unwrap();
        assert_eq!(openings.get(4, &variant, &mut None).unwrap(), openings.get(1, &variant, &mut None).unwrap());
    }
}
