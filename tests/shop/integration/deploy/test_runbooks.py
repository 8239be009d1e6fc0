"""docs/runbooks: each page's commands, run to the letter on a shop that has the trouble."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey

from tests.shop.integration.deploy.night import Night
from tests.shop.integration.functions.conftest import Shopper
from tests.shop.integration.functions.test_designs import WORDS
from tests.support.functions.environ import function_environ
from tests.support.mailbox import find_mails
from tests.support.shops import RunningShop
from tests.support.stacks import ROOT
from tests.support.users import PASSWORD

# with pauses from five seconds to an hour
_HOUR_OF_ATTEMPTS, _HALF_A_DAY_OF_ATTEMPTS = 10, 14


@pytest.fixture(scope="module")
def night(spare: RunningShop, tmp_path_factory: pytest.TempPathFactory) -> Night:
    made = Night(spare, tmp_path_factory.mktemp("night"))
    made.shop.users.new("night-admin", admin=True)
    return made


@pytest.fixture(scope="module")
def buyer(night: Night) -> Shopper:
    return night.shop.shopper("night-buyer")


@pytest.fixture
def faults(night: Night) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=night.shop.stack.emulators_url) as http:
        yield http
        http.delete("/faults")


def break_down(faults: httpx.Client, vendor: str, fault: str = "error") -> None:
    response = faults.put("/faults", json={"seed": 1, "vendors": [vendor], "requests": {fault: 1.0}})
    assert response.status_code == 200, response.text


def jobs(night: Night, order: str) -> dict[str, tuple[int, bool]]:
    """Kind of each job that is not done → its attempts, and whether it was given up."""
    rows = night.shop.functions.sql(
        "select kind, attempts, gave_up_at is not null as up from order_jobs where order_id = %s and done_at is null",
        order,
    )
    return {row["kind"]: (row["attempts"], row["up"]) for row in rows}


def fail_for(night: Night, order: str, kind: str, attempts: int) -> None:
    """As many attempts as the sweep would have made: the first and the last are made, and no time passes."""
    functions = night.shop.functions
    functions.sweep()
    assert jobs(night, order)[kind][0] >= 1
    functions.sql(
        "update order_jobs set attempts = %s where order_id = %s and kind = %s", attempts - 1, order, kind
    )
    functions.sweep()


def test_stuck_order_is_found_mended_and_printed_once(night: Night, buyer: Shopper) -> None:
    shop = night.shop
    placed = shop.place(buyer, "1 Stuck Street")
    order = placed["order_id"]
    # the printer does not ship there
    shop.functions.sql(
        """update orders set shipping_address = (shipping_address::jsonb || '{"country": "UA"}')::text where id = %s""",
        order,
    )
    shop.charge(placed)
    shop.claim(buyer, placed)
    for _ in range(4):
        shop.functions.sweep()
    assert jobs(night, order)["print"] == (4, True)
    ((flag, *_),) = night.sql("stuck-order", "where resolved_at is null order by created_at")
    assert (str(flag["order_id"]), flag["reason"]) == (order, "print_failed")
    state, waiting, history = night.sql("stuck-order", "paid_at, payment_intent_id", order_id=order)
    assert (state[0]["status"], state[0]["printify_order_id"]) == ("paid", None)
    assert waiting[0]["kind"] == "print"
    assert waiting[0]["last_error"].startswith("printer_refused: ")
    assert [row["kind"] for row in history] == ["placed", "status", "flagged"]
    assert len(find_mails(shop.stack, "orders@teesmith.example", "needs a person")) == 1
    assert len(find_mails(shop.stack, buyer.person.email, "delay")) <= 1

    night.sql("stuck-order", "shipping_address::jsonb ||", order_id=order)
    night.sql("stuck-order", "retry_order", order_id=order)
    assert json.loads(night.sh("stuck-order", "/sweep"))["failed_jobs"] == 0
    assert night.sql("stuck-order", "select reason from order_flags", order_id=order) == [[]]
    (print_order,) = shop.print_orders(order)
    assert print_order["address_to"]["country"] == "US"
    assert shop.order(order)["printify_order_id"] == print_order["id"]
    for _ in range(2):
        shop.functions.sweep()
    assert len(shop.print_orders(order)) == 1
    assert night.left("stuck-order") == []


def test_orders_survive_an_hour_without_stripe(night: Night, buyer: Shopper, faults: httpx.Client) -> None:
    shop, functions = night.shop, night.shop.functions
    placed = shop.place(buyer, "2 Stripe Street")
    order = placed["order_id"]
    functions.sql("update order_jobs set due_at = now() where order_id = %s", order)
    (endpoint,) = functions.get_stripe("webhook_endpoints", limit="10")["data"]
    functions.stripe(f"webhook_endpoints/{endpoint['id']}", disabled="true")
    shop.charge(placed)
    break_down(faults, "stripe")
    status, code = functions.error_of("create-payment-intent", buyer.cart(), buyer.token)
    assert (status, code) == (502, "payment_unavailable")
    fail_for(night, order, "settle", _HOUR_OF_ATTEMPTS)
    assert jobs(night, order) == {"settle": (_HOUR_OF_ATTEMPTS, False)}
    claim = {"order_id": order, "status": "paid"}
    assert functions.error_of("update-order-status", claim, buyer.token) == (502, "payment_unavailable")
    faults.delete("/faults")
    functions.stripe(f"webhook_endpoints/{endpoint['id']}", disabled="false")
    resume(night)
    assert shop.order(order)["status"] in ("paid", "processing", "shipped")
    assert len(shop.print_orders(order)) == 1
    intents = functions.get_stripe("payment_intents", limit="100")["data"]
    paid = [
        one for one in intents if one["metadata"].get("order_id") == order and one["status"] == "succeeded"
    ]
    assert len(paid) == 1


@pytest.mark.parametrize("fault", ["error", "drop"])
def test_order_is_printed_once_after_an_hour_without_the_printer(
    night: Night, buyer: Shopper, faults: httpx.Client, fault: str
) -> None:
    shop = night.shop
    break_down(faults, "printify", fault)
    order = shop.pay(buyer, f"3 Printer Street {fault}")
    fail_for(night, order, "print", _HOUR_OF_ATTEMPTS)
    assert jobs(night, order)["print"] == (_HOUR_OF_ATTEMPTS, False)
    waiting, *_ = night.sql("vendor-down", "as oldest")
    (row,) = [row for row in waiting if row["kind"] == "print"]
    assert (row["given_up"], row["last_error"] is not None) == (0, True)
    faults.delete("/faults")
    resume(night)
    assert len(shop.print_orders(order)) == 1
    assert shop.order(order)["printify_order_id"] == shop.print_orders(order)[0]["id"]
    assert "print" not in jobs(night, order)


def test_order_that_was_given_up_after_half_a_day_is_taken_up_by_the_page(
    night: Night, buyer: Shopper, faults: httpx.Client
) -> None:
    shop = night.shop
    break_down(faults, "printify")
    order = shop.pay(buyer, "4 Long Night")
    fail_for(night, order, "print", _HALF_A_DAY_OF_ATTEMPTS)
    assert jobs(night, order)["print"] == (_HALF_A_DAY_OF_ATTEMPTS, True)
    faults.delete("/faults")
    night.sql("vendor-down", "f;\ncommit")
    resume(night)
    assert len(shop.print_orders(order)) == 1
    assert (
        shop.functions.sql("select 1 from order_flags where order_id = %s and resolved_at is null", order)
        == []
    )


def test_picture_fails_without_replicate_and_counts_for_nothing(
    night: Night, buyer: Shopper, faults: httpx.Client
) -> None:
    functions, job = night.shop.functions, str(uuid.uuid4())
    before = functions.predictions()
    break_down(faults, "replicate")
    assert functions.call("generate-design-image", WORDS | {"job_id": job}, buyer.token).status_code == 502
    *_, failed = night.sql("vendor-down", "as oldest")
    assert [(row["kind"], row["state"]) for row in failed] == [("text_picture", "failed")]
    faults.delete("/faults")
    assert functions.predictions() == before
    count = "select count(*)::int as count from private.usage_events where user_id = %s and kind = 'picture'"
    assert functions.sql(count, buyer.person.id) == [{"count": 0}]


def test_mails_wait_for_the_mail_server_and_are_sent_once(night: Night, buyer: Shopper) -> None:
    shop, functions = night.shop, night.shop.functions
    order = shop.pay(buyer, "5 Mail Street")
    # a mail that only the sweep sends
    functions.sql("select flag_order(%s, 'printer_problem', 'The sleeve is torn.')", order)
    unreachable = {**function_environ(shop.stack), "SMTP_PORT": "9"}
    for _ in range(2):
        functions.sql(
            "update order_messages set due_at = now() where order_id = %s and sent_at is null", order
        )
        assert sweep_elsewhere(unreachable)["failed_messages"] >= 2
    _, waiting, _ = night.sql("vendor-down", "as oldest")
    (row,) = [row for row in waiting if row["kind"] == "problem"]
    assert row["attempts"] == 2
    assert row["last_error"]
    resume(night)
    resume(night)
    number = order[-6:].upper()
    subjects = [mail["Subject"] for mail in find_mails(shop.stack, buyer.person.email, number)]
    assert sorted(set(subjects)) == sorted(subjects)
    assert [subject for subject in subjects if "a little longer" in subject] != []
    assert (
        functions.sql("select kind from order_messages where order_id = %s and sent_at is null", order) == []
    )


def sweep_elsewhere(environ: dict[str, str]) -> dict[str, int]:
    """A sweep by functions that have other settings than the shop's."""
    program = (
        "import json, os; from _shared.core.settings import read_settings; from _shared.shop import Shop; "
        "print(json.dumps(Shop(read_settings(os.environ, ('supabase', 'stripe', 'printify', 'mail'))).sweep.run()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / "functions",
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    figures: dict[str, int] = json.loads(done.stdout)
    return figures


def resume(night: Night) -> None:
    """The page's words for a vendor that is back."""
    night.sql("vendor-down", "update order_jobs set due_at")
    assert json.loads(night.sh("vendor-down", "/sweep"))["failed_jobs"] == 0


def test_vendor_page_was_run_whole(night: Night) -> None:
    assert night.left("vendor-down") == []


def test_leaked_key_page_ends_sessions_and_shows_what_was_done(night: Night, buyer: Shopper) -> None:
    users = night.shop.users
    thief = users.new("night-thief", admin=True)
    thief.client.auth.refresh_session()
    night.sql("leaked-key", "delete from auth.sessions where", **{"e-mail": thief.email})
    with pytest.raises(Exception, match="Refresh Token"):
        thief.client.auth.refresh_session()
    buyer.person.client.auth.refresh_session()
    admins, log, events, _ = night.sql("leaked-key", "audit_log_entries", days="1")
    assert thief.email in [row["email"] for row in admins]
    assert ("login", thief.email) in [(row["action"], row["actor"]) for row in log]
    assert "status" in [row["kind"] for row in events]
    night.sql("leaked-key", "set is_admin = false", **{"e-mail": thief.email})
    again = users.sign_in(thief.email, PASSWORD)
    assert night.shop.functions.body_of("check-admin-access", {}, again.token)["allowed"] is False
    night.sql("leaked-key", "delete from auth.sessions;")
    with pytest.raises(Exception, match="Refresh Token"):
        buyer.person.client.auth.refresh_session()


def test_restore_page_brings_a_shop_back(night: Night, buyer: Shopper, tmp_path: Path) -> None:
    shop = night.shop
    backup = str(tmp_path / "monday")
    assert night.sh("restore", '"$BACKUP-before"', BACKUP=backup).endswith(" s\n")
    Path(f"{backup}-before").rename(backup)
    assert "is whole" in night.sh("restore", "--check", BACKUP=backup)
    refused = night.sh("restore", 'restore "$BACKUP"\n', code=1, BACKUP=backup)
    assert refused.startswith("error: This shop is not empty: ")
    signed_in = replace(buyer, person=shop.users.sign_in(buyer.person.email, PASSWORD))
    lost = shop.place(signed_in, "6 Lost Lane")
    shop.charge(lost)
    shop.functions.sql("delete from orders")
    night.sh("restore", "--replace", BACKUP=backup)
    after, wrong = night.sql("restore", "as last_order")
    assert (
        after[0]["orders"]
        == shop.functions.sql("select count(*)::int as orders from orders")[0]["orders"]
        > 3
    )
    assert wrong == []
    payments = json.loads(night.sh("restore", "payment_intents", BACKUP=backup))["data"]
    intents_of_orders = {
        row["payment_intent_id"] for row in shop.functions.sql("select payment_intent_id from orders")
    }
    assert {
        one["id"] for one in payments if one["id"] not in intents_of_orders and one["status"] == "succeeded"
    } <= {lost["payment_intent_id"]}
    assert night.left("restore") == []


def test_keys_are_rotated_and_no_shopper_or_order_is_lost(night: Night, buyer: Shopper) -> None:
    before = night.shop.stack
    person = night.shop.users.new("night-rotated")
    shopper = replace(buyer, person=night.shop.users.sign_in(buyer.person.email, PASSWORD))
    order = night.shop.place(shopper, "7 Key Street")
    night.sh("rotate-keys", "SUPABASE_AUTH_SECRET_KEY")
    night.sh("rotate-keys", "webhooks --renew")
    night.sh("rotate-keys", "jwt-secret --env-file")
    for _ in range(2):  # the second key signs, the first one is being replaced
        shown = night.sh("rotate-keys", "signing-key --env-file")
    written = night.dotenv()
    assert [value for name, value in written.items() if value in shown and "PATH" not in name] == []
    assert night.made() == ["stop start", "deploy FN=container", *["stop start"] * 3]

    shop = night.restart()
    after = shop.stack
    assert after.secret_key != before.secret_key
    assert after.jwt_secret != before.jwt_secret
    old_token = signed_with(json.loads((night.folder / "signing_keys.json").read_text())[1], person.token)
    assert [status_of(shop, token) for token in (person.token, old_token)] == [200, 200]
    assert shop.functions.call("check-admin-access", {}, person.token).status_code == 200
    fresh = shop.users.sign_in(person.email, PASSWORD)
    assert header_of(fresh.token)["alg"] == "ES256"
    assert night.sh("leaked-key", "LEAKED_KEY", LEAKED_KEY=before.secret_key) == ""
    new, old = written["PRINTIFY_WEBHOOK_SECRET"], written["PRINTIFY_WEBHOOK_SECRET_PREVIOUS"]
    assert [printer_event(shop, secret) for secret in (new, old, "other")] == [200, 200, 400]
    shop.charge(order)
    shop.claim(shopper, order)

    night.sh("rotate-keys", "webhooks --finish")
    night.sh("rotate-keys", "jwt-secret --finish")
    night.sh("rotate-keys", "signing-key --finish")
    assert night.made() == ["deploy FN=container", "stop start", "stop start"]
    shop = night.restart()
    assert [status_of(shop, token) for token in (person.token, old_token, fresh.token)] == [401, 401, 200]
    assert [printer_event(shop, secret) for secret in (new, old)] == [200, 400]
    # signed in since before the rotation, and still
    session = person.client.auth.refresh_session().session
    assert session is not None
    assert status_of(shop, session.access_token) == 200
    shop.functions.sweep()
    assert len(shop.print_orders(order["order_id"])) == 1
    assert night.left("rotate-keys") == []
    assert night.left("leaked-key") == []


def header_of(token: str) -> Any:
    part = token.partition(".")[0]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def signed_with(key: dict[str, Any], token: str) -> str:
    """The token's claims, signed by another key of the project."""
    part = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    header = {"alg": "ES256", "kid": key["kid"], "typ": "JWT"}
    return joserfc_jwt.encode(header, claims, ECKey.import_key(key), algorithms=["ES256"])


def status_of(shop: RunningShop, token: str) -> int:
    """Return what the Data API answers to the token."""
    headers = {"apikey": shop.stack.publishable_key, "authorization": f"Bearer {token}"}
    return httpx.get(f"{shop.stack.api_url}/rest/v1/orders?limit=1", headers=headers).status_code


def printer_event(shop: RunningShop, secret: str) -> int:
    body = json.dumps(
        {"id": f"night-{time.time_ns()}", "type": "shop:check", "resource": {"id": "x"}}
    ).encode()
    signature = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    headers = {"content-type": "application/json", "x-pfy-signature": signature}
    url = f"{shop.stack.api_url}/functions/v1/printify-webhook"
    return httpx.post(url, content=body, headers=headers, timeout=30).status_code
