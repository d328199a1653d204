"""The names that PHH and OHH have for games, and ours for those they have none for.

A name of ours begins with an underscore, as the fields do that PHH leaves to its users: no tool takes such a game for
another, and no name that either standard may add later can mean something else here.
"""

from typing import Final

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Structure
from cardroom.tables.hand_rules import HandRules

STANDARD_CODES: Final = frozenset({"FT", "NT", "PO", "FO/8", "F7S", "F7S/8", "FR"})
"""PHH's codes for games that are played here."""
_LETTERS: Final = {
    Structure.LIMIT: "F",
    Structure.SPREAD_LIMIT: "S",
    Structure.POT_LIMIT: "P",
    Structure.NO_LIMIT: "N",
}
_GAMES: Final = {
    Form.HOLDEM: ("T",),
    Form.OMAHA: ("O",),
    Form.OMAHA_HIGH_LOW: ("O/8", "O/HL"),
    Form.STUD: ("7S",),
    Form.STUD_HIGH_LOW: ("7S/8", "7S/HL"),
    Form.RAZZ: ("R",),
    Form.PINEAPPLE: ("P",),
    Form.FIVE_CARD_DRAW: ("5D",),
    Form.LOWBALL: ("A5",),
}
"""The rest of a code; high-low has `/8` for eight or better, `/HL` for what else the book says of the low."""


def _named(letter: str, rest: str) -> str:
    code = letter + rest
    return code if code in STANDARD_CODES else f"_{code}"


VARIANT_CODES: Final[dict[str, tuple[Form, Structure]]] = {
    _named(letter, rest): (form, structure)
    for form, names in _GAMES.items()
    for rest in names
    for structure, letter in _LETTERS.items()
}
"""Every PHH variant code that is read and written here."""

GAME_TYPES: Final[dict[str, Form]] = {
    "Holdem": Form.HOLDEM,
    "Omaha": Form.OMAHA,
    "OmahaHiLo": Form.OMAHA_HIGH_LOW,
    "Stud": Form.STUD,
    "StudHiLo": Form.STUD_HIGH_LOW,
    "Draw": Form.FIVE_CARD_DRAW,
    "_Razz": Form.RAZZ,
    "_Pineapple": Form.PINEAPPLE,
    "_Lowball": Form.LOWBALL,
}
"""OHH's game types, and ours."""
BET_TYPES: Final[dict[str, Structure]] = {
    "NL": Structure.NO_LIMIT,
    "PL": Structure.POT_LIMIT,
    "FL": Structure.LIMIT,
    "_SL": Structure.SPREAD_LIMIT,
}
"""OHH's bet types, and ours."""


def _eight_or_better(rules: HandRules) -> bool:
    return rules.high_low.qualifier == "eight_or_better" and not rules.declares


def variant_code(rules: HandRules) -> str:
    """Return the PHH code of a game as its book plays it.

    Args:
        rules: of the book and the game.
    """
    names = _GAMES[rules.game.form]
    rest = names[0] if len(names) == 1 or _eight_or_better(rules) else names[1]
    return _named(_LETTERS[rules.game.structure], rest)


def check_variant(code: str, rules: HandRules) -> None:
    """Refuse a record of eight or better under a book that plays high-low otherwise, and the other way round.

    Raises:
        Refused: by the book's rules on the low half.
    """
    wanted = variant_code(rules)
    if code != wanted:
        says = "declares" if rules.declares else f"has the qualifier {rules.high_low.qualifier}"
        raise Refused(
            "VARIANT_DIFFERS",
            tuple(dict.fromkeys((*rules.high_low.qualifier_cites, *rules.high_low.mode_cites))),
            f"variant: {code!r} is not what the book plays, which {says}. Expected: {wanted}.",
            (wanted,),
            field="variant",
        )
