"""Expeditions by the computer: a whole place explored room by room, what is found taken, and out again."""

from game.controllers.ai.delving.delve import Delve
from game.controllers.ai.delving.view import delves, exploring_of, hostile

__all__ = ["Delve", "delves", "exploring_of", "hostile"]
