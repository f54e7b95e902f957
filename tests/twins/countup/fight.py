"""The fight's own state, and the plain questions about it: who stands where, who can act, who reaches whom."""

from __future__ import annotations

from typing import Any

from tests.twins.countup.dicebag import Bag
from tests.twins.countup.ground import COMPASS, Ground, Spot, apart, bearing, block, nearest_pair
from tests.twins.countup.people import Person

HOUR = 3600
"""The second in which a fight ends that nobody has won."""


class Refused(Exception):
    """A command that the rules do not allow."""


class Fight:
    """What the twin knows of a fight; nothing is shared with `rules.countup`."""

    def __init__(self, rows: list[str], creatures: list[dict[str, Any]], seed: int, options: Any, tables: Any) -> None:
        self.ground = Ground(rows)
        self.options = options
        self.dice = Bag(seed)
        self.people = [Person(i, says, tables) for i, says in enumerate(creatures)]
        self.by_id = {p.id: p for p in self.people}
        self.second = 1
        self.over: str | None = None
        self.questions: list[dict[str, Any]] = []
        self.free: list[dict[str, Any]] = []
        self.later: list[tuple[int, dict[str, Any]]] = []
        self.floor: list[tuple[str, Spot]] = []
        self.zones: list[tuple[str, set[Spot], int]] = []
        self.log: list[str] = []

    def say(self, text: str) -> None:
        self.log.append(f"  [{self.second}] {text}")

    # -- who is where

    def living(self) -> list[Person]:
        return [p for p in self.people if p.present()]

    def foes(self, p: Person) -> list[Person]:
        return [q for q in self.living() if q.side != p.side]

    def distance(self, p: Person, q: Person) -> int:
        return apart(p.at, p.space, q.at, q.space)

    def towards(self, p: Person, q: Person, at: Spot | None = None) -> int:
        """The direction from one block to another."""
        return bearing(*nearest_pair(at or p.at, p.space, q.at, q.space))

    def taken(self, spot: Spot, but: Person) -> Person | None:
        """Somebody else in a space."""
        for q in self.living():
            if q is not but and spot in block(q.at, q.space):
                return q
        return None

    def room(self, p: Person, at: Spot) -> bool:
        """Whether a block is free of others and of walls there."""
        return self.ground.stands(at, p.space) and not any(self.taken(c, p) for c in block(at, p.space))

    def zone(self, kind: str) -> set[Spot]:
        """Ground that spells have changed in one way."""
        return {spot for name, spots, _ in self.zones for spot in spots if name == kind}

    # -- what they can do

    def surprised(self, p: Person) -> bool:
        return self.second < p.init

    def able(self, p: Person) -> bool:
        return p.present() and not p.helpless and not self.surprised(p)

    def arc(self, p: Person, q: Person) -> str:
        """Where somebody stands as another sees it: front, side, rear."""
        turn = (self.towards(p, q) - p.facing) % 8
        return {0: "front", 1: "front", 7: "front", 2: "side", 6: "side"}.get(turn, "rear")

    def reaches(self, p: Person, q: Person, weapon: dict[str, Any] | None = None) -> bool:
        """Whether a weapon gets there: near enough, a line, and nobody of man's size in between."""
        weapon = weapon or p.wields()
        if weapon["brackets"] and not weapon["knife"]:
            return False
        return self.spans(p, p.at, q, q.at, p.reach(weapon))

    def spans(self, p: Person, here: Spot, q: Person, there: Spot, reach: int) -> bool:
        far = apart(here, p.space, there, q.space)
        if far == 0 or far > reach:
            return False
        if not self.ground.sight(here, p.space, there, q.space):
            return False
        if far == 1:
            return True
        step = nearest_pair(here, p.space, there, q.space)
        return any(
            self.lane(p, q, a, b)
            for a in block(here, p.space)
            for b in block(there, q.space)
            if (b[0] - a[0], b[1] - a[1]) == step
        )

    def lane(self, p: Person, q: Person, a: Spot, b: Spot) -> bool:
        """Whether no standing foe of man's size or more is on the line; between two spaces both must be taken."""
        long = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
        for i in range(1, long):
            x2, y2 = 2 * i * (b[0] - a[0]), 2 * i * (b[1] - a[1])
            spots = set()
            for dx in (-1, 1):
                for dy in (-1, 1):
                    # the space (or the two) whose centre lies nearest to the line at this step
                    spots.add(((x2 + long + (dx if x2 % (2 * long) == long else 0)) // (2 * long) + a[0],
                               (y2 + long + (dy if y2 % (2 * long) == long else 0)) // (2 * long) + a[1]))  # fmt: skip
            if all(self.bars(p, q, s) for s in spots):
                return False
        return True

    def bars(self, p: Person, q: Person, spot: Spot) -> bool:
        other = self.taken(spot, p)
        if other is None or other is q:
            return False
        return other.side != p.side and other.size in "MLHG" and not other.prone and not other.helpless

    def contact(self, p: Person, q: Person) -> bool:
        """Whether either weapon reaches the other; nobody fights hand to hand with what is shot or hurled."""
        return any(not a.wields()["brackets"] and self.reaches(a, b) for a, b in ((p, q), (q, p)))

    def engaged(self, p: Person) -> bool:
        """A foe that it has met is still in contact, helpless or not."""
        return any(q.number in p.contacts and self.contact(p, q) for q in self.foes(p))

    def free_to_strike(self, p: Person, weapon: dict[str, Any]) -> bool:
        """Nothing keeps it from striking: neither a point before it, nor other work, nor its own flight, nor that the
        weapon is still being drawn."""
        drawn = weapon["name"] == "unarmed" or p.ready_at <= self.second
        bound = {"bound", "panicked", "charmed"} & set(p.effects) or p.casting or p.task or p.fatigue > self.second
        return self.able(p) and p.held_by is None and not bound and p.stance != "fleeing" and drawn

    def threatens(self, q: Person, p: Person) -> bool:
        """Could strike somebody in this second (B37)."""
        weapon = q.wields()
        free = q.busy <= self.second and not weapon["brackets"] and self.free_to_strike(q, weapon)
        return free and self.reaches(q, p)

    def behind(self, p: Person, q: Person) -> Spot:
        """The space behind somebody, as the other's blow comes."""
        dx, dy = COMPASS[self.towards(q, p)]
        return p.at[0] + dx, p.at[1] + dy

    # -- standing

    def end_order(self, p: Person) -> None:
        p.order = None

    def drop_stance(self, p: Person) -> None:
        p.stance, p.until = "", 0

    def release(self, p: Person) -> None:
        """Whoever this one holds at bay is free."""
        for q in self.people:
            if q.held_by is p:
                q.held_by = None

    def check_over(self) -> None:
        sides = sorted({p.side for p in self.living()})
        if len(sides) <= 1 or self.second >= HOUR:
            self.over = sides[0] if len(sides) == 1 else ""

    # -- gear

    def shield_of(self, p: Person) -> dict[str, Any]:
        table: dict[str, Any] = p.tables["shield"][p.shield]
        return table

    def tables_shield(self, p: Person) -> int:
        return self.shield_of(p)["defence"] if p.shield else 0
