"""The window in which the map of an encounter is drawn (docs/drawing.md)."""
