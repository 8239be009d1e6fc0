-- What the other migrations use: the schema for what the API must not see, no grants by default, rules for text, search.
--
-- These files run as the ordinary role `postgres` (not a superuser), on hosted Supabase and locally alike.

-- `private` is not among the API's exposed schemas, and only its owner may use it. Policies and views may
-- still call its functions, because a policy's names are resolved when the policy is made, with the owner's rights.
create schema if not exists private;
comment on schema private is
  'Tables and helpers behind the API. No usage is granted to anon, authenticated or service_role.';
revoke all on schema private from public;

-- Supabase grants ALL on every new table, sequence and function of `public` to its API roles and leaves the rest to
-- row security. We grant instead, table by table and column by column; a forgotten grant then fails closed.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end;
$$;
comment on function private.touch_updated_at() is 'updated_at is the server''s time, not the client''s.';

-- Visible text. A name of invisible characters would pass for an empty one, a control character ends up on a parcel's
-- label, and one that turns the direction of reading makes a title in the gallery look like another. The characters are those of functions/_shared/core/hidden_characters.json,
-- which functions and web read; a test holds the two lists together.

create function private.is_plain_text(value text) returns boolean
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
  'own in several scripts and stay; functions/_shared/core/visible_text.py looks at their neighbours too.';

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

revoke all on function private.is_plain_text(text), private.is_visible_text(text), private.clean_text(text) from public;
-- a check runs with the rights of the role that writes the row
grant execute on function private.is_plain_text(text), private.is_visible_text(text), private.clean_text(text)
  to authenticated, service_role;

-- Search for "contains", in any case, by an index: of a name all pieces of one, two and three characters are indexed (GIN). A
-- name that contains a word has the word's pieces; the few that have them and not the word are left out by a second look
-- (`ilike`). Trigrams (pg_trgm) find neither one letter nor two, and no signs.

create function private.name_pieces(value text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  lowered text := lower(value);
  pieces text[] := '{}';
begin
  -- at the end some come twice, which an index does not mind
  for place in 1 .. length(lowered) loop
    pieces := pieces || substr(lowered, place, 1);
    pieces := pieces || substr(lowered, place, 2);
    pieces := pieces || substr(lowered, place, 3);
  end loop;
  return pieces;
end;
$$;
comment on function private.name_pieces(text) is 'All pieces of one to three characters, in small letters: what an index holds of a name.';

create function private.search_pieces(value text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select array(
    select substr(lowered, place, 3)
    from (select lower(value) as lowered) l, generate_series(1, greatest(length(lowered) - 2, 1)) place
    where lowered <> ''
  );
$$;
comment on function private.search_pieces(text) is 'The pieces that a name must have (@>) to contain the words.';

create function private.contains_pattern(value text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select '%' || regexp_replace(value, '([\\%_])', '\\\1', 'g') || '%';
$$;
comment on function private.contains_pattern(text) is 'For ilike: contains these words, in which % and _ mean themselves.';

revoke all on function private.name_pieces(text), private.search_pieces(text), private.contains_pattern(text) from public;
-- an index's expression runs with the rights of the role that writes the row
grant execute on function private.name_pieces(text) to authenticated, service_role;
