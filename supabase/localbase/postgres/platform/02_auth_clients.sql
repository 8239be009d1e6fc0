-- The rest of the `auth` schema: the service as a client of providers, as a provider for clients, and single sign-on.
set role supabase_auth_admin;

-- A sign-in at a provider with PKCE of our own: the verifier, until the provider sends the browser back.
create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

-- Providers that an administrator adds at run time.
create table auth.custom_oauth_providers (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null check (provider_type in ('oauth2', 'oidc')),
  identifier text not null unique
    constraint custom_oauth_providers_identifier_format check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
  name text not null
    constraint custom_oauth_providers_name_length check (char_length(name) between 1 and 100),
  client_id text not null
    constraint custom_oauth_providers_client_id_length check (char_length(client_id) between 1 and 512),
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text
    constraint custom_oauth_providers_issuer_length check (char_length(issuer) between 1 and 2048),
  discovery_url text
    constraint custom_oauth_providers_discovery_url_length check (char_length(discovery_url) <= 2048),
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text
    constraint custom_oauth_providers_authorization_url_https check (authorization_url like 'https://%')
    constraint custom_oauth_providers_authorization_url_length check (char_length(authorization_url) <= 2048),
  token_url text
    constraint custom_oauth_providers_token_url_https check (token_url like 'https://%')
    constraint custom_oauth_providers_token_url_length check (char_length(token_url) <= 2048),
  userinfo_url text
    constraint custom_oauth_providers_userinfo_url_https check (userinfo_url like 'https://%')
    constraint custom_oauth_providers_userinfo_url_length check (char_length(userinfo_url) <= 2048),
  jwks_uri text
    constraint custom_oauth_providers_jwks_uri_https check (jwks_uri like 'https://%')
    constraint custom_oauth_providers_jwks_uri_length check (char_length(jwks_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}',
  constraint custom_oauth_providers_oauth2_requires_endpoints
      check (
        provider_type <> 'oauth2'
        or authorization_url is not null and token_url is not null and userinfo_url is not null
      ),
  constraint custom_oauth_providers_oidc_discovery_url_https
      check (provider_type <> 'oidc' or discovery_url is null or discovery_url like 'https://%'),
  constraint custom_oauth_providers_oidc_issuer_https
      check (provider_type <> 'oidc' or issuer is null or issuer like 'https://%'),
  constraint custom_oauth_providers_oidc_requires_issuer check (provider_type <> 'oidc' or issuer is not null)
);
create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_identifier_idx on auth.custom_oauth_providers (identifier);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);

-- [auth.oauth_server]: a client's request, waiting for the user's consent, then for the exchange of its code.
create table auth.oauth_authorizations (
  id uuid primary key,
  authorization_id text not null unique,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  user_id uuid references auth.users (id) on delete cascade,
  redirect_uri text not null
    constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
  scope text not null constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
  state text constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
  resource text constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
  code_challenge text
    constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text unique
    constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 minutes',
  approved_at timestamptz,
  nonce text constraint oauth_authorizations_nonce_length check (char_length(nonce) <= 255),
  constraint oauth_authorizations_expires_at_future check (expires_at > created_at)
);
create index oauth_auth_pending_exp_idx on auth.oauth_authorizations (expires_at) where status = 'pending';

-- What a user has allowed a client.
create table auth.oauth_consents (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  scopes text not null
    constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048)
    constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_user_client_unique unique (user_id, client_id),
  constraint oauth_consents_revoked_after_granted check (revoked_at is null or revoked_at >= granted_at)
);
create index oauth_consents_active_client_idx on auth.oauth_consents (client_id) where revoked_at is null;
create index oauth_consents_active_user_client_idx on auth.oauth_consents (user_id, client_id)
  where revoked_at is null;
create index oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);

-- Single sign-on with SAML, which the service refuses: the tables hold what a hosted project's dump brings.
create table auth.sso_providers (
  id uuid primary key,
  resource_id text constraint "resource_id not empty" check (resource_id = null or char_length(resource_id) > 0),
  created_at timestamptz,
  updated_at timestamptz,
  disabled boolean
);
create unique index sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));
create index sso_providers_resource_id_pattern_idx on auth.sso_providers (resource_id text_pattern_ops);

create table auth.sso_domains (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  domain text not null constraint "domain not empty" check (char_length(domain) > 0),
  created_at timestamptz,
  updated_at timestamptz
);
create unique index sso_domains_domain_idx on auth.sso_domains (lower(domain));
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);

create table auth.saml_providers (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  entity_id text not null unique constraint "entity_id not empty" check (char_length(entity_id) > 0),
  metadata_xml text not null constraint "metadata_xml not empty" check (char_length(metadata_xml) > 0),
  metadata_url text constraint "metadata_url not empty" check (metadata_url = null or char_length(metadata_url) > 0),
  attribute_mapping jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  name_id_format text
);
create index saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table auth.saml_relay_states (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  request_id text not null constraint "request_id not empty" check (char_length(request_id) > 0),
  for_email text,
  redirect_to text,
  created_at timestamptz,
  updated_at timestamptz,
  flow_state_id uuid references auth.flow_state (id) on delete cascade
);
create index saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);
create index saml_relay_states_for_email_idx on auth.saml_relay_states (for_email);
create index saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);

insert into auth.schema_migrations values
  ('00'), ('20210710035447'), ('20210722035447'), ('20210730183235'), ('20210909172000'), ('20210927181326'),
  ('20211122151130'), ('20211124214934'), ('20211202183645'), ('20220114185221'), ('20220114185340'),
  ('20220224000811'), ('20220323170000'), ('20220429102000'), ('20220531120530'), ('20220614074223'),
  ('20220811173540'), ('20221003041349'), ('20221003041400'), ('20221011041400'), ('20221020193600'),
  ('20221021073300'), ('20221021082433'), ('20221027105023'), ('20221114143122'), ('20221114143410'),
  ('20221125140132'), ('20221208132122'), ('20221215195500'), ('20221215195800'), ('20221215195900'),
  ('20230116124310'), ('20230116124412'), ('20230131181311'), ('20230322519590'), ('20230402418590'),
  ('20230411005111'), ('20230508135423'), ('20230523124323'), ('20230818113222'), ('20230914180801'),
  ('20231027141322'), ('20231114161723'), ('20231117164230'), ('20240115144230'), ('20240214120130'),
  ('20240306115329'), ('20240314092811'), ('20240427152123'), ('20240612123726'), ('20240729123726'),
  ('20240802193726'), ('20240806073726'), ('20241009103726'), ('20250717082212'), ('20250731150234'),
  ('20250804100000'), ('20250901200500'), ('20250903112500'), ('20250904133000'), ('20250925093508'),
  ('20251007112900'), ('20251104100000'), ('20251111201300'), ('20251201000000'), ('20260115000000'),
  ('20260121000000'), ('20260219120000'), ('20260302000000'), ('20260625000000');

-- Also those tables that upstream leaves without row-level security: no role but the service's own reads them.
do $$
declare
  name text;
begin
  for name in select tablename from pg_tables where schemaname = 'auth' loop
    execute format('alter table auth.%I enable row level security', name);
  end loop;
end
$$;

reset role;

-- The project's role may read, reference and put triggers on these tables, but does not own them.
grant all on all tables in schema auth to postgres, dashboard_user;
grant all on all sequences in schema auth to postgres, dashboard_user;
grant all on all routines in schema auth to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres, dashboard_user;

-- The service's own, not upstream's: counters of calls and of wrong passwords, for all workers. `at` is in seconds since
-- the epoch. They need not outlive a crash, and every sign-in writes to them.
create unlogged table _localbase.auth_rate_limits (
  name text,
  key text,
  tokens double precision not null,
  at double precision not null,
  primary key (name, key)
);
create index on _localbase.auth_rate_limits (at);
create unlogged table _localbase.auth_wrong_passwords (
  key text primary key,
  failures int not null,
  at double precision not null
);
create index on _localbase.auth_wrong_passwords (at);
alter table _localbase.auth_rate_limits enable row level security;
alter table _localbase.auth_wrong_passwords enable row level security;
grant usage on schema _localbase to supabase_auth_admin;
grant select, insert, update, delete on _localbase.auth_rate_limits, _localbase.auth_wrong_passwords
  to supabase_auth_admin;
create policy service on _localbase.auth_rate_limits to supabase_auth_admin using (true) with check (true);
create policy service on _localbase.auth_wrong_passwords to supabase_auth_admin using (true) with check (true);

-- What the auth service counts beside GoTrue's schema: pauses between two mails to an address, and wrong codes. The workers
-- share it. Keys are hashes, so that no address of a stranger is stored. Unlogged: after a crash the counts begin anew.
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

-- What the auth service remembers of second factors beside upstream's tables, which stay as they are.
-- No foreign keys: a restored dump drops and fills the tables of auth as if these did not exist.

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

alter table _localbase.totp_uses enable row level security;
alter table _localbase.factor_attempts enable row level security;
create policy service on _localbase.totp_uses to supabase_auth_admin using (true) with check (true);
create policy service on _localbase.factor_attempts to supabase_auth_admin using (true) with check (true);
