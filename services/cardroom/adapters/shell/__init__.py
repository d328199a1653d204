"""The parts of the command loop: requests, occasions, the cache of heads, decisions, timers, watches."""
