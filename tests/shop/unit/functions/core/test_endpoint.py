"""The endpoint: every request gets JSON, a stable code and one log line."""

import json
import logging
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from types import FunctionType
from typing import Any, cast

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.core.logs import current_request_id, log_trouble
from _shared.endpoint import (
    LARGEST_BODY,
    LARGEST_EVENT,
    LARGEST_PICTURE_BODY,
    ResponseBody,
    endpoint,
    webhook,
)
from _shared.shop import Shop
from flask import Flask, Request, Response
from pydantic import BaseModel
from werkzeug.test import EnvironBuilder

from tests.shop.unit.functions.log_lines import captured_lines
from tests.shop.unit.functions.test_requirements import SLUGS
from tests.support.stacks import ROOT


class NumberRequest(BaseModel):
    number: int


@endpoint(body=NumberRequest, caller="anyone")
def halve_number(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
    if request.number == 13:
        raise ShopError(409, "unlucky", "Not that one.", cause="secret\nreason")
    return {"half": 100 / request.number}


@endpoint(body=NumberRequest, caller="user", needs=("stripe", "mail"), environ={})
def needs_much(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
    return {"number": request.number}


@endpoint(body=NumberRequest, caller="anyone")
def name_caller(_request: NumberRequest, caller: Caller, _shop: Shop) -> ResponseBody:
    return {"address": caller.address}


@pytest.fixture
def log() -> Iterator[list[logging.LogRecord]]:
    records: list[logging.LogRecord] = []

    class RecordingHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = RecordingHandler()
    logger = logging.getLogger("teesmith.functions")
    logger.addHandler(handler)
    yield records
    logger.removeHandler(handler)


def call(
    body: bytes | str, method: str = "POST", headers: dict[str, str] | None = None, handle: Any = halve_number
) -> Response:
    data = body.encode() if isinstance(body, str) else body
    request = Request(
        EnvironBuilder(method=method, data=data, headers=list((headers or {}).items())).get_environ()
    )
    with Flask("test").app_context():
        return cast(Response, handle(request, shop=cast(Shop, object())))


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    return dict(cast(Any, record).fields)


def status_and_body(response: Response) -> tuple[int, Any]:
    assert response.content_type == "application/json"
    return response.status_code, json.loads(response.get_data())


def test_response_is_json_and_one_line_in_the_log(log: list[logging.LogRecord]) -> None:
    response = call('{"number": 4}', headers={"x-request-id": "abc"})
    assert status_and_body(response) == (200, {"half": 25.0})
    assert response.headers["x-request-id"] == "abc"
    (record,) = log
    fields = fields_of(record)
    assert 0 <= fields.pop("ms") < 60_000
    assert fields.pop("httpRequest")["status"] == 200
    assert fields == {"method": "POST", "slug": "halve-number", "status": 200, "code": "ok"}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"number=4", b"[" * 60_000])
def test_malformed_json_is_refused(body: bytes, log: list[logging.LogRecord]) -> None:
    assert status_and_body(call(body)) == (
        400,
        {"error": "The request's body is not JSON.", "code": "invalid_json"},
    )
    assert len(log) == 1
    assert log[0].exc_info is None


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("{}", "number: Field required."),
        (
            '{"number": "many"}',
            "number: Input should be a valid integer, unable to parse string as an integer.",
        ),
        ("[]", "body: Input should be a valid dictionary or instance of NumberRequest."),
    ],
)
def test_invalid_body_names_the_field_but_not_the_value(body: str, error: str) -> None:
    assert status_and_body(call(body)) == (400, {"error": error, "code": "invalid_request"})


@endpoint(body=NumberRequest, caller="anyone", largest=LARGEST_PICTURE_BODY)
def takes_pictures(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
    return {"number": request.number}


@webhook(needs=())
def takes_events(body: bytes, _headers: Mapping[str, str], _shop: Shop) -> ResponseBody:
    return {"bytes": len(body)}


@pytest.mark.parametrize(
    ("handle", "largest", "size"),
    [
        (halve_number, LARGEST_BODY, "64 kB"),
        (takes_events, LARGEST_EVENT, "1 MB"),
        (takes_pictures, LARGEST_PICTURE_BODY, "20 MB"),
    ],
)
def test_body_over_the_limit_is_refused(handle: Any, largest: int, size: str) -> None:
    assert call(b'{"number": 4}'.ljust(largest), handle=handle).status_code == 200
    assert status_and_body(call(b" " * (largest + 1), handle=handle)) == (
        413,
        {"error": f"The request is larger than {size}.", "code": "payload_too_large"},
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_only_functions_that_take_pictures_take_large_bodies(slug: str) -> None:
    source = (ROOT / "functions" / slug / "main.py").read_text()
    takes_a_picture = slug in (
        "add-artwork",
        "create-payment-intent",
        "create-printify-product",
        "edit-design-image",
    )
    assert ("largest=LARGEST_PICTURE_BODY" in source) == takes_a_picture


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_only_post_is_served(method: str) -> None:
    assert status_and_body(call("{}", method)) == (
        405,
        {"error": "Please use POST.", "code": "method_not_allowed"},
    )


def test_shop_error_logs_its_cause(log: list[logging.LogRecord]) -> None:
    assert status_and_body(call('{"number": 13}')) == (409, {"error": "Not that one.", "code": "unlucky"})
    assert fields_of(log[0])["cause"] == "secret reason"


def test_retry_at_is_in_body_and_header() -> None:
    in_a_minute = datetime.now(UTC) + timedelta(seconds=60)

    @endpoint(body=NumberRequest, caller="anyone")
    def busy(_request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        raise ShopError(
            429, "busy", "Not now.", retry_at=in_a_minute.astimezone(timezone(timedelta(hours=3)))
        )

    response = call('{"number": 1}', handle=busy)
    next_second = in_a_minute.replace(microsecond=0) + timedelta(seconds=1)
    assert status_and_body(response) == (
        429,
        {"error": "Not now.", "code": "busy", "retry_at": next_second.isoformat()},
    )
    assert response.headers["retry-after"] in ("60", "61")


def test_retry_at_in_the_past_becomes_one_second() -> None:
    @endpoint(body=NumberRequest, caller="anyone")
    def late(_request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        raise ShopError(503, "busy", "Not now.", retry_at=datetime(2026, 1, 1, tzinfo=UTC))

    assert call('{"number": 1}', handle=late).headers["retry-after"] == "1"


def test_internal_error_hides_its_cause(log: list[logging.LogRecord]) -> None:
    assert status_and_body(call('{"number": 0}')) == (
        500,
        {"error": "Something went wrong on our side.", "code": "internal_error"},
    )
    assert log[0].levelno == logging.ERROR
    assert log[0].exc_info is not None


def test_missing_settings_are_named_in_the_log_alone(log: list[logging.LogRecord]) -> None:
    request = Request(EnvironBuilder(method="POST", data=b"{}").get_environ())
    with Flask("test").app_context():
        response = needs_much(request)
    assert status_and_body(response) == (
        500,
        {"error": "The shop is not set up for this yet.", "code": "not_configured"},
    )
    for name in ("SUPABASE_URL", "SUPABASE_SERVICE_ROLE_KEY", "STRIPE_SECRET_KEY", "SMTP_HOST"):
        assert name in fields_of(log[0])["cause"]


def test_cors_headers_need_a_setting() -> None:
    @endpoint(body=NumberRequest, caller="anyone", environ={})
    def plain(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        return {"number": request.number}

    @endpoint(body=NumberRequest, caller="anyone", environ={"FUNCTIONS_CORS_ORIGIN": "https://shop.example"})
    def shared(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        return {"number": request.number}

    preflight = call("", "OPTIONS", handle=plain)
    assert preflight.status_code == 204
    assert "access-control-allow-origin" not in preflight.headers
    for response in (
        call("", "OPTIONS", handle=shared),
        call("{", handle=shared),
        call('{"number": 4}', handle=shared),
    ):
        assert response.headers["access-control-allow-origin"] == "https://shop.example"
        assert "idempotency-key" in response.headers["access-control-allow-headers"].split(", ")


def test_handler_is_what_functions_framework_looks_for() -> None:
    assert halve_number.__name__ == "halve_number"
    assert isinstance(halve_number, FunctionType)


@pytest.mark.parametrize(
    "request_id", ["a\x85b\x1b[2J", 'a"b', "two words", "x" * 129, "anna@example.com", ""]
)
def test_clients_request_id_that_is_no_id_is_replaced(request_id: str) -> None:
    response = call('{"number": 4}', headers={"x-request-id": request_id})
    assert uuid.UUID(response.headers["x-request-id"])


def test_request_id_is_that_of_every_line_within_and_of_none_afterwards() -> None:
    seen = []

    @endpoint(body=NumberRequest, caller="anyone")
    def looks(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        seen.append(current_request_id())
        return {"number": request.number}

    call('{"number": 1}', handle=looks, headers={"x-request-id": "r-1"})
    call('{"number": 1}', handle=looks, headers={"x-request-id": "r-2"})
    assert [*seen, current_request_id()] == ["r-1", "r-2", ""]


def test_google_clouds_trace_is_in_the_line_where_the_project_is_named() -> None:
    trace = "105445aa7843bc8bf206b12000100000"

    @endpoint(body=NumberRequest, caller="anyone", environ={"GOOGLE_CLOUD_PROJECT": "my-shop"})
    def traced(request: NumberRequest, _caller: Caller, _shop: Shop) -> ResponseBody:
        with captured_lines() as lines:
            log_trouble("trouble", "cause")
        return {"line": lines[0]}

    sent = {"x-cloud-trace-context": f"{trace}/1;o=1", "x-request-id": "r-1"}
    line = call('{"number": 1}', handle=traced, headers=sent).get_json()["line"]
    assert line["logging.googleapis.com/trace"] == f"projects/my-shop/traces/{trace}"
    forged = {"x-cloud-trace-context": "../x/1"}
    line = call('{"number": 1}', handle=traced, headers=forged).get_json()["line"]
    assert "logging.googleapis.com/trace" not in line


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("198.51.100.7", "198.51.100.7"),
        # what the client itself has sent comes first
        ("10.0.0.1, 198.51.100.7", "198.51.100.7"),
        ("", "127.0.0.1"),
        ("9" * 4000, "9" * 100),
    ],
)
def test_callers_address_is_the_one_that_the_nearest_proxy_saw(forwarded: str, address: str) -> None:
    builder = EnvironBuilder(method="POST", data=b'{"number": 1}', headers=[("x-forwarded-for", forwarded)])
    request = Request(builder.get_environ() | {"REMOTE_ADDR": "127.0.0.1"})
    with Flask("test").app_context():
        response = cast(Response, cast(Any, name_caller)(request, shop=cast(Shop, object())))
    assert response.json == {"address": address}
