//! Links from one file of the project to another.

use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Every file that a Markdown file links to exists.
pub fn check(root: &Path, file: &str) -> Result<()> {
    let text = std::fs::read_to_string(root.join(file)).with_context(|| file.to_owned())?;
    let folder = root.join(file).parent().map(Path::to_owned).unwrap_or_default();
    for target in targets(&text) {
        ensure!(folder.join(target).exists(), "{file} links to {target}, which does not exist");
    }
    Ok(())
}

/// The targets of `[text](target)` and `src="target"`, except web addresses and anchors within the file.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let after =
        |mark: &'static str, end: &'static str| text.split(mark).skip(1).filter_map(move |rest| rest.split(end).next());
    let file = |target: &str| !target.contains("://") && !target.is_empty() && !target.contains(char::is_whitespace);
    let links = after("](", ")").chain(after("src=\"", "\""));
    links.filter_map(|target| target.split('#').next()).filter(move |target| file(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_files_are_looked_at() {
        let text = "[a](docs/a.md), [b](docs/b.md#part), [c](https://c.org/d.md), [d](#here), <img src=\"e.png\">";
        assert_eq!(targets(text).collect::<Vec<_>>(), ["docs/a.md", "docs/b.md", "e.png"]);
    }
}
