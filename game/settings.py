"""What a player sets once: kept in the user's folder, read at the start, validated at the door."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.paths import user_folder
from rules.errors import BattlematError

SPEEDS = ("off", "slow", "normal", "fast")
"""Words for `speed` 0 to 3."""


class Settings(BaseModel):
    """`scale` in per cent; `speed` of animations 0 (off) to 3 (fast); `keys` rebinds commands of assets/keys.toml."""

    model_config = ConfigDict(extra="ignore", validate_assignment=True)

    scale: int = Field(100, ge=75, le=200)
    speed: int = Field(2, ge=0, le=3)
    reduced_motion: bool = False
    fullscreen: bool = False
    end_by_itself: bool = True
    autosave: bool = True
    log_open: bool = True
    keys: dict[str, list[str]] = Field(default_factory=dict)


def settings_path() -> Path:
    """Where settings are kept."""
    return user_folder() / "settings.json"


def load_settings() -> Settings:
    """The player's settings; defaults where there are none yet. Raises `BattlematError` for a broken file."""
    path = settings_path()
    try:
        return Settings.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise BattlematError(f"{path}: settings cannot be read ({error}); defaults are used") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise BattlematError(
            f"{path}: settings are broken at {where} ({first['msg']}); defaults are used, saving settings mends it"
        ) from None


def save_settings(settings: Settings) -> None:
    """Write the settings whole, never half. Raises `BattlematError` if the folder refuses."""
    path = settings_path()
    draft = path.with_suffix(".tmp")
    try:
        draft.write_text(settings.model_dump_json(indent=2), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise BattlematError(f"{path}: settings cannot be saved ({error.strerror or error})") from None
