"""Pixels: how a board, its overlays and its events look. Nothing here decides a rule."""
