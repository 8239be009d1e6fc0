-- pg_cron as SQL: the tables and functions of https://github.com/citusdata/pg_cron. The gateway's process runs what is due,
-- as the user who has scheduled it. Times are in UTC.
create schema if not exists cron;
create sequence cron.jobid_seq;
create sequence cron.runid_seq;
create table cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default coalesce(inet_server_port(), current_setting('port')::integer),
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

-- The values of one field of a schedule; null if it is none. `$` is a month's last day.
create function cron._field(text_of_field text, low integer, high integer, names text[]) returns integer[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  part text;
  match text[];
  step integer;
  first integer;
  last integer;
  result integer[] := '{}';
begin
  if text_of_field is null then
    return null;
  end if;
  foreach part in array pg_catalog.string_to_array(pg_catalog.lower(text_of_field), ',') loop
    if part = '$' and high = 31 then
      result := result || 32;
      continue;
    end if;
    match := pg_catalog.regexp_match(part, '^(\*|[0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?(?:/([0-9]{1,2}))?$');
    if match is null or (match[1] = '*' and match[2] is not null) or (match[3] is not null and match[1] <> '*' and match[2] is null) then
      return null;
    end if;
    step := coalesce(match[3]::integer, 1);
    first := case when match[1] = '*' then low when match[1] ~ '^[0-9]' then match[1]::integer
      else pg_catalog.array_position(names, match[1]) - 1 + low end;
    last := case when match[1] = '*' then high when match[2] is null then first when match[2] ~ '^[0-9]' then match[2]::integer
      else pg_catalog.array_position(names, match[2]) - 1 + low end;
    if first is null or last is null or step < 1 or first < low or last > high or first > last then
      return null;
    end if;
    result := result || array(select pg_catalog.generate_series(first, last, step));
  end loop;
  return result;
end $$;
create function cron._fields(schedule text) returns text[] language sql immutable parallel safe set search_path = '' as $$
  select case pg_catalog.lower(pg_catalog.btrim(schedule))
    when '@hourly' then '{0,*,*,*,*}'
    when '@daily' then '{0,0,*,*,*}'
    when '@midnight' then '{0,0,*,*,*}'
    when '@weekly' then '{0,0,*,*,0}'
    when '@monthly' then '{0,0,1,*,*}'
    when '@yearly' then '{0,0,1,1,*}'
    when '@annually' then '{0,0,1,1,*}'
    else pg_catalog.regexp_split_to_array(pg_catalog.btrim(schedule), '\s+')
  end::text[]
$$;
-- Of `30 seconds` the number; null for a schedule in the form of crontab.
create function cron._seconds(schedule text) returns integer language sql immutable parallel safe set search_path = '' as $$
  select (pg_catalog.regexp_match(schedule, '^\s*([1-9]|[1-5][0-9])\s+seconds?\s*$', 'i'))[1]::integer
$$;
create function cron._is_valid(schedule text) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select cron._seconds(schedule) is not null or (
    pg_catalog.cardinality(f) = 5
    and cron._field(f[1], 0, 59, '{}') is not null
    and cron._field(f[2], 0, 23, '{}') is not null
    and cron._field(f[3], 1, 31, '{}') is not null
    and cron._field(f[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}') is not null
    and cron._field(f[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}') is not null
  ) from cron._fields(schedule) as f
$$;
-- Whether a schedule in the form of crontab names this minute. Day of month and day of week: either, if both are named.
create function cron._matches(schedule text, minute timestamptz) returns boolean language sql immutable parallel safe
set search_path = '' as $$
  select cron._seconds(schedule) is null
    and extract(minute from at) = any (cron._field(f[1], 0, 59, '{}'))
    and extract(hour from at) = any (cron._field(f[2], 0, 23, '{}'))
    and extract(month from at) = any (cron._field(f[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}'))
    and case when f[3] like '*%' or f[5] like '*%' then of_month and of_week else of_month or of_week end
  from cron._fields(schedule) as f, (select minute at time zone 'UTC') as utc(at), lateral (
    select extract(day from at) = any (days) or (32 = any (days) and extract(day from at + interval '1 day') = 1),
      extract(dow from at) = any (weekdays) or (7 = any (weekdays) and extract(dow from at) = 0)
    from cron._field(f[3], 1, 31, '{}') as days, cron._field(f[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}') as weekdays
  ) as day(of_month, of_week)
$$;
-- Jobs at a fixed time are made up for when the clock has jumped over it.
create function cron._is_fixed(schedule text) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select cron._seconds(schedule) is null and f[1] not like '*%' and f[2] not like '*%' from cron._fields(schedule) as f
$$;

-- The real extension's superuser check: jobs run as their user.
create function cron._check_job() returns trigger language plpgsql set search_path = '' as $$
begin
  if not cron._is_valid(new.schedule) then
    raise exception 'invalid schedule: %', new.schedule using
      errcode = 'invalid_parameter_value',
      hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  if new.username <> current_user and not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    raise exception 'must be superuser to create a job for another role' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger check_job before insert or update on cron.job for each row execute function cron._check_job();
create function cron._job_changed() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('localbase_background', 'cron');
  return null;
end $$;
create trigger job_changed after insert or update or delete or truncate on cron.job
  for each statement execute function cron._job_changed();

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint language sql volatile set search_path = '' as $$
  insert into cron.job as known (jobname, schedule, command, database, username, active)
  values (job_name, schedule, command, database, coalesce(username, current_user), active)
  on conflict on constraint jobname_username_uniq do update
    set schedule = excluded.schedule, command = excluded.command, database = excluded.database, active = excluded.active
  returning jobid
$$;
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql volatile
set search_path = '' as $$
  select cron.schedule_in_database(job_name, schedule, command, pg_catalog.current_database())
$$;
create function cron.schedule(schedule text, command text) returns bigint language sql volatile set search_path = '' as $$
  select cron.schedule_in_database(null, schedule, command, pg_catalog.current_database())
$$;
create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void language plpgsql volatile set search_path = '' as $$
begin
  update cron.job j set
    schedule = coalesce(alter_job.schedule, j.schedule), command = coalesce(alter_job.command, j.command),
    database = coalesce(alter_job.database, j.database), username = coalesce(alter_job.username, j.username),
    active = coalesce(alter_job.active, j.active)
  where j.jobid = job_id and (j.username = current_user or (select rolsuper from pg_catalog.pg_roles where rolname = current_user));
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id;
  end if;
end $$;
create function cron.unschedule(job_id bigint) returns boolean language plpgsql volatile set search_path = '' as $$
begin
  delete from cron.job where jobid = job_id;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_id;
  end if;
  return true;
end $$;
create function cron.unschedule(job_name text) returns boolean language plpgsql volatile set search_path = '' as $$
begin
  delete from cron.job where jobname = job_name and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name;
  end if;
  return true;
end $$;

-- Only the project's own role may schedule, and give that right on.
revoke all on all functions in schema cron from public;
grant usage on schema cron to postgres with grant option;
grant execute on all functions in schema cron to postgres with grant option;
grant select, insert, update, delete on cron.job to postgres;
grant select, delete on cron.job_run_details to postgres with grant option;
grant usage on all sequences in schema cron to postgres with grant option;
