"""A copy of an account, and its end: by password, by code, with orders on their way, left midway."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable

import httpx
import pytest

from tests.shop.integration.functions.conftest import ADDRESS, Functions, Json, Shopper
from tests.shop.integration.functions.stored_designs import PICTURE, Pictures
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Person, Users, connect

EXPORT, DELETE = "export-account", "delete-account"


@pytest.fixture
def leaver(users: Users) -> Person:
    """Somebody who leaves; each test has one of its own."""
    return users.new("leaver")


@pytest.fixture
def buy(functions: Functions, leaver: Person, shopper: Shopper) -> Callable[[bool], Json]:
    """Has the leaver order an imported design, and pay or not."""

    def order(pays: bool) -> Json:
        copy = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, leaver.token)
        buyer = Shopper(leaver, copy["designId"], shopper.product_id, shopper.variants)
        cart = buyer.cart(shipping_address=ADDRESS | {"email": leaver.email})
        placed = functions.body_of("create-payment-intent", cart, leaver.token)
        if pays:
            functions.stripe(
                f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa"
            ).raise_for_status()
            paid = {"order_id": placed["order_id"], "status": "paid"}
            assert functions.body_of("update-order-status", paid, leaver.token) == paid
        return placed

    return order


def unpacked(response: httpx.Response) -> tuple[Json, dict[str, bytes]]:
    """account.json and the pictures by their names."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["cache-control"] == "no-store"
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.testzip() is None
    files = {name: archive.read(name) for name in archive.namelist()}
    assert files.pop("README.txt").startswith(b"A copy of everything")
    copy: Json = json.loads(files.pop("account.json"))
    return copy, files


def is_there(functions: Functions, person: Person) -> bool:
    return functions.sql("select 1 from auth.users where id = %s", person.id) != []


def test_copy_holds_rows_and_pictures_of_this_person_alone(
    functions: Functions, stack: Stack, leaver: Person, stranger: Person, save_design: Callable[..., str]
) -> None:
    pictures = Pictures(stack, functions)
    stored, held = pictures.save(leaver), save_design(leaver)
    pictures.save(stranger)
    leaver.client.table("designs").update({"name": "../../etc/<b>passwd</b>"}).eq("id", held).execute()
    copy, files = unpacked(functions.call(EXPORT, {}, leaver.token))
    assert copy["account"]["email"] == leaver.email
    named = {design["id"]: design["picture"] for design in copy["designs"]}
    assert set(named) == {stored.id, held}
    assert files[named[stored.id]] == PICTURE
    assert set(files) == set(named.values())
    assert re.fullmatch(r"pictures/etc-b-passwd-b-\w{8}\.png", named[held])
    assert stranger.id not in json.dumps(copy)


def test_few_copies_are_given_in_an_hour(functions: Functions, leaver: Person) -> None:
    for _ in range(3):
        unpacked(functions.call(EXPORT, {}, leaver.token, key="one-key-for-all"))
    response = functions.call(EXPORT, {}, leaver.token)
    assert (response.status_code, response.json()["code"]) == (429, "usage_limit")


def test_account_is_deleted_by_its_password_with_all_that_hangs_on_it(
    functions: Functions, stack: Stack, leaver: Person, stranger: Person
) -> None:
    pictures = Pictures(stack, functions)
    design = pictures.save(leaver)
    publication = pictures.publish(design)
    imported = functions.body_of("import-design", {"originalDesignId": design.id}, stranger.token)
    begun = pictures.begin(leaver)
    assert pictures.upload(leaver, f"{leaver.id}/{begun}/picture.png", PICTURE).status_code == 200

    assert functions.body_of(DELETE, {"password": PASSWORD}, leaver.token) == {"success": True}

    assert not is_there(functions, leaver)
    assert functions.call(EXPORT, {}, leaver.token).status_code == 401
    with pytest.raises(Exception, match="Invalid login credentials"):
        connect(stack, stack.publishable_key).auth.sign_in_with_password(
            {"email": leaver.email, "password": PASSWORD}
        )
    assert pictures.sweep()["failed_objects"] == 0
    assert pictures.objects(leaver.id) == []
    assert pictures.objects(publication) == []
    # the copy in another collection is the other person's
    assert pictures.signed(f"{stranger.id}/{imported['designId']}/picture.png", stranger.token) == PICTURE


def test_account_without_a_password_is_deleted_by_a_mailed_code_of_its_own(
    functions: Functions, stack: Stack, users: Users, leaver: Person, stranger: Person
) -> None:
    functions.sql("update auth.users set encrypted_password = '' where id = %s", leaver.id)

    def code_for(person: Person) -> str:
        users.anonymous.auth.sign_in_with_otp(
            {"email": person.email, "options": {"should_create_user": False}}
        )
        match = re.search(r"\b(\d{6})\b", wait_for_mail(stack, person.email)["Text"])
        assert match
        return match[1]

    assert functions.error_of(DELETE, {"password": PASSWORD}, leaver.token) == (403, "wrong_password")
    assert functions.error_of(DELETE, {"code": code_for(stranger)}, leaver.token) == (403, "wrong_code")
    assert is_there(functions, leaver)
    assert functions.body_of(DELETE, {"code": code_for(leaver)}, leaver.token) == {"success": True}
    assert not is_there(functions, leaver)
    assert is_there(functions, stranger)


@pytest.mark.parametrize("body", [{}, {"password": PASSWORD, "code": "123456"}, {"code": "12 or true"}])
def test_deletion_takes_one_proof(functions: Functions, leaver: Person, body: Json) -> None:
    assert functions.error_of(DELETE, body, leaver.token) == (400, "invalid_request")
    assert is_there(functions, leaver)


def test_passwords_are_tried_few_times_and_right_ones_open_no_session(
    functions: Functions, leaver: Person
) -> None:
    sessions = "select count(*) as open from auth.sessions where user_id = %s"
    before = functions.sql(sessions, leaver.id)
    for number in range(5):
        assert functions.error_of(DELETE, {"password": f"wrong {number}"}, leaver.token) == (
            403,
            "wrong_password",
        )
    # the right one too, by now
    response = functions.call(DELETE, {"password": PASSWORD}, leaver.token)
    assert (response.status_code, response.json()["code"]) == (429, "usage_limit")
    assert is_there(functions, leaver)
    assert functions.sql(sessions, leaver.id) == before


def test_deletion_waits_for_a_paid_order_and_names_it(
    functions: Functions, leaver: Person, buy: Callable[[bool], Json]
) -> None:
    order = buy(True)["order_id"]
    response = functions.call(DELETE, {"password": PASSWORD}, leaver.token)
    assert (response.status_code, response.json()["code"]) == (409, "orders_not_sent")
    assert f"#{order[-6:].upper()}" in response.json()["error"]
    assert is_there(functions, leaver)
    functions.sql("update public.orders set status = 'shipped' where id = %s", order)
    functions.body_of(DELETE, {"password": PASSWORD}, leaver.token)
    assert functions.sql("select user_id, status from public.orders where id = %s", order) == [
        {"user_id": None, "status": "shipped"}
    ]


def test_unpaid_order_is_closed_with_its_payment(
    functions: Functions, leaver: Person, buy: Callable[[bool], Json]
) -> None:
    placed = buy(False)
    functions.body_of(DELETE, {"password": PASSWORD}, leaver.token)
    assert functions.get_stripe(f"payment_intents/{placed['payment_intent_id']}")["status"] == "canceled"
    assert functions.sql("select user_id, status from public.orders where id = %s", placed["order_id"]) == [
        {"user_id": None, "status": "cancelled"}
    ]


def test_deletion_that_was_left_midway_is_finished_by_the_sweep(functions: Functions, leaver: Person) -> None:
    assert functions.sql("select public.close_account(%s) as outcome", leaver.id) == [{"outcome": "closing"}]
    assert is_there(functions, leaver)
    functions.sql(
        "update private.profiles set closing_at = now() - interval '2 minutes' where id = %s", leaver.id
    )
    assert functions.sweep()["failed_accounts"] == 0
    # the shop's own sweep may have been first
    functions.until("select 1 where not exists (select from auth.users where id = %s)", leaver.id)


def test_token_of_a_deleted_account_leaves_nothing_behind(functions: Functions, leaver: Person) -> None:
    functions.body_of(DELETE, {"password": PASSWORD}, leaver.token)
    row = {"user_id": leaver.id, "name": "Late", "image_data": "aGk=", "selected_colors": []}
    with pytest.raises(Exception, match="designs_user_id_fkey"):
        leaver.client.table("designs").insert(row).execute()
    assert functions.call("import-design", {"originalDesignId": leaver.id}, leaver.token).status_code == 401
