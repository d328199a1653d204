"""Signing up, arriving, lock-ups, and coming off the board."""

from datetime import timedelta

import msgspec

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Act, impediment_to
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.here import FLOOR, Here, Records
from cardroom.waitlist.lists import lists_stream
from cardroom.waitlist.values import Name


def _check_standing(here: Here, command: c.SignUp) -> tuple[str, ...]:
    if command.standing is None:
        refusal = Refused(
            "STANDING_UNKNOWN",
            "CR-14",
            f"players did not say in time whether {command.player_id} may sign up",
            options=("try again", "the floor overrides with a reason"),
            field="player_id",
        )
        require_override(here.occasion, FLOOR, refusal)
        return refusal.rules
    barred = impediment_to(command.standing, Act.JOIN, here.at)
    if barred is not None:
        raise barred
    return ()


def _check_not_playing(here: Here, player_id: str) -> tuple[str, ...]:
    playing = next((t for t in here.board.tables if player_id in t.players), None)
    if playing is None:
        return ()
    refusal = Refused(
        "ALREADY_PLAYING",
        here.book.cite("seating.one_seat_each"),
        f"{player_id} plays this game at table {playing.table}",
        options=("ask for a table change",),
        field="player_id",
    )
    require_override(here.occasion, FLOOR, refusal)
    return refusal.rules


def _check_bars(here: Here, player_id: str) -> None:
    for bar in here.board.bars:
        if bar.player_id == player_id and here.at < bar.until:
            raise Refused(
                "REFUSED_MUST_MOVE",
                bar.rules,
                f"{player_id} refused a must-move and may sign up again at {bar.until:%H:%M} UTC",
                field="player_id",
            )


def _removed(here: Here, name: Name, reason: str, rules: tuple[str, ...]) -> e.NameRemoved:
    return e.NameRemoved(
        room=here.room,
        game_id=here.game_id,
        entry_id=name.entry_id,
        player_id=name.player_id,
        at=here.at,
        reason=reason,
        rules=rules,
        lockup_returned_cents=name.lockup_cents,
        table=name.call.table if name.call else "",
    )


def expired(here: Here, name: Name) -> bool:
    """Return whether a phoned-in name's time is up."""
    return name.arrive_by is not None and here.at > name.arrive_by


def _call_in_rules(here: Here) -> tuple[str, ...]:
    return here.book.cite("waitlist.call_in_minutes")


def sign_up(here: Here, command: c.SignUp) -> Decision:
    """Put a name on the board, one for each player.

    Raises:
        Refused: the name is there; the person is barred; the house takes no names by phone.
    """
    board, book = here.board, here.book
    events: list[Event] = []
    if board.name(command.entry_id) is not None:
        raise Refused(
            "ENTRY_EXISTS",
            "CR-7",
            f"entry {command.entry_id} stands on the board",
            field="entry_id",
        )
    present = board.name_of(command.player_id)
    if present is not None and expired(here, present):
        events.append(_removed(here, present, "call_in_expired", _call_in_rules(here)))
        present = None
    if present is not None:
        place = board.names.index(present) + 1
        raise Refused(
            "ALREADY_LISTED",
            "CR-7",
            f"{command.player_id} already stands on this board, number {place} "
            f"(entry {present.entry_id})",
            options=("report the arrival",) if present.arrive_by else (),
            field="player_id",
        )
    gone_against = _check_standing(here, command)
    gone_against += _check_not_playing(here, command.player_id)
    _check_bars(here, command.player_id)
    if command.by_phone and not book.flag("waitlist.call_in"):
        raise Refused(
            "NOT_PRESENT",
            book.cite("waitlist.call_in"),
            "a name goes on the list only when its owner is here in person",
            options=("sign up in person",),
            field="by_phone",
        )
    minutes = book.minutes("waitlist.call_in_minutes")
    name = Name(
        entry_id=command.entry_id,
        player_id=command.player_id,
        ticket=board.next_ticket,
        added_at=here.at,
        by_phone=command.by_phone,
        arrive_by=here.at + timedelta(minutes=minutes) if command.by_phone else None,
        going=command.going,
        open_incidents=command.standing.open_incidents if command.standing else 0,
    )
    rules = book.cite("waitlist.call_in", "waitlist.call_in_minutes") if command.by_phone else ()
    events.append(
        e.NameAdded(
            room=here.room,
            game_id=here.game_id,
            name=name,
            position=len(board.names) + 1 - len(events),
            rules=rules,
            standing_version=command.standing.version if command.standing else 0,
            override_of=gone_against,
        )
    )
    return (*here.on_board(*events), *listing(here))


def listing(here: Here) -> Decision:
    """Return what puts a new board on the room's index."""
    if here.game_id in here.lists().games:
        return ()
    return ((lists_stream(here.room), e.BoardListed(game_id=here.game_id)),)


def arrived(here: Here, command: c.ReportArrived) -> Decision:
    """Note that a phoned-in player is here; exactly the last minute is in time.

    Raises:
        Refused: the time is up, or the name was never phoned in.
    """
    name = here.name(command.entry_id)
    if not name.by_phone:
        raise Refused("NOT_PHONED_IN", "CR-6", "the name was signed up in person", field="entry_id")
    if expired(here, name):
        raise Refused(
            "CALL_IN_EXPIRED",
            _call_in_rules(here),
            f"the name came off the list when {name.arrive_by:%H:%M} UTC had passed",
            options=("sign up anew",),
            field="entry_id",
        )
    if name.arrive_by is None:
        return ()
    return here.on_board(
        e.NameArrived(
            room=here.room,
            game_id=here.game_id,
            entry_id=name.entry_id,
            player_id=name.player_id,
            at=here.at,
        )
    )


def expire_call_in(here: Here, command: c.ExpireCallIn) -> Decision:
    """Take a phoned-in name off once its time has passed."""
    name = here.board.name(command.entry_id)
    if name is None or not expired(here, name):
        return ()
    return here.on_board(_removed(here, name, "call_in_expired", _call_in_rules(here)))


def remove(here: Here, command: c.RemoveName) -> Decision:
    """Take a name off the board; a lock-up is given back."""
    name = here.name(command.entry_id)
    if not command.reason.strip():
        raise Refused("REASON_NEEDED", "CR-4", "say why the name comes off", field="reason")
    return here.on_board(_removed(here, name, command.reason, ()))


def set_going(here: Here, command: c.SetGoing) -> Decision:
    """Note whether the owner of a name means to play if a game starts."""
    name = here.name(command.entry_id)
    if name.going is command.going:
        return ()
    return here.on_board(e.GoingSet(entry_id=name.entry_id, going=command.going, at=here.at))


def note_leaving(here: Here, command: c.NoteLeaving) -> Decision:
    """Note that a player tells of leaving the area."""
    name = here.name(command.entry_id)
    if name.leaving_noted:
        return ()
    return here.on_board(e.LeavingNoted(entry_id=name.entry_id, at=here.at))


def leave_lockup(here: Here, command: c.LeaveLockup) -> Decision:
    """Take money for a lock-up.

    Raises:
        Refused: the house has no lock-ups, or takes another amount.
    """
    name = here.name(command.entry_id)
    check_cents(command.amount_cents, "amount_cents", least=1)
    amount = here.book.cents("waitlist.lockup_amount")
    rules = here.book.cite("waitlist.lockup_amount")
    if amount == 0:
        raise Refused("NO_LOCKUPS", rules, "this house takes no lock-ups")
    if name.lockup_cents:
        raise Refused("LOCKUP_TAKEN", "CR-7", "a lock-up was put down", field="entry_id")
    if command.amount_cents != amount:
        raise Refused(
            "LOCKUP_AMOUNT",
            rules,
            f"a lock-up is {dollars(amount)}, not {dollars(command.amount_cents)}",
            options=(dollars(amount),),
            field="amount_cents",
        )
    return here.on_board(
        e.LockupTaken(
            room=here.room,
            entry_id=name.entry_id,
            player_id=name.player_id,
            amount_cents=amount,
            at=here.at,
            rules=rules,
        )
    )


def return_lockup(here: Here, command: c.ReturnLockup) -> Decision:
    """Give the money of a lock-up back.

    Raises:
        Refused: none was put down.
    """
    name = here.name(command.entry_id)
    if not name.lockup_cents:
        raise Refused("NO_LOCKUP", "CR-6", "no lock-up was put down", field="entry_id")
    return here.on_board(
        e.LockupReturned(
            room=here.room,
            entry_id=name.entry_id,
            player_id=name.player_id,
            amount_cents=name.lockup_cents,
            at=here.at,
        )
    )


def place_first(here: Here, command: c.PlaceFirst) -> Decision:
    """Put players of a broken or frozen game before everybody on the board, in the order given.

    Raises:
        Refused: CR-7, a player or an entry is named twice, or an entry id is another name's.
    """
    if command.heard:
        lists = here.lists()
        let_in = tuple(one for one in command.players if not lists.is_struck(one[1], here.at))
        command = msgspec.structs.replace(command, players=let_in)
    records: Records = []
    for kind, named in (
        ("entry", [entry_id for entry_id, _ in command.players]),
        ("player", [player_id for _, player_id in command.players]),
    ):
        twice = next((one for one in named if named.count(one) > 1), None)
        if twice is not None:
            raise Refused("NAMED_TWICE", "CR-7", f"{kind} {twice} comes twice", field="players")
    ticket = here.board.first_ticket - len(command.players)
    for number, (entry_id, player_id) in enumerate(command.players):
        old = here.board.name_of(player_id)
        holder = here.board.name(entry_id)
        if holder is not None and holder != old:
            message = f"entry {entry_id} stands on the board for player {holder.player_id}"
            raise Refused("ENTRY_EXISTS", "CR-7", message, field="players")
        if old is not None:
            if old.call is not None:
                continue
            records.append((here.stream, _removed(here, old, "moved up", ())))
        name = Name(
            entry_id=entry_id,
            player_id=player_id,
            ticket=ticket + number,
            added_at=here.at,
        )
        added = e.NameAdded(
            room=here.room,
            game_id=here.game_id,
            name=name,
            position=number + 1,
            rules=here.book.cite("seating.broken_game_order", "seating.broken_game_absent_seat"),
            standing_version=0,
        )
        records.append((here.stream, added))
    return (*records, *listing(here))


def explain(here: Here, command: c.NoteWaitReason) -> Decision:
    """Say on the board why names wait although tables stand empty."""
    if command.reason == here.board.wait_reason:
        return ()
    return here.on_board(e.WaitExplained(reason=command.reason.strip(), at=here.at))
