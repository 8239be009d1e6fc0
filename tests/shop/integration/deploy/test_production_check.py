"""`make production-check` against the running shop: each fault is found, with the command that mends it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest

from functions.bundle import slugs
from tests.shop.integration.deploy.deployed import Deployed
from tests.shop.integration.deploy.vendor import Vendor
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import ROOT


def test_production_check_of_a_sound_shop_finds_no_failure(deployed: Deployed) -> None:
    arguments = (
        "production-check", deployed.stack.site_url, "--demo-people", str(deployed.no_people),
        "--settings", str(deployed.settings),
    )  # fmt: skip
    response = deployed.owner.run(*arguments)
    assert [line for line in response.out.splitlines() if "failed" in line] == []
    assert (response.code, response.err) == (0, "")
    lines = response.out.splitlines()
    assert lines[-1] == "all is well"
    checks = [line[2:].split(":")[0] for line in lines if line.startswith("  ok")]
    assert checks == [f"ok      {name}" for name in (
        "migrations", "tables", "row security", "functions", "triggers", "policies", "grants", "roles", "prices",
        "catalog", "buckets", "admin", "demo accounts",
        "functions", "stripe webhook", "printify webhook", "stripe signature", "printify signature", "sweep", "jobs",
        "books", "accounts", "mail",
        "headers", "fallback page", "robots", "page settings", "CORS",
    )]  # fmt: skip
    assert "  note    payments: Stripe is in test mode: no card is charged" in lines
    assert "  note    settings: still as it came in shop.toml: policies.claim_days" in lines
    assert deployed.stack.secret_key not in response.out


def test_production_check_of_a_seeded_shop_finds_its_people(deployed: Deployed) -> None:
    (finding,) = deployed.check("demo accounts", demo=True)
    assert finding["detail"].startswith("public passwords open shopper@teesmith.example, ")
    assert (finding["status"], finding["mend"]) == ("failed", "python -m deploy remove-demo-accounts")


def test_production_check_counts_no_demonstration_account_as_an_admin(deployed: Deployed) -> None:
    admins = deployed.sql.execute("select id::text from private.profiles where is_admin").fetchall()
    rows = "".join(f"('{row['id']}'::uuid, 'demo@teesmith.example', 'Demo')\n" for row in admins)
    deployed.no_people.write_text(rows, encoding="utf-8")
    failure = ("admin", "no account may open the admin page", "python -m deploy admin EMAIL")
    assert deployed.failure("admin") == failure


def test_production_check_names_what_the_owner_has_not_decided(deployed: Deployed) -> None:
    decided = deployed.check(
        "settings", environ={"MAIL_FROM": "a@shop.example", "NOTICE_EMAIL": "b@shop.example"}
    )
    assert [finding["detail"].rpartition(" ")[2] for finding in decided if finding["status"] == "note"] == [
        "shop.company", "shop.address", "shop.minimum_age", "policies.updated", "policies.claim_days",
        "policies.refund_time", "policies.data_request_days", "policies.order_retention", "prices.shirt_cents",
        "prices.regular_shirt_cents", "prices.second_side_cents", "prices.shipping_cents",
        "prices.free_shipping_countries", "prices.most_per_size",
        "delivery.home_country", "delivery.home", "delivery.abroad",
        "storage.unordered_print_file_days", "storage.unused_artwork_days", "print.ink_profile", "promo.ends_at",
        "shirt.name", "shirt.material", "shirt.weight", "shirt.fit", "shirt.care", "shirt.models",
    ]  # fmt: skip
    came = (ROOT / "shop.toml").read_text(encoding="utf-8")
    deployed.settings.write_text(came, encoding="utf-8")
    assert deployed.failure("settings") == (
        "support address", "customers are sent to an example's address",
        "set shop.support_email in shop.toml, then build the web client again",
    )  # fmt: skip
    named = came.replace("support@teesmith.example", "help@shop.test")
    deployed.settings.write_text(
        named.replace('ink_profile = ""', 'ink_profile = "none.icc"'), encoding="utf-8"
    )
    assert deployed.failure("settings") == (
        "ink profile", "there is no functions/_shared/none.icc",
        "copy the printer's ICC profile there, or empty print.ink_profile in shop.toml",
    )  # fmt: skip


Fault = Callable[[Deployed], AbstractContextManager[None]]


def statements(make: str, undo: str) -> Fault:
    @contextmanager
    def fault(shop: Deployed) -> Iterator[None]:
        shop.sql.execute(make)
        try:
            yield
        finally:
            shop.sql.execute(undo)

    return fault


@contextmanager
def other_prices(shop: Deployed) -> Iterator[None]:
    shop.sql.execute("update private.price_list set shirt_cents = 990")
    try:
        yield
    finally:
        shop.mend("catalog")


@contextmanager
def no_video(shop: Deployed) -> Iterator[None]:
    storage = f"{shop.stack.api_url}/storage/v1"
    key = {"apikey": shop.stack.secret_key, "authorization": f"Bearer {shop.stack.secret_key}"}
    assert httpx.delete(f"{storage}/object/videos/demo-video.mp4", headers=key).status_code == 200
    assert httpx.put(f"{storage}/bucket/print-files", headers=key, json={"public": True}).status_code == 200
    try:
        yield
    finally:
        shop.mend("buckets")


@contextmanager
def no_webhooks(shop: Deployed) -> Iterator[None]:
    stripe = httpx.Client(base_url=f"{shop.stack.emulators_url}/stripe/v1", auth=("sk_test_emulator", ""))
    printify = httpx.Client(
        base_url=f"{shop.stack.emulators_url}/printify/v1/shops/1",
        headers={"authorization": "Bearer printify_emulator_token", "user-agent": "tests"},
    )
    (endpoint,) = stripe.get("/webhook_endpoints").json()["data"]
    (hook,) = (hook for hook in printify.get("/webhooks.json").json() if hook["topic"] == "order:updated")
    stripe.post(
        f"/webhook_endpoints/{endpoint['id']}",
        data={"disabled": "true", "enabled_events[]": ["charge.refunded"]},
    )
    printify.delete(f"/webhooks/{hook['id']}.json", params={"host": "127.0.0.1"})
    try:
        yield
    finally:
        shop.mend("webhooks", "--env-file", str(shop.secrets))


@contextmanager
def no_sweep(shop: Deployed) -> Iterator[None]:
    """The scheduler of the stack goes on: what it records is left out."""
    shop.sql.execute(
        "create function private.leave_out() returns trigger language plpgsql as 'begin return null; end';"
        "create trigger leave_out before insert or update on private.sweep_runs"
        " for each row execute function private.leave_out();"
        "alter table private.sweep_runs disable trigger leave_out;"
        "insert into private.sweep_runs (finished_at, figures) values (now() - interval '10 minutes', '{}')"
        " on conflict (only_row) do update set finished_at = excluded.finished_at;"
        "alter table private.sweep_runs enable trigger leave_out;"
    )
    try:
        yield
    finally:
        shop.sql.execute("drop function private.leave_out() cascade")
        shop.sql.execute("update private.sweep_runs set finished_at = now()")


def rounded(detail: str) -> str:
    """With seconds in tens: a check comes some time after the fault was made."""
    return re.sub(r"\d(?= s(econds ago)?$)", "0", detail)


@pytest.mark.parametrize(
    ("check", "fault", "failure"),
    [
        (
            "prices",
            other_prices,
            ("prices", "shirt_cents is 990, 1990 in shop.toml", "python -m deploy catalog"),
        ),
        (
            "catalog",
            statements("update product_variants set is_available = false",
                       "update product_variants set is_available = true"),
            ("catalog", "no variant can be ordered", "python -m deploy catalog"),
        ),
        (
            "catalog",
            statements("update product_variants set printify_variant_id = 900 where name = 'Red - L'",
                       "update product_variants set printify_variant_id = 12022 where name = 'Red - L'"),
            ("catalog", "the printer does not offer Red - L", "python -m deploy catalog"),
        ),
        (
            "buckets",
            no_video,
            ("buckets", "videos/demo-video.mp4 is missing or differs; print-files has another public",
             "python -m deploy buckets"),
        ),
        (
            "sweep",
            no_sweep,
            ("sweep", "its last run was 600 seconds ago",
             "python -m deploy schedule --by cloud-scheduler (or pg_cron)"),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_production_check_finds_a_fault_and_what_mends_it(
    deployed: Deployed, check: str, fault: Fault, failure: tuple[str, str, str]
) -> None:
    with fault(deployed):
        name, detail, mend = deployed.failure(check)
    assert (name, rounded(detail), mend) == failure
    assert {finding["status"] for finding in deployed.check(check)} == {"ok"}


def test_production_check_finds_webhooks_that_lack_events(deployed: Deployed) -> None:
    with no_webhooks(deployed):
        stripe, printify = deployed.check("webhooks")
    assert (stripe["status"], stripe["mend"]) == ("failed", "python -m deploy webhooks --only stripe")
    assert stripe["detail"] == (
        "it is disabled; it does not get payment_intent.succeeded, payment_intent.payment_failed, "
        "payment_intent.canceled, refund.created, refund.updated, refund.failed, charge.dispute.created, "
        "charge.dispute.updated, charge.dispute.closed, charge.dispute.funds_withdrawn, "
        "charge.dispute.funds_reinstated"
    )
    assert (printify["status"], printify["mend"]) == ("failed", "python -m deploy webhooks --only printify")
    assert printify["detail"].endswith("/functions/v1/printify-webhook does not get order:updated")
    assert {finding["status"] for finding in deployed.check("webhooks")} == {"ok"}


_RENEW = "python -m deploy webhooks --renew, then deploy the functions with the new secrets"


def test_production_check_finds_a_signing_secret_that_the_functions_do_not_have(deployed: Deployed) -> None:
    failure = deployed.failure("signatures", environ={"STRIPE_WEBHOOK_SECRET": "whsec_other"})
    assert failure == ("stripe signature", "an event signed with our secret is answered 400", _RENEW)


def test_production_check_finds_functions_that_take_unsigned_events(
    deployed: Deployed, vendor: Vendor
) -> None:
    vendor.responses = {f"POST /{name}-webhook": {} for name in ("stripe", "printify")}
    findings = deployed.check("signatures", environ={"FUNCTIONS_URL": vendor.url})
    assert [(finding["detail"], finding["mend"]) for finding in findings] == [
        ("an unsigned event is answered 200, not 400", _RENEW)
    ] * 2


def test_production_check_finds_functions_that_are_not_deployed(deployed: Deployed, vendor: Vendor) -> None:
    check, detail, mend = deployed.failure("functions", environ={"FUNCTIONS_URL": vendor.url})
    assert (check, mend) == ("functions", "make deploy FN=all")
    assert detail.startswith("not there: add-artwork (404), ")
    assert detail.count("(404)") == len(slugs())


def test_production_check_finds_a_page_without_headers_and_fallback(
    deployed: Deployed, vendor: Vendor
) -> None:
    vendor.responses = {"GET /": {}}
    headers, fallback = deployed.check("headers", "fallback page", url=vendor.url)
    assert headers["status"] == fallback["status"] == "failed"
    assert headers["detail"].startswith("x-content-type-options is None, not 'nosniff'; ")
    assert headers["detail"].endswith("content-security-policy is missing")
    assert fallback["detail"] == "/dashboard is answered 404"
    assert (
        headers["mend"]
        == fallback["mend"]
        == ("host web/dist with the headers file of docs/deploy.md, section Web")
    )


def test_production_check_finds_a_host_that_leads_nothing_to_the_function(
    deployed: Deployed, vendor: Vendor
) -> None:
    (row,) = deployed.sql.execute("select design_id, user_id from public_designs limit 1").fetchall()
    vendor.responses = {
        f"GET /design/{end}": {} for end in ("00000000-0000-4000-8000-000000000000", row["design_id"])
    }
    check, detail, mend = deployed.failure("robots", url=vendor.url)
    assert (check, mend.partition(",")[0]) == ("robots", "deploy design-page with SITE_URL")
    assert detail == (
        "/sitemap.xml does not list the shop's addresses; robots.txt does not name the sitemap; "
        "a design that is not there is answered 200; "
        f"/design/{row['design_id']} has no page of its own; /creator/{row['user_id']} has no page of its own; "
        f"/discover has no page of its own; /design/{row['design_id']}/share.jpg is answered 404"
    )


def test_production_check_finds_a_page_that_was_built_for_another_project(deployed: Deployed) -> None:
    environ = {"SUPABASE_PUBLIC_URL": "https://other.example", "STRIPE_SECRET_KEY": "sk_live_1"}
    assert deployed.failure("page settings", environ=environ) == (
        "page settings",
        f"the page calls {deployed.stack.api_url}, not https://other.example; "
        "the page's Stripe key and STRIPE_SECRET_KEY are not of the same mode",
        "build the web client again with the VITE_ variables",
    )


def test_production_check_finds_functions_that_are_closed_to_the_shop(
    deployed: Deployed, vendor: Vendor
) -> None:
    origin = deployed.stack.site_url
    assert deployed.failure("CORS", environ={"FUNCTIONS_URL": vendor.url}) == (
        "CORS",
        "functions refuse a preflight with 501",
        f"set FUNCTIONS_CORS_ORIGIN={origin} where the functions have an address of their own, then deploy them",
    )


@pytest.mark.parametrize(
    ("environ", "problem"),
    [
        ({"SMTP_PORT": "9"}, "127.0.0.1:9: ConnectionRefusedError"),
        ({"SMTP_USER": "ann", "SMTP_PASS": "secret"}, "SMTPNotSupportedError"),
        ({"SMTP_HOST": ""}, "Set SMTP_HOST in the environment or in .env (see .env.example)."),
    ],
)
def test_production_check_finds_a_mail_server_that_takes_no_mail(
    deployed: Deployed, environ: dict[str, str], problem: str
) -> None:
    check, detail, mend = deployed.failure("mail", environ=environ)
    assert check == "mail"
    assert problem in detail
    assert "secret" not in detail
    assert mend != ""


def test_production_check_sends_a_mail_only_on_demand(deployed: Deployed) -> None:
    to = "check-mail@example.com"
    response = deployed.owner.run(
        "production-check", deployed.stack.site_url, "--only", "mail", "--send-mail-to", to,
        environ={"MAIL_FROM": "Shop <shop@example.com>"},
    )  # fmt: skip
    assert response.out.splitlines()[0].endswith(f"takes mail; one was sent to {to}")
    assert wait_for_mail(deployed.stack, to)["Subject"] == "Your shop can send mail"


def test_production_check_goes_on_where_a_service_does_not_answer(deployed: Deployed) -> None:
    environ = {"SUPABASE_DB_URL": "postgresql://ann:secret@127.0.0.1:9/x", "PRINTIFY_API_TOKEN": ""}
    findings = {finding["check"]: finding for finding in deployed.check(environ=environ)}
    assert findings["tables"]["detail"] == "The database at SUPABASE_DB_URL does not answer: OperationalError"
    assert findings["fallback page"]["status"] == "ok"
    assert findings["mail"]["status"] == "ok"
    assert all(finding["mend"] for finding in findings.values() if finding["status"] == "failed")


def test_demo_accounts_are_removed_once(deployed: Deployed, tmp_path: Path) -> None:
    key = {"apikey": deployed.stack.secret_key, "authorization": f"Bearer {deployed.stack.secret_key}"}
    person = {"email": "demo-account@example.com", "password": "teesmith-demo", "email_confirm": True}
    made = httpx.post(f"{deployed.stack.api_url}/auth/v1/admin/users", headers=key, json=person).json()
    seed = tmp_path / "people.sql"
    seed.write_text(f"('{made['id']}'::uuid, '{made['email']}', 'Demo')", encoding="utf-8")
    first = deployed.owner.run("remove-demo-accounts", "--seed", str(seed))
    assert (first.code, first.out) == (0, "demo accounts: removed demo-account@example.com\n")
    assert deployed.sql.execute("select 1 from auth.users where id = %s", [made["id"]]).fetchall() == []
    second = deployed.owner.run("remove-demo-accounts", "--seed", str(seed))
    assert (second.code, second.out) == (0, "demo accounts: none, nothing to change\n")


def test_production_check_notes_what_waits_for_a_person(deployed: Deployed) -> None:
    order = "5a5a5a5a-0000-4000-8000-000000000001"
    values = f"'{order}', 'flagged-cart', 1990, 0, 1990, '{{}}'"
    columns = "id, cart_key, subtotal_cents, shipping_cents, total_cents, shipping_address, user_id"
    waiting = statements(
        f"insert into orders ({columns}) select {values}, id from auth.users order by id limit 1;"
        f"insert into order_flags (order_id, reason) values ('{order}', 'disputed');"
        f"insert into order_jobs (order_id, kind, gave_up_at) values ('{order}', 'print', now());"
        f"update order_jobs set due_at = now() - interval '1 hour', leased_until = 'infinity' "
        f"where order_id = '{order}' and kind = 'settle'",
        f"delete from order_jobs where order_id = '{order}'; delete from order_messages where order_id = '{order}';"
        f"delete from order_flags where order_id = '{order}'; delete from order_events where order_id = '{order}';"
        f"delete from orders where id = '{order}'",
    )
    with waiting(deployed):
        notes = deployed.check("jobs")
    assert {finding["status"] for finding in notes} == {"note"}
    assert [rounded(finding["detail"]) for finding in notes] == [
        "1 given up: print of order_jobs",
        "settle of order_jobs due for 3600 s",
        "1 orders need a person: disputed",
    ]
    assert [finding["status"] for finding in deployed.check("jobs")] == ["ok"]
