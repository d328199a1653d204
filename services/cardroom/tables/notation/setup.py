"""How a recorded hand began: what a format's own fields say of it, and what only our user fields can."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Capture, Post, PostKind, SeatDealt
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.hand_start import HandSetup, start_hand
from cardroom.tables.notation.fields import convert, malformed

_PARTS: Final = ("game", "capture")
"""Fields of a setup of which only the differing members are written."""


def setup_of(hand: Hand, rules: HandRules) -> HandSetup:
    """Return what a hand was started with.

    Args:
        hand: the hand, at any point.
        rules: of its book and game.
    """
    started = hand.start
    game = started.game
    big = game.big_bet_cents or started.small_bet_cents
    setup = HandSetup(
        hand=started.hand,
        room=started.room,
        table=started.table,
        number=started.number,
        game=game,
        button_seat=started.button_seat,
        seats=started.seats,
        posts=_nominal(started),
        capture=started.capture,
        small_bet_cents=0
        if started.small_bet_cents == game.small_bet_cents
        else started.small_bet_cents,
        big_bet_cents=0 if started.big_bet_cents == big else started.big_bet_cents,
        carried_cents=started.carried_cents,
    )
    if started.betting is None or not started.betting.to_act or _starts(setup, started, rules):
        return setup
    return msgspec.structs.replace(setup, first_seat=started.betting.to_act[0])


def _starts(setup: HandSetup, started: ev.HandStarted, rules: HandRules) -> bool:
    try:
        return start_hand(setup, rules)[0] == started
    except Refused:
        return False


def _nominal(started: ev.HandStarted) -> tuple[Post, ...]:
    """Return the posts as they were due: a stack that was short posted less, and the wager to meet is the whole one."""
    short = _short_seats(started)
    posts = [_in_full(post, started.game) if post.seat in short else post for post in started.posts]
    betting = started.betting
    if betting is not None:
        posts = _up_to(posts, short, "live_cents", betting.level_cents)
        posts = _up_to(posts, short, "ante_cents", betting.base_cents)
    return tuple(posts)


def _short_seats(started: ev.HandStarted) -> set[int]:
    """Return the seats whose posts took every chip that plays."""
    left = {dealt.seat: dealt.stack_cents for dealt in started.seats}
    for post in started.posts:
        stack = left[post.seat]
        if stack is not None:
            put_up = post.live_cents + post.dead_cents + post.ante_cents + post.house_cents
            left[post.seat] = stack - put_up
    chip = started.game.chip_cents
    return {seat for seat, stack in left.items() if stack is not None and stack < chip}


def _in_full(post: Post, game: Game) -> Post:
    due = {PostKind.BIG_BLIND: game.blinds_cents[-1:]}
    if len(game.blinds_cents) > 1:
        due[PostKind.SMALL_BLIND] = game.blinds_cents[:1]
    plain_ante = post.kind is PostKind.ANTE and not post.dead_cents
    return msgspec.structs.replace(
        post,
        live_cents=max((post.live_cents, *due.get(post.kind, ()))),
        ante_cents=max(post.ante_cents, game.ante_cents) if plain_ante else post.ante_cents,
    )


def _up_to(posts: list[Post], short: set[int], name: str, level: int) -> list[Post]:
    """Return the posts with the last short one raised to the wager that was to be met, where none comes to it."""
    if not level or max((getattr(post, name) for post in posts), default=0) >= level:
        return posts
    antes = name == "ante_cents"
    for at in reversed(range(len(posts))):
        kind = posts[at].kind
        fits = kind is PostKind.ANTE if antes else kind not in {PostKind.ANTE, PostKind.COLLECTION}
        if posts[at].seat in short and fits:
            raised = msgspec.structs.replace(posts[at], **{name: level})
            return [*posts[:at], raised, *posts[at + 1 :]]
    return posts


def difference(read: HandSetup, wanted: HandSetup) -> dict[str, Any]:
    """Return by name what a setup read from a format's own fields lacks to be the one that was.

    Args:
        read: as read.
        wanted: as it was.
    """
    found: dict[str, Any] = {}
    for name in HandSetup.__struct_fields__:
        one, other = getattr(read, name), getattr(wanted, name)
        if one == other:
            continue
        plain = msgspec.to_builtins(other)
        if name in _PARTS:
            before = msgspec.to_builtins(one)
            plain = {key: value for key, value in plain.items() if before[key] != value}
        elif name == "posts":
            plain = [_without_defaults(post) for post in other]
        found[name] = plain
    return found


def _without_defaults(post: Post) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(post)
    return {name: value for name, value in plain.items() if value or name in {"seat", "kind"}}


def completed(read: HandSetup, extras: Mapping[str, Any], prefix: str) -> HandSetup:
    """Return a setup with what user fields say beyond the format's own fields.

    Args:
        read: from the format's own fields.
        extras: user fields by name.
        prefix: of their names, for a refusal.

    Raises:
        Refused: CR-4, one of them is malformed.
    """
    changes: dict[str, Any] = {}
    for name in HandSetup.__struct_fields__:
        if name not in extras:
            continue
        value, field = extras[name], f"{prefix}{name}"
        if name in _PARTS:
            if not isinstance(value, dict):
                raise malformed(field, value, "a table of fields")
            before = getattr(read, name)
            changes[name] = convert(
                {**msgspec.to_builtins(before), **value}, Game if name == "game" else Capture, field
            )
        elif name in {"seats", "posts"}:
            changes[name] = convert(value, _TUPLES[name], field)
        else:
            changes[name] = convert(value, str if name in {"hand", "room", "table"} else int, field)
    setup = msgspec.structs.replace(read, **changes)
    check_game(setup.game, f"{prefix}game")
    return setup


_TUPLES: Final[dict[str, Any]] = {
    "seats": tuple[SeatDealt, ...],
    "posts": tuple[Post, ...],
}


def check_game(game: Game, field: str) -> None:
    """Refuse a game whose figures no table can play by.

    Raises:
        Refused: CR-4.
    """
    asked = {
        "chip_cents": game.chip_cents >= 1,
        "small_bet_cents": game.small_bet_cents >= 1,
        "big_bet_cents": game.big_bet_cents >= 0,
        "blinds_cents": all(blind >= 0 for blind in game.blinds_cents),
        "ante_cents": game.ante_cents >= 0,
        "bring_in_cents": 0 <= game.bring_in_cents <= game.small_bet_cents,
        "seats": 2 <= game.seats <= max(VARIANTS[game.form].most_seats, 10),
    }
    for name, right in asked.items():
        if not right:
            raise malformed(
                f"{field}.{name}", getattr(game, name), "a figure that can be played by"
            )
