"""Who works here, as the gate of a process asks at a shared station."""

from typing import Any, Protocol

from cardroom.adapters.grpc.people import Person
from cardroom.house.room import Rooms, rooms_stream
from cardroom.house.staff import Staff, staff_stream
from cardroom.house.values import Member


class States(Protocol):
    """The part of `Application` that the list needs."""

    async def state(self, stem: str) -> tuple[Any, int]:
        """Return a stem's committed state and version."""


class StaffList:
    """The staff of all rooms, read from the house's own states; implements the gate's `People`."""

    def __init__(self, app: States) -> None:
        """Take the house's application.

        Args:
            app: where the states are.
        """
        self._app = app

    async def by_subject(self, subject: str) -> Person | None:
        """Return the person of that name, with the roles of every room they work in."""
        found = [one for one in await self._members() if one.staff_id == subject]
        return _person(found)

    async def by_badge(self, badge_digest: str) -> Person | None:
        """Return the person whose badge has that digest."""
        holders = {
            one.staff_id for one in await self._members() if one.badge_digest == badge_digest
        }
        return await self.by_subject(holders.pop()) if badge_digest and holders else None

    async def _members(self) -> list[Member]:
        listed: Rooms
        listed, _ = await self._app.state(rooms_stream())
        members: list[Member] = []
        for room, _ in listed.rooms:
            staff: Staff
            staff, _ = await self._app.state(staff_stream(room))
            members += [one for one in staff.members.values() if one.active]
        return members


def _person(found: list[Member]) -> Person | None:
    if not found:
        return None
    pins = [one.pin_digest for one in found if one.pin_digest]
    return Person(
        subject=found[0].staff_id,
        roles=frozenset(role for one in found for role in one.roles),
        pin_digest=pins[0] if pins else "",
    )
