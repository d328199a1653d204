"""Random hands written as PHH and as stored bytes, and read again: the same hand."""

from datetime import UTC, datetime

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.events import EventTypes, topic_of
from cardroom.known.games import Form, Structure
from cardroom.poker.legal import Act
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_events import HAND_EVENTS, Phase
from cardroom.tables.notation import ohh, phh
from cardroom.tables.notation.ohh import BET_TYPES
from cardroom.tables.notation.ohh_export import export_ohh
from cardroom.tables.notation.phh import VARIANT_CODES
from cardroom.tables.notation.phh_export import export_phh
from tests.plugins.hand_play import READER, resolved
from tests.plugins.hand_random import Dealer, Dealt, amount, dealt_hands, finish, taken

TYPES = EventTypes("tables", HAND_EVENTS)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
WRITTEN = sorted(set(VARIANT_CODES.values()))


def played(data: st.DataObject, hand: Dealt) -> Dealer:
    """Play a hand to its end with actions drawn at random."""
    dealer = Dealer(hand)
    play = hand.play
    dealer.hole_cards()
    while play.state.phase in {Phase.BETTING, Phase.DEALING, Phase.EXCHANGING}:
        if play.state.phase is Phase.BETTING:
            options = play.legal()
            calm = [option for option in options if option.act is not Act.FOLD] * 4
            option = data.draw(st.sampled_from([*options, *calm]))
            play.enter(taken(option, amount(data.draw, option)))
        elif play.state.phase is Phase.DEALING:
            dealer.street()
        else:
            dealer.exchange(data.draw(st.integers(0, 3)))
    finish(dealer)
    return dealer


def standing(state: Hand) -> Hand:
    """Return a hand without what tells how it came to stand so."""
    return msgspec.structs.replace(state, version=0, history=None)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_hand_written_as_phh_reads_as_the_same_hand(data: st.DataObject) -> None:
    form, structure = data.draw(st.sampled_from(WRITTEN))
    hand = data.draw(dealt_hands(forms=(form,), structures=(structure,)))
    play = played(data, hand).play
    text = export_phh(play.state)
    fields = phh.hands_of(text)[0][1]
    again = phh.import_phh(fields, lambda a_game: resolved(hand.book, a_game), READER)
    start = msgspec.structs.replace(
        again.hand.start,
        game=play.state.game,
        book_digest=play.state.book_digest,
        capture=play.state.capture,
    )
    read = standing(msgspec.structs.replace(again.hand, start=start))
    assert read == standing(play.state), text
    assert export_phh(again.hand) == text.replace(play.state.book_digest, again.hand.book_digest)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_board_hand_written_as_ohh_reads_with_the_same_result(data: st.DataObject) -> None:
    forms = (Form.HOLDEM, Form.OMAHA, Form.OMAHA_HIGH_LOW)
    hand = data.draw(dealt_hands(forms=forms, structures=tuple(BET_TYPES.values())))
    state = played(data, hand).play.state
    text = export_ohh(state, site="room", started_at=NOON)
    again = ohh.import_ohh(
        ohh.hands_of(text)[0], lambda a_game: resolved(hand.book, a_game), READER
    ).hand
    assert [(one.seat, one.before_cents, one.won_cents) for one in again.results] == [
        (one.seat, one.before_cents, one.won_cents) for one in state.results
    ]
    written = export_ohh(again, site="room", started_at=NOON)
    assert written == text.replace(state.book_digest, again.book_digest)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_stored_events_fold_to_the_same_hand(data: st.DataObject) -> None:
    hand = data.draw(dealt_hands(structures=tuple(Structure)))
    play = played(data, hand).play
    folded = INITIAL
    for event in play.events:
        stored = msgspec.msgpack.encode(event)
        folded = evolve(folded, TYPES.decode(topic_of(event), stored))
    assert folded == play.state
