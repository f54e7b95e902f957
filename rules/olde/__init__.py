"""Dungeons of Olde. Importing this package makes the ruleset; `rules.core.registry` registers it."""

from rules.olde.ruleset import Olde

__all__ = ["Olde"]
