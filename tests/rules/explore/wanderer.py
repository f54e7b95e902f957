"""A random player of expeditions, and what has to hold after each of its commands: for tests, and for long runs.

python -m tests.rules.explore.wanderer RULESET FIRST COUNT      these seeds; each finding in a line
"""

from __future__ import annotations

import sys
import time
import traceback
from functools import cache
from typing import Any

import msgspec

from game.content import adventures, encounter
from game.content import tables as content
from game.controllers.ai import AiController
from game.fight.advice import Counsel
from game.fight.match import Match
from rules.board.bitboard import cells_of
from rules.contract.actions import Action, Decision, pending
from rules.contract.errors import BattlematError, IllegalActionError
from rules.contract.text import as_builtins
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of
from rules.explore.state import YIELDED
from tests.gate import encounters
from tests.gate.lot import Lot
from tests.gate.seam import canonical

RULESETS = ("olde", "cairn", "countup")
MAPS = ("crypt", "tavern", "goblin_warren", "old_sluice", "ruined_bridge")
ROWS = [
    "##########################",
    "#......#.........#.......#",
    "#......+....~....+.......#",
    "#..##..#....~....#..####.#",
    "#......#.........#.......#",
    "###'#######+##########'###",
    "#......#.........#.......#",
    "#......'....o....+.......#",
    "#......#.........#.......#",
    "##########################",
]
"""Rooms and doors; `exits` in the corner."""
PLACE = [
    {"name": "top", "rows": ["##########", "#........#", "#........#", "#....+...#", "##########"]},
    {"name": "cellar", "rows": ["##########", "#........#", "#..##....#", "#........#", "##########"]},
]
DUTIES = ("", "", "guard", "hunt", "warn")
IDLE = frozenset(("end", "wait", "delay", "ready", "leave", "surrender"))
EXPLORING = frozenset(("ambush", "shout", "stairs", "listen", "parley", "bribe", "demand", "cast", "use", "pick_up"))
"""Drawn more often than what else there is."""
LONG = 4.0
"""Seconds in which one command is done, however much happens by itself after it."""


class Broken(AssertionError):
    """Something doesn't hold."""


def drawn(ruleset: str, seed: int) -> dict[str, Any]:
    """The record of a seed: ground, people, switches."""
    for attempt in range(60):
        lot = Lot(f"wanderer {ruleset} {seed} {attempt}")
        try:
            record = _drawn(lot, ruleset, seed)
            Match.from_record(record)
            return record
        except BattlematError:
            continue
    raise Broken(f"{ruleset} {seed}: no record could be drawn")


def _drawn(lot: Lot, ruleset: str, seed: int) -> dict[str, Any]:
    toss, options = lot.below(100), _options(lot, ruleset)
    if toss < 30:
        found = encounters.drawn("random", ruleset, seed, lot.below(1000))
        if found is None:
            raise BattlematError("nobody found a space")
        record = found.document
        options = {**record["options"], **{k: v for k, v in options.items() if k in ("crawl", "explore")}}
    elif toss < 55:
        record = _sketched(lot, ruleset, PLACE if lot.chance(35) else None)
    elif toss < 85:
        heroes = [lot.pick(list(content.heroes(ruleset))) for _ in range(lot.between(1, 4))]
        foes = [lot.pick(list(content.monsters(ruleset))) for _ in range(lot.between(1, 5))]
        record = dict(encounter.make_encounter(lot.pick(MAPS), heroes, foes, seed, ruleset=ruleset))
    else:
        record = dict(adventures.begun(adventures.adventure("drowned_abbey"), seed, ruleset=ruleset))
        _spread(lot, record)
    record["options"] = options
    frail = lot.chance(35)
    for entry in record["creatures"]:
        entry["controller"] = lot.pick(("human", "ai"))
        if frail and entry["side"] != "captives":
            entry["hp"] = lot.pick((1, 1, 2))
        if entry["side"] == "heroes":
            continue
        if "duty" not in entry and options["crawl"]:
            entry["duty"] = lot.pick(DUTIES)
            if lot.chance(15):
                entry["reserve"] = lot.pick(("first", "second"))
        if lot.chance(12):
            entry["surprised"] = True
    return record


def _options(lot: Lot, ruleset: str) -> dict[str, bool]:
    switches = [s for s in ruleset_of(ruleset).switches if s.name != "sleepers"]  # it came later: the seeds draw on
    found = {s.name: s.default if lot.chance(65) else not s.default for s in switches}
    return {
        **found,
        "sleepers": found["darkness"],
        "crawl": (crawl := lot.chance(85)),
        "explore": True if not crawl else lot.chance(50),
    }


def _sketched(lot: Lot, ruleset: str, place: list[dict[str, Any]] | None) -> dict[str, Any]:
    rows = ROWS if place is None else place[0]["rows"]
    free = [(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "."]
    spots, creatures = lot.shuffled(free), list[dict[str, Any]]()
    for number in range(lot.between(1, 3)):
        template = lot.pick(list(content.heroes(ruleset)))
        creatures.append({"id": f"h{number}", "side": "heroes", "template": template})
    for number in range(lot.between(1, 5)):
        side = "captives" if lot.chance(8) else "monsters"
        creatures.append({"id": f"m{number}", "side": side, "template": lot.pick(list(content.monsters(ruleset)))})
    for entry, at in zip(creatures, spots, strict=False):
        entry["at"] = list(at)
        if place is not None:
            entry["map"] = "top" if entry["id"].startswith("h") or lot.chance(50) else "cellar"
        elif entry["side"] != "heroes" and lot.chance(25):
            entry["patrol"] = [list(at), list(lot.pick(free))]
    ground: dict[str, Any] = {"rows": ROWS, "exits": [[1, 1], [1, 2]]}
    if place is not None:
        ground = {"place": place, "stairs": [[["top", 8, 1], ["cellar", 1, 1]], [["top", 1, 3], ["cellar", 8, 3]]]}
    form = "battlemat/1" if place is None else "battlemat/2"
    return {"format": form, "ruleset": ruleset, "map": ground, "seed": lot.below(1 << 40), "options": {},
            "creatures": creatures, "commands": []}  # fmt: skip


def _spread(lot: Lot, record: dict[str, Any]) -> None:
    """Now and then the heroes begin deep inside, near somebody."""
    if lot.chance(50):
        others = [entry["at"] for entry in record["creatures"] if entry["side"] == "monsters"]
        near = lot.pick(others)
        for number, hero in enumerate(entry for entry in record["creatures"] if entry["side"] == "heroes"):
            hero["at"] = [near[0] + (-2, 2, -3, 3)[number % 4], near[1] + lot.between(-2, 2)]


class Wanderer:
    """A player of a match who does anything that is legal, and looks at all that comes of it."""

    def __init__(self, record: dict[str, Any], name: str, *, look: int = 1) -> None:
        self.lot, self.name, self.look = Lot(f"player {name}"), name, look
        self.match = Match.from_record(record)
        self.computer = {side: AiController() for side in {entry["side"] for entry in record["creatures"]}}
        self.counsel = Counsel(self.match)
        self.bold = self.lot.pick((20, 50, 80))
        self.slowest = 0.0
        self.done: dict[str, int] = {}
        self._watch()

    # -- play

    def play(self, most: int) -> int:
        """So many commands, unless the evening ends before; how many."""
        for number in range(most):
            decisions = self.match.decisions
            if not decisions:
                if self.match.over is None:
                    self.wrong("nobody has anything to decide and it is not over")
                return number
            if self.match.over is not None:
                self.wrong("it is over, and somebody is asked")
            if number % 37 == 36 and self.lot.chance(50):
                self._back()
                continue
            self._turn(decisions)
        return most

    def _turn(self, decisions: tuple[Decision, ...]) -> None:
        decision = pending(decisions)
        assert decision is not None
        if self.lot.chance(20):
            decision = self.lot.pick(decisions)
        legal = self.match.legal(decision)
        kinds: dict[str, list[Action]] = {}
        for action in legal:
            kinds.setdefault(action.do, []).append(action)
        if not kinds:
            self.wrong(f"{decision.by} ({decision.kind}) is asked and may do nothing")
        if self.lot.chance(self.look * 15):
            self._asked(decision, legal, kinds)
        if self.lot.chance(self.bold):
            action = self._thought(decision, legal)
        else:
            action = self._any(kinds)
        self._does(decision, legal, action)

    def _thought(self, decision: Decision, legal: Any) -> Action:
        """As the game asks the computer, or a mind that remembers nothing."""
        rules, state = self.match.ruleset, self.match.state
        if self.lot.chance(50) and self.match.decision == decision:
            action = self.counsel.advise(decision)
            if why := legal.refusal(action):
                self.wrong(f"the computer does what is refused: {self.told(action)}: {why}")
            return action
        mind = self.computer.get(decision.side) or AiController()
        action = mind.choose(rules, rules.observe(state, decision.side), decision, legal)
        if why := legal.refusal(action):
            self.wrong(f"the computer chooses what is refused: {self.told(action)}: {why}")
        return action

    def _any(self, kinds: dict[str, list[Action]]) -> Action:
        lively = sorted(set(kinds) - IDLE) or sorted(kinds)
        special = sorted(EXPLORING & set(kinds))
        toss = self.lot.below(100)
        words = special if special and toss < 20 else lively if toss < 85 else sorted(kinds)
        return self.lot.pick(kinds[self.lot.pick(words)])

    def _does(self, decision: Decision, legal: Any, action: Action) -> None:
        if action not in legal or legal.refusal(action) is not None:
            self.wrong(f"offered and refused: {self.told(action)}: {legal.refusal(action)}")
        self.done[action.do] = self.done.get(action.do, 0) + 1
        began = time.process_time()
        try:
            self.match.act(decision, action)
        except BattlematError as error:
            self.wrong(f"offered and refused by apply: {self.told(action)}: {error}")
        except Exception as error:
            self.wrong(f"{self.told(action)} raises {error!r}\n{traceback.format_exc(limit=-6)}")
        took = time.process_time() - began
        self.slowest = max(self.slowest, took)
        if took > LONG:
            self.wrong(f"{self.told(action)} takes {took:.1f} s")
        self._watch()

    def _back(self) -> None:
        """Go back to any command and take the other line up, or go on from there."""
        history, was = self.match.history, canonical(self.match.ruleset.summary(self.match.state))
        to = self.lot.below(history.length) if history.length else 0
        if to == history.length:
            return
        history.rewind(to)
        if len(self.match.record.commands) != to:
            self.wrong(f"rewound to {to}, but {len(self.match.record.commands)} commands stand")
        if self.lot.chance(60):
            history.switch(len(self.match.record.branches) - 1)
            if canonical(self.match.ruleset.summary(self.match.state)) != was:
                self.wrong(f"rewound to {to} and back: not where it was")

    # -- what holds

    def _asked(self, decision: Decision, legal: Any, kinds: dict[str, list[Action]]) -> None:
        """Offers, odds and descriptions of what may be done; and what may not be."""
        rules, state = self.match.ruleset, self.match.state
        for offer in legal.offers():
            if not offer.actions and not offer.inside and offer.refused is None:
                self.wrong(f"the button {offer.do} has neither actions nor a reason")
            for action in offer.actions[:2]:
                if why := legal.refusal(action):
                    self.wrong(f"the button {offer.do} offers what is refused: {self.told(action)}: {why}")
        for do in sorted(kinds):
            action = self.lot.pick(kinds[do])
            if action not in legal or legal.refusal(action) is not None:
                self.wrong(f"listed and refused: {self.told(action)}: {legal.refusal(action)}")
            try:
                self._odds(action)
                as_builtins(rules.describe(state, action))
                rules.area(state, action)
                self._tried(decision, legal, self._altered(action))
                if self.lot.chance(30):
                    rules.apply(state, decision, action)
            except Broken:
                raise
            except Exception as error:
                self.wrong(f"asked about {self.told(action)}: {error!r}\n{traceback.format_exc(limit=-6)}")

    def _odds(self, action: Action) -> None:
        odds = self.match.ruleset.odds(self.match.state, action)
        if odds is None:
            return
        shares = [odds.hit, *(p for _, p in odds.outcomes), *(p for _, p in odds.damage), *(p for _, p in odds.along)]
        if not all(-1e-9 <= p <= 1 + 1e-9 for p in shares):
            self.wrong(f"odds beyond 0 and 1: {self.told(action)}: {odds}")
        if odds.outcomes and abs(sum(p for _, p in odds.outcomes) - 1) > 1e-6:
            self.wrong(f"outcomes don't sum to 1: {self.told(action)}: {odds.outcomes}")
        if odds.damage and abs(sum(p for _, p in odds.damage) - 1) > 1e-6:
            self.wrong(f"damage doesn't sum to 1: {self.told(action)}: {odds.damage}")

    def _altered(self, action: Action) -> Action:
        """The action with one thing about it changed, mostly to what makes no sense."""
        ids = [entry["id"] for entry in self.match.record.creatures]
        cells = self.match.field.width * self.match.field.height
        changes = {
            "by": lambda: self.lot.pick(ids), "target": lambda: self.lot.pick([*ids, "nobody"]),
            "at": lambda: self.lot.below(cells), "path": lambda: (*action.path, self.lot.below(cells)),
            "option": lambda: self.lot.pick(("", "north", "x")), "item": lambda: self.lot.pick(("torch", "x")),
            "weapon": lambda: "x", "do": lambda: self.lot.pick(("stairs", "walk", "pick_up", "parley", "x", "demand")),
            "items": lambda: ("x",),
        }  # fmt: skip
        field = self.lot.pick(sorted(changes))
        return msgspec.structs.replace(action, **{field: changes[field]()})

    def _tried(self, decision: Decision, legal: Any, action: Action) -> None:
        why = legal.refusal(action)
        if (why is None) != (action in legal):
            self.wrong(f"refusal says {why}, and membership otherwise: {self.told(action)}")
        try:
            self.match.ruleset.apply(self.match.state, decision, action)
        except IllegalActionError as error:
            if why is None:
                self.wrong(f"legal and refused by apply: {self.told(action)}: {error}")
            if "\n" in str(error) or not str(error):
                self.wrong(f"a refusal of more than a line: {error}")
        else:
            if why is not None:
                self.wrong(f"refused, and yet it can be done: {self.told(action)}: {why}")

    def _watch(self) -> None:
        """After a command: nobody on another's space, all can be shown and told, nobody learns what is hidden."""
        rules, state, match = self.match.ruleset, self.match.state, self.match
        self._standing()
        last = match.history.moments[-2].events if match.history.length else 0
        for event in match.events[last:]:
            try:
                rules.tell(state, event)
                canonical(as_builtins(event))
            except Exception as error:
                self.wrong(f"{event} can't be told: {error!r}")
        if not self.lot.chance(self.look * 12):
            return
        try:
            board = rules.board(state)
            rules.summary(state)
            rules.sheet(state, self.lot.pick([m.id for m in board.miniatures] or [match.record.creatures[0]["id"]]))
            for side in sorted(self.computer):
                self._known(side)
        except Broken:
            raise
        except Exception as error:
            self.wrong(f"shown: {error!r}\n{traceback.format_exc(limit=-6)}")

    def _standing(self) -> None:
        state = self.match.state
        bodies = _bodies(self.match.record.ruleset)(state)
        exploring = state.explore
        over: dict[int, int] = {}
        for who, figure in enumerate(state.figures):
            if figure.cell < 0 or not _up(self.match.record.ruleset, state, who):
                continue
            if exploring is not None and who < len(exploring.parked) and exploring.parked[who] >= 0:
                if not _at_peace(exploring, who):
                    self.wrong(f"{bodies[who].id} stands on the board and is parked at once")
            for cell in cells_of(state.terrain.footprint(figure.cell, bodies[who].space)):
                if cell in over and not self._may_share(over[cell], who):
                    self.wrong(f"{bodies[who].id} and {bodies[over[cell]].id} stand on {self.match.field.at(cell)}")
                over[cell] = who
        if exploring is not None and self.match.decisions and self.match.decisions[0].kind == "explore":
            for who, cell in enumerate(exploring.parked):
                if cell >= 0 and _up(self.match.record.ruleset, state, who) and not _at_peace(exploring, who):
                    self.wrong(f"{bodies[who].id} is parked while everybody explores")

    def _may_share(self, one: int, other: int) -> bool:
        """Under Dungeons of Olde two enemies may fight hand to hand on one space, and who comes to may lie below
        somebody who had gone there meanwhile."""
        state = self.match.state
        if self.match.record.ruleset != "olde":
            return False
        bodies = _bodies("olde")(state)
        lies = any(state.figures[who].posture == "prone" for who in (one, other))
        return lies or bodies[one].side != bodies[other].side

    def _known(self, side: str) -> None:
        """What a side knows can be shown, and holds nobody whom it doesn't see."""
        rules, state = self.match.ruleset, self.match.state
        known = rules.observe(state, side)
        board = rules.board(known)
        rules.summary(known)
        sees = rules.sees(state, side)
        bodies = _bodies(self.match.record.ruleset)(state)
        for who, figure in enumerate(known.figures):
            if bodies[who].side == side or not self.match.record.options.get("fog"):
                continue
            if figure.cell >= 0 and not state.terrain.footprint(figure.cell, bodies[who].space) & sees:
                self.wrong(f"{side} knows where {bodies[who].id} is, unseen")
        if known.explore is not None:
            for who, cell in enumerate(known.explore.parked):
                yielded = cell >= 0 and known.explore.attitude[who] == YIELDED and sees >> cell & 1  # it is seen there
                if cell >= 0 and bodies[who].side != side and not yielded:
                    self.wrong(f"{side} knows where {bodies[who].id} is parked")
        shown = {m.id for m in board.miniatures}
        for who, figure in enumerate(known.figures):
            if figure.cell < 0 and bodies[who].side != side and bodies[who].id in shown:
                self.wrong(f"{side} is shown {bodies[who].id}, which it doesn't see")

    def replayed(self) -> None:
        """The record, written and read, leads to the same state."""
        text = self.match.record.model_dump_json()
        again = Match.from_record(records.Record.model_validate_json(text))
        rules = self.match.ruleset
        if canonical(rules.summary(again.state)) != canonical(rules.summary(self.match.state)):
            self.wrong("the record, loaded, leads elsewhere")
        if [_plain(e) for e in again.events] != [_plain(e) for e in self.match.events]:
            self.wrong("the record, loaded, tells something else")

    # -- words

    def told(self, action: Action) -> str:
        return canonical(as_builtins(records.command_of(action, self.match.field).model_dump(exclude_defaults=True)))

    def wrong(self, what: str) -> None:
        raise Broken(f"{self.name}, command {len(self.match.record.commands)}: {what}")


def _plain(event: Any) -> Any:
    found = as_builtins(event)
    if found.get("action") == "attack":  # left out where it is the very default, and written where a file said it
        del found["action"]
    return found


@cache
def _course(ruleset: str) -> Any:
    if ruleset == "cairn":
        from rules.cairn.explore.turns import TURNS

        return TURNS
    if ruleset == "olde":
        from rules.olde.explore.minutes import MINUTES

        return MINUTES
    from rules.countup.explore.minutes import MINUTES as SECONDS

    return SECONDS


def _bodies(ruleset: str) -> Any:
    return _course(ruleset).bodies


def _up(ruleset: str, state: Any, who: int) -> bool:
    return bool(_course(ruleset).up(state, who))


def _at_peace(exploring: Any, who: int) -> bool:
    """Bribed or won over, it is off the board for good."""
    return bool(exploring.attitude[who] >= 2)


def main() -> None:
    ruleset, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    most = int(sys.argv[4]) if len(sys.argv) > 4 else 250
    total, ended = 0, 0
    for seed in range(first, first + count):
        wanderer = None
        began = time.process_time()
        try:
            wanderer = Wanderer(drawn(ruleset, seed), f"{ruleset} {seed}")
            played = wanderer.play(most)
            total, ended = total + played, ended + (wanderer.match.over is not None)
            wanderer.replayed()
        except Exception as error:
            told = str(error) if isinstance(error, Broken) else traceback.format_exc(limit=-8)
            print(f"FOUND {ruleset} {seed}: {told}", flush=True)
        took = time.process_time() - began
        if took > 40:
            print(f"SLOW {ruleset} {seed}: {took:.0f} s", flush=True)
        if seed % 20 == 19:
            print(f"so far {ruleset} {seed}: {total} commands, {ended} ended", flush=True)
    print(f"DONE {ruleset} {first}+{count}: {total} commands, {ended} ended", flush=True)


if __name__ == "__main__":
    main()
