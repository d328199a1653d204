"""`cardroom demo`: one evening in a room on the embedded default, told as it goes."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command `demo`."""
    app.command("demo")(demo)


def demo(
    data: Annotated[
        Path | None,
        typer.Option(
            help="Keep the installation in this folder; by default one that is removed at the end."
        ),
    ] = None,
    separate: Annotated[
        bool, typer.Option("--separate", help="Run every context as a process of its own.")
    ] = False,
) -> None:
    """Play one evening through the public API, from the first name on the board to the verified log."""
    import asyncio
    import tempfile
    import time

    from rich.console import Console

    from cardroom.demo.evening import START, play_evening
    from cardroom.demo.servers import Servers

    console = Console(width=None if Console().is_terminal else 140)

    async def run(directory: Path) -> None:
        began = time.monotonic()
        console.print(f"[dim]starting the room in {directory} ...[/]")
        async with Servers(directory, together=not separate, start=START) as servers:
            up = time.monotonic()
            await play_evening(servers, console)
            done = time.monotonic()
        console.print(
            f"[bold green]The evening is over.[/] {up - began:.1f} s to start, {done - up:.1f} s to play."
        )

    if data is not None:
        asyncio.run(run(data.absolute()))
        return
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        asyncio.run(run(Path(folder) / "data"))
