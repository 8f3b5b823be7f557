//! Whatever text a file of games is, reading it does not panic, and games that were read are the same when they were
//! written and are read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_lab::record::Format;

fuzz_target!(|bytes: &[u8]| {
    let mut games: Vec<_> = Format::Pgn.read_all(bytes, None).into_iter().flatten().collect();
    // Moves of chess are played when they are read; of other games the words are kept, whatever they are.
    games.retain(|game| ["chess", "chess,chess960=on"].contains(&game.variant.as_str()));
    let (written, faults) = Format::Pgn.write_all(&games);
    assert!(faults.is_empty(), "{faults:?}");
    let again = Format::Pgn.read(&written, None).expect("what was written is read");
    assert_eq!(again.len(), games.len());
    for (again, game) in again.iter().zip(&games) {
        assert_eq!((&again.opening.position, &again.variant), (&game.opening.position, &game.variant));
        assert!(again.all_moves().eq(game.all_moves()));
    }
});
