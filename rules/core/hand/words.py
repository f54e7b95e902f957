"""How the game master's hand is told, under every ruleset: each line says whose doing it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.contract import events as ev
from rules.contract.text import Creature, Term, text

Tell = Callable[[Any, ev.Event], str]
PLAYED: Mapping[str, str] = {"human": "a person", "ai": "the computer"}


def marked(tell: Tell, bodies: Callable[[Any], Any]) -> Tell:
    """A ruleset's own telling, with what the hand did marked as such. `bodies`: a state's creatures."""

    def told(state: Any, event: ev.Event) -> str:
        if not event.hand:
            return tell(state, event)
        own = _own(lambda name: _called(state.setup.index, bodies(state), name), event)
        said = tell(state, event) if own is None else own
        return text("Game master: {said}", said) if said else ""

    return told


def _called(index: Mapping[str, int], bodies: Any, name: str) -> str:
    who = index.get(name)
    return name if who is None else Creature(bodies[who].name, name)


def _own(called: Callable[[str], str], event: ev.Event) -> str | None:
    """What is told of what the hand does alike under all rules; None where a ruleset has its own sentence."""
    match event:
        case ev.Amended(what="side"):
            return text("{target} is on the side of {now} from now on.", called(event.target), event.now)
        case ev.Amended(what="player"):
            played = Term(PLAYED.get(event.now, event.now))
            return text("{target} is played by {whom} from now on.", called(event.target), played)
        case ev.Amended():
            return text("{target}, {pool}: {was} becomes {now}.", called(event.target), Term(event.what), event.was,
                        event.now)  # fmt: skip
        case ev.Moved(mode="placed"):
            return text("{by} is put on another space.", called(event.by))
        case ev.Summoned():
            name = Creature(event.name, event.target)
            return text("{name} comes." if event.gained else "{name} is taken off the board.", name=name)
        case ev.Injury() | ev.Healing() | ev.Points():
            return ""  # the setting that brought it has told it
        case ev.Inscribed():
            column, row = event.at
            if not event.words:
                return text("the note on {column}, {row} is gone.", column, row)
            return text("a note on {column}, {row}: {words}", column, row, event.words)
        case ev.Revealed(what="ground"):
            return text("ground is shown: {spaces} spaces.", event.spaces)
        case ev.Revealed():
            return text("{name} is revealed.", event.name)
        case ev.Note():
            return event.text
    return None
