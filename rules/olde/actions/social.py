"""Deeds between creatures: help for a neighbour, and intimidation (olde.md §3 assisted, opposed).

Their costs in a fight are our ruling: 2 AP each.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.sight import Grade
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Contest, Note
from rules.core.action_kinds import Face, Kind
from rules.core.dice import roll
from rules.olde.actions.climbing import CLIMB
from rules.olde.actions.deeds import Look, find, known_ids
from rules.olde.actions.items import DoorWork, Force
from rules.olde.actions.obstacles import FRIGHT, SEARCHING, SKILLS, Tackle
from rules.olde.actions.swimming import SWIM
from rules.olde.challenges.attempts import HELPED
from rules.olde.challenges.checks import (
    assistance,
    burden,
    check,
    check_stat,
    skill_check,
    skill_terms,
    stat_rank,
    stat_value,
)
from rules.olde.challenges.criticals import follow
from rules.olde.effects.model import Effect, Lasting
from rules.olde.effects.model import effect as condition_effect
from rules.olde.effects.working import lay
from rules.olde.state import Chance, Work, able

ASSIST_AP, INTIMIDATE_AP = 2, 2


# -- help -----------------------------------------------------------------------------------------------


class Assist(Kind[Look]):
    """Help an ally beside one with its next check of a skill: 2 AP (olde.md §3 assisted)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def useful(look: Look, ally: int) -> list[str]:
        """The skills that an ally could use where it stands."""
        other = Look(look.state, Chance(ally))
        out: list[str] = []
        for door in DoorWork.beside(other):
            if Force.fault(other, door) is None:
                out += Force.skills(look.field.doors[door])
        for _, challenge in Tackle.near(other):
            out += SKILLS[challenge.kind]
        if look.setup.obstacles is not None:
            out += past_obstacles(other)
        if look.state.found:
            out += SEARCHING
        return list(dict.fromkeys(out))

    def _allies(self, look: Look) -> list[int]:
        return [
            i
            for i, fighter, figure in look.others()
            if fighter.side == look.fighter.side and able(figure) and look.distance(i) <= 1
        ]

    def known(self, look: Look) -> bool:
        """Whether there is anything on this map that an ally could be helped with."""
        return bool(look.state.found) or any(
            state in ("locked", "barred") or (door.kind == "portcullis" and state != "open")
            for door, state in zip(look.field.doors, look.state.doors, strict=True)
        )

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay(ASSIST_AP)
        if blocked is None and not any(self.useful(look, ally) for ally in self._allies(look)):
            blocked = "no ally beside who could use help"
        return blocked

    def flaw(self, look: Look, action: Action) -> str | None:
        ally = find(look, action.target)
        if ally is None or ally not in self._allies(look):
            return f"target: {action.target!r} is no able ally beside one; there are {known_ids(look)}"
        useful = self.useful(look, ally)
        if action.option not in useful:
            return f"option: {action.option!r} is none of what it could use: {', '.join(useful)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if not self.known(look) or self.hindrance(look):
            return
        for ally in self._allies(look):
            for skill in self.useful(look, ally):
                yield Action(look.fighter.id, "assist", target=look.setup.fighters[ally].id, option=skill)

    def cost(self, look: Look, action: Action) -> int:
        return ASSIST_AP

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who, ally = work.setup.index[action.by], work.setup.index[action.target or ""]
        skill, helped = action.option or "", work.fighter(ally)
        rating = stat_value(helped, check_stat(helped, skill))
        result = skill_check(work.dice, work.setup, work.fighter(who), work.figures[who], skill, rating)
        work.events.append(result.event(action.by, f"help with {skill}"))
        bonus = assistance(result.roll.total - rating)
        if bonus:
            lay(work, ally, Effect(HELPED + skill, who, 1, bonus, Lasting(1, rule="olde.md §3 assisted")))


_PAST = (("Climb", CLIMB), ("Swim", SWIM))


def past_obstacles(look: Look) -> list[str]:
    """The skills with which somebody could get past an obstacle beside it."""
    return [skill for skill, kind in _PAST if next(kind.instances(look), None) is not None]


# -- intimidation ---------------------------------------------------------------------------------------


class Intimidate(Kind[Look]):
    """Frighten an adversary in sight: 2 AP, Intimidate against two dice of its Nerve; untrained at −2."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        return look.act_open() or look.pay(INTIMIDATE_AP)

    @staticmethod
    def fault(look: Look, target: int) -> str | None:
        foe, figure = look.setup.fighters[target], look.state.figures[target]
        if foe.side == look.fighter.side:
            return f"target: {foe.name} is on the same side"
        if not able(figure):
            return f"target: {foe.name} is past fear for now"
        if foe.traits is not None and "frightened" in foe.traits.immune:
            return f"target: {foe.name} fears nothing"
        if any(e.lasting.condition == "frightened" and e.by == look.who for e in figure.effects):
            return f"target: {foe.name} is frightened already"
        return f"target: no line of sight to {foe.name}" if look.sight(target) is Grade.NONE else None

    def flaw(self, look: Look, action: Action) -> str | None:
        target = find(look, action.target)
        if target is None:
            return f"target: {action.target!r} is nobody here; there are {known_ids(look)}"
        return self.fault(look, target)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return
        for i, foe, _ in look.foes():
            if self.fault(look, i) is None:
                yield Action(look.fighter.id, "intimidate", target=foe)

    def cost(self, look: Look, action: Action) -> int:
        return INTIMIDATE_AP

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who, target = work.setup.index[action.by], work.setup.index[action.target or ""]
        terms = [
            nerve_terms(work, target),
            skill_terms(work.setup, work.fighter(who), work.figures[who], "Intimidate"),
        ]
        work.dice.thrower = work.fighter(target).id
        resisted = roll(work.dice, "Nerve", 2, terms[0][0], adjustments=terms[0][1])
        work.dice.thrower = action.by
        tried = check(work.dice, "Intimidate (Nerve)", terms[1][0], resisted.total, terms[1][1])
        work.events.append(
            Contest(by=action.by, target=action.target or "", what="Intimidate", rolls=(resisted, tried.roll),
                    success=tried.success, note="it is shaken" if tried.success else "in vain")
        )  # fmt: skip
        if tried.success:
            lay(work, target, condition_effect("frightened", FRIGHT, who, tried.roll.total, "nerve"))
        elif tried.ranks <= -3:
            work.events.append(Note(text=f"{work.fighter(target).name} laughs.", by=work.fighter(target).id))
        follow(work, who, tried.ranks)


def nerve_terms(work: Work, who: int) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank, adjustments) of somebody's Nerve."""
    fighter = work.fighter(who)
    return stat_rank(fighter, "nerve"), burden(work.setup, fighter, work.figures[who], "nerve")
