"""What happens to things: used up, dropped, broken."""

from __future__ import annotations

from rules.cairn.magic.ground import end_zone
from rules.cairn.state import Lying, Setup, Work
from rules.contract.events import Item


def spend(work: Work, who: int, item: str, charges: int) -> None:
    """One use of something; the last one uses it up, and the next one of its kind is whole. Without `charges` it never
    is."""
    used = dict(work.figures[who].used)
    used[item] = used.get(item, 0) + 1
    spent = bool(charges) and used[item] >= charges
    if spent:
        del used[item]
    work.change(who, used=tuple(sorted(used.items())))
    if spent:
        drop_item(work, who, item, "spent")


def drop_item(work: Work, who: int, item: str, how: str) -> None:
    """An item leaves its carrier: `dropped` on the floor, `spent` or `broken` for good."""
    figure = work.figures[who]
    hands, pack = list(figure.hands), list(figure.pack)
    (hands if item in hands else pack).remove(item)
    work.change(who, hands=tuple(hands), pack=tuple(pack))
    if how == "dropped":
        work.floor = (*work.floor, Lying(item, figure.cell))
    work.events.append(Item(by=work.being(who).id, item=item, how=how))


def bars(setup: Setup, item: str) -> bool:
    """Whether an item is what bars the way where it is let go."""
    gear = setup.armoury.gear.get(item)
    power = setup.armoury.powers.get(gear.power) if gear is not None else None
    return power is not None and any(effect.kind == "bar" for effect in power.effects)


def take_up(work: Work, who: int, number: int) -> None:
    """A thing comes off the floor into somebody's pack; a bar that stood there bars the way no longer."""
    lying = work.floor[number]
    work.floor = (*work.floor[:number], *work.floor[number + 1 :])
    work.change(who, pack=(*work.figures[who].pack, lying.item))
    work.events.append(Item(by=work.being(who).id, item=lying.item, how="picked_up"))
    for zone in work.zones:
        if zone.kind == "bar" and zone.cells >> lying.cell & 1 and bars(work.setup, lying.item):
            end_zone(work, zone)
            return
