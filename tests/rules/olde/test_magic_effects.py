"""Lasting spells with scripted dice: minds and bodies, help, the ground, and creatures called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.controllers.ai.advisors.olde.attacks import strike
from rules.board.grid import Field
from rules.contract.units import CreatureIx
from tests.rules import table
from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.spellbook import cast, effects, mage, next_turn
from tests.rules.olde.test_magic_content import GRIMOIRE

# -- minds and bodies -------------------------------------------------------------------------------------


def asleep() -> Fight:
    fight = mage(table.dice("nerve 1 1, casting 4 5"), "sleep")
    cast(fight, "sleep", target="b")
    return fight


def test_sleep_takes_all_points_and_every_defense() -> None:
    fight = asleep()
    assert (fight.of("b")["conditions"], fight.of("b")["ap"]) == (["asleep"], 0)
    assert fight.of("a")["mana"] == 8


def test_sleep_ends_by_any_damage() -> None:
    fight = mage([1, 1, 4, 5, 3, 3, 1], "sleep", others=(being("aa", (7, 5), "heroes"),))
    cast(fight, "sleep", target="b")
    fight.end("a")
    fight.do("aa", "rushed_attack", target="b", weapon="broadsword")
    attack = fight.last("attack")
    assert (attack["defense"], attack["damage"]) == (6, 0), "a sleeper does not defend; no damage does not wake"
    assert fight.of("b")["conditions"] == ["asleep"]


def test_a_blow_that_hurts_wakes_the_sleeper_without_its_points() -> None:
    fight = mage(
        table.dice("nerve 1 1, casting 4 5, attack 4 4, damage 3"), "sleep", others=(being("aa", (7, 5), "heroes"),)
    )
    cast(fight, "sleep", target="b")
    fight.end("a")
    fight.do("aa", "rushed_attack", target="b", weapon="broadsword")
    assert (fight.of("b")["conditions"], effects(fight, "b"), fight.of("b")["ap"]) == ([], [], 0)


def test_a_friend_who_guides_a_sleeper_wakes_it() -> None:
    fight = mage(
        table.dice("nerve 1 1, casting 4 5"), "sleep", others=(being("c", (8, 4), "monsters"),), start=[8, 2, 5]
    )
    cast(fight, "sleep", target="b")
    fight.end("a")
    fight.do("c", "guide", target="b", option="sitting")
    assert (fight.of("b")["conditions"], fight.of("b")["posture"]) == ([], "sitting")


def test_sleep_ends_by_a_check_against_the_casting_or_by_time() -> None:
    for dice, awake in (([4, 5], True), ([4, 4], False)):
        fight = mage([1, 1, 4, 5, *dice, 8, *([3] if awake else [])], "sleep")
        cast(fight, "sleep", target="b")
        fight.end("a", "a")
        check = fight.last("check")
        assert (check["what"], check["rating"], check["success"]) == ("sleep", 9, awake)
        assert (fight.of("b")["conditions"] == []) == awake
        assert fight.of("b")["ap"] == (3 if awake else 0), "who wakes in the reset has its points"
    fight = mage(table.dice("nerve 1 1, casting 4 5, nerve 4 4, action points 8 7 3"), "sleep")
    cast(fight, "sleep", target="b")
    fight.end("a", "a", "a")
    assert (fight.of("b")["conditions"], fight.state["turn"], fight.of("b")["ap"]) == ([], 3, 3), "two resets at most"


def test_the_undead_do_not_sleep() -> None:
    fight = mage([], "sleep", b={"kind": "Undead"})
    assert "does nothing to" in fight.refusal("a", "cast", item="sleep", target="b")


def test_dread_keeps_at_a_distance_and_shakes_the_hand() -> None:
    fight = mage([1, 1, 4, 5, 8, 4], "dread", b={"spells": ["ember bolt"], "skills": {"Swords": "Apprentice"}})
    cast(fight, "dread", target="b")
    assert fight.of("b")["conditions"] == ["frightened"]
    fight.end("a")
    assert fight.acting == "b"
    assert "frightened" in fight.refusal("b", "step", path=[(6, 4)])
    assert "no farther" in fight.refusal("b", "free_steps", path=[(7, 3)])
    fight.do("b", "free_steps", path=[(8, 3)])


def test_the_frightened_strike_no_blow_at_what_they_fear_and_others_at_minus_two() -> None:
    friend = being("aa", (5, 5), "heroes", hp=3)
    fight = mage([1, 1, 4, 5, 4, 4, 4, 4, 1], "dread", foe=(4, 4), others=(friend,))
    cast(fight, "dread", target="b")
    fight.end("a")
    assert "frightened of" in fight.refusal("b", "attack", target="a", weapon="broadsword")
    attack = fight.attack("b", "aa")
    assert (attack["attack"], [a["because"] for a in attack["adjustments"]]) == (6, ["dread"])


def test_blinding_flash_takes_five_from_attack_and_defense() -> None:
    fight = mage(
        table.dice("finesse 1 1, casting 4 5, defense 2 2, attack 4 4, damage 1"), "blinding flash", foe=(4, 4)
    )
    cast(fight, "blinding flash", target="b")
    assert fight.of("b")["conditions"] == ["blinded"]
    fight.end("a")
    attack = fight.attack("b", "a")
    assert (attack["attack"], attack["adjustments"][0]["value"], attack["defense"]) == (3, -5, 2)


def test_silence_stops_what_must_be_spoken_and_nothing_else() -> None:
    caster = {"spells": ["ember bolt", "thunderclap"], "skills": {"Wizardry": "Apprentice"}}
    fight = mage(table.dice("nerve 1 1, casting 4 5"), "silence", foe=(4, 4), b=caster)
    cast(fight, "silence", target="b")
    fight.end("a")
    assert "silenced" in fight.refusal("b", "cast", item="ember bolt", target="a")
    (decision,) = fight.rules.decisions(fight.now)
    assert {action.item for action in fight.rules.legal(fight.now, decision) if action.do == "cast"} == {"thunderclap"}


def test_slow_costs_three_points_in_each_of_the_next_two_resets() -> None:
    fight = mage(table.dice("nerve 1 1, casting 4 5, action points 8 7 8 7 8 7"), "slow")
    cast(fight, "slow", target="b")
    found = []
    for _ in range(3):
        next_turn(fight)
        found.append(fight.of("b")["ap"])
    assert found == [4, 4, 7]
    assert fight.of("b")["conditions"] == []


def test_grasping_roots_hold_all_foes_around_a_space_by_their_ankles() -> None:
    others = (being("aa", (7, 5), "heroes"), being("c", (8, 5), "monsters"))
    fight = mage(table.dice("b brawn 1 1, c brawn 7 7, casting 4 5"), "grasping roots", others=others)
    event = cast(fight, "grasping roots", at=(7, 4))
    assert [(r["target"], r["holds"]) for r in event["resisted"]] == [("b", True), ("c", False)]
    assert fight.of("b")["conditions"] == ["rooted"] and fight.of("b")["free_steps"] == 0
    fight.end("a")
    assert "rooted" in fight.refusal("b", "step", path=[(8, 4)])


def test_rooted_by_nature_stays_rooted_when_the_spell_ends() -> None:
    fight = mage(
        table.dice("brawn 1 1, casting 4 5, brawn 19 8, action points 8 3"),
        "grasping roots",
        b={"conditions": ["rooted"]},
    )
    cast(fight, "grasping roots", at=(7, 4))
    next_turn(fight)
    assert effects(fight, "b") == [] and fight.of("b")["conditions"] == ["rooted"]


# -- help -------------------------------------------------------------------------------------------------


def test_haste_adds_to_the_action_points_of_the_next_two_resets() -> None:
    fight = mage(table.dice("casting 4 5, action points 3 1 3 1 3 1"), "haste")
    cast(fight, "haste", target="a")
    found = []
    for _ in range(3):
        next_turn(fight)
        found.append(fight.of("a")["ap"])
    assert found == [5, 5, 3]


@pytest.mark.parametrize("spell", ["shield of air", "shield of faith"])
def test_a_warded_friend_defends_at_plus_two(spell: str) -> None:
    fight = mage(table.dice("casting 4 5, defense 3 4, attack 3 5, damage 1"), spell, foe=(4, 4))
    cast(fight, spell, target="a")
    assert fight.of("a")["ap"] == 7
    fight.end("a")
    attack = fight.attack("b", "a")
    assert (attack["defense"], attack["outcome"]) == (3 + 4 - 2 + 2, "hit"), "Brawling untrained, and the ward"


def test_stoneskin_takes_two_off_every_blow_and_does_not_add_to_itself() -> None:
    fight = mage(table.dice("casting 4 5, defense 1 2, attack 3 2, damage 4"), "stoneskin", foe=(4, 4))
    cast(fight, "stoneskin", target="a")
    fight.end("a")
    attack = fight.attack("b", "a")
    assert attack["damage"] == 4 + 2 - 2, "a solid hit for 2 more, less 2"
    assert (attack["adjustments"][-1]["value"], attack["adjustments"][-1]["because"]) == (-2, "stoneskin")


def test_the_same_spell_anew_only_lasts_longer() -> None:
    fight = mage(table.dice("casting 4 5, action points 8 4, casting 4 5"), "shield of air")
    cast(fight, "shield of air", target="a")
    next_turn(fight)
    assert effects(fight, "a") == [("shield of air", 2)]
    cast(fight, "shield of air", target="a")
    assert effects(fight, "a") == [("shield of air", 3)]


def test_mend_wounds_heals_stops_bleeding_and_never_overfills() -> None:
    friend = being("aa", (4, 4), "heroes", hp=7, conditions=["bleeding"])
    fight = mage(table.dice("casting 2 4, effect 7"), "mend wounds", others=(friend,), start=[1, 1, 8, 4, 1])
    assert (fight.of("aa")["hp"], fight.of("aa")["conditions"]) == (6, ["bleeding"])
    event = cast(fight, "mend wounds", target="aa")
    assert (event["rating"], event["total"], fight.of("aa")["hp"]) == (6, 6, 11), "11 HP are all it has"
    assert (fight.of("aa")["conditions"], fight.of("a")["faith"], event["what"]) == ([], 10, "faith")
    assert "does not need" in mage([], "mend wounds").refusal("a", "cast", item="mend wounds", target="a")


def test_mend_wounds_sets_the_fallen_on_the_way_up() -> None:
    fight = mage(
        table.dice("casting 3 4, effect 4"), "mend wounds", others=(being("aa", (4, 4), "heroes", hp=-2),), start=[8, 4]
    )
    cast(fight, "mend wounds", target="aa")
    assert (fight.of("aa")["hp"], fight.of("aa")["conditions"], fight.of("aa")["posture"]) == (2, [], "prone"), "1 lost"


def test_prayer_of_healing_reaches_every_friend_near_and_no_foe() -> None:
    others = (being("aa", (5, 5), "heroes", hp=3), being("ab", (9, 4), "heroes", hp=3))
    fight = mage(table.dice("casting 3 4, effect 5"), "prayer of healing", foe=(4, 4), b={"hp": 10}, others=others)
    cast(fight, "prayer of healing")
    assert [fight.of(who)["hp"] for who in ("aa", "ab", "b")] == [3 + 4, 3, 10]


def test_a_burst_takes_in_who_shares_the_casters_space_but_not_the_caster() -> None:
    """A fallen friend under the caster's feet, and a foe grappling it there: both are in the area."""
    fallen = being("aa", (3, 4), "heroes", hp=-2)
    fight = mage(
        table.dice("casting 3 4, effect 5, b brawn 1 1, aa brawn 1 1, casting 3 4, effect 4"),
        "prayer of healing",
        "thunderclap",
        foe=(4, 4),
        start=[5, 8],
        others=(fallen,),
    )
    fight.do("b", "step", path=[(3, 4)])
    fight.end("b")
    cast(fight, "prayer of healing")
    assert fight.of("aa")["hp"] == -3 + 4, "lost one, dying, and is in the middle of it"
    fight.end("a", "b")
    event = cast(fight, "thunderclap")
    assert [each["target"] for each in event["resisted"]] == ["b", "aa"]


def test_bless_steadies_the_hand_of_everybody_near_the_priest_included() -> None:
    friend = being("aa", (4, 5), "heroes")
    fight = mage(table.dice("casting 3 4, defense 1 1, attack 3 4, damage 1"), "bless", foe=(5, 5), others=(friend,))
    cast(fight, "bless")
    assert effects(fight, "a") == effects(fight, "aa") == [("bless", 3)]
    fight.end("a", "b")
    attack = fight.attack("aa", "b", do="rushed_attack")
    assert attack["attack"] == 3 + 4 - 2 + 1


def test_righteous_might_adds_two_damage() -> None:
    friend = being("aa", (6, 4), "heroes")
    fight = mage(table.dice("casting 4 5, defense 3 3, attack 4 4, damage 3"), "righteous might", others=(friend,))
    cast(fight, "righteous might", target="aa")
    fight.end("a", "b")
    assert fight.attack("aa", "b", do="rushed_attack")["damage"] == 3 + 2


def test_turn_undead_frightens_only_the_dead() -> None:
    others = (being("c", (5, 4), "monsters"),)
    fight = mage(table.dice("nerve 1 1, casting 4 5"), "turn undead", foe=(5, 5), b={"kind": "Undead"}, others=others)
    event = cast(fight, "turn undead")
    assert [r["target"] for r in event["resisted"]] == ["b"]
    assert fight.of("b")["conditions"] == ["frightened"] and fight.of("c")["conditions"] == []


def test_cleansing_touch_ends_conditions_whatever_laid_them_on() -> None:
    others = (being("aa", (4, 4), "heroes", conditions=["bleeding", "slowed", "rooted"]),)
    fight = mage(table.dice("casting 3 4"), "cleansing touch", others=others, start=[1, 1, 8, 4, 4])
    assert fight.of("aa")["conditions"] == ["bleeding", "rooted", "slowed"]
    cast(fight, "cleansing touch", target="aa")
    assert fight.of("aa")["conditions"] == []


# -- the ground -------------------------------------------------------------------------------------------


def test_a_wall_of_stone_stops_feet_and_eyes_and_crumbles() -> None:
    fight = mage(table.dice("casting 4 5, action points 8 4 8 4 8 4"), "wall of stone")
    event = cast(fight, "wall of stone", at=(5, 4))
    assert sorted(map(tuple, event["cells"])) == [(5, y) for y in (2, 3, 4, 5, 6)]
    field, terrain = fight.field, fight.rules.terrain(fight.now)
    assert all(terrain.blocked >> field.cell(5, y) & 1 and terrain.opaque >> field.cell(5, y) & 1 for y in range(2, 7))
    assert fight.state["ground"][0]["turns"] == 3
    assert [(m.kind, m.label) for m in fight.rules.board(fight.now).ground] == [("wall", "Wall of stone")]
    assert fight.rules.observe(fight.now, "monsters").figures[0].cell == -1, "out of sight"
    for _ in range(3):
        next_turn(fight)
    assert "ground" not in fight.state and fight.rules.terrain(fight.now) is fight.field.terrain()


def test_a_wall_of_force_stops_feet_only_and_leaves_out_who_stands_there() -> None:
    fight = mage(table.dice("casting 4 5"), "wall of force", others=(being("aa", (5, 5), "heroes"),))
    event = cast(fight, "wall of force", at=(5, 4))
    assert (5, 5) not in set(map(tuple, event["cells"])) and len(event["cells"]) == 4
    terrain = fight.rules.terrain(fight.now)
    assert terrain.blocked >> fight.field.cell(5, 4) & 1 and not terrain.opaque >> fight.field.cell(5, 4) & 1


def test_a_thorn_hedge_is_difficult_ground_also_under_somebody() -> None:
    fight = mage(table.dice("casting 4 5"), "thorn hedge")
    cast(fight, "thorn hedge", at=(7, 4))
    terrain = fight.rules.terrain(fight.now)
    assert all(terrain.difficult >> fight.field.cell(7, y) & 1 for y in range(1, 8))
    assert not terrain.blocked >> fight.field.cell(7, 4) & 1


def test_a_slanting_wall_stands_across_the_way_and_nobody_slips_through() -> None:
    fight = mage(table.dice("casting 4 5"), "wall of stone", at=(2, 2), foe=(12, 6))
    event = cast(fight, "wall of stone", at=(5, 5))
    assert sorted(map(tuple, event["cells"])) == [(3, 7), (4, 6), (5, 5), (6, 4), (7, 3)]
    terrain = fight.rules.terrain(fight.now)
    assert fight.field.cell(5, 4) not in [c for c, _ in terrain.neighbours(fight.field.cell(6, 5))]


@pytest.mark.parametrize("spell", ["light", "hallowed light"])
def test_in_a_spells_light_everybody_is_seen_one_grade_better(spell: str) -> None:
    rows = ["###############", *["#.............#"] * 3, "#....#........#", *["#.............#"] * 3, "###############"]
    pool = "spells" if spell == "light" else "blessings"
    light: dict[str, Any] = {pool: [spell]}
    hero = being("a", (3, 4), savvy=8, skills={"Wizardry": "Apprentice", "Faith": "Apprentice"}, **light,
                 weapons=["shortbow"], ready=["shortbow"])  # fmt: skip
    fight = Fight(
        hero,
        being("b", (7, 4), brawn=20),
        throws=table.dice("action points 8 4, casting 4 4, defense 4 8 4, attack 4 4"),
        rows=rows,
    )
    field = fight.field
    before = strike(fight.now, CreatureIx(0), CreatureIx(1), field.cell(3, 4), field.cell(7, 4))
    cast(fight, spell, at=(7, 4) if spell == "hallowed light" else (6, 3))
    after = strike(fight.now, CreatureIx(0), CreatureIx(1), field.cell(3, 4), field.cell(7, 4))
    assert before is not None and after is not None and after.hit > before.hit
    fight.end("a", "b")
    attack = fight.attack("a", "b", "shortbow")
    assert attack["sight"] == "partial"


def test_a_spells_light_lights_dark_ground() -> None:
    from rules.olde.visibility import lamps

    fight = mage(table.dice("casting 4 5"), "light")
    cast(fight, "light", at=(5, 4))
    assert lamps(fight.now) == ((fight.field.cell(5, 4), 1, 4),)


# -- creatures called -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spell", "name"), [("summon wolf", "Smoke wolf"), ("guardian spirit", "Guardian")])
def test_who_is_called_fights_from_the_next_turn_and_goes_again(spell: str, name: str) -> None:
    fight = mage([4, 5, *[8, 4, 3] * 3, 8, 4], spell)
    cast(fight, spell, at=(4, 4))
    assert (fight.of("a.1")["at"], fight.of("a.1")["ap"]) == ([4, 4], 0)
    mini = next(m for m in fight.rules.board(fight.now).miniatures if m.id == "a.1")
    assert (mini.name, mini.side) == (name, "heroes")
    next_turn(fight)
    assert fight.of("a.1")["ap"] == 3
    fight.end("a", "b")
    (decision,) = fight.rules.decisions(fight.now)
    assert (decision.by, decision.side) == ("a.1", "heroes")
    fight.end("a.1")
    for _ in range(2):
        next_turn(fight)
    assert fight.of("a.1")["at"] is None
    assert "a.1" not in [m.id for m in fight.rules.board(fight.now).miniatures]
    assert fight.state["over"] is None


def test_a_taken_space_takes_nobody_called() -> None:
    fight = mage([], "summon wolf", foe=(4, 4))
    assert "somebody is on" in fight.refusal("a", "cast", item="summon wolf", at=(4, 4))
    assert "reaches 2" in fight.refusal("a", "cast", item="summon wolf", at=(6, 4))


def test_a_corner_of_the_map_where_nobody_is_takes_who_is_called() -> None:
    open_ground = Field.from_rows(["....", "...."])
    caller = being("a", (1, 1), savvy=8, skills={"Wizardry": "Apprentice"}, weapons=[], spells=["summon wolf"])
    fight = Fight(caller, being("b", (3, 0)), field=open_ground, throws=table.dice("action points 8 4"))
    legal = fight.rules.legal(fight.now, fight.rules.decisions(fight.now)[0])
    assert fight._action("a", "cast", {"item": "summon wolf", "at": (0, 0)}) in legal


# -- all of them ------------------------------------------------------------------------------------------


def test_every_spell_has_a_test_of_its_own_here() -> None:
    files = ("test_magic_spells.py", "test_magic_effects.py")
    text = "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in files)
    assert [name for name in GRIMOIRE.spells if f'"{name}"' not in text] == []


@pytest.mark.parametrize("name", list(GRIMOIRE.spells))
def test_every_spell_is_told_in_words_and_stands_on_the_sheet(name: str) -> None:
    spell = GRIMOIRE.spells[name]
    friend = being("aa", (4, 5), "heroes", hp=2, conditions=["rooted"])
    kinds = {"kind": spell.only[0]} if spell.only else {}
    fight = mage([], name, foe=(5, 4), b=kinds, others=(friend,))
    fight.now = fight.rules.reseeded(fight.now, 4)
    (decision,) = fight.rules.decisions(fight.now)
    actions = [a for a in fight.rules.legal(fight.now, decision) if a.do == "cast"]
    assert actions, "there is something to cast it at"
    sheet = fight.rules.sheet(fight.now, "a")
    assert name.capitalize() in [line.text for line in sheet.lines]
    step = fight.rules.apply(fight.now, decision, actions[0])
    told = [fight.rules.tell(step.state, event) for event in step.events]
    assert any(f"casts {name}" in sentence for sentence in told)
    assert all("{" not in sentence and "None" not in sentence for sentence in told)
