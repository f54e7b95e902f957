"""Spells: as data, where they work, how they are cast and what they do."""
