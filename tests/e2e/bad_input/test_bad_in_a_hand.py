"""What is wrong in a hand: turns, phases, cards, versions."""

from typing import Any

import pytest

from cardroom.api.house.v1 import house_service_pb2 as house
from cardroom.api.house.v1.house_service_pb2_grpc import HouseServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.demo.opening import GAMES
from cardroom.demo.room import ROOM, Room
from tests.plugins.bad_input import (
    AT,
    EMPTY,
    HANDS,
    INVALID,
    MISSING,
    REFUSED,
    STALE,
    Wrong,
    check,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="package"),
]


def action(hand: Any, seat: int, **more: Any) -> hands.TakeActionRequest:
    return hands.TakeActionRequest(
        **{**AT, "hand_id": hand.hand_id, "seat": seat, "action": hands.ACTION_CALL, **more}
    )


def others_of(hand: Any) -> list[int]:
    return [chair.seat for chair in hand.chairs if chair.seat != hand.to_act_seat]


async def test_out_of_turn(room: Room, hand: Any) -> None:
    request = action(hand, others_of(hand)[0])
    await check(
        room, Wrong("dealer", HANDS, "TakeAction", request, REFUSED, "OUT_OF_TURN", "CR-3", "seat")
    )


async def test_a_bet_below_the_least(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, action=hands.ACTION_RAISE_TO, to_cents=601)
    refused = await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "TakeAction",
            request,
            REFUSED,
            "AMOUNT_NOT_ALLOWED",
            "LC-57",
            "to_cents",
        ),
    )
    assert refused.options  # type: ignore[attr-defined]


async def test_a_negative_bet(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, action=hands.ACTION_RAISE_TO, to_cents=-600)
    wrong = Wrong(
        "dealer", HANDS, "TakeAction", request, INVALID, "REQUEST_INVALID", "CR-4", "to_cents"
    )
    await check(room, wrong)


async def test_a_seat_that_was_not_dealt_in(room: Room, hand: Any) -> None:
    await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "TakeAction",
            action(hand, 9),
            MISSING,
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            "seat",
        ),
    )


def told(hand: Any, *held: list[str]) -> Any:
    """Cards of the next seats to act, after the one whose cards are known."""
    return hands.NoteHoleCardsRequest(
        **AT,
        hand_id=hand.hand_id,
        hands=[
            hands.HoleCards(seat=seat, cards=cards)
            for seat, cards in zip(others_of(hand), held, strict=False)
        ],
    )


async def test_a_card_dealt_twice(room: Room, hand: Any) -> None:
    for wrong, field in (
        (told(hand, ["As", "2c"]), "hands[0].cards"),
        (told(hand, ["2c", "2c"]), "hands[0].cards"),
        (told(hand, ["2c", "3c"], ["4c", "2c"]), "hands[1].cards"),
    ):
        await check(
            room,
            Wrong("dealer", HANDS, "NoteHoleCards", wrong, REFUSED, "CARD_TWICE", "CR-5", field),
        )


async def test_the_cards_of_a_seat_told_twice(room: Room, hand: Any) -> None:
    twice = told(hand, ["2c", "3c"])
    twice.hands.append(hands.HoleCards(seat=twice.hands[0].seat, cards=["4c", "5c"]))
    await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "NoteHoleCards",
            twice,
            INVALID,
            "SEAT_TWICE",
            "CR-4",
            "hands[1].seat",
        ),
    )


async def test_a_card_that_does_not_exist(room: Room, hand: Any) -> None:
    wrong = Wrong(
        "dealer",
        HANDS,
        "NoteHoleCards",
        told(hand, ["1x", "2c"]),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "hands[0].cards[0]",
    )
    await check(room, wrong)


async def test_the_next_street_too_early(room: Room, hand: Any) -> None:
    flop = hands.DealStreetRequest(**AT, hand_id=hand.hand_id, board=["2c", "3c", "4c"])
    await check(room, Wrong("dealer", HANDS, "DealStreet", flop, REFUSED, "STREET_NOT_DUE", "CR-6"))


async def test_an_award_before_the_showdown(room: Room, hand: Any) -> None:
    award = hands.AwardPotsRequest(**AT, hand_id=hand.hand_id)
    await check(
        room, Wrong("dealer", HANDS, "AwardPots", award, REFUSED, "SHOWDOWN_NOT_REACHED", "CR-6")
    )


async def test_another_hand_while_one_runs(room: Room, hand: Any) -> None:
    start = hands.StartHandRequest(**AT)
    await check(
        room, Wrong("dealer", HANDS, "StartHand", start, REFUSED, "HAND_IN_PROGRESS", "CR-6")
    )


async def test_a_stale_version(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, after_version=1)
    await check(
        room, Wrong("dealer", HANDS, "TakeAction", request, STALE, "STALE", "CR-1", "after_version")
    )


async def test_a_stale_game(room: Room) -> None:
    request = house.ChangeGameRequest(room=ROOM, game=GAMES[0], expected_version=99)
    wrong = Wrong(
        "admin", HouseServiceStub, "ChangeGame", request, STALE, "STALE", "CR-1", "expected_version"
    )
    await check(room, wrong)


async def test_an_action_before_any_hand(room: Room) -> None:
    request = hands.TakeActionRequest(
        room=ROOM, table=EMPTY, hand_id=f"hand/{ROOM}/{EMPTY}/000001", seat=1, action=1
    )
    wrong = Wrong(
        "dealer", HANDS, "TakeAction", request, MISSING, "HAND_UNKNOWN", "CR-2", "hand_id"
    )
    await check(room, wrong)
