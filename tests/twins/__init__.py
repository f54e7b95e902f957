"""Twins of the rules: slow, plain readings of the rulebooks in code of their own, played against `rules/`.

A twin shares data with the game (content tables, records), never its rules. `python -m tests.twins NAME` plays
random fights through both and stops at the first command after which they disagree.
"""
