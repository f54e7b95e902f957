"""Attacks always hit; of all dice against one target the highest counts; what is in hand (cairn.md §2.2, §2.3)."""

from __future__ import annotations

from itertools import combinations

import msgspec

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade
from rules.cairn.combat.injury import armor_of, off_guard, rust, wound
from rules.cairn.gear import ENHANCED, IMPAIRED, IMPROVISED, UNARMED, Rider, Weapon
from rules.cairn.magic.ground import beside, burst, cone, sight_between
from rules.cairn.saves import afflict, relieve
from rules.cairn.statblock import hands_taken
from rules.cairn.state import CairnState, Figure, Lying, Resolution, Setup, able, helpless, present
from rules.cairn.visibility import seen_in, stares, unseen
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Attack, Healing, Item, Roll
from rules.core.dice import roll


def take_in_hand(resolution: Resolution, who: int, weapon: Weapon) -> None:
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


def let_fly(resolution: Resolution, by: int, weapon: Weapon, target: int) -> None:
    """A thrown weapon leaves the hand and lies in the target's space, if it was thrown at all."""
    figure, goal = resolution.figures[by], resolution.figures[target].cell
    space, foe = resolution.being(by).space, resolution.being(target).space
    if goal < 0 or resolution.terrain.distance(figure.cell, goal, space, foe) <= weapon.reach:
        return
    if weapon.name in figure.hands:
        hands = list(figure.hands)
        hands.remove(weapon.name)
        resolution.change(by, hands=tuple(hands))
        if not weapon.blast:  # what bursts is gone
            resolution.floor = (*resolution.floor, Lying(weapon.name, goal))
        resolution.events.append(
            Item(by=resolution.being(by).id, item=weapon.name, how="thrown", at=resolution.space(goal))
        )


RING = 1
"""Spaces around a detachment that its attack takes in (cairn.md §3)."""
NO_HARM = "no harm to its kind"
"""Why a blow on the immune does nothing."""
ENDED_BY_HARM = ("asleep", "charmed", "pacified")
"""Conditions that a blow ends which does harm."""


class Blow(msgspec.Struct, frozen=True):
    """One attack on one target before its dice fall."""

    attacker: int
    target: int
    weapon: Weapon
    dice: tuple[int, ...]
    ranged: bool
    sight: Grade
    notes: tuple[Adjustment, ...]
    """Why the dice are impaired or enhanced; value 0, `to` is `dice`."""
    immune: bool = False


def weapon_of(setup: Setup, who: int, name: str) -> Weapon:
    """A creature's attack by its name: natural ones first, then the tables'; `a + b` = two one-handed weapons at once
    (cairn.md §2.2, dual wield)."""
    for attack in setup.beings[who].attacks:
        if attack.name == name:
            return attack
    found = setup.armoury.weapons.get(name)
    if found is not None:
        return found
    first, second = (setup.armoury.weapons[part] for part in name.split(" + "))
    return Weapon(
        name, (*first.dice, *second.dice), 2, 0, min(first.reach, second.reach), tags=first.tags & second.tags
    )


def wielded(setup: Setup, who: int, figure: Figure) -> list[str]:
    """Names of what a creature can strike with now, drawing and swapping included (cairn.md §2.12)."""
    being, table = setup.beings[who], setup.armoury.weapons
    hands = 1 if figure.one_armed else 2
    own = [item for item in dict.fromkeys((*figure.hands, *figure.pack)) if item in table]
    names = [item for item in own if table[item].hands <= hands]
    light = [item for item in (*figure.hands, *figure.pack) if item in table and table[item].hands == 1
             and table[item].reach and not table[item].blast]  # fmt: skip
    if hands == 2:
        names += dict.fromkeys(f"{one} + {other}" for one, other in combinations(light, 2))
    names += [attack.name for attack in being.attacks]
    if not names or not any(weapon_of(setup, who, n).reach for n in names):
        names.append(UNARMED.name)
    return names


def kinds(weapon: Weapon, ranged: bool) -> frozenset[str]:
    """What an attack counts as against a creature's traits: its tags, `mundane`, `melee` or `ranged`."""
    own = weapon.tags | {"ranged" if ranged else "melee"}
    return own if weapon.tags & {"magic"} else own | {"mundane"}


def in_range(weapon: Weapon, distance: int) -> bool:
    """Whether a target that far off can be harmed with it: within its reach, or by a shot."""
    return 0 < weapon.reach >= distance or 0 < weapon.far >= distance


def prepare(state: CairnState, by: int, target: int, weapon: Weapon, start: int, goal: int) -> Blow | None:
    """An attack of `by` standing at cell `start` on `target` at `goal`, or None if it can't be made."""
    setup, terrain = state.setup, state.terrain
    being, foe = setup.beings[by], setup.beings[target]
    distance = terrain.distance(start, goal, being.space, foe.space)
    if weapon.reach and state.figures[by].has("elastic"):
        weapon = msgspec.structs.replace(weapon, reach=weapon.reach + 1)
    if not in_range(weapon, distance) or (weapon.run and _came(state, by, start) < weapon.run):
        return None
    sight = sight_between(state, start, goal, being.space, foe.space, by)
    if sight is Grade.NONE or unseen(state, by, target, start):
        return None
    return _blow(state, by, target, weapon, (start, goal), distance, sight)


def _came(state: CairnState, by: int, start: int) -> int:
    """Spaces between where somebody stood when its half began and where it strikes from."""
    figure, space = state.figures[by], state.setup.beings[by].space
    return max(figure.ran, state.terrain.distance(figure.cell, start, space, space))


def open_blow(state: CairnState, by: int, target: int, weapon: Weapon) -> Blow:
    """The same from wherever it is made best: in clear sight, and near."""
    goal = state.figures[target].cell
    return _blow(state, by, target, weapon, (goal, goal), weapon.reach or 2, Grade.CLEAR)


def _blow(
    state: CairnState, by: int, target: int, weapon: Weapon, way: tuple[int, int], distance: int, sight: Grade
) -> Blow:
    """The blow over a way (start, goal)."""
    setup = state.setup
    foe = setup.beings[target]
    ranged = not 0 < weapon.reach >= distance
    notes = _impaired(state, by, target, weapon, way, distance, sight, ranged)
    notes += _enhanced(state, by, target, weapon, ranged)
    dice = dice_of(weapon, notes)
    immune = bool((foe.immune - {"magic"}) & kinds(weapon, ranged)) and not (kinds(weapon, ranged) & foe.enhanced_by)
    shielded = state.figures[target].has("shielded") and "mundane" in kinds(weapon, ranged)
    swarm = state.figures[target].has("swarm") and not weapon.blast
    return Blow(by, target, weapon, dice, ranged, sight, notes, immune or shielded or swarm)


def _note(because: str, rule: str) -> Adjustment:
    return Adjustment("dice", 0, because, f"cairn.md {rule}")


def _impaired(state: CairnState, by: int, target: int, weapon: Weapon, way: tuple[int, int], distance: int,
              sight: Grade, ranged: bool) -> tuple[Adjustment, ...]:  # fmt: skip
    setup, figure = state.setup, state.figures[by]
    being, foe = setup.beings[by], setup.beings[target]
    out = []
    if sight is not Grade.CLEAR:
        out.append(_note("impaired: cover", "§3"))
    if ranged and distance > weapon.near:
        out.append(_note("impaired: far", "§2.9"))
    if not seen_in(state, by, *way, foe.space):
        out.append(_note("impaired: target in darkness", "§2.2"))
    if any(figure.has(word) for word in ("restrained", "panicked", "blind")):
        out.append(_note("impaired: bound, blind or panicked", "§4"))
    if foe.detachment and not being.detachment and not weapon.blast:
        out.append(_note("impaired: one against a detachment", "§2.13"))
    if foe.impaired_by & kinds(weapon, ranged) and not foe.enhanced_by & kinds(weapon, ranged):
        out.append(_note(f"impaired: {foe.name}'s nature", "§5.6"))
    if figure.has("averted") and stares(setup, target):
        out.append(_note("impaired: looking away", "§3"))
    sharp = figure.has("true sight")
    if state.figures[target].has("displaced") and not sharp:
        out.append(_note("impaired: not where it seems", "§5.5"))
    if state.figures[target].has("unseen") and not sharp and foe.side != being.side:
        out.append(_note("impaired: unseen", "§5.6"))
    return tuple(out)


def _enhanced(state: CairnState, by: int, target: int, weapon: Weapon, ranged: bool) -> tuple[Adjustment, ...]:
    setup = state.setup
    being, foe = setup.beings[by], setup.beings[target]
    out = []
    if helpless(state.figures[target]):
        out.append(_note("enhanced: helpless target", "§2.2"))
    if being.detachment and not foe.detachment:
        out.append(_note("enhanced: a detachment against one", "§2.13"))
    if foe.enhanced_by & kinds(weapon, ranged):
        out.append(_note(f"enhanced: {foe.name}'s weakness", "§5.6"))
    if state.figures[by].has("daring"):
        out.append(_note("enhanced: a daring manoeuvre that worked", "§2.2"))
    return tuple(out)


def blast_cells(terrain: Terrain, weapon: Weapon, start: int, space: int, goal: int) -> int:
    """The spaces that an area attack takes in (cairn.md §3)."""
    if weapon.blast == "adjacent":
        return terrain.within(start, 1, space) & ~terrain.footprint(start, space)
    if weapon.blast == "cone":
        return cone(terrain, start, space, goal, weapon.size)
    return burst(terrain, goal, weapon.size)


def victims(resolution: Resolution, by: int, action: Action) -> list[int]:
    """Whom an attack harms: its target, or everybody in its area (A24); a detachment all foes around it (§2.13)."""
    being, figure = resolution.being(by), resolution.figures[by]
    weapon = weapon_of(resolution.setup, by, action.weapon or UNARMED.name)
    target = resolution.setup.index[action.target or ""]
    if being.detachment and not weapon.blast and not resolution.being(target).detachment:
        cells = resolution.terrain.within(figure.cell, RING, being.space)
        near = [i for i in _standing(resolution, cells) if resolution.being(i).side != being.side]
        return near if target in near else [*near, target]
    if weapon.blast and figure.cell >= 0:
        goal = resolution.figures[target].cell
        cells = blast_cells(resolution.terrain, weapon, figure.cell, being.space, goal)
        taken_in = [i for i in _standing(resolution, cells) if i != by]
        if weapon.blast == "adjacent":  # no sweep goes through a wall
            taken_in = [i for i in taken_in if beside(resolution.done(), by, figure.cell, i)]
        return taken_in
    return [target]


def _standing(resolution: Resolution, cells: int) -> list[int]:
    return [
        i
        for i, f in enumerate(resolution.figures)
        if present(f) and resolution.terrain.footprint(f.cell, resolution.being(i).space) & cells
    ]


def strike_all(resolution: Resolution, attacks: list[tuple[int, Action]]) -> None:
    """One side's attacks of a half-round: pooled per target, in the order in which targets were named."""
    pools: dict[int, list[Blow]] = {}
    for by, action in attacks:
        figure = resolution.figures[by]
        if not able(figure):
            continue
        weapon = weapon_of(resolution.setup, by, action.weapon or UNARMED.name)
        if weapon.name != UNARMED.name and weapon.name not in wielded(resolution.setup, by, figure):
            continue  # it has lost what it meant to strike with, or the arm for it
        take_in_hand(resolution, by, weapon)
        relieve(resolution, by, "invisible", "it strikes")
        state = resolution.done()
        for target in victims(resolution, by, action):
            goal = resolution.figures[target].cell
            if goal < 0:
                continue
            blow = prepare(state, by, target, weapon, figure.cell, goal) or (
                _in_blast(state, by, target, weapon) if weapon.blast else None
            )
            if blow is not None:
                pools.setdefault(target, []).append(blow)
        if weapon.thrown and weapon.near:
            let_fly(resolution, by, weapon, resolution.setup.index[action.target or ""])
    for target, blows in pools.items():
        if present(resolution.figures[target]):
            pool(resolution, target, mobbed(resolution.setup, blows))
            if resolution.being(target).sticky and present(resolution.figures[target]):
                _stick(resolution, target, blows)


def _stick(resolution: Resolution, target: int, blows: list[Blow]) -> None:
    """Who struck it hand to hand from beside it is held (cairn.md §5.6, Mimic)."""
    being, goal = resolution.being(target), resolution.figures[target].cell
    for blow in blows:
        start, other = resolution.figures[blow.attacker].cell, resolution.being(blow.attacker)
        near = start >= 0 and resolution.terrain.distance(start, goal, other.space, being.space) <= 1
        if near and not blow.ranged and other.side != being.side:
            afflict(resolution, blow.attacker, "restrained", because="it sticks", save="str", by=being.id)


def mobbed(setup: Setup, blows: list[Blow]) -> list[Blow]:
    """Those who fight better beside an ally are enhanced where another strikes at the same target (§5.6, Hobgoblin)."""
    out = []
    for blow in blows:
        being = setup.beings[blow.attacker]
        others = {other.attacker for other in blows if setup.beings[other.attacker].side == being.side}
        if being.mobbing and len(others) > 1:
            notes = (*blow.notes, _note("enhanced: an ally strikes at the same target", "§5.6"))
            dice = dice_of(blow.weapon, notes)
            blow = msgspec.structs.replace(blow, dice=dice, notes=notes)
        out.append(blow)
    return out


def dared(blow: Blow) -> Blow:
    """The same blow out of a daring manoeuvre that worked."""
    notes = (*blow.notes, _note("enhanced: a daring manoeuvre that worked", "§2.2"))
    return msgspec.structs.replace(blow, dice=dice_of(blow.weapon, notes), notes=notes)


def stared_down(blow: Blow) -> Blow:
    """The same blow struck while looking away from whoever stares."""
    notes = (*blow.notes, _note("impaired: looking away", "§3"))
    return msgspec.structs.replace(blow, dice=dice_of(blow.weapon, notes), notes=notes)


def dice_of(weapon: Weapon, notes: tuple[Adjustment, ...]) -> tuple[int, ...]:
    """The dice of an attack that is impaired, enhanced, or both, which cancels out (A5, A6)."""
    worse = any(note.because.startswith("impaired") for note in notes)
    better = any(note.because.startswith("enhanced") for note in notes)
    if worse == better:
        return weapon.dice
    return (IMPAIRED if worse else ENHANCED,) * len(weapon.dice)


def _in_blast(state: CairnState, by: int, target: int, weapon: Weapon) -> Blow:
    """Whom an area takes in, though it could not be aimed at: its die is plain but for the target's own nature."""
    return open_blow(state, by, target, weapon)


def pool(resolution: Resolution, target: int, blows: list[Blow]) -> None:
    """All dice against one target, the single highest counts, Armor once (cairn.md §2.3)."""
    rolled: list[tuple[Blow, int, tuple[Roll, ...]]] = []
    for blow in blows:
        resolution.dice.thrower = resolution.being(blow.attacker).id
        rolls = tuple(roll(resolution.dice, blow.weapon.name, 1, die, exploding=False) for die in blow.dice)
        rolled.append((blow, max(r.total for r in rolls), rolls))
    if resolution.figures[target].has("mirrored") and not _sees_through(resolution, blows):
        relieve(resolution, target, "mirrored", "the double takes the blow")
        _tell(resolution, target, rolled, None, 0, "nothing")
        return
    harmful = [entry for entry in rolled if not entry[0].immune]
    if not harmful:
        _tell(resolution, target, rolled, None, 0, "nothing")
        return
    best = max(harmful, key=lambda e: (e[1], e[0].weapon.ignores_armor, e[0].weapon.rider is not None))
    blow, highest, _ = best
    foe, figure = resolution.being(target), resolution.figures[target]
    armor = 0 if blow.weapon.ignores_armor else armor_of(resolution.setup, foe, figure)
    damage = max(0, highest - armor)
    direct = blow.weapon.direct or off_guard(resolution, target)
    number = _tell(resolution, target, rolled, best, armor, "nothing")
    before = len(resolution.events)
    word = wound(resolution, target, damage, blow.weapon.name, by=blow.attacker, direct=direct, rider=_rider(blow))
    told = resolution.events[number]
    resolution.events[number] = msgspec.structs.replace(told, outcome=word, damage=damage)
    if word != "nothing" and len(resolution.events) > before:
        for condition in ENDED_BY_HARM:
            relieve(resolution, target, condition, "harm")
    if blow.weapon.rusts and damage:
        rust(resolution, target)
    if blow.weapon.feeds and damage and not foe.bloodless:
        _feed(resolution, blow)


def _feed(resolution: Resolution, blow: Blow) -> None:
    """A bite on who has blood gives the biter Hit Protection back (cairn.md §5.6, Vampire)."""
    figure, being = resolution.figures[blow.attacker], resolution.being(blow.attacker)
    gained = min(blow.weapon.feeds, figure.hp_max - figure.hp)
    if gained > 0:
        resolution.change(blow.attacker, hp=figure.hp + gained)
        relieve(resolution, blow.attacker, "tested")  # who comes to 0 HP anew is shaken anew (A14)
        resolution.events.append(
            Healing(target=being.id, amount=gained, now=figure.hp + gained, what="hp", because=blow.weapon.name)
        )


def _sees_through(resolution: Resolution, blows: list[Blow]) -> bool:
    return any(resolution.figures[blow.attacker].has("true sight") for blow in blows)


def _rider(blow: Blow) -> Rider | None:
    return blow.weapon.rider


def _tell(resolution: Resolution, target: int, rolled: list[tuple[Blow, int, tuple[Roll, ...]]],
          best: tuple[Blow, int, tuple[Roll, ...]] | None, armor: int, outcome: str) -> int:  # fmt: skip
    """An event for every attacker of the pool; gives the number of the one whose die counts."""
    number = len(resolution.events)
    for entry in rolled:
        blow, value, rolls = entry
        counts = entry is best
        if counts:
            number = len(resolution.events)
        attacker = resolution.figures[blow.attacker]
        resolution.change(blow.attacker, best=max(attacker.best, value))
        notes = blow.notes if not blow.immune else (*blow.notes, _note(NO_HARM, "§5.6"))
        word = outcome if counts or best is None else "scratched"
        if armor and counts:
            notes = (*notes, Adjustment("damage", -armor, "Armor", "cairn.md §2.2"))
        resolution.events.append(
            Attack(
                by=resolution.being(blow.attacker).id,
                target=resolution.being(target).id,
                weapon=blow.weapon.name,
                attack=value,
                defense=armor,
                margin=value - armor,
                outcome=word,
                damage=0,
                adjustments=notes,
                rolls=rolls,
                ranged=blow.ranged,
                sight=blow.sight.name.lower(),
            )
        )
    return number


def reach_of(setup: Setup, who: int, figure: Figure) -> list[tuple[int, int]]:
    """(nearest, farthest) spaces at which a creature can strike with each thing that it has."""
    out = []
    for name in wielded(setup, who, figure):
        weapon = weapon_of(setup, who, name)
        if weapon.reach:
            out.append((0, weapon.reach))
        if weapon.far:
            out.append((weapon.reach + 1, weapon.far))
    return list(dict.fromkeys(out))


def cells_struck(terrain: Terrain, spans: list[tuple[int, int]], start: int, space: int) -> list[int]:
    """All cells within any of the spans."""
    board = 0
    for near, far in spans:
        board |= terrain.within(start, far, space) & ~terrain.within(start, near - 1, space)
    return cells_of(board)
