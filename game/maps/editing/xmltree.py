"""XML that is written as it was read, letter by letter, but for what was changed.

Every element keeps its tags as they stand in the file, and all that lies between its children: white space, comments,
the order and the quotes of attributes. So a file that is read and written is the same file.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html import unescape
from typing import TypeAlias

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    r"|<(?P<close>/?)(?P<tag>[^\s/>]+)(?:[^\"'>]+|\"[^\"]*\"|'[^']*')*>|[^<]+",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=<>/]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

Piece: TypeAlias = "Node | str"
"""What lies in an element: another, or text, comments and the like as they stand in the file."""


def escaped(text: str) -> str:
    """A text as it stands between double quotes."""
    for letter, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\t", "&#9;"),
                           ("\n", "&#10;"), ("\r", "&#13;")):  # fmt: skip
        text = text.replace(letter, entity)
    return text


def tagged(tag: str, inside: str | None = None, /, **attributes: object) -> str:
    """An element's text: attributes in this order, None and empty ones left out; closed at once without `inside`."""
    said = "".join(f' {key.rstrip("_")}="{escaped(str(value))}"' for key, value in attributes.items()
                   if value is not None and value != "")  # fmt: skip
    return f"<{tag}{said}/>" if inside is None else f"<{tag}{said}>{inside}</{tag}>"


class Node:
    """An element; `head` and `tail` are its tags as they are written, `tail` empty for one that is closed at once."""

    __slots__ = ("block", "head", "inside", "tag", "tail")

    def __init__(self, tag: str, head: str, inside: list[Piece] | None = None, tail: str = "") -> None:
        self.tag, self.head, self.tail = tag, head, tail
        self.inside: list[Piece] = inside if inside is not None else []
        self.block: object = None
        """The tiles that a layer's data hold, once they were asked for (game.maps.editing.layers)."""

    @property
    def attributes(self) -> dict[str, str]:
        """Its attributes as they are meant."""
        return {name: unescape(value[1:-1]) for name, value in _ATTRIBUTE.findall(self.head[len(self.tag) + 1 :])}

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def children(self, *tags: str) -> Iterator[Node]:
        """The elements in it, of these names if any are given."""
        return (each for each in self.inside if isinstance(each, Node) and (not tags or each.tag in tags))

    def find(self, tag: str) -> Node | None:
        """The first element of a name in it."""
        return next(self.children(tag), None)

    @property
    def text(self) -> str:
        """The text in it, as it is meant."""
        return "".join(_meant(each) for each in self.inside if isinstance(each, str))

    def walk(self) -> Iterator[Node]:
        """It and everything below."""
        yield self
        for each in self.children():
            yield from each.walk()

    def headed(self, **attributes: str | None) -> str:
        """Its head with other attributes; None takes one out. The rest stays as it is written."""
        head = self.head
        for name, value in attributes.items():
            found = re.compile(rf"(\s){re.escape(name)}\s*=\s*(\"[^\"]*\"|'[^']*')").search(head)
            said = "" if value is None else f'{name}="{escaped(value)}"'
            if found is not None:
                head = head[: found.start()] + (found[1] + said if said else "") + head[found.end() :]
            elif said:
                end = len(head) - (2 if head.endswith("/>") else 1)
                head = f"{head[:end].rstrip()} {said}{head[end:]}"
        return head


def _meant(raw: str) -> str:
    if raw.startswith("<![CDATA["):
        return raw[9:-3]
    return "" if raw.startswith("<") else unescape(raw)


class Tree:
    """A whole file: what stands before its root, the root, what stands behind it; and how its letters are stored."""

    def __init__(self, before: str, root: Node, behind: str, encoding: str = "utf-8") -> None:
        self.before, self.root, self.behind, self.encoding = before, root, behind, encoding

    @classmethod
    def read(cls, data: bytes) -> Tree:
        """A file that was found well-formed and without a DTD (game.maps.folder)."""
        encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
        if not encoding:
            said = _ENCODING.match(data)
            encoding = said[1].decode() if said is not None else "utf-8"
        text = data.decode(encoding)
        nodes, outside = parsed(text)
        return cls(outside[0], nodes[0], outside[1], encoding)

    def data(self) -> bytes:
        """The file as it is to be written."""
        return "".join((self.before, *written(self.root), self.behind)).encode(self.encoding)


def parsed(text: str) -> tuple[list[Node], tuple[str, str]]:
    """The elements that a well-formed text holds, and what stands before and behind them."""
    top = Node("", "")
    open_, outside, found = [top], ["", ""], list[Node]()
    for token in _TOKEN.finditer(text):
        raw, tag = token[0], token["tag"]
        if tag is None:
            if len(open_) == 1:
                outside[bool(found)] += raw
            else:
                open_[-1].inside.append(raw)
        elif token["close"]:
            open_.pop().tail = raw
        else:
            node = Node(tag, raw)
            (found if len(open_) == 1 else open_[-1].inside).append(node)
            if not raw.endswith("/>"):
                open_.append(node)
    return found, (outside[0], outside[1])


def element(text: str) -> Node:
    """One element out of its text."""
    return parsed(text)[0][0]


def written(node: Node) -> Iterator[str]:
    """The parts of an element's text."""
    yield node.head
    for each in node.inside:
        if isinstance(each, str):
            yield each
        else:
            yield from written(each)
    yield node.tail


def told(node: Node) -> str:
    """An element's text."""
    return "".join(written(node))
