"""What each condition does in planning and in the resolution, and how it ends (cairn.md §2.5, §4, §5.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field
from rules.cairn.state import Lasting
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.table import dice


def laid(fight: Fight, id: str, name: str, **says: Any) -> Fight:
    """The same fight with a condition laid on somebody."""
    who = fight.now.setup.index[id]
    figure = fight.now.figures[who]
    figures = list(fight.now.figures)
    figures[who] = msgspec.structs.replace(figure, lasting=(*figure.lasting, Lasting(name, **says)))
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    return fight


def pair(throws: Any = (), at: tuple[int, int] = (2, 1), **says: Any) -> Fight:
    return Fight(pc("a", (1, 1)), foe("b", at, hp_max=9), throws=throws, **says)


def rounds(fight: Fight, count: int = 1) -> None:
    for _ in range(count):
        fight.half()
        if "monsters" in fight.waiting:
            fight.half("monsters")


@pytest.mark.parametrize("name", ["asleep", "paralysed", "unconscious", "petrified", "winded", "commanded"])
def test_who_cannot_act_plans_nothing(name: str) -> None:
    assert laid(pair(), "b", name).waiting == ["a", "heroes"]
    fight = laid(pair(), "b", name)
    fight.half()
    assert fight.waiting == ["a", "heroes"], "their half passed by"


def test_the_frightened_run_from_what_they_fear_and_strike_nobody() -> None:
    fight = laid(pair(), "b", "frightened", rounds=2, by="a")
    fight.half()
    assert fight.of("b")["at"][0] == 10
    assert not fight.all("attack")


def test_the_cornered_cower() -> None:
    fight = laid(Fight(pc("a", (9, 1)), foe("b", (10, 1))), "b", "frightened", rounds=2, by="a")
    fight = laid(fight, "b", "rooted")
    fight.half()
    assert fight.of("b")["at"] == [10, 1]
    assert "cowers" in [note["text"] for note in fight.all("note")]


def test_the_frenzied_go_for_the_nearest_friend_or_foe() -> None:
    fight = Fight(pc("a", (10, 3)), foe("b", (2, 1)), foe("c", (4, 1), hp_max=9), throws=dice("claws 4"))
    laid(fight, "b", "frenzied", rounds=2)
    fight.half()
    fight.half("monsters")
    (blow,) = fight.all("attack")
    assert (blow["by"], blow["target"], blow["damage"]) == ("b", "c", 4)


def test_the_pacified_raise_no_hand_until_they_are_harmed() -> None:
    fight = laid(pair(dice("sword 3")), "b", "pacified", rounds=6)
    fight.strike(("a", "b", "sword"))
    assert "pacified" not in fight.of("b")["conditions"]
    fight = laid(pair(), "b", "pacified", rounds=6)
    fight.half()
    for deed, says in (("attack", {"target": "a"}), ("manoeuvre", {"target": "a", "option": "trip"})):
        assert "pacified" in fight.refusal("b", deed, **says)
    assert "pacified" in fight.refusal("b", "ready", weapon="claws")


def test_the_charmed_harm_nobody_of_their_friends_side() -> None:
    fight = laid(pair(), "b", "charmed", rounds=6, by="a")
    fight.half()
    assert "charmed" in fight.refusal("b", "attack", target="a")
    assert "charmed" in fight.refusal("b", "manoeuvre", target="a", option="shove")


def test_the_slowed_move_half_as_far_and_the_hasted_three_times() -> None:
    path = [[x, 1] for x in range(2, 11)]
    assert "4 left" in laid(pair(at=(9, 3)), "a", "slowed").refusal("a", "move", path=path)
    laid(pair(at=(9, 3)), "a", "hasted").do("a", "move", path=path)


def test_the_blind_find_neighbours_alone_strike_impaired_and_are_without_defence() -> None:
    fight = laid(
        Fight(pc("a", items=["bow", "sword"]), foe("b", hp_max=9), foe("c", (6, 1)), throws=dice("sword 4")),
        "a",
        "blind",
    )
    assert "blind" in fight.refusal("a", "attack", target="c", weapon="bow")
    assert fight.strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d4"
    fight = laid(pair(dice("sword 3, str save 1")), "b", "blind")
    fight.strike(("a", "b", "sword"))
    assert (fight.of("b")["hp"], fight.of("b")["str"]) == (9, 7)


def test_nobody_aims_at_the_invisible_and_acting_or_moving_reveals() -> None:
    fight = laid(pair(dice("claws 2")), "b", "invisible", rounds=6)
    assert "invisible" in fight.refusal("a", "attack", target="b")
    assert "invisible" in fight.refusal("a", "manoeuvre", target="b", option="trip")
    assert fight.rules.observe(fight.now, "heroes").figures[1].cell == -1
    fight.half()
    fight.do("b", "attack", target="a")
    fight.half("monsters")
    assert "invisible" not in fight.of("b")["conditions"]
    fight = laid(pair(), "b", "invisible", rounds=6)
    fight.half()
    fight.do("b", "move", path=[[2, 2]])
    fight.half("monsters")
    assert "invisible" not in fight.of("b")["conditions"]


def test_who_is_unseen_by_nature_is_found_by_neighbours_alone_and_struck_impaired() -> None:
    fight = Fight(
        pc("a", items=["bow", "sword"]), foe("b", (6, 1), innate=["unseen"]), foe("c", (10, 3)), throws=dice("sword 2")
    )
    assert "unseen" in fight.refusal("a", "attack", target="b", weapon="bow")
    assert fight.rules.observe(fight.now, "heroes").figures[1].cell == -1
    fight.do("a", "move", path=[[x, 1] for x in range(2, 6)])
    blow = fight.strike(("a", "b", "sword"))
    assert blow["rolls"][0]["dice"] == "1d4"
    assert "unseen" in fight.of("b")["conditions"]


def test_true_sight_finds_the_unseen() -> None:
    fight = Fight(pc("a", items=["bow"]), foe("b", (6, 1), innate=["unseen"], hp_max=9), throws=dice("bow 6"))
    laid(fight, "a", "true sight")
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d6"


def test_blows_on_the_displaced_are_impaired() -> None:
    assert laid(pair(dice("sword 4")), "b", "displaced").strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d4"


def test_a_double_takes_one_blow() -> None:
    fight = laid(pair(dice("sword 8 8")), "b", "mirrored")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["hp"] == 9
    fight.half("monsters")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["hp"] == 1


@pytest.mark.parametrize("weapon, hp", [("sword", 9), ("magic", 1)])
def test_the_shielded_fear_only_magic(weapon: str, hp: int) -> None:
    blade = {"name": "magic", "dice": [8], "hands": 0, "slots": 0, "natural": True, "tags": ["magic"]}
    fight = Fight(pc("a", attacks=[blade]), foe("b", hp_max=9), throws=[8])
    laid(fight, "b", "shielded").strike(("a", "b", weapon))
    assert fight.of("b")["hp"] == hp


def test_smoke_strikes_holds_and_opens_nothing() -> None:
    fight = laid(Fight(pc("a", items=["sword", "scroll of Sleep"]), foe("b")), "a", "smoke")
    assert "smoke" in fight.refusal("a", "attack", target="b")
    assert "smoke" in fight.refusal("a", "use", item="scroll of Sleep", target="b")
    assert "smoke" in fight.refusal("a", "drop", item="sword")


def test_a_swarm_is_harmed_by_what_sweeps_an_area_alone() -> None:
    fight = laid(pair(dice("sword 8")), "b", "swarm")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["hp"] == 9


def test_long_arms_reach_a_space_farther() -> None:
    fight = laid(pair(dice("sword 5"), at=(3, 1)), "a", "elastic")
    assert fight.strike(("a", "b", "sword"))["damage"] == 5


@pytest.mark.parametrize("name", ["restrained", "stuck"])
def test_the_held_stay_until_a_save_as_action_frees_them(name: str) -> None:
    fight = laid(pair(dice("str save 11 10"), at=(9, 3)), "a", name)
    assert "held" in fight.refusal("a", "move", path=[[2, 1]])
    for left in (True, False):
        fight.do("a", "break_free")
        rounds(fight)
        assert (name in fight.of("a")["conditions"]) is left


def test_the_restrained_strike_impaired() -> None:
    assert laid(pair(dice("sword 4")), "a", "restrained").strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d4"


def test_harm_wakes_the_sleeper_and_goes_straight_to_strength() -> None:
    fight = laid(pair(dice("sword 3, str save 1")), "b", "asleep")
    assert fight.strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d12"
    assert "asleep" not in fight.of("b")["conditions"]
    assert fight.of("b")["str"] == 7


def test_the_slain_wake_without_a_word() -> None:
    fight = laid(pair(dice("sword 12")), "b", "asleep")
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead" and "asleep" not in fight.of("b")["conditions"]
    assert [each["condition"] for each in fight.all("condition") if each["target"] == "b"] == ["dead"]


def test_the_drained_count_as_without_hit_protection() -> None:
    fight = laid(pair(dice("sword 3, str save 1")), "b", "drained")
    fight.strike(("a", "b", "sword"))
    assert (fight.of("b")["str"], fight.of("b")["hp"]) == (7, 0)


def test_the_panicked_do_nothing_in_the_first_round_strike_impaired_and_steady_themselves() -> None:
    fight = laid(pair([4, 10]), "a", "panicked")
    assert fight.waiting == ["b", "monsters"] or "a" not in fight.waiting
    fight = laid(pair(dice("sword 4, wil save 10")), "a", "panicked")
    fight.half("heroes")
    fight.half("monsters")
    assert fight.of("a")["hp"] == 0
    assert fight.strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d4"
    fight.half("monsters")
    fight.do("a", "steady")
    fight.half()
    assert fight.of("a")["hp"] == 6


def test_with_the_option_the_dark_panics_who_fails_a_save() -> None:
    rows = ["######", "#....#", "######"]
    field = msgspec.structs.replace(Field.from_rows(rows), ambient="dark")
    fight = Fight(pc("a"), pc("c", (2, 1), items=["torch"]), foe("b", (4, 1)), field=field, panic=True)
    assert fight.used == 0, "the torch lights both"
    fight = Fight(pc("a"), foe("b", (4, 1)), field=field, panic=True, throws=dice("wil save 11"))
    assert "panicked" in fight.of("a")["conditions"]


@pytest.mark.parametrize("key, word", [("dex_now", "paralysed"), ("wil_now", "delirious")])
def test_an_attribute_at_nought_takes_out(key: str, word: str) -> None:
    fight = pair()
    figures = list(fight.now.figures)
    figures[1] = msgspec.structs.replace(figures[1], **{key: 0})
    fight.now = msgspec.structs.replace(fight.now, figures=tuple(figures))
    assert word in fight.of("b")["conditions"]
    fight.half()
    assert fight.waiting == ["a", "heroes"]


def test_nothing_mends_the_deprived() -> None:
    fight = Fight(pc("a", items=["healing salve"]), foe("b", (9, 1)))
    laid(fight, "a", "deprived")
    fight.do("a", "use", item="healing salve", target="a")
    fight.half()
    assert "deprived: nothing mends" in [note["text"] for note in fight.all("note")]


def test_the_deprived_save_to_cast_even_where_casting_is_safe() -> None:
    fight = Fight(pc("a", items=["book of Shield"]), foe("b", (9, 1)), throws=dice("wil save 11"), cast_saves=False)
    laid(fight, "a", "deprived")
    fight.do("a", "cast", item="book of Shield", target="a")
    fight.half()
    assert "shielded" not in fight.of("a")["conditions"]


def test_a_time_counts_the_victims_own_halves() -> None:
    """What a foe lays on a hero in the foes' half still costs the hero its next turn."""
    whistle: dict[str, Any] = {"powers": ["Kingslayer's Order"]}
    fight = Fight(pc("a"), pc("c", (1, 3)), foe("b", **whistle), throws=dice("wil save 20 1"))
    fight.half()
    fight.do("b", "cast", item="Kingslayer's Order")
    fight.half("monsters")
    assert fight.waiting == ["c", "heroes"]
    fight.half()
    fight.half("monsters")
    assert fight.waiting == ["a", "c", "heroes"]


def test_a_save_at_the_end_of_the_round_shakes_off_what_allows_it() -> None:
    fight = laid(pair(dice("wil save 10")), "b", "drained", rounds=5, save="wil")
    rounds(fight)
    assert "drained" not in fight.of("b")["conditions"]


def test_three_rounds_of_a_stare_are_stone_unless_the_starer_falls() -> None:
    fight = laid(Fight(pc("a"), pc("c", (1, 3)), foe("b", hp_max=9)), "a", "turning to stone", rounds=2, by="b",
                 then="petrified")  # fmt: skip
    rounds(fight, 2)
    assert "petrified" in fight.of("a")["conditions"]


def test_every_condition_of_the_content_has_a_sentence_and_a_picture() -> None:
    from pathlib import Path

    from game.content import tables as content
    from rules.cairn.display import badges
    from rules.cairn.text import term

    names = {e["name"] for p in content.tables("cairn")["powers"] for e in p["effects"] if e["kind"] == "condition"}
    riders = [a.get("rider", {}) for m in content.monsters("cairn").values() for a in m.get("attacks", ())]
    names |= {r["name"] for r in riders if r.get("name")}
    assert [name for name in sorted(names) if term(name) is None] == []
    icons = {path.stem for path in (Path(content.__file__).parents[2] / "assets/art/icons").glob("*.svg")}
    for name in sorted(names - {"prone"}):
        fight = laid(pair(), "a", name)
        (badge,) = badges(fight.now.figures[0])
        assert badge.icon in icons, badge


def test_who_saves_in_the_dark_is_steady() -> None:
    field = msgspec.structs.replace(Field.from_rows(["######", "#....#", "######"]), ambient="dark")
    fight = Fight(pc("a"), foe("b", (4, 1)), field=field, panic=True, throws=dice("wil save 10"))
    assert "panicked" not in fight.of("a")["conditions"]
