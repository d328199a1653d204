"""Events: what happened, in bare frozen values, and how a context lists the kinds it stores."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A fact of one stream; subclasses name their topic by `tag`, for example `"tables.HandStarted.v1"`.

    A class whose fields hold personal data or unshown cards lists them in `confidential` and names in `subject` the
    field whose value owns the key. The store writes such fields as ciphertext under that key and reads them back as
    they were, or as None once the key is gone; so a confidential field's type must allow None.
    """

    confidential: ClassVar[tuple[str, ...]] = ()
    subject: ClassVar[str] = ""


class CarriedForward(Event, frozen=True):
    """The first event of a stream's next gaming day; subclasses carry the state that goes on.

    The shell writes it to the stream id of `gaming_day` and chains it to the last event of the day before, so its
    envelope's previous hash names that event.

    Args:
        gaming_day: the gaming day that begins, as YYYY-MM-DD.
    """

    gaming_day: str


Upcaster = Callable[[bytes], bytes]
"""From the stored event bytes (msgpack) of an old topic to those of the topic that follows it."""


class EventTypes:
    """The closed list of events that one context stores."""

    def __init__(
        self,
        context: str,
        types: Iterable[type[Event]],
        upcasters: Mapping[str, tuple[str, Upcaster]] | None = None,
    ) -> None:
        """List the event types.

        Args:
            context: the context's name, the first part of each of its topics.
            types: the event classes, each with an explicit tag.
            upcasters: retired topic -> (topic that follows it, pure function over the stored event bytes).

        Raises:
            ValueError: a class has no explicit topic, or two classes have the same.
        """
        self.context = context
        self.by_topic: dict[str, type[Event]] = {}
        self.upcasters = dict(upcasters or {})
        for cls in types:
            topic = topic_of(cls)
            if topic.count(".") != 2:  # context.Name.vN
                raise ValueError(
                    f"event class {cls.__name__}: topic {topic!r} is not of the form context.Name.vN"
                )
            if self.by_topic.setdefault(topic, cls) is not cls:
                raise ValueError(f"topic {topic!r} is borne by two event classes")
        self._decoders = {
            topic: msgspec.msgpack.Decoder(cls) for topic, cls in self.by_topic.items()
        }

    def decoders(self) -> dict[str, Callable[[bytes | msgspec.Raw], Event]]:
        """Return a decoder for each topic of this release, for reading much at once."""
        return {topic: decoder.decode for topic, decoder in self._decoders.items()}

    def decode(self, topic: str, data: bytes | msgspec.Raw) -> Event:
        """Decode stored event bytes, through upcasters where the topic is an old one.

        Raises:
            KeyError: the topic is none of this context's.
            msgspec.ValidationError: the bytes do not fit the topic's class.
        """
        while topic in self.upcasters:
            topic, upcast = self.upcasters[topic]
            data = upcast(bytes(data))
        return self._decoders[topic].decode(data)


def topic_of(event: Event | type[Event]) -> str:
    """Return the topic under which an event or event class is stored."""
    config: Any = (event if isinstance(event, type) else type(event)).__struct_config__
    return str(config.tag)
