"""`cardroom config`: the settings of a process, checked before it is started."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands below `config`."""
    config = typer.Typer(help="Settings.", no_args_is_help=True)
    config.callback()(_settings)  # keeps `check` a command of its own while it is the only one
    config.command("check")(check)
    app.add_typer(config, name="config")


def _settings() -> None:
    """Settings."""


def check(
    file: Annotated[
        Path | None,
        typer.Argument(help="The TOML file; by default the one that CARDROOM_CONFIG names."),
    ] = None,
) -> None:
    """Check file and environment variables; print the settings that hold, or each fault."""
    from cardroom.adapters.settings import SettingsWrong, load_settings

    try:
        settings = load_settings(file)
    except SettingsWrong as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(1) from None
    _print("", settings.model_dump(mode="json"))


def _print(prefix: str, values: dict[str, object]) -> None:
    for name, value in values.items():
        if isinstance(value, dict):
            _print(f"{prefix}{name}.", value)
        else:
            typer.echo(f"{prefix}{name} = {'' if value is None else value}")
