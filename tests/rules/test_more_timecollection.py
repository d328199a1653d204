"""More examples of time collection: who is new, when a courtesy ends, seats changed, pots that pass."""

from datetime import timedelta
from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from tests.plugins.world import ROOM
from tests.rules.test_timecollection_cases import EIGHT, Table


def deal(table: Table, hand: str, big_blind: int = 0, *, out: tuple[int, ...] = ()) -> Any:
    seats = tuple(one.seat for one in table.state.seats if one.seat not in out)
    return table.do(
        c.NoteHandDealt(room=ROOM, table="t1", hand_id=hand, seats=seats, big_blind_seat=big_blind)
    )


def award(table: Table, pot_cents: int, *winners: int) -> Any:
    shares = tuple(c.PotWinner(seat=seat, cents=pot_cents // len(winners)) for seat in winners)
    (taken,) = table.do(
        c.AwardTimePot(room=ROOM, table="t1", hand_id="h", pot_cents=pot_cents, winners=shares)
    )
    return taken


@pytest.mark.rule("LC-146")
@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize("book", ["LC", "WP", "RC", "HG"])
def test_a_courtesy_does_not_start_anew_behind_the_big_blind(book: str) -> None:
    table = Table(book, 6, time_cents=700)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    deal(table, "h1", 3)
    deal(table, "h2", 5, out=(4,))  # seat 4 did not pay and was left out on its big blind
    assert table.dealt_in(4) is not None
    with pytest.raises(Refused) as caught:
        table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    assert caught.value.code == "COURTESY_USED"
    table.pay(4, 700)
    assert table.dealt_in(4) is None


@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize("book", ["LC", "WP"])
def test_one_courtesy_hand_in_stud_and_no_second_by_declining_again(book: str) -> None:
    table = Table(book, 6, time_cents=500, form=Form.STUD)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=2))
    deal(table, "h1")
    with pytest.raises(Refused):
        table.do(c.DeferTime(room=ROOM, table="t1", seat=2))
    assert table.dealt_in(2) is not None


@pytest.mark.rule("LC-146")
@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize("book", ["LC", "WP"])
def test_who_waits_is_counted_when_time_falls_due(book: str) -> None:
    """A name put up a minute later takes no courtesy away; one taken off a minute later gives none."""
    table = Table(book, 6, time_cents=700)
    table.fall_due()
    table.waiting(3)
    table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    table = Table(book, 6, time_cents=700)
    table.waiting(1)
    table.fall_due()
    table.waiting(0)
    with pytest.raises(Refused, match="1 wait for the game"):
        table.do(c.DeferTime(room=ROOM, table="t1", seat=4))


@pytest.mark.rule("WP-2P2")
def test_those_who_began_the_game_are_not_new_at_its_first_collection() -> None:
    table = Table("WP", 0, time_cents=600)
    table.world.wait(31)
    for seat in range(1, 7):
        table.sit(seat)
    deal(table, "h1", 3)
    table.world.wait(5)
    table.sit(7)
    due = table.fall_due()
    assert (due.owing_seats, due.exempt_seats) == ((1, 2, 3, 4, 5, 6), (7,))


@pytest.mark.rule("LC-146")
@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize(
    ("book", "waiting", "exempt"),
    [
        ("LC", 0, (7,)),
        ("LC", 1, ()),
        ("WP", 0, (7,)),
        ("WP", 1, (7,)),
        ("WP", 2, ()),
        ("HG", 1, (7,)),
        ("RC", 1, (7,)),
        ("RC", 2, ()),
    ],
)
def test_new_players_in_every_book(book: str, waiting: int, exempt: tuple[int, ...]) -> None:
    table = Table(book, 6, time_cents=600)
    deal(table, "h1", 3)
    table.world.wait(59)
    table.sit(7)
    table.waiting(waiting)
    assert table.fall_due().exempt_seats == exempt


@pytest.mark.rule("WP-2P2")
def test_a_new_player_pays_the_next_time() -> None:
    table = Table("WP", 6, time_cents=600)
    deal(table, "h1", 3)
    table.world.wait(59)
    table.sit(7)
    assert table.fall_due().exempt_seats == (7,)
    table.world.wait(30)
    assert 7 in table.world.events(e.TimeFellDue)[-1].owing_seats


@pytest.mark.rule("WP-2P2")
def test_changing_seats_makes_nobody_new_and_pays_nothing() -> None:
    table = Table("WP", 6, time_cents=600)
    table.fall_due()
    table.do(c.NoteSeat(room=ROOM, table="t1", seat=9, player_id="p2"))
    assert [one.seat for one in table.state.seats] == [1, 3, 4, 5, 6, 9]
    table.pay(9, 600)
    table.world.wait(30)
    assert 9 in table.world.events(e.TimeFellDue)[-1].owing_seats


@pytest.mark.rule("LC-144")
def test_a_clock_started_by_conversion_knows_who_was_there() -> None:
    table = Table("LC", 3, button_cents=500)
    deal(table, "h1", 3)
    table.world.wait(10)
    table.sit(4)
    table.world.wait(10)
    table.do(c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600))
    (in_advance,) = table.world.events(e.TimeFellDue)
    assert (in_advance.owing_seats, in_advance.exempt_seats) == ((1, 2, 3, 4), ())
    table.world.wait(29)
    assert len(table.world.events(e.TimeFellDue)) == 1
    table.world.wait(1)
    assert table.world.events(e.TimeFellDue)[-1].owing_seats == (1, 2, 3, 4)


@pytest.mark.rule("LC-145")
def test_the_floor_is_called_when_the_game_gets_short_and_not_again() -> None:
    table = Table("LC", 6, button_cents=500, must_move=True)
    assert len(table.do(c.NoteAway(room=ROOM, table="t1", seat=2, away=True))) == 1
    _, call = table.do(c.NoteAway(room=ROOM, table="t1", seat=3, away=True))
    assert isinstance(call, e.FloorCalled)
    assert len(table.do(c.NoteLeft(room=ROOM, table="t1", seat=3))) == 1
    assert len(table.do(c.NoteLeft(room=ROOM, table="t1", seat=4))) == 1


def potting(players: int, cents: int, **values: Any) -> Table:
    table = Table("LC", players, time_cents=cents, **values)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=tuple(range(1, players + 1))))
    table.fall_due()
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    return table


@pytest.mark.rule("LC-147")
def test_too_late_for_a_pot_that_passes_is_in_time_for_the_next() -> None:
    table = potting(6, 600, collection__time_pot_minimum=10000)
    table.do(c.OptOut(room=ROOM, table="t1", seat=2))
    assert isinstance(award(table, 9999, 5), e.TimePotPassed)
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    taken = award(table, 10000, 5)
    assert (taken.cents, taken.for_seats) == (3000, (1, 3, 4, 5, 6))


@pytest.mark.rule("LC-147")
@pytest.mark.rule("LC-GL-pot-for-time")
def test_a_winner_who_pays_alone_leaves_the_next_pot_to_be_the_time_pot() -> None:
    table = opted_out(8)
    passed = award(table, 20000, 8)
    assert isinstance(passed, e.TimePotPassed)
    assert passed.rules == ("LC-147",)
    assert table.collected() == 500
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    assert award(table, 20000, 1).cents == 3500


def opted_out(players: int) -> Table:
    """Return a table where all but the last pot for time, the time pot dealt, and the last paid."""
    table = Table("LC", players, time_cents=500)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=tuple(range(1, players + 1))))
    table.do(c.OptOut(room=ROOM, table="t1", seat=players))
    table.fall_due()
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    table.pay(players, 500)
    return table


@pytest.mark.rule("LC-147")
def test_of_a_split_pot_those_who_pot_pay_it_all() -> None:
    taken = award(opted_out(8), 20000, 8, 3)
    assert [(share.seat, share.cents) for share in taken.paid_by] == [(3, 3500)]


@pytest.mark.rule("LC-147")
@pytest.mark.rule("LC-GL-pot-for-time")
@pytest.mark.parametrize(
    ("won", "paid"),
    [
        ((10000, 10000), (2000, 2000)),
        ((15000, 5000), (3000, 1000)),
        ((5000, 15000), (1000, 3000)),
        ((10100, 9900), (2000, 2000)),
        ((19900, 100), (4000, 0)),
    ],
)
def test_a_split_time_pot_pays_as_if_the_time_had_come_out_before_it_was_split(
    won: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    table = potting(8, 500)
    winners = tuple(c.PotWinner(seat=seat, cents=cents) for seat, cents in enumerate(won, 1))
    (taken,) = table.do(
        c.AwardTimePot(room=ROOM, table="t1", hand_id="h", pot_cents=20000, winners=winners)
    )
    named = {share.seat: share.cents for share in taken.paid_by}
    assert tuple(named.get(seat, 0) for seat in (1, 2)) == paid
    assert taken.cents == 4000


@pytest.mark.parametrize(
    ("winners", "code"),
    [
        (((1, 3000), (1, 3000)), "WINNER_TWICE"),
        (((1, 9000), (2, 9000)), "MORE_WON_THAN_THE_POT"),
        (((1, 0),), "AMOUNT_OUT_OF_RANGE"),
        (((1, 900),), "POT_TOO_SMALL"),
        (((10, 9000),), "SEAT_EMPTY"),
        ((), "NO_WINNER"),
    ],
)
def test_winners_that_cannot_be_are_refused(
    winners: tuple[tuple[int, int], ...], code: str
) -> None:
    table = potting(8, 500)
    named = tuple(c.PotWinner(seat=seat, cents=cents) for seat, cents in winners)
    with pytest.raises(Refused) as caught:
        table.do(c.AwardTimePot(room=ROOM, table="t1", hand_id="h", pot_cents=10000, winners=named))
    assert caught.value.field in ("winners", "seat", "winners[0].cents")
    assert caught.value.code == code


# --------------------------------------------------------------------------------- in advance


def unbegun(book: str, **values: Any) -> Table:
    """Return a time game that is open, with nobody there and no clock of its own."""
    table = Table(book, 0, time_cents=700, **values)
    table.do(c.CloseCollection(room=ROOM, table="t1"))
    table.do(c.OpenCollection(room=ROOM, table="t1", game_id="g"))
    return table


@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize(
    ("book", "rule"), [("LC", "LC-146"), ("RC", "CR-3"), ("HG", "WP-2P2"), ("WP", "WP-2P2")]
)
def test_a_new_game_pays_before_its_first_hand(book: str, rule: str) -> None:
    table = unbegun(book)
    for seat in (1, 2, 3):
        table.sit(seat)
    (first, *_) = table.world.events(e.TimeDueInAdvance)
    assert rule in first.rules
    assert [one.owes_cents for one in table.state.seats] == [700] * 3
    assert table.dealt_in(1) is not None
    assert table.world.due() == []  # no clock runs while the table waits for players
    for seat in (1, 2):
        table.pay(seat, 700)
    assert table.dealt_in(1) is None
    assert table.dealt_in(3) is not None


@pytest.mark.rule("WP-2P2")
@pytest.mark.rule("LC-146")
@pytest.mark.parametrize("book", ["LC", "WP"])
def test_the_clock_starts_with_the_first_hand(book: str) -> None:
    table = unbegun(book)
    for seat in range(1, 7):
        table.sit(seat)
        table.pay(seat, 700)
    table.world.wait(20)
    deal(table, "h1", 3)
    started = table.world.at
    table.world.wait(29)
    assert not table.world.events(e.TimeFellDue)
    table.sit(7)
    assert table.dealt_in(7) is None  # who joins a game that runs pays when time falls due
    table.world.wait(1)
    (due,) = table.world.events(e.TimeFellDue)
    assert (due.at - started).total_seconds() == 1800
    assert (due.owing_seats, due.exempt_seats) == ((1, 2, 3, 4, 5, 6), (7,))


@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize(("waiting", "given"), [(0, True), (1, False)])
def test_the_courtesy_holds_for_the_first_period_too(waiting: int, given: bool) -> None:
    table = unbegun("WP")
    table.waiting(waiting)
    table.sit(1)
    defer = c.DeferTime(room=ROOM, table="t1", seat=1)
    if given:
        table.do(defer)
        assert table.dealt_in(1) is None
        return
    with pytest.raises(Refused, match="1 wait for the game"):
        table.do(defer)


def test_a_room_with_a_clock_of_its_own_says_when_time_first_falls_due() -> None:
    table = Table("WP", 3, time_cents=700)
    deal(table, "h1", 3)
    assert [one.owes_cents for one in table.state.seats] == [0] * 3
    table.fall_due()
    assert [one.owes_cents for one in table.state.seats] == [700] * 3


@pytest.mark.rule("WP-2P2")
@pytest.mark.parametrize(
    ("book", "rules"),
    [("WP", ("WP-2P2",)), ("HG", ("WP-2P2", "HG-X3")), ("LC", ("LC-146", "LC-GL-time-collection"))],
)
def test_the_floor_may_let_the_first_time_wait_for_the_rooms_clock(
    book: str, rules: tuple[str, ...]
) -> None:
    table = unbegun(book)
    table.sit(1)
    on_the_hour = c.SetClock(room=ROOM, table="t1", next_due_at=EIGHT)
    with pytest.raises(Refused) as refused:
        table.do(on_the_hour)
    assert (refused.value.code, refused.value.rules) == ("TIME_IN_ADVANCE", rules)
    clock, waived = table.do(on_the_hour, override="we collect on the hour")
    assert (clock.reason, waived.cents) == ("we collect on the hour", 700)
    table.sit(2)
    deal(table, "h1", 0)
    assert [one.owes_cents for one in table.state.seats] == [0, 0]
    assert table.fall_due().owing_seats == (1, 2)
    assert table.state.due_at == EIGHT + timedelta(minutes=30)


def test_a_running_clock_may_be_set_to_the_rooms() -> None:
    table = Table("LC", 3, time_cents=700)
    deal(table, "h1", 3)
    table.do(c.SetClock(room=ROOM, table="t1", next_due_at=EIGHT - timedelta(minutes=10)))
    table.world.wait(50)
    assert [one.owes_cents for one in table.state.seats] == [700] * 3
    with pytest.raises(Refused, match="over"):
        table.do(c.SetClock(room=ROOM, table="t1", next_due_at=table.world.at))
    button = Table("LC", 3, button_cents=500)
    with pytest.raises(Refused, match="takes button"):
        button.do(c.SetClock(room=ROOM, table="t1", next_due_at=EIGHT))


def test_a_new_amount_leaves_a_running_clock_alone() -> None:
    table = Table("LC", 4, time_cents=700)
    before = table.state.due_at
    command = c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=800)
    (changed,) = table.do(command)
    assert changed.due_at == before
    assert table.fall_due().amount_cents == 800


@pytest.mark.rule("LC-144")
@pytest.mark.parametrize(
    ("joining", "method"), [((), "time"), ((5,), "button"), ((5, 6), "button")]
)
def test_a_converted_game_goes_back_when_the_paid_period_ends(
    joining: tuple[int, ...], method: str
) -> None:
    table = Table("LC", 4, button_cents=500)
    deal(table, "h1", 3)
    table.do(c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600))
    for seat in joining:
        table.sit(seat)
    table.world.wait(29)
    assert table.state.method == "time"
    table.world.wait(1)
    assert table.state.method == method
    assert table.state.amount_cents == (500 if method == "button" else 600)
    assert len(table.world.events(e.TimeFellDue)) == (2 if method == "time" else 1)
