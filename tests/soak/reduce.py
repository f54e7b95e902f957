"""A finding brought down to the fewest steps, creatures, options and settings that still show it."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeVar

from rules.contract.errors import BattlematError
from tests.soak.encounters import Case
from tests.soak.playing import play
from tests.soak.wrong import Wrong

_Each = TypeVar("_Each")
PLAIN = {
    "scale": 100, "palette": "normal", "reduced_motion": False, "log_open": True, "end_by_itself": True,
    "autosave": False, "pace": 2, "speed": 2,
}  # fmt: skip
"""Settings to which a case is brought where they don't matter."""


def fewest(items: Sequence[_Each], shows: Callable[[list[_Each]], bool]) -> list[_Each]:
    """The fewest of the items, in their order, that still show it: ddmin (Zeller and Hildebrandt 2002).

    `shows` holds for all of them; of what is left, no single one can go.
    """
    kept, parts = list(items), 2
    while kept:
        size = max(1, len(kept) // parts)
        pieces = [kept[i : i + size] for i in range(0, len(kept), size)]
        for number in range(len(pieces)):
            rest = [item for other, piece in enumerate(pieces) if other != number for item in piece]
            if shows(rest):
                kept, parts = rest, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(kept), parts * 2)
    return kept


class Reducer:
    """Tries smaller cases until nothing can go any more, or `seconds` of the processor are spent."""

    def __init__(self, wrong: Wrong, without: Collection[str] = (), seconds: float = 120.0) -> None:
        self.wrong, self.without, self.seconds = wrong, without, seconds
        self.plays = 0
        self._began = time.process_time()

    def shows(self, case: Case) -> bool:
        """Whether a case shows the same finding."""
        if time.process_time() - self._began > self.seconds:
            return False
        self.plays += 1
        try:
            return self.wrong.alike(play(case, self.without).wrong)
        except (BattlematError, AssertionError, LookupError):
            return False  # what was left of it is no encounter

    def reduced(self, case: Case) -> Case:
        """The smallest case found, of the same finding."""
        case = copy.deepcopy(case)
        if not self.shows(case):
            return case
        case = self._least(case, iter([{**case, "steps": _joined(case["steps"])}]))
        case["steps"] = self._steps(case)
        for smaller in (self._creatures, self._options, self._settings):
            case = smaller(case)
        case = self._least(case, iter([{**case, "steps": _joined(case["steps"])}]))
        case["steps"] = self._steps(case)
        for number, step in enumerate(case["steps"]):
            if step[0] == "time":
                case = self._least(case, ({**case, "steps": _with(case["steps"], number, ["time", t])} for t in TIMES))
        return case

    def _steps(self, case: Case) -> list[Any]:
        return fewest(case["steps"], lambda steps: self.shows({**case, "steps": steps}))

    def _least(self, case: Case, smaller: Iterator[Case]) -> Case:
        return next((each for each in smaller if self.shows(each)), case)

    def _creatures(self, case: Case) -> Case:
        record = case["record"]

        def with_only(creatures: list[Any]) -> Case:
            there = {str(c["id"]) for c in creatures} | {str(c["side"]) for c in creatures} | {"gm"}
            seats = [{**s, "plays": [p for p in s["plays"] if p in there]} for s in record.get("seats", [])]
            made = {**record, "creatures": creatures, **({"seats": seats} if seats else {})}
            return {**case, "record": made}

        kept = fewest(record["creatures"], lambda creatures: self.shows(with_only(creatures)))
        return with_only(kept)

    def _options(self, case: Case) -> Case:
        for name in list(case["record"]["options"]):
            record = case["record"]
            options = {key: value for key, value in record["options"].items() if key != name}
            case = self._least(case, iter([{**case, "record": {**record, "options": options}}]))
        for field in ("chance_seconds", "seats"):
            record = {key: value for key, value in case["record"].items() if key != field}
            if field in case["record"]:
                case = self._least(case, iter([{**case, "record": record}]))
        for creature in case["record"]["creatures"]:
            if creature.get("surprised"):
                awake = [{**c, "surprised": False} if c is creature else c for c in case["record"]["creatures"]]
                case = self._least(case, iter([{**case, "record": {**case["record"], "creatures": awake}}]))
        return case

    def _settings(self, case: Case) -> Case:
        for name, value in PLAIN.items():
            if case["settings"].get(name) != value:
                case = self._least(case, iter([{**case, "settings": {**case["settings"], name: value}}]))
        for field, plain in (("through", "game"), ("size", [1280, 720]), ("thinks", 0.0), ("frame", 0.05)):
            if case[field] != plain:
                case = self._least(case, iter([{**case, field: plain}]))
        return case


TIMES = (0.1, 0.3, 1.0, 3.0)


def _with(steps: Sequence[Any], number: int, step: Any) -> list[Any]:
    return [*steps[:number], step, *steps[number + 1 :]]


def _joined(steps: Sequence[Any]) -> list[Any]:
    """Steps with times beside each other put together."""
    found: list[Any] = []
    for step in steps:
        if found and step[0] == found[-1][0] == "time":
            found[-1] = ["time", round(found[-1][1] + step[1], 3)]
        else:
            found.append(list(step))
    return found
