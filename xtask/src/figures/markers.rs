//! The markers between which tables stand in Markdown files.

use anyhow::{Result, bail};

const BEGIN: &str = "<!-- figures: ";
const END: &str = "<!-- end of figures -->";

/// The text with every table between two markers rewritten. Code blocks are left alone.
pub fn renew(text: &str, table: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut renewed = String::new();
    let (mut code, mut inside) = (false, false);
    for line in text.lines() {
        if inside {
            if line.starts_with(BEGIN) {
                bail!("`{line}` stands before the `{END}` of the table above");
            }
            inside = line != END;
            if inside {
                continue;
            }
        }
        renewed.push_str(line);
        renewed.push('\n');
        code ^= line.starts_with("```");
        if let Some(request) = line.strip_prefix(BEGIN).filter(|_| !code) {
            let Some(request) = request.strip_suffix(" -->") else { bail!("`{line}` does not end with `-->`") };
            renewed.push_str(&format!("\n{}\n", table(request)?));
            inside = true;
        }
    }
    if inside {
        bail!("the last table has no `{END}`");
    }
    Ok(renewed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(request: &str) -> Result<String> {
        Ok(format!("{request} {request}\n"))
    }

    #[test]
    fn tables_are_rewritten_and_nothing_else() {
        let code = "```\n<!-- figures: z -->\n```\n";
        let old = format!("# A\n\n<!-- figures: x -->\nold\n<!-- end of figures -->\n\n{code}");
        let new = format!("# A\n\n<!-- figures: x -->\n\nx x\n\n<!-- end of figures -->\n\n{code}");
        assert_eq!(renew(&old, twice).unwrap(), new);
        assert_eq!(renew(&new, twice).unwrap(), new, "a second time changes nothing");
    }

    #[test]
    fn a_marker_without_its_end_is_refused() {
        assert!(renew("<!-- figures: a -->\n", twice).is_err());
        assert!(renew("<!-- figures: a -->\n<!-- figures: b -->\n<!-- end of figures -->\n", twice).is_err());
        assert!(renew("<!-- figures: a\n<!-- end of figures -->\n", twice).is_err());
    }
}
