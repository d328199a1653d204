"""Tournament buy-ins and coloring up, as far as the bank has to do with them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier.sales import card_value
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate
from cardroom.known.merged import record_now
from cardroom.rulebook.model import ResolvedBook


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the bank sees it: its form, fee, level and who bought in how often."""

    started: bool = False
    rebuy: bool = False
    fee_cents: int = 0
    starting_chips: int = 0
    level: int = 1
    bought_in: dict[str, int] = {}


def evolve(state: Tournament, event: Event) -> Tournament:
    """Fold one event into a tournament."""
    match event:
        case e.TournamentStarted():
            return Tournament(
                started=True,
                rebuy=event.rebuy,
                fee_cents=event.fee_cents,
                starting_chips=event.starting_chips,
            )
        case e.TournamentLevelBegan():
            return msgspec.structs.replace(state, level=event.level)
        case e.TournamentBoughtIn():
            bought = {
                **state.bought_in,
                event.player_id: state.bought_in.get(event.player_id, 0) + 1,
            }
            return msgspec.structs.replace(state, bought_in=bought)
        case e.ColoredUp():
            return state
    raise TypeError(f"a tournament does not know {type(event).__name__}")


def under_records(state: Tournament, merged: Mapping[str, str]) -> Tournament:
    """Return a tournament with the buy-ins of one person's records together.

    Args:
        state: the tournament as recorded.
        merged: record that is no longer used -> the surviving one.
    """
    bought: dict[str, int] = {}
    for player_id, times in state.bought_in.items():
        now = record_now(merged, player_id)
        bought[now] = bought.get(now, 0) + times
    return msgspec.structs.replace(state, bought_in=bought)


TOURNAMENT: Final[Any] = Aggregate("tournament", Tournament(), evolve)


def start(
    state: Tournament, command: c.StartTournament, rules: ResolvedBook
) -> e.TournamentStarted:
    """Open a tournament: everyone starts with the house's number of chips (HG-G2b)."""
    if state.started:
        raise Refused(
            "TOURNAMENT_STARTED",
            "CR-7",
            f"tournament {command.tournament!r} has started",
            field="tournament",
        )
    return e.TournamentStarted(
        tournament=command.tournament,
        rebuy=command.rebuy,
        fee_cents=check_cents(command.fee_cents, "fee_cents"),
        starting_chips=rules.count("game.tournament_starting_chips"),
        rules=rules.cite("game.tournament_starting_chips", "game.tournament_starting_blinds"),
    )


def buy_in(
    state: Tournament, command: c.TournamentBuyIn, rules: ResolvedBook
) -> e.TournamentBoughtIn:
    """Sell a tournament's starting chips for its fee, by the tournament's own form (HG-G2b)."""
    cited = rules.cite("game.tournament_starting_chips")
    if not state.started:
        raise Refused(
            "TOURNAMENT_UNKNOWN",
            "CR-2",
            f"tournament {command.tournament!r} is not known",
            field="tournament",
        )
    if command.cash_received_cents != state.fee_cents:
        raise Refused(
            "FEE_DIFFERS",
            cited,
            f"cash_received_cents is {command.cash_received_cents}: the fee is {dollars(state.fee_cents)}",
            options=(f"hand over {dollars(state.fee_cents)}",),
            field="cash_received_cents",
        )
    if command.player_id in state.bought_in and not state.rebuy:
        raise Refused(
            "SINGLE_BUY_IN",
            cited,
            f"{command.player_id} has bought in: this is a single buy-in tournament",
            field="player_id",
        )
    return e.TournamentBoughtIn(
        player_id=command.player_id,
        fee_cents=state.fee_cents,
        chips=state.starting_chips,
        rules=cited,
    )


def color_up(state: Tournament, command: c.ColorUp, rules: ResolvedBook) -> e.ColoredUp:
    """Take odd low chips out by cards, in the house's way (HG-G8a).

    Raises:
        Refused: the chips make no whole chips of the new color, or cards are missing or dealt twice.
    """
    worth = rules.table("chips.tournament_colors")
    for name, color in (("color", command.color), ("to_color", command.to_color)):
        if color not in worth:
            raise Refused(
                "COLOR_UNKNOWN",
                rules.cite("chips.tournament_colors"),
                f"{name} is {color!r}",
                field=name,
            )
    low, high = int(worth[command.color]), int(worth[command.to_color])
    odd = {one.player_id: one.cents for one in command.leftovers}
    pooled = sum(odd.values()) * low
    cited = rules.cite("cashier.tournament_color_up")
    dealt = [(card_value(card), one.player_id) for one in command.leftovers for card in one.cards]
    if len({value for value, _ in dealt}) != len(dealt):
        raise Refused("CARD_TWICE", "CR-5", "a card was dealt twice", field="leftovers")
    for one in command.leftovers:
        if len(one.cards) != one.cents:
            raise Refused(
                "CARDS_NOT_ONE_PER_CHIP",
                "CR-12",
                f"{one.player_id} has {one.cents} odd chips and {len(one.cards)} cards: one card a chip",
                field="leftovers",
            )
    chips, rest = divmod(pooled, high)
    if 2 * rest >= high:  # the usual rounding of what does not make a whole chip
        chips += 1
    order = [player for _, player in sorted(dealt, reverse=True)]
    new: tuple[tuple[str, int], ...]
    if rules.choice("cashier.tournament_color_up") == "one_card_per_chip":
        new = ((order[0], chips),) if chips and order else ()
    else:
        new = tuple((player, 1) for player in tuple(dict.fromkeys(order))[:chips])
    return e.ColoredUp(color=command.color, pooled_chips=pooled, new_chips=new, rules=cited)
