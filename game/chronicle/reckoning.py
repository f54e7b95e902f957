"""What an evening came to: time, goals by whom and when, treasure and its worth, wounds, the fallen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from game.chronicle.episodes import TURNS
from game.chronicle.tale import Tale, Writer
from game.chronicle.things import things
from game.content import tables as content
from game.fight.account import in_short, spent
from game.fight.match import Match
from rules.contract.display import Miniature, Task
from rules.contract.events import EXPLORATION, FIGHT, Began, Goal
from rules.contract.text import ntext, text
from rules.core.fixtures.contents import coins_in
from rules.explore.goals import DONE


class Deed(NamedTuple):
    """A goal, and what is known of its being done. `by` is a name, empty where nobody did it alone; `minutes` since
    they set out, None where it was done on an earlier evening."""

    goal: Task
    by: str
    minutes: int | None

    @property
    def told(self) -> str:
        """`Hedda, after 1 h 20 min`; empty while it is not done."""
        if self.goal.state != DONE:
            return ""
        if self.minutes is None:
            return "on an earlier evening"
        when = spent(self.minutes)
        return text("{name}, after {time}", name=self.by, time=when) if self.by else text("after {time}", time=when)


class Reckoning(msgspec.Struct):
    """What an evening came to, so far or at its end."""

    minutes: int
    fights: int
    deeds: list[Deed]
    found: list[str]
    """Things that those who are alive picked up and have still."""
    fallen: list[str]
    """A sentence for each of the dead."""
    heroes: list[Miniature]
    """Those of the party who are on the board, as they are now."""
    worth: int
    """Coins that it is worth to whoever looks at it, coins themselves among them."""
    unknown: list[str]
    """Things of which nobody sees what they are worth."""
    tale: Tale

    @property
    def in_short(self) -> str:
        """`2 h 5 min · 3 fights`."""
        return in_short(spent(self.minutes), self.fights)

    @property
    def treasure(self) -> str:
        """`A censer and 31 coins: worth 52 coins in all`; empty where there is nothing."""
        if not self.found:
            return ""
        told, plain = things(self.found), all(coins_in(thing) for thing in self.found)
        if plain or not self.worth:
            return told
        return text("{things}: worth {coins} in all", things=told, coins=ntext(self.worth, "a coin", "{n} coins"))

    @property
    def doubtful(self) -> str:
        """What may be worth more than one sees; empty where there is nothing."""
        return text("Of unknown worth: {things}", things=things(self.unknown)) if self.unknown else ""


def reckoned(match: Match, sides: Sequence[str] | None) -> Reckoning:
    """Reckon up an evening as some sides know it; None = as whoever saw everything."""
    writer = Writer(match, sides)
    tale = writer.tale()
    alive, _, dead = writer.fared()
    clock, done = 0, dict[str, tuple[str, int]]()
    for frame in range(tale.film.length + 1):
        for event in tale.film.events(frame):
            if isinstance(event, Began):
                clock += match.ruleset.turn_minutes * (event.what in (*TURNS, EXPLORATION))
            elif isinstance(event, Goal) and event.state == DONE:
                by = match.record.commands[frame - 1].by if frame else ""
                done[event.goal] = (str(writer.cast.called(by)) if writer.cast.side(by) in writer.ours else ""), clock
    board = tale.film.eyes.board(tale.film.length)
    deeds = [Deed(goal, *done.get(goal.name, ("", None))) for goal in board.goals if goal.side in writer.ours]
    found = [thing for thing in writer.found(alive) if writer.rooms.worth_telling(thing)]
    goods = {str(entry["name"]): entry for entry in content.tables(match.ruleset.id).get("goods", ())}
    known = [thing for thing in found if thing in goods and goods[thing].get("known", True)]
    return Reckoning(
        minutes=clock, fights=sum(episode.kind == FIGHT for episode in writer.episodes), deeds=deeds, found=found,
        fallen=[writer.fate(who) for who in dead],
        heroes=[m for m in board.miniatures if m.side in writer.ours and not match.field.left.fate(m.id)],
        worth=sum(map(coins_in, found)) + sum(int(goods[thing]["worth"]) for thing in known),
        unknown=[thing for thing in found if thing in goods and thing not in known], tale=tale,
    )  # fmt: skip


def so_far(tale: Tale, words: int = 70) -> list[tuple[str, list[list[str]]]]:
    """The end of a tale, as much as one reads before going on: headings with paragraphs, of so many words at least."""
    told: list[tuple[str, list[list[str]]]] = []
    count = 0
    for chapter in reversed(tale.chapters):
        kept: list[list[str]] = []
        for paragraph in reversed(chapter.paragraphs):
            if count >= words:
                break
            kept.insert(0, paragraph)
            count += sum(len(said.split()) for said in paragraph)
        if kept:
            told.insert(0, (chapter.heading, kept))
    return told
