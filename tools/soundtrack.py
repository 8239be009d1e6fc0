"""The film's sound: a quiet marimba over four chords, computed, so it is free of other rights."""

from __future__ import annotations

import math
import wave
from pathlib import Path

import numpy as np
import numpy.typing as npt

RATE = 44_100
BEAT = 0.32
# C, A minor, F, G, as semitones above C3; each chord lasts eight beats.
CHORDS = ((0, 7, 12, 16), (9, 12, 16, 21), (5, 9, 12, 17), (7, 11, 14, 19))
FIGURE = (0, 2, 1, 3, 2, 1, 3, 2)
VOLUME = 0.16


def write_soundtrack(path: Path, seconds: float) -> Path:
    """A WAV file of that length, fading in and out."""
    sound = np.zeros(math.ceil((seconds + 3) * RATE))
    for beat in range(math.floor(seconds / BEAT)):
        chord = CHORDS[(beat // 8) % len(CHORDS)]
        _strike(sound, beat * BEAT, chord[FIGURE[beat % 8]] + 12, 0.7 if beat % 8 else 1.0)
        if beat % 8 == 0:
            _strike(sound, beat * BEAT, chord[0], 1.2)
    sound = sound[: math.ceil(seconds * RATE)]
    fade = np.minimum(1, np.minimum(np.arange(sound.size), np.arange(sound.size)[::-1]) / (1.2 * RATE))
    samples = (np.clip(sound * fade * VOLUME, -1, 1) * 32_767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return path


def _strike(sound: npt.NDArray[np.float64], at: float, semitone: int, loudness: float) -> None:
    start = int(at * RATE)
    moment = np.arange(int(1.6 * RATE)) / RATE
    pitch = 130.81 * 2 ** (semitone / 12)
    # A wooden bar: its tone, and the fourth partial that dies at once.
    tone = np.sin(2 * np.pi * pitch * moment) * np.exp(-4 * moment)
    knock = 0.35 * np.sin(2 * np.pi * pitch * 3.93 * moment) * np.exp(-18 * moment)
    sound[start : start + moment.size] += loudness * (tone + knock)[: sound.size - start]
