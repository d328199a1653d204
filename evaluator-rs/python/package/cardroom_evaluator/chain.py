"""Verified reading of stored streams; the type stub beside this file documents it."""

from ._native import chained_events

__all__ = ["chained_events"]
