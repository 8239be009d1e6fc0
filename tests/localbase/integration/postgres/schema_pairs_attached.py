"""More of `schema_pairs`: functions, triggers, policies, rights, publications, extensions."""

from __future__ import annotations

_TABLE = "create table public.notes (id bigint primary key, body text, owner uuid);"
_TOUCH = "create function public.touch() returns trigger language plpgsql as $$ begin return new; end $$;"

ATTACHED_PAIRS = {
    "functions": (
        """create function public.f(a int) returns int language sql as 'select a';
           create function public.g(a int, b int default 2) returns int language sql as 'select a + b';
           create function public.gone() returns void language sql as '';""",
        """create function public.f(a int) returns int language sql stable security definer set search_path = ''
             as $x$ select a + 1 -- $$
             $x$;
           create function public.g(x int) returns text language sql as 'select x::text';
           create function public.g(x text) returns text language sql as 'select x';
           create procedure public.p(inout n int) language plpgsql as $$ begin n := n + 1; end $$;
           comment on function public.f(int) is 'adds one'; comment on procedure public.p(int) is 'too';
           revoke execute on function public.f(int) from public, anon;""",
    ),
    "function's result changes below a view": (
        """create function public.f() returns int language sql as 'select 1';
           create view public.v as select public.f();
           create table public.t (a int default public.f(), check (a > public.f()));""",
        """create function public.f() returns bigint language sql as 'select 1';
           create view public.v as select public.f();
           create table public.t (a int default public.f(), check (a > public.f()));""",
    ),
    "function over a table's rows": (
        "",
        """create table public.t (a int, b int);
           create function public.total(t public.t) returns int language sql stable as 'select t.a + t.b';
           create function public.next_b() returns int begin atomic select coalesce(max(b), 0) + 1 from public.t; end;
           alter table public.t alter b set default public.next_b();""",
    ),
    "aggregate": (
        "create aggregate public.total(int) (sfunc = int4pl, stype = int, initcond = '0');",
        """create aggregate public.total(int) (sfunc = int4pl, stype = int, initcond = '1', parallel = safe);
           comment on aggregate public.total(int) is 'sum'; revoke all on function public.total(int) from public;""",
    ),
    "triggers": (
        _TABLE
        + _TOUCH
        + """create trigger one before update on public.notes for each row execute function public.touch();
           create trigger two after insert on public.notes for each row execute function public.touch();""",
        _TABLE
        + _TOUCH
        + """create trigger one before update of body on public.notes for each row when (old.body <> new.body)
             execute function public.touch();
           create trigger two after insert on public.notes for each row execute function public.touch();
           alter table public.notes disable trigger two; comment on trigger one on public.notes is 'first';
           create constraint trigger three after delete on public.notes deferrable
             for each row execute function public.touch();""",
    ),
    "trigger and policy on Auth's table go": (
        """create function public.on_sign_up() returns trigger language plpgsql as $$ begin return new; end $$;
           create trigger on_auth_user_created after insert on auth.users
             for each row execute function public.on_sign_up();
           create policy own on auth.users for select using (id = auth.uid());""",
        "create function public.on_sign_up() returns trigger language plpgsql as $$ begin return new; end $$;",
    ),
    "policies": (
        _TABLE
        + """alter table public.notes enable row level security;
           create policy p on public.notes for select using (true);""",
        _TABLE
        + """alter table public.notes enable row level security; alter table public.notes force row level security;
           create function public.mine(o uuid) returns boolean language sql as 'select o = auth.uid()';
           create policy p on public.notes for select to authenticated, anon using (public.mine(owner));
           create policy q on public.notes as restrictive for update to authenticated
             using (owner = (select auth.uid())) with check (body <> '');
           comment on policy q on public.notes is 'q';""",
    ),
    "policy on a column of another type": (
        _TABLE + "create policy p on public.notes using (owner = auth.uid());",
        """create table public.notes (id bigint primary key, body text, owner text);
           create policy p on public.notes using (owner = auth.uid()::text);""",
    ),
    "policies that read each other": (
        "",
        """create table public.a (id int primary key); create table public.b (id int primary key);
           alter table public.a enable row level security; alter table public.b enable row level security;
           create policy pa on public.a using (exists (select from public.b where b.id = a.id));
           create policy pb on public.b using (exists (select from public.a where a.id = b.id));""",
    ),
    "rights": (
        _TABLE + "revoke all on public.notes from anon;",
        _TABLE
        + """revoke insert, update, delete on public.notes from anon, authenticated;
           grant update (body, owner) on public.notes to authenticated; grant insert (body) on public.notes to anon;
           grant select on public.notes to service_role with grant option;""",
    ),
    "column rights become a table's": (
        _TABLE + "revoke all on public.notes from anon; grant select (id, body) on public.notes to anon;",
        _TABLE + "revoke all on public.notes from anon; grant select on public.notes to anon;",
    ),
    "table's rights become columns'": (
        _TABLE,
        _TABLE
        + """revoke update on public.notes from authenticated;
           grant update (body), select (id) on public.notes to authenticated;""",
    ),
    "rights on new columns": (
        _TABLE + "revoke all on public.notes from anon; grant select (id) on public.notes to anon;",
        """create table public.notes (id bigint primary key, title text, owner uuid);
           revoke all on public.notes from anon; grant select (id, title) on public.notes to anon;""",
    ),
    "default rights": (
        "create schema app; alter default privileges in schema app grant select on tables to anon; "
        "create table app.t ();",
        """create schema app; create schema more;
           alter default privileges in schema app grant all on tables to authenticated;
           alter default privileges in schema public revoke all on tables from anon;
           alter default privileges revoke execute on functions from public;
           alter default privileges in schema more grant usage on sequences to service_role;
           create table app.t (); create table app.u (); create table public.v (); create sequence more.s;
           create function public.f() returns int language sql as 'select 1';""",
    ),
    "comments": (
        _TABLE + "comment on table public.notes is 'old'; comment on column public.notes.id is 'gone';",
        _TABLE
        + "comment on table public.notes is E'new\\nline'; comment on column public.notes.body is 'text';",
    ),
    "publication": (
        _TABLE + "alter publication supabase_realtime add table public.notes; create table public.t (a int);",
        _TABLE
        + """create table public.t (a int primary key, b int);
           alter publication supabase_realtime add table public.t (a) where (a > 1);""",
    ),
    "publication of its own": (
        _TABLE,
        _TABLE + "create publication mine for table public.notes with (publish = 'insert, update');",
    ),
    "rule": (
        _TABLE + "create rule r as on delete to public.notes do instead nothing;",
        _TABLE
        + """create view public.v as select id from public.notes;
           create rule ins as on insert to public.v do instead insert into public.notes (id) values (new.id);""",
    ),
    "extension": (
        "",
        """create extension if not exists citext with schema extensions;
           create table public.t (mail extensions.citext unique);""",
    ),
    "platform's tables": (
        _TABLE
        + "create function public.on_user() returns trigger language plpgsql as $$ begin return new; end $$;",
        _TABLE
        + """create function public.on_user() returns trigger language plpgsql as $$ begin return new; end $$;
           create trigger on_auth_user_created after insert on auth.users
             for each row execute function public.on_user();
           create policy "own files" on storage.objects for select to authenticated using (owner_id = auth.uid()::text);
           create table public.profiles (id uuid primary key references auth.users on delete cascade);""",
    ),
}
