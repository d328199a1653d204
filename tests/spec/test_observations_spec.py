"""What a player was seen to do, at a table: recorded with its finding, entered at once or once confirmed."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from cardroom.kernel.events import topic_of
from cardroom.known import Structure
from cardroom.poker.legal import Act
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as hev
from cardroom.tables import ruling_commands as rc
from cardroom.tables.events import EVENTS
from cardroom.tables.hand import INITIAL, evolve, history_of
from cardroom.tables.hand_events import Capture, Phase, Source
from cardroom.tables.observing import Observe
from tests.plugins.hand_play import IDS, Play, at_street, blinds, chips
from tests.plugins.hand_play import game as a_game
from tests.plugins.observing import back, enter, fact, moved, saw, seen
from tests.plugins.tables_world import LC_6_12, WP_10_20, Felt, T, game
from tests.plugins.world import ROOM

NL_1_2 = game(2, 0, (1, 2), structure=Structure.NO_LIMIT, seats=6, rake_cents=300)


def dealt(book: str = "WP", form: Any = WP_10_20, seats: str = "1-5") -> Felt:
    """Return a table with a hand dealt: button 1, blinds 2 and 3, seat 4 to act."""
    felt = Felt(book, form, seats)
    felt.draw(1)
    felt.start()
    return felt


def act(felt: Felt, cls: type[Any], seat: int = 0, **more: Any) -> Any:
    """Enter a command of the hand in play."""
    fields = {"seat": seat} if seat else {}
    return felt.do(cls(room=ROOM, table=T, hand=felt.hand.hand, **fields, **more))


def observe(felt: Felt, seat: int, motions: str = "", behind: str = "", **facts: Any) -> Any:
    """Report what a seat was seen to do; return the finding as recorded."""
    felt.run(Observe, "dealer", observed=seen(seat, motions, behind, **facts))
    return felt.notes.irregularities[-1].finding


def test_what_nobody_could_read_otherwise_is_entered_at_once() -> None:
    felt = dealt()
    finding = observe(felt, 4, "put 25")
    assert (finding.remedy, finding.binding) == ("call", True)
    taken = felt.last(hev.ActionTaken)
    assert (taken.seat, taken.act, taken.to_cents) == (4, Act.CALL, 1000)
    assert taken.rules == finding.rules == ("WP-3R15",)
    assert felt.hand.to_act == 5
    act(felt, do.Fold, 5)


def test_what_the_book_leaves_to_the_floor_stops_play_until_it_is_confirmed() -> None:
    felt = dealt("LC", LC_6_12)
    finding = observe(felt, 4, "put 2x3; put 2x3", called_by="seat:5")
    assert (finding.remedy, finding.binding) == ("string_raise", False)
    assert felt.hand.to_act == 4
    with pytest.raises(Exception, match="waits for the floor"):
        act(felt, do.Call, 4)
    by_dealer = felt.refused(
        rc.RuleOn, "dealer", hand=felt.table.last_hand, irregularity=1, decision="confirm"
    )
    assert by_dealer.code == "FLOOR_NEEDED"
    felt.run(rc.RuleOn, hand=felt.table.last_hand, irregularity=1, decision="confirm")
    taken = felt.last(hev.ActionTaken)
    assert (taken.act, taken.to_cents, taken.source) == (Act.CALL, 600, Source.FLOOR)
    assert taken.rules == finding.rules
    assert felt.hand.to_act == 5


def test_the_floor_chooses_another_remedy_with_a_reason_and_both_stay_on_record() -> None:
    felt = dealt("LC", LC_6_12)
    observe(felt, 4, "put 2x3; put 2x3", called_by="seat:5")
    rule: dict[str, Any] = {"hand": felt.table.last_hand, "irregularity": 1, "decision": "raise"}
    assert felt.refused(rc.RuleOn, **rule).code == "OVERRIDE_REASON"
    felt.run(rc.RuleOn, **rule, reason="one motion, seen by the dealer")
    taken = felt.last(hev.ActionTaken)
    assert (taken.act, taken.to_cents) == (Act.RAISE, 1200)
    (noted,) = felt.notes.irregularities
    assert noted.finding.remedy == "string_raise"
    assert (noted.rulings[0].decision, noted.rulings[0].confirmed) == ("raise", False)
    assert noted.rulings[0].reason == "one motion, seen by the dealer"


def test_a_finding_asks_for_the_fact_that_decides() -> None:
    felt = dealt()
    act(felt, do.RaiseTo, 4, to_cents=2000)
    finding = observe(felt, 5, "put 5x2")
    assert (finding.remedy, finding.missing) == ("fact_needed", ("aware",))
    felt.run(
        rc.AddFacts,
        "dealer",
        hand=felt.table.last_hand,
        irregularity=1,
        told=(("aware", "no"),),
    )
    revised = felt.notes.irregularities[0].finding
    assert revised.remedy == "may_take_back"
    felt.run(rc.RuleOn, hand=felt.table.last_hand, irregularity=1, decision="confirm")
    act(felt, do.Fold, 5)


def test_a_fact_that_makes_it_plain_enters_it() -> None:
    felt = dealt("LC", LC_6_12)
    finding = observe(felt, 4, "put =20")
    assert finding.missing == ("chips",)
    one_chip = '[{"did":"release","chips":[{"denomination_cents":2000,"count":1}]}]'
    felt.run(
        rc.AddFacts,
        "dealer",
        hand=felt.table.last_hand,
        irregularity=1,
        told=(("motions", one_chip),),
    )
    assert felt.last(hev.ActionTaken).act is Act.CALL
    assert felt.hand.to_act == 5


def test_nothing_is_entered_at_once_while_something_waits_for_the_floor() -> None:
    felt = dealt("LC", LC_6_12)
    observe(felt, 4, "put 2x3; put 2x3", called_by="seat:5")
    before = felt.hand.version
    observe(felt, 4, "say call")
    assert felt.hand.version == before


def test_a_report_that_cannot_be_read_is_refused_and_names_the_field() -> None:
    felt = dealt()
    wrong = felt.refused(Observe, "dealer", observed=seen(9, "put 10"))
    assert (wrong.code, wrong.field) == ("SEAT_NOT_DEALT_IN", "facts.seat")
    wrong = felt.refused(Observe, "dealer", observed=seen(4, "put 10", after=99))
    assert (wrong.code, wrong.field) == ("VERSION_UNKNOWN", "facts.after")
    wrong = felt.refused(Observe, "dealer", observed=seen(4, "put 10", asks="mercy"))
    assert (wrong.code, wrong.field) == ("FACT_MALFORMED", "facts.asks")
    wrong = felt.refused(
        rc.ReportIrregularity, "dealer", kind="observed", told=(("seat", "4"), ("motions", "put"))
    )
    assert (wrong.code, wrong.field) == ("FACT_MALFORMED", "facts.motions")
    twice = (("seat", "4"), ("aware", "yes"), ("aware", "no"))
    wrong = felt.refused(rc.ReportIrregularity, "dealer", kind="observed", told=twice)
    assert (wrong.code, wrong.field) == ("FACTS_MALFORMED", "facts")
    wrong = felt.refused(
        rc.ReportIrregularity, "dealer", kind="observed", told=(("seat", "4"), ("mood", "bad"))
    )
    assert (wrong.code, wrong.field) == ("FACT_MALFORMED", "facts.mood")


def test_at_a_counted_table_what_is_told_decides() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.count()
    asked = observe(felt, 4, "put 100")
    assert asked.missing == ("in_front_cents", "facing_cents")
    finding = observe(
        felt, 4, "put 100", in_front_cents=0, facing_cents=2000, raise_to_cents=4000, in_turn=True
    )
    assert (finding.remedy, finding.rules) == ("call", ("WP-3R15",))
    assert moved(finding) == back(4, 80)
    assert finding.entries == ()


def test_a_fold_that_was_seen_ends_the_hand_like_any_other() -> None:
    felt = Felt("WP", NL_1_2, "1,2", stack=100)
    felt.draw(1)
    felt.start()
    act(felt, do.Call, 1)
    act(felt, do.Check, 2)
    act(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    act(felt, do.Bet, 2, to_cents=400)
    observe(felt, 1, "throw")
    assert felt.hand.phase is Phase.SETTLED
    assert felt.last(de.HandClosed).taken == (de.Taken("rake", 300),)


def test_what_is_told_after_the_hand_is_judged_and_enters_nothing() -> None:
    felt = dealt()
    version = felt.hand.version
    act(felt, do.RaiseTo, 4, to_cents=2000)
    for seat in (5, 1, 2, 3):
        act(felt, do.Fold, seat)
    assert felt.hand.phase is Phase.SETTLED
    before = felt.hand
    finding = observe(felt, 4, "put 25", after=version)
    assert (finding.remedy, finding.entries) == ("call", ())
    assert not any("act again" in step and "seat 4" in step for step in finding.steps)
    assert felt.hand == before
    felt.start()


def test_the_clock_runs_out_by_a_timer_of_the_hand() -> None:
    felt = dealt()
    act(felt, do.CallClock, 4)
    refused = felt.refused(do.CallClock, "dealer", hand=felt.hand.hand, seat=4)
    assert refused.code == "CLOCK_RUNNING"
    ((at, command),) = felt.world.due()
    assert (at - felt.world.at).total_seconds() == 60
    felt.world.at = at + timedelta(seconds=1)
    late = felt.refused(do.Call, "dealer", hand=felt.hand.hand, seat=4)
    assert late.code == "CLOCK_EXPIRED"
    felt.do(command)
    assert felt.last(hev.ClockExpired).dead
    assert felt.hand.to_act == 5
    assert felt.world.due() == []


def test_while_the_floor_is_called_the_clock_kills_no_hand() -> None:
    felt = dealt("LC", LC_6_12)
    act(felt, do.CallClock, 4)
    observe(felt, 4, "put 2x3; put 2x3", called_by="seat:5")
    ((_, command),) = felt.world.due()
    felt.do(command)
    assert not felt.last(hev.ClockExpired).dead
    assert felt.hand.to_act == 4


# ------------------------------------------------------------------ the hand's record


def test_a_correction_enters_anew_what_a_ruling_had_entered() -> None:
    form = a_game(6, 12, chip=2, blinds=(2, 6))
    play = at_street("LC", form, "flop", {2: 100, 5: 100, 7: 100, 9: 100}, button=1)
    play.do("2 bet 6")
    entry = play.state.version
    play.do("5 raise 12")
    enter(play, saw(play, 7, "put 2x3", "9 call", aware=False))
    play.do("7 call, 2 fold")
    right = play.state
    wrong = at_street("LC", form, "flop", {2: 100, 5: 100, 7: 100, 9: 100}, button=1)
    wrong.do("2 check")
    wrong.enter(
        do.CorrectEntry(
            **IDS,
            entry=entry,
            corrected=do.Bet(**IDS, seat=2, to_cents=600),
            reason="it was a bet",
        )
    )
    wrong.do("5 raise 12")
    enter(wrong, saw(wrong, 7, "put 2x3", "9 call", aware=False))
    wrong.do("7 call, 2 fold")
    assert (wrong.state.chairs, wrong.state.pots) == (right.chairs, right.pots)
    version = next(number for number, one in numbered(wrong) if isinstance(one, hev.ChipsLeftIn))
    wrong.enter(do.RewindHand(**IDS, to=version - 1, reason="he had called at once"))
    wrong.do("7 call, 9 call, 2 fold")
    assert [chair.stack_cents for chair in wrong.state.chairs] == [
        chair.stack_cents for chair in right.chairs
    ]


@pytest.mark.parametrize(
    ("book", "motions", "facts", "then"),
    [
        ("WP", "tap", {}, "5 check, 8 check"),
        ("LC", "put 2x3", {"deliberate": True}, "5 bet 6, 8 call, 2 fold"),
        ("HG", "throw", {}, "5 bet 6, 2 call"),
    ],
)
def test_a_corrected_entry_keeps_what_was_ruled_after_it(
    book: str, motions: str, facts: dict[str, Any], then: str
) -> None:
    form = a_game(6, 12, chip=2, blinds=(2, 6))
    play = at_street(book, form, "flop", {2: 100, 5: 100, 8: 100}, button=1).do("2 check")
    entry = play.state.version
    enter(play, saw(play, 8, motions, **facts))
    play.do(then)
    right = play.state
    corrected = do.Check(**IDS, seat=2, source=Source.CAMERA)
    play.enter(do.CorrectEntry(**IDS, entry=entry, corrected=corrected, reason="seen on tape"))
    again = play.state
    assert (again.chairs, again.betting, again.pots) == (right.chairs, right.betting, right.pots)
    assert [type(event) for _, event in history_of(again)] == [
        type(event) for _, event in history_of(right)
    ]


def numbered(play: Play) -> list[tuple[int, Any]]:
    """Return the events of a hand with their versions."""
    return list(enumerate(play.events, 1))


def test_history_folds_to_the_same_state() -> None:
    form = a_game(2, 4, chip="0.25", blinds=(1, 2))
    play = at_street("HG", form, "flop", {1: 50, 2: 50, 3: 50}, button=9)
    enter(play, saw(play, 3, "tap"))
    play.do("1 check, 2 check, 3 check")
    state = INITIAL
    for event in play.events:
        state = evolve(state, event)
    assert state == play.state


def test_who_is_held_to_a_fold_may_do_nothing_else() -> None:
    form = a_game(4, 8, blinds=(2, 4))
    play = at_street("WP", form, "flop", {2: 100, 5: 100, 8: 100}, button=1).do("2 bet 4")
    enter(play, saw(play, 8, "say fold"))
    play.do("5 fold")
    assert play.options() == {"fold"}
    assert play.refused("8 call").code == "HELD_TO_ACTION"
    play.do("8 fold")
    assert play.state.phase is Phase.SETTLED


# ------------------------------------------------------------------ from real rooms


def test_a_chip_for_the_blind_in_place_of_two_is_the_smaller_action() -> None:
    """Big blind with the option pulls back 200 and puts out one chip of 500: a check (pitfall 27)."""
    form = a_game(200, structure=Structure.NO_LIMIT, chip=100, blinds=(100, 200))
    play = Play("WP", form, {1: 9000, 2: 9000, 3: 9000}, button=3, posts=blinds((1, 100), (2, 200)))
    play.do("3 call, 1 call")
    assert play.options() == {"fold", "check", "raise 400-9000"}
    finding = saw(play, 2, "pull 100x2; put 500")
    assert (finding.remedy, finding.binding, finding.rules) == ("check", True, ("WP-3R15",))
    assert moved(finding) == back(2, 300)
    enter(play, finding)
    assert play.state.phase is Phase.DEALING


def test_a_call_out_of_turn_before_a_raise_is_taken_back_or_held_as_the_floor_rules() -> None:
    """The small blind says call out of turn, a player before it raises: rooms differ (situation 13)."""
    felt = dealt()
    version = felt.hand.version
    act(felt, do.RaiseTo, 4, to_cents=2000)
    act(felt, do.Fold, 5)
    act(felt, do.Fold, 1)
    finding = observe(felt, 2, "say call", after=version)
    assert (finding.remedy, finding.rules) == ("not_binding", ("WP-3R10",))
    assert fact_of(finding, "reason") == "action_changed"
    assert [choice.remedy for choice in finding.choices] == ["held_to_call"]
    felt.run(
        rc.RuleOn,
        hand=felt.table.last_hand,
        irregularity=1,
        decision="held_to_call",
        reason="the room holds a call to the raise",
    )
    taken = felt.last(hev.ActionTaken)
    assert (taken.seat, taken.act, taken.to_cents) == (2, Act.CALL, 2000)
    assert felt.notes.irregularities[0].rulings[0].by == "floor-1"


def fact_of(finding: Any, name: str) -> str:
    """Return a fact of a finding."""
    return fact(finding, name)


def test_a_chip_found_after_an_all_in_was_no_part_of_it() -> None:
    """The loser of an all-in finds one more chip: the action took what was counted (situation 14)."""
    play = at_street(
        "WP",
        a_game(2, structure=Structure.NO_LIMIT, blinds=(1, 2)),
        "river",
        {2: 100, 5: 300},
        button=1,
    )
    finding = saw(play, 2, "say all in")
    enter(play, finding)
    play.do("5 call")
    assert play.state.phase is Phase.SHOWDOWN
    assert play.pots()[-1][0] == 200
    felt = Felt("WP", NL_1_2, "1,2", stack=100)
    felt.draw(1)
    felt.start()
    note: dict[str, Any] = {"hand": felt.table.last_hand, "about": "seat:1 stack"}
    felt.run(rc.NoteFact, **note, says="$100, every chip in view", source=Source.DEALER)
    felt.run(rc.NoteFact, **note, says="one $25 chip under the arm", source=Source.FLOOR)
    assert felt.notes.conflicts() == ("seat:1 stack",)
    assert felt.table.seats[1].stack_cents == 10000


def test_a_promise_and_its_correction_are_facts_of_their_own() -> None:
    """A supervisor promises chips that turn out not to be owed (situation 15)."""
    felt = dealt()
    told: dict[str, Any] = {"hand": felt.table.last_hand, "about": "seat:4 chips promised"}
    felt.run(rc.NoteFact, **told, says="$100 is coming", source=Source.FLOOR, told_by="sup-1")
    felt.run(
        rc.NoteFact, **told, says="the cage owes nothing", source=Source.RECORD, told_by="cage"
    )
    assert [account.says for account in felt.notes.accounts] == [
        "$100 is coming",
        "the cage owes nothing",
    ]
    assert felt.notes.conflicts() == ("seat:4 chips promised",)


@pytest.mark.parametrize("tabled", [False, True])
def test_cards_tossed_away_at_the_showdown_stay_dead_unless_tabled(tabled: bool) -> None:
    """Words that sound like conceding, cards in the muck, then a claim (situation 17)."""
    play = at_street(
        "WP", a_game(4, 8, blinds=(2, 4)), "river", {2: 100, 5: 100}, button=1, board="2c7dJh4s9c"
    )
    play.holds({2: "JsJd", 5: "AhKd"}).do("2 bet 8, 5 call")
    if tabled:
        play.show(2, 5)
        assert play.award() == {2: 16}
        return
    tossed = saw(play, 2, "say you got it; throw")
    assert tossed.remedy == "no_action"
    play.do("2 muck")
    play.refusal(do.ShowHand(**IDS, seat=2))
    play.show(5)
    assert play.award() == {5: 16}


def test_a_street_dealt_over_a_skipped_player_is_ruled_as_the_book_says() -> None:
    """The turn is dealt before a skipped player's raise, and all saw it (situation 18)."""
    felt = dealt(seats="1-5")
    for seat in (4, 5, 1):
        act(felt, do.Call, seat)
    act(felt, do.Call, 2)
    act(felt, do.Check, 3)
    act(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    act(felt, do.Bet, 2, to_cents=1000)
    skipped = observe(felt, 3, "say raise", "4 call, 5 fold", asks="act")
    assert skipped.remedy == "right_kept"
    number = felt.table.last_hand
    felt.run(
        rc.ReportIrregularity,
        "dealer",
        kind="premature_cards",
        told=(("street", "turn"), ("cards", "4s")),
    )
    assert len(felt.notes.irregularities) == 2
    for at in (1, 2):
        felt.run(
            rc.RuleOn,
            hand=number,
            irregularity=at,
            decision="turn_stands" if at == 2 else "confirm",
            reason="all saw it and nobody spoke" if at == 2 else "",
        )
    assert felt.notes.irregularities[1].rulings[0].reason == "all saw it and nobody spoke"
    act(felt, do.RaiseTo, 3, to_cents=2000)
    assert felt.hand.to_act == 4


def test_observing_a_hand_changes_nothing_by_itself() -> None:
    play = Play(
        "WP",
        a_game(4, 8, blinds=(2, 4)),
        {1: 100, 2: 100, 3: 100},
        button=3,
        posts=blinds((1, 2), (2, 4)),
        capture=Capture(),
    )
    before = (play.state, chips(play.state))
    saw(play, 3, "put 100")
    assert (play.state, chips(play.state)) == before


def test_what_is_recorded_reads_back_as_it_was() -> None:
    felt = dealt("LC", LC_6_12)
    act(felt, do.CallClock, 4)
    observe(felt, 4, "put 2x3; put 2x3", "5 fold", called_by="seat:5")
    felt.run(rc.RuleOn, hand=felt.table.last_hand, irregularity=1, decision="confirm")
    observe(felt, 2, "say call", deliberate=True)
    felt.run(rc.RuleOn, hand=felt.table.last_hand, irregularity=2, decision="confirm")
    kinds = {type(event) for _, event in felt.world.log}
    assert {hev.ClockCalled, hev.ActionTaken, hev.TurnRuled} <= kinds
    for _, event in felt.world.log:
        stored = msgspec.msgpack.encode(event)
        assert EVENTS.decode(topic_of(type(event)), stored) == event
