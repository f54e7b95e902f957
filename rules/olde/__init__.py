"""Dungeons of Olde: miniatures combat by action points and exploding dice."""
