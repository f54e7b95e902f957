"""What heroes do for themselves in an exploration: wounds bound, a meal, a chest sorted, light (olde.md §7, §8)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.contract.actions import Action
from rules.core.action_kinds import Face, Plain
from rules.olde.actions.aid import POOLS
from rules.olde.actions.deeds import Look
from rules.olde.challenges.checks import EASY, MODERATE, skill_check
from rules.olde.challenges.state import set_state
from rules.olde.combat.injury import heal, stabilise
from rules.olde.creation.camp import TIMES
from rules.olde.explore.burning import FUELS, burns, light_up, put_out, spent
from rules.olde.explore.minutes import know, note
from rules.olde.magic.casting import restore
from rules.olde.state import Work, status


class Bind:
    """Bind wounds, once: a Healing check, Easy for the bruised (1 HP), Moderate for the wounded (2 HP) and for the
    incapacitated (to 0 HP) (olde.md §7)."""

    minutes = TIMES["bind wounds"]

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def patients(look: Look) -> list[int]:
        """Those beside whose wounds were never bound, oneself included."""
        exploring = look.state.explore
        assert exploring is not None
        out = []
        for i, (fighter, figure) in enumerate(zip(look.setup.fighters, look.state.figures, strict=True)):
            if fighter.side != look.fighter.side or figure.cell < 0 or exploring.bound >> i & 1:
                continue
            if -fighter.hp_max < figure.hp < fighter.hp_max and (i == look.who or look.distance(i) <= 1):
                out.append(i)
        return out

    def hindrance(self, look: Look) -> str | None:
        return look.act_open() or (
            None if self.patients(look) else "nobody beside has wounds still to be bound"
        )

    def refusal(self, look: Look, action: Action) -> str | None:
        near = [look.setup.fighters[i].id for i in self.patients(look)]
        if action.target in near:
            return None
        return f"target: {action.target!r} has no wounds to bind here; there is {', '.join(near) or 'nobody'}"

    def instances(self, look: Look) -> Iterator[Action]:
        for i in self.patients(look):
            yield Action(look.fighter.id, "bind", target=look.setup.fighters[i].id)

    @staticmethod
    def rating(look: Look, patient: int) -> int:
        """Easy for the bruised, Moderate for the others."""
        now = status(look.state.figures[patient].hp, look.setup.fighters[patient].hp_max)
        return EASY if now == "bruised" else MODERATE

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        patient = work.setup.index[action.target or ""]
        figure, rating = work.figures[patient], self.rating(look, patient)
        note(work, bound=know(work).bound | 1 << patient)
        result = skill_check(work.dice, work.setup, look.fighter, work.figures[look.who], "Healing", rating)
        work.events.append(result.event(action.by, "bound wounds"))
        if result.success:
            amount = -figure.hp if figure.hp <= 0 else 1 if rating == EASY else 2
            heal(work, patient, amount, "bound wounds")
            stabilise(work, patient, "bound wounds")


class Meal(Plain[Look]):
    """A quick meal, once, gives 5 Mana and 5 Faith back, as many as it takes minutes; camp gives all of them (R).

    What a night's rest gives is the camp's after the fight."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face
        self.minutes = TIMES["quick meal" if do == "meal" else "camp"]

    def hindrance(self, look: Look) -> str | None:
        exploring = look.state.explore
        assert exploring is not None
        had = self.do == "meal" and exploring.fed >> look.who & 1
        return look.act_open() or ("has had its meal" if had else None)

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        if self.do == "meal":
            note(work, fed=know(work).fed | 1 << look.who)
        for pool, most in zip(POOLS, (look.fighter.mana_max, look.fighter.faith_max), strict=True):
            restore(work, look.who, pool, self.minutes if self.do == "meal" else most, self.do)


class Sort:
    """Sort a chest that stands open beside one: five minutes, and what is of worth in it is the party's."""

    minutes = TIMES["sort a chest"]

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def near(look: Look) -> list[int]:
        """Numbers of the open chests beside."""
        around = look.terrain.within(look.figure.cell, 1, look.fighter.space)
        return [
            i
            for i, c in enumerate(look.field.challenges)
            if c.kind == "chest" and look.state.challenges[i] == "open" and board_of(c.cells) & around
        ]

    def hindrance(self, look: Look) -> str | None:
        return look.act_open() or (None if self.near(look) else "no open chest beside")

    def refusal(self, look: Look, action: Action) -> str | None:
        near = [look.field.challenges[i].id for i in self.near(look)]
        return None if action.item in near else f"item: {action.item!r} is no open chest beside one"

    def instances(self, look: Look) -> Iterator[Action]:
        for i in self.near(look):
            yield Action(look.fighter.id, "sort", item=look.field.challenges[i].id)

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        number = next(i for i in self.near(look) if look.field.challenges[i].id == action.item)
        set_state(work, number, "sorted", action.by)


class Torch(Plain[Look]):
    """Light what one carries, a minute, anew with a torch or flask of oil where it has burnt out; or put it out, which
    takes no time."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face
        self.minutes = TIMES["light a torch"] if do == "light" else 0

    def hindrance(self, look: Look) -> str | None:
        exploring = look.state.explore
        assert exploring is not None
        if not look.fighter.light:
            return "carries no light"
        if burns(look.state, look.who) is (self.do == "light"):
            return "it burns already" if self.do == "light" else "it is out already"
        if self.do == "light" and spent(exploring, look.who):
            return f"burnt out: there are no {FUELS[look.fighter.lamp].many}"
        return look.act_open()

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        if self.do == "light":
            light_up(work, look.who)
        else:
            put_out(work, look.who)
