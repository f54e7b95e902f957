"""The rulebook on making heroes, written down a second time from its text; it shares nothing with the program's."""

from __future__ import annotations

from typing import Any

ARRAY_TEXT = (
    "7 7 7 6 · 8 7 7 5 · 8 7 6 6 · 8 8 5 5 · 8 8 7 4 · 8 8 8 3 · 9 6 6 5 · 9 7 5 5 · 9 7 6 4 · 9 8 5 4 · 10 6 5 4 · "
    "10 5 5 5 · 10 7 4 4 · 11 5 4 4 · 12 4 4 3"
)
STAT_TEXT = "3:-5 4:-2 5:0 6:1 7:3 8:5 9:8 10:11 11:15 12:20"
UPGRADE_TEXT = "4:3 5:2 6:1 7:2 8:2 9:3 10:3 11:4 12:5"
RANK_TEXT = "Apprentice 1 | Journeyman 2 | Foreman 4 | Master 6 | Grand Master 9 | Legendary Master 12"
SKILL_TEXT = """
Axes, Brawling, Burst, Climb, Endure, Leap, Lift/Shift, Maces, Ride, Shields, Swim, Swords, Bows, Crossbows, Dodge,
Escape, Fencing, Knives, Long Guns, Murder, Pistols, Pursuit, Quarterstaff, Sleight-of-hand, Sling, Sneak, Spears,
Thrown Weapons, Tumble, Alertness, Camouflage, Disable, Forage, Healing, Insight, Investigation, Knowledge, Language,
Literacy, Pathfinding, Profession, Research, Tracking, Trivia, Veterinarian, Command, Deception, Disguise, Drive,
Entertain, Intimidate, Negotiate, Persuade, Train, Wizardry, Faith"""
SET_TEXT = """
Melee Combat 4/3: Axes, Knives, Maces, Shields, Spears, Swords
Ranged Combat 2/2: Bows, Crossbows, Long Guns, Pistols
Streetfighting 2/2: Brawling, Knives, Thrown Weapons
Swashbuckling 2/3: Fencing, Knives, Swords
Animal Handling 3/3: Command, Drive, Ride, Train, Veterinarian
Survival 3/3: Alertness, Camouflage, Forage, Pathfinding, Tracking
Stealth 3/4: Alertness, Camouflage, Disable, Escape, Murder, Pursuit, Sleight-of-hand, Sneak
Ministry 3/2: Entertain, Healing, Literacy, Persuade, Profession:Minister
Scholarship 3/3: Literacy, Knowledge:Arcana, Knowledge:History, Knowledge:Law, Knowledge:Nature, Knowledge:Religion
Linguistics 3/2: Language:Court, Language:Dwarvish, Language:Elvish, Language:Goblin, Language:Trade
Might 4/3: Burst, Climb, Endure, Leap, Lift/Shift, Pursuit, Ride, Swim
Grace 4/3: Climb, Dodge, Pursuit, Ride, Swim, Tumble
Acumen 4/3: Alertness, Healing, Insight, Investigation, Literacy, Research, Trivia
Influence 3/3: Deception, Disguise, Entertain, Intimidate, Negotiate, Persuade"""
PACKAGE_TEXT = """
Priest: Axes/Knives/Maces/Quarterstaff/Spears/Swords; Shields/*; Ministry; Faith
Ranger: Axes/Knives/Maces/Spears/Swords; Ranged Combat; Survival; Stealth/Animal Handling; *
Rogue: Streetfighting; Stealth; Grace; *
Templar: Axes/Maces/Swords; Shields; Might; Ministry; *
Troubadour: Swashbuckling; Grace; Influence; Profession:Performer; *
Warrior: Melee Combat; Bows/Crossbows/Thrown Weapons; Might; *
Wizard: Knives/Quarterstaff/Swords; Scholarship; Wizardry"""
"""Each part is had; of several behind strokes one is chosen; a star raises one skill to Journeyman."""

ARRAYS = {tuple(sorted(map(int, part.split()))) for part in ARRAY_TEXT.split("·")}
STAT_COST = {int(a): int(b) for a, b in (pair.split(":") for pair in STAT_TEXT.split())}
STAT_UPGRADE = {int(a): int(b) for a, b in (pair.split(":") for pair in UPGRADE_TEXT.split())}
TOTAL = {
    part.rsplit(" ", 1)[0].strip(): int(part.rsplit(" ", 1)[1]) for part in (p.strip() for p in RANK_TEXT.split("|"))
}
RANKS = list(TOTAL)
SKILLS = {word.strip() for word in SKILL_TEXT.replace("\n", " ").split(",")}
SETS: dict[str, tuple[int, int, list[str]]] = {}
for line in SET_TEXT.strip().splitlines():
    head, _, tail = line.partition(": ")
    name, figures = head.rsplit(" ", 1)
    SETS[name] = (int(figures.split("/")[0]), int(figures.split("/")[1]), tail.split(", "))
PACKAGES = {
    line.partition(": ")[0]: [part.strip().split("/") for part in line.partition(": ")[2].split(";")]
    for line in PACKAGE_TEXT.strip().splitlines()
}
GIFT_COST = {"Wizardry": 6, "Faith": 5}
"""What is left of the ten CP of the packages that have a gift."""
STAR = "one Journeyman"


class Unlawful(Exception):
    """The rulebook forbids it."""


class Learner:
    """A hero who learns; ranks as numbers, 1 an Apprentice."""

    def __init__(self, fields: dict[str, tuple[str, ...]]) -> None:
        self.have = {"Alertness": 1, "Leap": 1, "Lift/Shift": 1}
        self.sets: list[str] = []
        self.fields = fields

    def members(self, name: str) -> list[str]:
        found = SETS[name][2]
        if name in self.fields and name in ("Scholarship", "Linguistics"):
            family = "Knowledge" if name == "Scholarship" else "Language"
            found = [m for m in found if not m.startswith(family)] + [f"{family}:{f}" for f in self.fields[name]]
        return found

    def learn_set(self, name: str) -> int:
        if name not in SETS or name in self.sets:
            raise Unlawful(name)
        self.sets.append(name)
        for skill in self.members(name):
            self.have[skill] = max(1, self.have.get(skill, 0))
        self.settle()
        return SETS[name][0]

    def raise_to(self, skill: str, rank: str) -> int:
        if skill.split(":")[0].strip() not in SKILLS or rank not in TOTAL:
            raise Unlawful(skill)
        old, new = self.have.get(skill, 0), RANKS.index(rank) + 1
        if new <= old:
            raise Unlawful(skill)
        cost = TOTAL[rank] - (TOTAL[RANKS[old - 1]] if old else 0)
        if skill in GIFT_COST and not old:
            cost += GIFT_COST[skill] - 1
        self.have[skill] = new
        self.settle()
        return cost

    def settle(self) -> None:
        """As many skills of a set as its number reach a rank: the rest reach it free."""
        for _ in range(len(self.sets) * len(RANKS) + 1):
            for name in self.sets:
                own = self.members(name)
                reached = sorted((self.have[m] for m in own), reverse=True)[SETS[name][1] - 1]
                if reached > 1:
                    for member in own:
                        self.have[member] = max(self.have[member], reached)


def judge(build: dict[str, Any]) -> tuple[bool, dict[str, str], tuple[int, ...]]:
    """Whether a build (as its JSON has it) is lawful, and if so its ranks and stats."""
    try:
        learner, stats = _made(build)
    except Unlawful:
        return False, {}, ()
    return True, {skill: RANKS[rank - 1] for skill, rank in learner.have.items()}, tuple(stats.values())


def _made(build: dict) -> tuple[Learner, dict[str, int]]:  # type: ignore[type-arg]
    for name, own in build["fields"].items():
        if name not in ("Scholarship", "Linguistics") or len(own) != 5 or len(set(own)) != 5:
            raise Unlawful(name)
    learner, stats = Learner(build["fields"]), dict(build["stats"])
    if build["way"] == "core":
        _core(build, learner, stats)
    else:
        spent = sum(STAT_COST[v] for v in stats.values())
        for thing in build["bought"]:
            if thing["kind"] == "stat":
                raise Unlawful("stats are set at creation")
            spent += _bought(learner, thing)
        if spent > 20:
            raise Unlawful(f"{spent} CP")
    later = 0
    for thing in build["advances"]:
        if thing["kind"] == "stat":
            later += _grown(stats, thing)
        else:
            later += _bought(learner, thing)
    if later > build["earned"]:
        raise Unlawful(f"{later} CP later")
    return learner, stats


def _bought(learner: Learner, thing: dict[str, str]) -> int:
    if thing["kind"] == "set":
        return learner.learn_set(thing["name"])
    return learner.raise_to(thing["name"], thing["to"] or "Apprentice")


def _grown(stats: dict[str, int], thing: dict[str, str]) -> int:
    if thing["name"] not in stats:
        raise Unlawful(thing["name"])
    now = stats[thing["name"]]
    goal = int(thing["to"]) if thing["to"].isdigit() else now + 1
    if not now < goal <= 12:
        raise Unlawful(thing["name"])
    stats[thing["name"]] = goal
    return sum(STAT_UPGRADE[v] for v in range(now + 1, goal + 1))


def _core(build: dict, learner: Learner, stats: dict[str, int]) -> None:  # type: ignore[type-arg]
    if tuple(sorted(stats.values())) not in ARRAYS or build["package"] not in PACKAGES:
        raise Unlawful("array or package")
    parts = PACKAGES[build["package"]]
    open_parts = [part for part in parts if len(part) > 1 or part == ["*"]]
    if len(build["choices"]) > len(open_parts):
        raise Unlawful("too many choices")
    taken, star = [part[0] for part in parts if part not in open_parts], False
    for number, part in enumerate(open_parts):
        choice = build["choices"][number] if number < len(build["choices"]) else ""
        choice = choice or (STAR if part == ["*"] else "")
        if choice not in [STAR if option == "*" else option for option in part]:
            raise Unlawful(choice)
        if choice == STAR:
            star = True
        else:
            taken.append(choice)
    for name in taken:
        if name in SETS:
            learner.learn_set(name)
        else:
            learner.have[name] = max(1, learner.have.get(name, 0))
    if star != bool(build["journeyman"]) or (star and learner.have.get(build["journeyman"]) != 1):
        raise Unlawful("one Journeyman")
    if star:
        learner.raise_to(build["journeyman"], "Journeyman")
