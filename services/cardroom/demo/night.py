"""The middle acts: hands, jackpot, must-move, time, and two disputes."""

from typing import Any, Final

from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceStub
from cardroom.api.jackpot.v1 import jackpot_service_pb2 as jackpot
from cardroom.api.jackpot.v1.jackpot_service_pb2_grpc import JackpotServiceStub
from cardroom.api.seating.v1 import moves_service_pb2 as moves
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.seating.v1.moves_service_pb2_grpc import MovesServiceStub
from cardroom.api.seating.v1.seating_service_pb2_grpc import SeatingServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1 import rulings_service_pb2 as rulings
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1 import tables_types_pb2 as types
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.api.tables.v1.rulings_service_pb2_grpc import RulingsServiceStub
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.api.timecollection.v1 import timecollection_service_pb2 as time
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import TimeCollectionServiceStub
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from cardroom.api.waitlist.v1.waitlist_service_pb2_grpc import WaitlistServiceStub
from cardroom.demo.hands import Dealing, RecordedHand
from cardroom.demo.opening import (
    BY_PHONE,
    LARGE,
    LARGE_BUY_CENTS,
    PEOPLE,
    SEED_CENTS,
    SMALL,
    SMALL_BUY_CENTS,
    draw_button,
    sign_up,
    start_game,
    table_view,
)
from cardroom.demo.room import ROOM, Room
from cardroom.kernel.money import dollars

BAD_BEAT: Final = "3-aces-full-beaten.phh"
HAND_MINUTES: Final = 2


async def record_every_action(room: Room, table: str) -> None:
    """Let a table record every action, as RFID tables and streamed ones do."""
    request = tables.SetCaptureRequest(room=ROOM, table=table, capture=types.CAPTURE_EVERY_ACTION)
    await room.ask("floor", TablesServiceStub, "SetCapture", request)
    room.story.tell(f"{table} records every action", f"table/{ROOM}/{table}")


async def play_hands(room: Room, table: str, recorded: list[RecordedHand]) -> list[Any]:
    """Play recorded hands at a table that records every action."""
    played = []
    for one in recorded:
        await room.wait(HAND_MINUTES)
        hand = await Dealing(room, table).play(one)
        gained = {one.seat: one.after_cents - one.before_cents for one in hand.results}
        winner = max(gained, key=lambda seat: gained[seat])
        room.story.tell(f"{one.about} Seat {winner} is up {dollars(gained[winner])}.", hand.hand_id)
        played.append(hand)
    return played


async def hit_the_jackpot(room: Room, hand_id: str) -> None:
    """Look at the claim that the bad beat opened, award it, and pay its shares."""
    story, claim_id = room.story, hand_id.replace("/", ".")
    story.act("The jackpot is hit")
    pool = await room.until(
        "the jackpot's drop",
        lambda: room.ask(
            "floor", JackpotServiceStub, "GetPool", jackpot.GetPoolRequest(room=ROOM, pool="main")
        ),
        lambda found: found.pool.balance_cents > SEED_CENTS,
    )
    story.tell(
        f"the drop of the night has let the jackpot grow from {dollars(SEED_CENTS)} "
        f"to {dollars(pool.pool.balance_cents)}",
        f"pool/{ROOM}/main",
    )
    get = jackpot.GetClaimRequest(room=ROOM, claim=claim_id)
    claim = (
        await room.until(
            "the claim",
            lambda: room.ask("floor", JackpotServiceStub, "GetClaim", get),
            lambda found: found.claim.qualifies,
        )
    ).claim
    rows = [
        ("yes" if one.met else "no", one.name, one.detail, " ".join(one.rules))
        for one in claim.conditions
    ]
    story.table(
        "Every condition of the jackpot", ("met", "condition", "what decided", "rules"), rows
    )
    award = jackpot.AwardJackpotRequest(room=ROOM, claim=claim_id)
    shares = (await room.ask("manager", JackpotServiceStub, "AwardJackpot", award)).claim.shares
    for share in shares:
        story.tell(f"{PEOPLE[share.player_id]} gets {dollars(share.amount_cents)} ({share.part})")
    ledger = await room.until(
        "payouts at the cage",
        lambda: room.ask(
            "cage", CashierServiceStub, "GetLedger", cashier.GetLedgerRequest(room=ROOM)
        ),
        lambda found: len(found.ledger.payouts) == len(shares),
    )
    for owed in ledger.ledger.payouts:
        pay = cashier.PayOutRequest(room=ROOM, payout_id=owed.payout_id)
        await room.ask("cage", CashierServiceStub, "PayOut", pay)
    story.tell("the cage pays every share", f"claim/{ROOM}/{claim_id}")


async def dispute_recorded_hand(room: Room, hand: Any) -> None:
    """Dispute a recorded hand before the next deal, replay it event by event, and rule."""
    story = room.story
    story.act("A hand is disputed at t1")
    where: dict[str, Any] = {"room": ROOM, "table": hand.table, "dispute": "d1"}
    question = "Bo says that seat 1 checked the river before he bet it"
    opened = rulings.OpenDisputeRequest(
        **where, hand_number=hand.hand_number, asked_by="p02", question=question, pot_cents=9500
    )
    await room.ask("floor", RulingsServiceStub, "OpenDispute", opened)
    story.tell(question, f"dispute/{ROOM}/{hand.table}/d1", hand.hand_id)
    await replay(room, hand.hand_id)
    await write_out(room, hand.hand_id)
    evidence = rulings.AddEvidenceRequest(
        **where,
        about="the river",
        says="seat 1 says nothing and slides $12 forward",
        source=types.SOURCE_CAMERA,
        told_by="camera 3",
    )
    await room.ask("floor", RulingsServiceStub, "AddEvidence", evidence)
    ruling = rulings.RuleDisputeRequest(
        **where,
        decision="the bet stands",
        reason="the camera shows no word before the chips",
        rules=["LC-8"],
    )
    ruled = await room.ask("floor", RulingsServiceStub, "RuleDispute", ruling)
    last = ruled.dispute.rulings[-1]
    story.tell(f"ruled by {last.by}: {last.decision}, {last.reason}", *last.rules)


async def replay(room: Room, hand_id: str) -> None:
    """Replay a hand from the store, event by event, with what could be done at each."""
    rows = []
    request = audit.ReplayHandRequest(room=ROOM, hand_id=hand_id)
    whole = (await room.ask("auditor", AuditServiceStub, "ReplayHand", request)).hand
    for entry in whole.entries:
        request = audit.ReplayHandRequest(room=ROOM, hand_id=hand_id, at_version=entry.version)
        then = (await room.ask("auditor", AuditServiceStub, "ReplayHand", request)).hand
        legal = (
            f"seat {then.to_act_seat}: {', '.join(o.words for o in then.legal)}"
            if then.legal
            else ""
        )
        pot = dollars(then.pot_cents) if then.HasField("pot_cents") else "unknown"
        rows.append((entry.version, entry.kind, entry.words, pot, legal, entry.own_hash[:8]))
    head = ("event", "what", "in words", "in the middle", "legal then", "hash")
    room.story.table(f"{hand_id} replayed from the store", head, rows)


async def write_out(room: Room, hand_id: str) -> None:
    """Write a hand in the format that other programs read."""
    request = audit.ExportHandRequest(room=ROOM, hand_id=hand_id, format=audit.HAND_FORMAT_PHH)
    written = await room.ask("auditor", AuditServiceStub, "ExportHand", request)
    lines = written.text.count("\n")
    room.story.tell(
        f"the hand goes to both sides as {written.file_name}, {lines} lines of PHH", hand_id
    )


async def open_must_move(room: Room) -> None:
    """Open a second game behind the first, and move a player when a seat opens in the main game."""
    story = room.story
    story.act("A must-move game")
    arrived = waitlist.ReportArrivedRequest(
        room=ROOM, game_id=SMALL, entry_id=f"{SMALL}.{BY_PHONE}"
    )
    await room.ask("brush", WaitlistServiceStub, "ReportArrived", arrived)
    story.tell("Ida, who called in, is here")
    for player_id in ("p10", "p11"):
        await sign_up(room, SMALL, player_id)
    feeders = ("p07", "p08", "p09", "p10", "p11")
    await start_game(room, "t2", SMALL, feeders, SMALL_BUY_CENTS, feeds="t1")
    list_request = waitlist.GetMustMoveRequest(room=ROOM, main="t1")
    await room.until(
        "the must-move list",
        lambda: room.ask("brush", WaitlistServiceStub, "GetMustMove", list_request),
        lambda found: len(found.must_move.names) == len(feeders),
    )
    story.tell(
        "sitting down in the feeder put all five on the must-move list", f"mustmove/{ROOM}/t1"
    )
    stacks = {seat.player_id: seat for seat in (await table_view(room, "t1")).table.occupied}
    leaving = seating.LeaveSeatRequest(
        room=ROOM, table="t1", player_id="p03", chips_cents=stacks["p03"].stack_cents
    )
    await room.ask("brush", SeatingServiceStub, "LeaveSeat", leaving)
    story.tell(f"Cy leaves the main game with {dollars(stacks['p03'].stack_cents)}")
    called = await room.until(
        "a call to the main game",
        lambda: room.ask("brush", WaitlistServiceStub, "GetMustMove", list_request),
        lambda found: found.must_move.names[0].called_seat,
    )
    first = called.must_move.names[0]
    story.tell(
        f"{PEOPLE[first.player_id]}, first on the list, is called to seat {first.called_seat}"
    )
    moved = moves.MovePlayerRequest(
        room=ROOM,
        table="t2",
        player_id=first.player_id,
        to_table="t1",
        to_seat=first.called_seat,
        stack_cents=SMALL_BUY_CENTS,
    )
    await room.soon("brush", MovesServiceStub, "MovePlayer", moved)
    await room.until(
        "the move at the tables",
        lambda: table_view(room, "t1"),
        lambda view: any(seat.player_id == first.player_id for seat in view.table.occupied),
    )
    await room.until(
        "the feeder's seat to be empty at the tables",
        lambda: table_view(room, "t2"),
        lambda view: all(seat.player_id != first.player_id for seat in view.table.occupied),
    )
    story.tell(f"{PEOPLE[first.player_id]} moves with {dollars(SMALL_BUY_CENTS)}")


TIME_PLAYERS: Final = ("p12", "p13", "p14", "p15", "p16")


async def open_time_game(room: Room) -> int:
    """Start a time game whose table only counts its hands; returns what was collected in advance in cents."""
    story = room.story
    story.act("A time game that only counts its hands")
    for player_id in TIME_PLAYERS:
        await sign_up(room, LARGE, player_id)
    await start_game(room, "t3", LARGE, TIME_PLAYERS, LARGE_BUY_CENTS)
    await draw_button(room, "t3", ("4c", "9d", "Kh", "2s", "Jc"))
    capture = tables.SetCaptureRequest(room=ROOM, table="t3", capture=types.CAPTURE_COUNTED)
    await room.ask("floor", TablesServiceStub, "SetCapture", capture)
    total, payers = await pay_time(room)
    story.tell(
        f"time is taken in advance of the first hand: {dollars(total)} from {payers} players",
        f"collection/{ROOM}/t3",
    )
    for _ in range(3):
        await room.wait(HAND_MINUTES)
        await count_hand(room, "t3")
    story.tell("three hands, one tap each", f"table/{ROOM}/t3")
    request = time.GetCollectionRequest(room=ROOM, table="t3")
    await room.until(
        "the clock of the time game to run",
        lambda: room.ask("floor", TimeCollectionServiceStub, "GetCollection", request),
        lambda found: found.collection.HasField("due_at"),
    )
    return total


async def count_hand(room: Room, table: str) -> str:
    """Count the next hand with one tap; returns its id."""
    number = (await table_view(room, table)).table.last_hand_number + 1
    request = hands.CountHandRequest(room=ROOM, table=table, hand_number=number)
    counted = await room.soon("dealer", HandsServiceStub, "CountHand", request)
    return str(counted.hand_id)


async def collect_time(room: Room) -> int:
    """Let the half hour pass and collect time from everybody; returns what was collected in cents."""
    story = room.story
    story.act("Time is collected")
    await room.wait(30)
    total, payers = await pay_time(room)
    story.tell(
        f"the half hour is over: {dollars(total)} from {payers} players", f"collection/{ROOM}/t3"
    )
    return total


async def pay_time(room: Room) -> tuple[int, int]:
    """Take what everybody owes once it fell due; returns how much in cents and from how many players."""
    request = time.GetCollectionRequest(room=ROOM, table="t3")
    due = await room.until(
        "time to fall due",
        lambda: room.ask("floor", TimeCollectionServiceStub, "GetCollection", request),
        lambda found: (
            sum(seat.owes_cents > 0 for seat in found.collection.seats) == len(TIME_PLAYERS)
        ),
    )
    total = 0
    for seat in due.collection.seats:
        pay = time.PayTimeRequest(
            room=ROOM, table="t3", seat=seat.seat, amount_cents=seat.owes_cents
        )
        await room.ask("dealer", TimeCollectionServiceStub, "PayTime", pay)
        total += seat.owes_cents
    return total, len(due.collection.seats)


async def dispute_counted_hand(room: Room) -> None:
    """Dispute a hand that was only counted, and rebuild it from what people and the camera saw."""
    story = room.story
    story.act("A counted hand is disputed and reconstructed")
    hand_id = await count_hand(room, "t3")
    where: dict[str, Any] = {"room": ROOM, "table": "t3", "dispute": "d2"}
    question = "Max says that his flush was mucked face up before the pot went to Nan"
    opened = rulings.OpenDisputeRequest(
        **where, hand_number=int(hand_id.rpartition("/")[2]), asked_by="p13", question=question
    )
    await room.ask("floor", RulingsServiceStub, "OpenDispute", opened)
    story.tell(question, f"dispute/{ROOM}/t3/d2", hand_id)
    for source, who, says in (
        (types.SOURCE_PLAYER, "p13", "I tabled two spades, the dealer swept them"),
        (types.SOURCE_PLAYER, "p14", "I saw one card of his at most"),
        (types.SOURCE_CAMERA, "camera 7", "As 9s lie face up before seat 2 for two seconds"),
    ):
        evidence = rulings.AddEvidenceRequest(
            **where, about="the showdown", says=says, source=source, told_by=who
        )
        await room.ask("floor", RulingsServiceStub, "AddEvidence", evidence)
        story.tell(f"{PEOPLE.get(who, who)}: {says}")
    await rebuild(room, hand_id)
    await replay(room, hand_id)
    ruling = rulings.RuleDisputeRequest(
        **where,
        decision="the pot is seat 2's",
        reason="the hand was tabled before it was mucked",
        rules=["LC-TB"],
    )
    ruled = (await room.ask("floor", RulingsServiceStub, "RuleDispute", ruling)).dispute.rulings[-1]
    story.tell(f"ruled by {ruled.by}: {ruled.decision}, {ruled.reason}", *ruled.rules)


async def rebuild(room: Room, hand_id: str) -> None:
    """Enter afterwards what people and the camera saw of a counted hand."""
    request = rulings.ReconstructHandRequest(room=ROOM, table="t3", dispute="d2")
    hand = (await room.ask("floor", RulingsServiceStub, "ReconstructHand", request)).hand
    seats = [chair.seat for chair in hand.chairs]
    after = seats.index(hand.button_seat) + 1
    order = seats[after:] + seats[:after]
    small, big = order[0], order[1]
    seen: dict[str, Any] = {"room": ROOM, "table": "t3", "hand_id": hand_id, "reconstructed": True}

    async def act(seat: int, action: Any, source: Any, to_cents: int | None = None) -> None:
        request = hands.TakeActionRequest(
            **seen, seat=seat, action=action, source=source, to_cents=to_cents
        )
        await room.ask("floor", HandsServiceStub, "TakeAction", request)

    async def street(*cards: str) -> None:
        request = hands.DealStreetRequest(room=ROOM, table="t3", hand_id=hand_id, board=cards)
        await room.ask("floor", HandsServiceStub, "DealStreet", request)

    for seat in order[2:]:
        await act(seat, hands.ACTION_FOLD, types.SOURCE_CAMERA)
    await act(small, hands.ACTION_CALL, types.SOURCE_PLAYER)
    await act(big, hands.ACTION_CHECK, types.SOURCE_PLAYER)
    for cards in (("Ks", "7s", "2d"), ("3s",), ("Jh",)):
        await street(*cards)
        await act(small, hands.ACTION_CHECK, types.SOURCE_CAMERA)
        await act(big, hands.ACTION_CHECK, types.SOURCE_CAMERA)
    for seat, shown, source in (
        (small, ("As", "9s"), types.SOURCE_CAMERA),
        (big, ("Kd", "Qc"), types.SOURCE_PLAYER),
    ):
        show = hands.ShowHandRequest(**seen, seat=seat, cards=shown, source=source)
        await room.ask("floor", HandsServiceStub, "ShowHand", show)
    award = hands.AwardPotsRequest(room=ROOM, table="t3", hand_id=hand_id, losers_killed=True)
    settled = (await room.ask("floor", HandsServiceStub, "AwardPots", award)).hand
    winners = [one.seat for one in settled.results if one.won_cents]
    room.story.tell(
        f"rebuilt from three accounts: the shown cards give the pot to seat {winners[0]}", hand_id
    )
