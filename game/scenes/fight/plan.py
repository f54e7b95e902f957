"""What the player may do now, by space and by creature: read from the legal actions alone, for any ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

import msgspec

from rules.board.grid import Field, place_words
from rules.contract.actions import CHOOSE, Action, Decision, Description, Offer
from rules.contract.display import Board, Miniature, System
from rules.contract.ruleset import LegalActions, Odds, State
from rules.contract.text import Place, Text, Value, joined, mapped, part_of, text, titled
from rules.contract.units import EMPTY, Bitboard, Cell

EIGHTHS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(columns, rows) of the eight facings, from north clockwise."""
MANY = 8
"""More spaces than these, once somebody is chosen, are pointed at and not picked from a list."""
PLAIN = "attack"
"""The deed that a click on a foe means where the ruleset has one of that name; else the first that needs a foe."""
OPENING = "ambush"
"""The deed by which those who explore begin a fight: while they may, no foe is struck before it."""


class Plan:
    """One decision's possibilities. `armed` narrows them to one button; everything is worked out once and kept."""

    def __init__(
        self, ruleset: System, state: State, decision: Decision, legal: LegalActions, *,
        board: Board, field: Field, known: Bitboard = ~EMPTY,
    ) -> None:  # fmt: skip
        self.ruleset, self.state, self.decision, self.legal = ruleset, state, decision, legal
        self.board, self.field, self.known = board, field, known
        """Bitboard of the ground that the player knows: nothing can be planned beyond it; -1 = everything."""
        self.offers: tuple[Offer, ...] = legal.offers()
        self.armed: Offer | None = None
        self.is_question = decision.kind == CHOOSE or all(o.description.group == "Answer" for o in self.offers)
        """Whether this is an answer inside somebody's action rather than a chance."""
        self.minis: Mapping[str, Miniature] = {mini.id: mini for mini in board.miniatures}
        self.actor = self.minis.get(decision.by)
        """Who decides, if it is a creature on the board."""
        self.start = board.leads_to(self.actor) if self.actor is not None else None
        """Where it stands once its plan so far is done: the ways of what it decides next begin there."""
        self.ends = [offer for offer in self.offers if offer.description.group == "End" and offer.actions]
        """The offers that end something, what ends most last."""
        self.final = self.ends[-1] if self.ends else None
        self.ending = self.final.actions[0] if self.final is not None else None
        """The action that ends this chance, and its offer: of several that end something, the one that ends most."""
        self.describe: Callable[[Action], Description] = cache(partial(ruleset.describe, state))
        """What an action says of itself, with its true cost and what is left."""
        self.odds: Callable[[Action], Odds | None] = cache(partial(ruleset.odds, state))
        """Its exact odds; None without dice."""
        self.area: Callable[[Action], Bitboard] = cache(partial(ruleset.area, state))
        """Bitboard of the spaces that it works on; 0 for none."""
        self._moves: dict[tuple[str, str | None, str | None], Mapping[Cell, Action]] = {}
        self._prospects: dict[tuple[str, str | None], tuple[dict[str, float], str | None]] = {}
        self._risks: dict[str, dict[Cell, float]] = {}
        self.target_marks: dict[str, tuple[str, str]] = {}
        """What the board shows at creatures while `marked_for` is armed: whoever draws remembers it here."""
        self.marked_for: Offer | None = None

    # -- looking up

    def active(self, *needs: str) -> Sequence[Offer]:
        """The offers that clicks on the board mean now; with `needs`, of these only what is pointed at such."""
        active = (self.armed,) if self.armed is not None else self.offers
        return [offer for offer in active if offer.description.needs in needs] if needs else active

    @property
    def only_end(self) -> bool:
        """Whether nothing is left but to end: what costs nothing and changes little does not count as a choice.

        Never where the answer may still be changed: a plan stands when its player says so.
        """
        if self.ending is None or self.decision.sealed:
            return False
        offered = (o.description for o in self.offers if o.actions and o.description.group != "End")
        choices = (d for d in offered if not d.final)
        free = ("option", "item", "none")
        return all(d.points == 0 and d.cost.startswith("0") and d.needs in free for d in choices)

    # -- moving

    def moves(self, offer: Offer) -> Mapping[Cell, Action]:
        """Where a movement can end, or what is aimed at a space can be aimed, by space."""
        if offer.description.needs not in ("path", "space") or not offer.actions:
            return {}
        key = (offer.do, offer.actions[0].item, offer.actions[0].target)
        if key not in self._moves:
            found = dict(self.legal.moves(offer.do))
            if not found:  # every space at which it may be aimed
                aims = ((cell, msgspec.structs.replace(offer.actions[0], at=cell)) for cell in self.field.cells)
                found = {cell: action for cell, action in aims if action in self.legal}
            self._moves[key] = {cell: action for cell, action in found.items() if self._knows((cell, *action.path))}
        return self._moves[key]

    def _knows(self, cells: Sequence[Cell]) -> bool:
        """Whether all of it is known ground."""
        return all(self.known >> cell & 1 for cell in cells)

    def risks(self) -> dict[Cell, float]:
        """For each space that a click would go to, the chance that the way there fails, where its odds tell it."""
        key = self.armed.do if self.armed is not None else ""
        if key not in self._risks:
            ways: dict[Cell, Action] = {}
            for offer in self.active():
                for cell, action in self.moves(offer).items():
                    ways.setdefault(cell, action)
            told = ((cell, self.odds(action)) for cell, action in ways.items() if action.path)
            self._risks[key] = {cell: odds.along[-1][1] for cell, odds in told if odds is not None and odds.along}
        return self._risks[key]

    def move_to(self, cell: Cell) -> Action | None:
        """The legal way to end on a space that its mark shows: free ones first, then by the offers' order."""
        if self.armed is not None and self.armed.description.needs == "facing":
            return self.facing_to(cell)
        return next((a for o in self.active() if (a := self.moves(o).get(cell)) is not None), None)

    # -- facing

    @property
    def facings(self) -> Mapping[int, Action]:
        """The ways one may turn to look: 0 = north, then clockwise by eighths."""
        return {int(a.option or 0): a for o in self.offers if o.description.needs == "facing" for a in o.actions}

    def facing_to(self, cell: Cell) -> Action | None:
        """Turning so as to look at a space."""
        if self.start is None or cell == self.start:
            return None
        (ax, ay), (bx, by) = self.field.at(self.start), self.field.at(cell)
        return self.facings.get(eighth(bx - ax, by - ay))

    def along(self, path: Sequence[Cell]) -> Action | None:
        """The first legal movement along just these spaces, in the offers' order."""
        if not self._knows(path):
            return None
        tried = (Action(self.decision.by, offer.do, path=tuple(path)) for offer in self.active("path"))
        return next((action for action in tried if action in self.legal), None)

    def why_not_there(self, path: Sequence[Cell]) -> str:
        """Why no movement goes along a path: the reason of the movement that should."""
        offers = self.active("path")
        if not offers:
            armed = self.armed
            return text("{label} needs no space", armed.description.label) if armed else "Nothing can move now"
        live = [o for o in offers if o.refused is None]
        if not live:  # why the everyday way is shut, not why one can't swim here
            moves = [o for o in offers if o.description.group == "Move"] or offers
            return plain(min(moves, key=lambda o: o.description.rank).refused) or "Nothing can move now"
        offer = live[-1]
        reason = self.legal.refusal(Action(self.decision.by, offer.do, path=tuple(path)))
        return plain(reason, self.field.at(path[-1]) if path else None, self.field) or "Out of reach"

    # -- creatures, doors and the rest

    def on(self, target: str) -> Sequence[Action]:
        """Every legal action on a creature or door, in the offers' order, foes' by the plain one first.

        Unless a button is armed, only of offers that need nothing but the target: a click never spends an item.
        """
        active = self.active() if self.armed else self.active("creature", "door")
        found = [a for o in active for a in o.actions if a.target == target]
        return found if self.armed else sorted(found, key=lambda a: a.do != PLAIN)

    def is_foe(self, target: str) -> bool:
        """Whether a creature stands against whoever decides."""
        mini = self.minis.get(target)
        return mini is not None and mini.side != self.decision.side

    def strike(self, target: str) -> Action | None:
        """What a click on a creature does: with several weapons, the one that harms most.

        Who lies fallen is struck only by a deed that was armed for it, never by a click alone.
        """
        mini = self.minis.get(target)
        if self.armed is None and mini is not None and mini.out:
            return None
        return self._best_of([a for a in self.on(target) if self.armed or self._hostile(a)])

    def blow(self, offer: Offer, target: str) -> Action | None:
        """What a click on a creature would do if this offer were armed."""
        return self._best_of([a for a in offer.actions if a.target == target])

    def finishing(self, target: str) -> Action | None:
        """What the first armed attack would do to a foe who has fallen; None for who still stands."""
        mini = self.minis.get(target)
        if self.armed is not None or mini is None or not mini.out:
            return None
        blows = (self.blow(o, target) for o in self.offers if o.description.needs == "creature")
        return next((blow for blow in blows if blow is not None and self._hostile(blow)), None)

    def _best_of(self, wanted: Sequence[Action]) -> Action | None:
        """The plain way of the first kind, with the weapon that harms most."""
        if not wanted:
            return None
        same = [a for a in wanted if a.do == wanted[0].do]
        same = [a for a in same if a.option is None] or same  # the plain way, unless another is asked for
        if len({a.at for a in same}) > MANY:
            return same[0]
        return max(same, key=lambda a: odds.mean if (odds := self.odds(a)) else 0.0) if len(same) > 1 else same[0]

    def prospect(self, offer: Offer, pointed: str | None) -> tuple[str, float] | None:
        """(whom, how likely) of what a click would do to whoever is pointed at, were this offer armed.

        Where that is none of its targets: of its likeliest success, on somebody who stands if anybody does.
        None where no dice decide.
        """
        key = (offer.do, offer.weapon)
        if key not in self._prospects:
            targets = dict.fromkeys(a.target for a in offer.actions if a.target is not None and a.target in self.minis)
            tried = ((target, self.blow(offer, target)) for target in targets)
            found = ((target, self.odds(blow)) for target, blow in tried if blow is not None)
            chances = {target: odds.hit for target, odds in found if odds is not None}
            standing = [name for name in chances if not self.minis[name].out] or list(chances)
            self._prospects[key] = chances, max(standing, key=chances.__getitem__, default=None)
        chances, likeliest = self._prospects[key]
        whom = pointed if pointed in chances else likeliest
        return (whom, chances[whom]) if whom is not None else None

    def _hostile(self, action: Action) -> bool:
        """Whether an action harms a foe: threats and tricks are asked for by their buttons, never by a click alone."""
        odds = self.odds(action) if action.target is not None and self.is_foe(action.target) else None
        return odds is not None and any(harm for harm, _ in odds.damage)

    def why_not(self, target: str) -> str:
        """Why nothing can be done to a creature now, in one line."""
        offers = self.active("creature")
        opening = next((o for o in self.offers if o.do == OPENING), None) if self.armed is None else None
        if opening is not None and self.is_foe(target):
            label = opening.description.label
            if opening.actions:
                return text("First the fight has to begin: {label}", label)
            return plain(opening.refused) or "Out of reach"
        if not offers:
            armed = self.armed
            return text("{label} is not for creatures", armed.description.label) if armed else "Nothing to do to it"
        offer = next((o for o in offers if o.do == PLAIN), offers[0])
        if self.armed is None and any(a.target == target for a in offer.actions):
            return text("Fallen; {label}, then a click, strikes it all the same", offer.description.label)
        return self.why_refused(offer, target)

    def why_refused(self, offer: Offer, target: str) -> str:
        """Why an offer can't be turned to a creature."""
        sample = next(iter(offer.actions), Action(self.decision.by, offer.do, weapon=offer.weapon))
        reason = self.legal.refusal(msgspec.structs.replace(sample, target=target))
        return plain(reason, None, self.field) or offer.refused or "Out of reach"

    def why_not_at(self, cell: Cell) -> str:
        """Why what is armed can't be aimed at a space; empty where nothing is aimed at spaces."""
        armed = self.armed
        if armed is None or armed.description.needs != "space" or not armed.actions:
            return ""
        refused = self.legal.refusal(msgspec.structs.replace(armed.actions[0], at=cell))
        return plain(refused, self.field.at(cell), self.field)

    def targets(self) -> list[str]:
        """Creatures that something can be done to: foes first, of one's own those to whom most is given back, who
        stands before the fallen, in the board's order."""
        found = {m.id: blow for m in self.board.miniatures if (blow := self.strike(m.id)) is not None}
        back = {name: self.given_back(blow) for name, blow in found.items()}
        return sorted(found, key=lambda name: (not self.is_foe(name), -back[name], self.minis[name].out))

    def given_back(self, action: Action) -> float:
        """What an action mends on average of whom it is done to; of an attack, and of whoever is unhurt, nothing."""
        odds = self.odds(action) if action.target is not None and not self.is_foe(action.target) else None
        return odds.healing if odds is not None else 0.0

    def in_vain(self, action: Action) -> bool:
        """Whether an action mends others, and nothing of whom it is done to."""
        alike = (a for o in self.offers for a in o.actions if (a.do, a.item) == (action.do, action.item))
        return not self.given_back(action) and any(self.given_back(a) for a in alike)

    def foes_by_distance(self) -> list[str]:
        """The foes that stand and are seen, the nearest first; nobody where it is no creature that decides."""
        if self.start is None:
            return []
        near, foes = self.start, [m for m in self.board.miniatures if self.is_foe(m.id) and not m.out]
        return [m.id for m in sorted(foes, key=lambda m: apart(self.field, m.cell, near))]

    def door_at(self, cell: Cell) -> Action | None:
        """What a click on a space does to a door there, if its space or edge has one."""
        return self.on_door(*(d.id for d in self.field.doors if cell in (d.cell, d.edge)))

    def on_door(self, *names: str) -> Action | None:
        """The first that can be done to one of some doors where one stands."""
        return next((a for o in self.active("door") for a in o.actions if a.target in names), None)

    def choices(self, offer: Offer, actions: Sequence[Action] = ()) -> list[tuple[str, Action]]:
        """An offer's instances (or some of them) by what tells them apart, for a list to pick from."""
        return [(self._name(action, offer, bool(actions)), action) for action in actions or offer.actions]

    def kind_of(self, action: Action, offer: Offer) -> str:
        """What an action does, wherever it is aimed: an entry of a list from which one points on."""
        return self._name(action, offer, True, aim=False)

    def _name(self, action: Action, offer: Offer, on_one: bool, *, aim: bool = True) -> str:
        label = self.describe(action).label
        if label and label != offer.description.label:
            return label
        parts = [action.option, action.item, joined(" and ", action.items) if action.items is not None else None]
        mini = self.minis.get(action.target or "")
        if not on_one:
            parts.append(mini.name if mini else action.target)
        parts.append(action.weapon)
        parts.append(self._whither(mini, action.at) if action.at is not None and aim else None)
        words = joined(", ", (part.replace("_", " ") for part in parts if part))
        return titled(words) or ("Nothing" if action.items == () else label)

    def _whither(self, mini: Miniature | None, at: Cell) -> str:
        """`to the north-east`, seen from a creature; else the space by column and row."""
        column, row = self.field.at(at)
        if mini is None:
            return text("to {place}", self.field.words(column, row))
        if self.field.maps and (there := self.field.part(at)) != self.field.part(mini.cell):
            return text("to {map}", there.title)
        across, down = column - self.field.at(mini.cell)[0], row - self.field.at(mini.cell)[1]
        words = (("", "south", "north")[(down > 0) - (down < 0)], ("", "east", "west")[(across > 0) - (across < 0)])
        return "to the " + "-".join(word for word in words if word)


def eighth(across: int, down: int) -> int:
    """The facing (0 = north, clockwise) nearest to a direction in columns and rows; a knight's move is diagonal."""
    dx = 0 if 2 * abs(across) < abs(down) else (across > 0) - (across < 0)
    dy = 0 if 2 * abs(down) < abs(across) else (down > 0) - (down < 0)
    return EIGHTHS.index((dx, dy))


def apart(field: Field, one: Cell, other: Cell) -> int:
    """How many spaces lie between, as the crow flies: the greater of columns and rows."""
    (ax, ay), (bx, by) = field.at(one), field.at(other)
    return max(abs(ax - bx), abs(ay - by))


class Errand(NamedTuple):
    """What is done one after the other to whom or what; `there` is what could be done where the way ends."""

    target: str
    actions: tuple[Action, ...]
    there: Plan
    told: tuple[Description, ...]
    """What each action says of itself where it is done."""

    @property
    def cost(self) -> str:
        """The prices one after the other, what costs nothing left out: `1 AP + 2 AP`."""
        paid = (d.cost for d in self.told if d.cost and not (d.points == 0 and d.cost.startswith("0 ")))
        return joined(" + ", paid)

    @property
    def deed(self) -> Action:
        """What it is all for."""
        return self.actions[-1]

    @property
    def path(self) -> tuple[Cell, ...]:
        """The spaces entered on the way, in order."""
        return tuple(cell for action in self.actions for cell in action.path)


def end_of(action: Action) -> Cell | None:
    """The space where a movement ends."""
    return action.path[-1] if action.path else action.at


_PLACE = r"\[(\d+), (\d+)\]"
_WAY = re.compile(f"{_PLACE} to {_PLACE}")
_SPACE = re.compile(_PLACE)
_HEAD = re.compile(rf"(?:\S+|(?:path, )?step \d+|{_PLACE} to {_PLACE}): ")
"""What a refusal says first for those who read records: which field of the action it means, or which step."""


def in_words(reason: str, here: tuple[int, int] | None = None, field: Field | None = None) -> str:
    """The spaces that rules count as `[column, row]` from 0, as players call them; the one at `here` is pointed at.

    Of a place of several maps, whose `field` is given, they are counted on their own map.
    """
    words = place_words if field is None else field.words

    def called(value: Value) -> Value:
        if isinstance(value, Place):
            at = (value.column, value.row)
            return "that space" if at == here else words(*at)
        if isinstance(value, Text) and value.template == "{start} to {end}":
            return text("the step from {start} to {end}", **value.fields)
        return value

    if isinstance(reason, Text) and not _SPACE.search(found := mapped(reason, called)):
        return found
    reason = _WAY.sub(lambda found: f"the step from {_place(found)} to {_place(found, 3)}", reason)
    return _SPACE.sub(lambda found: str(called(_place(found))), reason)


def _place(found: re.Match[str], first: int = 1) -> Place:
    return Place(int(found[first]), int(found[first + 1]))


def plain(reason: str | None, here: tuple[int, int] | None = None, field: Field | None = None) -> str:
    """A refusal as a sentence: the leading `do:` or `path, step 2:` is for records, not for players.

    `here` is the column and row of the space that is pointed at.
    """
    reason = reason or ""
    while found := _HEAD.match(reason):
        rest = reason[found.end() :]
        shorter = part_of(reason, reason.template.partition(": ")[2]) if isinstance(reason, Text) else rest
        reason = shorter if shorter == rest else rest
    return titled(in_words(reason, here, field))
