"""What happens to things: used up, dropped, broken."""

from __future__ import annotations

from rules.cairn.conditions import SNUFFED, Forbid, ruined
from rules.cairn.magic.ground import end_zone
from rules.cairn.state import Being, Figure, Lying, Resolution, Setup
from rules.contract.events import Item


def worn(setup: Setup, being: Being, figure: Figure) -> tuple[str, ...]:
    """The armour on somebody's body, without what is ruined."""
    if not figure.lasting:
        return being.wear
    return tuple(item for item in being.wear if not figure.has(ruined(item)))


def sees_in_dark(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody needs no light: by nature, or by what it wears."""
    table = setup.armoury.armor
    return being.dark_sight or any(table[item].dark_sight for item in worn(setup, being, figure))


def light_of(setup: Setup, being: Being, figure: Figure) -> int:
    """Spaces of light around somebody, of its own and of the lamps that it carries; 0 where they are out."""
    if figure.has(SNUFFED):
        return 0
    gear = setup.armoury.gear
    return max(being.light, *(gear[i].light for i in (*figure.hands, *figure.pack) if i in gear), 0)


def voiceless(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody cannot speak: silenced, or by what it wears."""
    table = setup.armoury.armor
    return figure.cannot(Forbid.SPEAK) or any(table[item].mute for item in worn(setup, being, figure))


def spend(resolution: Resolution, who: int, item: str, charges: int) -> None:
    """One use of something; the last one uses it up, and the next one of its kind is whole. Without `charges` it never
    is."""
    used = dict(resolution.figures[who].used)
    used[item] = used.get(item, 0) + 1
    spent = bool(charges) and used[item] >= charges
    if spent:
        del used[item]
    resolution.change(who, used=tuple(sorted(used.items())))
    if spent:
        drop_item(resolution, who, item, "spent")


def drop_item(resolution: Resolution, who: int, item: str, how: str) -> None:
    """An item leaves its carrier: `dropped` on the floor, `spent` or `broken` for good."""
    figure = resolution.figures[who]
    hands, pack = list(figure.hands), list(figure.pack)
    (hands if item in hands else pack).remove(item)
    resolution.change(who, hands=tuple(hands), pack=tuple(pack))
    if how == "dropped":
        resolution.floor = (*resolution.floor, Lying(item, figure.cell))
    resolution.events.append(Item(by=resolution.being(who).id, item=item, how=how))


def take_up(resolution: Resolution, who: int, number: int) -> None:
    """A thing comes off the floor into somebody's pack; a bar that stood there bars the way no longer."""
    lying = resolution.floor[number]
    resolution.floor = (*resolution.floor[:number], *resolution.floor[number + 1 :])
    resolution.change(who, pack=(*resolution.figures[who].pack, lying.item))
    resolution.events.append(Item(by=resolution.being(who).id, item=lying.item, how="picked_up"))
    for zone in resolution.zones:
        if zone.item == lying.item and zone.cells >> lying.cell & 1:
            end_zone(resolution, zone)
            return
