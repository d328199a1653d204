"""The read model of a gaming day's figures."""

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from cardroom.adapters.bus.envelope import Received
from cardroom.reporting.figures import added_by


class DayFigures:
    """Adds up the figures of each gaming day by room and table."""

    name: str = "day_figures"
    sources: tuple[str, ...] = ("tables", "timecollection", "jackpot", "cashier")

    async def reset(self, connection: AsyncConnection[TupleRow]) -> None:
        """Empty the table."""
        await connection.execute("DELETE FROM day_figures")

    async def apply(self, connection: AsyncConnection[TupleRow], message: Received) -> None:
        """Add what the message adds."""
        for added in added_by(message):
            await connection.execute(
                "INSERT INTO day_figures (room, gaming_day, table_id, figure, amount) VALUES (%s, %s, %s, %s, %s) "
                "ON CONFLICT (room, gaming_day, figure, table_id) "
                "DO UPDATE SET amount = day_figures.amount + EXCLUDED.amount",
                (message.room, message.gaming_day, added.table, added.figure, added.amount),
            )
