"""The gRPC service of hands."""

from collections.abc import Callable
from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom import known
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.api.tables.v1 import hands_service_pb2 as pb
from cardroom.api.tables.v1 import hands_service_pb2_grpc as pb_grpc
from cardroom.api.tables.v1 import tables_types_pb2 as types_pb
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Streams
from cardroom.poker.reading import Reader
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.core import hand_number
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hand_views import SEES_ALL, hand_message
from cardroom.tables.notes import notes_id
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.reading import cards, maybe, pairs, source_of
from cardroom.tables.table import Table, hand_id, table_id
from cardroom.tables.views import table_message

R = TypeVar("R", bound=Message)
MOST_ON_PAGE = 200


def _on_hand(request: Any) -> dict[str, Any]:
    number = hand_number(request.hand_id)
    if request.hand_id != hand_id(request.room, request.table, number):
        raise Unknown("hand", request.hand_id, field="hand_id")
    return {
        "room": request.room,
        "table": request.table,
        "hand": request.hand_id,
        "after": request.after_version,
    }


def _on_seat(request: Any) -> dict[str, Any]:
    return {
        **_on_hand(request),
        "seat": request.seat,
        "source": source_of(request.source),
        "reconstructed": request.reconstructed,
    }


def action_of(request: pb.TakeActionRequest) -> do.SeatCommand:
    """Return the command that an action means.

    Raises:
        Refused: CR-12, a bet or raise without its amount.
    """
    where = _on_seat(request)
    amount = maybe(request, "to_cents")
    match request.action:
        case pb.ACTION_FOLD:
            return do.Fold(**where)
        case pb.ACTION_CHECK:
            return do.Check(**where)
        case pb.ACTION_CALL:
            return do.Call(**where)
        case pb.ACTION_BRING_IN:
            return do.BringIn(**where)
        case pb.ACTION_ALL_IN:
            return do.AllIn(**where, to_cents=amount)
        case _:
            if amount is None:
                raise Refused(
                    "AMOUNT_MISSING", "CR-12", "a bet or raise needs its amount", field="to_cents"
                )
            if request.action == pb.ACTION_BET:
                return do.Bet(**where, to_cents=amount)
            return do.RaiseTo(**where, to_cents=amount)


def street_of(request: pb.DealStreetRequest) -> do.DealStreet:
    """Return the command that deals a street."""
    return do.DealStreet(
        **_on_hand(request),
        board=tuple(request.board),
        up=cards(request.up),
        burned=request.burned,
        run=request.run,
        community=request.community,
        opener=request.opener_seat,
    )


def hole_cards_of(request: pb.NoteHoleCardsRequest) -> do.NoteHoleCards:
    """Return the command that enters hole cards."""
    return do.NoteHoleCards(
        **_on_hand(request),
        hands=tuple((one.seat, tuple(one.cards)) for one in request.hands),
        source=source_of(request.source),
        reconstructed=request.reconstructed,
    )


def shown_of(request: pb.ShowHandRequest) -> do.ShowHand:
    """Return the command that enters shown cards."""
    return do.ShowHand(**_on_seat(request), cards=tuple(request.cards))


def correction_of(request: pb.CorrectEntryRequest) -> do.CorrectEntry:
    """Return the command that replaces a wrong entry."""
    corrected: do.HandCommand | None
    match request.WhichOneof("corrected"):
        case "action":
            corrected = action_of(request.action)
        case "street":
            corrected = street_of(request.street)
        case "hole_cards":
            corrected = hole_cards_of(request.hole_cards)
        case "shown":
            corrected = shown_of(request.shown)
        case _:
            corrected = None
    return do.CorrectEntry(
        **_on_hand(request),
        entry=request.entry_version,
        corrected=corrected,
        reason=request.reason,
    )


COMMANDS: dict[str, Callable[[Any], do.HandCommand]] = {
    "TakeAction": action_of,
    "NoteHoleCards": hole_cards_of,
    "DealStreet": street_of,
    "ShowHand": shown_of,
    "CorrectEntry": correction_of,
    "ExchangeCards": lambda r: do.Exchange(
        **_on_seat(r), count=r.count, discarded=tuple(r.discarded), drawn=tuple(r.drawn)
    ),
    "MuckHand": lambda r: do.MuckHand(
        **_on_seat(r), in_muck=not r.clear_of_muck, identifiable=not r.not_identifiable
    ),
    "CallClock": lambda r: do.CallClock(**_on_seat(r)),
    "KillHand": lambda r: do.KillHand(**_on_seat(r)),
    "AskToSee": lambda r: do.AskToSee(
        **_on_hand(r),
        asked_by=r.asked_by_seat,
        seat=r.seat,
        asker_seated=not r.asker_not_seated,
        privilege_withdrawn=r.privilege_withdrawn,
    ),
    "SayBoardPlays": lambda r: do.SayBoardPlays(**_on_seat(r)),
    "PutAwayCards": lambda r: do.PutAway(**_on_seat(r), cards=tuple(r.cards)),
    "SealDeclaration": lambda r: do.SealDeclaration(**_on_seat(r), chips=maybe(r, "chips")),
    "RevealDeclarations": lambda r: do.RevealDeclarations(
        **_on_hand(r), chips=tuple((one.seat, one.chips) for one in r.chips)
    ),
    "DeclareAloud": lambda r: do.DeclareAloud(**_on_seat(r), way=r.way),
    "AgreeRuns": lambda r: do.AgreeRuns(**_on_hand(r), times=r.times, seats=tuple(r.seats)),
    "TakeRake": lambda r: do.TakeRake(
        **_on_hand(r),
        rake_cents=r.rake_cents,
        jackpot_drop_cents=r.jackpot_drop_cents,
        pot=r.pot,
    ),
    "AwardPots": lambda r: do.AwardPots(
        **_on_hand(r),
        pot=maybe(r, "pot"),
        losers_killed=r.losers_killed,
        winners=tuple(r.winner_seats),
        low_winners=tuple(r.low_winner_seats),
        agreed=tuple(r.agreed_seats),
    ),
    "ChopBlinds": lambda r: do.ChopBlinds(**_on_hand(r)),
    "PushBets": lambda r: do.PushBets(**_on_hand(r), returns=pairs(r.returns)),
    "NoteWinner": lambda r: do.NoteWinner(
        **_on_hand(r),
        seats=tuple(r.seats),
        pot_cents=maybe(r, "pot_cents"),
        source=source_of(r.source),
    ),
    "RuleHandDead": lambda r: do.RuleHandDead(
        **_on_hand(r), seat=r.seat, rules=tuple(r.rules) or ("CR-6",)
    ),
    "VoidHand": lambda r: do.VoidHand(
        **_on_hand(r),
        reason=r.reason,
        rules=tuple(r.rules) or ("CR-6",),
        collection_returned=not r.collection_kept,
    ),
    "RewindHand": lambda r: do.RewindHand(**_on_hand(r), to=r.to_version, reason=r.reason),
}
"""RPCs whose command goes to one hand and whose answer is the hand."""


class HandsServicer(Servicer, pb_grpc.HandsServiceServicer):
    """Answers `HandsService`; the RPCs of `COMMANDS` are added below the class."""

    app: Any

    def __init__(self, app: Any, reader: Reader) -> None:
        super().__init__(app)
        self.reader = reader

    def rules_in(self, streams: Streams, hand: Hand) -> HandRules | None:
        """Return the rules of a hand from the streams of a decision."""
        book = streams.get(known.book_stream(hand.book_digest)) if hand.book_digest else None
        return hand_rules(book, hand.game, self.reader) if book is not None else None

    async def recorded_hand(
        self, context: Any, request: Any, command: Command, stem: str, reply: type[R]
    ) -> R:
        """Run a command of a hand and answer with the hand."""
        unshown = bool(present_caller().roles & SEES_ALL)

        def view(streams: Streams) -> R:
            hand: Hand = streams[stem]  # type: ignore[index]
            notes = streams.get(notes_id(hand.room, hand.table, hand.number))
            shown: Any = reply
            message: R = shown(
                hand=hand_message(hand, self.rules_in(streams, hand), notes, unshown=unshown)
            )
            return message

        return await self.record(context, request, command, reply, view)

    async def StartHand(self, request: pb.StartHandRequest, context: Any) -> pb.StartHandResponse:
        """Start the next hand."""
        command = c.StartHand(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            kill_seat=request.kill_seat,
            kill_cents=request.kill_cents,
            small_bet_cents=request.small_bet_cents,
            big_bet_cents=request.big_bet_cents,
            unposted=tuple(request.unposted_seats),
            unpaid=tuple(request.unpaid_seats),
        )

        def view(streams: Streams) -> pb.StartHandResponse:
            table: Table = streams[table_id(request.room, request.table)]
            hand: Hand = streams[hand_id(table.room, table.table, table.last_hand)]
            return pb.StartHandResponse(hand=hand_message(hand, self.rules_in(streams, hand)))

        return await self.record(context, request, command, pb.StartHandResponse, view)

    async def CountHand(self, request: pb.CountHandRequest, context: Any) -> pb.CountHandResponse:
        """Count a hand at a counted table."""
        command = c.CountHand(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            button=request.button_seat,
            dealt=tuple(request.dealt_seats),
            rake_cents=maybe(request, "rake_cents"),
            jackpot_drop_cents=maybe(request, "jackpot_drop_cents"),
            collection_cents=maybe(request, "collection_cents"),
            stacks=pairs(request.stacks),
        )

        def view(streams: Streams) -> pb.CountHandResponse:
            table: Table = streams[table_id(request.room, request.table)]
            rules = streams.get(known.book_stream(table.book_digest))
            return pb.CountHandResponse(
                table=table_message(table, rules),
                hand_id=hand_id(table.room, table.table, table.last_hand),
            )

        return await self.record(context, request, command, pb.CountHandResponse, view)

    async def GetHand(self, request: pb.GetHandRequest, context: Any) -> pb.GetHandResponse:
        """Return a hand at one of its events."""
        number = hand_number(request.hand_id)
        stem = hand_id(request.room, request.table, number)
        hand: Hand
        hand, last = await self.app.state(stem)
        if not hand.hand or stem != request.hand_id:
            raise Unknown("hand", request.hand_id, field="hand_id")
        notes: HandNotes
        notes, _ = await self.app.state(notes_id(request.room, request.table, number))
        entries = await self.app.history(stem)
        if request.version > last:
            raise Refused(
                "VERSION_OUT_OF_RANGE",
                "CR-4",
                f"version is {request.version}: the hand has {last} entries",
                field="version",
            )
        if request.version:
            hand = at_version_of(entries, request.version)
        book, _ = await self.app.state(known.book_stream(hand.book_digest))
        return pb.GetHandResponse(
            hand=hand_message(
                hand,
                hand_rules(book, hand.game, self.reader),
                notes,
                last_version=last,
                unshown=bool(present_caller().roles & SEES_ALL),
                entries=entries,
            )
        )

    async def ListHands(self, request: pb.ListHandsRequest, context: Any) -> pb.ListHandsResponse:
        """List the hands of a table, newest first."""
        table: Table
        table, _ = await self.app.state(table_id(request.room, request.table))
        if not table.table:
            raise Unknown("table", request.table, field="table")
        first = int(request.page_token) if request.page_token.isdigit() else table.last_hand
        first = min(first, table.last_hand)
        last = max(0, first - min(request.page_size or 50, MOST_ON_PAGE))
        shown = [
            await self._summary(request.room, request.table, number)
            for number in range(first, last, -1)
        ]
        return pb.ListHandsResponse(hands=shown, next_page_token=str(last) if last else "")

    async def _summary(self, room: str, table: str, number: int) -> types_pb.HandSummary:
        stem = hand_id(room, table, number)
        hand: Hand
        hand, _ = await self.app.state(stem)
        notes: HandNotes
        notes, _ = await self.app.state(notes_id(room, table, number))
        pot = sum(result.put_in_cents for result in hand.results) if hand.results else None
        return types_pb.HandSummary(
            hand_id=stem,
            hand_number=number,
            recorded=bool(hand.hand),
            phase=hand.phase.value,
            pot_cents=pot,
            irregularities=len(notes.irregularities),
        )


def at_version_of(entries: Any, version: int) -> Hand:
    """Return a hand as it stood after one of its entries, rewound ones included."""
    hand = INITIAL
    for recorded in entries:
        if recorded.version > version:
            break
        hand = evolve(hand, recorded.event)
    return hand


def _added(name: str, meaning: Callable[[Any], do.HandCommand]) -> Callable[..., Any]:
    reply = getattr(pb, f"{name}Response")

    async def method(self: HandsServicer, request: Any, context: Any) -> Any:
        command = meaning(request)
        return await self.recorded_hand(context, request, command, command.hand, reply)

    method.__name__ = name
    method.__doc__ = f"Answer {name} with the hand after it."
    return method


for _name, _meaning in COMMANDS.items():
    setattr(HandsServicer, _name, _added(_name, _meaning))
