"""A scene beside which a forecast plays (`Glance`): it takes time, asks for frames, and ends when the scene is left."""

from __future__ import annotations

from game.scenes.base import Scene
from game.scenes.forecast.glance import Glance


class GlancingScene(Scene):
    """Lives with a forecast at a glance; the scene makes it, and tells it what has changed."""

    glance: Glance

    def update(self, dt: float) -> bool:
        fresh = self.glance.update(dt)
        return super().update(dt) or fresh

    def pace(self) -> float | None:
        paces = [pace for pace in (super().pace(), self.glance.pace()) if pace is not None]
        return min(paces, default=None)

    def left(self) -> None:
        self.glance.close()
