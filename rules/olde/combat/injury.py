"""Injury, stunning blows, dying, falls and recovery (olde.md §7)."""

from __future__ import annotations

from rules.contract.events import Condition, Healing, Injury, Points, Posture, Roll
from rules.core.dice import roll
from rules.olde.challenges.checks import resilience, stat_check
from rules.olde.effects.working import end, has, wake
from rules.olde.state import Work, status


def injure(
    work: Work,
    who: int,
    amount: int,
    because: str,
    by: int = -1,
    rolls: tuple[Roll, ...] = (),
    element: str = "",
) -> None:
    """Take `amount` HP off, with everything that follows: status, stunning blow, falling prone, dying."""
    figure, fighter = work.figures[who], work.fighter(who)
    if figure.effects and amount > 0:
        wake(work, who, because)
        figure = work.figures[who]
    before = figure.hp
    hp = before - amount
    figure = work.change(who, hp=hp, taken=figure.taken + amount)
    source = work.fighter(by).id if by >= 0 else None
    now = status(hp, fighter.hp_max)
    work.events.append(
        Injury(target=fighter.id, amount=amount, hp=hp, status=now, because=because, by=source, rolls=rolls)
    )
    if by >= 0 and by != who:
        credit = work.figures[by]
        felled = credit.felled + (1 if before > 0 >= hp else 0)
        work.change(by, dealt=credit.dealt + amount, felled=felled)
    if hp <= 0:
        _collapse(work, who, before)
    elif 2 * amount > fighter.hp_max and not (fighter.traits and "stunned" in fighter.traits.immune):
        _stunning_blow(work, who, amount)
    if fighter.traits is not None:
        work.setup.moments.hurt(work, who, amount, element)
        if before > 0 >= hp:
            work.setup.moments.dropped(work, who)


def _collapse(work: Work, who: int, before: int) -> None:
    """At 0 HP or below: prone, no AP, dying unless dead."""
    figure, fighter = work.figures[who], work.fighter(who)
    dead = figure.hp <= -fighter.hp_max
    stunned = 0 if dead else figure.stunned
    bleeding = figure.bleeding and not dead
    work.change(who, ap=0, free=0, posture="prone", dying=not dead, stunned=stunned, bleeding=bleeding)
    if dead:
        work.events.append(Condition(target=fighter.id, condition="dead", gained=True))
    elif before > 0:
        work.events.append(
            Condition(target=fighter.id, condition="incapacitated", gained=True, because="0 HP or less")
        )


def _stunning_blow(work: Work, who: int, damage: int) -> None:
    """More than half of the maximum in one injury: Brawn or Nerve check against the damage."""
    fighter = work.fighter(who)
    result = stat_check(work.dice, work.setup, fighter, work.figures[who], resilience(fighter), damage)
    work.events.append(result.event(fighter.id, "stunning blow"))
    if not result.success:
        work.change(who, stunned=max(damage, work.figures[who].stunned), ap=0, free=0)
        work.events.append(
            Condition(target=fighter.id, condition="stunned", gained=True, because="stunning blow")
        )
        work.events.append(Points(by=fighter.id, now=0, because="stunned"))


def recovery(work: Work, who: int, *, reset: bool = True) -> None:
    """Recovery checks against persistent conditions in the reset phase (olde.md §4 reset phase).

    Outside combat, without a reset, no check stops bleeding: only aid and magic do (olde.md §7 conditions).
    """
    fighter = work.fighter(who)
    stat = resilience(fighter)
    if reset and work.figures[who].bleeding:
        result = stat_check(work.dice, work.setup, fighter, work.figures[who], stat, 9)
        work.events.append(result.event(fighter.id, "bleeding"))
        if result.success:
            stop_bleeding(work, who, "recovered")
    rating = work.figures[who].stunned
    if work.figures[who].effects:
        _shake_off(work, who)
        rating = work.figures[who].stunned if not has(work.figures[who], "asleep") else 0
    if rating:
        result = stat_check(work.dice, work.setup, fighter, work.figures[who], stat, rating)
        work.events.append(result.event(fighter.id, "stunned"))
        if result.success:
            work.change(who, stunned=0)
            work.events.append(
                Condition(target=fighter.id, condition="stunned", gained=False, because="recovered")
            )


def _shake_off(work: Work, who: int) -> None:
    """Checks against lasting effects of spells, each against its casting's total (olde.md §9 durations)."""
    fighter = work.fighter(who)
    for effect in work.figures[who].effects:
        stat = effect.lasting.recover
        if stat:
            result = stat_check(work.dice, work.setup, fighter, work.figures[who], stat, effect.rating)
            work.events.append(result.event(fighter.id, effect.name))
            if result.success:
                end(work, who, effect, "shaken off")


def stop_bleeding(work: Work, who: int, because: str) -> None:
    """End bleeding, if any."""
    if work.figures[who].bleeding:
        work.change(who, bleeding=False)
        work.events.append(
            Condition(target=work.fighter(who).id, condition="bleeding", gained=False, because=because)
        )


def stabilise(work: Work, who: int, because: str) -> None:
    """End dying, if any; the patient stays incapacitated until 1 HP."""
    if work.figures[who].dying:
        work.change(who, dying=False)
        work.events.append(
            Condition(target=work.fighter(who).id, condition="dying", gained=False, because=because)
        )


def per_turn(work: Work, who: int) -> None:
    """Bleeding costs 1 HP, then each poison its harm, then dying 1 (olde.md §4 reset phase)."""
    figure, fighter = work.figures[who], work.fighter(who)
    losses = [(1, "bleeding")] if figure.bleeding else []
    losses += [(effect.lasting.harm, effect.name) for effect in figure.effects if effect.lasting.harm]
    if figure.dying:
        losses.append((1, "dying"))
    for amount, because in losses:
        if work.figures[who].hp > -fighter.hp_max:
            injure(work, who, amount, because)
    if fighter.traits is not None:
        work.setup.moments.on_reset(work, who)


def heal(work: Work, who: int, amount: int, because: str, *, magical: bool = False) -> None:
    """Give HP back, at most to the maximum; magic also stops bleeding and dying (olde.md §7)."""
    figure, fighter = work.figures[who], work.fighter(who)
    if figure.hp <= -fighter.hp_max:
        return
    hp = min(fighter.hp_max, figure.hp + amount)
    work.change(who, hp=hp)
    work.events.append(Healing(target=fighter.id, amount=hp - figure.hp, now=hp, because=because))
    if magical:
        stop_bleeding(work, who, because)
    if magical or hp > 0:
        stabilise(work, who, because)
    if figure.hp <= 0 < hp:
        work.events.append(
            Condition(target=fighter.id, condition="incapacitated", gained=False, because=because)
        )


def fall(work: Work, who: int, levels: int) -> None:
    """A fall: d6 per level, armor does not help, and one lies prone (olde.md §5)."""
    work.dice.thrower = work.fighter(who).id
    rolled = roll(work.dice, "fall", levels, 6, exploding=False)
    lie_down(work, who, "prone", "fell")
    injure(work, who, rolled.total, "fall", rolls=(rolled,))


def lie_down(work: Work, who: int, posture: str, because: str = "") -> None:
    """Change posture."""
    if work.figures[who].posture != posture:
        work.change(who, posture=posture)
        work.events.append(Posture(by=work.fighter(who).id, posture=posture, because=because))
