"""Conditions, effects of spells and stances: a record each, and a class for those that do more than figures
(countup.md §4, §5.4).

A condition lies on a creature as an effect (`Figure.effects`), or stands in a field of its figure (`Flagged`). To add
one: a record here, named in `CONDITIONS`. What follows it at the moments of a fight asks the functions at the end,
which ask the records; nobody else spells a condition's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, Flag, auto
from types import MappingProxyType

import msgspec

from rules.contract import events
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Roll
from rules.contract.text import text
from rules.contract.units import Bitboard, Cell, CreatureIx, Seconds
from rules.countup.combat.reach import in_reach
from rules.countup.state import Figure, Position, Resolution


class Doing(Flag):
    """What somebody may be about: each kind of action is one of these, and a condition forbids some."""

    NOTHING = 0
    WALK = auto()
    RUN = auto()
    FLEE = auto()
    DODGE = auto()
    """A tactical move."""
    STRIKE = auto()
    HARM = auto()
    """Any other harm: a shot, a spell, a weapon's point."""
    PASS = auto()
    """To get up, to open a door: what lets one go on."""
    ARM = auto()
    """To ready a weapon, to knock another's aside."""
    TURN = auto()
    WAIT = auto()
    REST = auto()
    """Everything else that is ordered."""
    STEP = auto()
    """To leave one's space in any way, ordered or not."""
    REACT = auto()
    """To strike a blow that others give occasion for."""
    GO = WALK | RUN | FLEE | DODGE
    ALL = GO | STRIKE | HARM | PASS | ARM | TURN | WAIT | REST | STEP | REACT


class Picks(Enum):
    """Of whom somebody picks some."""

    FRIENDS = auto()
    FOES = auto()


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """A condition that lies on creatures as an effect: its badge, its figures, what it forbids, its words."""

    name: str
    icon: str = "minus"
    sentence: str = ""
    """What it means, for tooltips and the reference."""
    rule: str = "§4"
    gained: str = ""
    """What is told of a `{target}` that comes to have it, without a full stop; empty: `{target} is {condition}`."""
    attack: int = 0
    defence: int = 0
    damage: int = 0
    moving: bool = False
    """Whether it helps its bearer's defence only while it moves."""
    stride: int = 1
    """How many times as far its bearer moves in a second."""
    forbids: Doing = Doing.NOTHING
    why: str = ""
    """The reason of what it forbids."""
    urges: Doing = Doing.NOTHING
    urge: str = ""
    """What must be done while it can be, rather than wait; and the reason."""
    grips: bool = False
    """Whether it ends what somebody was about to do."""
    fells: bool = False
    """Whether a spell that lays it on lays its victim low."""
    bare: bool = False
    """Whether nothing but a bare die defends its bearer."""
    stiff: bool = False
    """Whether Dexterity does not help its bearer's defence."""
    helps: bool = False
    """Whether its bearer is the better for it."""
    picks: Picks | None = None
    """Whom a caster picks for it in an area; None: all are taken in."""
    leaves: Mapping[str, object] = MappingProxyType({})
    """What of a figure ends with it."""

    @property
    def cited(self) -> str:
        """Where its rule stands."""
        return f"countup.md {self.rule}"

    def adjusts(self, to: str, value: int) -> Adjustment:
        """What it adds to a total, named by the section of its rule."""
        return Adjustment(to, value, self.name, f"countup.md {self.rule.split(' ')[0]}")

    def why_not(self, state: Position, who: CreatureIx, doing: Doing) -> str | None:
        """Why its bearer may do nothing of a kind at all, or None."""
        return self.why if doing in self.forbids else None

    def why_not_this(self, state: Position, who: CreatureIx, doing: Doing, action: Action) -> str | None:
        """Why its bearer may not do just this where it forbids not all of the kind, or None."""
        return None

    def ground(self, state: Position, who: CreatureIx, cells: Bitboard) -> Bitboard:
        """Of some spaces those to which it lets its bearer go."""
        return cells

    def tell(
        self, resolution: Resolution, who: CreatureIx, because: str = "", rolls: tuple[Roll, ...] = (), *,
        gained: bool = True,
    ) -> None:  # fmt: skip
        """The event that somebody has it now, or no longer."""
        name = resolution.being(who).id
        told = events.Condition(target=name, condition=self.name, gained=gained, because=because, rolls=rolls)
        resolution.events.append(told)

    def lay(self, resolution: Resolution, who: CreatureIx, ends: Seconds, because: str) -> None:
        """It lies on somebody until a second, whatever of it lay there before."""
        resolution.change(who, effects=resolution.figures[who].laid(self.name, ends))
        self.tell(resolution, who, because)


class Flagged(Condition, frozen=True, kw_only=True):
    """A condition that stands in a field of its bearer's figure."""

    holds: Callable[[Figure, Seconds], bool]
    """Whether somebody has it in a second."""


class Charmed(Condition, frozen=True, kw_only=True):
    """Harms nobody of the other sides, which it takes for friends (countup.md §5.4)."""

    def why_not_this(self, state: Position, who: CreatureIx, doing: Doing, action: Action) -> str | None:
        beings, target = state.setup.beings, state.find(action.target)
        if target is None or not doing & (Doing.STRIKE | Doing.HARM) or beings[target].side == beings[who].side:
            return None
        return text("charmed: {name} is a friend", state.named(target))


class Panicked(Condition, frozen=True, kw_only=True):
    """Only runs, and away from its foes (countup.md §5.4)."""

    def why_not_this(self, state: Position, who: CreatureIx, doing: Doing, action: Action) -> str | None:
        if not action.path or not doing & Doing.GO:
            return None
        foes = state.foes(who)
        now = min((state.distance(who, other) for other in foes), default=0)
        farther = all(_gap(state, who, other, action.path[-1]) > now for other in foes)
        return None if farther else "panicked: away from the foes only"

    def ground(self, state: Position, who: CreatureIx, cells: Bitboard) -> Bitboard:
        foes = state.foes(who)
        near = min((state.distance(who, other) for other in foes), default=0)
        for other in foes:
            cells &= ~_within(state, who, other, near)
        return cells


class Enraged(Condition, frozen=True, kw_only=True):
    """Only goes for the nearest foe, and strikes it (countup.md §5.4)."""

    def why_not(self, state: Position, who: CreatureIx, doing: Doing) -> str | None:
        weapon, near = state.weapon(who), nearest(state, who) if doing is Doing.WAIT else None
        if near is not None and not weapon.ranged and in_reach(state, who, near, weapon):
            return "enraged: a foe is in reach"
        return super().why_not(state, who, doing)

    def why_not_this(self, state: Position, who: CreatureIx, doing: Doing, action: Action) -> str | None:
        near = nearest(state, who)
        if near is None:
            return None
        apart = state.distance(who, near)
        if action.path and doing & Doing.GO and _gap(state, who, near, action.path[-1]) > apart:
            return "enraged: towards the nearest only"
        target = state.find(action.target)
        if doing is Doing.STRIKE and target is not None and state.distance(who, target) > apart:
            return text("enraged: {name} is nearer", state.named(near))
        return None

    def ground(self, state: Position, who: CreatureIx, cells: Bitboard) -> Bitboard:
        near = nearest(state, who)
        return cells if near is None else cells & _within(state, who, near, state.distance(who, near))


# -- what stands in a field of the figure ----------------------------------------------------------------

SURPRISED = Flagged(
    name="surprised", icon="surprised", sentence="Until one's own initiative: no action, a bare d8p.",
    rule="§1 Surprise", holds=Figure.surprised,
)  # fmt: skip
HELPLESS = Flagged(
    name="helpless", icon="incapacitated", sentence="Defends with a bare d8p; attackers take half the time.",
    rule="§4 Helpless", gained="{target} drops {condition}", fells=True,
    holds=lambda figure, second: figure.helpless > second,
)  # fmt: skip
HELD = Flagged(
    name="held at bay", icon="rooted", sentence="Cannot advance or attack until the weapon is knocked aside.",
    rule="§2.6 Held", holds=lambda figure, second: figure.held_by >= 0,
)  # fmt: skip
TIRED = Flagged(
    name="spell fatigue", icon="fatigued", sentence="After a spell: −6 defence, walk only, no attacks.",
    rule="§2.8 Spell fatigue", defence=-6, holds=lambda figure, second: figure.fatigue > second,
)  # fmt: skip
EXPOSED = Flagged(
    name="aggressive", icon="all_out_attack", sentence="+5 to this attack, −2 to all one's defences until the next.",
    rule="§2.6 Aggressive attack", defence=-2, holds=lambda figure, second: figure.exposed,
)  # fmt: skip
PRONE = Flagged(
    name="prone", icon="prone", sentence="Defends with a d8p and no shield; −4 to attacks.", rule="§4 Prone",
    gained="{target} goes down", attack=-4, holds=lambda figure, second: figure.prone,
)  # fmt: skip
DEAD = Flagged(
    name="dead", gained="{target} falls, and does not get up", holds=lambda figure, second: figure.dead,
)  # fmt: skip
SHOWN = (SURPRISED, HELPLESS, HELD, TIRED, EXPOSED)
"""What a sheet and `--state` name before the stance, in this order."""

# -- effects -----------------------------------------------------------------------------------------------

ASLEEP = Condition(name="asleep", icon="asleep", fells=True, bare=True, picks=Picks.FOES)
BLIND = Condition(
    name="blind", icon="blinded", sentence="−8 to attacks and defences.", rule="§4 Blind", attack=-8, defence=-8
)
BLURRED = Condition(
    name="blurred", icon="defense_up", sentence="+4 to defences while moving.", rule="§5.4 Motion Blur", defence=4,
    moving=True, helps=True,
)  # fmt: skip
BLESSED = Condition(
    name="blessed", icon="plus", sentence="+1 to attacks and defences.", rule="§5.4 Bless", attack=1, defence=1,
    helps=True, picks=Picks.FRIENDS,
)  # fmt: skip
SWIFT = Condition(
    name="swift", icon="free_steps", sentence="Moves twice as far in a second.", rule="§5.4 Cheetah Speed", stride=2,
    helps=True,
)  # fmt: skip
SHIELDED = Condition(
    name="shielded", icon="shield", sentence="A ward takes hit points in one's stead.", rule="§5.4 Magic Shield",
    leaves=MappingProxyType({"ward": 0}), helps=True,
)  # fmt: skip
COPIED = Condition(
    name="copied", icon="branch", rule="§5.4 Copycat", leaves=MappingProxyType({"images": 0}), helps=True,
    sentence="A hit finds one of the copies as likely as the caster; it is gone then.",
)  # fmt: skip
ENFEEBLED = Condition(
    name="enfeebled", icon="minus", sentence="−4 to damage.", rule="§5.4 Enfeeble", damage=-4
)  # fmt: skip
SEARED = Condition(
    name="seared", icon="bleeding", sentence="Hot metal does harm every second.", rule="§5.4 White Hot Metal"
)
OFF_BALANCE = Condition(
    name="off balance", icon="defense_down", rule="§2.6 Charge", stiff=True,
    sentence="Dexterity does not help one's defence for 5 s after a charge.",
)  # fmt: skip
BOUND = Condition(
    name="bound", icon="restrained", sentence="Can do nothing.", rule="§5.4 Rope Charm", why="bound",
    forbids=Doing.ALL & ~(Doing.TURN | Doing.WAIT), grips=True,
)  # fmt: skip
CHARMED = Charmed(
    name="charmed", icon="heart", sentence="Does not strike the other side.", rule="§5.4 Charm", forbids=Doing.REACT,
    grips=True,
)  # fmt: skip
PANICKED = Panicked(
    name="panicked", icon="frightened", sentence="Only runs away from the foe.", rule="§5.4 Panicked",
    forbids=Doing.STRIKE | Doing.HARM | Doing.ARM | Doing.REST | Doing.REACT, why="panicked: it can only run",
    urges=Doing.WALK | Doing.FLEE, urge="end: panicked, there is a way to run", grips=True,
)  # fmt: skip
ENRAGED = Enraged(
    name="enraged", icon="attack", sentence="Only goes for the nearest foe, and strikes it.", rule="§5.4 Enrage",
    forbids=Doing.FLEE | Doing.DODGE | Doing.HARM | Doing.TURN | Doing.REST, why="enraged: it can only attack",
    urges=Doing.STRIKE, urge="end: enraged, a foe is in reach", grips=True,
)  # fmt: skip

# -- stances -----------------------------------------------------------------------------------------------

DEFENSIVE = Condition(
    name="defensive", icon="defense_up", sentence="−2 attack for every +1 defence; no penetration.",
    rule="§2.6 Fight defensively",
)  # fmt: skip
PARRYING = Condition(
    name="parry", icon="shield_block", sentence="No attack; +5 defence until the next would be due.",
    rule="§2.6 Full parry", defence=5,
)  # fmt: skip
FLEEING = Condition(name="fleeing", icon="run", sentence="No shield, a d10p.", rule="§2.6 Flee")
CHARGING = Condition(
    name="charging", icon="rushed_attack", sentence="Dexterity does not help one's defence for 5 s.",
    rule="§2.6 Charge", stiff=True,
)  # fmt: skip
SET = Condition(
    name="set", icon="aimed_shot", rule="§2.6 Ready against a charge",
    sentence="A long weapon set for 3 s meets a charge first, with twice its dice.",
)  # fmt: skip
KNEELING = Condition(
    name="kneeling", icon="kneeling", rule="§2.7 Kneeling",
    sentence="Smaller behind a shield: its cover is better. Stand up to move.",
)  # fmt: skip
RISING = Condition(
    name="rising", icon="rise", sentence="Gets up: a second, in which one still counts as lying.",
    rule="§2.7 Getting up",
)  # fmt: skip

_ALL = (
    *SHOWN, PRONE, DEAD, ASLEEP, BLIND, BLURRED, BLESSED, SWIFT, SHIELDED, COPIED, ENFEEBLED, SEARED, OFF_BALANCE,
    BOUND, CHARMED, PANICKED, ENRAGED, DEFENSIVE, PARRYING, FLEEING, CHARGING, SET, KNEELING, RISING,
)  # fmt: skip
CONDITIONS: Mapping[str, Condition] = MappingProxyType({each.name: each for each in _ALL})
_MINDS = (BOUND, CHARMED, PANICKED, ENRAGED)
_FIGURES = (BLIND, BLURRED, BLESSED)
"""Effects with figures for attack or defence, in the order in which they are named."""


def condition_of(name: str) -> Condition:
    """The record of a condition; a bare one for what only the content knows."""
    return CONDITIONS.get(name) or Condition(name=name, sentence=f"{name.capitalize()}.")


# -- the moments of a fight: one dispatcher ----------------------------------------------------------------


def _minds(figure: Figure) -> list[Condition]:
    """What holds somebody's mind or body, in the order in which reasons are given."""
    return [each for each in _MINDS if figure.under(each.name)] if figure.effects else []


def why_not(state: Position, who: CreatureIx, doing: Doing) -> str | None:
    """Why what lies on a creature lets it order nothing of a kind at all, or None."""
    reasons = (each.why_not(state, who, doing) for each in _minds(state.figures[who]))
    return next(filter(None, reasons), None)


def why_not_this(state: Position, who: CreatureIx, doing: Doing, action: Action) -> str | None:
    """Why an order goes against what lies on its creature, or None."""
    if not state.figures[who].effects:
        return None
    reasons = (each.why_not_this(state, who, doing, action) for each in _minds(state.figures[who]))
    return why_not(state, who, doing) or next(filter(None, reasons), None)


def forbidden(figure: Figure, doing: Doing) -> str:
    """The condition on somebody that forbids something, or an empty word."""
    return next((each.name for each in _minds(figure) if doing in each.forbids), "") if figure.effects else ""


def urges(figure: Figure) -> Iterator[Condition]:
    """The conditions on somebody that let it not simply wait."""
    return (each for each in _minds(figure) if each.urges)


def open_ground(state: Position, who: CreatureIx, cells: Bitboard) -> Bitboard:
    """Of some spaces those to which what holds a creature's mind lets it order itself: `why_not_this`, for many spaces
    at once."""
    for condition in _minds(state.figures[who]):
        cells = condition.ground(state, who, cells)
    return cells


def to_attack(figure: Figure) -> tuple[Adjustment, ...]:
    """What effects add to an attack or a shot."""
    if not figure.effects:
        return ()
    return tuple(each.adjusts("attack", each.attack) for each in _FIGURES if each.attack and figure.under(each.name))


def to_defence(figure: Figure, second: Seconds) -> tuple[Adjustment, ...]:
    """What effects add to a defence in a second."""
    if not figure.effects:
        return ()
    moves = figure.moved >= second - 1
    found = (each for each in _FIGURES if each.defence and (moves or not each.moving))
    return tuple(each.adjusts("defence", each.defence) for each in found if figure.under(each.name))


def effects_on(figure: Figure) -> list[Condition]:
    """The records of all effects that lie on somebody."""
    return [condition_of(name) for name, _ in figure.effects]


def expire(resolution: Resolution, who: CreatureIx) -> None:
    """Effects whose time is over end, with what they leave behind."""
    effects, second = resolution.figures[who].effects, resolution.second
    for condition in [condition_of(name) for name, end in effects if end <= second]:
        left = tuple(each for each in effects if each[1] > second)
        resolution.change(who, effects=left, **condition.leaves)
        condition.tell(resolution, who, gained=False)


def shown(figure: Figure, second: Seconds) -> list[tuple[str, Condition]]:
    """The conditions that hold, each with the word by which it is shown, in a fixed order; posture left out."""
    stance, effects = figure.stance, ((name, condition_of(name)) for name, _ in figure.effects)
    posture = [(stance.value, DEFENSIVE if stance.rank else condition_of(stance))] if stance else []
    return [*((each.name, each) for each in SHOWN if each.holds(figure, second)), *posture, *effects]


# -- who is near ---------------------------------------------------------------------------------------------


def nearest(state: Position, who: CreatureIx) -> CreatureIx | None:
    """The nearest enemy, of several the first of the record."""
    return min(state.foes(who), key=lambda other: (state.distance(who, other), other), default=None)


def _gap(state: Position, who: CreatureIx, other: CreatureIx, start: Cell) -> int:
    """Spaces from somebody who stands elsewhere to another."""
    return state.terrain.distance(start, state.figures[other].cell, *state.setup.sizes(who, other))


def _within(state: Position, who: CreatureIx, other: CreatureIx, spaces: int) -> Bitboard:
    """Where a creature stands so near to another."""
    own, space = state.setup.sizes(who, other)
    there = state.terrain.within(state.figures[other].cell, spaces, space)
    return state.terrain.touching(there, own)
