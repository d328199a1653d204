"""Cardroom: an event-sourced backend that runs a poker room."""
