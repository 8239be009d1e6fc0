-- Names and addresses hold only signs that are seen. A control character ends up on a parcel's label, and a sign that turns
-- the direction of reading makes one public name look like another.

create function private.is_plain_text(value text) returns boolean
language sql immutable set search_path = '' as $$
  select value !~ (
    '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb'
    '\U000e0000-\U000e007f]'
  );
$$;
comment on function private.is_plain_text(text) is
  'No control characters, no signs that are not seen and change how others are read. The joiners U+200C and U+200D are '
  'letters'' own in several scripts and stay; functions/_shared/addresses.py looks at their neighbours too.';
revoke all on function private.is_plain_text(text) from public;
-- a check runs with the rights of who writes the row
grant execute on function private.is_plain_text(text) to authenticated, service_role;

-- not valid: rows that are there stay, new ones are checked. Which countries are shipped to is deliberately not asked here:
-- the list changes, a saved address only fills the form, and every order's address is checked anew.
alter table public.user_addresses add constraint user_addresses_plain_text_check check (
  private.is_plain_text(
    concat_ws(' ', first_name, last_name, email, phone_country_code, phone, region, address1, address2, city, zip)
  )
) not valid;

alter table private.profiles add constraint profiles_public_name_plain_text_check
  check (private.is_plain_text(public_name)) not valid;
