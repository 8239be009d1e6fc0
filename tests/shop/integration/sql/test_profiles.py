"""Profiles: the user's own whole, publishers' public names for all, everything for admins; no user sets a flag."""

from typing import Any

import pytest

Db = Any
DENIED, CHECK = "42501", "23514"
WHOLE = "select id::text, username, name, is_admin, public_name from public.profiles where id = %s"
FACE = "select id::text, public_name from public.profiles where id = %s"


def test_profile_appears_with_the_account(db: Db) -> None:
    (row,) = db.as_("owner", WHOLE, db.ids["owner"])
    assert row == {
        "id": db.ids["owner"],
        "username": f"owner-{db.ids['owner'][:8]}",
        "name": None,
        "is_admin": False,
        "public_name": None,
    }


def test_sign_up_data_sets_names_but_no_privileges(db: Db) -> None:
    (user,) = db.run(
        "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'x@y.z', "
        """'{"full_name": " Ann Lee ", "is_admin": true, "public_name": "Boss"}') returning id"""
    )
    (row,) = db.run(
        "select username, name, is_admin, public_name from public.profiles where id = %s", user["id"]
    )
    assert row == {"username": "Ann Lee", "name": "Ann Lee", "is_admin": False, "public_name": None}


def test_overlong_sign_up_data_does_not_stop_a_sign_up(db: Db) -> None:
    (user,) = db.run(
        "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'l@y.z', "
        "jsonb_build_object('full_name', repeat('x', 5000))) returning id"
    )
    assert db.run("select length(name) from public.profiles where id = %s", user["id"]) == [{"length": 120}]


@pytest.mark.parametrize("persona", ["stranger", "anon"])
def test_profile_without_publications_is_invisible_to_others(db: Db, persona: str) -> None:
    db.as_("owner", "update public.profiles set public_name = 'Inky' where id = %s", db.ids["owner"])
    assert db.as_(persona, FACE, db.ids["owner"]) == []


@pytest.mark.parametrize("persona", ["stranger", "anon"])
def test_profile_of_a_publisher_shows_the_public_name(db: Db, persona: str) -> None:
    db.design(public=True)
    assert db.as_(persona, FACE, db.ids["owner"]) == [{"id": db.ids["owner"], "public_name": "Inky"}]


def test_profile_of_a_publisher_shows_nothing_else(db: Db) -> None:
    db.design(public=True)
    db.run("update public.profiles set name = 'Real Name' where id = %s", db.ids["owner"])
    assert db.as_("stranger", WHOLE, db.ids["owner"]) == [
        {"id": db.ids["owner"], "username": None, "name": None, "is_admin": None, "public_name": "Inky"}
    ]
    assert db.as_("stranger", "select id from public.profiles where name = 'Real Name'") == []
    for column in ("username", "name", "is_admin", "created_at"):
        assert db.rejected("anon", f"select {column} from public.profiles") == DENIED


def test_admin_reads_whole_profiles(db: Db) -> None:
    (row,) = db.as_("admin", WHOLE, db.ids["owner"])
    assert (row["username"], row["is_admin"]) == (f"owner-{db.ids['owner'][:8]}", False)


def test_user_changes_their_own_names(db: Db) -> None:
    update = (
        "update public.profiles set username = 'ann', name = 'Ann', public_name = '  Inky ' where id = %s"
    )
    assert db.touched("owner", update, db.ids["owner"]) == 1
    (row,) = db.as_("owner", WHOLE, db.ids["owner"])
    assert (row["username"], row["name"], row["public_name"]) == ("ann", "Ann", "Inky")


def test_empty_public_name_is_null(db: Db) -> None:
    db.as_("owner", "update public.profiles set public_name = '  ' where id = %s", db.ids["owner"])
    assert db.as_("owner", FACE, db.ids["owner"])[0]["public_name"] is None


def test_user_cannot_change_names_of_others(db: Db) -> None:
    db.design(public=True)
    rename = "update public.profiles set public_name = 'Mine' where id = %s"
    assert db.touched("stranger", rename, db.ids["owner"]) == 0
    assert db.rejected("admin", rename, db.ids["owner"]) == DENIED
    assert db.rejected("anon", rename, db.ids["owner"]) == DENIED


@pytest.mark.parametrize("persona", ["owner", "stranger", "admin", "anon"])
def test_user_cannot_set_their_own_admin_flag(db: Db, persona: str) -> None:
    sql = "update public.profiles set is_admin = not is_admin where id = %s"
    assert db.rejected(persona, sql, db.ids.get(persona, db.ids["owner"])) == DENIED


def test_admin_grants_and_revokes_admin_rights(db: Db) -> None:
    flag = "update public.profiles set is_admin = %s where id = %s"
    assert db.touched("admin", flag, True, db.ids["owner"]) == 1
    assert db.touched("owner", flag, False, db.ids["admin"]) == 1
    assert db.as_("admin", WHOLE, db.ids["owner"]) == []


def test_service_reads_and_writes_every_profile(db: Db) -> None:
    assert (
        db.touched("service", "update public.profiles set is_admin = true where id = %s", db.ids["owner"])
        == 1
    )
    assert db.as_("service", WHOLE, db.ids["owner"])[0]["is_admin"] is True


def test_profiles_cannot_be_inserted_or_deleted(db: Db) -> None:
    for persona in ("owner", "admin", "anon", "service"):
        assert db.rejected(persona, "delete from public.profiles") == DENIED
        assert db.rejected(persona, "insert into public.profiles (id) values (gen_random_uuid())") == DENIED


@pytest.mark.parametrize("persona", ["stranger", "anon", "owner"])
def test_public_name_of_a_creator_is_read_by_rpc(db: Db, persona: str) -> None:
    statement = "select public.get_design_creator_public_name(%s) as name"
    assert db.as_(persona, statement, db.ids["owner"]) == [{"name": None}]
    db.as_("owner", "update public.profiles set public_name = 'Inky' where id = %s", db.ids["owner"])
    assert db.as_(persona, statement, db.ids["owner"]) == [{"name": "Inky"}]


def test_private_schema_is_closed(db: Db) -> None:
    for persona in ("owner", "admin", "anon", "service"):
        assert db.rejected(persona, "select 1 from private.profiles") == DENIED
        assert db.rejected(persona, "select private.is_admin()") == DENIED


def test_sign_ins_are_recorded_for_the_caller_and_unreadable(db: Db) -> None:
    insert = "insert into public.user_sessions (user_id, login_at, user_agent) values (%s, now(), 'Firefox')"
    assert db.touched("owner", insert, db.ids["owner"]) == 1
    assert db.rejected("stranger", insert, db.ids["owner"]) == DENIED
    assert db.rejected("anon", insert, db.ids["owner"]) == DENIED
    for persona in ("owner", "admin", "anon"):
        assert db.rejected(persona, "select 1 from public.user_sessions") == DENIED


@pytest.mark.parametrize("name", ["In\x07ky", "\u202eyknI", "In\u200bky", "In\nky", "Inky\ufeff"])
def test_public_name_has_only_visible_characters(db: Db, name: str) -> None:
    publish = "update public.profiles set public_name = %s where id = %s"
    assert db.rejected("owner", publish, name, db.ids["owner"]) == CHECK
    db.as_("owner", publish, "نرگس می\u200cخواهم", db.ids["owner"])
