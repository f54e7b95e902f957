"""Decisions of an exploration: come near unnoticed, together, and fall upon the foe from there.

Through the contract alone: the ruleset's measures name the ways with their chance to stay unnoticed, what opens a way,
and what begins the fight; this weighs them. The longer it takes, the bolder everybody grows, so that it ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai import routes
from game.controllers.ai.advisors.planning import Advance, Ambush, Begin, Light, Measure, Mend, Outlook, Pass, Rise
from game.controllers.ai.position import Position
from game.controllers.ai.thinking import Option
from rules.board.path import UNREACHABLE


def weighed(position: Position, outlook: Outlook, goals: Sequence[int]) -> list[Option]:
    """What could be done with the minute, best first; ties in the ruleset's order."""
    me = position.me
    assert me is not None
    w = position.weights.scouting
    found = list(position.advisor.measures(position.state, position.decision))
    targets = [foe.cell for foe in position.foes] or list(goals)
    prices = routes.far(position.terrain, position.doors, targets, me.size) if targets else None
    here = UNREACHABLE if prices is None else prices[me.cell]
    fear = w.caught * max(0.0, 1.0 - outlook.turn / w.bold)
    options = [
        _option(measure, _reasons(position, outlook, measure, here=here, prices=prices, fear=fear)) for measure in found
    ]
    options.append(Option(outlook.end, 0.0, (("keeping still", 0.0),), plan=(outlook.end,), cell=me.cell, label="Wait"))
    return [options[i] for i in sorted(range(len(options)), key=lambda i: (-round(options[i].score, 9), i))]


def _option(measure: Measure, reasons: list[tuple[str, float]]) -> Option:
    action = measure.action
    label = action.do.replace("_", " ").capitalize()
    cell = measure.cell if isinstance(measure, Advance | Pass) else -1
    return Option(action, sum(v for _, v in reasons), tuple(reasons), plan=(action,), cell=cell, label=label)


def _reasons(
    position: Position,
    outlook: Outlook,
    measure: Measure,
    *,
    here: int,
    prices: routes.Prices | None,
    fear: float,
) -> list[tuple[str, float]]:
    w = position.weights.scouting
    if isinstance(measure, Advance) and prices is not None and measure.cell >= 0:
        there = prices[measure.cell]
        gain = 0.0 if there >= UNREACHABLE else float(min(here, 400) - there)
        chance = 1.0 - measure.chance * (1.0 - w.unknown * measure.openly)
        return [("nearer to the foe", gain), ("chance to be noticed", -fear * chance), ("trouble", -w.trouble)]
    if isinstance(measure, Pass):
        return [("opens a way", w.opens * measure.chance)]
    if isinstance(measure, Rise):
        return [("on one's feet", w.mends)]
    if isinstance(measure, Mend):
        return [("help for a friend", w.mends * measure.chance)]
    if isinstance(measure, Light):
        chance = 1.0 - measure.chance
        return [("a light to see by", w.lights), ("chance to be noticed", -fear * chance)]
    if isinstance(measure, Ambush) and position.foes:
        return [("the moment to strike", _moment(position, outlook, here))]
    if isinstance(measure, Begin) and outlook.turn >= 2 * w.bold:
        return [("it has taken long enough", w.enough)]
    return [("of no use now", -1.0)]


def _moment(position: Position, outlook: Outlook, here: int) -> float:
    """What falling upon the foe now is worth: much from near by with friends at hand, a little from farther off."""
    w = position.weights.scouting
    if here > w.far and outlook.turn < w.bold:
        return -1.0
    if outlook.turn < w.waits:
        lagging = [
            p for p in position.friends if position.terrain.distance(p.cell, _nearest(position)) > here + w.apart
        ]
        if lagging:
            return -1.0
    return w.moment if here <= w.near else w.afar


def _nearest(position: Position) -> int:
    me, terrain = position.me, position.terrain
    assert me is not None
    return min((terrain.distance(me.cell, foe.cell), foe.cell) for foe in position.foes)[1]
