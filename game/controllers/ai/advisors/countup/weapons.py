"""Which weapon serves best in the seconds to come: drawing, loading, the count and who will be there by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from game.controllers.ai.advisors.planning import Arm, Measure
from game.controllers.ai.weights import CountupWeaponsWeights, load_weights
from rules.countup.actions.context import Context
from rules.countup.actions.objects import drawn_in
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.combat.attack import cycle, leaves_in, speed_of, why_no_shot
from rules.countup.combat.chances import attack_figures
from rules.countup.gear import Weapon
from rules.countup.manners import SHOT
from rules.countup.state import SPACE, PreparedAttack, able, in_hand, pace, present, sizes_of, weapon_of


def weights() -> CountupWeaponsWeights:
    """The numbers of taste that count here."""
    return load_weights().countup.weapons


NEVER = 999


def arms(context: Context) -> Iterator[Measure]:
    """Another weapon, of the other kind: a blade for a bow, a bow for a blade, where it pays to change."""
    w = weights()
    held = weapon_of(context.setup, context.who, context.weapon)
    others = [name for name in context.being.weapons if context.setup.armoury.weapons[name].ranged != held.ranged]
    if not others or ACTION_KINDS["ready"].why_not(context) is not None:
        return
    comes = {other: _comes(context, other) for other in context.others() if _foe(context, other)}
    met = min(comes.values(), default=NEVER)
    if held.ranged and _shots(context, held, None, met):
        return  # there is time for a shot: the blade can wait
    now = _balance(context, held, None, comes)
    for name in dict.fromkeys(others):
        weapon = context.setup.armoury.weapons[name]
        then = _balance(context, weapon, drawn_in(context.setup, context.who, context.figure, name), comes)
        if then > w.better * max(0.0, now) + w.gain and then > now + w.gain:
            for action in ACTION_KINDS["ready"].instances(context):
                if action.weapon == name:
                    yield Arm(action, 1, anywhere=not weapon.ranged, value=(then - now) / w.blows)


def _balance(context: Context, weapon: Weapon, drawn: int | None, comes: Mapping[int, int]) -> float:
    """Hit points that a weapon takes within the horizon, less what is lost in the melee meanwhile.

    `drawn`: seconds until it is in hand; None for what is in hand already. `comes`: when each foe will be there.
    """
    w = weights()
    met = min(comes.values(), default=NEVER)
    if weapon.ranged:
        return _shots(context, weapon, drawn, met) - w.taken * _lost(context, met, comes)
    near = min((_spaces(context, other) for other in comes), default=NEVER)
    goes = 0 if context.engaged() else _seconds(near - weapon.squares, pace(context.being, "jog"))
    start = min(met, goes)
    return _blows(context, weapon, drawn, start, near) - w.taken * _lost(context, start, comes)


def _foe(context: Context, other: int) -> bool:
    figure = context.state.figures[other]
    return context.setup.beings[other].side != context.being.side and figure.helpless <= context.state.second


def _spaces(context: Context, other: int) -> int:
    there = context.state.figures[other].cell
    return context.terrain.distance(context.figure.cell, there, *sizes_of(context.setup, context.who, other))


def _seconds(spaces: int, rate: int) -> int:
    """How long so many spaces take at a pace."""
    if spaces <= 0:
        return 0
    return -(-spaces * SPACE // rate) if rate else NEVER


def _comes(context: Context, other: int) -> int:
    """Seconds until a foe is there; never for who shoots, or is held up by one's friends."""
    state, figure = context.state, context.state.figures[other]
    if context.who in figure.contacts:
        return 0
    if any(present(state.figures[friend]) for friend in figure.contacts) or not able(figure, state.second):
        return NEVER
    if _screened(context, other):
        return NEVER
    weapon = weapon_of(context.setup, other, in_hand(context.setup, other, figure))
    if weapon.ranged:
        return NEVER
    being = context.setup.beings[other]
    return _seconds(_spaces(context, other) - weapon.squares, max(pace(being, "jog"), pace(being, "run")))


def _screened(context: Context, other: int) -> bool:
    """Whether a friend is nearer to a foe than oneself: it meets him first."""
    state, there = context.state, context.state.figures[other].cell
    apart = _spaces(context, other)
    return any(
        context.setup.beings[friend].side == context.being.side
        and able(state.figures[friend], state.second)
        and context.terrain.distance(state.figures[friend].cell, there, *sizes_of(context.setup, friend, other)) < apart
        for friend in context.others()
    )


def _shots(context: Context, weapon: Weapon, drawn: int | None, met: int) -> float:
    """Mean hit points by shots, at who may best be shot at from here, until a foe is there."""
    second, figure = context.state.second, context.figure
    if drawn is None and figure.loading[0] == weapon.name:
        first = max(0, figure.loading[1] - second)
    else:
        wait = drawn if drawn is not None else max(0, figure.due - second)
        first = wait + leaves_in(figure, weapon, False, second)
    end = min(weights().horizon, met)
    if first > end:
        return 0.0
    many = 1 + (end - first) // max(1, sum(cycle(weapon, False)))
    if weapon.thrown:
        many = 1
    means = [
        attack_figures(context.state, PreparedAttack(context.who, other, weapon.name, SHOT), weapon)[1]
        for other in context.others()
        if _foe(context, other) and why_no_shot(context.state, context.who, other, weapon) is None
    ]
    return many * max(means, default=0.0)


def _blows(context: Context, weapon: Weapon, drawn: int | None, start: int, near: int) -> float:
    """Mean hit points by blows at the nearest foe, from the second on in which it is there."""
    w = weights()
    state, who = context.state, context.who
    targets = [other for other in context.others() if _foe(context, other) and _spaces(context, other) == near]
    if not targets:
        return 0.0
    speed = speed_of(state, who, weapon)
    if drawn is None:
        first = max(start, context.figure.due - state.second)
    else:
        first = max(start, drawn + (speed if context.engaged() else 0))
    if first > w.horizon:
        return 0.0
    many = 1 + (w.horizon - first) // max(1, speed)
    return many * attack_figures(state, PreparedAttack(who, targets[0], weapon.name), weapon)[1]


def _lost(context: Context, start: int, comes: Mapping[int, int]) -> float:
    """Mean hit points that the nearest foes take in a melee from some second on."""
    w = weights()
    if start >= w.horizon:
        return 0.0
    state, total = context.state, 0.0
    for other, there in comes.items():
        if there > start:
            continue
        name = in_hand(context.setup, other, state.figures[other])
        weapon = weapon_of(context.setup, other, name)
        rate = (w.horizon - start) / max(1, speed_of(state, other, weapon))
        total += (
            0.0 if weapon.ranged else rate * attack_figures(state, PreparedAttack(other, context.who, name), weapon)[1]
        )
    return min(total, float(context.figure.hp))
