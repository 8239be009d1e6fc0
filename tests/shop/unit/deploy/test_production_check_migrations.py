"""Grants and policies as migrations write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deploy.production_check.database import compare_access
from deploy.production_check.migrations import Access, read_access

SQL = """
-- grant select on public.secret to anon;
create table public.things (id int, comment text default 'grant delete on public.things to anon;');
create view public.seen with (security_invoker = on) as select id from public.things;
create policy "all read, by and large" on public.things
  for select to anon using (true);
grant select (id, comment), delete on public.things, public.seen to anon, service_role;
grant select on table public.things to authenticated;
create function public.count_things(a int) returns int language sql as $$
  grant insert on public.things to anon; select 1
$$;
grant execute on function public.count_things(int), public.other() to authenticated, service_role;
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "all know a file's name" on storage.objects for select using (bucket_id = 'files');
  create policy "own files" on storage.objects for select using (true);
end $$;
"""


def written(tmp_path: Path) -> Access:
    (tmp_path / "1_things.sql").write_text(SQL, encoding="utf-8")
    return read_access(tmp_path)


def test_access_is_read_from_statements_and_not_from_comments_texts_and_bodies(tmp_path: Path) -> None:
    access = written(tmp_path)
    assert (access.tables, access.views) == ({"public.things"}, {"public.seen"})
    assert access.policies == {
        "public.things": {"all read, by and large"},
        "storage.objects": {"own files", "all know a file's name"},
    }
    assert access.grants == {
        "public.things": {"anon SELECT(comment,id)", "anon DELETE", "authenticated SELECT"},
        "public.seen": {"anon SELECT(comment,id)", "anon DELETE"},
    }
    assert access.functions == {"authenticated count_things", "authenticated other"}


def test_database_without_our_tables_fails_every_comparison(tmp_path: Path) -> None:
    empty: dict[str, Any] = {"relations": [], "functions": []}
    assert [(finding.check, finding.status) for finding in compare_access(empty, written(tmp_path))] == [
        ("tables", "failed"), ("row security", "ok"), ("policies", "failed"), ("grants", "failed"),
    ]  # fmt: skip
