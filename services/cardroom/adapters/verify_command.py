"""`cardroom audit verify`: checks the logs of an installation and says what it found, and how long the tail is."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from cardroom.adapters.installation import CONTEXTS, Database, Installation
from cardroom.adapters.seals import AnchorFile, read_public_key
from cardroom.adapters.settings import SettingsWrong, load_settings
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.verify import Report, verify_store


def verify_command(
    context: Annotated[
        list[str] | None, typer.Option(help="Verify these contexts only; repeatable.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None,
    data: Annotated[Path | None, typer.Option(help="Data directory of the installation.")] = None,
    anchor: Annotated[
        Path | None, typer.Option(help="Folder of anchor files; by default the installation's.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the reports as JSON.")] = False,
) -> None:
    """Verify hash chains, seals and anchors; exit status 1 where anything is not as it was recorded."""
    console = Console(stderr=True)
    try:
        settings = load_settings(config, **({"data_directory": data} if data else {}))
    except SettingsWrong as wrong:
        console.print(str(wrong), style="red", markup=False)
        raise typer.Exit(2) from wrong
    contexts = context or list(CONTEXTS)
    unknown = [name for name in contexts if name not in CONTEXTS]
    if unknown:
        console.print(f"--context {unknown[0]}: one of {', '.join(CONTEXTS)}", style="red")
        raise typer.Exit(2)
    installation = Installation(
        settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
    )
    database = installation.open(prepare=False)
    try:
        folder = anchor or settings.anchor_directory
        reports = asyncio.run(verify_all(database, contexts, folder))
    finally:
        installation.close()
    if as_json:
        typer.echo(msgspec.json.encode(reports))
    else:
        show(reports, Console())
    if not all(report.intact for report in reports):
        raise typer.Exit(1)


async def verify_all(
    database: Database, contexts: Sequence[str], anchor_directory: Path
) -> list[Report]:
    """Verify several contexts' logs under the read-only role.

    Args:
        database: the installation's database.
        contexts: whose logs.
        anchor_directory: folder of the anchor files and of the public key.

    Raises:
        FileNotFoundError: the folder has no public key.
    """
    key = read_public_key(anchor_directory)
    reports = []
    for context in contexts:
        store = PostgresStore(database.audit, context)
        await store.open()
        try:
            anchor = AnchorFile(anchor_directory, context).read()
            reports.append(await verify_store(context, store, anchor, key))
        finally:
            await store.close()
    return reports


def show(reports: Sequence[Report], console: Console) -> None:
    """Print reports as people read them."""
    table = Table("log", "events", "seals", "anchored", "sealed up to", "unsealed tail", "verdict")
    now = datetime.now(UTC)
    for report in reports:
        tail = "none"
        if report.unsealed_events and report.unsealed_since is not None:
            seconds = max(0, int((now - report.unsealed_since).total_seconds()))
            tail = f"{report.unsealed_events} events, {seconds} s"
        table.add_row(
            report.application,
            str(report.events),
            str(report.seals),
            str(report.anchored),
            str(report.sealed_upto),
            tail,
            "intact" if report.intact else f"{len(report.findings)} findings",
        )
    console.print(table)
    for report in reports:
        for finding in report.findings:
            console.print(f"{report.application}: {finding.kind}: {finding.message}", markup=False)
