"""The gRPC service of the house books."""

from typing import Any

from cardroom.adapters.grpc.errors import InvalidRequest
from cardroom.adapters.grpc.servicer import Servicer, instant_of
from cardroom.api.house.v1 import book_service_pb2 as pb
from cardroom.api.house.v1 import book_service_pb2_grpc as pb_grpc
from cardroom.api.house.v1 import house_service_pb2 as house_pb
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.house import commands as c
from cardroom.house.books import Books, books_stream
from cardroom.house.game import game_stream, offered
from cardroom.house.room import opened, room_stream
from cardroom.house.variation import variation_stream
from cardroom.house.views import book_values, book_version, rule_decisions
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Streams
from cardroom.rulebook.explain import RuleUnknown, explain
from cardroom.rulebook.loader import BookRefused, Problem, load_book, read_book
from cardroom.rulebook.model import Book, ResolvedBook

FILE = "book_file"


class BookServicer(Servicer, pb_grpc.BookServiceServicer):
    """Answers `BookService`."""

    app: Any

    async def ChangeBook(  # noqa: N802
        self, request: pb.ChangeBookRequest, context: Any
    ) -> pb.ChangeBookResponse:
        """Put another book, or another version of it, in force."""
        effective_at = None
        if request.HasField("effective_at"):
            effective_at = instant_of(request.effective_at, "effective_at")
        command = c.ChangeBook(
            room=request.room,
            book=book_of(request).content(),
            effective_at=effective_at,
            reason=request.reason,
        )

        def view(streams: Streams) -> pb.ChangeBookResponse:
            state: Books = streams[books_stream(request.room)]
            newest = max(state.versions, key=lambda one: one.version)
            return pb.ChangeBookResponse(version=book_version(newest, state))

        return await self.record(context, request, command, pb.ChangeBookResponse, view)

    async def WithdrawBook(  # noqa: N802
        self, request: pb.WithdrawBookRequest, context: Any
    ) -> pb.WithdrawBookResponse:
        """Call off a version that has not taken effect."""
        command = c.WithdrawBook(room=request.room, version=request.version, reason=request.reason)

        def view(streams: Streams) -> pb.WithdrawBookResponse:
            state: Books = streams[books_stream(request.room)]
            return pb.WithdrawBookResponse(
                versions=[book_version(one, state) for one in state.versions]
            )

        return await self.record(context, request, command, pb.WithdrawBookResponse, view)

    async def CheckBook(  # noqa: N802
        self, request: pb.CheckBookRequest, context: Any
    ) -> pb.CheckBookResponse:
        """Check a room's own book file."""
        try:
            read_book(request.book_file, FILE)
        except BookRefused as refused:
            return pb.CheckBookResponse(problems=[_problem(one) for one in refused.problems])
        return pb.CheckBookResponse()

    async def ListBookVersions(  # noqa: N802
        self, request: pb.ListBookVersionsRequest, context: Any
    ) -> pb.ListBookVersionsResponse:
        """List the version in force and those that come later."""
        state = await self._books(request.room)
        return pb.ListBookVersionsResponse(
            versions=[book_version(one, state) for one in state.versions]
        )

    async def GetBook(  # noqa: N802
        self, request: pb.GetBookRequest, context: Any
    ) -> pb.GetBookResponse:
        """Return the resolved book of a game, of the room itself, or of a digest."""
        state = await self._books(request.room)
        digest = request.digest or await self._digest(request.room, request.game_id, request.table)
        content = state.resolved.get(digest)
        if content is None:
            raise Unknown("book", digest, "digest")
        book = ResolvedBook.from_content(content)
        return pb.GetBookResponse(
            book_id=book.book,
            title=book.title,
            digest=book.digest,
            high_limit=book.high_limit,
            values=book_values(book),
            content=content,
        )

    async def LookUpRule(  # noqa: N802
        self, request: pb.LookUpRuleRequest, context: Any
    ) -> pb.LookUpRuleResponse:
        """Explain a rule, an invariant or a decision, the room's own included."""
        current = (await self._books(request.room)).current()
        try:
            told = explain(request.rule_id, current.book if current else None)
        except RuleUnknown as unknown:
            raise Refused(
                "RULE_UNKNOWN", "CR-2", str(unknown), options=unknown.close, field="rule_id"
            ) from None
        response = pb.LookUpRuleResponse(decisions=rule_decisions(told))
        if text := told.text:
            response.rule.CopyFrom(
                types.RuleText(
                    rule_id=text.id,
                    says=text.says,
                    topic=text.topic,
                    kind=text.kind,
                    applies=text.applies,
                    related=text.related,
                )
            )
        return response

    async def _books(self, room: str) -> Books:
        state, _ = await self.app.state(room_stream(room))
        opened(state, room)
        books: Books
        books, _ = await self.app.state(books_stream(room))
        return books

    async def _digest(self, room: str, game_id: str, table: str) -> str:
        if game_id and table:
            posted, _ = await self.app.state(variation_stream(room, table))
            if digest := posted.books.get(game_id, ""):
                return str(digest)
        if game_id:
            game, _ = await self.app.state(game_stream(room, game_id))
            return offered(game, game_id).book_digest
        state, _ = await self.app.state(room_stream(room))
        return opened(state, room).book_digest


def book_of(request: pb.ChangeBookRequest | house_pb.OpenRoomRequest) -> Book:
    """Return the book that a request carries: one of the four by id, or the room's own file.

    Raises:
        InvalidRequest: the file has faults; each is named with its line.
    """
    if request.WhichOneof("book") == "standard_book":
        return load_book(request.standard_book)
    try:
        return read_book(request.book_file, FILE)
    except BookRefused as refused:
        raise InvalidRequest(
            (f"{FILE}:{one.line}:{one.key}", "CR-4", str(one)) for one in refused.problems
        ) from None


def _problem(problem: Problem) -> types.BookProblem:
    return types.BookProblem(
        line=problem.line,
        key=problem.key,
        value=problem.value,
        message=problem.message,
        allowed=problem.allowed,
    )
