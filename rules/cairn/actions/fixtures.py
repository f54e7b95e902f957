"""What is done to what stands on a map, beside opening and forcing doors: keys turned, locks picked, chests opened,
traps disarmed, rubble cleared, everything taken along (cairn.md §2.14). Only with the option `fixtures` (rubble:
`hurdles`), but for breaking chests open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge, Door
from rules.cairn import trials
from rules.cairn.actions.context import ByHand, Context, Phase, save_odds
from rules.cairn.actions.doors import AtDoor
from rules.cairn.magic.ground import in_hand, lay_ground, set_door
from rules.cairn.movement import chest_trap, trap_bites
from rules.cairn.plunder import PLUNDER
from rules.cairn.state import Resolution
from rules.cairn.trials import CLEAR, DISARM, FORCE, PICK
from rules.cairn.visibility import door_state, set_state
from rules.contract.actions import Action, Description
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import challenges, doors, loot
from rules.core.fixtures.challenges import Numbered, Work
from rules.core.fixtures.rubble import give_way
from rules.core.secrets import Kind, Stands, named


class TurnKey(AtDoor):
    """With a door's own key."""

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if context.figure.keys else "carries no key")

    def work(self, resolution: Resolution, who: CreatureIx, number: int, door: Door) -> None:
        if door_state(resolution, resolution.being(who).side, number) in self.deed.before:
            set_door(resolution, who, number, self.deed.after)


class Unlock(TurnKey):
    """A locked door."""

    do = "unlock"
    turns = 0
    face = Face("Unlock", "Act", "action", "door", "key", "shift+j", "with its key")
    deed = doors.UNLOCKING


class Lock(TurnKey):
    """A closed door."""

    do = "lock"
    turns = 0
    face = Face("Lock", "Act", "action", "door", "key", "shift+k", "with its key")
    deed = doors.LOCKING


class PickLock(AtDoor):
    """A lock opened quietly, with the tools for it: a DEX save."""

    do = "pick_lock"
    face = Face("Pick lock", "Act", "action", "door", "key", "shift+o", "DEX save, with thieving tools")
    phase = Phase.RISK
    deed = doors.PICKING

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or trials.why_not(context.figure, PICK)

    def odds(self, context: Context, action: Action) -> Odds | None:
        number = doors.named(context.setup.field.doors, action.target)
        if number is None:
            return None
        terms = trials.terms_of(context.state, context.figure, PICK, context.setup.field.doors[number].difficulty)
        return odds_of(terms, ("unlocked", "holds fast"), "passed: the door is closed, and no longer locked")

    def work(self, resolution: Resolution, who: CreatureIx, number: int, door: Door) -> None:
        stands = door_state(resolution, resolution.being(who).side, number) in self.deed.before
        if stands and trials.tried(resolution, who, PICK, door.difficulty, "pick the lock"):
            set_door(resolution, who, number, self.deed.after)


def odds_of(terms: trials.Terms, words: tuple[str, str], told: str) -> Odds:
    """The odds of one throw."""
    return save_odds(terms.chance, words, terms.dice, trials.note(terms, told))


class AtHand(ByHand):
    """Something done to a chest or a trap within reach of a hand."""

    asks: Work
    nothing: str

    def near(self, context: Context) -> list[Numbered]:
        """What it could be done to from where one will stand."""
        setup, state = context.setup, context.state
        wanted = self.wanted(context)
        found = challenges.within(
            wanted, setup.field, state.challenges, found=state.found, side=context.being.side,
            around=context.terrain.everywhere, keys=context.figure.keys,
        )  # fmt: skip
        if not found:
            return []
        cells = board_of(cell for _, one in found for cell in one.cells) & ~state.cleared
        reached = in_hand(state, context.who, context.place, cells)
        return [each for each in found if board_of(each[1].cells) & reached]

    def wanted(self, context: Context) -> Work:
        """What is asked of a challenge."""
        return self.asks

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if self.near(context) else self.nothing)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return challenges.why_not(self.near(context), action.item)

    def candidates(self, context: Context) -> Iterator[Action]:
        for _, one in self.near(context):
            yield Action(context.being.id, self.do, item=one.id)

    def there(self, resolution: Resolution, who: CreatureIx, action: Action) -> Numbered | None:
        """What it is done to, if it still stands as it must and one got to it."""
        number, one = named(resolution.setup.field, action.item or "")
        if resolution.challenges[number] not in self.asks.before:
            return None
        left = board_of(one.cells) & ~resolution.cleared
        reached = in_hand(resolution.done(), who, resolution.figures[who].cell, left)
        return (number, one) if reached else None


class OpenChest(AtHand):
    """A chest that nothing holds shut, or whose key one has."""

    do = "open_chest"
    face = Face("Open chest", "Act", "action", "item", "chest", "shift+c", "unlocked, or with its key")
    turns = 0
    asks, nothing = challenges.OPENING, "no chest beside that is unlocked, or whose key it has"
    rank = 2

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        found = self.there(resolution, who, action)
        if found is not None:
            number, chest = found
            how = "key" if resolution.challenges[number] == Stands.LOCKED else "hand"
            uncover(resolution, who, number, chest, how)


class Way(NamedTuple):
    """How a chest, a trap or rubble is dealt with."""

    label: str
    asks: str
    outcomes: tuple[str, str]
    told: str


WAYS = {
    FORCE: Way("Break open", "STR save", ("stands open", "holds fast"), "passed: the chest stands open"),
    PICK: Way("Pick the lock", "DEX save", ("unlocked", "holds fast"), "passed: the chest stands open"),
    DISARM: Way("Disarm", "DEX save, or it goes off", ("disarmed", "goes off"), "passed: the trap is harmless"),
    CLEAR: Way("Clear rubble", "STR save for each space", ("clears a space", "holds fast"),
                "passed: the nearest space of it is difficult ground"),
}  # fmt: skip
"""By the option of the command, which is the word of the trial as well."""
USUAL: Mapping[str, str] = {Kind.TRAP: DISARM, Kind.RUBBLE: CLEAR}
"""How a thing is dealt with where nobody says how: anything else by force."""


class Tackle(AtHand):
    """A locked chest broken open by STR, its lock picked by DEX; traps disarmed by DEX, rubble cleared by STR."""

    do = "tackle"
    loud = True
    face = Face("Break open", "Act", "action", "item", "force", "j", "STR save against the lock of a chest")
    phase = Phase.RISK
    asks, nothing = challenges.TACKLING, "no locked chest beside"
    level = Work((Kind.CHEST, Kind.TRAP), challenges.TACKLING.before)
    plain = Work((Kind.CHEST,), (Stands.LOCKED,))

    def wanted(self, context: Context) -> Work:
        if not context.setup.fixtures:
            return self.plain
        return self.asks if context.setup.hurdles else self.level

    def deeds(self, context: Context, one: Challenge) -> tuple[str, ...]:
        """How it may be tried, in words."""
        if one.kind in USUAL:
            return (USUAL[one.kind],)
        picks = context.setup.fixtures and trials.why_not(context.figure, PICK) is None
        return (FORCE, PICK) if picks else (FORCE,)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = self.near(context)
        wrong = challenges.why_not(near, action.item)
        if wrong or action.option is None or not context.setup.fixtures:  # without, there is one way alone
            return wrong
        known = next(self.deeds(context, one) for _, one in near if one.id == action.item)
        told = "option: {option} is none of {options}"
        return None if action.option in known else text(told, repr(action.option), joined(", ", known))

    def candidates(self, context: Context) -> Iterator[Action]:
        for _, one in self.near(context):
            if not context.setup.fixtures:
                yield Action(context.being.id, self.do, item=one.id)
                continue
            for deed in self.deeds(context, one):
                yield Action(context.being.id, self.do, item=one.id, option=deed)

    @staticmethod
    def deed_of(action: Action, one: Challenge) -> str:
        """How it is tried."""
        usual = USUAL.get(one.kind, FORCE)
        return action.option if action.option in WAYS else usual

    def odds(self, context: Context, action: Action) -> Odds | None:
        _, one = named(context.setup.field, action.item or "")
        deed = self.deed_of(action, one)
        terms = trials.terms_of(context.state, context.figure, deed, one.difficulty)
        return odds_of(terms, WAYS[deed].outcomes, WAYS[deed].told)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        shown = super().describe(context, action)
        if action is None or action.option not in WAYS:
            return shown
        way = WAYS[action.option]
        return msgspec.structs.replace(shown, label=way.label, notes=(way.asks,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """It comes off or does not; a trap in a chest may go off, one that is mishandled does."""
        found = self.there(resolution, who, action)
        if found is None:
            return
        number, one = found
        deed = self.deed_of(action, one)
        why = text("break open the {chest}", one.id) if deed == FORCE else text("{deed}: {thing}", deed, one.id)
        passed = trials.tried(resolution, who, deed, one.difficulty, why)
        if one.kind == Kind.TRAP:
            if passed:
                set_state(resolution, number, Stands.DISARMED.value, who)
            else:
                trap_bites(resolution, who, number)
        elif passed and one.kind == Kind.RUBBLE:
            give_way(resolution, who, number)
            lay_ground(resolution)
        elif passed:
            uncover(resolution, who, number, one, deed if deed == PICK else "")


def uncover(resolution: Resolution, who: CreatureIx, number: int, chest: Challenge, how: str) -> None:
    """A chest comes open: what is in it lies on its space, and what lies in wait in it may go off."""
    drawn = PLUNDER.spill(resolution, chest)
    inside = loot.told(loot.Find(item) for item in drawn.things) if drawn.rolls else chest.contents
    set_state(resolution, number, Stands.OPEN.value, who, inside=inside, how=how, rolls=drawn.rolls)
    chest_trap(resolution, who, chest)


class Loot(ByHand):
    """Everything within reach that one has slots for: off the floor, out of open chests, from the fallen."""

    do = "loot"
    face = Face("Take all", "Act", "action", "none", "pick_up", "shift+p", "all that there are slots for")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or PLUNDER.why_no_loot(context.state, context.who, context.place)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        shown = super().describe(context, action)
        if action is None:
            return shown
        return msgspec.structs.replace(shown, notes=PLUNDER.notes(context.state, context.who, context.place))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        PLUNDER.take_all(resolution, who)


UNLOCK, LOCK, PICK_LOCK, OPEN_CHEST, TACKLE, LOOT = Unlock(), Lock(), PickLock(), OpenChest(), Tackle(), Loot()
