"""What other contexts tell as a fact in the middle of a hand waits for its end, and stops no message."""

from google.protobuf.message import Message

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.inbox import from_seating
from tests.plugins.tables_world import LC_6_12, Felt, T, game
from tests.plugins.world import ROOM

AT = {"room": ROOM, "table": T}
TEN_TWENTY = game(10, 20, (5, 10), chip=5)


def tell(felt: Felt, message: Message) -> None:
    for command in from_seating(received(message, source="seating", stream=f"table/{ROOM}/{T}")):
        felt.do(command, "service", actor="seating")


def in_a_hand() -> Felt:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    felt.start()
    return felt


def finish(felt: Felt) -> None:
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)


def test_players_who_change_places_in_a_hand_have_changed_when_it_is_over() -> None:
    felt = in_a_hand()
    tell(felt, seating.SeatsSwapped(**AT, seats=(1, 4)))
    assert felt.seat(1).player == "p1"
    finish(felt)
    assert (felt.seat(1).player, felt.seat(4).player) == ("p4", "p1")
    assert felt.table.moving == {}


def test_a_table_whose_game_is_over_closes_when_the_hand_is() -> None:
    felt = in_a_hand()
    for seat in (1, 4, 7):
        tell(felt, seating.PlayerLeft(**AT, seat=seat, player_id=f"p{seat}"))
    tell(felt, seating.TableClosed(**AT))
    tell(felt, seating.TableClosed(**AT))
    assert felt.table.is_open
    finish(felt)
    assert not felt.table.is_open
    assert felt.table.account_cents == 0


def test_a_table_whose_game_broke_opens_anew_for_the_next_game() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.world.offer(TEN_TWENTY)
    felt.draw(1)
    for seat in (1, 4, 7):
        tell(felt, seating.PlayerLeft(**AT, seat=seat, player_id=f"p{seat}"))
    tell(felt, seating.TableBroken(**AT, game_id="6-12", reason="too few"))
    assert not felt.table.is_open
    tell(felt, seating.TableClosed(**AT))
    tell(felt, seating.TableOpened(**AT, game_id=TEN_TWENTY.game_id, seats=9))
    assert felt.table.the_game().game_id == TEN_TWENTY.game_id
    assert felt.table.first_button == 0
    assert felt.table.account_cents == 0


def test_no_hand_is_dealt_at_a_table_that_closes_under_players_typed_in() -> None:
    felt = in_a_hand()
    tell(felt, seating.TableClosed(**AT))
    finish(felt)
    assert felt.refused(c.StartHand, "dealer").code == "TABLE_CLOSING"
    felt.leave(1, 4)
    assert felt.table.is_open
    felt.leave(7)
    assert not felt.table.is_open


def test_word_of_somebody_who_does_not_sit_there_changes_nothing() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    before = felt.table
    tell(felt, seating.PlayerAway(**AT, seat=4, player_id="p9"))
    tell(felt, seating.PlayerBack(**AT, seat=5, player_id="p9"))
    tell(felt, seating.PlayerExcluded(**AT, seat=4, player_id="p9"))
    assert felt.table == before


def test_a_table_has_the_extra_seats_that_seating_gave_it() -> None:
    opened = seating.TableOpened(**AT, game_id="6-12", seats=9, extra_seats=1)
    (command,) = from_seating(received(opened, source="seating", stream=f"table/{ROOM}/{T}"))
    assert command == c.OpenTable(room=ROOM, table=T, game_id="6-12", seats=10, as_fact=True)
