"""Exploration under Count-Up: minutes by the skills of the sheet (countup.md §2.12)."""
