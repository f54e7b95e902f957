"""The state of a fight by the second: immutable values; what never changes stays outside in the setup."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from enum import StrEnum

import msgspec

from rules.board.grid import Field, Terrain
from rules.contract.actions import Action
from rules.contract.events import Event, Note, Roll
from rules.contract.ruleset import Switch
from rules.contract.text import Creature
from rules.contract.units import NOWHERE, Cell
from rules.core.base_ruleset import Resolving
from rules.core.dice import Dice
from rules.core.secrets import Found
from rules.core.visibility import DoorMemory
from rules.countup.gear import Armour, Armoury, Weapon
from rules.countup.manners import PLAIN, Manner, Stance
from rules.countup.penetration import Die, roll

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
    Switch("double_total", "Critical: total doubled", "A critical hit doubles the damage instead of its dice."),
)
OPTIONS: Mapping[str, bool] = {"strict_throws": True, **{switch.name: switch.default for switch in SWITCHES}}
"""Switches of a record and their defaults."""


KNOCK: Mapping[str, int] = {"T": 5, "S": 10, "M": 15, "L": 20, "H": 25, "G": 30}
"""Raw damage for each 5 ft of knock-back (countup.md §2.3)."""
FOOT = 8
"""Distance is counted in eighths of a foot: the small in mail run 5⅝ ft a second."""
SPACE = 5 * FOOT
PACES: Mapping[str, int] = {
    "crawl": FOOT * 5 // 2,
    "walk": FOOT * 5,
    "jog": FOOT * 10,
    "run": FOOT * 15,
    "sprint": FOOT * 20,
}
"""Eighths of a foot a second at each gait; the small make half (countup.md §3)."""
GAITS = tuple(PACES)
FOREVER = 1 << 30


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
    pace: tuple[int, int, int, int]
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
    saves: tuple[int | None, int | None, int | None]
    """Physical, mental, dodge, the level or attack bonus left out (see `resolve`); None = immune."""
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
    regenerates: int
    """Seconds for each hit point that comes back; 0 = never."""
    light: int
    dark_sight: bool
    undead: bool
    anointed: bool
    """Healed by better dice."""
    low_light: bool = False
    lamp: str = ""
    """`candle`, `lantern`, `torch`: what gives its light; candles are blown out by running."""
    burns: int = 0
    """Seconds for which the light burns; 0 = as long as the fight."""
    thief: bool = False
    memorised: tuple[str, ...] | None = None
    """Spells that cost no more than they say; None = all."""
    stowed: tuple[str, ...] = ()
    """Weapons that are packed away."""
    skills: Mapping[str, int] = {}
    """Percentages of skills (countup.md §2.9)."""
    tenacity: str = "steady"
    burden: int = 0
    """Seconds that encumbrance adds to a weapon's speed."""
    knock: str = ""
    """The size that counts for knock-back, where it is another: dwarves are hard to move, elves light."""
    left_handed: bool = False
    """Its blows knock foes back to the other side."""
    unskilled: int = 0
    """−1 to −6 to attack, defence, damage and speed with weapons one never learnt (countup.md §5.1)."""


class Order(msgspec.Struct, frozen=True):
    """What a creature does until something makes it think again."""

    path: tuple[Cell, ...] = ()
    gait: str = "walk"
    action: Action | None = None
    done: bool = False
    """The player said that this is all."""
    tactical: bool = False
    """Moved as a tactical move (option)."""
    facing: int = -1
    """Where one turns to besides, free with whatever else is done; −1 = as the deed has it."""
    given: int = -1
    """The second in which it was given: until time moves it isn't asked for again."""
    awaits: int = 0
    """Up to this second one waits for a foe that is not yet within reach, to strike on contact; 0 = for nobody."""


class Casting(msgspec.Struct, frozen=True):
    """A spell on its way."""

    spell: str
    ends: int
    target: int = -1
    at: Cell = NOWHERE


class Task(msgspec.Struct, frozen=True):
    """Something that takes its seconds: `search`, `pick_lock` or `force`."""

    do: str
    door: int
    ends: int


class Figure(msgspec.Struct, frozen=True):
    """What changes about a creature. `cell` −1: not on this board."""

    cell: Cell
    hp: int
    facing: int = 0
    """0 = north, then clockwise by eighths."""
    init: int = 1
    due: int = 1
    busy: int = 0
    """The first second at which it is free again."""
    helpless: int = 0
    """The second at which helplessness ends; 0 = not helpless."""
    prone: bool = False
    gait: str = ""
    """The gait of the last second; empty = it stood."""
    carry: int = 0
    moved: int = -9
    """The last second in which it left its space."""
    straight: int = 0
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
    ready_at: int = 0
    """The second at which the weapon in hand is ready."""
    stance: Stance = Stance.NONE
    """With `until`."""
    until: int = 0
    exposed: bool = False
    """An aggressive attack costs every defence until one's own next attack (B19)."""
    penalty: int = 0
    """To the next attack: ground given."""
    withdrew: bool = False
    """To the next attack: a fighting withdrawal, however many seconds of it."""
    set_since: int = -1
    held_by: int = -1
    freed_at: int = -1
    """Broke out of being held at bay: may attack from this second on."""
    no_pursuit: int = 0
    broke: bool = False
    """Has run out of a melee: its count begins anew when it is in contact again."""
    casting: Casting | None = None
    task: Task | None = None
    fatigue: int = 0
    """The second at which spell fatigue ends."""
    points: int = 0
    prayed: tuple[str, ...] = ()
    """Divine spells that were spent."""
    loading: tuple[str, int] = ("", 0)
    """A missile weapon being readied and the second at which its shot leaves."""
    hasty: bool = False
    """That shot is to leave without aim."""
    nocked: tuple[str, int] = ("", 0)
    """A missile weapon, and the second from which it is loaded and drawn: it stays so if the shot does not leave."""
    effects: tuple[tuple[str, int], ...] = ()
    """(effect, the second at which it ends)."""
    turn: int = 0
    """Which attack of the sequence is next."""
    order: Order | None = None
    policy: str = "ask"
    """`stand`, `yield` or `ask` when it may give ground."""
    contacts: tuple[int, ...] = ()
    """Those it has met within reach."""
    fresh: tuple[int, ...] = ()
    """Of them, those met in this very second: first strikes are for them."""
    tactical: int = 0
    """Tactical moves since the last attack (option)."""
    worn: int = 0
    """How often fatigue has struck (option)."""
    sprinted: int = 0
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
    dead: bool = False
    fled: bool = False
    dealt: int = 0
    taken: int = 0
    best: int = 0
    felled: int = 0

    def under(self, effect: str) -> bool:
        return any(name == effect for name, _ in self.effects)

    def laid(self, effect: str, ends: int) -> tuple[tuple[str, int], ...]:
        """The effects with one more until a second, in place of the same from before."""
        return (*(each for each in self.effects if each[0] != effect), (effect, ends))


class Phase(StrEnum):
    """What a second consists of, in order; the last one is the fight's (countup.md §1)."""

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

    by: int
    target: int
    weapon: str
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

    by: int
    kind: str
    """`give_ground`, `fleer`, `follow`."""
    options: tuple[str, ...]
    other: int
    number: int = 0
    """Which of the waiting blows it is about."""


class Setup:
    """What a fight never changes."""

    __slots__ = (
        "armoury", "beings", "darkness", "field", "fog", "index", "options", "sides", "spells", "strict",
        "throws",
    )  # fmt: skip

    def __init__(
        self,
        field: Field,
        beings: tuple[Being, ...],
        armoury: Armoury,
        spells: Mapping[str, object],
        *,
        throws: tuple[int | None, ...] | None,
        options: Mapping[str, bool],
    ) -> None:
        self.field = field
        self.beings = beings
        self.armoury = armoury
        self.spells = dict(spells)
        self.index = {b.id: i for i, b in enumerate(beings)}
        self.sides = tuple(dict.fromkeys(b.side for b in beings))
        self.throws = throws
        self.strict = options["strict_throws"]
        self.darkness = options["darkness"]
        self.fog = options["fog"]
        self.options = dict(options)

    def with_throws(self, throws: tuple[int | None, ...] | None, strict: bool = True) -> Setup:
        """The same setup with other scripted throws; None leaves every die to the seed."""
        other = copy(self)
        other.throws, other.strict = throws, strict
        return other


class CountState(msgspec.Struct, frozen=True):
    """A fight at one moment of one second."""

    setup: Setup
    figures: tuple[Figure, ...]
    rng: int | None
    throw_at: int
    doors: tuple[str, ...]
    terrain: Terrain
    second: int = 0
    told: int = 0
    """The latest second of which something was told."""
    phase: Phase = Phase.DECLARE
    """Where the second stands when something is asked."""
    attacks: tuple[PreparedAttack, ...] = ()
    """Strikes of this second that wait."""
    free: tuple[PreparedAttack, ...] = ()
    """Free attacks earned, first in first out."""
    later: tuple[tuple[int, PreparedAttack], ...] = ()
    """Free attacks of a later second."""
    choices: tuple[Choice, ...] = ()
    floor: tuple[tuple[str, Cell], ...] = ()
    zones: tuple[tuple[str, int, int], ...] = ()
    """(kind, cells, the second at which it ends)."""
    winner: str | None = None
    viewer: str = ""
    found: Found = ()
    """Side -> the secret doors that it knows; empty on a map without any."""
    recall: DoorMemory | None = None
    """How each side last saw the doors, in fog."""

    def named(self, who: int) -> Creature:
        """A creature in a sentence."""
        being = self.setup.beings[who]
        return Creature(being.name, being.id)


class Resolution(Resolving[Setup, Figure]):
    """A stretch of time being resolved: a mutable copy of the state, the dice in hand and the events so far."""

    __slots__ = (
        "attacks", "choices", "dice", "doors", "events", "figures", "floor", "found", "free", "later", "mark", "phase",
        "second", "setup", "state", "told", "terrain", "viewer", "winner", "zones",
    )  # fmt: skip

    def __init__(self, state: CountState) -> None:
        self.state = state
        self.setup = state.setup
        self.figures = list(state.figures)
        throws = state.setup.throws if state.rng is not None else None
        self.dice = Dice(state.rng, throws, state.throw_at, strict=state.setup.strict)
        self.events: list[Event] = []
        self.doors = state.doors
        self.terrain = state.terrain
        self.second = state.second
        self.told = state.told
        self.mark = 0
        """Events before those of this second."""
        self.phase = state.phase
        self.attacks = state.attacks
        self.free = state.free
        self.later = state.later
        self.choices = state.choices
        self.floor = state.floor
        self.found = state.found
        self.zones = state.zones
        self.winner = state.winner
        self.viewer = state.viewer

    def done(self) -> CountState:
        """The new state."""
        return CountState(
            setup=self.setup,
            figures=tuple(self.figures),
            rng=self.dice.rng,
            throw_at=self.dice.at,
            doors=self.doors,
            terrain=self.terrain,
            second=self.second,
            told=self.told,
            phase=self.phase,
            attacks=self.attacks,
            free=self.free,
            later=self.later,
            choices=self.choices,
            floor=self.floor,
            found=self.found,
            zones=self.zones,
            winner=self.winner,
            viewer=self.viewer,
        )

    def being(self, who: int) -> Being:
        return self.setup.beings[who]

    def note(self, who: int, told: str, rolls: tuple[Roll, ...] = ()) -> None:
        """Something is told of a creature, with the dice that decided it."""
        self.events.append(Note(text=told, by=self.being(who).id, rolls=rolls))

    def roll(self, who: int, label: str, dice: tuple[Die, ...], bonus: int = 0) -> Roll:
        """A creature throws dice."""
        self.dice.thrower = self.being(who).id
        return roll(self.dice, label, dice, bonus)


def present(figure: Figure) -> bool:
    """On the board and in the fight."""
    return figure.cell >= 0 and not figure.dead and not figure.fled


def sizes_of(setup: Setup, one: int, other: int) -> tuple[int, int]:
    """Spaces across of two creatures."""
    return setup.beings[one].space, setup.beings[other].space


def open_order(figure: Figure) -> Order:
    """The order that is being given; a new one where the last was whole."""
    return figure.order if figure.order is not None and not figure.order.done else Order()


def pace(being: Being, gait: str) -> int:
    """Eighths of a foot a second at a gait."""
    if gait == "crawl":
        return being.pace[0] // 2
    return being.pace[GAITS.index(gait) - 1]


def resolve(being: Being) -> int:
    """What counts on both sides of a save: the level, or the attack bonus of a monster (countup.md §2.8)."""
    return being.level or being.attack


def surprised(figure: Figure, second: int) -> bool:
    """Until one's own initiative (countup.md §1)."""
    return second < figure.init


def able(figure: Figure, second: int) -> bool:
    """Can act in this second."""
    return present(figure) and not figure.helpless and not surprised(figure, second)


def weapon_of(setup: Setup, who: int, name: str) -> Weapon:
    """A creature's weapon by its name: natural ones first."""
    for weapon in setup.beings[who].natural:
        if weapon.name == name:
            return weapon
    return setup.armoury.weapons[name]


def in_hand(setup: Setup, who: int, figure: Figure) -> str:
    """The name of what it strikes with next: the sequence's turn, what is in hand, else natural or unarmed."""
    being = setup.beings[who]
    if being.sequence:
        return being.sequence[figure.turn % len(being.sequence)]
    if figure.hand:
        return figure.hand
    return being.natural[0].name if being.natural else "unarmed"


def weapon_in_hand(setup: Setup, who: int, figure: Figure) -> Weapon:
    """What a creature strikes with next."""
    return weapon_of(setup, who, in_hand(setup, who, figure))


def struck_with(setup: Setup, who: int, figure: Figure, action: Action) -> str:
    """The name of what an ordered attack is struck with: the sequence's turn, going on from blow to blow; else what
    the order says, or what is in hand."""
    named = action.weapon if not setup.beings[who].sequence else None
    return named or in_hand(setup, who, figure)


def free_hand(setup: Setup, who: int, figure: Figure) -> str:
    """The name of what it strikes a free blow with: who has in hand what is only shot or hurled, and no knife, has the
    fist."""
    name = in_hand(setup, who, figure)
    held = weapon_of(setup, who, name)
    return "unarmed" if held.ranged and not held.reach and not held.knife else name
