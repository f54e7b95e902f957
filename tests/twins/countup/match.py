"""Both readings of Count-Up side by side: one fight, command by command, until they differ."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import structs

from game.content import tables as content
from rules.board.bitboard import cells_of
from rules.board.grid import Field, Light
from rules.contract.actions import Action
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.countup import CountUp
from tests.twins.countup import encounters, orders
from tests.twins.countup.clock import begin, run
from tests.twins.countup.fight import Fight, Refused
from tests.twins.countup.fog import as_seen_by
from tests.twins.countup.people import Person

CONTENT = Path(__file__).parents[3] / "assets" / "content" / "countup"


@lru_cache
def tables() -> dict[str, dict[str, Any]]:
    """The content's rows by name."""
    out: dict[str, dict[str, Any]] = {}
    for kind, file in (("weapon", "weapons"), ("armour", "armour"), ("shield", "shields"), ("spell", "spells")):
        rows = tomllib.loads((CONTENT / f"{file}.toml").read_text())[kind]
        out[kind] = {row["name"]: row for row in rows}
    creatures: dict[str, Any] = {}
    for file in ("heroes", "monsters"):
        for row in tomllib.loads((CONTENT / f"{file}.toml").read_text())["creature"]:
            creatures[row["id"]] = {k: v for k, v in row.items() if k != "id"}
    out["creature"] = creatures
    return out


class Difference(Exception):
    """Where the two differ."""


class Match:
    """One fight in both readings."""

    def __init__(
        self, rows: list[str], creatures: list[dict[str, Any]], seed: int, options: dict[str, bool],
        ambient: str = "bright", lights: Sequence[tuple[tuple[int, int], int, int]] = (),
    ) -> None:  # fmt: skip
        self.field = Field.from_rows(rows)
        shine = tuple(Light(self.field.cell(*spot), bright, dim) for spot, bright, dim in lights)
        self.field = structs.replace(self.field, ambient=ambient, lights=shine)
        states = random.Random(seed)
        how = [(states.choice(encounters.DOORS), states.choice((2, 5, 8, 11, 14))) for _ in self.field.doors]
        doors = zip(self.field.doors, how, strict=True)
        closed = tuple(structs.replace(d, state=state, difficulty=hard) for d, (state, hard) in doors)
        self.field = structs.replace(self.field, doors=closed)
        self.rules = CountUp()
        blocks = [{k: v for k, v in c.items() if k != "template"} for c in creatures]
        scenario = Scenario("countup", self.field, tuple(blocks), seed, None, options, content.tables("countup"))
        step = self.rules.start(scenario)
        self.ours = step.state
        self.told = [self.rules.tell(self.ours, e) for e in step.events]
        self.twin = Fight(rows, creatures, seed, options, tables())
        self.twin.ground.ambient, self.twin.ground.lights = ambient, list(lights)
        for door, (state, hard) in zip(self.field.doors, how, strict=True):
            self.twin.ground.doors[self.field.at(door.cell)] = state
            self.twin.ground.hardness[self.field.at(door.cell)] = hard
            self.twin.ground.secrets |= state == "secret"
        begin(self.twin)
        self.time = run(self.twin)
        next(self.time, None)
        self.commands: list[Action] = []
        self.compare()

    def decisions(self) -> list[Any]:
        return list(self.rules.decisions(self.ours))

    def do(self, action: Action) -> bool:
        """Give both a command: whether they took it. Raises Difference."""
        decision = next(d for d in self.decisions() if d.by == action.by)
        refusal = self.rules.legal(self.ours, decision).refusal(action)
        person = self.twin.by_id[action.by]
        seen = action.do == "choose" or not self.twin.options.get("fog") or self.as_seen(decision, action)
        mine = self.judged(person, action) if seen or refusal is not None else ""
        if not seen:
            return False
        self.commands.append(action)
        if (refusal is None) != (mine is None):
            raise Difference(f"{self.words(action)}: ours says {refusal!r}, the twin {mine!r}")
        if refusal is not None:
            self.commands.pop()
            return False
        step = self.rules.apply(self.ours, decision, action)
        self.ours = step.state
        self.told += [f"> {self.words(action)}"] + [self.rules.tell(self.ours, e) for e in step.events]
        self.twin.log.append(f"> {self.words(action)}")
        next(self.time, None)
        self.compare()
        return True

    def judged(self, person: Person, action: Action) -> str | None:
        """Why the twin refuses a command; where it does not, it is ordered."""
        try:
            orders.order(self.twin, person, self.plain(action))
        except Refused as error:
            return str(error)
        return None

    def as_seen(self, decision: Any, action: Action) -> bool:
        """In fog both readings must say the same of a command by what its side sees: whether that allows it. Raises
        Difference."""
        ours = self.rules.legal(self.rules.observe(self.ours, decision.side), decision).refusal(action)
        p = self.twin.by_id[action.by]
        kept = (p.order and dict(p.order), p.given, p.policy, p.press)
        with as_seen_by(self.twin, p.side):
            mine = self.judged(p, action)
        p.order, p.given, p.policy, p.press = kept
        if (ours is None) != (mine is None):
            raise Difference(f"{self.words(action)}, by what is seen: ours says {ours!r}, the twin {mine!r}")
        return ours is None

    def plain(self, action: Action) -> dict[str, Any]:
        out: dict[str, Any] = {
            "do": action.do,
            "target": action.target,
            "weapon": action.weapon,
            "option": action.option,
        }
        if action.do == "pick_up":
            out["item"] = action.item
        if action.do == "cast":
            out |= {"item": action.item, "at": None if action.at is None else self.field.at(action.at)}
        if action.path:
            out["path"] = [self.field.at(c) for c in action.path]
        return out

    def words(self, action: Action) -> str:
        return f"{action.by} " + " ".join(str(v) for v in self.plain(action).values() if v is not None)

    def compare(self) -> None:
        """The whole state. Raises Difference with all that differs."""
        o, t = self.ours, self.twin
        different = []

        def same(what: str, mine: object, theirs: object) -> None:
            if mine != theirs:
                different.append(f"{what}: ours {mine!r}, twin {theirs!r}")

        over = o.winner
        same("over", over, t.over)
        if over is None:
            same("second", o.second, t.second)
            asked = sorted(d.by for d in self.decisions() if not d.answered)
            same("asked", asked, sorted(p.id for p in t.people if orders.asked(t, p)))
        same(
            "doors", {self.field.at(d.cell): s for d, s in zip(self.field.doors, o.doors, strict=True)}, t.ground.doors
        )
        same(
            "zones",
            [(kind, {self.field.at(c) for c in cells_of(cells)}, ends) for kind, cells, ends in o.zones],
            t.zones,
        )
        same("floor", [(n, self.field.at(c)) for n, c in o.floor], t.floor)
        same("dice", o.rng, t.dice.state)
        for being, g, p in zip(o.setup.beings, o.figures, t.people, strict=True):
            who = being.id
            same(f"{who} dead", g.dead, p.dead)
            same(f"{who} hp", max(0, g.hp), max(0, p.hp))
            if g.dead:
                continue
            for what, mine, theirs in (
                ("at", self.field.at(g.cell), p.at), ("init", g.init, p.init), ("due", g.due, p.due),
                ("helpless", g.helpless, p.helpless), ("prone", g.prone, p.prone), ("facing", g.facing, p.facing),
                ("hand", g.hand, p.hand), ("shield", g.shield, p.shield), ("slung", g.slung, p.slung),
                ("held", g.held_by, p.held_by.number if p.held_by else -1), ("policy", g.policy, p.policy),
                ("press", g.press, p.press), ("stance", g.stance, p.stance), ("exposed", g.exposed, p.exposed),
                ("withdrew", g.withdrew, p.withdrew), ("penalty", g.penalty, p.penalty), ("owed", g.owed, p.owed),
                ("points", g.points, p.points), ("worn", g.worn, p.worn), ("tactical", g.tactical, p.tactical),
                ("fatigue", g.fatigue, p.fatigue), ("unlit", g.dark, p.unlit), ("ward", g.ward, p.ward),
                ("images", g.images, p.images), ("burnt", g.burnt, p.burnt),
                ("effects", sorted(e for e in g.effects if e[0] != "off balance"),
                 sorted(p.effects.items())),
                ("casting", g.casting and g.casting.ends, p.casting and p.casting["ends"]),
                ("loading", g.loading, (p.loading, p.leaves if p.loading else 0)),
            ):  # fmt: skip
                same(f"{who} {what}", mine, theirs)
        if different:
            raise Difference("; ".join(different))


def play(seed: int, subjects: frozenset[str] | None = None, most: int = 120) -> tuple[int, Match | None, str]:
    """One random fight, about given subjects or those of its seed: (commands compared, the match where they
    differed, what differed)."""
    dice = random.Random(seed)
    subjects = encounters.subjects_of(seed) if subjects is None else subjects
    rows = encounters.rows_of(dice)
    if "fog" in subjects:  # doors as a side remembers them are not read
        rows = [row.replace("+", ".") for row in rows]
    creatures = encounters.creatures_of(dice, rows, tables()["creature"])
    if len({c["side"] for c in creatures}) < 2:
        return 0, None, ""
    encounters.with_subjects(random.Random(f"subjects {seed}"), creatures, subjects)
    match, given = None, 0
    try:
        options = encounters.options_of(dice)
        shine = encounters.lights_of(random.Random(f"lights {seed}"), rows, subjects)
        options |= {subject: True for subject in ("darkness", "fog") if subject in subjects}
        match = Match(rows, creatures, seed, options, *shine)
        people, cells = [c["id"] for c in creatures] + ["nobody"], list(range(len(rows) * len(rows[0])))
        slow = "crossbow" in subjects
        while given < most and match.ours.winner is None:
            decision = dice.choice([d for d in match.decisions() if not d.answered])
            view = match.rules.observe(match.ours, decision.side) if "fog" in subjects else match.ours
            legal = [a for a in match.rules.legal(view, decision) if a.do in encounters.DOS]
            match.do(encounters.pick(dice, legal, decision.by, people, cells, slow))
            given += 1
    except Difference as error:
        return given, match, str(error)
    except BattlematError as error:
        return given, match, f"ours broke off: {error}"
    return given, None, ""
