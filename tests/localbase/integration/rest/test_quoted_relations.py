"""Names that need quoting: relationships of all kinds, partitions, views, composite and range types."""

from __future__ import annotations

from typing import Any

import pytest

from supabase import Client, ClientOptions, create_client
from tests.localbase.integration.rest.conftest import Api, error
from tests.support.stacks import Stack

CUSTOMERS = "/Customer Records"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?select=id:Customer ID,age,ages,stay&age=not.is.null",
         [{"id": 1, "age": 33, "ages": [1, 2], "stay": "[2024-03-01,2024-03-05)"}]),
        ('?select=home->Street Name,no:home->>"No.",homes->0->geo&Customer ID=eq.1',
         [{"Street Name": "High St", "no": "5", "geo": "(3,4)"}]),
        ('?select="a,b","c\\"d",select&select=not.is.null&Customer ID=eq.1',
         [{"a,b": "comma", 'c"d': "quote", "select": "from"}]),
        ("?select=Näme&mood=eq.it's \"bad\"", [{"Näme": "Bob"}]),
        ('?select=Customer ID&mood=in.("so,so","it\'s \\"bad\\"")&order=Customer ID',
         [{"Customer ID": 2}, {"Customer ID": 3}]),
        ("?select=Näme&visits=cs.{[2024-01-05 00:00%2B00,2024-01-06 00:00%2B00)}", [{"Näme": "Ann"}]),
        ('?select=Näme&home->>"Street Name"=like.High*', [{"Näme": "Ann"}]),
        ("?select=Näme&or=(age.gt.40,and(mood.eq.\"so,so\",Näme.eq.Ann))", [{"Näme": "Ann"}]),
        ("?select=shouted&shouted=eq.BOB", [{"shouted": "BOB"}]),
    ],
)  # fmt: skip
def test_columns_of_any_name_and_type_are_read(
    quoted: Api, query: str, expected: list[dict[str, Any]]
) -> None:
    assert quoted.rows(CUSTOMERS + query) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{CUSTOMERS}?select=Größen(*)&Customer ID=eq.2", [{"Größen": {"ID": 2, "Label.With.Dots": "large"}}]),
        ("/Größen?select=ID,Customer Records(Näme)&ID=eq.1", [{"ID": 1, "Customer Records": [{"Näme": "Ann"}]}]),
        # One to one: by the primary key, by a unique key.
        (f"{CUSTOMERS}?select=Loyalty Card(level),passports(id)&order=Customer ID",
         [{"Loyalty Card": {"level": "gold"}, "passports": {"id": 10}},
          {"Loyalty Card": {"level": "tin"}, "passports": {"id": 11}},
          {"Loyalty Card": None, "passports": None}]),
        # Two keys to one table: by column, by constraint; a key of two columns.
        ("/Shipments?select=sender(Näme),to:receiver(Näme),countries(name)&id=eq.1",
         [{"sender": {"Näme": "Ann"}, "to": {"Näme": "Bob"}, "countries": {"name": "Deutschland"}}]),
        (f"{CUSTOMERS}?select=sent:Shipments!Shipments_sender_fkey(id),got:Shipments!receiver(id)&Customer ID=eq.1",
         [{"sent": [{"id": 1}], "got": [{"id": 2}]}]),
        # A table's own rows: the many by its name, the one by the column.
        (f"{CUSTOMERS}?select=invited:Customer Records(Customer ID)&Customer ID=eq.1",
         [{"invited": [{"Customer ID": 2}, {"Customer ID": 3}]}]),
        (f'{CUSTOMERS}?select="Invited By"(Näme)&Customer ID=eq.2', [{"Invited By": {"Näme": "Ann"}}]),
        # Over a junction, through views and a view's view, from and to partitions.
        (f"{CUSTOMERS}?select=tags(word)&tags.order=word&Customer ID=eq.1",
         [{"tags": [{"word": "blue"}, {"word": "red"}]}]),
        ("/Happy Customers?select=The Name,Größen(ID),Shipments!sender(id)",
         [{"The Name": "Ann", "Größen": {"ID": 1}, "Shipments": [{"id": 1}]}]),
        ('/Happy Again?select=The Name,Größen("Label.With.Dots")',
         [{"The Name": "Ann", "Größen": {"Label.With.Dots": "small"}}]),
        ("/refunds?select=Sales(cents,Customer Records(Näme))",
         [{"Sales": {"cents": 200, "Customer Records": {"Näme": "Ann"}}}]),
        ("/Sales?select=id,refunds!inner(reason)", [{"id": 2, "refunds": [{"reason": "torn"}]}]),
        ("/Sales?select=id,refunds()&refunds=is.null&order=id", [{"id": 1}, {"id": 3}]),
        # By functions: to one, to many.
        (f"{CUSTOMERS}?select=Newest Sale(id),same name(Customer ID)&Customer ID=eq.1",
         [{"Newest Sale": {"id": 2}, "same name": [{"Customer ID": 1}, {"Customer ID": 3}]}]),
        (f"{CUSTOMERS}?select=Customer ID,Newest Sale(cents)&order=Newest Sale(cents).desc.nullslast",
         [{"Customer ID": 2, "Newest Sale": {"cents": 300}}, {"Customer ID": 1, "Newest Sale": {"cents": 200}},
          {"Customer ID": 3, "Newest Sale": None}]),
        (f"{CUSTOMERS}?select=Näme,Newest Sale!inner()&Newest Sale.cents=gt.250", [{"Näme": "Bob"}]),
        ("/Everyone?order=id,name&limit=2", [{"id": 1, "name": "Ann"}, {"id": 1, "name": "red"}]),
        ("/Sales by Day?select=sold_on&cents=gte.300", [{"sold_on": "2026-01-01"}]),
    ],
)  # fmt: skip
def test_relationships_of_every_kind_are_embedded(
    quoted: Api, path: str, expected: list[dict[str, Any]]
) -> None:
    assert quoted.rows(path) == expected


@pytest.mark.parametrize(
    "path",
    [
        # What upstream leaves to functions: a table's own rows one to one, and many to many.
        "/passports?select=id,replaces(id)",
        "/passports?select=id,passports(id)",
        f"{CUSTOMERS}?select=Customer Records!friendships(Näme)",
    ],
)
def test_other_self_relationships_need_a_function(quoted: Api, path: str) -> None:
    status, body = error(quoted.get(path))
    assert (status, body["code"]) == (400, "PGRST200")


def test_ambiguous_relationships_are_listed_in_upstreams_order(quoted: Api) -> None:
    status, body = error(quoted.get("/Shipments?select=Customer Records(Näme)"))
    assert (status, body["code"]) == (300, "PGRST201")
    assert [way["relationship"] for way in body["details"]] == [
        f"Shipments_{column}_fkey using Shipments({column}) and Customer Records(Customer ID)"
        for column in ("receiver", "sender")
    ]
    # The plain foreign key goes before the way over the junction.
    ways = error(quoted.get(f"{CUSTOMERS}?select=Shipments(id)"))[1]["details"]
    assert {way["cardinality"] for way in ways} == {"one-to-many"}


def test_partition_is_no_relation_of_its_own(quoted: Api) -> None:
    assert error(quoted.get("/Sales 2024"))[1]["code"] == "PGRST205"


def test_schemas_and_headers_may_have_letters_of_any_script(quoted: Api) -> None:
    response = quoted.get(CUSTOMERS, accept_profile="über.zwei".encode())
    assert response.json() == [{"id": 1, "Ü": "ä"}]
    assert response.headers.raw.count((b"content-profile", "über.zwei".encode())) == 1
    located = quoted.get("/Größen?ID=eq.1")
    assert (b"content-location", "/Größen?ID=eq.1".encode()) in located.headers.raw
    status, body = error(quoted.get(CUSTOMERS, accept_profile="nope"))
    assert (status, body["hint"]) == (406, "Only the following schemas are exposed: Weird Shop, über.zwei")


def test_embedded_rows_come_as_jsonb(quoted: Api) -> None:
    # Upstream's cast to jsonb determines the order of keys: the shorter first.
    text = quoted.get(f'{CUSTOMERS}?select=Größen("Label.With.Dots",ID)&Customer ID=eq.1').text
    assert text == '[{"Größen":{"ID": 1, "Label.With.Dots": "small"}}]'


def test_keys_of_two_columns_identity_and_generated_columns_are_written(quoted: Api) -> None:
    made = quoted.request(
        *("POST", "/Sales"),
        json={"id": 50, "sold_on": "2024-01-01", "customer": 1, "cents": 5},
        prefer="return=headers-only",
    )
    assert (made.status_code, made.headers["location"]) == (201, "/Sales?id=eq.50&sold_on=eq.2024-01-01")
    target = "/Sales?id=eq.50&sold_on=eq.2024-01-01"
    put = quoted.request(
        *("PUT", target),
        json={"id": 50, "sold_on": "2024-01-01", "customer": 1, "cents": 6},
        prefer="return=representation",
    )
    assert (put.status_code, put.json()[0]["cents"]) == (200, 6)
    assert error(quoted.request("PUT", "/Sales?id=eq.50", json={"id": 50}))[1]["code"] == "PGRST105"
    assert quoted.request("DELETE", target).status_code == 204
    status, body = error(quoted.request("POST", "/Größen", json={"ID": 77, "Label.With.Dots": "x"}))
    assert (status, body["code"]) == (400, "428C9")


def test_changes_return_computed_columns_and_relationships(quoted: Api) -> None:
    made = quoted.request("POST", CUSTOMERS, json={"Näme": "Zoë"}, prefer="return=headers-only")
    target = f"{CUSTOMERS}?Näme=eq.Zoë"
    try:
        assert made.headers["location"].startswith("/Customer%20Records?Customer%20ID=eq.")
        changed = quoted.request(
            *("PATCH", f"{target}&select=Näme,Newest Sale(id),same name(Näme),shouted"),
            json={"select": "changed"},
            prefer="return=representation",
        )
        assert changed.json() == [
            {"Näme": "Zoë", "shouted": "ZOË", "Newest Sale": None, "same name": [{"Näme": "Zoë"}]}
        ]
    finally:
        assert quoted.request("DELETE", target, prefer="count=exact").headers["content-range"] == "*/1"


def test_trigger_writes_through_a_view(quoted: Api) -> None:
    made = quoted.request(
        "POST", "/Written Through", json={"id": 5, "word": "five"}, prefer="return=representation"
    )
    assert (made.status_code, made.json()) == (201, [{"id": 5, "word": "five"}])
    assert quoted.request("DELETE", "/tags?id=eq.5", prefer="return=representation").json() == [
        {"id": 5, "word": "FIVE"}
    ]
    assert error(quoted.request("POST", "/Everyone", json={"id": 1}))[0] == 500


def test_foreign_roles_have_their_own_columns_rows_and_settings(quoted: Api) -> None:
    assert quoted.rows(f"{CUSTOMERS}?select=Näme&Customer ID=eq.2", role="visitor") == [{"Näme": "Bob"}]
    status, body = error(quoted.get(CUSTOMERS, role="visitor"))
    assert (status, body["message"]) == (403, "permission denied for table Customer Records")
    assert [row["id"] for row in quoted.rows("/paints?select=id&order=id", role="visitor")] == [2, 3]
    assert (
        error(quoted.request("POST", "/paints", json={"id": 200}, role="Shop Keeper"))[1]["code"] == "42501"
    )


def test_values_quoted_by_the_official_client_are_read(quoted_names_stack: Stack) -> None:
    options = ClientOptions(auto_refresh_token=False, persist_session=False, schema="Weird Shop")
    client: Client = create_client(quoted_names_stack.api_url, quoted_names_stack.secret_key, options)
    rows = (
        client.table("Customer Records")
        .select('"Näme", Größen("Label.With.Dots"), tags!inner(word)')
        .in_("mood", ["so,so", 'it\'s "bad"', "very happy"])
        .eq("tags.word", "red")
        .order("Customer ID", desc=True)
        .execute()
    )
    assert rows.data == [{"Näme": "Ann", "Größen": {"Label.With.Dots": "small"}, "tags": [{"word": "red"}]}]
    assert client.rpc("Add Up", {"a": 1, "b c": 2}).execute().data == 3
