"""How an exploration shows itself on a board and in a summary, under any rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rules.contract.display import Badge, Board, Miniature, Planned, Turn
from rules.contract.units import CreatureIx, numbered
from rules.explore.course import Course, explored
from rules.explore.state import OPENLY, YIELDED, Attitude

_PEACE = {
    Attitude.HOLDS_BACK: Badge(
        "call", "Holds back", "Neither side came to the other. Strikes whoever it could come to."
    ),
    Attitude.YIELDED: Badge("call", "Surrendered", "Has laid down its arms, and takes part in nothing more."),
    Attitude.HELPFUL: Badge("call", "Helpful", "Lets the party be, and gives nobody away."),
    Attitude.KIND: Badge("call", "Lets the party be", "Has been won over, and gives nobody away."),
    Attitude.CURIOUS: Badge("call", "Curious", "Waits to hear more, and strikes nobody unless it is struck."),
    Attitude.WARY: Badge("call", "Wary", "Keeps its distance, and strikes nobody unless it is struck."),
}


_GIVEN_UP = _PEACE[Attitude.YIELDED]


def of_peace(attitude: int) -> tuple[Badge, ...]:
    """The badge of somebody who keeps peace with the party; none for everybody else."""
    return (_PEACE[Attitude(attitude)],) if attitude >= Attitude.WARY else ()


def yielded(board: Board, state: Any, bodies: Sequence[Any], mini: Callable[[Any, CreatureIx], Miniature]) -> Board:
    """The board of a fight with those on it who have laid down their arms: they take part in nothing, and stand there
    still."""
    now, extra = state.explore, list[Miniature]()
    if now is None or YIELDED not in now.attitude:
        return board
    for who, cell in numbered(now.parked):
        if cell >= 0 and now.attitude[who] == YIELDED:
            piece = mini(state, who)
            badges = piece.badges if _GIVEN_UP in piece.badges else (*piece.badges, _GIVEN_UP)
            extra.append(msgspec.structs.replace(piece, cell=cell, badges=badges, active=False))
    return msgspec.structs.replace(board, miniatures=(*board.miniatures, *extra)) if extra else board


def shown(course: Course[Any], board: Board, state: Any, sides: tuple[str, ...], banner: str) -> Board:
    """The board as those who explore see it: without those in hiding, with what watchers see and where they walk."""
    bodies, now = course.bodies(state), explored(state)
    unfound = {bodies[i].id for i in course.lurkers(state, sides)}
    peace = {body.id: badge for i, body in enumerate(bodies) if (badge := of_peace(now.attitude[i]))}
    minis = tuple(
        mini if mini.id not in peace else msgspec.structs.replace(mini, badges=mini.badges + peace[mini.id])
        for mini in board.miniatures
        if mini.id not in unfound
    )
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
