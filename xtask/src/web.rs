//! The web app's checks: types by `tsc`, behaviour in a real browser.

use crate::tools::{self, is_there};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Names of browsers that will do.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Checks the types, then the pages in a browser.
pub fn run() -> Result<()> {
    let browser = browser()?;
    install_packages()?;
    let folder = tools::root().join("web");
    tools::run(Command::new("node").arg("node_modules/typescript/bin/tsc").current_dir(&folder))?;
    let polyply = tools::polyply()?;
    tools::run(
        Command::new("node")
            .args(["--test", "--test-reporter=spec", "tests/"])
            .current_dir(&folder)
            .env("POLYPLY", polyply)
            .env("CHROMIUM", browser),
    )
}

/// Photographs all pages at three widths in both themes, and the boards of all themes, into `target/contact-sheet`.
pub fn contact_sheet() -> Result<()> {
    photograph("contact-sheet.js", &tools::root().join("target/contact-sheet"))
}

/// Renews the pictures of the README.
pub fn pictures() -> Result<()> {
    photograph("readme.js", &tools::root().join("docs/pictures"))
}

fn photograph(script: &str, folder: &Path) -> Result<()> {
    let browser = browser()?;
    install_packages()?;
    let web = tools::root().join("web");
    let polyply = tools::polyply()?;
    let mut node = Command::new("node");
    node.arg(Path::new("pictures").join(script)).arg(folder).current_dir(web);
    tools::run(node.env("POLYPLY", polyply).env("CHROMIUM", browser))
}

/// A Chromium, installed if possible.
fn browser() -> Result<&'static str> {
    let find = || BROWSERS.into_iter().find(|name| is_there(name, &["--version"]));
    if let Some(browser) = find() {
        return Ok(browser);
    }
    tools::install_package("chromium");
    find().context("the browser tests need Chromium: install it, so that `chromium --version` answers, and try again")
}

/// Node's packages, from the registry that npm is set up for.
fn install_packages() -> Result<()> {
    for (program, package) in [("node", "nodejs"), ("npm", "npm")] {
        if !is_there(program, &["--version"]) && !tools::install_package(package) {
            bail!(
                "the browser tests need Node 20 or later with npm: install them, so that `{program} --version` answers"
            );
        }
    }
    let folder = tools::root().join("web");
    let wanted = ["axe-core", "playwright-core", "typescript"].map(|name| folder.join("node_modules").join(name));
    if wanted.iter().all(|package| package.exists()) {
        return Ok(());
    }
    tools::run(Command::new("npm").args(["install", "--ignore-scripts"]).current_dir(&folder))
}
