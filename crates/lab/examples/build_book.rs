//! Builds a small opening book and packs it: `cargo run -p polyply-lab --example build_book -- othello 100 20000 /tmp/books`.

use polyply_engine::Variant;
use polyply_engine::book::BookFile;
use polyply_lab::book::{BuildSettings, build, export};
use polyply_lab::work::Place;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [name, positions, nodes, folder] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: build_book GAME POSITIONS NODES FOLDER")?;
    let variant = Variant::find(&name)?;
    let settings = BuildSettings {
        positions: positions.parse()?,
        nodes: nodes.parse()?,
        depth: None,
        margin: None,
        lines: 5,
        place: Place::Threads(1),
        seed: 1,
        hash: 16,
        check: 0,
    };
    let path = Path::new(&folder).join(&name).with_extension("db");
    let report = build(&variant, &path, &settings, &AtomicBool::new(false), &mut |_| ())?;
    let packed = path.with_extension("book");
    std::fs::write(&packed, export(&BookFile::open(&path, &variant)?, &variant, &packed)?)?;
    println!("{} positions in {}", report.searched, packed.display());
    Ok(())
}
