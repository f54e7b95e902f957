"""`python -m tests.abbey.rooms`: each room's fight cut out of an adventure and played many times, under every ruleset.

    python -m tests.abbey.rooms --ruleset cairn --room Gatehouse --runs 50

The adventure's ready heroes stand at the room's door, fresh and with their lights lit, and fall upon who is there; with
`--openly` nobody of the room sleeps, and they call them out. Doors of the room are open. Who hears it or is run to for
help comes, as on any evening. A fight is won when somebody of the heroes is up and nobody of the room is any more, or
is left in it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

import msgspec

from game.content import adventures
from game.content.encounter import MONSTERS, Record
from game.controllers.ai import AiController
from game.controllers.ai.delving import exploring_of, hostile
from game.controllers.ai.delving.view import asleep
from game.forecast.play import Opening, Trial, begin, run_seed
from game.maps import place
from rules.board.bitboard import cells_of, first_of
from rules.board.fixtures import DoorState
from rules.board.grid import Field
from rules.board.places import Room
from rules.contract.actions import Action, pending
from rules.contract.display import Board, Miniature
from rules.contract.events import Began
from rules.contract.ruleset import PARTY, State
from rules.contract.units import Bitboard, Cell
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of
from rules.explore.goals import is_bound
from rules.explore.state import Attitude

ADVENTURE = "drowned_abbey"
MOST = 3_000
"""Commands after which a fight is broken off."""
AGAIN, WAITED = 4, 60
"""How often the heroes strike, and how often one of them looks on, before it is lost time."""
NEAR = 4
"""Spaces from which they strike."""
LURKING = ("hidden", "lurks", "stealth")
"""Fields of stat blocks by which somebody lies in wait; here everybody is seen."""


class Fight(msgspec.Struct, frozen=True):
    """What became of one fight for a room."""

    fought: bool
    """Whether it came to one: where nobody sees anybody it does not."""
    won: bool
    lost: float
    """The share of the party's life that is gone."""
    left: int
    """Heroes who can go on."""


class Tally(msgspec.Struct, frozen=True):
    """What became of all of them."""

    room: str
    ruleset: str
    fights: tuple[Fight, ...]

    @property
    def wins(self) -> float:
        """The share that was won."""
        return sum(each.won for each in self.fights) / max(1, len(self.fights))

    def mean(self, what: str) -> float:
        """The mean of a figure of `Fight`."""
        return sum(float(getattr(each, what)) for each in self.fights) / max(1, len(self.fights))


@cache
def ground(name: str) -> Field:
    """The sheet of an adventure's place."""
    maps, problems = place.followed(adventures.maps_of(adventures.adventure(name))[0])
    assert not problems
    source = records.MapModel.model_validate({"place": [{"tmx": each.path.name} for each in maps]})
    return place.joined(maps, source).field


def residents(field: Field, record: Record, room: Room) -> list[str]:
    """The ids of those who stand in a room and are nobody's friends."""
    there = [each for each in record["creatures"] if each["side"] == MONSTERS and "reserve" not in each]
    return [each["id"] for each in there if room.cells >> field.cell(*each["at"]) & 1]


def doorway(field: Field, room: Room, foes: Sequence[Cell]) -> list[Cell]:
    """The spaces of a room in the order in which heroes take them: near enough to strike, then nearest to the door by
    which one comes in, which is that of the shortest way from the way out, without secret doors where there is one."""
    known = sum(1 << n for n, door in enumerate(field.doors) if door.state != DoorState.SECRET)
    over: dict[Cell, list[Cell]] = {}
    for stair in field.stairs:
        over.setdefault(stair.cell, []).append(stair.to)
    for open_doors in (known, (1 << len(field.doors)) - 1):
        terrain = field.terrain(open_doors)
        reached, layer = field.exits, cells_of(field.exits)
        while layer and not reached & room.cells:
            ahead: list[Cell] = []
            for cell in layer:
                for there in (*(near for near, _ in terrain.neighbours(cell)), *over.get(cell, ())):
                    if not reached >> there & 1:
                        reached |= 1 << there
                        ahead.append(there)
            layer = ahead
        if reached & room.cells:
            first = first_of(Bitboard(reached & room.cells))
            inside = cells_of(Bitboard(room.cells & ~terrain.blocked))
            away = {cell: min((terrain.distance(cell, foe) for foe in foes), default=0) for cell in inside}
            return sorted(inside, key=lambda cell: (max(NEAR, away[cell]), terrain.distance(first, cell), cell))
    return []


def cut_out(name: str, ruleset: str, room: Room, *, awake: bool = False) -> Record:
    """The adventure with its heroes at the door of a room: bands and other levels left out, nobody in hiding, and if
    so wanted nobody of the room asleep."""
    field = ground(name)
    record = adventures.begun(adventures.adventure(name), 1, ruleset=ruleset)
    rows = level_rows(field, room)
    folk = [each for each in record["creatures"] if each["side"] == PARTY or here(each, rows)]
    taken = {field.cell(*each["at"]) for each in folk if each["side"] != PARTY}
    heroes = [each for each in folk if each["side"] == PARTY]
    own = residents(field, record, room)
    foes = [field.cell(*each["at"]) for each in folk if each["id"] in own]
    free = [cell for cell in doorway(field, room, foes) if cell not in taken]
    for hero, cell in zip(heroes, free[: len(heroes)], strict=True):
        hero["at"] = list(field.at(cell))
    known = ruleset_of(ruleset).stat_block.model_fields
    seen = {field: "" if field == "stealth" else False for field in LURKING if field in known}
    folk = [{**each, **seen} if each["side"] == MONSTERS else each for each in folk]
    if awake:
        folk = [{**each, "asleep": False} if each["id"] in own else each for each in folk]
    wide = room.cells | room.cells << 1 | room.cells >> 1
    edge = wide | wide << field.width | wide >> field.width
    doors = {each.id: "open" for each in field.doors if edge >> each.cell & 1 and each.state != DoorState.SECRET}
    return {**record, "map": {**record["map"], "doors": doors} if doors else record["map"], "creatures": folk}


def level_rows(field: Field, room: Room) -> range:
    """The rows of the sheet that a room's level has."""
    row = first_of(room.cells) // field.width
    own = next(part for part in reversed(field.maps) if part.top <= row)
    return range(own.top, own.top + own.rows)


def here(entry: Record, rows: range) -> bool:
    """Whether somebody stands on a level from the start."""
    return entry["at"][1] in rows and "reserve" not in entry


def play(where: Opening, foes: Sequence[str], room: Room, seed: int, *, openly: bool = False) -> Fight:
    """One fight for a room, from the blow that the heroes strike until it is quiet. Determined by its arguments."""
    ruleset, state = where.ruleset, begin(where, seed).state
    players: dict[str, AiController] = {}
    ready: set[str] = set()
    first = pending(ruleset.decisions(state))
    begun = int(first is not None and first.kind != "explore")  # they see each other at once
    quiet = 0
    for _ in range(MOST):
        decision = pending(ruleset.decisions(state))
        if decision is None:
            break
        legal = ruleset.legal(state, decision)
        if decision.kind == "explore":
            if begun and not there(state, ruleset.board(state), foes, room):
                break  # the room is theirs
            action = before(legal, decision.by not in ready, openly=openly and not begun)
            quiet += 1
            if begun >= AGAIN or quiet > WAITED or (begun and action.do != "ambush"):
                break  # it is quiet, and nobody is in sight any more
            ready.add(decision.by)
        else:
            player = players.setdefault(decision.side, AiController())
            action = player.choose(ruleset, ruleset.observe(state, decision.side), decision, legal)
        state, events = ruleset.apply(state, decision, action)
        begun += any(isinstance(each, Began) and each.what == "fight" for each in events)
    return judged(state, ruleset.board(state), foes, room, fought=bool(begun))


def before(legal: Iterable[Action], first: bool, *, openly: bool) -> Action:
    """What a hero does where nobody fights: lights up at first, then strikes, or calls them out."""
    words = ("light", "end") if first else ("shout", "end") if openly else ("ambush", "shout", "end")
    some = list(legal)
    return next((each for word in words for each in some if each.do == word), some[0])


def there(state: State, board: Board, foes: Sequence[str], room: Room) -> list[Miniature]:
    """Who of a room is in it, up, and the heroes' foe."""
    folk = [mini for mini in board.miniatures if mini.id in foes and mini.cell >= 0 and hostile(state, mini, PARTY)]
    return [mini for mini in folk if room.cells >> mini.cell & 1]


def judged(state: State, board: Board, foes: Sequence[str], room: Room, *, fought: bool) -> Fight:
    """What came of a fight, by how things stand when it is quiet: who sleeps on or has given up is no foe, but one who
    only holds back, since neither side came to the other, has kept its room."""
    heroes = [mini for mini in board.miniatures if mini.side == PARTY and not is_bound(mini)]
    up = sum(not mini.out for mini in heroes)
    left = [mini for mini in board.miniatures if mini.id in foes and _keeps(state, mini, room)]
    life = sum(max(0, mini.life) for mini in heroes) / max(1, sum(mini.most for mini in heroes))
    return Fight(fought, up > 0 and not left, 1 - life, up)


def _keeps(state: State, mini: Miniature, room: Room) -> bool:
    """Whether a foe that has met the heroes is up and awake in its room."""
    if mini.out or mini.cell < 0 or not room.cells >> mini.cell & 1 or asleep(mini):
        return False
    now, setup = exploring_of(state), getattr(state, "setup", None)
    if now is None or setup is None:
        return True
    who = setup.index[mini.id]
    if now.attitude[who] in (Attitude.HOSTILE, Attitude.HOLDS_BACK):
        return True
    return bool(now.roused >> who & 1) and hostile(state, mini, PARTY)


def tally(name: str, runs: int, openly: bool, task: tuple[str, Room]) -> Tally | None:
    """All fights for a room under a ruleset; None where nobody stands there."""
    ruleset, room = task
    record = cut_out(name, ruleset, room, awake=openly)
    foes = residents(ground(name), record, room)
    if not foes:
        return None
    where = Trial.of(records.read(record)).opening()
    played = (play(where, foes, room, run_seed(1, number), openly=openly) for number in range(runs))
    fights = tuple(each for each in played if each.fought)
    return Tally(room.name, ruleset, fights)


def told(tallies: Sequence[Tally]) -> list[str]:
    """A table in Markdown: a row for each room; under each ruleset wins, heroes left, the share of life spent."""
    rulesets = [name for name in RULESETS if any(each.ruleset == name for each in tallies)]
    known = {(each.room, each.ruleset): each for each in tallies}
    lines = ["| room | " + " | ".join(f"{name}: won, left, spent" for name in rulesets) + " |"]
    lines.append("|---|" + "---|" * len(rulesets))
    for room in dict.fromkeys(each.room for each in tallies):
        found = [known.get((room, name)) for name in rulesets]
        cells = [
            f"{each.wins:.0%}, {each.mean('left'):.1f}, {each.mean('lost'):.0%}" if each is not None else "–"
            for each in found
        ]
        lines.append(f"| {room} | " + " | ".join(cells) + " |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.abbey.rooms", description=__doc__)
    parser.add_argument("--adventure", default=ADVENTURE, metavar="ID")
    parser.add_argument("--ruleset", choices=tuple(RULESETS), help="this one alone")
    parser.add_argument("--room", action="append", metavar="NAME", help="this one alone; may be repeated")
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="fights for each room (20)")
    parser.add_argument("--openly", action="store_true", help="the heroes call them out")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="rooms at a time (1)")
    given = parser.parse_args(arguments)
    rooms = [room for room in ground(given.adventure).rooms if not given.room or room.name in given.room]
    tasks = [(name, room) for name in ([given.ruleset] if given.ruleset else RULESETS) for room in rooms]
    one = partial(tally, given.adventure, given.runs, given.openly)
    found: list[Tally] = []
    if given.jobs > 1:
        with ProcessPoolExecutor(given.jobs) as pool:
            found += [each for each in pool.map(one, tasks) if each is not None]
    else:
        for task in tasks:
            began = time.perf_counter()
            if (each := one(task)) is not None:
                found.append(each)
                print(
                    f"{each.ruleset} {told([each])[-1]} {time.perf_counter() - began:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
    print("\n".join(told(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
