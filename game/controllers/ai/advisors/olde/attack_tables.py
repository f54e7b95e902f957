"""Attacks in bulk, for valuations: what a creature strikes with at each distance, and what each blow is worth.

The figures are those of `chances.odds_of`, remembered for all fights by everything that they depend on: how an attacker
of this build is armed and placed, how a target of that build is guarded, the distance's band and the line of sight.
"""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai.advisors.olde.aftermath import Fate, aftermath, fate_of, held_of, side_effect_of
from game.controllers.ai.advisors.planning import Swing
from game.controllers.ai.weights import OldeAttacksWeights, load_weights
from rules.board.sight import Grade
from rules.olde.actions.context import ROUND_LIMIT, Context
from rules.olde.builds import builds_of
from rules.olde.challenges.checks import burden, resilience, stat_rank
from rules.olde.combat.advantage import on_attack
from rules.olde.combat.attack import prepare
from rules.olde.combat.chances import AttackDice, AttackTable, attack_table, stunning
from rules.olde.combat.weapons import MANNERS, PLAIN, Armed, damage_faces, mode_for, wielded
from rules.olde.conditions import BLEEDING, STUNNED
from rules.olde.gear import FIRE, Weapon
from rules.olde.memory import Memory
from rules.olde.state import Chance, Figure, OldeState, Setup, Striking
from rules.olde.traits.kinds import TRAITS, LifeDrain, Rider, modify_attack, riders_of
from rules.olde.traits.models import Traits


def weights() -> OldeAttacksWeights:
    """The numbers of taste that count here."""
    return load_weights().olde.attacks


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


class Guard:
    """How somebody is guarded: all of a target that a blow's figures depend on."""

    __slots__ = ("bloodless", "fate", "hp", "melee", "nerve", "ranged", "suffers")

    def __init__(self, hp: int, melee: tuple[int, int, int], ranged: tuple[int, int, int],
                 *, nerve: tuple[int, int, int], bloodless: bool, suffers: tuple[str, ...] = (),
                 fate: Fate | None = None) -> None:  # fmt: skip
        self.hp = hp
        self.fate = fate
        """What a wound leads to, if to anything out of the ordinary."""
        self.bloodless = bloodless
        self.suffers = suffers
        """The traits whose harm it has on it already: more of them does nothing."""
        self.melee = melee
        """(rank of the Defense dice, 0 = none thrown; adjustments; armor)."""
        self.ranged = ranged
        self.nerve = nerve
        """(most hit points, rank of the dice against a stunning blow, adjustments)."""


class Arms:
    """How somebody strikes as it stands now: its bands, and what is known of each blow's dice."""

    __slots__ = ("attacks", "bands", "best", "edge", "span", "swings", "traits")

    def __init__(self, bands: tuple[Band, ...], edge: Edge, traits: Traits | None) -> None:
        self.bands = bands
        self.edge = edge
        self.traits = traits
        self.span = max((band.far for band in bands), default=0)
        """The farthest distance that it strikes at all."""
        self.attacks: dict[tuple[int, int, Grade, bool], tuple[int, ...]] = {}
        """(band, use, grade, helpless target) -> the attacker's half of a blow."""
        self.swings: dict[tuple[int, Grade, Guard], tuple[Swing, ...]] = {}
        self.best: dict[Guard, Swing | None] = {}
        """The best plain attack on somebody guarded so."""


_arms: dict[object, Arms] = {}
_guards: dict[object, Guard] = {}


def arms_of(state: OldeState, who: int, edge: Edge = NO_EDGE) -> Arms:
    """How a creature strikes as it stands now; `edge`: what its traits add against somebody (`edge_on`)."""
    f = state.figures[who]
    key = (builds_of(state.setup)[who], f.hands, f.posture, f.unset, f.ammunition == 0, f.effects, edge)
    found = _arms.get(key)
    if found is None:
        if len(_arms) >= _KEPT:
            _arms.clear()
        found = _arms[key] = Arms(_bands(Context(state, Chance(who))), edge, state.setup.fighters[who].traits)
    return found


def edge_on(state: OldeState, who: int, target: int, covered: int = 0) -> Edge:
    """What the traits of a creature add to its blows on another as everybody else stands now, `covered` spaces from
    where its chance began."""
    setup = state.setup
    favour = 0
    if setup.advantage:
        favour = on_attack(state, who, state.figures[who].cell, target, state.figures[target].cell)[0]
    traits = setup.fighters[who].traits
    drains = traits is not None and traits.of(LifeDrain) is not None
    if traits is None or not (traits.modify_attack or drains):
        return (0, 0, 0, 0, 0, favour) if favour else NO_EDGE
    at = Striking(setup, state.figures, state.terrain, who, target, covered=covered)
    melee, shots = modify_attack(at), modify_attack(at._replace(ranged=True))
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


def guard_of(state: OldeState, who: int) -> Guard:
    """How a creature is guarded as it stands now."""
    f = state.figures[who]
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
    return found


def _guard(state: OldeState, who: int, figure: Figure) -> Guard:
    setup, fighter = state.setup, state.setup.fighters[who]
    halves = []
    for ranged in (False, True):
        weapon, mode = _any_mode(setup, ranged)
        blow = prepare(setup, state.figures, who, who, Armed(weapon, mode), distance=1, grade=Grade.CLEAR)
        halves.append((blow.defense_rank, blow.defense_total, blow.armor))
    stat = resilience(fighter)
    plus = sum(a.value for a in burden(setup, fighter, figure, stat))
    immune = fighter.traits.immune if fighter.traits is not None else ()
    most = _NEVER if STUNNED.name in immune else fighter.hp_max
    nerve = (most, stat_rank(fighter, stat), plus)
    return Guard(
        max(0, figure.hp),
        halves[0],
        halves[1],
        nerve=nerve,
        bloodless=BLEEDING.name in immune,
        suffers=_suffers(figure),
        fate=fate_of(fighter, figure),
    )


_RIDERS = tuple(kind() for kind in TRAITS.values() if issubclass(kind, Rider))


def _suffers(figure: Figure) -> tuple[str, ...]:
    return tuple(rider.name for rider in _RIDERS if rider.suffered(figure))


def _any_mode(setup: Setup, ranged: bool) -> tuple[Weapon, int]:
    """Some weapon and mode to measure a guard with: a guard tells only melee from ranged."""
    for weapon in setup.armoury.weapons.values():
        for i, mode in enumerate(weapon.modes):
            if mode.ranged == ranged:
                return weapon, i
    return setup.armoury.weapons["unarmed"], 0


def best_of(state: OldeState, by: int, arms: Arms, target: int, guard: Guard) -> Swing | None:
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
    state: OldeState, by: int, arms: Arms, target: int, guard: Guard, *, band: int, grade: Grade
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
            table = _table(
                state.setup.memory,
                _attack(state, by, arms, target, guard, band=band, number=number, grade=grade),
                guard,
            )
            swing = _swing(use, table, guard)
            if arms.traits is not None and arms.traits.after_hit:
                swing = _with_riders(state, arms, swing, guard, table)
            if guard.fate is not None:
                burns = state.setup.armoury.weapons[use.weapon].element == FIRE
                swing = swing._replace(side_effect=swing.side_effect + aftermath(guard.fate, table.tails, burns))
            known = best.get(use.do)
            if known is None or _force(swing, guard) > _force(known, guard):
                best[use.do] = swing
        found = arms.swings[key] = tuple(best.values())
    return found


def _force(swing: Swing, guard: Guard) -> float:
    """What of two blows of a kind is the better, in points of damage."""
    w = weights()
    if guard.hp <= 0:
        return swing.side_effect
    drained = -sum([mean for _, mean, _ in swing.fallout]) if swing.fallout else 0.0
    return swing.mean + w.felled * swing.drop + harm_of(swing, guard) + w.drained * drained


def harm_of(swing: Swing, guard: Guard) -> float:
    """What else comes of a blow than its damage, as if it were damage."""
    return swing.side_effect * max(1, guard.hp)


def _swing(use: Use, table: AttackTable, guard: Guard) -> Swing:
    drop = stun = 0.0
    if guard.hp > 0:
        drop = table.tail(guard.hp)
        stun = stunning(table, guard.hp, *guard.nerve)
    return Swing(
        use.do,
        use.weapon,
        use.points,
        table.hit,
        mean=table.mean,
        drop=drop,
        stun=stun,
        exposed=MANNERS[use.do].exposes,
    )


def _with_riders(state: OldeState, arms: Arms, swing: Swing, guard: Guard, table: AttackTable) -> Swing:
    assert arms.traits is not None
    weapon = state.setup.armoury.weapons[swing.weapon or "unarmed"]
    riders = tuple(t for t in riders_of(arms.traits, weapon) if t.name not in guard.suffers)
    if arms.edge[4] and any(isinstance(t, LifeDrain) for t in riders):
        back = table.halves(arms.edge[4])
        swing = swing._replace(fallout=(("", -back, 0.0),))
    _, rank, plus = guard.nerve
    side_effect = side_effect_of(riders, rank, plus, guard.bloodless) if riders and guard.hp > 0 else 0.0
    if not side_effect:
        return swing
    return swing._replace(side_effect=swing.hit * side_effect, held=swing.hit * held_of(riders, rank, plus))


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
    state: OldeState, by: int, arms: Arms, target: int, guard: Guard, *, band: int, number: int, grade: Grade
) -> tuple[int, ...]:
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
