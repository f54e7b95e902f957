"""Cast Spell and Use as actions: what may be cast or used on whom, and where (olde.md §4, §9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Item as Handled
from rules.contract.ruleset import Odds
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context
from rules.olde.actions.kind import Kind, situation
from rules.olde.conditions import Forbid, forbidden
from rules.olde.magic.casting import Casting, caster_rank, resolve
from rules.olde.magic.odds import odds_of
from rules.olde.magic.spells import POOLS, Aim, Spell
from rules.olde.magic.targets import Magic
from rules.olde.magic.words import describe, titled
from rules.olde.state import Resolution


class MagicAction(Magic, Kind):
    """What a spell does, cast or out of an item that is used."""

    risky = True
    rank = 2

    def known(self, context: Context, name: str) -> bool:
        """Whether there is a spell or an item of this name."""
        raise NotImplementedError(self.do)

    def spell(self, context: Context, action: Action) -> Spell:
        """The spell that an action names. Raises KeyError for an unknown one."""
        raise NotImplementedError(self.do)

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        """The casting that a legal action stands for."""
        return self.casting(context, self.spell(context, action), action, whole=whole)

    def shown(self, context: Context, name: str) -> Description:
        """One spell or item as a button."""
        raise NotImplementedError(self.do)

    def odds(self, context: Context, action: Action) -> Odds:
        return odds_of(context.state, self.casting_of(context, action))

    def area(self, context: Context, action: Action) -> int:
        """The spaces that it would cover, whether it is legal or not; 0 for what has no area."""
        if not self.known(context, action.item or ""):
            return 0
        spell = self.spell(context, action)
        at = action.at if spell.aim is Aim.SPACE else context.figure.cell
        if at is None or (not spell.shape.area and spell.summon is None):
            return 0
        return self.cells(context, spell, at)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.item is None:
            return super().describe(context, action)
        if not self.known(context, action.item):
            return Description(action.item or self.do, "Act", "")
        return self.shown(context, action.item)


class CastSpell(MagicAction):
    """Cast a known spell or blessing: its AP, its Mana or Faith, gesture and incantation."""

    do = "cast"
    face = Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing")

    def known(self, context: Context, name: str) -> bool:
        return name in context.setup.grimoire.spells

    def spell(self, context: Context, action: Action) -> Spell:
        return context.setup.grimoire.spells[action.item or ""]

    def shown(self, context: Context, name: str) -> Description:
        spell = context.setup.grimoire.spells[name]
        return describe(context, spell, spell.ap, caster_rank(context.fighter, spell))

    def idle(self, context: Context) -> bool:
        return not context.fighter.spells

    @staticmethod
    def blocked(context: Context, spell: Spell) -> str | None:
        """Why this spell can't be cast now by whoever knows it, targets aside, or None."""
        reason = context.pay(spell.ap)
        if reason is not None:
            return reason
        left = spell.left(context.figure)
        if left < spell.price:
            return f"costs {spell.price} {POOLS[spell.pool].label}, {left} left"
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
                yield from self.instances_of(context, self.do, name, spell)

    def cost(self, context: Context, action: Action) -> int:
        return context.setup.grimoire.spells[action.item or ""].ap

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        context = situation(resolution)
        spell, casting = self.spell(context, action), self.casting_of(context, action, whole=True)
        resolution.change(who, **{spell.pool: spell.left(context.figure) - spell.price})
        resolve(resolution, casting)

    def inside(self, context: Context, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each known spell, illegal ones with their reason."""
        out = []
        for name in context.fighter.spells:
            spell = context.setup.grimoire.spells[name]
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = context.act_open() or self.blocked(context, spell) or spell.aim.nobody
            out.append(Offer(self.do, self.shown(context, name), mine, refused))
        return tuple(out)


class UseItem(MagicAction):
    """Use a potion, scroll or device: 3/Only, and it is used up."""

    do = "use"
    face = Face("Use item", "Act", "3 AP/Only", "item", "use", "i", "potion, scroll or device")
    ap, only = 3, True

    def known(self, context: Context, name: str) -> bool:
        return name in context.setup.grimoire.items

    def spell(self, context: Context, action: Action) -> Spell:
        return context.setup.grimoire.items[action.item or ""].spell

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        return self.casting(context, self.spell(context, action), action, action.item or "", whole=whole)

    def shown(self, context: Context, name: str, label: str = "") -> Description:
        item = context.setup.grimoire.items[name]
        return describe(
            context, item.spell, max(0, context.only(self.ap)), item.rank, label=label or titled(name),
            check=item.kind != "potion",
        )  # fmt: skip

    def idle(self, context: Context) -> bool:
        return not context.left or not context.figure.items

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
        blocked = self.closed(context)
        if blocked:
            return blocked
        reasons = [self.blocked(context, item) for item in context.figure.items]
        return None if None in reasons else reasons[0]

    def refusal(self, context: Context, action: Action) -> str | None:
        if not context.figure.items:
            return "carries no potion, scroll or device"
        blocked = self.closed(context)
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
        if not context.figure.items or self.closed(context):
            return
        for item in dict.fromkeys(context.figure.items):
            if self.blocked(context, item) is None:
                yield from self.instances_of(context, self.do, item, context.setup.grimoire.items[item].spell)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        assert action.item is not None
        context = situation(resolution)
        casting = self.casting_of(context, action, whole=True)
        left = list(context.figure.items)
        left.remove(action.item)
        resolution.change(who, items=tuple(left))
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
                refused = self.closed(context) or self.blocked(context, name) or item.spell.aim.nobody
            count = context.figure.items.count(name)
            label = titled(name) + (f" ({count})" if count > 1 else "")
            out.append(Offer(self.do, self.shown(context, name, label), mine, refused))
        return tuple(out)


MAGIC_ACTIONS: Mapping[str, MagicAction] = {kind.do: kind for kind in (CastSpell(), UseItem())}
