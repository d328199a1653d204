"""What the jackpot context records. Storage formats: never edited, only followed by a new topic."""

import msgspec

from cardroom.kernel.events import Event, EventTypes
from cardroom.known import EVENT_TYPES as KNOWN_EVENT_TYPES


class ShownHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that was live at the showdown and shown.

    Args:
        seat: the seat it was dealt to.
        cards: its own cards, two characters each, for example `AsAh`.
    """

    seat: int
    cards: str


class SeatPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Who sat where: seat number and player id (empty where the table does not know)."""

    seat: int
    player_id: str = ""


class HandFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a settled hand that a jackpot rests on, as the tables context published them.

    Args:
        hand_id: the hand's stream id in the tables context.
        table: its table.
        game_id: its game.
        form: what was dealt, a `known.games.Form` value.
        tournament: whether it was a tournament hand.
        dealt_in: the seats dealt in.
        seated: all seats occupied then, those dealt in among them.
        board: the board cards; empty for stud.
        shown: hands live at the showdown and shown.
        mucked_facing_action: seats that gave up their hand facing a wager.
        pot_cents: all pots together, uncalled bets returned, before any drop.
        drop_cents: what the hand paid into the jackpot.
        odd_cents: odd amounts that rules send to the jackpot.
        deck_fouled: whether the deck was found wrong; None where nobody counted it.
        book_digest: digest of the hand's pinned book.
    """

    hand_id: str
    table: str
    game_id: str
    form: str
    tournament: bool = False
    dealt_in: tuple[SeatPlayer, ...] = ()
    seated: tuple[SeatPlayer, ...] = ()
    board: str = ""
    shown: tuple[ShownHand, ...] = ()
    mucked_facing_action: tuple[int, ...] = ()
    pot_cents: int = 0
    drop_cents: int = 0
    odd_cents: int = 0
    deck_fouled: bool | None = None
    book_digest: str = ""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """One condition of a jackpot: whether it is met, why, and on which rules it rests.

    Args:
        name: the condition, for example `min_dealt_in`.
        met: whether it holds; None where a fact that decides is missing.
        rules: rule ids of the book in force.
        detail: one sentence with the values that decided.
    """

    name: str
    met: bool | None
    rules: tuple[str, ...]
    detail: str


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One payment of an award: to which seat and player, as what (`losing`, `winning`, `other`), how much."""

    seat: int
    player_id: str
    part: str
    cents: int


class PoolListed(Event, frozen=True, tag="jackpot.PoolListed.v1"):
    """A pool was added to the room's list, with the games that pay into it."""

    pool: str
    game_ids: tuple[str, ...]


class RecordMerged(Event, frozen=True, tag="jackpot.RecordMerged.v1"):
    """A record was merged into another of the same person, who gets the shares of both."""

    from_id: str
    into_id: str


class PoolOpened(Event, frozen=True, tag="jackpot.PoolOpened.v1"):
    """A pool opened with an amount that the house put in."""

    pool: str
    seed_cents: int


class ContributionAdded(Event, frozen=True, tag="jackpot.ContributionAdded.v1"):
    """A hand paid into the pool: its drop and the odd amounts that rules send there."""

    hand_id: str
    table: str
    drop_cents: int
    odd_cents: int
    rules: tuple[str, ...]


class PoolAdjusted(Event, frozen=True, tag="jackpot.PoolAdjusted.v1"):
    """The pool changed by hand, for a recorded cause."""

    change_cents: int
    reason: str


class PoolPaidOut(Event, frozen=True, tag="jackpot.PoolPaidOut.v1"):
    """An award left the pool; what it kept back is the next jackpot."""

    claim: str
    paid_cents: int
    next_cents: int


class PoolReversed(Event, frozen=True, tag="jackpot.PoolReversed.v1"):
    """A contribution was taken back because the hand it came from was ruled otherwise."""

    hand_id: str
    cents: int
    reason: str


class ClaimOpened(Event, frozen=True, tag="jackpot.ClaimOpened.v1"):
    """A hand is considered for the jackpot."""

    pool: str
    facts: HandFacts


class ClaimEvaluated(Event, frozen=True, tag="jackpot.ClaimEvaluated.v1"):
    """The book was applied to the facts: each condition, and whom it concerns."""

    conditions: tuple[Condition, ...]
    qualifies: bool
    losing_seats: tuple[int, ...]
    winning_seats: tuple[int, ...]


class FactsCorrected(Event, frozen=True, tag="jackpot.FactsCorrected.v1"):
    """The facts of a claim were put right; the earlier ones stay on record."""

    facts: HandFacts
    reason: str


class TalkReported(Event, frozen=True, tag="jackpot.TalkReported.v1"):
    """Somebody is said to have spoken of a possible jackpot during the hand; the remedy waits for the floor."""

    by_seat: int
    words: str
    proposes_void: bool
    rules: tuple[str, ...]


class TalkRuled(Event, frozen=True, tag="jackpot.TalkRuled.v1"):
    """The floor decided whether the talk voids the jackpot."""

    void: bool
    reason: str
    rules: tuple[str, ...]


class ClaimRefused(Event, frozen=True, tag="jackpot.ClaimRefused.v1"):
    """The claim ended without payment."""

    rules: tuple[str, ...]
    reason: str


class JackpotAwarded(Event, frozen=True, tag="jackpot.JackpotAwarded.v1"):
    """The jackpot was divided."""

    pool: str
    hand_id: str
    table: str
    jackpot_cents: int
    tier: str
    shares: tuple[Share, ...]
    next_cents: int
    rules: tuple[str, ...]


EVENTS = EventTypes(
    "jackpot",
    (
        *KNOWN_EVENT_TYPES,
        PoolListed,
        RecordMerged,
        PoolOpened,
        ContributionAdded,
        PoolAdjusted,
        PoolPaidOut,
        PoolReversed,
        ClaimOpened,
        ClaimEvaluated,
        FactsCorrected,
        TalkReported,
        TalkRuled,
        ClaimRefused,
        JackpotAwarded,
    ),
)
