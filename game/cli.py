"""The command line: play, replay a record, foresee a fight, check a map."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from game import __version__, paths
from game.app import languages
from game.app.i18n import t
from game.maps.words import one_line
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, text

FAULT = 2
"""Exit status for a user's mistake."""
FAILED = 70
"""Exit status where the program itself failed; a report was written."""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with an argument in one line."""

    def error(self, message: str) -> NoReturn:
        print(text("{prog}: {message}; see {prog2} --help", self.prog, message, self.prog.split()[0]), file=sys.stderr)
        raise SystemExit(FAULT)


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    whole = cross and width.isdigit() and height.isdigit()
    if not whole or not (320 <= int(width) <= 7680 and 200 <= int(height) <= 4320):
        raise argparse.ArgumentTypeError(Text.of("{text} is no window size such as 1280x720", text=repr(text)))
    return int(width), int(height)


def _parser(asked: str = "") -> argparse.ArgumentParser:
    """`asked`: the command that is given, if it is known already: the others need not say then what they take."""
    parser = OneLineParser(prog="battlemat", description="A tactical grid simulator: miniatures, maps, real rules.")
    whole = "try every part of this installation once, without a window, and say what works (exit 0 all, 70 not)"
    parser.add_argument("--selftest", action="store_true", help=whole)
    parser.add_argument("--version", action="version", version=text("battlemat {version}", __version__))
    _window_arguments(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=OneLineParser)
    played = "play a record many times between computers and say what comes of it"
    add = commands.add_parser
    filled = (
        (add("play", help="open the window, on a record if one is given"), _play_arguments),
        (add("replay", help="tell the story of a record, or print its events or last state"), _replay_arguments),
        (add("chronicle", help="write the evening of a record as a tale"), _chronicle_arguments),
        (add("simulate", help=played), _simulate_arguments),
        (add("hero", help="judge a hero's file (exit 0 legal, 2 not), and print its sheet"), _hero_arguments),
        (add("import", help="make a map of another program's file (docs/importing.md)"), _import_arguments),
        (add("propose", help="what would be walls of any map (docs/any-map.md)"), _propose_arguments),
        (add("packs", help="content of others: list, add, switch, check, share (docs/packs.md)"), _packs_arguments),
        (add("print", help="an encounter or a map on paper: maps to scale, sheets, cards (PDF)"), _print_arguments),
        (add("export", help="a map for other programs: Universal VTT 0.3, or a picture"), _export_arguments),
        (add("check", help="say what is wrong with a map and those it leads to (exit 0 fit, 2 not)"), _check_arguments),
    )
    for command, fill in filled:
        if not asked or command.prog.endswith(f" {asked}"):
            fill(command)
    return parser


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", nargs="?", type=Path)
    _window_arguments(parser)


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--events", action="store_true", help="one JSON object per event and line")
    what.add_argument("--state", action="store_true", help="the final state as one JSON object")


def _chronicle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--markdown", action="store_true", help="Markdown, with its pictures beside OUT (if nothing is said)"
    )
    how.add_argument("--html", action="store_true", help="one HTML file with its pictures in it")
    parser.add_argument("--out", type=Path, metavar="OUT", help="the file to write; left out: printed")
    parser.add_argument("--side", metavar="SIDE", help="as this side knew it (in fog: the players')")


def _hero_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--sheet", type=Path, metavar="OUT", help="write the character sheet, .png or .pdf")


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, metavar="MAP", help="the .tmx to write (FILE's name, here)")
    parser.add_argument("--json", action="store_true", help="say what is in it as one JSON object; write only --out")


def _propose_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("map", type=Path)
    parser.add_argument("--out", type=Path, metavar="MAP", help="the copy to write, with them as its walls")
    parser.add_argument("--json", action="store_true", help="say what was found as one JSON object")
    parser.add_argument("--only", action="append", metavar="REASON", help="take this reason (as --json names it) alone")


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("map", type=Path, nargs="+")
    within = "where the map and all files it uses must lie (its own folder)"
    parser.add_argument("--root", type=Path, metavar="FOLDER", help=within)
    parser.add_argument("--editor", action="store_true", help="a map that opens in the editor is good enough (exit 0)")


def _packs_arguments(parser: argparse.ArgumentParser) -> None:
    deeds = ("list", "add", "remove", "on", "off", "check", "make")
    parser.add_argument("deed", choices=deeds, nargs="?", default="list")
    parser.add_argument("what", nargs="?", metavar="FILE|ID", help="a folder or zip (add, check, make), or a pack's id")
    parser.add_argument("--out", type=Path, metavar="ZIP", help="the zip to write (make)")


def _window_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="size of the window")
    parser.add_argument("--fullscreen", action="store_true")
    parser.add_argument("--scene", help="open this scene first")
    parser.add_argument("--frame", type=Path, metavar="PNG", help="draw the first frame into a file and leave")


def _simulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, help="an encounter, or a fight to go on from where it stands")
    parser.add_argument("--runs", type=int, metavar="N", help="fights to play (of a chain 400; see --within)")
    enough = "play until the chance to win is known to so many points (5), in place of --runs"
    parser.add_argument("--within", type=float, metavar="POINTS", help=enough)
    parser.add_argument("--seed", type=int, metavar="S", help="of the dice (the record's own)")
    parser.add_argument("--jobs", type=int, metavar="J", help="processes at work (one per processor)")
    machines = "play on a Dask cluster: its scheduler's address (docs/forecast.md); in place of --jobs"
    parser.add_argument("--cluster", metavar="ADDRESS", help=machines)
    parser.add_argument("--turns", type=int, metavar="T", help="turns after which a fight is undecided (60)")
    parser.add_argument("--from-start", action="store_true", help="leave the record's commands aside")
    compared = "compare with a change such as more:goblin; may be repeated; all of them, or list them"
    parser.add_argument("--what-if", action="append", metavar="CHANGE", help=compared)
    under = "play the encounter under another ruleset, from its start (docs/rulesets.md)"
    parser.add_argument("--ruleset", action="append", metavar="ID", help=under)
    parser.add_argument(
        "--compare",
        action="store_true",
        help="forecasts under all rulesets side by side, or under the record's own and those that --ruleset names",
    )
    parser.add_argument(
        "--match",
        action="store_true",
        help="to other rulesets bring as many foes as make it as hard there by trial, not by their weights alone",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object (docs/forecast.md)")
    kept = "write one run (from 0) as a record instead, to replay it"
    parser.add_argument("--keep", nargs=2, metavar=("RUN", "FILE"), help=kept)


def _print_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="an encounter, a fight (its start is printed) or a map")
    parser.add_argument("--out", type=Path, metavar="PDF", help="the file to write (FILE's name with .pdf, here)")
    parts = "with commas between: map, secrets, key, sheet, cards, heroes (all there are)"
    parser.add_argument("--parts", default="", metavar="NAMES", help=parts)
    parser.add_argument("--paper", default="A4", metavar="SIZE", help="A4 or Letter (A4)")
    parser.add_argument("--space", type=float, default=25.4, metavar="MM", help="width of a space (25.4)")
    parser.add_argument("--no-grid", action="store_true", help="maps to scale without the lines between spaces")
    parser.add_argument("--rules", default="olde", metavar="ID", help="of a map's own creatures: olde, cairn, countup")
    parser.add_argument("--forecast", type=int, default=0, metavar="N", help="fights to play for the sheet (none)")


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("map", type=Path, help="a map, or an encounter whose ground is meant; each level is a file")
    parser.add_argument("--to", metavar="FORMAT", help="uvtt or png (what --out ends with, else uvtt)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (the map's name, here)")
    lines = "the picture with the lines between the spaces, or without (a png with, uvtt without)"
    parser.add_argument("--grid", action=argparse.BooleanOptionalAction, default=None, help=lines)
    parser.add_argument("--secrets", action="store_true", help="secret doors as doors, and what is hidden")
    parser.add_argument("--pixels", type=int, metavar="N", help="of a space, 16 to 160 (100, fewer on large maps)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status (0 fine, 2 a user's mistake)."""
    given = sys.argv[1:] if arguments is None else arguments
    first = given[0] if given and not given[0].startswith("-") else ""
    options = _parser(first).parse_args(given)
    _speak()
    try:
        if options.command == "replay":
            from game.fight.storyline import run as replay  # start-up time, here and below: each loads its own part

            return replay(options.file, _print, events=options.events, state=options.state)
        if options.command == "chronicle":
            from game.chronicle.paper import run as chronicle

            return chronicle(options.file, _print, as_page=options.html, out=options.out, side=options.side)
        if options.command == "check":
            return _check(options.map, options.editor, options.root)
        if options.command == "hero":
            from game.characters.paper import run as judge

            return judge(options.file, options.sheet, _print)
        if options.command == "import":
            from game.importing.command import run as import_map

            return import_map(options.file, options.out, options.json, _print)
        if options.command == "packs":
            from game.content.packs.command import run as packs

            return packs(options, _print)
        if options.command == "propose":
            from game.maps.proposing.command import run as propose

            return propose(options, _print)
        if options.command == "print":
            from game.paper.command import run as print_paper

            return print_paper(options, _print)
        if options.command == "export":
            from game.exporting.command import run as export

            return export(options, _print)
        if options.command == "simulate":
            from game.forecast.command import run as forecast

            return forecast(options, _print)
        if options.selftest:
            from game.app.selftest import run as selftest

            return selftest(_print)
        from game.app.loop import run

        return run(
            size=options.size, frame=options.frame, scene=options.scene, record=getattr(options, "record", None),
            fullscreen=options.fullscreen,
        )  # fmt: skip
    except BattlematError as error:
        print(f"battlemat: {t(said(error))}", file=sys.stderr)
        return FAULT
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from game.storage import recovery  # start-up time: seldom needed

        line = said(error) if isinstance(error, recovery.Failed) else recovery.told(error)
        print(f"battlemat: {t(line)}", file=sys.stderr)
        return FAILED


def _speak() -> None:
    """Say what is said in the language of the player's settings; where these are broken, in English."""
    if paths.user_path("settings.json").is_file():
        from game.app.settings import load_settings  # start-up time: --version has no need of it

        with contextlib.suppress(BattlematError):
            languages.use(load_settings().language)


def _check(maps: list[Path], editor: bool = False, root: Path | None = None) -> int:
    """Say of each map whether it is fit to play, opens in the editor only, or cannot be read, and why."""
    from game.content.tables import hoards  # start-up time
    from game.maps.place import check_place  # start-up time

    if root is not None and not root.is_dir():
        raise BattlematError("--root: {root} is no folder; name one that holds the map and all it uses", str(root))
    worst = 0
    for path in maps:
        report = check_place(path, root=root, hoards=hoards)
        name = one_line(path.name)
        reasons = [problem.removeprefix(name).lstrip(":, ") for problem in report.problems]
        enough = report.fit or (editor and report.readable)
        worst = worst if enough else FAULT
        if report.fit:
            said = [text("{path}: fit to play", str(path))]
        elif report.readable:
            said = [text("{path}: opens in the editor, lacks {lacks}", str(path), report.lacks)]
            said += [text("{path}: {reason}", str(path), reason) for reason in reasons]
        else:
            said = [text("{path}: cannot be read: {reason}", str(path), reason) for reason in reasons]
        _print([t(text("{path}: note: {note}", str(path), note)) for note in report.notes])
        _print([t(line) for line in said], sys.stdout if enough else sys.stderr)
    return worst


def _print(lines: list[str], stream: TextIO | None = None) -> None:
    """Print, whatever the terminal's encoding can show; nothing out of a file steers the terminal."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    for line in lines:
        line = one_line(line, None)
        stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()
