-- Every kind of column, relation and function that types are generated for.
create type public.mood as enum ('sad', 'ok');
create type public.pair as (a int, b text);
create table public.books (
  id bigint generated always as identity primary key,
  title text not null,
  m public.mood default 'ok',
  tags text[],
  j jsonb,
  more json not null default '{}'
);
create table public.copies (
  id uuid primary key default gen_random_uuid(),
  book bigint not null references public.books,
  at timestamptz
);
create view public.titles as select id, title, more from public.books;
create function public.found_books(a int, b text default 'x') returns setof public.books language sql stable
  as 'select * from public.books';
create domain public.short as varchar(10);
create table public."we ird" ("a b" int primary key, arr public.mood[], s public.short, gen int generated always as ("we ird"."a b" + 1) stored, ip inet, t time, dd date, iv interval, b bytea, n numeric, d double precision, v2 public.pair, vec public.pair[], m1 text[][], x xml, rng int4range, c char(3), "2x" bool);
create table public.profile (id bigint primary key references public.books, friend bigint references public.books(id));
create table public.two (a int, b int, primary key (a,b));
create table public.twof (a int, b int, foreign key (a,b) references public.two);
create function public.nothing() returns void language sql as '';
create function public.scalar(x int, y text[] default '{}') returns text language sql as 'select ''''';
create function public.outs(x int, out r int, out s text) language sql as 'select 1,''a''';
create function public.tab(x int) returns table (p int, q public.mood) language sql as 'select 1, null::public.mood';
create function public.unnamed_json(json) returns json language sql as 'select null::json';
create function public.unnamed(int) returns int language sql as 'select 1';
create function public.with_trigger() returns trigger language plpgsql as 'begin return new; end';
create function public.one_row() returns public.books language sql as 'select * from public.books limit 1';
create function public.any_record() returns record language sql as 'select 1';
create function public.any_records() returns setof record language sql as 'select 1,2';
create function public.numbers() returns setof int language sql as 'select 1';
create function public.moods(m public.mood, variadic z int[]) returns public.mood[] language sql as 'select null::public.mood[]';
create function public.same_pair(p public.pair) returns public.pair language sql as 'select p';
create function public.copies_of(b public.books) returns setof public.copies language sql as 'select * from public.copies';
create materialized view public.shelf as select id, m from public.books;
create view public.copies_with_titles as
  select c.id as copy, c.book, b.title from public.copies c join public.books b on b.id = c.book;
create view public.books_with_copies as
  select b.id as book, c.id as copy, c.id::text as text, count(*) over () as n, coalesce(b.title, '') as title
  from public.books b left join public.copies c on c.book = b.id;
create view public.long_titles as select id, upper(title) as title from public.books where length(title) > 20;
create view public.of_a_view as select copy, title from public.copies_with_titles;
create table public.parted (a int not null, b text) partition by list (a);
create table public.parted_1 partition of public.parted for values in (1);
create type public.nested as (p public.pair, m public.mood, c text[]);
create schema other;
create type other.size as enum ('small', 'large');
create table other.boxes (id int primary key, s other.size not null, book bigint references public.books);
create table public.users (id uuid primary key references auth.users, size other.size, more varchar(3)[] not null);
create table public.plain_types (
  id smallint, money money, o oid, n name, ch "char", bits bit(3), ts tsvector, p point, mac macaddr, r regclass
);
create schema hidden;
create table hidden.people (id uuid primary key, name text not null);
create view public.people as select id, name, upper(name) as shouted from hidden.people;
create domain public."image/png" as bytea;
create function public.picture() returns public."image/png" language sql as $$select null::public."image/png"$$;
create function public.one_pair() returns setof public.pair rows 1 language sql as 'select null::public.pair';
create function public.one_copy(b public.books) returns setof public.copies rows 1 language sql
  as 'select * from public.copies';
create function public.one_line() returns table (a int) rows 1 language sql as 'select 1';
create function public.me() returns json language sql stable as 'select auth.jwt()::json';
