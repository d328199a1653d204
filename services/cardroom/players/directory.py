"""A searchable directory of a group's players, kept in memory from the log; names live nowhere but in players."""

from typing import Any

from cardroom.adapters.application import Application
from cardroom.players import events as e


class Directory:
    """Reads the log of players from where it stopped, and finds records by a part of a name or phone."""

    def __init__(self, app: Application, batch: int = 1000) -> None:
        """Take the application whose log it follows.

        Args:
            app: the application of players.
            batch: events read at a time.
        """
        self._app = app
        self._batch = batch
        self._upto = 0
        self._groups: dict[str, dict[str, str]] = {}

    async def find(self, group: str, query: str) -> list[str]:
        """Return the ids of records whose names or phone hold a text, in order of id.

        Args:
            group: the group of rooms.
            query: part of a name or phone; letter case and spaces around it do not count.
        """
        await self._catch_up()
        wanted = query.strip().casefold()
        listed = self._groups.get(group, {})
        return sorted(player_id for player_id, text in listed.items() if wanted in text)

    async def _catch_up(self) -> None:
        while True:
            events = await self._app.log(self._upto, self._batch)
            for recorded in events:
                self._note(recorded.stream, recorded.event)
                self._upto = recorded.notification_id
            if len(events) < self._batch:
                return

    def _note(self, stream: str, event: Any) -> None:
        group = stream.split("/")[1]
        listed = self._groups.setdefault(group, {})
        match event:
            case e.PlayerRegistered() | e.DetailsChanged():
                parts = (event.full_name, event.board_name, event.phone, event.player_id)
                text = "\n".join(part for part in parts if part is not None)
                listed[event.player_id] = text.casefold()
            case e.PlayerErased() | e.RecordMerged():
                listed.pop(event.player_id, None)
            case _:
                pass
