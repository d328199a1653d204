"""The Poker Hand History format (PHH, TOML): reading a hand. Amounts are dollars there, whole cents here."""

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game, Structure
from cardroom.poker.cards import cards_of
from cardroom.poker.reading import Reader
from cardroom.poker.variants import VARIANTS
from cardroom.tables.hand_events import Capture, Known, Post, PostKind, SeatDealt
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.about import About
from cardroom.tables.notation.codes import VARIANT_CODES, check_variant
from cardroom.tables.notation.entries import Extras
from cardroom.tables.notation.fields import cents, convert, listed, malformed, tables, text, whole
from cardroom.tables.notation.moves import (
    Acted,
    Board,
    Dealt,
    Discarded,
    Move,
    Mucked,
    Shown,
    Silent,
    What,
)
from cardroom.tables.notation.reading import Sources
from cardroom.tables.notation.replay import BookFor, Imported, Place, Replay
from cardroom.tables.notation.results import check_results, check_stacks
from cardroom.tables.notation.setup import check_game, completed

USER_FIELD: Final = "_cardroom"
"""The user field under which everything stands that the format has no field for."""
REQUIRED: Final = frozenset(
    {
        "variant",
        "antes",
        "blinds_or_straddles",
        "bring_in",
        "small_bet",
        "big_bet",
        "min_bet",
        "starting_stacks",
        "actions",
    }
)
"""Fields that make the hand; every other one may be there or not."""
_DEAL: Final = re.compile(r"d\s+(?P<what>dh|db)\s+(?:p(?P<player>\d{1,3})\s+)?(?P<cards>\S+)\Z")
_ACT: Final = re.compile(
    r"p(?P<player>\d{1,3})\s+(?P<what>f|cc|cbr|pb|sm|sd)(?:\s+(?P<rest>\S+))?\Z"
)
_GRAMMAR: Final = (
    "an action as `d dh p1 AsKs`, `d db 2c3d4h`, `p1 f`, `p1 cc`, `p1 cbr 40`, `p1 pb`, `p1 sd 2c` "
    "or `p1 sm AsKs`"
)


def hands_of(source: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Read a .phh text of one hand, or a .phhs text of many.

    Returns:
        (name of the hand in the text, its fields) in order; the name is empty for a single hand.

    Raises:
        Refused: CR-4, the text is no TOML.
    """
    try:
        fields = tomllib.loads(source, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as problem:
        why = "nested too deep" if isinstance(problem, RecursionError) else str(problem)
        raise Refused(
            "PHH_MALFORMED", "CR-4", f"the text is no TOML: {why}", ("TOML",)
        ) from problem
    if "variant" in fields or not all(isinstance(value, dict) for value in fields.values()):
        return (("", fields),)
    return tuple(fields.items())


def import_phh(fields: Mapping[str, Any], book_for: BookFor, reader: Reader) -> Imported:
    """Enter a recorded hand.

    Args:
        fields: one hand of `hands_of`.
        book_for: the book it is judged by.
        reader: the evaluator.

    Raises:
        Refused: a field is missing or malformed (CR-4), an action is illegal, or the record's result is not the
            hand's; action, rule and expectation are named.
    """
    extras = fields.get(USER_FIELD, {})
    if not isinstance(extras, dict):
        raise malformed(USER_FIELD, extras, "a table of fields")
    read = standard_setup(fields)
    setup = completed(read, extras, f"{USER_FIELD}.")
    seats = tuple(dealt.seat for dealt in read.seats)
    actions = [_action_text(value, at) for at, value in enumerate(listed(fields, "actions"))]
    replay = Replay(setup, book_for, reader)
    check_variant(text(fields, "variant"), replay.rules)
    places = [
        Place(f"action {at + 1} {action!r}", f"actions[{at}]") for at, action in enumerate(actions)
    ]
    moves = [_move(action, places[at], seats) for at, action in enumerate(actions)]
    replay.play(
        moves,
        places,
        extras_of(extras, len(moves)),
        convert(extras.get("source", {}), Sources, f"{USER_FIELD}.source"),
        Place(f"the end, after action {len(actions)}", f"actions[{len(actions)}]"),
    )
    _check_result(fields, extras, seats, replay)
    return replay.result(_about(fields, extras))


def extras_of(extras: Mapping[str, Any], actions: int) -> Extras:
    """Return entries and amendments among user fields.

    Args:
        extras: the user fields.
        actions: how many actions the record has.

    Raises:
        Refused: CR-4, one is malformed.
    """
    names = ("entries", "amendments")
    found = [
        tables(extras, name, f"{USER_FIELD}.{name}") if name in extras else [] for name in names
    ]
    return Extras(
        found[0], found[1], (f"{USER_FIELD}.entries", f"{USER_FIELD}.amendments"), actions
    )


def _action_text(value: Any, at: int) -> str:
    if not isinstance(value, str):
        raise malformed(f"actions[{at}]", value, _GRAMMAR)
    words = " ".join(value.partition("#")[0].split())
    if not words.isascii():
        raise malformed(f"actions[{at}]", ascii(words), _GRAMMAR)
    return words


def _amounts(fields: Mapping[str, Any], name: str, count: int) -> tuple[int, ...]:
    values = fields.get(name, [0] * count)
    if not isinstance(values, list) or len(values) != count:
        raise malformed(name, values, f"one amount for each of {count} players")
    return tuple(cents(value, name) for value in values)


def _stacks(fields: Mapping[str, Any], name: str) -> tuple[int | None, ...]:
    """Return stacks; PHH writes `inf` where one is not known."""
    return tuple(
        None
        if isinstance(value, Decimal | float) and value == Decimal("inf")
        else cents(value, name)
        for value in listed(fields, name)
    )


def _game(fields: Mapping[str, Any], blinds: tuple[int, ...], ante: int, seats: int) -> Game:
    code = text(fields, "variant")
    if code not in VARIANT_CODES:
        raise Refused(
            "VARIANT_UNKNOWN",
            "CR-4",
            f"variant: {code!r} is none of {', '.join(VARIANT_CODES)}",
            tuple(VARIANT_CODES),
            field="variant",
        )
    form, structure = VARIANT_CODES[code]
    two = structure in {Structure.LIMIT, Structure.SPREAD_LIMIT}
    for name in ("small_bet", "big_bet") if two else ("min_bet",):
        if name not in fields:
            raise malformed(name, None, f"needed for {code}")
    small = cents(fields["small_bet" if two else "min_bet"], "small_bet" if two else "min_bet")
    game = Game(
        game_id=code,
        name=code,
        form=form,
        structure=structure,
        small_bet_cents=small,
        big_bet_cents=cents(fields["big_bet"], "big_bet") if two else 0,
        blinds_cents=tuple(blind for blind in blinds if blind),
        ante_cents=ante,
        bring_in_cents=cents(fields.get("bring_in", 0), "bring_in"),
        seats=whole(fields, "seat_count", max(seats, VARIANTS[form].most_seats)),
        chip_cents=1,
    )
    check_game(game, "variant")
    return game


def standard_setup(fields: Mapping[str, Any]) -> HandSetup:
    """Return how a hand began by the format's own fields alone.

    Raises:
        Refused: CR-4, a field is missing or malformed.
    """
    stacks = _stacks(fields, "starting_stacks")
    count = len(stacks)
    antes = _amounts(fields, "antes", count)
    blinds = named = _amounts(fields, "blinds_or_straddles", count)
    if count == 2:
        # The format writes forced bets small first, and heads-up the last player, on the button, has the small one.
        antes, blinds = antes[::-1], blinds[::-1]
    names = fields.get("players", [f"p{at}" for at in range(1, count + 1)])
    seats = fields.get("seats", list(range(1, count + 1)))
    for name, values, asked in (("players", names, str), ("seats", seats, int)):
        right = isinstance(values, list) and len(values) == count
        if not right or not all(isinstance(value, asked) for value in values):
            raise malformed(name, values, f"one for each of {count} players")
    for at, seat in enumerate(seats):
        whole({"seat": seat}, "seat", field=f"seats[{at}]")
        text({"name": names[at]}, "name", field=f"players[{at}]")
    even = len(set(antes)) == 1
    game = _game(fields, named[:2], antes[0] if even else 0, max([*seats, 0]))
    number = fields.get("hand", 1)
    told = str(number) if isinstance(number, int) else text(fields, "hand", "1")
    table = fields.get("table", "import")
    return HandSetup(
        hand=told,
        room="import",
        table=str(table) if isinstance(table, int) else text(fields, "table", "import"),
        number=int(told) if told.isdecimal() and len(told) < 10 else 1,
        game=game,
        # The record lists players from the left of the button, which the last one has.
        button_seat=0 if VARIANTS[game.form].stud or not seats else seats[-1],
        seats=tuple(
            SeatDealt(seat=seat, player=name, stack_cents=stack)
            for seat, name, stack in zip(seats, names, stacks, strict=True)
        ),
        posts=_posts(tuple(seats), antes, blinds, even=even),
        capture=Capture(
            cards=Known.SOME,
            stacks=Known.SOME if None in stacks else Known.ALL,
        ),
    )


def _posts(
    seats: tuple[int, ...], antes: tuple[int, ...], blinds: tuple[int, ...], *, even: bool
) -> tuple[Post, ...]:
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


def _move(action: str, place: Place, seats: tuple[int, ...]) -> Move:
    """Return what an action says was done."""
    if not action:
        return Silent()
    deal, act = _DEAL.match(action), _ACT.match(action)
    if deal is not None and (deal["what"] == "db") == (deal["player"] is None):
        cards = _cards(deal["cards"], place)
        if deal["what"] == "db":
            return Board(cards)
        return Dealt(_seat(deal["player"], seats, place), cards)
    if act is None:
        raise _wrong(place, "it is no action of the format")
    seat, rest = _seat(act["player"], seats, place), act["rest"] or ""
    return _MOVES[act["what"]](seat, rest, place)


def _wrong(place: Place, why: str, asked: str = _GRAMMAR) -> Refused:
    return Refused(
        "ACTION_MALFORMED",
        "CR-4",
        f"{place.words}: {why}. Expected: {asked}.",
        (asked,),
        field=place.field,
    )


def _cards(written: str, place: Place) -> tuple[str, ...]:
    try:
        return cards_of(written, place.field)
    except Refused as refused:
        asked = "cards as AsKhTd, ?? for one that is not known"
        raise _wrong(place, refused.message, asked) from refused


def _seat(player: str, seats: tuple[int, ...], place: Place) -> int:
    if not 1 <= int(player) <= len(seats):
        raise _wrong(place, f"there is no player {player}", f"p1 to p{len(seats)}")
    return seats[int(player) - 1]


def _alone(what: What) -> Callable[[int, str, Place], Move]:
    def make(seat: int, rest: str, place: Place) -> Move:
        if rest:
            raise _wrong(place, f"{rest!r} is too much")
        return Acted(seat, what)

    return make


def _wager(seat: int, rest: str, place: Place) -> Move:
    try:
        return Acted(seat, What.WAGER, cents(Decimal(rest), place.field))
    except (ArithmeticError, Refused) as problem:
        raise _wrong(place, f"{rest!r} is no amount", "an amount in dollars") from problem


def _show_or_muck(seat: int, rest: str, place: Place) -> Move:
    if not rest:
        return Mucked(seat)
    return Shown(seat, () if rest == "-" else _cards(rest, place))


def _stand_or_discard(seat: int, rest: str, place: Place) -> Move:
    return Discarded(seat, () if rest in {"", "-"} else _cards(rest, place))


_MOVES: Final[dict[str, Callable[[int, str, Place], Move]]] = {
    "f": _alone(What.FOLD),
    "cc": _alone(What.CHECK_OR_CALL),
    "pb": _alone(What.BRING_IN),
    "cbr": _wager,
    "sm": _show_or_muck,
    "sd": _stand_or_discard,
}


def _check_result(
    fields: Mapping[str, Any], extras: Mapping[str, Any], seats: tuple[int, ...], replay: Replay
) -> None:
    if "finishing_stacks" in fields:
        recorded = _stacks(fields, "finishing_stacks")
        if len(recorded) != len(seats):
            raise malformed(
                "finishing_stacks", list(recorded), f"one for each of {len(seats)} players"
            )
        check_stacks(recorded, seats, replay.hand, replay.rules, "finishing_stacks")
    check_results(extras, replay.hand, replay.rules, f"{USER_FIELD}.")


def _about(fields: Mapping[str, Any], extras: Mapping[str, Any]) -> About:
    name = "irregularities"
    told = tables(extras, name, f"{USER_FIELD}.{name}") if name in extras else []
    others = REQUIRED | {USER_FIELD}
    return About(
        site=text(fields, "venue", ""),
        started_at=_started_at(fields),
        currency=text(fields, "currency", "USD"),
        book=text(extras, "book", "", f"{USER_FIELD}.book"),
        irregularities=tuple(told),
        phh_fields={name: value for name, value in fields.items() if name not in others},
    )


def _started_at(fields: Mapping[str, Any]) -> datetime | None:
    clock = fields.get("time")
    day = tuple(fields.get(name) for name in ("year", "month", "day"))
    if fields.get("time_zone") != "UTC" or not isinstance(clock, time):
        return None
    try:
        return datetime.combine(date(*day), clock, UTC)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
