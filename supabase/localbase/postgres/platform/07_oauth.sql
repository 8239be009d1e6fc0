-- A sign-in at a provider begins before there is a user, may not use PKCE, and ends at the address it came from.
alter table auth.flow_state alter column auth_code drop not null;
alter table auth.flow_state alter column code_challenge drop not null;
alter table auth.flow_state alter column code_challenge_method drop not null;
alter table auth.flow_state add column referrer text;
