//! Encodings of PDN files, and locations in their text by line and column. The encoding of an old file must be guessed.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use derive_more::Display;
use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, KOI8_U, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

/// A text encoding. It is parsed from one of its usual names, such as `cp1251`, `cp866`, `koi8-r`, `latin2` or `utf-8`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}", _0.name())]
pub struct TextEncoding(&'static Encoding);

impl FromStr for TextEncoding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected the name of an encoding such as cp1251, cp866, koi8-r, latin1, latin2, utf-8, \
                                utf-16le or utf-16be";
        Encoding::for_label_no_replacement(text.as_bytes()).map(Self).ok_or(EXPECTED)
    }
}

/// Encodings of old Cyrillic files.
const CYRILLIC: [&Encoding; 3] = [WINDOWS_1251, KOI8_U, IBM866];

/// Encodings of old files from Central Europe.
const CENTRAL_EUROPEAN: [&Encoding; 2] = [WINDOWS_1250, ISO_8859_2];

/// Maximum number of bytes to pass to the encoding detector, which receives only the lines with non-ASCII characters.
const SAMPLE: usize = 1 << 16;

/// Number of bytes at the start of a file in which UTF-16 is detected.
const UTF_16_SAMPLE: usize = 1 << 12;

/// Maximum number of bytes of a line to read at a time when guessing the encoding.
const LINE: u64 = 1 << 24;

impl TextEncoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(UTF_8);

    /// Guesses the encoding of `bytes`. UTF-16 is recognised by its byte order mark or by its high bytes.
    /// Otherwise, valid UTF-8 is read as UTF-8, text that looks Cyrillic or Central European is read as the detected
    /// legacy encoding, and other text is read as Windows-1252, a superset of Latin-1. This includes invalid UTF-8
    /// after a byte order mark.
    pub fn guess(bytes: &[u8]) -> Self {
        Self::detect(bytes).unwrap_or(Self(WINDOWS_1252))
    }

    /// Returns the encoding that a byte order mark determines, or `fallback` if there is no mark or the text after it
    /// is not valid UTF-8.
    pub fn from_bom_or(mut input: impl BufRead, fallback: Self) -> io::Result<Self> {
        if Encoding::for_bom(input.fill_buf()?).is_none() {
            return Ok(fallback);
        }
        Self::detect(input).map(|found| if found.is_unicode() { found } else { fallback })
    }

    /// Guesses the encoding of a file as [`TextEncoding::guess`] does. Unless it is UTF-16, reads `input` to its end.
    pub fn detect(mut input: impl BufRead) -> io::Result<Self> {
        if let Some(wide) = Self::detect_utf_16(input.fill_buf()?) {
            return Ok(wide);
        }
        let (mut line, mut sample, mut is_utf8, mut is_first) = (Vec::new(), Vec::new(), true, true);
        while input.by_ref().take(LINE).read_until(b'\n', &mut line)? > 0 {
            if let Some((_, length)) = Encoding::for_bom(&line).filter(|_| is_first) {
                line.drain(..length);
            }
            if !line.is_ascii() {
                is_utf8 &= std::str::from_utf8(&line).is_ok();
                sample.extend(line.iter().take(SAMPLE - sample.len().min(SAMPLE)));
            }
            is_first = false;
            line.clear();
        }
        if is_utf8 {
            return Ok(Self(UTF_8));
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&sample, true);
        let guessed = detector.guess(None, Utf8Detection::Deny);
        // Other guesses are too unreliable if only a few names contain non-ASCII characters.
        let is_likely = CYRILLIC.contains(&guessed)
            || CENTRAL_EUROPEAN.contains(&guessed) && has_words_unlike_windows_1252(guessed, &sample);
        Ok(Self(if is_likely { guessed } else { WINDOWS_1252 }))
    }

    /// Returns whether this encoding is UTF-16.
    pub(super) fn is_utf_16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
    }

    /// Returns UTF-16 in the byte order of `bytes`, or `None` if `bytes` are not UTF-16. Without a byte order mark,
    /// UTF-16 is detected from the high bytes of the first characters, which are small in every alphabet and 0 in
    /// ASCII. Text in other encodings contains few control characters.
    pub(super) fn detect_utf_16(bytes: &[u8]) -> Option<Self> {
        if let Some((marked, _)) = Encoding::for_bom(bytes) {
            return Some(Self(marked)).filter(|marked| marked.is_utf_16());
        }
        let start = bytes.get(..UTF_16_SAMPLE).unwrap_or(bytes);
        let below = |limit, first| start.iter().skip(first).step_by(2).filter(|&&byte| byte < limit).count();
        let are_high = |first| below(b' ', first) > start.len() * 3 / 8 && below(1, first) > 8 * below(1, 1 - first);
        [(1, UTF_16LE), (0, UTF_16BE)].into_iter().find(|&(first, _)| are_high(first)).map(|(_, found)| Self(found))
    }

    /// Encodes `text`. UTF-8 is used if this encoding is UTF-16. Characters that the encoding lacks are replaced by
    /// references such as `&#1046;`.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        self.0.encode(text).0
    }

    /// Encodes `text` as [`TextEncoding::encode`] does.
    ///
    /// # Errors
    ///
    /// Returns the first character that the encoding lacks.
    pub fn try_encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        let (bytes, _, has_gaps) = self.0.encode(text);
        let is_missing = |c: &char| self.0.encode(c.encode_utf8(&mut [0; 4])).2;
        let missing = if has_gaps { text.chars().find(is_missing) } else { None };
        missing.map_or(Ok(bytes), Err)
    }

    /// Returns whether text can be written in this encoding. UTF-16 can only be read.
    pub fn can_encode(self) -> bool {
        self.0.output_encoding() == self.0
    }

    /// Returns whether [`TextEncoding::encode`] writes UTF-8.
    pub fn is_unicode(self) -> bool {
        self.0.output_encoding() == UTF_8
    }

    /// Decodes the contents of a file. A byte order mark takes precedence over this encoding, unless the text after it
    /// is not valid UTF-8. If the file ends its lines with carriage returns only, these are replaced by line feeds.
    pub fn decode(self, bytes: &[u8]) -> PdnText {
        let text = self.decode_block(bytes);
        // Some old systems ended lines with a lone carriage return.
        let is_replaced = text.text.contains('\r') && !text.text.contains('\n');
        if is_replaced { PdnText { text: text.text.replace('\r', "\n"), ..text } } else { text }
    }

    /// Decodes a part of a file like [`TextEncoding::decode`], but keeps its line ends.
    pub(super) fn decode_block(self, bytes: &[u8]) -> PdnText {
        let mark = Encoding::for_bom(bytes);
        let unmarked = mark.and_then(|(_, length)| bytes.get(length..)).unwrap_or(bytes);
        let is_valid = |marked| marked != UTF_8 || std::str::from_utf8(unmarked).is_ok();
        let encoding = mark.map(|(marked, _)| marked).filter(|&marked| is_valid(marked)).unwrap_or(self.0);
        let (text, _) = encoding.decode_without_bom_handling(unmarked);
        PdnText { text: text.into_owned(), encoding, is_marked: mark.is_some() }
    }
}

/// Returns whether a word in `bytes` contains a letter of the single-byte `encoding` that is another character in
/// Windows-1252. Symbols such as `±` and `½` are letters in other encodings, but usually stand apart.
fn has_words_unlike_windows_1252(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let characters = |encoding: &'static Encoding| encoding.decode_without_bom_handling(bytes).0.into_owned();
    let (text, western) = (characters(encoding), characters(WINDOWS_1252));
    let letters: Vec<_> = text.chars().map(char::is_alphabetic).collect();
    let is_letter = |index: Option<usize>| index.and_then(|index| letters.get(index)) == Some(&true);
    text.chars().zip(western.chars()).enumerate().any(|(index, (letter, western))| {
        let (before, after) = (is_letter(index.checked_sub(1)), is_letter(index.checked_add(1)));
        // Quotation marks touch a word on one side.
        let is_in_word = if matches!(western, '«' | '»') { before && after } else { before || after };
        letter != western && is_letter(Some(index)) && is_in_word
    })
}

/// The text of a file and its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnText {
    /// The decoded text, without the byte order mark.
    pub text: String,
    is_marked: bool,
    encoding: &'static Encoding,
}

/// Decodes a file in the guessed encoding. If a wrong single-byte encoding is guessed, some characters are wrong, but
/// encoding the text again restores the bytes of the file.
pub fn decode(bytes: &[u8]) -> PdnText {
    TextEncoding::guess(bytes).decode(bytes)
}

impl PdnText {
    /// Encodes `text` in the encoding of the file, or in UTF-8 if the file is in UTF-16.
    pub fn encode<'a>(&self, text: &'a str) -> Cow<'a, [u8]> {
        self.encoding().encode(text)
    }

    /// Returns the byte order mark for a copy of the file. It is empty if the file has no mark. If a file has a mark
    /// although it is not in UTF-8, its copy has the mark as well.
    pub fn mark(&self) -> &'static [u8] {
        if self.is_marked { b"\xef\xbb\xbf" } else { b"" }
    }

    /// Returns the encoding of the file.
    pub fn encoding(&self) -> TextEncoding {
        TextEncoding(self.encoding)
    }
}

/// Returns the number of line ends: line feeds, and carriage returns without a line feed.
pub(super) fn line_ends(text: &str) -> usize {
    (0..text.len()).filter(|&offset| is_line_end_at(text.as_bytes(), offset)).count()
}

/// Returns whether the byte at `offset` ends a line. A carriage return before a line feed does not.
fn is_line_end_at(bytes: &[u8], offset: usize) -> bool {
    match bytes.get(offset) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(offset + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// A line and column in a text.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("line {line} column {column}")]
pub struct Location {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Locator<'a> {
    text: &'a str,
    offset: usize,
    location: Location,
}

impl<'a> Locator<'a> {
    pub(super) fn new(text: &'a str, line: usize) -> Self {
        Self { text, offset: 0, location: Location { line, column: 1 } }
    }

    /// Returns the location that the last call to [`Locator::locate`] returned.
    pub(super) fn location(&self) -> Location {
        self.location
    }

    /// Returns the location of the byte at `offset`. The offset must not be less than in the previous call.
    pub(super) fn locate(&mut self, offset: usize) -> Location {
        let bytes = self.text.as_bytes();
        for (at, &byte) in (self.offset..).zip(bytes.get(self.offset..offset).unwrap_or_default()) {
            match byte {
                b'\n' | b'\r' if is_line_end_at(bytes, at) => {
                    self.location = Location { line: self.location.line + 1, column: 1 };
                }
                // A continuation byte of UTF-8 does not begin a character.
                0x80..=0xbf => {}
                _ => self.location.column += 1,
            }
        }
        self.offset = self.offset.max(offset);
        self.location
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_and_written_back() {
        for (bytes, text) in [
            (&b"[White \"Andr\xe9\"]"[..], "[White \"André\"]"),
            ("[White \"André\"]".as_bytes(), "[White \"André\"]"),
            (b"\xef\xbb\xbf1-0", "1-0"),
            (b"\xef\xbb\xbf[White \"Andr\xe9\"]", "[White \"André\"]"),
            (b"\xff\xfe*\0", "*"),
            (b"*\0", "*"),
            (b"\0*", "*"),
            (b"[\0E\0 \0\"\0\x16\x04\"\0]\0", "[E \"Ж\"]"),
            (b"\0\n\0[", "\n["),
            (b"1.\r32-28\r*", "1.\n32-28\n*"),
            (b"1. 32-28\0 *\0", "1. 32-28\0 *\0"),
        ] {
            assert_eq!(decode(bytes).text, text);
        }
        let all: Vec<u8> = (0x80..=0xff).collect();
        let read = decode(&all);
        assert_eq!(read.encode(&read.text), all);
        let cyrillic: Vec<u8> = b"[White \"\xc8\xe2\xe0\xed\xee\xe2\"] ".iter().copied().chain(0x80..=0xff).collect();
        for label in ["cp1251", "cp866", "koi8-r", "koi8-u", "latin2", "cp1250", "latin1"] {
            let read = label.parse::<TextEncoding>().unwrap().decode(&cyrillic);
            assert_eq!(read.encode(&read.text), cyrillic, "{label}");
        }
        assert_eq!(decode("é".as_bytes()).encode("é"), "é".as_bytes());
        assert_eq!(decode(b"\xff\xfe*\0").encode("é"), "é".as_bytes());
        let latin = "latin1".parse::<TextEncoding>().unwrap();
        assert_eq!(latin.try_encode("é").as_deref(), Ok(&b"\xe9"[..]));
        assert_eq!(latin.try_encode("éЖИ"), Err('Ж'));
        for (bytes, encoding) in
            [(&b"\xef\xbb\xbf\xc3\xa9"[..], TextEncoding::UTF_8), (b"\xc3\xa9", latin), (b"\xef\xbb\xbf\xe9", latin)]
        {
            assert_eq!(TextEncoding::from_bom_or(bytes, latin).unwrap(), encoding);
        }
    }

    fn named(encoding: &'static Encoding, name: &str) -> Option<Vec<u8>> {
        let (bytes, _, has_gaps) = encoding.encode(name);
        let record = [b"[Event \"x\"]\n[White \"", &*bytes, b"\"]\n1. c3-d4 *\n"].concat();
        (!has_gaps).then_some(record)
    }

    #[test]
    fn cyrillic_names_are_detected_and_western_ones_kept() {
        let cyrillic = ["Иванов", "Чижов Алексей", "МОСКВА", "Чемпионат СССР", "Андреев, Василий", "ничья", "Павел"];
        for (encoding, name) in CYRILLIC.iter().flat_map(|encoding| cyrillic.map(|name| (encoding, name))) {
            let text = named(encoding, name).map(|bytes| decode(&bytes).text);
            assert!(text.is_some_and(|text| text.contains(name)), "{name} in {}", encoding.name());
        }
        let western = [
            "André", "Jürgen Müller", "Björn Ångström", "Città", "José María", "Peñarol", "Fædrelandet", "Jõgi", "½-½",
            "N°. 5", "été à Nîmes", "T. Sijbrands – Gantwarg", "“quoted”", "FRANÇOIS", "GÖTEBORG", "Überfall", "é",
            "ÀÁÂ", "« beau coup »", "«bon»", "± £", "±", "£5", "5 £", "1ª", "Nº 5", "¡Bravo!", "¿Por qué?",
            "© 2004 KNDB", "®", "2¾", "x²", "x³", "5 µ", "§ 3", "a · b", "¥", "»", "e9: ±0,5", "White ±", "¦",
            "¹ note", "†", "•", "…", "André ± Müller", "«André»", "« Ça », 2¾",
        ];
        for name in western {
            let text = named(WINDOWS_1252, name).map(|bytes| decode(&bytes).text);
            assert!(text.is_some_and(|text| text.contains(name)), "{name}");
        }
    }

    #[test]
    fn central_european_names_are_detected() {
        let names = [
            "Wałęsa",
            "Dvořák",
            "Jiří Šebesta",
            "Mistrovství České republiky",
            "Kovačević",
            "Łódź",
            "Świata",
            "Žižka",
            "Baťa",
            "Wąs",
            "Šťastný",
        ];
        for (encoding, name) in CENTRAL_EUROPEAN.iter().flat_map(|encoding| names.map(|name| (encoding, name))) {
            let text = named(encoding, name).map(|bytes| decode(&bytes).text);
            assert!(text.is_some_and(|text| text.contains(name)), "{name} in {}", encoding.name());
        }
    }

    #[test]
    fn an_encoding_is_declared_or_detected_from_the_whole_file() {
        let latin2 = named(encoding_rs::ISO_8859_2, "Wałęsa").unwrap();
        assert!("latin2".parse::<TextEncoding>().unwrap().decode(&latin2).text.contains("Wałęsa"));
        assert!("klingon".parse::<TextEncoding>().is_err());
        let late = [b"1. c3-d4 *\n".repeat(100_000), named(WINDOWS_1251, "Иванов").unwrap()].concat();
        assert_eq!(TextEncoding::guess(&late), TextEncoding(WINDOWS_1251));
        assert_eq!(TextEncoding::guess("é\nИванов\n".as_bytes()), TextEncoding(UTF_8));
        assert_eq!("cp1251".parse::<TextEncoding>().unwrap().to_string(), "windows-1251");
    }

    #[test]
    fn lines_and_columns_are_counted_incrementally() {
        let text = "a\néb\r\n\nc";
        let mut locator = Locator::new(text, 1);
        let found = [0, 1, 2, 4, 7, 8, 9].map(|offset| (locator.locate(offset).line, locator.locate(offset).column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
        let mut locator = Locator::new("a\rb\r\nc\r\r", 1);
        assert_eq!([1, 2, 5, 8].map(|offset| locator.locate(offset).line), [1, 2, 3, 5]);
        assert_eq!(line_ends("a\rb\r\nc\r\r"), 4);
    }
}
