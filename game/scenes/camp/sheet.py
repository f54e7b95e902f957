"""Who is chosen in the camp, shortly: the dice of its stats, what it is good at, what it carries."""

from __future__ import annotations

from game.characters.olde import gear
from game.characters.olde.model import Hero, about, stats
from game.characters.olde.sheet import skills_by_rank
from game.scenes.workshop.parts import title
from game.widgets.controls import Label
from game.widgets.core import Widget
from game.widgets.text import Run


def told_of(hero: Hero, brief: bool) -> list[Widget]:
    """A heading and a few lines; `brief`: without the skills of the lowest rank that it has."""
    dice = [f"{name.capitalize()} d{rank}" for name, rank in stats(hero).model_dump().items()]
    skills = skills_by_rank(hero)
    lines = [("", " · ".join(dice)), *(skills[:-1] if brief else skills)]
    if things := ", ".join(name for _, name in gear.carried(hero)):
        lines.append(("Carries", things))
    lines.append(("Purse", f"{hero.purse} coin"))
    return [*title(hero.name, about(hero)), *(_line(name, text) for name, text in lines)]


def _line(name: str, text: str) -> Label:
    runs = [Run(f"{name}  ", "quiet", "small")] if name else []
    return Label([*runs, Run(text)])
