"""Which weapon serves best in the seconds to come: drawing, loading, the count and who will be there by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.contract.planning import Measure
from rules.countup.actions.context import Look
from rules.countup.actions.declaring import drawn_in
from rules.countup.actions.movement import pace
from rules.countup.actions.orders import INTENTS
from rules.countup.combat.chances import blow_figures
from rules.countup.combat.melee import speed_of
from rules.countup.combat.missiles import cycle, leaves_in
from rules.countup.combat.missiles import reason as shot_reason
from rules.countup.gear import Weapon
from rules.countup.state import SPACE, Blow, able, in_hand, present, sizes_of, weapon_of

HORIZON = 20
"""Seconds that are looked ahead."""
NEVER = 999
BETTER, GAIN = 1.3, 2.0
"""By how much, and by how many hit points besides, another weapon must do better to be taken in hand."""
TAKEN = 0.5
"""What a hit point that one loses counts beside one that one takes."""
BLOWS = 3
"""So many blows a planner reckons a better weapon to serve for."""


def arms(look: Look) -> Iterator[Measure]:
    """Another weapon, of the other kind: a blade for a bow, a bow for a blade, where it pays to change."""
    held = weapon_of(look.setup, look.who, look.weapon)
    others = [name for name in look.being.weapons if look.setup.armoury.weapons[name].ranged != held.ranged]
    if not others or INTENTS["ready"].hindrance(look) is not None:
        return
    comes = {other: _comes(look, other) for other in look.others() if _foe(look, other)}
    met = min(comes.values(), default=NEVER)
    if held.ranged and _shots(look, held, None, met):
        return  # there is time for a shot: the blade can wait
    now = _worth(look, held, None, comes)
    for name in dict.fromkeys(others):
        weapon = look.setup.armoury.weapons[name]
        then = _worth(look, weapon, drawn_in(look.setup, look.who, look.figure, name), comes)
        if then > BETTER * max(0.0, now) + GAIN and then > now + GAIN:
            for action in INTENTS["ready"].instances(look):
                if action.weapon == name:
                    yield Measure(action, 1, "arm", 1.0, (then - now) / BLOWS, anywhere=not weapon.ranged)


def _worth(look: Look, weapon: Weapon, drawn: int | None, comes: Mapping[int, int]) -> float:
    """Hit points that a weapon takes within the horizon, less what is lost in the melee meanwhile.

    `drawn`: seconds until it is in hand; None for what is in hand already. `comes`: when each foe will be there.
    """
    met = min(comes.values(), default=NEVER)
    if weapon.ranged:
        return _shots(look, weapon, drawn, met) - TAKEN * _lost(look, met, comes)
    near = min((_spaces(look, other) for other in comes), default=NEVER)
    goes = 0 if look.engaged() else _seconds(near - weapon.squares, pace(look.being, "jog"))
    start = min(met, goes)
    return _blows(look, weapon, drawn, start, near) - TAKEN * _lost(look, start, comes)


def _foe(look: Look, other: int) -> bool:
    figure = look.state.figures[other]
    return look.setup.beings[other].side != look.being.side and figure.helpless <= look.state.second


def _spaces(look: Look, other: int) -> int:
    there = look.state.figures[other].cell
    return look.terrain.distance(look.figure.cell, there, *sizes_of(look.setup, look.who, other))


def _seconds(spaces: int, rate: int) -> int:
    """How long so many spaces take at a pace."""
    if spaces <= 0:
        return 0
    return -(-spaces * SPACE // rate) if rate else NEVER


def _comes(look: Look, other: int) -> int:
    """Seconds until a foe is there; never for who shoots, or is held up by one's friends."""
    state, figure = look.state, look.state.figures[other]
    if look.who in figure.contacts:
        return 0
    if any(present(state.figures[friend]) for friend in figure.contacts) or not able(figure, state.second):
        return NEVER
    if _screened(look, other):
        return NEVER
    weapon = weapon_of(look.setup, other, in_hand(look.setup, other, figure))
    if weapon.ranged:
        return NEVER
    being = look.setup.beings[other]
    return _seconds(_spaces(look, other) - weapon.squares, max(pace(being, "jog"), pace(being, "run")))


def _screened(look: Look, other: int) -> bool:
    """Whether a friend is nearer to a foe than oneself: it meets him first."""
    state, there = look.state, look.state.figures[other].cell
    apart = _spaces(look, other)
    return any(
        look.setup.beings[friend].side == look.being.side
        and able(state.figures[friend], state.second)
        and look.terrain.distance(state.figures[friend].cell, there, *sizes_of(look.setup, friend, other))
        < apart
        for friend in look.others()
    )


def _shots(look: Look, weapon: Weapon, drawn: int | None, met: int) -> float:
    """Mean hit points by shots, at who may best be shot at from here, until a foe is there."""
    second, figure = look.state.second, look.figure
    if drawn is None and figure.loading[0] == weapon.name:
        first = max(0, figure.loading[1] - second)
    else:
        wait = drawn if drawn is not None else max(0, figure.due - second)
        first = wait + leaves_in(figure, weapon, False, second)
    end = min(HORIZON, met)
    if first > end:
        return 0.0
    many = 1 + (end - first) // max(1, sum(cycle(weapon, False)))
    if weapon.thrown:
        many = 1
    means = [
        blow_figures(look.state, Blow(look.who, other, weapon.name, "shot"), weapon)[1]
        for other in look.others()
        if _foe(look, other) and shot_reason(look.state, look.who, other, weapon) is None
    ]
    return many * max(means, default=0.0)


def _blows(look: Look, weapon: Weapon, drawn: int | None, start: int, near: int) -> float:
    """Mean hit points by blows at the nearest foe, from the second on in which it is there."""
    state, who = look.state, look.who
    targets = [other for other in look.others() if _foe(look, other) and _spaces(look, other) == near]
    if not targets:
        return 0.0
    speed = speed_of(state, who, weapon, "attack")
    if drawn is None:
        first = max(start, look.figure.due - state.second)
    else:
        first = max(start, drawn + (speed if look.engaged() else 0))
    if first > HORIZON:
        return 0.0
    many = 1 + (HORIZON - first) // max(1, speed)
    return many * blow_figures(state, Blow(who, targets[0], weapon.name), weapon)[1]


def _lost(look: Look, start: int, comes: Mapping[int, int]) -> float:
    """Mean hit points that the nearest foes take in a melee from some second on."""
    if start >= HORIZON:
        return 0.0
    state, total = look.state, 0.0
    for other, there in comes.items():
        if there > start:
            continue
        name = in_hand(look.setup, other, state.figures[other])
        weapon = weapon_of(look.setup, other, name)
        rate = (HORIZON - start) / max(1, speed_of(state, other, weapon, "attack"))
        total += 0.0 if weapon.ranged else rate * blow_figures(state, Blow(other, look.who, name), weapon)[1]
    return min(total, float(look.figure.hp))
