-- What an operator may have run before every request, and how a test sees what came of it.
create function public.who_am_i() returns json language sql stable as $$
  select json_build_object(
    'role', current_user,
    'claims', current_setting('request.jwt.claims', true)::json,
    'greeting', current_setting('lab.greeting', true))
$$;

create function public.wait(seconds double precision) returns void language sql volatile as $$
  select pg_sleep(seconds)
$$;

create function public.before_request() returns void language plpgsql as $$
declare
  headers json := current_setting('request.headers', true)::json;
begin
  if headers ->> 'x-banned' is not null then
    raise sqlstate 'PT403' using message = 'banned', hint = 'Ask nicely.';
  end if;
  perform set_config('lab.greeting', 'hello ' || current_user, true);
  perform set_config('response.headers', json_build_array(json_build_object('x-seen-by',
    current_setting('request.method') || ' ' || current_setting('request.path')))::text, true);
  if headers ->> 'x-become' is not null then
    perform set_config('role', headers ->> 'x-become', true);
  end if;
end
$$;

create function public.wait_stably(seconds double precision) returns void language sql stable as $$
  select pg_sleep(seconds)
$$;

-- Bodies that aggregates make: of one relation's rows, and of anybody's.
create domain public."text/vnd.titles" as text;
create domain public."application/vnd.pile" as bytea;
create function public.add_title(pile text, book public.books) returns public."text/vnd.titles" language sql immutable
  as $$ select (coalesce(pile || '|', '') || book.title)::public."text/vnd.titles" $$;
create aggregate public.titles(public.books) (sfunc = add_title, stype = "text/vnd.titles");
create function public.add_pile(pile bytea, item anyelement) returns public."application/vnd.pile" language sql immutable
  as $$ select (coalesce(pile, '\x00') || '\x2a')::public."application/vnd.pile" $$;
create aggregate public.piled(anyelement) (sfunc = add_pile, stype = "application/vnd.pile");
-- Media types over types whose binary form is not their text, and over some whose is.
create domain public."application/vnd.number" as integer;
create domain public."application/vnd.wide" as bigint;
create domain public."application/vnd.id" as uuid;
create domain public."application/vnd.numbers" as integer[];
create domain public."application/vnd.binary-json" as jsonb;
create domain public."application/vnd.note+json" as json;
create domain public."application/vnd.word" as varchar(8);
create function public.as_number(value integer) returns public."application/vnd.number" language sql immutable as $$ select $1 $$;
create function public.as_id() returns public."application/vnd.id" language sql immutable
  as $$ select '00112233-4455-6677-8899-aabbccddeeff'::uuid $$;
create function public.as_numbers() returns public."application/vnd.numbers" language sql immutable as $$ select '{1,2}'::int[] $$;
create function public.as_binary_json() returns public."application/vnd.binary-json" language sql immutable
  as $$ select '{"a": 1}'::jsonb $$;
create function public.as_json() returns public."application/vnd.note+json" language sql immutable as $$ select '{"a" : 1}'::json $$;
create function public.as_word() returns public."application/vnd.word" language sql immutable as $$ select 'Hé' $$;
create function public.add_width(width bigint, item anyelement) returns public."application/vnd.wide" language sql immutable
  as $$ select (coalesce(width, 0) + 1)::public."application/vnd.wide" $$;
create aggregate public.widths(anyelement) (sfunc = add_width, stype = "application/vnd.wide");
create function public.setting_of(name text) returns text language sql stable as $$ select current_setting($1, true) $$;
