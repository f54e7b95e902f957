"""Searching, and chests (cairn.md §1, §2.12). In a fight there is no turn to spend on it: a search takes the action."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.board.grid import Challenge
from rules.cairn.actions.hidden import learn, set_state
from rules.cairn.actions.movement import chest_trap
from rules.cairn.actions.plans import ByHand, Look
from rules.cairn.magic.ground import in_hand
from rules.cairn.saves import save
from rules.cairn.state import Lying, Work
from rules.contract.actions import Action
from rules.contract.events import Note
from rules.core.action_kinds import Aimed, Face, Plain
from rules.core.secrets import SEARCHED, hidden, named


class Search(Plain[Look]):
    """Look for secret doors and traps around oneself: whatever is there is found (cairn.md §1)."""

    do = "search"
    face = Face("Search", "Act", "action", "none", "eye", "i", "2 spaces around: secret doors and traps")

    @staticmethod
    def known(look: Look) -> bool:
        """Whether the map is one on which something may be hidden: else there is no button."""
        return bool(look.state.found)

    def hindrance(self, look: Look) -> str | None:
        return look.action_open() or (None if self.known(look) else "nothing is hidden on this map")


class Chest(ByHand, Aimed[Look]):
    """A locked chest broken open by a STR save, as a locked door is (cairn.md §2.12)."""

    face = Face("Break open", "Act", "action", "item", "force", "j", "STR save against the lock of a chest")

    def hindrance(self, look: Look) -> str | None:
        return super().hindrance(look) or (None if self.near(look) else "no locked chest beside")

    @staticmethod
    def near(look: Look) -> list[Challenge]:
        """The locked chests within reach of a hand."""
        return [
            one
            for one, state in zip(look.setup.field.challenges, look.state.challenges, strict=True)
            if one.kind == "chest"
            and state == "locked"
            and in_hand(look.state, look.who, look.place, board_of(one.cells))
        ]

    def flaw(self, look: Look, action: Action) -> str | None:
        names = [chest.id for chest in self.near(look)]
        return (
            None
            if action.item in names
            else f"item: {action.item!r} is none of what is beside: {', '.join(names)}"
        )

    def aims(self, look: Look) -> Iterator[Action]:
        for chest in self.near(look):
            yield Action(look.being.id, "tackle", item=chest.id)


def search(work: Work, who: int, action: Action) -> None:
    """Everything within two spaces comes to light."""
    being = work.being(who)
    around = work.terrain.within(work.figures[who].cell, SEARCHED, being.space)
    found = list(hidden(work.setup.field, work.doors, work.challenges, work.found, being.side, around))
    for secret in found:
        learn(work, who, secret)
    if not found:
        work.events.append(Note(text="finds nothing hidden", by=being.id))


def tackle(work: Work, who: int, action: Action) -> None:
    """The lock gives way or does not; a trap in it may go off, and what is of use in a fight lies open then."""
    found = named(work.setup.field, action.item or "")
    if found is None or work.challenges[found[0]] != "locked":
        return
    number, chest = found
    if not in_hand(work.done(), who, work.figures[who].cell, board_of(chest.cells)):
        return  # it did not get there
    if not save(work, who, "str", f"break open the {chest.id}"):
        return
    set_state(work, number, "open", who)
    things = [word.strip() for word in chest.contents.split(",")]
    lying = tuple(Lying(thing, chest.cells[0]) for thing in things if work.setup.armoury.known(thing))
    work.floor = (*work.floor, *lying)
    chest_trap(work, who, chest)
