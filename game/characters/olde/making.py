"""Making and advancing a hero step by step: costs, what comes along, why something is refused (olde.md §2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from game.characters.heroes import HeroError
from game.characters.olde.model import Hero, bill, changed
from rules.contract.text import Text, text
from rules.olde import skills
from rules.olde.challenges import checks
from rules.olde.creation import heroes
from rules.olde.creation.heroes import Build, Purchase, Stats, reckon
from rules.olde.skills import CHECK_STATS, COMMON, RANKS, family

ARRAYS, PACKAGES, RANK_NAMES = heroes.ARRAYS, heroes.PACKAGES, heroes.RANK_NAMES
SETS, STATS, STAT_COST = heroes.SETS, checks.STATS, heroes.STAT_COST
spelled = skills.spelled
"""What the window, too, asks of the rules of making."""
Where = Literal["bought", "advances"]
"""Creation, or advancement with earned CP."""
FIELDS = {
    "Scholarship": ("Arcana", "History", "Law", "Nature", "Religion"),
    "Linguistics": ("Court", "Dwarvish", "Elvish", "Goblin", "Trade"),
}
NAMED = ("Profession:Performer", "Profession:Minister")
"""Single fields that packages and sets give; anything else of a family is the player's to name."""


class Offer(NamedTuple):
    """A purchase looked at beforehand."""

    purchase: Purchase
    cost: int
    refusal: str
    """Why not, in a sentence; empty where it can be bought."""
    gains: tuple[str, ...]
    """What comes with it: each skill and the rank that it rises to, the bought one aside."""


def fresh(name: str, made: str) -> Hero:
    """A new hero by id: the first array and no package yet."""
    return Hero(id=made, name=name, build=Build(stats=Stats(brawn=7, finesse=7, savvy=7, nerve=6)))


def fixed(hero: Hero) -> str:
    """Why its making can't be changed any more; empty while it can."""
    if hero.history or hero.build.advances:
        return text("{name} has begun its story: it grows by earned CP now (Advance).", hero.name)
    return ""


def _built(hero: Hero, **fields: object) -> Hero:
    return changed(hero, build=hero.build.model_copy(update=fields))


def _making(hero: Hero, **fields: object) -> Hero:
    if why := fixed(hero):
        raise HeroError(why)
    return _built(hero, **fields)


# -- core --------------------------------------------------------------------------------------------------


def set_way(hero: Hero, way: Literal["core", "crunchy"]) -> Hero:
    """Core or Crunchy; the other way's choices are forgotten. Raises HeroError for one that has begun its story."""
    if way == hero.build.way:
        return hero
    even = Stats(brawn=7, finesse=7, savvy=7, nerve=6) if way == "core" else Stats(brawn=6, finesse=6, savvy=6, nerve=6)
    return _making(hero, way=way, stats=even, package="", choices=(), journeyman="", fields={}, bought=())


def set_array(hero: Hero, array: tuple[int, ...]) -> Hero:
    """Another array: the highest value goes where the highest was, and so on."""
    order = sorted(STATS, key=lambda stat: -getattr(hero.build.stats, stat))
    return _making(hero, stats=Stats(**dict(zip(order, sorted(array, reverse=True), strict=True))))


def swap(hero: Hero, one: str, other: str) -> Hero:
    """Exchange two stats."""
    now = hero.build.stats
    return _making(hero, stats=now.model_copy(update={one: getattr(now, other), other: getattr(now, one)}))


def set_package(hero: Hero, name: str) -> Hero:
    """Another package, each choice at its first option; what `one Journeyman` raises is left open."""
    first = tuple(options[0] for options in PACKAGES[name].choices)
    return _making(hero, package=name, choices=first, journeyman="", fields={})


def choose(hero: Hero, number: int, option: str) -> Hero:
    """One of a package's choices, from 0."""
    choices = [*hero.build.choices]
    options = PACKAGES[hero.build.package].choices
    choices += [options[i][0] for i in range(len(choices), len(options))]
    choices[number] = option
    hero = _making(hero, choices=tuple(choices))
    return hero if raises(hero) else _making(hero, journeyman="")


def raises(hero: Hero) -> bool:
    """Whether its package, as chosen, raises one skill to Journeyman."""
    package = PACKAGES.get(hero.build.package)
    return package is not None and heroes.ANY_JOURNEYMAN in hero.build.choices


def candidates(hero: Hero) -> list[str]:
    """Skills that `one Journeyman` may raise."""
    build = hero.build.model_copy(update={"journeyman": "", "advances": ()})
    return [skill for skill, rank in reckon(build).ranks.items() if rank == RANK_NAMES[0]]


def set_journeyman(hero: Hero, skill: str) -> Hero:
    """What `one Journeyman` raises."""
    return _making(hero, journeyman=skill)


def opened(hero: Hero) -> list[str]:
    """Sets of the hero's whose fields the player may name."""
    return [name for name in bill(hero).sets if name in heroes.OPEN_SETS]


def fields(hero: Hero, name: str) -> tuple[str, ...]:
    """The five fields of an open set."""
    return hero.build.fields.get(name, FIELDS[name])


def set_field(hero: Hero, name: str, number: int, text: str) -> Hero:
    """Name one of the five. Raises HeroError for a name that can't be one."""
    own = list(fields(hero, name))
    own[number] = " ".join(text.replace(":", " ").split())[:24]
    if not all(own) or len({word.casefold() for word in own}) < 5:
        raise HeroError("{name}: five different fields, each with a name.", name=name)
    return _making(hero, fields={**hero.build.fields, name: tuple(own)})


# -- Crunchy, and advancement --------------------------------------------------------------------------------


def left(hero: Hero, where: Where) -> int:
    """CP that are left to spend."""
    made = bill(hero)
    return made.allowed - made.cost if where == "bought" else made.earned - made.spent_later


def step_stat(hero: Hero, stat: str, by: int) -> Hero:
    """Crunchy creation: a stat a point up or down. Raises HeroError with the reason."""
    now = getattr(hero.build.stats, stat)
    goal = now + by
    if goal not in STAT_COST:
        raise HeroError("{stat}: heroes have 3 to 12.", stat.capitalize())
    cost = STAT_COST[goal] - STAT_COST[now]
    if cost > left(hero, "bought"):
        wrong = "{stat} {goal} costs {cost} CP more; {hero} are left."
        raise HeroError(wrong, stat.capitalize(), goal, cost, left(hero, "bought"))
    return _making(hero, stats=hero.build.stats.model_copy(update={stat: goal}))


def offer(hero: Hero, where: Where, purchase: Purchase) -> Offer:
    """Look at a purchase before it is made."""
    before = bill(hero)
    after = reckon(hero.build.model_copy(update={where: (*getattr(hero.build, where), purchase), "earned": 10**6}))
    cost = (after.cost - before.cost) + (after.spent_later - before.spent_later)
    own = hero.build.model_copy(update={"earned": 10**6})
    old = {text for text in reckon(own).faults if "CP are spent" not in text}
    new = [text for text in after.faults if text not in old and "CP are spent" not in text]
    spare = left(hero, where)
    dear = Text.of("costs {cost} CP; {spare} left", cost, max(0, spare)) if cost > spare else ""
    why = (fixed(hero) if where == "bought" else "") or (new[0] if new else dear)
    risen = ((s, rank) for s, rank in after.ranks.items() if before.ranks.get(s) != rank and s != purchase.name)
    return Offer(purchase, cost, why, tuple(Text.of("{skill} {rank}", skill, rank) for skill, rank in risen))


def take(hero: Hero, where: Where, purchase: Purchase) -> Hero:
    """Buy it. Raises HeroError with the reason where it is refused."""
    found = offer(hero, where, purchase)
    if found.refusal:
        raise HeroError("{name}: {removeprefix}", purchase.name, found.refusal.removeprefix(purchase.name + ": "))
    return _built(hero, **{where: (*getattr(hero.build, where), purchase)})


def undo(hero: Hero, where: Where) -> Hero:
    """Take back the last purchase. Raises HeroError where there is none, or play has sealed it."""
    bought = getattr(hero.build, where)
    if not bought:
        raise HeroError("Nothing has been bought yet.")
    if where == "bought" and (why := fixed(hero)):
        raise HeroError(why)
    return _built(hero, **{where: bought[:-1]})


def next_rank(hero: Hero, skill: str) -> str:
    """The rank above the present one; empty at the top."""
    rank = bill(hero).ranks.get(skill)
    place = -1 if rank is None else RANK_NAMES.index(rank)
    return RANK_NAMES[place + 1] if place + 1 < len(RANK_NAMES) else ""


def skills_on_offer(hero: Hero) -> list[str]:
    """Everything that could be learnt or raised: the list's skills, and the fields that the hero has."""
    own = set(bill(hero).ranks)
    plain = [s for s in CHECK_STATS if s not in ("Knowledge", "Language", "Profession")]
    named = [s for s in own if ":" in s]
    return sorted({*plain, *own, *named, *COMMON}, key=lambda s: (family(s) in heroes.GIFTS, s))


def offers(hero: Hero, where: Where, kind: Literal["set", "skill", "stat"]) -> Iterable[Offer]:
    """All purchases of a kind that could be thought of, each with its cost or refusal."""
    if kind == "set":
        have = bill(hero).sets
        return [offer(hero, where, Purchase(kind="set", name=name)) for name in SETS if name not in have]
    if kind == "stat":
        now = bill(hero).stats
        steps = [(name, getattr(now, name) + 1) for name in STATS]
        return [offer(hero, where, Purchase(kind="stat", name=n, to=str(v))) for n, v in steps if v <= 12]
    ranks = ((skill, next_rank(hero, skill)) for skill in skills_on_offer(hero))
    return [offer(hero, where, Purchase(kind="skill", name=skill, to=rank)) for skill, rank in ranks if rank]


def number_for_rank(hero: Hero, name: str) -> str:
    """How far a set's number is: `Journeyman 2 of 3: one more raises all`. Empty before the first raise."""
    ranks = bill(hero).ranks
    own = [RANK_NAMES.index(ranks[skill]) for skill in heroes.members(name, hero.build.fields) if skill in ranks]
    top, number = max(own, default=0), SETS[name].number
    if top < 1:
        return text("{number} skills raise all", number)
    count = sum(rank >= top for rank in own)
    if count >= len(own):
        return text("all {rank_names}", RANK_NAMES[top])
    return text("{rank_names}: {count} of {number}", RANK_NAMES[top], count, number)


def checked_with(hero: Hero, stat: str) -> list[tuple[str, tuple[str, ...], int]]:
    """The hero's skills that are rolled with a stat, the best first: the skill or family, its fields, the bonus."""
    found: dict[tuple[str, int], list[str]] = {}
    for skill, rank in sorted(bill(hero).ranks.items(), key=lambda entry: -RANKS[entry[1]]):
        if stat in CHECK_STATS.get(family(skill), ()):
            found.setdefault((family(skill), RANKS[rank]), []).append(skill.partition(":")[2].strip())
    return [(name, tuple(filter(None, fields)), bonus) for (name, bonus), fields in found.items()]
