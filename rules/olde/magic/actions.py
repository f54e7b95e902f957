"""Cast Spell and Use as actions: what may be cast or used on whom, and where (olde.md §4, §9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Item as Handled
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text, titled
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context
from rules.olde.actions.kind import Kind, situation
from rules.olde.conditions import Forbid, forbidden
from rules.olde.magic.casting import Casting, caster_rank, resolve
from rules.olde.magic.odds import odds_of
from rules.olde.magic.spells import POOLS, Aim, ItemKind, Spell
from rules.olde.magic.targets import casting, covered, instances_of, why_not_so
from rules.olde.magic.words import describe
from rules.olde.state import Resolution


class MagicAction(Kind):
    """What a spell does, cast or out of an item that is used."""

    risky = True
    rank = 2
    nothing: str
    """Why somebody has none to choose among."""

    def names(self, context: Context) -> tuple[str, ...]:
        """What somebody may choose among."""
        raise NotImplementedError(self.do)

    def known(self, context: Context) -> Collection[str]:
        """Everything that there is of its kind."""
        raise NotImplementedError(self.do)

    def spell(self, context: Context, name: str) -> Spell:
        """The spell of one of them."""
        raise NotImplementedError(self.do)

    def unknown(self, context: Context, name: str | None) -> str:
        """Why what is named is none of them."""
        raise NotImplementedError(self.do)

    def why_not_now(self, context: Context, name: str) -> str | None:
        """Why this one is out of the question now, targets aside, or None."""
        raise NotImplementedError(self.do)

    def shown(self, context: Context, name: str, *, counted: bool = False) -> Description:
        """One of them as a button."""
        raise NotImplementedError(self.do)

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        """The casting that a legal action stands for."""
        return casting(context, self.spell(context, action.item or ""), action, whole=whole)

    def odds(self, context: Context, action: Action) -> Odds:
        return odds_of(context.state, self.casting_of(context, action))

    def area(self, context: Context, action: Action) -> int:
        """The spaces that it would cover, whether it is legal or not; 0 for what has no area."""
        if action.item not in self.known(context):
            return 0
        spell = self.spell(context, action.item or "")
        at = action.at if spell.aim is Aim.SPACE else context.figure.cell
        if at is None or (not spell.shape.area and spell.summon is None):
            return 0
        return covered(context, spell, at)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.item is None:
            return super().describe(context, action)
        if action.item not in self.known(context):
            return Description(action.item or self.do, "Act", "")
        return self.shown(context, action.item)

    def why_not(self, context: Context) -> str | None:
        names = self.names(context)
        blocked = self.closed(context) if names else self.nothing
        if blocked:
            return blocked
        reasons = [self.why_not_now(context, name) for name in names]
        return None if None in reasons else reasons[0]

    def refusal(self, context: Context, action: Action) -> str | None:
        names = self.names(context)
        blocked = self.closed(context) if names else self.nothing
        if blocked:
            return blocked
        if action.item is None or action.item not in names:
            return self.unknown(context, action.item)
        blocked = self.why_not_now(context, action.item)
        return (
            text("item: {why}", why=blocked)
            if blocked
            else why_not_so(context, self.spell(context, action.item), action)
        )

    def instances(self, context: Context) -> Iterator[Action]:
        names = self.names(context)
        if not names or self.closed(context):
            return
        for name in names:
            if self.why_not_now(context, name) is None:
                yield from instances_of(context, self.do, name, self.spell(context, name))

    def inside(self, context: Context, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each of them, illegal ones with their reason."""
        out = []
        for name in self.names(context):
            mine = tuple(action for action in actions if action.item == name)
            refused = None
            if not mine:
                refused = self.closed(context) or self.why_not_now(context, name)
                refused = refused or self.spell(context, name).aim.nobody
            out.append(Offer(self.do, self.shown(context, name, counted=True), mine, refused))
        return tuple(out)


class CastSpell(MagicAction):
    """Cast a known spell or blessing: its AP, its Mana or Faith, gesture and incantation."""

    do = "cast"
    face = Face("Cast Spell", "Act", "1–3 AP", "item", "cast", "8", "a spell or a blessing")
    nothing = "knows no spell or blessing"

    def names(self, context: Context) -> tuple[str, ...]:
        return context.fighter.spells

    def known(self, context: Context) -> Collection[str]:
        return context.setup.grimoire.spells

    def spell(self, context: Context, name: str) -> Spell:
        return context.setup.grimoire.spells[name]

    def unknown(self, context: Context, name: str | None) -> str:
        known = joined(", ", context.fighter.spells)
        if name is None:
            return text("item: needs the name of a spell or blessing; known: {known}", known=known)
        return text(
            "item: {name} is no spell that {who} knows; known: {known}",
            name=repr(name),
            who=context.fighter.name,
            known=known,
        )

    def shown(self, context: Context, name: str, *, counted: bool = False) -> Description:
        spell = self.spell(context, name)
        return describe(context, spell, spell.ap, caster_rank(context.fighter, spell))

    def idle(self, context: Context) -> bool:
        return not context.fighter.spells

    def why_not(self, context: Context) -> str | None:
        reason = super().why_not(context)
        blocked = reason is None or not context.fighter.spells or self.closed(context)
        return reason if blocked else text("{spells}: {reason}", spells=context.fighter.spells[0], reason=reason or "")

    def why_not_now(self, context: Context, name: str) -> str | None:
        spell = self.spell(context, name)
        reason = context.pay(spell.ap)
        if reason is not None:
            return reason
        left = spell.left(context.figure)
        if left < spell.price:
            return text(
                "costs {price} {label}, {left} left", price=spell.price, label=POOLS[spell.pool].label, left=left
            )
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return text("{word}: no spells", word=word)
            if spell.incantation and (word := forbidden(context.figure, Forbid.SPEAK)):
                return text("{word}: {name} must be spoken", word=word, name=spell.name)
        return None

    def cost(self, context: Context, action: Action) -> int:
        return self.spell(context, action.item or "").ap

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        context = situation(resolution)
        spell, prepared = self.spell(context, action.item or ""), self.casting_of(context, action, whole=True)
        resolution.change(who, **{spell.pool: spell.left(context.figure) - spell.price})
        resolve(resolution, prepared)


class UseItem(MagicAction):
    """Use a potion, scroll or device: 3/Only, and it is used up."""

    do = "use"
    face = Face("Use item", "Act", "3 AP/Only", "item", "use", "i", "potion, scroll or device")
    ap, only = 3, True
    nothing = "carries no potion, scroll or device"

    def names(self, context: Context) -> tuple[str, ...]:
        return tuple(dict.fromkeys(context.figure.items))

    def known(self, context: Context) -> Collection[str]:
        return context.setup.grimoire.items

    def spell(self, context: Context, name: str) -> Spell:
        return context.setup.grimoire.items[name].spell

    def unknown(self, context: Context, name: str | None) -> str:
        return text(
            "item: {name} is not carried; carried: {known}", name=repr(name), known=joined(", ", self.names(context))
        )

    def casting_of(self, context: Context, action: Action, *, whole: bool = False) -> Casting:
        name = action.item or ""
        return casting(context, self.spell(context, name), action, item=name, whole=whole)

    def shown(self, context: Context, name: str, *, counted: bool = False) -> Description:
        item, count = context.setup.grimoire.items[name], context.figure.items.count(name)
        label = text("{name} ({count})", name=titled(name), count=count) if counted and count > 1 else titled(name)
        ap = max(0, context.only(self.ap))
        return describe(context, item.spell, ap, item.rank, label=label, check=item.kind is not ItemKind.POTION)

    def idle(self, context: Context) -> bool:
        return not context.left or not context.figure.items

    def why_not_now(self, context: Context, name: str) -> str | None:
        if context.setup.grimoire.items[name].kind is not ItemKind.SCROLL:
            return None
        if not any(skill == "Literacy" for skill in context.fighter.skills):
            return text("nobody reads the {name} without Literacy", name=name)
        if context.figure.effects:
            if word := forbidden(context.figure, Forbid.CAST):
                return text("{word}: no spells, from a scroll either", word=word)
            if word := forbidden(context.figure, Forbid.SPEAK):
                return text("{word}: the {name} must be read aloud", word=word, name=name)
        return None

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        assert action.item is not None
        context = situation(resolution)
        prepared = self.casting_of(context, action, whole=True)
        left = list(context.figure.items)
        left.remove(action.item)
        resolution.change(who, items=tuple(left))
        resolution.events.append(Handled(by=action.by, item=action.item, how="spent"))
        resolve(resolution, prepared)


MAGIC_ACTIONS: Mapping[str, MagicAction] = {kind.do: kind for kind in (CastSpell(), UseItem())}
