"""A fight lives: somebody comes to decide, what is offered works, clocks go by wall time, and its end leads on."""

from __future__ import annotations

from typing import Any

from game.fight.seats import Seats
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import Handover, Recap
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from game.widgets.controls import Pressable
from rules.contract.actions import Action, Decision
from tests.soak.table import Table
from tests.soak.wrong import Wrong

STILL = 20.0
"""Seconds without any motion after which a fight in which nobody is asked stands still for ever."""
AT_ONCE = 40
"""Commands that the computer gives for one creature on end, after which it will never come to an end by itself."""
FINALE = 90.0
"""Seconds that a fight is left to itself at the end of a run."""
EXPECTED = ("There is no quick save yet",)
"""What the window may say did not work."""
LEADING = ("Summary", "Camp", "Next fight", "Onward", "Title", "Out")
"""Ways on from a fight that is over."""
HASTE = 0.7
"""Seconds within which a key was meant for what was there before."""
LATE = 0.3
"""Seconds that a clock may be off, beside a turn of the loop."""


# -- somebody decides


def somebody_always_comes_to_decide(table: Table) -> None:
    """While nothing moves and nobody is asked, something happens soon."""
    fight, now = table.fight, table.clock.now
    if fight is None or table.loop.top is not fight or not _waited_for(table, fight):
        table.notes.pop("still", None)
        return
    moment = (id(fight), fight.match.history.length, id(fight.match.history.moments[-1]))
    known, since = table.note("still", (moment, now))
    if known != moment:
        table.notes["still"] = (moment, now)
    elif now - since > STILL:
        told = f"nobody decides and nothing happens for {now - since:.0f} s: {fight.toast_text or 'no word of why'}"
        raise Wrong("somebody always comes to decide", told)


def _waited_for(table: Table, fight: Fight) -> bool:
    """Whether it is the fight's own part to go on."""
    if fight.view.busy or fight.seating.due is not None or fight.seating.awaited is not None:
        return False  # the game master may hold the screen as long as they like
    if fight.match.decision is None:
        return fight.pacing.wants_beat()
    return fight.plan is None or fight.ends_by_itself


def the_computer_comes_to_an_end(table: Table) -> None:
    """One creature of the computer's does not go on with this and that while nobody else ever has a turn."""
    given = table.fight.match.record.commands[-AT_ONCE:] if table.fight is not None else []
    if table.fight is None or len(given) < AT_ONCE or any(each.by != given[0].by or each.do == "end" for each in given):
        return
    match, by = table.fight.match, given[0].by
    if any(Seats(match.record).answering(decision) is None for decision in match.decisions if decision.by == by):
        told = f"{AT_ONCE} commands for {by} on end, the last {', '.join(each.do for each in given[-4:])}"
        raise Wrong("the computer comes to an end", told)


def it_goes_on_by_itself(table: Table) -> None:
    """Whatever was opened is closed, hands are taken off, and somebody comes to decide or the fight ends."""
    end = table.clock.now + FINALE
    while table.clock.now < end and (fight := table.fight) is not None and table.loop.running:
        if not _closed(table, fight) or _settled(table, fight):
            return
        table.loop.let(1.0)
        for rule in (somebody_always_comes_to_decide, the_computer_comes_to_an_end, what_the_window_offers_works):
            rule(table)


def _closed(table: Table, fight: Fight) -> bool:
    for _ in range(12):
        top = table.loop.top
        if top is fight or isinstance(top, Summary):
            return True
        table.hand.do(_way_out(top))
        if table.fight is not fight:
            return False
        table.loop.let(0.1)
    return False


def _way_out(top: object) -> list[Any]:
    if isinstance(top, Handover):
        return ["press", "ready"]
    return ["key", "t"] if isinstance(top, DiceDialog) else ["command", "back"]


def _settled(table: Table, fight: Fight) -> bool:
    if isinstance(table.loop.top, Summary):
        return True
    return fight.plan is not None and not fight.view.busy and not fight.ends_by_itself


# -- what is offered works


def nothing_is_refused_twice(table: Table, fight: Fight) -> None:
    """What the screen offers is done, and the computer never tries again what was refused."""
    deeds = fight.deeds
    act, answer, carried = deeds.act, deeds.answer, fight.match.act
    refused: set[tuple[int, Action]] = set()
    meant: list[Action | None] = [None]

    def heard(action: Action) -> bool:
        at, offered = fight.match.history.length, _offered(fight, action)
        done = act(action)
        if not done and offered and fight.eyes.sides is None and at == fight.match.history.length:
            raise Wrong("nothing is refused twice", f"{action} is offered: {fight.toast_text}", f"person {action.do}")
        return done

    def answered(decision: Decision, action: Action) -> bool:
        at, meant[0] = fight.match.history.length, action
        done = answer(decision, action)
        own = fight.seating.seats.answering(decision) is None
        if not done and own and (at, action) in refused:
            raise Wrong("nothing is refused twice", f"the computer tries {action} again: {fight.toast_text}", "ai")
        refused.update([] if done else [(at, action)])
        return done

    def carry(decision: Decision, action: Action, *throws: Any) -> Any:
        wanted, meant[0] = meant[0], None
        if fight.seating.seats.answering(decision) is not None:
            wanted = None  # a person's
        if wanted is not None and wanted != action:
            told = f"the computer wants {wanted}, and with {fight.eyes.sides} looking on does {action}"
            raise Wrong("the computer plays the same whoever looks on", told)
        return carried(decision, action, *throws)

    deeds.act, deeds.answer, fight.match.act = heard, answered, carry  # type: ignore[method-assign, assignment]


def _offered(fight: Fight, action: Action) -> bool:
    return fight.plan is not None and any(action in offer.actions for offer in fight.plan.offers)


def what_the_window_offers_works(table: Table) -> None:
    """No dialog tells of something that did not work, but for what one could not know."""
    for text in table.complaints:
        if not text.startswith(EXPECTED):
            raise Wrong("what the window offers works", text, text.split(":")[0][:40])
    table.complaints.clear()


# -- clocks


def read_the_clock(table: Table) -> None:
    """Remember what a clock shows before a step."""
    fight = table.fight
    table.notes["clock"] = None
    if fight is not None and table.loop.top is fight and fight.clock_runs:
        seconds = fight.seating.seconds
        table.notes["clock"] = (fight, fight.match.history.length, fight.acting, seconds, table.clock.now)


def the_clock_goes_by_wall_time(table: Table) -> None:
    """While somebody sits and thinks, the clock of the chance loses a second each second."""
    before, name = table.notes.get("clock"), table.step[0] if table.step else ""
    if before is None or name != "time":
        return
    fight: Any
    fight, length, acting, seconds, then = before
    same = (fight, length, acting) == (table.fight, fight.match.history.length, fight.acting)
    on_top = table.loop.top is fight
    if not same or not on_top or not fight.clock_runs or fight.seating.seconds is None:
        return
    passed, shown = table.clock.now - then, seconds - fight.seating.seconds
    if abs(passed - shown) > LATE + table.loop.frame:
        raise Wrong("clocks go by wall time", f"in {passed:.1f} s the clock of the chance lost {shown:.1f} s")


# -- the end


def a_fight_that_is_over_leads_on(table: Table) -> None:
    """When the summary is closed, the screen of the fight itself has a button that leads on."""
    fight = table.fight
    if fight is None or fight.match.decision is not None:
        return
    if isinstance(table.loop.top, Summary):
        table.notes["summed up", id(fight)] = True
    elif table.loop.top is fight and table.notes.get(("summed up", id(fight))) and not fight.view.busy:
        words = {str(getattr(w, "label", "")) for panel in fight.ui.live() for w in panel.walk() if _live(w)}
        if not words & set(LEADING):
            raise Wrong("a fight that is over leads on", f"there are only {', '.join(sorted(words)) or 'no buttons'}")


def _live(widget: object) -> bool:
    return isinstance(widget, Pressable) and widget.enabled


def see_what_is_up(table: Table) -> None:
    """Remember what had the keys before a step, and since when."""
    top, now = table.loop.top, table.clock.now
    known, since = table.note("up", (top, now))
    if known is not top:  # it may have come long before the step that waited was over
        if isinstance(known, Summary):
            table.note("summaries left", []).append(known)
        known, since = top, top.came if isinstance(top, Summary) else now
    table.notes["up"] = (known, since)
    table.notes["open"] = table.fight


def one_key_too_many_leaves_the_summary(table: Table) -> None:
    """Enter meant for the fight, pressed once too often, does not throw away the summary that has just come.

    One that was left for the camp, say, was seen, and has the focus on that button when one comes back.
    """
    top, since = table.notes["up"]
    if any(top is left for left in table.note("summaries left", [])):
        return
    pressed = table.step[:2] in (["key", "Enter"], ["command", "confirm"], ["command", "end"])
    if isinstance(top, Summary) and pressed and table.clock.now - since < HASTE and table.loop.top is not top:
        if not isinstance(table.loop.top, Replay | Recap):
            raise Wrong("one Enter too many leaves the summary", f"{table.clock.now - since:.1f} s after it came")
