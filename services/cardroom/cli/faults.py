"""What stands in a command's way, told in one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def told(status: int = 1) -> Iterator[None]:
    """End the command with one sentence where settings, files, the installation or its database are in the way.

    Args:
        status: exit status then.
    """
    from cardroom.adapters.errors import ConnectionLost, Unavailable
    from cardroom.adapters.installation import NoInstallation
    from cardroom.adapters.migrations import MigrationFailed
    from cardroom.adapters.postgres import PostgresFailed
    from cardroom.adapters.settings import SettingsWrong

    try:
        yield
    except (
        SettingsWrong,
        NoInstallation,
        PostgresFailed,
        MigrationFailed,
        Unavailable,
        ConnectionLost,
        OSError,
    ) as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(status) from None
