"""How heroes are made and grow: arrays, sets and packages, or 20 CP freely spent; earned CP (olde.md §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.core.validate import STRICT
from rules.olde import skills as skill_list
from rules.olde.challenges.checks import STATS
from rules.olde.state import most_of


class SkillSet(NamedTuple):
    """Skills bought together: what the set costs, and how many of them raise the rest with them."""

    cost: int
    number: int  # the Number for Rank
    members: tuple[str, ...]


def _fields(family: str, names: str) -> tuple[str, ...]:
    return tuple(f"{family}:{name}" for name in names.split())


SETS: dict[str, SkillSet] = {
    "Melee Combat": SkillSet(4, 3, ("Axes", "Knives", "Maces", "Shields", "Spears", "Swords")),
    "Ranged Combat": SkillSet(2, 2, ("Bows", "Crossbows", "Long Guns", "Pistols")),
    "Streetfighting": SkillSet(2, 2, ("Brawling", "Knives", "Thrown Weapons")),
    "Swashbuckling": SkillSet(2, 3, ("Fencing", "Knives", "Swords")),
    "Animal Handling": SkillSet(3, 3, ("Command", "Drive", "Ride", "Train", "Veterinarian")),
    "Survival": SkillSet(3, 3, ("Alertness", "Camouflage", "Forage", "Pathfinding", "Tracking")),
    "Stealth": SkillSet(
        3, 4, ("Alertness", "Camouflage", "Disable", "Escape", "Murder", "Pursuit", "Sleight-of-hand", "Sneak")
    ),
    "Ministry": SkillSet(3, 2, ("Entertain", "Healing", "Literacy", "Persuade", "Profession:Minister")),
    "Scholarship": SkillSet(3, 3, ("Literacy", *_fields("Knowledge", "Arcana History Law Nature Religion"))),
    "Linguistics": SkillSet(3, 2, _fields("Language", "Court Dwarvish Elvish Goblin Trade")),
    "Might": SkillSet(4, 3, ("Burst", "Climb", "Endure", "Leap", "Lift/Shift", "Pursuit", "Ride", "Swim")),
    "Grace": SkillSet(4, 3, ("Climb", "Dodge", "Pursuit", "Ride", "Swim", "Tumble")),
    "Acumen": SkillSet(4, 3, ("Alertness", "Healing", "Insight", "Investigation", "Literacy", "Research", "Trivia")),
    "Influence": SkillSet(3, 3, ("Deception", "Disguise", "Entertain", "Intimidate", "Negotiate", "Persuade")),
}
"""The five fields of Knowledge and the five languages may be replaced by others of the player's."""

OPEN_SETS = {"Scholarship": "Knowledge", "Linguistics": "Language"}
"""Sets with fields of the player's own choice: the family of those members."""

RANK_NAMES = ("Apprentice", "Journeyman", "Foreman", "Master", "Grand Master", "Legendary Master")
UPGRADE = {"Apprentice": 1, "Journeyman": 1, "Foreman": 2, "Master": 2, "Grand Master": 3, "Legendary Master": 3}
"""CP from the rank before; added up they are the table's total costs."""

GIFTS = {"Wizardry": 6, "Faith": 5}
"""What the gifts of magic cost: the rest of the 10 CP of the packages that have them (our reading)."""

MELEE_FIVE = ("Axes", "Knives", "Maces", "Spears", "Swords")
ANY_JOURNEYMAN = "one Journeyman"
"""A choice that raises one skill of the hero's by a rank."""


class Package(NamedTuple):
    """A skill package: sets and skills that it gives, and choices of one from several."""

    sets: tuple[str, ...]
    skills: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]  # each a list to choose one from: skills, sets, or `one Journeyman`


PACKAGES: dict[str, Package] = {
    "Priest": Package(
        ("Ministry",),
        ("Faith",),
        (("Axes", "Knives", "Maces", "Quarterstaff", "Spears", "Swords"), ("Shields", ANY_JOURNEYMAN)),
    ),
    "Ranger": Package(
        ("Ranged Combat", "Survival"), (), (MELEE_FIVE, ("Stealth", "Animal Handling"), (ANY_JOURNEYMAN,))
    ),
    "Rogue": Package(("Streetfighting", "Stealth", "Grace"), (), ((ANY_JOURNEYMAN,),)),
    "Templar": Package(("Might", "Ministry"), ("Shields",), (("Axes", "Maces", "Swords"), (ANY_JOURNEYMAN,))),
    "Troubadour": Package(("Swashbuckling", "Grace", "Influence"), ("Profession:Performer",), ((ANY_JOURNEYMAN,),)),
    "Warrior": Package(("Melee Combat", "Might"), (), (("Bows", "Crossbows", "Thrown Weapons"), (ANY_JOURNEYMAN,))),
    "Wizard": Package(("Scholarship",), ("Wizardry",), (("Knives", "Quarterstaff", "Swords"),)),
}

ARRAYS: tuple[tuple[int, int, int, int], ...] = (
    (7, 7, 7, 6), (8, 7, 7, 5), (8, 7, 6, 6), (8, 8, 5, 5), (8, 8, 7, 4), (8, 8, 8, 3), (9, 6, 6, 5), (9, 7, 5, 5),
    (9, 7, 6, 4), (9, 8, 5, 4), (10, 6, 5, 4), (10, 5, 5, 5), (10, 7, 4, 4), (11, 5, 4, 4), (12, 4, 4, 3),
)  # fmt: skip
"""The starting stat arrays; their values may be assigned in any order."""

STAT_COST = {3: -5, 4: -2, 5: 0, 6: 1, 7: 3, 8: 5, 9: 8, 10: 11, 11: 15, 12: 20}
"""CP for a stat at creation (Crunchy)."""
STAT_UPGRADE = {4: 3, 5: 2, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3, 11: 4, 12: 5}
"""CP to raise a stat to this value later."""
CRUNCHY_POINTS = 20
"""CP of a Crunchy hero at creation."""
Ranks = dict[str, str]
"""Skill -> rank."""


class Stats(BaseModel):
    """The four primary stats of a hero."""

    model_config = STRICT
    brawn: int = Field(ge=3, le=12)
    finesse: int = Field(ge=3, le=12)
    savvy: int = Field(ge=3, le=12)
    nerve: int = Field(ge=3, le=12)

    @property
    def values(self) -> tuple[int, int, int, int]:
        """Brawn, Finesse, Savvy, Nerve."""
        return (self.brawn, self.finesse, self.savvy, self.nerve)


class Purchase(BaseModel):
    """One thing bought with CP, in the order in which it was bought."""

    model_config = STRICT
    kind: Literal["set", "skill", "stat"]
    name: str  # a set's, a skill's or a stat's name
    to: str = ""  # a skill's rank, or a stat's value


class Build(BaseModel):
    """How a hero was made: everything that its stats and skills follow from."""

    model_config = STRICT
    way: Literal["core", "crunchy"] = "core"
    stats: Stats
    package: str = ""
    choices: tuple[str, ...] = ()  # Core: what was chosen of each of the package's choices, in their order
    journeyman: str = ""  # Core: the skill that `one Journeyman` raises
    fields: dict[str, tuple[str, ...]] = {}  # own fields of Knowledge (`Scholarship`) or languages (`Linguistics`)
    bought: tuple[Purchase, ...] = ()  # Crunchy: what the 20 CP went for; skills and sets only
    advances: tuple[Purchase, ...] = ()  # what earned CP went for, later
    earned: int = Field(default=0, ge=0)  # CP earned in play


class Bill(BaseModel):
    """What a build comes to, with what is wrong with it."""

    model_config = ConfigDict(frozen=True, defer_build=True)
    stats: Stats
    ranks: Ranks
    sets: tuple[str, ...]
    cost: int  # Crunchy: CP spent at creation
    allowed: int
    spent_later: int
    earned: int
    faults: tuple[str, ...]  # each a sentence: what is wrong, and what would be right

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def derived(stats: Stats) -> dict[str, int]:
    """HP, Mana and Faith of a hero."""
    most = most_of(stats.brawn, stats.savvy, stats.nerve)
    return {name.removesuffix("_max"): value for name, value in most.items()}


def members(name: str, fields: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The skills of a set, with the hero's own fields where the set leaves them open."""
    found = SETS[name].members
    own = fields.get(name)
    if own is None or name not in OPEN_SETS:
        return found
    family = OPEN_SETS[name]
    return tuple(m for m in found if not m.startswith(f"{family}:")) + tuple(f"{family}:{f}" for f in own)


class Learning:
    """Skills being bought one after another: what each costs now, and what comes free with it."""

    def __init__(self, fields: Mapping[str, tuple[str, ...]] = {}) -> None:
        self.fields = fields
        self.sets: list[str] = []
        self.ranks: dict[str, int] = dict.fromkeys(skill_list.COMMON, 0)  # skill -> its rank's number: 0 Apprentice

    def add_set(self, name: str) -> int:
        """Buy a set: all its skills as Apprentice; what one has of it already gives nothing back. Gives its cost.

        Raises BattlematError for one that is had.
        """
        if name not in SETS:
            raise BattlematError("set: {name} is none of {sets}", repr(name), joined(", ", SETS))
        if name in self.sets:
            raise BattlematError("set: {name} is bought already", name)
        self.sets.append(name)
        for skill in members(name, self.fields):
            self.ranks.setdefault(skill, 0)
        self._together()
        return SETS[name].cost

    def cost_of(self, skill: str, rank: str) -> int:
        """CP to raise a skill to a rank from where it is. Raises BattlematError for what can't be bought."""
        if not skill_list.known(skill):
            raise BattlematError("skill: {skill} is no skill of these rules", repr(skill))
        if rank not in RANK_NAMES:
            told = "{skill}: rank {rank} is none of {rank_names}"
            raise BattlematError(told, skill, repr(rank), joined(", ", RANK_NAMES))
        wanted, now = RANK_NAMES.index(rank), self.ranks.get(skill, -1)
        if wanted <= now:
            raise BattlematError("{skill}: is {rank_names} already", skill, RANK_NAMES[now])
        total = sum(UPGRADE[RANK_NAMES[step]] for step in range(now + 1, wanted + 1))
        return total + (GIFTS[skill] - UPGRADE["Apprentice"] if skill in GIFTS and now < 0 else 0)

    def raise_to(self, skill: str, rank: str) -> int:
        """Buy a rank; a set whose number reaches it comes along. Gives the cost."""
        cost = self.cost_of(skill, rank)
        self.ranks[skill] = RANK_NAMES.index(rank)
        self._together()
        return cost

    def _together(self) -> None:
        """When as many skills of a set as its number reach a rank above Apprentice, so do the rest (olde.md §2).

        A skill in two sets counts for both, so this goes on until nothing changes.
        """
        changed = True
        while changed:
            changed = False
            for name in self.sets:
                own = members(name, self.fields)
                for rank in range(len(RANK_NAMES) - 1, 0, -1):
                    if sum(self.ranks.get(skill, -1) >= rank for skill in own) >= SETS[name].number:
                        for skill in own:
                            if self.ranks.get(skill, -1) < rank:
                                self.ranks[skill] = rank
                                changed = True
                        break

    def named(self) -> Ranks:
        """Skill -> rank by name, in alphabetical order."""
        return {skill: RANK_NAMES[self.ranks[skill]] for skill in sorted(self.ranks)}


def reckon(build: Build) -> Bill:
    """Work a build out: stats, skills, costs, and every fault in words. Never raises for a faulty build."""
    faults: list[str] = []
    learning = Learning(build.fields)
    for name, own in build.fields.items():
        if name not in OPEN_SETS:
            faults.append(text("{name} has no fields to choose; {open_sets} have", name, joined(", ", OPEN_SETS)))
        elif len(own) != 5 or len(set(own)) != 5:
            faults.append(text("{name} takes five different fields; {len} are given", name, len(set(own))))
    cost, allowed = 0, 0
    if build.way == "core":
        _core(build, learning, faults)
    else:
        allowed = CRUNCHY_POINTS
        cost = sum(STAT_COST[value] for value in build.stats.values)
        cost += _buy(build.bought, learning, faults, None)[0]
        if cost > allowed:
            faults.append(text("{cost} CP are spent; there are {allowed}", cost, allowed))
    later, stats = _buy(build.advances, learning, faults, build.stats)
    if later > build.earned:
        faults.append(text("advances cost {later} CP; {earned} were earned", later, build.earned))
    stats, ranks, sets = stats or build.stats, learning.named(), tuple(learning.sets)
    return Bill(
        stats=stats, ranks=ranks, sets=sets, cost=cost, allowed=allowed, spent_later=later, earned=build.earned,
        faults=tuple(faults),
    )  # fmt: skip


def _core(build: Build, learning: Learning, faults: list[str]) -> None:
    """An array and a package with all its choices."""
    if tuple(sorted(build.stats.values, reverse=True)) not in ARRAYS:
        shown = " ".join(str(v) for v in sorted(build.stats.values, reverse=True))
        faults.append(text("stats {shown} are none of the fifteen arrays", shown))
    package = PACKAGES.get(build.package)
    if package is None:
        told = "package: {what} chosen; there are {packages}"
        faults.append(text(told, build.package or "none", joined(", ", PACKAGES)))
        return
    for name in package.sets:
        learning.add_set(name)
    for skill in package.skills:
        learning.ranks.setdefault(skill, 0)
    raises = 0
    for number, options in enumerate(package.choices):
        choice = build.choices[number] if number < len(build.choices) else ""
        if not choice and len(options) == 1:
            choice = options[0]
        if choice not in options:
            told = "{package}, choice {what}: one of {options}"
            faults.append(text(told, build.package, number + 1, joined(", ", options)))
        elif choice == ANY_JOURNEYMAN:
            raises += 1
        elif choice in SETS:
            learning.add_set(choice)
        else:
            learning.ranks.setdefault(choice, 0)
    if len(build.choices) > len(package.choices):
        told = "{package} has {choices} choices; {choices2} are given"
        faults.append(text(told, build.package, len(package.choices), len(build.choices)))
    _journeyman(build, learning, raises, faults)


def _journeyman(build: Build, learning: Learning, raises: int, faults: list[str]) -> None:
    if raises and learning.ranks.get(build.journeyman, -1) != 0:
        told = text("one Journeyman: a skill that is Apprentice, not {journeyman}", build.journeyman)
        faults.append(told if build.journeyman else "one Journeyman: say which of its skills it raises")
    elif raises:
        learning.raise_to(build.journeyman, "Journeyman")
    elif build.journeyman:
        faults.append("one Journeyman: not among this package's choices as they are made")


def _buy(
    purchases: Iterable[Purchase], learning: Learning, faults: list[str], stats: Stats | None
) -> tuple[int, Stats | None]:
    """Buy one thing after another: (CP, the stats afterwards). Stats can be bought only where `stats` is given."""
    total = 0
    for purchase in purchases:
        try:
            if purchase.kind == "set":
                total += learning.add_set(purchase.name)
            elif purchase.kind == "skill":
                total += learning.raise_to(purchase.name, purchase.to or "Apprentice")
            else:
                cost, stats = _raise_stat(stats, purchase)
                total += cost
        except BattlematError as error:
            faults.append(str(error))
    return total, stats


def _raise_stat(stats: Stats | None, purchase: Purchase) -> tuple[int, Stats]:
    """One stat to a value, a point at a time."""
    if stats is None:
        raise BattlematError("{name}: at creation stats are set, not bought one by one", purchase.name)
    if purchase.name not in STATS:
        raise BattlematError("stat: {name} is none of {stats}", repr(purchase.name), joined(", ", STATS))
    now = getattr(stats, purchase.name)
    wanted = int(purchase.to) if purchase.to.isdigit() else now + 1
    if not now < wanted <= 12:
        told = "{name}: from {now} it can be raised to at most 12, not to {wanted}"
        raise BattlematError(told, purchase.name, now, wanted)
    cost = sum(STAT_UPGRADE[value] for value in range(now + 1, wanted + 1))
    return cost, stats.model_copy(update={purchase.name: wanted})
