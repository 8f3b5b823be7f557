//! Named openings.

use polyply_games::{Board, PositionSpec, Variant};

fn name(variant: &str, moves: &str) -> Option<String> {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let board = Board::at(&Variant::find(variant).unwrap(), &PositionSpec::new(None, &moves)).unwrap();
    board.opening_name().map(str::to_owned)
}

#[test]
fn every_line_can_be_played_and_has_a_name() {
    let named = Variant::all().filter(|variant| !variant.about().openings.is_empty());
    for variant in named {
        for (moves, name) in variant.named_openings() {
            assert!(!name.is_empty() && !moves.is_empty(), "{name}");
            let board =
                Board::at(&variant, &PositionSpec::new(None, &moves)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(board.opening_name().is_some(), "{name}");
        }
        assert!(variant.named_openings().count() >= 57, "{}", variant.name());
    }
}

#[test]
fn an_opening_of_othello_is_the_same_from_all_four_first_moves() {
    for moves in ["f5 d6", "e6 f4", "c4 e3", "d3 c5"] {
        assert_eq!(name("othello", moves).as_deref(), Some("Perpendicular"), "{moves}");
    }
    for tiger in ["f5 d6 c3 d3 c4", "c4 e3 f6 e6 f5", "d3 c5 f6 f5 e6"] {
        assert_eq!(name("othello", tiger).as_deref(), Some("Tiger"), "{tiger}");
    }
    assert_eq!(name("othello", "f5"), None);
}

#[test]
fn an_opening_of_chess_is_found_by_transposition_and_kept_in_the_game() {
    let ruy = "C60 Ruy Lopez";
    assert_eq!(name("chess", "e2e4 e7e5 g1f3 b8c6 f1b5").as_deref(), Some(ruy));
    assert_eq!(name("chess", "Nf3 Nc6 e4 e5 Bb5").as_deref(), Some(ruy));
    assert_eq!(name("chess", "e4 e5 Nf3 Nc6 Bb5 h6 h3 h5").as_deref(), Some(ruy));
    assert_eq!(name("chess", ""), None);
    assert_eq!(name("freestyle", "h8"), None);
}
