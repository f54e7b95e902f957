"""The state of a fight: immutable values, integer cells; stat blocks stay outside in the setup."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from rules.board.grid import Field, Terrain
from rules.contract.actions import Adjustment
from rules.contract.events import Adjusted, Moved
from rules.contract.ruleset import PARTY
from rules.contract.text import Creature, text, untitled
from rules.contract.units import EMPTY, NO_CREATURE, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.core.base_ruleset import Resolving
from rules.core.base_ruleset import Setup as Shared
from rules.core.dice import signed
from rules.core.fixtures.obstacles import Obstacles
from rules.core.visibility import DoorMemory, Looks
from rules.explore.goals import Aims
from rules.explore.state import Exploring
from rules.explore.waves import waiting
from rules.olde.effects import Effect, Zone
from rules.olde.gear import Armor, Armoury, Weapon
from rules.olde.magic.spells import NO_MAGIC, Grimoire

STANDING = "standing"
"""The posture of whoever is on its feet; the others are conditions (conditions.py)."""
UNCOUNTED = -1
"""Ammunition of a creature whose shots nobody counts."""


TRAIT_RULE = "olde.md §10"
FIGURES = ("bonus", "rating", "turns", "spaces", "die")
"""What a trait may have figures of."""


class Trait(msgspec.Struct, frozen=True, kw_only=True):
    """A trait in a fight (traits.py): its fields are its figures, each with what is usual; its methods are the moments
    of a fight, at which by itself it does nothing. Creatures are told by their numbers."""

    name: ClassVar[str]
    sentence: ClassVar[str]  # its rule in one sentence, with its figures as fields; `{change}` is its bonus with a sign
    of_weapons: ClassVar[bool] = False  # it may be bound to one weapon; else any natural weapon of its bearer has it
    immune: ClassVar[tuple[str, ...]] = ()  # conditions that its bearer can't have
    flies: ClassVar[bool] = False

    weapon: str = ""

    @classmethod
    def figures(cls) -> tuple[str, ...]:
        """The figures that it has."""
        return tuple(field for field in cls.__struct_fields__ if field in FIGURES)

    @property
    def rule(self) -> str:
        """What it does, in a sentence with its figures."""
        figures = dict.fromkeys(FIGURES, 0) | {name: getattr(self, name) for name in self.figures()}
        save = text("Brawn or Nerve check of {rating}", figures["rating"])
        points = getattr(self, "points", 0)
        told = text(self.sentence, **figures, change=signed(figures["bonus"]), save=save, points=points)
        return text("{weapon}: {told}", self.weapon.capitalize(), untitled(told)) if self.weapon else told

    @property
    def source(self) -> str:
        """Where the rule stands."""
        return f"{TRAIT_RULE} {self.name}"

    def modify_attack(self, at: Striking) -> Iterable[Adjustment]:
        """What it adds to its bearer's attack."""
        return ()

    def after_hit(
        self, resolution: Resolution, who: CreatureIx, target: CreatureIx, weapon: Weapon, damage: int
    ) -> None:
        """Its bearer has hit with a weapon that has it, and the damage is dealt."""

    def note(self, setup: Setup, foe: Fighter, victim: Figure) -> str:
        """What such a hit carries, for the attack card."""
        return ""

    def hurt(self, resolution: Resolution, who: CreatureIx, element: str) -> None:
        """Its bearer has lost hit points, to an element."""

    def dropped(self, resolution: Resolution, who: CreatureIx) -> None:
        """Its bearer has fallen to 0 hit points or below."""

    def on_reset(self, resolution: Resolution, who: CreatureIx) -> None:
        """Step 1 of the reset, after what its bearer's conditions cost (olde.md §4)."""

    def after_reset(self, resolution: Resolution, who: CreatureIx) -> None:
        """After step 3 of the reset, recovery, for each bearer who can act."""


T = TypeVar("T", bound=Trait)


class Traits(msgspec.Struct, frozen=True):
    """All traits of a creature."""

    listed: tuple[Trait, ...] = ()  # all of them, as they are listed
    immune: tuple[str, ...] = ()  # conditions that it can't have
    flies: bool = False
    kinds: tuple[Trait, ...] = ()
    """The last of each kind, in the order in which they are asked; below, those that do something at a moment."""
    modify_attack: tuple[Trait, ...] = ()
    after_hit: tuple[Trait, ...] = ()  # all of these, not the last of each kind alone
    hurt: tuple[Trait, ...] = ()
    dropped: tuple[Trait, ...] = ()
    on_reset: tuple[Trait, ...] = ()
    after_reset: tuple[Trait, ...] = ()

    def of(self, kind: type[T]) -> T | None:
        """Its trait of a kind, if it has one."""
        if not self.kinds:  # most have none, and planners ask often
            return None
        return next((trait for trait in self.kinds if isinstance(trait, kind)), None)

    def riders(self, weapon: Weapon) -> tuple[Trait, ...]:
        """Those that a weapon's hits carry: those bound to it, and to a natural weapon those bound to none."""
        return tuple(t for t in self.after_hit if (t.weapon == weapon.name if t.weapon else weapon.natural))


NO_TRAITS = Traits()


class Fighter(msgspec.Struct, frozen=True):
    """What does not change about a creature in a fight."""

    id: str
    name: str
    side: str
    kind: str
    controller: str
    art: str
    temperament: str
    threat: int
    brawn: int
    finesse: int
    savvy: int
    nerve: int
    small: bool
    space: int
    allowance: int  # free steps a turn, in spaces
    skills: Mapping[str, int]  # skill -> adjustment of its rank
    weapons: tuple[str, ...]
    shield: str | None
    armor: Armor | None
    armor_short: int  # points of Brawn short of the armor's minimum
    finesse_rank: int  # rank of the Finesse die, modified by armor and what lasts
    hp_max: int
    mana_max: int
    faith_max: int
    surprised: bool
    light: int = 0  # radius in spaces of the light it carries
    lamp: str = "lantern"  # what gives that light: a lantern or a torch
    spares: int = 0  # with how many torches or flasks of oil it can light it anew
    modified: Mapping[str, int] = {}
    """Stat -> what a lasting condition, such as an illness, adds to the rank of its die (olde.md §1)."""
    dark_sight: bool = False  # it needs no light to see
    spells: tuple[str, ...] = ()  # spells and blessings that it knows
    innate: tuple[str, ...] = ()  # conditions that it came with and that no spell's end takes away
    patrol: tuple[tuple[int, int], ...] = ()
    """Way points of the round that it walks where a fight begins with exploration."""
    hidden: bool = False  # it lies in hiding where a fight begins with exploration
    duty: str = ""
    """On an expedition: `guard`, `hunt` or `warn`."""
    warns: str = ""
    group: str = ""
    reserve: str = ""
    traits: Traits = NO_TRAITS

    @property
    def called(self) -> Creature:
        """Its name in a sentence."""
        return Creature(self.name, self.id)


def most_of(brawn: int, savvy: int, nerve: int) -> dict[str, Any]:
    """The most hit points, Mana and Faith that somebody with these stats has (olde.md §2)."""
    return {"hp_max": brawn + nerve // 2, "mana_max": savvy + nerve // 2, "faith_max": nerve + savvy // 2}


class Figure(msgspec.Struct, frozen=True, gc=False):
    """What changes about a creature. `cell` −1: not on this board (unseen by the observer)."""

    cell: Cell
    hp: int
    mana: int
    faith: int
    hands: tuple[str, ...]
    pack: tuple[str, ...]
    ap: int = 0
    ap_start: int = 0  # AP that this turn began with
    free: int = 0  # free steps still to be had this turn
    posture: str = STANDING
    stunned: int = 0  # challenge rating of recovery, 0 when not stunned
    bleeding: bool = False
    dying: bool = False
    rooted: bool = False
    slowed: bool = False
    temp_defense: int = 0
    temp_block: int = 0  # temporary Defense that counts against melee only (Shield Block)
    unset: tuple[str, ...] = ()  # crossbows that have to be reset
    guided: bool = False  # was guided in this round
    cp: int = 0
    effects: tuple[Effect, ...] = ()  # what spells have left on it
    items: tuple[str, ...] = ()  # potions, scrolls and devices carried
    keys: tuple[str, ...] = ()  # keys carried, by the names that doors have for them
    purse: int = 0  # coins
    goods: tuple[str, ...] = ()  # things of worth, and whatever else was taken along
    ammunition: int = UNCOUNTED  # arrows, bolts or stones left


class Phase(StrEnum):
    """What is going on."""

    EXPLORE = "explore"
    RESET = "reset"
    ACTION = "action"
    OVER = "over"


class Chance(msgspec.Struct, frozen=True, gc=False):
    """What the acting character has done with its chance so far (olde.md §4)."""

    who: CreatureIx
    spent: int = 0
    freed: bool = False
    moved: bool = False
    acted: bool = False
    only: bool = False  # paid all it had for an Only action: nothing more may follow
    start: Cell = NOWHERE  # the space where it began to move

    @property
    def did(self) -> bool:
        return self.freed or self.moved or self.acted


class Question(msgspec.Struct, frozen=True, gc=False):
    """A choice inside an action that waits for its answer."""

    by: str
    kind: str  # `critical_miss`, `disastrous_miss`, `recover_pool`, `reflex` or `response`
    options: tuple[str, ...]
    who: CreatureIx
    other: CreatureIx = NO_CREATURE
    weapon: str = ""
    mode: int = 0


class Stage(Enum):
    """How far an attack under way has come."""

    DECLARED = 1
    ANSWERED = 2  # its reflex is done with
    STRUCK = 3


class Pending(msgspec.Struct, frozen=True, gc=False):
    """An attack that was declared and is not done with: what it needs to go on (combat/reactions.py)."""

    attacker: CreatureIx
    target: CreatureIx
    weapon: str
    action: str
    depth: int = 0  # 0: an action of its own; else how many answers deep
    ranged: bool = False
    stage: Stage = Stage.DECLARED
    extra: tuple[Adjustment, ...] = ()
    """What its circumstances and the answers to it add, to `attack`, `defense` and `damage`."""
    hp: int = 0  # the target's hit points before the blow


class Lying(msgspec.Struct, frozen=True, gc=False):
    """An item on the floor; `owner` let go of it last."""

    item: str
    cell: Cell
    owner: int


class Striking(NamedTuple):
    """Who is about to strike at whom, as everybody stands now. Creatures are told by their numbers."""

    setup: Setup
    figures: Sequence[Figure]
    terrain: Terrain
    who: CreatureIx
    target: CreatureIx
    covered: int = 0  # spaces from where the chance began
    ranged: bool = False

    def adjustments(self) -> tuple[Adjustment, ...]:
        """What the attacker's traits add."""
        traits = self.setup.fighters[self.who].traits.modify_attack
        return tuple(each for trait in traits for each in trait.modify_attack(self))


KEPT = 1 << 14
"""So much is kept under one name before all of it is forgotten."""


class Memory:
    """Tables of what was found out, by name. Nothing in it depends on when it was asked for."""

    __slots__ = ("_tables", "latest")

    def __init__(self) -> None:
        self._tables: dict[str, dict[Hashable, Any]] = {}
        self.latest: Any = None
        """The legal actions asked for last: an action is mostly applied where it was listed."""

    def __reduce__(self) -> tuple[type[Memory], tuple[()]]:
        """Whoever keeps a fight keeps nothing of this: it is found out again."""
        return Memory, ()

    def table(self, name: str) -> dict[Hashable, Any]:
        """What is kept under a name, with room for more."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = {}
        elif len(found) >= KEPT:
            found.clear()
        return found


@dataclass(slots=True, eq=False)
class Setup(Shared):
    """What a fight never changes."""

    field: Field
    fighters: tuple[Fighter, ...]
    armoury: Armoury
    throws: tuple[int | None, ...] | None
    strict_throws: bool
    advanced: bool
    gm: bool
    exploding_damage: bool
    darkness: bool = False
    fog: bool = False
    grimoire: Grimoire = NO_MAGIC
    reflexes: tuple[str, ...] = ()  # answers to attacks that this fight allows (reactions.py)
    obstacles: Obstacles | None = None  # what stands in the way on this map (challenges/state.py); None on most
    criticals: bool = False  # whether checks outside of blows have critical outcomes (challenges/checks.py)
    fixtures: bool = False  # whether chests hold things, and everything may be taken along (plunder.py)
    crawl: bool = False  # whether exploration goes on after fights (explore/minutes.py)
    advantage: bool = False  # whether higher ground, surprise and help grant advantage (combat/attack.py)
    memory: Memory = dataclasses.field(default_factory=Memory)  # what serves other fights as well
    memo: dict[Hashable, Any] = dataclasses.field(init=False, default_factory=dict)
    """What deeds remember of creatures as they are armed: keys begin with a word of their own."""
    views: Looks = dataclasses.field(init=False, default_factory=dict)
    index: dict[str, CreatureIx] = dataclasses.field(init=False)  # id -> number

    def __post_init__(self) -> None:
        self.index = {fighter.id: i for i, fighter in numbered(self.fighters)}

    def joined_by(self, fighter: Fighter) -> Setup:
        """The same setup with one more creature, the last in the order."""
        return dataclasses.replace(self, fighters=(*self.fighters, fighter))


class OldeState(msgspec.Struct, frozen=True, gc=False):
    """A fight at one moment."""

    setup: Setup
    figures: tuple[Figure, ...]
    rng: int | None
    throw_at: int
    doors: tuple[str, ...]
    terrain: Terrain
    floor: tuple[Lying, ...] = ()
    turn: int = 0
    round: int = 0
    phase: Phase = Phase.RESET
    reset_at: int = 0  # where the reset phase stands, when it waits for an answer: the character's number in step 4
    chance: Chance | None = None
    had: int = 0  # bit i: character i had its chance in this round
    passed: int = 0
    question: Question | None = None
    winner: str | None = None
    zones: tuple[Zone, ...] = ()  # what spells have left on the ground
    viewer: str = ""  # the side whose knowledge this is; empty for the whole truth
    recall: DoorMemory | None = None  # how each side last saw the doors, in fog
    pending: tuple[Pending, ...] = ()  # attacks under way, the innermost last; always empty without reflexes
    challenges: tuple[str, ...] = ()  # how each of the field's challenges stands: set, disarmed, sprung; locked, open
    found: tuple[tuple[str, int], ...] = ()
    """Side -> the secrets that it knows (challenges/state.py); empty on a map without any."""
    cleared: Bitboard = EMPTY  # bitboard of the rubble that has been cleared
    held: tuple[tuple[int, int], ...] = ()  # (number of a portcullis that is only held up, resets until it falls)
    explore: Exploring | None = None
    """How the exploration stands with which this fight began (explore/minutes.py); None for one that began at once."""
    aims: Aims | None = None  # how goals stand, and who is bound; None on a map without either
    waves: tuple[int, ...] = ()  # how each of the field's arrivals stands (arriving.py); empty without any

    @property
    def exploring(self) -> Exploring:
        """How the exploration stands, where there is one."""
        assert self.explore is not None
        return self.explore


_OWN = 9
"""Attributes of a resolution that has touched nothing but what most do."""


class Resolution(Resolving[OldeState, Setup, Figure]):
    """One action being resolved: a mutable copy of the state, the dice in hand and the events so far."""

    kept = frozenset(OldeState.__struct_fields__)
    doors: tuple[str, ...]
    terrain: Terrain
    floor: tuple[Lying, ...]
    turn: int
    round: int
    reset_at: int
    winner: str | None
    zones: tuple[Zone, ...]
    viewer: str
    pending: tuple[Pending, ...]
    challenges: tuple[str, ...]
    found: tuple[tuple[str, int], ...]
    cleared: Bitboard
    held: tuple[tuple[int, int], ...]
    explore: Exploring | None
    aims: Aims | None
    waves: tuple[int, ...]

    __slots__ = ("paid",)  # no field of the state

    def __init__(self, state: OldeState) -> None:
        self.paid = 0
        self.state = state
        self.setup = state.setup
        self.figures = list(state.figures)
        self.events = []
        self.phase = state.phase
        self.chance = state.chance
        self.question = state.question
        self.had = state.had
        self.passed = state.passed

    def done(self) -> OldeState:
        if len(self.__dict__) > _OWN:
            return super().done()
        return msgspec.structs.replace(
            self.state, setup=self.setup, figures=tuple(self.figures), phase=self.phase, chance=self.chance,
            question=self.question, had=self.had, passed=self.passed,
        )  # fmt: skip

    def fighter(self, who: CreatureIx) -> Fighter:
        return self.setup.fighters[who]

    @property
    def exploring(self) -> Exploring:
        """How the exploration stands, where there is one."""
        assert self.explore is not None
        return self.explore


def able(figure: Figure) -> bool:
    """Can act: on the board, above 0 HP and not stunned."""
    return figure.hp > 0 and not figure.stunned and figure.cell >= 0


def unaware(at: OldeState | Resolution, who: CreatureIx) -> bool:
    """Whether somebody is caught unaware by the beginning of the fight (olde.md §4 reset phase)."""
    explore = at.explore
    return at.setup.fighters[who].surprised if explore is None else bool(explore.caught >> who & 1)


def is_over(resolution: Resolution) -> bool:
    """At most one side has anyone who is neither incapacitated nor dead; in a crawl, nobody is left to fight with."""
    if resolution.setup.crawl:
        return _settled(resolution)
    figures, memo = resolution.figures, resolution.setup.memo
    one, other = memo.get("up", (0, 0))  # two of different sides who were up when asked last: mostly they still are
    if one != other and figures[one].hp > 0 and figures[other].hp > 0:
        return False
    fighters, one = resolution.setup.fighters, -1
    out = resolution.aims.out if resolution.aims is not None else 0
    out |= waiting(resolution)
    for who, figure in numbered(figures):
        if figure.hp > 0 and not out >> who & 1:
            if one < 0:
                one = who
            elif fighters[who].side != fighters[one].side:
                if resolution.aims is None:  # who is up may leave without a scratch
                    memo["up"] = one, who
                return False
    return True


def _settled(resolution: Resolution) -> bool:
    """No hero is up, or while they fight nobody who knows of them."""
    heroes = foes = False
    now = resolution.exploring
    for who, figure in numbered(resolution.figures):
        if figure.hp > 0 and figure.cell >= 0:
            hero = resolution.setup.fighters[who].side == PARTY
            heroes, foes = heroes or hero, foes or (not hero and bool(now.roused >> who & 1))
    return not heroes or (resolution.phase is not Phase.EXPLORE and not foes)


class Because(StrEnum):
    """Why something happened, where that changes how it is told."""

    SURPRISED = "surprised"
    ASHORE = "ashore"


class Status(StrEnum):
    """How hale somebody is (olde.md §7)."""

    HEALTHY = "healthy"
    BRUISED = "bruised"
    WOUNDED = "wounded"
    INCAPACITATED = "incapacitated"
    DEAD = "dead"

    @property
    def light(self) -> bool:
        """Hurt lightly, if at all: treated with ease."""
        return self in (Status.HEALTHY, Status.BRUISED)


def status(hp: int, hp_max: int) -> Status:
    """How hale somebody with so many of so many hit points is."""
    if hp <= 0:
        return Status.DEAD if hp <= -hp_max else Status.INCAPACITATED
    if hp >= hp_max:
        return Status.HEALTHY
    return Status.BRUISED if 2 * hp >= hp_max else Status.WOUNDED


def standing_on(at: OldeState | Resolution, cells: Bitboard) -> list[int]:
    """Numbers of the creatures above 0 HP that cover any of `cells` (a bitboard)."""
    return [
        i
        for i, (fighter, figure) in numbered(zip(at.setup.fighters, at.figures, strict=True))
        if figure.cell >= 0 and figure.hp > 0 and at.terrain.footprint(figure.cell, fighter.space) & cells
    ]


def occupied(at: OldeState | Resolution, but: int = -1) -> Bitboard:
    """Bitboard of the spaces where somebody above 0 HP stands, `but` one."""
    found = EMPTY
    for i, (fighter, figure) in numbered(zip(at.setup.fighters, at.figures, strict=True)):
        if figure.cell >= 0 and figure.hp > 0 and i != but:
            found |= at.terrain.footprint(figure.cell, fighter.space)
    return found


def move(resolution: Resolution, who: CreatureIx, way: Sequence[Cell], mode: str, cost: int = 0) -> None:
    """Put a miniature on the last space of a way, with its event."""
    start, path = resolution.space(resolution.figures[who].cell), tuple(map(resolution.space, way))
    resolution.change(who, cell=way[-1])
    resolution.events.append(Moved(by=resolution.fighter(who).id, mode=mode, start=start, path=path, cost=cost))


def expose(resolution: Resolution, who: CreatureIx, change: int, because: str, rule: str) -> None:
    """Change somebody's Defense until the reset, with its event."""
    resolution.change(who, temp_defense=resolution.figures[who].temp_defense + change)
    adjustment = Adjustment("defense", change, because, rule)
    resolution.events.append(Adjusted(target=resolution.fighter(who).id, adjustment=adjustment))
