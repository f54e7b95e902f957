"""One decision of an expedition: who is there, what they amount to, how far it is, as far as the side knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Piece
from game.controllers.ai.delving.memory import AimKind, Memory, deed
from game.controllers.ai.delving.ways import Jumps, Land, beside, jumps_of, land
from game.controllers.ai.weights import DelvingWeights
from game.party.looking import dark_edge
from game.party.table import HARMFUL, Table, numbers, standing
from rules.board.bitboard import board_of
from rules.board.path import UNREACHABLE
from rules.board.sight import dark, lit
from rules.contract.actions import Action
from rules.contract.display import Miniature, Pack, System
from rules.contract.ruleset import State
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core.record import CAPTIVES
from rules.explore.goals import is_bound
from rules.explore.state import Attitude, Exploring

STABLE, ASLEEP = "stable", "asleep"
OFF_GUARD = (ASLEEP, "unaware", "unconscious", "helpless")
"""Pictures of the badges of those who are fallen upon more easily."""
PLENTY = 1 << 10
"""Room in a pack that nobody counts."""


class View:
    """What the side knows where somebody of it decides."""

    def __init__(
        self, table: Table, who: str, now: Exploring, memory: Memory, weights: DelvingWeights, *,
        group: Collection[str] | None = None,
    ) -> None:  # fmt: skip
        self.table, self.who, self.now, self.memory, self.w = table, who, now, memory, weights
        self.me = table.minis[who]
        self.side = self.me.side
        left = table.field.left  # who has lain there since an earlier evening is none of them
        own = [m for m in table.board.miniatures if m.side == self.side and not is_bound(m) and not left.fate(m.id)]
        self.own: Sequence[Miniature] = own
        """All of the party, the fallen included."""
        up = set(standing(table, [m.id for m in own]))
        self.party: Sequence[Miniature] = [m for m in own if m.id in up] or [self.me]
        """Those who can act."""
        self.foes: Sequence[Miniature] = [m for m in table.board.miniatures if hostile(table.state, m, self.side)]
        """Adversaries in sight who are up."""
        self.group: Sequence[Miniature] = [m for m in self.party if group is None or m.id in group] or [self.me]
        """Those who go together: all of them, or those who have lost the others."""
        self._lands: dict[tuple[Bitboard, bool], Land] = {}
        self.leader = self._leader()
        self.leads = self.leader.id == who

    def _leader(self) -> Miniature:
        """Who goes first: the first of them who is not badly hurt; one whom a person plays, if there is any."""
        able = [m for m in self.persons or self.group if m.life >= self.w.leads * m.most]
        return able[0] if able else (self.persons or self.group)[0]

    @cached_property
    def astray(self) -> list[Miniature]:
        """Those of the party who knew no way to its first a moment ago."""
        astray, since = self.memory.astray, self.now.minute - 1
        return [m for m in self.party if astray.get(m.id, since - 1) >= since]

    @cached_property
    def persons(self) -> list[Miniature]:
        """Those of the party whom persons play, as far as can be told: the computer is asked for its own in order, so
        in the first turn those before whoever decides were not asked, and later who was not for long."""
        asked, now = self.memory.asked, self.now.minute
        names = [m.id for m in self.party]
        if now < self.memory.begun_at + 2:
            before = names[: names.index(self.who)] if self.who in names else []
            return [m for m in self.party if m.id not in asked] if any(n not in asked for n in before) else []
        since = now - self.w.idle
        return [m for m in self.party if m.id in self.memory.company and asked.get(m.id, since - 1) < since]

    # -- how they are

    @cached_property
    def health(self) -> float:
        """What is left of the party's life, in parts."""
        return sum(m.life for m in self.party) / max(1, sum(m.most for m in self.party))

    @cached_property
    def fallen(self) -> list[Miniature]:
        """Friends who lie there and live."""
        return [m for m in self.own if m.out and not m.dead and m.cell >= 0]

    @cached_property
    def helpable(self) -> list[Miniature]:
        """Those of them to whom it is worth to come: it was not in vain yet, and they lie on known ground."""
        spent, most = self.memory.spent, self.w.visits
        return [m for m in self.fallen if spent.get((AimKind.FRIEND, m.id), 0) < most and self.known >> m.cell & 1]

    @cached_property
    def hurt(self) -> list[Miniature]:
        """Those of the party whose wounds are worth seeing to, the worst first."""
        found = [m for m in self.own if not m.out and m.life < self.w.nicked * m.most and m.cell >= 0]
        return sorted(found, key=share)

    @cached_property
    def mending(self) -> bool:
        """Whether the party stays where it is until its wounds are seen to: as long as that goes on."""
        memory = self.memory
        if not self.hurt or not self.quiet or self.persons or self.helpable or memory.mends >= self.w.mends:
            return False
        return self.taken_up or self.now.minute - memory.mended <= self.w.seen_to

    @cached_property
    def taken_up(self) -> bool:
        """Whether somebody of the party is in the midst of what takes longer."""
        index, busy = numbers(self.table.state), self.now.busy
        return any(busy[who] for m in self.party if (who := index.get(m.id, len(busy))) < len(busy))

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """Everybody in figures."""
        return {p.id: p for p in advisor_of(self.table.ruleset).pieces(self.table.state)}

    def power(self, minis: Iterable[Miniature], surprised: float = 1.0) -> float:
        """What some amount to in a fight: about 1 for an ordinary one unhurt. `surprised`: who is off guard counts for
        so much of it."""
        total = 0.0
        for mini in minis:
            total += self.worth(mini) * share(mini) * (surprised if off_guard(mini) else 1.0)
        return total

    def might(self, foes: Iterable[Miniature], surprised: float = 1.0) -> float:
        """What foes amount to: more than by what they are worth where it takes long to fell them, or where they
        outdo anybody of the party by far; these are no easier asleep."""
        ruleset, state, total = self.table.ruleset, self.table.state, 0.0
        best = max((self.worth(m) for m in self.party), default=1.0)
        for foe in foes:
            giant = outdoes(self.worth(foe), best, self.w)
            factor = max(giant, stout(ruleset, state, foe.id, self.w))
            total += factor * self.power((foe,), surprised if giant <= 1.0 else 1.0)
        return total

    def worth(self, mini: Miniature) -> float:
        """What losing somebody means to its side."""
        piece = self.pieces.get(mini.id)
        return piece.value if piece is not None else 1.0

    @cached_property
    def odds(self) -> float:
        """The party's power against that of the foes in sight."""
        theirs = self.might(self.foes, self.w.asleep)
        return self.power(self.party) / theirs if theirs else 1e9

    @cached_property
    def apart(self) -> int:
        """Spaces between the party and the nearest foe in sight."""
        distance = self.table.terrain.distance
        pairs = [(m, foe) for m in self.party for foe in self.foes]
        return min((distance(m.cell, foe.cell, m.size, foe.size) for m, foe in pairs), default=1 << 20)

    # -- the ground

    @cached_property
    def known(self) -> Bitboard:
        """Ground that was seen."""
        return self.memory.seen

    @cached_property
    def jumps(self) -> Jumps:
        """What leads on beside steps."""
        return jumps_of(self.table.opened, self.known, self.memory.banned, self.crowd)

    @cached_property
    def walls(self) -> Bitboard:
        """Spaces that nobody enters: unknown ground, and where somebody stands who isn't of the party."""
        found = self.table.terrain.everywhere & ~self.known
        for mini in self.table.board.miniatures:
            if not mini.out and mini.cell >= 0 and (mini.side != self.side or is_bound(mini)):
                found |= self.table.terrain.footprint(mini.cell, mini.size)
        return found

    @cached_property
    def shunned(self) -> Bitboard:
        """Spaces that nobody goes over who can help it: traps, and around foes that are left alone."""
        found = self.traps
        for cell, power in self.memory.feared.values():
            if self.power(self.party) < power * self.needed:
                found |= self.table.terrain.within(cell, self.w.shuns)
        return found

    @cached_property
    def traps(self) -> Bitboard:
        """Spaces that do harm."""
        found = EMPTY
        for mark in self.table.board.ground:
            if mark.kind in HARMFUL:
                found |= mark.cells
        return found

    @cached_property
    def dread(self) -> Bitboard:
        """Spaces around foes that are far too strong for the party: nothing there is worth it."""
        found = EMPTY
        for cell, power in self.memory.feared.values():
            if self.power(self.party) < power * self.w.dread:
                found |= self.table.terrain.within(cell, 2 * self.w.shuns)
        return found

    @cached_property
    def near(self) -> Bitboard:
        """Known ground near whoever leads."""
        found = EMPTY
        for layer in self.ahead.layers[: self.w.nearby]:
            found |= layer
        return beside(self.table.terrain, Bitboard(found)) & self.known

    @cached_property
    def edge(self) -> Bitboard:
        """Known ground from which more is to be seen."""
        return Bitboard(dark_edge(self.table) & ~self.memory.dull)

    @property
    def unknown(self) -> Bitboard:
        """The same, and ground before doors where nobody was."""
        return Bitboard(self.edge | self.doors)

    @cached_property
    def doors(self) -> Bitboard:
        """Ground at shut doors that nobody has come to."""
        found = EMPTY
        for number, door in enumerate(self.table.field.doors):
            if not self.table.terrain.doors_open >> number & 1 and self.known >> door.cell & 1:
                found |= door.spaces & ~self.memory.trodden
        return Bitboard(found)

    @cached_property
    def unlit(self) -> bool:
        """Whether whoever leads stands in the dark, with no light that falls there."""
        terrain = self.table.terrain
        if not dark(terrain) or not getattr(getattr(self.table.state, "setup", None), "darkness", False):
            return False
        return not self.lit_at(self.leader.cell)

    def lit_at(self, cell: Cell) -> bool:
        """Whether any light falls on a space of a dark map."""
        table = self.table
        return bool(lit(table.terrain, table.ruleset.lamps(table.state)) >> cell & 1)

    @property
    def needed(self) -> float:
        """So many times the foes' power the party has to have before it falls upon them."""
        return self.w.dares * self.w.bolder**self.memory.daring

    def land(self, sources: Bitboard, *, anyhow: bool = False) -> Land:
        """The distances from some spaces; `anyhow`: over what is shunned, too."""
        found = self._lands.get((sources, anyhow))
        if found is None:
            blocked = Bitboard((self.walls if anyhow else self.walls | self.shunned) & ~(1 << self.me.cell))
            found = self._lands[sources, anyhow] = land(self.table.opened, sources, blocked, self.jumps)
        return found

    @cached_property
    def ahead(self) -> Land:
        """From whoever leads."""
        return self.land(Bitboard(1 << self.leader.cell))

    @cached_property
    def ahead_anyhow(self) -> Land:
        """The same, over what is shunned, too."""
        return self.land(Bitboard(1 << self.leader.cell), anyhow=True)

    def reaches(self, mini: Miniature) -> bool:
        """Whether whoever decides knows a way to another of the party."""
        there = Bitboard(1 << mini.cell)
        return any(self.land(there, anyhow=anyhow).cost(self.me.cell) < UNREACHABLE for anyhow in (False, True))

    def around(self, cells: Bitboard) -> Bitboard:
        """The spaces from which hands reach some spaces."""
        return beside(self.table.terrain, cells) & self.known & ~self.table.terrain.blocked

    @cached_property
    def crowd(self) -> Bitboard:
        """Where the others of the party stand."""
        return board_of(m.cell for m in self.party if m.id != self.who)

    @cached_property
    def exits(self) -> Bitboard:
        """Where one can leave, as far as it was seen; where there is no exit at all, where they came from."""
        exits = self.table.field.exits
        begun = self.memory.begun
        return Bitboard(exits & self.known) if exits else board_of((begun,)) if begun >= 0 else EMPTY

    # -- packs

    @cached_property
    def pack(self) -> Pack | None:
        """What whoever decides carries; None where the rules count no room."""
        found = self.table.ruleset.sheet(self.table.state, self.who).pack
        if found is not None and self.who not in self.memory.kit:
            self.memory.kit[self.who] = tuple(held.label for held in found.held)
        return found

    @cached_property
    def room(self) -> int:
        """What is free of it; plenty where no room is counted."""
        return PLENTY if self.pack is None else self.pack.room - sum(held.slots for held in self.pack.held)

    @cached_property
    def worn(self) -> bool:
        """Whether nobody of those who can act has any room left in the pack, with all let go that could be."""
        full = 0
        for mini in self.party:
            pack = self.table.ruleset.sheet(self.table.state, mini.id).pack
            full += pack is not None and sum(held.slots for held in pack.held) >= pack.room
        return full == len(self.party)

    @cached_property
    def wanted(self) -> frozenset[str]:
        """Things and people that the party is out for."""
        return frozenset(goal.what for goal in self.table.field.goals if goal.side == self.side)

    # -- deeds

    def may_rest(self, mini: Miniature) -> bool:
        """Whether a rest would still give somebody of the party something back."""
        if not self.quiet or mini.life >= mini.most or mini.id not in self.everybody.decisions:
            return False
        cared, most = self.memory.cared, self.w.rests
        return any(cared.get(deed(action), 0) < most for action in self.everybody.actions(mini.id, "rest"))

    @cached_property
    def everybody(self) -> Table:
        """The table with the decisions of all who may still do something in this turn."""
        table = self.table
        return Table(table.ruleset, table.state, table.board, table.known, table.ruleset.decisions(table.state))

    def actions(self, word: str) -> tuple[Action, ...]:
        """What whoever decides may do of a word."""
        return self.table.actions(self.who, word)

    @cached_property
    def dear(self) -> bool:
        """Whether it is left to chance what comes of a turn that passes now: of staying on too long, say."""
        ruleset, state = self.table.ruleset, self.table.state
        return any(ruleset.odds(state, action) is not None for action in self.actions("end"))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that those who go together carry."""
        return frozenset(key for mini in self.group for key in self.table.keys(mini.id) if key)

    @cached_property
    def quiet(self) -> bool:
        """Whether nobody is in sight who would disturb."""
        return not self.foes


def stout(ruleset: System, state: State, name: str, weights: DelvingWeights) -> float:
    """How many times its worth somebody amounts to in a fight, who takes longer to fell than others: 1 for most."""
    return max(1.0, advisor_of(ruleset).endures(state, name) / weights.endures)


def share(mini: Miniature) -> float:
    """What is left of somebody's life, in parts."""
    return mini.life / max(1, mini.most)


def outdoes(value: float, best: float, weights: DelvingWeights) -> float:
    """How many times its worth somebody amounts to by being more than the `best` of a party: 1 for most."""
    ratio = value / max(best, 0.1)
    return ratio**3 if ratio >= weights.giant else 1.0


def stable(mini: Miniature) -> bool:
    """Whether somebody who lies there is in no danger any more."""
    return _marked(mini, (STABLE,))


def asleep(mini: Miniature) -> bool:
    """Whether somebody sleeps."""
    return _marked(mini, (ASLEEP,))


def off_guard(mini: Miniature) -> bool:
    """Whether somebody sleeps, or looks nowhere."""
    return _marked(mini, OFF_GUARD)


def _marked(mini: Miniature, icons: Collection[str]) -> bool:
    """Whether somebody bears a badge with one of these pictures: what a condition is known by under all rules."""
    return any(badge.icon in icons for badge in mini.badges)


def delves(state: State) -> bool:
    """Whether there is more to do than to find foes: an expedition."""
    now = exploring_of(state)
    return now is not None and now.crawl


def exploring_of(state: State) -> Exploring | None:
    """How the exploration stands, where the rules have one."""
    found = getattr(state, "explore", None)
    return found if isinstance(found, Exploring) else None


def hostile(state: State, mini: Miniature, side: str) -> bool:
    """Whether somebody in sight is to be fought: up, of another side, and not at peace with one's own."""
    if mini.side in (side, CAPTIVES) or mini.out or mini.cell < 0:
        return False
    now, who = exploring_of(state), numbers(state).get(mini.id)
    return now is None or who is None or who >= len(now.attitude) or now.attitude[who] < Attitude.WARY
