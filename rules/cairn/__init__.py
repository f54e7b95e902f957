"""Cairn, second edition, on the grid (cairn.md). One public name: the ruleset."""

from rules.cairn.ruleset import Cairn

__all__ = ["Cairn"]
