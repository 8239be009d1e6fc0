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
