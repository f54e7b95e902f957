"""Preparing an encounter: what is on the table, what may be changed, and what still stands in the way. No window."""
