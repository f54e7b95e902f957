"""What a list of gear or magic says of each thing, under every ruleset."""

from __future__ import annotations

import pytest

from game.setup import bestiary, forms
from game.setup.trial import offer_known, offer_prose, offer_told
from rules.core.registry import RULESETS


@pytest.mark.parametrize(
    ("ruleset", "template", "field", "option", "told"),
    [
        ("olde", "warrior", "weapons", "shortsword", "d6 · reach 0–1 · Swords +1"),
        ("olde", "warrior", "shield", "kite", "Defense +3"),
        ("olde", "wizard", "spells", "ember bolt", "fire · AP 2 · Mana 1 · enemy · Range 10 · defense"),
        ("cairn", "gann", "items", "bow", "d6 · Slots 2 · Hands 2 · Near 16 · Far 48"),
        ("countup", "hale", "weapons", "hand axe", "speed 8, d4p+d6p, reach 1.5 ft"),
        ("countup", "hale", "armour", "ring mail", ""),
    ],
)
def test_figures_are_those_of_whoever_takes_it(ruleset: str, template: str, field: str, option: str, told: str) -> None:
    entry = {"id": "x", "template": template, "side": "heroes"}
    (known,) = [each for each in forms.fields(ruleset) if each.name == field]
    found = offer_told(ruleset, entry, {}, known, option)
    assert found == told if told else "Reduction" in found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_weapon_shield_and_armor_has_figures(ruleset: str) -> None:
    template = {"olde": "warrior", "cairn": "gann", "countup": "hale"}[ruleset]
    entry = {"id": "x", "template": template, "side": "heroes"}
    tables = bestiary.tables(ruleset)
    gear = {row["name"] for name in ("weapons", "shields", "armor", "armour") for row in tables.get(name, ())}
    for field in forms.fields(ruleset):
        if field.name in ("weapons", "shield", "armor", "armour", "items"):
            named = gear & set(field.choices)
            assert named == {name for name in named if offer_told(ruleset, entry, {}, field, name)}


def test_a_sentence_comes_from_the_tables() -> None:
    (spells,) = [each for each in forms.fields("olde") if each.name == "spells"]
    assert offer_prose("olde", spells, "ember bolt").startswith("A coal from nobody's fire")
    assert offer_prose("olde", spells, "no such spell") == "" and not offer_known("olde", spells, "nothing")
