"""Where the button and the blinds stand on the next hand, under each of the three button rules.

Seats are numbered clockwise from 1. Positions are facts of the table, also where a seat is empty or its player is
away: the dead button needs them. A table remembers its `Rotation`; `advance` gives the next hand's `Positions`.
"""

from collections.abc import Iterable

import msgspec


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """Where button and blinds stood on the last hand.

    Args:
        button: seat of the button.
        blinds: seats of the blind positions, smallest first; a position may be at an empty seat.
        posted_big: seats that posted a big blind on that hand (moving button: they owe a small one on the next).
    """

    button: int
    blinds: tuple[int, ...] = ()
    posted_big: tuple[int, ...] = ()


class Positions(msgspec.Struct, frozen=True, kw_only=True):
    """Where button and blinds stand on a hand, and who posts which blind.

    Args:
        button: seat of the button; may be an empty seat under the dead button.
        rotation: what the table remembers once the hand is started.
        posts: (seat, index of the blind in the game's blinds, smallest first), in order of the seats that post.
        first_after: seat after whom the betting before the flop begins.
        dealt: seats that get a hand.
    """

    button: int
    rotation: Rotation
    posts: tuple[tuple[int, int], ...]
    first_after: int
    dealt: frozenset[int]

    @property
    def big_blinds(self) -> tuple[int, ...]:
        """Seats that post the largest blind."""
        last = max((index for _, index in self.posts), default=-1)
        return tuple(seat for seat, index in self.posts if index == last)


def clockwise(after: int, seats: int) -> Iterable[int]:
    """Yield every seat of a table in clockwise order, beginning left of `after` and ending with it."""
    return ((after - 1 + step) % seats + 1 for step in range(1, seats + 1))


def next_in(after: int, among: frozenset[int] | set[int], seats: int) -> int | None:
    """Return the first seat clockwise after `after` that is one of `among`; None where there is none."""
    return next((seat for seat in clockwise(after, seats) if seat in among), None)


def between(start: int, end: int, seats: int) -> tuple[int, ...]:
    """Return the seats strictly between two, clockwise from `start`; none where both are the same seat."""
    if start == end:
        return ()
    found = []
    for seat in clockwise(start, seats):
        if seat == end:
            break
        found.append(seat)
    return tuple(found)


def distance(start: int, end: int, seats: int) -> int:
    """Return how many seats clockwise it is from one seat to another, 1 to `seats`."""
    return (end - start - 1) % seats + 1


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the next hand's positions depend on.

    Args:
        rule: `dead`, `moving` or `forward_moving` (decision blinds.button_rule).
        seats: seats of the table.
        last: the rotation of the last hand; None for a game's first hand.
        first_button: seat that drew the first button; used where `last` is None.
        playing: seats that come in wherever the blinds are.
        waiting: seats present that come in only where they take the big blind.
        blinds: how many blinds the game has.
        heads_up_small_on_button: decision blinds.heads_up_small_on_button.
        passed_over: seats that get no hand if the button would come to them (collection.short_button).
    """

    rule: str
    seats: int
    last: Rotation | None
    first_button: int
    playing: frozenset[int]
    waiting: frozenset[int] = frozenset()
    blinds: int = 2
    heads_up_small_on_button: bool = True
    passed_over: frozenset[int] = frozenset()


def advance(ask: Request) -> Positions | None:
    """Return the positions of the next hand; None where fewer than two seats would get a hand."""
    if ask.last is None:
        return _first_hand(ask)
    everyone = ask.playing | ask.waiting
    if len(everyone) < 2 or not ask.playing:
        return None
    if ask.blinds == 0:
        return _without_blinds(ask)
    big_before = ask.last.blinds[-1] if ask.last.blinds else ask.last.button
    due = next_in(big_before, everyone, ask.seats)
    assert due is not None
    if ask.playing == {due}:
        # He would sit alone: the big blind goes to a player who waits for it, or there is no hand.
        due = next_in(due, ask.waiting, ask.seats)
        assert due is not None
    dealt = ask.playing | {due}
    if len(dealt) == 2:
        return _heads_up(ask, due, dealt)
    if ask.rule == "dead" and ask.last.blinds:
        return _dead(ask, due, dealt)
    if ask.rule == "moving" and ask.blinds == 2:
        return _moving(ask, dealt)
    return _forward(ask, dealt)


def _first_hand(ask: Request) -> Positions | None:
    """A new game's first hand: everyone who is there plays, the blinds stand left of the drawn button."""
    dealt = ask.playing | ask.waiting
    if len(dealt) < 2:
        return None
    button = ask.first_button
    if button not in dealt:  # who drew it is gone before the first hand: the next player has it
        following = next_in(button, dealt, ask.seats)
        assert following is not None
        button = following
    if ask.blinds and len(dealt) == 2:
        other = next_in(button, dealt, ask.seats)
        assert other is not None
        big = other if ask.heads_up_small_on_button else button
        return _two_players(ask, big, dealt)
    return _left_of_button(ask, button, dealt)


def _left_of_button(ask: Request, button: int, dealt: frozenset[int]) -> Positions:
    """The blinds at the next seats left of the button that get a hand."""
    order = [seat for seat in clockwise(button, ask.seats) if seat in dealt]
    blinds = tuple(order[: ask.blinds])
    posts = tuple((seat, index) for index, seat in enumerate(blinds))
    return Positions(
        button=button,
        rotation=Rotation(button=button, blinds=blinds, posted_big=blinds[-1:]),
        posts=posts,
        first_after=blinds[-1] if blinds else button,
        dealt=dealt,
    )


def _without_blinds(ask: Request) -> Positions:
    assert ask.last is not None
    button = next_in(ask.last.button, ask.playing, ask.seats)
    assert button is not None
    return _left_of_button(ask, button, ask.playing | ask.waiting)


def _heads_up(ask: Request, due: int, dealt: frozenset[int]) -> Positions:
    """Two players: the big blind goes on to the one it is due at, so nobody posts it twice running."""
    return _two_players(ask, due, dealt)


def _two_players(ask: Request, big: int, dealt: frozenset[int]) -> Positions:
    other = next_in(big, dealt, ask.seats)
    assert other is not None
    button = other if ask.heads_up_small_on_button else big
    posts: tuple[tuple[int, int], ...] = ((big, ask.blinds - 1),)
    blinds: tuple[int, ...] = (big,)
    if ask.blinds > 1:
        posts = ((other, ask.blinds - 2), *posts)
        blinds = (other,) * (ask.blinds - 1) + (big,)
    return Positions(
        button=button,
        rotation=Rotation(button=button, blinds=blinds, posted_big=(big,)),
        posts=posts,
        first_after=big,
        dealt=dealt,
    )


def _dead(ask: Request, due: int, dealt: frozenset[int]) -> Positions:
    """Dead button: the big blind always moves on; what stands right of it follows, even to empty seats."""
    assert ask.last is not None
    before = ask.last
    blinds = (*before.blinds[1:], due)
    button = before.blinds[0]
    if len(set(blinds)) < len(blinds) or button in blinds:
        # Two players became more: positions they held together come apart, counted back from the big blind.
        order = [seat for seat in clockwise(due, ask.seats) if seat in dealt]
        back = list(reversed(order[:-1]))
        blinds = (*reversed(back[: ask.blinds - 1]), due)
        button = back[ask.blinds - 1] if len(back) >= ask.blinds else back[-1]
    posts = tuple((seat, index) for index, seat in enumerate(blinds) if seat in dealt)
    return Positions(
        button=button,
        rotation=Rotation(button=button, blinds=blinds, posted_big=(due,)),
        posts=posts,
        first_after=due,
        dealt=dealt,
    )


def _next_button(ask: Request, dealt: frozenset[int]) -> tuple[int, frozenset[int]]:
    """The next seat that may have the button; seats passed over on the way get no hand this time."""
    assert ask.last is not None
    out: frozenset[int] = frozenset()
    at = ask.last.button
    for seat in clockwise(ask.last.button, ask.seats):
        if seat not in dealt or seat in ask.waiting:
            continue
        if seat in ask.passed_over and len(dealt - out) > 2:
            out |= {seat}
            continue
        at = seat
        break
    return at, out


def _forward(ask: Request, dealt: frozenset[int]) -> Positions:
    """Forward moving: the button goes to the next live player, and each blind is there exactly once."""
    button, out = _next_button(ask, dealt)
    if len(dealt - out) == 2:
        return _rest_of_two(ask, dealt - out)
    return _left_of_button(ask, button, dealt - out)


def _rest_of_two(ask: Request, dealt: frozenset[int]) -> Positions:
    """Two are left because somebody may not have the button: the big blind goes on between them."""
    assert ask.last is not None
    big_before = ask.last.blinds[-1] if ask.last.blinds else ask.last.button
    due = next_in(big_before, dealt, ask.seats)
    assert due is not None
    return _heads_up(ask, due, dealt)


def _moving(ask: Request, dealt: frozenset[int]) -> Positions:
    """Moving button with make-up blinds: one big blind and, on the next hand, one small blind a round from everyone.

    A big blind comes from every player after the last big blind up to the second live player left of the button; a
    small one from everyone still in who posted a big blind on the hand before.
    """
    assert ask.last is not None
    button, out = _next_button(ask, dealt)
    dealt -= out
    if len(dealt) == 2:
        return _rest_of_two(ask, dealt)
    order = [seat for seat in clockwise(button, ask.seats) if seat in dealt]
    target = order[1]
    big_before = ask.last.blinds[-1] if ask.last.blinds else ask.last.button
    posted = ask.last.posted_big or ask.last.blinds[-1:]
    owing_small = [seat for seat in posted if seat in dealt]
    last_button = ask.last.button
    if distance(last_button, target, ask.seats) <= distance(last_button, big_before, ask.seats):
        target = next_in(big_before, dealt - frozenset(owing_small), ask.seats) or order[0]
    reach = (*between(big_before, target, ask.seats), target)
    big = [seat for seat in reach if seat in dealt]
    # One blind a hand from each player, the larger first: where all who are left posted the big blind.
    small = [seat for seat in owing_small if seat not in big]
    if not big:
        # Everyone still in posted the big blind last time: it comes round to the first of them.
        big, small = [target], [seat for seat in small if seat != target]
    posts = tuple((seat, 0) for seat in small) + tuple((seat, 1) for seat in big)
    return Positions(
        button=button,
        rotation=Rotation(button=button, blinds=(big_before, big[-1]), posted_big=tuple(big)),
        posts=posts,
        first_after=big[-1],
        dealt=dealt,
    )


def buying(found: Positions, buyer: int, before: Rotation) -> Positions:
    """Return the positions of a hand whose button is bought: the buyer posts both blinds and nobody else any.

    What the table remembers stands as if the small blind had come to the buyer and the big blind not moved, so that on
    the next hand the button is the buyer's and the blinds go on as usual.
    """
    return Positions(
        button=found.button,
        rotation=Rotation(
            button=found.button,
            blinds=(*(buyer,) * (len(before.blinds) - 1), before.blinds[-1]),
            posted_big=before.posted_big,
        ),
        posts=(),
        first_after=buyer,
        dealt=found.dealt | {buyer},
    )


def passed(
    before: Rotation | None, after: Rotation, seats: int, *, from_button: bool = False
) -> dict[str, frozenset[int]]:
    """Return the seats that button, small and big blind went past or came to between two hands.

    Args:
        before: where they stood; None for a game's first hand.
        after: where they stand.
        seats: seats of the table.
        from_button: whether the blinds are laid out anew from the button (forward moving, three or more players), so
            that newcomers behind the button can send a blind back; a blind that does so passes nobody.

    Keys are `button`, `small` and `big`; the seat a position arrives at is among them (whoever plays there has met
    it; whoever is away has missed it), the seat it left is not.
    """
    if before is None:
        return {"button": frozenset(), "small": frozenset(), "big": frozenset()}

    def path(start: int, end: int) -> frozenset[int]:
        return frozenset() if start == end else frozenset((*between(start, end, seats), end))

    def blind_path(start: int, end: int) -> frozenset[int]:
        old = before.button
        back = from_button and distance(old, end, seats) < distance(old, start, seats)
        return frozenset() if back else path(start, end)

    small = big = frozenset[int]()
    if before.blinds and after.blinds:
        big = blind_path(before.blinds[-1], after.blinds[-1])
        if len(after.blinds) > 1:
            small = blind_path(before.blinds[0], after.blinds[0])
    return {"button": path(before.button, after.button), "small": small, "big": big}
