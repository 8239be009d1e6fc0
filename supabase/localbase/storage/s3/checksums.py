"""The checksums that S3's clients send along: CRC-32, CRC-32C, CRC-64/NVME, SHA-1 and SHA-256.

Python has three of them. The other two are computed here: lanes of a block side by side, by translation of byte planes,
at about 100 MB/s; byte by byte would be a tenth of that.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Callable
from functools import cache
from typing import Protocol

_LANE_BYTES = 256
_SMALLEST_BLOCK = 4096
_CRC32C = (32, 0x82F63B78)
_CRC64_NVME = (64, 0x9A6C9329AC4BC9B5)


class Checksum(Protocol):
    """A running checksum."""

    def update(self, data: bytes, /) -> object:
        """Takes more bytes."""

    def digest(self) -> bytes:
        """The checksum so far, big-endian."""


class Crc32:
    """CRC-32 (zlib's)."""

    def __init__(self) -> None:
        self._value = 0

    def update(self, data: bytes) -> None:
        """Takes more bytes."""
        self._value = zlib.crc32(data, self._value)

    def digest(self) -> bytes:
        """Four bytes."""
        return self._value.to_bytes(4, "big")


class ReflectedCrc:
    """A CRC of `width` bits with reflected `polynomial`, which begins and ends with all bits turned."""

    def __init__(self, width: int, polynomial: int) -> None:
        self._width = width
        self._parameters = (width, polynomial)
        self._value = (1 << width) - 1

    def update(self, data: bytes) -> None:
        """Takes more bytes."""
        lanes = len(data) // _LANE_BYTES if len(data) >= _SMALLEST_BLOCK else 0
        if lanes:
            self._take_lanes(data, lanes)
        table, value = _table(*self._parameters), self._value
        for byte in data[lanes * _LANE_BYTES :]:
            value = table[(value ^ byte) & 0xFF] ^ (value >> 8)
        self._value = value

    def digest(self) -> bytes:
        """Four or eight bytes."""
        return (self._value ^ ((1 << self._width) - 1)).to_bytes(self._width // 8, "big")

    def _take_lanes(self, data: bytes, lanes: int) -> None:
        """Every lane's CRC from zero, all at once, then one after the other onto the value."""
        planes = _planes(*self._parameters)
        state = [0] * (len(planes) + 1)
        end = lanes * _LANE_BYTES
        for column in range(_LANE_BYTES):
            step = int.from_bytes(data[column:end:_LANE_BYTES], "little") ^ state[0]
            index = step.to_bytes(lanes, "little")
            for place, plane in enumerate(planes):
                state[place] = int.from_bytes(index.translate(plane), "little") ^ state[place + 1]
        columns = [state[place].to_bytes(lanes, "little") for place in range(len(planes))]
        tables, value = _lane_shift(*self._parameters), self._value
        for lane in range(lanes):
            moved = 0
            for table in tables:
                moved ^= table[value & 0xFF]
                value >>= 8
            value = moved
            for place, column_bytes in enumerate(columns):
                value ^= column_bytes[lane] << (8 * place)
        self._value = value


@cache
def _table(width: int, polynomial: int) -> tuple[int, ...]:
    del width
    values = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (polynomial if value & 1 else 0)
        values.append(value)
    return tuple(values)


@cache
def _planes(width: int, polynomial: int) -> tuple[bytes, ...]:
    """The table's lowest bytes, the bytes above them, and so on: what `bytes.translate` takes."""
    table = _table(width, polynomial)
    return tuple(bytes((value >> (8 * place)) & 0xFF for value in table) for place in range(width // 8))


@cache
def _lane_shift(width: int, polynomial: int) -> tuple[tuple[int, ...], ...]:
    """Return what a lane of zeros makes of each byte of a CRC."""
    table = _table(width, polynomial)

    def shifted(value: int) -> int:
        for _ in range(_LANE_BYTES):
            value = table[value & 0xFF] ^ (value >> 8)
        return value

    return tuple(tuple(shifted(byte << (8 * place)) for byte in range(256)) for place in range(width // 8))


ALGORITHMS: dict[str, Callable[[], Checksum]] = {
    "x-amz-checksum-crc32": Crc32,
    "x-amz-checksum-crc32c": lambda: ReflectedCrc(*_CRC32C),
    "x-amz-checksum-crc64nvme": lambda: ReflectedCrc(*_CRC64_NVME),
    "x-amz-checksum-sha1": lambda: hashlib.sha1(usedforsecurity=False),
    "x-amz-checksum-sha256": hashlib.sha256,
}
"""By the name of the header or trailer."""


def decoded(value: str, size: int) -> bytes | None:
    """The digest of `size` bytes that a header's Base64 holds; None if it holds none."""
    try:
        digest = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    return digest if len(digest) == size else None
