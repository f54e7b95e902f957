"""The languages that there are: one gettext file each, `assets/words/<language>.po`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from game.app.i18n import ENGLISH, Catalogue, use_catalogue
from game.paths import asset
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined

if TYPE_CHECKING:
    from game.app.pofile import PoFile


def use(language: str) -> None:
    """Show everything in a language from now on. Raises `BattlematError` where its catalogue is missing or broken."""
    use_catalogue(None if language == ENGLISH else read_catalogue(words_file(language)))


def words_file(language: str) -> Path:
    """Where the catalogue of a language lies."""
    return asset("words", f"{language}.po")


def languages() -> dict[str, str]:
    """The languages that there are, English first: name of the catalogue -> what its speakers call it."""
    found = {ENGLISH: "English"}
    for path in sorted(asset("words").glob("*.po")):
        found[path.stem] = path.stem
        with suppress(OSError, ValueError):
            found[path.stem] = _read(path).own_name or path.stem
    return found


def _read(path: Path) -> PoFile:
    from game.app.pofile import read_po  # late: the program starts sooner without Babel, which English needs not

    return read_po(path)


def read_catalogue(path: Path) -> Catalogue:
    """The sentences that a catalogue translates. Raises `BattlematError` for a file that is none."""
    where = str(path)
    try:
        found = _read(path)
        return Catalogue(found.entries(), found.form())
    except FileNotFoundError:
        known = joined(", ", languages())
        raise BattlematError("{path}: there is no such language; there are {known}", where, known) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BattlematError("{path}: words cannot be read ({error}); English is used", where, str(error)) from None
    except ValueError as error:
        raise BattlematError("{path}: {error}; English is used", where, said(error)) from None
