"""`cardroom book`: checking a room's own book file before it is loaded."""

from pathlib import Path
from typing import Annotated

import typer

from cardroom.rulebook.loader import BookRefused, BookUnknown, load_book
from cardroom.rulebook.resolve import resolve


def register(app: typer.Typer) -> None:
    """Add the commands below `book`."""
    books = typer.Typer(help="House books.", no_args_is_help=True)
    books.command("check")(check)
    app.add_typer(books, name="book")


def check(
    source: Annotated[str, typer.Argument(help="A book file, or LC, RC, HG or WP.")],
) -> None:
    """Check a book file; print each fault with file, line, key, value and what is allowed."""
    try:
        book = load_book(source if not Path(source).is_file() else Path(source))
    except (BookRefused, BookUnknown) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    base = " over ".join(layer.id for layer in book.layers)
    own = len(book.layers[0].rows) + len(book.layers[0].high_limit)
    typer.echo(f"{book.id}: {book.title}\n{base}; {own} values of its own, {len(book.texts)} rules")
    for at in book.instants():
        typer.echo(f"changes at {at.isoformat()}")
    typer.echo(f"digest today {resolve(book).digest}")
