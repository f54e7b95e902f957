"""What skill and nerve are worth to a planner: manoeuvres, looking away, readiness, retreat (cairn.md §2.8, §2.12)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from game.controllers.ai.advisors.cairn.prospect import value_of
from game.controllers.ai.advisors.cairn.threat import Tumble, best_swing, pooled
from game.controllers.ai.advisors.planning import Beside, Feat, Leave, Measure
from game.controllers.ai.weights import CairnManoeuvresWeights, load_weights
from rules.board.sight import Grade
from rules.cairn.actions.attacks import GRAPPLE, OVER, SHOVE, TRIP, manoeuvre_chance, planned, shoved, topples
from rules.cairn.actions.context import Context
from rules.cairn.actions.doors import Avert
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.actions.moves import RETREAT
from rules.cairn.combat.attack import PreparedAttack, in_range, open_attack, prepare, weapon_of, wielded
from rules.cairn.combat.odds import NOBODY, Pool, attack_chances, felled, pool_chances, with_attack
from rules.cairn.conditions import AVERTED, LOOKING_AWAY, RESTRAINED, condition_named
from rules.cairn.gear import IMPAIRED
from rules.cairn.magic.ground import sight_between
from rules.cairn.saves import save_chance
from rules.cairn.state import CairnState, able, fighting, helpless
from rules.cairn.visibility import stares
from rules.contract.actions import Action


def weights() -> CairnManoeuvresWeights:
    """The numbers of taste that count here."""
    return load_weights().cairn.manoeuvres


def feats(state: CairnState, context: Context) -> Iterator[Measure]:
    """Legal feats with their purpose, in stable order."""
    yield from _manoeuvres(state, context)
    yield from _averting(state, context)
    yield from _holding(state, context)
    for action in ACTION_KINDS["retreat"].instances(context):
        if all(known.side != context.being.side for known in state.morale):  # who has morale runs by that
            yield Leave(action, 1, float(RETREAT.chance(context)))


def _manoeuvres(state: CairnState, context: Context) -> Iterator[Measure]:
    for action in ACTION_KINDS["manoeuvre"].instances(context):
        target = context.setup.index[action.target or ""]
        if fighting(state.figures[target]):
            found = _WEIGHED[action.option or ""](state, context, action, target)
            if found is not None:
                yield found


def _trip(state: CairnState, context: Context, action: Action, target: int) -> Measure | None:
    """What allies' blows come to on somebody on the floor, whose Hit Protection is gone; not to be hit oneself so."""
    if not topples(state, target):
        return None
    chance = manoeuvre_chance(state, context.who, target, TRIP)
    pool = _expected(state, context, target)
    if not pool.sure and not pool.risky:
        return None
    _, damages = pool_chances(state, target, pool)
    after = pool._replace(prone=1 - (1 - pool.prone) * (1 - chance))
    (_, harm, before), (_, more, falls) = pooled(state, target, pool), pooled(state, target, after)
    mean = float(more) - float(harm)
    drop = float(falls - before)
    # harm that goes to STR instead of Hit Protection is worth the more of it
    through = float(chance) * _past_protection(state, target, damages)
    blow = (action.target or "", mean + through, drop, 0.0)
    cost = float(1 - chance) * Tumble(state, context.who).near(state.figures[target].cell)
    return Feat(action, 1, float(chance), cost=cost, blows=(blow,))


def _past_protection(state: CairnState, target: int, damages: dict[int, Fraction]) -> float:
    """The mean harm that Hit Protection would have taken, were its owner on its feet."""
    hp = state.figures[target].hp
    return float(sum(min(hp, value) * chance for value, chance in damages.items()))


def _mean(damages: dict[int, Fraction]) -> float:
    return float(sum(value * chance for value, chance in damages.items()))


def _expected(state: CairnState, context: Context, target: int) -> Pool:
    """What is planned against a target, and the best blows of allies who have no plan yet and stand within reach."""
    pool = planned(state, target, context.who) if state.declared else NOBODY
    goal = state.figures[target].cell
    for ally, figure in enumerate(state.figures):
        if ally == context.who or state.setup.beings[ally].side != context.being.side or not able(figure):
            continue
        if state.plans[ally] is not None or figure.idle:
            continue
        blows = [
            blow
            for name in wielded(state.setup, ally, figure)
            if (blow := prepare(state, ally, target, weapon_of(state.setup, ally, name), (figure.cell, goal)))
            is not None
        ]
        if blows:
            pool = with_attack(pool, max(blows, key=lambda blow: max(blow.dice)))
    return pool


def _shove(state: CairnState, context: Context, action: Action, target: int) -> Measure | None:
    """Over an edge one is out of the fight; otherwise it is for what lies there, and to be rid of a neighbour."""
    w = weights()
    goal = state.figures[target].cell
    chance = float(manoeuvre_chance(state, context.who, target, SHOVE))
    foe, figure = state.setup.beings[target], state.figures[target]
    theirs = shoved(state, target, goal, context.stand, context.being.space)
    mine = shoved(state, context.who, context.stand, goal, foe.space)
    value = chance * w.hurt.get(theirs, w.back if theirs else 0.0) * value_of(foe, figure)
    part = w.over if mine == OVER else w.hurt.get(mine, 0.0)
    cost = (1 - chance) * part * value_of(context.being, context.figure)
    blows: tuple[tuple[str, float, float, float], ...] = ()
    if theirs == OVER:
        blows = ((foe.id, chance * (figure.hp + figure.str_now), chance, 0.0),)
    else:  # friends' blows on it would find nobody there
        value -= chance * w.spoilt * len(planned(state, target, context.who).sure)
    return Feat(action, 1, chance, cost=cost, blows=blows, value=value) if value > 0.0 or blows else None


def _grapple(state: CairnState, context: Context, action: Action, target: int) -> Measure | None:
    """Who is held goes nowhere and strikes with a bound hand; who fails is held so oneself."""
    w = weights()
    foe, figure = state.setup.beings[target], state.figures[target]
    if figure.has(RESTRAINED) or "restrained" in foe.immune or helpless(figure):
        return None
    chance = float(manoeuvre_chance(state, context.who, target, GRAPPLE))
    value = chance * w.grip * _hampered(state, target) * value_of(foe, figure)
    back = best_swing(state, target, context.who)
    lost = w.grip * max(w.bound, _hampered(state, context.who)) + (w.clutched * back.drop if back is not None else 0.0)
    held = lost * value_of(context.being, context.figure)
    return Feat(action, 1, chance, cost=(1 - chance) * held, value=value) if value > 0.0 else None


def _hampered(state: CairnState, who: int) -> float:
    """The part of somebody's harm that goes with bound hands: its best die beside a d4."""
    names = wielded(state.setup, who, state.figures[who])
    best = max(max(weapon_of(state.setup, who, name).dice) for name in names)
    return max(0.0, 1.0 - (IMPAIRED + 1) / (best + 1))


_WEIGHED = {"trip": _trip, "shove": _shove, "grapple": _grapple}


def _averting(state: CairnState, context: Context) -> Iterator[Measure]:
    """Eyes off a stare: what it might do to one, less what one's blows at the starer lose."""
    for action in Avert().instances(context):
        value = 0.0
        losses = []
        blow = context.plan.action
        if (
            blow is not None
            and blow.target in context.setup.index
            and stares(context.setup, context.setup.index[blow.target])
        ):
            return  # that was weighed when the blow was planned
        for starer in context.others():
            if state.setup.beings[starer].side == context.being.side or not stares(state.setup, starer):
                continue
            value += _stare(state, context, starer)
            loss = _impairment(state, context, starer)
            if loss is not None:
                losses.append((state.setup.beings[starer].id, *loss, 0.0))
        if value > 0.0:
            yield Beside(action, 0, blows=tuple(losses), value=value)


def _stare(state: CairnState, context: Context, starer: int) -> float:
    """What a stare that may be cast at one counts: the chance that it is, and takes hold."""
    if not able(state.figures[starer]):
        return 0.0
    value = 0.0
    for name in state.setup.beings[starer].powers:
        power = state.setup.armoury.powers[name]
        if "gaze" not in power.tags or context.being.immune & power.tags:
            continue
        seen = [i for i in range(len(state.figures)) if _in_view(state, starer, i, power.reach)]
        if context.who not in seen:
            continue
        if any(
            context.figure.has(condition_named(effect.name)) for effect in power.effects if effect.kind == "condition"
        ):
            continue
        fails = 1.0 if not power.save else float(1 - save_chance(getattr(context.figure, f"{power.save}_now")))
        value += weights().stare * fails * value_of(context.being, context.figure) / len(seen)
    return value


def _in_view(state: CairnState, starer: int, who: int, reach: int) -> bool:
    """Whether somebody is an able foe of the starer's within its next move and the range of its stare, in sight."""
    being, figure = state.setup.beings[who], state.figures[who]
    own = state.setup.beings[starer]
    if being.side == own.side or not able(figure) or figure.has(AVERTED):
        return False
    place = Context(state, who).place
    start = state.figures[starer].cell
    if state.terrain.distance(start, place, own.space, being.space) > reach:
        return False
    return sight_between(state, start, place, own.space, being.space) is not Grade.NONE


def _impairment(state: CairnState, context: Context, starer: int) -> tuple[float, float] | None:
    """(mean harm, chance to fell) that one's best blow on a starer loses by looking away; None where there is none."""
    goal = state.figures[starer].cell
    best: tuple[float, float] | None = None
    most = (0.0, 0.0)
    for name in wielded(state.setup, context.who, context.figure):
        weapon = weapon_of(state.setup, context.who, name)
        blow = prepare(state, context.who, starer, weapon, (context.place, goal))
        if blow is None:
            continue
        whole, less = _figures(state, blow), _figures(state, blow.modified(LOOKING_AWAY))
        if whole > most:
            most, best = whole, (less[0] - whole[0], less[1] - whole[1])
    return best


def _figures(state: CairnState, blow: PreparedAttack) -> tuple[float, float]:
    outcomes, damages = attack_chances(state, [blow])
    return _mean(damages), float(felled(outcomes))


def _holding(state: CairnState, context: Context) -> Iterator[Measure]:
    """A blow held ready for who may come: worth a thought where nobody can be struck now."""
    if context.plan.moved is False and context.budget > 0:
        return  # first the way, then what to do at its end
    best: Feat | None = None
    for action in ACTION_KINDS["ready"].instances(context):
        if action.option != "comes" or action.item is not None:
            continue
        found = _held(state, context, action)
        if found is not None and (best is None or found.blows[0][1] > best.blows[0][1]):
            best = found
    if best is not None:
        yield best


def _held(state: CairnState, context: Context, action: Action) -> Feat | None:
    w = weights()
    weapon = weapon_of(state.setup, context.who, action.weapon or "")
    best: Feat | None = None
    for target in context.others():
        foe, figure = state.setup.beings[target], state.figures[target]
        if foe.side == context.being.side or not able(figure) or context.befriended(target):
            continue
        distance = context.distance(target)
        if in_range(weapon, distance) or distance > weapon.farthest + foe.speed:
            continue
        mean, drop = _open(state, context.who, target, action.weapon or "")
        blow = (foe.id, w.comes * mean, w.comes * drop, 0.0)
        if best is None or mean > best.blows[0][1] / w.comes:
            best = Feat(action, 1, w.comes, blows=(blow,), value=0.0)
    return best


def _open(state: CairnState, who: int, target: int, name: str) -> tuple[float, float]:
    return _figures(state, open_attack(state, who, target, weapon_of(state.setup, who, name)))
