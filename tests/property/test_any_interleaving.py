"""Seating, tables, time collection and cashier hear each other in any order that the bus allows, and agree in the end.

Each source's messages of a table keep their order; how far a consumer has read one source says nothing of the others.
"""

import contextlib
import random
from typing import Any, NamedTuple

from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.seating.v1 import seating_types_pb2 as types
from cardroom.api.timecollection.v1 import timecollection_events_pb2 as time
from cardroom.cashier import commands as cashier
from cardroom.cashier import inbox as cashier_inbox
from cardroom.cashier import ledger as books
from cardroom.cashier.core import DECIDER as CASHIER
from cardroom.cashier.core import ledger_stream
from cardroom.kernel.refusal import Refused
from cardroom.tables import hand_commands as do
from cardroom.tables import inbox as tables_inbox
from cardroom.timecollection import inbox as time_inbox
from cardroom.timecollection.core import DECIDER as COLLECTING
from cardroom.timecollection.core import collection_stream
from tests.plugins.tables_world import WP_10_20, Felt, T
from tests.plugins.world import ROOM, World
from tests.spec.test_table_inbox import published

BUY_IN_CENTS, BUY_CENTS, TIME_CENTS, SOLD_CENTS = 20_000, 5_000, 700, 1_000_000
PEOPLE = ("p1", "p2", "p3", "p4")
DEAL = "deal"
STEPS = ("away", "back", "change", "buy", "pay")
POLICIES = {
    ("tables", "seating"): tables_inbox.from_seating,
    ("tables", "time"): tables_inbox.from_timecollection,
    ("cashier", "tables"): cashier_inbox.from_tables,
    ("cashier", "time"): cashier_inbox.from_timecollection,
    ("time", "tables"): time_inbox.from_tables,
    ("time", "seating"): time_inbox.from_seating,
}
"""Consumer and source -> what its messages mean there."""


class Person(NamedTuple):
    """What one player does after sitting down, and whether he leaves at the end."""

    steps: tuple[str, ...]
    leaves: bool


class Evening:
    """Four contexts, the messages that each source has published, and how far each consumer has read them."""

    def __init__(self, people: dict[str, Person], deals: int, chance: random.Random) -> None:
        self.people = people
        self.chance = chance
        self.felt = Felt("WP", WP_10_20, ())
        self.worlds = {
            "tables": self.felt.world,
            "cashier": World(CASHIER, "WP"),
            "time": World(COLLECTING, "WP"),
        }
        self.worlds["time"].offer(WP_10_20)
        cage = self.worlds["cashier"]
        cage.do(cashier.OpenCage(room=ROOM, chips_cents=2 * SOLD_CENTS, cash_cents=0))
        sold = cashier.SellChips(
            room=ROOM, player_id="p", cents=SOLD_CENTS, cash_received_cents=SOLD_CENTS
        )
        cage.do(sold)
        self.log: dict[str, list[Message]] = {"seating": [], "tables": [], "time": []}
        self.read = dict.fromkeys(POLICIES, 0)
        self.left = {
            name: ["sit", *one.steps, *["leave"] * one.leaves] for name, one in people.items()
        }
        self.seat = dict.fromkeys(people, 0)
        self.free = [1, 2, 3, 4, 5]
        self.chips = dict.fromkeys(people, 0)
        self.deals = deals

    def play(self) -> None:
        """Let things happen and be heard, one at a time, until nothing is left."""
        while choices := self._dealing([*self._acting(), *self._unread()]):
            chosen = self.chance.choice(choices)
            if chosen == DEAL:
                self._deal()
            elif isinstance(chosen, str):
                self._act(chosen, self.left[chosen].pop(0))
            else:
                self._hear(*chosen)
        assert not any(self.left.values())

    def _dealing(self, others: list[Any]) -> list[Any]:
        """Add that a hand begins or ends: much may happen in one, and the last one is over in the end."""
        if self.felt.table.hand is not None:
            return others if others and self.chance.random() < 0.95 else [DEAL]
        return [*others, DEAL] if self.deals and len(self._present()) > 1 else others

    def _present(self) -> list[int]:
        return [seat.seat for seat in self.felt.table.seats.values() if seat.present]

    def _deal(self) -> None:
        """Deal a hand, where one may be dealt, or void the one in play: its chips go back to where they came from."""
        if self.felt.table.hand is not None:
            self.felt.play(do.VoidHand, 0, "floor", reason="misdeal", rules=("CR-6",))
            return
        self.deals -= 1
        if self.felt.table.first_button == 0:
            self.felt.draw(self._present()[0])
        with contextlib.suppress(Refused):  # nobody may come in, for example
            self.felt.start()

    def _acting(self) -> list[str]:
        return [name for name, steps in self.left.items() if steps and self._can(name, steps[0])]

    def _can(self, name: str, step: str) -> bool:
        """Time is taken from whom time collection has heard to sit."""
        return step != "pay" or self._collected_from(name) != 0

    def _collected_from(self, name: str) -> int:
        state = self.worlds["time"].streams.get(collection_stream(ROOM, T))
        found = [one.seat for one in state.seats if one.player_id == name] if state else []
        return found[0] if found else 0

    def _unread(self) -> list[tuple[str, str]]:
        self.log["tables"] = published(self.felt)
        return [who for who, upto in self.read.items() if upto < len(self.log[who[1]])]

    def _hear(self, consumer: str, source: str) -> None:
        message = self.log[source][self.read[consumer, source]]
        self.read[consumer, source] += 1
        told = received(message, source=source, stream=f"table/{ROOM}/{T}")
        for command in POLICIES[consumer, source](told):
            self.worlds[consumer].do(command, "service", actor=source)

    def _act(self, name: str, step: str) -> None:
        where: dict[str, Any] = {"room": ROOM, "table": T, "player_id": name}
        seat = self.seat[name]
        if step == "pay":
            self.chips[name] -= TIME_CENTS
            paid = time.TimePaid(**where, seat=self._collected_from(name), amount_cents=TIME_CENTS)
            self.log["time"].append(paid)
            return
        match step:
            case "sit":
                self.chips[name] = BUY_IN_CENTS
                seat = self.seat[name] = self._free_seat()
                entry = types.Entry(kind="new")
                told = seating.PlayerSeated(
                    **where, seat=seat, buy_in_cents=BUY_IN_CENTS, entry=entry
                )
            case "away":
                told = seating.PlayerAway(**where, seat=seat)
            case "back":
                told = seating.PlayerBack(**where, seat=seat)
            case "buy":
                self.chips[name] += BUY_CENTS
                told = seating.ChipsBought(**where, seat=seat, amount_cents=BUY_CENTS)
            case "change":
                self.seat[name] = self._free_seat()
                self.free.append(seat)
                told = seating.SeatChanged(**where, from_seat=seat, to_seat=self.seat[name])
            case _:
                self.free.append(seat)
                told = seating.PlayerLeft(**where, seat=seat, chips_cents=self.chips[name])
        self.log["seating"].append(told)

    def _free_seat(self) -> int:
        return self.free.pop(self.chance.randrange(len(self.free)))

    def is_away(self, name: str) -> bool:
        """Whether a player's last word was that he is away."""
        said = [step for step in self.people[name].steps if step in ("away", "back")]
        return bool(said) and said[-1] == "away"


person = st.builds(Person, st.lists(st.sampled_from(STEPS), max_size=6).map(tuple), st.booleans())


@settings(deadline=None, max_examples=60)
@given(
    st.fixed_dictionaries(dict.fromkeys(PEOPLE, person)),
    st.integers(0, 4),
    st.integers(0, 2**32),
)
def test_whatever_is_heard_first_everybody_agrees_in_the_end(
    people: dict[str, Person], deals: int, seed: int
) -> None:
    evening = Evening(people, deals, random.Random(seed))
    evening.play()
    there = {name for name, one in people.items() if not one.leaves}
    stacks = {evening.seat[name]: (name, evening.chips[name]) for name in there}

    table = evening.felt.table
    assert {n: (one.player, one.stack_cents) for n, one in table.seats.items()} == stacks
    assert {one.player for one in table.seats.values() if not one.present} == {
        name for name in there if evening.is_away(name)
    }
    on_table = sum(cents for _, cents in stacks.values())
    assert (table.account_cents, table.common_cents) == (on_table, 0)

    state = evening.worlds["time"].streams.get(collection_stream(ROOM, T))
    assert state is not None
    assert {one.seat: one.player_id for one in state.seats} == {
        seat: name for seat, (name, _) in stacks.items()
    }
    assert {one.player_id for one in state.seats if one.away} == {
        name for name in there if evening.is_away(name)
    }

    ledger = evening.worlds["cashier"].state(ledger_stream(ROOM))
    assert books.made_good(ledger) == {}
    held = {name: cents for name, cents in books.shown(ledger).items() if name.startswith("chips/")}
    taken = sum(one.steps.count("pay") for one in people.values()) * TIME_CENTS
    assert held.get(books.table_chips(T), 0) == on_table
    assert held.get(books.drop_chips(T), 0) == taken
    assert held[books.PLAYERS_CHIPS] == SOLD_CENTS - on_table - taken
    assert books.UNEXPLAINED_CHIPS not in held
