"""Pages of the rules reference that are made from content: every spell, blessing and item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.contract.text import joined, text, titled
from rules.olde.magic.models import grimoire_of
from rules.olde.magic.spells import POOLS, ItemKind, Spell
from rules.olde.magic.words import against_words, effect_words, manner_words

AS_RANK = 8
"""The caster's stat for which the dice of spells are written out."""


class Entry(NamedTuple):
    """One page: chapter, title, rule, paragraphs."""

    chapter: str
    title: str
    rule: str
    paragraphs: tuple[str, ...]


def entries(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[Entry]:
    """A page for each spell, blessing and item. Raises BattlematError for faulty tables."""
    grimoire = grimoire_of(tables)
    for spell in grimoire.spells.values():
        pool = POOLS[spell.pool]
        chapter, rule = pool.table.capitalize(), f"olde.md §9 {pool.table}"
        cost = text("{ap} AP · {price} {label}", ap=spell.ap, price=spell.price, label=pool.label)
        stat = text("Dice for a {stat} of {as_rank}.", stat=pool.stat.capitalize(), as_rank=AS_RANK)
        does = (_told(spell, AS_RANK), *((stat,) if spell.dice is not None and not spell.dice.rank else ()))
        yield Entry(chapter, titled(spell.name), rule, (cost, *does, spell.summary))
    for item in grimoire.items.values():
        told = _told(item.spell, item.rank, check=item.kind is not ItemKind.POTION)
        yield Entry("Potions, scrolls and devices", titled(item.name), "olde.md §9 items",
                    (text("{kind}: 3/Only", kind=titled(item.kind)), told, item.summary))  # fmt: skip


def _told(spell: Spell, rank: int, *, check: bool = True) -> str:
    parts = (effect_words(spell, rank), against_words(spell) if check else "", manner_words(spell))
    return titled(joined("; ", (part for part in parts if part)))
