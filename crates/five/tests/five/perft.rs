//! Numbers of lines of play, counted by the oracle and kept in a file.
//!
//! A row of the table is a variant, a board size, rules, a position and the numbers of lines of 1, 2, 3 and 4 plies.

use crate::naive::Naive;
use crate::tactics::settings;
use polyply_core::game::Notation;
use polyply_core::perft::perft;
use polyply_five::Five;
use polyply_five::notation::BoardSetup;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{Kind, Settings};

struct Row {
    settings: Settings,
    position: String,
    lines: [u64; 4],
}

fn table() -> Vec<Row> {
    let rows = include_str!("data/perft.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [variant, size, rules, position, lines] = fields[..] else { panic!("five fields, not `{row}`") };
        let rules: Vec<_> = rules.split_whitespace().map(|rule| rule.split_once('=').unwrap()).collect();
        let lines: Vec<u64> = lines.split_whitespace().map(|number| number.parse().unwrap()).collect();
        Row {
            settings: settings(variant, size.parse().unwrap(), &rules),
            position: position.to_string(),
            lines: lines.try_into().unwrap(),
        }
    })
    .collect()
}

fn count(game: &Naive, depth: u32) -> u64 {
    let moves = game.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = |point| {
        let mut game = game.clone();
        game.play(point);
        count(&game, depth - 1)
    };
    moves.into_iter().map(below).sum()
}

fn fast<R: Rule>(row: &Row, depth: u32) -> u64 {
    perft(&mut Five::<R>::new(row.settings).parse(&row.position).unwrap(), depth)
}

#[test]
fn the_board_counts_the_lines_of_the_table() {
    for row in table() {
        for (depth, lines) in (1..).zip(row.lines) {
            let counted = match row.settings.variant {
                Kind::Freestyle => fast::<Freestyle>(&row, depth),
                Kind::Standard => fast::<Standard>(&row, depth),
                Kind::Caro => fast::<Caro>(&row, depth),
                Kind::Capture => fast::<Capture>(&row, depth),
            };
            assert_eq!(counted, lines, "{} plies from {} under {:?}", depth, row.position, row.settings);
        }
    }
}

#[test]
fn the_table_is_what_the_oracle_counts() {
    for row in table() {
        let setup = BoardSetup::parse(&row.position, row.settings.size).unwrap();
        let game = Naive::from_setup(row.settings, setup);
        for (depth, lines) in (1..=3).zip(row.lines) {
            assert_eq!(count(&game, depth), lines, "{} plies from {} under {:?}", depth, row.position, row.settings);
        }
    }
}
