-- What the auth service counts beside GoTrue's schema: pauses between two mails to an address, and wrong codes. The workers
-- share it. Keys are hashes, so that no address of a stranger is kept. Unlogged: after a crash they begin anew.
grant usage on schema _localbase to supabase_auth_admin;

create unlogged table _localbase.auth_pauses (
  key text primary key,
  until timestamptz not null
);
create index auth_pauses_until on _localbase.auth_pauses (until);

create unlogged table _localbase.auth_wrong_codes (
  key text primary key,
  tries integer not null,
  until timestamptz not null
);
create index auth_wrong_codes_until on _localbase.auth_wrong_codes (until);

alter table _localbase.auth_pauses enable row level security;
alter table _localbase.auth_wrong_codes enable row level security;
grant select, insert, update, delete on _localbase.auth_pauses, _localbase.auth_wrong_codes to supabase_auth_admin;
create policy service on _localbase.auth_pauses to supabase_auth_admin using (true) with check (true);
create policy service on _localbase.auth_wrong_codes to supabase_auth_admin using (true) with check (true);
