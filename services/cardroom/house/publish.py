"""What the house tells the others: rooms, games and resolved books whole, and who deals where."""

from datetime import datetime

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.api.house.v1 import house_events_pb2 as pb
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.house import events as e
from cardroom.kernel.envelope import Recorded
from cardroom.known.wire import game_message, room_message


def publish(recorded: Recorded) -> Message | None:
    """Return the message for a recorded event, or None where it stays inside.

    Args:
        recorded: an event of the house as stored.
    """
    room = recorded.stream.split("/")[1]
    match recorded.event:
        case e.RoomOpened() | e.RoomChanged() as event:
            return pb.RoomNoted(room=room_message(event.room))
        case e.GameOffered() | e.GameChanged() | e.GameBookChanged() | e.GameWithdrawn() as event:
            return pb.GameNoted(room=room, game=game_message(event.game))
        case e.VariationPosted() | e.VariationResolved() as event:
            books = [
                types.GameBook(game_id=game_id, book_digest=digest)
                for game_id, digest in sorted(event.books.items())
            ]
            return pb.VariationNoted(room=room, table=event.table, books=books)
        case e.VariationLifted() as event:
            return pb.VariationNoted(room=room, table=event.table)
        case e.BookResolved() as event:
            return pb.BookNoted(room=room, digest=event.digest, content=event.content)
        case e.DealerPushed() as event:
            return pb.DealerPushed(
                room=room,
                dealing=types.Dealing(
                    table=event.dealing.table,
                    dealer=event.dealing.dealer,
                    since=_timestamp(event.dealing.since),
                ),
                relieved=event.relieved,
                came_from=event.came_from,
            )
        case e.DealerRelieved() as event:
            return pb.DealerRelieved(room=room, table=event.table, dealer=event.dealer)
        case _:
            return None


def _timestamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at)
    return stamp
