"""Searching, and chests (cairn.md §1, §2.12). In a fight there is no turn to spend on it: a search takes the action."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.board.grid import Challenge
from rules.cairn.actions.hidden import learn, set_state
from rules.cairn.actions.movement import chest_trap
from rules.cairn.actions.plans import ByHand, Context
from rules.cairn.magic.ground import in_hand
from rules.cairn.saves import save
from rules.cairn.state import Lying, Resolution
from rules.contract.actions import Action
from rules.contract.events import Note
from rules.core.action_kinds import ActionKind, Face
from rules.core.secrets import SEARCHED, hidden, named


class Search(ActionKind[Context]):
    """Look for secret doors and traps around oneself: whatever is there is found (cairn.md §1)."""

    do = "search"
    face = Face("Search", "Act", "action", "none", "eye", "i", "2 spaces around: secret doors and traps")

    @staticmethod
    def known(context: Context) -> bool:
        """Whether the map is one on which something may be hidden: else there is no button."""
        return bool(context.state.found)

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if self.known(context) else "nothing is hidden on this map")


class Chest(ByHand):
    """A locked chest broken open by a STR save, as a locked door is (cairn.md §2.12)."""

    face = Face("Break open", "Act", "action", "item", "force", "j", "STR save against the lock of a chest")

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if self.near(context) else "no locked chest beside")

    @staticmethod
    def near(context: Context) -> list[Challenge]:
        """The locked chests within reach of a hand."""
        return [
            one
            for one, state in zip(context.setup.field.challenges, context.state.challenges, strict=True)
            if one.kind == "chest"
            and state == "locked"
            and in_hand(context.state, context.who, context.place, board_of(one.cells))
        ]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        names = [chest.id for chest in self.near(context)]
        return None if action.item in names else f"item: {action.item!r} is none of what is beside: {', '.join(names)}"

    def candidates(self, context: Context) -> Iterator[Action]:
        for chest in self.near(context):
            yield Action(context.being.id, "tackle", item=chest.id)


def search(resolution: Resolution, who: int, action: Action) -> None:
    """Everything within two spaces comes to light."""
    being = resolution.being(who)
    around = resolution.terrain.within(resolution.figures[who].cell, SEARCHED, being.space)
    found = list(
        hidden(
            resolution.setup.field,
            resolution.doors,
            resolution.challenges,
            resolution.found,
            being.side,
            around,
        )
    )
    for secret in found:
        learn(resolution, who, secret)
    if not found:
        resolution.events.append(Note(text="finds nothing hidden", by=being.id))


def tackle(resolution: Resolution, who: int, action: Action) -> None:
    """The lock gives way or does not; a trap in it may go off, and what is of use in a fight lies open then."""
    found = named(resolution.setup.field, action.item or "")
    if found is None or resolution.challenges[found[0]] != "locked":
        return
    number, chest = found
    if not in_hand(resolution.done(), who, resolution.figures[who].cell, board_of(chest.cells)):
        return  # it did not get there
    if not save(resolution, who, "str", f"break open the {chest.id}"):
        return
    set_state(resolution, number, "open", who)
    things = [word.strip() for word in chest.contents.split(",")]
    lying = tuple(Lying(thing, chest.cells[0]) for thing in things if resolution.setup.armoury.known(thing))
    resolution.floor = (*resolution.floor, *lying)
    chest_trap(resolution, who, chest)
