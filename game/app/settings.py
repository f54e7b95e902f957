"""What a player sets once: kept in the user's folder, read at the start, validated at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from game.paths import user_folder
from game.storage.files import from_json, write_whole
from rules.contract.errors import BattlematError, said
from rules.core.validate import place, reason

VERSION = 1
"""The number of the settings' format."""
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
UPGRADES: Mapping[int, Upgrade] = {}
"""Number -> how settings of that older format become those of the next."""

PALETTES = ("normal", "red-green", "blue-yellow", "high contrast")
"""What `palette` may be: whose colours are told apart by whom (game/view/palette.py)."""
SPEEDS = ("off", "slow", "normal", "fast")
"""Words for `speed` 0 to 3."""

LEVELS = ("story", "normal", "hard")
"""What `level` may be: how far the computer looks (game/controllers/ai/weights.py)."""
PACES = ("at once", "quick", "steady", "as they are")
"""Words for `pace` 0 to 3."""


class NewFight(BaseModel):
    """What was chosen for the last new fight: the next one begins with it."""

    model_config = ConfigDict(extra="ignore")

    ruleset: str = Field("", max_length=40)
    map: str = Field("", max_length=400)
    """As a record names it."""
    adventure: str = Field("", max_length=400)
    """The first map of the place with a story that was open; empty: a fight on the map."""
    party: list[str] = Field(default=[], max_length=20)
    options: dict[str, bool] = Field(default={}, max_length=60)


class Follow(StrEnum):
    """What the players' window looks at."""

    ACTION = "action"
    """The heroes and whoever they see, and where something happens."""
    BOARD = "board"
    """What the main window looks at."""
    HELD = "held"
    """Where it was told to."""


class PlayersWindow(BaseModel):
    """The players' window as it was left: where it stands, what it shows, how large.

    `turn` in quarters, clockwise; `follow`: what it looks at; `inch`: pixels of its screen, by which a space is one
    inch wide if `physical`.
    """

    model_config = ConfigDict(extra="ignore", validate_assignment=True)

    open: bool = False
    display: int = Field(-1, ge=-1, le=15)
    """The number of its screen; -1: the second, where there is one."""
    place: tuple[int, int] | None = None
    size: tuple[int, int] = (960, 600)
    fullscreen: bool = False
    names: bool = False
    order: bool = True
    dice: bool = True
    strict: bool = True
    turn: int = Field(0, ge=0, le=3)
    follow: Follow = Follow.ACTION
    physical: bool = False
    inch: int = Field(96, ge=20, le=400)

    @field_validator("size", mode="after")
    @classmethod
    def _sane(cls, size: tuple[int, int]) -> tuple[int, int]:
        """Neither too small to be found nor larger than any screen."""
        return min(max(size[0], 320), 16384), min(max(size[1], 200), 16384)


class Settings(BaseModel):
    """`scale`, `volume` (of short sounds), `ambience` and `music` in per cent; without `sound` there is silence;
    `speed` of animations 0 (off) to 3 (fast); `pace` of seconds that pass under rules that count them 0 (at once) to 3
    (as they are); `scale_of_map`: a space is 5 feet or 2 metres to rulers; `keys` rebinds commands of assets/keys.toml;
    `level` says how well the computer plays; `language` is the name of a catalogue in assets/words/."""

    model_config = ConfigDict(extra="ignore", validate_assignment=True, defer_build=True)

    version: int = VERSION
    scale: int = Field(100, ge=75, le=200)
    speed: int = Field(2, ge=0, le=3)
    pace: int = Field(2, ge=0, le=3)
    reduced_motion: bool = False
    palette: Literal["normal", "red-green", "blue-yellow", "high contrast"] = "normal"
    scale_of_map: Literal["feet", "metres"] = "feet"
    sound: bool = True
    volume: int = Field(60, ge=0, le=100)
    ambience: int = Field(35, ge=0, le=100)
    music: int = Field(25, ge=0, le=100)
    language: str = Field("en", max_length=20, pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")
    fullscreen: bool = False
    level: Literal["story", "normal", "hard"] = "normal"
    end_by_itself: bool = True
    autosave: bool = True
    live_forecast: bool = True
    log_open: bool = True
    small_map: bool = False
    offer_lesson: bool = True
    keys: dict[str, list[str]] = Field(default_factory=dict)
    new_fight: NewFight = Field(default_factory=NewFight)
    players: PlayersWindow = Field(default_factory=PlayersWindow)

    @field_validator("new_fight", "players", mode="wrap")
    @classmethod
    def _lenient(cls, value: Any, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        """What cannot be read is no setting that a player made: it is chosen anew."""
        try:
            return read(value)
        except ValidationError:
            return NewFight() if info.field_name == "new_fight" else PlayersWindow()


def settings_path() -> Path:
    """Where settings are kept."""
    return user_folder() / "settings.json"


def load_settings(upgrades: Mapping[int, Upgrade] = UPGRADES) -> Settings:
    """The player's settings; defaults where there are none yet. Raises `BattlematError` for a broken file.

    Settings of a newer Battlemat are taken as far as this one knows them.
    """
    path = settings_path()
    mend = "defaults are used, saving settings mends it"
    try:
        data = from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        wrong = "{path}: settings cannot be read ({error}); defaults are used"
        raise BattlematError(wrong, str(path), said(error)) from None
    except ValueError as error:
        raise BattlematError("{path}: settings are no JSON ({error}); {mend}", str(path), said(error), mend) from None
    if not isinstance(data, dict):
        raise BattlematError("{path}: settings are broken (they need a JSON object); {mend}", str(path), mend)
    try:
        return Settings.model_validate(_upgraded(data, upgrades))
    except ValidationError as error:
        first = error.errors()[0]
        where = place(first, "file")
        wrong = "{path}: settings are broken at {where} ({first}); {mend}"
        raise BattlematError(wrong, str(path), where, reason(first), mend) from None


def _upgraded(data: dict[str, Any], upgrades: Mapping[int, Upgrade]) -> dict[str, Any]:
    for _ in range(len(upgrades)):
        number = data.get("version", VERSION)
        if not isinstance(number, int) or number not in upgrades:
            break
        data = upgrades[number](data)
    data.pop("version", None)
    if data.get("volume") == 0 and not {"ambience", "music"} & set(data):
        return {**data, "ambience": 0, "music": 0}  # whoever had turned everything down wants silence still
    return data


def save_settings(settings: Settings) -> None:
    """Write the settings whole, never half. Raises `BattlematError` if the folder refuses."""
    write_whole(settings_path(), settings.model_dump_json(indent=2) + "\n")
