-- Tests in SQL, after https://pgtap.org/documentation.html: the plan, its results as TAP, comparisons, errors and queries.
-- `pgtap--1.3.1--1.3.3.sql` has what looks at the schema. The state of a run lies in settings of its session, which every
-- role may write, for tests change their role, and which a rollback takes back.
create function _tap_get(name text) returns integer language sql stable as $$
  select coalesce(nullif(current_setting('pgtap.' || name, true), '')::integer, 0)
$$;
create function _tap_set(name text, value integer) returns integer language sql volatile as $$
  select set_config('pgtap.' || name, value::text, false)::integer
$$;
create function diag(message text) returns text language sql immutable as $$
  select '# ' || replace(coalesce(message, ''), e'\n', e'\n# ')
$$;
create function diag(message anyelement) returns text language sql immutable as $$ select @extschema@.diag(message::text) $$;
create function plan(tests integer) returns text language plpgsql volatile as $$
begin
  if @extschema@._tap_get('planned') <> 0 then
    raise exception 'You tried to plan twice!';
  end if;
  perform @extschema@._tap_set('planned', tests), @extschema@._tap_set('ran', 0), @extschema@._tap_set('failed', 0),
    @extschema@._tap_set('todo', 0);
  return '1..' || tests;
end $$;
create function no_plan() returns setof text language plpgsql volatile as $$
begin
  perform @extschema@.plan(-1);
end $$;
create function num_failed() returns integer language sql stable as $$ select @extschema@._tap_get('failed') $$;
create function finish(exception_on_failure boolean default null) returns setof text language plpgsql volatile as $$
declare
  planned integer := @extschema@._tap_get('planned');
  ran integer := @extschema@._tap_get('ran');
  failed integer := @extschema@._tap_get('failed');
begin
  if planned = 0 then
    raise exception 'You tried to run a test without a plan! Gotta have a plan';
  end if;
  perform @extschema@._tap_set('planned', 0), @extschema@._tap_set('ran', 0), @extschema@._tap_set('failed', 0);
  if planned < 0 then
    return next '1..' || ran;
  end if;
  if ran = 0 then
    return next '# No tests run!';
  elsif planned > 0 and planned <> ran then
    return next format('# Looks like you planned %s test%s but ran %s', planned, case planned when 1 then '' else 's' end, ran);
  elsif failed > 0 then
    return next format('# Looks like you failed %s test%s of %s', failed, case failed when 1 then '' else 's' end, ran);
  end if;
  if exception_on_failure and (failed > 0 or (planned > 0 and planned <> ran)) then
    raise exception '% test% failed of %', failed, case failed when 1 then '' else 's' end, ran;
  end if;
end $$;

-- One test's line, and under a failed one what was there and what was wanted.
create function _tap_result(passed boolean, description text, details text default null) returns text
language plpgsql volatile as $$
declare
  number integer;
  name text := replace(coalesce(description, ''), e'\n', e'\n# ');
  is_todo boolean := @extschema@._tap_get('todo') > 0;
begin
  if @extschema@._tap_get('planned') = 0 then
    raise exception 'You tried to run a test without a plan! Gotta have a plan';
  end if;
  number := @extschema@._tap_set('ran', @extschema@._tap_get('ran') + 1);
  if is_todo then
    perform @extschema@._tap_set('todo', @extschema@._tap_get('todo') - 1);
  end if;
  if not coalesce(passed, false) and not is_todo then
    perform @extschema@._tap_set('failed', @extschema@._tap_get('failed') + 1);
  end if;
  return case when passed then '' else 'not ' end || 'ok ' || number
    || case name when '' then '' else ' - ' || name end
    || case when is_todo then ' # TODO ' || coalesce(current_setting('pgtap.why', true), '') else '' end
    || case when passed then '' else e'\n' || @extschema@.diag(
      'Failed ' || case when is_todo then '(TODO) ' else '' end || 'test ' || number
      || case name when '' then '' else ': "' || name || '"' end
      || case when passed is null then e'\n    (test result was NULL)' else '' end
      || coalesce(e'\n' || details, '')) end;
end $$;
create function _tap_compared(have text, want text) returns text language sql immutable as $$
  select '        have: ' || coalesce(have, 'NULL') || e'\n        want: ' || coalesce(want, 'NULL')
$$;

create function ok(passed boolean, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(passed, description)
$$;
create function pass(description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(true, description)
$$;
create function fail(description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(false, description)
$$;
create function "is"(have anyelement, want anyelement, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(have is not distinct from want, description, @extschema@._tap_compared(have::text, want::text))
$$;
create function isnt(have anyelement, want anyelement, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(have is distinct from want, description, @extschema@._tap_compared(have::text, 'anything else'))
$$;
create function isa_ok(have anyelement, type text, name text default 'the value') returns text language sql volatile as $$
  select @extschema@._tap_result(pg_typeof(have) = type::regtype, name || ' isa ' || type,
    '    ' || name || ' isn''t a "' || type || '" it''s a "' || pg_typeof(have)::text || '"')
$$;
create function cmp_ok(have anyelement, operator text, want anyelement, description text default null) returns text
language plpgsql volatile as $$
declare
  passed boolean;
begin
  execute 'select $1 ' || operator || ' $2' into passed using have, want;
  return @extschema@._tap_result(passed, description,
    '    ' || coalesce(quote_literal(have), 'NULL') || e'\n        ' || operator || e'\n    ' || coalesce(quote_literal(want), 'NULL'));
end $$;
do $do$
declare
  kind record;
begin
  for kind in values
    ('matches', '~', 'doesn''t match'), ('imatches', '~*', 'doesn''t match'), ('doesnt_match', '!~', 'matches'),
    ('doesnt_imatch', '!~*', 'matches'), ('alike', 'like', 'doesn''t match'), ('ialike', 'ilike', 'doesn''t match'),
    ('unalike', 'not like', 'matches'), ('unialike', 'not ilike', 'matches')
  loop
    execute format($sql$
      create function %1$I(have anyelement, pattern text, description text default null) returns text language sql volatile as $$
        select @extschema@._tap_result(have::text %2$s pattern, description,
          '                  ' || coalesce(quote_literal(have), 'NULL') || e'\n   %3$s: ' || coalesce(quote_literal(pattern), 'NULL'))
      $$ $sql$, kind.column1, kind.column2, replace(kind.column3, '''', ''''''));
  end loop;
end $do$;

create function skip(why text, how_many integer default 1) returns text language plpgsql volatile as $$
declare
  lines text[] := '{}';
begin
  for number in 1 .. how_many loop
    lines := lines || (@extschema@._tap_result(true, '') || ' # SKIP' || coalesce(' ' || why, ''));
  end loop;
  return array_to_string(lines, e'\n');
end $$;
create function skip(how_many integer, why text default null) returns text language sql volatile as $$
  select @extschema@.skip(why, how_many)
$$;
create function todo(why text, how_many integer default 1) returns setof boolean language plpgsql volatile as $$
begin
  perform set_config('pgtap.why', coalesce(why, ''), false), @extschema@._tap_set('todo', how_many);
end $$;
create function todo(how_many integer, why text default null) returns setof boolean language sql volatile as $$
  select * from @extschema@.todo(why, how_many)
$$;
create function todo_start(why text default '') returns setof boolean language sql volatile as $$
  select * from @extschema@.todo(why, 1000000)
$$;
create function todo_end() returns setof boolean language plpgsql volatile as $$
begin
  perform @extschema@._tap_set('todo', 0);
end $$;

-- A statement, or the name of a prepared one.
create function _tap_query(statement text) returns text language sql immutable as $$
  select case when btrim(statement) ~ '^(\w+|"[^"]+")$' and btrim(statement) !~* '^(select|values)$'
    then 'execute ' || btrim(statement) else statement end
$$;
-- What a statement raises, as `{state, message}`; null for nothing.
create function _tap_error(statement text) returns text[] language plpgsql volatile as $$
begin
  execute @extschema@._tap_query(statement);
  return null;
exception when others or assert_failure then
  return array[sqlstate, sqlerrm];
end $$;
create function lives_ok(statement text, description text default null) returns text language plpgsql volatile as $$
declare
  error text[] := @extschema@._tap_error(statement);
begin
  return @extschema@._tap_result(error is null, description, '    died: ' || error[1] || ': ' || error[2]);
end $$;
create function throws_ok(statement text, code text, message text, description text) returns text language plpgsql volatile as $$
declare
  error text[] := @extschema@._tap_error(statement);
begin
  return @extschema@._tap_result(
    error is not null and (code is null or error[1] = code) and (message is null or error[2] = message),
    coalesce(description, case when coalesce(code, message) is null then 'threw an exception'
      else 'threw ' || coalesce(code || case when message is null then '' else ': ' || message end, message) end),
    '      caught: ' || coalesce(error[1] || ': ' || error[2], 'no exception') || e'\n      wanted: '
      || coalesce(nullif(concat_ws(': ', code, message), ''), 'an exception'));
end $$;
create function throws_ok(statement text, code_or_message text default null, message_or_description text default null)
returns text language sql volatile as $$
  select case when code_or_message ~ '^[0-9A-Z]{5}$'
    then @extschema@.throws_ok(statement, code_or_message, message_or_description, null)
    else @extschema@.throws_ok(statement, null, code_or_message, message_or_description) end
$$;
create function throws_ok(statement text, code integer, message text default null, description text default null) returns text
language sql volatile as $$
  select @extschema@.throws_ok(statement, code::text, message, description)
$$;
do $do$
declare
  kind record;
begin
  for kind in values ('throws_like', 'like'), ('throws_ilike', 'ilike'), ('throws_matching', '~'), ('throws_imatching', '~*') loop
    execute format($sql$
      create function %1$I(statement text, pattern text, description text default null) returns text language plpgsql volatile as $$
      declare
        error text[] := @extschema@._tap_error(statement);
      begin
        return @extschema@._tap_result(error is not null and error[2] %2$s pattern, description,
          '   error message: ' || coalesce(quote_literal(error[2]), 'no exception') || e'\n   does not match: ' || quote_literal(pattern));
      end $$ $sql$, kind.column1, kind.column2);
  end loop;
end $do$;
create function performs_ok(statement text, milliseconds numeric, description text default null) returns text
language plpgsql volatile as $$
declare
  began timestamptz := clock_timestamp();
  spent numeric;
begin
  execute @extschema@._tap_query(statement);
  spent := extract(epoch from clock_timestamp() - began) * 1000;
  return @extschema@._tap_result(spent <= milliseconds, coalesce(description, 'Should run in less than ' || milliseconds || ' ms'),
    '      runtime: ' || spent || e' ms\n      exceeds: ' || milliseconds || ' ms');
end $$;

-- Row by row, in order.
create function _tap_difference(have refcursor, want refcursor) returns text language plpgsql volatile as $$
declare
  ours record;
  theirs record;
  number integer := 0;
  is_row boolean;
  other_row boolean;
begin
  loop
    fetch have into ours;
    is_row := found;
    fetch want into theirs;
    other_row := found;
    number := number + 1;
    exit when not is_row and not other_row;
    if is_row <> other_row or ours is distinct from theirs then
      return '    Results differ beginning at row ' || number || e':\n' || @extschema@._tap_compared(
        case when is_row then ours::text end, case when other_row then theirs::text end);
    end if;
  end loop;
  return null;
exception when datatype_mismatch then
  return e'    Number of columns or their types differ between the queries:\n'
    || @extschema@._tap_compared(ours::text, theirs::text);
end $$;
create function _tap_results(have text, want text) returns text language plpgsql volatile as $$
declare
  ours refcursor;
  theirs refcursor;
  difference text;
begin
  open ours for execute @extschema@._tap_query(have);
  open theirs for execute @extschema@._tap_query(want);
  difference := @extschema@._tap_difference(ours, theirs);
  close ours;
  close theirs;
  return difference;
end $$;
create function _tap_array_query(value anyarray) returns text language sql immutable as $$
  select format('select unnest(%L::%s)', value, pg_typeof(value))
$$;
create function results_eq(have text, want text, description text default null) returns text language plpgsql volatile as $$
declare
  difference text := @extschema@._tap_results(have, want);
begin
  return @extschema@._tap_result(difference is null, description, difference);
end $$;
create function results_eq(have text, want anyarray, description text default null) returns text language sql volatile as $$
  select @extschema@.results_eq(have, @extschema@._tap_array_query(want), description)
$$;
create function results_eq(have refcursor, want refcursor, description text default null) returns text language plpgsql volatile as $$
declare
  difference text := @extschema@._tap_difference(have, want);
begin
  return @extschema@._tap_result(difference is null, description, difference);
end $$;
create function results_ne(have text, want text, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(@extschema@._tap_results(have, want) is not null, description)
$$;
create function results_ne(have text, want anyarray, description text default null) returns text language sql volatile as $$
  select @extschema@.results_ne(have, @extschema@._tap_array_query(want), description)
$$;
create function row_eq(have text, want anyelement, description text default null) returns text language plpgsql volatile as $$
declare
  ours record;
begin
  execute @extschema@._tap_query(have) into ours;
  return @extschema@._tap_result(ours::text is not distinct from want::text, description,
    @extschema@._tap_compared(ours::text, want::text));
end $$;
create function _tap_rows(query text, most integer default 10) returns text[] language plpgsql volatile as $$
declare
  each record;
  result text[] := '{}';
begin
  for each in execute query loop
    result := result || each::text;
    exit when cardinality(result) = most;
  end loop;
  return result;
end $$;
create function is_empty(statement text, description text default null) returns text language plpgsql volatile as $$
declare
  rows text[] := @extschema@._tap_rows(@extschema@._tap_query(statement));
begin
  return @extschema@._tap_result(cardinality(rows) = 0, description,
    e'    Unexpected records:\n        ' || array_to_string(rows, e'\n        '));
end $$;
create function isnt_empty(statement text, description text default null) returns text language plpgsql volatile as $$
begin
  return @extschema@._tap_result(cardinality(@extschema@._tap_rows(@extschema@._tap_query(statement), 1)) > 0, description);
end $$;

-- Sets ignore order and repetition, bags only order. `missing` and `extra` say which differences count.
create function _tap_sets(have text, want text, is_bag boolean, missing boolean, extra boolean) returns text
language plpgsql volatile as $$
declare
  operator text := case when is_bag then 'except all' else 'except' end;
  found text[];
  result text := '';
begin
  drop table if exists pg_temp.__tap_have, pg_temp.__tap_want;
  execute 'create temporary table __tap_have as ' || @extschema@._tap_query(have);
  execute 'create temporary table __tap_want as ' || @extschema@._tap_query(want);
  if extra then
    found := @extschema@._tap_rows(format('select * from pg_temp.__tap_have %s select * from pg_temp.__tap_want', operator));
    result := case cardinality(found) when 0 then '' else e'    Extra records:\n        ' || array_to_string(found, e'\n        ') end;
  end if;
  if missing then
    found := @extschema@._tap_rows(format('select * from pg_temp.__tap_want %s select * from pg_temp.__tap_have', operator));
    result := concat_ws(e'\n', nullif(result, ''), case cardinality(found) when 0 then null
      else e'    Missing records:\n        ' || array_to_string(found, e'\n        ') end);
  end if;
  drop table pg_temp.__tap_have, pg_temp.__tap_want;
  return nullif(result, '');
exception when syntax_error or datatype_mismatch then
  return '    Columns differ between queries: ' || sqlerrm;
end $$;
do $do$
declare
  kind record;
begin
  for kind in
    select name, is_bag, verb
    from (values ('set', false), ('bag', true)) as names(name, is_bag), unnest(array['eq', 'ne', 'has']) as verb
  loop
    execute format($sql$
      create function %1$I(have text, want text, description text default null) returns text language plpgsql volatile as $$
      declare
        difference text := @extschema@._tap_sets(have, want, %2$L, %3$L, %4$L);
      begin
        return @extschema@._tap_result(difference is %5$s null, description, difference);
      end $$ $sql$,
      kind.name || '_' || kind.verb, kind.is_bag, true, kind.verb in ('eq', 'ne'),
      case when kind.verb = 'ne' then 'not' else '' end);
    if kind.verb in ('eq', 'ne') then
      execute format($sql$
        create function %1$I(have text, want anyarray, description text default null) returns text language sql volatile as $$
          select @extschema@.%1$I(have, @extschema@._tap_array_query(want), description)
        $$ $sql$, kind.name || '_' || kind.verb);
    end if;
  end loop;
end $do$;
-- None of the wanted rows is there.
create function set_hasnt(have text, want text, description text default null) returns text language plpgsql volatile as $$
declare
  rows text[];
begin
  drop table if exists pg_temp.__tap_have, pg_temp.__tap_want;
  execute 'create temporary table __tap_have as ' || @extschema@._tap_query(have);
  execute 'create temporary table __tap_want as ' || @extschema@._tap_query(want);
  rows := @extschema@._tap_rows('select * from pg_temp.__tap_have intersect select * from pg_temp.__tap_want');
  drop table pg_temp.__tap_have, pg_temp.__tap_want;
  return @extschema@._tap_result(cardinality(rows) = 0, description,
    e'    Extra records:\n        ' || array_to_string(rows, e'\n        '));
end $$;
create function bag_hasnt(have text, want text, description text default null) returns text language sql volatile as $$
  select @extschema@.set_hasnt(have, want, description)
$$;
