"""Verified reading of stored streams: what takes longest in a replay, in Rust.

It knows nothing of cards. It is here because the project builds one native module; see
`docs/adr/0011-chains-verified-in-rust.md`.
"""

def chained_events(
    stream: str,
    previous: bytes | None,
    versions: list[int],
    topics: list[str],
    sizes: list[int],
    states: bytes,
    /,
) -> list[bytes] | None:
    """Verify the hash chain of a whole stream and return the bytes of its events.

    Versions must follow each other from 1; each state must carry its own hash (SHA-256 over the
    length-prefixed stream id, version, topic and envelope) and name the hash of the one before it.

    Args:
        stream: full stream id.
        previous: the hash that the first event has to name, 32 bytes; None where it may name any.
        versions: of each event, in order.
        topics: of each event.
        sizes: bytes of each state.
        states: the states, one after the other: own hash, then the envelope.

    Returns:
        Each event's msgpack bytes, in order; None where anything does not hold.

    Raises:
        TypeError: an argument has another type.
        OverflowError: a version or size is negative.
        ValueError: `previous` has another length, the lists have not one entry for each event, or
            the sizes do not add up.
    """

__all__ = ["chained_events"]
