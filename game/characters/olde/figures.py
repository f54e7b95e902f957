"""What follows from a hero, as the ruleset itself reckons it: dice, Defense, weapons as they would be used."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from game.characters.olde.model import RULESET, Hero, armoury, bill, block, stats
from game.content import tables as content
from rules.contract.display import Sheet
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.registry import ruleset
from rules.olde.creation.heroes import RANK_NAMES
from rules.olde.skills import spelled


class Derived(NamedTuple):
    """A figure with its name and where it comes from."""

    name: str
    figure: str
    why: str = ""
    rule: str = ""
    tone: str = "bright"


@lru_cache(maxsize=128)
def _sheet(key: str) -> Sheet | None:
    hero = Hero.model_validate_json(key)
    try:
        return _asked(hero)
    except BattlematError:
        return None


def _asked(hero: Hero) -> Sheet | None:
    rules = ruleset(RULESET)
    entry = {**block(hero), "side": "heroes", "at": [1, 1]}
    for pool in ("hp", "mana", "faith", "conditions"):
        entry.pop(pool, None)
    rows = ["###", "#.#", "###"]
    document = {"format": records.FORMAT, "ruleset": RULESET, "map": {"rows": rows}, "creatures": [entry]}
    record = records.read(document)
    field = records.ground(record.map)
    tables = content.tables(RULESET)
    step = rules.start(records.scenario(record, field, lambda name: content.template(RULESET, name), tables))
    return rules.sheet(step.state, hero.id)


def sheet(hero: Hero) -> Sheet | None:
    """The sheet that fights show of it, in full health; None where the rules cannot take it."""
    return _sheet(hero.model_dump_json())


def derived_lines(hero: Hero) -> list[Derived]:
    """Dice and figures, the most asked for first."""
    now = stats(hero)
    suit = armoury().armor.get(hero.armor or "")
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
    for line in shown.lines:
        if line.text in ("Free steps",) or not line.detail or "AP ·" in line.detail or line.detail in _KINDS:
            continue
        found.append(Derived(line.text, line.detail, "", line.rule))
    found.sort(key=lambda line: line.name != "Defense")
    return found


def skills_by_rank(hero: Hero) -> list[tuple[str, str]]:
    """`("Journeyman +2", "Healing, Swords")` for each rank that it has, the highest first."""
    ranks = bill(hero).ranks
    found = []
    for number, rank in reversed(list(enumerate(RANK_NAMES))):
        if names := [spelled(skill) for skill, own in ranks.items() if own == rank]:
            found.append((f"{rank} +{number}" if number else rank, ", ".join(names)))
    return found


_KINDS = ("carried", "potion", "scroll", "device")
