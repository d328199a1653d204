"""PHH and OHH: every recorded hand replays to its recorded result, an illegal one is refused, round trips are exact."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import PotAwarded, UncalledReturned
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.notation import ohh, phh
from cardroom.tables.notation.about import About
from cardroom.tables.notation.ohh_export import export_ohh
from cardroom.tables.notation.phh_export import export_phh
from tests.plugins.hand_play import IDS, READER, Play, at_street, blinds, game, hc, resolved

HANDS = Path(__file__).parents[2].parent / "shared" / "hands"
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)

WRONG_RECORDS = {
    (
        "holdem",
        2,
    ): "the last raise is over an all-in nobody can call more of; the pot holds what a call puts in",
    (
        "omaha",
        14,
    ): "the raise is cut down to what the caller had: the uncalled rest of an all-in was taken off it",
    (
        "omahahilo",
        13,
    ): "the raise is cut down to what the caller had left, below the least raise and not all-in",
    (
        "omahahilo",
        35,
    ): "the raise is cut down to what the caller had left, below the least raise and not all-in",
}
"""Hands whose record is wrong, and how; `mended` shows that each plays to its recorded wins once that is put right."""


def world_poker(a_game: Game) -> ResolvedBook:
    """Return the book the records are judged by."""
    return resolved("WP", a_game)


def recorded_phh() -> list[Any]:
    """Return the recorded PHH hands, none where the folder is absent."""
    return [
        pytest.param(fields, id=f"{path.stem}-{name}")
        for path in sorted(HANDS.glob("phh/*"))
        for name, fields in phh.hands_of(path.read_text())
    ]


def recorded_ohh() -> list[tuple[str, int, Mapping[str, Any]]]:
    """Return the recorded OHH hands by file and number."""
    return [
        (path.stem, number, fields)
        for path in sorted(HANDS.glob("ohh/*"))
        for number, fields in enumerate(ohh.hands_of(path.read_text()))
    ]


def standing(hand: Hand) -> Hand:
    """Return a hand without what tells how it came to stand so."""
    return msgspec.structs.replace(hand, version=0, history=None)


def actions_meant(actions: list[str]) -> list[str]:
    """Return PHH actions without what says nothing: remarks, and deals of cards that nobody saw."""
    words = [" ".join(action.partition("#")[0].split()) for action in actions]
    return [word for word in words if word and not re.fullmatch(r"d dh p\d+ (\?\?)+", word)]


@pytest.mark.parametrize("fields", recorded_phh())
def test_recorded_phh_hands_replay_to_their_stacks_and_come_out_field_by_field(fields: Any) -> None:
    first = phh.import_phh(fields, world_poker, READER)
    text = export_phh(first.hand, first.rules, first.about)
    again = dict(phh.hands_of(text)[0][1])
    del again["_cardroom"]
    assert actions_meant(again.pop("actions")) == actions_meant(fields["actions"])
    assert again == {name: value for name, value in fields.items() if name != "actions"}
    second = phh.import_phh(phh.hands_of(text)[0][1], world_poker, READER)
    assert standing(second.hand) == standing(first.hand)
    assert second.events == first.events
    assert export_phh(second.hand, second.rules, second.about) == text


def rounds_meant(fields: Mapping[str, Any], seen: set[Any]) -> list[Any]:
    """Return the rounds of an OHH hand, without what our own export says otherwise.

    Left out are hands thrown away unshown, which a record may leave out; a hand shown a second time; and the cards of
    folded players, which stand in the deal here and are noted as told when they were shown.

    Args:
        fields: the hand.
        seen: players of whom the record shows cards.
    """
    found = []
    folded: set[Any] = set()
    shown: set[Any] = set()
    for street in fields["rounds"]:
        acts = []
        for act in street["actions"]:
            player, kind = act["player_id"], act["action"]
            again = kind == "Shows Cards" and player in folded | shown
            if kind == "Mucks Cards" or again or (kind == "Dealt Cards" and player in seen):
                continue
            folded |= {player} if kind == "Fold" else set()
            shown |= {player} if kind == "Shows Cards" else set()
            acts.append((player, kind, act.get("amount") or 0, tuple(act.get("cards", ()))))
        # Deals and posts come in either order before the first action.
        first = [act for act in acts if act[1] == "Dealt Cards" or act[1] in ohh.POSTS]
        cards = tuple(street.get("cards") or ())
        if cards or acts:
            rest = [act for act in acts if act not in first]
            found.append((street["street"], cards, sorted(first), rest))
    return found


@pytest.mark.parametrize(
    ("stem", "number", "fields"),
    [pytest.param(*hand, id=f"{hand[0]}-{hand[1]}") for hand in recorded_ohh()],
)
def test_recorded_ohh_hands_replay_to_their_wins_and_come_out_field_by_field(
    stem: str, number: int, fields: Mapping[str, Any]
) -> None:
    if (stem, number) in WRONG_RECORDS:
        with pytest.raises(Refused) as caught:
            ohh.import_ohh(fields, world_poker, READER)
        assert caught.value.code in {"NOBODY_CAN_CALL_MORE", "AMOUNT_NOT_ALLOWED"}
        assert caught.value.options
        ohh.import_ohh(mended(stem, number, fields), world_poker, READER)
        return
    first = ohh.import_ohh(fields, world_poker, READER)
    text = export_ohh(first.hand, first.rules, first.about)
    again = ohh.hands_of(text)[0]
    ours = {"_cardroom", "spec_version", "internal_version", "rounds", "pots"}
    assert {name: again[name] for name in again if name not in ours} == {
        name: fields[name] for name in fields if name not in ours
    }
    acts = [act for street in fields["rounds"] for act in street["actions"]]
    seen = {act["player_id"] for act in acts if act["action"] == "Shows Cards"}
    assert rounds_meant(again, seen) == rounds_meant(fields, seen)
    assert sum(pot["rake"] for pot in again["pots"]) == sum(pot["rake"] for pot in fields["pots"])
    second = ohh.import_ohh(again, world_poker, READER)
    assert second.events == first.events
    assert standing(second.hand) == standing(first.hand)
    assert export_ohh(second.hand, second.rules, second.about) == text


def mended(stem: str, number: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a wrong record put right: the raise as it must have been, or the call it was."""
    copy = json.loads(json.dumps(fields, default=str), parse_float=Decimal)
    for street in copy["rounds"]:
        for action in street["actions"]:
            if "amount" in action:
                action["amount"] = Decimal(str(action["amount"]))
    for player in copy["players"]:
        player["starting_stack"] = Decimal(str(player["starting_stack"]))
    for pot in copy["pots"]:
        for win in pot["player_wins"]:
            win["win_amount"] = Decimal(str(win["win_amount"]))
        pot["rake"] = Decimal(str(pot["rake"]))
    for name in ("small_blind_amount", "big_blind_amount", "ante_amount"):
        copy[name] = Decimal(str(copy[name]))
    raises = [a for s in copy["rounds"] for a in s["actions"] if a["action"] == "Raise"]
    match stem, number:
        case "holdem", 2:
            raises[-1].update(action="Call", amount=Decimal("26.85"))
        case "omaha", 14:
            raises[-1]["amount"] = Decimal("16.89")
        case "omahahilo", 13:
            raises[-1]["amount"] = Decimal("13.18")
        case _:
            raises[-1]["amount"] = Decimal("19")
    return copy


@pytest.mark.skipif(not HANDS.exists(), reason="the recorded hands are not in this clone")
def test_the_recorded_hands_are_there() -> None:
    assert len(recorded_phh()) == 71
    assert len(recorded_ohh()) == 72
    assert set(WRONG_RECORDS) <= {(stem, number) for stem, number, _ in recorded_ohh()}


PLAIN = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsKs", "d dh p2 2c7d", "d dh p3 QhQd", {actions}]
finishing_stacks = {stacks}
"""


def imported(actions: str, stacks: str = "[99, 103, 98]") -> Hand:
    """Return the plain hand with these actions."""
    text = PLAIN.format(actions=actions, stacks=stacks)
    return phh.import_phh(phh.hands_of(text)[0][1], world_poker, READER).hand


def test_a_legal_hand_comes_in() -> None:
    hand = imported('"p3 cbr 6", "p1 f", "p2 f"', "[99, 98, 103]")
    assert [result.won_cents for result in hand.results] == [0, 0, 500]


def refused(actions: str, stacks: str = "[99, 98, 103]") -> Refused:
    """Return the refusal of the plain hand with these actions."""
    with pytest.raises(Refused) as caught:
        imported(actions, stacks)
    return caught.value


def test_an_illegal_action_is_refused_by_name_rule_and_expectation() -> None:
    refusal = refused('"p3 cbr 3", "p1 f", "p2 f"')
    assert refusal.code == "AMOUNT_NOT_ALLOWED"
    assert refusal.rules == ("WP-3R6",)
    assert refusal.field == "actions[3]"
    assert "action 4 'p3 cbr 3'" in refusal.message
    assert "raise to $4 up to $100" in refusal.message


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ('"p1 f"', "OUT_OF_TURN"),
        ('"p3 f", "p1 cc", "p2 cc", "d db 2h3h"', "BOARD_COUNT"),
        ('"p3 f", "p1 cc", "p2 cc", "d db AsTh9h"', "CARD_TWICE"),
        ('"p3 f", "p1 cc"', "HAND_NOT_FINISHED"),
        ('"p3 f", "p1 jumps"', "ACTION_MALFORMED"),
        ('"p3 f", "p9 f"', "ACTION_MALFORMED"),
        ('"p3 cbr x"', "ACTION_MALFORMED"),
        ('"p3 cc", "p1 cbr 4", "d db 2h3h4h"', "STREET_NOT_DUE"),
    ],
)
def test_what_is_wrong_is_refused(actions: str, code: str) -> None:
    assert refused(actions).code == code


def test_a_wrong_result_is_refused() -> None:
    refusal = refused('"p3 cbr 6", "p1 f", "p2 f"', "[99, 98, 104]")
    assert (refusal.code, refusal.field) == ("RESULT_DIFFERS", "finishing_stacks")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("variant = ", "PHH_MALFORMED"),
        ('variant = "XX"\nstarting_stacks = [1, 1]\nactions = []', "VARIANT_UNKNOWN"),
        ('variant = "NT"\nstarting_stacks = [1, 1]\nactions = []', "FIELD_MISSING"),
        ('variant = "NT"\nactions = []', "FIELD_MISSING"),
        ('variant = "NT"\nmin_bet = 2\nantes = [1]\nstarting_stacks = [1, 1]', "FIELD_MALFORMED"),
        ('variant = "NT"\nmin_bet = 2.005\nstarting_stacks = [1, 1]', "AMOUNT_MALFORMED"),
    ],
)
def test_malformed_texts_are_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        phh.import_phh(phh.hands_of(text)[0][1], world_poker, READER)
    assert caught.value.code == code


def test_heads_up_the_last_player_has_the_small_blind() -> None:
    text = """
variant = "NT"
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["p2 cbr 6", "p1 f"]
finishing_stacks = [98, 102]
"""
    hand = phh.import_phh(phh.hands_of(text)[0][1], world_poker, READER).hand
    assert hand.button_seat == 2
    assert hand.chairs[0].seat == 1
    assert '"p2 cbr 6"' in export_phh(hand, hand_rules(world_poker(hand.game), hand.game, READER))


def round_trip(play: Play, **values: Any) -> Hand:
    """Return a hand written and read again in both formats; texts, events and state are the same."""
    name = play.rules.book.book
    about = About(
        site="The Room", started_at=NOON, irregularities=({"rule": "WP-3D1d", "seat": 5},)
    )

    def book_for(a_game: Game) -> ResolvedBook:
        return resolved(name, a_game, **values)

    text = export_phh(play.state, play.rules, about)
    second = phh.import_phh(phh.hands_of(text)[0][1], book_for, READER)
    assert standing(second.hand) == standing(play.state)
    assert export_phh(second.hand, second.rules, second.about) == text
    other = export_ohh(play.state, play.rules, about)
    third = ohh.import_ohh(ohh.hands_of(other)[0], book_for, READER)
    assert third.events == second.events
    assert export_ohh(third.hand, third.rules, third.about) == other
    assert (third.about.started_at, second.about.started_at) == (NOON, NOON)
    return second.hand


def test_seats_posts_rake_and_rulings_go_along() -> None:
    stacks = {2: 300, 5: 300, 7: 300, 8: 300}
    a_game = game(10, 20, blinds=(5, 10))
    play = Play("WP", a_game, stacks, button=8, posts=blinds((2, 5), (5, 10)))
    play.holds({2: "As Ks", 5: "2c 7d", 7: "Qh Qd"})
    play.do("7 raise 20")
    play.enter(hc.RuleHandDead(**IDS, seat=5, rules=("WP-3D1d",)))
    play.do("8 call, 2 call").deal("Ah 9c 4d", burned="3s")
    play.enter(hc.TakeRake(**IDS, rake_cents=300, jackpot_drop_cents=100))
    play.check_around().deal("5h").check_around().deal("6h").check_around()
    play.do("2 show AsKs, 7 show QhQd, 8 muck").award()
    hand = round_trip(play)
    assert hand.house_cents == 300
    assert hand.burns == ("3s",)
    awarded = [event for event in play.events if isinstance(event, PotAwarded)]
    assert (awarded[0].rake_cents, awarded[0].jackpot_drop_cents) == (300, 100)


def test_a_hand_run_twice_goes_along() -> None:
    a_game = game(2, structure=Structure.POT_LIMIT, form=Form.OMAHA)
    play = at_street("WP", a_game, "flop", {4: 60, 8: 60}, button=8, pot=60, board="2c 7d Th")
    play.holds({4: "As Ac 3h 4h", 8: "Td 9d 5s 6s"})
    play.do("4 bet 60, 8 call")
    play.enter(hc.AgreeRuns(**IDS, times=2, seats=(4, 8)))
    for run, cards in ((0, ("Jc",)), (1, ("Tc",)), (0, ("Js",)), (1, ("2d",))):
        play.enter(hc.DealStreet(**IDS, board=cards, run=run))
    play.show(4, 8).award()
    assert round_trip(play).boards == play.state.boards


def test_a_declaring_hand_goes_along() -> None:
    a_game = game(2, structure=Structure.LIMIT, form=Form.OMAHA_HIGH_LOW)
    a_game = msgspec.structs.replace(a_game, big_bet_cents=400)
    values = {"highlow__mode": "declare"}
    play = at_street("HG", a_game, "river", {4: 60, 8: 60}, board="3c 6d 8h Kd Ks", values=values)
    play.check_around().holds({4: "As 2s Kc 8c", 8: "Qh Jh 4c 4d"})
    for seat, away in ((4, ("Kc", "8c")), (8, ("4c", "4d"))):
        play.enter(hc.PutAway(**IDS, seat=seat, cards=away))
        play.enter(hc.SealDeclaration(**IDS, seat=seat, chips=3 if seat == 4 else 2))
    play.enter(hc.RevealDeclarations(**IDS))
    play.show(4, 8).award()
    assert round_trip(play, **values).ways == play.state.ways


def test_a_hand_shown_of_free_will_after_the_pot_goes_along() -> None:
    play = at_street("WP", game(10, 20), "river", {2: 300, 5: 300}, button=1)
    play.holds({2: "As Ks"}).do("2 bet 20, 5 fold").show(2)
    assert round_trip(play).chairs[0].shown == ("As", "Ks")


def test_blinds_chopped_go_along() -> None:
    posts = blinds((1, 5), (2, 10))
    a_game = game(10, 20, blinds=(5, 10))
    play = Play("WP", a_game, {1: 100, 2: 100, 3: 100}, button=3, posts=posts).do("3 fold")
    play.enter(hc.ChopBlinds(**IDS))
    assert not round_trip(play).shares


def test_uncalled_returns_are_written() -> None:
    play = at_street("WP", game(10, 20), "river", {2: 300, 5: 300}, button=1, pot=40)
    play.do("2 bet 20, 5 fold")
    told = [{"seat": 2, "cents": 2000}]
    written = phh.hands_of(export_phh(play.state, play.rules))[0][1]
    assert written["_cardroom"]["uncalled"] == told
    assert ohh.hands_of(export_ohh(play.state, play.rules))[0]["_cardroom"]["uncalled"] == told
    assert any(isinstance(event, UncalledReturned) for event in play.events)


def test_a_hand_under_way_is_not_written() -> None:
    play = at_street("WP", game(10, 20), "river", {2: 300, 5: 300}, button=1)
    for write in (export_phh, export_ohh):
        with pytest.raises(Refused) as caught:
            write(play.state, play.rules)
        assert caught.value.code == "HAND_NOT_OVER"


def test_ohh_refuses_what_it_cannot_read() -> None:
    for text, code in (("{", "OHH_MALFORMED"), ('{"x": 1}', "OHH_MALFORMED")):
        with pytest.raises(Refused) as caught:
            ohh.hands_of(text)
        assert caught.value.code == code
    with pytest.raises(Refused) as caught:
        ohh.import_ohh({"rounds": [], "pots": []}, world_poker, READER)
    assert (caught.value.code, caught.value.field) == ("FIELD_MISSING", "players")


def test_no_pot_gives_more_rake_than_it_holds_however_often_it_is_taken() -> None:
    play = at_street("WP", game(10, 20), "river", {2: 300, 5: 300}, button=1, pot=40)
    play.holds({2: "As Ks", 5: "Qh Qd"}).do("2 check, 5 check")
    play.enter(hc.TakeRake(**IDS, rake_cents=2500))
    refusal = play.refusal(hc.TakeRake(**IDS, rake_cents=2500))
    assert (refusal.code, refusal.rules) == ("POT_TOO_SMALL", ("CR-8",))
    play.enter(hc.TakeRake(**IDS, rake_cents=1500))
