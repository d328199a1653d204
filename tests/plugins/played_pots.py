"""Limit hands played by recorded actions to a pot of a given size, for worked cases that name one."""

from itertools import product
from typing import Any

from cardroom.kernel.refusal import Refused
from cardroom.known import Game
from cardroom.poker.betting import in_front
from cardroom.poker.chairs import chair_at
from cardroom.tables import hand_commands as do
from cardroom.tables.courtesy import FOLDED
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import command
from tests.plugins.tables_world import Felt, dealt

BOARD = "2c 7d Jh 4s 9c"
LEVELS = range(4)


def acts(felt: Felt, script: str) -> Felt:
    """Enter actions written `2 bet 12, 5 raise 24, 8 fold`."""
    for words in script.split(","):
        said = command(words.strip())
        fields = {
            name: getattr(said, name)
            for name in said.__struct_fields__
            if name not in {"room", "table", "hand", "seat"}
        }
        felt.play(type(said), said.seat, **fields)  # type: ignore[attr-defined]
    return felt


def deal(felt: Felt, board: str) -> Felt:
    """Deal the next board cards."""
    felt.play(do.DealStreet, board=tuple(board.split()))
    return felt


def pot_of(
    book: str,
    a_game: Game,
    seats: tuple[int, ...],
    pot: int,
    *,
    street: int = 3,
    board: str = BOARD,
    button: int = 9,
    closed: bool = True,
    dealt_in: str = "1-9",
    **more: Any,
) -> Felt:
    """Return a limit hand in which some seats are left with a pot of so many dollars.

    How many others call before the flop, and how far each round is raised, is looked for; they fold afterwards.

    Args:
        book: the book.
        a_game: a limit game with two blinds.
        seats: who is left.
        pot: dollars in the pot.
        street: index of the street that is reached.
        board: the cards that come.
        button: the button's seat, none of those left.
        closed: whether the betting of that street is over too.
        dealt_in: seats of the table.
    """
    felt = dealt(book, a_game, dealt_in, button=button, **more)
    streets = street + 1 if closed else street
    extras, levels = _plan(felt, a_game, seats, pot, streets)
    cards = board.split()
    for at in range(street + 1):
        if at:
            count = 3 if at == 1 else 1
            felt.play(do.DealStreet, board=tuple(cards[:count]))
            del cards[:count]
        if at < streets:
            _round(felt, (*seats, *extras) if at == 0 else seats, levels[at])
    for seat in extras:
        if _lives(felt, seat):
            felt.play(do.RuleHandDead, seat, "floor", rules=("CR-6",))
    assert felt.hand.pot_cents == pot * 100
    return felt


def _lives(felt: Felt, seat: int) -> bool:
    chair = chair_at(felt.hand.chairs, seat)
    return chair is not None and chair.live


def _plan(
    felt: Felt, a_game: Game, seats: tuple[int, ...], pot: int, streets: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    small, big = a_game.small_bet_cents // 100, a_game.big_bet_cents // 100
    blinds = {post.seat: post.live_cents // 100 for post in felt.hand.posts if not post.house_cents}
    here = [chair.seat for chair in felt.hand.chairs if chair.seat != felt.hand.button_seat]
    others = [seat for seat in here if seat not in seats]
    others.sort(key=lambda seat: -blinds.get(seat, 0))
    forced = max(blinds.values())
    bets = (small, small, big, big)
    for levels in product(*(LEVELS if at < streets else (0,) for at in range(4))):
        first = forced + levels[0] * small
        later = sum(bets[at] * levels[at] for at in range(1, 4)) * len(seats)
        for count in range(len(others) + 1):
            extras = tuple(others[:count])
            dead = sum(blinds.get(seat, 0) for seat in others[count:])
            if first * (len(seats) + count) + later + dead == pot:
                return extras, levels
    raise AssertionError(f"no way to ${pot} with seats {seats}")


def _round(felt: Felt, seats: tuple[int, ...], level: int) -> None:
    """Bet and raise to a level, called by all who stay; the others fold."""
    street, wagers = felt.hand.street, 0
    while felt.hand.phase is Phase.BETTING and felt.hand.street == street:
        seat, betting = felt.hand.to_act, felt.hand.betting
        assert betting is not None
        if seat not in seats:
            felt.play(do.Fold, seat)
        elif wagers < level:
            wagers += 1
            opened = betting.level_cents > 0
            step = betting.bet_cents
            act = do.RaiseTo if opened else do.Bet
            felt.play(act, seat, to_cents=betting.level_cents + step)
        else:
            passive(felt, seat)


def passive(felt: Felt, seat: int) -> None:
    """Check, or call where there is a wager."""
    chair, betting = chair_at(felt.hand.chairs, seat), felt.hand.betting
    assert chair is not None
    assert betting is not None
    if in_front(chair, betting) < betting.level_cents:
        felt.play(do.Call, seat)
    else:
        felt.play(do.Check, seat)


def call_down(felt: Felt, board: str = "") -> Felt:
    """Check and call what is left of a hand to its showdown."""
    cards = board.split()
    while not felt.hand.over and felt.hand.phase is not Phase.SHOWDOWN:
        if felt.hand.phase is Phase.BETTING:
            passive(felt, felt.hand.to_act)
            continue
        count = 3 if felt.hand.street == 0 else 1
        felt.play(do.DealStreet, board=tuple(cards[:count]))
        del cards[:count]
    return felt


def shown(felt: Felt, hands: dict[int, str]) -> dict[int, int]:
    """Show hands in the order due and push the pots; return what each seat won, in dollars."""
    rest = dict(hands)
    while rest:
        due = [seat for seat in (*felt.hand.order, *rest) if seat in rest]
        seat = due[0]
        felt.play(do.ShowHand, seat, cards=tuple(rest.pop(seat).split()))
    return awarded(felt)


def awarded(felt: Felt) -> dict[int, int]:
    """Push the pots where that is still to be done; return what each seat won, in dollars."""
    if not felt.hand.over:
        felt.play(do.AwardPots, losers_killed=True)
    return won(felt)


def won(felt: Felt) -> dict[int, int]:
    """Return what each seat of a hand was pushed, in dollars."""
    found: dict[int, int] = {}
    for share in felt.hand.shares:
        found[share.seat] = found.get(share.seat, 0) + share.cents // 100
    return found


def no_such_act(felt: Felt, words: str) -> Refused:
    """Return why an action is refused; nothing is entered."""
    before = felt.hand.version
    try:
        acts(felt, words)
    except Refused as refusal:
        assert felt.hand.version == before
        return refusal
    raise AssertionError(f"{words} was accepted")


def breaches(felt: Felt) -> list[tuple[str, str]]:
    """Return (player, what was done) on record beside the hand, folds without a wager left out."""
    found = [(one.player, one.what) for one in felt.notes.breaches]
    return [(player, what) for player, what in found if what != FOLDED]
