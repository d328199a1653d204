"""Where a player stood when something was seen: what a call met, what a raise went to, what happened since."""

from typing import Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import Closed, call_level, in_front, playable, why_no_raise
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.legal import WAGERS, Option, options_in_turn
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand import Hand, at_version, history_of
from cardroom.tables.hand_events import ActionTaken, Known, Phase
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.observed import Act, Did, Motion, Observed
from cardroom.tables.observations.words import Declaration, Said, declared


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A player's motions, sorted by what they can mean.

    Args:
        said: what was declared before any chip was let go.
        said_later: what was declared once chips had been let go.
        time: whether time was called.
        mouthed: whether there were words that nobody could make out.
        tapped: whether the table was tapped before any chip was let go.
        threw: whether the cards were thrown away.
        released: chips let go, motion by motion.
        held_out: chips moved forward and not let go.
        hesitated: whether the player cut chips out and stopped before speaking.
        pulled_in_cents: chips in front that were taken back.
    """

    said: Declaration | None = None
    said_later: Declaration | None = None
    time: bool = False
    mouthed: bool = False
    tapped: bool = False
    threw: bool = False
    released: tuple[Motion, ...] = ()
    held_out: Motion | None = None
    hesitated: bool = False
    pulled_in_cents: int = 0


def seen(motions: tuple[Motion, ...]) -> Seen:
    """Return a player's motions, sorted by what they can mean.

    Args:
        motions: in the order in which they were made.
    """
    said: Declaration | None = None
    later: Declaration | None = None
    released: list[Motion] = []
    held_out: Motion | None = None
    time = hesitated = tapped = False
    pulled = 0
    cut = paused = False
    for motion in motions:
        match motion.did:
            case Did.SAY:
                heard = declared(motion.words)
                time = time or heard.said is Said.TIME
                if heard.said in {Said.TIME, Said.NOTHING}:
                    continue
                if released or tapped:
                    later = later or heard
                elif said is None:
                    said, hesitated = heard, held_out is not None and cut and paused
            case Did.RELEASE:
                released.append(motion)
            case Did.HOLD_OUT:
                held_out = held_out or motion
            case Did.TAP:
                tapped = tapped or (said is None and not released)
            case Did.CUT:
                cut = True
            case Did.PAUSE:
                paused = True
            case Did.PULL_IN:
                pulled += motion.amount_cents or 0
            case _:
                pass
    return Seen(
        said=said,
        said_later=later,
        time=time,
        mouthed=any(motion.did is Did.MOUTH for motion in motions),
        tapped=tapped,
        threw=any(motion.did is Did.THROW_CARDS for motion in motions),
        released=tuple(released),
        held_out=held_out,
        hesitated=hesitated,
        pulled_in_cents=pulled,
    )


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player stood when something was seen, and what is known to have happened since.

    Args:
        observed: what was seen.
        seen: the player's motions, sorted.
        book: the book in force.
        game: rules of the hand.
        hand: the hand as recorded now.
        before: the hand as recorded when it began.
        since: actions recorded since.
        recorded: whether the hand's actions are recorded.
        front_cents: what the player had in front.
        level_cents: what a call has to meet.
        most_cents: what the player has in front once all is in; None where the stack is not known.
        passing: `check`, `call` or `bring_in`.
        call_cents: in front after it.
        wagers: bets, raises or completions open to the player, were it the player's turn.
        closed: why there are none.
    """

    observed: Observed
    seen: Seen
    book: ResolvedBook
    game: HandRules
    hand: Hand
    before: Hand
    since: tuple[ActionTaken, ...]
    recorded: bool
    front_cents: int
    level_cents: int
    most_cents: int | None
    passing: str
    call_cents: int
    wagers: tuple[Option, ...]
    closed: Closed | None

    @property
    def seat(self) -> int:
        """The seat that was seen."""
        return self.observed.seat

    @property
    def facing(self) -> bool:
        """Whether the player faced a wager."""
        return self.level_cents > self.front_cents

    @property
    def fixed(self) -> bool:
        """Whether amounts are fixed (limit)."""
        return self.game.betting.fixed

    @property
    def wager(self) -> str:
        """The name of a wager here: `bet`, `raise` or `complete`."""
        if self.wagers:
            return self.wagers[0].act.value
        return "raise" if self.level_cents else "bet"

    @property
    def least_cents(self) -> int | None:
        """What the least full wager goes to; None where none is open or nobody told."""
        if self.recorded:
            return min((option.least_cents for option in self.wagers), default=None)
        return self.observed.raise_to_cents

    @property
    def in_turn(self) -> bool:
        """Whether it was the player's turn; asks where what was told and the hand's record differ."""
        told = self.observed.in_turn
        if self.recorded:
            recorded = self.before.to_act == self.seat
            if told is not None and told != recorded:
                raise Needed(
                    ("after", "in_turn"),
                    f"whether seat {self.seat} acted in turn: by the hand's record seat {self.before.to_act} "
                    "was to act at that point",
                    self.book.cite("betting.order", "betting.out_of_turn_binding"),
                )
            return recorded
        if told is None:
            raise Needed(
                ("in_turn",),
                f"whether seat {self.seat} acted in turn",
                self.book.cite("betting.order", "betting.out_of_turn_binding"),
            )
        return told

    @property
    def own(self) -> ActionTaken | None:
        """What the hand's record made of it already; None where it holds nothing of it."""
        return self.since[0] if self.since and self.since[0].seat == self.seat else None

    @property
    def behind(self) -> tuple[Act, ...]:
        """What others did after it, recorded or told."""
        own = self.own
        recorded = self.since[1:] if own else self.since
        noted = tuple(
            Act(
                seat=one.seat,
                act=one.act.value,
                to_cents=one.to_cents if one.act in WAGERS else None,
            )
            for one in recorded
            if one.seat != self.seat
        )
        return noted + self.observed.behind

    @property
    def unrecorded(self) -> tuple[Act, ...]:
        """What others did after it and the hand's record does not hold."""
        return self.observed.behind

    @property
    def round_over(self) -> bool:
        """Whether the betting round in which it happened is over."""
        return self.recorded and (
            self.hand.street != self.before.street or self.hand.phase is not Phase.BETTING
        )

    @property
    def raised(self) -> bool | None:
        """Whether the pot was raised in this round; None where nobody told."""
        betting = self.before.betting
        if not self.recorded or betting is None:
            return self.observed.raises
        return betting.wagers > 1 or betting.level_cents > betting.full_cents > 0

    def live(self, seat: int) -> bool:
        """Whether a seat had a live hand when it happened."""
        chair = chair_at(self.before.chairs, seat)
        return chair is not None and chair.live

    def cite(self, key: str, *more: str) -> tuple[str, ...]:
        """Return the rules behind decisions or constants in the book."""
        return self.book.cite(key, *more)


UNRECORDED: Final = (
    "in_front_cents",
    "facing_cents",
)
"""What has to be told where the hand's actions are not recorded."""


def spot_of(observed: Observed, hand: Hand, game: HandRules) -> Spot | None:
    """Return where a player stood when something was seen; None where nobody could act then.

    Args:
        observed: what was seen.
        hand: the hand as recorded now.
        game: rules of the hand.

    Raises:
        Refused: CR-2, a seat was not dealt in, or the version is none of the hand's; CR-4, a seat is named twice.
        Needed: the hand's actions are not recorded, and what a call has to meet was not told.
    """
    recorded = bool(hand.chairs) and hand.capture.actions is Known.ALL
    if not recorded:
        return _told(observed, hand, game)
    before = _before(observed, hand)
    _check_dealt_in(observed.seat, hand, "seat")
    for one in observed.behind:
        _check_dealt_in(one.seat, hand, "behind")
        if one.seat == observed.seat:
            raise Refused(
                "SEAT_TWICE",
                "CR-4",
                f"behind names seat {one.seat}, which is the seat that was seen",
                field="facts.behind",
            )
    chair = chair_at(before.chairs, observed.seat)
    betting = before.betting
    if before.phase is not Phase.BETTING or betting is None or chair is None:
        return None
    options, closed = _open_to(chair, before, game)
    passing = next(
        (one for one in options if one.act not in WAGERS and one.act.value != "fold"), None
    )
    left = playable(chair, game.betting)
    front = in_front(chair, betting)
    return Spot(
        observed=observed,
        seen=seen(observed.motions),
        book=game.book,
        game=game,
        hand=hand,
        before=before,
        since=_since(hand, before),
        recorded=True,
        front_cents=front,
        level_cents=call_level(chair, before.chairs, betting),
        most_cents=None if left is None else front + left,
        passing=passing.act.value if passing else "check",
        call_cents=passing.least_cents if passing else front,
        wagers=tuple(one for one in options if one.act in WAGERS),
        closed=closed,
    )


def _check_dealt_in(seat: int, hand: Hand, field: str) -> None:
    if chair_at(hand.chairs, seat) is None:
        raise Refused(
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            f"seat {seat} was not dealt into hand {hand.hand}",
            options=[f"seat {one.seat}" for one in hand.chairs],
            field=f"facts.{field}",
        )


def _open_to(chair: Chair, hand: Hand, game: HandRules) -> tuple[tuple[Option, ...], Closed | None]:
    betting = hand.betting
    if betting is None or not chair.can_bet:
        return (), None
    options = options_in_turn(
        chair,
        hand.chairs,
        betting,
        game.betting,
        pot_cents=hand.pot_cents,
        bring_in_cents=hand.game.bring_in_cents,
    )
    if any(option.act in WAGERS for option in options):
        return options, None
    return options, why_no_raise(chair, hand.chairs, betting, game.betting)


def _before(observed: Observed, hand: Hand) -> Hand:
    if not observed.after or observed.after == hand.version:
        return hand
    versions = [version for version, _ in history_of(hand)]
    if observed.after not in versions:
        raise Refused(
            "VERSION_UNKNOWN",
            "CR-2",
            f"after is {observed.after}: no event of hand {hand.hand} that counts",
            options=[str(version) for version in versions],
            field="facts.after",
        )
    return at_version(hand, observed.after)


def _since(hand: Hand, before: Hand) -> tuple[ActionTaken, ...]:
    return tuple(
        event
        for version, event in history_of(hand)
        if version > before.version and isinstance(event, ActionTaken)
    )


def _told(observed: Observed, hand: Hand, game: HandRules) -> Spot:
    """Return the spot from what was told, where the hand's actions are not recorded."""
    missing = tuple(name for name in UNRECORDED if getattr(observed, name) is None)
    if missing:
        raise Needed(
            missing,
            "what a call has to meet, the hand's actions not being recorded",
            game.book.cite("betting.order", "betting.released_chips_bind"),
        )
    front = observed.in_front_cents or 0
    level = observed.facing_cents or 0
    return Spot(
        observed=observed,
        seen=seen(observed.motions),
        book=game.book,
        game=game,
        hand=hand,
        before=hand,
        since=(),
        recorded=False,
        front_cents=front,
        level_cents=level,
        most_cents=None,
        passing="call" if level > front else "check",
        call_cents=max(level, front),
        wagers=(),
        closed=None,
    )
