"""What a deed at something that stands on a map asks of somebody: which save, and how hard it is (cairn.md §2.14)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from rules.cairn.state import EXPLORE_PHASE, WORDS, CairnState, Figure, Resolution, save_chance
from rules.contract.text import text
from rules.contract.units import CreatureIx

RULE = "cairn.md §2.14"
EASY, HARD = 5, 11
"""Up to the first difficulty of a map nothing is thrown; from the second on it takes the right tool (OURS)."""
FORCE, PICK, DISARM, CLEAR = "force", "pick", "disarm", "clear"
"""Words of deeds at chests, doors, traps and rubble."""
CROWBAR, PICKS, TOOLS, ROPE, POLE = "crowbar", "thieving tools", "common tools", "rope", "pole"


class Trial(NamedTuple):
    """A kind of deed: the attribute that is saved with, and what helps with what is hard."""

    attribute: str  # `str`, `dex`, or `better` of the two
    tools: tuple[str, ...]
    needed: bool = False
    """Without a tool it can't be tried at all."""
    patient: bool = False
    """With a tool, and the ten minutes of a dungeon turn, it comes off without a throw."""


TRIALS: Mapping[str, Trial] = MappingProxyType({
    FORCE: Trial("str", (CROWBAR, TOOLS)),
    "lift": Trial("str", (CROWBAR, POLE, "chain")),
    PICK: Trial("dex", (PICKS, "lockpicks"), needed=True),
    DISARM: Trial("dex", (PICKS, "lockpicks", POLE)),
    CLEAR: Trial("str", (CROWBAR, TOOLS, POLE), patient=True),
    "climb": Trial("better", (ROPE, "grappling hook", "expeditionary gear", "spiked boots")),
    "leap": Trial("dex", (POLE, ROPE, "grappling hook")),
    "swim": Trial("str", (ROPE, "air bladder")),
})  # fmt: skip
"""By the word for the deed."""


class Terms(NamedTuple):
    """What one throw is made against."""

    attribute: str
    score: int
    sure: bool = False
    """Nothing has to be thrown."""
    lacking: str = ""
    """The tool for want of which half of the score counts."""

    @property
    def chance(self) -> Fraction:
        """The exact chance that it comes off."""
        return Fraction(1) if self.sure else save_chance(self.score)

    @property
    def dice(self) -> str:
        """The save as odds name it."""
        return "no save" if self.sure else text("{attribute} save {score}", WORDS[self.attribute], self.score)


def tool_of(figure: Figure, trial: Trial) -> str:
    """The first thing carried that is of use, or nothing."""
    carried = figure.carried
    return next((tool for tool in trial.tools if tool in carried), "")


def terms_of(at: CairnState | Resolution, figure: Figure, deed: str, difficulty: int) -> Terms:
    """What somebody would throw; without the option `fixtures` every difficulty is a plain save."""
    trial = TRIALS[deed]
    attribute = figure.better if trial.attribute == "better" else trial.attribute
    score = figure.score(attribute)
    if not at.setup.fixtures:
        return Terms(attribute, score)
    in_peace = trial.patient and at.phase == EXPLORE_PHASE and tool_of(figure, trial)
    if difficulty <= EASY or in_peace:
        return Terms(attribute, score, sure=True)
    if difficulty >= HARD and not tool_of(figure, trial):
        return Terms(attribute, score // 2, lacking=trial.tools[0])
    return Terms(attribute, score)


def why_not(figure: Figure, deed: str) -> str | None:
    """Why somebody can't even try, or None."""
    trial = TRIALS[deed]
    return None if not trial.needed or tool_of(figure, trial) else text("carries no {tool}", trial.tools[0])


def tried(resolution: Resolution, who: CreatureIx, deed: str, difficulty: int, why: str) -> bool:
    """Somebody tries it: thrown and told, if anything has to be thrown."""
    terms = terms_of(resolution, resolution.figures[who], deed, difficulty)
    return terms.sure or resolution.save_roll(who, terms.attribute, why, terms.score)[0]


def note(terms: Terms, told: str) -> tuple[tuple[str, str], ...]:
    """What odds say beside the figures."""
    if terms.lacking:
        return ((told, RULE), (text("hard, and no {tool}: half of the score", terms.lacking), RULE))
    return ((told, RULE),)
