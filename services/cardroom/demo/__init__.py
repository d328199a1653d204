"""One evening in a room, played through the public API against real processes: the demonstration and the e2e test."""
