"""The files for static hosts: each host's rules give every path the page and the headers of web/serve.py."""

from __future__ import annotations

import asyncio
import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from deploy import static_hosting
from tests.support.stacks import ROOT, clean_environ
from web import serve

SHARED = "/design/22222222-2222-4222-8222-22222222222f"
PAGES = ("/", "/faq", "/dashboard", "/order-details/7", "/design/ai-generator", "/design/latest", SHARED)
# as the build writes them, in the order of the client's routes
ADDRESSES = (
    *("/", "/faq", "/design/:designId", "/order-details/:orderId", "/dashboard"),
    *("/design/ai-generator", "/design/from-picture"),
)
FILES = ("/assets/app-1.js", "/robots.txt", "/favicon.svg")
SETTINGS = serve.Settings.from_env(
    {
        "SUPABASE_URL": "https://project.supabase.co",
        "SUPABASE_PUBLISHABLE_KEY": "sb_publishable_x",
        "STRIPE_PUBLISHABLE_KEY": "pk_live_x",
        "SITE_URL": "https://shop.example",
        "FUNCTIONS_URL": "https://functions.example",
    }
)
HTML = '<script type="application/json" id="teesmith-env">{}</script><script>%s</script>'


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("dist")
    (dist / "paths.json").write_text(json.dumps(ADDRESSES))
    for name in ("index.html", "faq/index.html", "app.html", "shared-design.html", "404.html"):
        (dist / name).parent.mkdir(exist_ok=True)
        (dist / name).write_text(HTML % f"draw({name!r})")
    (dist / "assets").mkdir()
    for name in (*FILES, "/built.stamp"):
        (dist / name[1:]).write_text("x")
    return dist


@pytest.fixture(scope="module")
def written(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("static") / "site"
    static_hosting.write_static_site(target, SETTINGS, dist)
    return target


@pytest.fixture(scope="module")
def ours(dist: Path) -> Starlette:
    return serve.make_app(SETTINGS, dist)


def get(app: Starlette, path: str) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://shop.test") as client:
            return await client.get(path)

    return asyncio.run(send())


def expected(ours: Starlette, path: str) -> dict[str, str]:
    """Our server's headers, but those of transport."""
    ignored = {"content-type", "content-length", "vary", "content-encoding", "last-modified", "etag", "date"}
    headers = get(ours, path).headers
    return {name: value for name, value in headers.items() if name not in {*ignored, "accept-ranges"}}


def without_policy_of_files(headers: dict[str, str], path: str) -> dict[str, str]:
    """These hosts have one rule for all paths; on a file the policy has no effect."""
    return {name: value for name, value in headers.items() if path in PAGES or name[:7] != "content"}


def test_pages_are_filled_in_and_packed(written: Path, ours: Starlette) -> None:
    web = written / "web"
    served = {"/": "index.html", "/dashboard": "app.html", SHARED: "shared-design.html", "/no": "404.html"}
    for path, name in served.items():
        assert (web / name).read_text() == get(ours, path).text
        assert (web / f"{name}.gz").is_file()
    assert not (web / "built.stamp").exists()
    assert not (web / "paths.json").exists()
    assert {path.name for path in written.iterdir()} == {
        *("web", "vercel.json", "firebase.json", "nginx.conf")
    }


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_vercels_headers_are_ours(path: str, written: Path, ours: Starlette) -> None:
    rules = json.loads((written / "vercel.json").read_text())["headers"]
    matching = [rule["headers"] for rule in rules if re.fullmatch(rule["source"], path)]
    headers = {header["key"]: header["value"] for listed in matching for header in listed}
    assert sum(map(len, matching)) == len(headers)
    assert without_policy_of_files(headers, path) == expected(ours, path)


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_firebases_headers_are_ours(path: str, written: Path, ours: Starlette) -> None:
    hosting = json.loads((written / "firebase.json").read_text())["hosting"]
    assert hosting["public"] == "web"

    def matches(rule: dict[str, Any]) -> bool:
        if "regex" in rule:
            return re.search(rule["regex"], path) is not None
        return fnmatch.fnmatch(path, rule["source"])

    matching = [rule["headers"] for rule in hosting["headers"] if matches(rule)]
    headers = {header["key"]: header["value"] for listed in matching for header in listed}
    assert sum(map(len, matching)) == len(headers)
    assert without_policy_of_files(headers, path) == expected(ours, path)


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_headers_file_gives_no_header_twice(path: str, written: Path, ours: Starlette) -> None:
    rules: dict[str, dict[str, str]] = {}
    for line in (written / "web" / "_headers").read_text().splitlines():
        if line.startswith("/"):
            rules[line] = current = {}
        else:
            name, _, value = line.strip().partition(": ")
            current[name] = value
    matching = [headers for pattern, headers in rules.items() if fnmatch.fnmatch(path, pattern)]
    joined = {name: value for headers in matching for name, value in headers.items()}
    assert sum(map(len, matching)) == len(joined)
    # how long pages and other files are cached is these hosts' own rule: they ask again each time
    expected_headers = expected(ours, path)
    if not path.startswith("/assets/"):
        del expected_headers["cache-control"]
    assert without_policy_of_files(joined, path) == expected_headers


def pages_by_host(written: Path, path: str) -> dict[str, str]:
    """The page that the first matching rule of each host leads to."""
    vercel = [
        # `:id(pattern)` is a named group, `:id` one step of the path
        (re.sub(r":\w+", "[^/]+", re.sub(r":\w+\(", "(", rule["source"])), rule["destination"])
        for rule in json.loads((written / "vercel.json").read_text())["rewrites"]
    ]
    firebase = [
        (rule["regex"], rule["destination"])
        for rule in json.loads((written / "firebase.json").read_text())["hosting"]["rewrites"]
    ]
    redirects = [line.split() for line in (written / "web" / "_redirects").read_text().splitlines()]
    assert {status for _, _, status in redirects} == {"200"}
    netlify = [(re.sub(r":\w+", "[^/]+", source), target) for source, target, _ in redirects]
    rules = {"vercel": vercel, "firebase": firebase, "netlify": netlify}
    return {
        host: next(target for pattern, target in listed if re.fullmatch(pattern, path))
        for host, listed in rules.items()
        if any(re.fullmatch(pattern, path) for pattern, _ in listed)
    }


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/dashboard", "/app.html"),
        ("/order-details/7", "/app.html"),
        ("/design/ai-generator", "/app.html"),
        ("/design/from-picture", "/app.html"),
        (SHARED, "/shared-design.html"),
        (SHARED.upper().replace("/DESIGN", "/design"), "/shared-design.html"),
    ],
)
def test_path_without_a_file_gets_the_page_of_our_server(path: str, page: str, written: Path) -> None:
    assert pages_by_host(written, path) == {"vercel": page, "firebase": page, "netlify": page}


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/gone.js", "/gone.png", "/no-such-page", "/faq/more", "/dashboard/more"),
        *("/order-details", "/order-details/7/more", "/design/ai-generator/more", "/paths.json"),
    ],
)
def test_address_that_the_shop_does_not_have_is_404_everywhere(
    path: str, written: Path, ours: Starlette
) -> None:
    response = get(ours, path)
    assert response.status_code == 404
    assert "404.html" in response.text
    # what matches no rule and is no file is answered with the page of that name
    assert pages_by_host(written, path) == {}
    assert "error_page 404 /404.html;" in (written / "nginx.conf").read_text()


def test_command_names_settings_that_are_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deploy", "static", "--target", str(tmp_path / "site")]
    environ = {**clean_environ({}), "SITE_URL": "https://shop.example"}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, STRIPE_PUBLISHABLE_KEY" in done.stderr
    assert not (tmp_path / "site").exists()
