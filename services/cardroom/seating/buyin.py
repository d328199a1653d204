"""How much may or must be bought in."""

from datetime import timedelta

import msgspec

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.known import Game
from cardroom.known.buyins import full_buy_in_cents, least_full_cents
from cardroom.known.citing import stated
from cardroom.known.standing import Act
from cardroom.rulebook.model import ResolvedBook
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import FLOOR, Here, check_standing
from cardroom.seating.values import Entry, EntryKind


class Least(msgspec.Struct, frozen=True):
    """The least with which somebody may sit, and why."""

    cents: int
    rules: tuple[str, ...]
    why: str


def full_buy_in(game: Game, book: ResolvedBook) -> Least:
    """Return the full buy-in of a game."""
    fixed = book.choice("buyin.full_of") == "fixed_amount"
    amount = "buyin.full_amount" if fixed else "buyin.full_multiple"
    return Least(full_buy_in_cents(game, book), book.cite("buyin.full_of", amount), "full buy-in")


def least_to_sit(here: Here, player_id: str) -> Least:
    """Return the least for somebody who sits down of the own accord: full, or what was taken off not long ago."""
    full = full_buy_in(here.game, here.book)
    for left in (quit_ for one in here.presences(player_id) for quit_ in one.quits):
        if left.stakes != here.stakes:
            continue
        window = timedelta(minutes=here.book.minutes("seating.return_window_minutes"))
        inclusive = here.book.flag("seating.return_window_inclusive")
        gone = here.at - left.at
        if gone < window or (inclusive and gone == window):
            rules = here.book.cite(
                "seating.return_window_minutes", "seating.return_window_inclusive"
            )
            if left.chips_cents is None:
                refusal = Refused(
                    "CHIPS_TAKEN_UNKNOWN",
                    ("CR-12", *rules),
                    f"player {player_id} left this game less than "
                    f"{here.book.minutes('seating.return_window_minutes')} minutes ago with chips "
                    "nobody counted",
                    options=("the floor counts what was taken off and overrides with a reason",),
                    field="buy_in_cents",
                )
                require_override(here.occasion, FLOOR, refusal)
                return full
            if left.chips_cents > full.cents:
                return Least(left.chips_cents, rules, "what was taken off the table")
    return full


def check_most(here: Here, stack_cents: int, amount_cents: int, field: str) -> None:
    """Refuse a purchase over the game's maximum.

    Raises:
        Refused: the purchase, or the stack after it, would exceed `buyin.maximum`.
    """
    most = here.book.cents("buyin.maximum")
    if most and stack_cents + amount_cents > most:
        raise Refused(
            "ABOVE_MAXIMUM_BUY_IN",
            here.book.cite("buyin.maximum"),
            f"{field} {dollars(amount_cents)} would bring the stack to "
            f"{dollars(stack_cents + amount_cents)}; the most is {dollars(most)}",
            options=(f"at most {dollars(max(0, most - stack_cents))}",),
            field=field,
        )


def check_buy_in(here: Here, least: Least, cents: int) -> None:
    """Refuse to let somebody sit with too little or too much.

    Raises:
        Refused: CR-4, no whole amount; nobody sits to play without chips; below the least; above the maximum.
    """
    check_cents(cents, "buy_in_cents")
    if cents == 0:
        raise Refused(
            "NOT_A_PLAYER",
            stated(here.book, "WP-2P25", *least.rules),
            "somebody who brings no chips does not play and may not sit at the table",
            options=(
                f"buy in for {dollars(least.cents)} or more",
                "sit behind a player as a guest",
            ),
            field="buy_in_cents",
        )
    if cents < least.cents:
        raise Refused(
            "BELOW_MINIMUM_BUY_IN",
            least.rules,
            f"{dollars(cents)} is {dollars(least.cents - cents)} short of {least.why}, "
            f"{dollars(least.cents)}",
            options=(f"{dollars(least.cents)} or more",),
            field="buy_in_cents",
        )
    most = here.book.cents("buyin.maximum")
    if least.cents <= most:
        check_most(here, 0, cents, "buy_in_cents")


def _short_allowed(here: Here, short_buys: int, amount: int, full: Least) -> None:
    allowed = here.book.count("buyin.short_allowed")
    if short_buys < allowed:
        return
    least = least_full_cents(here.game, here.book)
    rules = here.book.cite("buyin.short_allowed", "buyin.short_allowed_per")
    raise Refused(
        "SHORT_BUY_USED" if allowed else "SHORT_BUY_NOT_ALLOWED",
        rules,
        f"{dollars(amount)} is a short buy-in; {short_buys} of {allowed} used",
        options=(f"{dollars(least)} or more",),
        field="amount_cents",
    )


def _check_made_up(
    rules: tuple[str, ...], stack_cents: int, amount_cents: int, full: Least
) -> None:
    """Refuse a purchase that leaves less than the full buy-in of a limit that went up."""
    missing_cents = full.cents - stack_cents
    if amount_cents >= missing_cents:
        return
    missing = dollars(missing_cents)
    raise Refused(
        "FULL_BUY_IN_NEEDED",
        (*rules, *(rule for rule in full.rules if rule not in rules)),
        f"the limit went up: {missing} are missing to the full buy-in of {dollars(full.cents)}, "
        f"not {dollars(amount_cents)}",
        options=(f"{missing} or more", "leave the game"),
        field="amount_cents",
    )


def buy_chips(here: Here, command: c.BuyChips) -> Decision:
    """Add chips to a seated player's stack.

    Raises:
        Refused: the purchase is short and none is left, or over the maximum, or a full one is asked for.
    """
    seat, seated = here.seated(command.player_id)
    amount = check_cents(command.amount_cents, "amount_cents", least=1)
    stack = check_cents(command.stack_cents, "stack_cents")
    check_standing(command.standing, command.player_id, Act.BUY_IN, here.occasion)
    book, full = here.book, full_buy_in(here.game, here.book)
    broke = stack == 0
    as_new = broke and book.choice("blinds.broke_player_returns") == "as_new_player"
    short = amount < least_full_cents(here.game, book)
    needs_full = broke and not book.flag("buyin.short_when_broke")
    rules = full.rules
    if seated.full_due:
        _check_made_up(seated.full_due, stack, amount, full)
        short, rules = (
            False,
            seated.full_due,
        )  # what the house asks for at once is no short purchase
    if needs_full and amount < full.cents:
        raise Refused(
            "FULL_BUY_IN_NEEDED",
            (*book.cite("buyin.short_when_broke"), *full.rules),
            f"{dollars(amount)} is below the full buy-in of {dollars(full.cents)}, which somebody "
            "who lost all chips needs",
            options=(f"{dollars(full.cents)} or more",),
            field="amount_cents",
        )
    counts = broke or book.flag("buyin.top_up_counts")
    if short and counts:
        rules = book.cite("buyin.short_allowed", "buyin.short_below_fraction")
        last = not broke and command.last_money and book.flag("buyin.last_money_top_up")
        if last:
            rules = book.cite("buyin.last_money_top_up")
        else:
            _short_allowed(here, seated.short_buys, amount, full)
    check_most(here, stack, amount, "amount_cents")
    renewed = amount >= full.cents and book.choice("buyin.short_allowed_per") == "full_buy_in"
    bought = e.ChipsBought(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=command.player_id,
        at=here.at,
        amount_cents=amount,
        stack_before_cents=stack,
        short=short and counts,
        full=renewed,
        as_new_player=as_new,
        rules=rules,
    )
    events: list[Event] = [bought]
    if seated.full_due:
        met = e.FullBuyInMet(
            room=here.table.room,
            table=here.table.table,
            seat=seat.number,
            player_id=command.player_id,
            excluded=seated.exclusion is not None,
        )
        events.append(met)
    if not as_new or here.table.deal is None:
        return here.on_table(*events)
    entry = Entry(
        kind=EntryKind.NEW,
        rules=book.cite("blinds.broke_player_returns"),
        after_hand=here.table.deal.number,
    )
    return here.on_table(*events, e.EntryChanged(seat=seat.number, entry=entry))
