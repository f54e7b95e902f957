"""An expedition by the computer: a whole place explored room by room, what is found taken, and out again.

Everybody of a side goes by one aim, so that the party stays together: foes that can be beaten, goals, what lies about,
unknown ground, locked doors, stairs, hidden things, and at last the way out; that comes first where goals are done, the
party is too weak or it has taken too long. What doesn't come to anything within so many turns is given up, so nothing
is tried for ever. All is asked of the contract; of the ground nothing is used that its side hasn't seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from game.controllers.ai.thinking import Option
from game.controllers.ai.weights import DelvingWeights
from game.party.march import March
from game.party.orders import nearest
from game.party.table import Table, standing
from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import HELD_SHUT, DoorState
from rules.board.grid import Field
from rules.board.path import UNREACHABLE
from rules.board.sight import dark, lit
from rules.contract.actions import Action, Decision
from rules.contract.display import Miniature, System
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell
from rules.explore.crawl import CAPTIVES
from rules.explore.state import Attitude, Exploring

TAKING = ("loot", "open_chest", "sort", "take_key")
UNLOCKING = ("unlock", "open_chest", "pick_lock", "tackle", "force", "force_chest")
DOORS = ("unlock", "pick_lock", "force")
CARE = ("first_aid", "bandage", "bind", "rest", "meal", "camp")
"""Words of deeds, the best first."""
CHESTS = ("chest", "body", "hoard", "shelf")
"""Marks of what may hold something."""


def exploring_of(state: State) -> Exploring | None:
    """How the exploration stands, where the rules have one."""
    found = getattr(state, "explore", None)
    return found if isinstance(found, Exploring) else None


def delves(state: State) -> bool:
    """Whether there is more to do than to find foes: an expedition."""
    now = exploring_of(state)
    return now is not None and now.crawl


class Aim(NamedTuple):
    """What the party is after: deeds at some spaces, or to be there."""

    what: str
    """In words, for who asks why."""
    key: tuple[object, ...]
    """By which it is known again."""
    spots: Bitboard
    words: tuple[str, ...] = ()
    target: str | None = None
    quietly: bool = False
    together: bool = False
    """Whether all have to be there."""


class Delve:
    """What one side remembers of one expedition. It holds nothing that the side hasn't seen."""

    def __init__(self, weights: DelvingWeights) -> None:
        self.w = weights
        self.field: Field | None = None
        self.seen: Bitboard = EMPTY
        self.begun: Cell = NOWHERE
        """Where the first of them stood at first."""
        self.minute = 0
        self.tried: dict[tuple[object, ...], int] = {}
        """Aims -> turns spent on them."""
        self.searched: Bitboard = EMPTY
        self.cared: dict[tuple[str, str], int] = {}
        """(who, deed) -> how often since the last fight."""
        self.fights = 0
        self.home = False
        """Whether they are on their way out."""

    # -- taking in

    def remember(self, table: Table, side: str, now: Exploring) -> None:
        """Take in what the side sees; another expedition starts with an empty memory."""
        if self.field is not None and (self.field.ground is not table.field.ground or now.minute < self.minute):
            self.__init__(self.w)  # type: ignore[misc]
        if self.field is None:
            self.begun = next((m.cell for m in table.board.miniatures if m.side == side and m.cell >= 0), NOWHERE)
        if self.fights != now.fights:
            self.fights = now.fights
            self.cared.clear()
        self.field, self.minute = table.field, now.minute
        self.seen |= table.ruleset.sees(table.state, side)

    def spent(self, aim: Aim) -> int:
        """Turns that were spent on an aim."""
        return self.tried.get(aim.key, 0)

    # -- deciding

    def decide(self, ruleset: System, state: State, decision: Decision) -> list[Option]:
        """What somebody does with its turn, the best first; the last resort is to let it pass."""
        now = exploring_of(state)
        assert now is not None
        side = decision.side
        sees_all = Table(ruleset, state, ruleset.board(state), ~EMPTY, (decision,))
        self.remember(sees_all, side, now)
        table = Table(ruleset, state, sees_all.board, self._known(sees_all), (decision,))
        own = [m.id for m in table.board.miniatures if m.side == side]
        party = [table.minis[name] for name in standing(table, own)]
        foes = [m for m in table.board.miniatures if hostile(state, m, side)]
        view = View(table, decision.by, tuple(party), tuple(foes), now)
        found: list[tuple[str, Action]] = []
        for what, action in self._ideas(view):
            found.append((what, action))
            break
        end = table.ending(decision.by)
        if end is not None:
            found.append(("lets the turn pass", end))
        return [
            Option(action, float(len(found) - n), ((what, float(len(found) - n)),), plan=(action,),
                   cell=action.path[-1] if action.path else NOWHERE, label=action.do.replace("_", " ").capitalize())
            for n, (what, action) in enumerate(found)
        ]  # fmt: skip

    def _known(self, table: Table) -> Bitboard:
        """The ground that may be planned on: seen, and the next spaces beyond, which a step will show."""
        width = table.field.width
        seen = self.seen
        return Bitboard((seen | seen << 1 | seen >> 1 | seen << width | seen >> width) & table.terrain.everywhere)

    def _ideas(self, view: View) -> Iterator[tuple[str, Action]]:
        yield from self._stand_up(view)
        yield from self._meet(view)
        yield from self._care(view)
        yield from self._light(view)
        yield from self._follow(view)

    def _stand_up(self, view: View) -> Iterator[tuple[str, Action]]:
        for action in view.table.actions(view.who, "rise"):
            yield "on one's feet", action

    # -- foes

    def _meet(self, view: View) -> Iterator[tuple[str, Action]]:
        """Foes in sight that can be beaten are come near to, and fallen upon; from others one goes away."""
        if not view.foes or (self.home and not view.cornered):
            return
        if view.strength < self.w.dares and not view.cornered:
            self.home = True
            return
        strikes = view.table.actions(view.who, "ambush")
        near = view.table.spread(view.me.cell, 2 * self.w.near + 2)
        away = min((near.cost(foe.cell) for foe in self._beside(view)), default=UNREACHABLE)
        waited = self.tried.setdefault(("foes", self.fights), 0)
        if strikes and (away <= self.w.near or waited > self.w.waits):
            yield "the moment to strike", strikes[0]
        self.tried["foes", self.fights] = waited + 1
        manner = self._manner(view, quietly=True)
        best, least = None, UNREACHABLE
        goals = {foe.cell: view.table.whole(view.me.cell) for foe in view.foes}
        for cell, action in view.table.moves(view.who, manner).items() if goals else ():
            cost = min(view.table.terrain.distance(cell, foe.cell, 1, foe.size) for foe in view.foes)
            odds = view.table.ruleset.odds(view.table.state, action) if cost < least else None
            if cost < least and (odds is None or odds.hit >= self.w.risks):
                best, least = action, cost
        here = min(view.table.terrain.distance(view.me.cell, foe.cell, 1, foe.size) for foe in view.foes)
        if best is not None and least < here:
            yield "nearer to the foe", best
        if strikes:
            yield "the moment to strike", strikes[0]

    @staticmethod
    def _beside(view: View) -> Sequence[Miniature]:
        return view.foes

    # -- oneself

    def _care(self, view: View) -> Iterator[tuple[str, Action]]:
        """Wounds are seen to while nobody is near."""
        if view.foes or view.health >= self.w.well:
            return
        for word in CARE:
            actions = view.table.actions(view.who, word)
            if actions and self.cared.get((view.who, word), 0) < self.w.cares:
                hurt = {m.id: m.life / max(1, m.most) for m in view.party}
                action = min(actions, key=lambda a: hurt.get(a.target or view.who, 1.0))
                if hurt.get(action.target or view.who, 1.0) < 1.0:
                    self.cared[view.who, word] = self.cared.get((view.who, word), 0) + 1
                    yield "wounds are seen to", action

    def _light(self, view: View) -> Iterator[tuple[str, Action]]:
        """Whoever stands in the dark lights up."""
        terrain = view.table.terrain
        for action in view.table.actions(view.who, "light"):
            if dark(terrain) and not lit(terrain, view.table.ruleset.lamps(view.table.state)) >> view.me.cell & 1:
                yield "a light to see by", action

    # -- aims

    def _follow(self, view: View) -> Iterator[tuple[str, Action]]:
        """The party's aim, and this one's part in it."""
        if self._too_long(view) or view.weak(self.w):
            self.home = True
        for aim in self._aims(view):
            if self.spent(aim) > self.w.patience * (3 if aim.key[0] == "out" else 1):
                continue  # it came to nothing
            if view.who == view.leader.id:
                self.tried[aim.key] = self.spent(aim) + 1
            if (action := self._towards(view, aim)) is not None:
                yield aim.what, action
            return

    def _too_long(self, view: View) -> bool:
        return view.now.minute > self.w.turns

    def _aims(self, view: View) -> Iterator[Aim]:
        if self.home or self._done(view):
            self.home = True
            yield from self._out(view)
            return
        yield from self._goals(view)
        yield from self._finds(view)
        yield from self._beyond(view)
        yield from self._locked(view)
        yield from self._levels(view, home=False)
        yield from self._hidden(view)
        self.home = True
        yield from self._out(view)

    @staticmethod
    def _done(view: View) -> bool:
        goals = [goal for goal in view.table.board.goals if goal.side == view.me.side and not goal.optional]
        left = [goal for goal in goals if goal.kind not in ("out", "fetch") and goal.state == "open"]
        carried = [goal for goal in goals if goal.kind == "fetch" and goal.state == "open"]
        return bool(goals) and not left and not carried

    def _goals(self, view: View) -> Iterator[Aim]:
        """Where goals count, and prisoners that are known of."""
        for goal in view.table.board.goals:
            spots = goal.cells & self.seen
            if goal.state == "open" and not goal.waits and spots and goal.kind in ("reach", "hold"):
                if spots >> view.me.cell & 1 and goal.kind == "reach":
                    continue
                yield Aim("a goal", ("goal", goal.name), spots)
        may_free = any(offer.do == "free" for offer in view.table.offers(view.who))
        turns = {turn.id for turn in view.table.board.order}
        for mini in view.table.board.miniatures if may_free else ():
            own = mini.side in (view.me.side, CAPTIVES) and mini.id not in turns
            if own and not mini.out and mini.cell >= 0 and self.seen >> mini.cell & 1:
                near = view.table.terrain.within(mini.cell, 1) & self.seen
                yield Aim("somebody to free", ("free", mini.id), near, ("free",), mini.id)

    def _finds(self, view: View) -> Iterator[Aim]:
        """What may hold something, the nearest first."""
        found: list[tuple[int, Aim]] = []
        ways = view.ways
        for mark in view.table.board.ground:
            if mark.kind not in CHESTS or not mark.cells & self.seen:
                continue
            spots: Bitboard = EMPTY
            for cell in cells_of(mark.cells):
                spots |= view.table.terrain.within(cell, 1)
            key, words = ("chest", mark.label, mark.cells), (*TAKING, *UNLOCKING)
            aim = Aim("what may hold something", key, spots, words, mark.label)
            cost = min((ways.cost(cell) for cell in cells_of(spots)), default=UNREACHABLE)
            if cost < UNREACHABLE and self.spent(aim) <= self.w.tries:
                found.append((cost, aim))
        yield from (aim for _, aim in sorted(found, key=lambda each: each[0]))

    def _beyond(self, view: View) -> Iterator[Aim]:
        """The nearest ground that nobody has seen yet."""
        fresh = self._known(view.table) & ~self.seen & ~view.table.barred & ~view.table.opened.blocked
        for cost, cell in view.ways.within(_FAR):
            if fresh >> cell & 1:
                aim = Aim("unknown ground", ("beyond", cell), 1 << cell, quietly=True)
                if self.spent(aim) <= self.w.tries:
                    yield aim
                    return
            del cost

    def _locked(self, view: View) -> Iterator[Aim]:
        """Doors that are held shut, a few times each."""
        for door, stands in zip(view.table.field.doors, view.table.board.doors, strict=True):
            if stands not in HELD_SHUT and (stands != DoorState.CLOSED or door.kind != "portcullis"):
                continue
            if not door.spaces & self._known(view.table):
                continue
            spots: Bitboard = EMPTY
            for cell in cells_of(Bitboard(door.spaces)):
                spots |= view.table.terrain.within(cell, 1)
            aim = Aim("a door that is held shut", ("door", door.id), spots & self.seen, DOORS, door.id)
            reached = any(view.ways.cost(cell) < UNREACHABLE for cell in cells_of(aim.spots))
            if reached and self.spent(aim) <= self.w.tries:
                yield aim

    def _levels(self, view: View, *, home: bool) -> Iterator[Aim]:
        """Stairs to where nobody has been; on the way home, stairs that lead nearer to where one came from."""
        for stair in view.table.field.stairs:
            if view.ways.cost(stair.cell) >= UNREACHABLE or not self.seen >> stair.cell & 1:
                continue
            if not home and self.seen >> stair.to & 1 and not self._left_beyond(view, stair.to):
                continue
            if home and not self._leads_home(view, stair.to):
                continue
            aim = Aim("stairs", ("stairs", stair.cell, home), 1 << stair.cell, ("stairs",), together=True)
            if self.spent(aim) <= self.w.patience:
                yield aim

    def _left_beyond(self, view: View, cell: Cell) -> bool:
        """Whether there is unknown ground left on a level that was seen."""
        fresh = self._known(view.table) & ~self.seen & ~view.table.barred & ~view.table.opened.blocked
        there = view.table.spread(cell, _FAR)
        open_there = (c for _, c in there.within(_FAR) if fresh >> c & 1)
        return any(self.tried.get(("beyond", c), 0) <= self.w.tries for c in open_there)

    def _leads_home(self, view: View, cell: Cell) -> bool:
        """Whether the way out is on the level to which stairs lead, or beyond further ones (known)."""
        goal = self._exits(view)
        seen_levels: set[Cell] = set()
        todo = [cell]
        while todo:
            at = todo.pop()
            if at in seen_levels:
                continue
            seen_levels.add(at)
            ways = view.table.spread(at, _FAR)
            if goal >> at & 1 or any(goal >> c & 1 for _, c in ways.within(_FAR)):
                return True
            for stair in view.table.field.stairs:
                known = self.seen >> stair.cell & 1 and view.ways.cost(stair.cell) >= UNREACHABLE
                if known and ways.cost(stair.cell) < UNREACHABLE:
                    todo.append(stair.to)
        return False

    def _hidden(self, view: View) -> Iterator[Aim]:
        """Ground that nobody has searched, while something is still to be found."""
        if not view.table.offer(view.who, "search") and view.who in view.table.decisions:
            return
        wanted = [g for g in view.table.board.goals if g.state == "open" and not g.optional]
        if not wanted or view.now.minute > self.w.searches:
            return
        left = self.seen & ~self.searched & ~view.table.opened.blocked
        best, most = NOWHERE, 0
        for cost, cell in view.ways.within(_NEAR):
            gain = (view.table.terrain.within(cell, 2) & left).bit_count() - cost // 3
            if gain > most:
                best, most = cell, gain
        if most > self.w.worth:
            yield Aim("hidden things", ("search", best), 1 << best, ("search",))

    def _exits(self, view: View) -> Bitboard:
        field = view.table.field
        exits = field.exits & self._known(view.table)
        return Bitboard(exits) if exits else board_of((self.begun,)) if self.begun >= 0 else EMPTY

    def _out(self, view: View) -> Iterator[Aim]:
        """The way out: an exit, or stairs that lead nearer to one."""
        spots = self._exits(view)
        if any(view.ways.cost(cell) < UNREACHABLE for cell in cells_of(spots)) or spots >> view.leader.cell & 1:
            yield Aim("the way out", ("out", self.fights), spots, ("leave",), together=True)
        yield from self._levels(view, home=True)
        for action in view.table.actions(view.who, "shout"):
            if self.spent(Aim("", ("shout",), EMPTY)) <= self.w.tries and not view.table.field.exits:
                yield Aim("no way out: they are called", ("shout",), 1 << view.me.cell, (action.do,))

    # -- one's part

    def _manner(self, view: View, *, quietly: bool) -> str:
        words = [offer.do for offer in view.table.manners(view.who) if offer.actions]
        if not words:
            return ""
        return words[0] if quietly else "walk" if "walk" in words else words[-1]

    def _towards(self, view: View, aim: Aim) -> Action | None:
        """What this one does for the party's aim."""
        here = view.me.cell
        if aim.words and aim.spots >> here & 1 and (action := self._deed(view, aim)) is not None:
            return action
        manner = self._manner(view, quietly=aim.quietly)
        if not manner:
            return None
        return self._go(view, aim, manner)

    def _deed(self, view: View, aim: Aim) -> Action | None:
        for word in aim.words:
            for action in view.table.actions(view.who, word):
                if aim.target is None or aim.target in (action.target, action.item):
                    if word == "search":
                        self.searched |= view.table.terrain.within(view.me.cell, 2)
                    return action
        return None

    def _go(self, view: View, aim: Aim, manner: str) -> Action | None:
        """On the way there, in the party's order; where all have to be there, everybody for itself."""
        here, table = view.me.cell, view.table
        names = (view.who,) if aim.together else tuple(m.id for m in view.party)
        goals = nearest(table, here if aim.together else view.leader.cell, aim.spots)
        if not goals or (here == goals[0] and aim.together):
            return None
        march = March(names, goals[0], manner, table.minis[names[0]].cell)
        action = march.step(table)
        if action is None and view.who == names[0] and self.spent(aim) % 4 == 3:  # the others don't come
            action = March((view.who,), goals[0], manner, here).step(table)
        return action if action is not None and action.by == view.who else None


class View:
    """One decision: who decides, who is there."""

    def __init__(
        self, table: Table, who: str, party: tuple[Miniature, ...], foes: tuple[Miniature, ...], now: Exploring
    ) -> None:  # fmt: skip
        self.table, self.who, self.party, self.foes, self.now = table, who, party, foes, now
        self.me = table.minis[who]
        self.leader = party[0] if party else self.me
        self.ways = table.whole(self.leader.cell)
        """The ways of whoever leads."""

    @property
    def health(self) -> float:
        """What is left of the party's life, in parts."""
        return sum(m.life for m in self.party) / max(1, sum(m.most for m in self.party))

    @property
    def strength(self) -> float:
        """The party's life against that of the foes in sight."""
        return sum(m.life for m in self.party) / max(1, sum(foe.life for foe in self.foes))

    @property
    def cornered(self) -> bool:
        """Whether there is nothing but to fight: they stand beside."""
        distance = self.table.terrain.distance
        return any(distance(self.me.cell, foe.cell, 1, foe.size) <= 1 for foe in self.foes)

    def weak(self, w: DelvingWeights) -> bool:
        """Whether the party had better go home."""
        side = [m for m in self.table.board.miniatures if m.side == self.me.side]
        return self.health < w.weak or len(self.party) * 2 <= len(side)


def hostile(state: State, mini: Miniature, side: str) -> bool:
    """Whether somebody in sight is to be fought: up, of another side, and not at peace with one's own."""
    if mini.side in (side, CAPTIVES) or mini.out or mini.cell < 0:
        return False
    now, index = exploring_of(state), getattr(getattr(state, "setup", None), "index", {})
    who = index.get(mini.id)
    return now is None or who is None or who >= len(now.attitude) or now.attitude[who] < Attitude.WARY


_FAR = 400
"""Spaces of way as far as ground is looked for."""
_NEAR = 60
