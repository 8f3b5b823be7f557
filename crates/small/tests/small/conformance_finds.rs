//! The conformance suite finds what it promises to find: tic-tac-toe with one fault at a time.

use polyply_core::conformance::{self, Run};
use polyply_core::game::{
    Class, Evaluation, Game, MoveList, MoveSink, NO_MOVE, Notation, Observer, Outcome, Proof, SearchGame, Side,
};
use polyply_core::params::NoParams;
use polyply_core::refusal::Refusal;
use polyply_core::resources::Resources;
use polyply_core::score::Score;
use polyply_small::tictactoe::{Cell, TicTacToe};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    UndoKeepsTheMark,
    KeyIsStale,
    KeyIgnoresTheBoard,
    MovesRepeat,
    MovesAfterTheEnd,
    DecodesAnything,
    TextIsAlwaysTheStart,
    MoveTextIsWrong,
    ReadingPanics,
    HorizonStays,
    TurnsAreTheirOwnInverse,
    ForcedAndQuiet,
    ClassDisagrees,
    OrdersNothing,
    SlotIsOutOfRange,
    EvaluationLosesUndos,
    EvaluationLooksDecided,
    EndsTooSoon,
    ProofIsEmpty,
}

thread_local! {
    /// The fault of the test that runs on this thread: a start has no other way to learn of it.
    static FAULT: std::cell::Cell<Fault> = const { std::cell::Cell::new(Fault::None) };
}

fn has(fault: Fault) -> bool {
    FAULT.get() == fault
}

/// Tic-tac-toe with a fault.
#[derive(Clone)]
struct Faulty {
    rules: TicTacToe,
    kept_key: u64,
}

/// Counts the marks on the board, as told by the changes.
#[derive(Clone, Default)]
struct Marks(i32);

impl Faulty {
    fn of(rules: TicTacToe) -> Self {
        let mut game = Faulty { rules, kept_key: 0 };
        game.kept_key = game.recomputed_key();
        game
    }
}

impl Game for Faulty {
    type Move = Cell;
    type Change = i32;
    type Undo = u64;

    fn side(&self) -> Side {
        self.rules.side()
    }
    fn key(&self) -> u64 {
        self.kept_key
    }
    fn recomputed_key(&self) -> u64 {
        if has(Fault::KeyIgnoresTheBoard) { self.rules.horizon() as u64 } else { self.rules.key() }
    }
    fn moves(&self, out: &mut MoveList<Cell>) {
        self.rules.moves(out);
        if has(Fault::MovesRepeat) {
            out.extend(out.first().copied());
        }
        if has(Fault::MovesAfterTheEnd) && self.rules.outcome().is_some() {
            out.extend(TicTacToe::start().decode(0));
        }
    }
    fn decode(&self, bits: u16) -> Option<Cell> {
        if has(Fault::DecodesAnything) { TicTacToe::start().decode(bits % 9) } else { self.rules.decode(bits) }
    }
    fn play<O: Observer<i32>>(&mut self, mv: Cell, observer: &mut O) -> u64 {
        let before = self.kept_key;
        self.rules.play(mv, &mut ());
        observer.change(1);
        if !has(Fault::KeyIsStale) {
            self.kept_key = self.recomputed_key();
        }
        before
    }
    fn undo<O: Observer<i32>>(&mut self, mv: Cell, before: u64, observer: &mut O) {
        if !has(Fault::UndoKeepsTheMark) {
            self.rules.undo(mv, (), &mut ());
        }
        observer.change(-1);
        self.kept_key = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        self.rules.outcome()
    }
    fn horizon(&self) -> i32 {
        if has(Fault::HorizonStays) { 9 } else { self.rules.horizon() }
    }
    fn symmetries(&self) -> usize {
        self.rules.symmetries()
    }
    fn transform(&self, symmetry: usize) -> Self {
        Faulty::of(self.rules.transform(symmetry))
    }
    fn transform_move(&self, mv: Cell, symmetry: usize) -> Cell {
        self.rules.transform_move(mv, symmetry)
    }
    fn inverse(&self, symmetry: usize) -> usize {
        if has(Fault::TurnsAreTheirOwnInverse) { symmetry } else { self.rules.inverse(symmetry) }
    }
}

impl Notation for Faulty {
    fn start() -> Self {
        Faulty::of(TicTacToe::start())
    }
    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        assert!(!has(Fault::ReadingPanics) || text.is_ascii());
        TicTacToe::start().parse(text).map(Faulty::of)
    }
    fn text(&self) -> String {
        if has(Fault::TextIsAlwaysTheStart) { TicTacToe::start().text() } else { self.rules.text() }
    }
    fn parse_move(&self, text: &str) -> Result<Cell, Refusal> {
        self.rules.parse_move(text)
    }
    fn move_text(&self, mv: Cell) -> String {
        if has(Fault::MoveTextIsWrong) { "d4".into() } else { self.rules.move_text(mv) }
    }
    fn board(&self) -> String {
        self.rules.board()
    }
}

impl Observer<i32> for Marks {
    fn change(&mut self, change: i32) {
        self.0 += if has(Fault::EvaluationLosesUndos) { change.max(0) } else { change };
    }
}

impl Evaluation<Faulty> for Marks {
    fn reset(&mut self, game: &Faulty) {
        self.0 = 9 - game.rules.horizon();
    }
    fn score(&mut self, _: &Faulty) -> Score {
        if has(Fault::EvaluationLooksDecided) { Score::win_in(20) } else { Score::eval(self.0) }
    }
    fn weights_hash(&self) -> u64 {
        0
    }
}

impl SearchGame for Faulty {
    type Eval = Marks;
    type Params = NoParams;
    const HISTORY: usize = 9;

    fn history_slot(&self, mv: Cell) -> usize {
        if has(Fault::SlotIsOutOfRange) { 9 } else { self.rules.history_slot(mv) }
    }
    fn class(&self, mv: Cell) -> Class {
        let mut moves = MoveList::new();
        self.rules.moves(&mut moves);
        match FAULT.get() {
            Fault::ClassDisagrees => Class::Tactical,
            Fault::ForcedAndQuiet if moves.first() == Some(&mv) => Class::Forced,
            _ => Class::Quiet,
        }
    }
    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, Cell>) {
        let mut moves = MoveList::new();
        self.rules.moves(&mut moves);
        for mv in moves {
            let ordered_as = if has(Fault::ClassDisagrees) { Class::Quiet } else { self.class(mv) };
            if !has(Fault::OrdersNothing) && class == ordered_as {
                out.push(mv, 0);
            }
        }
    }
    fn ended(&self, _: usize) -> Option<Outcome> {
        if has(Fault::EndsTooSoon) { Some(Outcome::Draw) } else { self.outcome() }
    }
    fn proof(&mut self, _: i32, _: &mut Resources<'_, Self>) -> Proof {
        let empty = Proof { low: Score::win_in(1), high: Score::loss_in(2), best: NO_MOVE };
        if has(Fault::ProofIsEmpty) { empty } else { Proof::OPEN }
    }
}

/// The sentence with which the suite refuses the game, or `None` if it passes.
fn verdict(fault: Fault) -> Option<String> {
    FAULT.set(fault);
    let run = Run { games: 40, plies: 10, ..Run::default() };
    let suite = || {
        conformance::check::<Faulty>(&run);
        conformance::check_search::<Faulty>(&Marks::default(), &run);
    };
    let refusal = std::panic::catch_unwind(suite).err()?;
    Some(refusal.downcast_ref::<String>().cloned().expect("a panic with a message"))
}

#[test]
fn a_game_without_fault_passes() {
    assert_eq!(verdict(Fault::None), None);
}

macro_rules! finds {
    ($($name:ident: $fault:ident => $rule:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let refusal = verdict(Fault::$fault).expect("the fault is found");
                assert!(refusal.contains($rule), "{refusal}");
            }
        )*
    };
}

finds! {
    finds_an_undo_that_forgets: UndoKeepsTheMark => "undoing";
    finds_a_stale_key: KeyIsStale => "equals the recomputed one";
    finds_a_colliding_key: KeyIgnoresTheBoard => "different positions have different keys";
    finds_a_move_generated_twice: MovesRepeat => "no move is generated twice";
    finds_moves_after_the_end: MovesAfterTheEnd => "exactly while the game goes on";
    finds_bits_that_decode_too_easily: DecodesAnything => "decode only if they are legal";
    finds_a_text_that_says_too_little: TextIsAlwaysTheStart => "the key follows from the text";
    finds_a_wrong_move_text: MoveTextIsWrong => "is read back";
    finds_a_panicking_parser: ReadingPanics => "never panics";
    finds_a_horizon_that_stays: HorizonStays => "brings the horizon down";
    finds_a_wrong_inverse: TurnsAreTheirOwnInverse => "and its inverse lead";
    finds_forced_moves_beside_others: ForcedAndQuiet => "are all there is";
    finds_a_class_that_disagrees: ClassDisagrees => "classed as";
    finds_an_empty_order: OrdersNothing => "gives a move while the game goes on";
    finds_a_slot_out_of_range: SlotIsOutOfRange => "the history slot";
    finds_an_evaluation_that_drifts: EvaluationLosesUndos => "the evaluation";
    finds_an_evaluation_that_looks_decided: EvaluationLooksDecided => "looks like a decided game";
    finds_an_end_that_is_none: EndsTooSoon => "`ended` is the outcome";
    finds_an_empty_proof: ProofIsEmpty => "`proof` gives an interval";
}
