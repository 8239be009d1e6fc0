"""`python -m deploy move-pictures`: killed and run again, nothing is lost or changed, and readers work throughout."""

from __future__ import annotations

import base64
import hashlib
import random
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest

from tests.shop.integration.deploy.owner import Owner, deploy
from tests.support.stacks import ROOT, Stack
from tests.support.users import Person, Users

Sql = psycopg.Connection[dict[str, Any]]
DESIGNS = 24
_RNG = random.Random(15)
HELD = "select count(*)::int as held from public.designs where user_id = %s and image_data is not null"

HALT = """create function private.halt() returns trigger language plpgsql set search_path = '' as $$ begin
    if (select count(*) from public.designs where user_id = new.user_id and image_data is not null) <= {left} then
        perform pg_catalog.pg_advisory_xact_lock(15);
    end if;
    return new;
end $$"""


class Shelf:
    """One person's designs that hold their pictures, and how everyone with the link reads them."""

    def __init__(self, stack: Stack, sql: Sql, person: Person) -> None:
        self.stack = stack
        self.sql = sql
        self.person = person
        self.sums: dict[str, tuple[str, str]] = {}
        self._http = httpx.Client(
            base_url=stack.api_url, headers={"apikey": stack.publishable_key}, timeout=30
        )

    def fill(self, designs: int) -> None:
        for number in range(designs):
            picture, thumbnail = _RNG.randbytes(60_000), _RNG.randbytes(5_000)
            prefix = "data:image/png;base64," if number % 5 == 0 else ""
            row = self.sql.execute(
                "insert into public.designs (user_id, name, image_data, thumbnail_data) values (%s, %s, %s, %s) "
                "returning id::text",
                [
                    self.person.id,
                    f"Held {number}",
                    prefix + base64.b64encode(picture).decode(),
                    base64.b64encode(thumbnail).decode() if number % 3 else None,
                ],
            ).fetchone()
            assert row
            self.sums[row["id"]] = (_sum(picture), _sum(thumbnail) if number % 3 else "")
            if number % 2:
                self.sql.execute(
                    "insert into public.public_designs (design_id, user_id) values (%s, %s)",
                    [row["id"], self.person.id],
                )

    def held(self) -> int:
        row = self.sql.execute(HELD, [self.person.id]).fetchone()
        assert row
        return int(row["held"])

    @contextmanager
    def halted_at(self, left: int) -> Iterator[None]:
        """A move waits once so many pictures are still in the table, until the block ends."""
        self.sql.execute(HALT.format(left=left))
        self.sql.execute(
            "create trigger halt before update of image_url on public.designs for each row "
            "execute function private.halt()"
        )
        self.sql.execute("select pg_advisory_lock(15)")
        try:
            yield
        finally:
            self.sql.execute("select pg_advisory_unlock(15)")
            self.sql.execute("drop function private.halt() cascade")

    def picture(self, design: str) -> bytes:
        """As the page behind a share link reads it: by the row, and again where it changed meanwhile."""
        for _ in range(2):
            (shared,) = self._http.get(
                "/rest/v1/rpc/get_shared_design", params={"id": design, "select": "image_url"}
            ).json()
            if not shared["image_url"]:
                response = self._http.get("/rest/v1/rpc/design_picture", params={"design": design})
            else:
                key = {"authorization": f"Bearer {self.stack.publishable_key}"}
                signed = self._http.post(
                    f"/storage/v1/object/sign/designs/{shared['image_url']}",
                    json={"expiresIn": 60},
                    headers=key,
                )
                response = self._http.get(f"/storage/v1{signed.json()['signedURL']}")
            if response.status_code == 200:
                break
        assert response.status_code == 200, response.text
        return response.content

    def thumbnail(self, design: str) -> str:
        """The sum of the public one; empty where there is none."""
        response = self._http.get(
            "/rest/v1/rpc/design_thumbnail",
            params={"design": design},
            headers={"accept": "image/*,*/*"},
            follow_redirects=True,
        )
        return _sum(response.content) if response.status_code == 200 else ""

    def check(self) -> None:
        for number, (design, (picture, thumbnail)) in enumerate(self.sums.items()):
            assert _sum(self.picture(design)) == picture
            assert self.thumbnail(design) == (thumbnail if number % 2 else "")


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(scope="module", autouse=True)
def _other_designs_put_aside(stack: Stack) -> Iterator[None]:
    """Designs of the seed and of other tests are not moved: they read it as it is."""
    with psycopg.connect(stack.db_url, autocommit=True) as connection:
        connection.execute(
            "create temporary table held as select id, image_data from public.designs where image_data is not null"
        )
        connection.execute("update public.designs set image_data = null where image_data is not null")
        yield
        connection.execute(
            "update public.designs d set image_data = h.image_data from held h "
            "where d.id = h.id and d.image_url is null"
        )


@pytest.fixture
def shelf(stack: Stack, sql: Sql, users: Users) -> Iterator[Shelf]:
    made = Shelf(stack, sql, users.new("collector"))
    yield made
    sql.execute("delete from public.designs where user_id = %s", [made.person.id])


def begin_move(owner: Owner) -> subprocess.Popen[bytes]:
    return subprocess.Popen(deploy("move-pictures"), cwd=ROOT, env=owner.environ, stdout=subprocess.DEVNULL)


def test_killed_move_is_finished_by_the_next_one_and_readers_see_every_picture(
    owner: Owner, shelf: Shelf, stack: Stack
) -> None:
    shelf.fill(DESIGNS)
    reading, problems = threading.Event(), []

    def read() -> None:
        reader = Shelf(stack, shelf.sql, shelf.person)
        while not reading.wait(0.05):
            for design, (picture, _) in shelf.sums.items():
                if _sum(reader.picture(design)) != picture:
                    problems.append(design)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for left in (DESIGNS - 4, DESIGNS - 11):
            with shelf.halted_at(left), begin_move(owner) as running:
                while shelf.held() > left:
                    assert running.poll() is None
                running.kill()
        assert 0 < shelf.held() < DESIGNS - 10
        response = owner.run("move-pictures")
    finally:
        reading.set()
        thread.join()
    assert (response.code, response.err, problems) == (0, "", [])
    assert response.out.splitlines()[-1].startswith("move-pictures: ")
    assert shelf.held() == 0
    shelf.check()
    # again there is nothing to do
    assert owner.run("move-pictures").out == "move-pictures: 0 designs moved, 0.0 MB\n"
    shelf.check()


def test_move_that_ends_between_object_and_row_is_repeated(owner: Owner, shelf: Shelf) -> None:
    shelf.fill(3)
    shelf.sql.execute(
        "create function private.refuse_move() returns trigger language plpgsql set search_path = '' "
        "as $$ begin raise exception 'no room'; end $$"
    )
    shelf.sql.execute(
        "create trigger refuse_move before update of image_url on public.designs for each row "
        "execute function private.refuse_move()"
    )
    try:
        response = owner.run("move-pictures")
    finally:
        shelf.sql.execute("drop function private.refuse_move() cascade")
    assert response.code == 1
    assert response.err.startswith("error: Supabase refused PATCH /rest/v1/designs")
    assert shelf.held() == 3
    shelf.check()
    assert owner.run("move-pictures").code == 0
    assert shelf.held() == 0
    shelf.check()


def test_two_moves_at_once_share_the_work(owner: Owner, shelf: Shelf) -> None:
    shelf.fill(8)
    both = [begin_move(owner) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]
    assert shelf.held() == 0
    shelf.check()


def test_part_of_the_pictures_is_moved(owner: Owner, shelf: Shelf) -> None:
    shelf.fill(3)
    response = owner.run("move-pictures", "--most", "2")
    assert response.code == 0
    first, last = response.out.splitlines()
    assert (first.partition(",")[0], last.partition(",")[0]) == (
        "move-pictures: 2 of 2",
        "move-pictures: 2 designs moved",
    )
    assert shelf.held() == 1
    shelf.check()


def test_design_that_holds_no_base64_is_named_and_left(owner: Owner, shelf: Shelf) -> None:
    shelf.fill(1)
    row = shelf.sql.execute(
        "insert into public.designs (user_id, name, image_data) values (%s, 'Damaged', '*') returning id::text",
        [shelf.person.id],
    ).fetchone()
    assert row
    response = owner.run("move-pictures")
    assert response.code == 1
    assert f"move-pictures: {row['id']} is left as it is: its picture is no base64\n" in response.out
    assert shelf.held() == 1
    shelf.check()
