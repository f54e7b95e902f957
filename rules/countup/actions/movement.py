"""What one does with oneself: ways at every gait, flight, posture, facing, waiting; and orders about the order itself
(countup.md §2.6, §2.7, §3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from types import MappingProxyType

from msgspec.structs import replace

from rules.board.path import path_fault
from rules.contract.actions import Action, Description
from rules.contract.text import Place, joined, text
from rules.contract.units import Cell, CreatureIx, Eighths, Seconds
from rules.core.action_kinds import Face
from rules.countup.actions.answers import AT_THE_FLEEING, GIVE_GROUND
from rules.countup.actions.context import AHEAD, Context, OrderKind, give, way_left
from rules.countup.combat.attack import could_strike, speed_of
from rules.countup.combat.injury import advances
from rules.countup.conditions import Doing, effects_on, forbidden
from rules.countup.manners import Stance
from rules.countup.state import FOREVER, GAITS, SPACE, CountState, Figure, Gait, Order, Position, Resolution, Setup

CHARGE_RUN = 4 * SPACE
"""Eighths of a foot straight on that make a charge: 20 ft."""
FLIGHT = Seconds(3)
"""Seconds that somebody counts as fleeing at least."""
DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


# -- how fast ----------------------------------------------------------------------------------------------


def allowed(figure: Figure, gait: Gait) -> bool:
    """From standing one walks or jogs first; running needs a second at a walk or faster before (countup.md §3)."""
    return not gait.fast or figure.gait not in (Gait.NONE, Gait.CRAWL)


def gait_now(setup: Setup, who: CreatureIx, figure: Figure, second: Seconds, wanted: Gait) -> Gait:
    """At what gait somebody moves in a second."""
    if figure.prone:
        return Gait.CRAWL
    if figure.fatigue > second:
        return Gait.WALK
    gait, being = wanted, setup.beings[who]
    if gait is Gait.SPRINT and setup.options["sprint_limit"] and 0 < being.trauma <= figure.sprinted:
        gait = Gait.RUN
    while GAITS.index(gait) > 1 and (not allowed(figure, gait) or not being.pace_at(gait)):
        gait = GAITS[GAITS.index(gait) - 1]
    return gait


def rate(setup: Setup, who: CreatureIx, figure: Figure, gait: Gait) -> Eighths:
    """Eighths of a foot that somebody moves in a second, with what was left over from the last."""
    made = setup.beings[who].pace_at(gait)
    if figure.effects:
        made *= max(each.stride for each in effects_on(figure))
    return made + (figure.carry if figure.gait == gait else 0)


def _strides(state: CountState, who: CreatureIx, wanted: Gait) -> Iterator[int]:
    """Spaces that somebody makes in each second from now on, if nothing stops it; ends where it makes none at all."""
    setup, figure, second = state.setup, state.figures[who], state.second
    while True:
        gait = gait_now(setup, who, figure, second, wanted)
        far = rate(setup, who, figure, gait)
        if not far:
            return
        sprinted = figure.sprinted + 1 if gait is Gait.SPRINT else 0
        figure = replace(figure, gait=gait, carry=far % SPACE, sprinted=sprinted)
        yield far // SPACE
        second += 1


def there_at(state: CountState, who: CreatureIx, wanted: Gait, spaces: int) -> Seconds | None:
    """The second in which somebody has so many spaces behind it, if nothing stops it; None if it never has."""
    made = accumulate(_strides(state, who, wanted), initial=0)
    return next((state.second + number for number, far in enumerate(made) if far >= spaces), None)


def whole_seconds(state: CountState, who: CreatureIx, wanted: Gait, least: int) -> int:
    """Spaces that somebody makes in whole seconds, at least so many: nothing is lost of a second by ending there."""
    spaces = 0
    for spaces in accumulate(_strides(state, who, wanted)):
        if spaces >= least:
            break
    return spaces


# -- ways --------------------------------------------------------------------------------------------------


class Walk(OrderKind):
    """Move along a way at a gait."""

    within_melee = False
    """Whether the engaged may, though it is no walk."""
    least: Gait | None = None
    """The gait without which one cannot, if it is not its own."""

    def __init__(self, do: str, gait: Gait, face: Face, doing: Doing, rank: int = 3) -> None:
        self.do, self.gait, self.face, self.doing, self.rank = do, gait, face, doing, rank
        self.slow = gait is Gait.WALK
        """Whether one can do it prone, as a crawl, tired, and in a melee, as a fighting withdrawal."""

    def why_not(self, context: Context) -> str | None:
        if context.order.path:
            return "a way is ordered already (order anew, by clear, to change it)"
        if held := forbidden(context.figure, Doing.STEP):
            return held
        if context.figure.stance is Stance.KNEELING:
            return "kneeling: stand up first"
        if context.figure.prone and not self.slow:
            return "prone: stand up first, or crawl"
        if context.tired and not self.slow:
            return "spell fatigue: walk only"
        if reason := self.unfit(context):
            return reason
        if not context.being.pace_at(self.least or self.gait):
            return text("cannot {move}", self.gait if self.slow else self.do)
        engaged = not self.slow and not self.within_melee and context.engaged()
        return "engaged: walk away (a fighting withdrawal), give ground, or flee" if engaged else None

    def unfit(self, context: Context) -> str | None:
        """What else stands against it."""
        return None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered"
        fault = path_fault(context.terrain, context.figure.cell, action.path, context.being.space)
        if fault is not None:
            return fault
        if context.figure.no_pursuit > context.state.second and self._pursues(context, action.path[-1]):
            return text("struck at the fleeing: no pursuit until second {second}", context.figure.no_pursuit)
        if self._advances(context, action.path):
            return "path: held at bay, back or aside only; or knock the weapon aside first"
        crowd, terrain = context.crowd(), context.terrain
        taken = (cell for cell in action.path if terrain.footprint(cell, context.being.space) & crowd)
        cell = next(taken, None)
        return None if cell is None else text("path: somebody stands on {cell}", Place(*terrain.field.at(cell)))

    def _advances(self, context: Context, path: tuple[Cell, ...]) -> bool:
        """Whether a way leads nearer to who holds one at bay."""
        start = context.figure.cell
        return context.figure.held_by >= 0 and any(advances(context.state, context.who, start, cell) for cell in path)

    def _pursues(self, context: Context, goal: Cell) -> bool:
        near, here = context.terrain.distance, context.figure.cell
        fleeing = (foe.cell for foe in map(context.state.figures.__getitem__, context.others()) if foe.fleeing)
        return any(near(goal, cell) < near(here, cell) for cell in fleeing)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return iter(())
        far = whole_seconds(context.state, context.who, self.gait, AHEAD)
        paths, do, name = context.ways(far).paths(), self.do, context.being.id
        if context.figure.held_by >= 0:
            paths = [path for path in paths if not self._advances(context, path)]
        if context.figure.no_pursuit > context.state.second:
            paths = [path for path in paths if not self._pursues(context, path[-1])]
        return iter([Action(name, do, path=path) for path in paths])

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or not action.path:
            return self.button()
        terrain, size = context.terrain, context.being.space
        toil = sum(1 for cell in action.path if terrain.footprint(cell, size) & terrain.difficult)  # two spaces each
        slot = there_at(context.state, context.who, self.gait, len(action.path) + toil)
        cost = "" if slot is None else text("{cost} · there at {slot}", self.face.cost, slot)
        return self.button(cost=cost, slot=slot)

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        give(resolution, who, replace(order, path=action.path, gait=self.gait))


class Tactical(Walk):
    """Walk about within a melee (option)."""

    def why_not(self, context: Context) -> str | None:
        if not context.setup.options["tactical_move"]:
            return "an optional rule that is off"
        return super().why_not(context) if context.engaged() else "not engaged: simply walk"

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        give(resolution, who, replace(order, path=action.path, gait=self.gait, tactical=True))


class Flee(Walk):
    """Turn and run: every engaged enemy with no other beside it may strike once or follow (countup.md §2.6)."""

    within_melee = True
    least = Gait.JOG

    def unfit(self, context: Context) -> str | None:
        return context.action_open() if context.engaged() else "not engaged: simply go"

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        flight = replace(action, path=())
        give(resolution, who, replace(order, path=action.path, gait=self.gait, action=flight, done=True))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        figure = resolution.figures[who]
        if figure.stance is Stance.FLEEING:
            return
        due, until = resolution.second + speed_of(resolution, who, resolution.weapon(who)), resolution.second + FLIGHT
        resolution.change(who, stance=Stance.FLEEING, until=until, set_since=-1, due=due, broke=True)
        for other in figure.contacts:
            theirs = resolution.figures[other].action
            runs = theirs is not None and theirs.do == self.do  # of two who run from each other neither strikes
            if not runs and may_strike_fleeing(resolution, other, who):
                AT_THE_FLEEING.ask(resolution, other, who)


def may_strike_fleeing(state: Position, who: CreatureIx, fleer: int) -> bool:
    """Whether an enemy could strike who flees, or follow: it is not on the run itself, and no other enemy is within
    5 ft of it (B24)."""
    if not could_strike(state, who, state.free_weapon(who)):
        return False
    figures = state.figures
    others = (other for other in figures[who].contacts if other != fleer and figures[other].present)
    return not any(state.distance(who, other) <= 1 for other in others)


# -- posture and facing ------------------------------------------------------------------------------------


class Stand(OrderKind):
    """Get up: a second, during which one still counts as lying; then the way that was ordered (countup.md §2.7)."""

    do = "stand"
    face = Face("Stand up", "Act", "1 s", "none", "rise", "z")
    doing = Doing.PASS
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if context.figure.low else "standing already")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if resolution.figures[who].low:
            rise(resolution, who)


def rise(resolution: Resolution, who: CreatureIx) -> Figure:
    """Begin to get up."""
    until, way = resolution.second + 1, way_left(resolution.figures[who])
    return resolution.change(who, stance=Stance.RISING, until=until, busy=until, order=way)


class Kneel(OrderKind):
    """Kneel behind a shield (countup.md §2.7)."""

    do = "kneel"
    face = Face("Kneel", "Act", "1 s", "none", "guide", "v", "better cover behind a shield")
    rank = 2
    at_the_end = True

    def why_not(self, context: Context) -> str | None:
        return context.manoeuvre_open() or ("down already" if context.figure.low else None)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        busy = resolution.second + 1
        resolution.change(who, stance=Stance.KNEELING, until=FOREVER, busy=busy, order=None)
        resolution.note(who, "kneels")


class Turn(OrderKind):
    """Face another way: free with a way or a deed, else a second (countup.md §2.7)."""

    do = "turn"
    face = Face("Turn", "Act", "free", "facing", "guide", "t", "free with a way or a deed")
    doing = Doing.TURN
    rank = 2

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option not in [str(n) for n in range(8)]:
            return text("option: {option}; a facing from 0 (north) clockwise to 7", repr(action.option))
        return self.why_not(context)

    def candidates(self, context: Context) -> Iterator[Action]:
        for number in range(8):
            if number != context.facing:
                yield Action(context.being.id, self.do, option=str(number))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.option is None:
            return self.button()
        return self.button(text("Face {direction}", DIRECTIONS[int(action.option)]))

    def planned(self, action: Action) -> str:
        return self.do

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        give(resolution, who, replace(order, facing=int(action.option or "0")))


_RUNS = "the first second at a jog"
GO = (
    Walk("walk", Gait.WALK, Face("Walk", "Move", "5 ft/s", "path", "step", "q"), Doing.WALK, 2),
    Walk("jog", Gait.JOG, Face("Jog", "Move", "10 ft/s", "path", "step", "j"), Doing.WALK, 1),
    Walk("run", Gait.RUN, Face("Run", "Move", "15 ft/s", "path", "run", "e", _RUNS), Doing.RUN, 2),
    Walk("sprint", Gait.SPRINT, Face("Sprint", "Move", "20 ft/s", "path", "run", "g", _RUNS), Doing.RUN, 2),
    Tactical(
        "tactical_move", Gait.WALK, Face("Tactical move", "Move", "5 ft/s", "path", "step", "b", "−1 a second"),
        Doing.DODGE,
    ),
)  # fmt: skip
FLEE = Flee(
    "flee", Gait.SPRINT, Face("Flee", "Move", "jog or faster", "path", "run", "x", "no shield, d10p"), Doing.FLEE
)
STAND, KNEEL, TURN = Stand(), Kneel(), Turn()


HOLD = (1, 2, 3, 5, 10)
"""Seconds that are offered."""


class Wait(OrderKind):
    """Do nothing for some seconds, on guard."""

    do = "hold"
    face = Face("Hold", "Act", "1–10 s", "option", "recover", "h")
    doing = Doing.WAIT
    rank = 2
    idles = True

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option is None or not action.option.isdigit() or not 1 <= int(action.option) <= 60:
            return text("option: {option}; 1 to 60 seconds", repr(action.option))
        return self.why_not(context)

    def candidates(self, context: Context) -> Iterator[Action]:
        for seconds in HOLD:
            yield Action(context.being.id, self.do, option=str(seconds))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.option is None:
            return self.button()
        slot = context.state.second + int(action.option)
        until = text("until {slot}, or a foe comes up", slot)
        return self.button(text("Hold {option} s", action.option), until, slot=slot)

    def planned(self, action: Action) -> str:
        return self.do

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        until = resolution.second + int(action.option or "1")
        give(resolution, who, replace(order, action=replace(action, option=str(until)), done=True))

    def ended(self, state: CountState, who: CreatureIx, order: Order, action: Action) -> str:
        figure, name = state.figures[who], state.named(who)
        if int(action.option or "1") > state.second and figure.fresh:
            return text("{foe} comes close to {name}", state.named(figure.fresh[0]), name)
        return text("{name} has waited", name)

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        met = any(resolution.figures[other].moved >= order.given for other in resolution.figures[who].fresh)
        return not met and int(action.option or "1") > resolution.second


class Policy(OrderKind):
    """How to answer a blow unasked; whether to step after a foe that gives ground or is knocked back."""

    do = "policy"
    face = Face("Policy", "Act", "free", "option", "choose", "shift+y", "giving ground, stepping after")
    of_orders = True
    shown = False
    presses = ("press", "keep")
    options = (*GIVE_GROUND.policies, *presses)
    words = MappingProxyType(
        {
            "stand": ("Stand firm unasked", "meet every blow where one is"),
            "yield": ("Give ground unasked", "5 ft back from every blow that lets one"),
            "ask": ("Be asked each time", "before every blow that lets one give ground"),
            "press": ("Step after", "after who gives ground or is knocked back"),
            "keep": ("Stay in place", "let those go who give ground or are knocked back"),
        }
    )

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option in self.options:
            return None
        return text("option: {option} is none of {options}", repr(action.option), joined(", ", self.options))

    def candidates(self, context: Context) -> Iterator[Action]:
        """Legal at any time, and never listed: nothing comes of one alone."""
        return iter(())

    def others(self, context: Context) -> tuple[Action, ...]:
        """Those that are not in force."""
        held = self._held(context)
        return tuple(Action(context.being.id, self.do, option=option) for option in self.options if option not in held)

    @staticmethod
    def _held(context: Context) -> tuple[str, str]:
        """What is in force."""
        return context.figure.policy, "press" if context.figure.press else "keep"

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.option is None:
            ground, after = (self.words[word][0] for word in self._held(context))
            return self.button(notes=(*self.button().notes, text("now: {ground}, {after}", ground, after)))
        label, meaning = self.words[action.option]
        return self.button(label, notes=(meaning,))

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        if action.option in self.presses:
            resolution.change(who, press=action.option == "press")
        else:
            resolution.change(who, policy=action.option or "ask")


class Clear(OrderKind):
    """Order anew."""

    do = "clear"
    face = Face("Order anew", "First", "free", "none", "clear", "backspace")
    of_orders = True
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return None if context.begun() else "nothing is ordered"

    def refusal(self, context: Context, action: Action) -> str | None:
        reason = self.why_not(context)
        return None if reason is None else text("{do}: {reason}", self.do, reason)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return self.button() if action is None else Description(self.face.label, "End", "")

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        resolution.change(who, order=None)


class Go(OrderKind):
    """Let time run, with what is ordered; or wait a second."""

    do = "end"
    face = Face("Go", "End", "", "none", "end", "ctrl+enter", "Time runs until somebody of yours must decide.")
    of_orders = idles = True
    rank = 1

    def why_not(self, context: Context) -> str | None:
        return None

    def describe(self, context: Context, action: Action | None = None) -> Description:
        label, cost = ("Go", "the way as ordered") if context.order.path else ("Wait", "a second")
        return replace(self.button(label, cost), rank=self.rank)

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        if not order.path and order.action is None:  # nothing at all: wait a second
            order = replace(order, action=Action(action.by, WAIT.do, option=str(resolution.second + 1)))
        give(resolution, who, replace(order, done=True))


WAIT, POLICY, CLEAR, GO_ON = Wait(), Policy(), Clear(), Go()
