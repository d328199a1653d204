"""What can be asked of players."""

from datetime import datetime

from cardroom.kernel.decisions import Command
from cardroom.players.values import ConductFacts, Hold, Place


class RegisterPlayer(Command, frozen=True, tag="RegisterPlayer"):
    """Put a person on the books of a group of rooms."""

    group: str
    player_id: str
    full_name: str
    board_name: str
    phone: str = ""


class ChangeDetails(Command, frozen=True, tag="ChangeDetails"):
    """Put names or phone right; None leaves a detail as it is."""

    group: str
    player_id: str
    full_name: str | None = None
    board_name: str | None = None
    phone: str | None = None


class ReportConduct(Command, frozen=True, tag="ReportConduct"):
    """Report an act of one or several persons; each gets an incident `<incident_id>` on the own record."""

    group: str
    incident_id: str
    player_ids: tuple[str, ...]
    offence: str
    place: Place
    facts: ConductFacts = ConductFacts()
    consequence: Hold = Hold.NONE
    host_id: str = ""

    @property
    def room(self) -> str:
        """The room whose gaming day counts."""
        return self.place.room


class NoteCourtesyBreach(Command, frozen=True, tag="NoteCourtesyBreach"):
    """The tables tell of a breach of courtesy in a hand.

    Args:
        room: where.
        table: at which table.
        hand_id: in which hand.
        player_id: whose it was.
        what: its kind, see `offences.OFFENCES`.
        rules: the rules of the table's book that it breaks.
        at: when, UTC.
        gaming_day: the gaming day it belongs to.
    """

    room: str
    table: str
    hand_id: str
    player_id: str
    what: str
    rules: tuple[str, ...]
    at: datetime
    gaming_day: str


class WithdrawCourtesyBreach(Command, frozen=True, tag="WithdrawCourtesyBreach"):
    """The tables tell that a breach told before had been a wrong entry."""

    room: str
    table: str
    hand_id: str
    player_id: str
    what: str
    at: datetime


class ApplySanction(Command, frozen=True, tag="ApplySanction"):
    """Choose what follows from an incident: one of `conduct.sanctions`."""

    group: str
    room: str
    player_id: str
    incident_id: str
    sanction: str
    until: datetime | None = None
    reason: str = ""


class CloseIncident(Command, frozen=True, tag="CloseIncident"):
    """Close an incident, with the sanction given before or with none."""

    group: str
    player_id: str
    incident_id: str
    reason: str = ""


class ClearPlayer(Command, frozen=True, tag="ClearPlayer"):
    """Let a person be dealt in or seated again after an incident that held the person up."""

    group: str
    player_id: str
    incident_id: str
    note: str = ""


class BarPlayer(Command, frozen=True, tag="BarPlayer"):
    """Refuse the house's services to a person."""

    group: str
    player_id: str
    bar_id: str
    room: str
    game_id: str = ""
    until: datetime | None = None
    reason: str = ""
    incident_id: str = ""


class LiftBar(Command, frozen=True, tag="LiftBar"):
    """End a bar or a suspension."""

    group: str
    player_id: str
    bar_id: str
    reason: str


class RefuseService(Command, frozen=True, tag="RefuseService"):
    """Refuse one service, such as alcohol."""

    group: str
    player_id: str
    room: str
    service: str = "alcohol"


class RestoreService(Command, frozen=True, tag="RestoreService"):
    """Offer a refused service again."""

    group: str
    player_id: str
    service: str = "alcohol"


class KeepApart(Command, frozen=True, tag="KeepApart"):
    """Forbid two people to share a table."""

    group: str
    player_id: str
    other_id: str
    room: str
    reason: str


class EndApart(Command, frozen=True, tag="EndApart"):
    """Allow two people to share a table again."""

    group: str
    player_id: str
    other_id: str
    reason: str


class MergePlayers(Command, frozen=True, tag="MergePlayers"):
    """Merge a record into another of the same person."""

    group: str
    player_id: str
    from_id: str
    reason: str


class PlaceLegalHold(Command, frozen=True, tag="PlaceLegalHold"):
    """Forbid the erasure of a record."""

    group: str
    player_id: str
    reason: str


class LiftLegalHold(Command, frozen=True, tag="LiftLegalHold"):
    """Allow the erasure of a record again."""

    group: str
    player_id: str
    reason: str


class ErasePlayer(Command, frozen=True, tag="ErasePlayer"):
    """Erase what names the person."""

    group: str
    player_id: str
    reason: str


class NoteRoom(Command, frozen=True, tag="NoteRoom"):
    """A room shares the players of the group."""

    group: str
    joining: str


COMMANDS: tuple[type[Command], ...] = (
    RegisterPlayer,
    ChangeDetails,
    ReportConduct,
    NoteCourtesyBreach,
    WithdrawCourtesyBreach,
    ApplySanction,
    CloseIncident,
    ClearPlayer,
    BarPlayer,
    LiftBar,
    RefuseService,
    RestoreService,
    KeepApart,
    EndApart,
    MergePlayers,
    PlaceLegalHold,
    LiftLegalHold,
    ErasePlayer,
    NoteRoom,
)
