"""The command `cardroom`; finds its sub-commands in the modules beside it.

A module `cardroom/cli/<name>.py` with a function `register(app: typer.Typer) -> None` adds its commands. It imports
what is heavy (servers, stores) inside the command, so that `cardroom rule` starts at once.
"""

import importlib
import pkgutil

import typer

from cardroom import cli


def build() -> typer.Typer:
    """Return the application with every sub-command registered."""
    app = typer.Typer(
        name="cardroom",
        help="An event-sourced backend for a poker room.",
        no_args_is_help=True,
        pretty_exceptions_show_locals=False,
        add_completion=False,
    )
    for module in sorted(found.name for found in pkgutil.iter_modules(cli.__path__)):
        if module in {"main", "__main__"}:
            continue
        register = getattr(importlib.import_module(f"cardroom.cli.{module}"), "register", None)
        if register is not None:
            register(app)
    return app


app = build()

if __name__ == "__main__":
    app()
