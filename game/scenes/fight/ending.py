"""The ways on from a fight that is over: alike in its summary and in the bar under its board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

import pygame

from game.app.i18n import t
from game.chronicle.notes import FLIGHT
from game.chronicle.reckoning import Reckoning, reckoned
from game.fight.account import Account, account
from game.scenes.base import Scene
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.card import likeness
from game.scenes.fight.panels.goals import rows
from game.scenes.title import back_label
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.figures import Picture, Rule
from game.widgets.ui import STEERING
from rules.contract.display import Miniature, Tally
from rules.contract.events import FELLED, FIGHT, Attack, Began, Condition, Earned, Event, Injury, Over
from rules.contract.text import joined, ntext, text, titled
from rules.explore.goals import Stands
from rules.explore.state import Ending

BAR = "ways on"
"""The bar under the board of a fight that is over."""


def summary(fight: FightModel) -> None:
    """Show the summary (again)."""
    fight.app.push(Summary(fight))


def way_buttons(fight: FightModel, *, slim: bool = False, gold: bool = False) -> list[Button]:
    """Where one may go on to: the camp and the table where there are any, the next fight, the title.

    `gold`: the first of them is what is usually next.
    """
    from game.characters import aftermath, chained, returning  # late: no fight needs them before its end

    ways, match, found, evening = fight.app.navigator, fight.match, list[Button](), fight.match.record.expedition
    camp = list[Button]()
    following = chained.next_of(match) if match.record.chain is not None else None
    if following is not None:
        told = (
            text(
                "Fight {n} of {of}, with the same heroes as they are now. Before it: {rest}.",
                following.number,
                following.of,
                following.rest,
            )
            if following.rest
            else text(
                "Fight {n} of {of}, with the same heroes as they are now, straight on.", following.number, following.of
            )
        )
        label = "On" if slim else text("On: {title}", following.title) if following.title else "On to the next"
        on = partial(_go_on, fight)
        found.append(Button(label, on, key="chain on", slim=slim, tip=Tip(told)))
    elif aftermath.reach_camp(match.record):
        tip = Tip("Wounds, what lies on the floor, rest; what was earned goes to the heroes.")
        camp = [Button("Camp", partial(ways.camp, match), key="camp", slim=slim, tip=tip)]
    slain = [mini.id for mini in match.board().miniatures if mini.dead] if camp else []
    if camp and aftermath.anybody_comes(match.record, slain):
        found += camp
    if evening and match.over is not None and aftermath.reach_camp(match.record) and (call := returning.calling(match)):
        tip = Tip(call.told or "The place as it was left, another evening: who goes in, you choose.")
        label = "Back in" if slim else back_label(match.title)
        found.append(Button(label, partial(_back_in, fight), key="back in", slim=slim, tip=tip))
    if (back := ways.way_back()) is not None:
        tip = Tip("The table on which this fight was prepared.")
        found.append(Button("Back to the table", back, key="table", slim=slim, tip=tip))
    tip = Tip("A new fight by the same rules, on the same map, with the same party, as you like it.")
    if evening:
        tip = Tip("In again, or to another place, by the same rules and with the same party, as you like it.")
    onward = partial(ways.next_fight, match)
    found.append(Button("Onward" if evening else "Next fight", onward, key="next", slim=slim, tip=tip))
    if camp and camp[0] not in found:  # what became of them can still be read there
        found += camp
    out = Tip("To the title: enough for this evening.") if evening else None
    found.append(Button("Out" if evening else "Title", partial(ways.title), key="title", slim=slim, tip=out))
    if gold:
        found[0].gold, found[0].hint = True, fight.app.keys.shown("confirm")
    return found


def _go_on(fight: FightModel) -> None:
    """To the next fight of the chain; what hinders it is said."""
    fight.app.guard(lambda: fight.app.navigator.chain_on(fight.match))


def _back_in(fight: FightModel) -> None:
    """To the door of the place; what the disk refuses is said."""
    fight.app.guard(lambda: fight.app.navigator.back_in(fight.match))


def bar(fight: FightModel, *, tight: bool = False) -> Widget:
    """What stands under the board of a fight that is over."""
    hint = fight.app.keys.shown("confirm")
    told = "The expedition is over." if fight.match.record.expedition else "The fight is over."
    parts: list[Widget] = [] if tight else [Label(told, "text", "quiet"), Space(6)]
    parts.append(Button("Summary", partial(summary, fight), gold=True, hint=hint, key="summary", slim=tight))
    parts += way_buttons(fight, slim=tight)
    return row(*parts, gap=6 if tight else 10, pad=6 if tight else 11, plate="panel", wrap=tight, key=BAR)


def step_onto(fight: FightModel, by: int) -> bool:
    """Keys come to the bar: to its first button, or going backwards to its last; False if it isn't there."""
    bars = (w for panel in fight.ui.live() for w in panel.walk() if w.key == BAR)
    stops = [w for w in next(bars, Space()).walk() if w.stops]
    if fight.ui.modal or not stops:
        return False
    fight.ui.set_focus(stops[0 if by > 0 else -1])
    return True


HASTE = 0.7
"""Seconds in which a key was rather meant for the fight that has just ended."""


def tallies(events: Iterable[Event], names: Sequence[str], sides: Mapping[str, str] | None = None) -> list[Tally]:
    """What each creature did, from the events alone. By `sides`, what somebody did to their own is suffered, but
    nothing to boast of: an arrow in a friend's back is no harm dealt."""
    sides = sides or {}
    dealt, taken, best, earned, felled = (dict.fromkeys(names, 0) for _ in range(5))
    striker: dict[str, str] = {}
    harmed: dict[str, str | None] = {}
    down: set[str] = set()
    for event in events:
        if isinstance(event, Attack):
            if event.damage > 0:
                striker[event.target] = event.by
            if event.by in best:
                best[event.by] = max(best[event.by], event.attack)
        elif isinstance(event, Injury):  # also of those who lie where nobody sees them at the end
            if event.target in taken:
                taken[event.target] += event.amount
            blow = striker.pop(event.target, None)  # once: who bleeds later bleeds of nobody's blow
            by = harmed[event.target] = event.by or blow
            fell = event.status in ("incapacitated", "dead")
            if by is not None and sides.get(by, "") == sides.get(event.target, " "):
                by = harmed[event.target] = None
            if by in dealt and by is not None:
                dealt[by] += event.amount
                felled[by] += fell and event.target not in down
            down |= {event.target} if fell else set()
        elif isinstance(event, Condition) and event.gained and event.condition in FELLED:
            by = harmed.get(event.target)  # a save that failed after the blow
            if by in felled and by is not None and event.target not in down:
                felled[by] += 1
            down.add(event.target)
        elif isinstance(event, Earned) and event.by in earned:
            earned[event.by] += event.points
    return [Tally(n, dealt[n], taken[n], best[n], earned[n], felled[n]) for n in names]


def felled(events: Sequence[Event]) -> set[str]:
    """Who was seen to fall."""
    blows = {e.target for e in events if isinstance(e, Injury) and e.status in ("incapacitated", "dead")}
    return blows | {e.target for e in events if isinstance(e, Condition) and e.gained and e.condition in FELLED}


def _began(events: Iterable[Event], what: str) -> int:
    """How many of something have begun."""
    return sum(1 for event in events if isinstance(event, Began) and event.what == what)


def _without_a_fight(events: Sequence[Event]) -> bool:
    """Whether it ended otherwise than by a fight or by goals."""
    ends = [event for event in events if isinstance(event, Over)]
    return bool(ends) and ends[-1].because not in ("", Ending.GOALS)


def _flights(events: Iterable[Event]) -> Iterator[tuple[int, str]]:
    """After how many events somebody runs from the fight, and who."""
    for number, event in enumerate(events, 1):
        if isinstance(event, Condition) and event.gained and event.condition in FLIGHT:
            yield number, event.target


class Summary(Scene):
    """The end: who won, in how many turns, and a line for each creature of the player's."""

    overlay = True
    name = "summary"

    def __init__(self, fight: FightModel) -> None:
        super().__init__(fight.app)
        self.fight = fight
        view = fight.seating.views_of_past()[0] if fight.match.record.expedition else None
        self.reckoning: Reckoning | None = reckoned(fight.match, view.sides) if view is not None else None
        self.came = self.app.clock()
        """When, by the clock on the wall; while Enter is hammered away at it, when that was last."""
        self.ways: list[Button] = []
        """The ways on, the gold one first; none while the fight isn't over."""

    def handle(self, event: pygame.event.Event) -> bool:
        """As ever; but keys that still meant the board when it came choose nothing, so that Enter presses nothing."""
        if event.type == pygame.KEYDOWN and event.key in STEERING and self.app.clock() - self.came < HASTE:
            return True
        return super().handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """Enter goes on by the gold button, but not one too many that was still meant for the fight."""
        if name != "confirm" or self.ui.focus is not None or not self.ways:
            return super().command(name, event)
        now = self.app.clock()
        if now - self.came < HASTE:
            self.came = now  # whoever hammers away at it hasn't seen the summary yet
        else:
            self.ways[0].press()
        return True

    def rebuild(self) -> None:
        steered = self.ui.focus is not None or self.ui.remembers
        super().rebuild()
        if not steered:
            self.ui.set_focus(None)  # Space too many throws nothing away: Tab or the arrows go to the buttons

    def _called(self, seen: Sequence[Event]) -> tuple[str, str, frozenset[str]]:
        """What the end is called, in which colour, and whose miniatures count."""
        fight, over, seats = self.fight, self.fight.board.over, self.fight.seating.seats
        won, ours = over in fight.sides, fight.sides
        title = "Victory" if won else "Defeat" if over else "Nobody is left"
        if won and _without_a_fight(seen):
            title = "Out again" if _began(seen, FIGHT) else "Slipped past"
        if not won and any(isinstance(event, Over) and event.because == Ending.SURRENDERED for event in seen):
            title = "Surrendered"
        colour = "gold" if won else "coral"
        winners = [seat.name for seat in seats.seats if over in seats.sides(seat)]
        if over is not None and winners and len({seats.sides(s) for s in seats.seats if seats.sides(s)}) > 1:
            colour = "gold"  # people against each other share this screen
            title = text("{winners} won", " & ".join(winners))
        if over is not None and not any(seats.sides(seat) for seat in seats.seats):  # the computer played all
            title, ours = text("{over} win", over.replace("_", " ").capitalize()), frozenset((over,))
        if won and fight.match.record.expedition:
            title = self._came_back(account(seen))
        return title if over is not None else "Not over yet", colour, ours

    def _told(self, seen: Sequence[Event], ours: frozenset[str]) -> str:
        """How long it took, and who still stands."""
        counted, fled = [m for m in self._everybody() if m.side in ours], self._fled(seen)
        rest = sum(1 for m in counted if not m.out and m.id not in fled)
        stand = text("{rest} of {counted} still stand", rest=rest, counted=len(counted))
        fight, fights, turns = self.fight, _began(seen, FIGHT), _began(seen, "turn")
        if fight.match.record.expedition:
            took = account(seen).told
        elif _without_a_fight(seen) and not fights:
            minutes = 1 + _began(fight.match.events, "minute")
            return ntext(minutes, "{n} minute, unnoticed", "{n} minutes, unnoticed")
        elif fights > 1:
            took = ntext(fights, "{n} fight", "{n} fights")
        elif (now := fight.board.now) is not None:  # rules that count seconds know no turns
            took = ntext(now, "{n} second", "{n} seconds")
        elif fight.ruleset.fight_turn == "round":
            took = ntext(turns, "{n} round", "{n} rounds")
        else:
            took = ntext(turns, "{n} turn", "{n} turns")
        return joined(" · ", (took, stand))

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        fight = self.fight
        seen = fight.eyes.events(fight.match.events)
        title, colour, ours = self._called(seen)
        told = self._told(seen, ours)
        tight = wide / look.scale < 700 or high / look.scale < 480
        buttons = row(
            self.leave_button("Look at the board", key="board"),
            Space(grow=1),
            Button("Replay", fight.doing("replay"), key="replay"),
            Button("Chronicle", fight.doing("chronicle"), key="chronicle", tip=Tip("The evening as a tale.")),
            Button("Rewind", self.then(fight.doing("rewind")), key="rewind"),
            Button("Play again", partial(self.app.navigator.again, fight.match), key="again"),
            gap=10, wrap=True,
        )  # fmt: skip
        self.ways = way_buttons(fight, gold=True) if fight.board.over is not None else []
        ways = [row(Space(grow=1), *self.ways, gap=10, wrap=True)] if self.ways else []
        box = column(
            Label(title, "figure" if tight else "title", colour, centred=True),
            Label(told, "label", "quiet", centred=True), *self._goals(), *self._spoils(tight),
            grown(Scroll(self._table(tight))), buttons, *ways,
            gap=8 if tight else 14, pad=14 if tight else 24, plate="panel", edge="faint",
        )  # fmt: skip
        width = min(look.px(680 if self.reckoning is None else 800), wide - look.px(30))
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(30)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect, modal=True)

    def _came_back(self, evening: Account) -> str:
        """What the evening of those who came out again is called: by what was to be done, else by what had to be."""
        wanted = [goal for goal in self.fight.board.goals if goal.side in self.fight.sides and not goal.optional]
        if wanted:
            return "Victory" if all(goal.state == Stands.DONE for goal in wanted) else "Turned back"
        return "Out again" if evening.fights else "Slipped past"

    def _everybody(self) -> list[Miniature]:
        """Who is on the board still, before them who has left it by an exit, after them who ran, as they came."""
        fight = self.fight
        seen, there = fight.eyes.events(fight.match.events), {mini.id for mini in fight.board.miniatures}
        left, fled, came = account(seen).left - there, self._fled(seen), fight.eyes.board(0).miniatures
        before = fight.match.field.left  # who lies there since an earlier evening
        ran = {mini.id: mini for mini in self._running(fled - left)}
        minis = (*(mini for mini in came if mini.id in left), *fight.board.miniatures, *ran.values())
        return [mini for mini in minis if not before.fate(mini.id)]

    def _fled(self, seen: Iterable[Event]) -> frozenset[str]:
        """Ids of those who ran from the fight, and are on the board no more."""
        return frozenset(who for _, who in _flights(seen)) - {mini.id for mini in self.fight.board.miniatures}

    def _running(self, fled: Collection[str]) -> Iterator[Miniature]:
        """Who ran, as last seen before: not everybody was there, or known for what it is, from the start."""
        fight = self.fight
        for number, who in _flights(fight.match.events):
            if who in fled:
                board = fight.eyes.board(max(0, fight.match.history.frame_of(number) - 1))
                yield from (mini for mini in board.miniatures if mini.id == who)

    def _goals(self) -> list[Widget]:
        """What was to be done, and whether it was."""
        goals = [goal for goal in self.fight.board.goals if goal.side in self.fight.sides]
        deeds = self.reckoning.deeds if self.reckoning is not None else []
        how = {deed.goal.name: deed.told for deed in deeds if deed.told}
        return [row(Space(grow=1), rows(goals, how), Space(grow=1))] if goals else []

    def _spoils(self, tight: bool) -> list[Widget]:
        """What was brought out and what it is worth, and how the dead died."""
        reckoning = self.reckoning
        if reckoning is None:
            return []
        told: list[Widget] = [Label(said, "small" if tight else "text", "coral") for said in reckoning.fallen]
        told += [Label(titled(said), "small" if tight else "text", "gold")
                 for said in (reckoning.treasure, reckoning.doubtful) if said]  # fmt: skip
        return [column(*told, gap=4)] if told else []

    def _table(self, tight: bool) -> Widget:
        from game.characters import aftermath  # late: no fight needs it before its end

        fight, look = self.fight, self.app.look
        seen, everybody = fight.eyes.events(fight.match.events), self._everybody()
        fled = self._fled(seen)
        evening = self.reckoning is not None
        minis = sorted(everybody, key=lambda m: m.side not in fight.sides)
        if evening:
            minis = [mini for mini in minis if mini.side in fight.sides]
        bands = self._bands(seen) if evening else []
        names = [*(m.id for m in minis), *(m.id for band in bands for m in band)]
        counts = {each.id: each for each in tallies(seen, names, {m.id: m.side for m in everybody})}
        record, points = fight.match.record, aftermath.points(fight.match.record)
        more = aftermath.rewards(record, fight.board)
        counted = bool(points) and (aftermath.reach_camp(record) or any(each.earned for each in counts.values()))
        first = minis[0] if evening and minis else None
        pools = [bar.label for bar in (first.health, first.second) if bar is not None] if first is not None else []
        face, name_wide, wide = (28, 150, 62) if tight else (40, 180, 74)
        heads = ["Dealt", "Taken", "Best roll", "Felled", *((points,) if counted else ()), *pools]
        widths = [max(wide, look.font("text").size(t(head))[0] / look.scale + 4) for head in heads]

        def line(picture: Widget, name: str, figures: Sequence[object]) -> Widget:
            inks = ("bright" if figure not in (0, "–") else "faint" for figure in figures)
            cells = (_cell(str(f), each, ink) for f, each, ink in zip(figures, widths, inks, strict=False))
            return row(Sized(picture, face), _cell(name, name_wide, "text"), *cells, gap=6)

        top = (_cell(head, each, "quiet") for head, each in zip(heads, widths, strict=True))
        lines: list[Widget] = [row(Sized(Label(""), face), _cell("", name_wide, "quiet"), *top, gap=6)]
        for before, mini in zip((minis[:1] + minis), minis, strict=False):
            if mini.side != before.side:
                lines.append(Rule())
            tally = counts[mini.id]
            bars = (bar for bar in (mini.health, mini.second) if bar is not None)
            lives = ["–" if mini.dead else f"{max(0, bar.value)}/{bar.maximum}" for bar in bars][: len(pools)]
            earned = [tally.earned + more.get(mini.id, 0)] if counted else []
            figures = (tally.dealt, tally.taken, tally.best or "–", tally.felled, *earned, *lives)
            fate = " †" if mini.dead else " (down)" if mini.out else " (fled)" if mini.id in fled else ""
            name = f"{mini.name}{fate}"
            lines.append(line(Picture(likeness(mini.art, mini.side), face - 6), name, figures))
        if bands:
            lines.append(Rule())
        fell = felled(seen)
        for band in bands:
            sums = [counts[mini.id] for mini in band]
            best = max(each.best for each in sums)
            figures = (sum(e.dealt for e in sums), sum(e.taken for e in sums), best or "–", sum(e.felled for e in sums))
            lines.append(
                line(Picture(likeness(band[0].art, band[0].side), face - 6), self._called_band(band, fell), figures)
            )
        return column(*lines, gap=4)

    def _bands(self, seen: Sequence[Event]) -> list[list[Miniature]]:
        """The foes with whom it came to blows, wherever they are now: each kind together, as they came."""
        fight, kinds = self.fight, dict[str, list[Miniature]]()
        templates = {str(e["id"]): str(e.get("template", "")) for e in fight.match.record.creatures}
        minis = {mini.id: mini for mini in fight.match.board().miniatures if mini.side not in fight.sides}
        blows = (event for event in seen if isinstance(event, Attack | Injury))
        for name in dict.fromkeys(who for event in blows for who in (event.target, event.by) if who in minis):
            kinds.setdefault(templates.get(name, "") or name, []).append(minis[name])
        return list(kinds.values())

    def _called_band(self, band: Sequence[Miniature], fell: Collection[str]) -> str:
        """Foes of a kind, how many there were, and how many of them fell."""
        lost = sum(mini.id in fell for mini in band)
        if len(band) == 1:
            return band[0].name + (" †" if lost else "")
        entry = next(e for e in self.fight.match.record.creatures if e["id"] == band[0].id)  # they have a template
        from game.setup import bestiary  # late: only the end of a fight asks

        kind = bestiary.called(self.fight.match.ruleset.id, {"template": entry["template"], "id": band[0].id})
        told = text("{kind} × {n}", kind=kind, n=len(band))
        return told if not lost else f"{told} †" if lost == len(band) else text("{kind}, {n} †", kind=told, n=lost)


def _cell(text: str, width: float, colour: str) -> Widget:
    return Sized(Label(text, "text", colour, one_line=True), width)
