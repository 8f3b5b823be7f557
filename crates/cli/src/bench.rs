//! `polyply bench`: a fixed amount of work.

use crate::args::{BenchArgs, USUAL_HASH};
use crate::failure::Failure;
use crate::printer::Printer;
use crate::words;
use polyply_engine::registry::games;
use polyply_engine::{Bench, Variant, bench};

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    let names: Vec<String> = if args.variants.is_empty() {
        games().map(|about| about.name.to_owned()).collect()
    } else {
        args.variants.clone()
    };
    let rules = &args.rules.rules;
    let variants = names.iter().map(|name| Variant::with_rules(name, rules)).collect::<Result<Vec<_>, _>>()?;
    let options = args.engine.options(USUAL_HASH);
    let mut printer = Printer::new();
    let mut sum = Bench::default();
    for variant in &variants {
        let result = bench(variant, &options, &args.engine.settings, &mut |line| {
            printer.line(format_args!(
                "{}  {}  best {}  {} nodes  {}",
                variant.name(),
                line.position,
                line.mv,
                line.nodes,
                words::time(line.time)
            ));
        })?;
        sum.nodes += result.nodes;
        sum.time += result.time;
    }
    printer.line(format_args!("{} nodes {} nps", sum.nodes, sum.nps()));
    Ok(printer.finish()?)
}
