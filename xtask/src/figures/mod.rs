//! `cargo xtask figures`: the tables and plots of the documentation, written from the records in `measurements/`.
//!
//! A table stands between two comments, and the first one says which: `<!-- figures: matches of five/strength -->`. The
//! plots are in `docs/pictures`. With `--check` nothing is written, and anything out of date is an error.

mod links;
mod markers;
mod plot;
mod record;
mod table;
mod value;

use crate::tools::root;
use anyhow::{Context, Result, ensure};
use record::Measurements;
use std::path::Path;

/// Folders whose Markdown files may have tables, from the project's folder.
const FOLDERS: [&str; 5] = ["", "docs", "docs/nets", "docs/tried", "measurements"];

/// Rewrites every table and every plot that is out of date.
pub fn write() -> Result<()> {
    for (file, text) in stale(root())? {
        std::fs::write(root().join(&file), text).with_context(|| file.clone())?;
        println!("{file}");
    }
    Ok(())
}

/// Every table and every plot matches the records, and no link is dead.
pub fn check() -> Result<()> {
    let stale: Vec<String> = stale(root())?.into_iter().map(|(file, _)| file).collect();
    ensure!(
        stale.is_empty(),
        "out of date with the records in measurements/: {}; `cargo xtask figures` rewrites them",
        stale.join(", ")
    );
    markdown_files(root())?.iter().try_for_each(|file| links::check(root(), file))
}

/// The files that have to change, with their new texts.
fn stale(root: &Path) -> Result<Vec<(String, String)>> {
    let measurements = record::read(&root.join("measurements"))?;
    let mut stale = Vec::new();
    for file in markdown_files(root)? {
        let old = std::fs::read_to_string(root.join(&file)).with_context(|| file.clone())?;
        let new = markers::renew(&old, |request| table::write(request, &measurements)).with_context(|| file.clone())?;
        if new != old {
            stale.push((file, new));
        }
    }
    stale.extend(stale_plots(root, &measurements)?);
    Ok(stale)
}

fn stale_plots(root: &Path, measurements: &Measurements) -> Result<Vec<(String, String)>> {
    let plots = [
        ("docs/pictures/strength.svg".to_owned(), plot::strength::draw(&measurements.records)?),
        ("docs/pictures/speed.svg".to_owned(), plot::speed::draw(measurements)?),
    ];
    let differs = |(file, new): &(String, String)| std::fs::read_to_string(root.join(file)).ok().as_ref() != Some(new);
    Ok(plots.into_iter().filter(differs).collect())
}

/// All Markdown files that may have tables or links, in order.
fn markdown_files(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder)).with_context(|| folder.to_owned())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                files.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    files.sort();
    Ok(files)
}
