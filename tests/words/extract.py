"""Every text that a player may see, found by Babel with methods of our own: in the source by its syntax tree, in the
data by its fields, and in the rulebooks by their parts.

What stands in `text`, `ntext`, `Plural`, `joined`, `N` or an error counts, and any other literal that reads like words:
it has a space in it, begins with a capital, or stands where a widget takes words. A formatted string counts not: nobody
could find it again by its template.
"""

from __future__ import annotations

import ast
import json
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from game.content import reference as rulebook
from game.content.reference import Book, Listing, Sheet

ROOT = Path(__file__).resolve().parents[2]
POT = ROOT / "assets" / "words" / "battlemat.pot"
CODE = ("game", "rules")
DATA_FIELDS = ("name", "summary", "text", "label", "labels", "title", "description", "notes")
"""Fields of assets/*.toml whose values are shown."""
NO_WORDS = frozenset(("key", "style", "colour", "fill", "edge", "plate", "align", "mode", "pattern", "encoding", "end"))
"""Keyword arguments that are names for the program."""
NO_SINKS = frozenset(
    ("asset", "getattr", "setattr", "hasattr", "TypeVar", "compile", "Path", "rgb", "environ", "open", "assert_never")
    + ("fullmatch", "match", "sub", "split", "partition", "rpartition", "startswith", "endswith", "strftime")
    + ("focus_key", "replace", "isinstance", "_space", "warn", "rstrip", "lstrip", "strip")
)
"""Calls whose arguments nobody sees."""
SINKS = frozenset(
    ("Label", "Button", "Toggle", "Slider", "Tip", "Run", "toast", "complain", "Message", "Menu", "t")
    + ("BarFigure", "PipsFigure", "StatTile", "Entry", "Live", "render", "Pair", "Switch", "Bar", "Badge", "Line")
)
"""Calls whose positional literals are shown even if they are a single small word."""
MAKERS = ("text", "joined", "N")
"""Functions of rules/contract/text.py whose first argument is a template, a separator, a word."""
ERRORS = re.compile(r"(problem|fail|fault|MapProblem|OutsideProblem|\w+Error)")
"""The names of what takes a template and its values as `text` does: errors, and whatever makes one."""
PAIRS = {"ntext": 1, "Plural": 0}
"""Calls with the forms for one and for many, by the place of the first."""
PLAIN = (
    ("off", "slow", "normal", "fast", "quick", "steady", "Count-Up")
    + ("clear sight", "partial sight", "minimal sight", "no damage", "resists")
    + ("standing", "carried", "potion", "device", "scroll", "across", "falls", "fails", "holds", "takes hold")
    + ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west", "now", "unarmed")
    + ("defence", "attack", "missed", "shield struck", "fumble", "image")
    + ("unnoticed", "noticed", "bound", "in vain", "asleep", "far off", "by ear alone", "off its guard")
    + ("defense", "damage", "casting", "effect", "check", "cast", "rushed", "aimed", "all-out", "temporary")
    + ("turn", "round", "heroes", "monsters", "open", "closed", "locked", "secret", "brute", "coward", "cunning")
)
"""Small words that are shown although nothing in the source gives that away."""
Message = str | tuple[str, str]
"""A sentence or its template; of one with a plural the forms for one and for many."""
_LETTER = re.compile(r"[^\W\d_]")
_FIELD = re.compile(r"\{[A-Za-z_]\w*\}")
_NO_SENTENCE = re.compile(r"[._/\\=<>#:-]")
_TABLE = re.compile(r"^(TERMS|CONDITIONS)\b.*=", re.MULTILINE)
_TITLE = re.compile(r'<property name="title" value="([^"]*)"')
_NAME = re.compile(r"[A-Za-z_]\w*")


Found = Iterator[tuple[int, str | None, Message, list[str]]]
"""Line, function, message and comments, as Babel wants them from a method of extraction."""
PLURAL = "ntext"


class Gathered(NamedTuple):
    """What one look at all files finds."""

    words: dict[Message, str]
    bare: dict[str, list[int]]
    """By source: the lines on which a formatted string says something that should be a `Text`."""


_bare: dict[str, list[int]] = {}
"""The same while Babel goes through the sources, which takes a method's messages alone."""


def from_python(file: IO[bytes], keywords: object, tags: object, options: Mapping[str, Any]) -> Found:
    """The texts of a source."""
    found = list(_walk(ast.parse(file.read()), False))
    _bare[Path(file.name).relative_to(ROOT).as_posix()] = _lines(found)
    for message in found:
        if not isinstance(message, ast.JoinedStr):
            yield from _found(message)


def from_toml(file: IO[bytes], keywords: object, tags: object, options: Mapping[str, Any]) -> Found:
    """The fields of data that are shown."""
    for text in _data(tomllib.loads(file.read().decode())):
        yield from _found(text)


def from_rulebook(file: IO[bytes], keywords: object, tags: object, options: Mapping[str, Any]) -> Found:
    """What the window shows of a rulebook."""
    for text in _book(rulebook.read(Path(file.name))):
        yield from _found(text)


def from_map(file: IO[bytes], keywords: object, tags: object, options: Mapping[str, Any]) -> Found:
    """What a map is called."""
    for title in _TITLE.findall(file.read().decode()):
        yield from _found(unescape(title))


def _found(message: Message) -> Found:
    if message:
        yield 0, PLURAL if isinstance(message, tuple) else None, message, []


WHERE: tuple[tuple[str, list[tuple[str, Any]], dict[str, Any]], ...] = (
    *((top, [("contract/text.py", "ignore"), ("**.py", from_python)], {}) for top in CODE),
    ("assets", [("schema/**", "ignore"), ("themes/**", "ignore"), ("**.toml", from_toml)], {}),
    ("maps", [("*.tmx", from_map)], {}),
    ("docs/rules", [("*.md", from_rulebook)], {}),
)
"""Folders, which method reads which of their files, and its options."""


def _tables() -> Iterator[tuple[str, str]]:
    """Terms and names of conditions, which are shown as they are: the keys of the rulesets' tables."""
    for path in sorted((ROOT / "rules").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for table in _TABLE.findall(path.read_text(encoding="utf-8")):
            module = import_module(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
            yield from ((name, word) for word in getattr(module, table))


def words() -> dict[Message, str]:
    """Every text -> where it is found first."""
    return gathered().words


@cache
def gathered() -> Gathered:
    """What all files say; of the same files it is found once, for all processes of a run."""
    kept = ROOT / ".pytest_cache" / f"words-{_digest()}.json"
    if kept.is_file():
        texts, bare = json.loads(kept.read_text(encoding="utf-8"))
        return Gathered({text if isinstance(text, str) else (text[0], text[1]): at for text, at in texts}, bare)
    found = Gathered(_words(), dict(_bare))
    for top in CODE:  # those in which no texts are looked for
        for path in (ROOT / top).rglob("*.py"):
            if (name := path.relative_to(ROOT).as_posix()) not in found.bare:
                found.bare[name] = unspoken(ast.parse(path.read_bytes()))
    kept.parent.mkdir(exist_ok=True)
    for old in kept.parent.glob("words-*.json"):
        old.unlink(missing_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps([list(found.words.items()), found.bare]), encoding="utf-8")
    draft.replace(kept)
    return found


def _digest() -> str:
    """What every text is found in, as a short word."""
    found = blake2b(Path(__file__).read_bytes(), digest_size=12)
    for folder, methods, _ in WHERE:
        endings = {Path(pattern).suffix for pattern, _ in methods}
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in endings:
                found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _words() -> dict[Message, str]:
    """The texts of all files, by Babel."""
    found: dict[str, tuple[Message, str]] = {}
    for folder, methods, options in WHERE:
        keywords = {PLURAL: (1, 2)}
        for name, _, message, _, _ in extract_from_dir(ROOT / folder, methods, options, keywords):
            _keep(found, message, f"{folder}/{name}")
    for name, word in _tables():
        _keep(found, word, name)
    for word in PLAIN:
        _keep(found, word, "tests/words/extract.py")
    return dict(found.values())


def _keep(found: dict[str, tuple[Message, str]], message: Message | Collection[str], where: str) -> None:
    """Take what has words, once for each shape; a plural goes before the same sentence without one."""
    one, *many = (message,) if isinstance(message, str) else message
    one = one.strip()
    shape = _FIELD.sub("{}", one)
    letters = len(_LETTER.findall(_FIELD.sub("", one)))
    if letters < 2 and not (shape.count("{}") >= 3 and shape.endswith(".")):
        return
    if shape not in found or (many and isinstance(found[shape][0], str)):
        found[shape] = ((one, many[0].strip()) if many else one), where


def _book(book: Book) -> Iterator[str]:
    """What the window shows of a rulebook; what it takes from the content is found there."""
    for part in book.parts:
        yield from (part.chapter, part.title)
        for block in part.blocks:
            if isinstance(block, str):
                yield block
            elif isinstance(block, Listing):
                yield from block.items
            elif isinstance(block, Sheet):
                yield from (*block.head, *(cell for row in block.rows for cell in row))
            else:
                yield from (heading for _, heading in block.columns)


def _data(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str):
                if name in DATA_FIELDS:
                    yield inner
            elif name in DATA_FIELDS and isinstance(inner, list):
                yield from (each for each in inner if isinstance(each, str))
            else:
                yield from _data(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _data(inner)


def texts_of(tree: ast.AST) -> Iterator[Message]:
    """The texts of one source. What a formatted string says cannot be found again: it is none (see `unspoken`)."""
    yield from (found for found in _walk(tree, False) if not isinstance(found, ast.JoinedStr))


def unspoken(tree: ast.AST) -> list[int]:
    """The lines of a source on which a formatted string says something that should be a `Text`."""
    return _lines(_walk(tree, False))


def _lines(found: Iterable[Message | ast.JoinedStr]) -> list[int]:
    return [node.lineno for node in found if isinstance(node, ast.JoinedStr) and says_something(node)]


def _walk(node: ast.AST, sink: bool) -> Iterator[Message | ast.JoinedStr]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and (sink or reads_like_words(node.value)):
            yield node.value
        return
    if isinstance(node, ast.JoinedStr):
        yield node
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _walk(part.value, True)
        return
    if isinstance(node, ast.Call):
        yield from _call(node)
        return
    if isinstance(node, ast.Compare | ast.Subscript | ast.AnnAssign | ast.arg):
        inner = node.value if isinstance(node, ast.AnnAssign | ast.Subscript) else None
        if inner is not None:
            yield from _walk(inner, sink)
        return
    body = getattr(node, "body", None)
    skip = body[0] if isinstance(body, list) and body and _is_prose(body[0]) else None
    for child in ast.iter_child_nodes(node):
        if child is not skip and not _is_prose(child):
            deeper = sink and isinstance(node, ast.IfExp | ast.BoolOp | ast.Tuple | ast.List | ast.BinOp)
            yield from _walk(child, deeper)


def _is_prose(node: ast.AST) -> bool:
    """A docstring, of whatever stands before it."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _call(node: ast.Call) -> Iterator[Message | ast.JoinedStr]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    yield from _walk(node.func, False)
    if name in NO_SINKS:
        return
    makes = name in PAIRS or (name in MAKERS and isinstance(node.func, ast.Name)) or _is_text_of(node.func)
    makes = makes or ERRORS.fullmatch(name) is not None
    sink = makes or name in SINKS
    pair = PAIRS.get(name)
    both = node.args[pair : pair + 2] if pair is not None else []
    forms = [part.value for part in both if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(forms) == 2:
        yield forms[0], forms[1]
    for number, argument in enumerate(node.args):
        if len(forms) < 2 or argument not in both:
            yield from _walk(argument, sink and (makes or number == 0))
    for keyword in node.keywords:
        if makes or keyword.arg not in NO_WORDS:
            yield from _walk(keyword.value, makes or (sink and keyword.arg in ("cost", "text", "title", "label")))


def _is_text_of(called: ast.expr) -> bool:
    """Whether it is `Text.of`."""
    owner = called.value if isinstance(called, ast.Attribute) and called.attr == "of" else None
    return isinstance(owner, ast.Name) and owner.id == "Text"


def reads_like_words(text: str) -> bool:
    """Whether a literal looks like something to be read, not like a name."""
    inner = text.strip()
    if not _LETTER.search(inner) or "%Y" in inner or "\\" in inner or inner.startswith(("#", "http", "--", "<", "^")):
        return False
    if "§" in inner or ".md" in inner or inner.startswith(("/", ".", "[")):
        return False
    if " " in inner:
        return True
    return inner[0].isupper() and inner[1:].islower() and len(inner) > 2


def says_something(node: ast.JoinedStr) -> bool:
    """Whether words stand in a formatted string, or things side by side, not a file's line, a key or a figure."""
    fixed = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    if "\n" in fixed or "%%" in fixed or "<<" in fixed:
        return False
    letters = len(_LETTER.findall(fixed))
    return letters >= 2 and (" " in fixed or not _NO_SENTENCE.search(fixed))


def template(node: ast.JoinedStr) -> str:
    """A formatted string with its fields named after what stands in them."""
    out, taken = "", set()
    for part in node.values:
        if isinstance(part, ast.Constant):
            out += str(part.value)
            continue
        assert isinstance(part, ast.FormattedValue)
        names = [name for name in _NAME.findall(ast.unparse(part.value)) if not name.startswith("_")]
        own = name = names[-1].lower() if names and isinstance(part.value, ast.Name | ast.Attribute) else "what"
        count = 2
        while name in taken:
            name, count = f"{own}{count}", count + 1
        taken.add(name)
        out += f"{{{name}}}"
    return out


HEAD = """# Every text of Battlemat. Copy this file to <language>.po, name the language in the header, and fill in
# the msgstr; fields in braces may stand in any order. `make words` writes this file; docs/translating.md says more.
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nX-Language-Name: English\\n"

"""


def pot() -> str:
    """The catalogue's template as it should be now."""
    catalog = Catalog(fuzzy=False)
    for message, where in words().items():
        places: list[Any] = [(where, None)]
        catalog.add(message, locations=places)
    out = BytesIO()
    write_po(out, catalog, width=0, omit_header=True, include_lineno=False)
    return HEAD.replace("\\\\n", "\\n") + out.getvalue().decode()
