//! Connect Four against a naive board, against plain negamax, and against known counts.

use super::*;
use polyply_core::conformance::{self, Run};
use polyply_core::random::Random;

use polyply_core::perft::perft;
use polyply_core::resources::Standalone;
use std::collections::HashMap;

const POSITIONS: [&str; 4] =
    ["7/7/7/7/3o3/3x3 x", "445566", "112233", "o1o1x2/x1xoxo1/ooxoxxx/oxoxoxo/xoxooxx/xoooxox x"];

fn run() -> Run<'static> {
    Run { positions: &POSITIONS, games: 20, plies: 42, ..Run::default() }
}

#[test]
fn conforms() {
    conformance::check::<Connect4>(&run());
}

#[test]
fn search_slots_conform() {
    conformance::check_search::<Connect4>(&Threats, &run());
}

#[test]
fn perft_counts_are_the_known_ones() {
    let known = [1, 7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];
    for (depth, lines) in (0..).zip(known) {
        assert_eq!(perft(&mut Connect4::start(), depth), lines, "depth {depth}");
    }
}

/// The rules once more, without a trick: a list of discs a column, and four in a row by looking.
#[derive(Default)]
struct Naive {
    columns: [Vec<Side>; COLUMNS],
    discs: usize,
}

impl Naive {
    fn at(&self, column: i32, row: i32) -> Option<Side> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    fn winner(&self) -> Option<Side> {
        let places = (0..COLUMNS as i32).flat_map(|column| (0..ROWS as i32).map(move |row| (column, row)));
        let lines = places.flat_map(|place| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (place, step)));
        lines
            .map(|((column, row), (right, up))| [0, 1, 2, 3].map(|far| self.at(column + far * right, row + far * up)))
            .find_map(|four| four[0].filter(|_| four.iter().all(|disc| *disc == four[0])))
    }

    fn moves(&self) -> Vec<usize> {
        let open = |column: &usize| self.columns[*column].len() < ROWS;
        if self.winner().is_some() { Vec::new() } else { (0..COLUMNS).filter(open).collect() }
    }

    fn outcome(&self) -> Option<Outcome> {
        let full = self.discs == COLUMNS * ROWS;
        self.winner().map(Outcome::Win).or(full.then_some(Outcome::Draw))
    }

    fn drop_disc(&mut self, column: usize) {
        self.columns[column].push(if self.discs.is_multiple_of(2) { Side::First } else { Side::Second });
        self.discs += 1;
    }

    fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut lines = 0;
        for column in self.moves() {
            self.drop_disc(column);
            lines += self.perft(depth - 1);
            self.columns[column].pop();
            self.discs -= 1;
        }
        lines
    }
}

fn legal(game: &Connect4) -> MoveList<Cell> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves
}

#[test]
fn the_naive_board_counts_the_same_lines() {
    assert_eq!(Naive::default().perft(6), perft(&mut Connect4::start(), 6));
    let near_a_win = "445566";
    let mut naive = Naive::default();
    near_a_win.bytes().for_each(|digit| naive.drop_disc(usize::from(digit - b'1')));
    assert_eq!(naive.perft(5), perft(&mut Connect4::start().parse(near_a_win).unwrap(), 5));
}

#[test]
fn the_naive_board_plays_the_same_games() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let (mut game, mut naive) = (Connect4::start(), Naive::default());
        loop {
            let columns: Vec<usize> = legal(&game).iter().map(|cell| cell.column()).collect();
            assert_eq!(columns, naive.moves(), "{}", game.text());
            assert_eq!(game.outcome(), naive.outcome(), "{}", game.text());
            let Some(cell) = random.pick(&legal(&game)) else { break };
            assert_eq!(cell.row(), naive.columns[cell.column()].len(), "{}", game.text());
            game.play(cell, &mut ());
            naive.drop_disc(cell.column());
        }
    }
}

/// The true value by all moves, and on the way everything that the slots claim about every position.
fn solve(game: &mut Connect4, solved: &mut HashMap<u64, Score>) -> Score {
    match game.outcome() {
        Some(Outcome::Draw) => return Score::ZERO,
        Some(_) => return Score::loss_in(0),
        None => {}
    }
    if let Some(&score) = solved.get(&game.key()) {
        return score;
    }
    let mut values = HashMap::new();
    for cell in legal(game) {
        let undo = game.play(cell, &mut ());
        let value = -solve(game, solved).from_root(1);
        game.undo(cell, undo, &mut ());
        values.insert(u16::from(cell), value);
    }
    let best = values.values().copied().max().unwrap();

    let mut ordered = Vec::new();
    for class in [Class::Forced, Class::Tactical, Class::Quiet] {
        game.order(class, &NoParams, &mut MoveSink::new(&mut ordered));
    }
    let best_ordered = ordered.iter().map(|scored| values[&scored.mv.into()]).max().unwrap();
    assert_eq!(best_ordered, best, "a move that was left out is better in {}", game.text());

    let proof = proof_of(game);
    assert!((proof.low..=proof.high).contains(&best), "{best:?} is not in {proof:?} in {}", game.text());
    if proof.best != NO_MOVE {
        assert!(values[&proof.best] >= proof.low, "the move of {proof:?} does not keep its word in {}", game.text());
    }
    solved.insert(game.key(), best);
    best
}

fn with_resources<T>(call: impl FnOnce(&mut Resources<'_, Connect4>) -> T) -> T {
    call(&mut Standalone::new(64).lend())
}

fn proof_of(game: &mut Connect4) -> Proof {
    with_resources(|resources| game.proof(1, resources))
}

fn staged(text: &str) -> Option<Staged<Cell>> {
    let mut game = Connect4::start().parse(text).unwrap();
    with_resources(|resources| game.staged(resources))
}

/// A random game that is still going on with so many discs on the board.
fn late_position(random: &mut Random, discs: u8) -> Connect4 {
    loop {
        let mut game = Connect4::start();
        while let Some(cell) = random.pick(&legal(&game)) {
            if game.discs == discs {
                return game;
            }
            game.play(cell, &mut ());
        }
    }
}

#[test]
fn order_and_proofs_keep_the_value_of_every_late_position() {
    let mut random = Random::new(28);
    for discs in 28..42 {
        for _ in 0..6 {
            solve(&mut late_position(&mut random, discs), &mut HashMap::new());
        }
    }
}

#[test]
fn proofs_end_what_they_see() {
    let score = |text: &str| proof_of(&mut Connect4::start().parse(text).unwrap());
    assert_eq!(score("445566").low, Score::win_in(1));
    assert_eq!(score("44556").high, Score::loss_in(2));
    assert_eq!((score("").low, score("").high), (Score::loss_in(4), Score::win_in(3)));
}

#[test]
fn the_first_stage_wins_and_the_second_blocks() {
    let win = staged("445566").unwrap();
    assert_eq!((win.stage, win.score), ("immediate win", Some(Score::win_in(1))));
    let block = staged("45454").unwrap();
    assert_eq!((block.stage, block.score), ("forced block", None));
    assert!(staged("44").is_none());
}

#[test]
fn a_threat_in_an_odd_row_is_the_first_players() {
    let worth = |row: usize| Threats::worth(0, 1 << row, ODD_ROWS);
    assert!(worth(0) > worth(4) && worth(2) > worth(1) && worth(4) > worth(3));
}

#[test]
fn a_list_of_columns_is_the_position_it_leads_to() {
    for list in ["4455", "ddee", "d d e e"] {
        assert_eq!(Connect4::start().parse(list).unwrap().text(), "7/7/7/7/3oo2/3xx2 x");
    }
    assert_eq!(Connect4::start().parse("start"), Ok(Connect4::start()));
}

#[test]
fn every_mistake_has_its_sentence() {
    let error = |text: &str| Connect4::start().parse(text).unwrap_err().to_string();
    assert!(error("48").contains("move 2"));
    assert!(error("4444444").contains("full"));
    assert!(error("44556677").contains("over"));
    assert!(error("7/7/7/7/3x3/7 o").contains("float"));
    assert!(error("7/7/7/7/7/3xx2 x").contains("2 to 0"));
    assert!(error("7/7/7/7/7/3x3 x").contains("turn"));
    assert!(error("7/7/7/7/oooo3/xxxx3 x").contains("already"));
    assert!(error("7/7/7/xxxxo2/ooxoo2/xxxxooo o").contains("before"));
}

#[test]
fn a_winning_line_is_told_by_its_cells_from_the_top_left() {
    let row = Connect4::start().parse("4455667").unwrap();
    assert_eq!(row.winning_line(), [38, 39, 40, 41]);
    assert_eq!(row.reason(), "line");
    assert!(Connect4::start().parse("44").unwrap().winning_line().is_empty());
}

#[test]
fn scores_of_test_sets_become_distances() {
    let value = |line: &str| Connect4::problem(line).unwrap().value.map(|value| (value.plies_to_end(), value.value()));
    let plies = |line: &str| value(line).and_then(|(plies, _)| plies);
    // The first player, to move, wins with its last disc, on ply 41.
    assert_eq!(plies("44 1"), Some(39));
    // The side to move wins at once with its fourth disc, on ply 7.
    assert_eq!(plies("445566 18"), Some(1));
    // The second player has to watch the first do it.
    assert_eq!(plies("44556 -18"), Some(2));
    // The second player, to move, wins with its last disc, which is the last of all.
    assert_eq!(plies("444 1"), Some(-39));
    assert_eq!(plies("2252576253462244111563365343671351441 -1"), Some(4));
    assert_eq!(value("44 0"), Some((None, 0)));
    assert_eq!(value("44"), None);
    assert_eq!(value("7/7/7/7/3o3/3x3 x"), None);
}

#[test]
fn scores_that_no_game_has_are_refused() {
    for line in ["44 x", "44 22", "44 1 2", "444444555555666666 20"] {
        assert!(Connect4::problem(line).unwrap_err().to_string().contains("-21 to 21"), "{line}");
    }
}
