"""Attacks: weapons in hand, what is added, the rolls and their odds, what a hit or a miss leads to, injury, reflexes.

When an attack may be made is said by its kind in `actions`; conditions and traits say themselves what they add.
"""
