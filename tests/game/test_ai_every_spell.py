"""The computer uses every spell, blessing, potion, scroll and device where it serves, and keeps it where it doesn't."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import tables as content
from game.fight.match import Match
from rules.contract.actions import Action
from tests.game.ai_table import play_chance, turn_to
from tests.game.test_ai_magic import choice, deed, fight
from tests.rules.olde.creatures import Fight, being

TABLES = content.tables("olde")
NAMES = {kind: [str(e["name"]) for e in TABLES[kind]] for kind in ("spells", "blessings", "items")}
KIND = {name: kind for kind, names in NAMES.items() for name in names}

Being = tuple[str, str, tuple[int, int], dict[str, Any]]


def foes(template: str, *places: tuple[int, int]) -> list[Being]:
    return [(template, "monsters", at, {}) for at in places]


def ally(at: tuple[int, int] = (4, 4), **says: Any) -> Being:
    return ("warrior", "heroes", at, says)


THREE_BESIDE = foes("goblin", (4, 4), (4, 3), (4, 5))
CROWD = foes("goblin", (9, 4), (10, 3), (10, 4))
ORCS = foes("orc", (8, 4), (8, 3), (8, 5))
ARCHERS = foes("goblin_archer", (12, 3), (12, 4), (12, 5))
MELEE = [ally((5, 4)), ("ranger", "heroes", (5, 3), {}), *foes("orc", (6, 4), (6, 3))]
DYING = [ally(hp=-3), *foes("orc", (8, 4))]
HURT = [ally(hp=3), ("rogue", "heroes", (4, 3), {"hp": 3}), *foes("orc", (9, 4))]
AILING = [ally(conditions=["rooted", "blinded"]), *foes("orc", (9, 4))]
ONE_ORC = foes("orc", (11, 4))
BOW: dict[str, Any] = {"weapons": ["shortbow"]}
NO_MANA: dict[str, Any] = {"spells": ["fire blast"], "mana": 0}
NO_FAITH: dict[str, Any] = {"blessings": ["searing light"], "faith": 0}

SERVES: dict[str, tuple[list[Being], dict[str, Any]]] = {
    "ember bolt": (ONE_ORC, {}),
    "frost shard": (ONE_ORC, {}),
    "lightning lance": (foes("goblin", (5, 4), (6, 4), (7, 4)), {}),
    "fan of flame": (THREE_BESIDE, {}),
    "fire blast": (CROWD, {}),
    "thunderclap": (THREE_BESIDE, {}),
    "sleep": (foes("ogre", (6, 4)), {}),
    "dread": (foes("ogre", (6, 4)), {}),
    "blinding flash": (foes("ogre", (6, 4)), {}),
    "silence": (foes("goblin_shaman", (11, 4)), BOW),
    "slow": (foes("ogre", (6, 4)), {}),
    "grasping roots": (CROWD, {}),
    "haste": (MELEE, {}),
    "shield of air": (MELEE, {}),
    "stoneskin": (MELEE, {}),
    "wall of stone": (ARCHERS, {}),
    "wall of force": (ORCS, {}),
    "thorn hedge": (ORCS, {}),
    "summon wolf": (ONE_ORC, {}),
    "mend wounds": (DYING, {}),
    "prayer of healing": (HURT, {}),
    "bless": (MELEE, {}),
    "shield of faith": (MELEE, {}),
    "righteous might": (MELEE, {}),
    "turn undead": ([ally(), *foes("skeleton", (5, 4), (5, 3), (5, 5))], {}),
    "searing light": (ONE_ORC, {}),
    "cleansing touch": (AILING, {}),
    "guardian spirit": (ONE_ORC, {}),
    "healing draught": (DYING, {}),
    "strong healing draught": (DYING, {}),
    "draught of haste": (MELEE, {}),
    "stone oil": (MELEE, {}),
    "antidote": (AILING, {}),
    "draught of Mana": (ONE_ORC, NO_MANA),
    "holy water": (ONE_ORC, NO_FAITH),
    "scroll of fire blast": (CROWD, {}),
    "scroll of sleep": (foes("ogre", (6, 4)), {}),
    "scroll of mending": (DYING, {}),
    "scroll of stone": (ARCHERS, {}),
    "flash powder": (foes("ogre", (6, 4)), {}),
    "thunder gong": (THREE_BESIDE, {"brawn": 8}),  # who is frailer would rather run
}
"""What is known or carried -> who else is there, and what of the caster differs."""

LIGHTS = ("light", "hallowed light")


def caster(name: str, others: list[Being], **says: Any) -> Match:
    """A fight of somebody who knows or has this alone."""
    me: dict[str, Any] = {
        "spells": [], "blessings": [], "items": [], "shield": None, "weapons": ["dagger"], "mana": 12, "faith": 12,
        "brawn": 6, "finesse": 7, "savvy": 10, "nerve": 10,
        "skills": {"Wizardry": "Journeyman", "Faith": "Journeyman", "Literacy": "Apprentice", "Bows": "Journeyman"},
        **says,
    }  # fmt: skip
    return fight(("wizard", "heroes", (3, 4), {**me, KIND[name]: [*me[KIND[name]], name]}), *others, ap=6)


def test_nothing_of_the_content_is_left_out() -> None:
    assert sorted([*SERVES, *LIGHTS]) == sorted(KIND)


@pytest.mark.parametrize("name", SERVES)
def test_it_is_used_where_it_serves(name: str) -> None:
    others, says = SERVES[name]
    action = deed(caster(name, others, **says))
    assert (action.do, action.item) == ("use" if KIND[name] == "items" else "cast", name)


def lit(name: str, lamp: int) -> list[Action]:
    """What somebody in a dark cellar does who knows a light alone; `lamp`: how far its own shines."""
    from tests.rules.olde.test_knowledge_olde import cellar

    me = being("a", (3, 1), spells=[], blessings=[], skills={"Wizardry": "Apprentice", "Faith": "Apprentice"})
    me = {**me, KIND[name]: [name], "savvy": 10, "nerve": 10, "light": lamp}
    state = Fight(me, being("b", (9, 1)), field=cellar(), darkness=True).now
    from game.controllers.ai import AiController

    return play_chance(turn_to(state, "a", 6), AiController())[1]


@pytest.mark.parametrize("name", LIGHTS)
def test_light_is_made_in_the_dark_and_not_beside_a_lantern(name: str) -> None:
    assert any(action.item == name for action in lit(name, 0))
    assert all(action.item != name for action in lit(name, 8))


SENSELESS: dict[str, tuple[list[Being], dict[str, Any]]] = {
    "silence": (ONE_ORC, BOW),
    "wall of stone": ([ally((7, 3)), ally((7, 5)), *foes("zombie", (9, 4))], {}),
    "wall of force": ([ally((7, 3)), ally((7, 5)), *foes("zombie", (9, 4))], {}),
    "light": (ONE_ORC, BOW),
    "cleansing touch": (MELEE, {}),
    "antidote": (MELEE, {}),
    "turn undead": (CROWD, {}),
    "sleep": (foes("skeleton", (6, 4)), {}),
    "draught of Mana": (ONE_ORC, {"mana": 5}),
    "fire blast": ([ally((8, 4), hp=4), ally((8, 3), hp=4), *foes("goblin", (9, 4))], {}),
    "prayer of healing": (MELEE, {}),
}
"""The same for who had better keep it."""


@pytest.mark.parametrize("name", SENSELESS)
def test_it_is_kept_where_it_would_be_wasted(name: str) -> None:
    others, says = SENSELESS[name]
    match = caster(name, others, **says)
    action = choice(match)
    if action.do in ("cast", "use"):
        odds = match.ruleset.odds(match.state, action)
        assert odds is not None and name == "fire blast"
        assert all(share.mean == 0.0 for share in odds.targets if share.id in ("b", "c")), "friends are spared"
