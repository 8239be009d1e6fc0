"""The end of an account: what waits, what stays, who may; and the copy of everything that a person may take along."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any
CHECK, DENIED, KEY = "23514", "42501", "23503"
CLOSE = "select public.close_account(%s) as outcome"
DELETE = "delete from auth.users where id = %s"


def close(db: Db, persona: str = "owner") -> str:
    (row,) = db.as_("service", CLOSE, db.ids[persona])
    return str(row["outcome"])


@pytest.mark.parametrize("status", ["pending", "paid", "processing"])
def test_account_with_an_order_that_was_not_sent_stays(db: Db, status: str) -> None:
    order = db.order(status=status)
    assert db.as_("service", "select * from public.list_unfinished_orders(%s)", db.ids["owner"]) == [
        {"id": db.run("select %s::uuid as id", order)[0]["id"], "status": status}
    ]
    assert close(db) == "orders"
    assert db.run("select user_id::text from public.orders where id = %s", order) == [
        {"user_id": db.ids["owner"]}
    ]


def test_orders_stay_without_a_person_and_all_else_goes(db: Db) -> None:
    owner, stranger = db.ids["owner"], db.ids["stranger"]
    order = db.order(status="shipped")
    sold = "select sum(paid_orders) as orders, sum(spent_cents) as cents from private.totals"
    before = db.run(sold)
    published = db.design(public=True)
    theirs = db.design("stranger", public=True)
    for persona in ("owner", "stranger"):
        db.as_(
            persona,
            "insert into public.design_likes (design_id, user_id) values (%s, %s)",
            theirs,
            db.ids[persona],
        )
    db.as_("owner", "insert into public.design_uploads (user_id) values (%s)", owner)
    db.as_("owner", "insert into public.user_sessions (user_id) values (%s)", owner)
    # the signed address of an old order does not come to life again
    db.run("alter table public.orders disable trigger touch_updated_at")
    db.run("update public.orders set updated_at = '2020-01-01' where id = %s", order)
    db.run("alter table public.orders enable trigger touch_updated_at")
    seen = "select updated_at, link_version from public.orders where id = %s"
    link = db.run(seen, order)

    assert close(db) == "closing"
    assert close(db) == "closing"  # killed in between, and done again
    db.run(DELETE, owner)

    assert db.run("select user_id, status, total_cents from public.orders where id = %s", order) == [
        {"user_id": None, "status": "shipped", "total_cents": 4570}
    ]
    assert db.run(seen, order) == link
    items = "select product_name, quantity, design_id from public.order_items where order_id = %s"
    assert db.run(items, order) == [{"product_name": "Surfing cat", "quantity": 2, "design_id": None}]
    events = "select kind, actor from public.order_events where order_id = %s and kind like 'account%%'"
    assert db.run(events, order) == [{"kind": "account_deleted", "actor": None}]
    for table in ("designs", "public_designs", "design_likes", "design_uploads", "user_sessions"):
        assert db.run(f"select 1 from public.{table} where user_id = %s", owner) == [], table
    assert db.run("select 1 from private.profiles where id = %s", owner) == []
    assert db.run("select 1 from public.designs where id = %s", published) == []
    # other people's things, and the shop's figures
    assert db.run("select user_id::text from public.design_likes where design_id = %s", theirs) == [
        {"user_id": stranger}
    ]
    assert db.run(sold) == before
    assert db.run("select * from private.wrong_totals('orders of users') where of_row is null") == []
    # what was bought can still be printed again; the picture itself is removed
    removed = (
        "select bucket, name from private.object_tasks where kind = 'remove' and position(%s in name) > 0"
    )
    (item,) = db.run("select printify_product_id from public.order_items where order_id = %s", order)
    assert item["printify_product_id"] == "product"
    assert {row["bucket"] for row in db.run(removed, owner)} == {"designs"}


def test_order_without_a_person_goes_on_and_is_nobodys(db: Db) -> None:
    order = db.order(status="shipped")
    assert close(db) == "closing"
    db.run(DELETE, db.ids["owner"])
    assert db.as_("service", "select public.record_progress(%s, 'delivered') as status", order) == [
        {"status": "delivered"}
    ]
    tracked = "select public.get_tracked_order(%s, 1, 180) ->> 'status' as status"
    assert db.as_("service", tracked, order) == [{"status": "delivered"}]
    read = "select id::text from public.orders where id = %s"
    assert db.as_("stranger", read, order) == []
    assert db.as_("admin", read, order) == [{"id": order}]
    assert db.as_("admin", "select public.get_order_record(%s) ->> 'status' as status", order) == [
        {"status": "delivered"}
    ]


def test_closing_account_orders_nothing(db: Db) -> None:
    assert close(db) == "closing"
    with pytest.raises(Exception, match="This account is being deleted"):
        db.order()


def test_account_with_orders_is_deleted_by_no_shorter_way(db: Db) -> None:
    order = db.order(status="shipped")
    with pytest.raises(Exception, match="orders_user_id_fkey"), db.undone():
        db.run(DELETE, db.ids["owner"])
    take = "update public.orders set user_id = null where id = %s"
    assert db.rejected("service", take, order) == CHECK
    assert db.rejected("service", "update public.orders set user_id = %s where id = %s", None, order) == CHECK
    with pytest.raises(Exception, match="orders_without_account_ended_check"), db.undone():
        db.run(take, db.order(cart_key="paid", status="paid"))


def test_last_admin_stays_and_the_last_but_one_may_go(db: Db) -> None:
    db.run("update private.profiles set is_admin = false where id <> %s", db.ids["admin"])
    assert close(db, "admin") == "last_admin"
    db.run("update private.profiles set is_admin = true where id = %s", db.ids["stranger"])
    assert close(db, "admin") == "closing"
    # from then on no admin any more, and the other one is the last
    assert db.as_("admin", "select 1 from public.order_events") == []
    assert close(db, "stranger") == "last_admin"


def test_sweep_lists_accounts_that_were_left_closing(db: Db) -> None:
    listed = "select id::text from public.list_closing_accounts(10) where id = any(%s::uuid[])"
    ids = [db.ids["owner"], db.ids["stranger"]]
    assert close(db) == "closing"
    assert db.as_("service", listed, ids) == []  # its own process may still be at it
    db.run("update private.profiles set closing_at = now() - interval '2 minutes' where id = %s", ids[0])
    assert db.as_("service", listed, ids) == [{"id": ids[0]}]
    assert db.as_("service", CLOSE, "00000000-0000-4000-8000-000000000000") == [{"outcome": "gone"}]


def test_people_learn_of_their_own_password_alone(db: Db) -> None:
    db.run("update auth.users set encrypted_password = '$2a$x' where id = %s", db.ids["owner"])
    asked = "select public.has_password() as has"
    assert db.as_("owner", asked) == [{"has": True}]
    assert db.as_("stranger", asked) == [{"has": False}]
    assert db.rejected("anon", asked) == DENIED


def test_copy_of_an_account_has_all_rows_of_this_person_alone(db: Db) -> None:
    db.as_("owner", "update public.profiles set name = 'Olive Owner' where id = %s", db.ids["owner"])
    shown = db.design(public=True, name="Shown")
    hidden = db.design(name="Hidden")
    (key,) = db.as_("owner", "select public.end_design_link(%s) as link", hidden)
    theirs = db.design("stranger", public=True, name="Not mine")
    for design, persona in ((theirs, "owner"), (shown, "stranger")):
        like = "insert into public.design_likes (design_id, user_id) values (%s, %s)"
        db.as_(persona, like, design, db.ids[persona])
    order = db.order(status="paid")
    db.order("stranger")
    (row,) = db.as_("service", "select public.export_account(%s) as copy", db.ids["owner"])
    copy = row["copy"]
    assert copy["account"]["id"] == db.ids["owner"]
    assert copy["profile"]["name"] == "Olive Owner"
    designs = {design["id"]: design for design in copy["designs"]}
    assert set(designs) >= {shown, hidden}
    assert theirs not in designs
    assert designs[shown]["public_since"] is not None
    assert (designs[hidden]["public_since"], designs[hidden]["row_holds_picture"]) == (None, True)
    assert (designs[hidden]["link_key"], designs[shown]["link_key"]) == (key["link"], None)
    assert [like["design_id"] for like in copy["likes"]] == [theirs]
    assert [each["id"] for each in copy["orders"]] == [order]
    assert copy["orders"][0]["shipping_address"] == {"country": "CA"}
    assert copy["orders"][0]["items"][0]["product_name"] == "Surfing cat"
    assert db.ids["stranger"] not in str(copy)
    assert "encrypted_password" not in str(copy)


def test_copy_of_an_account_has_no_more_rows_than_its_limit(db: Db) -> None:
    for number in range(3):
        db.design(name=f"Design {number}")
    (row,) = db.as_("service", "select public.export_account(%s, 2) as copy", db.ids["owner"])
    assert [len(row["copy"]["designs"]), row["copy"]["most_of_each"]] == [2, 2]
