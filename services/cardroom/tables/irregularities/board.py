"""Errors with the board and the burns: wrong burns, too large a flop, cards too early, too few cards left."""

from typing import Final

from cardroom.tables.findings import Choice, Entry, Finding
from cardroom.tables.irregularities.remedies import refused, stands
from cardroom.tables.irregularities.situation import Rule, Situation, words
from cardroom.tables.piles import after_burn_error, last_stud_round

SEVEN: Final = "it holds its seventh card already, and may call or fold, not bet or raise"


def _cards(s: Situation, name: str) -> tuple[str, ...]:
    return tuple(s.told.get(name, "").replace(",", " ").split())


def burn_error(s: Situation) -> Finding:
    """A board card was dealt with no burn or with too many.

    Facts: `burned` (how many); `stub` (cards from the top as they lay before the mistake, where known); `street`
    (`flop`, `turn`, `river`); `exposed` (board cards were turned up); `betting_begun` (on that card); `all_in` (no
    betting can follow); `awarded` (the pot was pushed).
    """
    if s.stud:
        return _stud_burn(s)
    cited = s.cite("deal.burn_errors")
    burned = s.count("burned")
    if burned == 1:
        return stands(s, "one card was burned, as it should be", cited, "burned")
    if s.text("street") == "flop":
        return _flop_burn(s, cited)
    found = after_burn_error(_cards(s, "stub"), burned)
    all_in = s.flag("all_in")
    correctable = not s.flag("awarded") if all_in else not s.flag("betting_begun")
    if not correctable:
        return Finding(
            remedy="board_stands",
            says="there was action on the card: it stands; " + found.later_words(),
            rules=cited,
            steps=(found.later_words(),),
            facts=s.facts("burned", "stub", "all_in", "awarded" if all_in else "betting_begun"),
        )
    return Finding(
        remedy="correct_burn",
        says=found.words(),
        rules=cited,
        steps=(found.words(), found.following_words()),
        facts=s.facts("burned", "stub", "all_in"),
    )


def _flop_burn(s: Situation, cited: tuple[str, ...]) -> Finding:
    if s.flag("exposed"):
        return Finding(
            remedy="reshuffle",
            says="board cards were exposed: the deck is reshuffled and the flop dealt anew",
            rules=cited,
            steps=("take the cards back", "reshuffle the stub", "deal the flop anew"),
            facts=s.facts("burned", "exposed"),
        )
    stub = _cards(s, "stub")
    burn = stub[0] if stub else "the card that came first"
    flop = " ".join(stub[1:4]) if len(stub) >= 4 else "the three cards after it"
    return Finding(
        remedy="correct_burn",
        says=f"nothing was exposed: burn {burn}, the flop is {flop}",
        rules=cited,
        steps=("put the cards back in order", f"burn {burn}", f"the flop is {flop}"),
        facts=s.facts("burned", "stub", "exposed"),
    )


def _stud_burn(s: Situation) -> Finding:
    cited = s.cite("stud.burn_errors")
    last = s.flag("last_card")
    if last and not s.flag("correctable"):
        return stands(s, "everyone keeps the last card given; play goes on", cited, "correctable")
    dealt, following = _cards(s, "dealt"), s.optional("next_card")
    moved = "move the cards to their proper places"
    if s.count("burned") == 0 and dealt and following:
        shifted = (*dealt[1:], following)
        moved = f"{dealt[0]} becomes the burn card; the seats get {', '.join(shifted)} in order"
    return Finding(
        remedy="shift_cards",
        says=moved,
        rules=cited,
        steps=(moved,),
        facts=s.facts("burned", "dealt", "next_card"),
    )


def flop_count(s: Situation) -> Finding:
    """The flop has the wrong number of cards. Facts: `cards` (those turned up) or `count`."""
    cards = _cards(s, "cards")
    count = len(cards) or s.count("count")
    cited = s.cite("deal.flop_count")
    if count == 3:
        return stands(s, "three cards: the flop stands", cited)
    if count < 3:
        step = "deal the cards that are missing"
        return Finding(remedy="complete_flop", says=step, rules=cited, steps=(step,))
    return Finding(
        remedy="redeal_flop",
        says="the whole flop goes back, though the extra card may be known; the burn card stays",
        rules=cited,
        steps=(
            f"put all {count} cards back and reshuffle the stub",
            "leave the burn card where it is and burn no other",
            "deal three cards",
        ),
        facts=s.facts("cards", "count"),
    )


def premature_cards(s: Situation) -> Finding:
    """Cards were dealt before the betting was complete.

    Facts: `street` (what was dealt too early: `flop`, `turn`, `river`, or the stud street); `card`; for stud `seats`
    (who got one), `looked` (a last card was looked at or mixed in).
    """
    if s.stud:
        return _premature_stud(s)
    card = s.optional("card")
    named = card or "the card"
    match s.text("street"):
        case "flop":
            steps: tuple[str, ...] = (
                "put the whole flop back; the burn card stays burned",
                "finish the betting",
                "reshuffle the stub",
                "deal a new flop without a burn",
            )
            cited = s.cite("deal.premature_flop", "deal.premature_cards")
        case "turn":
            steps = _premature_turn(s, named)
            cited = s.cite("deal.premature_turn", "deal.premature_cards")
        case _:
            steps = (
                f"put {named} aside and finish the betting",
                f"reshuffle the stub with {named}, without burns and discards",
                "deal the river without a burn",
            )
            cited = s.cite("deal.premature_river", "deal.premature_cards")
    return Finding(
        remedy="card_taken_back",
        says=f"{named} does not play, even if who had not acted now folds",
        rules=cited,
        steps=steps,
        facts=s.facts("street", "card"),
    )


def _premature_turn(s: Situation, named: str) -> tuple[str, ...]:
    if s.rules.choice("deal.premature_turn") == "reshuffle":
        return (
            f"put {named} back and finish the betting",
            "reshuffle the stub",
            "deal turn and river from it",
        )
    return (
        f"put {named} aside and finish the betting",
        "burn the next card; the one after it is the turn",
        f"after the turn betting reshuffle the stub with {named}, without burns and discards",
        "deal the river without a burn",
    )


def _premature_stud(s: Situation) -> Finding:
    cited = s.cite("stud.premature_cards", "deal.premature_cards")
    seats = s.seats("seats") or (s.seat(),)
    live = s.seats("live")
    if s.flag("looked", default=False):
        return Finding(
            remedy="card_kept",
            says=f"{words(seats)} keeps the last card but may not bet or raise on this round",
            rules=cited,
            seats=seats,
            steps=("go on with the betting; the holder of the last card calls or folds only",),
            entries=tuple(
                Entry(kind="bar", seat=seat, code="SEVEN_CARDS", why=SEVEN, whole_round=True)
                for seat in seats
            ),
            facts=s.facts("seats", "looked"),
        )
    more = [seat for seat in live if seat not in seats]
    return Finding(
        remedy="round_removed",
        says=f"{len(seats) + len(more)} cards leave play, so that a whole round is gone",
        rules=cited,
        steps=(
            f"remove the card of {words(seats)}",
            *((f"remove one more for each of {words(more)}",) if more else ()),
            "finish the betting",
            "burn and deal the street as usual",
        ),
        facts=s.facts("seats"),
    )


def holder_of_seven(s: Situation) -> Finding:
    """A stud player who holds a premature last card wants to bet or raise on sixth street."""
    return refused(
        s,
        f"seat {s.seat()} holds seven cards: it may call or fold, not bet or raise",
        s.cite("stud.premature_cards"),
    )


def not_enough_cards(s: Situation) -> Finding:
    """Too few cards are left for the last stud round.

    Facts: `players` (still in), `stub` and `burns` (cards in each), as far as the hand does not show them.
    """
    players = s.count("players")
    stub, burns = s.count("stub"), s.count("burns", default=3)
    cited = s.cite("stud.not_enough_cards")
    steps, community = last_stud_round(players, stub, burns)
    return Finding(
        remedy="community_card" if community else "mix_last_card",
        says=f"{stub} cards in the stub for {players} players: {steps[-1]}",
        rules=cited,
        steps=(*steps, "the high hand on sixth street opens") if community else steps,
        facts=s.facts("players", "stub", "burns"),
    )


def run_it(s: Situation) -> Finding:
    """Players want the rest of the board dealt more than once (deal.run_it_max, deal.run_it_games)."""
    times = s.count("times")
    structure = s.game.structure.value.removeprefix("spread_")
    games = s.rules.members("deal.run_it_games")
    most = s.rules.count("deal.run_it_max")
    if structure not in games:
        return refused(s, f"a {structure} game is dealt once", s.cite("deal.run_it_games"))
    if times > most:
        return refused(s, f"at most {most} times", s.cite("deal.run_it_max"), "times")
    return Finding(
        remedy="run_it",
        says=f"the rest of the board is dealt {times} times once all in the pot agree",
        rules=s.cite("deal.run_it_max", "deal.run_it_games"),
        choices=(Choice("once", "it is dealt once", s.cite("deal.run_it_max")),),
    )


RULES: Final[dict[str, Rule]] = {
    "burn_error": burn_error,
    "flop_count": flop_count,
    "premature_cards": premature_cards,
    "raise_with_seven_cards": holder_of_seven,
    "not_enough_cards": not_enough_cards,
    "run_it_more_than_once": run_it,
}
