"""The shop on a static host: nginx serves what `make static` writes, as web/serve.py would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.debian_programs import find_program
from tests.support.processes import free_port, wait_until_open
from tests.support.stacks import ROOT, Stack

COMPARED = {
    *("content-security-policy", "cache-control", "x-content-type-options", "referrer-policy"),
    *("permissions-policy", "cross-origin-opener-policy", "vary", "content-encoding", "x-robots-tag"),
}
PAGES = ("/", "/faq", "/auth", "/dashboard", "/design/ai-generator", "/no/such/page")
MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    types {{
        text/html html; text/css css; text/javascript js; text/plain txt; text/vtt vtt; image/svg+xml svg;
        image/webp webp; image/jpeg jpg; font/woff2 woff2; video/mp4 mp4;
    }}
    include {folder}/shop.conf;
}}
"""


@pytest.fixture(scope="module")
def site(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the shop at nginx, with the settings of the running one."""
    nginx = find_program("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed, and Debian's package cannot be fetched")
    folder = tmp_path_factory.mktemp("static")
    port = free_port()
    environ = {
        "PATH": os.environ["PATH"],
        "SUPABASE_URL": stack.api_url,
        "VITE_SUPABASE_KEY": stack.publishable_key,
        "STRIPE_PUBLISHABLE_KEY": "pk_test_emulator",
        "STRIPE_JS_URL": f"{stack.emulators_url}/stripe/js/v3",
        "MOCKUP_BASE_URL": f"{stack.emulators_url}/printify",
        "SITE_URL": f"http://127.0.0.1:{port}",
    }
    command = [sys.executable, "-m", "deploy", "static", "--target", str(folder / "static")]
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    shop = (folder / "static" / "nginx.conf").read_text()
    assert shop.count("listen 80;") == shop.count("root /var/www/teesmith/web;") == 1
    shop = shop.replace("listen 80;", f"listen 127.0.0.1:{port};")
    shop = shop.replace("root /var/www/teesmith/web;", f'root "{folder}/static/web";')
    (folder / "shop.conf").write_text(shop)
    main = folder / "main.conf"
    main.write_text(MAIN.format(folder=folder, user="user root;" if os.geteuid() == 0 else ""))
    process = subprocess.Popen(
        [nginx, "-p", str(folder), "-c", str(main), "-e", "stderr"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until_open(process, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.fixture(scope="module")
def shared_design(stack: Stack) -> str:
    (row,) = query(stack, "select design_id from public_designs limit 1")
    return f"/design/{row['design_id']}"


def fetch(url: str) -> tuple[int, str, dict[str, str]]:
    """Status, media type and the headers that count."""
    response = httpx.get(url, headers={"accept-encoding": "gzip"})
    headers = {name: value for name, value in response.headers.items() if name in COMPARED}
    headers["vary"] = headers.get("vary", "").lower()
    return response.status_code, response.headers["content-type"].partition(";")[0], headers


def test_static_host_sends_the_headers_of_our_server(site: str, stack: Stack, shared_design: str) -> None:
    for path in (*PAGES, "/discover", shared_design, shared_design.upper().replace("/DESIGN", "/design")):
        assert fetch(site + path) == fetch(stack.site_url + path), path
    script = re.findall(r"/assets/app-[\w-]+\.js", httpx.get(site).text)[0]
    assert fetch(site + script) == fetch(stack.site_url + script)
    for path in ("/robots.txt", "/share.jpg", "/favicon.svg"):
        ours, theirs = fetch(stack.site_url + path), fetch(site + path)
        # nginx names what a response depends on only where there are several
        del ours[2]["vary"], theirs[2]["vary"]
        assert ours == theirs, path


@pytest.mark.parametrize(
    "path",
    ["/assets/gone.js", "/app.html", "/index.html", "/faq/index.html.gz", "/no-such.png"],
)
def test_static_host_has_no_file_that_our_server_has_not(site: str, stack: Stack, path: str) -> None:
    ours, theirs = httpx.get(stack.site_url + path), httpx.get(site + path)
    assert (ours.status_code, theirs.status_code) == (404, 404)
    for name in COMPARED - {"vary"}:
        assert ours.headers.get(name) == theirs.headers.get(name), name


def test_pages_of_the_static_host_are_ours_but_for_their_address(
    site: str, stack: Stack, shared_design: str
) -> None:
    for path in PAGES:
        ours = httpx.get(stack.site_url + path).text
        assert httpx.get(site + path).text == ours.replace(stack.site_url, site), path
    # a page of the function names the shop's one address, whichever host asks for it
    for path in (
        *(shared_design, "/discover", "/creator/5eed0000-0000-4000-8000-000000000006"),
        "/sitemap.xml",
        "/sitemap/0.xml",
        "/design/00000000-0000-4000-8000-00000000dead",
    ):
        wanted, found = httpx.get(stack.site_url + path), httpx.get(site + path)
        assert (found.status_code, found.text) == (wanted.status_code, wanted.text), path
        assert found.headers["etag"] == wanted.headers["etag"], path
    known = httpx.get(site + shared_design).headers["etag"]
    assert httpx.get(site + shared_design, headers={"if-none-match": known}).status_code == 304


def test_shop_runs_from_the_static_host_without_a_policy_error(
    site: str, visit: Visit, shared_design: str
) -> None:
    page = visit.page
    for path in ("/", "/discover", "/faq", "/auth", shared_design):
        page.goto(site + path)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(f"{site}/dashboard")
    expect(page).to_have_url(re.compile(r"/auth"))
    settings = json.loads(page.locator("#teesmith-env").text_content() or "{}")
    assert settings["SITE_URL"] == site
    # the fixture fails on any error in the console
    assert visit.errors == []


def test_static_host_serves_none_of_its_own_files(site: str) -> None:
    for path in ("/_headers", "/_redirects", "/nginx.conf", "/firebase.json", "/vercel.json"):
        assert httpx.get(site + path).status_code == 404, path
