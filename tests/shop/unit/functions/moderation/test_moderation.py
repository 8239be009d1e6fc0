"""Reports of designs and the mails about decisions, without I/O."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from _shared.clients.smtp import Email
from _shared.core.errors import ShopError
from _shared.core.usage import UsageLimits
from _shared.moderation.design_notices import DesignNotices
from _shared.moderation.reasons import Reason, notice_of
from _shared.moderation.reports import Reports

from tests.support.stacks import ROOT

OPEN_AT = datetime(2026, 11, 28, 12, tzinfo=UTC)
NOTICE: dict[str, Any] = {
    "id": "n1", "decision": "take_down", "reason": "copyright", "note": "", "design_name": "Cat <b>",
    "email": "ann@example.com", "name": "Ann", "is_public": False,
}  # fmt: skip


class FakeData:
    """Answers `report_design` with the outcome, and gives the notices one after the other."""

    def __init__(self, outcome: str = "reported", notices: list[dict[str, Any]] | None = None) -> None:
        self.outcome = outcome
        self.notices = notices or []
        self.calls: list[tuple[str, Any]] = []

    def call(self, function: str, arguments: Any) -> list[dict[str, Any]]:
        self.calls.append((function, arguments))
        return [{"outcome": self.outcome, "open_at": OPEN_AT.isoformat()}]

    def value(self, function: str, arguments: Any) -> Any:
        if function == "claim_design_notice":
            return self.notices.pop(0) if self.notices else None
        self.calls.append((function, arguments))
        return None


class FakeMailer:
    def __init__(self, failure: ShopError | None = None) -> None:
        self.failure = failure
        self.sent: list[tuple[Email, str]] = []

    def send(self, email: Email, key: str = "") -> None:
        if self.failure:
            raise self.failure
        self.sent.append((email, key))


def sender_of(address: str, key: str = "one") -> str:
    data: Any = FakeData()
    Reports(data, UsageLimits(1, 1, 1), key).report("d1", None, "hate", "", address)
    return str(data.calls[0][1]["sender"])


def test_report_names_its_sender_by_a_keyed_digest_of_the_network() -> None:
    assert len(sender_of("203.0.113.9")) == len("\\x") + 64
    assert sender_of("203.0.113.9") != sender_of("203.0.113.10")
    assert sender_of("203.0.113.9") != sender_of("203.0.113.9", "another")
    # one household's addresses
    assert sender_of("2001:db8::1") == sender_of("2001:db8::ffff:1") != sender_of("2001:db8:0:1::1")
    assert sender_of("unknown, or forged") != sender_of("")


@pytest.mark.parametrize(
    ("outcome", "status", "code"),
    [
        ("unknown", 404, "design_not_found"),
        ("closed", 503, "reports_closed"),
        *((limit, 429, "too_many_reports") for limit in ("hour", "day", "shop")),
    ],
)
def test_report_beyond_a_limit_or_of_nothing_is_refused(outcome: str, status: int, code: str) -> None:
    data: Any = FakeData(outcome)
    with pytest.raises(ShopError) as problem:
        Reports(data, UsageLimits(1, 1, 1), "secret").report("d1", None, "hate", "", "203.0.113.9")
    assert (problem.value.status, problem.value.code) == (status, code)
    assert problem.value.retry_at == (OPEN_AT if status == 429 else None)


def send(notice: dict[str, Any], mailer: FakeMailer) -> tuple[dict[str, int], list[tuple[str, Any]]]:
    data: Any = FakeData(notices=[notice])
    return DesignNotices(
        data, mailer, "https://shop", 60, notice_email="boss@shop.example"
    ).send(), data.calls


def test_owner_reads_why_a_design_was_taken_down_and_can_answer() -> None:
    mailer = FakeMailer()
    figures, calls = send(NOTICE | {"note": "It is <Disney's>."}, mailer)
    ((email, key),) = mailer.sent
    assert (email.to, email.reply_to, key) == ("ann@example.com", "support@teesmith.example", "n1")
    assert email.subject == 'We have taken down your design "Cat <b>"'
    assert "because it uses work or a brand that belongs to somebody else." in email.text
    assert "It is <Disney's>." in email.text
    assert "Cat &lt;b&gt;" in email.html
    assert "It is &lt;Disney&#39;s&gt;." in email.html
    assert figures == {"design_notices": 1, "failed_design_notices": 0}
    assert calls == [("finish_design_notice", {"notice": "n1"})]


def test_name_with_lines_and_of_any_length_stays_one_short_subject() -> None:
    mailer = FakeMailer()
    for name in ("Cat\nBcc: everybody@example.com", "word " * 400, "x" * 2000):
        send(NOTICE | {"design_name": name}, mailer)
    for email, _ in mailer.sent:
        assert "\n" not in email.subject
        assert len(email.subject) < 100


@pytest.mark.parametrize("is_public", [True, False])
def test_owner_reads_that_a_design_is_back(is_public: bool) -> None:
    mailer = FakeMailer()
    send(NOTICE | {"decision": "restore", "reason": None, "name": "", "is_public": is_public}, mailer)
    email = mailer.sent[0][0]
    assert email.subject == 'Your design "Cat <b>" is back'
    assert email.text.startswith("Hello,\n")
    assert ("in the gallery too" in email.text) == is_public


def test_shop_reads_of_a_report_and_how_many_wait() -> None:
    mailer = FakeMailer()
    report = {"id": "n1", "decision": "report", "reason": "sexual", "design_name": "Cat <b>\nBcc: all"}
    for cases in (1, 12, 1000):
        send(report | {"cases": cases}, mailer)
    alone, twelve, many = (email for email, _ in mailer.sent)
    assert (alone.to, alone.subject) == (
        "boss@shop.example",
        'Teesmith: the design "Cat <b> Bcc: all" was reported',
    )
    assert "was reported: it is sexual." in alone.text
    assert "Cat &lt;b&gt; Bcc: all" in alone.html
    assert "https://shop/admin?tab=designs" in alone.text
    assert "wait for a decision" not in alone.text
    assert "12 reported designs wait for a decision." in twelve.text
    assert "1,000 or more reported designs wait" in many.html


def test_mail_that_fails_is_left_for_another_run() -> None:
    away = ShopError(502, "mail_unavailable", "The e-mail could not be sent.", cause="421 busy")
    figures, calls = send(NOTICE, FakeMailer(away))
    assert figures == {"design_notices": 0, "failed_design_notices": 1}
    assert calls == [("fail_design_notice", {"notice": "n1", "problem": "421 busy", "most_attempts": 14})]


def test_reasons_are_the_same_in_sql_and_python() -> None:
    reasons = get_args(Reason)
    assert all(notice_of(reason) for reason in reasons)
    listed = "in (" + ", ".join(f"'{reason}'" for reason in reasons) + ")"
    for name in ("20261128100000_trust.sql", "20261128100100_moderation.sql"):
        assert (ROOT / "sql" / "migrations" / name).read_text().count(listed) == 1
