-- Tests of the schema: what is there, how columns, keys, functions and triggers are made, who may do what, policies.
-- As with pgTAP, of two arguments without a type the second is the description; `'a'::name, 'b'::name` are schema and name.
create function _tap_relation(kinds text, schema_name name, relation name) returns oid language sql stable as $$
  select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = relation and strpos(kinds, c.relkind::text) > 0
    and (n.nspname = schema_name or (schema_name is null and pg_table_is_visible(c.oid)))
  limit 1
$$;
create function _tap_function(schema_name name, function name, arguments name[] default null) returns setof oid language sql stable as $$
  select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.proname = function and (n.nspname = schema_name or (schema_name is null and pg_function_is_visible(p.oid)))
    and (arguments is null or array(select unnest(p.proargtypes)) = array(select a::text::regtype::oid from unnest(arguments) with ordinality u(a, n) order by n))
$$;
create function _tap_column(schema_name name, relation name, column_name name) returns pg_attribute language sql stable as $$
  select a from pg_attribute a where a.attrelid = @extschema@._tap_relation('rvmfp', schema_name, relation)
    and a.attname = column_name and a.attnum > 0 and not a.attisdropped
$$;
create function _tap_names(have name[], want name[], description text) returns text language sql volatile as $$
  select @extschema@._tap_result(extra is null and missing is null, description, concat_ws(e'\n',
    e'    Extra:\n        ' || extra, e'    Missing:\n        ' || missing))
  from
    (select string_agg(quote_ident(n), e'\n        ' order by n) from unnest(have) n where n <> all (want)) as e(extra),
    (select string_agg(quote_ident(n), e'\n        ' order by n) from unnest(want) n where n <> all (have)) as m(missing)
$$;
-- Whether a constraint of one of these kinds is on just this column.
create function _tap_constraint(kinds text, column_of pg_attribute) returns boolean language sql stable as $$
  select exists (select from pg_constraint where conrelid = column_of.attrelid and strpos(kinds, contype::text) > 0
    and (conkey = array[column_of.attnum] or (kinds = 'c' and column_of.attnum = any (conkey))))
$$;
do $do$
declare
  kind record;
  negation record;
begin
  -- Relations, schemas, roles, types, extensions: has_… and hasnt_…
  for negation in values ('has_', '', 'should exist'), ('hasnt_', 'not', 'should not exist') loop
    for kind in values
      ('table', 'rp', 'Table'), ('view', 'v', 'View'), ('materialized_view', 'm', 'Materialized view'), ('sequence', 'S', 'Sequence'),
      ('foreign_table', 'f', 'Foreign table'), ('relation', 'rpvmSfc', 'Relation')
    loop
      execute format($sql$
        create function %1$I(schema_name name, relation name, description text) returns text language sql volatile as $$
          select @extschema@._tap_result(%2$s (@extschema@._tap_relation(%3$L, schema_name, relation) is not null), description)
        $$;
        create function %1$I(schema_name name, relation name) returns text language sql volatile as $$
          select @extschema@.%1$I(schema_name, relation, %4$L || quote_ident(schema_name) || '.' || quote_ident(relation) || %5$L)
        $$;
        create function %1$I(relation name, description text) returns text language sql volatile as $$
          select @extschema@._tap_result(%2$s (@extschema@._tap_relation(%3$L, null, relation) is not null), description)
        $$;
        create function %1$I(relation name) returns text language sql volatile as $$
          select @extschema@.%1$I(relation, %4$L || quote_ident(relation) || %5$L)
        $$ $sql$,
        negation.column1 || kind.column1, negation.column2, kind.column2, kind.column3 || ' ', ' ' || negation.column3);
    end loop;
    for kind in values
      ('schema', 'pg_namespace where nspname = object_name', 'Schema'),
      ('role', 'pg_roles where rolname = object_name', 'Role'),
      ('user', 'pg_roles where rolname = object_name and rolcanlogin', 'User'),
      ('group', 'pg_roles where rolname = object_name and not rolcanlogin', 'Group'),
      ('extension', 'pg_extension where extname = object_name', 'Extension'),
      ('language', 'pg_language where lanname = object_name', 'Procedural language'),
      ('type', 'pg_type where typname = object_name and pg_type_is_visible(oid)', 'Type'),
      ('enum', 'pg_type where typname = object_name and typtype = ''e'' and pg_type_is_visible(oid)', 'Enum'),
      ('domain', 'pg_type where typname = object_name and typtype = ''d'' and pg_type_is_visible(oid)', 'Domain')
    loop
      execute format($sql$
        create function %1$I(object_name name, description text) returns text language sql volatile as $$
          select @extschema@._tap_result(%2$s exists (select from %3$s), description)
        $$;
        create function %1$I(object_name name) returns text language sql volatile as $$
          select @extschema@.%1$I(object_name, %4$L || quote_ident(object_name) || %5$L)
        $$ $sql$,
        negation.column1 || kind.column1, negation.column2, kind.column2, kind.column3 || ' ', ' ' || negation.column3);
    end loop;
  end loop;

  -- What is true of one column: with and without a schema, with and without a description.
  for kind in values
    ('has_column', '(c).attnum is not null', ' should exist'),
    ('hasnt_column', '(c).attnum is null', ' should not exist'),
    ('col_not_null', '(c).attnotnull', ' should be NOT NULL'),
    ('col_is_null', 'not (c).attnotnull', ' should allow NULL'),
    ('col_has_default', '(c).atthasdef', ' should have a default'),
    ('col_hasnt_default', 'not (c).atthasdef', ' should not have a default'),
    ('col_is_pk', '@extschema@._tap_constraint(''p'', c)', ' should be a primary key'),
    ('col_is_fk', '@extschema@._tap_constraint(''f'', c)', ' should be a foreign key'),
    ('col_isnt_fk', 'not @extschema@._tap_constraint(''f'', c)', ' should not be a foreign key'),
    ('col_is_unique', '@extschema@._tap_constraint(''up'', c)', ' should have a unique constraint'),
    ('col_has_check', '@extschema@._tap_constraint(''c'', c)', ' should have a check constraint')
  loop
    execute format($sql$
      create function %1$I(schema_name name, relation name, column_name name, description text) returns text
      language sql volatile as $$
        select @extschema@._tap_result(coalesce(%2$s, false), description)
        from (select @extschema@._tap_column(schema_name, relation, column_name)) as columns(c)
      $$;
      create function %1$I(relation name, column_name name, description text) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, relation, column_name, description)
      $$;
      create function %1$I(relation name, column_name name) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, relation, column_name,
          'Column ' || quote_ident(relation) || '.' || quote_ident(column_name) || %3$L)
      $$ $sql$, kind.column1, kind.column2, kind.column3);
  end loop;

  -- Constraints of a table.
  for kind in values ('has_pk', 'p', '', 'have a primary key'), ('hasnt_pk', 'p', 'not', 'not have a primary key'),
    ('has_fk', 'f', '', 'have a foreign key constraint'), ('hasnt_fk', 'f', 'not', 'not have a foreign key constraint'),
    ('has_unique', 'u', '', 'have a unique constraint'), ('has_check', 'c', '', 'have a check constraint')
  loop
    execute format($sql$
      create function %1$I(schema_name name, relation name, description text) returns text language sql volatile as $$
        select @extschema@._tap_result(%3$s exists (select from pg_constraint
          where conrelid = @extschema@._tap_relation('rp', schema_name, relation) and contype = %2$L), description)
      $$;
      create function %1$I(relation name, description text) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, relation, description)
      $$;
      create function %1$I(relation name) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, relation, 'Table ' || quote_ident(relation) || ' should ' || %4$L)
      $$ $sql$, kind.column1, kind.column2, kind.column3, kind.column4);
  end loop;

  -- Lists of a schema's and of a table's objects, which must be these and no others.
  for kind in values
    ('tables', 'relname', 'pg_class where relnamespace = to_regnamespace(quote_ident(schema_name)) and relkind in (''r'', ''p'')'),
    ('views', 'relname', 'pg_class where relnamespace = to_regnamespace(quote_ident(schema_name)) and relkind = ''v'''),
    ('sequences', 'relname', 'pg_class where relnamespace = to_regnamespace(quote_ident(schema_name)) and relkind = ''S'''),
    ('functions', 'proname', 'pg_proc where pronamespace = to_regnamespace(quote_ident(schema_name))'),
    ('enums', 'typname', 'pg_type where typnamespace = to_regnamespace(quote_ident(schema_name)) and typtype = ''e''')
  loop
    execute format($sql$
      create function %1$I(schema_name name, names name[], description text default null) returns text language sql volatile as $$
        select @extschema@._tap_names(array(select distinct %2$s from %3$s), names,
          coalesce(description, 'Schema ' || quote_ident(schema_name) || %4$L))
      $$ $sql$, kind.column1 || '_are', kind.column2, kind.column3, ' should have the correct ' || kind.column1);
  end loop;
  for kind in values
    ('columns', 'attname', 'pg_attribute where attrelid = relation_id and attnum > 0 and not attisdropped'),
    ('policies', 'polname', 'pg_policy where polrelid = relation_id'),
    ('triggers', 'tgname', 'pg_trigger where tgrelid = relation_id and not tgisinternal'),
    ('indexes', 'relname', 'pg_index join pg_class on oid = indexrelid where indrelid = relation_id')
  loop
    execute format($sql$
      create function %1$I(schema_name name, relation name, names name[], description text default null) returns text
      language sql volatile as $$
        select @extschema@._tap_names(array(select %2$s from %3$s), names,
          coalesce(description, 'Table ' || quote_ident(relation) || %4$L))
        from (select @extschema@._tap_relation('rpvmf', schema_name, relation)) as relations(relation_id)
      $$;
      create function %1$I(relation name, names name[], description text default null) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, relation, names, description)
      $$ $sql$, kind.column1 || '_are', kind.column2, kind.column3, ' should have the correct ' || kind.column1);
  end loop;

  -- What is true of every function of a name.
  for kind in values
    ('is_definer', 'bool_and(prosecdef)', ' should be security definer'),
    ('isnt_definer', 'not bool_or(prosecdef)', ' should not be security definer'),
    ('is_strict', 'bool_and(proisstrict)', ' should be strict'),
    ('is_procedure', 'bool_and(prokind = ''p'')', ' should be a procedure')
  loop
    execute format($sql$
      create function %1$I(schema_name name, function name, description text) returns text language sql volatile as $$
        select @extschema@._tap_result(%2$s, description)
        from pg_proc where oid in (select @extschema@._tap_function(schema_name, function))
      $$;
      create function %1$I(schema_name name, function name) returns text language sql volatile as $$
        select @extschema@.%1$I(schema_name, function, 'Function ' || quote_ident(function) || %3$L)
      $$;
      create function %1$I(function name) returns text language sql volatile as $$
        select @extschema@.%1$I(null::name, function, 'Function ' || quote_ident(function) || %3$L)
      $$ $sql$, kind.column1, kind.column2, kind.column3);
  end loop;
end $do$;

create function schemas_are(names name[], description text default 'There should be the correct schemas') returns text
language sql volatile as $$
  select @extschema@._tap_names(
    array(select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'), names, description)
$$;
create function col_type_is(schema_name name, relation name, column_name name, type text, description text) returns text
language sql volatile as $$
  select @extschema@._tap_result(have = want, description, @extschema@._tap_compared(have, want))
  from (
    select format_type((c).atttypid, (c).atttypmod), case when type ~ '\(' then type else format_type(type::regtype, null) end
    from (select @extschema@._tap_column(schema_name, relation, column_name)) as columns(c)
  ) as types(have, want)
$$;
create function col_type_is(relation name, column_name name, type text, description text) returns text language sql volatile as $$
  select @extschema@.col_type_is(null::name, relation, column_name, type, description)
$$;
create function col_type_is(relation name, column_name name, type text) returns text language sql volatile as $$
  select @extschema@.col_type_is(null::name, relation, column_name, type,
    'Column ' || quote_ident(relation) || '.' || quote_ident(column_name) || ' should be type ' || type)
$$;
create function col_default_is(schema_name name, relation name, column_name name, want text, description text) returns text
language plpgsql volatile as $$
declare
  column_of pg_attribute := @extschema@._tap_column(schema_name, relation, column_name);
  have text := (select pg_get_expr(adbin, adrelid) from pg_attrdef
    where adrelid = column_of.attrelid and adnum = column_of.attnum);
begin
  if have is distinct from want and have is not null then
    execute 'select (' || have || ')::text' into have;
  end if;
  return @extschema@._tap_result(have is not distinct from want, description, @extschema@._tap_compared(have, want));
end $$;
create function col_default_is(relation name, column_name name, want text, description text default null) returns text
language sql volatile as $$
  select @extschema@.col_default_is(null::name, relation, column_name, want, coalesce(description,
    'Column ' || quote_ident(relation) || '.' || quote_ident(column_name) || ' should default to ' || want))
$$;
create function _tap_column_names(relation oid, numbers int2[]) returns name[] language sql stable as $$
  select array(select attname from unnest(numbers) with ordinality u(n, o)
    join pg_attribute on attrelid = relation and attnum = n order by o)
$$;
create function fk_ok(
  schema_name name, relation name, columns name[], other_schema name, other name, others name[], description text default null
) returns text language sql volatile as $$
  select @extschema@._tap_result(exists (
    select from pg_constraint
    where contype = 'f' and conrelid = @extschema@._tap_relation('rp', schema_name, relation)
      and confrelid = @extschema@._tap_relation('rp', other_schema, other)
      and @extschema@._tap_column_names(conrelid, conkey) = columns
      and @extschema@._tap_column_names(confrelid, confkey) = others
  ), coalesce(description,
    format('%I(%s) should reference %I(%s)', relation, array_to_string(columns, ', '), other, array_to_string(others, ', '))))
$$;
create function fk_ok(schema_name name, relation name, column_name name, other_schema name, other name, other_column name)
returns text language sql volatile as $$
  select @extschema@.fk_ok(schema_name, relation, array[column_name], other_schema, other, array[other_column])
$$;
create function fk_ok(relation name, column_name name, other name, other_column name, description text default null) returns text
language sql volatile as $$
  select @extschema@.fk_ok(null::name, relation, array[column_name], null::name, other, array[other_column], description)
$$;
create function has_index(schema_name name, relation name, index name, description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(exists (
    select from pg_index join pg_class on oid = indexrelid
    where indrelid = @extschema@._tap_relation('rpm', schema_name, relation) and relname = index),
    coalesce(description, 'Index ' || quote_ident(index) || ' should exist'))
$$;
create function has_index(relation name, index name) returns text language sql volatile as $$
  select @extschema@.has_index(null::name, relation, index)
$$;
create function has_trigger(schema_name name, relation name, trigger name, description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(exists (
    select from pg_trigger
    where tgrelid = @extschema@._tap_relation('rpvf', schema_name, relation) and tgname = trigger and not tgisinternal),
    coalesce(description, 'Table ' || quote_ident(relation) || ' should have trigger ' || quote_ident(trigger)))
$$;
create function has_trigger(relation name, trigger name) returns text language sql volatile as $$
  select @extschema@.has_trigger(null::name, relation, trigger)
$$;
create function has_function(schema_name name, function name, arguments name[], description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(exists (select @extschema@._tap_function(schema_name, function, arguments)),
    coalesce(description, 'Function ' || quote_ident(function) || ' should exist'))
$$;
create function has_function(schema_name name, function name) returns text language sql volatile as $$
  select @extschema@.has_function(schema_name, function, null::name[])
$$;
create function has_function(function name, arguments name[]) returns text language sql volatile as $$
  select @extschema@.has_function(null::name, function, arguments)
$$;
create function has_function(function name, description text default null) returns text language sql volatile as $$
  select @extschema@.has_function(null::name, function, null::name[], description)
$$;
create function hasnt_function(schema_name name, function name, arguments name[] default null, description text default null)
returns text language sql volatile as $$
  select @extschema@._tap_result(not exists (select @extschema@._tap_function(schema_name, function, arguments)),
    coalesce(description, 'Function ' || quote_ident(function) || ' should not exist'))
$$;
create function hasnt_function(function name) returns text language sql volatile as $$
  select @extschema@.hasnt_function(null::name, function)
$$;
create function function_returns(schema_name name, function name, arguments name[], type text, description text default null)
returns text language sql volatile as $$
  select @extschema@._tap_result(
    bool_or(have = type or have = format_type(to_regtype(regexp_replace(type, '^setof ', '')), null)),
    coalesce(description, 'Function ' || quote_ident(function) || ' should return ' || type),
    @extschema@._tap_compared(max(have), type))
  from (
    select case when proretset then 'setof ' else '' end || format_type(prorettype, null) from pg_proc
    where oid in (select @extschema@._tap_function(schema_name, function, arguments))
  ) as functions(have)
$$;
create function function_returns(schema_name name, function name, type text) returns text language sql volatile as $$
  select @extschema@.function_returns(schema_name, function, null::name[], type)
$$;
create function function_returns(function name, type text) returns text language sql volatile as $$
  select @extschema@.function_returns(null::name, function, null::name[], type)
$$;
create function function_lang_is(schema_name name, function name, language name, description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(bool_and(lanname = language),
    coalesce(description, 'Function ' || quote_ident(function) || ' should be written in ' || language))
  from pg_proc p join pg_language l on l.oid = prolang where p.oid in (select @extschema@._tap_function(schema_name, function))
$$;
create function volatility_is(schema_name name, function name, volatility text, description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(bool_and(provolatile = left(lower(volatility), 1)::"char"),
    coalesce(description, 'Function ' || quote_ident(function) || ' should be ' || volatility))
  from pg_proc where oid in (select @extschema@._tap_function(schema_name, function))
$$;
create function enum_has_labels(schema_name name, enum name, labels name[], description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(have = labels,
    coalesce(description, 'Enum ' || quote_ident(enum) || ' should have the correct labels'),
    @extschema@._tap_compared(have::text, labels::text))
  from (select array(
    select enumlabel from pg_enum join pg_type t on t.oid = enumtypid
    where typname = enum and case when schema_name is null then pg_type_is_visible(t.oid)
      else typnamespace = to_regnamespace(quote_ident(schema_name)) end
    order by enumsortorder)) as enums(have)
$$;
create function enum_has_labels(enum name, labels name[], description text default null) returns text language sql volatile as $$
  select @extschema@.enum_has_labels(null::name, enum, labels, description)
$$;

-- Who may do what.
create function policy_roles_are(schema_name name, relation name, policy name, roles name[], description text default null)
returns text language sql volatile as $$
  select @extschema@._tap_names(
    array(select r from pg_policies p, unnest(p.roles) r
      where schemaname = schema_name and tablename = relation and policyname = policy),
    roles, coalesce(description, 'Policy ' || quote_ident(policy) || ' should have the correct roles'))
$$;
create function policy_cmd_is(schema_name name, relation name, policy name, command text, description text default null)
returns text language sql volatile as $$
  select @extschema@._tap_result(have = upper(command),
    coalesce(description, 'Policy ' || quote_ident(policy) || ' should apply to ' || upper(command) || ' command'),
    @extschema@._tap_compared(have, upper(command)))
  from (select (
    select cmd from pg_policies where schemaname = schema_name and tablename = relation and policyname = policy
  )) as policies(have)
$$;
create function _tap_privileges(have text[], want name[], description text) returns text language sql volatile as $$
  select @extschema@._tap_names(have::name[], array(select upper(w::text)::name from unnest(want) w), description)
$$;
create function table_privs_are(schema_name name, relation name, role name, privileges name[], description text default null)
returns text language sql volatile as $$
  select @extschema@._tap_privileges(
    array(select p from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
      where has_table_privilege(role, @extschema@._tap_relation('rpvmf', schema_name, relation), p)), privileges,
    coalesce(description, 'Role ' || quote_ident(role) || ' should have the right privileges on ' || quote_ident(relation)))
$$;
create function table_privs_are(relation name, role name, privileges name[], description text default null) returns text
language sql volatile as $$
  select @extschema@.table_privs_are(null::name, relation, role, privileges, description)
$$;
create function schema_privs_are(schema_name name, role name, privileges name[], description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_privileges(
    array(select p from unnest(array['CREATE', 'USAGE']) p where has_schema_privilege(role, schema_name, p)), privileges,
    coalesce(description, 'Role ' || quote_ident(role) || ' should have the right privileges on schema ' || schema_name))
$$;
create function function_privs_are(
  schema_name name, function name, arguments name[], role name, privileges name[], description text default null
) returns text language sql volatile as $$
  select @extschema@._tap_privileges(
    array(select 'EXECUTE' where (select bool_and(has_function_privilege(role, f, 'EXECUTE'))
      from @extschema@._tap_function(schema_name, function, arguments) f)), privileges,
    coalesce(description, 'Role ' || quote_ident(role) || ' should have the right privileges on function ' || function))
$$;
create function table_owner_is(schema_name name, relation name, owner name, description text default null) returns text
language sql volatile as $$
  select @extschema@._tap_result(have = owner,
    coalesce(description, 'Table ' || quote_ident(relation) || ' should be owned by ' || quote_ident(owner)),
    @extschema@._tap_compared(have, owner))
  from (select (
    select pg_get_userbyid(relowner)::text from pg_class where oid = @extschema@._tap_relation('rp', schema_name, relation)
  )) as owners(have)
$$;
create function is_member_of(group_name name, member name, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(pg_has_role(member, group_name, 'MEMBER'),
    coalesce(description, quote_ident(member) || ' should be a member of ' || quote_ident(group_name)))
$$;
create function is_superuser(role name, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result((select rolsuper from pg_roles where rolname = role),
    coalesce(description, 'User ' || quote_ident(role) || ' should be a superuser'))
$$;
create function isnt_superuser(role name, description text default null) returns text language sql volatile as $$
  select @extschema@._tap_result(not (select rolsuper from pg_roles where rolname = role),
    coalesce(description, 'User ' || quote_ident(role) || ' should not be a superuser'))
$$;
