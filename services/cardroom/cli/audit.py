"""`cardroom audit`: verifies the logs of an installation, replays hands and adds up chips, from its stores."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of audit."""
    from cardroom.adapters.verify_command import verify_command

    audit = typer.Typer(help="Replay and integrity, from the stores alone.", no_args_is_help=True)
    audit.command("verify")(verify_command)
    audit.command("hand")(hand)
    audit.command("balance")(balance)
    app.add_typer(audit, name="audit")


def hand(
    hand_id: Annotated[str, typer.Argument(help="The hand, for example hand/lucky/t1/12.")],
    at: Annotated[int, typer.Option(help="After so many of its events; 0 for all.")] = 0,
    unshown: Annotated[bool, typer.Option(help="Open cards that were not shown.")] = False,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None,
    data: Annotated[Path | None, typer.Option(help="Data directory of the installation.")] = None,
) -> None:
    """Replay a hand event by event and show what could be done at the chosen one."""
    from google.protobuf.json_format import MessageToJson

    from cardroom.adapters.installation import Installation
    from cardroom.adapters.settings import SettingsWrong, load_settings
    from cardroom.audit.reader import Reader
    from cardroom.audit.replay import replay_hand
    from cardroom.kernel.refusal import Refused
    from cardroom.tables.hand_views import hand_message

    try:
        settings = load_settings(config, **({"data_directory": data} if data else {}))
    except SettingsWrong as wrong:
        typer.echo(str(wrong), err=True)
        raise typer.Exit(2) from wrong
    installation = Installation(
        settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
    )

    async def read() -> str:
        reader = Reader(installation.open(prepare=False), installation.master_key)
        try:
            found = await replay_hand(reader, hand_id, at, unshown=unshown)
        finally:
            await reader.close()
        message = hand_message(
            found.hand,
            found.rules,
            last_version=found.last_version,
            unshown=unshown,
            entries=found.records,
        )
        return str(MessageToJson(message, preserving_proto_field_name=True))

    try:
        typer.echo(asyncio.run(read()))
    except Refused as refused:
        typer.echo(f"{refused.message} ({', '.join(refused.rules)})", err=True)
        raise typer.Exit(1) from refused
    finally:
        installation.close()


def balance(
    room: Annotated[str, typer.Argument(help="The room.")],
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None,
    data: Annotated[Path | None, typer.Option(help="Data directory of the installation.")] = None,
) -> None:
    """Say where every chip of a room is; exit status 1 where the stores do not agree."""
    from rich.console import Console
    from rich.table import Table

    from cardroom.adapters.installation import Installation
    from cardroom.adapters.settings import SettingsWrong, load_settings
    from cardroom.audit.balance import Balance, check_balance
    from cardroom.audit.reader import Reader
    from cardroom.kernel.money import dollars
    from cardroom.kernel.refusal import Refused

    try:
        settings = load_settings(config, **({"data_directory": data} if data else {}))
    except SettingsWrong as wrong:
        typer.echo(str(wrong), err=True)
        raise typer.Exit(2) from wrong
    installation = Installation(
        settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
    )

    async def read() -> Balance:
        reader = Reader(installation.open(prepare=False), installation.master_key)
        try:
            return await check_balance(reader, room)
        finally:
            await reader.close()

    try:
        found = asyncio.run(read())
    except Refused as refused:
        typer.echo(f"{refused.message} ({', '.join(refused.rules)})", err=True)
        raise typer.Exit(1) from refused
    finally:
        installation.close()
    console = Console()
    table = Table("where", "holds", "by the store of", title=f"Chips of {room}")
    for part in found.parts:
        table.add_row(part.name, dollars(part.cents), part.owner)
    table.add_row("issued", dollars(found.issued_cents), "cashier", style="bold")
    console.print(table)
    for difference in found.differences:
        console.print(f"{difference.what}: {difference.message}", style="red", markup=False)
    if not found.holds:
        raise typer.Exit(1)
    console.print("every chip is accounted for")
