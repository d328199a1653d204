"""ClockService: moves the manual clock of a test or demonstration."""

from collections.abc import Awaitable, Callable
from typing import Any

from cardroom.adapters.grpc.servicer import instant_of, timestamp_of
from cardroom.api.clock.v1 import clock_service_pb2 as messages
from cardroom.api.clock.v1.clock_service_pb2_grpc import ClockServiceServicer
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused

Settle = Callable[[], Awaitable[None]]


async def _nothing_to_settle() -> None:
    return


class ClockServicer(ClockServiceServicer):
    """Served only by a process that was started with a manual clock."""

    def __init__(self, clock: ManualClock, settle: Settle = _nothing_to_settle) -> None:
        """Hold the clock.

        Args:
            clock: the clock that all of the process reads.
            settle: returns once every timer that is due at the clock's instant has fired.
        """
        self._clock = clock
        self._settle = settle

    async def GetTime(self, request: messages.GetTimeRequest, context: Any) -> Any:  # noqa: N802
        """Return the present instant of the clock."""
        return messages.GetTimeResponse(now=timestamp_of(self._clock.now()))

    async def Advance(self, request: messages.AdvanceRequest, context: Any) -> Any:  # noqa: N802
        """Move the clock forward and wait until due timers have fired.

        Raises:
            Refused: CR-6, the instant lies before the present one; CR-4, it is no instant.
        """
        to = instant_of(request.to, "to")
        now = self._clock.now()
        if to < now:
            raise Refused(
                "CLOCK_GOES_BACK",
                "CR-6",
                f"to is {to.isoformat()}: a clock does not go back from {now.isoformat()}",
                field="to",
            )
        if to > now:
            # Whoever moves this clock skips no outage: the store is there before the clock moves and after.
            await self._settle()
            self._clock.advance_to(max(to, self._clock.now()))
        await self._settle()
        return messages.AdvanceResponse(now=timestamp_of(self._clock.now()))
