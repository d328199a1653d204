"""Figures and documents from what the other contexts publish; owns no fact."""
