"""Dungeon turns: exploration under Cairn (cairn.md §1 the dungeon turn)."""
