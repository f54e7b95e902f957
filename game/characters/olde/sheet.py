"""What a hero of Dungeons of Olde comes to: figures beside the pages, what its sheet says, lines for the console."""

from __future__ import annotations

from functools import lru_cache

from game.characters.heroes import told_outcome
from game.characters.olde import gear, model
from game.characters.olde.model import RULESET, Hero, about, bill, carried, pools
from game.characters.pages import Derived, Figures, Gauge, Lines, Printed, Words
from game.content import tables as content
from rules.board.grid import Field
from rules.contract.display import Sheet
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.contract.text import Text, joined, text
from rules.core.registry import ruleset
from rules.olde.creation.heroes import RANK_NAMES
from rules.olde.skills import spelled


@lru_cache(maxsize=128)
def _sheet(key: str) -> Sheet | None:
    hero, rules, tables = Hero.model_validate_json(key), ruleset(RULESET), content.tables(RULESET)
    entry = {**model.block(hero), "side": "heroes", "at": [1, 1]}
    for pool in ("hp", "mana", "faith", "conditions"):
        entry.pop(pool, None)
    try:
        floor = Field.from_rows(["###", "#.#", "###"])
        return rules.sheet(rules.start(Scenario(RULESET, floor, (entry,), content=tables)).state, hero.id)
    except BattlematError:
        return None


def sheet(hero: Hero) -> Sheet | None:
    """The sheet that fights show of it, in full health; None where the rules cannot take it."""
    return _sheet(hero.model_dump_json())


def derived_lines(hero: Hero) -> list[Derived]:
    """Dice and figures, the most asked for first."""
    now = model.stats(hero)
    suit = model.armoury().armor.get(hero.armor or "")
    short = max(0, suit.brawn - now.brawn) if suit else 0
    rank = max(1, now.finesse - short)
    steps = 1 if hero.size == "small" else 2
    found = [
        Derived("Action points", f"d{rank}", "Thrown in every reset; at least 1.", "olde.md §4",
                "coral" if short else "bright"),
        Derived("Free steps", str(steps), "Small heroes have 1, medium ones 2.", "olde.md §2"),
    ]  # fmt: skip
    shown = sheet(hero)
    if shown is None:
        return found
    figures = (line for line in shown.lines if line.detail and "AP ·" not in line.detail and line.detail not in _KINDS)
    found += [Derived(line.text, line.detail, "", line.rule) for line in figures if line.text != "Free steps"]
    return sorted(found, key=lambda line: line.name != "Defense")


def skills_by_rank(hero: Hero) -> list[tuple[str, str]]:
    """`("Journeyman +2", "Healing, Swords")` for each rank that it has, the highest first."""
    ranks = bill(hero).ranks
    found: list[tuple[str, str]] = []
    for number, rank in reversed(list(enumerate(RANK_NAMES))):
        if names := [spelled(skill) for skill, own in ranks.items() if own == rank]:
            found.append((Text.of("{rank} +{number}", rank, number) if number else rank, joined(", ", names)))
    return found


_KINDS = ("carried", "potion", "scroll", "device")


def figures(hero: Hero) -> Figures:
    """Everything that stands beside its pages."""
    made, used = model.bill(hero), model.used_pools(hero)
    names = {"hp": ("Hit points", "health"), "mana": ("Mana", "mana"), "faith": ("Faith", "faith")}
    gauges = (Gauge(names[p][0], max(0, now), top, names[p][1]) for p, (now, top) in pools(hero).items() if p in used)
    notes = [Words(text("Purse {purse} coin · size {hero}", hero.purse, gear.load(hero)))]
    if hero.build.way == "crunchy":
        spent = text("{cost} of {allowed} CP spent", made.cost, made.allowed)
        notes.append(Words(spent, "coral" if made.cost > made.allowed else "text"))
    if made.earned:
        told = "{earned} CP earned, {what} to spend"
        notes.append(Words(text(told, made.earned, made.earned - made.spent_later)))
    return Figures(
        text("{hero} · {size} · {hero2}", about(hero), hero.size, model.condition(hero)),
        tuple((name.capitalize(), str(value)) for name, value in made.stats.model_dump().items()),
        tuple(gauges), tuple(derived_lines(hero)), tuple(notes), model.faults(hero),
    )  # fmt: skip


def printed(hero: Hero) -> Printed:
    """What stands on its sheet."""
    made = bill(hero)
    words = "{earned} CP earned, {spent_later} spent · {history} fights"
    known = [("Spells", joined(", ", hero.spells)), ("Blessings", joined(", ", hero.blessings))]
    magic = [("Magic", tuple(k for k in known if k[1]))] if hero.spells or hero.blessings else []
    return Printed(
        (
            Text.of("{about} · {size} · Dungeons of Olde", about(hero), hero.size),
            Text.of(words, made.earned, made.spent_later, len(hero.history)),
        ),
        _tiles(hero),
        ("In a fight", tuple((line.name, line.figure) for line in derived_lines(hero))),
        ("Carried", _carried(hero)),
        (("Skills", tuple(skills_by_rank(hero))), *magic),
        tuple(
            Text.of("{what}: {what2}, {cp} CP", past.title or "A fight", told_outcome(past), past.cp)
            for past in reversed(hero.history)
        ),
    )


def _tiles(hero: Hero) -> tuple[tuple[str, str, str], ...]:
    tiles = [(name.capitalize(), str(value), f"d{value}!") for name, value in bill(hero).stats.model_dump().items()]
    names = {"hp": "Hit points", "mana": "Mana", "faith": "Faith"}
    return (*tiles, *((names[pool], str(top), "now ____") for pool, (_, top) in pools(hero).items()))


def _carried(hero: Hero) -> Lines:
    found, held = list[tuple[str, str]](), gear.in_hand(hero)
    for table, name in carried(hero):
        told = "" if name in held and table == "weapons" else gear.told(table, model.prices()[table].get(name, {}))
        found.append((name.capitalize(), told))
        found += [("", Text.of("— {note}", note=note.text)) for note in gear.notes(hero, table, name)]
    return (*found, ("Purse", Text.of("{purse} coin", purse=hero.purse)), ("Size", str(gear.load(hero))))


def told(hero: Hero) -> list[str]:
    """A hero in lines."""
    made = bill(hero)
    stats = (Text.of("{name} {value}", name.capitalize(), value) for name, value in made.stats.model_dump().items())
    names = {"hp": "HP", "mana": "Mana", "faith": "Faith"}
    left = (Text.of("{pool} {now} of {top}", names[pool], now, top) for pool, (now, top) in pools(hero).items())
    skills = joined(", ", (Text.of("{skill} {rank}", skill, rank) for skill, rank in made.ranks.items()))
    about_it = "{name}: {about}, {size}, {condition}"
    what = joined(", ", (name for _, name in carried(hero))) or "nothing"
    lines: list[str] = [
        Text.of(about_it, hero.name, about(hero), hero.size, model.condition(hero)),
        Text.of("{stats}; {left}", joined(", ", stats), joined(", ", left)),
        Text.of("Skills: {skills}", skills),
        Text.of("Carries: {what}; {purse} coin", what, hero.purse),
    ]
    if made.earned:
        words = "CP: {earned} earned, {spent_later} spent, in {history} fights"
        lines.append(Text.of(words, made.earned, made.spent_later, len(hero.history)))
    return lines
