"""The state of a fight under Cairn: immutable values; what never changes stays outside in the setup."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from fractions import Fraction
from typing import Any, Final, Literal

import msgspec

from rules.board.grid import MAX_SIDE, Field, Terrain
from rules.cairn import conditions as cond
from rules.cairn.gear import SLOTS, Armoury, Weapon
from rules.contract.actions import Action
from rules.contract.events import Check, Note, Roll
from rules.contract.events import Condition as Told
from rules.contract.hand import Kept
from rules.contract.ruleset import PARTY
from rules.contract.text import Creature, Term, text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, first_creatures, numbered
from rules.core.base_ruleset import Resolving
from rules.core.base_ruleset import Setup as Shared
from rules.core.dice import roll
from rules.core.secrets import Found
from rules.core.visibility import DoorMemory, Looks
from rules.explore.goals import Aims
from rules.explore.state import Exploring

EXPLORE_PHASE: Final = "explore"
"""The phase of an exploration; its turns are dungeon turns (cairn.md §1)."""
STANDING = "standing"
"""The posture of who doesn't lie there."""
PURSE = 100
"""Coins that fill a slot; fewer are petty (cairn.md §4 Slots)."""
TETHER = 2
"""Spaces that those may be apart whom a tether joins (cairn.md §5.5)."""


class Being(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change about a creature in a fight."""

    id: str
    name: str
    side: str
    kind: str
    controller: str
    art: str
    temperament: str
    threat: int = 0
    pc: bool = False
    space: int = 1
    speed: int  # spaces of one move
    attacks: tuple[Weapon, ...]  # natural attacks
    armor: int  # Armor of its own hide
    wear: tuple[str, ...] = ()
    alert: str  # `normal`, `ready` or `unaware` (cairn.md §1 Alertness)
    leader: bool = False
    group: str = ""
    mindless: bool = False
    steadfast: bool = False  # passes every morale check while a leader of its side stands
    detachment: bool = False
    unstoppable: bool = False  # critical damage does not stop it: it dies only at STR 0
    heads: int = 0  # critical damage costs one of these, and only the last is its end; 0 for anybody with the usual one
    immune: frozenset[str] = frozenset()  # tags of attacks and powers, and conditions, that do nothing to it
    impaired_by: frozenset[str] = frozenset()
    enhanced_by: frozenset[str] = frozenset()
    powers: tuple[str, ...] = ()
    light: int = 0  # spaces of light that it sheds by its nature; what it carries sheds its own
    dark_sight: bool = False
    innate: tuple[str, ...] = ()  # conditions that are its nature and never end
    resists: bool = False  # who works magic on it saves WIL, or the magic fizzles
    hired: bool = False  # of the party, it saves morale when that loses people (cairn.md §5.3 Hirelings)
    follower: bool = False  # flees when the last leader of its side falls
    mobbing: bool = False  # its attack is enhanced while an ally strikes at the same target
    nerve: int = 0  # what it saves morale with in place of WIL; 0 = WIL
    flies: bool = False
    """What lies or gapes on the floor does nothing to it, no edge takes it, and no ground is difficult for it."""
    sticky: bool = False  # who strikes it hand to hand from beside it is held
    reflects: bool = False  # half of the magic aimed at it by foes comes back to who worked it
    bursts: tuple[int, ...] = ()  # dice of the fire in which it ends, for everybody beside it
    bloodless: bool = False  # there is no blood in it to be drunk
    rises: int = 0  # rounds after which it stands up again that was not destroyed; 0 = never
    items: tuple[str, ...] = ()  # all that it has brought along
    plural: bool = False  # it is told of in the plural: a swarm
    patrol: tuple[tuple[int, int], ...] = ()  # way points of the round that it walks in an exploration
    hidden: bool = False  # it lies in hiding where that begins
    duty: str = ""
    """On an expedition: `guard`, `hunt` or `warn`."""
    warns: str = ""
    reserve: str = ""
    called: bool = False  # A power has called it, for a while: nobody mourns it

    @property
    def creature(self) -> Creature:
        """Its name, as sentences have it."""
        return Creature(self.name, self.id)


class Lasting(msgspec.Struct, frozen=True):
    """A condition with an end: `rounds` left (0 = until it is ended), and the save that ends it, if any."""

    name: str
    rounds: int = 0
    save: str = ""
    by: str = ""
    die: int = 0  # faces of the die of STR that it costs at the end of each round
    then: str = ""  # what it turns into when its rounds are over: a condition, or `dead`


class Plan(msgspec.Struct, frozen=True):
    """A sealed intent: at most a move and an action, in either order."""

    path: tuple[Cell, ...] = ()
    moved: bool = False
    stand: bool = False
    action: Action | None = None
    action_first: bool = False
    aside: Action | None = None  # something free beside them: an item picked up or dropped
    drops: str = ""  # what is let go before everything else
    uses: tuple[str, ...] = ()  # what must still be carried for the action
    whole_turn: bool = False  # the action leaves no room for a move
    second_path: tuple[Cell, ...] = ()  # the way of the movement that takes the action
    done: bool = False  # the player said that this is all


class Figure(msgspec.Struct, frozen=True):
    """What changes about a creature. `cell` −1: not on this board."""

    cell: Cell
    hp: int
    hp_max: int
    str_now: int
    dex_now: int
    wil_now: int
    str_max: int
    dex_max: int
    wil_max: int
    hands: tuple[str, ...] = ()
    pack: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()  # by the names that doors and chests have for them; they fill no slot
    purse: int = 0  # coins
    fatigue: int = 0
    posture: str = STANDING
    critical: bool = False  # took critical damage: it can only crawl, and dies in an hour unless aided
    stable: bool = False
    dead: bool = False
    fled: bool = False
    gone: str = ""  # how it left the board: `fled`, `routed`, `retreated`, `fallen`
    idle: bool = False  # failed its DEX save in the first round: no move and no action
    doomed: bool = False
    heads: int = 0
    lame: bool = False  # A leg is broken, hamstrung or lost: 2 spaces a move
    one_armed: bool = False
    lasting: tuple[Lasting, ...] = ()
    scars: tuple[int, ...] = ()
    used: tuple[tuple[str, int], ...] = ()  # how often each power or item with charges was used
    dealt: int = 0
    taken: int = 0
    best: int = 0
    felled: int = 0
    ran: int = 0  # spaces between where it stood when its side's half began and where it stands: while a half resolves

    def has(self, condition: cond.Condition) -> bool:
        if not self.lasting:  # asked hundreds of times a decision
            return False
        name = condition.name
        for each in self.lasting:  # noqa: SIM110
            if each.name == name:
                return True
        return False

    def any_of(self, names: frozenset[str]) -> bool:
        """Whether it is in any of these conditions."""
        return bool(self.lasting) and any(each.name in names for each in self.lasting)

    def cannot(self, what: cond.Forbid) -> bool:
        """Whether a condition forbids it something."""
        return bool(self.lasting) and self.any_of(cond.FORBIDDING[what])

    def causes(self, condition: cond.Condition) -> set[str]:
        """What its condition comes from or is about: ids of creatures, or a thing."""
        return {each.by for each in self.lasting if each.name == condition.name}

    @property
    def carried(self) -> tuple[str, ...]:
        """What it has in hand, then what it has packed."""
        return self.hands + self.pack

    def score(self, name: str) -> int:
        """What it has now of `hp`, `str`, `dex` or `wil`."""
        return int(getattr(self, name if name == "hp" else f"{name}_now"))

    def without(self, item: str) -> Figure:
        """The same when it has let go of a thing, if it carries that; out of its hands first."""
        for name in ("hands", "pack") if item else ():
            held: tuple[str, ...] = getattr(self, name)
            if item in held:
                spot = held.index(item)
                return msgspec.structs.replace(self, **{name: (*held[:spot], *held[spot + 1 :])})
        return self

    @property
    def present(self) -> bool:
        """On the board and part of the fight: not dead, not fled."""
        return self.cell >= 0 and not self.dead and not self.fled

    @property
    def helpless(self) -> bool:
        """Cannot defend itself at all: attackers are enhanced (cairn.md §4)."""
        if self.dex_now <= 0 < self.dex_max or self.wil_now <= 0 < self.wil_max:
            return True
        return self.cannot(cond.Forbid.ACT)

    @property
    def defenceless(self) -> bool:
        """Cannot ward off a blow: harm goes straight to STR (cairn.md §2.5)."""
        return self.helpless or self.cannot(cond.Forbid.DEFEND)

    @property
    def able(self) -> bool:
        """Can act at all: present, not down, not helpless."""
        return self.present and not self.critical and not self.helpless and not self.has(cond.OUT)

    @property
    def fighting(self) -> bool:
        """Counts for its side: present and not taken out by critical damage or a mortal wound."""
        return self.present and not self.critical and not self.has(cond.OUT)

    @property
    def prone(self) -> bool:
        """Lies there and could get up: who can only crawl does not."""
        return self.posture == cond.PRONE.name and not self.critical

    @property
    def better(self) -> str:
        """The attribute for what either may do: STR, unless DEX is higher."""
        return "str" if self.str_now >= self.dex_now else "dex"

    @property
    def status(self) -> str:
        """One word for a creature: healthy, bruised (HP lost), wounded (STR lost), incapacitated, dead."""
        if self.dead:
            return "dead"
        if self.critical or self.has(cond.OUT):
            return "incapacitated"
        if self.str_now < self.str_max:
            return "wounded"
        return "healthy" if self.hp >= self.hp_max else "bruised"

    @property
    def clock(self) -> int:
        """Rounds left of the hour in which critical damage or a mortal wound kills; 0 where none of them runs."""
        if self.dead:
            return 0
        clocks = (cond.BLEEDING_OUT.name, cond.OUT.name)
        return min((each.rounds for each in self.lasting if each.name in clocks and each.rounds), default=0)


class Lying(msgspec.Struct, frozen=True):
    """An item on the floor."""

    item: str
    cell: Cell


class Does(Flag):
    """What changed ground does."""

    WALL = auto()  # no way and no sight through it
    BAR = auto()  # no way past it
    GAP = auto()  # A way where a wall was
    HIDE = auto()  # no sight through it
    VEIL = auto()  # neighbours still find each other in it, as if behind cover
    DECEIVE = auto()  # true sight looks past it
    HINDER = auto()  # every space counts double
    SNUFF = auto()  # lights go out
    DARKEN = auto()
    LIGHT = auto()
    WARD = auto()  # foes of who drew it do not enter
    DAMPEN = auto()  # magic has half its force
    HARM = auto()  # it does something to who enters; planners go round it
    RISE = auto()  # it does that to what is off the floor, too, and to nobody's way
    GRIP = auto()  # it does that at every step
    CATCH = auto()  # it does that at once to who stands where it begins
    ONCE = auto()  # it does that once


class GroundKind(StrEnum):
    """A kind of changed ground: how it shows itself, and what it does. `mark` is a kind of
    `rules.contract.display.GroundMark`."""

    mark: str
    label: str
    text: str
    does: Does

    def __new__(cls, name: str, mark: str, label: str, text: str, does: Does) -> GroundKind:
        self = str.__new__(cls, name)
        self._value_ = name
        self.mark, self.label, self.text, self.does = mark, label, text, does
        return self

    ICE = "ice", "wall", "Wall of ice", "No way and no sight through it.", Does.WALL
    BAR = "bar", "pane", "Wonder Bar", "Nobody gets past it, nor moves it, until it is taken up.", Does.BAR
    FIRE = "fire", "fire", "Wall of fire", "d6 damage to who crosses it.", Does.HARM | Does.RISE | Does.CATCH
    FOG = ("fog", "fog", "Fog", "No sight through it; within it one finds only neighbours, impaired.",
           Does.HIDE | Does.VEIL)  # fmt: skip
    THICKET = ("thicket", "rough", "Thicket", "No sight through it; every space counts double.",
               Does.HIDE | Does.VEIL | Does.HINDER)  # fmt: skip
    PIT = ("pit", "pit", "Pit", "DEX save or fall: d6 STR, and prone. Climbing counts double.",
           Does.HARM | Does.HINDER)  # fmt: skip
    SLICK = "slick", "slick", "Slippery floor", "DEX save on entering or fall prone.", Does.HARM
    ICE_FLOOR = "ice floor", "slick", "Ice", "DEX save on entering or fall prone.", Does.HARM
    ADHERE = ("adhere", "slick", "Sticky floor", "Who steps on it is held; a save as action breaks free.",
              Does.HARM | Does.GRIP | Does.CATCH)  # fmt: skip
    CALTROPS = ("caltrops", "spikes", "Caltrops", "DEX save on entering or d4 damage, and the movement ends.",
                Does.HARM)  # fmt: skip
    TRAP = "trap", "trap", "Trap", "d6 STR to whoever steps on it, once; Armor counts.", Does.HARM | Does.ONCE
    STEEL_TRAP = ("steel trap", "trap", "Steel trap", "4 STR to whoever steps on it, once; Armor counts.",
                  Does.HARM | Does.ONCE)  # fmt: skip
    WIRE = "wire", "spikes", "Wire", "DEX save on entering, or fall prone, and the movement ends.", Does.HARM
    ILLUSION = ("illusion", "fog", "Illusion", "No sight through it but for true sight; nobody is hindered by it.",
                Does.HIDE | Does.DECEIVE)  # fmt: skip
    DAMPER = ("damper", "ward", "Dampened magic", "Magic worked here, or on who stands here, has half its force.",
              Does.DAMPEN)  # fmt: skip
    DARK = "dark", "dark", "Darkness", "Nobody in it is seen farther than an arm's length.", Does.DARKEN
    LIGHT = "light", "light", "Light", "The spaces around it are lit.", Does.LIGHT
    WARD = "ward", "ward", "Ward", "Foes of who drew it do not enter.", Does.WARD
    GAP = "gap", "gap", "Passage", "A gap in the wall, for a while.", Does.GAP
    SNUFF = "snuff", "", "Snuff", "Lights go out.", Does.SNUFF


class Zone(msgspec.Struct, frozen=True):
    """Ground that a power changed, on `cells` (a bitboard), for so many rounds (0 = the whole fight)."""

    kind: GroundKind
    cells: Bitboard
    rounds: int
    by: str = ""
    at: Cell = NOWHERE  # the space that was aimed at: where a light shines from
    item: str = ""  # the thing that lies there and does it: taken up, it does so no longer


class Choice(msgspec.Struct, frozen=True):
    """A question that the rules put inside a resolution."""

    by: str
    kind: str
    options: tuple[str, ...]
    who: CreatureIx


class Morale(msgspec.Struct, frozen=True):
    """What a band of foes started with, and which of its morale triggers have fired (cairn.md §2.11)."""

    side: str
    start: int
    group: str = ""  # the band within its side, as the stat blocks name it; those without a name are one
    first: bool = False
    half: bool = False


@dataclass(eq=False)
class Setup(Shared):
    """What a fight never changes; from `strict_throws` on the switches of its record."""

    field: Field
    beings: tuple[Being, ...]
    armoury: Armoury
    throws: tuple[int | None, ...] | None  # scripted dice; None leaves every die to the seed
    strict_throws: bool
    gm: bool
    mercy: bool
    cast_saves: bool
    darkness: bool
    fog: bool
    panic: bool
    explore: bool = False
    crawl: bool = False
    fixtures: bool = False
    hurdles: bool = False
    outside: bool = False
    sleepers: bool = False

    def __post_init__(self) -> None:
        self.memo: dict[Hashable, Any] = {}  # what those who ask keep while this fight lasts
        self.views: Looks = {}
        self.in_hand: dict[tuple[CreatureIx, tuple[str, ...], bool], tuple[Weapon, ...]] = {}  # attack.py
        self.index = {b.id: i for i, b in numbered(self.beings)}
        self.sides = tuple(sorted(dict.fromkeys(b.side for b in self.beings), key=lambda side: side != PARTY))

    def with_beings(self, beings: tuple[Being, ...]) -> Setup:
        """The same with other creatures, or some on other sides: known ones keep their halves, a new one is last."""
        other = dataclasses.replace(self, beings=beings)
        other.sides = tuple(dict.fromkeys((*self.sides, *other.sides)))
        return other

    def side_at(self, half: int) -> str:
        """The side whose half it is; after the last half that of the last."""
        return self.sides[min(half, len(self.sides) - 1)]


class CairnState(msgspec.Struct, frozen=True):
    """A fight at one moment."""

    setup: Setup
    figures: tuple[Figure, ...]
    rng: int | None
    throw_at: int
    doors: tuple[str, ...]
    terrain: Terrain
    plans: tuple[Plan | None, ...]
    declared: tuple[CreatureIx, ...] = ()  # who declared, in the order of the first declaration of this half
    floor: tuple[Lying, ...] = ()
    zones: tuple[Zone, ...] = ()
    round: int = 1
    half: int = 0  # which side's half it is: its number in `setup.sides`
    phase: Literal["plan", "explore", "over"] = "plan"
    readied: tuple[tuple[CreatureIx, Action], ...] = ()  # attacks held ready for the first foe that comes within reach
    morale: tuple[Morale, ...] = ()
    choices: tuple[Choice, ...] = ()
    winner: str | None = None
    viewer: str = ""
    recall: DoorMemory | None = None  # how each side last saw the doors, in fog
    challenges: tuple[str, ...] = ()  # how each of the field's challenges stands: set, sprung; locked, open
    found: Found = ()  # side -> the secrets that it knows (rules.core.secrets); empty on a map without any
    explore: Exploring | None = None
    """How the exploration stands, or stood when the fight began; None for one that began at once."""
    aims: Aims | None = None  # how goals stand, and who is bound; None on a map without either
    cleared: Bitboard = EMPTY  # the spaces of rubble that have been cleared
    by_hand: Kept | None = None  # notes and ground shown by the game master
    waves: tuple[int, ...] = ()  # how each of the field's arrivals stands (arriving.py); empty without any


class Resolution(Resolving[CairnState, Setup, Figure]):
    """One action being resolved: a mutable copy of the state, the dice in hand and the events so far."""

    kept = frozenset(CairnState.__struct_fields__)
    doors: tuple[str, ...]
    terrain: Terrain
    floor: tuple[Lying, ...]
    zones: tuple[Zone, ...]
    round: int
    half: int
    phase: Literal["plan", "explore", "over"]
    readied: tuple[tuple[CreatureIx, Action], ...]
    morale: tuple[Morale, ...]
    choices: tuple[Choice, ...]
    winner: str | None
    viewer: str
    challenges: tuple[str, ...]
    found: Found
    explore: Exploring | None
    aims: Aims | None
    cleared: Bitboard
    waves: tuple[int, ...]

    def __init__(self, state: CairnState) -> None:
        super().__init__(state)
        self.plans = list(state.plans)
        self.declared = list(state.declared)
        self.pyres: list[CreatureIx] | None = None
        """Those who ended in flames in this half, while these wait for its end; None: they burn at once."""

    def being(self, who: CreatureIx) -> Being:
        return self.setup.beings[who]

    def note(self, who: CreatureIx, said: str, rolls: tuple[Roll, ...] = ()) -> None:
        """What there is to say of somebody."""
        self.events.append(Note(text=said, by=self.being(who).id, rolls=rolls))

    def throw(self, label: str, count: int, faces: int, *, by: CreatureIx | str | None = None) -> Roll:
        """Dice thrown by a creature (its number or its id); by whoever threw last where it is left out."""
        if by is not None:
            self.dice.thrower = self.being(by).id if not isinstance(by, str) else by
        return roll(self.dice, label, count, faces, exploding=False)

    def save(self, who: CreatureIx, attribute: str, why: str) -> bool:
        """A save, thrown and told. `attribute` is `str`, `dex` or `wil`."""
        return self.save_roll(who, attribute, why)[0]

    def save_roll(self, who: CreatureIx, attribute: str, why: str, score: int | None = None) -> tuple[bool, int]:
        """(passed, the face): a save against one's own score, or against a leader's (`score`)."""
        rating = getattr(self.figures[who], f"{attribute}_now") if score is None else score
        thrown = self.throw(text("{attribute} save", WORDS[attribute]), 1, 20, by=who)
        success = passes(thrown.total, rating)
        self.events.append(Check(
            by=self.being(who).id,
            what=text("{attribute} {save}: {why}", Term(WORDS[attribute]), Term("save"), why),
            roll=thrown, rating=rating, success=success
        ))  # fmt: skip
        return success, thrown.total

    def afflict(self, who: CreatureIx, condition: cond.Condition, rounds: int = 0, because: str = "", *,
                save: str = "", by: str = "", die: int = 0, then: str = "") -> bool:  # fmt: skip
        """Give a condition; False if the creature is immune or has it already for longer. `rounds` are halves of the
        creature's own side, so that nothing ends before it has mattered; 0 = until it is ended."""
        being, figure = self.being(who), self.figures[who]
        name = condition.name
        if name in being.immune:
            return False
        if rounds and self.setup.sides.index(being.side) <= self.half < len(self.setup.sides):
            rounds += 1  # its half of this round has begun
        if condition is cond.PRONE:
            if figure.posture == cond.PRONE.name:
                return False
            self.change(who, posture="prone")
        else:
            old = next((each for each in figure.lasting if each.name == name), None)
            if old is not None and (old.rounds == 0 or 0 < rounds <= old.rounds):
                return False
            kept = tuple(each for each in figure.lasting if each.name != name)
            self.change(who, lasting=(*kept, Lasting(name, rounds, save, by, die, then)))
        if not condition.hidden:
            self.tell_of(who, condition, because=because)
        return True

    def tell_of(self, who: CreatureIx, condition: cond.Condition, *, gained: bool = True, because: str = "",
                rolls: tuple[Roll, ...] = ()) -> None:  # fmt: skip
        """That somebody is in a condition from now on, or no longer."""
        name = self.being(who).id
        self.events.append(Told(target=name, condition=condition.name, gained=gained, because=because, rolls=rolls))

    def mark(self, who: CreatureIx, condition: cond.Condition, *, because: str = "", rolls: tuple[Roll, ...] = (),
             **changes: object) -> None:  # fmt: skip
        """Change a figure, and tell that it is in a condition from now on."""
        self.change(who, **changes)
        self.tell_of(who, condition, because=because, rolls=rolls)

    def relieve(self, who: CreatureIx, condition: cond.Condition, because: str = "", *, told: bool = True) -> None:
        """End a condition; who lies prone rises by a move alone. Unless `told`, nobody hears of it."""
        figure = self.figures[who]
        if condition.name in self.being(who).innate:
            return
        kept = tuple(each for each in figure.lasting if each.name != condition.name)
        if len(kept) == len(figure.lasting):
            return
        self.change(who, lasting=kept)
        if told and not condition.hidden:
            self.tell_of(who, condition, gained=False, because=because)


def aloft(being: Being, figure: Figure) -> bool:
    """Off the floor: by wings, or by a spell, also on walls and ceiling."""
    return being.flies or figure.any_of(cond.ALOFT)


def filled(setup: Setup, figure: Figure) -> int:
    """Slots filled: items, and Fatigue at one each (cairn.md §2.10)."""
    return figure.fatigue + figure.purse // PURSE + sum(setup.armoury.slots(item) for item in figure.carried)


def shown_hp(setup: Setup, being: Being, figure: Figure) -> int:
    """HP that count now: 0 with a full pack, while panicked, prone or helpless (cairn.md §2.5, §4, A21, A23)."""
    if figure.posture == cond.PRONE.name or figure.cannot(cond.Forbid.PROTECT) or figure.helpless:
        return 0
    if being.pc and filled(setup, figure) >= SLOTS:
        return 0
    return figure.hp


def standing_on(state: CairnState | Resolution, cells: Bitboard) -> list[CreatureIx]:
    """Numbers of the creatures still in the fight that cover any of `cells` (a bitboard)."""
    beings, footprint, found = state.setup.beings, state.terrain.footprint, []
    for i, figure in numbered(state.figures):
        cell = figure.cell
        if cell >= 0 and (cells >> cell & 1 or (beings[i].space > 1 and footprint(cell, beings[i].space) & cells)):
            if figure.present:
                found.append(i)
    return found


def awake(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether a creature of the side whose half it is can do anything at all, of its own will or not."""
    figure = state.figures[who]
    return _turn_of(state, who) and figure.able and not figure.cannot(cond.Forbid.TURN)


def _turn_of(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether it is the half of somebody's side, and it is neither late nor sits the first round out: the unaware do,
    but for player's characters, who save for it (§1)."""
    being = state.setup.beings[who]
    if state.phase != "plan" or being.side != state.setup.side_at(state.half) or state.figures[who].idle:
        return False
    return state.round != 1 or being.alert != "unaware" or being.pc


def plans_now(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether somebody plans in this half: able, of the side, not late, not unaware; or crawling."""
    figure = state.figures[who]
    if not _turn_of(state, who) or not figure.present or figure.has(cond.OUT) or figure.cannot(cond.Forbid.PLAN):
        return False
    if state.round == 1 and figure.has(cond.PANICKED):  # cairn.md §4: no action in the first round
        return False
    return figure.able or (figure.critical and not figure.helpless)


def planning(state: CairnState) -> list[CreatureIx]:
    """Numbers of those who plan now, in the record's order."""
    return [i for i in first_creatures(len(state.figures)) if plans_now(state, i)]


def sitting_out(state: CairnState) -> list[CreatureIx]:
    """Those of the side whose half it is that stand there and can't plan: late, asleep, unaware and the like."""
    if state.phase != "plan":
        return []
    side, here = state.setup.side_at(state.half), planning(state)
    return [
        i
        for i, (being, figure) in numbered(zip(state.setup.beings, state.figures, strict=True))
        if being.side == side and i not in here and figure.present and not figure.has(cond.OUT)
        and not figure.any_of(cond.DRIVEN)
    ]  # fmt: skip


def worn(setup: Setup, being: Being, figure: Figure) -> tuple[str, ...]:
    """The armour on somebody's body, without what is ruined."""
    if not figure.lasting:
        return being.wear
    return tuple(item for item in being.wear if not figure.has(cond.ruined(item)))


def sees_in_dark(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody needs no light: by nature, or by what it wears."""
    table = setup.armoury.armor
    return being.dark_sight or any(table[item].dark_sight for item in worn(setup, being, figure))


def light_of(setup: Setup, being: Being, figure: Figure) -> int:
    """Spaces of light around somebody, of its own and of the lamps that it carries; 0 where they are out."""
    if figure.has(cond.SNUFFED):
        return 0
    gear = setup.armoury.gear
    return max(being.light, *(gear[i].light for i in figure.carried if i in gear), 0)


def voiceless(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody cannot speak: silenced, or by what it wears."""
    table = setup.armoury.armor
    return figure.cannot(cond.Forbid.SPEAK) or any(table[item].mute for item in worn(setup, being, figure))


WORDS = {"str": "STR", "dex": "DEX", "wil": "WIL"}


def passes(face: int, attribute: int) -> bool:
    """A natural 1 always passes, a natural 20 always fails."""
    return face == 1 or (face != 20 and face <= attribute)


CHANCES = tuple(Fraction(faces, 20) for faces in range(20))
"""The chance to pass a save by the number of faces that pass."""


def save_chance(attribute: int) -> Fraction:
    """Chance to pass a save."""
    return CHANCES[min(19, max(1, attribute))]


def gap(state: CairnState | Resolution, who: CreatureIx, other: CreatureIx) -> int:
    """Spaces between two creatures; more than any map has where one of them is on none."""
    beings, figures = state.setup.beings, state.figures
    a, b = figures[who].cell, figures[other].cell
    if a < 0 or b < 0:
        return MAX_SIDE
    return state.terrain.distance(a, b, beings[who].space, beings[other].space)


def gripped(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether it is a foe's own hands or maw that hold somebody, not a net or the floor."""
    return any(held for _, held in _grips(state, who))


def loosened(state: CairnState | Resolution, who: CreatureIx) -> list[str]:
    """The grips on somebody that nobody keeps up any more."""
    return [name for name, held in _grips(state, who) if not held]


def _grips(state: CairnState | Resolution, who: CreatureIx) -> Iterator[tuple[str, bool]]:
    """Creatures' grips on somebody, by hand or maw, and whether each is kept up: by who is able to; by a live maw."""
    figures = state.figures
    for each in figures[who].lasting:
        maw, by_hand = each.name in cond.MAWS, each.name == cond.RESTRAINED.name and each.save
        if each.by and (maw or by_hand):
            holder = state.setup.index.get(each.by)
            if holder is None or gap(state, who, holder) > 1:
                yield each.name, False
            else:
                yield each.name, figures[holder].fighting if maw else figures[holder].able
