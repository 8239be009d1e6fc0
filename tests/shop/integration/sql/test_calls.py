"""The specification's own database calls (section 7), unchanged, through the official client."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from postgrest import APIError, CountMethod
from postgrest.types import ReturnMethod

from tests.support.users import Person, Users

Json = dict[str, Any]
PROFILE = "id, username, name, is_admin, public_name"


def rows(query: Any) -> list[Json]:
    records: list[Json] = query.execute().data
    return records


@pytest.fixture(scope="module")
def artist(users: Users) -> Person:
    """A user who publishes designs."""
    person = users.new("artist")
    person.client.table("profiles").update({"public_name": "Inky"}).eq("id", person.id).execute()
    return person


@pytest.fixture(scope="module")
def visitor(users: Users) -> Person:
    return users.new("visitor")


def publish(person: Person, name: str) -> str:
    row = {
        "user_id": person.id,
        "name": name,
        "image_data": "aGk=",
        "thumbnail_data": "aGk=",
        "selected_colors": [str(uuid4())],
    }
    (saved,) = rows(person.client.table("designs").insert(row).select("id"))
    person.client.table("public_designs").insert({"design_id": saved["id"], "user_id": person.id}).execute()
    return str(saved["id"])


def test_seeded_users_sign_in(users: Users) -> None:
    for email, is_admin in (("shopper@teesmith.example", False), ("admin@teesmith.example", True)):
        person = users.sign_in(email, "teesmith-demo")
        (profile,) = rows(person.client.table("profiles").select(PROFILE).eq("id", person.id))
        assert profile["is_admin"] is is_admin


def test_profile_is_read_and_updated(visitor: Person) -> None:
    table = visitor.client.table("profiles")
    table.update({"username": "vee", "name": "Vee", "public_name": "V"}).eq("id", visitor.id).execute()
    assert rows(visitor.client.table("profiles").select(PROFILE).eq("id", visitor.id)) == [
        {"id": visitor.id, "username": "vee", "name": "Vee", "is_admin": False, "public_name": "V"}
    ]


def test_admin_grants_admin_rights_by_an_update(users: Users) -> None:
    admin, other = users.new("boss", admin=True), users.new("helper")
    changed = rows(admin.client.table("profiles").update({"is_admin": True}).eq("id", other.id))
    assert [row["is_admin"] for row in changed] == [True]
    with pytest.raises(APIError) as caught:
        visitor = users.new("climber")
        visitor.client.table("profiles").update({"is_admin": True}).eq("id", visitor.id).execute()
    assert caught.value.code == "42501"


def test_dashboard_query_returns_a_page_of_seven(visitor: Person) -> None:
    for number in range(9):
        row = {"user_id": visitor.id, "name": f"Design {number}", "thumbnail_data": "", "selected_colors": []}
        visitor.client.table("designs").insert(row).execute()
    query = visitor.client.table("designs").select("*", count=CountMethod.exact).eq("user_id", visitor.id)
    page = query.order("created_at", desc=True).range(7, 13).execute()
    assert page.count == 9
    names: Any = page.data
    assert [row["name"] for row in names] == ["Design 1", "Design 0"]


def test_design_is_renamed_and_deleted(visitor: Person) -> None:
    table = visitor.client.table("designs")
    (made,) = rows(table.insert({"user_id": visitor.id, "name": "Old", "selected_colors": []}).select("id"))
    change = {"name": "New", "updated_at": "2026-01-01T00:00:00Z"}
    visitor.client.table("designs").update(change).eq("id", made["id"]).execute()
    assert rows(visitor.client.table("designs").select("name").eq("id", made["id"])) == [{"name": "New"}]
    visitor.client.table("designs").delete().eq("id", made["id"]).execute()
    assert rows(visitor.client.table("designs").select("name").eq("id", made["id"])) == []


def test_gallery_query_works_for_visitors_and_users(users: Users, artist: Person, visitor: Person) -> None:
    word = f"Zebra{uuid4().hex[:8]}"
    design = publish(artist, f"A {word} in the rain")
    visitor.client.table("design_likes").insert({"design_id": design, "user_id": visitor.id}).execute()
    columns = (
        "id, design_id, user_id, created_at, "
        "designs!inner(id, name, thumbnail_data, printify_product_id, selected_colors, created_at)"
    )
    for client in (users.anonymous, visitor.client):
        query = client.table("public_designs").select(columns, count=CountMethod.exact)
        whole = query.order("created_at", desc=True).range(0, 23).execute()
        assert (whole.count or 0) >= 1
        search = client.rpc(
            "search_public_designs", {"search": word.lower()}, count=CountMethod.exact, get=True
        )
        page = search.select(columns).order("created_at", desc=True).range(0, 23).execute()
        assert page.count == 1
        designs: Any = page.data
        assert (designs[0]["designs"]["name"], designs[0]["user_id"]) == (f"A {word} in the rain", artist.id)
        creators = rows(client.table("profiles").select("id, public_name").in_("id", [artist.id, visitor.id]))
        assert {"id": artist.id, "public_name": "Inky"} in creators
        assert rows(client.table("design_likes").select("design_id").in_("design_id", [design])) == [
            {"design_id": design}
        ]
    mine = visitor.client.table("design_likes").select("design_id").eq("user_id", visitor.id)
    assert rows(mine) == [{"design_id": design}]
    own = visitor.client.table("design_likes").delete().eq("design_id", design).eq("user_id", visitor.id)
    assert len(rows(own)) == 1


def test_search_finds_public_designs_and_escapes_wildcards(users: Users, artist: Person) -> None:
    word = f"Okapi{uuid4().hex[:8]}"
    percent = publish(artist, f"{word} 100%_sure \\o/")
    publish(artist, f"{word} 100 times sure")
    private = {"user_id": artist.id, "name": f"{word} in private", "selected_colors": []}
    artist.client.table("designs").insert(private).execute()

    def matching_designs(search: str) -> list[str]:
        response = users.anonymous.rpc("search_public_designs", {"search": search}).select("design_id")
        return [row["design_id"] for row in rows(response)]

    assert len(matching_designs(word.upper())) == 2
    assert matching_designs(f"{word} 100%") == [percent]
    assert matching_designs("%_SURE \\o/")[:1] == [percent]
    assert matching_designs(f"{word}_100") == []


def test_shared_design_is_read_by_its_link(users: Users, artist: Person) -> None:
    (made,) = rows(
        artist.client.table("designs").insert(
            {"user_id": artist.id, "name": "Private", "selected_colors": []}
        )
    )
    assert rows(users.anonymous.table("designs").select("id").eq("id", made["id"])) == []
    shared = rows(users.anonymous.rpc("get_shared_design", {"id": made["id"]}))
    assert shared == [
        {
            "id": made["id"],
            "name": "Private",
            "image_data": None,
            "thumbnail_data": None,
            "image_url": None,
            "selected_colors": [],
            "created_at": made["created_at"],
            "is_public": False,
            "published_at": None,
            "creator_name": "Inky",
            "is_owner": False,
        }
    ]
    name: Any = (
        users.anonymous.rpc("get_design_creator_public_name", {"creator_user_id": artist.id}).execute().data
    )
    assert name == "Inky"


def test_addresses_are_listed_with_the_default_first(visitor: Person) -> None:
    address = {
        "user_id": visitor.id, "first_name": "Vee", "last_name": "Lee", "email": "v@example.com",
        "phone_country_code": "+1", "phone": "555", "country": "US", "region": None, "address1": "1 Main",
        "address2": None, "city": "LA", "zip": "90210", "is_default": False,
    }  # fmt: skip
    (saved,) = rows(visitor.client.table("user_addresses").insert(address))
    query = visitor.client.table("user_addresses").select("*").eq("user_id", visitor.id)
    assert rows(query.order("is_default", desc=True).order("created_at", desc=True)) == [saved]


def test_catalog_is_read_by_name(users: Users) -> None:
    columns = "id, name, color_hex, printify_variant_id"
    variants = rows(users.anonymous.table("product_variants").select(columns).order("name"))
    assert len(variants) == 112
    one = (
        users.anonymous.table("product_variants")
        .select("id, name, printify_variant_id")
        .eq("id", variants[0]["id"])
    )
    assert rows(one)[0]["name"] == variants[0]["name"]


def test_sign_in_is_recorded(visitor: Person) -> None:
    row = {"user_id": visitor.id, "login_at": "2026-11-20T10:00:00Z", "user_agent": "Firefox"}
    # a browser may not read the row, so it does not request its return
    visitor.client.table("user_sessions").insert(row, returning=ReturnMethod.minimal).execute()


def test_admin_lists_are_read(users: Users, artist: Person) -> None:
    admin = users.new("chief", admin=True)
    orders = (
        admin.client.table("orders")
        .select("id, total, status, created_at, shipping_address, order_items(*)")
        .not_.is_("printify_order_id", "null")
        .order("created_at", desc=True)
        .limit(50)
    )
    assert isinstance(rows(orders), list)
    publish(artist, "For the admin")
    designs = admin.client.table("designs").select(
        "id, name, created_at, user_id, image_url, printify_product_id"
    )
    newest = rows(designs.order("created_at", desc=True).limit(50))
    creators = rows(admin.client.table("profiles").select("id, name, username").in_("id", [artist.id]))
    assert newest[0]["user_id"] == artist.id
    assert creators[0]["username"].startswith("artist-")
    figures: Any = admin.client.rpc("get_user_analytics", {}).execute().data
    assert {"user_id", "total_spent", "avg_session_duration_minutes", "last_login"} <= set(figures[0])
    with pytest.raises(APIError) as caught:
        artist.client.rpc("get_user_analytics", {}).execute()
    assert caught.value.code == "42501"


def test_orders_are_read_with_their_items(visitor: Person) -> None:
    listed = visitor.client.table("orders").select("id, total, status, created_at").eq("user_id", visitor.id)
    assert rows(listed.order("created_at", desc=True)) == []
    with pytest.raises(APIError) as caught:
        one = visitor.client.table("orders").select("*, order_items(*)").eq("id", str(uuid4()))
        one.eq("user_id", visitor.id).single().execute()
    assert caught.value.code == "PGRST116"
