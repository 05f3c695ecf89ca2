//! Finds which rooms of the library a source text names.

/// One place where a text names a room, as in `crate::board::Square`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub room: String,
    /// Counted from 1.
    pub line: usize,
    /// True if the place is inside a module that is only compiled for tests.
    pub in_tests: bool,
}

/// The words that a path to a room can begin with.
const ROOTS: [&str; 2] = ["crate::", "soffio::"];

/// Every room that `text` names outside comments and strings, in the order of the text.
pub fn rooms_named(text: &str) -> Vec<Naming> {
    let code = blank_comments_and_strings(text);
    let tests = test_modules(&code);
    let mut found = Vec::new();
    for root in ROOTS {
        for (start, _) in code.match_indices(root) {
            let is_whole_word = !code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !is_whole_word {
                continue;
            }
            let in_tests = tests.iter().any(|&(from, to)| (from..to).contains(&start));
            for at in first_segments(&code, start + root.len()) {
                let line = code[..at].matches('\n').count() + 1;
                found.push((at, Naming { room: word_at(&code, at).to_owned(), line, in_tests }));
            }
        }
    }
    found.sort_by_key(|&(at, _)| at);
    found.into_iter().map(|(_, naming)| naming).collect()
}

/// The word that begins at `at`.
fn word_at(code: &str, at: usize) -> &str {
    let rest = &code[at..];
    &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
}

/// Where the names begin that follow `crate::`: one, or all of the outermost level of a group in braces.
fn first_segments(code: &str, at: usize) -> Vec<usize> {
    if !code[at..].starts_with('{') {
        return vec![at];
    }
    let mut segments = Vec::new();
    let mut depth = 0;
    let mut expects_name = false;
    for (offset, c) in code[at..].char_indices() {
        match c {
            '{' => {
                depth += 1;
                expects_name = depth == 1;
            }
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' => expects_name = depth == 1,
            c if expects_name && (c.is_alphanumeric() || c == '_') => {
                segments.push(at + offset);
                expects_name = false;
            }
            _ => {}
        }
    }
    segments
}

/// The same text with comments and strings turned into spaces, so that every place keeps its offset and line.
fn blank_comments_and_strings(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if c == '"' {
            string(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            // A quotation mark as a character begins no string.
            if rest.starts_with("'\"'") { 3 } else { 4 }
        } else {
            0
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            for byte in rest[..skipped].bytes() {
                code.push(if byte == b'\n' { '\n' } else { ' ' });
            }
            rest = &rest[skipped..];
        }
    }
    code
}

/// The length of the string in quotation marks at the start of `rest`.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of the raw string at the start of `rest`, if there is one.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let open = 2 + hashes;
    Some(body.find(&end).map_or(rest.len(), |at| open + at + end.len()))
}

/// Where the modules that are only compiled for tests begin and end.
fn test_modules(code: &str) -> Vec<(usize, usize)> {
    let mut modules = Vec::new();
    for (start, _) in code.match_indices("#[cfg(test)]") {
        let mut depth = 0;
        let mut end = code.len();
        for (offset, c) in code[start..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                // A `use` or a module in a file of its own.
                ';' if depth == 0 => {}
                _ => continue,
            }
            if depth == 0 {
                end = start + offset + 1;
                break;
            }
        }
        modules.push((start, end));
    }
    modules
}
