"""A table to try any rules at: a small fight with scripted dice, driven in the words of a record.

Each ruleset's `creatures.py` has its people (`being`, `pc`, `foe`, `duel`). Dice say which they are,
`dice("defense 2 3, attack 3 2, damage 8")`, and a die that falls for another roll than the test says is an error.
A position stands in one line, as FEN does for chess:

    fight = position("olde", "A g", A="warrior", g="goblin posture=prone")
    fight.play("A attack g", defense=[2, 3], attack=[3, 2], damage=[8])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import pytest

from game.content import tables as content
from rules.board.grid import Field
from rules.contract.actions import Action, Decision
from rules.contract.errors import ThrowNeeded
from rules.contract.ruleset import Scenario, Step
from rules.contract.text import as_builtins
from rules.core.registry import ruleset as ruleset_of

Event = dict[str, Any]
Block = dict[str, Any]


class Face(int):
    """What a die shows, and which roll it has to fall for."""

    label: str

    def __new__(cls, face: int, label: str) -> Face:
        made = super().__new__(cls, face)
        made.label = label
        return made


def dice(text: str) -> list[Face]:
    """`defense 2 3, attack 3 2, damage 8`: faces in the order thrown, each with the roll it falls for."""
    faces: list[Face] = []
    for part in text.split(","):
        words = part.split()
        shown = [word for word in words if word.isdigit()]
        label = " ".join(words[: len(words) - len(shown)])
        assert label and shown and words[-len(shown) :] == shown, f"dice {part!r}: a roll and its faces, `attack 3 2`"
        faces += [Face(int(face), label) for face in shown]
    return faces


def plain(label: str) -> str:
    """A roll's name as tests write it: small letters, no commas."""
    return label.lower().replace(",", "")


class Fight:
    """A fight; `throws` are all its faces in order. Spaces are `[column, row]`, as in records."""

    ruleset: ClassVar[str]
    rows: ClassVar[Sequence[str]] = ("############", "#..........#", "#..........#", "#..........#", "############")
    """The hall in which it is fought unless a test says otherwise."""

    def __init__(
        self,
        *creatures: Mapping[str, Any],
        throws: Iterable[int | None] | None = None,
        rows: Sequence[str] | None = None,
        field: Field | None = None,
        tables: Mapping[str, Any] | None = None,
        seed: int = 1,
        **options: Any,
    ) -> None:
        self.field = field or Field.from_rows(rows or self.rows)
        self.rules: Any = ruleset_of(self.ruleset)  # a test asks for what must be there
        self._script = None if throws is None else tuple(throws)
        faces = None if self._script is None else tuple(None if face is None else int(face) for face in self._script)
        gear = {**content.tables(self.ruleset), **tables} if tables else content.known(content.exact(self.ruleset))

        def start(throws: tuple[int | None, ...] | None) -> Step:
            return self.rules.start(Scenario(self.ruleset, self.field, creatures, seed, throws, options, gear))

        self.now: Any = None
        self.events: list[Event] = []
        self.story: list[str] = []
        """Every line of the story so far."""
        step = start(faces)
        self._each_die_fell_where_it_should(start, 0, step.state)
        self._take(step)

    # -- what is done

    def do(self, by: str, do: str, **says: Any) -> list[Event]:
        """Do it and give the events; it must be legal."""
        decision, action = self._decision(by), self._action(by, do, says)

        def apply(throws: tuple[int | None, ...] | None) -> Step:
            state = self.now if throws is None else self.rules.with_throws(self.now, throws, True)
            return self.rules.apply(state, decision, action)

        step = apply(None)
        self._each_die_fell_where_it_should(apply, self.used, step.state)
        return self._take(step)

    def play(self, command: str, **rolls: Sequence[int] | int) -> list[Event]:
        """Do what a line says (`A attack g`, `A step b1 c1`, `A attack g weapon=axe`) with these dice, by the roll that
        each falls for; an underscore stands for a blank, and every die has to be thrown."""
        by, do, says = self._read(command)
        decision, action = self._decision(by), self._action(by, do, says)
        left = {
            label.replace("_", " "): [faces] if isinstance(faces, int) else list(faces)
            for label, faces in rolls.items()
        }
        thrown: list[int | None] = [None] * self.used
        while True:
            try:
                step = self.rules.apply(self.rules.with_throws(self.now, tuple(thrown), True), decision, action)
                break
            except ThrowNeeded as needed:
                label = plain(needed.label)
            assert left.get(label), f"{command}: a die falls for {label!r}, and none is given for that: {rolls}"
            thrown.append(left[label].pop(0))
        unused = {label: faces for label, faces in left.items() if faces}
        assert not unused, f"{command}: never thrown: {unused}"
        events = self._take(step)
        self.now = self.rules.with_throws(self.now, (None,) * self.used, False)
        return events

    def end(self, *ids: str) -> None:
        """These end their chances, one after another."""
        for who in ids:
            self.do(who, "end")

    def refusal(self, by: str, do: str | None = None, **says: Any) -> str:
        """Why it is illegal now, told as a line (`A step b1`) or by parts; it must be, and be said in one line."""
        if do is None:
            by, do, says = self._read(by)
        reason = self.rules.legal(self.now, self._decision(by)).refusal(self._action(by, do, says))
        assert reason is not None, f"{by} {do} {says} is legal"
        assert "\n" not in reason
        return str(reason)

    def hint(self, do: str) -> str:
        """What the button of a kind of action says beside its label to whoever is asked first."""
        offers = self.rules.legal(self.now, self.rules.decisions(self.now)[0]).offers()
        (note,) = next(offer.description.notes for offer in offers if offer.do == do)
        return str(note)

    # -- how it stands

    def all(self, kind: str) -> list[Event]:
        """All events of a kind so far."""
        return [event for event in self.events if event["event"] == kind]

    def last(self, kind: str, events: Sequence[Event] | None = None) -> Event:
        """The last event of a kind."""
        return [event for event in (self.events if events is None else events) if event["event"] == kind][-1]

    def of(self, id: str) -> dict[str, Any]:
        """A creature as `--state` shows it."""
        found: dict[str, Any] = self.state["creatures"][id]
        return found

    @property
    def state(self) -> dict[str, Any]:
        shown: dict[str, Any] = as_builtins(dict(self.rules.summary(self.now)))
        return shown

    @property
    def used(self) -> int:
        """Dice thrown so far."""
        return self.rules.thrown(self.now)

    @property
    def offered(self) -> set[str]:
        """The words of what whoever decides may do now."""
        return {action.do for action in self.rules.legal(self.now, self.rules.decisions(self.now)[0])}

    @property
    def waiting(self) -> list[str]:
        """Who has a decision open, in order."""
        return [d.by for d in self.rules.decisions(self.now)]

    def change(self, id: str, **changes: Any) -> None:
        """Set something about a creature by hand."""
        who = self.now.setup.index[id]
        figures = list(self.now.figures)
        figures[who] = msgspec.structs.replace(figures[who], **changes)
        self.now = msgspec.structs.replace(self.now, figures=tuple(figures))

    # -- inside

    def _take(self, step: Step) -> list[Event]:
        self.now = step.state
        events = [as_builtins(event) for event in step.events]
        self.events += events
        self.story += [str(line) for event in step.events if (line := self.rules.tell(step.state, event))]
        return events

    def _decision(self, by: str) -> Decision:
        open_now = self.rules.decisions(self.now)
        return next((d for d in open_now if d.by == by), open_now[0])

    def _action(self, by: str, do: str, says: dict[str, Any]) -> Action:
        if "path" in says:
            says["path"] = tuple(self.field.cell(*space) for space in says["path"])
        if "at" in says:
            says["at"] = self.field.cell(*says["at"])
        return Action(by, do, **says)

    def _read(self, command: str) -> tuple[str, str, dict[str, Any]]:
        """`A attack g weapon=axe`, `A step b1 c1` (columns are letters, rows count from 1)."""
        by, do, *rest = command.split()
        says: dict[str, Any] = {}
        for word in rest:
            if "=" in word:
                name, value = word.split("=", 1)
                says[name] = value.replace("_", " ")
            elif word in self.now.setup.index:
                says["target"] = word
            else:
                says.setdefault("path", []).append(space(word))
        return by, do, says

    def _each_die_fell_where_it_should(
        self, attempt: Callable[[tuple[int | None, ...]], Step], begin: int, after: Any
    ) -> None:
        """Hold each labelled die against the roll that it fell for: without it, that roll asks for it."""
        script = self._script or ()
        for n in range(begin, min(self.rules.thrown(after), len(script))):
            wanted = getattr(script[n], "label", None)
            if wanted is None:
                continue
            with pytest.raises(ThrowNeeded) as needed:
                attempt(tuple(None if face is None else int(face) for face in script[:n]))
            fell = plain(needed.value.label)
            assert fell == wanted, f"die {n + 1} ({script[n]}) falls for {fell!r}, not for {wanted!r}"


def space(word: str) -> tuple[int, int]:
    """`b1` is `(1, 0)`: columns are letters, rows count from 1."""
    found = re.fullmatch(r"([a-z])(\d+)", word)
    assert found, f"{word!r} is neither a creature nor a space such as b1"
    return ord(found[1]) - ord("a"), int(found[2]) - 1


def position(ruleset: str, ground: str, **creatures: str) -> Fight:
    """A fight in a line: `A . g / # . .` is a map of two rows on which capitals are heroes and small letters monsters.

    Each is said by the name of a template (a hero's or a monster's) and what differs: `goblin posture=prone hp=3`.
    What is no field of the stat block is set on the creature as it stands (`ap=0`). The fight begins with the
    first seed that has the first creature decide first; from then on dice are given by `play`.
    """
    rows = [row.split() for row in ground.split("/")]
    kind = type(f"{ruleset.capitalize()}Position", (Fight,), {"ruleset": ruleset})
    model = ruleset_of(ruleset).stat_block.model_fields
    blocks, later = [], {}
    for name, says in creatures.items():
        at = next((x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == name)
        template, *differences = says.split()
        found = content.heroes(ruleset).get(template) or content.monsters(ruleset)[template]
        given = {key: _value(value) for key, value in (word.split("=", 1) for word in differences)}
        side = "heroes" if name.isupper() else "monsters"
        blocks.append(
            {**found, **{k: v for k, v in given.items() if k in model}, "id": name, "side": side, "at": list(at)}
        )
        later[name] = {k: v for k, v in given.items() if k not in model}
    plan = ["".join(cell if cell in "#.~" else "." for cell in row) for row in rows]
    first = next(iter(creatures))
    for seed in range(100):
        fight: Fight = kind(*blocks, rows=plan, seed=seed)
        if fight.waiting[0] == first:
            break
    for name, changes in later.items():
        if changes:
            fight.change(name, **changes)
    return fight


def _value(text: str) -> int | str | list[str]:
    if text.lstrip("-").isdigit():
        return int(text)
    return text.split("+") if "+" in text else text
