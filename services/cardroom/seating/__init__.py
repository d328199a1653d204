"""Which player sits where: locks, seat and table changes, draws, away clocks, buy-ins, opening and breaking tables."""
