"""The window in which an encounter is prepared."""

from game.scenes.setup.scene import Setup

__all__ = ["Setup"]
