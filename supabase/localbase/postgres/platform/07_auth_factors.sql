-- What the auth service remembers of second factors beside upstream's tables, which stay as they are.
-- No foreign keys: a restored dump drops and fills the tables of auth as if these did not exist.
grant usage on schema _localbase to supabase_auth_admin;

-- The last time step (30 s) of which a factor's code has been taken: each code counts once. Rows live for minutes.
create table _localbase.totp_uses (
  factor_id uuid primary key,
  time_step bigint not null
);
grant select, insert, update, delete on _localbase.totp_uses to supabase_auth_admin;

-- Wrong codes of a user's second factors, in the minute and the hour that began with the first of them.
create unlogged table _localbase.factor_attempts (
  user_id uuid primary key,
  minute_from timestamptz not null,
  in_minute int not null,
  hour_from timestamptz not null,
  in_hour int not null
);
grant select, insert, update, delete on _localbase.factor_attempts to supabase_auth_admin;
