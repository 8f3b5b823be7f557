//! Whatever text a position of chess is given as, it is refused, or is written so that it is read as the same again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_engine::{Board, PositionSpec, Variant};

fuzz_target!(|text: &str| {
    for name in ["chess", "chess,chess960=on"] {
        let variant = Variant::find(name).expect("there is chess");
        let Ok(board) = Board::at(&variant, &PositionSpec::new(Some(text), &[])) else { continue };
        let written = board.text().to_owned();
        let again = Board::at(&variant, &PositionSpec::new(Some(written.as_str()), &[])).expect("what was written is read");
        assert_eq!(again.text(), written, "{text}");
        assert_eq!(again.legal_moves(), board.legal_moves(), "{text}");
    }
});
