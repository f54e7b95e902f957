"""The commands that move a camera over a board: alike in every scene that shows one."""

from __future__ import annotations

from game.view.camera import Camera
from game.widgets.theme import Look

PANS = {"pan_up": (0, 1), "pan_down": (0, -1), "pan_left": (1, 0), "pan_right": (-1, 0)}
PAN = 64
"""Pixels that a pan key moves the board at 100 %."""
ZOOM = 1.15
"""How much nearer or farther a zoom key brings it."""


def moves_camera(camera: Camera, name: str, look: Look) -> bool:
    """Carry out a command that moves a camera; whether it was one."""
    if name in PANS:
        reach = look.px(PAN)
        camera.pan(PANS[name][0] * reach, PANS[name][1] * reach)
    elif name in ("zoom_in", "zoom_out"):
        camera.zoom_at(camera.free.center, ZOOM if name == "zoom_in" else 1 / ZOOM)
    elif name == "zoom_fit":
        camera.show_all()
    else:
        return False
    return True
