//! Every game explains itself: its pictures and tasks are possible positions, and its tasks can be solved.

use polyply_games::{Board, PositionSpec, Scene, Variant};

fn board(game: &str, scene: &Scene) -> Board {
    let variant = Variant::named(&format!("{game}{}", scene.setup)).unwrap();
    let position = (scene.position != "start").then_some(scene.position);
    Board::at(&variant, &PositionSpec::new(position, &[])).unwrap_or_else(|error| panic!("{game}: {error}"))
}

#[test]
fn every_game_has_rules_with_possible_pictures() {
    for variant in Variant::all() {
        let about = variant.about();
        assert!(about.guide.rules.len() >= 2, "{}", about.name);
        for part in about.guide.rules {
            board(about.name, &part.scene);
            assert!(part.text.ends_with('.'), "{}: {}", about.name, part.text);
        }
    }
}

#[test]
fn every_game_has_three_tasks_that_legal_moves_solve() {
    for variant in Variant::all() {
        let about = variant.about();
        assert_eq!(about.guide.lessons.len(), 3, "{}", about.name);
        for lesson in about.guide.lessons {
            let legal = board(about.name, &lesson.scene).legal_moves();
            assert!(!lesson.accepted.is_empty() && lesson.accepted.len() <= legal.len(), "{}", lesson.task);
            for &mv in lesson.accepted {
                assert!(legal.iter().any(|other| other == mv), "{}: {mv} in {}", about.name, lesson.task);
            }
        }
    }
}

#[test]
fn people_choose_from_the_games_in_the_order_that_these_declare() {
    let places: Vec<u32> = Variant::to_choose_from().iter().map(|variant| variant.about().place).collect();
    assert!(places.is_sorted() && places.iter().all(|&place| place < u32::MAX), "{places:?}");
}

#[test]
fn a_cell_is_refused_with_the_reason() {
    let why = |variant: &str, moves: &[&str], from: Option<&str>, to: &str| {
        let variant = Variant::named(variant).unwrap();
        let cell = |name: &str| variant.layout().find_cell(name).unwrap();
        let board = Board::at(&variant, &PositionSpec::new(None, moves)).unwrap();
        board.refused(from.map(cell), cell(to)).map(|refusal| refusal.code().name)
    };
    assert_eq!(why("caro", &["j10", "k10"], None, "j11"), Some("opening_distance"));
    assert_eq!(why("caro", &["j10", "k10"], None, "j10"), Some("cell_taken"));
    assert_eq!(why("caro", &["j10", "k10"], None, "j13"), None);
    assert_eq!(why("freestyle,opening=pro", &[], None, "a1"), Some("opening_centre"));
    assert_eq!(why("connect4", &["a", "a", "a", "a", "a", "a"], None, "a3"), Some("column_full"));
    assert_eq!(why("othello", &[], None, "a1"), Some("flips_nothing"));
    assert_eq!(why("ataxx", &[], None, "d4"), Some("out_of_reach"));
    assert_eq!(why("chess", &[], Some("e2"), "e5"), Some("piece_way"));
    assert_eq!(why("chess", &[], Some("d1"), "d2"), Some("own_piece"));
    assert_eq!(why("chess", &[], None, "d1"), Some("piece_stuck"));
    assert_eq!(why("chess", &[], None, "e5"), Some("choose_piece"));
    assert_eq!(why("chess", &["e2e4", "f7f6", "d1h5"], Some("a7"), "a6"), Some("answer_check"));
    assert_eq!(why("chess", &["e2e4", "e7e5", "d1h5"], Some("f7"), "f6"), Some("king_exposed"));
    assert_eq!(why("chess", &[], Some("e2"), "e4"), None);
}
