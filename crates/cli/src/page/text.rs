//! Text as XML has it, which pages and pictures are written in.

use std::fmt;

/// Whether XML can have the character.
pub fn is_xml_character(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Text between tags or in an attribute, as it is displayed. Characters that XML cannot have become question marks.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            c if is_xml_character(c) => write!(f, "{c}"),
            _ => f.write_str("?"),
        })
    }
}

/// `json`, which has no character that ends the element of a script, or means anything in XML.
pub(super) fn script_json(json: &str) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_means_something_else() {
        assert_eq!(Escaped("<a href=\"x\">&\u{0}\u{ffff}é").to_string(), "&lt;a href=&quot;x&quot;&gt;&amp;??é");
        assert_eq!(script_json("\"</script><!--&]]>\""), "\"\\u003c/script\\u003e\\u003c!--\\u0026]]\\u003e\"");
    }
}
