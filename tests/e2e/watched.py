"""The game itself, started so that a test can see what a person sees: `python -m tests.e2e.watched STATUS ARGUMENTS…`.

Whenever the loop waits, STATUS says as JSON what is on screen and where. Nothing of the game is replaced and nothing
is fed in: the window gets its input from the X server alone.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pygame

from game import app as apps
from game import cli
from game.scenes.fight import Fight
from game.widgets.controls import Pressable
from game.widgets.core import Scroll, Widget
from rules import record as records
from rules.actions import Action, Offer

COUNTED = {pygame.KEYDOWN: "keys", pygame.MOUSEBUTTONUP: "clicks", pygame.MOUSEWHEEL: "wheels"}


class Watch:
    """Writes the status whenever it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts = dict.fromkeys(COUNTED.values(), 0)
        self._last = b""
        self._start: tuple[int, dict[str, Any]] | None = None

    def write(self, app: apps.App) -> None:
        text = json.dumps(self.status(app)).encode()
        if text != self._last:
            draft = self.path.with_suffix(".draft")
            draft.write_bytes(text)
            os.replace(draft, self.path)
            self._last = text

    def status(self, app: apps.App) -> dict[str, Any]:
        top = app.top
        found: dict[str, Any] = {
            **self.counts,
            "scene": top.name,
            "size": top.size,
            "pointer": app.pointer,
            "widgets": widgets(top.ui.live()),
            "panels": [list(panel.rect) for panel, _ in top.ui.layers],
            "modal": top.ui.modal,
        }
        fight = next((scene for scene in reversed(app.scenes) if isinstance(scene, Fight)), None)
        if fight is not None:
            found["fight"] = self.fight(fight)
        return found

    def fight(self, fight: Fight) -> dict[str, Any]:
        if self._start is None or self._start[0] != id(fight):
            self._start = (id(fight), {**records.document(fight.match.record), "commands": []})
        plan, pointing, choosing, camera = fight.plan, fight.pointing, fight.choosing, fight.camera
        return {
            "id": id(fight),
            "start": self._start[1],
            "commands": records.document(fight.match.record)["commands"],
            "over": fight.match.over,
            "asked": plan is not None and not fight.waits,
            "busy": fight.view.busy,
            "gliding": camera.moving,
            "origin": camera.origin,
            "zoom": camera.zoom,
            "free": list(camera.free),
            "cell": pointing.cell,
            "aimed": pointing.aimed,
            "keyed": pointing.keyed,
            "preview": plain(choosing.preview),
            "armed": plan.armed.do if plan is not None and plan.armed is not None else None,
            "keys": [choosing.key_of(offer) for offer in plan.offers] if plan is not None else [],
            "picks": [plain(entry[2]) for entry in choosing.picks[1]] if choosing.picks else None,
            "toast": fight.toast_text,
        }


def plain(what: object) -> object:
    """An action or offer as JSON."""
    if isinstance(what, Offer):
        return {
            "offer": what.do,
            "weapon": what.weapon,
            "item": what.actions[0].item if what.actions else None,
        }
    return msgspec.to_builtins(what) if isinstance(what, Action) else None


def widgets(panels: list[Widget]) -> list[dict[str, Any]]:
    """Everything that can be pressed, with the part of it that is not scrolled out of sight."""
    found: list[dict[str, Any]] = []

    def visit(widget: Widget, clip: pygame.Rect) -> None:
        if isinstance(widget, Scroll):
            clip = widget.rect.clip(clip)
        if isinstance(widget, Pressable):
            found.append(
                {
                    "key": widget.key,
                    "label": getattr(widget, "label", getattr(widget, "name", "")),
                    "seen": list(widget.rect.clip(clip)),
                    "rect": list(widget.rect),
                    "within": list(clip),
                    "enabled": widget.enabled,
                    "focused": widget.focused,
                }
            )
        for child in widget.children():
            visit(child, clip)

    for panel in panels:
        visit(panel, panel.rect)
    return found


def main() -> int:
    watch = Watch(Path(sys.argv[1]))
    handle, loop, wait = apps.App.handle, apps.App.loop, apps.App._wait

    def counted(app: apps.App, event: pygame.event.Event) -> None:
        handle(app, event)
        if event.type in COUNTED:
            watch.counts[COUNTED[event.type]] += 1

    def watched(app: apps.App) -> None:
        def waiting(pace: float | None) -> list[pygame.event.Event]:
            watch.write(app)
            return wait(pace)

        apps.App._wait = staticmethod(waiting)  # type: ignore[method-assign]
        loop(app)

    apps.App.handle = counted  # type: ignore[method-assign]
    apps.App.loop = watched  # type: ignore[method-assign]
    return cli.main(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main())
