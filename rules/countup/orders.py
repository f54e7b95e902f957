"""What a creature may order itself to do: a movement, an action, or both (countup.md §1 DECLARE, §2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from rules.actions import Action
from rules.countup.light import smoke_between, zone
from rules.countup.magic import Spell, spell_of
from rules.countup.melee import in_reach
from rules.countup.missiles import reason as shot_reason
from rules.countup.movement import pace
from rules.countup.state import CountState, Figure, Order, in_hand, present, weapon_of
from rules.grid import Terrain
from rules.path import Reach, path_fault, reach
from rules.sight import Grade, grade

AHEAD = 8
"""Spaces that a way may be long at once."""
MANOEUVRES = ("jab", "aggressive", "charge", "defensive 1", "defensive 2", "defensive 3", "defensive 4")
POLICIES = ("stand", "yield", "ask", "press", "keep")
"""Give ground: never, always, ask. Step after a foe that gives ground or is knocked back: press, keep one's place."""
DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
HOLD = (1, 3, 5, 10)


class Look:
    """A creature's situation while it decides, read once."""

    def __init__(self, state: CountState, who: int) -> None:
        self.state = state
        self.setup = state.setup
        self.who = who
        self.being = state.setup.beings[who]
        self.figure: Figure = state.figures[who]
        self.order: Order = self._order()
        self.terrain: Terrain = state.terrain

    def _order(self) -> Order:
        order = self.figure.order
        return order if order is not None and not order.done else Order()

    @property
    def place(self) -> int:
        """Where it will stand after the movement it has ordered."""
        return self.order.path[-1] if self.order.path else self.figure.cell

    @property
    def weapon(self) -> str:
        return in_hand(self.setup, self.who, self.figure)

    def names(self) -> list[str]:
        """What it can strike with as it is."""
        if self.being.sequence:
            return [self.weapon]
        held = [self.figure.hand] if self.figure.hand else []
        return [*held, *(w.name for w in self.being.natural)] or ["unarmed"]

    def crowd(self) -> int:
        """Bitboard of all others: the way leads around them."""
        board = 0
        for i, other in enumerate(self.state.figures):
            if i != self.who and present(other):
                board |= self.terrain.footprint(other.cell, self.setup.beings[i].space)
        return board

    def ways(self) -> Reach:
        return reach(self.terrain, self.figure.cell, AHEAD, size=self.being.space, blocked=self.crowd())

    def others(self) -> Iterator[int]:
        for i, other in enumerate(self.state.figures):
            if i != self.who and present(other):
                yield i

    def find(self, name: str | None) -> int | None:
        """The number of a creature on the board by its id, or None."""
        who = self.setup.index.get(name or "")
        return who if who is not None and present(self.state.figures[who]) else None

    def engaged(self) -> bool:
        return any(present(self.state.figures[other]) for other in self.figure.contacts)

    def action_open(self) -> str | None:
        if self.order.action is not None:
            return f"{self.order.action.do} is ordered already (take it back with clear)"
        return None

    def name(self, cell: int) -> str:
        column, row = self.terrain.field.at(cell)
        return f"[{column}, {row}]"


class Face(NamedTuple):
    """How an intent shows itself in a window."""

    label: str
    group: str
    cost: str
    needs: str
    icon: str
    key: str
    note: str = ""


class Intent(Protocol):
    """One kind of thing to order."""

    face: Face

    def refusal(self, look: Look, action: Action) -> str | None: ...

    def instances(self, look: Look) -> Iterator[Action]: ...

    def hindrance(self, look: Look) -> str | None: ...


class Walk:
    """Move along a way at a gait."""

    def __init__(self, gait: str, face: Face) -> None:
        self.gait, self.face = gait, face

    def hindrance(self, look: Look) -> str | None:
        if look.order.path:
            return "a way is ordered already (take it back with clear)"
        if look.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        if look.figure.under("bound"):
            return "bound"
        if look.figure.stance == "kneeling":
            return "kneeling: stand up first"
        if look.figure.prone and self.gait != "walk":
            return "prone: stand up first, or crawl"
        if look.figure.fatigue > look.state.second and self.gait != "walk":
            return "spell fatigue: walk only"
        if self.gait == "flee" and not look.engaged():
            return "not engaged: simply go"
        if self.gait == "flee" and look.order.action is not None:
            return f"{look.order.action.do} is ordered already (take it back with clear)"
        if not pace(look.being, "jog" if self.gait == "flee" else self.gait):
            return f"cannot {self.gait}"
        if self.gait in ("walk", "flee") or not look.engaged():
            return None
        return "engaged: walk away (a fighting withdrawal), give ground, or flee"

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if not action.path:
            return "path: needs the spaces entered"
        if len(action.path) > AHEAD:
            return f"path: {len(action.path)} spaces; at most {AHEAD} are ordered at once"
        fault = path_fault(look.terrain, look.figure.cell, action.path, look.being.space)
        if fault is not None:
            return fault
        if look.figure.no_pursuit > look.state.second and self._pursues(look, action.path[-1]):
            return f"struck at the fleeing: no pursuit until second {look.figure.no_pursuit}"
        crowd = look.crowd()
        for cell in action.path:
            if look.terrain.footprint(cell, look.being.space) & crowd:
                return f"path: somebody stands on {look.name(cell)}"
        return None

    def _pursues(self, look: Look, goal: int) -> bool:
        for other in look.others():
            foe = look.state.figures[other]
            near = look.terrain.distance
            if foe.stance == "fleeing" and near(goal, foe.cell) < near(look.figure.cell, foe.cell):
                return True
        return False

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for path in look.ways().paths():
                struck = look.figure.no_pursuit > look.state.second
                if len(path) <= AHEAD and not (struck and self._pursues(look, path[-1])):
                    yield Action(look.being.id, self.gait, path=path)


class Strikes:
    """Fight somebody: strike whenever due and in reach, in one manner."""

    face = Face("Attack", "Act", "by speed", "creature", "attack", "1")

    def hindrance(self, look: Look) -> str | None:
        if look.figure.fatigue > look.state.second:
            return "spell fatigue: no attacks"
        if look.figure.held_by >= 0:
            return "held at bay: knock the weapon aside first"
        return look.action_open()

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        target = look.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        name = action.weapon or look.weapon
        if name not in look.names():
            return f"weapon: {name!r} is not in hand; there is {', '.join(look.names())}"
        weapon = weapon_of(look.setup, look.who, name)
        if weapon.ranged and not weapon.reach:
            return f"the {name} shoots; it does not strike"
        option = action.option
        if option is not None and option not in MANOEUVRES:
            return f"option: {option!r} is none of {', '.join(MANOEUVRES)}"
        if option == "jab" and not weapon.jab:
            return f"the {name} cannot jab"
        if (
            option == "charge"
            and look.order.gait not in ("run", "sprint")
            and look.figure.stance != "charging"
        ):
            return "a charge needs 20 ft straight on at a run or sprint"
        if not look.order.path and not in_reach(look.state, look.who, target, weapon):
            return f"target: {look.setup.beings[target].name} is out of reach; order a way there first"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for target in look.others():
            if look.setup.beings[target].side == look.being.side:
                continue
            for name in look.names():
                for option in (None, *MANOEUVRES):
                    action = Action(look.being.id, "attack", target=look.setup.beings[target].id, weapon=name,
                                    option=option)  # fmt: skip
                    if self.refusal(look, action) is None:
                        yield action


class Shoots:
    """Shoot or throw at somebody, again and again."""

    face = Face("Shoot", "Act", "by cycle", "creature", "aimed_shot", "2", "aim 4 s; quick −6")

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        if look.figure.fatigue > look.state.second:
            return "spell fatigue: no attacks"
        weapon = weapon_of(look.setup, look.who, look.weapon)
        return None if weapon.ranged else f"the {weapon.name} is no missile weapon"

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if action.option not in (None, "quick"):
            return f"option: {action.option!r}; quick or nothing"
        target = look.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        return shot_reason(look.state, look.who, target, weapon_of(look.setup, look.who, look.weapon))

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for target in look.others():
            for option in (None, "quick"):
                action = Action(look.being.id, "shoot", target=look.setup.beings[target].id, weapon=look.weapon,
                                option=option)  # fmt: skip
                if look.setup.beings[target].side != look.being.side and self.refusal(look, action) is None:
                    yield action


class Plain:
    """An intent that needs no aim: `full_parry`, `stand`, `knock_aside`, `set`."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        figure, second = look.figure, look.state.second
        if self.do == "full_parry" and figure.due > second:
            return f"a full parry takes the place of the attack due at {figure.due}"
        if self.do == "kneel" and (figure.prone or figure.stance == "kneeling"):
            return "down already"
        if self.do == "stand" and not figure.prone and figure.stance != "kneeling":
            return "standing already"
        if self.do == "knock_aside" and figure.held_by < 0:
            return "not held at bay"
        if self.do == "set" and not weapon_of(look.setup, look.who, look.weapon).settable:
            return f"the {look.weapon} cannot be set against a charge"
        return None

    def refusal(self, look: Look, action: Action) -> str | None:
        return self.hindrance(look)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            yield Action(look.being.id, self.do)


class HoldAtBay:
    """Keep a single foe off with the longer weapon (countup.md §2.6)."""

    face = Face("Hold at bay", "Act", "by speed", "creature", "shield_block", "4", "a hit stops the foe")

    def hindrance(self, look: Look) -> str | None:
        weapon = weapon_of(look.setup, look.who, look.weapon)
        return look.action_open() or (None if weapon.jab else f"the {weapon.name} cannot jab")

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        target = look.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        mine = weapon_of(look.setup, look.who, look.weapon)
        foe = look.state.figures[target]
        theirs = weapon_of(look.setup, target, in_hand(look.setup, target, foe))
        if action.option not in (None, "jab"):
            return f"option: {action.option!r}; jab or nothing"
        if any(f.held_by == look.who for i, f in enumerate(look.state.figures) if i != target):
            return "one foe is held at bay already"
        if mine.reach <= theirs.reach:
            return f"target: {look.setup.beings[target].name} reaches as far"
        if not look.order.path and in_reach(look.state, target, look.who, theirs):
            return f"target: {look.setup.beings[target].name} is past the point already"
        if not in_reach(look.state, look.who, target, mine) and not look.order.path:
            return f"target: {look.setup.beings[target].name} is out of reach"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for target in look.others():
                for option in (None, "jab"):
                    action = Action(look.being.id, "hold_at_bay", target=look.setup.beings[target].id,
                                    weapon=look.weapon, option=option)  # fmt: skip
                    if look.setup.beings[target].side != look.being.side and not self.refusal(look, action):
                        yield action


class Ready:
    """Take another weapon in hand."""

    face = Face("Ready", "Act", "0–2 s", "item", "ready", "y")

    def hindrance(self, look: Look) -> str | None:
        others = [w for w in look.being.weapons if w != look.figure.hand]
        return look.action_open() or (None if others else "no other weapon")

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if action.weapon not in look.being.weapons or action.weapon == look.figure.hand:
            return f"weapon: {action.weapon!r} is not among {', '.join(look.being.weapons)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for name in dict.fromkeys(look.being.weapons):
                if name != look.figure.hand:
                    yield Action(look.being.id, "ready", weapon=name)


class Turn:
    """Face another way."""

    face = Face("Turn", "Act", "free", "facing", "guide", "t")

    def hindrance(self, look: Look) -> str | None:
        return look.action_open()

    def refusal(self, look: Look, action: Action) -> str | None:
        if action.option not in [str(n) for n in range(8)]:
            return f"option: {action.option!r}; a facing from 0 (north) clockwise to 7"
        return self.hindrance(look)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for number in range(8):
                if number != look.figure.facing:
                    yield Action(look.being.id, "turn", option=str(number))


class Wait:
    """Do nothing for some seconds, on guard."""

    face = Face("Hold", "Act", "1–10 s", "option", "recover", "h")

    def hindrance(self, look: Look) -> str | None:
        return look.action_open()

    def refusal(self, look: Look, action: Action) -> str | None:
        if action.option is None or not action.option.isdigit() or not 1 <= int(action.option) <= 60:
            return f"option: {action.option!r}; 1 to 60 seconds"
        return self.hindrance(look)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for seconds in HOLD:
                yield Action(look.being.id, "hold", option=str(seconds))


class Doors:
    """`open` or `close` a door beside one."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def hindrance(self, look: Look) -> str | None:
        return look.action_open()

    def _fits(self, look: Look, number: int) -> bool:
        door = look.terrain.field.doors[number]
        wanted = "closed" if self.do == "open" else "open"
        near = look.terrain.within(look.figure.cell, 1, look.being.space)
        cells = 1 << door.cell | (1 << door.edge if door.edge is not None else 0)
        taken = (
            self.do == "close"
            and door.edge is None
            and bool(
                (look.crowd() | look.terrain.footprint(look.figure.cell, look.being.space)) >> door.cell & 1
            )
        )
        return look.state.doors[number] == wanted and bool(near & cells) and not taken

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        for number, door in enumerate(look.terrain.field.doors):
            if door.id == action.target:
                if self.do == "open" and zone(look.state, "barred") >> door.cell & 1:
                    return "target: a spell bars it"
                if self._fits(look, number):
                    return None
                return (
                    f"target: the door is {look.state.doors[number]}, out of reach, or somebody stands in it"
                )
        return f"target: no door is called {action.target!r}"

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for number, door in enumerate(look.terrain.field.doors):
                if self._fits(look, number) and not (
                    self.do == "open" and zone(look.state, "barred") >> door.cell & 1
                ):
                    yield Action(look.being.id, self.do, target=door.id, at=door.cell)


class PickUp:
    """Something at one's feet or beside one: a second."""

    face = Face("Pick up", "Act", "1 s", "item", "pick_up", "p")

    def hindrance(self, look: Look) -> str | None:
        return look.action_open()

    def _there(self, look: Look) -> list[tuple[str, int]]:
        near = look.terrain.within(look.figure.cell, 1, look.being.space)
        return [(item, cell) for item, cell in look.state.floor if near >> cell & 1]

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if action.item not in [item for item, _ in self._there(look)]:
            return f"item: {action.item!r} does not lie within reach"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for item, cell in self._there(look):
                yield Action(look.being.id, "pick_up", item=item, at=cell)


class Cast:
    """Begin a spell (countup.md §2.8)."""

    face = Face("Cast", "Act", "casting time", "item", "cast", "5")

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        if look.figure.fatigue > look.state.second:
            return "spell fatigue"
        return None if look.being.spells else "knows no spells"

    def refusal(self, look: Look, action: Action) -> str | None:
        reason = self.hindrance(look)
        if reason is not None:
            return reason
        if action.item not in look.being.spells:
            return f"item: {action.item!r} is not known; there are {', '.join(look.being.spells)}"
        spell = spell_of(look.state, action.item or "")
        if spell.points > look.figure.points:
            return f"{spell.name}: {spell.points} spell points; {look.figure.points} are left"
        return self._aim(look, spell, action)

    def _aim(self, look: Look, spell: Spell, action: Action) -> str | None:
        if spell.needs == "none":
            return None
        if spell.needs in ("creature", "ally"):
            target = look.find(action.target)
            if target is None and action.target == look.being.id and spell.needs == "ally":
                return None
            if target is None:
                return f"target: {action.target!r} is not here"
            cell = look.state.figures[target].cell
        elif action.at is None or not 0 <= action.at < look.terrain.field.width * look.terrain.field.height:
            return "at: needs a space of the map"
        else:
            cell = action.at
            if spell.needs == "door" and all(cell not in (d.cell, d.edge) for d in look.terrain.field.doors):
                return "at: no door is there"
        distance = look.terrain.distance(look.figure.cell, cell, look.being.space)
        if distance > max(1, spell.reach):
            return f"{spell.name} reaches {spell.reach * 5} ft, not {distance * 5}"
        if distance and grade(look.terrain, look.figure.cell, cell, look.being.space) is Grade.NONE:
            return "no line of sight"
        if distance and smoke_between(look.state, look.figure.cell, cell):
            return "smoke hides it"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for name in look.being.spells:
            spell = spell_of(look.state, name)
            for action in self._aims(look, spell):
                if self.refusal(look, action) is None:
                    yield action

    def _aims(self, look: Look, spell: Spell) -> Iterator[Action]:
        me = look.being.id
        if spell.needs == "none":
            yield Action(me, "cast", item=spell.name)
        elif spell.needs == "door":
            for door in look.terrain.field.doors:
                yield Action(me, "cast", item=spell.name, at=door.cell)
        elif spell.needs == "space":
            for target in look.others():  # areas are aimed at somebody; any other space is as legal
                yield Action(me, "cast", item=spell.name, at=look.state.figures[target].cell)
        elif spell.needs in ("creature", "ally"):
            own = [look.who] if spell.needs == "ally" else []
            for target in (*own, *look.others()):
                yield Action(me, "cast", item=spell.name, target=look.setup.beings[target].id)


INTENTS: dict[str, Intent] = {
    "walk": Walk("walk", Face("Walk", "Move", "5 ft/s", "path", "step", "q")),
    "jog": Walk("jog", Face("Jog", "Move", "10 ft/s", "path", "step", "w")),
    "run": Walk("run", Face("Run", "Move", "15 ft/s", "path", "run", "e", "a jog first")),
    "sprint": Walk("sprint", Face("Sprint", "Move", "20 ft/s", "path", "run", "r", "a jog first")),
    "attack": Strikes(),
    "shoot": Shoots(),
    "cast": Cast(),
    "full_parry": Plain(
        "full_parry", Face("Full parry", "Act", "by speed", "none", "shield_block", "3", "+5 defence")
    ),
    "hold_at_bay": HoldAtBay(),
    "knock_aside": Plain("knock_aside", Face("Knock aside", "Act", "1 s", "none", "force", "k")),
    "set": Plain("set", Face("Set for a charge", "Act", "3 s", "none", "aimed_shot", "6")),
    "flee": Walk("flee", Face("Flee", "Move", "jog or faster", "path", "run", "x", "no shield, d10p")),
    "open": Doors("open", Face("Open door", "Act", "1 s", "door", "door", "o")),
    "close": Doors("close", Face("Close door", "Act", "1 s", "door", "door", "c")),
    "pick_up": PickUp(),
    "stand": Plain("stand", Face("Stand up", "Act", "1 s", "none", "rise", "z")),
    "kneel": Plain(
        "kneel", Face("Kneel", "Act", "1 s", "none", "guide", "v", "better cover behind a shield")
    ),
    "ready": Ready(),
    "turn": Turn(),
    "hold": Wait(),
}
