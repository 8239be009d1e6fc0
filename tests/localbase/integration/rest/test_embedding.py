"""Embedding: every kind of relationship, hints, spreads, filters and order inside, and what is ambiguous."""

from __future__ import annotations

from typing import Any

import pytest

from tests.localbase.integration.rest.conftest import Api, error


@pytest.mark.parametrize(
    ("url", "rows"),
    [
        pytest.param(
            "/reviews?select=stars,books(title)&order=stars&stars=gt.3",
            [{"stars": 4, "books": {"title": "Salt"}}, {"stars": 5, "books": {"title": "River Songs"}}],
            id="many to one",
        ),
        pytest.param(
            "/books?select=id,reviews(stars)&id=in.(1,2)&order=id&reviews.order=stars",
            [{"id": 1, "reviews": [{"stars": 3}, {"stars": 5}]}, {"id": 2, "reviews": []}],
            id="one to many",
        ),
        pytest.param(
            "/authors?select=id,biographies(body)&id=in.(2,3)&order=id",
            [
                {"id": 2, "biographies": {"body": "Ben sailed before he wrote."}},
                {"id": 3, "biographies": None},
            ],
            id="one to one",
        ),
        pytest.param(
            "/biographies?select=author_id,authors(name)&author_id=eq.1",
            [{"author_id": 1, "authors": {"name": "Ada Quill"}}],
            id="one to one, the other way",
        ),
        pytest.param(
            "/books?select=id,genres(name)&id=eq.3&genres.order=name",
            [{"id": 3, "genres": [{"name": "novel"}, {"name": "travel"}]}],
            id="many to many",
        ),
        pytest.param(
            "/books?select=id,shelves(kind)&id=eq.3",
            [{"id": 3, "shelves": {"kind": "science"}}],
            id="composite key",
        ),
        pytest.param(
            "/authors?select=id,mentor:mentor_id(name),authors(id)&id=eq.2",
            [{"id": 2, "mentor": {"name": "Ada Quill"}, "authors": [{"id": 4}]}],
            id="itself, both ways",
        ),
        pytest.param(
            "/novels?select=id,authors(name)&id=eq.5", [{"id": 5, "authors": {"name": "Ben Ink"}}], id="view"
        ),
        pytest.param(
            "/novels_again?select=id,authors(name)&id=eq.5",
            [{"id": 5, "authors": {"name": "Ben Ink"}}],
            id="view of a view",
        ),
        pytest.param(
            "/authors?select=id,novels(id)&id=eq.2&novels.id=lt.100",
            [{"id": 2, "novels": [{"id": 5}]}],
            id="table to view",
        ),
        pytest.param(
            "/authors?select=id,masterpiece(title),edited(id)&id=eq.1&edited.order=id",
            [{"id": 1, "masterpiece": {"title": "River Songs"}, "edited": [{"id": 3}, {"id": 5}]}],
            id="computed",
        ),
        pytest.param(
            "/reviews?select=stars,books(title,authors!books_author_id_fkey(name,biographies(author_id)))&stars=eq.4",
            [
                {
                    "stars": 4,
                    "books": {
                        "title": "Salt",
                        "authors": {"name": "Ben Ink", "biographies": {"author_id": 2}},
                    },
                }
            ],
            id="three levels",
        ),
    ],
)
def test_related_rows_are_embedded(api: Api, url: str, rows: list[dict[str, Any]]) -> None:
    assert api.rows(url) == rows


@pytest.mark.parametrize(
    "target",
    [
        "authors!books_author_id_fkey(name)",
        "authors!author_id(name)",
        "author_id(name)",
        "books_author_id_fkey(name)",
    ],
)
def test_hint_names_a_key_or_a_column(api: Api, target: str) -> None:
    [row] = api.rows(f"/books?select=a:{target}&id=eq.3")
    assert row == {"a": {"name": "Ben Ink"}}


def test_two_keys_between_two_tables_are_ambiguous(api: Api) -> None:
    status, body = error(api.get("/authors?select=name,books(title)"))
    assert status == 300
    assert body == {
        "code": "PGRST201",
        "message": "Could not embed because more than one relationship was found for 'authors' and 'books'",
        "details": [
            {
                "cardinality": "one-to-many",
                "embedding": "authors with books",
                "relationship": "books_author_id_fkey using authors(id) and books(author_id)",
            },
            {
                "cardinality": "one-to-many",
                "embedding": "authors with books",
                "relationship": "books_editor_id_fkey using authors(id) and books(editor_id)",
            },
        ],
        "hint": "Try changing 'books' to one of the following: 'books!books_author_id_fkey', "
        "'books!books_editor_id_fkey'. Find the desired relationship in the 'details' key.",
    }


def test_unrelated_relations_cannot_be_embedded(api: Api) -> None:
    assert error(api.get("/books?select=id,genre(id)")) == (
        400,
        {
            "code": "PGRST200",
            "message": "Could not find a relationship between 'books' and 'genre' in the schema cache",
            "details": "Searched for a foreign key relationship between 'books' and 'genre' in the schema 'public', "
            "but no matches were found.",
            "hint": "Perhaps you meant 'genres' instead of 'genre'.",
        },
    )
    assert error(api.get("/books?select=id,genres!nohint(id)"))[1]["details"] == (
        "Searched for a foreign key relationship between 'books' and 'genres' using the hint 'nohint' in the schema "
        "'public', but no matches were found."
    )


def test_inner_embedding_drops_rows_without_it(api: Api) -> None:
    rows = api.rows("/genres?select=name,books!inner(id)&books.price=gt.8&order=name&books.order=id")
    assert rows == [
        {"name": "novel", "books": [{"id": 3}]},
        {"name": "poetry", "books": [{"id": 1}]},
        {"name": "travel", "books": [{"id": 1}, {"id": 3}]},
    ]


def test_filters_order_and_limits_apply_to_embedded_rows(api: Api) -> None:
    rows = api.rows(
        "/authors?select=id,b:books!author_id(id)&b.id=lt.100&b.order=price.desc&b.limit=1&id=lt.3&order=id"
    )
    assert rows == [{"id": 1, "b": [{"id": 1}]}, {"id": 2, "b": [{"id": 3}]}]
    assert api.rows("/books?select=genres(id)&id=eq.3&genres.order=id&genres.offset=1") == [
        {"genres": [{"id": 3}]}
    ]
    either = api.rows("/books?select=reviews(stars)&id=eq.1&reviews.or=(stars.eq.5,note.not.is.null)")
    assert either == [{"reviews": [{"stars": 5}]}]


def test_aliased_embedding_answers_to_its_relations_name_with_a_warning(api: Api) -> None:
    response = api.get("/authors?select=id,b:books!author_id(id)&books.id=eq.3&id=eq.2")
    assert response.json() == [{"id": 2, "b": [{"id": 3}]}]
    assert response.headers["warning"] == (
        '299 PostgRESTv16.1 "Embedded resource was referenced by relation name even though it has an alias. This is '
        "deprecated and will stop working in a future release. Update `books` to `b` in query string filters, orders "
        'or limits."'
    )
    assert "warning" not in api.get("/authors?select=id,b:books!author_id(id)&b.id=eq.3&id=eq.2").headers


def test_absence_of_an_embedding_is_a_filter(api: Api) -> None:
    assert api.rows("/genres?select=name,books()&books=is.null") == [{"name": "unused"}]
    assert len(api.rows("/genres?select=name,books()&books=not.is.null")) == 3
    assert api.rows("/authors?select=id,biographies()&biographies=not.is.null&order=id") == [
        {"id": 1},
        {"id": 2},
    ]
    either = api.rows("/authors?select=id,biographies()&or=(biographies.is.null,id.eq.1)&order=id&id=lt.100")
    assert [row["id"] for row in either] == [1, 3, 4]


def test_rows_are_ordered_by_what_they_embed(api: Api) -> None:
    rows = api.rows(
        "/books?select=id,authors!books_author_id_fkey(name)&order=authors(name).desc.nullslast,id&id=lt.100"
    )
    assert [row["id"] for row in rows] == [3, 5, 1, 2, 4]
    status, body = error(api.get("/authors?select=id,edited(id)&order=edited(id)"))
    assert (status, body["code"], body["message"]) == (
        400,
        "PGRST118",
        "A related order on 'edited' is not possible",
    )
    assert body["details"] == "'authors' and 'edited' do not form a many-to-one or one-to-one relationship"


def test_spread_puts_columns_beside_the_parents(api: Api) -> None:
    assert api.rows("/books?select=id,...shelves(kind,spot:place)&id=in.(3,4)&order=id") == [
        {"id": 3, "kind": "science", "spot": 1},
        {"id": 4, "kind": None, "spot": None},
    ]
    nested = api.rows(
        "/reviews?select=stars,...books(title,...authors!books_author_id_fkey(name))&stars=eq.4"
    )
    assert nested == [{"stars": 4, "title": "Salt", "name": "Ben Ink"}]


def test_spread_of_many_rows_gives_lists(api: Api) -> None:
    rows = api.rows(
        "/authors?select=id,...books!author_id(titles:title,id)&id=lt.4&order=id&books.order=id&books.id=lt.100"
    )
    assert rows == [
        {"id": [1, 2], "titles": ["River Songs", "Dry Land"]},
        {"id": [3, 5], "titles": ["Salt", "100% Wool (a_b)"]},
        {"id": [], "titles": []},
    ]


def test_filter_on_a_missing_embedding_is_rejected(api: Api) -> None:
    assert error(api.get("/books?genres.id=eq.1")) == (
        400,
        {
            "code": "PGRST108",
            "message": "'genres' is not an embedded resource in this request",
            "details": None,
            "hint": "Verify that 'genres' is included in the 'select' query parameter.",
        },
    )


def test_other_schemas_are_not_embedded(api: Api) -> None:
    status, body = error(api.get("/customers?select=id,books(id)", accept_profile="crm"))
    assert (status, body["code"]) == (400, "PGRST200")
