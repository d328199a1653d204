"""The worked cases of time collection and of potting for time, played as written on the pure core."""

from datetime import UTC, datetime
from typing import Any

import pytest

from cardroom import known
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import legal, method_options, why_not_dealt_in
from cardroom.timecollection.core import DECIDER, collection_stream
from tests.plugins.world import ROOM, World

EIGHT = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)
STREAM = collection_stream(ROOM, "t1")


class Table:
    """A table in a room, with players in its first seats since before the collection began."""

    def __init__(
        self,
        book: str,
        players: int,
        *,
        time_cents: int = 0,
        button_cents: int = 0,
        due_at: datetime = EIGHT,
        form: Form = Form.HOLDEM,
        must_move: bool = False,
        **values: Any,
    ) -> None:
        self.world = World(DECIDER, book, due_at, **values)
        self.world.at = due_at.replace(hour=due_at.hour - 1)
        self.rules = self.world.offer(
            Game(
                game_id="g",
                name="20-40",
                form=form,
                structure=Structure.LIMIT,
                small_bet_cents=2000,
                big_bet_cents=4000,
                time_collection_cents=time_cents,
                button_collection_cents=button_cents,
            )
        )
        self.game = known.game_of(self.world.streams, ROOM, "g")
        self.do(
            c.OpenCollection(
                room=ROOM, table="t1", game_id="g", first_due_at=due_at, must_move=must_move
            )
        )
        for seat in range(1, players + 1):
            self.sit(seat)

    def do(self, command: Any, **kwargs: Any) -> tuple[Any, ...]:
        return self.world.do(command, **kwargs)

    def sit(self, seat: int) -> None:
        self.do(c.NoteSeat(room=ROOM, table="t1", seat=seat, player_id=f"p{seat}"))

    def waiting(self, count: int) -> None:
        self.do(c.NoteWaiting(room=ROOM, table="t1", waiting_count=count))

    def fall_due(self) -> e.TimeFellDue:
        self.world.wait(
            int((EIGHT - self.world.at).total_seconds() // 60) if self.world.at < EIGHT else 0
        )
        return self.world.events(e.TimeFellDue)[-1]  # type: ignore[return-value]

    def pay(self, seat: int, cents: int) -> tuple[Any, ...]:
        return self.do(c.PayTime(room=ROOM, table="t1", seat=seat, cents=cents))

    @property
    def state(self) -> e.CollectionState:
        return self.world.state(STREAM)  # type: ignore[no-any-return]

    def dealt_in(self, seat: int, *, big_blind: bool = False) -> Refused | None:
        return why_not_dealt_in(self.state, seat, self.game, self.rules, big_blind=big_blind)

    def collected(self) -> int:
        return self.state.collected_cents


# --------------------------------------------------------------------------------- conversion


@pytest.mark.rule("LC-144", 1)
def test_five_players_are_not_short_handed() -> None:
    table = Table("LC", 5, button_cents=500)
    with pytest.raises(Refused, match="fewer than 5") as caught:
        table.do(c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600))
    assert caught.value.rules == ("LC-144",)


@pytest.mark.rule("LC-144", 2)
def test_four_players_may_convert_to_time() -> None:
    table = Table("LC", 4, button_cents=500)
    changed, due = table.do(
        c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600)
    )
    assert changed.method == "time"
    assert changed.due_at is not None
    assert [at for at, _ in table.world.due()] == [changed.due_at]
    assert table.state.method == "time"
    assert (due.at, due.owing_seats) == (table.world.at, (1, 2, 3, 4))


def test_the_floor_may_convert_a_full_game_with_a_reason() -> None:
    table = Table("LC", 5, button_cents=500)
    command = c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600)
    changed, _ = table.do(command, override="two players leave with the next hand")
    assert changed.reason == "two players leave with the next hand"


@pytest.mark.parametrize("book", ["RC", "WP"])
def test_books_without_conversion_refuse_it(book: str) -> None:
    table = Table(book, 3, button_cents=500)
    with pytest.raises(Refused, match="does not convert"):
        table.do(c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600))


@pytest.mark.rule("LC-145", 1)
def test_a_must_move_game_that_gets_short_calls_the_floor() -> None:
    table = Table("LC", 5, button_cents=500, must_move=True)
    left, call = table.do(c.NoteLeft(room=ROOM, table="t1", seat=5))
    assert isinstance(left, e.SeatVacated)
    assert isinstance(call, e.FloorCalled)
    assert call.reason == "must-move game short-handed"
    assert call.options == ("stay on button collection", "convert to time")
    assert "LC-145" in call.rules
    (choice,) = table.do(
        c.ConvertCollection(
            room=ROOM, table="t1", method="button", amount_cents=300, reason="game fills up soon"
        )
    )
    assert (choice.method, choice.reason) == ("button", "game fills up soon")


def test_a_game_that_stays_at_five_calls_nobody() -> None:
    table = Table("LC", 6, button_cents=500, must_move=True)
    assert len(table.do(c.NoteLeft(room=ROOM, table="t1", seat=6))) == 1


def test_players_away_do_not_count() -> None:
    table = Table("LC", 5, button_cents=500)
    table.do(c.NoteAway(room=ROOM, table="t1", seat=2, away=True))
    assert "time" in method_options(table.state, table.rules)


# --------------------------------------------------------------------------------- time falls due


@pytest.mark.rule("LC-GL-time-collection", 1)
def test_time_falls_due_on_the_half_hour_and_not_before() -> None:
    table = Table("LC", 7, time_cents=500)
    table.fall_due()
    for seat in range(1, 8):
        table.pay(seat, 500)
    table.world.wait(29)
    assert len(table.world.events(e.TimeFellDue)) == 1
    table.world.wait(1)
    due = table.world.events(e.TimeFellDue)[-1]
    assert due.owing_seats == (1, 2, 3, 4, 5, 6, 7)
    assert sum(one.owes_cents for one in table.state.seats) == 3500


@pytest.mark.rule("LC-146", 1)
def test_a_player_who_plays_to_the_big_blind_pays_before_staying() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    for seat in (1, 2, 3, 5, 6):
        table.pay(seat, 700)
    for hand in ("h1", "h2"):
        assert table.dealt_in(4) is None
        table.do(c.NoteHandDealt(room=ROOM, table="t1", hand_id=hand, seats=(1, 2, 3, 4, 5, 6)))
    refusal = table.dealt_in(4, big_blind=True)
    assert refusal is not None
    assert refusal.code == "COLLECTION_UNPAID"
    assert "pay $7" in refusal.options
    table.pay(4, 700)
    assert table.dealt_in(4, big_blind=True) is None


def test_leaving_on_the_big_blind_leaves_nothing_owed() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    (left,) = table.do(c.NoteLeft(room=ROOM, table="t1", seat=4))
    assert left.unpaid_cents == 700
    assert sum(one.owes_cents for one in table.state.seats) == 3500


@pytest.mark.rule("LC-146", 2)
def test_with_a_name_waiting_everybody_pays_now() -> None:
    table = Table("LC", 6, time_cents=700)
    table.waiting(1)
    due = table.fall_due()
    assert due.owing_seats == (1, 2, 3, 4, 5, 6)
    with pytest.raises(Refused, match="1 wait for the game") as caught:
        table.do(c.DeferTime(room=ROOM, table="t1", seat=4))
    assert caught.value.rules == ("LC-146",)


@pytest.mark.rule("WP-2P2", 1)
def test_courtesy_lasts_until_the_blind_reaches_the_seat() -> None:
    table = Table("WP", 9, time_cents=600)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=5))
    unpaid = [seat for seat in range(1, 10) if table.dealt_in(seat)]
    assert unpaid == [1, 2, 3, 4, 6, 7, 8, 9]  # the first hand waits for these
    for seat in unpaid:
        table.pay(seat, 600)
    assert table.collected() == 4800
    assert table.dealt_in(5) is None
    table.do(
        c.NoteHandDealt(
            room=ROOM, table="t1", hand_id="h1", seats=tuple(range(1, 10)), big_blind_seat=4
        )
    )
    refusal = table.dealt_in(5, big_blind=True)
    assert refusal is not None
    assert "WP-2P2" in refusal.rules
    assert refusal.options == ("pay $6", "be left out")


@pytest.mark.rule("WP-2P2", 2)
@pytest.mark.parametrize(("waiting", "exempt"), [(1, (7,)), (2, ())])
def test_a_new_player_need_not_pay_while_at_most_one_waits(
    waiting: int, exempt: tuple[int, ...]
) -> None:
    table = Table("WP", 6, time_cents=600)
    table.world.wait(58)
    table.sit(7)
    table.waiting(waiting)
    due = table.fall_due()
    assert due.exempt_seats == exempt
    with pytest.raises(Refused, match="wait for the game"):
        table.do(c.DeferTime(room=ROOM, table="t1", seat=5))
    assert table.dealt_in(5) is not None
    assert (table.dealt_in(7) is None) is bool(exempt)


@pytest.mark.rule("WP-2P2", 3)
def test_stud_gives_one_courtesy_hand() -> None:
    table = Table("WP", 6, time_cents=500, form=Form.STUD)
    table.fall_due()
    table.do(c.DeferTime(room=ROOM, table="t1", seat=2))
    assert table.dealt_in(2) is None
    table.do(c.NoteHandDealt(room=ROOM, table="t1", hand_id="h1", seats=(1, 2, 3, 4, 5, 6)))
    refusal = table.dealt_in(2)
    assert refusal is not None
    assert refusal.code == "COLLECTION_UNPAID"


# --------------------------------------------------------------------------------- pots for time


def potting(players: int, cents: int) -> Table:
    table = Table("LC", players, time_cents=cents)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=tuple(range(1, players + 1))))
    table.fall_due()
    return table


@pytest.mark.rule("LC-147", 1)
def test_who_pays_alone_is_not_in_the_time_pot() -> None:
    table = potting(6, 600)
    table.do(c.OptOut(room=ROOM, table="t1", seat=2))
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h1"))
    table.pay(2, 600)
    (taken,) = table.do(
        c.AwardTimePot(
            room=ROOM,
            table="t1",
            hand_id="h1",
            pot_cents=14000,
            winners=(c.PotWinner(seat=5, cents=14000),),
        )
    )
    assert taken.for_seats == (1, 3, 4, 5, 6)
    assert [(share.seat, share.cents) for share in taken.paid_by] == [(5, 3000)]
    assert 14000 - taken.cents == 11000
    assert table.collected() == 3600


@pytest.mark.rule("LC-147", 2)
def test_opting_out_after_the_deal_is_for_the_next_time() -> None:
    table = potting(6, 600)
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h1"))
    (opted,) = table.do(c.OptOut(room=ROOM, table="t1", seat=2))
    assert opted.from_next
    (taken,) = table.do(
        c.AwardTimePot(
            room=ROOM,
            table="t1",
            hand_id="h1",
            pot_cents=14000,
            winners=(c.PotWinner(seat=5, cents=14000),),
        )
    )
    assert taken.cents == 3600
    table.world.wait(30)
    (started,) = table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h2"))
    assert isinstance(started, e.TimePotStarted)
    pots_alone = [one.seat for one in table.state.seats if one.pays_alone]
    assert pots_alone == [2]


@pytest.mark.rule("LC-GL-pot-for-time", 1)
def test_the_winner_of_the_time_pot_pays_for_all() -> None:
    table = potting(6, 500)
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h40"))
    (taken,) = table.do(
        c.AwardTimePot(
            room=ROOM,
            table="t1",
            hand_id="h40",
            pot_cents=26000,
            winners=(c.PotWinner(seat=3, cents=26000),),
        )
    )
    assert [(share.seat, share.cents) for share in taken.paid_by] == [(3, 3000)]
    assert all(one.owes_cents == 0 for one in table.state.seats)


def test_winners_who_split_share_the_collection_in_whole_chips() -> None:
    table = potting(5, 500)
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    winners = tuple(c.PotWinner(seat=seat, cents=4000) for seat in (1, 2, 3))
    (taken,) = table.do(
        c.AwardTimePot(room=ROOM, table="t1", hand_id="h", pot_cents=12000, winners=winners)
    )
    assert [share.cents for share in taken.paid_by] == [900, 800, 800]
    assert sum(share.cents for share in taken.paid_by) == taken.cents == 2500


def test_too_small_a_pot_leaves_the_next_one_to_be_the_time_pot() -> None:
    table = Table("LC", 5, time_cents=500, collection__time_pot_minimum=10000)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=(1, 2, 3, 4, 5)))
    table.fall_due()
    table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h"))
    winners = (c.PotWinner(seat=1, cents=9900),)
    (passed,) = table.do(
        c.AwardTimePot(room=ROOM, table="t1", hand_id="h", pot_cents=9900, winners=winners)
    )
    assert isinstance(passed, e.TimePotPassed)
    assert not table.state.time_pot_dealt


def test_a_house_may_not_pot_for_time() -> None:
    table = Table("WP", 5, time_cents=500)
    with pytest.raises(Refused, match="not allowed"):
        table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=(1, 2, 3)))


# --------------------------------------------------------------------------------- bad input, the day's end


@pytest.mark.parametrize("cents", [0, -700, 600, 1400])
def test_only_what_is_owed_is_taken(cents: int) -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    with pytest.raises(Refused) as caught:
        table.pay(4, cents)
    assert caught.value.field == "cents"


def test_a_deadline_that_was_moved_does_nothing() -> None:
    table = Table("LC", 6, time_cents=700)
    stale = c.Elapse(room=ROOM, table="t1", at=EIGHT.replace(minute=13))
    assert table.do(stale) == ()


def test_the_day_closes_and_the_state_goes_on() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    table.pay(1, 700)
    before = table.state
    closed, carried = table.do(c.CloseDay(room=ROOM, table="t1", gaming_day="2026-03-07"))
    assert closed.collected_cents == 700
    assert carried.gaming_day == "2026-03-07"
    assert table.state.seats == before.seats
    assert table.collected() == 0


def test_what_is_offered_names_amounts() -> None:
    table = Table("LC", 2, time_cents=700)
    table.fall_due()
    offered = legal(table.state, table.game, table.rules)
    assert "seat 1: pay $7" in offered
    assert "seat 1: go on unpaid by courtesy" in offered
