"""Shooting and throwing, again and again: what is ordered, and its phase of the second (countup.md §2.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rules.contract.actions import Action, Description
from rules.contract.events import Item, Note
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.core.action_kinds import Face
from rules.countup.actions.attacks import target_holds
from rules.countup.actions.context import Context, OrderKind
from rules.countup.combat.chances import odds_of
from rules.countup.combat.injury import apply
from rules.countup.combat.missiles import AIM, cycle, leaves_in, loaded, shoot, why_no_shot
from rules.countup.conditions import Doing
from rules.countup.gear import Weapon
from rules.countup.manners import QUICK_SHOT, SHOT, Shots
from rules.countup.state import SPENT, Figure, Order, PreparedAttack, Resolution, able, struck_with, weapon_of

OPTIONS: Mapping[str | None, Shots] = MappingProxyType({shots.value: shots for shots in Shots})
"""By the option of an order."""


def shots_of(action: Action | None) -> Shots:
    """How shots are ordered."""
    return OPTIONS.get(action.option, Shots.AIMED) if action is not None else Shots.AIMED


class Shoots(OrderKind):
    """Shoot or throw at somebody, again and again."""

    do = "shoot"
    face = Face("Shoot", "Act", "by cycle", "creature", "aimed_shot", "2", "aim 4 s; quick −6")
    doing = Doing.HARM
    rank = 1
    faces = disturbed = True

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.figure.fatigue > context.state.second:
            return "spell fatigue: no attacks"
        if context.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        weapon = weapon_of(context.setup, context.who, context.weapon)
        return None if weapon.ranged else text("the {name} is no missile weapon", name=weapon.name)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in OPTIONS:
            return text("option: {option}; once, quick or nothing", option=repr(action.option))
        target = context.find(action.target)
        if target is None:
            return text("target: {target} is not here", target=repr(action.target))
        if target == context.who:
            return "target: nobody shoots at itself; name another creature"
        return why_no_shot(context.state, context.who, target, weapon_of(context.setup, context.who, context.weapon))

    def candidates(self, context: Context) -> Iterator[Action]:
        for foe in context.foes():
            for option in OPTIONS:
                yield Action(context.being.id, self.do, target=foe, weapon=context.weapon, option=option)

    def odds(self, context: Context, action: Action) -> Odds | None:
        state, target = context.state, context.setup.index.get(action.target or "")
        weapon = weapon_of(state.setup, context.who, struck_with(state.setup, context.who, context.figure, action))
        if target is None or why_no_shot(state, context.who, target, weapon) is not None:
            return None
        return odds_of(state, context.who, action, shots_of(action).manner)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        shots, weapon = shots_of(action), weapon_of(context.setup, context.who, context.weapon)
        slot = self._slot(context, weapon, shots.quick) if weapon.ranged else None
        cost = "" if slot is None else text("next at {slot}", slot=slot)
        if shots.button is None:
            return self.button(cost=cost, slot=slot)
        label, meaning = shots.button
        if action is not None and action.weapon is not None and len(context.names()) > 1:
            label = text("{label}, {weapon}", label=label, weapon=action.weapon)
        return self.button(label, cost, notes=(meaning,), slot=slot)

    def _slot(self, context: Context, weapon: Weapon, quick: bool) -> int:
        """The second at which one could begin another shot after this one."""
        figure, start = context.figure, max(context.state.second, context.figure.due)
        if figure.loading[0] == weapon.name:
            return figure.loading[1] + cycle(weapon, quick)[1]
        return start + leaves_in(figure, weapon, quick, start) + cycle(weapon, quick)[1]

    def holds(self, resolution: Resolution, who: int, order: Order, action: Action) -> bool:
        return target_holds(resolution, who, action) and not resolution.figures[who].fresh


SHOOT = Shoots()

# -- its phase of the second -----------------------------------------------------------------------------


def shots(resolution: Resolution) -> None:
    """Begin what is ordered; let fly what is ready in this second, and begin anew."""
    for who, figure in enumerate(resolution.figures):
        order = figure.order
        if order is None or order.action is None or order.action.do != SHOOT.do:
            if figure.loading[0]:
                _break_off(resolution, who)
            continue
        if not able(figure, resolution.second) or figure.fatigue > resolution.second:
            continue
        name = order.action.weapon or figure.hand
        weapon, quick = weapon_of(resolution.setup, who, name), shots_of(order.action).quick
        if figure.loading[0] == name and figure.hasty != quick:
            figure = _change_aim(resolution, who, weapon, quick)
        if figure.loading[0] == name and figure.loading[1] <= resolution.second:
            figure = _fly(resolution, who, weapon, quick)
            if figure.order is None:
                continue
            if shots_of(order.action) is Shots.ONCE:  # the next is loaded while one thinks of whom it shall be for
                figure = resolution.change(who, order=None)
        if figure.loading[0] != name and figure.due <= resolution.second:
            _begin(resolution, who, weapon, quick)


def _begin(resolution: Resolution, who: int, weapon: Weapon, quick: bool) -> None:
    figure, second = resolution.figures[who], resolution.second
    load, draw, _, _ = weapon.phases
    nocked = figure.nocked if loaded(figure, weapon.name, second) else (weapon.name, second + load + draw)
    leaves = second + leaves_in(figure, weapon, quick, second)
    resolution.change(who, loading=(weapon.name, leaves), nocked=nocked, hasty=quick)


def _change_aim(resolution: Resolution, who: int, weapon: Weapon, quick: bool) -> Figure:
    """Another manner while loading: the aim is yet to be taken once it is loaded, or is done without."""
    figure, second = resolution.figures[who], resolution.second
    aimed = max(figure.nocked[1], second) + (0 if quick else AIM) + weapon.phases[2]
    return resolution.change(who, loading=(weapon.name, max(second + 1, aimed)), hasty=quick)


def _break_off(resolution: Resolution, who: int) -> None:
    """No shot: what is loaded and drawn by now stays so, while the weapon is in hand; a load half done is lost."""
    figure = resolution.figures[who]
    kept = figure.nocked if loaded(figure, figure.hand, resolution.second) else ("", 0)
    resolution.change(who, loading=("", 0), nocked=kept)


def _fly(resolution: Resolution, who: int, weapon: Weapon, quick: bool) -> Figure:
    """Let fly; whoever has lost sight of the target keeps what is loaded."""
    figure = resolution.figures[who]
    order = figure.order
    assert order is not None and order.action is not None
    target = resolution.setup.index.get(order.action.target or "")
    state = resolution.done()
    if target is None or why_no_shot(state, who, target, weapon) is not None:
        resolution.change(who, order=None)
        _break_off(resolution, who)
        resolution.events.append(Note(text="has no shot", by=resolution.being(who).id))
        return resolution.figures[who]
    attack = PreparedAttack(who, target, weapon.name, QUICK_SHOT if quick else SHOT)
    apply(resolution, shoot(resolution, state, attack))
    due = resolution.second + cycle(weapon, quick)[1]
    resolution.change(who, due=due, loading=("", 0), nocked=("", 0), **SPENT)
    if weapon.thrown:
        cell = resolution.figures[target].cell if resolution.figures[target].cell >= 0 else state.figures[target].cell
        resolution.floor = (*resolution.floor, (weapon.name, cell))
        resolution.change(who, hand="", order=None)
        resolution.events.append(
            Item(by=resolution.being(who).id, item=weapon.name, how="thrown", at=resolution.space(cell))
        )
    return resolution.figures[who]
