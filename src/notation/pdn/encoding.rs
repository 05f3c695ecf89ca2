//! The text of a file of game records. Old files do not say in which encoding they are.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// The text of a file, and how to write it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnText {
    /// The text, with lines ended by line feeds.
    pub text: String,
    encoding: &'static Encoding,
}

/// The text of a file: in the encoding of its byte order mark; or UTF-8; or else Windows-1252, the superset of Latin-1. Text
/// in another single-byte encoding is then displayed wrongly, but written back unchanged.
pub fn decode(bytes: &[u8]) -> PdnText {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let guessed = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    let encoding = marked.unwrap_or_else(guessed);
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    // Old computers ended lines with a carriage return alone.
    let text = if text.contains('\n') { text.into_owned() } else { text.replace('\r', "\n") };
    PdnText { text, encoding }
}

impl PdnText {
    /// `text` in the encoding of the file, or in UTF-8 where that is UTF-16.
    pub fn encode<'a>(&self, text: &'a str) -> Cow<'a, [u8]> {
        self.encoding.encode(text).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_and_written_again() {
        for (bytes, text) in [
            (&b"[White \"Andr\xe9\"]"[..], "[White \"André\"]"),
            ("[White \"André\"]".as_bytes(), "[White \"André\"]"),
            (b"\xef\xbb\xbf1-0", "1-0"),
            (b"\xff\xfe*\0", "*"),
            (b"1.\r32-28\r*", "1.\n32-28\n*"),
        ] {
            assert_eq!(decode(bytes).text, text);
        }
        let all: Vec<u8> = (0x80..=0xff).collect();
        let read = decode(&all);
        assert_eq!(read.encode(&read.text), all);
        assert_eq!(decode("é".as_bytes()).encode("é"), "é".as_bytes());
        assert_eq!(decode(b"\xff\xfe*\0").encode("é"), "é".as_bytes());
    }
}
