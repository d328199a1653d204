"""Words every context shares: events, refusals, decisions, streams, money, time. Stdlib and msgspec only."""
