"""The words on the screen in the player's language.

Rules and scenes say what they have to say as `Text`: English sentences that know the template and the fields that they
were made from. Here, where they come to be shown, the template is looked up in a catalogue, and the fields are put
where that language wants them, each looked up by what it is: a sentence within the sentence by its own template, a name
or a word by itself, a figure not at all. A sentence without fields is looked up whole. Nothing is looked up in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.contract.text import Creature, Text, Value

ENGLISH = "en"
FIELD = re.compile(r"(?<!\{)\{([A-Za-z_][A-Za-z_0-9]*)\}(?!\})")
"""A field of a template."""
_NUMBERED = re.compile(r"(.+?)( \d+)")
_SUBSTANCE = re.compile(r"[^\W\d_]")


class Said(str):
    """Words that are in the player's language already."""

    __slots__ = ()


class Part(NamedTuple):
    """A stretch of a sentence that is to be shown, and the field it comes from."""

    words: str
    value: Value | None = None
    """The `Creature`, `Term`, word or figure that this names; None for the words of the sentence itself."""


class Entry(NamedTuple):
    """What a language says for one template."""

    one: str
    """The English template; of one with a plural the form for one."""
    many: str
    forms: tuple[str, ...]
    """In this language: the only form, or each in the order of the catalogue's rule for plurals."""


Entries = Mapping[str | tuple[str, str], str | Sequence[str]]
"""An English template, or both forms of one with a plural -> what a language says, or all its forms."""


class Catalogue:
    """What one language says for English words; `form` says which form of a plural a number takes."""

    def __init__(self, entries: Entries, form: Callable[[int], int] = lambda number: int(number != 1)) -> None:
        self._form = form
        self._entries: dict[str, Entry] = {}
        """By their shape: whatever a field is called, the words around it are the same."""
        whole = [_entry(key, said) for key, said in entries.items()]
        several = [each for each in whole if each.many]  # the forms for one and for many are said without a number, too
        alone = [Entry(*said) for e in several for said in ((e.one, "", e.forms[:1]), (e.many, "", e.forms[-1:]))]
        for each in (*whole, *alone):
            self._entries.setdefault(_shape(each.one, each.many), each)
        self._plain = lru_cache(maxsize=8192)(self._say_plain)

    def say(self, text: str) -> str:
        """The sentence in this language; where it isn't known, as it is, with what is known of its fields."""
        if isinstance(text, Text):
            return "".join(part.words for part in self.parts(text))
        return self._plain(str(text))

    def parts(self, text: Text) -> Iterator[Part]:
        """The sentence in this language, in the order in which it is read."""
        found = self._entries.get(str(text).strip())
        if found is not None and not found.many and not FIELD.search(found.one):
            yield Part(_within(text, found.forms[0]))
            return
        said, names, recased = self._template(text)
        for number, piece in enumerate(FIELD.split(said)):
            own = [Part(piece.replace("{{", "{").replace("}}", "}"))] if piece else []
            for part in self._field(text.fields[names.get(piece, piece)]) if number % 2 else own:
                yield part._replace(words=_upper(part.words)) if recased else part
                recased = False

    def _field(self, value: Value) -> Iterator[Part]:
        if isinstance(value, Text):
            yield from self.parts(value)
        elif isinstance(value, Creature):
            name, said = str(value), self._whole(str(value))
            if said is None and (numbered := _NUMBERED.fullmatch(name)) is not None:  # `Goblin 2`
                said = f"{self._whole(numbered[1]) or numbered[1]}{numbered[2]}"
            yield Part(name if said is None else said, value)
        else:
            known = isinstance(value, Said) or not isinstance(value, str)
            yield Part(str(value) if known else self._plain(str(value)), value)

    def _template(self, text: Text) -> tuple[str, Mapping[str, str], bool]:
        """What is said for a text's template, how the text calls its fields, and whether the head wants a capital."""
        found, recased = self._entry(text.template, text.many, text.number), False
        if found is None and text.template.strip()[:1].isupper():
            found, recased = self._entry(_lower(text.template), _lower(text.many), text.number), True
        own = text.many if text.many and text.number != 1 else text.template
        if found is None:
            return own, {}, False
        if found.many:
            theirs = FIELD.findall(text.template) + FIELD.findall(text.many)
            names = dict(zip(FIELD.findall(found.one) + FIELD.findall(found.many), theirs, strict=True))
            form = self._form(text.number)
        else:
            names, form = dict(zip(FIELD.findall(found.one), FIELD.findall(own), strict=True)), 0
        return _within(own, found.forms[form if form < len(found.forms) else 0]), names, recased

    def _entry(self, one: str, many: str, number: int) -> Entry | None:
        """What is said for a template; a catalogue may also hold the forms of a plural as entries of their own."""
        found = self._entries.get(_shape(one, many))
        return found or self._entries.get(_shape(many if many and number != 1 else one))

    def _say_plain(self, text: str) -> str:
        inner = text.strip()
        if not inner or not _SUBSTANCE.search(inner):
            return text
        said = self._whole(inner) or self._recased(inner)
        return text if said is None else _within(text, said)

    def _whole(self, text: str) -> str | None:
        found = self._entries.get(text)
        return found.forms[0] if found is not None and not found.many and not FIELD.search(found.one) else None

    def _recased(self, text: str) -> str | None:
        """A word of the rules at the head of a line, or a heading in capitals."""
        if not text[0].isupper():
            return None
        if text.isupper():
            said = self._whole(text.capitalize()) or self._whole(text.lower())
            return said and said.upper()
        said = self._whole(_lower(text))
        return said and _upper(said)


def _entry(key: str | tuple[str, str], said: str | Sequence[str]) -> Entry:
    one, many = key if isinstance(key, tuple) else (key, "")
    return Entry(one, many, (said,) if isinstance(said, str) else tuple(said))


def _shape(one: str, many: str = "") -> str:
    """A template without the names of its fields."""
    whole = FIELD.sub("{}", one.strip())
    return f"{whole}\0{FIELD.sub('{}', many.strip())}" if many else whole


def _within(text: str, said: str) -> str:
    """What is said for a text, with the blanks around it."""
    inner = text.strip()
    return text.replace(inner, said, 1) if len(inner) < len(text) else said


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_catalogue: Catalogue | None = None


def t(text: str) -> str:
    """What is to be shown for an English text."""
    return text if _catalogue is None or isinstance(text, Said) else Said(_catalogue.say(text))


def parts(text: str) -> Iterator[Part]:
    """What is to be shown for an English text, stretch by stretch: its own words, and what its fields name."""
    return (_catalogue or _ENGLISH).parts(text) if isinstance(text, Text) else iter((Part(t(text)),))


def use_catalogue(catalogue: Catalogue | None) -> None:
    """Show everything by this catalogue; None = in English."""
    global _catalogue
    _catalogue = catalogue


_ENGLISH = Catalogue({})
"""Says everything as it is."""
