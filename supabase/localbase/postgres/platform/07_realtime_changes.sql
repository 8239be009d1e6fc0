-- Realtime's Postgres Changes: its role, and who is subscribed to what. The service alone writes these rows; a project
-- may read them, as on the hosted platform.

-- The service logs in as this role. It may become whatever role a token may name, for the policies to be applied.
alter role supabase_realtime_admin login noinherit password 'postgres';
grant authenticator to supabase_realtime_admin;
alter role supabase_realtime_admin set search_path = public, extensions;
alter role supabase_realtime_admin set statement_timeout = '8s';
alter role supabase_realtime_admin set lock_timeout = '8s';
grant usage, create on schema realtime to supabase_realtime_admin;
grant usage on schema extensions to supabase_realtime_admin;

-- It turns the log's texts into JSON by the columns' types, which may be a project's own in any schema; to name those it
-- needs that schema's USAGE. Row-level security still holds for it.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant pg_read_all_data to supabase_realtime_admin with inherit true';
    -- As for the other services: 4096 rounds at each new connection would stop the gateway's loop for 5 ms.
    set local scram_iterations = 1;
    alter role supabase_realtime_admin password 'postgres';
    alter role supabase_replication_admin password 'postgres';
  else
    alter role supabase_realtime_admin inherit;
    grant pg_read_all_data to supabase_realtime_admin;
  end if;
  -- Columns that are computed belong to a row as the others do.
  if current_setting('server_version_num')::integer >= 180000 then
    execute 'alter publication supabase_realtime set (publish_generated_columns = stored)';
  end if;
end
$$;

set role supabase_realtime_admin;

create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
create type realtime.equality_op as enum (
  'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct'
);
create type realtime.user_defined_filter as (
  column_name text,
  op realtime.equality_op,
  value text,
  negate boolean
);

create function realtime.to_regrole(role_name text) returns regrole language sql immutable
return role_name::regrole;

-- Whether a text can be read as a type shows only when it is.
create function realtime."cast"(val text, type_ regtype) returns jsonb language plpgsql immutable as $$
declare
  result jsonb;
begin
  if type_ = 'bytea'::regtype then
    return to_jsonb(val);
  end if;
  execute format('select to_jsonb(%L::%s)', val, type_) into result;
  return result;
end
$$;

create table realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
  created_at timestamp not null default timezone('utc', now()),
  action_filter text default '*' check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE')),
  selected_columns text[]
);
create index ix_realtime_subscription_entity on realtime.subscription (entity);
create unique index subscription_subscription_id_entity_filters_action_filter_selec on realtime.subscription
  (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'));

-- A filter that Postgres could not compare would fail at each change: it is refused when it is made.
create function realtime.check_filter(filter realtime.user_defined_filter, type_ regtype) returns void
language plpgsql as $$
begin
  case
    when filter.op = 'in' then
      if coalesce(jsonb_array_length(realtime.cast(filter.value, (type_::text || '[]')::regtype)), 0) > 100 then
        raise exception 'too many values for `in` filter. Maximum 100';
      end if;
    when filter.op = 'is' then
      if filter.value not in ('null', 'true', 'false', 'unknown') then
        raise exception 'invalid value for is filter: must be null, true, false, or unknown';
      elsif filter.value <> 'null' and type_ <> 'boolean'::regtype then
        raise exception 'is % filter requires a boolean column, got %', filter.value, type_::text;
      end if;
    when filter.op in ('like', 'ilike', 'match', 'imatch') then
      perform from pg_catalog.pg_operator
      where oprleft = type_ and oprresult = 'boolean'::regtype
        and oprname = case filter.op when 'match' then '~' when 'imatch' then '~*' else '~~' end
        and (filter.op in ('like', 'ilike') or oprright = type_);
      if not found then
        raise exception 'operator % requires a text-compatible column type, got %', filter.op::text, type_::text;
      end if;
      if filter.op in ('match', 'imatch') then
        begin
          perform '' ~ filter.value;
        exception when others then
          raise exception 'invalid regular expression for % filter: %', filter.op::text, sqlerrm;
        end;
      end if;
    else
      perform realtime.cast(filter.value, type_);
  end case;
end
$$;

create function realtime.subscription_check_filters() returns trigger language plpgsql as $$
declare
  readable text[] := array(
    select attname from pg_catalog.pg_attribute
    where attrelid = new.entity and attnum > 0 and not attisdropped
      and has_column_privilege(new.claims ->> 'role', attrelid, attnum, 'SELECT')
  );
  filter realtime.user_defined_filter;
  name text;
begin
  foreach filter in array new.filters loop
    if not filter.column_name = any(readable) then
      raise exception 'invalid column for filter %', filter.column_name;
    end if;
    perform realtime.check_filter(filter, (
      select atttypid from pg_catalog.pg_attribute where attrelid = new.entity and attname = filter.column_name
    ));
  end loop;
  foreach name in array coalesce(new.selected_columns, '{}') loop
    if not name = any(readable) then
      raise exception 'invalid column for select %', name;
    end if;
  end loop;
  -- One order, so that the unique index sees the same filters as the same.
  new.filters := array(
    select f from unnest(new.filters) f order by f.column_name, f.op, f.value, f.negate
  );
  new.selected_columns := (select array_agg(c order by c) from unnest(new.selected_columns) c);
  return new;
end
$$;
create trigger tr_check_filters before insert or update on realtime.subscription
  for each row execute function realtime.subscription_check_filters();

reset role;

-- Claims hold addresses and more of a user: no other user reads them.
grant select on realtime.subscription to postgres, service_role;
