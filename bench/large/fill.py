"""Fills a database by COPY, in one transaction, as the platform's own role: past triggers and foreign keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any, LiteralString, get_args

import psycopg

from bench.large.chance import Scale
from bench.large.order_rows import OrderRows
from bench.large.shop_rows import ShopRows, Table
from bench.large.trust_rows import TrustRows

_LINES = 2_000
COLUMNS: dict[Table, LiteralString] = {
    "auth.users": (
        "instance_id, id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, "
        "updated_at, confirmation_token, recovery_token, email_change_token_new, email_change_token_current, "
        "email_change, phone_change, phone_change_token, reauthentication_token"
    ),
    "private.profiles": "id, username, name, is_admin, public_name, created_at",
    "public.user_addresses": (
        "id, user_id, first_name, last_name, email, phone_country_code, phone, country, region, address1, city, zip, "
        "is_default, created_at"
    ),
    "public.user_sessions": "id, user_id, login_at, user_agent",
    "public.designs": (
        "id, user_id, name, image_data, thumbnail_data, printify_product_id, selected_colors, created_at, updated_at, "
        "style"
    ),
    "public.public_designs": "id, design_id, user_id, created_at, name, style",
    "public.design_likes": "id, design_id, user_id, created_at",
    "public.orders": (
        "id, user_id, status, subtotal_cents, shipping_cents, total_cents, shipping_address, cart_key, "
        "payment_intent_id, printify_order_id, paid_at, cancelled_at, shipped_at, delivered_at, refunded_cents, "
        "created_at, updated_at"
    ),
    "public.order_items": (
        "id, order_id, design_id, quantity, unit_price_cents, product_name, product_size, product_color, "
        "printify_product_id, printify_variant_id, created_at"
    ),
    "public.order_events": "id, order_id, actor, kind, details, created_at",
    "public.order_flags": "id, order_id, reason, details, created_at, resolved_at",
    "public.order_jobs": "order_id, kind, attempts, due_at, done_at, created_at",
    "public.order_messages": "id, order_id, channel, kind, attempts, due_at, sent_at, created_at",
    "public.vendor_events": "vendor, id, type, order_id, created_at",
    "public.design_uploads": "id, user_id, created_at",
    "public.design_jobs": "id, user_id, kind, state, request, seed, leased_until, created_at, finished_at",
    "private.object_tasks": "kind, bucket, name, due_at",
    "private.design_reports": "id, design_id, reason, words, created_at, decided_at",
    "private.report_senders": "sender, reported_at",
    "private.design_takedowns": "id, design_id, design_name, owner_id, decision, reason, created_at",
    "private.design_notices": "id, takedown_id, due_at, sent_at",
    "private.design_origins": "copy_id, original_id, owner_id",
}


def _nothing(_table: str, _rows: int) -> None:
    """Return where no one listens."""


def fill(
    connection: psycopg.Connection[Any],
    scale: Scale,
    until: datetime,
    say: Callable[[str, int], None] = _nothing,
) -> None:
    """Adds the rows, has the counters counted anew, and gathers the planner's statistics. Commits nothing."""
    with connection.transaction():
        connection.execute("set local session_replication_role = replica")
        connection.execute("set local synchronous_commit = off")
        connection.execute("set local maintenance_work_mem = '512MB'")
        for table, rows in _tables(scale, until).items():
            say(table, _copy(connection, table, rows))
        connection.execute("set local session_replication_role = origin")
        connection.execute("select private.recount()")
        for table in COLUMNS:
            connection.execute(f"analyze {table}")


def _tables(scale: Scale, until: datetime) -> dict[Table, Iterator[tuple[object, ...]]]:
    shop = ShopRows(scale, until)
    orders, trust = OrderRows(shop), TrustRows(shop)
    tables: dict[Table, Iterator[tuple[object, ...]]] = {
        "auth.users": shop.users(),
        "private.profiles": shop.profiles(),
        "public.user_addresses": shop.addresses(),
        "public.user_sessions": shop.sessions(),
        "public.designs": shop.designs(),
        "public.public_designs": shop.public_designs(),
        "public.design_likes": shop.likes(),
        "public.orders": orders.orders(),
        "public.order_items": orders.items(),
        "public.order_events": orders.events(),
        "public.order_flags": orders.flags(),
        "public.order_jobs": orders.jobs(),
        "public.order_messages": orders.messages(),
        "public.vendor_events": orders.vendor_events(),
        "public.design_uploads": shop.uploads(),
        "public.design_jobs": shop.jobs(),
        "private.object_tasks": shop.object_tasks(),
        "private.design_reports": trust.reports(),
        "private.report_senders": trust.senders(),
        "private.design_takedowns": trust.takedowns(),
        "private.design_notices": trust.notices(),
        "private.design_origins": trust.origins(),
    }
    assert set(tables) == set(get_args(Table))
    return tables


def _copy(connection: psycopg.Connection[Any], table: Table, rows: Iterator[tuple[object, ...]]) -> int:
    count = 0
    with connection.cursor() as cursor, cursor.copy(f"copy {table} ({COLUMNS[table]}) from stdin") as copy:
        while lines := list(islice(rows, _LINES)):
            # No value holds a tab, a line's end or a backslash but NULL.
            copy.write("".join(["\t".join(map(str, row)) + "\n" for row in lines]))
            count += len(lines)
    return count
