"""Garbage collection of a process that serves for days."""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 10_000
"""So many new objects make the collector look. The default, 700, is less than a few calls that are under way hold."""


def settle_heap() -> None:
    """Keep the collector off what was made at start and stays: modules, message types, books, what runs.

    Almost nothing of ours lies in cycles, so the collector finds little; a look through everything that was loaded
    holds up all calls for a tenth of a second. Call it once, when the process has started.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
