"""The Open Hand History format (OHH, JSON): writing a hand. What the format lacks goes into the object `_cardroom`."""

from collections.abc import Mapping
from datetime import UTC
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.poker.cards import known
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import PostKind
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.about import About
from cardroom.tables.notation.codes import BET_TYPES, GAME_TYPES
from cardroom.tables.notation.moves import Acted, Board, Dealt, Move, Mucked, Shown, What
from cardroom.tables.notation.ohh import USER_FIELD, standard_setup
from cardroom.tables.notation.results import check_over, results_of
from cardroom.tables.notation.setup import difference, setup_of
from cardroom.tables.notation.writing import Traits, Written, written

TRAITS: Final = Traits(
    names_acts=True, unseen=False, exchanges=False, runs=True, shows_after_the_end=True
)
"""What OHH has actions for."""
SPECIFICATION: Final = "1.4.7"
"""Version of the format that is written."""
NOTHING: Final = About()
_GAMES: Final = {form: name for name, form in GAME_TYPES.items()}
_BETS: Final = {structure: name for name, structure in BET_TYPES.items()}
_BOARD_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_STUD_STREETS: Final = (
    "Preflop",
    "Fourth Street",
    "Fifth Street",
    "Sixth Street",
    "Seventh Street",
)
_DRAW_STREETS: Final = ("Preflop", "Draw")
_ACTS: Final = {
    What.FOLD: "Fold",
    What.CHECK: "Check",
    What.CALL: "Call",
    What.BET: "Bet",
    What.RAISE: "Raise",
    What.BRING_IN: "Post Extra Blind",
}
_POSTS: Final = {
    PostKind.ANTE: "Post Ante",
    PostKind.SMALL_BLIND: "Post SB",
    PostKind.BIG_BLIND: "Post BB",
    PostKind.STRADDLE: "Straddle",
    PostKind.BUTTON_STRADDLE: "Straddle",
}
_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")


def export_ohh(state: Hand, rules: HandRules, about: About = NOTHING) -> str:
    """Write a hand that is over as OHH, one line of JSON.

    Args:
        state: the hand, with its history; what a rewind took back is left out.
        rules: of its book and game.
        about: what is told around it.

    Returns:
        JSON text. `import_ohh` of it gives the same hand again.

    Raises:
        Refused: CR-6 the hand is not over.
    """
    check_over(state)
    record = written(state, rules, TRAITS)
    setup = setup_of(state, rules)
    read = about.ohh_fields
    fields: dict[str, Any] = {
        "spec_version": SPECIFICATION,
        "internal_version": state.engine,
        **(_fields(state, setup, about) if read is None else read),
    }
    writer = _Writer(state, setup, _ids(fields))
    for move, before in zip(record.moves, record.standing, strict=True):
        writer.write(move, before)
    fields["rounds"] = writer.rounds
    fields["pots"] = _pots(state, writer.ids)
    fields[USER_FIELD] = _user_fields(state, setup, record, fields, about)
    return _ENCODER.encode({"ohh": fields}).decode() + "\n"


def _ids(fields: Mapping[str, Any]) -> dict[int, Any]:
    """Return the players' ids in the record by seat."""
    return {player["seat"]: player["id"] for player in fields["players"]}


def _fields(state: Hand, setup: HandSetup, about: About) -> dict[str, Any]:
    game = state.game
    blinds = sorted(game.blinds_cents)
    flags = [] if about.hero else ["Observed"]
    if len(state.boards) > 1:
        flags.append("Run_It_Twice")
    fields: dict[str, Any] = {
        "site_name": about.site,
        "network_name": about.site,
        "tournament": False,
        "game_number": str(state.number),
        "table_name": state.table,
        "game_type": _GAMES[game.form],
        "bet_limit": {"bet_type": _BETS[game.structure], "bet_cap": 0},
        "table_size": game.seats,
        "currency": about.currency,
        "dealer_seat": state.button_seat,
        "small_blind_amount": _money(blinds[0] if len(blinds) > 1 else 0),
        "big_blind_amount": _money(blinds[-1] if blinds else 0),
        "ante_amount": _money(game.ante_cents),
        "hero_player_id": about.hero or -1,
        "flags": flags,
        "players": [
            {
                "id": dealt.seat,
                "seat": dealt.seat,
                "name": dealt.player,
                "display": dealt.player,
                "starting_stack": _money(dealt.stack_cents or 0),
            }
            for dealt in setup.seats
        ],
    }
    if about.started_at is not None:
        began = about.started_at.astimezone(UTC)
        fields["start_date_utc"] = began.isoformat().replace("+00:00", "Z")
    return fields


def _money(cents: int) -> Decimal | int:
    return cents // 100 if cents % 100 == 0 else Decimal(cents) / 100


def _pots(state: Hand, ids: Mapping[int, Any]) -> list[dict[str, Any]]:
    pots: list[dict[str, Any]] = []
    for _, event in history_of(state):
        if isinstance(event, ev.WinnerNoted) and event.pot_cents is not None:
            pots.append(_told_pot(event.pot_cents, event.seats, ids))
        if not isinstance(event, ev.PotAwarded):
            continue
        wins: dict[int, int] = {}
        for share in event.shares:
            wins[share.seat] = wins.get(share.seat, 0) + share.cents
        pots.append(
            {
                "number": event.pot,
                "amount": _money(event.cents),
                "rake": _money(event.rake_cents),
                "jackpot": _money(event.jackpot_drop_cents + event.jackpot_odd_cents),
                "player_wins": [
                    {"player_id": ids[seat], "win_amount": _money(cents)}
                    for seat, cents in wins.items()
                ],
            }
        )
    return sorted(pots, key=lambda pot: int(str(pot["number"])))


def _told_pot(cents: int, winners: tuple[int, ...], ids: Mapping[int, Any]) -> dict[str, Any]:
    """Return the pot of a hand whose actions were not entered; who got how much of it is known of one winner alone."""
    alone = winners if len(winners) == 1 else ()
    wins = [{"player_id": ids[seat], "win_amount": _money(cents)} for seat in alone]
    return {"number": 0, "amount": _money(cents), "rake": 0, "jackpot": 0, "player_wins": wins}


def _user_fields(
    state: Hand, setup: HandSetup, record: Written, fields: Mapping[str, Any], about: About
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "book": state.book_digest,
        "engine": state.engine,
        **difference(standard_setup(fields), setup),
        "source": msgspec.to_builtins(record.sources),
        "entries": list(record.entries),
        "amendments": list(record.amendments),
        **results_of(state),
        "irregularities": list(about.irregularities),
    }
    return {name: value for name, value in found.items() if value not in ([], {})}


class _Writer:
    """Rounds of the format, filled move by move."""

    def __init__(self, state: Hand, setup: HandSetup, ids: Mapping[int, Any]) -> None:
        self.ids = ids
        self.variant = VARIANTS[state.game.form]
        self.streets: tuple[str, ...] = _BOARD_STREETS
        if self.variant.stud:
            self.streets = _STUD_STREETS
        elif not self.variant.board_cards:
            self.streets = _DRAW_STREETS
        self.rounds: list[dict[str, Any]] = []
        self._round("Preflop", [])
        for post in setup.posts:
            live = post.live_cents + post.ante_cents
            if live:
                self._act(post.seat, _POSTS.get(post.kind, "Post Extra Blind"), amount=_money(live))
            if post.dead_cents:
                name = "Post Ante" if post.kind is PostKind.ANTE else "Post Dead"
                self._act(post.seat, name, amount=_money(post.dead_cents))

    def write(self, move: Move, before: Hand) -> None:
        """Write one move.

        Args:
            move: what was done.
            before: the hand as it stood then.
        """
        match move:
            case Board(cards=cards, street=street):
                self._round(self.streets[street], list(cards))
            case Shown(seat=seat, cards=cards):
                self._on("Showdown")
                self._act(seat, "Shows Cards", cards=list(cards))
            case Mucked(seat=seat):
                self._on("Showdown")
                self._act(seat, "Mucks Cards")
            case Dealt(seat=seat, cards=cards):
                street = before.street + 1 if self.variant.stud else before.street
                self._on(self.streets[max(street, 0)])
                self._act(seat, "Dealt Cards", cards=list(self._told(cards, street)))
            case Acted(seat=seat, what=what, added_cents=added, all_in=all_in):
                self._on(self.streets[max(before.street, 0)])
                amount = _money(added or 0)
                self._act(seat, _ACTS[what], amount=amount, is_allin=all_in)
            case _:
                raise TypeError(f"OHH has no action for {move}")

    def _told(self, cards: tuple[str, ...], street: int) -> tuple[str, ...]:
        """Return cards dealt without those face down, where nobody saw them."""
        if not self.variant.stud:
            return cards
        down = self.variant.streets[street].down
        return cards if known(cards[:down]) else cards[down:]

    def _on(self, street: str) -> None:
        if self.rounds[-1]["street"] != street:
            self._round(street, [])

    def _round(self, street: str, cards: list[str]) -> None:
        self.rounds.append(
            {"id": len(self.rounds), "street": street, "cards": cards, "actions": []}
        )

    def _act(self, seat: int, name: str, **more: Any) -> None:
        actions = self.rounds[-1]["actions"]
        actions.append(
            {"action_number": len(actions), "player_id": self.ids[seat], "action": name, **more}
        )
