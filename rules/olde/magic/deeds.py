"""Cast Spell and Use as deeds: what may be cast or used on whom, and where (olde.md §4, §9)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Item as Handled
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context
from rules.olde.conditions import Forbid, forbidden
from rules.olde.magic.casting import Casting, caster_rank, resolve
from rules.olde.magic.spells import Spell
from rules.olde.magic.targets import Magic
from rules.olde.magic.words import POOLS, describe, titled
from rules.olde.state import Resolution

USE_AP = 3


class CastSpell(Magic):
    """Cast a known spell or blessing: its AP, its Mana or Faith, gesture and incantation."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def blocked(context: Context, spell: Spell) -> str | None:
        """Why this spell can't be cast now by whoever knows it, targets aside, or None."""
        reason = context.pay(spell.ap)
        if reason is not None:
            return reason
        left = context.figure.mana if spell.pool == "mana" else context.figure.faith
        if left < spell.price:
            return f"costs {spell.price} {POOLS[spell.pool]}, {left} left"
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return f"{word}: no spells"
            if spell.incantation and (word := forbidden(context.figure, Forbid.SPEAK)):
                return f"{word}: {spell.name} must be spoken"
        return None

    def why_not(self, context: Context) -> str | None:
        if not context.fighter.spells:
            return "knows no spell or blessing"
        blocked = context.act_open()
        if blocked:
            return blocked
        reasons = [self.blocked(context, context.setup.grimoire.spells[name]) for name in context.fighter.spells]
        return None if None in reasons else f"{context.fighter.spells[0]}: {reasons[0]}"

    def refusal(self, context: Context, action: Action) -> str | None:
        if not context.fighter.spells:
            return "knows no spell or blessing"
        blocked = context.act_open()
        if blocked:
            return blocked
        known = ", ".join(context.fighter.spells)
        if action.item is None:
            return f"item: needs the name of a spell or blessing; known: {known}"
        if action.item not in context.fighter.spells:
            return f"item: {action.item!r} is no spell that {context.fighter.name} knows; known: {known}"
        spell = context.setup.grimoire.spells[action.item]
        blocked = self.blocked(context, spell)
        return f"item: {blocked}" if blocked else self.fault(context, spell, action)

    def instances(self, context: Context) -> Iterator[Action]:
        if not context.fighter.spells or context.act_open():
            return
        for name in context.fighter.spells:
            spell = context.setup.grimoire.spells[name]
            if self.blocked(context, spell) is None:
                yield from self.instances_of(context, "cast", name, spell)

    def cost(self, context: Context, action: Action) -> int:
        return context.setup.grimoire.spells[action.item or ""].ap

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None
        context = Context(resolution.done(), resolution.chance)
        spell = context.setup.grimoire.spells[action.item or ""]
        casting = self.casting(context, spell, action, whole=True)
        left = getattr(context.figure, spell.pool) - spell.price
        resolution.change(context.who, **{spell.pool: left})
        resolve(resolution, casting)

    def inside(self, context: Context, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each known spell, illegal ones with their reason."""
        out = []
        for name in context.fighter.spells:
            spell = context.setup.grimoire.spells[name]
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = context.act_open() or self.blocked(context, spell) or _nobody(spell)
            out.append(Offer("cast", describe(context, spell, spell.ap, caster_rank(context, spell)), mine, refused))
        return tuple(out)


class UseItem(Magic):
    """Use a potion, scroll or device: 3/Only, and it is used up."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def blocked(context: Context, item: str) -> str | None:
        """Why this item can't be used now, targets aside, or None."""
        if context.setup.grimoire.items[item].kind != "scroll":
            return None
        if not any(skill == "Literacy" for skill in context.fighter.skills):
            return f"nobody reads the {item} without Literacy"
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return f"{word}: no spells, from a scroll either"
            if word := forbidden(context.figure, Forbid.SPEAK):
                return f"{word}: the {item} must be read aloud"
        return None

    def why_not(self, context: Context) -> str | None:
        if not context.figure.items:
            return "carries no potion, scroll or device"
        blocked = context.act_open() or context.pay_only(USE_AP)
        if blocked:
            return blocked
        reasons = [self.blocked(context, item) for item in context.figure.items]
        return None if None in reasons else reasons[0]

    def refusal(self, context: Context, action: Action) -> str | None:
        if not context.figure.items:
            return "carries no potion, scroll or device"
        blocked = context.act_open() or context.pay_only(USE_AP)
        if blocked:
            return blocked
        if action.item not in context.figure.items:
            return f"item: {action.item!r} is not carried; carried: {', '.join(dict.fromkeys(context.figure.items))}"
        blocked = self.blocked(context, action.item)
        return (
            f"item: {blocked}"
            if blocked
            else self.fault(context, context.setup.grimoire.items[action.item].spell, action)
        )

    def instances(self, context: Context) -> Iterator[Action]:
        if not context.figure.items or context.act_open() or context.pay_only(USE_AP):
            return
        for item in dict.fromkeys(context.figure.items):
            if self.blocked(context, item) is None:
                yield from self.instances_of(context, "use", item, context.setup.grimoire.items[item].spell)

    def cost(self, context: Context, action: Action) -> int:
        return context.only(USE_AP)

    def perform(self, resolution: Resolution, action: Action, cost: int) -> None:
        assert resolution.chance is not None and action.item is not None
        context = Context(resolution.done(), resolution.chance)
        casting = self.casting(
            context, context.setup.grimoire.items[action.item].spell, action, action.item, whole=True
        )
        left = list(context.figure.items)
        left.remove(action.item)
        resolution.change(context.who, items=tuple(left))
        resolution.events.append(Handled(by=action.by, item=action.item, how="spent"))
        resolve(resolution, casting)

    def inside(self, context: Context, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each item carried, illegal ones with their reason."""
        out = []
        for name in dict.fromkeys(context.figure.items):
            item = context.setup.grimoire.items[name]
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = (
                    context.act_open() or context.pay_only(USE_AP) or self.blocked(context, name) or _nobody(item.spell)
                )
            count = context.figure.items.count(name)
            label = titled(name) + (f" ({count})" if count > 1 else "")
            shown = describe_item(context, name, label)
            out.append(Offer("use", shown, mine, refused))
        return tuple(out)


def held_spell(context: Context, action: Action) -> Spell:
    """The spell that a cast or use action names. Raises KeyError for an unknown one."""
    grimoire = context.setup.grimoire
    name = action.item or ""
    return grimoire.spells[name] if action.do == "cast" else grimoire.items[name].spell


def casting_of(context: Context, action: Action) -> Casting:
    """The casting that a legal `cast` or `use` stands for."""
    return Magic().casting(
        context, held_spell(context, action), action, action.item or "" if action.do == "use" else ""
    )


def area_of(context: Context, action: Action) -> int:
    """The spaces that a `cast` or `use` would cover, whether it is legal or not; 0 for what has no area."""
    known = context.setup.grimoire.spells if action.do == "cast" else context.setup.grimoire.items
    if action.item not in known:
        return 0
    spell = held_spell(context, action)
    at = action.at if spell.aim == "space" else context.figure.cell
    if at is None or (spell.shape == "one" and spell.summon is None):
        return 0
    return Magic().cells(context, spell, at)


def describe_item(context: Context, name: str, label: str) -> Description:
    """An item as a button."""
    item = context.setup.grimoire.items[name]
    return describe(
        context, item.spell, max(0, context.only(USE_AP)), item.rank, label=label, check=item.kind != "potion"
    )


def describe_magic(context: Context, action: Action) -> Description:
    """A cast or use with its true cost."""
    known = context.setup.grimoire.spells if action.do == "cast" else context.setup.grimoire.items
    name = action.item or ""
    if name not in known:
        return Description(name or action.do, "Act", "")
    spell = held_spell(context, action)
    if action.do == "cast":
        return describe(context, spell, spell.ap, caster_rank(context, spell))
    return describe_item(context, name, titled(name))


def _nobody(spell: Spell) -> str:
    if spell.aim == "ally":
        return "nobody in reach needs it"
    return "no target in range and sight" if spell.aim == "enemy" else "nothing to catch there"


CAST = CastSpell(Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing"))
USE = UseItem(Face("Use item", "Act", "3 AP/Only", "item", "use", "i", "potion, scroll or device"))
