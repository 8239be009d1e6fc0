"""Calls with an Idempotency-Key: which keys there are, which answers stay, and what the database gets to see."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.core.idempotency import LARGEST_ANSWER, PASSING_CODES, Idempotency, key_in

from tests.support.stacks import ROOT

ANN, BEN = Caller(id="ann"), Caller(id="ben")
SECRET = {"client_secret": "pi_1_secret_2"}
FINAL_CONFLICTS = {
    "already_paid", "amount_mismatch", "call_in_progress", "design_not_ready", "item_mismatch", "job_taken",
    "not_possible", "order_cancelled", "payment_expired", "scene_conflict", "too_late_to_cancel", "variant_unavailable",
}  # fmt: skip


@dataclass
class FakeCalls:
    """As the SQL functions, without their limits. `sent` is all that the database was told."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    sent: list[Mapping[str, object]] = field(default_factory=list)
    fails: bool = False

    def call(self, function: str, arguments: Mapping[str, object]) -> list[dict[str, Any]]:
        assert function == "begin_call"
        self.sent.append(arguments)
        row = self.rows.setdefault(
            str(arguments["call"]), {"content": arguments["content"], "answer": None, "lease": None}
        )
        if row["content"] != arguments["content"]:
            return [{"outcome": "other_content"}]
        if row["answer"]:
            return [{"outcome": "answered", "answer": row["answer"]}]
        free_at = datetime.now(UTC) + timedelta(seconds=60)
        if row["lease"]:
            return [{"outcome": "running", "free_at": free_at.isoformat()}]
        row["lease"] = "lease"
        return [{"outcome": "begun", "lease": "lease"}]

    def value(self, function: str, arguments: Mapping[str, object]) -> object:
        assert function == "finish_call"
        self.sent.append(arguments)
        if self.fails:
            raise ShopError(502, "database_unavailable", "Our database did not answer.", cause="gone")
        self.rows[str(arguments["call"])] |= {"answer": arguments["answer"], "lease": None}
        return None


@pytest.fixture
def data() -> FakeCalls:
    return FakeCalls()


@dataclass
class Work:
    """Counts how often it is done; raises `problem` if there is one."""

    result: dict[str, object] = field(default_factory=lambda: dict(SECRET))
    problem: Exception | None = None
    done: int = 0

    def __call__(self) -> dict[str, object]:
        self.done += 1
        if self.problem:
            raise self.problem
        return self.result


Once = Callable[..., Mapping[str, object]]


@pytest.fixture
def once(data: FakeCalls) -> Once:
    parts: Any = data
    idempotency = Idempotency(parts, "a service key")

    def call(
        work: Work, key: str = "key", *, caller: Caller = ANN, slug: str = "pay", body: bytes = b"{}"
    ) -> Mapping[str, object]:
        return idempotency.once(idempotency.call(slug, caller, key, body), work, 60)

    return call


@pytest.mark.parametrize(
    ("header", "key"),
    [
        (None, None),
        ('"8e03978e-40d5-43dd"', "8e03978e-40d5-43dd"),
        ("8e03978e-40d5-43dd", "8e03978e-40d5-43dd"),
        ('"two words, and more"', "two words, and more"),
        (f'"{"k" * 255}"', "k" * 255),
    ],
)
def test_key_is_a_text_in_quotes_or_a_bare_word(header: str | None, key: str | None) -> None:
    assert key_in(header) == key


@pytest.mark.parametrize(
    "header", ["", '""', '"open', "two words", "a,b", '"a", "b"', "k" * 256, f'"{"k" * 256}"', '"é"', '"a\\"b"', "1;q"]
)  # fmt: skip
def test_malformed_key_is_refused(header: str) -> None:
    with pytest.raises(ShopError) as refused:
        key_in(header)
    assert (refused.value.status, refused.value.code) == (400, "invalid_idempotency_key")


def test_repetition_gets_the_answer_without_the_work(once: Once) -> None:
    work = Work()
    assert [once(work), once(work)] == [SECRET, SECRET]
    assert work.done == 1


def test_caller_function_and_key_each_make_another_call(once: Once) -> None:
    work = Work()
    once(work)
    once(work, caller=BEN)
    once(work, slug="cancel")
    once(work, "another key")
    once(work, caller=Caller(address="192.0.2.1"))
    once(work, caller=Caller(address="192.0.2.2"))
    once(work, caller=Caller(is_service=True))
    assert work.done == 7


def test_other_content_is_refused_at_every_stage(once: Once) -> None:
    for key, first in (("answered", Work()), ("failed", Work(problem=RuntimeError("down")))):
        with suppress(RuntimeError):
            once(first, key)
        with pytest.raises(ShopError) as refused:
            once(first, key, body=b"[]")
        assert (refused.value.status, refused.value.code) == (422, "idempotency_key_reused")


def test_call_that_is_being_worked_on_says_when_to_ask_again(once: Once) -> None:
    def meanwhile() -> dict[str, object]:
        with pytest.raises(ShopError) as refused:
            once(Work())
        assert (refused.value.status, refused.value.code) == (409, "call_in_progress")
        assert refused.value.retry_at is not None
        assert 0 < (refused.value.retry_at - datetime.now(UTC)).total_seconds() <= 2
        return {}

    once(meanwhile)


@pytest.mark.parametrize(
    "problem",
    [
        ShopError(409, "already_paid", "Paid."),
        ShopError(404, "order_not_found", "Order not found."),
        ShopError(422, "prompt_refused", "We can't draw that.", counts=True),
    ],
)
def test_final_refusal_is_the_same_again(once: Once, problem: ShopError) -> None:
    work = Work(problem=problem)
    for _ in range(2):
        with pytest.raises(ShopError) as refused:
            once(work)
        assert (refused.value.status, refused.value.code, refused.value.error) == (
            problem.status,
            problem.code,
            problem.error,
        )
    assert work.done == 1


@pytest.mark.parametrize(
    "problem",
    [
        ShopError(502, "payment_unavailable", "Stripe did not answer."),
        ShopError(401, "unauthenticated", "Please sign in first."),
        ShopError(429, "usage_limit", "Enough."),
        ShopError(409, "busy", "Later.", retry_at=datetime.now(UTC)),
        ShopError(409, "payment_processing", "Wait."),
        RuntimeError("a fault of ours"),
    ],
)
def test_refusal_that_time_may_change_is_tried_again(once: Once, problem: Exception) -> None:
    work = Work(problem=problem)
    with pytest.raises(type(problem)):
        once(work)
    work.problem = None
    assert once(work) == SECRET
    assert work.done == 2


def test_every_conflict_is_either_final_or_passing() -> None:
    sources = "\n".join(path.read_text() for path in (ROOT / "functions").rglob("*.py"))
    conflicts = set(re.findall(r'ShopError\(\s*409,\s*"(\w+)"', sources))
    assert conflicts - PASSING_CODES == FINAL_CONFLICTS - PASSING_CODES
    assert conflicts >= PASSING_CODES


def test_answer_that_is_too_large_is_not_stored(once: Once, data: FakeCalls) -> None:
    work = Work({"image": "x" * LARGEST_ANSWER})
    assert once(work) == once(work)
    assert work.done == 2
    assert [row["answer"] for row in data.rows.values()] == [None]


def test_database_that_is_away_at_the_end_loses_no_answer(once: Once, data: FakeCalls) -> None:
    data.fails = True
    assert once(Work()) == SECRET


def test_database_sees_neither_key_nor_content_nor_answer(once: Once, data: FakeCalls) -> None:
    work = Work()
    once(work, "a key of Ann's", body=b'{"zip": "90210"}')
    told = repr(data.sent)
    for text in ("a key of Ann's", "90210", "pi_1_secret_2", "ann"):
        assert text not in told
        assert text.encode().hex() not in told
    (row,) = data.rows.values()
    once(work, "a key of Ann's", body=b'{"zip": "90210"}')
    # the same answer under another key is another text
    once(Work(), "another key")
    assert len({row["answer"], *(other["answer"] for other in data.rows.values())}) == 2
