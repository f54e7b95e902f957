"""How an exploration shows itself on a board and in a summary, under any rules."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.contract.display import Board, Planned, Turn
from rules.explore.course import Course, explored
from rules.explore.state import OPENLY


def shown(course: Course[Any], board: Board, state: Any, sides: tuple[str, ...], banner: str) -> Board:
    """The board as those who explore see it: without those in hiding, with what watchers see and where they walk."""
    bodies, now = course.bodies(state), explored(state)
    unfound = {bodies[i].id for i in course.lurkers(state, sides)}
    minis = tuple(mini for mini in board.miniatures if mini.id not in unfound)
    order = tuple(Turn(bodies[i].id, done=bool(now.done >> i & 1)) for i in course.heroes(state))
    ways = ((i, course.coming(state, i)[0]) for i in course.walkers(state))
    plans = tuple(Planned(bodies[i].id, way, open=True) for i, way in ways if way)
    return msgspec.structs.replace(
        board, miniatures=minis, order=order, watched=course.watched(state), banner=banner, plans=plans
    )


def summary(course: Course[Any], state: Any) -> dict[str, Any]:
    """What `--state` prints of an exploration."""
    now, bodies = explored(state), course.bodies(state)
    told: dict[str, Any] = {"minute": now.minute}
    if course.exploring_now(state):
        told["done"] = [body.id for i, body in enumerate(bodies) if now.done >> i & 1]
        told["sneaking"] = {body.id: now.guise[i] for i, body in enumerate(bodies) if now.guise[i] != OPENLY}
    else:
        told["unaware"] = [body.id for i, body in enumerate(bodies) if now.caught >> i & 1]
    return told
