"""A seat as the table knows it: who sits there, the chips before him, and what stands between him and a hand."""

from enum import StrEnum

import msgspec


class Arrival(StrEnum):
    """How a player came to his seat; it decides on what terms he gets his first hand."""

    NEW = "new"
    DREW = "drew"
    MUST_MOVE = "must_move"
    FORCED = "forced"
    LOCKED = "locked"
    PLAY_OVER = "play_over"
    SEAT_CHANGE = "seat_change"
    DEALT_OFF = "dealt_off"
    NO_POST = "no_post"
    OWES = "owes"


class WayIn(StrEnum):
    """How a player who is not simply dealt in wants to come in."""

    UNSAID = "unsaid"
    DEAL_IN = "deal_in"
    WAIT_FOR_BIG_BLIND = "wait_for_big_blind"
    WAIT_FOR_BUTTON = "wait_for_button"
    POST = "post"
    BUY_BUTTON = "buy_button"
    STRADDLE = "straddle"


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One occupied seat.

    Args:
        seat: its number, from 1 clockwise from the dealer.
        player: id of the player.
        stack_cents: chips in front of him; None where nobody counted them.
        behind_cents: how much of the stack is bought and still on its way, but plays.
        arriving_cents: chips on their way that do not play before they are here.
        pending_cents: chips that came during a hand and play from the next.
        present: whether he is in his chair; an absent player gets no hand.
        excluded: whether he may not be dealt in for a time.
        arrival: how he came to the seat.
        played: whether he has had a hand since he came.
        broke: whether he lost all his chips and has had no hand since.
        missed_big: whether the big blind passed him.
        missed_small: whether the small blind passed him.
        missed_button: whether the button passed him.
        passes_big: how often since his last hand.
        passes_small: how often since his last hand.
        passes_button: how often since his last hand.
        wait_hands: hands that a seat-changer has yet to wait.
        must_post: whether the floor took away his free entry.
        collection_taken: whether the missed collection was taken from his stack.
        passed_over: whether the button passed him for want of the collection, so that the next hand is his.
        way_in: how he wants to come in on the next hand.
        straddle_cents: a straddle he has put up for the next hand.
        safe_cents: chips taken along for safety, to be put back before the next hand.
        short_buy_ins: short purchases since his last full one, or since he came, as the book counts.
        brought_cents: all that he brought or bought here; None where some of it is not known.
    """

    seat: int
    player: str
    stack_cents: int | None
    behind_cents: int = 0
    arriving_cents: int = 0
    pending_cents: int = 0
    present: bool = True
    excluded: bool = False
    arrival: Arrival = Arrival.NEW
    played: bool = False
    broke: bool = False
    missed_big: bool = False
    missed_small: bool = False
    missed_button: bool = False
    passes_big: int = 0
    passes_small: int = 0
    passes_button: int = 0
    wait_hands: int = 0
    must_post: bool = False
    collection_taken: bool = False
    passed_over: bool = False
    way_in: WayIn = WayIn.UNSAID
    straddle_cents: int = 0
    safe_cents: int = 0
    short_buy_ins: int = 0
    brought_cents: int | None = None

    @property
    def has_chips(self) -> bool:
        """Whether he can be given a hand: chips that play, or a stack that nobody counted."""
        return self.stack_cents is None or self.stack_cents > 0

    @property
    def missed(self) -> bool:
        """Whether a missed-blind button stands before him."""
        return self.missed_big or self.missed_small
