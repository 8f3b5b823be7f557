//! Variants by their names.

use polyply_games::Variant;
use polyply_games::registry::games;

#[test]
fn every_game_opens_under_its_name_and_describes_itself() {
    for (variant, about) in Variant::all().zip(games()) {
        assert_eq!(variant.name(), about.name);
        for text in [about.title, about.description, about.moves, about.positions] {
            assert!(!text.is_empty(), "{}", about.name);
        }
    }
    assert_eq!(Variant::all().count(), games().count());
}

#[test]
fn a_whole_name_leaves_out_what_is_usual() {
    let name = |text| Variant::named(text).map(|variant| variant.name().to_owned());
    assert_eq!(name("caro:19,opening=open").unwrap(), "caro");
    assert_eq!(name("caro:15,blocked_ends=off,opening=swap2").unwrap(), "caro:15,opening=swap2,blocked_ends=off");
    assert_eq!(name("connect4").unwrap(), "connect4");
    assert!(name("caro,opening").unwrap_err().to_string().contains("key=value"));
    assert!(name("caro,komi=6").unwrap_err().to_string().contains("komi"));
}

#[test]
fn an_unknown_name_is_told_what_there_is() {
    let error = Variant::find("chekers").unwrap_err().to_string();
    assert!(error.contains("`chekers`") && error.contains("tictactoe, connect4"), "{error}");
}

#[test]
fn a_size_or_a_rule_that_a_game_does_not_have_is_refused() {
    let error = |name, rules: &[(String, String)]| Variant::with_rules(name, rules).unwrap_err().to_string();
    assert!(error("connect4:9", &[]).contains("one size"));
    assert!(error("connect4:big", &[]).contains("as a number"));
    assert!(error("connect4", &[("pop".into(), "out".into())]).contains("no rules"));
    assert_eq!(error("caro:23", &[]), "the board size is 5 to 22, not 23");
    let weights = |name, text| Variant::find(name).unwrap().with_weights(text).unwrap_err().to_string();
    assert!(weights("connect4", "handmade").contains("without weights"));
    assert!(weights("freestyle", "nonsense").contains("file of weights"));
    assert!(error("chess:9", &[]).contains("one size"));
    assert!(error("chess", &[("chess960".into(), "yes".into())]).contains("off, on, not `yes`"));
    assert!(error("chess", &[("komi".into(), "6".into())]).contains("only: chess960"));
    assert_eq!(error("standard", &[("komi".into(), "6".into())]), "standard has no rule `komi`, only: opening");
}

#[test]
fn an_alias_stands_for_a_game_and_its_rules() {
    let caro = Variant::by_alias("gomocup", "9", Some(15)).unwrap().unwrap();
    assert_eq!(caro.name(), "caro:15,exact_five=true,blocked_ends=opponent,opening=none");
    let alias = |variant: &str, of| Variant::find(variant).unwrap().alias(of).map(|(alias, whole)| (alias.name, whole));
    assert_eq!(alias(caro.name(), "gomocup"), Some(("9", true)));
    assert_eq!(alias("caro", "gomocup"), Some(("9", false)));
    assert_eq!(alias("chess,chess960=on", "uci"), Some(("chess960", true)));
    assert_eq!((alias("chess", "uci"), alias("chess", "gomocup")), (Some(("chess", true)), None));
    assert!(Variant::by_alias("gomocup", "77", None).is_none());
    assert_eq!(Variant::main_of("pgn").unwrap().name(), "chess");
}
