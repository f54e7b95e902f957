"""At what a party stops: whatever its side notices that isn't its own routine."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.contract import events as ev
from rules.contract.display import Board
from rules.contract.text import text

ROUTINE = (
    ev.Chance, ev.Ended, ev.Points, ev.Posture, ev.Door, ev.Zone, ev.Enchanted, ev.Adjusted, ev.Cast, ev.Healing,
    ev.Earned, ev.Chosen,
)  # fmt: skip
"""Kinds of events at which nobody stops, whosever they are; what is not known here is a reason to stop."""

_FOUND = {"found": "Something is found.", "sprung": "A trap is sprung."}
"""What is said of a change of something on the map; whatever else one does to it oneself."""


def stopped_by(
    events: Sequence[ev.Event], before: Board, after: Board, own: Collection[str], *, seeks: bool = False
) -> str | None:
    """Why a party stops after what its side has witnessed; None where it goes on. Empty: it shows anyway.

    `own` are the ids of one's own side; `seeks`: something is searched for, so that finding it counts.
    """
    names = {mini.id: mini.name for mini in (*before.miniatures, *after.miniatures)}
    walking = {event.by for event in events if isinstance(event, ev.Moved)}
    opening = {event.by for event in events if isinstance(event, ev.Door)}
    for event in events:
        sought = seeks and not (
            isinstance(event, ev.Contest) and event.by in walking
        )  # who sneaks there, seeks nothing
        if isinstance(event, ev.Check) and event.by in walking:
            continue  # who keeps out of sight on the way goes on; what is found there is told by itself
        if isinstance(event, ev.Note) and event.by in own and event.by in opening:
            continue  # what is said of a door that one of them works at
        found = _reason(event, names, before, own, seeks=sought)
        if found is not None:
            return found
    seen = {mini.id for mini in before.miniatures if mini.cell >= 0}
    for mini in after.miniatures:
        if mini.id not in own and mini.id not in seen and mini.cell >= 0 and not mini.out:
            return text("{name} comes into sight.", mini.name)
    return None


def _reason(
    event: ev.Event, names: dict[str, str], before: Board, own: Collection[str], *, seeks: bool
) -> str | None:  # fmt: skip
    fallen = {mini.id for mini in before.miniatures if mini.out}
    match event:
        case ev.Began():
            return "" if event.what in ev.EPISODES else None
        case ev.Moved():
            return None if event.by in own else _came(event, names, before, own)
        case ev.Contest():  # keeping quiet is one's routine
            return "Something is there." if seeks and event.success and event.by in own else None
        case ev.Check():
            return text("{name} notices something.", names[event.by]) if event.success and event.by in own else None
        case ev.Item():
            if event.how in ("low", "burnt_out"):
                return "A light burns low." if event.how == "low" else "A light has burnt out."
            return None
        case ev.Challenge():
            return _FOUND.get(event.state)
        case ev.Note():
            return None if event.passing else event.text
        case ev.Noise():
            heard = event.by not in own and event.nearest(own) is not None
            return "A noise is heard." if heard else None
        case ev.Goal():
            return ""
        case ev.Condition():  # what passes off is no news; what befalls one shows
            return "" if event.gained and (event.target in own or event.target not in fallen) else None
        case ev.Injury():
            if event.target in own:
                return text("{name} is hurt.", names.get(event.target, "Somebody"))
            return None if event.target in fallen else ""  # who lies there and dies is no news
    return None if isinstance(event, ROUTINE) else ""


def _came(event: ev.Moved, names: dict[str, str], before: Board, own: Collection[str]) -> str | None:
    """Somebody else moved in sight: a reason to stop where it comes nearer."""
    spaces = [mini.cell for mini in before.miniatures if mini.id in own and mini.cell >= 0]
    if not event.path or not spaces or event.by not in names:
        return None
    return text("{name} is on the move.", names[event.by])
