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
            help="The installation's folder; by default one that stays until the next evening."
        ),
    ] = None,
    separate: Annotated[
        bool, typer.Option("--separate", help="Run every context as a process of its own.")
    ] = False,
) -> None:
    """Play one evening through the public API, from the first name on the board to the verified log."""
    import asyncio
    import shlex
    import sys
    import time

    from rich.console import Console

    from cardroom.demo.evening import START, play_evening
    from cardroom.demo.kept import FolderTaken, evenings_folder, kept_folder
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
        command = shlex.quote(str(Path(sys.executable).with_name("cardroom")))
        lookup = f"{command} audit records ID --data {shlex.quote(str(directory))}"
        console.print(
            f"Look up any id of it: {lookup}", soft_wrap=True, highlight=False, markup=False
        )

    if data is not None:
        asyncio.run(run(data.absolute()))
        return
    try:
        with kept_folder(evenings_folder()) as directory:
            asyncio.run(run(directory))
    except FolderTaken as taken:
        typer.echo(str(taken), err=True)
        raise typer.Exit(1) from None
