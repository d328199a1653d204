"""The event store: one port, one implementation on PostgreSQL, one in memory for specifications and simulation."""
