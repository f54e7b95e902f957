"""Keys (R): who has a door's key locks and unlocks it; keys lie in chests and are taken from the fallen."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.grid import Challenge, Field
from rules.contract.actions import Action
from rules.contract.events import Item
from rules.core.action_kinds import Face, Kind
from rules.olde.actions.deeds import Look
from rules.olde.actions.items import DoorWork
from rules.olde.state import Work

RULE = "olde.md §8"


def has_keys(field: Field) -> bool:
    """Whether any door of the map has a key."""
    return any(door.key for door in field.doors)


class TurnKey(DoorWork):
    """Lock a closed door beside one or unlock a locked one, with its key: 1 AP, as the movement or the action (R)."""

    def __init__(self, do: str, face: Face) -> None:
        super().__init__(do, face)
        self.before, self.after = ("locked", "closed") if do == "unlock" else ("closed", "locked")

    def hindrance(self, look: Look) -> str | None:
        return super().hindrance(look) if look.figure.keys else "carries no key"

    def fault(self, look: Look, door: int) -> str | None:
        found = super().fault(look, door)
        if found is None:
            key = look.field.doors[door].key
            if not key:
                return "target: no key fits that door"
            if key not in look.figure.keys:
                return f"target: needs the {key}"
        return found

    def instances(self, look: Look) -> Iterator[Action]:
        return super().instances(look) if look.figure.keys else iter(())


def fallen_keys(look: Look) -> Iterator[tuple[int, str]]:
    """(whose, key) for all keys within reach that belong to somebody who can't hold on to them."""
    for i, _, figure in look.others():
        if figure.keys and figure.hp <= 0 and look.distance(i) <= 1:
            for key in figure.keys:
                yield i, key


class TakeKey(Kind[Look]):
    """Take a key from somebody who lies beside one: 1 AP, as picking up (R)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay(1)
        return blocked or (None if next(fallen_keys(look), None) else "nobody who lies beside has a key")

    def flaw(self, look: Look, action: Action) -> str | None:
        near = [key for _, key in fallen_keys(look)]
        if action.item is None and len(near) == 1:
            return None
        return (
            None if action.item in near else f"item: {action.item!r} is not there; there is {', '.join(near)}"
        )

    def instances(self, look: Look) -> Iterator[Action]:
        if has_keys(look.field) and not self.hindrance(look):
            for key in dict.fromkeys(key for _, key in fallen_keys(look)):
                yield Action(look.fighter.id, "take_key", item=key)

    def cost(self, look: Look, action: Action) -> int:
        return 1

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        owner, key = next((i, key) for i, key in fallen_keys(look) if action.item in (None, key))
        kept = list(work.figures[owner].keys)
        kept.remove(key)
        work.change(owner, keys=tuple(kept))
        receive(work, look.who, key)


def receive(work: Work, who: int, key: str) -> None:
    """Somebody has a key from now on."""
    work.change(who, keys=(*work.figures[who].keys, key))
    work.events.append(Item(by=work.fighter(who).id, item=key, how="picked_up"))


def key_in(work: Work, who: int, chest: Challenge) -> None:
    """Whoever opens a chest gets the key in it, if its contents are the key of a door."""
    if chest.contents and any(door.key == chest.contents for door in work.setup.field.doors):
        receive(work, who, chest.contents)
