"""What is recorded at a table of chips that come, go and are counted, apart from what hands do with them."""

from cardroom.kernel.events import Event


class ChipsAnnounced(Event, frozen=True, tag="tables.ChipsAnnounced.v1"):
    """A player bought chips that are on their way.

    Args:
        seat: whose.
        cents: how much.
        plays: whether they play before they are here.
        consented_by: who of the house consented; empty where nobody.
        rules: rules it rests on.
        player: who.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    cents: int
    plays: bool
    consented_by: str
    rules: tuple[str, ...]
    player: str = ""
    tournament: str = ""


class ChipsArrived(Event, frozen=True, tag="tables.ChipsArrived.v1"):
    """Chips came to a player's stack.

    Args:
        seat: whose; 0 where the buyer sits nowhere at the table, so that they are on it in no stack.
        player: who.
        cents: how much.
        announced_cents: how much of it had been announced.
        counted_before_cents: how much of it the stack held already, because it played before it was here.
        from_next_hand: whether they play from the next hand only.
        short: whether the purchase counts as a short buy-in.
        full: whether it counts as a full one.
        restored: whether chips taken along for safety were put back.
        rules: rules it rests on.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    cents: int
    announced_cents: int = 0
    counted_before_cents: int = 0
    from_next_hand: bool = False
    short: bool = False
    full: bool = False
    restored: bool = False
    rules: tuple[str, ...] = ()
    tournament: str = ""


class ChipsRemoved(Event, frozen=True, tag="tables.ChipsRemoved.v1"):
    """Chips were taken off a stack for something other than a wager.

    Args:
        seat: whose.
        player: who.
        cents: how much.
        purpose: `house_purchases`, `safekeeping_while_away`, `picked_up`, `tip`, `change`.
        rules: rules it rests on.
        from_next_hand: whether the stack is with a hand, so that it shows only when that is over.
        from_common_cents: how much of it the table does not know to come out of that stack.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    cents: int
    purpose: str
    rules: tuple[str, ...]
    from_next_hand: bool = False
    from_common_cents: int = 0
    tournament: str = ""


class TakenBeforeClosing(Event, frozen=True, tag="tables.TakenBeforeClosing.v1"):
    """Chips that went off a table before it was closed were told only afterwards: as much less was left on it.

    Args:
        player: whose they were.
        cents: how much.
        purpose: what for, for example `time`.
    """

    player: str
    cents: int
    purpose: str


class StacksCounted(Event, frozen=True, tag="tables.StacksCounted.v1"):
    """Stacks were counted.

    Args:
        stacks: (seat, cents) of those counted.
        difference_cents: chips found (positive) or missing against the table's account once every stack is known.
        source: who counted: dealer, floor, camera.
        tournament: whose points the amounts are; empty where they are money.
    """

    stacks: tuple[tuple[int, int], ...]
    difference_cents: int
    source: str
    tournament: str = ""


class StacksCorrected(Event, frozen=True, tag="tables.StacksCorrected.v1"):
    """Chips moved between stacks, or between a stack and the house, by a ruling.

    Args:
        moves: (seat, cents to be added; negative: taken).
        house_cents: what the house puts in (positive) or takes; the moves and this add up to nothing.
        account: the house's account.
        cause: the dispute, finding or correction behind it.
        rules: rules it rests on.
        tournament: whose points the amounts are; empty where they are money.
    """

    moves: tuple[tuple[int, int], ...]
    house_cents: int
    account: str
    cause: str
    rules: tuple[str, ...]
    tournament: str = ""


class ChipsCarried(Event, frozen=True, tag="tables.ChipsCarried.v1"):
    """Chips of a void deal stay in the middle for the next, in which only those dealt into it get a hand.

    Args:
        hand: number of the deal.
        sources: (seat, cents) taken from stacks they had gone back to.
        rules: rules it rests on.
    """

    hand: int
    sources: tuple[tuple[int, int], ...]
    rules: tuple[str, ...]


class ImpoundReleased(Event, frozen=True, tag="tables.ImpoundReleased.v1"):
    """Chips that the house held for a dispute went to those it was ruled for.

    Args:
        dispute: the dispute.
        awards: (seat, cents) given back to stacks.
        away_cents: what went to players who no longer sit here, by way of the cage.
        tournament: whose points the amounts are; empty where they are money.
    """

    dispute: str
    awards: tuple[tuple[int, int], ...]
    away_cents: int = 0
    tournament: str = ""


class Impounded(Event, frozen=True, tag="tables.Impounded.v1"):
    """The house holds chips of a disputed pot.

    Args:
        dispute: the dispute.
        sources: (seat, cents) taken from stacks that hold the disputed pot.
    """

    dispute: str
    sources: tuple[tuple[int, int], ...]
