"""The checksums of S3's clients, against published check values and a plain bitwise computation."""

from __future__ import annotations

import hashlib
import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.storage.s3.checksums import ALGORITHMS, decoded


def bitwise(data: bytes, width: int, polynomial: int) -> bytes:
    """A reflected CRC, bit by bit."""
    value = (1 << width) - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (polynomial if value & 1 else 0)
    return (value ^ ((1 << width) - 1)).to_bytes(width // 8, "big")


def digest(name: str, *parts: bytes) -> bytes:
    checksum = ALGORITHMS[f"x-amz-checksum-{name}"]()
    for part in parts:
        checksum.update(part)
    return checksum.digest()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("crc32", "cbf43926"), ("crc32c", "e3069283"), ("crc64nvme", "ae8b14860a799888")],
)
def test_checksum_has_its_published_check_value(name: str, expected: str) -> None:
    assert digest(name, b"123456789").hex() == expected


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("crc32c", (32, 0x82F63B78)), ("crc64nvme", (64, 0x9A6C9329AC4BC9B5))],
)
@pytest.mark.parametrize("size", [0, 1, 255, 4095, 4096, 4097, 10_000, 65_536 + 77])
def test_crc_in_lanes_equals_bitwise_one(name: str, parameters: tuple[int, int], size: int) -> None:
    data = hashlib.shake_256(b"lanes").digest(size)
    assert digest(name, data) == bitwise(data, *parameters)


@given(cuts=st.lists(st.integers(0, 20_000), max_size=4), name=st.sampled_from(["crc32c", "crc64nvme"]))
def test_checksum_does_not_depend_on_the_cuts(cuts: list[int], name: str) -> None:
    data = hashlib.shake_256(b"cuts").digest(20_000)
    edges = [0, *sorted(cuts), len(data)]
    parts = [data[left:right] for left, right in pairwise(edges)]
    assert digest(name, *parts) == digest(name, data)


def test_other_checksums_are_those_of_python() -> None:
    data = b"some bytes"
    assert digest("crc32", data) == zlib.crc32(data).to_bytes(4, "big")
    assert digest("sha1", data) == hashlib.sha1(data, usedforsecurity=False).digest()
    assert digest("sha256", data) == hashlib.sha256(data).digest()


def test_checksum_header_must_hold_a_digest_of_its_size() -> None:
    assert decoded("y/Q5Jg==", 4) == bytes.fromhex("cbf43926")
    assert decoded("y/Q5Jg==", 8) is None
    assert decoded("not base64", 4) is None
    assert decoded("", 4) is None
    assert decoded("é", 4) is None
