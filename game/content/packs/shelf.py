"""The packs that are there: added after they were checked, switched on and off, removed into the bin."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from game import paths
from game.content import tables as content
from game.content.packs import unpack
from game.content.packs.manifest import FILE, Manifest, PackProblem, read
from game.maps.tiled import load_map
from game.storage import library
from game.storage.files import as_json, write_whole
from game.storage.library import Deleted
from game.storage.tokens import opened
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined, text
from rules.core.registry import RULESETS

MAPS, TOKENS = "maps", "tokens"
PLAIN = (FILE, "README.md", "LICENSE.md", "LICENCE.md", "README.txt", "LICENSE.txt", "LICENCE.txt")
"""What lies beside the folders."""


class Pack(NamedTuple):
    """A pack that is there."""

    manifest: Manifest | None
    """None for one whose pack.toml is broken by now."""
    folder: Path
    on: bool
    wrong: str = ""

    @property
    def id(self) -> str:
        return self.folder.name


def root() -> Path:
    """Where packs lie."""
    return paths.user_path("packs")


def packs() -> list[Pack]:
    """All that are there, by id."""
    found, on = [], paths.packs_on()
    where = root()
    for folder in sorted(where.iterdir()) if where.is_dir() else []:
        if folder.is_dir() and not folder.name.startswith("."):
            try:
                found.append(Pack(read(folder / FILE), folder, folder.name in on))
            except BattlematError as error:
                found.append(Pack(None, folder, False, said(error)))
    return found


def find(name: str) -> Pack:
    """One by its id. Raises PackProblem."""
    known = {pack.id: pack for pack in packs()}
    if name not in known:
        there = ", ".join(known) or "none"
        raise PackProblem("there is no pack {name}; there are: {known}", repr(name), there)
    return known[name]


def inside(folder: Path) -> dict[str, int]:
    """How many things of each kind a pack brings: `olde monsters`, `maps`, `tokens`."""
    found: dict[str, int] = {}
    for ruleset in RULESETS:
        for path in sorted((folder / ruleset).glob("*.toml")):
            with suppress(BattlematError):
                found[text("{ruleset} {table}", ruleset, path.stem)] = sum(
                    len(v) for v in content.read_table(path).values()
                )
    for name, ending in ((MAPS, "*.tmx"), (TOKENS, "*.png")):
        if count := len(list((folder / name).rglob(ending))):
            found[name] = count
    return found


def told(folder: Path) -> str:
    """The same in a line."""
    return joined(", ", (text("{n} {name}", n, name) for name, n in inside(folder).items())) or text("nothing")


def check(source: Path) -> list[str]:
    """What is wrong with a pack, line by line; empty where nothing is. Raises PackProblem for what is no pack."""
    with_all = _Draft(source)
    try:
        return with_all.problems()
    finally:
        unpack.drop(with_all.folder)


def add(source: Path) -> Pack:
    """Take a pack in, checked, and switch it on; the earlier one of its id goes into the bin. Raises PackProblem."""
    draft = _Draft(source)
    try:
        wrong = draft.problems()
        if wrong:
            words = "{name}: {wrong}" if len(wrong) == 1 else "{name}: {wrong} (and {more} more)"
            raise PackProblem(words, name=source.name, wrong=wrong[0], more=len(wrong) - 1)
        goal = root() / draft.manifest.id
        if goal.exists():
            library.delete(goal)
        draft.folder.rename(goal)
    except OSError as error:
        raise PackProblem("{name}: cannot be kept: {what}", source.name, str(error.strerror or error)) from None
    finally:
        unpack.drop(draft.folder)
    content.forget()  # the earlier one may have had the same version
    switch(draft.manifest.id, on=True)
    return find(draft.manifest.id)


def switch(name: str, *, on: bool) -> None:
    """Switch a pack on or off. Raises PackProblem for one that is broken or not there, BattlematError for the disk."""
    pack = find(name)
    if on and pack.manifest is None:
        raise PackProblem("{name}: {wrong}", name, pack.wrong)
    now = {each: version for each, version in paths.packs_on().items() if each != name}
    if on and pack.manifest is not None:
        _no_clash(pack, now)
        now[name] = pack.manifest.version
    write_whole(root() / "on.json", as_json(dict(sorted(now.items())), indent=1) + "\n")


def _no_clash(pack: Pack, others: Mapping[str, str]) -> None:
    """Packs that are on together read together. Raises PackProblem."""
    parts = [f"{each}@{version}" for each, version in others.items()]
    assert pack.manifest is not None
    for ruleset in _rulesets(pack.folder):
        try:
            _read_all("+".join((ruleset, *sorted([*parts, f"{pack.id}@{pack.manifest.version}"]))))
        except BattlematError as error:
            raise PackProblem("{name}: does not go with the packs that are on: {why}", pack.id, said(error)) from None


def remove(name: str) -> Deleted:
    """A pack into the bin, switched off. Raises BattlematError."""
    pack = find(name)
    if pack.on:
        switch(name, on=False)
    return library.delete(pack.folder)


def _rulesets(folder: Path) -> list[str]:
    return [name for name in RULESETS if (folder / name).is_dir()]


def _read_all(key: str) -> None:
    """Read all content under a key of `content.exact`. Raises ContentError."""
    content.heroes(key)
    content.monsters(key)
    content.themes(key)
    content.tables(key)


class _Draft:
    """A pack unpacked beside the others, to be checked. Raises PackProblem."""

    def __init__(self, source: Path) -> None:
        self.folder = paths.user_folder("packs") / f".new-{secrets.token_hex(4)}"
        try:
            unpack.take(source, self.folder)
            self.manifest = read(self.folder / FILE)
        except BaseException:
            unpack.drop(self.folder)
            raise

    def problems(self) -> list[str]:
        return [*self._strange(), *self._content(), *self._maps(), *self._tokens()]

    def _strange(self) -> Iterator[str]:
        """Files where nobody looks for them."""
        for path in sorted(self.folder.iterdir()):
            known = path.is_dir() and path.name in (*RULESETS, MAPS, TOKENS)
            if not known and path.name not in PLAIN:
                folders = ", ".join((*RULESETS, MAPS, TOKENS))
                yield text(
                    "{file}: nobody looks there; a pack has pack.toml and the folders {folders}", path.name, folders
                )

    def _content(self) -> Iterator[str]:
        for ruleset in _rulesets(self.folder):
            known = content.files(ruleset)
            for path in sorted((self.folder / ruleset).rglob("*")):
                if path.is_file() and (path.parent != self.folder / ruleset or path.stem not in known
                                       or path.suffix != ".toml"):  # fmt: skip
                    files = ", ".join(f"{stem}.toml" for stem in known)
                    yield text("{file}: the ruleset has no such file; it has {files}", f"{ruleset}/{path.name}", files)
                    return
            try:
                _read_all(f"{ruleset}+{self.folder.name}@{self.manifest.version}")
            except BattlematError as error:
                yield f"{ruleset}/{said(error)}"

    def _maps(self) -> Iterator[str]:
        shipped = {path.name for path in paths.shipped_maps().glob("*.tmx")}
        for path in sorted((self.folder / MAPS).rglob("*.tmx")):
            if path.name in shipped:
                yield text("{file}: a map that comes with the game is called so", f"maps/{path.name}")
            try:
                load_map(path)
            except BattlematError as error:
                yield f"maps/{said(error)}"

    def _tokens(self) -> Iterator[str]:
        for path in sorted((self.folder / TOKENS).rglob("*")):
            if path.is_file():
                try:
                    opened(path)
                    if path.suffix != ".png" or path.parent != self.folder / TOKENS:
                        yield text("{file}: tokens are PNG files directly in tokens", f"tokens/{path.name}")
                except BattlematError as error:
                    yield f"tokens/{said(error)}"
