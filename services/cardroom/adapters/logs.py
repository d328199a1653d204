"""How a process writes about itself: structlog for our own lines, the standard library's for everybody else's."""

import logging
import sys
from typing import Any, Final, Literal

import structlog
from structlog.tracebacks import ExceptionDictTransformer

_SECRET_WORDS: Final = frozenset({"password", "secret", "token", "tokens", "dsn", "key", "pin"})
"""Words of a name, between underscores, that say its value is nobody's to read."""
_PLAIN_KEYS: Final = frozenset({"ordering_key", "key"})
"""Names that sound so and are not: ordering keys."""


def configure_logs(level: str = "info", form: Literal["console", "json"] = "console") -> None:
    """Set up logging once per process; lines go to standard error.

    Args:
        level: the least level that is written.
        form: `console` for people, `json` for machines.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    final: list[Any] = (
        [
            # Local variables of a frame may hold names and cards.
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(),
        ]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    logging.getLogger("kafka").setLevel(logging.WARNING)


def hide_secrets(_logger: Any, _method: str, line: dict[str, Any]) -> dict[str, Any]:
    """Replace the values of keys that name secrets."""
    for key in line:
        if key not in _PLAIN_KEYS and not _SECRET_WORDS.isdisjoint(key.lower().split("_")):
            line[key] = "(hidden)"
    return line
