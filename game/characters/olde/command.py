"""`battlemat hero FILE`: what a hero's file comes to, and its sheet on paper."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from game.characters.olde import gear
from game.characters.olde.files import load
from game.characters.olde.model import Hero, about, bill, condition, faults, pools


def run(file: Path, sheet: Path | None, say: Callable[[list[str]], None]) -> int:
    """Judge a hero; 0 if it is legal, 2 if not. Raises HeroError for a file that is none."""
    hero = load(file)
    if sheet is not None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from game.characters.olde.sheet import write

        write(hero, sheet)
    wrong = faults(hero)
    say([*told(hero), *(f"not legal: {fault}" for fault in wrong)])
    return 2 if wrong else 0


def told(hero: Hero) -> list[str]:
    """A hero in lines."""
    made = bill(hero)
    stats = ", ".join(f"{name.capitalize()} {value}" for name, value in made.stats.model_dump().items())
    left = ", ".join(f"{name.upper() if name == 'hp' else name.capitalize()} {now} of {top}"
                     for name, (now, top) in pools(hero).items())  # fmt: skip
    skills = ", ".join(f"{skill} {rank}" for skill, rank in made.ranks.items())
    lines = [
        f"{hero.name}: {about(hero)}, {hero.size}, {condition(hero)}",
        f"{stats}; {left}",
        f"Skills: {skills}",
        f"Carries: {', '.join(name for _, name in gear.carried(hero)) or 'nothing'}; {hero.purse} coin",
    ]
    if made.earned:
        lines.append(f"CP: {made.earned} earned, {made.spent_later} spent, in {len(hero.history)} fights")
    return lines
