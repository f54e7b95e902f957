"""Injury, stunning blows, dying, falls and recovery (olde.md §7)."""

from __future__ import annotations

from rules.contract.events import Condition, Healing, Injury, Points, Posture, Roll
from rules.core.dice import roll
from rules.olde.challenges.checks import resilience, stat_check
from rules.olde.effects.working import end, has, wake
from rules.olde.state import Resolution, status


def injure(
    resolution: Resolution,
    who: int,
    amount: int,
    because: str,
    by: int = -1,
    rolls: tuple[Roll, ...] = (),
    element: str = "",
) -> None:
    """Take `amount` HP off, with everything that follows: status, stunning blow, falling prone, dying."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    if figure.effects and amount > 0:
        wake(resolution, who, because)
        figure = resolution.figures[who]
    before = figure.hp
    hp = before - amount
    figure = resolution.change(who, hp=hp, taken=figure.taken + amount)
    source = resolution.fighter(by).id if by >= 0 else None
    now = status(hp, fighter.hp_max)
    resolution.events.append(
        Injury(target=fighter.id, amount=amount, hp=hp, status=now, because=because, by=source, rolls=rolls)
    )
    if by >= 0 and by != who:
        credit = resolution.figures[by]
        felled = credit.felled + (1 if before > 0 >= hp else 0)
        resolution.change(by, dealt=credit.dealt + amount, felled=felled)
    if hp <= 0:
        _collapse(resolution, who, before)
    elif 2 * amount > fighter.hp_max and not (fighter.traits and "stunned" in fighter.traits.immune):
        _stunning_blow(resolution, who, amount)
    if fighter.traits is not None:
        resolution.setup.moments.hurt(resolution, who, amount, element)
        if before > 0 >= hp:
            resolution.setup.moments.dropped(resolution, who)


def _collapse(resolution: Resolution, who: int, before: int) -> None:
    """At 0 HP or below: prone, no AP, dying unless dead."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    dead = figure.hp <= -fighter.hp_max
    stunned = 0 if dead else figure.stunned
    bleeding = figure.bleeding and not dead
    resolution.change(who, ap=0, free=0, posture="prone", dying=not dead, stunned=stunned, bleeding=bleeding)
    if dead:
        resolution.events.append(Condition(target=fighter.id, condition="dead", gained=True))
    elif before > 0:
        resolution.events.append(
            Condition(target=fighter.id, condition="incapacitated", gained=True, because="0 HP or less")
        )


def _stunning_blow(resolution: Resolution, who: int, damage: int) -> None:
    """More than half of the maximum in one injury: Brawn or Nerve check against the damage."""
    fighter = resolution.fighter(who)
    result = stat_check(
        resolution.dice, resolution.setup, fighter, resolution.figures[who], resilience(fighter), damage
    )
    resolution.events.append(result.event(fighter.id, "stunning blow"))
    if not result.success:
        resolution.change(who, stunned=max(damage, resolution.figures[who].stunned), ap=0, free=0)
        resolution.events.append(
            Condition(target=fighter.id, condition="stunned", gained=True, because="stunning blow")
        )
        resolution.events.append(Points(by=fighter.id, now=0, because="stunned"))


def recovery(resolution: Resolution, who: int, *, reset: bool = True) -> None:
    """Recovery checks against persistent conditions in the reset phase (olde.md §4 reset phase).

    Outside combat, without a reset, no check stops bleeding: only aid and magic do (olde.md §7 conditions).
    """
    fighter = resolution.fighter(who)
    stat = resilience(fighter)
    if reset and resolution.figures[who].bleeding:
        result = stat_check(resolution.dice, resolution.setup, fighter, resolution.figures[who], stat, 9)
        resolution.events.append(result.event(fighter.id, "bleeding"))
        if result.success:
            stop_bleeding(resolution, who, "recovered")
    rating = resolution.figures[who].stunned
    if resolution.figures[who].effects:
        _shake_off(resolution, who)
        rating = resolution.figures[who].stunned if not has(resolution.figures[who], "asleep") else 0
    if rating:
        result = stat_check(resolution.dice, resolution.setup, fighter, resolution.figures[who], stat, rating)
        resolution.events.append(result.event(fighter.id, "stunned"))
        if result.success:
            resolution.change(who, stunned=0)
            resolution.events.append(
                Condition(target=fighter.id, condition="stunned", gained=False, because="recovered")
            )


def _shake_off(resolution: Resolution, who: int) -> None:
    """Checks against lasting effects of spells, each against its casting's total (olde.md §9 durations)."""
    fighter = resolution.fighter(who)
    for effect in resolution.figures[who].effects:
        stat = effect.lasting.recover
        if stat:
            result = stat_check(
                resolution.dice, resolution.setup, fighter, resolution.figures[who], stat, effect.rating
            )
            resolution.events.append(result.event(fighter.id, effect.name))
            if result.success:
                end(resolution, who, effect, "shaken off")


def stop_bleeding(resolution: Resolution, who: int, because: str) -> None:
    """End bleeding, if any."""
    if resolution.figures[who].bleeding:
        resolution.change(who, bleeding=False)
        resolution.events.append(
            Condition(target=resolution.fighter(who).id, condition="bleeding", gained=False, because=because)
        )


def stabilise(resolution: Resolution, who: int, because: str) -> None:
    """End dying, if any; the patient stays incapacitated until 1 HP."""
    if resolution.figures[who].dying:
        resolution.change(who, dying=False)
        resolution.events.append(
            Condition(target=resolution.fighter(who).id, condition="dying", gained=False, because=because)
        )


def per_turn(resolution: Resolution, who: int) -> None:
    """Bleeding costs 1 HP, then each poison its harm, then dying 1 (olde.md §4 reset phase)."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    losses = [(1, "bleeding")] if figure.bleeding else []
    losses += [(effect.lasting.harm, effect.name) for effect in figure.effects if effect.lasting.harm]
    if figure.dying:
        losses.append((1, "dying"))
    for amount, because in losses:
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
        stop_bleeding(resolution, who, because)
    if magical or hp > 0:
        stabilise(resolution, who, because)
    if figure.hp <= 0 < hp:
        resolution.events.append(Condition(target=fighter.id, condition="incapacitated", gained=False, because=because))


def fall(resolution: Resolution, who: int, levels: int) -> None:
    """A fall: d6 per level, armor does not help, and one lies prone (olde.md §5)."""
    resolution.dice.thrower = resolution.fighter(who).id
    rolled = roll(resolution.dice, "fall", levels, 6, exploding=False)
    lie_down(resolution, who, "prone", "fell")
    injure(resolution, who, rolled.total, "fall", rolls=(rolled,))


def lie_down(resolution: Resolution, who: int, posture: str, because: str = "") -> None:
    """Change posture."""
    if resolution.figures[who].posture != posture:
        resolution.change(who, posture=posture)
        resolution.events.append(Posture(by=resolution.fighter(who).id, posture=posture, because=because))
