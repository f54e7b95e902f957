"""Events as lines of the log: a sentence, and behind it every die and adjustment with its rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from game.app.i18n import Said, parts, t
from game.fight.history import told
from game.fight.storyline import Strand, aside, woven
from game.scenes.fight.panels.card import adjustment_tip, changes_tip, short_rule, value_tip
from game.widgets.story import Entry
from game.widgets.text import Die, Piece, Run
from rules.contract.actions import Adjustment
from rules.contract.display import Display
from rules.contract.events import Attack, Began, Chance, Event, Points, Roll
from rules.contract.ruleset import State
from rules.contract.text import Creature
from rules.core.dice import plain, signed
from rules.core.record import Rewind


def entries(ruleset: Display, state: State, events: Sequence[Event]) -> list[Entry]:
    """The lines of events that were seen, in order."""
    return [entry(ruleset, state, strand) for strand in woven(partial(ruleset.tell, state), events)]


def entry(ruleset: Display, state: State, strand: Strand) -> Entry:
    """A line of the log."""
    event = strand.main
    assert event is not None
    details = [roll_line(roll, ruleset) for each in strand.said for roll in rolls_of(each)]
    details += [[_adjusted(a, ruleset, named=True)] for a in _loose(event)]
    pieces: list[Piece] = []
    for said in (ruleset.tell(state, each) for each in strand.said):
        pieces += [Run(" ")] if pieces else []
        pieces += [Run(Said(t(said)), "gold", "label!")] if isinstance(event, Began) else sentence(said, ruleset)
    for to, changes in strand.asides.items():
        pieces.append(Run(f" {t(aside(to, changes))}", "quiet", "small", changes_tip(ruleset, changes)))
    return Entry(
        pieces, details, heading=isinstance(event, Began), folded=not isinstance(event, Attack),
        by="" if isinstance(event, Points | Chance) else getattr(event, "by", None) or "",
        series=event.what if isinstance(event, Began) else "",
    )  # fmt: skip


def rewound(rewind: Rewind, *, whole: bool = True) -> Entry:
    """A rewind that was logged; not `whole` for who may not know what it took back."""
    return Entry([Run(t(told(rewind) if whole else "The fight was taken back."), "amber", "text")], [])


def rolls_of(event: Event) -> list[Roll]:
    """Every roll an event carries, in the order thrown."""
    values = (getattr(event, name) for name in type(event).__struct_fields__)
    parts = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
    return [part for part in parts if isinstance(part, Roll)]


def _loose(event: Event) -> list[Adjustment]:
    """Adjustments of an event that none of its rolls lists already."""
    own = getattr(event, "adjustments", ())
    told = {a for roll in rolls_of(event) for a in roll.adjustments}
    return [a for a in own if a not in told] if isinstance(own, tuple) else []


def sentence(said: str, ruleset: Display) -> list[Piece]:
    """A sentence with the names of creatures in bold, and the rulebook's terms told on hover."""
    runs: list[Piece] = []
    for words, value in parts(said):
        if isinstance(value, Creature):
            runs.append(Run(words, "bright", "text!"))
            continue
        tip = value_tip(ruleset, value)
        last = runs[-1] if runs else None
        if tip is None and isinstance(last, Run) and last == Run(last.text):
            runs[-1] = Run(last.text + words)
        elif words:
            runs.append(Run(words, tip=tip))
    return runs


def roll_line(roll: Roll, ruleset: Display) -> list[Piece]:
    """`[5][3] Attack 2d9! 8 +1 Swords (§2) = 9`."""
    pieces: list[Piece] = [Die(str(throw.face), throw.exploded) for throw in roll.throws]
    pieces += [Die(str(throw.face), throw.exploded, discarded=True) for throw in roll.discarded]
    pieces.append(Run(f" {t(roll.label)} ", "text"))
    if roll.dice:
        pieces.append(Run(f"{roll.dice} ", "faint", "small"))
    pieces += [_adjusted(a, ruleset) for a in roll.adjustments]
    return [*pieces, Run(f" =\u00a0{plain(roll.total)}", "bright", "text!")]


def _adjusted(adjustment: Adjustment, ruleset: Display, *, named: bool = False) -> Run:
    sign = f"{signed(adjustment.value)} " if adjustment.value else ""
    rule = f" ({short_rule(adjustment.rule)})" if adjustment.rule else ""
    to = f"{adjustment.to} " if named and sign else ""
    tip = adjustment_tip(ruleset, adjustment)
    return Run(f" {t(to)}{sign}{t(adjustment.because)}{rule}", "quiet", "small", tip)
