"""The Poker Hand History format (PHH): writing a hand. What it has no field for is in the user field `_cardroom`."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.known.games import Structure
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.hand_start import HandSetup
from cardroom.tables.notation.about import About
from cardroom.tables.notation.codes import variant_code
from cardroom.tables.notation.moves import (
    Acted,
    Board,
    Dealt,
    Discarded,
    Move,
    Mucked,
    Shown,
    What,
)
from cardroom.tables.notation.phh import USER_FIELD, standard_setup
from cardroom.tables.notation.results import check_over, results_of
from cardroom.tables.notation.setup import difference, setup_of
from cardroom.tables.notation.writing import Traits, Written, written

TRAITS: Final = Traits(
    names_acts=False, unseen=True, exchanges=True, runs=False, shows_after_the_end=False
)
"""What PHH has actions for."""
NOTHING: Final = About()


def export_phh(state: Hand, rules: HandRules, about: About = NOTHING) -> str:
    """Write a hand that is over as PHH.

    Args:
        state: the hand, with its history; what a rewind took back is left out.
        rules: of its book and game.
        about: what is told around it.

    Returns:
        TOML text. `import_phh` of it gives the same hand again.

    Raises:
        Refused: CR-6 the hand is not over.
    """
    check_over(state)
    record = written(state, rules, TRAITS)
    setup = setup_of(state, rules)
    fields = _head(setup, rules)
    seats = [dealt.seat for dealt in setup.seats]
    fields["actions"] = [_action(move, seats) for move in record.moves]
    read = about.phh_fields
    fields.update(_optional(state, setup, about) if read is None else read)
    user = _user_fields(state, setup, record, fields, about)
    lines = [f"{_key(name)} = {_value(value)}" for name, value in fields.items()]
    lines += ["", f"[{USER_FIELD}]"]
    lines += [f"{_key(name)} = {_value(value)}" for name, value in user.items()]
    return "\n".join(lines) + "\n"


def _head(setup: HandSetup, rules: HandRules) -> dict[str, Any]:
    game = setup.game
    antes, blinds = _forced(setup)
    small = setup.small_bet_cents or game.small_bet_cents
    fields: dict[str, Any] = {
        "variant": variant_code(rules),
        "antes": [_amount(ante) for ante in antes],
    }
    if rules.variant.stud:
        fields["bring_in"] = _amount(game.bring_in_cents)
    else:
        fields["blinds_or_straddles"] = [_amount(blind) for blind in blinds]
    if game.structure in {Structure.LIMIT, Structure.SPREAD_LIMIT}:
        fields["small_bet"] = _amount(small)
        fields["big_bet"] = _amount(setup.big_bet_cents or game.big_bet_cents or small)
    else:
        fields["min_bet"] = _amount(small)
    fields["starting_stacks"] = [_stack(dealt.stack_cents) for dealt in setup.seats]
    return fields


def _forced(setup: HandSetup) -> tuple[list[int], list[int]]:
    """Return antes and live posts as the format lists them: by player, heads-up the small blind first."""
    seats = [dealt.seat for dealt in setup.seats]
    antes = dict.fromkeys(seats, 0)
    blinds = dict.fromkeys(seats, 0)
    for post in setup.posts:
        antes[post.seat] += post.ante_cents + post.dead_cents
        blinds[post.seat] += post.live_cents
    ordered = seats[::-1] if len(seats) == 2 else seats
    return [antes[seat] for seat in ordered], [blinds[seat] for seat in ordered]


def _optional(state: Hand, setup: HandSetup, about: About) -> dict[str, Any]:
    stacks = {chair.seat: chair.stack_cents for chair in state.chairs}
    if state.results:
        stacks = {result.seat: result.after_cents for result in state.results}
    even = len({post.ante_cents for post in setup.posts if post.ante_cents}) <= 1
    dead = any(post.dead_cents for post in setup.posts)
    fields: dict[str, Any] = {
        "ante_trimming_status": even and not dead,
        "players": [dealt.player for dealt in setup.seats],
        "seats": [dealt.seat for dealt in setup.seats],
        "seat_count": state.game.seats,
        "table": state.table,
        "hand": state.number,
        "finishing_stacks": [_stack(stacks[dealt.seat]) for dealt in setup.seats],
    }
    if about.site:
        fields["venue"] = about.site
    if about.started_at is not None:
        began = about.started_at.astimezone(UTC)
        fields.update(
            time=began.time(),
            time_zone="UTC",
            day=began.day,
            month=began.month,
            year=began.year,
        )
    fields["currency"] = about.currency
    return fields


def _user_fields(
    state: Hand, setup: HandSetup, record: Written, fields: Mapping[str, Any], about: About
) -> dict[str, Any]:
    source = msgspec.to_builtins(record.sources)
    found: dict[str, Any] = {
        "book": state.book_digest,
        "engine": state.engine,
        **difference(standard_setup(fields), setup),
        "source": source,
        "entries": list(record.entries),
        "amendments": list(record.amendments),
        **results_of(state),
        "irregularities": list(about.irregularities),
    }
    return {name: value for name, value in found.items() if value not in ([], {})}


def _action(move: Move, seats: list[int]) -> str:
    match move:
        case Dealt(seat=seat, cards=cards):
            return f"d dh p{seats.index(seat) + 1} {''.join(cards)}"
        case Board(cards=cards):
            return f"d db {''.join(cards)}"
        case Acted():
            return f"p{seats.index(move.seat) + 1} {_act(move)}"
        case Shown(seat=seat, cards=cards):
            return f"p{seats.index(seat) + 1} sm {''.join(cards) or '-'}"
        case Mucked(seat=seat):
            return f"p{seats.index(seat) + 1} sm"
        case Discarded(seat=seat, cards=cards):
            return f"p{seats.index(seat) + 1} sd {''.join(cards)}".strip()
        case _:
            return ""


_WORDS: Final = {What.FOLD: "f", What.CHECK_OR_CALL: "cc", What.BRING_IN: "pb"}


def _act(move: Acted) -> str:
    word = _WORDS.get(move.what)
    return word if word is not None else f"cbr {_amount(move.to_cents or 0)}"


def _amount(cents: int) -> Decimal | int:
    return cents // 100 if cents % 100 == 0 else Decimal(cents) / 100


def _stack(cents: int | None) -> Decimal | int:
    return Decimal("inf") if cents is None else _amount(cents)


def _value(value: Any) -> str:
    """Write a value as TOML."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal() | float():
            return _number(Decimal(value))
        case str():
            return _quoted(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
            return "{ " + inside + " }" if inside else "{}"
        case Iterable():
            return "[" + ", ".join(_value(one) for one in value) + "]"
        case _:
            raise TypeError(f"{type(value).__name__} cannot be written as TOML")


def _number(value: Decimal) -> str:
    if value.is_nan():
        return "nan"
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    written = f"{value:f}" if -30 < value.adjusted() < 30 else str(value)
    return written if set(written) & set(".eE") else f"{written}.0"


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
