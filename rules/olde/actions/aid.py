"""First aid, guiding the stunned, recovering Mana or Faith, and giving up the rest of a chance (olde.md §4, §7)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.path import step_cost
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context, find, nobody
from rules.olde.actions.kind import Kind, Minutes, situation
from rules.olde.actions.movement import relocate
from rules.olde.challenges.attempts import terms_of
from rules.olde.challenges.checks import EASY, HARD, MODERATE, skill_check
from rules.olde.combat.outcomes import lie_down
from rules.olde.conditions import BLEEDING, DYING, PRONE, SITTING, wake
from rules.olde.magic.casting import restore
from rules.olde.magic.spells import POOLS
from rules.olde.state import STANDING, Figure, Resolution, status


class FirstAid(Kind):
    """Stop bleeding and dying of an adjacent ally or oneself: 3/Only, a Healing check."""

    do = "first_aid"
    face = Face("First Aid", "Act", "3 AP/Only", "creature", "first_aid", "9", "stops bleeding, dying")
    ap, only = 3, True
    risky = True
    rank = 2
    exploring = Minutes()

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context)
        if blocked is None and not any(True for _ in self._patients(context)):
            blocked = "nobody near is bleeding or dying"
        return blocked

    def _patients(self, context: Context) -> Iterator[int]:
        if self._needs(context.figure):
            yield context.who
        for i, fighter, figure in context.others():
            if fighter.side == context.fighter.side and self._needs(figure) and context.distance(i) <= 1:
                yield i

    @staticmethod
    def _needs(figure: Figure) -> bool:
        return figure.bleeding or figure.dying

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.closed(context) or self.why_not_this(context, action)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        patient = find(context, action.target)
        if patient is None:
            return nobody(context, action.target)
        name = context.setup.fighters[patient].name
        if context.setup.fighters[patient].side != context.fighter.side:
            return text("target: {name} is no ally", name)
        if patient != context.who and context.distance(patient) > 1:
            return text("target: {name} is not adjacent", name)
        return (
            None
            if self._needs(context.state.figures[patient])
            else text("target: {name} is neither bleeding nor dying", name)
        )

    def candidates(self, context: Context) -> Iterator[Action]:
        for i in self._patients(context):
            yield Action(context.actor, self.do, target=context.setup.fighters[i].id)

    @staticmethod
    def rating(context: Context, patient: int) -> int:
        """Easy for bruised, Moderate for wounded or incapacitated; on oneself one grade harder."""
        figure, fighter = context.state.figures[patient], context.setup.fighters[patient]
        light = status(figure.hp, fighter.hp_max).light
        if patient == context.who:
            return MODERATE if light else HARD
        return EASY if light else MODERATE

    def odds(self, context: Context, action: Action) -> Odds:
        patient = context.setup.index[action.target or ""]
        rating, terms = self.rating(context, patient), terms_of(context, "Healing")
        chance = terms.chance(rating)
        outcomes = (("stops it", chance), ("in vain", 1.0 - chance))
        return terms.odds(rating, outcomes, ("stops bleeding and dying", "olde.md §7 first aid"))

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        context = situation(resolution)
        patient = context.setup.index[action.target or ""]
        rating = self.rating(context, patient)
        result = skill_check(resolution, who, "Healing", rating)
        resolution.events.append(result.event(action.by, "first aid"))
        if result.success:
            BLEEDING.end(resolution, patient, "first aid")
            DYING.end(resolution, patient, "first aid")


class Guide(Kind):
    """Guide an adjacent stunned ally: to sit, lie prone or walk 1 space; 2 AP, once a round."""

    do = "guide"
    face = Face("Guide", "Act", "2 AP", "creature", "guide", "b", "a stunned ally")
    ap = 2

    def _guests(self, context: Context) -> Iterator[int]:
        for i, fighter, figure in context.others():
            if fighter.side == context.fighter.side and figure.stunned and figure.hp > 0 and context.distance(i) <= 1:
                yield i

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context)
        if blocked is None and not any(True for _ in self._guests(context)):
            blocked = "no stunned ally near"
        return blocked

    def why_not_this(self, context: Context, action: Action) -> str | None:
        guest = find(context, action.target)
        if guest is None or guest not in list(self._guests(context)):
            return "target: needs an adjacent stunned ally"
        figure = context.state.figures[guest]
        if figure.guided:
            return "target: guided in this round already"
        goal = self._goal(action)
        if goal is None:
            if action.option in (SITTING.name, PRONE.name):
                return "target: lies or sits so already" if figure.posture == action.option else None
            return "option: sitting or prone, or at: the space to walk to"
        return self._why_not_there(context, guest, goal)

    @staticmethod
    def _why_not_there(context: Context, guest: int, goal: Cell) -> str | None:
        figure, fighter = context.state.figures[guest], context.setup.fighters[guest]
        if figure.posture != STANDING:
            return text("target: is {posture} and cannot walk", figure.posture)
        if not step_cost(context.terrain, figure.cell, goal, fighter.space):
            return "at: needs a space adjacent to the guided ally that it could step on"
        crowd = context.crowd
        own = context.terrain.footprint(context.figure.cell, context.fighter.space)
        cells = context.terrain.footprint(goal, fighter.space) & ~context.terrain.footprint(figure.cell, fighter.space)
        return "at: the space is taken" if cells & (crowd.allies | crowd.foes | own) else None

    @staticmethod
    def _goal(action: Action) -> Cell | None:
        """The space to which the guided one walks; None where it only changes its posture."""
        return action.at if action.at is not None else (action.path[0] if action.path else None)

    def candidates(self, context: Context) -> Iterator[Action]:
        for i in self._guests(context):
            guest, figure = context.setup.fighters[i], context.state.figures[i]
            for posture in (SITTING.name, PRONE.name):
                yield Action(context.actor, self.do, target=guest.id, option=posture)
            for cell, _ in context.terrain.neighbours(figure.cell, guest.space):
                yield Action(context.actor, self.do, target=guest.id, at=cell)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        guest, goal = resolution.setup.index[action.target or ""], self._goal(action)
        resolution.change(guest, guided=True)
        wake(resolution, guest, "roused")
        if goal is None:
            lie_down(resolution, guest, action.option or SITTING.name, "guided")
        else:
            relocate(resolution, action.target or "", goal, "guided")


class Recover(Kind):
    """+2 Mana or Faith: 3/Only."""

    do = "recover"
    face = Face("Recover", "Act", "3 AP/Only", "option", "recover", "v", "+2 Mana or Faith")
    ap, only = 3, True

    @staticmethod
    def _open(context: Context) -> list[str]:
        out = []
        if context.figure.mana < context.fighter.mana_max:
            out.append("mana")
        if context.figure.faith < context.fighter.faith_max:
            out.append("faith")
        return out

    def why_not(self, context: Context) -> str | None:
        return self.closed(context) or (None if self._open(context) else "Mana and Faith are full")

    def idle(self, context: Context) -> bool:
        return not self._open(context)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        open_pools = self._open(context)
        if action.option is None:
            return None if len(open_pools) == 1 else "option: mana or faith"
        option = action.option.lower()
        if option not in POOLS:
            return text("option: {option} is neither mana nor faith", repr(action.option))
        return None if option in open_pools else text("option: {option} is full", option)

    def candidates(self, context: Context) -> Iterator[Action]:
        for pool in self._open(context):
            yield Action(context.actor, self.do, option=pool)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        pool = (action.option or self._open(situation(resolution))[0]).lower()
        restore(resolution, who, pool, 2, "Recover")
