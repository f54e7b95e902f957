"""Count-Up on the grid, second by second (countup.md). One public name: the ruleset."""

from rules.countup.ruleset import CountUp

__all__ = ["CountUp"]
