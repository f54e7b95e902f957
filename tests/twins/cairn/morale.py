"""Morale of the foes: the first casualty, half of a band, the last foe at 0 HP (cairn.md §2.11, A14, A15)."""

from __future__ import annotations

from tests.twins.cairn.fight import FOES, Fight
from tests.twins.cairn.people import Person


def test(fight: Fight) -> None:
    for group, band in fight.bands.items():
        crowd = [who for who in fight.standing(FOES) if who["group"] == group]
        due = False
        if band["lost"] and not band["first"]:
            band["first"] = due = True
        if band["lost"] * 2 >= band["size"] and not band["half"]:
            band["half"] = due = True
        fell = any(who["leader"] and who["state"] != "up" for who in fight.of(FOES) if who["group"] == group)
        if fell and not any(who["leader"] for who in crowd):
            for who in [who for who in crowd if who["follower"]]:
                flee(who)
                crowd.remove(who)
        everybody = [who["id"] for who in fight.standing(FOES)]
        if len(everybody) == 1 and crowd and everybody[0] in fight.shaken:
            due = True
        if due:
            roll(fight, crowd)
    fight.shaken.clear()


test.__test__ = False  # type: ignore[attr-defined]


def flee(who: Person) -> None:
    who["state"] = "fled"


def rating(who: Person) -> int:
    return int(who["nerve"] or who["wil"])


def roll(fight: Fight, crowd: list[Person]) -> None:
    """One roll by the leader for all, or one for each."""
    led = any(who["leader"] for who in fight.standing(FOES))
    doubtful = [who for who in crowd if not who["mindless"] and not (who["steadfast"] and led)]
    leader = next((who for who in crowd if who["leader"]), None)
    if not doubtful:
        return
    if leader is not None:
        if not fight.save(rating(leader)):
            for who in doubtful:
                flee(who)
        return
    for who in doubtful:
        if not fight.save(rating(who)):
            flee(who)
