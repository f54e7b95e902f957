"""What hands do besides fighting (olde.md §4, §8): doors opened, closed, locked, unlocked, forced and picked, and
portcullises lifted, that fall again; things made ready, let go, picked up, keys taken."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.fixtures import PORTCULLIS, Challenge
from rules.board.fixtures import Door as Entry
from rules.board.grid import Field, Terrain
from rules.contract.actions import Action
from rules.contract.events import Door, Item
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Cell, CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import doors as fixtures
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.doors import Work
from rules.core.secrets import doors_known
from rules.explore.state import put
from rules.olde.actions.kind import AT_ONCE, Context, Kind, Minutes, Part, Picking, none_of, situation
from rules.olde.challenges.checks import attempt, best_skill, ranks_made, terms_helped
from rules.olde.combat.outcomes import drop
from rules.olde.conditions import lay_ground
from rules.olde.plunder import PLUNDER
from rules.olde.statblock import hands_needed
from rules.olde.state import Fighter, Resolution, standing_on

CATCHES = 2
"""Ranks of success from which a portcullis stays up by itself (R)."""
HELD = 2
"""A portcullis that was only heaved up falls again in so many-th reset (R)."""
WORDS = fixtures.Words("target: a portcullis is lifted: Force or pick, with Lift/Shift")
SHUT = fixtures.Words("", unknown=text("target: the door is {state}", "unknown"))


def beside(context: Context) -> tuple[int, ...]:
    """Numbers of the doors within reach of a hand."""
    return near(context.terrain, context.figure.cell, context.fighter.space)


def near(terrain: Terrain, cell: Cell, space: int) -> tuple[int, ...]:
    """Numbers of the doors within reach of a hand from a space. Remembered."""
    found: tuple[int, ...] | None = terrain.memo.get(("beside", cell, space))
    if found is None:
        here, distance, doors = terrain.footprint(cell, space), terrain.distance, terrain.field.doors
        within = (
            here & (1 << door.cell | 1 << door.edge) if door.edge is not None else distance(cell, door.cell, space) == 1
            for door in doors
        )
        found = terrain.memo["beside", cell, space] = tuple(i for i, beside_it in enumerate(within) if beside_it)
    return found


class AtDoor(Kind):
    """What is done to a door beside one."""

    def why_not_door(self, context: Context, door: int) -> str | None:
        """Why it can't be done to this door now, or None."""
        raise NotImplementedError(self.do)

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.closed(context) or self.why_not_this(context, action)

    def near(self, context: Context) -> list[int]:
        return [door for door in beside(context) if self.why_not_door(context, door) is None]

    def door(self, context: Context, action: Action) -> int | None:
        """The door meant: by id, by space, or the only one that fits."""
        for i in beside(context):
            door = context.field.doors[i]
            if action.target == door.id or (action.at is not None and action.at in (door.cell, door.edge)):
                return i
        fitting = self.near(context) if action.target is None and action.at is None else []
        return fitting[0] if len(fitting) == 1 else None

    def idle(self, context: Context) -> bool:
        return not context.field.doors

    def instances(self, context: Context) -> Iterator[Action]:
        return super().instances(context) if beside(context) else iter(())

    def candidates(self, context: Context) -> Iterator[Action]:
        for i in beside(context):
            yield Action(context.actor, self.do, target=context.field.doors[i].id)


class DoorWork(AtDoor):
    """Open or close an unlocked door beside one: 1 AP, as the movement if that is left, else as the action."""

    part = Part.EITHER
    ap = 1
    changes_views = True
    exploring = AT_ONCE
    work: Work

    def why_not(self, context: Context) -> str | None:
        blocked = self.closed(context)
        return blocked or (None if self.near(context) else text("no {before} door beside", self.work.before[0]))

    def why_not_door(self, context: Context, door: int) -> str | None:
        state = doors_known(context.state.doors, context.state.found, (context.fighter.side,))[door]
        entry = context.field.doors[door]
        found = fixtures.why_not(self.work, entry, state, WORDS, context.figure.keys)
        return found or self.why_not_entry(context, entry)

    def why_not_entry(self, context: Context, door: Entry) -> str | None:
        """Why it can't be done to a door that stands as it has to, or None."""
        return None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        door = self.door(context, action)
        if door is None:
            return "target: needs a door beside one, by its id or by its space in at"
        return self.why_not_door(context, door)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        door = self.door(situation(resolution), action)
        assert door is not None
        set_door(resolution, door, self.work.after, action.by)


class Open(DoorWork):
    """Open a closed door: 1 AP, as the movement if that is left, else as the action."""

    do = "open"
    face = Face("Open door", "Act", "1 AP", "door", "door", "o", "movement or action")
    exploring = Minutes(0, rank=2)
    work = fixtures.OPENING


class Close(DoorWork):
    """Close an open door: 1 AP, as the movement if that is left, else as the action."""

    do = "close"
    face = Face("Close door", "Act", "1 AP", "door", "door", "k", "movement or action")
    work = fixtures.CLOSING

    def why_not_entry(self, context: Context, door: Entry) -> str | None:
        if door.edge is None:
            if standing_on(context.state, 1 << door.cell):
                return fixtures.JAMMED
        return None


def set_door(resolution: Resolution, door: int, state: str, by: str) -> None:
    """Change a door and the ground with it."""
    resolution.doors = put(resolution.doors, door, state)
    if resolution.held:
        resolution.held = tuple(each for each in resolution.held if each[0] != door)
    lay_ground(resolution)
    resolution.events.append(Door(door=resolution.setup.field.doors[door].id, state=state, by=by or None))


def fall_shut(resolution: Resolution) -> None:
    """Step 2 of the reset: a portcullis that was only heaved up falls again, once nobody stands under it (R)."""
    for door, left in resolution.held:
        entry = resolution.setup.field.doors[door]
        under = EMPTY if entry.edge is not None else 1 << entry.cell
        if left > 1 or standing_on(resolution, under):
            resolution.held = tuple((d, max(1, n - 1) if d == door else n) for d, n in resolution.held)
        else:
            set_door(resolution, door, "closed", "")


class Force(AtDoor):
    """Force or pick a locked or barred door: 3/Only, Burst, Lift/Shift or Disable against its difficulty."""

    SKILLS = ("Burst", "Lift/Shift", "Disable")

    do = "force"
    face = Face("Force or pick", "Act", "3 AP/Only", "door", "force", "f")
    ap, only = 3, True
    risky = True
    exploring = Minutes(rank=2)
    nothing = "no locked or barred door beside"

    @staticmethod
    def skills(door: Entry) -> tuple[str, ...]:
        """What a door may be forced with: a portcullis is only lifted."""
        return ("Lift/Shift",) if door.kind == PORTCULLIS else Force.SKILLS

    def why_not_door(self, context: Context, door: int) -> str | None:
        return fixtures.why_not(fixtures.BREAKING, context.field.doors[door], context.state.doors[door], SHUT)

    @staticmethod
    def best(fighter: Fighter, door: Entry) -> str:
        """The skill most likely to do it."""
        return best_skill(fighter, Force.skills(door))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option is not None and action.option not in self.SKILLS:
            return none_of(action.option, self.SKILLS)
        door = self.door(context, action)
        if door is None:
            return "target: needs a locked or barred door beside one"
        if action.option is not None and action.option not in self.skills(context.field.doors[door]):
            return "option: a portcullis is lifted with Lift/Shift"
        return self.why_not_door(context, door)

    def candidates(self, context: Context) -> Iterator[Action]:
        for i in beside(context):
            entry = context.field.doors[i]
            yield Action(context.actor, self.do, target=entry.id, option=self.best(context.fighter, entry))

    def label(self, context: Context, action: Action) -> str:
        gates = [door.id for door in context.field.doors if door.kind == PORTCULLIS]
        return "Lift the portcullis" if action.target in gates else self.face.label

    def odds(self, context: Context, action: Action) -> Odds:
        number = self.door(context, action)
        assert number is not None
        door = context.field.doors[number]
        skill, rating = action.option or self.best(context.fighter, door), door.difficulty
        terms = terms_helped(context.state, context.who, skill)
        if door.kind != PORTCULLIS:
            note = (text("{skill} against the door", skill), "olde.md §4 force or pick")
            return terms.either(rating, "unlocked" if skill == "Disable" else "broken open", "holds", note)
        chance, stays = terms.chance(rating), terms.chance(rating + 3 * (CATCHES - 1))
        lifted = (("stays up", stays), ("held up for a turn", chance - stays), ("does not move", 1.0 - chance))
        return terms.odds(rating, lifted, ("two ranks of success: it catches", "olde.md §4 force or pick"), hit=chance)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        door = self.door(context, action)
        assert door is not None
        entry = context.field.doors[door]
        skill, gate = action.option or self.best(context.fighter, entry), entry.kind == PORTCULLIS
        what = text("{skill} on the {door}", skill, "portcullis" if gate else "door")
        if attempt(resolution, who, skill, entry.difficulty, what):
            # A picked lock leaves a closed door; brute force leaves an open one.
            work = fixtures.PICKING if skill == "Disable" and not gate else fixtures.BREAKING
            set_door(resolution, door, work.after, action.by)
            if gate and ranks_made(resolution) < CATCHES:
                resolution.held = (*resolution.held, (door, HELD))


FORCE = Force()


def has_keys(field: Field) -> bool:
    """Whether any door of the map has a key."""
    return any(door.key for door in field.doors)


class TurnKey(DoorWork):
    """Lock a closed door beside one or unlock a locked one, with its key: 1 AP, as the movement or the action (R)."""

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) if context.figure.keys else "carries no key"

    def idle(self, context: Context) -> bool:
        return not context.figure.keys


class Unlock(TurnKey):
    """Unlock a locked door."""

    do = "unlock"
    face = Face("Unlock", "Act", "1 AP", "door", "key", "j", "with its key")
    work = fixtures.UNLOCKING


class Lock(TurnKey):
    """Lock a closed door."""

    do = "lock"
    face = Face("Lock", "Act", "1 AP", "door", "key", "shift+j", "with its key")
    work = fixtures.LOCKING


# -- things ---------------------------------------------------------------------------------------------


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
        if found is None:  # each thing carried with what can stay beside it, and nothing at all
            drawn = [self.wanted(context, Action("", "ready", item=item)) for item in dict.fromkeys(figure.pack)]
            fit = [items for items in drawn if self.why_not_this(context, Action("", "ready", items=items)) is None]
            found = memo[key] = (*fit, ()) if figure.hands else tuple(fit)
        return iter([Action(context.fighter.id, "ready", items=items) for items in found])

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
        if context.setup.fixtures:
            found = PLUNDER.finds(context.state, context.who, context.figure.cell)
            return list(dict.fromkeys([find.item for find in found]))
        if not context.state.floor:
            return []
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        return list(dict.fromkeys([lying.item for lying in context.state.floor if around >> lying.cell & 1]))

    def idle(self, context: Context) -> bool:
        return not context.state.floor and not context.setup.fixtures

    def candidates(self, context: Context) -> Iterator[Action]:
        """What there is room for."""
        for action in super().candidates(context):
            if PLUNDER.why_not(context.state, context.who, action.item or "") is None:
                yield action

    def why_not(self, context: Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and next(self.candidates(context), None) is None:
            return PLUNDER.full
        return reason

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near, item = self.near(context), action.item or action.weapon
        if item in near or (item is None and len(near) == 1):
            return PLUNDER.why_not(context.state, context.who, item or near[0])
        return text("item: {item} does not lie here; there is {near}", repr(item), joined(", ", near))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        item = action.item or action.weapon or self.near(context)[0]
        if context.setup.fixtures or coins_in(item):
            finds = PLUNDER.finds(context.state, who, context.figure.cell)
            PLUNDER.take(resolution, who, next(find for find in finds if find.item == item))
            return
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        lying = next(each for each in resolution.floor if each.item == item and around >> each.cell & 1)
        resolution.floor = tuple(each for each in resolution.floor if each is not lying)
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
