"""Finds every text that a player may see, and writes the catalogue's template; `make words`."""
