"""The words on the screen in the player's language.

The rules and scenes speak English; what they say is looked up here where it comes to be shown. A catalogue is a
gettext file (`assets/words/<language>.po`). Its keys are English sentences, whole (`Settings`) or with fields in braces
(`{by} strikes at {target}.`): a sentence that was made from such a template is known again by the words between the
fields, and what stands in the fields is looked up in its turn. Nothing is looked up in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from game.paths import asset
from rules.contract.errors import BattlematError

ENGLISH = "en"
FIELD = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")
"""A field of a template."""
PIECE = 6
"""Letters by which the templates that a sentence may be from are found."""
DEPTH = 4
"""How many sentences within sentences are looked up."""
JOINTS = re.compile(r"( · |: |, | \(|\)| (?=\d+$)|\.$)")
"""Stands between things that are said side by side; each is looked up by itself where the whole isn't known."""
_SUBSTANCE = re.compile(r"[^\W\d_]")


class Said(str):
    """Words that are in the player's language already."""

    __slots__ = ()


class Template:
    """An English sentence with fields, and how another language says it."""

    def __init__(self, english: str, said: str) -> None:
        self.english, self.said = english, said
        parts = FIELD.split(english)
        self.fields = parts[1::2]
        self.fixed = sum(len(part) for part in parts[::2])
        """Letters outside the fields: the more, the surer the sentence is this one."""
        self.anchor = max(parts[::2], key=len)
        """The longest stretch between fields: a sentence without it isn't this one."""
        self._parts = parts
        self._pattern: re.Pattern[str] | None = None

    def values(self, text: str) -> dict[str, str] | None:
        """What stands in the fields of a sentence made from this; None for another sentence."""
        if self.anchor not in text:
            return None
        if self._pattern is None:
            pattern = "".join("(.*?)" if n % 2 else re.escape(part) for n, part in enumerate(self._parts))
            self._pattern = re.compile(pattern, re.DOTALL)
        found = self._pattern.fullmatch(text)
        return dict(zip(self.fields, found.groups(), strict=True)) if found is not None else None

    def filled(self, values: Mapping[str, str]) -> str:
        """The sentence in the other language with these in its fields."""
        return FIELD.sub(lambda field: values.get(field[1], field[0]), self.said)


class Catalogue:
    """What one language says for English words."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._whole = {key: said for key, said in entries.items() if not FIELD.search(key)}
        templates = [Template(key, said) for key, said in entries.items() if FIELD.search(key)]
        self._templates = sorted(templates, key=lambda t: (-t.fixed, t.english))
        self._by_piece: dict[str, list[int]] = {}
        """A piece of a template's longest stretch -> the templates, by number: no sentence without it is from them."""
        for number, template in enumerate(self._templates):
            self._by_piece.setdefault(template.anchor[:PIECE], []).append(number)

    def say(self, text: str, depth: int = DEPTH) -> str:
        """The sentence in this language; where it isn't known, as it is."""
        inner = text.strip()
        if not inner or not _SUBSTANCE.search(inner):
            return text
        said = self._found(inner, depth) or self._recased(inner, depth)
        if said is None and depth and len(parts := JOINTS.split(inner)) > 1:
            said = "".join(part if n % 2 else self.say(part, depth - 1) for n, part in enumerate(parts))
        return text if said is None else text.replace(inner, said, 1)

    def _recased(self, text: str, depth: int) -> str | None:
        """A word of the rules at the head of a line, or a heading in capitals."""
        if not text[0].isupper():
            return None
        if text.isupper():
            said = self._found(text.capitalize(), depth) or self._found(text.lower(), depth)
            return said and said.upper()
        said = self._found(text[0].lower() + text[1:], depth)
        return said and said[:1].upper() + said[1:]

    def _found(self, text: str, depth: int) -> str | None:
        whole = self._whole.get(text)
        if whole is not None:
            return whole
        for template in self._likely(text) if depth else ():
            values = template.values(text)
            if values is not None:
                return template.filled({name: self.say(value, depth - 1) for name, value in values.items()})
        return None

    def _likely(self, text: str) -> Iterator[Template]:
        """The templates that a sentence may be from, the surest first."""
        pieces = {text[at : at + length] for at in range(len(text)) for length in range(1, PIECE + 1)} | {""}
        found = {number for piece in pieces for number in self._by_piece.get(piece, ())}
        return (self._templates[number] for number in sorted(found))


_say: Callable[[str], str] | None = None


def t(text: str) -> str:
    """What is to be shown for an English text."""
    if _say is None or isinstance(text, Said):
        return text
    return Said(_say(text))


def use(language: str) -> None:
    """Show everything in a language from now on. Raises `BattlematError` where its catalogue is missing or broken."""
    use_catalogue(None if language == ENGLISH else Catalogue(read_catalogue(words_file(language))))


def use_catalogue(catalogue: Catalogue | None) -> None:
    """Show everything by this catalogue; None = in English."""
    global _say
    _say = None if catalogue is None else lru_cache(maxsize=8192)(catalogue.say)


def words_file(language: str) -> Path:
    """Where the catalogue of a language lies."""
    return asset("words", f"{language}.po")


def languages() -> dict[str, str]:
    """The languages that there are, English first: name of the catalogue -> what its speakers call it."""
    found = {ENGLISH: "English"}
    for path in sorted(asset("words").glob("*.po")):
        own = _named(path)
        found[path.stem] = own or path.stem
    return found


def _named(path: Path) -> str:
    try:
        head = read_po(path.read_text(encoding="utf-8")).get("", "")
    except (OSError, UnicodeDecodeError, ValueError):
        return ""
    lines = (line.partition(":") for line in head.splitlines())
    return next((value.strip() for name, _, value in lines if name.strip() == "X-Language-Name"), "")


def read_catalogue(path: Path) -> dict[str, str]:
    """The sentences that a catalogue translates. Raises `BattlematError` for a file that is none."""
    try:
        entries = read_po(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(languages())
        raise BattlematError(f"{path}: there is no such language; there are {known}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BattlematError(f"{path}: words cannot be read ({error}); English is used") from None
    except ValueError as error:
        raise BattlematError(f"{path}: {error}; English is used") from None
    for key, said in entries.items():
        strange = set(FIELD.findall(said)) - set(FIELD.findall(key))
        if key and strange:
            raise BattlematError(
                f"{path}: the words for {key!r} name a field {{{min(strange)}}} that it hasn't; English is used"
            )
    return {key: said for key, said in entries.items() if key and said}


_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def read_po(text: str) -> dict[str, str]:
    """msgid -> msgstr of a gettext file; what is marked as fuzzy is left empty, as is the custom.

    Raises ValueError with the number of a line that isn't of that format.
    """
    found: dict[str, str] = {}
    key, said, into = "", "", ""
    doubtful = dubious = False

    def keep() -> None:
        if into == "msgstr":
            found[key] = "" if dubious and key else said

    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            doubtful |= line.startswith("#,") and "fuzzy" in line
            continue
        word, _, rest = line.partition(" ") if not line.startswith('"') else (into, "", line)
        quoted = _QUOTED.fullmatch(rest.strip())
        if word not in ("msgid", "msgstr") or quoted is None:
            raise ValueError(f'line {number} is neither msgid "…" nor msgstr "…" nor a comment')
        part = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), quoted[1])
        if word != into or not line.startswith('"'):
            if word == "msgid":
                keep()
                key, said, dubious, doubtful = "", "", doubtful, False
            into = word
        if into == "msgid":
            key += part
        else:
            said += part
    keep()
    return found


def write_po(entries: Iterable[tuple[str, str, str]]) -> str:
    """A gettext file of `(where, msgid, msgstr)`."""

    def quoted(text: str) -> str:
        out = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{out}"'

    blocks = []
    for where, key, said in entries:
        flag = "#, python-brace-format\n" if FIELD.search(key) else ""
        blocks.append(f"#: {where}\n{flag}msgid {quoted(key)}\nmsgstr {quoted(said)}\n")
    return "\n".join(blocks)
