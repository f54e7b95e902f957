"""The app's door: pictures without a screen, settings, keys, and the real window where there is a display."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings, load_settings, save_settings, settings_path
from game.app.window import wake
from game.controllers.human import Stroke, load_keys, stroke
from game.scenes.base import Scene
from rules.contract.errors import BattlematError

ROOT = Path(__file__).resolve().parents[2]


def game(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    environment = {**os.environ, **more, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", f"import sys; from game.app.loop import run; from pathlib import Path; {words[0]}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("scene", ["title", "choose", "fight", "settings", "help", "load", "summary"])
def test_every_scene_draws_a_frame_without_a_screen(scene: str, tmp_path: Path) -> None:
    picture = tmp_path / "frame.png"
    done = game(f"sys.exit(run(frame=Path({str(picture)!r}), scene={scene!r}, size=(1280, 720)))")
    assert done.returncode == 0, done.stderr
    image = pygame.image.load(str(picture))
    assert image.get_size() == (1280, 720)
    colours = {tuple(image.get_at((x, y))) for x in range(0, 1280, 40) for y in range(0, 720, 40)}
    assert len(colours) > 12


def test_a_scene_nobody_knows_is_refused_with_those_there_are() -> None:
    from game.app.start import open_scene

    app = App((640, 480), settings=Settings())
    with pytest.raises(BattlematError, match="title, choose"):
        open_scene(app, "cellar", None)


def test_a_broken_settings_file_is_told_and_defaults_are_used() -> None:
    settings_path().write_text("{", encoding="utf-8")
    try:
        with pytest.raises(BattlematError, match=r"settings\.json"):
            load_settings()
        app = App((640, 480))
        assert app.settings == Settings()
    finally:
        settings_path().unlink()


def test_settings_come_back_as_they_were_saved() -> None:
    save_settings(Settings(scale=130, speed=0, keys={"end": ["Ctrl+E"]}))
    try:
        assert load_settings() == Settings(scale=130, speed=0, keys={"end": ["Ctrl+E"]})
    finally:
        settings_path().unlink()


@pytest.mark.parametrize("where", ["fight", "setup"])
def test_no_two_commands_of_a_scene_share_a_key(where: str) -> None:
    groups = ("general", "camera", "step", where)
    strokes = [s for command in load_keys().commands if command.group in groups for s in command.strokes]
    assert len(strokes) == len(set(strokes))


def test_keys_can_be_rebound_and_a_wrong_one_is_refused_by_name() -> None:
    keys = load_keys({"end": ["Ctrl+E"]})
    assert keys.find(pygame.K_e, pygame.KMOD_LCTRL) == "end"
    assert keys.find(pygame.K_RETURN, pygame.KMOD_LCTRL) == ""
    with pytest.raises(BattlematError, match="Hyper"):
        load_keys({"end": ["Hyper+E"]})


def test_a_stroke_wants_its_modifiers_and_no_others() -> None:
    assert stroke("Ctrl+Enter") == Stroke(pygame.K_RETURN, pygame.KMOD_CTRL)
    assert not stroke("Enter").matches(pygame.K_RETURN, pygame.KMOD_RCTRL)
    assert stroke("Ctrl+Enter").matches(pygame.K_KP_ENTER, pygame.KMOD_RCTRL)
    assert stroke("backspace") == Stroke(pygame.K_BACKSPACE), "as rulesets may write the keys of their offers"
    assert stroke("+") == Stroke(ord("+"))


def test_an_idle_title_asks_for_no_time() -> None:

    app = App((640, 480), settings=Settings())
    app.navigator.title()
    assert app.top.pace() is None


def test_without_any_screen_one_line_says_so_and_nothing_runs_on_unseen(tmp_path: Path) -> None:
    """Over ssh, say: SDL would fall back to drawing into memory, and its libraries print lines of their own."""
    unseen = {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}
    environment = {k: v for k, v in os.environ.items() if k not in unseen} | {"BATTLEMAT_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "game"], env=environment, cwd=ROOT, timeout=60, capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("battlemat: window: no screen to open it on (neither DISPLAY")


@pytest.mark.parametrize("stirred", [0.0, float("inf")], ids=["dozing", "awake"])
def test_the_loop_hears_what_comes_while_it_waits_and_wakes_when_its_pace_is_over(stirred: float) -> None:
    app = App((640, 360), settings=Settings())
    pygame.event.clear()
    app._stirred = stirred
    assert app._wait(0.01) == []
    app._stirred = stirred
    called: list[int] = []
    threading.Timer(0.05, wake, (lambda: called.append(1),)).start()
    event = next(event for _ in range(100) for event in app._wait(0.2))
    app.handle(event)
    assert called == [1]


def test_what_libraries_print_while_they_start_reaches_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    from game.app.window import hushed

    with hushed():
        os.write(2, b"XDG_RUNTIME_DIR is invalid")
    os.write(2, b"ours")
    assert capfd.readouterr().err == "ours"


@pytest.mark.e2e
@pytest.mark.skipif(not all(map(shutil.which, ("Xvfb", "xdotool"))), reason="needs Xvfb and xdotool")
def test_the_real_window_opens_a_fight_by_keys_and_closes(tmp_path: Path) -> None:
    read, write = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"], pass_fds=(write,),
                              stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        display = ":" + os.read(read, 16).decode().strip()
        environment = {k: v for k, v in os.environ.items() if k != "SDL_VIDEODRIVER"}
        environment |= {"DISPLAY": display, "SDL_FRAMEBUFFER_ACCELERATION": "0", "BATTLEMAT_HOME": str(tmp_path)}
        window = subprocess.Popen([sys.executable, "-m", "game"], env=environment, cwd=ROOT, stderr=subprocess.PIPE)

        def hand(*words: str) -> None:
            subprocess.run(["xdotool", *words], env=environment, check=True, timeout=30, capture_output=True)

        hand("search", "--sync", "--onlyvisible", "--pid", str(window.pid))
        time.sleep(1)
        hand("mousemove", "5", "5")
        for keys in (["Tab"], ["Return"], ["F5"]):
            hand("key", *keys)
            time.sleep(1.5)
        deadline = time.monotonic() + 20
        saved = tmp_path / "fights" / "quick.json"
        while not saved.exists() and time.monotonic() < deadline:
            hand("key", "F5")
            time.sleep(0.5)
        assert saved.exists()
        for key in ("Escape", "Up", "Return"):  # the menu, its last entry: Quit
            hand("key", key)
            time.sleep(0.7)
        assert window.wait(20) == 0
        assert window.stderr is not None and b"Traceback" not in window.stderr.read()
    finally:
        for process in (locals().get("window"), screen):
            if process is not None and process.poll() is None:
                process.kill()


def test_the_menu_of_a_fight_loads_no_other_scene() -> None:
    """What is pressed while a screen takes long to come is dropped: the menu's Up was, when it loaded what prints."""
    program = (
        "import sys, pygame; from tests.game.player import Player, fight_of; from game.app.loop import App;"
        "from game.app.settings import Settings; player = Player(App((1280, 720), settings=Settings(speed=0)));"
        "fight_of(player); before = set(sys.modules); player.key(pygame.K_ESCAPE);"
        "assert player.app.top.name == 'menu';"
        "print([name for name in sys.modules if name not in before and not name.startswith('game.scenes.fight')])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stdout + done.stderr


def test_a_held_key_goes_on_moving_but_decides_only_once() -> None:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    app.push(Recorder(app))

    def down(key: int, mod: int = 0) -> None:
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))

    for _ in range(3):
        down(pygame.K_F5)
        down(pygame.K_w)
    assert app.top.told == ["quicksave", "pan_up", "pan_up", "pan_up"]  # type: ignore[attr-defined]
    app.handle(pygame.event.Event(pygame.KEYUP, key=pygame.K_F5, mod=0, unicode="", scancode=0))
    down(pygame.K_F5)
    assert app.top.told[-1] == "quicksave"  # type: ignore[attr-defined]


class Recorder(Scene):
    """Takes down the commands that reach it."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.told: list[str] = []

    def command(self, name: str, event: pygame.event.Event) -> bool:
        self.told.append(name)
        return True
