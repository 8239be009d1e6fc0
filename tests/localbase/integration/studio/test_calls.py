"""Studio's answers to its pages: tables, rows as roles see them, statements, policies, logs."""

from __future__ import annotations

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.localbase.integration.small_project import until
from tests.localbase.integration.studio.conftest import Studio

NOTES = {"schema": "public", "table": "notes"}
ANON = {"name": "anon"}


@pytest.fixture(scope="session")
def user(studio: Studio) -> dict[str, str]:
    response = httpx.post(
        f"{studio.stack.api_url}/auth/v1/signup",
        json={"email": "ada@example.com", "password": "correct-horse"},
        headers={"apikey": studio.stack.anon_key},
    )
    return {"id": response.json()["user"]["id"], "email": "ada@example.com"}


def test_tables_have_columns_keys_and_policies(studio: Studio) -> None:
    tables = {(each["schema"], each["name"]): each for each in studio.call("tables")}
    notes = tables["public", "notes"]
    assert (notes["kind"], notes["rls"], notes["comment"]) == ("table", True, "Notes of users.")
    columns = {each["name"]: each for each in notes["columns"]}
    assert columns["id"]["key"]
    assert columns["id"]["identity"] == "a"
    assert columns["mood"] == {
        "name": "mood",
        "type": "mood",
        "not_null": True,
        "default": "'calm'::mood",
        "identity": "",
        "generated": "",
        "comment": None,
        "key": False,
        "values": ["calm", "busy"],
    }
    assert {
        "name": "notes_author_fkey",
        "columns": ["author"],
        "schema": "public",
        "table": "authors",
        "referenced": ["id"],
    } in notes["foreign_keys"]
    assert notes["policies"][1] == {
        "name": "notes of their owner",
        "permissive": True,
        "command": "all",
        "roles": ["authenticated"],
        "using": "(owner = ( SELECT auth.uid() AS uid))",
        "check": None,
    }
    assert tables["public", "titles"]["kind"] == "view"
    assert ("auth", "users") in tables


def test_rows_are_filtered_sorted_and_paged(studio: Studio) -> None:
    page = studio.call(
        "rows",
        NOTES
        | {
            "filters": [{"column": "title", "operator": "differs", "value": "third"}],
            "order": [{"column": "title", "descending": True}],
            "limit": 1,
        },
    )
    assert page["columns"] == ["id", "author", "owner", "title", "mood", "published", "data"]
    assert [row[3] for row in page["rows"]] == ["second"]
    assert page["more"]
    assert page["visible"] is None
    filtered = studio.call(
        "rows", NOTES | {"filters": [{"column": "title", "operator": "contains", "value": "IR"}]}
    )
    assert [row[3] for row in filtered["rows"]] == ["first", "third"]
    empty = studio.call("rows", NOTES | {"filters": [{"column": "author", "operator": "is empty"}]})
    assert [row[3] for row in empty["rows"]] == ["third"]
    odd = {"schema": "private", "table": "secrets", "order": [{"column": 'Odd "name'}]}
    assert studio.call("rows", odd)["rows"] == [["1", "x"]]


def test_rows_that_policies_hide_from_a_role_are_shown_as_hidden(
    studio: Studio, user: dict[str, str]
) -> None:
    def seen(role: dict[str, Any]) -> list[str]:
        page = studio.call("rows", NOTES | {"order": [{"column": "id"}], "role": role})
        return [
            row[3] for row, place in zip(page["rows"], page["ids"], strict=True) if place in page["visible"]
        ]

    assert seen(ANON) == ["first"]
    assert seen({"name": "service_role"}) == ["first", "second", "third"]
    signed_in = {"name": "authenticated", "user": user}
    assert seen(signed_in) == ["first"]
    page = studio.call(
        "rows", NOTES | {"filters": [{"column": "title", "operator": "equals", "value": "third"}]}
    )
    studio.call(
        "update",
        NOTES | {"id": page["ids"][0], "before": {"owner": None}, "values": {"owner": user["id"]}},
    )
    assert seen(signed_in) == ["first", "third"]
    assert seen(ANON) == ["first"]
    hidden = studio.call("rows", {"schema": "private", "table": "secrets", "role": ANON})
    assert (hidden["readable"], len(hidden["rows"])) == (False, 1)


def test_policies_say_why_a_row_is_hidden(studio: Studio) -> None:
    page = studio.call(
        "rows", NOTES | {"filters": [{"column": "title", "operator": "equals", "value": "second"}]}
    )
    explanation = studio.call("policies", NOTES | {"id": page["ids"][0], "role": ANON})
    assert (explanation["allowed"], explanation["rls_applies"], explanation["privilege"]) == (
        False,
        True,
        True,
    )
    assert [(each["name"], each["applies"], each["result"]) for each in explanation["policies"]] == [
        ("notes of their owner", False, None),
        ("published notes", True, True),
        # The policy of `authors` counts for the role too: Ben is not seen.
        ("no notes by the banned", True, False),
    ]
    everyone = studio.call("policies", NOTES | {"id": page["ids"][0], "role": {"name": "service_role"}})
    assert (everyone["allowed"], everyone["rls_applies"]) == (True, False)
    first = studio.call(
        "rows", NOTES | {"filters": [{"column": "title", "operator": "equals", "value": "first"}]}
    )
    assert studio.call("policies", NOTES | {"id": first["ids"][0], "role": ANON})["allowed"]
    gone = studio.error("policies", NOTES | {"id": first["ids"][0].split(":")[0] + ":(9,9)", "role": ANON})
    assert gone["message"] == "The row has been changed or deleted meanwhile."


def test_row_is_added_changed_and_deleted_under_the_roles_policies(studio: Studio) -> None:
    authors = {"schema": "public", "table": "authors"}
    assert studio.call("insert", authors | {"values": {"id": "9", "name": "Cleo"}}) == {"count": 1}
    refused = studio.error("insert", authors | {"values": {"id": "10", "name": "Dan"}, "role": ANON})
    assert refused["code"] == "42501"
    query = authors | {"filters": [{"column": "id", "operator": "equals", "value": "9"}]}
    place = studio.call("rows", query)["ids"][0]
    change = authors | {"id": place, "before": {"name": "Cleo"}, "values": {"name": "Cleopatra"}}
    assert studio.call("update", change) == {"count": 1}
    stale = studio.error("update", change)
    assert stale["message"].startswith("Nothing was changed")
    place = studio.call("rows", query)["ids"][0]
    assert studio.call("delete", authors | {"ids": [place]}) == {"count": 1}
    assert studio.call("rows", query)["rows"] == []


def test_csv_is_imported_whole_or_not_at_all_under_the_roles_policies(studio: Studio) -> None:
    authors = {"schema": "public", "table": "authors"}
    assert studio.call("import", authors | {"csv": 'id,name\r\n20,"Eve, ""E"""\r\n21,Finn\r\n'}) == {
        "count": 2
    }
    query = authors | {"filters": [{"column": "id", "operator": "greater or equal", "value": "20"}]}
    page = studio.call("rows", query)
    assert sorted(page["rows"]) == [["20", 'Eve, "E"'], ["21", "Finn"]]
    twice = studio.error("import", authors | {"csv": "id,name\n22,Gil\n20,again\n"})
    assert twice["code"] == "23505"
    refused = studio.error("import", authors | {"csv": "id,name\n23,Hal\n", "role": ANON})
    assert refused["code"] == "42501"
    assert studio.error("import", authors | {"csv": "id,nothing\n1,x\n"})["code"] == "42703"
    assert "first line" in studio.error("import", authors | {"csv": ""})["message"]
    assert studio.call("delete", authors | {"ids": page["ids"]}) == {"count": 2}
    assert studio.call("rows", query)["rows"] == []


def test_statements_run_as_the_role_and_all_or_none(studio: Studio) -> None:
    done = studio.call("run", {"sql": "select 1 as one, null::text as two; select 'x' where false"})
    assert done["results"] == [
        {
            "command": "SELECT",
            "count": 1,
            "columns": [{"name": "one", "type": "int4"}, {"name": "two", "type": "text"}],
            "rows": [["1", None]],
            "truncated": False,
        },
        {
            "command": "SELECT",
            "count": 0,
            "columns": [{"name": "?column?", "type": "text"}],
            "rows": [],
            "truncated": False,
        },
    ]
    as_anon = studio.call("run", {"sql": "select current_user, count(*) from public.notes", "role": ANON})
    assert as_anon["results"][0]["rows"] == [["anon", "1"]]
    broken = studio.error("run", {"sql": "create table public.half (id int); select nothing"})
    assert (broken["code"], broken["message"]) == ("42703", 'column "nothing" does not exist')
    assert broken["position"] == 43
    missing = studio.call("run", {"sql": "select to_regclass('public.half')"})
    assert missing["results"][0]["rows"] == [[None]]
    assert studio.error("run", {"sql": " "})["message"] == "There is no statement."
    read = studio.error("run", {"sql": "delete from public.notes", "read_only": True})
    assert read["code"] == "25006"
    noticed = studio.call("run", {"sql": "do $$begin raise notice 'hello'; end$$"})
    assert noticed["notices"] == ["NOTICE: hello"]
    many = studio.call("run", {"sql": "select generate_series(1, 2000)"})["results"][0]
    assert (many["count"], len(many["rows"]), many["truncated"]) == (2000, 1000, True)


def test_plan_of_a_statement_is_shown_and_nothing_is_written(studio: Studio) -> None:
    plan = studio.call("explain", {"sql": "select * from public.notes"})["plan"]
    assert plan[0]["Plan"]["Node Type"] == "Seq Scan"
    run = studio.call("explain", {"sql": "delete from public.notes", "analyze": True})["plan"]
    assert run[0]["Plan"]["Actual Loops"] == 1
    left = studio.call("run", {"sql": "select count(*) from public.notes"})["results"][0]["rows"]
    assert left == [["3"]]


def test_logs_of_all_services_are_found_by_a_requests_id(studio: Studio) -> None:
    sent = "studio-test-0123456789"
    httpx.get(
        f"{studio.stack.api_url}/rest/v1/notes",
        headers={"apikey": studio.stack.anon_key, "x-request-id": sent},
    )
    # A request's line is written after its response has gone.
    assert until(lambda: studio.call("logs", {"search": sent})["lines"] != [])
    logs = studio.call("logs", {"search": sent})
    assert (logs["lines"][0]["service"], logs["lines"][0]["status"]) == ("gateway", 200)
    assert {"gateway", "postgres", "studio", "supervisor"} <= set(logs["services"])


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example:21323"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"x-studio": ""} | {"origin": "http://127.0.0.1:1"},
    ],
    ids=str,
)
def test_call_of_another_site_is_refused(studio: Studio, headers: dict[str, str]) -> None:
    response = studio.send("project", {}, **headers)
    assert response.status_code == 403
    assert "key" not in response.text


def test_call_without_its_header_or_with_another_body_is_refused(studio: Studio) -> None:
    assert httpx.post(f"{studio.url}/api/project", json={}).status_code == 403
    form = httpx.post(f"{studio.url}/api/project", data={"a": "b"}, headers={"x-studio": "1"})
    assert (form.status_code, form.json()["message"]) == (400, "The body of a call is JSON.")
    assert (
        httpx.options(f"{studio.url}/api/run", headers={"origin": "https://evil.example"}).status_code == 403
    )
    page = httpx.get(f"{studio.url}/")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert httpx.get(f"{studio.url}/%2e%2e/app.py").text != ""
    assert "StudioError" not in httpx.get(f"{studio.url}/%2e%2e/app.py").text


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("rows", {}),
        ("rows", {"schema": "public", "table": "none"}),
        ("rows", NOTES | {"filters": [{"column": "title", "operator": "; drop table notes"}]}),
        ("rows", NOTES | {"limit": -1}),
        ("rows", NOTES | {"order": [{"column": "nothing"}]}),
        ("rows", NOTES | {"role": {"name": "supabase_admin"}}),
        ("rows", NOTES | {"role": {"name": "authenticated"}}),
        ("update", NOTES | {"id": "1", "before": {}, "values": {"title": "x"}}),
        ("update", NOTES | {"id": "1:(0,1)", "before": {}, "values": {}}),
        ("delete", NOTES | {"ids": ["0 or true"]}),
        ("delete", NOTES | {"ids": "all"}),
        ("insert", NOTES | {"values": {"title": 1}}),
        ("policies", NOTES | {"id": "1:(0,1)", "command": "truncate"}),
        ("explain", {"sql": "select 1; select 2"}),
    ],
)
def test_call_that_makes_no_sense_is_refused_with_a_message(studio: Studio, name: str, body: Any) -> None:
    assert studio.error(name, body)["message"]


def test_mails_are_listed_searched_and_read(studio: Studio, user: dict[str, str]) -> None:
    httpx.post(
        f"{studio.stack.api_url}/auth/v1/otp",
        json={"email": user["email"]},
        headers={"apikey": studio.stack.anon_key},
    ).raise_for_status()
    mail = studio.call("mails", {"search": "sign-in"})["mails"][0]
    assert (mail["to"], mail["subject"]) == ([user["email"]], "Your sign-in link")
    assert "/auth/v1/verify?token=" in studio.call("mail", {"id": mail["id"]})["html"]
    assert studio.error("mail", {"id": "0"})["message"] == "There is no such mail."
    assert studio.error("mail", {"id": "../../x"})["message"] == "There is no such mail."


def test_functions_are_listed(studio: Studio) -> None:
    (function,) = studio.call("functions")
    assert (function["name"], function["enabled"], function["verify_jwt"]) == ("hello", True, True)


def test_snapshot_is_saved_and_loaded_while_studio_itself_restarts(studio: Studio) -> None:
    def ended(verb: str, name: str) -> bool:
        identity = studio.call("snapshot", {"verb": verb, "name": name})["id"]
        # Studio's own process is replaced meanwhile: its socket stays, so every call is answered.
        return until(lambda: bool(studio.call("outcome", {"id": identity})["done"]), 60)

    assert ended("save", "before")
    studio.call("run", {"sql": "insert into public.authors values (30, 'Ida')"})
    assert [each["name"] for each in studio.call("snapshots")] == ["before"]
    assert ended("load", "before")
    left = studio.call("run", {"sql": "select count(*) from public.authors where id = 30"})
    assert left["results"][0]["rows"] == [["0"]]
    assert ended("delete", "before")
    assert studio.call("snapshots") == []
    identity = studio.call("snapshot", {"verb": "load", "name": "nothing"})["id"]
    assert until(lambda: studio.send("outcome", {"id": identity}).status_code == 400, 30)
    assert "nothing" in studio.error("outcome", {"id": identity})["message"]
    assert (
        studio.error("snapshot", {"verb": "save", "name": "--force"})["message"]
        == "A snapshot has a name of at most 100 printable characters."
    )


@pytest.mark.parametrize("name", ["nul\0", "x" * 5000, "-f", "", "line\nend"], ids=repr)
def test_odd_name_of_a_snapshot_is_rejected(studio: Studio, name: str) -> None:
    text = "A snapshot has a name of at most 100 printable characters."
    body = json.dumps({"verb": "save", "name": name})
    headers = {"x-studio": "1", "content-type": "application/json"}
    response = httpx.post(f"{studio.url}/api/snapshot", content=body, headers=headers)
    assert (response.status_code, response.json()) == (400, {"message": text})


def test_json_nested_deeply_is_rejected(studio: Studio) -> None:
    headers = {"x-studio": "1", "content-type": "application/json"}
    for body in (b"[" * 100_000, b'{"a":' * 100_000):
        response = httpx.post(f"{studio.url}/api/run", content=body, headers=headers)
        assert (response.status_code, response.json()) == (400, {"message": "The body of a call is JSON."})


@pytest.mark.parametrize("path", ["%00", "x" * 6000, "a/" * 3000 + "%00"], ids=["nul", "long", "deep"])
def test_page_that_no_file_could_be_is_not_found(studio: Studio, path: str) -> None:
    response = httpx.get(f"{studio.url}/{path}")
    assert (response.status_code, response.text) == (404, "There is no such page.")


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1", "evil.example"]], ids=["none", "two"])
def test_request_without_one_host_is_rejected(studio: Studio, hosts: list[str]) -> None:
    parts = urlsplit(studio.url)
    lines = "".join(f"host: {host}:{parts.port}\r\n" for host in hosts)
    with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=10) as wire:
        wire.sendall(f"GET / HTTP/1.1\r\n{lines}connection: close\r\n\r\n".encode())
        assert wire.makefile("rb").readline().startswith(b"HTTP/1.1 400 ")
