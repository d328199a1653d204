"""`cardroom serve`: runs one context, or all of them in one process."""

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.faults import told

if TYPE_CHECKING:
    from cardroom.adapters.context import ContextSpec


def register(app: typer.Typer) -> None:
    """Add the command `serve`."""
    app.command("serve")(serve)


def serve(
    context: Annotated[str, typer.Argument(help="A context's name, or all.")],
    config: Annotated[
        Path | None,
        typer.Option("--config", help="The TOML file; by default the one CARDROOM_CONFIG names."),
    ] = None,
) -> None:
    """Run a context (or all) until SIGTERM or Ctrl-C, then drain."""
    from cardroom.adapters.errors import IntegrityBroken, Unavailable
    from cardroom.adapters.logs import configure_logs
    from cardroom.adapters.migrations import MigrationFailed
    from cardroom.adapters.postgres import PostgresFailed
    from cardroom.adapters.process import ALL, run_contexts
    from cardroom.adapters.settings import load_settings

    known = load_contexts()
    if context != ALL and context not in known:
        typer.echo(f"{context!r} is no context: {', '.join(known)} or {ALL}", err=True)
        raise typer.Exit(2)
    with told():
        settings = load_settings(config)
    configure_logs(settings.log.level, settings.log.format)
    chosen = list(known.values()) if context == ALL else [known[context]]
    try:
        run_contexts(context, chosen, known, settings)
    except (PostgresFailed, MigrationFailed, Unavailable, IntegrityBroken, OSError) as fault:
        typer.echo(f"{context} cannot be served: {fault}", err=True)
        raise typer.Exit(1) from None


def load_contexts() -> "dict[str, ContextSpec]":
    """Return what each context's `main.py` states as `CONTEXT`, by name, in the order of the installation."""
    from cardroom.adapters.installation import CONTEXTS

    found = {}
    for name in CONTEXTS:
        if find_spec(f"cardroom.{name}") is None or find_spec(f"cardroom.{name}.main") is None:
            continue
        found[name] = importlib.import_module(f"cardroom.{name}.main").CONTEXT
    return found
