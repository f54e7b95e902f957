"""Text as a value: an English sentence that still knows what it was made of.

What rules and windows say to players is a `Text`: it *is* its English sentence, so that it can be compared, printed and
kept like any other, and it carries the template and the fields that it was made from. A window makes runs of the
fields (a creature's name in bold, a term with its rule); a catalogue finds the template in another language and puts
the fields where that language wants them. Nobody ever searches a finished sentence.

    >>> said = text("{by} strikes at {target}.", Creature("Wren", "w"), Creature("Goblin", "g"))
    >>> said
    'Wren strikes at Goblin.'
    >>> said.template, said.fields["target"].id
    ('{by} strikes at {target}.', 'g')
    >>> [ntext(n, "{n} space", "{n} spaces") for n in (1, 2)]
    ['1 space', '2 spaces']

A sentence without fields is its own template and needs none of this: it stays a literal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import msgspec

Value = str | float
"""What may stand in a field: a `Creature`, a `Term`, a `Place`, a nested `Text`, a number, or a word that is looked up
by itself."""


class _Fixed(str):
    """A string with something beside it; neither ever changes."""

    __slots__ = ()

    def __setattr__(self, *changed: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    __delattr__ = __setattr__


class Creature(_Fixed):
    """The name of somebody in a sentence: `id` says who it is."""

    __slots__ = ("id",)
    id: str

    def __new__(cls, name: str, id: str) -> Creature:
        self = str.__new__(cls, name)
        _set_id(self, id)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Creature, (str(self), self.id)


class Term(_Fixed):
    """A word of the rules in a sentence: `rule` is the heading of the rulebook that explains it, if it is not found
    under the word itself."""

    __slots__ = ("rule",)
    rule: str

    def __new__(cls, word: str, rule: str = "") -> Term:
        self = str.__new__(cls, word)
        _set_rule(self, rule)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Term, (str(self), self.rule)


class Place(_Fixed):
    """A space in a sentence, `[column, row]` from 0 as in records; windows call it as players do."""

    __slots__ = ("column", "row")
    column: int
    row: int

    def __new__(cls, column: int, row: int) -> Place:
        self = str.__new__(cls, f"[{column}, {row}]")
        _set_column(self, column)
        _set_row(self, row)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (self.column, self.row)


class Text(_Fixed):
    """An English sentence with its template and fields; made by `text`, `ntext`, `Plural.text` and `joined`."""

    __slots__ = ("_given", "template")
    template: str  # the English sentence with `{fields}`; of one with a plural the form for one
    _given: tuple[Value, ...] | Mapping[str, Value]
    """What it was made of: in the order in which the template names its fields, or by name."""
    many = ""  # the template for many; empty where there is no plural
    number = 1  # which form it takes, where there is a plural

    @staticmethod
    def of(template: str, /, *values: Value, **fields: Value) -> Text:
        """The sentence of a template with these fields: in the order in which the template names them, or by name.

        Braces in fields are safe, in a template they are doubled. `text` is the same for short. Raises KeyError for a
        field that is not given, IndexError where there are too few values.
        """
        if values:
            self = _new(Text, _ordered(template)[0].format(*values))
            _set_given(self, values)
        else:
            self = _new(Text, template.format_map(fields))
            _set_given(self, fields)
        _set_template(self, template)
        return self

    @property
    def fields(self) -> Mapping[str, Value]:
        """What stands in its fields, by name."""
        given = self._given
        named = dict(zip(_ordered(self.template)[1], given, strict=True)) if isinstance(given, tuple) else given
        return MappingProxyType(named)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (str(self), self.template, dict(self.fields), self.many, self.number)


class _Counted(Text):
    """A sentence whose form hangs on a number."""

    __slots__ = ("many", "number")
    many: str
    number: int


_set_id: Callable[[Creature, str], None] = Creature.id.__set__  # type: ignore[attr-defined]
_set_rule: Callable[[Term, str], None] = Term.rule.__set__  # type: ignore[attr-defined]
_set_column: Callable[[Place, int], None] = Place.column.__set__  # type: ignore[attr-defined]
_set_row: Callable[[Place, int], None] = Place.row.__set__  # type: ignore[attr-defined]
_set_template: Callable[[Text, str], None] = Text.template.__set__  # type: ignore[attr-defined]
_set_given: Callable[[Text, Any], None] = vars(Text)["_given"].__set__
_set_many: Callable[[Text, str], None] = _Counted.many.__set__  # type: ignore[attr-defined]
_set_number: Callable[[Text, int], None] = _Counted.number.__set__  # type: ignore[attr-defined]
_new = str.__new__


text = Text.of


@lru_cache(maxsize=4096)
def _ordered(template: str) -> tuple[str, tuple[str, ...]]:
    """A template with numbers in place of the names of its fields, and the names in their order, each once."""
    parts, names = [], dict[str, None]()
    for words, name, form, conversion in Formatter().parse(template):
        parts.append(words.replace("{", "{{").replace("}", "}}"))
        if name is not None:
            names.setdefault(name)
            shown = (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            parts.append(f"{{{list(names).index(name)}{shown}}}")
    return "".join(parts), tuple(names)


def ntext(number: int, one: str, many: str, /, **fields: Value) -> Text:
    """A sentence whose form hangs on a number: `one` for 1 (in English), else `many`; `{n}` is the number itself.

    The number need not be told: it may also be the grammatical number of a name (`the bees strike`).
    """
    fields.setdefault("n", number)
    return _remade((one if number == 1 else many).format_map(fields), one, fields, many, number)


def _remade(english: str, template: str, fields: dict[str, Value], many: str, number: int) -> Text:
    self = _new(_Counted if many else Text, english)
    _set_template(self, template)
    _set_given(self, fields)
    if isinstance(self, _Counted):
        _set_many(self, many)
        _set_number(self, number)
    return self


class Plural(NamedTuple):
    """A template for one and for many, to stand in a table: `Plural("{name} strikes", "{name} strike")`."""

    one: str
    many: str

    def text(self, number: int, /, **fields: Value) -> Text:
        """The sentence in the form for a number."""
        return ntext(number, self.one, self.many, **fields)


def N(word: str) -> str:
    """The word itself: marks it in a table for the catalogue, where nothing else gives away that it is shown."""
    return word


def joined(separator: str, parts: Iterable[Value]) -> str:
    """Things said side by side, each still itself: `joined(", ", parts)`. A separator with words is looked up, too.

    Of nothing it is the plain empty string, which files leave out where that is the default.
    """
    every = tuple(parts)
    if not every:
        return ""
    template, worded = _row(separator, len(every))
    if worded:
        return text(template, separator=separator, **{f"part{n}": part for n, part in enumerate(every, 1)})
    return text(template, *every)


@lru_cache(maxsize=1024)
def _row(separator: str, count: int) -> tuple[str, bool]:
    """The template of so many parts, and whether its separator is a field, too, for it has words."""
    worded = any(c.isalpha() for c in separator)
    between = "{separator}" if worded else separator.replace("{", "{{").replace("}", "}}")
    return between.join(f"{{part{n}}}" for n in range(1, count + 1)), worded


def mapped(said: Text, change: Callable[[Value], Value]) -> Text:
    """The same sentence with other values in its fields, those of the texts within it, too."""
    fields = {name: change(mapped(v, change) if isinstance(v, Text) else v) for name, v in said.fields.items()}
    if said.many:
        return ntext(said.number, said.template, said.many, **fields)
    return Text.of(said.template, **fields)


def cleaned(said: str, clean: Callable[[str], str]) -> str:
    """With every string in it cleaned, the whole as well: a `Text` whose letters were clean stays what it is."""
    bare = clean(str(said))
    if bare == said:
        return said
    if not isinstance(said, Text):
        return bare
    fields = {name: cleaned(value, clean) if isinstance(value, str) else value for name, value in said.fields.items()}
    return _remade(bare, said.template, fields, said.many, said.number)


def noticed(what: str, *, success: bool) -> str:
    """Of a watcher's attempt against somebody who keeps out of sight (`what` says which) whether it notices them, in
    words for the log and the dice alike; empty for any other attempt."""
    if not isinstance(what, Text) or what.template not in _WATCHING:
        return ""
    name = what.fields["name"]
    return text("{name} is noticed", name) if success else text("{name} is not noticed", name)


_WATCHING = ("{what} against {name}", "Alertness against {name}")
"""What watchers' attempts are called, by ear or by eye."""


def parted(said: str, separator: str) -> list[str]:
    """What stands side by side in it, as `joined` puts it."""
    if not isinstance(said, Text) or said.many:
        return said.split(separator)
    return [part_of(said, template) for template in said.template.split(separator)]


def part_of(said: Text, template: str) -> str:
    """A sentence made of a part of another's template: of one field alone what stands in it."""
    alone = said.fields.get(template[1:-1]) if template.startswith("{") else None
    return alone if isinstance(alone, str) else Text.of(template, **said.fields)


def titled(said: str) -> str:
    """With a capital at its head, for the head of a line; a `Text` keeps its template and fields."""
    return _headed(said, str.upper)


def untitled(said: str) -> str:
    """With a small letter at its head, to go on after a colon."""
    return _headed(said, str.lower)


def _headed(said: str, recase: Callable[[str], str]) -> str:
    if not isinstance(said, Text):
        return _recased(said, recase)
    first = said.template.partition("}")[0]
    if not first.startswith("{") or first.startswith("{{"):
        fields, one, many = dict(said.fields), _recased(said.template, recase), _recased(said.many, recase)
    else:
        value = said.fields[first[1:]]
        fields = {**said.fields, first[1:]: _headed(value, recase) if isinstance(value, str) else value}
        one, many = said.template, said.many
    return _remade(recase(said[:1]) + said[1:], one, fields, many, said.number)


def _recased(word: str, recase: Callable[[str], str]) -> str:
    head = recase(word[:1]) + word[1:]
    if isinstance(word, Creature):
        return Creature(head, word.id)
    return Term(head, word.rule) if isinstance(word, Term) else head


def as_builtins(value: object) -> Any:
    """A struct, or whatever holds some, as plain dicts, lists, numbers and strings, as files and `--events` want it."""
    return msgspec.to_builtins(value, enc_hook=bare)


def bare(value: object) -> str:
    """For encoders that know plain strings only: a text as its English sentence."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written to a file")
