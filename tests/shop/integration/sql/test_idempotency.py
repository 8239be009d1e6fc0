"""Calls with a key: begun once, answered again for a day, bounded for each holder."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any
BEGIN = "select * from public.begin_call(%s, %s, %s, %s, %s)"
FINISH = "select public.finish_call(%s, %s, %s)"


def octets(text: str) -> bytes:
    """As long as a digest."""
    return text.encode().ljust(32, b".")


def begin(
    db: Db,
    call: str = "call",
    content: str = "content",
    *,
    holder: str = "ann",
    lease: int = 60,
    most: int = 10,
) -> Any:
    (row,) = db.as_("service", BEGIN, octets(call), octets(holder), octets(content), lease, most)
    return row


def finish(db: Db, lease: Any, answer: bytes | None, call: str = "call") -> None:
    db.as_("service", FINISH, octets(call), lease, answer)


def calls(db: Db, holder: str = "ann") -> list[str]:
    rows = db.run(
        "select call from private.keyed_calls where holder = %s order by created_at", octets(holder)
    )
    return [bytes(row["call"]).rstrip(b".").decode() for row in rows]


def test_answer_is_given_again(db: Db) -> None:
    begun = begin(db)
    assert (begun["outcome"], begun["answer"]) == ("begun", None)
    finish(db, begun["lease"], b"sealed")
    again = begin(db)
    assert (again["outcome"], bytes(again["answer"]), again["lease"]) == ("answered", b"sealed", None)


def test_other_content_is_refused_at_every_stage(db: Db) -> None:
    begun = begin(db)
    assert begin(db, content="other")["outcome"] == "other_content"
    finish(db, begun["lease"], None)
    assert begin(db, content="other")["outcome"] == "other_content"
    finish(db, begin(db)["lease"], b"sealed")
    assert begin(db, content="other")["outcome"] == "other_content"


def test_call_runs_until_its_lease_ends(db: Db) -> None:
    first = begin(db)
    running = begin(db)
    assert (running["outcome"], running["free_at"]) == ("running", first["free_at"])
    db.run("update private.keyed_calls set leased_until = clock_timestamp() where lease is not null")
    second = begin(db)
    assert second["outcome"] == "begun"
    # the process that was given up answers after all: that changes nothing for the one that took over
    finish(db, first["lease"], b"late")
    assert begin(db)["outcome"] == "running"
    finish(db, second["lease"], b"sealed")
    assert bytes(begin(db)["answer"]) == b"sealed"


def test_call_without_an_answer_may_be_repeated_at_once(db: Db) -> None:
    finish(db, begin(db)["lease"], None)
    assert begin(db)["outcome"] == "begun"


def test_after_a_day_the_key_is_new(db: Db) -> None:
    finish(db, begin(db)["lease"], b"sealed")
    db.run("update private.keyed_calls set created_at = created_at - interval '25 hours'")
    assert begin(db, content="other")["outcome"] == "begun"


def test_sweep_forgets_what_is_older_than_a_day(db: Db) -> None:
    db.run("delete from private.keyed_calls")
    begin(db, "old")
    db.run("update private.keyed_calls set created_at = created_at - interval '25 hours'")
    begin(db, "new")
    assert db.as_("service", "select public.forget_calls() as n") == [{"n": 1}]
    assert calls(db) == ["new"]


def test_newest_calls_of_a_holder_stay(db: Db) -> None:
    for number in range(5):
        begin(db, f"call {number}", most=3)
    begin(db, "of ben", holder="ben", most=3)
    assert calls(db) == ["call 2", "call 3", "call 4"]
    assert calls(db, "ben") == ["of ben"]


@pytest.mark.parametrize("persona", ["anon", "owner", "admin"])
def test_service_alone_calls_them_and_has_no_way_to_read_the_table(db: Db, persona: str) -> None:
    arguments = ("'\\x00'", "'\\x00'", "'\\x00'", "1", "1")
    assert db.rejected(persona, f"select * from public.begin_call({', '.join(arguments)})") == "42501"
    assert db.rejected(persona, "select public.finish_call('\\x00', gen_random_uuid(), null)") == "42501"
    assert db.rejected(persona, "select public.forget_calls()") == "42501"
    for reader in (persona, "service"):
        assert db.rejected(reader, "select * from private.keyed_calls") == "42501"
