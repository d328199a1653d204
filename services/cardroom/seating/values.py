"""Values of the seating plan."""

from datetime import datetime
from enum import StrEnum

import msgspec


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """Where button and blinds of one hand are.

    Args:
        number: the hand's number at its table.
        button: the button's seat; 0 in a game without one.
        small: the small blind's seat; 0 where nobody posts it.
        big: the big blind's seat; 0 where there is none.
    """

    number: int
    button: int = 0
    small: int = 0
    big: int = 0


class EntryKind(StrEnum):
    """How somebody who is not yet in the deal comes into it."""

    PLAYING = "playing"
    NEW = "new"
    NO_POST = "no_post"
    FREE_UNTIL_SECOND_PASS = "free_until_second_pass"  # noqa: S105 - no password
    WAIT_HANDS = "wait_hands"
    SAME_PLACE = "same_place"
    UNTIL_BIG_BLIND = "until_big_blind"
    OWES_MISSED = "owes_missed"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What a player must wait for or post before the next hand.

    Args:
        kind: how.
        rules: the rules behind it.
        after_hand: number of the last hand started before the player took this seat; 0 before the first.
        wait_hands: hands to sit out.
        place: players who would have been between the next big blind and the old seat; -1 where the old seat was next.
        dealt_off: whether the player may come in behind the button for nothing.
    """

    kind: EntryKind = EntryKind.PLAYING
    rules: tuple[str, ...] = ()
    after_hand: int = 0
    wait_hands: int = 0
    place: int = 0
    dealt_off: bool = False


class LockKind(StrEnum):
    """Why a seat is kept."""

    NAME = "name"
    MARKER = "marker"
    MOVE = "move"
    POT = "pot"
    DRAWN = "drawn"
    MUST_MOVE = "must_move"
    LOCKUP = "lockup"


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """A seat kept for somebody.

    Args:
        player_id: for whom.
        kind: why.
        since: from when.
        expires_at: when its time is up; None while it has no limit.
        only_if_waiting: whether it is picked up only once somebody waits to play.
        until_hand_ends_at: the table whose present hand it lasts for, or empty.
        until_hand: stud: the last hand here that it lasts for; 0 for none.
        rules: the rules behind its length.
        entry_id: the list entry it was made for, or empty.
    """

    player_id: str
    kind: LockKind
    since: datetime
    expires_at: datetime | None = None
    only_if_waiting: bool = False
    until_hand_ends_at: str = ""
    until_hand: int = 0
    rules: tuple[str, ...] = ()
    entry_id: str = ""


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """A player's time away from the table.

    Args:
        since: from when.
        overdue_from: the first instant at which the chips may be picked up; None where time does not count.
        meal: whether it is a meal break.
        rules: the rules behind the limit.
        raised: whether the limit was raised with the floor.
    """

    since: datetime
    overdue_from: datetime | None = None
    meal: bool = False
    rules: tuple[str, ...] = ()
    raised: bool = False


class MoveWhen(StrEnum):
    """Until when somebody who is to move may still be dealt in."""

    AT_ONCE = "at_once"
    THROUGH_BUTTON = "through_button"
    BLINDS_ONLY = "blinds_only"
    TO_BIG_BLIND = "to_big_blind"
    HANDS = "hands"


class MoveKind(StrEnum):
    """Why somebody moves."""

    TABLE_CHANGE = "table_change"
    MUST_MOVE = "must_move"
    SEAT_CHANGE = "seat_change"
    LEAVE = "leave"


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move that is due.

    Args:
        kind: why.
        to_table: where to; empty where the player leaves.
        to_seat: the seat kept there.
        when: until when the player may be dealt in here.
        after_hand: number of the hand during which it fell due.
        big_at_call: seat of the big blind of that hand.
        hands: further hands that may be played, with `hands`.
        rules: the rules behind it.
        approved_by: who approved it.
    """

    kind: MoveKind
    to_table: str = ""
    to_seat: int = 0
    when: MoveWhen = MoveWhen.AT_ONCE
    after_hand: int = 0
    big_at_call: int = 0
    hands: int = 0
    rules: tuple[str, ...] = ()
    approved_by: str = ""


class PlayOver(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody playing in an absent player's seat.

    Args:
        player_id: who; empty while only the permission stands.
        allowed_by: the floorperson who permitted it, or empty.
        boxed: whether a box lies over the absent player's chips.
        playing: whether the player sits.
        buy_in_cents: with how much.
    """

    player_id: str = ""
    allowed_by: str = ""
    boxed: bool = False
    playing: bool = False
    buy_in_cents: int = 0


class Substitute(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody playing an absent player's chips.

    Args:
        player_id: who.
        from_hand: the first hand so played.
        button: where the button was in it.
        approved_by: the floorperson who approved it, or empty.
        rounds: rounds allowed; 0 for no limit.
        rules: the rules behind the limit.
        rounds_played: how often the button came round since.
    """

    player_id: str
    from_hand: int
    button: int
    approved_by: str = ""
    rounds: int = 0
    rules: tuple[str, ...] = ()
    rounds_played: int = 0


class Exclusion(msgspec.Struct, frozen=True, kw_only=True):
    """Why a seated player may not be dealt in.

    Args:
        code: UPPER_SNAKE reason.
        rules: the rules behind it.
        until: the first instant at which it no longer holds; None while it must be lifted.
        must_leave: whether the chips are to be picked up and the seat opened.
    """

    code: str
    rules: tuple[str, ...]
    until: datetime | None = None
    must_leave: bool = False


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a seat.

    Args:
        player_id: who.
        since: when the player joined the game.
        entry: what the player must wait for or post.
        bought_cents: with how much the player sat down and what was bought since.
        short_buys: short buy-ins in the span that counts.
        away: the present absence.
        absences: earlier absences here, from and to.
        last_meal_at: start of the last meal break.
        missed_buttons: missed-blind buttons.
        hold_button: whether a hold button lies there.
        pick_up_rules: the rules by which the chips may be picked up now; empty where none.
        notice_until: until when the player told the floor to be away.
        guests: who sits behind.
        move: the move that is due.
        play_over: who plays over the absent player.
        substitute: who plays the absent player's chips.
        substituted_rounds: rounds so played in the present absence, before the present substitute.
        exclusion: why the player may not be dealt in.
        full_due: the rules by which the full buy-in of a raised limit is needed before the next hand; empty where none.
        button_passes: how often the button passed the seat since the player took it without a hand.
    """

    player_id: str
    since: datetime
    entry: Entry = Entry()
    bought_cents: int = 0
    short_buys: int = 0
    away: Absence | None = None
    absences: tuple[tuple[datetime, datetime], ...] = ()
    last_meal_at: datetime | None = None
    missed_buttons: int = 0
    hold_button: bool = False
    pick_up_rules: tuple[str, ...] = ()
    notice_until: datetime | None = None
    guests: tuple[str, ...] = ()
    move: Move | None = None
    play_over: PlayOver | None = None
    substitute: Substitute | None = None
    substituted_rounds: int = 0
    exclusion: Exclusion | None = None
    full_due: tuple[str, ...] = ()
    button_passes: int = 0


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table.

    Args:
        number: its number, from 1 clockwise from the dealer's left.
        seated: who sits there.
        lock: for whom it is kept.
        reserved_for: for whom management keeps it for good cause.
        reserved_cause: that cause.
        offered: whether those in the game were asked since it opened.
        button_passed: how often the button passed it since it was locked.
        blind_passed: whether a blind was at or went by it since the game opened.
        smoking: whether it is a smoking seat.
        removed: whether the chair was taken away.
    """

    number: int
    seated: Seated | None = None
    lock: Lock | None = None
    reserved_for: str = ""
    reserved_cause: str = ""
    offered: bool = False
    button_passed: int = 0
    blind_passed: bool = False
    smoking: bool = False
    removed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nobody sits there and the chair is there."""
        return self.seated is None and not self.removed


class SeatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A player's wish for another seat at the table.

    Args:
        player_id: whose.
        seat: which; 0 for any.
        at: when it was asked.
        declined: open seats that the player was offered and did not want.
    """

    player_id: str
    seat: int
    at: datetime
    declined: tuple[int, ...] = ()


class LimitChange(msgspec.Struct, frozen=True, kw_only=True):
    """A proposed change of the game."""

    game_id: str
    raises: bool
    objections: tuple[str, ...] = ()


class Displaced(msgspec.Struct, frozen=True, kw_only=True):
    """A player of a broken game.

    Args:
        player_id: who.
        since: when the player had joined it.
        away: whether absent when it broke.
        missed_buttons: missed-blind buttons then.
        hold_button: whether a hold button lay there.
        chips_cents: what the player had; None where not counted.
        broke_it: whether the player's refusal of the blind broke it.
        drawn: the place drawn, from 1; 0 before the draw or without a place.
        seat_given: table and seat given by the draw, or empty and 0.
    """

    player_id: str
    since: datetime
    away: bool
    missed_buttons: int
    hold_button: bool
    chips_cents: int | None
    broke_it: bool = False
    drawn: int = 0
    seat_given: tuple[str, int] = ("", 0)

    def absence_at(self, at: datetime) -> Absence:
        """Return the absence with which the player arrives at another table; the seat there is kept by the draw."""
        return Absence(since=at)
