"""functions-js and its Python twin against the gateway: each option, body, response and error."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import re
import subprocess
from typing import Any

import pytest
from supabase_functions import AsyncFunctionsClient, SyncFunctionsClient
from supabase_functions.errors import FunctionsHttpError, FunctionsRelayError
from supabase_functions.utils import FunctionRegion

from tests.support.stacks import ROOT, Stack
from tools.compatibility import read_rows

_BYTES = b"\x00\x01\x02\xff"


@pytest.fixture(scope="module")
def seen(services: Stack) -> dict[str, Any]:
    command = ["node", "tests/compat/functions.mjs", services.api_url, services.anon_key, services.anon_key]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=90)
    assert done.returncode == 0, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_javascript_client_sends_every_kind_of_body(seen: dict[str, Any]) -> None:
    bodies = seen["bodies"]
    assert (bodies["json"]["type"], bodies["json"]["json"]) == (
        "application/json",
        {"name": "Ada", "list": [1, None]},
    )
    assert (bodies["text"]["type"], bodies["text"]["digest"]) == ("text/plain", digest("plain ✓".encode()))
    for kind in ("blob", "file", "buffer"):
        assert (bodies[kind]["type"], bodies[kind]["digest"]) == ("application/octet-stream", digest(_BYTES))
    assert bodies["form"]["type"] == "multipart/form-data"
    assert bodies["form"]["form"] == {
        "fields": {"greeting": "hello ✓"},
        "files": {"file": ["a.bin", _BYTES.decode("latin-1")]},
    }
    assert (bodies["empty"]["type"], bodies["empty"]["size"]) == ("", 0)
    # A stream of fetch's own; functions-js turns one into JSON before it is sent.
    assert seen["stream"] == [18, {}]


def test_javascript_client_uses_every_method_header_and_region(seen: dict[str, Any]) -> None:
    assert seen["methods"] == {method: method for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}
    assert seen["headers"] == "mine"
    assert (seen["ownType"]["type"], seen["ownType"]["json"]) == ("application/ld+json", {"a": 1})
    assert seen["region"] == ["eu-west-1", "eu-west-1"]
    assert seen["clientRegion"] == ["us-east-1", "us-east-1"]


def test_javascript_client_reads_every_kind_of_response(seen: dict[str, Any]) -> None:
    responses = seen["responses"]
    assert responses["json"][1]["method"] == "POST"
    assert responses["text"] == [200, "plain text"]
    assert responses["blob"] == [200, {"blob": 256}]
    assert responses["pdf"] == [200, {"blob": 8}]
    assert responses["form"] == [200, {"form": "hello", "file": 2}]
    assert responses["events"] == [200, {"events": "data: 1\n\ndata: 2\n\n"}]
    assert seen["firstEvent"] == "id: 0"


def test_javascript_client_tells_errors_apart(seen: dict[str, Any]) -> None:
    assert seen["httpError"] == ["FunctionsHttpError", 418, {"error": "refused by the function"}]
    assert seen["relayError"] == [
        "FunctionsRelayError",
        404,
        {"code": "NOT_FOUND", "message": "Requested function was not found"},
    ]
    assert seen["fetchError"] == ["FunctionsFetchError", None]


def test_javascript_client_aborts_by_signal_and_timeout(seen: dict[str, Any]) -> None:
    assert seen["aborted"] == "AbortError"
    assert seen["timeout"] == "AbortError"
    assert seen["ended"] == [True, True]


def test_javascript_client_sets_the_token(seen: dict[str, Any]) -> None:
    assert seen["setAuth"] == [401, {"who": "neighbour"}]


def client(stack: Stack) -> SyncFunctionsClient:
    return SyncFunctionsClient(f"{stack.api_url}/functions/v1", {"apikey": stack.anon_key})


@pytest.mark.parametrize(
    ("body", "media_type", "data"),
    [
        ({"name": "Ada"}, "application/json", b'{"name":"Ada"}'),
        ("plain ✓", "text/plain", "plain ✓".encode()),
        (_BYTES, "application/octet-stream", _BYTES),
        (None, "", b""),
    ],
)
def test_python_client_sends_every_kind_of_body(
    services: Stack, body: object, media_type: str, data: bytes
) -> None:
    response = client(services).invoke("bodies", {"body": body, "responseType": "json"})
    assert isinstance(response, dict)
    assert (response["type"], response["digest"]) == (media_type, digest(data))


def test_python_client_uses_methods_headers_and_regions(services: Stack) -> None:
    options = {"responseType": "json", "headers": {"x-custom": "mine"}, "region": FunctionRegion.EuWest1}
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        response = client(services).invoke("bodies", {**options, "method": method})
        assert isinstance(response, dict)
        assert (response["method"], response["custom"]) == (method, "mine")
        assert response["region"] == ["eu-west-1", "eu-west-1"]


def test_python_client_reads_json_and_bytes(services: Stack) -> None:
    response = client(services).invoke("bodies", {"headers": {"x-answer": "blob"}})
    assert response == bytes(range(256))


def test_python_client_tells_errors_apart(services: Stack) -> None:
    with pytest.raises(FunctionsHttpError, match="refused by the function") as refused:
        client(services).invoke("bodies", {"headers": {"x-answer": "error"}})
    assert refused.value.status == 418
    with pytest.raises(FunctionsRelayError, match="Requested function was not found") as missing:
        client(services).invoke("missing")
    assert missing.value.status == 404


def test_python_client_sets_the_token(services: Stack) -> None:
    # An API key names a caller too: this client has none.
    functions = SyncFunctionsClient(f"{services.api_url}/functions/v1", {})
    with pytest.raises(FunctionsRelayError, match="Missing authorization header"):
        functions.invoke("neighbour")
    functions.set_auth(services.anon_key)
    assert functions.invoke("neighbour", {"responseType": "json"}) == {"who": "neighbour"}


def test_asynchronous_python_client_invokes_a_function(services: Stack) -> None:
    async def invoke() -> object:
        functions = AsyncFunctionsClient(f"{services.api_url}/functions/v1", {})
        functions.set_auth(services.anon_key)
        return await functions.invoke("neighbour", {"responseType": "json"})

    assert asyncio.run(invoke()) == {"who": "neighbour"}


def names(client: str) -> set[str]:
    """Return what the rows of the client name."""
    features = [row.feature for row in read_rows() if row.section == f"Functions: `{client}`"]
    return {name for feature in features for name in re.findall(r"`(\w+)`", feature)}


def test_table_has_each_method_and_option_of_the_javascript_client() -> None:
    types = (ROOT / "node_modules/@supabase/functions-js/dist/module/types.d.ts").read_text()
    options = re.findall(r"^ {4}(\w+)\?:", types.partition("FunctionInvokeOptions = {")[2], re.MULTILINE)
    assert len(options) == 6
    client_types = (ROOT / "node_modules/@supabase/functions-js/dist/module/FunctionsClient.d.ts").read_text()
    methods = re.findall(r"^ {4}(\w+)(?:<.*>)?\(", client_types, re.MULTILINE)
    assert set(methods) - {"constructor"} == {"setAuth", "invoke"}
    errors = set(re.findall(r"class (Functions\w+Error) ", types))
    kinds = {"Blob", "File", "ArrayBuffer", "FormData", "FunctionsError"}
    assert names("functions-js") == {"setAuth", "invoke", *options, *errors, *kinds}


def test_table_has_each_method_of_the_python_client() -> None:
    methods = {
        name for name, _ in inspect.getmembers(SyncFunctionsClient, inspect.isfunction) if name[0] != "_"
    }
    assert names("supabase_functions") >= methods
