"""What a player's words declare: an action, an amount, a call of time; or nothing that can be told."""

import re
from enum import StrEnum
from typing import Final

import msgspec


class Said(StrEnum):
    """What words declare."""

    FOLD = "fold"
    CHECK = "check"
    PASS = "pass"  # noqa: S105 - a word at the table
    """A check where there is nothing to call, a fold otherwise."""
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    AMOUNT = "amount"
    """A number and no more."""
    TIME = "time"
    NOTHING = "nothing"


class Declaration(msgspec.Struct, frozen=True):
    """What words declare.

    Args:
        said: what.
        cents: the amount named; None where none was.
        by: whether the amount is what is added to the wager faced, not what it goes to; None where that was not said.
    """

    said: Said
    cents: int | None = None
    by: bool | None = None


_VERBS: Final = {
    "fold": Said.FOLD,
    "folding": Said.FOLD,
    "check": Said.CHECK,
    "checks": Said.CHECK,
    "knock": Said.CHECK,
    "pass": Said.PASS,
    "call": Said.CALL,
    "calling": Said.CALL,
    "bet": Said.BET,
    "raise": Said.RAISE,
    "raising": Said.RAISE,
    "reraise": Said.RAISE,
    "time": Said.TIME,
    "wait": Said.TIME,
    "stop": Said.TIME,
}
_PHRASES: Final = (
    (("all", "in"), Said.ALL_IN),
    (("allin",), Said.ALL_IN),
    (("hold", "on"), Said.TIME),
    (("hold", "it"), Said.TIME),
    (("one", "moment"), Said.TIME),
    (("one", "second"), Said.TIME),
    (("a", "moment"), Said.TIME),
)
_TEENS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ONES: Final = {name: at for at, name in enumerate(re.split(" ", _TEENS))}
_TIES: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS: Final = {name: ten * 10 for ten, name in enumerate(re.split(" ", _TIES), start=2)}
_NOT: Final = frozenset({"not", "dont", "no", "never", "cant", "wont"})


def declared(words: str) -> Declaration:
    """Return what words declare; the first action named counts, so that `call and raise` is a call.

    Args:
        words: as heard, in any case; amounts in dollars, in figures or in words.
    """
    heard = re.findall(r"[a-z]+|\d+(?:\.\d+)?", words.lower().replace(",", "").replace("'", ""))
    for at, word in enumerate(heard):
        if word in _NOT:
            return Declaration(Said.NOTHING)
        said = _VERBS.get(word) or _phrase(heard, at)
        if said is not None:
            rest = heard[at + 1 :]
            cents = _amount(rest) if said in {Said.BET, Said.RAISE} else None
            by = None
            if cents is not None and ("to" in rest or "by" in rest):
                by = "by" in rest
            return Declaration(said, cents, by)
    cents = _amount(heard)
    return Declaration(Said.NOTHING) if cents is None else Declaration(Said.AMOUNT, cents)


def _phrase(heard: list[str], at: int) -> Said | None:
    for phrase, said in _PHRASES:
        if tuple(heard[at : at + len(phrase)]) == phrase:
            return said
    return None


def _amount(heard: list[str]) -> int | None:
    """Return the first amount in words or figures, in cents; None where there is none."""
    total, group, found = 0, 0, False
    for word in heard:
        if re.fullmatch(r"\d+(?:\.\d+)?", word):
            if found:
                break
            dollars, _, part = word.partition(".")
            return int(dollars) * 100 + int((part + "00")[:2])
        if word in _ONES or word in _TENS:
            group += _ONES.get(word, _TENS.get(word, 0))
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in {"thousand", "k"}:
            total, group = total + (group or 1) * 1000, 0
        elif found and word == "and":
            continue
        elif found:
            break
        else:
            continue
        found = True
    return (total + group) * 100 if found else None
