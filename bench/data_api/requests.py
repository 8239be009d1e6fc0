"""The ground of the Data API's benchmark: a schema with rows, and kinds of requests."""

from __future__ import annotations

from dataclasses import dataclass

from bench.load import HttpRequest

ROWS = 100_000
SCHEMA = """
create table cities (id int primary key, name text not null);
create table makers (id int primary key, name text not null, city_id int not null references cities);
create index on makers (city_id);
create table pictures (
  id int primary key, maker_id int not null references makers, title text not null, note text, likes int not null,
  is_public boolean not null, created_at timestamptz not null);
create index on pictures (created_at desc) where is_public;
create index on pictures (maker_id, likes);
alter table pictures enable row level security;
create policy "public pictures" on pictures for select using (is_public);
create table marks (id bigint generated always as identity primary key, body text not null, at timestamptz);
create table notes (id int primary key, body text not null, stars int);
create function add(a int, b int) returns int language sql immutable as 'select a + b';
insert into cities select i, 'City ' || i from generate_series(1, 50) i;
insert into makers select i, 'Maker ' || i, 1 + i % 50 from generate_series(1, 1000) i;
insert into pictures select i, 1 + i % 1000, 'Picture ' || i, repeat('word ', 10), (i * 7919) % 500, i % 10 <> 0,
  '2026-01-01'::timestamptz + i * interval '1 minute' from generate_series(1, ROWS) i;
insert into notes select i, 'Note ' || i, i % 5 from generate_series(1, ROWS) i;
analyze;
"""


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of request: its title, and its requests, in which `{}` is a number up to `most`."""

    name: str
    path: str
    most: int = 1
    method: str = "GET"
    body: str = ""
    prefer: str = ""

    def requests_for(self, key: str) -> list[HttpRequest]:
        """Requests for a spread of numbers, so that no server can cache one response."""
        headers = {"apikey": key, "Authorization": f"Bearer {key}", "Accept": "application/json"}
        headers |= {"Content-Type": "application/json"} if self.body else {}
        headers |= {"Prefer": self.prefer} if self.prefer else {}
        spread = [1 + i * 7919 % self.most for i in range(min(self.most, 20_000))]
        return [
            HttpRequest(
                f"/rest/v1{self.path.replace('{}', str(i))}",
                self.method,
                self.body.replace("{}", str(i)),
                headers,
            )
            for i in spread
        ]


_CARD = "id,title,likes,created_at"
WORKS = (
    Work("gallery page", f"/pictures?select={_CARD}&is_public=is.true&order=created_at.desc&limit=24"),
    Work("single row", "/pictures?select=*&id=eq.{}", most=ROWS),
    Work(
        "filtered, counted",
        "/pictures?select=id,title&maker_id=eq.{}&likes=gte.100&order=likes.desc&limit=20",
        1000,
        prefer="count=exact",
    ),
    Work(
        "embedded, two levels",
        f"/pictures?select={_CARD},makers(name,cities(name))&is_public=is.true&order=created_at.desc&limit=24",
    ),
    Work("two operands", "/pictures?select=id,title&maker_id=eq.{}&likes=eq.{}&limit=5", 1000),
    Work("gt, ordered", "/pictures?select=id,title&id=gt.{}&order=id.asc&limit=10", most=ROWS),
    Work("in list", "/pictures?select=id,title&id=in.({},{}1,1{})", most=9_999),
    Work("ilike", "/cities?select=id,name&name=ilike.*{}*", most=ROWS),
    Work(
        "nested, filtered",
        "/makers?select=name,cities(name),pictures(id,title)&id=eq.{}&pictures.id=gt.{}&pictures.limit=5",
        1000,
    ),
    Work("rpc", "/rpc/add", ROWS, "POST", '{"a":{},"b":2}'),
    Work("insert", "/marks", ROWS, "POST", '{"body":"note {}"}', "return=minimal"),
    Work("patch", "/notes?id=eq.{}", ROWS, "PATCH", '{"body":"note {}","stars":3}', "return=minimal"),
    Work(
        "upsert",
        *("/notes", ROWS, "POST", '{"id":{},"body":"note {}","stars":4}'),
        "resolution=merge-duplicates,return=minimal",
    ),
)
