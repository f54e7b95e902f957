"""What hands do besides fighting: ready, let go, pick up, doors, keys, force and pick (olde.md §4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.grid import Challenge, Field
from rules.board.grid import Door as Entry
from rules.contract.actions import Action
from rules.contract.events import Door, Item
from rules.core.action_kinds import ActionKind, Face
from rules.olde.actions.context import Context
from rules.olde.challenges.attempts import attempt, ranks_made
from rules.olde.challenges.checks import check_stat, skill_adjustment, stat_rank
from rules.olde.challenges.state import door_state
from rules.olde.combat.outcomes import drop
from rules.olde.magic.ground import lay_ground
from rules.olde.statblock import hands_needed
from rules.olde.state import Fighter, OldeState, Resolution, standing_on


class Ready(ActionKind[Context]):
    """Draw, sheathe or change what is in hand: 1 AP."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def why_not(self, context: Context) -> str | None:
        blocked = context.act_open() or context.pay(1)
        if blocked is None and not context.figure.pack and not context.figure.hands:
            blocked = "carries nothing that could be readied"
        return blocked

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
        for other in context.figure.hands:
            if (
                other != item
                and hands_needed(context.setup.armoury, (*held, other)) <= 2
                and _pair(context, held, other)
            ):
                held += (other,)
        return held

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.items is None and not (action.weapon or action.item):
            return "items: needs what shall be in hand afterwards, as a list"
        wanted = self.wanted(context, action)
        stock = list(context.figure.hands + context.figure.pack)
        for item in wanted:
            if item not in stock:
                return (
                    f"items: {item!r} is not carried; carried: {', '.join(context.figure.hands + context.figure.pack)}"
                )
            stock.remove(item)
        armoury = context.setup.armoury
        if any(item in armoury.weapons and armoury.weapons[item].natural for item in wanted):
            return "items: a natural weapon is always ready"
        if hands_needed(armoury, wanted) > 2 or sum(item in armoury.shields for item in wanted) > 1:
            return f"items: {', '.join(wanted)} need more than two hands"
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

    def cost(self, context: Context, action: Action) -> int:
        return 1

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        who = resolution.chance.who
        wanted = self.wanted(Context(resolution.done(), resolution.chance), action)
        before = resolution.figures[who]
        stock = list(before.hands + before.pack)
        for item in wanted:
            stock.remove(item)
        resolution.change(who, hands=wanted, pack=tuple(stock))
        for item in dict.fromkeys(before.hands):
            if before.hands.count(item) > wanted.count(item):
                resolution.events.append(Item(by=action.by, item=item, how="put_away"))
        for item in dict.fromkeys(wanted):
            if wanted.count(item) > before.hands.count(item):
                resolution.events.append(Item(by=action.by, item=item, how="readied"))


def _pair(context: Context, held: tuple[str, ...], other: str) -> bool:
    """One weapon and one shield go together when a single item is drawn."""
    shields = context.setup.armoury.shields
    return (other in shields) != any(item in shields for item in held)


class LetGo:
    """Drop something in hand: 0 AP, at any time in one's chance."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def why_not(self, context: Context) -> str | None:
        return None if context.figure.hands else "nothing in hand"

    def refusal(self, context: Context, action: Action) -> str | None:
        item = action.item or action.weapon
        if item in context.figure.hands:
            return None
        return f"item: {item!r} is not in hand; in hand: {', '.join(context.figure.hands) or 'nothing'}"

    def instances(self, context: Context) -> Iterator[Action]:
        for item in dict.fromkeys(context.figure.hands):
            yield Action(context.fighter.id, "drop_item", item=item)

    def cost(self, context: Context, action: Action) -> int:
        return 0

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        drop(resolution, resolution.setup.index[action.by], action.item or action.weapon or "")


class PickUp(ActionKind[Context]):
    """An item in one's own space or an adjacent one: 1 AP; it goes into a free hand, else into the pack."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def near(context: Context) -> list[str]:
        """Names of the items within reach of a hand."""
        if not context.state.floor:
            return []
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        return list(dict.fromkeys([lying.item for lying in context.state.floor if around >> lying.cell & 1]))

    def why_not(self, context: Context) -> str | None:
        blocked = context.act_open() or context.pay(1)
        return blocked or (None if self.near(context) else "nothing lies here or beside")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near, item = self.near(context), action.item or action.weapon
        if item is None and len(near) == 1:
            return None
        return None if item in near else f"item: {item!r} does not lie here; there is {', '.join(near)}"

    def instances(self, context: Context) -> Iterator[Action]:
        if context.left and context.state.floor and context.act_open() is None:
            for item in self.near(context):
                yield Action(context.fighter.id, "pick_up", item=item)

    def cost(self, context: Context, action: Action) -> int:
        return 1

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        context = Context(resolution.done(), resolution.chance)
        item = action.item or action.weapon or self.near(context)[0]
        for i, lying in enumerate(resolution.floor):
            if (
                lying.item == item
                and context.terrain.distance(context.figure.cell, lying.cell, context.fighter.space) <= 1
            ):
                resolution.floor = resolution.floor[:i] + resolution.floor[i + 1 :]
                break
        figure, armoury = context.figure, context.setup.armoury
        shields = sum(held in armoury.shields for held in (*figure.hands, item))
        if hands_needed(armoury, (*figure.hands, item)) <= 2 and shields <= 1:
            resolution.change(context.who, hands=(*figure.hands, item))
        else:
            resolution.change(context.who, pack=(*figure.pack, item))
        resolution.events.append(Item(by=action.by, item=item, how="picked_up"))


class DoorWork:
    """Open or close an unlocked door beside one: 1 AP, as the movement if that is left, else as the action."""

    def __init__(self, do: str, face: Face) -> None:
        self.do = do
        self.face = face
        self.before = "closed" if do == "open" else "open"
        self.after = "open" if do == "open" else "closed"

    @staticmethod
    def beside(context: Context) -> tuple[int, ...]:
        """Numbers of the doors within reach of a hand. Remembered."""
        memo, key = context.terrain.memo, ("beside", context.figure.cell, context.fighter.space)
        found: tuple[int, ...] | None = memo.get(key)
        if found is None:
            found = memo[key] = tuple(DoorWork._beside(context))
        return found

    @staticmethod
    def _beside(context: Context) -> Iterator[int]:
        here = context.terrain.footprint(context.figure.cell, context.fighter.space)
        for i, door in enumerate(context.field.doors):
            if door.edge is not None:
                if here >> door.cell & 1 or here >> door.edge & 1:
                    yield i
            elif context.terrain.distance(context.figure.cell, door.cell, context.fighter.space) == 1:
                yield i

    def why_not(self, context: Context) -> str | None:
        blocked = _move_or_act(context) or context.pay(1)
        if blocked is None and not any(self.fault(context, i) is None for i in self.beside(context)):
            blocked = f"no {self.before} door beside"
        return blocked

    def fault(self, context: Context, door: int) -> str | None:
        state = door_state(context.state, context.fighter.side, door)
        if state == "secret":
            return "target: no door is known there"
        if state != self.before:
            return f"target: the door is {state}"
        entry = context.field.doors[door]
        if entry.kind == "portcullis" and self.do != "close":
            return "target: a portcullis is lifted: Force or pick, with Lift/Shift"
        if self.do == "close" and entry.edge is None:
            fighters = context.setup.fighters
            if standing_on(context.state.figures, fighters, context.terrain, 1 << entry.cell):
                return "target: somebody stands in the doorway"
        return None

    def refusal(self, context: Context, action: Action) -> str | None:
        blocked = _move_or_act(context) or context.pay(1)
        if blocked:
            return blocked
        door = which_door(context, action, self)
        if door is None:
            return "target: needs a door beside one, by its id or by its space in at"
        return self.fault(context, door)

    def instances(self, context: Context) -> Iterator[Action]:
        near = self.beside(context)
        if not near or self.why_not(context):
            return
        for i in near:
            if self.fault(context, i) is None:
                yield Action(context.fighter.id, self.do, target=context.field.doors[i].id)

    def cost(self, context: Context, action: Action) -> int:
        return 1

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        door = which_door(Context(resolution.done(), resolution.chance), action, self)
        assert door is not None
        set_door(resolution, door, self.after, action.by)


def _move_or_act(context: Context) -> str | None:
    if context.move_open() is None or context.act_open() is None:
        return None
    return context.act_open()


def which_door(context: Context, action: Action, deed: DoorWork | Force | type[Force]) -> int | None:
    """The door meant: by id, by space, or the only one that fits."""
    near = list(DoorWork.beside(context))
    for i in near:
        door = context.field.doors[i]
        if action.target == door.id or (action.at is not None and action.at in (door.cell, door.edge)):
            return i
    if action.target is None and action.at is None:
        fitting = [i for i in near if deed.fault(context, i) is None]
        return fitting[0] if len(fitting) == 1 else None
    return None


def set_door(resolution: Resolution, door: int, state: str, by: str) -> None:
    """Change a door and the ground with it."""
    doors = list(resolution.doors)
    doors[door] = state
    resolution.doors = tuple(doors)
    if resolution.held:
        resolution.held = tuple(each for each in resolution.held if each[0] != door)
    lay_ground(resolution)
    resolution.events.append(Door(door=resolution.setup.field.doors[door].id, state=state, by=by or None))


CATCHES = 2
"""Ranks of success from which a portcullis stays up by itself (R)."""
HELD = 2
"""A portcullis that was only heaved up falls again in so many-th reset (R)."""


def lifts(state: OldeState, action: Action) -> bool:
    """Whether forcing means lifting here."""
    return any(d.kind == "portcullis" and d.id == action.target for d in state.setup.field.doors)


def fall_shut(resolution: Resolution) -> None:
    """Step 2 of the reset: a portcullis that was only heaved up falls again, once nobody stands under it (R)."""
    for door, left in resolution.held:
        entry = resolution.setup.field.doors[door]
        under = 0 if entry.edge is not None else 1 << entry.cell
        if left > 1 or standing_on(resolution.figures, resolution.setup.fighters, resolution.terrain, under):
            shorter = tuple((d, max(1, n - 1) if d == door else n) for d, n in resolution.held)
            resolution.held = shorter
        else:
            set_door(resolution, door, "closed", "")


class Force:
    """Force or pick a locked or barred door: 3/Only, Burst, Lift/Shift or Disable against its difficulty."""

    SKILLS = ("Burst", "Lift/Shift", "Disable")

    def __init__(self, face: Face) -> None:
        self.face = face

    def why_not(self, context: Context) -> str | None:
        blocked = context.act_open() or context.pay_only(3)
        if blocked is None and not any(self.fault(context, i) is None for i in DoorWork.beside(context)):
            blocked = "no locked or barred door beside"
        return blocked

    @staticmethod
    def skills(door: Entry) -> tuple[str, ...]:
        """What a door may be forced with: a portcullis is only lifted."""
        return ("Lift/Shift",) if door.kind == "portcullis" else Force.SKILLS

    @staticmethod
    def fault(context: Context, door: int) -> str | None:
        state = context.state.doors[door]
        if state == "closed" and context.field.doors[door].kind == "portcullis":
            return None
        return (
            None
            if state in ("locked", "barred")
            else f"target: the door is {state if state != 'secret' else 'unknown'}"
        )

    @staticmethod
    def best(fighter: Fighter, door: Entry | None = None) -> str:
        """The skill most likely to do it: by die rank plus adjustment, the first on a tie."""
        return max(
            Force.SKILLS if door is None else Force.skills(door),
            key=lambda s: stat_rank(fighter, check_stat(fighter, s)) + skill_adjustment(fighter, s),
        )

    def refusal(self, context: Context, action: Action) -> str | None:
        blocked = context.act_open() or context.pay_only(3)
        if blocked:
            return blocked
        if action.option is not None and action.option not in self.SKILLS:
            return f"option: {action.option!r} is none of {', '.join(self.SKILLS)}"
        door = which_door(context, action, self)
        if door is None:
            return "target: needs a locked or barred door beside one"
        if action.option is not None and action.option not in self.skills(context.field.doors[door]):
            return "option: a portcullis is lifted with Lift/Shift"
        return self.fault(context, door)

    def instances(self, context: Context) -> Iterator[Action]:
        if not DoorWork.beside(context) or self.why_not(context):
            return
        for i in DoorWork.beside(context):
            if self.fault(context, i) is None:
                entry = context.field.doors[i]
                yield Action(context.fighter.id, "force", target=entry.id, option=self.best(context.fighter, entry))

    def cost(self, context: Context, action: Action) -> int:
        return context.only(3)

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        context = Context(resolution.done(), resolution.chance)
        door = which_door(context, action, self)
        assert door is not None
        entry = context.field.doors[door]
        skill = action.option or self.best(context.fighter, entry)
        rating, gate = entry.difficulty, entry.kind == "portcullis"
        if attempt(resolution, context.who, skill, rating, f"{skill} on the {'portcullis' if gate else 'door'}"):
            if gate:
                set_door(resolution, door, "open", action.by)
                if ranks_made(resolution) < CATCHES:
                    resolution.held = (*resolution.held, (door, HELD))
                return
            # A picked lock leaves a closed door; brute force leaves an open one.
            set_door(resolution, door, "closed" if skill == "Disable" else "open", action.by)


RULE = "olde.md §8"


def has_keys(field: Field) -> bool:
    """Whether any door of the map has a key."""
    return any(door.key for door in field.doors)


class TurnKey(DoorWork):
    """Lock a closed door beside one or unlock a locked one, with its key: 1 AP, as the movement or the action (R)."""

    def __init__(self, do: str, face: Face) -> None:
        super().__init__(do, face)
        self.before, self.after = ("locked", "closed") if do == "unlock" else ("closed", "locked")

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) if context.figure.keys else "carries no key"

    def fault(self, context: Context, door: int) -> str | None:
        found = super().fault(context, door)
        if found is None:
            key = context.field.doors[door].key
            if not key:
                return "target: no key fits that door"
            if key not in context.figure.keys:
                return f"target: needs the {key}"
        return found

    def instances(self, context: Context) -> Iterator[Action]:
        return super().instances(context) if context.figure.keys else iter(())


def fallen_keys(context: Context) -> Iterator[tuple[int, str]]:
    """(whose, key) for all keys within reach that belong to somebody who can't hold on to them."""
    for i, _, figure in context.others():
        if figure.keys and figure.hp <= 0 and context.distance(i) <= 1:
            for key in figure.keys:
                yield i, key


class TakeKey(ActionKind[Context]):
    """Take a key from somebody who lies beside one: 1 AP, as picking up (R)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def why_not(self, context: Context) -> str | None:
        blocked = context.act_open() or context.pay(1)
        return blocked or (None if next(fallen_keys(context), None) else "nobody who lies beside has a key")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = [key for _, key in fallen_keys(context)]
        if action.item is None and len(near) == 1:
            return None
        return None if action.item in near else f"item: {action.item!r} is not there; there is {', '.join(near)}"

    def instances(self, context: Context) -> Iterator[Action]:
        if has_keys(context.field) and not self.why_not(context):
            for key in dict.fromkeys(key for _, key in fallen_keys(context)):
                yield Action(context.fighter.id, "take_key", item=key)

    def cost(self, context: Context, action: Action) -> int:
        return 1

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        context = Context(resolution.done(), resolution.chance)
        owner, key = next((i, key) for i, key in fallen_keys(context) if action.item in (None, key))
        kept = list(resolution.figures[owner].keys)
        kept.remove(key)
        resolution.change(owner, keys=tuple(kept))
        receive(resolution, context.who, key)


def receive(resolution: Resolution, who: int, key: str) -> None:
    """Somebody has a key from now on."""
    resolution.change(who, keys=(*resolution.figures[who].keys, key))
    resolution.events.append(Item(by=resolution.fighter(who).id, item=key, how="picked_up"))


def key_in(resolution: Resolution, who: int, chest: Challenge) -> None:
    """Whoever opens a chest gets the key in it, if its contents are the key of a door."""
    if chest.contents and any(door.key == chest.contents for door in resolution.setup.field.doors):
        receive(resolution, who, chest.contents)
