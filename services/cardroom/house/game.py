"""A game that a room offers: its terms, what it sets otherwise than the book, its hours."""

from typing import Final, assert_never

import msgspec

from cardroom.house.events import GameBookChanged, GameChanged, GameOffered, GameWithdrawn
from cardroom.house.room import MINUTES_OF_DAY, check_name
from cardroom.house.values import Hours
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.model import Overlay

NO_OVERLAY: Final = Overlay(scope="game")
STUD_FORMS: Final = frozenset({Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ})
SEATS_MOST: Final = 10
STUD_SEATS_MOST: Final = 8
BLINDS_MOST: Final = 3


class GameState(msgspec.Struct, frozen=True):
    """A game as the house knows it.

    Args:
        game: its facts; None before it is offered.
        overlay: what it sets otherwise than the room's book.
        hours: when it is meant to run.
    """

    game: Game | None = None
    overlay: Overlay = NO_OVERLAY
    hours: tuple[Hours, ...] = ()


def game_stream(room: str, game_id: str) -> StreamId:
    """Return the stream of a game."""
    return stream_id("game", room, game_id)


def evolve(
    state: GameState, event: GameOffered | GameChanged | GameBookChanged | GameWithdrawn
) -> GameState:
    """Fold a game's events."""
    match event:
        case GameOffered() | GameChanged():
            return GameState(event.game, event.overlay, event.hours)
        case GameBookChanged() | GameWithdrawn():
            return GameState(event.game, state.overlay, state.hours)
        case _:
            assert_never(event)


GAME: Final = Aggregate(kind="game", initial=GameState(), evolve=evolve)


def offered(state: GameState, game_id: str) -> Game:
    """Return the facts of a game that was offered, also where it was withdrawn since.

    Raises:
        Unknown: CR-2, there is no such game.
    """
    if state.game is None:
        raise Unknown("game", game_id, "game_id")
    return state.game


def check_game(game: Game) -> Game:
    """Return a game whose terms fit together.

    Raises:
        Refused: CR-4; it names the field, its value and what is allowed.
    """
    check_name(game.name, "game.name")
    amounts = {
        "small_bet_cents": 1,
        "big_bet_cents": 0,
        "ante_cents": 0,
        "bring_in_cents": 0,
        "chip_cents": 1,
        "button_collection_cents": 0,
        "time_collection_cents": 0,
        "rake_cents": 0,
        "jackpot_drop_cents": 0,
    }
    for name, least in amounts.items():
        check_cents(getattr(game, name), f"game.{name}", least=least)
    for cents in game.blinds_cents:
        check_cents(cents, "game.blinds_cents", least=1)
    _check_seats(game)
    _check_bets(game)
    _check_forced_bets(game)
    return game


def check_hours(hours: tuple[Hours, ...]) -> tuple[Hours, ...]:
    """Return hours that are in order.

    Raises:
        Refused: CR-4, a weekday or minute is out of range, or a game closes before it opens.
    """
    for one in hours:
        if not 0 <= one.weekday <= 6:
            raise _wrong("hours.weekday", one.weekday, "0 for Monday to 6 for Sunday")
        if not 0 <= one.opens_minutes < MINUTES_OF_DAY:
            raise _wrong(
                "hours.opens_minutes",
                one.opens_minutes,
                f"0 to {MINUTES_OF_DAY - 1} after midnight",
            )
        if not one.opens_minutes < one.closes_minutes <= 2 * MINUTES_OF_DAY:
            raise _wrong(
                "hours.closes_minutes",
                one.closes_minutes,
                f"after opens_minutes ({one.opens_minutes}), at most {2 * MINUTES_OF_DAY}",
            )
    return hours


def _wrong(field: str, value: object, allowed: str) -> Refused:
    return Refused("GAME_MALFORMED", "CR-4", f"{field} is {value}: {allowed}", field=field)


def _check_seats(game: Game) -> None:
    most = STUD_SEATS_MOST if game.form in STUD_FORMS else SEATS_MOST
    if not 2 <= game.seats <= most:
        raise _wrong("game.seats", game.seats, f"2 to {most} for {game.form.value}")


def _check_bets(game: Game) -> None:
    if game.structure in {Structure.LIMIT, Structure.SPREAD_LIMIT}:
        if game.big_bet_cents < game.small_bet_cents:
            raise _wrong(
                "game.big_bet_cents",
                game.big_bet_cents,
                f"at least small_bet_cents ({game.small_bet_cents}) in {game.structure.value}",
            )
    elif game.big_bet_cents:
        raise _wrong("game.big_bet_cents", game.big_bet_cents, f"0 in {game.structure.value}")
    for field in ("small_bet_cents", "big_bet_cents"):
        if getattr(game, field) % game.chip_cents:
            raise _wrong(
                f"game.{field}",
                getattr(game, field),
                f"a multiple of chip_cents ({game.chip_cents}), the smallest chip that plays",
            )


def _check_forced_bets(game: Game) -> None:
    if game.form in STUD_FORMS:
        if game.blinds_cents:
            raise _wrong("game.blinds_cents", game.blinds_cents, f"none in {game.form.value}")
        if game.bring_in_cents > game.small_bet_cents:
            raise _wrong(
                "game.bring_in_cents",
                game.bring_in_cents,
                f"at most small_bet_cents ({game.small_bet_cents})",
            )
        if not game.bring_in_cents:
            raise _wrong("game.bring_in_cents", 0, f"an amount in {game.form.value}")
        return
    if game.bring_in_cents:
        raise _wrong("game.bring_in_cents", game.bring_in_cents, f"0 in {game.form.value}")
    if len(game.blinds_cents) > BLINDS_MOST:
        raise _wrong("game.blinds_cents", game.blinds_cents, f"at most {BLINDS_MOST} blinds")
    if not game.blinds_cents and not game.ante_cents:
        raise _wrong("game.blinds_cents", "()", "a blind, or an ante in ante_cents")
    if list(game.blinds_cents) != sorted(game.blinds_cents):
        raise _wrong("game.blinds_cents", game.blinds_cents, "from the smallest to the largest")
