"""A stack's work, read from outside: metrics of the gateway and the emulators, rows, objects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import httpx
import psycopg
from prometheus_client.parser import text_string_to_metric_families

from tests.support.stacks import Stack

# What browsers load, and looks at what a vendor is working on: as many as it takes.
_NOT_COUNTED = ("GET /mockup/", "GET /v1/predictions/{id}")
# Without what ends within a day: jobs, their results, and what the sweep has yet to remove.
_ROWS = """
select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage')
  and c.relname not in ('design_jobs', 'object_tasks') order by 1
"""


@dataclass(frozen=True)
class Traffic:
    """Totals since the stack's start. `vendor_calls`: by vendor, without what browsers load from one."""

    requests: Counter[str]
    bytes_out: int
    vendor_calls: Counter[str]
    rows: int
    row_bytes: int
    stored_bytes: int

    def since(self, before: Traffic) -> Traffic:
        """Return what has been added."""
        return Traffic(
            requests=self.requests - before.requests,
            bytes_out=self.bytes_out - before.bytes_out,
            vendor_calls=self.vendor_calls - before.vendor_calls,
            rows=self.rows - before.rows,
            row_bytes=self.row_bytes - before.row_bytes,
            stored_bytes=self.stored_bytes - before.stored_bytes,
        )


def read_traffic(stack: Stack) -> Traffic:
    requests: Counter[str] = Counter()
    vendor_calls: Counter[str] = Counter()
    bytes_out = 0
    for text in (
        httpx.get(f"{stack.api_url}/metrics", headers={"apikey": stack.secret_key}).text,
        httpx.get(f"{stack.emulators_url}/metrics").text,
    ):
        for family in text_string_to_metric_families(text):
            for name, labels, value, *_ in family.samples:
                if name == "localbase_requests_total":
                    requests[labels["service"]] += int(value)
                elif name == "localbase_response_body_bytes_total":
                    bytes_out += int(value)
                elif name == "emulators_vendor_calls_total" and not labels["call"].startswith(_NOT_COUNTED):
                    vendor_calls[labels["vendor"]] += int(value)
    rows = row_bytes = 0
    with psycopg.connect(stack.db_url) as connection:
        for (table,) in connection.execute(_ROWS).fetchall():
            totals = connection.execute(
                f"select count(*), coalesce(sum(pg_column_size(t.*)), 0) from {table} t".encode()
            ).fetchone()
            assert totals is not None
            rows, row_bytes = rows + int(totals[0]), row_bytes + int(totals[1])
        stored = connection.execute(
            "select coalesce(sum((metadata ->> 'size')::bigint), 0) from storage.objects"
            " where bucket_id <> 'design-jobs'"
        ).fetchone()
    assert stored is not None
    return Traffic(requests, bytes_out, vendor_calls, rows, row_bytes, int(stored[0]))
