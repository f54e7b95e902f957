"""What a creature may plan in its side's half: one move and one action, in either order (cairn.md §1, §2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from fractions import Fraction

import msgspec

from rules.board.grid import Terrain
from rules.board.path import Reach, reach
from rules.cairn import conditions as cond
from rules.cairn.gear import Weapon
from rules.cairn.magic.ground import beside, ground_for, warded
from rules.cairn.state import TETHER, WORDS, CairnState, Figure, Plan, Resolution
from rules.cairn.visibility import hidden_from, known_snares, sees
from rules.contract.actions import Action, Offer
from rules.contract.ruleset import Odds
from rules.contract.text import Place, text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.core.action_kinds import ActionKind

STAND = 2
"""Spaces of movement that standing up takes (10 ft)."""
LAME = 2
"""Spaces a move of somebody with a broken or hamstrung leg."""


def suffers(figure: Figure) -> cond.Condition | None:
    """What somebody could break free of, or be freed of by a friend; first what holds it in place."""
    for names in (cond.HOLDING, cond.HANGING_ON):
        for each in figure.lasting:
            if each.name in names:
                return cond.CONDITIONS[each.name]
    return None


def planned_end(plan: Plan, figure: Figure) -> Cell:
    """Where somebody will stand when it has gone all that it plans to go."""
    if plan.second_path:
        return plan.second_path[-1]
    return plan.path[-1] if plan.path else figure.cell


class Context:
    """A creature's situation while it plans, read once."""

    def __init__(self, state: CairnState, who: CreatureIx) -> None:
        self.state = state
        self.setup = state.setup
        self.who = who
        self.beings = state.setup.beings
        self.being = self.beings[who]
        self.plan: Plan = state.plans[who] or Plan()
        self.figure: Figure = state.figures[who].without(self.plan.drops)
        """As it will be when it acts: what it plans to drop is gone by then."""
        self.terrain: Terrain = state.terrain
        self._crowd: tuple[Bitboard, Bitboard] | None = None

    @property
    def actor(self) -> str:
        return self.being.id

    @property
    def place(self) -> Cell:
        """Where it will stand after what it has planned so far."""
        return planned_end(self.plan, self.figure)

    @property
    def stand(self) -> Cell:
        """Where it will stand when it does what it has planned to do: a move planned after that comes later."""
        return self.figure.cell if self.plan.action_first else self.place

    @property
    def budget(self) -> int:
        """Spaces of one move (cairn.md §2.7); difficult ground counts double."""
        if self.figure.cannot(cond.Forbid.MOVE):
            return 0
        if self.figure.critical:
            return 1
        speed = min(LAME, self.being.speed) if self.figure.lame else self.being.speed
        for condition, pace in cond.PACES if self.figure.lasting else ():
            if self.figure.has(condition):
                speed = pace(speed)
        return speed

    @property
    def ground(self) -> Terrain:
        """The ground as it goes over it."""
        return ground_for(self.terrain, self.being, self.figure)

    def crowd(self) -> tuple[Bitboard, Bitboard]:
        """Bitboards of (foes, allies): foes can't be passed; nobody's space may be ended on. Foes whom its side does
        not see are no part of a plan: a movement ends before them."""
        if self._crowd is None:
            self._crowd = self._crowded()
        return self._crowd

    def _crowded(self) -> tuple[Bitboard, Bitboard]:
        foes = allies = EMPTY
        seen = None
        side, footprint, plans = self.being.side, self.terrain.footprint, self.state.plans
        for i, other in numbered(self.state.figures):
            if i == self.who or not other.fighting:
                continue
            being = self.beings[i]
            if being.side == side:
                planned = plans[i]  # it will have left by then, and stand elsewhere
                allies |= footprint(other.cell if planned is None else planned_end(planned, other), being.space)
                continue
            board = footprint(other.cell, being.space)
            if seen is None:
                seen = self._known_cells()
            if board & seen and not hidden_from(self.state, i, (self.being.side,)):
                foes |= board
        if self.state.aims is not None:  # nobody stays where a prisoner stands
            allies |= self.state.aims.spaces
        return foes, allies

    def _known_cells(self) -> int:
        """The spaces in which its side sees somebody stand; in an observed state all, whoever is unseen is gone."""
        if self.state.viewer:
            return self.terrain.everywhere
        return sees(self.state, self.being.side)

    def ways(self, start: Cell, budget: int, avoid: int = 0) -> Reach:
        """Where it could go from a space; `avoid` are spaces that a planner goes round."""
        foes, allies = self.crowd()
        shut = (foes | self.wards() | self.leash(start) | avoid) & ~self.terrain.footprint(start, self.being.space)
        return reach(
            self.ground, start, max(0, budget), size=self.being.space, blocked=shut,
            unstoppable=allies | self.terrain.pits | known_snares(self.state, self.who),
        )  # fmt: skip

    def wards(self) -> int:
        """Spaces that a ward keeps it out of."""
        return warded(self.setup, self.state.zones, self.who) if self.state.zones else 0

    def leash(self, start: Cell) -> int:
        """Spaces that nothing of it may touch on a way from `start`, as they are too far from whom it is tethered to;
        whom magic has taken farther away goes no farther still."""
        beyond, wide = 0, self.being.space - 1
        for each in self.figure.lasting:
            other = self.setup.index.get(each.by) if each.name == cond.TETHERED.name else None
            if other is not None and self.state.figures[other].present:
                space = self.beings[other].space
                place = Context(self.state, other).place
                far = max(TETHER, self.terrain.distance(start, place, self.being.space, space))
                near = self.terrain.within(place, far + wide, space)
                beyond |= self.terrain.everywhere & ~near
        return beyond

    def hands_tied(self, harm: bool = False) -> str | None:
        """Why it can do nothing with its hands, or, where it would do `harm`, raises none; or None."""
        if self.figure.cannot(cond.Forbid.HANDS):
            return "smoke holds and strikes nothing"
        return "pacified: it raises no hand" if harm and self.figure.cannot(cond.Forbid.HARM) else None

    def befriended(self, other: CreatureIx) -> bool:
        """Whether it is charmed or enthralled by somebody of the other's side, and won't harm them."""
        for each in self.figure.lasting:
            if each.name in cond.BEFRIENDING:
                friend = self.setup.index.get(each.by)
                if friend is None or self.beings[friend].side == self.beings[other].side:
                    return True
        return False

    def standing_cost(self) -> int:
        """Spaces that getting up takes from the next movement: from the first one alone."""
        return STAND if self.figure.prone and not self.plan.stand and self.place == self.figure.cell else 0

    def others(self) -> Iterator[CreatureIx]:
        for i, other in numbered(self.state.figures):
            if i != self.who and other.present:
                yield i

    def foes(self) -> Iterator[CreatureIx]:
        """Those of other sides."""
        for i, other in numbered(self.state.figures):
            if other.present and self.beings[i].side != self.being.side:
                yield i

    def known(self) -> Iterator[CreatureIx]:
        """The others of whom its side knows that they are there."""
        seen = self._known_cells()
        for i in self.others():
            board = self.terrain.footprint(self.state.figures[i].cell, self.beings[i].space)
            own = self.beings[i].side == self.being.side
            if own or (board & seen and not hidden_from(self.state, i, (self.being.side,))):
                yield i

    def distance(self, other: CreatureIx) -> int:
        cell = self.state.figures[other].cell
        return self.terrain.distance(self.place, cell, self.being.space, self.beings[other].space)

    def beside(self, other: CreatureIx) -> bool:
        """Whether another will be within its hands' reach."""
        return beside(self.state, self.who, self.place, other)

    def stretch(self, weapon: Weapon) -> int:
        """Spaces that elastic arms add to a weapon's reach."""
        return 1 if weapon.reach and self.figure.has(cond.ELASTIC) else 0

    def aware(self, other: CreatureIx) -> bool:
        """Whether its side may plan something against another: in fog only against whom it sees now, or a plan that is
        refused or not would tell where somebody is; without fog all are on everybody's board."""
        if not self.setup.fog or self.state.viewer or self.beings[other].side == self.being.side:
            return True
        board = self.terrain.footprint(self.state.figures[other].cell, self.beings[other].space)
        return bool(board & self._known_cells()) and not hidden_from(self.state, other, (self.being.side,))

    def find(self, name: str | None) -> CreatureIx | None:
        """The number of a creature on the board by its id, or None."""
        who = self.setup.index.get(name or "")
        return who if who is not None and self.state.figures[who].present else None

    def aimed(self, name: str | None) -> CreatureIx | None:
        """The same of one whom its side may aim at."""
        who = self.find(name)
        return who if who is not None and self.aware(who) else None

    def action_open(self) -> str | None:
        """Why no action may be planned any more, or None."""
        if self.figure.critical:
            return "critical damage: it can only crawl"
        if self.plan.action is not None:
            return text("one action a round; {do} is planned (plan anew, by clear, to change it)", self.plan.action.do)
        return None

    def name(self, cell: Cell) -> Place:
        return Place(*self.terrain.field.at(cell))


Notes = tuple[tuple[str, str], ...]
"""What there is to know of odds: a sentence and its rule."""


class Phase(Enum):
    """When in a side's half a planned thing is carried out (cairn.md §1 The order within a half)."""

    ASIDE = auto()  # before everything else: what is let go, or looked away from
    MOVE = auto()
    BY_THE_WAY = auto()  # with the move: what is picked up
    RISK = auto()  # what is risked comes before attacks (A2)
    ATTACK = auto()
    OTHER = auto()  # everything else comes after them
    PLANNING = auto()  # never: it is about the plan itself


class CairnKind(ActionKind[Context]):
    """The home of one kind of action of Cairn: planned first, carried out in its phase of the half."""

    phase = Phase.OTHER
    rank = 3  # how soon its button earns a place where room is scarce (`Description.rank`)
    last = False  # once it is planned the plan stands
    whole_turn = False
    noticed = True  # it is something that somebody could be waiting for
    reveals = True  # nobody stays invisible who does it
    turns: int | None = 1  # actions of a dungeon turn that it takes; None where it belongs to fights alone
    aimed = False  # in an exploration it is for one's own side alone
    loud = False  # it is heard far off

    def settled(self, context: Context, action: Action) -> Action:
        """An instance with what it left open."""
        return action

    def planned(self, plan: Plan, action: Action) -> Plan:
        """The plan with this in it."""
        return msgspec.structs.replace(plan, action=action, uses=self.uses(action), whole_turn=self.whole_turn)

    def uses(self, action: Action) -> tuple[str, ...]:
        """What must still be carried when it is carried out."""
        return tuple(action.weapon.split(" + ")) if action.weapon else (action.item or "",)

    def word(self, action: Action) -> str:
        """An instance in a word or two, for those who see the plan."""
        return action.item or (action.option or action.do).replace("_", " ").capitalize()

    def offer(self, context: Context) -> Offer:
        """Its button, with how soon it earns a place."""
        offer = super().offer(context)
        return msgspec.structs.replace(offer, description=msgspec.structs.replace(offer.description, rank=self.rank))

    def attack(self, resolution: Resolution, who: CreatureIx, action: Action) -> Action | None:
        """The attack that it comes to when those of the side fall; None for what is none."""
        return None


class ByHand(CairnKind):
    """What takes free hands and the action."""

    harms = False  # whether it is done to somebody's harm: the pacified refuse that alone

    def why_not(self, context: Context) -> str | None:
        return context.hands_tied(self.harms) or context.action_open()


def save_odds(chance: Fraction, words: tuple[str, str], dice: str, notes: Notes, drop: Fraction = Fraction(0)) -> Odds:
    """The odds of what a single save decides; `words` are what it comes to if it is passed and if not."""
    named = ((words[0], float(chance)), (words[1], float(1 - chance)))
    return Odds(
        hit=float(chance), outcomes=tuple((word, p) for word, p in named if p), damage=(), mean=0.0,
        drop=float(drop), attack_dice=dice, defense_dice="a d20" if dice != NO_SAVE else "nothing", notes=notes,
    )  # fmt: skip


NO_SAVE = "no save"


def save_of(figure: Figure, attribute: str) -> str:
    """A save as odds name it: `STR save 12`."""
    return text("{attribute} save {score}", WORDS[attribute], figure.score(attribute))
