"""The nightly check of the totals: the sweep finds one that is wrong, and the admin gets a mail."""

from __future__ import annotations

from tests.shop.integration.functions.conftest import Functions
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack


def test_sweep_reports_a_total_that_is_wrong_once_a_night(functions: Functions, stack: Stack) -> None:
    functions.sql("update private.total_checks set next_at = 'infinity'")
    functions.sql(
        "update private.totals set users = users + 7 where shard = (select min(shard) from private.totals)"
    )
    functions.sql("update private.total_checks set next_at = now() where kind = 'shop'")
    try:
        functions.sweep()
        # the stack's own sweep, once a minute, may have been first
        notice = wait_for_mail(stack, "orders@teesmith.example", "Teesmith totals are wrong: shop")
        assert "select private.recount();" in notice["Text"]
        assert functions.sweep()["wrong_totals"] == 0
        assert len(find_mails(stack, "orders@teesmith.example", "Teesmith totals are wrong: shop")) == 1
    finally:
        functions.sql("select private.recount()")
    assert functions.sql("select * from private.wrong_totals('shop')") == []
    assert functions.sql("select next_at > now() as later from private.total_checks where kind = 'shop'") == [
        {"later": True}
    ]
