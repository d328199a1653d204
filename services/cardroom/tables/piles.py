"""The physical deck as piles: what would have come, and what comes instead when something went wrong."""

from typing import Final

import msgspec

from cardroom.poker.variants import VARIANTS
from cardroom.tables.hand import Hand

DECK_CARDS: Final = 52


class BurnCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """How one board card's wrong burn is put right, as far as the stub is known.

    Args:
        stub: cards from the top as they lay before the mistake.
        burned: how many were burned for it.
    """

    stub: tuple[str, ...]
    burned: int

    def _at(self, place: int, otherwise: str) -> str:
        return self.stub[place] if place < len(self.stub) else otherwise

    @property
    def burn(self) -> str:
        """The card that should have been burned."""
        return self._at(0, "the first card")

    @property
    def card(self) -> str:
        """The card that should have come."""
        return self._at(1, "the card after it")

    @property
    def turned(self) -> str:
        """The card that was turned by mistake."""
        return self._at(self.burned, "the card turned")

    @property
    def next_burns(self) -> tuple[str, ...]:
        """Burns before the next board card where the turned card stands: all that the right order would have used."""
        used = self.stub[:3] or ()
        already = self.stub[: self.burned][:1] if self.burned else ()
        return tuple(card for card in used if card != self.turned and card not in already)

    @property
    def following(self) -> str:
        """The next board card, the same as without the mistake."""
        return self._at(3, "the card that would have come")

    def words(self) -> str:
        """Say the correction."""
        return f"burn {self.burn}, the card is {self.card}"

    def following_words(self) -> str:
        """Say what comes after the correction."""
        return f"the next burn is {self._at(2, 'the card after that')}, then {self.following}"

    def later_words(self) -> str:
        """Say what comes where the card stands."""
        burns = " and ".join(self.next_burns) or "what the right order would have used"
        return f"for the next card burn {burns}, then deal {self.following}"


def after_burn_error(stub: tuple[str, ...], burned: int) -> BurnCorrection:
    """Return how a wrong burn before a single board card is put right.

    Args:
        stub: cards from the top as they lay before the mistake; may be empty or short.
        burned: how many were burned, 0 or more than 1.
    """
    return BurnCorrection(stub=stub, burned=burned)


def last_stud_round(players: int, stub: int, burns: int) -> tuple[tuple[str, ...], bool]:
    """Return how the last stud card is dealt when the deck runs short, and whether it is one card for all.

    Args:
        players: players still in.
        stub: cards in the stub.
        burns: burn cards.
    """
    if stub > players:
        return (("burn one and deal a card to each player",), False)
    if stub == players:
        return (("deal a card to each player without a burn",), False)
    mixed = 1 + burns
    served = max(0, stub - 1)
    rest = players - served
    if stub >= 1 and mixed - 1 >= rest:
        return (
            (
                f"deal {served} cards to the first {served} players",
                f"mix the last card with the {burns} burns ({mixed} cards), cut and burn one",
                f"deal {rest} of the remaining {mixed - 1} to the last {rest} players",
            ),
            False,
        )
    if stub >= 1 and mixed == rest:
        return (
            (
                f"deal {served} cards to the first {served} players",
                f"mix the last card with the {burns} burns ({mixed} cards) and cut",
                f"deal them to the last {rest} players without a burn",
            ),
            False,
        )
    if stub >= 3:
        return (("burn one and deal one community card face up for all",), True)
    total = stub + burns
    return (
        (
            f"shuffle the stub with the burns ({total} cards), cut and burn one",
            "deal one community card face up for all",
        ),
        True,
    )


def stub_cards(hand: Hand) -> int | None:
    """Return how many cards of the deck are not dealt: neither players' cards, nor board, nor burns.

    One card is burned before each street of the board, whether or not it was read. None where the number dealt does not
    follow from the street alone: games without a board, and boards dealt more than once.
    """
    variant = VARIANTS[hand.game.form]
    with_board = any(street.board for street in variant.streets)
    if not hand.hand or not with_board or len(hand.boards) > 1:
        return None
    dealt = sum(sum(variant.dealt(hand.street)) for chair in hand.chairs if chair.seat)
    board = sum(street.board for street in variant.streets[: hand.street + 1])
    return DECK_CARDS - dealt - board - hand.street
