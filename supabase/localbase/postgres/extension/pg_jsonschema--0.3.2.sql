-- pg_jsonschema's functions in SQL, by https://json-schema.org: drafts 6 and 7, 2019-09 and 2020-12, which is the one
-- where a schema names none. A check walks schema and instance together. What has been looked at (`properties`,
-- `items`) comes back with the errors, for `unevaluatedProperties` and `unevaluatedItems`.
create type _jsonschema_scope as (draft integer, registry jsonb, base text, entered text[], deadline timestamptz);
create type _jsonschema_result as (errors text[], properties text[], items int4multirange);

create function _jsonschema_draft(schema jsonb) returns integer language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(schema) <> 'object' or not schema ? '$schema' then 2020
    when schema ->> '$schema' ~ '^https?://json-schema\.org/draft/2020-12/schema#?$' then 2020
    when schema ->> '$schema' ~ '^https?://json-schema\.org/draft/2019-09/schema#?$' then 2019
    when schema ->> '$schema' ~ '^https?://json-schema\.org/draft-07/schema#?$' then 7
    when schema ->> '$schema' ~ '^https?://json-schema\.org/draft-06/schema#?$' then 6
  end
$$;

-- What a keyword's value has to be: the drafts' metaschemas as one table.
create function _jsonschema_kinds(draft integer) returns jsonb language sql immutable parallel safe as $$
  select '{
    "$id": "string", "$schema": "string", "$ref": "string", "$comment": "string", "title": "string",
    "description": "string", "type": "type", "enum": "array", "format": "string", "multipleOf": "positive",
    "maximum": "number", "minimum": "number", "exclusiveMaximum": "number", "exclusiveMinimum": "number",
    "maxLength": "count", "minLength": "count", "pattern": "string", "maxItems": "count", "minItems": "count",
    "uniqueItems": "boolean", "maxProperties": "count", "minProperties": "count", "required": "names",
    "properties": "schemas", "patternProperties": "schemas", "additionalProperties": "schema",
    "propertyNames": "schema", "dependencies": "dependencies", "definitions": "schemas", "contains": "schema",
    "allOf": "list", "anyOf": "list", "oneOf": "list", "not": "schema", "examples": "array"
  }'::jsonb
  || case when draft < 7 then '{}'::jsonb else '{
    "if": "schema", "then": "schema", "else": "schema", "readOnly": "boolean", "writeOnly": "boolean",
    "contentMediaType": "string", "contentEncoding": "string"
  }' end
  || case when draft < 2019 then '{}'::jsonb else '{
    "$anchor": "anchor", "$defs": "schemas", "dependentSchemas": "schemas", "dependentRequired": "name lists",
    "unevaluatedItems": "schema", "unevaluatedProperties": "schema", "maxContains": "count", "minContains": "count",
    "deprecated": "boolean", "contentSchema": "schema"
  }' end
  || case when draft < 2019 then '{"pattern": "regex"}'::jsonb else '{}' end
  || case when draft < 2020 then '{"items": "items", "additionalItems": "schema"}'::jsonb else '{
    "$dynamicRef": "string", "$dynamicAnchor": "anchor", "prefixItems": "list", "items": "schema"
  }' end
$$;

-- Schemas inside of a keyword's value, with the steps of their paths.
create function _jsonschema_parts(kind text, value jsonb)
returns table (step text, part jsonb) language sql immutable parallel safe as $$
  select '', value where kind in ('schema', 'items') and jsonb_typeof(value) <> 'array'
  union all
  select '/' || n - 1, e from jsonb_array_elements(case jsonb_typeof(value) when 'array' then value end)
    with ordinality as elements(e, n) where kind in ('list', 'items')
  union all
  select '/' || key, e from jsonb_each(case jsonb_typeof(value) when 'object' then value end) as entries(key, e)
  where kind = 'schemas' or kind = 'dependencies' and jsonb_typeof(e) <> 'array'
$$;
create function _jsonschema_is_names(value jsonb) returns boolean language sql immutable parallel safe as $$
  select jsonb_typeof(value) = 'array' and not jsonb_path_exists(value, 'strict $[*] ? (@.type() != "string")')
    and (select count(*) = count(distinct e) from jsonb_array_elements(value) as e)
$$;
-- The path of the first value that its metaschema does not allow; null where there is none.
create function _jsonschema_fault(schema jsonb, draft integer, path text, depth integer) returns text language plpgsql
immutable parallel safe as $$
declare
  kinds jsonb := @extschema@._jsonschema_kinds(draft);
  entry record;
  piece record;
  fault text;
  shape text;
begin
  if draft is null then
    return '/$schema';
  elsif depth > 200 then
    raise exception 'the schema is nested too deeply' using errcode = 'program_limit_exceeded';
  elsif jsonb_typeof(schema) = 'boolean' then
    return null;
  elsif jsonb_typeof(schema) <> 'object' then
    return path;
  end if;
  for entry in select key, value, kinds ->> key as kind from jsonb_each(schema) where kinds ? key loop
    shape := jsonb_typeof(entry.value);
    if not (case entry.kind
      when 'anchor' then shape = 'string' and entry.value #>> '{}' ~ '^[A-Za-z_][-A-Za-z0-9._]*$'
      when 'positive' then shape = 'number' and entry.value > '0'
      when 'count' then shape = 'number' and entry.value >= '0' and (entry.value #>> '{}')::numeric % 1 = 0
      when 'type' then shape in ('string', 'array') and (shape = 'string' or entry.value <> '[]')
        and @extschema@._jsonschema_is_names(
          case shape when 'array' then entry.value else jsonb_build_array(entry.value) end)
        and '["null", "boolean", "object", "array", "number", "integer", "string"]' @> entry.value
      when 'regex' then shape = 'string' and @extschema@._jsonschema_is_format('regex', entry.value #>> '{}')
      when 'names' then @extschema@._jsonschema_is_names(entry.value)
      when 'name lists' then shape = 'object' and not exists (
        select from jsonb_each(entry.value) as lists where not @extschema@._jsonschema_is_names(lists.value))
      when 'list' then shape = 'array' and entry.value <> '[]'
      when 'schemas' then shape = 'object'
      when 'dependencies' then shape = 'object' and not exists (
        select from jsonb_each(entry.value) as lists
        where jsonb_typeof(lists.value) = 'array' and not @extschema@._jsonschema_is_names(lists.value))
      when 'schema' then shape in ('object', 'boolean')
      when 'items' then shape in ('object', 'boolean') or shape = 'array' and entry.value <> '[]'
      else shape = entry.kind
    end) then
      return path || '/' || entry.key;
    end if;
    for piece in select step, part from @extschema@._jsonschema_parts(entry.kind, entry.value) loop
      fault := @extschema@._jsonschema_fault(piece.part, draft, path || '/' || entry.key || piece.step, depth + 1);
      if fault is not null then
        return fault;
      end if;
    end loop;
  end loop;
  return null;
end $$;

-- RFC 3986, 5.2: what `reference` means where `base` is.
create function _jsonschema_address(base text, reference text)
returns text language plpgsql immutable parallel safe as $$
declare
  path text;
begin
  if reference ~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
    return reference;
  elsif reference = '' or reference like '#%' then
    return split_part(base, '#', 1) || reference;
  elsif reference like '//%' then
    return coalesce(substring(base from '^[^:/]+:'), '') || reference;
  elsif reference like '/%' then
    return coalesce(substring(base from '^[^:/]+://[^/?#]*'), '') || reference;
  end if;
  path := regexp_replace(split_part(base, '#', 1), '[^/]*$', '') || reference;
  while path ~ '(^|/)\.\.?/' and path is distinct from regexp_replace(path, '(^|/)\./|[^/:]+/\.\./', '\1') loop
    path := regexp_replace(path, '(^|/)\./|[^/:]+/\.\./', '\1');
  end loop;
  return path;
end $$;
-- The schemas that have an address or an anchor of their own, by it; those of `$dynamicAnchor` after a "dynamic ".
create function _jsonschema_registry(schema jsonb, draft integer, base text)
returns jsonb language plpgsql immutable parallel safe as $$
declare
  kinds jsonb := @extschema@._jsonschema_kinds(draft);
  registry jsonb := '{}';
  own text := case when draft > 7 or not schema ? '$ref' then schema ->> '$id' end;
  anchor text;
  part jsonb;
begin
  if jsonb_typeof(schema) <> 'object' then
    return registry;
  end if;
  if draft < 2019 and own like '#%' then
    anchor := substr(own, 2);
  elsif own is not null then
    base := rtrim(@extschema@._jsonschema_address(base, own), '#');
    registry := jsonb_build_object(base, schema);
  end if;
  anchor := coalesce(anchor, case when draft > 7 then schema ->> '$anchor' end);
  if anchor is not null then
    registry := registry || jsonb_build_object(base || '#' || anchor, jsonb_build_array(base, schema));
  end if;
  if draft > 2019 and schema ? '$dynamicAnchor' then
    registry := registry || jsonb_build_object(
      base || '#' || (schema ->> '$dynamicAnchor'), jsonb_build_array(base, schema),
      'dynamic ' || base || '#' || (schema ->> '$dynamicAnchor'), jsonb_build_array(base, schema));
  end if;
  for part in
    select pieces.part
    from jsonb_each(schema) as entry, @extschema@._jsonschema_parts(kinds ->> entry.key, entry.value) as pieces
  loop
    registry := registry || @extschema@._jsonschema_registry(part, draft, base);
  end loop;
  return registry;
end $$;
-- The schema that `reference` names, and the base in which that stands.
create function _jsonschema_target(
  scope _jsonschema_scope, reference text, out schema jsonb, out base text
) language plpgsql immutable parallel safe as $$
declare
  address text := @extschema@._jsonschema_address(scope.base, reference);
  fragment text := substr(address, length(split_part(address, '#', 1)) + 2);
  step text;
begin
  base := split_part(address, '#', 1);
  if fragment <> '' and fragment not like '/%' then
    schema := scope.registry -> (base || '#' || fragment) -> 1;
  else
    schema := scope.registry -> base;
    if schema is null and scope.registry ? base is false and base ~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
      raise exception 'Resource ''%'' is not present in the schema, and none is fetched', base
        using errcode = 'invalid_parameter_value';
    end if;
    for step in select * from unnest((string_to_array(fragment, '/'))[2:]) loop
      if jsonb_typeof(schema) = 'object' and schema ? '$id' and schema ->> '$id' not like '#%' then
        base := rtrim(@extschema@._jsonschema_address(base, schema ->> '$id'), '#');
      end if;
      while step ~ '%[0-9A-Fa-f]{2}' loop
        step := replace(step, substring(step from '%[0-9A-Fa-f]{2}'),
          convert_from(decode(substring(step from '%([0-9A-Fa-f]{2})'), 'hex'), 'LATIN1'));
      end loop;
      step := replace(replace(step, '~1', '/'), '~0', '~');
      schema := case jsonb_typeof(schema)
        when 'array' then case when step ~ '^\d{1,9}$' then schema -> step::integer end else schema -> step end;
    end loop;
  end if;
  if schema is null or jsonb_typeof(schema) not in ('object', 'boolean') then
    raise exception 'Reference ''%'' leads to no schema', reference using errcode = 'invalid_parameter_value';
  end if;
end $$;

-- An expression of ECMA 262 as Postgres writes it.
create function _jsonschema_expression(pattern text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(
    case token[1]
      when '.' then '[^\n\r\u2028\u2029]' when '\d' then '[0-9]' when '\D' then '[^0-9]' when '\w' then '[A-Za-z0-9_]'
      when '\W' then '[^A-Za-z0-9_]' when '\b' then '\y' when '\B' then '\Y' when '\/' then '/' when '\-' then '-'
      else regexp_replace(token[1], '^\(\?<\w+>$', '(')
    end, '' order by n), '')
  from regexp_matches(pattern, '\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?<\w+>|.', 'g') with ordinality as tokens(token, n)
$$;

-- Assertions of formats, which drafts before 2019-09 make.
create function _jsonschema_is_format(format text, string text)
returns boolean language plpgsql immutable parallel safe as $$
declare
  label constant text := '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  clock constant text := '([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)';
  day constant text := '\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])';
  octet constant text := '(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)';
  reference constant text := '([!#$&-;=?-\[\]_a-z~]|%[0-9A-Fa-f]{2})*';
begin
  case format
    when 'date', 'date-time' then
      if string !~ ('^' || day || case format when 'date' then '$' else '[Tt ]' || clock || '$' end) then
        return false;
      end if;
      return pg_input_is_valid(replace(left(string, 10), '0000-', '0004-'), 'date');
    when 'time' then return string ~ ('^' || clock || '$');
    when 'email' then return string ~ ('^[^\s@"(),:;<>\[\]\\]+@(' || label || '(\.' || label || ')*|\[[^\]]+\])$')
      and string !~ '(^|\.)\.|\.@';
    when 'idn-email' then return string ~ '^[^\s@]+@[^\s@]+$';
    when 'hostname' then return length(string) < 254 and string ~ ('^' || label || '(\.' || label || ')*$');
    when 'idn-hostname' then return length(string) < 254 and string ~ '^[^\s/@:.]+(\.[^\s/@:.]+)*$';
    when 'ipv4' then return string ~ ('^' || octet || '(\.' || octet || '){3}$');
    when 'ipv6' then return string ~ '^[0-9A-Fa-f:.]+$' and string ~ ':' and pg_input_is_valid(string, 'inet');
    when 'uri' then return string ~ ('^[A-Za-z][A-Za-z0-9+.-]*:' || replace(reference, 'a-z', 'A-Za-z') || '$');
    when 'uri-reference' then return string ~ ('^' || replace(reference, 'a-z', 'A-Za-z') || '$');
    when 'iri' then return string ~ '^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$';
    when 'iri-reference' then return string ~ '^[^\s<>"{}|\\^`]*$';
    when 'uri-template' then return string ~ '^([^\s{}<>"|\\^`]|\{[+#./;?&]?[A-Za-z0-9_.%,:*]+\})*$';
    when 'json-pointer' then return string ~ '^(/([^~/]|~[01])*)*$';
    when 'relative-json-pointer' then return string ~ '^(0|[1-9]\d*)(#|(/([^~/]|~[01])*)*)$';
    when 'regex' then
      perform '' ~ @extschema@._jsonschema_expression(string);
      return true;
    else return true;
  end case;
exception when invalid_regular_expression then
  return false;
end $$;

-- As upstream writes a value: without spaces.
create function _jsonschema_text(value jsonb) returns text language sql immutable parallel safe as $$
  select regexp_replace(value::text, '("(?:[^"\\]|\\.)*")|([:,]) ', '\1\2', 'g')
$$;
-- `texts` as "a, b or c", of more than three the first two and how many others there are.
create function _jsonschema_choice(texts text[]) returns text language sql immutable parallel safe as $$
  select array_to_string(texts[: least(size - 1, 2)], ', ') || case
    when size > 3 then format(' or %s other candidates', size - 2)
    else case when size > 1 then ' or ' else '' end || coalesce(texts[size], '') end
  from (select cardinality(texts)) as sizes(size)
$$;
create function _jsonschema_of_any(schema jsonb, instance jsonb, kind text)
returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    case when schema ? 'type' and not (
        schema -> 'type' @> to_jsonb(kind)
        or kind = 'number' and schema -> 'type' @> '"integer"' and (instance #>> '{}')::numeric % 1 = 0)
      then format('%s is not of type%s %s', @extschema@._jsonschema_text(instance),
        case when schema -> 'type' -> 1 is not null then 's' end, (
          select string_agg(to_jsonb(name)::text, ', ' order by n)
          from unnest('{"null",boolean,integer,number,string,array,object}'::text[]) with ordinality as names(name, n)
          where schema -> 'type' @> to_jsonb(name))) end,
    case when schema ? 'enum'
        and not exists (select from jsonb_array_elements(schema -> 'enum') as e where e = instance)
      then format('%s is not one of %s', @extschema@._jsonschema_text(instance), @extschema@._jsonschema_choice(array(
        select @extschema@._jsonschema_text(e) from jsonb_array_elements(schema -> 'enum') as e))) end,
    case when schema -> 'const' <> instance
      then format('%s was expected', @extschema@._jsonschema_text(schema -> 'const')) end
  ], null)
$$;
create function _jsonschema_of_number(schema jsonb, instance jsonb)
returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    case when (instance #>> '{}')::numeric % (schema ->> 'multipleOf')::numeric <> 0
      then format('%s is not a multiple of %s', text, schema -> 'multipleOf') end,
    case when instance > schema -> 'maximum'
      then format('%s is greater than the maximum of %s', text, schema -> 'maximum') end,
    case when instance < schema -> 'minimum'
      then format('%s is less than the minimum of %s', text, schema -> 'minimum') end,
    case when instance >= schema -> 'exclusiveMaximum'
      then format('%s is greater than or equal to the maximum of %s', text, schema -> 'exclusiveMaximum') end,
    case when instance <= schema -> 'exclusiveMinimum'
      then format('%s is less than or equal to the minimum of %s', text, schema -> 'exclusiveMinimum') end
  ], null)
  from (select @extschema@._jsonschema_text(instance)) as words(text)
$$;
-- Whether `size` keeps both limits, in words where it does not.
create function _jsonschema_of_size(
  instance jsonb, size bigint, lowest numeric, highest numeric, longer text, shorter text, noun text, plural text
) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    case when size > highest
      then format('%s %s than %s %s', text, longer, trim_scale(highest),
        case highest when 1 then noun else plural end) end,
    case when size < lowest
      then format('%s %s than %s %s', text, shorter, trim_scale(lowest),
        case lowest when 1 then noun else plural end) end
  ], null)
  from (select @extschema@._jsonschema_text(instance)) as words(text)
$$;
create function _jsonschema_of_string(schema jsonb, instance jsonb, draft integer) returns text[] language sql immutable
parallel safe as $$
  select @extschema@._jsonschema_of_size(
    instance, length(string), (schema ->> 'minLength')::numeric, (schema ->> 'maxLength')::numeric, 'is longer',
    'is shorter', 'character', 'characters') || array_remove(array[
    case when string !~ @extschema@._jsonschema_expression(schema ->> 'pattern')
      then format('%s does not match %s', @extschema@._jsonschema_text(instance), schema -> 'pattern') end,
    case when draft < 2019 and not @extschema@._jsonschema_is_format(schema ->> 'format', string)
      then format('%s is not a %s', @extschema@._jsonschema_text(instance), schema -> 'format') end
  ], null)
  from (select instance #>> '{}') as strings(string)
$$;
create function _jsonschema_of_array(schema jsonb, instance jsonb)
returns text[] language sql immutable parallel safe as $$
  select @extschema@._jsonschema_of_size(
    instance, jsonb_array_length(instance), (schema ->> 'minItems')::numeric, (schema ->> 'maxItems')::numeric,
    'has more', 'has less', 'item', 'items')
  || case when schema -> 'uniqueItems' = 'true'
      and (select count(*) <> count(distinct e) from jsonb_array_elements(instance) as e)
    then array[format('%s has non-unique elements', @extschema@._jsonschema_text(instance))] end
$$;
create function _jsonschema_of_object(schema jsonb, instance jsonb, draft integer) returns text[] language sql immutable
parallel safe as $$
  select @extschema@._jsonschema_of_size(
    instance, (select count(*) from jsonb_object_keys(instance)), (schema ->> 'minProperties')::numeric,
    (schema ->> 'maxProperties')::numeric, 'has more', 'has less', 'property', 'properties')
  || array(
    select format('%s is a required property', to_jsonb(name)) from (
      select jsonb_array_elements_text(schema -> 'required')
      union all
      select jsonb_array_elements_text(case jsonb_typeof(value) when 'array' then value end)
      from jsonb_each(coalesce(schema -> 'dependencies', '{}')
        || coalesce(case when draft > 7 then schema -> 'dependentRequired' end, '{}')) where instance ? key
    ) as names(name) where not instance ? name)
$$;

create function _jsonschema_join(a _jsonschema_result, b _jsonschema_result)
returns _jsonschema_result language sql immutable parallel safe
as $$ select (a.errors || b.errors, a.properties || b.properties, a.items + b.items)::@extschema@._jsonschema_result $$;
