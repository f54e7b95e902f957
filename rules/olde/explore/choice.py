"""How an exploration ends by the heroes' choice: an ambush, a challenge, a way out; or goes on (olde.md §8)."""

from __future__ import annotations

from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.core.action_kinds import Face, Plain
from rules.olde.actions.deeds import Look
from rules.olde.explore.minutes import danger, slip_away
from rules.olde.explore.notice import in_view
from rules.olde.explore.state import is_hero, up
from rules.olde.state import Work


def seen_foes(look: Look) -> list[int]:
    """The watchers whom some hero sees."""
    state, out = look.state, []
    heroes = [i for i, figure in enumerate(state.figures) if is_hero(look.setup, i) and up(figure)]
    for i, figure in enumerate(state.figures):
        if is_hero(look.setup, i) or figure.cell < 0 or figure.hp <= 0:
            continue
        if any(in_view(state, hero, i, figure.cell) is not Grade.NONE for hero in heroes):
            out.append(i)
    return out


class Choice(Plain[Look]):
    """Something to settle on; it takes no time."""

    minutes = 0

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face


class Ambush(Choice):
    """Fall upon those in sight: the fight begins, and whoever has noticed nothing is caught unaware."""

    def hindrance(self, look: Look) -> str | None:
        return None if seen_foes(look) else "no adversary is in sight"

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        danger(work)


class Shout(Choice):
    """Call the adversaries out: the fight begins, and nobody awake is caught unaware."""

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        danger(work, loud=True)


class Leave(Choice):
    """Slip out by an exit, once every hero who can go stands on one: nobody has to be fought."""

    def hindrance(self, look: Look) -> str | None:
        if not look.field.exits:
            return "this map has no exit"
        for i, figure in enumerate(look.state.figures):
            fighter = look.setup.fighters[i]
            if is_hero(look.setup, i) and up(figure):
                if not look.terrain.footprint(figure.cell, fighter.space) & look.field.exits:
                    return f"{fighter.name} does not stand at an exit"
        return None

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        slip_away(work)


class Wait(Choice):
    """Let the minute pass."""

    minutes = 1

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        return None
