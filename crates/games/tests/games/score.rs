//! Scores and results.

use polyply_core::game::{Side, Unit};
use polyply_core::score::Score as SideScore;
use polyply_games::{Outcome, Score};

#[test]
fn wins_count_more_than_guesses_and_sooner_ones_most() {
    let scores = [Score::Win(3), Score::Win(9), Score::Centi(900), Score::Centi(0), Score::Win(-9), Score::Win(-3)];
    assert!(scores.map(Score::hundredths).is_sorted_by(|left, right| left > right));
}

#[test]
fn a_score_takes_the_unit_of_its_game() {
    let of = |score: SideScore, unit| Score::of(score.for_first(Side::Second), unit);
    assert_eq!(of(SideScore::eval(35), Unit::Centi), Score::Centi(-35));
    assert_eq!(of(SideScore::eval(370), Unit::Points(100)), Score::Points(-4));
    assert_eq!(of(SideScore::win_in(7), Unit::Points(100)), Score::Win(-7));
}

#[test]
fn results_are_told_in_words() {
    assert_eq!(Outcome::Win(Side::Second).to_string(), "the second player has won");
    assert_eq!(Outcome::Points(4).to_string(), "the first player has won by 4");
    assert_eq!(Outcome::Points(0).to_string(), "it is a draw");
    assert_eq!(Score::Win(-7).to_string(), "second player wins in 7 plies");
    assert_eq!(Score::Centi(35).to_string(), "+0.35");
    assert_eq!(Score::Points(-4).to_string(), "-4");
}
