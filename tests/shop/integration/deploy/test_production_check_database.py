"""`make production-check` of the database itself; the kinds of changes are in sql/test_expected_catalogue.py."""

from __future__ import annotations

import psycopg

from tests.shop.integration.deploy.deployed import Deployed


def test_production_check_finds_what_was_changed_in_the_database(deployed: Deployed) -> None:
    change = (
        'alter policy "users unlike" on public.design_likes using (true);'
        "alter table public.orders disable trigger all;"
        "alter role anon set statement_timeout = 0"
    )
    mended = (
        'drop policy "users unlike" on public.design_likes;',
        "alter table public.orders enable trigger all;",
        "alter role anon set statement_timeout = '3s';",
    )
    # Keys are switched off by a superuser alone.
    with psycopg.connect(deployed.stack.admin_db_url, autocommit=True) as superuser:
        superuser.execute(change.encode())
        findings = {finding["check"]: finding for finding in deployed.check("tables")}
        superuser.execute(findings["schema"]["mend"].encode())
    assert [statement for statement in mended if statement not in findings["schema"]["mend"]] == []
    assert findings["policies"]["detail"] == 'changed: policy "users unlike" on public.design_likes'
    assert findings["triggers"]["detail"].startswith("changed: trigger ")
    assert findings["triggers"]["detail"].endswith("; foreign keys are off: public.orders")
    assert findings["roles"]["detail"] == "anon has statement_timeout=0"
    assert {finding["status"] for finding in deployed.check("tables")} == {"ok"}


def test_production_check_without_the_database_says_what_it_needs(deployed: Deployed) -> None:
    (finding,) = deployed.check("tables", environ={"SUPABASE_DB_URL": ""})
    assert (finding["status"], finding["detail"]) == (
        "failed", "Set SUPABASE_DB_URL in the environment or in .env (see .env.example)."
    )  # fmt: skip


def test_production_check_of_a_project_without_migrations_names_the_push(
    deployed: Deployed,
) -> None:
    with psycopg.connect(deployed.stack.admin_db_url, autocommit=True) as server:
        server.execute("create database without_migrations")
        try:
            empty = deployed.stack.db_url.rpartition("/")[0] + "/without_migrations"
            failure = deployed.failure("tables", environ={"SUPABASE_DB_URL": empty})
        finally:
            server.execute("drop database without_migrations")
    assert failure == ("migrations", "the migrations have not been applied", "supabase db push")
