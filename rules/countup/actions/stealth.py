"""Coming up unheard and lying in wait: opposed checks before the first second (countup.md §2.9), and what they make
of the dice of initiative (countup.md §1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.contract.events import Contest
from rules.countup import skills
from rules.countup.state import Being, Resolution, present

SCENES: Mapping[str, int] = {"standard": 12, "ambush": 10, "heard": 8, "door": 6, "corner": 4}
"""The initiative die by what one knew beforehand (countup.md §1.1)."""
ABILITY = 10
"""An ability that a stat block does not tell: what an untrained universal skill is worth (OURS)."""


class Manner(NamedTuple):
    """A way to go unnoticed: the skill it takes, the skill that notices it."""

    skill: str
    sense: str


MANNERS: Mapping[str, Manner] = {"sneaking": Manner("sneaking", "listening"), "hidden": Manner("hiding", "observation")}
"""By `stealth` of a stat block."""


def skill_of(being: Being, name: str) -> int:
    """The percentage of a universal skill; untrained the ability's score."""
    return skills.level_of(being.skills.get(name), name, (ABILITY,))


def initiative_dice(resolution: Resolution) -> list[int]:
    """Faces of everybody's die of initiative. Whoever comes sneaking, or hides, is opposed by each foe on its guard;
    a band is as quiet as its noisiest. Unnoticed by all they wait for their foes: a d4. Who notices them knows
    where they are, and they that they were heard: a d8. A better die that one has anyway stays (OURS)."""
    beings = resolution.setup.beings
    dice = [SCENES[being.scene] for being in beings]
    for side in resolution.setup.sides:
        for stealth, manner in MANNERS.items():
            band = [
                who
                for who, being in enumerate(beings)
                if being.side == side and being.stealth == stealth and present(resolution.figures[who])
            ]
            if not band:
                continue
            noticed = _noticed(resolution, band, manner)
            for who in (*band, *noticed):
                known = "heard" if noticed else "corner"
                dice[who] = min(dice[who], SCENES[known])
    return dice


def _noticed(resolution: Resolution, band: list[int], manner: Manner) -> list[int]:
    """The foes that notice a band: each on its guard tries for itself."""
    beings = resolution.setup.beings
    loudest = min(band, key=lambda who: (skill_of(beings[who], manner.skill), who))
    quiet = skill_of(beings[loudest], manner.skill)
    found = []
    for who, being in enumerate(beings):
        if being.side == beings[loudest].side or being.unwary or not present(resolution.figures[who]):
            continue
        winner, rolls = skills.opposed(
            resolution.dice,
            (manner.skill, quiet, beings[loudest].id),
            (manner.sense, skill_of(being, manner.sense), being.id),
        )
        if winner == 1:
            found.append(who)
        resolution.events.append(
            Contest(
                by=beings[loudest].id,
                target=being.id,
                what=manner.skill,
                rolls=rolls,
                success=winner == 0,
                note="notices it" if winner == 1 else "notices nothing",
                seen_by=() if winner == 1 else (beings[loudest].side,),
            )
        )
    return found
