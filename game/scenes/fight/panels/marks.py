"""What is drawn on the board besides the miniatures: lit spaces, the path, chances, threat, sight and ruler."""

from __future__ import annotations

import pygame

from game.controllers.ai.advisors import advisor_of
from game.scenes.fight.aiming import measured
from game.scenes.fight.panels.card import of_fight, percent
from game.scenes.fight.plan import Plan
from game.scenes.fight.table import FightTable
from game.view.overlays import Overlays
from rules.board.bitboard import cells_of

AT_HAND = 80
"""More spaces than these are a shooter's, and not outlined."""


def overlays(fight: FightTable) -> Overlays:
    """The marks for the fight as it is."""
    marks = Overlays()
    pointed, plan = fight.pointed, fight.chance
    marks.hover = pointed.cell
    marks.selected = fight.selected
    marks.asked = fight.acting if len(fight.planning.open()) > 1 and not fight.view.busy else None
    marks.legend = fight.app.held(pygame.KMOD_ALT)
    marks.sight = pointed.line
    if pointed.ruler is not None and (told := measured(fight)) is not None:
        marks.ruler = (*pointed.ruler, told[0])
    marks.pins = of_fight(fight)
    if fight.threat_held or fight.threat_kept:
        marks.threat = threat(fight)
    if fight.threat_held:
        return marks  # a glance at nothing else: what one may do lies beneath it
    if plan is None or fight.view.busy:
        return marks
    marks.facing = _arcs(fight, plan)
    marks.struck = _struck(plan, marks.facing)
    _light(plan, marks)
    if plan.board.watched is not None:
        _heed(fight, plan, marks)
    marks.path, marks.path_ok = pointed.path, pointed.path_ok
    if (errand := fight.choices.errand) is not None and not pointed.path:
        marks.path = errand.path
    armed = plan.armed is not None and plan.armed.description.needs == "creature"
    if plan.actor is not None and (plan.armed is None or armed):
        for mini in plan.board.miniatures:
            _mark_target(plan, mini.id, marks)
    if errand is not None and (odds := errand.there.odds(errand.deed)) is not None:
        marks.chances[errand.target] = percent(odds.hit)
        marks.crosses.pop(errand.target, None)
    marks.reach = plan.area(fight.choices.preview) & plan.known
    if marks.reach and fight.choices.preview is not None:
        odds = plan.odds(fight.choices.preview)
        marks.chances |= {share.id: percent(share.hit) for share in odds.targets} if odds is not None else {}
    plain = plan.armed is not None and all(a.item is None for a in plan.armed.actions)
    if armed and plain and plan.actor is not None:
        marks.reach = advisor_of(plan.ruleset).reaches(plan.state, plan.decision.by, plan.actor.cell) & plan.known
    return marks


def _arcs(fight: FightTable, plan: Plan) -> tuple[str, int] | None:
    """Whose arcs are shown: of whoever considers to turn, else of whom is pointed at, where the rules know facing."""
    considered, actor = fight.choices.preview, plan.actor
    if considered is not None and actor is not None and considered in plan.facings.values():
        return (actor.id, int(considered.option or 0))
    pointed = plan.minis.get(fight.pointed.aimed or "")
    if pointed is None and plan.armed is not None and plan.armed.description.needs == "facing":
        pointed = actor
    if pointed is None or pointed.facing is None or pointed.out:
        return None
    return (pointed.id, pointed.facing)


def _struck(plan: Plan, facing: tuple[str, int] | None) -> int:
    """What whoever's arcs are shown can strike where it stands; nothing for who shoots all over the board."""
    mini = plan.minis.get(facing[0]) if facing is not None else None
    if mini is None or not mini.reach:
        return 0
    cells = advisor_of(plan.ruleset).reaches(plan.state, mini.id, mini.cell) & plan.known
    return cells if cells.bit_count() <= AT_HAND * mini.size else 0


def _light(plan: Plan, marks: Overlays) -> None:
    """Each movement's spaces by its kind, each space once, by the cheapest way."""
    kinds: dict[str, set[int]] = {"free": set(), "step": set(), "run": set(), "leap": set(), "climb": set()}
    seen: set[int] = set()
    for offer in plan.active():
        cells = set(plan.moves(offer)) - seen
        if not cells:
            continue
        d = offer.description
        if d.needs == "space" and offer.actions[0].item is not None:
            kind = "step"
        elif d.needs == "space":
            aimed = any(action.item is not None for action in offer.actions)
            kind = "climb" if d.icon == "climb" else "step" if aimed else "leap"
        elif d.group == "First":
            kind = "free"
        else:
            kind = "run" if kinds["step"] or d.icon == "run" else "step"
        kinds[kind] |= cells
        seen |= cells
    marks.free, marks.step, marks.run = (
        frozenset(kinds["free"]),
        frozenset(kinds["step"]),
        frozenset(kinds["run"]),
    )
    marks.leap, marks.climb = frozenset(kinds["leap"]), frozenset(kinds["climb"])


def _heed(fight: FightTable, plan: Plan, marks: Overlays) -> None:
    """Where adversaries look who have noticed nothing, and the chance to be noticed on each space one could go to."""
    marks.watched = (plan.board.watched or 0) & plan.known
    marks.risks = plan.risks()
    if exits := plan.field.exits & plan.known:
        marks.zones[plan.decision.side] = cells_of(exits)
    considered = plan.odds(fight.choices.preview) if fight.choices.preview is not None else None
    if considered is not None and considered.along:
        marks.along = dict(considered.along)
        marks.chances |= {share.id: percent(share.hit) for share in considered.targets}


def _mark_target(plan: Plan, name: str, marks: Overlays) -> None:
    if plan.marked_for is not plan.armed:
        plan.marked_for = plan.armed
        plan.target_marks.clear()
    known = plan.target_marks.get(name)
    if known is None:
        known = plan.target_marks[name] = _target_mark(plan, name)
    chance, cross = known
    if chance and plan.armed is None and plan.minis[name].out:
        marks.fallen[name] = chance
    elif chance:
        marks.chances[name] = chance
    elif cross:
        marks.crosses[name] = cross


def _target_mark(plan: Plan, name: str) -> tuple[str, str]:
    """(the chance to hit, or a tick; why nothing can be done to it): one of them or neither."""
    action = plan.strike(name) or plan.finishing(name)
    if action is not None:
        odds = plan.odds(action)
        if odds is not None:
            return percent(odds.hit), ""
        return ("√" if plan.armed is not None else ""), ""
    return "", plan.why_not(name) if plan.is_foe(name) and not plan.minis[name].out else ""


def threat(fight: FightTable) -> int:
    """Bitboard of every space that the other sides could strike in their next chance."""
    board, state, rules = fight.board, fight.shown, fight.ruleset
    found = 0
    for mini in board.miniatures:
        if mini.side in fight.sides or mini.out:
            continue
        for cell in {mini.cell, *advisor_of(rules).spots(state, mini.id)}:
            found |= advisor_of(rules).reaches(state, mini.id, cell)
    return found & fight.eyes.known()
