"""Packs: folders of content that are dropped in, switched on and off, and shared (docs/packs.md)."""
