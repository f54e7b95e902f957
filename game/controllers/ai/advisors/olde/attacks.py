"""Attacks in bulk, for valuations: what a creature strikes with at each distance, and what each blow is worth.

The figures are those of `odds_of` (combat/attack.py), remembered for all fights by everything that they depend on: how
an attacker of this build is armed and placed, how a target of that build is guarded, the distance's band and the line
of sight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from game.controllers.ai.advisors.planning import Swing
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade, cells_of
from rules.board.sight import seen_from, visible
from rules.contract.units import Bitboard, Cell, CreatureIx, numbered
from rules.core import odds as dist
from rules.olde.actions.kind import ROUND_LIMIT, Context
from rules.olde.challenges.checks import burden, resilience, stat_rank
from rules.olde.combat.attack import Adjustments, AttackDice, AttackTable, attack_table, on_attack, prepare, stunning
from rules.olde.combat.weapons import MANNERS, PLAIN, Armed, builds_of, damage_faces, mode_for, wielded
from rules.olde.conditions import ASLEEP, BLEEDING, STUNNED, Forbid, forbidden
from rules.olde.effects import total
from rules.olde.gear import FIRE, Weapon
from rules.olde.state import STANDING, Chance, Fighter, Figure, Memory, OldeState, Setup, Striking, Trait, Traits
from rules.olde.traits import BURNT, TRAITS, DeathBurst, Frenzy, Hold, LifeDrain, Regeneration, Rider, Split
from rules.olde.visibility import lamps
from rules.olde.visibility import sight as sight_of


def waking_value() -> float:
    """What waking an ally is worth, in parts of its value."""
    return load_weights("olde").olde.wounds.woken


class Burst(NamedTuple):
    """What it does to whom if somebody is felled where it stands."""

    spaces: int
    others: tuple[tuple[str, float, float], ...]
    """(creature, mean damage, chance to drop it) for all near it but one."""
    own: tuple[float, float]
    """The same for that one, were it near."""


def burst_of(state: OldeState, who: CreatureIx, by: CreatureIx) -> Burst:
    """The burst of a creature, `by` being told apart from the others."""
    fighters, figures = state.setup.fighters, state.figures
    fighter, cell = fighters[who], figures[who].cell
    trait = fighter.traits.of(DeathBurst)
    assert trait is not None
    others = []
    for i, figure in numbered(figures):
        other = fighters[i]
        if i in (who, by) or figure.cell < 0 or figure.hp <= -other.hp_max:
            continue
        if state.terrain.distance(cell, figure.cell, fighter.space, other.space) <= trait.spaces:
            others.append((other.id, *_struck(state, i, trait.die)))
    return Burst(trait.spaces, tuple(others), _struck(state, by, trait.die))


def _struck(state: OldeState, who: CreatureIx, die: int) -> tuple[float, float]:
    fighter, figure = state.setup.fighters[who], state.figures[who]
    soak = fighter.armor.reduction if fighter.armor else 0
    return _harm(die, soak + (total(figure, "armor") if figure.effects else 0), figure.hp)


@lru_cache(maxsize=1024)
def _harm(die: int, soak: int, hp: int) -> tuple[float, float]:
    """(mean damage, chance to drop) of a die less armor on somebody with so many hit points."""
    mean = drop = 0.0
    for face, chance in enumerate(dist.dice_sum(1, die, False)):
        hurt = max(0, face - soak)
        mean += hurt * chance
        drop += chance if 0 < hp <= hurt else 0.0
    return mean, drop


def with_burst(swing: Swing, burst: Burst, near: bool) -> Swing:
    """A blow with what comes of felling its target; `near`: whether the burst takes in who strikes it."""
    if swing.drop <= 0.0:
        return swing
    more = tuple((name, swing.drop * mean, swing.drop * drop) for name, mean, drop in burst.others)
    own = (("", swing.drop * burst.own[0], swing.drop * burst.own[1]),) if near else ()
    return replace(swing, fallout=(*swing.fallout, *more, *own))


class Fate(NamedTuple):
    """All of somebody that decides what a wound leads to."""

    hp: int
    most: int
    regains: int
    """Hit points that come back at the next reset."""
    splits: int
    frenzy: int
    """What a wound that leaves it below half of its hit points would add to its blows."""
    asleep: bool

    @property
    def rises(self) -> bool:
        """Down, but not for good: more comes back at each reset than dying takes."""
        return self.hp <= 0 and self.hp > -self.most and self.regains > 1


def rises(fighter: Fighter, figure: Figure) -> bool:
    """Whether somebody who is down will be up again by itself."""
    if fighter.traits.of(Regeneration) is None:
        return False
    fate = fate_of(fighter, figure)
    return fate is not None and fate.rises


def fate_of(fighter: Fighter, figure: Figure) -> Fate | None:
    """What becomes of a creature when it is wounded; None where nothing does but what becomes of everybody."""
    traits = fighter.traits
    asleep = ASLEEP.holds(figure)
    if not traits.listed:
        return Fate(figure.hp, fighter.hp_max, regains=0, splits=0, frenzy=0, asleep=True) if asleep else None
    heals, parts, rage = traits.of(Regeneration), traits.of(Split), traits.of(Frenzy)
    regains = heals.bonus if heals is not None and not BURNT.holds(figure) else 0
    frenzy = rage.bonus if rage is not None and 2 * figure.hp >= fighter.hp_max else 0
    splits = parts.bonus if parts is not None else 0
    if not (regains or splits or frenzy or asleep):
        return None
    return Fate(figure.hp, fighter.hp_max, regains=regains, splits=splits, frenzy=frenzy, asleep=asleep)


@lru_cache(maxsize=8192)
def aftermath(fate: Fate, tails: tuple[float, ...], burns: bool) -> float:
    """What comes of a blow beside its damage, in parts of felling its target; `tails[n]` = chance of n damage or more,
    `burns`: by fire. Below 0 where a target gains by it."""
    total = 0.0
    for hurt in range(1, len(tails) - 1):
        chance = tails[hurt] - tails[hurt + 1]
        if chance > 0.0:
            total += chance * (_upright if fate.hp > 0 else _lying)(fate, hurt, burns)
    return total


def _upright(fate: Fate, hurt: int, burns: bool) -> float:
    w = load_weights("olde").olde.wounds
    left = fate.hp - hurt
    if left <= 0:
        if burns or fate.regains <= 1 or left <= -fate.most:
            return 0.0
        return -w.rises if left - 1 + fate.regains > 0 else -w.rises_late
    value = 0.0
    if burns:
        value += min(fate.regains, fate.most - left) / fate.hp
    elif fate.splits and left >= 2 * fate.splits:
        value -= w.divided
    if fate.frenzy and 2 * left < fate.most:
        value -= min(w.rises, w.frenzied * fate.frenzy)
    return value - (w.roused if fate.asleep else 0.0)


def _lying(fate: Fate, hurt: int, burns: bool) -> float:
    """One who lies there and would rise is worth a blow, and most of all one who would rise at once."""
    w = load_weights("olde").olde.wounds
    if not fate.rises:
        return 0.0
    left, regains = fate.hp - hurt, 0 if burns else fate.regains
    soon = fate.hp - 1 + fate.regains > 0
    halted = w.halted if soon and (left <= -fate.most or left - 1 + regains <= 0) else 0.0
    return halted + w.finished * min(1.0, (hurt + fate.regains - regains) / (fate.hp + fate.most))


@lru_cache(maxsize=4096)
def side_effect_of(riders: tuple[Trait, ...], rank: int, plus: int, bloodless: bool) -> float:
    """What a hit carries beside its damage, in parts of felling the target; its check's rank and adjustments given."""
    w, side_effect = load_weights("olde").olde.wounds, 0.0
    for trait in riders:
        if isinstance(trait, Rider) and trait.name in w.side_effects and not (bloodless and trait.of_blood):
            side_effect += w.side_effects[trait.name] * (1.0 - dist.chance_at_least(2, rank, trait.rating - plus))
    return min(w.most, side_effect)


_KEPT = 1 << 14
NEAR = 4
"""Who strikes no farther than so many spaces is measured space by space; of shooters a few spaces are looked at."""
_NEVER = 1 << 20
"""Most hit points of one whom no blow stuns."""


class Use(NamedTuple):
    """One kind of attack with one weapon, used in one mode."""

    do: str
    weapon: str
    mode: int
    points: int


class Band(NamedTuple):
    """Distances, in spaces, at which the same attacks can be made at the same penalty."""

    near: int
    far: int
    uses: tuple[Use, ...]


Edge = tuple[int, int, int, int, int, int]
"""What traits add as everybody stands: to attack and damage in melee, then to shots; hit points that may be drained;
advantage."""
NO_EDGE: Edge = (0, 0, 0, 0, 0, 0)


@dataclass(slots=True, eq=False)
class Guard:
    """How somebody is guarded: all of a target that a blow's figures depend on."""

    hp: int
    melee: tuple[int, int, int]
    """(rank of the Defense dice, 0 = none thrown; adjustments; armor)."""
    ranged: tuple[int, int, int]
    nerve: tuple[int, int, int]
    """(most hit points, rank of the dice against a stunning blow, adjustments)."""
    bloodless: bool
    suffers: tuple[str, ...] = ()
    """The traits whose harm it has on it already: more of them does nothing."""
    fate: Fate | None = None
    """What a wound leads to, if to anything out of the ordinary."""


@dataclass(slots=True, eq=False)
class Arms:
    """How somebody strikes as it stands now: its bands, and what is known of each blow's dice."""

    bands: tuple[Band, ...]
    edge: Edge
    traits: Traits
    span: int = field(init=False)
    """The farthest distance that it strikes at all."""
    attacks: dict[tuple[int, int, Grade, bool], tuple[int, ...]] = field(init=False, default_factory=dict)
    """(band, use, grade, helpless target) -> the attacker's half of a blow."""
    swings: dict[tuple[int, Grade, Guard], tuple[Swing, ...]] = field(init=False, default_factory=dict)
    best: dict[Guard, Swing | None] = field(init=False, default_factory=dict)
    """The best plain attack on somebody guarded so."""

    def __post_init__(self) -> None:
        self.span = max((band.far for band in self.bands), default=0)


_arms: dict[object, Arms] = {}
_guards: dict[object, Guard] = {}


def arms_of(state: OldeState, who: CreatureIx, edge: Edge = NO_EDGE) -> Arms:
    """How a creature strikes as it stands now; `edge`: what its traits add against somebody (`edge_on`)."""
    f, memo = state.figures[who], state.setup.memo
    last: tuple[Figure, Edge, Arms] | None = memo.get(("arms", who))
    if last is not None and last[0] is f and last[1] == edge:  # it is as it was when asked last
        return last[2]
    key = (builds_of(state.setup)[who], f.hands, f.posture, f.unset, f.ammunition == 0, f.effects, edge)
    found = _arms.get(key)
    if found is None:
        if len(_arms) >= _KEPT:
            _arms.clear()
        found = _arms[key] = Arms(_bands(Context(state, Chance(who))), edge, state.setup.fighters[who].traits)
    memo["arms", who] = f, edge, found
    return found


def edge_on(state: OldeState, who: CreatureIx, target: CreatureIx, covered: int = 0) -> Edge:
    """What the traits of a creature add to its blows on another as everybody else stands now, `covered` spaces from
    where its chance began."""
    setup = state.setup
    favour = 0
    if setup.advantage:
        favour = on_attack(state, who, state.figures[who].cell, target, state.figures[target].cell)[0]
    traits = setup.fighters[who].traits
    drains = traits.of(LifeDrain) is not None
    if not (traits.modify_attack or drains):
        return (0, 0, 0, 0, 0, favour) if favour else NO_EDGE
    at = Striking(setup, state.figures, state.terrain, who, target, covered=covered)
    melee, shots = at.adjustments(), at._replace(ranged=True).adjustments()
    plus = [sum(a.value for a in some if a.to == to) for some in (melee, shots) for to in ("attack", "damage")]
    missing = setup.fighters[who].hp_max - state.figures[who].hp if drains else 0
    return plus[0], plus[1], plus[2], plus[3], missing, favour


def _bands(context: Context) -> tuple[Band, ...]:
    setup = context.setup
    weapons = [setup.armoury.weapons[name] for name in wielded(context)]
    weapons = [w for w in weapons if w.modes[0].skill != "Sling" or "Sling" in context.fighter.skills]
    order = sorted({start for weapon in weapons for start in _starts(weapon)})
    bands = []
    for near, after in zip(order, order[1:], strict=False):
        uses = []
        for manner in MANNERS.values() if setup.advanced else (PLAIN,):
            for weapon in weapons:
                at = mode_for(context, weapon, manner, near)
                if at >= 0:
                    # a crossbow that must be reset first: at least one more point
                    points = manner.ap + (weapon.name in context.figure.unset)
                    uses.append(Use(manner.do, weapon.name, at, min(points, ROUND_LIMIT)))
        if uses:
            bands.append(Band(near, after - 1, tuple(uses)))
    return tuple(bands)


def _starts(weapon: Weapon) -> set[int]:
    """The distances at which something about a weapon's use changes."""
    starts: set[int] = set()
    for mode in weapon.modes:
        starts |= {mode.near, mode.far + 1}
        if mode.ranged:
            starts.add(2)
            limit = mode.base
            while limit < mode.far:
                starts.add(limit + 1)
                limit *= 2
    return starts


def guard_of(state: OldeState, who: CreatureIx) -> Guard:
    """How a creature is guarded as it stands now."""
    f, memo = state.figures[who], state.setup.memo
    last: tuple[Figure, Guard] | None = memo.get(("guard", who))
    if last is not None and last[0] is f:
        return last[1]
    key = (
        builds_of(state.setup)[who], f.hp, f.hands, f.posture, f.temp_defense, f.temp_block, f.stunned > 0, f.effects,
        f.rooted, f.slowed, f.bleeding,
    )  # fmt: skip
    found = _guards.get(key)
    if found is None:
        if len(_guards) >= _KEPT:
            _guards.clear()
            _arms.clear()
        found = _guards[key] = _guard(state, who, f)
    memo["guard", who] = f, found
    return found


def _guard(state: OldeState, who: CreatureIx, figure: Figure) -> Guard:
    setup, fighter = state.setup, state.setup.fighters[who]
    halves = []
    for ranged in (False, True):
        weapon, mode = _any_mode(setup, ranged)
        blow = prepare(setup, state.figures, who, who, Armed(weapon, mode), distance=1, grade=Grade.CLEAR)
        halves.append((blow.defense_rank, blow.defense_total, blow.armor))
    stat = resilience(fighter)
    plus = sum(a.value for a in burden(setup, fighter, figure, stat))
    immune = fighter.traits.immune
    most = _NEVER if STUNNED.name in immune else fighter.hp_max
    nerve = (most, stat_rank(fighter, stat), plus)
    suffers = tuple(rider.name for rider in _RIDERS if rider.suffered(figure))
    fate, bloodless = fate_of(fighter, figure), BLEEDING.name in immune
    return Guard(max(0, figure.hp), halves[0], halves[1], nerve, bloodless, suffers, fate)


_RIDERS = tuple(kind() for kind in TRAITS.values() if issubclass(kind, Rider))


def _any_mode(setup: Setup, ranged: bool) -> tuple[Weapon, int]:
    """Some weapon and mode to measure a guard with: a guard tells only melee from ranged."""
    ways = ((weapon, i) for weapon in setup.armoury.weapons.values() for i in range(len(weapon.modes)))
    return next((way for way in ways if way[0].modes[way[1]].ranged == ranged), (setup.armoury.weapons["unarmed"], 0))


def best_of(state: OldeState, by: CreatureIx, arms: Arms, target: CreatureIx, guard: Guard) -> Swing | None:
    """The best plain attack on a target in clear sight, whatever the distance; None for one who can't strike."""
    if guard in arms.best:
        return arms.best[guard]
    best: Swing | None = None
    for number in range(len(arms.bands)):
        for swing in swings(state, by, arms, target, guard, band=number, grade=Grade.CLEAR)[:1]:
            if best is None or _force(swing, guard) > _force(best, guard):
                best = swing
    arms.best[guard] = best
    return best


def swings(
    state: OldeState, by: CreatureIx, arms: Arms, target: CreatureIx, guard: Guard, *, band: int, grade: Grade
) -> tuple[Swing, ...]:
    """The best attack of each kind in a band, along a line of sight, on somebody guarded so."""
    key = (band, grade, guard)
    found = arms.swings.get(key)
    if found is None:
        if len(arms.swings) >= _KEPT:
            arms.swings.clear()
            arms.best.clear()
        best: dict[str, Swing] = {}
        for number, use in enumerate(arms.bands[band].uses):
            attack = _attack(state, by, arms, target, guard, band=band, number=number, grade=grade)
            table = _table(state.setup.memory, attack, guard)
            swing = _swing(use, table, guard)
            if arms.traits.after_hit:
                swing = _with_riders(state, arms, swing, guard, table)
            if guard.fate is not None:
                burns = state.setup.armoury.weapons[use.weapon].element == FIRE
                swing = replace(swing, side_effect=swing.side_effect + aftermath(guard.fate, table.tails, burns))
            known = best.get(use.do)
            if known is None or _force(swing, guard) > _force(known, guard):
                best[use.do] = swing
        found = arms.swings[key] = tuple(best.values())
    return found


def _force(swing: Swing, guard: Guard) -> float:
    """What of two blows of a kind is the better, in points of damage."""
    w = load_weights("olde").olde.attacks
    if guard.hp <= 0:
        return swing.side_effect
    drained = -sum([mean for _, mean, _ in swing.fallout]) if swing.fallout else 0.0
    return swing.mean + w.felled * swing.drop + harm_of(swing, guard) + w.drained * drained


def harm_of(swing: Swing, guard: Guard) -> float:
    """What else comes of a blow than its damage, as if it were damage."""
    return swing.side_effect * max(1, guard.hp)


def _swing(use: Use, table: AttackTable, guard: Guard) -> Swing:
    drop = table.tail(guard.hp) if guard.hp > 0 else 0.0
    stun = stunning(table, guard.hp, *guard.nerve) if guard.hp > 0 else 0.0
    exposed = MANNERS[use.do].exposes
    return Swing(use.do, use.weapon, use.points, table.hit, mean=table.mean, drop=drop, stun=stun, exposed=exposed)


def _with_riders(state: OldeState, arms: Arms, swing: Swing, guard: Guard, table: AttackTable) -> Swing:
    weapon = state.setup.armoury.weapons[swing.weapon or "unarmed"]
    riders = tuple(t for t in arms.traits.riders(weapon) if t.name not in guard.suffers)
    if arms.edge[4] and any(isinstance(t, LifeDrain) for t in riders):
        back = table.halves(arms.edge[4])
        swing = replace(swing, fallout=(("", -back, 0.0),))
    _, rank, plus = guard.nerve
    side_effect = side_effect_of(riders, rank, plus, guard.bloodless) if riders and guard.hp > 0 else 0.0
    if not side_effect:
        return swing
    holds = (1.0 - dist.chance_at_least(2, rank, t.rating - plus) for t in riders if isinstance(t, Hold))
    return replace(swing, side_effect=swing.hit * side_effect, held=swing.hit * max(holds, default=0.0))


def _table(memory: Memory, attack: tuple[int, ...], guard: Guard) -> AttackTable:
    rank, edge, finesse, ranged, damage, halved, top, plus, favour = attack
    defense, guarded, armor = guard.ranged if ranged else guard.melee
    return attack_table(
        memory,
        AttackDice(
            attack_rank=rank, defense_rank=defense, edge=edge - guarded, finesse=bool(finesse), rank=damage,
            halved=bool(halved), top=top, plus=plus, armor=armor, advantage=favour,
        )
    )  # fmt: skip


def _attack(
    state: OldeState, by: CreatureIx, arms: Arms, target: CreatureIx, guard: Guard, *, band: int, number: int,
    grade: Grade,
) -> tuple[int, ...]:  # fmt: skip
    """The attacker's half: rank, adjustments, Finesse?, ranged?, damage rank, halved?, top, adjustments, advantage."""
    key = (band, number, grade, not guard.melee[0])
    found = arms.attacks.get(key)
    if found is None:
        setup, use, near = state.setup, arms.bands[band].uses[number], arms.bands[band].near
        armed, manner = Armed(setup.armoury.weapons[use.weapon], use.mode), MANNERS[use.do]
        blow = prepare(setup, state.figures, by, target, armed, distance=near, grade=grade, manner=manner)
        rank, halved, top = damage_faces(setup.fighters[by], armed)
        edge = arms.edge[2:4] if blow.mode.ranged else arms.edge[:2]
        found = arms.attacks[key] = (
            blow.attack_rank, blow.attack_total + edge[0], blow.mode.finesse, blow.mode.ranged, rank, halved, top,
            blow.damage_total + edge[1], arms.edge[5],
        )  # fmt: skip
    return found


FRESH_POINTS = 3
"""AP that a creature is taken to have when it is asked what it could do in a fresh chance."""


class Strike(NamedTuple):
    """The best plain attack of one creature on another, from given spaces."""

    hit: float
    mean: float
    """Mean damage."""
    drop: float


def spots(state: OldeState, who: CreatureIx) -> dict[Cell, int]:
    """Cells where a creature could end its movement in one fresh chance -> AP it takes; 0 for where it stands."""
    figure = state.figures[who]
    if figure.cell < 0 or figure.hp <= 0:
        return {}
    out = {figure.cell: 0}
    if figure.stunned or figure.rooted or figure.posture != STANDING or forbidden(figure, Forbid.MOVE):
        return out
    context = Context(state, Chance(who))
    budget = 1 if forbidden(figure, Forbid.HURRY) else min(FRESH_POINTS, max(1, figure.ap))
    found = context.reach(budget + figure.free)
    costs = found.cost
    for cell in cells_of(found.cells):
        out[cell] = max(0, costs[cell] - figure.free)
    return out


def strike(state: OldeState, by: CreatureIx, target: CreatureIx, start: Cell, goal: Cell) -> Strike | None:
    """The best plain attack of `by` standing at `start` on `target` standing at `goal`, or None."""
    setup, terrain = state.setup, state.terrain
    fighter, foe = setup.fighters[by], setup.fighters[target]
    victim = state.figures[target]
    if victim.hp <= -foe.hp_max or start < 0 or goal < 0:
        return None
    context = Context(state, Chance(by))
    distance = terrain.distance(start, goal, fighter.space, foe.space)
    best: Strike | None = None
    felled = load_weights("olde").olde.attacks.felled
    sight: Grade | None = None
    for name in wielded(context):
        weapon = setup.armoury.weapons[name]
        at = mode_for(context, weapon, PLAIN, distance)
        if at < 0 or (weapon.modes[at].skill == "Sling" and "Sling" not in fighter.skills):
            continue
        if sight is None:
            sight = sight_of(state, by, start, target, goal)
        if sight is Grade.NONE:
            return None
        favour, extra = on_attack(state, by, start, target, goal)
        if fighter.traits.modify_attack:
            extra += _edge(state, by, target, weapon.modes[at].ranged, start)
        attack = prepare(
            setup, state.figures, by, target, Armed(weapon, at), distance=distance, grade=sight, extra=extra
        )
        table = attack_table(setup.memory, AttackDice.of(attack, fighter, favour))
        found = Strike(table.hit, table.mean, table.tail(victim.hp) if victim.hp > 0 else 0.0)
        if best is None or found.mean + felled * found.drop > best.mean + felled * best.drop:
            best = found
    return best


def _edge(state: OldeState, by: CreatureIx, target: CreatureIx, ranged: bool, start: Cell) -> Adjustments:
    """What traits add to a blow from a space, as everybody else stands now."""
    chance, begun = state.chance, state.figures[by].cell
    if chance is not None and chance.who == by and chance.start >= 0:
        begun = chance.start
    covered = state.terrain.distance(begun, start) if begun >= 0 else 0
    at = Striking(state.setup, state.figures, state.terrain, by, target, covered=covered, ranged=ranged)
    return at.adjustments()


def reaches(state: OldeState, who: CreatureIx, start: Cell) -> Bitboard:
    """Bitboard of cells that a creature standing at `start` can strike with what it holds."""
    context = Context(state, Chance(who))
    fighter, terrain = context.fighter, state.terrain
    if context.setup.darkness:
        seen = seen_from(terrain, start, fighter.space, lamps(state), fighter.dark_sight)
    else:
        seen = visible(terrain, start, fighter.space)
    spans = []
    for name in wielded(context):
        spans += [(mode.near, mode.far) for mode in context.setup.armoury.weapons[name].modes]
    out = 0
    for near, far in dict.fromkeys(spans):
        nearer = terrain.within(start, near - 1, fighter.space)
        out |= terrain.within(start, far, fighter.space) & ~nearer
    return out & seen


def value_of(state: OldeState, who: CreatureIx) -> float:
    """What losing this creature means to its side: about 1 for an ordinary one."""
    return fighter_value(state.setup.fighters[who])


def fighter_value(fighter: Fighter) -> float:
    """The same by its stat block alone."""
    armor = fighter.armor.reduction if fighter.armor else 0
    best = max(fighter.skills.values(), default=0)
    w = load_weights("olde").olde.value
    return (fighter.hp_max + fighter.finesse + w.armor * armor + w.skill * max(0, best)) / w.ordinary
