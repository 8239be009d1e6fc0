"""What a robot reads of a page, which runs no script: its own address, its description, structured data."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import httpx
import pytest

from tests.support.stacks import Stack

TEXTS = ("/faq", "/privacy-policy", "/terms-of-service", "/return-policy", "/accessibility")
OWN = ("/", *TEXTS, "/discover", "/auth", "/signup")
NOBODYS = ("/nowhere", "/dashboard", "/order", "/design/00000000-0000-4000-8000-000000000000")
_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def pages(stack: Stack) -> dict[str, str]:
    with httpx.Client(base_url=stack.site_url) as client:
        return {path: client.get(path).text for path in (*OWN, *NOBODYS)}


def metas(page: str) -> dict[str, str]:
    """The contents of a page's `meta` tags, by name or property."""
    tags = re.findall(r'<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"', page)
    return {name: html.unescape(content) for name, content in tags}


def data_of(page: str) -> list[dict[str, Any]]:
    return [json.loads(text) for text in _DATA.findall(page)]


def test_each_page_names_its_own_address(pages: dict[str, str], stack: Stack) -> None:
    for path in OWN:
        assert re.findall(r'<link rel="canonical" href="([^"]*)"', pages[path]) == [stack.site_url + path]
        assert metas(pages[path])["og:url"] == stack.site_url + path
    for path in NOBODYS:
        assert "canonical" not in pages[path], path
        assert "og:url" not in metas(pages[path]), path
    assert "SITE_URL/" not in "".join(pages.values())


def test_pages_have_descriptions_of_their_own(pages: dict[str, str]) -> None:
    found = [metas(pages[path])["description"] for path in OWN]
    assert len(set(found)) == len(OWN)
    assert found == [metas(pages[path])["og:description"] for path in OWN]


def test_help_page_tells_every_question_that_it_shows(pages: dict[str, str]) -> None:
    (data,) = data_of(pages["/faq"])
    assert data["@type"] == "FAQPage"
    shown = re.sub(r"<[^>]+>", "", re.sub(r"<script.*?</script>", "", pages["/faq"], flags=re.DOTALL))
    shown = html.unescape(shown)
    assert len(data["mainEntity"]) == pages["/faq"].count("<details")
    for question in data["mainEntity"]:
        assert question["name"] in shown
        assert question["acceptedAnswer"]["text"] in shown


def test_landing_page_tells_whose_it_is(pages: dict[str, str], stack: Stack) -> None:
    (data,) = data_of(pages["/"])
    shop, site = data["@graph"]
    assert (shop["@type"], shop["url"], site["url"]) == (
        "OnlineStore",
        f"{stack.site_url}/",
        f"{stack.site_url}/",
    )
    assert site["publisher"]["@id"] == shop["@id"]
    assert httpx.get(shop["logo"]).headers["content-type"] == "image/png"
