-- Foreign roles: one that keeps the shop, one that may see a little.
grant all on all tables in schema "Weird Shop", "über.zwei" to "Shop Keeper", service_role;
grant usage on all sequences in schema "Weird Shop" to "Shop Keeper", service_role;
grant select ("Customer ID", "Näme"), update ("Näme") on "Weird Shop"."Customer Records" to visitor;
grant select on "Weird Shop".tags, "Weird Shop".paints to visitor;
alter table "Weird Shop".paints enable row level security;
create policy keepers on "Weird Shop".paints to "Shop Keeper", service_role using (true) with check (id < 100);
create policy visitors on "Weird Shop".paints for select to visitor using ("the colour" > 0);
alter role visitor set statement_timeout = '5s';
alter role visitor set default_transaction_isolation = 'repeatable read';
