"""Fights whose process is killed without warning, again and again; says what was found of them each time.

`python -m tests.game.doomed KILLS [crawl]` in a home of its own: plays in forked processes, kills each after a random
while, and looks at what is left as the next start would. Prints one line of JSON for each time.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import struct
import sys
import time
import traceback
from typing import Any

from game.fight.match import Match
from game.storage import records as storage
from game.storage import recovery
from rules.contract.events import EPISODES, Began

ROWS = ["############", "#..........#", "#....##....#", "#..........#", "#..........#", "############"]
CRAWL = "crawl" in sys.argv
ACKNOWLEDGED = struct.Struct("=cI")


def opening(seed: int) -> dict[str, Any]:
    def fighter(name: str, side: str, at: tuple[int, int]) -> dict[str, Any]:
        return {
            "id": name, "side": side, "at": list(at), "controller": "ai", "brawn": 8, "finesse": 8, "savvy": 5,
            "nerve": 5, "size": "medium", "skills": {"Swords": "Apprentice"}, "weapons": ["broadsword"],
        }  # fmt: skip

    if CRAWL:
        rows = [
            "####################",
            "#..........#.......#",
            "#....##....+.......#",
            "#..........#.......#",
            "#" * 20,
        ]
        creatures = [fighter(f"h{n}", "heroes", (2, n)) for n in (1, 3)]
        creatures += [{**fighter(f"m{n}", "monsters", (16, n)), "brawn": 3, "savvy": 2} for n in (1, 3)]
        return {"format": "battlemat/1", "ruleset": "olde", "title": "Doomed", "options": {"crawl": True, "fog": True},
                "map": {"rows": rows}, "seed": seed, "creatures": creatures, "commands": []}  # fmt: skip
    creatures = [fighter(f"h{n}", "heroes", (2, n)) for n in (1, 3)]
    creatures += [fighter(f"m{n}", "monsters", (9, n)) for n in (1, 3)]
    return {"format": "battlemat/1", "ruleset": "olde", "title": "Doomed", "map": {"rows": ROWS}, "seed": seed,
            "creatures": creatures, "commands": []}  # fmt: skip


def play(match: Match, lot: random.Random, out: int) -> None:
    """Play by chance, telling of each command that is done (`c`), and of each chance that is over (`w`)."""
    recovery.Scribe(match)
    while (decision := match.decision) is not None:
        events = match.act(decision, lot.choice(list(match.legal(decision))))
        now = match.decision
        os.write(out, ACKNOWLEDGED.pack(b"c", len(match.record.commands)))
        border = any(isinstance(event, Began) and event.what in EPISODES for event in events)
        fighting = decision.kind != "explore" and (now is None or (now.by, now.kind) != (decision.by, decision.kind))
        if border or fighting:
            os.write(out, ACKNOWLEDGED.pack(b"w", len(match.record.commands)))
    os.write(out, ACKNOWLEDGED.pack(b"o", len(match.record.commands)))
    signal.pause()


def killed(lot: random.Random, seed: int) -> dict[str, int]:
    """Play on from whatever is left, in a process of its own, and kill that; the last things it told of."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            found = recovery.interrupted()
            if found:
                match = recovery.resume(found[0])
            elif saved := storage.fights():
                match = Match.from_record(storage.read_record(saved[0]))
            else:
                match = Match.from_record(opening(seed))
            os.write(theirs, ACKNOWLEDGED.pack(b"s", len(match.record.commands)))
            play(match, lot, theirs)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(9)
    os.close(theirs)
    if lot.random() < 0.8:
        select.select([ours], [], [], 10)  # it plays by now, however busy the machine is
    time.sleep(lot.uniform(0.0, 0.05))
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    told: dict[str, int] = {"killed": int(os.WIFSIGNALED(status)), "c": 0, "w": 0, "o": 0, "s": 0}
    with os.fdopen(ours, "rb") as stream:
        data = stream.read()
    for kind, number in ACKNOWLEDGED.iter_unpack(data[: len(data) // ACKNOWLEDGED.size * ACKNOWLEDGED.size]):
        told[kind.decode()] = number
    return told


def main(kills: int) -> None:
    lot = random.Random(1)
    seed, kept = 1, 0
    warm = Match.from_record(opening(seed))  # what is loaded late is loaded now, not anew in each process
    if warm.decision is not None:
        warm.act(warm.decision, next(iter(warm.legal(warm.decision))))
        storage.record_text(warm.record)
    for _ in range(kills):
        told = killed(lot, seed)
        journals = [recovery.playable(f.record) for f in recovery.interrupted() if f.record is not None]
        saves = [Match.from_record(storage.read_record(path)) for path in storage.fights()[:1]]
        told["before"] = kept
        told["journal"] = max((len(m.record.commands) for m in journals), default=0)
        told["save"] = max((len(m.record.commands) for m in saves), default=0)
        kept = max(told["journal"], told["save"])
        print(json.dumps(told), flush=True)
        if told["o"]:
            for found in recovery.interrupted():
                found.path.unlink()
            for path in storage.fights():
                path.unlink()
            seed, kept = seed + 1, 0
        lot.random()


if __name__ == "__main__":
    main(int(sys.argv[1]))
