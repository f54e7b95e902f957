"""What stands between a draft and a fight: every problem in words, each with the creature and field it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from game.fight.seats import Seats
from game.setup import bestiary, forms, trial, waves, ways
from game.setup.draft import Draft, Piece, to_record
from game.setup.ways import named, refusal
from rules.board.grid import Field, Ground
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.contract.text import Text, text
from rules.core.arrivals import with_arrivals
from rules.core.registry import ruleset as ruleset_of
from rules.explore.goals import about


class Problem(NamedTuple):
    """One line of what is wrong and what would be right. One that does not `block` is only worth knowing."""

    text: str
    key: int | None = None
    """The creature's key; None where it is about the whole."""
    field: str = ""
    block: bool = True
    why: str = ""
    """The same as it stands beside the field, without the creature's and the field's name."""

    @property
    def beside(self) -> str:
        """What a form says under the field."""
        return self.why or self.text


def problems(draft: Draft, ground: Field | None) -> tuple[Problem, ...]:
    """Everything that is wrong with a draft on its map, gravest first; empty where it can be played.

    With nothing left to say by eye, the rules themselves are asked to start the fight, so that no draft passes here
    and is refused there.
    """
    if ground is None:
        return (Problem("There is no map yet: open one."),)
    if min(ground.ground) > Ground.DIFFICULT:
        wrong = (
            "Nobody can stand anywhere on this map, for it has no ground tiles: in Tiled draw a tile layer "
            "where one can stand, under the picture if the map is one."
        )
        return (Problem(wrong),)
    if not draft.pieces:
        return (Problem("Nobody is on the map yet: take somebody from the bestiary and put them down."),)
    found = [*_ids(draft), *_faults(draft), *_places(draft, ground), *_ways(draft, ground), *_sides(draft)]
    if not any(each.block for each in found):
        found += _by_the_rules(draft, ground)
    return tuple(sorted(found, key=lambda each: not each.block))


def blocking(found: Sequence[Problem]) -> str:
    """Why the fight cannot begin, in a line; empty where it can."""
    first, *more = [each.text for each in found if each.block] or [""]
    return text("{first} (and {more} more)", first, len(more)) if more else first


def name_of(draft: Draft, piece: Piece) -> str:
    """What a creature is called in messages."""
    return trial.figure(draft.ruleset, piece.entry, draft.options).name or piece.id or text("creature {key}", piece.key)


def _ids(draft: Draft) -> Iterator[Problem]:
    seen: dict[str, Piece] = {}
    for piece in draft.pieces:
        first = seen.setdefault(piece.id, piece)
        if piece.id and first is not piece:
            words = "{piece}: the id {id} is {first}'s already; give it another"
            wrong = text(words, name_of(draft, piece), repr(piece.id), name_of(draft, first))
            yield Problem(wrong, piece.key, "id")


def _faults(draft: Draft) -> Iterator[Problem]:
    for piece in draft.pieces:
        for fault in trial.tried(draft.ruleset, piece.entry, draft.options).faults:
            where = Text.of(" {field}:", field=forms.label_of(fault.field)) if fault.field else ""
            text = Text.of("{piece}:{where} {text}", piece=name_of(draft, piece), where=where, text=fault.text)
            yield Problem(text, piece.key, fault.field, why=fault.text)


def _places(draft: Draft, ground: Field) -> Iterator[Problem]:
    terrain = ground.terrain()
    taken: dict[int, Piece] = {}
    later = {key for _, keys in waves.waves(draft) for key in keys}
    for piece in draft.pieces:
        name, spot = name_of(draft, piece), piece.spot
        size = trial.spaces(draft.ruleset, piece.entry, draft.options)
        if spot is None:
            yield Problem(text("{name} stands nowhere; put them on the map", name), piece.key, "at")
        elif why := refusal(ground, terrain, spot, size):
            yield Problem(text("{name} stands {why}; move them to open ground", name, why), piece.key, "at")
        else:
            if piece.key in later:  # whoever comes later finds the nearest free space
                continue
            cells = terrain.space(ground.cell(*spot), size)
            for other in {taken[cell].key: taken[cell] for cell in cells if cell in taken}.values():
                same, words = other.side == piece.side, "{name} and {other} share a space; move one"
                words = words if same else "{name} and {other} share a space: hand to hand"
                yield Problem(text(words, name, name_of(draft, other)), piece.key, "at", block=same)
            taken |= {cell: piece for cell in cells if cell not in taken}


def _ways(draft: Draft, ground: Field) -> Iterator[Problem]:
    """What hinders somebody from walking a way: the first fault of each. Only points off the map are no fight."""
    for piece in draft.pieces:
        for field in forms.ways(draft.ruleset):
            spots = ways.points(draft, piece, field)
            if not spots:
                continue
            name, label = name_of(draft, piece), field.label.lower()
            size = trial.spaces(draft.ruleset, piece.entry, draft.options)
            off = next((n for n, spot in enumerate(spots, 1) if not ground.inside(*spot)), 0)
            if off:
                words = "point {off} lies off the map of {width} × {height} spaces; draw it anew"
                why = text(words, off, ground.width, ground.height)
                yield Problem(text("{name}: {label}: {why}", name, label, why), piece.key, field.name, why=why)
                continue
            walked = ways.legs(ways.laid(draft.ruleset, ground), piece.spot, spots, size, field.leg)
            if (bad := next((leg for leg in walked if leg.why), None)) is not None:
                why = text("point {what} at {goal} {why}", bad.number + 1, named(bad.goal), bad.why)
                wrong = text("{name}: {label}: {why}", name, label, why)
                yield Problem(wrong, piece.key, field.name, block=False, why=why)
            elif field.under:
                switch = next(each for each in ruleset_of(draft.ruleset).switches if each.name == field.under)
                if not draft.options.get(field.under, switch.default):
                    words = "{name}: {label}: it counts only with “{label2}”, which is off under Encounter."
                    yield Problem(text(words, name, label, switch.label), piece.key, field.name, block=False)


def _sides(draft: Draft) -> Iterator[Problem]:
    sides = [side for side in draft.sides() if side]
    if len(sides) == 1:
        yield Problem(text("Only {sides} are here; a fight needs a second side.", sides[0]))
    controllers = [trial.block_of(draft.ruleset, piece.entry).get("controller", "ai") for piece in draft.pieces]
    if len(sides) > 1 and all(who == "ai" for who in controllers):
        yield Problem("The computer plays every side; make one human to play it yourself.", block=False)


def _by_the_rules(draft: Draft, ground: Field) -> list[Problem]:
    """The rules' own verdict, and a fight that would be over before it began."""
    rules = ruleset_of(draft.ruleset)
    creatures: list[Mapping[str, Any]] = []
    try:
        creatures = [trial.merged(draft.ruleset, piece.entry) for piece in draft.pieces]
        tables = bestiary.tables(draft.ruleset)
        options = {**draft.options, "strict_throws": False} if draft.throws is not None else draft.options
        ground = with_arrivals(about(ground, {str(creature.get("id")) for creature in creatures}),
                               to_record(draft).arrivals, creatures)  # fmt: skip
        scenario = Scenario(draft.ruleset, ground, tuple(creatures), draft.seed, draft.throws, options, tables)
        state = rules.start(scenario).state
        Seats(to_record(draft))
    except BattlematError as error:
        number = trial.blamed(str(error))
        key = draft.pieces[number].key if number is not None and number < len(draft.pieces) else None
        return [Problem(str(error), key)]
    wrong = "The fight would be over before it began: two sides need somebody who can fight."
    return [] if rules.decisions(state) else [Problem(wrong)]
