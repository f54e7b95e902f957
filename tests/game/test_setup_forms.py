"""The form of a stat block: what the schema gives, for any ruleset's model."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from game.setup import forms
from rules.core.registry import RULESETS, ruleset


class Mood(Enum):
    CALM = "calm"
    WILD = "wild"


class Curse(BaseModel):
    kind: Literal["sleep", "fear"]
    length: int = Field(default=1, ge=1)


class Claw(BaseModel):
    name: str = Field(min_length=1)
    dice: tuple[Annotated[int, Field(ge=2, le=12)], ...] = Field(min_length=1)
    curse: Curse | None = None


class Strange(BaseModel):
    """A stat block of no ruleset: whatever JSON schema can say of a field."""

    id: str
    side: str
    at: tuple[int, int]
    grit: Annotated[int, Field(ge=0, le=20)]
    luck: int | None = Field(default=None, ge=1)
    flying: bool = False
    mood: Mood = Mood.CALM
    pace: Literal["slow", "quick"] = "slow"
    lore: dict[str, str] = Field(default={}, json_schema_extra={"additionalProperties": {"enum": ["some", "much"]}})
    scars: tuple[Literal["cheek", "hand"], ...] = ()
    motto: str = ""
    claws: tuple[Claw, ...] = ()
    haste: bool | None = None
    fears: tuple[str, ...] = ()


@pytest.fixture
def made() -> dict[str, forms.FormField]:
    return {field.name: field for field in forms.of_schema(Strange.model_json_schema(), {})}


def test_another_rulesets_model_needs_no_new_code(made: dict[str, forms.FormField]) -> None:
    assert {name: field.kind for name, field in made.items()} == {
        "grit": "whole", "luck": "whole", "flying": "switch", "mood": "choice", "pace": "choice", "lore": "ranks",
        "scars": "list", "motto": "word", "claws": "objects", "haste": "switch", "fears": "list",
    }  # fmt: skip


def test_bounds_choices_and_what_may_be_left_out_come_from_the_schema(made: dict[str, forms.FormField]) -> None:
    assert (made["grit"].low, made["grit"].high, made["grit"].required) == (0, 20, True)
    assert made["luck"].optional and made["luck"].low == 1
    assert made["mood"].choices == ("calm", "wild") and made["pace"].choices == ("slow", "quick")
    assert made["lore"].ranks == ("some", "much") and made["scars"].choices == ("cheek", "hand")


def test_what_is_wrong_says_what_would_be_right(made: dict[str, forms.FormField]) -> None:
    given: dict[str, Any] = {
        "id": "x",
        "side": "s",
        "at": [0, 0],
        "grit": 21,
        "luck": "x",
        "mood": "sad",
        "scars": ["nose"],
    }
    with pytest.raises(ValidationError) as caught:
        Strange.model_validate(given)
    told = {str(e["loc"][0]): forms.mend(made.get(str(e["loc"][0])), e) for e in caught.value.errors()}
    assert told["grit"] == "a whole number from 0 to 20 is right, not 21"
    assert told["luck"] == "a whole number of at least 1 is right, not 'x'"
    assert told["scars"] == "'nose' is none of cheek, hand"
    assert "calm" in told["mood"] and "wild" in told["mood"]


def test_forms_within_forms_go_as_deep_as_the_model(made: dict[str, forms.FormField]) -> None:
    claw = {field.name: field for field in made["claws"].parts}
    assert {name: field.kind for name, field in claw.items()} == {"name": "word", "dice": "figures", "curse": "object"}
    assert [field.name for field in claw["curse"].parts] == ["kind", "length"] and claw["curse"].optional
    assert Claw.model_validate(forms.blank(made["claws"].parts)), "a new entry is one that the model takes"


def test_a_fault_within_an_entry_names_its_place(made: dict[str, forms.FormField]) -> None:
    given: dict[str, Any] = {"id": "x", "side": "s", "at": [0, 0], "grit": 1}
    claws = [{"name": "left", "dice": [6]}, {"name": "right", "dice": [6, 1], "curse": {"kind": "love"}}]
    with pytest.raises(ValidationError) as caught:
        Strange.model_validate({**given, "claws": claws})
    told = [forms.mend(made["claws"], error) for error in caught.value.errors()]
    assert told == [
        "number 2: Dice: number 2: greater than or equal to 2 is right, not 1",
        "number 2: Curse: Kind: sleep or fear is right, not 'love'",
    ]


def test_where_the_schema_lists_nothing_anything_may_be_typed(made: dict[str, forms.FormField]) -> None:
    assert made["fears"].free and not made["scars"].free
    (fears,) = [f for f in forms.of_schema(Strange.model_json_schema(), {}, {"fears": ("cats",)}) if f.name == "fears"]
    assert fears.choices == ("cats",) and fears.free


@pytest.mark.parametrize("name", list(RULESETS))
def test_every_field_of_a_ruleset_is_in_its_form_or_the_tables_own(name: str) -> None:
    known = set(ruleset(name).stat_block.model_json_schema()["properties"])
    assert {field.name for field in forms.fields(name)} | forms.OWN == known


@pytest.mark.parametrize("name", list(RULESETS))
def test_every_switch_is_an_option_that_the_rules_take(name: str) -> None:
    from game.content import tables as content
    from game.setup.trial import tried

    entry = {"id": "x", "template": next(iter(content.monsters(name))), "side": "a"}
    for switch in ruleset(name).switches:
        assert tried(name, entry, {switch.name: not switch.default}).faults == (), switch.name


def test_gear_is_chosen_from_the_rulesets_tables() -> None:
    found = {field.name: field for field in forms.fields("olde")}
    assert "broadsword" in found["weapons"].choices and found["weapons"].kind == "list"
    assert "kite" in found["shield"].choices and found["shield"].optional
    assert "Swords" in found["skills"].choices and "Master" in found["skills"].ranks


def test_a_search_finds_by_beginning_then_within_then_alike() -> None:
    known = ["broadsword", "sword", "shortsword", "sword cane", "axe"]
    assert forms.nearest("sword", known) == ["sword", "sword cane", "broadsword", "shortsword"]
    assert forms.nearest("", known) == known
    assert forms.nearest("braodsword", known)[0] == "broadsword"
