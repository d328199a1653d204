"""What can go wrong in the shell besides a refusal; the gRPC layer maps each class to one status."""


class Conflict(Exception):  # noqa: N818 - an answer to the caller, like a refusal
    """Another process kept writing to the same streams; nothing was recorded, the caller may ask again (ABORTED)."""


class Unavailable(Exception):  # noqa: N818 - an answer to the caller
    """The store cannot be reached; asking again with the same request id is safe (UNAVAILABLE)."""


class Overloaded(Exception):  # noqa: N818 - an answer to the caller
    """Too many commands wait already; nothing was recorded (RESOURCE_EXHAUSTED)."""


class SlowReader(Exception):  # noqa: N818 - an answer to the caller
    """A watcher did not keep up and was dropped (RESOURCE_EXHAUSTED)."""


class IntegrityBroken(Exception):  # noqa: N818 - it names the state of the store
    """Stored bytes do not carry the hashes they must; the stream is not used until audit has looked at it."""


class EventUnreadable(IntegrityBroken):
    """A stored event carries its hash and still cannot be read, as after a newer release wrote it."""

    def __init__(self, stream: str, version: int, topic: str, fault: str) -> None:
        """Say which event it is and what is wrong with it.

        Args:
            stream: full stream id.
            version: version in the stream.
            topic: as stored.
            fault: what is wrong, without a confidential field's content.
        """
        super().__init__(f"{stream} version {version} ({topic}) cannot be read: {fault}")
        self.stream = stream
        self.version = version
        self.topic = topic
        self.fault = fault


class ConnectionLost(Exception):  # noqa: N818 - it names what happened
    """The store's connection broke while a batch was on its way; whether it was saved is not known."""
