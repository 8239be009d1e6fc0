"""Reading a relation: columns, casts, paths, filters, order, and every operator on real rows."""

from __future__ import annotations

import pytest

from tests.localbase.integration.rest.conftest import Api, error


def test_rows_have_content_range_type_profile_and_location(api: Api) -> None:
    response = api.get("/genres?select=id,name&order=id&id=lt.3")
    assert response.status_code == 200
    assert response.json() == [{"id": 1, "name": "poetry"}, {"id": 2, "name": "novel"}]
    assert response.headers["content-range"] == "0-1/*"
    assert response.headers["content-type"] == "application/json; charset=utf-8"
    assert response.headers["content-profile"] == "public"
    assert response.headers["content-location"] == "/genres?id=lt.3&order=id&select=id%2Cname"
    assert response.headers["vary"] == "Accept, Prefer, Range"


@pytest.mark.parametrize(
    ("select", "row"),
    [
        ("title,n:price::int", {"title": "River Songs", "n": 11}),
        ("details->lang,size:details->sizes->1", {"lang": "en", "size": 2}),
        ("details->>lang", {"lang": "en"}),
        ("price::text", {"price": "10.50"}),
        ("id,...shelves(kind)", {"id": 1, "kind": "fiction"}),
        ("published", {"published": '["2001-01-01 00:00:00+00","2010-01-01 00:00:00+00")'}),
    ],
)
def test_columns_are_cast_renamed_and_reached_by_path(api: Api, select: str, row: dict[str, object]) -> None:
    assert api.rows(f"/books?select={select}&id=eq.1") == [row]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("id=eq.1", [1]),
        ("id=neq.1", [2, 3, 4, 5]),
        ("id=gt.3", [4, 5]),
        ("id=gte.3", [3, 4, 5]),
        ("id=lt.2", [1]),
        ("id=lte.2", [1, 2]),
        ("id=in.(1,5,99)", [1, 5]),
        ("id=not.in.(1,5)", [2, 3, 4]),
        ("id=in.()", []),
        ("id=eq(any).{1,2}", [1, 2]),
        ("id=gt(all).{1,3}", [4, 5]),
        ("title=like.*Song*", [1]),
        ("title=ilike.*s*", [1, 3, 4]),
        ("title=not.ilike.*s*", [2, 5]),
        ("title=like(any).{River*,Salt}", [1, 3]),
        ("title=match.^[RS]", [1, 3]),
        ("title=imatch.^r", [1]),
        ('title=in.("Untitled, \\"perhaps\\"",Salt)', [3, 4]),
        ("title=eq.100%25 Wool (a_b)", [5]),
        ("in_print=is.true", [1, 3, 5]),
        ("in_print=is.false", [2]),
        ("in_print=is.null", [4]),
        ("in_print=not.is.true", [2, 4]),
        ("price=is.not_null", [1, 2, 3, 5]),
        ("isbn=isdistinct.1111111111111", [2, 3, 4, 5]),
        ("published=ov.[2006-01-01,2007-01-01)", [1, 2]),
        ("published=cs.[2006-01-01,2007-01-01)", [1, 2]),
        ("published=cd.[2000-01-01,2011-01-01)", [1]),
        ("published=sl.[2011-01-01,)", [1]),
        ("published=sr.[1990-01-01,1995-01-01)", [1, 2]),
        ("published=nxr.[2001-01-01,2010-01-01)", [1]),
        ("published=nxl.[2005-01-01,)", [2]),
        ("published=adj.[2010-01-01,2012-01-01)", [1]),
        ("details->>lang=eq.fr", [2]),
        ("details->sizes->>0=eq.1", [1]),
        ("shelves.kind=eq.science&select=id,shelves!inner()", [3]),
        ("or=(id.eq.1,and(pages.gt.200,in_print.is.true))", [1, 3]),
        ('or=(title.eq."Untitled, \\"perhaps\\"",id.in.(1,2))', [1, 2, 4]),
        ("and=(id.gt.1,id.lt.5,not.or(id.eq.2,id.eq.3))", [4]),
        ("not.and=(id.gt.1,id.lt.5)", [1, 5]),
        ("id=gt.1&id=lt.3", [2]),
    ],
)
def test_filters_select_rows(api: Api, query: str, ids: list[int]) -> None:
    url = f"/books?id=lt.100&order=id&{query}"
    rows = api.rows(url if "select=" in query else f"{url}&select=id")
    assert [row["id"] for row in rows] == ids


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("tags=cs.{poet}", [1, 4]),
        ("tags=cd.{poet,novelist}", [2, 3, 4]),
        ("tags=ov.{novelist,essayist}", [1, 2]),
        ("tags->0=eq.%22poet%22", [1, 4]),
        ('profile=cs.{"awards":["a"]}', [1]),
        ("profile->home->>city=eq.Bath", [2]),
        ("profile->home=is.null", [3]),
        ("profile->awards->0=eq.%22a%22", [1]),
        ("profile->age=gt.60", [1]),
        ("or=(tags.cs.{poet,essayist},id.eq.3)", [1, 3]),
        ("initials=eq.AQ", [1]),
    ],
)
def test_arrays_documents_and_computed_columns_are_filtered(api: Api, query: str, ids: list[int]) -> None:
    assert [row["id"] for row in api.rows(f"/authors?select=id&order=id&id=lt.100&{query}")] == ids


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("search=fts.river", [1]),
        ("search=fts(english).rivers", [1]),
        ("search=plfts.sailed before", [2]),
        ("body=phfts(english).running water", [1]),
        ("body=wfts.wrote -rivers", [2]),
        ("body=not.fts.river", [2]),
    ],
)
def test_documents_are_searched(api: Api, query: str, ids: list[int]) -> None:
    assert [
        row["author_id"] for row in api.rows(f"/biographies?select=author_id&order=author_id&{query}")
    ] == ids


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        ("price", [5, 2, 1, 3, 4]),
        ("price.desc", [4, 3, 1, 2, 5]),
        ("price.desc.nullslast", [3, 1, 2, 5, 4]),
        ("price.nullsfirst", [4, 5, 2, 1, 3]),
        ("shelf_room.nullslast,id.desc", [5, 2, 1, 3, 4]),
        ("details->>lang.nullslast,id", [1, 2, 3, 4, 5]),
    ],
)
def test_rows_are_ordered(api: Api, order: str, ids: list[int]) -> None:
    assert [row["id"] for row in api.rows(f"/books?select=id&id=lt.100&order={order}")] == ids


def test_quoted_names_are_read(api: Api) -> None:
    rows = api.rows('/Odd%20Names?select="the id",d:"a.dot","a,comma","a\\"quote",select&"a.dot"=eq.dot')
    assert rows == [{"the id": 1, "d": "dot", "a,comma": "comma", 'a"quote': "quote", "select": "word"}]


def test_partitions_are_one_table_and_no_table_of_their_own(api: Api) -> None:
    rows = api.rows("/loans?select=id,books(title)&lent_on=gte.2025-01-01&order=id")
    assert rows == [{"id": 2, "books": {"title": "River Songs"}}, {"id": 3, "books": {"title": "Salt"}}]
    assert error(api.get("/loans_2024"))[1]["code"] == "PGRST205"


def test_parameters_in_a_value_are_not_parsed(api: Api) -> None:
    assert api.rows("/genres?name=eq.x'; drop table genres; --&select=id") == []
    assert api.rows("/genres?select=id&name=eq.$1") == []


@pytest.mark.parametrize(
    ("url", "status", "expected"),
    [
        ("/book", 404, ("PGRST205", "Could not find the table 'public.book' in the schema cache", None,
                        "Perhaps you meant the table 'public.books'")),
        ("/zzzz", 404, ("PGRST205", "Could not find the table 'public.zzzz' in the schema cache", None, None)),
        ("/books?select=nope", 400, ("42703", "column books.nope does not exist", None, None)),
        ("/books?nope=eq.1", 400, ("42703", "column books.nope does not exist", None, None)),
        ("/books?id=eq.x", 400, ("22P02", 'invalid input syntax for type integer: "x"', None, None)),
        ("/books?id=foo.1", 400, ("PGRST100", '"failed to parse filter (foo.1)" (line 1, column 1)',
                                  'unexpected "f" expecting "not" or operator (eq, gt, ...)', None)),
        ("/books?order=id.foo", 400, ("PGRST100", '"failed to parse order (id.foo)" (line 1, column 4)',
                                      'unexpected "f" expecting "asc", "desc", "nullsfirst" or "nullslast"', None)),
        ("/books?select=count()", 400, ("PGRST123", "Use of aggregate functions is not allowed", None, None)),
        ("/a/b/c", 404, ("PGRST125", "Invalid path specified in request URL", None, None)),
        ("/books?id=eq.1%00", 400, ("22021", 'invalid byte sequence for encoding "UTF8": 0x00', None, None)),
    ],
)  # fmt: skip
def test_invalid_requests_are_rejected_with_a_reason(
    api: Api, url: str, status: int, expected: tuple[str, str, str | None, str | None]
) -> None:
    code, message, details, hint = expected
    assert error(api.get(url)) == (
        status,
        {"code": code, "message": message, "details": details, "hint": hint},
    )


def test_other_methods_are_rejected(api: Api) -> None:
    assert error(api.request("TRACE", "/books"))[1]["code"] in ("PGRST117",)
    assert error(api.request("PATCH", "/rpc/greet")) == (
        405,
        {"code": "PGRST101", "message": "Cannot use the PATCH method on RPC", "details": None, "hint": None},
    )


@pytest.mark.parametrize(
    ("url", "allow"),
    [
        ("/books", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
        ("/keyless", "OPTIONS,GET,HEAD,POST,PATCH,DELETE"),
        ("/author_totals", "OPTIONS,GET,HEAD"),
        ("/rpc/greet", "OPTIONS,GET,HEAD,POST"),
        ("/rpc/forget", "OPTIONS,POST"),
        ("/", "OPTIONS,GET,HEAD"),
    ],
)
def test_options_list_the_methods(api: Api, url: str, allow: str) -> None:
    response = api.request("OPTIONS", url)
    assert (response.status_code, response.headers["allow"]) == (200, allow)
