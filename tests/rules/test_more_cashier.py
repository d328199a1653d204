"""More examples of the bank: sums at the limits, odd chips, coloring up, checks in every book."""

import pytest

from cardroom.cashier import commands as c
from cardroom.cashier import ledger as books
from cardroom.cashier.sales import count_chips
from cardroom.kernel.refusal import Refused
from tests.plugins.world import ROOM
from tests.rules.test_cashier_cases import Cage, settle, tournament


@pytest.mark.rule("HG-G2")
@pytest.mark.parametrize(
    ("cents", "in_front", "code"),
    [
        (999, 0, "UNDER_MINIMUM"),
        (1000, 0, ""),
        (5000, 0, ""),
        (5001, 0, "OVER_MAXIMUM"),
        (1000, 4000, ""),
        (1025, 4000, "OVER_MAXIMUM"),
        (975, 4000, "UNDER_MINIMUM"),
    ],
)
def test_the_least_and_the_most_buy(cents: int, in_front: int, code: str) -> None:
    cage = Cage()
    if code:
        assert cage.refuses("P", cents, chips_in_front_cents=in_front).code == code
    else:
        assert cage.sell("P", cents, chips_in_front_cents=in_front).cents == cents


@pytest.mark.rule("HG-G2a")
@pytest.mark.parametrize(
    ("cents", "left", "good"),
    [(999, 999, True), (1, 1, True), (400, 600, True), (600, 1000, False), (700, 600, False)],
)
def test_the_last_money(cents: int, left: int, good: bool) -> None:
    cage = Cage()
    cage.sell("P", 1000)
    told = {"chips_in_front_cents": 25, "money_left_cents": left}
    if good:
        assert cage.sell("P", cents, **told).cents == cents
    else:
        assert "HG-G2a" in cage.refuses("P", cents, **told).rules


@pytest.mark.rule("HG-G3")
@pytest.mark.parametrize("book", ["HG", "WP", "LC", "RC"])
@pytest.mark.parametrize("cash", [0, 1999])
def test_no_house_sells_on_credit(book: str, cash: int) -> None:
    cage = Cage(book, banker="H" if book == "HG" else "")
    assert cage.refuses("P", 2000, cash).code == "CASH_FIRST"


@pytest.mark.rule("HG-G1a")
@pytest.mark.parametrize(("counted", "short"), [(0, 4000), (3999, 1), (4000, 0), (4100, 0)])
def test_what_the_banker_makes_good(counted: int, short: int) -> None:
    cage = Cage()
    cage.sell("P", 4000)
    (closed,) = cage.do(c.CloseBank(room=ROOM, counted_cash_cents=counted))
    assert (closed.owed_cents, closed.shortfall_cents) == (4000, short)
    assert cage.balance(books.PLAYERS_CHIPS) == 0


@pytest.mark.rule("HG-G4")
@pytest.mark.rule("HG-G4a")
@pytest.mark.rule("HG-G4b")
def test_chips_of_both_sets() -> None:
    rules = Cage().rules
    assert count_chips({"pink": 3}, tournament=False, rules=rules) == 75
    assert count_chips({"red": 9, "pink": 1}, tournament=False, rules=rules) == 4525
    assert count_chips({"brown": 2, "green": 1}, tournament=True, rules=rules) == 10025
    with pytest.raises(Refused):
        count_chips({"brown": 1}, tournament=False, rules=rules)
    with pytest.raises(Refused):
        count_chips({"pink": 1}, tournament=True, rules=rules)


@pytest.mark.rule("HG-G8")
@pytest.mark.rule("HG-G8b")
def test_of_two_equal_ranks_the_higher_suit_wins_all() -> None:
    _, paid = settle(
        ("A", 1050, ("Kh", "2c")), ("B", 1025, ("Ks",)), ("C", 1275, ("Kd", "Qs", "3c"))
    )
    assert paid == {"A": 1000, "B": 1000 + 150, "C": 1200}


@pytest.mark.rule("HG-G8")
def test_without_odd_chips_nobody_draws() -> None:
    cage, paid = settle(("A", 1200, ()), ("B", 1500, ()))
    assert paid == {"A": 1200, "B": 1500}
    assert cage.balance(books.PLAYERS_CHIPS) == 10000 - 2700


@pytest.mark.rule("HG-G8")
@pytest.mark.parametrize("book", ["WP", "LC", "RC"])
def test_other_houses_pay_every_chip_at_its_face(book: str) -> None:
    cage = Cage(book, banker="", cash_cents=10_000)
    cage.sell("P", 5000)
    (paid,) = cage.do(c.RedeemChips(room=ROOM, player_id="P", cents=4375))
    assert paid.paid_cents == 4375


@pytest.mark.rule("HG-G8a")
def test_black_is_colored_up_to_purple_by_the_same_draw() -> None:
    cage = Cage()
    tournament(cage, rebuy=False)
    (done,) = cage.do(
        c.ColorUp(
            room=ROOM,
            tournament="t",
            color="black",
            to_color="purple",
            leftovers=(
                c.Holding(player_id="A", cents=4, cards=("Ac", "Ad", "Ah", "2s")),
                c.Holding(player_id="B", cents=1, cards=("As",)),
            ),
        )
    )
    assert (done.pooled_chips, done.new_chips) == (500, (("B", 1),))


@pytest.mark.rule("HG-G2b")
@pytest.mark.parametrize("fee", [0, 799, 801])
def test_the_fee_is_the_tournaments_own(fee: int) -> None:
    cage = Cage()
    tournament(cage, rebuy=True)
    with pytest.raises(Refused) as caught:
        cage.do(
            c.TournamentBuyIn(room=ROOM, tournament="t", player_id="P", cash_received_cents=fee)
        )
    assert caught.value.code == "FEE_DIFFERS"


@pytest.mark.rule("LC-29")
@pytest.mark.parametrize("book", ["LC", "RC", "WP"])
def test_every_cage_processes_a_check_first(book: str) -> None:
    cage = Cage(book, banker="")
    cage.do(c.AcceptCheck(room=ROOM, check_id="k", player_id="P", cents=20000, table="t1"))
    with pytest.raises(Refused) as caught:
        cage.do(c.DeliverCheckChips(room=ROOM, check_id="k"))
    assert caught.value.code == "CHECK_NOT_PROCESSED"
    cage.do(c.ProcessCheck(room=ROOM, check_id="k"))
    cage.do(c.DeliverCheckChips(room=ROOM, check_id="k"))
    assert cage.balance(books.PLAYERS_CHIPS) == 20000
