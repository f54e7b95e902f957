"""What a creature may order itself to do: a movement, an action, or both (countup.md §1 DECLARE, §2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import msgspec

from rules.board.path import path_fault
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face
from rules.countup.actions.context import AHEAD, Context, Intent
from rules.countup.actions.deeds import Cast, PickUp, Ready, Turn, Wait
from rules.countup.actions.doors import Doors, Lock, Search
from rules.countup.actions.movement import GAIT_OF, advances, pace, whole_seconds
from rules.countup.combat.contact import waits_for
from rules.countup.combat.missiles import reason as shot_reason
from rules.countup.combat.reach import in_reach
from rules.countup.conditions import Doing, forbidden
from rules.countup.manners import MANOEUVRES, PLAIN, Shots, Stance
from rules.countup.state import Order, in_hand, weapon_of

SHOTS = tuple(each.value for each in Shots)
POLICIES = ("stand", "yield", "ask", "press", "keep")
"""Give ground: never, always, ask. Step after a foe that gives ground or is knocked back: press, keep one's place."""
DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


class Walk(ActionKind[Context]):
    """Move along a way at a gait."""

    def __init__(self, gait: str, face: Face) -> None:
        self.gait, self.face = gait, face

    def why_not(self, context: Context) -> str | None:
        if context.order.path:
            return "a way is ordered already (order anew, by clear, to change it)"
        if held := forbidden(context.figure, Doing.STEP):
            return held
        if context.figure.stance is Stance.KNEELING:
            return "kneeling: stand up first"
        if context.figure.prone and self.gait != "walk":
            return "prone: stand up first, or crawl"
        if context.figure.fatigue > context.state.second and self.gait != "walk":
            return "spell fatigue: walk only"
        if self.gait == "flee" and not context.engaged():
            return "not engaged: simply go"
        if self.gait == "flee" and context.order.action is not None:
            return f"{context.order.action.do} is ordered already (order anew, by clear, to change it)"
        if not pace(context.being, "jog" if self.gait == "flee" else self.gait):
            return f"cannot {self.gait}"
        if self.gait in ("walk", "flee") or not context.engaged():
            return None
        return "engaged: walk away (a fighting withdrawal), give ground, or flee"

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered"
        fault = path_fault(context.terrain, context.figure.cell, action.path, context.being.space)
        if fault is not None:
            return fault
        if context.figure.no_pursuit > context.state.second and self._pursues(context, action.path[-1]):
            return f"struck at the fleeing: no pursuit until second {context.figure.no_pursuit}"
        if self._advances(context, action.path):
            return "path: held at bay, back or aside only; or knock the weapon aside first"
        crowd = context.crowd()
        for cell in action.path:
            if context.terrain.footprint(cell, context.being.space) & crowd:
                return f"path: somebody stands on {context.name(cell)}"
        return None

    def _advances(self, context: Context, path: tuple[int, ...]) -> bool:
        """Whether a way leads nearer to who holds one at bay."""
        return context.figure.held_by >= 0 and any(
            advances(context.state, context.who, context.figure.cell, cell) for cell in path
        )

    def _pursues(self, context: Context, goal: int) -> bool:
        for other in context.others():
            foe = context.state.figures[other]
            near = context.terrain.distance
            if foe.stance is Stance.FLEEING and near(goal, foe.cell) < near(context.figure.cell, foe.cell):
                return True
        return False

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            far = whole_seconds(context.state, context.who, GAIT_OF.get(self.gait, self.gait), AHEAD)
            for path in context.ways(far).paths():
                struck = context.figure.no_pursuit > context.state.second
                if not self._advances(context, path) and not (struck and self._pursues(context, path[-1])):
                    yield Action(context.being.id, self.gait, path=path)


class Tactical(Walk):
    """Walk about within a melee (option)."""

    def why_not(self, context: Context) -> str | None:
        if not context.setup.options["tactical_move"]:
            return "an optional rule that is off"
        return super().why_not(context) if context.engaged() else "not engaged: simply walk"

    def instances(self, context: Context) -> Iterator[Action]:
        for action in super().instances(context):
            yield Action(context.being.id, "tactical_move", path=action.path)


class Melee(ActionKind[Context]):
    """What is done with a weapon in reach of somebody; who stands may wait for a foe to come there."""

    do: str
    face: Face
    manners: tuple[str | None, ...]

    def names(self, context: Context) -> list[str]:
        """Weapons that it may be done with."""
        return [context.weapon]

    def candidates(self, context: Context) -> Iterator[Action]:
        yield from self._each(context, far=False)

    def awaited(self, context: Context) -> Iterator[Action]:
        """The same at foes that are not yet within reach, from where one stands."""
        if self.why_not(context) is None and not context.order.path:
            for action in self._each(context, far=True):
                if self.why_not_this(context, action) is None:
                    yield action

    def _each(self, context: Context, far: bool) -> Iterator[Action]:
        for foe in context.foes():
            for name in self.names(context):
                action = Action(context.being.id, self.do, target=foe, weapon=name)
                if waits_for(context.state, context.who, Order(context.order.path, action=action)) == far:
                    for option in self.manners:
                        yield msgspec.structs.replace(action, option=option)


class Strikes(Melee):
    """Fight somebody: strike whenever due and in reach, in one manner."""

    do = "attack"
    manners = (None, *MANOEUVRES)
    face = Face("Attack", "Act", "by speed", "creature", "attack", "1")

    def why_not(self, context: Context) -> str | None:
        if context.figure.fatigue > context.state.second:
            return "spell fatigue: no attacks"
        if context.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        return context.action_open()

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        if target == context.who:
            return "target: nobody strikes at itself; name another creature"
        name = action.weapon or context.weapon
        if name not in context.names():
            return f"weapon: {name!r} is not in hand; there is {', '.join(context.names())}"
        weapon, figure = weapon_of(context.setup, context.who, name), context.figure
        if weapon.ranged and not weapon.reach:
            return f"the {name} shoots; it does not strike"
        option = action.option
        manner = PLAIN if option is None else MANOEUVRES.get(option)
        if manner is None:
            return f"option: {option!r} is none of {', '.join(MANOEUVRES)}"
        if figure.exposed and figure.due > context.state.second and manner.stance.rank:
            return "an aggressive attack leaves one open: no other manoeuvre until the next attack"
        if manner.jab and not weapon.jab:
            return f"the {name} cannot jab"
        if (
            manner.charge
            and context.order.gait not in ("run", "sprint")
            and context.figure.stance is not Stance.CHARGING
        ):
            return "a charge needs 20 ft straight on at a run or sprint"
        if manner.charge and not context.order.path and not in_reach(context.state, context.who, target, weapon):
            return f"target: {context.setup.beings[target].name} is out of reach; order a way there first"
        return None

    def names(self, context: Context) -> list[str]:
        return context.names()


class Shoots(ActionKind[Context]):
    """Shoot or throw at somebody, again and again."""

    face = Face("Shoot", "Act", "by cycle", "creature", "aimed_shot", "2", "aim 4 s; quick −6")

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.figure.fatigue > context.state.second:
            return "spell fatigue: no attacks"
        if context.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        weapon = weapon_of(context.setup, context.who, context.weapon)
        return None if weapon.ranged else f"the {weapon.name} is no missile weapon"

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in SHOTS:
            return f"option: {action.option!r}; once, quick or nothing"
        target = context.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        if target == context.who:
            return "target: nobody shoots at itself; name another creature"
        return shot_reason(context.state, context.who, target, weapon_of(context.setup, context.who, context.weapon))

    def candidates(self, context: Context) -> Iterator[Action]:
        for foe in context.foes():
            for option in SHOTS:
                yield Action(context.being.id, "shoot", target=foe, weapon=context.weapon, option=option)


class OnTheSpot(ActionKind[Context]):
    """What one does on the spot: `full_parry`, `stand`, `knock_aside`, `set`."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        figure, second = context.figure, context.state.second
        if self.do in ("full_parry", "set", "kneel") and figure.exposed:
            return "an aggressive attack leaves one open: no other manoeuvre until the next attack"
        if self.do == "full_parry" and figure.due > second:
            return f"a full parry takes the place of the attack due at {figure.due}"
        if self.do == "kneel" and (figure.prone or figure.stance is Stance.KNEELING):
            return "down already"
        if self.do == "stand" and not figure.prone and figure.stance is not Stance.KNEELING:
            return "standing already"
        if self.do == "knock_aside" and figure.held_by < 0:
            return "not held at bay"
        if self.do == "knock_aside" and context.order.path:
            return "a way is ordered: who knocks a weapon aside stands his ground"
        if self.do == "set" and figure.held_by >= 0 and not context.order.path:
            return "held at bay: knock the weapon aside first"
        if self.do == "set" and figure.prone:
            return "prone: stand up first"
        if self.do == "set" and not weapon_of(context.setup, context.who, context.weapon).settable:
            return f"the {context.weapon} cannot be set against a charge"
        return None


class HoldAtBay(Melee):
    """Keep a single foe off with the longer weapon (countup.md §2.6)."""

    do = "hold_at_bay"
    manners = (None, "jab")
    face = Face("Hold at bay", "Act", "by speed", "creature", "shield_block", "4", "a hit stops the foe")

    def why_not(self, context: Context) -> str | None:
        weapon = weapon_of(context.setup, context.who, context.weapon)
        if context.figure.fatigue > context.state.second:
            return "spell fatigue: no attacks"
        if context.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        return context.action_open() or (None if weapon.jab else f"the {weapon.name} cannot jab")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        mine = weapon_of(context.setup, context.who, context.weapon)
        foe = context.state.figures[target]
        theirs = weapon_of(context.setup, target, in_hand(context.setup, target, foe))
        if action.option not in (None, "jab"):
            return f"option: {action.option!r}; jab or nothing"
        if foe.helpless > context.state.second:
            return f"target: {context.setup.beings[target].name} lies helpless"
        if any(f.held_by == context.who for i, f in enumerate(context.state.figures) if i != target):
            return "one foe is held at bay already"
        if mine.reach <= theirs.reach:
            return f"target: {context.setup.beings[target].name} reaches as far"
        if not context.order.path and in_reach(context.state, target, context.who, theirs):
            return f"target: {context.setup.beings[target].name} is past the point already"
        return None


INTENTS: dict[str, Intent] = {
    "walk": Walk("walk", Face("Walk", "Move", "5 ft/s", "path", "step", "q")),
    "jog": Walk("jog", Face("Jog", "Move", "10 ft/s", "path", "step", "j")),
    "run": Walk("run", Face("Run", "Move", "15 ft/s", "path", "run", "e", "the first second at a jog")),
    "sprint": Walk("sprint", Face("Sprint", "Move", "20 ft/s", "path", "run", "g", "the first second at a jog")),
    "tactical_move": Tactical("walk", Face("Tactical move", "Move", "5 ft/s", "path", "step", "b", "−1 a second")),
    "attack": Strikes(),
    "shoot": Shoots(),
    "cast": Cast(),
    "full_parry": OnTheSpot(
        "full_parry", Face("Full parry", "Act", "by speed", "none", "shield_block", "3", "+5 defence")
    ),
    "hold_at_bay": HoldAtBay(),
    "knock_aside": OnTheSpot("knock_aside", Face("Knock aside", "Act", "1 s", "none", "force", "k")),
    "set": OnTheSpot("set", Face("Set for a charge", "Act", "3 s", "none", "aimed_shot", "6")),
    "flee": Walk("flee", Face("Flee", "Move", "jog or faster", "path", "run", "x", "no shield, d10p")),
    "open": Doors("open", Face("Open door", "Act", "1 s", "door", "door", "o")),
    "close": Doors("close", Face("Close door", "Act", "1 s", "door", "door", "c")),
    "pick_lock": Lock("pick_lock", Face("Pick lock", "Act", "10 s", "door", "key", "l", "lock picking")),
    "force": Lock("force", Face("Break door", "Act", "5 s", "door", "force", "f", "d20p against the door")),
    "search": Search(),
    "pick_up": PickUp(),
    "stand": OnTheSpot("stand", Face("Stand up", "Act", "1 s", "none", "rise", "z")),
    "kneel": OnTheSpot("kneel", Face("Kneel", "Act", "1 s", "none", "guide", "v", "better cover behind a shield")),
    "ready": Ready(),
    "turn": Turn(),
    "hold": Wait(),
}
AWAITED: tuple[Melee, ...] = tuple(intent for intent in INTENTS.values() if isinstance(intent, Melee))
"""What one may wait for a foe with."""


_DOING: Mapping[str, Doing] = MappingProxyType(
    {
        "walk": Doing.WALK, "jog": Doing.WALK, "run": Doing.RUN, "sprint": Doing.RUN, "tactical_move": Doing.DODGE,
        "flee": Doing.FLEE, "attack": Doing.STRIKE, "shoot": Doing.HARM, "cast": Doing.HARM, "hold_at_bay": Doing.HARM,
        "set": Doing.HARM, "stand": Doing.PASS, "open": Doing.PASS, "ready": Doing.ARM, "knock_aside": Doing.ARM,
        "turn": Doing.TURN, "hold": Doing.WAIT,
    }
)  # fmt: skip


def doing_of(do: str) -> Doing:
    """What a kind of action is to conditions."""
    return _DOING.get(do, Doing.REST)
