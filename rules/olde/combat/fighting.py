"""What somebody fights with: weapons that may be used now, in which mode, on whom; the attack that an action is."""

from __future__ import annotations

from typing import NamedTuple

from rules.board.sight import Grade
from rules.contract.actions import Action, Adjustment
from rules.olde.actions.context import Context
from rules.olde.builds import builds_of
from rules.olde.challenges.checks import skill_adjustment, stat_rank
from rules.olde.combat.advantage import on_attack
from rules.olde.combat.attack import Blow, in_reach, prepare
from rules.olde.combat.grip import grip_short
from rules.olde.conditions import feared
from rules.olde.gear import Mode, Weapon
from rules.olde.state import Pending, Resolution, Striking

_TRAINED_ONLY = "Sling"


def wielded(context: Context) -> tuple[str, ...]:
    """Weapons that may be used now: in hand first, then natural ones, bare hands last. Remembered."""
    memo, key = context.setup.memo, ("wielded", context.who, context.figure.hands)
    found: tuple[str, ...] | None = memo.get(key)
    if found is None:
        found = memo[key] = tuple(_wielded(context))
    return found


def _wielded(context: Context) -> list[str]:
    armoury = context.setup.armoury
    out = [item for item in dict.fromkeys(context.figure.hands) if item in armoury.weapons]
    out += [name for name in context.fighter.weapons if armoury.weapons[name].natural and name not in out]
    if "unarmed" not in out:
        out.append("unarmed")
    return out


def mode_for(context: Context, weapon: Weapon, action: str, distance: int) -> tuple[int, str | None]:
    """(number of the mode used at this distance, why none fits).

    Melee goes before throwing; of two skills that one counts which promises more (R)."""
    best, reason = -1, "out of reach"
    for i, mode in enumerate(weapon.modes):
        if action == "all_out_attack" and mode.ranged:
            reason = "All-Out Attack is for melee"
        elif action == "aimed_shot" and not mode.ranged:
            reason = "Aimed Shot is for ranged weapons"
        elif not in_reach(mode, distance):
            if best < 0:
                reason = _too_far(weapon, distance)
        elif context.figure.ammunition == 0 and weapon.shoots(mode):
            reason = f"nothing left to shoot with the {weapon.name}"
        elif mode.hands == 2 and len(context.figure.hands) > 1:
            reason = f"{weapon.name} needs both hands"
        elif best < 0 or _prefer(context, weapon, i, best):
            best = i
    return best, None if best >= 0 else reason


def _too_far(weapon: Weapon, distance: int) -> str:
    spans = " or ".join(dict.fromkeys(f"{m.near} to {m.far}" if m.near != m.far else str(m.far) for m in weapon.modes))
    return f"{distance} spaces away; {weapon.name} reaches {spans}"


def _prefer(context: Context, weapon: Weapon, mode: int, best: int) -> bool:
    one, other = weapon.modes[mode], weapon.modes[best]
    if one.ranged != other.ranged:
        return other.ranged
    return _promise(context, weapon, one) > _promise(context, weapon, other)


def _promise(context: Context, weapon: Weapon, mode: Mode) -> tuple[int, int]:
    """How well a mode strikes: two dice of a rank bring about as much, with what is added; then the skill counts."""
    fighter = context.fighter
    rank = fighter.finesse_rank if mode.finesse else stat_rank(fighter, "brawn") - fighter.armor_short
    skill = skill_adjustment(fighter, mode.skill)
    return rank + skill - grip_short(fighter, context.figure, weapon, mode), skill


class Usable(NamedTuple):
    """What somebody strikes with in one kind of attack."""

    far: int
    """The least distance, in spaces, that is too far for all of it."""
    weapons: tuple[tuple[str, bytes], ...]
    """Each weapon with a 1 at every distance at which it can be used."""


_usable: dict[tuple[int, str, tuple[str, ...], bool], Usable] = {}
_KEPT = 1 << 14


def usable(context: Context, action: str) -> Usable:
    """The weapons that may be used now for an attack action: what `mode_for` says, and that some weapons are no use
    to the untrained. Remembered."""
    key = (
        builds_of(context.setup)[context.who],
        action,
        context.figure.hands,
        context.figure.ammunition == 0,
    )
    found = _usable.get(key)
    if found is None:
        if len(_usable) >= _KEPT:
            _usable.clear()
        weapons = tuple(
            (name, distances)
            for name in wielded(context)
            if any(distances := _distances(context, context.setup.armoury.weapons[name], action))
        )
        far = max((len(distances) for _, distances in weapons), default=0)
        found = _usable[key] = Usable(far, weapons)
    return found


def _distances(context: Context, weapon: Weapon, action: str) -> bytes:
    out = bytearray()
    for distance in range(max(mode.far for mode in weapon.modes) + 1):
        at, _ = mode_for(context, weapon, action, distance)
        out.append(at >= 0 and _trained(context, weapon, at))
    return bytes(out)


def _trained(context: Context, weapon: Weapon, mode: int) -> bool:
    skill = weapon.modes[mode].skill
    return skill != _TRAINED_ONLY or skill in context.fighter.skills


def why_not_attack(context: Context, do: str, target: int, weapon: Weapon) -> str | None:
    """Why this weapon can't be used on this target now, for an attack action, or None."""
    foe = context.setup.fighters[target]
    if target == context.who:
        return "target: nobody attacks oneself"
    if foe.side == context.fighter.side:
        return f"target: {foe.name} is on the same side"
    if context.dead(target):
        return f"target: {foe.name} is dead"
    if context.figure.effects and target in feared(context.figure):
        return f"target: frightened of {foe.name}"
    at, reason = mode_for(context, weapon, do, context.distance(target))
    if reason:
        return f"target: {reason}"
    if not _trained(context, weapon, at):
        return f"weapon: nobody uses a {weapon.name} untrained"
    if weapon.name in context.figure.unset:
        return f"weapon: the {weapon.name} must be reset first"
    if context.sight(target) is Grade.NONE:
        return f"target: no line of sight to {foe.name}"
    return None


def blow_of(context: Context, action: Action) -> Blow:
    """The attack that a legal action stands for."""
    target = context.setup.index[action.target or ""]
    weapon = context.setup.armoury.weapons[action.weapon or wielded(context)[0]]
    distance = context.distance(target)
    mode, _ = mode_for(context, weapon, action.do, distance)
    goal = context.state.figures[target].cell
    favour, lines = on_attack(context.state, context.who, context.figure.cell, target, goal)
    blow = prepare(
        context.setup,
        context.state.figures,
        context.who,
        target,
        weapon,
        mode,
        action.do,
        distance,
        context.sight(target),
        lines if context.fighter.traits is None else lines + _edge(context, target, weapon.modes[mode].ranged),
    )
    return blow._replace(advantage=favour) if favour else blow


def declare(resolution: Resolution, blow: Blow) -> None:
    """Leave the attack open for answers to it; the turn goes on with it (reactions.py)."""
    attack = Pending(blow.attacker, blow.target, blow.weapon.name, blow.action, ranged=blow.mode.ranged)
    resolution.pending = (*resolution.pending, attack)


def _edge(context: Context, target: int, ranged: bool) -> tuple[Adjustment, ...]:
    state = context.state
    at = Striking(context.setup, state.figures, state.terrain, context.who, target, covered(context), ranged)
    return context.setup.moments.modify_attack(at)


def covered(context: Context) -> int:
    """Spaces between where a creature stands and where its chance began."""
    start = context.chance.start
    return context.state.terrain.distance(start, context.figure.cell) if start >= 0 else 0
