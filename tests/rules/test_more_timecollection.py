"""More examples of time collection: who is new, when a courtesy ends, seats changed, pots that pass."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from tests.plugins.world import ROOM
from tests.rules.test_timecollection_cases import Table


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
    table.world.wait(29)
    assert not table.world.events(e.TimeFellDue)
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
def test_a_winner_who_pays_alone_pays_for_the_others_too() -> None:
    table = Table("LC", 8, time_cents=500)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=tuple(range(1, 9))))
    table.do(c.OptOut(room=ROOM, table="t1", seat=8))
    table.fall_due()
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    table.pay(8, 500)
    taken = award(table, 20000, 8)
    assert [(share.seat, share.cents) for share in taken.paid_by] == [(8, 3500)]
    assert table.collected() == 4000


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
    assert bool(table.world.events(e.TimeFellDue)) is (method == "time")
