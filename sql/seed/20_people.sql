-- People of the demonstration shop: a shopper, an admin and six community creators.
--
-- Everybody's password is teesmith-demo; the bcrypt hashes (cost 10) are written out so that no extension is needed.
-- Never load this file into a live project. auth.users gets every column that GoTrue reads without allowing for null.

insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  confirmation_token, recovery_token, email_change_token_new, email_change_token_current, email_change,
  phone_change, phone_change_token, reauthentication_token, created_at, updated_at
)
select
  '00000000-0000-0000-0000-000000000000', p.id, 'authenticated', 'authenticated', p.email, p.password,
  p.joined_at, '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('sub', p.id, 'email', p.email, 'full_name', p.full_name, 'email_verified', true, 'phone_verified', false),
  '', '', '', '', '', '', '', '', p.joined_at, p.joined_at
from (values
  ('5eed0000-0000-4000-8000-000000000001'::uuid, 'shopper@teesmith.example', 'Sam Shopper', '$2a$10$rJ1p1v3W.zoBeKS/YHLbg.qv5s0gMh92ySfL1glxcaKm8nNNKFrLK', '2026-01-10 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000002'::uuid, 'admin@teesmith.example', 'Ada Admin', '$2a$10$STRp0pbnB0.hq8jqNGPCV.fBrWslPkjKxrQmhVGh/XOkhdgXvJ8lG', '2026-02-11 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000003'::uuid, 'ines@teesmith.example', 'Ines Moreau', '$2a$10$2mRxENaXlpRFbnIDl/p9sOiYqcjsLVSGzujqpTw/Ntd5muzLGSWOu', '2026-03-12 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000004'::uuid, 'kofi@teesmith.example', 'Kofi Mensah', '$2a$10$hUlTfKSRfUgYXyY7IUwNz.49ce.CFBSDRtDOpeRdb/YoGk4dBPuYG', '2026-04-13 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000005'::uuid, 'yuki@teesmith.example', 'Yuki Tanaka', '$2a$10$DTVgOBCxnwORAri/0t3alurDYhCAyTBbUVPXO/P7MLtStbsWe6HVi', '2026-05-14 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000006'::uuid, 'marta@teesmith.example', 'Marta Lind', '$2a$10$xhVwEldqLL3juT8rTKBPNuTSzkOdbjRwsEzpBGx57EDr.GSEy270G', '2026-06-15 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000007'::uuid, 'diego@teesmith.example', 'Diego Ruiz', '$2a$10$gZSkgtiSWn0Cw1ZMfGeINuqlxG/4TtJ7iDv9jVHu3bv1AXwqMXPqW', '2026-07-16 09:30:00+00'::timestamptz),
  ('5eed0000-0000-4000-8000-000000000008'::uuid, 'priya@teesmith.example', 'Priya Nair', '$2a$10$gGfMkphTlAlfGsvAYGJaaeuMDibRAFJTNZuZKUmHEdVAiXvLV6Q0W', '2026-08-17 09:30:00+00'::timestamptz)
) as p (id, email, full_name, password, joined_at)
on conflict do nothing;

insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select u.id, u.id::text, u.id, u.raw_user_meta_data, 'email', u.created_at, u.created_at, u.created_at
from auth.users u
where u.id between '5eed0000-0000-4000-8000-000000000001' and '5eed0000-0000-4000-8000-000000000008'
on conflict do nothing;

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
