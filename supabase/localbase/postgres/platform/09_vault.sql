-- The vault, which every project has.
do $$
begin
  if exists (select from pg_available_extensions where name = 'supabase_vault') then
    create extension if not exists supabase_vault with schema vault cascade;
  end if;
end $$;
