"""What else is worth a thought beside moves and attacks, and what a power is worth to a planner."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from game.controllers.ai.advisors import planning
from game.controllers.ai.advisors.cairn import prospect
from game.controllers.ai.advisors.cairn.prospect import best_swing, pooled, swing_of, tumble, value_of, warded_off
from game.controllers.ai.advisors.cairn.world import world_of
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade, cells_of
from rules.board.path import SHOOTER
from rules.board.sight_fan import view
from rules.cairn.actions.aid import BREAK_FREE, HELPING
from rules.cairn.actions.attacks import COMES, GRAPPLE, MANOEUVRE, OVER, READY, SHOVE, TRIP, planned, shoved, topples
from rules.cairn.actions.context import Context
from rules.cairn.actions.doors import Avert
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.actions.moves import CLIMB, RETREAT
from rules.cairn.actions.spells import CAST, USE, Cast, Source, in_danger, landings, moving, seconds, source, victims
from rules.cairn.combat import attack
from rules.cairn.conditions import AVERTED, DEAF, LOOKING_AWAY, PRONE, RESTRAINED, condition_named
from rules.cairn.gear import IMPAIRED, Power
from rules.cairn.magic import effects
from rules.cairn.magic.ground import GAZE, HEARD, sight_between, standing_at
from rules.cairn.state import CairnState, Plan, save_chance
from rules.cairn.visibility import stares
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, first_creatures, numbered


def _manoeuvres(state: CairnState, context: Context) -> Iterator[planning.Measure]:
    for action in MANOEUVRE.instances(context):
        target = context.setup.index[action.target or ""]
        if state.figures[target].fighting:
            found = _WEIGHED[action.option or ""](state, context, action, target)
            if found is not None:
                yield found


def _trip(state: CairnState, context: Context, action: Action, target: CreatureIx) -> planning.Measure | None:
    """What allies' blows come to on somebody on the floor, whose Hit Protection is gone; not to be hit oneself so."""
    if not topples(state, target):
        return None
    chance = TRIP.chance(state, context.who, target)
    pool = _expected(state, context, target)
    if not pool.sure and not pool.risky:
        return None
    after = pool._replace(prone=1 - (1 - pool.prone) * (1 - chance))
    (_, harm, before), (_, more, falls) = pooled(state, target, pool), pooled(state, target, after)
    mean = float(more) - float(harm)
    drop = float(falls - before)
    # harm that goes to STR, which Hit Protection would have taken of one on its feet, is worth the more of it
    through = float(chance) * warded_off(state, target, pool)
    blow = (action.target or "", mean + through, drop, 0.0)
    cost = float(1 - chance) * tumble(state, context.who).near(state.figures[target].cell)
    return planning.Feat(action, 1, float(chance), cost=cost, blows=(blow,))


def _expected(state: CairnState, context: Context, target: CreatureIx) -> attack.Pool:
    """What is planned against a target, and the best blows of allies who have no plan yet and stand within reach."""
    pool = planned(state, target, context.who) if state.declared else attack.NOBODY
    goal = state.figures[target].cell
    for ally, figure in numbered(state.figures):
        if ally == context.who or state.setup.beings[ally].side != context.being.side or not figure.able:
            continue
        if state.plans[ally] is not None or figure.idle:
            continue
        way, arms = (figure.cell, goal), attack.arms(state.setup, ally, figure)
        blows = (attack.prepare(state, ally, target, weapon, way) for weapon in arms)
        best = max((blow for blow in blows if blow is not None), key=lambda blow: max(blow.dice), default=None)
        pool = pool if best is None else attack.with_attack(pool, best)
    return pool


def _shove(state: CairnState, context: Context, action: Action, target: CreatureIx) -> planning.Measure | None:
    """Over an edge one is out of the fight; otherwise it is for what lies there, and to be rid of a neighbour."""
    w = load_weights("cairn").cairn.manoeuvres
    goal = state.figures[target].cell
    chance = float(SHOVE.chance(state, context.who, target))
    foe, figure = state.setup.beings[target], state.figures[target]
    theirs = shoved(state, target, goal, context.stand, context.being.space)
    mine = shoved(state, context.who, context.stand, goal, foe.space)
    value = chance * w.hurt.get(theirs, w.back if theirs else 0.0) * value_of(state, target)
    part = w.over if mine == OVER else w.hurt.get(mine, 0.0)
    cost = (1 - chance) * part * value_of(state, context.who)
    blows: tuple[planning.Blow, ...] = ()
    if theirs == OVER:
        blows = ((foe.id, chance * (figure.hp + figure.str_now), chance, 0.0),)
    else:  # friends' blows on it would find nobody there
        value -= chance * w.spoilt * len(planned(state, target, context.who).sure)
    return planning.Feat(action, 1, chance, cost=cost, blows=blows, value=value) if value > 0.0 or blows else None


def _grapple(state: CairnState, context: Context, action: Action, target: CreatureIx) -> planning.Measure | None:
    """Who is held goes nowhere and strikes with a bound hand; who fails is held so oneself."""
    w = load_weights("cairn").cairn.manoeuvres
    foe, figure = state.setup.beings[target], state.figures[target]
    if figure.has(RESTRAINED) or RESTRAINED.name in foe.immune or figure.helpless:
        return None
    chance = float(GRAPPLE.chance(state, context.who, target))
    value = chance * w.grip * _hampered(state, target) * value_of(state, target)
    back = best_swing(state, target, context.who)
    lost = w.grip * max(w.bound, _hampered(state, context.who)) + (w.clutched * back.drop if back is not None else 0.0)
    held = lost * value_of(state, context.who)
    return planning.Feat(action, 1, chance, cost=(1 - chance) * held, value=value) if value > 0.0 else None


def _hampered(state: CairnState, who: CreatureIx) -> float:
    """The part of somebody's harm that goes with bound hands: its best die beside a d4."""
    best = max(max(weapon.dice) for weapon in attack.arms(state.setup, who, state.figures[who]))
    return max(0.0, 1.0 - (IMPAIRED + 1) / (best + 1))


_WEIGHED = {TRIP.do: _trip, SHOVE.do: _shove, GRAPPLE.do: _grapple}


def _averting(state: CairnState, context: Context) -> Iterator[planning.Measure]:
    """Eyes off a stare: what it might do to one, less what one's blows at the starer lose."""
    for action in Avert().instances(context):
        value, losses = 0.0, []
        blow = context.plan.action
        struck = None if blow is None else context.setup.index.get(blow.target or "")
        if struck is not None and stares(context.setup, struck):
            return  # that was weighed when the blow was planned
        for starer in context.foes():
            if stares(state.setup, starer):
                value += _stare(state, context, starer)
                loss = _impairment(state, context, starer)
                if loss is not None:
                    losses.append((state.setup.beings[starer].id, *loss, 0.0))
        if value > 0.0:
            yield planning.Beside(action, 0, blows=tuple(losses), value=value)


def _stare(state: CairnState, context: Context, starer: CreatureIx) -> float:
    """What a stare that may be cast at one counts: the chance that it is, and takes hold."""
    if not state.figures[starer].able:
        return 0.0
    value = 0.0
    for name in state.setup.beings[starer].powers:
        power = state.setup.armoury.powers[name]
        if GAZE not in power.tags or context.being.immune & power.tags:
            continue
        seen = [i for i in first_creatures(len(state.figures)) if _in_view(state, starer, i, power.reach)]
        names = effects.conditions_of(power)
        if context.who not in seen or any(context.figure.has(condition_named(each)) for each in names):
            continue
        fails = 1.0 if not power.save else float(1 - save_chance(context.figure.score(power.save)))
        value += load_weights("cairn").cairn.manoeuvres.stare * fails * value_of(state, context.who) / len(seen)
    return value


def _in_view(state: CairnState, starer: CreatureIx, who: CreatureIx, reach: int) -> bool:
    """Whether somebody is an able foe of the starer's within its next move and the range of its stare, in sight."""
    being, figure = state.setup.beings[who], state.figures[who]
    own = state.setup.beings[starer]
    if being.side == own.side or not figure.able or figure.has(AVERTED):
        return False
    place, start, sizes = Context(state, who).place, state.figures[starer].cell, (own.space, being.space)
    near = state.terrain.distance(start, place, *sizes) <= reach
    return near and sight_between(state, start, place, *sizes) is not Grade.NONE


def _impairment(state: CairnState, context: Context, starer: CreatureIx) -> tuple[float, float] | None:
    """(mean harm, chance to fell) that one's best blow on a starer loses by looking away; None where there is none."""
    goal = state.figures[starer].cell
    best: tuple[float, float] | None = None
    most = (0.0, 0.0)
    for weapon in attack.arms(state.setup, context.who, context.figure):
        blow = attack.prepare(state, context.who, starer, weapon, (context.place, goal))
        if blow is not None:
            whole, less = swing_of(state, blow), swing_of(state, blow.modified(LOOKING_AWAY))
            if (whole.mean, whole.drop) > most:
                most, best = (whole.mean, whole.drop), (less.mean - whole.mean, less.drop - whole.drop)
    return best


def _holding(state: CairnState, context: Context) -> Iterator[planning.Measure]:
    """A blow held ready for who may come: worth a thought where nobody can be struck now."""
    if context.plan.moved is False and context.budget > 0:
        return  # first the way, then what to do at its end
    comes = load_weights("cairn").cairn.manoeuvres.comes
    feats: list[planning.Feat] = []
    for action in READY.instances(context):
        if action.option != COMES or action.weapon is None:
            continue
        weapon = attack.weapon_of(state.setup, context.who, action.weapon)
        for target in context.foes():
            foe, distance = state.setup.beings[target], context.distance(target)
            if not state.figures[target].able or context.befriended(target):
                continue
            if not attack.in_range(weapon, distance) and distance <= weapon.farthest + foe.speed:
                swing = swing_of(state, attack.open_attack(state, context.who, target, weapon))
                blow = (foe.id, comes * swing.mean, comes * swing.drop, 0.0)
                feats.append(planning.Feat(action, 1, comes, blows=(blow,), value=0.0))
    if feats:
        yield max(feats, key=lambda feat: feat.blows[0][1])


def measures(state: CairnState, decision: Decision) -> Iterator[planning.Measure]:
    """What else is worth a thought: legal intents with their purpose, in stable order."""
    who = state.setup.index.get(decision.by)
    if who is None or decision.kind != CHANCE:
        return
    context = Context(state, who)

    def each(do: str) -> Iterator[Action]:
        return ACTION_KINDS[do].instances(context)

    if context.figure.posture == PRONE.name and not context.plan.moved:
        yield from (planning.Rise(action, 0) for action in each("stand"))
    if context.action_open() is not None:  # all else takes the action, but for a free thing
        yield from _averting(state, context)
        return
    yield from (planning.Mend(action, 1) for action in each("bandage"))
    for action in each("help"):
        friend = state.setup.index[action.target or ""]
        freed = load_weights("cairn").cairn.powers.freed * value_of(state, friend)
        yield planning.Mend(action, 1, float(HELPING.chance(context, friend)), value=freed)
    yield from (planning.Rise(action, 1, float(BREAK_FREE.chance(context))) for action in each("break_free"))
    yield from (planning.Rise(action, 1, _save(context.figure.wil_now)) for action in each("steady"))
    yield from _manoeuvres(state, context)
    yield from _averting(state, context)
    yield from _holding(state, context)
    if all(known.side != context.being.side for known in state.morale):  # who has morale runs by that
        for action in RETREAT.instances(context):
            yield planning.Leave(action, 1, float(RETREAT.chance(context)))
    yield from (planning.Pass(action, 1) for action in each("open"))
    if not context.setup.fixtures:
        yield from (planning.Pass(action, 1, _save(context.figure.str_now)) for action in each("force"))
    else:
        yield from _ways_opened(context)
    yield from _ways_over(context)
    yield from (planning.Seek(action, 1, anywhere=True) for action in each("search"))
    for kind in (CAST, USE):
        yield from _powers(state, context, kind)


def _ways_opened(context: Context) -> Iterator[planning.Measure]:
    """Locks turned, picked and forced."""
    yield from (planning.Pass(action, 1) for action in ACTION_KINDS["unlock"].instances(context))
    for do in ("pick_lock", "force"):
        for action in ACTION_KINDS[do].instances(context):
            odds = ACTION_KINDS[do].odds(context, action)
            yield planning.Pass(action, 1, 1.0 if odds is None else odds.hit)


def _ways_over(context: Context) -> Iterator[planning.Measure]:
    """Faces, stairs and ladders climbed; hurdles crossed."""
    goals = CLIMB.goals(context) if CLIMB.why_not(context) is None else {}
    for action in CLIMB.instances(context) if goals else ():
        odds, over = CLIMB.odds(context, action), goals[action.at] if action.at is not None else None
        chance = 1.0 if odds is None else odds.hit
        cell = NOWHERE if action.at is None else action.at
        yield planning.Pass(
            action, 1, chance, cell=cell, risk=1.0 - chance if over is not None and over.height else 0.0
        )
    if context.setup.hurdles:
        yield from planning.over_hurdles(ACTION_KINDS, context, context.stand, falls=True)


def _save(attribute: int) -> float:
    return min(19, max(1, attribute)) / 20


def _aims(context: Context, intent: Cast, power: Power, name: str) -> Iterator[Action]:
    """Uses worth weighing: powers aimed at the ground are tried on foes' spaces, calls beside oneself."""
    if power.onto:
        yield from _second_aims(context, intent, power, name)
        return
    if power.needs != "space":
        yield from intent.candidates_of(context, power, name)
        return
    if any(effects.EFFECT_KINDS[effect.kind] is effects.SUMMON for effect in power.effects):
        cells = cells_of(context.terrain.within(context.place, 2, context.being.space))
    else:
        cells = [context.state.figures[i].cell for i in context.foes()]
    for cell in cells:
        yield Action(context.being.id, intent.do, item=name, at=cell)


def _own_landings(context: Context, power: Power) -> list[Cell]:
    """Spaces worth jumping to oneself: those nearest to each foe, and those farthest from all of them."""
    w = load_weights("cairn").cairn.powers
    field, foes = context.terrain, [context.state.figures[i].cell for i in context.foes()]
    cells = cells_of(landings(context, power, context.who)) if foes else []
    found: list[Cell] = []
    for foe in foes:
        found += sorted(cells, key=lambda cell: (field.distance(cell, foe, context.being.space), cell))[: w.nearest]
    found += sorted(cells, key=lambda cell: (-min(field.distance(cell, foe) for foe in foes), cell))[: w.nearest]
    return list(dict.fromkeys(found))


def _second_aims(context: Context, intent: Cast, power: Power, name: str) -> Iterator[Action]:
    """Uses with a second aim worth weighing: foes put as far away as may be, set on whoever of theirs is nearest, or on
    a thing far from everybody; oneself put beside a foe, or far from all."""
    if power.needs == "none" and moving(power) is not None:
        for cell in _own_landings(context, power):
            yield Action(context.being.id, intent.do, item=name, at=cell)
    if power.needs != "creature":
        return
    field, beings = context.terrain, context.beings
    friends = (i for i in context.others() if beings[i].side == context.being.side)
    mine = [context.place, *(context.state.figures[i].cell for i in friends)]
    for who in context.foes():
        cells = cells_of(seconds(context, power, who))
        if power.onto == "creature":
            there = ((cell, standing_at(context.state, cell)) for cell in cells)
            cells = [cell for cell, other in there if other is not None and beings[other].side == beings[who].side]
            near = context.state.figures[who].cell
            cells.sort(key=lambda c: (field.distance(c, near), c))
        else:
            cells.sort(key=lambda c: (-min(field.distance(c, m) for m in mine), c))
        for cell in cells[:1]:
            yield Action(context.being.id, intent.do, item=name, target=beings[who].id, at=cell)


def _powers(state: CairnState, context: Context, kind: Cast) -> Iterator[planning.Measure]:
    """Spells and items, by what they do to each creature that they take in."""
    held = [(name, found) for name, found in kind.held(context) if kind.why_not_with(context, found, name) is None]
    uses = ((action, found) for name, found in held for action in _aims(context, kind, found.power, name))
    for action, found in uses:
        if kind.why_not_this(context, action) is not None:
            continue
        value, blows = _gains(state, context, found.power, action)
        chance = 1.0
        if found.spell and in_danger(state.setup, context.figure):
            chance = _save(context.figure.wil_now)
        jump = action.at if found.power.needs == "none" and moving(found.power) is not None else None
        if value > 0.0 or blows or jump is not None:
            cost = price_of(found)
            harm = tuple((foe, mean * chance, drop * chance, stun * chance) for foe, mean, drop, stun in blows)
            goal = NOWHERE if jump is None else jump
            yield planning.Magic(action, 1, chance, value=chance * value - cost, cell=goal, blows=harm)


def price_of(found: Source) -> float:
    """What working a power costs, in the units of `value`: Fatigue, or a thing used up."""
    w = load_weights("cairn").cairn.powers
    return w.fatigue if found.book else w.used_up


def _gains(state: CairnState, context: Context, power: Power, action: Action) -> tuple[float, list[planning.Blow]]:
    """(what a power gains beside harm, in units of worth; its blows on foes)."""
    w = load_weights("cairn").cairn.powers
    value, blows, spreads = 0.0, list[planning.Blow](), not effects.conditions_of(power)
    for i in victims(context, power, action):
        being, figure = state.setup.beings[i], state.figures[i]
        if not figure.fighting or (i == context.who and power.area != "one"):
            continue
        friend = being.side == context.being.side
        if effects.untouched(being, figure, power) or (HEARD in power.tags and figure.has(DEAF)):
            continue
        fails = 1.0
        if power.save and (not friend or power.needs == "creature"):
            fails = 1 - _save(figure.score(power.save))
        for effect in power.effects:
            mean = (max((die + 1) / 2 for die in effect.dice) if effect.dice else 0.0) + effect.amount
            kind = effects.EFFECT_KINDS[effect.kind]
            if kind is effects.DAMAGE:
                if friend:
                    value -= fails * mean / w.whole
                else:
                    drop = min(w.surest, mean / max(1, figure.hp + figure.str_now))
                    blows.append((being.id, fails * mean, fails * drop, 0.0))
            elif kind is effects.HEAL:
                missing = getattr(figure, f"{effect.to}_max") - figure.score(effect.to)
                value += (1 if friend else -1) * min(mean, missing) / w.whole
            elif kind is effects.TELEPORT and not friend:
                value += fails * w.hindrance * w.away * value_of(state, i)
            elif kind is effects.AFFLICT:
                value += fails * condition_value(state, i, effect.name, friend)
            elif spreads and effect.kind in w.underfoot:
                value += (-1.0 if friend else w.hindrance) * w.underfoot[effect.kind] * value_of(state, i)
    value += sum(w.call for effect in power.effects if effects.EFFECT_KINDS[effect.kind] is effects.SUMMON)
    return value, blows


def condition_value(state: CairnState, who: CreatureIx, name: str, friend: bool) -> float:
    """What a condition counts, in the units of `value`: above 0 where one wishes it on that creature."""
    w, figure = load_weights("cairn").cairn.powers, state.figures[who]
    has = figure.has(condition_named(name)) or figure.posture == name == PRONE.name
    if has or name in state.setup.beings[who].immune:
        return 0.0
    weight = value_of(state, who)
    if name == PRONE.name and friend:  # the foes' half comes next
        return -w.floored * weight
    if name in w.harmful:
        return (-1.0 if friend else w.hindrance) * w.harmful[name] * weight
    return (w.help if friend else -w.help) * w.helpful.get(name, 0.0) * weight


def promise(state: CairnState, action: Action) -> planning.Promise:
    """What a power gains beside harm to foes, the chance that it works counted in."""
    who = state.setup.index.get(action.by)
    if who is None or action.do not in (CAST.do, USE.do):
        return planning.NOTHING
    context = Context(state, who)
    found = source(context, action.item)
    if found is None:
        return planning.NOTHING
    works = save_chance(context.figure.wil_now) if found.spell and in_danger(state.setup, context.figure) else 1
    return planning.Promise(float(works) * _gains(state, context, found.power, action)[0])


Spell = tuple[Action, Source]
"""How a power that harms one creature is worked, but for its target."""


def targets(state: CairnState, by: CreatureIx, cells: Bitboard) -> tuple[planning.Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how, as if fresh: spells are attacks, too."""
    found = prospect.targets(state, by, cells)
    context = Context(state, by)
    context.plan = Plan()  # as if fresh: what is planned already is this round's affair
    known = spells(context)
    return tuple(_with_spells(context, target, known, cells) for target in found) if known else found


def outlook(state: CairnState, who: CreatureIx) -> planning.Outlook:
    """What a creature may still plan; and where it is too frail to stand."""
    found = prospect.outlook(state, who)
    merits = _too_near(state, who)
    return replace(found, merits=(*found.merits, *merits)) if merits else found


def _too_near(state: CairnState, who: CreatureIx) -> tuple[planning.Merit, ...]:
    """The same, found once for a position."""
    known = world_of(state).frail
    if who not in known:
        known[who] = tuple(_dreaded(state, who))
    return known[who]


def _dreaded(state: CairnState, who: CreatureIx) -> Iterator[planning.Merit]:
    """The spaces within reach of foes who would most likely fell it with one blow, where it would hardly fell them with
    its own; of several the worst counts. Brutes don't mind."""
    w = load_weights("cairn").cairn.places
    being, figure = state.setup.beings[who], state.figures[who]
    if being.temperament == "brute" or not figure.able:
        return
    dreaded = []
    for danger in prospect.threats_at_first(state, who):
        foe = state.setup.index[danger.by]
        mine = prospect.best_swing(state, who, foe)
        dread = danger.swing.drop - (mine.drop if mine is not None else 0.0)
        if dread > w.frail and danger.now:
            dreaded.append(((dread - w.frail) / (1.0 - w.frail), foe, danger.now))
    within, beside = 0, 1 << figure.cell  # who stands there already gains little by a step back
    value = w.timid * value_of(state, who)
    for share, foe, reached in sorted(dreaded, reverse=True):
        near = state.terrain.touching(reached, being.space)
        yield planning.Merit(near & ~within, -value * share, "too frail to stand here")
        within |= near
        touch = state.terrain.within(state.figures[foe].cell, 1, state.setup.beings[foe].space)
        near = state.terrain.touching(touch, being.space)
        yield planning.Merit(near & ~beside, -w.beside * value * share, "too frail to come beside it")
        beside |= near


def spells(context: Context) -> list[Spell]:
    """What somebody could cast or use at one creature to its harm."""
    return [
        (Action(context.being.id, kind.do, item=name), found)
        for kind in (CAST, USE)
        for name, found in kind.held(context)
        if found.power.needs == "creature" and found.power.area == "one" and not found.power.onto
        if effects.does_harm(found.power)
    ]


def _with_spells(context: Context, target: planning.Target, known: list[Spell], cells: Bitboard) -> planning.Target:
    who = context.setup.index[target.id]
    best, far, vantages = target.best, target.far, list(target.vantages)
    for spell in known:
        swing = _swing(context, who, spell)
        if swing is not None:
            if board := _within(context, who, spell[1].power) & cells:
                vantages.append(planning.Vantage(board, (swing,)))
            far = far or spell[1].power.reach > SHOOTER
            best = max(best, swing, key=_value)
    return replace(target, best=best, far=far, vantages=tuple(vantages))


def _value(swing: planning.Swing) -> float:
    return swing.mean + load_weights("cairn").cairn.places.felled * (swing.drop + swing.side_effect)


def _swing(context: Context, target: CreatureIx, spell: Spell) -> planning.Swing | None:
    """The spell in figures; None where it does nothing to that creature."""
    state, foe, (action, found) = context.state, context.beings[target], spell
    odds = ACTION_KINDS[action.do].odds(context, msgspec.structs.replace(action, target=foe.id))
    share = next((each for each in odds.targets if each.id == foe.id), None) if odds is not None else None
    if share is None or not share.hit:
        return None
    value = value_of(state, target)
    names, cost = effects.conditions_of(found.power), price_of(found)
    side_effect = sum(condition_value(state, target, name, friend=False) for name in names)
    side_effect = share.hit * side_effect / value if value else 0.0
    if not side_effect and not share.mean:
        return None
    return planning.Swing(action.do, None, 1, share.hit, share.mean, share.drop, side_effect=side_effect, cost=cost,
                          item=action.item)  # fmt: skip


def _within(context: Context, target: CreatureIx, power: Power) -> Bitboard:
    """The spaces from which a power reaches somebody."""
    terrain, goal = context.terrain, context.state.figures[target].cell
    own, other = context.being.space, context.beings[target].space
    near = terrain.touching(terrain.within(goal, power.reach, other), own)
    if power.range == "earshot":
        return near
    seen = EMPTY
    for cell in terrain.space(goal, other):
        seen |= view(terrain, cell).minimal
    return near & terrain.touching(seen, own)
