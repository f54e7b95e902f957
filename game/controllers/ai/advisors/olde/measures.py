"""Deeds beside moving and striking, with their purpose: what a planner weighs without trying each of them out.

Everything yielded is legal where it is asked for; most of it is ruled out by a glance before a deed is asked at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from game.controllers.ai.advisors.olde.attacks import (
    Band,
    Guard,
    arms_of,
    fighter_value,
    guard_of,
    harm_of,
    strike,
    swings,
    value_of,
    waking_value,
)
from game.controllers.ai.advisors.olde.magic import measures as magic
from game.controllers.ai.advisors.olde.prospect import situation_of, threats
from game.controllers.ai.advisors.planning import Arm, Defend, Help, Magic, Measure, Mend, Pass, Rise, Seek
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade
from rules.board.grid import Terrain
from rules.board.path import reach
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.units import NOWHERE, Cell, CreatureIx
from rules.core import odds as dist
from rules.core.fixtures import challenges, leaps
from rules.core.fixtures.obstacles import water_at
from rules.core.secrets import Kind as Obstacle
from rules.olde.actions.climbing import Climb, Swim
from rules.olde.actions.hands import FORCE, Ready
from rules.olde.actions.hands import beside as doors_beside
from rules.olde.actions.hands import near as doors_near
from rules.olde.actions.kind import Context, goal_of
from rules.olde.actions.movement import Leap
from rules.olde.actions.obstacles import SEARCHING, SKILLS, Tackle
from rules.olde.actions.social import Assist, FirstAid, Intimidate
from rules.olde.actions.table import ACTION_KINDS
from rules.olde.challenges.checks import (
    MODERATE,
    best_skill,
    burden,
    check_stat,
    help_of,
    skill_adjustment,
    stat_rank,
    stat_value,
)
from rules.olde.combat.attack import odds_of as attack_odds
from rules.olde.combat.reactions import REACTIONS, Parry, RaiseShield, Reaction, prepared, why_no_more
from rules.olde.combat.weapons import PLAIN
from rules.olde.conditions import ASLEEP, SILENCED, SUBMERGED, SWIMMING, feared
from rules.olde.effects import anybody
from rules.olde.gear import THROWN
from rules.olde.magic.actions import UseItem
from rules.olde.statblock import hands_needed
from rules.olde.state import STANDING, Chance, OldeState, Pending, Setup, Stage, able
from rules.olde.traits import CallForHelp

_KEPT = 1024


def measures(state: OldeState) -> Iterator[Measure]:
    """What else is worth a thought in the open chance, in stable order."""
    chance = state.chance
    if chance is None or chance.only:
        return
    context = situation_of(state)
    if not chance.moved and not chance.acted and not context.figure.rooted:
        yield from _movements(context)
    if not chance.acted or not chance.moved:
        yield from _doors(context)
    if not chance.acted and context.left:
        yield from _aid(context)
        yield from _waking(context)
        yield from _gear(context)
        yield from _guard(context)
        if context.setup.obstacles is not None:
            yield from _rubble(context)
        if context.state.found:
            yield from _search(context)
        if context.field.doors or context.setup.obstacles is not None:
            yield from _help(context)
        if "Intimidate" in context.fighter.skills:  # at −2 it is not worth the thought
            yield from _daunt(context)
        if context.fighter.traits.listed:
            yield from _calls(context)
        if context.fighter.spells or (context.figure.items and context.only(UseItem.ap) >= 0):
            yield from magic(context)


def chance_of(context: Context, skill: str, rating: int) -> float:
    """Exact chance of a skill check by whoever is acting (olde.md §3)."""
    stat = check_stat(context.fighter, skill)
    plus = skill_adjustment(context.fighter, skill)
    plus += sum(a.value for a in burden(context.setup, context.fighter, context.figure, stat))
    return dist.chance_at_least(2, stat_rank(context.fighter, stat), rating - plus)


def _priced(context: Context, do: str) -> Iterator[tuple[Action, int]]:
    """The legal actions of a kind, each with what it costs."""
    kind = ACTION_KINDS[do]
    for action in kind.instances(context):
        yield action, kind.cost(context, action)


def _movements(context: Context) -> Iterator[Measure]:
    if context.setup.obstacles is not None:
        yield from _past_obstacles(context)
    if context.figure.posture not in (STANDING, SWIMMING.name):
        for action, cost in _priced(context, "rise"):
            yield Rise(action, cost)
        return
    if context.field.climbs and context.left >= 2:
        for action in ACTION_KINDS["climb"].instances(context):
            if context.setup.obstacles is not None and Climb.obstacle(context, action) is not None:
                continue
            yield Pass(action, 2, cell=action.at if action.at is not None else NOWHERE)
    goals = leaps_from(context.terrain, context.figure.cell) if context.left and context.fighter.space == 1 else ()
    for action in ACTION_KINDS["leap"].instances(context) if goals else ():
        if action.at in goals:
            rating = leaps.DIFFICULTY[len(Leap.gap(context, goal_of(action)) or ())]
            falls = 1.0 - chance_of(context, "Leap", rating - 2)
            chance = chance_of(context, "Leap", rating)
            yield Pass(action, 1, chance, cell=action.at, risk=falls)


def _past_obstacles(context: Context) -> Iterator[Measure]:
    """Climbing and swimming, each to where it is meant to lead."""
    w = load_weights("olde").olde.measures
    for action in ACTION_KINDS["climb"].instances(context):
        obstacle = Climb.obstacle(context, action)
        if obstacle is not None:
            chance = chance_of(context, "Climb", obstacle.difficulty)
            risk = 1.0 - chance_of(context, "Climb", obstacle.difficulty - 2)
            yield Pass(action, 2, chance, cell=goal_of(action), risk=risk * min(1.0, w.fall + obstacle.height))
    water = context.setup.obstacles.water if context.setup.obstacles is not None else 0
    afloat, under = context.figure.posture == SWIMMING.name, SUBMERGED.holds(context.figure)
    for action in ACTION_KINDS["swim"].instances(context):
        rating, end = Swim.rating(context, action.path), action.path[-1]
        chance = chance_of(context, "Swim", rating + 3 * (len(action.path) - 1))
        risk = 1.0 - chance_of(context, "Swim", rating - 2)
        wet = bool(context.terrain.footprint(end, context.fighter.space) & water)
        value = w.ashore if afloat and not wet else -w.ashore if wet and not afloat else 0.0
        value += w.rescue if under else 0.0
        yield Pass(action, Swim.ap, chance, value=value, cell=end, risk=0.0 if afloat else risk)


def leaps_from(terrain: Terrain, cell: Cell) -> tuple[int, ...]:
    """The spaces 2 or 3 off in a straight line that are far to walk to: where leaping may pay. Remembered."""
    key = ("leaps", cell)
    found: tuple[int, ...] | None = terrain.memo.get(key)
    if found is None:
        found = ()
        if terrain.pits or terrain.difficult or any(terrain.field.levels):
            near = reach(terrain, cell, load_weights("olde").olde.measures.detour - 1).cells
            column, row = terrain.field.at(cell)
            for far in (2, 3):
                for x, y in ((sx * far, sy * far) for sx, sy in leaps.LEAPS):
                    if terrain.field.inside(column + x, row + y):
                        goal = terrain.field.cell(column + x, row + y)
                        if terrain.fits(goal) and not near >> goal & 1:
                            found += (goal,)
        terrain.memo[key] = found
    return found


def _doors(context: Context) -> Iterator[Measure]:
    if not context.field.doors or not context.left:
        return
    for do in ("open", "unlock"):
        for action in ACTION_KINDS[do].instances(context):
            yield Pass(action, 1)
    for action, cost in _priced(context, "force"):
        door = next(d for d in context.field.doors if d.id == action.target)
        chance = chance_of(context, action.option or "Burst", door.difficulty)
        yield Pass(action, cost, chance)


def _aid(context: Context) -> Iterator[Measure]:
    if not any(g.dying or g.bleeding for g in context.state.figures):
        return
    for action, cost in _priced(context, "first_aid"):
        rating = FirstAid.rating(context, context.setup.index[action.target or ""])
        yield Mend(action, cost, chance_of(context, "Healing", rating))
    cost = context.only(FirstAid.ap)
    for who in FirstAid.patients(context) if cost >= 0 else ():
        if context.distance(who) > 1:  # worth going to
            fighter, cell = context.setup.fighters[who], context.state.figures[who].cell
            action = Action(context.fighter.id, FirstAid.do, target=fighter.id)
            chance = chance_of(context, "Healing", FirstAid.rating(context, who))
            yield Mend(action, cost, chance, cells=context.terrain.within(cell, 1, fighter.space))


def _waking(context: Context) -> Iterator[Measure]:
    """A sleeping ally beside one is led a step, which wakes it."""
    if not anybody(context.state.figures, ASLEEP.name):
        return
    woken: set[str] = set()
    for action, cost in _priced(context, "guide"):
        sleeper = context.setup.index[action.target or ""]
        if action.at is not None and action.target not in woken and ASLEEP.holds(context.state.figures[sleeper]):
            woken.add(action.target or "")
            value = waking_value() * fighter_value(context.setup.fighters[sleeper])
            yield Magic(action, cost, value=value)


def _rubble(context: Context) -> Iterator[Measure]:
    """Clearing rubble beside one, by the skill that does it best; what is won is the way as far as the next space."""
    near = {challenge.id: challenge for _, challenge in Tackle.near(context) if challenge.kind == Obstacle.RUBBLE}
    if not near:
        return
    here, size = context.figure.cell, context.fighter.space
    for action, cost in _priced(context, "tackle"):
        challenge = near.get(action.item or "")
        if challenge is None or action.option != best_skill(context.fighter, SKILLS[Obstacle.RUBBLE]):
            continue
        nearest = challenges.next_of(context.terrain, challenge, context.state.cleared, here, size)[0]
        chance = chance_of(context, action.option or "Burst", challenge.difficulty)
        yield Pass(action, cost, chance, cell=nearest)


def _search(context: Context) -> Iterator[Measure]:
    """Where a search is worth a thought, whoever plans knows; what is hidden, and how well, nobody does."""
    cost = context.only(3)
    if cost < 0:
        return
    memo, figure = context.setup.memo, context.figure
    key = ("searching", context.who, figure.hands, figure.effects)
    chance: float | None = memo.get(key)
    if chance is None:
        chance = memo[key] = chance_of(context, best_skill(context.fighter, SEARCHING), MODERATE)
    yield Seek(Action(context.fighter.id, "search"), cost, chance, anywhere=True)


def _help(context: Context) -> Iterator[Measure]:
    """A hand for a neighbour at a lock, or for one who is under water."""
    side = context.fighter.side
    if context.left < Assist.ap:
        return
    near = [(f, g) for i, f, g in context.others() if f.side == side and able(g) and context.distance(i) <= 1]
    if not any(SUBMERGED.holds(g) or doors_near(context.terrain, g.cell, f.space) for f, g in near):
        return
    for action in ACTION_KINDS["assist"].instances(context):
        ally, skill = context.setup.index[action.target or ""], action.option or ""
        other = Context(context.state, Chance(ally))
        drowning = skill == "Swim" and SUBMERGED.holds(other.figure)
        if help_of(other.setup, other.figure, skill)[1] or not (drowning or skill in FORCE.SKILLS):
            continue
        if drowning:
            water = water_at(context.field, context.terrain.footprint(other.figure.cell, other.fighter.space))
            rating = water.difficulty if water is not None else MODERATE
            gain = _gained(context, other, skill, rating)
            yield Help(action, Assist.ap, gain, value=load_weights("olde").olde.measures.rescue)
            continue
        for number in doors_beside(other):
            door = context.field.doors[number]
            if FORCE.why_not_door(other, number) is None and FORCE.best(other.fighter, door) == skill:
                gain = _gained(context, other, skill, door.difficulty)
                yield Help(action, Assist.ap, gain, door=door.id)


def _gained(context: Context, other: Context, skill: str, rating: int) -> float:
    """The chance that a neighbour succeeds with help and would have failed without (olde.md §3 assisted)."""
    w = load_weights("olde").olde.measures
    base, gain = chance_of(other, skill, rating), 0.0
    need = stat_value(other.fighter, check_stat(other.fighter, skill))
    for bonus in range(1, w.most_help + 1):
        more = chance_of(context, skill, need + 2 * (bonus - 1))
        less = chance_of(context, skill, need + 2 * bonus) if bonus < w.most_help else 0.0
        gain += (more - less) * (chance_of(other, skill, rating - bonus) - base)
    return gain


def _daunt(context: Context) -> Iterator[Measure]:
    """Foes to be frightened, above all those who could strike one soon: the others will have got over it."""
    if context.left < Intimidate.ap:
        return
    w, here = load_weights("olde").olde.measures, context.terrain.footprint(context.figure.cell, context.fighter.space)
    soon = {threat.by for threat in threats(context.state, context.who) if threat.later & here}
    afraid = {context.setup.fighters[i].id for i in feared(context.figure)} if context.figure.effects else ()
    for action in ACTION_KINDS["intimidate"].instances(context):
        if action.target in afraid:
            continue
        odds = ACTION_KINDS["intimidate"].odds(context, action)
        if odds is not None:
            target = context.setup.index[action.target or ""]
            value = odds.hit * w.frightening * value_of(context.state, target)
            value *= 1.0 if action.target in soon else w.aloof
            yield Magic(action, Intimidate.ap, odds.hit, value=value)


def _guard(context: Context) -> Iterator[Measure]:
    shields = context.setup.armoury.shields
    if context.left >= 2 and any(item in shields for item in context.figure.hands):
        for action in ACTION_KINDS["shield_block"].instances(context):
            yield Defend(action, 2, anywhere=True, value=2.0)


# ------------------------------------------------------------------------------------------------ gear


def _gear(context: Context) -> Iterator[Measure]:
    """Taking up, putting away and making ready, by how much harder one strikes afterwards."""
    figure, loose = context.figure, context.state.floor
    if not (figure.pack or loose or figure.unset):
        return
    foe = _nearest(context)
    if figure.pack:
        for action, gain in _readied(context, foe):
            yield Arm(action, 1, anywhere=True, value=gain)
    for action in ACTION_KINDS["pick_up"].instances(context) if loose else ():
        hands, armoury = (*figure.hands, action.item or ""), context.setup.armoury
        if not (action.item in armoury.weapons or action.item in armoury.shields):
            continue  # treasure waits until the fight is over
        if hands_needed(armoury, hands) <= 2:
            yield Arm(action, 1, value=_gain(context, foe, hands, figure.unset))
    for action, cost in _priced(context, "reset_crossbow") if figure.unset else ():
        yield Arm(action, cost, anywhere=True, value=_gain(context, foe, figure.hands, ()))


class _Foe(NamedTuple):
    """Whom one arms against: the nearest foe, or oneself if there is none."""

    who: CreatureIx
    apart: int
    """Spaces to it."""
    guard: Guard

    @property
    def close(self) -> bool:
        """Whether it is near enough to arm for melee against it."""
        return self.apart <= load_weights("olde").olde.measures.close


def _nearest(context: Context) -> _Foe:
    w = load_weights("olde").olde.measures
    side = context.fighter.side
    foes = [(context.distance(i), i) for i, f, g in context.others() if f.side != side and g.hp > 0]
    distance, foe = min(foes, default=(w.close + 1, context.who))
    return _Foe(foe, distance, guard_of(context.state, foe))


def _readied(context: Context, foe: _Foe) -> tuple[tuple[Action, float], ...]:
    """Each change of what is in hand that makes one strike harder, and by how much. Remembered."""
    figure, memo = context.figure, gains_of(context.setup, context.who)
    key = (figure.hands, figure.pack, figure.posture, figure.unset, figure.ammunition == 0, figure.effects, foe.apart,
           foe.guard)  # fmt: skip
    found: tuple[tuple[Action, float], ...] | None = memo.get(key)
    if found is None:
        if len(memo) > _KEPT:
            memo.clear()
        ready = ACTION_KINDS["ready"]
        assert isinstance(ready, Ready)
        gains = []
        for action in ready.instances(context):
            wanted = ready.wanted(context, action)
            gain = _gain(context, foe, wanted, figure.unset) if wanted else 0.0
            if gain > 0.0:
                gains.append((action, gain))
        found = memo[key] = tuple(gains)
    return found


@lru_cache(maxsize=256)
def gains_of(setup: Setup, who: CreatureIx) -> dict[object, tuple[tuple[Action, float], ...]]:
    """What is remembered of how somebody could arm."""
    return {}


def _gain(context: Context, foe: _Foe, hands: tuple[str, ...], unset: tuple[str, ...]) -> float:
    """Mean damage gained for each plain blow, were so much in hand; beside the foe, if it is close."""
    return _force(context, foe, hands, unset) - _force(context, foe, context.figure.hands, context.figure.unset)


def _force(context: Context, foe: _Foe, hands: tuple[str, ...], unset: tuple[str, ...]) -> float:
    figures = list(context.state.figures)
    figures[context.who] = msgspec.structs.replace(context.figure, hands=hands, unset=unset)
    state = msgspec.structs.replace(context.state, figures=tuple(figures))
    arms, best, w = arms_of(state, context.who), 0.0, load_weights("olde").olde.measures
    close = foe.close
    for number, band in enumerate(arms.bands):
        if close and not band.near <= 1 <= band.far:
            continue
        for swing in swings(state, context.who, arms, foe.who, foe.guard, band=number, grade=Grade.CLEAR):
            if swing.do == PLAIN.do:
                strength = swing.mean + harm_of(swing, foe.guard)
                if not close:
                    reach = 1 if _leaves(context, band, swing.weapon) else band.far
                    strength *= w.nearer / (w.nearer + max(0, foe.apart - reach))
                best = max(best, strength * (1.0 if swing.points <= 2 else w.slow))
    return best


def _leaves(context: Context, band: Band, weapon: str | None) -> bool:
    """Whether a weapon that strikes at some distance is thrown there: it does so once."""
    modes = context.setup.armoury.weapons[weapon or "unarmed"].modes
    return any(use.weapon == weapon and modes[use.mode].kind == THROWN for use in band.uses)


def _calls(context: Context) -> Iterator[Measure]:
    """What a call is worth to an AI: so many allies awake, from wherever all of them or one of them hears it."""
    call = context.fighter.traits.of(CallForHelp)
    if call is None or context.pay(CallForHelp.points) or SILENCED.holds(context.figure):
        return
    earshot, gain, everybody = [], 0.0, context.terrain.everywhere
    for _, fighter, figure in context.others():
        if fighter.side == context.fighter.side and ASLEEP.holds(figure) and figure.hp > 0:
            near = context.terrain.within(figure.cell, call.spaces, fighter.space)
            cells = context.terrain.touching(near, context.fighter.space)
            value = waking_value() * fighter_value(fighter)
            earshot.append((cells, value))
            everybody, gain = everybody & cells, gain + value
    if len(earshot) > 1:
        earshot.insert(0, (everybody, gain))
    for cells, value in earshot:
        if cells:
            action = Action(context.fighter.id, "call_for_help")
            yield Magic(action, CallForHelp.points, cells=cells, value=value)


def answer_benefit(state: OldeState, answer: str) -> float:
    """What an answer to the attack under way is worth, what the attack may do counted in; 0 where there is none."""
    if not state.pending:
        return 0.0
    attack = state.pending[-1]
    loss = 0.0 if attack.stage is Stage.STRUCK else _loss(state, attack)
    reaction = REACTIONS.get(answer)
    if reaction is None:
        return -loss
    chance = reaction.chance(state, attack)
    return _answer_gain(state, attack, reaction, chance, loss) - _price(state, attack, reaction.ap)


def _answer_gain(state: OldeState, attack: Pending, reaction: Reaction, chance: float, loss: float) -> float:
    """What it gains less what the attack still costs."""
    if isinstance(reaction, Parry):
        return -(1.0 - chance) * loss - chance * load_weights("olde").olde.reactions.parry_price
    if isinstance(reaction, RaiseShield):
        raised = msgspec.structs.replace(attack, extra=reaction.raised(state, attack))
        return -chance * _loss(state, raised) - (1.0 - chance) * loss
    back = reaction.struck_back(state, attack)
    assert back is not None
    blow = attack_odds(state.setup, state.figures, prepared(state, back))
    gain = chance * _share(state, attack.attacker, blow)
    spared = chance * (blow.drop + blow.stun) * loss
    return gain + spared - loss


def _loss(state: OldeState, attack: Pending) -> float:
    """What the attack takes from its target, in units of worth."""
    if why_no_more(state, attack):
        return 0.0
    return _share(state, attack.target, attack_odds(state.setup, state.figures, prepared(state, attack)))


def _share(state: OldeState, who: CreatureIx, odds: Odds) -> float:
    health = max(1, state.figures[who].hp)
    return value_of(state, who) * (min(1.0, odds.mean / health) + odds.drop)


def _price(state: OldeState, attack: Pending, ap: int) -> float:
    """What these AP could have done: the plain blows that they would have paid for in this turn."""
    w = load_weights("olde").olde.reactions
    figure = state.figures[attack.target]
    lost = figure.ap // 2 - (figure.ap - ap) // 2
    own = strike(state, attack.target, attack.attacker, figure.cell, state.figures[attack.attacker].cell)
    if own is None or not lost:
        return w.point * ap
    health = max(1, state.figures[attack.attacker].hp)
    return w.point * ap + lost * value_of(state, attack.attacker) * (min(1.0, own.mean / health) + own.drop)
