//! Whatever a manager sends, the brain lives and answers.

use crate::manager::{is_answer, script};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ops::RangeInclusive;

/// A small table and few nodes: what is thought does not matter here.
const QUICK: &str = "INFO hash_size 1024\nINFO max_node 60\n";

/// Lines that belong together, and how many answers they get.
#[derive(Clone, Debug)]
struct Spoon {
    lines: String,
    answers: RangeInclusive<usize>,
}

fn spoon(lines: String, answers: RangeInclusive<usize>) -> Spoon {
    Spoon { lines, answers }
}

fn stones(owners: &'static str) -> impl Strategy<Value = String> {
    let stone = (0..16usize, 0..16usize, 0..owners.len());
    let write = move |(x, y, owner): (usize, usize, usize)| match &owners[owner..=owner] {
        "-" => format!("{x},{y}\n"),
        owner => format!("{x},{y},{owner}\n"),
    };
    vec(stone, 0..12).prop_map(move |stones| stones.into_iter().map(write).collect())
}

fn a_spoonful() -> impl Strategy<Value = Spoon> {
    let point = (0..17usize, 0..17usize).prop_map(|(x, y)| format!("{x},{y}"));
    let with_point = (prop_oneof![Just("TURN"), Just("PLAY"), Just("TAKEBACK")], point)
        .prop_map(|(word, point)| spoon(format!("{word} {point}"), 1..=1));
    let plain = prop_oneof![
        Just("BEGIN"),
        Just("RESTART"),
        Just("ABOUT"),
        Just("YXNBEST 2"),
        Just("YXBALANCEONE 0"),
        Just("YXBALANCETWO -5"),
        Just("YXSEARCHDEFEND"),
        Just("YXSHOWFORBID"),
        Just("RECTSTART 10,12"),
        Just("TURN 3"),
        Just("DONE"),
        Just("zzz"),
    ]
    .prop_map(|word| spoon(word.to_owned(), 1..=1));
    let silent = prop_oneof![
        Just("STOP"),
        Just("YXBLOCKRESET"),
        Just("YXHASHCLEAR"),
        Just("YXSHOWHASHUSAGE"),
        Just("YXSHOWINFO"),
        Just("INFO rule 0"),
        Just("INFO rule 1"),
        Just("INFO rule 4"),
        Just("INFO rule 9"),
        Just("INFO variant capture"),
        Just("INFO captures 4,2"),
        Just("INFO show_detail 3"),
        Just("INFO time_left -20"),
        Just("INFO rule x"),
        Just(""),
    ]
    .prop_map(|word| spoon(word.to_owned(), 0..=0));
    let start = (3..24usize).prop_map(|size| spoon(format!("START {size}"), 1..=1));
    let board = stones("123").prop_map(|stones| spoon(format!("BOARD\n{stones}DONE"), 1..=1));
    let position = stones("12").prop_map(|stones| spoon(format!("YXBOARD\n{stones}DONE"), 0..=1));
    let swap2 = stones("-").prop_map(|stones| spoon(format!("SWAP2BOARD\n{stones}DONE"), 1..=1));
    let block = stones("-").prop_map(|stones| spoon(format!("YXBLOCK\n{stones}DONE"), 0..=1));
    prop_oneof![
        6 => with_point,
        4 => plain,
        4 => silent,
        2 => start,
        2 => board,
        1 => position,
        1 => swap2,
        1 => block,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_command_is_answered(spoons in vec(a_spoonful(), 1..25)) {
        let soup: String = spoons.iter().map(|spoon| format!("{}\n", spoon.lines)).collect();
        let lines = script(format!("{QUICK}START 15\n{soup}").as_bytes());
        let answers = lines.iter().filter(|line| is_answer(line)).count();
        let least = 1 + spoons.iter().map(|spoon| spoon.answers.start()).sum::<usize>();
        let most = 1 + spoons.iter().map(|spoon| spoon.answers.end()).sum::<usize>();
        prop_assert!((least..=most).contains(&answers), "{answers} of {least} to {most}\n{soup}\n{lines:#?}");
    }

    #[test]
    fn no_bytes_make_it_fall_silent(bytes in vec(any::<u8>(), 0..400), words in vec("[A-Z0-9,]{1,9}", 0..20)) {
        let soup = [QUICK.as_bytes(), &bytes, b"\n", words.join("\n").as_bytes(), b"\nDONE\nABOUT\n"].concat();
        // It may be told to end on the way, and does so silently.
        if !soup.to_ascii_uppercase().windows(3).any(|word| word == b"END") {
            prop_assert!(script(&soup).last().is_some_and(|line| line.starts_with("name=")));
        }
    }
}
