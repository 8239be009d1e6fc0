-- The second half of the functions: they walk through schema and instance, with those of the first.
-- Whether the instance fits the schema, by all its keywords.
create function _jsonschema_check(schema jsonb, instance jsonb, scope _jsonschema_scope, depth integer)
returns _jsonschema_result language plpgsql immutable parallel safe as $$
declare
  result @extschema@._jsonschema_result := ('{}', '{}', '{}');
  kind text := jsonb_typeof(instance);
begin
  if depth > 200 then
    raise exception 'schema and instance lead too deep: is there a reference that leads to itself?'
      using errcode = 'program_limit_exceeded';
  elsif clock_timestamp() > scope.deadline then
    raise exception 'the schema takes more than 10 seconds' using errcode = 'program_limit_exceeded';
  elsif schema = 'true' then
    return result;
  elsif schema = 'false' then
    result.errors := array[format('False schema does not allow %s', @extschema@._jsonschema_text(instance))];
    return result;
  end if;
  if scope.draft < 2019 and schema ? '$ref' then
    return @extschema@._jsonschema_refer(schema ->> '$ref', false, instance, scope, depth);
  end if;
  if schema ? '$id' and (scope.draft > 7 or schema ->> '$id' not like '#%') then
    scope.base := rtrim(@extschema@._jsonschema_address(scope.base, schema ->> '$id'), '#');
    scope.entered := scope.entered || scope.base;
  end if;
  result := @extschema@._jsonschema_in_place(schema, instance, scope, depth + 1);
  result.errors := result.errors || @extschema@._jsonschema_of_any(schema, instance, kind) || case kind
    when 'number' then @extschema@._jsonschema_of_number(schema, instance)
    when 'string' then @extschema@._jsonschema_of_string(schema, instance, scope.draft)
    when 'array' then @extschema@._jsonschema_of_array(schema, instance)
    when 'object' then @extschema@._jsonschema_of_object(schema, instance, scope.draft)
  end;
  if kind = 'array' then
    result := @extschema@._jsonschema_items(schema, instance, scope, depth + 1, result);
  elsif kind = 'object' then
    result := @extschema@._jsonschema_properties(schema, instance, scope, depth + 1, result);
  end if;
  return result;
end $$;

-- `$ref` and `$dynamicRef`, which looks among the resources that were entered first.
create function _jsonschema_refer(
  reference text, by_scope boolean, instance jsonb, scope _jsonschema_scope, depth integer
) returns _jsonschema_result language plpgsql immutable parallel safe as $$
declare
  target record := @extschema@._jsonschema_target(scope, reference);
  target_schema jsonb := target.schema;
  anchor text := split_part(reference, '#', 2);
  resource text;
begin
  scope.base := target.base;
  if by_scope and target_schema ->> '$dynamicAnchor' = anchor then
    foreach resource in array scope.entered loop
      if scope.registry ? ('dynamic ' || resource || '#' || anchor) then
        scope.base := resource;
        target_schema := scope.registry -> ('dynamic ' || resource || '#' || anchor) -> 1;
        exit;
      end if;
    end loop;
  end if;
  scope.entered := scope.entered || scope.base;
  return @extschema@._jsonschema_check(target_schema, instance, scope, depth + 1);
end $$;

-- Keywords whose schemas are for the same instance.
create function _jsonschema_in_place(schema jsonb, instance jsonb, scope _jsonschema_scope, depth integer)
returns _jsonschema_result language plpgsql immutable parallel safe as $$
declare
  result @extschema@._jsonschema_result := ('{}', '{}', '{}');
  inner_result @extschema@._jsonschema_result;
  inner_schema jsonb;
  keyword text;
  fitting integer;
begin
  foreach keyword in array array['$ref', '$dynamicRef', '$recursiveRef'] loop
    if schema ? keyword
      and (keyword = '$ref' or scope.draft = case keyword when '$dynamicRef' then 2020 else 2019 end)
    then
      result := @extschema@._jsonschema_join(result, @extschema@._jsonschema_refer(
        schema ->> keyword, keyword = '$dynamicRef', instance, scope, depth));
    end if;
  end loop;
  for inner_schema in select * from jsonb_array_elements(schema -> 'allOf') loop
    result := @extschema@._jsonschema_join(result, @extschema@._jsonschema_check(inner_schema, instance, scope, depth));
  end loop;
  foreach keyword in array array['anyOf', 'oneOf'] loop
    continue when not schema ? keyword;
    fitting := 0;
    for inner_schema in select * from jsonb_array_elements(schema -> keyword) loop
      inner_result := @extschema@._jsonschema_check(inner_schema, instance, scope, depth);
      if inner_result.errors = '{}' then
        fitting := fitting + 1;
        result := @extschema@._jsonschema_join(result, inner_result);
      end if;
    end loop;
    if fitting = 0 or keyword = 'oneOf' and fitting > 1 then
      result.errors := result.errors || format(
        '%s is %s of the schemas listed in the ''%s'' keyword', @extschema@._jsonschema_text(instance),
        case fitting when 0 then 'not valid under any' else 'valid under more than one' end, keyword);
    end if;
  end loop;
  if schema ? 'not' then
    inner_result := @extschema@._jsonschema_check(schema -> 'not', instance, scope, depth);
    if inner_result.errors = '{}' then
      result.errors := result.errors || format(
        '%s is not allowed for %s', @extschema@._jsonschema_text(schema -> 'not'),
        @extschema@._jsonschema_text(instance));
    end if;
  end if;
  if schema ? 'if' and scope.draft > 6 then
    inner_result := @extschema@._jsonschema_check(schema -> 'if', instance, scope, depth);
    keyword := case when inner_result.errors = '{}' then 'then' else 'else' end;
    if keyword = 'then' then
      result := @extschema@._jsonschema_join(result, inner_result);
    end if;
    if schema ? keyword then
      result := @extschema@._jsonschema_join(result,
        @extschema@._jsonschema_check(schema -> keyword, instance, scope, depth));
    end if;
  end if;
  if jsonb_typeof(instance) = 'object' then
    for inner_schema in
      select value from jsonb_each(coalesce(schema -> 'dependencies', '{}')
        || coalesce(case when scope.draft > 7 then schema -> 'dependentSchemas' end, '{}')) where instance ? key
        and jsonb_typeof(value) <> 'array'
    loop
      result := @extschema@._jsonschema_join(result,
        @extschema@._jsonschema_check(inner_schema, instance, scope, depth));
    end loop;
  end if;
  return result;
end $$;

create function _jsonschema_unexpected(noun text, names text[]) returns text language sql immutable parallel safe as $$
  select format('%s are not allowed (%s %s unexpected)', noun, array_to_string(names, ', '),
    case cardinality(names) when 1 then 'was' else 'were' end)
$$;

-- Keywords whose schemas are for the values of an object; `result` is what other keywords have found.
create function _jsonschema_properties(
  schema jsonb, instance jsonb, scope _jsonschema_scope, depth integer, result _jsonschema_result
) returns _jsonschema_result language plpgsql immutable parallel safe as $$
declare
  patterns text[] := array(select jsonb_object_keys(schema -> 'patternProperties'));
  named text[] := array(
    select name from jsonb_object_keys(instance) as names(name)
    where schema -> 'properties' ? name
      or exists (select from unnest(patterns) as pattern where name ~ @extschema@._jsonschema_expression(pattern)));
  entry record;
  inner_schema jsonb;
  keyword text;
  unexpected text[];
begin
  for entry in select * from jsonb_each(instance) loop
    for inner_schema in
      select schema -> 'properties' -> entry.key where schema -> 'properties' ? entry.key
      union all
      select schema -> 'patternProperties' -> pattern from unnest(patterns) as pattern
      where entry.key ~ @extschema@._jsonschema_expression(pattern)
      union all
      select schema -> 'additionalProperties'
      where jsonb_typeof(schema -> 'additionalProperties') = 'object' and entry.key <> all (named)
    loop
      result.errors := result.errors
        || (@extschema@._jsonschema_check(inner_schema, entry.value, scope, depth)).errors;
    end loop;
    if schema ? 'propertyNames' then
      result.errors := result.errors
        || (@extschema@._jsonschema_check(schema -> 'propertyNames', to_jsonb(entry.key), scope, depth)).errors;
    end if;
  end loop;
  result.properties := result.properties || named;
  foreach keyword in array array['additionalProperties', 'unevaluatedProperties'] loop
    continue when not schema ? keyword or keyword = 'unevaluatedProperties' and scope.draft < 2019;
    if schema -> keyword = 'false' then
      unexpected := array(
        select '''' || name || '''' from jsonb_object_keys(instance) as names(name)
        where name <> all (case keyword when 'additionalProperties' then named else result.properties end));
      if unexpected <> '{}' then
        result.errors := result.errors || @extschema@._jsonschema_unexpected(
          initcap(replace(keyword, 'Properties', '')) || ' properties', unexpected);
      end if;
    elsif keyword = 'unevaluatedProperties' then
      for entry in select * from jsonb_each(instance) where key <> all (result.properties) loop
        result.errors := result.errors
          || (@extschema@._jsonschema_check(schema -> keyword, entry.value, scope, depth)).errors;
      end loop;
    end if;
    result.properties := result.properties || array(select jsonb_object_keys(instance));
  end loop;
  return result;
end $$;

-- The same for the elements of an array.
create function _jsonschema_items(
  schema jsonb, instance jsonb, scope _jsonschema_scope, depth integer, result _jsonschema_result
) returns _jsonschema_result language plpgsql immutable parallel safe as $$
declare
  size integer := jsonb_array_length(instance);
  first jsonb := case
    when scope.draft > 2019 then schema -> 'prefixItems'
    when jsonb_typeof(schema -> 'items') = 'array' then schema -> 'items' end;
  rest text := case when scope.draft < 2020 and first is not null then 'additionalItems' else 'items' end;
  begun integer := coalesce(jsonb_array_length(first), 0);
  fitting integer := 0;
  inner_schema jsonb;
  element jsonb;
  n integer := -1;
  unexpected text[] := '{}';
begin
  for element in select * from jsonb_array_elements(instance) loop
    n := n + 1;
    inner_schema := case when n < begun then first -> n else schema -> rest end;
    if n >= begun and rest = 'additionalItems' and inner_schema = 'false' then
      unexpected := unexpected || @extschema@._jsonschema_text(element);
    elsif inner_schema is not null then
      result.errors := result.errors || (@extschema@._jsonschema_check(inner_schema, element, scope, depth)).errors;
    end if;
    if schema ? 'contains'
      and (@extschema@._jsonschema_check(schema -> 'contains', element, scope, depth)).errors = '{}'
    then
      fitting := fitting + 1;
      result.items := result.items + int4multirange(int4range(n, n + 1));
    end if;
  end loop;
  if unexpected <> '{}' then
    result.errors := result.errors || @extschema@._jsonschema_unexpected('Additional items', unexpected);
  end if;
  if schema ? 'contains' and (
      fitting < coalesce(case when scope.draft > 7 then (schema ->> 'minContains')::numeric end, 1)
      or scope.draft > 7 and fitting > (schema ->> 'maxContains')::numeric)
  then
    result.errors := result.errors || format(
      'None of %s are valid under the given schema', @extschema@._jsonschema_text(instance));
  end if;
  result.items := result.items
    + int4multirange(int4range(0, case when schema ? rest then size else least(begun, size) end));
  if schema ? 'unevaluatedItems' and scope.draft > 7 then
    n := -1;
    unexpected := '{}';
    for element in select * from jsonb_array_elements(instance) loop
      n := n + 1;
      continue when result.items @> n;
      if schema -> 'unevaluatedItems' = 'false' then
        unexpected := unexpected || concat('''', @extschema@._jsonschema_text(element), '''');
      else
        result.errors := result.errors
          || (@extschema@._jsonschema_check(schema -> 'unevaluatedItems', element, scope, depth)).errors;
      end if;
    end loop;
    if unexpected <> '{}' then
      result.errors := result.errors || @extschema@._jsonschema_unexpected('Unevaluated items', unexpected);
    end if;
    result.items := int4multirange(int4range(0, size));
  end if;
  return result;
end $$;

-- All errors of an instance. Raises one for a schema that is none, as upstream does.
create function _jsonschema_errors(schema jsonb, instance jsonb)
returns text[] language plpgsql immutable parallel safe as $$
declare
  draft integer := @extschema@._jsonschema_draft(schema);
  fault text := @extschema@._jsonschema_fault(schema, draft, '', 0);
  base text := case when jsonb_typeof(schema) = 'object' then rtrim(schema ->> '$id', '#') end;
begin
  if fault is not null then
    raise exception 'Invalid schema at path "%"', fault using errcode = 'invalid_parameter_value';
  end if;
  base := case when base like '#%' then '' else coalesce(base, '') end;
  return (@extschema@._jsonschema_check(schema, instance, row(
    draft, @extschema@._jsonschema_registry(schema, draft, '') || jsonb_build_object(base, schema),
    base, array[base], clock_timestamp() + interval '10 seconds'
  )::@extschema@._jsonschema_scope, 0)).errors;
end $$;

create function json_matches_schema(schema json, instance json)
returns boolean language sql immutable strict parallel safe
set search_path = '' as $$ select @extschema@._jsonschema_errors(schema::jsonb, instance::jsonb) = '{}' $$;
create function jsonb_matches_schema(schema json, instance jsonb)
returns boolean language sql immutable strict parallel safe
set search_path = '' as $$ select @extschema@._jsonschema_errors(schema::jsonb, instance) = '{}' $$;
create function jsonschema_is_valid(schema json) returns boolean language plpgsql immutable strict parallel safe
set search_path = '' as $$
declare
  draft integer := @extschema@._jsonschema_draft(schema::jsonb);
  fault text := @extschema@._jsonschema_fault(schema::jsonb, draft, '', 0);
begin
  if fault is not null then
    raise notice 'Invalid JSON schema at path: %', fault;
  end if;
  return fault is null;
end $$;
create function jsonschema_validation_errors(schema json, instance json)
returns text[] language plpgsql immutable strict
parallel safe set search_path = '' as $$
begin
  return @extschema@._jsonschema_errors(schema::jsonb, instance::jsonb);
exception when invalid_parameter_value then
  return array[sqlerrm];
end $$;
