"""Dungeon turns: exploration under Cairn (cairn.md §1 dungeon turns)."""
