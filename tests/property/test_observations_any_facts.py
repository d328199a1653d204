"""Whatever is seen, at whatever point of a hand: a finding that cites rules, whose entries the hand takes."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.legal import WAGERS
from cardroom.poker.legal import Act as Action
from cardroom.tables import hand_commands as do
from cardroom.tables.entering import entered
from cardroom.tables.findings import Finding
from cardroom.tables.hand import at_version
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Capture, Known, Phase
from cardroom.tables.observations import observe
from cardroom.tables.observations.observed import (
    ACTS,
    Act,
    Chips,
    Did,
    Motion,
    Observed,
    facts_of,
    told,
)
from cardroom.tables.observations.reading import pinned
from tests.plugins.hand_play import IDS, Play, blinds, chips, game

GAMES: tuple[Game, ...] = (
    game(4, 8, blinds=(2, 4)),
    game(10, 20, blinds=(5, 10), chip=5),
    game(5, structure=Structure.NO_LIMIT, blinds=(2, 5)),
    game(5, form=Form.OMAHA, structure=Structure.POT_LIMIT, blinds=(2, 5), chip=5),
    game(2, 10, structure=Structure.SPREAD_LIMIT, blinds=(1, 2)),
    game(3, 6, form=Form.STUD, ante="0.5", bring_in=1, chip="0.5"),
)
WORDS = (
    "raise",
    "call",
    "I call and raise",
    "check",
    "pass",
    "fold",
    "bet",
    "all in",
    "time",
    "raise to 40",
    "raise 12",
    "bet 7",
    "six",
    "two hundred",
    "hello",
    "",
)
seat = st.integers(1, 6)
amount = st.one_of(st.none(), st.integers(0, 30000))
pile = st.builds(Chips, st.sampled_from((50, 100, 200, 500, 2500, 10000)), st.integers(1, 12))
motion = st.builds(
    Motion,
    did=st.sampled_from(tuple(Did)),
    words=st.sampled_from(WORDS),
    chips=st.lists(pile, max_size=2).map(tuple),
    cents=amount,
)
maybe = st.one_of(st.none(), st.booleans())


def _likely(said: str, piles: list[Chips], more: Chips, first: bool) -> tuple[Motion, ...]:
    """Return words and chips as they come at a table."""
    word = (Motion(did=Did.SAY, words=said),) if said else ()
    put = (Motion(did=Did.RELEASE, chips=tuple(piles)),) if piles else ()
    last = (Motion(did=Did.RELEASE, chips=(more,)),) if more.count < 4 else ()
    return (*word, *put, *last) if first else (*put, *word, *last)


likely = st.builds(
    _likely,
    st.sampled_from(("", "", "", *WORDS)),
    st.lists(pile, max_size=2),
    pile,
    st.booleans(),
)


def _behind(at: int, act: str, to_cents: int | None) -> Act:
    if act in {"bet", "raise"} and to_cents is None:
        to_cents = 2000
    return Act(seat=at, act=act, to_cents=to_cents)


observations = st.builds(
    Observed,
    seat=seat,
    motions=st.one_of(likely, st.lists(motion, max_size=5).map(tuple)),
    in_turn=st.sampled_from((None, None, None, None, True, False)),
    heard=st.booleans(),
    aware=maybe,
    deliberate=maybe,
    behind=st.lists(
        st.builds(_behind, seat, st.sampled_from(sorted(ACTS)), amount), max_size=4
    ).map(tuple),
    caused=maybe,
    called_by=st.sampled_from(("", "dealer", "seat:1", "seat:4", "seat:6")),
    asks=st.sampled_from(("", "take_back", "withdraw", "act")),
    opponent_wants=st.sampled_from(("", "stand", "take_back")),
    time_after=st.one_of(st.none(), st.integers(0, 4)),
    in_muck=maybe,
    in_front_cents=amount,
    facing_cents=amount,
    raise_to_cents=amount,
    raises=maybe,
)


def play_on(play: Play, choices: list[int]) -> list[int]:
    """Take offered actions and deal streets; return the versions the hand went through."""
    versions = [play.state.version]
    for choice in choices:
        state = play.state
        if state.phase is Phase.DEALING:
            play.enter(do.DealStreet(**IDS, opener=_lowest(play)))
        elif state.phase is Phase.BETTING:
            play.enter(_taken(play, choice))
        else:
            break
        versions.append(play.state.version)
    return versions


def _lowest(play: Play) -> int:
    if not play.rules.variant.stud:
        return 0
    return next(chair.seat for chair in play.state.chairs if chair.can_bet)


def _taken(play: Play, choice: int) -> do.HandCommand:
    options = play.legal()
    option = options[choice % len(options)]
    said: dict[str, Any] = {**IDS, "seat": option.seat}
    match option.act:
        case Action.FOLD:
            return do.Fold(**said)
        case Action.CHECK:
            return do.Check(**said)
        case Action.CALL:
            return do.Call(**said)
        case Action.BRING_IN:
            return do.BringIn(**said)
        case Action.BET:
            return do.Bet(**said, to_cents=option.least_cents)
        case _:
            return do.RaiseTo(**said, to_cents=option.least_cents)


def new_hand(book: str, a_game: Game, seats: int, stacks: int, *, recorded: bool) -> Play:
    """Return a hand of some seats, each with a little less than the one before."""
    stud = a_game.form is Form.STUD
    dealt = {at: stacks + 7 * at for at in range(1, seats + 1)}
    posts = (
        ()
        if stud
        else blinds((1, a_game.blinds_cents[0] // 100), (2, a_game.blinds_cents[1] // 100))
    )
    capture = Capture() if recorded else Capture(actions=Known.NONE)
    return Play(
        book, a_game, dict(dealt), button=0 if stud else seats, posts=posts, capture=capture
    )


def accepted(play: Play, command: do.HandCommand) -> bool:
    """Whether a command is accepted now; nothing is recorded."""
    try:
        decide_hand(command, play.state, play.rules)
    except Refused:
        return False
    return True


def check_offered_is_accepted(play: Play) -> None:
    """Compare what is offered with what is accepted, whatever a ruling left open."""
    options = play.legal()
    acts = {option.act for option in options}
    said: dict[str, Any] = {**IDS, "seat": play.state.to_act}
    assert accepted(play, do.Fold(**said)) == (Action.FOLD in acts)
    assert accepted(play, do.Check(**said)) == (Action.CHECK in acts)
    assert accepted(play, do.Call(**said)) == (Action.CALL in acts)
    assert accepted(play, do.AllIn(**said)) == any(option.all_in for option in options)
    wagers = [option for option in options if option.act in WAGERS]
    edges = {400, 800, 1000, 2000}
    for option in wagers:
        edges |= {option.least_cents - 1, option.least_cents, option.most_cents or 0}
    for to_cents in edges:
        offered = any(option.admits(to_cents) for option in wagers)
        made = do.RaiseTo(**said, to_cents=to_cents), do.Bet(**said, to_cents=to_cents)
        assert any(accepted(play, command) for command in made) == offered


def check_finding(finding: Finding, play: Play) -> None:
    """Check that a finding cites rules, and that the hand takes what it and each of its choices enters."""
    assert finding.rules
    assert all(finding.rules)
    assert finding.says
    assert finding.missing or finding.remedy != "fact_needed"
    assert not (finding.binding and finding.missing)
    before = chips(play.state)
    for entries, rules in (
        (finding.entries, finding.rules),
        *((choice.entries, choice.rules) for choice in finding.choices),
    ):
        assert rules
        after = Play.__new__(Play)
        after.rules, after.events, after.state = play.rules, [], play.state
        after._record(entered(entries, play.state, play.rules, rules))
        check_offered_is_accepted(after)
        if after.state.phase is not Phase.SETTLED:
            assert chips(after.state) == before


@settings(max_examples=400, deadline=None)
@given(
    book=st.sampled_from(("LC", "RC", "HG", "WP")),
    a_game=st.sampled_from(GAMES),
    seats=st.integers(2, 6),
    stacks=st.sampled_from((15, 60, 300)),
    choices=st.lists(st.sampled_from((0, 1, 1, 1, 2, 2)), max_size=14),
    observed=observations,
    back=st.sampled_from((0, 0, 0, 1, 2, 4)),
    turn=st.sampled_from((0, 0, 0, 1, 2, 9)),
)
def test_whatever_is_seen_there_is_a_finding(
    book: str,
    a_game: Game,
    seats: int,
    stacks: int,
    choices: list[int],
    observed: Observed,
    back: int,
    turn: int,
) -> None:
    play = new_hand(book, a_game, seats, stacks, recorded=True)
    versions = play_on(play, choices)
    after = versions[-1 - back] if back < len(versions) else play.state.version
    betting = at_version(play.state, after).betting
    who = observed.seat
    if betting is not None and turn < len(betting.to_act):
        who = betting.to_act[turn]
    seen = pinned(msgspec.structs.replace(observed, after=after, seat=who), play.state)
    assert told({fact.name: fact.value for fact in facts_of(seen)}) == seen
    others = {one.seat for one in seen.behind}
    if who in others or max({who} | others) > seats:
        with pytest.raises(Refused, match=r"was not dealt into|is the seat that was seen"):
            observe(seen, play.state, play.rules)
    else:
        check_finding(observe(seen, play.state, play.rules), play)


@settings(max_examples=150, deadline=None)
@given(
    book=st.sampled_from(("LC", "RC", "HG", "WP")),
    a_game=st.sampled_from(GAMES[:5]),
    observed=observations,
)
def test_where_actions_are_not_recorded_what_is_told_decides_or_is_asked_for(
    book: str, a_game: Game, observed: Observed
) -> None:
    play = new_hand(book, a_game, 6, 300, recorded=False)
    finding = observe(pinned(observed, play.state), play.state, play.rules)
    assert finding.rules
    assert finding.entries == ()
    if observed.facing_cents is None or observed.in_front_cents is None:
        assert finding.remedy == "fact_needed"
        assert set(finding.missing) <= {"facing_cents", "in_front_cents"}
