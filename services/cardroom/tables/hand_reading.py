"""What the hands of a showdown make, and who wins by them so far."""

from cardroom.kernel.refusal import Refused
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.highlow import Halves
from cardroom.poker.reading import Qualifier, Worth, worth
from cardroom.poker.showdown import winners_by_cards
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_flow import contested
from cardroom.tables.hand_rules import HandRules


def cards_down(chair: Chair, state: Hand, rules: HandRules) -> int:
    """Return how many cards a player holds face down (put-away cards left out)."""
    kept = rules.kept[max(state.street, 0)]
    put_away = len(chair.put_away) if state.sealed or state.ways or _declaring(state, rules) else 0
    if state.phase is Phase.SHOWDOWN or state.street == len(rules.variant.streets) - 1:
        community = rules.variant.stud and bool(state.boards[0])
        kept -= 1 if community else 0
    if rules.variant.stud:
        return kept - len(chair.up)
    return kept - put_away


def _declaring(state: Hand, rules: HandRules) -> bool:
    return rules.declares and state.phase in {Phase.DECLARING, Phase.SHOWDOWN}


def so_far_winning(state: Hand, rules: HandRules) -> frozenset[int]:
    """Return the seats that win something as the hands lie now, untabled ones left out."""
    found: set[int] = set()
    for pot in state.pots:
        tabled = tuple(
            chair.seat
            for chair in state.chairs
            if chair.seat in pot.seats and chair.live and chair.tabled
        )
        if tabled:
            halves = halves_of(state, tabled, rules, 0)
            if halves is not None:
                found.update(halves.high, halves.low)
    return frozenset(found)


def held_cards(chair: Chair) -> tuple[str, ...]:
    """Return a player's own cards that count."""
    return chair.down + chair.up


def worth_of(state: Hand, chair: Chair, rules: HandRules, run: int) -> Worth | None:
    """Return what a hand makes on a board, None where a card that decides is not known."""
    board = state.boards[run]
    qualifier: Qualifier = "none" if rules.high_low.qualifier == "none" else "eight_or_better"
    held = held_cards(chair)
    if chair.seat in state.said_board and not chair.tabled:
        held = ()
    elif len(chair.down) < cards_down(chair, state, rules):
        return None
    return worth(rules.variant, held, board, rules.reader, qualifier)


def halves_of(state: Hand, seats: tuple[int, ...], rules: HandRules, run: int) -> Halves | None:
    """Return who wins among seats on a board, None where the cards do not decide."""
    if len(seats) == 1:
        return Halves(seats, ())
    worths: dict[int, Worth] = {}
    for seat in seats:
        chair = chair_at(state.chairs, seat)
        assert chair is not None
        made = worth_of(state, chair, rules, run)
        if made is None:
            return None
        worths[seat] = made
    high_low = rules.high_low if rules.variant.high_low else None
    ways = dict(state.ways) if rules.declares else None
    return winners_by_cards(seats, worths, high_low, ways)


def winning_seats(state: Hand, rules: HandRules) -> frozenset[int]:
    """Return the seats that win part of some pot not yet pushed, as far as the cards decide.

    Args:
        state: the hand at its showdown.
        rules: of its book and game.
    """
    found: set[int] = set()
    for at, pot in enumerate(state.pots):
        if at in state.awarded:
            continue
        seats = contested(state, pot)
        for run in range(len(state.boards)):
            halves = halves_of(state, seats, rules, run) if seats else None
            if halves is not None:
                found.update(halves.high, halves.low)
    return frozenset(found)


def at_showdown(state: Hand, rules: HandRules) -> None:
    """Refuse what is done at a showdown while there is none.

    Raises:
        Refused: CR-6.
    """
    if state.phase is not Phase.SHOWDOWN:
        raise Refused(
            "SHOWDOWN_NOT_REACHED",
            ("CR-6", *rules.show.order_cites),
            f"hand {state.hand}: there is no showdown, it is {state.phase.value}",
        )
