"""Sealing while the store comes and goes: the anchor gets every seal that the store has, in order."""

from pathlib import Path

import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.errors import ConnectionLost
from cardroom.adapters.seals import AnchorFile, Sealer
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import Seal
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, asked


class LosesTheAnswer(MemoryStore):
    """Stores a seal, and breaks before it says so."""

    loses = False

    async def add_seal(self, seal: Seal) -> bool:
        added = await super().add_seal(seal)
        if self.loses:
            self.loses = False
            raise ConnectionLost("server closed the connection")
        return added


async def test_a_seal_that_was_stored_without_an_answer_reaches_the_anchor_before_the_next(
    tmp_path: Path,
) -> None:
    store = LosesTheAnswer(MemoryTables(), "m")
    anchor = AnchorFile(tmp_path, "counting")
    clock = ManualClock(EVENING)
    async with Application(DECIDER, store, clock) as app:
        sealer = Sealer("counting", store, clock, bytes(range(32)), anchor)
        await app.submit(NOTE_ROOM, asked("room"))
        await sealer.seal()
        await app.submit(Add(), asked("one"))
        store.loses = True
        with pytest.raises(ConnectionLost):
            await sealer.seal()
        await app.submit(Add(), asked("two"))
        await sealer.seal()
        assert [seal.number for seal in anchor.read()] == [1, 2, 3]
