"""The Open Hand History format (OHH, JSON): reading a hand. Amounts are dollars there, whole cents here."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.betting import in_front
from cardroom.poker.cards import cards_of
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.reading import Reader
from cardroom.tables import hand_commands as do
from cardroom.tables.hand_events import Capture, Known, Phase, Post, PostKind, SeatDealt, Source
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.replay import BookFor, Imported, Replay

GAME_TYPES: Final[dict[str, Form]] = {
    "Holdem": Form.HOLDEM,
    "Omaha": Form.OMAHA,
    "OmahaHiLo": Form.OMAHA_HIGH_LOW,
    "Stud": Form.STUD,
    "StudHiLo": Form.STUD_HIGH_LOW,
    "Draw": Form.FIVE_CARD_DRAW,
}
"""OHH's game types for the forms played here."""
BET_TYPES: Final[dict[str, Structure]] = {
    "NL": Structure.NO_LIMIT,
    "PL": Structure.POT_LIMIT,
    "FL": Structure.LIMIT,
}
"""OHH's bet types."""
STREETS: Final[dict[int, str]] = {1: "Flop", 2: "Turn", 3: "River"}
"""Streets with community cards -> the format's name of the round."""
POSTS: Final[dict[str, tuple[PostKind, str]]] = {
    "Post Ante": (PostKind.ANTE, "ante_cents"),
    "Post SB": (PostKind.SMALL_BLIND, "live_cents"),
    "Post BB": (PostKind.BIG_BLIND, "live_cents"),
    "Straddle": (PostKind.STRADDLE, "live_cents"),
    "Post Dead": (PostKind.MISSED_BLINDS, "dead_cents"),
    "Post Extra Blind": (PostKind.NEW_PLAYER, "live_cents"),
}
"""Posts of the format, and what each is here."""


def hands_of(text: str) -> tuple[Mapping[str, Any], ...]:
    """Read OHH texts, one or many, each a JSON object with the key `ohh`.

    Raises:
        Refused: CR-4, the text is no such JSON.
    """
    found: list[Mapping[str, Any]] = []
    decoder = json.JSONDecoder(parse_float=Decimal)
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as problem:
            raise Refused("OHH_MALFORMED", "CR-4", f"the text is no JSON: {problem}") from problem
        if not isinstance(value, dict) or not isinstance(value.get("ohh"), dict):
            raise Refused("OHH_MALFORMED", "CR-4", "ohh: the key is missing", field="ohh")
        found.append(value["ohh"])
    return tuple(found)


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
    replay = _OhhReplay(fields, book_for, reader)
    for street in replay.rounds:
        replay.street(street)
    replay.finish()
    return replay.result()


def cents(value: Any, field: str) -> int:
    """Return an amount of a record in cents.

    Raises:
        Refused: CR-4, it is no amount in whole cents.
    """
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        scaled = Decimal(value) * 100
        if scaled == scaled.to_integral_value() and scaled >= 0:
            return int(scaled)
    raise Refused(
        "AMOUNT_MALFORMED", "CR-4", f"{field}: {value!r} is no amount in whole cents", field=field
    )


def _of(fields: Mapping[str, Any], name: str, kind: type, where: str = "") -> Any:
    value = fields.get(name)
    if not isinstance(value, kind):
        place = f"{where}.{name}" if where else name
        raise Refused(
            "FIELD_MISSING",
            "CR-4",
            f"{place}: {kind.__name__} asked, not {value!r}",
            field=place,
        )
    return value


def _game(fields: Mapping[str, Any]) -> Game:
    kind = _of(fields, "game_type", str)
    bet_type = _of(_of(fields, "bet_limit", dict), "bet_type", str, "bet_limit")
    if kind not in GAME_TYPES or bet_type not in BET_TYPES:
        raise Refused(
            "GAME_UNKNOWN",
            "CR-4",
            f"game_type, bet_limit.bet_type: {kind} {bet_type} is not played here: "
            f"{', '.join(GAME_TYPES)}; {', '.join(BET_TYPES)}",
            field="game_type",
        )
    small, big = (
        cents(fields.get(name, 0), name) for name in ("small_blind_amount", "big_blind_amount")
    )
    extra = fields.get("_cardroom", {})
    structure = BET_TYPES[bet_type]
    return Game(
        game_id=str(extra.get("game_id", f"{kind}-{bet_type}")),
        name=str(extra.get("game_name", f"{kind} {bet_type}")),
        form=GAME_TYPES[kind],
        structure=structure,
        small_bet_cents=int(extra.get("small_bet_cents", big)),
        big_bet_cents=int(
            extra.get("big_bet_cents", 2 * big if structure is Structure.LIMIT else 0)
        ),
        blinds_cents=tuple(blind for blind in (small, big) if blind),
        ante_cents=cents(fields.get("ante_amount", 0), "ante_amount"),
        bring_in_cents=int(extra.get("bring_in_cents", 0)),
        seats=int(fields.get("table_size", 10)),
        chip_cents=int(extra.get("chip_cents", 1)),
    )


class _OhhReplay(Replay):
    """Rounds of the format, as commands."""

    def __init__(self, fields: Mapping[str, Any], book_for: BookFor, reader: Reader) -> None:
        self.fields = fields
        self.rounds: list[Mapping[str, Any]] = _of(fields, "rounds", list)
        self.seat_of: dict[Any, int] = {}
        self.holes: dict[int, tuple[str, ...]] = {}
        self.rake_cents = sum(
            cents(pot.get("rake", 0), "pots.rake") for pot in _of(fields, "pots", list)
        )
        self.raked = False
        self.streets_dealt: dict[str, int] = {}
        super().__init__(self._setup(), book_for, reader)
        if self.holes:
            self.enter(
                do.NoteHoleCards(**self.ids, hands=tuple(self.holes.items()), source=Source.RECORD),
                f"cards dealt to seats {', '.join(map(str, self.holes))}",
                "rounds[0].actions",
            )

    def _setup(self) -> HandSetup:
        fields = self.fields
        players = _of(fields, "players", list)
        for player in players:
            self.seat_of[player.get("id")] = _of(player, "seat", int, "players")
        posts: list[Post] = []
        for action in self._actions(self.rounds[0] if self.rounds else {}):
            kind = action.get("action")
            seat = self._seat(action, "rounds[0]")
            if kind in POSTS:
                post, amount = POSTS[kind]
                value = cents(action.get("amount", 0), f"{kind} of seat {seat}")
                posts.append(msgspec.structs.replace(Post(seat=seat, kind=post), **{amount: value}))
            elif kind == "Dealt Cards":
                self.holes[seat] = cards_of(" ".join(action.get("cards", ())))
        game = _game(fields)
        number = str(fields.get("game_number", "1"))
        extra = fields.get("_cardroom", {})
        if "posts" in extra:
            posts = [msgspec.convert(post, Post) for post in extra["posts"]]
        return HandSetup(
            hand=str(extra.get("hand", number)),
            room=str(extra.get("room", "import")),
            table=str(fields.get("table_name", "import")),
            number=int(number) if number.isdigit() else 1,
            game=game,
            button_seat=_of(fields, "dealer_seat", int),
            seats=tuple(
                SeatDealt(
                    seat=player["seat"],
                    player=str(player.get("name", player.get("id"))),
                    stack_cents=cents(player.get("starting_stack"), "players.starting_stack"),
                )
                for player in players
            ),
            posts=tuple(posts),
            capture=Capture(cards=Known.SOME),
        )

    def _actions(self, street: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return list(street.get("actions", ()))

    def _seat(self, action: Mapping[str, Any], where: str) -> int:
        player = action.get("player_id")
        if player not in self.seat_of:
            raise Refused(
                "PLAYER_UNKNOWN",
                "CR-2",
                f"{where}: player_id {player!r} is none of the hand's players",
                field=f"{where}.player_id",
            )
        return self.seat_of[player]

    def _chair(self, seat: int) -> Chair:
        chair = chair_at(self.hand.chairs, seat)
        assert chair is not None
        return chair

    def street(self, street: Mapping[str, Any]) -> None:
        """Enter one round: its cards, then its actions."""
        name = str(street.get("street", ""))
        board = cards_of(" ".join(street.get("cards") or ()))
        if board:
            self._deal(name, board)
        for at, action in enumerate(self._actions(street)):
            kind = str(action.get("action"))
            if kind in POSTS or kind == "Dealt Cards":
                continue
            where = f"{name} action {at} {kind!r} of player {action.get('player_id')}"
            self._action(kind, action, where, f"rounds.{name}.actions[{at}]")

    def _deal(self, name: str, board: tuple[str, ...]) -> None:
        """Enter community cards; a street that the record has more than once was run more than once."""
        where, field = f"{name}: {' '.join(board)}", f"{name}.cards"
        times = sum(1 for street in self.rounds if street.get("street") == name)
        if times > 1 and len(self.hand.boards) == 1:
            live = tuple(chair.seat for chair in self.hand.chairs if chair.live)
            self.enter(do.AgreeRuns(**self.ids, times=times, seats=live), where, field)
        run = self.streets_dealt.get(name, 0)
        self.streets_dealt[name] = run + 1
        self.enter(do.DealStreet(**self.ids, board=board, run=run), where, field)

    def _action(self, kind: str, action: Mapping[str, Any], where: str, field: str) -> None:
        seat = self._seat(action, where)
        said: dict[str, Any] = {**self.ids, "seat": seat, "source": Source.RECORD}
        match kind:
            case "Fold":
                self._rake_before_last_fold(where, field)
                self.enter(do.Fold(**said), where, field)
            case "Check":
                self.enter(do.Check(**said), where, field)
            case "Call":
                self._call(seat, action, said, where, field)
            case "Bet" | "Raise":
                betting = self.hand.betting
                front = in_front(self._chair(seat), betting) if betting else 0
                to_cents = front + cents(action.get("amount", 0), field)
                opening = kind == "Bet"
                self.enter(
                    do.Bet(**said, to_cents=to_cents)
                    if opening
                    else do.RaiseTo(**said, to_cents=to_cents),
                    where,
                    field,
                )
            case "Shows Cards":
                self._show(seat, cards_of(" ".join(action.get("cards", ()))), said, where, field)
            case "Mucks Cards":
                self.enter(do.MuckHand(**said), where, field)
            case _:
                raise Refused(
                    "ACTION_UNKNOWN",
                    "CR-4",
                    f"{where}: the action is not one of the format read here",
                    field=field,
                )

    def _call(
        self, seat: int, action: Mapping[str, Any], said: dict[str, Any], where: str, field: str
    ) -> None:
        before = self._chair(seat).put_in_cents
        self.enter(do.Call(**said), where, field)
        moved = next(
            event.added_cents for event in reversed(self.events) if hasattr(event, "added_cents")
        )
        recorded = cents(action.get("amount", 0), field)
        if moved != recorded:
            raise Refused(
                "AMOUNT_NOT_ALLOWED",
                self.rules.betting.amount_cites,
                f"{where}: a call costs {dollars(moved)} (with {dollars(before)} in), "
                f"not {dollars(recorded)}",
                field=field,
            )

    def _rake_before_last_fold(self, where: str, field: str) -> None:
        if sum(1 for chair in self.hand.chairs if chair.live) == 2:
            self._take_rake(where, field)

    def _take_rake(self, where: str, field: str) -> None:
        if self.rake_cents and not self.raked:
            self.raked = True
            self.enter(do.TakeRake(**self.ids, rake_cents=self.rake_cents), where, field)

    def _show(
        self, seat: int, cards: tuple[str, ...], said: dict[str, Any], where: str, field: str
    ) -> None:
        chair = self._chair(seat)
        if chair.live and self.hand.betting_over and not self.hand.over:
            left = tuple(card for card in cards if card not in chair.shown)
            if left:
                shown = do.ShowHand(**said, cards=left)
                try:
                    self.enter(shown, where, field)
                except Refused as refused:
                    if refused.code != "SIDE_POT_FIRST":
                        raise
                    self._push_side_pots(seat, where, field)
                    self.enter(shown, where, field)
        elif not chair.down:
            # A folded or uncalled hand shown of free will: the cards become known, no more.
            told = do.NoteHoleCards(**self.ids, hands=((seat, cards),), source=Source.RECORD)
            self.enter(told, where, field)

    def _push_side_pots(self, seat: int, where: str, field: str) -> None:
        """Push the pots that a seat is not in: a record does not say when they were."""
        self._take_rake(where, field)
        for at in reversed(range(len(self.hand.pots))):
            if at not in self.hand.awarded and seat not in self.hand.pots[at].seats:
                self.enter(do.AwardPots(**self.ids, pot=at, losers_killed=True), where, field)

    def finish(self) -> None:
        """Push the pots and compare with the recorded wins."""
        where, field = "the end of the rounds", "rounds"
        if self.hand.phase is Phase.SHOWDOWN:
            for seat in self.hand.order:
                self.enter(do.MuckHand(**self.ids, seat=seat, source=Source.RECORD), where, field)
            self._take_rake(where, field)
            self.enter(do.AwardPots(**self.ids, losers_killed=True), where, field)
        if not self.hand.over:
            raise Refused(
                "HAND_NOT_FINISHED",
                "CR-6",
                f"{where}: the hand is not over, it is {self.hand.phase.value}",
                field=field,
            )
        self._check_wins()

    def _check_wins(self) -> None:
        recorded: dict[int, int] = {}
        for pot in self.fields["pots"]:
            for win in pot.get("player_wins", ()):
                seat = self._seat(win, "pots.player_wins")
                recorded[seat] = recorded.get(seat, 0) + cents(win["win_amount"], "win_amount")
        for result in self.hand.results:
            if result.won_cents != recorded.get(result.seat, 0):
                raise Refused(
                    "RESULT_DIFFERS",
                    self.rules.pots.side_cites,
                    f"pots.player_wins: seat {result.seat} is recorded with "
                    f"{dollars(recorded.get(result.seat, 0))} and wins {dollars(result.won_cents or 0)}",
                    field="pots.player_wins",
                )
