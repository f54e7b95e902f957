"""The game master's hand at random in fights and expeditions: nothing breaks, and the record leads there again."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from game.content import tables as content
from game.fight.match import Match
from rules.contract.actions import Action, pending
from rules.contract.errors import IllegalActionError
from rules.contract.hand import GAME_MASTER, HIDDEN, Deed
from rules.contract.text import as_builtins
from rules.contract.units import Cell
from rules.core import record as records

RULESETS = ("olde", "cairn", "countup")
ROWS = [
    "################",
    "#......#.......#",
    "#......+.......#",
    "#..##..#..~~...#",
    "#......#..~~...#",
    "#..............#",
    "#......#.......#",
    "################",
]
SPACES = {"heroes": [(1, 1), (1, 3), (2, 5)], "monsters": [(13, 1), (12, 5), (9, 6)]}
CHALLENGES = [
    {"id": "niche", "kind": "secret_door", "at": [[7, 4]], "difficulty": 5},
    {"id": "snare", "kind": "trap", "at": [[4, 5]], "damage": "d6"},
]


def document(name: str, seed: int, **options: bool) -> dict[str, Any]:
    """Three ready heroes against three monsters of the content, and something hidden."""
    creatures = []
    for side, known in (("heroes", content.heroes(name)), ("monsters", content.monsters(name))):
        for number, at in enumerate(SPACES[side]):
            small = [t for t, block in known.items() if block.get("space", 1) == 1]
            template = small[(seed + number) % len(small)]
            who = "human" if side == "heroes" else "ai"
            creatures.append({"id": f"{side}.{number}", "side": side, "at": list(at), "template": template,
                              "controller": who})  # fmt: skip
    return {"format": "battlemat/1", "ruleset": name, "map": {"rows": ROWS, "challenges": CHALLENGES}, "seed": seed,
            "options": options, "creatures": creatures, "commands": []}  # fmt: skip


class Meddler:
    """Plays at random, and reaches in at random."""

    def __init__(self, match: Match, seed: int) -> None:
        self.match, self.dice, self.count = match, random.Random(seed), 0
        self.done: dict[str, int] = {}

    def hand(self, deed: Deed) -> Action:
        """A command of some deed that may or may not make sense."""
        dice, state, rules = self.dice, self.match.state, self.match.ruleset
        field = self.match.field
        name = dice.choice(list(state.setup.index))
        cell = Cell(dice.randrange(field.width * field.height))
        sides = ["heroes", "monsters", "beasts"]
        action = Action(GAME_MASTER, deed.value, target=name)
        match deed:
            case Deed.ADD:
                self.count += 1
                template = dice.choice(list(content.monsters(rules.id)))
                block = {**content.template(rules.id, template), "id": f"new {self.count}", "side": dice.choice(sides),
                         "at": list(field.at(cell)), "controller": dice.choice(["ai", "human"])}  # fmt: skip
                return Action(GAME_MASTER, deed.value, creature=records.packed(block))
            case Deed.MOVE | Deed.RAISE:
                points = dice.choice([None, 1, 2]) if deed is Deed.RAISE else None
                at = cell if deed is Deed.MOVE or dice.random() < 0.7 else None
                return Action(GAME_MASTER, deed.value, target=name, at=at, rating=points)
            case Deed.SET:
                pool = dice.choice(rules.hand.pools(state, name))
                value = dice.choice([pool.least, pool.most, pool.now, dice.randint(pool.least, pool.most)])
                return Action(GAME_MASTER, deed.value, target=name, option=pool.name, rating=value)
            case Deed.GIVE | Deed.TAKE:
                condition, _ = dice.choice(rules.hand.conditions(state, name))
                lasts = dice.choice([None, 1, 5]) if deed is Deed.GIVE else None
                return Action(GAME_MASTER, deed.value, target=name, option=condition, rating=lasts)
            case Deed.SIDE:
                return Action(GAME_MASTER, deed.value, target=name, option=dice.choice(sides))
            case Deed.PLAYER:
                return Action(GAME_MASTER, deed.value, target=name, option=dice.choice(["ai", "human"]))
            case Deed.DOOR:
                door = dice.choice([door.id for door in field.doors])
                state_of = dice.choice(["open", "closed", "locked", "barred", "secret"])
                return Action(GAME_MASTER, deed.value, target=door, option=state_of)
            case Deed.REVEAL:
                if dice.random() < 0.4:
                    return Action(GAME_MASTER, deed.value, path=(cell,), option=dice.choice([None, "heroes"]))
                hidden = rules.hand.hidden(state)
                what = dice.choice(hidden)[0] if hidden else name
                return Action(GAME_MASTER, deed.value, target=what, option=dice.choice([None, "heroes"]))
            case Deed.CHECK:
                trial = dice.choice(rules.hand.trials(state, name))
                return Action(GAME_MASTER, deed.value, target=name, option=trial.name, rating=trial.usual)
            case Deed.DICE:
                return Action(GAME_MASTER, deed.value, option="2d6+1", item=dice.choice([None, HIDDEN]))
            case Deed.NOTE:
                return Action(GAME_MASTER, deed.value, at=cell, option="a trap?", item=dice.choice([None, HIDDEN]))
            case _:
                return action

    def meddle(self) -> None:
        """One reach of the hand; what makes no sense is refused in one line, with nothing changed."""
        decision = self.match.decision
        assert decision is not None
        action, before = self.hand(self.dice.choice(list(Deed))), self.match.state
        reason = self.match.ruleset.hand.refusal(before, action)
        if reason is not None:
            assert reason and "\n" not in reason
            with pytest.raises(IllegalActionError):
                self.match.act(decision, action)
            assert self.match.state is before
            return
        events = self.match.act(decision, action)
        assert any(event.hand for event in events), action
        for event in events:
            self.match.ruleset.tell(self.match.state, event)
        self.done[action.do] = self.done.get(action.do, 0) + 1

    def play(self, most: int, share: float) -> None:
        rules = self.match.ruleset
        for _ in range(most):
            decision = pending(rules.decisions(self.match.state))
            if decision is None:
                return
            if self.dice.random() < share:
                self.meddle()
                self.holds()
                continue
            actions = list(rules.legal(self.match.state, decision))
            blows = [a for a in actions if a.target is not None and a.do in ("attack", "shoot")]
            action = self.dice.choice(blows if blows and self.dice.random() < 0.7 else actions)
            self.match.act(decision, action)
            self.holds()

    def holds(self) -> None:
        """What must be true of every state."""
        state, rules = self.match.state, self.match.ruleset
        board = rules.board(state)
        taken: dict[int, str] = {}
        ids = [mini.id for mini in board.miniatures]
        assert len(ids) == len(set(ids))
        for mini in board.miniatures:
            if mini.out or mini.cell < 0:
                continue
            assert state.terrain.fits(mini.cell, mini.size), mini
            if rules.id != "olde":  # there, foes of small ones may share a space
                for cell in state.terrain.space(mini.cell, mini.size):
                    assert cell not in taken, (mini.id, taken[cell])
                    taken[cell] = mini.id
        for decision in rules.decisions(state):
            legal = rules.legal(state, decision)
            assert next(iter(legal), None) is not None, decision
        for side in ("heroes", "monsters"):
            rules.board(rules.observe(state, side))
            rules.sees(state, side)
        known = [*state.setup.index]
        assert [name for name, _, _ in rules.hand.roster(state)] == known
        assert len(state.figures) == len(known)


def told(match: Match) -> Any:
    return as_builtins(dict(match.ruleset.summary(match.state)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", RULESETS)
def test_a_fight_with_the_hand_in_it_goes_on_and_replays(name: str, seed: int) -> None:
    options = {"fog": seed % 3 == 0, "explore": seed % 4 == 1, "crawl": seed % 4 == 2, "fixtures": seed % 2 == 0}
    match = Match.from_record(document(name, seed, **options))
    meddler = Meddler(match, seed)
    meddler.play(70, 0.35)
    assert sum(meddler.done.values()) > 5 or match.decision is None
    document_now = json.loads(json.dumps(records.document(match.record)))
    again = Match.from_record(document_now)
    assert told(again) == told(match)
    assert again.events == match.events
    while match.history.length:
        match.history.rewind(max(0, match.history.length - 7))
    begun = Match.from_record(records.begun(match.record))
    assert told(begun) == told(match)
