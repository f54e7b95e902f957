"""A tale on paper: as Markdown, or as one HTML file with its pictures in it."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Sequence
from pathlib import Path

from game import paths
from game.app.i18n import t
from game.chronicle.tale import Plate, Tale, written
from game.fight.match import load_fight
from game.fight.viewing import View, each_side, views_of_file
from game.storage import campaigns
from game.storage.files import write_whole
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text

Picture = Callable[[Tale, Plate], bytes]
"""Draws the board at a moment: a PNG."""


def markdown(tale: Tale, pictures: Sequence[str] = ()) -> str:
    """The tale as Markdown; `pictures` are the files of its plates, in their order."""
    lines, files = [f"# {_plain(tale.title)}", ""], list(pictures)
    for said in tale.story:
        lines += [f"*{_plain(said)}*", ""]
    for chapter in tale.chapters:
        lines += [f"## {_plain(chapter.heading)}", ""]
        for paragraph, plates in chapter.pages():
            lines += [_plain(prose(paragraph)), ""]
            for plate in plates:
                if files:
                    lines += ["!" + f"[{_plain(t(plate.caption))}]({files.pop(0)})", ""]
    lines += ["* * *", ""]
    for paragraph in tale.ending:
        lines += [_plain(prose(paragraph)), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_html(tale: Tale, draw: Picture | None = None) -> str:
    """The tale as one HTML file; `draw` makes its pictures, without it there are none."""
    return page_of([tale], draw)


def page_of(tales: Sequence[Tale], draw: Picture | None = None) -> str:
    """The same of several evenings, one after the other."""
    title, style = html.escape(t(tales[0].title)), paths.asset("chronicle.css").read_text(encoding="utf-8")
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{title}</title>",
             f"<style>\n{style}</style>", "</head>", "<body><main>"]  # fmt: skip
    for tale in tales:
        parts += _body(tale, draw)
    return "\n".join([*parts, "</main></body>", "</html>", ""])


def _body(tale: Tale, draw: Picture | None) -> list[str]:
    parts = [f"<h1>{html.escape(t(tale.title))}</h1>"]
    parts += [f'<p class="story">{html.escape(t(said))}</p>' for said in tale.story]
    for chapter in tale.chapters:
        parts.append(f"<h2>{html.escape(t(chapter.heading))}</h2>")
        for paragraph, plates in chapter.pages():
            parts.append(f"<p>{html.escape(prose(paragraph))}</p>")
            if draw is not None:
                parts += [_figure(draw(tale, plate), t(plate.caption), small=plate.small) for plate in plates]
    parts.append("<hr>")
    return [*parts, *(f"<p>{html.escape(prose(paragraph))}</p>" for paragraph in tale.ending)]


def _figure(png: bytes, caption: str, *, small: bool) -> str:
    source, said = base64.b64encode(png).decode("ascii"), html.escape(caption)
    under = f"<figcaption>{said}</figcaption>" if said else ""
    kind = ' class="small"' if small else ""
    return f'<figure{kind}><img alt="{said}" src="data:image/png;base64,{source}">{under}</figure>'


def prose(sentences: Sequence[str]) -> str:
    """Sentences side by side, in the player's language."""
    return " ".join(t(sentence) for sentence in sentences)


def _plain(words: str) -> str:
    """Words of a file in which no sign of Markdown means anything."""
    said = t(words)
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|" else c for c in said)


def run(file: Path, say: Callable[[list[str]], None], *, as_page: bool, out: Path | None, side: str | None) -> int:
    """Write the chronicle of a record, or of all evenings of a campaign, or print it. Raises BattlematError in one
    line."""
    whole = file.is_dir() or file.name == campaigns.INDEX
    files = list(campaigns.read(file).evenings.values()) if whole else [file]
    tales = [_told(each, side) for each in files]
    if as_page:
        from game.chronicle.pictures import png  # start-up time: only pictures need the window's part

        return _done(page_of(tales, png), out, say)
    if out is None:
        return _done("\n".join(map(markdown, tales)), out, say)
    for number, tale in enumerate(tales, 1):
        where = out if number == 1 else out.with_name(f"{out.stem}-evening-{number}{out.suffix}")
        write_markdown(tale, where)
        say([t(text("{out}: written", str(where)))])
    return 0


def _told(file: Path, side: str | None) -> Tale:
    match = load_fight(file)
    views: list[View] = views_of_file(match)
    sides = views[0].sides
    if side is not None:
        known = {view.sides[0]: view for view in each_side(match) if view.sides}
        if side not in known:
            raise BattlematError("--side: nobody here is of {side}; there are {known}", repr(side), joined(", ", known))
        sides = known[side].sides
    return written(match, sides)


def write_markdown(tale: Tale, out: Path) -> None:
    """Write the tale as Markdown, with its pictures beside it. Raises BattlematError if the disk refuses."""
    from game.chronicle.pictures import png

    names: list[str] = []
    for plate in tale.plates:
        names.append(f"{out.stem}-{len(names) + 1}.png")
        _write(out.with_name(names[-1]), png(tale, plate))
    write_whole(out, markdown(tale, names))


def _done(page: str, out: Path | None, say: Callable[[list[str]], None]) -> int:
    if out is None:
        say(page.rstrip("\n").split("\n"))
    else:
        write_whole(out, page)
        say([t(text("{out}: written", str(out)))])
    return 0


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise BattlematError("{path}: cannot be written: {what}", str(path), str(error.strerror or error)) from None
