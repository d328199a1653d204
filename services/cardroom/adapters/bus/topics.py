"""Topics on Apache Kafka: their names, and how they are made."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kafka import KafkaAdminClient
from kafka.errors import KafkaTimeoutError, TopicAlreadyExistsError

from cardroom.adapters.bus.metrics import log
from cardroom.adapters.bus.port import PARTITIONS, MisfitTopic

BOOTSTRAP_SECONDS: Final = 5.0
METADATA_SECONDS: Final = 0.05

KEEP_EVERYTHING: Final = {"retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """How the broker is reached and what its topics are like.

    Args:
        bootstrap: `host:port`, several separated by commas.
        prefix: first part of every topic and group name.
        partitions: partitions of each context's topic; changing it is a migration.
        replication: copies of each partition.
        session_seconds: how long a silent consumer keeps its partitions.
        security: connection settings of the client library: protocol, certificates, credentials.
    """

    bootstrap: str
    prefix: str = "cardroom"
    partitions: int = PARTITIONS
    replication: int = 1
    session_seconds: float = 10.0
    security: Mapping[str, Any] = field(default_factory=dict)

    def topic(self, context: str) -> str:
        """Return the topic of a context's messages."""
        return f"{self.prefix}.{context}.v1"

    @property
    def dead_letter_topic(self) -> str:
        """Return the topic of messages that could not be handled."""
        return f"{self.prefix}.dead-letters.v1"

    @property
    def anchor_topic(self) -> str:
        """Return the topic of the stores' seals."""
        return f"{self.prefix}.anchors.v1"

    def connection(self) -> dict[str, Any]:
        """Return what every client needs to connect."""
        return {
            "bootstrap_servers": self.bootstrap.split(","),
            "bootstrap_timeout_ms": int(BOOTSTRAP_SECONDS * 1000),
            **self.security,
        }


def ensure_topics(settings: KafkaSettings, topics: Mapping[str, int]) -> None:
    """Create missing topics; they keep everything.

    Args:
        settings: the broker.
        topics: name -> partition count.

    Raises:
        MisfitTopic: a topic exists with another partition count.
    """
    admin = KafkaAdminClient(**settings.connection())
    try:
        known = set(admin.list_topics())
        for name, partitions in topics.items():
            if name in known:
                continue
            wanted = {
                "num_partitions": partitions,
                "replication_factor": settings.replication,
                "configs": KEEP_EVERYTHING,
            }
            try:
                admin.create_topics({name: wanted}, wait_for_metadata=True)
            except TopicAlreadyExistsError:
                log.info("topic_made_by_another_process", topic=name)
        for described in _described(admin, topics):
            count = len(described["partitions"])
            if count != topics[described["name"]]:
                raise MisfitTopic(
                    f"topic {described['name']} has {count} partitions, the settings say "
                    f"{topics[described['name']]}; changing the count is a migration"
                )
    finally:
        admin.close()


def _described(admin: KafkaAdminClient, topics: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the topics' descriptions once every partition has a leader; one just made may lack some."""
    deadline = time.monotonic() + BOOTSTRAP_SECONDS
    while True:
        found: list[dict[str, Any]] = admin.describe_topics(list(topics))
        lacking = [
            topic["name"]
            for topic in found
            if not topic["partitions"] or any(part["leader_id"] < 0 for part in topic["partitions"])
        ]
        if not lacking:
            return found
        if time.monotonic() > deadline:
            raise KafkaTimeoutError(f"partitions without a leader: {', '.join(lacking)}")
        time.sleep(METADATA_SECONDS)
