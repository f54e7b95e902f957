"""Light, and what the want of it costs (§3): bright, dim, dark; only by the option of darkness."""

from __future__ import annotations

from tests.twins.countup.fight import Fight
from tests.twins.countup.ground import Spot, apart, block
from tests.twins.countup.people import Person

LAMPS = {"": (0, 0), "candle": (3, 6 * 3600), "lantern": (3, 9 * 3600), "torch": (6, 1800)}
"""(spaces of bright light, as many again are dim; seconds that it burns)."""
COSTS = {"bright": (0, 0), "dim": (-4, -2), "dark": (-8, -4)}
"""(to the attack by the light on the target, to the defence by the light on the attacker)."""
NIGHT = 24


def lights(f: Fight) -> list[tuple[Spot, int, int, int]]:
    """(place, spaces across, bright, dim) of all that burns: the map's, and what is carried, also by the fallen."""
    found = [(spot, 1, bright, max(bright, dim)) for spot, bright, dim in f.ground.lights]
    for p in f.people:
        bright = p.block.get("light") or LAMPS[p.block.get("lamp", "")][0]
        if bright and not p.unlit:
            found.append((p.at, p.space, bright, 2 * bright))
    return found


def level(f: Fight, spot: Spot) -> str:
    """How light it is on a space: what spells have made of it, else by lamps, else as it is everywhere."""
    if spot in f.zone("dark"):
        return "dark"
    if spot in f.zone("light") or f.ground.ambient == "bright":
        return "bright"
    best = f.ground.ambient
    for at, space, bright, dim in lights(f):
        far = apart(at, space, spot, 1)
        if far and (far > dim or not f.ground.sight(at, space, spot, 1)):
            continue
        if far <= bright:
            return "bright"
        best = "dim"
    return best


def looks(f: Fight, p: Person, q: Person) -> tuple[int, int]:
    """What it costs somebody to look at somebody: of several spaces the lightest counts."""
    if not f.options.get("darkness"):
        return 0, 0
    return max(at_space(f, p, spot) for spot in block(q.at, q.space))


def at_space(f: Fight, p: Person, spot: Spot) -> tuple[int, int]:
    light = level(f, spot)
    if p.block.get("dark_sight") or (light == "dim" and p.block.get("low_light")):
        return 0, 0
    if light == "dark" and p.block.get("low_light") and spot not in f.zone("dark"):
        if any(apart(at, space, spot, 1) <= NIGHT for at, space, _, _ in lights(f)):
            return COSTS["dim"]
    return COSTS[light]
