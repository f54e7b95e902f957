"""What magic takes away or gives back: conditions cured, Mana and Faith restored."""

from __future__ import annotations

from rules.contract.events import Condition, Healing
from rules.olde.combat.injury import stop_bleeding
from rules.olde.effects import working as effects
from rules.olde.state import Figure, Work


def ailing(figure: Figure, cures: tuple[str, ...]) -> list[str]:
    """Which of these conditions a figure has."""
    found = []
    for condition in cures:
        if condition == "bleeding":
            has = figure.bleeding
        elif condition == "stunned":
            has = figure.stunned > 0 and not effects.has(figure, "asleep")
        else:
            has = effects.has(figure, condition) or (
                condition in effects.HELD and bool(getattr(figure, condition))
            )
        if has:
            found.append(condition)
    return found


def cure(work: Work, who: int, cures: tuple[str, ...], because: str) -> None:
    """End these conditions, whatever laid them on."""
    name = work.fighter(who).id
    for condition in ailing(work.figures[who], cures):
        if condition == "bleeding":
            stop_bleeding(work, who, because)
            continue
        effects.end_condition(work, who, condition, because)
        if condition == "stunned":
            work.change(who, stunned=0)
        elif condition in effects.HELD and getattr(work.figures[who], condition):
            work.change(who, **{condition: False})
        else:
            continue
        work.events.append(Condition(target=name, condition=condition, gained=False, because=because))


def restore(work: Work, who: int, pool: str, amount: int, because: str) -> None:
    """Give Mana or Faith back, at most to the maximum."""
    figure, fighter = work.figures[who], work.fighter(who)
    now, top = (figure.mana, fighter.mana_max) if pool == "mana" else (figure.faith, fighter.faith_max)
    gained = min(amount, top - now)
    if gained > 0:
        work.change(who, **{pool: now + gained})
        work.events.append(
            Healing(target=fighter.id, amount=gained, now=now + gained, what=pool, because=because)
        )
