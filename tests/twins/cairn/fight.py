"""A fight as the twin keeps it: the people, whose half it is, the plans, the round (cairn.md §1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.twins.cairn import people
from tests.twins.cairn.ground import Ground, Space, apart, covered
from tests.twins.cairn.people import Person

PARTY, FOES = "heroes", "monsters"
HOUR = 360
CLOCK = "bleeding out"
"""The twin's word for the hour of critical damage; `--state` says `critical` alone."""
UNABLE = ("winded", "unconscious", "paralysed", "delirious", "asleep", "petrified")
HELPLESS = ("unconscious", "paralysed", "asleep", "petrified")

Throw = Callable[[int], int]


class Fight:
    """Plain state and the questions that every rule asks of it."""

    def __init__(self, record: dict[str, Any], throw: Throw) -> None:
        self.ground = Ground(record["map"]["rows"])
        for name, how in record["map"].get("doors", {}).items():
            x, y = name.removeprefix("door ").split(",")
            self.ground.doors[int(x), int(y)] = how
        self.options = {"cast_saves": True, "mercy": False, **record.get("options", {})}
        self.throw = throw
        self.people: dict[str, Person] = {}
        for given in record["creatures"]:
            self.people[given["id"]] = people.person(given)
        self.round, self.half, self.over = 1, PARTY, None
        self.plans: dict[str, dict[str, Any]] = {}
        self.floor: list[tuple[str, Space]] = []
        self.bands: dict[str, dict[str, Any]] = {}
        for who in self.of(FOES):
            band = self.bands.setdefault(who["group"], {"size": 0, "lost": 0, "first": False, "half": False})
            band["size"] += 1
        self.shaken: set[str] = set()
        """Who has come to 0 HP since morale was last asked for."""

    # -- who is there

    def of(self, side: str) -> list[Person]:
        return [who for who in self.people.values() if who["side"] == side]

    def standing(self, side: str) -> list[Person]:
        """Those of a side who still take part."""
        return [who for who in self.of(side) if who["state"] == "up"]

    def against(self, side: str) -> str:
        return FOES if side == PARTY else PARTY

    def spaces(self, who: Person, at: Space | None = None) -> list[Space]:
        return covered(at or who["at"], who["size"])

    def helpless(self, who: Person) -> bool:
        return any(name in who["conditions"] for name in HELPLESS)

    def able(self, who: Person) -> bool:
        """Whether it may plan anything in this half."""
        if who["late"] or (who["alert"] == "unaware" and self.round == 1 and not who["pc"]):
            return False
        if who["state"] != "up":
            return who["state"] == "incapacitated" and "mortally wounded" not in who["conditions"]
        if any(name in who["conditions"] for name in UNABLE):
            return False
        return all(who[key] > 0 or who[f"{key}_max"] == 0 for key in ("dex", "wil"))

    def distance(self, one: Person, other: Person, at: Space | None = None) -> int:
        return apart(self.spaces(one, at), self.spaces(other))

    def sight(self, one: Person, other: Person, at: Space | None = None) -> int:
        return self.ground.sight(self.spaces(one, at), self.spaces(other))

    def seen(self, foe: Person) -> bool:
        """Whether anybody of the side whose half it is sees a foe; the unseen bar no plan (docs/cairn.md)."""
        return any(self.sight(eye, foe) for eye in self.standing(self.against(foe["side"])))

    def protection(self, who: Person) -> int:
        """Hit Protection as it counts: none for the prone, the panicked and a full pack (docs/cairn.md)."""
        if who["posture"] == "prone" or (who["pc"] and people.filled(who) >= people.SLOTS):
            return 0
        return int(who["hp"])

    # -- dice

    def save(self, rating: int) -> bool:
        """d20 against an attribute; 1 passes and 20 fails always (§2.1)."""
        self.face = self.throw(20)
        return self.face == 1 or (self.face != 20 and self.face <= rating)

    # -- the course

    def start(self) -> None:
        for who in self.people.values():
            if who["pc"] and who["alert"] != "ready":
                who["late"] = not self.save(who["dex"])

    def idle(self) -> bool:
        """Whether nobody of the side whose half it is can plan anything."""
        return not any(self.able(who) for who in self.of(self.half))

    def next_half(self) -> None:
        self.plans = {}
        if self.half == PARTY:
            self.half = FOES
        else:
            self.half = PARTY
            self.round += 1
            for who in self.people.values():
                who["late"] = False
        for who in self.of(self.half):
            who["timed"] = [name for name, rounds in who["conditions"].items() if rounds is not None]

    def close_if_decided(self) -> None:
        """A fight ends when a side has nobody left who stands (§1)."""
        left = [side for side in (PARTY, FOES) if self.standing(side)]
        if len(left) < 2:
            self.over = left[0] if left else "nobody"

    # -- what both are compared by

    def shown(self, who: Person) -> list[str]:
        """The conditions as `--state` names them."""
        names = [name for name in who["conditions"] if name != CLOCK]
        return names + ["lame"] * who["lame"] + ["one-armed"] * who["one_armed"]

    def state(self) -> dict[str, Any]:
        """How things stand, in the words of `--state`."""
        creatures = {}
        for name, who in self.people.items():
            creatures[name] = {
                "hp": self.protection(who), "str": who["str"], "dex": who["dex"], "wil": who["wil"],
                "armor": people.armor(who), "status": people.status(who), "posture": who["posture"],
                "at": list(who["at"]) if who["state"] != "fled" else None,
                "conditions": sorted(self.shown(who)), "fatigue": who["fatigue"], "scars": who["scars"],
                "hands": who["hands"], "pack": people.pack(who), "planned": name in self.plans,
            }  # fmt: skip
        acting = [w["id"] for w in self.of(self.half) if self.able(w)] if self.over is None else []
        return {
            "round": self.round, "half": self.half, "over": self.over, "acting": acting, "creatures": creatures,
            "floor": [{"item": item, "at": list(at)} for item, at in self.floor],
        }  # fmt: skip
