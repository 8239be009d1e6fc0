"""Reports of designs: who may send them, how many, and that nobody can learn who did."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

Db = Any
DENIED, CHECK = "42501", "23514"
REPORT = "select outcome, open_at from public.report_design(%s, %s, %s, %s, %s, %s, %s, %s)"
TABLES = (
    "design_reports",
    "report_senders",
    "design_takedowns",
    "design_notices",
    "design_links",
    "design_origins",
)
ANN, BOB = b"a" * 32, b"b" * 32


def report(
    db: Db, design: str, *, key: str | None = None, reason: str = "hate", words: str = "", sender: bytes = ANN,
    limits: tuple[int, int, int] = (10, 30, 2000),
) -> str:  # fmt: skip
    (row,) = db.as_("service", REPORT, design, key, reason, words, sender, *limits)
    assert (row["open_at"] is None) == (row["outcome"] in ("reported", "unknown", "closed"))
    return str(row["outcome"])


def test_report_is_stored_without_its_sender(db: Db) -> None:
    design = db.design(public=True)
    assert report(db, design, reason="copyright", words="  Mine \u202esince\u202c 2019 ") == "reported"
    columns = db.run("select * from private.design_reports where design_id = %s", design)
    assert set(columns[0]) == {"id", "design_id", "reason", "words", "created_at", "decided_at"}
    assert (columns[0]["reason"], columns[0]["words"]) == ("copyright", "Mine since 2019")
    assert set(db.run("select * from private.report_senders")[0]) == {"id", "sender", "reported_at"}


@pytest.mark.parametrize("persona", ["anon", "stranger", "owner", "admin", "service"])
def test_no_role_of_the_api_reads_the_tables_of_trust(db: Db, persona: str) -> None:
    for table in TABLES:
        assert db.rejected(persona, f"select 1 from private.{table}") == DENIED


@pytest.mark.parametrize("persona", ["anon", "stranger", "owner", "admin"])
def test_reports_come_through_the_function_alone(db: Db, persona: str) -> None:
    # who calls it chooses sender and limits
    assert db.rejected(persona, REPORT, db.design(public=True), None, "hate", "", ANN, 1, 1, 1) == DENIED


def test_design_that_the_link_does_not_open_cannot_be_reported(db: Db) -> None:
    design = db.design()
    assert report(db, design) == "reported"
    (row,) = db.as_("owner", "select public.end_design_link(%s) as key", design)
    assert report(db, design) == report(db, str(uuid4())) == "unknown"
    assert report(db, design, key=row["key"]) == "reported"
    db.as_("admin", "select public.decide_design(%s, 'take_down', 'hate')", design)
    assert report(db, design, key=row["key"]) == "unknown"


def test_reports_of_one_sender_and_of_all_are_limited(db: Db) -> None:
    design = db.design(public=True)
    db.run("delete from private.report_senders")
    assert [report(db, design, limits=(2, 5, 9)) for _ in range(3)] == ["reported", "reported", "hour"]
    assert report(db, design, sender=BOB, limits=(2, 5, 9)) == "reported"
    db.run("update private.report_senders set reported_at = reported_at - interval '2 hours'")
    assert report(db, design, limits=(2, 2, 9)) == "day"
    assert report(db, design, sender=BOB, limits=(2, 5, 3)) == "shop"
    assert report(db, design, limits=(2, 5, 0)) == "closed"
    db.run("update private.report_senders set reported_at = reported_at - interval '1 day'")
    assert report(db, design, limits=(1, 1, 1)) == "reported"
    assert db.run("select count(*) as kept from private.report_senders") == [{"kept": 1}]


def test_flood_about_one_design_stops_at_a_hundred(db: Db) -> None:
    design = db.design(public=True)
    db.run(
        "insert into private.design_reports (design_id, reason) select %s, 'other' from generate_series(1, 100)",
        design,
    )
    assert report(db, design) == "reported"
    open_reports = "select count(*) from private.design_reports where design_id = %s and decided_at is null"
    assert db.run(open_reports, design) == [{"count": 100}]


def test_first_report_of_a_case_tells_the_shop_once_an_hour_at_most(db: Db) -> None:
    for table in ("design_notices", "report_senders", "design_reports"):
        db.run(f"delete from private.{table}")
    cat, dog = db.design(public=True), db.design(public=True, name="Dog")
    for _ in range(2):
        assert report(db, cat) == "reported"
    claim = "select public.claim_design_notice(60) as mail"

    def claimed() -> Any:
        (row,) = db.as_("service", claim)
        return row["mail"]

    first = claimed()
    assert first.pop("id")
    assert first == {"decision": "report", "reason": "hate", "design_name": "Surfing cat", "cases": 1}
    # one is being sent: it cannot tell of this case
    report(db, dog)
    assert claimed() is None
    notices = "select due_at <= now() as is_due, takedown_id from private.design_notices order by due_at"
    assert db.run(notices) == [{"is_due": True, "takedown_id": None}, {"is_due": False, "takedown_id": None}]
    db.run("update private.design_notices set due_at = now() - interval '1 hour', leased_until = null")
    assert claimed()["cases"] == 2
    # nobody is told of cases that are closed
    for design in (cat, dog):
        db.as_("admin", "select public.decide_design(%s, 'keep')", design)
    assert claimed() is None
    assert db.run(notices) == []


@pytest.mark.parametrize(("reason", "words"), [("spam", ""), ("hate", "x" * 1001)])
def test_report_with_an_unknown_reason_or_too_many_words_is_refused(db: Db, reason: str, words: str) -> None:
    design = db.design(public=True)
    assert db.rejected("service", REPORT, design, None, reason, words, ANN, 9, 9, 9) == CHECK
