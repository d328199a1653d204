"""Faults that random play found, each kept as the hand that showed it."""

from datetime import UTC, datetime

import pytest

from cardroom.known.games import Form, Structure
from cardroom.poker.highlow import Halves, by_declaration
from cardroom.poker.reading import Worth
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, evolve, history_of
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Phase, Post, PostKind
from cardroom.tables.hand_start import HandSetup, start_hand
from tests.plugins.hand_play import IDS, Play, blinds, game, hc

NL_STUD = game(4, form=Form.STUD, structure=Structure.NO_LIMIT, ante=1, bring_in=2)
NL = game(4, structure=Structure.NO_LIMIT, blinds=(2, 4))
THREE = {1: 100, 2: 100, 3: 100}
PLAYERS = blinds((1, 2), (2, 4))


def third_street() -> Play:
    """Return third street of three with the low card in seat 1."""
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in THREE)
    play = Play("WP", NL_STUD, dict(THREE), posts=antes)
    return play.deal(up=((1, "2c"), (2, "9s"), (3, "Ts")))


def test_a_bring_in_is_completed_to_the_least_bet_where_amounts_are_open() -> None:
    play = third_street().do("1 bringin")
    assert play.options() == {"fold", "call 2", "complete 4-99"}
    play.do("2 complete 4")
    assert play.options() == {"fold", "call 4", "raise 8-99"}


def test_what_completes_a_bring_in_is_a_bet_of_its_whole_amount() -> None:
    play = third_street().do("1 bringin, 2 complete 10")
    assert play.options() == {"fold", "call 10", "raise 20-99"}


def test_an_all_in_between_the_bring_in_and_the_bet_opens_nothing() -> None:
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in THREE)
    play = Play("WP", NL_STUD, {1: 100, 2: 4, 3: 100}, posts=antes)
    play.deal(up=((1, "2c"), (2, "9s"), (3, "Ts"))).do("1 bringin, 2 allin, 3 call")
    assert play.options() == {"fold", "call 1"}


@pytest.mark.parametrize("form", [Form.FIVE_CARD_DRAW, Form.LOWBALL])
def test_the_last_to_draw_ruled_dead_opens_the_next_round(form: Form) -> None:
    play = Play("WP", game(4, 8, form=form, blinds=(2, 4)), dict(THREE), button=3, posts=PLAYERS)
    play.do("3 call, 1 call, 2 check")
    for seat in (1, 2):
        play.enter(hc.Exchange(**IDS, seat=seat, count=1))
    play.enter(hc.RuleHandDead(**IDS, seat=3, rules=("CR-6",)))
    assert (play.state.phase, play.state.street, play.state.to_act) == (Phase.BETTING, 1, 1)
    assert play.options() == {"fold", "check", "bet 8"}


def test_the_last_to_draw_ruled_dead_with_all_others_all_in_brings_the_showdown() -> None:
    a_game = game(4, form=Form.FIVE_CARD_DRAW, structure=Structure.NO_LIMIT, blinds=(2, 4))
    play = Play("WP", a_game, {1: 20, 2: 20, 3: 100}, button=3, posts=PLAYERS)
    play.do("3 raise 20, 1 call, 2 call")
    for seat in (1, 2):
        play.enter(hc.Exchange(**IDS, seat=seat, count=0))
    play.enter(hc.RuleHandDead(**IDS, seat=3, rules=("CR-6",)))
    assert play.state.phase is Phase.SHOWDOWN
    assert play.state.order == (1, 2)


def test_the_last_to_discard_ruled_dead_lets_the_flop_come() -> None:
    a_game = game(4, 8, form=Form.PINEAPPLE, blinds=(2, 4))
    play = Play("WP", a_game, dict(THREE), button=3, posts=PLAYERS).do("3 call, 1 call, 2 check")
    for seat in (1, 2):
        play.enter(hc.Exchange(**IDS, seat=seat, count=1))
    play.enter(hc.RuleHandDead(**IDS, seat=3, rules=("CR-6",)))
    assert play.state.phase is Phase.DEALING
    play.deal("As Kd 7h")
    assert play.state.to_act == 1


SPOKEN = {"highlow__mode": "declare", "highlow__declare_method": "spoken_in_turn"}


def declaring(values: dict[str, object]) -> Play:
    """Return stud high-low of three at its declaring."""
    a_game = game(4, 8, form=Form.STUD_HIGH_LOW, ante=1, bring_in=2)
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in THREE)
    play = Play("HG", a_game, dict(THREE), posts=antes, values=values)
    for cards in ("2c 9s Ts", "3c 8s Js", "4c 7s Qs", "5c 6s Ks"):
        play.deal(up=tuple(enumerate(cards.split(), 1))).check_around()
    play.deal().check_around()
    assert play.state.phase is Phase.DECLARING
    return play


def test_the_last_to_declare_aloud_ruled_dead_ends_the_declaring() -> None:
    play = declaring(SPOKEN)
    for seat, way in ((1, "low"), (2, "high")):
        play.enter(hc.DeclareAloud(**IDS, seat=seat, way=way))
    play.enter(hc.RuleHandDead(**IDS, seat=3, rules=("CR-6",)))
    assert play.state.phase is Phase.SHOWDOWN
    assert play.state.ways == ((1, "low"), (2, "high"))


def test_an_entry_before_spoken_declarations_can_be_corrected() -> None:
    play = declaring(SPOKEN)
    for seat, way in ((1, "low"), (2, "high"), (3, "both")):
        play.enter(hc.DeclareAloud(**IDS, seat=seat, way=way))
    versions = {type(event): version for version, event in history_of(play.state)}
    again = hc.Check(**IDS, seat=play.state.chairs[-1].seat)
    last = [e for _, e in history_of(play.state) if isinstance(e, ev.ActionTaken)][-1]
    again = hc.Check(**IDS, seat=last.seat)
    play.enter(
        hc.CorrectEntry(
            **IDS, entry=versions[ev.ActionTaken], corrected=again, reason="entered once more"
        )
    )
    assert play.state.ways == ((1, "low"), (2, "high"), (3, "both"))


def test_chips_told_as_the_fists_open_stand_after_a_correction() -> None:
    play = declaring({"highlow__mode": "declare"})
    for seat in THREE:
        play.enter(hc.SealDeclaration(**IDS, seat=seat))
    play.enter(hc.RevealDeclarations(**IDS, chips=((1, 1), (2, 2), (3, 3))))
    ways = play.state.ways
    actions = [(v, e) for v, e in history_of(play.state) if isinstance(e, ev.ActionTaken)]
    version, last = actions[-1]
    again = hc.Check(**IDS, seat=last.seat)
    play.enter(hc.CorrectEntry(**IDS, entry=version, corrected=again, reason="entered once more"))
    assert play.state.ways == ways


def test_a_pot_nobody_has_a_claim_to_goes_by_the_cards() -> None:
    worths = {1: Worth(900, 0), 2: Worth(500, 0), 3: Worth(700, 80)}
    low_only = by_declaration(
        (1, 2, 3), worths, {1: "low", 2: "low", 3: "none"}, tie_keeps_win=True
    )
    assert low_only == Halves((1,), ())
    nobody = by_declaration((1, 2, 3), worths, dict.fromkeys((1, 2, 3), "none"), tie_keeps_win=True)
    assert nobody == Halves((1,), (3,))


def test_both_ways_and_beaten_beside_a_low_that_does_not_qualify_goes_by_the_cards() -> None:
    worths = {1: Worth(900, 0), 2: Worth(500, 0), 3: Worth(700, 80)}
    ways = {1: "both", 2: "low", 3: "both"}
    assert by_declaration((1, 2, 3), worths, ways, tie_keeps_win=True) == Halves((1,), (3,))


def test_blinds_do_not_chop_with_one_players_ante_for_all_in_the_pot() -> None:
    ante = Post(seat=1, kind=PostKind.ANTE, dead_cents=300)
    play = Play("LC", NL, {1: 100, 2: 100}, button=2, posts=(ante, *blinds((2, 2), (1, 4))))
    refused = play.refusal(hc.ChopBlinds(**IDS))
    assert refused.code == "POT_ENTERED"


def test_an_action_of_a_hand_that_was_won_without_a_showdown_can_be_corrected() -> None:
    play = Play("WP", NL, dict(THREE), button=3, posts=PLAYERS).do("3 raise 12, 1 fold, 2 fold")
    assert play.state.over
    raised = hc.RaiseTo(**IDS, seat=3, to_cents=1600)
    entry = next(v for v, e in history_of(play.state) if isinstance(e, ev.ActionTaken))
    play.enter(hc.CorrectEntry(**IDS, entry=entry, corrected=raised, reason="it was 16"))
    assert play.state.over
    assert play.stack(3) == 106


def test_seventh_street_stays_dealt_when_an_entry_before_it_is_corrected() -> None:
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in THREE)
    a_game = game(4, 8, form=Form.STUD, ante=1, bring_in=2)
    play = Play("WP", a_game, dict.fromkeys(THREE, 3), posts=antes)
    play.deal(up=((1, "2c"), (2, "9s"), (3, "Ts"))).check_around()
    for cards in ("3c 8s Js", "4c 7s Qs", "5c 6s Ks"):
        play.deal(up=tuple(enumerate(cards.split(), 1)))
    play.deal()
    assert play.state.phase is Phase.SHOWDOWN
    dealt = [(v, e) for v, e in history_of(play.state) if isinstance(e, ev.StreetDealt)]
    version, sixth = dealt[-2]
    again = hc.DealStreet(**IDS, up=((1, "5d"), *sixth.up[1:]))
    play.enter(hc.CorrectEntry(**IDS, entry=version, corrected=again, reason="a five of diamonds"))
    assert play.state.phase is Phase.SHOWDOWN


def test_a_collection_kept_by_the_house_stays_kept_when_a_voided_hand_is_corrected() -> None:
    collection = Post(seat=3, kind=PostKind.COLLECTION, house_cents=300)
    play = Play("WP", NL, dict(THREE), button=3, posts=(*PLAYERS, collection)).do("3 call")
    void = hc.VoidHand(**IDS, reason="misdeal", rules=("CR-6",), collection_returned=False)
    play.enter(void)
    entry = next(v for v, e in history_of(play.state) if isinstance(e, ev.ActionTaken))
    again = hc.Fold(**IDS, seat=3)
    play.enter(hc.CorrectEntry(**IDS, entry=entry, corrected=again, reason="seat 3 folded"))
    assert [play.stack(seat) for seat in THREE] == [100, 100, 97]


def test_cards_put_away_unseen_leave_nothing_known_of_the_hand() -> None:
    a_game = game(4, form=Form.FIVE_CARD_DRAW, structure=Structure.NO_LIMIT, blinds=(2, 4))
    play = Play("WP", a_game, {1: 20, 2: 20}, button=2, posts=blinds((2, 2), (1, 4)))
    play.holds({1: "2h 2c Tc ?? ??"}).do("2 call, 1 check")
    play.enter(hc.Exchange(**IDS, seat=1, count=3))
    chair = next(chair for chair in play.state.chairs if chair.seat == 1)
    assert chair.down == ("??",) * 5
    assert chair.put_away == ("??",) * 3


def test_discards_nobody_saw_do_not_hold_up_the_flop() -> None:
    a_game = game(4, 8, form=Form.PINEAPPLE, blinds=(2, 4))
    play = Play("WP", a_game, dict(THREE), button=3, posts=PLAYERS).do("3 call, 1 call, 2 check")
    for seat in THREE:
        play.enter(hc.Exchange(**IDS, seat=seat, count=1))
    assert play.deal("As Kd 7h").state.phase is Phase.BETTING


def seventh_street(noted: str) -> Play:
    """Return razz of two at its showdown, seat 1's seven cards told in part, seat 2's all."""
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in (1, 2))
    a_game = game(4, 8, form=Form.RAZZ, ante=1, bring_in=2)
    play = Play("WP", a_game, {1: 100, 2: 100}, posts=antes)
    for at, up in enumerate(("4h 6d", "Qs Td", "7s 6h", "Qh Ad")):
        play.deal(up=tuple(enumerate(up.split(), 1)))
        if not at:
            play.holds({1: noted, 2: "Ah 7h"})
        play.check_around()
    play.deal().holds({1: "2c", 2: "6c"}).check_around()
    return play.show(1, 2)


def test_a_card_of_a_later_street_is_not_one_that_was_dealt_unseen() -> None:
    play = seventh_street("?? 4c")
    chair = next(chair for chair in play.state.chairs if chair.seat == 1)
    assert sorted(chair.down) == ["2c", "4c", "??"]
    assert play.refusal(hc.AwardPots(**IDS, losers_killed=True)).code == "WINNER_UNKNOWN"


def test_a_stud_hand_that_lacks_a_card_is_not_read_without_it() -> None:
    play = seventh_street("4c")
    assert play.refusal(hc.AwardPots(**IDS, losers_killed=True)).code == "WINNER_UNKNOWN"


def test_an_all_in_of_an_unknown_stack_may_be_what_a_known_one_may() -> None:
    a_game = game(4, 8, blinds=(2, 4))
    said: dict[int, int | None] = {1: 100, 2: None, 3: 6, 4: 100}
    play = Play("LC", a_game, dict(said), button=4, posts=blinds((1, 2), (2, 4)))
    play.do("3 allin, 4 call, 1 call")
    known = Play("LC", a_game, {**said, 2: 9}, button=4, posts=blinds((1, 2), (2, 4)))
    known.do("3 allin, 4 call, 1 call, 2 allin")
    play.do("2 allin 9")
    assert play.state.betting == known.state.betting


def test_who_was_given_a_forfeited_pot_still_is_after_a_correction() -> None:
    play = Play("WP", NL, {1: 10, 2: 30, 3: 30, 4: 10}, button=4, posts=PLAYERS)
    play.do("3 raise 30, 4 call, 1 call, 2 call").deal().deal()
    for seat in (2, 3):
        play.enter(hc.RuleHandDead(**IDS, seat=seat, rules=("CR-6",)))
    play.deal()
    play.enter(hc.AwardPots(**IDS, pot=1, losers_killed=True, winners=(3,)))
    play.show(1, 4).enter(hc.AwardPots(**IDS, pot=0, losers_killed=True, winners=(1,)))
    assert play.won() == {1: 40, 3: 40}
    before = play.won()
    entry = next(v for v, e in history_of(play.state) if isinstance(e, ev.ActionTaken))
    again = hc.RaiseTo(**IDS, seat=3, to_cents=3000)
    play.enter(hc.CorrectEntry(**IDS, entry=entry, corrected=again, reason="entered once more"))
    assert play.won() == before


DRAW = game(4, form=Form.FIVE_CARD_DRAW, structure=Structure.NO_LIMIT, blinds=(2, 4))


@pytest.mark.parametrize("form", [Form.FIVE_CARD_DRAW, Form.PINEAPPLE])
def test_nobody_shows_a_hand_that_has_cards_to_exchange_yet(form: Form) -> None:
    # Given everybody all-in with an exchange to come,
    a_game = game(4, form=form, structure=Structure.NO_LIMIT, blinds=(2, 4))
    play = Play("WP", a_game, {1: 20, 2: 20}, button=2, posts=blinds((2, 2), (1, 4)))
    play.do("2 raise 20, 1 call")
    assert play.state.phase is Phase.EXCHANGING
    # when one of them wants to show, then that waits until all have exchanged.
    assert play.refusal(hc.ShowHand(**IDS, seat=1)).code == "EXCHANGE_FIRST"
    for seat in play.state.order:
        play.enter(hc.Exchange(**IDS, seat=seat, count=1))
    assert play.state.betting_over
    assert play.show(1).state.chairs[0].tabled


def test_nobody_shows_a_hand_before_all_have_declared() -> None:
    # Given stud high-low with declaring, everybody all-in on third street,
    a_game = game(4, 8, form=Form.STUD_HIGH_LOW, ante=1, bring_in=2)
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in THREE)
    play = Play("HG", a_game, dict.fromkeys(THREE, 3), posts=antes, values=SPOKEN)
    play.deal(up=((1, "2c"), (2, "9s"), (3, "Ts"))).check_around()
    for _ in range(4):
        play.deal()
    assert play.state.phase is Phase.DECLARING
    # when one of them wants to show, then the ways come first, and nobody drops out of their order.
    first = play.state.order[0]
    assert play.refusal(hc.ShowHand(**IDS, seat=first)).code == "DECLARATIONS_FIRST"
    for seat in play.state.order:
        play.enter(hc.DeclareAloud(**IDS, seat=seat, way="high"))
    assert play.state.phase is Phase.SHOWDOWN
    play.show(first)


def test_the_last_to_draw_ruled_dead_ends_a_hand_without_a_pot() -> None:
    # Given two in a draw without blinds or antes, one of whom has drawn,
    a_game = game(4, form=Form.FIVE_CARD_DRAW, structure=Structure.NO_LIMIT)
    play = Play("WP", a_game, {1: 20, 2: 20}, button=2).check_around()
    play.enter(hc.Exchange(**IDS, seat=1, count=0))
    # when the other one's hand is dead, then the hand is over and nobody won anything.
    play.enter(hc.RuleHandDead(**IDS, seat=2, rules=("CR-6",)))
    assert play.state.phase is Phase.SETTLED
    assert [result.won_cents for result in play.state.results] == [0, 0]


def test_cards_put_away_unseen_from_a_known_hand_are_not_kept_beside_the_new_ones() -> None:
    # Given a hand known in full,
    play = Play("WP", DRAW, {1: 20, 2: 20}, button=2, posts=blinds((2, 2), (1, 4)))
    play.holds({1: "2h 2c Tc Jd Qs"}).do("2 call, 1 check")
    # when its player draws three, the discards unseen and the new cards seen,
    play.enter(hc.Exchange(**IDS, seat=1, count=3, drawn=("3d", "4d", "5d")))
    # then it has five cards again, and which two were kept nobody knows.
    assert play.state.chairs[0].down == ("??", "??", "3d", "4d", "5d")


def raked_early(rest: str, rake_cents: int) -> Play:
    """Return a hand whose rake was taken while its main pot was to be a small one."""
    play = Play("WP", NL, {1: 3, 2: 30, 3: 30}, button=3, posts=PLAYERS)
    play.do("3 raise 30, 1 allin")
    play.enter(hc.TakeRake(**IDS, rake_cents=rake_cents - 100, jackpot_drop_cents=100))
    play.do(rest)
    for _ in range(3):
        play.deal()
    return play.show(*play.state.order)


@pytest.mark.parametrize(
    ("rest", "left"), [("2 call", {3: 52}), ("2 fold", {})], ids=["side pot", "hardly one"]
)
def test_rake_that_the_main_pot_does_not_hold_is_out_of_the_side_pot(
    rest: str, left: dict[int, int]
) -> None:
    # Given $11 of called wagers taken, and a main pot of $9 afterwards,
    play = raked_early(rest, 1100)
    assert play.state.pots[0].cents == 900
    # when the pots are pushed,
    play.award(winners=(3,))
    # then the main pot pays nobody, the side pot bears what is over, and no share is below nothing.
    assert play.won() == left
    awards = [event for event in play.events if isinstance(event, ev.PotAwarded)]
    assert sum(event.rake_cents for event in awards) == 1000
    assert sum(event.jackpot_drop_cents for event in awards) == 100
    assert all(event.rake_cents + event.jackpot_drop_cents <= event.cents for event in awards)


def test_no_rake_is_taken_of_what_nobody_called_or_from_a_pot_there_is_not() -> None:
    # Given a raise to $30 over blinds of $2 and $4: of the $36, $26 are not called,
    play = Play("WP", NL, {1: 30, 2: 30, 3: 30}, button=3, posts=PLAYERS).do("3 raise 30")
    # when more than $10 is to be taken, or a side pot is named, then it is refused.
    assert play.refusal(hc.TakeRake(**IDS, rake_cents=1001)).code == "POT_TOO_SMALL"
    assert play.refusal(hc.TakeRake(**IDS, rake_cents=100, pot=1)).code == "NO_SUCH_POT"
    assert play.refusal(hc.TakeRake(**IDS, rake_cents=100, pot=-1)).code == "NO_SUCH_POT"
    play.enter(hc.TakeRake(**IDS, rake_cents=1000))
    play.do("1 fold, 2 fold")
    assert [play.stack(seat) for seat in (1, 2, 3)] == [28, 26, 26]


def test_a_rewind_goes_only_to_where_an_entry_was_complete() -> None:
    # Given a hand that ended by the second fold, with a clock called before it,
    play = Play("WP", NL, dict(THREE), button=3, posts=PLAYERS).do("3 raise 12, 1 fold")
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    play.enter(hc.CallClock(**IDS, seat=2, at=noon))
    play.do("2 fold")
    assert play.state.over
    # when each version is tried, then those between the fold and what followed from it are refused,
    entered = (ev.HandStarted, ev.ActionTaken, ev.ClockCalled)
    events = history_of(play.state)
    last = max(version for version, event in events if isinstance(event, ev.ActionTaken))
    for version, event in events:
        command = hc.RewindHand(**IDS, to=version, reason="entered wrongly")
        if isinstance(event, entered) and version < last:
            (rewound,) = decide_hand(command, play.state, play.rules)
            # and at the others somebody is to act.
            assert evolve(play.state, rewound).to_act
        else:
            assert play.refusal(command).code == "ENTRY_UNKNOWN"


def test_a_rewind_does_not_part_a_clock_run_out_from_the_hand_it_killed() -> None:
    # Given a clock that ran out on a player who faced a raise,
    play = Play("WP", NL, dict(THREE), button=3, posts=PLAYERS).do("3 raise 12")
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    play.enter(hc.CallClock(**IDS, seat=1, at=noon))
    called = play.state.version
    clock = play.state.clock
    assert clock is not None
    due = clock.due_at
    play.enter(hc.ExpireClock(**IDS, seat=1, due_at=due, floor_at_table=False))
    expired = next(v for v, e in history_of(play.state) if isinstance(e, ev.ClockExpired))
    # when the hand is rewound, then only to before it ran out.
    again = hc.RewindHand(**IDS, to=expired, reason="the player had acted")
    assert play.refusal(again).code == "ENTRY_UNKNOWN"
    play.enter(hc.RewindHand(**IDS, to=called, reason="the player had acted"))
    assert (play.state.to_act, play.state.clock) == (1, None)


def test_no_clock_is_put_on_when_nobody_is_to_act() -> None:
    # Given a flop that is to be dealt, when a clock is called, then on no seat, 0 least of all.
    play = Play("WP", NL, dict(THREE), button=3, posts=PLAYERS).do("3 call, 1 call, 2 check")
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for seat in (0, 1):
        refused = play.refusal(hc.CallClock(**IDS, seat=seat, at=noon))
        assert (refused.code, refused.options) == ("NOT_TO_ACT", ())
        assert "nobody is" in refused.message


def test_who_acted_last_on_an_earlier_round_shows_first_after_one_of_folds_only() -> None:
    # Given seat 3 all-in before the flop, and seat 4 the last to check on the turn,
    play = Play("RC", NL, {1: 30, 2: 30, 3: 10, 4: 30}, button=4, posts=PLAYERS)
    play.do("3 raise 10, 4 call, 1 call, 2 call")
    for _ in range(2):
        play.deal().do("1 check, 2 check, 4 check")
    # when on the river the two others only fold,
    play.deal().do("1 fold, 2 fold")
    # then seat 4 shows first, though seat 3 sits closer to the button's left.
    assert play.state.phase is Phase.SHOWDOWN
    assert play.state.order == (4, 3)


LOW_LIMIT = game(6, 12, blinds=(2, 6))
COLLECTION = Post(seat=3, kind=PostKind.COLLECTION, house_cents=400, house_live=True)


def test_the_main_pot_lacks_a_live_collection_and_the_side_pot_does_not() -> None:
    # Given a live collection of $4 on the button, and the small blind all-in for the $6 that all put up,
    play = Play(
        "LC",
        LOW_LIMIT,
        {3: 100, 4: 6, 5: 100},
        button=3,
        posts=(*blinds((4, 2), (5, 6)), COLLECTION),
    )
    play.do("3 call, 4 call, 5 check")
    assert play.pots() == [(14, (3, 4, 5))]
    # when the other two go on, then what the main pot held stays, and the side pot is whole.
    play.deal().do("5 bet 6, 3 call")
    assert play.pots() == [(14, (3, 4, 5)), (12, (3, 5))]


def test_a_live_collection_that_nobody_called_does_not_come_back_from_the_house() -> None:
    # Given a big blind all-in for $3 and a button whose $4 went to the house and count,
    play = Play(
        "LC",
        LOW_LIMIT,
        {3: 100, 4: 100, 5: 3},
        button=3,
        posts=(*blinds((4, 2), (5, 6)), COLLECTION),
    )
    # when the button calls $6 and the small blind folds, then the $2 that lie there come back, and no more.
    play.do("3 call, 4 fold")
    assert play.stack(3) == 96
    assert play.pots() == [(5, (3, 5))]
    assert all(chair.put_in_cents >= 0 for chair in play.state.chairs)


@pytest.mark.parametrize(
    ("name", "cited"),
    [
        ("LC", ("LC-57",)),
        ("RC", ("RC-B4",)),
        ("HG", ("HG-B5", "WP-3R16", "HG-X3")),
        ("WP", ("WP-3R6", "WP-3R16")),
    ],
)
def test_an_amount_that_limit_does_not_know_is_refused_by_rules_of_the_book(
    name: str, cited: tuple[str, ...]
) -> None:
    # Given limit hold'em, when a raise is to neither amount of the round, then the book's own rules say no.
    play = Play(name, game(4, 8, blinds=(2, 4)), dict(THREE), button=3, posts=PLAYERS)
    refused = play.refused("3 raise 9")
    assert (refused.code, refused.rules) == ("AMOUNT_NOT_ALLOWED", cited)


def test_a_side_pot_that_was_pushed_is_not_pushed_again_when_only_its_winner_is_left() -> None:
    # Given a side pot pushed to seat 3,
    play = Play("WP", NL, {1: 10, 2: 30, 3: 30}, button=3, posts=PLAYERS)
    play.do("3 raise 30, 1 call, 2 call").deal().deal().deal().show(2, 3)
    play.enter(hc.AwardPots(**IDS, pot=1, losers_killed=True, winners=(3,)))
    # when both others are ruled dead,
    for seat in (1, 2):
        play.enter(hc.RuleHandDead(**IDS, seat=seat, rules=("CR-6",)))
    # then the main pot goes to seat 3 with it, and does so again after a correction.
    assert play.state.over
    assert [play.stack(seat) for seat in (1, 2, 3)] == [0, 0, 70]
    entry = next(v for v, e in history_of(play.state) if isinstance(e, ev.ActionTaken))
    again = hc.RaiseTo(**IDS, seat=3, to_cents=3000)
    play.enter(hc.CorrectEntry(**IDS, entry=entry, corrected=again, reason="entered once more"))
    assert [play.stack(seat) for seat in (1, 2, 3)] == [0, 0, 70]


def test_money_carried_over_is_nobody_who_can_be_told_cards_or_a_pot() -> None:
    # Given dead money carried over from an earlier hand, when it is named as if it were a player, then it is none.
    setup = HandSetup(
        hand="h1",
        room="r",
        table="t1",
        number=1,
        game=NL,
        button_seat=3,
        seats=tuple(ev.SeatDealt(seat=seat, player=f"p{seat}", stack_cents=9000) for seat in THREE),
        posts=PLAYERS,
        capture=ev.Capture(actions=ev.Known.NONE),
        carried_cents=500,
    )
    play = Play("WP", NL, dict(THREE), button=3, posts=PLAYERS)
    state = INITIAL
    for event in start_hand(setup, play.rules):
        state = evolve(state, event)
    play.state = state
    told = hc.NoteHoleCards(**IDS, hands=((0, ("As", "Kd")),))
    assert play.refusal(told).code == "SEAT_NOT_DEALT_IN"
    assert play.refusal(hc.NoteWinner(**IDS, seats=(0,))).code == "SEAT_NOT_DEALT_IN"
    assert play.enter(hc.NoteWinner(**IDS, seats=(1,), pot_cents=1100))
    assert [result.seat for result in play.state.results] == [1, 2, 3]
