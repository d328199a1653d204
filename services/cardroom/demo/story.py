"""Tells the evening as it goes: acts, lines, and the ids under which each thing can be looked up."""

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.markup import escape
from rich.rule import Rule
from rich.table import Table


class Story:
    """Prints the story; keeps the lines, so that a test can read them."""

    def __init__(self, console: Console, time_zone: str) -> None:
        """Take where to print and the room's time zone."""
        self._console = console
        self._zone = ZoneInfo(time_zone)
        self.at: datetime | None = None
        self.lines: list[str] = []

    def act(self, title: str) -> None:
        """Begin an act."""
        self._console.print(Rule(f"[bold]{escape(title)}", style="cyan"))
        self.lines.append(title)

    def tell(self, text: str, *ids: str) -> None:
        """Tell one thing.

        Args:
            text: the sentence.
            ids: streams or rules to look it up by.
        """
        clock = f"{self.at.astimezone(self._zone):%H:%M} " if self.at else ""
        tail = f"  [dim]{escape(' '.join(ids))}[/]" if ids else ""
        self._console.print(f"[green]{clock}[/]{escape(text)}{tail}", highlight=False)
        self.lines.append(text)

    def refused(self, what: str, failure: object) -> None:
        """Tell of a refusal, with the rules it names."""
        self._console.print(
            f"      [yellow]refused:[/] {escape(what)}: {escape(str(failure))}", highlight=False
        )
        self.lines.append(f"refused: {what}: {failure}")

    def table(self, title: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
        """Show a table."""
        shown = Table(*head, title=title, title_justify="left", title_style="bold")
        for row in rows:
            shown.add_row(*(escape(str(cell)) for cell in row))
        self._console.print(shown)
        self.lines.append(title)
