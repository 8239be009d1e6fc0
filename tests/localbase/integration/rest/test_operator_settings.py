"""PostgREST's configuration in the database, beyond roles: the ends of transactions, errors, names, tokens."""

from __future__ import annotations

import json
import re
import time

import httpx
import psycopg
import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey
from localbase.core.tokens.jwt import sign

from tests.localbase.integration.rest.conftest import Api, Configure, error, until
from tests.support.stacks import Stack

OTHER_SECRET = "another secret, of thirty-two characters and more"


def test_transactions_can_end_in_a_rollback(api: Api, configure: Configure) -> None:
    def made(prefer: str = "return=representation") -> httpx.Response:
        return api.request("POST", "/keyless", json={"value": "passing"}, prefer=prefer)

    def passing_rows() -> list[object]:
        rows: list[object] = api.rows("/keyless?value=eq.passing")
        return rows

    with configure(db_tx_end="rollback-allow-override"):
        until(lambda: made("tx=rollback"), lambda response: "preference-applied" in response.headers)
        api.request("DELETE", "/keyless?value=eq.passing", prefer="tx=commit")
        assert (made().json(), passing_rows()) == ([{"value": "passing", "number": None}], [])
        response = made("tx=commit")
        assert (response.headers["preference-applied"], len(passing_rows())) == ("tx=commit", 1)
        # An error in a transaction that would be rolled back leaves the connection fit for others.
        for _ in range(25):
            assert api.request("POST", "/keyless", json={"number": "x"}).status_code == 400
        assert len(passing_rows()) == 1
        api.request("DELETE", "/keyless?value=eq.passing", prefer="tx=commit")
    prepared_statements = until(
        lambda: made("tx=rollback"), lambda response: "preference-applied" not in response.headers
    )
    assert (prepared_statements.status_code, len(passing_rows()) >= 1) == (201, True)
    api.request("DELETE", "/keyless?value=eq.passing")


def test_pre_request_rejection_holds_under_a_rollback(api: Api, configure: Configure) -> None:
    with configure(db_tx_end="commit-allow-override", db_pre_request="public.before_request"):
        banned = until(
            lambda: api.get("/genres", prefer="tx=rollback", x_banned="yes"), lambda a: a.status_code == 403
        )
        assert banned.status_code == 403
        for _ in range(25):
            assert api.get("/genres", prefer="tx=rollback", x_banned="yes").status_code == 403
            assert api.get("/genres", prefer="tx=rollback").status_code == 200
    until(lambda: api.get("/genres", x_banned="yes"), lambda response: response.status_code == 200)


def test_pre_config_function_adds_to_the_roles_settings(
    api: Api, configure: Configure, database: psycopg.Connection
) -> None:
    database.execute(
        "create function public.presets() returns void language plpgsql as $$ begin"
        " perform set_config('pgrst.db_max_rows', '2', true);"
        " perform set_config('pgrst.client_error_verbosity', 'minimal', true); end $$"
    )
    try:
        with configure(db_pre_config="public.presets", client_error_verbosity="verbose"):
            until(lambda: api.get("/books"), lambda response: len(response.json()) == 2)
            assert "hint" in api.get("/book").json()
        until(lambda: api.get("/books"), lambda response: len(response.json()) > 2)
    finally:
        database.execute("drop function public.presets()")


def test_failed_pre_config_function_sets_nothing(api: Api, configure: Configure) -> None:
    with configure(db_pre_config="public.no_such_function", db_max_rows="1"):
        response = until(lambda: api.get("/books"), lambda response: len(response.json()) == 1)
        assert response.status_code == 200


def test_statements_need_not_be_prepared(
    api: Api, configure: Configure, database: psycopg.Connection
) -> None:
    def prepared_statements() -> httpx.Response:
        """Return how many statements that call this very function its connection has prepared."""
        return api.get("/rpc/prepared_statements_here")

    try:
        with configure(db_prepared_statements="false", db_max_rows="1"):
            until(lambda: api.get("/books"), lambda response: len(response.json()) == 1)
            database.execute(
                "create function public.prepared_statements_here() returns bigint language sql stable as"
                " $$ select count(*) from pg_prepared_statements where statement like '%prepared_statements_here%' $$"
            )
            assert until(prepared_statements, lambda response: response.status_code == 200).json() == 0
            assert [prepared_statements().json() for _ in range(10)] == [0] * 10
        assert until(prepared_statements, lambda response: response.json() > 0).json() == 1
    finally:
        database.execute("drop function if exists public.prepared_statements_here()")


def test_header_can_be_traced(api: Api, configure: Configure) -> None:
    with configure(server_trace_header="X-Trace"):
        response = until(
            lambda: api.get("/genres", x_trace="seven"), lambda response: "x-trace" in response.headers
        )
        assert response.headers["x-trace"] == "seven"
        assert api.get("/nowhere", x_trace="eight").headers["x-trace"] == "eight"
        assert "x-trace" not in api.get("/genres").headers
    until(lambda: api.get("/genres", x_trace="nine"), lambda response: "x-trace" not in response.headers)


def test_errors_can_be_short(api: Api, configure: Configure) -> None:
    with configure(client_error_verbosity="minimal"):
        response = until(lambda: api.get("/book"), lambda response: "hint" not in response.json())
        assert response.json() == {
            "code": "PGRST205",
            "message": "Could not find the table 'public.book' in the schema cache",
        }
    assert until(lambda: api.get("/book"), lambda response: "hint" in response.json()).json()["hint"]


def test_root_can_be_served_by_a_function(api: Api, configure: Configure) -> None:
    with configure(db_root_spec="public.greet"):
        assert until(lambda: api.get("/"), lambda response: response.json() == "hello").json() == "hello"
    document = until(lambda: api.get("/"), lambda response: isinstance(response.json(), dict)).json()
    assert document["swagger"] == "2.0"


def test_openapi_can_name_the_token_and_be_disabled(api: Api, configure: Configure) -> None:
    with configure(openapi_security_active="true"):
        document = until(lambda: api.get("/"), lambda response: "security" in response.json()).json()
        assert document["security"] == [{"JWT": []}]
        assert document["securityDefinitions"]["JWT"]["name"] == "Authorization"
    with configure(openapi_mode="disabled"):
        response = until(lambda: api.get("/"), lambda response: response.status_code == 404)
        assert error(response)[1]["code"] == "PGRST126"
    until(lambda: api.get("/"), lambda response: response.status_code == 200)


def test_alias_can_be_the_only_name(api: Api, configure: Configure) -> None:
    path = "/authors?select=id,works:books!author_id(id)&books.limit=1&id=eq.1"
    with configure(url_use_legacy_target_names="false"):
        response = until(lambda: api.get(path), lambda response: response.status_code == 400)
        assert error(response)[1] == {
            "code": "PGRST108",
            "message": "'books' is not an embedded resource in this request",
            "details": "Target names are not allowed in filters if they have an alias",
            "hint": "Change 'books' to 'works' in filters, orders or limits.",
        }
        assert api.get(path.replace("&books.", "&works.")).status_code == 200
    assert "warning" in until(lambda: api.get(path), lambda response: response.status_code == 200).headers


def test_server_timing_can_be_enabled(api: Api, configure: Configure) -> None:
    stages = re.compile(
        r"jwt;dur=[\d.]+, parse;dur=[\d.]+, plan;dur=[\d.]+, transaction;dur=[\d.]+, response;dur=[\d.]+"
    )
    with configure(server_timing_enabled="true"):
        until(lambda: api.get("/genres"), lambda response: "server-timing" in response.headers)
        for response in (
            api.get("/genres?id=eq.1"),
            api.get("/genres?id=eq.2"),
            api.get("/rpc/greet"),
            api.get("/"),
        ):
            assert stages.fullmatch(response.headers["server-timing"])
        slow = api.get("/rpc/wait_stably?seconds=0.05").headers["server-timing"]
        assert float(slow.split("transaction;dur=")[1].split(",")[0]) >= 50
    until(lambda: api.get("/genres"), lambda response: "server-timing" not in response.headers)


def test_maximal_rows_and_schemas_are_configurable(api: Api, configure: Configure) -> None:
    with configure(db_max_rows="2", db_schemas="crm, public", db_extra_search_path="toolbox"):
        response = until(
            lambda: api.get("/customers?select=id"), lambda response: response.status_code == 200
        )
        assert (response.headers["content-profile"], response.json()) == ("crm", [{"id": 1}, {"id": 2}])
        assert len(api.rows("/books", accept_profile="public")) == 2
        assert api.rows("/rpc/shouted?words=x") == "X!"
    until(lambda: api.get("/customers"), lambda response: response.status_code == 404)


@pytest.mark.parametrize("setting", ["db_max_rows", "db_tx_end", "openapi_mode", "jwt_secret"])
def test_invalid_settings_are_ignored(api: Api, configure: Configure, setting: str) -> None:
    with configure(**{setting: "odd", "client_error_verbosity": "minimal"}):
        until(lambda: api.get("/book"), lambda response: "hint" not in response.json())
        assert len(api.rows("/books")) > 2
        assert api.get("/").status_code == 200
    until(lambda: api.get("/book"), lambda response: "hint" in response.json())


def test_tokens_are_rejected_without_a_secret(library: Stack, api: Api, configure: Configure) -> None:
    def get_genres(**headers: str) -> httpx.Response:
        return httpx.get(
            f"{library.api_url}/rest/v1/genres", headers={"apikey": library.publishable_key, **headers}
        )

    with configure(jwt_secret=""):
        token = f"Bearer {library.anon_key}"
        response = until(
            lambda: get_genres(authorization=token), lambda response: response.status_code == 500
        )
        assert response.json() == {
            "code": "PGRST300",
            "details": None,
            "hint": None,
            "message": "Server lacks JWT secret",
        }
        assert "www-authenticate" not in response.headers
        # The gateway puts a token in the place of a key.
        assert [get_genres().status_code for _ in range(4)] == [500] * 4
    until(lambda: get_genres(authorization=token), lambda response: response.status_code == 200)


def test_tokens_can_be_signed_with_the_apis_own_secret(
    library: Stack, api: Api, configure: Configure
) -> None:
    claims = {"role": "service_role", "exp": int(time.time()) + 60}

    def who_am_i(token: str) -> httpx.Response:
        return api.get("/rpc/who_am_i", authorization=f"Bearer {token}")

    with configure(jwt_secret=OTHER_SECRET):
        response = until(
            lambda: who_am_i(sign(claims, OTHER_SECRET)), lambda response: response.status_code == 200
        )
        assert response.json()["role"] == "service_role"
        assert error(who_am_i(sign(claims, library.jwt_secret))) == (
            401,
            {
                "code": "PGRST301",
                "details": "None of the keys was able to decode the JWT",
                "hint": None,
                "message": "No suitable key or wrong key type",
            },
        )
    until(lambda: who_am_i(sign(claims, library.jwt_secret)), lambda response: response.status_code == 200)
    key = ECKey.generate_key("P-256", {"kid": "own"})
    token = joserfc_jwt.encode({"alg": "ES256", "kid": "own"}, claims, key)
    with configure(jwt_secret=json.dumps({"keys": [key.as_dict(private=False)]})):
        assert until(lambda: who_am_i(token), lambda response: response.status_code == 200).status_code == 200
    until(lambda: who_am_i(sign(claims, library.jwt_secret)), lambda response: response.status_code == 200)


@pytest.mark.parametrize(
    ("authorization", "message", "details"),
    [
        ("Bearer", "Empty JWT is sent in Authorization header", None),
        ("Bearer a.b", "Expected 3 parts in JWT; got 2", None),
        ("Bearer a.b.c", "JWT cryptographic operation failed", None),
        ("Bearer eyJhbGciOiJub25lIn0.e30.", "Wrong or unsupported encoding algorithm",
         "JWT is unsecured but expected 'alg' was not 'none'"),
        ("Bearer eyJhbGciOiJFUzI1NiJ9.e30.YQ", "No suitable key or wrong key type",
         "No suitable key was found to decode the JWT"),
    ],
)  # fmt: skip
def test_invalid_token_is_rejected_with_its_reason(
    api: Api, authorization: str, message: str, details: str | None
) -> None:
    response = api.get("/genres", authorization=authorization)
    assert error(response) == (
        401,
        {"code": "PGRST301", "message": message, "details": details, "hint": None},
    )
    assert response.headers["www-authenticate"] == (
        f'Bearer error="invalid_token", error_description="{message}"'
    )
