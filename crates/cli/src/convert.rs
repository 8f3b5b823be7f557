//! `polyply convert`: converts games and positions between formats.

use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_lab::record::{Format, Record};
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let variant = args.variant.as_deref().map(polyply_engine::Variant::find).transpose()?;
    let format = Format::of(&args.out)?;
    let stop = interrupt::flag()?;
    let (mut records, mut faults) = (Vec::<Record>::new(), 0);
    let mut complain = |text: String| {
        faults += 1;
        let _ = writeln!(std::io::stderr(), "polyply: {text}");
    };
    let bar = bar(args.files.len() as u64, "files");
    for path in &args.files {
        let input = Format::of(path)?;
        let bytes = std::fs::read(path).map_err(|error| Failure::file(path, error))?;
        for read in input.read_all(&bytes, variant.as_ref()) {
            match read {
                Ok(record) => records.push(record),
                Err(reason) => complain(format!("{}: {reason}", path.display())),
            }
        }
        bar.inc(1);
        if stop.load(Relaxed) {
            return Err(Failure::Run("stopped; nothing was written".into()));
        }
    }
    bar.finish_and_clear();
    if let Some(plies) = args.plies {
        records.iter_mut().for_each(|record| record.cut(plies));
    }
    let (bytes, refused) = format.write_all(&records);
    let written = records.len() - refused.len();
    refused.into_iter().for_each(|reason| complain(format!("{}: {reason}", args.out.display())));
    if written == 0 {
        return Err(Failure::Run("there is no game to write".into()));
    }
    // An existing file is never overwritten.
    let saved = std::fs::File::create_new(&args.out).and_then(|mut file| file.write_all(&bytes));
    saved.map_err(|error| Failure::file(&args.out, error))?;
    let mut printer = Printer::new();
    printer.line(format_args!("{written} games in {}", args.out.display()));
    printer.finish()?;
    match faults {
        0 => Ok(()),
        faults => Err(Failure::Run(format!("{faults} games or lines were left out"))),
    }
}
