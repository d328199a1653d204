"""What somebody saw and heard a player do: bare facts, in the order in which they happened."""

from enum import StrEnum
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.tables.findings import Fact


class Did(StrEnum):
    """A motion of a player."""

    SAY = "say"
    """Says something that can be heard."""
    MOUTH = "mouth"
    """Moves the lips, or mumbles: nobody can say what."""
    TAP = "tap"
    """Taps, knocks or waves for a check."""
    RELEASE = "release"
    """Lets chips go forward, in one motion."""
    HOLD_OUT = "hold_out"
    """Moves chips forward without letting go."""
    DRAW_BACK = "draw_back"
    """Draws back what was held out."""
    PULL_IN = "pull_in"
    """Takes back chips that lay in front, a blind perhaps."""
    CUT = "cut"
    """Cuts out chips of what was moved forward."""
    PAUSE = "pause"
    """Stops and looks round."""
    THROW_CARDS = "throw_cards"
    """Throws the cards away, or pushes them forward."""


class Chips(msgspec.Struct, frozen=True):
    """Chips of one denomination.

    Args:
        denomination_cents: what one is worth.
        count: how many.
    """

    denomination_cents: int
    count: int


class Motion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One motion.

    Args:
        did: what.
        words: what was said.
        chips: the chips moved, as far as they were told apart.
        cents: the amount where the chips were not told apart; None where nobody counted.
    """

    did: Did
    words: str = ""
    chips: tuple[Chips, ...] = ()
    cents: int | None = None

    @property
    def amount_cents(self) -> int | None:
        """What the chips come to; None where nobody counted them."""
        if self.chips:
            return sum(one.denomination_cents * one.count for one in self.chips)
        return self.cents

    @property
    def count(self) -> int | None:
        """How many chips; None where they were not told apart."""
        return sum(one.count for one in self.chips) if self.chips else None


class Act(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What another player did meanwhile, as the dealer understood it.

    Args:
        seat: who.
        act: `fold`, `check`, `call`, `bet`, `raise` or `all_in`.
        to_cents: in front for the round then, for a bet or raise; None otherwise.
    """

    seat: int
    act: str
    to_cents: int | None = None


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody saw a player do; a fact that was not told is None or empty.

    Args:
        seat: who.
        motions: what the player did, in order.
        after: version of the hand's last event when it began; 0 for the hand as it stands.
        in_turn: whether it was the player's turn; the hand's record tells, and where the two differ it is asked.
        heard: whether words would have been heard; False where only pictures exist.
        aware: whether the player knew of a raise.
        deliberate: whether it was done on purpose.
        behind: what others did after it, as far as the hand's record does not hold it.
        caused: whether others acted because of it.
        called_by: who calls it a string raise: `seat:2`, `dealer`, `floor`; empty where nobody does.
        asks: what the player now asks: `take_back`, `withdraw`, `act`; empty for nothing.
        opponent_wants: what the other player of a heads-up round wants of an act out of turn: `stand` or `take_back`.
        time_after: how many had acted behind when the player called time; None where nobody called it.
        in_muck: whether thrown cards went into the muck.
        cards: cards that were seen.
        in_front_cents: what the player had in front, where the hand's record does not tell; so for the next three.
        facing_cents: what a call has to meet.
        raise_to_cents: the least that a bet or raise goes to.
        raises: whether the pot was raised in this round.
    """

    seat: int
    motions: tuple[Motion, ...] = ()
    after: int = 0
    in_turn: bool | None = None
    heard: bool = True
    aware: bool | None = None
    deliberate: bool | None = None
    behind: tuple[Act, ...] = ()
    caused: bool | None = None
    called_by: str = ""
    asks: str = ""
    opponent_wants: str = ""
    time_after: int | None = None
    in_muck: bool | None = None
    cards: tuple[str, ...] = ()
    in_front_cents: int | None = None
    facing_cents: int | None = None
    raise_to_cents: int | None = None
    raises: bool | None = None


ASKS: Final = frozenset({"", "take_back", "withdraw", "act"})
WANTS: Final = frozenset({"", "stand", "take_back"})
ACTS: Final = frozenset({"fold", "check", "call", "bet", "raise", "all_in"})
_NUMBERS: Final = frozenset(
    {"seat", "after", "time_after", "in_front_cents", "facing_cents", "raise_to_cents"}
)
_FLAGS: Final = frozenset(
    {"in_turn", "heard", "aware", "deliberate", "caused", "in_muck", "raises"}
)
_WORDS: Final = frozenset({"called_by", "asks", "opponent_wants"})
_LISTS: Final[dict[str, Any]] = {
    "motions": tuple[Motion, ...],
    "behind": tuple[Act, ...],
    "cards": tuple[str, ...],
}
_DEFAULTS: Final = Observed(seat=0)
_YES_NO: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def facts_of(observed: Observed) -> tuple[Fact, ...]:
    """Return what was seen as facts in text, those not told left out; `told` reads them back.

    Args:
        observed: what was seen.
    """
    found = []
    for name in Observed.__struct_fields__:
        value = getattr(observed, name)
        if value == getattr(_DEFAULTS, name):
            continue
        if name in _LISTS:
            text = msgspec.json.encode(value).decode()
        elif isinstance(value, bool):
            text = "yes" if value else "no"
        else:
            text = str(value)
        found.append(Fact(name, text))
    return tuple(found)


def told(facts: dict[str, str]) -> Observed:
    """Return what was seen from facts in text.

    Args:
        facts: name -> value.

    Raises:
        Refused: CR-4, a fact of this name is not asked for, or its value cannot be read; the field is named.
    """
    values: dict[str, Any] = {}
    for name, text in facts.items():
        values[name] = _read(name, text)
    if "seat" not in values:
        raise _malformed("seat", "", "the seat that acted")
    return checked(Observed(**values))


def _read(name: str, text: str) -> Any:
    if name in _LISTS:
        try:
            return msgspec.json.decode(text, type=_LISTS[name])
        except msgspec.MsgspecError as wrong:
            raise _malformed(name, text, f"a list in JSON: {wrong}") from wrong
    if name in _FLAGS:
        if text.lower() not in _YES_NO:
            raise _malformed(name, text, "yes or no")
        return _YES_NO[text.lower()]
    if name in _NUMBERS:
        if not text.isdigit():
            raise _malformed(name, text, "a whole number, not negative")
        return int(text)
    if name in _WORDS:
        return text
    raise _malformed(name, text, "one of " + ", ".join(Observed.__struct_fields__))


def checked(observed: Observed) -> Observed:
    """Return what was seen if its values are possible.

    Args:
        observed: what was seen.

    Raises:
        Refused: CR-4, a value is not; the field is named.
    """
    if observed.asks not in ASKS:
        raise _malformed("asks", observed.asks, "take_back, withdraw or act")
    if observed.opponent_wants not in WANTS:
        raise _malformed("opponent_wants", observed.opponent_wants, "stand or take_back")
    for at, act in enumerate(observed.behind):
        if act.act not in ACTS:
            raise _malformed(f"behind[{at}].act", act.act, ", ".join(sorted(ACTS)))
        if act.act in {"bet", "raise"} and act.to_cents is None:
            raise _malformed(f"behind[{at}].to_cents", "", f"what the {act.act} goes to")
    for at, motion in enumerate(observed.motions):
        if any(one.denomination_cents <= 0 or one.count <= 0 for one in motion.chips):
            raise _malformed(f"motions[{at}].chips", str(motion.chips), "chips and counts above 0")
        if (motion.cents or 0) < 0:
            raise _malformed(f"motions[{at}].cents", str(motion.cents), "not negative")
    caller = observed.called_by.partition(":")
    if observed.called_by and (
        caller[0] not in {"dealer", "floor", "seat"} or (caller[0] == "seat") != caller[2].isdigit()
    ):
        raise _malformed("called_by", observed.called_by, "dealer, floor or seat:<number>")
    return observed


def _malformed(name: str, value: str, expected: str) -> Refused:
    return Refused(
        "FACT_MALFORMED", "CR-4", f"fact {name} is {value!r}: {expected}", field=f"facts.{name}"
    )
