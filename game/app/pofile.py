"""A gettext file as Babel reads it: what a language's catalogue translates. Imported where a language is shown."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from email import message_from_string
from pathlib import Path

from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, PoFileParser

from game.app.i18n import FIELD
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, text

_LINE = re.compile(r'(#.*|((msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])\s+)?"([^"\\]|\\.)*")?')


class PoFile(Catalog):
    """The messages of one file, and what its header calls the language."""

    own_name = ""

    def __setitem__(self, id: str | list[str] | tuple[str, ...], message: Message) -> None:
        if not id:
            self.own_name = str(message_from_string(str(message.string)).get("X-Language-Name", "")).strip()
        super().__setitem__(id, message)

    def form(self) -> Callable[[int], int]:
        """The rule by which a number takes one of the forms of a plural."""
        return gettext.c2py(self.plural_expr)

    def entries(self) -> dict[str | tuple[str, str], tuple[str, ...]]:
        """What is translated, and beyond doubt. Raises BattlematError for a field that the sentence hasn't."""
        entries: dict[str | tuple[str, str], tuple[str, ...]] = {}
        for message in self:
            if not message.id:
                continue
            one, *many = (message.id,) if isinstance(message.id, str) else message.id
            forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            strange = (
                set(FIELD.findall("".join(forms))) - set(FIELD.findall("".join((one, *many)))) - {"n" if many else ""}
            )
            if strange:
                wrong = "the words for {words} name a field {field} that it hasn't"
                raise BattlematError(wrong, repr(one), f"{{{min(strange)}}}")
            if forms and all(forms) and not message.fuzzy:
                entries[(one, many[0]) if many else one] = forms
        return entries


def read_po(path: Path) -> PoFile:
    """A gettext file. Raises OSError or, for what is none, ValueError (UnicodeDecodeError if it isn't UTF-8)."""
    try:
        catalog = PoFile(locale=path.stem.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        catalog = PoFile()  # no tag of a language: the file says its plurals itself, or has them as in English
    try:
        parser = PoFileParser(catalog, ignore_obsolete=True, abort_invalid=True)
        parser.parse(_lines(path.read_text(encoding="utf-8-sig")))
        catalog.form()
    except PoFileError as error:
        raise ValueError(text("line {what}: {error}", error.lineno + 1, said(error))) from None
    return catalog


def _lines(text: str) -> Iterator[str]:
    """The lines of a file, each looked at before Babel reads it, which takes what stands outside quotes for granted."""
    for number, line in enumerate(text.splitlines(), 1):
        if _LINE.fullmatch(line.strip()) is None:
            raise ValueError(Text.of('line {number} is neither msgid "…" nor msgstr "…" nor a comment', number=number))
        yield line
