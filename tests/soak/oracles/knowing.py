"""Who looks sees what their seat knows: boards, words, orders, what lies below, and the ground's end in the fog.

What a seat knows is worked out here anew, from the states of the fight and `observe`, as tests/game/hotseat_table.py
does for one fight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame

from game.fight.seats import Seats
from game.fight.viewing import fogged, own_plans
from game.scenes.base import Scene
from game.scenes.dialogs.panels import Menu
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import Handover
from game.scenes.fight.panels.places import overlays
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from game.scenes.replay.why import WhyScene
from game.widgets.story import Story
from rules.contract.actions import Decision
from rules.contract.display import Board
from rules.contract.events import Event
from tests.game.hotseat_table import texts
from tests.soak.table import Table
from tests.soak.wrong import Wrong

PAST = 60
"""How many states back what is shown may lag."""
LEAVING = (Menu, Fight, Handover, Summary)
"""Screens from which one comes to the editor without having been asked."""
SAMPLES = 10
"""Spaces at the map's end that are looked at in a frame."""
ALIKE = 3
"""By how much a colour may differ and still be the same darkness."""


# -- boards and events


def only_the_known_is_played(table: Table, fight: Fight) -> None:
    """Hold all that is given to the view against what the seat may know."""
    play, set_board = fight.view.play, fight.view.set_board

    def played(events: Any, before: Board, after: Board, reached: Any = None) -> None:
        views = fight.seating.views()
        for event in events:
            if views is not None and event.seen_by and not set(event.seen_by) & set(views):
                raise Wrong("a seat sees only what it knows", f"{event} was shown to {views}", type(event).__name__)
        _hold(table, fight, before, "before")
        _hold(table, fight, after, "after")
        play(events, before, after, reached)

    def taken(board: Board) -> None:
        _hold(table, fight, board, "set")
        set_board(board)

    fight.view.play, fight.view.set_board = played, taken  # type: ignore[method-assign, assignment]


def _hold(table: Table, fight: Fight, board: Board | None, what: str) -> None:
    """A board that is shown: nobody on it whom the seat does not know there, no order that another keeps sealed."""
    if board is None:
        return
    sides = {mini.id: mini.side for mini in board.miniatures}
    for plan in board.plans:
        if not plan.open and sides.get(plan.id) not in fight.sides:
            raise Wrong("sealed orders stay sealed", f"{what}: {fight.seating.at.name} sees {plan}", what)
    views = fight.seating.views()
    if views is None:
        return
    known = _known(table, fight, views)
    for mini in board.miniatures:
        if (mini.id, mini.cell) not in known:
            told = f"{what}: {fight.seating.at.name} sees {mini.name} at {mini.cell}"
            raise Wrong("a seat sees only what it knows", told, f"board {what}")


def _known(table: Table, fight: Fight, views: tuple[str, ...]) -> set[tuple[str, int]]:
    """Who stood where in the sight of these sides, in any of the latest states."""
    rules, cache = fight.ruleset, table.note("known", {})
    found: set[tuple[str, int]] = set()
    for moment in fight.match.history.moments[-PAST:]:
        key = (id(moment.state), views)
        if key not in cache:
            board = rules.board(rules.observe(moment.state, *views))
            cache[key] = (moment.state, {(m.id, m.cell) for m in board.miniatures})
        found |= cache[key][1]
    return found


def the_shown_is_the_known(table: Table) -> None:
    """Board, state, ground, marks and plan of a fight are those that its seat knows."""
    fight = table.fight
    if fight is None or not _stands(table, fight):
        return
    views, rules, state = fight.seating.views(), fight.ruleset, fight.match.state
    now = state if views is None else rules.observe(state, *views)
    held = rules.sealed(state, *sorted(fight.sides)) if views is None else now
    for what, same in (
        ("state", fight.shown == held),
        ("board", fight.board.miniatures == own_plans(rules.board(now), fight.sides).miniatures),
        ("plan", fight.plan is None or (fight.plan.state == held and _own(fight, fight.plan.decision))),
    ):
        if not same:
            raise Wrong("a seat sees only what it knows", f"{what} is not what {views} know now", what)
    _hold(table, fight, fight.board, "shown")
    if not fight.view.busy:
        _hold(table, fight, fight.view.board, "view")
    seen = fight.eyes.sight()
    if seen is not None and any(not seen.ever >> cell & 1 for cell in fight.pointed.path):
        raise Wrong("a seat sees only what it knows", "a way leads over ground that nobody saw", "way")


def _own(fight: Fight, decision: Decision) -> bool:
    """Whether a decision is for the seat at the screen to make."""
    return decision.side in fight.sides or fight.seating.seats.answering(decision) == fight.seating.at


def _stands(table: Table, fight: Fight) -> bool:
    """Whether a fight is shown and has its seat."""
    return fight in table.visible and fight.fitted


def what_rests_is_true(table: Table) -> None:
    """When nothing moves any more, view, panels and log show how things stand."""
    fight = table.fight
    if fight is None or not _stands(table, fight) or fight.behind or fight.view.busy:
        return
    for what, board in (("view", fight.view.board), ("panels", fight.told_board)):
        if board is not None and board.miniatures != fight.board.miniatures:
            pairs = zip([*board.miniatures, None], [*fight.board.miniatures, None], strict=False)
            told = next(f"{a} in place of {b}" for a, b in pairs if a != b)
            raise Wrong("what rests is true", f"{what}: {told[:500]}", what)
    if fight.eyes.sight() != fight.view.ground.veil.sight:
        raise Wrong("what rests is true", "the ground is not drawn as it is seen", "ground")


# -- words


def no_word_names_the_unmet(table: Table) -> None:
    """No text of any screen that is shown names a creature of which the seat knows nothing."""
    fight = table.fight
    if fight is None:
        return
    strangers = _strangers(table, fight)
    if not strangers:
        return
    for scene in table.visible:
        if isinstance(scene, Replay) and scene.film.eyes.sides is None and fight.seating.may_see_all:
            continue
        for text in _texts(scene):
            for stranger in strangers:
                if stranger in text:
                    told = f"{fight.seating.at.name} reads of {stranger} in {scene.name}: {text[:200]!r}"
                    raise Wrong("no word names the unmet", told, scene.name)


def _strangers(table: Table, fight: Fight) -> set[str]:
    """Names of creatures that the seat at the screen has neither seen nor seen to do anything."""
    views, rules = fight.seating.views(), fight.ruleset
    names = {str(c["id"]): str(c.get("name", "")) for c in fight.match.record.creatures}
    met = table.met.setdefault((fight.seating.at.name, fight.seating.at.number), set())
    if views is None or fight.match.decision is None:
        met |= set(names.values())
    else:
        met |= {mini.name for mini in rules.board(rules.observe(fight.match.state, *views)).miniatures}
        met |= {names[str(c["id"])] for c in fight.match.record.creatures if c.get("side") in views}
        for event in _fresh(table, fight):
            if not event.seen_by or set(event.seen_by) & set(views):
                met |= {names.get(str(getattr(event, word, "")), "") for word in ("by", "target")}
    return {name for name in names.values() if name} - met


def _fresh(table: Table, fight: Fight) -> list[Event]:
    """The events since one looked last with this seat's eyes; a fight whose past has changed is looked at anew."""
    key = ("heard", id(fight), fight.seating.at.number)
    events, count = fight.match.events, table.notes.get(key, 0)
    table.notes[key] = len(events)
    return events[count:] if count <= len(events) else list(events)


def _texts(scene: Scene) -> Iterator[str]:
    """Every word of a screen, tooltips, logs and floating cards included."""
    if isinstance(scene, Fight):
        yield from texts(scene)
        yield f"{scene.moment.title} {scene.moment.text}" if scene.moment.left else ""
        card = scene.panels._card_now() if not scene.view.busy else None
        for widget in card[0].walk() if card is not None else ():
            yield str(getattr(widget, "text", ""))
        return
    for panel, _ in scene.ui.layers:
        for widget in panel.walk():
            for name in ("text", "label", "cost", "name"):
                found = getattr(widget, name, "")
                yield found() if callable(found) else str(found)
            if widget.tip is not None:
                yield f"{widget.tip.title} {widget.tip.text}"
            if isinstance(widget, Story):
                for entry in widget.entries:
                    yield " ".join(getattr(piece, "text", "") for piece in entry.pieces)


# -- what lies below, and thoughts


def no_secret_lies_open_below(table: Table) -> None:
    """No editor shows a fight's whole table unasked while seats keep secrets in it."""
    shown = next((scene for scene in table.visible if scene.name == "setup"), None)
    before, table.notes["editor"] = table.notes.get("editor"), shown
    if shown is None:
        return
    opening = table.opening
    if opening is not None and _secretive(opening.match):
        raise Wrong("no secret lies open below", "the dice of the opening lie over the open table", "opening")
    left, up = table.notes.get("open"), table.notes.get("up", (None, 0.0))[0]
    if (
        left is not None
        and shown is not before  # else it was there already, with a menu of its own over it
        and isinstance(up, LEAVING)
        and left.match.decision is not None
        and left.seating.secrets
    ):
        raise Wrong("no secret lies open below", f"the editor opens from the {up.name} unasked", "editor")


def _secretive(match: Any) -> bool:
    seats = Seats(match.record)
    return fogged(match) and any(seats.keeps_secrets(a, b) for a in seats.seats for b in seats.seats)


def no_thought_tells_of_an_unknown_trap(table: Table) -> None:
    """Why the computer did something is drawn without traps that whoever asks does not know."""
    fight = table.fight
    for scene in table.visible:
        if fight is None or not isinstance(scene, WhyScene) or fight.seating.all_seen:
            continue
        own = {mark.label for mark in fight.eyes.board().ground}
        strange = [m.label for m in scene.board.ground if m.kind.startswith(("trap", "chest")) and m.label not in own]
        if strange:
            raise Wrong("no thought tells of an unknown trap", ", ".join(strange))


# -- the ground's end


def the_maps_end_is_not_drawn(table: Table) -> None:
    """Where nobody has seen anything, the map's last space looks like the void beyond it."""
    fight = table.fight
    sight = fight.eyes.sight() if fight is not None else None
    if fight is None or sight is None or table.loop.top is not fight or fight.ui.modal or fight.view.busy:
        return
    surface, zoom = _board_alone(table, fight), fight.camera.zoom
    free = surface.get_rect().inflate(-4, -4)
    known, done = fight.view.ground.veil.known, 0
    for (x, y), (outx, outy) in _edge(fight):
        near = (fight.match.field.cell(a, b) for a, b in _around(fight, x, y))
        if done >= SAMPLES or any(known >> cell & 1 for cell in near):
            continue
        inner = fight.camera.space_rect((x, y)).center
        outer = (inner[0] + (outx - x) * zoom * 3 // 4, inner[1] + (outy - y) * zoom * 3 // 4)
        if not free.collidepoint(inner) or not free.collidepoint(outer):
            continue
        done += 1
        rim = ((inner[0] + outer[0] * 2) // 3, (inner[1] + outer[1] * 2) // 3)
        colours = [surface.get_at(pos)[:3] for pos in (inner, rim, outer)]
        if max(abs(a - b) for colour in colours for a, b in zip(colour, colours[0], strict=True)) > ALIKE:
            raise Wrong("the map's end is not drawn in the fog", f"at {(x, y)}: {colours}")


def _board_alone(table: Table, fight: Fight) -> pygame.Surface:
    """The present frame without panels, cards, toasts and dice, which may lie over any ground."""
    surface, animator = table.loop.surface.copy(), fight.view.animator
    rolled, animator._rolled = animator._rolled, None
    try:
        fight.view.draw(surface, overlays(fight))
    finally:
        animator._rolled = rolled
    return surface


def _edge(fight: Fight) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Each space at the map's end with the place beyond it."""
    wide, high = fight.match.field.width, fight.match.field.height
    for x in range(wide):
        yield (x, 0), (x, -1)
        yield (x, high - 1), (x, high)
    for y in range(high):
        yield (0, y), (-1, y)
        yield (wide - 1, y), (wide, y)


def _around(fight: Fight, x: int, y: int) -> Iterator[tuple[int, int]]:
    for a in (x - 1, x, x + 1):
        for b in (y - 1, y, y + 1):
            if fight.match.field.inside(a, b):
                yield a, b
