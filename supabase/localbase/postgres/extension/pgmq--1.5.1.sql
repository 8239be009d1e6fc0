-- pgmq, by https://pgmq.github.io/pgmq: a queue is a table `pgmq.q_<name>` and its archive `pgmq.a_<name>`. A message that
-- is read is invisible for `vt` seconds, and there again if it was neither deleted nor archived. Signatures are 1.5.1's:
-- dumps and the dashboard grant them one by one.
create table pgmq.meta (
  queue_name varchar primary key,
  is_partitioned boolean not null default false,
  is_unlogged boolean not null default false,
  created_at timestamptz not null default now()
);
create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
);
create type pgmq.queue_record as (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
  scrape_time timestamptz, queue_visible_length bigint
);

create function pgmq.format_table_name(queue_name text, prefix text) returns text language plpgsql immutable as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or \''';
  end if;
  return lower(prefix || '_' || queue_name);
end $$;
create function pgmq.validate_queue_name(queue_name text) returns void language plpgsql immutable as $$
begin
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  end if;
  perform pgmq.format_table_name(queue_name, 'q');
end $$;
create function pgmq._create(queue_name text, is_unlogged boolean) returns void language plpgsql as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  archive text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pg_advisory_xact_lock(hashtext('pgmq.' || queue));
  execute format($sql$
    create %1$s table if not exists pgmq.%2$I (
      msg_id bigint primary key generated always as identity,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    );
    create table if not exists pgmq.%3$I (
      msg_id bigint primary key,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      archived_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    );
    create index if not exists %4$I on pgmq.%2$I (vt);
    create index if not exists %5$I on pgmq.%3$I (archived_at)
  $sql$, case when is_unlogged then 'unlogged' else '' end, queue, archive, queue || '_vt_idx', 'archived_at_idx_' || archive);
  insert into pgmq.meta (queue_name, is_unlogged) values (queue_name, is_unlogged) on conflict do nothing;
end $$;
create function pgmq.create(queue_name text) returns void language sql as $$ select pgmq._create(queue_name, false) $$;
create function pgmq.create_non_partitioned(queue_name text) returns void language sql as $$ select pgmq._create(queue_name, false) $$;
create function pgmq.create_unlogged(queue_name text) returns void language sql as $$ select pgmq._create(queue_name, true) $$;
create function pgmq._get_pg_partman_schema() returns text language sql as $$
  select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_partman'
$$;
create function pgmq._get_pg_partman_major_version() returns integer language sql as $$
  select split_part(extversion, '.', 1)::integer from pg_extension where extname = 'pg_partman'
$$;
create function pgmq._get_partition_col(partition_interval text) returns text language sql immutable as $$
  select case when partition_interval ~ '^[0-9]+$' then 'msg_id' else 'enqueued_at' end
$$;
create function pgmq._ensure_pg_partman_installed() returns void language plpgsql as $$
begin
  raise exception 'partitioned queues need the extension pg_partman, which this Postgres does not have'
    using errcode = 'feature_not_supported', hint = 'Use pgmq.create, or name a system Postgres that has both in PG_BIN.';
end $$;
create function pgmq.create_partitioned(queue_name text, partition_interval text default '10000', retention_interval text default '100000')
returns void language sql as $$ select pgmq._ensure_pg_partman_installed() $$;
create function pgmq.convert_archive_partitioned(
  table_name text, partition_interval text default '10000', retention_interval text default '100000',
  leading_partition integer default 10
) returns void language sql as $$ select pgmq._ensure_pg_partman_installed() $$;
-- A queue's tables belong to no extension here: a dump holds them, and `drop extension` leaves them.
create function pgmq._belongs_to_pgmq(table_name text) returns boolean language sql stable as $$
  select exists (
    select from pg_depend d join pg_extension e on e.oid = d.refobjid
    where e.extname = 'pgmq' and d.deptype = 'e' and d.objid = to_regclass(format('pgmq.%I', table_name))
  )
$$;
create function pgmq.detach_archive(queue_name text) returns void language plpgsql as $$
declare
  archive text := pgmq.format_table_name(queue_name, 'a');
begin
  if pgmq._belongs_to_pgmq(archive) then
    execute format('alter extension pgmq drop table pgmq.%I', archive);
  end if;
end $$;
create function pgmq.drop_queue(queue_name text) returns boolean language plpgsql as $$
declare
  known pgmq.meta;
begin
  delete from pgmq.meta m where m.queue_name = drop_queue.queue_name returning * into known;
  execute format('drop table if exists pgmq.%I, pgmq.%I',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'));
  return known.queue_name is not null;
end $$;
create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean language sql as $$
  select pgmq.drop_queue(queue_name)
$$;
create function pgmq.list_queues() returns setof pgmq.queue_record language sql stable as $$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta order by created_at, queue_name
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) returns setof bigint
language plpgsql as $$
begin
  if headers is not null and cardinality(headers) <> cardinality(msgs) then
    raise exception 'headers array must be the same length as msgs';
  end if;
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) select $2, m, h from unnest($1, coalesce($3, array[]::jsonb[])) with ordinality u(m, h, n)'
    ' order by n returning msg_id', pgmq.format_table_name(queue_name, 'q')) using msgs, delay, headers;
end $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay))
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp())
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, msgs, null, delay)
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, msgs, null, delay)
$$;
create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, msgs, null, clock_timestamp())
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], array[headers], delay)
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], array[headers], delay)
$$;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], array[headers], 0)
$$;
create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], null, delay)
$$;
create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], null, delay)
$$;
create function pgmq.send(queue_name text, msg jsonb) returns setof bigint language sql as $$
  select pgmq.send_batch(queue_name, array[msg], null, 0)
$$;

create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format($sql$
    with next as (
      select msg_id from pgmq.%1$I where vt <= clock_timestamp() and ($3 = '{}' or message @> $3)
      order by msg_id limit $2 for update skip locked
    )
    update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $1), read_ct = read_ct + 1
    from next where q.msg_id = next.msg_id
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
  $sql$, pgmq.format_table_name(queue_name, 'q')) using vt, qty, coalesce(conditional, '{}');
end $$;
create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
  conditional jsonb default '{}'
) returns setof pgmq.message_record language plpgsql as $$
declare
  ends timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found or clock_timestamp() >= ends;
    perform pg_sleep(poll_interval_ms / 1000.0);
  end loop;
end $$;
create function pgmq.pop(queue_name text) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format($sql$
    delete from pgmq.%1$I where msg_id in (
      select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked
    ) returning msg_id, read_ct, enqueued_at, vt, message, headers
  $sql$, pgmq.format_table_name(queue_name, 'q'));
end $$;
create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id', pgmq.format_table_name(queue_name, 'q'))
    using msg_ids;
end $$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select from pgmq.delete(queue_name, array[msg_id]))
$$;
create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format($sql$
    with moved as (
      delete from pgmq.%I where msg_id = any ($1) returning msg_id, read_ct, enqueued_at, vt, message, headers
    )
    insert into pgmq.%I (msg_id, read_ct, enqueued_at, vt, message, headers) select * from moved returning msg_id
  $sql$, pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
end $$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select from pgmq.archive(queue_name, array[msg_id]))
$$;
create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format(
    'update pgmq.%I set vt = clock_timestamp() + make_interval(secs => $2) where msg_id = $1'
    ' returning msg_id, read_ct, enqueued_at, vt, message, headers', pgmq.format_table_name(queue_name, 'q')) using msg_id, vt;
end $$;
create function pgmq.purge_queue(queue_name text) returns bigint language plpgsql as $$
declare
  deleted bigint;
begin
  execute format('delete from pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  get diagnostics deleted = row_count;
  return deleted;
end $$;
create function pgmq.metrics(queue_name text) returns pgmq.metrics_result language plpgsql as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  result pgmq.metrics_result;
begin
  execute format($sql$
    select $1, count(*), extract(epoch from clock_timestamp() - max(enqueued_at))::integer,
      extract(epoch from clock_timestamp() - min(enqueued_at))::integer,
      coalesce((select case when is_called then last_value else 0 end from pgmq.%2$I), 0),
      clock_timestamp(), count(*) filter (where vt <= clock_timestamp())
    from pgmq.%1$I
  $sql$, queue, queue || '_msg_id_seq') into result using queue_name;
  return result;
end $$;
create function pgmq.metrics_all() returns setof pgmq.metrics_result language sql as $$
  select (pgmq.metrics(queue_name)).* from pgmq.meta
$$;

-- All of it belongs to the project's role, which makes queues and decides who may use them.
revoke all on all functions in schema pgmq from public;
