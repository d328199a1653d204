"""Chips coming to a table and leaving it: purchases, chips on their way, chips taken off, stacks counted."""

import msgspec

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.known.buyins import full_buy_in_cents, least_full_cents
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import chip_events as ce
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.seats import Seat
from cardroom.tables.table import Table, each_once

Events = tuple[Event, ...]


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """How the book classes a purchase of chips.

    Args:
        full: whether it counts as a full buy-in.
        short: whether it counts as a short one.
        rules: rules it rests on.
    """

    full: bool
    short: bool
    rules: tuple[str, ...]


def class_purchase(
    table: Table,
    seat: Seat,
    cents: int,
    rules: ResolvedBook,
    money_left_cents: int | None = None,
) -> Purchase:
    """Class a purchase, if the book lets it be made.

    Args:
        table: the table.
        seat: whose it is.
        cents: how much.
        rules: the book in force.
        money_left_cents: what he has left to buy with; None where not known.

    Raises:
        Refused: it is below the full buy-in, over the maximum, or a short one too many (buyin.*).
    """
    game = table.the_game()
    full = full_buy_in_cents(game, rules)
    _check_maximum(seat, cents, rules)
    if seat.brought_cents == 0 and not seat.played:
        return _entering(seat, cents, full, rules)
    has_chips = seat.stack_cents is None or seat.stack_cents > 0
    if has_chips and not rules.flag("buyin.top_up_counts"):
        return Purchase(full=False, short=False, rules=rules.cite("buyin.top_up_counts"))
    if cents >= least_full_cents(game, rules):
        resets = cents >= full and rules.choice("buyin.short_allowed_per") == "full_buy_in"
        return Purchase(full=resets, short=False, rules=rules.cite("buyin.full_of"))
    last_money = (
        money_left_cents is not None
        and cents <= money_left_cents < full
        and (seat.brought_cents is None or seat.brought_cents >= full)
    )
    if has_chips and last_money and rules.flag("buyin.last_money_top_up"):
        return Purchase(full=False, short=False, rules=rules.cite("buyin.last_money_top_up"))
    return _short(seat, cents, full, rules, has_chips=has_chips)


def _entering(seat: Seat, cents: int, full: int, rules: ResolvedBook) -> Purchase:
    if cents < full:
        raise Refused(
            "BELOW_FULL_BUY_IN",
            rules.cite("buyin.full_of", "buyin.full_multiple"),
            f"seat {seat.seat} buys in for {dollars(cents)}; the full buy-in is {dollars(full)}",
            options=(f"buy in for {dollars(full)} or more",),
            field="cents",
        )
    return Purchase(
        full=rules.choice("buyin.short_allowed_per") == "full_buy_in",
        short=False,
        rules=rules.cite("buyin.full_of"),
    )


def _check_maximum(seat: Seat, cents: int, rules: ResolvedBook) -> None:
    most = rules.cents("buyin.maximum")
    if most and cents + (seat.stack_cents or 0) + seat.pending_cents > most:
        raise Refused(
            "OVER_MAXIMUM_BUY_IN",
            rules.cite("buyin.maximum"),
            f"seat {seat.seat}: a purchase may be at most {dollars(most)} and bring the stack to no more",
            options=(f"{dollars(max(0, most - (seat.stack_cents or 0)))} at most",),
            field="cents",
        )


def _short(seat: Seat, cents: int, full: int, rules: ResolvedBook, *, has_chips: bool) -> Purchase:
    cited = rules.cite("buyin.short_allowed", "buyin.short_allowed_per")
    option = (f"{dollars(full)} or more",)
    if not has_chips and not rules.flag("buyin.short_when_broke"):
        raise Refused(
            "FULL_BUY_IN_WHEN_BROKE",
            rules.cite("buyin.short_when_broke"),
            f"seat {seat.seat} has lost all chips; a full buy-in is asked for",
            options=option,
            field="cents",
        )
    if seat.short_buy_ins >= rules.count("buyin.short_allowed"):
        code = (
            "CONSECUTIVE_SHORT_BUY_IN"
            if rules.choice("buyin.short_allowed_per") == "full_buy_in"
            else "SHORT_BUY_IN_USED"
        )
        raise Refused(
            code,
            cited,
            f"seat {seat.seat} has made {seat.short_buy_ins} short buy-ins; {dollars(cents)} would be another",
            options=option,
            field="cents",
        )
    return Purchase(full=False, short=True, rules=cited)


def announced_plays(table: Table, rules: ResolvedBook, consented_by: str) -> bool:
    """Whether chips announced now play before they are here: before the deal, with the house's consent where asked."""
    if table.hand is not None:
        return False
    match rules.choice("chips.in_transit"):
        case "no":
            return False
        case "announced_with_consent":
            return bool(consented_by)
        case _:
            return True


def announce_chips(command: c.AnnounceChips, table: Table, rules: ResolvedBook) -> Events:
    """Record that chips were bought and are on their way, and whether they play before they are here."""
    seat = table.at(command.seat)
    check_cents(command.cents, "cents", least=1)
    return (
        ce.ChipsAnnounced(
            seat=seat.seat,
            player=seat.player,
            cents=command.cents,
            plays=command.told_table and announced_plays(table, rules, command.consented_by),
            consented_by=command.consented_by,
            rules=rules.cite("chips.in_transit"),
        ),
    )


def add_chips(command: c.AddChips, table: Table, rules: ResolvedBook) -> Events:
    """Record chips that came to a stack; during his hand they play from the next.

    Raises:
        Refused: the book does not let the purchase be made (buyin.*); CR-4, no whole positive amount.
    """
    check_cents(command.cents, "cents", least=1)
    if command.player and table.seat_of(command.player) is None:
        return _to_nobodys_stack(command, table)
    seat = table.seat_of(command.player) if command.player else None
    seat = seat or table.at(command.seat)
    dealt = table.hand is not None and seat.seat in table.hand.dealt
    full = short = False
    cited: tuple[str, ...] = ()
    if command.restored:
        _check_restored(seat, command.cents)
        cited = rules.cite("chips.removal")
    elif not command.announced and not command.checked and not table.tournament:
        if dealt and not rules.flag("buyin.top_up_counts"):
            raise Refused(
                "HAND_IN_PROGRESS",
                rules.cite("chips.bought_chips_play_next_deal", "buyin.top_up_counts"),
                f"seat {seat.seat} is in a hand; chips are added between hands",
                options=("add them after the hand",),
                field="seat",
            )
        bought = class_purchase(table, seat, command.cents, rules, command.money_left_cents)
        full, short, cited = bought.full, bought.short, bought.rules
    due = seat.behind_cents + seat.arriving_cents
    announced = min(command.cents, due) if command.announced or command.checked else 0
    fresh = command.cents - min(seat.behind_cents, announced)
    if dealt and fresh:
        cited = (*cited, *rules.cite("chips.bought_chips_play_next_deal"))
    return (
        ce.ChipsArrived(
            seat=seat.seat,
            player=seat.player,
            cents=command.cents,
            announced_cents=announced,
            counted_before_cents=min(seat.behind_cents, announced),
            from_next_hand=dealt,
            full=full,
            short=short,
            restored=command.restored,
            rules=cited,
        ),
    )


def _to_nobodys_stack(command: c.AddChips, table: Table) -> Events:
    """Record chips of somebody who has no seat here: with what he sits down, or on the table in no stack."""
    for sat in table.sitting:
        if sat.player == command.player:
            stack = None if sat.stack_cents is None else sat.stack_cents + command.cents
            return (ev.SittingNoted(sat=msgspec.structs.replace(sat, stack_cents=stack)),)
    return (ce.ChipsArrived(seat=0, player=command.player, cents=command.cents),)


def _check_restored(seat: Seat, cents: int) -> None:
    if cents > seat.safe_cents:
        raise Refused(
            "NOT_TAKEN_ALONG",
            "CR-8",
            f"seat {seat.seat} took {dollars(seat.safe_cents)} along, not {dollars(cents)}",
            field="cents",
        )


def _gone_off(command: c.RemoveChips, table: Table) -> ce.ChipsRemoved:
    """Chips that are gone, as their owner tells: from the stack as far as it is known to hold them."""
    # Where the teller saw him sit may have changed since, or not yet have changed here.
    seat = table.seat_of(command.player) if command.player else table.seats.get(command.seat)
    if seat is None:
        return ce.ChipsRemoved(
            seat=0,
            player=command.player,
            cents=command.cents,
            purpose=command.purpose,
            rules=(),
            from_common_cents=command.cents,
        )
    dealt = table.hand is not None and seat.seat in table.hand.dealt
    known = seat.stack_cents is not None
    held = command.cents if dealt else min(command.cents, seat.stack_cents or 0)
    return ce.ChipsRemoved(
        seat=seat.seat,
        player=seat.player,
        cents=command.cents,
        purpose=command.purpose,
        rules=(),
        from_next_hand=dealt and known,
        from_common_cents=command.cents - held if known else command.cents,
    )


def remove_late(command: c.RemoveChips, table: Table) -> Events:
    """Record chips that went off a table before it was closed, told only now: they are none of what was left on it.

    Raises:
        Unknown: CR-2, the table was never opened.
    """
    if not table.table:
        raise Unknown("table", command.table, field="table")
    check_cents(command.cents, "cents", least=1)
    late = ce.TakenBeforeClosing(
        player=command.player, cents=command.cents, purpose=command.purpose
    )
    return (late,)


def remove_chips(command: c.RemoveChips, table: Table, rules: ResolvedBook) -> Events:
    """Record chips taken off a stack for a purpose the book allows.

    Raises:
        Refused: table stakes: the book does not allow that purpose (chips.removal), or not the whole stack is taken
            along for safekeeping; CR-8, the stack does not hold as much; CR-6, he is in a hand.
    """
    check_cents(command.cents, "cents", least=1)
    if command.as_fact:
        return (_gone_off(command, table),)
    seat = table.at(command.seat)
    allowed = rules.members("chips.removal") | {"tip", "time"}
    cited = rules.cite("chips.table_stakes", "chips.removal")
    if command.purpose not in allowed:
        raise Refused(
            "TABLE_STAKES",
            cited,
            f"chips may not be taken off the table for {command.purpose or 'the pocket'}",
            options=(*sorted(allowed), "cash out entirely"),
            field="purpose",
        )
    if table.hand is not None and command.seat in table.hand.dealt:
        raise Refused("HAND_IN_PROGRESS", "CR-6", f"seat {seat.seat} is in a hand", field="seat")
    if seat.stack_cents is not None and command.cents > seat.stack_cents:
        raise Refused(
            "STACK_TOO_SMALL",
            "CR-8",
            f"seat {seat.seat} holds {dollars(seat.stack_cents)}, not {dollars(command.cents)}",
            field="cents",
        )
    if command.purpose == "safekeeping_while_away" and command.cents != seat.stack_cents:
        raise Refused(
            "WHOLE_STACK_ONLY",
            cited,
            "only the whole stack may be taken along for safety",
            options=("take the whole stack",),
            field="cents",
        )
    return (
        ce.ChipsRemoved(
            seat=command.seat,
            player=seat.player,
            cents=command.cents,
            purpose=command.purpose,
            rules=cited,
            from_common_cents=command.cents if seat.stack_cents is None else 0,
        ),
    )


def carry_pot(command: c.CarryPot, table: Table, rules: ResolvedBook, occasion: Occasion) -> Events:
    """Record that chips of a void deal stay in the middle for the next.

    Raises:
        Refused: CR-9, no floorperson or no reason; the book gives everything back (deal.knowing_freeroll); CR-6, the
            last deal was not void or another began; CR-8, a stack does not hold as much.
    """
    cited = rules.cite("deal.knowing_freeroll", "deal.carried_pot")
    if "floor" not in occasion.roles and "shift_manager" not in occasion.roles:
        raise Refused("FLOOR_NEEDED", (*cited, "CR-9"), "only a floorperson may do this")
    if rules.choice("deal.knowing_freeroll") != "chips_stay_for_next_deal":
        raise Refused("CHIPS_GO_BACK", cited, "the chips of a void deal go back to their players")
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "say why the chips stay", field="reason")
    closed = table.last_closed
    if table.hand is not None or closed is None or not closed.void:
        raise Refused("NO_VOID_DEAL", "CR-6", "the last deal was not void", field="table")
    each_once(command.sources, "sources")
    for number, cents in command.sources:
        check_cents(cents, "sources", least=1)
        stack = table.at(number).stack_cents
        if stack is not None and stack < cents:
            raise Refused(
                "STACK_TOO_SMALL",
                "CR-8",
                f"seat {number} holds {dollars(stack)}, not {dollars(cents)}",
                field="sources",
            )
    return (ce.ChipsCarried(hand=closed.hand, sources=command.sources, rules=cited),)


def count_stacks(command: c.CountStacks, table: Table) -> Events:
    """Record counted stacks, and what is over or short once every stack is known.

    Raises:
        Refused: CR-6, a hand is in play; CR-4, a seat twice, an empty one or a negative amount.
    """
    if table.hand is not None:
        raise Refused(
            "HAND_IN_PROGRESS", "CR-6", "stacks are counted between hands", field="stacks"
        )
    seen = [seat for seat, _ in command.stacks]
    if not seen:
        raise Refused("STACKS_MALFORMED", "CR-4", "stacks names no seat", field="stacks")
    each_once(command.stacks, "stacks")
    common = table.common_cents
    for number, cents in command.stacks:
        seat = table.at(number)
        check_cents(cents, f"stacks of seat {number}")
        if common is not None:
            common += (seat.stack_cents or 0) - cents
    rest = [seat for seat in table.seats.values() if seat.seat not in seen]
    all_known = all(seat.stack_cents is not None for seat in (*rest, *table.boxed.values()))
    difference = -common if all_known and common is not None else 0
    return (
        ce.StacksCounted(
            stacks=command.stacks, difference_cents=difference, source=command.source.value
        ),
    )
