"""House magic as data: what there must be, what the formula allows, and what a faulty entry is told (docs/magic.md)."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.olde.gear import Armoury
from rules.olde.magic.models import grimoire_of
from tests.rules.olde import budget
from tests.rules.olde.creatures import Fight, being

TABLES = content.tables("olde")
GRIMOIRE = grimoire_of(TABLES, Armoury.from_tables(TABLES))
POTION = {"name": "x", "kind": "potion", "summary": "x", "cost": 1}


@pytest.mark.parametrize("name", list(GRIMOIRE.spells))
def test_a_spell_is_worth_what_it_costs_by_the_formula(name: str) -> None:
    spell = GRIMOIRE.spells[name]
    assert abs(budget.worth(spell) / budget.price(spell) - 1.0) <= budget.TOLERANCE


def test_the_formula_tells_too_cheap_from_too_dear() -> None:
    (bolt,) = (entry for entry in TABLES["spells"] if entry["name"] == "fire blast")

    def ratio(**changes: Any) -> float:
        spell = grimoire_of({"spells": [{**bolt, **changes}]}).spells["fire blast"]
        return budget.worth(spell) / budget.price(spell)

    assert ratio(ap=1, mana=1) > 1.0 + budget.TOLERANCE
    assert ratio(mana=12) < 1.0 - budget.TOLERANCE
    assert ratio(dice={"plus": 6}) > ratio() > ratio(dice={"plus": 2}) > ratio(dice={"half": True})
    assert ratio(affects="foes") > ratio() and ratio(size=2) > ratio()


def test_a_point_of_the_currency_is_a_plain_attacks_damage() -> None:
    assert pytest.approx(4.97, abs=0.01) == budget.AP_POINT * 2


def test_there_are_enough_spells_and_blessings_of_every_kind() -> None:
    pools = [spell.pool for spell in GRIMOIRE.spells.values()]
    assert pools.count("mana") >= 16 and pools.count("faith") >= 8
    spells = list(GRIMOIRE.spells.values())
    assert {spell.shape.name for spell in spells} == {"one", "burst", "blast", "cone", "line", "wall"}
    assert {spell.does for spell in spells} >= {"harm", "heal"}
    assert {spell.lasting.condition for spell in spells if spell.lasting} >= {
        "asleep", "rooted", "slowed", "silenced", "blinded", "frightened",
    }  # fmt: skip
    assert {spell.zone for spell in spells} == {None, "stone", "force", "thorns", "light"}
    assert sum(spell.summon is not None for spell in spells) >= 2
    assert {item.kind for item in GRIMOIRE.items.values()} == {"potion", "scroll", "device"}


def _bad(table: str, **changes: Any) -> str:
    entry = {**TABLES[table][0], **changes}
    with pytest.raises(BattlematError) as error:
        grimoire_of({**TABLES, table: [{k: v for k, v in entry.items() if v is not None}]})
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("table", "changes", "said"),
    [
        ("spells", {"mana": 0}, "mana"),
        ("spells", {"mana": "2"}, "mana"),
        ("spells", {"ap": 4}, "ap"),
        ("spells", {"range": 0}, "range"),
        ("spells", {"aim": "sky"}, "aim"),
        ("spells", {"does": "nothing"}, "dice and does"),
        ("spells", {"does": "nothing", "dice": None}, "does nothing"),
        ("spells", {"shape": "cone", "size": 3}, "aim"),
        ("spells", {"shape": "blast", "size": 40, "aim": "space"}, "size"),
        ("spells", {"lasting": {"turns": 2}}, "lasting"),
        ("spells", {"zone": {"kind": "stone", "turns": 2}}, "wall"),
        ("spells", {"colour": "red"}, "colour"),
        ("blessings", {"faith": None}, "faith"),
        ("blessings", {"name": "ember bolt"}, "called so already"),
        ("items", {"holds": "wish"}, "holds"),
        ("items", {"holds": None}, "exactly one"),
        ("items", {"holds": "ember bolt"}, "potion"),
    ],
    ids=str,
)
def test_a_faulty_entry_is_refused_by_name_and_field(table: str, changes: dict[str, Any], said: str) -> None:
    message = _bad(table, **changes)
    assert said in message
    assert str(changes.get("name") or TABLES[table][0]["name"]) in message


def test_a_summons_needs_weapons_and_skills_of_the_rules() -> None:
    (wolf,) = (entry for entry in TABLES["spells"] if entry["name"] == "summon wolf")
    for field, value in (("weapons", ["broadsword"]), ("skills", {"Howling": "Master"})):
        summon = {**wolf["summon"], field: value}
        with pytest.raises(BattlematError, match=f"summon.{field}"):
            grimoire_of({**TABLES, "spells": [{**wolf, "summon": summon}], "items": []}, Armoury.from_tables(TABLES))


@pytest.mark.parametrize(
    ("field", "value", "near"),
    [
        ("spells", "ember bolts", "ember bolt"),
        ("blessings", "mend wound", "mend wounds"),
        ("items", "antidot", "antidote"),
        ("spells", "mend wounds", ""),
        ("blessings", "ember bolt", ""),
    ],
)
def test_an_unknown_spell_of_a_stat_block_is_refused_with_the_nearest(field: str, value: str, near: str) -> None:
    block: dict[str, Any] = {field: [value]}
    with pytest.raises(BattlematError) as error:
        Fight(being("a", **block), being("b", (3, 1)))
    assert field in str(error.value) and value in str(error.value) and near in str(error.value)


def test_casters_of_the_content_know_their_craft() -> None:
    creatures = {**content.heroes("olde"), **content.monsters("olde")}
    casters = [entry for entry in creatures.values() if entry.get("spells") or entry.get("blessings")]
    assert {"Wizard", "Priest", "Human"} <= {entry["kind"] for entry in casters}
    for entry in casters:
        assert not entry.get("spells") or "Wizardry" in entry["skills"]
        assert not entry.get("blessings") or "Faith" in entry["skills"]
