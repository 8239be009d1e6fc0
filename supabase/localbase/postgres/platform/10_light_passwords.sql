-- The services' own roles have a password that everybody knows. To make guessing it dear would cost 5 ms of processor
-- time at each end of every new connection, and the gateway's loop stands still meanwhile. People's roles keep the
-- usual 4096 rounds, for some clients insist on them. (Postgres 15 knows no other number.)
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    set local scram_iterations = 1;
    alter role authenticator password 'postgres';
    alter role supabase_auth_admin password 'postgres';
    alter role supabase_storage_admin password 'postgres';
  end if;
end
$$;
