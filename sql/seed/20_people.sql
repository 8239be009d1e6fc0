-- People of the demonstration shop: a shopper, an admin and six community creators.
--
-- Everybody's password is teesmith-demo; the bcrypt hashes (cost 10) are written out so that no extension is needed.
-- Never load this file into a live project. auth.users gets every column that GoTrue reads without allowing for null; a
-- column that this version of Auth does not have is left out.

do $$
declare
  -- the columns of a table in auth that `rows` has values for, and an insert of them
  statement constant text := $insert$
    with columns as (
      select string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as list
      from information_schema.columns c
      where c.table_schema = 'auth' and c.table_name = %1$L and ($1 -> 0) ? c.column_name
    )
    select format(
      'insert into auth.%1$I (%%1$s) select %%1$s from jsonb_populate_recordset(null::auth.%1$I, $1) on conflict do nothing', list
    ) from columns
  $insert$;
  people jsonb;
  identities jsonb;
  insertion text;
begin
  select jsonb_agg(jsonb_build_object(
    'instance_id', '00000000-0000-0000-0000-000000000000', 'id', p.id, 'aud', 'authenticated', 'role', 'authenticated',
    'email', p.email, 'encrypted_password', p.password, 'email_confirmed_at', p.joined_at,
    'raw_app_meta_data', '{"provider": "email", "providers": ["email"]}'::jsonb,
    'raw_user_meta_data', jsonb_build_object(
      'sub', p.id, 'email', p.email, 'full_name', p.full_name, 'email_verified', true, 'phone_verified', false),
    'confirmation_token', '', 'recovery_token', '', 'email_change_token_new', '', 'email_change_token_current', '',
    'email_change', '', 'phone_change', '', 'phone_change_token', '', 'reauthentication_token', '',
    'created_at', p.joined_at, 'updated_at', p.joined_at
  ))
  into people
  from (values
  ('5eed0000-0000-4000-8000-000000000001'::uuid, 'shopper@teesmith.example', 'Sam Shopper', '$2a$10$rJ1p1v3W.zoBeKS/YHLbg.qv5s0gMh92ySfL1glxcaKm8nNNKFrLK', '2026-01-10 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000002'::uuid, 'admin@teesmith.example', 'Ada Admin', '$2a$10$STRp0pbnB0.hq8jqNGPCV.fBrWslPkjKxrQmhVGh/XOkhdgXvJ8lG', '2026-02-11 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000003'::uuid, 'ines@teesmith.example', 'Ines Moreau', '$2a$10$2mRxENaXlpRFbnIDl/p9sOiYqcjsLVSGzujqpTw/Ntd5muzLGSWOu', '2026-03-12 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000004'::uuid, 'kofi@teesmith.example', 'Kofi Mensah', '$2a$10$hUlTfKSRfUgYXyY7IUwNz.49ce.CFBSDRtDOpeRdb/YoGk4dBPuYG', '2026-04-13 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000005'::uuid, 'yuki@teesmith.example', 'Yuki Tanaka', '$2a$10$DTVgOBCxnwORAri/0t3alurDYhCAyTBbUVPXO/P7MLtStbsWe6HVi', '2026-05-14 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000006'::uuid, 'marta@teesmith.example', 'Marta Lind', '$2a$10$xhVwEldqLL3juT8rTKBPNuTSzkOdbjRwsEzpBGx57EDr.GSEy270G', '2026-06-15 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000007'::uuid, 'diego@teesmith.example', 'Diego Ruiz', '$2a$10$gZSkgtiSWn0Cw1ZMfGeINuqlxG/4TtJ7iDv9jVHu3bv1AXwqMXPqW', '2026-07-16 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000008'::uuid, 'priya@teesmith.example', 'Priya Nair', '$2a$10$gGfMkphTlAlfGsvAYGJaaeuMDibRAFJTNZuZKUmHEdVAiXvLV6Q0W', '2026-08-17 09:30:00+00'::timestamptz)
) as p (id, email, full_name, password, joined_at);

  select jsonb_agg(jsonb_build_object(
    'id', u ->> 'id', 'provider_id', u ->> 'id', 'user_id', u ->> 'id', 'identity_data', u -> 'raw_user_meta_data',
    'provider', 'email', 'last_sign_in_at', u ->> 'created_at', 'created_at', u ->> 'created_at',
    'updated_at', u ->> 'created_at'
  ))
  into identities
  from jsonb_array_elements(people) as u;

  execute format(statement, 'users') into insertion using people;
  execute insertion using people;
  execute format(statement, 'identities') into insertion using identities;
  execute insertion using identities;
end
$$;

-- The trigger on auth.users made their profiles; what follows is what they would have told us themselves.
update private.profiles set is_admin = true where id = '5eed0000-0000-4000-8000-000000000002';

update private.profiles p set public_name = c.public_name
from (values
  ('5eed0000-0000-4000-8000-000000000003'::uuid, 'Ines Inks'),
  ('5eed0000-0000-4000-8000-000000000004'::uuid, 'Kofi Prints'),
  ('5eed0000-0000-4000-8000-000000000005'::uuid, 'Yuki Draws'),
  ('5eed0000-0000-4000-8000-000000000006'::uuid, 'Marta & the Moths'),
  ('5eed0000-0000-4000-8000-000000000007'::uuid, 'Diego Verde'),
  ('5eed0000-0000-4000-8000-000000000008'::uuid, 'Paper Tiger')
) as c (id, public_name)
where p.id = c.id and p.public_name is null;
