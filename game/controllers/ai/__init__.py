"""Players made of arithmetic: they know a fight only through the contract of its ruleset, and need no window."""

from __future__ import annotations

from game.controllers.ai.controller import AiController
from game.controllers.ai.factors import load_weights
from game.controllers.ai.simple import GreedyController, RandomController
from game.controllers.ai.thinking import Option, Thinking
from game.controllers.ai.weights import Temper, Weights

__all__ = [
    "AiController",
    "GreedyController",
    "Option",
    "RandomController",
    "Temper",
    "Thinking",
    "Weights",
    "load_weights",
]
