"""Requests generated from our own OpenAPI document: each succeeds or is rejected, none is an internal error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.localbase.integration.rest.conftest import Api
from tests.support.random_cases import cases
from tests.support.stacks import Stack

schemathesis = pytest.importorskip("schemathesis")

# Functions that fail or take long on purpose.
_LEFT_OUT = {"/", "/rpc/fails"}


@pytest.fixture(scope="module")
def document(quoted: Api) -> dict[str, Any]:
    openapi: dict[str, Any] = quoted.rows("/")
    return openapi


@pytest.fixture(scope="module")
def operations(document: dict[str, Any], quoted_names_stack: Stack) -> list[Any]:
    """Every operation of the document, as schemathesis reads it."""
    base = f"{quoted_names_stack.api_url}/rest/v1"
    schema: Any = schemathesis.openapi.from_dict(
        {**document, "host": base.split("/")[2], "basePath": "/rest/v1"}
    )
    schema.config.update(base_url=base)
    return [
        operation.ok() for operation in schema.get_all_operations() if operation.ok().path not in _LEFT_OUT
    ]


@pytest.fixture
def no_other_requests(quoted_names_stack: Stack) -> Iterator[None]:
    yield
    with psycopg.connect(quoted_names_stack.db_url) as connection:
        busy = connection.execute(
            "select count(*) from pg_stat_activity where usename = 'authenticator' and state <> 'idle'"
        ).fetchone()
    assert busy == (0,)


def test_openapi_lists_every_method(operations: list[Any]) -> None:
    methods = Counter(operation.method for operation in operations)
    assert set(methods) == {"get", "post", "patch", "delete"}
    assert min(methods.values()) > 5


@pytest.mark.usefixtures("no_other_requests")
@pytest.mark.parametrize("role", ["visitor", "service_role"])
def test_requests_that_openapi_allows_are_never_internal_errors(
    quoted: Api, operations: list[Any], role: str
) -> None:
    # The role without write privileges calls every operation; the service role only reads.
    chosen = [item for item in operations if role == "visitor" or item.method == "get"]
    headers = quoted.headers(role)
    seen: Counter[int] = Counter()

    @settings(
        max_examples=cases(60), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(st.data())
    def send(data: st.DataObject) -> None:
        operation = data.draw(st.sampled_from(chosen), label="operation")
        case = data.draw(operation.as_strategy(), label="case")
        response = case.call(headers=headers)
        seen[response.status_code] += 1
        # Some functions take longer for greater numbers: the role's statement timeout ends them.
        ended = response.status_code == 500 and response.json()["code"] == "57014"
        assert response.status_code < 500 or ended, (
            f"{case.method} {case.path} {case.query} {case.body}: {response.text}"
        )
        if response.status_code >= 400 and case.method != "HEAD":
            assert {"code", "message"} <= set(response.json())

    send()
    assert {200, 400} <= set(seen)
