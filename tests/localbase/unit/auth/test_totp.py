"""Codes of authenticator apps: the check against RFC 6238, and the picture."""

from __future__ import annotations

import base64
from typing import Any

import cv2
import numpy as np
import pytest
import resvg_py
from localbase.auth.mfa import totp

# The key of RFC 6238's appendix B; its codes of eight digits end in these six.
_SECRET = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert totp.time_step_of(_SECRET, code, seconds) == seconds // 30


@pytest.mark.parametrize(("late", "is_good"), [(-31, False), (-30, True), (0, True), (59, True), (60, False)])
def test_code_is_good_one_step_early_and_late(late: int, is_good: bool) -> None:
    begin = 1111111080
    assert (totp.time_step_of(_SECRET, "081804", begin + late) is not None) is is_good


@pytest.mark.parametrize("code", ["", "28708", "2870820", "28708a", "1" * 10_000, "\x00"])
def test_malformed_codes_are_wrong(code: str) -> None:
    assert totp.time_step_of(_SECRET, code, 59) is None


@pytest.mark.parametrize("secret", ['{"alg": "aes-gcm-hkdf"}', "ÄÖ", "1", "A"])
def test_secret_of_another_form_is_unreadable(secret: str) -> None:
    with pytest.raises(totp.UnreadableSecret):
        totp.time_step_of(secret, "287082", 59)


def test_picture_fits_into_an_address() -> None:
    svg = totp.picture(totp.new_key("site", "someone@example.com").uri)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert svg.endswith("</svg>")
    assert "#" not in svg
    assert 'stroke="black"' in svg
    assert 'fill="white"' in svg


def test_picture_is_read_by_a_camera() -> None:
    # Not a new key: OpenCV's reader fails on some pictures that cameras read.
    uri = f"otpauth://totp/site:someone%40example.com?secret={_SECRET}&issuer=site"
    assert (
        totp.new_key("site", "someone@example.com").uri.partition("secret=")[0] == uri.partition("secret=")[0]
    )
    png: Any = resvg_py.svg_to_bytes(svg_string=totp.picture(uri))
    image = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert cv2.QRCodeDetector().detectAndDecode(image)[0] == uri
