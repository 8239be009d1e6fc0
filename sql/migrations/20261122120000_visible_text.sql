-- Texts that are seen. A name of characters that show nothing passes for an empty one, and one that turns the direction of
-- reading makes a title in the gallery look like another. The characters are those of functions/_shared/hidden_characters.json,
-- which functions and web read; a test holds the two lists together.

create or replace function private.is_plain_text(value text) returns boolean
language sql immutable set search_path = '' as $$
  select value !~ ('['
    '\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f'
    '\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe-\uffff'
    '\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff'
    '\U000f0000-\U0010ffff'
    ']');
$$;
comment on function private.is_plain_text(text) is
  'No control characters, fillers or direction: no characters that are not seen. The joiners U+200C and U+200D are letters'' '
  'own in several scripts and stay; functions/_shared/visible_text.py looks at their neighbours too.';

create function private.is_visible_text(value text) returns boolean
language sql immutable set search_path = '' as $$
  select value ~ ('[^'
    '\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f'
    '\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe-\uffff'
    '\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff'
    '\U000f0000-\U0010ffff\u0020\u00a0\u1680\u2000-\u200a\u200c-\u200d\u202f\u205f\u3000\ufe00-\ufe0f'
    '\U000e0100-\U000e01ef'
    ']');
$$;
comment on function private.is_visible_text(text) is 'Whether at least one character of it is seen.';

create function private.clean_text(value text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(value, '['
    '\u0001-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u206f\ufff9-\ufffb'
    '\ufffe-\uffff'
    ']', '', 'g');
$$;
comment on function private.clean_text(text) is
  'A text without controls and turned direction. Lines, tabs, flags and emoji stay.';

revoke all on function private.is_visible_text(text), private.clean_text(text) from public;
-- a check runs with the rights of who writes the row
grant execute on function private.is_visible_text(text), private.clean_text(text) to authenticated, service_role;

-- not valid: rows that are there stay, new ones are checked
alter table public.designs add constraint designs_name_visible_check
  check (private.is_visible_text(name) and name = private.clean_text(name)) not valid;

alter table public.user_addresses add constraint user_addresses_visible_check check (
  private.is_visible_text(first_name) and private.is_visible_text(last_name) and private.is_visible_text(address1)
  and private.is_visible_text(city) and private.is_visible_text(zip)
) not valid;

alter table private.profiles add constraint profiles_public_name_visible_check
  check (private.is_visible_text(public_name)) not valid;
-- these two are shown to admins
alter table private.profiles add constraint profiles_name_clean_check check (
  name = private.clean_text(name) and username = private.clean_text(username)
) not valid;

create or replace function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sent jsonb := coalesce(new.raw_user_meta_data, '{}');
  full_name text := coalesce(private.sign_up_name(sent ->> 'full_name'), private.sign_up_name(sent ->> 'name'));
begin
  -- cut to the table's limits: what a sign-up form sends must never be the reason why a sign-up fails
  insert into private.profiles (id, username, name, created_at)
  values (
    new.id,
    coalesce(
      private.sign_up_name(sent ->> 'username'), full_name, private.sign_up_name(split_part(new.email, '@', 1))
    ),
    full_name,
    coalesce(new.created_at, now())
  )
  on conflict (id) do nothing;
  return new;
end;
$$;

create function private.sign_up_name(value text) returns text
language sql immutable set search_path = '' as $$
  select case when private.is_visible_text(cleaned) then left(cleaned, 120) end
  from (select btrim(private.clean_text(value)) as cleaned) c;
$$;
comment on function private.sign_up_name(text) is 'A name from sign-up data, fit for a profile; null when nothing of it is seen.';
revoke all on function private.sign_up_name(text) from public;
