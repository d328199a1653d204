"""The bus: what contexts tell each other, at least once on the way and exactly once in effect."""
