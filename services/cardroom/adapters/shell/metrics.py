"""What the command loop tells those who watch it."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

COMMANDS: Final = Counter(
    "cardroom_commands_total",
    "Commands by what became of them.",
    ["context", "outcome"],
)
EVENTS: Final = Counter("cardroom_events_total", "Events recorded.", ["context"])
CONFLICTS: Final = Counter(
    "cardroom_conflicts_total",
    "Decisions taken again after another process was faster.",
    ["context"],
)
BATCH: Final = Histogram(
    "cardroom_commit_commands",
    "Commands saved by one transaction.",
    ["context"],
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
COMMIT_SECONDS: Final = Histogram(
    "cardroom_commit_seconds",
    "Time of one transaction.",
    ["context"],
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)
WAITING: Final = Gauge("cardroom_waiting_commands", "Commands not answered yet.", ["context"])
CACHED: Final = Gauge("cardroom_cached_streams", "Streams in memory.", ["context"])
LOST: Final = Counter(
    "cardroom_connections_lost_total", "Connections lost while committing.", ["context"]
)
HELD: Final = Gauge(
    "cardroom_held_deadlines", "Deadlines that wait for a floorperson after an outage.", ["context"]
)
UNSEALED: Final = Gauge("cardroom_unsealed_events", "Events since the last seal.", ["context"])
UNPUBLISHED_SEALS: Final = Gauge(
    "cardroom_unpublished_seals", "Seals that the second anchor is not known to have.", ["context"]
)
