//! What every game must keep about its looks, played at random.

use polyply_core::random::Random;
use polyply_games::look::{PositionLook, Wishes};
use polyply_games::{Board, PositionSpec, Side, Variant};

/// Games a variant, and plies of each at most.
const GAMES: u64 = 3;
const PLIES: usize = 60;

#[test]
fn cells_moves_and_marks_of_every_game_lie_on_its_board() {
    for variant in Variant::all() {
        let layout = variant.layout();
        let size = layout.columns * layout.rows;
        assert_eq!((layout.column_names().len(), layout.row_names().len()), (layout.columns, layout.rows));
        for game in 0..GAMES {
            let mut random = Random::new(game);
            let mut board = Board::new(&variant);
            for _ in 0..PLIES {
                let view = board.look();
                let name = format!("{} {:?}", variant.name(), board.moves());
                assert_eq!(view.cells.len(), size, "{name}");
                let marks = [&view.last, &view.line, &view.forbidden, &view.checked];
                assert!(marks.iter().all(|cells| cells.iter().all(|&cell| cell < size)), "{name}");
                assert!(view.forbidden.iter().all(|&cell| view.cells[cell].is_none()), "{name}");
                assert!(view.checked.iter().all(|&cell| view.cells[cell].is_some()), "{name}");
                assert_eq!(view.reason.is_some(), board.outcome().is_some(), "{name}");
                let texts: Vec<_> = view.legal.iter().map(|legal| legal.text.clone()).collect();
                assert_eq!(texts, board.legal_moves(), "{name}");
                let Some(legal) = random.pick(&(0..view.legal.len()).collect::<Vec<_>>()) else { break };
                let legal = &view.legal[legal];
                assert!(legal.cells.from.is_none_or(|cell| view.cells[cell].is_some()), "{name} {}", legal.text);
                board.play(&legal.text).unwrap();
                let after = board.look();
                if let Some(to) = legal.cells.to {
                    assert!(after.cells[to].is_some(), "{name} {}: nothing is where the move went", legal.text);
                    assert!(after.last.contains(&to), "{name} {}", legal.text);
                }
            }
        }
    }
}

#[test]
fn a_winning_score_is_a_certain_chance_and_an_even_one_a_half() {
    use polyply_games::Score;
    for variant in Variant::all() {
        assert_eq!([Score::Win(3), Score::Win(-2)].map(|score| variant.chance(score)), [1.0, 0.0]);
        assert_eq!(variant.chance(Score::Centi(0)), 0.5);
        assert!(variant.chance(Score::Centi(100)) > 0.5);
    }
}

#[test]
fn what_is_seen_can_be_set_up_again() {
    for variant in Variant::all() {
        let mut board = Board::new(&variant);
        for _ in 0..6 {
            let PositionLook { cells, unseen, .. } = board.look();
            let wishes = unseen.iter().map(|one| (one.key.to_owned(), one.value.clone())).collect();
            let text = variant.arranged(&cells, board.side(), &wishes).unwrap();
            let again = Board::at(&variant, &PositionSpec { position: Some(text), moves: Vec::new() }).unwrap();
            assert_eq!((again.look().cells, again.side()), (cells, board.side()), "{}", variant.name());
            assert_eq!(again.look().unseen, unseen, "{}", variant.name());
            let moves = board.legal_moves();
            let middle = moves[moves.len() / 2].clone();
            board.play(&middle).unwrap();
        }
        assert!(variant.arranged(&[None], Side::First, &Wishes::new()).unwrap_err().to_string().contains("cells"));
        let strange = vec![Some("?"); board.look().cells.len()];
        assert!(variant.arranged(&strange, Side::First, &Wishes::new()).unwrap_err().to_string().contains("no piece"));
    }
}
