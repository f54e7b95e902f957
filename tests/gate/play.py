"""Fights played through to a sink: at random, by the computer, or as records have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.gate import encounters, seam
from tests.gate.digests import FAILED, Sink, figures, rounded, words
from tests.gate.encounters import Encounter
from tests.gate.lot import Lot
from tests.gate.pools import kept
from tests.gate.seam import DieNeeded, Refused, Table, canonical

FIERCE = frozenset(
    (
        "attack", "rushed_attack", "all_out_attack", "aimed_shot", "shoot", "cast", "use", "tackle", "choose",
        "hold_at_bay", "knock_aside", "manoeuvre",
    )
)  # fmt: skip
"""Commands that are drawn rather than others: they bring the dice out."""
WORKS = frozenset(
    (
        "open", "close", "lock", "unlock", "take_key", "pick_lock", "force", "climb", "swim", "first_aid",
        "reset_crossbow", "shield_block", "light", "douse", "bandage", "help", "steady", "break_free",
        "pick_up", "call_for_help", "guide", "assist", "recover", "bind", "meal", "avert",
    )
)  # fmt: skip
"""What is seldom to be done, and drawn the more often where it is."""
IDLE = frozenset(
    (
        "end", "hold", "clear", "policy", "ready", "drop_item", "flee", "leave", "resolve", "turn", "flop", "drop",
        "kneel", "camp", "shout", "ambush",
    )
)  # fmt: skip
"""Those that are drawn less often."""
ATTEMPTS = 400
CIRCLES = 4
"""So often the computer may do the same and come to the same state; then its fight stands still."""
_NONSENSE = ("nobody", "unarmed", "bite", "prone", "longsword", "9", "jab")


class Fight:
    """A fight under way: the table, what was done so far, and the faces thrown by hand."""

    def __init__(self, table: Table, encounter: Encounter, throws: list[int | None] | None, hand: Lot) -> None:
        self.table, self.encounter, self.throws, self._hand = table, encounter, throws, hand
        self.commands: list[Any] = []
        self.still = False
        """It went round in circles and was broken off."""
        self.ids = [creature["id"] for creature in encounter.document["creatures"]]

    def record(self) -> Any:
        """The whole fight as a record document."""
        document: dict[str, Any] = {**self.encounter.document, "commands": self.commands}
        return document if self.throws is None else {**document, "throws": self.throws}

    def act(self, action: Any, command: str) -> None:
        """Apply an action; dice by hand are thrown as they are asked for. Raises Refused."""
        while True:
            try:
                self.table.apply(action, self.throws)
                break
            except DieNeeded as needed:
                assert self.throws is not None
                self.throws.append(_face(self._hand, needed.faces))
        self.commands.append(seam.parsed(command))


def _face(hand: Lot, faces: int) -> int | None:
    return None if hand.chance(50) else hand.between(1, faces)


def begun(kind: str, ruleset: str, seed: int) -> Fight:
    """The fight of a seed at its start: the first of its attempts that the rules take."""
    for attempt in range(ATTEMPTS):
        encounter = encounters.drawn(kind, ruleset, seed, attempt)
        if encounter is None:
            continue
        hand = Lot(f"hand {ruleset} {seed}")
        throws: list[int | None] | None = [] if encounter.by_hand else None
        while True:
            try:
                return Fight(Table(encounter.document, throws), encounter, throws, hand)
            except DieNeeded as needed:
                assert throws is not None
                throws.append(_face(hand, needed.faces))
            except Refused:
                break
    raise Refused(f"{ruleset} {seed}: none of {ATTEMPTS} encounters can be begun")


def asked(sink: Sink, kind: str, question: Callable[[], Any]) -> Any:
    """Put an answer into the sink; where the program fails, that it did. Returns the answer."""
    try:
        answer = question()
    except Refused as refused:
        sink.put(kind, "refused")
        sink.put("story", str(refused))
        return None
    except Exception as error:
        sink.put(kind, f"{FAILED}{type(error).__name__}")
        return None
    sink.put(kind, answer)
    return answer


# -- at random


def at_random(ruleset: str, seed: int, sink: Sink) -> Fight:
    """A random fight. What is drawn hangs on the commands, not on the order in which the rules list them."""
    fight = begun("random", ruleset, seed)
    lot, probe = Lot(f"player {ruleset} {seed}"), Lot(f"probe {ruleset} {seed}")
    table = fight.table
    sink.put("events", fight.encounter.document)
    _happened(sink, table)
    worth = 0  # commands that were drawn out of several kinds: those are what a fight's length is measured by
    for number in range(2 * fight.encounter.length):
        decisions = table.decisions()
        if not decisions or worth == fight.encounter.length:
            break
        sink.put("legal", decisions)
        if number % 5 == 0:
            sink.put("story", table.prompts())
        by = table.pending()
        if lot.chance(15):
            by = lot.pick(sorted({decision["by"] for decision in decisions}))
        legal = table.legal(by)
        worth += len(legal.kinds) > 1
        sink.put("legal", {do: len(actions) for do, actions in legal.kinds.items()})
        listed = {do: legal.commands(do) for do in legal.kinds} if number % 3 == 0 else {}
        sink.put("legal", sorted(command for commands in listed.values() for command, _ in commands))
        _probed(sink, probe, fight, legal, number)
        command, action = _drawn(lot, fight, legal, by)
        command, action = _otherwise(sink, lot, fight, ruleset, command, action)
        sink.turn(number, command)
        if not _done(sink, fight, action, command):
            break
        _happened(sink, table)
    _looked(sink, probe, fight)
    return fight


def _done(sink: Sink, fight: Fight, action: Any, command: str) -> bool:
    """Whether the command went through; where not, the sink knows how it failed."""
    try:
        fight.act(action, command)
    except Refused as refused:
        sink.put("events", "refused")
        sink.put("story", str(refused))
        return False
    except Exception as error:
        sink.put("events", f"{FAILED}{type(error).__name__}")
        return False
    return True


def _happened(sink: Sink, table: Table) -> None:
    for event in table.events():
        sink.put("events", event)
    asked(sink, "story", table.told)
    asked(sink, "state", table.summary)


def _drawn(lot: Lot, fight: Fight, legal: seam.Legal, by: str) -> tuple[str, Any]:
    """A command out of the legal ones."""
    kinds = sorted(legal.kinds)
    fierce = [do for do in kinds if do in FIERCE]
    ways = [do for do in kinds if do in legal.ways]
    works = [do for do in kinds if do in WORKS]
    toss = lot.below(100)
    if works and toss < 15:
        return lot.pick(legal.commands(lot.pick(works)))
    if fierce and toss < 55:
        return lot.pick(legal.commands(lot.pick(fierce)))
    if ways and toss < 75:
        return _nearer(lot, fight, legal.commands(lot.pick(ways)), by)
    lively = [do for do in kinds if do not in IDLE] or [do for do in kinds if do == "end"] or kinds
    return lot.pick(legal.commands(lot.pick(lively if lot.chance(75) else kinds)))


def _nearer(lot: Lot, fight: Fight, commands: list[tuple[str, Any]], by: str) -> tuple[str, Any]:
    """A way that ends as near to a foe as any."""
    people = fight.table.creatures()
    mine = {side for name, side, _, _ in people if by in (name, side)}
    foes = [at for _, side, at, able in people if able and side not in mine]
    if not foes:
        return lot.pick(commands)

    def gap(command: str) -> int:
        x, y = (int(each) for each in seam.parsed(command).get("path", [[0, 0]])[-1])
        return min(max(abs(x - fx), abs(y - fy)) for fx, fy in foes)

    gaps = [gap(command) for command, _ in commands]
    return lot.pick([pair for pair, each in zip(commands, gaps, strict=True) if each == min(gaps)])


def _otherwise(sink: Sink, lot: Lot, fight: Fight, ruleset: str, command: str, action: Any) -> tuple[str, Any]:
    """Now and then something that nobody listed: a call of the game master's, or a command that was altered.

    Whether it may be done is a matter of the rules; it is done in place of the other if so.
    """
    calls = kept()[ruleset]["calls"]
    toss = lot.below(100)
    if toss < 4 and calls:
        other = _call(lot, fight, calls)
    elif toss < 14:
        other = _altered(lot, fight, seam.parsed(command))
    else:
        return command, action
    try:
        refusal = fight.table.refusal(other)
    except Exception as error:
        refusal = f"{FAILED}{type(error).__name__}"
    sink.put("legal", [other, refusal is None, (refusal or "").startswith(FAILED)])
    if refusal is not None:
        sink.put("story", refusal)
        return command, action
    return canonical(other), fight.table.action(other)


def _call(lot: Lot, fight: Fight, calls: Any) -> Any:
    do = lot.pick(sorted(calls))
    call = calls[do]
    found = {"by": "gm", "do": do, "target": lot.pick(fight.ids), "option": lot.pick(call["words"])}
    if call["rated"]:
        found |= {"rating": lot.between(1, 21)}
        if lot.chance(30):
            found |= {"advantage": lot.pick((1, -1))}
    if call["opposed"]:
        found |= {"against": lot.pick(fight.ids), "resists": lot.pick(call["words"])}
    return found


def _altered(lot: Lot, fight: Fight, command: Any) -> Any:
    """The command with one thing about it changed."""
    found = dict(command)
    field = lot.pick(sorted({*found, "target", "weapon", "option"}))
    if field in ("by", "target", "against"):
        found[field] = lot.pick(fight.ids)
    elif field == "path":
        x, y = found["path"][-1]
        found["path"] = [*found["path"], [max(0, x + lot.between(-1, 1)), max(0, y + lot.between(-1, 1))]]
    elif field == "at":
        x, y = found["at"]
        found["at"] = [max(0, x + lot.between(-1, 1)), max(0, y + lot.between(-1, 1))]
    elif field == "do":
        found["do"] = lot.pick(sorted(FIERCE))
    elif isinstance(found.get(field), int):
        found[field] += lot.between(-1, 1)
    elif field == "items":
        found["items"] = found["items"][:-1]
    else:
        found[field] = lot.pick(_NONSENSE)
    return found


def _probed(sink: Sink, probe: Lot, fight: Fight, legal: seam.Legal, number: int) -> None:
    """Ask the table about this and that, each so many commands."""
    table = fight.table
    if number % 3 == 1:
        kinds = sorted(legal.kinds)
        fierce = [do for do in kinds if do in FIERCE]
        command, action = probe.pick(legal.commands(probe.pick(fierce if fierce and probe.chance(75) else kinds)))
        sink.put("odds", command)
        found = _quietly(lambda: rounded(table.odds(action)))
        sink.put("odds", figures(found))
        sink.put("story", words(found))
        asked(sink, "story", lambda: table.described(action))
    if number % 6 == 2:
        _looked(sink, probe, fight)
    if number % 9 == 4:
        asked(sink, "story", legal.offers)
    if number % 7 == 3:
        for side in sorted({creature["side"] for creature in fight.encounter.document["creatures"]}):
            sink.put("known", figures(_quietly(partial(table.known, side))))


def _looked(sink: Sink, probe: Lot, fight: Fight) -> None:
    """Board and one sheet: their figures are state, their words story."""
    creature = probe.pick(fight.ids)
    for found in (_quietly(fight.table.board), _quietly(lambda: fight.table.sheet(creature))):
        sink.put("state", figures(found))
        sink.put("story", words(found))


def _quietly(question: Callable[[], Any]) -> Any:
    """The answer, or that the program failed."""
    try:
        return question()
    except Exception as error:
        return f"{FAILED}{type(error).__name__}"


# -- by the computer, and from records


def by_computer(ruleset: str, seed: int, sink: Sink) -> Fight:
    """A fight of the computer against itself."""
    fight = begun("computer", ruleset, seed)
    table, tempers = fight.table, fight.encounter.tempers
    sides = sorted({creature["side"] for creature in fight.encounter.document["creatures"]})
    players = {side: seam.computer(tempers[n % len(tempers)]) for n, side in enumerate(sides)}
    sink.put("events", fight.encounter.document)
    for event in table.events():
        sink.put("events", event)
    rounds: Counter[str] = Counter()
    for number in range(fight.encounter.length):
        decisions = table.decisions()
        if not decisions:
            break
        by = table.pending()
        side = next(decision["side"] for decision in decisions if decision["by"] == by)
        try:
            action = table.computer(players.get(side) or players[sides[0]], by)
        except Exception as error:
            sink.put("commands", f"{FAILED}{type(error).__name__}")
            break
        command = canonical(seam.command(action, table.field))
        sink.turn(number, command)
        sink.put("commands", command)
        if not _done(sink, fight, action, command):
            break
        for event in table.events():
            sink.put("events", event)
        here = command + canonical(asked(sink, "state", table.summary))
        rounds[here] += 1
        if rounds[here] == CIRCLES:
            fight.still = True
            break
    return fight


def of_record(path: Path, sink: Sink) -> int:
    """A record's fight; returns how many commands it has."""
    number = -1
    try:
        for number, events, told, summary in seam.replayed(path):
            sink.turn(number, "")
            for event in events:
                sink.put("events", event)
            sink.put("story", told)
            sink.put("state", summary)
    except Refused as refused:
        sink.put("events", "refused")
        sink.put("story", str(refused))
    return number + 1
