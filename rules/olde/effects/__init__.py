"""Lasting effects: as values, what conditions mean, and how effects are laid on and wear off.

Ground floor: nothing here knows spells or traits.
"""
