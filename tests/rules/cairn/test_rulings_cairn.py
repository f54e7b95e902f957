"""Rulings where several rules meet: the order of a half, clocks, ties (cairn.md §1, §2, §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from game.content import tables as content
from tests.rules.cairn.creatures import Fight, duel, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid, rounds
from tests.rules.table import dice

CLUB: dict[str, Any] = {"name": "club", "dice": [20], "hands": 0, "slots": 0, "natural": True}


def beast(name: str, id: str, at: tuple[int, int] = (2, 1), **says: Any) -> dict[str, Any]:
    """A creature of the bestiary."""
    block = {k: v for k, v in content.monsters("cairn")[name].items() if k not in ("id", "side", "at")}
    return {**block, "id": id, "side": "monsters", "at": list(at), **says}


# -- the order of a half (A2)


def test_moves_come_first_then_risks_then_blows_then_powers_then_late_moves() -> None:
    fight = Fight(
        pc("a", (1, 1), items=["scroll of Sleep"]),
        pc("c", (1, 2)),
        pc("d", (3, 2)),
        pc("e", (1, 3)),
        foe("b", (2, 1), hp_max=9),
        throws=dice("str save 10, sword 3, str save 2, wil save 20"),
        cast_saves=False,
    )
    fight.do("a", "use", item="scroll of Sleep", target="b")
    fight.do("c", "attack", target="b", weapon="sword")
    fight.do("c", "move", path=[[1, 3], [2, 3]])
    fight.do("d", "manoeuvre", target="b", option="trip")
    fight.do("e", "move", path=[[2, 3], [3, 3]])
    told = [(e["event"], e.get("by")) for e in fight.half() if e["event"] in ("moved", "check", "attack", "cast")]
    assert told == [
        ("moved", "e"), ("check", "d"), ("attack", "c"), ("check", "b"), ("cast", "a"), ("check", "b"), ("moved", "c"),
    ]  # fmt: skip


def test_what_one_side_does_counts_as_done_at_once() -> None:
    """Who is struck down by a friend's fire has cast by then (A2): deaths come last."""
    caster = pc("c", (4, 1), hp_max=0, strength=2, items=["scroll of Sleep"])
    fight = Fight(pc("a", items=["fireseed"]), caster, foe("b", (5, 1), hp_max=20), foe("d", (9, 3)),
                  throws=dice("fireseed 8 3, wil save 20"), cast_saves=False)  # fmt: skip
    fight.do("a", "attack", target="b", weapon="fireseed")
    fight.do("c", "use", item="scroll of Sleep", target="d")
    fight.half()
    assert (fight.of("c")["status"], fight.of("d")["conditions"]) == ("dead", ["asleep"])


def test_bandages_and_doors_come_after_the_blows() -> None:
    fight = Fight(pc("a", items=["bandages"]), pc("c", (1, 2)), pc("d", (1, 3)), foe("b", (2, 3), hp_max=9),
                  throws=dice("sword 3"))  # fmt: skip
    laid(fight, "c", "bleeding out", rounds=9)
    fight.do("a", "bandage", target="c")
    fight.do("d", "attack", target="b", weapon="sword")
    told = [e["event"] for e in fight.half() if e["event"] in ("attack", "condition")]
    assert told == ["attack", "condition"]


def test_a_phoenix_burns_when_everybody_of_that_half_has_acted() -> None:
    bird = beast("phoenix", "b", hp_max=0, hp=0, strength=1, space=1)
    fight = Fight(pc("a"), pc("c", (2, 2), hp_max=0, strength=2, items=["scroll of Sleep"]), bird, foe("d", (9, 3)),
                  throws=dice("sword 8, wil save 20, flames 4 6, wil save 20"), cast_saves=False)  # fmt: skip
    fight.do("a", "attack", target="b", weapon="sword")
    fight.do("c", "use", item="scroll of Sleep", target="d")
    fight.half()
    assert (fight.of("c")["status"], fight.of("d")["conditions"]) == ("dead", ["asleep"])


def test_who_is_late_is_struck_like_anybody() -> None:
    fight = Fight(pc("a", alert="normal"), pc("c", (1, 3)), foe("b"), throws=dice("dex save 11, claws 3"))
    fight.half()
    fight.strike(("b", "a", "claws"), side="monsters")
    assert (fight.of("a")["hp"], fight.of("a")["str"]) == (3, 10)


# -- pools and blows


def test_a_tie_of_dice_prefers_what_has_a_special_effect() -> None:
    fang = {**CLUB, "name": "fang", "dice": [8], "rider": {"kind": "str", "permanent": True, "dice": [4]}}
    fight = Fight(
        pc("a"), pc("c", (1, 2), items=[], attacks=[fang]), foe("b", (2, 1), hp_max=9), throws=dice("sword 6, fang 6")
    )
    assert fight.strike(("a", "b", "sword"), ("c", "b", "fang"))["by"] == "c"


@pytest.mark.parametrize(("weapon", "die"), [("sword", "1d4"), ("silver knife", "1d12")])
def test_a_werewolf_minds_silver_alone(weapon: str, die: str) -> None:
    fight = Fight(pc("a", items=["sword", "silver knife"]), beast("werewolf", "b"), throws=[2])
    assert fight.strike(("a", "b", weapon))["rolls"][0]["dice"] == die


def test_an_area_does_nothing_to_whose_kind_it_cannot_harm_though_nobody_aimed_there() -> None:
    fight = Fight(
        pc("a", items=["fireseed"]),
        foe("b", (5, 1), hp_max=9),
        beast("hellhound", "d", (6, 1)),
        throws=dice("fireseed 6 6"),
    )
    laid(fight, "d", "invisible")
    fight.strike(("a", "b", "fireseed"))
    assert [(e["target"], e["damage"]) for e in fight.all("attack")] == [("b", 6), ("d", 0)]


def test_to_draw_is_free_and_puts_away_what_leaves_no_hand() -> None:
    fight = duel(dice("halberd 3"), a={"items": ["sword", "shield", "halberd"]}, b={"hp_max": 9})
    assert fight.of("a")["armor"] == 1
    fight.strike(("a", "b", "halberd"))
    assert (fight.of("a")["hands"], fight.of("a")["armor"]) == (["halberd"], 0)


# -- wounds


def test_mercy_does_not_lay_a_troll_down() -> None:
    fight = Fight(
        pc("a"), beast("troll", "b", hp_max=0, hp=0), throws=dice("sword 8, str save 20, wil save 1"), mercy=True
    )
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "wounded"


def test_a_clock_of_poison_or_teeth_asks_for_a_save_each_time_strength_is_lost() -> None:
    fight = Fight(pc("a", hp_max=0, strength=12), pc("c", (1, 3)), foe("b"), throws=dice("stingers 3, str save 10"))
    laid(fight, "a", "stingers", by="b", die=4)
    rounds(fight)
    assert fight.of("a")["status"] == "incapacitated"


def down(**more: Any) -> Fight:
    """`a` has taken critical damage; `c` beside it has bandages."""
    fight = Fight(
        pc("a"),
        pc("c", (1, 2), items=["bandages"]),
        foe("b", attacks=[CLUB]),
        throws=dice("club 10, str save 20"),
        **more,
    )
    fight.half()
    fight.strike(("b", "a", "club"), side="monsters")
    return fight


def hasten(fight: Fight) -> None:
    """An hour but for this round goes by for `a`."""
    figure = fight.now.figures[0]
    late = tuple(msgspec.structs.replace(each, rounds=1) if each.rounds else each for each in figure.lasting)
    figures = (msgspec.structs.replace(figure, lasting=late), *fight.now.figures[1:])
    fight.now = msgspec.structs.replace(fight.now, figures=figures)


def test_who_is_not_aided_within_the_hour_is_dead() -> None:
    fight = down()
    assert [each.rounds for each in fight.now.figures[0].lasting] == [360]
    hasten(fight)
    rounds(fight)
    assert fight.of("a")["status"] == "dead"


def test_bandages_stop_the_hour() -> None:
    fight = down()
    fight.do("c", "bandage", target="a")
    fight.half()
    hasten(fight)
    fight.half("monsters")
    rounds(fight)
    assert fight.of("a")["status"] == "incapacitated"


def test_a_mortal_wound_kills_within_the_hour() -> None:
    fight = Fight(pc("a", hp_max=11), pc("c", (1, 3)), foe("b", attacks=[CLUB]), throws=dice("club 11"))
    fight.half()
    fight.strike(("b", "a", "club"), side="monsters")
    hasten(fight)
    rounds(fight)
    assert fight.of("a")["status"] == "dead"


def test_scores_that_are_nought_by_nature_take_nobody_out() -> None:
    fight = Fight(pc("a"), beast("skeleton", "b"), beast("cobblehounds", "d", (6, 1)))
    fight.half()
    assert fight.waiting == ["b", "d", "monsters"]


# -- morale


def test_who_came_to_nought_beside_others_does_not_save_for_it_when_alone() -> None:
    crew = [foe("b"), foe("d", (1, 2), strength=1), foe("e", (9, 1), strength=1), foe("f", (9, 3), strength=1)]
    fight = Fight(pc("a"), *crew, throws=dice("sword 4 8, wil save 1 1 1, sword 8, wil save 1 1, sword 8"))
    fight.strike(("a", "b", "sword"))  # b: 0 HP beside others
    fight.half("monsters")
    fight.strike(("a", "d", "sword"))  # the first casualty: three saves
    fight.half("monsters")
    laid(fight, "f", "asleep")
    for id, at in (("e", [2, 2]), ("f", [1, 3])):
        place(fight, id, at)
    fight.strike(("a", "e", "sword"))  # half of them: two saves
    fight.half("monsters")
    before = len(fight.all("check"))
    place(fight, "f", [2, 2])
    fight.strike(("a", "f", "sword"))
    assert len(fight.all("check")) == before
    assert fight.of("b")["hp"] == 0


def place(fight: Fight, id: str, at: list[int]) -> None:
    who = fight.now.setup.index[id]
    figures = list(fight.now.figures)
    figures[who] = msgspec.structs.replace(figures[who], cell=fight.field.cell(*at))
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))


def test_an_ettin_is_never_taken_unaware() -> None:
    fight = Fight(pc("a"), beast("ettin", "b", (4, 1), surprised=True), foe("d", (9, 1), surprised=True))
    fight.half()
    assert fight.waiting == ["b", "monsters"]


# -- retreat


ROOM = ["......", "......"]


def test_nobody_but_a_players_character_saves_to_retreat() -> None:
    fight = Fight(pc("a", (0, 0), pc=False), pc("c", (0, 1)), foe("b", (4, 0)), rows=ROOM)
    fight.do("a", "retreat")
    fight.half()
    fight.do("b", "retreat")
    fight.half("monsters")
    assert (fight.of("a")["status"], fight.of("b")["status"], fight.used) == ("fled", "fled", 0)


def test_no_save_is_needed_where_every_foe_is_helpless() -> None:
    fight = laid(Fight(pc("a", (0, 0)), pc("c", (0, 1)), foe("b", (4, 0)), rows=ROOM), "b", "asleep")
    fight.do("a", "retreat")
    fight.half()
    assert (fight.of("a")["status"], fight.used) == ("fled", 0)


# -- manoeuvres


@pytest.mark.parametrize(("face", "gone"), [(10, "b"), (11, "a")])
def test_whoever_loses_a_shove_at_an_edge_goes_over(face: int, gone: str) -> None:
    from rules.board.grid import Field, Ground

    field = Field.from_rows(["######", "#....#", "######"])
    ground = bytearray(field.ground)
    for cell in (field.cell(1, 1), field.cell(4, 1)):
        ground[cell] = Ground.VOID
    field = msgspec.structs.replace(field, ground=bytes(ground))
    fight = Fight(pc("a", (2, 1)), foe("b", (3, 1)), field=field, throws=[face])
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert [e["target"] for e in fight.all("condition") if e["condition"] == "fallen"] == [gone]


# -- casting and things


def test_the_shield_is_back_in_the_next_round() -> None:
    says: dict[str, Any] = {"items": ["book of Sleep", "shield"], "ready": ["shield"]}
    fight = Fight(pc("a", **says), foe("b", (4, 1)), throws=dice("wil save 10 1"))
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.half()
    assert fight.of("a")["armor"] == 0
    fight.half("monsters")
    assert fight.of("a")["armor"] == 1


def test_a_book_of_shield_shields_who_holds_it() -> None:
    fight = duel([], a={"items": ["sword", "book of Shield"], "ready": ["book of Shield"]})
    assert fight.of("a")["armor"] == 1
    assert duel([], a={"items": ["sword", "book of Shield"]}).of("a")["armor"] == 0


def test_a_relic_tires_nobody_and_runs_out() -> None:
    fight = Fight(pc("a", items=["muffle dust"]), foe("b", (4, 1)))
    for _ in range(2):
        fight.do("a", "use", item="muffle dust")
        rounds(fight)
    assert fight.of("a")["fatigue"] == 0
    assert "muffle dust" not in fight.of("a")["hands"] + fight.of("a")["pack"]


def test_with_a_full_pack_one_picks_what_to_drop_before_reading() -> None:
    fight = Fight(
        pc("a", items=["book of Sleep", "rope", "pole"], fatigue=7), foe("b", (4, 1)), throws=dice("wil save 10 1")
    )
    fight.do("a", "cast", item="book of Sleep", target="b")
    fight.do("a", "drop", item="rope")
    fight.do("a", "move", path=[[1, 2]])
    fight.half()
    assert [lying["item"] for lying in fight.state["floor"]] == ["rope"]
    assert fight.of("a")["fatigue"] == 8


# -- daring, helping, looking away


@pytest.mark.parametrize(("face", "thrown"), [(10, "1d12"), (11, "")])
def test_a_daring_manoeuvre_enhances_the_blow_or_ends_on_the_floor(face: int, thrown: str) -> None:
    fight = duel([face, 9], b={"hp_max": 20})
    fight.do("a", "daring", target="b", weapon="sword")
    fight.half()
    assert [e["rolls"][0]["dice"] for e in fight.all("attack")] == ([thrown] if thrown else [])
    assert fight.of("a")["posture"] == ("standing" if thrown else "prone")
    assert "daring" not in fight.of("a")["conditions"]


def test_nobody_is_daring_from_afar() -> None:
    fight = Fight(pc("a", items=["spear"]), foe("b", (5, 1)))
    assert "hand to hand" in fight.refusal("a", "daring", target="b", weapon="spear")
    fight.do("a", "move", path=[[2, 1], [3, 1]])
    fight.do("a", "daring", target="b", weapon="spear")


def test_the_odds_of_a_daring_blow_weigh_its_save() -> None:
    fight = Fight(pc("a", dexterity=14), foe("b", hp_max=20))
    action = fight._action("a", "daring", {"target": "b", "weapon": "sword"})
    odds = fight.rules.odds(fight.now, action)
    assert odds.hit == pytest.approx(14 / 20)
    assert odds.mean == pytest.approx(14 / 20 * 6.5)
    assert odds.attack_dice == "d12"


def test_a_friend_helps_out_of_a_net_without_a_roll() -> None:
    fight = laid(Fight(pc("a"), pc("c", (1, 2)), foe("b", (9, 1))), "a", "restrained")
    assert "neither held" in fight.refusal("a", "help", target="c")
    fight.do("c", "help", target="a")
    fight.half()
    assert ("restrained" in fight.of("a")["conditions"], fight.used) == (False, 0)


def test_a_friend_helps_out_of_panic() -> None:
    fight = laid(Fight(pc("a"), pc("c", (1, 2)), foe("b", (9, 1))), "a", "panicked")
    fight.do("c", "help", target="a")
    fight.half()
    assert fight.of("a")["hp"] == 6


@pytest.mark.parametrize(("face", "held"), [(7, False), (8, True)])
def test_against_a_grip_the_weaker_of_two_saves(face: int, held: bool) -> None:
    fight = Fight(pc("a", strength=12), pc("c", (1, 2), strength=7), foe("b"), throws=[face])
    laid(fight, "a", "restrained", by="b", save="str")
    fight.do("c", "help", target="a")
    fight.half()
    assert fight.all("check")[0]["by"] == "c"
    assert ("restrained" in fight.of("a")["conditions"]) is held


def test_who_looks_away_is_safe_from_a_stare_and_strikes_it_impaired_for_this_round() -> None:
    fight = Fight(pc("a"), pc("c", (1, 2)), beast("naga", "b", hp_max=9), throws=dice("sword 2"))
    fight.do("a", "avert")
    assert fight.strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d4"
    fight.do("b", "cast", item="Enthralling Gaze", target="a")
    fight.half("monsters")
    assert fight.of("a")["conditions"] == []
    assert fight.used == 1
    assert "stare" in duel([]).refusal("a", "avert")


def test_a_trip_is_by_strength_or_dexterity_whichever_is_better() -> None:
    fight = duel(dice("dex save 14"), a={"dexterity": 14})
    fight.do("a", "manoeuvre", target="b", option="trip")
    fight.half()
    assert fight.of("b")["posture"] == "prone"


# -- things and powers


def test_walls_double_the_distance_over_which_one_is_heard() -> None:
    rows = ["#" * 40, "#" + "." * 38 + "#", "#" * 13 + "." + "#" * 26, "#" + "." * 38 + "#", "#" * 40]
    crew = pc("a", (20, 1)), pc("c", (20, 3)), pc("d", (38, 3))
    fight = Fight(*crew, foe("b", (24, 1), powers=["Wail"]), rows=rows, throws=dice("wil save 1 1"))
    fight.half()
    fight.do("b", "cast", item="Wail")
    fight.half("monsters")
    assert [e["by"] for e in fight.all("check")] == ["a", "c"], "d is fourteen spaces off, behind a wall"


def test_wounds_are_cured_once_a_day() -> None:
    fight = laid(
        Fight(
            pc("a", items=["scroll of Cure Wounds"] * 2),
            foe("b", (9, 1)),
            throws=dice("cure wounds 2"),
            cast_saves=False,
        ),
        "a",
        "deaf",
    )
    figures = (msgspec.structs.replace(fight.now.figures[0], str_now=4), *fight.now.figures[1:])
    fight.now = msgspec.structs.replace(fight.now, figures=figures)
    fight.do("a", "use", item="scroll of Cure Wounds", target="a")
    rounds(fight)
    assert fight.of("a")["str"] == 6
    assert "today" in fight.refusal("a", "use", item="scroll of Cure Wounds", target="a")


def test_who_blows_the_skull_whistle_hears_it_too() -> None:
    fight = Fight(pc("a", items=["skull whistle"]), foe("b", (4, 1)), throws=dice("wil save 20 1"))
    fight.do("a", "use", item="skull whistle")
    fight.half()
    assert [(e["by"], e.get("success", False)) for e in fight.all("check")] == [("a", False), ("b", True)]
    assert "winded" in fight.of("a")["conditions"]


def test_antitoxin_ends_a_poisoning() -> None:
    fight = laid(Fight(pc("a", items=["antitoxin"]), foe("b", (9, 1))), "a", "poisoned")
    fight.do("a", "use", item="antitoxin", target="a")
    fight.half()
    assert (fight.of("a")["conditions"], fight.of("a")["pack"]) == ([], [])


@pytest.mark.parametrize(("item", "throws", "left"), [("trap", [5, 1], 6), ("steel trap", [1], 7)])
def test_a_trap_goes_for_strength_once_and_armor_counts(item: str, throws: Sequence[int | None], left: int) -> None:
    fight = Fight(pc("a", items=[item]), foe("b", (5, 1), armor=1), foe("d", (9, 1)), throws=throws)
    fight.do("a", "use", item=item, at=[2, 1])
    fight.half()
    fight.do("b", "move", path=[[4, 1], [3, 1], [2, 1]])
    fight.half("monsters")
    assert (fight.of("b")["str"], fight.of("b")["hp"]) == (left, 4)
    assert not fight.rules.board(fight.now).ground


def test_a_torch_burns_three_times() -> None:
    fight = Fight(pc("a", items=["torch"]), foe("b", (9, 1)))
    for _ in range(2):
        laid(fight, "a", "snuffed")
        fight.do("a", "light")
        rounds(fight)
    laid(fight, "a", "snuffed")
    assert "nothing left" in fight.refusal("a", "light")


def test_a_lantern_burns_again_from_oil_six_times_a_can() -> None:
    fight = Fight(pc("a", items=["lantern", "oil can"]), foe("b", (9, 1)))
    for _ in range(6):
        assert "oil can" in fight.of("a")["pack"]
        laid(fight, "a", "snuffed")
        fight.do("a", "light")
        rounds(fight)
    assert "oil can" not in fight.of("a").get("pack", [])
    laid(fight, "a", "snuffed")
    assert "nothing left" in fight.refusal("a", "light")


def test_whoever_lays_hands_on_barbs_saves_or_faints() -> None:
    fight = duel(dice("str save 11"), b={"items": ["barbed epaulets"]})
    fight.do("a", "manoeuvre", target="b", option="shove")
    fight.half()
    assert "unconscious" in fight.of("a")["conditions"]
    assert fight.of("b")["at"] == [2, 1]


# -- the helpless


@pytest.mark.parametrize("option", ["trip", "shove", "grapple"])
@pytest.mark.parametrize("condition", ["asleep", "paralysed", "unconscious", "petrified"])
def test_with_the_helpless_there_is_no_contest_and_nothing_to_lose(option: str, condition: str) -> None:
    fight = laid(duel([]), "b", condition)
    odds = fight.rules.odds(fight.now, fight._action("a", "manoeuvre", {"target": "b", "option": option}))
    assert (odds.hit, odds.attack_dice) == (1.0, "no save")
    fight.do("a", "manoeuvre", target="b", option=option)
    fight.half()
    assert fight.of("a")["posture"] == "standing" and fight.of("a")["conditions"] == []
    done = {"trip": fight.of("b")["posture"] == "prone", "shove": fight.of("b")["at"] == [3, 1],
            "grapple": "restrained" in fight.of("b")["conditions"]}  # fmt: skip
    assert done[option]


# -- morale: who ran is no casualty


def test_flight_alone_is_no_second_trigger() -> None:
    crowd = [foe(name, at, strength=1) for name, at in (("b", (2, 1)), ("c", (9, 1)), ("d", (9, 2)), ("e", (9, 3)))]
    fight = Fight(pc("a"), *crowd, throws=dice("sword 8, wil save 20 1 1"))
    fight.strike(("a", "b", "sword"))
    assert [fight.of(name)["status"] for name in "bcde"] == ["dead", "fled", "healthy", "healthy"]
    fight.half("monsters")
    assert fight.used == 4, "two of four are gone, but one fell alone"


def test_who_is_routed_or_falls_over_an_edge_is_a_casualty() -> None:
    swarm = foe("b", strength=9, hp_max=0, detachment=True, space=1)
    fight = Fight(
        pc("a"),
        swarm,
        foe("c", (9, 1)),
        foe("d", (9, 2)),
        foe("e", (9, 3)),
        throws=dice("sword 4, str save 20, wil save 1 1 1"),
    )
    fight.strike(("a", "b", "sword"))
    assert (fight.of("b")["status"], fight.used) == ("fled", 5)


# -- hands and what is worn


def test_two_swords_are_two_swords() -> None:
    fight = duel(dice("sword + sword 3 5"), a={"items": ["sword", "sword"]}, b={"hp_max": 9})
    blow = fight.strike(("a", "b", "sword + sword"))
    assert (len(blow["rolls"]), fight.of("a")["hands"], fight.of("a")["pack"]) == (2, ["sword", "sword"], [])


@pytest.mark.parametrize(
    ("items", "armor"),
    [
        (["gambeson"] * 3, 1),
        (["helmet", "gambeson", "helmet"], 2),
        (["leather", "gambeson", "helmet"], 3),
        (["shield", "shield"], 1),
    ],
)
def test_a_second_piece_of_a_kind_is_only_carried(items: list[str], armor: int) -> None:
    hands = [item for item in items if item == "shield"]
    assert duel([], a={"items": items, "ready": hands}).of("a")["armor"] == armor


# -- plans that came otherwise


def test_who_was_floored_by_its_own_trip_gets_less_far_afterwards() -> None:
    fight = Fight(pc("a"), foe("b"), throws=dice("str save 20"))
    fight.do("a", "manoeuvre", target="b", option="trip")
    fight.do("a", "move", path=[[1, 2], [2, 3], [3, 3], [4, 3], [5, 3], [6, 3], [7, 3], [8, 3]])
    fight.half()
    assert (fight.of("a")["at"], fight.of("a")["posture"]) == ([6, 3], "standing"), "getting up took two spaces"


def test_who_came_to_be_held_goes_nowhere_afterwards() -> None:
    fight = Fight(pc("a"), foe("b"), throws=dice("str save 20"))
    fight.do("a", "manoeuvre", target="b", option="grapple")
    fight.do("a", "move", path=[[1, 2]])
    fight.half()
    assert (fight.of("a")["at"], fight.of("a")["conditions"]) == ([1, 1], ["restrained"])


# -- the first round, and whose morale when


@pytest.mark.parametrize(("face", "acts"), [(10, True), (11, False)])
def test_a_player_s_character_taken_unaware_saves_as_any_that_is_not_ready(face: int, acts: bool) -> None:
    fight = Fight(pc("a", alert="unaware"), foe("b"), throws=[face, 3, 1])
    assert ("a" in fight.waiting) == acts
    fight.half() if acts else None
    fight.strike(("b", "a", "claws"), side="monsters")
    assert (fight.of("a")["hp"], fight.of("a")["str"]) == (6, 7), "past Hit Protection (§2.5)"


def test_losses_of_the_last_half_and_of_the_rounds_end_are_one_check() -> None:
    """The foes' own fire fells one, and one bleeds out: T1 and T2 together are one roll (A15)."""
    fire = {"name": "fire", "dice": [6], "hands": 0, "slots": 0, "natural": True, "blast": "adjacent"}
    crowd = [foe("b", (4, 1), attacks=[fire], willpower=20), foe("c", (4, 2), strength=1, hp_max=0),
             foe("d", (9, 1), strength=1, hp_max=0), foe("e", (9, 3))]  # fmt: skip
    fight = laid(
        Fight(pc("a", (3, 1), hp_max=20), *crowd, throws=dice("fire 3 4, stingers 1, wil save 1 1")),
        "d",
        "stingers",
        die=4,
    )
    fight.half()
    fight.do("b", "attack", target="a", weapon="fire")
    fight.half("monsters")
    rolls = [check["what"] for check in fight.all("check") if "morale" in check["what"]]
    assert rolls == ["WIL save: morale, half of them lost"] * 2


def test_a_lone_foe_that_began_without_protection_has_nothing_to_be_shaken_by() -> None:
    fight = Fight(pc("a"), foe("b", hp=0, strength=20), throws=dice("sword 3, str save 1"))
    fight.strike(("a", "b", "sword"))
    assert fight.used == 2


def test_a_detachments_blow_takes_in_the_ring_around_it_and_whom_it_was_aimed_at() -> None:
    giant = foe("b", (5, 1), attacks=[{**CLUB, "dice": [6], "reach": 2}], detachment=True)
    fight = Fight(pc("a", (3, 1), hp_max=20), pc("c", (6, 2), hp_max=20), pc("d", (7, 3), hp_max=20), giant,
                  throws=dice("club 3 4"))  # fmt: skip
    fight.half()
    fight.do("b", "attack", target="a", weapon="club")
    fight.half("monsters")
    assert [fight.of(name)["hp"] for name in "acd"] == [16, 17, 20]


def test_who_has_no_dexterity_by_nature_is_not_helpless_for_it() -> None:
    fight = Fight(pc("a"), foe("b", dexterity=0))
    by_nature = fight.now.figures[1]
    assert (by_nature.dex_now, by_nature.dex_max, by_nature.helpless) == (0, 0, False)
    fight.change("a", dex_now=0)
    assert fight.now.figures[0].helpless
