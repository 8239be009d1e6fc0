"""Prefer, Accept, Range: what clients write in headers."""

from __future__ import annotations

import pytest
from localbase.rest.api_request.media_type import ANY, JSON, parse_accept, parse_media
from localbase.rest.api_request.preferences import Preferences, applied, parse_prefer
from localbase.rest.api_request.range import Window, content_range, range_status, window_of
from localbase.rest.errors import RestError


def test_first_preference_of_a_kind_counts() -> None:
    header = "return=minimal, return=representation,count=exact , max-affected=7,timezone=Asia/Tokyo,odd"
    assert parse_prefer(header, allow_tx=False) == Preferences(
        returning="minimal", count="exact", max_affected=7, timezone="Asia/Tokyo", invalid=("odd",)
    )


def test_transaction_preference_needs_permission() -> None:
    assert parse_prefer("tx=rollback", allow_tx=False) == Preferences()
    assert parse_prefer("tx=rollback", allow_tx=True) == Preferences(tx="rollback")


def test_only_preferences_that_matter_to_the_action_are_applied() -> None:
    header = (
        "resolution=merge-duplicates,missing=default,return=representation,count=exact,handling=strict,"
        "max-affected=3"
    )
    preferences = parse_prefer(header, allow_tx=False)
    assert applied(preferences, action="read", resolution_counts=True) == "count=exact, handling=strict"
    assert applied(preferences, action="delete", resolution_counts=True) == (
        "return=representation, count=exact, handling=strict, max-affected=3"
    )
    assert applied(preferences, action="insert", resolution_counts=True) == (
        "resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=strict"
    )
    assert applied(Preferences(), action="read", resolution_counts=True) is None


def test_accepted_media_types_are_sorted_by_quality() -> None:
    accepted = parse_accept("text/csv;q=0.3, application/json;q=0.9, */*;q=0.1")
    assert [media.name for media in accepted] == ["application/json", "text/csv", "*/*"]
    assert parse_accept("") == (ANY,)


@pytest.mark.parametrize(
    ("text", "form", "stripped"),
    [
        ("application/json", "json", False),
        ("APPLICATION/vnd.PgRst.object+json", "object", False),
        ("application/vnd.pgrst.object+json; nulls=stripped", "object", True),
        ("application/vnd.pgrst.array+json;nulls=stripped", "array", True),
        ("application/vnd.pgrst.array+json", "json", False),
        ("text/csv; charset=utf-8", "csv", False),
        ("image/png", "other", False),
    ],
)
def test_media_type_determines_the_renderer(text: str, form: str, stripped: bool) -> None:
    media = parse_media(text)
    assert (media.form, media.stripped) == (form, stripped)


def test_plan_media_type_names_its_subject() -> None:
    media = parse_media('application/vnd.pgrst.plan+json; for="text/csv"; options=buffers|analyze')
    assert media.plan_of == parse_media("text/csv")
    assert media.name == 'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|buffers'
    assert parse_media("application/vnd.pgrst.plan").plan_of == JSON


@pytest.mark.parametrize(
    ("header", "limit", "offset", "window"),
    [
        (None, None, None, Window()),
        ("0-9", None, None, Window(0, 10)),
        ("5-", None, None, Window(5, None)),
        (None, 5, 10, Window(10, 5)),
        ("2-20", 5, None, Window(2, 3)),
        (None, 0, 7, Window(0, 0)),
        ("bytes=0-9", None, None, Window()),
        (None, None, -3, Window(0, None)),
    ],
)
def test_range_header_and_parameters_are_intersected(
    header: str | None, limit: int | None, offset: int | None, window: Window
) -> None:
    assert window_of(header, limit, offset) == window


@pytest.mark.parametrize(("header", "limit"), [("5-2", None), (None, -1), ("10-20", 5)])
def test_empty_range_is_not_satisfiable(header: str | None, limit: int | None) -> None:
    with pytest.raises(RestError) as caught:
        window_of(header, limit, None)
    assert (caught.value.status, caught.value.code) == (416, "PGRST103")


def test_row_limit_narrows_a_range() -> None:
    assert Window(3).at_most(10) == Window(3, 10)
    assert Window(3, 5).at_most(10) == Window(3, 5)
    assert Window(3, 50).at_most(10) == Window(3, 10)


def test_limit_is_part_of_the_shape_and_offset_is_not() -> None:
    assert Window(20, 10).shape == Window(40, 10).shape == (10, False, True)
    assert Window(0, 10).shape != Window(10, 10).shape
    assert Window(0, 5_000).shape == Window(0, 6_000).shape == (None, False, False)
    assert Window().shape == (None, True, False)


@pytest.mark.parametrize(
    ("lower", "upper", "total", "text", "status"),
    [
        (0, 9, None, "0-9/*", 200),
        (0, 9, 10, "0-9/10", 200),
        (0, 4, 10, "0-4/10", 206),
        (0, -1, 0, "*/0", 200),
        (10, 9, 10, "*/10", 206),
        (11, 10, 10, "*/10", 416),
    ],
)
def test_content_range_and_status_follow_from_the_count(
    lower: int, upper: int, total: int | None, text: str, status: int
) -> None:
    assert content_range(lower, upper, total) == text
    assert range_status(lower, upper, total) == status
