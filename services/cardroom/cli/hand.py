"""`cardroom hand`: writes hands of an installation as PHH or OHH, and checks such files against a house book."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cardroom.tables.notation.replay import BookFor, Imported

ENDINGS = {
    ".phh": "phh",
    ".phhs": "phh",
    ".toml": "phh",
    ".ohh": "ohh",
    ".json": "ohh",
    ".jsonl": "ohh",
}
"""What a file's name ends with, and the format it is read as."""


def register(app: typer.Typer) -> None:
    """Add the commands of hands."""
    hands = typer.Typer(help="Hand histories, in and out.", no_args_is_help=True)
    hands.command("export")(export)
    hands.command("check")(check)
    app.add_typer(hands, name="hand")


def export(
    room: Annotated[str, typer.Argument(help="The room.")],
    table: Annotated[str, typer.Argument(help="The table.")],
    hand: Annotated[int, typer.Argument(help="The hand's number at the table.")],
    format_name: Annotated[str, typer.Option("--format", help="phh or ohh.")] = "phh",
    unshown: Annotated[bool, typer.Option(help="Write cards that were not shown.")] = False,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).")] = None,
    data: Annotated[Path | None, typer.Option(help="Data directory of the installation.")] = None,
) -> None:
    """Write a hand that is over, from the stores alone."""
    from cardroom.audit.export import export_hand
    from cardroom.cli.audit import opened
    from cardroom.tables.table import hand_id

    with opened(config, data) as installed:
        stem = hand_id(room, table, hand)
        found = installed.read(export_hand(installed.reader, stem, format_name, unshown=unshown))
    typer.echo(found.text, nl=False)


def check(
    file: Annotated[Path, typer.Argument(help="A PHH or OHH file of one hand or many.")],
    book: Annotated[
        str, typer.Option(help="The book to judge by: LC, RC, HG, WP or a file.")
    ] = "WP",
    format_name: Annotated[
        str, typer.Option("--format", help="phh or ohh; by the file's name where left out.")
    ] = "",
) -> None:
    """Play recorded hands through under a house book; print how each came out, or why it is refused.

    Exit status 1 where one is refused.
    """
    from cardroom.kernel.refusal import Refused
    from cardroom.rulebook.loader import BookRefused, BookUnknown, load_book
    from cardroom.rulebook.resolve import resolve

    try:
        source = file.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        typer.echo(f"{file}: {problem}", err=True)
        raise typer.Exit(2) from problem
    try:
        chosen = load_book(Path(book) if Path(book).is_file() else book)
    except (BookRefused, BookUnknown) as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(2) from problem
    name = format_name or ENDINGS.get(file.suffix, "")
    if name not in {"phh", "ohh"}:
        typer.echo(f"{file}: say --format phh or --format ohh", err=True)
        raise typer.Exit(2)
    read = _phh if name == "phh" else _ohh
    total = refused = 0
    try:
        for hand, play in read(source, lambda game: resolve(chosen, game=game)):
            total += 1
            try:
                typer.echo(f"{hand}: {_outcome(play())}")
            except Refused as refusal:
                refused += 1
                typer.echo(f"{hand}: {_refusal(refusal)}", err=True)
    except Refused as refusal:
        typer.echo(f"{file}: {_refusal(refusal)}", err=True)
        raise typer.Exit(1) from refusal
    typer.echo(f"{total} hands, {total - refused} stand by {chosen.id}, {refused} refused")
    if refused or not total:
        raise typer.Exit(1)


def _phh(source: str, book_for: "BookFor") -> "Iterator[tuple[str, Callable[[], Imported]]]":
    from cardroom.evaluator.native import NativeEvaluator
    from cardroom.tables.notation import phh

    reader = NativeEvaluator()
    for at, (name, fields) in enumerate(phh.hands_of(source), 1):
        hand = f"hand {name or fields.get('hand', at)}"
        yield hand, partial(phh.import_phh, fields, book_for, reader)


def _ohh(source: str, book_for: "BookFor") -> "Iterator[tuple[str, Callable[[], Imported]]]":
    from cardroom.evaluator.native import NativeEvaluator
    from cardroom.tables.notation import ohh

    reader = NativeEvaluator()
    for at, fields in enumerate(ohh.hands_of(source), 1):
        hand = f"hand {fields.get('game_number', at)}"
        yield hand, partial(ohh.import_ohh, fields, book_for, reader)


def _refusal(refusal: Exception) -> str:
    from cardroom.kernel.refusal import Refused

    assert isinstance(refusal, Refused)
    return f"refused: {refusal.message} [{refusal.code}; {', '.join(refusal.rules)}]"


def _outcome(played: "Imported") -> str:
    """Say a hand in a line: the game, then each seat's chips before and after."""
    from cardroom.kernel.money import dollars

    state = played.hand
    stacks = {chair.seat: chair.stack_cents for chair in state.chairs}
    seats = []
    for dealt in state.start.seats:
        before, after = dealt.stack_cents, stacks[dealt.seat]
        if before is None or after is None:
            seats.append(f"seat {dealt.seat} {dealt.player} not known")
        else:
            seats.append(f"seat {dealt.seat} {dealt.player} {dollars(before)} to {dollars(after)}")
    game = f"{state.game.structure.value} {state.game.form.value}".replace("_", " ")
    other = played.about.book not in {"", state.book_digest}
    under = ", recorded under another book" if other else ""
    return f"{game}, {state.phase.value}{under}: {'; '.join(seats)}"
