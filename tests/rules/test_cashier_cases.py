"""The cage's worked cases, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier import ledger as books
from cardroom.cashier.core import DECIDER, ledger_stream, tournament_stream
from cardroom.cashier.sales import count_chips
from cardroom.kernel.refusal import Refused
from tests.plugins.world import ROOM, World


class Cage:
    """A room's cage, opened with chips and, in a home game, with a banker."""

    def __init__(
        self, book: str = "HG", *, banker: str = "H", cash_cents: int = 0, **values: Any
    ) -> None:
        self.world = World(DECIDER, book, **values)
        self.rules = self.world.rules
        if banker:
            self.world.do(c.AppointBanker(room=ROOM, player_id=banker))
        self.world.do(c.OpenCage(room=ROOM, chips_cents=1_000_000, cash_cents=cash_cents))

    def do(self, command: Any, *roles: str) -> tuple[Any, ...]:
        events = self.world.do(command, *roles)
        assert books.totals(self.ledger) == {"chips": 0, "cash": 0}
        assert books.issued_cents(self.ledger) == 1_000_000
        return events

    def sell(self, player: str, cents: int, cash: int | None = None, **more: Any) -> Any:
        received = cents if cash is None else cash
        command = c.SellChips(
            room=ROOM, player_id=player, cents=cents, cash_received_cents=received, **more
        )
        return self.do(command)[0]

    def refuses(self, player: str, cents: int, cash: int | None = None, **more: Any) -> Refused:
        before = self.ledger
        with pytest.raises(Refused) as caught:
            self.sell(player, cents, cash, **more)
        assert self.ledger == before
        return caught.value

    def noted(self, command: Any) -> None:
        self.do(command)

    @property
    def ledger(self) -> e.LedgerState:
        return self.world.state(ledger_stream(ROOM))  # type: ignore[no-any-return]

    def balance(self, account: str) -> int:
        return books.balance(self.ledger, account)


# ------------------------------------------------------------------------------------ the bank


@pytest.mark.rule("HG-G1", 1)
def test_only_the_banker_sells_chips() -> None:
    refusal = Cage().refuses("Q", 1000, seller="P")
    assert refusal.rules == ("HG-G1", "HG-G1a")
    assert "only the banker 'H'" in refusal.message


@pytest.mark.rule("HG-G1", 2)
def test_nobody_buys_before_a_banker_is_appointed() -> None:
    cage = Cage(banker="")
    assert cage.refuses("Q", 2000).code == "NO_BANKER"
    cage.do(c.AppointBanker(room=ROOM, player_id="H"))
    cage.sell("Q", 2000)


def home_session() -> Cage:
    """Sell $240, take 14 quarters for the jackpot; $236.50 is in the players' hands at the end."""
    cage = Cage()
    for player in ("P", "Q", "R", "S", "T", "U"):
        cage.sell(player, 4000)
        cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id=player, cents=4000))
    for hand in range(14):
        cage.do(c.NoteJackpotDrop(room=ROOM, table="t1", hand_id=f"h{hand}", cents=25))
    cage.do(c.NoteChipsFromTable(room=ROOM, table="t1", player_id="P", cents=23650))
    return cage


@pytest.mark.rule("HG-G1a", 1)
def test_the_banker_makes_a_shortage_good() -> None:
    cage = home_session()
    (closed,) = cage.do(c.CloseBank(room=ROOM, counted_cash_cents=23400))
    assert (closed.owed_cents, closed.shortfall_cents, closed.banker) == (24000, 600, "H")
    assert "HG-G1a" in closed.rules
    assert cage.balance(books.PLAYERS_CHIPS) == 0
    assert cage.balance(books.CAGE_CASH) == 350  # what stays is the jackpot's


@pytest.mark.rule("HG-G1a", 2)
def test_a_bank_that_is_right_charges_nobody() -> None:
    cage = home_session()
    (closed,) = cage.do(c.CloseBank(room=ROOM, counted_cash_cents=24000))
    assert closed.shortfall_cents == 0
    assert cage.balance(books.CAGE_CASH) == 350


@pytest.mark.rule("HG-G2", 1)
def test_the_least_buy_is_ten_dollars() -> None:
    refusal = Cage().refuses("P", 975)
    assert "HG-G2" in refusal.rules
    assert "$10" in refusal.message


@pytest.mark.rule("HG-G2", 2)
def test_the_most_is_fifty_dollars() -> None:
    cage = Cage()
    assert "HG-G2" in cage.refuses("P", 5025).rules
    assert cage.sell("P", 5000).cents == 5000


def test_the_maximum_counts_what_is_in_front() -> None:
    cage = Cage()
    assert cage.refuses("P", 2000, chips_in_front_cents=3100).options == ("buy up to $19",)


@pytest.mark.rule("HG-G2a", 1)
def test_the_last_money_may_be_added_to_chips_in_front() -> None:
    cage = Cage()
    cage.sell("P", 1000)
    assert cage.sell("P", 600, chips_in_front_cents=325, money_left_cents=600).cents == 600


@pytest.mark.rule("HG-G2a", 2)
def test_the_exception_needs_chips_in_front() -> None:
    cage = Cage()
    cage.sell("P", 1000)
    refusal = cage.refuses("P", 600, chips_in_front_cents=0, money_left_cents=600)
    assert "HG-G2a" in refusal.rules


def test_the_exception_needs_an_earlier_buy_and_little_money() -> None:
    cage = Cage()
    assert (
        cage.refuses("P", 600, chips_in_front_cents=325, money_left_cents=600).code
        == "UNDER_MINIMUM"
    )
    cage.sell("P", 1000)
    assert (
        cage.refuses("P", 600, chips_in_front_cents=325, money_left_cents=4000).code
        == "UNDER_MINIMUM"
    )


@pytest.mark.rule("HG-G3", 1)
def test_a_promise_buys_no_chips() -> None:
    assert Cage().refuses("P", 2000, 0).rules == ("HG-G3",)


@pytest.mark.rule("HG-G3", 2)
def test_cash_buys_chips() -> None:
    cage = Cage()
    cage.sell("P", 2000, 2000)
    assert cage.balance(books.PLAYERS_CHIPS) == 2000
    assert cage.balance(books.CAGE_CASH) == 2000


# ------------------------------------------------------------------------------------ tournaments


def tournament(cage: Cage, *, rebuy: bool) -> None:
    cage.do(c.StartTournament(room=ROOM, tournament="t", rebuy=rebuy, fee_cents=800))


@pytest.mark.rule("HG-G2b", 1)
def test_a_tournament_is_bought_into_by_its_own_form() -> None:
    cage = Cage()
    tournament(cage, rebuy=False)
    bought, fee = cage.do(
        c.TournamentBuyIn(room=ROOM, tournament="t", player_id="P", cash_received_cents=800)
    )
    assert bought.chips == 10000
    assert fee.player_id == "P"
    assert cage.balance(books.CAGE_CASH) == 800
    assert dict(cage.rules.table("game.tournament_starting_blinds")) == {"small": 25, "big": 50}


@pytest.mark.rule("HG-G2b", 2)
def test_a_single_buy_in_tournament_sells_no_second_one() -> None:
    cage = Cage()
    tournament(cage, rebuy=False)
    buy = c.TournamentBuyIn(room=ROOM, tournament="t", player_id="P", cash_received_cents=800)
    cage.do(buy)
    for _ in range(2):
        cage.do(c.BeginTournamentLevel(room=ROOM, tournament="t"))
    assert cage.world.state(tournament_stream(ROOM, "t")).level == 3
    with pytest.raises(Refused, match="single buy-in"):
        cage.do(buy)


def test_a_rebuy_tournament_sells_more() -> None:
    cage = Cage()
    tournament(cage, rebuy=True)
    for _ in range(2):
        cage.do(
            c.TournamentBuyIn(room=ROOM, tournament="t", player_id="P", cash_received_cents=800)
        )
    assert cage.world.state(tournament_stream(ROOM, "t")).bought_in == {"P": 2}


@pytest.mark.rule("HG-G8a", 1)
def test_coloring_up_by_single_cards() -> None:
    cage = Cage()
    tournament(cage, rebuy=False)
    (done,) = cage.do(
        c.ColorUp(
            room=ROOM,
            tournament="t",
            color="green",
            to_color="black",
            leftovers=(
                c.Holding(player_id="A", cents=3, cards=("5c", "6d", "Jc")),
                c.Holding(player_id="B", cents=1, cards=("8h",)),
                c.Holding(player_id="C", cents=2, cards=("Ks", "2d")),
                c.Holding(player_id="D", cents=2, cards=("4s", "10d")),
            ),
        )
    )
    assert done.pooled_chips == 200
    assert done.new_chips == (("C", 2),)
    assert done.rules == ("HG-G8a", "HG-G8b")


def test_a_chip_race_gives_at_most_one_chip_a_player() -> None:
    cage = Cage("WP", banker="")
    tournament(cage, rebuy=False)
    leftovers = (
        c.Holding(player_id="A", cents=3, cards=("Kc", "Qd", "Jc")),
        c.Holding(player_id="B", cents=1, cards=("8h",)),
    )
    (done,) = cage.do(
        c.ColorUp(room=ROOM, tournament="t", color="green", to_color="black", leftovers=leftovers)
    )
    assert done.new_chips == (("A", 1),)


# ------------------------------------------------------------------------------------ counting chips


@pytest.mark.rule("HG-G4", 1)
def test_cash_chips_are_counted_by_the_cash_set() -> None:
    assert count_chips({"green": 3, "white": 4}, tournament=False, rules=Cage().rules) == 6400


@pytest.mark.rule("HG-G4", 2)
def test_the_same_colors_are_worth_other_sums_in_a_tournament() -> None:
    assert count_chips({"green": 3, "white": 4}, tournament=True, rules=Cage().rules) == 4075


@pytest.mark.rule("HG-G4a", 1)
def test_the_four_cash_colors() -> None:
    counted = count_chips(
        {"pink": 7, "white": 6, "red": 2, "green": 1}, tournament=False, rules=Cage().rules
    )
    assert counted == 3775


@pytest.mark.rule("HG-G4b", 1)
def test_a_starting_stack() -> None:
    counted = count_chips(
        {"green": 8, "black": 8, "purple": 6, "white": 6}, tournament=True, rules=Cage().rules
    )
    assert counted == 10000


def test_a_color_the_set_lacks_is_named() -> None:
    with pytest.raises(Refused, match="'blue'"):
        count_chips({"blue": 1}, tournament=False, rules=Cage().rules)


# ------------------------------------------------------------------------------------ odd chips


def settle(*holdings: tuple[str, int, tuple[str, ...]]) -> tuple[Cage, dict[str, int]]:
    cage = Cage(cash_cents=100_000)
    for player, cents, _ in holdings:
        cage.sell(player, 5000)
        more = max(0, cents - 5000)
        if more:
            cage.sell(player, max(1000, more))
    rows = tuple(
        c.Holding(player_id=player, cents=cents, cards=cards) for player, cents, cards in holdings
    )
    events = cage.do(c.SettleOddChips(room=ROOM, holdings=rows, odd_chip_cents=25))
    paid = {
        event.player_id: event.paid_cents for event in events if isinstance(event, e.ChipsRedeemed)
    }
    assert sum(paid.values()) == sum(cents for _, cents, _ in holdings)
    return cage, paid


@pytest.mark.rule("HG-G8", 1)
def test_the_highest_card_wins_all_odd_chips() -> None:
    cage, paid = settle(
        ("A", 4375, ("4h", "9c", "2s")),
        ("B", 1850, ("Kd", "5d")),
        ("C", 6125, ("Qs",)),
        ("D", 3000, ()),
    )
    assert paid == {"A": 4300, "B": 1950, "C": 6100, "D": 3000}
    won = cage.world.events(e.OddChipsWon)[0]
    assert (won.winner, won.card, won.pooled_cents) == ("B", "Kd", 150)


@pytest.mark.rule("HG-G8", 2)
def test_a_single_odd_chip_comes_back_to_its_owner() -> None:
    _, paid = settle(("A", 1225, ("2c",)), ("B", 1500, ()))
    assert paid == {"A": 1225, "B": 1500}


@pytest.mark.rule("HG-G8b", 1)
def test_three_of_a_kind_counts_for_nothing_in_the_draw() -> None:
    _, paid = settle(("A", 775, ("9c", "9d", "9s")), ("B", 925, ("Jh",)))
    assert paid == {"A": 700, "B": 1000}


@pytest.mark.parametrize(
    ("cards", "code"),
    [((("4h", "9c"),), "CARDS_NOT_ONE_PER_CHIP"), ((("4h", "4h", "9c"),), "CARD_TWICE")],
)
def test_cards_for_odd_chips_are_one_a_chip_and_of_one_deck(cards: Any, code: str) -> None:
    with pytest.raises(Refused) as caught:
        settle(("A", 4375, cards[0]))
    assert caught.value.code == code


def test_odd_chips_are_not_paid_in_mid_session() -> None:
    cage = Cage()
    cage.sell("P", 2000)
    with pytest.raises(Refused, match="settled by cards"):
        cage.do(c.RedeemChips(room=ROOM, player_id="P", cents=1825))
    cage.do(c.RedeemChips(room=ROOM, player_id="P", cents=1800))


# ------------------------------------------------------------------------------------ checks


@pytest.mark.rule("LC-29", 1)
def test_no_chips_before_the_check_is_processed() -> None:
    cage = Cage("LC", banker="")
    cage.do(c.AcceptCheck(room=ROOM, check_id="k1", player_id="P2", cents=50000, table="t1"))
    with pytest.raises(Refused) as caught:
        cage.do(c.DeliverCheckChips(room=ROOM, check_id="k1"))
    assert caught.value.code == "CHECK_NOT_PROCESSED"
    assert caught.value.rules == ("LC-29",)
    assert cage.balance(books.PLAYERS_CHIPS) == 0


@pytest.mark.rule("LC-29", 2)
def test_chips_go_out_once_the_check_is_processed() -> None:
    cage = Cage("LC", banker="")
    cage.do(c.AcceptCheck(room=ROOM, check_id="k1", player_id="P2", cents=50000, table="t1"))
    cage.do(c.ProcessCheck(room=ROOM, check_id="k1"))
    (given,) = cage.do(c.DeliverCheckChips(room=ROOM, check_id="k1"))
    assert given.cents == 50000
    with pytest.raises(Refused, match="not known"):
        cage.do(c.DeliverCheckChips(room=ROOM, check_id="k1"))


# ------------------------------------------------------------------------------------ beyond the cases


def test_chips_seen_on_a_table_that_nobody_sold_are_booked_as_unexplained() -> None:
    cage = Cage("WP", banker="")
    cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id="P", cents=700))
    assert cage.balance(books.UNEXPLAINED_CHIPS) == -700
    assert cage.balance(books.table_chips("t1")) == 700


def test_the_cage_redeems_no_more_than_players_hold() -> None:
    cage = Cage("WP", banker="", cash_cents=100_000)
    cage.sell("P", 1000)
    with pytest.raises(Refused) as caught:
        cage.do(c.RedeemChips(room=ROOM, player_id="P", cents=1100))
    assert caught.value.rules == ("CR-8",)


def test_a_shift_that_counts_otherwise_needs_a_reason() -> None:
    cage = Cage("WP", banker="", cash_cents=100_000)
    cage.do(c.OpenShift(room=ROOM, shift="s1"))
    short = c.CloseShift(
        room=ROOM, shift="s1", counted_cash_cents=99_000, counted_chips_cents=1_000_000
    )
    with pytest.raises(Refused, match="needs a reason"):
        cage.do(short)
    (closed,) = cage.do(
        c.CloseShift(
            room=ROOM,
            shift="s1",
            counted_cash_cents=99_000,
            counted_chips_cents=1_000_000,
            reason="short one strap",
        )
    )
    assert closed.expected_cash_cents == 100_000
    assert cage.balance(books.CAGE_CASH) == 99_000


def test_two_people_count_a_drop_box() -> None:
    cage = Cage("WP", banker="")
    cage.sell("P", 10000)
    cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id="P", cents=10000))
    cage.do(c.NoteDrop(room=ROOM, table="t1", hand_id="h1", cents=400, what="rake"))
    with pytest.raises(Refused, match="fewer than two"):
        cage.do(c.CountDrop(room=ROOM, table="t1", counted_cents=400, counted_by=("Ann",)))
    (counted,) = cage.do(
        c.CountDrop(room=ROOM, table="t1", counted_cents=400, counted_by=("Ann", "Bo"))
    )
    assert counted.expected_cents == 400
    assert cage.balance(books.drop_chips("t1")) == 0


def test_a_jackpot_share_is_paid_from_the_jackpots_chips_once() -> None:
    cage = Cage()
    cage.sell("P", 5000)
    cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id="P", cents=5000))
    cage.do(c.NoteJackpotDrop(room=ROOM, table="t1", hand_id="h1", cents=300))
    cage.do(
        c.NotePayout(
            room=ROOM,
            payout_id="j1.3",
            player_id="P",
            cents=200,
            reason="jackpot",
            rules=("HG-JT1",),
        )
    )
    (paid,) = cage.do(c.PayOut(room=ROOM, payout_id="j1.3"))
    assert paid.rules == ("HG-JT1",)
    assert cage.balance(books.jackpot_chips()) == 100
    with pytest.raises(Refused, match="not known"):
        cage.do(c.PayOut(room=ROOM, payout_id="j1.3"))


def test_an_adjustment_is_a_shift_managers_act_with_a_cause() -> None:
    cage = Cage("WP", banker="")
    fix = c.Adjust(
        room=ROOM,
        from_account=books.UNEXPLAINED_CHIPS,
        to_account=books.CAGE_CHIPS,
        cents=100,
        reason="x",
    )
    with pytest.raises(Refused):
        cage.do(fix, "cage")
    cage.do(fix, "shift_manager")
    cross = c.Adjust(
        room=ROOM, from_account=books.CAGE_CASH, to_account=books.CAGE_CHIPS, cents=100, reason="x"
    )
    with pytest.raises(Refused, match="chips move to chips"):
        cage.do(cross, "shift_manager")


def test_a_runner_carries_chips_that_are_counted_all_the_way() -> None:
    cage = Cage("WP", banker="")
    cage.do(
        c.SendRunner(
            room=ROOM,
            run_id="r1",
            runner="Cy",
            player_id="P",
            table="t1",
            cents=20000,
            cash_received_cents=20000,
        )
    )
    assert cage.balance(books.transit_chips()) == 20000
    cage.do(c.RunnerArrives(room=ROOM, run_id="r1"))
    assert cage.balance(books.PLAYERS_CHIPS) == 20000


def test_the_day_closes_and_balances_go_on() -> None:
    cage = Cage("WP", banker="", cash_cents=500)
    cage.sell("P", 10000)
    before = cage.ledger.balances
    closed, carried = cage.do(c.CloseDay(room=ROOM, gaming_day="2026-03-07"))
    assert closed.chips_issued_cents == 1_000_000
    assert carried.gaming_day == "2026-03-07"
    assert cage.ledger.balances == before
    assert cage.ledger.sold_cents == 0


def test_a_hand_taken_up_again_gives_its_take_back() -> None:
    cage = Cage("WP", banker="")
    cage.sell("P", 10000)
    cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id="P", cents=10000))
    for _ in range(2):
        cage.do(c.NoteDrop(room=ROOM, table="t1", hand_id="h1", cents=400, what="rake"))
        cage.do(c.NoteJackpotDrop(room=ROOM, table="t1", hand_id="h1", cents=100))
        for what, cents in (("rake", 400), ("jackpot", 100)):
            cage.do(c.NoteTakeReturned(room=ROOM, table="t1", hand_id="h1", cents=cents, what=what))
        assert cage.balance(books.table_chips("t1")) == 10000
    assert cage.balance(books.drop_chips("t1")) == 0
    assert cage.balance(books.jackpot_chips()) == 0


def test_a_take_goes_back_from_the_cage_once_its_box_was_counted() -> None:
    cage = Cage("WP", banker="")
    cage.sell("P", 10000)
    cage.do(c.NoteChipsToTable(room=ROOM, table="t1", player_id="P", cents=10000))
    cage.do(c.NoteDrop(room=ROOM, table="t1", hand_id="h1", cents=400, what="rake"))
    cage.do(c.CountDrop(room=ROOM, table="t1", counted_cents=400, counted_by=("Ann", "Bo")))
    cage.do(c.NoteTakeReturned(room=ROOM, table="t1", hand_id="h1", cents=400, what="rake"))
    assert cage.balance(books.table_chips("t1")) == 10000
