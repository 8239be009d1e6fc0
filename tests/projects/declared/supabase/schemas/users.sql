create table public.roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'member',
  team integer references public.teams (id)
);
alter table public.roles enable row level security;
create policy "auth reads roles" on public.roles as permissive for select to supabase_auth_admin using (true);
grant usage on schema public to supabase_auth_admin;
grant select on table public.roles to supabase_auth_admin;

create function public.custom_access_token_hook(event jsonb) returns jsonb language plpgsql stable as $$
begin
  return jsonb_set(event, '{claims,user_role}', coalesce(
    (select to_jsonb(role) from public.roles where user_id = (event ->> 'user_id')::uuid), '"member"'));
end;
$$;
create function public.before_user_created(event jsonb) returns jsonb language plpgsql as $$
begin
  if event -> 'user' ->> 'email' like '%@blocked.example' then
    return jsonb_build_object('error', jsonb_build_object('http_code', 403, 'message', 'This address is blocked.'));
  end if;
  return '{}';
end;
$$;
grant execute on function public.custom_access_token_hook, public.before_user_created to supabase_auth_admin;
revoke execute on function public.custom_access_token_hook, public.before_user_created from authenticated, anon, public;
