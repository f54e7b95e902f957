"""Encounters made ready: heroes and foes placed on a map's spawn spaces, as a record without commands (record.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any

from game import paths
from game.content import tables as content
from game.content.packs.needs import needed
from game.maps import in_place
from game.maps import mapdata as startspaces
from game.maps.mapdata import LoadedMap, MapCreature, Spaces
from game.maps.place import leads_to, places_among, whole
from game.maps.tiled import load_map
from rules.board.bitboard import cells_of
from rules.board.path import reach
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core import dice as rng
from rules.core import record as records
from rules.core.registry import ruleset as ruleset_of

Record = dict[str, Any]
HEROES, MONSTERS = "heroes", "monsters"
CONTROLLERS: Mapping[str, str] = {HEROES: "human", records.CAPTIVES: "human", MONSTERS: "ai"}
PARTY = 4
"""How many heroes set out if nobody says otherwise."""
FOES = (5, 7)
"""How many foes a surprise encounter has, at least and at most, for a party of four."""
MOST_MAPS = 500
"""Maps that are listed of those brought in."""
DEEPEST = 5
"""Folders between a maps folder and a map brought in there."""
LOOSE = 2
"""On maps without start spaces a side stands on so many spaces for each of its creatures."""
EXPEDITION = ("duty", "warns", "group")
"""What a map says of somebody that only an expedition asks for: left out where the rules know none."""
LEADER = 6
"""From this weight on a creature comes alone: at most one of them in an encounter."""


class EncounterError(BattlematError):
    """An encounter that cannot be made ready; the text names map, side or creature and what would be right."""


class Lot:
    """Draws of one encounter: the fight's own generator is seeded anew, so nothing drawn here repeats in its dice."""

    def __init__(self, seed: int) -> None:
        self._state = rng.seeded(seed ^ 0x5EED0F10)

    def below(self, limit: int) -> int:
        """A fair whole number in 0..limit-1."""
        self._state, value = rng.below(self._state, limit)
        return value

    def shuffled(self, names: Iterable[str]) -> list[str]:
        """The names in a fair random order."""
        self._state, order = rng.shuffled(self._state, tuple(names))
        return list(order)


def surprise(
    map: Path | str | None, hero_ids: Sequence[str] | None, seed: int, *, ruleset: str = "olde",
    theme: str | None = None,
) -> Record:  # fmt: skip
    """An encounter of the computer's choice: what is None (the map, the heroes) is drawn by the seed, the foes always.

    The foes are as many and as strong as the heroes can take, out of the theme that is named, else of that which fits
    the map.
    Raises EncounterError, ContentError or MapProblem.
    """
    lot = Lot(seed)
    path, loaded = _drawn_map(lot) if map is None else (there := find_map(map), load_map(there))
    ready = content.heroes(ruleset)
    order = {name: place for place, name in enumerate(ready)}
    party = list(hero_ids) if hero_ids is not None else sorted(lot.shuffled(ready)[:PARTY], key=order.__getitem__)
    return make_encounter(path, party, themed_foes(loaded, party, lot, ruleset, theme), seed, ruleset=ruleset)


def _drawn_map(lot: Lot) -> tuple[Path, LoadedMap]:
    """Any known map; one that cannot be read is passed over. Raises EncounterError where there is none."""
    known = single_maps()
    while known:
        path = known.pop(lot.below(len(known)))
        with suppress(BattlematError, OSError):
            return path, load_map(path)
    raise EncounterError("there are no maps to choose from; put a .tmx file into the maps folder")


def make_encounter(
    map: Path | str, heroes: Sequence[str], foes: Sequence[str] | None, seed: int,
    controllers: Mapping[str, str] | None = None, *, ruleset: str = "olde",
) -> Record:  # fmt: skip
    """A record with these heroes and foes (template names, repeated as often as wanted) on the map's spawn spaces.

    `map` is a path or the name of a known map; one that leads to others, where nobody lives, is played with them.
    Without `foes` (None) the map's own Creature objects are met, where they stand; whoever is asleep there starts
    surprised. `controllers`: side or creature id -> `human` or `ai`.
    Raises EncounterError where somebody finds no space, ContentError for an unknown template, MapProblem for a bad map.
    """
    path = find_map(map)
    loaded = load_map(path)
    if any(leads_to(way) for way in loaded.exits) and not (place := whole(path)).creatures:
        loaded = place  # where somebody lives already, a fight with others is one on this map alone
    return peopled(loaded, named_map(loaded), heroes, foes, seed, controllers=controllers, ruleset=ruleset)


def peopled(
    loaded: LoadedMap, on_map: Record, heroes: Sequence[str], foes: Sequence[str] | None, seed: int, *,
    controllers: Mapping[str, str] | None = None, ruleset: str = "olde",
) -> Record:  # fmt: skip
    """As `make_encounter`, on a map or place that has been read; `on_map` is how the record names it."""
    there = [resident(loaded, creature, ruleset) for creature in loaded.creatures] if foes is None else []
    if not heroes or not (there or foes):
        wrong = "{what}: nobody was chosen; each side needs at least one"
        raise EncounterError(wrong, "heroes" if not heroes else "foes")
    terrain, lot, taken = loaded.field.terrain(), Lot(seed), set[Cell]()
    for entry in there:
        taken.update(terrain.space(loaded.field.cell(*entry["at"]), entry.get("space", 1)))
    who = {**CONTROLLERS, **(controllers or {})}
    creatures: list[Record] = []
    for side, names in ((HEROES, heroes), (MONSTERS, foes or ())):
        blocks = [_block(ruleset, name) for name in names]
        sizes = [block.get("space", 1) for block in blocks]
        against = tuple(loaded.field.cell(*entry["at"]) for entry in creatures)
        cells = _placed(loaded, side, sizes, lot, taken, against=against)
        for (identity, label), block, cell in zip(_labels(blocks), blocks, cells, strict=True):
            own = "template" not in block  # a hero of the player's own is in the record whole
            entry = {**block, "id": identity} if own else {"id": identity, "template": block["template"]}
            entry |= {"side": side, "at": list(loaded.field.at(cell))}
            creatures.append(entry if label == block["name"] else {**entry, "name": label})
    for entry in creatures + there:
        entry["controller"] = who.get(entry["id"], who.get(entry["side"], "ai"))
    form = records.PLACE_FORMAT if "place" in on_map else records.FORMAT
    made: Record = {"format": form, "ruleset": ruleset, "options": {}, "map": on_map, "seed": seed}
    if needs := needed(ruleset, creatures + there):
        made["needs"] = needs
    made |= {"creatures": creatures + there, "commands": []}
    records.read(made)
    return made


BANDS, KINDS, OF_A_BAND = 2, 3, 2
"""How many bands may come by on an adventure, of how many of its theme's lightest kinds, and how many they are."""


def wanderers(loaded: LoadedMap, ruleset: str, creatures: Sequence[Record], seed: int) -> list[Record]:
    """Bands that are not there yet, as entries of a record: of the theme's lighter kinds, each at an exit or at stairs.

    As many as `BANDS`, none where the map's `wander` is 0 or nobody could come in.
    """
    field, theme = loaded.field, theme_of(loaded, ruleset)
    terrain, lot = field.terrain(), Lot(seed ^ BANDS)
    weigh = {name: int(block["threat"]) for name, block in content.monsters(ruleset).items() if name in theme.foes}
    light = sorted(weigh, key=lambda name: (weigh[name], name))[:KINDS]
    ways_in = [Cell(stair.cell) for stair in field.stairs] or exits(loaded)
    if not (field.wander and ways_in and light):
        return []
    taken = {field.cell(*entry["at"]) for entry in creatures}
    found: list[Record] = []
    for band in range(BANDS):
        name, start = light[lot.below(len(light))], ways_in[lot.below(len(ways_in))]
        size = int(content.monsters(ruleset)[name].get("space", 1))
        around = (cell for cell in cells_of(terrain.within(start, LOOSE)) if terrain.fits(cell, size))
        free = [cell for cell in around if not taken.intersection(terrain.space(cell, size))]
        for number, cell in enumerate(sorted(free, key=lambda c: (terrain.distance(start, c), c))[:OF_A_BAND]):
            if taken.intersection(terrain.space(cell, size)):
                continue  # a wide one of the band stands there
            taken.update(terrain.space(cell, size))
            found.append({
                "id": f"wanderer-{band + 1}-{number + 1}", "template": name, "side": MONSTERS, "controller": "ai",
                "at": list(field.at(cell)), "reserve": f"band-{band + 1}",
            })  # fmt: skip
    return found


# -- maps -----------------------------------------------------------------------------------------------


def playable_maps() -> list[Path]:
    """Every map that is known by a name: shipped, the user's own, brought in, or kept where it lies."""
    own = [folder for folder in paths.map_folders() if folder != paths.shipped_maps()]
    found = [path for folder in paths.map_folders() for path in sorted(folder.glob("*.tmx"))]
    for folder in own:  # as deep as a project is brought in
        below = (path for depth in range(1, DEEPEST + 1) for path in folder.glob("*/" * depth + "*.tmx"))
        found += sorted(islice(below, MOST_MAPS))
    return list(dict.fromkeys([*found, *(kept.map for kept in in_place.known().values())]))


def offered_maps() -> list[Path]:
    """The maps to choose from: of several that make up a place only the one by which it is opened."""
    return list(places_among(playable_maps()))


def single_maps() -> list[Path]:
    """The maps that stand alone: a fight between two sides takes place on one of these, no expedition."""
    return [first for first, place in places_among(playable_maps()).items() if len(place) == 1]


def named_map(loaded: LoadedMap) -> Record:
    """How a record names a map or a place."""
    names = [map_name(each.path) or each.path.absolute().as_posix() for each in loaded.levels or (loaded,)]
    return {"place": [{"tmx": name} for name in names]} if loaded.levels else {"tmx": names[0]}


def is_own_map(path: Path) -> bool:
    """Whether a map is the user's, not one that came with the game."""
    return not path.resolve().is_relative_to(paths.shipped_maps().resolve())


def map_name(path: Path) -> str | None:
    """How a record names a map of the maps folders, or one that stays where it lies; None for any other."""
    there = path.resolve()
    for folder in paths.map_folders():
        if there.is_relative_to(folder.resolve()):
            return there.relative_to(folder.resolve()).as_posix()
    return in_place.name_of(path)


def find_map(map: Path | str) -> Path:
    """The file of a map given as a path or by name (`crypt`, `crypt.tmx`). Raises EncounterError."""
    given = Path(map)
    if given.is_file():
        return given
    if given.name == str(map):
        name = given.name if given.suffix == ".tmx" else f"{given.name}.tmx"
        for folder in paths.map_folders():
            if (folder / name).is_file():
                return folder / name
    for path in playable_maps():
        if str(map) in (path.stem, path.name, map_name(path)):
            return path
    known = joined(", ", (path.stem for path in playable_maps())) or "none"
    wrong = "map: there is no {map}; known maps are: {known}; or give the path of a .tmx file"
    raise EncounterError(wrong, repr(str(map)), known)


# -- who comes ------------------------------------------------------------------------------------------


def themed_foes(
    loaded: LoadedMap, party: Sequence[str], lot: Lot, ruleset: str = "olde", named: str | None = None
) -> list[str]:
    """Foes who weigh about what the party does, from a theme (left out: the one that fits the map), as few as fit its
    spaces."""
    theme = theme_of(loaded, ruleset, named)
    weigh = {name: int(block["threat"]) for name, block in content.monsters(ruleset).items() if name in theme.foes}
    budget = sum(int(_block(ruleset, name)["threat"]) for name in party)
    fewest, most = (max(1, bound * len(party) // PARTY) for bound in FOES)
    count = fewest + lot.below(most - fewest + 1)
    followers = followers_of(theme.foes, weigh)
    leaders = [name for name in theme.foes if name not in followers and weigh[name] < budget]
    chosen = [leaders[lot.below(len(leaders))]] if leaders and lot.below(2) else []
    rest, strengths = budget - sum(weigh[name] for name in chosen), [weigh[name] for name in followers]
    enough = -(-9 * rest // (10 * max(strengths)))  # so many of the strongest make nine tenths of the budget
    places = max(1 - len(chosen), min(max(count - len(chosen), enough), rest // min(strengths)))
    chosen += [followers[lot.below(len(followers))] for _ in range(places)]
    while swaps := _better(chosen, followers, weigh, budget):
        place, name = swaps[lot.below(len(swaps))]
        chosen[place] = name
    order = {name: place for place, name in enumerate(content.monsters(ruleset))}
    return sorted(chosen, key=order.__getitem__)


def followers_of(foes: Sequence[str], weigh: Mapping[str, int]) -> list[str]:
    """Who of a theme comes in numbers: the lighter than a leader, but at least the lighter half of its kinds."""
    light = [name for name in foes if weigh[name] < LEADER]
    if len(light) >= len(foes) // 2 and light:
        return light
    half = sorted(foes, key=lambda name: weigh[name])[: max(1, len(foes) // 2)]
    return [name for name in foes if name in half]


def _better(
    chosen: Sequence[str], followers: Sequence[str], weigh: Mapping[str, int], budget: int
) -> list[tuple[int, str]]:
    """Exchanges (whom, for what) that bring the weight nearer to the budget: down while above it, else up to it."""
    total = sum(weigh[name] for name in chosen)
    exchanges = ((place, old, name) for place, old in enumerate(chosen) if old in followers for name in followers)
    weighed = ((place, name, total - weigh[old] + weigh[name]) for place, old, name in exchanges)
    return [(p, name) for p, name, now in weighed if (now < total if total > budget else total < now <= budget)]


def theme_of(loaded: LoadedMap, ruleset: str, named: str | None = None) -> content.Theme:
    """The theme of that name, else the one whose words the map has. Raises EncounterError for an unknown name."""
    if named is not None:
        known = {theme.name: theme for theme in content.themes(ruleset)}
        if named not in known:
            raise EncounterError("theme: there is no {named}; there are: {known}", repr(named), joined(", ", known))
        return known[named]
    says = " ".join((*map(str, loaded.ruleset_hints.values()), loaded.title, loaded.path.stem)).casefold()
    themes = content.themes(ruleset)
    fitting = (theme for theme in themes if any(word in says for word in theme.words))
    return next(fitting, next((theme for theme in themes if not theme.words), themes[0]))


def _block(ruleset: str, name: str) -> Record:
    """A template by name, or a hero of the player's own by id. Raises ContentError or HeroError."""
    from game.characters.files import hero_entry  # late: it brings the models of heroes, which no record needs

    own = hero_entry(ruleset, name)
    return content.template(ruleset, name) if own is None else own


def _labels(blocks: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Ids and names: alone as they are (`ogre`), several of a kind numbered (`goblin_2`, `Goblin 2`)."""
    kinds = [str(block["template"] if "template" in block else block["id"]) for block in blocks]
    labels = []
    for place, (kind, block) in enumerate(zip(kinds, blocks, strict=True), 1):
        number = kinds[:place].count(kind)
        several = (f"{kind}_{number}", text("{block} {number}", block["name"], number))
        labels.append(several if kinds.count(kind) > 1 else (kind, block["name"]))
    return labels


def resident(loaded: LoadedMap, creature: MapCreature, ruleset: str) -> Record:
    """One of the map's own creatures as an entry of a record: the template and what the map says otherwise.

    Raises ContentError for a template that the ruleset doesn't have."""
    base = content.template(ruleset, creature.template)
    merged = content.merge(base, creature.overrides)
    entry: Record = {"id": creature.id, "template": creature.template, "side": creature.side}
    entry["at"] = list(loaded.field.at(creature.cell))
    if creature.name:
        entry["name"] = creature.name
    entry |= {key: value for key, value in merged.items() if base.get(key) != value}
    fields = ruleset_of(ruleset).stat_block.model_fields
    if creature.patrol and "patrol" in fields:
        entry["patrol"] = [list(loaded.field.at(cell)) for cell in creature.patrol]
    if creature.group:
        entry["group"] = creature.group
    if creature.asleep:  # a place of several maps is explored, and who sleeps there goes on sleeping
        entry["asleep" if loaded.levels and "asleep" in fields else "surprised"] = True
    return {key: value for key, value in entry.items() if key not in EXPEDITION or key in fields}


# -- where they stand -----------------------------------------------------------------------------------


def _placed(
    loaded: LoadedMap, side: str, sizes: Sequence[int], lot: Lot, taken: set[Cell], *, against: Sequence[Cell]
) -> list[Cell]:
    """A space for each creature, large ones first, on the side's spawn spaces or, when these are full, around them.

    On a map that draws none for the side they stand together where there is room, apart from the others. A Spawn is
    full when its spaces are taken or as many stand there as its count says. Who is too wide for some ways stands where
    it can come up to those it is `against`, if a spawn space is there.
    """
    terrain = loaded.field.terrain()
    spawn = loaded.spawn_cells(side)
    if not sizes:
        return []
    cells = drawn_spaces(start_spaces(loaded, side), spawn, len(sizes), lot)
    left = {i: s.count or len(sizes) for i, s in enumerate(loaded.spawns) if s.side == side}
    homes = {cell: [i for i in left if cell in loaded.spawns[i].cells] for cell in spawn}
    roaming = {size: _roaming(loaded, size, against) for size in {*sizes} - {1}} if homes else {}
    found: dict[int, Cell] = {}
    for index in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        size = sizes[index]

        def free(c: Cell, size: int = size) -> bool:
            full = c in homes and not any(left[i] for i in homes[c])
            return not full and terrain.fits(c, size) and not taken & set(terrain.space(c, size))

        roomy = (c for c in islice(cells, len(homes)) if roaming.get(size, EMPTY) >> c & 1)
        cell = next(filter(free, chain(roomy, cells)), None)
        if cell is None:
            wrong = (
                "{name}: no space is left for creature {what} of the side {side} ({size} × {size} spaces); "
                "choose fewer creatures or a larger Spawn"
            )
            raise EncounterError(wrong, loaded.path.name, index + 1, repr(side), size)
        if (home := next((i for i in homes.get(cell, ()) if left[i]), None)) is not None:
            left[home] -= 1
        taken.update(terrain.space(cell, size))
        found[index] = cell
    return [found[index] for index in range(len(sizes))]


def _roaming(loaded: LoadedMap, size: int, against: Sequence[Cell]) -> Bitboard:
    """The spaces from which somebody so wide can walk up to one of these, with all doors open."""
    field, found = loaded.field, EMPTY
    terrain = field.terrain((1 << len(field.doors)) - 1)
    far = 2 * field.width * field.height
    for goal in against:
        beside = terrain.touching(terrain.within(goal, 1), size) & terrain.steps(size).fit
        for start in cells_of(beside):
            if not found >> start & 1:
                found |= reach(terrain, start, far, size=size).cells | 1 << start
    return found


def start_spaces(loaded: LoadedMap, side: str) -> Spaces:
    """The spaces on which a side starts, in reading order, then those around them, nearest first."""
    there: dict[str, list[Cell]] = {}
    for creature in loaded.creatures:
        there.setdefault(creature.side, []).append(creature.cell)
    return startspaces.start_spaces(loaded.field, loaded.spawns, side, exits(loaded), there)


def drawn_spaces(offered: Spaces, zone: Sequence[Cell], count: int, lot: Lot) -> Spaces:
    """A side's spaces, those of its zone by lot first; without a zone the nearest, some for each of so many."""
    near = zone or tuple(islice(offered, LOOSE * count))
    first = tuple(Cell(cell) for cell in lot.shuffled(map(str, near)))
    drawn = frozenset(first)
    return Spaces(chain(first, (cell for cell in offered if cell not in drawn)))


def exits(loaded: LoadedMap) -> list[Cell]:
    """The spaces by which one leaves a map, or a place."""
    cells = [cell for way in loaded.exits for cell in way.cells]
    return [cell for cell in cells if loaded.field.exits >> cell & 1] if loaded.levels else cells
