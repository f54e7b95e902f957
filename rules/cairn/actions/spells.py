"""Casting and using: Fatigue, danger and charges first, then what the power does (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rules.board.bitboard import board_of, cells_of, first_of
from rules.board.sight import Grade, visible
from rules.cairn.actions.context import CairnKind, Context
from rules.cairn.combat.attack import Chances
from rules.cairn.combat.injury import wound
from rules.cairn.conditions import AVERTED, CASTING, CURED, DEPRIVED, FATIGUE, INVISIBLE, Forbid
from rules.cairn.gear import SLOTS, SPELLS, Effect, Gear, Power
from rules.cairn.magic import effects
from rules.cairn.magic.ground import GAZE, HEARD, MAGIC, area_cells, drop_item, outermost, sight_between, spend, walled
from rules.cairn.state import WORDS, Figure, Lasting, Resolution, Setup, filled, save_chance, voiceless
from rules.cairn.visibility import door_named, unseen
from rules.contract.actions import Action
from rules.contract.events import Cast as Worked
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx
from rules.core.action_kinds import Face


class Source(NamedTuple):
    """A power at hand, and the item that holds it: none for one's own."""

    power: Power
    item: Gear | None = None

    @property
    def book(self) -> bool:
        """It is a spellbook's, and costs Fatigue."""
        return self.item is not None and self.item.kind == "book"

    @property
    def spell(self) -> bool:
        """It is cast from a book or a scroll, which may fail in danger."""
        return self.item is not None and self.item.kind in SPELLS


def source(context: Context, name: str | None) -> Source | None:
    """The power meant by an item's name or a power's own."""
    armoury = context.setup.armoury
    item = armoury.gear.get(name or "")
    if item is not None and item.power and item.name in context.figure.carried:
        return Source(armoury.powers[item.power], item)
    return Source(armoury.powers[name or ""]) if name in context.being.powers else None


def too_far(
    context: Context, power: Power, way: tuple[Cell, Cell], who: CreatureIx | None = None, *, aim: str = "target"
) -> str | None:
    """Why a power does not reach over a way (from, to), on whose end `who` stands."""
    place, cell = way
    size = context.beings[who].space if who is not None else 1
    distance = context.terrain.distance(place, cell, context.being.space, size)
    if distance > power.reach:
        return text("{aim}: {distance} spaces away; {power} reaches {reach}", aim, distance, power.name, power.reach)
    if power.range == "earshot" or not distance:
        return None
    seen = sight_between(context.state, place, cell, context.being.space, size, by=context.who)
    return text("{aim}: no line of sight", aim) if seen is Grade.NONE else None


def missed(context: Context, power: Power, action: Action) -> str | None:
    """Why a power does not reach what it was aimed at when its time has come: one may not have got there, and friends
    move too. Who has fallen meanwhile is in nobody's reach, but the power is wasted on them (A2)."""
    place = context.figure.cell
    if power.needs in ("creature", "ally"):
        target = context.find(action.target)
        if target is None:
            return None
        cell = context.state.figures[target].cell
        return unseen(context.state, context.who, target, place) or too_far(context, power, (place, cell), target)
    if power.needs == "door":
        number = door_named(context.state, context.being.side, action.target)
        doors = context.terrain.field.doors
        return None if number is None else too_far(context, power, (place, doors[number].cell))
    if power.needs == "space" and action.at is not None:
        return too_far(context, power, (place, action.at), aim="at")
    return None


def uses_left(context: Context, power: Power, item: Gear | None) -> int | None:
    """How often a power can still be used in this fight; None = without limit."""
    used = dict(context.figure.used)
    copies = 0 if item is None else context.figure.carried.count(item.name)
    if item is not None and (item.kind == "scroll" or item.charges):
        return copies if item.kind == "scroll" else item.charges * copies - used.get(item.name, 0)
    return power.uses - used.get(power.name, 0) if power.uses else None


def moving(power: Power) -> Effect | None:
    """The effect that puts somebody on another space, if the power has one."""
    return next((effect for effect in power.effects if effects.EFFECT_KINDS[effect.kind].moves), None)


def seconds(context: Context, power: Power, who: CreatureIx) -> Bitboard:
    """Bitboard of the spaces that could be aimed at besides, for a power on the creature `who`."""
    if power.onto == "space":
        return landings(context, power, who)
    if power.onto == "item":
        near = context.terrain.within(context.place, power.reach, context.being.space)
        return near & board_of(lying.cell for lying in context.state.floor)
    board = 1 << context.place if who != context.who else EMPTY
    for other in context.others():
        cell, sizes = context.state.figures[other].cell, (context.being.space, context.beings[other].space)
        reached = other != who and context.terrain.distance(context.place, cell, *sizes) <= power.reach
        if reached and context.aware(other):
            if sight_between(context.state, context.place, cell, *sizes, by=context.who) is not Grade.NONE:
                board |= 1 << cell
    return board


def landings(context: Context, power: Power, who: CreatureIx) -> Bitboard:
    """The spaces on which somebody could be put, as far as its side knows who stands where."""
    effect = moving(power)
    assert effect is not None
    space = context.beings[who].space
    start = context.place if who == context.who else context.state.figures[who].cell
    foes, allies = context.crowd()
    taken = foes | allies
    if who != context.who:
        taken |= context.terrain.footprint(context.place, context.being.space)
        taken &= ~context.terrain.footprint(start, space)
    cells = context.terrain.within(start, effect.spaces, space) & context.terrain.steps(space).fit
    if effect.name == "leap":
        cells &= visible(context.terrain, start, space)
    return cells & ~context.terrain.touching(taken, space) & ~(1 << start)


def why_not_second(context: Context, power: Power, who: CreatureIx, action: Action) -> str | None:
    """Why the second thing aimed at won't do, or None."""
    words = {"space": "a space to land on", "item": "a thing on the floor", "creature": "a second creature's space"}
    if action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
        return text("at: needs {thing}", words[power.onto])
    if seconds(context, power, who) >> action.at & 1:
        return None
    if power.onto == "space":
        return text("at: {space} is too far, taken or no ground to land on", context.name(action.at))
    return text("at: {space} does not hold {thing} within reach", context.name(action.at), words[power.onto])


BOOK_LOST = 6
"""Faces of the die of STR that a natural 20 costs beside the book (cairn.md §2.10)."""


class Cast(CairnKind):
    """A spellbook's spell, or one's own power."""

    do = "cast"
    aimed = True
    face = Face("Cast", "Act", "action", "item", "cast", "4", "1 Fatigue from a book")
    rank = 2
    done = "cast"

    def names(self, context: Context) -> list[str]:
        """What could be cast or used, by name."""
        return [*(item.name for item in _with_powers(context) if item.kind == "book"), *context.being.powers]

    def held(self, context: Context) -> Iterator[tuple[str, Source]]:
        """What could be cast or used now, with the powers."""
        for name in self.names(context) if self.why_not(context) is None else ():
            found = source(context, name)
            if found is not None:
                yield name, found

    def why_not(self, context: Context) -> str | None:
        if context.figure.cannot(Forbid.HANDS):
            return context.action_open() or "smoke holds nothing"
        return context.action_open() or (None if self.names(context) else "no power at hand")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item not in self.names(context):
            names = joined(", ", self.names(context))
            return text("item: {item} cannot be {done}; there are {names}", repr(action.item), self.done, names)
        found = source(context, action.item)
        assert found is not None
        return self.why_not_with(context, found, str(action.item)) or self._aim(context, found.power, action)

    @staticmethod
    def why_not_with(context: Context, found: Source, name: str) -> str | None:
        """Why something at hand can't be used at all, whatever it is aimed at, or None."""
        power, item = found
        mute = voiceless(context.setup, context.being, context.figure)
        if found.book and (mute or context.figure.one_armed):
            return "a book needs both hands and a voice"
        if HEARD in power.tags and mute:
            return text("{power} needs a voice", power.name)
        left = uses_left(context, power, item)
        if left is not None and left <= 0:
            return text("{item}: used up", name)
        return None

    def _aim(self, context: Context, power: Power, action: Action) -> str | None:
        if power.needs == "none":
            if context.figure.cannot(Forbid.HARM) and effects.does_harm(power):
                return "pacified: it raises no hand"
            return why_not_second(context, power, context.who, action) if power.onto else None
        if power.needs in ("creature", "ally"):
            target = context.aimed(action.target)
            if power.once and context.state.figures[context.who if target is None else target].has(CURED):
                return text("target: {target} has had it today", str(action.target))
            if target is None and action.target != context.being.id:
                return text("target: {target} is not here", repr(action.target))
            who = context.who if target is None else target
            if power.needs == "creature" and who == context.who and power.range != "touch":
                return "target: somebody else"
            if context.state.figures[who].dead:
                return text("target: {target} is dead", str(action.target))
            place = context.place if who == context.who else context.state.figures[who].cell
            reason = self._willing(context, power, who) or too_far(context, power, (context.place, place), who)
            return reason or (why_not_second(context, power, who, action) if power.onto else None)
        if power.needs == "door":
            number = door_named(context.state, context.being.side, action.target)
            if number is None:
                return text("target: no door is called {target}", repr(action.target))
            return too_far(context, power, (context.place, context.terrain.field.doors[number].cell))
        if action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
            return "at: needs a space of the map"
        return self._ground(context, power, action.at) or too_far(context, power, (context.place, action.at), aim="at")

    def _willing(self, context: Context, power: Power, who: CreatureIx) -> str | None:
        """Charmed or pacified one does no harm; and what can't be made out can't be aimed at."""
        name = context.beings[who].creature
        if effects.does_harm(power) and who != context.who:
            if context.figure.cannot(Forbid.HARM):
                return "pacified: it raises no hand"
            if context.befriended(who):
                return text("target: charmed, it won't harm {name}", name)
        if power.largest and context.beings[who].space > power.largest:
            return text("target: {name} is too large", name)
        hidden = unseen(context.state, context.who, who, context.place)
        return text("target: {name} {hidden}", name, hidden) if hidden else None

    def _ground(self, context: Context, power: Power, cell: Cell) -> str | None:
        """What the space itself must be: a wall for a gap, free for what is called."""
        wants = {effects.EFFECT_KINDS[effect.kind].wants for effect in power.effects}
        ground = context.terrain
        solid = bool(ground.blocked >> cell & 1 and not ground.pits >> cell & 1)
        if effects.Wants.WALL in wants:
            if outermost(ground.field, cell):
                return text("at: the map ends behind {space}", context.name(cell))
            wall = walled(context.setup, context.state.zones, cell)
            return None if wall else text("at: {space} is no wall", context.name(cell))
        if solid:
            return text("at: {space} is solid", context.name(cell))
        if effects.Wants.ROOM in wants:
            foes, allies = context.crowd()
            taken = foes | allies | ground.footprint(context.place, context.being.space)
            if not ground.fits(cell) or taken >> cell & 1:
                return text("at: {space} is taken", context.name(cell))
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        for name, found in self.held(context):
            if self.why_not_with(context, found, name) is not None:
                continue
            for action in self.candidates_of(context, found.power, name):
                if found.power.onto or self._aim(context, found.power, action) is None:
                    yield action

    def candidates_of(self, context: Context, power: Power, name: str) -> Iterator[Action]:
        """Everything within its reach that a power could be aimed at, legal or not."""
        me, reach = context.being.id, power.reach
        if power.onto:
            yield from self._twofold(context, power, name)
        elif power.needs == "none":
            yield Action(me, self.do, item=name)
        elif power.needs == "door":
            for door in context.terrain.field.doors:
                yield Action(me, self.do, item=name, target=door.id)
        elif power.needs == "space":
            near = context.terrain.within(context.place, power.reach, context.being.space)
            near &= visible(context.terrain, context.place, context.being.space) | 1 << context.place
            for cell in cells_of(near):
                yield Action(me, self.do, item=name, at=cell)
        else:
            own = [context.who] if power.needs == "ally" or power.range == "touch" else []
            for who in (*own, *context.others()):
                same = context.beings[who].side == context.being.side
                if (same or power.needs != "ally") and (who == context.who or context.distance(who) <= reach):
                    yield Action(me, self.do, item=name, target=context.beings[who].id)

    def _twofold(self, context: Context, power: Power, name: str) -> Iterator[Action]:
        """What needs a second thing to aim at: for each creature, if it can be aimed at, each space that will do."""
        targets: list[CreatureIx | None] = [None] if power.needs == "none" else [*context.others()]
        if power.needs == "ally" or power.range == "touch":
            targets = [context.who, *targets]
        for who in targets:
            target = None if who is None else context.beings[who].id
            cells = seconds(context, power, context.who if who is None else who)
            if not cells:
                continue
            first = Action(context.being.id, self.do, item=name, target=target, at=first_of(cells))
            if self.why_not_this(context, first) is None:
                for cell in cells_of(cells):
                    yield Action(context.being.id, self.do, item=name, target=target, at=cell)

    def odds(self, context: Context, action: Action) -> Odds | None:
        """None where nothing is held of that name."""
        found = source(context, action.item)
        if found is None:
            return None
        power, danger = found.power, found.spell and in_danger(context.setup, context.figure)
        works = save_chance(context.figure.wil_now) if danger else Fraction(1)
        shares = tuple(_share(context, power, victim, works) for victim in victims(context, power, action))
        foes = [s for s in shares if context.beings[context.setup.index[s.id]].side != context.being.side]
        single = shares[0] if len(shares) == 1 else None
        hit = single.hit if single is not None else float(works)
        return Odds(
            hit=hit, outcomes=(("takes_hold", hit), ("fails", 1.0 - hit)),
            damage=single.damage if single is not None else (), mean=sum(share.mean for share in foes),
            drop=sum(share.drop for share in foes),
            attack_dice=text("WIL save {score}", context.figure.wil_now) if danger else "no check",
            defense_dice=text("{attribute} save of each", WORDS[power.save]) if power.save else "no save",
            notes=(*_notes(found, danger), *_in_vain(context, power, shares)),
            healing=sum(share.healing for share in shares), targets=shares
        )  # fmt: skip

    def area(self, context: Context, action: Action) -> Bitboard:
        found = source(context, action.item)
        return EMPTY if found is None else covered(context, found.power, action)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """A power is used: Fatigue and the danger of a book first, then its effects (cairn.md §2.10)."""
        context = Context(resolution.done(), who)
        found = source(context, action.item)
        left = None if found is None else uses_left(context, *found)
        if found is None or left == 0:
            resolution.note(who, text("{item}: nothing happens", str(action.item)))
            return
        power, item = found
        if (found.book or HEARD in power.tags) and voiceless(context.setup, context.being, context.figure):
            resolution.note(who, text("{item}: not a sound", str(action.item)))
            return
        if missed(context, power, action) is not None:
            resolution.note(who, text("{item} does not reach that far", str(action.item)))
            return
        if found.book:
            resolution.change(who, lasting=(*resolution.figures[who].lasting, Lasting(CASTING.name, 1)))
            add_fatigue(resolution, who, action.item)
        if item is not None and found.spell and in_danger(resolution.setup, resolution.figures[who]):
            if not _safe(resolution, who, item):
                _announce(resolution, who, found, action, success=False)
                if item.kind == "scroll" and item.name in resolution.figures[who].carried:
                    drop_item(resolution, who, item.name, "spent")
                return
        resolution.relieve(who, INVISIBLE, "it acts")
        _announce(resolution, who, found, action, success=True)
        for _ in range(item.fatigue if item is not None else 0):
            add_fatigue(resolution, who, action.item)
        if item is not None and item.kind == "scroll":
            drop_item(resolution, who, item.name, "spent")
        elif item is not None and item.charges:
            spend(resolution, who, item.name, item.charges)
        elif power.uses:
            spend(resolution, who, power.name, 0)
        effects.affect(resolution, who, power, action)


class Use(Cast):
    """A scroll, a relic or any item that has a power."""

    do = "use"
    face = Face("Use", "Act", "action", "item", "use", "5", "scroll, relic or other item")
    done = "used"

    def names(self, context: Context) -> list[str]:
        return [item.name for item in _with_powers(context) if item.kind != "book"]


CAST, USE = Cast(), Use()


def _with_powers(context: Context) -> list[Gear]:
    """What somebody carries that has a power."""
    gear = context.setup.armoury.gear
    carried = dict.fromkeys(context.figure.carried)
    return [gear[name] for name in carried if name in gear and gear[name].power]


def _announce(resolution: Resolution, who: CreatureIx, found: Source, action: Action, *, success: bool) -> None:
    """The casting or the use itself; what comes of it follows in events of its own. Whom the danger has driven from the
    field by now works on no space."""
    place, being, (power, item) = resolution.figures[who].cell, resolution.being(who), found
    goal = effects.aim(resolution, who, action)
    wide = power.area != "one" and place >= 0
    cells = area_cells(resolution.terrain, power, place, being.space, goal) if wide else EMPTY
    resolution.events.append(Worked(
        by=being.id, spell=power.name, what="fatigue" if found.book else "item", cost=int(found.book), success=success,
        target=action.target if action.target in resolution.setup.index else None,
        at=resolution.space(action.at) if action.at is not None else None,
        cells=tuple(resolution.space(cell) for cell in cells_of(cells)),
        item=item.name if item is not None and not found.book else "",
    ))  # fmt: skip


def in_danger(setup: Setup, figure: Figure) -> bool:
    """Whether casting asks for a save: always in a fight unless the option says otherwise, and of the deprived."""
    return setup.cast_saves or figure.has(DEPRIVED)


def _safe(resolution: Resolution, who: CreatureIx, book: Gear) -> bool:
    """Casting in danger, from a book or a scroll: a WIL save, else it fizzles and tires; a natural 20 costs the book
    and blood."""
    passed, face = resolution.save_roll(who, "wil", "cast in danger")
    if passed:
        return True
    add_fatigue(resolution, who, book.name)
    if face == 20:
        drop_item(resolution, who, book.name, "broken")
        lost = resolution.throw("the spell turns", 1, BOOK_LOST, by=who)
        wound(resolution, who, lost.total, "the spell turns", direct=True, rolls=(lost,))
    return False


def add_fatigue(resolution: Resolution, who: CreatureIx, reading: str | None = None) -> None:
    """One slot more; with none free the last item carried is dropped (cairn.md §6, A20), but neither what is worn nor
    what it is `reading`. Who has nothing to drop can't be more tired."""
    figure = resolution.figures[who]
    if filled(resolution.setup, figure) >= SLOTS:
        kept = (*resolution.being(who).wear, reading)
        spare = [item for item in figure.carried if resolution.setup.armoury.slots(item) and item not in kept]
        if resolution.setup.outside:  # the last thing, but what one is out for last of all
            wanted = {goal.what for goal in resolution.setup.field.goals}
            spare.sort(key=lambda item: item not in wanted)
        if spare:
            drop_item(resolution, who, spare[-1], "dropped")
        elif figure.fatigue and reading is None:
            return
    resolution.mark(who, FATIGUE, fatigue=resolution.figures[who].fatigue + 1)


def covered(context: Context, power: Power, action: Action) -> Bitboard:
    """The spaces that a power takes in as it is aimed: at a creature, else at the space named, else from one's own."""
    target, goal = context.find(action.target), action.at
    if goal is None or (target is not None and not power.onto):
        goal = context.place if target is None else context.state.figures[target].cell
    return area_cells(context.terrain, power, context.place, context.being.space, goal)


def victims(context: Context, power: Power, action: Action) -> list[CreatureIx]:
    """Whom a power would reach, numbers in the record's order."""
    if power.area != "one":
        return effects.taken_in(context.state, context.who, power, covered(context, power, action))
    target = context.who if power.needs == "none" else context.setup.index.get(action.target or "")
    return [] if target is None else [target]


def _holds(context: Context, power: Power, victim: CreatureIx) -> Fraction:
    """Chance that it takes hold of a victim once the power works."""
    being, figure = context.beings[victim], context.state.figures[victim]
    unheard = HEARD in power.tags and figure.cannot(Forbid.HEAR)
    if unheard or effects.untouched(being, figure, power) or (GAZE in power.tags and figure.has(AVERTED)):
        return Fraction(0)
    magical = being.side != context.being.side and MAGIC in power.tags
    chance = Fraction(1)
    if magical and being.resists:
        chance *= save_chance(context.figure.wil_now)
    if magical and being.reflects and power.needs == "creature":
        chance *= Fraction(6 - effects.THROWN_BACK, 6)
    if power.save and effects.unwilling(being, context.being, power) and not figure.helpless:
        chance *= 1 - save_chance(figure.score(power.save))
    return chance


def _share(context: Context, power: Power, victim: CreatureIx, works: Fraction) -> Share:
    holds = works * _holds(context, power, victim)
    damages: Chances = {0: Fraction(1)}
    drop = healing = Fraction(0)
    half = effects.dampened(context.state, power, context.who, victim)
    for each in power.effects:
        kind = effects.EFFECT_KINDS[each.kind]
        if isinstance(kind, effects.Bodily):
            found = kind.share(context.state, power, each.dampened() if half else each, victim)
            if found.damages is not None:
                damages, drop = found.damages, found.drop
            healing += found.healing
    spread = {value: holds * chance for value, chance in damages.items()}
    spread[0] = spread.get(0, Fraction(0)) + 1 - holds
    mean = sum(value * chance for value, chance in spread.items())
    return Share(
        id=context.beings[victim].id, hit=float(holds), mean=float(mean), drop=float(holds * drop),
        healing=float(holds * healing), damage=tuple((value, float(spread[value])) for value in sorted(spread)),
    )  # fmt: skip


def _in_vain(context: Context, power: Power, shares: Sequence[Share]) -> Iterator[tuple[str, str]]:
    """Of those who would be healed, who has lost nothing that it gives back."""
    if any(effect.kind == "heal" for effect in power.effects):
        for share in shares:
            who = context.setup.index[share.id]
            if not share.healing and not context.state.figures[who].clock:
                yield text("nothing to mend: {name} gains nothing", context.beings[who].creature), "cairn.md §5.5"


def _notes(found: Source, danger: bool) -> tuple[tuple[str, str], ...]:
    notes = [(found.power.text, "cairn.md §5.5")]
    if found.book:
        notes.append(("1 Fatigue; it takes a slot until a night's rest", "cairn.md §2.10"))
    if danger and found.book:
        notes.append(("failed: it fizzles, 1 Fatigue more; a 20 costs the book and d6 STR", "cairn.md §2.10"))
    elif danger:
        notes.append(("failed: it fizzles and costs 1 Fatigue; a 20 costs d6 STR besides", "cairn.md §2.10"))
    return tuple(notes)
