"""core.logs: JSON lines with the context's fields, and without what must not be read in a log."""

from __future__ import annotations

import json
import logging
import re

import pytest
from _shared.core.logs import TextFormatter, formatter_of, log_context, log_trouble, redacted

from tests.shop.unit.functions.log_lines import captured_lines


def test_line_has_time_severity_message_and_the_fields_of_its_context() -> None:
    with captured_lines() as lines, log_context(request_id="r-1"), log_context(order="o-1"):
        log_trouble('said "\n\x85\u2028', "because\nof this", attempt=2)
    (line,) = lines
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line == {
        "severity": "WARNING",
        "service": "functions",
        "message": 'said "\n\x85\u2028',
        "request_id": "r-1",
        "order": "o-1",
        "attempt": 2,
        "cause": "because of this",
    }


def test_context_ends_with_its_block() -> None:
    with captured_lines() as lines:
        with log_context(request_id="r-1"):
            log_trouble("inside", "x")
        log_trouble("outside", "x")
    assert ["request_id" in line for line in lines] == [True, False]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("550 <anna.b+c@mail.example.com> unknown", "550 <<e-mail>> unknown"),
        ("authorization: Bearer abc.def", "authorization: Bearer <secret>"),
        ("token eyJhbGciOi.eyJzdWIi.abc-_1 expired", "token <token> expired"),
        ("Invalid API Key: sk_test_51H1234", "Invalid API Key: <secret>"),
        ("No such payment: pi_3Abc_secret_Xyz1", "No such payment: <secret>"),
        ("the key sb_secret_N7UN-Uod_k0-Hg is wrong", "the key <secret> is wrong"),
        ("signed with whsec_MfKQ/9r8+GKYq== now", "signed with <secret> now"),
        ("GET /x?token=abc&a=1", "GET /x?token=<secret>&a=1"),
        (
            "new row violates\nDetails: Failing row contains (1, Anna, Main St. 5 (back)).",
            "new row violates\nDetails: Failing row contains (…).",
        ),
        ("Key (email)=(Anna) already exists.", "Key (email)= (…) already exists."),
        ("input: data:image/png;base64,iVBORw0KGgo=", "input: <picture>"),
        ("Printify 400: no such variant", "Printify 400: no such variant"),
    ],
)
def test_redacted_text_lacks_what_vendors_quote_of_a_request(text: str, shown: str) -> None:
    assert redacted(text) == shown


def test_traceback_is_redacted() -> None:
    record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", None, None)
    try:
        raise RuntimeError("no mail to anna@example.com")
    except RuntimeError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    line = json.loads(formatter_of({}).format(record))
    assert line["stack_trace"].startswith("Traceback (most recent call last):")
    assert line["stack_trace"].endswith("RuntimeError: no mail to <e-mail>")


def test_text_is_for_a_person_at_a_terminal() -> None:
    formatter = formatter_of({"LOG_FORMAT": "text"})
    assert isinstance(formatter, TextFormatter)
    record = logging.LogRecord("x", logging.INFO, "", 0, "sweep", None, None)
    record.__dict__["fields"] = {"status": 200, "cause": "a\nb", "httpRequest": {}}
    with log_context(request_id="r-1"):
        shown = formatter.format(record)
    assert shown.partition(" INFO ")[2] == "sweep request_id=r-1 status=200 cause=a?b"
