"""Things keep their places: keys and buttons of a fight, and the board's creatures beside the panels."""

from __future__ import annotations

import pygame

from game.scenes.fight.scene import Fight
from game.widgets.controls import Pressable
from tests.soak.table import Table
from tests.soak.wrong import Wrong

BY_HAND = ("wheel", "drag", "click", "resize", "setting")
"""Steps that may move the board, or the panels over it, by hand."""
CAMERA = (
    *("pan_up", "pan_left", "pan_down", "pan_right", "zoom_in", "zoom_out", "zoom_fit", "centre", "see_all"),
    *("next_target", "last_target", "next_own", "last_own", "north", "east", "south", "west"),
    *("northeast", "southeast", "southwest", "northwest"),
)
"""Commands that move the view, or point at something which it then shows."""


def _asked(table: Table) -> Fight | None:
    """The fight, where somebody at rest is asked for a deed."""
    fight = table.fight
    if fight is None or table.loop.top is not fight or fight.plan is None or fight.plan.is_question:
        return None
    unfolded = fight.ui.modal or fight.choices.more
    return None if fight.waits or fight.view.busy or unfolded else fight


def a_key_means_the_same_all_fight(table: Table) -> None:
    """The key of an offer is the same in each chance, and nobody else's."""
    fight = _asked(table)
    if fight is None or fight.plan is None:
        return
    known: dict[str, str] = table.note("keys", {})
    for offer in fight.plan.offers:
        name, key = _offer(offer.do, offer.description.label), fight.key_of(offer)
        name = f"{fight.match.record.ruleset}: {name}"  # a fight may be played again under other rules
        if known.setdefault(name, key) != key:
            raise Wrong("a key means the same all fight", f"{name}: {known[name]!r}, now {key!r}", "moves")


def _offer(do: str, label: str) -> str:
    return f"{do} ({label})"


def a_button_stays_where_it_is(table: Table) -> None:
    """While one creature is asked, in a window that stays, a button of its bar keeps its place."""
    fight = _asked(table)
    if fight is None:
        return
    kind = fight.plan.decision.kind if fight.plan is not None else ""
    layout = (fight.match.record.ruleset, fight.acting, kind, fight.size, table.loop.look.scale)
    places: dict[object, pygame.Rect] = table.note("places", {})
    for panel in fight.ui.live():
        for widget in panel.walk():
            if isinstance(widget, Pressable) and widget.key.startswith("offer "):
                place = places.setdefault((layout, widget.key), pygame.Rect(widget.rect))
                if place.topleft != widget.rect.topleft:
                    told = f"{widget.key}: from {place.topleft} to {widget.rect.topleft}"
                    raise Wrong("a button stays where it is", told)


def what_acts_is_under_no_panel(table: Table) -> None:
    """Whoever is asked, and whom a click would strike, stands in the free part of the window while nobody pans."""
    fight = _asked(table)
    moved = table.step and (
        table.step[0] in BY_HAND or (table.step[0] == "command" and table.step[1] in CAMERA) or table.step[0] == "key"
    )
    if fight is None or moved:
        table.notes["panned"] = fight is None or table.notes.get("panned", False) or bool(moved)
    if fight is None or fight.plan is None:
        return
    asked = (fight.acting, fight.match.history.length)
    if table.notes.get("asked") != asked:
        table.notes["asked"], table.notes["panned"] = asked, bool(moved)
    actor = fight.plan.actor
    if fight.tight and (fight.sheet_over or fight.log_over):
        return  # unfolded over the board by hand, for a moment
    if table.notes.get("panned") or actor is None or fight.camera.moving or fight.view.camera.unsettled:
        return
    place = fight.camera.space_rect(actor.cell, actor.size)
    window = pygame.Rect((0, 0), fight.size)
    hidden = [rect for rect in fight.under_panels if rect.colliderect(place.inflate(-4, -4))]
    if hidden or not window.contains(place):
        told = f"{actor.name} at {tuple(place)} in a window of {fight.size}, under {[tuple(r) for r in hidden]}"
        raise Wrong("what acts is under no panel", told, "actor")
