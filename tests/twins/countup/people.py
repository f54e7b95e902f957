"""Who fights: what a stat block and the tables say, and what changes about somebody in a fight."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.twins.countup.ground import Spot

SPACES = {"T": 1, "S": 1, "M": 1, "L": 2, "H": 2, "G": 3}
GAITS = ("walk", "jog", "run", "sprint")
FEET = {"walk": 5, "jog": 10, "run": 15, "sprint": 20}
LOAD = {"": (0, 0, 0), "light": (-1, 0, 0), "medium": (-2, 1, 1), "heavy": (-4, 2, 2)}
UNTRAINED = {"": 0, "minimal": 1, "low": 2, "medium": 4, "high": 6}
UNARMED: dict[str, Any] = {
    "name": "unarmed", "speed": 10, "damage": "(d4p-2)+(d4p-2)", "shield": "(d4p-2)+(d4p-2)", "reach": 0.0,
    "kind": "C", "hands": 0, "size": "T",
}  # fmt: skip
PLAIN: dict[str, Any] = {
    "jab": 0, "size": "M", "reach": 0.0, "kind": "C", "hands": 1, "settable": False, "knife": False, "brackets": (),
    "load": 0, "draw": 0, "fire": 0, "recover": 0, "thrown": False, "burning": False, "rider": "", "natural": False,
}  # fmt: skip


class Person:
    """One creature: its block as plain attributes, and its state."""

    def __init__(self, number: int, says: dict[str, Any], tables: Any) -> None:
        self.number, self.id, self.side = number, says["id"], says["side"]
        self.tables = tables
        self.block = says
        self.size: str = says.get("size", "M")
        self.space: int = says.get("space") or SPACES[self.size]
        self.knock_size: str = says.get("knock_size") or self.size
        armour = tables["armour"].get(says.get("armour"), {})
        load = LOAD[says.get("load", "")]
        self.clumsy = UNTRAINED[says.get("untrained", "")]
        self.attack: int = says.get("attack", 0) - self.clumsy
        self.defence: int = says.get("defence", 0) + load[0] - self.clumsy
        self.damage: int = says.get("damage", 0) - self.clumsy
        self.initiative: int = says.get("initiative", 0) + load[1]
        self.slower: int = armour.get("speed", 0)
        self.burden: int = load[2]
        self.reduction: int = says.get("reduction", 0) + armour.get("reduction", 0)
        self.hp_max: int = says["hp_max"]
        pain = says.get("pain")
        self.pain: int = -(-self.hp_max * 2 // 5) if pain is None else pain
        self.trauma: int = says.get("trauma", 5)
        self.natural = {w["name"]: {**PLAIN, **w, "natural": True} for w in says.get("attacks", ())}
        self.sequence: list[str] = says.get("sequence", [])
        self.rates = self._rates(says, armour.get("quarters", 4))

        # what changes
        self.at: Spot = tuple(says["at"])  # type: ignore[assignment]
        self.hp: int = says.get("hp") or self.hp_max
        self.facing: int = says.get("facing") or 0
        self.init = self.due = 1
        self.busy = 0
        self.helpless = 0
        self.prone = False
        self.gait = ""
        self.carry = Fraction(0)
        self.moved = -9
        self.straight = Fraction(0)
        self.heading = -1
        self.toil = False
        self.hand: str = (says.get("ready") or says.get("weapons") or [""])[0]
        self.shield: str | None = says.get("shield")
        self.slung: str | None = None
        if self.shield and self.arm(self.hand)["hands"] == 2:
            self.shield, self.slung = None, self.shield
        self.stance = ""
        self.exposed = False
        self.until = 0
        self.penalty = 0
        self.owed = 0
        self.withdrew = False
        self.set_since = -1
        self.held_by: Person | None = None
        self.ready_at = 0
        self.unbalanced = 0
        self.no_pursuit = 0
        self.broke = False
        self.turn = 0
        self.order: dict[str, Any] | None = None
        self.given = -1
        self.policy = "ask"
        self.press = False
        self.contacts: set[int] = set()
        self.fresh: set[int] = set()
        self.dead = False
        self.task: Any = None
        self.unpacked: set[str] = set()
        self.points: int = says.get("spell_points", 0)
        self.prayed: list[str] = []
        self.casting: dict[str, Any] | None = None
        self.fatigue = 0
        self.effects: dict[str, int] = {}
        self.ward = self.images = self.burnt = 0
        self.scampers = False
        self.worn = self.sprinted = self.tactical = 0
        self.loading = ""
        self.leaves = 0
        self.quick = False
        self.loaded = ""
        self.loaded_at = 0
        self.unlit = False
        self.unseen = False
        self.taking: tuple[str, int] | None = None

    def _rates(self, says: dict[str, Any], quarters: int) -> dict[str, Fraction]:
        """Feet a second at each gait."""
        squares = says.get("squares")
        rates = {}
        for i, gait in enumerate(GAITS):
            feet = Fraction(5 * squares[i] if squares else FEET[gait])
            if says.get("half") and not squares:
                feet /= 2
            if gait != "walk":
                feet = feet * quarters / 4
            rates[gait] = feet
        rates["crawl"] = rates["walk"] / 2
        return rates

    def arm(self, name: str) -> dict[str, Any]:
        """A weapon of this creature's by name; an empty hand strikes with what is grown on, else with the fist."""
        if name in self.natural:
            return self.natural[name]
        if name and name != "unarmed":
            return {**PLAIN, **self.tables["weapon"][name]}
        if not name and self.natural:
            return next(iter(self.natural.values()))
        return {**PLAIN, **UNARMED, "natural": True}

    def wields(self) -> dict[str, Any]:
        """What it strikes with next."""
        if self.sequence:
            return self.arm(self.sequence[self.turn % len(self.sequence)])
        return self.arm(self.hand)

    def melee(self) -> dict[str, Any]:
        """The same, hand to hand: who only has a bow in hand has the fist."""
        weapon = self.wields()
        return self.arm("unarmed") if weapon["brackets"] else weapon

    def free_hand(self) -> dict[str, Any]:
        """What a free blow is struck with: a knife, also one for throwing; who has a bow in hand has the fist."""
        weapon = self.wields()
        return self.arm("unarmed") if weapon["brackets"] and not weapon["knife"] else weapon

    def interrupt(self, second: int) -> None:
        """Work of several seconds is lost; its doer is free again."""
        if self.task is not None:
            self.task = None
            self.busy = min(self.busy, second + 1)

    def tired(self) -> int:
        """What fatigue costs: 1, 2, 4, 8 (an option)."""
        return 2 ** (self.worn - 1) if self.worn else 0

    def bare(self) -> bool:
        """Neither a weapon in hand nor anything grown on."""
        return self.wields()["name"] == "unarmed"

    def present(self) -> bool:
        return not self.dead and not self.unseen

    def reach(self, weapon: dict[str, Any] | None = None) -> int:
        """In spaces: one, and another for each five feet."""
        return 1 + int(Fraction(str((weapon or self.melee())["reach"])) // 5)

    def speed(self, weapon: dict[str, Any], *, jab: bool = False) -> int:
        """Seconds from one attack to the next; not below what the weapon's size allows."""
        base: int = weapon["jab"] if jab else weapon["speed"]
        if not weapon["natural"]:
            base += self.slower + self.clumsy
        base += self.burden + self.tired()
        return max({"T": 1, "S": 2, "M": 3, "L": 4}.get(weapon["size"], 4), base)
