"""Text is a value: its English sentence, and beside it the template and the fields that it was made from."""

from __future__ import annotations

import copy
import doctest
import json
import pickle
from pathlib import Path

import msgspec
import pytest

from rules.contract import text as module
from rules.contract.events import Note
from rules.contract.text import (
    Creature,
    N,
    Place,
    Plural,
    Term,
    Text,
    as_builtins,
    cleaned,
    joined,
    mapped,
    ntext,
    parted,
    text,
    titled,
)

WREN, GOBLIN = Creature("Wren", "w"), Creature("Goblin", "g")
STRIKE = text("{by} strikes at {target}.", by=WREN, target=GOBLIN)


def test_the_examples_of_the_module_run() -> None:
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 3) == (0, True)


def test_a_text_is_its_english_sentence_in_every_comparison() -> None:
    assert STRIKE == "Wren strikes at Goblin."
    assert hash(STRIKE) == hash("Wren strikes at Goblin.")
    by_words: dict[str, int] = {STRIKE: 1}
    assert by_words["Wren strikes at Goblin."] == 1
    assert f"{STRIKE}" + "" == "Wren strikes at Goblin."


def test_a_text_knows_its_template_and_what_each_field_is() -> None:
    assert STRIKE.template == "{by} strikes at {target}."
    by, target = STRIKE.fields.values()
    assert isinstance(by, Creature) and isinstance(target, Creature)
    assert (by.id, target.id) == ("w", "g")


@pytest.mark.parametrize("value", [STRIKE, WREN, Term("prone", "olde.md §7 prone"), ntext(2, "{n} foot", "{n} feet")])
def test_nothing_of_a_text_can_be_changed(value: Text) -> None:
    for name in ("template", "fields", "id", "rule", "number", "anything"):
        with pytest.raises(AttributeError):
            setattr(value, name, "other")
    with pytest.raises((TypeError, AttributeError)):
        value.fields["by"] = "other"  # type: ignore[index]


def test_the_form_for_one_and_for_many_hangs_on_the_number() -> None:
    assert [ntext(n, "{n} space", "{n} spaces") for n in (0, 1, 2)] == ["0 spaces", "1 space", "2 spaces"]
    bees = Plural("{name} strikes", "{name} strike").text(2, name="Killer Bees")
    assert (bees, bees.template, bees.many, bees.number) == (
        "Killer Bees strike", "{name} strikes", "{name} strike", 2,
    )  # fmt: skip


def test_braces_in_a_name_are_letters_like_others() -> None:
    assert text("{by} waits.", by="{target} {0}") == "{target} {0} waits."


def test_a_field_that_is_not_given_is_refused() -> None:
    with pytest.raises(KeyError, match="target"):
        text("{by} strikes at {target}.", by=WREN)


def test_what_is_joined_keeps_its_parts() -> None:
    said = joined(", ", [STRIKE, Term("prone"), 3])
    assert isinstance(said, Text)
    assert said == "Wren strikes at Goblin., prone, 3"
    assert [type(part) for part in said.fields.values()] == [Text, Term, int]
    assert joined(" or ", ["a", "b"]) == "a or b"
    either = joined(" or ", ["a", "b"])
    assert isinstance(either, Text) and either.fields["separator"] == " or "
    assert joined(" {} ", ["a", "b"]) == "a {} b"
    assert type(joined(", ", [])) is str and joined(", ", []) == ""


def test_fields_are_exchanged_in_a_sentence_and_in_those_within_it() -> None:
    step = text("{start} to {end}", start=Place(1, 2), end=Place(1, 3))
    why = text("{step} crosses a wall of {n}", step=step, n=3)
    assert why == "[1, 2] to [1, 3] crosses a wall of 3"
    moved = mapped(why, lambda value: Place(value.column + 1, 0) if isinstance(value, Place) else value)
    assert moved == "[2, 0] to [2, 0] crosses a wall of 3"
    assert mapped(ntext(2, "{n} foot", "{n} feet"), lambda value: value) == "2 feet"
    assert pickle.loads(pickle.dumps(Place(1, 2))).row == 2


def test_what_was_joined_comes_apart_as_it_was() -> None:
    cost = joined(" · ", [text("{n} AP", n=2), Term("sp")])
    points, spaces = parted(cost, " · ")
    assert isinstance(points, Text) and points.template == "{n} AP" and isinstance(spaces, Term)
    assert parted("2 AP · 2 sp.", " · ") == ["2 AP", "2 sp."]
    assert parted(text("{n} AP · {m} sp.", n=2, m=3), " · ")[1] == "3 sp."


def test_a_capital_at_the_head_keeps_template_fields_and_plural() -> None:
    assert titled("prone") == "Prone"
    broken = titled(text("the {item} breaks", item="axe"))
    assert isinstance(broken, Text) and broken.template == "The {item} breaks"
    head = titled(text("{condition} ends", condition=Term("prone", "§7")))
    assert isinstance(head, Text) and isinstance(head.fields["condition"], Term)
    assert (head, head.fields["condition"].rule) == ("Prone ends", "§7")
    many = titled(ntext(2, "a space", "some spaces"))
    assert isinstance(many, Text) and (many, many.many) == ("Some spaces", "Some spaces")


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy])
def test_a_text_goes_to_another_process_whole(again) -> None:
    whole = text("{head}: {way}, {what}.", head=STRIKE, way=ntext(3, "{n} space", "{n} spaces"), what=Term("run", "§4"))
    back = again(whole)
    assert (back, back.template) == (whole, whole.template)
    assert back.fields["head"].fields["by"].id == "w"
    assert (back.fields["way"].number, back.fields["way"].many) == (3, "{n} spaces")
    assert (type(back.fields["what"]), back.fields["what"].rule) == (Term, "§4")


def test_an_event_is_written_to_a_file_as_if_its_texts_were_plain() -> None:
    spoken, plain = Note(text=STRIKE, by=WREN), Note(text=str(STRIKE), by=str(WREN))
    assert as_builtins(spoken) == msgspec.to_builtins(plain)
    assert {type(value) for value in as_builtins(spoken).values()} == {str}
    assert json.dumps(as_builtins({"a": (spoken,)})) == json.dumps({"a": [msgspec.to_builtins(plain)]})
    with pytest.raises(NotImplementedError, match="object"):
        as_builtins(object())


def test_a_marked_word_is_the_word() -> None:
    assert N("bound") == "bound"


def test_nothing_is_written_past_the_texts() -> None:
    """msgspec refuses strings that know more than their letters: whoever encodes what rules made asks `as_builtins`."""
    root = Path(__file__).resolve().parents[2]
    own = {Path(module.__file__), Path(__file__)}
    every = (path for top in ("rules", "game", "tests") for path in sorted((root / top).rglob("*.py")))
    assert not [path for path in every if path not in own and "msgspec.to_builtins(" in path.read_text("utf-8")]


def test_what_is_cleaned_keeps_its_template_and_what_was_clean_is_the_same() -> None:
    def clean(said: str) -> str:
        return said.replace("\n", " ")

    said = cleaned(text("{name} strikes", Creature("Wren\nthe Bold", "w")), clean)
    assert isinstance(said, Text)
    assert (said, said.template, said.fields["name"]) == ("Wren the Bold strikes", "{name} strikes", "Wren the Bold")
    assert cleaned(said, clean) is said
