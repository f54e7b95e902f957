"""First aid, guiding the stunned, recovering Mana or Faith, and giving up the rest of a chance (olde.md §4, §7)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.path import step_cost
from rules.contract.actions import Action
from rules.core.action_kinds import Face, Kind
from rules.olde.actions.deeds import Look, find, known_ids
from rules.olde.actions.movement import relocate
from rules.olde.challenges.checks import EASY, HARD, MODERATE, skill_check
from rules.olde.combat.injury import lie_down, stabilise, stop_bleeding
from rules.olde.effects.working import wake
from rules.olde.magic.casting import restore
from rules.olde.state import Figure, Work, status


class FirstAid:
    """Stop bleeding and dying of an adjacent ally or oneself: 3/Only, a Healing check."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        if blocked is None and not any(True for _ in self._patients(look)):
            blocked = "nobody near is bleeding or dying"
        return blocked

    def _patients(self, look: Look) -> Iterator[int]:
        if self._needs(look.figure):
            yield look.who
        for i, fighter, figure in look.others():
            if fighter.side == look.fighter.side and self._needs(figure) and look.distance(i) <= 1:
                yield i

    @staticmethod
    def _needs(figure: Figure) -> bool:
        return figure.bleeding or figure.dying

    def refusal(self, look: Look, action: Action) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        if blocked:
            return blocked
        patient = find(look, action.target)
        if patient is None:
            return f"target: {action.target!r} is nobody here; there are {known_ids(look)}"
        name = look.setup.fighters[patient].name
        if look.setup.fighters[patient].side != look.fighter.side:
            return f"target: {name} is no ally"
        if patient != look.who and look.distance(patient) > 1:
            return f"target: {name} is not adjacent"
        return (
            None
            if self._needs(look.state.figures[patient])
            else f"target: {name} is neither bleeding nor dying"
        )

    def instances(self, look: Look) -> Iterator[Action]:
        if look.left and not self.hindrance(look):
            for i in self._patients(look):
                yield Action(look.fighter.id, "first_aid", target=look.setup.fighters[i].id)

    def cost(self, look: Look, action: Action) -> int:
        return look.only(3)

    @staticmethod
    def rating(look: Look, patient: int) -> int:
        """Easy for bruised, Moderate for wounded or incapacitated; on oneself one grade harder."""
        figure, fighter = look.state.figures[patient], look.setup.fighters[patient]
        light = status(figure.hp, fighter.hp_max) in ("healthy", "bruised")
        if patient == look.who:
            return MODERATE if light else HARD
        return EASY if light else MODERATE

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        patient = look.setup.index[action.target or ""]
        rating = self.rating(look, patient)
        result = skill_check(work.dice, work.setup, look.fighter, look.figure, "Healing", rating)
        work.events.append(result.event(action.by, "first aid"))
        if result.success:
            stop_bleeding(work, patient, "first aid")
            stabilise(work, patient, "first aid")


class Guide(Kind[Look]):
    """Guide an adjacent stunned ally: to sit, lie prone or walk 1 space; 2 AP, once a round."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def _guests(self, look: Look) -> Iterator[int]:
        for i, fighter, figure in look.others():
            if (
                fighter.side == look.fighter.side
                and figure.stunned
                and figure.hp > 0
                and look.distance(i) <= 1
            ):
                yield i

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay(2)
        if blocked is None and not any(True for _ in self._guests(look)):
            blocked = "no stunned ally near"
        return blocked

    def flaw(self, look: Look, action: Action) -> str | None:
        guest = find(look, action.target)
        if guest is None or guest not in list(self._guests(look)):
            return "target: needs an adjacent stunned ally"
        figure = look.state.figures[guest]
        if figure.guided:
            return "target: guided in this round already"
        goal = action.at if action.at is not None else (action.path[0] if action.path else None)
        if goal is None:
            if action.option in ("sitting", "prone"):
                return "target: lies or sits so already" if figure.posture == action.option else None
            return "option: sitting or prone, or at: the space to walk to"
        return self._walk_fault(look, guest, goal)

    @staticmethod
    def _walk_fault(look: Look, guest: int, goal: int) -> str | None:
        figure, fighter = look.state.figures[guest], look.setup.fighters[guest]
        if figure.posture != "standing":
            return f"target: is {figure.posture} and cannot walk"
        if not step_cost(look.terrain, figure.cell, goal, fighter.space):
            return "at: needs a space adjacent to the guided ally that it could step on"
        crowd = look.crowd
        own = look.terrain.footprint(look.figure.cell, look.fighter.space)
        cells = look.terrain.footprint(goal, fighter.space) & ~look.terrain.footprint(
            figure.cell, fighter.space
        )
        return "at: the space is taken" if cells & (crowd.allies | crowd.foes | own) else None

    def instances(self, look: Look) -> Iterator[Action]:
        if look.left < 2 or self.hindrance(look):
            return
        for i in self._guests(look):
            name = look.setup.fighters[i].id
            figure = look.state.figures[i]
            if figure.guided:
                continue
            for posture in ("sitting", "prone"):
                if figure.posture != posture:
                    yield Action(look.fighter.id, "guide", target=name, option=posture)
            for cell, _ in look.terrain.neighbours(figure.cell, look.setup.fighters[i].space):
                if self._walk_fault(look, i, cell) is None:
                    yield Action(look.fighter.id, "guide", target=name, at=cell)

    def cost(self, look: Look, action: Action) -> int:
        return 2

    def perform(self, work: Work, action: Action, cost: int) -> None:
        guest = work.setup.index[action.target or ""]
        goal = action.at if action.at is not None else (action.path[0] if action.path else None)
        work.change(guest, guided=True)
        wake(work, guest, "roused")
        if goal is None:
            lie_down(work, guest, action.option or "sitting", "guided")
        else:
            relocate(work, action.target or "", goal, "guided")


POOLS = ("mana", "faith")


class Recover(Kind[Look]):
    """+2 Mana or Faith: 3/Only."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def _open(look: Look) -> list[str]:
        out = []
        if look.figure.mana < look.fighter.mana_max:
            out.append("mana")
        if look.figure.faith < look.fighter.faith_max:
            out.append("faith")
        return out

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        return blocked or (None if self._open(look) else "Mana and Faith are full")

    def flaw(self, look: Look, action: Action) -> str | None:
        open_pools = self._open(look)
        if action.option is None:
            return None if len(open_pools) == 1 else "option: mana or faith"
        option = action.option.lower()
        if option not in POOLS:
            return f"option: {action.option!r} is neither mana nor faith"
        return None if option in open_pools else f"option: {option} is full"

    def instances(self, look: Look) -> Iterator[Action]:
        if not self.hindrance(look):
            for pool in self._open(look):
                yield Action(look.fighter.id, "recover", option=pool)

    def cost(self, look: Look, action: Action) -> int:
        return look.only(3)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        pool = (action.option or self._open(Look(work.done(), work.chance))[0]).lower()
        restore(work, work.chance.who, pool, 2, "Recover")
