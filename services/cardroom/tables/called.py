"""The game as it was called: what the book describes is played as written, all else is stated before it is dealt."""

from cardroom.kernel.events import Event
from cardroom.known.games import Game
from cardroom.rulebook.calling import call_game
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import table_events as ev
from cardroom.tables.table import Table


def called_with(
    game: Game, stated_rules: str, rules: ResolvedBook, from_hand: int
) -> tuple[Event, ...]:
    """Return the event of a game whose rules were stated with it, none where nothing had to be.

    Args:
        game: the game.
        stated_rules: what was stated.
        rules: the book in force.
        from_hand: number of the first hand dealt in it.

    Raises:
        Refused: the book does not have the game and nothing was stated, or has it and something was
            (game.other_games_stated).
    """
    called = call_game(rules, game.form, statement=stated_rules)
    if not called.statement:
        return ()
    return (
        ev.GameCalled(
            name=called.name, statement=called.statement, from_hand=from_hand, rules=called.rules
        ),
    )


def check_stated(table: Table, rules: ResolvedBook) -> None:
    """Refuse to deal a game that the book does not have and whose rules nobody stated (game.other_games_stated)."""
    if table.called is None:
        call_game(rules, table.the_game().form)
