"""The ways on from a fight that is over: alike in its summary and in the bar under its board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from game.widgets.controls import Button, Label
from game.widgets.core import Space, Tip, Widget, row

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

BAR = "ways on"
"""The bar under the board of a fight that is over."""


class Way(NamedTuple):
    """Where a fight that is over leads."""

    key: str
    label: str
    go: Callable[[], None]
    told: str = ""


def is_over(fight: Fight) -> bool:
    """Whether the fight has come to its end, and the player has seen it."""
    return fight.match.decision is None and not fight.telling.behind


def summary(fight: Fight) -> None:
    """Show the summary (again)."""
    from game.scenes.fight.summary import Summary

    fight.app.push(Summary(fight.app, fight))


def ways(fight: Fight) -> list[Way]:
    """Where one may go on to: the camp and the table where there are any, the next fight, the title."""
    from game.characters.olde import camping as aftermath  # late: no fight needs it before its end

    app, match, found = fight.app, fight.match, list[Way]()
    if aftermath.reach_camp(match.record):
        told = "Wounds, what lies on the floor, rest; CP go to the heroes."
        found.append(Way("camp", "Camp", partial(app.navigator.camp, match), told))
    if (back := app.navigator.way_back()) is not None:
        found.append(Way("table", "Back to the table", back, "The table on which this fight was prepared."))
    told = "A new fight by the same rules, on the same map, with the same party, as you like it."
    found.append(Way("next", "Next fight", partial(app.navigator.next_fight, match), told))
    return [*found, Way("title", "Title", partial(app.navigator.title))]


def buttons(fight: Fight, *, slim: bool = False, gold: bool = False) -> list[Widget]:
    """A button for each way; `gold`: the first of them is what is usually next."""
    return [
        Button(
            way.label,
            way.go,
            key=way.key,
            slim=slim,
            gold=gold and not place,
            tip=Tip(way.told) if way.told else None,
        )
        for place, way in enumerate(ways(fight))
    ]


def bar(fight: Fight, *, tight: bool = False) -> Widget:
    """What stands under the board of a fight that is over."""
    shown = partial(summary, fight)
    hint = fight.app.keys.shown("confirm")
    parts: list[Widget] = [] if tight else [Label("The fight is over.", "text", "quiet"), Space(6)]
    parts += [
        Button("Summary", shown, gold=True, hint=hint, key="summary", slim=tight),
        *buttons(fight, slim=tight),
    ]
    return row(*parts, gap=6 if tight else 10, pad=6 if tight else 11, plate="panel", wrap=tight, key=BAR)


def step_onto(fight: Fight, by: int) -> bool:
    """Keys come to the bar: to its first button, or going backwards to its last; False if it isn't there."""
    bars = (w for panel in fight.ui.live() for w in panel.walk() if w.key == BAR)
    stops = [w for w in next(bars, Space()).walk() if w.stops]
    if fight.ui.modal or not stops:
        return False
    fight.ui.set_focus(stops[0 if by > 0 else -1])
    fight.dirty = True
    return True
