"""What heroes can do in a fight and before it, each as a short scene in the real window: both hands, both sizes.

Every scene is rehearsed first: the first seed in which all of it happens is the one that is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from game.content import encounter
from game.fight.match import Match
from rules.contract.actions import Action
from tests.e2e.deeds import Deed, acted, being, do, rehearsed, room
from tests.e2e.real_table import MARKS, Sitting, ways

pytestmark = [*MARKS, pytest.mark.timeout(300)]

HALL = ["################", *["#..............#"] * 7, "################"]
GORGE = ["################", *["#.....~~  .....#"] * 5, "################"]
"""Difficult ground, then a pit two spaces wide."""
GOBLIN: dict[str, Any] = {"template": "goblin", "side": "monsters"}


class Act(NamedTuple):
    """A scene: where it is played, what is done, how it must come out, and what the others would rather do."""

    record: dict[str, Any]
    deeds: Sequence[Deed]
    came: Callable[[Match], bool] = lambda match: True
    others: Callable[[Action], bool] | None = None


def told(match: Match, kind: str, **fields: Any) -> bool:
    """Whether an event of a kind with such fields has happened."""
    return any(
        type(event).__struct_config__.tag == kind and all(getattr(event, k, None) == v for k, v in fields.items())
        for event in match.events
    )


def mini(match: Match, name: str) -> Any:
    return next(m for m in match.board().miniatures if m.id == name)


def badges(match: Match, name: str) -> set[str]:
    return {badge.icon for badge in mini(match, name).badges}


def stands(match: Match, name: str) -> tuple[int, int]:
    return match.field.at(mini(match, name).cell)


# -- answers out of turn -----------------------------------------------------------------------------------


def strikes(action: Action) -> bool:
    return action.do in ("attack", "rushed_attack")


def reflexes() -> Act:
    """Each answer once, and one declined, while the computer strikes."""
    fencer = being("Ada", (5, 4), weapons=["rapier"], shield="roundel", brawn=12, finesse=12,
                   skills={"Fencing": "Master", "Shields": "Journeyman"})  # fmt: skip
    brute = being("Brute", (6, 4), "monsters", controller="ai", brawn=12, finesse=6, skills={"Swords": "Master"})
    answers = ("raise_shield", "parry", "counterattack", "riposte")
    deeds = [do("ada", "choose", option=answer) for answer in answers]
    return Act(
        room(HALL, fencer, brute, options={"reflexes": True}), deeds,
        lambda match: all(told(match, "chosen", by="ada", option=answer) for answer in answers),
    )  # fmt: skip


def shield_block() -> Act:
    """The deed of the same name, two AP in one's own chance."""
    ada = being("Ada", (5, 4), shield="heater", skills={"Swords": "Apprentice", "Shields": "Journeyman"})
    return Act(
        room(HALL, ada, being("Brute", (6, 4), "monsters")),
        [do("ada", "shield_block")],
        lambda match: "defense_up" in badges(match, "ada"),
    )


# -- magic and things --------------------------------------------------------------------------------------


def blast() -> Act:
    """An area pointed at, with everybody's chance in it."""
    wizard = {"id": "wiz", "template": "wizard", "side": "heroes", "at": [3, 4], "spells": ["fire blast"]}
    goblins = [{**GOBLIN, "id": f"g{n}", "name": name, "at": [10, 3 + n]} for n, name in enumerate(("Snik", "Snag"))]
    return Act(
        room(HALL, wizard, *goblins),
        [do("wiz", "cast", item="fire blast", at=(9, 3))],
        lambda match: sum(mini(match, g).health.value < mini(match, g).health.maximum for g in ("g0", "g1")) == 2,
    )


def use_items() -> Act:
    """A draught drunk and a scroll read."""
    wizard = {"id": "wiz", "template": "wizard", "side": "heroes", "at": [3, 4], "hp": 3,
              "items": ["healing draught", "scroll of sleep"]}  # fmt: skip
    return Act(
        room(HALL, wizard, {**GOBLIN, "id": "gob", "at": [9, 4]}),
        [do("wiz", "use", item="healing draught"), do("wiz", "use", item="scroll of sleep")],
        lambda match: mini(match, "wiz").health.value > 3 and "asleep" in badges(match, "gob"),
    )


# -- held, and flying --------------------------------------------------------------------------------------


def webbed() -> Act:
    """A spider's web roots; the hero fights on where it stands, breaks free at a reset and walks away."""

    def bites(match: Match, action: Action) -> bool:
        return action.do == "attack" and action.target == "ada"

    def away(match: Match, action: Action) -> bool:
        free = told(match, "enchanted", target="ada", gained=False) and "rooted" not in badges(match, "ada")
        return free and action.do in ("step", "run", "free_steps") and bool(action.path)

    def held(match: Match, action: Action) -> bool:
        return "rooted" in badges(match, "ada") and strikes(action)

    spider = {"id": "spider", "template": "giant_spider", "side": "monsters", "at": [6, 4]}
    return Act(
        room(HALL, being("Ada", (5, 4), brawn=12, nerve=9), spider),
        [Deed("spider", bites, "web"), Deed("ada", held, "fights rooted"), Deed("ada", away, "walks away")],
        others=strikes,
    )


def flyer() -> Act:
    """A hawk, played by hand from a seat of its own, over difficult ground and a pit."""
    hawk = {"id": "hawk", "template": "great_hawk", "side": "monsters", "at": [4, 3]}

    def over(match: Match, action: Action) -> bool:
        cells = [match.field.at(cell) for cell in action.path]
        flies = action.do in ("step", "run", "free_steps")
        return flies and any(8 <= x <= 9 for x, _ in cells) and bool(cells) and cells[-1][0] >= 10

    def rough(match: Match, action: Action) -> bool:
        return action.do == "free_steps" and bool(action.path) and match.field.at(action.path[-1]) == (6, 3)

    seats = [{"name": "Ann", "colour": 0, "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["monsters"]}]
    return Act(
        room(GORGE, being("Ada", (12, 5)), hawk, seats=seats),
        [Deed("hawk", rough, "over difficult ground"), Deed("hawk", over, "over the pit")],
        lambda match: stands(match, "hawk")[0] >= 10,
    )


# -- skills ------------------------------------------------------------------------------------------------

KEEP = [
    "################",
    "#......#.......#",
    "#......#.......#",
    "#......+.......#",
    "#......#.......#",
    "################",
]
NICHE = {"id": "niche", "kind": "secret_door", "at": [[7, 1]], "difficulty": 6}
FLAGS = {"id": "loose flags", "kind": "trap", "at": [[3, 3]], "difficulty": 6, "notice": 6, "damage": "d6",
         "known": ["heroes"]}  # fmt: skip
ABLE = {
    "Disable": "Foreman",
    "Investigation": "Foreman",
    "Burst": "Foreman",
    "Intimidate": "Foreman",
    "Swords": "Apprentice",
}


def trap() -> Act:
    """A known trap is disarmed by somebody whom a friend assists."""
    ada = being("Ada", (2, 3), skills=ABLE, savvy=9)
    bo = being("Bo", (2, 2), skills=ABLE, savvy=9, finesse=12)
    return Act(
        room(KEEP, ada, bo, being("Brute", (13, 2), "monsters"), ground={"challenges": [FLAGS]}),
        [do("bo", "assist", target="ada", option="Disable"), do("ada", "tackle", item="loose flags", option="Disable")],
        lambda match: not any(c.id == "loose flags" and c.kind == "trap" for c in _standing(match)),
    )


def _standing(match: Match) -> list[Any]:
    """Obstacles that can still be tackled by Ada."""
    legal = match.legal(match.decision) if match.decision is not None else ()
    left = {action.item for action in legal if action.do == "tackle"}
    return [c for c in match.field.challenges if c.id in left]


def locked(option: str) -> Act:
    """A locked door picked or broken, by whichever of the two somebody can."""
    ada = being("Ada", (6, 3), skills={option: "Foreman", "Swords": "Apprentice"}, savvy=9)
    return Act(
        room(KEEP, ada, being("Brute", (13, 2), "monsters"), ground={"doors": {"door 7,3": "locked"}}),
        [do("ada", "force", option=option)],
        lambda match: "locked" not in match.board().doors,
    )


def secret_door() -> Act:
    """What is hidden in the wall is searched for, found and opened."""
    ada = being("Ada", (6, 1), skills=ABLE, savvy=9)
    return Act(
        room(KEEP, ada, being("Brute", (13, 2), "monsters"), ground={"challenges": [NICHE]}),
        [do("ada", "search"), do("ada", "open", target="niche")],
        lambda match: "open" in match.board().doors,
    )


def frightens() -> Act:
    """A foe is cowed by words."""
    return Act(
        room(HALL, being("Ada", (5, 4), skills=ABLE, nerve=12), {**GOBLIN, "id": "gob", "at": [7, 4]}),
        [do("ada", "intimidate", target="gob")],
        lambda match: "frightened" in badges(match, "gob"),
    )


def sluice(*heroes: dict[str, Any]) -> dict[str, Any]:
    """The old sluice with these heroes, and one goblin far away."""
    record = encounter.make_encounter("old_sluice", ["warrior"], ["goblin"], 1)
    foe = next(c for c in record["creatures"] if c["side"] == "monsters")
    played = [{"controller": "human", **hero} for hero in heroes]
    return {**record, "creatures": [*played, {**foe, "at": [27, 17], "controller": "human"}]}


FIT = {"Climb": "Master", "Swim": "Master", "Leap": "Master", "Lift/Shift": "Master", "Burst": "Master",
       "Disable": "Master", "Alertness": "Master", "Swords": "Apprentice"}  # fmt: skip


def over_the_fence() -> Act:
    return Act(
        sluice(being("Ada", (8, 12), skills=FIT)), [do("ada", "climb")], lambda match: stands(match, "ada")[1] == 14
    )


def through_the_canal() -> Act:
    """Into the water, and across it."""
    return Act(
        sluice(being("Ada", (12, 8), skills=FIT, brawn=12)),
        [do("ada", "swim", "into the water"), do("ada", "swim", "out of it")],
        lambda match: stands(match, "ada")[0] != 12,
    )


def the_bars() -> Act:
    """The portcullis is lifted."""
    return Act(
        sluice(being("Ada", (15, 9), skills=FIT, brawn=12)),
        [do("ada", "force", option="Lift/Shift")],
        lambda match: any(state not in ("closed", "locked") for state in match.board().doors),
    )


def the_stones() -> Act:
    """Rubble is cleared."""
    return Act(
        sluice(being("Ada", (12, 15), skills=FIT, brawn=12)),
        [do("ada", "tackle", item="fallen stones")],
        lambda match: told(match, "check", by="ada", success=True),
    )


def leaps() -> Act:
    """Over a pit."""
    return Act(
        room(GORGE, being("Ada", (7, 3), skills=FIT, brawn=12), being("Brute", (14, 1), "monsters")),
        [do("ada", "leap", at=(10, 3))],
        lambda match: stands(match, "ada")[0] >= 10,
    )


# -- before the fight --------------------------------------------------------------------------------------

HOUSE = [
    "####################",
    "#.....#............#",
    "#.....#............#",
    "#.....+............#",
    "#..................#",
    "####################",
]


def ambush() -> Act:
    """One searches, the other sneaks into the hall and strikes from there; the goblin is caught unaware."""
    quiet = {"Sneak": "Master", "Swords": "Foreman", "Alertness": "Foreman"}
    gob = being("Gob", (12, 2), "monsters", controller="ai", savvy=1, nerve=1)

    def nearer(match: Match, action: Action) -> bool:
        return action.do == "sneak" and bool(action.path) and match.field.at(action.path[-1])[0] >= 7

    return Act(
        room(HOUSE, being("Ada", (4, 4), skills=quiet, finesse=10), being("Bo", (2, 4), skills=quiet, finesse=10), gob,
             options={"explore": True}),
        [
            do("bo", "search"), Deed("ada", nearer, "sneak"), do("ada", "ambush"),
            Deed("ada", lambda match, action: action.do in ("step", "run", "free_steps") and bool(action.path), "goes"),
        ],
        lambda match: not match.board().banner,
    )  # fmt: skip


def torch() -> Act:
    """A torch burns out over three rests in the crypt, and another is lit."""
    record = encounter.make_encounter("crypt", ["warrior"], ["goblin"], 1)
    hero = next(c for c in record["creatures"] if c["side"] == "heroes")
    foe = next(c for c in record["creatures"] if c["side"] == "monsters")
    ada = {**being("Ada", tuple(hero["at"]), light=4, lamp="torch"), "controller": "human"}
    far = {**foe, "surprised": True, "controller": "ai"}

    def out(match: Match, action: Action) -> bool:
        return action.do == "light" and "dark" in badges(match, "ada")

    return Act(
        {**record, "creatures": [ada, far], "options": {"explore": True, "darkness": True}},
        [*[do("ada", "camp")] * 3, Deed("ada", out, "lights another")],
        lambda match: told(match, "item", how="burnt_out") and told(match, "item", how="lit"),
    )


SCENES: dict[str, Callable[[], Act]] = {
    "reflexes": reflexes,
    "shield block": shield_block,
    "area spell": blast,
    "draught and scroll": use_items,
    "webbed": webbed,
    "flyer": flyer,
    "trap and assist": trap,
    "lock picked": lambda: locked("Disable"),
    "door burst": lambda: locked("Burst"),
    "secret door": secret_door,
    "intimidate": frightens,
    "climb": over_the_fence,
    "swim": through_the_canal,
    "portcullis": the_bars,
    "rubble": the_stones,
    "leap": leaps,
    "ambush": ambush,
    "torch": torch,
}


@ways()
@pytest.mark.parametrize("scene", list(SCENES))
def test_a_scene_is_played_as_it_was_rehearsed(
    sat: Callable[[str, str], Sitting], scene: str, hand: str, size: str
) -> None:
    at = sat(hand, size)
    at.story = scene.replace(" ", "-")
    act = SCENES[scene]()
    acted(at, act.record, act.deeds, act.came, others=act.others)
    at.close()


@pytest.mark.parametrize("scene", list(SCENES))
def test_every_scene_can_happen(scene: str) -> None:
    act = SCENES[scene]()
    assert rehearsed(act.record, act.deeds, act.came, others=act.others)["seed"] >= 1
