"""What people, foes and places are called in a tale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game.content import tables as content
from game.fight.match import Match
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.contract.errors import BattlematError
from rules.contract.ruleset import PARTY
from rules.contract.text import Creature, N, joined, text
from rules.contract.units import EMPTY, Bitboard, Cell

NTH = (
    "the first {kind}", "the second {kind}", "the third {kind}", "the fourth {kind}", "the fifth {kind}",
    "the sixth {kind}", "the seventh {kind}", "the eighth {kind}", "the ninth {kind}", "the tenth {kind}",
)  # fmt: skip
COUNTS = (
    N("no"), N("one"), N("two"), N("three"), N("four"), N("five"), N("six"), N("seven"),
    N("eight"), N("nine"), N("ten"), N("eleven"), N("twelve"), N("thirteen"), N("fourteen"), N("fifteen"),
    N("sixteen"), N("seventeen"), N("eighteen"), N("nineteen"), N("twenty"),
)  # fmt: skip
HONORIFICS = ("Brother", "Sister", "Father", "Mother", "Sir", "Dame", "Old", "Young", "The")
"""First words of names by which nobody is called alone."""
RANKS = ("Captain", "Abbot", "Lady", "Lord", "Doctor", "Master", "Mistress", "King", "Queen")
"""First words of names that stay before the last: `Captain Tansy`."""


ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Other", "Another")
"""First words of names by which a map tells those of a kind from one another."""


class Cast:
    """Everybody in a fight: names, sides, and what each is called within a sentence."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._given = {str(creature.get("id")): creature for creature in match.record.creatures}
        self._names: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._short: dict[str, str] | None = None
        self._alike: dict[str, list[str]] = {}
        self._told: dict[str, list[str]] = {}
        self._latest: dict[str, str] = {}
        self.sides = {name: str(creature.get("side")) for name, creature in self._given.items()}
        for name, creature in self._given.items():
            if creature.get("prisoner"):
                self.sides[name] = PARTY

    def meet(self, everybody: Iterable[str]) -> None:
        """Who is spoken of from now on: those of a kind are told from one another among these alone."""
        self._alike, self._told, self._latest = {}, {}, {}
        self.join(everybody)

    def join(self, everybody: Iterable[str]) -> None:
        """More who are spoken of from now on."""
        for who in dict.fromkeys(everybody):
            if (kind := self.common(who)) and who not in self._alike.setdefault(kind, []):
                self._alike[kind].append(who)

    def name(self, who: str) -> str:
        """Somebody's whole name."""
        if who not in self._names:
            try:
                self._names[who] = str(self._match.ruleset.sheet(self._match.state, who).name)
            except (KeyError, ValueError):
                self._names[who] = who
        return self._names[who]

    def side(self, who: str) -> str:
        """Whose side somebody is on; who was called up later, on its caller's."""
        return self.sides.get(who) or self.sides.get(who.rpartition(".")[0], "")

    def common(self, who: str) -> str:
        """The kind that somebody is called by who has no name of its own: `goblin`; empty for the others."""
        if who not in self._kinds:
            head = described = self.described(who)
            for between in _DESCRIBED:
                head = head.partition(between)[0]
            if head.partition(" of ")[0] == (kind := self._template(who)):  # but a mother of the mere is one
                head = kind
            self._kinds[who] = head.lower() if described else ""
        return self._kinds[who]

    def described(self, who: str) -> str:
        """The same with all that the map says of it: `Goblin at the gate`."""
        if who not in self._given:  # called up in a fight
            return self.name(who).rstrip("0123456789 ")
        given, kind = self._given[who], self._template(who)
        if not kind:
            return ""
        own = str(given.get("name") or kind)  # `Goblin 2` is a number, and no name
        if own.partition(" ")[0] in ORDINALS:  # `Second wrecker at the gate` is one more of the wreckers
            rest = own.partition(" ")[2]
            own = rest[:1].upper() + rest[1:] or own
        several = sum(other.get("name") == own for other in self._given.values()) > 1
        described = any(word[:1].islower() for word in own.split()[1:])  # `Wrecker on his round`
        if own != kind and not _titled(own) and not own.removeprefix(kind).strip().isdecimal():
            return own if several or described else ""  # what several are called is no name either
        return kind if own.removeprefix(kind).strip().isdecimal() or (own == kind and not _titled(kind)) else ""

    def _template(self, who: str) -> str:
        """What the bestiary calls somebody; empty for heroes, prisoners and whoever has no page in it."""
        given = self._given.get(who, {})
        template = given.get("template")
        if given.get("prisoner") or not isinstance(template, str) or template in content.heroes(self._match.ruleset.id):
            return ""
        try:
            return str(content.template(self._match.ruleset.id, template).get("name", ""))
        except BattlematError:
            return ""

    def whole(self, who: str) -> str:
        """Somebody by its whole name, as it is first told of."""
        name = self.name(who)
        return self.called(who) if self.common(who) or _titled(name) else Creature(name, who)

    def called(self, who: str) -> str:
        """Somebody within a sentence: `Hedda`, `the goblin`, `another bandit`."""
        kind = self.common(who)
        if not kind:
            name = self._given_name(who)
            return Creature(name[:1].lower() + name[1:] if _titled(name) else name, who)
        alike = self._alike.get(kind, [])
        if who not in alike:
            return text("an {kind}" if kind[:1] in "aeiou" else "a {kind}", kind=Creature(kind, who))
        said = self._among(who, kind, len(alike))
        self._latest[kind] = who
        return said

    def _among(self, who: str, kind: str, many: int) -> str:
        """One of several of a kind, by the order in which they come into the tale."""
        told, here = self._told.setdefault(kind, []), Creature(kind, who)
        fresh = who not in told
        if fresh:
            told.append(who)
        if many == 1:
            return text("the {kind}", kind=here)
        if fresh:
            if len(told) == 1:
                return text("one {kind}", kind=here) if many == 2 else text("one of the {kinds}", kinds=_plurals(here))
            if len(told) == many:
                return text("the other {kind}", kind=here) if many == 2 else text("the last {kind}", kind=here)
            return text("another {kind}", kind=here)
        if self._latest.get(kind) == who:
            return text("that {kind}", kind=here)
        number = told.index(who) + 1
        return text(NTH[number - 1], kind=here) if number <= len(NTH) else text("the {kind}", kind=here)

    def told(self, everybody: Iterable[str]) -> None:
        """That several were told of together: whoever of their kind comes after them is another one."""
        for who in everybody:
            if (kind := self.common(who)) and who not in self._told.setdefault(kind, []):
                self._told[kind].append(who)

    def _given_name(self, who: str) -> str:
        """The name by which friends call somebody, where nobody else has the same."""
        if self._short is None:
            short = {name: _first(self.name(name)) for name in self._given if not self.common(name)}
            taken = list(short.values())
            self._short = {name: said for name, said in short.items() if taken.count(said) == 1}
        return self._short.get(who) or self.name(who)

    def crowd(self, everybody: Iterable[str], *, plain: bool = False) -> str:
        """Several at once: those of a kind counted, the others by name; `plain`: without where and how they were."""
        people, kinds = self._sorted(everybody)
        parts = [self.whole(who) for who in people]
        return listed([*parts, *(self._counted(kind, each, plain=plain) for kind, each in kinds.items())])

    def _sorted(self, everybody: Iterable[str]) -> tuple[list[str], dict[str, list[str]]]:
        """Those with names of their own, and the others by their kinds."""
        named, kinds = list[str](), dict[str, list[str]]()
        for who in everybody:
            if kind := self.common(who):
                kinds.setdefault(kind, []).append(who)
            else:
                named.append(who)
        return named, kinds

    def _counted(self, kind: str, each: Sequence[str], *, plain: bool) -> str:
        """`a goblin at the gate`, `an orc`, `three wolves`."""
        if len(each) == 1:
            own = kind if plain else self.described(each[0])
            own = own[:1].lower() + own[1:] if own.lower() != kind else kind
            if own.endswith(ASLEEP):
                return text("a sleeping {kind}", kind=Creature(own.removesuffix(ASLEEP), each[0]))
            return text("an {kind}" if kind[:1] in "aeiou" else "a {kind}", kind=Creature(own, each[0]))
        count = COUNTS[len(each)] if len(each) < len(COUNTS) else str(len(each))
        return text("{count} {kinds}", count=count, kinds=plural(kind))

    def those(self, everybody: Iterable[str]) -> str:
        """Several of those who were spoken of before: `both wolves and the orc`, `two of the goblins`."""
        people, kinds = self._sorted(everybody)
        parts = [self.called(who) for who in people]
        for kind, each in kinds.items():
            parts.append(self.called(each[0]) if len(each) == 1 else self._some(kind, each))
        self.told(who for each in kinds.values() for who in each)
        return listed(parts)

    def _some(self, kind: str, each: Sequence[str]) -> str:
        there, told = len(self._alike.get(kind, each)), self._told.get(kind, [])
        count = COUNTS[len(each)] if len(each) < len(COUNTS) else str(len(each))
        kinds = Creature(plural(kind), each[0])
        if told and not any(who in told for who in each):
            return text("{count} more {kinds}", count=count, kinds=kinds)
        if len(each) < there:
            return text("{count} of the {kinds}", count=count, kinds=kinds)
        return (
            text("both {kinds}", kinds=kinds) if there == 2 else text("all {count} {kinds}", count=count, kinds=kinds)
        )

    def names(self, everybody: Iterable[str]) -> str:
        """Several within a sentence, one by one."""
        return listed([self.called(who) for who in everybody])


ASLEEP = " asleep"
_DESCRIBED = (" asleep", " awake", " in ", " on ", " at ", " with ", " among ", " by ")
"""Where the kind ends and the description begins."""


def _plurals(one: Creature) -> Creature:
    return Creature(plural(str(one)), one.id)


def _titled(name: str) -> bool:
    """Whether somebody is the only one of its kind: `The drowned abbot`."""
    return name.startswith("The ")


def _first(name: str) -> str:
    words = name.split()
    if len(words) < 2 or _titled(name) or any(any(c.isdigit() for c in word) for word in words):
        return name
    if words[0] in RANKS:
        return f"{words[0]} {words[-1]}"
    return words[1] if words[0] in HONORIFICS else words[0]


_ODD = {"Wolf": "Wolves", "Thief": "Thieves", "Elf": "Elves", "Dwarf": "Dwarves", "Mouse": "Mice", "Ooze": "Oozes"}


def plural(kind: str) -> str:
    """The English plural of a creature's kind."""
    for between in (" at ", " of ", " in ", " on ", " with "):
        head, found, rest = kind.partition(between)
        if found:
            return plural(head) + found + rest
    words = kind.split(" ")
    if words[-1] in ("asleep", "awake"):
        return " ".join((plural(" ".join(words[:-1])), words[-1]))
    last = words[-1]
    head = last[:1].upper() + last[1:]
    if head in _ODD:
        done = _ODD[head]
        done = done if last[:1].isupper() else done.lower()
    elif last.endswith("man"):
        done = last[:-3] + "men"
    elif last.endswith(("s", "x", "ch", "sh", "z")):
        done = last + "es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        done = last[:-1] + "ies"
    else:
        done = last + "s"
    return " ".join([*words[:-1], done])


def listed(parts: Sequence[str]) -> str:
    """`Ada, Bo and Cid`."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    return text("{first} and {last}", first=joined(", ", parts[:-1]), last=parts[-1])


# -- places ------------------------------------------------------------------------------------------------


class Place:
    """A room, by its own name or by what it looks like."""

    def __init__(self, cells: Bitboard, name: str, said: str, heading: str, again: str = "") -> None:
        self.cells = cells
        self.name = name  # empty where nobody has given it one
        self.said = said
        """Within a sentence: `the Scriptorium`, `a hall of six by eight paces`."""
        self.heading = heading
        self.again = again or said
        """The same when one comes back: `the hall`."""

    @property
    def doorway(self) -> bool:
        """Whether it is no more than a space between two rooms."""
        return not self.name and self.cells.bit_count() == 1


class Places:
    """The rooms of a field: those that the map names, and else what doors and walls part from each other."""

    def __init__(self, field: Field, known: int = -1) -> None:
        self._field, self._known = field, known  # the ground that may be spoken of, a bitboard
        self._found: list[Place] = [_named(room.name, room.cells) for room in field.rooms]
        self._terrain = field.terrain(0)

    def at(self, cell: Cell) -> Place:
        """The room that a space belongs to."""
        for place in self._found:
            if place.cells >> cell & 1:
                return place
        place = _described(self._field, self._around(cell), self._known | 1 << cell)
        self._found.append(place)
        return place

    def _around(self, cell: Cell) -> Bitboard:
        """The spaces to which one comes from a space through no door, those of named rooms left out."""
        moves = self._terrain.steps().moves
        named = EMPTY
        for place in self._found:
            named |= place.cells
        there, edge = Bitboard(1 << cell), 1 << cell
        while edge:
            fresh = 0
            for starts, shift in moves:
                going = edge & starts
                fresh |= going << shift if shift > 0 else going >> -shift
            edge = fresh & ~there & ~named
            there |= edge
        return there


def _named(name: str, cells: Bitboard) -> Place:
    bare = name.lower().startswith(("the ", "a ", "an "))
    said = name[:1].lower() + name[1:] if bare else text("the {room}", room=name)
    return Place(cells, name, said, name[:1].upper() + name[1:])


_LARGE, _OPEN = 60, 220
"""Spaces from which a room is a hall, and from which it is no room any more but open ground."""


def _described(field: Field, cells: Bitboard, known: int) -> Place:
    spots = [field.at(cell) for cell in cells_of(cells & known)]
    wide = 1 + max(x for x, _ in spots) - min(x for x, _ in spots)
    high = 1 + max(y for _, y in spots) - min(y for _, y in spots)
    small, large = sorted((wide, high))
    size = {"small": number(small), "large": number(large)}
    if len(spots) == 1:
        return Place(cells, "", "a doorway", "A doorway", "the doorway")
    if len(spots) >= _OPEN and 4 * len(spots) > field.width * field.height:
        return Place(cells, "", "the open ground", "Open ground")
    if small <= 2:
        return Place(cells, "", text("a passage {long} paces long", long=number(large)), "A passage", "the passage")
    if 2 * len(spots) < wide * high:
        return Place(cells, "", "a warren of corners and niches", "A warren", "the warren")
    if len(spots) >= _LARGE:
        return Place(cells, "", text("a hall of {small} by {large} paces", **size), "A hall", "the hall")
    return Place(cells, "", text("a chamber of {small} by {large} paces", **size), "A chamber", "the chamber")


TENS = (
    "", "", N("twenty"), N("thirty"), N("forty"), N("fifty"), N("sixty"), N("seventy"), N("eighty"), N("ninety"),
)  # fmt: skip


def number(count: int) -> str:
    """`six`, `forty-two`; figures from a hundred on."""
    if 0 <= count < len(COUNTS):
        return COUNTS[count]
    tens, ones = divmod(count, 10)
    if not 2 <= tens < len(TENS):
        return str(count)
    return text("{tens}-{ones}", tens=TENS[tens], ones=COUNTS[ones]) if ones else TENS[tens]
