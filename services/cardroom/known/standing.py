"""A player's standing as players tells it to the contexts that seat, list and sell: a fact carried in with a command.

The value is read from players at decision time, with the version it was read at; the deciding core keeps it in the
event it records, so that a replay knows what was known.
"""

from datetime import datetime
from enum import StrEnum

import msgspec

from cardroom.kernel.refusal import Refused


class Act(StrEnum):
    """What a person may be kept from."""

    JOIN = "join"
    SIT = "sit"
    BUY_IN = "buy_in"
    DEAL = "deal"


class Impediment(msgspec.Struct, frozen=True, kw_only=True):
    """One reason why a person may not do something.

    Args:
        code: UPPER_SNAKE reason, for example `BARRED`.
        acts: what it keeps the person from.
        rules: the rule ids it rests on.
        since: from when.
        until: the first instant at which it no longer holds; None while it must be lifted by hand.
        incident_id: the incident behind it, or empty.
    """

    code: str
    acts: frozenset[Act]
    rules: tuple[str, ...]
    since: datetime
    until: datetime | None = None
    incident_id: str = ""

    def holds(self, at: datetime) -> bool:
        """Return whether it holds at an instant."""
        return self.since <= at and (self.until is None or at < self.until)


class Apart(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with whom a player may not share a table.

    Args:
        player_id: the other one.
        rules: the rule ids it rests on.
    """

    player_id: str
    rules: tuple[str, ...]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What players answered about one person.

    Args:
        player_id: whom it is about (the surviving record where records were merged).
        version: version of the player's stream it was read at.
        impediments: what keeps the person from something, present or to come.
        apart: whom the person is kept apart from.
        open_incidents: how many incidents await a decision; they alone keep nobody from anything.
    """

    player_id: str
    version: int = 0
    impediments: tuple[Impediment, ...] = ()
    apart: tuple[Apart, ...] = ()
    open_incidents: int = 0


def impediment_to(standing: Standing, act: Act, at: datetime) -> Refused | None:
    """Return the refusal that a standing calls for, or None where the act is free.

    Args:
        standing: what players answered.
        act: what the person wants to do.
        at: when.
    """
    for impediment in standing.impediments:
        if act in impediment.acts and impediment.holds(at):
            until = impediment.until
            end = f"until {until:%Y-%m-%d %H:%M} UTC" if until else "until it is lifted"
            cause = f" (incident {impediment.incident_id})" if impediment.incident_id else ""
            return Refused(
                impediment.code,
                impediment.rules,
                f"player {standing.player_id} may not {act.value.replace('_', ' ')}: "
                f"{impediment.code.lower().replace('_', ' ')} {end}{cause}",
                field="player_id",
            )
    return None
