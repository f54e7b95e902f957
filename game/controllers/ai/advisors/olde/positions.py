"""What else tells spaces apart for a planner: dread, bursts, packs, sleepers (docs/traits.md)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from game.controllers.ai.advisors.olde.aftermath import burst_of, waking_value
from game.controllers.ai.advisors.olde.threat import fighter_value
from game.controllers.ai.advisors.planning import Merit
from game.controllers.ai.weights import OldePlacesWeights, load_weights
from rules.contract.text import text
from rules.core import odds as dist
from rules.olde.actions.context import Context
from rules.olde.challenges.checks import burden, stat_rank
from rules.olde.conditions import ASLEEP, FRIGHTENED
from rules.olde.effects.model import anybody
from rules.olde.state import Figure, Setup, able
from rules.olde.traits.kinds import CallForHelp, DeathBurst, FearAura, PackTactics


def weights() -> OldePlacesWeights:
    """The numbers of taste that count here."""
    return load_weights().olde.places


def merits(context: Context) -> tuple[Merit, ...]:
    """What it is worth for somebody to be on some spaces, by its own traits, its friends' and its foes'."""
    if not _marked(context.setup) and not anybody(context.state.figures, "asleep"):
        return ()
    return tuple(
        merit for found in (_dread(context), _burst(context), _pack(context), _sleepers(context)) for merit in found
    )


@lru_cache(maxsize=64)
def _marked(setup: Setup) -> bool:
    """Whether anybody of a fight has a trait that makes spaces matter."""
    telling = (FearAura, DeathBurst, PackTactics)
    return any(isinstance(t, telling) for f in setup.fighters if f.traits is not None for t in f.traits.kinds)


def _near(context: Context, other: int, spaces: int) -> int:
    """The spaces where a creature is at most so many from another."""
    near = context.terrain.within(context.state.figures[other].cell, spaces, context.setup.fighters[other].space)
    return context.terrain.touching(near, context.fighter.space)


def _dread(context: Context) -> Iterator[Merit]:
    """One's own dread carries as far as foes who can be frightened; from others' one had better keep away."""
    w = weights()
    traits, side = context.fighter.traits, context.fighter.side
    dread = traits.of(FearAura) if traits is not None else None
    for i, fighter, figure in context.others():
        if fighter.side == side or not able(figure):
            continue
        if dread is not None:
            value = w.fright * _daunted(context.setup, i, figure, context.who, dread) * fighter_value(fighter)
            if value:
                yield Merit(_near(context, i, dread.spaces), value, text("its dread reaches {name}", name=fighter.name))
        theirs = fighter.traits.of(FearAura) if fighter.traits is not None else None
        if theirs is not None:
            value = (
                w.fright
                * _daunted(context.setup, context.who, context.figure, i, theirs)
                * fighter_value(context.fighter)
            )
            if value:
                yield Merit(_near(context, i, theirs.spaces), -value, text("dread of {name}", name=fighter.name))


def _daunted(setup: Setup, who: int, figure: Figure, of: int, dread: FearAura) -> float:
    """The chance that somebody fails the check against another's dread; 0 for who made it or can't be frightened."""
    fighter = setup.fighters[who]
    if fighter.traits is not None and FRIGHTENED.name in fighter.traits.immune:
        return 0.0
    if dread.stood(figure, of, setup.fighters[of]):
        return 0.0
    plus = sum(a.value for a in burden(setup, fighter, figure, "nerve"))
    return 1.0 - dist.chance_at_least(2, stat_rank(fighter, "nerve"), dread.rating - plus)


def _burst(context: Context) -> Iterator[Merit]:
    """Whoever bursts when it is felled does so best among foes."""
    traits, side = context.fighter.traits, context.fighter.side
    burst = traits.of(DeathBurst) if traits is not None else None
    if burst is None:
        return
    for i, fighter, figure in context.others():
        if figure.hp > 0:
            mean, drop = burst_of(context.state, context.who, i).own
            value = weights().likely * fighter_value(fighter) * (min(1.0, mean / figure.hp) + drop)
            sign = -1.0 if fighter.side == side else 1.0
            yield Merit(
                _near(context, i, burst.spaces), sign * value, text("its burst would strike {name}", name=fighter.name)
            )


def _pack(context: Context) -> Iterator[Merit]:
    """Beside a foe whom a packmate has by the throat, with nobody else there yet."""
    side, others = context.fighter.side, context.others()
    packs: dict[int, PackTactics] = {}
    for i, fighter, figure in others:
        pack = fighter.traits.of(PackTactics) if fighter.side == side and fighter.traits is not None else None
        if pack is not None and able(figure):
            packs[i] = pack
    if not packs:
        return
    terrain, fighters, figures = context.terrain, context.setup.fighters, context.state.figures
    for i, foe, victim in others:
        if foe.side == side or victim.hp <= 0:
            continue
        beside = [
            j for j, f, g in others
            if f.side == side and able(g) and terrain.distance(g.cell, victim.cell, f.space, foe.space) <= 1
        ]  # fmt: skip
        if len(beside) == 1 and beside[0] in packs:
            mate = fighters[beside[0]]
            assert figures[beside[0]].cell >= 0
            yield Merit(
                _near(context, i, 1),
                weights().packed * packs[beside[0]].bonus,
                text("{name} strikes surer", name=mate.name),
            )


def _sleepers(context: Context) -> Iterator[Merit]:
    """Where sleeping friends could be woken from: by a call, else by hand."""
    call = context.fighter.traits.of(CallForHelp) if context.fighter.traits is not None else None
    for i, fighter, figure in context.others():
        if fighter.side == context.fighter.side and figure.hp > 0 and ASLEEP.holds(figure):
            yield Merit(
                _near(context, i, call.spaces if call is not None else 1),
                weights().waking * waking_value() * fighter_value(fighter),
                text("{name} sleeps", name=fighter.name),
            )
