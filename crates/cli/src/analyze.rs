//! `polyply analyze`: a line for each iteration and best line, then the answer.

use crate::args::{AnalyzeArgs, USUAL_HASH};
use crate::book::moves_table;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::printer::Printer;
use crate::{json, words};
use polyply_engine::{Best, Board, Info, Request, Score};

pub fn run(args: &AnalyzeArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let mut engine = args.kept.engine(&variant, USUAL_HASH)?;
    // Touch the table's memory now, so that page faults do not take time from the search.
    engine.prepare();
    let request = Request {
        limits: args.limits(),
        multipv: args.multipv.map(usize::from),
        ..Request::new(&Board::at(&variant, &args.place.place())?)
    };
    let control = engine.control();
    let interrupt = Interrupt::stopping(control.clone())?;
    let mut printer = Printer::new();
    let opening = request.board.opening_name();
    if let Some(name) = opening.filter(|_| !args.json) {
        printer.line(format_args!("opening {name}"));
    }
    // A book that can't be read has nothing to show; the search does not need it.
    let book = engine.book().and_then(|book| book.moves(&request.board).ok()).unwrap_or_default();
    if !args.json {
        moves_table(&book).iter().for_each(|line| printer.line(format_args!("book {line}")));
    }
    let mut best = engine.search(&request, &mut |info| {
        printer.line(if args.json { json::info(info).to_string() } else { progress(info) });
        if printer.has_failed() {
            control.stop();
        }
        interrupt.pass_on();
    })?;
    engine.complete_wins(&request.board, &mut best)?;
    args.kept.save(&engine)?;
    printer.line(if args.json {
        json::best(&best, opening, &polyply_lab::book::json_moves(&book)).to_string()
    } else {
        answer(&best)
    });
    Ok(printer.finish()?)
}

fn progress(info: &Info) -> String {
    format!(
        "{}/{}  line {}  {}  {} nodes  {}  {} nps  {}  {}",
        words::depth(info.depth, info.certainty),
        info.seldepth,
        info.multipv,
        words::bounded(info.score, info.bound),
        info.nodes,
        words::time(info.time),
        info.nps,
        info.stage,
        info.line.join(" "),
    )
}

fn answer(best: &Best) -> String {
    let score = best.lines.first().map_or("not searched".into(), |line| words::bounded(line.score, line.bound));
    let ponder = best.ponder.as_ref().map_or(String::new(), |ponder| format!(", expecting {ponder}"));
    let answer = format!(
        "best {}{ponder}  ({score}, {}, {} nodes, {})",
        best.mv,
        best.stage,
        best.nodes,
        words::time(best.time)
    );
    match best.lines.first() {
        Some(line) if matches!(line.score, Score::Win(_)) => format!("line {}\n{answer}", line.moves.join(" ")),
        _ => answer,
    }
}
