"""Help: bandages, a friend got out of what holds it, breaking free oneself, taking heart (cairn.md §2.6, §2.12, §4)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.cairn.actions.context import NO_SAVE, ByHand, CairnKind, Context, Phase, save_odds, save_of, suffers
from rules.cairn.combat.injury import stabilise
from rules.cairn.conditions import PANICKED, STUCK, TETHERED, Condition
from rules.cairn.magic.ground import beside, spend
from rules.cairn.state import Figure, Resolution, gripped, save_chance
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face

BANDAGES = "bandages"
ROLL = 3
"""Uses of a roll of bandages."""


class Bandage(ByHand):
    """Bandages stop the hour's clock of a neighbour's critical damage or mortal wound (cairn.md §2.6)."""

    do = "bandage"
    face = Face("Bandage", "Act", "action", "creature", "first_aid", "9", "stops the clock of the dying")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        rolls, used = context.figure.carried.count(BANDAGES), dict(context.figure.used).get(BANDAGES, 0)
        return super().why_not(context) or (None if rolls and ROLL * rolls > used else "no bandages left")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return text("target: {target} is not here", repr(action.target))
        name = context.beings[target].creature
        if not context.state.figures[target].clock:
            return text("target: {name} has no critical damage and no mortal wound to stop", name)
        return None if context.beside(target) else text("target: {name} is not adjacent", name)

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.others():
            if context.beings[target].side == context.being.side and context.state.figures[target].clock:
                yield Action(context.being.id, self.do, target=context.beings[target].id)

    def uses(self, action: Action) -> tuple[str, ...]:
        return (BANDAGES,)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Nothing is used on who is out of reach by then: one may have been held up, or have crawled away."""
        target = resolution.setup.index[action.target or ""]
        if beside(resolution.done(), who, resolution.figures[who].cell, target):
            spend(resolution, who, BANDAGES, ROLL)
            stabilise(resolution, target, text("bandaged by {name}", resolution.being(who).creature))


class Help(ByHand):
    """Two act together: a neighbour is got out of what holds it, or out of its panic (cairn.md §2.12)."""

    do = "help"
    face = Face("Help", "Act", "action", "creature", "help", "h", "a friend is freed, or takes heart")
    phase = Phase.RISK
    rank = 2

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None or context.beings[target].side != context.being.side:
            return text("target: {target} is no friend here", repr(action.target))
        if target == context.who:
            return "target: nobody is its own help; break free"
        figure, name = context.state.figures[target], context.beings[target].creature
        if not needs_help(figure):
            return text("target: {name} is neither held nor panicked", name)
        return None if context.beside(target) else text("target: {name} is not adjacent", name)

    def candidates(self, context: Context) -> Iterator[Action]:
        side, figures = context.being.side, context.state.figures
        for target in context.others():
            if context.beings[target].side == side and needs_help(figures[target]):
                yield Action(context.being.id, self.do, target=context.beings[target].id)

    def chance(self, context: Context, friend: CreatureIx) -> Fraction:
        """Chance to get a friend free: no die falls but against a foe's own grip, where the weaker of the two saves."""
        if not gripped(context.state, friend):
            return Fraction(1)
        return save_chance(min(context.figure.str_now, context.state.figures[friend].str_now))

    def odds(self, context: Context, action: Action) -> Odds | None:
        friend = context.setup.index.get(action.target or "")
        if friend is None or not needs_help(context.state.figures[friend]):
            return None
        chance, words = self.chance(context, friend), ("gets free", "in vain")
        if not gripped(context.state, friend):
            return save_odds(chance, words, NO_SAVE, (("nobody rolls: two act together", "cairn.md §2.12"),))
        weaker = min(context.figure.str_now, context.state.figures[friend].str_now)
        note = ("the weaker of the two saves against the grip", "cairn.md §2.12")
        return save_odds(chance, words, text("STR save {score}", weaker), (note,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Together the risk is so small that nobody rolls; against a foe's grip the weaker of the two saves."""
        friend = resolution.setup.index[action.target or ""]
        figure, state = resolution.figures[friend], resolution.done()
        condition = needs_help(figure)
        if not figure.present or not condition or not beside(state, who, resolution.figures[who].cell, friend):
            return
        if gripped(resolution, friend):
            weaker = min((friend, who), key=lambda i: resolution.figures[i].str_now)
            if not resolution.save(weaker, "str", text("free {name}", resolution.being(friend).creature)):
                return
        _free(resolution, friend, condition, text("helped by {name}", resolution.being(who).creature))


class BreakFree(CairnKind):
    """Out of a web, a sack, a grip or a maw, or rid of stingers, by a STR or DEX save (cairn.md §2.12)."""

    do = "break_free"
    face = Face("Break free", "Act", "action", "none", "force", "b", "STR or DEX save, the better")
    phase = Phase.RISK

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if suffers(context.figure) else "not held")

    def chance(self, context: Context) -> Fraction:
        """Chance to break free."""
        return save_chance(context.figure.score(breaks_by(context.figure)))

    def odds(self, context: Context, action: Action) -> Odds | None:
        dice = save_of(context.figure, breaks_by(context.figure))
        stuck = suffers(context.figure) is STUCK
        note = ("STR alone", "cairn.md §5.5") if stuck else ("STR or DEX, the better", "cairn.md §2.12")
        return save_odds(self.chance(context), ("gets free", "still held"), dice, (note,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        figure = resolution.figures[who]
        held = suffers(figure)
        if resolution.save(who, breaks_by(figure), "break free") and held is not None:
            _free(resolution, who, held, "broke free")


class Steady(CairnKind):
    """Overcome panic by a WIL save."""

    do = "steady"
    face = Face("Steady", "Act", "action", "none", "recover", "v", "WIL save against panic")
    phase = Phase.RISK

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if context.figure.has(PANICKED) else "not panicked")

    def odds(self, context: Context, action: Action) -> Odds | None:
        note = ("passed: Hit Protection counts again", "cairn.md §4")
        words = ("takes heart", "still panicked")
        return save_odds(save_chance(context.figure.wil_now), words, save_of(context.figure, "wil"), (note,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if resolution.save(who, "wil", "overcome panic"):
            resolution.relieve(who, PANICKED, "steadied")


HELPING, BREAK_FREE = Help(), BreakFree()


def breaks_by(figure: Figure) -> str:
    """The attribute that breaks what holds somebody: STR alone out of a sticky floor, else the better of STR and DEX
    (cairn.md §2.12, §5.5)."""
    return "str" if suffers(figure) is STUCK else figure.better


def needs_help(figure: Figure) -> Condition | None:
    """The condition that a friend can help somebody out of, or None."""
    return suffers(figure) or (PANICKED if figure.has(PANICKED) else None)


def _free(resolution: Resolution, who: CreatureIx, condition: Condition, because: str) -> None:
    """Out of what held somebody; a tether that is cut holds nobody at its other end either."""
    ends = resolution.figures[who].causes(TETHERED) if condition is TETHERED else set()
    resolution.relieve(who, condition, because)
    for name in sorted(ends):
        resolution.relieve(resolution.setup.index[name], condition, because)
