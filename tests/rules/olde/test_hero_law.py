"""Random heroes by the thousand: the program's reckoning against the rulebook written down a second time."""

from __future__ import annotations

import random

import pytest

from rules.olde.challenges.checks import STATS
from rules.olde.creation.heroes import (
    ANY_JOURNEYMAN,
    ARRAYS,
    PACKAGES,
    RANK_NAMES,
    SETS,
    Build,
    Purchase,
    Stats,
    derived,
    reckon,
)
from rules.olde.skills import CHECK_STATS
from tests.rules.olde import hero_law

EACH = 1500


def stats_of(lot: random.Random, values: list[int]) -> Stats:
    lot.shuffle(values)
    return Stats(**dict(zip(STATS, values, strict=True)))


def own_fields(lot: random.Random) -> dict[str, tuple[str, ...]]:
    if lot.random() < 0.7:
        return {}
    words = ["Stars", "Stones", "Beasts", "Kings", "Ships", "Wine"]
    return {lot.choice(("Scholarship", "Linguistics")): tuple(lot.sample(words, lot.choice((5, 5, 5, 4))))}


def purchases(lot: random.Random, most: int, kinds: str) -> tuple[Purchase, ...]:
    found = []
    for _ in range(lot.randrange(most)):
        kind = lot.choice(kinds.split())
        if kind == "set":
            found.append(Purchase(kind="set", name=lot.choice(list(SETS))))
        elif kind == "skill":
            rank = lot.choices(RANK_NAMES, (8, 6, 3, 2, 1, 1))[0]
            skill = lot.choice([*CHECK_STATS, "Knowledge:Stars", "Language:Trade"])
            found.append(Purchase(kind="skill", name=skill, to=rank))
        else:
            found.append(Purchase(kind="stat", name=lot.choice(STATS), to=str(lot.randrange(4, 13))))
    return tuple(found)


def core(lot: random.Random) -> Build:
    values = list(lot.choice(ARRAYS)) if lot.random() < 0.9 else [lot.randrange(3, 13) for _ in range(4)]
    name = lot.choice(list(PACKAGES))
    choices = [lot.choice(options) for options in PACKAGES[name].choices]
    if lot.random() < 0.1:
        choices = choices[: lot.randrange(len(choices) + 1)] + lot.choices(["Swords", "Faith", ""], k=lot.randrange(2))
    plain = Build(stats=stats_of(lot, values), package=name, choices=tuple(choices), fields=own_fields(lot))
    able = [skill for skill, rank in reckon(plain).ranks.items() if rank == "Apprentice"]
    wants = ANY_JOURNEYMAN in choices if lot.random() < 0.9 else lot.random() < 0.5
    chosen = lot.choice(able if lot.random() < 0.95 else list(CHECK_STATS)) if wants else ""
    earned = lot.choice((0, 0, 6, 15))
    later = purchases(lot, 4, "set skill stat") if earned or lot.random() < 0.1 else ()
    return plain.model_copy(update={"journeyman": chosen, "advances": later, "earned": earned})


def crunchy(lot: random.Random) -> Build:
    values = [lot.randrange(3, 10) for _ in range(4)]
    return Build(
        way="crunchy",
        stats=stats_of(lot, values),
        fields=own_fields(lot),
        bought=purchases(lot, 7, "set skill skill" if lot.random() < 0.95 else "set stat"),
        advances=purchases(lot, 4, "set skill stat") if lot.random() < 0.4 else (),
        earned=lot.choice((0, 5, 12, 30)),
    )


@pytest.mark.parametrize("way", [core, crunchy])
def test_thousands_of_random_heroes_are_judged_as_the_rulebook_judges_them(way: object) -> None:
    lot, verdicts = random.Random(f"heroes {way.__name__}"), {True: 0, False: 0}  # type: ignore[attr-defined]
    for number in range(EACH):
        build = way(lot)  # type: ignore[operator]
        bill = reckon(build)
        lawful, ranks, stats = hero_law.judge(build.model_dump(mode="json"))
        assert bill.legal == lawful, f"number {number}: {build!r}: {bill.faults}"
        verdicts[lawful] += 1
        if lawful:
            assert bill.ranks == ranks, f"number {number}: {build!r}"
            assert bill.stats.values == stats
    assert min(verdicts.values()) > EACH // 10, verdicts


def test_hit_points_mana_and_faith_follow_the_formulas_for_every_pair_of_stats() -> None:
    for brawn in range(3, 13):
        for savvy in range(3, 13):
            for nerve in range(3, 13):
                found = derived(Stats(brawn=brawn, finesse=5, savvy=savvy, nerve=nerve))
                assert found == {"hp": brawn + nerve // 2, "mana": savvy + nerve // 2, "faith": nerve + savvy // 2}
