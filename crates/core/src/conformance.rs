//! One test suite that every game must pass. It checks that a game is consistent, and that incremental state equals the
//! recomputed one.
//!
//! A game calls [`check`] in a test of its own, and [`check_search`] once it is a [`SearchGame`]. Both play seeded
//! random games and check every position; the first broken rule panics with its name and the position. The suite can't
//! know whether the rules are those of the game: known [perft](mod@crate::perft) counts show that.

use crate::game::{Class, Evaluation, Game, MoveList, MoveSink, NO_MOVE, Notation, Outcome, SearchGame, Settle, Side};
use crate::random::Random;
use crate::refusal::Refusal;
use crate::resources::Standalone;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a run of the suite plays.
///
/// ```
/// use polyply_core::conformance::Run;
/// let run = Run { games: 5, positions: &["3/1x1/3 o"], ..Run::default() };
/// assert_eq!(run.seed, Run::default().seed);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Further positions to start from, besides the game's own start.
    pub positions: &'a [&'a str],
    /// Random games from each of them.
    pub games: usize,
    /// A game is broken off after this many plies.
    pub plies: usize,
    /// The seed of the random games.
    pub seed: u64,
    /// The part of a position's text that its key covers. Chess leaves out its move counters.
    pub identity: fn(&str) -> &str,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { positions: &[], games: 20, plies: 400, seed: 1, identity: whole }
    }
}

fn whole(text: &str) -> &str {
    text
}

/// Moves of a position that are played and taken back. With all moves, long games would take quadratic time.
const SIBLINGS: usize = 4;
/// One position in this many gets the expensive checks: all 65536 bit patterns, the staged answer.
const RARELY: usize = 16;
/// Mutated texts per position.
const MUTATIONS: usize = 3;
/// What mutations put into a text: letters of notations, and others.
const LETTERS: [char; 24] = [
    'x', 'o', '-', '/', ' ', '0', '1', '2', '9', 'a', 'b', 'g', 'h', 'k', 'K', 'q', 'w', 'z', '+', '.', ':', 'é', '\0',
    '\n',
];
/// Neither a move nor a position of any game.
const GARBAGE: [&str; 6] = ["?", "\0", "é", "-1", "99999999999999999999", "////////////////////////////////"];

macro_rules! rule {
    ($holds:expr, $text:expr, $($rule:tt)+) => {
        if !$holds {
            panic!("broken rule: {}\nin position: {}", format_args!($($rule)+), $text);
        }
    };
}

/// Checks the rules and the notation of a game.
///
/// # Panics
/// On the first broken rule, with its name and the position.
pub fn check<G: Notation>(run: &Run<'_>) {
    check_from(&G::start(), run);
}

/// Checks the rules and the notation of a game on the board and by the rules of `start`.
///
/// # Panics
/// On the first broken rule, with its name and the position.
pub fn check_from<G: Notation>(start: &G, run: &Run<'_>) {
    let mut random = Random::new(run.seed);
    let mut seen = Seen::default();
    for text in GARBAGE {
        rule!(parse(start, text).is_err(), text, "text that is no position is an error");
    }
    for start in starts(start, run) {
        for _ in 0..run.games {
            check_game(start.clone(), run, &mut random, &mut seen);
        }
    }
}

/// Checks the search slots of a game: its order of moves, its evaluation, its proofs.
///
/// # Panics
/// On the first broken rule, with its name and the position.
pub fn check_search<G: SearchGame + Notation>(eval: &G::Eval, run: &Run<'_>) {
    check_search_from(&G::start(), eval, run);
}

/// Checks the search slots of a game on the board and by the rules of `start`.
///
/// # Panics
/// On the first broken rule, with its name and the position.
pub fn check_search_from<G: SearchGame + Notation>(start: &G, eval: &G::Eval, run: &Run<'_>) {
    let mut random = Random::new(run.seed);
    let mut resources = Standalone::<G>::new(1 << 16);
    for start in starts(start, run) {
        for _ in 0..run.games {
            check_search_game(start.clone(), eval.clone(), &mut resources, run, &mut random);
        }
    }
}

fn starts<G: Notation>(start: &G, run: &Run<'_>) -> Vec<G> {
    let further = run.positions.iter().map(|text| match parse(start, text) {
        Ok(game) => game,
        Err(error) => panic!("the position `{text}` to start from is refused: {error}"),
    });
    std::iter::once(start.clone()).chain(further).collect()
}

/// Everything about a position that its public methods tell.
#[derive(PartialEq, Eq, Debug)]
struct Snapshot {
    text: String,
    key: u64,
    side: Side,
    outcome: Option<Outcome>,
    horizon: i32,
    /// Sorted, because a game may generate its moves in another order after an undo.
    moves: Vec<u16>,
    symmetric_keys: Vec<u64>,
}

impl Snapshot {
    fn of<G: Notation>(game: &G) -> Snapshot {
        let mut moves: Vec<u16> = legal(game).into_iter().map(bits::<G>).collect();
        moves.sort_unstable();
        Snapshot {
            text: game.text(),
            key: game.key(),
            side: game.side(),
            outcome: game.outcome(),
            horizon: game.horizon(),
            moves,
            symmetric_keys: (1..game.symmetries()).map(|symmetry| game.transform(symmetry).key()).collect(),
        }
    }
}

fn legal<G: Game>(game: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves
}

fn bits<G: Game>(mv: G::Move) -> u16 {
    mv.into()
}

/// The texts and keys of a run, to find collisions.
#[derive(Default)]
struct Seen {
    keys: HashMap<String, u64>,
    texts: HashMap<u64, String>,
}

impl Seen {
    fn meet(&mut self, text: &str, key: u64) {
        let known = *self.keys.entry(text.to_owned()).or_insert(key);
        rule!(known == key, text, "the key follows from the text: {known:#x} before, {key:#x} now");
        let other = self.texts.entry(key).or_insert_with(|| text.to_owned());
        rule!(other == text, text, "different positions have different keys; `{other}` has the same");
    }
}

/// Plays a random game and takes all moves back.
fn check_game<G: Notation>(mut game: G, run: &Run<'_>, random: &mut Random, seen: &mut Seen) {
    let mut line = Vec::new();
    for _ in 0..run.plies {
        let before = Snapshot::of(&game);
        seen.meet((run.identity)(&before.text), before.key);
        check_position(&mut game, &before, random);
        let Some(mv) = random.pick(&legal(&game)) else { break };
        let undo = game.play(mv, &mut ());
        line.push((mv, undo, before));
    }
    while let Some((mv, undo, before)) = line.pop() {
        game.undo(mv, undo, &mut ());
        let after = Snapshot::of(&game);
        rule!(after == before, before.text, "undoing a line restores {before:?}, not {after:?}");
    }
}

fn check_position<G: Notation>(game: &mut G, here: &Snapshot, random: &mut Random) {
    check_key(game);
    check_moves(game, here);
    if random.below(RARELY) == 0 {
        check_bit_patterns(game, here);
    }
    check_position_text(game, here, random);
    let moves = legal(game);
    for _ in 0..SIBLINGS {
        if let Some(mv) = random.pick(&moves) {
            check_play(game, mv, here);
            check_move_text(game, mv, here, random);
        }
    }
    let sample = random.pick(&moves);
    for symmetry in 0..game.symmetries() {
        check_symmetry(game, symmetry, sample, here);
    }
}

fn check_key<G: Notation>(game: &G) {
    let (kept, recomputed) = (game.key(), game.recomputed_key());
    rule!(kept == recomputed, game.text(), "the key {kept:#x} equals the recomputed one {recomputed:#x}");
}

fn check_moves<G: Notation>(game: &G, here: &Snapshot) {
    let goes_on = here.outcome.is_none();
    rule!(here.moves.is_empty() != goes_on, here.text, "there are moves exactly while the game goes on");
    let mut counted = MoveList::new();
    game.perft_moves(&mut counted);
    rule!(counted.len() == game.count_moves(), here.text, "`count_moves` counts the moves of perft");
    rule!(here.moves.windows(2).all(|pair| pair[0] != pair[1]), here.text, "no move is generated twice");
    for mv in legal(game) {
        rule!(bits::<G>(mv) != NO_MOVE, here.text, "no move has the bits of NO_MOVE");
        rule!(game.decode(mv.into()) == Some(mv), here.text, "{mv:?} decodes from its bits");
    }
}

fn check_bit_patterns<G: Notation>(game: &G, here: &Snapshot) {
    for pattern in 0..=u16::MAX {
        let legal = here.moves.binary_search(&pattern).is_ok();
        rule!(
            game.decode(pattern).is_some() == legal,
            here.text,
            "the bits {pattern:#x} decode only if they are legal"
        );
    }
}

fn check_position_text<G: Notation>(game: &G, here: &Snapshot, random: &mut Random) {
    match parse(game, &here.text) {
        Err(error) => rule!(false, here.text, "a position's text is read back: {error}"),
        Ok(read) => {
            let again = Snapshot::of(&read);
            let same = (&again.text, again.key, again.side) == (&here.text, here.key, here.side);
            rule!(same, here.text, "a position's text is read back as the same position, not as {again:?}");
            // A game that ended by repetition goes on if only its last position is known.
            let same_future = here.outcome.is_some() || (&again.moves, again.outcome) == (&here.moves, here.outcome);
            rule!(same_future, here.text, "a position that was read back has the same moves, not {again:?}");
        }
    }
    rule!(!game.board().is_empty(), here.text, "the board can be drawn");
    for _ in 0..MUTATIONS {
        let mutated = mutate(&here.text, random);
        if let Ok(read) = parse(game, &mutated) {
            check_key(&read);
            check_moves(&read, &Snapshot::of(&read));
            let again = parse(game, &read.text()).map(|again| again.key());
            rule!(again == Ok(read.key()), mutated, "whatever is read as a position can be written and read again");
        }
    }
}

fn check_move_text<G: Notation>(game: &G, mv: G::Move, here: &Snapshot, random: &mut Random) {
    let text = game.move_text(mv);
    let read = parse_move(game, &text, here);
    rule!(read == Ok(mv), here.text, "the move `{text}` is read back, not {read:?}");
    for garbage in GARBAGE.into_iter().chain(["", " "]) {
        let read = parse_move(game, garbage, here);
        rule!(read.is_err(), here.text, "the text {garbage:?} is no move, but was read as {read:?}");
    }
    for _ in 0..MUTATIONS {
        let mutated = mutate(&text, random);
        if let Ok(read) = parse_move(game, &mutated, here) {
            let legal = here.moves.contains(&read.into());
            rule!(legal, here.text, "the text {mutated:?} was read as {read:?}, which is not legal");
        }
    }
}

fn check_play<G: Notation>(game: &mut G, mv: G::Move, here: &Snapshot) {
    let undo = game.play(mv, &mut ());
    check_key(game);
    let horizon = game.horizon();
    let bounded = here.horizon == i32::MAX || (0..here.horizon).contains(&horizon);
    rule!(bounded, here.text, "{mv:?} brings the horizon down from {}, not to {horizon}", here.horizon);
    game.undo(mv, undo, &mut ());
    let after = Snapshot::of(game);
    rule!(after == *here, here.text, "undoing {mv:?} restores {here:?}, not {after:?}");
}

fn check_symmetry<G: Notation>(game: &G, symmetry: usize, sample: Option<G::Move>, here: &Snapshot) {
    let inverse = game.inverse(symmetry);
    rule!(inverse < game.symmetries(), here.text, "the inverse of symmetry {symmetry} is a symmetry");
    let image = game.transform(symmetry);
    check_key(&image);
    let back = Snapshot::of(&image.transform(inverse));
    rule!(back == *here, here.text, "symmetry {symmetry} and its inverse lead back, not to {back:?}");
    rule!(symmetry != 0 || image.text() == here.text, here.text, "symmetry 0 is the identity");
    let same = image.outcome() == here.outcome && image.side() == here.side && image.horizon() == here.horizon;
    rule!(same, here.text, "symmetry {symmetry} keeps outcome, side and horizon");
    let mut moves: Vec<u16> = legal(game).into_iter().map(|mv| game.transform_move(mv, symmetry).into()).collect();
    moves.sort_unstable();
    rule!(moves == Snapshot::of(&image).moves, here.text, "symmetry {symmetry} maps moves onto moves");
    let Some(mv) = sample else { return };
    let image_move = game.transform_move(mv, symmetry);
    let back = image.transform_move(image_move, inverse);
    rule!(back == mv, here.text, "symmetry {symmetry} and its inverse lead {mv:?} back, not to {back:?}");
    let (mut played, mut image_played) = (game.clone(), image);
    played.play(mv, &mut ());
    image_played.play(image_move, &mut ());
    let commutes = Snapshot::of(&played.transform(symmetry)) == Snapshot::of(&image_played);
    rule!(commutes, here.text, "playing {mv:?} and symmetry {symmetry} may change places");
}

fn parse<G: Notation>(game: &G, text: &str) -> Result<G, Refusal> {
    catch_unwind(AssertUnwindSafe(|| game.parse(text)))
        .unwrap_or_else(|_| panic!("broken rule: reading {text:?} as a position never panics"))
}

fn parse_move<G: Notation>(game: &G, text: &str, here: &Snapshot) -> Result<G::Move, Refusal> {
    catch_unwind(AssertUnwindSafe(|| game.parse_move(text)))
        .unwrap_or_else(|_| panic!("broken rule: reading {text:?} as a move never panics\nin position: {}", here.text))
}

/// The text with one to three letters changed, added, doubled or dropped, or cut short.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let place = random.below(letters.len() + 1);
        let letter = LETTERS[random.below(LETTERS.len())];
        match (letters.get(place).copied(), random.below(5)) {
            (None, _) | (_, 0) => letters.insert(place, letter),
            (_, 1) => letters[place] = letter,
            (Some(same), 2) => letters.insert(place, same),
            (_, 3) => letters.truncate(place),
            _ => drop(letters.remove(place)),
        }
    }
    letters.into_iter().collect()
}

/// Plays a random game and takes all moves back, with an evaluation that follows.
fn check_search_game<G: SearchGame + Notation>(
    mut game: G,
    mut eval: G::Eval,
    resources: &mut Standalone<G>,
    run: &Run<'_>,
    random: &mut Random,
) {
    let mut line = Vec::new();
    eval.reset(&game);
    for _ in 0..run.plies {
        let here = Snapshot::of(&game);
        // Below the root a game may treat a repetition as the end earlier than the rules do; at the root it may not.
        let ended = game.ended(0);
        rule!(ended.is_none() || ended == here.outcome, here.text, "`ended` is the outcome, not {ended:?}");
        let Some(mv) = random.pick(&legal(&game)) else { break };
        check_order(&game, resources, &here);
        check_solvers(&mut game, resources, &here, random);
        check_null(&mut game, &mut eval, &here);
        for _ in 0..SIBLINGS {
            if let Some(sibling) = random.pick(&legal(&game)) {
                let undo = eval.play(&mut game, sibling);
                check_evaluation(&game, &mut eval);
                eval.undo(&mut game, sibling, undo);
                check_evaluation(&game, &mut eval);
            }
        }
        let undo = eval.play(&mut game, mv);
        line.push((mv, undo));
    }
    while let Some((mv, undo)) = line.pop() {
        eval.undo(&mut game, mv, undo);
        check_evaluation(&game, &mut eval);
    }
}

fn check_order<G: SearchGame + Notation>(game: &G, resources: &mut Standalone<G>, here: &Snapshot) {
    let mut ordered = HashSet::new();
    let mut forced = false;
    for class in Class::ALL {
        let mut moves = Vec::new();
        game.order(class, resources.lend().params, &mut MoveSink::new(&mut moves));
        let announced = match class {
            Class::Tactical => G::TACTICAL,
            Class::Remote => G::REMOTE,
            Class::Forced | Class::Quiet => true,
        };
        let announced = announced || moves.is_empty();
        rule!(announced, here.text, "a game with tactical or remote moves says so in `TACTICAL` or `REMOTE`");
        let alone = !forced || moves.is_empty();
        rule!(alone, here.text, "forced moves, if there are any, are all there is");
        forced |= class == Class::Forced && !moves.is_empty();
        for mv in moves.into_iter().map(|scored| scored.mv) {
            rule!(here.moves.contains(&mv.into()), here.text, "`order` gives legal moves, not {mv:?}");
            rule!(ordered.insert(bits::<G>(mv)), here.text, "`order` gives {mv:?} once");
            let named = game.class(mv);
            rule!(named == class, here.text, "{mv:?} is ordered as {class:?} and classed as {named:?}");
        }
    }
    rule!(!ordered.is_empty(), here.text, "`order` gives a move while the game goes on");
    for mv in legal(game) {
        let slot = game.history_slot(mv);
        rule!(slot < G::HISTORY, here.text, "the history slot {slot} of {mv:?} is below {}", G::HISTORY);
    }
}

fn check_solvers<G: SearchGame + Notation>(
    game: &mut G,
    resources: &mut Standalone<G>,
    here: &Snapshot,
    random: &mut Random,
) {
    let legal = |bits: u16| bits == NO_MOVE || here.moves.contains(&bits);
    let proof = game.proof(1, &mut resources.lend());
    rule!(proof.low <= proof.high && legal(proof.best), here.text, "`proof` gives an interval, not {proof:?}");
    let mut moves = Vec::new();
    let settled = game.settle(0, &mut resources.lend(), &mut MoveSink::new(&mut moves));
    rule!(moves.iter().all(|scored| legal(scored.mv.into())), here.text, "`settle` gives legal moves");
    rule!(settled != Settle::Forced || !moves.is_empty(), here.text, "`settle` forces to some move");
    if random.below(RARELY) == 0
        && let Some(staged) = game.staged(&mut resources.lend())
    {
        rule!(!staged.line.is_empty(), here.text, "a staged answer has a move");
        let mut after = game.clone();
        for mv in staged.line {
            rule!(after.decode(mv.into()) == Some(mv), here.text, "a staged answer is legal, {mv:?} is not");
            // A line is played; moves to choose from are not.
            if staged.score.is_some() {
                after.play(mv, &mut ());
            }
        }
    }
    rule!(Snapshot::of(game) == *here, here.text, "`proof`, `settle` and `staged` leave the position as it was");
}

fn check_null<G: SearchGame + Notation>(game: &mut G, eval: &mut G::Eval, here: &Snapshot) {
    let Some(undo) = game.play_null() else { return };
    rule!(game.side() == here.side.other(), here.text, "after a null move the opponent is to move");
    rule!(game.key() != here.key, here.text, "a null move changes the key");
    check_key(game);
    check_evaluation(game, eval);
    game.undo_null(undo);
    rule!(Snapshot::of(game) == *here, here.text, "taking a null move back restores the position");
    check_evaluation(game, eval);
}

fn check_evaluation<G: SearchGame + Notation>(game: &G, eval: &mut G::Eval) {
    if game.outcome().is_some() {
        return;
    }
    let score = eval.score(game);
    let mut fresh = eval.clone();
    fresh.reset(game);
    let recomputed = fresh.score(game);
    rule!(score == recomputed, game.text(), "the evaluation {score:?} equals the recomputed one {recomputed:?}");
    rule!(!score.is_decisive(), game.text(), "no evaluation looks like a decided game, as {score:?} does");
}
