//! `polyply perft`: counts the lines of play.

use crate::args::PerftArgs;
use crate::failure::Failure;
use crate::printer::Printer;
use polyply_engine::{Board, PositionSpec};

pub fn run(args: &PerftArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let board = Board::at(&variant, &PositionSpec::new(args.position.as_deref(), &[]))?;
    let mut printer = Printer::new();
    if args.divide {
        for (mv, lines) in board.divide(args.depth) {
            printer.line(format_args!("{mv} {lines}"));
        }
    }
    printer.line(board.perft(args.depth));
    Ok(printer.finish()?)
}
