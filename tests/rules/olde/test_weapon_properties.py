"""Properties of weapons: what each adds beside the weapon's figures (olde.md §6)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.errors import BattlematError
from rules.olde.gear import BURNING, FIRE, IMPROVISED, MAKESHIFT, NATURAL, PROPERTIES, Armoury, Property, Weapon

CLAW: dict[str, Any] = {
    "skill": "Brawling",
    "stat": "brawn",
    "kind": "melee",
    "reach": [0, 1],
    "one_hand": 0,
    "damage": 4,
}


def weapon(**says: Any) -> Weapon:
    return Armoury.from_tables({"weapons": [{"name": "claw", "modes": [CLAW], **says}]}).weapons["claw"]


def test_a_property_is_named_or_stands_in_a_field_of_its_own() -> None:
    assert weapon(natural=True, element="fire") == weapon(properties=["natural", "burning"])
    assert weapon(properties=["burning"]).properties == (BURNING,) and weapon(properties=["burning"]).element == FIRE
    assert weapon(natural=True, properties=["natural"]).properties == (NATURAL,)


def test_what_is_natural_takes_no_hands_and_is_never_let_go() -> None:
    assert (weapon(natural=True).hands, weapon().hands) == (0, 1)
    thrown = {**CLAW, "kind": "thrown", "base": 2, "limit": 2}
    for natural in (True, False):
        claw = weapon(natural=natural, modes=[thrown])
        assert claw.flies(claw.modes[0]) is not natural


def test_an_improvised_weapon_does_1_more_for_each_full_5_brawn() -> None:
    added = [sum(a.value for a in IMPROVISED.adjustments("damage", brawn)) for brawn in (4, 5, 9, 10)]
    assert added == [0, 1, 1, 2]
    assert IMPROVISED.brawn_die and MAKESHIFT in IMPROVISED.properties


def test_a_property_may_add_to_attack_and_damage() -> None:
    keen = Property(name="keen", attack=1, damage=2)
    blade = Weapon.of("blade", (), (keen,))
    assert [(a.to, a.value, a.because) for to in ("attack", "damage") for a in blade.adjustments(to, 9)] == [
        ("attack", 1, "keen weapon"),
        ("damage", 2, "keen weapon"),
    ]


def test_a_property_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(BattlematError, match="weapon 'claw': properties: 'keen' is none of natural, burning"):
        weapon(properties=["keen"])
    assert list(PROPERTIES) == [each.name for each in PROPERTIES.values()]
