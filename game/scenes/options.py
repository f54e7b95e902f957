"""The settings."""

from __future__ import annotations

from game.scenes.dialogs import Panel
from game.settings import SPEEDS
from game.widgets.controls import Button, Label, Slider, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, column, row


class Options(Panel):
    """UI scale, pace, motion, full screen: kept as they are changed."""

    name = "settings"
    width = 560.0

    def content(self) -> Box:
        s = self.app.settings
        speed = Slider("Animations", s.speed, (0, 3), 1, lambda v: self._set("speed", v), names=SPEEDS)
        scale = Slider(
            "Size of panels and text",
            s.scale,
            (75, 200),
            5,
            lambda v: self._set("scale", v),
            tip=Tip("Panels never grow beyond what the window can hold; a larger window holds more."),
        )
        toggles = [
            Toggle(
                "Reduced motion",
                s.reduced_motion,
                lambda v: self._set("reduced_motion", v),
                tip=Tip("No hops, lunges or flicker; things simply are where they are."),
            ),
            Toggle(
                "End a chance by itself when nothing else is left",
                s.end_by_itself,
                lambda v: self._set("end_by_itself", v),
            ),
            Toggle("Save by itself after every chance", s.autosave, lambda v: self._set("autosave", v)),
            Toggle(
                "Forecast by itself while preparing",
                s.live_forecast,
                lambda v: self._set("live_forecast", v),
                tip=Tip("Keeps one processor busy for a moment whenever the table has changed."),
            ),
            Toggle(
                "Full screen", self.app.fullscreen, lambda _: self.app.toggle_fullscreen(), tip=Tip("F11")
            ),
        ]
        listing = Scroll(column(scale, speed, *toggles, gap=6))
        listing.grow = 1
        back = row(Space(grow=1), Button("Back", self.app.pop, gold=True, hint="Esc"))
        return column(Label("Settings", "heading", "bright"), listing, back, gap=14)

    def _set(self, name: str, value: object) -> None:
        setattr(self.app.settings, name, value)
        self.app.save_settings()
        if name == "scale":
            self.app.refit()
