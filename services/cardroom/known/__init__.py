"""What every context knows of the house: rooms, games and books in force, learned from house's published events.

Each context stores these facts in its own streams (`room/<room>`, `game/<room>/<game>`, `book/<digest>`), so that a
decision reads them like any other state, and a replay finds them beside what was decided.
"""
