"""The Open Hand History format (OHH, JSON): reading a hand. Amounts are dollars there, whole cents here."""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game, Structure
from cardroom.poker.cards import cards_of
from cardroom.poker.reading import Reader
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_commands as do
from cardroom.tables.hand_events import Capture, Known, Phase, Post, PostKind, SeatDealt, Source
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.about import About
from cardroom.tables.notation.codes import BET_TYPES, GAME_TYPES
from cardroom.tables.notation.entries import Extras
from cardroom.tables.notation.fields import cents, convert, malformed, tables, text, whole
from cardroom.tables.notation.moves import (
    Acted,
    Board,
    Dealt,
    Move,
    Mucked,
    Shown,
    Silent,
    What,
)
from cardroom.tables.notation.reading import Sources
from cardroom.tables.notation.replay import BookFor, Imported, Place, Replay, differing
from cardroom.tables.notation.results import check_results
from cardroom.tables.notation.setup import check_game, completed

USER_FIELD: Final = "_cardroom"
"""The object under which everything stands that the format has no field for."""
WRITTEN: Final = frozenset({"spec_version", "internal_version", "rounds", "pots", USER_FIELD})
"""Fields that are written from the hand; every other one as it was read."""
POSTS: Final[dict[str, tuple[PostKind, str]]] = {
    "Post Ante": (PostKind.ANTE, "ante_cents"),
    "Post SB": (PostKind.SMALL_BLIND, "live_cents"),
    "Post BB": (PostKind.BIG_BLIND, "live_cents"),
    "Straddle": (PostKind.STRADDLE, "live_cents"),
    "Post Dead": (PostKind.MISSED_BLINDS, "dead_cents"),
    "Post Extra Blind": (PostKind.NEW_PLAYER, "live_cents"),
}
"""Posts of the format, and what each is here; in stud the extra blind is the bring-in, an action."""
ACTIONS: Final[dict[str, What]] = {
    "Fold": What.FOLD,
    "Check": What.CHECK,
    "Call": What.CALL,
    "Bet": What.BET,
    "Raise": What.RAISE,
}
"""Actions in turn."""
BRING_INS: Final = ("Post Extra Blind", "Post Bring In")
"""The bring-in of stud: as the format's list of actions has it, and as some write it."""
REMARKS: Final = frozenset({"Added Chips", "Sits Down", "Stands Up"})
"""What a record may tell between actions though it is no part of the hand."""


def hands_of(source: str) -> tuple[Mapping[str, Any], ...]:
    """Read OHH texts, one or many, each a JSON object with the key `ohh`.

    Raises:
        Refused: CR-4, the text is no such JSON.
    """
    found: list[Mapping[str, Any]] = []
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)
    at = 0
    while at < len(source):
        if source[at].isspace() or source[at] == "\ufeff":
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(source, at)
        except (ValueError, ArithmeticError, RecursionError) as problem:
            why = "nested too deep" if isinstance(problem, RecursionError) else str(problem)
            raise Refused(
                "OHH_MALFORMED", "CR-4", f"the text is no JSON: {why}", ("JSON",)
            ) from problem
        if not isinstance(value, dict) or not isinstance(value.get("ohh"), dict):
            raise Refused(
                "OHH_MALFORMED", "CR-4", "ohh: the key is missing", ("the key ohh",), field="ohh"
            )
        found.append(value["ohh"])
    return tuple(found)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def import_ohh(fields: Mapping[str, Any], book_for: BookFor, reader: Reader) -> Imported:
    """Enter a recorded hand.

    Args:
        fields: one hand of `hands_of`.
        book_for: the book it is judged by.
        reader: the evaluator.

    Raises:
        Refused: a field is missing or malformed (CR-4), an action is illegal, or the recorded wins are not the hand's;
            round, action, rule and expectation are named.
    """
    extras = fields.get(USER_FIELD, {})
    if not isinstance(extras, dict):
        raise malformed(USER_FIELD, extras, "an object")
    rounds = _Rounds(fields, ours=USER_FIELD in fields)
    setup = completed(rounds.setup(), extras, f"{USER_FIELD}.")
    rake = sum(
        cents(pot.get("rake") or 0, f"pots[{at}].rake")
        for at, pot in enumerate(tables(fields, "pots"))
    )
    replay = (
        Replay(setup, book_for, reader)
        if USER_FIELD in fields
        else _OthersReplay(setup, book_for, reader, rake)
    )
    moves, places = rounds.moves()
    replay.play(
        moves,
        places,
        _extras(extras, len(moves)),
        convert(extras.get("source", {}), Sources, f"{USER_FIELD}.source"),
        Place("the end of the rounds", "rounds"),
    )
    _check_wins(fields, rounds.seats, replay)
    check_results(extras, replay.hand, replay.rules, f"{USER_FIELD}.")
    return replay.result(_about(fields, extras, rounds.seats))


def _extras(extras: Mapping[str, Any], actions: int) -> Extras:
    names = (f"{USER_FIELD}.entries", f"{USER_FIELD}.amendments")
    found = [
        tables(extras, name, field) if name in extras else []
        for name, field in zip(("entries", "amendments"), names, strict=True)
    ]
    return Extras(found[0], found[1], names, actions)


def standard_setup(fields: Mapping[str, Any]) -> HandSetup:
    """Return how a hand began by the format's own fields alone.

    Raises:
        Refused: CR-4, a field is missing or malformed.
    """
    return _Rounds(fields, ours=True).setup()


class _Rounds:
    """Rounds of a record, read."""

    def __init__(self, fields: Mapping[str, Any], *, ours: bool) -> None:
        self.fields = fields
        self.ours = ours
        self.players = tables(fields, "players")
        self.seats: dict[Any, int] = {}
        for at, player in enumerate(self.players):
            known_as = player.get("id")
            if not isinstance(known_as, int | str):
                raise malformed(f"players[{at}].id", known_as, "a number")
            self.seats[known_as] = whole(player, "seat", field=f"players[{at}].seat")
        self.game = _game(fields)
        self.stud = VARIANTS[self.game.form].stud
        self.rounds = tables(fields, "rounds")
        self.actions: list[tuple[int, int, Mapping[str, Any], str, int]] = []
        for at, street in enumerate(self.rounds):
            field = f"rounds[{at}].actions"
            acts = tables(street, "actions", field) if street.get("actions") is not None else []
            for index, action in enumerate(acts):
                kind = text(action, "action", field=f"{field}[{index}].action")
                seat = self._seat(action, f"{field}[{index}]")
                self.actions.append((at, index, action, kind, seat))

    def _seat(self, action: Mapping[str, Any], where: str) -> int:
        player = action.get("player_id")
        if not isinstance(player, int | str) or player not in self.seats:
            raise Refused(
                "PLAYER_UNKNOWN",
                "CR-2",
                f"{where}: player_id {player!r} is none of the hand's players",
                tuple(str(one) for one in self.seats),
                field=f"{where}.player_id",
            )
        return self.seats[player]

    def _is_post(self, at: int, kind: str) -> bool:
        return kind in POSTS and not (self.stud and kind in BRING_INS) and at == 0

    def _posts(self) -> tuple[Post, ...]:
        posts: list[Post] = []
        for at, index, action, kind, seat in self.actions:
            if self._is_post(at, kind):
                post, name = POSTS[kind]
                field = f"rounds[{at}].actions[{index}].amount"
                amount = cents(action.get("amount", 0), field)
                posts.append(msgspec.structs.replace(Post(seat=seat, kind=post), **{name: amount}))
        antes = [post for post in posts if post.kind is PostKind.ANTE]
        if len(antes) < len(self.players):
            # One player's ante for all is matched by nobody.
            posts = [
                msgspec.structs.replace(post, ante_cents=0, dead_cents=post.ante_cents)
                if post.kind is PostKind.ANTE
                else post
                for post in posts
            ]
        return tuple(posts)

    def setup(self) -> HandSetup:
        """Return how the hand began."""
        fields = self.fields
        number = fields.get("game_number", "1")
        told = str(number) if isinstance(number, int) else text(fields, "game_number", "1")
        return HandSetup(
            hand=told,
            room="import",
            table=text(fields, "table_name", "import"),
            number=int(told) if told.isdecimal() and len(told) < 16 else 1,
            game=self.game,
            button_seat=0 if self.stud else whole(fields, "dealer_seat"),
            seats=tuple(self._dealt(at, player) for at, player in enumerate(self.players)),
            posts=self._posts(),
            capture=Capture(cards=Known.SOME),
        )

    def _dealt(self, at: int, player: Mapping[str, Any]) -> SeatDealt:
        name = player.get("name", player["id"])
        return SeatDealt(
            seat=player["seat"],
            player=str(name) if isinstance(name, int) else text(player, "name", field="name"),
            stack_cents=cents(player.get("starting_stack"), f"players[{at}].starting_stack"),
        )

    def moves(self) -> tuple[list[Move], list[Place]]:
        """Return what was done, and where it stands."""
        moves: list[Move] = []
        places: list[Place] = []
        names = [
            text(street, "street", "", f"rounds[{at}].street")
            for at, street in enumerate(self.rounds)
        ]
        boards = [
            self._cards(street.get("cards"), f"rounds[{at}].cards")
            for at, street in enumerate(self.rounds)
        ]
        times = Counter(name for name, board in zip(names, boards, strict=True) if board)
        runs: Counter[str] = Counter()
        for at, name in enumerate(names):
            if boards[at]:
                moves.append(Board(boards[at], runs[name], times[name]))
                places.append(
                    Place(f"round {at} {name}, cards {' '.join(boards[at])}", f"rounds[{at}].cards")
                )
                runs[name] += 1
            for of, index, action, kind, seat in self.actions:
                if of != at or self._is_post(of, kind):
                    continue
                place = Place(
                    f"round {at} {name}, action {index} {kind!r} of player {action.get('player_id')}",
                    f"rounds[{at}].actions[{index}]",
                )
                moves.append(self._move(kind, seat, action, place))
                places.append(place)
        return moves, places

    def _cards(self, value: Any, field: str) -> tuple[str, ...]:
        if value is None or value == "":
            return ()
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise malformed(field, value, "a list of cards as As, Td")
        found = tuple(card for one in value for card in cards_of(ascii(one)[1:-1], field))
        if len(found) != len(value):
            raise malformed(field, value, "a list of cards as As, Td")
        return found

    def _move(self, kind: str, seat: int, action: Mapping[str, Any], place: Place) -> Move:
        if kind in ACTIONS or (self.stud and kind in BRING_INS):
            what = ACTIONS.get(kind, What.BRING_IN)
            amount = action.get("amount") or 0
            added = cents(amount, f"{place.field}.amount")
            return Acted(seat, what, None, added)
        if kind == "Dealt Cards":
            return Dealt(seat, self._cards(action.get("cards"), f"{place.field}.cards"))
        if kind == "Shows Cards":
            cards = self._cards(action.get("cards"), f"{place.field}.cards")
            return Shown(seat, cards, of_free_will=not self.ours)
        if kind == "Mucks Cards":
            return Mucked(seat)
        if kind in REMARKS:
            return Silent()
        asked = ", ".join((*POSTS, *ACTIONS, "Dealt Cards", "Shows Cards", "Mucks Cards"))
        raise Refused(
            "ACTION_UNKNOWN",
            "CR-4",
            f"{place.words}: the action is not one of the format read here. Expected: {asked}.",
            (asked,),
            field=place.field,
        )


def _game(fields: Mapping[str, Any]) -> Game:
    limit = fields.get("bet_limit")
    if not isinstance(limit, dict):
        raise malformed("bet_limit", limit, "an object")
    kind = text(fields, "game_type")
    bet_type = text(limit, "bet_type", field="bet_limit.bet_type")
    for name, value, known_as in (
        ("game_type", kind, tuple(GAME_TYPES)),
        ("bet_limit.bet_type", bet_type, tuple(BET_TYPES)),
    ):
        if value not in known_as:
            raise Refused(
                "GAME_UNKNOWN",
                "CR-4",
                f"{name}: {value!r} is not played here. Expected: {', '.join(known_as)}.",
                known_as,
                field=name,
            )
    form, structure = GAME_TYPES[kind], BET_TYPES[bet_type]
    small, big = (
        cents(fields.get(name) or 0, name) for name in ("small_blind_amount", "big_blind_amount")
    )
    ante = cents(fields.get("ante_amount") or 0, "ante_amount")
    game = Game(
        game_id=f"{kind}-{bet_type}",
        name=f"{kind} {bet_type}",
        form=form,
        structure=structure,
        small_bet_cents=big or ante or 1,
        big_bet_cents=2 * (big or ante or 1) if structure is Structure.LIMIT else 0,
        blinds_cents=tuple(blind for blind in (small, big) if blind),
        ante_cents=ante,
        seats=whole(fields, "table_size", 10),
        chip_cents=1,
    )
    check_game(game, "bet_limit")
    return game


class _OthersReplay(Replay):
    """A record that others wrote: it does not say when rake was taken, side pots pushed and hands thrown away."""

    def __init__(
        self, setup: HandSetup, book_for: BookFor, reader: Reader, rake_cents: int
    ) -> None:
        super().__init__(setup, book_for, reader)
        self.rake_cents = rake_cents

    def decide(self, command: do.HandCommand, move: Move, place: Place) -> None:
        """Decide a command; rake goes out before the last fold, side pots before the main pot is shown for."""
        if isinstance(command, do.Fold) and sum(chair.live for chair in self.hand.chairs) == 2:
            self._take_rake(place)
        try:
            super().decide(command, move, place)
        except Refused as refused:
            if refused.code != "SIDE_POT_FIRST" or not isinstance(command, do.ShowHand):
                raise
            self._push_side_pots(command.seat, place)
            super().decide(command, move, place)

    def _take_rake(self, place: Place) -> None:
        if self.rake_cents:
            taken, self.rake_cents = self.rake_cents, 0
            self.enter(do.TakeRake(**self.ids, rake_cents=taken), place)

    def _push_side_pots(self, seat: int, place: Place) -> None:
        self._take_rake(place)
        for at in reversed(range(len(self.hand.pots))):
            if at not in self.hand.awarded and seat not in self.hand.pots[at].seats:
                self.enter(do.AwardPots(**self.ids, pot=at, losers_killed=True), place)

    def finish(self, end: Place) -> None:
        """Throw away what was not shown and push the pots.

        Raises:
            Refused: CR-6, the hand is not over.
        """
        if self.hand.phase is Phase.SHOWDOWN:
            for seat in self.hand.order:
                self.enter(do.MuckHand(**self.ids, seat=seat, source=Source.RECORD), end)
            self._take_rake(end)
        super().finish(end)


def _check_wins(fields: Mapping[str, Any], seats: Mapping[Any, int], replay: Replay) -> None:
    recorded: Counter[int] = Counter()
    for at, pot in enumerate(tables(fields, "pots")):
        field = f"pots[{at}].player_wins"
        for win in tables(pot, "player_wins", field) if pot.get("player_wins") else []:
            player = win.get("player_id")
            if not isinstance(player, int | str) or player not in seats:
                raise malformed(f"{field}.player_id", player, "one of the hand's players")
            recorded[seats[player]] += cents(win.get("win_amount"), f"{field}.win_amount")
    won = {result.seat: result.won_cents for result in replay.hand.results}
    for seat in seats.values():
        found = won.get(seat, 0)
        if found is not None and found != recorded[seat]:
            raise differing(
                "pots.player_wins",
                f"{recorded[seat]} cents for seat {seat}",
                f"{found} cents for seat {seat}",
                replay.rules.pots.side_cites,
            )


def _about(fields: Mapping[str, Any], extras: Mapping[str, Any], seats: Mapping[Any, int]) -> About:
    name = "irregularities"
    told = tables(extras, name, f"{USER_FIELD}.{name}") if name in extras else []
    hero = fields.get("hero_player_id")
    return About(
        site=text(fields, "site_name", ""),
        started_at=_instant(fields.get("start_date_utc")),
        currency=text(fields, "currency", "USD"),
        hero=seats.get(hero, 0) if isinstance(hero, int | str) else 0,
        book=text(extras, "book", "", f"{USER_FIELD}.book"),
        irregularities=tuple(told),
        ohh_fields={name: value for name, value in fields.items() if name not in WRITTEN},
    )


def _instant(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
