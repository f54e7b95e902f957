"""Cast Spell and Use as deeds: what may be cast or used on whom, and where (olde.md §4, §9)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Item as Handled
from rules.core.action_kinds import Face
from rules.olde.actions.deeds import Look
from rules.olde.effects.model import barred
from rules.olde.magic.casting import Casting, caster_rank, resolve
from rules.olde.magic.spells import Spell
from rules.olde.magic.targets import Magic
from rules.olde.magic.words import POOLS, describe, titled
from rules.olde.state import Work

USE_AP = 3


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
        if look.figure.effects:
            if word := barred(look.figure, "cast"):
                return f"{word}: no spells"
            if spell.incantation and (word := barred(look.figure, "speak")):
                return f"{word}: {spell.name} must be spoken"
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
        casting = self.casting(look, spell, action, whole=True)
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
            out.append(
                Offer("cast", describe(look, spell, spell.ap, caster_rank(look, spell)), mine, refused)
            )
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
        if look.figure.effects:
            if word := barred(look.figure, "cast"):
                return f"{word}: no spells, from a scroll either"
            if word := barred(look.figure, "speak"):
                return f"{word}: the {item} must be read aloud"
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
        casting = self.casting(
            look, look.setup.grimoire.items[action.item].spell, action, action.item, whole=True
        )
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
            label = titled(name) + (f" ({count})" if count > 1 else "")
            shown = describe_item(look, name, label)
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


def describe_item(look: Look, name: str, label: str) -> Description:
    """An item as a button."""
    item = look.setup.grimoire.items[name]
    return describe(
        look, item.spell, max(0, look.only(USE_AP)), item.rank, label=label, check=item.kind != "potion"
    )


def describe_magic(look: Look, action: Action) -> Description:
    """A cast or use with its true cost."""
    known = look.setup.grimoire.spells if action.do == "cast" else look.setup.grimoire.items
    name = action.item or ""
    if name not in known:
        return Description(name or action.do, "Act", "")
    spell = held_spell(look, action)
    if action.do == "cast":
        return describe(look, spell, spell.ap, caster_rank(look, spell))
    return describe_item(look, name, titled(name))


def _nobody(spell: Spell) -> str:
    if spell.aim == "ally":
        return "nobody in reach needs it"
    return "no target in range and sight" if spell.aim == "enemy" else "nothing to catch there"


CAST = CastSpell(Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing"))
USE = UseItem(Face("Use item", "Act", "3 AP/Only", "item", "use", "i", "potion, scroll or device"))
