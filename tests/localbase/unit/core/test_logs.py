"""core.logs, core.log_text: one JSON object a line, which nothing that clients send can forge or end."""

from __future__ import annotations

import io
import json
import logging
import re
from typing import Any

import pytest
from localbase.core.log_text import as_text
from localbase.core.logs import JsonFormatter, is_request_id, json_line, printable, utc_stamp


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
    [
        *[("0af3-x_y.z", True), ("4bf92f3577b34da6a3ce929d0e0e4736/1", True), ("a:b=", True), ("a+", True)],
        *[("", False), ("a b", False), ("a\x85b", False), ("é", False), ("x" * 129, False)],
        *[('a"b', False), ("a\\b", False), ("<a>", False), ("anna@example.com", False), ("-a", False)],
    ],
)
def test_request_id_is_one_word_without_signs_to_escape(text: str, good: bool) -> None:
    assert is_request_id(text) is good


def _written(name: str, message: str, *, failing: str | None = None, fields: Any = None) -> list[str]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonFormatter("gateway"))
    logger = logging.Logger(name)
    logger.addHandler(handler)
    if failing is None:
        logger.error("%s", message, extra={"fields": fields or {}})
    else:
        try:
            raise RuntimeError(failing)
        except RuntimeError:
            logger.exception("%s", message)
    return out.getvalue().splitlines()


def _record(name: str, message: str, **fields: object) -> dict[str, Any]:
    [line] = _written(name, message, fields=fields)
    record: dict[str, Any] = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record.pop("time"))
    return record


def test_record_is_one_line_of_json() -> None:
    message = 'a\n2026-01-01 00:00:00,000 INFO localbase.gateway forged\x85\u2028"}'
    assert _record("localbase.test", message, request_id="x-1", status=200) == {
        "severity": "ERROR",
        "service": "gateway",
        "logger": "localbase.test",
        "message": message,
        "request_id": "x-1",
        "status": 200,
    }


def test_functions_record_has_its_slug_and_no_field_replaces_the_origin() -> None:
    record = _record("functions.echo", "hello", slug="other", service="x", logger="y", time="z", mine=1)
    assert record == {
        "severity": "ERROR",
        "service": "gateway",
        "logger": "functions.echo",
        "message": "hello",
        "slug": "echo",
        "mine": 1,
    }


def test_traceback_is_a_field_of_its_line_and_indented_as_text() -> None:
    [line] = _written("localbase.test", "failed", failing="x\n2026-01-01 forged")
    assert json.loads(line)["stack_trace"].startswith("Traceback (most recent call last):\n")
    first, *others = as_text(line).splitlines()
    assert first.endswith("ERROR localbase.test failed")
    assert others[0] == "    Traceback (most recent call last):"
    assert others[-1] == "    2026-01-01 forged"
    assert all(line.startswith("    ") for line in others)


def test_bursts_of_the_access_log_are_whole_lines() -> None:
    assert _written("localbase.access", "one\ntwo") == ["one", "two"]


def test_time_is_iso_in_utc_with_milliseconds() -> None:
    assert utc_stamp(1_800_000_000.1239) == "2027-01-15T08:00:00.123Z"


def test_line_is_shown_as_text() -> None:
    line = json_line("supervisor", "supervisor", "WARNING", "gone\x1b[2J", 1_800_000_000.5)
    assert as_text(line) == "2027-01-15 08:00:00,500 WARNING supervisor gone\\x1b[2J"
    answered = {"severity": "INFO", "logger": "functions.echo", "message": "answered", "slug": "echo"}
    request = {**answered, "ms": 3.25, "request_id": "r-1", "status": 201, "code": "ok"}
    assert as_text(json.dumps(request)) == "INFO functions.echo answered 201 3.25 ms code=ok r-1"
    assert as_text(json.dumps({**answered, "output": True})) == "INFO functions.echo | answered"


@pytest.mark.parametrize("line", ["", "plain", "{", "{}", '{"a": 1}', "[1]", "{" * 5000, '{"message"'])
def test_line_that_is_no_record_is_shown_as_it_is(line: str) -> None:
    assert as_text(line) == line
