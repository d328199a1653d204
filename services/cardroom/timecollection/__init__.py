"""Time charges, who owes them, pots for time, and the change from button to time collection."""
