-- Functions of every kind: scalar, row, set, table, void; overloaded, with defaults, variadic, nameless; raising.
create function public.add_numbers(a integer, b integer default 10) returns integer language sql immutable as $$
  select a + b
$$;
create function public.greet() returns text language sql immutable as $$ select 'hello' $$;
create function public.greet(name text) returns text language sql immutable as $$ select 'hello ' || name $$;
create function public.ambiguous(a integer) returns text language sql immutable as $$ select 'integer' $$;
create function public.ambiguous(a text) returns text language sql immutable as $$ select 'text' $$;
create function public.sum_all(variadic numbers integer[]) returns bigint language sql immutable as $$
  select sum(n) from unnest(numbers) n
$$;
create function public.numbers_to(n integer) returns setof integer language sql immutable as $$
  select generate_series(1, n)
$$;
create function public.books_by(writer text) returns setof public.books language sql stable as $$
  select b.* from public.books b join public.authors a on a.id = b.author_id where a.name = writer
$$;
create function public.one_author(id integer) returns public.authors language sql stable as $$
  select * from public.authors a where a.id = one_author.id
$$;
create function public.price_list() returns table (title text, price numeric) language sql stable as $$
  select title, price from public.books order by id
$$;
create function public.pair(out first integer, out second text) language sql immutable as $$ select 1, 'two' $$;
create function public.note_down(text) returns void language sql volatile as $$ select $$;
create function public.forget() returns void language sql volatile as $$ select $$;
create function public.echo_json(json) returns json language sql immutable as $$ select $1 $$;
create function public.echo_text(text) returns text language sql immutable as $$ select $1 $$;
create function public.echo_bytes(bytea) returns integer language sql immutable as $$ select length($1) $$;
create function public.takes_many(a jsonb, b text[] default '{}', "C d" date default null) returns jsonb
  language sql immutable as $$ select jsonb_build_object('a', a, 'b', b, 'c', "C d") $$;
create function public.add_counter(name text, amount integer) returns public.counters language sql volatile as $$
  insert into public.counters (name, amount) values (name, amount) returning *
$$;
create function public.tell_headers() returns text language plpgsql stable as $$
begin
  perform set_config('response.headers', '[{"X-Told": "yes"}, {"Cache-Control": "no-store"}]', true);
  perform set_config('response.status', '202', true);
  return 'told';
end $$;
create function public.bad_headers() returns text language plpgsql stable as $$
begin
  perform set_config('response.headers', '{"X-Told": 1}', true);
  return 'told';
end $$;
create function public.raise_plain() returns text language plpgsql as $$
begin
  raise exception 'No more tea' using detail = 'The pot is empty', hint = 'Boil water';
end $$;
create function public.raise_status() returns text language plpgsql as $$
begin
  raise sqlstate 'PT402' using message = 'Payment Required', detail = 'Quota exceeded', hint = 'Upgrade your plan';
end $$;
create function public.raise_whole() returns text language plpgsql as $$
begin
  raise sqlstate 'PGRST' using
    message = '{"code": "123", "message": "Limited", "details": "Only so many", "hint": "Wait"}',
    detail = '{"status": 429, "headers": {"Retry-After": "9"}}';
end $$;
create function public.raise_unreadable() returns text language plpgsql as $$
begin
  raise sqlstate 'PGRST' using message = 'not json', detail = '{}';
end $$;
create function public.request_context() returns json language sql stable as $$
  select json_build_object(
    'method', current_setting('request.method', true),
    'path', current_setting('request.path', true),
    'role', current_user,
    'agent', current_setting('request.headers', true)::json ->> 'x-agent',
    'cookie', current_setting('request.cookies', true)::json ->> 'crumb',
    'search_path', current_setting('search_path', true),
    'claims_role', current_setting('request.jwt.claims', true)::json ->> 'role',
    'timeout', current_setting('statement_timeout', true))
$$;
create function public.local_time() returns text language sql stable as $$
  select to_char(timestamptz '2025-06-01 12:00:00+00', 'HH24:MI')
$$;
create function public.write_in_get() returns integer language sql volatile as $$
  insert into public.keyless (value) values ('written') returning 1
$$;
-- Domains called like media types: their functions make whole bodies.
create domain public."text/html" as text;
create domain public."image/x-dot" as bytea;
create domain public."*/*" as bytea;
create function public.page() returns public."text/html" language sql immutable as $$ select '<p>Hé</p>' $$;
create function public.dot(size integer) returns public."image/x-dot" language sql immutable as $$
  select decode(repeat('00ff', size), 'hex')
$$;
create function public.anything() returns public."*/*" language plpgsql stable as $$
begin
  perform set_config('response.headers', '[{"Content-Type": "font/x-own"}]', true);
  return 'abc'::bytea;
end $$;
create function public.null_author() returns public.authors language sql stable as $$ select null::public.authors $$;
create function public.nothing_text() returns text language sql stable as $$ select null::text $$;
