"""How chips that come, go and are counted change their table, apart from what hands do with them."""

from cardroom.tables import chip_events as ce
from cardroom.tables.table import Table, change, plus, with_seats


def announced(table: Table, e: ce.ChipsAnnounced) -> Table:
    """Return the table once chips on their way were announced."""
    seat = table.seats[e.seat]
    if not e.plays:
        return with_seats(table, change(seat, arriving_cents=seat.arriving_cents + e.cents))
    return with_seats(
        table,
        change(
            seat,
            stack_cents=plus(seat.stack_cents, e.cents),
            behind_cents=seat.behind_cents + e.cents,
            brought_cents=plus(seat.brought_cents, e.cents),
        ),
        account_cents=plus(table.account_cents, e.cents),
        common_cents=table.common_cents
        if seat.stack_cents is not None
        else plus(table.common_cents, e.cents),
    )


def arrived(table: Table, e: ce.ChipsArrived) -> Table:
    """Return the table once chips came to a stack, or to the table in none."""
    if e.seat == 0:
        account, common = (plus(had, e.cents) for had in (table.account_cents, table.common_cents))
        return change(table, account_cents=account, common_cents=common)  # type: ignore[no-any-return]
    seat = table.seats[e.seat]
    behind = e.counted_before_cents
    fresh = e.cents - behind
    seat = change(
        seat,
        behind_cents=seat.behind_cents - behind,
        safe_cents=max(0, seat.safe_cents - (e.cents if e.restored else 0)),
        arriving_cents=max(0, seat.arriving_cents - (e.announced_cents - behind)),
        short_buy_ins=(0 if e.full else seat.short_buy_ins) + (1 if e.short else 0),
        brought_cents=plus(seat.brought_cents, fresh),
    )
    account = plus(table.account_cents, fresh)
    if e.from_next_hand and seat.stack_cents is not None:
        return with_seats(
            table, change(seat, pending_cents=seat.pending_cents + fresh), account_cents=account
        )
    if seat.stack_cents is None:
        return with_seats(
            table, seat, account_cents=account, common_cents=plus(table.common_cents, fresh)
        )
    return with_seats(
        table, change(seat, stack_cents=seat.stack_cents + fresh), account_cents=account
    )


def removed(table: Table, e: ce.ChipsRemoved) -> Table:
    """Return the table once chips were taken off."""
    account = plus(table.account_cents, -e.cents)
    common = plus(table.common_cents, -e.from_common_cents)
    seat = table.seats.get(e.seat)
    if seat is None:
        return change(table, account_cents=account, common_cents=common)  # type: ignore[no-any-return]
    if e.purpose == "safekeeping_while_away":
        seat = change(seat, safe_cents=seat.safe_cents + e.cents)
    cents = e.cents - e.from_common_cents
    if e.from_next_hand:
        seat = change(seat, pending_cents=seat.pending_cents - cents)
    else:
        seat = change(seat, stack_cents=plus(seat.stack_cents, -cents))
    return with_seats(table, seat, account_cents=account, common_cents=common)


def counted(table: Table, e: ce.StacksCounted) -> Table:
    """Return the table once stacks were counted."""
    common = table.common_cents
    seats = []
    for number, cents in e.stacks:
        seat = table.seats[number]
        common = plus(common, (seat.stack_cents or 0) - cents)
        # Where hands are only counted, this is how the table learns that somebody lost all chips.
        broke = seat.broke or (cents == 0 and seat.played and not seat.pending_cents)
        seats.append(change(seat, stack_cents=cents, broke=broke))
    after = with_seats(table, *seats, common_cents=common)
    if not after.stacks_known:
        return after
    on_table = sum((seat.stack_cents or 0) + seat.pending_cents for seat in after.seats.values())
    total = on_table + after.boxed_cents + after.carried_cents + sum(after.impounds.values())
    return change(after, account_cents=total, common_cents=0)  # type: ignore[no-any-return]


def corrected(table: Table, e: ce.StacksCorrected) -> Table:
    """Return the table once chips moved by a ruling."""
    common = table.common_cents
    seats = []
    for number, cents in e.moves:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = plus(common, cents)
        seats.append(change(seat, stack_cents=plus(seat.stack_cents, cents)))
    return with_seats(
        table,
        *seats,
        common_cents=common,
        account_cents=plus(table.account_cents, e.house_cents),
    )


def carried(table: Table, e: ce.ChipsCarried) -> Table:
    """Return the table once chips of a void deal stayed in the middle."""
    common = table.common_cents
    seats = []
    for number, cents in e.sources:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = plus(common, -cents)
        seats.append(change(seat, stack_cents=plus(seat.stack_cents, -cents)))
    carried = table.carried_cents + sum(cents for _, cents in e.sources)
    return with_seats(table, *seats, common_cents=common, carried_cents=carried)


def impounded(table: Table, e: ce.Impounded) -> Table:
    """Return the table once the house holds chips for a dispute."""
    seats, common = [], table.common_cents
    for number, cents in e.sources:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = plus(common, -cents)
        seats.append(change(seat, stack_cents=plus(seat.stack_cents, -cents)))
    held = sum(cents for _, cents in e.sources)
    impounds = {**table.impounds, e.dispute: table.impounds.get(e.dispute, 0) + held}
    return with_seats(table, *seats, impounds=impounds, common_cents=common)


def released(table: Table, e: ce.ImpoundReleased) -> Table:
    """Return the table once impounded chips went to whom they were awarded."""
    seats, common = [], table.common_cents
    playing = table.hand.dealt if table.hand else frozenset[int]()
    for number, cents in e.awards:
        seat = table.seats[number]
        if number in playing and seat.stack_cents is not None:
            seats.append(change(seat, pending_cents=seat.pending_cents + cents))
            continue
        if seat.stack_cents is None:
            common = plus(common, cents)
        seats.append(change(seat, stack_cents=plus(seat.stack_cents, cents)))
    impounds = {name: cents for name, cents in table.impounds.items() if name != e.dispute}
    return with_seats(
        table,
        *seats,
        impounds=impounds,
        common_cents=common,
        account_cents=plus(table.account_cents, -e.away_cents),
    )
