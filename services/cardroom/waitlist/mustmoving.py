"""Must-move lists: linking games, calling to the main game, declining, and keeping or losing the place."""

from datetime import timedelta

from msgspec.structs import replace

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.rulebook.model import ResolvedBook
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.board import board_stream
from cardroom.waitlist.here import FLOOR, Here, Records, here_at
from cardroom.waitlist.lists import Lists, MustMove, lists_stream, mustmove_stream
from cardroom.waitlist.values import ListBar, MoveName


def here_of_main(streams: Streams, occasion: Occasion, room: str, main: str) -> Here:
    """Return the board of the game that a main table spreads.

    Raises:
        Refused: CR-2, no such table spreads a game.
    """
    lists: Lists = streams[lists_stream(room)]
    found = lists.table(main)
    if found is None:
        raise Unknown("table", main, "main")
    return here_at(streams, occasion, room, found[0])


def _ticket(here: Here, player_id: str, extra: int) -> int:
    on_board = here.board.name_of(player_id)
    if on_board is not None:
        return on_board.ticket
    known = dict(here.board.tickets)
    return known.get(player_id, here.board.next_ticket + extra)


def _new_name(
    here: Here, book: ResolvedBook, state: MustMove, player_id: str, extra: int = 0
) -> MoveName:
    """Return a player's name for the must-move list, in the place that the main game's book gives it.

    Args:
        here: the board of the must-move game, on whose list the player waited.
        book: the book in force for the main game.
        state: the must-move list.
        player_id: the player.
        extra: how many names are put on it before this one.
    """
    if book.choice("mustmove.list_order") == "time_seated":
        ticket = max((n.ticket for n in state.names), default=0) + 1 + extra
    else:
        ticket = _ticket(here, player_id, extra)
    return MoveName(player_id=player_id, ticket=ticket, seated_at=here.at)


def link(streams: Streams, occasion: Occasion, command: c.LinkMustMove) -> Decision:
    """Make one running game feed another of the same type and limit.

    Raises:
        Refused: a table is unknown, the games differ, or one of them is linked otherwise.
    """
    lists: Lists = streams[lists_stream(command.room)]
    main, feeder = lists.table(command.main), lists.table(command.feeder)
    if main is None:
        raise Unknown("table", command.main, "main")
    if feeder is None:
        raise Unknown("table", command.feeder, "feeder")
    here = here_at(streams, occasion, command.room, main[0])
    rules = here.book.cite("mustmove.same_game")
    if command.main == command.feeder:
        raise Refused("SAME_TABLE", "CR-4", "a game cannot feed itself", field="feeder")
    one, other = (known.game_of(streams, command.room, found[0]) for found in (main, feeder))
    if one.stakes != other.stakes:
        raise Refused(
            "NOT_SAME_GAME",
            rules,
            f"table {command.feeder} spreads {feeder[0]}, table {command.main} {main[0]}: "
            "not of one type and limit",
            options=("link games of one type and limit",),
            field="feeder",
        )
    state = here.mustmove(command.main)
    if state.feeder == command.feeder and feeder[1] == command.main:
        return ()
    if state.feeder or feeder[1]:
        raise Refused(
            "LINKED",
            "CR-7",
            f"table {state.feeder or command.feeder} already feeds table "
            f"{command.main if state.feeder else feeder[1]}",
            options=("chain it: let it feed the feeder",),
            field="feeder",
        )
    if _feeds_back(lists, command.main, command.feeder):
        raise Refused("CIRCLE", "CR-4", "the main game already feeds this game", field="main")
    stream = mustmove_stream(command.room, command.main)
    linked = e.MustMoveLinked(
        room=command.room,
        game_id=main[0],
        main=command.main,
        feeder=command.feeder,
        at=occasion.at,
        by=occasion.actor,
        rules=rules,
    )
    relisted = e.TableListed(table=command.feeder, game_id=feeder[0], feeds=command.main)
    records: Records = [
        (stream, linked),
        (lists_stream(command.room), relisted),
    ]
    feeding = here_at(streams, occasion, command.room, feeder[0])
    table = feeding.board.table(command.feeder)
    order = here.book.cite("mustmove.list_order")
    for number, player_id in enumerate(table.players if table else ()):
        name = _new_name(feeding, here.book, state, player_id, number)
        records.append((stream, e.MoveNameAdded(name=name, rules=order)))
    return tuple(records)


def _feeds_back(lists: Lists, main: str, feeder: str) -> bool:
    seen, table = set(), main
    while table and table not in seen:
        if table == feeder:
            return True
        seen.add(table)
        found = lists.table(table)
        table = found[1] if found else ""
    return False


def unlink(streams: Streams, occasion: Occasion, command: c.UnlinkMustMove) -> Decision:
    """End that one game feeds another.

    Raises:
        Refused: CR-6, no game feeds it.
    """
    here = here_of_main(streams, occasion, command.room, command.main)
    state = here.mustmove(command.main)
    if not state.feeder:
        raise Refused("NOT_LINKED", "CR-6", f"no game feeds table {command.main}", field="main")
    unlinked = e.MustMoveUnlinked(
        main=command.main, feeder=state.feeder, at=occasion.at, reason=command.reason
    )
    feeder = here.lists().table(state.feeder)
    game_id = feeder[0] if feeder else state.game_id
    relisted = e.TableListed(table=state.feeder, game_id=game_id, feeds="")
    return (
        (mustmove_stream(command.room, command.main), unlinked),
        (lists_stream(command.room), relisted),
    )


def called(here: Here, state: MustMove, seat: int) -> e.CalledToMain | None:
    """Return the call of the next must-move player to a main-game seat, or None where nobody is left."""
    name = state.next_up()
    if name is None:
        return None
    return e.CalledToMain(
        room=here.room,
        game_id=state.game_id,
        player_id=name.player_id,
        feeder=state.feeder,
        main=state.main,
        seat=seat,
        at=here.at,
        playing=name.playing,
        rules=here.book.cite("mustmove.list_order"),
    )


def main_seat_open(here: Here, state: MustMove, seat: int) -> Decision:
    """Return what an open main-game seat means for its must-move list."""
    if state.called_for(seat) is not None:
        return ()
    stream = mustmove_stream(here.room, state.main)
    call = called(here, state, seat)
    if call is not None:
        return ((stream, call),)
    if seat in state.open_seats:
        return ()
    return ((stream, e.MainSeatWaits(seat=seat, is_open=True)),)


def call_to_main(streams: Streams, occasion: Occasion, command: c.CallToMain) -> Decision:
    """Call the next must-move player to a main-game seat.

    Raises:
        Refused: somebody is called for it, or nobody is on the list.
    """
    here = here_of_main(streams, occasion, command.room, command.main)
    state = here.mustmove(command.main)
    standing = state.called_for(command.seat)
    if standing is not None:
        raise Refused("SEAT_CALLED", "CR-7", f"{standing.player_id} is called for it", field="seat")
    call = called(here, state, command.seat)
    if call is None:
        raise Refused("NOBODY_WAITS", "CR-6", "nobody on the must-move list may be called")
    return ((mustmove_stream(command.room, command.main), call),)


def _called_name(state: MustMove, player_id: str) -> MoveName:
    name = state.name_of(player_id)
    if name is None:
        raise Unknown("must-move name", player_id, "player_id")
    if not name.called_seat:
        raise Refused("NOT_CALLED", "CR-6", f"{player_id} was not called", field="player_id")
    return name


def _next_for(here: Here, state: MustMove, seat: int, gone: str) -> tuple[Event, ...]:
    """Return the call of the next name for a seat that the one called does not take."""
    left = tuple(n for n in state.names if n.player_id != gone)
    call = called(here, replace(state, names=left), seat)
    return (call,) if call else (e.MainSeatWaits(seat=seat, is_open=True),)


def decline(streams: Streams, occasion: Occasion, command: c.DeclineMove) -> Decision:
    """Refuse to move: the player has to leave the feeder, and the next name is called.

    Raises:
        Refused: the player was not called.
    """
    here = here_of_main(streams, occasion, command.room, command.main)
    state = here.mustmove(command.main)
    name = _called_name(state, command.player_id)
    stream = mustmove_stream(command.room, command.main)
    declined = e.MoveDeclined(
        room=command.room,
        player_id=command.player_id,
        feeder=state.feeder,
        at=occasion.at,
        rules=here.book.cite("mustmove.refusal_means_leaving"),
    )
    following = _next_for(here, state, name.called_seat, command.player_id)
    return tuple((stream, event) for event in (declined, *following))


def pass_move(streams: Streams, occasion: Occasion, command: c.PassMove) -> Decision:
    """Let a called player stay for this seat and go down the list, on the floor's word and with a reason.

    Raises:
        Refused: the player was not called; the floor did not say so.
    """
    here = here_of_main(streams, occasion, command.room, command.main)
    state = here.mustmove(command.main)
    name = _called_name(state, command.player_id)
    refusal = Refused(
        "MUST_MOVE",
        here.book.cite("mustmove.refusal_means_leaving"),
        f"{command.player_id} moves or leaves the game",
        options=("move", "decline and leave"),
        field="player_id",
    )
    require_override(occasion, FLOOR, refusal)
    stream = mustmove_stream(command.room, command.main)
    passed = e.MovePassed(
        room=command.room,
        player_id=command.player_id,
        feeder=state.feeder,
        at=occasion.at,
        rules=refusal.rules,
    )
    following = _next_for(here, state, name.called_seat, command.player_id)
    return tuple((stream, event) for event in (passed, *following))


def _main_of(here: Here, state: MustMove) -> Here:
    """Return the board of the main game; it is the feeder's own where both stand under one id."""
    if state.game_id in ("", here.game_id):
        return here
    return here_at(here.streams, here.occasion, here.room, state.game_id)


def sat_down(here: Here, table: str, seat: int, player_id: str) -> Decision:
    """Return what sitting down at a table means for must-move lists: a feeder's players are put on its list."""
    records: Records = []
    found = here.lists().table(table)
    feeds = found[1] if found else ""
    if feeds:
        state = here.mustmove(feeds)
        if state.name_of(player_id) is None:
            stream = mustmove_stream(here.room, feeds)
            main = _main_of(here, state)
            name = _new_name(here, main.book, state, player_id)
            rules = main.book.cite("mustmove.list_order")
            records.append((stream, e.MoveNameAdded(name=name, rules=rules)))
            records.extend(_main_seat_for(main, state, stream, name))
    own = here.mustmove(table)
    if own.main:
        records.extend(_took_main_seat(here, own, seat, player_id))
    return tuple(records)


def _main_seat_for(here: Here, state: MustMove, stream: StreamId, name: MoveName) -> Decision:
    """A main-game seat that waits takes the first name that comes on the list."""
    if not state.open_seats or state.next_up() is not None:
        return ()
    call = e.CalledToMain(
        room=here.room,
        game_id=state.game_id,
        player_id=name.player_id,
        feeder=state.feeder,
        main=state.main,
        seat=state.open_seats[0],
        at=here.at,
        playing=True,
        rules=here.book.cite("mustmove.list_order"),
    )
    return ((stream, call),)


def _took_main_seat(here: Here, own: MustMove, seat: int, player_id: str) -> Decision:
    stream = mustmove_stream(here.room, own.main)
    events: list[Event] = []
    if own.name_of(player_id) is not None:
        events.append(
            e.MoveNameRemoved(
                room=here.room,
                player_id=player_id,
                at=here.at,
                reason="moved",
                rules=here.book.cite("mustmove.list_order"),
            )
        )
    if seat in own.open_seats:
        events.append(e.MainSeatWaits(seat=seat, is_open=False))
    return tuple((stream, event) for event in events)


def stood_up(
    here: Here, table: str, player_id: str, players_before: int, *, moved: bool
) -> Decision:
    """Return what leaving a feeder means: the place is lost, kept in a short game, or barred after a refusal."""
    found = here.lists().table(table)
    feeds = found[1] if found else ""
    if not feeds:
        return ()
    state = here.mustmove(feeds)
    name = state.name_of(player_id)
    if name is None or moved:
        return ()
    stream = mustmove_stream(here.room, feeds)
    book = _main_of(here, state).book
    keep = book.count("mustmove.keep_place_when_below")
    rules = book.cite("mustmove.play_to_keep_place", "mustmove.keep_place_when_below")
    if not name.declined and players_before < keep:
        kept = e.MoveNameKept(
            room=here.room,
            player_id=player_id,
            at=here.at,
            players=players_before,
            rules=rules,
        )
        return ((stream, kept),)
    removed = e.MoveNameRemoved(
        room=here.room,
        player_id=player_id,
        at=here.at,
        reason="refused to move" if name.declined else "stopped playing",
        rules=rules,
    )
    records: Records = [(stream, removed)]
    if name.called_seat:
        records.extend(
            (stream, event)
            for event in _next_for(_main_of(here, state), state, name.called_seat, player_id)
        )
    if name.declined:
        minutes = book.minutes("mustmove.refusal_bar_minutes")
        bar = ListBar(
            player_id=player_id,
            since=here.at,
            until=here.at + timedelta(minutes=minutes),
            rules=book.cite("mustmove.refusal_bar_minutes"),
        )
        records.append(
            (
                board_stream(here.room, here.game_id),
                e.SignUpBarred(room=here.room, game_id=here.game_id, bar=bar),
            )
        )
    return tuple(records)
