"""On which line of a TOML text each key stands, so that an error can point at it."""

import re
from typing import Final

Path = tuple[str | int, ...]
"""Tables, keys and positions in lists that lead to a value, for example `("rule", 2, "says")`."""

_PIECE: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''.*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}=,.\n]"
    r"|[^\s\[\]{}=,.\"'#]+",
    re.DOTALL,
)
_PUNCTUATION: Final = frozenset("[]{}=,.\n")


class Lines:
    """Lines of the keys of a TOML text that is known to be well formed."""

    def __init__(self, text: str) -> None:
        """Walk once through the text.

        Args:
            text: TOML that `tomllib` accepted.
        """
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._pieces = _pieces(text)
        self._at = 0
        self._walk()

    def line(self, path: Path) -> int:
        """Return the line, from 1, of a key or of the nearest thing around it that has one."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _peek(self) -> str:
        return self._pieces[self._at][0] if self._at < len(self._pieces) else ""

    def _next(self) -> tuple[str, int]:
        piece = self._pieces[self._at]
        self._at += 1
        return piece

    def _walk(self) -> None:
        table: Path = ()
        while self._at < len(self._pieces):
            piece = self._peek()
            if piece == "\n" or piece.startswith("#"):
                self._next()
            elif piece == "[":
                table = self._header()
            else:
                self._assignment(table)

    def _header(self) -> Path:
        _, line = self._next()
        is_list = self._peek() == "["
        if is_list:
            self._next()
        path = self._key(self._current(()))
        while self._peek() == "]":
            self._next()
        if is_list:
            number = self._counts.get(path, 0)
            self._counts[path] = number + 1
            path = (*path, number)
        self._lines.setdefault(path, line)
        return path

    def _current(self, path: Path) -> Path:
        """Step into the last element where a path names a list of tables."""
        return (*path, self._counts[path] - 1) if path in self._counts else path

    def _key(self, base: Path) -> Path:
        path = base
        while self._peek() not in {"=", "]"}:
            piece, line = self._next()
            if piece == ".":
                path = self._current(path)
                continue
            path = (*path, _unquoted(piece))
            self._lines.setdefault(path, line)
        return path

    def _assignment(self, table: Path) -> None:
        path = self._key(table)
        self._next()  # the equals sign
        self._value(path)

    def _value(self, path: Path) -> None:
        piece = self._peek()
        if piece == "[":
            self._list(path)
        elif piece == "{":
            self._inline(path)
        else:
            self._next()
            while self._peek() not in {",", "]", "}", "\n", ""} and not self._peek().startswith(
                "#"
            ):
                self._next()  # a decimal or a date comes in several pieces

    def _skip_blank(self) -> None:
        while self._peek() == "\n" or self._peek().startswith("#"):
            self._next()

    def _list(self, path: Path) -> None:
        self._next()
        number = 0
        while True:
            self._skip_blank()
            if self._peek() == "]":
                self._next()
                return
            if self._peek() == ",":
                self._next()
                continue
            self._lines[(*path, number)] = self._pieces[self._at][1]
            self._value((*path, number))
            number += 1

    def _inline(self, path: Path) -> None:
        self._next()
        while True:
            self._skip_blank()
            if self._peek() == "}":
                self._next()
                return
            if self._peek() == ",":
                self._next()
                continue
            self._assignment(path)


def _pieces(text: str) -> list[tuple[str, int]]:
    """Return the text's pieces, each with the line that it begins on."""
    pieces, line, at = [], 1, 0
    for match in _PIECE.finditer(text):
        line += text.count("\n", at, match.start())
        pieces.append((match[0], line))
        at = match.start()
    return pieces


def _unquoted(piece: str) -> str:
    return piece[1:-1] if piece[:1] in {'"', "'"} else piece
