"""Names and titles from browsers: no invisible text, no changed direction, one list with the functions."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from tests.shop.integration.sql.conftest import Database as Db
from tests.support.stacks import ROOT

CHECK = "23514"
RANGES: dict[str, list[str]] = json.loads(
    (ROOT / "functions" / "_shared" / "core" / "hidden_characters.json").read_text()
)
UNSEEN = (
    "\u3164",
    "\u2800",
    "\ufe0f",
    "\u034f",
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u200b",
    "\u00a0",
    "\U000e0100",
)


def numbers(name: str) -> set[int]:
    """The code points of a list that PostgreSQL's text can hold."""
    code_points: set[int] = set()
    for part in RANGES[name]:
        first, _, last = part.partition("-")
        code_points |= set(range(int(first, 16), int(last or first, 16) + 1))
    return code_points - {0} - set(range(0xD800, 0xE000))


@pytest.mark.parametrize(
    ("function", "condition", "lists"),
    [
        ("is_plain_text", "not result", ("hidden",)),
        ("is_visible_text", "not result", ("hidden", "blank")),
        ("clean_text", "result = ''", ("stripped",)),
    ],
)
def test_sql_and_functions_agree_on_visible_characters(
    db: Db, function: str, condition: str, lists: tuple[str, ...]
) -> None:
    # The function's own body, once for all characters: calls from outside cost several times what its pattern does.
    (source,) = db.run("select prosrc from pg_proc where oid = %s::regproc", f"private.{function}")
    body = str(source["prosrc"]).strip().removesuffix(";")
    (row,) = db.run(
        "select array_agg(n) as numbers from (select n, chr(n) as value from generate_series(1, 1114111) n "
        f"where n < 55296 or n > 57343) c cross join lateral ({body}) f (result) where {condition}"
    )
    assert set(row["numbers"]) == set().union(*(numbers(name) for name in lists))


@pytest.mark.parametrize(
    "text", [*UNSEEN, " \u3164 ", "\ufe0f\ufe0f", "gnp\u202ecat", "a\u2066b", "a\x07b", "a\u009bb"]
)
def test_design_title_is_visible_and_has_one_direction(db: Db, text: str) -> None:
    insert = "insert into public.designs (user_id, name, image_data) values (%s, %s, 'aGk=')"
    assert db.rejected("owner", insert, db.ids["owner"], text) == CHECK
    design = db.design()
    assert db.rejected("owner", "update public.designs set name = %s where id = %s", text, design) == CHECK


@pytest.mark.parametrize(
    "text", ["A cat", "\u2764\ufe0f", "\U0001f469\u200d\U0001f680", "two\nlines", "\u0646\u0631\u06af\u0633"]
)
def test_design_title_may_hold_lines_emoji_and_every_script(db: Db, text: str) -> None:
    design = db.design(name=text)
    assert db.run("select name from public.designs where id = %s", design) == [{"name": text}]


@pytest.mark.parametrize("name", [*UNSEEN, "\u202eyknI", "In\u3164ky", "In\u2800ky"])
def test_public_name_is_visible(db: Db, name: str) -> None:
    if name == "\u00a0":  # alone it is trimmed away by the web client; between words it is a space
        name = "\u00a0\u00a0"
    publish = "update public.profiles set public_name = %s where id = %s"
    assert db.rejected("owner", publish, name, db.ids["owner"]) == CHECK


def test_name_that_admins_read_has_one_direction(db: Db) -> None:
    rename = "update public.profiles set name = %s where id = %s"
    assert db.rejected("owner", rename, "gnp\u202enna", db.ids["owner"]) == CHECK
    assert db.touched("owner", rename, "Ann \u2764\ufe0f", db.ids["owner"]) == 1


ADDRESS = {
    "first_name": "Ann", "last_name": "Lee", "email": "a@b.c", "phone_country_code": "+1", "phone": "5",
    "country": "US", "address1": "1 Main", "city": "LA", "zip": "90210",
}  # fmt: skip
SAVE_ADDRESS = (
    f"insert into public.user_addresses ({', '.join(ADDRESS)}) values ({', '.join(['%s'] * len(ADDRESS))})"
)


@pytest.mark.parametrize("field", ["first_name", "last_name", "address1", "city", "zip"])
@pytest.mark.parametrize("text", ["\u3164", "\ufe0f", "\u00a0", "\u3000"])
def test_saved_address_is_visible(db: Db, field: str, text: str) -> None:
    db.as_("owner", SAVE_ADDRESS, *ADDRESS.values())
    assert db.rejected("owner", SAVE_ADDRESS, *(ADDRESS | {field: text}).values()) == CHECK


def test_saved_address_may_be_in_a_country_without_postal_codes(db: Db) -> None:
    db.as_("owner", SAVE_ADDRESS, *(ADDRESS | {"country": "HK", "zip": ""}).values())
    assert db.rejected("owner", SAVE_ADDRESS, *(ADDRESS | {"city": ""}).values()) == CHECK


@pytest.mark.parametrize(
    ("sent", "name", "username"),
    [
        ({"full_name": "gnp\u202eAnn"}, "gnpAnn", "gnpAnn"),
        ({"full_name": "\u3164", "name": "Ann"}, "Ann", "Ann"),
        ({"full_name": "\u3164", "username": "\ufe0f"}, None, "inky.fan"),
        ({"name": "x" * 200, "username": " Inky "}, "x" * 120, "Inky"),
    ],
)
def test_sign_up_is_not_rejected_for_its_name(
    db: Db, sent: dict[str, str], name: str | None, username: str
) -> None:
    user = str(uuid4())
    db.run(
        "insert into auth.users (id, aud, role, email, raw_user_meta_data) "
        "values (%s, 'authenticated', 'authenticated', 'inky.fan@teesmith.example', %s)",
        user,
        json.dumps(sent),
    )
    (row,) = db.run("select name, username from private.profiles where id = %s", user)
    assert row == {"name": name, "username": username}
