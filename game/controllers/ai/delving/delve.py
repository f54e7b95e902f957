"""An expedition by the computer: a whole place explored room by room, what is found taken, and out again.

Whoever leads chooses what the party is after, the nearest by what it is worth; the others come along, help with it, and
see to what lies at hand. Nothing is used that the side hasn't seen, and nothing is tried for ever: what comes to
nothing is given up, and where nothing new comes for long the party dares more, and in the end goes home.
"""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.delving import aims, care, foes, steps
from game.controllers.ai.delving.care import Idea
from game.controllers.ai.delving.memory import FAR, Aim, AimKind, Memory
from game.controllers.ai.delving.view import View, asleep, exploring_of, hostile, outdoes, share, stout
from game.controllers.ai.thinking import Option
from game.controllers.ai.weights import DelvingWeights
from game.party.table import Table, numbers
from rules.board.bitboard import board_of
from rules.board.grid import Field
from rules.contract.actions import Action, Decision
from rules.contract.display import Board, System
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell
from rules.explore.goals import is_bound
from rules.explore.state import Exploring

NEEDED = (AimKind.FRIEND, AimKind.CAPTIVE, AimKind.GOAL, AimKind.OUT)
"""Kinds of aims that the party goes for whoever is there."""
RESTLESS = 40
"""Deeds of one turn after which somebody lets it pass: what takes no time is not done for ever."""


def _facts(board: Board, seen: Bitboard) -> Iterator[object]:
    """What is known, piece by piece: each of them can be new but once."""
    yield seen
    yield from enumerate(board.doors)
    yield from ((goal.name, goal.state) for goal in board.goals)
    yield from ((item.item, item.cell) for item in board.floor)
    yield from ((mini.id, mini.life, mini.out) for mini in board.miniatures if mini.cell >= 0)


class Delve:
    """What one side does on one expedition after another."""

    def __init__(self, weights: DelvingWeights) -> None:
        self.w = weights
        self.memory = Memory()

    def decide(self, ruleset: System, state: State, decision: Decision) -> list[Option]:
        """What somebody does with its turn, the best first; the last resort is to let it pass."""
        now = exploring_of(state)
        assert now is not None
        board = ruleset.board(state)
        self.memory.turn_to("")
        self.look(ruleset, state, board, decision, now)
        table = Table(ruleset, state, board, self.memory.seen, (decision,))
        view = View(table, decision.by, now, self.memory, self.w)
        turn = ("turn", now.minute, now.fights, decision.by)
        self.memory.note(turn)
        found = next(self._ideas(view), None) if self.memory.often(turn) <= RESTLESS else None
        ideas = [found] if found is not None else []
        if found is not None:
            self.memory.done(found[1])
            self.memory.stirred = now.minute
            if found[1].do in care.TAKING:
                self.memory.looted = now.minute
            if isinstance(found[0], care.ForWounds):
                self.memory.mended, self.memory.mends = now.minute, self.memory.mends + 1
        ideas += [("lets the turn pass", end) for end in table.actions(decision.by, "end")[:1]]
        return [
            Option(action, float(len(ideas) - n), ((what, float(len(ideas) - n)),), plan=(action,),
                   cell=action.path[-1] if action.path else NOWHERE, label=action.do.replace("_", " ").capitalize())
            for n, (what, action) in enumerate(ideas)
        ]  # fmt: skip

    # -- taking in

    def look(self, ruleset: System, state: State, board: Board, decision: Decision, now: Exploring) -> None:
        """Take in what the side sees; another expedition begins with an empty memory."""
        side, field = decision.side, ruleset.terrain(state).field
        memory = self._of(field, now)
        if memory.field is None:
            own = [m.cell for m in board.miniatures if m.side == side and m.cell >= 0 and not field.left.fate(m.id)]
            memory.company = tuple(m.id for m in board.miniatures if m.side == side and m.cell >= 0 and not is_bound(m))
            memory.begun, memory.begun_at = own[0] if own else NOWHERE, now.minute
            memory.seen = Bitboard(memory.seen | field.left.seen_by(side))  # on earlier evenings
        if memory.fights != now.fights:
            memory.fights = now.fights
            memory.cared.clear()
            memory.mended, memory.mends = now.minute, 0
        memory.field, memory.minute = field, now.minute
        self._behold(ruleset, state, side)
        terrain = ruleset.terrain(state)
        for mini in board.miniatures:
            if mini.side == side and not mini.out and mini.cell >= 0:
                memory.spent.pop((AimKind.FRIEND, mini.id), None)
                memory.seen = Bitboard(memory.seen | 1 << mini.cell)
                memory.trodden = Bitboard(memory.trodden | terrain.within(mini.cell, 1))
        memory.asked[decision.by] = now.minute
        lives = sum(mini.life for mini in board.miniatures if mini.side == side)
        if lives < memory.lives:
            memory.mended = now.minute
        memory.lives = lives
        memory.news(now.minute, _facts(board, memory.seen))

    def fights(self, ruleset: System, state: State, side: str) -> None:
        """Take in what the side sees in a fight: who runs there through strange ground knows the way back."""
        if (now := exploring_of(state)) is not None:
            memory, board = self._of(ruleset.terrain(state).field, now), ruleset.board(state)
            self._behold(ruleset, state, side)
            value = {piece.id: piece.value for piece in advisor_of(ruleset).pieces(state)}
            up = [m for m in board.miniatures if m.side == side and not m.out]
            own = sum(value.get(m.id, 1.0) * share(m) for m in up)
            best = max((value.get(m.id, 1.0) for m in up), default=1.0)
            memory.sleeping.clear()
            for mini in board.miniatures:  # whoever is up after that is kept away from
                if mini.out or is_bound(mini):
                    memory.feared.pop(mini.id, None)
                elif hostile(state, mini, side):
                    worth = value.get(mini.id, 1.0)
                    factor = max(outdoes(worth, best, self.w), stout(ruleset, state, mini.id, self.w))
                    power = worth * share(mini) * factor
                    memory.feared[mini.id] = mini.cell, power
                    if asleep(mini) and own < self.w.dares * power:
                        memory.sleeping.add(mini.id)

    def sets_out(self, action: Action) -> None:
        """Somebody sets out on a way in a fight; how far it came is seen afterwards."""
        self.memory.going[action.by] = action.path

    def _of(self, field: Field, now: Exploring) -> Memory:
        """What is remembered of this expedition."""
        known = self.memory.field
        if known is not None and (known.ground is not field.ground or now.minute < self.memory.minute):
            self.memory = Memory()
        return self.memory

    def _behold(self, ruleset: System, state: State, side: str) -> None:
        """Ground in sight, and where they went since, dark as it was there."""
        memory = self.memory
        seen = memory.seen | ruleset.sees(state, side)
        index, figures = numbers(state), getattr(state, "figures", ())
        for name, way in memory.going.items():
            cell = figures[index[name]].cell if name in index else NOWHERE
            if cell in way:
                seen |= board_of(way[: way.index(cell) + 1])
        memory.going.clear()
        memory.seen = Bitboard(seen)

    # -- deciding

    def _ideas(self, view: View) -> Iterator[Idea]:
        yield from care.on_ones_feet(view)
        yield from care.saving(view)
        yield from care.packing(view)
        yield from care.taking(view)
        yield from self._give_up(view)
        yield from foes.meeting(view)
        yield from care.healing(view)
        yield from care.light(view)
        if view.mending:
            yield from self._mend(view)
        else:
            yield from self._follow(view)
            yield from care.gathering(view)

    def _mend(self, view: View) -> Iterator[Idea]:
        """Nobody goes on before wounds are seen to: who can heal goes to the hurt, the others come together."""
        yield from care.gathering(view)
        if care.heals(view):
            yield from ((care.ForWounds.VISIT, action) for action in steps.visit(view))
        elif not view.leads:
            yield from steps.beside(view)

    def _give_up(self, view: View) -> Iterator[Idea]:
        """The last resort: the evening is over for a party to which for very long nothing new has come."""
        memory = view.memory
        if view.persons or view.now.minute - memory.fresh <= self.w.stale:
            return
        self._turn_back(view)
        if memory.homeward and memory.pressed > 2 * self.w.presses:
            for word in ("leave", "surrender"):
                yield from (("nothing is left to be tried", action) for action in view.actions(word))

    def _follow(self, view: View) -> Iterator[Idea]:
        """The party's aim, and this one's part in it."""
        if not view.persons:
            self._turn_back(view)
        if view.memory.homeward and not view.persons:
            for action in view.actions("leave"):
                yield "out of here", action
        if view.persons:
            yield from steps.beside(view)
            return
        if not view.leads and not view.reaches(view.leader):
            view = self._parted(view)
        else:
            view.memory.astray.pop(view.who, None)
        if view.leads:
            self._choose(view)
        aim = view.memory.pursuit.aim
        if aim is None:
            return
        yield from steps.deeds(view, aim)
        yield from steps.towards(view, aim) if view.leads else steps.along(view, aim)

    def _parted(self, view: View) -> View:
        """As somebody sees it who knows no way to the first of the party: with those who are lost with it, if any, it
        looks for a way of its own."""
        memory = view.memory
        lost = [m for m in view.astray if m.id != view.who and view.reaches(m)]
        memory.astray[view.who] = view.now.minute
        group = View(view.table, view.who, view.now, memory, self.w, group={view.who, *(m.id for m in lost)})
        memory.turn_to(group.leader.id)
        return group

    def _choose(self, view: View) -> None:
        """What the party is after from now on: the nearest, by what it is worth; once a turn."""
        memory = view.memory
        if memory.pursuit.chosen == view.now.minute and memory.pursuit.aim is not None:
            return
        memory.pursuit.chosen = view.now.minute
        self._count(view)
        best = self._best(view)
        if best is None and len(view.group) < len(view.party):  # that somebody is lost sends nobody else home
            memory.anew()
            best = self._best(view)
        while best is None and not memory.homeward and len(view.group) == len(view.party):
            if memory.pressed < self.w.presses:
                memory.press(view.now.minute)
            else:
                memory.go_home("nothing is left to be found")
            best = self._best(view)
        if best is None and memory.homeward and view.now.minute - memory.renewed > self.w.patience:
            memory.renewed = view.now.minute  # nobody knows a way: what was given up is tried again
            memory.press(memory.fresh)
            memory.seeking = bool(view.astray)
            best = self._best(view)
        memory.pursuit.aim, memory.pursuit.goal = best if best is not None else (None, NOWHERE)

    def _best(self, view: View) -> tuple[Aim, Cell] | None:
        memory, found = view.memory, list[tuple[int, Aim, Cell]]()
        last = memory.pursuit.aim.key if memory.pursuit.aim is not None else None
        taken = board_of(m.cell for m in view.party if m.id != view.leader.id)
        for ahead, fear in ((view.ahead, 0), (view.ahead_anyhow, self.w.detour)):
            for aim in aims.aims_of(view):
                if memory.spent.get(aim.key, 0) >= aim.tries:
                    continue
                spots = aim.spots & ~memory.given_up(aim.key)
                if aim.kind not in NEEDED:
                    spots &= ~view.dread
                near = ahead.nearest(Bitboard(spots & ~taken or spots))
                if near is not None:
                    steady = self.w.steady if aim.key == last else 0
                    found.append((near[0] + aim.worse + fear - steady, aim, near[1]))
            if found or not (memory.homeward or memory.pressed):
                break  # what is shunned is gone over by who can't help it alone
        if not found:
            return None
        _, aim, goal = min(found, key=lambda each: (each[0], each[1].key != last))
        return aim, goal

    def _count(self, view: View) -> None:
        """What comes to nothing is given up after a while."""
        memory, pursuit = view.memory, view.memory.pursuit
        aim = pursuit.aim
        if aim is None:
            return
        here = view.leader.cell
        there = board_of(m.cell for m in view.group) if aim.kind not in (AimKind.UNKNOWN, AimKind.OUT) else 1 << here
        if aim.spots & there:
            memory.spend(aim.key)
            if aim.kind is AimKind.BODY:
                self._turned_over(view, str(aim.key[1]))
            if aim.kind is AimKind.UNKNOWN:  # in the dark one gropes one's way, and doesn't comb the floor
                around = view.table.terrain.within(here, self.w.gropes) if view.unlit else EMPTY
                memory.dull = Bitboard(memory.dull | around | 1 << here)
            pursuit.nearest = FAR
            return
        cost = view.ahead_anyhow.cost(pursuit.goal)
        if cost < pursuit.nearest or pursuit.goal != pursuit.bound_for:
            pursuit.nearest, pursuit.slow, pursuit.bound_for = cost, 0, pursuit.goal
            return
        pursuit.slow += 1
        if pursuit.slow > self.w.patience or self._stands_still(view):
            pursuit.slow = 0
            if pursuit.way is not None:
                memory.banned.add(pursuit.way)
            elif aim.kind is AimKind.UNKNOWN:
                memory.dull = Bitboard(memory.dull | 1 << pursuit.goal)
            else:
                memory.give_up(aim.key, Bitboard(1 << pursuit.goal))

    def _stands_still(self, view: View) -> bool:
        """Whether nobody did anything for a whole turn, though nobody is taken up with something: waiting is no use."""
        return not view.taken_up and view.now.minute - self.memory.stirred > 1

    def _turned_over(self, view: View, name: str) -> None:
        """Somebody was at a body: where nothing was taken from it, others like it are not gone to."""
        mini = view.table.minis.get(name)
        if mini is None or mini.side == view.side:
            return
        if view.now.minute - self.memory.looted <= 1:
            self.memory.empty.discard(mini.art)
        else:
            self.memory.empty.add(mini.art)

    def _turn_back(self, view: View) -> None:
        """Whether the party had better go home, and why; where nothing new comes it makes up its mind to dare more."""
        memory, now = view.memory, view.now.minute
        memory.seeking = memory.seeking and bool(view.astray)
        if memory.homeward and now - memory.fresh <= self.w.stale:
            return
        if aims.all_done(view):
            memory.go_home("all is done")
        elif len(view.party) * 2 <= len(view.own) and not view.helpable:
            memory.go_home("too many are down")
        elif view.health < self.w.weak and not view.helpable:
            memory.go_home("too badly hurt")
        elif view.leads and view.worn:
            memory.go_home("too tired to go on")
        elif now > self.w.turns:
            memory.go_home("it is late")
        if now - memory.fresh > self.w.stale:
            if memory.pressed >= self.w.presses:
                memory.go_home("nothing new is found")
            memory.press(now)
            memory.seeking = bool(view.astray)
