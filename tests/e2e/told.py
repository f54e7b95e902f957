"""What a watched window tells of its other screens: preparing, forecasts, settings, the guide, tooltips, words."""

from __future__ import annotations

import os
from typing import Any

import pygame

from game.app.loop import App
from game.scenes.base import Scene
from game.scenes.bestiary import Bestiary
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose, Verdict
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.reference import Reference
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.tutorial import FirstFight
from game.scenes.forecast.rules import RulesetsPanel
from game.scenes.forecast.scene import ForecastScene
from game.scenes.setup import Setup
from game.scenes.workshop.scene import Workshop
from game.setup import draft as drafts
from game.widgets.controls import Label, Slider
from game.widgets.core import Scroll, Widget
from game.widgets.story import Story


def told(app: App) -> dict[str, Any]:
    """Everything that `Watch` doesn't tell of a fight."""
    top = app.top
    tip = top.ui.told
    found: dict[str, Any] = {
        "tip": [tip.title, tip.text, tip.rule] if tip is not None else None,
        "settings": app.settings.model_dump(),
        "scale": app.look.scale,
        "sliders": {
            w.key: [w.value, *w._track] for panel in top.ui.live() for w in panel.walk() if isinstance(w, Slider)
        },
        "scrolled": max(
            (w.offset for panel in top.ui.live() for w in panel.walk() if isinstance(w, Scroll)), default=0
        ),
        "keys": {command.name: list(command.keys) for command in app.keys.commands},
        "explained": explained(top.ui.live()) if "WATCH_WORDS" in os.environ else [],
    }
    for scene in app.scenes:
        found.update(_of(scene))
    return found


def _of(scene: Scene) -> dict[str, Any]:
    if isinstance(scene, Setup):
        return {"setup": _setup(scene)}
    if isinstance(scene, ForecastScene):
        return {"forecast": _forecast(scene)}
    if isinstance(scene, FirstFight):
        return {"guide": _guide(scene)}
    if isinstance(scene, RulesetsPanel):
        found = scene.found()
        return {"rulesets": {each.ruleset: each.forecast.runs for each in found.rulesets}}
    if isinstance(scene, Workshop):
        return {"bench": _bench(scene)}
    if isinstance(scene, CampScene):
        return {"camp": _camp(scene)}
    if isinstance(scene, Choose):
        return {"choose": _choose(scene)}
    if isinstance(scene, Bestiary):
        glance = scene.glance.forecast
        return {"bestiary": [scene.chosen, scene.shown(), glance.runs if glance is not None else 0]}
    if isinstance(scene, Reference):
        return {"page": scene.page.title if scene.page is not None else None}
    if isinstance(scene, DiceDialog):
        needed = scene.throwing.needed
        asked = {"by": needed.by, "faces": needed.faces, "label": needed.label} if needed is not None else None
        return {"die": asked, "faces": list(scene.throwing.typed)}
    return {"help": scene.page} if isinstance(scene, Help) else {}


def _setup(scene: Setup) -> dict[str, Any]:
    editor, camera, ground = scene.editor, scene.camera, scene.editor.ground
    assert ground is not None
    glance = scene.glance.forecast
    return {
        "record": {**drafts.document(editor.draft), "creatures": []},
        "pieces": [{"key": p.key, "spot": p.spot, **p.entry} for p in editor.draft.pieces],
        "selected": list(editor.selection),
        "cursor": scene.cursor,
        "pointed": scene.gesture.spot,
        "drag": scene.gesture.drag,
        "brush": scene.brush,
        "toast": scene.toast_text,
        "problems": [each.text for each in editor.problems() if each.block],
        "undoes": editor.undoes,
        "unsaved": editor.unsaved,
        "file": str(scene.path) if scene.path is not None else None,
        "doors": {door.id: [list(ground.at(door.cell)), door.state] for door in ground.doors},
        "grid": [ground.width, ground.height],
        "map": scene.map_title(),
        "zones": {
            spawn.side: [list(ground.at(cell)) for cell in spawn.cells]
            for spawn in (scene.loaded.spawns if scene.loaded is not None else ())
        },
        "glance": glance.runs if glance is not None else None,
        "origin": camera.origin,
        "zoom": camera.zoom,
        "free": list(camera.free),
        "gliding": camera.moving,
    }


def _choose(scene: Choose) -> dict[str, Any]:
    found = scene.glance.forecast
    verdict = next(w for panel in scene.ui.live() for w in panel.walk() if isinstance(w, Verdict))
    return {
        "party": list(scene.party),
        "foes": dict(scene.foes),
        "verdict": verdict.said,
        "at": list(verdict.rect),
        "runs": found.runs if found is not None else 0,
    }


def _bench(scene: Workshop) -> dict[str, Any]:
    hero = scene.hero
    return {
        "hero": hero.model_dump(mode="json") if hero is not None else None,
        "heroes": list(scene.heroes),
        "page": scene.page,
        "said": scene.said,
        "refused": scene.refused,
    }


def _camp(scene: CampScene) -> dict[str, Any]:
    camp: Any = scene.camp
    return {
        "who": scene.who,
        "hp": {name: [(first := camp.camper(name).gauges[0]).now, first.most] for name in camp.heroes},
        "said": scene.said,
        "refused": scene.refused,
        "story": [line.text for line in camp.story],
        "floor": [thing.item for thing in camp.floor],
    }


def _forecast(scene: ForecastScene) -> dict[str, Any]:
    session = scene.session
    own, spilt = session.base.side(scene.side), scene.heat.spilt()
    hot = max(spilt, key=lambda cell: spilt[cell], default=None)
    return {
        "hot": list(scene.heat.camera.space_rect(hot).center) if hot is not None else None,
        "free": list(scene.heat.camera.free),
        "creatures": [creature.id for creature in session.base.creatures],
        "failed": scene.failed,
        "runs": session.base.runs,
        "wanted": session.wanted(),
        "done": session.done,
        "paused": session.paused,
        "wins": [own.wins.share, own.wins.low, own.wins.high] if session.base.runs else None,
        "lost": own.losses.mean,
        "wiped": own.wiped_out.share if session.base.runs else None,
        "blood": scene.heat.blood,
        "hottest": scene.heat.hottest(),
        "marked": scene.heat.marked,
        "here": session.here,
        "changes": {v.key: v.label for v in session.variants},
        "playing": [v.key for v in session.variants if session.playing(v.key)],
        "compared": {v.key: f.runs for v in session.variants if (f := session.forecast(v.key)) is not None},
    }


def _guide(scene: FirstFight) -> dict[str, Any]:
    guide = scene.guide
    step, target = guide.shown, guide.target()
    return {
        "step": guide.lesson.step.id if guide.lesson.step is not None else None,
        "shown": step is not None,
        "finished": guide.lesson.finished,
        "target": list(target) if target is not None else None,
        "callout": [list(panel.rect) for panel, _ in guide.ui.layers],
        "buttons": {w.key: list(w.rect.center) for panel, _ in guide.ui.layers for w in panel.walk() if w.focusable},
        "rolls": _rolls(scene.telling.story),
        "points_at": guide.lesson.step.points_at if guide.lesson.step is not None else None,
    }


def _rolls(story: Story) -> list[list[int]]:
    """Where in the log a click folds or unfolds the rolls of a line."""
    spots = [
        (story.rect.left + 24, story.rect.top + top - story._offset + 8)
        for entry, top in zip(story.entries, story._tops, strict=False)
        if entry.details
    ]
    return [list(spot) for spot in spots if story.rect.collidepoint(spot)]


def explained(panels: list[Widget]) -> list[list[Any]]:
    """Words on screen that are explained on hover: [what is told, x, y]."""
    found: list[list[Any]] = []

    def visit(widget: Widget, clip: pygame.Rect) -> None:
        if isinstance(widget, Scroll):
            clip = widget.rect.clip(clip)
        if isinstance(widget, Story):
            found.extend(_in_story(widget, clip))
        elif isinstance(widget, Label) or not widget.children():
            spot = widget.rect.clip(clip)
            tip = widget.tip_at(spot.center) if spot.height > 4 else None
            if tip is not None and tip.rule:
                found.append([tip.title, *spot.center])
        for child in widget.children():
            visit(child, clip)

    for panel in panels:
        visit(panel, panel.rect)
    return found


def _in_story(story: Story, clip: pygame.Rect) -> list[list[Any]]:
    """One spot for each word of the log that is explained."""
    found: dict[str, list[Any]] = {}
    area = story.rect.clip(clip)
    for y in range(area.top + 3, area.bottom, 6):
        for x in range(area.left + 3, area.right, 12):
            tip = story.tip_at((x, y))
            if tip is not None and tip.rule:
                found.setdefault(tip.title, [tip.title, x, y])
    return list(found.values())
