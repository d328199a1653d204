"""Whole logs, under the read-only role: their integrity, and whose log an id is found in."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from cardroom.adapters.installation import CONTEXTS, Database
from cardroom.adapters.seals import AnchorFile, read_public_key
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.verify import Finding, Report, verify_store
from cardroom.audit.reader import Reader, decider_of
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import kind_of

LOGS: Final = tuple(name for name in CONTEXTS if name not in {"reporting", "audit"})
"""The contexts that own events."""

DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")

BEHIND_SEALS: Final = 1
"""By how many seals an anchor may be behind: one is between the store and the file at the moment of looking."""


async def verify_logs(
    database: Database, contexts: Sequence[str], anchor_directory: Path, *, copy: bool = False
) -> list[Report]:
    """Verify several contexts' logs.

    Args:
        database: the installation's database.
        contexts: whose logs, of `LOGS`.
        anchor_directory: folder of the anchor files and of the public key.
        copy: whether the folder is a copy, in which the newest seals may be missing; in the installation's own that
            is a finding.

    Raises:
        FileNotFoundError: the folder has no public key.
    """
    key = read_public_key(anchor_directory)
    reports = []
    for context in contexts:
        store = PostgresStore(database.audit, context)
        await store.open()
        try:
            newest = await store.last_seal()
            anchor = AnchorFile(anchor_directory, context)
            seals = anchor.read()
            report = await verify_store(context, store, seals, key, decider_of(context))
        finally:
            await store.close()
        stored, anchored = newest.number if newest else 0, max((s.number for s in seals), default=0)
        if not copy and stored > anchored + BEHIND_SEALS:
            message = f"seals {anchored + 1} to {stored} stand in the store only, {anchor.path} lacks them"
            found = Finding("seal", message, seal=anchored + 1)
            report = msgspec.structs.replace(report, findings=(*report.findings, found))
        reports.append(report)
    return reports


async def find_records(reader: Reader, stream: str, gaming_day: str = "") -> tuple[Recorded, ...]:
    """Return the events of a stream, whichever context's it is.

    Facts of the house stand in every context's log; the house's own are returned.

    Args:
        reader: reads the stores.
        stream: the stream, with or without its gaming day.
        gaming_day: which day of a stream that closes with it; the newest where empty and the id names none.

    Raises:
        Unknown: CR-2, no context has such a stream.
        Refused: CR-4, a day was given for what does not close with it.
        IntegrityBroken: its stored bytes do not hold together.
        EventUnreadable: an event's topic or shape is none that this release knows.
    """
    for context in LOGS:
        aggregate = decider_of(context).aggregates.get(kind_of(stream))
        if aggregate is None:
            continue
        stem, _, last = stream.rpartition("/")
        named = aggregate.day_bound and not gaming_day and DAY.fullmatch(last)
        try:
            return await reader.records(context, *((stem, last) if named else (stream, gaming_day)))
        except Unknown:
            continue
    raise Unknown("id", stream, field="stream")
