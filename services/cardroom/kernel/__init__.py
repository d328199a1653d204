"""Words every context shares: events, refusals, decisions, stream ids, money, time. Standard library and msgspec only."""
