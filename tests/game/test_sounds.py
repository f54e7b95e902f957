"""Sounds: made by arithmetic, bounded, silent at the end, and no error without a sound card."""

from __future__ import annotations

import pygame
import pytest

from game.app.sounds import PEAK, RATE, SOUNDS, Sounds, samples


@pytest.mark.parametrize("name", sorted(SOUNDS))
def test_a_sound_is_loud_enough_never_clips_and_ends_in_silence(name: str) -> None:
    wave = samples(name)
    assert len(wave) == int(SOUNDS[name][0] * RATE)
    assert PEAK * 0.8 < max(abs(value) for value in wave) <= PEAK
    assert max(abs(value) for value in wave[-20:]) < PEAK * 0.05
    assert abs(sum(wave)) / len(wave) < PEAK * 0.05  # no offset that would thump


def test_a_sound_is_the_same_every_time() -> None:
    assert samples("hit") == samples("hit")
    assert samples("hit") != samples("death")


def test_volume_nought_opens_no_sound_card() -> None:
    sounds = Sounds(0)
    assert not sounds.play("hit")
    assert sounds._open is None


def test_without_a_sound_card_there_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()  # another test may have opened it
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    sounds = Sounds(50)
    assert not sounds.play("hit")
    sounds.close()


def test_with_one_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Sounds(50)
    assert sounds.play("dice")
    assert not sounds.play("a sound that nobody made")
    sounds.close()
