"""The Poker Hand History format (PHH, TOML): reading a hand. Amounts are dollars there, whole cents here."""

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.cards import UNKNOWN, cards_of
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.reading import Reader
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_commands as do
from cardroom.tables.hand_events import Capture, Known, Phase, Post, PostKind, SeatDealt, Source
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.replay import BookFor, Imported, Replay

VARIANT_CODES: Final[dict[str, tuple[Form, Structure]]] = {
    "FT": (Form.HOLDEM, Structure.LIMIT),
    "NT": (Form.HOLDEM, Structure.NO_LIMIT),
    "PT": (Form.HOLDEM, Structure.POT_LIMIT),
    "FO": (Form.OMAHA, Structure.LIMIT),
    "NO": (Form.OMAHA, Structure.NO_LIMIT),
    "PO": (Form.OMAHA, Structure.POT_LIMIT),
    "FO/8": (Form.OMAHA_HIGH_LOW, Structure.LIMIT),
    "NO/8": (Form.OMAHA_HIGH_LOW, Structure.NO_LIMIT),
    "PO/8": (Form.OMAHA_HIGH_LOW, Structure.POT_LIMIT),
    "F7S": (Form.STUD, Structure.LIMIT),
    "F7S/8": (Form.STUD_HIGH_LOW, Structure.LIMIT),
    "FR": (Form.RAZZ, Structure.LIMIT),
    "F5D": (Form.FIVE_CARD_DRAW, Structure.LIMIT),
    "FA5": (Form.LOWBALL, Structure.LIMIT),
    "NA5": (Form.LOWBALL, Structure.NO_LIMIT),
}
"""PHH's variant codes for the forms played here; F5D, FA5, NA5, NO and NO/8 in the same manner where it has none."""

_COMMANDS: Final = {
    str(command.__struct_config__.tag): (command, str(command.__struct_config__.tag))
    for command in do.HAND_COMMANDS
    if command not in {do.CorrectEntry, do.RewindHand, do.VoidHand}
}
"""What may stand in the user field `_entries`, by name."""
_DEAL = re.compile(r"d (?P<what>dh|db) ?(?:p(?P<player>\d+) )?(?P<cards>\S+)\Z")
_ACT = re.compile(r"p(?P<player>\d+) (?P<what>f|cc|cbr|pb|sm|sd)(?: (?P<rest>\S+))?\Z")


def hands_of(text: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Read a .phh text of one hand, or a .phhs text of many.

    Returns:
        (name of the hand in the text, its fields) in order; the name is empty for a single hand.

    Raises:
        Refused: CR-4, the text is no TOML.
    """
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as problem:
        raise Refused("PHH_MALFORMED", "CR-4", f"the text is no TOML: {problem}") from problem
    if "variant" in fields or not all(isinstance(value, dict) for value in fields.values()):
        return (("", fields),)
    return tuple(fields.items())


def import_phh(
    fields: Mapping[str, Any], book_for: BookFor, reader: Reader, *, hand: str = ""
) -> Imported:
    """Enter a recorded hand.

    Args:
        fields: one hand of `hands_of`.
        book_for: the book it is judged by.
        reader: the evaluator.
        hand: an id for it; otherwise `_hand` of the record, or its number.

    Raises:
        Refused: a field is missing or malformed (CR-4), an action is illegal, or the record's result is not the
            hand's; action, rule and expectation are named.
    """
    setup = _setup(fields, hand)
    replay = _PhhReplay(fields, setup, book_for, reader)
    actions = [str(action) for action in _required(fields, "actions", list)]
    for at, action in enumerate(actions):
        replay.entries_before(at)
        replay.action(at, action, actions[at + 1 :])
    replay.entries_before(len(actions))
    replay.finish()
    _check_result(fields, replay)
    return replay.result()


def cents(value: Any, field: str) -> int:
    """Return an amount of a record in cents.

    Raises:
        Refused: CR-4, it is no amount, or is finer than a cent.
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Refused("AMOUNT_MALFORMED", "CR-4", f"{field}: {value!r} is no amount", field=field)
    scaled = Decimal(value) * 100
    if scaled != scaled.to_integral_value() or scaled < 0:
        raise Refused(
            "AMOUNT_MALFORMED", "CR-4", f"{field}: {value} is no amount in whole cents", field=field
        )
    return int(scaled)


def _required(fields: Mapping[str, Any], name: str, kind: type) -> Any:
    value = fields.get(name)
    if not isinstance(value, kind):
        what = "is missing" if value is None else f"is {value!r}"
        raise Refused("FIELD_MISSING", "CR-4", f"{name} {what}: {kind.__name__} asked", field=name)
    return value


def _amounts(fields: Mapping[str, Any], name: str, count: int) -> tuple[int, ...]:
    values = fields.get(name, [0] * count)
    if not isinstance(values, list) or len(values) != count:
        raise Refused(
            "FIELD_MALFORMED", "CR-4", f"{name}: one amount for each of {count} players", field=name
        )
    return tuple(cents(value, name) for value in values)


def _stacks(fields: Mapping[str, Any]) -> tuple[int | None, ...]:
    """Return the starting stacks; PHH writes `inf` where one is not known."""
    given = _required(fields, "starting_stacks", list)
    return tuple(
        None
        if isinstance(value, Decimal | float) and not Decimal(value).is_finite()
        else cents(value, "starting_stacks")
        for value in given
    )


def _game(fields: Mapping[str, Any], blinds: tuple[int, ...], ante: int) -> Game:
    code = _required(fields, "variant", str)
    if code not in VARIANT_CODES:
        raise Refused(
            "VARIANT_UNKNOWN",
            "CR-4",
            f"variant: {code!r} is none of {', '.join(VARIANT_CODES)}",
            field="variant",
        )
    form, structure = VARIANT_CODES[code]
    limit = structure is Structure.LIMIT
    small = cents(fields.get("small_bet" if limit else "min_bet", 0), "small_bet or min_bet")
    big = cents(fields.get("big_bet", 0), "big_bet") or int(fields.get("_most_bet_cents", 0))
    if not small or (limit and not big):
        names = "small_bet and big_bet" if limit else "min_bet"
        raise Refused("FIELD_MISSING", "CR-4", f"{names}: needed for {code}", field=names)
    return Game(
        game_id=str(fields.get("_game", code)),
        name=str(fields.get("_game_name", code)),
        form=form,
        structure=structure,
        small_bet_cents=small,
        big_bet_cents=big,
        blinds_cents=tuple(blind for blind in blinds if blind),
        ante_cents=ante,
        bring_in_cents=cents(fields.get("bring_in", 0), "bring_in"),
        seats=int(fields.get("seat_count", VARIANTS[form].most_seats)),
        chip_cents=int(fields.get("_chip_cents", 1)),
    )


def _setup(fields: Mapping[str, Any], hand: str) -> HandSetup:
    stacks = _stacks(fields)
    count = len(stacks)
    antes = _amounts(fields, "antes", count)
    blinds = named = _amounts(fields, "blinds_or_straddles", count)
    if count == 2:
        # The format writes forced bets small first, and heads-up the last player, on the button, has the small one.
        antes, blinds = antes[::-1], blinds[::-1]
    names = fields.get("players") or [f"p{at}" for at in range(1, count + 1)]
    seats = tuple(int(seat) for seat in fields.get("seats") or range(1, count + 1))
    if len(names) != count or len(seats) != count:
        raise Refused(
            "FIELD_MALFORMED", "CR-4", f"players, seats: one for each of {count}", field="players"
        )
    even = len(set(antes)) == 1
    game = _game(fields, named[:2], antes[0] if even else 0)
    stud = VARIANTS[game.form].stud
    # The record lists players from the left of the button, which the last one has.
    button = 0 if stud else int(fields.get("_button_seat", seats[-1]))
    posts = _posts(fields, seats, antes, blinds, even=even)
    return HandSetup(
        hand=hand or str(fields.get("_hand", fields.get("hand", "imported"))),
        room=str(fields.get("_room", "import")),
        table=str(fields.get("table", "import")),
        number=int(fields.get("hand", 1)) if str(fields.get("hand", 1)).isdigit() else 1,
        game=game,
        button_seat=button,
        seats=tuple(
            SeatDealt(seat=seat, player=str(name), stack_cents=stack)
            for seat, name, stack in zip(seats, names, stacks, strict=True)
        ),
        posts=posts,
        capture=Capture(
            cards=Known.SOME,
            stacks=Known.SOME if None in stacks else Known.ALL,
        ),
    )


def _posts(
    fields: Mapping[str, Any],
    seats: tuple[int, ...],
    antes: tuple[int, ...],
    blinds: tuple[int, ...],
    *,
    even: bool,
) -> tuple[Post, ...]:
    if "_posts" in fields:
        return tuple(msgspec.convert(post, Post) for post in fields["_posts"])
    posts = [
        Post(seat=seat, kind=PostKind.ANTE, ante_cents=ante)
        if even
        else Post(seat=seat, kind=PostKind.ANTE, dead_cents=ante)
        for seat, ante in zip(seats, antes, strict=True)
        if ante
    ]
    biggest = 0
    for at, (seat, blind) in enumerate(zip(seats, blinds, strict=True)):
        if not blind:
            continue
        if at <= 1:
            big = blind == max(blinds[:2]) and (at == 1 or len(seats) == 2)
            kind = PostKind.BIG_BLIND if big else PostKind.SMALL_BLIND
        else:
            kind = PostKind.STRADDLE if blind > biggest else PostKind.NEW_PLAYER
        biggest = max(biggest, blind)
        posts.append(Post(seat=seat, kind=kind, live_cents=blind))
    return tuple(posts)


class _PhhReplay(Replay):
    """Actions of the format, as commands; deals are gathered until a street has all its cards."""

    def __init__(
        self, fields: Mapping[str, Any], setup: HandSetup, book_for: BookFor, reader: Reader
    ) -> None:
        super().__init__(setup, book_for, reader)
        self.seats = tuple(dealt.seat for dealt in setup.seats)
        self.burned = list(fields.get("_burned", []))
        self.run_order: list[int] = list(fields.get("_run_order", []))
        self.dealt: dict[int, tuple[str, ...]] = {}
        self.put_away: dict[int, tuple[str, ...]] = {}
        self.where = ""
        self.field = ""
        self.entries: list[Mapping[str, Any]] = list(fields.get("_entries", []))

    def entries_before(self, at: int) -> None:
        """Enter what the format has no action for and a user field places before an action.

        Raises:
            Refused: CR-4, an entry is no command of a hand.
        """
        while self.entries and self.entries[0].get("at", 0) <= at:
            entry = dict(self.entries.pop(0))
            self.where, self.field = f"entry {entry}", "_entries"
            entry.pop("at")
            command = _COMMANDS.get(entry.pop("enter", ""))
            if command is None:
                raise self._malformed(f"it is none of {', '.join(sorted(_COMMANDS))}")
            try:
                made = msgspec.convert({**entry, **self.ids, "type": command[1]}, command[0])
            except msgspec.ValidationError as problem:
                raise self._malformed(str(problem)) from problem
            self._enter(made)

    def action(self, at: int, text: str, later: list[str]) -> None:
        """Enter one action of the record.

        Args:
            at: its place, from 0.
            text: the action.
            later: the actions after it, which tell who opened where upcards are not recorded.
        """
        words = text.partition("#")[0].strip()
        self.where, self.field = f"action {at + 1} {words!r}", f"actions[{at}]"
        if not words:
            return
        deal, act = _DEAL.match(words), _ACT.match(words)
        if deal is not None:
            self._deal(deal["what"], deal["player"], cards_of(deal["cards"], self.field), later)
        elif act is not None:
            self._act(self._seat(act["player"]), act["what"], act["rest"] or "")
        else:
            raise self._malformed("it is no action of the format")

    def _malformed(self, why: str) -> Refused:
        return Refused("ACTION_MALFORMED", "CR-4", f"{self.where}: {why}", field=self.field)

    def _enter(self, command: do.HandCommand) -> None:
        self.enter(command, self.where, self.field)

    def _seat(self, player: str) -> int:
        if not 1 <= int(player) <= len(self.seats):
            raise self._malformed(f"there are {len(self.seats)} players")
        return self.seats[int(player) - 1]

    def _chair(self, seat: int) -> Chair:
        chair = chair_at(self.hand.chairs, seat)
        if chair is None:
            raise self._malformed(f"seat {seat} was not dealt in")
        return chair

    def _deal(
        self, what: str, player: str | None, cards: tuple[str, ...], later: list[str]
    ) -> None:
        if what == "db":
            run = self._run(len(cards))
            self._enter(do.DealStreet(**self.ids, board=cards, burned=self._burn(), run=run))
            return
        if player is None:
            raise self._malformed("no player is named")
        seat = self._seat(player)
        if not self.rules.variant.stud:
            self._note(seat, cards)
            return
        self.dealt[seat] = self.dealt.get(seat, ()) + cards
        live = [chair.seat for chair in self.hand.chairs if chair.live]
        street = self.rules.variant.streets[self.hand.street + 1]
        if set(self.dealt) >= set(live):
            down = street.down
            up = tuple((one, given[down]) for one, given in self.dealt.items() if len(given) > down)
            given, self.dealt = self.dealt, {}
            opener = self._opener(up, later)
            self._enter(do.DealStreet(**self.ids, up=up, burned=self._burn(), opener=opener))
            for one, held in given.items():
                if held[:down]:
                    self._note(one, held[:down])

    def _burn(self) -> str:
        """Return the burn card of the next deal, empty where it was not seen."""
        return self.burned.pop(0) if self.burned else ""

    def _run(self, count: int) -> int:
        """Return which run of the board gets the next cards: as recorded, else the first that has room for them."""
        if self.run_order:
            return self.run_order.pop(0)
        if len(self.hand.boards) == 1:
            return 0
        complete = self.rules.variant.board_cards
        for run, board in enumerate(self.hand.boards):
            if len(board) + count <= complete and len(board) < complete:
                return run
        return 0

    def _opener(self, up: tuple[tuple[int, str], ...], later: list[str]) -> int:
        """Return who opens, read off the next action, where an upcard was not recorded; 0 where all were."""
        live = [chair for chair in self.hand.chairs if chair.live]
        seen = dict(up)
        if all(
            seen.get(chair.seat, UNKNOWN if len(up) else "") != UNKNOWN and UNKNOWN not in chair.up
            for chair in live
        ):
            return 0
        acts = (_ACT.match(text.partition("#")[0].strip()) for text in later)
        return next((self._seat(act["player"]) for act in acts if act is not None), 0)

    def _note(self, seat: int, cards: tuple[str, ...]) -> None:
        self._enter(do.NoteHoleCards(**self.ids, hands=((seat, cards),), source=Source.RECORD))

    def _act(self, seat: int, what: str, rest: str) -> None:
        said: dict[str, Any] = {**self.ids, "seat": seat, "source": Source.RECORD}
        match what:
            case "f":
                self._enter(do.Fold(**said))
            case "cc":
                self._enter(self._check_or_call(seat, said))
            case "cbr":
                self._enter(self._wager(said, rest))
            case "pb":
                self._enter(do.BringIn(**said))
            case "sm":
                self._show_or_muck(seat, said, rest)
            case "sd":
                self._stand_or_discard(seat, rest)

    def _check_or_call(self, seat: int, said: dict[str, Any]) -> do.HandCommand:
        betting = self.hand.betting
        chair = self._chair(seat)
        if betting is not None and self.hand.phase is Phase.BETTING and self.hand.to_act == seat:
            front = max(0, chair.matched_cents - betting.base_cents)
            if front >= betting.level_cents:
                return do.Check(**said)
        return do.Call(**said)

    def _wager(self, said: dict[str, Any], rest: str) -> do.HandCommand:
        try:
            to_cents = cents(Decimal(rest), self.field)
        except ArithmeticError as problem:
            raise self._malformed(f"{rest!r} is no amount") from problem
        betting = self.hand.betting
        opening = betting is not None and not betting.level_cents and not betting.bring_in_seat
        return (
            do.Bet(**said, to_cents=to_cents) if opening else do.RaiseTo(**said, to_cents=to_cents)
        )

    def _show_or_muck(self, seat: int, said: dict[str, Any], rest: str) -> None:
        if rest in {"", "-"}:
            if self.hand.phase is Phase.SHOWDOWN:
                self._enter(do.MuckHand(**said))
            return
        chair = self._chair(seat)
        shown = cards_of(rest, self.field)
        lying = chair.up + chair.shown
        turned = tuple(card for card in shown if card == UNKNOWN or card not in lying)
        self._enter(do.ShowHand(**said, cards=turned))

    def _stand_or_discard(self, seat: int, rest: str) -> None:
        gone = () if rest in {"", "-"} else cards_of(rest, self.field)
        self._enter(
            do.Exchange(
                **self.ids, seat=seat, count=len(gone), discarded=gone, source=Source.RECORD
            )
        )

    def finish(self) -> None:
        """Push the pots where the record leaves off at the showdown."""
        self.where, self.field = "the end of the actions", "actions"
        if self.hand.phase is Phase.SHOWDOWN:
            self._enter(do.AwardPots(**self.ids, losers_killed=True))
        if not self.hand.over:
            waiting = (
                f"seat {self.hand.to_act} is to act" if self.hand.to_act else self.hand.phase.value
            )
            raise Refused(
                "HAND_NOT_FINISHED",
                "CR-6",
                f"{self.where}: the hand is not over, {waiting}",
                field=self.field,
            )


def _check_result(fields: Mapping[str, Any], replay: _PhhReplay) -> None:
    if "finishing_stacks" not in fields:
        return
    recorded = _amounts(fields, "finishing_stacks", len(replay.seats))
    for seat, stack in zip(replay.seats, recorded, strict=True):
        chair = chair_at(replay.hand.chairs, seat)
        if chair is not None and chair.stack_cents not in {None, stack}:
            raise Refused(
                "RESULT_DIFFERS",
                replay.rules.pots.side_cites,
                f"finishing_stacks: seat {seat} is recorded with {stack} cents and ends with {chair.stack_cents}",
                field="finishing_stacks",
            )
