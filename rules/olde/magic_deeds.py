"""Cast Spell and Use as deeds: what may be cast or used on whom, and where (olde.md §4; docs/magic.md)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Description, Offer
from rules.events import Item as Handled
from rules.grid import Cell, cells_of
from rules.olde.deeds import Face, Look, find, known_ids
from rules.olde.magic import Spell
from rules.olde.magic_area import template
from rules.olde.magic_casting import Casting, prepare, resolve
from rules.olde.magic_effects import has
from rules.olde.magic_relief import ailing
from rules.olde.state import Work
from rules.sight import Grade, visible

USE_AP = 3
POOLS = {"mana": "Mana", "faith": "Faith"}
SHAPES = {
    "burst": "around oneself",
    "blast": "around a space",
    "cone": "a cone",
    "line": "a line",
    "wall": "a wall",
}
_KIN = {"stone": "a wall", "force": "a wall", "thorns": "a hedge"}


class Magic:
    """What casting and using have in common: targets, areas, instances."""

    # -- targets

    def fault(self, look: Look, spell: Spell, action: Action) -> str | None:
        """Why a spell can't be cast with this target or at this space, or None."""
        if spell.aim == "space":
            return self._place_fault(look, spell, action.at)
        if spell.aim == "self":
            if action.target not in (None, look.fighter.id):
                return f"target: {spell.name} is cast on oneself"
            return self._nobody(look, spell) if spell.shape == "burst" else None
        who = find(look, action.target)
        if who is None and action.target is None and spell.aim == "ally" and spell.reach == 0:
            who = look.who
        if who is None:
            return f"target: {action.target!r} is nobody here; there are {known_ids(look)}"
        return self.target_fault(look, spell, who)

    @staticmethod
    def target_fault(look: Look, spell: Spell, who: int) -> str | None:
        """Why a spell can't be cast on this creature, or None."""
        fighter = look.setup.fighters[who]
        if (fighter.side == look.fighter.side) != (spell.aim == "ally"):
            return f"target: {fighter.name} is {'no ally' if spell.aim == 'ally' else 'on the same side'}"
        if look.dead(who):
            return f"target: {fighter.name} is dead"
        if (spell.only and fighter.kind not in spell.only) or fighter.kind in spell.spares:
            return f"target: {spell.name} does nothing to {fighter.name} ({fighter.kind or 'no kind'})"
        if who != look.who:
            distance = look.distance(who)
            if distance > spell.reach:
                return f"target: {fighter.name} is {distance} spaces away, {spell.name} reaches {spell.reach}"
            if look.sight(who) is Grade.NONE:
                return f"target: no line of sight to {fighter.name}"
        return useless(look, spell, who)

    def _nobody(self, look: Look, spell: Spell) -> str | None:
        cells = self.cells(look, spell, look.figure.cell)
        return None if marked(look, spell, cells) else f"nobody for {spell.name} is near enough"

    def _place_fault(self, look: Look, spell: Spell, at: Cell | None) -> str | None:
        if at is None:
            return "at: needs the space that it is cast at, as [column, row]"
        if not 0 <= at < look.field.width * look.field.height:
            return f"at: {at} is no space of this map"
        own = look.terrain.footprint(look.figure.cell, look.fighter.space)
        if spell.shape in ("cone", "line"):
            if own >> at & 1:
                return f"at: {spell.name} needs a direction, a space beside or further off"
            empty = not self.cells(look, spell, at)
            return f"at: nothing lies open towards {look.name(at)}" if empty else None
        distance = look.terrain.distance(at, look.figure.cell, 1, look.fighter.space)
        if distance > spell.reach:
            return f"at: {look.name(at)} is {distance} spaces away, {spell.name} reaches {spell.reach}"
        if look.terrain.blocked >> at & 1:
            return f"at: {look.name(at)} is no open space"
        if not (visible(look.terrain, look.figure.cell, look.fighter.space) | own) >> at & 1:
            return f"at: no line of sight to {look.name(at)}"
        if spell.summon is not None or spell.shape == "wall":
            if spell.zone != "thorns" and taken(look) >> at & 1:
                return f"at: somebody is on {look.name(at)}"
        return None

    def cells(self, look: Look, spell: Spell, at: Cell) -> int:
        """The spaces that a spell covers; a wall leaves out those where somebody is."""
        cells = template(look.terrain, spell, look.figure.cell, look.fighter.space, at)
        if spell.zone in ("stone", "force"):
            cells &= ~taken(look)
        return cells

    # -- instances

    def instances_of(self, look: Look, do: str, item: str, spell: Spell) -> Iterator[Action]:
        """The canonical actions: each target; of the spaces aimed at one for each company that it would catch."""
        by = look.fighter.id
        if spell.aim == "self":
            action = Action(by, do, item=item)
            if self.fault(look, spell, action) is None:
                yield action
        elif spell.aim == "space":
            for at in self._aims(look, spell):
                yield Action(by, do, item=item, at=at)
        else:
            for who, figure in enumerate(look.state.figures):
                if figure.cell >= 0 and self.target_fault(look, spell, who) is None:
                    yield Action(by, do, item=item, target=look.setup.fighters[who].id)

    def _aims(self, look: Look, spell: Spell) -> Iterator[Cell]:
        terrain, here = look.terrain, look.figure.cell
        foes = [figure.cell for _, fighter, figure in look.others()
                if fighter.side != look.fighter.side and figure.hp > 0]  # fmt: skip
        if spell.summon is not None:
            near = terrain.within(here, spell.reach, look.fighter.space)
            yield from (cell for cell in cells_of(near) if self._place_fault(look, spell, cell) is None)
        elif spell.zone == "light":
            if self._place_fault(look, spell, here) is None:
                yield here
            yield from (cell for cell in dict.fromkeys(foes) if self._place_fault(look, spell, cell) is None)
        elif spell.shape == "wall":
            yield from self._before(look, spell, foes)
        else:
            yield from self._catching(look, spell, foes)

    def _before(self, look: Look, spell: Spell, foes: list[Cell]) -> Iterator[Cell]:
        """For walls: the free space beside each foe that is nearest to the caster."""
        terrain, here = look.terrain, look.figure.cell
        seen: set[Cell] = set()
        for foe in foes:
            beside = [
                cell for cell, _ in terrain.neighbours(foe) if self._place_fault(look, spell, cell) is None
            ]
            best = min(beside, key=lambda cell: (terrain.distance(cell, here), cell), default=None)
            if best is not None and best not in seen:
                seen.add(best)
                yield best

    def _catching(self, look: Look, spell: Spell, foes: list[Cell]) -> Iterator[Cell]:
        """For areas that harm: one space for each set of creatures that can be caught with at least one foe in it."""
        terrain, side = look.terrain, look.fighter.side
        aims = 0
        around = spell.size if spell.shape == "blast" else 1
        for foe in foes:
            aims |= terrain.within(foe, around)
        if spell.shape == "blast":
            aims &= terrain.within(look.figure.cell, spell.reach, look.fighter.space)
        caught: set[tuple[int, ...]] = set()
        for at in cells_of(aims):
            if self._place_fault(look, spell, at) is not None:
                continue
            company = tuple(marked(look, spell, self.cells(look, spell, at)))
            if company in caught or not any(look.setup.fighters[who].side != side for who in company):
                continue
            caught.add(company)
            yield at

    # -- the casting

    def casting(self, look: Look, spell: Spell, action: Action, item: str = "") -> Casting:
        """The casting that a legal action stands for."""
        rank = look.setup.grimoire.items[item].rank if item else 0
        grade, at, cells = Grade.CLEAR, -1, 0
        if spell.aim == "space":
            assert action.at is not None
            at = action.at
            cells = self.cells(look, spell, at)
            who = marked(look, spell, cells) if not spell.zone and spell.summon is None else []
        elif spell.shape == "burst":
            cells = self.cells(look, spell, look.figure.cell)
            who = marked(look, spell, cells)
        else:
            target = look.who if spell.aim == "self" else find(look, action.target)
            target = look.who if target is None else target
            who = [target]
            if target != look.who:
                grade = look.sight(target)
        return prepare(look.state, look.who, spell, who, grade, at, cells, item, rank)


def marked(look: Look, spell: Spell, cells: int) -> list[int]:
    """Numbers of those whom an area works on, in the record's order."""
    found = []
    side = look.fighter.side
    for who, figure in enumerate(look.state.figures):
        fighter = look.setup.fighters[who]
        if figure.cell < 0 or look.dead(who) or (figure.hp <= 0 and spell.does not in ("harm", "heal")):
            continue
        own = fighter.side == side
        if (spell.affects == "foes" and own) or (spell.affects == "friends" and not own):
            continue
        if (spell.only and fighter.kind not in spell.only) or fighter.kind in spell.spares:
            continue
        inside = bool(look.terrain.footprint(figure.cell, fighter.space) & cells)
        if inside or (who == look.who and spell.shape == "burst" and spell.affects == "friends"):
            found.append(who)
    return found


def taken(look: Look) -> int:
    """The bitboard of spaces where somebody is, on its feet or not."""
    found = 0
    for fighter, figure in zip(look.setup.fighters, look.state.figures, strict=True):
        if figure.cell >= 0:
            found |= look.terrain.footprint(figure.cell, fighter.space)
    return found


def useless(look: Look, spell: Spell, who: int) -> str | None:
    """Why a spell would do nothing at all for this target, or None: nobody wastes Mana unasked."""
    figure, fighter = look.state.figures[who], look.setup.fighters[who]
    if spell.lasting is not None:
        return f"target: {fighter.name} is down" if figure.hp <= 0 else None
    if spell.does == "harm":
        return None
    if spell.does == "heal" and (figure.hp < fighter.hp_max or figure.bleeding):
        return None
    if spell.does == "mana" and figure.mana < fighter.mana_max:
        return None
    if spell.does == "faith" and figure.faith < fighter.faith_max:
        return None
    if spell.cures and ailing(figure, spell.cures):
        return None
    return f"target: {fighter.name} does not need {spell.name}"


class CastSpell(Magic):
    """Cast a known spell or blessing: its AP, its Mana or Faith, gesture and incantation."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def blocked(look: Look, spell: Spell) -> str | None:
        """Why this spell can't be cast now by whoever knows it, targets aside, or None."""
        reason = look.pay(spell.ap)
        if reason is not None:
            return reason
        left = look.figure.mana if spell.pool == "mana" else look.figure.faith
        if left < spell.price:
            return f"costs {spell.price} {POOLS[spell.pool]}, {left} left"
        if spell.incantation and look.figure.effects and has(look.figure, "silenced"):
            return f"silenced: {spell.name} must be spoken"
        return None

    def hindrance(self, look: Look) -> str | None:
        if not look.fighter.spells:
            return "knows no spell or blessing"
        blocked = look.act_open()
        if blocked:
            return blocked
        reasons = [self.blocked(look, look.setup.grimoire.spells[name]) for name in look.fighter.spells]
        return None if None in reasons else f"{look.fighter.spells[0]}: {reasons[0]}"

    def refusal(self, look: Look, action: Action) -> str | None:
        if not look.fighter.spells:
            return "knows no spell or blessing"
        blocked = look.act_open()
        if blocked:
            return blocked
        known = ", ".join(look.fighter.spells)
        if action.item is None:
            return f"item: needs the name of a spell or blessing; known: {known}"
        if action.item not in look.fighter.spells:
            return f"item: {action.item!r} is no spell that {look.fighter.name} knows; known: {known}"
        spell = look.setup.grimoire.spells[action.item]
        blocked = self.blocked(look, spell)
        return f"item: {blocked}" if blocked else self.fault(look, spell, action)

    def instances(self, look: Look) -> Iterator[Action]:
        if not look.fighter.spells or look.act_open():
            return
        for name in look.fighter.spells:
            spell = look.setup.grimoire.spells[name]
            if self.blocked(look, spell) is None:
                yield from self.instances_of(look, "cast", name, spell)

    def cost(self, look: Look, action: Action) -> int:
        return look.setup.grimoire.spells[action.item or ""].ap

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None
        look = Look(work.done(), work.chance)
        spell = look.setup.grimoire.spells[action.item or ""]
        casting = self.casting(look, spell, action)
        left = getattr(look.figure, spell.pool) - spell.price
        work.change(look.who, **{spell.pool: left})
        resolve(work, casting)

    def inside(self, look: Look, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each known spell, illegal ones with their reason."""
        out = []
        for name in look.fighter.spells:
            spell = look.setup.grimoire.spells[name]
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = look.act_open() or self.blocked(look, spell) or _nobody(spell)
            out.append(Offer("cast", describe(look, spell, spell.ap), mine, refused))
        return tuple(out)


class UseItem(Magic):
    """Use a potion, scroll or device: 3/Only, and it is used up."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def blocked(look: Look, item: str) -> str | None:
        """Why this item can't be used now, targets aside, or None."""
        if look.setup.grimoire.items[item].kind != "scroll":
            return None
        if not any(skill == "Literacy" for skill in look.fighter.skills):
            return f"nobody reads the {item} without Literacy"
        if look.figure.effects and has(look.figure, "silenced"):
            return f"silenced: the {item} must be read aloud"
        return None

    def hindrance(self, look: Look) -> str | None:
        if not look.figure.items:
            return "carries no potion, scroll or device"
        blocked = look.act_open() or look.pay_only(USE_AP)
        if blocked:
            return blocked
        reasons = [self.blocked(look, item) for item in look.figure.items]
        return None if None in reasons else reasons[0]

    def refusal(self, look: Look, action: Action) -> str | None:
        if not look.figure.items:
            return "carries no potion, scroll or device"
        blocked = look.act_open() or look.pay_only(USE_AP)
        if blocked:
            return blocked
        if action.item not in look.figure.items:
            return f"item: {action.item!r} is not carried; carried: {', '.join(dict.fromkeys(look.figure.items))}"
        blocked = self.blocked(look, action.item)
        return (
            f"item: {blocked}"
            if blocked
            else self.fault(look, look.setup.grimoire.items[action.item].spell, action)
        )

    def instances(self, look: Look) -> Iterator[Action]:
        if not look.figure.items or look.act_open() or look.pay_only(USE_AP):
            return
        for item in dict.fromkeys(look.figure.items):
            if self.blocked(look, item) is None:
                yield from self.instances_of(look, "use", item, look.setup.grimoire.items[item].spell)

    def cost(self, look: Look, action: Action) -> int:
        return look.only(USE_AP)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        assert work.chance is not None and action.item is not None
        look = Look(work.done(), work.chance)
        casting = self.casting(look, look.setup.grimoire.items[action.item].spell, action, action.item)
        left = list(look.figure.items)
        left.remove(action.item)
        work.change(look.who, items=tuple(left))
        work.events.append(Handled(by=action.by, item=action.item, how="spent"))
        resolve(work, casting)

    def inside(self, look: Look, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each item carried, illegal ones with their reason."""
        out = []
        for name in dict.fromkeys(look.figure.items):
            item = look.setup.grimoire.items[name]
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = (
                    look.act_open()
                    or look.pay_only(USE_AP)
                    or self.blocked(look, name)
                    or _nobody(item.spell)
                )
            count = look.figure.items.count(name)
            label = name.capitalize() + (f" ({count})" if count > 1 else "")
            shown = describe(look, item.spell, max(0, look.only(USE_AP)), label)
            out.append(Offer("use", shown, mine, refused))
        return tuple(out)


def held_spell(look: Look, action: Action) -> Spell:
    """The spell that a cast or use action names. Raises KeyError for an unknown one."""
    grimoire = look.setup.grimoire
    name = action.item or ""
    return grimoire.spells[name] if action.do == "cast" else grimoire.items[name].spell


def casting_of(look: Look, action: Action) -> Casting:
    """The casting that a legal `cast` or `use` stands for."""
    return Magic().casting(
        look, held_spell(look, action), action, action.item or "" if action.do == "use" else ""
    )


def area_of(look: Look, action: Action) -> int:
    """The spaces that a `cast` or `use` would cover, whether it is legal or not; 0 for what has no area."""
    known = look.setup.grimoire.spells if action.do == "cast" else look.setup.grimoire.items
    if action.item not in known:
        return 0
    spell = held_spell(look, action)
    at = action.at if spell.aim == "space" else look.figure.cell
    if at is None or (spell.shape == "one" and spell.summon is None):
        return 0
    return Magic().cells(look, spell, at)


def describe_magic(look: Look, action: Action) -> Description:
    """A cast or use with its true cost."""
    known = look.setup.grimoire.spells if action.do == "cast" else look.setup.grimoire.items
    name = action.item or ""
    if name not in known:
        return Description(name or action.do, "Act", "")
    spell = held_spell(look, action)
    if action.do == "cast":
        return describe(look, spell, spell.ap)
    return describe(look, spell, max(0, look.only(USE_AP)), name.capitalize())


def _nobody(spell: Spell) -> str:
    if spell.aim == "ally":
        return "nobody in reach needs it"
    return "no target in range and sight" if spell.aim == "enemy" else "nothing to catch there"


def describe(look: Look, spell: Spell, ap: int, label: str = "") -> Description:
    """A spell as a button: its cost, what it needs, what it does."""
    cost = f"{ap} AP"
    if spell.pool:
        cost += f" · {spell.price} {POOLS[spell.pool]}"
    needs = {"self": "none", "space": "space"}.get(spell.aim, "creature")
    notes = [spell.summary]
    if spell.shape != "one":
        notes.append(f"{SHAPES[spell.shape].capitalize()}, {spell.size}")
    how = [
        word for word, has_it in (("gesture", spell.gesture), ("incantation", spell.incantation)) if has_it
    ]
    if how:
        notes.append(" and ".join(how).capitalize())
    return Description(
        label or spell.name.capitalize(), "Act", cost, ap, look.figure.ap - ap, needs, icon_of(spell), "",
        tuple(notes),
    )  # fmt: skip


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does == "heal":
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"


CAST = CastSpell(Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing"))
USE = UseItem(Face("Use item", "Act", "3 AP/Only", "item", "use", "u", "potion, scroll or device"))
