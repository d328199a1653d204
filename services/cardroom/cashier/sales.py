"""Selling and redeeming: who sells, for what money, how much at a time, and what odd chips are worth."""

from typing import Any

from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier import ledger as books
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.rulebook.model import ResolvedBook

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def bank_refusal(state: e.LedgerState, seller: str, rules: ResolvedBook) -> Refused | None:
    """Return why this seller may not sell or redeem chips, or None (HG-G1)."""
    if rules.choice("cashier.bank") != "player_banker":
        return None
    cited = rules.cite("cashier.bank")
    if not state.banker:
        return Refused(
            "NO_BANKER",
            cited,
            "no banker is appointed; the bank sells and redeems chips",
            ("appoint a banker",),
        )
    if seller and seller != state.banker:
        return Refused(
            "NOT_THE_BANKER",
            cited,
            f"seller is {seller!r}: only the banker {state.banker!r} sells and redeems chips",
            field="seller",
        )
    return None


def amount_refusal(
    state: e.LedgerState, command: c.SellChips, rules: ResolvedBook
) -> Refused | None:
    """Return why the bank may not sell this amount, or None (HG-G2, HG-G2a).

    A cage sells any amount, and seating judges what a player sits down with; a house whose buy-in is a fixed
    amount sells buy-ins, so the bank itself holds the limits.
    """
    if rules.choice("buyin.full_of") != "fixed_amount":
        return None
    least, most = rules.cents("buyin.full_amount"), rules.cents("buyin.maximum")
    in_front = command.chips_in_front_cents or 0
    if most and in_front + command.cents > most:
        return Refused(
            "OVER_MAXIMUM",
            rules.cite("buyin.maximum"),
            f"cents is {command.cents}: with {dollars(in_front)} in front it may bring the stack to {dollars(most)}",
            options=(f"buy up to {dollars(max(0, most - in_front))}",),
            field="cents",
        )
    if command.cents >= least:
        return None
    if _last_money(state, command, least, rules):
        return None
    return Refused(
        "UNDER_MINIMUM",
        rules.cite("buyin.full_amount", "buyin.last_money_top_up", "buyin.short_allowed"),
        f"cents is {command.cents}: the least buy is {dollars(least)}; a smaller one only adds the last money "
        "of a player who bought the least amount and has chips in front",
        options=(f"buy at least {dollars(least)}",),
        field="cents",
    )


def _last_money(
    state: e.LedgerState, command: c.SellChips, least: int, rules: ResolvedBook
) -> bool:
    return bool(
        rules.flag("buyin.last_money_top_up")
        and command.chips_in_front_cents
        and state.bought.get(command.player_id, 0) >= least
        and command.money_left_cents is not None
        and command.money_left_cents < least
        and command.cents <= command.money_left_cents
    )


def sell(
    state: e.LedgerState, command: c.SellChips, rules: ResolvedBook, actor: str
) -> tuple[Any, ...]:
    """Sell chips for money (HG-G1, HG-G2, HG-G3)."""
    check_cents(command.cents, "cents", least=1)
    check_cents(command.cash_received_cents, "cash_received_cents")
    for refusal in (
        bank_refusal(state, command.seller, rules),
        amount_refusal(state, command, rules),
    ):
        if refusal is not None:
            raise refusal
    if command.cash_received_cents > command.cents:
        raise Refused(
            "CASH_OVER",
            "CR-4",
            f"cash_received_cents is {command.cash_received_cents}: {dollars(command.cents)} of chips are sold",
            field="cash_received_cents",
        )
    owed = command.cents - command.cash_received_cents
    if owed and not rules.flag("cashier.credit"):
        raise Refused(
            "CASH_FIRST",
            rules.cite("cashier.credit"),
            f"cash_received_cents is {command.cash_received_cents}: {dollars(command.cents)} of chips go for cash",
            options=(f"hand over {dollars(command.cents)}",),
            field="cash_received_cents",
        )
    legs = [*books.move(books.CAGE_CHIPS, books.PLAYERS_CHIPS, command.cents)]
    if command.cash_received_cents:
        legs += books.move(books.OUTSIDE_CASH, books.CAGE_CASH, command.cash_received_cents)
    if owed:
        legs += books.move(books.OUTSIDE_CASH, books.credit_cash(command.player_id), owed)
    sold = e.ChipsSold(
        legs=books.require(state, legs),
        player_id=command.player_id,
        cents=command.cents,
        by=command.seller or actor,
        rules=rules.cite("cashier.credit"),
    )
    return (sold,)


def redeem(state: e.LedgerState, command: c.RedeemChips, rules: ResolvedBook) -> tuple[Any, ...]:
    """Pay chips out at their face; odd chips of a session end wait for `settle_odd_chips`."""
    refusal = bank_refusal(state, "", rules)
    if refusal is not None:
        raise refusal
    unit = rules.cents("cashier.cash_out_unit")
    if unit and command.cents % unit:
        raise Refused(
            "ODD_CHIPS",
            rules.cite("cashier.cash_out_unit", "cashier.odd_chips"),
            f"cents is {command.cents}: {dollars(command.cents % unit)} in odd chips is settled by cards at the end",
            options=(
                f"redeem {dollars(command.cents - command.cents % unit)}",
                "settle odd chips with all players",
            ),
            field="cents",
        )
    return (_paid(state, command.player_id, command.cents, command.cents, rules),)


def _paid(
    state: e.LedgerState, player_id: str, handed_in: int, paid: int, rules: ResolvedBook
) -> e.ChipsRedeemed:
    legs: list[e.Leg] = []
    if handed_in:
        legs += books.move(books.PLAYERS_CHIPS, books.CAGE_CHIPS, handed_in)
    if paid:
        legs += books.move(books.CAGE_CASH, books.OUTSIDE_CASH, paid)
    return e.ChipsRedeemed(
        legs=books.require(state, legs),
        player_id=player_id,
        handed_in_cents=handed_in,
        paid_cents=paid,
        rules=rules.cite("cashier.cash_out_unit"),
    )


def card_value(card: str) -> tuple[int, int]:
    """Order single cards by rank, then by suit (clubs, diamonds, hearts, spades).

    Raises:
        Refused: CR-4, it is not a card.
    """
    rank, suit = card[:-1].replace("10", "T").upper(), card[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise Refused(
            "CARD_MALFORMED", "CR-4", f"{card!r} is not a card such as Kd or 10h", field="cards"
        )
    return RANKS.index(rank), SUITS.index(suit)


def highest(holdings: tuple[c.Holding, ...]) -> tuple[str, str]:
    """Return who holds the single highest card, and that card; pairs and the like count for nothing (HG-G8b).

    Raises:
        Refused: CR-5, a card was dealt twice.
    """
    dealt = [(card_value(card), card, one.player_id) for one in holdings for card in one.cards]
    if len({value for value, _, _ in dealt}) != len(dealt):
        raise Refused("CARD_TWICE", "CR-5", "a card was dealt twice", field="cards")
    _, card, player_id = max(dealt)
    return player_id, card


def _check_cards(holdings: tuple[c.Holding, ...], odd: dict[str, int]) -> None:
    for one in holdings:
        if len(one.cards) != odd[one.player_id]:
            raise Refused(
                "CARDS_NOT_ONE_PER_CHIP",
                "CR-12",
                f"{one.player_id} has {odd[one.player_id]} odd chips and {len(one.cards)} cards: one card a chip",
                field="holdings",
            )


def settle_odd_chips(
    state: e.LedgerState, command: c.SettleOddChips, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Pay everybody at the end of a session; odd chips go to the single highest card (HG-G8)."""
    refusal = bank_refusal(state, "", rules)
    if refusal is not None:
        raise refusal
    unit, chip = (
        rules.cents("cashier.cash_out_unit"),
        check_cents(command.odd_chip_cents, "odd_chip_cents", least=1),
    )
    odd = {one.player_id: 0 for one in command.holdings}
    if len(odd) != len(command.holdings):
        raise Refused("PLAYER_TWICE", "CR-7", "a player is named twice", field="holdings")
    if unit and rules.choice("cashier.odd_chips") == "one_card_per_chip":
        odd = {
            one.player_id: check_cents(one.cents, "cents") % unit // chip
            for one in command.holdings
        }
    for one in command.holdings:
        if odd[one.player_id] and one.cents % unit % chip:
            raise Refused(
                "CHIPS_UNEVEN",
                "CR-4",
                f"{one.cents} cents are not whole chips of {chip}",
                field="cents",
            )
    _check_cards(command.holdings, odd)
    pooled = sum(odd.values()) * chip
    winner, card = highest(command.holdings) if pooled else ("", "")
    out: list[Any] = []
    cited = rules.cite("cashier.odd_chips", "cashier.cash_out_unit")
    if pooled:
        out.append(e.OddChipsWon(pooled_cents=pooled, winner=winner, card=card, rules=cited))
    for one in command.holdings:
        paid = one.cents - odd[one.player_id] * chip + (pooled if one.player_id == winner else 0)
        event = _paid(state, one.player_id, one.cents, paid, rules)
        state = books.evolve(state, event)
        out.append(event)
    return tuple(out)


def close_bank(state: e.LedgerState, command: c.CloseBank, rules: ResolvedBook) -> tuple[Any, ...]:
    """Count the banker's cash against what the bank owes; a shortfall is the banker's to make good (HG-G1a)."""
    refusal = bank_refusal(state, "", rules)
    if refusal is not None:
        raise refusal
    counted = check_cents(command.counted_cash_cents, "counted_cash_cents")
    owed = books.balance(state, books.PLAYERS_CHIPS) + books.balance(state, books.jackpot_chips())
    shortfall, surplus = max(0, owed - counted), max(0, counted - owed)
    held = books.balance(state, books.CAGE_CASH)
    legs: list[e.Leg] = []
    if counted < held:
        legs += books.move(books.CAGE_CASH, books.UNEXPLAINED_CASH, held - counted)
    elif counted > held:
        legs += books.move(books.UNEXPLAINED_CASH, books.CAGE_CASH, counted - held)
    if shortfall:
        legs += books.move(books.OUTSIDE_CASH, books.CAGE_CASH, shortfall)
    to_players = books.balance(state, books.PLAYERS_CHIPS)
    if to_players:
        legs += books.move(books.PLAYERS_CHIPS, books.CAGE_CHIPS, to_players)
        legs += books.move(books.CAGE_CASH, books.OUTSIDE_CASH, to_players)
    return (
        e.BankClosed(
            legs=books.require(state, legs),
            owed_cents=owed,
            counted_cash_cents=counted,
            shortfall_cents=shortfall,
            surplus_cents=surplus,
            banker=state.banker,
            rules=rules.cite("cashier.bank"),
        ),
    )


def count_chips(colors: dict[str, int], tournament: bool, rules: ResolvedBook) -> int:
    """Return what counted chips are worth (HG-G4, HG-G4a, HG-G4b).

    Args:
        colors: color -> number of chips.
        tournament: whether they are tournament chips, whose unit is the tournament chip.
        rules: the room's book.

    Raises:
        Refused: the set has no such color.
    """
    key = "chips.tournament_colors" if tournament else "chips.cash_colors"
    worth = rules.table(key)
    total = 0
    for color, number in colors.items():
        if color not in worth:
            raise Refused(
                "COLOR_UNKNOWN",
                rules.cite(key),
                f"colors has {color!r}: the {'tournament' if tournament else 'cash'} set has {', '.join(worth)}",
                field="colors",
            )
        total += int(worth[color]) * check_cents(number, f"colors.{color}")
    return total
