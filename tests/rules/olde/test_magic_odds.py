"""Odds before casting, and of every other deed with dice: exact, itemised, in agreement with what then happens."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Magic
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.units import Cell
from rules.core import odds as dist
from rules.olde.magic.casting import dice_words, effect_chances
from rules.olde.magic.spells import Caster, EffectDice
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.spellbook import HALL, mage
from tests.rules.olde.test_magic_content import GRIMOIRE
from tests.rules.table import dice


def odds(fight: Fight, do: str = "cast", **says: Any) -> Any:
    return fight.rules.odds(fight.now, fight._action("a", do, says))


def benefit(fight: Fight, do: str = "cast", **says: Any) -> float:
    return advisor_of(fight.rules).promise(fight.now, fight._action("a", do, says)).benefit


def pair(rank: int, need: int) -> float:
    """Chance that two exploding dice reach `need`, by enumeration of the faces (need ≤ the die's top + 1)."""
    faces = range(1, rank + 1)
    good = sum(one + other >= need or one == rank or other == rank for one, other in itertools.product(faces, faces))
    return good / rank**2


def test_a_fixed_rating_is_the_chance_of_two_dice() -> None:
    fight = mage([], "shield of air")
    card = odds(fight, item="shield of air", target="a")
    assert card.hit == pytest.approx(pair(8, 6))
    assert (card.attack_dice, card.defense_dice, card.damage, card.mean) == ("2d8!", "CR 6", (), 0.0)
    assert [name for name, _ in card.outcomes] == ["takes_hold", "fails"]
    assert sum(chance for _, chance in card.outcomes) == pytest.approx(1.0)
    assert benefit(fight, item="shield of air", target="a") > 0


def test_each_adjustment_of_a_casting_is_named_with_its_rule() -> None:
    fight = mage([], "ember bolt", shield="targe", ready=["targe"], skills={"Wizardry": "Journeyman"}, brawn=12)
    card = odds(fight, item="ember bolt", target="b")
    assert [(a.to, a.value, a.because) for a in card.adjustments] == [
        ("cast", 1, "Wizardry"), ("cast", -2, "targe, gesture"),
    ]  # fmt: skip
    assert all(".md" in a.rule for a in card.adjustments)
    assert card.hit == pytest.approx(dist.chance_margin(8, 8, 1))
    assert ("damage 1d8!+3", "olde.md §9 casting") in card.notes


def test_damage_is_the_effect_roll_less_armor_where_it_takes_hold() -> None:
    card = odds(mage([], "ember bolt", b={"armor": "chainmail"}), item="ember bolt", target="b")
    assert sum(p for _, p in card.damage) == pytest.approx(1.0)
    chances = dict(card.damage)
    assert chances[4] == pytest.approx(card.hit * 1 / 8), "a 4 shown, plus 3, less 3"
    assert chances[0] == pytest.approx(1 - card.hit)
    assert card.mean == pytest.approx(sum(hurt * p for hurt, p in card.damage))
    low = odds(mage([], "ember bolt", b={"hp": 5, "armor": "chainmail"}), item="ember bolt", target="b")
    assert low.drop == pytest.approx(low.hit * 4 / 8)


def test_half_an_effect_roll_is_rounded_up() -> None:
    card = odds(mage([], "thunderclap", foe=(4, 5)), item="thunderclap")
    assert dict(card.targets[0].damage)[1 + 3] == pytest.approx(card.hit * 2 / 8), "1 and 2 come to 1, plus 3"


def test_an_area_names_each_target_and_counts_friends_against_itself() -> None:
    others = (being("aa", (8, 4), "heroes"), being("c", (7, 5), "monsters"))
    fight = mage([], "fire blast", others=others)
    card = odds(fight, item="fire blast", at=(7, 4))
    assert [share.id for share in card.targets] == ["b", "aa", "c"]
    foes = [share for share in card.targets if share.id != "aa"]
    assert card.mean == pytest.approx(sum(share.mean for share in foes))
    assert benefit(fight, item="fire blast", at=(7, 4)) < 0
    assert max(share.hit for share in foes) < card.hit < 1 - (1 - foes[0].hit) * (1 - foes[1].hit), (
        "one casting for all"
    )


def test_an_area_of_one_is_that_ones_chance() -> None:
    fight = mage([], "fire blast")
    card = odds(fight, item="fire blast", at=(7, 4))
    assert card.hit == pytest.approx(card.targets[0].hit) == pytest.approx(dist.chance_margin(8, 8, 0))


def test_healing_counts_only_what_is_missing() -> None:
    fight = mage([], "mend wounds", others=(being("aa", (4, 4), "heroes", hp=9),))
    card = odds(fight, item="mend wounds", target="aa")
    assert card.healing == pytest.approx(card.hit * 2.0), "2 are missing, and the least roll gives 2"
    fallen = mage([], "mend wounds", others=(being("aa", (4, 4), "heroes", hp=-1),), start=[8, 4])
    assert benefit(fallen, item="mend wounds", target="aa") > benefit(fight, item="mend wounds", target="aa")


def test_potions_always_work() -> None:
    fight = Fight(
        being("a", (3, 4), items=["healing draught"], hp=2),
        being("b", (7, 4)),
        throws=dice("action points 8 4"),
        rows=HALL,
    )
    card = odds(fight, "use", item="healing draught", target="a")
    assert (card.hit, card.attack_dice) == (1.0, "no check")
    expected = sum(min(9, value + 1) * p for value, p in enumerate(dist.dice_sum(1, 7, True)))
    assert card.healing == pytest.approx(expected)
    draught = GRIMOIRE.items["healing draught"].spell.dice
    assert draught is not None
    assert dict(effect_chances(draught, 0, 3))  # capped distributions sum to 1


@pytest.mark.parametrize("name", [n for n, s in GRIMOIRE.spells.items() if s.aim == "enemy" or s.shape.name == "blast"])
def test_what_happens_agrees_with_the_odds_over_many_seeds(name: str) -> None:
    spell = GRIMOIRE.spells[name]
    if spell.zone:
        return
    fight = mage([], name)
    says: dict[str, Any] = {"at": (7, 4)} if spell.aim == "space" else {"target": "b"}
    action = fight._action("a", "cast", {"item": name, **says})
    card = fight.rules.odds(fight.now, action)
    (decision,) = fight.rules.decisions(fight.now)
    held = harm = 0.0
    runs = 300
    for seed in range(runs):
        step = fight.rules.apply(fight.rules.reseeded(fight.now, seed), decision, action)
        event = next(e for e in step.events if type(e).__name__ == "Cast")
        held += event.success
        harm += sum(r.damage for r in event.resisted)
    assert held / runs == pytest.approx(card.hit, abs=0.09)
    assert harm / runs == pytest.approx(card.mean, abs=0.9)


def test_an_illegal_cast_has_no_odds_and_no_offer_lies() -> None:
    fight = mage([], "ember bolt", "sleep", mana=1)
    assert odds(fight, item="sleep", target="b") is None
    (decision,) = fight.rules.decisions(fight.now)
    legal = fight.rules.legal(fight.now, decision)
    (offer,) = (o for o in legal.offers() if o.do == "cast")
    bolt, sleep = offer.inside
    assert [(o.description.label, o.description.cost, o.description.needs) for o in (bolt, sleep)] == [
        ("Ember bolt", "2 AP · 1 Mana", "creature"), ("Sleep", "2 AP · 4 Mana", "creature"),
    ]  # fmt: skip
    assert bolt.actions and bolt.refused is None and not sleep.actions and sleep.refused == "costs 4 Mana, 2 left"
    for action in legal:
        if action.do == "cast":
            assert fight.rules.odds(fight.now, action) is not None
            assert fight.rules.describe(fight.now, action).points == 2


def test_areas_are_told_before_they_are_cast() -> None:
    fight = mage([], "fire blast", "fan of flame", "wall of stone", "sleep", "bless")
    field = fight.field

    def cells(item: str, at: tuple[int, int] | None = None) -> int:
        where = None if at is None else field.cell(*at)
        return fight.rules.area(fight.now, Action("a", "cast", item=item, at=where)).bit_count()

    assert [cells("fire blast", (7, 4)), cells("fan of flame", (5, 4)), cells("wall of stone", (6, 4))] == [9, 7, 5]
    assert (cells("bless"), cells("sleep"), cells("fire blast")) == (25, 0, 0)
    assert fight.rules.area(fight.now, Action("a", "step")) == 0


@pytest.mark.parametrize("aim", [(5, 0), (5, 5), (0, 5), (-3, 4), (4, -1), (2, -5), (-5, 1)])
def test_cones_and_lines_are_the_same_whichever_way_they_are_turned(aim: tuple[int, int]) -> None:
    field = Field.from_rows(["." * 25] * 25)
    terrain, origin = field.terrain(), field.cell(12, 12)
    for spell in (GRIMOIRE.spells["fan of flame"], GRIMOIRE.spells["lightning lance"]):
        counts = set()
        for turned in (aim, (-aim[1], aim[0]), (-aim[0], -aim[1]), (aim[1], aim[0])):
            counts.add(spell.cells(Caster(terrain, origin, 1), field.cell(12 + turned[0], 12 + turned[1])).bit_count())
        assert len(counts) == 1


@pytest.mark.parametrize("name", ["fire blast", "fan of flame", "lightning lance"])
def test_asked_of_one_space_a_template_says_the_same_as_whole(name: str) -> None:
    field = Field.from_rows(["..........", "...#......", ".....##...", "..........", ".~..#....."])
    terrain, spell = field.terrain(), GRIMOIRE.spells[name]
    open_cells = [cell for cell in range(50) if not terrain.blocked >> cell & 1]
    for origin, space in ((field.cell(1, 1), 1), (field.cell(7, 2), 2)):
        for at in open_cells:
            if spell.shape.name != "blast" and terrain.footprint(origin, space) >> at & 1:
                continue
            caster = Caster(terrain, origin, space)
            cells = spell.cells(caster, Cell(at))
            for cell in open_cells:
                assert spell.covers(caster, Cell(at), Cell(cell)) == bool(cells >> cell & 1)


def test_a_large_casters_cone_begins_before_it() -> None:
    field = Field.from_rows(["." * 12] * 12)
    cells = GRIMOIRE.spells["fan of flame"].cells(Caster(field.terrain(), field.cell(3, 3), 2), field.cell(9, 3))
    assert cells and not cells & field.terrain().footprint(field.cell(3, 3), 2)


# -- other deeds with dice --------------------------------------------------------------------------------


def test_first_aid_has_odds_by_the_patients_state() -> None:
    others = (being("aa", (4, 4), "heroes", hp=2, conditions=["bleeding"]),)
    fight = mage([], others=others, start=[1, 1, 8, 4, 1], skills={"Healing": "Foreman"})
    card = odds(fight, "first_aid", target="aa")
    assert (card.defense_dice, card.hit) == ("CR 9", pytest.approx(dist.chance_at_least(2, 8, 7)))
    assert [a.value for a in card.adjustments] == [2]


def test_forcing_and_picking_have_odds_by_skill_and_difficulty() -> None:
    from rules.board.fixtures import Door

    field = Field.from_rows(HALL, doors=[Door("gate", Cell(3 + 3 * 15), state="locked", difficulty=12)])
    fight = Fight(
        being("a", (3, 4), skills={"Disable": "Master"}),
        being("b", (9, 4)),
        throws=dice("action points 8 4"),
        field=field,
    )
    for skill, rank, plus in (("Disable", 6, 3), ("Lift/Shift", 8, 0), ("Burst", 8, -2)):
        card = odds(fight, "force", target="gate", option=skill)
        assert card.hit == pytest.approx(dist.chance_at_least(2, rank, 12 - plus)), skill
        assert card.defense_dice == "CR 12"
        assert [name for name, _ in card.outcomes] == ["unlocked" if skill == "Disable" else "broken open", "holds"]


def test_a_leap_tells_getting_across_from_the_edge_and_the_fall() -> None:
    rows = ["#########", "#...  ..#", "#########"]
    fight = Fight(being("a", (3, 1)), being("b", (7, 1)), throws=dice("action points 8 4"), rows=rows)
    card = odds(fight, "leap", at=(6, 1))
    chances = dict(card.outcomes)
    assert card.hit == chances["across"] == pytest.approx(dist.chance_at_least(2, 8, 12))
    assert chances["falls"] == pytest.approx(1 - dist.chance_at_least(2, 8, 10))
    assert sum(chances.values()) == pytest.approx(1.0)


def test_deeds_without_dice_have_none() -> None:
    fight = mage([], mana=3)
    (decision,) = fight.rules.decisions(fight.now)
    for action in fight.rules.legal(fight.now, decision):
        if not action.do.endswith(("attack", "shot", "leap", "intimidate")):
            assert fight.rules.odds(fight.now, action) is None


def test_the_ai_is_told_of_spells_in_bulk() -> None:
    fight = mage([], "fire blast", "mend wounds", "shield of air", others=(being("aa", (4, 4), "heroes", hp=1),))
    (decision,) = fight.rules.decisions(fight.now)
    found = [m for m in advisor_of(fight.rules).measures(fight.now, decision) if isinstance(m, Magic)]
    legal = fight.rules.legal(fight.now, decision)
    assert {m.action.item for m in found} == {"fire blast", "mend wounds", "shield of air"}
    assert all(m.action in legal and m.points == fight.rules.describe(fight.now, m.action).points for m in found)
    (blast,) = (m for m in found if m.action.item == "fire blast")
    assert [name for name, *_ in blast.blows] == ["b"] and blast.blows[0][1] > 3
    mending = max((m for m in found if m.action.item == "mend wounds"), key=lambda m: m.value)
    assert mending.action.target == "aa"


def test_the_blow_struck_back_has_odds_before_it_is_chosen() -> None:
    hero = being("a", (1, 1), armor="leather", controller="human")
    fight = Fight(
        hero, being("b", (2, 1)), throws=dice("action points 8 4, defense 7 7, attack 1 1"), rows=HALL, gm=True
    )
    fight.do("a", "attack", target="b", weapon="broadsword")
    assert fight.now.question is not None and "strike_back" in fight.now.question.options
    card = fight.rules.odds(fight.now, Action("gm", "choose", option="strike_back"))
    assert card is not None
    assert dict(card.damage) == pytest.approx(dict.fromkeys(range(8), 1 / 8)), "d8 less 1 for leather"
    assert card.mean == pytest.approx(3.5) and card.drop == 0.0
    fight.change("a", hp=1)
    weak = fight.rules.odds(fight.now, Action("gm", "choose", option="strike_back"))
    assert weak is not None and weak.drop == pytest.approx(7 / 8), "one hit point, and a 1 does nothing through leather"
    assert fight.rules.odds(fight.now, Action("gm", "choose", option="weapon_breaks")) is None


@pytest.mark.parametrize(
    ("half", "plus", "said"),
    [(False, 0, "1d8!"), (False, 3, "1d8!+3"), (True, 0, "half of 1d8!"), (True, 3, "half of 1d8! +3")],
)
def test_of_half_a_roll_the_bonus_is_told_whole(half: bool, plus: int, said: str) -> None:
    assert dice_words(EffectDice(1, 0, True, half, plus), 8) == said


def test_a_card_says_what_a_spell_ends_where_it_ends_anything() -> None:
    plain = odds(mage([], "ember bolt"), item="ember bolt", target="b")
    assert not [note for note, _ in plain.notes if note.startswith("ends")]


def test_the_odds_of_a_burst_count_whom_one_sees_alone() -> None:
    """Whoever is out of sight is on no space that anybody knows of."""
    rows = ["#######", "#..#..#", "#..#..#", "#######"]
    hero = being("a", (1, 1), spells=["thunderclap"], skills={"Wizardry": "Apprentice"}, weapons=[])
    fight = Fight(hero, being("b", (2, 1)), being("c", (5, 1)), throws=[8, 4, 4], rows=rows)
    known = fight.rules.observe(fight.now, "heroes")
    assert [mini.id for mini in fight.rules.board(known).miniatures] == ["a", "b"]
    found = fight.rules.odds(known, Action("a", "cast", item="thunderclap"))
    assert [share.id for share in found.targets] == ["b"]
