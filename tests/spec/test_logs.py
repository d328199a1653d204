"""Logs: one line each, on standard error, without secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from cardroom.adapters.logs import configure_logs


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_a_line_is_one_json_object_with_its_level_and_logger(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("info", "json")
    structlog.get_logger("cardroom.x").info("dealt", table="t5", hand=7)
    logging.getLogger("somebody.else").warning("full: %s", "disk")
    ours, theirs = (json.loads(line) for line in lines(capsys))
    assert (ours["event"], ours["level"], ours["logger"]) == ("dealt", "info", "cardroom.x")
    assert (ours["table"], ours["hand"]) == ("t5", 7)
    assert (theirs["event"], theirs["level"]) == ("full: disk", "warning")


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("warning")
    structlog.get_logger("cardroom.x").info("dealt")
    assert lines(capsys) == []


@pytest.mark.parametrize("form", ["json", "console"])
def test_secrets_stay_out_of_lines_and_tracebacks(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("info", form)  # type: ignore[arg-type]
    log = structlog.get_logger("cardroom.x")
    log.info("connected", dsn="password=hunter2", role_password="hunter2", Token="hunter2")
    log.info("opened", master_key="hunter2", staff_pin="hunter2")
    log.info("opening", pinned="book", ordering_key="r1")

    def connect(password: str) -> None:
        raise ValueError("refused")

    try:
        connect("hunter" + "2")
    except ValueError:
        log.exception("failed")
    written = "\n".join(lines(capsys))
    assert "hunter2" not in written
    for shown in ("refused", "book", "r1"):
        assert shown in written
