//! As much of msgpack as it takes to find an envelope's first two elements.

use crate::{Hash, HASH_BYTES};

/// The hash of the event before and the event's own bytes: the first two elements of an envelope.
pub(crate) fn link(envelope: &[u8]) -> Option<(&Hash, &[u8])> {
    let (&head, rest) = envelope.split_first()?;
    let (elements, rest) = match head {
        0x90..=0x9f => (u64::from(head & 0x0f), rest),
        0xdc => number(rest, 2)?,
        0xdd => number(rest, 4)?,
        _ => return None,
    };
    let hash = rest.strip_prefix(&[0xc4, HASH_BYTES as u8])?;
    let (previous, rest) = hash.split_first_chunk::<HASH_BYTES>()?;
    if elements < 2 {
        return None;
    }
    rest.get(..value_bytes(rest)?).map(|event| (previous, event))
}

/// How many bytes the value that begins here takes; None where it does not end.
pub(crate) fn value_bytes(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    let mut due: u64 = 1;
    while due > 0 {
        due -= 1;
        let (&head, after) = rest.split_first()?;
        rest = after;
        let (skipped, inside) = match head {
            0x00..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => (0, 0),
            0x80..=0x8f => (0, 2 * u64::from(head & 0x0f)),
            0x90..=0x9f => (0, u64::from(head & 0x0f)),
            0xa0..=0xbf => (u64::from(head & 0x1f), 0),
            // Binary, extension and text with their length before them; an extension's type comes after it.
            0xc4..=0xc6 | 0xc7..=0xc9 | 0xd9..=0xdb => {
                let (width, kind) = match head {
                    0xc4..=0xc6 => (1 << (head - 0xc4), 0),
                    0xc7..=0xc9 => (1 << (head - 0xc7), 1),
                    _ => (1 << (head - 0xd9), 0),
                };
                let (length, after) = number(rest, width)?;
                rest = after;
                (length + kind, 0)
            }
            0xca | 0xce | 0xd2 => (4, 0),
            0xcb | 0xcf | 0xd3 => (8, 0),
            0xcc | 0xd0 => (1, 0),
            0xcd | 0xd1 => (2, 0),
            0xd4..=0xd8 => (1 + (1 << (head - 0xd4)), 0),
            0xdc..=0xdf => {
                let (count, after) = number(rest, if head & 1 == 0 { 2 } else { 4 })?;
                rest = after;
                (0, if head < 0xde { count } else { 2 * count })
            }
            0xc1 => return None,
        };
        rest = rest.get(usize::try_from(skipped).ok()?..)?;
        due += inside;
    }
    Some(bytes.len() - rest.len())
}

/// A big-endian number of so many bytes, and what follows it.
fn number(bytes: &[u8], width: usize) -> Option<(u64, &[u8])> {
    let digits = bytes.get(..width)?;
    let value = digits.iter().fold(0, |value, &digit| value << 8 | u64::from(digit));
    Some((value, &bytes[width..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_passed_over() {
        let text = |head: &[u8], filling: usize| [head, &vec![b'x'; filling]].concat();
        let values: Vec<Vec<u8>> = vec![
            vec![0x00],
            vec![0x7f],
            vec![0xe0],
            vec![0xff],
            vec![0xc0],
            vec![0xc2],
            vec![0xc3],
            text(&[0xa3], 3),
            text(&[0xbf], 31),
            text(&[0xd9, 200], 200),
            text(&[0xda, 1, 0], 256),
            text(&[0xdb, 0, 1, 0, 0], 65_536),
            text(&[0xc4, 32], 32),
            text(&[0xc5, 1, 1], 257),
            text(&[0xc6, 0, 0, 0, 2], 2),
            text(&[0xc7, 5, 0xff], 5),
            text(&[0xc8, 0, 5, 0xff], 5),
            text(&[0xc9, 0, 0, 0, 5, 0xff], 5),
            text(&[0xd4], 2),
            text(&[0xd5], 3),
            text(&[0xd6], 5),
            text(&[0xd7], 9),
            text(&[0xd8], 17),
            text(&[0xca], 4),
            text(&[0xcb], 8),
            text(&[0xcc], 1),
            text(&[0xcd], 2),
            text(&[0xce], 4),
            text(&[0xcf], 8),
            text(&[0xd0], 1),
            text(&[0xd1], 2),
            text(&[0xd2], 4),
            text(&[0xd3], 8),
            vec![0x90],
            vec![0x92, 0x01, 0x91, 0xc0],
            vec![0xdc, 0, 2, 0x01, 0x02],
            vec![0xdd, 0, 0, 0, 1, 0x01],
            vec![0x82, 0xa1, b'a', 0x01, 0xa1, b'b', 0x93, 1, 2, 3],
            vec![0xde, 0, 1, 0x01, 0x02],
            vec![0xdf, 0, 0, 0, 1, 0x01, 0x80],
        ];
        for value in values {
            assert_eq!(value_bytes(&value), Some(value.len()), "{value:?}");
            let followed = [value.as_slice(), &[0xc0]].concat();
            assert_eq!(value_bytes(&followed), Some(value.len()), "{value:?}");
            for shorter in 0..value.len().min(300) {
                assert_eq!(value_bytes(&value[..shorter]), None, "{value:?} cut to {shorter}");
            }
        }
    }

    #[test]
    fn what_is_no_value_has_no_end() {
        assert_eq!(value_bytes(&[0xc1]), None);
        assert_eq!(value_bytes(&[]), None);
        assert_eq!(value_bytes(&[0xdf, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(value_bytes(&[0xdb, 0xff, 0xff, 0xff, 0xff, 1]), None);
    }
}
