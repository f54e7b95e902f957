"""What hands do besides fighting: ready, let go, pick up, doors, keys, force and pick (olde.md §4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.grid import Challenge, Field
from rules.board.grid import Door as Entry
from rules.contract.actions import Action
from rules.contract.events import Door, Item
from rules.core.action_kinds import Face, Kind
from rules.olde.actions.deeds import Look
from rules.olde.challenges.attempts import attempt, ranks_made
from rules.olde.challenges.checks import check_stat, skill_adjustment, stat_rank
from rules.olde.challenges.state import door_state
from rules.olde.combat.outcomes import drop
from rules.olde.magic.ground import lay_ground
from rules.olde.statblock import hands_needed
from rules.olde.state import Fighter, OldeState, Work, standing_on


class Ready(Kind[Look]):
    """Draw, sheathe or change what is in hand: 1 AP."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay(1)
        if blocked is None and not look.figure.pack and not look.figure.hands:
            blocked = "carries nothing that could be readied"
        return blocked

    @staticmethod
    def wanted(look: Look, action: Action) -> tuple[str, ...]:
        """What shall be in hand: the list, or one item with what can stay beside it."""
        if action.items is not None:
            return action.items
        item = action.weapon or action.item
        if item is None:
            return ()
        held: tuple[str, ...] = (item,)
        if item not in look.figure.hands and item not in look.figure.pack:
            return held
        for other in look.figure.hands:
            if (
                other != item
                and hands_needed(look.setup.armoury, (*held, other)) <= 2
                and _pair(look, held, other)
            ):
                held += (other,)
        return held

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.items is None and not (action.weapon or action.item):
            return "items: needs what shall be in hand afterwards, as a list"
        wanted = self.wanted(look, action)
        stock = list(look.figure.hands + look.figure.pack)
        for item in wanted:
            if item not in stock:
                return f"items: {item!r} is not carried; carried: {', '.join(look.figure.hands + look.figure.pack)}"
            stock.remove(item)
        armoury = look.setup.armoury
        if any(item in armoury.weapons and armoury.weapons[item].natural for item in wanted):
            return "items: a natural weapon is always ready"
        if hands_needed(armoury, wanted) > 2 or sum(item in armoury.shields for item in wanted) > 1:
            return f"items: {', '.join(wanted)} need more than two hands"
        if sorted(wanted) == sorted(look.figure.hands):
            return "items: that is in hand already"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return iter(())
        figure, memo = look.figure, look.setup.memo
        key = ("ready", figure.hands, figure.pack)
        found: tuple[tuple[str, ...], ...] | None = memo.get(key)
        if found is None:
            found = memo[key] = tuple(self._choices(look))
        return iter([Action(look.fighter.id, "ready", items=items) for items in found])

    def _choices(self, look: Look) -> Iterator[tuple[str, ...]]:
        """What may be in hand afterwards: each thing carried with what can stay beside it, and nothing at all."""
        for item in dict.fromkeys(look.figure.pack):
            items = self.wanted(look, Action("", "ready", item=item))
            if self.refusal(look, Action(look.fighter.id, "ready", items=items)) is None:
                yield items
        if look.figure.hands:
            yield ()

    def cost(self, look: Look, action: Action) -> int:
        return 1

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        who = work.chance.who
        wanted = self.wanted(Look(work.done(), work.chance), action)
        before = work.figures[who]
        stock = list(before.hands + before.pack)
        for item in wanted:
            stock.remove(item)
        work.change(who, hands=wanted, pack=tuple(stock))
        for item in dict.fromkeys(before.hands):
            if before.hands.count(item) > wanted.count(item):
                work.events.append(Item(by=action.by, item=item, how="put_away"))
        for item in dict.fromkeys(wanted):
            if wanted.count(item) > before.hands.count(item):
                work.events.append(Item(by=action.by, item=item, how="readied"))


def _pair(look: Look, held: tuple[str, ...], other: str) -> bool:
    """One weapon and one shield go together when a single item is drawn."""
    shields = look.setup.armoury.shields
    return (other in shields) != any(item in shields for item in held)


class LetGo:
    """Drop something in hand: 0 AP, at any time in one's chance."""

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        return None if look.figure.hands else "nothing in hand"

    def refusal(self, look: Look, action: Action) -> str | None:
        item = action.item or action.weapon
        if item in look.figure.hands:
            return None
        return f"item: {item!r} is not in hand; in hand: {', '.join(look.figure.hands) or 'nothing'}"

    def instances(self, look: Look) -> Iterator[Action]:
        for item in dict.fromkeys(look.figure.hands):
            yield Action(look.fighter.id, "drop_item", item=item)

    def cost(self, look: Look, action: Action) -> int:
        return 0

    def perform(self, work: Work, action: Action, cost: int) -> None:
        drop(work, work.setup.index[action.by], action.item or action.weapon or "")


class PickUp(Kind[Look]):
    """An item in one's own space or an adjacent one: 1 AP; it goes into a free hand, else into the pack."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def near(look: Look) -> list[str]:
        """Names of the items within reach of a hand."""
        if not look.state.floor:
            return []
        around = look.terrain.within(look.figure.cell, 1, look.fighter.space)
        return list(dict.fromkeys([lying.item for lying in look.state.floor if around >> lying.cell & 1]))

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay(1)
        return blocked or (None if self.near(look) else "nothing lies here or beside")

    def flaw(self, look: Look, action: Action) -> str | None:
        near, item = self.near(look), action.item or action.weapon
        if item is None and len(near) == 1:
            return None
        return None if item in near else f"item: {item!r} does not lie here; there is {', '.join(near)}"

    def instances(self, look: Look) -> Iterator[Action]:
        if look.left and look.state.floor and look.act_open() is None:
            for item in self.near(look):
                yield Action(look.fighter.id, "pick_up", item=item)

    def cost(self, look: Look, action: Action) -> int:
        return 1

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        item = action.item or action.weapon or self.near(look)[0]
        for i, lying in enumerate(work.floor):
            if (
                lying.item == item
                and look.terrain.distance(look.figure.cell, lying.cell, look.fighter.space) <= 1
            ):
                work.floor = work.floor[:i] + work.floor[i + 1 :]
                break
        figure, armoury = look.figure, look.setup.armoury
        shields = sum(held in armoury.shields for held in (*figure.hands, item))
        if hands_needed(armoury, (*figure.hands, item)) <= 2 and shields <= 1:
            work.change(look.who, hands=(*figure.hands, item))
        else:
            work.change(look.who, pack=(*figure.pack, item))
        work.events.append(Item(by=action.by, item=item, how="picked_up"))


class DoorWork:
    """Open or close an unlocked door beside one: 1 AP, as the movement if that is left, else as the action."""

    def __init__(self, do: str, face: Face) -> None:
        self.do = do
        self.face = face
        self.before = "closed" if do == "open" else "open"
        self.after = "open" if do == "open" else "closed"

    @staticmethod
    def beside(look: Look) -> tuple[int, ...]:
        """Numbers of the doors within reach of a hand. Remembered."""
        memo, key = look.terrain.memo, ("beside", look.figure.cell, look.fighter.space)
        found: tuple[int, ...] | None = memo.get(key)
        if found is None:
            found = memo[key] = tuple(DoorWork._beside(look))
        return found

    @staticmethod
    def _beside(look: Look) -> Iterator[int]:
        here = look.terrain.footprint(look.figure.cell, look.fighter.space)
        for i, door in enumerate(look.field.doors):
            if door.edge is not None:
                if here >> door.cell & 1 or here >> door.edge & 1:
                    yield i
            elif look.terrain.distance(look.figure.cell, door.cell, look.fighter.space) == 1:
                yield i

    def hindrance(self, look: Look) -> str | None:
        blocked = _move_or_act(look) or look.pay(1)
        if blocked is None and not any(self.fault(look, i) is None for i in self.beside(look)):
            blocked = f"no {self.before} door beside"
        return blocked

    def fault(self, look: Look, door: int) -> str | None:
        state = door_state(look.state, look.fighter.side, door)
        if state == "secret":
            return "target: no door is known there"
        if state != self.before:
            return f"target: the door is {state}"
        entry = look.field.doors[door]
        if entry.kind == "portcullis" and self.do != "close":
            return "target: a portcullis is lifted: Force or pick, with Lift/Shift"
        if self.do == "close" and entry.edge is None:
            fighters = look.setup.fighters
            if standing_on(look.state.figures, fighters, look.terrain, 1 << entry.cell):
                return "target: somebody stands in the doorway"
        return None

    def refusal(self, look: Look, action: Action) -> str | None:
        blocked = _move_or_act(look) or look.pay(1)
        if blocked:
            return blocked
        door = which_door(look, action, self)
        if door is None:
            return "target: needs a door beside one, by its id or by its space in at"
        return self.fault(look, door)

    def instances(self, look: Look) -> Iterator[Action]:
        near = self.beside(look)
        if not near or self.hindrance(look):
            return
        for i in near:
            if self.fault(look, i) is None:
                yield Action(look.fighter.id, self.do, target=look.field.doors[i].id)

    def cost(self, look: Look, action: Action) -> int:
        return 1

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        door = which_door(Look(work.done(), work.chance), action, self)
        assert door is not None
        set_door(work, door, self.after, action.by)


def _move_or_act(look: Look) -> str | None:
    if look.move_open() is None or look.act_open() is None:
        return None
    return look.act_open()


def which_door(look: Look, action: Action, deed: DoorWork | Force | type[Force]) -> int | None:
    """The door meant: by id, by space, or the only one that fits."""
    near = list(DoorWork.beside(look))
    for i in near:
        door = look.field.doors[i]
        if action.target == door.id or (action.at is not None and action.at in (door.cell, door.edge)):
            return i
    if action.target is None and action.at is None:
        fitting = [i for i in near if deed.fault(look, i) is None]
        return fitting[0] if len(fitting) == 1 else None
    return None


def set_door(work: Work, door: int, state: str, by: str) -> None:
    """Change a door and the ground with it."""
    doors = list(work.doors)
    doors[door] = state
    work.doors = tuple(doors)
    if work.held:
        work.held = tuple(each for each in work.held if each[0] != door)
    lay_ground(work)
    work.events.append(Door(door=work.setup.field.doors[door].id, state=state, by=by or None))


CATCHES = 2
"""Ranks of success from which a portcullis stays up by itself (R)."""
HELD = 2
"""A portcullis that was only heaved up falls again in so many-th reset (R)."""


def lifts(state: OldeState, action: Action) -> bool:
    """Whether forcing means lifting here."""
    return any(d.kind == "portcullis" and d.id == action.target for d in state.setup.field.doors)


def fall_shut(work: Work) -> None:
    """Step 2 of the reset: a portcullis that was only heaved up falls again, once nobody stands under it (R)."""
    for door, left in work.held:
        entry = work.setup.field.doors[door]
        under = 0 if entry.edge is not None else 1 << entry.cell
        if left > 1 or standing_on(work.figures, work.setup.fighters, work.terrain, under):
            shorter = tuple((d, max(1, n - 1) if d == door else n) for d, n in work.held)
            work.held = shorter
        else:
            set_door(work, door, "closed", "")


class Force:
    """Force or pick a locked or barred door: 3/Only, Burst, Lift/Shift or Disable against its difficulty."""

    SKILLS = ("Burst", "Lift/Shift", "Disable")

    def __init__(self, face: Face) -> None:
        self.face = face

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        if blocked is None and not any(self.fault(look, i) is None for i in DoorWork.beside(look)):
            blocked = "no locked or barred door beside"
        return blocked

    @staticmethod
    def skills(door: Entry) -> tuple[str, ...]:
        """What a door may be forced with: a portcullis is only lifted."""
        return ("Lift/Shift",) if door.kind == "portcullis" else Force.SKILLS

    @staticmethod
    def fault(look: Look, door: int) -> str | None:
        state = look.state.doors[door]
        if state == "closed" and look.field.doors[door].kind == "portcullis":
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

    def refusal(self, look: Look, action: Action) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        if blocked:
            return blocked
        if action.option is not None and action.option not in self.SKILLS:
            return f"option: {action.option!r} is none of {', '.join(self.SKILLS)}"
        door = which_door(look, action, self)
        if door is None:
            return "target: needs a locked or barred door beside one"
        if action.option is not None and action.option not in self.skills(look.field.doors[door]):
            return "option: a portcullis is lifted with Lift/Shift"
        return self.fault(look, door)

    def instances(self, look: Look) -> Iterator[Action]:
        if not DoorWork.beside(look) or self.hindrance(look):
            return
        for i in DoorWork.beside(look):
            if self.fault(look, i) is None:
                entry = look.field.doors[i]
                yield Action(look.fighter.id, "force", target=entry.id, option=self.best(look.fighter, entry))

    def cost(self, look: Look, action: Action) -> int:
        return look.only(3)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        door = which_door(look, action, self)
        assert door is not None
        entry = look.field.doors[door]
        skill = action.option or self.best(look.fighter, entry)
        rating, gate = entry.difficulty, entry.kind == "portcullis"
        if attempt(work, look.who, skill, rating, f"{skill} on the {'portcullis' if gate else 'door'}"):
            if gate:
                set_door(work, door, "open", action.by)
                if ranks_made(work) < CATCHES:
                    work.held = (*work.held, (door, HELD))
                return
            # A picked lock leaves a closed door; brute force leaves an open one.
            set_door(work, door, "closed" if skill == "Disable" else "open", action.by)


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
