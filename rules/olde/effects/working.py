"""Lasting effects of spells: laid on, felt, shaken off, worn off (olde.md §9 durations)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.bitboard import cells_of
from rules.contract.actions import Adjustment
from rules.contract.events import Condition, Enchanted, Points, Summoned
from rules.contract.events import Zone as Laid
from rules.core.figures import signed
from rules.olde.effects.model import ENDLESS, FLAGS, Effect, Lasting, Zone
from rules.olde.magic.ground import lay_ground
from rules.olde.state import Figure, Resolution

RULE = "olde.md §9 durations"
SUMMONED = "summoned"
HELD = ("rooted", "slowed")
"""Conditions that a figure keeps as a flag of its own, so that rules without magic need not look for effects."""
PARTS = ("attack", "defense", "damage", "armor", "ap", "checks", "physical")


def shifts(figure: Figure, part: str, to: str) -> list[Adjustment]:
    """What a figure's effects add to something, each by its name. `part` is a field of `Lasting`."""
    found = []
    for effect in figure.effects:
        value = getattr(effect.lasting, part)
        if value:
            found.append(Adjustment(to, value, effect.name, effect.lasting.rule or RULE))
    return found


def total(figure: Figure, part: str) -> int:
    """The sum of what a figure's effects add to something."""
    return sum(getattr(effect.lasting, part) for effect in figure.effects)


def has(figure: Figure, condition: str) -> bool:
    """Whether some effect lays this condition on a figure."""
    return any(effect.lasting.condition == condition for effect in figure.effects)


def anybody(figures: Sequence[Figure], condition: str) -> bool:
    """Whether some effect lays this condition on any of these."""
    changed = [figure for figure in figures if figure.effects]
    return any(has(figure, condition) for figure in changed) if changed else False


def feared(figure: Figure) -> list[int]:
    """Numbers of those whom a figure is frightened of."""
    return [effect.by for effect in figure.effects if effect.lasting.condition == "frightened" and effect.by >= 0]


def words(lasting: Lasting) -> str:
    """What an effect does, for stories and badges: `attack +1, checks +1`."""
    parts = [f"{part if part != 'ap' else 'AP die'} {signed(getattr(lasting, part))}" for part in PARTS
             if getattr(lasting, part)]  # fmt: skip
    if lasting.harm:
        parts.insert(0, f"−{lasting.harm} HP each reset")
    if lasting.condition and lasting.condition != SUMMONED:
        parts.insert(0, lasting.condition)
    return ", ".join(parts)


# -- beginning ------------------------------------------------------------------------------------------


def lay(resolution: Resolution, who: int, effect: Effect, *, proof: bool = False) -> None:
    """Lay an effect on somebody; the same spell anew replaces the old one. Sleep does nothing to the stunned. `proof`:
    the creature's immunities don't count, or have been asked."""
    figure, lasting = resolution.figures[who], effect.lasting
    condition = lasting.condition
    traits = resolution.fighter(who).traits
    if not proof and traits is not None and condition in traits.immune:
        return
    if condition == "asleep" and figure.stunned and not has(figure, "asleep"):
        return
    had = condition and (has(figure, condition) or (condition in HELD and getattr(figure, condition)))
    kept = tuple(e for e in figure.effects if e.name != effect.name)
    resolution.change(who, effects=(*kept, effect))
    name = resolution.fighter(who).id
    resolution.events.append(
        Enchanted(target=name, name=effect.name, gained=True, turns=effect.turns, text=words(lasting))
    )
    if condition and not had:
        resolution.events.append(Condition(target=name, condition=condition, gained=True, because=effect.name))
    if condition in HELD:
        resolution.change(who, **{condition: True})
        if condition == "rooted":
            resolution.change(who, free=0)
    elif condition == "asleep":
        rating = max(effect.rating, resolution.figures[who].stunned)
        resolution.change(who, stunned=rating, ap=0, free=0)
        resolution.events.append(Points(by=name, now=0, because="asleep"))


def asleep_at_first(who: int) -> Effect:
    """The sleep of one asleep when the fight begins; a Savvy check of 12 wakes it, too (olde.md §10 sleepers)."""
    return Effect("sleep", who, ENDLESS, 12, Lasting(ENDLESS, "asleep", recover="savvy"))


# -- ending ---------------------------------------------------------------------------------------------


def end(resolution: Resolution, who: int, effect: Effect, because: str) -> None:
    """Take an effect off somebody, with what it held."""
    figure, name = resolution.figures[who], resolution.fighter(who).id
    rest = tuple(e for e in figure.effects if e is not effect)
    figure = resolution.change(who, effects=rest)
    condition = effect.lasting.condition
    if condition == SUMMONED:
        leave(resolution, who)
        return
    resolution.events.append(Enchanted(target=name, name=effect.name, gained=False, because=because))
    innate = condition in FLAGS and condition in resolution.fighter(who).innate
    if not condition or has(figure, condition) or innate:
        return
    if condition in HELD:
        resolution.change(who, **{condition: False})
    elif condition == "asleep":
        resolution.change(who, stunned=0)
    resolution.events.append(Condition(target=name, condition=condition, gained=False, because=because))


def end_condition(resolution: Resolution, who: int, condition: str, because: str) -> None:
    """End every effect that lays this condition on somebody."""
    for effect in resolution.figures[who].effects:
        if effect.lasting.condition == condition:
            end(resolution, who, effect, because)


def wake(resolution: Resolution, who: int, because: str) -> None:
    """End sleep: any damage does, and so does being led by an ally."""
    if resolution.figures[who].effects:
        end_condition(resolution, who, "asleep", because)


def leave(resolution: Resolution, who: int) -> None:
    """A summoned creature goes back to where it came from."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    at = resolution.space(figure.cell) if figure.cell >= 0 else None
    if figure.cell >= 0:
        resolution.events.append(Summoned(target=fighter.id, name=fighter.name, gained=False, at=at))
    resolution.change(
        who, cell=-1, hp=-fighter.hp_max, ap=0, free=0, posture="prone", stunned=0, bleeding=False, dying=False,
        effects=(),
    )  # fmt: skip


def tick(resolution: Resolution) -> None:
    """Step 2 of the reset: every effect and zone is one reset nearer to its end; those at it end, in order."""
    for who, figure in enumerate(resolution.figures):
        if figure.effects:
            _tick(resolution, who, figure)
    if resolution.zones:
        kept: list[Zone] = []
        for zone in resolution.zones:
            if zone.turns > 1:
                kept.append(msgspec.structs.replace(zone, turns=zone.turns - 1))
            else:
                spaces = tuple(resolution.space(cell) for cell in cells_of(zone.cells))
                resolution.events.append(Laid(name=zone.name, kind=zone.kind, cells=spaces, gained=False))
        resolution.zones = tuple(kept)
        lay_ground(resolution)


def _tick(resolution: Resolution, who: int, figure: Figure) -> None:
    if figure.hp <= 0 and has(figure, SUMMONED):
        leave(resolution, who)
        return
    dead = figure.hp <= -resolution.fighter(who).hp_max
    for effect in figure.effects:
        if dead or effect.turns <= 1:
            end(resolution, who, effect, "worn off")
    left = resolution.figures[who].effects
    if left:
        older = tuple(_older(effect) for effect in left)
        resolution.change(who, effects=older)


def _older(effect: Effect) -> Effect:
    return effect if effect.turns >= ENDLESS else msgspec.structs.replace(effect, turns=effect.turns - 1)
