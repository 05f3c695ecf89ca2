//! Tests of DXP messages: parsing, printing, and invalid messages.

use soffio::rules::Variant;
use soffio_match::dxp::{DxpAnswer, DxpMessage, MessageError, check_variant, unusual_start};

/// The examples in the specification, and messages that clients send.
const VALID: [&str; 16] = [
    "R01Tornado voor Windows 4.0        W060065A",
    "R01DXP Client                      Z000000BZeeeeeeeeeezzzzzzzzzzeeeeeeeeeewwwwwwwwwweeeeeeeeWZ",
    "ATornado voor Windows 4.0        0",
    "ATornado voor Windows 4.0        3",
    "M0012061100",
    "M001205250422122320",
    "M9999500100",
    "E00",
    "E31",
    "E21",
    "B005Z",
    "B001W",
    "K0",
    "K2",
    "CWhat do you think about move 35?",
    "C",
];

#[test]
fn every_message_is_printed_as_it_was_parsed() {
    for text in VALID {
        assert_eq!(DxpMessage::read(text).map(|message| message.to_string()), Ok(text.to_owned()));
    }
}

#[test]
fn a_move_lists_the_captured_pieces() {
    let Ok(DxpMessage::Move { seconds, record }) = DxpMessage::read("M001205250422122320") else { panic!() };
    assert_eq!((seconds, record.to_string()), (12, "5x25x22x12x23x20".to_owned()));
}

#[test]
fn messages_that_change_a_game_must_be_exact() {
    for text in [
        "R01short",
        "R01Tornado voor Windows 4.0        B060065A",
        "R01Tornado voor Windows 4.0        W0x0065A",
        "R01Tornado voor Windows 4.0        W060065Q",
        "R01Tornado voor Windows 4.0        W060065AX",
        "R01Tornado voor Windows 4.0        W060065BWeee",
        "AShort0",
        "ATornado voor Windows 4.0        7",
        "M",
        "M0012",
        "M00120611",
        "M0012001100",
        "M00120611+1",
        "M0012061101",
        "M00120611012",
        "M001206110022",
        "M0012é61100",
        "E",
        "E7",
        "E000",
        "B05Z",
        "B005X",
        "K",
        "K5",
    ] {
        assert!(matches!(DxpMessage::read(text), Err(MessageError::Malformed { .. })), "{text}");
    }
    assert!(matches!(DxpMessage::read("R02Tornado voor Windows 4.0        W060065A"), Err(MessageError::Version)));
    for text in ["", "X", "GET / HTTP/1.1", "\u{7}"] {
        assert!(matches!(DxpMessage::read(text), Err(MessageError::Unknown(_))), "{text}");
    }
}

#[test]
fn sent_messages_follow_the_layout() {
    let long = DxpMessage::Accept { name: "é".repeat(40), answer: DxpAnswer::Yes }.to_string();
    assert_eq!(long, format!("A{}0", "?".repeat(32)));
    assert_eq!(DxpMessage::Chat("x\0".repeat(99)).to_string().len(), 127);
}

#[test]
fn positions_survive_a_round_trip() {
    let spec = Variant::International.spec();
    let read = |text: &str| unusual_start(&text.parse().unwrap(), spec).unwrap();
    assert_eq!(read("W:W31-50:B1-20"), None, "the start position is never sent");
    assert!(read("B:W31-50:B1-20").is_some());
    for text in ["B:W31,K46:B5,K6", "W:WK50:BK1,2"] {
        assert_eq!(read(text).unwrap().record().to_string(), text);
    }
    assert!(unusual_start(&"W:W51:B1".parse().unwrap(), spec).is_err());
}

#[test]
fn dxp_supports_only_games_on_10x10_boards() {
    let supported: Vec<_> =
        Variant::listed().filter(|&variant| check_variant(variant).is_ok()).map(Variant::name).collect();
    assert_eq!(supported, ["international", "frisian", "frysk", "killer", "breakthrough", "losing"]);
    let error = check_variant(Variant::English).unwrap_err().to_string();
    assert_eq!(error, "DXP supports only games on a 10x10 board, not english");
}
