"""core.logs: what clients send cannot pass for a line of the log."""

from __future__ import annotations

import io
import logging

import pytest
from localbase.core.logs import LineFormatter, is_request_id, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é", "plain text, é"),
        ("a\nb\r\n", "a\\nb\\r\\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x85\u2028\u202e", "\\x85\\u2028\\u202e"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "good"),
    [("0af3-x_y.z", True), ("", False), ("a b", False), ("a\x85b", False), ("é", False), ("x" * 129, False)],
)
def test_request_id_is_one_word(text: str, good: bool) -> None:
    assert is_request_id(text) is good


def _written(name: str, message: str, *, failing: str | None = None) -> list[str]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(LineFormatter())
    logger = logging.Logger(name)
    logger.addHandler(handler)
    if failing is None:
        logger.error(message)
    else:
        try:
            raise RuntimeError(failing)
        except RuntimeError:
            logger.exception(message)
    return out.getvalue().splitlines()


def test_record_is_one_line() -> None:
    [line] = _written("localbase.test", "a\n2026-01-01 00:00:00,000 INFO localbase.gateway forged")
    assert line.endswith("ERROR localbase.test a\\n2026-01-01 00:00:00,000 INFO localbase.gateway forged")


def test_traceback_is_indented() -> None:
    first, *others = _written("localbase.test", "failed", failing="x\n2026-01-01 forged")
    assert first.endswith("ERROR localbase.test failed")
    assert others[0] == "    Traceback (most recent call last):"
    assert others[-1] == "    2026-01-01 forged"
    assert all(line.startswith("    ") for line in others)


def test_bursts_of_the_access_log_are_whole_lines() -> None:
    assert len(_written("localbase.access", "one\ntwo")) == 2
