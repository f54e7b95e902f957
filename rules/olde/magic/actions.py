"""Cast Spell and Use: what may be cast or used on whom, and where; the areas worth naming (olde.md §4, §9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.board.bitboard import cells_of
from rules.board.sight import Grade, visible
from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Item as Handled
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text, titled
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.core.action_kinds import Face
from rules.olde.actions.kind import Context, Kind, find, known_ids, situation
from rules.olde.conditions import Forbid, forbidden
from rules.olde.magic.casting import POWERS, Casting, Harm, ailing, caster_rank, describe, odds_of, prepare, resolve
from rules.olde.magic.spells import POOLS, Affects, Aim, Caster, ItemKind, Spell
from rules.olde.state import Resolution

Company = list[tuple[CreatureIx, tuple[Cell, ...]]]
"""Creatures by number, with the spaces that they cover."""


# -- targets


def why_not_so(context: Context, spell: Spell, action: Action) -> str | None:
    """Why a spell can't be cast with this target or at this space, or None."""
    if spell.aim is Aim.SPACE:
        return why_not_there(context, spell, action.at)
    if spell.aim is Aim.SELF:
        if action.target not in (None, context.fighter.id):
            return text("target: {name} is cast on oneself", spell.name)
        nobody = spell.shape.area and not marked(context, spell, covered(context, spell, context.figure.cell))
        return text("nobody for {name} is near enough", spell.name) if nobody else None
    who = context.who if action.target is None else find(context, action.target)  # without one: oneself
    if action.target is None and spell.aim is not Aim.ALLY:
        return text("target: {name} needs a creature; there are {context}", spell.name, known_ids(context))
    if who is None:
        return text("target: {target} is nobody here; there are {context}", repr(action.target), known_ids(context))
    return why_not_on(context, spell, who)


def why_not_on(context: Context, spell: Spell, who: CreatureIx) -> str | None:
    """Why a spell can't be cast on this creature, or None."""
    return _unfit(context, spell, who) or out_of_reach(context, spell, who) or _unneeded(context, spell, who)


def could_serve(context: Context, spell: Spell, who: CreatureIx) -> bool:
    """Whether a spell could be cast on this creature from some place."""
    return _unfit(context, spell, who) is None and _unneeded(context, spell, who) is None


def _unfit(context: Context, spell: Spell, who: CreatureIx) -> str | None:
    """Why a spell is none for this creature, or None."""
    fighter = context.setup.fighters[who]
    if (fighter.side == context.fighter.side) != (spell.aim is Aim.ALLY):
        what = "no ally" if spell.aim is Aim.ALLY else "on the same side"
        return text("target: {name} is {what}", fighter.name, what)
    if context.dead(who):
        return text("target: {name} is dead", fighter.name)
    if not spell.works_on(fighter.kind):
        told = "target: {name} does nothing to {name2} ({what})"
        return text(told, spell.name, fighter.name, fighter.kind or "no kind")
    return None


def out_of_reach(context: Context, spell: Spell, who: CreatureIx) -> str | None:
    """Why a spell doesn't come to this creature from where its caster stands, or None."""
    if who == context.who:
        return None
    fighter, distance = context.setup.fighters[who], context.distance(who)
    if distance > spell.reach:
        told = "target: {name} is {distance} spaces away, {name2} reaches {reach}"
        return text(told, fighter.name, distance, spell.name, spell.reach)
    if context.sight(who) is Grade.NONE:
        return text("target: no line of sight to {name}", fighter.name)
    return None


def _unneeded(context: Context, spell: Spell, who: CreatureIx) -> str | None:
    """Why a spell would do nothing at all for this creature, or None: nobody wastes Mana unasked."""
    fighter, figure, power = context.setup.fighters[who], context.state.figures[who], POWERS[spell.does]
    if isinstance(power, Harm):
        return None
    if spell.lasting is not None:
        return text("target: {name} is down", fighter.name) if figure.hp <= 0 else None
    if power.needed(fighter, figure) or ailing(figure, spell.cures):
        return None
    return text("target: {name} does not need {name2}", fighter.name, spell.name)


def why_not_there(context: Context, spell: Spell, at: Cell | None) -> str | None:
    if at is None:
        return "at: needs the space that it is cast at, as [column, row]"
    if not 0 <= at < context.field.width * context.field.height:
        return text("at: {at} is no space of this map", at)
    own = context.terrain.footprint(context.figure.cell, context.fighter.space)
    if not spell.shape.ranged:
        if own >> at & 1:
            return text("at: {name} needs a direction, a space beside or further off", spell.name)
        empty = not covered(context, spell, at)
        return text("at: nothing lies open towards {at}", context.name(at)) if empty else None
    distance = context.terrain.distance(at, context.figure.cell, 1, context.fighter.space)
    if distance > spell.reach:
        told = "at: {at} is {distance} spaces away, {name} reaches {reach}"
        return text(told, context.name(at), distance, spell.name, spell.reach)
    if context.terrain.blocked >> at & 1:
        return text("at: {at} is no open space", context.name(at))
    if not (visible(context.terrain, context.figure.cell, context.fighter.space) | own) >> at & 1:
        return text("at: no line of sight to {at}", context.name(at))
    if (spell.summon is not None or _walls_in(spell)) and taken(context) >> at & 1:
        return text("at: somebody is on {at}", context.name(at))
    return None


def covered(context: Context, spell: Spell, at: Cell) -> Bitboard:
    """The spaces that a spell covers; a wall leaves out those where somebody is."""
    cells = spell.cells(caster_of(context), at)
    return cells & ~taken(context) if _walls_in(spell) else cells


# -- instances


def instances_of(context: Context, do: str, item: str, spell: Spell) -> Iterator[Action]:
    """The canonical actions: each target; of the spaces aimed at one for each company that it would catch."""
    by = context.fighter.id
    if spell.aim is Aim.SELF:
        action = Action(by, do, item=item)
        if why_not_so(context, spell, action) is None:
            yield action
    elif spell.aim is Aim.SPACE:
        for at in _aims(context, spell):
            yield Action(by, do, item=item, at=at)
    else:
        friendly, side = spell.aim is Aim.ALLY, context.fighter.side
        for who, (fighter, figure) in numbered(zip(context.setup.fighters, context.state.figures, strict=True)):
            if figure.cell < 0 or (fighter.side == side) != friendly:
                continue
            if who != context.who and context.distance(who) > spell.reach:
                continue  # the most of them: no word need be said about it
            if why_not_on(context, spell, who) is None:
                yield Action(by, do, item=item, target=fighter.id)


def _aims(context: Context, spell: Spell) -> Iterator[Cell]:
    terrain, here = context.terrain, context.figure.cell
    foes = [figure.cell for _, fighter, figure in context.others()
            if fighter.side != context.fighter.side and figure.hp > 0]  # fmt: skip
    if spell.summon is not None:
        near = terrain.within(here, 1, context.fighter.space) & ~terrain.blocked & ~taken(context)
        free = [cell for cell in cells_of(near) if why_not_there(context, spell, cell) is None]
        yield from sorted(free, key=lambda cell: min((terrain.distance(cell, foe) for foe in foes), default=0))
    elif spell.zone is None:
        yield from _catching(context, spell, foes)
    elif spell.zone.does.lights:
        if why_not_there(context, spell, here) is None:
            yield here
        yield from (cell for cell in dict.fromkeys(foes) if why_not_there(context, spell, cell) is None)
    else:
        best = []  # for walls: the free space beside each foe that is nearest to the caster
        for foe in foes:
            beside = [cell for cell, _ in terrain.neighbours(foe) if why_not_there(context, spell, cell) is None]
            best += sorted(beside, key=lambda cell: (terrain.distance(cell, here), cell))[:1]
        yield from dict.fromkeys(best)


def _catching(context: Context, spell: Spell, foes: list[Cell]) -> Iterator[Cell]:
    """For areas that harm: one space for each set of creatures that can be caught with at least one foe in it."""
    caster = caster_of(context)
    aims = spell.shape.aims(caster, spell.size, foes)
    if spell.shape.ranged:
        aims &= context.terrain.within(caster.cell, spell.reach, caster.space)
    crowd = _company(context, spell)
    caught: set[tuple[int, ...]] = set()
    for at in cells_of(aims):
        company = _caught(context, spell, at, crowd)
        if company not in caught:
            caught.add(company)
            if any(context.setup.fighters[who].side != context.fighter.side for who in company):
                yield at


def _caught(context: Context, spell: Spell, at: Cell, crowd: Company) -> tuple[CreatureIx, ...]:
    """Whom a blast, cone or line at a space catches: those on any space that it covers."""
    caster = caster_of(context)
    return tuple(who for who, cells in crowd if any(spell.covers(caster, at, cell) for cell in cells))


# -- the casting


def casting(context: Context, spell: Spell, action: Action, item: str = "", *, whole: bool = False) -> Casting:
    """The casting that a legal action stands for; its spaces are worked out only if it is wanted `whole`."""
    rank = context.setup.grimoire.items[item].rank if item else 0
    grade, at, cells = Grade.CLEAR, NOWHERE, EMPTY
    if spell.aim is Aim.SPACE:
        assert action.at is not None
        at = action.at
        cells = covered(context, spell, at) if whole else EMPTY
        works = spell.zone is None and spell.summon is None
        who = _caught(context, spell, at, _company(context, spell)) if works else ()
    elif spell.shape.area:
        cells = covered(context, spell, context.figure.cell)
        who = tuple(marked(context, spell, cells))
    else:
        target = context.who if spell.aim is Aim.SELF else find(context, action.target)
        target = context.who if target is None else target
        who = (target,)
        if target != context.who:
            grade = context.sight(target)
    return prepare(context.state, context.who, spell, who, grade=grade, at=at, cells=cells, item=item, rank=rank)


def caster_of(context: Context) -> Caster:
    """Whoever is acting, as the one from whom a spell comes."""
    return Caster(context.terrain, context.figure.cell, context.fighter.space)


def _walls_in(spell: Spell) -> bool:
    """Whether a spell makes ground that nobody may be on."""
    return spell.zone is not None and spell.zone.does.blocks


def _company(context: Context, spell: Spell) -> Company:
    """Those on whom a spell can work, with the spaces that they cover."""
    figures, fighters = context.state.figures, context.setup.fighters
    return [(who, context.terrain.space(figures[who].cell, fighters[who].space)) for who in eligible(context, spell)]


def eligible(context: Context, spell: Spell) -> list[CreatureIx]:
    """Numbers of those whom a spell can work on at all, in the record's order."""
    side, fallen = context.fighter.side, POWERS[spell.does].fallen
    both = numbered(zip(context.setup.fighters, context.state.figures, strict=True))
    there = [(i, f) for i, (f, g) in both if g.cell >= 0 and (g.hp > 0 or (fallen and not context.dead(i)))]
    return [i for i, f in there if spell.affects.takes(friend=f.side == side) and spell.works_on(f.kind)]


def marked(context: Context, spell: Spell, cells: Bitboard) -> list[CreatureIx]:
    """Numbers of those whom an area works on, in the record's order; a burst reaches the caster's own space, too.

    The caster itself is spared by its own burst, unless that works on friends.
    """
    terrain, figures, fighters = context.terrain, context.state.figures, context.setup.fighters
    spared = context.who if spell.shape.spares_caster and spell.affects is not Affects.FRIENDS else None
    there = [(who, terrain.footprint(figures[who].cell, fighters[who].space)) for who in eligible(context, spell)]
    return [who for who, own in there if who != spared and own & cells]


def taken(context: Context) -> int:
    """The bitboard of spaces where somebody is, on its feet or not."""
    found = 0
    for fighter, figure in zip(context.setup.fighters, context.state.figures, strict=True):
        if figure.cell >= 0:
            found |= context.terrain.footprint(figure.cell, fighter.space)
    return found


class CastSpell(Kind):
    """Cast a known spell or blessing: its AP, its Mana or Faith, gesture and incantation."""

    do = "cast"
    face = Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing")
    risky = True
    rank = 2
    nothing = "knows no spell or blessing"  # why somebody has none to choose among

    def names(self, context: Context) -> tuple[str, ...]:
        """What somebody may choose among."""
        return context.fighter.spells

    def spells(self, context: Context) -> Mapping[str, Spell]:
        """Everything that there is of its kind, with what it does."""
        return context.setup.grimoire.spells

    def spell(self, context: Context, name: str | None) -> Spell:
        """What one of them does."""
        return self.spells(context)[name or ""]

    def unknown(self, context: Context, name: str | None) -> str:
        """Why what is named is none of them."""
        known, who = joined(", ", context.fighter.spells), context.fighter.name
        if name is None:
            return text("item: needs the name of a spell or blessing; known: {known}", known)
        return text("item: {name} is no spell that {who} knows; known: {known}", repr(name), who, known)

    def why_not_now(self, context: Context, name: str) -> str | None:
        """Why this one is out of the question now, targets aside, or None."""
        spell = self.spell(context, name)
        if reason := context.pay(spell.ap):
            return reason
        left = spell.left(context.figure)
        if left < spell.price:
            return text("costs {price} {label}, {left} left", spell.price, POOLS[spell.pool].label, left)
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return text("{word}: no spells", word)
            if spell.incantation and (word := forbidden(context.figure, Forbid.SPEAK)):
                return text("{word}: {name} must be spoken", word, spell.name)
        return None

    def none_now(self, context: Context, reason: str) -> str:
        """Why none of them can be chosen now; `reason`: of the first."""
        return text("{spells}: {reason}", context.fighter.spells[0], reason)

    def shown(self, context: Context, name: str, *, counted: bool = False) -> Description:
        """One of them as a button."""
        spell = self.spell(context, name)
        return describe(context, spell, spell.ap, caster_rank(context.fighter, spell))

    def idle(self, context: Context) -> bool:
        return not context.fighter.spells

    def cost(self, context: Context, action: Action) -> int:
        return self.spell(context, action.item).ap

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        """The casting that a legal action stands for."""
        return casting(context, self.spell(context, action.item), action, whole=whole)

    def odds(self, context: Context, action: Action) -> Odds:
        return odds_of(context.state, self.casting_of(context, action))

    def area(self, context: Context, action: Action) -> Bitboard:
        """The spaces that it would cover, whether it is legal or not; 0 for what has no area."""
        if action.item not in self.spells(context):
            return EMPTY
        spell = self.spell(context, action.item)
        at = action.at if spell.aim is Aim.SPACE else context.figure.cell
        if at is None or (not spell.shape.area and spell.summon is None):
            return EMPTY
        return covered(context, spell, at)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.item is None:
            return super().describe(context, action)
        if action.item not in self.spells(context):
            return Description(action.item or self.do, "Act", "")
        return self.shown(context, action.item)

    def closed(self, context: Context) -> str | None:
        return super().closed(context) if self.names(context) else self.nothing

    def why_not(self, context: Context) -> str | None:
        if blocked := self.closed(context):
            return blocked
        reasons = [self.why_not_now(context, name) for name in self.names(context)]
        return None if None in reasons else self.none_now(context, reasons[0] or "")

    def refusal(self, context: Context, action: Action) -> str | None:
        if blocked := self.closed(context):
            return blocked
        if action.item is None or action.item not in self.names(context):
            return self.unknown(context, action.item)
        if blocked := self.why_not_now(context, action.item):
            return text("item: {why}", blocked)
        return why_not_so(context, self.spell(context, action.item), action)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.closed(context):
            return
        for name in self.names(context):
            if self.why_not_now(context, name) is None:
                yield from instances_of(context, self.do, name, self.spell(context, name))

    def inside(self, context: Context, actions: tuple[Action, ...], refused: str | None) -> tuple[Offer, ...]:
        """An offer for each of them, illegal ones with their reason."""
        out = []
        for name in self.names(context):
            mine = tuple(action for action in actions if action.item == name)
            why = self.closed(context) or self.why_not_now(context, name) or self.spell(context, name).aim.nobody
            out.append(Offer(self.do, self.shown(context, name, counted=True), mine, None if mine else why))
        return tuple(out)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        context = situation(resolution)
        prepared = self.casting_of(context, action, whole=True)
        self.pay_for(resolution, who, self.spell(context, action.item), action.item or "")
        resolve(resolution, prepared)

    def pay_for(self, resolution: Resolution, who: CreatureIx, spell: Spell, name: str) -> None:
        """What one of them takes beside AP."""
        resolution.change(who, **{spell.pool: spell.left(resolution.figures[who]) - spell.price})


class UseItem(CastSpell):
    """Use a potion, scroll or device: 3/Only, and it is used up."""

    do = "use"
    face = Face("Use item", "Act", "3 AP/Only", "item", "use", "i", "potion, scroll or device")
    ap, only = 3, True
    nothing = "carries no potion, scroll or device"

    def names(self, context: Context) -> tuple[str, ...]:
        return tuple(dict.fromkeys(context.figure.items))

    def spells(self, context: Context) -> Mapping[str, Spell]:
        return context.setup.grimoire.held

    def unknown(self, context: Context, name: str | None) -> str:
        return text("item: {name} is not carried; carried: {known}", repr(name), joined(", ", self.names(context)))

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        return casting(context, self.spell(context, action.item), action, item=action.item or "", whole=whole)

    def shown(self, context: Context, name: str, *, counted: bool = False) -> Description:
        item, count = context.setup.grimoire.items[name], context.figure.items.count(name)
        label = text("{name} ({count})", titled(name), count) if counted and count > 1 else titled(name)
        ap = max(0, context.only(self.ap))
        return describe(context, item.spell, ap, item.rank, label=label, check=item.kind is not ItemKind.POTION)

    def idle(self, context: Context) -> bool:
        return not context.figure.items

    def cost(self, context: Context, action: Action) -> int:
        return context.only(self.ap)

    def why_not_now(self, context: Context, name: str) -> str | None:
        if context.setup.grimoire.items[name].kind is not ItemKind.SCROLL:
            return None
        if "Literacy" not in context.fighter.skills:
            return text("nobody reads the {name} without Literacy", name)
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return text("{word}: no spells, from a scroll either", word)
            if word := forbidden(context.figure, Forbid.SPEAK):
                return text("{word}: the {name} must be read aloud", word, name)
        return None

    def none_now(self, context: Context, reason: str) -> str:
        return reason

    def pay_for(self, resolution: Resolution, who: CreatureIx, spell: Spell, name: str) -> None:
        left = list(resolution.figures[who].items)
        left.remove(name)
        resolution.change(who, items=tuple(left))
        resolution.events.append(Handled(by=resolution.fighter(who).id, item=name, how="spent"))


MAGIC_ACTIONS: Mapping[str, CastSpell] = {kind.do: kind for kind in (CastSpell(), UseItem())}
