"""Conditions: each is one record, and here is all that any other module needs to know of it (cairn.md §4, §5.5, §5.6).

A creature carries a condition as `Lasting` (state.py), which says its name, its end and its maker. To add a condition
is to add a row here; what it does beyond figures and flags is said where its moment is (`pace`, `modifies`, `Forbid`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, Flag, auto
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from rules.contract.text import Plural


class Forbid(Flag):
    """What somebody in a condition cannot do."""

    NOTHING = 0
    ACT = auto()  # it can neither act nor defend itself: it is helpless
    TURN = auto()  # its next turn is lost
    PLAN = auto()  # what it does in its half is not for it to say
    MOVE = auto()
    DEFEND = auto()  # harm goes straight to STR
    PROTECT = auto()  # Hit Protection counts as 0
    MEND = auto()
    SPEAK = auto()
    HEAR = auto()
    HANDS = auto()  # it holds and strikes nothing
    HARM = auto()  # it raises no hand against anybody


class Quality(Enum):
    """What a modifier makes of an attack's dice (cairn.md §2.2)."""

    PLAIN = auto()
    IMPAIRED = auto()
    ENHANCED = auto()


class Modifier(NamedTuple):
    """Why an attack's dice are impaired or enhanced."""

    quality: Quality
    because: str
    rule: str


class Against(Enum):
    """On whose attacks the modifier of a condition works."""

    FOES = auto()  # of foes, on who has it
    ANYBODY = auto()  # of anybody, on who has it
    STARING = auto()  # its own, on somebody with a stare
    OWN = auto()  # its own, on anybody


class Condition(msgspec.Struct, frozen=True):
    """A condition as the rules, the sheets and the story know it."""

    name: str
    text: str = ""  # what it is, in a sentence for a tooltip
    rule: str = ""
    icon: str = ""  # its picture; left out: it has its own name
    forbids: Forbid = Forbid.NOTHING
    gained: Plural = Plural("{name} is {condition}", "{name} are {condition}")
    lost: Plural = Plural("{name} is no longer {condition}", "{name} are no longer {condition}")
    hidden: bool = False  # for the books alone: nobody is told of it
    driven: bool = False  # the rules decide what the creature does in it (turns.py)
    holds: bool = False  # it holds somebody where it is until it breaks free
    hangs_on: bool = False  # it goes along with somebody until it is rid of it, by the same actions
    maw: bool = False  # somebody is in the maw or coils of a creature beside it, until it is freed or that one falls
    boon: bool = False  # one wishes it on a friend
    befriends: bool = False  # it harms nobody of its maker's side
    ends_with_harm: bool = False  # A blow ends it that does harm
    aloft: bool = False  # off the floor
    hampers: bool = False  # its own attacks are impaired
    modifies: Modifier | None = None  # what it does to single attacks, of those that `against` says
    against: Against = Against.ANYBODY
    pace: Callable[[int], int] | None = None  # what it makes of the spaces of a move

    @property
    def picture(self) -> str:
        """The word of its icon."""
        return self.icon or self.name.replace(" ", "_")


LOOKING_AWAY = Modifier(Quality.IMPAIRED, "impaired: looking away", "cairn.md §3")
DARED = Modifier(Quality.ENHANCED, "enhanced: a daring manoeuvre that worked", "cairn.md §2.2")

# Nobody can act or defend in these (cairn.md §4).
ASLEEP = Condition("asleep", "Cannot act, helpless; harm wakes.", "cairn.md §4", forbids=Forbid.ACT,
    ends_with_harm=True, gained=Plural("{name} falls asleep", "{name} fall asleep"),
    lost=Plural("{name} wakes", "{name} wake"))  # fmt: skip
PARALYSED = Condition("paralysed", "Cannot act, helpless.", "cairn.md §4", icon="stunned", forbids=Forbid.ACT)
UNCONSCIOUS = Condition("unconscious", "Cannot act, helpless.", "cairn.md §4", icon="incapacitated", forbids=Forbid.ACT)
PETRIFIED = Condition("petrified", "Stone: cannot act, helpless.", "cairn.md §5.6", icon="stunned", forbids=Forbid.ACT,
    gained=Plural("{name} is stone", "{name} are stone"))  # fmt: skip
DELIRIOUS = Condition("delirious", "WIL is 0: cannot act, helpless.", "cairn.md §4", icon="dazed")

# The turn is lost, or not one's own.
WINDED = Condition("winded", "Loses the next turn.", "cairn.md §4", icon="dazed", forbids=Forbid.TURN | Forbid.PLAN,
    gained=Plural("{name} loses a turn", "{name} lose a turn"),
    lost=Plural("{name} has its breath back", "{name} have their breath back"))  # fmt: skip
COMMANDED = Condition("commanded", "The next turn is spent obeying.", "cairn.md §5.5", icon="dazed",
    forbids=Forbid.TURN | Forbid.PLAN, gained=Plural("{name} has to obey", "{name} have to obey"),
    lost=Plural("{name} is its own master again", "{name} are their own masters again"))  # fmt: skip
FRIGHTENED = Condition("frightened", "Runs as far as it can from what it fears, each turn.", "cairn.md §5.5",
    forbids=Forbid.PLAN, driven=True)  # fmt: skip
GREEDY = Condition("greedy", "Goes for one thing on the floor until it has it.", "cairn.md §5.5", icon="pick_up",
    forbids=Forbid.PLAN, driven=True)  # fmt: skip
FRENZIED = Condition("frenzied", "Goes for whoever is nearest, friend or foe, each turn.", "cairn.md §5.5",
    icon="all_out_attack", forbids=Forbid.PLAN, driven=True)  # fmt: skip
HATING = Condition("hating", "Goes for one creature and nobody else, friend or foe, each turn.", "cairn.md §5.5",
    icon="all_out_attack", forbids=Forbid.PLAN, driven=True)  # fmt: skip
PANICKED = Condition("panicked", "Hit Protection counts as 0, attacks are impaired; a WIL save as action ends it.",
    "cairn.md §4", icon="frightened", forbids=Forbid.PROTECT, hampers=True)  # fmt: skip

CALM = Condition("calm", "No panic takes hold.", "cairn.md §5.5", icon="guide", boon=True)

# What holds somebody, or hangs on until one is rid of it.
RESTRAINED = Condition("restrained", "Cannot move, attacks are impaired; a save as action breaks free.", "cairn.md §4",
    forbids=Forbid.MOVE, holds=True, hampers=True)  # fmt: skip
STUCK = Condition("stuck", "The floor holds on; a STR save as action breaks free.", "cairn.md §5.5", icon="restrained",
    forbids=Forbid.MOVE, holds=True)  # fmt: skip
ENGULFED = Condition("engulfed",
    "In its maw: cannot move, and loses STR each round, until it breaks free or a friend's STR save gets it out.",
    "cairn.md §5.6", icon="bleeding", forbids=Forbid.MOVE, maw=True, holds=True)  # fmt: skip
SWALLOWED = Condition("swallowed",
    "In its maw: cannot move, and loses STR each round, until it breaks free or a friend's STR save gets it out.",
    "cairn.md §5.6", icon="bleeding", forbids=Forbid.MOVE, maw=True, holds=True)  # fmt: skip
CHOKING = Condition("choking",
    "Lifted off the floor: dead when the time is over, unless it is freed or what holds it falls first.",
    "cairn.md §5.6", icon="hourglass", forbids=Forbid.MOVE, maw=True, holds=True)  # fmt: skip
STINGERS = Condition("stingers", "Loses STR each round until they are out: break free, or a friend helps.",
    "cairn.md §5.6", icon="bleeding", hangs_on=True,
    gained=Plural("{name} has stingers in the flesh", "{name} have stingers in the flesh"),
    lost=Plural("{name} is rid of the stingers", "{name} are rid of the stingers"))  # fmt: skip
DROWNING = Condition("drowning", "Dead when the time is over, unless a friend helps or whose water it is falls first.",
    "cairn.md §5.6", icon="hourglass", hangs_on=True)  # fmt: skip
TETHERED = Condition("tethered",
    "Never more than two spaces from whom it is joined to; a STR or DEX save as action cuts it.", "cairn.md §5.5",
    icon="restrained", hangs_on=True)  # fmt: skip

# How one moves.
ROOTED = Condition("rooted", "Cannot move, and is not moved.", "cairn.md §5.5", forbids=Forbid.MOVE,
    gained=Plural("{name} cannot be moved", "{name} cannot be moved"),
    lost=Plural("{name} can be moved again", "{name} can be moved again"))  # fmt: skip
HASTED = Condition("hasted", "Moves three times as far.", "cairn.md §5.5", icon="run", boon=True,
    pace=lambda spaces: 3 * spaces)  # fmt: skip
RACING = Condition("racing", "Moves four times as far.", "cairn.md §5.5", icon="run", boon=True,
    pace=lambda spaces: 4 * spaces)  # fmt: skip
SLOWED = Condition("slowed", "Moves half as far.", "cairn.md §5.5", pace=lambda spaces: spaces // 2)
TARDY = Condition("tardy", "Time is slow around it: a space less a move.", "cairn.md §5.5", icon="hourglass",
    pace=lambda spaces: max(0, spaces - 1))  # fmt: skip
HOVERING = Condition("hovering", "Two feet off the floor: what lies or gapes there does nothing to it.",
    "cairn.md §5.5", icon="run", boon=True, aloft=True)  # fmt: skip
CLINGING = Condition("clinging", "Walks on walls and ceiling: what lies or gapes on the floor does nothing to it.",
    "cairn.md §5.5", icon="climb", boon=True, aloft=True,
    gained=Plural("{name} walks up the wall", "{name} walk up the wall"),
    lost=Plural("{name} is down from the wall", "{name} are down from the wall"))  # fmt: skip
PRONE = Condition("prone", "Hit Protection counts as 0; standing up takes 2 spaces of the move.", "cairn.md §2.7",
    lost=Plural("{name} is up again", "{name} are up again"))  # fmt: skip

# What one sees, says and hears, and who sees one.
BLIND = Condition("blind", "Finds only neighbours; its attacks are impaired, and blows on it go straight to STR.",
    "cairn.md §2.5", icon="blinded", forbids=Forbid.DEFEND, hampers=True)  # fmt: skip
DEAF = Condition("deaf", "What works by hearing does nothing to it.", "cairn.md §4", icon="silenced",
    forbids=Forbid.HEAR)  # fmt: skip
SILENCED = Condition("silenced", "No books, and nothing that needs a voice.", "cairn.md §2.10", forbids=Forbid.SPEAK)
INVISIBLE = Condition("invisible", "Nobody's target until it moves or acts.", "cairn.md §5.5", icon="eye", boon=True,
    lost=Plural("{name} can be seen", "{name} can be seen"))  # fmt: skip
AVERTED = Condition("averted",
    "Looks away: no stare takes hold, and blows at whoever stares are impaired, for this round.", "cairn.md §3",
    icon="eye", gained=Plural("{name} looks away", "{name} look away"),
    lost=Plural("{name} looks up again", "{name} look up again"), modifies=LOOKING_AWAY,
    against=Against.STARING)  # fmt: skip
DISPLACED = Condition("displaced", "Not quite where it seems: attacks on it are impaired.", "cairn.md §5.5",
    icon="step_back", boon=True,
    modifies=Modifier(Quality.IMPAIRED, "impaired: not where it seems", "cairn.md §5.5"))  # fmt: skip
UNSEEN = Condition("unseen", "Found only by its neighbours, and struck at impaired.", "cairn.md §5.6", icon="eye",
    modifies=Modifier(Quality.IMPAIRED, "impaired: unseen", "cairn.md §5.6"), against=Against.FOES)  # fmt: skip
MIRRORED = Condition("mirrored", "A double takes the next blow.", "cairn.md §5.5", icon="step_on", boon=True,
    gained=Plural("{name} has a double", "{name} have a double"),
    lost=Plural("{name} has no double any more", "{name} have no double any more"))  # fmt: skip
TRUE_SIGHT = Condition("true sight", "Sees the hidden, and is not deceived by doubles.", "cairn.md §5.5", icon="sight",
    boon=True, gained=Plural("{name} sees all that is hidden", "{name} see all that is hidden"),
    lost=Plural("{name} sees as before", "{name} see as before"))  # fmt: skip
GLOWING = Condition("glowing", "Sheds light 8 spaces around.", "cairn.md §5.5", icon="choose", boon=True)
SNUFFED = Condition("snuffed", "Its light is out; lighting it anew takes an action.", "cairn.md §5.5", icon="minus",
    gained=Plural("{name} stands without a light", "{name} stand without a light"),
    lost=Plural("{name} has a light again", "{name} have a light again"))  # fmt: skip

# What becomes of blows.
SHIELDED = Condition("shielded", "Ordinary blows do nothing.", "cairn.md §5.5", icon="shield_block", boon=True)
SMOKE = Condition("smoke", "Smoke: ordinary blows do nothing, and it strikes and holds nothing.", "cairn.md §5.5",
    icon="free_steps", forbids=Forbid.HANDS, boon=True,
    gained=Plural("{name} turns into smoke", "{name} turn into smoke"),
    lost=Plural("{name} is flesh again", "{name} are flesh again"))  # fmt: skip
SWARM = Condition("swarm", "Only what sweeps an area harms it.", "cairn.md §5.5", icon="defense_up", boon=True,
    gained=Plural("{name} turns into a swarm", "{name} turn into a swarm"),
    lost=Plural("{name} is whole again", "{name} are whole again"))  # fmt: skip
ELASTIC = Condition("elastic", "Strikes hand to hand a space farther.", "cairn.md §5.5", icon="force", boon=True)
DRAINED = Condition("drained", "Hit Protection counts as 0.", "cairn.md §5.6", icon="defense_down",
    forbids=Forbid.PROTECT, gained=Plural("{name} has no protection left", "{name} have no protection left"),
    lost=Plural("{name} has protection again", "{name} have protection again"))  # fmt: skip
CHARMED = Condition("charmed",
    "Friend of who charmed it: harms nobody of that side until the time is over or a blow does harm.", "cairn.md §5.5",
    icon="heart", ends_with_harm=True, befriends=True)  # fmt: skip
ENTHRALLED = Condition("enthralled", "Its will is another's: it harms nobody of that side.", "cairn.md §5.6",
    icon="heart", befriends=True)  # fmt: skip
PACIFIED = Condition("pacified", "Raises no hand and works no harm until the time is over or a blow does harm.",
    "cairn.md §5.5", icon="heart", forbids=Forbid.HARM, ends_with_harm=True)  # fmt: skip
DARING = Condition("daring", "A DEX save makes the blow a d12; failed, one lies there and strikes nothing.",
    "cairn.md §2.2", hidden=True, modifies=DARED, against=Against.OWN)  # fmt: skip

# Wounds, and what is left of them.
CRITICAL = Condition("critical", "Critical damage: one can only crawl, and dies in an hour unless aided.",
    "cairn.md §2.4", icon="dying",
    gained=Plural("{name} takes {critical} damage and can only crawl",
                  "{name} take {critical} damage and can only crawl"))  # fmt: skip
STABLE = Condition("stable", "The hour's clock is stopped; still out of this fight.", "cairn.md §2.6",
    gained=Plural("{name} is out of danger, but not on its feet",
                  "{name} are out of danger, but not on their feet"))  # fmt: skip
OUT = Condition("out", "A mortal wound: out of the fight, dead in an hour unless healed.", "cairn.md §4",
    icon="incapacitated", gained=Plural("{name} lies mortally wounded", "{name} lie mortally wounded"))  # fmt: skip
DOOMED = Condition("doomed", "The next failed critical save is death.", "cairn.md §4", icon="skull",
    gained=Plural("{name} is doomed: the next critical save that fails is the last",
                  "{name} are doomed: the next critical save that fails is the last"))  # fmt: skip
LAME = Condition("lame", "A leg is broken or lost: 2 spaces a move.", "cairn.md §4", icon="slowed")
ONE_ARMED = Condition("one-armed", "One hand can't be used.", "cairn.md §4", icon="drop")
DEPRIVED = Condition("deprived", "No recovery until the need is met.", "cairn.md §4", icon="exhausted",
    forbids=Forbid.MEND)  # fmt: skip
FATIGUE = Condition("fatigue", "Fills a slot until a night's safe rest.", "cairn.md §2.10", icon="fatigued",
    gained=Plural("{name} is more tired", "{name} are more tired"))  # fmt: skip
INFECTED = Condition("infected", "No recovery until it is treated.", "cairn.md §4", icon="bleeding")
POISONED = Condition("poisoned", "Deadly within hours without a cure; nothing in this fight.", "cairn.md §5.6",
    icon="bleeding")  # fmt: skip
OVERGROWN = Condition("overgrown", "Growths that must be cut out after the fight.", "cairn.md §5.6", icon="bleeding")
POSSESSED = Condition("possessed", "The ghost has it, once the fight is over.", "cairn.md §5.6", icon="skull")
TORN = Condition("torn", "Flesh is torn away, and must be sewn up after the fight.", "cairn.md §5.6", icon="bleeding",
    gained=Plural("{name} has flesh torn away", "{name} have flesh torn away"))  # fmt: skip
TURNING_TO_STONE = Condition("turning to stone", "Stone when the time is over, unless whose stare it is falls first.",
    "cairn.md §5.6", icon="hourglass",
    gained=Plural("{name} begins to turn to stone", "{name} begin to turn to stone"))  # fmt: skip

# How it ends.
DEAD = Condition("dead", gained=Plural("{name} is dead", "{name} are dead"),
    lost=Plural("{name} stands up again", "{name} stand up again"))  # fmt: skip
FLED = Condition("fled", gained=Plural("{name} flees", "{name} flee"))
ROUTED = Condition("routed", gained=Plural("{name} is routed", "{name} are routed"))
RETREATED = Condition("retreated", gained=Plural("{name} gets away", "{name} get away"))
FALLEN = Condition("fallen", gained=Plural("{name} falls over the edge", "{name} fall over the edge"))

# What a blow took.
A_HEAD_LOST = Condition("a head lost", gained=Plural("{name} loses a head", "{name} lose a head"))
LOST_LEG = Condition("lost leg", gained=Plural("{name} loses a leg", "{name} lose a leg"))
LOST_ARM = Condition("lost arm", gained=Plural("{name} loses an arm", "{name} lose an arm"))
BROKEN_LEG = Condition("broken leg", gained=Plural("{name} has a broken leg", "{name} have a broken leg"))
BROKEN_ARM = Condition("broken arm", gained=Plural("{name} has a broken arm", "{name} have a broken arm"))
BROKEN_RIB = Condition("broken rib", gained=Plural("{name} has a broken rib", "{name} have a broken rib"))
BROKEN_SKULL = Condition("broken skull", gained=Plural("{name} has a broken skull", "{name} have a broken skull"))
HAMSTRUNG = Condition("hamstrung")

# For the books alone: nobody is told of these.
TESTED = Condition("tested", hidden=True)  # it has saved its morale at 0 HP
CASTING = Condition("casting", hidden=True)  # a book is in its hands: no shield counts
CALLED = Condition("called", hidden=True)  # of whoever a power called: its rounds are the stay
STEADY = Condition("steady", hidden=True)  # it has saved against panic in this darkness
BLEEDING_OUT = Condition("bleeding out", hidden=True)  # its rounds are the hour in which critical damage kills
CURED = Condition("cured", hidden=True)  # it has had today what helps once a day
RISING = Condition("rising", hidden=True)  # of the dead who will stand up again

CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {each.name: each for each in tuple(globals().values()) if isinstance(each, Condition)}
)
"""Every condition by its name."""


def condition_named(name: str) -> Condition:
    """A condition by the name that content gives it; one that has no record of its own does nothing but be there."""
    return CONDITIONS.get(name) or Condition(name)


def ruined(item: str) -> Condition:
    """The condition of who wears a ruined piece."""
    return Condition(f"ruined: {item}")


def named(wanted: Callable[[Condition], bool]) -> frozenset[str]:
    """The names of the conditions for which something holds."""
    return frozenset(each.name for each in CONDITIONS.values() if wanted(each))


FORBIDDING: Mapping[Forbid, frozenset[str]] = MappingProxyType(
    {what: frozenset(each.name for each in CONDITIONS.values() if what in each.forbids) for what in Forbid}
)
"""What is forbidden -> the names of the conditions that forbid it."""
HOLDING = named(lambda each: each.holds)
HANGING_ON = named(lambda each: each.hangs_on)
MAWS = named(lambda each: each.maw)
DRIVEN = named(lambda each: each.driven)
HIDDEN = named(lambda each: each.hidden)
BOONS = named(lambda each: each.boon)
BEFRIENDING = named(lambda each: each.befriends)
ALOFT = named(lambda each: each.aloft)
HAMPERING = named(lambda each: each.hampers)
ENDED_BY_HARM = tuple(each for each in CONDITIONS.values() if each.ends_with_harm)
PACES = tuple((each, each.pace) for each in CONDITIONS.values() if each.pace is not None)
MODIFYING = tuple((each, each.modifies) for each in CONDITIONS.values() if each.modifies is not None)
