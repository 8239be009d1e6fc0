-- The `realtime` schema as a hosted project has it. Messages of private channels are rows of `realtime.messages`: policies
-- on it say who may read and write a topic, and what is inserted is broadcast to the topic.

-- The service logs in as the schema's owner, and asks policies as the roles of the API: those of `authenticator`, which
-- include the project's own. (Few rounds for the password: see 01_roles.sql.)
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    set local scram_iterations = 1;
  end if;
  alter role supabase_realtime_admin login password 'postgres';
end
$$;
grant anon, authenticated, service_role, authenticator to supabase_realtime_admin;

grant all on schema realtime to supabase_realtime_admin with grant option;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to dashboard_user;

set role supabase_realtime_admin;

-- A broadcast, or a probe of who may send one, which is rolled back. One partition for each day; days end in UTC.
create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;
alter table realtime.messages enable row level security;

-- The topic of the channel that a policy is asked about.
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- Broadcasts to a topic when the transaction commits. A payload without an id gets the message's. What cannot be sent is a
-- warning: it must not fail the statement that sends it.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    message_id,
    case
      when jsonb_typeof(payload) = 'object' and not payload ? 'id'
      then payload || jsonb_build_object('id', message_id)
      else payload
    end,
    event, topic, private, 'broadcast'
  );
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- For triggers: broadcasts one row's change.
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

-- Partitions of `realtime.messages` from the day before `today` to three days after it; those of days before the last
-- three are dropped. Names are the hosted platform's. Returns how many were made or dropped.
create function realtime.maintain_messages(today date) returns integer language plpgsql as $$
declare
  day date;
  part record;
  changed integer := 0;
begin
  for day in select today + days from generate_series(-1, 3) as days loop
    if to_regclass(format('realtime.%I', 'messages_' || to_char(day, 'YYYY_MM_DD'))) is null then
      execute format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        'messages_' || to_char(day, 'YYYY_MM_DD'), day, day + 1
      );
      changed := changed + 1;
    end if;
  end loop;
  for part in
    select child.relname as name from pg_catalog.pg_inherits as link
    join pg_catalog.pg_class as child on child.oid = link.inhrelid
    where link.inhparent = 'realtime.messages'::regclass and child.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
      and to_date(substr(child.relname, 10), 'YYYY_MM_DD') < today - 3
  loop
    execute format('drop table realtime.%I', part.name);
    changed := changed + 1;
  end loop;
  return changed;
end
$$;
select realtime.maintain_messages((now() at time zone 'utc')::date);

revoke execute on all functions in schema realtime from public;

grant all on realtime.messages to postgres, dashboard_user;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant execute on function
  realtime.topic(), realtime.send(jsonb, text, text, boolean), realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  to public, postgres, dashboard_user;
grant execute on function realtime.maintain_messages(date) to postgres;

reset role;

alter default privileges in schema realtime grant all on tables to postgres, dashboard_user;
alter default privileges in schema realtime grant all on functions to postgres, dashboard_user;
alter default privileges in schema realtime grant all on sequences to postgres, dashboard_user;

-- What the service replicates to broadcast it. A partition's rows appear as the table's own.
create publication supabase_realtime_messages_publication for table realtime.messages
  with (publish = 'insert', publish_via_partition_root = true);
