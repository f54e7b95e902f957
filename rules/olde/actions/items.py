"""What hands do besides fighting: ready, let go, pick up, take a key (olde.md §4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.fixtures import Challenge
from rules.contract.actions import Action
from rules.contract.events import Item
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.olde.actions.doors import has_keys
from rules.olde.actions.kind import AT_ONCE, Context, Kind, Part, Picking, situation
from rules.olde.combat.outcomes import drop
from rules.olde.statblock import hands_needed
from rules.olde.state import Resolution


class Ready(Kind):
    """Draw, sheathe or change what is in hand: 1 AP."""

    do = "ready"
    face = Face("Ready", "Act", "1 AP", "item", "ready", "y", "draw or sheathe")
    ap = 1
    rank = 2
    exploring = AT_ONCE
    nothing = "carries nothing that could be readied"

    def near(self, context: Context) -> tuple[str, ...]:
        return context.figure.hands + context.figure.pack

    @staticmethod
    def wanted(context: Context, action: Action) -> tuple[str, ...]:
        """What shall be in hand: the list, or one item with what can stay beside it."""
        if action.items is not None:
            return action.items
        item = action.weapon or action.item
        if item is None:
            return ()
        held: tuple[str, ...] = (item,)
        if item not in context.figure.hands and item not in context.figure.pack:
            return held
        armoury = context.setup.armoury
        for other in context.figure.hands:
            # one weapon and one shield go together when a single item is drawn
            pair = (other in armoury.shields) != any(item in armoury.shields for item in held)
            if other != item and pair and hands_needed(armoury, (*held, other)) <= 2:
                held += (other,)
        return held

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.items is None and not (action.weapon or action.item):
            return "items: needs what shall be in hand afterwards, as a list"
        wanted = self.wanted(context, action)
        carried = self.near(context)
        stock = list(carried)
        for item in wanted:
            if item not in stock:
                told = "items: {item} is not carried; carried: {carried}"
                return text(told, repr(item), joined(", ", carried))
            stock.remove(item)
        armoury = context.setup.armoury
        if any(item in armoury.weapons and armoury.weapons[item].natural for item in wanted):
            return "items: a natural weapon is always ready"
        if hands_needed(armoury, wanted) > 2 or sum(item in armoury.shields for item in wanted) > 1:
            return text("items: {wanted} need more than two hands", joined(", ", wanted))
        if sorted(wanted) == sorted(context.figure.hands):
            return "items: that is in hand already"
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return iter(())
        figure, memo = context.figure, context.setup.memo
        key = ("ready", figure.hands, figure.pack)
        found: tuple[tuple[str, ...], ...] | None = memo.get(key)
        if found is None:
            found = memo[key] = tuple(self._choices(context))
        return iter([Action(context.fighter.id, "ready", items=items) for items in found])

    def _choices(self, context: Context) -> Iterator[tuple[str, ...]]:
        """What may be in hand afterwards: each thing carried with what can stay beside it, and nothing at all."""
        for item in dict.fromkeys(context.figure.pack):
            items = self.wanted(context, Action("", "ready", item=item))
            if self.refusal(context, Action(context.fighter.id, "ready", items=items)) is None:
                yield items
        if context.figure.hands:
            yield ()

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        wanted = self.wanted(situation(resolution), action)
        before = resolution.figures[who]
        stock = list(before.hands + before.pack)
        for item in wanted:
            stock.remove(item)
        resolution.change(who, hands=wanted, pack=tuple(stock))
        for how, some, others in (("put_away", before.hands, wanted), ("readied", wanted, before.hands)):
            for item in dict.fromkeys(some):
                if some.count(item) > others.count(item):
                    resolution.events.append(Item(by=action.by, item=item, how=how))


class LetGo(Picking):
    """Drop something in hand: 0 AP, at any time in one's chance."""

    do = "drop_item"
    face = Face("Let go", "Act", "0 AP", "item", "drop_item", "g")
    part = Part.NONE
    exploring = AT_ONCE
    nothing = "nothing in hand"

    def near(self, context: Context) -> tuple[str, ...]:
        return context.figure.hands

    def idle(self, context: Context) -> bool:
        return not context.figure.hands

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.why_not_this(context, action)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        item = action.item or action.weapon
        if item in context.figure.hands:
            return None
        held = joined(", ", context.figure.hands) or "nothing"
        return text("item: {item} is not in hand; in hand: {held}", repr(item), held)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        drop(resolution, who, action.item or action.weapon or "")


class PickUp(Picking):
    """An item in one's own space or an adjacent one: 1 AP; it goes into a free hand, else into the pack."""

    do = "pick_up"
    face = Face("Pick up", "Act", "1 AP", "item", "pick_up", "p")
    ap = 1
    exploring = AT_ONCE
    nothing = "nothing lies here or beside"

    def near(self, context: Context) -> list[str]:
        """Names of the items within reach of a hand."""
        if not context.state.floor:
            return []
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        return list(dict.fromkeys([lying.item for lying in context.state.floor if around >> lying.cell & 1]))

    def idle(self, context: Context) -> bool:
        return not context.state.floor

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near, item = self.near(context), action.item or action.weapon
        if item in near or (item is None and len(near) == 1):
            return None
        return text("item: {item} does not lie here; there is {near}", repr(item), joined(", ", near))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        item = action.item or action.weapon or self.near(context)[0]
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        lying = next(each for each in resolution.floor if each.item == item and around >> each.cell & 1)
        floor = list(resolution.floor)
        floor.remove(lying)
        resolution.floor = tuple(floor)
        figure, armoury = context.figure, context.setup.armoury
        shields = sum(held in armoury.shields for held in (*figure.hands, item))
        if hands_needed(armoury, (*figure.hands, item)) <= 2 and shields <= 1:
            resolution.change(context.who, hands=(*figure.hands, item))
        else:
            resolution.change(context.who, pack=(*figure.pack, item))
        resolution.events.append(Item(by=action.by, item=item, how="picked_up"))


def fallen_keys(context: Context) -> Iterator[tuple[CreatureIx, str]]:
    """(whose, key) for all keys within reach that belong to somebody who can't hold on to them."""
    for i, _, figure in context.others():
        if figure.keys and figure.hp <= 0 and context.distance(i) <= 1:
            for key in figure.keys:
                yield i, key


class TakeKey(Picking):
    """Take a key from somebody who lies beside one: 1 AP, as picking up (R)."""

    do = "take_key"
    face = Face("Take key", "Act", "1 AP", "item", "key", "shift+p", "from the fallen")
    ap = 1
    changes_views = True
    exploring = AT_ONCE
    nothing = "nobody who lies beside has a key"

    def near(self, context: Context) -> list[str]:
        return [key for _, key in fallen_keys(context)]

    def idle(self, context: Context) -> bool:
        return not has_keys(context.field)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = self.near(context)
        if action.item in near or (action.item is None and len(near) == 1):
            return None
        return text("item: {item} is not there; there is {near}", repr(action.item), joined(", ", near))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        owner, key = next((i, key) for i, key in fallen_keys(context) if action.item in (None, key))
        kept = list(resolution.figures[owner].keys)
        kept.remove(key)
        resolution.change(owner, keys=tuple(kept))
        receive(resolution, context.who, key)


def receive(resolution: Resolution, who: CreatureIx, key: str) -> None:
    """Somebody has a key from now on."""
    resolution.change(who, keys=(*resolution.figures[who].keys, key))
    resolution.events.append(Item(by=resolution.fighter(who).id, item=key, how="picked_up"))


def key_in(resolution: Resolution, who: CreatureIx, chest: Challenge) -> None:
    """Whoever opens a chest gets the key in it, if its contents are the key of a door."""
    if chest.contents and any(door.key == chest.contents for door in resolution.setup.field.doors):
        receive(resolution, who, chest.contents)
