"""`cardroom rule`: what an id that the system cites means, and what each book makes of it."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cardroom.rulebook.explain import (
    DecisionExplained,
    Explanation,
    RuleUnknown,
    explain,
    search,
)
from cardroom.rulebook.loader import BookRefused, BookUnknown, load_book
from cardroom.rulebook.model import Book, Decision, RuleText
from cardroom.rulebook.values import written


def register(app: typer.Typer) -> None:
    """Add the command `rule`."""
    app.command("rule")(rule)


def rule(
    rule_id: Annotated[
        str,
        typer.Argument(help="A rule (LC-126a), an invariant (CR-1) or a decision."),
    ] = "",
    words: Annotated[
        str, typer.Option("--search", help="Look for rules that hold these words.")
    ] = "",
    book: Annotated[
        str, typer.Option("--book", help="The book in force: LC, RC, HG, WP or a file.")
    ] = "",
) -> None:
    """Explain a rule: its text, the decisions it fixes, and what each book sets them to."""
    console = Console(highlight=False)
    own = _own(book)
    if words:
        _print_found(console, words, search(words, own))
        return
    if not rule_id:
        raise typer.BadParameter("name a rule, or --search for words", param_hint="RULE_ID")
    try:
        told = explain(rule_id, own)
    except RuleUnknown as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    _print_rule(console, told)


def _own(source: str) -> Book | None:
    if not source:
        return None
    try:
        return load_book(source)
    except (BookRefused, BookUnknown) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


def _print_found(console: Console, words: str, found: tuple[RuleText, ...]) -> None:
    if not found:
        typer.echo(f"no rule holds {words!r}", err=True)
        raise typer.Exit(1)
    for text in found:
        console.print(f"[bold]{text.id}[/]  {escape(text.says)}")


def _print_rule(console: Console, told: Explanation) -> None:
    console.print(f"[bold]{escape(told.id)}[/]", end="")
    if text := told.text:
        where = [text.topic, text.kind, *([text.service] if text.service else [])]
        tier = ["high limit only"] if text.high_limit else []
        console.print(f"  ({', '.join([*where, *tier])}; applies: {escape(text.applies)})")
        console.print(escape(text.says))
        if text.related:
            console.print(f"See also {', '.join(text.related)}")
    else:
        console.print()
    for constant in told.constants:
        console.print(
            f"\n[bold]{constant.name}[/]  {escape(constant.means)}\n"
            f"No house varies it; stated by {', '.join(constant.rules)}."
        )
    for fixed in told.fixes:
        _print_decision(console, fixed, told.id)
    for reading in told.readings:
        console.print(f"\nHow it is read: {escape(reading.question)} {escape(reading.choice)}")


def _print_decision(console: Console, fixed: DecisionExplained, rule_id: str) -> None:
    decision = fixed.decision
    console.print(f"\n[bold]{decision.key}[/]  {escape(decision.means)}")
    table = Table("book", "value", "rules", box=None, pad_edge=False, header_style="dim")
    for value in fixed.values:
        rules = ", ".join(value.rules) or "the book is silent (CR-3)"
        if value.source not in {value.book.partition("_")[0], "default"}:
            rules += f" (from {value.source})"
        if value.alternatives:
            rules += f"; the room may take {', '.join(value.alternatives)}"
        style = "bold" if rule_id in value.rules else ""
        rules += " <- this rule" if style else ""
        table.add_row(value.book, escape(shown(decision, value.value)), escape(rules), style=style)
    console.print(table)
    for name, means in decision.values.items():
        console.print(f"  {name}: {escape(means)}", style="dim")


def shown(decision: Decision, value: Any) -> str:
    """Return a value in plain form as a book file would write it, with its unit."""
    unit = {"cents": "cents", "minutes": "minutes", "seconds": "seconds"}.get(decision.type, "")
    return f"{written(decision, value)} {unit}".strip()
