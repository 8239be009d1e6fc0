"""`python -m deploy backup` and `restore`: a busy shop into another project, and what is refused."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import stat
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from storage3.types import FileOptions

from deploy.backup.manifest import check_files, read_manifest
from deploy.errors import CommandError
from tests.shop.integration.deploy.owner import CommandOutput, Owner, deploy, owner_of
from tests.shop.integration.deploy.pooler import pooled
from tests.support.shops import RunningShop
from tests.support.stacks import ROOT, Stack
from tests.support.users import PASSWORD, Person

_OBJECTS = 60
_AT_ONCE = "objects, "


# What does not go on by itself, in the restored shop and in the one that it came from.
_EQUAL = (
    "select id, user_id, total_cents, shipping_address, cart_key, payment_intent_id, paid_at, refunded_cents, "
    "refund_id, refund_reason, created_at from public.orders where id = any (%s) order by id",
    "select to_jsonb(i) as item from public.order_items i where order_id = any (%s) order by id",
    "select to_jsonb(e) as event from public.order_events e where order_id = any (%s) and created_at < %s order by id",
    "select kind, created_at from public.order_messages where order_id = any (%s) and created_at < %s order by id",
    "select to_jsonb(d) as d from public.designs d where id in (select design_id from public.order_items) order by id",
    "select id, encrypted_password, raw_user_meta_data from auth.users where email like 'backup-%%' and "
    "email not like '%%writer%%' order by id",
    "select name, owner_id, user_metadata, created_at, metadata ->> 'cacheControl' as cache from storage.objects "
    "where bucket_id = 'print-files' order by name",
    "select o.name, o.owner, o.owner_id, o.created_at from storage.objects o "
    "join auth.users u on u.id::text = o.owner_id "
    "where o.bucket_id = 'designs' and u.email like 'backup-collector%%' order by o.name",
    "select p.* from private.profiles p join auth.users u using (id) where u.email like 'backup-%%' order by id",
)


@dataclass(frozen=True)
class Made:
    """A backup that was killed, and finished while people went on; and the orders of before."""

    folder: Path
    first: list[str]
    report: CommandOutput
    during: int
    paid: str
    shipped: str
    refunded: str
    rows: dict[str, list[Any]]
    shop: RunningShop


class Writer:
    """A person who saves designs with pictures and removes some again, until stopped."""

    def __init__(self, shop: RunningShop, person: Person) -> None:
        self._pictures = shop.pictures
        self._person = person
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.problems: list[BaseException] = []
        self.saved = 0

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        assert self.problems == []

    def _write(self) -> None:
        try:
            while not self._stop.is_set():
                if self.saved % 2:
                    self._person.client.table("designs").delete().eq("user_id", self._person.id).execute()
                design = self._pictures.save(self._person)
                self._pictures.publish(design)
                self.saved += 1
        except BaseException as error:  # noqa: BLE001 - shown by the test that waits for the thread
            self.problems.append(error)


def run_killed(owner: Owner, *arguments: str, after: str) -> list[str]:
    """Runs the command and kills it once a line has `after` in it; its lines until then."""
    process = subprocess.Popen(
        deploy(*arguments), cwd=ROOT, env=owner.environ, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if after in line:
            process.send_signal(signal.SIGKILL)
            break
    process.stdout.close()
    assert process.wait(timeout=60) == -signal.SIGKILL
    return lines


def _upload_by_form(stack: Stack, name: str) -> None:
    """Return what a shopper may say of a picture.

    Bytes beyond ASCII in its headers, more metadata than a header holds.
    """
    response = httpx.post(
        f"{stack.api_url}/storage/v1/object/print-files/{name}",
        headers={"authorization": f"Bearer {stack.secret_key}", "apikey": stack.secret_key},
        data={"cacheControl": "60", "metadata": json.dumps({"note": "x" * 200_000})},
        files={"": ("odd.png", os.urandom(2000), "image/png; note=é ")},
    )
    assert response.status_code == 200, response.text
    response = httpx.post(
        f"{stack.api_url}/storage/v1/object/print-files/{name}.png",
        headers={
            b"authorization": f"Bearer {stack.secret_key}".encode(),
            b"apikey": stack.secret_key.encode(),
            b"content-type": b"image/png",
            b"cache-control": b"max-age=\xe9",
        },
        content=os.urandom(2000),
    )
    assert response.status_code == 200, response.text


@pytest.fixture(scope="module")
def made(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Made:
    shop = RunningShop(stack)
    shopper = shop.shopper("backup-buyer")
    functions = shop.functions
    paid, shipped, refunded = (shop.pay(shopper, f"{number} Backup Road") for number in (1, 2, 3))
    functions.sql(
        "select public.record_progress(%s, 'shipped', 'USPS', '94001', 'https://usps.example/1')", shipped
    )
    printing = {"orderId": paid, "shippingAddress": {}, "lineItems": []}
    functions.body_of("create-printify-order", printing, shopper.token)
    admin = shop.users.new("backup-admin", admin=True)
    functions.body_of("refund-order", {"order_id": refunded, "reason": "A gift"}, admin.token)
    collector = shop.users.new("backup-collector")
    public = shop.pictures.publish(shop.pictures.save(collector))
    likes = functions.sql("select design_id::text from public.public_designs where id = %s", public)
    admin.client.table("design_likes").insert(
        {"design_id": likes[0]["design_id"], "user_id": admin.id}
    ).execute()
    service = shop.users.service.storage.from_("print-files")
    for number in range(_OBJECTS):
        options: FileOptions = {
            "content-type": "image/png",
            "cache-control": "60",
            "metadata": {"number": number},
        }
        service.upload(f"backup/{number} a+b & (c)?=.png", os.urandom(2000), options)
    _upload_by_form(stack, "backup/odd.png")
    owner, folder = owner_of(stack), tmp_path_factory.mktemp("backups") / "monday"
    first = run_killed(owner, "backup", str(folder), after=_AT_ONCE)
    assert not folder.exists()
    with Writer(shop, shop.users.new("backup-writer")) as writer:
        while not writer.saved:
            time.sleep(0.01)
        before = writer.saved
        report = owner.run("backup", str(folder))
        during = writer.saved - before
    return Made(folder, first, report, during, paid, shipped, refunded, shop.rows(), shop)


def test_killed_backup_goes_on_where_it_was_and_people_go_on_meanwhile(made: Made) -> None:
    assert any(_AT_ONCE in line for line in made.first)
    assert (made.report.code, made.report.err) == (0, "")
    manifest = json.loads((made.folder / "manifest.json").read_text())
    assert made.report.out.splitlines()[-1].startswith(f"backup: {made.folder} is complete: ")
    fetched = int(made.report.out.rpartition(" fetched")[0].rpartition(" ")[2])
    # one page of forty had come; the sweep may have written a thumbnail of it anew
    assert 0 < fetched <= manifest["object_count"] - 30
    assert made.during > 0
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "emulators.tar.gz", "manifest.json", "objects", "objects.jsonl", "rows",
    ]  # fmt: skip
    assert stat.S_IMODE(made.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.folder.rglob("*") if path.is_file()} == {0o600}


def test_backup_names_every_picture_that_its_designs_have(made: Made) -> None:
    lines = [json.loads(line) for line in (made.folder / "objects.jsonl").read_text().splitlines()]
    stored = {f"{line['bucket']}/{line['name']}" for line in lines}
    manifest = json.loads((made.folder / "manifest.json").read_text())
    (designs,) = (table for table in manifest["tables"] if table["name"] == "designs")
    place = designs["columns"].index("image_url")
    with gzip.open(made.folder / designs["file"]["path"], "rt", encoding="utf-8") as rows:
        named = {f"designs/{line.rstrip(chr(10)).split(chr(9))[place]}" for line in rows}
    assert len(named) > 1
    assert named - {"designs/\\N"} <= stored | set(manifest["missing"])


def test_backup_holds_no_sessions_and_shows_no_secrets(made: Made) -> None:
    manifest = json.loads((made.folder / "manifest.json").read_text())
    names = {f"{table['schema']}.{table['name']}" for table in manifest["tables"]}
    assert {"auth.users", "auth.identities", "public.orders", "private.profiles"} <= names
    assert names.isdisjoint(
        {"auth.sessions", "auth.refresh_tokens", "auth.one_time_tokens", "auth.flow_state"}
    )
    environ = owner_of(made.shop.stack).environ
    secrets = [environ["SUPABASE_SECRET_KEY"], environ["SUPABASE_DB_URL"]]
    printed = made.report.out + (made.folder / "manifest.json").read_text()
    assert [secret for secret in secrets if secret in printed] == []


def test_later_backup_links_what_has_not_changed(made: Made, tmp_path: Path) -> None:
    owner = owner_of(made.shop.stack)
    response = owner.run("backup", str(tmp_path / "tuesday"), "--since", str(made.folder))
    assert (response.code, response.err) == (0, "")
    manifest = json.loads((tmp_path / "tuesday" / "manifest.json").read_text())
    assert (
        int(response.out.rpartition(" fetched")[0].rpartition(" ")[2]) <= manifest["object_count"] - _OBJECTS
    )
    check = owner.run("restore", str(tmp_path / "tuesday"), "--check")
    assert (check.code, check.err) == (0, "")
    again = owner.run("backup", str(tmp_path / "tuesday"))
    assert (again.code, again.err) == (1, f"error: {tmp_path / 'tuesday'} exists; name a new folder.\n")


def test_later_backup_takes_nothing_from_outside_of_the_earlier_one(made: Made, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier"
    shutil.copytree(made.folder, earlier)
    lines = [json.loads(line) for line in (earlier / "objects.jsonl").read_text().splitlines()]
    for line in lines:
        (tmp_path / line["id"]).write_bytes(b"x" * line["file"]["bytes"])
        line["file"]["path"] = f"../{line['id']}"
    (earlier / "objects.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    owner = owner_of(made.shop.stack)
    response = owner.run("backup", str(tmp_path / "later"), "--since", str(earlier))
    assert (response.code, response.err) == (0, "")
    manifest = json.loads((tmp_path / "later" / "manifest.json").read_text())
    assert f"({manifest['object_bytes'] / 1e6:.1f} MB, {manifest['object_count']} fetched)" in response.out
    check = owner.run("restore", str(tmp_path / "later"), "--check")
    assert (check.code, check.err) == (0, "")


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


def test_incomplete_or_altered_backup_is_refused(made: Made, tmp_path: Path) -> None:
    whole, folder = json.loads((made.folder / "manifest.json").read_text()), tmp_path / "harmed"
    picture = json.loads((made.folder / "objects.jsonl").read_text().splitlines()[0])["file"]["path"]
    rows = "rows/public.orders.copy.gz"
    shutil.copytree(made.folder, folder)
    for path, harm, says in (
        (rows, flip, f"{folder} cannot be restored: {rows} was altered."),
        (picture, flip, f"{folder} cannot be restored: {picture} was altered."),
        (picture, lambda file: file.write_bytes(b"x"), f"{folder} cannot be restored: {picture} has 1 bytes, not "),
        ("objects.jsonl", flip, f"{folder} cannot be restored: objects.jsonl was altered."),
        ("emulators.tar.gz", Path.unlink, f"{folder} cannot be restored: emulators.tar.gz is missing."),
        ("manifest.json", Path.unlink, f"{folder} is no complete backup: it has no manifest.json."),
        ("manifest.json", lambda file: file.write_text(json.dumps({**whole, "made_at": "2020"})),
         f"{folder / 'manifest.json'} was altered."),
    ):  # fmt: skip
        harm(folder / path)
        with pytest.raises(CommandError) as refused:
            check_files(folder, read_manifest(folder))
        assert str(refused.value).startswith(says)
        shutil.copyfile(made.folder / path, folder / path)


def test_altered_backup_changes_nothing(made: Made, tmp_path: Path) -> None:
    shutil.copytree(made.folder, tmp_path / "harmed")
    flip(tmp_path / "harmed" / "rows" / "auth.users.copy.gz")
    before = made.shop.rows()
    response = owner_of(made.shop.stack).run("restore", str(tmp_path / "harmed"), "--replace")
    assert (response.code, response.out) == (1, "")
    assert (
        response.err
        == f"error: {tmp_path / 'harmed'} cannot be restored: rows/auth.users.copy.gz was altered.\n"
    )
    assert made.shop.rows() == before


def test_restore_into_a_shop_with_people_needs_a_word(made: Made) -> None:
    before = made.shop.rows()
    response = owner_of(made.shop.stack).run("restore", str(made.folder))
    assert response.code == 1
    assert response.err.startswith("error: This shop is not empty: ")
    assert response.err.endswith("`--replace` puts the backup in their place; they are lost then.\n")
    assert made.shop.rows() == before


def test_killed_restore_changes_no_rows_and_the_next_one_brings_everything(
    made: Made, spare: RunningShop
) -> None:
    owner = owner_of(spare.stack)
    run_killed(owner, "restore", str(made.folder), after=_AT_ONCE)
    assert spare.rows()["public.order_items"] == []
    response = owner.run("restore", str(made.folder))
    assert (response.code, response.err) == (0, ""), response.out
    assert "restore: every table is as in the backup\n" in response.out
    assert response.out.endswith(" s. Everyone signs in again.\n")

    made_at = json.loads((made.folder / "manifest.json").read_text())["made_at"]
    ids, functions, source = [made.paid, made.shipped, made.refunded], spare.functions, made.shop.functions
    for statement in _EQUAL:
        values = [value for value in (ids, made_at) if "%s" in statement][: statement.count("%s")]
        rows = functions.sql(statement, *values)
        assert rows
        assert rows == source.sql(statement, *values)
    lines = [json.loads(line) for line in (made.folder / "objects.jsonl").read_text().splitlines()]
    assert spare.objects() == {
        f"{line['bucket']}/{line['name']}": (line["file"]["sha256"], line["content_type"]) for line in lines
    }
    assert functions.sql("select w.* from private.total_checks c, private.wrong_totals(c.kind) w") == []
    buyer = spare.functions.sql(
        "select u.email from auth.users u join public.orders o on o.user_id = u.id where o.id = %s", made.paid
    )[0]["email"]
    person = spare.users.sign_in(buyer, PASSWORD)
    orders: Any = person.client.table("orders").select("id").execute().data
    assert sorted(row["id"] for row in orders) == sorted(ids)


def test_odd_words_of_shoppers_about_their_pictures_come_back(made: Made, spare: RunningShop) -> None:
    words = (
        "select rtrim(metadata ->> 'mimetype') as type, metadata ->> 'cacheControl' as cache, "
        "length(user_metadata ->> 'note') as note from storage.objects "
        "where position('backup/odd' in name) = 1 order by name"
    )
    rows = spare.functions.sql(words)
    assert [(row["cache"], row["note"]) for row in rows] == [("max-age=60", 200_000), ("max-age=é", None)]
    assert rows == made.shop.functions.sql(words)


def test_order_of_before_is_shipped_by_the_printer_after_the_restore(made: Made, spare: RunningShop) -> None:
    shipped = spare.functions.until(
        "select tracking_number from public.orders where id = %s and status in ('shipped', 'delivered')",
        made.paid,
    )
    (print_order,) = spare.print_orders(made.paid)
    assert shipped["tracking_number"] == print_order["shipments"][0]["number"]
    heard = spare.functions.until(
        "select type from public.vendor_events where vendor = 'printify' and order_id = %s", made.paid
    )
    assert heard["type"].startswith("order:")


def test_restore_in_place_of_a_shop_loses_what_came_later(made: Made, spare: RunningShop) -> None:
    late = spare.users.new("late")
    spare.pictures.save(late)
    before = len(spare.objects())
    response = owner_of(spare.stack).run("restore", str(made.folder), "--replace")
    assert (response.code, response.err) == (0, ""), response.out
    assert "restore: in place of: " in response.out
    assert "restore: removed 2 objects that the backup lacks" in response.out
    assert len(spare.objects()) == before - 2
    assert spare.functions.sql("select id from auth.users where email = %s", late.email) == []
    assert spare.functions.sql("select 1 from auth.sessions") == []


def test_restore_into_a_project_with_other_migrations_is_refused(made: Made, spare: RunningShop) -> None:
    functions = spare.functions
    functions.sql(
        "insert into supabase_migrations.schema_migrations (version, name) values ('20990101000000', 'x')"
    )
    newer = owner_of(spare.stack).run("restore", str(made.folder), "--replace")
    functions.sql("delete from supabase_migrations.schema_migrations where version = '20990101000000'")
    assert (newer.code, newer.err) == (1, (
        "error: This project has migrations that the backup does not know: 20990101000000. "
        "Restore into a project with the backup's migrations, and apply these afterwards.\n"
    ))  # fmt: skip


def test_commands_that_need_the_database_work_through_a_transaction_pooler(
    spare: RunningShop, tmp_path: Path
) -> None:
    backup = str(tmp_path / "monday")
    with pooled(spare.stack, tmp_path) as owner:
        for arguments in (
            ("backup", backup),
            ("restore", backup, "--replace"),
            ("restore", backup, "--replace"),
            ("backup", str(tmp_path / "tuesday"), "--since", backup),
            ("production-check", "http://127.0.0.1", "--only", "tables"),
        ):
            response = owner.run(*arguments)
            assert (response.code, response.err) == (0, ""), arguments
