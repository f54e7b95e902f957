"""A pack's files out of a folder or a zip, bounded before and while they are read; data only."""

from __future__ import annotations

import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from game.content.packs.manifest import FILE, PackProblem

MOST_FILES = 2000
MOST_BYTES = 256 * 1024 * 1024
"""Of all files together."""
DEEPEST = 8
ALLOWED = (
    ".toml", ".tmx", ".tsx", ".tiled-project", ".png", ".jpg", ".jpeg", ".webp", ".md", ".txt",
)  # fmt: skip
"""Endings of data; anything else is refused."""
IGNORED = ("__macosx", ".ds_store", "thumbs.db", "desktop.ini")
BLOCK = 64 * 1024


class Member(NamedTuple):
    """A file of a pack: where it goes, how large it says it is."""

    name: PurePosixPath
    size: int


def take(source: Path, goal: Path) -> None:
    """Copy a pack's files into a new folder. Raises PackProblem; what was copied until then is the caller's to drop."""
    if source.is_dir():
        _folder(source, goal)
    elif zipfile.is_zipfile(source):
        _zip(source, goal)
    else:
        raise PackProblem("{name}: is neither a folder nor a zip of a pack", source.name)


def is_pack(source: Path) -> bool:
    """Whether a folder or a zip means to be one."""
    try:
        if source.is_dir():
            return (source / FILE).is_file()
        if not zipfile.is_zipfile(source):
            return False
        with zipfile.ZipFile(source) as packed:
            names = [PurePosixPath(name) for name in packed.namelist()[: 2 * MOST_FILES]]
            return any(name.name == FILE and len(name.parts) <= 2 for name in names)
    except (OSError, zipfile.BadZipFile, ValueError):
        return False


def _sound(name: str, seen: set[str]) -> PurePosixPath | None:
    """Where a file of that name goes; None for one that is ignored. Raises PackProblem."""
    path = PurePosixPath(name)
    if any(part.casefold() in IGNORED for part in path.parts):
        return None
    shown = repr(name[:80])
    if "\\" in name or "\0" in name or ":" in name or path.is_absolute() or ".." in path.parts or not path.parts:
        raise PackProblem("{name}: leaves the pack's folder; name files within it", shown)
    if len(path.parts) > DEEPEST or any(part.startswith(".") for part in path.parts):
        raise PackProblem("{name}: is hidden, or lies deeper than {deepest} folders", shown, DEEPEST)
    if path.suffix.lower() not in ALLOWED:
        raise PackProblem("{name}: a pack is data only: {kinds}", shown, ", ".join(ALLOWED))
    folded = path.as_posix().casefold()
    if folded in seen:
        raise PackProblem("{name}: is there twice, or differs in large and small letters alone", shown)
    seen.add(folded)
    if len(seen) > MOST_FILES:
        raise PackProblem("a pack has {most} files at most", MOST_FILES)
    return path


def _copy(stream: IO[bytes], goal: Path, left: int) -> int:
    """Write a file; how many bytes may still come. Raises PackProblem where more come."""
    goal.parent.mkdir(parents=True, exist_ok=True)
    with goal.open("wb") as out:
        while block := stream.read(BLOCK):
            left -= len(block)
            if left < 0:
                raise PackProblem("a pack has {most} MiB at most", MOST_BYTES >> 20)
            out.write(block)
    return left


def _folder(source: Path, goal: Path) -> None:
    seen: set[str] = set()
    left = MOST_BYTES
    try:
        for path in _files(source):
            name = _sound(path.relative_to(source).as_posix(), seen)
            if name is not None:
                with path.open("rb") as stream:
                    left = _copy(stream, goal / name, left)
    except OSError as error:
        raise PackProblem("{name}: cannot be read: {what}", source.name, str(error.strerror or error)) from None


def _files(folder: Path) -> Iterator[Path]:
    """All files of a folder; links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            raise PackProblem("{name}: is a link; a pack holds its files itself", path.name)
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _zip(source: Path, goal: Path) -> None:
    try:
        with zipfile.ZipFile(source) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            if len(entries) > 2 * MOST_FILES or sum(each.file_size for each in entries) > MOST_BYTES:
                wrong = "{name}: a pack has {most} files and {bytes} MiB at most"
                raise PackProblem(wrong, source.name, MOST_FILES, MOST_BYTES >> 20)
            top = _top([each.filename for each in entries])
            seen: set[str] = set()
            left = MOST_BYTES
            for each in entries:
                if stat.S_ISLNK(each.external_attr >> 16) or each.flag_bits & 1:
                    raise PackProblem("{name}: is a link, or locked by a password", repr(each.filename[:80]))
                name = _sound(each.filename.removeprefix(top), seen)
                if name is not None:
                    with packed.open(each) as stream:
                        left = _copy(stream, goal / name, left)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError, RuntimeError) as error:
        if isinstance(error, PackProblem):
            raise
        raise PackProblem("{name}: is a broken zip", source.name) from None
    except Exception as error:  # zlib's and lzma's own
        if isinstance(error, PackProblem):
            raise
        raise PackProblem("{name}: is a broken zip", source.name) from None


def _top(names: list[str]) -> str:
    """The folder around everything, where the pack was zipped with it."""
    firsts = {name.partition("/")[0] for name in names if not name.startswith(("__MACOSX", "."))}
    if FILE not in names and len(firsts) == 1 and f"{next(iter(firsts))}/{FILE}" in names:
        return f"{next(iter(firsts))}/"
    return ""


def packed(folder: Path, out: Path) -> None:
    """A zip of a pack's folder, the same for the same files. Raises PackProblem, OSError."""
    seen: set[str] = set()
    draft = out.with_name(f".{out.name}.draft")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as made:
            for path in _files(folder):
                name = _sound(path.relative_to(folder).as_posix(), seen)
                if name is not None:
                    entry = zipfile.ZipInfo(name.as_posix(), (1980, 1, 1, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    made.writestr(entry, path.read_bytes())
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)


def drop(folder: Path) -> None:
    """A folder away, with all in it."""
    shutil.rmtree(folder, ignore_errors=True)
