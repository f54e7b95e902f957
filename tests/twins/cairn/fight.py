"""A fight as the twin keeps it: the people, whose half it is, the plans, the round (cairn.md §1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.twins.cairn import people
from tests.twins.cairn.ground import PARTIAL, Ground, Space, apart, covered
from tests.twins.cairn.people import Person

PARTY, FOES = "heroes", "monsters"
HOUR = 360
CLOCK = "bleeding out"
"""The twin's word for the hour of critical damage; `--state` says `critical` alone."""
BOOKS_ONLY = (CLOCK, "called", "cured", "steady", "casting", "tested")
"""Conditions that `--state` does not name."""
UNABLE = ("winded", "commanded", "unconscious", "paralysed", "delirious", "asleep", "petrified")
DRIVEN = ("frightened", "greedy", "frenzied", "hating")
"""Conditions in which the rules decide what somebody does."""
HELPLESS = ("unconscious", "paralysed", "asleep", "petrified")
MAWS = ("engulfed", "swallowed", "choking")
"""In the maw or the coils of somebody beside (cairn.md §5.6 Maws and coils)."""
HOLDS = ("restrained", "stuck", *MAWS)
CLINGS = ("stingers", "drowning", "tethered")
TETHER = 2
"""Spaces that those may be apart whom a tether joins (cairn.md §5.5)."""
ARM = 1
"""Spaces at which even the unseen are found."""

Throw = Callable[[int], int]


class Fight:
    """Plain state and the questions that every rule asks of it."""

    def __init__(self, record: dict[str, Any], throw: Throw) -> None:
        self.ground = Ground(record["map"]["rows"], record["map"].get("doors", {}), record["map"].get("walls"))
        self.drawn = dict(self.ground.doors)
        """How the doors stood at first."""
        self.secrets = [
            {**one, "state": "locked" if one["kind"] == "chest" else "set"}
            for one in record["map"].get("challenges", ())
        ]
        self.found: dict[str, set[str]] = {
            side: {one["id"] for one in self.secrets if not one.get("hidden") or side in one.get("known", ())}
            for side in (PARTY, FOES)
        }
        """What each side knows of what the map hides."""
        self.ground.dark = record["map"].get("ambient") == "dark"
        self.lamps = [(tuple(at), max(bright, dim)) for at, bright, dim in record["map"].get("lights", ())]
        """The lights of the map: where each hangs, and how far it shines at all."""
        usual: dict[str, Any] = {"cast_saves": True, "mercy": False, "gm": False, "darkness": False, "panic": False}
        self.options = {**usual, **record.get("options", {})}
        self.throw = throw
        self.people: dict[str, Person] = {}
        for given in record["creatures"]:
            self.people[given["id"]] = people.person(given)
        self.round, self.half = 1, PARTY
        self.over: str | None = None
        self.plans: dict[str, dict[str, Any]] = {}
        self.floor: list[tuple[str, Space]] = []
        self.bands: dict[str, dict[str, Any]] = {}
        for who in self.of(FOES):
            band = self.bands.setdefault(who["group"], {"size": 0, "first": False, "half": False})
            band["size"] += 1
        self.shaken: set[str] = set()
        """Who has come to 0 HP since morale was last asked for."""
        self.readied: list[tuple[str, dict[str, Any]]] = []
        """Who holds what ready for whom, in the order in which it was made ready."""
        self.moved: list[str] = []
        """Who has moved, or was moved, in the half that resolves, in this order."""
        self.questions: list[str] = []
        """Whose lost limb the game master has to name."""
        self.ways: dict[str, list[list[Space]]] = {}
        """Which ways the rules say that each went, for those whom fear or frenzy drives."""
        self.pyres: list[str] = []
        """Who ended in flames that break out when all of the half is done."""
        self.resolving = False
        self.underway = False
        """Whether a half is being carried out: what is planned is no longer what will be."""

    # -- who is there

    def of(self, side: str) -> list[Person]:
        return [who for who in self.people.values() if who["side"] == side]

    def standing(self, side: str) -> list[Person]:
        """Those of a side who still take part."""
        return [who for who in self.of(side) if who["state"] == "up"]

    def here(self) -> list[Person]:
        """Everybody who is on the board and alive."""
        return [who for who in self.people.values() if present(who)]

    def against(self, side: str) -> str:
        return FOES if side == PARTY else PARTY

    def spaces(self, who: Person, at: Space | None = None) -> list[Space]:
        return covered(at or who["at"], who["size"])

    def helpless(self, who: Person) -> bool:
        """Who cannot act at all cannot defend itself: at DEX or WIL 0, too, if it has not always been so (A29)."""
        return any(name in who["conditions"] for name in HELPLESS) or gone_to_nought(who)

    def can_act(self, who: Person) -> bool:
        """Whether it is on its feet and its own master, whoever's half it is."""
        return who["state"] == "up" and not self.helpless(who)

    def awake(self, who: Person) -> bool:
        """Whether it does anything at all in its half, of its own will or not."""
        if who["late"] or (who["alert"] == "unaware" and self.round == 1 and not who["pc"]):
            return False
        return self.can_act(who) and not any(name in who["conditions"] for name in ("winded", "commanded"))

    def able(self, who: Person) -> bool:
        """Whether it may plan anything in this half."""
        if who["late"] or (who["alert"] == "unaware" and self.round == 1 and not who["pc"]):
            return False
        if not present(who) or "mortally wounded" in who["conditions"]:
            return False
        if self.round == 1 and "panicked" in who["conditions"]:  # §4
            return False
        if any(name in who["conditions"] for name in DRIVEN):
            return False
        return not any(name in who["conditions"] for name in UNABLE) and not gone_to_nought(who)

    def distance(self, one: Person, other: Person, at: Space | None = None) -> int:
        return apart(self.spaces(one, at), self.spaces(other))

    def sight(self, one: Person, other: Person, at: Space | None = None) -> int:
        return self.view(one, self.spaces(one, at), self.spaces(other))

    def view(self, eye: Person, here: list[Space], there: list[Space]) -> int:
        """How somebody sees from some spaces to others; in fog and brush neighbours find each other, as if behind
        cover; true sight goes through images."""
        found = self.ground.sight(here, there, "true sight" in eye["conditions"])
        if not found and apart(here, there) <= ARM and self.ground.sight(here, there, False, True):
            return PARTIAL
        return found

    def seen(self, foe: Person) -> bool:
        """Whether anybody of the side whose half it is sees a foe; the unseen bar no plan (cairn.md §2.7)."""
        eyes = [eye for eye in self.here() if eye["side"] != foe["side"]]
        return any(self.makes_out(eye, foe) for eye in eyes) and any(self.in_view(eye, foe) for eye in eyes)

    def watched(self, side: str, space: Space) -> bool:
        """Whether anybody of a side sees a space."""
        return any(self.spots(eye, [space]) for eye in self.here() if eye["side"] == side)

    def in_view(self, eye: Person, foe: Person) -> bool:
        """Whether somebody sees any of the spaces on which another stands."""
        return self.spots(eye, self.spaces(foe))

    def spots(self, eye: Person, spaces: list[Space]) -> bool:
        """Whether somebody sees any of some spaces; its own it always does."""
        here = self.spaces(eye)
        if any(space in here for space in spaces):
            return True
        hidden = [space for space in spaces if space not in here and apart([space], here) > ARM]
        if hidden and "blind" not in eye["conditions"]:
            hidden = [space for space in hidden if self.ground.changed(space, "dark")]
            if self.options["darkness"] and self.ground.dark and not people.sees_in_dark(eye):
                lit = self.lit()
                hidden += [s for s in spaces if s not in lit and s not in here and apart([s], here) > ARM]
            spaces = [space for space in spaces if space not in hidden]
            if not spaces:
                return False
        if apart(here, spaces) <= ARM and ("blind" in eye["conditions"] or self.ground.zones):
            return True if "blind" in eye["conditions"] else bool(self.view(eye, here, spaces))
        return "blind" not in eye["conditions"] and bool(self.view(eye, here, spaces))

    def makes_out(self, eye: Person, other: Person, at: Space | None = None) -> bool:
        """Whether nothing about another keeps somebody at a space from finding it (cairn.md §3 What a side sees)."""
        if eye["side"] == other["side"] or "true sight" in eye["conditions"]:
            return True
        if "invisible" in other["conditions"]:
            return False
        if "unseen" in other["conditions"] or "blind" in eye["conditions"]:
            return self.distance(eye, other, at) <= ARM
        return True

    def lit_for(self, eye: Person, other: Person) -> bool:
        """Whether another stands in light, as far as that matters to somebody (A30)."""
        if self.distance(eye, other) <= ARM:
            return True
        there = [space for space in self.spaces(other) if not self.ground.changed(space, "dark")]
        if not there:
            return False
        if not self.options["darkness"] or not self.ground.dark or people.sees_in_dark(eye):
            return True
        return bool(self.lit() & set(there))

    def lit(self) -> set[Space]:
        """The spaces in which light falls: 8 spaces around whoever carries one, as far as it has a line."""
        lamps = [(self.spaces(who), people.light(who)) for who in self.people.values() if who["state"] != "fled"]
        lamps += [
            (self.spaces(who), 8) for who in self.people.values()
            if who["state"] != "fled" and "glowing" in who["conditions"]
        ]  # fmt: skip
        burning = [lamp for lamp in self.lamps if not self.ground.changed(lamp[0], "snuff")]
        lamps += [([at], radius) for at, radius in burning]
        lamps += [([zone["at"]], 8) for zone in self.ground.zones if zone["kind"] == "light"]
        out: set[Space] = set()
        for here, radius in lamps:
            if radius:
                near = [space for space in self.ground.everywhere() if apart([space], here) <= radius]
                out |= {space for space in near if space in here or self.ground.sight(here, [space])}
        return out

    def protection(self, who: Person) -> int:
        """Hit Protection as it counts: none for the prone, the panicked, the helpless, a full pack."""
        if who["posture"] == "prone" or (who["pc"] and people.filled(who) >= people.SLOTS):
            return 0
        if "panicked" in who["conditions"] or "drained" in who["conditions"] or self.helpless(who):
            return 0
        return int(who["hp"])

    # -- conditions

    def gain(self, who: Person, name: str, rounds: int | None = None, **marks: Any) -> bool:
        """Give a condition; False where nature keeps it off, or it is there already for as long. Times count the
        victim's own halves."""
        if name in who["immune"]:
            return False
        if name == "prone":
            if who["posture"] == "prone":
                return False
            who["posture"] = "prone"
            return True
        if name in who["conditions"]:
            left = who["conditions"][name]
            if left is None:
                return False
            if rounds is not None and rounds <= left - (name in who["timed"]):
                return False
            self.lose(who, name)
        who["conditions"][name] = rounds
        who["marks"][name] = marks
        return True

    def lose(self, who: Person, name: str) -> None:
        if name in who["conditions"] and name not in who["innate"]:
            del who["conditions"][name]
            who["marks"].pop(name, None)
            who["timed"] = [other for other in who["timed"] if other != name]

    def holder(self, who: Person, name: str) -> Person | None:
        """Whose hands or maw it is that a condition comes from."""
        return self.people.get(who["marks"].get(name, {}).get("by", ""))

    def leave(self, who: Person, how: str) -> None:
        """Off the board."""
        who["state"], who["gone"] = "fled", how

    def put(self, who: Person, at: Space) -> None:
        """Onto other spaces: it has moved, or was moved."""
        if at != who["at"]:
            who["at"] = at
            self.note_move(who)

    def note_move(self, who: Person) -> None:
        if who["id"] not in self.moved:
            self.moved.append(who["id"])

    # -- dice

    def save(self, rating: int) -> bool:
        """d20 against an attribute; 1 passes and 20 fails always (§2.1)."""
        self.face = self.throw(20)
        return self.face == 1 or (self.face != 20 and self.face <= rating)

    # -- the course

    def start(self) -> None:
        for who in self.people.values():
            if who["pc"] and who["alert"] != "ready" and self.can_act(who):
                who["late"] = not self.save(who["dex"])
        self.panic()

    def panic(self) -> None:
        """Player's characters who have no light save WIL, once in every dark, or panic (§3)."""
        if not self.options["panic"] or not self.ground.dark:
            return
        lit = self.lit()
        for who in self.people.values():
            if not who["pc"] or not self.can_act(who) or "panicked" in who["conditions"]:
                continue
            if people.sees_in_dark(who):
                continue
            if lit & set(self.spaces(who)):
                self.lose(who, "steady")
            elif "steady" not in who["conditions"]:
                self.gain(who, "steady" if self.save(who["wil"]) else "panicked")

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
        names = [WORDS.get(name, name) for name in who["conditions"] if name not in BOOKS_ONLY]
        names += ["paralysed"] * (who["dex"] <= 0 < who["dex_max"] and "paralysed" not in names)
        names += ["delirious"] * (who["wil"] <= 0 < who["wil_max"])
        names += [f"ruined: {item}" for item in who["ruined"]]
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


WORDS = {"mortally wounded": "out"}


def present(who: Person) -> bool:
    return who["state"] in ("up", "incapacitated")


def gone_to_nought(who: Person) -> bool:
    """Paralysed at DEX 0, delirious at WIL 0."""
    return any(who[key] <= 0 < who[f"{key}_max"] for key in ("dex", "wil"))
