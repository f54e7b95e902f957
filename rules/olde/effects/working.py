"""Lasting effects and zones in a fight: laid on, shaken off, worn off (olde.md §9 durations)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import cells_of
from rules.contract.events import Enchanted
from rules.contract.events import Zone as Laid
from rules.olde.conditions import ASLEEP, CONDITIONS, SUMMONED
from rules.olde.effects.ground import lay_ground
from rules.olde.effects.model import ENDLESS, Effect, Zone, has, words
from rules.olde.state import Figure, Resolution


def immune(resolution: Resolution, who: int, condition: str) -> bool:
    """Whether somebody cannot have a condition, by its traits."""
    traits = resolution.fighter(who).traits
    return traits is not None and condition in traits.immune


def lay(resolution: Resolution, who: int, effect: Effect, *, proof: bool = False) -> None:
    """Lay an effect on somebody; the same spell anew replaces the old one. `proof`: the creature's immunities don't
    count, or have been asked."""
    figure, condition = resolution.figures[who], effect.lasting.condition
    record = CONDITIONS[condition] if condition else None
    if not proof and immune(resolution, who, condition):
        return
    if record is not None and record.refused(figure):
        return
    had = record is None or record.holds(figure)
    kept = tuple(e for e in figure.effects if e.name != effect.name)
    resolution.change(who, effects=(*kept, effect))
    told = words(effect.lasting)
    resolution.events.append(
        Enchanted(target=resolution.fighter(who).id, name=effect.name, gained=True, turns=effect.turns, text=told)
    )
    if record is not None:
        if not had:
            record.tell(resolution, who, effect.name, gained=True)
        record.laid(resolution, who, effect)


def end(resolution: Resolution, who: int, effect: Effect, because: str) -> None:
    """Take an effect off somebody, with what it held."""
    fighter, condition = resolution.fighter(who), effect.lasting.condition
    rest = tuple(e for e in resolution.figures[who].effects if e is not effect)
    figure = resolution.change(who, effects=rest)
    if condition == SUMMONED.name:
        SUMMONED.lifted(resolution, who)
        return
    resolution.events.append(Enchanted(target=fighter.id, name=effect.name, gained=False, because=because))
    if not condition or has(figure, condition) or CONDITIONS[condition].stays(fighter):
        return
    CONDITIONS[condition].lifted(resolution, who)
    CONDITIONS[condition].tell(resolution, who, because, gained=False)


def end_condition(resolution: Resolution, who: int, condition: str, because: str) -> None:
    """End every effect that lays this condition on somebody."""
    for effect in resolution.figures[who].effects:
        if effect.lasting.condition == condition:
            end(resolution, who, effect, because)


def wake(resolution: Resolution, who: int, because: str) -> None:
    """End sleep, as whoever leads or calls a sleeper does."""
    if resolution.figures[who].effects:
        end_condition(resolution, who, ASLEEP.name, because)


def hurt(resolution: Resolution, who: int, because: str) -> None:
    """Damage ends whatever doesn't outlast it."""
    for effect in resolution.figures[who].effects:
        condition = effect.lasting.condition
        if condition and CONDITIONS[condition].ends_when_hurt:
            end(resolution, who, effect, because)


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
                resolution.events.append(Laid(name=zone.name, kind=zone.kind.value, cells=spaces, gained=False))
        resolution.zones = tuple(kept)
        lay_ground(resolution)


def _tick(resolution: Resolution, who: int, figure: Figure) -> None:
    if figure.hp <= 0 and SUMMONED.holds(figure):
        SUMMONED.lifted(resolution, who)
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
