"""A chain being played: its first fight, and the next one for whoever comes out of the one before (docs/chains.md)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from game.characters import aftermath, files
from game.characters.roster import roster
from game.fight.match import Match
from game.setup import chains
from game.setup.chains import ChainError, Ready
from rules.contract.errors import BattlematError
from rules.contract.ruleset import NO_REST, PARTY
from rules.core import dice
from rules.core.record import ChainMark, Record
from rules.core.registry import ruleset as ruleset_of


class Next(NamedTuple):
    """What comes after a fight of a chain."""

    title: str
    number: int
    """From 1 on."""
    of: int
    rest: str
    """How the rest before it is called; empty: straight on."""


def named(path: Path) -> str:
    """A chain's file as a record names it: by its name alone where it is one of the player's own."""
    folder = chains.chains_folder()
    return path.name if path.resolve().parent == folder.resolve() else str(path.resolve())


def file_of(mark: ChainMark) -> Path:
    """The file of the chain that a fight is of."""
    path = Path(mark.file)
    return path if path.is_absolute() else chains.chains_folder() / path


def first(path: Path, seed: int) -> tuple[Record, Path | None]:
    """The record of a chain's first fight, and the folder where its map may lie. Raises BattlematError."""
    ready = chains.ready(chains.load(path), path.parent)
    link = ready.links[0]
    mark = ChainMark(file=named(path), fight=1, of=len(ready.links))
    return link.record.model_copy(update={"chain": mark, "seed": seed, "throws": None}), link.beside


def _ready(mark: ChainMark) -> Ready:
    path = file_of(mark)
    return chains.ready(chains.load(path), path.parent)


def next_of(match: Match) -> Next | None:
    """What comes after a fight that was won; None where it is no chain's, the last, or its chain can't be read."""
    mark = match.record.chain
    if mark is None or match.over != PARTY or mark.fight >= mark.of:
        return None
    with suppress(BattlematError):
        chain = chains.load(file_of(mark))
        if mark.fight < len(chain.fights):
            record, _ = chains.opened(chain.fights[mark.fight], mark.fight, file_of(mark).parent)
            rests = {rest.word: rest.label for rest in ruleset_of(match.record.ruleset).rests}
            word = chain.fights[mark.fight - 1].rest
            rest = "" if word == NO_REST else str(rests.get(word, word))
            return Next(record.title, mark.fight + 1, len(chain.fights), rest)
    return None


def go_on(match: Match) -> tuple[Record, Path | None]:
    """The record of the next fight: the same heroes as they are after this one and its rest, and the folder where its
    map may lie. What this fight left to heroes of the player's own is written into their files. The same fight leads to
    the same next one. Raises BattlematError."""
    mark = match.record.chain
    if mark is None:
        raise ChainError("chain: this fight is of none")
    ready = _ready(mark)
    if mark.fight >= len(ready.links):
        raise ChainError("chain: there is no fight after this one")
    own = _settled(match)
    here = {str(entry["id"]) for entry in match.record.creatures}
    party = [name for name in ready.party if name in here]
    rest, begun = ready.links[mark.fight - 1].rest, match.history.moments[0].state
    seeds = [dice.nth(match.record.seed, n) >> 11 for n in (1, 2)]
    travellers = match.ruleset.onward(match.state, begun, party, rest, seeds[0])
    if not chains.standing(travellers):
        raise ChainError("chain: nobody of the party can go on")
    link = ready.links[mark.fight]
    record = chains.carried_on(link, travellers, seeds[1], own=tuple(own))
    entries = [{**e, **own[str(e["id"])]} if str(e["id"]) in own else e for e in record.creatures]
    following = ChainMark(file=mark.file, fight=mark.fight + 1, of=len(ready.links))
    return record.model_copy(update={"creatures": entries, "chain": following}), link.beside


def _settled(match: Match) -> dict[str, dict[str, Any]]:
    """The heroes of the player's own with what this fight left to them, written into their files once: their stat
    blocks as they are now, by id."""
    record = match.record
    own = aftermath.own_heroes(record)
    if not own:
        return {}
    rules = roster(record.ruleset)
    found = aftermath.after(record, rules.ended(match.state), match.title, match.events)
    files.save_all([hero for hero in found.heroes if hero.id in own])
    blocks = {name: files.found(name) for name in own}
    places = ("id", "side", "at", "controller")
    return {
        name: {k: v for k, v in rules.block(hero).items() if k not in places}
        for name, hero in blocks.items() if hero is not None
    }  # fmt: skip
