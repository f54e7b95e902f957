"""Spells on doors and on oneself, what they cost, night eyes, breath (countup.md §2.7, §2.8, §3, §5.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.contract.errors import RecordError, ThrowNeeded
from rules.contract.units import CreatureIx
from rules.countup.state import Gait
from rules.countup.visibility import penalties
from tests.rules.countup.creatures import TABLES, Fight, being, changed
from tests.rules.countup.test_missiles_countup import LONG, mage
from tests.rules.table import dice

GATE = ["##########", "#...+....#", "#...#....#", "##########"]
DOOR = "door 4,1"


def at_a_door(spell: str, state: str, b: tuple[int, int] = (8, 2)) -> Fight:
    """A mage three spaces from a door casts on it; `b` waits beyond."""
    field = Field.from_rows(GATE)
    doors = (msgspec.structs.replace(field.doors[0], state=state),)
    field = msgspec.structs.replace(field, doors=doors)
    caster = {**mage(spell), "at": [1, 1]}
    fight = Fight(caster, being("b", b), field=field, throws=[1, 1, *[None] * 40])
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item=spell, at=(4, 1))
    return fight


# -- doors ----------------------------------------------------------------------------------------------


def test_a_portal_falls_shut_and_nobody_opens_it_for_a_minute() -> None:
    fight = at_a_door("Bar Portal", "open")
    assert fight.now.doors == ("closed",)
    beside = {**mage("Bar Portal"), "at": [3, 1]}
    near = Fight(beside, being("b", (8, 2)), field=fight.field, throws=[1, 1, *[None] * 40])
    near.hold("b", seconds=60)
    near.do("a", "cast", item="Bar Portal", at=(4, 1))
    assert "a spell bars it" in near.refusal("a", "open", target=DOOR)
    while near.second < 63 or near.waiting[0] != "a":
        near.do(near.waiting[0], "hold", option="10")
    near.do("a", "open", target=DOOR)
    assert near.now.doors == ("open",)


@pytest.mark.parametrize("state", ["closed", "locked", "barred"])
def test_an_unseen_ram_bursts_any_door(state: str) -> None:
    fight = at_a_door("Bash Door", state)
    assert fight.now.doors == ("open",)
    assert fight.all("door")[-1] == {**fight.all("door")[-1], "state": "open", "by": "a"}


def test_a_door_does_not_fall_shut_on_somebody() -> None:
    assert at_a_door("Bar Portal", "open", b=(4, 1)).now.doors == ("open",)


# -- copies ---------------------------------------------------------------------------------------------


def test_copies_are_thrown_and_told() -> None:
    fight = Fight(mage("Copycat"), being("b", (12, 2)), throws=[1, 1, 3, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Copycat")
    assert fight.now.figures[0].images == 3
    assert any("4 times over" in note["text"] for note in fight.all("note"))
    assert "copied" in fight.of("a")["conditions"]


@pytest.mark.parametrize(("which", "outcome", "left"), [(1, "hit", 2), (2, "image", 1), (3, "image", 1)])
def test_a_hit_finds_one_of_them_with_equal_chance(which: int, outcome: str, left: int) -> None:
    fight = Fight(mage(), being("b", (2, 2)), throws=[1, 1, 5, 15, which, *[None] * 60], rows=LONG)
    figure = msgspec.structs.replace(fight.now.figures[0], images=2)
    fight.now = msgspec.structs.replace(fight.now, figures=(figure, fight.now.figures[1]))
    fight.do("a", "policy", option="stand")
    fight.hold("a", seconds=1)
    fight.do("b", "attack", target="a")
    blow = fight.all("attack")[0]
    assert blow["outcome"] == outcome and fight.now.figures[0].images == left
    assert (blow["damage"] > 0) == (outcome == "hit")


@pytest.mark.parametrize("images", [1, 4, 5, 6, 8])
def test_the_die_that_finds_one_of_them_has_a_face_for_each_and_no_more(images: int) -> None:
    """Four copies and the caster: one in five, not one face of six."""
    fight = changed(Fight(mage(), being("b", (2, 2)), throws=[1, 1, 5, 15], rows=LONG), "a", images=images)
    fight.do("a", "policy", option="stand")
    fight.hold("a", seconds=1)
    with pytest.raises(ThrowNeeded) as needed:
        fight.do("b", "attack", target="a")
    assert (needed.value.label, needed.value.faces) == ("which of them", images + 1)


@pytest.mark.parametrize("images", [2, 4, 8])
def test_the_odds_know_of_the_copies(images: int) -> None:
    fight = Fight(mage(), being("b", (2, 2)), throws=[1, 1, *[None] * 60], rows=LONG)
    blow = fight._action("b", "attack", {"target": "a"})
    plain = fight.rules.odds(fight.now, blow)
    figure = msgspec.structs.replace(fight.now.figures[0], images=images)
    hidden = fight.rules.odds(msgspec.structs.replace(fight.now, figures=(figure, fight.now.figures[1])), blow)
    assert plain is not None and hidden is not None
    assert hidden.hit == pytest.approx(plain.hit / (images + 1)) and hidden.mean == pytest.approx(
        plain.mean / (images + 1)
    )
    assert dict(hidden.outcomes)["image"] == pytest.approx(plain.hit * images / (images + 1))
    assert sum(chance for _, chance in hidden.outcomes) == pytest.approx(1)


def test_copies_fade_with_their_time() -> None:
    fight = Fight(mage("Copycat"), being("b", (12, 2)), throws=[1, 1, 3, *[None] * 60], rows=LONG)
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Copycat")
    while fight.second < 95:
        for who in fight.waiting:
            fight.do(who, "hold", option="20")
    assert fight.now.figures[0].images == 0


# -- what a spell takes ---------------------------------------------------------------------------------


def test_a_component_is_looked_for_first_by_option() -> None:
    table = Fight(mage("Magic Projectile"), being("b", (5, 2)), throws=[1, 1, 2, 3, 2, *[None] * 60], rows=LONG,
                  components=True)  # fmt: skip
    table.hold("b", seconds=60)
    table.do("a", "cast", item="Magic Projectile", target="b")
    told = table.all("cast")
    assert told and table.of("b")["hp"] == 35, "two seconds later than without"
    assert table.used == 5


def test_a_spell_that_was_not_memorised_costs_twice() -> None:
    fight = Fight(
        mage("Magic Projectile", memorised=[]),
        being("b", (5, 2)),
        throws=dice("initiative 1 1, magic projectile 3 2"),
        rows=LONG,
    )
    fight.hold("b", seconds=60)
    fight.do("a", "cast", item="Magic Projectile", target="b")
    assert fight.now.figures[0].points == 140 - 120


def test_only_known_spells_can_be_memorised() -> None:
    with pytest.raises(RecordError, match="memorised: nothing is called 'Doze'"):
        Fight(mage("Magic Projectile", memorised=["Doze"]), being("b", (5, 2)), throws=[1, 1], rows=LONG)


def test_a_divine_spell_is_granted_as_often_as_it_is_listed() -> None:
    healer = mage("Light Cure", "Light Cure", hp=5)
    fight = Fight(healer, being("b", (12, 2)), throws=[1, 1, *[None] * 40], rows=LONG)
    fight.hold("b", seconds=60)
    for _ in range(2):
        fight.do("a", "cast", item="Light Cure", target="a")
        fight.do("a", "hold", option="12")
    assert "is spent" in fight.refusal("a", "cast", item="Light Cure", target="a")
    assert fight.now.figures[0].points == 140, "no spell points"


# -- gear -----------------------------------------------------------------------------------------------


def test_what_is_stowed_takes_five_seconds_the_first_time() -> None:
    armed = being("a", weapons=["longsword", "dagger"], stowed=["dagger"])
    fight = Fight(armed, being("b", (15, 1)), throws=dice("initiative 1 1"), rows=None)
    fight.hold("b", seconds=60)
    fight.do("a", "ready", weapon="dagger")
    assert fight.second == 6
    fight.do("a", "ready", weapon="longsword")
    assert fight.second == 7
    fight.do("a", "ready", weapon="dagger")
    assert fight.second <= 8, "it is out now"


# -- light and breath -----------------------------------------------------------------------------------


def in_the_dark(low_light: bool, lamp_at: tuple[int, int]) -> tuple[int, int]:
    """What the light costs `a` against `b`, with a lamp of 3 bright spaces somewhere."""
    field = msgspec.structs.replace(Field.from_rows(["#" * 40, *["#" + "." * 38 + "#"] * 3, "#" * 40]), ambient="dark")
    fight = Fight(
        being("a", (1, 1), low_light=low_light), being("b", (3, 1)),
        {**being("c", lamp_at), "lamp": "lantern"}, field=field, throws=dice("initiative 1 1 1"), darkness=True,
    )  # fmt: skip
    return penalties(fight.now, CreatureIx(0), CreatureIx(1))


def test_low_light_eyes_see_in_dim_light_as_in_bright() -> None:
    assert in_the_dark(False, (8, 1))[0] == -4
    assert in_the_dark(True, (8, 1))[0] == 0


def test_low_light_eyes_see_far_from_a_light_as_if_it_were_dim() -> None:
    assert in_the_dark(False, (20, 1))[0] == -8
    assert in_the_dark(True, (20, 1))[0] == -4
    assert in_the_dark(True, (36, 1))[0] == -8, "beyond 24 spaces of any light it is dark"


@pytest.mark.parametrize(("limit", "trauma", "far"), [(False, 5, 4), (True, 5, 3), (True, 6, 4), (True, 0, 4)])
def test_by_option_nobody_sprints_longer_than_half_of_constitution(limit: bool, trauma: int, far: int) -> None:
    """In its sixth second on end; whoever knows no trauma does not tire."""
    fight = Fight(
        being("a", (1, 1), trauma=trauma),
        being("b", (58, 3)),
        throws=dice("initiative 1 1"),
        rows=LONG,
        sprint_limit=limit,
    )
    fight.hold("b", seconds=60)
    breathless = msgspec.structs.replace(fight.now.figures[0], gait=Gait.SPRINT, sprinted=5, moved=0)
    fight.now = msgspec.structs.replace(fight.now, figures=(breathless, fight.now.figures[1]))
    fight.do("a", "sprint", path=[(n, 1) for n in range(2, 10)])
    fight.do("a", "end")
    assert len(fight.all("moved")[0]["path"]) == far


# -- what a caster is offered ---------------------------------------------------------------------------


def test_every_spell_that_is_known_is_offered_or_says_why_not() -> None:
    spells = ("Fire Finger", "Enrage", "Light Cure", "Fist of Thunder", "Torchlight")
    caster = {**mage(*spells), "spell_points": 60}
    fight = Fight(caster, being("b", (5, 2)), throws=dice("initiative 1 1"), rows=LONG)
    fight.hold("b", seconds=60)
    cast = next(offer for offer in fight.rules.legal(fight.now, fight._decision("a")).offers() if offer.do == "cast")
    assert [(kind.description.label, kind.description.needs, kind.refused) for kind in cast.inside] == [
        ("Fire Finger", "creature", "nothing in reach and sight"),
        ("Enrage", "creature", None),
        ("Light Cure", "creature", None),
        ("Fist of Thunder", "space", "90 spell points; 60 are left"),
        ("Torchlight", "space", None),
    ]
    assert cast.actions == tuple(action for kind in cast.inside for action in kind.actions)


def test_a_caster_whose_points_are_gone_still_sees_why() -> None:
    fight = Fight({**mage("Enrage"), "spell_points": 0}, being("b", (5, 2)), throws=dice("initiative 1 1"), rows=LONG)
    fight.hold("b", seconds=60)
    offers = {offer.do: offer for offer in fight.rules.legal(fight.now, fight._decision("a")).offers()}
    assert offers["cast"].refused == "Enrage: 40 spell points; 0 are left"


# -- every die in the log -------------------------------------------------------------------------------


def faces_told(events: object) -> int:
    """How many dice some events show."""
    if isinstance(events, dict):
        return len(events["throws"]) if "throws" in events else sum(map(faces_told, events.values()))
    return sum(map(faces_told, events)) if isinstance(events, (list, tuple)) else 0


@pytest.mark.parametrize("spell", [spell["name"] for spell in TABLES["spells"]])
def test_every_die_of_a_spell_is_told(spell: str) -> None:
    doors = (msgspec.structs.replace(Field.from_rows(GATE).doors[0], state="closed"),)
    field = msgspec.structs.replace(Field.from_rows(GATE), doors=doors)
    caster = {**mage(spell, hp=20), "spell_points": 2000, "at": [2, 1]}
    fight = Fight(caster, being("b", (3, 1), shield="medium shield"), field=field, throws=None, components=True)
    begun = fight.now.throw_at
    while fight.waiting and fight.second < 60 and not fight.all("cast"):
        for who in fight.waiting:
            aims = [a for a in fight.rules.legal(fight.now, fight._decision(who)) if a.do == "cast"]
            if aims:
                aim: dict[str, Any] = {"target": aims[-1].target} if aims[-1].target else {}
                aim |= {"at": field.at(aims[-1].at)} if aims[-1].at is not None else {}
                fight.do(who, "cast", item=spell, **aim)
            else:
                fight.hold(who, seconds=30)
            break
    while (
        fight.waiting
        and fight.second < 80
        and any(a.do == "hold" for a in fight.rules.legal(fight.now, fight._decision(fight.waiting[0])))
    ):  # the enraged do not wait
        fight.hold(fight.waiting[0], seconds=10)
    assert fight.all("cast")[0]["spell"] == spell
    assert fight.now.throw_at > begun
    assert faces_told(fight.events) == fight.now.throw_at


def test_a_spell_for_who_has_died_meanwhile_comes_too_late() -> None:
    healer = {**mage("Light Cure"), "id": "a", "at": [2, 1]}
    fight = Fight(healer, being("aa", (3, 1), hp=1), being("b", (4, 1)), throws=[1, 1, 1, 2, 15, 5, 6, *[None] * 20])
    for who in ("aa", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("aa", seconds=1)
    fight.do("b", "attack", target="aa")
    fight.do("a", "cast", item="Light Cure", target="aa")
    while not fight.all("cast"):
        fight.hold(fight.waiting[0], seconds=1)
    assert not fight.all("cast")[0].get("success", True)
    assert "a casts Light Cure too late for aa." in fight.lines


def test_the_sheet_lists_each_spell_once() -> None:
    mage = being("a", weapons=["mace"], spells=["Magic Projectile", "Magic Projectile"], spell_points=140)
    fight = Fight(mage, being("b", (5, 1)), throws=dice("initiative 1 1"))
    lines = [str(line.text) for line in fight.rules.sheet(fight.now, "a").lines]
    assert lines.count("Magic Projectile") == 1
