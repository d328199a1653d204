"""The Open Hand History format (OHH, JSON): writing a hand. What the format lacks goes into the object `_cardroom`."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Structure
from cardroom.poker.cards import known
from cardroom.poker.legal import Act
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import PostKind
from cardroom.tables.notation.ohh import BET_TYPES, GAME_TYPES, STREETS

_GAMES: Final = {form: name for name, form in GAME_TYPES.items()}
_BETS: Final = {structure: name for name, structure in BET_TYPES.items()}
_ACTS: Final = {
    Act.FOLD: "Fold",
    Act.CHECK: "Check",
    Act.CALL: "Call",
    Act.BET: "Bet",
    Act.RAISE: "Raise",
    Act.COMPLETE: "Raise",
    Act.BRING_IN: "Post Bring In",
}


def export_ohh(
    state: Hand, *, site: str, started_at: datetime, currency: str = "USD", hero: int | None = None
) -> str:
    """Write a hand that is over as OHH.

    Args:
        state: the hand, with its history; what a rewind took back is left out.
        site: name of the room, the format's site.
        started_at: when the hand began.
        currency: of the chips.
        hero: seat whose hole cards the reader may see though they were not shown; None for nobody's.

    Raises:
        Refused: CR-6 the hand is not over; CR-4 the format has no name for the form or the structure.
    """
    if not state.over or not state.results:
        raise Refused("HAND_NOT_OVER", "CR-6", f"hand {state.hand} is {state.phase.value}")
    game = state.game
    if game.form not in _GAMES or game.structure not in _BETS:
        raise Refused(
            "NO_OHH_GAME",
            "CR-4",
            f"OHH has no name for {game.structure.value} {game.form.value}",
        )
    writer = _Writer(state, hero)
    for _, event in history_of(state):
        writer.write(event)
    blinds = sorted(game.blinds_cents)
    history = {
        "spec_version": "1.4.7",
        "site_name": site,
        "network_name": site,
        "internal_version": state.engine,
        "tournament": False,
        "game_number": str(state.number),
        "start_date_utc": started_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": state.table,
        "game_type": _GAMES[game.form],
        "bet_limit": {"bet_type": _BETS[game.structure], "bet_cap": 0},
        "table_size": game.seats,
        "currency": currency,
        "dealer_seat": state.button_seat,
        "small_blind_amount": _money(blinds[0] if len(blinds) > 1 else 0),
        "big_blind_amount": _money(blinds[-1] if blinds else 0),
        "ante_amount": _money(game.ante_cents),
        "hero_player_id": hero if hero is not None else -1,
        "flags": [],
        "players": [
            {
                "id": result.seat,
                "seat": result.seat,
                "name": result.player,
                "display": result.player,
                "starting_stack": _money(result.before_cents or 0),
            }
            for result in state.results
        ],
        "rounds": writer.rounds,
        "pots": _pots(state),
        "_cardroom": _extra(state),
    }
    return json.dumps({"ohh": history}, indent=None, default=_number)


class _Money(msgspec.Struct, frozen=True):
    cents: int


def _money(cents: int) -> _Money:
    return _Money(cents)


def _number(value: Any) -> float:
    """Write cents as a JSON number; the format has no other, and two decimals survive it exactly."""
    if isinstance(value, _Money):
        return value.cents / 100
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _pots(state: Hand) -> list[dict[str, Any]]:
    pots = []
    for at, pot in enumerate(state.pots):
        awarded = next(
            event
            for _, event in history_of(state)
            if isinstance(event, ev.PotAwarded) and event.pot == at
        )
        wins: dict[int, int] = {}
        for share in awarded.shares:
            wins[share.seat] = wins.get(share.seat, 0) + share.cents
        pots.append(
            {
                "number": at,
                "amount": _money(pot.cents),
                "rake": _money(awarded.rake_cents),
                "jackpot": _money(awarded.jackpot_drop_cents + awarded.jackpot_odd_cents),
                "player_wins": [
                    {"player_id": seat, "win_amount": _money(cents), "contributed_rake": 0.0}
                    for seat, cents in wins.items()
                ],
            }
        )
    return pots


def _extra(state: Hand) -> dict[str, Any]:
    game = state.game
    return {
        "hand": state.hand,
        "room": state.room,
        "book": state.book_digest,
        "game_id": game.game_id,
        "game_name": game.name,
        "small_bet_cents": state.small_bet_cents,
        "big_bet_cents": state.big_bet_cents if game.structure is Structure.LIMIT else 0,
        "bring_in_cents": game.bring_in_cents,
        "chip_cents": game.chip_cents,
        "posts": [msgspec.to_builtins(post) for post in state.posts],
        "uncalled": [
            {"seat": event.seat, "cents": event.cents}
            for _, event in history_of(state)
            if isinstance(event, ev.UncalledReturned)
        ],
    }


class _Writer:
    """Rounds of the format, filled event by event."""

    def __init__(self, state: Hand, hero: int | None) -> None:
        self.state = state
        self.hero = hero
        self.rounds: list[dict[str, Any]] = []

    def write(self, event: Event) -> None:
        """Write one event, where the format has something for it."""
        match event:
            case ev.HandStarted():
                self._start(event)
            case ev.StreetDealt(board=board) if board:
                self._round(STREETS[event.street], list(board))
            case ev.ActionTaken():
                self._act(
                    event.seat,
                    _ACTS[event.act],
                    amount=_money(event.added_cents),
                    is_allin=event.all_in,
                )
            case ev.HandShown():
                if self.rounds[-1]["street"] != "Showdown":
                    self._round("Showdown", [])
                self._act(event.seat, "Shows Cards", cards=list(known(event.cards)))
            case ev.HandMucked():
                if self.rounds[-1]["street"] != "Showdown":
                    self._round("Showdown", [])
                self._act(event.seat, "Mucks Cards")
            case _:
                return

    def _start(self, event: ev.HandStarted) -> None:
        self._round("Preflop", [])
        hero = next((one for one in self.state.chairs if one.seat == self.hero), None)
        if hero is not None and known(hero.down):
            self._act(hero.seat, "Dealt Cards", cards=list(known(hero.down)))
        names = {
            PostKind.ANTE: "Post Ante",
            PostKind.SMALL_BLIND: "Post SB",
            PostKind.BIG_BLIND: "Post BB",
            PostKind.STRADDLE: "Straddle",
            PostKind.BUTTON_STRADDLE: "Straddle",
        }
        for post in event.posts:
            live = post.live_cents + post.ante_cents
            if live:
                name = names.get(post.kind, "Post Extra Blind")
                self._act(post.seat, name, amount=_money(live))
            if post.dead_cents:
                name = "Post Ante" if post.kind is PostKind.ANTE else "Post Dead"
                self._act(post.seat, name, amount=_money(post.dead_cents))

    def _round(self, street: str, cards: list[str]) -> None:
        self.rounds.append(
            {"id": len(self.rounds), "street": street, "cards": cards, "actions": []}
        )

    def _act(self, seat: int, name: str, **more: Any) -> None:
        actions = self.rounds[-1]["actions"]
        actions.append({"action_number": len(actions), "player_id": seat, "action": name, **more})
