"""Decisions of an exploration: come near unnoticed, together, and fall upon the foe from there.

Through the contract alone: the ruleset's measures name the ways with their chance to stay unnoticed, what opens a way,
and what begins the fight; this weighs them. The longer it takes, the bolder everybody grows, so that it ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai import routes
from game.controllers.ai.advisors.planning import Measure, Outlook
from game.controllers.ai.position import Position
from game.controllers.ai.thinking import Option
from rules.board.path import UNREACHABLE

NEAR = 5
"""Spaces of movement to the nearest foe from which one falls upon it."""
FAR = 12
"""The same for whoever dares not come nearer."""
APART = 8
"""Spaces that friends may lag behind and still be waited for."""
WAITS = 12
"""Minutes in which friends are waited for."""
BOLD = 40
"""Minutes after which being noticed is feared no more, and twice as many after which one calls the foe out."""
CAUGHT = 7.0
"""What being noticed costs, in spaces of way."""
UNKNOWN = 0.6
"""The chance that is reckoned with to be noticed by somebody unseen, going openly."""
OPENS = 1.5
"""What opening a way is worth, in spaces."""
MENDS = 4.0
LIGHTS = 6.0
"""What a light in the dark is worth, in spaces: about what a minute's way is, for nobody finds the foe without it."""


def weighed(position: Position, outlook: Outlook, goals: Sequence[int]) -> list[Option]:
    """What could be done with the minute, best first; ties in the ruleset's order."""
    me = position.me
    assert me is not None
    found = list(position.advisor.measures(position.state, position.decision))
    targets = [foe.cell for foe in position.foes] or list(goals)
    prices = routes.far(position.terrain, position.doors, targets, me.size) if targets else None
    here = UNREACHABLE if prices is None else prices[me.cell]
    fear = CAUGHT * max(0.0, 1.0 - outlook.turn / BOLD)
    options = [_option(measure, _reasons(position, outlook, measure, here, prices, fear)) for measure in found]
    options.append(Option(outlook.end, 0.0, (("keeping still", 0.0),), (outlook.end,), me.cell, "Wait"))
    return [options[i] for i in sorted(range(len(options)), key=lambda i: (-round(options[i].score, 9), i))]


def _option(measure: Measure, reasons: list[tuple[str, float]]) -> Option:
    action = measure.action
    label = action.do.replace("_", " ").capitalize()
    return Option(action, sum(v for _, v in reasons), tuple(reasons), (action,), measure.cell, label)


def _reasons(
    position: Position,
    outlook: Outlook,
    measure: Measure,
    here: int,
    prices: routes.Prices | None,
    fear: float,
) -> list[tuple[str, float]]:
    if measure.aim == "way" and prices is not None and measure.cell >= 0:
        there = prices[measure.cell]
        gain = 0.0 if there >= UNREACHABLE else float(min(here, 400) - there)
        chance = 1.0 - measure.chance * (1.0 - UNKNOWN * measure.risk)
        return [("nearer to the foe", gain), ("chance to be noticed", -fear * chance), ("trouble", -0.4)]
    if measure.aim == "pass":
        return [("opens a way", OPENS * measure.chance)]
    if measure.aim == "rise":
        return [("on one's feet", MENDS)]
    if measure.aim == "mend":
        return [("help for a friend", MENDS * measure.chance)]
    if measure.aim == "light":
        chance = 1.0 - measure.chance
        return [("a light to see by", LIGHTS), ("chance to be noticed", -fear * chance)]
    if measure.aim == "ambush" and position.foes:
        return [("the moment to strike", _moment(position, outlook, here))]
    if measure.aim == "begin" and outlook.turn >= 2 * BOLD:
        return [("it has taken long enough", 100.0)]
    return [("of no use now", -1.0)]


def _moment(position: Position, outlook: Outlook, here: int) -> float:
    """What falling upon the foe now is worth: much from near by with friends at hand, a little from farther off."""
    if here > FAR and outlook.turn < BOLD:
        return -1.0
    if outlook.turn < WAITS:
        lagging = [p for p in position.friends if position.terrain.distance(p.cell, _nearest(position)) > here + APART]
        if lagging:
            return -1.0
    return 20.0 if here <= NEAR else 0.5


def _nearest(position: Position) -> int:
    me, terrain = position.me, position.terrain
    assert me is not None
    return min((terrain.distance(me.cell, foe.cell), foe.cell) for foe in position.foes)[1]
