"""`cardroom audit`: verifies the logs of an installation, replays its hands, lists its events and adds up its chips."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from cardroom.adapters.installation import Database
    from cardroom.adapters.settings import Settings
    from cardroom.adapters.verify import Report
    from cardroom.audit.balance import Balance
    from cardroom.audit.reader import Reader
    from cardroom.kernel.envelope import Recorded

T = TypeVar("T")

CANNOT = 2
"""Exit status where nothing was looked at: wrong settings, no installation, no database."""

ConfigOption = Annotated[Path | None, typer.Option(help="Settings file (TOML).")]
DataOption = Annotated[Path | None, typer.Option(help="Data directory of the installation.")]


def register(app: typer.Typer) -> None:
    """Add the commands of audit."""
    audit = typer.Typer(help="Replay and integrity, from the stores alone.", no_args_is_help=True)
    audit.command("verify")(verify)
    audit.command("hand")(hand)
    audit.command("judge")(judge)
    audit.command("records")(records)
    audit.command("balance")(balance)
    app.add_typer(audit, name="audit")


class Opened(NamedTuple):
    """An installation as audit uses it."""

    settings: "Settings"
    database: "Database"
    reader: "Reader"

    def read(self, work: Coroutine[Any, Any, T]) -> T:
        """Run what reads the stores, then let go of them."""

        async def reading() -> T:
            try:
                return await work
            finally:
                await self.reader.close()

        return asyncio.run(reading())


@contextmanager
def opened(config: Path | None, data: Path | None) -> Iterator[Opened]:
    """Open an installation that stands, and end the command with one sentence where something is in the way."""
    from cardroom.adapters.errors import EventUnreadable, IntegrityBroken, Unavailable
    from cardroom.adapters.installation import Installation, NoInstallation
    from cardroom.adapters.migrations import MigrationFailed
    from cardroom.adapters.postgres import PostgresFailed
    from cardroom.adapters.settings import SettingsWrong, load_settings
    from cardroom.audit.reader import Reader
    from cardroom.kernel.refusal import Refused

    try:
        settings = load_settings(config, **({"data_directory": data} if data else {}))
        installation = Installation(
            settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
        )
        try:
            database = installation.open(prepare=False)
            yield Opened(settings, database, Reader(database, installation.master_key))
        finally:
            installation.close()
    except (
        SettingsWrong,
        NoInstallation,
        PostgresFailed,
        MigrationFailed,
        Unavailable,
        OSError,
    ) as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(CANNOT) from None
    except EventUnreadable as unreadable:
        typer.echo(str(unreadable), err=True)
        raise typer.Exit(1) from None
    except IntegrityBroken as broken:
        typer.echo(f"stored events do not hold together: {broken}", err=True)
        raise typer.Exit(1) from None
    except Refused as refused:
        typer.echo(f"{refused.message} ({', '.join(refused.rules)})", err=True)
        raise typer.Exit(1) from None


def verify(
    context: Annotated[
        list[str] | None, typer.Option(help="Verify these contexts only; repeatable.")
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    anchor: Annotated[
        Path | None, typer.Option(help="Folder of anchor files; by default the installation's.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the reports as JSON.")] = False,
) -> None:
    """Verify hash chains, seals and anchors, and that every event can be read; exit status 1 on a finding."""
    import msgspec
    from rich.console import Console

    from cardroom.audit.logs import LOGS, verify_logs

    contexts = context or list(LOGS)
    unknown = [name for name in contexts if name not in LOGS]
    if unknown:
        typer.echo(f"--context {unknown[0]}: one of {', '.join(LOGS)}", err=True)
        raise typer.Exit(CANNOT)
    with opened(config, data) as room:
        folder = anchor or room.settings.anchor_directory
        reports = room.read(verify_logs(room.database, contexts, folder, copy=anchor is not None))
    if as_json:
        typer.echo(msgspec.json.encode(reports))
    else:
        show_reports(reports, Console())
    if any(report.findings for report in reports):
        raise typer.Exit(1)


def show_reports(reports: "Sequence[Report]", console: "Console") -> None:
    """Print reports of verification as people read them."""
    from datetime import UTC, datetime

    from rich.table import Table

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
            _verdict(report),
        )
    console.print(table)
    for report in reports:
        for finding in report.findings:
            console.print(f"{report.application}: {finding.kind}: {finding.message}", markup=False)


def _verdict(report: "Report") -> str:
    unreadable = sum(finding.kind == "unreadable" for finding in report.findings)
    stands = "intact" if report.intact else f"{len(report.findings) - unreadable} findings"
    return f"{stands}, {unreadable} unreadable" if unreadable else stands


def hand(
    hand_id: Annotated[str, typer.Argument(help="The hand, for example hand/lucky/t1/000012.")],
    at: Annotated[int, typer.Option(min=0, help="After so many of its events; 0 for all.")] = 0,
    unshown: Annotated[bool, typer.Option(help="Open cards that were not shown.")] = False,
    config: ConfigOption = None,
    data: DataOption = None,
) -> None:
    """Replay a hand event by event and show what could be done at the chosen one."""
    from google.protobuf.json_format import MessageToJson

    from cardroom.audit.replay import replay_hand
    from cardroom.tables.hand_views import hand_message

    with opened(config, data) as room:
        found = room.read(replay_hand(room.reader, hand_id, at, unshown=unshown))
    message = hand_message(
        found.hand,
        found.rules,
        last_version=found.last_version,
        unshown=unshown,
        entries=found.records,
    )
    typer.echo(MessageToJson(message, preserving_proto_field_name=True))


def judge(
    room: Annotated[str, typer.Argument(help="The room.")],
    table: Annotated[str, typer.Argument(help="The table.")],
    first: Annotated[int, typer.Option(min=0, help="Number of the first hand; 0 for all.")] = 0,
    last: Annotated[int, typer.Option(min=0, help="Number of the last hand; 0 for all.")] = 0,
    book: Annotated[
        str, typer.Option(help="LC, RC, HG, WP, or a digest; by default each hand's own book.")
    ] = "",
    config: ConfigOption = None,
    data: DataOption = None,
) -> None:
    """Judge finished hands again by today's engine; exit status 1 where anything is decided otherwise."""
    from rich.console import Console
    from rich.table import Table

    from cardroom.audit.judging import judge_hands

    with opened(config, data) as installation:
        judged = installation.read(judge_hands(installation.reader, room, table, first, last, book))
    shown = Table("hand", "version", "what", "decided then", "decided today", "rules")
    for one in judged:
        for found in one.differences:
            what = f"{found.event}.{found.field}" if found.field else found.event
            rules = " ".join(found.rules)
            row = (one.hand.hand, str(found.version), what, found.recorded, found.today, rules)
            shown.add_row(*row)
    console = Console()
    if shown.row_count:
        console.print(shown)
    differing = sum(bool(one.differences) for one in judged)
    console.print(f"{len(judged)} hands judged again, {differing} decided otherwise")
    if differing:
        raise typer.Exit(1)


def records(
    stream: Annotated[
        str, typer.Argument(help="Any id, for example board/lucky/6-12 or dispute/lucky/t1/d1.")
    ],
    day: Annotated[
        str, typer.Option(help="Gaming day (2026-03-07) of what closes with it; else the newest.")
    ] = "",
    config: ConfigOption = None,
    data: DataOption = None,
) -> None:
    """List the events of whatever has an id: when, what, who, and the head of each event's hash."""
    from cardroom.audit.logs import find_records

    with opened(config, data) as room:
        found = room.read(find_records(room.reader, stream, day))
    for record in found:
        typer.echo(_line(record))


def _line(record: "Recorded") -> str:
    import msgspec

    around = record.envelope
    content = msgspec.json.encode(record.event).decode()
    who = "@".join(part for part in (around.actor, around.station) if part)
    return (
        f"{record.version:>4} {around.recorded_at:%Y-%m-%d %H:%M:%S}Z {record.own_hash.hex()[:8]} "
        f"{type(record.event).__name__} by {who} {content}"
    )


def balance(
    room: Annotated[str, typer.Argument(help="The room.")],
    config: ConfigOption = None,
    data: DataOption = None,
) -> None:
    """Say where every chip of a room is; exit status 1 where the stores do not agree."""
    from cardroom.audit.balance import check_balance

    with opened(config, data) as installed:
        found = installed.read(check_balance(installed.reader, room))
    _show_balance(room, found)
    if not found.holds:
        raise typer.Exit(1)


def _show_balance(room: str, found: "Balance") -> None:
    from rich.console import Console
    from rich.table import Table

    from cardroom.kernel.money import dollars

    console = Console()
    table = Table("where", "holds", "by the store of", title=f"Chips of {room}")
    for part in found.parts:
        table.add_row(part.name, dollars(part.cents), part.owner)
    table.add_row("issued", dollars(found.issued_cents), "cashier", style="bold")
    console.print(table)
    for difference in found.differences:
        console.print(f"{difference.what}: {difference.message}", style="red", markup=False)
    if found.holds:
        console.print("every chip is accounted for")
