//! A chain holds as it was written, and at no other version, topic, stream or byte.

use chain::{own_hash, Chain, Hash};

const STREAM: &str = "hand/r1/t1/000001";
const NO_HASH: Hash = [0; 32];

/// An envelope of an event and one more element.
fn envelope(previous: &Hash, event: &[u8]) -> Vec<u8> {
    [&[0x93, 0xc4, 32][..], previous, event, &[0xc0]].concat()
}

fn state(version: u64, topic: &str, envelope: &[u8]) -> Vec<u8> {
    [&own_hash(STREAM, version, topic, envelope)[..], envelope].concat()
}

fn hash_of(state: &[u8]) -> Hash {
    state[..32].try_into().unwrap()
}

/// Two events that follow each other.
fn two() -> (Vec<u8>, Vec<u8>) {
    let first = state(1, "a.B.v1", &envelope(&NO_HASH, &[0x81, 0xa1, b'x', 0x07]));
    let second = state(2, "a.C.v1", &envelope(&hash_of(&first), &[0x92, 0x01, 0x02]));
    (first, second)
}

#[test]
fn the_hash_is_that_of_the_known_form() {
    // SHA-256 of the parts, each with its length in eight bytes before it, worked out elsewhere.
    let hex: String =
        own_hash("a/b", 3, "c.D.v1", b"xyz").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "c297f6eddbe708b3816498aaa95d9caf3e1d596ff11ed4978be6aa6e7cf6d113");
}

#[test]
fn events_are_found_in_order() {
    let (first, second) = two();
    let mut chain = Chain::new(STREAM, Some(NO_HASH));
    assert_eq!(chain.event(1, "a.B.v1", &first), Some(&[0x81, 0xa1, b'x', 0x07][..]));
    assert_eq!(chain.event(2, "a.C.v1", &second), Some(&[0x92, 0x01, 0x02][..]));
}

#[test]
fn every_bit_counts() {
    let (first, second) = two();
    for at in 0..second.len() * 8 {
        let mut forged = second.clone();
        forged[at / 8] ^= 1 << (at % 8);
        let mut chain = Chain::new(STREAM, Some(NO_HASH));
        assert!(chain.event(1, "a.B.v1", &first).is_some());
        assert_eq!(chain.event(2, "a.C.v1", &forged), None, "bit {at}");
    }
}

#[test]
fn stream_version_and_topic_count() {
    let (first, second) = two();
    assert_eq!(Chain::new("hand/r1/t1/000002", None).event(1, "a.B.v1", &first), None);
    assert_eq!(Chain::new(STREAM, None).event(1, "a.B.v2", &first), None);
    assert_eq!(Chain::new(STREAM, None).event(2, "a.C.v1", &second), None);
    let mut chain = Chain::new(STREAM, None);
    assert!(chain.event(1, "a.B.v1", &first).is_some());
    assert_eq!(chain.event(1, "a.B.v1", &first), None);
}

#[test]
fn a_link_that_does_not_hold_is_seen() {
    let (first, _) = two();
    let apart = state(2, "a.C.v1", &envelope(&NO_HASH, &[0xc0]));
    let mut chain = Chain::new(STREAM, None);
    assert!(chain.event(1, "a.B.v1", &first).is_some());
    assert_eq!(chain.event(2, "a.C.v1", &apart), None);
    assert_eq!(Chain::new(STREAM, Some([7; 32])).event(1, "a.B.v1", &first), None);
    assert!(Chain::new(STREAM, None).event(1, "a.B.v1", &first).is_some());
}

#[test]
fn what_carries_its_hash_and_is_no_envelope_is_refused() {
    for wrong in [
        &b""[..],
        &[0x91][..],
        &[0x90, 0xc4, 32][..],
        &[&[0x91, 0xc4, 32][..], &NO_HASH, &[0xc0]].concat(),
        &[&[0x92, 0xc4, 32][..], &NO_HASH].concat(),
        &[&[0x92, 0xd9, 32][..], &NO_HASH, &[0xc0]].concat(),
        &[&[0x82, 0xc4, 32][..], &NO_HASH, &[0xc0]].concat(),
    ] {
        assert_eq!(Chain::new(STREAM, None).event(1, "a.B.v1", &state(1, "a.B.v1", wrong)), None);
    }
    assert_eq!(Chain::new(STREAM, None).event(1, "a.B.v1", &[0; 31]), None);
}
