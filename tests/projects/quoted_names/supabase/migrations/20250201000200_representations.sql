-- Domains that are shown and read otherwise than they are stored.
create domain "Weird Shop"."Colour" as int check (value between 0 and 16777215);
create function "Weird Shop"."show Colour"("Weird Shop"."Colour") returns json language sql immutable as $$
  select to_json('#' || lpad(upper(to_hex($1)), 6, '0'))
$$;
create function "Weird Shop"."read Colour"(text) returns "Weird Shop"."Colour" language sql immutable as $$
  select (('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::int)::"Weird Shop"."Colour"
$$;
create function "Weird Shop"."take Colour"(json) returns "Weird Shop"."Colour" language sql immutable as $$
  select "Weird Shop"."read Colour"($1 #>> '{}')
$$;
create cast ("Weird Shop"."Colour" as json) with function "Weird Shop"."show Colour"("Weird Shop"."Colour") as implicit;
create cast (text as "Weird Shop"."Colour") with function "Weird Shop"."read Colour"(text) as implicit;
create cast (json as "Weird Shop"."Colour") with function "Weird Shop"."take Colour"(json) as implicit;
-- Shown only, and not by everyone.
create domain "Weird Shop".secret as text;
create function "Weird Shop".veil("Weird Shop".secret) returns json language sql immutable as $$ select to_json('***'::text) $$;
create cast ("Weird Shop".secret as json) with function "Weird Shop".veil("Weird Shop".secret) as implicit;

create table "Weird Shop".paints (
  id int primary key,
  "the colour" "Weird Shop"."Colour" default 255,
  note "Weird Shop".secret,
  parent int references "Weird Shop".paints
);
insert into "Weird Shop".paints values (1, 0, 'dark', null), (2, 256, 'greenish', 1), (3, 16711680, null, 1);
create view "Weird Shop"."Paint View" with (security_invoker = on) as select id, "the colour" from "Weird Shop".paints;
create function "Weird Shop".all_paints() returns setof "Weird Shop".paints language sql stable as $$
  select * from "Weird Shop".paints
$$;
