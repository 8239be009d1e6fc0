"""Every flag and event of an order has words: flag_reasons.json for mails and panel, order-words.ts for the panel."""

from __future__ import annotations

import json
import re
from typing import get_args

from _shared.orders.order_rpc import FlagReason, JobKind

from tests.support.stacks import ROOT

SQL = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "sql/migrations").glob("*.sql")))
ORDERS = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "functions/_shared/orders").glob("*.py"))
)
WORDS = ROOT / "web/src/features/admin/orders/order-words.ts"


def test_every_reason_of_a_flag_has_words() -> None:
    raised = set(re.findall(r"private\.raise_flag\([^,]+, '([a-z_]+)'", SQL))
    assert len(raised) >= 5
    # a job that is given up raises `<kind>_failed`
    raised |= {f"{kind}_failed" for kind in get_args(JobKind)} | set(get_args(FlagReason))
    words = json.loads((ROOT / "functions/_shared/orders/flag_reasons.json").read_text(encoding="utf-8"))
    assert sorted(raised - set(words)) == []
    assert sorted(set(words) - raised) == []


def test_every_event_of_the_audit_trail_has_words() -> None:
    written = set(re.findall(r"private\.add_event\(\s*[a-z_.]+,\s*'([a-z_]+)'", SQL))
    assert len(written) >= 12
    written |= set(re.findall(r"_rpc\.note\([a-z_.]+, \"([a-z_]+)\"", ORDERS))
    table = re.search(r"const EVENTS[^{]*\{\n(.*?)\n\};", WORDS.read_text(encoding="utf-8"), re.DOTALL)
    assert table
    assert sorted(written ^ set(re.findall(r"(?m)^  ([a-z_]+):", table[1]))) == []
