"""Spells, blessings and items: as data, whom they are aimed at, how they are cast, what they do and how likely."""
