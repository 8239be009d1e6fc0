"""The site's list of addresses: every page and every public design, and no other."""

from __future__ import annotations

import itertools
import re

import httpx
import pytest
from _shared.clients.database import Database
from _shared.clients.supabase_api import connect
from _shared.core.outgoing import OutgoingTransport
from _shared.pages.sitemap import Sitemaps

from tests.shop.integration.functions.conftest import Functions
from tests.support.stacks import Stack


def addresses(text: str) -> list[str]:
    return re.findall(r"<loc>([^<]+)</loc>", text)


def test_sitemap_lists_the_pages_and_all_public_designs(functions: Functions, stack: Stack) -> None:
    with httpx.Client(base_url=stack.site_url, timeout=30) as client:
        index = client.get("/sitemap.xml")
        assert index.headers["content-type"] == "application/xml; charset=utf-8"
        files = addresses(index.text)
        assert files[0] == f"{stack.site_url}/sitemap/0.xml"
        listed = [address for file in files for address in addresses(client.get(file).text)]
        assert f"Sitemap: {stack.site_url}/sitemap.xml" in client.get("/robots.txt").text
        for address in listed[:6]:
            assert client.get(address).status_code == 200, address
    public = functions.sql("select design_id from public_designs")
    assert {f"{stack.site_url}/design/{row['design_id']}" for row in public} <= set(listed)
    assert len(listed) == len(set(listed))


def test_files_are_cut_by_time_and_hold_each_design_once(functions: Functions, stack: Stack) -> None:
    supabase = connect(stack.api_url, stack.service_role_key, lambda vendor: OutgoingTransport(vendor))
    sitemaps = Sitemaps(Database(supabase), "https://shop.example", most=7)

    def text(path: str) -> str:
        page = sitemaps.page(path)
        assert page
        return page.body.decode()

    files = addresses(text("/sitemap.xml"))
    assert len(files) > 3
    lists = [addresses(text(file.removeprefix("https://shop.example"))) for file in files[1:]]
    # one moment's designs are in one file, so a file of the sample's designs may begin with those of the last
    assert all(0 < len(each) <= 7 for each in lists)
    for earlier, later in itertools.pairwise(files):
        assert int(earlier.rpartition("/")[2][:-4]) < int(later.rpartition("/")[2][:-4])


@pytest.mark.parametrize(
    "path", ["/sitemap/x.xml", "/sitemap/-1.xml", "/sitemap/99999999999999999.xml", "/sitemap"]
)
def test_file_that_is_none_is_not_found(path: str, stack: Stack) -> None:
    assert httpx.get(f"{stack.site_url}{path}").status_code == 404


def test_file_of_the_future_is_empty(stack: Stack) -> None:
    response = httpx.get(f"{stack.site_url}/sitemap/9999999999999999.xml", timeout=30)
    assert (response.status_code, addresses(response.text)) == (200, [])
