"""Searching: where foes were seen last, else a round of the whole ground that everybody walks in step; where
something may be hidden, by turns with a search for it.

To which post one goes next follows from the turn alone, so two sides that know nothing of each other meet at the same
posts. Who has looked at its post before the next one is due looks into the corners that nobody of its side has seen in
this round.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.controllers.ai import routes
from game.controllers.ai.advisors.planning import (
    Advance,
    Ambush,
    Begin,
    Breathe,
    Clear,
    Light,
    Measure,
    Mend,
    Outlook,
    Pass,
    Rise,
)
from game.controllers.ai.factors import load_weights
from game.controllers.ai.position import Position
from game.controllers.ai.thinking import Option
from rules.board.bitboard import first_of
from rules.board.grid import Field, Terrain
from rules.board.path import UNREACHABLE
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell

Posts = tuple[Cell, ...]
"""The posts of a round, in order."""


class Hunt:
    """What one side remembers of the foes that it saw in one fight. It holds nothing that the side hasn't seen."""

    def __init__(self) -> None:
        self.field: Field | None = None
        self.turn = 0
        self.last: dict[str, Cell] = {}
        """Foe -> where it may be: the space where it was seen last, then where it is hidden next to that."""
        self._seen: dict[str, int] = {}  # foe -> the turn in which it was seen last
        self._looked: dict[tuple[Posts, str], tuple[int, Bitboard]] = {}
        """(a round, a span of it) -> (the span's number, the spaces seen in it)."""

    def remember(self, position: Position) -> None:
        """Take in what the side sees now; another fight starts with an empty memory."""
        if self.field is not position.terrain.field or position.turn < self.turn:
            self.field = position.terrain.field
            self.last, self._seen = {}, {}
            self._looked = {}
        self.turn = position.turn
        if not self.last and not position.foes:
            return
        for foe in position.foes:
            self.last[foe.id], self._seen[foe.id] = foe.cell, position.turn
        if len(self.last) > len(position.foes):
            self._forget(position)

    def _forget(self, position: Position) -> None:
        """Those that fell. Those that aren't where they were have gone where nobody sees, as near to it as may be; of
        whom there is no trace for too long nobody knows anything."""
        seen, w = position.ruleset.sees(position.state, position.side), position.weights.search
        known = {foe.id for foe in position.foes}
        out = {piece.id for piece in position.pieces if piece.out}
        for name, cell in list(self.last.items()):
            if name in out:
                del self.last[name]
            elif name not in known and seen >> cell & 1:
                fresh = position.turn - self._seen[name] <= w.traces
                hidden = self._hidden(position, cell, seen) if fresh else NOWHERE
                if hidden == NOWHERE:
                    del self.last[name]
                else:
                    self.last[name] = hidden

    @staticmethod
    def _hidden(position: Position, cell: Cell, seen: Bitboard) -> Cell:
        """The space nearest to another that nobody of the side sees; nowhere if there is none, or no way to it."""
        me, terrain = position.me, position.terrain
        if me is None:
            return NOWHERE
        ground = _ground(terrain, position.doors, me.cell, me.size) & ~seen
        if not ground:
            return NOWHERE
        return first_of(routes.Priced(routes.far(terrain, position.doors, (cell,), 1)).nearest(ground))

    def goals(self, position: Position, *, takes_in: bool = True) -> tuple[Cell, ...]:
        """The spaces to go to; empty while foes are known. `takes_in`: whether it is noted what is seen there."""
        if position.foes or position.me is None:
            return ()
        if self.last:
            return tuple(dict.fromkeys(self.last.values()))
        me, turn = position.me, position.turn
        posts, period = posts_of(position.terrain, position.doors, me.cell, me.size)
        if routes.hides(position.terrain):  # by turns with the round: foes may as well be this side of what is hidden
            stretch, past = divmod(turn, period)
            halved = stretch // 2 * period + past
            place = routes.search_post(position.terrain, position.doors, me.cell, me.size, halved)
            if place is not None and not stretch % 2:
                return (place,)
            turn = turn if place is None else halved
        if not posts:
            return ()
        seen = position.ruleset.sees(position.state, position.side)
        first = turn // period
        lately = self._look(posts, "post", first, seen, takes_in)
        before = self._look(posts, "round", first // len(posts), seen, takes_in)
        order = [posts[(first + i) % len(posts)] for i in range(len(posts))]
        if lately >> order[0] & 1:
            corners = _ground(position.terrain, position.doors, me.cell, me.size) & ~before
            if corners:
                ways = routes.Priced(routes.far(position.terrain, position.doors, (me.cell,), me.size))
                return (first_of(ways.nearest(corners)),)
        return (next((post for post in order if not lately >> post & 1), order[0]),)

    def _look(self, posts: Posts, span: str, number: int, seen: Bitboard, takes_in: bool = True) -> Bitboard:
        """What has been seen in this span of a round, with what is seen now, which is noted if it is taken in."""
        of, before = self._looked.get((posts, span), (number, EMPTY))
        looked = seen | before if of == number else seen
        if takes_in:
            self._looked[posts, span] = number, looked
        return looked


def posts_of(terrain: Terrain, doors: tuple[str, ...], cell: Cell, size: int) -> tuple[Posts, int]:
    """(posts of a round through all ground that can be come to from a space, turns to spend on each). Remembered."""
    ground = _ground(terrain, doors, cell, size)
    if not ground:
        return (), 1
    key = ("posts", doors, ground & -ground, ground.bit_count(), size)
    found: tuple[Posts, int] | None = terrain.memo.get(key)
    if found is None:
        found = terrain.memo[key] = _posts(terrain, doors, ground, size)
    return found


def _ground(terrain: Terrain, doors: tuple[str, ...], cell: Cell, size: int) -> Bitboard:
    """All that can be come to from a space where one has room. Ways lead both ways, so all of it knows the same."""
    memo: list[Bitboard] = terrain.memo.setdefault(("grounds", doors, size), [])
    for known in memo:
        if known >> cell & 1:
            return known
    found = routes.far(terrain, doors, (cell,), size).ground() & terrain.steps(size).fit
    if found >> cell & 1:
        memo.append(found)
    return found


def _posts(terrain: Terrain, doors: tuple[str, ...], ground: Bitboard, size: int) -> tuple[Posts, int]:
    """Each post the farthest from those before; the first two are the ends of the ground."""
    w = load_weights().search
    posts: list[Cell] = []
    post, widest = first_of(ground), 0
    while len(posts) < w.posts:
        posts.append(post)
        prices = routes.far(terrain, doors, posts, size)
        post = first_of(routes.Priced(prices).farthest(ground))
        if len(posts) == 1:
            widest = prices[post]
        if prices[post] <= w.spacing:
            break
    return tuple(posts), max(3, -(-min(widest, 400) // w.stride))


def weighed(position: Position, outlook: Outlook, goals: Sequence[Cell]) -> list[Option]:
    """What could be done with the minute, best first; ties in the ruleset's order."""
    me = position.me
    assert me is not None
    w = position.weights.scouting
    found = list(position.advisor.measures(position.state, position.decision))
    targets = [foe.cell for foe in position.foes] or list(goals)
    prices = routes.far(position.terrain, position.doors, targets, me.size) if targets else None
    here = UNREACHABLE if prices is None else prices[me.cell]
    fear = w.caught * max(0.0, 1.0 - position.turn / w.bold)
    options = [
        _option(measure, _reasons(position, outlook, measure, here=here, prices=prices, fear=fear)) for measure in found
    ]
    options.append(Option(outlook.end, 0.0, (("keeping still", 0.0),), plan=(outlook.end,), cell=me.cell, label="Wait"))
    return [options[i] for i in sorted(range(len(options)), key=lambda i: (-round(options[i].score, 9), i))]


def _option(measure: Measure, reasons: list[tuple[str, float]]) -> Option:
    action = measure.action
    label = action.do.replace("_", " ").capitalize()
    cell = measure.cell if isinstance(measure, Advance | Pass) else NOWHERE
    return Option(action, sum(v for _, v in reasons), tuple(reasons), plan=(action,), cell=cell, label=label)


def _reasons(
    position: Position, outlook: Outlook, measure: Measure, *, here: int, prices: routes.Prices | None, fear: float
) -> list[tuple[str, float]]:
    w = position.weights.scouting
    if isinstance(measure, Advance) and prices is not None and measure.cell >= 0:
        there = prices[measure.cell]
        gain = 0.0 if there >= UNREACHABLE else float(min(here, 400) - there)
        chance = 1.0 - measure.chance * (1.0 - w.unknown * measure.openly)
        return [("nearer to the foe", gain), ("chance to be noticed", -fear * chance), ("trouble", -w.trouble)]
    if isinstance(measure, Pass | Clear):
        return [("opens a way", w.opens * measure.chance)]
    if isinstance(measure, Rise):
        return [("on one's feet", w.mends)]
    if isinstance(measure, Breathe) and not position.foes:
        return [("one's breath back", w.mends)]
    if isinstance(measure, Mend):
        return [("help for a friend", w.mends * measure.chance)]
    if isinstance(measure, Light):
        chance = 1.0 - measure.chance
        return [("a light to see by", w.lights), ("chance to be noticed", -fear * chance)]
    if isinstance(measure, Ambush) and position.foes:
        return [("the moment to strike", _moment(position, outlook, here))]
    if isinstance(measure, Begin) and position.turn >= 2 * w.bold:
        return [("it has taken long enough", w.enough)]
    return [("of no use now", -1.0)]


def _moment(position: Position, outlook: Outlook, here: int) -> float:
    """What falling upon the foe now is worth: much from near by with friends at hand, a little from farther off."""
    w = position.weights.scouting
    if here > w.far and position.turn < w.bold:
        return -1.0
    me, distance = position.me, position.terrain.distance
    if position.turn < w.waits and me is not None:
        _, nearest = min((distance(me.cell, foe.cell), foe.cell) for foe in position.foes)
        if any(distance(friend.cell, nearest) > here + w.apart for friend in position.friends):
            return -1.0
    return w.moment if here <= w.near else w.afar
