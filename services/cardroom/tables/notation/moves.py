"""What a hand history says was done, in the words that PHH and OHH share: the step between a text and commands."""

from enum import StrEnum

import msgspec


class What(StrEnum):
    """What a player did in turn, as far as a record tells."""

    FOLD = "fold"
    CHECK_OR_CALL = "check_or_call"
    """Whichever was open."""
    CHECK = "check"
    CALL = "call"
    WAGER = "wager"
    """A bet, raise or completion, whichever was open."""
    BET = "bet"
    RAISE = "raise"
    BRING_IN = "bring_in"


class Dealt(msgspec.Struct, frozen=True):
    """Cards dealt to one seat, face down ones before face up ones, `??` for one not known."""

    seat: int
    cards: tuple[str, ...]


class Board(msgspec.Struct, frozen=True):
    """Community cards.

    Args:
        cards: those dealt now.
        run: which board, from 0.
        times: how many boards the record has on this street.
        street: index in the form's streets, where the hand is known; a record names it otherwise.
    """

    cards: tuple[str, ...]
    run: int = 0
    times: int = 1
    street: int = 0


class Acted(msgspec.Struct, frozen=True):
    """An action in turn.

    Args:
        seat: who.
        what: what it was.
        to_cents: in front for the round then, where the record says so.
        added_cents: put in now, where the record says that instead.
        all_in: whether that was every chip.
    """

    seat: int
    what: What
    to_cents: int | None = None
    added_cents: int | None = None
    all_in: bool = False


class Shown(msgspec.Struct, frozen=True):
    """Cards turned face up; none named where the record gave them before.

    Args:
        seat: whose.
        cards: which.
        of_free_will: whether the record lets a folded player show, and a hand be shown twice: cards become known then,
            no more.
    """

    seat: int
    cards: tuple[str, ...]
    of_free_will: bool = False


class Mucked(msgspec.Struct, frozen=True):
    """A hand thrown away at the showdown."""

    seat: int


class Discarded(msgspec.Struct, frozen=True):
    """Cards put away for others, or for good; none for a player who stands pat."""

    seat: int
    cards: tuple[str, ...]


class Silent(msgspec.Struct, frozen=True):
    """Nothing was done; the record has a remark there."""


Move = Dealt | Board | Acted | Shown | Mucked | Discarded | Silent
