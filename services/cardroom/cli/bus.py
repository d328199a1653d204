"""`cardroom bus`: what people do about messages that could not be handled, over the running process's gRPC."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.faults import told

if TYPE_CHECKING:
    from cardroom.adapters.settings import Settings

TOKEN_VARIABLE = "CARDROOM_TOKEN"  # noqa: S105 - the variable's name
HOW_TO_MAKE_A_TOKEN = (
    f"export {TOKEN_VARIABLE}=$(cardroom token mint YOUR_NAME --role admin --room '*')"
)

Process = Annotated[
    str, typer.Option("--process", help="The process to ask: a context's name, or all.")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="The TOML file; by default the one CARDROOM_CONFIG names."),
]
Reason = Annotated[str, typer.Option("--reason", help="Why; stays on record.")]


def register(app: typer.Typer) -> None:
    """Add the commands below `bus`."""
    bus = typer.Typer(
        help=f"Messages between contexts; takes a bearer token from {TOKEN_VARIABLE}.",
        no_args_is_help=True,
    )
    bus.command("consumers")(consumers)
    bus.command("dead-letters")(dead_letters)
    bus.command("release")(release)
    bus.command("skip")(skip)
    bus.command("rebuild")(rebuild)
    bus.command("rewind")(rewind)
    app.add_typer(bus, name="bus")


def consumers(process: Process = "all", config: Config = None) -> None:
    """List who listens, and how many keys of each are stopped."""
    from cardroom.api.bus.v1 import bus_service_pb2 as messages

    answer = _ask(process, config, "ListConsumers", messages.ListConsumersRequest())
    for consumer in answer.consumers:
        kind = "read model" if consumer.read_model else "inbox"
        stopped = f"{consumer.stopped_keys} keys stopped" if consumer.stopped_keys else "running"
        typer.echo(f"{consumer.name:28} {kind:10} {stopped:16} {', '.join(consumer.sources)}")


def dead_letters(
    consumer: Annotated[str, typer.Argument(help="As `cardroom bus consumers` names it.")],
    process: Process = "all",
    config: Config = None,
) -> None:
    """List a consumer's messages that failed, and those that wait behind them."""
    from cardroom.api.bus.v1 import bus_service_pb2 as messages

    request = messages.ListDeadLettersRequest(consumer=consumer, page_size=500)
    while True:
        page = _ask(process, config, "ListDeadLetters", request)
        for letter in page.dead_letters:
            state = "FAILED" if letter.failed else "waits"
            name = f"{letter.source}:{letter.notification_id}"
            typer.echo(
                f"{letter.parked_at.ToJsonString()} {letter.ordering_key:24} {name:20} "
                f"{letter.event_topic:36} {state:7} {letter.reason}"
            )
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def release(
    consumer: Annotated[str, typer.Argument(help="As `cardroom bus consumers` names it.")],
    source: Annotated[str, typer.Argument(help="The publishing context.")],
    key: Annotated[str, typer.Argument(help="The stopped key.")],
    reason: Reason,
    process: Process = "all",
    config: Config = None,
) -> None:
    """Handle a stopped key's messages in order and let the key go on."""
    from cardroom.api.bus.v1 import bus_service_pb2 as messages

    request = messages.ReleaseKeyRequest(
        consumer=consumer, source=source, ordering_key=key, reason=reason
    )
    answer = _ask(process, config, "ReleaseKey", request)
    typer.echo(f"{answer.handled} messages handled")
    if answer.failure:
        typer.echo(f"the next one failed again: {answer.failure}", err=True)
        raise typer.Exit(1)


def skip(
    consumer: Annotated[str, typer.Argument(help="As `cardroom bus consumers` names it.")],
    source: Annotated[str, typer.Argument(help="The publishing context.")],
    key: Annotated[str, typer.Argument(help="The stopped key.")],
    notification_id: Annotated[int, typer.Argument(help="Id of its first parked message.")],
    reason: Reason,
    process: Process = "all",
    config: Config = None,
) -> None:
    """Pass over the first message of a stopped key."""
    from cardroom.api.bus.v1 import bus_service_pb2 as messages

    request = messages.SkipMessageRequest(
        consumer=consumer,
        source=source,
        ordering_key=key,
        notification_id=notification_id,
        reason=reason,
    )
    _ask(process, config, "SkipMessage", request)
    typer.echo(f"{source}:{notification_id} is passed over")


def rebuild(
    consumer: Annotated[str, typer.Argument(help="The read model, as `context.name`.")],
    reason: Reason,
    process: Process = "all",
    config: Config = None,
) -> None:
    """Empty a read model and build it again from the first message."""
    from cardroom.api.bus.v1 import bus_service_pb2 as messages

    request = messages.RebuildReadModelRequest(consumer=consumer, reason=reason)
    _ask(process, config, "RebuildReadModel", request)
    typer.echo(f"{consumer} is built again")


def rewind(
    context: Annotated[str, typer.Argument(help="The publishing context; its process is stopped.")],
    after: Annotated[int, typer.Option("--after", min=0, help="Send what is above this id again.")],
    config: Config = None,
) -> None:
    """Let a context's publisher send again, for a topic that lost records or a new cluster."""
    from cardroom.adapters.process import rewind_publisher
    from cardroom.adapters.settings import load_settings
    from cardroom.cli.serve import load_contexts

    known = load_contexts()
    spec = known.get(context)
    if spec is None:
        typer.echo(f"{context!r} is no context: {', '.join(known)}", err=True)
        raise typer.Exit(2)
    try:
        with told():
            asyncio.run(rewind_publisher(spec, load_settings(config), after))
    except ValueError as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{context} sends everything above {after} again when it is served")


def _ask(process: str, config: Path | None, method: str, request: Any) -> Any:
    from cardroom.adapters.settings import load_settings
    from cardroom.client import CallDenied, CallFailed

    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token:
        typer.echo(f"{TOKEN_VARIABLE} is not set: {HOW_TO_MAKE_A_TOKEN}", err=True)
        raise typer.Exit(1)
    try:
        with told():
            return asyncio.run(_call(load_settings(config), token, process, method, request))
    except CallFailed as failure:
        typer.echo(str(failure), err=True)
        if isinstance(failure, CallDenied):
            typer.echo(f"the token is that of {TOKEN_VARIABLE}: {HOW_TO_MAKE_A_TOKEN}", err=True)
        raise typer.Exit(1) from None


async def _call(settings: "Settings", token: str, process: str, method: str, request: Any) -> Any:
    from cardroom.adapters.grpc.certificates import Certificates
    from cardroom.adapters.installation import NoInstallation
    from cardroom.adapters.process import address_of
    from cardroom.api.bus.v1.bus_service_pb2_grpc import BusServiceStub
    from cardroom.client import Client

    written = settings.data_directory / "run" / f"{process}.address"
    address = written.read_text().strip() if written.exists() else address_of(settings, process)
    credentials = None
    if settings.grpc.tls:
        if not (settings.data_directory / "tls").exists():
            raise NoInstallation(
                f"{settings.data_directory} holds no installation: name its data directory, by settings file or "
                "CARDROOM_DATA_DIRECTORY"
            )
        tls = Certificates(settings.data_directory / "tls").issue("command")
        credentials = tls.channel_credentials()
    async with Client(address, token, credentials=credentials, total_seconds=10) as client:
        return await client.call(getattr(client.stub(BusServiceStub), method), request)
