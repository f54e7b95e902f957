"""Actions between creatures: help for a neighbour, intimidation, a call for help (olde.md §3 assisted, opposed; §10).

Their costs in a fight are our ruling: 2 AP each.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.grid import HELD_SHUT, DoorState
from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.contract.events import Contest, Note
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.core import odds as dist
from rules.core.action_kinds import Face
from rules.core.dice import notation
from rules.olde.actions.climbing import Climb, Swim
from rules.olde.actions.context import Context, find, known_ids, nobody
from rules.olde.actions.doors import FORCE, PORTCULLIS, beside
from rules.olde.actions.kind import Kind, Minutes, chance_told, situation
from rules.olde.actions.obstacles import FRIGHT, SEARCHING, SKILLS, Tackle
from rules.olde.challenges.attempts import HELPED, MARGINS, follow, margins_told, terms_of
from rules.olde.challenges.checks import (
    assistance,
    burden,
    check_stat,
    opposed,
    skill_check,
    stat_rank,
    stat_value,
    thrown,
)
from rules.olde.conditions import ASLEEP, FRIGHTENED, SILENCED, feared, lay, wake
from rules.olde.effects import Effect, Lasting
from rules.olde.state import Chance, Resolution, able
from rules.olde.traits import kinds as trait

PAST = (("Climb", Climb()), ("Swim", Swim()))


# -- help -----------------------------------------------------------------------------------------------


class Assist(Kind):
    """Help an ally beside one with its next check of a skill: 2 AP (olde.md §3 assisted)."""

    do = "assist"
    face = Face("Assist", "Act", "2 AP", "option", "guide", "h", "adds to an ally's next check")
    ap = 2
    risky = True
    exploring = Minutes()

    @staticmethod
    def useful(context: Context, ally: int) -> list[str]:
        """The skills that an ally could use where it stands."""
        other = Context(context.state, Chance(ally))
        out: list[str] = []
        for door in beside(other):
            if FORCE.why_not_door(other, door) is None:
                out += FORCE.skills(context.field.doors[door])
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
            state in HELD_SHUT or (door.kind == PORTCULLIS and state != DoorState.OPEN)
            for door, state in zip(context.field.doors, context.state.doors, strict=True)
        )

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context)
        if blocked is None and not any(self.useful(context, ally) for ally in self._allies(context)):
            blocked = "no ally beside who could use help"
        return blocked

    def why_not_this(self, context: Context, action: Action) -> str | None:
        ally = find(context, action.target)
        if ally is None or ally not in self._allies(context):
            return text(
                "target: {target} is no able ally beside one; there are {known}",
                repr(action.target),
                known_ids(context),
            )
        useful = self.useful(context, ally)
        if action.option not in useful:
            return text(
                "option: {option} is none of what it could use: {useful}", repr(action.option), joined(", ", useful)
            )
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        return super().instances(context) if self.known(context) else iter(())

    def candidates(self, context: Context) -> Iterator[Action]:
        for ally in self._allies(context):
            for skill in self.useful(context, ally):
                yield Action(context.actor, self.do, target=context.setup.fighters[ally].id, option=skill)

    def notes(self, context: Context, action: Action) -> tuple[str, ...]:
        return chance_told(self, context, action)

    def odds(self, context: Context, action: Action) -> Odds:
        helped, skill = context.setup.fighters[context.setup.index[action.target or ""]], action.option or ""
        rating, terms = stat_value(helped, check_stat(helped, skill)), terms_of(context, skill)
        chance, much = terms.chance(rating), terms.chance(rating + 2)
        outcomes = (("+2 or more", much), ("+1", chance - much), ("no help", 1.0 - chance))
        odds = terms.odds(
            rating, outcomes, (text("{skill}, to help {name}", skill, helped.name), "olde.md §3 assisted")
        )
        return msgspec.structs.replace(odds, hit=chance)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        ally = resolution.setup.index[action.target or ""]
        skill, helped = action.option or "", resolution.fighter(ally)
        rating = stat_value(helped, check_stat(helped, skill))
        result = skill_check(resolution, who, skill, rating)
        resolution.events.append(result.event(action.by, text("help with {skill}", skill)))
        bonus = assistance(result.roll.total - rating)
        if bonus:
            lay(resolution, ally, Effect(HELPED + skill, who, 1, bonus, Lasting(1, rule="olde.md §3 assisted")))


def past_obstacles(context: Context) -> list[str]:
    """The skills with which somebody could get past an obstacle beside it."""
    return [skill for skill, kind in PAST if next(kind.instances(context), None) is not None]


# -- intimidation ---------------------------------------------------------------------------------------


class Intimidate(Kind):
    """Frighten an adversary in sight: 2 AP, Intimidate against two dice of its Nerve; untrained at −2."""

    do = "intimidate"
    face = Face("Intimidate", "Act", "2 AP", "creature", FRIGHTENED.icon, "shift+i", "against its Nerve")
    ap = 2
    risky = True

    @staticmethod
    def why_not_foe(context: Context, target: int) -> str | None:
        foe, figure = context.setup.fighters[target], context.state.figures[target]
        if foe.side == context.fighter.side:
            return text("target: {name} is on the same side", foe.name)
        if not able(figure):
            return text("target: {name} is past fear for now", foe.name)
        if foe.traits is not None and FRIGHTENED.name in foe.traits.immune:
            return text("target: {name} fears nothing", foe.name)
        if context.who in feared(figure):
            return text("target: {name} is frightened already", foe.name)
        return text("target: no line of sight to {name}", foe.name) if context.sight(target) is Grade.NONE else None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = find(context, action.target)
        if target is None:
            return nobody(context, action.target)
        return self.why_not_foe(context, target)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for i, foe, _ in context.foes():
                if context.sight(i) is not Grade.NONE and self.why_not_foe(context, i) is None:
                    yield Action(context.actor, self.do, target=foe)

    def odds(self, context: Context, action: Action) -> Odds:
        target = context.setup.index[action.target or ""]
        foe, figure = context.setup.fighters[target], context.state.figures[target]
        terms, nerve = terms_of(context, "Intimidate"), stat_rank(foe, "nerve")
        edge = terms.plus - sum(a.value for a in burden(context.setup, foe, figure, "nerve"))
        chance = dist.chance_margin(terms.rank, nerve, -edge)
        outcomes = ((FRIGHTENED.name, chance), ("in vain", 1.0 - chance))
        note = ("frightened for 3 turns; a Nerve check in each reset ends it", "olde.md §7 frightened")
        odds = terms.odds(0, outcomes, note)
        notes = odds.notes
        if context.setup.criticals:
            well = dist.chance_margin(terms.rank, nerve, MARGINS[3] - edge)
            badly = 1.0 - dist.chance_margin(terms.rank, nerve, 1 - MARGINS[3] - edge)
            notes += margins_told(well, badly)
        return msgspec.structs.replace(odds, defense_dice=notation(2, nerve, True), notes=notes)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        target = resolution.setup.index[action.target or ""]
        nerve, own = thrown(resolution, target, "nerve"), thrown(resolution, who, "Intimidate")
        resisted, tried = opposed(resolution.dice, own, nerve)
        resolution.events.append(
            Contest(by=action.by, target=action.target or "", what="Intimidate", rolls=(resisted, tried.roll),
                    success=tried.success, note="it is shaken" if tried.success else "in vain")
        )  # fmt: skip
        if tried.success:
            lay(resolution, target, FRIGHTENED.effect(FRIGHT, by=who, rating=tried.roll.total, recover="nerve"))
        elif tried.ranks <= -3:
            foe = resolution.fighter(target)
            resolution.events.append(Note(text=text("{name} laughs.", foe.called), by=foe.id))
        follow(resolution, who, tried.ranks)


# -- calling for help ---------------------------------------------------------------------------------------


def _call_of(context: Context) -> trait.CallForHelp | None:
    return context.fighter.traits.of(trait.CallForHelp) if context.fighter.traits is not None else None


def sleepers(context: Context) -> list[int]:
    """Sleeping allies whom a call from here would wake."""
    call = _call_of(context)
    if call is None:
        return []
    return [
        i for i, fighter, figure in context.others()
        if fighter.side == context.fighter.side and figure.effects and ASLEEP.holds(figure)
        and figure.hp > 0 and context.distance(i) <= call.spaces
    ]  # fmt: skip


class CallForHelp(Kind):
    """1 AP: every sleeping ally in earshot wakes (olde.md §10 call for help)."""

    do = "call_for_help"
    face = Face("Call for help", "Act", "1 AP", "none", "guide", "shift+h", "wakes sleeping allies")
    ap = trait.CallForHelp.points

    @staticmethod
    def known(context: Context) -> bool:
        """Whether a creature can call at all."""
        return _call_of(context) is not None

    def idle(self, context: Context) -> bool:
        return not self.known(context)

    def why_not(self, context: Context) -> str | None:
        if not self.known(context):
            return text("{name} has no call that wakes others", context.fighter.name)
        blocked = self.closed(context)
        if blocked is None and SILENCED.holds(context.figure):
            blocked = SILENCED.name
        return blocked or (None if sleepers(context) else "no sleeping ally in earshot")

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        for other in sleepers(situation(resolution)):
            wake(resolution, other, trait.CallForHelp.name)
