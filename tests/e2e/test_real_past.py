"""Taking back in the real window, by mouse alone and by keys alone, in both sizes: undo, redo, rewind, branches."""

from __future__ import annotations

from typing import Any

from tests.e2e.real_table import MARKS, Sat, party, ways
from tests.game.player import arena

pytestmark = MARKS


@ways()
def test_a_move_is_taken_back_and_done_again(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False)
    me.open(record=party())
    me.commands(0)
    me.do("undo", "ctrl+z")
    me.toast("There is nothing to take back.")
    me.shot("nothing-to-take-back")
    me.perform(lambda a: a.do == "free_steps" and len(a.path) > 1)
    moved = me.commands(1)
    me.shot("moved")
    me.do("undo", "ctrl+z")
    me.commands(0)
    me.shot("taken-back")
    me.do("redo", "ctrl+y")
    assert me.commands(1) == moved
    me.do("undo", "u")
    me.commands(0)
    me.do("redo", "r")
    assert me.commands(1) == moved
    me.do("undo", "u")
    me.commands(0)
    me.perform(lambda a: a.do == "free_steps" and [list(c) for c in [a.path]] != moved[0].get("path"))
    me.commands(1)
    me.do("redo", "ctrl+y")
    me.toast("There is nothing to do again.")
    me.close()


@ways()
def test_what_dice_decided_is_rewound_only_when_asked_and_branches_are_taken_up(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False)
    me.open(record=arena(title="The Hall"))
    me.commands(0)
    me.perform(lambda a: a.do == "free_steps" and a.path[-1] in (21, 22))
    moved = me.commands(1)
    me.perform(lambda a: a.do == "attack")
    struck = me.commands(2)
    me.do("undo", "ctrl+z")
    me.scene("rewind")
    me.shot("rewind-asked")
    me.do("stay", "Escape")
    assert me.commands(2) == struck
    me.do("undo", "ctrl+z")
    me.scene("rewind")
    me.hand.press("rewind")
    assert me.commands(1) == moved
    me.shot("rewound")
    me.menu("Branches")
    me.scene("branches")
    me.shot("branches")
    me.hand.press("0")
    assert me.commands(2) == struck
    me.shot("taken-up")
    if me.keys:
        me.hand.type("ctrl+shift+z")
    else:
        me.menu("Rewind")
    me.scene("rewind")
    me.hand.press("back to 0")
    me.commands(0)
    me.do("branch", "ctrl+b")
    me.scene("branches")
    me.shot("two-branches")
    me.hand.press("Back")
    me.commands(0)
    me.close()


@ways()
def test_turns_wounds_and_conditions_are_rewound_to_the_very_table_they_left(sat: Sat, hand: str, size: str) -> None:
    me = sat(hand, size)
    me.settings(end_by_itself=False)
    me.open(record=arena(title="The Hall"))
    me.match()

    def table() -> dict[str, Any]:
        me.match()
        me.table.await_("a board at rest", lambda s: not s["fight"]["busy"])
        now = me.table.now()
        shown = {k: now["fight"]["table"][k] for k in ("minis", "doors", "order", "acting")}
        return {**shown, "words": [word for word in now["words"] if "Hit points" in word or "AP" in word]}

    first = table()
    me.perform(lambda a: a.do == "attack")
    for _ in range(3):
        me.match()
        known = len(me.table.fight()["commands"])
        end = next(w["key"] for w in me.table.now()["widgets"] if w["key"].startswith("offer end"))
        me.do(end, "ctrl+Return")
        me.table.await_("what came of it", lambda s, k=known: len(s["fight"]["commands"]) > k)
    me.match()
    me.shot("turns-later")
    given = me.table.fight()["commands"]
    assert len(given) >= 5
    me.hand.type("ctrl+shift+z") if me.keys else me.menu("Rewind")
    me.scene("rewind")
    me.shot("how-far")
    me.hand.press("back to 0")
    me.commands(0)
    assert table() == first
    me.shot("as-it-was")
    me.do("redo", "ctrl+y")
    assert me.commands(len(given)) == given
    me.close()
