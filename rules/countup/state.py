"""The state of a fight by the second: immutable values; what never changes stays outside in the setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from enum import StrEnum
from typing import TYPE_CHECKING, Self

import msgspec

from rules.board.grid import Field, Terrain
from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.contract.events import Note, Roll
from rules.contract.hand import Kept
from rules.contract.ruleset import Switch
from rules.contract.text import Creature
from rules.contract.units import (
    EMPTY,
    INSTANT,
    NO_CREATURE,
    NOWHERE,
    Bitboard,
    Cell,
    CreatureIx,
    Eighths,
    Seconds,
    numbered,
)
from rules.core.base_ruleset import FIXTURES, HURDLES, HURDLES_TOLD, SLEEPERS, SLEEPERS_TOLD, Resolving
from rules.core.base_ruleset import Setup as Shared
from rules.core.fixtures.obstacles import fenced
from rules.core.secrets import Found
from rules.core.visibility import DoorMemory, Looks
from rules.countup.gear import UNARMED, Armour, Armoury, Weapon
from rules.countup.manners import PLAIN, Manner, Stance
from rules.countup.penetration import Die, roll
from rules.countup.roster import Roster, longest, opposed
from rules.explore.goals import Aims
from rules.explore.state import Exploring

SWITCHES = (
    Switch("darkness", "Darkness", "On a dark map poor light costs attack and defence."),
    Switch("fog", "Fog of war", "Each side sees only what its own creatures see."),
    Switch("natural_20_hits", "Natural 20 hits", "A natural 20 to attack hits whatever the defence, and is critical."),
    Switch("scamper_back", "Scamper back", "Who may give ground may jog back two spaces instead: +5, next attack −4."),
    Switch("tactical_move", "Tactical move", "The engaged may walk about at −1 a second on attack and defence."),
    Switch("shield_arcs", "Shield arcs", "A small shield covers the front only; larger ones front and sides."),
    Switch("shield_in_flight", "Shields against shots", "A shield keeps the d20p against shots when one stands."),
    Switch("backstab", "Backstab", "A thief's small blade from behind penetrates on two faces, with more dice."),
    Switch("hue_and_cry", "Hue and cry", "Who is awake shouts: friends not yet in the fight act two seconds sooner."),
    Switch("morale", "Morale", "A grave wound asks for a check of tenacity; who fails it flees."),
    Switch("fatigue", "Fatigue", "Low defence dice wear a fighter down: −1 to attack, defence and damage, +1 speed."),
    Switch("components", "Components", "Every spell takes d4p seconds more: its component must be found."),
    Switch("sprint_limit", "Sprint limit", "Nobody sprints longer than half of Constitution in seconds."),
    Switch("out_cold", "Out cold", "A natural 20 on the trauma roll: out for 5d6p minutes."),
    Switch("fixtures", FIXTURES, "Traps, chests, locks, water and faces take skills; treasure is carried.", fresh=True),
    Switch("hurdles", HURDLES, HURDLES_TOLD, fresh=True),
    Switch("sleepers", SLEEPERS, SLEEPERS_TOLD, fresh=True),
    Switch("explore", "Begin with exploration", "The heroes come minute by minute, until somebody notices them."),
    Switch("crawl", "Expedition", "Exploration goes on after each fight, until the heroes leave or fall."),
    Switch("double_total", "Critical: total doubled", "A critical hit doubles the damage instead of its dice."),
)
OPTIONS: Mapping[str, bool] = {"strict_throws": True, **{switch.name: switch.default for switch in SWITCHES}}
"""Switches of a record and their defaults."""


KNOCK: Mapping[str, int] = {"T": 5, "S": 10, "M": 15, "L": 20, "H": 25, "G": 30}
"""Raw damage for each 5 ft of knock-back (countup.md §2.3)."""
FOOT = Eighths(8)
"""Distance is counted in eighths of a foot: the small in mail run 5⅝ ft a second."""
SPACE = 5 * FOOT
NO_WAY = 0 * FOOT
FOREVER = Seconds(1 << 30)


class Gait(StrEnum):
    """How fast somebody goes (countup.md §3)."""

    NONE = ""
    """It stands."""
    CRAWL = "crawl", FOOT * 5 // 2
    WALK = "walk", FOOT * 5
    JOG = "jog", FOOT * 10
    RUN = "run", FOOT * 15
    SPRINT = "sprint", FOOT * 20
    HALT = "halt"
    """It comes to a halt from a run."""

    rate: Eighths
    """Eighths of a foot a second; the small make half."""

    def __new__(cls, word: str, rate: Eighths = NO_WAY) -> Self:
        self = str.__new__(cls, word)
        self._value_ = word
        self.rate = rate
        return self

    @property
    def fast(self) -> bool:
        """Whether nobody goes so from a stand."""
        return self is Gait.RUN or self is Gait.SPRINT

    @property
    def rushes(self) -> bool:
        """Whether ways straight on add up, for a charge or a throw."""
        return self is Gait.JOG or self.fast


GAITS = tuple(gait for gait in Gait if gait.rate)
"""From the slowest to the fastest."""


SAVES = ("physical", "mental", "dodge")


class Being(msgspec.Struct, frozen=True):
    """What does not change about a creature in a fight."""

    id: str
    name: str
    side: str
    kind: str
    controller: str
    art: str
    temperament: str
    threat: int
    size: str
    space: int
    pace: tuple[Eighths, ...]
    """Eighths of a foot a second at walk, jog, run, sprint, armour counted in; 0 = cannot."""
    attack: int
    defence: int
    damage: int
    initiative: int
    level: int
    hp_max: int
    reduction: int
    """Damage reduction of hide and armour."""
    pain: int
    """Hit points of one wound above which the threshold of pain is passed; 0 = immune."""
    trauma: int
    """What the d20 must not exceed then."""
    dexterity_bonus: int
    """Defence by Dexterity that is lost while charging, if positive."""
    saves: tuple[int | None, ...]
    """By `SAVES`, the level or attack bonus left out (see `resolve`); None = immune."""
    weapons: tuple[str, ...]
    natural: tuple[Weapon, ...]
    sequence: tuple[str, ...]
    """Attacks made in turn, one each time it is due; empty = as it likes."""
    shield: str | None
    armour: Armour | None
    spells: tuple[str, ...]
    spell_points: int
    scene: str
    """`standard`, `ambush`, `heard`, `door`, `corner`: the initiative die's situation."""
    stealth: str
    """`sneaking` or `hidden`: how it means to go unnoticed before the first second."""
    unwary: bool
    """Off guard or asleep at first: notices nothing."""
    regenerates: Seconds
    """Seconds for each hit point that comes back; 0 = never."""
    light: int
    dark_sight: bool
    undead: bool
    anointed: bool
    """Healed by better dice."""
    low_light: bool = False
    lamp: str = ""
    """`candle`, `lantern`, `torch`: what gives its light; candles are blown out by running."""
    burns: Seconds = INSTANT
    """Seconds for which the light burns; 0 = as long as the fight."""
    thief: bool = False
    memorised: tuple[str, ...] | None = None
    """Spells that cost no more than they say; None = all."""
    stowed: tuple[str, ...] = ()
    """Weapons that are packed away."""
    skills: Mapping[str, int] = {}
    """Percentages of skills (countup.md §2.9)."""
    tenacity: str = "steady"
    burden: Seconds = INSTANT
    """Seconds that encumbrance adds to a weapon's speed."""
    knock: str = ""
    """The size that counts for knock-back, where it is another: dwarves are hard to move, elves light."""
    left_handed: bool = False
    """Its blows knock foes back to the other side."""
    swift: int = 0
    """Seconds that the class adds to the speed of weapons in hand; negative is faster."""
    items: tuple[str, ...] = ()
    """What it carries beside weapons and armour, from the start."""
    lasting: bool = False
    """A character that goes on after the fight: its wounds are kept one by one."""
    patrol: tuple[tuple[int, int], ...] = ()
    """Way points of the round that it walks in an exploration."""
    hidden: bool = False
    """It lies in hiding where that begins."""
    duty: str = ""
    """On an expedition: `guard`, `hunt` or `warn`."""
    warns: str = ""
    group: str = ""
    reserve: str = ""
    unskilled: int = 0
    """−1 to −6 to attack, defence, damage and speed with weapons one never learnt (countup.md §5.1)."""

    @property
    def resolve(self) -> int:
        """What counts on both sides of a save: the level, or the attack bonus of a monster (countup.md §2.8)."""
        return self.level or self.attack

    def pace_at(self, gait: Gait) -> Eighths:
        """Eighths of a foot a second at a gait."""
        return self.pace[0] // 2 if gait is Gait.CRAWL else self.pace[GAITS.index(gait) - 1]

    @property
    def quickest(self) -> Eighths:
        """Eighths of a foot a second at a jog or a run, as it can."""
        return max(self.pace[1], self.pace[2])


UNCOUNTED = -1
"""Of ammunition: there is enough."""


class Order(msgspec.Struct, frozen=True):
    """What a creature does until something makes it think again."""

    path: tuple[Cell, ...] = ()
    gait: Gait = Gait.WALK
    action: Action | None = None
    done: bool = False
    """The player said that this is all."""
    tactical: bool = False
    """Moved as a tactical move (option)."""
    facing: int = -1
    """Where one turns to besides, free with whatever else is done; −1 = as the deed has it."""
    given: Seconds = Seconds(-1)
    """The second in which it was given: until time moves it isn't asked for again."""
    awaits: Seconds = INSTANT
    """Up to this second one waits for a foe that is not yet within reach, to strike on contact; 0 = for nobody."""


class Casting(msgspec.Struct, frozen=True):
    """A spell on its way."""

    spell: str
    ends: Seconds
    target: CreatureIx = NO_CREATURE
    at: Cell = NOWHERE


class Task(msgspec.Struct, frozen=True):
    """Something that takes its seconds: `search`, `pick_lock` or `force`."""

    do: str
    door: int
    ends: Seconds


class Figure(msgspec.Struct, frozen=True):
    """What changes about a creature. `cell` −1: not on this board."""

    cell: Cell
    hp: int
    facing: int = 0
    """0 = north, then clockwise by eighths."""
    init: Seconds = Seconds(1)
    due: Seconds = Seconds(1)
    busy: Seconds = INSTANT
    """The first second at which it is free again."""
    helpless: Seconds = INSTANT
    """The second at which helplessness ends; 0 = not helpless."""
    prone: bool = False
    gait: Gait = Gait.NONE
    """Of the last second."""
    carry: Eighths = NO_WAY
    moved: Seconds = Seconds(-9)
    """The last second in which it left its space."""
    straight: Eighths = NO_WAY
    """Eighths of a foot run straight on without a break."""
    heading: int = -1
    toil: bool = False
    """Half way into a difficult space, which takes two spaces of movement."""
    hand: str = ""
    shield: str | None = None
    slung: str | None = None
    """A shield on the back, while both hands hold a weapon."""
    drawn: tuple[str, ...] = ()
    """Stowed weapons that have been taken out."""
    ready_at: Seconds = INSTANT
    """The second at which the weapon in hand is ready."""
    stance: Stance = Stance.NONE
    """With `until`."""
    until: Seconds = INSTANT
    exposed: bool = False
    """An aggressive attack costs every defence until one's own next attack (B19)."""
    penalty: int = 0
    """To the next attack: ground given."""
    withdrew: bool = False
    """To the next attack: a fighting withdrawal, however many seconds of it."""
    set_since: Seconds = Seconds(-1)
    held_by: CreatureIx = NO_CREATURE
    freed_at: Seconds = Seconds(-1)
    """Broke out of being held at bay: may attack from this second on."""
    no_pursuit: Seconds = INSTANT
    broke: bool = False
    """Has run out of a melee: its count begins anew when it is in contact again."""
    casting: Casting | None = None
    task: Task | None = None
    fatigue: Seconds = INSTANT
    """The second at which spell fatigue ends."""
    points: int = 0
    prayed: tuple[str, ...] = ()
    """Divine spells that were spent."""
    wounds: tuple[int, ...] | None = None
    """Of a character that lasts the hit points of each wound, 0 where it is mended (`rules.countup.combat.wounds`)."""
    ammunition: int = UNCOUNTED
    """Arrows, bolts or stones left."""
    loading: tuple[str, Seconds] = ("", INSTANT)
    """A missile weapon being readied and the second at which its shot leaves."""
    hasty: bool = False
    """That shot is to leave without aim."""
    nocked: tuple[str, Seconds] = ("", INSTANT)
    """A missile weapon, and the second from which it is loaded and drawn: it stays so if the shot does not leave."""
    effects: tuple[tuple[str, Seconds], ...] = ()
    """(effect, the second at which it ends)."""
    turn: int = 0
    """Which attack of the sequence is next."""
    order: Order | None = None
    policy: str = "ask"
    """`stand`, `yield` or `ask` when it may give ground."""
    contacts: tuple[CreatureIx, ...] = ()
    """Those it has met within reach."""
    fresh: tuple[CreatureIx, ...] = ()
    """Of them, those met in this very second: first strikes are for them."""
    tactical: int = 0
    """Tactical moves since the last attack (option)."""
    worn: int = 0
    """How often fatigue has struck (option)."""
    sprinted: Seconds = INSTANT
    """Seconds sprinted on end."""
    scampered: bool = False
    """Answered a blow by jogging back, not by a step (option)."""
    images: int = 0
    """Copies of oneself that a hit may find in one's stead."""
    burnt: int = 0
    """Hit points lost to fire, which do not come back by themselves."""
    ward: int = 0
    """Hit points that a spell still takes in one's stead."""
    dark: bool = False
    """One's light is out."""
    owed: int = 0
    """To the next attack: a defensive fight that was broken off."""
    press: bool = False
    """Steps after a foe that gives ground or is knocked back."""
    keys: tuple[str, ...] = ()
    """By the names that doors and chests have for them."""
    purse: int = 0
    """Coins."""
    pack: tuple[str, ...] = ()
    """What was taken along."""
    dead: bool = False
    fled: bool = False
    dealt: int = 0
    taken: int = 0
    best: int = 0
    felled: int = 0

    @property
    def present(self) -> bool:
        """On the board and in the fight."""
        return self.cell >= 0 and not self.dead and not self.fled

    @property
    def low(self) -> bool:
        """Whether it lies or kneels."""
        return self.prone or self.stance is Stance.KNEELING

    @property
    def fleeing(self) -> bool:
        return self.stance is Stance.FLEEING

    @property
    def at_work(self) -> bool:
        """Whether a spell or a task keeps it busy."""
        return self.casting is not None or self.task is not None

    @property
    def action(self) -> Action | None:
        """What it has been ordered to do."""
        return self.order.action if self.order is not None else None

    @property
    def path(self) -> tuple[Cell, ...]:
        """The way that it has been ordered to go."""
        return self.order.path if self.order is not None else ()

    def surprised(self, second: Seconds) -> bool:
        """Until one's own initiative (countup.md §1)."""
        return second < self.init

    def able(self, second: Seconds) -> bool:
        """Can act in this second."""
        return not self.helpless and second >= self.init and self.present

    def under(self, effect: str) -> bool:
        return any(name == effect for name, _ in self.effects)

    def laid(self, effect: str, ends: Seconds) -> tuple[tuple[str, Seconds], ...]:
        """The effects with one more until a second, in place of the same from before."""
        return (*(each for each in self.effects if each[0] != effect), (effect, ends))


class Phase(StrEnum):
    """What a second consists of, in order; the last one is the fight's (countup.md §1)."""

    EXPLORE = "explore"
    DECLARE = "declare"
    MOVE = "move"
    CONTACT = "contact"
    STRIKE = "strike"
    REACT = "react"
    OVER = "over"


class Ground(StrEnum):
    """How spells change the ground: kinds of zones."""

    SMOKE = "smoke"
    LIGHT = "light"
    DARK = "dark"
    SLIPPERY = "slippery"
    BARRED = "barred"
    """A door is kept shut."""


class PreparedAttack(msgspec.Struct, frozen=True):
    """A strike or a shot that is to be resolved."""

    by: CreatureIx
    target: CreatureIx
    weapon: Weapon
    manner: Manner = PLAIN
    depth: int = 0
    yielded: bool = False
    """The defender gave ground."""


SPENT: Mapping[str, object] = {
    "penalty": 0, "withdrew": False, "owed": 0, "tactical": 0, "exposed": False,
}  # fmt: skip
"""What an attack of one's own, a shot too, pays off or ends."""


class Choice(msgspec.Struct, frozen=True):
    """A question inside somebody's action."""

    by: CreatureIx
    kind: str
    """`give_ground`, `fleer`, `follow`."""
    options: tuple[str, ...]
    other: CreatureIx
    number: int = 0
    """Which of the waiting blows it is about."""


class Setup(Shared):
    """What a fight never changes."""

    def __init__(
        self, field: Field, beings: tuple[Being, ...], armoury: Armoury, *, throws: tuple[int | None, ...] | None,
        options: Mapping[str, bool],
    ) -> None:  # fmt: skip
        self.fixtures = bool(options["fixtures"] or options.get("crawl"))
        """Whether all that stands on the map is dealt with by skills."""
        self.hurdles = bool(self.fixtures and options.get("hurdles"))
        """Whether rubble is cleared and gaps are leapt."""
        self.field = fenced(field, hurdles=self.hurdles) if self.fixtures else field
        self.beings, self.armoury, self.throws = beings, armoury, throws
        self.index = {b.id: i for i, b in numbered(beings)}
        self.sides = tuple(dict.fromkeys(b.side for b in beings))
        self._meet()
        self.strict_throws = options["strict_throws"]
        self.darkness = options["darkness"]
        self.fog = options["fog"]
        self.options = dict(options)
        self.crawl = options["crawl"]
        self.views: Looks = {}
        self.asked: tuple[object, list[CreatureIx]] = ((), [])
        """The latest figures in a second that waits for orders, and who of them is free."""

    def with_beings(self, beings: tuple[Being, ...]) -> Setup:
        """The same with other creatures."""
        other = copy(self)
        other.beings = beings
        other.index = {b.id: i for i, b in numbered(beings)}
        other.sides = tuple(dict.fromkeys((*self.sides, *(b.side for b in beings))))
        other.views = {}
        other._meet()
        return other

    def _meet(self) -> None:
        """What follows from who is there."""
        weapons = (*self.armoury.weapons.values(), *(weapon for being in self.beings for weapon in being.natural))
        self.against = opposed([being.side for being in self.beings])
        """Side -> everybody of the others."""
        self.longest = longest(weapons)
        """Spaces that the longest weapon of all reaches."""
        self.roster = Roster(())
        """What is known of the latest figures."""
        self._arms: list[dict[str, Weapon]] = [{} for _ in self.beings]

    def sizes(self, one: CreatureIx, other: CreatureIx) -> tuple[int, int]:
        """Spaces across of two creatures."""
        return self.beings[one].space, self.beings[other].space

    def weapon(self, who: CreatureIx, name: str) -> Weapon:
        """A creature's weapon by its name: natural ones first."""
        own = self._arms[who]
        found = own.get(name)
        if found is None:
            natural = (weapon for weapon in self.beings[who].natural if weapon.name == name)
            found = own[name] = next(natural, None) or self.armoury.weapons[name]
        return found


class Position:
    """Who is where in a fight: what can be asked of its state, and of a stretch of time being resolved alike."""

    __slots__ = ()

    if TYPE_CHECKING:
        setup: Setup
        figures: Sequence[Figure]
        terrain: Terrain
        doors: tuple[str, ...]
        found: Found
        second: Seconds
        zones: tuple[tuple[str, Bitboard, Seconds], ...]

    def being(self, who: CreatureIx) -> Being:
        """What does not change about a creature."""
        return self.setup.beings[who]

    def named(self, who: CreatureIx) -> Creature:
        """A creature in a sentence."""
        being = self.setup.beings[who]
        return Creature(being.name, being.id)

    def find(self, name: str | None) -> CreatureIx | None:
        """The number of a creature by its id."""
        return self.setup.index.get(name or "")

    def foes(self, who: CreatureIx) -> list[CreatureIx]:
        """Everybody of another side who is in the fight."""
        beings, figures = self.setup.beings, self.figures
        return [i for i in self.setup.against[beings[who].side] if figures[i].present]

    def weapon(self, who: CreatureIx) -> Weapon:
        """What a creature strikes with next: the sequence's turn, what is in hand, else natural or unarmed."""
        being, figure = self.setup.beings[who], self.figures[who]
        if being.sequence:
            return self.setup.weapon(who, being.sequence[figure.turn % len(being.sequence)])
        if figure.hand:
            return self.setup.weapon(who, figure.hand)
        return being.natural[0] if being.natural else UNARMED

    def struck_with(self, who: CreatureIx, action: Action) -> Weapon:
        """What an ordered attack is struck with: the sequence's turn, going on from blow to blow; else what the order
        says, or what is in hand."""
        named = action.weapon if not self.setup.beings[who].sequence else None
        return self.setup.weapon(who, named) if named else self.weapon(who)

    def free_weapon(self, who: CreatureIx) -> Weapon:
        """What it strikes a free blow with: who has in hand what is only shot or hurled, and no knife, has the fist."""
        held = self.weapon(who)
        return UNARMED if held.only_ranged and not held.knife else held

    def distance(self, one: CreatureIx, other: CreatureIx) -> int:
        """Spaces between two creatures, from nearest to nearest."""
        figures, beings = self.figures, self.setup.beings
        return self.terrain.distance(figures[one].cell, figures[other].cell, beings[one].space, beings[other].space)

    def footprint(self, who: CreatureIx) -> Bitboard:
        """Bitboard of the spaces that a creature covers."""
        return self.terrain.footprint(self.figures[who].cell, self.setup.beings[who].space)

    def taken(self, cells: Bitboard, but: int = -1) -> bool:
        """Whether somebody in the fight, save one, covers any of some spaces."""
        here = numbered(self.figures)
        return any(i != but and figure.present and self.footprint(i) & cells for i, figure in here)

    def sight(self, one: CreatureIx, other: CreatureIx) -> Grade:
        """How well one creature sees another, light aside."""
        figures, beings = self.figures, self.setup.beings
        return grade(self.terrain, figures[one].cell, figures[other].cell, beings[one].space, beings[other].space)


class CountState(Position, msgspec.Struct, frozen=True):
    """A fight at one moment of one second."""

    setup: Setup
    figures: tuple[Figure, ...]
    rng: int | None
    throw_at: int
    doors: tuple[str, ...]
    terrain: Terrain
    second: Seconds = INSTANT
    told: Seconds = INSTANT
    """The latest second of which something was told."""
    phase: Phase = Phase.DECLARE
    """Where the second stands when something is asked."""
    attacks: tuple[PreparedAttack, ...] = ()
    """Strikes of this second that wait."""
    free: tuple[PreparedAttack, ...] = ()
    """Free attacks earned, first in first out."""
    later: tuple[tuple[Seconds, PreparedAttack], ...] = ()
    """Free attacks of a later second."""
    choices: tuple[Choice, ...] = ()
    floor: tuple[tuple[str, Cell], ...] = ()
    zones: tuple[tuple[str, Bitboard, Seconds], ...] = ()
    """(kind, cells, the second at which it ends)."""
    winner: str | None = None
    viewer: str = ""
    found: Found = ()
    """Side -> the secret doors that it knows; empty on a map without any."""
    challenges: tuple[str, ...] = ()
    """How each of the map's challenges stands, where they count."""
    recall: DoorMemory | None = None
    """How each side last saw the doors, in fog."""
    explore: Exploring | None = None
    """How the exploration stands, or stood when the fight began; None for one that began at once."""
    aims: Aims | None = None  # how goals stand, and who is bound; None on a map without either
    cleared: Bitboard = EMPTY
    """The spaces of rubble that have been cleared."""
    by_hand: Kept | None = None  # notes and ground shown by the game master
    waves: tuple[int, ...] = ()
    """How each of the field's arrivals stands (arriving.py); empty without any."""

    def foes(self, who: CreatureIx) -> list[CreatureIx]:
        """As of any position; found once for the same figures, and never to be changed."""
        side, known = self.setup.beings[who].side, self._roster
        found = known.foes.get(side)
        if found is None:
            found = known.foes[side] = super().foes(who)
        return found

    def weapon(self, who: CreatureIx) -> Weapon:
        """As of any position."""
        known = self._roster
        found = known.weapons.get(who)
        if found is None:
            found = known.weapons[who] = super().weapon(who)
        return found

    @property
    def _roster(self) -> Roster:
        known = self.setup.roster
        if known.figures is not self.figures:
            known = self.setup.roster = Roster(self.figures)
        return known


class Resolution(Resolving[CountState, Setup, Figure], Position):
    """A stretch of time being resolved: a mutable copy of the state, the dice in hand and the events so far."""

    kept = frozenset(CountState.__struct_fields__)
    asked: list[CreatureIx] | None = None
    """Who is to be given an order, once that was asked."""
    mark = 0
    """Events before those of this second."""
    figures: list[Figure]
    told: Seconds
    phase: Phase
    challenges: tuple[str, ...]
    attacks: tuple[PreparedAttack, ...]
    free: tuple[PreparedAttack, ...]
    later: tuple[tuple[Seconds, PreparedAttack], ...]
    choices: tuple[Choice, ...]
    floor: tuple[tuple[str, Cell], ...]
    winner: str | None
    aims: Aims | None
    explore: Exploring | None
    cleared: Bitboard
    waves: tuple[int, ...]

    def note(self, who: CreatureIx, told: str, rolls: tuple[Roll, ...] = ()) -> None:
        """Something is told of a creature, with the dice that decided it."""
        self.events.append(Note(text=told, by=self.being(who).id, rolls=rolls))

    def roll(self, who: CreatureIx, label: str, dice: tuple[Die, ...], bonus: int = 0) -> Roll:
        """A creature throws dice."""
        self.dice.thrower = self.being(who).id
        return roll(self.dice, label, dice, bonus)


def open_order(figure: Figure) -> Order:
    """The order that is being given; a new one where the last was whole."""
    return figure.order if figure.order is not None and not figure.order.done else Order()
