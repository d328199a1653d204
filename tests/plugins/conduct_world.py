"""Reports, sanctions and bars against players of a floor, for the worked cases of conduct."""

from typing import Any

from cardroom.players import commands as pc
from cardroom.players import events as pe
from cardroom.players.values import ConductFacts, Hold, Incident, Place
from cardroom.seating import commands as sc
from tests.plugins.floor_world import GROUP, SIX_TWELVE, FloorWorld, found
from tests.plugins.world import ROOM


class Conduct(FloorWorld):
    """A game at t4 whose players p1 to p9 are on the books."""

    def __init__(self, book: str, game: Any = SIX_TWELVE, at: str = "19:00") -> None:
        super().__init__(book, game, at=at)
        self.register(*(f"p{n}" for n in range(1, 10)))
        self.open("t4", players=range(1, 10))
        self.hand("t4", 1, 1, 2, 3)
        self.pump()
        self._count = 0

    def report(
        self,
        offence: str,
        *people: str,
        hand: str = "",
        consequence: Hold = Hold.NONE,
        host: str = "",
        by: str = "floor",
        **facts: Any,
    ) -> Any:
        """Report an act; returns the first person's event."""
        self._count += 1
        events = self.player(
            self.reporting(
                offence, *people, hand=hand, consequence=consequence, host=host, **facts
            ),
            by,
            actor=by,
        )
        return events[0]

    def reporting(
        self,
        offence: str,
        *people: str,
        hand: str = "",
        consequence: Hold = Hold.NONE,
        host: str = "",
        **facts: Any,
    ) -> pc.ReportConduct:
        """Return the command that reports an act."""
        return pc.ReportConduct(
            group=GROUP,
            incident_id=f"i{self._count}",
            player_ids=people,
            offence=offence,
            place=Place(
                room=ROOM,
                game_id=self.games[0].game_id,
                table="t4",
                seat=int(people[0][1:]) if people[0][1:].isdigit() else 0,
                hand_id=hand,
            ),
            facts=ConductFacts(**facts),
            consequence=consequence,
            host_id=host,
        )

    def sanction(
        self, person: str, what: str, *, reason: str = "", incident: str = "", until: Any = None
    ) -> Any:
        """Apply a sanction to the last incident of a person, or to one by its id."""
        events = self.player(self.sanctioning(person, what, reason, incident, until), "floor")
        return found(events, pe.SanctionApplied)

    def sanctioning(
        self, person: str, what: str, reason: str = "", incident: str = "", until: Any = None
    ) -> pc.ApplySanction:
        return pc.ApplySanction(
            group=GROUP,
            room=ROOM,
            player_id=person,
            incident_id=incident or self.last(person).incident_id,
            sanction=what,
            until=until,
            reason=reason,
        )

    def last(self, person: str) -> Incident:
        """Return the newest incident on a record."""
        return self.record(person).incidents[-1]

    def bars(self, person: str, *, incident: str = "", until: Any = None, reason: str = "") -> Any:
        """Bar a person; the others hear of it."""
        self._count += 1
        events = self.player(
            pc.BarPlayer(
                group=GROUP,
                player_id=person,
                bar_id=f"b{self._count}",
                room=ROOM,
                game_id=self.games[0].game_id,
                until=until,
                reason=reason,
                incident_id=incident,
            ),
            "shift_manager",
        )
        self.pump()
        return found(events, pe.PlayerBarred)

    def joins(self, person: str) -> Any:
        """Sign a person up with the standing that players tell."""
        return self.list(self.sign(person, standing=self.standing(person)), "brush")

    def no_join(self, person: str) -> Any:
        return self.no(self.list, self.sign(person, standing=self.standing(person)), "brush")

    def no_lock(self, person: str, seat: int = 9) -> Any:
        return self.no(
            self.seat,
            sc.LockSeat(
                room=ROOM,
                table="t4",
                seat=seat,
                player_id=person,
                standing=self.standing(person),
            ),
            override="set-up",
        )

    def no_buy(self, person: str) -> Any:
        return self.no(
            self.seat,
            sc.BuyChips(
                room=ROOM,
                table="t4",
                player_id=person,
                amount_cents=6000,
                stack_cents=0,
                standing=self.standing(person),
            ),
        )

    def no_buy_of(self, person: str) -> Any:
        """Have somebody who sits nowhere refused a seat with chips."""
        return self.no(
            self.seat,
            sc.TakeSeat(
                room=ROOM,
                table="t4",
                seat=9,
                player_id=person,
                buy_in_cents=20_000,
                standing=self.standing(person),
            ),
            override="set-up",
        )

    def cash_out(self, seat: int, dollars: int) -> Any:
        """Pick up the chips of somebody who must leave."""
        picked = self.seat(
            sc.PickUpChips(room=ROOM, table="t4", seat=seat, chips_cents=dollars * 100), "floor"
        )
        self.pump()
        return picked
