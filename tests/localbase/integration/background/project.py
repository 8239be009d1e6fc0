"""A project whose database makes requests, has jobs and queues: what first migrations of hosted projects contain."""

from __future__ import annotations

from pathlib import Path

from tests.localbase.integration.small_project import SmallProject
from tests.support.project_files import ProjectFiles

EXTENSIONS = """
create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists pg_net with schema extensions;
create extension if not exists "pgtap" with schema extensions;
create extension if not exists "pgmq";
create extension if not exists supabase_vault with schema vault;
create extension if not exists pgjwt with schema extensions;
create extension if not exists http with schema extensions;
create extension if not exists pgsodium;
create extension if not exists pg_graphql with schema graphql;
create extension if not exists pg_stat_statements with schema extensions;
create extension if not exists "hypopg" with schema "extensions" version '1.4.1';
drop extension if exists "pgjwt";
create extension if not exists "pgjwt" with schema "extensions" version '0.2.1';
comment on extension "pg_cron" is 'by a dump';
grant usage on schema cron to postgres;
grant all privileges on all tables in schema cron to postgres;
grant usage on schema pgmq to service_role;
"""
WEBHOOK = """
create table public.orders (id int primary key, note text);
grant all on public.orders to anon, authenticated, service_role;
create trigger orders_to_function after insert or update or delete on public.orders
  for each row execute function supabase_functions.http_request(
    'http://kong:8000/functions/v1/echo', 'POST', '{"Content-Type":"application/json","x-mine":"1"}', '{"a":"b c"}',
    '5000');
"""
ECHO = '''
import time


def echo(request):
    """What it was sent; `bytes` of a response, or a response after `sleep` seconds."""
    time.sleep(float(request.args.get("sleep", 0)))
    if "bytes" in request.args:
        return "x" * int(request.args["bytes"])
    return {
        "method": request.method,
        "path": request.full_path,
        "mine": request.headers.get("x-mine"),
        "type": request.headers.get("content-type"),
        "body": request.get_json(silent=True),
    }
'''


NOTES = (
    "extension pgsodium, which this Postgres does not have; secrets are for the vault (vault.create_secret)",
    "extension pg_graphql, which this Postgres does not have; there is no GraphQL API; the Data API serves the same",
    "extension hypopg, which this Postgres does not have; a Postgres that has it can be named in PG_BIN",
)


def background_project(root: Path) -> SmallProject:
    """It, in this folder."""
    files = ProjectFiles(
        config="[functions.echo]\nverify_jwt = false\n",
        migrations={"20260101000001_extensions.sql": EXTENSIONS, "20260101000002_webhook.sql": WEBHOOK},
        functions={"echo": ECHO},
    )
    return SmallProject(root, files, schemas=("public", "shop"))
