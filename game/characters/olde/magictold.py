"""What spells, blessings and items do, in the words of the fight's own buttons, for whoever chooses among them."""

from __future__ import annotations

from functools import lru_cache

from game.characters.olde.model import Hero, stats
from game.content import tables as content
from rules.olde.magic.spells import Grimoire
from rules.olde.magic.words import against_words, effect_words, manner_words, titled

RULESET = str(Hero.model_fields["ruleset"].default)


@lru_cache(maxsize=1)
def _grimoire() -> Grimoire:
    return Grimoire.from_tables(content.tables(RULESET))


def spell_told(hero: Hero, name: str) -> str:
    """What a spell or blessing does in this hero's hands: `1d9!+3 damage; against Defense; range 10, gesture`."""
    spell = _grimoire().spells.get(name)
    if spell is None:
        return "not in these rules"
    rank = stats(hero).savvy if spell.pool == "mana" else stats(hero).nerve
    parts = [effect_words(spell, rank), against_words(spell), manner_words(spell)]
    return titled("; ".join(part for part in parts if part))


def item_told(name: str) -> str:
    """What a potion, scroll or device does, whoever uses it: its maker's stat is rolled."""
    item = _grimoire().items.get(name)
    if item is None:
        return "not in these rules"
    parts = [f"{item.kind}, 3/Only", effect_words(item.spell, item.rank)]
    if item.kind != "potion":
        parts.append(against_words(item.spell))
    parts.append(manner_words(item.spell))
    return titled("; ".join(part for part in parts if part))
