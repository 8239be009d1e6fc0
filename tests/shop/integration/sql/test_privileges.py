"""Privileges on every table: visitor, stranger, owner, admin and service; select, insert, update and delete.

Each cell is how many of the owner's rows the persona's statement touches, or `-` where the database refuses it.
Rows that a policy hides are not an error: they are not there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

Db = Any
PERSONAS = ("anon", "stranger", "owner", "admin", "service")
EMPTY_SCENE = '{"version": 1, "front": [], "back": []}'
VERBS = ("select", "insert", "update", "delete")


@dataclass(frozen=True)
class Things:
    """Ids of the owner's rows, and of the owner."""

    owner: str
    design: str
    published: str
    order: str


# table → what the statements are about
UPDATE = {
    "profiles": "name = 'Eve'",
    "user_sessions": "user_agent = 'Eve'",
    "product_variants": "name = 'Eve - S'",
    "designs": "name = 'Eve'",
    "design_uploads": "created_at = now()",
    "design_jobs": "state = 'running'",
    "design_drafts": "revision = 9",
    "design_versions": "number = 9",
    "design_artwork": "review = 'passed'",
    "design_ideas": "seed = 9",
    "public_designs": "created_at = now()",
    "design_likes": "created_at = now()",
    "user_addresses": "city = 'Eveville'",
    "orders": "carrier = 'Eve'",
    "order_items": "quantity = 1",
    "order_events": "kind = 'eve'",
    "order_flags": "resolved_at = now()",
    "order_jobs": "due_at = now()",
    "order_messages": "due_at = now()",
    "vendor_events": "type = 'eve'",
}
WHERE: dict[str, Callable[[Things], str]] = {
    "profiles": lambda t: f"id = '{t.owner}'",
    "user_sessions": lambda t: f"user_id = '{t.owner}'",
    "product_variants": lambda _: "name = 'Black - XL'",
    "designs": lambda t: f"id = '{t.design}'",
    "design_uploads": lambda t: f"user_id = '{t.owner}'",
    "design_jobs": lambda t: f"user_id = '{t.owner}'",
    "design_drafts": lambda t: f"design_id = '{t.design}'",
    "design_versions": lambda t: f"design_id = '{t.design}'",
    "design_artwork": lambda t: f"user_id = '{t.owner}'",
    "design_ideas": lambda t: f"design_id = '{t.design}'",
    "public_designs": lambda t: f"design_id = '{t.published}'",
    "design_likes": lambda t: f"design_id = '{t.published}'",
    "user_addresses": lambda t: f"user_id = '{t.owner}'",
    "orders": lambda t: f"id = '{t.order}'",
    **dict.fromkeys(
        ("order_items", "order_events", "order_flags", "order_jobs", "order_messages", "vendor_events"),
        lambda t: f"order_id = '{t.order}'",
    ),
}
# always in the owner's name
INSERT: dict[str, Callable[[Things], str]] = {
    "profiles": lambda t: f"(id) values ('{t.owner}')",
    "user_sessions": lambda t: f"(user_id) values ('{t.owner}')",
    "product_variants": lambda _: "(name, printify_variant_id) values ('Eve - S', 1)",
    "designs": lambda t: f"(user_id, name) values ('{t.owner}', 'Eve')",
    "design_uploads": lambda t: f"(user_id) values ('{t.owner}')",
    "design_jobs": lambda t: (
        "(id, user_id, kind, request, seed, leased_until) "
        f"values (gen_random_uuid(), '{t.owner}', 'text_picture', '{{}}', 1, now())"
    ),
    "design_drafts": lambda t: f"(design_id, scene) values ('{t.design}', '{EMPTY_SCENE}')",
    "design_versions": lambda t: (
        f"(design_id, number, scene, printify_product_id) values ('{t.design}', 1, '{EMPTY_SCENE}', 'product')"
    ),
    "design_artwork": lambda t: (
        f"(user_id, name, media_type, width, height, bytes) values ('{t.owner}', 'Logo', 'image/png', 1, 1, 1)"
    ),
    "design_ideas": lambda t: (
        f"(design_id, kind, request, seed) values ('{t.design}', 'text_picture', '{{}}', 1)"
    ),
    "public_designs": lambda t: f"(design_id, user_id) values ('{t.design}', '{t.owner}')",
    "design_likes": lambda t: f"(design_id, user_id) values ('{t.published}', '{t.owner}')",
    "user_addresses": lambda t: (
        "(user_id, first_name, last_name, email, phone_country_code, phone, country, address1, city, zip) "
        f"values ('{t.owner}', 'Eve', 'X', 'e@x.y', '+1', '5', 'US', '1 Main', 'LA', '90210')"
    ),
    "orders": lambda t: f"(user_id, subtotal_cents) values ('{t.owner}', 1)",
    "order_items": lambda t: f"(order_id, quantity) values ('{t.order}', 1)",
    "order_events": lambda t: f"(order_id, kind) values ('{t.order}', 'eve')",
    "order_flags": lambda t: f"(order_id, reason) values ('{t.order}', 'eve')",
    "order_jobs": lambda t: f"(order_id, kind) values ('{t.order}', 'refund')",
    "order_messages": lambda t: f"(order_id, channel, kind) values ('{t.order}', 'mail', 'eve')",
    "vendor_events": lambda _: "(vendor, id, type) values ('stripe', 'evt_eve', 'x')",
}

# table → verb → anon, stranger, owner, admin, service; `.` is not tried: the statement would break another rule first
EXPECTED = {
    "profiles": {
        "select": "1 1 1 1 1", "insert": "- - - - -", "update": "- 0 1 - 1", "delete": "- - - - -",
    },
    "user_sessions": {
        "select": "- - - - 1", "insert": "- - 1 - 1", "update": "- - - - 1", "delete": "- - - - 1",
    },
    "product_variants": {
        "select": "1 1 1 1 1", "insert": "- - - - 1", "update": "- - - - 1", "delete": "- - - - 1",
    },
    "designs": {
        "select": "0 0 1 1 1", "insert": "- - 1 - 1", "update": "- 0 1 0 1", "delete": "- 0 1 0 1",
    },
    "design_uploads": {
        "select": "- 0 1 0 1", "insert": "- - 1 - 1", "update": "- - - - -", "delete": "- - - - -",
    },
    "design_jobs": {
        "select": "- 0 1 0 -", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "design_drafts": {
        "select": "- 0 1 0 1", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "design_versions": {
        "select": "- 0 1 1 1", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "design_artwork": {
        "select": "- 0 1 0 1", "insert": "- - - - 1", "update": "- - - - -", "delete": "- - - - -",
    },
    "design_ideas": {
        "select": "- 0 1 0 -", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "public_designs": {
        "select": "1 1 1 1 1", "insert": "- - 1 - 1", "update": "- - - - 1", "delete": "- 0 1 0 1",
    },
    "design_likes": {
        "select": "1 1 1 1 1", "insert": "- - . - .", "update": "- - - - 1", "delete": "- 0 1 0 1",
    },
    "user_addresses": {
        "select": "- 0 1 0 1", "insert": "- - 1 - 1", "update": "- - - - 1", "delete": "- - - - 1",
    },
    "orders": {
        "select": "- 0 1 1 1", "insert": "- - - - .", "update": "- 0 0 1 1", "delete": "- - - - 1",
    },
    "order_items": {
        "select": "- 0 1 1 1", "insert": "- - - - .", "update": "- - - - 1", "delete": "- - - - 1",
    },
    "order_events": {
        "select": "- 0 0 + +", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "order_flags": {
        "select": "- 0 0 1 1", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "order_jobs": {
        "select": "- - - - +", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "order_messages": {
        "select": "- - - - +", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
    "vendor_events": {
        "select": "- - - - 1", "insert": "- - - - -", "update": "- - - - -", "delete": "- - - - -",
    },
}  # fmt: skip


@pytest.fixture
def things(db: Db) -> Things:
    """One of everything, all of it the owner's."""
    owner = db.ids["owner"]
    design, published = db.design(), db.design(public=True, name="Shown")
    db.as_("owner", "insert into public.design_likes (design_id, user_id) values (%s, %s)", published, owner)
    db.as_("owner", "insert into public.user_sessions (user_id) values (%s)", owner)
    db.as_("owner", "insert into public.design_uploads (user_id) values (%s)", owner)
    db.run(f"insert into public.design_jobs {INSERT['design_jobs'](Things(owner, '', '', ''))}")
    of_design = Things(owner, design, "", "")
    for table in ("design_drafts", "design_versions", "design_artwork", "design_ideas"):
        db.run(f"insert into public.{table} {INSERT[table](of_design)}")
    db.run(f"insert into public.user_addresses {INSERT['user_addresses'](Things(owner, '', '', ''))}")
    order = db.order(status="paid")
    db.run("select public.flag_order(%s, 'disputed', 'dp_1')", order)
    db.run("select public.note_vendor_event('stripe', 'evt_1', 'charge.dispute.created', %s)", order)
    return Things(owner, design, published, order)


def outcome(db: Db, persona: str, statement: str) -> str:
    try:
        return str(db.touched(persona, statement))
    except psycopg.errors.InsufficientPrivilege:
        return "-"
    except psycopg.errors.FeatureNotSupported:  # a view that cannot be written that way
        return "-"


def statement(table: str, verb: str, things: Things) -> str:
    where = WHERE[table](things)
    return {
        "select": f"select 1 from public.{table} where {where}",
        "insert": f"insert into public.{table} {INSERT[table](things)}",
        "update": f"update public.{table} set {UPDATE[table]} where {where}",
        "delete": f"delete from public.{table} where {where}",
    }[verb]


@pytest.mark.parametrize("table", EXPECTED)
@pytest.mark.parametrize("verb", VERBS)
def test_every_persona_has_exactly_these_privileges(db: Db, things: Things, table: str, verb: str) -> None:
    expected = dict(zip(PERSONAS, EXPECTED[table][verb].split(), strict=True))
    privileges = {}
    for persona in PERSONAS:
        if expected[persona] == ".":
            privileges[persona] = "."
            continue
        savepoint = f"before_{persona}"
        db.run(f"savepoint {savepoint}")
        result = outcome(db, persona, statement(table, verb, things))
        db.run(f"rollback to savepoint {savepoint}")
        privileges[persona] = "+" if expected[persona] == "+" and result not in ("0", "-") else result
    assert privileges == expected


def test_every_table_of_the_api_is_in_the_matrix(db: Db) -> None:
    listed = db.run(
        "select relname as name from pg_class "
        "where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')"
    )
    assert {row["name"] for row in listed} == set(EXPECTED) == set(UPDATE) == set(WHERE) == set(INSERT)


PUBLISH = "insert into public_designs (design_id, user_id) values "
PRIVATE = "and id not in (select design_id from public_designs)"
LIKE = "insert into design_likes (design_id, user_id) values "
# The shop's most important rules, one by one.
FORBIDDEN = {
    "making oneself an admin": ("owner", "update profiles set is_admin = true where id = '{t.owner}'"),
    "making another an admin": ("stranger", "update profiles set is_admin = true where id = '{t.owner}'"),
    "lowering one's order's total": ("owner", "update orders set total_cents = 1 where id = '{t.order}'"),
    "lowering its subtotal": ("owner", "update orders set subtotal_cents = 1 where id = '{t.order}'"),
    "calling one's order shipped": ("owner", "update orders set status = 'shipped' where id = '{t.order}'"),
    "an admin cancelling by hand": ("admin", "update orders set status = 'cancelled' where id = '{t.order}'"),
    "refunding oneself": ("owner", "update orders set refunded_cents = 1 where id = '{t.order}'"),
    "an admin inventing a refund": ("admin", "update orders set refunded_cents = 1 where id = '{t.order}'"),
    "reading another's address": ("stranger", "select 1 from user_addresses where user_id = '{t.owner}'"),
    "an admin reading an address book": ("admin", "select 1 from user_addresses where user_id = '{t.owner}'"),
    "saving a design as another": ("stranger", "insert into designs (user_id, name) values ('{t.owner}', 'x')"),
    "publishing another's design": ("stranger", PUBLISH + "('{t.design}', auth.uid())"),
    "liking as somebody else": ("stranger", LIKE + "('{t.published}', '{t.owner}')"),
    "liking a private design": ("stranger", LIKE + "('{t.design}', auth.uid())"),
    "listing another's designs": ("stranger", "select 1 from designs where user_id = '{t.owner}' " + PRIVATE),
    "listing them as a visitor": ("anon", "select 1 from designs where id = '{t.design}'"),
    "settling one's own order": ("owner", "select settle_order('{t.order}', 'pi', 4570, 'usd')"),
    "cancelling past the printer": ("owner", "select cancel_order('{t.order}', true)"),
    "noting a refund": ("admin", "select record_money('{t.order}', 0, 're', 4570)"),
    "taking the outbox": ("stranger", "select * from claim_message(60)"),
    "silencing an event": ("owner", "select note_vendor_event('stripe', 'evt', 'x', null)"),
    "reading a job's steps": ("owner", "select steps from design_jobs where user_id = '{t.owner}'"),
    "reading why a job failed": ("owner", "select problem from design_jobs where user_id = '{t.owner}'"),
    "ending one's own job": (
        "owner", "select finish_design_job(id, id, '{{}}', null) from design_jobs where user_id = '{t.owner}'",
    ),
    "reading the audit trail": ("owner", "select 1 from order_events where order_id = '{t.order}'"),
    "resolving one's own flag": ("owner", "update order_flags set resolved_at = now() where order_id = '{t.order}'"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORBIDDEN)
def test_forbidden_statements_are_rejected(db: Db, things: Things, what: str) -> None:
    persona, template = FORBIDDEN[what]
    try:
        assert db.touched(persona, template.format(t=things)) == 0
    except psycopg.errors.InsufficientPrivilege:
        return
