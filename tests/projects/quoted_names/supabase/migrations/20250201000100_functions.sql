-- Functions of every shape, in a schema that is not searched by default anywhere.
create function "Weird Shop"."Add Up"(a int, "b c" int default 5) returns int language sql immutable as $$ select a + "b c" $$;
create function "Weird Shop"."Add Up"(a text) returns text language sql immutable as $$ select a || '!' $$;
create function "Weird Shop"."Add Up"() returns text language sql immutable as $$ select 'nothing' $$;
create function "Weird Shop".both(inout x int, inout y text, out z boolean) language sql immutable as $$
  select x + 1, y || y, true
$$;
create function "Weird Shop".only_in_out(inout n int) language sql immutable as $$ select n * 2 $$;
create function "Weird Shop".listed(variadic words text[] default '{}') returns setof text language sql immutable as $$
  select w from unnest(words) w
$$;
create function "Weird Shop".first_and(start int, variadic rest int[]) returns int[] language sql immutable as $$
  select start || rest
$$;
create function "Weird Shop".anybody(record_too boolean) returns record language sql immutable as $$ select 1, 'x' $$;
create function "Weird Shop"."a row"() returns "Weird Shop"."Full Address" language sql immutable as $$
  select row('Main', 7, point '(1,2)')::"Weird Shop"."Full Address"
$$;
create function "Weird Shop".rows_of() returns setof "Weird Shop"."Full Address" language sql immutable as $$
  select row('Main', n, point '(1,2)')::"Weird Shop"."Full Address" from generate_series(1, 3) n
$$;
create function "Weird Shop".takes_row(place "Weird Shop"."Full Address") returns text language sql immutable as $$
  select place."Street Name"
$$;
create function "Weird Shop".customers_named("the näme" text) returns setof "Weird Shop"."Customer Records"
  language sql stable as $$ select * from "Weird Shop"."Customer Records" where "Näme" = "the näme" $$;
create function "Weird Shop".make_tag(id int, word text) returns "Weird Shop".tags language sql volatile as $$
  insert into "Weird Shop".tags values (id, word) returning *
$$;
create function "Weird Shop".table_of(n int) returns table ("The N" int, half numeric) language sql immutable as $$
  select i, i / 2.0 from generate_series(1, n) i
$$;
create function "Weird Shop".whole_jsonb(jsonb) returns jsonb language sql immutable as $$ select jsonb_build_object('got', $1) $$;
create function "Weird Shop".whole_text(text) returns text language sql immutable as $$ select 'got ' || $1 $$;
create function "Weird Shop".whole_bytes(bytea) returns text language sql immutable as $$ select encode($1, 'hex') $$;
create function "Weird Shop".nothing_back() returns void language sql volatile as $$ select $$;
create function "Weird Shop".dates(a date, b daterange, c "Weird Shop"."Mood!", d "Weird Shop"."small positive") returns json
  language sql immutable as $$ select json_build_array(a, b, c, d) $$;
create function "Weird Shop".bits(b bit(4), c character(3), v varchar(2)) returns text language sql immutable as $$
  select b::text || '/' || c || '/' || v
$$;
create function "Weird Shop".scalar_null() returns int language sql immutable as $$ select null::int $$;
create function "Weird Shop".arrays(a int[], b text[]) returns json language sql immutable as $$ select json_build_array(a, b) $$;
create function "Weird Shop".fails(code text) returns void language plpgsql as $$
begin
  raise exception using errcode = code, message = 'told', detail = 'det', hint = 'hi', column = 'c', table = 't';
end $$;
create function "Weird Shop".context() returns json language sql stable as $$
  select json_build_object('role', current_user, 'path', current_setting('request.path', true),
    'search', current_setting('search_path'), 'isolation', current_setting('transaction_isolation'),
    'read_only', current_setting('transaction_read_only'), 'work_mem', current_setting('work_mem'),
    'header', current_setting('request.headers', true)::json ->> 'x-note')
$$;
create function "Weird Shop".strict_context() returns json language sql volatile
  set default_transaction_isolation = 'serializable' set work_mem = '7MB' as $$ select "Weird Shop".context() $$;
create function "Tool Box".helper() returns text language sql immutable as $$ select 'helped' $$;
create function "Weird Shop".helped() returns text language plpgsql stable as $$ begin return helper(); end $$;
