//! `polyply play`: a game in the terminal, line by line, so that a pipe can play as well as a person.

use crate::args::{PlayArgs, PlayerKind, USUAL_HASH};
use crate::failure::Failure;
use crate::{interrupt, paint, words};
use polyply_engine::swap::{Role, Swap, SwapChoice};
use polyply_engine::{
    Best, Board, CacheMonitor, Engine, IdleThread, Level, Limits, Player, Reason, Request, Share, Side,
};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

const HELP: &str = "\
a move        play it
moves         all legal moves
hint          what the engine would play
values        the values of the best moves; `values all` has every legal move
undo, redo    take back a move, or play it again
resign        resign the game
new           begin a new game
board         draw the board
help          this list
quit          leave";

/// How many values fit on a screen together with the board's last lines.
const BEST_VALUES: usize = 10;

const NOT_YET: &str = "First settle who plays first; `new` begins a new game.";

pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let board = Board::at(&variant, &args.place.place())?;
    let mut engine = args.kept.engine(&variant, USUAL_HASH)?;
    let keeper = SnapshotKeeper::start(args.kept.snapshot.clone(), &engine)?;
    let is_set = args.kept.engine.settings.iter().any(|(name, _)| name.eq_ignore_ascii_case("OwnBook"));
    if !args.no_book && !is_set {
        engine.set_option("OwnBook", "on")?;
    }
    if args.idle != Share::OFF {
        engine.start_idle(&IdleThread::start(args.idle));
    }
    // In a game that has begun, who plays first is settled.
    let begins = args.place.position.is_none() && board.moves().is_empty();
    let swap = if begins { variant.swap() } else { Swap::SETTLED };
    let players = [args.first, args.second.unwrap_or(args.first.other())];
    let mut game = TerminalGame {
        start: board.clone(),
        board,
        engine,
        limits: Limits::time(args.time),
        level: args.level.and_then(Level::find),
        start_swap: swap,
        swap,
        opened: 0,
        seats: players,
        players,
        resigned: None,
        colours: paint::wanted(),
    };
    game.play()?;
    keeper.save()
}

/// Saves the table once: at the end of the game, or when Ctrl-C ends the program.
struct SnapshotKeeper {
    path: Option<PathBuf>,
    monitor: CacheMonitor,
    /// Held while the table is saved; true afterwards.
    saved: Arc<Mutex<bool>>,
}

impl SnapshotKeeper {
    fn start(path: Option<PathBuf>, engine: &Engine) -> Result<SnapshotKeeper, Failure> {
        let keeper = SnapshotKeeper { path, monitor: engine.cache_monitor(), saved: Arc::default() };
        if keeper.path.is_some() {
            let (path, monitor, saved) = (keeper.path.clone(), keeper.monitor.clone(), keeper.saved.clone());
            interrupt::at_exit(move || {
                let keeper = SnapshotKeeper { path, monitor, saved };
                if let Err(failure) = keeper.save() {
                    eprintln!("polyply: {failure}");
                }
            })?;
        }
        Ok(keeper)
    }

    fn save(&self) -> Result<(), Failure> {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = self.path.as_ref().filter(|_| !*saved) {
            self.monitor.save(path).map_err(|error| Failure::file(path, error))?;
            *saved = true;
        }
        Ok(())
    }
}

/// What to do after a line of input.
enum Next {
    Go,
    Leave,
}

/// A game in the terminal: the board, who plays, and the engine.
struct TerminalGame {
    start: Board,
    board: Board,
    engine: Engine,
    limits: Limits,
    /// The level of the engine; full strength without one.
    level: Option<&'static Level>,
    start_swap: Swap,
    /// The state of settling who plays first.
    swap: Swap,
    /// The number of stones placed before it was settled; they are not taken back.
    opened: usize,
    /// Who opens the game and who responds.
    seats: [PlayerKind; 2],
    /// Who plays first and who second.
    players: [PlayerKind; 2],
    resigned: Option<Side>,
    colours: bool,
}

impl TerminalGame {
    fn play(&mut self) -> Result<(), Failure> {
        let about = self.engine.variant().about();
        // With a board of nineteen rows it must fit on a terminal of 24 lines; `help` says more.
        let example = about.moves.split([':', ';']).next().unwrap_or_default();
        say(&format!("{}. A move is {example}. `help` lists what else can be said.", about.title))?;
        self.show()?;
        self.engine.prepare();
        let mut lines = io::stdin().lock().lines();
        loop {
            if self.is_over() && !self.players.contains(&PlayerKind::Human) {
                return Ok(());
            }
            if !self.is_over() && self.to_act() == PlayerKind::Engine {
                if self.is_settled() {
                    self.engine_moves()?
                } else {
                    self.engine_settles()?
                }
                continue;
            }
            self.offer_to_idle();
            self.prompt()?;
            let line = match lines.next() {
                None => {
                    say("")?;
                    return Ok(());
                }
                Some(line) => line.map_err(|error| Failure::Run(format!("the input can't be read: {error}")))?,
            };
            match self.obey(line.trim())? {
                Next::Go => {}
                Next::Leave => return Ok(()),
            }
        }
    }

    /// Lets the engine improve its table at this position while a person thinks.
    fn offer_to_idle(&self) {
        if let Some(idle) = self.engine.idle().filter(|_| !self.is_over()) {
            idle.add(&self.board, Reason::Current);
        }
    }

    fn is_settled(&self) -> bool {
        self.swap.to_act().is_none()
    }

    /// Who must act: move, or while it is not settled who plays first, place stones or choose.
    fn to_act(&self) -> PlayerKind {
        match self.swap.to_act() {
            Some(Role::Opener) => self.seats[0],
            Some(Role::Responder) => self.seats[1],
            None => self.player(),
        }
    }

    fn player(&self) -> PlayerKind {
        self.players[self.board.side().index()]
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.board.outcome().is_some()
    }

    fn name(&self, side: Side) -> &'static str {
        words::side_name(self.engine.variant().about().sides, side)
    }

    fn prompt(&self) -> io::Result<()> {
        let mut out = io::stdout();
        if !self.swap.options().is_empty() {
            writeln!(out, "It is your turn to {}.", self.choices())?;
        }
        let whose = match self.swap {
            _ if self.is_over() => "the game is over",
            Swap::Choose { .. } => "choice",
            _ => self.name(self.board.side()),
        };
        write!(out, "{whose}> ")?;
        out.flush()
    }

    /// Executes a line of input.
    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        match line {
            "" => {}
            "quit" | "exit" => return Ok(Next::Leave),
            "help" => say(&format!("A move is {}.\n{HELP}", self.engine.variant().about().moves))?,
            "board" => self.show()?,
            "moves" => say(&self.board.legal_moves().join(" "))?,
            "new" => self.restart()?,
            "undo" | "redo" | "resign" if !self.is_settled() => say(NOT_YET)?,
            choice if !self.swap.options().is_empty() => self.choose(choice)?,
            "hint" => self.hint()?,
            "values" => self.values(BEST_VALUES)?,
            "values all" => self.values(usize::MAX)?,
            "undo" => self.step_back()?,
            "redo" => self.step_forward()?,
            "resign" => self.resign()?,
            mv => self.play_move(mv)?,
        }
        Ok(Next::Go)
    }

    fn play_move(&mut self, mv: &str) -> io::Result<()> {
        if self.is_over() {
            return say("The game is over; `new` begins another, `undo` takes back a move.");
        }
        match self.board.play(mv) {
            Ok(()) => self.placed(),
            Err(error) => say(&format!("{error}; `moves` lists the legal moves, `help` all commands")),
        }
    }

    /// Updates the state after a move, which may settle who plays first.
    fn placed(&mut self) -> io::Result<()> {
        if self.is_settled() {
            return self.show();
        }
        self.swap = self.swap.place().unwrap_or(Swap::SETTLED);
        // If the stones end the game, there is nothing to choose.
        if self.board.outcome().is_some() {
            self.swap = Swap::SETTLED;
        }
        self.show()
    }

    /// A person chooses who plays first.
    fn choose(&mut self, name: &str) -> io::Result<()> {
        match SwapChoice::from_name(name).filter(|choice| self.swap.options().contains(choice)) {
            Some(choice) => self.take(choice),
            None => say(&format!("`{}` is no choice; {}", name.escape_debug(), self.choices())),
        }
    }

    fn take(&mut self, choice: SwapChoice) -> io::Result<()> {
        self.swap = self.swap.choose(choice).unwrap_or(Swap::SETTLED);
        let Swap::Settled { first } = self.swap else { return Ok(()) };
        self.opened = self.board.moves().len();
        if first == Role::Responder {
            self.players = [self.seats[1], self.seats[0]];
        }
        let [x, o] = [Side::First, Side::Second].map(|side| self.name(side));
        say(&match self.players {
            [PlayerKind::Human, PlayerKind::Engine] => format!("You play {x}, the engine plays {o}."),
            [PlayerKind::Engine, PlayerKind::Human] => format!("The engine plays {x}, you play {o}."),
            _ => format!("The one who {} plays {x}.", if first == Role::Opener { "opened" } else { "responded" }),
        })
    }

    /// The choices of a person, in words.
    fn choices(&self) -> String {
        let opener_chooses = self.swap.to_act() == Some(Role::Opener);
        let [x, o] = [Side::First, Side::Second].map(|side| self.name(side));
        let words = self.swap.options().iter().map(|choice| match choice {
            SwapChoice::Stay => format!("`stay` to play {}", if opener_chooses { x } else { o }),
            SwapChoice::Swap => format!("`swap` to play {}", if opener_chooses { o } else { x }),
            SwapChoice::PlaceTwo => "`place_two` to place two more stones and let the other choose".to_owned(),
        });
        format!("choose {}", words.collect::<Vec<_>>().join(", "))
    }

    /// The engine places stones or chooses.
    fn engine_settles(&mut self) -> Result<(), Failure> {
        if let Swap::Place { left, .. } = self.swap {
            let stones = self.engine.place_fairly(&self.board, left.into(), self.limits)?;
            say(&format!("The engine places {}", stones.join(" ")))?;
            for stone in stones {
                self.board.play(&stone)?;
                self.placed()?;
            }
            return Ok(());
        }
        let (choice, best) = self.engine.choose(&self.board, self.swap, self.limits)?;
        say(&format!("The engine chooses: {}  ({})", choice.name(), summary(&best)))?;
        Ok(self.take(choice)?)
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        let best = match self.level {
            Some(level) => self.engine.play_as(&self.board, &Player::of_level(level), self.limits, &mut |_| ())?,
            None => {
                let request = Request { limits: self.limits, ..Request::new(&self.board) };
                self.engine.play(&request, &mut |_| ())?
            }
        };
        say(&format!("{} plays {}  ({})", self.name(self.board.side()), best.mv, summary(&best)))?;
        self.board.play(&best.mv)?;
        Ok(self.show()?)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.is_over() {
            return Ok(say("The game is over.")?);
        }
        let best = self.think()?;
        Ok(say(&format!("{}  ({})", best.mv, summary(&best)))?)
    }

    /// At most so many legal moves with their values, the best first.
    fn values(&mut self, most: usize) -> Result<(), Failure> {
        if self.is_over() {
            return Ok(say("The game is over.")?);
        }
        let all = self.board.legal_moves().len();
        let best = self.think_of(Some(all.min(most)))?;
        for line in &best.lines {
            let moves = line.moves.join(" ");
            let score = words::bounded(line.score, line.bound);
            say(&format!("{score}  {}  {moves}", words::depth(line.depth, line.certainty)))?;
        }
        match all.saturating_sub(most) {
            0 => Ok(()),
            more => Ok(say(&format!("{more} more: `values all`"))?),
        }
    }

    fn think(&mut self) -> Result<Best, Failure> {
        self.think_of(None)
    }

    /// Searches for this many best moves.
    fn think_of(&mut self, multipv: Option<usize>) -> Result<Best, Failure> {
        let request = Request { limits: self.limits, multipv, ..Request::new(&self.board) };
        Ok(self.engine.best_move(&request, &mut |_| ())?)
    }

    /// Takes back until it is a person's turn again.
    fn step_back(&mut self) -> io::Result<()> {
        if self.resigned.take().is_some() {
            return self.show();
        }
        let before = self.board.clone();
        while self.board.moves().len() > self.opened && self.board.undo() {
            if self.player() == PlayerKind::Human {
                return self.show();
            }
        }
        self.board = before;
        say("There is no move of yours to take back.")
    }

    /// Plays again what was taken back, until it is a person's turn or the game is over.
    fn step_forward(&mut self) -> io::Result<()> {
        if !self.board.redo() {
            return say("Nothing was taken back.");
        }
        while self.player() != PlayerKind::Human && self.board.redo() {}
        self.show()
    }

    fn restart(&mut self) -> io::Result<()> {
        self.board = self.start.clone();
        (self.swap, self.players, self.opened) = (self.start_swap, self.seats, 0);
        self.resigned = None;
        self.engine.new_game();
        self.show()
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.is_over() {
            return say("The game is over.");
        }
        self.resigned = Some(self.board.side());
        self.tell_result()
    }

    fn show(&self) -> io::Result<()> {
        let drawing = self.board.drawing();
        let drawing = if self.colours { paint::board(&drawing) } else { drawing };
        say(&format!("\n{}", drawing.trim_end()))?;
        if let Some(name) = self.board.opening_name() {
            say(&format!("Opening: {name}"))?;
        }
        self.tell_result()
    }

    fn tell_result(&self) -> io::Result<()> {
        if let Some(loser) = self.resigned {
            return say(&format!("{} resigns: {} has won.", self.name(loser), self.name(loser.other())));
        }
        match self.board.outcome() {
            None => Ok(()),
            Some(outcome) => match outcome.winner() {
                Some(winner) => say(&format!("{} has won: {outcome}.", self.name(winner))),
                None => say("It is a draw."),
            },
        }
    }
}

/// The result of a search in a line.
fn summary(best: &Best) -> String {
    let line = best.lines.first();
    let score = line.map_or("not searched".into(), |line| words::bounded(line.score, line.bound));
    let depth = line.map_or(words::depth(0, None), |line| words::depth(line.depth, line.certainty));
    let moves = line.map_or(String::new(), |line| line.moves.join(" "));
    format!("{score}, {depth}, {}, {} nodes, {}: {moves}", best.stage, best.nodes, words::time(best.time))
}

fn say(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}
