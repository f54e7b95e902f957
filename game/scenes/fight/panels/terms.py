"""Where words and figures come from: tooltips with the rulebook's sentence for terms, adjustments and their rules."""

from __future__ import annotations

from collections.abc import Sequence

from game.widgets.core import Tip
from rules.contract.actions import Adjustment
from rules.contract.display import Display
from rules.contract.text import Term, Value, joined, text, titled
from rules.core.dice import signed


def term_tip(ruleset: Display, word: str, rule: str = "") -> Tip | None:
    """The rulebook's word on a term, if it has one; else what the rule says that is named with it."""
    found = ruleset.term(word) or (ruleset.term(rule) if rule else None)
    if found is None:
        return Tip(rule) if rule else None
    return Tip(found[0], titled(word), found[1])


def value_tip(ruleset: Display, value: Value | None) -> Tip | None:
    """What the rulebook says of the field of a sentence: of a term of the rules, or a word that is one."""
    if isinstance(value, Term):
        return term_tip(ruleset, value, value.rule)
    return term_tip(ruleset, value) if isinstance(value, str) else None


def adjustment_tip(ruleset: Display, adjustment: Adjustment) -> Tip | None:
    """What an adjustment is for, by its rule's sentence."""
    found = (ruleset.term(adjustment.rule) if adjustment.rule else None) or ruleset.term(adjustment.because)
    if found is None:
        return Tip(adjustment.rule, adjustment.because) if adjustment.rule else None
    title = titled(adjustment.because)
    return Tip(found[0], title, adjustment.rule or found[1])


def changes_tip(ruleset: Display, changes: Sequence[Adjustment]) -> Tip | None:
    """What several adjustments of one thing are for: of one alone its rule, else each with its figure."""
    if len(changes) == 1:
        return adjustment_tip(ruleset, changes[0])
    told = (text("{because} {change}", because=each.because, change=signed(each.value)) for each in changes)
    return Tip(joined("\n", told), titled(changes[0].to.lower()))
