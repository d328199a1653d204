"""What hands are worth: the port, the native evaluator behind it, and a slow reference."""

from cardroom.evaluator.native import NativeEvaluator
from cardroom.evaluator.port import (
    BestFive,
    Category,
    Evaluator,
    Game,
    HolePlay,
    Prefer,
    Qualifier,
    Showdown,
    Shown,
)

__all__ = [
    "BestFive",
    "Category",
    "Evaluator",
    "Game",
    "HolePlay",
    "NativeEvaluator",
    "Prefer",
    "Qualifier",
    "Showdown",
    "Shown",
]
