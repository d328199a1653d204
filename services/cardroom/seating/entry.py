"""Who may be dealt into the coming hand as far as seats are concerned, and what it costs.

Blinds that pass a player who stays in the seat are the table's own business; here stand the waits and posts that come
from taking or changing a seat, moves that are due, exclusions, and seats that nobody may be dealt into.
"""

import msgspec
from msgspec.structs import replace

from cardroom.kernel.decisions import Decision
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.known import Game
from cardroom.known.citing import stated
from cardroom.known.standing import Act, impediment_to
from cardroom.rulebook.model import ResolvedBook
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.buyin import full_buy_in
from cardroom.seating.here import Here
from cardroom.seating.table import TableSeats, clockwise
from cardroom.seating.values import (
    Deal,
    Entry,
    EntryKind,
    Move,
    MoveWhen,
    Seat,
    Seated,
    Substitute,
)


class Post(msgspec.Struct, frozen=True):
    """What must be posted: all of it, and the part that is dead."""

    cents: int
    dead_cents: int
    rules: tuple[str, ...]


NOTHING = Post(0, 0, ())


def big_blind_cents(game: Game) -> int:
    """Return the big blind, 0 in a game without blinds."""
    return game.blinds_cents[-1] if game.blinds_cents else 0


def post_for(entry: Entry, missed_buttons: int, game: Game, book: ResolvedBook) -> Post:
    """Return what brings a player into the deal before the wait is over."""
    big = big_blind_cents(game)
    if entry.kind is EntryKind.OWES_MISSED or missed_buttons:
        total = sum(game.blinds_cents)
        rules = book.cite("blinds.missed_post")
        if book.flag("blinds.missed_post_adds_collection") and game.button_collection_cents:
            total += game.button_collection_cents
            rules = book.cite("blinds.missed_post", "blinds.missed_post_adds_collection")
        return Post(total, total - big, tuple(dict.fromkeys((*entry.rules, *rules))))
    if entry.kind is EntryKind.NEW:
        if book.choice("blinds.new_player") == "free":
            return NOTHING
        return Post(big, 0, book.cite("blinds.new_player"))
    if entry.kind in {EntryKind.WAIT_HANDS, EntryKind.SAME_PLACE, EntryKind.UNTIL_BIG_BLIND}:
        return Post(big, 0, entry.rules)
    return NOTHING


def next_taken(table: TableSeats, number: int) -> int:
    """Return the next seat clockwise in which somebody sits and is present."""
    size = len(table.seats)
    for step in range(1, size + 1):
        seat = table.seats[(number - 1 + step) % size]
        if seat.seated and seat.seated.away is None:
            return seat.number
    return number


def players_between(table: TableSeats, big: int, number: int) -> int:
    """Return how many players sit clockwise between the big blind and a seat."""
    size = len(table.seats)
    span = clockwise(big, number, size)
    return sum(
        1
        for s in table.seats
        if s.seated and s.number != number and 0 < clockwise(big, s.number, size) < span
    )


def wait_is_over(table: TableSeats, seat: Seat, seated: Seated, deal: Deal) -> bool:
    """Return whether a player who must wait may be dealt in for nothing."""
    entry = seated.entry
    if deal.big == seat.number:
        return True
    if entry.dealt_off and next_taken(table, seat.number) == deal.button:
        return True
    match entry.kind:
        case EntryKind.WAIT_HANDS:
            return deal.number - entry.after_hand > entry.wait_hands
        case EntryKind.SAME_PLACE:
            return players_between(table, deal.big, seat.number) <= entry.place
        case EntryKind.OWES_MISSED | EntryKind.UNTIL_BIG_BLIND:
            return False
        case EntryKind.FREE_UNTIL_SECOND_PASS:
            return seated.button_passes < 2
        case _:
            return True


def move_refusal(move: Move, seat: int, deal: Deal, size: int) -> Refused | None:
    """Return why somebody who is to move may not be dealt into a hand, or None.

    Args:
        move: the move that is due.
        seat: where the player still sits.
        deal: the coming hand.
        size: seats of the table.
    """
    match move.when:
        case MoveWhen.AT_ONCE:
            allowed = deal.number <= move.after_hand
        case MoveWhen.THROUGH_BUTTON:
            # The big blind coming again begins another round.
            again = deal.big == seat
            allowed = deal.number <= move.after_hand or (
                seat in {deal.button, deal.small} and not again
            )
        case MoveWhen.BLINDS_ONLY:
            allowed = deal.number <= move.after_hand or (seat == deal.small and seat != deal.big)
        case MoveWhen.TO_BIG_BLIND:
            reached = clockwise(move.big_at_call, deal.big, size)
            due = clockwise(move.big_at_call, seat, size) or size
            due_here = deal.big == seat or reached >= due
            allowed = deal.number <= move.after_hand or not due_here
        case MoveWhen.HANDS:
            allowed = deal.number <= move.after_hand + move.hands
    if allowed:
        return None
    where = f"to table {move.to_table} seat {move.to_seat}" if move.to_table else "out of the game"
    return Refused(
        "MUST_MOVE",
        move.rules,
        f"the player in seat {seat} is to go {where} and takes no further hand here",
        field="player_id",
    )


def _comes_round(table: TableSeats, playing: Substitute, deal: Deal) -> bool:
    """Return whether the button of a coming hand reaches or passes where the substitute's round began."""
    last = table.deal
    if last is None or deal.number <= last.number:
        return False
    size = len(table.seats)
    step = clockwise(last.button, deal.button, size) or size
    return 0 < (clockwise(last.button, playing.button, size) or size) <= step


def substitute_refusal(table: TableSeats, seat: Seat, seated: Seated, deal: Deal) -> Refused | None:
    """Return why an absent player's chips may not be played, or None."""
    playing = seated.substitute
    if playing is None:
        return Refused(
            "PLAYER_AWAY", "CR-6", f"the player in seat {seat.number} is away", field="player_id"
        )
    played = playing.rounds_played
    if deal.number > playing.from_hand and _comes_round(table, playing, deal):
        played += 1
    if playing.rounds and played >= playing.rounds:
        return Refused(
            "SUBSTITUTE_OVER",
            playing.rules,
            f"the round in which somebody else plays seat {seat.number} is used up",
            field="player_id",
        )
    return None


def bar_to_hand(
    table: TableSeats, seat: Seat, seated: Seated, deal: Deal, here: Here
) -> Refused | None:
    """Return what keeps a seated player out of a hand whatever is posted, or None."""
    exclusion = seated.exclusion
    if exclusion is not None and (exclusion.until is None or here.at < exclusion.until):
        until = f" until {exclusion.until:%Y-%m-%d %H:%M} UTC" if exclusion.until else ""
        return Refused(
            exclusion.code,
            exclusion.rules,
            f"the player in seat {seat.number} is not dealt in{until}",
            field="player_id",
        )
    if seated.full_due:
        full = dollars(full_buy_in(here.game, here.book).cents)
        return Refused(
            "FULL_BUY_IN_DUE",
            seated.full_due,
            f"the limit went up, and the player in seat {seat.number} has less than {full}",
            options=(f"make it up to {full}", "leave the game"),
            field="player_id",
        )
    if seated.away is not None and not (seated.play_over and seated.play_over.playing):
        refusal = substitute_refusal(table, seat, seated, deal)
        if refusal is not None:
            return refusal
    if seated.move is not None:
        return move_refusal(seated.move, seat.number, deal, len(table.seats))
    return None


def _between_button_and_big(table: TableSeats, seat: int, deal: Deal) -> bool:
    size = len(table.seats)
    return clockwise(deal.button, seat, size) < clockwise(deal.button, deal.big, size)


def request_hand(here: Here, command: c.RequestHand) -> Decision:
    """Let a player into the deal, for nothing or for the post that is due.

    Raises:
        Refused: a move is due, the player is excluded or away, must wait, or the post is another amount.
    """
    seat, seated = here.seated(command.player_id)
    check_cents(command.post_cents, "post_cents")
    if command.standing is not None:
        barred = impediment_to(command.standing, Act.DEAL, here.at)
        if barred is not None:
            raise barred
    refusal = bar_to_hand(here.table, seat, seated, command.deal, here)
    if refusal is not None:
        raise refusal
    post = _due_post(here, seat, seated, command.deal)
    if post.cents and command.post_cents != post.cents:
        _refuse_post(seat, seated, post, command.post_cents)
    if not post.cents and command.post_cents:
        raise Refused(
            "NOTHING_TO_POST",
            seated.entry.rules or ("CR-6",),
            f"seat {seat.number} owes no post",
            options=("ask for the hand without a post",),
            field="post_cents",
        )
    return here.on_table(
        e.HandGranted(
            room=here.table.room,
            table=here.table.table,
            seat=seat.number,
            player_id=command.player_id,
            hand=command.deal.number,
            post_cents=post.cents,
            dead_cents=post.dead_cents,
            rules=post.rules or seated.entry.rules,
        )
    )


def _due_post(here: Here, seat: Seat, seated: Seated, deal: Deal) -> Post:
    entry = seated.entry
    if entry.kind is EntryKind.PLAYING and not seated.missed_buttons:
        return NOTHING
    if deal.big == seat.number:
        return NOTHING
    owes = bool(seated.missed_buttons)
    if entry.kind is EntryKind.FREE_UNTIL_SECOND_PASS and seated.button_passes >= 2:
        entry, owes = replace(entry, kind=EntryKind.OWES_MISSED), True
    may_enter = here.book.flag("blinds.entry_between_button_and_big_blind")
    if not may_enter and deal.big and _between_button_and_big(here.table, seat.number, deal):
        raise Refused(
            "BETWEEN_BUTTON_AND_BIG_BLIND",
            here.book.cite("blinds.entry_between_button_and_big_blind"),
            f"seat {seat.number} lies between the button and the big blind",
            options=("wait until the button has passed",),
            field="player_id",
        )
    if not owes and wait_is_over(here.table, seat, seated, deal):
        return post_for(entry, 0, here.game, here.book) if entry.kind is EntryKind.NEW else NOTHING
    if owes and entry.dealt_off and next_taken(here.table, seat.number) == deal.button:
        return NOTHING
    return post_for(entry, seated.missed_buttons, here.game, here.book)


def _refuse_post(seat: Seat, seated: Seated, post: Post, offered_cents: int) -> None:
    entry = seated.entry
    ways = [f"post {dollars(post.cents)}", "wait for the big blind"]
    if entry.kind is EntryKind.WAIT_HANDS:
        ways.append(f"wait {entry.wait_hands} hands from hand {entry.after_hand}")
    if entry.dealt_off:
        ways.append("come in behind the button when it has passed")
    raise Refused(
        "POST_NEEDED" if offered_cents == 0 else "POST_OTHER_AMOUNT",
        post.rules,
        f"seat {seat.number} posts {dollars(post.cents)} to be dealt in now, "
        f"not {dollars(offered_cents)}",
        options=tuple(ways),
        field="post_cents",
    )


def claim_free_entry(here: Here, command: c.ClaimFreeEntry) -> Decision:
    """Confirm that a player dealt off and may come in behind the button.

    Raises:
        Refused: the player did not play the hand on the button before moving.
    """
    seat, seated = here.seated(command.player_id)
    if not seated.entry.dealt_off:
        raise Refused(
            "NOT_DEALT_OFF",
            here.book.cite("seating.deal_off_free"),
            f"player {command.player_id} did not play a hand on the button and then change seats",
            field="player_id",
        )
    return here.on_table(e.EntryChanged(seat=seat.number, entry=seated.entry))


def left_out(here: Here, deal: Deal) -> dict[int, Refused]:
    """Return the seats whose players may not be dealt into a hand, and why; posts and waits not counted."""
    found = {}
    for seat in here.table.taken:
        assert seat.seated is not None
        refusal = bar_to_hand(here.table, seat, seat.seated, deal, here)
        if refusal is not None:
            found[seat.number] = refusal
    return found


def in_grace(here: Here, number: int) -> bool:
    """Return whether a seat of a new game may be taken without post or wait: no blind has passed it yet."""
    seat = here.table.seat(number)
    fresh = here.table.deal is not None and not here.table.round_done
    grace = here.book.flag("blinds.new_game_grace")
    return grace and fresh and seat is not None and not seat.blind_passed


def entry_of_newcomer(here: Here, seat: Seat, reason: str) -> Entry:
    """Return what somebody who takes a seat must wait for or post.

    Args:
        here: the table.
        seat: the seat taken.
        reason: new, table_change, must_move, broken_game or forced.
    """
    book = here.book
    after = here.table.deal.number if here.table.deal else 0
    if reason == "must_move" and book.choice("mustmove.entry") == "free_until_second_pass":
        kind, rules = EntryKind.FREE_UNTIL_SECOND_PASS, book.cite("mustmove.entry")
    elif reason in {"broken_game", "forced"} and book.choice("blinds.forced_mover") == "no_post":
        kind, rules = EntryKind.NO_POST, book.cite("blinds.forced_mover")
    elif (
        seat.button_passed
        and seat.lock is not None
        and book.choice("blinds.locked_seat_passed") == "owes_blinds"
    ):
        kind = EntryKind.OWES_MISSED
        rules = book.cite("blinds.locked_seat_passed", "blinds.missed_post")
    elif in_grace(here, seat.number):
        kind, rules = EntryKind.NO_POST, book.cite("blinds.new_game_grace")
    elif here.table.is_new:
        kind, rules = EntryKind.PLAYING, stated(book, "LC-48", "RC-T3", "WP-412b")
    else:
        key = "blinds.forced_mover" if reason in {"broken_game", "forced"} else "blinds.new_player"
        kind, rules = EntryKind.NEW, book.cite(key, "blinds.new_player")
    return Entry(kind=kind, rules=rules, after_hand=after)


def entry_after_change(here: Here, from_seat: int, to_seat: int) -> Entry:
    """Return what a player who changes seats at the table must wait for or post."""
    table, book, deal = here.table, here.book, here.table.deal
    seat = table.seat(from_seat)
    seated = seat.seated if seat else None
    if deal is None or not deal.big or seated is None:
        return seated.entry if seated else Entry()
    dealt_off = deal.button == from_seat and book.flag("seating.deal_off_free")
    base = Entry(after_hand=deal.number, dealt_off=dealt_off)
    if seated.entry.kind is EntryKind.NEW:
        return replace(seated.entry, after_hand=deal.number)
    size, rule = len(table.seats), book.choice("seating.seat_change_wait")
    rules = book.cite("seating.seat_change_wait")
    if dealt_off:
        rules = book.cite("seating.seat_change_wait", "seating.deal_off_free")
    if seated.missed_buttons or seated.entry.kind is EntryKind.OWES_MISSED:
        missed = (*book.cite("seating.missed_blinds_stay"), *book.cite("blinds.missed_post"))
        return replace(base, kind=EntryKind.OWES_MISSED, rules=tuple(dict.fromkeys(missed)))
    if rule == "until_big_blind":
        return replace(base, kind=EntryKind.UNTIL_BIG_BLIND, rules=rules)
    if in_grace(here, to_seat):
        free = book.cite("blinds.new_game_grace")
        return replace(base, kind=EntryKind.PLAYING, rules=free)
    old, new = clockwise(deal.big, from_seat, size), clockwise(deal.big, to_seat, size)
    old, new = old or size, new or size
    if new <= old:
        return replace(base, kind=EntryKind.PLAYING, rules=rules)
    if rule == "positions_moved":
        moved = 1 + sum(
            1 for s in table.taken if old < (clockwise(deal.big, s.number, size) or size) < new
        )
        return replace(base, kind=EntryKind.WAIT_HANDS, wait_hands=moved, rules=rules)
    # The place that the old seat would have had in the next hand; -1 where it would have been the big blind's.
    place = players_between(table, deal.big, from_seat) - 1
    return replace(base, kind=EntryKind.SAME_PLACE, place=place, rules=rules)


class Due(msgspec.Struct, frozen=True):
    """What somebody who is not yet in the deal posts for the coming hand."""

    seat: int
    player_id: str
    post: Post
    must_wait: bool


def entry_dues(here: Here, deal: Deal) -> tuple[Due, ...]:
    """Return what each player who is not in the deal posts for a hand, from the predicate that grants it."""
    found = []
    for seat in here.table.taken:
        seated = seat.seated
        assert seated is not None
        if seated.entry.kind is EntryKind.PLAYING and not seated.missed_buttons:
            continue
        if bar_to_hand(here.table, seat, seated, deal, here) is not None:
            continue
        try:
            post, must_wait = _due_post(here, seat, seated, deal), False
        except Refused as refusal:
            post, must_wait = Post(0, 0, refusal.rules), True
        found.append(Due(seat.number, seated.player_id, post, must_wait))
    return tuple(found)
