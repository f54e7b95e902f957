"""Spaces: ground, steps, ways, lines of sight and light, all in whole numbers.

Here belongs geometry. What a rule makes of it (what a step costs, who sees whom well enough) belongs to the rulesets.
"""
