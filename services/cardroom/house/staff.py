"""Who works in a room, its stations, and who deals where."""

from collections.abc import Iterable
from typing import Final, TypeVar, assert_never

import msgspec

from cardroom.house import commands as c
from cardroom.house import events as e
from cardroom.house.values import Dealing, Down, Member, Station
from cardroom.kernel.decisions import Occasion
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id

ROLES: Final = frozenset(
    {"dealer", "brush", "floor", "shift_manager", "cage", "surveillance", "auditor", "admin"}
)
"""The roles that people hold; displays, integrations and processes have tokens of their own."""
RESERVED: Final = frozenset({"admin", "shift_manager", "surveillance", "auditor"})
"""Roles that an admin alone gives, takes away, or sets the badge and PIN of whoever holds them."""
_T = TypeVar("_T")

StaffEvent = (
    e.StaffJoined
    | e.StaffRolesChanged
    | e.CredentialsSet
    | e.StaffLeft
    | e.StationSet
    | e.StationRemoved
    | e.LineUpPlanned
    | e.DealerPushed
    | e.DealerRelieved
)
StaffCommand = (
    c.AddStaff
    | c.ChangeStaffRoles
    | c.SetCredentials
    | c.RemoveStaff
    | c.SetStation
    | c.RemoveStation
    | c.PlanLineUp
    | c.PushDealer
    | c.RelieveDealer
)


class Staff(msgspec.Struct, frozen=True, kw_only=True):
    """The people, stations and boxes of one room.

    Args:
        members: staff id -> member, those who left included.
        stations: station id -> station.
        dealing: table -> who deals there now.
        plan: who is to deal where, and when.
    """

    members: dict[str, Member] = {}
    stations: dict[str, Station] = {}
    dealing: dict[str, Dealing] = {}
    plan: tuple[Down, ...] = ()

    def box_of(self, dealer: str) -> str:
        """Return the table at which somebody deals, empty where none."""
        return next((one.table for one in self.dealing.values() if one.dealer == dealer), "")


def staff_stream(room: str) -> StreamId:
    """Return the stream of a room's staff."""
    return stream_id("staff", room)


def evolve(state: Staff, event: StaffEvent) -> Staff:
    """Fold the events of staff, stations and the line-up."""
    match event:
        case e.StaffJoined():
            return _with_member(state, Member(staff_id=event.staff_id, roles=event.roles))
        case e.StaffRolesChanged():
            member = state.members[event.staff_id]
            return _with_member(state, msgspec.structs.replace(member, roles=event.roles))
        case e.CredentialsSet():
            member = msgspec.structs.replace(
                state.members[event.staff_id],
                badge_digest=event.badge_digest,
                pin_digest=event.pin_digest or None,
            )
            return _with_member(state, member)
        case e.StaffLeft():
            member = msgspec.structs.replace(
                state.members[event.staff_id], active=False, badge_digest="", pin_digest=None
            )
            return _with_member(state, member)
        case e.StationSet(station=station):
            stations = {**state.stations, station.station_id: station}
            return msgspec.structs.replace(state, stations=stations)
        case e.StationRemoved():
            return msgspec.structs.replace(
                state, stations=_without(state.stations, event.station_id)
            )
        case e.LineUpPlanned():
            return msgspec.structs.replace(state, plan=event.downs)
        case e.DealerPushed(dealing=dealing):
            boxes = _without(state.dealing, event.came_from)
            return msgspec.structs.replace(state, dealing={**boxes, dealing.table: dealing})
        case e.DealerRelieved():
            return msgspec.structs.replace(state, dealing=_without(state.dealing, event.table))
        case _:
            assert_never(event)


STAFF: Final = Aggregate(kind="staff", initial=Staff(), evolve=evolve)


def decide(command: StaffCommand, state: Staff, occasion: Occasion) -> StaffEvent:
    """Decide what a command on staff, stations or the line-up comes to.

    Raises:
        Refused: CR-2 unknown, CR-4 malformed, CR-6 out of order, CR-7 already so.
    """
    match command:
        case c.AddStaff():
            _check_reserved(command.roles, occasion)
            return _add(command, state)
        case c.ChangeStaffRoles():
            member = _active(state, command.staff_id)
            roles = _roles(command.roles)
            _check_reserved((*member.roles, *roles), occasion)
            if roles == member.roles:
                raise _already(f"{command.staff_id} holds these roles", "roles")
            return e.StaffRolesChanged(staff_id=command.staff_id, roles=roles)
        case c.SetCredentials():
            _check_reserved(_active(state, command.staff_id).roles, occasion)
            return _credentials(command, state)
        case c.RemoveStaff():
            _check_reserved(_active(state, command.staff_id).roles, occasion)
            return _remove(command, state)
        case c.SetStation():
            return _set_station(command, state)
        case c.RemoveStation():
            if command.station_id not in state.stations:
                raise Unknown("station", command.station_id, "station_id")
            return e.StationRemoved(station_id=command.station_id)
        case c.PlanLineUp():
            return _plan(command, state)
        case c.PushDealer():
            return _push(command, state, occasion)
        case c.RelieveDealer():
            dealing = state.dealing.get(command.table)
            if dealing is None:
                raise Refused(
                    "BOX_EMPTY", "CR-6", f"nobody deals at table {command.table}", field="table"
                )
            return e.DealerRelieved(table=command.table, dealer=dealing.dealer)
        case _:
            assert_never(command)


def _add(command: c.AddStaff, state: Staff) -> e.StaffJoined:
    stream_id("staff", command.staff_id)  # a subject must do as an id
    member = state.members.get(command.staff_id)
    if member is not None and member.active:
        raise _already(f"{command.staff_id} works here", "staff_id")
    return e.StaffJoined(staff_id=command.staff_id, roles=_roles(command.roles))


def _credentials(command: c.SetCredentials, state: Staff) -> e.CredentialsSet:
    holder = next(
        (
            one.staff_id
            for one in state.members.values()
            if command.badge_digest
            and one.badge_digest == command.badge_digest
            and one.staff_id != command.staff_id
        ),
        "",
    )
    if holder:
        raise _already(f"{holder} has this badge", "badge")
    return e.CredentialsSet(
        key_id=f"{command.room}/{command.staff_id}",
        staff_id=command.staff_id,
        badge_digest=command.badge_digest,
        pin_digest=command.pin_digest,
    )


def _remove(command: c.RemoveStaff, state: Staff) -> e.StaffLeft:
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "removing staff needs a reason", field="reason")
    if box := state.box_of(command.staff_id):
        raise Refused(
            "STILL_DEALING",
            "CR-6",
            f"{command.staff_id} deals at table {box}",
            options=("relieve the dealer first",),
            field="staff_id",
        )
    return e.StaffLeft(staff_id=command.staff_id, reason=command.reason)


def _set_station(command: c.SetStation, state: Staff) -> e.StationSet:
    station = command.station
    stream_id("station", station.station_id)
    if station.table:
        stream_id("table", station.table)
    if state.stations.get(station.station_id) == station:
        raise _already(f"station {station.station_id} is as given", "station")
    return e.StationSet(station=station)


def _plan(command: c.PlanLineUp, state: Staff) -> e.LineUpPlanned:
    downs = tuple(sorted(command.downs, key=lambda one: (one.starts_at, one.table)))
    for number, one in enumerate(downs):
        _dealer(state, one.dealer)
        stream_id("table", one.table)
        if one.ends_at <= one.starts_at:
            raise Refused(
                "DOWN_ENDS_BEFORE_IT_STARTS",
                "CR-4",
                f"{one.dealer} at table {one.table} ends {one.ends_at.isoformat()}, "
                f"not after {one.starts_at.isoformat()}",
                field="downs.ends_at",
            )
        for other in downs[:number]:
            if other.ends_at > one.starts_at and (
                other.dealer == one.dealer or other.table == one.table
            ):
                what = "dealer" if other.dealer == one.dealer else "table"
                raise Refused(
                    "DOWNS_OVERLAP",
                    "CR-4",
                    f"{what} {getattr(one, what)} is planned twice from {one.starts_at.isoformat()}",
                    field="downs",
                )
    return e.LineUpPlanned(downs=downs)


def _push(command: c.PushDealer, state: Staff, occasion: Occasion) -> e.DealerPushed:
    _dealer(state, command.dealer)
    stream_id("table", command.table)
    before = state.dealing.get(command.table)
    if before is not None and before.dealer == command.dealer:
        raise _already(f"{command.dealer} deals at table {command.table}", "dealer")
    return e.DealerPushed(
        dealing=Dealing(table=command.table, dealer=command.dealer, since=occasion.at),
        relieved=before.dealer if before else "",
        came_from=state.box_of(command.dealer),
    )


def _active(state: Staff, staff_id: str) -> Member:
    member = state.members.get(staff_id)
    if member is None or not member.active:
        raise Unknown("member of staff", staff_id, "staff_id")
    return member


def _dealer(state: Staff, staff_id: str) -> Member:
    member = _active(state, staff_id)
    if "dealer" not in member.roles:
        raise Refused(
            "NOT_A_DEALER",
            "CR-9",
            f"{staff_id} does not hold the role dealer, but {', '.join(member.roles)}",
            field="dealer",
        )
    return member


def _roles(roles: tuple[str, ...]) -> tuple[str, ...]:
    strange = sorted(set(roles) - ROLES)
    if strange or not roles:
        raise Refused(
            "ROLE_UNKNOWN",
            "CR-4",
            f"roles are {list(roles)}: one or more of {', '.join(sorted(ROLES))}",
            field="roles",
        )
    return tuple(sorted(set(roles)))


def _check_reserved(roles: Iterable[str], occasion: Occasion) -> None:
    """Keep a shift manager from making an admin, or from taking one's place by a new PIN."""
    reserved = sorted(RESERVED & set(roles))
    if reserved and "admin" not in occasion.roles:
        raise Refused(
            "ROLE_RESERVED",
            "CR-9",
            f"an admin alone decides about whoever holds {', '.join(reserved)}",
            field="roles",
        )


def _already(sentence: str, field: str) -> Refused:
    return Refused("ALREADY_SO", "CR-7", f"{sentence} already", field=field)


def _with_member(state: Staff, member: Member) -> Staff:
    return msgspec.structs.replace(state, members={**state.members, member.staff_id: member})


def _without(table: dict[str, _T], name: str) -> dict[str, _T]:
    return {key: value for key, value in table.items() if key != name}
