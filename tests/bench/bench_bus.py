"""Commit to the other context's handler done, on both buses: p50 and p99 of single commands, one after the other.

`python -m tests.bench.bench_bus`; Kafka is measured where a broker can be had, and said to be left out otherwise.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from cardroom.adapters.bus.broker import (
    configured_bootstrap,
    missing_tools,
    start_for_owner,
    stop_for_owner,
)
from cardroom.adapters.installation import Database, Installation
from tests.bench.report import Row, alone, write
from tests.plugins.counting import Add, asked
from tests.plugins.postgres import SCHEMAS
from tests.plugins.wire import SOURCE, TARGET, Place, Wire

EFFECTS = 400
WARM_UP = 50


class Noting:
    """The target's application, noting when each message's effect was committed."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.done: dict[str, float] = {}
        self.arrived = asyncio.Event()

    async def submit_all(self, commands: Sequence[Any], request: Any, tracking: Any = None) -> Any:
        outcome = await self._wire.target.submit_all(commands, request, tracking)
        self.done[request.causation_id] = time.perf_counter()
        self.arrived.set()
        return outcome


async def effect_seconds(place: Place) -> list[float]:
    """Return the time from each commit in the source to the commit of its effect in the target."""
    async with Wire(place).open() as wire:
        noting = Noting(wire)
        wire.publish()
        wire.consume(wire.inbox(app=noting))
        taken = []
        for number in range(WARM_UP + EFFECTS):
            noting.arrived.clear()
            command = Add(rack=f"k{number % 16}", chips=1)
            outcome = await wire.source.submit(command, asked(f"effect {number}"))
            committed = time.perf_counter()
            async with asyncio.timeout(30):
                await noting.arrived.wait()
            effect = noting.done[f"{SOURCE}:{outcome.events[0].notification_id}"]
            if number >= WARM_UP:
                taken.append(effect - committed)
        return taken


def row(kind: str, taken: Sequence[float], goal_ms: int) -> Row:
    """Return the p50 as a row of the report, and say the p99."""
    milliseconds = [seconds * 1000 for seconds in taken]
    print(f"effect on the {kind} bus: p99 {quantiles(milliseconds, n=100)[98]:.1f} ms")
    return alone(f"effect_{kind}_ms", "ms", median(milliseconds), f"p50 < {goal_ms} ms")


def measure(folder: Path) -> list[Row]:
    """Measure on a server and a broker of its own and return the rows."""
    rows = []
    installation = Installation(folder / "installation", contexts=SCHEMAS)
    with installation:
        template = installation.database
        rows.append(row("embedded", asyncio.run(effect_seconds(_place(template, "one"))), 20))
        reason = None if configured_bootstrap() else missing_tools()
        if reason is not None:
            print(f"effect_kafka_ms was not measured: {reason}")
            return rows
        bootstrap = configured_bootstrap() or start_for_owner(folder / "kafka", os.getpid())
        try:
            place = _place(template, "two", bootstrap, f"bench-{os.getpid()}")
            rows.append(row("kafka", asyncio.run(effect_seconds(place)), 50))
        finally:
            stop_for_owner(folder / "kafka")
    return rows


def _place(template: Database, name: str, bootstrap: str = "", prefix: str = "test") -> Place:
    database = template.clone(f"bench_bus_{name}")
    return Place(database.service(SOURCE), database.service(TARGET), bootstrap, prefix)


def main() -> None:
    """Measure and report."""
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        write(*measure(Path(folder)))


if __name__ == "__main__":
    main()
