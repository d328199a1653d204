"""What the bus tells the people who watch it."""

from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram

log = structlog.get_logger("cardroom.bus")

ALARMS: Final = Counter(
    "cardroom_bus_alarms_total", "Things on the bus that a person must look at.", ["who", "kind"]
)
HANDLED: Final = Counter(
    "cardroom_bus_messages_total", "Messages by what became of them.", ["who", "source", "outcome"]
)
PARKED: Final = Gauge("cardroom_bus_stopped_keys", "Keys that have parked messages.", ["who"])
HALTED: Final = Gauge(
    "cardroom_bus_halted_partitions", "Partitions that wait for a missing message.", ["who"]
)
EFFECT_SECONDS: Final = Histogram(
    "cardroom_bus_handle_seconds",
    "Time to handle one message, effects stored.",
    ["who", "source"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)
LAG: Final = Gauge(
    "cardroom_bus_unpublished_events", "Events of a log that are not published yet.", ["who"]
)


def alarm(who: str, kind: str, **facts: object) -> None:
    """Count and log something that a person must look at.

    Args:
        who: the follower or inbox.
        kind: what it is, in snake case; the same word stands in docs/operations/bus.md.
        facts: what a person needs to find the cause.
    """
    ALARMS.labels(who, kind).inc()
    log.error(kind, who=who, **facts)
