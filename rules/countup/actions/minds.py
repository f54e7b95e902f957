"""What holds a mind or a body: which orders spells and conditions still allow (countup.md §4, §5.4)."""

from __future__ import annotations

from rules.contract.actions import Action
from rules.countup.combat.reach import in_reach
from rules.countup.state import CountState, in_hand, present, weapon_of

MOVES = ("walk", "jog", "run", "sprint", "flee", "tactical_move")
HURTS = ("attack", "shoot", "cast", "hold_at_bay", "set")
AWAY = (*MOVES, "stand", "open", "hold", "turn")


def ban(state: CountState, who: int, do: str) -> str | None:
    """Why a creature may not order something of this kind at all, or None."""
    figure = state.figures[who]
    if figure.under("bound") and do not in ("turn", "hold"):
        return "bound"
    if figure.under("panicked") and do not in AWAY:
        return "panicked: it can only run"
    if figure.under("enraged") and do == "hold" and _can_strike(state, who):
        return "enraged: a foe is in reach"
    if figure.under("enraged") and do not in (
        *MOVES[:4],
        "attack",
        "stand",
        "ready",
        "knock_aside",
        "hold",
        "open",
    ):
        return "enraged: it can only attack"
    return None


def _can_strike(state: CountState, who: int) -> bool:
    weapon = weapon_of(state.setup, who, in_hand(state.setup, who, state.figures[who]))
    near = nearest(state, who)
    return near is not None and not weapon.ranged and in_reach(state, who, near, weapon)


def forbids(state: CountState, who: int, action: Action) -> str | None:
    """Why an order goes against what holds the creature's mind, or None."""
    reason = ban(state, who, action.do)
    if reason is not None:
        return reason
    figure, setup = state.figures[who], state.setup
    target = setup.index.get(action.target or "")
    if figure.under("charmed") and action.do in HURTS and target is not None:
        if any(setup.beings[target].side == side for side in charmers(state, who)):
            return f"charmed: {setup.beings[target].name} is a friend"
    if action.path and action.do in MOVES:
        if figure.under("panicked") and not _flees(state, who, action.path[-1]):
            return "panicked: away from the foes only"
        if figure.under("enraged") and not _nears(state, who, action.path[-1]):
            return "enraged: towards the nearest only"
    if figure.under("enraged") and action.do == "attack" and target is not None:
        near = nearest(state, who)
        if near is not None and _gap(state, who, target) > _gap(state, who, near):
            return f"enraged: {setup.beings[near].name} is nearer"
    return None


def open_ground(state: CountState, who: int, cells: int) -> int:
    """Of some spaces those to which what holds a creature's mind lets it order itself (countup.md §5.4): `forbids`,
    for many spaces at once."""
    figure = state.figures[who]
    if figure.under("panicked"):
        foes = _foes(state, who)
        near = min((_gap(state, who, other) for other in foes), default=0)
        for other in foes:
            cells &= ~_within(state, who, other, near)
    if figure.under("enraged") and (foe := nearest(state, who)) is not None:
        cells &= _within(state, who, foe, _gap(state, who, foe))
    return cells


def _within(state: CountState, who: int, other: int, spaces: int) -> int:
    """Where a creature stands so near to another."""
    beings, terrain = state.setup.beings, state.terrain
    there = terrain.within(state.figures[other].cell, spaces, beings[other].space)
    return terrain.touching(there, beings[who].space)


def charmers(state: CountState, who: int) -> tuple[str, ...]:
    """The sides that somebody charmed takes for friends: all but its own."""
    return tuple(side for side in state.setup.sides if side != state.setup.beings[who].side)


def nearest(state: CountState, who: int) -> int | None:
    """The nearest enemy, of several the first of the record."""
    foes = _foes(state, who)
    return min(foes, key=lambda other: (_gap(state, who, other), other)) if foes else None


def _foes(state: CountState, who: int) -> list[int]:
    beings = state.setup.beings
    return [i for i, f in enumerate(state.figures) if beings[i].side != beings[who].side and present(f)]


def _gap(state: CountState, who: int, other: int, start: int | None = None) -> int:
    beings, figures = state.setup.beings, state.figures
    cell = figures[who].cell if start is None else start
    return state.terrain.distance(cell, figures[other].cell, beings[who].space, beings[other].space)


def _flees(state: CountState, who: int, goal: int) -> bool:
    """Whether the nearest enemy is farther off from there than now."""
    foes = _foes(state, who)
    now = min((_gap(state, who, other) for other in foes), default=0)
    return not foes or min(_gap(state, who, other, goal) for other in foes) > now


def _nears(state: CountState, who: int, goal: int) -> bool:
    near = nearest(state, who)
    return near is None or _gap(state, who, near, goal) <= _gap(state, who, near)
