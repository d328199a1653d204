"""Where the command `cardroom` begins; it imports next to nothing, so that Ctrl-C while modules load is one line."""

import sys
from typing import NoReturn

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it: 128 and the signal's number."""


def main() -> None:
    """Run the command; Ctrl-C that it did not take for its own ends it with one line and status 130."""
    try:
        from cardroom.cli.main import app

        app()
    except KeyboardInterrupt:
        _end()
    except SystemExit as ending:
        if ending.code != INTERRUPTED:
            raise
        _end()


def _end() -> NoReturn:
    print("cardroom: interrupted", file=sys.stderr)
    sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
