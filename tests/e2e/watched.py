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

import pygame

from game import cli
from game.app import loop as apps
from game.app.loop import MASKS
from game.scenes.fight.scene import Fight
from game.scenes.replay.playback import Watching
from game.scenes.replay.scene import Replay
from game.scenes.replay.why import WhyScene
from game.widgets.controls import Label
from game.widgets.core import Scroll, Widget
from game.widgets.story import Story
from rules.contract.actions import Action, Offer
from rules.contract.text import as_builtins
from rules.core import record as records
from tests.e2e.told import told

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
            "scenes": [scene.name for scene in app.scenes],
            "size": top.size,
            "pointer": app.pointer,
            "widgets": widgets(top.ui.live()),
            "panels": [list(panel.rect) for panel, _ in top.ui.layers],
            "modal": top.ui.modal,
            "tip": plain_tip(top.ui.tip),
            "words": words(top.ui.live()),
        }
        if isinstance(top, Watching):
            found["watching"] = watching(top)
        if isinstance(top, WhyScene):
            found["why"] = why(top)
        if top.ui.modal:
            found["texts"] = [w.text for panel in top.ui.live() for w in panel.walk() if isinstance(w, Label)]
        if isinstance(top, Replay):
            found["replay"] = replay(top)
        found["more"] = told(app)
        fight = next((scene for scene in reversed(app.scenes) if isinstance(scene, Fight)), None)
        if fight is not None:
            found["fight"] = self.fight(fight)
        return found

    def fight(self, fight: Fight) -> dict[str, Any]:
        if self._start is None or self._start[0] != id(fight):
            self._start = (id(fight), {**records.document(fight.match.record), "commands": []})
        plan, pointing, choices, camera = fight.plan, fight.pointed, fight.choices, fight.camera
        return {
            "id": id(fight),
            "start": self._start[1],
            "commands": records.document(fight.match.record)["commands"],
            "over": fight.match.over,
            "asked": plan is not None and not fight.waits and not fight.marching.running,
            "busy": fight.view.busy,
            "gliding": camera.moving,
            "moment": fight.moment.left > 0,
            "origin": camera.origin,
            "zoom": camera.zoom,
            "free": list(camera.free),
            "cell": pointing.cell,
            "aimed": pointing.aimed,
            "keyed": pointing.keyed,
            "preview": plain(choices.preview),
            "armed": plan.armed.do if plan is not None and plan.armed is not None else None,
            "keys": [fight.key_of(offer) for offer in plan.offers] if plan is not None else [],
            "picks": [plain(entry[2]) for entry in choices.picks[1]] if choices.picks else None,
            "toast": fight.toast_text,
            "log": [entry_text(entry) for entry in fight.telling.story.entries[-8:]],
            "table": table(fight),
        }


def replay(scene: Replay) -> dict[str, Any]:
    """Where the replay is, and where on screen its line of time has what."""
    film, line = scene.film, scene.scrubber
    return {
        "number": scene.number,
        "ends": [scene.first, scene.last],
        "playing": scene.playing,
        "pace": scene.pace_at,
        "busy": scene.view.busy,
        "gliding": scene.camera.moving,
        "returns": scene.returns,
        "view": scene.views[scene.seen_as].label,
        "views": len(scene.views),
        "selected": scene.selected,
        "turns": film.turns,
        "chances": film.chances,
        "blows": [mark.at for mark in film.marks],
        "shots": scene.shots,
        "line": list(line.rect),
        "spots": [line.spot(place) for place in range(len(scene.shots))],
        "pips": [[scene.shots[pip.at], *line.spot_of(pip), pip.text] for pip in line.pips],
        "focus": scene.ui.focus.key if scene.ui.focus is not None else None,
        "minis": {mini.id: scene.camera.space_rect(mini.cell).center for mini in scene.shown.miniatures},
        "log": [entry_text(entry) for entry in scene.story.entries],
    }


def entry_text(entry: object) -> str:
    """A line of the story without its colours."""
    return "".join(getattr(run, "text", "") for run in entry.pieces)  # type: ignore[attr-defined]


def plain_tip(tip: object) -> list[str] | None:
    """What the tooltip says, whether it is shown already or about to be."""
    return None if tip is None else [tip.title, tip.text]  # type: ignore[attr-defined]


def watching(scene: Watching) -> dict[str, Any]:
    """Where a board is that is only looked at."""
    camera = scene.camera
    return {"origin": camera.origin, "zoom": camera.zoom, "free": list(camera.free), "hovered": scene.hovered}


def why(scene: WhyScene) -> dict[str, Any]:
    """Which deed of the computer's is explained, and what was asked."""
    deed = scene.why.deed
    return {
        "number": deed.number,
        "by": deed.decision.by,
        "chosen": scene.chosen,
        "taken": scene.why.taken,
        "options": len(scene.options),
        "asked": scene.asked,
        "answer": scene.answer,
    }


def table(fight: Fight) -> dict[str, Any]:
    """Who sits at the screen, and what of the fight is drawn for them."""
    seating, needed = fight.seating, fight.deeds.needed
    shown = fight.view.board
    assert shown is not None, "a fight is told of once it is drawn"
    sight = fight.view.ground.veil.sight
    return {
        "at": seating.at.name,
        "due": seating.due.name if seating.due is not None else None,
        "all_seen": seating.all_seen,
        "seconds": seating.seconds,
        "acting": fight.acting,
        "minis": {mini.id: mini.cell for mini in shown.miniatures},
        "doors": list(shown.doors),
        "order": [turn.id for turn in fight.told_board.order],
        "now": None if sight is None else hex(sight.now),
        "ever": None if sight is None else hex(sight.ever),
        "die": None if needed is None else {"by": needed.by, "faces": needed.faces, "label": needed.label},
        "typed": fight.deeds.typed,
        "throws": fight.match.record.throws,
        "asks": asks(fight.telling.story),
        "cursor": fight.telling.story.cursor,
        "card": list(fight.panels.card_rect) if fight.panels.card_rect is not None else None,
    }


def asks(story: Story) -> list[list[Any]]:
    """The lines of the log that can be asked about, and where their marks are, if in sight."""
    found = []
    for number, entry in enumerate(story.entries):
        if entry.asks and (mark := story.mark(number)) and story.rect.contains(mark):
            found.append([number, list(mark)])
    return found


def words(panels: list[Widget]) -> list[str]:
    """Every word on panels, tooltips and logs included."""
    found: list[str] = []
    for panel in panels:
        for widget in panel.walk():
            if isinstance(widget, Story):
                for entry in widget.entries:
                    found.append("".join(getattr(piece, "text", "") for piece in entry.pieces))
            for name in ("text", "label", "cost", "name", "value"):
                said = getattr(widget, name, "")
                if isinstance(said, str) and said:
                    found.append(said)
            if widget.tip is not None:
                found.append(f"{widget.tip.title} {widget.tip.text}".strip())
    return found


def plain(what: object) -> object:
    """An action or offer as JSON."""
    if isinstance(what, Offer):
        item, option = (what.actions[0].item, what.actions[0].option) if what.actions else (None, None)
        return {"offer": what.do, "weapon": what.weapon, "item": item, "option": option}
    return as_builtins(what) if isinstance(what, Action) else None


def widgets(panels: list[Widget]) -> list[dict[str, Any]]:
    """Everything that can be pressed, with the part of it that is not scrolled out of sight."""
    found: list[dict[str, Any]] = []

    def visit(widget: Widget, clip: pygame.Rect) -> None:
        if isinstance(widget, Scroll):
            clip = widget.rect.clip(clip)
        if widget.focusable:
            found.append(
                {
                    "key": widget.key,
                    "label": getattr(widget, "label", getattr(widget, "name", "")),
                    "cost": getattr(widget, "cost", ""),
                    "value": getattr(widget, "value", None),
                    "seen": list(widget.rect.clip(clip)),
                    "rect": list(widget.rect),
                    "within": list(clip),
                    "enabled": widget.enabled,
                    "stops": widget.stops,
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
        if event.type in COUNTED and getattr(event, "key", None) not in MASKS:  # Shift+Tab is one key
            watch.counts[COUNTED[event.type]] += 1

    def watched(app: apps.App) -> None:
        def waiting(app: apps.App, pace: float | None) -> list[pygame.event.Event]:
            watch.write(app)
            return wait(app, pace)

        apps.App._wait = waiting  # type: ignore[method-assign,assignment]
        loop(app)

    apps.App.handle = counted  # type: ignore[method-assign,assignment]
    apps.App.loop = watched  # type: ignore[method-assign,assignment]
    return cli.main(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main())
