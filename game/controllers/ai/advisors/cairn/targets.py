"""What a planner asks in bulk: whence one may strike whom, by hand, from afar, or by a power aimed at one creature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from game.controllers.ai.advisors.cairn import prospect, threat
from game.controllers.ai.advisors.cairn.measures import condition_value, price_of
from game.controllers.ai.advisors.planning import Merit, Outlook, Swing, Target, Vantage
from game.controllers.ai.weights import CairnPlacesWeights, load_weights
from rules.board.path import SHOOTER
from rules.board.sight_fan import view
from rules.cairn.actions.context import Context
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.actions.spells import CAST, USE, source
from rules.cairn.gear import Power
from rules.cairn.magic.effects import does_harm
from rules.cairn.state import CairnState, Plan, able
from rules.contract.actions import Action


def weights() -> CairnPlacesWeights:
    """The numbers of taste that count here."""
    return load_weights().cairn.places


class Spell(NamedTuple):
    """A power that harms one creature, and how it is worked."""

    do: str
    name: str
    power: Power
    cost: float


def targets(state: CairnState, by: int, cells: int) -> tuple[Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how, as if fresh: spells are attacks, too."""
    found = threat.targets(state, by, cells)
    context = Context(state, by)
    context.plan = Plan()  # as if fresh: what is planned already is this round's affair
    known = spells(context)
    if not known:
        return found
    return tuple(_with_spells(context, target, known, cells) for target in found)


def outlook(state: CairnState, who: int) -> Outlook:
    """What a creature may still plan; and where it is too frail to stand."""
    found = prospect.outlook(state, who)
    return found._replace(merits=(*found.merits, *_too_near(state, who)))


def _too_near(state: CairnState, who: int) -> Iterator[Merit]:
    """The spaces within reach of foes who would most likely fell it with one blow, where it would hardly fell them with
    its own; of several the worst counts. Brutes don't mind."""
    w = weights()
    being, figure = state.setup.beings[who], state.figures[who]
    if being.temperament == "brute" or not able(figure):
        return
    dreaded = []
    for danger in threat.threats(state, who):
        foe = state.setup.index[danger.by]
        mine = threat.best_swing(state, who, foe)
        dread = danger.swing.drop - (mine.drop if mine is not None else 0.0)
        if dread > w.frail and danger.now:
            dreaded.append(((dread - w.frail) / (1.0 - w.frail), foe, danger.now))
    within, beside = 0, 1 << figure.cell  # who stands there already gains little by a step back
    value = w.timid * prospect.value_of(being, figure)
    for share, foe, reached in sorted(dreaded, reverse=True):
        near = state.terrain.touching(reached, being.space)
        yield Merit(near & ~within, -value * share, "too frail to stand here")
        within |= near
        touch = state.terrain.within(state.figures[foe].cell, 1, state.setup.beings[foe].space)
        near = state.terrain.touching(touch, being.space)
        yield Merit(near & ~beside, -w.beside * value * share, "too frail to come beside it")
        beside |= near


def spells(context: Context) -> list[Spell]:
    """What somebody could cast or use at one creature to its harm."""
    out = []
    for kind in (CAST, USE):
        if kind.why_not(context) is not None:
            continue
        for name in kind.names(context):
            found = source(context, name)
            if found is None:
                continue
            power = found[0]
            if power.needs == "creature" and power.area == "one" and does_harm(power) and not power.onto:
                out.append(Spell(kind.do, name, power, price_of(found[1])))
    return out


def _with_spells(context: Context, target: Target, known: list[Spell], cells: int) -> Target:
    who = context.setup.index[target.id]
    best, far, vantages = target.best, target.far, list(target.vantages)
    for spell in known:
        swing = _swing(context, who, spell)
        if swing is None:
            continue
        board = _within(context, who, spell.power) & cells
        if board:
            vantages.append(Vantage(board, (swing,)))
        far = far or spell.power.reach > SHOOTER
        best = max(best, swing, key=_value)
    return target._replace(best=best, far=far, vantages=tuple(vantages))


def _value(swing: Swing) -> float:
    return swing.mean + weights().felled * (swing.drop + swing.side_effect)


def _swing(context: Context, target: int, spell: Spell) -> Swing | None:
    """The spell in figures; None where it does nothing to that creature."""
    state, foe = context.state, context.setup.beings[target]
    action = Action(context.being.id, spell.do, target=foe.id, item=spell.name)
    odds = ACTION_KINDS[spell.do].odds(context, action)
    share = next((each for each in odds.targets if each.id == foe.id), None) if odds is not None else None
    if share is None or not share.hit:
        return None
    value = prospect.value_of(foe, state.figures[target])
    side_effect = sum(
        condition_value(foe, state.figures[target], effect.name, friend=False)
        for effect in spell.power.effects
        if effect.kind == "condition"
    )
    side_effect = share.hit * side_effect / value if value else 0.0
    if not side_effect and not share.mean:
        return None
    return Swing(
        spell.do,
        None,
        1,
        share.hit,
        mean=share.mean,
        drop=share.drop,
        stun=0.0,
        exposed=0,
        side_effect=side_effect,
        cost=spell.cost,
        item=spell.name,
    )


def _within(context: Context, target: int, power: Power) -> int:
    """The spaces from which a power reaches somebody."""
    terrain, goal = context.terrain, context.state.figures[target].cell
    own, other = context.being.space, context.setup.beings[target].space
    near = terrain.touching(terrain.within(goal, power.reach, other), own)
    if power.range == "earshot":
        return near
    seen = 0
    for cell in terrain.space(goal, other):
        seen |= view(terrain, cell).minimal
    return near & terrain.touching(seen, own)
