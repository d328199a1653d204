"""`cardroom token`: bearer tokens for people, stations and integrations, from the keys in the data directory."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.faults import told


def register(app: typer.Typer) -> None:
    """Add the command `token`."""
    tokens = typer.Typer(help="Make and check bearer tokens.", no_args_is_help=True)
    tokens.command("mint")(mint)
    tokens.command("check")(check)
    tokens.command("replace-key")(replace_key)
    app.add_typer(tokens, name="token")


DataDirectory = Annotated[
    Path | None,
    typer.Option("--data-directory", help="Where the keys are; by default that of the settings."),
]


def token_keys_folder(data_directory: Path) -> Path:
    """Return the folder of the token keys in a data directory."""
    return data_directory / "tokens"


def mint(
    subject: Annotated[str, typer.Argument(help="Who bears it: a person, station or system.")],
    role: Annotated[list[str], typer.Option("--role", help="A role; repeat for several.")],
    room: Annotated[
        list[str], typer.Option("--room", help="A room or group of rooms, or * for all; repeat.")
    ],
    station: Annotated[str, typer.Option("--station", help="The podium, tablet or screen.")] = "",
    *,
    shared: Annotated[
        bool, typer.Option("--shared", help="Several people use it: each act needs a PIN or badge.")
    ] = False,
    hours: Annotated[int, typer.Option("--hours", min=1, max=24 * 366, help="Good for.")] = 12,
    data_directory: DataDirectory = None,
) -> None:
    """Print a token."""
    from cardroom.adapters.grpc.auth import TokenKeys, TokenMint

    try:
        with told():
            keys = TokenKeys(token_keys_folder(_directory(data_directory)))
            keys.create_missing()
            token = TokenMint(keys.signing()).token(
                subject,
                role,
                rooms=room,
                station=station,
                shared=shared,
                valid_seconds=hours * 3600,
            )
    except ValueError as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(1) from None
    typer.echo(token)


def check(
    token: Annotated[str, typer.Argument(help="The token; - reads it from standard input.")],
    data_directory: DataDirectory = None,
) -> None:
    """Say what a token says, or why it is no good."""
    from cardroom.adapters.grpc.auth import TokenKeys, TokenVerifier, Unauthenticated

    text = typer.get_text_stream("stdin").read().strip() if token == "-" else token  # noqa: S105
    keys = TokenKeys(token_keys_folder(_directory(data_directory)))
    try:
        claims = TokenVerifier(keys.verifying).claims(text)
    except Unauthenticated as fault:
        typer.echo(f"{fault.reason}: {fault}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"subject  {claims.sub}")
    typer.echo(f"station  {claims.station or '-'}{' (shared)' if claims.shared else ''}")
    typer.echo(f"roles    {', '.join(sorted(claims.roles))}")
    typer.echo(f"rooms    {', '.join(sorted(claims.rooms))}")
    typer.echo(f"until    {datetime.fromtimestamp(claims.exp, UTC).isoformat()}")


def replace_key(data_directory: DataDirectory = None) -> None:
    """Sign with a new key from now on; tokens of the old one stay good until they end."""
    from cardroom.adapters.grpc.auth import TokenKeys, key_id_of

    with told():
        keys = TokenKeys(token_keys_folder(_directory(data_directory)))
        keys.replace_signing()
    typer.echo(f"signing with {key_id_of(keys.signing().public_key())}")


def _directory(chosen: Path | None) -> Path:
    if chosen is not None:
        return chosen
    from cardroom.adapters.settings import load_settings

    with told():
        return load_settings().data_directory
