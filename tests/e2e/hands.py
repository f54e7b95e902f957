"""Two hands at the real window: one has only the mouse, the other only the keys. Both know just what is on screen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from game.scenes.fight.plan import EIGHTHS, Plan, end_of
from rules.contract.actions import Action, Offer
from rules.contract.text import as_builtins
from rules.contract.units import Cell
from tests.e2e.screen import Window, until

ARROWS = {
    (0, -1): "Up",
    (0, 1): "Down",
    (-1, 0): "Left",
    (1, 0): "Right",
    (-1, -1): "KP_Home",
    (1, -1): "KP_Prior",
    (-1, 1): "KP_End",
    (1, 1): "KP_Next",
}
NAMED = {"ctrl+enter": "ctrl+Return", "backspace": "BackSpace"}
ANSWER_TIME = 60.0
WATCHED = "tests.e2e.watched"
"""What is run: the game, and what tells of it."""
Moment = Callable[[str], None]


class Table(Window):
    """The window, and what it shows: see tests/e2e/watched.py."""

    def __init__(self, display: str, home: Path, *arguments: str) -> None:
        self.path = home / "status.json"
        self.path.unlink(missing_ok=True)
        super().__init__(display, home, *arguments, module=(WATCHED, str(self.path)))

    def now(self) -> dict[str, Any]:
        """What is on screen."""
        if self.process.poll() is not None:
            raise AssertionError(f"the game ended with {self.process.returncode}: {self.said()}")
        try:
            found: dict[str, Any] = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            time.sleep(0.1)
            return self.now()
        return found

    def fight(self) -> dict[str, Any]:
        found: dict[str, Any] = self.now()["fight"]
        return found

    def await_(self, what: str, ask: Callable[[dict[str, Any]], Any], seconds: float = ANSWER_TIME) -> Any:
        """Wait until the status says something."""

        def told() -> str:
            now = self.now()
            fight = now.get("fight") or {}
            shown = {k: fight.get(k) for k in ("cell", "aimed", "armed", "preview", "picks", "toast", "asked")}
            return f"{what}; scene {now['scene']}, {shown}, {self.said()}"

        return until(told, lambda: ask(self.now()), seconds, 0.015)

    def counted(self, kind: str, do: Callable[[], object], number: int = 1) -> None:
        """Do something, and wait until the window has taken it in."""
        before = self.now()[kind]
        do()
        self.await_(f"{number} more {kind}", lambda s: s[kind] >= before + number)


class Hand:
    """Performs actions at a table. `plan` is the decision as it stands, worked out from what was seen happen."""

    name = ""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.moment: Moment = lambda name: None
        """Called with something on screen that a player would look at before going on."""

    def type(self, *keys: str) -> None:
        """Press keys one after another; a mouse has none."""
        raise NotImplementedError

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Click a point; who has keys alone never does."""
        raise NotImplementedError

    def perform(self, plan: Plan, action: Action) -> None:
        """Do just this, as a player who knows the window would."""
        named = [o for o in plan.offers if o.do == action.do]
        offer = next((o for o in (*named, *plan.offers) if action in o.actions), named[0])
        d = offer.description
        if d.group in ("End", "Answer"):
            self.press_offer(plan, offer)
        elif d.needs in ("option", "item") or (d.needs == "none" and len(offer.actions) > 1):
            self.press_offer(plan, offer)
            self._from_list(plan, offer, action)
        elif d.needs == "none":
            self.press_offer(plan, offer)
        elif d.needs == "creature":
            self._on_creature(plan, offer, action)
        elif d.needs == "facing":
            self.arm(plan, offer)
            self.face(plan, int(action.option or 0))
        elif action.path and action not in offer.actions:  # a way of one's own
            self.arm(plan, offer)
            self.along(plan, action.path)
        else:
            cell = end_of(action)
            if cell is None:
                door = next(door for door in plan.field.doors if door.id == action.target)
                cell = door.cell
            own = plan.actor is not None and plan.actor.cell == cell
            if own or _creature_on(plan, cell) or (plan.move_to(cell) or plan.door_at(cell)) != action:
                self.arm(plan, offer)
            self.at_space(plan, cell)

    def _from_list(self, plan: Plan, offer: Offer, action: Action) -> None:
        """Take an entry of the open list, and point at what it is for."""
        aimed = action.target is not None or action.at is not None
        wanted = plain(action)
        kind = next((inside for inside in offer.inside if action in inside.actions), None)
        option = action.option if kind is None else kind.actions[0].option
        pointed = ((kind or offer).do, action.item, option)
        self.pick(lambda e: e == wanted or (e.get("offer"), e.get("item"), e.get("option")) == pointed)
        if not aimed:
            return
        ways = kind.actions if kind is not None else tuple(a for a in offer.actions if a.item == action.item)
        needs = "space" if action.at is not None else "creature"
        described = msgspec.structs.replace(offer.description, needs=needs)
        plan.armed = msgspec.structs.replace(offer, actions=ways, description=described)
        if action.at is not None:
            self.at_space(plan, action.at)
        else:
            assert action.target is not None
            self.at_creature(plan, action.target)

    def _on_creature(self, plan: Plan, offer: Offer, action: Action) -> None:
        assert action.target is not None
        if plan.strike(action.target) == action:
            self.at_creature(plan, action.target)
            return
        self.arm(plan, offer)
        ways = [a for a in plan.on(action.target) if a.do == offer.do]
        listed = len({(a.option, a.at, a.item, a.items) for a in ways}) > 1
        if not listed and plan.strike(action.target) != action and action.weapon is not None:
            self.press_offer(plan, offer)
            self.pick(lambda entry: (entry["offer"], entry["weapon"]) == (offer.do, action.weapon))
        listed = listed or (plan.strike(action.target) != action and action.weapon is None)
        self.at_creature(plan, action.target)
        if listed:
            self.pick(lambda entry: entry == plain(action))

    def arm(self, plan: Plan, offer: Offer) -> None:
        """Press a button whose deed needs something on the board."""
        self.press_offer(plan, offer)
        plan.armed = offer
        self.table.await_(f"{offer.do} to be armed", lambda s: s["fight"]["armed"] == offer.do)

    def picks(self) -> list[Any]:
        """The entries of the open list."""
        found = list(self.table.await_("a list", lambda s: s["fight"]["picks"]))
        self.moment("a list")
        return found

    def number(self, wanted: Callable[[Any], bool]) -> int:
        """The number of an entry of the open list."""
        entries = self.picks()
        found = next((n for n, entry in enumerate(entries, 1) if wanted(entry)), 0)
        assert found, f"what was wanted is not in the list {entries}"
        return found

    def press_offer(self, plan: Plan, offer: Offer) -> None: ...

    def pick(self, wanted: Callable[[Any], bool]) -> None: ...

    def at_space(self, plan: Plan, cell: Cell) -> None: ...

    def at_creature(self, plan: Plan, name: str) -> None: ...

    def along(self, plan: Plan, path: tuple[Cell, ...]) -> None: ...

    def face(self, plan: Plan, eighth: int) -> None: ...

    def press(self, label: str) -> None:
        """Press a button by what is written on it, or by its key."""


class Mouse(Hand):
    """Clicks, drags and the wheel."""

    name = "mouse"

    def point(self, x: int, y: int) -> None:
        table = self.table
        if table.now()["pointer"] != [x, y]:
            table.tool("mousemove", "--window", table.id, str(x), str(y))
            table.await_(f"the pointer at {x}, {y}", lambda s: s["pointer"] == [x, y])

    def click(self, x: int, y: int, button: int = 1) -> None:
        self.point(x, y)
        kind = "wheels" if button > 3 else "clicks"
        self.table.counted(kind, lambda: self.table.tool("click", str(button)))

    def press(self, label: str) -> None:
        def ask(status: dict[str, Any]) -> Any:
            return next((w for w in status["widgets"] if label in (w["label"], w["key"])), None)

        widget = self.table.await_(f"a button {label!r}", ask)
        while not self._whole(widget):
            left, top, wide, high = widget["within"]
            below = widget["rect"][1] + widget["rect"][3] > top + high
            self.click(left + wide // 2, top + high // 2, 5 if below else 4)
            widget = ask(self.table.now())
        left, top, wide, high = widget["seen"]
        self.click(left + wide // 2, top + high // 2)

    @staticmethod
    def _whole(widget: dict[str, Any]) -> bool:
        return widget["seen"][3] >= min(20, widget["rect"][3])

    def press_offer(self, plan: Plan, offer: Offer) -> None:
        d = offer.description
        label = d.label if d.group == "Answer" else f"offer {offer.do} {offer.weapon or ''}"
        if not any(label in (w["key"], w["label"]) for w in self.table.now()["widgets"]):
            self.press("more")
        self.press(label)

    def pick(self, wanted: Callable[[Any], bool]) -> None:
        number = self.number(wanted)
        self.press(f"pick {number}")

    def at_creature(self, plan: Plan, name: str) -> None:
        cell = plan.minis[name].cell
        heap = [m.id for m in plan.board.miniatures if m.cell == cell and plan.strike(m.id) is not None]
        if len(heap) < 2:
            self._click_cell(plan, cell, name)
        else:
            self._click_cell(plan, cell, None)
            self.pick(lambda entry: entry["target"] == name)

    def at_space(self, plan: Plan, cell: Cell) -> None:
        self._click_cell(plan, Cell(cell), None)

    def _click_cell(self, plan: Plan, cell: Cell, name: str | None) -> None:
        x, y = self.bring(plan, cell)
        self.point(x, y)
        self.table.await_(f"the pointer on space {cell}", lambda s: s["fight"]["cell"] == cell)
        if name is not None:
            self.table.await_(f"{name} to be pointed at", lambda s: s["fight"]["aimed"] == name)
        self.moment("pointed at a space" if name is None else "pointed at a creature")
        self.click(x, y)

    def along(self, plan: Plan, path: tuple[Cell, ...]) -> None:
        """Hold the first button from whoever acts along the way; the wheel button drops the waypoints."""
        table = self.table
        assert plan.start is not None
        self.bring(plan, path[len(path) // 2])
        while not all(self._clear(self._middle(plan, cell)) for cell in (plan.start, *path)):
            a, b, w, h = self._resting()["fight"]["free"]
            self.click(a + w // 2, b + h // 2, 5)
        self.point(*self.bring(plan, plan.start))
        table.tool("mousedown", "1")
        for cell in path:
            self.point(*self.bring(plan, cell))
            table.await_(f"the pointer on space {cell}", lambda s, c=cell: s["fight"]["cell"] == c)
            if cell != path[-1]:
                table.counted("clicks", lambda: table.tool("click", "2"))
        self.moment("a way of one's own")
        table.counted("clicks", lambda: table.tool("mouseup", "1"))

    def face(self, plan: Plan, eighth: int) -> None:
        """Click a space in that direction, the next one inside the map or farther along."""
        assert plan.start is not None
        start = plan.start
        spaces = range(plan.field.width * plan.field.height)
        turned = [cell for cell in spaces if plan.facing_to(Cell(cell)) == plan.facings[eighth]]
        terrain = plan.ruleset.terrain(plan.state)
        near = min(turned, key=lambda cell: (terrain.distance(start, Cell(cell)), cell))
        self._click_cell(plan, Cell(near), None)

    def _resting(self) -> dict[str, Any]:
        """The status once the camera rests."""
        found: dict[str, Any] = self.table.await_("the camera to rest", lambda s: not s["fight"]["gliding"] and s)
        return found

    def _middle(self, plan: Plan, cell: Cell) -> tuple[int, int]:
        """The pixel in the middle of a space, wherever that is."""
        fight, (column, row) = self._resting()["fight"], plan.field.at(cell)
        zoom, (left, top) = fight["zoom"], fight["origin"]
        return left + round((column + 0.5) * zoom), top + round((row + 0.5) * zoom)

    def _clear(self, spot: tuple[int, int]) -> bool:
        """Whether a pixel is in the window and under no panel."""
        status, (x, y) = self.table.now(), spot
        wide, high = status["size"]
        covered = any(a <= x < a + w and b <= y < b + h for a, b, w, h in status["panels"])
        return 2 <= x < wide - 2 and 2 <= y < high - 2 and not covered

    def bring(self, plan: Plan, cell: Cell) -> tuple[int, int]:
        """The middle of a space, dragged into sight if need be."""
        for _ in range(12):
            x, y = self._middle(plan, cell)
            if self._clear((x, y)):
                return x, y
            a, b, w, h = self._resting()["fight"]["free"]
            self._drag((a + w // 2, b + h // 2), (a + w // 2 - x, b + h // 2 - y), (a, b, w, h))
        raise AssertionError(f"space {cell} could not be brought into sight")

    def _drag(self, start: tuple[int, int], by: tuple[int, int], free: tuple[int, int, int, int]) -> None:
        """Drag the board with the right button, as far as the free part of the window lets."""
        a, b, w, h = free
        goal = (max(a + 4, min(a + w - 4, start[0] + by[0])), max(b + 4, min(b + h - 4, start[1] + by[1])))
        table = self.table
        self.point(*start)
        table.tool("mousedown", "3")
        self.point(*goal)
        table.counted("clicks", lambda: table.tool("mouseup", "3"))


class Keyboard(Hand):
    """Keys alone; the mouse lies outside the window."""

    name = "keys"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        table.tool("mousemove", "2047", "1199")

    def type(self, *keys: str) -> None:
        """Press keys one after the other, and wait until the window has answered them all."""
        if keys:
            words = ("key", "--clearmodifiers", "--delay", "8", *keys)
            self.table.counted("keys", lambda: self.table.tool(*words), len(keys))

    def press(self, label: str) -> None:
        def state() -> tuple[Any, Any]:
            found = self.table.now()["widgets"]
            wanted = next((w for w in found if label in (w["label"], w["key"])), None)
            return wanted, next((w for w in found if w["focused"]), None)

        self.table.await_(f"a button {label!r}", lambda s: any(label in (w["label"], w["key"]) for w in s["widgets"]))
        for _ in range(80):
            wanted, focused = state()
            if focused is not None and wanted == focused:
                self.type("Return")
                return
            self.type("Tab")
        raise AssertionError(f"Tab does not come to {label!r}")

    def press_offer(self, plan: Plan, offer: Offer) -> None:
        index = next(n for n, o in enumerate(plan.offers) if o is offer)
        key = self.table.fight()["keys"][index]
        assert key, f"no key presses {offer.do}"
        self.type(NAMED.get(key.lower(), key))

    def pick(self, wanted: Callable[[Any], bool]) -> None:
        number = self.number(wanted)
        if number < 10:
            self.type(str(number))
        else:
            self.press(f"pick {number}")

    def at_creature(self, plan: Plan, name: str) -> None:
        for _ in range(len(plan.board.miniatures) + 1):
            self.type("Tab")
            if self.table.fight()["aimed"] == name:
                self.moment("pointed at a creature")
                self.type("Return")
                return
        raise AssertionError(f"Tab does not come to {name}")

    def along(self, plan: Plan, path: tuple[Cell, ...]) -> None:
        assert plan.start is not None
        at = plan.field.at(plan.start)
        for cell in path:
            there = plan.field.at(cell)
            self.type(ARROWS[there[0] - at[0], there[1] - at[1]], *(["space"] if cell != path[-1] else []))
            at = there
        self.moment("a way of one's own")
        self.type("Return")

    def face(self, plan: Plan, eighth: int) -> None:
        self.type(ARROWS[EIGHTHS[eighth]])

    def at_space(self, plan: Plan, cell: Cell) -> None:
        fight = self.table.fight()
        assert plan.start is not None
        start = fight["cell"] if fight["keyed"] and fight["cell"] is not None else plan.start
        (a, b), (c, d) = plan.field.at(start), plan.field.at(cell)
        keys = []
        while (a, b) != (c, d):
            step = ((c > a) - (c < a), (d > b) - (d < b))
            keys.append(ARROWS[step])
            a, b = a + step[0], b + step[1]
        if not keys and fight["cell"] != cell:
            keys = ["Return"]  # brings the cursor to whoever acts
        self.type(*keys)
        if keys:
            self.table.await_(f"the cursor on space {cell}", lambda s: s["fight"]["cell"] == cell)
        self.moment("pointed at a space")
        self.type("Return")


def _creature_on(plan: Plan, cell: Cell) -> bool:
    """Whether pointing at a space means a creature there rather than the space."""
    column, row = plan.field.at(cell)
    for mini in plan.board.miniatures:
        left, top = plan.field.at(mini.cell)
        inside = left <= column < left + mini.size and top <= row < top + mini.size
        if inside and mini.id != plan.decision.by and (not mini.out or plan.strike(mini.id) is not None):
            return True
    return False


def plain(action: Action) -> Any:
    """An action as the status writes it."""
    return json.loads(json.dumps(as_builtins(action)))
