"""The project's client: each service's own transport and time, retries of reads, and the key for no other host."""

import httpx
import pytest
from _shared.clients.database import Database
from _shared.clients.supabase_api import connect
from _shared.core.outgoing import Vendor

from supabase import Client
from tests.shop.unit.functions.network import NETWORK_DOWN, Outcome, error_of, supabase_client


def rows(*found: dict[str, object]) -> httpx.Response:
    return httpx.Response(200, json=list(found))


def database(*responses: Outcome, seen: list[httpx.Request] | None = None) -> Database:
    return Database(supabase_client(*responses, seen=seen))


def connected(url: str) -> tuple[Client, list[tuple[Vendor, httpx.Request]]]:
    """A client, and the calls that leave by the transport of a service."""
    calls: list[tuple[Vendor, httpx.Request]] = []

    def transport_of(vendor: Vendor) -> httpx.BaseTransport:
        def respond(request: httpx.Request) -> httpx.Response:
            calls.append((vendor, request))
            return rows()

        return httpx.MockTransport(respond)

    return connect(url, "key", transport_of), calls


@pytest.mark.parametrize("url", ["http://127.0.0.1:54321", "https://Shop.example:443/behind/a/path"])
def test_each_service_has_its_own_transport_and_time(url: str) -> None:
    client, calls = connected(url)
    client.table("orders").select("id").execute()
    client.storage.from_("designs").remove(["a"])
    with pytest.raises(ValueError, match="User"):
        client.auth.get_user("token")
    times = [(vendor, request.extensions["timeout"]["read"]) for vendor, request in calls]
    assert times == [("database", 15.0), ("storage", 30.0), ("auth", 10.0)]
    assert [request.extensions["timeout"]["connect"] for _, request in calls] == [5.0, 5.0, 10.0]


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/rest/v1/orders",
        "http://inner.evil.example/rest/v1/orders",
        "http://inner:81/rest/v1/orders",
        "https://inner/rest/v1/orders",
        "http://inner/elsewhere",
    ],
)
def test_key_is_sent_to_no_other_address(address: str) -> None:
    seen: list[httpx.Request] = []
    client = supabase_client(rows(), seen=seen)
    with pytest.raises(httpx.UnsupportedProtocol):
        client.postgrest.session.get(address, headers=client.postgrest.headers)
    assert seen == []


def test_redirect_is_not_followed() -> None:
    seen: list[httpx.Request] = []
    moved = httpx.Response(307, headers={"location": "https://evil.example/rest/v1/orders"})
    assert error_of(lambda: database(moved, seen=seen).rows("orders", "id", {})) == (
        502,
        "database_unavailable",
    )
    assert len(seen) == 1


def test_requests_of_the_data_api() -> None:
    seen: list[httpx.Request] = []
    data = database(
        rows({"id": "o1"}), rows(), rows(), rows({"id": "o2"}), rows({"id": "o1"}), rows({"a": 1}), seen=seen
    )
    assert data.row("orders", "id", {"user_id": "ann", "shipped_at": None}) == {"id": "o1"}
    assert data.row("orders", "id", {"id": "o9"}) is None
    assert data.select_in("orders", "id", "id", ["a", "b,c"]) == []
    assert data.insert("orders", {"status": "pending"}) == "o2"
    assert data.update("orders", {"status": "paid"}, {"id": "o1"}) == 1
    assert data.call("claim_job", {"p_kind": "print", "p_number": 1}) == [{"a": 1}]
    assert [(request.method, request.url.path, dict(request.url.params)) for request in seen] == [
        (
            "GET",
            "/rest/v1/orders",
            {"select": "id", "user_id": "eq.ann", "shipped_at": "is.null", "limit": "1"},
        ),
        ("GET", "/rest/v1/orders", {"select": "id", "id": "eq.o9", "limit": "1"}),
        ("GET", "/rest/v1/orders", {"select": "id", "id": 'in.(a,"b,c")'}),
        ("POST", "/rest/v1/orders", {"select": "id"}),
        ("PATCH", "/rest/v1/orders", {"id": "eq.o1", "select": "id"}),
        ("POST", "/rest/v1/rpc/claim_job", {}),
    ]
    assert {request.headers["authorization"] for request in seen} == {"Bearer key"}
    assert seen[5].content == b'{"p_kind":"print","p_number":1}'


@pytest.mark.parametrize(
    ("function_result", "value"), [("3", 3), ("null", None), ('"text"', "text"), ("[]", None), ("[7, 8]", 7)]
)
def test_value_of_a_function(function_result: str, value: object) -> None:
    headers = {"content-type": "application/json"}
    assert database(httpx.Response(200, text=function_result, headers=headers)).value("f", {}) == value


@pytest.mark.parametrize("trouble", [httpx.Response(503, json={"message": "starting"}), NETWORK_DOWN])
def test_read_is_repeated_and_a_change_is_not(trouble: Outcome) -> None:
    seen: list[httpx.Request] = []
    assert database(trouble, rows({"id": "o1"})).rows("orders", "id", {}) == [{"id": "o1"}]
    change = database(trouble, seen=seen)
    assert error_of(lambda: change.update("orders", {"status": "paid"}, {})) == (502, "database_unavailable")
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.Response(400, json={"code": "23514", "message": "violates check"}), (409, "not_possible")),
        (httpx.Response(401, json={"code": "PGRST301", "message": "no"}), (502, "database_unavailable")),
        (httpx.Response(404, text="no gateway here"), (502, "database_unavailable")),
        (httpx.ReadTimeout("slow"), (502, "database_unavailable")),
    ],
)
def test_database_errors_become_shop_errors(response: Outcome, error: tuple[int, str]) -> None:
    assert error_of(lambda: database(response).rows("orders", "id", {})) == error
