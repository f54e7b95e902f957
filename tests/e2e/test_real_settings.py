"""Settings in the real window: every section, by mouse alone and by keys alone, kept for the next start."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from game.controllers.human import load_keys
from tests.e2e.hands import Keyboard, Mouse
from tests.e2e.preparing import Preparing, seats
from tests.e2e.real_table import MARKS, ways

pytestmark = MARKS


class Setting(Preparing):
    """At the settings."""

    def so(self, what: str, ask: Callable[[dict[str, Any]], Any], scene: str = "settings") -> dict[str, Any]:
        """Wait until a scene and the settings are so; everything that is told then."""
        try:
            found: dict[str, Any] = self.table.await_(
                what, lambda s: s["scene"] == scene and ask(s["more"]) and [s], 20
            )[0]
        except AssertionError as error:
            self.shot("failed")
            more = self.table.now()["more"]
            raise AssertionError(f"{error}; {more['settings']}, {more['sliders']}") from None
        return found

    def slide(self, key: str, steps: int, share: float) -> None:
        """A slider by so many steps, or with the mouse to a share of its line."""
        if isinstance(self.hand, Keyboard):
            self.focus(key)
            self.hand.type(*(["Right"] if steps > 0 else ["Left"]) * abs(steps))
            return
        assert isinstance(self.hand, Mouse)
        self.bring(key)
        _, left, top, wide, high = self.table.now()["more"]["sliders"][key]
        self.drag((left + wide // 2, top + high // 2), (left + round(wide * share), top + high // 2))


sat = seats(Setting)


@ways()
def test_everything_is_set_and_holds_after_the_next_start(
    sat: Callable[[str, str, str], Setting], hand: str, size: str
) -> None:
    at = sat(hand, size, "settings")
    at.open()
    at.scene("title")
    at.shot("title")
    at.press("Settings")
    at.so("the settings", lambda m: m["sliders"])
    at.shot("look")
    for scheme in ("red-green", "blue-yellow", "high contrast", "normal"):
        at.press_in_form(f"palette {scheme}")
        at.so(scheme, lambda m, s=scheme: m["settings"]["palette"] == s)
        at.shot(scheme.replace(" ", "-"))
    at.press_in_form("palette red-green")
    at.press_in_form("Reduced motion")
    at.so("no motion", lambda m: m["settings"]["reduced_motion"])
    at.slide("Animations", 3, 1.0)
    at.so("fast", lambda m: m["settings"]["speed"] == 3)
    at.slide("Seconds that pass", -2, 0.0)
    at.so("at once", lambda m: m["settings"]["pace"] == 0)
    at.slide("Size of panels and text", 4, 0.36)
    larger = at.so("larger", lambda m: m["settings"]["scale"] > 105)
    at.shot("larger")
    window = at.table.now()["size"]
    at.press("Full screen", "F11")
    at.table.await_("the full screen", lambda s: s["size"][0] > window[0], 20)
    at.shot("full-screen")
    at.press("Full screen", "F11")
    at.table.await_("the window again", lambda s: s["size"] == window, 20)
    at.press("tab play")
    at.shot("play")
    for key, name in (
        ("End a chance by itself when nothing else is left", "end_by_itself"),
        ("Save by itself after every chance", "autosave"),
        ("Forecast by itself while preparing", "live_forecast"),
    ):
        at.press_in_form(key)
        at.so(name, lambda m, n=name: m["settings"][n] is False)
    at.press("tab sound")
    at.slide("Effects", -12, 0.0)
    at.so("silence", lambda m: m["settings"]["volume"] == 0)
    at.shot("sound")
    at.press("tab words")
    at.widget("language en")
    at.shot("language")
    wanted = larger["more"]["settings"]["scale"]
    at.press("Back", "Escape")
    at.scene("title")
    at.close()

    kept = json.loads((at.home / "settings.json").read_text(encoding="utf-8"))
    assert (kept["palette"], kept["speed"], kept["pace"], kept["volume"]) == ("red-green", 3, 0, 0)
    assert (kept["scale"], kept["reduced_motion"], kept["autosave"]) == (wanted, True, False)
    at.open()
    at.so("the same", lambda m: m["settings"]["palette"] == "red-green" and m["settings"]["scale"] == wanted, "title")
    at.shot("next-start")
    at.close()


@ways()
def test_keys_are_found_rebound_swapped_and_given_back(
    sat: Callable[[str, str, str], Setting], hand: str, size: str
) -> None:
    at = sat(hand, size, "keys")
    at.open()
    at.scene("title")
    at.press("Settings")
    at.scene("settings")
    at.press("tab keys")
    at.widget("search")
    at.shot("keys")
    listed = {w["key"] for w in at.table.now()["widgets"]}
    assert {f"{command.name} more" for command in load_keys().commands} <= listed, "each can be bound"

    at.write("search", "quick save")
    at.table.await_("few", lambda s: sum(w["key"].endswith(" more") for w in s["widgets"]) < 4)
    at.shot("found")
    rebind(at, "quicksave F5", "F12")
    at.so("a new key", lambda m: m["keys"]["quicksave"] == ["F12"])
    rebind(at, "quicksave more", "F9")
    at.table.await_("whose it is", lambda s: any(w["key"] == "take" for w in s["widgets"]))
    at.shot("conflict")
    at.press("again", "Escape")
    at.press("leave", "Escape")
    at.so("as it was", lambda m: m["keys"]["quickload"] == ["F9"])
    rebind(at, "quicksave F12", "F9")
    at.press("swap")
    swapped = at.so("swapped", lambda m: m["keys"]["quicksave"] == ["F9"])
    assert swapped["more"]["keys"]["quickload"] == ["F12"]
    at.shot("swapped")
    at.press("quicksave reset")
    at.so("given back", lambda m: m["keys"]["quicksave"] == ["F5"])
    at.press_in_form("reset all")
    at.so("all given back", lambda m: m["keys"]["quickload"] == ["F9"])
    at.write("search", "help")
    rebind(at, "help F1", "F10")
    at.so("help on F10", lambda m: m["keys"]["help"] == ["F10"])
    at.press("Back", "Escape")
    at.scene("title")
    if isinstance(at.hand, Keyboard):
        at.hand.type("F1", "F10")
    else:
        at.press("Help")
    at.scene("help")
    at.shot("help-elsewhere")
    at.close()


def rebind(at: Setting, chip: str, key: str) -> None:
    """Press a key's chip, then its new key: that is writing, and so also the mouse's."""
    at.press_in_form(chip)
    at.scene("capture")
    at.shot(f"capture-{chip.replace(' ', '-')}")
    at.table.counted("keys", lambda: at.table.tool("key", key))
