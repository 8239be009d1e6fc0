"""Pages with data as robots read them: from the site, drawn by the function, without a browser."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.shop.integration.functions.conftest import Functions
from tests.support.stacks import Stack
from tests.support.users import Person, Users

ROBOTS = (
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
)
HOSTILE = "</script><script>alert(1)</script> \"'&<!-- __design_id__"
# a PNG of one pixel
SQUARE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


class Site:
    """Requests to the site."""

    def __init__(self, stack: Stack) -> None:
        self._http = httpx.Client(base_url=stack.site_url, timeout=30)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._http.get(
            path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )


@pytest.fixture(scope="module")
def site(stack: Stack) -> Site:
    return Site(stack)


@pytest.fixture
def owner(users: Users, functions: Functions) -> Iterator[Person]:
    """Their designs leave the gallery with the test."""
    person = users.new("maker")
    yield person
    functions.sql("delete from designs where user_id = %s", person.id)


def save(functions: Functions, owner: Person, name: str, product: str = "product/1") -> str:
    """A design that has been made at the printer's; its id."""
    (row,) = functions.sql(
        "insert into designs (user_id, name, image_data, printify_product_id, selected_colors) select %s, %s, 'aGk=', "
        "%s, array[(select id from product_variants where name like 'Navy - %%' limit 1)] returning id",
        owner.id,
        name,
        product,
    )
    return str(row["id"])


def publish(functions: Functions, owner: Person, design: str, creator: str = "Inky") -> None:
    functions.sql("update private.profiles set public_name = %s where id = %s", creator, owner.id)
    functions.sql("insert into public_designs (design_id, user_id) values (%s, %s)", design, owner.id)


def metas(page: str) -> dict[str, str]:
    tags = re.findall(r'<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"', page)
    return {name: html.unescape(content) for name, content in tags}


def things(page: str) -> dict[str, dict[str, Any]]:
    (text,) = _DATA.findall(page)
    return {thing["@type"]: thing for thing in json.loads(text)["@graph"]}


@pytest.mark.parametrize("robot", ROBOTS)
def test_public_designs_page_holds_everything_in_its_first_html(
    robot: str, site: Site, functions: Functions, stack: Stack, owner: Person
) -> None:
    design = save(functions, owner, "A fox on a bicycle")
    publish(functions, owner, design)
    response = site.get(f"/design/{design}", user_agent=robot)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "public, max-age=0, s-maxage=60"
    assert "x-robots-tag" not in response.headers
    page, address = response.text, f"{stack.site_url}/design/{design}"
    assert "<title>A fox on a bicycle · Teesmith</title>" in page
    assert f'<link rel="canonical" href="{address}" />' in page
    found = metas(page)
    assert found["description"].startswith(
        "A fox on a bicycle: a t-shirt with a design by Inky, printed to order for $19.90, in Black, "
    )
    assert found["og:url"] == address
    assert found["og:title"] == "A fox on a bicycle · Teesmith"
    assert found["twitter:card"] == "summary_large_image"
    assert "robots" not in found
    assert re.search(r"<h1[^>]*>A fox on a bicycle</h1>", page)
    assert re.search(
        r'<img src="[^"]*/mockup/product%2F1/\d+/102048/mockup.jpg\?s=800" alt="A fox on a bicycle"', page
    )
    product, crumbs = (things(page)[name] for name in ("Product", "BreadcrumbList"))
    assert (product["name"], product["offers"]["price"]) == ("A fox on a bicycle", "19.90")
    assert product["offers"]["url"] == address
    assert crumbs["itemListElement"][-1]["name"] == "A fox on a bicycle"
    assert not re.search(r"__[a-z_]+__", re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL))


def test_gallery_lists_its_newest_designs_for_search_engines(
    site: Site, functions: Functions, stack: Stack, owner: Person
) -> None:
    designs = [save(functions, owner, name) for name in ("The older fox", HOSTILE)]
    for design in designs:
        publish(functions, owner, design)
    response = site.get("/discover")
    assert (response.status_code, response.headers["cache-control"]) == (
        200,
        "public, max-age=0, s-maxage=60",
    )
    assert f'<link rel="canonical" href="{stack.site_url}/discover" />' in response.text
    (listed,) = (json.loads(text) for text in _DATA.findall(response.text))
    items = listed["itemListElement"]
    addresses = [f"{stack.site_url}/design/{each}" for each in reversed(designs)]
    assert (listed["@type"], [each["url"] for each in items[:2]]) == ("ItemList", addresses)
    assert [each["position"] for each in items] == [str(place) for place in range(1, 25)]
    assert (items[0]["name"], "<script>alert(1)" in response.text) == (HOSTILE, False)
    functions.sql("delete from public_designs where design_id = %s", designs[1])
    changed = site.get("/discover", if_none_match=response.headers["etag"])
    assert (changed.status_code, "alert(1)" in changed.text) == (200, False)
    assert site.get("/discover", if_none_match=changed.headers["etag"]).status_code == 304


def test_creators_page_has_name_and_designs_and_is_missing_without_any(
    site: Site, functions: Functions, stack: Stack, owner: Person
) -> None:
    path, design = f"/creator/{owner.id}", save(functions, owner, "A fox on a bicycle")
    assert site.get(path).status_code == 404
    publish(functions, owner, design, creator="<b>Inky</b>")
    response = site.get(path)
    assert response.status_code == 200
    assert "<title>Designs by &lt;b&gt;Inky&lt;/b&gt; · Teesmith</title>" in response.text
    assert f'<link rel="canonical" href="{stack.site_url}{path}" />' in response.text
    assert metas(response.text)["description"].startswith("Designs by <b>Inky</b>, made at Teesmith: ")
    assert re.search(r"<h1[^>]*>&lt;b&gt;Inky&lt;/b&gt;</h1>", response.text)
    assert "<b>Inky" not in response.text
    found = things(response.text)
    assert found["ProfilePage"]["mainEntity"]["name"] == "<b>Inky</b>"
    (listed,) = found["ItemList"]["itemListElement"]
    assert (listed["name"], listed["url"]) == ("A fox on a bicycle", f"{stack.site_url}/design/{design}")
    functions.sql("delete from public_designs where design_id = %s", design)
    gone = site.get(path, if_none_match=response.headers["etag"])
    assert (gone.status_code, gone.headers["x-robots-tag"]) == (404, "noindex")
    assert metas(gone.text)["robots"] == "noindex"
    assert "Nobody with designs in our gallery" in gone.text
    assert owner.id not in gone.text


def test_names_of_people_and_designs_are_text_wherever_they_stand(
    site: Site, functions: Functions, owner: Person
) -> None:
    design = save(functions, owner, HOSTILE)
    publish(functions, owner, design, creator="<b>Inky</b>")
    page = site.get(f"/design/{design}").text
    assert "<script>alert(1)" not in page
    assert "<b>Inky" not in page
    assert f'alt="{html.escape(HOSTILE)}"' in page
    product = things(page)["Product"]
    assert product["name"] == HOSTILE[:60]
    assert "<b>Inky</b>" in product["description"]


def test_private_designs_page_is_the_same_for_every_design(
    site: Site, functions: Functions, owner: Person
) -> None:
    pages = []
    for name in ("A secret fox", "Another secret"):
        response = site.get(f"/design/{save(functions, owner, name)}")
        assert (response.status_code, response.headers["x-robots-tag"]) == (200, "noindex")
        assert metas(response.text)["robots"] == "noindex"
        assert "canonical" not in response.text
        assert name not in response.text
        pages.append((response.text, response.headers["etag"]))
    assert pages[0] == pages[1]


def test_missing_design_is_404_and_one_taken_down_is_410_each_with_its_page(
    site: Site, functions: Functions, owner: Person
) -> None:
    design = save(functions, owner, "Not ours to print")
    publish(functions, owner, design)
    functions.sql("delete from public_designs where design_id = %s", design)
    functions.sql(
        "insert into private.design_takedowns (design_id, design_name, owner_id, decision, reason) "
        "values (%s, 'x', %s, 'take_down', 'copyright')",
        design,
        owner.id,
    )
    gone = site.get(f"/design/{design}")
    assert (gone.status_code, gone.headers["x-robots-tag"]) == (410, "noindex")
    assert "We took this design off the press." in gone.text
    assert metas(gone.text)["teesmith-removed"] == design
    assert "Not ours" not in gone.text
    missing = site.get("/design/00000000-0000-4000-8000-00000000dead")
    assert (missing.status_code, missing.headers["x-robots-tag"]) == (404, "noindex")
    assert "This design might have been removed or made private." in missing.text


def test_ended_link_is_404_without_its_key(site: Site, functions: Functions, owner: Person) -> None:
    design = save(functions, owner, "For friends")
    key = str(
        functions.sql("insert into private.design_links (design_id) values (%s) returning key", design)[0][
            "key"
        ]
    )
    assert site.get(f"/design/{design}").status_code == 404
    assert site.get(f"/design/{design}?key={key}x").status_code == 404
    assert site.get(f"/design/{design}?key={key}").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("latest", "00000000-0000-4000-8000-00000000000", "%00", "%2e%2e%2f", "'; drop table designs;--"),
        *("%ED%A0%80", "x" * 5000, "__design_id__"),
    ],
)
def test_address_that_is_no_designs_is_not_found(path: str, site: Site, functions: Functions) -> None:
    for kind, text in (("design", "This design might have been removed"), ("creator", "Nobody with designs")):
        assert site.get(f"/{kind}/{path}").status_code == 404
        response = functions.get(f"design-page?path=/{kind}/{path}")
        assert response.status_code == 404
        assert text in response.text


def test_malformed_key_opens_what_the_bare_link_opens(
    site: Site, functions: Functions, owner: Person
) -> None:
    design = save(functions, owner, "Plain link")
    for key in ("%00", "%ED%A0%80", "x" * 5000, "'"):
        assert site.get(f"/design/{design}?key={key}").status_code == 200


def test_unchanged_page_is_304_and_a_new_name_a_new_page_at_once(
    site: Site, functions: Functions, owner: Person
) -> None:
    design = save(functions, owner, "First name")
    publish(functions, owner, design)
    first = site.get(f"/design/{design}")
    again = site.get(f"/design/{design}", if_none_match=first.headers["etag"])
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    functions.sql("update designs set name = 'Second name' where id = %s", design)
    renamed = site.get(f"/design/{design}", if_none_match=first.headers["etag"])
    assert renamed.status_code == 200
    assert "Second name" in renamed.text
    functions.sql("delete from public_designs where design_id = %s", design)
    taken_back = site.get(f"/design/{design}", if_none_match=renamed.headers["etag"])
    assert taken_back.headers["x-robots-tag"] == "noindex"
    assert "Second name" not in taken_back.text


def test_only_get_and_head_are_answered(functions: Functions, stack: Stack) -> None:
    assert functions.error_of("design-page", {}) == (405, "method_not_allowed")
    head = httpx.head(f"{stack.api_url}/functions/v1/design-page?path=/sitemap.xml")
    assert (head.status_code, head.content) == (200, b"")


def test_picture_of_a_link_is_made_at_the_first_request_and_goes_with_the_publication(
    site: Site, functions: Functions, stack: Stack, owner: Person
) -> None:
    (made,) = functions.sql(
        "select printify_product_id as id from designs where printify_product_id is not null limit 1"
    )
    design = save(functions, owner, "A fox to send", product=str(made["id"]))
    assert site.get(f"/design/{design}/share.jpg").status_code == 404
    publish(functions, owner, design)
    address = metas(site.get(f"/design/{design}").text)["og:image"]
    assert address == f"{stack.site_url}/design/{design}/share.jpg"
    response = site.get(f"/design/{design}/share.jpg")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
    assert response.headers["cache-control"] == "public, max-age=0, s-maxage=3600"
    with Image.open(io.BytesIO(response.content)) as picture:
        assert picture.size == (1200, 630)
    (publication,) = functions.sql("select id from public_designs where design_id = %s", design)
    name = f"{publication['id']}.jpg"
    stored = f"{stack.api_url}/storage/v1/object/public/link-pictures/{name}"
    assert httpx.get(stored).content == response.content
    # one that the printer has not: its own picture, on a shirt that is drawn
    unknown = save(functions, owner, "A square", product="of/nobody")
    functions.sql("update designs set image_data = %s where id = %s", SQUARE, unknown)
    publish(functions, owner, unknown)
    drawn = functions.get(f"design-page?path=/design/{unknown}/share.jpg")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/jpeg")
    functions.sql("delete from public_designs where design_id = %s", design)
    assert site.get(f"/design/{design}/share.jpg").status_code == 404
    assert functions.sweep()["failed_objects"] == 0
    assert httpx.get(stored).status_code == 400
