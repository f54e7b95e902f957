"""What a position is worth to a side: its chance to win, as learned from fights of the computer with itself.

A logistic function of differences between a side and its foes: from the other side the same position is worth just as
much less than a half as it is worth more from this one. Its coefficients, one table for each ruleset, stand in
assets/ai/value.toml; `make learn` finds them (docs/computer.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, log
from typing import Any

import msgspec

from game.content.tables import parsed
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Piece
from game.paths import asset
from rules.board.grid import Terrain
from rules.contract.display import System
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import State
from rules.core.record import CAPTIVES

FEATURES: tuple[str, ...] = (
    "strength", "health", "count", "worth", "harm", "points", "upright", "ailing", "dead", "hurt", "whole", "weakest",
    "menaced", "falling", "menaced_later", "falling_later", "striking", "support", "engaged", "crowded", "archers",
    "archers_free",
)  # fmt: skip
"""What tells how two sides stand, in the order of the file."""
HURT, WHOLE = 1 / 3, 0.9
"""Parts of all hit points with less of which one counts as hurt, and with more as unhurt."""
FEW = 0.1
"""Added to both sides of a ratio, so that it stays one where a side has nothing left."""


class Coefficients(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each difference counts: for all that one side has and the other has not."""

    strength: float = 0.0  # worth of those on their feet times the part of their hit points, as a ratio
    health: float = 0.0  # hit points, as a ratio
    count: float = 0.0  # creatures that stand, as a ratio
    worth: float = 0.0  # their worth, as a ratio
    harm: float = 0.0  # what their blows take on average, in parts of whom they strike, as a ratio
    points: float = 0.0  # the part of them that may act still, before all are asked anew
    upright: float = 0.0  # the part that is on its feet and its own master
    ailing: float = 0.0  # those who get worse by themselves
    dead: float = 0.0  # those lost for good
    hurt: float = 0.0  # those who stand with few hit points left
    whole: float = 0.0  # those with nearly all
    weakest: float = 0.0  # the part of its hit points that whoever stands worst has left
    menaced: float = 0.0  # what foes could take from them without a step, in parts
    falling: float = 0.0  # the chances that they fall by it
    menaced_later: float = 0.0  # the same of foes who come nearer first
    falling_later: float = 0.0
    striking: float = 0.0  # those who have a foe to strike without a step
    support: float = 0.0  # friends beside friends
    engaged: float = 0.0  # those with a foe beside them
    crowded: float = 0.0  # those with more foes than friends beside them
    archers: float = 0.0  # those who strike from afar
    archers_free: float = 0.0  # the same with no foe beside them

    def value(self, features: Sequence[float]) -> float:
        """The chance to win, 0 to 1."""
        total = sum([getattr(self, name) * amount for name, amount in zip(FEATURES, features, strict=True)])
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


class _Tally:
    """What is added up for one side."""

    def __init__(self) -> None:
        self.sums = dict.fromkeys(FEATURES, 0.0)
        self.weakest = 1.0


def features(ruleset: System, state: State, side: str) -> tuple[float, ...]:
    """How a side stands beside its foes, as far as they are on the board, in the order of `FEATURES`."""
    pieces = [piece for piece in advisor_of(ruleset).pieces(state) if piece.side != CAPTIVES or side == CAPTIVES]
    tallies = {True: _Tally(), False: _Tally()}
    for piece in pieces:
        _count(tallies[piece.side == side].sums, piece)
    standing = [piece for piece in pieces if not piece.out]
    _reach(ruleset, state, side, standing, tallies)
    _company(ruleset.terrain(state), side, standing, tallies)
    own, other = tallies[True], tallies[False]
    mine, theirs = own.sums, other.sums
    mine["weakest"], theirs["weakest"] = own.weakest, other.weakest
    found = [log((mine[name] + FEW) / (theirs[name] + FEW)) for name in FEATURES[:RATIOS]]
    found += [mine[name] - theirs[name] for name in FEATURES[RATIOS:]]
    return tuple(found)


RATIOS = 5
"""So many of the features are ratios."""


def _count(sums: dict[str, float], piece: Piece) -> None:
    """What somebody is by itself."""
    if piece.out:
        sums["ailing"] += piece.ailing and not piece.dead
        sums["dead"] += piece.dead
        return
    share = piece.health / max(1, piece.most)
    sums["strength"] += piece.value * share
    sums["health"] += piece.health / 10
    sums["count"] += 1
    sums["worth"] += piece.value
    sums["points"] += piece.points > 0
    sums["upright"] += piece.ready
    sums["ailing"] += piece.ailing
    sums["hurt"] += share < HURT
    sums["whole"] += share >= WHOLE


def _reach(ruleset: System, state: State, side: str, standing: Sequence[Piece], tallies: Mapping[bool, _Tally]) -> None:
    """Who could be struck by whom, at once or after a way."""
    terrain = ruleset.terrain(state)
    best: dict[str, float] = {}
    archers: set[str] = set()
    striking: set[str] = set()
    sides = {piece.id: piece.side == side for piece in standing}
    threats = advisor_of(ruleset).threats
    for piece in standing:
        own = tallies[piece.side == side]
        own.weakest = min(own.weakest, piece.health / max(1, piece.most))
        here = 1 << piece.cell
        now = later = 0.0
        stand = stand_later = 1.0
        for threat in threats(state, piece.id):
            swing = threat.swing
            share = min(1.0, swing.mean / max(1, piece.health))
            best[threat.by] = max(best.get(threat.by, 0.0), share)
            if threat.far:
                archers.add(threat.by)
            if threat.close & here:
                striking.add(threat.by)
                now += share
                stand *= 1.0 - swing.drop
            elif threat.later & here:
                later += share
                stand_later *= 1.0 - swing.drop
        own.sums["menaced"] += min(1.5, now)
        own.sums["falling"] += 1.0 - stand
        own.sums["menaced_later"] += min(1.5, later)
        own.sums["falling_later"] += 1.0 - stand_later
    for name, share in best.items():
        tallies[sides.get(name, False)].sums["harm"] += share
    for piece in standing:
        sums = tallies[piece.side == side].sums
        sums["striking"] += piece.id in striking
        sums["archers"] += piece.id in archers
        sums["archers_free"] += piece.id in archers and not _beset(terrain, piece, standing)


def _beset(terrain: Terrain, piece: Piece, standing: Sequence[Piece]) -> bool:
    """Whether a foe stands beside somebody."""
    return any(
        other.side != piece.side and terrain.distance(piece.cell, other.cell, piece.size, other.size) <= 1
        for other in standing
    )


def _company(terrain: Terrain, side: str, standing: Sequence[Piece], tallies: Mapping[bool, _Tally]) -> None:
    """Who stands beside whom."""
    for piece in standing:
        sums = tallies[piece.side == side].sums
        near = [
            other for other in standing
            if other is not piece and terrain.distance(piece.cell, other.cell, piece.size, other.size) <= 1
        ]  # fmt: skip
        friends = sum([other.side == piece.side for other in near])
        foes = len(near) - friends
        sums["support"] += min(2, friends)
        sums["engaged"] += foes > 0
        sums["crowded"] += max(0, foes - friends - 1)


def worth(ruleset: System, state: State, side: str, coefficients: Coefficients | None = None) -> float:
    """A side's chance to win from here; 1 or 0 where the fight is decided."""
    standing = [piece for piece in advisor_of(ruleset).pieces(state) if not piece.out and piece.side != CAPTIVES]
    mine = any(piece.side == side for piece in standing)
    theirs = any(piece.side != side for piece in standing)
    if mine != theirs:
        return float(mine)
    if not mine:
        return 0.5
    return (coefficients or load_coefficients(ruleset.id)).value(features(ruleset, state, side))


@lru_cache(maxsize=8)
def load_coefficients(ruleset: str) -> Coefficients:
    """What was learned under a ruleset; the rough figures of nobody's fights where nothing was. Read once."""
    return read_coefficients(asset("ai", "value.toml")).get(ruleset, ROUGH)


ROUGH = Coefficients(strength=2.0, harm=1.0)
"""For rulesets of which nothing was learned: who has more left wins."""


def read_coefficients(path: Any) -> Mapping[str, Coefficients]:
    """Read and check a file of coefficients, by ruleset. Raises BattlematError in one line: file, place, reason."""
    try:
        raw = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        wrong = "{name}: cannot be read ({error}); it must be TOML with a table for each ruleset"
        raise BattlematError(wrong, path.name, said(error)) from None
    try:
        return msgspec.convert(raw, dict[str, Coefficients])
    except msgspec.ValidationError as error:
        raise BattlematError("{name}: {error}", path.name, str(error)) from None
