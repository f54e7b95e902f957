"""Morale of the foes: the first casualty, half of a band, the last foe at 0 HP (cairn.md §2.11, A14, A15)."""

from __future__ import annotations

from tests.twins.cairn.fight import FOES, Fight
from tests.twins.cairn.people import Person


def test(fight: Fight) -> None:
    for group in fight.bands:  # followers flee first, of every band
        fell = any(who["leader"] and who["state"] != "up" for who in fight.of(FOES) if who["group"] == group)
        crowd = [who for who in fight.standing(FOES) if who["group"] == group]
        if fell and not any(who["leader"] for who in crowd):
            for who in crowd:
                if who["follower"]:
                    fight.leave(who, "fled")
    for group, band in fight.bands.items():
        crowd = [who for who in fight.standing(FOES) if who["group"] == group]
        lost = sum(casualty(who) for who in fight.of(FOES) if who["group"] == group)
        everybody = [who["id"] for who in fight.standing(FOES)]
        due = len(everybody) == 1 and bool(crowd) and everybody[0] in fight.shaken
        if not crowd:
            continue
        if lost and not band["first"]:
            band["first"] = due = True
        if lost and lost * 2 >= band["size"] and not band["half"]:
            band["half"] = due = True
        if due:
            roll(fight, crowd)
    fight.shaken.clear()


test.__test__ = False  # type: ignore[attr-defined]


def casualty(who: Person) -> bool:
    """Dead, incapacitated, routed or fallen: who merely fled is none, and called creatures count for nobody."""
    if who["called"]:
        return False
    return who["state"] in ("dead", "incapacitated") or who["gone"] in ("routed", "fallen")


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
                fight.leave(who, "fled")
        return
    for who in doubtful:
        if not fight.save(rating(who)):
            fight.leave(who, "fled")
