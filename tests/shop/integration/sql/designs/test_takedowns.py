"""What admins decide about designs, and what follows from it for owners, strangers, copies and orders."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shop.integration.sql.orders.order_steps import flags, jobs, mails, pay, state, step

Db = Any
DENIED, CHECK, NO_DATA = "42501", "23514", "P0002"
DECIDE = "select public.decide_design(%s, %s, %s, %s, %s::uuid[]) as result"
CASE = "select public.get_design_case(%s) as result"
LIST = "select public.list_design_cases(%s) as result"
SHARED = "select name from public.get_shared_design(%s)"
PUBLISH = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
SHOWN = [{"name": "Surfing cat"}]


def scalar(db: Db, persona: str, sql: str, *values: object) -> Any:
    (row,) = db.as_(persona, sql, *values)
    return row["result"]


def decide(
    db: Db, design: str, decision: str, *, reason: str | None = None, note: str = "", copies: tuple[str, ...] = ()
) -> int:  # fmt: skip
    reason = reason or ("copyright" if decision == "take_down" else None)
    return int(scalar(db, "admin", DECIDE, design, decision, reason, note, list(copies)))


def report(db: Db, design: str) -> None:
    db.run("insert into private.design_reports (design_id, reason) values (%s, 'hate')", design)


def copy_of(db: Db, design: str, persona: str) -> str:
    copy = json.dumps(
        {"user_id": db.ids[persona], "name": "Copy", "image_data": "aGk=", "selected_colors": []}
    )
    return str(scalar(db, "service", "select public.save_design_copy(%s, %s) as result", design, copy))


def design_of(db: Db, order: str) -> str:
    (row,) = db.run("select design_id::text from public.order_items where order_id = %s", order)
    return str(row["design_id"])


def notices(db: Db, design: str) -> list[str]:
    rows = db.run(
        "select t.decision from private.design_notices n join private.design_takedowns t on t.id = n.takedown_id "
        "where t.design_id = %s order by t.decision",
        design,
    )
    return [row["decision"] for row in rows]


@pytest.mark.parametrize("persona", ["anon", "owner", "stranger", "service"])
def test_only_admins_see_and_decide_cases(db: Db, persona: str) -> None:
    design = db.design(public=True)
    for decision in ("keep", "take_down", "restore"):
        assert db.rejected(persona, DECIDE, design, decision, "hate", "", []) == DENIED
    assert db.rejected(persona, CASE, design) == DENIED
    assert db.rejected(persona, LIST, False) == DENIED
    assert db.rejected(persona, "select public.release_held_order(%s)", db.order(status="paid")) == DENIED


def test_taken_down_design_is_off_the_gallery_and_its_link_opens_nothing(db: Db) -> None:
    design = db.design(public=True)
    assert decide(db, design, "take_down") == 1
    for persona in ("anon", "stranger", "service"):
        assert db.as_(persona, SHARED, design) == []
    assert db.as_("anon", "select 1 from public.public_designs where design_id = %s", design) == []
    assert db.as_("stranger", "select 1 from public.designs where id = %s", design) == []
    assert db.rejected("anon", "select public.design_picture(%s)", design) == "PT404"
    assert db.rejected("anon", "select public.design_thumbnail(%s)", design) == "PT404"
    # its owner still sees it among the own designs, with the reason
    reason = "select public.takedown_reason(d) as result from public.designs d where id = %s"
    assert db.as_("owner", SHARED, design) == db.as_("admin", SHARED, design) == SHOWN
    assert scalar(db, "owner", reason, design) == "copyright"


def test_key_of_an_ended_link_opens_no_taken_down_design(db: Db) -> None:
    design = db.design()
    key = scalar(db, "owner", "select public.end_design_link(%s) as result", design)
    decide(db, design, "take_down")
    assert db.as_("anon", "select 1 from public.get_shared_design(%s, %s)", design, key) == []


@pytest.mark.parametrize("persona", ["owner", "admin", "service"])
def test_taken_down_design_cannot_be_published(db: Db, persona: str) -> None:
    design = db.design(public=True)
    decide(db, design, "take_down")
    owner = db.ids["owner" if persona == "service" else persona]
    assert db.rejected(persona, PUBLISH, design, owner) in (CHECK, DENIED)
    assert db.rejected("owner", PUBLISH, design, db.ids["owner"]) == CHECK


@pytest.mark.parametrize("persona", ["owner", "stranger", "admin"])
def test_taken_down_design_cannot_be_imported(db: Db, persona: str) -> None:
    design = db.design(public=True)
    decide(db, design, "take_down")
    found = "select 1 from public.get_design_to_copy(%s, %s)"
    assert db.as_("service", found, design, db.ids[persona]) == []
    # read before the decision, and saved after it
    assert copy_of(db, design, persona) == "None"


def test_taken_down_design_is_not_ordered_by_its_owner(db: Db) -> None:
    bought = db.order()
    design = design_of(db, bought)
    decide(db, design, "take_down")
    place = 'select id from public.place_order(%s, %s, \'{"country": "CA"}\', 3980, 590, %s)'
    assert db.rejected("service", place, db.ids["owner"], "another cart", db.cart(design)) == CHECK
    # the cart that was waiting for its payment ends as well
    assert db.as_("service", place, db.ids["owner"], "cart", db.cart(design)) == []
    assert "cancel" in jobs(db, bought)


def test_restored_design_is_as_it_was_and_its_owner_gets_two_mails(db: Db) -> None:
    design = db.design(public=True)
    (published,) = db.run("select created_at from public.public_designs where design_id = %s", design)
    db.run(
        "update public.public_designs set created_at = created_at - interval '3 days' where design_id = %s",
        design,
    )
    decide(db, design, "take_down")
    assert decide(db, design, "restore", note="Our mistake.") == 1
    assert db.as_("anon", SHARED, design) == SHOWN
    assert db.run(
        "select %s - created_at = interval '3 days' as as_before from public.public_designs where design_id = %s",
        published["created_at"], design,
    ) == [{"as_before": True}]  # fmt: skip
    assert notices(db, design) == ["restore", "take_down"]
    assert copy_of(db, design, "stranger") != "None"


def test_design_whose_creator_has_no_public_name_any_more_stays_private(db: Db) -> None:
    design = db.design(public=True)
    decide(db, design, "take_down")
    db.as_("owner", "update public.profiles set public_name = null where id = %s", db.ids["owner"])
    decide(db, design, "restore")
    assert db.run("select 1 from public.public_designs where design_id = %s", design) == []
    assert db.as_("anon", SHARED, design) == SHOWN


def test_second_decision_of_the_same_kind_changes_nothing(db: Db) -> None:
    design = db.design(public=True)
    assert decide(db, design, "keep") == decide(db, design, "restore") == 0
    assert (decide(db, design, "take_down"), decide(db, design, "take_down", reason="hate")) == (1, 0)
    assert (decide(db, design, "restore"), decide(db, design, "restore")) == (1, 0)
    assert notices(db, design) == ["restore", "take_down"]


def test_take_down_needs_a_reason_and_a_note_has_an_end(db: Db) -> None:
    design = db.design()
    assert db.rejected("admin", DECIDE, design, "take_down", None, "", []) == CHECK
    assert db.rejected("admin", DECIDE, design, "take_down", "hate", "x" * 1001, []) == CHECK
    assert db.rejected("admin", DECIDE, design, "burn", "hate", "", []) == "22023"


def test_ticked_copies_go_with_the_original_and_others_stay(db: Db) -> None:
    design = db.design(public=True)
    ticked, other = copy_of(db, design, "stranger"), copy_of(db, design, "admin")
    of_copy = copy_of(db, ticked, "admin")
    assert decide(db, design, "take_down", copies=(ticked, of_copy)) == 3
    shown = {copy: db.as_("anon", SHARED, copy) != [] for copy in (ticked, other, of_copy)}
    assert shown == {ticked: False, other: True, of_copy: False}
    assert notices(db, ticked) == ["take_down"]
    case = scalar(db, "admin", CASE, design)
    assert {copy["id"]: copy["is_taken_down"] for copy in case["copies"]} == {
        ticked: True, other: False, of_copy: True,
    }  # fmt: skip
    assert decide(db, design, "restore", copies=(ticked,)) == 2
    assert db.as_("anon", SHARED, of_copy) == []


def test_only_copies_of_a_design_are_decided_with_it(db: Db) -> None:
    design, unrelated = db.design(public=True), db.design("stranger")
    assert db.rejected("admin", DECIDE, design, "take_down", "hate", "", [unrelated]) == CHECK
    assert db.as_("anon", SHARED, unrelated) == SHOWN


def test_copy_of_a_deleted_copy_is_found_from_the_original(db: Db) -> None:
    design = db.design(public=True)
    middle = copy_of(db, design, "stranger")
    last = copy_of(db, middle, "admin")
    db.as_("stranger", "delete from public.designs where id = %s", middle)
    assert [copy["id"] for copy in scalar(db, "admin", CASE, design)["copies"]] == [last]


def test_paid_order_of_a_taken_down_design_waits_until_it_is_released(db: Db) -> None:
    order = db.order()
    pay(db, order)
    decide(db, design_of(db, order), "take_down")
    assert (step(db, "begin_printing", order), "print" in jobs(db, order)) == ("design_held", False)
    assert flags(db, order) == ["design_taken_down"]
    assert mails(db, order) == ["confirmation", "notice_design_taken_down", "problem"]
    # what the bank says of the payment does not end it
    (row,) = db.run("select money_version from public.orders where id = %s", order)
    step(db, "record_money", order, row["money_version"], None, 0)
    assert step(db, "begin_printing", order) == "design_held"
    assert scalar(db, "admin", "select public.release_held_order(%s) as result", order) is True
    assert scalar(db, "admin", "select public.release_held_order(%s) as result", order) is False
    assert "print" in jobs(db, order)
    assert step(db, "begin_printing", order) == "go"
    assert db.run("select 1 from public.order_flags where order_id = %s and resolved_at is null", order) == []


def test_waiting_order_stays_flagged_until_it_is_decided(db: Db) -> None:
    order = db.order(status="paid")
    decide(db, design_of(db, order), "take_down")
    resolve = "select public.resolve_order_flags(%s, array(select id from public.order_flags where order_id = %s), 'x')"
    assert db.rejected("admin", resolve, order, order) == CHECK
    step(db, "request_cancellation", order, None, "by the admin")
    step(db, "cancel_order", order, True)
    assert state(db, order)["design_held_at"] is None
    assert db.run("select 1 from public.order_flags where order_id = %s and resolved_at is null", order) == []
    assert "refund" in jobs(db, order)


def test_restoring_a_design_releases_its_orders_and_what_is_in_production_goes_on(db: Db) -> None:
    waiting, made = db.order(cart_key="a", status="paid"), db.order(cart_key="b", status="processing")
    for order in (waiting, made):
        decide(db, design_of(db, order), "take_down")
    assert state(db, waiting)["design_held_at"] is not None
    assert state(db, made)["design_held_at"] is None
    assert scalar(db, "admin", CASE, design_of(db, waiting))["held_orders"] == 1
    decide(db, design_of(db, waiting), "restore")
    assert state(db, waiting)["design_held_at"] is None


def test_queue_has_reported_designs_until_they_are_decided(db: Db) -> None:
    kept, taken = db.design(public=True), db.design(public=True)
    for design in (kept, kept, taken):
        report(db, design)

    def listed(taken_down: bool = False) -> dict[str, Any]:
        cases = scalar(db, "admin", LIST, taken_down)["cases"]
        return {case["id"]: case for case in cases if case["id"] in (kept, taken)}

    assert {case["id"]: case["reports"] for case in listed().values()} == {kept: 2, taken: 1}
    assert listed()[kept]["reasons"] == ["hate"]
    decide(db, kept, "keep", note="A parody.")
    decide(db, taken, "take_down")
    assert listed() == {}
    assert set(listed(taken_down=True)) == {taken}
    assert scalar(db, "admin", LIST, True)["total"] >= 1


def test_case_has_reports_history_and_audit_trail_and_no_reporter(db: Db) -> None:
    earlier, design = db.design(public=True, name="Earlier"), db.design()
    decide(db, earlier, "take_down", note="It is Disney's.")
    report(db, design)
    decide(db, design, "keep")
    case = scalar(db, "admin", CASE, design)
    assert [set(report) for report in case["reports"]] == [{"id", "reason", "words", "created_at", "is_open"}]
    assert case["reports"][0]["is_open"] is False
    assert [decision["decision"] for decision in case["decisions"]] == ["keep"]
    history = case["creator"]["decisions"]
    assert [(old["design_name"], old["decision"], old["note"]) for old in history] == [
        ("Earlier", "take_down", "It is Disney's.")
    ]
    assert history[0]["actor"].startswith("admin-")
    assert (case["creator"]["designs"], case["creator"]["taken_down"], case["taken_down"]) == (2, 1, None)


def test_audit_trail_outlives_the_design_and_its_notice_is_claimed_once(db: Db) -> None:
    design = db.design()
    db.run("delete from private.design_notices")
    decide(db, design, "take_down", note="Sorry.")
    db.as_("owner", "delete from public.designs where id = %s", design)
    claimed = scalar(db, "service", "select public.claim_design_notice(60) as result")
    assert claimed["email"].startswith("owner-")
    del claimed["id"], claimed["email"], claimed["name"]
    assert claimed == {
        "decision": "take_down", "reason": "copyright", "note": "Sorry.", "design_name": "Surfing cat",
        "is_public": False,
    }  # fmt: skip
    assert scalar(db, "service", "select public.claim_design_notice(60) as result") is None
    trail = "select decision, design_id from private.design_takedowns where owner_id = %s"
    assert db.run(trail, db.ids["owner"]) == [{"decision": "take_down", "design_id": None}]


def test_notice_to_an_account_that_is_gone_is_dropped(db: Db) -> None:
    db.run("delete from private.design_notices")
    decide(db, db.design(), "take_down")
    db.run("delete from auth.users where id = %s", db.ids["owner"])
    assert scalar(db, "service", "select public.claim_design_notice(60) as result") is None
    assert db.run("select 1 from private.design_notices") == []
