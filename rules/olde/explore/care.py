"""What heroes do for themselves in an exploration: wounds bound, a meal, a chest sorted, light (olde.md §7, §8)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face
from rules.core.secrets import named
from rules.olde.actions.aid import POOLS
from rules.olde.actions.context import Context
from rules.olde.challenges.checks import EASY, MODERATE, skill_check
from rules.olde.challenges.state import set_state
from rules.olde.combat.injury import heal
from rules.olde.conditions import DYING
from rules.olde.creation.camp import TIMES
from rules.olde.explore.burning import FUELS, burns, light_up, put_out, spent
from rules.olde.explore.minutes import know, note
from rules.olde.magic.casting import restore
from rules.olde.state import OldeState, Resolution, status


class Bind:
    """Bind wounds, once: a Healing check, Easy for the bruised (1 HP), Moderate for the wounded (2 HP) and for the
    incapacitated (to 0 HP) (olde.md §7)."""

    minutes = TIMES["bind wounds"]

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def patients(context: Context) -> list[int]:
        """Those beside whose wounds were never bound, oneself included."""
        exploring = context.state.explore
        assert exploring is not None
        out = []
        for i, (fighter, figure) in enumerate(zip(context.setup.fighters, context.state.figures, strict=True)):
            if fighter.side != context.fighter.side or figure.cell < 0 or exploring.bound >> i & 1:
                continue
            if -fighter.hp_max < figure.hp < fighter.hp_max and (i == context.who or context.distance(i) <= 1):
                out.append(i)
        return out

    def why_not(self, context: Context) -> str | None:
        return context.act_open() or (None if self.patients(context) else "nobody beside has wounds still to be bound")

    def refusal(self, context: Context, action: Action) -> str | None:
        near = [context.setup.fighters[i].id for i in self.patients(context)]
        if action.target in near:
            return None
        return f"target: {action.target!r} has no wounds to bind here; there is {', '.join(near) or 'nobody'}"

    def instances(self, context: Context) -> Iterator[Action]:
        for i in self.patients(context):
            yield Action(context.fighter.id, "bind", target=context.setup.fighters[i].id)

    @staticmethod
    def rating(at: OldeState | Resolution, patient: int) -> int:
        """Easy for the bruised, Moderate for the others."""
        now = status(at.figures[patient].hp, at.setup.fighters[patient].hp_max)
        return EASY if now == "bruised" else MODERATE

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        patient = resolution.setup.index[action.target or ""]
        figure, rating = resolution.figures[patient], self.rating(resolution, patient)
        note(resolution, bound=know(resolution).bound | 1 << patient)
        result = skill_check(
            resolution.dice,
            resolution.setup,
            resolution.fighter(who),
            resolution.figures[who],
            "Healing",
            rating,
        )
        resolution.events.append(result.event(action.by, "bound wounds"))
        if result.success:
            amount = -figure.hp if figure.hp <= 0 else 1 if rating == EASY else 2
            heal(resolution, patient, amount, "bound wounds")
            DYING.end(resolution, patient, "bound wounds")


class Meal(ActionKind[Context]):
    """A quick meal, once, gives 5 Mana and 5 Faith back, as many as it takes minutes; camp gives all of them (R).

    What a night's rest gives is the camp's after the fight."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face
        self.minutes = TIMES["quick meal" if do == "meal" else "camp"]

    def why_not(self, context: Context) -> str | None:
        exploring = context.state.explore
        assert exploring is not None
        had = self.do == "meal" and exploring.fed >> context.who & 1
        return context.act_open() or ("has had its meal" if had else None)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        if self.do == "meal":
            note(resolution, fed=know(resolution).fed | 1 << who)
        fighter = resolution.fighter(who)
        for pool, most in zip(POOLS, (fighter.mana_max, fighter.faith_max), strict=True):
            restore(resolution, who, pool, self.minutes if self.do == "meal" else most, self.do)


class Sort:
    """Sort a chest that stands open beside one: five minutes, and what is of worth in it is the party's."""

    minutes = TIMES["sort a chest"]

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def near(context: Context) -> list[int]:
        """Numbers of the open chests beside."""
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        return [
            i
            for i, c in enumerate(context.field.challenges)
            if c.kind == "chest" and context.state.challenges[i] == "open" and board_of(c.cells) & around
        ]

    def why_not(self, context: Context) -> str | None:
        return context.act_open() or (None if self.near(context) else "no open chest beside")

    def refusal(self, context: Context, action: Action) -> str | None:
        near = [context.field.challenges[i].id for i in self.near(context)]
        return None if action.item in near else f"item: {action.item!r} is no open chest beside one"

    def instances(self, context: Context) -> Iterator[Action]:
        for i in self.near(context):
            yield Action(context.fighter.id, "sort", item=context.field.challenges[i].id)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        found = named(resolution.setup.field, action.item or "")
        assert found is not None
        set_state(resolution, found[0], "sorted", action.by)


class Torch(ActionKind[Context]):
    """Light what one carries, a minute, anew with a torch or flask of oil where it has burnt out; or put it out, which
    takes no time."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face
        self.minutes = TIMES["light a torch"] if do == "light" else 0

    def why_not(self, context: Context) -> str | None:
        exploring = context.state.explore
        assert exploring is not None
        if not context.fighter.light:
            return "carries no light"
        if burns(context.state, context.who) is (self.do == "light"):
            return "it burns already" if self.do == "light" else "it is out already"
        if self.do == "light" and spent(exploring, context.who):
            return f"burnt out: there are no {FUELS[context.fighter.lamp].many}"
        return context.act_open()

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        if self.do == "light":
            light_up(resolution, who)
        else:
            put_out(resolution, who)
