"""Faults that random play found, each kept as the hand that showed it."""

import pytest

from cardroom.known.games import Form, Structure
from cardroom.poker.highlow import Halves, by_declaration
from cardroom.poker.reading import Worth
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import history_of
from cardroom.tables.hand_events import Phase, Post, PostKind
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
