"""Dungeons of Olde. Importing this package makes the ruleset; `rules.registry` registers it."""

from rules.olde.ruleset import Olde

__all__ = ["Olde"]
