"""Reading a room's own book file, which overlays one of the four books.

Every fault of a file is found before it is refused, each with file, line, key, value and what is allowed.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.rulebook.catalogue import book_ids, decisions, packaged_book, rule_texts
from cardroom.rulebook.model import Book, Decision, Layer, Per, Row, RuleText, own_rule
from cardroom.rulebook.positions import Lines, Path
from cardroom.rulebook.values import NotAllowed, plain

_BOOK_ID: Final = re.compile(r"[A-Z][A-Z0-9]{1,11}\Z")
_KINDS: Final = ("enforced", "timed", "adjudicated", "logged", "text")
_BOOK_FIELDS: Final = ("id", "title", "based_on", "effective")
_ROW_FIELDS: Final = ("value", "rules", "from")
_RULE_FIELDS: Final = ("id", "says", "topic", "service", "kind", "applies", "related")
_BYTES_MOST: Final = 1_000_000
_KEY_SHOWN: Final = 120
_PROBLEMS_MOST: Final = 100
"""More than anybody mends at once; a file that is no book at all could hold tens of thousands."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of a book file.

    Args:
        file: the file's name.
        line: its line, from 1.
        key: what stands there, for example `betting.cap_raises`.
        value: the value as given, empty where none is.
        message: what is wrong with it.
        allowed: what would be right.
    """

    file: str
    line: int
    key: str
    value: str
    message: str
    allowed: str

    def __str__(self) -> str:
        given = f" = {self.value}" if self.value else ""
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        return f"{self.file}:{self.line}: {self.key}{given}: {self.message}{allowed}"


class BookRefused(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """A book file was refused.

    Args:
        problems: every fault, in the order of the file.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def read_book(data: bytes, file: str) -> Book:
    """Return a room's own book from the content of its file.

    Args:
        data: the file's bytes, TOML in UTF-8.
        file: its name, for the errors.

    Raises:
        BookRefused: the content has faults; it lists all of them.
    """
    try:
        return _Reader(data, file).book()
    except RecursionError:
        raise BookRefused([_too_deep(file)]) from None


def _too_deep(file: str) -> Problem:
    return Problem(
        file=file,
        line=1,
        key="the file",
        value="",
        message="it is nested too deep",
        allowed="tables of values",
    )


class _Reader:
    """Reads one room's file and gathers its faults."""

    def __init__(self, data: bytes, file: str) -> None:
        self._file = file
        self._problems: list[Problem] = []
        self._data, self._lines = self._parse(data)
        self._base: Book | None = None
        self._id = ""
        self._known: set[str] = set()

    def book(self) -> Book:
        """Return the book, or raise BookRefused with every fault."""
        about = self._section("book")
        self._id = self._book_id(about)
        self._base = self._based_on(about)
        effective = self._instant(about, "effective", ("book", "effective"))
        title = self._text(about, "title", ("book", "title"))
        self._no_others(about, _BOOK_FIELDS, ("book",))
        texts = self._rules()
        self._known = {*texts, *rule_texts()}
        high = self._section("high_limit", required=False)
        families = {
            name: value
            for name, value in self._data.items()
            if name not in {"book", "high_limit", "rule"}
        }
        rows = self._families(families, ())
        high_rows = self._families(high, ("high_limit",))
        self._needed(rows, high_rows)
        if self._problems or self._base is None:
            raise BookRefused(self._problems)
        layer = Layer(
            id=self._id, title=title, effective=effective, rows=rows, high_limit=high_rows
        )
        return Book(
            layers=(layer, *self._base.layers),
            decisions=self._base.decisions,
            constants=self._base.constants,
            texts=texts,
        )

    # ---- the text itself

    def _parse(self, data: bytes) -> tuple[dict[str, Any], Lines]:
        if len(data) > _BYTES_MOST:
            self._stop(1, f"the file has {len(data):,} bytes", f"at most {_BYTES_MOST:,}")
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._stop(line, "these bytes are not UTF-8", "text in UTF-8")
        try:
            return tomllib.loads(text, parse_float=Decimal), Lines(text)
        except tomllib.TOMLDecodeError as error:
            match = re.search(r"\(at line (\d+)", str(error))
            line = int(match[1]) if match else text.count("\n") + 1
            said = str(error).partition(" (at ")[0]
            source = text.splitlines()[line - 1 : line]
            self._stop(line, said, "TOML", source[0].strip()[:_KEY_SHOWN] if source else "")
        except (
            ValueError
        ):  # the one that is no fault of the syntax: a number too long to be turned into one
            long = re.search(r"[0-9_]{4000,}", text)
            line = text.count("\n", 0, long.start()) + 1 if long else 1
            self._stop(line, "a number has thousands of digits", "numbers of a few digits")
        raise AssertionError("unreachable")

    def _stop(self, line: int, message: str, allowed: str, key: str = "") -> None:
        raise BookRefused(
            [
                Problem(
                    file=self._file,
                    line=line,
                    key=key or "the file",
                    value="",
                    message=message,
                    allowed=allowed,
                )
            ]
        )

    def _problem(self, path: Path, message: str, allowed: str, value: Any = None) -> None:
        self._problems.append(
            Problem(
                file=self._file,
                line=self._lines.line(path),
                key=_dotted(path)[:_KEY_SHOWN],
                value="" if value is None else _shown(value),
                message=message,
                allowed=allowed,
            )
        )
        if len(self._problems) >= _PROBLEMS_MOST:
            self._problems.append(
                Problem(
                    file=self._file,
                    line=self._problems[-1].line,
                    key="the file",
                    value="",
                    message=f"it has more than these {_PROBLEMS_MOST} faults",
                    allowed="mend these and check again",
                )
            )
            raise BookRefused(self._problems)

    # ---- the head

    def _section(self, name: str, *, required: bool = True) -> dict[str, Any]:
        section = self._data.get(name)
        if section is None:
            if required:
                self._problem((name,), "the table is missing", f"a table [{name}]")
            return {}
        if not isinstance(section, dict):
            self._problem((name,), "it is not a table", f"a table [{name}]", section)
            return {}
        return section

    def _book_id(self, about: dict[str, Any]) -> str:
        book_id = self._text(about, "id", ("book", "id"))
        allowed = "2 to 12 capital letters and digits, beginning with a letter"
        if book_id and not _BOOK_ID.match(book_id):
            self._problem(("book", "id"), "it is not a book's id", allowed, book_id)
        elif book_id in {*book_ids(), "CR"}:
            self._problem(("book", "id"), "this id is taken", f"another id ({allowed})", book_id)
        return book_id

    def _based_on(self, about: dict[str, Any]) -> Book | None:
        allowed = "one of " + ", ".join(f'"{name}"' for name in book_ids())
        base = about.get("based_on")
        if base is None:
            self._problem(("book", "based_on"), "it is missing", allowed)
        elif base not in book_ids():
            self._problem(("book", "based_on"), "no such book", allowed, base)
        else:
            return packaged_book(base)
        return None

    def _text(self, about: Mapping[str, Any], name: str, path: Path) -> str:
        value = about.get(name)
        if value is None:
            self._problem(path, "it is missing", "text")
        elif not isinstance(value, str) or not value.strip():
            self._problem(path, "it is not text", "text", value)
        else:
            return value
        return ""

    def _instant(self, about: Mapping[str, Any], name: str, path: Path) -> datetime | None:
        value = about.get(name)
        if value is None:
            return None
        if not isinstance(value, datetime) or value.tzinfo is None:
            self._problem(
                path,
                "it is not an instant with its offset from UTC",
                "such as 2026-03-01T12:00:00Z or 2026-03-01T04:00:00-08:00",
                value,
            )
            return None
        try:
            return value.astimezone(UTC)
        except OverflowError:
            self._problem(path, "it lies outside the calendar", "an instant of these years", value)
            return None

    def _no_others(self, table: Mapping[str, Any], names: tuple[str, ...], path: Path) -> None:
        for name, value in table.items():
            if name not in names:
                self._problem((*path, name), "unknown key", ", ".join(names), value)

    # ---- a room's own rules

    def _rules(self) -> dict[str, RuleText]:
        entries = self._data.get("rule", [])
        if not isinstance(entries, list):
            self._problem(("rule",), "it is not a list of rules", "[[rule]] for each", entries)
            return {}
        texts: dict[str, RuleText] = {}
        for number, entry in enumerate(entries):
            path = ("rule", number)
            if not isinstance(entry, dict):
                self._problem(path, "it is not a table", "[[rule]]", entry)
                continue
            rule = self._rule(entry, path)
            if rule is None:
                continue
            if rule.id in texts:
                self._problem((*path, "id"), "this id is used twice", "another id", rule.id)
            texts[rule.id] = rule
        for number, rule in enumerate(texts.values()):
            for other in rule.related:
                if other not in texts and other not in rule_texts():
                    self._problem(
                        ("rule", number, "related"), "no such rule", _close(other, texts), other
                    )
        return texts

    def _rule(self, entry: dict[str, Any], path: Path) -> RuleText | None:
        self._no_others(entry, _RULE_FIELDS, path)
        before = len(self._problems)
        rule_id = self._text(entry, "id", (*path, "id"))
        says = self._text(entry, "says", (*path, "says"))
        if rule_id and not re.fullmatch(rf"{re.escape(self._id)}-[A-Za-z0-9-]{{1,40}}", rule_id):
            self._problem(
                (*path, "id"), "it is not an id of this book", f"{self._id}- and a number", rule_id
            )
        kind = entry.get("kind", "text")
        if kind not in _KINDS:
            self._problem((*path, "kind"), "no such kind", ", ".join(_KINDS), kind)
        words = {name: entry.get(name, "") for name in ("topic", "service", "applies")}
        for name, value in words.items():
            if not isinstance(value, str):
                self._problem((*path, name), "it is not text", "text", value)
        related = entry.get("related", [])
        if not _is_texts(related):
            self._problem((*path, "related"), "it is not a list of ids", "rule ids", related)
        if len(self._problems) > before:
            return None
        return RuleText(
            id=rule_id,
            says=says,
            topic=words["topic"],
            service=words["service"],
            kind=kind,
            applies=words["applies"] or "all",
            related=tuple(related),
        )

    # ---- the decisions

    def _families(self, families: Mapping[str, Any], path: Path) -> dict[str, tuple[Row, ...]]:
        names = {key.partition(".")[0] for key in decisions()}
        rows: dict[str, tuple[Row, ...]] = {}
        for family, entries in families.items():
            here = (*path, family)
            if family not in names:
                self._problem(here, "no such family of decisions", _close(family, names))
                continue
            if not isinstance(entries, dict):
                self._problem(here, "it is not a table", f"a table [{_dotted(here)}]", entries)
                continue
            for name, entry in entries.items():
                self._decision(f"{family}.{name}", entry, (*here, name), rows)
        return rows

    def _decision(
        self,
        key: str,
        entry: Any,
        path: Path,
        rows: dict[str, tuple[Row, ...]],
    ) -> None:
        decision = decisions().get(key)
        if decision is None:
            shown = entry.get("value") if isinstance(entry, dict) else entry
            self._problem(path, "unknown key", _close(key, decisions()), shown)
            return
        if path[0] == "high_limit" and decision.per is not Per.LIMIT_TIER:
            self._problem(
                path,
                "it does not differ between limits",
                f"[{key.partition('.')[0]}] for all limits"
                + (", or set it for the game" if decision.per is Per.GAME else ""),
            )
            return
        rows[key] = self._rows(decision, entry, path)

    def _rows(
        self,
        decision: Decision,
        entry: Any,
        path: Path,
    ) -> tuple[Row, ...]:
        if not _is_dated(entry):
            row = self._row(decision, entry, path)
            return (row,) if row else ()
        found: list[Row] = []
        for number, one in enumerate(entry):
            here = (*path, number)
            row = self._row(decision, one, here)
            if row is None:
                continue
            if number and row.since is None:
                self._problem(here, "it does not say from when", "from = an instant")
            elif found and found[-1].since and row.since and row.since <= found[-1].since:
                self._problem(
                    here, "it is not later than the one before", "instants in order", row.since
                )
            found.append(row)
        return tuple(found)

    def _row(
        self,
        decision: Decision,
        entry: Any,
        path: Path,
    ) -> Row | None:
        since: datetime | None = None
        rules: tuple[str, ...] = ()
        if _is_row(decision, entry):
            self._no_others(entry, _ROW_FIELDS, path)
            since = self._instant(entry, "from", (*path, "from"))
            rules = self._cited(entry.get("rules", []), (*path, "rules"))
            if "value" not in entry:
                self._problem(path, "the value is missing", f"value = {decision.allowed()}")
                return None
            entry = entry["value"]
        try:
            value = plain(decision, entry)
        except NotAllowed as error:
            self._problem(path, error.reason, decision.allowed(), entry)
            return None
        return Row(value=value, since=since, rules=rules or (own_rule(self._id, decision.key),))

    def _cited(self, rules: Any, path: Path) -> tuple[str, ...]:
        if not _is_texts(rules):
            self._problem(path, "it is not a list of rule ids", "a list of rule ids", rules)
            return ()
        for rule in rules:
            if rule not in self._known:
                self._problem(path, "no such rule", _close(rule, self._known), rule)
        return tuple(rules)

    def _needed(
        self, rows: Mapping[str, tuple[Row, ...]], high: Mapping[str, tuple[Row, ...]]
    ) -> None:
        """Find choices that need an amount which neither this file nor the books behind it state."""
        stated = {*rows, *high}
        if self._base is not None:
            stated |= {key for layer in self._base.layers for key in layer.rows}
        for path, part in (((), rows), (("high_limit",), high)):
            for key, dated in part.items():
                for row in dated:
                    needs = decisions()[key].needs.get(str(row.value), ())
                    for other in needs:
                        if other not in stated:
                            family, name = key.split(".")
                            self._problem(
                                (*path, family, name),
                                f"it needs {other}, which no book states",
                                f"{other} = {decisions()[other].allowed()}",
                                row.value,
                            )


def _is_dated(entry: Any) -> bool:
    return isinstance(entry, list) and bool(entry) and all(isinstance(one, dict) for one in entry)


def _is_row(decision: Decision, entry: Any) -> bool:
    """Tell `{ value = ..., rules = ... }` from a table that is itself the value."""
    if not isinstance(entry, dict):
        return False
    own = {*decision.fields} or set(entry) - set(_ROW_FIELDS)
    return "value" in entry or not (decision.type == "table" and (own & set(entry) or not entry))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _dotted(path: Path) -> str:
    out = ""
    for part in path:
        out += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if out else part
    return out


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value[:60]}"'
        case datetime():
            return value.isoformat()
        case list():
            return "[" + ", ".join(_shown(one) for one in value[:8]) + "]"
        case dict():
            inner = ", ".join(f"{name} = {_shown(one)}" for name, one in list(value.items())[:8])
            return f"{{ {inner} }}"
        case _:
            return str(value)[:60]


def _close(name: str, names: Iterable[str]) -> str:
    """Name what may have been meant."""
    known = sorted(names)
    near = difflib.get_close_matches(name, known, n=4, cutoff=0.5)
    family = [one for one in known if one.startswith(name.partition(".")[0] + ".")]
    if near:
        return "perhaps " + ", ".join(near)
    return ", ".join((family or known)[:30])
