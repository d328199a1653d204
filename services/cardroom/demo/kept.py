"""Where evenings of the demonstration stay: the last one to be looked at, those before it go.

Several evenings may be played at the same time, and each may be killed at any moment: the kernel lets go of the lock
on its folder then, and the next evening stops the server that was left running there and removes the folder.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardroom.adapters.postgres import EmbeddedPostgres


class FolderTaken(Exception):  # noqa: N818 - it names what is the matter
    """The folder for evenings belongs to somebody else; the message names it."""


def evenings_folder() -> Path:
    """Return where this user's evenings stay."""
    return Path(tempfile.gettempdir()) / f"cardroom-demo-{os.geteuid()}"


@contextmanager
def kept_folder(evenings: Path) -> Iterator[Path]:
    """Give a new data directory that stays, and remove those of earlier evenings that nobody uses.

    Args:
        evenings: folder of all evenings, made where missing.

    Raises:
        FolderTaken: that folder is another user's.
    """
    evenings.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = evenings.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise FolderTaken(f"{evenings} belongs to user {found.st_uid}: remove it, or name --data")
    with _locked(evenings / "change.lock"):
        for folder in evenings.glob("evening-*"):
            _remove_unused(folder)
        folder = Path(tempfile.mkdtemp(prefix="evening-", dir=evenings))
        use = _lock(folder / "use.lock")
    try:
        yield folder / "data"
    finally:
        os.close(use)


def _remove_unused(folder: Path) -> None:
    try:
        use = _lock(folder / "use.lock", fcntl.LOCK_NB)
    except BlockingIOError:
        return
    try:
        server = EmbeddedPostgres(folder / "data" / "postgres")
        if server.in_use:  # a process that still drains, or somebody who looks something up
            return
        if server.running_pid() is not None:
            server.start()
            server.stop()
        shutil.rmtree(folder)
    finally:
        os.close(use)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    handle = _lock(path)
    try:
        yield
    finally:
        os.close(handle)


def _lock(path: Path, how: int = 0) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | how)
    except BaseException:
        os.close(handle)
        raise
    return handle
