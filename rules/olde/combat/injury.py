"""Injury, stunning blows, dying, falls and recovery (olde.md §7)."""

from __future__ import annotations

from rules.contract.events import Healing, Injury, Posture, Roll
from rules.core import odds as dist
from rules.core.dice import roll
from rules.olde.challenges.checks import burden, resilience, stat_check, stat_rank
from rules.olde.conditions import (
    BLEEDING,
    DEAD,
    DYING,
    INCAPACITATED,
    PRONE,
    STUNNED,
    Flagged,
    dropped,
    end,
    hurt,
    immune,
    on_reset,
)
from rules.olde.state import Fighter, Figure, Resolution, Setup, status


def injure(
    resolution: Resolution,
    who: int,
    amount: int,
    because: str,
    *,
    by: int = -1,
    rolls: tuple[Roll, ...] = (),
    element: str = "",
) -> None:
    """Take `amount` HP off, with everything that follows: status, stunning blow, falling prone, dying."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    if figure.effects and amount > 0:
        hurt(resolution, who, because)
        figure = resolution.figures[who]
    before = figure.hp
    hp = before - amount
    figure = resolution.change(who, hp=hp, taken=figure.taken + amount)
    source = resolution.fighter(by).id if by >= 0 else None
    now = status(hp, fighter.hp_max).value
    resolution.events.append(
        Injury(target=fighter.id, amount=amount, hp=hp, status=now, because=because, by=source, rolls=rolls)
    )
    if by >= 0 and by != who:
        credit = resolution.figures[by]
        felled = credit.felled + (1 if before > 0 >= hp else 0)
        resolution.change(by, dealt=credit.dealt + amount, felled=felled)
    if hp <= 0:
        _collapse(resolution, who, before)
    elif 2 * amount > fighter.hp_max and not immune(resolution, who, STUNNED.name):
        _stunning_blow(resolution, who, amount)
    if fighter.traits is not None:
        resolution.setup.moments.hurt(resolution, who, amount, element)
        if before > 0 >= hp:
            resolution.setup.moments.dropped(resolution, who)


def _collapse(resolution: Resolution, who: int, before: int) -> None:
    """At 0 HP or below: prone, no AP, dying unless dead."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    dead = figure.hp <= -fighter.hp_max
    resolution.change(who, **dropped(figure, dead=dead))
    if dead:
        DEAD.tell(resolution, who, gained=True)
    elif before > 0:
        INCAPACITATED.tell(resolution, who, "0 HP or less", gained=True)


def _stunning_blow(resolution: Resolution, who: int, damage: int) -> None:
    """More than half of the maximum in one injury: Brawn or Nerve check against the damage."""
    fighter = resolution.fighter(who)
    result = stat_check(resolution, who, resilience(fighter), damage)
    resolution.events.append(result.event(fighter.id, "stunning blow"))
    if not result.success:
        STUNNED.strike(resolution, who, damage, "stunning blow")


def stun_of(setup: Setup, foe: Fighter, victim: Figure, damage: dict[int, float]) -> float:
    """Chance of a stunning blow that stuns: more than half of the maximum, still up, check failed."""
    total = 0.0
    if foe.traits is not None and STUNNED.name in foe.traits.immune:
        return total
    stat = resilience(foe)
    plus = sum(a.value for a in burden(setup, foe, victim, stat))
    for lost, p in damage.items():
        if 2 * lost > foe.hp_max and lost < victim.hp:
            total += p * (1.0 - dist.chance_at_least(2, stat_rank(foe, stat), lost - plus))
    return total


def recovery(resolution: Resolution, who: int, *, reset: bool = True) -> None:
    """Recovery checks against persistent conditions in the reset phase (olde.md §4 reset phase).

    Outside combat, without a reset, no check stops bleeding: only aid and magic do (olde.md §7 conditions).
    """
    if reset:
        _recover(resolution, who, BLEEDING)
    if resolution.figures[who].effects:
        _shake_off(resolution, who)
    _recover(resolution, who, STUNNED)


def _recover(resolution: Resolution, who: int, condition: Flagged) -> None:
    """The check that ends a condition, if somebody has it."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    rating = condition.recovery(figure)
    if rating:
        result = stat_check(resolution, who, resilience(fighter), rating)
        resolution.events.append(result.event(fighter.id, condition.name))
        if result.success:
            condition.end(resolution, who, "recovered")


def _shake_off(resolution: Resolution, who: int) -> None:
    """Checks against lasting effects of spells, each against its casting's total (olde.md §9 durations)."""
    fighter = resolution.fighter(who)
    for effect in resolution.figures[who].effects:
        stat = effect.lasting.recover
        if stat:
            result = stat_check(resolution, who, stat, effect.rating)
            resolution.events.append(result.event(fighter.id, effect.name))
            if result.success:
                end(resolution, who, effect, "shaken off")


def per_turn(resolution: Resolution, who: int) -> None:
    """Bleeding costs 1 HP, then each poison its harm, then dying 1 (olde.md §4 reset phase)."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    for amount, because in on_reset(figure):
        if resolution.figures[who].hp > -fighter.hp_max:
            injure(resolution, who, amount, because)
    if fighter.traits is not None:
        resolution.setup.moments.on_reset(resolution, who)


def heal(resolution: Resolution, who: int, amount: int, because: str, *, magical: bool = False) -> None:
    """Give HP back, at most to the maximum; magic also stops bleeding and dying (olde.md §7)."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    if figure.hp <= -fighter.hp_max:
        return
    hp = min(fighter.hp_max, figure.hp + amount)
    resolution.change(who, hp=hp)
    resolution.events.append(Healing(target=fighter.id, amount=hp - figure.hp, now=hp, because=because))
    if magical:
        BLEEDING.end(resolution, who, because)
    if magical or hp > 0:
        DYING.end(resolution, who, because)
    if figure.hp <= 0 < hp:
        INCAPACITATED.tell(resolution, who, because, gained=False)


def fall(resolution: Resolution, who: int, levels: int) -> None:
    """A fall: d6 per level, armor does not help, and one lies prone (olde.md §5)."""
    resolution.dice.thrower = resolution.fighter(who).id
    rolled = roll(resolution.dice, "fall", levels, 6, exploding=False)
    lie_down(resolution, who, PRONE.name, "fell")
    injure(resolution, who, rolled.total, "fall", rolls=(rolled,))


def lie_down(resolution: Resolution, who: int, posture: str, because: str = "") -> None:
    """Change posture."""
    if resolution.figures[who].posture != posture:
        resolution.change(who, posture=posture)
        resolution.events.append(Posture(by=resolution.fighter(who).id, posture=posture, because=because))
