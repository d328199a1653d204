"""What the next hand will be: button, who is dealt in, what each puts up; from the table and its book alone."""

from collections.abc import Iterable

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.deal_events import LeftOut, Passed
from cardroom.tables.entry import (
    Terms,
    collection_cents,
    collection_to_house,
    in_small_blind_position,
    terms,
)
from cardroom.tables.forced import (
    Forced,
    antes,
    blinds,
    candidates,
    collections,
    entry_posts,
    in_the_deal,
    missed_collections,
    straddles,
)
from cardroom.tables.positions import (
    Positions,
    Request,
    Rotation,
    advance,
    buying,
    next_in,
    passed,
)
from cardroom.tables.seats import Arrival, Seat, WayIn
from cardroom.tables.table import Table

STUD_FORMS = frozenset({Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ})


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The next hand as it would be dealt now.

    Args:
        button: seat of the button; 0 in games without one.
        rotation: what the table will remember of button and blinds.
        dealt: seats that get a hand, clockwise from the one that gets the first card.
        forced: what is put up, in order.
        first_after: seat after whom the betting before the flop begins.
        left_out: who is there and gets no hand, and why.
        passed: seats without a hand that button and blinds go past.
        missed_collections: (seat, cents) taken from absent players' stacks, into the pot or for the house.
        missed_to_house: whether the house takes them.
        rules: rules that button and blinds rest on.
    """

    button: int
    rotation: Rotation
    dealt: tuple[int, ...]
    forced: tuple[Forced, ...]
    first_after: int
    left_out: tuple[LeftOut, ...]
    passed: Passed
    missed_collections: tuple[tuple[int, int], ...]
    rules: tuple[str, ...]
    missed_to_house: bool = False

    @property
    def buyer(self) -> int:
        """The seat that buys the button, 0 where nobody does."""
        return next((f.seat for f in self.forced if f.kind == "button_bought"), 0)


def base_positions(table: Table, rules: ResolvedBook) -> Positions | None:
    """Return where button and blinds will stand as far as those decide who come in without conditions.

    None where fewer than two would get a hand, or the first button is not drawn.
    """
    return _positions(table, rules, coming=frozenset())


def _clear(table: Table, seat: Seat, rules: ResolvedBook) -> bool:
    """Whether he is dealt in wherever button and blinds end up, without a word from him."""
    return terms(table, seat, rules, None).free and seat.way_in not in (
        WayIn.WAIT_FOR_BIG_BLIND,
        WayIn.WAIT_FOR_BUTTON,
        WayIn.BUY_BUTTON,
    )


def _positions(table: Table, rules: ResolvedBook, coming: frozenset[int]) -> Positions | None:
    present = candidates(table)
    clear = frozenset(seat.seat for seat in present if _clear(table, seat, rules)) | coming
    waiting = frozenset(
        seat.seat for seat in present if seat.seat not in clear and not _stays_out(seat)
    )
    if table.rotation is None and not table.first_button:
        return None
    collection = collection_cents(table, rules)
    skipped = frozenset(
        seat.seat
        for seat in present
        if collection
        and rules.choice("collection.short_button") == "skipped"
        and not seat.passed_over
        and seat.stack_cents is not None
        and seat.stack_cents < collection
    )
    ask = Request(
        rule=rules.choice("blinds.button_rule"),
        seats=table.seat_count,
        last=table.rotation,
        first_button=table.first_button,
        playing=clear,
        waiting=waiting,
        blinds=len(table.the_game().blinds_cents),
        heads_up_small_on_button=rules.flag("blinds.heads_up_small_on_button"),
        passed_over=skipped,
    )
    found = advance(ask)
    if found is None and waiting and len(clear | waiting) >= 2:
        found = advance(msgspec.structs.replace(ask, playing=clear | waiting, waiting=frozenset()))
    return found


def _stays_out(seat: Seat) -> bool:
    """Whether he waits for the button rather than for the big blind."""
    dealt_off = seat.arrival is Arrival.DEALT_OFF and not seat.played and not seat.passes_button
    return seat.way_in is WayIn.WAIT_FOR_BUTTON or (dealt_off and seat.way_in is WayIn.UNSAID)


def plan(table: Table, rules: ResolvedBook) -> Plan:
    """Return the next hand as it would be dealt now.

    Raises:
        Refused: fewer than two players would get a hand (CR-6), or the button was not drawn (button.first_by).
    """
    game = table.the_game()
    if game.form in STUD_FORMS:
        return _without_button(table, rules)
    if table.rotation is None and not table.first_button:
        raise Refused(
            "BUTTON_NOT_DRAWN",
            rules.cite("button.first_by"),
            f"table {table.table} is new: the button has to be drawn for before its first hand",
            options=("draw for the button",),
        )
    if not game.blinds_cents:
        return _without_button(table, rules)
    base = base_positions(table, rules)
    entries = {
        seat.seat: terms(table, seat, rules, base)
        for seat in candidates(table)
        if not _clear(table, seat, rules)
    }
    coming = frozenset(
        number
        for number, entry in entries.items()
        if _comes_in(table.seats[number], entry) and not _meets_blind(table.seats[number], base)
    )
    found = _positions(table, rules, coming)
    if found is None:
        raise Refused(
            "TOO_FEW_PLAYERS",
            "CR-6",
            f"table {table.table}: a hand needs two players with chips who may be dealt in",
        )
    found, buyer = _bought(table, entries, found)
    corrected = table.correction is not None
    if corrected:
        found = _corrected(table, found)
    return _laid_out(table, rules, found, entries, buyer)


def _meets_blind(seat: Seat, base: Positions | None) -> bool:
    """Whether he comes in because the big blind does, and for nothing he said."""
    return base is not None and seat.way_in is WayIn.UNSAID and seat.seat in base.big_blinds


def _comes_in(seat: Seat, entry: Terms) -> bool:
    if entry.free:
        return seat.way_in not in (WayIn.WAIT_FOR_BIG_BLIND, WayIn.WAIT_FOR_BUTTON)
    way = entry.way(seat.way_in)
    return (
        way is not None
        and way.open_now
        and seat.way_in in (WayIn.POST, WayIn.STRADDLE, WayIn.DEAL_IN)
    )


def _bought(table: Table, entries: dict[int, Terms], found: Positions) -> tuple[Positions, int]:
    if table.rotation is None:
        return found, 0
    for number, entry in entries.items():
        way = entry.way(WayIn.BUY_BUTTON)
        wants = table.seats[number].way_in is WayIn.BUY_BUTTON
        if wants and way and in_small_blind_position(table, number, found):
            return buying(found, number, table.rotation), number
    return found, 0


def _corrected(table: Table, found: Positions) -> Positions:
    """A hand played where the button should have been before: nothing else of the rotation changes."""
    assert table.correction is not None
    assert table.rotation is not None
    button, blinds = table.correction
    posts = tuple((seat, index) for index, seat in enumerate(blinds) if seat in found.dealt)
    return Positions(
        button=button,
        rotation=table.rotation,
        posts=posts,
        first_after=blinds[-1],
        dealt=found.dealt,
    )


def _without_button(table: Table, rules: ResolvedBook) -> Plan:
    """A game without blinds: antes from everyone, the first card to the dealer's left."""
    dealt = tuple(seat.seat for seat in candidates(table))
    if len(dealt) < 2:
        raise Refused(
            "TOO_FEW_PLAYERS", "CR-6", f"table {table.table}: a hand needs two players with chips"
        )
    game = table.the_game()
    rotation = table.rotation or Rotation(button=table.first_button)
    button = 0
    if game.form not in STUD_FORMS and table.first_button:
        button = next_in(rotation.button, frozenset(dealt), table.seat_count) or dealt[0]
        if table.hands_this_game == 0:
            button = table.first_button
        rotation = Rotation(button=button)
    return Plan(
        button=button,
        rotation=rotation,
        dealt=_clockwise(button or table.seat_count, dealt, table.seat_count),
        forced=antes(table, dealt, rules),
        first_after=button,
        left_out=(),
        passed=Passed(),
        missed_collections=(),
        rules=rules.cite("blinds.structure"),
    )


def _clockwise(after: int, dealt: Iterable[int], seats: int) -> tuple[int, ...]:
    return tuple(sorted(dealt, key=lambda seat: (seat - after - 1) % seats))


def _laid_out(
    table: Table,
    rules: ResolvedBook,
    found: Positions,
    entries: dict[int, Terms],
    buyer: int,
) -> Plan:
    anew = rules.choice("blinds.button_rule") == "forward_moving" and len(found.dealt) > 2
    before = table.rotation if table.correction is None else None
    paths = passed(before, found.rotation, table.seat_count, from_button=anew)
    out = _left_out(table, rules, found, entries)
    skipped = {one.seat for one in out if one.reason == "COLLECTION_SHORT"}
    absent = frozenset(table.seats) - found.dealt - skipped

    def without_hand(path: frozenset[int]) -> tuple[int, ...]:
        return tuple(sorted(path & absent))

    went = Passed(
        button=without_hand(paths["button"]),
        small=without_hand(paths["small"]),
        big=without_hand(paths["big"]),
    )
    forced = [*antes(table, sorted(found.dealt), rules)]
    forced += collections(table, rules, found)
    forced += blinds(table, rules, found, forced)
    forced += entry_posts(table, rules, found, entries, buyer, forced)
    forced += straddles(table, rules, found, forced)
    straddled = [one.seat for one in forced if one.kind == "straddle"]
    return Plan(
        button=found.button,
        rotation=found.rotation,
        dealt=_clockwise(found.button, found.dealt, table.seat_count),
        forced=tuple(forced),
        first_after=straddled[-1]
        if straddled and straddled[-1] != found.button
        else found.first_after,
        left_out=out,
        passed=went,
        missed_collections=missed_collections(table, rules, went),
        missed_to_house=collection_to_house(rules),
        rules=rules.cite("blinds.button_rule", "blinds.structure")
        if len(found.dealt) > 2
        else rules.cite("blinds.heads_up_small_on_button"),
    )


def _left_out(
    table: Table, rules: ResolvedBook, found: Positions, entries: dict[int, Terms]
) -> tuple[LeftOut, ...]:
    out = [
        LeftOut(seat.seat, "NOT_IN_PREVIOUS_DEAL", rules.cite("deal.carried_pot"))
        for seat in table.seats.values()
        if seat.present and seat.has_chips and not in_the_deal(table, seat)
    ]
    out += [
        LeftOut(seat.seat, "CHIPS_NOT_RESTORED", rules.cite("chips.removal"))
        for seat in table.seats.values()
        if seat.present and seat.safe_cents
    ]
    for seat in candidates(table):
        if seat.seat in found.dealt:
            continue
        entry = entries.get(seat.seat)
        if entry is None or (entry.free and seat.way_in is WayIn.UNSAID):
            out.append(
                LeftOut(seat.seat, "COLLECTION_SHORT", rules.cite("collection.short_button"))
            )
        elif entry.free:
            out.append(LeftOut(seat.seat, "WAITS", rules.cite("blinds.wait_for_big_blind")))
        else:
            way = entry.way(seat.way_in)
            code = way.closed_code if way and not way.open_now else entry.code
            cited = way.rules if way and not way.open_now else entry.rules
            out.append(LeftOut(seat.seat, code, cited))
    return tuple(out)
