-- The policies, seen by four users: owner, admin and member of one organisation, and a stranger with one of his own.
begin;
create extension if not exists pgtap with schema extensions;
select plan(14);

create function pg_temp.become(number int) returns void language plpgsql as $$
begin
  perform set_config('role', 'authenticated', true);
  perform set_config(
    'request.jwt.claims',
    json_build_object('sub', '00000000-0000-0000-0000-00000000000' || number, 'role', 'authenticated')::text,
    true
  );
end $$;
create function pg_temp.organisation(named text) returns uuid language sql security definer
as 'select id from public.organisations where name = named';

insert into auth.users (id, email)
select ('00000000-0000-0000-0000-00000000000' || number)::uuid, email
from (values (1, 'owner@example.com'), (2, 'admin@example.com'), (3, 'member@example.com'), (4, 'stranger@example.com'))
as users (number, email);

select pg_temp.become(4);
select lives_ok($$select public.create_organisation('Globex of the test')$$, 'Everyone may make an organisation');
select pg_temp.become(1);
select lives_ok($$select public.create_organisation('Acme of the test')$$, 'Also a second user');
select results_eq('select name from public.organisations', array['Acme of the test'], 'and sees that one alone');
select lives_ok(
  $$select public.add_member(pg_temp.organisation('Acme of the test'), 'Admin@example.com', 'admin')$$, 'The owner adds an admin');

select pg_temp.become(2);
select lives_ok(
  $$select public.add_member(pg_temp.organisation('Acme of the test'), 'member@example.com')$$, 'The admin adds a member');
select throws_ok(
  $$select public.add_member(pg_temp.organisation('Acme of the test'), 'member@example.com', 'owner')$$, '42501',
  'Only admins add members, and none as owner', 'but none as owner');
select is_empty(
  $$delete from public.members where role = 'owner' returning *$$, 'and cannot remove the owner');

select pg_temp.become(3);
select lives_ok(
  $$insert into public.projects (organisation_id, name) values (pg_temp.organisation('Acme of the test'), 'Rocket')$$,
  'A member adds a project');
select is_empty('delete from public.projects returning *', 'and cannot delete it');
select throws_ok(
  $$select public.add_member(pg_temp.organisation('Acme of the test'), 'stranger@example.com')$$, '42501', null,
  'A member adds no members');

select pg_temp.become(4);
select is_empty('select * from public.projects', 'A stranger sees no project');
select results_eq('select name from public.organisations', array['Globex of the test'], 'and no organisation but his own');
select throws_ok(
  $$insert into public.projects (organisation_id, name) values (pg_temp.organisation('Acme of the test'), 'Trojan')$$, '42501',
  null, 'and adds none to that of others');

select set_config('role', 'anon', true);
select throws_ok('select * from public.organisations', '42501', null, 'Without an account nothing is seen');

select * from finish();
rollback;
