"""Deeds between creatures: help for a neighbour, and intimidation (olde.md §3 assisted, opposed).

Their costs in a fight are our ruling: 2 AP each.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.sight import Grade
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Contest, Note
from rules.core.action_kinds import ActionKind, Face
from rules.core.dice import roll
from rules.olde.actions.climbing import CLIMB
from rules.olde.actions.context import Context, find, known_ids
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
from rules.olde.conditions import FRIGHTENED, feared
from rules.olde.effects.model import Effect, Lasting
from rules.olde.effects.working import lay
from rules.olde.state import Chance, Resolution, able

ASSIST_AP, INTIMIDATE_AP = 2, 2


# -- help -----------------------------------------------------------------------------------------------


class Assist(ActionKind[Context]):
    """Help an ally beside one with its next check of a skill: 2 AP (olde.md §3 assisted)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def useful(context: Context, ally: int) -> list[str]:
        """The skills that an ally could use where it stands."""
        other = Context(context.state, Chance(ally))
        out: list[str] = []
        for door in DoorWork.beside(other):
            if Force.fault(other, door) is None:
                out += Force.skills(context.field.doors[door])
        for _, challenge in Tackle.near(other):
            out += SKILLS[challenge.kind]
        if context.setup.obstacles is not None:
            out += past_obstacles(other)
        if context.state.found:
            out += SEARCHING
        return list(dict.fromkeys(out))

    def _allies(self, context: Context) -> list[int]:
        return [
            i
            for i, fighter, figure in context.others()
            if fighter.side == context.fighter.side and able(figure) and context.distance(i) <= 1
        ]

    def known(self, context: Context) -> bool:
        """Whether there is anything on this map that an ally could be helped with."""
        return bool(context.state.found) or any(
            state in ("locked", "barred") or (door.kind == "portcullis" and state != "open")
            for door, state in zip(context.field.doors, context.state.doors, strict=True)
        )

    def why_not(self, context: Context) -> str | None:
        blocked = context.act_open() or context.pay(ASSIST_AP)
        if blocked is None and not any(self.useful(context, ally) for ally in self._allies(context)):
            blocked = "no ally beside who could use help"
        return blocked

    def why_not_this(self, context: Context, action: Action) -> str | None:
        ally = find(context, action.target)
        if ally is None or ally not in self._allies(context):
            return f"target: {action.target!r} is no able ally beside one; there are {known_ids(context)}"
        useful = self.useful(context, ally)
        if action.option not in useful:
            return f"option: {action.option!r} is none of what it could use: {', '.join(useful)}"
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if not self.known(context) or self.why_not(context):
            return
        for ally in self._allies(context):
            for skill in self.useful(context, ally):
                yield Action(context.fighter.id, "assist", target=context.setup.fighters[ally].id, option=skill)

    def cost(self, context: Context, action: Action) -> int:
        return ASSIST_AP

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        who, ally = resolution.setup.index[action.by], resolution.setup.index[action.target or ""]
        skill, helped = action.option or "", resolution.fighter(ally)
        rating = stat_value(helped, check_stat(helped, skill))
        result = skill_check(
            resolution.dice, resolution.setup, resolution.fighter(who), resolution.figures[who], skill, rating
        )
        resolution.events.append(result.event(action.by, f"help with {skill}"))
        bonus = assistance(result.roll.total - rating)
        if bonus:
            lay(
                resolution,
                ally,
                Effect(HELPED + skill, who, 1, bonus, Lasting(1, rule="olde.md §3 assisted")),
            )


_PAST = (("Climb", CLIMB), ("Swim", SWIM))


def past_obstacles(context: Context) -> list[str]:
    """The skills with which somebody could get past an obstacle beside it."""
    return [skill for skill, kind in _PAST if next(kind.instances(context), None) is not None]


# -- intimidation ---------------------------------------------------------------------------------------


class Intimidate(ActionKind[Context]):
    """Frighten an adversary in sight: 2 AP, Intimidate against two dice of its Nerve; untrained at −2."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def why_not(self, context: Context) -> str | None:
        return context.act_open() or context.pay(INTIMIDATE_AP)

    @staticmethod
    def fault(context: Context, target: int) -> str | None:
        foe, figure = context.setup.fighters[target], context.state.figures[target]
        if foe.side == context.fighter.side:
            return f"target: {foe.name} is on the same side"
        if not able(figure):
            return f"target: {foe.name} is past fear for now"
        if foe.traits is not None and FRIGHTENED.name in foe.traits.immune:
            return f"target: {foe.name} fears nothing"
        if context.who in feared(figure):
            return f"target: {foe.name} is frightened already"
        return f"target: no line of sight to {foe.name}" if context.sight(target) is Grade.NONE else None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = find(context, action.target)
        if target is None:
            return f"target: {action.target!r} is nobody here; there are {known_ids(context)}"
        return self.fault(context, target)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return
        for i, foe, _ in context.foes():
            if self.fault(context, i) is None:
                yield Action(context.fighter.id, "intimidate", target=foe)

    def cost(self, context: Context, action: Action) -> int:
        return INTIMIDATE_AP

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        who, target = resolution.setup.index[action.by], resolution.setup.index[action.target or ""]
        terms = [
            nerve_terms(resolution, target),
            skill_terms(resolution.setup, resolution.fighter(who), resolution.figures[who], "Intimidate"),
        ]
        resolution.dice.thrower = resolution.fighter(target).id
        resisted = roll(resolution.dice, "Nerve", 2, terms[0][0], adjustments=terms[0][1])
        resolution.dice.thrower = action.by
        tried = check(resolution.dice, "Intimidate (Nerve)", terms[1][0], resisted.total, terms[1][1])
        resolution.events.append(
            Contest(by=action.by, target=action.target or "", what="Intimidate", rolls=(resisted, tried.roll),
                    success=tried.success, note="it is shaken" if tried.success else "in vain")
        )  # fmt: skip
        if tried.success:
            lay(resolution, target, FRIGHTENED.effect(FRIGHT, by=who, rating=tried.roll.total, recover="nerve"))
        elif tried.ranks <= -3:
            resolution.events.append(
                Note(text=f"{resolution.fighter(target).name} laughs.", by=resolution.fighter(target).id)
            )
        follow(resolution, who, tried.ranks)


def nerve_terms(resolution: Resolution, who: int) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank, adjustments) of somebody's Nerve."""
    fighter = resolution.fighter(who)
    return stat_rank(fighter, "nerve"), burden(resolution.setup, fighter, resolution.figures[who], "nerve")
