"""The files for static hosts: each host's rules give every path the page and the headers of web/serve.py."""

from __future__ import annotations

import asyncio
import dataclasses
import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette

from deploy import static_hosting
from tests.support.stacks import ROOT, clean_environ
from web import serve

SHARED = "/design/22222222-2222-4222-8222-22222222222f"
CREATOR = "/creator/22222222-2222-4222-8222-22222222222f"
FUNCTION = "https://functions.example/design-page?path="
PAGES = ("/", "/faq", "/dashboard", "/order-details/7", "/design/ai-generator")
# as the build writes them, in the order of the client's routes
ADDRESSES = (
    *("/", "/faq", "/design/:designId", "/order-details/:orderId", "/dashboard"),
    *("/design/ai-generator", "/design/from-picture", "/discover", "/creator/:creatorId"),
)
FILES = ("/assets/app-1.js", "/robots.txt", "/favicon.svg")
SETTINGS = serve.Settings.from_env(
    {
        "SUPABASE_URL": "https://project.supabase.co",
        "SUPABASE_PUBLISHABLE_KEY": "sb_publishable_x",
        "STRIPE_PUBLISHABLE_KEY": "pk_live_x",
        "SITE_URL": "https://shop.example",
        "FUNCTIONS_URL": "https://functions.example",
        "VITE_SUPABASE_READ_URL": "https://replica.example",
    }
)
HTML = '<script type="application/json" id="teesmith-env">{}</script><script>%s</script>'


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("dist")
    (dist / "paths.json").write_text(json.dumps(ADDRESSES))
    pages = (f"{name}/index.html" for name in ("faq", "shared-design", "gallery"))
    for name in ("index.html", "app.html", "404.html", *pages):
        (dist / name).parent.mkdir(exist_ok=True)
        (dist / name).write_text(HTML % f"draw({name!r})")
    (dist / "assets").mkdir()
    for name in (*FILES, "/built.stamp"):
        (dist / name[1:]).write_text("x")
    return dist


@pytest.fixture(scope="module")
def written(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("static") / "site"
    static_hosting.write_static_site(target, SETTINGS, dist, region="europe-west1")
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


def test_every_host_promises_transport_security_for_a_site_with_https(written: Path, ours: Starlette) -> None:
    promise = {"strict-transport-security": "max-age=31536000"}
    assert promise.items() <= expected(ours, "/").items()
    for name in ("web/_headers", "vercel.json", "firebase.json", "nginx.conf"):
        assert "max-age=31536000" in (written / name).read_text()
    assert promise.keys().isdisjoint(serve.security_headers("http://127.0.0.1:3000"))


def test_every_host_lets_pages_ask_the_replica(written: Path) -> None:
    for name in ("web/_headers", "vercel.json", "firebase.json", "nginx.conf"):
        (allowed,) = re.findall(r"connect-src ([^;]*);", (written / name).read_text())
        assert "https://replica.example" in allowed.split(), name


def test_pages_are_filled_in_and_packed(written: Path, ours: Starlette) -> None:
    web = written / "web"
    served = {"/": "index.html", "/dashboard": "app.html", "/shared-design": "shared-design/index.html"}
    for path, name in {**served, "/no": "404.html"}.items():
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
    """What the first matching rule of each host leads to."""
    vercel = [
        # `:id(pattern)` is a named group, `:id` one step of the path
        (
            re.sub(r":(\w+)", r"(?P<\1>[^/]+)", re.sub(r":(\w+)\(", r"(?P<\1>", rule["source"])),
            rule["destination"],
        )
        for rule in json.loads((written / "vercel.json").read_text())["rewrites"]
    ]
    firebase = [
        (rule["regex"], rule.get("destination") or rule["run"]["serviceId"])
        for rule in json.loads((written / "firebase.json").read_text())["hosting"]["rewrites"]
    ]
    redirects = [line.split() for line in (written / "web" / "_redirects").read_text().splitlines()]
    assert {status for *_, status in redirects} == {"200"}
    netlify = [
        (re.sub(r":(\w+)", r"(?P<\1>[^/]+)", source), target)
        for source, *sent, target, _ in redirects
        if not sent
    ]
    rules = {"vercel": vercel, "firebase": firebase, "netlify": netlify}
    found: dict[str, str] = {}
    for host, listed in rules.items():
        for pattern, leads_to in listed:
            if match := re.fullmatch(pattern, path):
                target = leads_to
                for name, step in match.groupdict().items():
                    target = target.replace(f"/:{name}", f"/{step}")
                found[host] = target
                break
    return found


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/dashboard", "/app.html"),
        ("/order-details/7", "/app.html"),
        ("/design/ai-generator", "/app.html"),
        ("/design/from-picture", "/app.html"),
    ],
)
def test_path_without_a_file_gets_the_page_of_our_server(path: str, page: str, written: Path) -> None:
    assert pages_by_host(written, path) == {"vercel": page, "firebase": page, "netlify": page}


@pytest.mark.parametrize(
    "path", [SHARED, f"{SHARED}/share.jpg", "/discover", CREATOR, "/sitemap.xml", "/sitemap/17.xml"]
)
def test_page_of_the_database_comes_from_the_function_everywhere(path: str, written: Path) -> None:
    assert pages_by_host(written, path) == {
        "vercel": FUNCTION + path,
        "netlify": FUNCTION + path,
        "firebase": "functions",
    }


def test_netlify_passes_the_key_of_a_link(written: Path) -> None:
    redirects = (written / "web" / "_redirects").read_text()
    rule = f"/design/:id key=:key {FUNCTION}/design/:id&key=:key 200"
    assert rule in redirects
    assert redirects.index(rule) < redirects.index(f"/design/:id {FUNCTION}/design/:id 200")


def test_firebase_calls_the_function_of_its_region_or_shows_the_page_without_one(
    dist: Path, tmp_path: Path
) -> None:
    def rules(functions_url: str, region: str, path: str) -> list[Any]:
        settings = dataclasses.replace(SETTINGS, functions_url=functions_url)
        static_hosting.write_static_site(tmp_path / "site", settings, dist, region=region)
        written = json.loads((tmp_path / "site" / "firebase.json").read_text())
        return [rule for rule in written["hosting"]["rewrites"] if re.search(rule["regex"], path)]

    alone, *_ = rules("https://europe-west1-shop.cloudfunctions.net", "europe-west1", SHARED)
    assert alone["run"] == {"serviceId": "design-page", "region": "europe-west1"}
    stand_ins = {
        SHARED: "/shared-design/index.html",
        "/discover": "/gallery/index.html",
        CREATOR: "/app.html",
    }
    for path, page in stand_ins.items():
        assert [rule["destination"] for rule in rules("https://functions.example", "", path)] == [page]


WORKER = """
import worker from WORKER;
const sent = [];
globalThis.fetch = async (url, { headers }) => {
  sent.push([String(url), headers]);
  if (String(url).includes("000f")) throw new Error("no way there");
  return new Response("of the function", { status: String(url).includes("000e") ? 503 : 410 });
};
const env = { ASSETS: { fetch: async (asked) => new Response(`asset ${new URL(asked.url ?? asked).pathname}`) } };
const answers = [];
for (const path of PATHS) {
  const request = new Request(`https://shop.example${path}`, { headers: { "if-none-match": 'W/"1"', cookie: "c" } });
  const answer = await worker.fetch(request, env);
  answers.push([answer.status, await answer.text()]);
}
console.log(JSON.stringify({ sent, answers }));
"""


def test_cloudflares_program_asks_the_function_and_shows_the_page_without_it(written: Path) -> None:
    without = [path.replace("222f", end) for path in (SHARED, CREATOR) for end in ("000e", "000f")]
    paths = ["/faq", f"{SHARED}?key=a%26b&utm=1", *without, "/discover", "/design/latest"]
    # read as a module, whatever the file is called
    module = "data:text/javascript," + quote((written / "web" / "_worker.js").read_text())
    program = WORKER.replace("WORKER", json.dumps(module)).replace("PATHS", json.dumps(paths))
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=True
    )
    seen = json.loads(done.stdout)
    assert seen["answers"] == [
        [200, "asset /faq"],
        [410, "of the function"],
        *[[200, "asset /shared-design"]] * 2,
        *[[200, "asset /app"]] * 2,
        [410, "of the function"],
        [200, "asset /design/latest"],
    ]
    asked, headers = seen["sent"][0]
    assert asked == f"{FUNCTION}{SHARED.replace('/', '%2F')}&key=a%26b"
    assert headers == {"if-none-match": 'W/"1"'}


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/gone.js", "/gone.png", "/no-such-page", "/faq/more", "/dashboard/more"),
        *("/order-details", "/order-details/7/more", "/design/ai-generator/more", "/paths.json"),
        *("/sitemap/more.xml/x", "/design/ai-generator/share", "/discover/more", "/creator"),
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
