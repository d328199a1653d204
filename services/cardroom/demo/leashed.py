"""`python -m cardroom.demo.leashed PARENT NAME`: serves a context for as long as the script lives that started it.

A script that is killed cannot stop what it started; the kernel can: it sends SIGTERM to this process when its parent
dies, and the process drains as after any SIGTERM.
"""

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1
"""prctl(2), Linux."""


def main() -> None:
    """Ask the kernel for the signal, then serve."""
    parent, name = int(sys.argv[1]), sys.argv[2]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    if os.getppid() != parent:  # it died before it could be watched
        return
    from cardroom.cli.main import app

    app(["serve", name])


if __name__ == "__main__":
    main()
