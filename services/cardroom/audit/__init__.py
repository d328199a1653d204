"""Replay, integrity and records from the event stores alone; reads under a role that cannot write."""
