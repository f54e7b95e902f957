"""Attacks always hit; of all dice against one target the highest counts; what is in hand (cairn.md §2.2, §2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import prod
from typing import NamedTuple

import msgspec

from rules.board.grid import Terrain
from rules.board.sight import Grade
from rules.cairn import conditions as cond
from rules.cairn.combat.injury import armor_of, off_guard, rust, wound
from rules.cairn.gear import ENHANCED, IMPAIRED, IMPROVISED, UNARMED, Weapon
from rules.cairn.magic.ground import beside, burst, cone, sight_between
from rules.cairn.statblock import hands_taken
from rules.cairn.state import Being, CairnState, Figure, Lying, Resolution, Setup, save_chance, shown_hp, standing_on
from rules.cairn.visibility import seen_in, stares, unseen
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Attack, Healing, Item, Roll
from rules.contract.text import text
from rules.contract.units import Bitboard, Cell, CreatureIx


def take_in_hand(resolution: Resolution, who: CreatureIx, weapon: Weapon) -> None:
    """Draw what is used: free, once a turn, at the cost of what else was held (cairn.md §2.12)."""
    if weapon.natural or weapon.name in (UNARMED.name, IMPROVISED.name):
        return
    figure = resolution.figures[who]
    spare, drawn, pack = list(figure.hands), list[str](), list(figure.pack)
    for name in weapon.name.split(" + "):
        if name in spare:
            spare.remove(name)
        elif name in pack:
            pack.remove(name)
            drawn.append(name)
    if not drawn:
        return
    held = [*figure.hands, *drawn]
    while spare and hands_taken(resolution.setup.armoury, tuple(held)) > (1 if figure.one_armed else 2):
        held.remove(spare[0])
        pack.append(spare.pop(0))
    resolution.change(who, hands=tuple(held), pack=tuple(pack))
    resolution.events.append(Item(by=resolution.being(who).id, item=weapon.name, how="readied"))


def let_fly(resolution: Resolution, by: CreatureIx, weapon: Weapon, target: CreatureIx) -> None:
    """A thrown weapon leaves the hand and lies in the target's space, if it was thrown at all."""
    figure, goal = resolution.figures[by], resolution.figures[target].cell
    sizes = resolution.being(by).space, resolution.being(target).space
    if goal < 0 or weapon.name not in figure.hands:
        return
    if resolution.terrain.distance(figure.cell, goal, *sizes) > weapon.reach:
        resolution.figures[by] = figure.without(weapon.name)
        if not weapon.blast:  # what bursts is gone
            resolution.floor = (*resolution.floor, Lying(weapon.name, goal))
        resolution.events.append(
            Item(by=resolution.being(by).id, item=weapon.name, how="thrown", at=resolution.space(goal))
        )


COVER = cond.Modifier(cond.Quality.IMPAIRED, "impaired: cover", "cairn.md §3")
FAR = cond.Modifier(cond.Quality.IMPAIRED, "impaired: far", "cairn.md §2.9")
DARKNESS = cond.Modifier(cond.Quality.IMPAIRED, "impaired: target in darkness", "cairn.md §2.2")
HAMPERED = cond.Modifier(cond.Quality.IMPAIRED, "impaired: bound, blind or panicked", "cairn.md §4")
ONE_AGAINST_MANY = cond.Modifier(cond.Quality.IMPAIRED, "impaired: one against a detachment", "cairn.md §2.13")
HELPLESS = cond.Modifier(cond.Quality.ENHANCED, "enhanced: helpless target", "cairn.md §2.2")
MANY_AGAINST_ONE = cond.Modifier(cond.Quality.ENHANCED, "enhanced: a detachment against one", "cairn.md §2.13")
MOBBED = cond.Modifier(cond.Quality.ENHANCED, "enhanced: an ally strikes at the same target", "cairn.md §5.6")
Way = tuple[Cell, Cell]
"""The space that an attack is made from, and that of its target."""
RING = 1
"""Spaces around a detachment that its attack takes in (cairn.md §3)."""
NO_HARM = "no harm to its kind"
"""Why a blow on the immune does nothing."""


class PreparedAttack(msgspec.Struct, frozen=True):
    """One attack on one target before its dice fall."""

    attacker: CreatureIx
    target: CreatureIx
    weapon: Weapon
    dice: tuple[int, ...]
    ranged: bool
    sight: Grade
    modifiers: tuple[cond.Modifier, ...]  # why the dice are impaired or enhanced
    immune: bool = False

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The modifiers as odds and events tell them: they change the dice, by no figure."""
        return tuple(Adjustment("dice", 0, each.because, each.rule) for each in self.modifiers)

    def modified(self, modifier: cond.Modifier) -> PreparedAttack:
        """The same with one modifier more."""
        modifiers = (*self.modifiers, modifier)
        return msgspec.structs.replace(self, dice=dice_of(self.weapon, modifiers), modifiers=modifiers)


def weapon_of(setup: Setup, who: CreatureIx, name: str) -> Weapon:
    """A creature's attack by its name: natural ones first, then the tables'; `a + b` = two one-handed weapons at once
    (cairn.md §2.2, dual wield)."""
    for attack in setup.beings[who].attacks:
        if attack.name == name:
            return attack
    found = setup.armoury.weapons.get(name)
    if found is not None:
        return found
    first, second = (setup.armoury.weapons[part] for part in name.split(" + "))
    reach, tags = min(first.reach, second.reach), first.tags & second.tags
    return Weapon(name, (*first.dice, *second.dice), 2, 0, reach, tags=tags)


MOST_KEPT = 1000
"""Hands full of weapons that are kept in a fight."""


def wielded(setup: Setup, who: CreatureIx, figure: Figure) -> list[str]:
    """Names of what a creature can strike with now, drawing and swapping included (cairn.md §2.12)."""
    being, table, carried = setup.beings[who], setup.armoury.weapons, figure.carried
    hands = 1 if figure.one_armed else 2
    own = [item for item in dict.fromkeys(carried) if item in table]
    names = [item for item in own if table[item].hands <= hands]
    light = [item for item in carried if item in table and table[item].hands == 1
             and table[item].reach and not table[item].blast]  # fmt: skip
    if hands == 2:
        names += dict.fromkeys(f"{one} + {other}" for one, other in combinations(light, 2))
    names += [attack.name for attack in being.attacks]
    if not names or not any(weapon_of(setup, who, n).reach for n in names):
        names.append(UNARMED.name)
    return names


def arms(setup: Setup, who: CreatureIx, figure: Figure) -> tuple[Weapon, ...]:
    """What a creature can strike with now; found once for what it carries, while the fight lasts."""
    key = who, figure.carried, figure.one_armed
    found = setup.in_hand.get(key)
    if found is None:
        if len(setup.in_hand) > MOST_KEPT:
            setup.in_hand.clear()
        found = tuple(weapon_of(setup, who, name) for name in wielded(setup, who, figure))
        setup.in_hand[key] = found
    return found


PLAIN: frozenset[str] = frozenset()


def kinds(weapon: Weapon, ranged: bool) -> frozenset[str]:
    """What an attack counts as against a creature's traits: its tags, `mundane`, `melee` or `ranged`."""
    own = weapon.tags | {"ranged" if ranged else "melee"}
    return own if weapon.tags & {"magic"} else own | {"mundane"}


def in_range(weapon: Weapon, distance: int) -> bool:
    """Whether a target that far off can be harmed with it: within its reach, or by a shot."""
    return 0 < weapon.reach >= distance or 0 < weapon.far >= distance


def prepare(state: CairnState, by: CreatureIx, target: CreatureIx, weapon: Weapon, way: Way) -> PreparedAttack | None:
    """An attack of `by` on `target` over a way, or None if it can't be made."""
    setup, (start, goal) = state.setup, way
    figure, space, size = state.figures[by], setup.beings[by].space, setup.beings[target].space
    distance = state.terrain.distance(start, goal, space, size)
    if weapon.reach and figure.has(cond.ELASTIC):
        weapon = msgspec.structs.replace(weapon, reach=weapon.reach + 1)
    if not in_range(weapon, distance):
        return None
    if weapon.run > figure.ran and state.terrain.distance(figure.cell, start, space, space) < weapon.run:
        return None  # it has not come far enough since its half began
    sight = sight_between(state, start, goal, space, size, by=by)
    if sight is Grade.NONE or unseen(state, by, target, start):
        return None
    return _prepared(state, by, target, weapon, way=way, distance=distance, sight=sight)


def open_attack(state: CairnState, by: CreatureIx, target: CreatureIx, weapon: Weapon) -> PreparedAttack:
    """The same from wherever it is made best: in clear sight, and near."""
    goal = state.figures[target].cell
    return _prepared(state, by, target, weapon, way=(goal, goal), distance=weapon.reach or 2, sight=Grade.CLEAR)


def _prepared(state: CairnState, by: CreatureIx, target: CreatureIx, weapon: Weapon, *, way: Way, distance: int,
              sight: Grade) -> PreparedAttack:  # fmt: skip
    """The attack with whatever impairs and enhances it, in the order in which it is told."""
    being, foe, struck = state.setup.beings[by], state.setup.beings[target], state.figures[target]
    ranged = not 0 < weapon.reach >= distance
    afflictions = bool(struck.lasting or state.figures[by].lasting)
    # most have no nature that any attack would meet, and nothing that befell them
    own = kinds(weapon, ranged) if afflictions or foe.enhanced_by or foe.impaired_by or foe.immune else PLAIN
    weak = bool(foe.enhanced_by & own)
    found: list[cond.Modifier] = []
    if sight is not Grade.CLEAR:
        found.append(COVER)
    if ranged and distance > weapon.near:
        found.append(FAR)
    if not seen_in(state, by, *way, foe.space):
        found.append(DARKNESS)
    if state.figures[by].any_of(cond.HAMPERING):
        found.append(HAMPERED)
    if foe.detachment and not being.detachment and not weapon.blast:
        found.append(ONE_AGAINST_MANY)
    if foe.impaired_by & own and not weak:
        nature = text("impaired: {name}'s nature", foe.creature)
        found.append(cond.Modifier(cond.Quality.IMPAIRED, nature, "cairn.md §5.6"))
    modifying = cond.MODIFYING if afflictions else ()
    afflicted = [modifier for each, modifier in modifying if _works(state, by, target, each)]
    found += [modifier for modifier in afflicted if modifier.quality is cond.Quality.IMPAIRED]
    if struck.helpless:
        found.append(HELPLESS)
    if being.detachment and not foe.detachment:
        found.append(MANY_AGAINST_ONE)
    if weak:
        weakness = text("enhanced: {name}'s weakness", foe.creature)
        found.append(cond.Modifier(cond.Quality.ENHANCED, weakness, "cairn.md §5.6"))
    found += [modifier for modifier in afflicted if modifier.quality is cond.Quality.ENHANCED]
    immune = bool((foe.immune - {"magic"}) & own) and not weak
    immune = immune or (struck.has(cond.SHIELDED) and "mundane" in own)
    immune = immune or (struck.has(cond.SWARM) and not weapon.blast)
    modifiers = tuple(found)
    return PreparedAttack(by, target, weapon, dice_of(weapon, modifiers), ranged, sight, modifiers, immune)


def _works(state: CairnState, by: CreatureIx, target: CreatureIx, condition: cond.Condition) -> bool:
    """Whether a condition of one of the two works on the attack of one on the other."""
    striker, struck = state.figures[by], state.figures[target]
    if condition.against is cond.Against.OWN:
        return striker.has(condition)
    if condition.against is cond.Against.STARING:
        return striker.has(condition) and stares(state.setup, target)
    if not struck.has(condition) or striker.has(cond.TRUE_SIGHT):
        return False
    return condition.against is cond.Against.ANYBODY or state.setup.beings[by].side != state.setup.beings[target].side


def blast_cells(terrain: Terrain, weapon: Weapon, start: Cell, space: int, goal: Cell) -> Bitboard:
    """The spaces that an area attack takes in (cairn.md §3)."""
    if weapon.blast == "adjacent":
        return terrain.within(start, 1, space) & ~terrain.footprint(start, space)
    if weapon.blast == "cone":
        return cone(terrain, start, space, goal, weapon.size)
    return burst(terrain, goal, weapon.size)


def victims(resolution: Resolution, by: CreatureIx, action: Action) -> list[CreatureIx]:
    """Whom an attack harms: its target, or everybody in its area (A24); a detachment all foes around it (§2.13)."""
    being, figure = resolution.being(by), resolution.figures[by]
    weapon = weapon_of(resolution.setup, by, action.weapon or UNARMED.name)
    target = resolution.setup.index[action.target or ""]
    if being.detachment and not weapon.blast and not resolution.being(target).detachment:
        cells = resolution.terrain.within(figure.cell, RING, being.space)
        near = [i for i in standing_on(resolution, cells) if resolution.being(i).side != being.side]
        return near if target in near else [*near, target]
    if weapon.blast and figure.cell >= 0:
        goal = resolution.figures[target].cell
        cells = blast_cells(resolution.terrain, weapon, figure.cell, being.space, goal)
        state, sweep = resolution.done(), weapon.blast == "adjacent"  # no sweep goes through a wall
        near = [i for i in standing_on(resolution, cells) if i != by]
        return [i for i in near if beside(state, by, figure.cell, i)] if sweep else near
    return [target]


def strike_all(resolution: Resolution, planned: list[tuple[CreatureIx, Action]]) -> None:
    """One side's attacks of a half-round: pooled per target, in the order in which targets were named."""
    pools: dict[CreatureIx, list[PreparedAttack]] = {}
    for by, action in planned:
        figure = resolution.figures[by]
        if not figure.able:
            continue
        weapon = weapon_of(resolution.setup, by, action.weapon or UNARMED.name)
        if weapon.name != UNARMED.name and weapon.name not in wielded(resolution.setup, by, figure):
            continue  # it has lost what it meant to strike with, or the arm for it
        take_in_hand(resolution, by, weapon)
        resolution.relieve(by, cond.INVISIBLE, "it strikes")
        state = resolution.done()
        for target in victims(resolution, by, action):
            goal = resolution.figures[target].cell
            if goal < 0:
                continue
            # whom an area takes in, though it could not be aimed at: its die is plain but for the target's own nature
            attack = prepare(state, by, target, weapon, (figure.cell, goal))
            if attack is None and weapon.blast:
                attack = open_attack(state, by, target, weapon)
            if attack is not None:
                pools.setdefault(target, []).append(attack)
        if weapon.thrown and weapon.near:
            let_fly(resolution, by, weapon, resolution.setup.index[action.target or ""])
    for target, attacks in pools.items():
        if resolution.figures[target].present:
            pool(resolution, target, mobbed(resolution.setup, attacks))
            if resolution.being(target).sticky and resolution.figures[target].present:
                _stick(resolution, target, attacks)


def _stick(resolution: Resolution, target: CreatureIx, attacks: list[PreparedAttack]) -> None:
    """Who struck it hand to hand from beside it is held (cairn.md §5.6, Mimic)."""
    being, goal = resolution.being(target), resolution.figures[target].cell
    for attack in attacks:
        start, other = resolution.figures[attack.attacker].cell, resolution.being(attack.attacker)
        near = start >= 0 and resolution.terrain.distance(start, goal, other.space, being.space) <= 1
        if near and not attack.ranged and other.side != being.side:
            resolution.afflict(attack.attacker, cond.RESTRAINED, because="it sticks", save="str", by=being.id)


def mobbed(setup: Setup, attacks: list[PreparedAttack]) -> list[PreparedAttack]:
    """Those who fight better beside an ally are enhanced where another strikes at the same target (§5.6, Hobgoblin)."""
    beings, by = setup.beings, {attack.attacker for attack in attacks}
    mobbing = {i for i in by if beings[i].mobbing and any(o != i and beings[o].side == beings[i].side for o in by)}
    return [attack.modified(MOBBED) if attack.attacker in mobbing else attack for attack in attacks]


def dice_of(weapon: Weapon, modifiers: tuple[cond.Modifier, ...]) -> tuple[int, ...]:
    """The dice of an attack that is impaired, enhanced, or both, which cancels out (A5, A6)."""
    worse = any(each.quality is cond.Quality.IMPAIRED for each in modifiers)
    better = any(each.quality is cond.Quality.ENHANCED for each in modifiers)
    if worse == better:
        return weapon.dice
    return (IMPAIRED if worse else ENHANCED,) * len(weapon.dice)


def pool(resolution: Resolution, target: CreatureIx, attacks: list[PreparedAttack]) -> None:
    """All dice against one target, the single highest counts, Armor once (cairn.md §2.3)."""
    rolled: list[_Fallen] = []
    for attack in attacks:
        rolls = tuple(resolution.throw(attack.weapon.name, 1, die, by=attack.attacker) for die in attack.dice)
        rolled.append((attack, max(r.total for r in rolls), rolls))
    harmful = [entry for entry in rolled if not entry[0].immune]
    if _doubled(resolution, target, attacks):
        resolution.relieve(target, cond.MIRRORED, "the double takes the blow")
        harmful = []
    if not harmful:
        _tell(resolution, target, rolled, None, 0)
        return
    best = max(harmful, key=lambda e: (e[1], e[0].weapon.ignores_armor, e[0].weapon.rider is not None))
    attack, highest, _ = best
    weapon, foe, figure = attack.weapon, resolution.being(target), resolution.figures[target]
    armor = 0 if weapon.ignores_armor else armor_of(resolution.setup, foe, figure)
    damage = max(0, highest - armor)
    direct = weapon.direct or off_guard(resolution, target)
    number = _tell(resolution, target, rolled, best, armor)
    word = wound(resolution, target, damage, weapon.name, by=attack.attacker, direct=direct, rider=weapon.rider)
    event = resolution.events[number]
    resolution.events[number] = msgspec.structs.replace(event, outcome=word, damage=damage)
    for condition in cond.ENDED_BY_HARM if word != "nothing" else ():
        resolution.relieve(target, condition, "harm")
    if weapon.rusts and damage:
        rust(resolution, target)
    if weapon.feeds and damage and not foe.bloodless:
        _feed(resolution, attack)


def _feed(resolution: Resolution, attack: PreparedAttack) -> None:
    """A bite on who has blood gives the biter Hit Protection back (cairn.md §5.6, Vampire)."""
    figure, being = resolution.figures[attack.attacker], resolution.being(attack.attacker)
    gained = min(attack.weapon.feeds, figure.hp_max - figure.hp)
    if gained > 0:
        now, because = figure.hp + gained, attack.weapon.name
        resolution.change(attack.attacker, hp=now)
        resolution.relieve(attack.attacker, cond.TESTED)  # who comes to 0 HP anew is shaken anew (A14)
        resolution.events.append(Healing(target=being.id, amount=gained, now=now, what="hp", because=because))


def _doubled(state: CairnState | Resolution, target: CreatureIx, attacks: list[PreparedAttack]) -> bool:
    """Whether a double takes these blows, as nobody sees through it."""
    figures = state.figures
    return figures[target].has(cond.MIRRORED) and not any(figures[a.attacker].has(cond.TRUE_SIGHT) for a in attacks)


_Fallen = tuple[PreparedAttack, int, tuple[Roll, ...]]
"""A blow whose dice have fallen, and their highest face."""


def _tell(resolution: Resolution, target: CreatureIx, rolled: list[_Fallen], best: _Fallen | None, armor: int) -> int:
    """An event for every attacker of the pool; gives the number of the one whose die counts."""
    number = len(resolution.events)
    for entry in rolled:
        attack, value, rolls = entry
        counts = entry is best
        if counts:
            number = len(resolution.events)
        resolution.change(attack.attacker, best=max(resolution.figures[attack.attacker].best, value))
        notes = attack.adjustments
        if attack.immune:
            notes = (*notes, Adjustment("dice", 0, NO_HARM, "cairn.md §5.6"))
        word = "nothing" if counts or best is None else "scratched"
        if armor and counts:
            notes = (*notes, Adjustment("damage", -armor, "Armor", "cairn.md §2.2"))
        resolution.events.append(Attack(
            by=resolution.being(attack.attacker).id, target=resolution.being(target).id, weapon=attack.weapon.name,
            attack=value, defense=armor, margin=value - armor, outcome=word, damage=0, adjustments=notes, rolls=rolls,
            ranged=attack.ranged, sight=attack.sight.name.lower()
        ))  # fmt: skip
    return number


def reach_of(setup: Setup, who: CreatureIx, figure: Figure) -> list[tuple[int, int]]:
    """(nearest, farthest) spaces at which a creature can strike with each thing that it has."""
    out = []
    for weapon in arms(setup, who, figure):
        if weapon.reach:
            out.append((0, weapon.reach))
        if weapon.far:
            out.append((weapon.reach + 1, weapon.far))
    return list(dict.fromkeys(out))


Chances = dict[int, Fraction]
D20 = 20
"""Every save is one of so many faces: chances of the ladder are twentieths."""


@lru_cache(maxsize=1024)
def highest(dice: tuple[int, ...]) -> Chances:
    """Chance of each highest face among these dice."""
    falls, ways = prod(dice), [at_most(dice, face) for face in range(max(dice, default=0) + 1)]
    return {face: Fraction(now - less, falls) for face, (less, now) in enumerate(pairwise(ways), 1) if now > less}


def ladder(being: Being, figure: Figure, counted: int, damage: int, *, mercy: bool) -> dict[str, Fraction]:
    """Chance of each word of `injury.LADDER` for damage after armour, of which Hit Protection takes `counted`."""
    if damage <= 0:
        return {"nothing": Fraction(1)}
    lost = min(counted, damage)
    excess = damage - lost
    if not excess:
        return {"scar" if being.pc and lost and lost == counted else "hit_points": Fraction(1)}
    strength, doomed = figure.str_now - excess, being.pc and figure.doomed
    if strength <= 0:
        return {"killed": Fraction(1)}
    if not doomed and (being.unstoppable or figure.heads > 1):
        return {"wounded": Fraction(1)}
    passed = save_chance(strength)
    down = not doomed and (being.pc or being.detachment or mercy)
    return {"wounded": passed, "critical" if down else "killed": 1 - passed}


def attack_chances(state: CairnState, attacks: list[PreparedAttack]) -> tuple[dict[str, Fraction], Chances]:
    """(chance of each outcome, chance of each damage) of a pool of blows on one target."""
    target = attacks[0].target
    being, figure = state.setup.beings[target], state.figures[target]
    harmful = [] if _doubled(state, target, attacks) else [attack for attack in attacks if not attack.immune]
    if not harmful:
        return {"nothing": Fraction(1)}, {0: Fraction(1)}
    counted = shown_hp(state.setup, being, figure)
    armor = armor_of(state.setup, being, figure)
    unguarded = off_guard(state, target)
    falls: dict[tuple[int, bool], int] = {}
    whole = prod(prod(attack.dice) for attack in harmful)
    for face, ignores, direct, ways in _winners(harmful):
        key = max(0, face - (0 if ignores else armor)), direct or unguarded
        falls[key] = falls.get(key, 0) + ways
    words: dict[str, int] = {}
    harm: dict[int, int] = {}
    for (damage, direct), ways in falls.items():
        harm[damage] = harm.get(damage, 0) + ways
        for word, part in ladder(being, figure, 0 if direct else counted, damage, mercy=state.setup.mercy).items():
            words[word] = words.get(word, 0) + ways * (part.numerator * (D20 // part.denominator))
    return (
        {word: Fraction(ways, whole * D20) for word, ways in words.items()},
        {damage: Fraction(ways, whole) for damage, ways in harm.items()},
    )


def _winners(attacks: list[PreparedAttack]) -> Iterator[tuple[int, bool, bool, int]]:
    """(highest face, whether it ignores armour, whether it is direct, in how many falls of all the dice), ties as in
    `attack.pool`."""
    ranks = [(each.weapon.ignores_armor, each.weapon.rider is not None, -i) for i, each in enumerate(attacks)]
    order = sorted(range(len(attacks)), key=ranks.__getitem__, reverse=True)
    top = max((max(attack.dice, default=0) for attack in attacks), default=0)
    falls = [[at_most(attack.dice, face) for face in range(top + 1)] for attack in attacks]
    for rank, i in enumerate(order):
        weapon, own = attacks[i].weapon, falls[i]
        for face in range(1, max(attacks[i].dice, default=0) + 1):
            ways = own[face] - own[face - 1]
            for other in order[:rank]:  # the preferred must be lower
                ways *= falls[other][face - 1]
            for other in order[rank + 1 :]:
                ways *= falls[other][face]
            if ways:
                yield face, weapon.ignores_armor, weapon.direct, ways


def at_most(dice: tuple[int, ...], face: int) -> int:
    """In how many of their falls none of these dice shows more than a face."""
    return prod(max(0, min(face, die)) for die in dice)


class Pool(NamedTuple):
    """What a side has planned against one target: its blows, and what may have felled it to the floor by then."""

    sure: tuple[PreparedAttack, ...] = ()
    risky: tuple[tuple[PreparedAttack, Fraction], ...] = ()
    """Daring blows as they fall if their save comes off, with the chance of that."""
    prone: Fraction = Fraction(0)  # chance that a trip has it on the floor before the blows
    notes: tuple[tuple[str, str], ...] = ()


NOBODY = Pool()


def with_attack(pool: Pool, attack: PreparedAttack, daring: Fraction | None = None) -> Pool:
    """The same with one blow more; `daring` is the chance that its manoeuvre comes off."""
    if daring is None:
        return Pool((*pool.sure, attack), pool.risky, pool.prone, pool.notes)
    return Pool(pool.sure, (*pool.risky, (attack.modified(cond.DARED), daring)), pool.prone, pool.notes)


def fallen(
    state: CairnState, target: CreatureIx, pool: Pool
) -> Iterator[tuple[CairnState, Fraction, list[PreparedAttack]]]:
    """Every way in which the saves before the blows may go: (the position then, its chance, the blows that fall)."""
    places = [(state, 1 - pool.prone)]
    if pool.prone:
        places.append((floored(state, target), pool.prone))
    for there, chance in places:
        for came_off in product((True, False), repeat=len(pool.risky)) if chance else ():
            weight, attacks = chance, list(pool.sure)
            for good, (attack, works) in zip(came_off, pool.risky, strict=True):
                weight *= works if good else 1 - works
                if good:
                    attacks.append(attack)
            yield there, weight, mobbed(state.setup, attacks)


def pool_chances(state: CairnState, target: CreatureIx, pool: Pool) -> tuple[dict[str, Fraction], Chances]:
    """(chance of each outcome, chance of each damage) of all that is planned against a target."""
    outcomes: dict[str, Fraction] = {}
    damages: Chances = {}
    for there, weight, attacks in fallen(state, target, pool):
        words, harm = attack_chances(there, attacks) if attacks else ({"nothing": Fraction(1)}, {0: Fraction(1)})
        for word, chance in words.items():
            outcomes[word] = outcomes.get(word, 0) + weight * chance
        for value, chance in harm.items():
            damages[value] = damages.get(value, 0) + weight * chance
    return outcomes, damages


def floored(state: CairnState, target: CreatureIx) -> CairnState:
    """The position with somebody on the floor."""
    figures = list(state.figures)
    figures[target] = msgspec.structs.replace(figures[target], posture="prone")
    return msgspec.structs.replace(state, figures=tuple(figures))


def felled(outcomes: dict[str, Fraction]) -> Fraction:
    """The chance to leave the target unable to fight."""
    return outcomes.get("killed", Fraction(0)) + outcomes.get("critical", Fraction(0))
