"""The migrations need nothing of localbase: they ran on servers that have never seen it, by an ordinary role.

The other tests of this folder run on each of them.
"""

from __future__ import annotations

import psycopg
import pytest


@pytest.mark.parametrize("major", [15, 17])
def test_migrations_run_by_a_role_that_is_no_superuser(major: int, request: pytest.FixtureRequest) -> None:
    with psycopg.connect(request.getfixturevalue(f"postgres_{major}")) as connection:
        version = connection.info.server_version // 10_000
        row = connection.execute(
            """
            select current_user, rolsuper,
                   (select count(*) from pg_tables where schemaname in ('public', 'private')) > 10,
                   (select count(*) from pg_namespace where nspname = '_localbase')
            from pg_roles where rolname = current_user
            """
        ).fetchone()
    assert version == major
    assert row == ("postgres", False, True, 0)
