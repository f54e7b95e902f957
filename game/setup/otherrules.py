"""The same table under another ruleset: what comes along, what cannot, and what is remembered for the way back.

Each ruleset keeps its own block of every creature. Coming back to one restores it; what all rulesets share (place,
side, name, who plays it …) is as it was changed in between.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from game.content.translation import TABLE, brought, carried, placed
from game.setup import bestiary, forms
from game.setup.draft import Draft, Elsewhere, Entry, Piece, fresh_name
from rules.board.grid import Field
from rules.contract.text import joined, text, titled
from rules.core.ground import map_files
from rules.core.record import MapModel, Record
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

Came = tuple[tuple[Piece, ...], frozenset[int]]
"""Who stands on the table under the other ruleset, and the keys of those who are there for that only."""
SHARED = ("id", *TABLE)
"""What is one and the same under every ruleset."""


class Loss(NamedTuple):
    """What of a creature nothing stands for under the other rules."""

    key: int
    name: str
    becomes: str
    """The name of the counterpart's entry in the bestiary."""
    left: tuple[str, ...]
    """What stays behind, in words."""


def under(
    draft: Draft, ruleset: str, ground: Field | None = None, starts: Mapping[str, Collection[int]] | None = None
) -> Draft:
    """The same table under another ruleset: everybody as they were there last, else their counterpart.

    Coming there for the first time, of the foes as many as weigh against the party what they did (`balance.py`). Who
    joins stands on the `ground` where `translation.placed` says, `starts` being the sides' start spaces there. Raises
    ContentError for whom nobody stands.
    """
    if ruleset == draft.ruleset:
        return draft
    known = _kept(draft)
    there = known.pop(ruleset, None)
    here = {p.key: p.entry for p in draft.pieces}
    known[draft.ruleset] = Elsewhere(here, draft.options, draft.resting, draft.joined)
    pieces, joined = _first(draft, ruleset, ground, starts or {}) if there is None else _again(draft, there, ruleset)
    there = there or Elsewhere()
    now, switches = ({switch.name for switch in ruleset_of(each).switches} for each in (draft.ruleset, ruleset))
    options = {name: value for name, value in there.options.items() if name not in now & switches}  # shared as they are
    options |= {name: value for name, value in draft.options.items() if name in switches}
    keys = {piece.key for piece in pieces}
    return replace(
        draft, ruleset=ruleset, options=options, throws=None, pieces=pieces, elsewhere=known,
        arrived={piece.key: piece.entry for piece in pieces}, joined=joined,
        resting=(draft.resting | here.keys()) - keys, next_key=max([draft.next_key, *(key + 1 for key in keys)]),
    )  # fmt: skip


def _first(draft: Draft, ruleset: str, ground: Field | None, starts: Mapping[str, Collection[int]]) -> Came:
    """A table that comes to a ruleset for the first time."""
    entries = [{"id": "", **piece.entry} for piece in draft.pieces]
    band = brought(
        draft.ruleset, entries, ruleset, {}, map=next(iter(map_files(MapModel.model_validate(draft.map))), "")
    )
    pieces = [Piece(draft.pieces[n].key, entry) for n, entry in zip(band.come, band.entries, strict=True)]
    more: Sequence[Entry] = band.joined
    if ground is not None:
        more = placed(ground, ruleset, band.entries, band.joined, starts=starts, seed=draft.seed)
    joined = [Piece(draft.next_key + n, entry) for n, entry in enumerate(more)]
    return (*pieces, *joined), frozenset(piece.key for piece in joined)


def _again(draft: Draft, there: Elsewhere, ruleset: str) -> Came:
    """A table that was under the ruleset before: who stayed behind stays, who was there for that only is back."""
    away = (there.resting | draft.joined) - there.blocks.keys()
    stay = ((p.key, there.blocks.get(p.key), {"id": "", **p.entry}) for p in draft.pieces if p.key not in away)
    pieces = [Piece(key, known or carried(entry, draft.ruleset, ruleset).entry) for key, known, entry in stay]
    back = [Piece(key, there.blocks[key]) for key in draft.resting if key in there.blocks]
    ids = {piece.id for piece in pieces}
    for piece in back:  # somebody new may bear the name meanwhile
        entry = dict(piece.entry)
        if piece.id in ids:
            entry["id"] = fresh_name(piece.id, ids)[0]
        ids.add(str(entry["id"]))
        pieces.append(Piece(piece.key, entry))
    order = {key: place for place, key in enumerate(there.blocks)}
    pieces.sort(key=lambda piece: (order.get(piece.key, len(order)), piece.key))
    return tuple(pieces), there.joined


class Count(NamedTuple):
    """Who of a table stays behind under another ruleset, and who joins there; by name."""

    stay: tuple[str, ...]
    joined: tuple[str, ...]


def count(draft: Draft, ruleset: str) -> Count:
    """Whom a change of rules would leave behind or bring, where the table comes there for the first time."""
    if ruleset in draft.elsewhere or ruleset == draft.ruleset:
        return Count((), ())
    there = under(draft, ruleset)
    keys = {piece.key for piece in there.pieces}
    stay = [bestiary.called(draft.ruleset, piece.entry) for piece in draft.pieces if piece.key not in keys]
    joined = [bestiary.called(ruleset, piece.entry) for piece in there.pieces if piece.key in there.joined]
    return Count(tuple(stay), tuple(joined))


def _kept(draft: Draft) -> dict[str, Elsewhere]:
    """What is remembered, with all shared changes since; nothing of whoever has become somebody else."""
    found = {}
    for ruleset, there in draft.elsewhere.items():
        now = {piece.key: piece.entry for piece in draft.pieces}
        followed = (
            (key, _followed(entry, draft.arrived.get(key), now[key]) if key in now else entry)
            for key, entry in there.blocks.items()
        )
        found[ruleset] = replace(there, blocks={key: entry for key, entry in followed if entry is not None})
    return found


def _followed(kept: Entry, arrived: Entry | None, now: Entry) -> Entry | None:
    """A remembered entry with the shared fields that were changed since; None where another stands in its place."""
    if arrived is None or arrived.get("template") != now.get("template"):
        return None
    turned = [field for field in SHARED if arrived.get(field) != now.get(field)]
    return {k: v for k, v in kept.items() if k not in turned} | {k: now[k] for k in turned if k in now}


# -- what cannot come along -------------------------------------------------------------------------------


def losses(draft: Draft, ruleset: str) -> list[Loss]:
    """Who loses what under another ruleset, for everybody whom nothing is remembered of there. Raises ContentError."""
    known = _kept(draft).get(ruleset, Elsewhere()).blocks
    found = []
    for piece in draft.pieces if ruleset != draft.ruleset else ():
        if piece.key in known:
            continue
        come = carried({"id": "", **piece.entry}, draft.ruleset, ruleset)
        if left := _told(draft.ruleset, piece.entry, come.left):
            name, becomes = bestiary.called(draft.ruleset, piece.entry), come.entry["template"]
            found.append(Loss(piece.key, name, bestiary.called(ruleset, {"template": becomes, "id": becomes}), left))
    return found


def options_lost(draft: Draft, ruleset: str) -> list[str]:
    """The optional rules that are turned on or off now and that the other ruleset does not know, by label."""
    known = {switch.name for switch in ruleset_of(ruleset).switches}
    turned = (switch for switch in ruleset_of(draft.ruleset).switches if switch.name in draft.options)
    return [switch.label for switch in turned if switch.name not in known]


def _told(ruleset: str, entry: Entry, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Fields with their values, as people read them."""
    if "template" not in entry:
        return ("a stat block of its own",) if fields else ()
    return tuple(in_words(ruleset, name, entry[name]) for name in fields)


def in_words(ruleset: str, field: str, value: Any) -> str:
    """A field with its value: `Brawn 9`, `Weapons: Broadsword, Dagger`, `Asleep`."""
    label = forms.label_of(field)
    if value is True:
        return label
    if value is False or value is None or value in ([], {}, ""):
        return text("{label}: none", label)
    if isinstance(value, Mapping):
        each = joined(", ", (text("{name} {word}", name, word) for name, word in value.items()))
        return text("{label}: {each}", label, each)
    if isinstance(value, (list, tuple)):
        if field in {way.name for way in forms.ways(ruleset)}:
            return label
        names = (each.get("name", "…") if isinstance(each, Mapping) else each for each in value)
        return text("{label}: {each}", label, joined(", ", (titled(str(name)) for name in names)))
    return text("{label} {value}", label, value)


# -- comparing ----------------------------------------------------------------------------------------------

Known = Mapping[str, Mapping[str, Entry]]
"""By ruleset and id: what creatures were made into under other rules."""


def known_elsewhere(draft: Draft) -> Known:
    """What a comparison of rulesets takes instead of mere counterparts."""
    blocks = {ruleset: there.blocks.values() for ruleset, there in _kept(draft).items()}
    return {ruleset: {str(entry.get("id", "")): entry for entry in known} for ruleset, known in blocks.items()}


def left_out(record: Record, ruleset: str, known: Known | None = None) -> list[str]:
    """What a comparison leaves out under a ruleset, a line for each creature. Raises ContentError."""
    own = (known or {}).get(ruleset, {})
    found: list[str] = []
    for entry in record.creatures:
        if ruleset == record.ruleset or entry.get("id") in own:
            continue
        if left := _told(record.ruleset, entry, carried(entry, record.ruleset, ruleset).left):
            found.append(text("{name}: {left}", bestiary.called(record.ruleset, entry), joined(", ", left)))
    return found


# -- on disk ------------------------------------------------------------------------------------------------

FORMAT = "battlemat-elsewhere/1"


def document(draft: Draft) -> dict[str, Any]:
    """What is remembered, creatures by their ids."""
    ids = _ids(draft)
    rulesets = {
        ruleset: {"options": dict(there.options), "creatures": _by_id(there.blocks, ids), **_aside(there, ids)}
        for ruleset, there in draft.elsewhere.items()
    }
    said = {"format": FORMAT, "ruleset": draft.ruleset, "arrived": _by_id(draft.arrived, ids), **_aside(draft, ids)}
    return {**said, "rulesets": rulesets}


def _ids(draft: Draft) -> dict[int, str]:
    """By key the ids of all who are on the table, and of those who rest, numbered anew where somebody has theirs."""
    ids = {piece.key: piece.id for piece in draft.pieces}
    for key in sorted(draft.resting):
        blocks = (there.blocks[key] for there in draft.elsewhere.values() if key in there.blocks)
        ids[key] = fresh_name(str(next(blocks, {}).get("id") or "creature"), ids.values())[0]
    return ids


def _by_id(entries: Mapping[int, Entry], ids: Mapping[int, str]) -> dict[str, Any]:
    return {ids[key]: dict(entry) for key, entry in entries.items() if ids.get(key)}


def _aside(there: Draft | Elsewhere, ids: Mapping[int, str]) -> dict[str, list[str]]:
    sets = {"resting": there.resting, "joined": there.joined}
    return {name: [ids[key] for key in sorted(keys) if ids.get(key)] for name, keys in sets.items()}


def remembered(draft: Draft, said: Mapping[str, Any]) -> Draft:
    """The draft with what `document` says; as it is where that is none or of another table."""
    if said.get("format") != FORMAT or said.get("ruleset") != draft.ruleset:
        return draft
    keys = {piece.id: piece.key for piece in draft.pieces}
    resting = [name for name in _texts(said.get("resting")) if name not in keys]
    keys |= {name: draft.next_key + number for number, name in enumerate(dict.fromkeys(resting))}
    found = {}
    for ruleset, there in _objects(said.get("rulesets")).items():
        if ruleset in RULESETS and ruleset != draft.ruleset:
            options = there.get("options")
            found[ruleset] = Elsewhere(
                _by_key(there.get("creatures"), keys), options if isinstance(options, dict) else {},
                _keys(there.get("resting"), keys), _keys(there.get("joined"), keys),
            )  # fmt: skip
    return replace(
        draft, elsewhere=found, arrived=_by_key(said.get("arrived"), keys), resting=_keys(resting, keys),
        joined=_keys(said.get("joined"), keys), next_key=max([draft.next_key, *(key + 1 for key in keys.values())]),
    )  # fmt: skip


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _keys(names: Any, keys: Mapping[str, int]) -> frozenset[int]:
    return frozenset(keys[name] for name in _texts(names) if name in keys)


def _objects(value: Any) -> dict[str, dict[str, Any]]:
    return {k: v for k, v in value.items() if isinstance(v, dict)} if isinstance(value, dict) else {}


def _by_key(value: Any, keys: Mapping[str, int]) -> dict[int, Entry]:
    return {keys[name]: entry for name, entry in _objects(value).items() if name in keys}
