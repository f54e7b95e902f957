"""Somebody who prepares an encounter in the real window: the table as it is told, and what both hands do to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.real_table import Sitting

Spot = tuple[int, int]
STEPS = {(1, 0): "Right", (-1, 0): "Left", (0, 1): "Down", (0, -1): "Up"}


class Preparing(Sitting):
    """At the set-up window. Everything is done as a player would do it, and waited for on the table."""

    def begin(self) -> None:
        """From the title to an empty table."""
        self.open()
        self.scene("title")
        self.hand.press("Prepare an encounter")
        self.table_("the table", lambda table: not table["gliding"])

    # -- what is seen

    def table_(self, what: str, ask: Any = lambda table: True) -> dict[str, Any]:
        """Wait until the table, on top, is so; the table."""
        found: dict[str, Any] = self.told(what, "setup", "setup", lambda t: not t["gliding"] and ask(t), 20)
        return found

    @property
    def now(self) -> dict[str, Any]:
        return self.table_("the table")

    def pieces(self, template: str = "") -> list[dict[str, Any]]:
        return [p for p in self.now["pieces"] if template in ("", p.get("template"))]

    def pixel(self, spot: Spot) -> tuple[int, int]:
        """The middle of a space, which must be in sight."""
        now = self.now
        (left, top), zoom = now["origin"], now["zoom"]
        x, y = left + round((spot[0] + 0.5) * zoom), top + round((spot[1] + 0.5) * zoom)
        a, b, w, h = now["free"]
        assert a <= x < a + w and b <= y < b + h, f"space {spot} is not in sight"
        return x, y

    def free(self, count: int, row_: int | None = None) -> list[Spot]:
        """A run of spaces in a row with nobody on them where anybody may stand: those of the heroes' start zone."""
        zone = [tuple(spot) for spot in self.now["zones"]["heroes"]]
        taken = {tuple(p["spot"]) for p in self.now["pieces"]}
        for x, y in zone:
            run = [(x + n, y) for n in range(count)]
            if all(spot in zone and spot not in taken for spot in run) and row_ in (None, y):
                return run  # type: ignore[return-value]
        raise AssertionError(f"no {count} free spaces in a row in {zone}")

    # -- what hands do

    def drag(self, start: tuple[int, int], *way: tuple[int, int], button: int = 1) -> None:
        """Hold a mouse button from one pixel over others."""
        assert isinstance(self.hand, Mouse)
        table = self.table
        self.hand.point(*start)
        table.tool("mousedown", str(button))
        for pixel in way:
            self.hand.point(*pixel)
        table.counted("clicks", lambda: table.tool("mouseup", str(button)))

    def unfold(self, section: str) -> None:
        """Open a section of the form."""
        self.press_in_form(f"section {section}")

    def widget(self, key: str) -> dict[str, Any]:
        """A widget by its key, once it is there."""
        try:
            found: dict[str, Any] = self.table.await_(
                f"a widget {key!r}", lambda s: next((w for w in s["widgets"] if w["key"] == key), None), 20
            )
        except AssertionError:
            self.shot("failed")
            raise
        return found

    def focus(self, key: str) -> None:
        """Bring the focus to a widget: F6 from panel to panel, then Tab or Shift+Tab, whichever is nearer."""
        assert isinstance(self.hand, Keyboard)
        self.widget(key)
        if self.table.now()["scene"] == "setup":
            stops = ("search", "tab bestiary", "tab creature", "problems")
            ring = [w["key"] for w in self.table.now()["widgets"] if w["stops"]]
            near = min((s for s in stops if s in ring), key=lambda s: abs(ring.index(s) - ring.index(key)))
            for _ in stops:
                if self.focused() != near and abs(self._way(key)) > abs(ring.index(near) - ring.index(key)):
                    self.hand.type("F6")
        end = time.monotonic() + 5
        while time.monotonic() < end:  # what has just come over a fight takes no steering keys for a moment
            way = self._way(key)
            if way == 0:
                return
            self.hand.type(*["Tab" if way > 0 else "shift+Tab"] * abs(way))
        raise AssertionError(f"Tab does not come to {key!r}")

    def focused(self) -> str:
        """The key of the widget that has the focus."""
        return next((str(w["key"]) for w in self.table.now()["widgets"] if w["focused"]), "")

    def _way(self, key: str) -> int:
        """How many times Tab leads to a widget; less than none for Shift+Tab, very many from the board."""
        ring = [w["key"] for w in self.table.now()["widgets"] if w["stops"]]
        here = self.focused()
        if here not in ring:
            return 999 if self.table.now()["scene"] == "setup" else ring.index(key) + 1
        return ring.index(key) - ring.index(here)

    def press(self, key: str, *keys: str) -> None:
        """Press a button, with the key that it shows if it has one."""
        if not isinstance(self.hand, Keyboard):
            self.hand.press(key)
        elif keys:
            self.hand.type(*keys)
        else:
            self.focus(key)
            self.hand.type("Return")

    def write(self, key: str, text: str) -> None:
        """What a field says from now on."""
        if self.keys:
            self.focus(key)
        else:
            self.hand.press(key)
        self.table.counted("keys", lambda: self.table.tool("key", "--clearmodifiers", "ctrl+a", "BackSpace"), 2)
        self.table.counted("keys", lambda: self.table.tool("type", "--delay", "12", text), len(text))

    def cursor(self, spot: Spot, *, with_: str = "") -> None:
        """The cursor to a space by the arrows; `with_`: what is held."""
        assert isinstance(self.hand, Keyboard)
        here = tuple(self.now["cursor"])
        keys = []
        for axis in (0, 1):
            by = spot[axis] - here[axis]
            step = ((by > 0) - (by < 0), 0) if axis == 0 else (0, (by > 0) - (by < 0))
            keys += [with_ + STEPS[step]] * abs(by) if by else []
        self.hand.type(*keys)
        self.table_(f"the cursor at {spot}", lambda table: tuple(table["cursor"]) == spot)

    def take(self, template: str) -> None:
        """A creature of the bestiary into the hand."""
        if isinstance(self.hand, Keyboard):
            self.hand.type("slash")
            self.table.counted("keys", lambda: self.table.tool("type", "--delay", "12", template), len(template))
            self.hand.type("Return")
        else:
            self.hand.press(f"offer {template}")
        self.table_(f"{template} in hand", lambda table: table["brush"] == template)

    def put(self, template: str, spots: list[Spot]) -> None:
        """Brush a creature over spaces beside each other."""
        before = len(self.pieces())
        self.take(template)
        if isinstance(self.hand, Keyboard):
            for spot in spots:
                self.cursor(spot)
                self.hand.type("Return")
        else:
            self.drag(self.pixel(spots[0]), *map(self.pixel, spots))
        self.table_("all of them", lambda table: len(table["pieces"]) == before + len(spots))
        self.lay_aside()

    def lay_aside(self) -> None:
        """What is in hand back."""
        if isinstance(self.hand, Keyboard):
            self.hand.type("Escape")
        else:
            self.hand.click(*self.pixel(tuple(self.now["cursor"])), 3)  # type: ignore[arg-type]
        self.table_("an empty hand", lambda table: table["brush"] is None)

    def select(self, spot: Spot) -> None:
        """Whoever stands there."""
        if isinstance(self.hand, Keyboard):
            while self.now["selected"]:
                self.hand.type("Escape")
            self.cursor(spot)
            self.hand.type("Return")
        else:
            self.hand.click(*self.pixel(spot))
        self.table_("one selected", lambda table: len(table["selected"]) == 1)

    def choose(self, key: str, option: str, then: str = "") -> None:
        """One out of the list of a field; `then` is the button that says yes to what it would change."""
        if self.keys:
            self.focus(key)
            self.hand.type("Return")  # type: ignore[attr-defined]
        else:
            self.hand.press(key)
        try:
            self.table.await_("pick", lambda t: t["scene"] == "pick", 8)
        except AssertionError as error:
            self.shot("failed")
            raise AssertionError(f"{error}: focus on {self.focused()}, {self.now['toast']}") from None
        self.shot(f"pick-{key.replace(' ', '-')}")
        self.press(f"pick {option}")
        if then:
            self.press(then)
        self.table_("the table again")

    def step(self, key: str, times: int) -> None:
        """A figure up by its sign, or by the arrow."""
        if isinstance(self.hand, Keyboard):
            self.focus(key)
            self.hand.type(*["Right"] * times)
            return
        assert isinstance(self.hand, Mouse)
        self.bring(key)
        for _ in range(times):
            left, top, wide, high = self.widget(key)["seen"]
            self.hand.click(left + wide - high // 2, top + high // 2)

    def bring(self, key: str) -> None:
        """Scroll with the wheel until a widget is whole in sight."""
        assert isinstance(self.hand, Mouse)
        for _ in range(60):
            widget = self.widget(key)
            if widget["seen"][3] >= widget["rect"][3] - 1:
                return
            left, top, wide, high = widget["within"]
            below = widget["rect"][1] + widget["rect"][3] > top + high
            self.hand.click(left + wide // 2, top + high // 2, 5 if below else 4)
        raise AssertionError(f"the wheel does not bring {key}")

    def one(self, key: int) -> dict[str, Any]:
        return next(p for p in self.now["pieces"] if p["key"] == key)

    @staticmethod
    def of(table: dict[str, Any], key: int) -> dict[str, Any]:
        found: dict[str, Any] = next(p for p in table["pieces"] if p["key"] == key)
        return found

    def press_in_form(self, key: str) -> None:
        """Press something of the form."""
        if isinstance(self.hand, Keyboard):
            self.focus(key)
            self.hand.type("Return")
        else:
            self.bring(key)
            self.hand.press(key)

    def write_number(self, key: str, digits: str) -> None:
        """Type a figure."""
        if isinstance(self.hand, Keyboard):
            self.focus(key)
        else:
            self.bring(key)
            self.hand.press(key)
        self.table.counted("keys", lambda: self.table.tool("type", "--delay", "12", digits), len(digits))

    def back(self) -> None:
        """Out of a panel."""
        self.do("Back", "Escape")

    def stop(self) -> None:
        """End it, whatever happened."""
        if hasattr(self, "table"):
            self.table.stop()


P = TypeVar("P", bound=Preparing)


def seats(kind: type[P]) -> Any:
    """A fixture `sat`: takes seats of a kind by hand, size and story; the windows end with the test."""

    @pytest.fixture(name="sat")
    def sat(display: str, tmp_path: Path) -> Iterator[Callable[[str, str, str], P]]:
        found: list[P] = []

        def sit(hand: str, size: str, story: str) -> P:
            found.append(kind(display, tmp_path, hand, size, story))
            return found[-1]

        yield sit
        for each in found:
            each.stop()

    return sat
